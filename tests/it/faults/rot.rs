//! One bit anywhere in any file of a store.

use super::{Place, Said, copy};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Bits per kind of file, where nobody says how many.
const FLIPS: u64 = 4;

/// Codes that may be told, each naming what is damaged.
const CODES: [&str; 6] = [
    "journal-damaged",
    "store-not-opened",
    "book-not-read",
    "beside-not-kept",
    "log-not-read",
    "secret-not-kept",
];

/// The kinds of files, by where they stand.
const KINDS: [&str; 10] = [
    "sled",
    "journal",
    "FORMAT",
    "books",
    "checkpoints",
    "announced",
    "snapshots",
    "exports",
    "mirror",
    "secrets",
];

struct Seeded(u64);

impl Seeded {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn files(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let mut names: Vec<_> =
            fs::read_dir(path).expect("a list").map(|name| name.expect("a name").path()).collect();
        names.sort();
        names.iter().for_each(|name| files(name, found));
    } else if fs::metadata(path).is_ok_and(|found| found.len() > 0) {
        found.push(path.to_path_buf());
    }
}

/// Flips a bit. sled's files are mostly holes, in which nothing stands: a place near something.
fn flip(file: &Path, seeded: &mut Seeded) -> u64 {
    let mut bytes = fs::read(file).expect("readable");
    let written: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at] != 0).collect();
    let near = written[seeded.below(written.len() as u64) as usize] + seeded.below(8) as usize;
    let (at, bit) = (near.min(bytes.len() - 1), seeded.below(8));
    bytes[at] ^= 1 << bit;
    fs::write(file, bytes).expect("written");
    at as u64 * 8 + bit
}

/// What `verify` found: records of the journal, and each event with its records and head.
fn facts(said: &Said) -> Vec<(String, u64, String)> {
    let lines = said.out.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut found: Vec<_> = lines
        .map(|line| match line["tournament"]["id"].as_str() {
            Some(id) => {
                let head = line["head"].as_str().unwrap_or_default().to_string();
                (id.to_string(), line["records"].as_u64().unwrap_or(0), head)
            }
            None => (
                "journal".to_string(),
                line["journal_records"].as_u64().unwrap_or(0),
                String::new(),
            ),
        })
        .collect();
    found.sort();
    found
}

/// The code in brackets, where it names what is damaged.
fn named(said: &Said) -> Option<&'static str> {
    let is_told = |code: &&str| {
        let (told, json) = (format!("[{code}]"), format!("\"code\":\"{code}\""));
        said.err.contains(&told) || said.err.contains(&json)
    };
    CODES.into_iter().find(is_told)
}

#[test]
fn a_flipped_bit_is_told_or_changes_nothing() {
    let place = Place::new();
    place.fill();
    place.does(&["--mirror", "stick", "tournaments"]);
    let (store, good) = (place.path("store"), place.path("good"));
    copy(&store, &good);
    let said = place.does(&["verify", "--json"]);
    assert!(!said.err.contains("note: "), "{}", said.all());
    let whole = facts(&said);
    let log = place.does(&["log", "--tournament", "Friday"]).out;
    assert_eq!(whole.len(), 3);
    let seed = number("SCRUTINEER_SEED").unwrap_or(20_261_121);
    let flips = number("SCRUTINEER_ROT").unwrap_or(FLIPS);
    println!("seed {seed}, {flips} bits for each kind of file");
    let mut seeded = Seeded(seed);
    for kind in KINDS {
        let (mut told, mut harmless) = (0, 0);
        for turn in 0..flips {
            let _ = fs::remove_dir_all(&store);
            copy(&good, &store);
            let mut there = Vec::new();
            files(&store.join(kind), &mut there);
            assert!(!there.is_empty(), "there is no {kind}");
            let file = &there[seeded.below(there.len() as u64) as usize];
            let bit = flip(file, &mut seeded);
            let at = format!("seed {seed}, turn {turn}: bit {bit} of {}", file.display());
            match judge(&place, kind, &whole, &log, &at) {
                true => told += 1,
                false => harmless += 1,
            }
        }
        println!("{kind}: {flips} bits, {told} told, {harmless} changed nothing");
    }
}

/// Reads everything, and says whether something was told.
fn judge(place: &Place, kind: &str, whole: &[(String, u64, String)], log: &str, at: &str) -> bool {
    let read = place.run(&["log", "--tournament", "Friday"]);
    let said = place.run(&["verify", "--json"]);
    let noted = said.err.contains("note: ") || read.err.contains("note: ");
    match said.code() {
        Some(0) => {
            assert_eq!(facts(&said), whole, "{at}: another history");
            // A name may have become another one only where the reader is told.
            assert!(read.code() != Some(0) || read.out == log, "{at}: {}", read.all());
            let asks = said.err.contains("[mirror-unknown]");
            assert!(asks || kind != "mirror", "{at}: mirrored no more, without a word");
            let forgets = place.run(&["forget", "Ann", "--tournament", "Friday", "--dry-run"]);
            assert!(forgets.code() == Some(0) || named(&forgets).is_some(), "{at}");
            noted || forgets.code() != Some(0)
        }
        Some(1) => {
            // Something is named; whatever was read whole is what it was.
            for fact in facts(&said) {
                let told = said.out.contains("\"holds\":false");
                // A flipped digit of an id in the list of exports names a tournament that has no record.
                let is_gone = kind == "exports" && fact.1 == 0;
                let is_known = whole.contains(&fact) || kind == "journal" || is_gone;
                assert!(told && is_known, "{at}: {fact:?}");
            }
            true
        }
        Some(2) => {
            assert!(named(&said).is_some(), "{at}: {}", said.all());
            assert!(said.err.contains("\"hint\":\""), "{at}: {}", said.all());
            if kind != "sled" {
                mends(place, whole, at);
            }
            assert_ne!(kind, "sled", "{at}: {}", said.all());
            true
        }
        other => panic!("{at}: {other:?}: {}", said.all()),
    }
}

/// The mirror brings everything back.
fn mends(place: &Place, whole: &[(String, u64, String)], at: &str) {
    let restored = place.run(&["restore", "--from", "stick"]);
    assert_eq!(restored.code(), Some(0), "{at}: {}", restored.all());
    let said = place.run(&["verify", "--json"]);
    assert_eq!(said.code(), Some(0), "{at}: {}", said.all());
    assert_eq!(facts(&said), whole, "{at}: not everything came back");
    for name in fs::read_dir(place.path(".")).expect("a list") {
        let path = name.expect("a name").path();
        if path.to_string_lossy().contains("store.aside-") {
            fs::remove_dir_all(path).expect("removed");
        }
    }
}
