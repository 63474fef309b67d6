//! Golden bytes of the journal, beside those of its records.

use scrutineer_engine::log::{Batch, Head, Log};
use scrutineer_engine::record::{Actor, CommandId, Header, Record, RecordHash, StreamId, Time};
use scrutineer_store::{EmbeddedLog, Options};

#[path = "../../../engine/tests/golden/kit.rs"]
#[expect(dead_code, reason = "the events' own tests use all of it")]
mod golden;

use golden::{from_hex, golden, hex, words};

fn line(name: &str) -> Vec<u8> {
    let lines = words(include_str!("../../../engine/tests/golden/records.txt"));
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

/// The journal's first frame, as it stands behind the segment's header.
#[test]
fn a_frame_keeps_its_bytes() {
    let folder = std::env::temp_dir().join(format!("scrutineer-golden-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let log = EmbeddedLog::open(&folder, Options::default()).expect("the store opens");
    let first = sealed("tournament-closed", 1, 1, RecordHash::ZERO);
    let second = sealed("round-completed", 2, 2, first.hash());
    let batch =
        Batch { records: vec![first, second], command_digest: [0x99; 32], texts: Vec::new() };
    log.append(Head::EMPTY, batch).expect("it is appended");
    log.close().expect("it closes");
    let segment = std::fs::read(folder.join("journal").join("00000001.seg")).expect("its bytes");
    std::fs::remove_dir_all(&folder).expect("it goes away");
    let mut header = segment[..64].to_vec();
    // The store's id is random, and the checksum covers it.
    header[16..32].fill(0);
    header[60..64].fill(0);
    assert_eq!(hex(&header), hex(&line("segment-header-without-id")));
    assert_eq!(hex(&segment[64..]), hex(&line("frame")));
}
