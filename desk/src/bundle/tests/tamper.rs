//! Records changed, dropped, moved, chained and signed anew.

use super::*;
use crate::follow::bring_in;
use crate::keys::{Key, KeyFolder};
use crate::kit::{FIRST, SECOND, first_result, public, rechained, swapped_result};
use crate::store::Store;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use scrutineer_engine::record::{Header as Envelope, RecordHash, Time};
use scrutineer_projections::standings::FOLD_VERSION;
use scrutineer_replay::trust::checkpoint::Checkpoint;

fn good() -> (Hall, Vec<u8>) {
    let hall = Hall::new();
    let bytes = exported(&hall, Give::Nothing);
    (hall, bytes)
}

/// Every record's bytes changed, whatever stands beside them left as it was.
#[test]
fn a_record_that_is_changed_is_named() {
    let (_, bytes) = good();
    let good = lines(&bytes);
    for (seq, record) in (1..).zip(Parts::of(&bytes).records) {
        for place in 0..record.bytes().len() {
            let mut changed = record.bytes().to_vec();
            changed[place] ^= 1 << (place % 8);
            let (old, new) = (STANDARD.encode(record.bytes()), STANDARD.encode(&changed));
            let mut lines = good.clone();
            lines[seq] = lines[seq].replacen(&old, &new, 1);
            // The ruleset is long: a place of it now and then will do.
            if seq == 1 && place > 400 && place % 97 != 0 {
                continue;
            }
            let found = wrong(&checked(&ended(lines), None, &[]));
            assert!(
                found
                    .iter()
                    .any(|(code, at)| *at == seq as u64 && ["hash", "unreadable"].contains(code)),
                "record {seq}, byte {place}: {found:?}"
            );
        }
    }
}

/// Hash and mirror made again for the changed record, but nothing after it.
#[test]
fn a_record_that_the_next_one_does_not_follow_is_named() {
    let (_, bytes) = good();
    let parts = Parts::of(&bytes);
    for at in 0..parts.records.len() {
        let mut parts = parts.clone();
        parts.records[at] = later(&parts.records[at], parts.records[at].header().previous);
        let found = wrong(&checked(&parts.spell(), None, &[]));
        let (seq, last) = (at as u64 + 1, at + 1 == parts.records.len());
        let expected = if last { ("log-forked", seq) } else { ("chain", seq + 1) };
        assert!(found.contains(&expected), "{seq}: {found:?}");
    }
}

/// A record as if it had been recorded a microsecond later, after this one.
fn later(record: &Record, previous: RecordHash) -> Record {
    let time = Time { unix_micros: record.header().time.unix_micros + 1 };
    let header = Envelope { time, previous, ..record.header() };
    Record::seal(header, record.payload()).expect("a record")
}

#[test]
fn records_dropped_swapped_or_doubled_are_named() {
    let (_, bytes) = good();
    let good = lines(&bytes);
    let count = Parts::of(&bytes).records.len();
    let found = |lines: Vec<String>| wrong(&checked(&ended(lines), None, &[]));
    for seq in 1..=count {
        let mut dropped = good.clone();
        dropped.remove(seq);
        let found_there = found(dropped);
        // What is missing at the end is said at the last record that is there.
        let named =
            if seq == count { ("log-shorter", seq as u64 - 1) } else { ("chain", seq as u64) };
        assert!(found_there.contains(&named), "{seq} dropped: {found_there:?}");
        let mut doubled = good.clone();
        doubled.insert(seq, good[seq].clone());
        let found_there = found(doubled);
        assert!(found_there.contains(&("chain", seq as u64 + 1)), "{seq} twice: {found_there:?}");
        if seq < count {
            let mut swapped = good.clone();
            swapped.swap(seq, seq + 1);
            let found_there = found(swapped);
            assert!(found_there.contains(&("chain", seq as u64)), "{seq} swapped: {found_there:?}");
        }
    }
}

/// A file that ends too early, with everything that follows from its records made again.
#[test]
fn a_shortened_history_is_named_by_its_checkpoints() {
    let (_, bytes) = good();
    let parts = Parts::of(&bytes);
    for count in 1..parts.records.len() {
        let mut parts = parts.clone();
        parts.records.truncate(count);
        parts.tables.retain(|table| table.announced <= count as u64);
        let found = wrong(&checked(&parts.spell(), None, &[]));
        let last = parts.records[count - 1].header();
        assert!(found.iter().any(|(code, _)| *code == "log-shorter"), "{count}: {found:?}");
        assert_eq!(
            last.part < last.parts,
            found.contains(&("command-cut-off", count as u64)),
            "{count}: {found:?}"
        );
    }
}

#[test]
fn a_file_that_is_cut_off_anywhere_is_named() {
    let (_, bytes) = good();
    for end in (0..bytes.len()).step_by(13).chain(bytes.len() - 300..bytes.len()) {
        let found = checked(&bytes[..end], None, &[]);
        assert!(!found.holds(), "cut off after {end} bytes");
    }
}

/// Everything after a change chained anew, every hash and mirror as it should be: the signed
/// checkpoints say between which records.
#[test]
fn a_history_chained_anew_is_named_with_the_interval() {
    let (_, bytes) = good();
    let parts = Parts::of(&bytes);
    let sizes: Vec<u64> = parts.notes.iter().map(|note| signed(note).checkpoint.size).collect();
    for at in 0..parts.records.len() {
        let mut parts = parts.clone();
        parts.records[at] = later(&parts.records[at], parts.records[at].header().previous);
        for next in at + 1..parts.records.len() {
            let previous = parts.records[next - 1].hash();
            let header = Envelope { previous, ..parts.records[next].header() };
            let record = Record::seal(header, parts.records[next].payload());
            parts.records[next] = record.expect("a record");
        }
        let found = checked(&parts.spell(), None, &[]);
        let seq = at as u64 + 1;
        let first = sizes.iter().rev().find(|size| **size < seq).map_or(1, |size| size + 1);
        let last = *sizes.iter().find(|size| **size >= seq).expect("all are covered");
        let interval = match first == last {
            true => format!("record {last} is not the one that was signed"),
            false => format!("among the records {first} to {last} are others than were signed"),
        };
        let is_named = |found: &Found| {
            found.finding.code == "log-forked" && found.finding.sentence.contains(&interval)
        };
        assert!(found.findings.iter().any(is_named), "{seq}: {:?}", found.findings);
    }
}

fn signed(note: &str) -> Signed {
    Signed::read(note.as_bytes()).expect("a checkpoint")
}

/// A result changed, chained anew, and every checkpoint signed anew with this key.
fn forged(parts: &Parts, secret: [u8; 32], change_signer: bool) -> Parts {
    let mut forged = parts.clone();
    if change_signer {
        forged.records = rechained(&forged.records, 1, |event| {
            let Event::TournamentOpened(e) = event else { panic!("the opening") };
            e.signer = Some(public(secret));
        });
    }
    let seq = first_result(&forged.records);
    forged.records = rechained(&forged.records, seq, |event| {
        let Event::ResultRecorded(e) = event else { panic!("no result") };
        // 2-0 becomes 2-1: the same players meet in the next round, so nothing else gives it away.
        e.result.score.seats[1][0] = 1;
    });
    announce_again(&mut forged);
    let history = crate::kit::history(&forged.records);
    let key = Key::from_secret(&secret);
    let again = |note: &String| {
        let size = signed(note).checkpoint.size;
        let checkpoint: Checkpoint = history.checkpoint(size).expect("a command ends there");
        checkpoint.sign([key.signing()]).to_string()
    };
    forged.notes = parts.notes.iter().map(again).collect();
    forged
}

#[test]
fn a_forgery_that_forgets_what_follows_is_named() {
    let (_, bytes) = good();
    let mut parts = Parts::of(&bytes);
    parts.notes.clear();
    let seq = first_result(&parts.records);
    parts.records = rechained(&parts.records, seq, swapped_result);
    let announced = parts.tables[0].announced;
    let found = wrong(&checked(&parts.spell(), None, &[]));
    assert!(found.contains(&("standings-differ", announced)), "{found:?}");
    assert!(found.iter().any(|(code, _)| *code == "pairing-differs"), "{found:?}");
}

#[test]
fn checkpoints_of_another_key_are_named() {
    let (_, bytes) = good();
    let parts = Parts::of(&bytes);
    let stays = forged(&parts, SECOND, false).spell();
    let found = wrong(&checked(&stays, None, &[]));
    assert!(found.iter().any(|(code, _)| *code == "checkpoint-not-signed"), "{found:?}");
    // With the signer changed in the log too, only who knows the organizer's key can tell.
    let changed = forged(&parts, SECOND, true).spell();
    assert_eq!(wrong(&checked(&changed, None, &[])), []);
    let found = wrong(&checked(&changed, Some(public(FIRST)), &[]));
    assert!(found.contains(&("key-not-signed", 0)), "{found:?}");
    let found = checked(&bytes, Some(public(FIRST)), &[]);
    assert!(found.holds() && found.is_attested(), "{:?}", found.findings);
}

/// Whoever has the key can make everything anew: only what was handed out before tells.
#[test]
fn what_the_key_s_owner_changed_shows_against_what_was_handed_out() {
    let (hall, bytes) = good();
    let changed = forged(&Parts::of(&bytes), FIRST, false).spell();
    assert_eq!(wrong(&checked(&changed, Some(public(FIRST)), &[])), [], "undetectable alone");
    let kept = hall.kept();
    let found = checked(&changed, Some(public(FIRST)), &kept);
    let is_named = |found: &&Found| found.finding.code == "log-re-signed";
    let named = found.findings.iter().find(is_named).expect("it is found");
    let seq = first_result(&hall.records());
    let (first, last) = (kept[1].checkpoint.size + 1, kept[2].checkpoint.size);
    assert!((first..=last).contains(&seq));
    let interval = format!("records {first} to {last}");
    assert!(named.finding.sentence.contains(&interval), "{}", named.finding.sentence);
    assert!(checked(&bytes, None, &kept).holds());
}

/// A publisher was sent a rewritten log as a bundle: it was refused, and nobody was told of it again.
#[test]
fn a_rewritten_log_that_comes_in_as_a_bundle_is_remembered_where_both_histories_were_signed() {
    let (hall, bytes) = good();
    let parts = Parts::of(&bytes);
    let rewritten = forged(&parts, FIRST, false).spell();
    let had = |bytes: &[u8]| {
        let store = Store::in_memory();
        brought(&store, bytes).expect("brought in");
        store
    };
    let came = |store: &Store, keys: &KeyFolder| {
        let known = bring_in(store, keys, &mut held(&rewritten), Signatures::NotAsked);
        known.expect_err("another history").code()
    };
    let (publisher, nobodys) = (had(&bytes), KeyFolder::new(None));
    for _ in 0..2 {
        assert_eq!(came(&publisher, &nobodys), "log-re-signed");
        let fork = publisher.rewritten(hall.stream).expect("read").expect("remembered");
        assert_eq!(fork.seq, Some(first_result(&parts.records)));
    }
    let named = crate::verify::fork_of(&publisher, hall.stream).expect("read");
    assert_eq!(named.map(|found| found.code), Some("log-re-signed"));
    assert!(publisher.followed(hall.stream).expect("read").is_none(), "nobody follows it");
    // What somebody recorded in a copy, and nobody signed, is held against nobody; nor is at the desk itself
    // what another of its laptops signed.
    let unsigned = had(&Parts { notes: Vec::new(), ..parts }.spell());
    for (store, keys) in [(&unsigned, &nobodys), (&hall.store, &hall.keys)] {
        assert_eq!(came(store, keys), "other-history");
        assert_eq!(store.rewritten(hall.stream).expect("read"), None);
    }
}

/// Without its checkpoints a history that was made anew shows nothing: `--key` says so.
#[test]
fn a_bundle_whose_checkpoints_were_taken_out_is_not_verified() {
    let (_, bytes) = good();
    let mut parts = Parts::of(&bytes);
    parts.notes.clear();
    assert!(checked(&parts.spell(), None, &[]).holds());
    let found = wrong(&checked(&parts.spell(), Some(public(FIRST)), &[]));
    assert_eq!(found, [("key-not-signed", 0)]);
}

#[test]
fn what_stands_beside_the_records_is_checked() {
    let hall = Hall::new();
    let good = Parts::of(&exported(&hall, Give::Handover));
    let found = |change: &dyn Fn(&mut Parts)| {
        let mut parts = good.clone();
        change(&mut parts);
        wrong(&checked(&parts.spell(), None, &[]))
    };
    type Change<'a> = &'a dyn Fn(&mut Parts);
    let cases: [(&str, Change<'_>, (&str, u64)); 6] = [
        ("a name", &|p| p.entries[1].text = "Eve".into(), ("entry-altered", 0)),
        ("a salt", &|p| p.entries[1].salt[0] ^= 1, ("entry-altered", 0)),
        ("a rank", &|p| p.tables[0].rows[0].0 = 2, ("line-spelling", 0)),
        ("a table", &|p| p.tables[0].announced = 2, ("table-altered", 2)),
        ("a secret", &|p| p.secrets[0][0] ^= 1, ("secret-altered", 0)),
        ("a ruleset", &|p| p.header.rulesets[0][0].text.push(' '), ("header", 0)),
    ];
    for (what, change, expected) in cases {
        let found = found(change);
        assert!(found.contains(&expected), "{what}: {found:?}");
    }
    let mut lines = lines(&good.spell());
    let proven = lines.iter().rposition(|line| line.starts_with("{\"checkpoint\"")).expect("one");
    let at = lines[proven].rfind("\"]}").expect("a proof") - 1;
    let other = if lines[proven].as_bytes()[at] == b'0' { "1" } else { "0" };
    lines[proven].replace_range(at..=at, other);
    let found = wrong(&checked(&ended(lines), None, &[]));
    assert!(found.iter().any(|(code, _)| *code == "checkpoint-proof"), "{found:?}");
}

/// Whoever has the key names a version that nobody knows, so that nobody folds their table again, nor
/// draws their round.
#[test]
fn what_no_version_wrote_is_not_verified_though_the_key_signed_it() {
    let (_, bytes) = good();
    let forged = |change: &dyn Fn(&mut Event)| {
        let mut parts = Parts::of(&bytes);
        for seq in 1..=parts.records.len() as u64 {
            parts.records = rechained(&parts.records, seq, change);
        }
        let history = crate::kit::history(&parts.records);
        let whole = history.checkpoint(history.size()).expect("whole");
        parts.notes = vec![whole.sign([Key::from_secret(&FIRST).signing()]).to_string()];
        let found = checked(&parts.spell(), Some(public(FIRST)), &[]);
        assert_eq!(wrong(&found), [], "{:?}", found.findings);
        assert!(found.is_attested());
        found.unchecked()
    };
    let fold = |version: u32| {
        move |event: &mut Event| {
            if let Event::StandingsAnnounced(e) = event {
                e.fold_version = version;
            }
        }
    };
    let drawn = |method: &'static str, version: u16| {
        move |event: &mut Event| {
            if let Event::RoundOpened(e) = event
                && let Some(used) = e.drawn.as_mut().filter(|_| e.round == 1)
            {
                (used.method, used.version) = (method.into(), version);
            }
        }
    };
    assert_eq!(forged(&|_| {}), 0);
    for version in [0, FOLD_VERSION - 1, FOLD_VERSION + 1, u32::MAX] {
        assert_eq!(forged(&fold(version)), 1, "fold {version}");
    }
    for (method, version) in [("score-group-random", 0), ("score-group-random", 2), ("fair", 1)] {
        assert_eq!(forged(&drawn(method, version)), 1, "{method} {version}");
    }
}

/// The ruleset says how a round is drawn: another method is no other version.
#[test]
fn a_round_drawn_by_another_method_than_the_rulesets_is_named() {
    let (_, bytes) = good();
    let mut parts = Parts::of(&bytes);
    let is_round = |record: &&Record| record.header().kind == 40;
    let seq = parts.records.iter().find(is_round).expect("a round").header().seq;
    parts.records = rechained(&parts.records, seq, |event| {
        let Event::RoundOpened(e) = event else { panic!("{event:?}") };
        e.drawn.as_mut().expect("drawn").method = "ranked-adjacent".into();
    });
    parts.notes.clear();
    let found = wrong(&checked(&parts.spell(), None, &[]));
    assert_eq!(found, [("pairing-differs", seq)]);
}
