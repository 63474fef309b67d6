//! Pairing programs of somebody else: what they are given, what is taken of them, and what is said of it
//! afterwards. Most are a script that plays an engine, well or badly; `SCRUTINEER_BBP` names the real one.

use crate::cli::desk::{Desk, Said};
use crate::tampered::chained_anew;
use scrutineer_desk::store::Store;
use scrutineer_engine::event::{DrawUsed, EnginePaired, Event};
use scrutineer_engine::handler::event_of;
use scrutineer_engine::record::{Header, Record};
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::ruleset::parse;
use scrutineer_replay::by_engine::EngineRound;
use scrutineer_replay::verify::{Beside, Severity, Walk};
use std::fs;

/// An engine as a script: its first word says how it fails.
const SCRIPT: &str = r#"
mode=$1
case $mode in
  crash) echo 'out of luck' >&2; exit 3 ;;
  silent) sleep 600 ;;
  nothing) exit 0 ;;
  huge) head -c 200000 /dev/zero | tr '\0' '1' > "$3"; sleep 600 ;;
  chatty) head -c 3000000 /dev/zero | tr '\0' '1'; sleep 600 ;;
  bytes) printf '1\n\377 2\n' > "$3"; exit 0 ;;
esac
awk -v mode="$mode" '
  /^001/ {
    n = substr($0, 5, 4) + 0; last = n; played[n] = int((length($0) - 89) / 10)
    if (least == "" || played[n] < least) least = played[n]
  }
  END {
    for (n = 1; n <= last; n++) if (mode == "absent" || played[n] == least) here[++k] = n
    half = int(k / 2)
    for (i = 1; i <= half; i++) {
      one = 2 * i - 1; other = 2 * i
      if (least == 0) { one = i; other = i + half }
      line[++m] = here[one] " " here[other]
      if (mode == "liar" && i == 1) line[m] = here[other] " " here[one]
    }
    if (k % 2) line[++m] = here[k] " 0"
    if (mode == "twice") line[2] = line[1]
    if (mode == "missing") m--
    if (mode == "unknown") line[m] = "77 78"
    if (mode == "byes") { split(line[m], two, " "); line[m] = two[1] " 0"; line[++m] = two[2] " 0" }
    if (mode == "garbage") { print "Segmentation fault"; exit }
    print mode == "count" ? m + 1 : m
    for (i = 1; i <= m; i++) print line[i]
  }' "$2" > "$3"
"#;

/// A tournament of six in chess, and the script.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("engine.sh", SCRIPT.as_bytes());
    let players: String =
        (1..=6).map(|n| format!("P{n} Player,{},{}\n", 2100 - 100 * n, u8::from(n == 6))).collect();
    desk.write("players.csv", format!("name,rating,byes\n{players}").as_bytes());
    run(&desk, &["new", "Open", "--rules", "fide-buchholz-2024", "--phase", "swiss:3"]);
    run(&desk, &["enroll", "--csv", "players.csv"]);
    desk
}

fn run(desk: &Desk, words: &[&str]) -> Said {
    let said = ask(desk, words);
    assert_eq!(said.code, 0, "{words:?}: {}", said.all());
    said
}

/// As a person runs it, who has programs on their path.
fn ask(desk: &Desk, words: &[&str]) -> Said {
    let mut command = desk.command(words);
    command.env("PATH", "/usr/bin:/bin");
    Said::of(command.output().expect("it runs"))
}

fn engine(mode: &str) -> String {
    format!("/bin/sh engine.sh {mode} {{input}} {{output}}")
}

fn pair(desk: &Desk, mode: &str, more: &[&str]) -> Said {
    ask(desk, &[&["pair", "--engine", &engine(mode)], more].concat())
}

/// A round is paired by the script, and played: white wins.
fn play(desk: &Desk, mode: &str, tables: usize) {
    let said = pair(desk, mode, &[]);
    assert_eq!(said.code, 0, "{}", said.all());
    for table in 1..=tables {
        run(desk, &["result", &table.to_string(), "1-0"]);
    }
}

/// As `verify` says it.
const NOT_ASKED: &str = "1 round paired by engine of unknown version stands as it answered to what the log says; it \
                         was not asked again: `scrutineer verify --engine <command>`";

#[cfg(unix)]
#[test]
fn a_round_that_an_engine_paired_says_so_everywhere_and_is_verified() {
    let desk = desk();
    let said = pair(&desk, "good", &["--engine-folder", "asked"]);
    assert_eq!(said.code, 0, "{}", said.all());
    assert!(said.out.contains("paired by engine of unknown version, with seed 2"), "{}", said.out);
    let given = fs::read_to_string(desk.path("asked/question.trf")).expect("what it was given");
    // Everybody by rating; who brings a bye sits out, and no name goes out.
    let players: Vec<&str> = given.lines().filter(|line| line.starts_with("001")).collect();
    assert_eq!(players.len(), 6);
    assert!(players[0].ends_with("  0.0    1") && players[0].contains("Player 1 "), "{given}");
    assert!(players[5].ends_with("  1.0    6  0000 - F"), "{given}");
    assert!(!given.contains("P1") && given.contains("\nXXR 3\n"), "{given}");
    assert_eq!(
        fs::read_to_string(desk.path("asked/answer.txt")).expect("its answer"),
        "3\n1 3\n2 4\n5 0\n"
    );
    for (words, expected) in [
        (&["pairings"][..], "paired by engine of unknown version"),
        (&["explain-pairing", "1"], "engine of unknown version paired the round"),
        (&["check-pairing"], "not asked again"),
        (&["check-pairing"], NOT_ASKED),
        (&["check-pairing", "--round", "1"], NOT_ASKED),
        (&["--json", "check-pairing"], "\"holds\":null"),
        (&["--json", "check-pairing"], "\"same\":null"),
        (&["log"], "started with engine.sh good {input} {output}"),
        (&["--json", "check-pairing"], "\"engine\":\"engine of unknown version\""),
        (&["verify"], "[engine-not-run]"),
        (&["verify", "--engine", &engine("good")], "1 round paired again by engine"),
        (&["verify", "--engine", "another {input} {output}"], "[engine-not-run]"),
    ] {
        let said = run(&desk, words);
        assert!(said.out.contains(expected), "{words:?}: {}", said.all());
    }
    // Nothing was paired again, so nothing is said to be the same.
    for words in [&["check-pairing"][..], &["check-pairing", "--round", "1"]] {
        let said = run(&desk, words);
        assert!(!said.out.contains("the same"), "{}", said.all());
    }
    for (mode, code) in [("liar", "[engine-other-version]"), ("crash", "[engine-no-answer]")] {
        let said = ask(&desk, &["verify", "--engine", &engine(mode)]);
        assert_eq!(said.code, 3, "{}", said.all());
        assert!(said.out.contains(code), "{}", said.all());
    }
    // A bundle carries it all, and names no program that anybody would run.
    run(&desk, &["export", "--output", "open.bundle"]);
    let said = run(&desk, &["bundle", "verify", "open.bundle"]);
    assert!(said.out.contains("[engine-not-run]"), "{}", said.all());
    run(&desk, &["--store", "elsewhere", "bundle", "import", "open.bundle", "--unsigned"]);
    let there = run(&desk, &["--store", "elsewhere", "verify", "--engine", &engine("good")]);
    assert!(there.out.contains("1 round paired again by engine"), "{}", there.all());
}

/// Who dropped sits out, who came late stands where their rating puts them, and a forfeit is one.
#[cfg(unix)]
#[test]
fn an_engine_is_told_who_is_gone_who_came_and_what_was_not_played() {
    let desk = desk();
    let said = pair(&desk, "good", &[]);
    assert_eq!(said.code, 0, "{}", said.all());
    run(&desk, &["result", "1", "1-0"]);
    run(&desk, &["result", "2", "w-l", "no-show"]);
    run(&desk, &["drop", "P1"]);
    run(&desk, &["late", "New Player", "--rating", "1950"]);
    let said = pair(&desk, "good", &["--engine-folder", "asked"]);
    assert_eq!(said.code, 0, "{}", said.all());
    let given = fs::read_to_string(desk.path("asked/question.trf")).expect("what it was given");
    let rounds: Vec<&str> =
        given.lines().filter(|line| line.starts_with("001")).map(|line| &line[80..]).collect();
    assert_eq!(
        rounds,
        [
            " 1.0    1     4 w 1  0000 - Z",
            " 0.0    2  0000 - Z",
            " 1.0    3     5 w +",
            " 0.0    4     1 b 0",
            " 0.0    5     3 b -",
            " 1.0    6  0000 - U",
            " 1.0    7  0000 - F",
        ]
    );
    let first = given.contains("\n152 W\nXXC white1\n") || given.contains("\n152 B\nXXC black1\n");
    assert!(first, "{given}");
    let said = run(&desk, &["verify", "--engine", &engine("good")]);
    assert!(said.out.contains("2 rounds paired again by engine"), "{}", said.all());
}

/// A game that both lost was played, and one that was put off is to be played: neither pair meets again. Rounds
/// of logs that did not say so are verified as they were put then.
#[cfg(unix)]
#[test]
fn who_both_lost_or_has_a_game_to_play_yet_does_not_meet_again() {
    let desk = desk();
    let said = pair(&desk, "good", &[]);
    assert_eq!(said.code, 0, "{}", said.all());
    run(&desk, &["result", "1", "l-l"]);
    run(&desk, &["result", "2", "postponed"]);
    for pairs in ["1 3\n2 5\n4 6", "2 4\n1 5\n3 6"] {
        desk.write("again.sh", format!("printf '3\n{pairs}\n'\n").as_bytes());
        let said = ask(&desk, &["pair", "--engine", "/bin/sh again.sh {input}"]);
        assert!(said.code == 1 && said.err.contains("[engine-rematch]"), "{}", said.all());
    }
    {
        let store = Store::open(&desk.path("store")).expect("a store");
        let stream = store.log().streams().expect("a list")[0];
        let records = store.log().read(stream, 0);
        let events: Vec<Event> =
            records.map(|record| event_of(&record.expect("readable")).expect("an event")).collect();
        let state = Tournament::of(events.iter());
        let rules = parse(state.ruleset().unwrap_or_default()).expect("rules");
        let of = |version: u16| {
            let (method, seed) = ("engine".to_owned(), [7; 32]);
            let used = DrawUsed { method, version, draw: 3, seed, dice: None };
            EngineRound::for_round(&state, &rules, &used).expect("a question")
        };
        let again = "3\n1 3\n2 4\n5 6\n";
        assert!(!of(1).input.contains("XXP") && of(1).read(again).is_ok());
        assert!(of(2).input.ends_with("XXP    1    3\nXXP    2    4\n"), "{}", of(2).input);
        assert!(of(2).read(again).is_err());
    }
    let said = pair(&desk, "good", &["--engine-folder", "asked"]);
    assert_eq!(said.code, 0, "{}", said.all());
    let given = fs::read_to_string(desk.path("asked/question.trf")).expect("what it was given");
    assert!(given.ends_with("XXP    1    3\nXXP    2    4\n"), "{given}");
    let said = run(&desk, &["verify", "--engine", &engine("good")]);
    assert!(said.out.contains("2 rounds paired again by engine"), "{}", said.all());
}

/// Of a tournament that two engines paired each is asked about its own rounds, and the others are told.
#[cfg(unix)]
#[test]
fn an_engine_that_is_asked_again_is_not_said_not_to_be_where_another_paired_too() {
    let desk = desk();
    desk.write("other.sh", SCRIPT.as_bytes());
    play(&desk, "good", 2);
    let said = ask(&desk, &["pair", "--engine", "/bin/sh other.sh good {input} {output}"]);
    assert_eq!(said.code, 0, "{}", said.all());
    let said = run(&desk, &["verify", "--engine", &engine("good")]);
    assert!(said.out.contains("1 round paired again by engine"), "{}", said.all());
    assert!(said.out.contains("1 round paired by other of unknown version"), "{}", said.all());
    assert!(!said.out.contains("paired by engine of unknown version stands"), "{}", said.all());
}

/// A federation checks the pairings with a report, which names the players as the engine was told of them.
#[cfg(unix)]
#[test]
fn a_report_has_the_numbers_and_the_first_color_that_the_engine_was_told() {
    let desk = Desk::new();
    desk.write("engine.sh", SCRIPT.as_bytes());
    desk.write("players.csv", b"name,rating\nA,1700\nB,2300\nC,1900\nD,2100\nE,1500\nF,2000\n");
    run(&desk, &["new", "Open", "--rules", "fide-swiss-2026", "--phase", "swiss:4"]);
    run(&desk, &["enroll", "--csv", "players.csv"]);
    play(&desk, "good", 3);
    run(&desk, &["late", "G", "--rating", "2050", "--byes"]);
    run(&desk, &["drop", "C"]);
    for format in ["trf", "trf26"] {
        run(&desk, &["export", "--format", format, "--output", format]);
    }
    let said = pair(&desk, "good", &["--engine-folder", "asked"]);
    assert_eq!(said.code, 0, "{}", said.all());
    let read = |name: &str| fs::read_to_string(desk.path(name)).expect("written");
    // All but names, which no engine is told, and ranks.
    let told = |text: &str| -> Vec<[String; 4]> {
        let lines = text.lines().filter(|line| line.starts_with("001"));
        let parts = [4..8, 48..52, 80..84, 89..usize::MAX];
        let part = |line: &str, at: &std::ops::Range<usize>| {
            line[at.start..at.end.min(line.len())].trim().to_string()
        };
        let mut all: Vec<[String; 4]> =
            lines.map(|line| parts.each_ref().map(|at| part(line, at))).collect();
        all.sort();
        all
    };
    let asked = read("asked/question.trf");
    let [programs, fide] = ["trf", "trf26"].map(read);
    assert_eq!(told(&programs), told(&asked), "{programs}\n{asked}");
    assert_eq!(told(&fide), told(&asked), "{fide}\n{asked}");
    let line = |text: &str, code: &str| {
        text.lines().find(|line| line.starts_with(code)).map(str::to_string)
    };
    assert!(line(&asked, "XXC").is_some(), "{asked}");
    assert_eq!(line(&programs, "XXC"), line(&asked, "XXC"));
    assert_eq!(line(&fide, "152"), line(&asked, "152"));
}

/// Who came late was the last in the report of the start, and a federation that paired again found other pairings.
#[cfg(unix)]
#[test]
fn a_report_of_the_start_changes_no_number_that_the_engine_was_told() {
    let desk = Desk::new();
    desk.write("engine.sh", SCRIPT.as_bytes());
    desk.write("players.csv", b"name,rating\nA,1700\nB,2300\nC,1900\nD,2100\nE,1500\nF,2000\n");
    run(&desk, &["new", "Open", "--rules", "fide-swiss-2026", "--phase", "swiss:4"]);
    run(&desk, &["enroll", "--csv", "players.csv"]);
    let export = |more: &[&str], name: &str| {
        let words = ["export", "--format", "trf", "--roster", "--output", name];
        let said = run(&desk, &[&words[..], more].concat());
        (fs::read_to_string(desk.path(name)).expect("written"), said.all())
    };
    export(&[], "start.trf");
    play(&desk, "good", 3);
    run(&desk, &["late", "G", "--rating", "2400", "--byes"]);
    let (fresh, _) = export(&[], "fresh.trf");
    let (into, told) = export(&["--into", "start.trf"], "into.trf");
    assert_eq!(into, fresh);
    assert!(told.contains("which are here as a pairing engine is told them: 6"), "{told}");
}

/// FIDE's C.04.2, 2.3: a rating that is put right moves the numbers until the fourth round is paired.
#[cfg(unix)]
#[test]
fn numbers_follow_a_rating_that_was_put_right_until_the_fourth_round_is_paired() {
    let desk = Desk::new();
    desk.write("engine.sh", SCRIPT.as_bytes());
    desk.write("players.csv", b"name,rating\nA,2300\nB,2100\nC,2000\nD,1900\nE,1700\nF,1500\n");
    run(&desk, &["new", "Open", "--rules", "fide-swiss-2026", "--phase", "swiss:6"]);
    run(&desk, &["enroll", "--csv", "players.csv"]);
    // The ratings of the report, in the order of its numbers.
    let ratings = |name: &str| -> Vec<String> {
        run(&desk, &["export", "--format", "trf", "--output", name]);
        let text = fs::read_to_string(desk.path(name)).expect("written");
        let lines = text.lines().filter(|line| line.starts_with("001"));
        let mut all: Vec<(String, String)> = lines
            .map(|line| (line[4..8].trim().to_string(), line[48..52].trim().to_string()))
            .collect();
        all.sort();
        all.into_iter().map(|(_, rating)| rating).collect()
    };
    play(&desk, "good", 3);
    run(&desk, &["describe", "F", "--rating", "2200"]);
    run(&desk, &["late", "G", "--rating", "2050"]);
    let sorted = ["2300", "2200", "2100", "2050", "2000", "1900", "1700"];
    assert_eq!(ratings("after-one.trf"), sorted);
    let said = pair(&desk, "good", &["--engine-folder", "asked"]);
    assert_eq!(said.code, 0, "{}", said.all());
    let asked = fs::read_to_string(desk.path("asked/question.trf")).expect("what it was given");
    let told = asked.lines().filter(|line| line.starts_with("001"));
    assert!(told.map(|line| &line[48..52]).eq(sorted), "{asked}");
    for round in 2..=4 {
        if round == 4 {
            run(&desk, &["describe", "E", "--rating", "2400"]);
        }
        if round > 2 {
            run(&desk, &["pair"]);
        }
        (1..=3).for_each(|table| _ = run(&desk, &["result", &table.to_string(), "1-0"]));
    }
    // The fourth round is paired: ratings change, numbers do not; who comes late has the number of their rating.
    run(&desk, &["describe", "D", "--rating", "2500"]);
    run(&desk, &["late", "H", "--rating", "2150"]);
    let settled = ["2400", "2300", "2200", "2150", "2100", "2050", "2000", "2500"];
    assert_eq!(ratings("after-four.trf"), settled);
    let said = run(&desk, &["verify", "--engine", &engine("good")]);
    assert!(said.out.contains("2 rounds paired again by engine"), "{}", said.all());
}

#[cfg(unix)]
#[test]
fn an_engine_that_fails_records_nothing_and_is_told_what_was_wrong() {
    let desk = desk();
    // The bye was for the first round: six play in the second.
    play(&desk, "good", 2);
    let before = run(&desk, &["log"]).out;
    let long = ["--engine-seconds", "1"];
    let modes: [(&str, &[&str], &str); 14] = [
        ("crash", &[], "[engine-failed]"),
        ("silent", &long, "[engine-too-slow]"),
        ("nothing", &[], "[engine-silent]"),
        ("huge", &[], "[engine-answer-too-long]"),
        ("chatty", &[], "[engine-answer-too-long]"),
        ("bytes", &[], "[engine-answer-garbled]"),
        ("garbage", &[], "[engine-answer-garbled]"),
        ("count", &[], "[engine-answer-garbled]"),
        ("twice", &[], "[engine-player-twice]"),
        ("missing", &[], "[engine-player-missing]"),
        ("unknown", &[], "[engine-player-unknown]"),
        ("byes", &[], "[engine-two-byes]"),
        ("good", &["--engine-seconds", "0"], "[bad-engine]"),
        ("good", &["--engine-folder", "engine.sh"], "[engine-folder]"),
    ];
    for (mode, more, code) in modes {
        let said = pair(&desk, mode, more);
        assert!(said.code > 0 && said.err.contains(code), "{mode}: {}", said.all());
        assert_eq!(run(&desk, &["log"]).out, before, "{mode}");
    }
    // The pairs of the round before.
    desk.write("again.sh", b"printf '3\n1 3\n2 4\n5 6\n'\n");
    let said = ask(&desk, &["pair", "--engine", "/bin/sh again.sh {input}"]);
    assert!(said.code == 1 && said.err.contains("[engine-rematch]"), "{}", said.all());
    let said = pair(&desk, "crash", &[]);
    assert!(
        said.err.contains("engine of unknown version gave up (exit status: 3): out of luck"),
        "{}",
        said.err
    );
    let said = ask(&desk, &["pair", "--engine", "no-such-engine {input}"]);
    assert!(said.code == 2 && said.err.contains("[engine-not-started]"), "{}", said.all());
    let said = ask(&desk, &["pair", "--engine", "no-such-engine"]);
    assert!(said.code == 2 && said.err.contains("[bad-engine]"), "{}", said.all());
    run(&desk, &["drop", "P6"]);
    let said = pair(&desk, "absent", &[]);
    assert!(said.code == 1 && said.err.contains("[engine-player-absent]"), "{}", said.all());
    // What the engine stopped at is open still.
    play(&desk, "good", 2);
}

/// Only Swiss rounds of two are an engine's affair, and only points that it can be told.
#[cfg(unix)]
#[test]
fn what_no_engine_can_be_told_is_refused_before_it_is_asked() {
    for (rules, phase, code) in [
        ("fide-buchholz-2024", "round-robin", "[engine-not-swiss]"),
        ("mtr", "single-elimination", "[engine-not-swiss]"),
    ] {
        let desk = Desk::new();
        desk.write("engine.sh", SCRIPT.as_bytes());
        run(&desk, &["new", "Open", "--rules", rules, "--phase", phase]);
        run(&desk, &["enroll", "Ann", "Bob", "Cid", "Dee"]);
        let said = pair(&desk, "good", &[]);
        assert!(said.code == 1 && said.err.contains(code), "{rules}: {}", said.all());
    }
    // Three points for a win are told, and taken.
    let desk = Desk::new();
    desk.write("engine.sh", SCRIPT.as_bytes());
    run(&desk, &["new", "Open", "--rules", "mtr", "--phase", "swiss:2"]);
    run(&desk, &["enroll", "Ann", "Bob", "Cid", "Dee"]);
    assert_eq!(pair(&desk, "good", &[]).code, 0);
    run(&desk, &["result", "1", "2-1"]);
    run(&desk, &["result", "2", "1-1-1"]);
    let said = pair(&desk, "good", &["--engine-folder", "asked"]);
    assert_eq!(said.code, 0, "{}", said.all());
    let given = fs::read_to_string(desk.path("asked/question.trf")).expect("what it was given");
    assert!(given.contains("\n162  W 3.0    D 1.0    L 0.0    Z 0.0    P 3.0\n"), "{given}");
}

#[cfg(unix)]
#[test]
fn whoever_changes_what_an_engine_was_given_or_said_is_found() {
    let desk = desk();
    play(&desk, "good", 2);
    let store = Store::open(&desk.path("store")).expect("a store");
    let stream = store.log().streams().expect("a list")[0];
    let records: Vec<Record> =
        store.log().read(stream, 0).collect::<Result<_, _>>().expect("readable");
    let at = |wanted: &dyn Fn(&Event) -> bool| {
        records
            .iter()
            .position(|record| wanted(&event_of(record).expect("an event")))
            .expect("there")
    };
    let answer = at(&|event| matches!(event, Event::EnginePaired(_)));
    let found = |at: usize, change: &dyn Fn(&mut Event)| {
        let mut event = event_of(&records[at]).expect("an event");
        change(&mut event);
        let mut forged = records.clone();
        let header = Header { kind: event.kind(), ..forged[at].header() };
        forged[at] = Record::seal(header, &event.encode().expect("it fits")).expect("it fits");
        let mut walk = Walk::new(stream, Beside::default());
        chained_anew(&forged, at).iter().for_each(|record| walk.take(record));
        let errors = walk.finish().0.findings.into_iter();
        let errors = errors.filter(|finding| finding.severity == Severity::Error);
        errors.map(|finding| (finding.code, finding.seq)).collect::<Vec<_>>()
    };
    let paired = |change: fn(&mut EnginePaired)| {
        found(answer, &move |event| match event {
            Event::EnginePaired(paired) => change(paired),
            other => panic!("{other:?}"),
        })
    };
    let seq = answer as u64 + 1;
    assert_eq!(paired(|_| ()), []);
    assert_eq!(paired(|e| e.input[0] ^= 1), [("engine-input-differs", seq)]);
    assert_eq!(paired(|e| e.output = "3\n3 1\n2 4\n5 0\n".into()), [("pairing-differs", seq + 1)]);
    assert_eq!(paired(|e| e.output = "2\n1 3\n2 4\n".into()), [("engine-answer-differs", seq)]);
    assert!(paired(|e| e.output = "3 pairs".into()).contains(&("not-legal", seq)));
    assert!(paired(|e| e.round = 2).contains(&("not-legal", seq)));
    let swapped = found(answer + 1, &|event| match event {
        Event::PairingMade(made) => made.seats.reverse(),
        other => panic!("{other:?}"),
    });
    assert_eq!(swapped, [("pairing-differs", seq + 1)]);
    // A round that was for an engine, and whose answer is gone.
    let gone = found(answer, &|event| {
        *event = Event::NoteAdded(scrutineer_engine::event::NoteAdded {
            note: scrutineer_engine::book::Commitment { number: 900, digest: [1; 32] },
            about: None,
        });
    });
    assert_eq!(gone, [("engine-answer-differs", seq - 1)]);
    let method = found(answer - 1, &|event| match event {
        Event::RoundOpened(opened) => {
            let drawn = opened.drawn.as_mut().expect("drawn");
            (drawn.method, drawn.version) = ("score-group-random".into(), 1);
        }
        other => panic!("{other:?}"),
    });
    assert!(method.iter().any(|(code, _)| *code == "pairing-differs"), "{method:?}");
    // Another rating tells another tournament to the engine than it was given.
    let rated = at(&|event| matches!(event, Event::PlayerEnrolled(_)));
    let rating = found(rated, &|event| match event {
        Event::PlayerEnrolled(enrolled) => enrolled.rating = Some(2_001),
        other => panic!("{other:?}"),
    });
    assert_eq!(rating[0], ("engine-input-differs", seq));
}

/// The program that FIDE endorses, where it is there.
#[test]
fn bbp_pairings_pairs_nine_rounds_of_thirty() {
    let Some(bbp) = std::env::var_os("SCRUTINEER_BBP") else {
        // No registry has it as a package, so CI has it only where somebody put it.
        eprintln!("skipped: SCRUTINEER_BBP names no bbpPairings");
        return;
    };
    let bbp = bbp.to_string_lossy().into_owned();
    let desk = Desk::new();
    let players: String = (1..=30)
        .map(|n| format!("P{n} Player,{},{}\n", 2400 - 37 * n, u8::from(n % 13 == 7)))
        .collect();
    desk.write("players.csv", format!("name,rating,byes\n{players}").as_bytes());
    run(&desk, &["new", "Open", "--rules", "fide-buchholz-2024", "--phase", "swiss:9"]);
    run(&desk, &["enroll", "--csv", "players.csv"]);
    for round in 1..=9 {
        match round {
            3 => run(&desk, &["drop", "P5 Player", "P9 Player"]),
            4 => run(&desk, &["late", "New Player", "--rating", "1990"]),
            7 => run(&desk, &["reinstate", "P5 Player", "--reason", "back"]),
            _ => run(&desk, &["tournaments"]),
        };
        let said = run(&desk, &["--json", "pair", "--engine", &bbp]);
        let answer: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
        assert!(
            answer["engine"].as_str().is_some_and(|engine| engine.starts_with("bbpPairings")),
            "{answer}"
        );
        let tables = answer["tables"].as_array().expect("tables").len();
        for table in 1..=tables {
            let slip = ["1-0", "0-1", "draw", "1-0", "w-l no-show"][(table * 7 + round) % 5];
            run(
                &desk,
                &[&["result", &table.to_string()], &slip.split(' ').collect::<Vec<_>>()[..]]
                    .concat(),
            );
        }
    }
    let said = run(&desk, &["verify", "--engine", &bbp]);
    assert!(said.out.contains("9 rounds paired again by bbpPairings"), "{}", said.all());
}

/// A server that was started with an engine lets it pair Swiss rounds, whoever asks: the page, a program, and the
/// command beside it. Without it only where somebody says so.
#[cfg(unix)]
#[test]
fn a_server_that_has_an_engine_pairs_swiss_rounds_with_it() {
    let desk = desk();
    let server = crate::serve::client::Server::with(&desk, &["--engine", &engine("good")]);
    let page = || server.local("GET", "/t/Open/desk", "").body;
    let text = page();
    assert!(text.contains("<option value=\"engine\">engine of unknown version</option>"), "{text}");
    let order = |text: &str| server.local("POST", "/api/v1/tournaments/Open/orders", text);
    let other = order(r#"{"order":"pair","engine":"bbpPairings"}"#);
    assert_eq!((other.status, other.code().as_str()), (404, "no-such-engine"), "{other:?}");
    let paired = order(r#"{"order":"pair"}"#);
    assert_eq!(paired.status, 201, "{paired:?}");
    assert!(paired.body.contains("engine of unknown version"), "{paired:?}");
    // The draft is paired anew without it, and with it again.
    let own = order(r#"{"order":"pair","again":true,"engine":"none"}"#);
    assert!(own.status == 201 && !own.body.contains("engine of unknown"), "{own:?}");
    let named = order(r#"{"order":"pair","again":true,"engine":"engine"}"#);
    assert!(named.body.contains("engine of unknown version"), "{named:?}");
    // One of six brings a bye, and one of five has one.
    for table in 1..=2 {
        let said = order(&format!(r#"{{"order":"result","slip":"{table} 1-0"}}"#));
        assert_eq!(said.status, 201, "{said:?}");
    }
    // The command beside the server has its engine too, and leaves it out where it is told.
    let said = run(&desk, &["pair"]);
    assert!(said.out.contains("paired by engine of unknown version"), "{}", said.all());
    let said = run(&desk, &["pair", "--again", "--engine", "none"]);
    assert!(!said.out.contains("paired by engine"), "{}", said.all());
    run(&desk, &["pair", "--again"]);
    drop(server);
    // Whoever goes on without the server is told that an engine paired before.
    run(&desk, &["publish"]);
    run(&desk, &["result", "1", "1-0"]);
    run(&desk, &["result", "2", "1-0"]);
    let said = run(&desk, &["result", "3", "1-0"]);
    assert!(said.all().contains("pair --engine <command>"), "{}", said.all());
    let said = run(&desk, &["check-pairing", "--round", "2"]);
    assert!(said.out.contains("it was not asked again"), "{}", said.out);
    let said = run(&desk, &["verify", "--engine", &engine("good")]);
    assert!(said.all().contains("paired again by engine"), "{}", said.all());
}
