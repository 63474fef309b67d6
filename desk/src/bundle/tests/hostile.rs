//! Bundles that cost whoever reads them: what grows with two things at once would take hours here.

use super::*;
use crate::keys::Key;
use crate::kit::{FIRST, SECOND, history, public};
use crate::store::Store;
use ed25519_dalek::SigningKey;
use scrutineer_engine::event::SignerChanged;
use scrutineer_engine::record::{CommandId, Header as Envelope};
use scrutineer_replay::trust::note::tried;

const MANY: u64 = 5_000;

/// The tournament with many changes of its signer: these keys in turn.
fn with_many_signers(parts: &mut Parts, keys: &dyn Fn(u64) -> PublicKey) {
    for number in 0..MANY {
        let last = parts.records.last().expect("a record");
        let Event::TournamentOpened(opened) = event(&parts.records[0]) else { panic!("one") };
        let changed = Event::from(SignerChanged { signer: keys(number), reason: opened.title });
        let header = Envelope {
            seq: last.header().seq + 1,
            command: CommandId(u128::from(number) + 1),
            part: 1,
            parts: 1,
            kind: changed.kind(),
            schema: 1,
            previous: last.hash(),
            ..last.header()
        };
        let payload = changed.encode().expect("it fits");
        parts.records.push(Record::seal(header, &payload).expect("a record"));
    }
}

/// A checkpoint after each of the last records, signed by these keys.
fn with_many_notes(parts: &mut Parts, keys: &dyn Fn(u64) -> Vec<SigningKey>) {
    let history = history(&parts.records);
    parts.notes.clear();
    for number in 0..MANY {
        let size = parts.records.len() as u64 - MANY + 1 + number;
        let checkpoint = history.checkpoint(size).expect("a command ends there");
        parts.notes.push(checkpoint.sign(keys(number).iter()).to_string());
    }
}

fn key(secret: [u8; 32]) -> SigningKey {
    Key::from_secret(&secret).signing().clone()
}

#[test]
fn many_signers_and_many_checkpoints_are_checked_in_one_pass() {
    let hall = Hall::empty();
    let mut parts = Parts::of(&exported(&hall, Give::Nothing));
    // Other keys all the time; the last of them signs everything, although it is not its turn.
    let named = |number: u64| match number + 1 == MANY {
        true => public(SECOND),
        false => *blake3::hash(&number.to_le_bytes()).as_bytes(),
    };
    with_many_signers(&mut parts, &named);
    with_many_notes(&mut parts, &|_| vec![key(SECOND)]);
    let bytes = parts.spell();
    let before = tried();
    let found = checked(&bytes, Some(public(FIRST)), &[]);
    let tried = tried() - before;
    assert!(tried < 4 * MANY, "{tried} signatures were tried");
    assert_eq!((found.records, found.checkpoints), (5 + MANY, MANY));
    let told = |code| {
        let kept = found.findings.iter().filter(|found| found.finding.code == code);
        kept.count() as u64
    };
    // The first findings are kept, of the others only the number.
    assert_eq!(told("checkpoint-other-key") + found.more, (MANY - 1) + MANY + 1);
    assert!(!found.holds());
}

#[test]
fn many_checkpoints_are_brought_in_together() {
    let hall = Hall::empty();
    let mut parts = Parts::of(&exported(&hall, Give::Nothing));
    let named = |number: u64| if number.is_multiple_of(2) { SECOND } else { FIRST };
    with_many_signers(&mut parts, &|number| public(named(number)));
    // Each change is signed by the key before, too.
    with_many_notes(&mut parts, &|_| vec![key(FIRST), key(SECOND)]);
    let bytes = parts.spell();
    let store = tempfile::TempDir::new().expect("a folder");
    let store = Store::open(store.path()).expect("it opens");
    let mut held = held(&bytes);
    let imported = import(&store, &mut held, Signatures::NotAsked).expect("brought in");
    let checked = held.into_checked();
    assert_eq!(imported, Imported::New { records: 5 + MANY });
    assert_eq!(checked.checkpoints, MANY);
    assert_eq!(store.checkpoints(hall.stream).expect("readable"), parts.notes);
    let mut again = Vec::new();
    write(&store, hall.stream, Give::Nothing, &mut again).expect("written");
    assert!(again == bytes, "the same event gives the same bundle");
}
