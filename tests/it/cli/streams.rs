//! What goes where: answers on standard output, talk on standard error, exit codes, colours,
//! pipes that close early, and two processes at one store.

use super::desk::{Desk, Said};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
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
            "file",
            "format",
            "matched",
            "matches",
            "mismatched",
            "oddities",
            "places",
            "players",
            "renewed",
            "rounds",
            "rows",
            "rules",
            "same_places",
            "stale",
            "tournament",
            "unknown",
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
        &["tournaments"],
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
    assert_eq!(kowalski["player"]["name"], "Kowalski");
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
    for words in [&["standing"][..], &["standings", "--trough", "3"], &["import"]] {
        let said = desk.run(words);
        assert_eq!(said.code, 2, "{words:?}: {}", said.all());
        assert!(said.out.is_empty() && !said.err.is_empty(), "{words:?}: {}", said.all());
    }
    for words in [&[][..], &["--help"], &["--version"], &["explain", "--help"]] {
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

/// What each verb types that records nothing. Files that it writes have names of their own.
const READS: &[(&str, &[&[&str]])] = &[
    ("players", &[&["players"]]),
    ("pairings", &[&["pairings"], &["pairings", "--through", "1"]]),
    ("dispute", &[&["dispute", "file", "1"]]),
    ("disputes", &[&["disputes"]]),
    ("import", &[&["import", "--dry-run", "autumn-open.csv"]]),
    ("tournaments", &[&["tournaments"]]),
    ("standings", &[&["standings"]]),
    ("explain", &[&["explain", "Kowalski"]]),
    ("reach", &[&["reach"], &["reach", "Kowalski"]]),
    ("what-if", &[&["what-if", "drop Kowalski"]]),
    ("compare", &[&["compare", "carde"]]),
    (
        "rebuild",
        &[
            &["rebuild", "--rules", "carde"],
            &["rebuild", "--rules", "carde", "--players", "--format", "csv"],
            &["rebuild", "--rules", "carde", "--output", "moves.csv", "--force"],
        ],
    ),
    ("forget", &[&["forget", "Kowalski", "--dry-run"]]),
    ("rules", &[&["rules", "list"], &["rules", "show", "mtr"]]),
    ("replay", &[&["replay"]]),
    ("trace", &[&["trace", "Kowalski"]]),
    ("log", &[&["log"]]),
    ("show", &[&["show", "1"]]),
    ("review", &[&["review"], &["review", "--verify"]]),
    ("verify", &[&["verify"]]),
    (
        "export",
        &[
            &["export", "--output", "all.bundle", "--roster", "--force"],
            &["export", "--output", "hand.bundle", "--handover", "--force"],
            &["export", "--output", "page.html", "--html", "--force"],
            &["export", "--csv", "sheets", "--force"],
        ],
    ),
    ("bundle", &[&["bundle", "verify", "before.bundle"]]),
    ("diff", &[&["diff", "before.bundle"]]),
    ("adopt", &[&["adopt", "before.bundle", "--dry-run"]]),
    ("snapshots", &[&["snapshots"], &["snapshots", "--check"]]),
    ("checkpoint", &[&["checkpoint"], &["checkpoint", "--extends", "held.txt"]]),
    ("keys", &[&["keys", "show"]]),
    ("prove", &[&["prove", "Kowalski"], &["prove", "1", "--output", "slip", "--force"]]),
    ("check-receipt", &[&["check-receipt", "receipt"]]),
    ("check-pairing", &[&["check-pairing"]]),
    ("explain-pairing", &[&["explain-pairing", "1"]]),
];

/// Verbs that record something whatever is typed behind them. `demo` opens no store, and `backup`,
/// which waits for nobody either, never takes a name twice.
const RECORDS: &[&str] = &[
    "enroll-store",
    "new",
    "follow",
    "publish-to",
    "enroll",
    "check-in",
    "pair",
    "publish",
    "result",
    "claim",
    "note-score",
    "correct",
    "rename",
    "set-division",
    "keep-table",
    "tables",
    "describe",
    "bye",
    "drop",
    "reinstate",
    "disqualify",
    "late",
    "penalty",
    "repair",
    "set-pairing",
    "cut",
    "advance",
    "amend-rules",
    "name-staff",
    "note",
    "undo",
    "withdraw",
    "lots",
    "reseed",
    "announce",
    "close",
    "backup",
    "demo",
    "restore",
    "serve",
    "simulate",
    "store",
];

/// Slips are entered at another desk all the while.
#[test]
fn who_reads_waits_for_nobody_who_writes() {
    let desk = Desk::new();
    // By a clock that stands still while nothing is recorded.
    let command = |words: &[&str]| {
        let mut command = desk.command(words);
        command.env("SCRUTINEER_REHEARSE", "friday");
        command
    };
    let run = |words: &[&str]| Said::of(command(words).output().expect("it runs"));
    let said = |words: &[&str]| {
        let said = run(words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
        said
    };
    let known = said(&["--help"]).out;
    let verbs = known.lines().take_while(|line| !line.starts_with("Options:"));
    for verb in verbs.filter_map(|line| line.strip_prefix("  ")?.split(' ').next()) {
        let is_known = READS.iter().any(|(known, _)| *known == verb) || RECORDS.contains(&verb);
        assert!(is_known || verb.is_empty() || verb == "help", "does {verb} only read?");
    }
    said(&["new", "Friday", "--rules", "mtr"]);
    said(&["enroll", "Kowalski", "Haddad", "Nilsson", "Okafor", "Rossi", "Silva"]);
    for round in ["1", "2"] {
        said(&["pair"]);
        said(&["publish"]);
        for table in ["1", "2", "3"].iter().filter(|table| round == "1" || **table == "1") {
            said(&["result", table, "2-0"]);
        }
    }
    said(&["dispute", "open", "1", "--claim", "it was 2-1"]);
    said(&["checkpoint", "--output", "held.txt"]);
    said(&["export", "--output", "before.bundle", "--handover"]);
    said(&["prove", "Kowalski", "--output", "receipt"]);

    let verbs: Vec<&[&str]> = READS.iter().flat_map(|(_, verbs)| verbs.iter().copied()).collect();
    // How long it took, and what left the store until now, are others each time.
    let told = |said: &Said| {
        let ends = ["(scrutineer", "out of reach"].iter().filter_map(|end| said.out.find(end));
        said.out[..ends.min().unwrap_or(said.out.len())].to_string()
    };
    let free: Vec<Said> = verbs.iter().map(|verb| run(verb)).collect();
    let mut session = command(&["result", "-"]);
    let mut session =
        session.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut slips = session.stdin.take().expect("piped");
    let mut answers = BufReader::new(session.stdout.take().expect("piped"));
    let mut answer = String::new();
    // It is refused, so that all stays as it was, and the store is open now.
    slips.write_all(b"99 2-0\n").expect("it listens");
    answers.read_line(&mut answer).expect("it answers");
    for (verb, free) in verbs.iter().zip(free) {
        let said = run(verb);
        let (here, there) = ((said.code, told(&said)), (free.code, told(&free)));
        assert_eq!(here, there, "{verb:?}: {}", said.all());
        assert!(!said.err.contains("in-use") && said.code == 0, "{verb:?}: {}", said.all());
    }
    slips.write_all(b"2 2-1\n").expect("it listens");
    while !answer.contains("2-1") {
        assert_ne!(answers.read_line(&mut answer).expect("it answers"), 0, "{answer}");
    }
    // What is answered is there: to be seen, to be signed and to be given away.
    let seen = said(&["pairings", "--json"]).out;
    assert!(seen.contains("2-1"), "{seen}");
    said(&["prove", "2", "--output", "of-table-2"]);
    said(&["checkpoint", "--output", "newest"]);
    said(&["check-receipt", "of-table-2", "--checkpoint", "newest"]);
    slips.write_all(b"3 2-1\n").expect("it listens");
    drop(slips);
    assert_eq!(session.wait().expect("it ends").code(), Some(1), "a slip was refused");
    let verified = said(&["verify", "--known", "newest"]).out;
    assert!(!verified.contains("error"), "{verified}");
    let exports = std::fs::read_to_string(desk.path("store/exports")).expect("a list");
    // Before and beside the session.
    assert_eq!(exports.lines().filter(|line| line.contains("rebuild")).count(), 4, "{exports}");
    assert_eq!(exports.lines().filter(|line| line.contains("handover")).count(), 3, "{exports}");
}

/// Somebody has the store open to write and is in the middle of a frame.
#[test]
fn half_a_write_is_not_read() {
    let desk = with_event();
    assert_eq!(desk.run(&["note", "a bag was found"]).code, 0);
    let before = desk.run(&["log"]);
    let held = scrutineer_desk::store::Store::open(&desk.path("store")).expect("it opens");
    let journal = desk.path("store/journal/00000001.seg");
    let mut bytes = std::fs::read(&journal).expect("a journal");
    let frame = bytes.windows(4).rposition(|four| four == b"SCRF").expect("a frame");
    let torn = bytes[frame..frame + 30].to_vec();
    bytes.extend(torn);
    std::fs::write(&journal, bytes).expect("written");
    let said = desk.run(&["log"]);
    assert_eq!((said.code, said.out), (0, before.out));
    drop(held);
}

/// A reader takes as long as they like: here they are handed their ruleset late.
#[test]
#[cfg(unix)]
fn who_writes_waits_for_nobody_who_reads() {
    let desk = with_event();
    let pipe = desk.path("house.toml");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("it runs");
    assert!(made.success());
    let mut reader = desk.command(&["standings", "--rules", "house.toml"]);
    let reader = reader.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    // Opening it waits until the reader has come so far.
    let mut rules = std::fs::File::options().write(true).open(&pipe).expect("somebody reads");
    let said = desk.run(&["note", "a bag was found"]);
    assert_eq!(said.code, 0, "{}", said.all());
    rules
        .write_all(b"extends = \"mtr\"\nname = \"house\"\nedition = \"1\"\nsource = \"-\"\n")
        .expect("somebody reads");
    drop(rules);
    let said = Said::of(reader.wait_with_output().expect("it ends"));
    assert!(said.out.contains("house"), "{}", said.all());
}

#[test]
fn a_store_that_another_process_has_open_is_said_to_be_in_use() {
    let desk = with_event();
    let store = desk.path("store");
    let held = scrutineer_desk::store::Store::open(&store).expect("it opens");
    let said = desk.run(&["note", "a bag was found"]);
    assert_eq!(said.code, 2, "{}", said.all());
    assert!(said.err.contains("[store-not-opened]"), "{}", said.all());
    assert!(said.err.contains("another"), "who has it is said in words: {}", said.all());
    assert!(!said.err.contains("WouldBlock"), "{}", said.all());
    drop(held);
    assert_eq!(desk.run(&["standings"]).code, 0);
}

/// In a hall whose clocks are not those of UTC.
#[test]
fn a_time_that_is_printed_has_its_zone_and_can_be_typed_back() {
    let desk = Desk::new();
    let run = |words: &[&str]| {
        let mut command = desk.command(words);
        command.env("SCRUTINEER_REHEARSE", "friday").env("TZ", "America/New_York");
        let said = Said::of(command.output().expect("it runs"));
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
        said.out
    };
    run(&["new", "Friday", "--rules", "mtr"]);
    run(&["enroll", "Ann", "Bob"]);
    run(&["pair"]);
    run(&["result", "1", "2-0"]);
    run(&["dispute", "open", "1", "--claim", "it was 2-1"]);
    run(&["dispute", "rule", "1", "--denied", "--reason", "it was not"]);
    run(&["export", "--html", "--output", "page.html", "--roster"]);
    run(&["export", "--csv", "sheets"]);
    run(&["export", "--handover", "--output", "desk.bundle"]);
    run(&["note", "a bag was found"]);
    let file = |name: &str| std::fs::read_to_string(desk.path(name)).expect("a file");
    let page = file("page.html");
    let mut printed = vec![
        page.split("<pre").next().unwrap_or_default().to_string(),
        file("sheets/matches.csv"),
        desk.run(&["diff", "desk.bundle"]).out,
    ];
    for words in [
        &["log"][..],
        &["show", "9"],
        &["replay", "--by", "event"],
        &["trace", "Ann"],
        &["explain", "Ann", "--as-of", "9"],
        &["standings", "--as-of", "9"],
        &["disputes"],
        &["dispute", "file", "1"],
        &["forget", "Ann", "--dry-run"],
    ] {
        printed.push(run(words));
        printed.push(run(&[&["--json"], words].concat()));
    }
    let day = "2026-01-01";
    let mut times = std::collections::BTreeSet::new();
    for text in &printed {
        for (at, _) in text.match_indices(day) {
            let rest = &text[at..];
            let ends = [rest.find(" UTC").map(|end| end + 4), rest.find('Z').map(|end| end + 1)];
            let end = ends.into_iter().flatten().filter(|end| *end <= 27).min();
            times.insert(&rest[..end.unwrap_or_else(|| panic!("without a zone: {text}"))]);
        }
    }
    assert!(times.iter().any(|time| time.ends_with("UTC")), "{times:?}");
    let log = run(&["log"]);
    for time in times {
        let told = run(&["log", "--as-of", time]);
        let last = told.lines().last().expect("an event");
        // All of that second, and nothing of the next one.
        let second = time.replace('T', " ")[..19].to_string();
        let mut upto = log.lines().filter(|line| line.get(7..26).is_some_and(|t| *t <= second[..]));
        assert_eq!(Some(last), upto.next_back(), "{time}\n{told}\n{log}");
    }
}

#[test]
fn a_dry_run_writes_nothing_and_the_store_of_a_question_is_not_made() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["import", "--dry-run", "autumn-open.csv"]).code, 0);
    assert_eq!(desk.run(&["demo"]).code, 0);
    assert_eq!(desk.run(&["tournaments"]).code, 2);
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
