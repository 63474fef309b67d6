//! Record bytes, hostile ones included, and the chain.

use scrutineer_engine::log::Head;
use scrutineer_engine::record::{
    Actor, Chain, ChainError, CommandId, HEADER_LEN, Header, MAX_PAYLOAD, Record, RecordError,
    RecordHash, StreamId, Time,
};

use crate::kit::{Seeded, batch, stream};

fn header() -> Header {
    Header {
        stream: StreamId(*b"sixteen bytes id"),
        seq: 0x0102_0304_0506_0708,
        time: Time { unix_micros: -2 },
        actor: Actor(9),
        command: CommandId(0xfeed),
        part: 2,
        parts: 3,
        kind: 0x0a0b,
        schema: 4,
        previous: RecordHash([0x55; 32]),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// These bytes never change: an old bundle is read by new code.
#[test]
fn golden_bytes() {
    let record = Record::seal(header(), b"payload").unwrap();
    let bytes = [
        "010101",
        "7369787465656e206279746573206964",
        "0807060504030201",
        "feffffffffffffff",
        "09000000",
        "edfe0000000000000000000000000000",
        "02000000",
        "03000000",
        "0b0a",
        "0400",
        "5555555555555555555555555555555555555555555555555555555555555555",
        "07000000",
        "7061796c6f6164",
    ];
    assert_eq!(hex(record.bytes()), bytes.concat());
    let hash = blake3::derive_key("scrutineer 2026 record v1", record.bytes());
    assert_eq!(record.hash(), RecordHash(hash));
    assert_eq!(
        record.hash().to_string(),
        "b6989efc14a296d4b9e3974e789733ad7d6962dbb27157616f66d4300c83f746"
    );
    assert_eq!(Record::read(record.bytes()).unwrap(), record);
    assert_eq!(record.payload(), b"payload");
}

#[test]
fn newer_versions_are_named() {
    let good = Record::seal(header(), b"").unwrap();
    for (at, what) in [(0, "format"), (1, "hash suite"), (2, "codec")] {
        let mut bytes = good.bytes().to_vec();
        bytes[at] = 2;
        let error = Record::read(&bytes).unwrap_err();
        assert_eq!(error, RecordError::Newer { what, found: 2, known: 1 });
        assert!(error.to_string().contains("written by a newer version"), "{error}");
        bytes[at] = 0;
        assert_eq!(Record::read(&bytes), Err(RecordError::NotARecord { what }));
    }
}

#[test]
fn every_length_but_the_right_one_is_refused() {
    let good = Record::seal(header(), &[7; 40]).unwrap();
    for len in 0..good.bytes().len() {
        let cut = Record::read(&good.bytes()[..len]);
        assert!(matches!(cut, Err(RecordError::CutOff { .. })), "{len}: {cut:?}");
    }
    let mut long = good.bytes().to_vec();
    long.extend([0; 7]);
    assert_eq!(Record::read(&long), Err(RecordError::Trailing { extra: 7 }));
    let mut hostile = good.bytes().to_vec();
    hostile[99..103].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(Record::read(&hostile), Err(RecordError::TooLong { len: u64::from(u32::MAX) }));
    let too_long = Record::seal(header(), &vec![0; MAX_PAYLOAD + 1]);
    assert_eq!(too_long, Err(RecordError::TooLong { len: MAX_PAYLOAD as u64 + 1 }));
    assert!(Record::seal(header(), &vec![0; MAX_PAYLOAD]).is_ok());
}

#[test]
fn impossible_headers_are_refused() {
    for (part, parts) in [(0, 1), (2, 1), (0, 0)] {
        let wrong = Header { part, parts, ..header() };
        assert_eq!(Record::seal(wrong, b""), Err(RecordError::Part { part, parts }));
    }
    let none = Header { seq: 0, ..header() };
    assert!(Record::seal(none, b"").is_err());
    let mut bytes = Record::seal(header(), b"").unwrap().bytes().to_vec();
    bytes[55..59].copy_from_slice(&4_u32.to_le_bytes());
    assert_eq!(Record::read(&bytes), Err(RecordError::Part { part: 4, parts: 3 }));
}

/// Whatever the bytes, reading ends with a record that has exactly these bytes, or with an error.
#[test]
fn hostile_bytes_never_panic() {
    let good = Record::seal(header(), &[3; 64]).unwrap();
    let mut seeded = Seeded(1);
    for _ in 0..20_000 {
        let mut bytes = good.bytes().to_vec();
        for _ in 0..1 + seeded.below(4) {
            let at = seeded.below(bytes.len() as u64) as usize;
            bytes[at] = seeded.next() as u8;
        }
        bytes.truncate(seeded.below(bytes.len() as u64 * 2) as usize);
        if let Ok(record) = Record::read(&bytes) {
            assert_eq!(record.bytes(), bytes);
            let again = Record::seal(record.header(), record.payload()).unwrap();
            assert_eq!(again, record);
        }
    }
}

#[test]
fn every_flipped_bit_changes_the_hash() {
    let good = Record::seal(header(), b"x").unwrap();
    for bit in 0..(HEADER_LEN + 1) * 8 {
        let mut bytes = good.bytes().to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(Record::read_with_hash(good.hash(), &bytes).is_err(), "bit {bit}");
    }
}

#[test]
fn the_chain_names_what_does_not_follow() {
    let id = stream(1);
    let batch = batch(id, Head::EMPTY, 5, 3, 10);
    let [one, two, three] = &batch.records[..] else { panic!("three records") };
    let mut chain = Chain::new(id);
    assert_eq!(chain.stream(), id);
    assert_eq!([one, two, three].map(Record::ends_command), [false, false, true]);
    assert_eq!(chain.follows(two), Err(ChainError::Gap { expected: 1, found: 2 }));
    chain.follows(one).unwrap();
    assert_eq!((chain.complete_len(), chain.is_complete()), (0, false));
    assert_eq!(chain.follows(one), Err(ChainError::Gap { expected: 2, found: 1 }));
    chain.follows(two).unwrap();
    chain.follows(three).unwrap();
    assert_eq!((chain.complete_len(), chain.last()), (3, (3, three.hash())));
    let other = Chain::new(stream(2)).follows(one).unwrap_err();
    assert!(matches!(other, ChainError::OtherStream { seq: 1, .. }));
    let unlinked = Chain::after(id, 2, one.hash()).follows(three).unwrap_err();
    assert!(matches!(unlinked, ChainError::Unlinked { seq: 3, .. }));
    let orphan = Chain::after(id, 2, two.hash()).follows(three).unwrap_err();
    assert!(matches!(orphan, ChainError::Parts { seq: 3, part: 3, .. }));
}

/// A part of another command, or of one with another number of parts, ends no command.
#[test]
fn a_command_is_not_gone_on_with_by_another() {
    let id = stream(1);
    let batch = batch(id, Head::EMPTY, 5, 4, 10);
    let mut chain = Chain::new(id);
    chain.follows(&batch.records[0]).unwrap();
    let second = batch.records[1].header();
    assert_eq!(chain.follows(&Record::seal(second, b"").unwrap()), Ok(()));
    let third = Header { seq: 3, part: 3, previous: chain.last().1, ..second };
    let wrong = [
        Header { command: CommandId(6), ..third },
        Header { parts: 3, ..third },
        Header { part: 2, ..third },
        Header { part: 4, ..third },
    ];
    for header in wrong {
        let fault = chain.follows(&Record::seal(header, b"").unwrap()).unwrap_err();
        assert!(matches!(fault, ChainError::Parts { seq: 3, .. }), "{header:?}");
    }
    assert_eq!(chain.follows(&Record::seal(third, b"").unwrap()), Ok(()));
}

#[test]
fn ids_are_read_as_they_are_written() {
    let id = StreamId(*b"sixteen bytes id");
    assert_eq!(id.to_string(), "7369787465656e206279746573206964");
    assert_eq!(id.to_string().parse(), Ok(id));
    let command = CommandId(0xfeed);
    assert_eq!(command.to_string(), "0000000000000000000000000000feed");
    assert_eq!(command.to_string().to_uppercase().parse(), Ok(command));
    let hash = Record::seal(header(), b"payload").unwrap().hash();
    assert_eq!(hash.to_string().parse(), Ok(hash));
    assert_eq!(hash.short(), "b6989efc");
    assert!(hash.short().parse::<RecordHash>().is_err());
    assert!("z".repeat(32).parse::<StreamId>().is_err());
    assert!("".parse::<CommandId>().is_err());
    assert_eq!(format!("{:>3}", Actor(9)), "  9");
}
