//! Disks that are full, folders that can't be written, stores of newer versions.

use super::{Place, Said, copy, finish, newer};
use std::fs;
use std::path::Path;
use std::process::Command;

/// A command under a limit on the size of files, which fails like a full disk does.
fn limited(place: &Place, blocks: u32, words: &[&str]) -> Said {
    let mut command = Command::new("bash");
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_scrutineer")]).args(words);
    place.surround(&mut command);
    finish(command, words)
}

fn mounted(words: &[&str], folder: &Path) -> bool {
    let mount = Command::new("mount").args(words).arg(folder).output();
    mount.is_ok_and(|done| done.status.success())
}

/// Unmounts what a test has mounted.
struct Mounted<'a>(&'a Path);

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).output();
    }
}

fn records(place: &Place) -> usize {
    place.does(&["log"]).out.lines().count() - 1
}

/// Notes are recorded until nothing fits any more: what was answered is there, the rest is refused
/// in words, reading goes on, and with more room so does everything.
fn until_full(place: &Place, note: impl Fn(usize) -> Said) -> usize {
    let mut recorded = 0;
    let refused = loop {
        let said = note(recorded);
        match said.code() {
            Some(0) => recorded += 1,
            _ => break said,
        }
        assert!(recorded < 3_000, "the disk is never full");
    };
    assert_eq!(refused.code(), Some(2), "{}", refused.all());
    let codes = ["book-not-written", "log-not-written", "store-not-opened", "secret-not-kept"];
    let told = codes.iter().any(|code| refused.err.contains(&format!("[{code}]")));
    assert!(told, "{}", refused.all());
    assert!(records(place) > recorded, "something that was answered is gone");
    recorded
}

#[test]
fn a_limit_on_files_is_told_and_loses_nothing() {
    let place = Place::new();
    place.does(&["new", "Full", "--rules", "mtr"]);
    let text = "a long remark about a slow match at table nine ".repeat(60);
    // sled's files are larger than the limit: it is left aside, and the journal answers.
    let recorded = until_full(&place, |_| limited(&place, 64, &["note", &text]));
    assert!(recorded > 3, "{recorded}");
    assert_eq!(records(&place), recorded + 1);
    place.does(&["note", &text]);
    assert_eq!(records(&place), recorded + 2);
    let said = place.does(&["verify"]);
    assert!(said.out.contains("ok"), "{}", said.all());
}

#[test]
fn a_stick_too_small_for_a_backup_is_told_and_has_none() {
    let place = Place::new();
    place.does(&["new", "Small", "--rules", "mtr"]);
    let text = "a long remark about a slow match at table nine ".repeat(60);
    for _ in 0..20 {
        place.does(&["note", &text]);
    }
    let said = limited(&place, 24, &["backup", "stick"]);
    assert_eq!(said.code(), Some(2), "{}", said.all());
    assert!(said.err.contains("[copy-not-written]"), "{}", said.all());
    let left = fs::read_dir(place.path("")).expect("the place").flatten();
    let left = left.filter(|entry| entry.file_name().to_string_lossy().starts_with("stick"));
    assert_eq!(left.count(), 0, "half a copy, with names in it");
    place.does(&["backup", "stick"]);
}

/// A real disk that is full, where a small one can be mounted.
#[test]
fn a_full_disk_is_told_and_loses_nothing() {
    let place = Place::new();
    let disk = place.path("disk");
    fs::create_dir_all(&disk).expect("a folder");
    if !mounted(&["-t", "tmpfs", "-o", "size=24m", "tmpfs"], &disk) {
        eprintln!("no disk can be mounted here; the test with a limit on files stands in");
        return;
    }
    let _mounted = Mounted(&disk);
    let on_disk = |words: &[&str]| place.run(&[&["--store", "disk/store"], words].concat());
    let said = on_disk(&["new", "Full", "--rules", "mtr"]);
    assert_eq!(said.code(), Some(0), "{}", said.all());
    let free = || fs::File::create(disk.join("ballast"));
    let mut ballast = free().expect("created");
    // All but a little is taken by somebody else.
    let block = vec![7; 16 * 1024];
    while std::io::Write::write_all(&mut ballast, &block).is_ok() {}
    ballast.set_len(ballast.metadata().expect("its size").len() - 48 * 1024).expect("room");
    let text = "a long remark about a slow match at table nine ".repeat(60);
    let (mut recorded, mut panicked) = (0, false);
    let refused = loop {
        let said = on_disk(&["note", &text]);
        // That the store was not closed in order, and that sled finds no room. It may first have
        // panicked, and another one been tried.
        let notes = said.err.matches("note: ").count();
        assert!(notes <= 3, "a wall of notes: {}", said.all());
        panicked |= said.err.contains("[sled-rebuilt]");
        match said.code() {
            Some(0) => recorded += 1,
            _ => break said,
        }
        assert!(recorded < 3_000, "the disk is never full");
    };
    assert_eq!(refused.code(), Some(2), "{}", refused.all());
    assert!(refused.err.contains("No space left"), "{}", refused.all());
    let sled = fs::read_dir(disk.join("store/sled")).expect("a folder").flatten();
    let sled: Vec<_> = sled.map(|entry| entry.file_name()).collect();
    assert!(panicked || sled == ["live-1"], "what it held is left alone, without copies: {sled:?}");
    let count = |said: &Said| said.out.lines().count() - 1;
    let read = on_disk(&["log"]);
    assert_eq!(read.code(), Some(0), "{}", read.all());
    assert!(count(&read) > recorded, "{recorded} were answered: {}", read.all());
    drop(ballast);
    fs::remove_file(disk.join("ballast")).expect("removed");
    let said = on_disk(&["note", &text]);
    assert_eq!(said.code(), Some(0), "after {}: {}", refused.err, said.all());
    let read = on_disk(&["log"]);
    assert_eq!(count(&read), recorded + 2, "{}", read.all());
    assert_eq!(on_disk(&["verify"]).code(), Some(0));
}

/// A store that can't be written can be read, and nothing in it changes.
#[test]
fn a_folder_that_cannot_be_written_can_be_read() {
    let place = Place::new();
    place.fill();
    let store = place.path("store");
    let words = ["standings", "--tournament", "Friday"];
    let standings = place.does(&words).out;
    let verified = place.does(&["verify", "--tournament", "Friday", "--json"]).out;
    let ro = store.to_string_lossy().into_owned();
    let bound = mounted(&["--bind", &ro], &store) && mounted(&["-o", "remount,ro,bind"], &store);
    let _mounted = bound.then_some(Mounted(&store));
    if !bound {
        let mut rights = fs::metadata(&store).expect("a folder").permissions();
        rights.set_readonly(true);
        fs::set_permissions(&store, rights).expect("set");
        if fs::write(store.join("probe"), "").is_ok() {
            eprintln!("nothing here can be made read-only");
            return;
        }
    }
    let said = place.does(&words);
    assert_eq!(said.out, standings);
    assert_eq!(said.err.matches("[read-only]").count(), 1, "{}", said.all());
    assert_eq!(place.does(&["verify", "--tournament", "Friday", "--json"]).out, verified);
    place.does(&["log", "--tournament", "Friday"]);
    let refused = place.run(&["note", "slow play", "--tournament", "Friday"]);
    assert_eq!(refused.code(), Some(2), "{}", refused.all());
    assert!(refused.err.contains("read only"), "{}", refused.all());
    let refused = place.run(&["new", "Another", "--rules", "mtr"]);
    assert_eq!(refused.code(), Some(2), "{}", refused.all());
}

#[test]
fn a_store_from_a_newer_version_is_left_alone() {
    let place = Place::new();
    place.does(&["new", "Next year", "--rules", "mtr"]);
    let (format, good) = (place.path("store/FORMAT"), place.path("good"));
    copy(&place.path("store"), &good);
    newer(&format);
    for words in [&["standings"][..], &["note", "x"], &["backup", "copy"]] {
        let said = place.run(words);
        assert_eq!(said.code(), Some(2), "{}", said.all());
        assert!(said.err.contains("newer version"), "{}", said.all());
        assert!(said.err.contains("install the version"), "{}", said.all());
    }
    for file in ["journal/00000001.seg", "lock"] {
        let read = |folder: &str| fs::read(place.path(folder).join(file)).expect("there");
        assert_eq!(read("store"), read("good"), "{file}");
    }
}
