//! `result`: one slip from the command line, or a stack of them from standard input.

use crate::args::Enter;
use crate::error::VerbError;
use crate::session::Session;
use crate::{Answer, Report};
use scrutineer_desk::answers::{self, RefusedSlip, StackAnswer, TournamentName};
use scrutineer_desk::orders::Told;
use scrutineer_engine::error::Code;
use std::io::{BufRead, IsTerminal, Read, Write};

/// The longest line that is read.
const LINE_BYTES: u64 = 2_000;

/// Who takes slips: the desk here, or a server.
pub struct Counter<'a> {
    /// Takes a slip.
    pub enter: &'a dyn Fn(&str) -> Result<Told, VerbError>,
    /// The tournament's name.
    pub name: &'a dyn Fn() -> TournamentName,
    /// What is left to enter.
    pub left: &'a dyn Fn() -> Result<Left, VerbError>,
}

/// What is left to enter.
pub struct Left {
    /// How many results the open round lacks, and its number.
    pub round: Option<(u32, u16)>,
    /// What comes next, where it lacks none.
    pub next: Option<String>,
}

/// Enters a slip, or a stack.
pub fn run(session: &Session, typed: &Enter, at: &Counter<'_>) -> Result<Report, VerbError> {
    match typed.slip.is_empty() || typed.slip == ["-"] {
        true => stack(session, at),
        false => {
            let told = (at.enter)(&typed.slip.join(" "))?;
            Ok(Report::yes(printed(session, at, told)))
        }
    }
}

/// A slip says in its line by which event it is recorded.
fn printed(session: &Session, at: &Counter<'_>, told: Told) -> String {
    let done = told.done.filter(|_| session.json);
    super::printed(session, at.name, Told { done, ..told })
}

/// How a stack went.
#[derive(Default)]
struct Count {
    entered: usize,
    refused: usize,
}

/// An answer to each line as it comes; a line that is refused does not stop the rest.
fn stack(session: &Session, at: &Counter<'_>) -> Result<Report, VerbError> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        let end = if cfg!(windows) { "Ctrl-Z and Enter end" } else { "Ctrl-D ends" };
        let _ = writeln!(anstream::stderr(), "table and score, one slip a line; {end}");
    }
    let mut input = stdin.lock();
    let mut count = Count::default();
    for number in 1.. {
        let Some(line) = next_line(&mut input)? else { break };
        if line.as_ref().is_ok_and(|line| line.trim().is_empty()) {
            continue;
        }
        let shown = line.as_deref().unwrap_or("").trim().to_string();
        say(&match line.and_then(|line| (at.enter)(&line)) {
            Ok(told) => {
                count.entered += 1;
                printed(session, at, Told { next: None, ..told })
            }
            // What the disk does is no line's fault, and holds for the next ones too.
            Err(fail) if fail.code.kind.is_of_the_store() => return Err(fail),
            Err(fail) => {
                count.refused += 1;
                refused(session, number, &shown, &fail)
            }
        });
    }
    summary(session, at, &count)
}

fn refused(session: &Session, number: usize, line: &str, fail: &VerbError) -> String {
    if session.json {
        let (slip, error) = (line.to_string(), fail.problem());
        return answers::line(&RefusedSlip { line: number, slip, error });
    }
    let shown: String = line.chars().filter(|c| !c.is_control()).take(60).collect();
    let hint = fail.hint.as_ref().map_or(String::new(), |hint| format!("  hint: {}\n", hint));
    let told =
        format!("line {number} refused: {shown}: {}   [{}]\n{hint}", fail.message, fail.code);
    session.in_this_store(&told)
}

fn summary(session: &Session, at: &Counter<'_>, count: &Count) -> Result<Report, VerbError> {
    let answer = if count.refused > 0 { Answer::No } else { Answer::Yes };
    let Left { round: left, next } = (at.left)()?;
    if session.json {
        let Count { entered, refused } = *count;
        let missing = left.map(|(missing, _)| missing);
        let text = answers::line(&StackAnswer { entered, refused, missing });
        return Ok(Report { text, answer });
    }
    let left = match left {
        Some((0, round)) => {
            let next = session.command_in_this_store(&next.unwrap_or_default());
            format!("round {round} is complete\nnext: {next}")
        }
        Some((missing, round)) => format!("{missing} left in round {round}"),
        None => "no round is being played".into(),
    };
    let text = format!("{} entered, {} refused; {left}\n", count.entered, count.refused);
    Ok(Report { text, answer })
}

/// A line is answered before the next one is read.
fn say(answer: &str) {
    let mut out = anstream::stdout();
    let _ = out.write_all(answer.as_bytes()).and_then(|()| out.flush());
}

/// The next line; what is too long or no text is refused as a whole.
fn next_line(input: &mut impl BufRead) -> Result<Option<Result<String, VerbError>>, VerbError> {
    let failed = |error: std::io::Error| {
        let message = format!("cannot read standard input: {error}");
        VerbError::new(Code::io("file-not-read"), message, "what was answered above is recorded")
    };
    let mut bytes = Vec::new();
    let read = input.by_ref().take(LINE_BYTES).read_until(b'\n', &mut bytes).map_err(failed)?;
    if read == 0 {
        return Ok(None);
    }
    let bad = |what: &str| {
        VerbError::new(Code::invalid("bad-slip"), what, "write the table, then the score: `12 2-1`")
    };
    if read as u64 == LINE_BYTES && bytes.last() != Some(&b'\n') {
        loop {
            let (skipped, ends) = {
                let rest = input.fill_buf().map_err(failed)?;
                match rest.iter().position(|byte| *byte == b'\n') {
                    Some(at) => (at + 1, true),
                    None => (rest.len(), rest.is_empty()),
                }
            };
            input.consume(skipped);
            if ends {
                return Ok(Some(Err(bad("the line is too long for a slip"))));
            }
        }
    }
    // Editors on Windows begin a file with a mark that nobody sees.
    let line = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
    Ok(Some(String::from_utf8(line.to_vec()).map_err(|_| bad("the line is not UTF-8"))))
}
