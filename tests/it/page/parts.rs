//! The parts of the verifier, each against ours: events of every kind, and hashes.

use super::{bundle, damage, is_there, root};
use crate::random_tournaments::Dice;
use scrutineer_engine::event::Event;
use scrutineer_replay::bundle::{Give, packed};
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(digits: &str) -> Vec<u8> {
    let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).expect("digits");
    (0..digits.len()).step_by(2).map(byte).collect()
}

/// What the JavaScript answers to each line.
fn answers(lines: String) -> Vec<String> {
    let mut node = Command::new("node")
        .arg(root().join("tests/it/page/reads.mjs"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node runs");
    let asked = lines.lines().count();
    let mut to = node.stdin.take().expect("its input");
    let feeding = std::thread::spawn(move || to.write_all(lines.as_bytes()));
    let done = node.wait_with_output().expect("node ends");
    feeding.join().expect("no panic").expect("node reads to the end");
    let said = String::from_utf8(done.stdout).expect("text");
    assert_eq!(said.lines().count(), asked);
    said.lines().map(str::to_owned).collect()
}

/// The released samples of every event, whole and damaged.
#[test]
fn events_of_every_kind_read_alike() {
    if !is_there("node") {
        return;
    }
    let golden = include_str!("../../../engine/tests/golden/events.txt");
    let mut dice = Dice(4);
    let mut all: Vec<(u16, u16, Vec<u8>)> = Vec::new();
    for line in golden.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split(' ').skip(1);
        let mut number = || words.next().and_then(|word| word.parse::<u16>().ok());
        let (kind, schema) = (number().expect("a kind"), number().expect("a schema"));
        let payload = unhex(words.next().unwrap_or_default());
        for _ in 0..60 {
            let mut damaged = payload.clone();
            match (dice.below(4), damaged.is_empty()) {
                (0, _) => damaged.insert(dice.below(payload.len() + 1), dice.below(256) as u8),
                (_, true) => {}
                (1, _) => _ = damaged.remove(dice.below(payload.len())),
                (2, _) => damaged[dice.below(payload.len())] = dice.below(256) as u8,
                _ => damaged[dice.below(payload.len())] ^= 1 << dice.below(8),
            }
            all.push((kind, schema, damaged));
        }
        all.push((kind, schema, payload));
    }
    let mut lines = String::new();
    for (kind, schema, payload) in &all {
        writeln!(lines, "event {kind} {schema} {}", hex(payload)).expect("text");
    }
    let (mut good, mut bad) = (0, 0);
    for ((kind, schema, payload), theirs) in all.iter().zip(answers(lines)) {
        let event = Event::decode_strict(*kind, *schema, payload);
        let ours = match &event {
            Ok(event) => serde_json::to_string(event).expect("JSON"),
            Err(_) => "!".into(),
        };
        assert_eq!(ours, theirs, "kind {kind}: {}: {event:?}", hex(payload));
        *if event.is_ok() { &mut good } else { &mut bad } += 1;
    }
    assert!(good > 500 && bad > 500, "{good} good, {bad} bad");
}

/// What a page embeds is the bundle, byte by byte, also where something is wrong with it.
#[test]
fn what_is_packed_comes_out_again() {
    if !is_there("node") {
        return;
    }
    let mut all: Vec<String> = Vec::new();
    for (seed, give) in [(1, Give::Nothing), (2, Give::Roster), (3, Give::Handover)] {
        let damaged = damage::many(&bundle(seed, give), seed).into_iter();
        all.extend(damaged.filter_map(|(_, bytes)| String::from_utf8(bytes).ok()));
    }
    assert!(all.len() > 200, "{}", all.len());
    let mut short = 0;
    let lines = all.iter().map(|text| {
        let packed = packed(text);
        short += usize::from(packed.len() * 3 < text.len());
        format!("unpack {}\n", hex(packed.as_bytes()))
    });
    let theirs = answers(lines.collect());
    for (text, theirs) in all.iter().zip(theirs) {
        assert!(unhex(&theirs) == text.as_bytes(), "{text}");
    }
    assert!(short > 50, "{short}");
}

#[test]
fn hashes_of_every_length_are_alike() {
    if !is_there("node") {
        return;
    }
    let lengths =
        (0..200).chain([1023, 1024, 1025, 2047, 2048, 2049, 3072, 4097, 8193, 31744, 70_000]);
    let all: Vec<Vec<u8>> =
        lengths.map(|length| (0..length).map(|at| (at % 251) as u8).collect()).collect();
    let lines = all.iter().map(|bytes| format!("hash {}\n", hex(bytes))).collect();
    for (bytes, theirs) in all.iter().zip(answers(lines)) {
        let mut theirs = theirs.split(' ');
        assert_eq!(theirs.next(), Some(&blake3::hash(bytes).to_hex()[..]), "{}", bytes.len());
        let derived = hex(&blake3::derive_key("a test", bytes));
        assert_eq!(theirs.next(), Some(&derived[..]), "{}", bytes.len());
    }
    // The examples of FIPS 180-4: nothing, and `abc`.
    let of = |bytes: &[u8]| answers(format!("hash {}\n", hex(bytes))).remove(0);
    assert!(of(b"").contains("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
    assert!(
        of(b"abc").contains("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    );
    assert!(of(b"").contains("cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"));
    assert!(
        of(b"abc").contains("ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a")
    );
}
