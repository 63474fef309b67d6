//! Simulated desks: whole tournaments through the handler, with several desks, a log that
//! fails and clocks that jump, and an auditor with a picture of their own who looks after each step.
//! See docs/RELIABILITY.md.
//!
//! `SCRUTINEER_DRILL=20000` plays so many; `SCRUTINEER_DRILL_SEED=17` plays the one of this seed
//! and tells all of its last steps. Both hold for those in memory and for those on a database.

mod asks;
mod auditor;
mod caught;
mod database;
mod flaky;
mod hall;
mod legal;
mod line;
mod model;
mod picture;
mod points;
mod words;

use flaky::Flaky;
use hall::{Counts, Hall};
use scrutineer_projections::ruleset::{Library, Ruleset};
use std::ops::Range;
use std::sync::Arc;

fn rules() -> Arc<Ruleset> {
    Arc::new(Library::shipped().ruleset("mtr").expect("a shipped ruleset"))
}

/// Plays the tournament of a seed; where something is found, tells what and the last steps.
fn play(seed: u64, store: &Flaky, rules: &Arc<Ruleset>, counts: &mut Counts) {
    let mut hall = Hall::new(seed, store, rules, counts);
    if let Err(finding) = hall.play() {
        let steps: Vec<&str> = hall.steps.iter().rev().map(String::as_str).collect();
        panic!(
            "seed {seed}: {}: {}\nlast steps:\n  {}\nagain: SCRUTINEER_DRILL_SEED={seed} cargo test \
             --test it drill -- --nocapture",
            finding.name,
            finding.sentence,
            steps.join("\n  ")
        );
    }
}

fn from_environment(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// The seeds that are asked for, or so many.
fn seeds(few: u64) -> Range<u64> {
    let seeds = match from_environment("SCRUTINEER_DRILL_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..from_environment("SCRUTINEER_DRILL").unwrap_or(few),
    };
    println!("drill: seeds {} to {}", seeds.start, seeds.end - 1);
    seeds
}

/// Tells what was drilled, and that nothing was left out; a single seed may leave something out.
fn tell(counts: &Counts, seeds: &Range<u64>, expected: &[&str]) {
    for (what, count) in counts {
        println!("{count:>9}  {what}");
    }
    let one = seeds.end - seeds.start == 1;
    for what in expected.iter().flat_map(|line| line.split("; ")) {
        assert!(one || counts.get(what).is_some_and(|count| *count > 0), "no `{what}` was drilled");
    }
}

#[test]
fn every_desk_is_answered_truly_whatever_fails() {
    let rules = rules();
    let mut counts = Counts::new();
    let seeds = seeds(200);
    for seed in seeds.clone() {
        play(seed, &Flaky::in_memory(), &rules, &mut counts);
    }
    tell(&counts, &seeds, &EXPECTED);
}

/// What a drill would be worth little without.
const EXPECTED: [&str; 11] = [
    "duplicate; reordered; answer lost; sent again without an answer; sent twice at once",
    "crash before append; crash between append and answer; crash between words and events",
    "append stopped, nothing kept; append stopped, records kept; a few conflicts; conflict storm",
    "command() failed; head() failed; read() failed; book not written; started from a snapshot",
    "somebody else in between; clock set back; clock set forward; logs with a clock set back",
    "refused: command-id-reused; refused: moved; refused: too-busy; refused: log-not-written",
    "refused: closed; refused: twice-in-round; refused: not-taking-part; refused: still-needed",
    "refused: impossible-score; refused: results-missing; refused: round-completed",
    "answered: new; answered: repeated; tournaments closed; match points compared",
    "event: withdrawn; event: result corrected; event: player reinstated; event: dispute ruled",
    "event: phase ended; event: lots drawn; event: bye; event: player advanced; event: penalty",
];
