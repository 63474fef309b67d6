//! Receipts that hold, and every way in which one does not.

use crate::keys::Key;
use crate::kit::*;
use scrutineer_engine::event::*;
use scrutineer_engine::record::{Record, StreamId};
use scrutineer_replay::trust::checkpoint::{Checkpoint, Signed};
use scrutineer_replay::trust::held::{Held, Shown};
use scrutineer_replay::trust::receipt::*;

fn log(hall: &Hall) -> Vec<(Seq, Event)> {
    hall.records().iter().map(|record| (record.header().seq, event(record))).collect()
}

/// The receipt of a player under the latest checkpoint.
fn receipt(hall: &Hall, player: u32, earlier: Option<&Held>) -> Receipt {
    let seqs = events_of_player(&log(hall), player, None);
    let records = hall.records().into_iter().filter(|r| seqs.contains(&r.header().seq));
    let records: Vec<(Record, Event)> = records.map(|r| (r.clone(), event(&r))).collect();
    let book = hall.store.books().book(hall.stream).expect("readable");
    let names = names_of_player(&records, &book, player);
    let checkpoint = hall.kept().pop().expect("signed");
    Receipt::of(&hall.history(), &checkpoint, records, earlier, names).expect("a receipt")
}

#[test]
fn a_receipt_holds_what_a_player_did_and_his_name_only() {
    let hall = Hall::new();
    let receipt = receipt(&hall, 3, None);
    let kinds: Vec<u16> = receipt.records.iter().map(|p| p.record.header().kind).collect();
    assert_eq!(kinds, [20, 41, 52, 41], "enrollment, pairing, result, pairing");
    let text = receipt.write();
    assert_eq!(Receipt::read(text.as_bytes()).as_ref(), Ok(&receipt));
    assert!(text.contains("Cid"));
    assert!(["Ann", "Bob", "Dee", "Trust"].iter().all(|other| !text.contains(other)), "{text}");
    assert!(receipt.is_signed_by(|key| *key == public(FIRST)));
    assert!(!receipt.is_signed_by(|key| *key == public(SECOND)));
}

#[test]
fn no_changed_byte_of_a_receipt_passes() {
    let hall = Hall::new();
    let earlier = hall.kept()[1].clone().into();
    let bytes = receipt(&hall, 2, Some(&earlier)).write().into_bytes();
    assert!(Receipt::read(&bytes).is_ok());
    for place in 0..bytes.len() {
        for bit in [0, 5] {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1 << bit;
            let read = Receipt::read(&damaged);
            assert!(read.is_err(), "bit {bit} of byte {place}");
        }
    }
    for end in 0..bytes.len() {
        assert!(Receipt::read(&bytes[..end]).is_err(), "cut at {end}");
    }
}

#[test]
fn a_receipt_under_a_later_checkpoint_extends_the_one_that_somebody_holds() {
    let hall = Hall::new();
    let (one, two) = (hall.kept()[1].clone(), hall.kept()[2].clone());
    let (held, last) = (one.checkpoint, two.checkpoint);
    let plain = receipt(&hall, 1, None);
    assert_eq!(plain.leads_to(&two.into(), false), Ok(()));
    let (size, held_size) = (last.size, held.size);
    let silent = ReceiptError::NotComparable { held: held_size, size };
    assert_eq!(plain.leads_to(&one.clone().into(), false), Err(silent));
    let extending = receipt(&hall, 1, Some(&one.clone().into()));
    assert_eq!(extending.leads_to(&one.clone().into(), false), Ok(()));
    let own = Key::from_secret(&FIRST);
    let mut forged = held;
    forged.root = [3; 32];
    let signed = forged.sign([own.signing()]);
    assert_eq!(extending.leads_to(&signed.into(), true), Err(ReceiptError::OtherCheckpoint));
    forged = last;
    forged.stream = StreamId([9; 16]);
    let other = ReceiptError::OtherEvent { held: forged.stream, own: hall.stream };
    assert_eq!(extending.leads_to(&forged.sign([own.signing()]).into(), true), Err(other));
    let of = |earlier: Checkpoint| {
        let (kept, earlier) = (hall.kept(), earlier.sign([own.signing()]).into());
        Receipt::of(&hall.history(), &kept[2], Vec::new(), Some(&earlier), Vec::new())
    };
    assert!(of(held).is_ok_and(|r| Receipt::read(r.write().as_bytes()) == Ok(r)));
    forged = held;
    forged.root = [3; 32];
    assert_eq!(of(forged), Err(ReceiptError::NotExtended { size: held_size }));
}

/// The records that somebody holds, forged ones behind them, and all of it signed with a key that
/// nobody knows.
#[test]
fn a_proof_that_anybody_could_have_signed_does_not_lead_to_what_is_held() {
    let hall = Hall::new();
    let held = hall.kept()[1].clone();
    let records = hall.records();
    let seq = first_result(&records);
    assert!(seq > held.checkpoint.size, "the result came after what is held");
    let forged = history(&rechained(&records, seq, swapped_result));
    assert!(forged.begins_with(&held.checkpoint));
    let thief = Key::from_secret(&THIRD);
    let whole = forged.checkpoint(forged.size()).expect("whole");
    let theirs = whole.sign([thief.signing()]);
    let earlier = held.clone().into();
    let earlier = Some(&earlier);
    let refused = Receipt::of(&forged, &theirs, Vec::new(), earlier, Vec::new());
    assert_eq!(refused, Err(ReceiptError::NotSigned), "the program makes none with such a key");
    let own = whole.sign([Key::from_secret(&FIRST).signing()]);
    let mut proof = Receipt::of(&forged, &own, Vec::new(), earlier, Vec::new()).expect("a proof");
    (proof.checkpoint, proof.signers) = (theirs, vec![public(THIRD)]);
    let proof = Receipt::read(proof.write().as_bytes()).expect("it is in order by itself");
    let other = ReceiptError::OtherSigner { signers: vec![public(THIRD)] };
    assert_eq!(proof.leads_to(&held.clone().into(), false), Err(other));
    // Who names that key themselves says that they know whose it is.
    assert_eq!(proof.leads_to(&held.clone().into(), true), Ok(()));
    // A sheet is signed by nobody: what stands behind it, anybody may have written.
    let sheet = Held::Shown(Shown::of(&held.checkpoint));
    let other = ReceiptError::OtherSigner { signers: vec![public(THIRD)] };
    assert_eq!(proof.leads_to(&sheet, false), Err(other));
    assert_eq!(receipt(&hall, 1, Some(&sheet)).leads_to(&sheet, true), Ok(()));
    let sheet = Held::Shown(Shown::of(&hall.kept()[2].checkpoint));
    assert_eq!(receipt(&hall, 1, None).leads_to(&sheet, false), Ok(()));
    // What is held was changed itself.
    let text = hall.kept()[2].to_string();
    let own = receipt(&hall, 1, None);
    let lines: Vec<&str> = text.lines().collect();
    let changed = text.replacen(lines[4], &format!("head {}", "0".repeat(64)), 1);
    let changed = Signed::read(changed.as_bytes()).expect("it can be read");
    assert_eq!(own.leads_to(&changed.into(), true), Err(ReceiptError::ChangedCheckpoint));
}

#[test]
fn what_a_receipt_only_claims_does_not_pass() {
    let hall = Hall::new();
    let good = receipt(&hall, 1, None);
    let read = |receipt: &Receipt| Receipt::read(receipt.write().as_bytes());
    let mut other = good.clone();
    other.signers = vec![public(SECOND)];
    assert_eq!(read(&other), Err(ReceiptError::NotSigned));
    other.signers = vec![public(FIRST); 2];
    assert_eq!(read(&other), Err(ReceiptError::NotSigned));
    other.signers.clear();
    assert_eq!(read(&other), Err(ReceiptError::NotSigned));
    // A record of a changed log, with the proof of the true one.
    let records = hall.records();
    let seq = first_result(&records);
    let mut other = good.clone();
    let changed = rechained(&records, seq, swapped_result);
    let place = other.records.iter().position(|p| p.record.header().seq == seq);
    if let Some(place) = place {
        other.records[place].record = changed[seq as usize - 1].clone();
        other.records[place].event = event(&changed[seq as usize - 1]);
        assert_eq!(read(&other), Err(ReceiptError::NotIncluded { seq }));
    }
    let mut other = good.clone();
    other.records[0].event = event(&records[2]);
    let seq = other.records[0].record.header().seq;
    assert_eq!(read(&other), Err(ReceiptError::OtherMirror { seq }));
    let mut other = good.clone();
    other.records.swap(0, 1);
    assert!(matches!(read(&other), Err(ReceiptError::Malformed { .. })));
    let mut other = good.clone();
    other.names[0].text = "Zed".into();
    assert_eq!(read(&other), Err(ReceiptError::OtherName { number: good.names[0].number }));
    let mut other = good.clone();
    other.names.push(good.names[0].clone());
    assert_eq!(read(&other), Err(ReceiptError::OtherName { number: good.names[0].number }));
    let uncovered = (records.last().expect("a record").clone(), event(&records[0]));
    let first = &hall.kept()[0];
    let refused =
        Receipt::of(&hall.history(), first, vec![uncovered], None, Vec::new()).map(|_| ());
    let (seq, size) = (records.len() as u64, first.checkpoint.size);
    assert_eq!(refused, Err(ReceiptError::NotCovered { seq, size }));
}

#[test]
fn what_is_no_receipt_is_refused() {
    let text = receipt(&Hall::new(), 1, None).write();
    let newer = text.replacen("{\"receipt\":1,", "{\"receipt\":2,", 1);
    assert_eq!(Receipt::read(newer.as_bytes()), Err(ReceiptError::Newer { version: 2 }));
    let spaced = text.replacen("{\"receipt\":1,", "{\"receipt\": 1,", 1);
    let more = text.replacen("{\"receipt\":1,", "{\"receipt\":1,\"more\":1,", 1);
    let twice = text.replacen("{\"receipt\":1,", "{\"receipt\":1,\"receipt\":1,", 1);
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let long = " ".repeat(MAX_RECEIPT + 1);
    for bad in ["", "{}", "null", "[]", &spaced, &more, &twice, &deep, &long, &text[..40]] {
        let read = Receipt::read(bad.as_bytes());
        assert_eq!(read.map_err(|error| error.code().word), Err("bad-receipt"));
    }
}
