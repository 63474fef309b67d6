//! What is found in a history that is good, and in each that is not.

use crate::keys::Key;
use crate::kit::*;
use crate::sign::{SignError, next};
use scrutineer_engine::record::{Record, RecordHash, Time};
use scrutineer_replay::trust::check::*;
use scrutineer_replay::trust::checkpoint::{Checkpoint, Signed};
use scrutineer_replay::trust::held::Held;
use scrutineer_replay::trust::history::History;
use scrutineer_replay::trust::note::PublicKey;
use scrutineer_replay::verify::{Against, Finding, Severity};

fn codes(findings: &[Finding]) -> Vec<&'static str> {
    assert!(findings.iter().all(|finding| CODES.contains(&finding.code)), "{findings:?}");
    findings.iter().map(|finding| finding.code).collect()
}

fn errors(findings: &[Finding]) -> Vec<&'static str> {
    codes(findings)
        .into_iter()
        .zip(findings)
        .filter(|(_, finding)| finding.severity == Severity::Error)
        .map(|(code, _)| code)
        .collect()
}

fn compared(
    history: &History,
    kept: &[Signed],
    known: &[Signed],
    key: Option<&PublicKey>,
) -> Vec<Finding> {
    let against = Against {
        key: key.copied(),
        known: known.iter().cloned().map(Held::from).collect(),
        ..Against::default()
    };
    compare_with_known(history, kept, &against)
}

fn signed_by(records: &[Record], size: usize, secret: [u8; 32]) -> Signed {
    let history = history(&records[..size]);
    let checkpoint = history.checkpoint(size as u64).expect("a command ends there");
    checkpoint.sign([Key::from_secret(&secret).signing()])
}

#[test]
fn a_good_history_has_no_findings_and_extends_each_of_its_checkpoints() {
    let hall = Hall::new();
    let (history, kept) = (hall.history(), hall.kept());
    assert_eq!(kept.len(), 3);
    assert_eq!(check_kept(&history, &kept), []);
    let compared = compared(&history, &kept, &kept, None);
    assert_eq!(codes(&compared), ["known-extended", "known-extended", "known-same"]);
    assert_eq!(errors(&compared), [""; 0]);
    hall.at(|desk| desk.note("late", None).expect("noted"));
    assert_eq!(codes(&check_kept(&hall.history(), &kept)), ["not-covered"]);
}

#[test]
fn what_was_signed_later_covers_the_earlier_records_too() {
    let hall = Hall::new();
    let (history, kept) = (hall.history(), hall.kept());
    let between = kept[0].checkpoint.size + 1;
    assert_eq!(check_kept_until(&history, &kept, between), []);
    assert_eq!(codes(&check_kept_until(&history, &kept[..1], between)), ["not-covered"]);
}

#[test]
fn nothing_is_signed_twice_for_the_same_records() {
    let hall = Hall::new();
    assert_eq!(hall.sign(), hall.sign());
    assert_eq!(hall.kept().len(), 3);
}

#[test]
fn a_history_that_was_cut_short_is_named() {
    let hall = Hall::new();
    let (records, kept) = (hall.records(), hall.kept());
    let short = history(&records[..records.len() - 1]);
    assert_eq!(errors(&check_kept(&short, &kept)), ["log-shorter"]);
    assert_eq!(errors(&compared(&short, &[], &kept, None)), ["log-shorter"]);
    let refused = next(&short, &kept, &hall.keys).expect_err("it is shorter");
    assert_eq!(refused.code(), "log-shorter");
}

#[test]
fn a_changed_record_is_named_by_the_checkpoints_around_it() {
    let hall = Hall::new();
    let (records, kept) = (hall.records(), hall.kept());
    let seq = first_result(&records);
    let changed = history(&rechained(&records, seq, swapped_result));
    let (before, after) = (kept[1].checkpoint.size, kept[2].checkpoint.size);
    assert!(before < seq && seq <= after);
    let found = check_kept(&changed, &kept);
    assert_eq!(errors(&found), ["log-forked"]);
    let place = format!("the records {} to {after}", before + 1);
    assert!(found[0].sentence.contains(&place), "{}", found[0].sentence);
    // Who holds the two around it learns the same; who holds the last one only learns less.
    let found = compared(&changed, &[], &kept, None);
    assert_eq!(codes(&found), ["known-extended", "known-extended", "log-forked"]);
    assert!(found[2].sentence.contains(&place), "{}", found[2].sentence);
    let found = compared(&changed, &[], &kept[2..], None);
    assert!(found[0].sentence.contains(&format!("records 1 to {after}")), "{found:?}");
    assert_eq!(next(&changed, &kept, &hall.keys).expect_err("forked").code(), "log-forked");
}

/// Whoever has the key changes a result and signs everything again: without a checkpoint from
/// outside nobody can tell, with one it is named for what it is.
#[test]
fn a_history_that_was_signed_again_is_told_by_what_others_hold() {
    let hall = Hall::new();
    let (records, known) = (hall.records(), hall.kept());
    let changed = rechained(&records, first_result(&records), swapped_result);
    let again: Vec<Signed> = known
        .iter()
        .map(|signed| signed_by(&changed, signed.checkpoint.size as usize, FIRST))
        .collect();
    let history = history(&changed);
    assert_eq!(check_kept(&history, &again), []);
    let found = compared(&history, &again, &known, None);
    assert_eq!(codes(&found), ["known-extended", "known-extended", "log-re-signed"]);
}

#[test]
fn a_history_made_anew_with_another_key_is_named() {
    let hall = Hall::new();
    let (records, known) = (hall.records(), hall.kept());
    let other = rechained(&records, 1, |event| {
        let Event::TournamentOpened(e) = event else { panic!("{event:?}") };
        e.signer = Some(public(THIRD));
    });
    let history = history(&other);
    let again = [signed_by(&other, other.len(), THIRD)];
    assert_eq!(check_kept(&history, &again), []);
    let found = compared(&history, &again, &known, None);
    assert_eq!(errors(&found), ["known-other-key"; 3]);
    let found = compared(&history, &again, &known, Some(&public(FIRST)));
    assert_eq!(errors(&found), ["known-other-key"; 3]);
    assert!(found[0].sentence.contains("made anew"), "{}", found[0].sentence);
}

#[test]
fn a_checkpoint_that_was_changed_is_no_evidence() {
    let hall = Hall::new();
    let history = hall.history();
    let note = hall.kept()[2].to_string();
    let size = hall.kept()[2].checkpoint.size;
    let changed = note.replacen(&format!("\n{size}\n"), &format!("\n{}\n", size + 1), 1);
    let changed = Signed::read(changed.as_bytes()).expect("a checkpoint");
    let found = compared(&history, &[], std::slice::from_ref(&changed), None);
    assert_eq!(errors(&found), ["known-bad-signature"]);
    assert_eq!(errors(&check_kept(&history, &[changed])), ["log-shorter", "checkpoint-not-signed"]);
    let other = Hall::empty();
    let mut stranger = other.history().checkpoint(5).expect("five records");
    stranger.stream = StreamId([99; 16]);
    let stranger = stranger.sign([Key::from_secret(&FIRST).signing()]);
    let found = compared(&history, &[], std::slice::from_ref(&stranger), None);
    assert_eq!(errors(&found), ["known-other-tournament"]);
    assert_eq!(errors(&check_kept(&history, &[stranger])), ["checkpoint-other-tournament"]);
}

#[test]
fn a_checkpoint_that_says_more_than_the_root_is_held_to_it() {
    let hall = Hall::new();
    let history = hall.history();
    let good = hall.kept()[2].checkpoint;
    let sign = |checkpoint: Checkpoint| checkpoint.sign([Key::from_secret(&FIRST).signing()]);
    let head = sign(Checkpoint { head: RecordHash([5; 32]), ..good });
    let time = sign(Checkpoint { time: Time { unix_micros: 5 }, ..good });
    // In the middle of the command that enrolled four players.
    let root = history.tree().root_at(3).expect("three records");
    let part = sign(Checkpoint { size: 3, root, ..good });
    for (signed, code) in
        [(head, "checkpoint-head"), (time, "checkpoint-time"), (part, "checkpoint-size")]
    {
        let signed = [signed];
        assert_eq!(errors(&check_kept(&history, &signed)), [code]);
        assert_eq!(errors(&compared(&history, &[], &signed, None)), ["known-size"]);
    }
    let twice = [hall.kept()[1].clone(), hall.kept()[1].clone()];
    assert_eq!(errors(&check_kept(&history, &twice)), ["checkpoint-order"]);
    assert_eq!(history.checkpoint(3), None);
    assert_eq!(history.checkpoint(0), None);
    assert_eq!(history.checkpoint(u64::MAX), None);
}

#[test]
fn a_change_of_keys_is_signed_by_both() {
    let hall = Hall::new();
    hall.keys.keep(&Key::from_secret(&SECOND)).expect("kept");
    hall.at(|desk| desk.change_signer(public(SECOND), "a new laptop").expect("recorded"));
    let signed = hall.sign();
    assert_eq!(signed.signatures(), 2);
    assert!(signed.is_signed_by(&public(FIRST)) && signed.is_signed_by(&public(SECOND)));
    hall.at(|desk| desk.note("on", None).expect("noted"));
    let after = hall.sign();
    assert_eq!(after.signatures(), 1);
    assert!(after.is_signed_by(&public(SECOND)));
    assert_eq!(check_kept(&hall.history(), &hall.kept()), []);
    // The old key alone no longer signs for the event.
    let records = hall.records();
    let old = [signed_by(&records, records.len(), FIRST)];
    assert!(errors(&check_kept(&hall.history(), &old)).contains(&"checkpoint-other-key"));
    let foreign = [signed_by(&records, records.len(), THIRD)];
    assert!(errors(&check_kept(&hall.history(), &foreign)).contains(&"checkpoint-not-signed"));
}

#[test]
fn a_lost_key_leaves_its_change_unattested() {
    let hall = Hall::new();
    std::fs::remove_file(hall.keys.file(&public(FIRST)).expect("a file")).expect("lost");
    hall.at(|desk| desk.note("on", None).expect("noted"));
    let refused = next(&hall.history(), &hall.kept(), &hall.keys);
    assert!(matches!(refused, Err(SignError::NoKey { .. })), "{refused:?}");
    hall.keys.keep(&Key::from_secret(&SECOND)).expect("kept");
    hall.at(|desk| desk.change_signer(public(SECOND), "lost").expect("recorded"));
    assert_eq!(hall.sign().signatures(), 1);
    let found = check_kept(&hall.history(), &hall.kept());
    assert_eq!(codes(&found), ["signer-change-unattested"]);
    assert_eq!(errors(&found), [""; 0]);
}

/// A thief signs on a history of their own; the organizer says after how many records their key was
/// no longer theirs.
#[test]
fn what_a_stolen_key_signs_later_is_not_trusted() {
    let hall = Hall::new();
    let last = hall.kept()[2].checkpoint.size;
    hall.keys.keep(&Key::from_secret(&SECOND)).expect("kept");
    hall.at(|desk| {
        desk.retire_key(public(FIRST), last, "stolen").expect("recorded");
    });
    let refused = next(&hall.history(), &hall.kept(), &hall.keys).expect_err("retired");
    assert_eq!(refused.code(), "key-retired");
    hall.at(|desk| desk.change_signer(public(SECOND), "stolen").expect("recorded"));
    let signed = hall.sign();
    assert!(!signed.is_signed_by(&public(FIRST)), "the thief could do that too");
    let found = check_kept(&hall.history(), &hall.kept());
    assert_eq!(codes(&found), ["signer-change-unattested"]);
    let records = hall.records();
    let by_thief = [signed_by(&records, records.len(), FIRST)];
    assert!(codes(&check_kept(&hall.history(), &by_thief)).contains(&"checkpoint-other-key"));
    let mut forged = hall.history().checkpoint(records.len() as u64).expect("complete");
    forged.root = [7; 32];
    let (first, second) = (Key::from_secret(&FIRST), Key::from_secret(&SECOND));
    let theirs = forged.sign([first.signing()]);
    let found = compared(&hall.history(), &hall.kept(), &[theirs], None);
    assert_eq!(errors(&found), ["known-retired-key"]);
    let told = &found[0].sentence;
    let interval = format!("among the records 1 to {}", records.len());
    assert!(told.contains(&interval) && told.contains("retired its key as stolen"), "{told}");
    // Signed by the new key too: that one was never retired, and signed the log as it is.
    let theirs = forged.sign([first.signing(), second.signing()]);
    let found = compared(&hall.history(), &hall.kept(), &[theirs], None);
    assert_eq!(errors(&found), ["log-re-signed"]);
}

/// An honest restore: the copy lacks the last round. Said in the log, it is information; the
/// checkpoint that somebody holds over the lost records still is not matched, and says why.
#[test]
fn a_restored_copy_is_told_from_a_fraud() {
    let (lost, hall) = (Hall::new(), Hall::empty());
    // The same event up to round 1, as chance had it; then another round 1.
    assert_eq!(lost.records()[..5], hall.records()[..]);
    for signed in lost.kept() {
        hall.store.keep_checkpoints(hall.stream, &[signed.to_string()]).expect("kept");
    }
    let known = lost.kept();
    let refused = next(&hall.history(), &hall.kept(), &hall.keys).expect_err("shorter");
    assert_eq!(refused.code(), "log-shorter");
    let last = known[2].checkpoint;
    hall.at(|desk| desk.restored(last.size, last.root, "disk failed").expect("recorded"));
    hall.sign();
    let history = hall.history();
    let found = check_kept(&history, &hall.kept());
    assert_eq!(codes(&found), ["log-restored"]);
    assert_eq!(errors(&found), [""; 0]);
    let found = compared(&history, &hall.kept(), &known, None);
    assert_eq!(codes(&found), ["known-extended", "known-lost", "known-lost"]);
    // Another log of that size is not excused by it.
    let mut other = last;
    other.root = [7; 32];
    let other = other.sign([Key::from_secret(&FIRST).signing()]);
    let found = compared(&history, &hall.kept(), &[other], None);
    assert_eq!(errors(&found), ["log-shorter"]);
}

use scrutineer_engine::event::Event;
use scrutineer_engine::record::StreamId;
