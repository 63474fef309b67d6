//! What the model keeps and what it may lose.

use super::{Cut, Disk, Image};
use crate::tape::Entry;
use std::collections::BTreeSet;

fn open(file: u64, path: &str) -> Entry {
    Entry::Open { file, path: path.into(), creates: true, empties: false }
}

fn write(file: u64, offset: u64, data: &[u8]) -> Entry {
    Entry::Write { file, offset, data: data.into() }
}

fn sync(file: u64, covers: usize) -> Entry {
    Entry::Sync { file, covers, worked: true }
}

/// The folder itself is open as 1, the file `f` as 2.
fn disk(entries: &[Entry]) -> Disk {
    let mut disk = Disk::default();
    disk.take(&open(1, "")).expect("the folder");
    for entry in entries {
        disk.take(entry).expect("it can happen");
    }
    disk
}

fn strict(entries: &[Entry]) -> Option<Vec<u8>> {
    disk(entries).image(&mut Cut::Strict).files.remove("f")
}

/// Everything that random cuts leave of `f`.
fn random(entries: &[Entry]) -> BTreeSet<Option<Vec<u8>>> {
    let disk = disk(entries);
    let image = |seed| disk.image(&mut Cut::Random(fastrand::Rng::with_seed(seed)));
    (0..200).map(|seed| image(seed).files.remove("f")).collect()
}

#[test]
fn a_file_needs_its_own_sync_and_that_of_its_folder() {
    let written = [open(2, "f"), write(2, 0, b"abc")];
    assert_eq!(strict(&written), None);
    assert_eq!(strict(&[&written[..], &[sync(2, 3)]].concat()), None);
    assert_eq!(strict(&[&written[..], &[sync(1, 3)]].concat()), Some(Vec::new()));
    let both = [&written[..], &[sync(2, 3), sync(1, 4)]].concat();
    assert_eq!(strict(&both), Some(b"abc".to_vec()));
    assert_eq!(random(&both), BTreeSet::from([Some(b"abc".to_vec())]));
    assert_eq!(disk(&written).image(&mut Cut::Lax).files["f"], b"abc");
}

#[test]
fn a_sync_covers_what_was_written_before_it_began() {
    let entries = [open(2, "f"), sync(1, 2), write(2, 0, b"old"), write(2, 0, b"new"), sync(2, 4)];
    assert_eq!(strict(&entries), Some(b"old".to_vec()));
    let either = [Some(b"old".to_vec()), Some(b"new".to_vec())];
    assert_eq!(random(&entries), BTreeSet::from(either));
}

#[test]
fn pieces_and_lengths_are_lost_one_by_one() {
    let entries = [open(2, "f"), sync(1, 2), write(2, 0, &[1; 4096]), write(2, 4096, &[2; 4096])];
    let found = random(&entries);
    let holds = |bytes: &[u8], at: usize, value: u8| bytes.get(at) == Some(&value);
    let second_only = |file: &Option<Vec<u8>>| {
        file.as_ref().is_some_and(|bytes| holds(bytes, 0, 0) && holds(bytes, 5000, 2))
    };
    assert!(found.iter().any(second_only));
    let lengths: BTreeSet<usize> = found.iter().flatten().map(Vec::len).collect();
    assert_eq!(lengths, BTreeSet::from([0, 4096, 8192]));
}

#[test]
fn what_a_failed_sync_left_in_memory_is_not_written_by_the_next() {
    let failed = Entry::Sync { file: 2, covers: 4, worked: false };
    let mut entries = vec![open(2, "f"), sync(1, 2), write(2, 0, b"abc"), failed];
    assert_eq!(strict(&[&entries[..], &[sync(2, 5)]].concat()), Some(Vec::new()));
    assert_eq!(disk(&entries).image(&mut Cut::Lax).files["f"], b"abc");
    entries.extend([write(2, 3, b"d"), sync(2, 6)]);
    // The whole page is written again.
    assert_eq!(strict(&entries), Some(b"abcd".to_vec()));
}

#[test]
fn a_rename_is_there_or_not() {
    let rename = Entry::Rename { from: "new".into(), to: "f".into() };
    let entries = [
        open(2, "f"),
        write(2, 0, b"old"),
        open(3, "new"),
        write(3, 0, b"new"),
        sync(2, 5),
        sync(3, 6),
        sync(1, 7),
        rename,
    ];
    assert_eq!(strict(&entries), Some(b"old".to_vec()));
    let either = [Some(b"old".to_vec()), Some(b"new".to_vec())];
    assert_eq!(random(&entries), BTreeSet::from(either));
    let synced = [&entries[..], &[sync(1, 9)]].concat();
    assert_eq!(strict(&synced), Some(b"new".to_vec()));
}

#[test]
fn a_folder_that_was_not_synced_takes_everything_with_it() {
    let made = Entry::MakeFolder { path: "sub".into() };
    let entries = [made, open(4, "sub"), open(2, "sub/f"), sync(4, 4), sync(2, 5)];
    assert_eq!(disk(&entries).image(&mut Cut::Strict), Image::default());
    let synced = [&entries[..], &[sync(1, 6)]].concat();
    assert!(disk(&synced).image(&mut Cut::Strict).files.contains_key("sub/f"));
}
