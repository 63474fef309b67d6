//! Foreign bytes: whatever is done to a golden payload, it is refused or it is a payload itself.

use scrutineer_engine::codec::CodecError;
use scrutineer_engine::event::{DecodeError, Event, SCHEMA};

use crate::kit::{Line, golden};

fn read(line: &Line, bytes: &[u8]) -> Result<Event, DecodeError> {
    let read = Event::decode_strict(line.kind, line.schema, bytes);
    if let Ok(event) = &read {
        assert_eq!(event.encode().expect("it was read"), bytes);
    }
    read
}

/// The payload with `new` in place of the byte at `at`.
fn replaced(line: &Line, at: usize, new: &[u8]) -> Vec<u8> {
    [&line.bytes[..at], new, &line.bytes[at + 1..]].concat()
}

#[test]
fn every_truncation_is_refused() {
    for (name, line) in golden() {
        for len in 0..line.bytes.len() {
            assert!(read(&line, &line.bytes[..len]).is_err(), "{name} cut to {len} bytes");
        }
    }
}

#[test]
fn a_byte_more_is_refused() {
    for (name, line) in golden() {
        for extra in [0, 1, 255] {
            let longer = [&line.bytes[..], &[extra]].concat();
            let refused = read(&line, &longer).unwrap_err();
            let left = DecodeError::Payload { kind: line.kind, source: CodecError::LeftOver(1) };
            assert_eq!(refused, left, "{name}");
        }
    }
}

/// bincode reads a small number also from a longer spelling; two spellings would be two hashes.
#[test]
fn a_number_has_one_spelling() {
    let mut refused = 0;
    for (name, line) in golden() {
        let event = line.decode();
        for (at, &byte) in line.bytes.iter().enumerate().filter(|(_, byte)| **byte < 251) {
            for overlong in
                [&[251, byte, 0][..], &[252, byte, 0, 0, 0], &[253, byte, 0, 0, 0, 0, 0, 0, 0]]
            {
                let bytes = replaced(&line, at, overlong);
                let strict = read(&line, &bytes);
                if Event::decode_own(line.kind, line.schema, &bytes).as_ref() == Ok(&event) {
                    let source = CodecError::NotCanonical;
                    let kind = line.kind;
                    assert_eq!(strict, Err(DecodeError::Payload { kind, source }), "{name} {at}");
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 900, "only {refused} numbers were spelled at length");
}

/// Ten billion of something in place of each byte: no allocation of that size, no panic.
#[test]
fn hostile_lengths_are_refused() {
    let mut hostile = vec![253];
    hostile.extend(10_000_000_000_u64.to_le_bytes());
    for (name, line) in golden() {
        for at in 0..line.bytes.len() {
            for bytes in [replaced(&line, at, &hostile), replaced(&line, at, &[252, 0, 0, 0, 128])]
            {
                if let Ok(event) = read(&line, &bytes) {
                    // It stood in place of a number that may be as large.
                    assert_ne!(event, line.decode(), "{name} {at}");
                }
            }
        }
    }
}

#[test]
fn every_other_byte_is_refused_or_says_something_else() {
    for (name, line) in golden() {
        let event = line.decode();
        for at in 0..line.bytes.len() {
            for byte in 0..=u8::MAX {
                let bytes = replaced(&line, at, &[byte]);
                match read(&line, &bytes) {
                    Ok(other) => assert_eq!(other == event, bytes == line.bytes, "{name} {at}"),
                    Err(_) => assert_ne!(bytes, line.bytes),
                }
            }
        }
    }
}

#[test]
fn a_payload_read_as_another_kind_never_panics() {
    for line in golden().values() {
        for (kind, _) in Event::KINDS {
            let _ = read(&Line { kind: *kind, ..line.clone() }, &line.bytes);
        }
    }
}

#[test]
fn unknown_kinds_and_schemas_are_named() {
    for (kind, schema, range) in [
        (0, SCHEMA, "0: nothing"),
        (13, SCHEMA, "1 to 99: a tournament"),
        (102, SCHEMA, "100 to 199: seating and the venue"),
        (599, SCHEMA, "500 to 599: a season"),
        (u16::MAX, SCHEMA, "32768 to 65535: trials of one's own"),
        (1, 0, "1 to 99: a tournament"),
        (1, SCHEMA + 1, "1 to 99: a tournament"),
    ] {
        let refused = Event::decode_strict(kind, schema, &[]).unwrap_err();
        assert_eq!(refused, DecodeError::UnknownKind { kind, schema });
        let words = refused.to_string();
        assert!(words.contains("a newer one wrote it") && words.contains(range), "{words}");
    }
}
