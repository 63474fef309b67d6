//! Whoever forges: every kind of it that anybody thought of is a row, with what the program answers.
//!
//! A row is a name, a forgery of the files of a true tournament, the command that somebody would
//! run on them, and its answer. A new kind is one more row. The harness plays the tournament once,
//! and holds each row to it: the true files pass the same command, the forged ones are others, and
//! what was forged is found.

mod beside;
mod bundle;
mod checkpoint;
mod files;
mod history;
mod parts;
mod receipt;
mod store;

use crate::cli::desk::{Desk, Said};
pub use files::all_files;
use files::{Place, copied};
pub use history::{fold_before_any, like_shipped, method_name, unknown_fold};
pub use parts::Parts;
use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

/// The organizer's key, as the desk of a test has it; whoever forges knows it only where they are the
/// organizer themselves.
const ORGANISER: [u8; 32] = [7; 32];
/// The key of somebody else.
const STRANGER: [u8; 32] = [9; 32];

/// One kind of forgery.
struct Row {
    /// What is forged, in words.
    name: &'static str,
    /// The forgery.
    forge: fn(&Place),
    /// The command that finds it.
    ask: &'static [&'static str],
    /// Its exit code, and what it has to say: a code in brackets, or words.
    answer: (i32, &'static str),
}

fn row(
    name: &'static str,
    forge: fn(&Place),
    ask: &'static [&'static str],
    answer: (i32, &'static str),
) -> Row {
    Row { name, forge, ask, answer }
}

fn rows() -> Vec<Row> {
    let mut all = bundle::rows();
    all.extend(beside::rows());
    all.extend(history::rows());
    all.extend(checkpoint::rows());
    all.extend(receipt::rows());
    all.extend(store::rows());
    all
}

/// A true tournament of five with byes, a drop and a correction, another one of the same
/// organizer, and all that was handed out.
fn play() -> Desk {
    let desk = Desk::new();
    let run = |word: &str, words: &[&str]| {
        let mut command = desk.command(words);
        command.env("SCRUTINEER_REHEARSE", word);
        let said = Said::of(command.output().expect("it runs"));
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
    };
    for (store, title) in [("store", "Spring Open"), ("other", "Autumn Open")] {
        let at = |words: &[&str]| run(title, &[&["--store", store], words].concat());
        let file = |name: &str| format!("{}{name}", if store == "other" { "other-" } else { "" });
        at(&["new", title, "--rules", "mtr", "--phase", "swiss:3"]);
        at(&["enroll", "Ann", "--id", "A-100"]);
        at(&["enroll", "Bob", "Cid", "Dee", "Eve"]);
        for round in 1..=3 {
            at(&["pair"]);
            at(&["publish"]);
            at(&["result", "1", "2-0"]);
            at(&["result", "2", "1-2"]);
            if round == 1 {
                at(&["correct", "1", "2-1", "--reason", "a game was forgotten"]);
                at(&["note", "the clock of table 2 stood still"]);
            }
            if round == 2 {
                at(&["drop", "Eve"]);
            }
            at(&["announce"]);
            at(&["checkpoint", "--output", &file(&format!("round-{round}.txt"))]);
        }
        at(&["close"]);
        at(&["checkpoint", "--output", &file("last.txt")]);
        at(&["export", "--output", &file("open.bundle")]);
        at(&["export", "--roster", "--output", &file("roster.bundle")]);
        at(&["export", "--handover", "--output", &file("handover.bundle")]);
        at(&["prove", "Ann", "--output", &file("ann.json")]);
        at(&["prove", "Bob", "--output", &file("bob.json")]);
        let extending = ["prove", "Ann", "--extends", &file("round-1.txt")];
        at(&[&extending[..], &["--output", &file("ann-extends.json")]].concat());
        at(&["snapshots", "--take"]);
        at(&["backup", &file("stick")]);
    }
    desk
}

fn truth() -> &'static BTreeMap<PathBuf, Vec<u8>> {
    static TRUTH: OnceLock<BTreeMap<PathBuf, Vec<u8>>> = OnceLock::new();
    TRUTH.get_or_init(|| all_files(&play().path("")))
}

fn says(said: &Said, words: &str) -> bool {
    said.all().contains(words)
}

#[test]
fn the_true_files_pass_every_command_that_finds_a_forgery() {
    let place = copied(truth());
    let rows = rows();
    let mut asked: BTreeMap<&[&str], Said> = BTreeMap::new();
    for row in &rows {
        let said = asked.entry(row.ask).or_insert_with(|| place.desk.run(row.ask));
        assert_eq!(said.code, 0, "{:?}: {}", row.ask, said.all());
        assert!(!says(said, row.answer.1), "{}: true files: {}", row.name, said.all());
    }
}

/// Forges a row, and says what is wrong about the answer.
fn found(row: &Row) -> Result<(), String> {
    let place = copied(truth());
    let forging = AssertUnwindSafe(|| (row.forge)(&place));
    std::panic::catch_unwind(forging).map_err(|_| "it cannot be forged like this".to_string())?;
    if all_files(&place.desk.path("")) == *truth() {
        return Err("nothing is forged".into());
    }
    let said = place.desk.run(row.ask);
    let (code, words) = row.answer;
    // Whoever could not look has no result, and what could not be checked is not verified.
    let goes_with_it = match code {
        2 => said.out.is_empty(),
        3 => says(&said, "not verified: "),
        _ => true,
    };
    match said.code == code && says(&said, words) && goes_with_it {
        true => Ok(()),
        false => Err(format!("{code} and {words} expected\n{}", said.all())),
    }
}

#[test]
fn every_forgery_is_found() {
    let rows = rows();
    let names: std::collections::BTreeSet<&str> = rows.iter().map(|row| row.name).collect();
    assert_eq!(names.len(), rows.len(), "a name stands twice");
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(what) = found(row) {
                        let what = format!("{}: {what}", row.name);
                        wrong.lock().expect("nobody panics with it").push(what);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("nobody panics with it");
    println!("{} kinds of forgery", rows.len());
    assert!(wrong.is_empty(), "{} not found:\n{}", wrong.len(), wrong.join("\n"));
    assert!(rows.len() >= 100, "{} kinds", rows.len());
}

#[test]
fn what_could_not_be_checked_is_taken_where_somebody_asks_for_it() {
    let place = copied(truth());
    place.parts("handover.bundle", unknown_fold);
    for ask in [
        &["rebuild", "--rules", "carde", "--season", "handover.bundle"][..],
        &["adopt", "handover.bundle", "--dry-run"],
        &["--store", "theirs", "bundle", "import", "handover.bundle"],
    ] {
        assert_eq!(place.desk.run(ask).code, 3, "{ask:?}");
        let said = place.desk.run(&[ask, &["--unsigned"]].concat());
        assert!(said.code != 3 && !says(&said, "[bundle-not-checked]"), "{ask:?}: {}", said.all());
    }
}

/// Every verb that records something asks the keys first whether this is the log that was signed.
#[test]
fn no_verb_records_in_another_log_than_the_one_that_was_signed_here() {
    let key = in_fours(&parts::public(ORGANISER)[..10]);
    for ask in [
        &["keys", "rotate", "--reason", "a new laptop", "--tournament", "Spring Open"][..],
        &["keys", "retire", &key, "--reason", "stolen"],
        &["adopt", "handover.bundle"],
        &["forget", "Ann", "--yes"],
    ] {
        let place = copied(truth());
        store::other_history(&place);
        let journal = || place.read("store/journal/00000001.seg");
        // Whoever only looks settles what was there.
        place.desk.run(&["standings"]);
        let before = journal();
        let said = place.desk.run(ask);
        assert_ne!(said.code, 0, "{ask:?}: {}", said.all());
        assert!(says(&said, "[log-forked]"), "{ask:?}: {}", said.all());
        assert!(before == journal(), "{ask:?} recorded something: {}", said.all());
    }
}

fn in_fours(bytes: &[u8]) -> String {
    let twos = |two: &[u8]| two.iter().map(|byte| format!("{byte:02x}")).collect();
    bytes.chunks(2).map(twos).collect::<Vec<String>>().join(" ")
}
