//! Everything that reads foreign bytes takes its seeds, and what becomes of them where bytes change: the short form of
//! `fuzz/run`, which searches by coverage, for hours if it is asked to.

use crate::random_tournaments::dice::Dice;
use std::fs;
use std::path::{Path, PathBuf};

#[allow(missing_docs)]
#[path = "../../fuzz/src/lib.rs"]
mod targets;

/// How many changed seeds each target is given.
const CASES: usize = 60;
/// The longest input, as for the fuzzer's largest seeds.
const LONGEST: usize = 32_768;

/// The seeds of a target, as `fuzz/run` gives them.
fn seeds(name: &str, golden: &Path) -> Vec<Vec<u8>> {
    let own = golden.join(name);
    let folder = match name {
        "record" | "event" | "story" => own,
        "ruleset" => PathBuf::from("projections/rulesets"),
        _ => Some(Path::new("fuzz/seeds").join(name))
            .filter(|own| own.is_dir())
            .unwrap_or_else(|| "formats/fuzz-seeds".into()),
    };
    let files = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("listed").path()).collect();
    files.retain(|file| file.is_file());
    files.sort();
    let mut seeds: Vec<Vec<u8>> = files.iter().map(|file| fs::read(file).expect("read")).collect();
    seeds.iter_mut().for_each(|seed| seed.truncate(LONGEST));
    seeds
}

/// Some bytes of a seed are other ones, are gone, stand twice, or are those of another seed.
fn changed(seed: &[u8], other: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=dice.below(6) {
        let at = dice.below(bytes.len() + 1);
        let end = at + dice.below((bytes.len() - at).min(40) + 1);
        match dice.below(6) {
            0 if at < bytes.len() => bytes[at] ^= 1 << dice.below(8),
            1 if at < bytes.len() => {
                bytes[at] = *b"0-,;:\"<{\n\x00\xff".get(dice.below(11)).expect("one of them")
            }
            2 => drop(bytes.drain(at..end)),
            3 => {
                let twice = bytes[at..end].to_vec();
                bytes.splice(at..at, twice);
            }
            4 => {
                let from = dice.below(other.len() + 1);
                let part = other[from..].iter().take(40).copied();
                bytes.splice(at..at, part);
            }
            _ => bytes.truncate(at.max(bytes.len() / 2)),
        }
    }
    bytes.truncate(LONGEST);
    bytes
}

#[test]
fn every_reader_takes_its_seeds_and_what_becomes_of_them_where_bytes_change() {
    let golden = tempfile::tempdir().expect("a folder");
    targets::golden::fill(golden.path()).expect("written");
    for (number, (name, read)) in targets::targets().into_iter().enumerate() {
        let seeds = seeds(&name, golden.path());
        assert!(!seeds.is_empty(), "{name} has no seed");
        seeds.iter().for_each(|seed| read(seed));
        let mut dice = Dice(number as u64);
        for case in 0..CASES {
            let seed = &seeds[dice.below(seeds.len())];
            let bytes = changed(seed, &seeds[dice.below(seeds.len())], &mut dice);
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| read(&bytes)));
            assert!(done.is_ok(), "{name}, case {case}: {:?}", String::from_utf8_lossy(&bytes));
        }
    }
}
