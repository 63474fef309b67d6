//! A short run of the trials, and proofs that they can fail. The long run is
//! `cargo run -p scrutineer-power -- run --count 1000`.

use scrutineer_power::child::recorder;
use scrutineer_power::power::Outcome;
use scrutineer_power::trials::{self, Setting, Trial};
use std::path::Path;

/// Runs a trial; nothing where power cuts can't be recorded, which is said, and fails where nothing
/// may be skipped.
fn run(trial: Trial, count: usize, faults: &str) -> Option<Outcome> {
    if recorder().is_none() {
        assert!(
            std::env::var_os("SCRUTINEER_NO_SKIPS").is_none(),
            "there is no recorder here, and no test may be skipped"
        );
        eprintln!("skipped: power cuts are recorded on Linux only");
        return None;
    }
    let seed = fastrand::u64(..);
    println!("{trial:?}: seed {seed}");
    let folder = trials::folder().expect("a folder");
    let program = Path::new(env!("CARGO_BIN_EXE_scrutineer-power"));
    let setting = Setting { program, folder: folder.path(), count, seed, faults };
    let outcome = trials::run(trial, &setting).expect("the trial runs");
    assert!(outcome.points > 0);
    Some(outcome)
}

/// Nothing acknowledged is lost, and something was looked for.
fn loses_nothing(trial: Trial, count: usize) {
    let Some(outcome) = run(trial, count, "") else { return };
    println!("{trial:?}: {} times, {} events", outcome.points, outcome.found.events);
    let again = outcome.first_bad;
    assert!(outcome.found.faults.is_empty(), "{:#?}; {again:?}", outcome.found.faults);
    assert!(outcome.found.lost == 0 && outcome.found.events > 0);
}

#[test]
fn power_cuts_while_a_store_is_begun() {
    loses_nothing(Trial::Creation, 30);
}

#[test]
fn power_cuts_while_commands_are_appended() {
    loses_nothing(Trial::Steady, 30);
    loses_nothing(Trial::Rollover, 30);
    loses_nothing(Trial::Group, 15);
}

#[test]
fn power_cuts_around_large_commands_and_values() {
    loses_nothing(Trial::Values, 8);
    loses_nothing(Trial::Large, 4);
}

#[test]
fn power_cuts_while_names_snapshots_and_secrets_are_kept() {
    loses_nothing(Trial::Names, 30);
    loses_nothing(Trial::Snapshots, 10);
}

#[test]
fn power_cuts_while_a_store_is_mirrored() {
    loses_nothing(Trial::Mirror, 30);
}

#[test]
fn power_cuts_after_a_power_cut_a_kill_or_a_failed_sync() {
    loses_nothing(Trial::Recovery, 20);
    loses_nothing(Trial::KilledFirst, 60);
    loses_nothing(Trial::FailedSync, 30);
}

#[test]
fn files_are_flushed_as_windows_demands_or_nobody_could_enroll_there() {
    // It flushes no file through a handle that may not write; the recorder ends a worker that tries.
    for trial in [Trial::Names, Trial::Snapshots, Trial::Mirror, Trial::Recovery] {
        loses_nothing(trial, 8);
    }
}

#[test]
fn kill_nine() {
    loses_nothing(Trial::Kill, 6);
}

#[test]
fn disks_that_fail_or_are_full() {
    loses_nothing(Trial::SyncFails, 15);
    loses_nothing(Trial::DiskFull, 15);
    loses_nothing(Trial::ShortWrite, 10);
}

#[test]
fn a_second_process_is_refused() {
    loses_nothing(Trial::TwoProcesses, 2);
}

#[test]
fn a_journal_that_is_not_synced_loses_events() {
    let Some(outcome) = run(Trial::Steady, 10, "sync:/journal/:0:swallow") else { return };
    assert!(outcome.found.lost > 0, "the harness sees no loss where nothing is synced");
}

#[test]
fn folders_that_are_not_synced_lose_events() {
    for trial in [Trial::Creation, Trial::Rollover] {
        let Some(outcome) = run(trial, 10, "folder::0:swallow") else { return };
        assert!(outcome.found.lost > 0, "{trial:?} sees no loss where no folder is synced");
    }
}

#[test]
fn a_book_that_is_not_synced_loses_names() {
    let Some(outcome) = run(Trial::Names, 10, "sync:/books/:0:swallow") else { return };
    assert!(outcome.found.lost > 0, "the harness sees no loss where no book is synced");
}
