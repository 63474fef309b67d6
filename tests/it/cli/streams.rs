//! What goes where: answers on standard output, talk on standard error, exit codes, colours,
//! pipes that close early, and two processes at one store.

use super::desk::{Desk, Said};
use serde_json::Value;
use std::io::Read;
use std::process::Stdio;

fn with_event() -> Desk {
    let desk = Desk::new();
    let said = desk.run(&["import", "autumn-open.csv"]);
    assert_eq!(said.code, 0, "{}", said.all());
    desk
}

#[test]
fn an_import_line_of_json_has_exactly_these_keys_in_any_case() {
    let desk = Desk::new();
    desk.write("bad.csv", b"round,player_a,player_b\n1,Ann,Ann\n");
    let said = desk.run(&["--json", "import", "autumn-open.csv", "bad.csv", "missing.csv"]);
    assert_eq!((said.code, said.err.as_str()), (2, ""));
    assert_eq!(said.out.lines().count(), 3, "a line for each file: {}", said.all());
    for line in said.out.lines() {
        let value: Value = serde_json::from_str(line).expect("JSON");
        let mut keys: Vec<&str> =
            value.as_object().expect("an object").keys().map(|k| &k[..]).collect();
        keys.sort();
        let expected = [
            "error",
            "event",
            "file",
            "matched",
            "mismatched",
            "oddities",
            "places",
            "players",
            "rows",
            "rules",
            "same_places",
            "stale",
            "unmatched",
        ];
        assert_eq!(keys, expected);
    }
}

#[test]
fn every_answer_in_json_is_json() {
    let desk = with_event();
    for words in [
        &["standings"][..],
        &["explain", "Kowalski"],
        &["explain", "Haddad", "--rules", "yugioh"],
        &["compare", "carde"],
        &["events"],
        &["log"],
        &["show", "1"],
        &["verify"],
        &["rules", "list"],
        &["rules", "show", "hgbts"],
        &["demo"],
    ] {
        let mut with_json = vec!["--json"];
        with_json.extend(words);
        let said = desk.run(&with_json);
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
        for line in said.out.lines().filter(|line| !line.is_empty()) {
            assert!(serde_json::from_str::<Value>(line).is_ok(), "{words:?}: {line}");
        }
    }
}

#[test]
fn a_row_of_json_has_every_measure_exactly_and_the_table_says_what_it_came_from() {
    let said = with_event().run(&["standings", "--json"]);
    let table: Value = serde_json::from_str(&said.out).expect("JSON");
    for key in ["log_head", "ruleset", "program", "rows"] {
        assert!(!table[key].is_null(), "{key}");
    }
    let kowalski = &table["rows"][8];
    assert_eq!(kowalski["player"], "Kowalski");
    assert_eq!(kowalski["rank"], 9);
    assert_eq!(kowalski["record"]["wins"], 2);
    let omw = &kowalski["measures"]["omw"];
    assert_eq!(
        (&omw["num"], &omw["den"], &omw["text"]),
        (&123.into(), &250.into(), &"49.2000%".into())
    );
}

#[test]
fn usage_is_explained_on_standard_error_with_code_2() {
    let desk = Desk::new();
    for words in [&[][..], &["standing"], &["standings", "--trough", "3"], &["import"]] {
        let said = desk.run(words);
        assert_eq!(said.code, 2, "{words:?}: {}", said.all());
        assert!(said.out.is_empty() && !said.err.is_empty(), "{words:?}: {}", said.all());
    }
    for words in [&["--help"][..], &["--version"], &["explain", "--help"]] {
        let said = desk.run(words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
        assert!(said.err.is_empty() && !said.out.is_empty(), "{words:?}: {}", said.all());
    }
    let said = desk.run(&["standing"]);
    assert!(said.err.contains("standings"), "a verb that is close is named: {}", said.all());
}

#[test]
fn nothing_is_coloured_in_a_pipe_or_where_nobody_wants_it() {
    let desk = with_event();
    for (name, value) in [("TERM", "xterm-256color"), ("NO_COLOR", "1"), ("CLICOLOR", "1")] {
        for words in [&["standings"][..], &["explain", "Nobody"], &["demo"], &["--help"]] {
            let said = Said::of(desk.command(words).env(name, value).output().expect("it runs"));
            assert!(!said.all().contains('\u{1b}'), "{name} {words:?}: {}", said.all());
        }
    }
}

#[test]
fn a_reader_who_has_seen_enough_is_no_failure() {
    let desk = with_event();
    for words in [&["show", "1"][..], &["log"], &["rules", "show", "mtr"]] {
        let mut command = desk.command(words);
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut first = [0; 1];
        let mut out = child.stdout.take().expect("piped");
        out.read_exact(&mut first).expect("it says something");
        drop(out);
        let said = Said::of(child.wait_with_output().expect("it ends"));
        assert_eq!((said.code, said.err.as_str()), (0, ""), "{words:?}");
    }
}

#[test]
fn a_reader_who_is_gone_from_the_start_is_no_failure() {
    let desk = with_event();
    let mut child = desk
        .command(&["demo"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    drop(child.stdout.take());
    let said = Said::of(child.wait_with_output().expect("it ends"));
    assert_eq!((said.code, said.err.as_str()), (0, ""));
}

/// Somebody has the store open to write and is in the middle of a frame.
#[test]
fn who_reads_waits_for_nobody_who_writes() {
    let desk = with_event();
    let said = desk.run(&["note", "a bag was found"]);
    assert_eq!(said.code, 0, "{}", said.all());
    let verbs: &[&[&str]] = &[
        &["standings"],
        &["explain", "Kowalski"],
        &["what-if", "drop Kowalski"],
        &["compare", "carde"],
        &["replay"],
        &["trace", "Kowalski"],
        &["log"],
        &["show", "1"],
        &["verify"],
        &["events"],
        &["players"],
        &["pairings"],
        &["disputes"],
        &["draw", "--verify"],
        &["snapshots"],
    ];
    let free: Vec<Said> = verbs.iter().map(|verb| desk.run(verb)).collect();
    let held = scrutineer_replay::archive::Archive::open(&desk.path("store")).expect("it opens");
    let journal = desk.path("store/journal/00000001.seg");
    let mut bytes = std::fs::read(&journal).expect("a journal");
    let frame = bytes.windows(4).rposition(|four| four == b"SCRF").expect("a frame");
    let torn = bytes[frame..frame + 30].to_vec();
    bytes.extend(torn);
    std::fs::write(&journal, bytes).expect("written");
    for (verb, free) in verbs.iter().zip(free) {
        let said = desk.run(verb);
        // How long it took is another each time.
        let told = |said: &Said| said.out.split("(scrutineer").next().map(str::to_string);
        let (here, there) = ((said.code, told(&said)), (free.code, told(&free)));
        assert_eq!(here, there, "{verb:?}: {}", said.all());
    }
    drop(held);
}

#[test]
fn a_store_that_another_process_has_open_is_said_to_be_in_use() {
    let desk = with_event();
    let store = desk.path("store");
    let held = scrutineer_replay::archive::Archive::open(&store).expect("it opens");
    let said = desk.run(&["note", "a bag was found"]);
    assert_eq!(said.code, 2, "{}", said.all());
    assert!(said.err.contains("[store-not-opened]"), "{}", said.all());
    assert!(said.err.contains("another"), "who has it is said in words: {}", said.all());
    assert!(!said.err.contains("WouldBlock"), "{}", said.all());
    drop(held);
    assert_eq!(desk.run(&["standings"]).code, 0);
}

#[test]
fn a_dry_run_writes_nothing_and_the_store_of_a_question_is_not_made() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["import", "--dry-run", "autumn-open.csv"]).code, 0);
    assert_eq!(desk.run(&["demo"]).code, 0);
    assert_eq!(desk.run(&["events"]).code, 2);
    assert_eq!(desk.run(&["verify"]).code, 2);
    assert!(!desk.path("store").exists());
}

#[test]
fn a_file_twice_changes_no_byte_of_the_store() {
    let desk = with_event();
    let before = desk.kept();
    assert_eq!(desk.run(&["import", "autumn-open.csv"]).code, 0);
    assert_eq!(desk.kept(), before);
}

#[test]
fn an_event_of_three_hundred_players_stands_in_columns() {
    let desk = Desk::new();
    let mut text = String::from("# rules: mtr\nround,player_a,player_b,games_a,games_b\n");
    for pair in 0..150 {
        text.push_str(&format!(
            "1,Player {:03},Player {:03},2,{}\n",
            2 * pair,
            2 * pair + 1,
            pair % 2
        ));
    }
    desk.write("many.csv", text.as_bytes());
    assert_eq!(desk.run(&["import", "many.csv"]).code, 0);
    let said = desk.run(&["standings"]);
    let rows: Vec<&str> = said.out.lines().filter(|line| line.contains("Player ")).collect();
    assert_eq!(rows.len(), 300);
    let column = rows[0].find("Player").expect("a name");
    assert!(rows.iter().all(|row| row.find("Player") == Some(column)), "{}", said.out);
}

#[test]
fn a_name_that_was_changed_in_the_private_book_is_found() {
    let desk = with_event();
    let books = desk.path("store").join("books");
    let book = std::fs::read_dir(books).expect("books").next().expect("a book").expect("it").path();
    let text = std::fs::read_to_string(&book).expect("a text");
    assert!(text.contains("Kowalski"));
    std::fs::write(&book, text.replace("Kowalski", "Kowalska")).expect("it can be written");
    let said = desk.run(&["verify"]);
    assert_eq!(said.code, 1, "{}", said.all());
    assert!(said.out.contains("[book-altered]"), "{}", said.all());
}
