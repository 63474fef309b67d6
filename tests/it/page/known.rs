//! A checkpoint that somebody holds: both verifiers take it or refuse it alike.

use super::{is_there, played, root};
use scrutineer_desk::keys::Key;
use scrutineer_engine::record::RecordHash;
use scrutineer_replay::bundle::{Against, check};
use scrutineer_replay::trust::checkpoint::{Checkpoint, Signed};
use serde_json::Value;
use std::fs;
use std::process::Command;

#[test]
fn both_verifiers_take_the_same_checkpoints() {
    if !is_there("node") {
        return;
    }
    let played = played();
    let folder = tempfile::TempDir::new().expect("a folder");
    let (file, held) = (folder.path().join("tournament.bundle"), folder.path().join("held.txt"));
    fs::write(&file, &played.bundle).expect("written");
    let good = Signed::read(played.note.as_bytes()).expect("a checkpoint");
    let own = good.checkpoint;
    let (key, other) = (Key::from_secret(&[7; 32]), Key::from_secret(&[9; 32]));
    let signed = |checkpoint: Checkpoint| checkpoint.sign([key.signing()]).to_string();
    let empty = *blake3::hash(&[]).as_bytes();
    let mut later = own;
    later.time.unix_micros += 1;
    let mut stranger = own;
    stranger.stream.0[0] ^= 1;
    let root_of_another = [5; 32];
    let all = [
        ("as it is", played.note.clone(), true),
        ("over nothing", signed(Checkpoint { size: 0, root: empty, ..own }), false),
        ("of more records", signed(Checkpoint { size: own.size + 1, ..own }), false),
        ("of other records", signed(Checkpoint { root: root_of_another, ..own }), false),
        (
            "with another last record",
            signed(Checkpoint { head: RecordHash([5; 32]), ..own }),
            false,
        ),
        ("with another time", signed(later), false),
        ("of another tournament", signed(stranger), false),
        ("by another key", own.sign([other.signing()]).to_string(), false),
        ("by another key too", own.sign([other.signing(), key.signing()]).to_string(), true),
        (
            "changed",
            signed(later).replace(&in_words(&signed(later)), &in_words(&played.note)),
            false,
        ),
    ];
    for (name, note, holds) in all {
        fs::write(&held, &note).expect("written");
        let said = Command::new("node")
            .arg(root().join("replay/page/check.mjs"))
            .args([file.as_os_str(), "--known".as_ref(), held.as_os_str()])
            .output()
            .expect("node runs");
        let said: Value = serde_json::from_slice(&said.stdout).expect("JSON");
        let known = vec![Signed::read(note.as_bytes()).expect("a checkpoint").into()];
        let against = Against { known, ..Against::default() };
        let ours = check(&mut &played.bundle[..], &against).expect("readable");
        assert_eq!(ours.holds(), holds, "{name}: {:?}", ours.findings);
        assert_eq!(said["verdict"] == "verified", holds, "{name}: {said}");
    }
}

/// Whatever is printed can be typed: the foot of a sheet, and a key in fours.
#[test]
fn the_page_takes_what_a_sheet_shows() {
    if !is_there("node") {
        return;
    }
    let played = played();
    let folder = tempfile::TempDir::new().expect("a folder");
    let file = folder.path().join("tournament.bundle");
    fs::write(&file, &played.bundle).expect("written");
    let own = Signed::read(played.note.as_bytes()).expect("a checkpoint").checkpoint;
    let in_fours = |bytes: &[u8]| -> String {
        let twos = |two: &[u8]| two.iter().map(|byte| format!("{byte:02x}")).collect();
        bytes.chunks(2).map(twos).collect::<Vec<String>>().join(" ")
    };
    let root = in_fours(&own.root[..16]);
    let key = Key::from_secret(&[7; 32]).public();
    let other = Key::from_secret(&[9; 32]).public();
    let all = [
        (format!("{} {root}", own.size), "verified"),
        (format!("{} records {}", own.size, root.to_uppercase()), "verified"),
        (format!("{}\n{}", own.size, root.replace(' ', "")), "verified"),
        (format!("{} {root}", own.size - 1), "differs"),
        (format!("{} {root}", own.size + 1), "differs"),
        (format!("{} {}", own.size, in_fours(&own.root[..4])), "unread"),
        (in_fours(&own.root), "verified"),
        // Right, and not enough: no alarm.
        (in_fours(&key[..10]), "unread"),
        (in_fours(&key), "verified"),
        (in_fours(&other[..10]), "differs"),
        (in_fours(&key[..4]), "unread"),
    ];
    for (known, verdict) in all {
        let said = Command::new("node")
            .arg(super::root().join("replay/page/check.mjs"))
            .args([file.as_os_str(), "--known".as_ref(), known.as_ref()])
            .output()
            .expect("node runs");
        let said: Value = serde_json::from_slice(&said.stdout).expect("JSON");
        assert_eq!(said["verdict"], verdict, "{known}: {said}");
    }
}

/// The line with the time.
fn in_words(note: &str) -> String {
    note.lines().nth(3).expect("a time").to_string()
}
