//! Files that are truncated, hostile or merely wrong: each gets a clear error with its place, a
//! hint and a code, and leaves the store as it was.

use super::desk::{Desk, bundled};
use std::fs;

/// What a file holds, and what is said about it.
struct Bad {
    name: &'static str,
    bytes: Vec<u8>,
    /// The code.
    code: &'static str,
    /// The place as the message names it.
    place: &'static str,
}

fn bad(
    name: &'static str,
    bytes: impl AsRef<[u8]>,
    code: &'static str,
    place: &'static str,
) -> Bad {
    Bad { name, bytes: bytes.as_ref().to_vec(), code, place }
}

const GAMES: &str = "round,table,player_a,player_b,games_a,games_b,games_drawn,kind,ruling\n";

fn csv(rows: &str) -> String {
    format!("{GAMES}{rows}\n")
}

/// A deck-cache file of melee.gg with these matches of one round.
fn melee(matches: &str) -> String {
    let at = r#""Tournament":{"Name":"X","Date":"2025-06-01","Uri":"https://melee.gg/T/1"}"#;
    let rounds = format!(r#""Rounds":[{{"RoundName":"Round 1","Matches":[{matches}]}}]"#);
    format!(r#"{{{at},{rounds},"Standings":[],"Decks":[]}}"#)
}

fn one(a: &str, b: &str, result: &str) -> String {
    format!(r#"{{"Player1":"{a}","Player2":"{b}","Result":"{result}"}}"#)
}

fn wrong_csv() -> Vec<Bad> {
    let columns = "round,player_a,player_b,games_a,games_b,games_draw\n1,Ann,Bob,2,0,0\n";
    vec![
        bad("himself.csv", csv("1,1,Ann,Ann,2,0,0"), "against-self", "line 2"),
        bad("twice.csv", csv("1,1,Ann,Bob,2,0,0\n1,2,Cid,Ann,2,0,0"), "twice-in-round", "line 3"),
        bad("bye-too.csv", csv("1,1,Ann,Bob,2,0,0\n1,,Ann,,,,,bye"), "twice-in-round", "line 3"),
        bad("again.csv", csv("1,1,Ann,Bob,2,0,0\n1,1,Ann,Bob,2,1,0"), "two-results", "line 3"),
        bad("table.csv", csv("1,1,Ann,Bob,2,0,0\n1,1,Cid,Dee,2,1,0"), "two-results", "line 3"),
        bad("column.csv", columns, "bad-value", "line 1, column 6"),
        bad("cells.csv", csv("1,1,Ann,Bob,2,0,0,,,,,extra"), "bad-csv", "line 2"),
        bad("quote.csv", csv("1,1,\"Ann,Bob,2,0,0"), "", ""),
        bad("word.csv", csv("1,1,Ann,Bob,two,0,0"), "bad-value", "line 2"),
        bad("half.csv", csv("1,1,Ann,Bob,1.5,0,0"), "bad-value", "line 2"),
        bad("minus.csv", csv("1,1,Ann,Bob,-2,0,0"), "", "line 2"),
        bad("long.csv", csv("1,1,Ann,Bob,10737418240,0,0"), "out-of-bounds", "line 2"),
        bad("longer.csv", csv(&format!("1,1,Ann,Bob,{},0,0", "9".repeat(400))), "", "line 2"),
        bad("round.csv", csv("10737418240,1,Ann,Bob,2,0,0"), "", "line 2"),
        bad("gap.csv", csv("1,1,Ann,Bob,2,0,0\n3,1,Ann,Bob,2,0,0"), "missing", "round 2"),
        bad("kind.csv", csv("1,1,Ann,Bob,2,0,0,sudden death,"), "bad-value", "line 2"),
        bad("ruling.csv", csv("1,1,Ann,Bob,2,0,0,,c"), "bad-value", "line 2"),
        bad("nothing.csv", csv("1,1,Ann,Bob,,,,,"), "missing", "line 2"),
        bad("nobody.csv", csv("1,1,,Bob,2,0,0"), "", "line 2"),
        bad("rows.csv", GAMES, "missing", ""),
        bad(
            "after.csv",
            csv("1,1,Ann,Bob,2,0,0\n1,,Ann,,,,,drop\n2,1,Ann,Bob,2,0,0"),
            "",
            "line 4",
        ),
        bad("roster.csv", csv(",,Ann,,,,,player\n1,1,Ann,Bbo,2,0,0"), "unknown-player", "line 3"),
        bad("bell.csv", csv("1,1,Ann\u{7},Bob,2,0,0"), "bad-name", "line 2"),
        bad("colour.csv", csv("1,1,\u{1b}[31mAnn,Bob,2,0,0"), "bad-name", "line 2"),
        bad(
            "endless.csv",
            csv(&format!("1,1,{},Bob,2,0,0", "A".repeat(5000))),
            "bad-name",
            "line 2",
        ),
        bad(
            "rules.csv",
            format!("# rules: mrt\n{}", csv("1,1,Ann,Bob,2,0,0")),
            "bad-ruleset",
            "mrt",
        ),
        bad("date.csv", format!("# date: 31.2.2026\n{}", csv("1,1,Ann,Bob,2,0,0")), "", "line 1"),
        bad(
            "score.csv",
            format!("# best_of: 3\n{}", csv("1,1,Ann,Bob,3,0,0")),
            "impossible-score",
            "line 3",
        ),
    ]
}

fn wrong_json() -> Vec<Bad> {
    let himself = melee(&one("Ann", "Ann", "2-0-0"));
    let twice = melee(&format!("{},{}", one("Ann", "Bob", "2-0-0"), one("Ann", "Cid", "2-0-0")));
    let two = melee(&format!("{},{}", one("Ann", "Bob", "2-0-0"), one("Ann", "Bob", "0-2-0")));
    let platform = melee(&one("Ann", "Bob", "2-0-0")).replace("melee.gg", "example.org");
    let games = |result: &str| melee(&one("Ann", "Bob", result));
    let deep = format!("{{\"Rounds\":{}{}}}", "[".repeat(200), "]".repeat(200));
    let at = "Rounds[0].Matches[0]";
    vec![
        bad("himself.json", himself, "against-self", at),
        bad("twice.json", twice, "twice-in-round", "Rounds[0].Matches[1]"),
        bad("two.json", two, "two-results", "Rounds[0].Matches[1]"),
        bad("words.json", games("won"), "bad-result", at),
        bad("parts.json", games("2-0"), "bad-result", at),
        bad("minus.json", games("-2-0-0"), "bad-result", at),
        bad("huge.json", games("10737418240-0-0"), "", at),
        bad("platform.json", platform, "unknown-platform", "Tournament.Uri"),
        bad("list.json", "[1,2]", "unknown-format", ""),
        bad("keys.json", "{\"a\":1}", "unknown-format", ""),
        bad("deep.json", deep, "too-deep", "byte"),
        bad(
            "type.json",
            games("2-0-0").replace("[{\"RoundName\"", "[7,{\"RoundName\""),
            "bad-json",
            "",
        ),
        bad("cut.json", &games("2-0-0")[..120], "truncated-json", ""),
        bad("half.json", "{\"Tournament\":", "truncated-json", ""),
        bad("colour.json", melee(&one("\\u001b[31mAnn", "Bob", "2-0-0")), "bad-name", at),
    ]
}

fn no_text() -> Vec<Bad> {
    vec![
        bad("empty.csv", "", "empty-file", ""),
        bad("blank.json", " \n\t\n", "empty-file", ""),
        // The letters are read; what is missing is told as in any other sheet.
        bad("latin1.csv", b"round,player_a,player_b\n1,Andr\xe9,Bob\n", "missing", "score"),
        bad("utf16.csv", b"\xff\xfer\0o\0u\0n\0d\0", "", ""),
        bad("zero.csv", [0u8; 64], "", ""),
        bad("prose.csv", "Dear organizer,\nwe played and Ann won.\n", "", ""),
        bad("image.png", b"\x89PNG\r\n\x1a\n", "not-utf8", "offset 0"),
    ]
}

/// A store with one event, as it is kept.
fn desk() -> Desk {
    let desk = Desk::new();
    let said = desk.run(&["import", "autumn-open.csv"]);
    assert_eq!(said.code, 0, "{}", said.all());
    desk
}

fn assert_refused(desk: &Desk, bads: Vec<Bad>) {
    let before = desk.kept();
    assert!(before.len() >= 3, "the store has a journal and a book: {:?}", before.keys());
    let mut wrong = String::new();
    for bad in bads {
        desk.write(bad.name, &bad.bytes);
        let said = desk.run(&["import", bad.name]);
        let first = said.err.lines().next().unwrap_or("");
        let code = first.rsplit_once('[').map_or("", |(_, code)| code.trim_end_matches(']'));
        let is_clear = first.starts_with("error: ")
            && first.contains(bad.name.trim_end_matches(".png"))
            && first.contains(bad.place)
            && (bad.code.is_empty() || code == bad.code)
            && !code.is_empty()
            && first.chars().count() < 400
            && !said.err.chars().any(|c| c.is_control() && c != '\n')
            && said.err.contains("hint: ")
            && said.out.is_empty()
            && said.code == 2;
        if !is_clear {
            wrong.push_str(&format!(
                "{} ({} at {}):\n{}\n",
                bad.name,
                bad.code,
                bad.place,
                said.all()
            ));
        }
        assert!(desk.kept() == before, "{} left the store as it was: {}", bad.name, said.all());
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn wrong_rows_of_a_csv_are_refused_with_their_line() {
    assert_refused(&desk(), wrong_csv());
}

#[test]
fn wrong_matches_of_a_json_are_refused_with_their_place() {
    assert_refused(&desk(), wrong_json());
}

#[test]
fn what_is_no_text_is_refused() {
    assert_refused(&desk(), no_text());
}

#[test]
fn a_file_cut_short_anywhere_is_refused_or_a_shorter_event() {
    let desk = Desk::new();
    let whole = fs::read(bundled()).expect("the bundled event");
    for length in (0..whole.len()).step_by(whole.len() / 40) {
        desk.write("cut.csv", &whole[..length]);
        let said = desk.run(&["import", "--dry-run", "cut.csv"]);
        assert!(said.code == 0 || said.code == 2, "cut at {length}: {}", said.all());
        assert!(!said.all().contains("panicked"), "cut at {length}: {}", said.all());
    }
    assert!(!desk.path("store").exists(), "a dry run makes no store");
}

#[test]
fn what_cannot_be_read_is_said() {
    let desk = desk();
    let before = desk.kept();
    fs::create_dir(desk.path("folder.csv")).expect("made");
    let mut cases = vec![("missing.csv", "file-not-read"), ("folder.csv", "no-files")];
    if cfg!(target_os = "linux") {
        // No end, and nothing to read, whoever asks.
        cases.extend([("/dev/zero", "file-not-read"), ("/proc/self/mem", "file-not-read")]);
    }
    for (name, code) in cases {
        let said = desk.run(&["import", name]);
        assert_eq!(said.code, 2, "{}", said.all());
        assert!(
            said.err.contains(name) && said.err.contains(&format!("[{code}]")),
            "{}",
            said.all()
        );
        assert!(said.err.contains("hint: "), "{}", said.all());
    }
    assert_eq!(desk.kept(), before);
}

#[cfg(unix)]
#[test]
fn a_file_without_permission_is_said() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::new();
    let path = desk.path("autumn-open.csv");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).expect("set");
    if fs::read(&path).is_ok() {
        eprintln!("skipped: this user reads every file");
        return;
    }
    let said = desk.run(&["import", "autumn-open.csv"]);
    assert_eq!(said.code, 2, "{}", said.all());
    assert!(said.err.contains("[file-not-read]"), "{}", said.all());
}

/// `export --output club.html` wrote a bundle under that name and said nothing, and `trf16` was unknown.
#[test]
fn what_is_exported_is_what_its_file_is_named_where_nothing_else_is_said() {
    let desk = Desk::new();
    let run = |words: &[&str]| {
        let said = desk.run(words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
    };
    run(&["simulate", "--players", "8", "--rounds", "3", "--keep"]);
    let begins = |name: &str, with: &str| {
        let bytes = fs::read(desk.path(name)).expect("written");
        assert!(bytes.starts_with(with.as_bytes()), "{name}");
    };
    let (page, book, report, bundle) = ("<!DOCTYPE html>", "PK", "012 ", "{");
    for (name, with) in [
        ("club.html", page),
        ("CLUB.HTM", page),
        ("club.xlsx", book),
        ("club.trf", report),
        ("club.bundle", bundle),
        ("club", bundle),
    ] {
        run(&["export", "--roster", "--output", name]);
        begins(name, with);
    }
    // Whoever says what they want gets it under any name.
    for (name, words, with) in [
        ("audit.html", &["--audit"][..], bundle),
        ("report.html", &["--format", "trf16"], report),
        ("page.trf", &["--html"], page),
    ] {
        run(&[&["export", "--output", name][..], words].concat());
        begins(name, with);
    }
    for (words, says) in [
        (&["--output", "club.csv"][..], "--csv <folder>"),
        (&["--output", "club.json"], "--format cobra"),
        (&["--output", "club.xml"], "--format opengotha"),
        (&["--format", "trf17"], "trf, trf26"),
    ] {
        let said = desk.run(&[&["export"][..], words].concat());
        assert_eq!(said.code, 2, "{words:?}: {}", said.all());
        assert!(said.err.contains("[unknown-format]"), "{words:?}: {}", said.all());
        assert!(said.err.contains(says), "{words:?}: {}", said.all());
    }
    assert!(!desk.path("club.csv").exists() && !desk.path("club.json").exists());
}

#[test]
fn a_store_that_is_none_is_said() {
    let desk = Desk::new();
    desk.write("store", b"a file where a folder belongs");
    let said = desk.run(&["import", "autumn-open.csv"]);
    assert_eq!(said.code, 2, "{}", said.all());
    assert!(said.err.contains("[store-not-opened]"), "{}", said.all());
}

#[test]
fn a_damaged_journal_is_found() {
    let desk = desk();
    let name =
        desk.kept().into_keys().find(|path| path.components().any(|c| c.as_os_str() == "journal"));
    let path = name.expect("a journal");
    let mut bytes = fs::read(&path).expect("readable");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).expect("written");
    for words in [&["verify"][..], &["standings"], &["import", "autumn-open.csv"]] {
        let said = desk.run(words);
        assert!(said.code > 0, "{words:?}: {}", said.all());
        assert!(!said.all().contains("panicked"), "{words:?}: {}", said.all());
    }
}

/// The help offered a table, and a claim of one was refused: whose claim it is has to be said.
#[test]
fn the_help_of_a_claim_asks_for_who_reports_it() {
    let help = Desk::new().run(&["claim", "--help"]).out;
    assert!(help.contains("Who reports it, then the score"), "{help}");
    assert!(!help.contains("or the table"), "{help}");
}

/// The choice that one file of a folder asks for read another one, which was right by itself, with its tables as rounds.
#[test]
fn a_choice_of_columns_is_for_those_files_of_a_folder_that_ask_for_one() {
    let desk = Desk::new();
    desk.write("asks.csv", b"Wer,Wen,Nr,Round,HG,AG\nAnn,Bob,1,1,2,0\nCid,Dan,2,1,2,1\n");
    let head = b"Round,Player 1,Player 2,Table,Games 1,Games 2\n";
    desk.write("reads.csv", &[&head[..], b"1,Ann,Bob,2,2,0\n1,Cid,Dan,1,2,1\n"].concat());
    let said = desk.run(&["import", "--dry-run", "asks.csv"]);
    assert!(said.err.contains("[which-column]"), "{}", said.all());
    let choice = "player_a=1,player_b=2,round=4,games_a=5,games_b=6";
    let said = desk.run(&["import", "asks.csv", "reads.csv", "--columns", choice]);
    assert_eq!(said.code, 0, "{}", said.all());
    let said = desk.run(&["pairings", "--tournament", "reads", "--round", "1"]);
    assert!(
        ["Ann against Bob", "Cid against Dan"].iter().all(|one| said.out.contains(one)),
        "{}",
        said.all()
    );
}
