//! Sessions as text: a command, then everything that it prints.
//!
//! ```text
//! // Words to the reader.
//! $ cat > league.csv
//! round,player_a,player_b,games_a,games_b
//! 1,Ann,Bob,2,1
//!
//! $ scrutineer import league.csv
//! imported: league, 2 players, ruleset mtr, by its score lines
//!
//! $ scrutineer explain Nobody
//! ! error: no player is called "Nobody"   [unknown-player]
//! !
//! ! hint: `scrutineer standings` lists them
//! [exit 2]
//! ```
//!
//! `$ scrutineer result <<END` gives the lines up to `END` to the command's standard input. Time
//! and random bytes come from a word, so that a session always says the same.
//!
//! Lines of standard error stand after those of standard output. `cat > file` writes what follows
//! it; `damage file 2000` flips a bit of that byte; `show file` prints it; `replace file old new` changes one place of a file; `copy from to` and
//! `remove name` are for files and folders; `roster > file 140` writes a list of so
//! many players; ` | head 3` leaves the first lines of standard output. Empty lines at an output's end do not
//! count; `scrutineer serve &` serves the store until the session ends, and `<served>` in a command is its
//! address; a line that begins like a part of the session stands behind `\`. With
//! `SCRUTINEER_REWRITE_SCRIPTS=1` the files are written anew, for review.

use super::desk::Desk;
use super::normalise;
use crate::schemas;
use crate::serve::client::Server;
use std::fs;
use std::path::Path;

/// One command and what it says.
struct Step {
    /// Words to the reader, and empty lines, before it.
    before: Vec<String>,
    /// The command as it stands there, without `$ `.
    command: String,
    /// What it reads, up to the word that ends it.
    input: Vec<String>,
    /// What it says, as it stands there.
    expected: Vec<String>,
}

impl Step {
    /// The word that ends what it reads.
    fn end_of_input(&self) -> Option<&str> {
        self.command.rsplit_once(" <<").map(|(_, word)| word.trim())
    }
}

/// Runs a session in a folder of its own.
pub fn run(path: &Path) {
    let text = fs::read_to_string(path).expect("a session");
    assert!(text.lines().any(|line| line.starts_with("$ ")), "{}: no command", path.display());
    let (written, wrong) = play(&Desk::new(), &text);
    if std::env::var_os("SCRUTINEER_REWRITE_SCRIPTS").is_some() {
        fs::write(path, format!("{}\n", written.trim_end())).expect("written");
        return;
    }
    let name = path.file_name().expect("a name").to_string_lossy();
    assert!(wrong.is_empty(), "{name} says something else:\n{wrong}");
}

/// Plays a session, and gives it as it was, and what differs.
pub fn play(desk: &Desk, text: &str) -> (String, String) {
    let (mut written, mut wrong) = (String::new(), String::new());
    let (steps, after) = parse(text);
    let mut served = None;
    for step in steps {
        let said = perform(desk, &step, &mut served);
        if said != step.expected {
            wrong.push_str(&difference(&step, &said));
        }
        for line in &step.before {
            written.push_str(&format!("{line}\n"));
        }
        written.push_str(&format!("$ {}\n", step.command));
        let end = step.end_of_input().map(str::to_string);
        for line in step.input.iter().chain(&end).chain(&said) {
            written.push_str(&format!("{line}\n"));
        }
        written.push('\n');
    }
    after.iter().for_each(|line| written.push_str(&format!("{line}\n")));
    (written, wrong)
}

/// The steps of a session, and the words to the reader after the last one.
fn parse(text: &str) -> (Vec<Step>, Vec<String>) {
    let mut steps: Vec<Step> = Vec::new();
    let mut before = Vec::new();
    let mut reads = false;
    for line in text.lines() {
        if let Some(step) = steps.last_mut().filter(|_| reads) {
            match step.end_of_input() == Some(line) {
                true => reads = false,
                false => step.input.push(line.to_string()),
            }
        } else if let Some(command) = line.strip_prefix("$ ") {
            let before = std::mem::take(&mut before);
            let (command, input) = (command.to_string(), Vec::new());
            steps.push(Step { before, command, input, expected: Vec::new() });
            reads = steps.last().is_some_and(|step| step.end_of_input().is_some());
        } else if line.starts_with("// ") || !before.is_empty() || steps.is_empty() {
            before.push(line.to_string());
        } else if let Some(step) = steps.last_mut() {
            step.expected.push(line.to_string());
        }
    }
    steps.iter_mut().for_each(|step| without_empty_end(&mut step.expected));
    (steps, before)
}

fn without_empty_end(lines: &mut Vec<String>) {
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
}

fn perform(desk: &Desk, step: &Step, served: &mut Option<Server>) -> Vec<String> {
    let command = step.command.rsplit_once(" <<").map_or(&step.command[..], |(command, _)| command);
    let address = served.as_ref().map_or(String::new(), |server| server.address.to_string());
    let words = words(&command.replace("<served>", &address));
    match &words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["cat", ">", name] => {
            desk.write(name, format!("{}\n", step.expected.join("\n")).as_bytes());
            step.expected.clone()
        }
        ["replace", name, old, new] => {
            let text = fs::read_to_string(desk.path(name)).expect("a file");
            assert_eq!(text.matches(old).count(), 1, "{old} stands once in {name}");
            desk.write(name, text.replace(old, new).as_bytes());
            Vec::new()
        }
        ["show", name] => {
            let text = fs::read_to_string(desk.path(name)).expect("a file");
            let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
            text.lines().map(str::to_string).collect()
        }
        ["copy", from, to] => {
            copy(&desk.path(from), &desk.path(to));
            Vec::new()
        }
        ["damage", name, byte] => {
            let mut bytes = fs::read(desk.path(name)).expect("a file");
            bytes[byte.parse::<usize>().expect("a number")] ^= 1;
            desk.write(name, &bytes);
            Vec::new()
        }
        ["remove", name] => {
            let path = desk.path(name);
            let gone = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
            gone.expect("removed");
            Vec::new()
        }
        ["roster", ">", name, players] => {
            let players: u32 = players.parse().expect("a number of players");
            let rows: String = (1..=players).map(|n| format!("P{n:03}\n")).collect();
            desk.write(name, format!("name\n{rows}").as_bytes());
            Vec::new()
        }
        ["scrutineer", "serve", "&"] => {
            *served = Some(Server::rehearsing(desk, "session"));
            Vec::new()
        }
        [words @ .., "|", "head", lines] => {
            let lines = lines.parse().expect("a number of lines");
            let mut said = said(desk, (words, &address), &step.input);
            let is_out = |line: &String| !line.starts_with("! ") && !line.starts_with("[exit ");
            let out = said.iter().filter(|line| is_out(line)).count();
            said.drain(out.min(lines)..out);
            said
        }
        words => said(desk, (words, &address), &step.input),
    }
}

/// Copies a file, or a folder with everything in it; folders that lead there are made.
fn copy(from: &Path, to: &Path) {
    if !from.is_dir() {
        fs::create_dir_all(to.parent().expect("a folder")).expect("made");
        fs::copy(from, to).expect("copied");
        return;
    }
    fs::create_dir_all(to).expect("made");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("readable");
        copy(&entry.path(), &to.join(entry.file_name()));
    }
}

fn said(desk: &Desk, (words, served): (&[&str], &str), input: &[String]) -> Vec<String> {
    let is_setting = |word: &&&str| word.contains('=') && !word.starts_with('-');
    let settings: Vec<&str> = words.iter().take_while(is_setting).copied().collect();
    let words = &words[settings.len()..];
    assert_eq!(words[0], "scrutineer", "a session runs scrutineer");
    let mut command = desk.command(&words[1..]);
    command.env("SCRUTINEER_REHEARSE", "session");
    command.envs(settings.iter().filter_map(|setting| setting.split_once('=')));
    let said = desk.feed(command, &input.iter().map(|l| format!("{l}\n")).collect::<String>());
    if words.contains(&"--json") {
        for line in said.out.lines() {
            schemas::named(words, line);
        }
        for line in said.err.lines() {
            schemas::named(&["error"], line);
        }
    }
    let normalised = |line: &str| {
        let line = normalise::line(&desk.without_its_path(line));
        if served.is_empty() { line } else { line.replace(served, "<served>") }
    };
    let mut lines: Vec<String> = said.out.lines().map(|line| escaped(&normalised(line))).collect();
    without_empty_end(&mut lines);
    lines.extend(said.err.lines().map(|line| format!("! {}", normalised(line))));
    if said.code != 0 {
        lines.push(format!("[exit {}]", said.code));
    }
    lines
}

/// A line of output that looks like a part of the session stands behind a stroke.
fn escaped(line: &str) -> String {
    let looks_like =
        ["$ ", "// ", "! ", "[exit ", "\\"].iter().any(|start| line.starts_with(start));
    if looks_like { format!("\\{line}") } else { line.to_string() }
}

/// Words as a shell splits them, with quotation marks.
pub fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in command.chars() {
        match (c, quote) {
            (c, Some(mark)) if c == mark => quote = None,
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (' ', None) => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

fn difference(step: &Step, said: &[String]) -> String {
    let same = step.expected.iter().zip(said).take_while(|(a, b)| a == b).count();
    let at = |lines: &[String]| lines.get(same).map_or("(nothing)".into(), |l| format!("{l:?}"));
    format!(
        "$ {}\n  line {}: expected {}\n  line {}: it says {}\n  all of it:\n{}\n",
        step.command,
        same + 1,
        at(&step.expected),
        same + 1,
        at(said),
        said.iter().map(|line| format!("    {line}\n")).collect::<String>(),
    )
}
