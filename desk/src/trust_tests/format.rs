//! The examples of docs/FORMAT.md are what the code writes.

use crate::keys::Key;
use crate::kit::event;
use scrutineer_engine::book::{Field, PrivateEntry, commit};
use scrutineer_engine::event::{Event, PlayerCheckedIn, PlayerEnrolled, SignerChanged};
use scrutineer_engine::record::{Actor, CommandId, Header, Record, RecordHash, StreamId, Time};
use scrutineer_replay::trust::checkpoint::{Checkpoint, Signed};
use scrutineer_replay::trust::history::History;
use scrutineer_replay::trust::note::{key_id, verifier_key};
use scrutineer_replay::trust::receipt::Receipt;
use scrutineer_replay::trust::tree::Tree;

fn hex(bytes: &[u8]) -> String {
    scrutineer_engine::record::to_hex(bytes)
}

fn key() -> Key {
    Key::from_secret(&[1; 32])
}

/// Three records of the stream `sixteen bytes id`: the key is named, Zoë takes part and is here.
fn records() -> (Vec<Record>, PrivateEntry) {
    let stream = StreamId(*b"sixteen bytes id");
    let zoe = PrivateEntry { number: 1, field: Field::Name, salt: [7; 32], text: "Zoë".into() };
    let why = PrivateEntry { number: 2, field: Field::Reason, salt: [8; 32], text: "new".into() };
    let enrolled = PlayerEnrolled {
        player: 1,
        name: commit(stream, &zoe),
        publisher_id: None,
        sign_up: Some(1),
        from_round: 1,
        awarded_byes: 0,
        rating: None,
        division: None,
        members: Vec::new(),
    };
    let changed = SignerChanged { signer: key().public(), reason: commit(stream, &why) };
    let events: [Event; 3] =
        [changed.into(), enrolled.into(), PlayerCheckedIn { player: 1 }.into()];
    let mut previous = RecordHash::ZERO;
    let mut records = Vec::new();
    for (seq, event) in (1..).zip(&events) {
        let header = Header {
            stream,
            seq,
            time: Time { unix_micros: 1_795_255_200_000_000 },
            actor: Actor(7),
            command: CommandId(u128::from(seq)),
            part: 1,
            parts: 1,
            kind: event.kind(),
            schema: 1,
            previous,
        };
        let record = Record::seal(header, &event.encode().expect("it fits")).expect("a record");
        previous = record.hash();
        records.push(record);
    }
    (records, zoe)
}

fn signed() -> (History, Signed) {
    let history = crate::kit::history(&records().0);
    let checkpoint = history.checkpoint(3).expect("a command ends there");
    (history, checkpoint.sign([key().signing()]))
}

/// Fails with what should stand there.
fn stands(expected: &str) {
    let document = include_str!("../../../docs/FORMAT.md");
    assert!(document.contains(expected), "docs/FORMAT.md lacks\n{expected}");
}

#[test]
fn the_example_of_a_tree() {
    let tree = Tree::of([1, 2, 3].map(|byte| RecordHash([byte; 32])));
    let root = |size| hex(&tree.root_at(size).expect("so many"));
    let proof = |proof: Option<Vec<[u8; 32]>>| -> String {
        let lines = proof.expect("it is there").into_iter();
        lines.map(|hash| format!("  {}\n", hex(&hash))).collect()
    };
    stands(&format!(
        "```text\nroot of 0 records\n  {}\nroot of 1\n  {}\nroot of 2\n  {}\nroot of 3\n  {}\n\
         record 2 is among 3: index 1\n{}record 3 is among 3: index 2\n{}\
         3 extend 1\n{}3 extend 2\n{}```\n",
        root(0),
        root(1),
        root(2),
        root(3),
        proof(tree.inclusion(1, 3)),
        proof(tree.inclusion(2, 3)),
        proof(tree.consistency(1, 3)),
        proof(tree.consistency(2, 3)),
    ));
}

#[test]
fn the_example_of_a_checkpoint() {
    let (_, signed) = signed();
    stands(&format!("```text\n{signed}```\n"));
    let Checkpoint { stream, .. } = signed.checkpoint;
    let (origin, public) = (scrutineer_replay::trust::checkpoint::origin(stream), key().public());
    stands(&hex(&public));
    stands(&hex(&key_id(&origin, &public)));
    stands(&format!("`{}`", verifier_key(&origin, &public)));
    stands(&hex(signed.checkpoint.head.0.as_slice()));
}

#[test]
fn the_example_of_a_key_file() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let keys = crate::keys::KeyFolder::new(Some(folder.path().into()));
    keys.keep(&key()).expect("kept");
    let file = keys.file(&key().public()).expect("a file");
    stands(&format!("```text\n{}```\n", std::fs::read_to_string(&file).expect("there")));
    stands(&file.file_name().expect("a name").to_string_lossy());
}

#[test]
fn the_example_of_a_receipt() {
    let (history, signed) = signed();
    let (records, zoe) = records();
    let first = history.checkpoint(1).expect("one record");
    let shown = vec![(records[1].clone(), event(&records[1]))];
    let first = first.sign([key().signing()]).into();
    let receipt = Receipt::of(&history, &signed, shown, Some(&first), vec![zoe]);
    let text = receipt.expect("a receipt").write();
    assert!(Receipt::read(text.as_bytes()).is_ok());
    stands(&format!("```json\n{text}```\n"));
}
