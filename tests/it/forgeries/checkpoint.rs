//! Forged checkpoints, as somebody would hold them against a store or a bundle.

use super::files::Place;
use super::parts::{sign, signed};
use super::{ORGANISER, Row, STRANGER, row};
use scrutineer_engine::record::{RecordHash, StreamId};
use scrutineer_replay::trust::checkpoint::Checkpoint;

const EXTENDS: &[&str] = &["checkpoint", "--extends", "round-2.txt"];
const KNOWN: &[&str] = &["bundle", "verify", "open.bundle", "--known", "round-2.txt"];
const VERIFY: &[&str] = &["verify", "--known", "round-2.txt"];

/// Changes what is signed; the signature stays.
fn altered(place: &Place, change: impl FnOnce(&mut Checkpoint)) {
    let note = place.text("round-2.txt");
    let mut checkpoint = signed(&note).checkpoint;
    let before = checkpoint.text();
    change(&mut checkpoint);
    let note = note.replacen(&before, &checkpoint.text(), 1);
    place.desk.write("round-2.txt", note.as_bytes());
}

/// Changes what is signed, and signs it.
fn signed_anew(place: &Place, secret: [u8; 32], change: impl FnOnce(&mut Checkpoint)) {
    let mut checkpoint = signed(&place.text("round-2.txt")).checkpoint;
    change(&mut checkpoint);
    place.desk.write("round-2.txt", sign(checkpoint, secret).as_bytes());
}

pub fn rows() -> Vec<Row> {
    vec![
        row(
            "a checkpoint has another size",
            |p| altered(p, |c| c.size += 1),
            EXTENDS,
            (1, "[known-bad-signature]"),
        ),
        row(
            "a checkpoint has another root",
            |p| altered(p, |c| c.root[31] ^= 1),
            EXTENDS,
            (1, "[known-bad-signature]"),
        ),
        row(
            "a checkpoint has another time",
            |p| altered(p, |c| c.time.unix_micros += 1),
            VERIFY,
            (1, "[known-bad-signature]"),
        ),
        row(
            "a checkpoint has another last record",
            |p| altered(p, |c| c.head = RecordHash([5; 32])),
            KNOWN,
            (1, "[known-bad-signature]"),
        ),
        row(
            "a checkpoint is said to be of another tournament",
            |p| altered(p, |c| c.stream = StreamId([5; 16])),
            EXTENDS,
            (1, "[known-other-tournament]"),
        ),
        row(
            "a checkpoint is of another tournament of the same organizer",
            |p| p.desk.write("round-2.txt", &p.read("other-round-2.txt")),
            KNOWN,
            (1, "[known-other-tournament]"),
        ),
        row(
            "a checkpoint is signed by a stranger",
            |p| signed_anew(p, STRANGER, |_| {}),
            EXTENDS,
            (1, "[known-other-key]"),
        ),
        row(
            "a checkpoint over other records is signed by a stranger",
            |p| signed_anew(p, STRANGER, |c| c.root[0] ^= 1),
            KNOWN,
            (1, "[known-other-key]"),
        ),
        row(
            "a checkpoint over other records is signed by the organizer",
            |p| signed_anew(p, ORGANISER, |c| c.root[0] ^= 1),
            EXTENDS,
            (1, "[log-re-signed]"),
        ),
        row(
            "a checkpoint over more records than there are is signed by the organizer",
            |p| signed_anew(p, ORGANISER, |c| c.size += 1_000),
            VERIFY,
            (1, "[log-shorter]"),
        ),
        row(
            "a checkpoint of the right records names another time",
            |p| signed_anew(p, ORGANISER, |c| c.time.unix_micros += 1),
            EXTENDS,
            (1, "[known-size]"),
        ),
        row(
            "a checkpoint of the right records names another last record",
            |p| signed_anew(p, ORGANISER, |c| c.head = RecordHash([5; 32])),
            KNOWN,
            (1, "[known-size]"),
        ),
        row(
            "the signature of a checkpoint is of another round",
            |p| {
                let of = |note: &str| note.split_once("\n\n").expect("a note").1.to_string();
                let other = of(&p.text("round-1.txt"));
                let note = p.text("round-2.txt");
                p.desk.write("round-2.txt", note.replace(&of(&note), &other).as_bytes());
            },
            KNOWN,
            (1, "[known-bad-signature]"),
        ),
        row(
            "a checkpoint has no signature",
            |p| {
                let note = p.text("round-2.txt");
                let (text, _) = note.split_once("\n\n").expect("a note");
                p.desk.write("round-2.txt", format!("{text}\n\n").as_bytes());
            },
            EXTENDS,
            (2, "[bad-checkpoint]"),
        ),
        row(
            "a checkpoint has more lines than are signed",
            |p| p.replace("round-2.txt", "\nhead ", "\nwinner Ann\nhead "),
            EXTENDS,
            (2, "[bad-checkpoint]"),
        ),
        row(
            "a checkpoint is of another kind of tree",
            |p| p.replace("round-2.txt", "scrutineer/blake3/", "scrutineer/sha256/"),
            KNOWN,
            (2, "[bad-checkpoint]"),
        ),
    ]
}
