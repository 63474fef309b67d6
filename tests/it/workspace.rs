//! What holds of the repository as a whole: which crate may use which, that documents are found,
//! that codes are unique, and that nothing points out of it.

use crate::cli::{desk, script};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The rooms of the house in the order in which they may use each other. What tries to break the
/// log stands last: nothing is built on it.
const ROOMS: [&str; 11] = [
    "scrutineer-engine",
    "scrutineer-store",
    "scrutineer-postgres",
    "scrutineer-projections",
    "scrutineer-formats",
    "scrutineer-pairing",
    "scrutineer-replay",
    "scrutineer-desk",
    "scrutineer-server",
    "scrutineer",
    "scrutineer-power",
];

#[test]
fn imports_run_one_way() {
    let asked = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&asked.stdout).expect("metadata");
    let packages = metadata["packages"].as_array().expect("packages");
    assert_eq!(packages.len(), ROOMS.len(), "every crate has its place in the order");
    for package in packages {
        let name = package["name"].as_str().expect("a name");
        let own = ROOMS.iter().position(|room| *room == name).expect("a known crate");
        let uses = package["dependencies"].as_array().expect("dependencies");
        for used in uses.iter().filter_map(|used| used["name"].as_str()) {
            if let Some(at) = ROOMS.iter().position(|room| *room == used) {
                assert!(at < own, "{name} may not use {used}");
            }
        }
    }
}

/// What touches no file, no clock, no random number and no other machine.
const PURE: [&str; 4] = ["engine", "projections", "pairing", "formats"];

/// One line for each thing that such a crate may not do.
const BROKEN: [&str; 6] = [
    "pub fn a() { let _ = std::fs::read(\"a\"); }",
    "pub fn a() { let _ = std::fs::write(\"a\", \"b\"); }",
    "pub fn a(file: std::fs::File) { drop(file); }",
    "pub fn a() { let _ = std::time::SystemTime::now(); }",
    "pub fn a() { let _ = std::env::var(\"A\"); }",
    "pub fn a() -> f64 { 0.1 + std::f64::consts::PI }",
];

#[test]
fn a_pure_crate_that_breaks_the_rule_is_caught() {
    for room in PURE {
        let denied = read(&format!("{room}/src/lib.rs"));
        let denied = denied.lines().find(|line| line.starts_with("#![deny(")).expect("its lints");
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            fs::write(folder.path().join(name), text).expect("it is written");
        };
        fs::create_dir(folder.path().join("src")).expect("a folder");
        write("Cargo.toml", "[package]\nname = \"broken\"\nedition = \"2024\"\n[workspace]\n");
        write("clippy.toml", &read(&format!("{room}/clippy.toml")));
        for line in std::iter::once("").chain(BROKEN) {
            write("src/lib.rs", &format!("//! A rule is broken.\n{denied}\n{line}\n"));
            let said = Command::new(env!("CARGO"))
                .args(["clippy", "--offline", "--quiet"])
                .env_remove("CARGO_TARGET_DIR")
                .current_dir(folder.path())
                .output()
                .expect("cargo runs");
            let text = String::from_utf8_lossy(&said.stderr);
            assert_eq!(said.status.success(), line.is_empty(), "{room}: {line}: {text}");
        }
    }
}

#[test]
fn every_document_is_linked_from_the_readme_or_the_architecture() {
    let linked = read("README.md") + &read("docs/ARCHITECTURE.md");
    let pictured = read("docs/DESK.md");
    for path in committed().iter().filter_map(|path| path.strip_prefix("docs/")) {
        // Schemas are linked as a folder, from the page about them.
        let is_schema = path.starts_with("schemas/");
        assert!(
            is_schema
                || linked.contains(&format!("{path})"))
                || path.starts_with("shots/") && pictured.contains(&format!("({path})")),
            "docs/{path} is linked from nowhere"
        );
    }
}

/// The rooms of the code map, each with the folder in which the files of its table lie.
const MAPPED: [(&str, &str); 12] = [
    ("engine/", "engine/src"),
    ("store/", "store/src"),
    ("store/postgres/", "store/postgres/src"),
    ("projections/", "projections/src"),
    ("pairing/", "pairing/src"),
    ("formats/", "formats/src"),
    ("replay/", "replay/src"),
    ("desk/", "desk/src"),
    ("server/", "server/src"),
    ("cli/", "cli"),
    ("replay/page/", "replay/page"),
    ("power/", "power/src"),
];

#[test]
fn the_architecture_names_every_file_and_folder_of_every_room() {
    let document = read("docs/ARCHITECTURE.md");
    for (room, folder) in MAPPED {
        let heading = format!("### `{room}`");
        let section = document.split_once(&heading).unwrap_or_else(|| panic!("no {heading}")).1;
        let section = section.split("\n### ").next().unwrap_or("");
        // The first cell of each row names files, the second one says what they are for.
        let cells = section.lines().filter_map(|line| line.strip_prefix("| `")?.split('|').next());
        let named: BTreeSet<String> = cells
            .flat_map(|cell| cell.split(','))
            .map(|name| name.trim().trim_matches('`').trim_end_matches('/').to_owned())
            .collect();
        let there: BTreeSet<String> = fs::read_dir(root().join(folder))
            .expect("a folder")
            .map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned())
            .collect();
        let missing: Vec<_> = there.difference(&named).collect();
        let gone: Vec<_> = named.difference(&there).collect();
        let what = format!("docs/ARCHITECTURE.md, the table of {room}");
        assert!(missing.is_empty(), "{what} does not name {missing:?} of {folder}: add them");
        assert!(
            gone.is_empty(),
            "{what} names {gone:?}, which {folder} does not hold: take them out"
        );
    }
}

#[test]
fn every_path_that_the_guide_for_contributors_names_is_there() {
    let guide = read("CONTRIBUTING.md");
    let marked = guide.split('`').skip(1).step_by(2);
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    for path in marked.filter(|code| code.contains('/') && code.chars().all(plain)) {
        assert!(root().join(path).exists(), "CONTRIBUTING.md names {path}, which is not there");
    }
}

#[test]
fn every_link_of_a_document_leads_somewhere() {
    let documents = committed().into_iter().filter(|path| path.ends_with(".md"));
    for document in documents {
        let folder = Path::new(&document).parent().expect("a folder").to_path_buf();
        for link in links(&read(&document)) {
            let path = link.split('#').next().unwrap_or("");
            let is_outside = link.contains("://") || path.is_empty();
            let there = root().join(&folder).join(path).exists();
            assert!(is_outside || there, "{document} links to {link}, which is not there");
        }
    }
}

/// Where `[words](place)` leads to, outside of code.
fn links(text: &str) -> Vec<String> {
    let mut in_code = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.starts_with("```") {
            in_code = !in_code;
        }
        for part in line.split("](").skip(1).filter(|_| !in_code) {
            found.extend(part.split_once(')').map(|(link, _)| link.to_owned()));
        }
    }
    found
}

/// The files under version control; none where this is no clone.
fn committed() -> Vec<String> {
    let asked = Command::new("git").arg("ls-files").current_dir(root()).output();
    let Some(listed) = asked.ok().filter(|asked| asked.status.success()) else {
        eprintln!("skipped: this is no git clone");
        return Vec::new();
    };
    let listed = String::from_utf8(listed.stdout).expect("names are UTF-8");
    listed.lines().filter(|path| root().join(path).is_file()).map(str::to_owned).collect()
}

#[test]
fn nothing_points_out_of_the_repository() {
    // Put together here, so that this file does not hold them either.
    let outside = [["..", "shared"].join("/"), ["/.", "library"].concat()];
    for path in committed().iter().filter(|path| *path != ".ci/run") {
        let Ok(text) = fs::read_to_string(root().join(path)) else { continue };
        for place in &outside {
            assert!(!text.contains(place), "{path} mentions {place}");
        }
    }
}

/// People say how others speak of them; here a player, a judge, an organizer is *they*.
#[test]
fn a_player_is_they() {
    let words = ["he", "his", "him", "himself"];
    let mut found = Vec::new();
    for path in committed() {
        let is_code = path.ends_with(".rs") && path != "tests/it/workspace.rs";
        if !(is_code || path.ends_with(".md")) {
            continue;
        }
        let text = read(&path);
        for (number, line) in (1..).zip(text.lines()) {
            let said =
                if is_code { line.split_once("//").map_or("", |(_, said)| said) } else { line };
            let spoken = said.split(|c: char| !c.is_alphabetic());
            if spoken.map(str::to_lowercase).any(|word| words.contains(&word.as_str())) {
                found.push(format!("{path}:{number}: {line}"));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// What is played is a tournament, a round is paired, and what is private are texts: words that the
/// program once had for them stay away from what people read and type.
#[test]
fn the_program_says_tournament_and_pairing() {
    let gone = [
        "--event",
        "private book",
        "archive",
        "film",
        "drawn anew",
        "unknown-event",
        "which-event",
        "other-event",
        "draw-differs",
    ];
    let rooms = ["cli/", "desk/src/", "replay/src/", "store/src/", "engine/src/", "replay/page/"];
    let mut found = Vec::new();
    for path in committed() {
        let is_code = path.ends_with(".rs") || path.ends_with(".js");
        if !is_code || path.contains("vendor") || !rooms.iter().any(|room| path.starts_with(room)) {
            continue;
        }
        for (number, line) in (1..).zip(read(&path).lines()) {
            let shown = line.trim_start();
            let help = path.starts_with("cli/args") && shown.starts_with("///");
            let is_shown = help || line.contains(['"', '`', '\'']) && !shown.starts_with("//");
            // The label of a stream of invented dice is never shown.
            let is_dice = line.contains("Dice::new(");
            if is_shown && !is_dice && gone.iter().any(|word| line.contains(word)) {
                found.push(format!("{path}:{number}: {line}"));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

fn assert_unique(what: &str, codes: &[String]) {
    assert!(codes.len() > 4, "{what}: {codes:?}");
    let different: BTreeSet<&String> = codes.iter().collect();
    assert_eq!(different.len(), codes.len(), "{what}: {codes:?}");
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    assert!(codes.iter().all(|code| code.chars().all(plain)), "{what}: {codes:?}");
}

#[test]
fn codes_are_unique_and_those_of_imports_are_documented() {
    use scrutineer_desk::store::StoreError;
    use scrutineer_engine::{error::Code, rejection::Rejection};
    use scrutineer_formats::Fault;
    let document = read("docs/IMPORT.md");
    for code in Fault::CODES {
        assert!(document.contains(&format!("| `{code}` |")), "docs/IMPORT.md lacks {code}");
    }
    let words = |codes: &[Code]| codes.iter().map(|code| code.word.to_string()).collect::<Vec<_>>();
    assert_unique("rejections", &words(Rejection::CODES));
    let mut imports = words(Fault::CODES);
    imports.dedup();
    assert_unique("imports", &imports);
    assert_unique("store", &words(StoreError::CODES));
}

/// The page is written from the documents alone, and has a list of its own.
#[test]
fn the_page_knows_the_methods_of_pairing() {
    let page = read("replay/page/bundle.js");
    let list = page.split_once("const METHODS = [").expect("the list").1.split(']').next();
    let known: Vec<&str> = list.expect("its end").split('\'').skip(1).step_by(2).collect();
    assert_eq!(known, scrutineer_pairing::METHODS.map(|(method, _)| method));
}

#[test]
fn every_shipped_ruleset_is_documented() {
    let document = read("docs/RULESETS.md");
    for id in scrutineer_projections::ruleset::Library::shipped().ids() {
        assert!(document.contains(&format!("`{id}`")), "docs/RULESETS.md lacks {id}");
    }
}

/// The readme said 18 when there were 24.
#[test]
fn the_readme_counts_the_formats_that_are_listed() {
    let list = read("docs/FORMATS.md");
    let rows = list.lines().skip_while(|line| !line.starts_with("| format |")).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|')).count();
    assert_eq!(rows, scrutineer_formats::ALL.len());
    assert!(read("README.md").contains(&format!("FORMATS.md) lists {rows} formats")));
}

/// The lines that begin with `$ ` in a document's console blocks.
fn console_commands(document: &str) -> Vec<String> {
    let blocks = document.split("```console\n").skip(1);
    let lines = blocks.flat_map(|block| block.split("```").next().unwrap_or("").lines());
    lines.filter_map(|line| line.strip_prefix("$ ")).map(str::to_owned).collect()
}

#[test]
fn the_commands_of_the_readme_work_one_after_another() {
    let desk = desk::Desk::new();
    let event = fs::read(desk::bundled()).expect("the bundled event");
    desk.write("my-tournament.csv", &event);
    let readme = read("README.md");
    let league = readme.split("```toml\n").nth(1).and_then(|text| text.split("```").next());
    desk.write("autumn-league.toml", league.expect("a ruleset in the README").as_bytes());
    let mut run = 0;
    for command in console_commands(&readme) {
        let command = command.replace("cargo run --release -- ", "scrutineer ");
        let words = script::words(&command);
        // The tests do not run themselves.
        if words[0] != "scrutineer" {
            continue;
        }
        let words: Vec<&str> = words[1..].iter().map(String::as_str).collect();
        let said = desk.run(&words);
        assert_eq!(said.code, 0, "{command}: {}", said.all());
        run += 1;
    }
    assert!(run >= 5, "the README shows how to use it");
    for words in [
        &["rules", "check", "autumn-league.toml"][..],
        &["standings", "--rules", "autumn-league.toml"],
    ] {
        let said = desk.run(words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
    }
}

/// The CSV files that docs/IMPORT.md shows are good ones.
#[test]
fn the_examples_of_the_import_handbook_import() {
    let document = read("docs/IMPORT.md");
    let blocks = document.split("```csv\n").skip(1).filter_map(|text| text.split("```").next());
    for (number, block) in blocks.enumerate() {
        let desk = desk::Desk::new();
        let name = format!("example-{number}.csv");
        desk.write(&name, block.as_bytes());
        let said = desk.run(&["import", &name]);
        assert_eq!(said.code, 0, "{block}\n{}", said.all());
        assert_eq!(desk.run(&["standings"]).code, 0, "{block}");
    }
    let rulesets = read("docs/RULESETS.md");
    let whole = |block: &&str| block.contains("name =") && block.contains("order =");
    let blocks = rulesets.split("```toml\n").skip(1).filter_map(|text| text.split("```").next());
    for block in blocks.filter(whole) {
        let desk = desk::Desk::new();
        desk.write("example.toml", block.as_bytes());
        let said = desk.run(&["rules", "check", "example.toml"]);
        assert_eq!(said.code, 0, "{block}\n{}", said.all());
    }
}

#[test]
fn no_file_of_the_command_is_longer_than_people_read() {
    let files = committed().into_iter().filter(|path| path.starts_with("cli/"));
    for path in files.filter(|path| path.ends_with(".rs")) {
        let lines = read(&path).lines().count();
        assert!(lines <= 500, "{path} has {lines} lines");
    }
}
