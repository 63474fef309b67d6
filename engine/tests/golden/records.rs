//! Sealed records, and the frame in which a command stands in the journal.

use scrutineer_engine::book::{Field, PrivateEntry, commit};
use scrutineer_engine::record::{
    Actor, CommandId, HEADER_LEN, Header, Record, RecordHash, StreamId, Time,
};

use crate::kit::{from_hex, golden, hex, words};

/// Golden bytes by name.
pub fn line(name: &str) -> Vec<u8> {
    let lines = words(include_str!("records.txt"));
    let found = lines.filter(|line| line[0] == name).map(|line| from_hex(line[1])).next();
    found.unwrap_or_else(|| panic!("records.txt has no line {name}"))
}

fn sealed(event: &str, seq: u64, part: u32, previous: RecordHash) -> Record {
    let line = golden()[event].clone();
    let header = Header {
        stream: StreamId(*b"sixteen bytes id"),
        seq,
        time: Time { unix_micros: 1_795_255_200_000_000 },
        actor: Actor(7),
        command: CommandId(0x0102_0304_0506_0708_090a_0b0c_0d0e_0f10),
        part,
        parts: 2,
        kind: line.kind,
        schema: line.schema,
        previous,
    };
    Record::seal(header, &line.bytes).expect("it seals")
}

/// A command of two records: a result, and that the round is completed.
pub fn command() -> [Record; 2] {
    let first = sealed("result-recorded-played", 9, 1, RecordHash([0x55; 32]));
    let second = sealed("round-completed", 10, 2, first.hash());
    [first, second]
}

#[test]
fn records_keep_their_bytes_and_hashes() {
    for (at, record) in command().into_iter().enumerate() {
        let name = ["result", "completed"][at];
        assert_eq!(hex(record.bytes()), hex(&line(name)), "{name}");
        let hash = line(&format!("{name}-hash"));
        assert_eq!(hex(&record.hash().0), hex(&hash), "{name}");
        let read = Record::read(&line(name)).expect("it is read");
        assert_eq!(read, record);
        assert_eq!(read.payload(), &line(name)[HEADER_LEN..]);
    }
}

#[test]
fn a_commitment_keeps_its_digest() {
    let stream = StreamId(*b"sixteen bytes id");
    let entry = PrivateEntry { number: 1, field: Field::Name, salt: [7; 32], text: "Zoë".into() };
    assert_eq!(hex(&commit(stream, &entry).digest), hex(&line("commitment")));
}
