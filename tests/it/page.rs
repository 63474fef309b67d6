//! The page and its verifier: written from docs/FORMAT.md in another language, and in agreement
//! with ours on good bundles and damaged ones.

mod browser;
mod damage;
mod forgeries;
mod known;
mod parts;

use crate::cli::desk::{Desk, Said};
use crate::simulated::play_small;
use scrutineer_replay::announced::AnnouncedTable;
use scrutineer_replay::bundle::{Against, Give, check, write};
use scrutineer_replay::verify::{Finding, Severity};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// What the verifier in the page leaves to ours: whether each step was allowed, and whatever has to
/// be drawn or folded again.
const NOT_IN_THE_PAGE: [&str; 10] = [
    "not-legal",
    "pairing-differs",
    "engine-input-differs",
    "engine-answer-differs",
    "engine-not-run",
    "lots-differ",
    "not-folded",
    "not-made-again",
    "other-ruleset",
    "standings-differ",
];

/// Whether the page looks for it as well. A table's labels, and what decided a place, are in no
/// hash: they only come out where the standings are folded again.
fn is_in_the_page(finding: &Finding) -> bool {
    let is_folded = finding.code == "table-altered" && finding.sentence.ends_with("come out again");
    !is_folded && !NOT_IN_THE_PAGE.contains(&finding.code)
}

/// Whether a program is there; where it is not, the test is skipped for all to see.
pub fn is_there(program: &str) -> bool {
    answers(program, "--version")
}

/// Whether a program is there and says its version when it is asked so; where not, its test is skipped
/// for all to see.
pub fn answers(program: &str, flag: &str) -> bool {
    let asked = Command::new(program).arg(flag).output();
    let is_there = asked.is_ok_and(|asked| asked.status.success());
    if !is_there {
        assert!(
            std::env::var_os("SCRUTINEER_NO_SKIPS").is_none(),
            "{program} is not there, and no test may be skipped"
        );
        eprintln!("skipped: {program} is not there");
    }
    is_there
}

/// The folder of the project.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A bundle of the small tournament of a number.
fn bundle(seed: u64, give: Give) -> Vec<u8> {
    let (store, stream) = play_small(seed);
    let mut out = Vec::new();
    write(&store, stream, give, &mut out).expect("a bundle");
    out
}

/// Names that would be markup, and what else people are called.
const NAMES: [&str; 4] =
    ["<script>document.title='no'</script>", "</pre><!-- Zoë", "=1+1", "O'Neil & \"Söhne\""];

/// An event that was played at a desk, by an organizer who has a key.
struct Played {
    /// Its page with names.
    page: String,
    /// The last checkpoint.
    note: String,
    /// Its bundle with names.
    bundle: Vec<u8>,
}

fn played() -> Played {
    let desk = Desk::new();
    let run = |words: &[&str]| {
        let said = desk.run(words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
    };
    run(&["new", "Spring </title> & <i>Open</i>", "--rules", "mtr", "--phase", "swiss:2"]);
    run(&[&["enroll"][..], &NAMES].concat());
    for round in 0..2 {
        run(&["pair"]);
        run(&["publish"]);
        run(&["result", "1", "2-0"]);
        if round == 0 {
            run(&["correct", "1", "2-1", "--reason", "a game was forgotten"]);
        }
        run(&["result", "2", "1-2"]);
        if round == 0 {
            run(&["announce"]);
        }
    }
    run(&["close"]);
    run(&["checkpoint", "--output", "checkpoint.txt"]);
    run(&["export", "--html", "--roster", "--output", "page.html"]);
    run(&["export", "--roster", "--output", "tournament.bundle"]);
    let read = |name: &str| fs::read_to_string(desk.path(name)).expect("a file");
    let bundle = fs::read(desk.path("tournament.bundle")).expect("a file");
    Played { page: read("page.html"), note: read("checkpoint.txt"), bundle }
}

/// A desk with a tournament at which people are called what turns letters round.
fn turning() -> Desk {
    let desk = Desk::new();
    let run = |words: &[&str]| {
        let said = desk.run(words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
    };
    run(&["new", "Open \u{202e}1-2", "--rules", "mtr", "--phase", "swiss:1"]);
    run(&[
        "enroll",
        "Ann\u{202e}0-2",
        "\u{2067}\u{2068}Bob",
        "דהו",
        "Ｄee",
        "Eve\u{200f}0-2",
        "Fay\u{61c}0-2",
    ]);
    run(&["pair"]);
    run(&["publish"]);
    run(&["result", "1", "2-0"]);
    run(&["correct", "1", "2-1", "--reason", "a game was forgotten"]);
    run(&["export", "--html", "--roster", "--output", "page.html"]);
    run(&["export", "--roster", "--csv", "tables"]);
    desk
}

/// The page of a desk's event as it reads without JavaScript; with it, it must read the same.
fn page_of(desk: &Desk) -> String {
    let said = desk.run(&["export", "--html", "--roster", "--output", "page.html", "--force"]);
    assert_eq!(said.code, 0, "{}", said.all());
    let page = fs::read_to_string(desk.path("page.html")).expect("a file");
    if is_there("node") && is_there("chromium") {
        browser::reads_alike(std::slice::from_ref(&page));
    }
    let (_, page) = page.split_once("</script>").expect("the script");
    let (shown, _) = page.split_once("<pre").expect("records");
    shown.replace("<bdi>", "").replace("</bdi>", "")
}

#[test]
fn a_champion_went_out_in_no_round() {
    let desk = Desk::new();
    let run = |words: &[&str]| {
        let said = desk.run(words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
    };
    run(&["new", "Knock-out", "--rules", "mtr", "--phase", "single-elimination"]);
    run(&["enroll", "Ann", "Bob", "Cid", "Dee"]);
    for tables in [2, 1] {
        run(&["pair"]);
        run(&["publish"]);
        for table in 1..=tables {
            run(&["result", &table.to_string(), "2-0"]);
        }
    }
    run(&["announce"]);
    let page = page_of(&desk);
    let (_, standings) = page.split_once("<section class=standings>").expect("standings");
    let (standings, _) = standings.split_once("</section>").expect("their end");
    let out: Vec<&str> = standings
        .lines()
        .filter_map(|row| row.split("<td").nth(3)?.split_once('>')?.1.split('<').next())
        .collect();
    assert!(standings.contains(">Out in round</th>"), "{standings}");
    assert_eq!(out, ["", "2", "1", "1"], "{standings}");
}

#[test]
fn a_game_of_chess_that_nobody_played_is_told_as_chess_writes_it() {
    let desk = Desk::new();
    let run = |words: &[&str]| {
        let said = desk.run(words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
    };
    run(&["new", "Open", "--rules", "fide-swiss-2026", "--phase", "swiss:1"]);
    run(&["enroll", "Ann", "Bob", "Cid", "Dee", "Eve", "Fay"]);
    run(&["pair"]);
    run(&["publish"]);
    run(&["result", "1", "w-l", "no-show"]);
    run(&["result", "2", "1-0"]);
    run(&["result", "3", "1-0"]);
    run(&["correct", "3", "½", "--reason", "the slip was read wrong"]);
    let page = page_of(&desk);
    for result in [">+/- (no-show)<", ">1-0<", ">½-½, corrected<", ": ½-½, not 1-0"] {
        assert!(page.contains(result), "{result}: {page}");
    }
    assert!(!page.contains("ruled win"), "{page}");
}

#[test]
fn a_match_that_is_postponed_is_told_as_that() {
    let desk = Desk::new();
    let run = |words: &[&str]| {
        let said = desk.run(words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
    };
    run(&["new", "League", "--rules", "mtr", "--phase", "swiss:2"]);
    run(&["enroll", "Ann", "Bob", "Cid", "Dee"]);
    run(&["pair"]);
    run(&["publish"]);
    run(&["result", "1", "postponed"]);
    run(&["result", "2", "void"]);
    let page = page_of(&desk);
    assert!(page.contains(">postponed<"), "{page}");
    assert!(page.contains(">ruled no result/no result<"), "{page}");
}

#[test]
fn a_pairing_that_players_have_not_seen_is_not_on_the_page() {
    let desk = Desk::new();
    let run = |words: &[&str]| {
        let said = desk.run(words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
    };
    run(&["new", "Open", "--rules", "mtr", "--phase", "swiss:2"]);
    run(&["enroll", "Ann", "Bob", "Cid", "Dee"]);
    run(&["pair"]);
    run(&["set-pairing", "Ann", "Bob", "--reason", "they came together"]);
    run(&["set-pairing", "Cid", "Dee", "--reason", "who was left"]);
    let page = page_of(&desk);
    assert!(!page.contains("Ann") && !page.contains("Round 1"), "{page}");
    assert!(page.contains("4 players · 0 rounds"), "{page}");
    run(&["publish"]);
    let page = page_of(&desk);
    assert!(page.contains("Round 1") && page.contains("Ann against Bob: set by hand"), "{page}");
}

/// Whoever asks when a round began, and who decided, finds it on the page and in the sheet.
#[test]
fn the_page_says_when_and_who() {
    let desk = Desk::new();
    let run_as = |person: &str, words: &[&str]| {
        let mut command = desk.command(words);
        command.env("SCRUTINEER_REHEARSE", "friday").env("SCRUTINEER_AS", person);
        let said = Said::of(command.output().expect("it runs"));
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
        said.out
    };
    let run = |words: &[&str]| run_as("Ann Lee", words);
    run(&["new", "Friday", "--rules", "mtr", "--phase", "swiss:1"]);
    run(&["enroll", "Bob", "Cid"]);
    run(&["pair"]);
    run(&["publish"]);
    run(&["result", "1", "2-0"]);
    run_as("Bo <Judge>", &["correct", "1", "2-1", "--reason", "a game was forgotten"]);
    run(&["close"]);
    let log = run(&["log"]);
    let at = |what: &str| {
        let line = log.lines().find(|line| line.contains(what)).unwrap_or_else(|| panic!("{log}"));
        let time = line.split("  ").find(|cell| cell.ends_with(" UTC")).expect("a time");
        // What is printed can be typed.
        run(&["standings", "--as-of", time.trim()]);
        time.trim().to_string()
    };
    let page = page_of(&desk);
    let times = ["round 1 is opened", "round 1 are out", "round 1 is completed"].map(at);
    for expected in [
        format!("paired {} · published {} · completed {}", times[0], times[1], times[2]),
        format!(", {}, Bo &lt;Judge&gt;: round 1 table 1", at("corrected")),
        format!("as of {}", at("is closed")),
    ] {
        assert!(page.contains(&expected), "{expected} is not in {page}");
    }
    run(&["export", "--csv", "sheets", "--roster"]);
    let sheet = fs::read_to_string(desk.path("sheets/matches.csv")).expect("a file");
    let expected = format!("{},Bo <Judge>", at("corrected"));
    assert!(sheet.contains(&expected), "{expected} is not in {sheet}");
    // Without names nobody is named, and of a tournament played elsewhere nobody knows when.
    run(&["export", "--html", "--output", "plain.html"]);
    let plain = fs::read_to_string(desk.path("plain.html")).expect("a file");
    assert!(!plain.contains("Judge") && plain.contains(", <bdi>actor "), "{plain}");
    let other = Desk::new();
    assert_eq!(other.run(&["import", "autumn-open.csv"]).code, 0);
    assert!(!page_of(&other).contains("published"));
}

#[test]
fn no_name_turns_a_score_round() {
    let desk = turning();
    let csv = fs::read_to_string(desk.path("tables/matches.csv")).expect("a file");
    let page = fs::read_to_string(desk.path("page.html")).expect("a file");
    let (shown, records) = page.split_once("<pre").expect("records");
    assert!(records.contains('\u{2068}') && !records.contains("<bdi>"), "the bundle is as it was");
    let said = desk.run(&["standings"]).out;
    for text in [&csv[..], shown, &said] {
        let turning = ['\u{61c}', '\u{200e}', '\u{200f}', '\u{202e}', '\u{2067}', '\u{2068}'];
        assert!(!text.contains(turning), "{text}");
        for name in ["Ann", "Eve", "Fay"] {
            assert!(text.contains(&format!("{name}\u{fffd}0-2")), "{name}: {text}");
        }
    }
    assert!(shown.contains("<bdi>דהו</bdi>"), "{shown}");
}

#[test]
fn a_twin_by_letters_that_nobody_tells_apart_is_the_same_name() {
    let desk = turning();
    let taken = ["Dee", "ｄＥＥ", "D\u{200b}ee", "\u{feff}Dee", "De\u{ad}e"];
    for name in taken {
        let said = desk.run(&["enroll", name]);
        assert!(said.all().contains("[name-taken]"), "{name:?}: {}", said.all());
    }
    for name in ["\u{2800}", "\u{200b}\u{3164}"] {
        let said = desk.run(&["enroll", name]);
        assert!(said.code != 0 && said.all().contains("no letter that is seen"), "{}", said.all());
    }
}

/// What the JavaScript says of each bundle, all by one process.
fn in_javascript(bundles: &[Vec<u8>]) -> Vec<Value> {
    let mut node = Command::new("node")
        .args([root().join("replay/page/check.mjs").as_os_str(), "--many".as_ref()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node runs");
    let mut to = node.stdin.take().expect("its input");
    let mut stack = Vec::new();
    for bundle in bundles {
        stack.extend((bundle.len() as u32).to_le_bytes());
        stack.extend(bundle);
    }
    let feeding = std::thread::spawn(move || to.write_all(&stack));
    let done = node.wait_with_output().expect("node ends");
    feeding.join().expect("no panic").expect("node reads to the end");
    assert!(done.status.success());
    let said = String::from_utf8(done.stdout).expect("text");
    let said: Vec<Value> =
        said.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(said.len(), bundles.len(), "an answer for each");
    said
}

/// The lines at which ours finds something wrong or cannot check it, of what the page looks for as
/// well, and the codes of those findings. What concerns the whole, such as the header or a cut, ours
/// tells at several lines and the page at one.
fn in_rust(bundle: &[u8]) -> Option<(Vec<u64>, BTreeSet<&'static str>)> {
    let checked = check(&mut &bundle[..], &Against::default()).expect("readable");
    let wrong: Vec<_> = checked
        .findings
        .iter()
        .filter(|found| {
            let finding = &found.finding;
            finding.severity > Severity::Information && is_in_the_page(finding)
        })
        .collect();
    let codes = wrong.iter().map(|found| found.finding.code).collect();
    (!wrong.is_empty()).then(|| (wrong.iter().map(|found| found.line).collect(), codes))
}

/// Whether ours finds anything wrong, also of what the page does not look for.
fn is_refused(bundle: &[u8]) -> bool {
    !check(&mut &bundle[..], &Against::default()).expect("readable").holds()
}

#[test]
fn a_time_that_no_clock_shows_is_no_checkpoint() {
    if !is_there("node") {
        return;
    }
    let signed = String::from_utf8(played().bundle).expect("text");
    let with_time = |time: &str| -> Vec<u8> {
        let other = |line: &str| {
            let at = line.find("\\ntime ").map(|at| at + "\\ntime ".len());
            at.map_or(line.to_string(), |at| {
                format!("{}{time}{}", &line[..at], &line[at + time.len()..])
            })
        };
        damage::joined(
            signed.split_inclusive('\n').map(|line| other(line).into_bytes()).collect(),
            true,
        )
    };
    let times = [
        "2026-13-01",
        "2026-00-01",
        "2026-04-31",
        "2026-02-29",
        "2026-02-28T24:",
        "2026-02-28T23:60",
        "2026-02-28T23:59:60",
        "2026-02-28T1::00:00",
    ];
    let bundles: Vec<Vec<u8>> = times.into_iter().map(with_time).collect();
    for ((bundle, time), js) in bundles.iter().zip(times).zip(in_javascript(&bundles)) {
        let (_, codes) = in_rust(bundle).unwrap_or_else(|| panic!("{time} is taken"));
        assert!(codes.contains("checkpoint-damaged"), "{time}: {codes:?}");
        assert_eq!(js["findings"][0]["code"], "checkpoint-damaged", "{time}: {js}");
    }
}

#[test]
fn an_empty_line_is_named_and_nothing_else_is_called_altered() {
    let good = bundle(3, Give::Roster);
    let lines: Vec<Vec<u8>> =
        good.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    for at in 1..lines.len() {
        let mut lines = lines.clone();
        lines.insert(at, b"\n".to_vec());
        let wrong = in_rust(&damage::joined(lines, true));
        let (at, codes) = (at as u64 + 1, BTreeSet::from(["line-spelling"]));
        assert_eq!(wrong, Some((vec![at], codes)), "line {at}");
    }
}

#[test]
fn a_table_of_more_commas_than_are_read_is_not_taken_apart() {
    if !is_there("node") {
        return;
    }
    let mut lines: Vec<Vec<u8>> =
        played().bundle.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    let at = lines.iter().position(|line| line.starts_with(b"{\"table\":")).expect("a table");
    let text = std::str::from_utf8(&lines[at]).expect("text").trim_end();
    let inner = &text["{\"table\":".len()..text.len() - 1];
    let table = AnnouncedTable::from_line(inner).expect("a table");
    // Steps without a measure are in no hash, so the table stays the one that was announced.
    let mut with_steps = |steps: usize| {
        let mut table = table.clone();
        table.phases[0].steps.extend(vec![(None, String::new()); steps]);
        table.rows.iter_mut().for_each(|row| row.3.extend(vec![None; steps]));
        lines[at] = format!("{{\"table\":{}}}\n", table.to_line()).into_bytes();
        damage::joined(lines.clone(), true)
    };
    let bundles = [with_steps(1), with_steps(1 << 20)];
    let said = in_javascript(&bundles);
    assert_eq!(said[0]["verdict"], "consistent", "{}", said[0]);
    let wanted = Some((vec![at as u64 + 1], BTreeSet::from(["line-spelling"])));
    assert_eq!(in_rust(&bundles[1]), wanted);
    let found = &said[1]["findings"][0];
    assert_eq!(found["line"], at as u64 + 1, "{found}");
    assert_eq!(found["code"], "line-spelling", "{found}");
}

#[test]
fn both_verifiers_agree_on_good_and_damaged_bundles() {
    if !is_there("node") {
        return;
    }
    let times: Option<u64> =
        std::env::var("SCRUTINEER_TOURNAMENTS").ok().and_then(|times| times.parse().ok());
    let tournaments: u64 = 5 * times.unwrap_or(1);
    let (mut bundles, mut names) = (Vec::new(), Vec::new());
    for seed in 0..tournaments {
        for give in [Give::Nothing, Give::Roster, Give::Handover] {
            let good = bundle(seed, give);
            for (name, damaged) in damage::many(&good, seed) {
                names.push(format!("event {seed}, {give:?}, {name}"));
                bundles.push(damaged);
            }
        }
    }
    // Signed ones: the same event, damaged in other places each time.
    let signed = played().bundle;
    for seed in 0..tournaments {
        for (name, damaged) in damage::many(&signed, seed) {
            names.push(format!("signed event, dice {seed}, {name}"));
            bundles.push(damaged);
        }
    }
    let (mut good, mut bad, mut same_line) = (0, 0, 0);
    let (mut verdicts, mut differ, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for ((bundle, name), js) in bundles.iter().zip(&names).zip(in_javascript(&bundles)) {
        let listed = |key: &str| js[key].as_array().into_iter().flatten();
        let found: Vec<&Value> = listed("findings").chain(listed("unchecked")).collect();
        let first = found.first().copied().unwrap_or(&Value::Null);
        let js_line = first["line"].as_u64();
        match (in_rust(bundle), js["verdict"] == "consistent") {
            (None, true) => good += 1,
            // Ours refuses a step before it asks for its version; the page leaves steps to ours.
            (None, false) if js["verdict"] == "incomplete" && is_refused(bundle) => good += 1,
            (Some((lines, codes)), false) => {
                bad += 1;
                // Ours names the records that a checkpoint is over, the page the checkpoint's line.
                let code = first["code"].as_str().unwrap_or_default();
                let same = js_line.is_some_and(|line| lines.contains(&line))
                    || code.starts_with("checkpoint-")
                    || code.starts_with("log-");
                // Where lines stand in another order, what comes first is seen by one of them only.
                let mut said = found.iter().filter_map(|finding| finding["code"].as_str());
                if !said.any(|code| codes.contains(code)) {
                    others.push(format!("{name}: {codes:?} here, there {code}"));
                }
                same_line += u32::from(same);
                if !lines.contains(&0) && !same {
                    differ.push(format!("{name}: {lines:?} here, there {}", first));
                }
            }
            (ours, _) => verdicts.push(format!("{name}: {ours:?} here, there {js}")),
        }
    }
    println!("{good} good, {bad} bad, {same_line} at the same line");
    assert!(verdicts.is_empty(), "{}: {:#?}", verdicts.len(), &verdicts[..verdicts.len().min(12)]);
    assert!(differ.is_empty(), "{} of {bad}: {:#?}", differ.len(), &differ[..differ.len().min(12)]);
    assert!(others.is_empty(), "{} of {bad}: {:#?}", others.len(), &others[..others.len().min(12)]);
    assert!(good > 40 && bad > 600, "{good} good, {bad} bad");
}
