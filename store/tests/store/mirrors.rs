//! Mirrors that are late, away, or not what they should be.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use scrutineer_engine::book::{Field, PrivateEntry, PrivateTexts};
use scrutineer_store::texts::FolderTexts;
use scrutineer_store::{
    EmbeddedLog, Mirror, MirrorError, MirrorStanding, OpenError, Options, Teller, remembered,
};

use crate::copies::same_journal;
use crate::kit::{Folder, append, codes, filled, open, options, stream};

fn keeping(mirror: &Path) -> Options {
    Options { mirror: Mirror::In(mirror.to_path_buf()), ..options() }
}

/// A store that keeps a mirror, closed in order.
fn with_mirror(commands: u64) -> (Folder, Folder) {
    let ((folder, _), mirror) = (filled(commands), Folder::new());
    EmbeddedLog::open(&folder.0, keeping(&mirror.0)).unwrap().close().unwrap();
    (folder, mirror)
}

fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(20), "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn wait_for_copy(folder: &Folder, mirror: &Folder) {
    wait_for("the mirror has it", || {
        fs::read(folder.segment(1)).ok() == fs::read(mirror.segment(1)).ok()
    });
}

fn refusal(folder: &Folder, mirror: &Path) -> MirrorError {
    match EmbeddedLog::open(&folder.0, keeping(mirror)) {
        Err(OpenError::Mirror(error)) => error,
        other => panic!("{:?}", other.map(|_| ())),
    }
}

/// What is recorded is in the mirror a moment later, not only when the store is closed.
#[test]
fn a_mirror_follows_while_the_store_is_open() {
    let (folder, mirror) = with_mirror(5);
    let log = open(&folder);
    for command in 0..3 {
        append(&log, stream(1), 500 + command, 1, 10);
        wait_for_copy(&folder, &mirror);
    }
    assert_eq!(codes(&log), [""; 0], "a mirror that was never away is not back");
    log.close().unwrap();
    same_journal(&folder.0, &mirror.0);
}

/// The stick was not there when the store was opened, and is plugged in an hour later. Whoever asks
/// how it stands, or records something, finds that out.
#[test]
fn a_mirror_that_comes_back_while_the_store_is_open_catches_up() {
    let (folder, mirror) = with_mirror(5);
    let elsewhere = Folder::new();
    fs::rename(&mirror.0, &elsewhere.0).unwrap();
    let often = Options { mirror_retry: Duration::from_millis(20), ..options() };
    let log = EmbeddedLog::open(&folder.0, often).unwrap();
    append(&log, stream(1), 500, 1, 10);
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(codes(&log), ["mirror-away"]);
    fs::rename(&elsewhere.0, &mirror.0).unwrap();
    wait_for("it is back", || {
        let _ = log.mirror();
        codes(&log) == ["mirror-away", "mirror-back"]
    });
    wait_for_copy(&folder, &mirror);
    // Pulled out once more.
    fs::rename(&mirror.0, &elsewhere.0).unwrap();
    let told = ["mirror-away", "mirror-back", "mirror-away", "mirror-back"];
    let mut command = 600;
    wait_for("it is away", || {
        append(&log, stream(1), command, 1, 2_000);
        command += 1;
        codes(&log) == told[..3]
    });
    fs::rename(&elsewhere.0, &mirror.0).unwrap();
    wait_for("it is back again", || {
        let _ = log.mirror();
        codes(&log) == told
    });
    log.close().unwrap();
    same_journal(&folder.0, &mirror.0);
}

/// A disk that has to spin up first: opening does not wait for it, and it is followed once it
/// answers.
#[test]
fn a_mirror_that_answers_late_is_followed_after_all() {
    let (folder, mirror) = with_mirror(5);
    let impatient = Options { mirror_deadline: Duration::ZERO, ..options() };
    let log = EmbeddedLog::open(&folder.0, impatient).unwrap();
    append(&log, stream(1), 500, 1, 10);
    wait_for_copy(&folder, &mirror);
    let told = codes(&log);
    assert!(told.is_empty() || told[0] == "mirror-away", "{told:?}");
}

/// The same mirror named again is no new one: while it is away, nothing is begun in its place.
#[test]
fn a_mirror_that_is_named_again_is_not_begun_again() {
    let (folder, mirror) = with_mirror(5);
    let elsewhere = Folder::new();
    fs::rename(&mirror.0, &elsewhere.0).unwrap();
    let log = EmbeddedLog::open(&folder.0, keeping(&mirror.0)).unwrap();
    assert_eq!(codes(&log), ["mirror-away"]);
    log.close().unwrap();
    assert!(!mirror.0.exists());
    // Another one is new, and takes its place.
    let other = Folder::new();
    EmbeddedLog::open(&folder.0, keeping(&other.0)).unwrap().close().unwrap();
    same_journal(&folder.0, &other.0);
    assert_eq!(remembered(&folder.0).unwrap().unwrap().folder, other.0.clone());
}

/// What stands where the mirror should be is told, and stays as it is.
#[test]
fn a_folder_of_somebody_else_is_no_mirror() {
    let (folder, _) = filled(3);
    let place = Folder::new();
    fs::create_dir_all(&place.0).unwrap();
    let mirror = place.0.join("mirror");
    fs::write(&mirror, "a letter").unwrap();
    let refused = refusal(&folder, &mirror);
    assert!(refused.to_string().starts_with("cannot list"), "{refused}");
    assert_eq!(fs::read_to_string(&mirror).unwrap(), "a letter");
    let refused = refusal(&folder, &place.0.join("no/such/stick"));
    assert!(refused.to_string().starts_with("cannot create"), "{refused}");
    assert!(!place.0.join("no").exists());
    // Folders of another name, and those of a mirror that hold something.
    for foreign in ["holiday", "journal/holiday", "books/holiday"] {
        let _ = fs::remove_file(&mirror);
        let _ = fs::remove_dir_all(&mirror);
        fs::create_dir_all(mirror.join(foreign)).unwrap();
        let refused = refusal(&folder, &mirror);
        assert!(matches!(refused, MirrorError::NotACopy { .. }), "{foreign}: {refused}");
    }
    assert_eq!(remembered(&folder.0), Ok(None));
    // Empty ones are a mirror that was being begun.
    fs::remove_dir_all(&mirror).unwrap();
    fs::create_dir_all(mirror.join("journal")).unwrap();
    fs::create_dir_all(mirror.join("books")).unwrap();
    EmbeddedLog::open(&folder.0, keeping(&mirror)).unwrap().close().unwrap();
    same_journal(&folder.0, &mirror);
}

/// A mirror that has its FORMAT and not one segment yet.
#[test]
fn a_mirror_without_a_segment_is_gone_on_with() {
    let (folder, mirror) = with_mirror(60);
    fs::remove_dir_all(mirror.0.join("journal")).unwrap();
    fs::create_dir(mirror.0.join("journal")).unwrap();
    open(&folder).close().unwrap();
    same_journal(&folder.0, &mirror.0);
}

/// A book that can't be carried over is told once for its event, and keeps nothing else back.
#[test]
fn a_book_that_is_not_mirrored_is_told_once() {
    let (folder, mirror) = with_mirror(3);
    let books = FolderTexts::open(folder.0.join("books")).unwrap();
    let entry = |number, text: &str| PrivateEntry {
        number,
        field: Field::Name,
        salt: [number as u8; 32],
        text: text.to_string(),
    };
    for id in [stream(1), stream(2)] {
        books.append(id, &[entry(1, "Ann Lee"), entry(2, "Bob")]).unwrap();
    }
    open(&folder).close().unwrap();
    // Of both books the mirror has more than is left here.
    for id in [stream(1), stream(2)] {
        let file = folder.0.join("books").join(format!("{id}.jsonl"));
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, text.lines().next().unwrap().to_string() + "\n").unwrap();
    }
    let log = open(&folder);
    for (command, id, told) in [(1, 1, 1), (2, 1, 1), (3, 2, 2), (4, 1, 2), (5, 2, 2)] {
        append(&log, stream(id), 700 + command, 1, 10);
        wait_for_copy(&folder, &mirror);
        wait_for("it is told", || codes(&log).len() >= told);
        assert_eq!(codes(&log), vec!["mirror-book"; told], "command {command}");
    }
    log.close().unwrap();
    same_journal(&folder.0, &mirror.0);
}

/// Whoever wants no mirror has none, also where there was none before, and is told where what was
/// kept in mind can't be removed.
#[test]
fn a_mirror_is_given_up() {
    let (folder, _mirror) = with_mirror(3);
    let off = Options { mirror: Mirror::Off, ..options() };
    for _ in 0..2 {
        EmbeddedLog::open(&folder.0, off.clone()).unwrap().close().unwrap();
        assert_eq!(remembered(&folder.0), Ok(None));
    }
    fs::create_dir(folder.0.join("mirror")).unwrap();
    let refused = EmbeddedLog::open(&folder.0, off).err().unwrap();
    assert!(refused.to_string().starts_with("cannot remove"), "{refused}");
}

/// A bit that flipped in what names the mirror does not end mirroring without a word.
#[test]
fn a_mirror_whose_name_is_damaged_is_asked_for() {
    let (folder, mirror) = with_mirror(3);
    let file = folder.0.join("mirror");
    let mut bytes = fs::read(&file).unwrap();
    bytes[3] ^= 1;
    fs::write(&file, bytes).unwrap();
    for _ in 0..2 {
        let log = open(&folder);
        assert_eq!((codes(&log), log.mirror()), (vec!["mirror-unknown"], None));
        log.close().unwrap();
    }
    let log = EmbeddedLog::open(&folder.0, keeping(&mirror.0)).unwrap();
    append(&log, stream(1), 800, 1, 10);
    assert!(codes(&log).is_empty());
    log.close().unwrap();
    same_journal(&folder.0, &mirror.0);
}

/// How a mirror stands can be asked at any time: also when it was told long ago that it is away.
#[test]
fn how_a_mirror_stands() {
    let (folder, mirror) = with_mirror(3);
    let log = open(&folder);
    append(&log, stream(1), 800, 1, 10);
    let up_to_date = MirrorStanding { folder: mirror.0.clone(), missing: Some(0), away: None };
    assert_eq!(log.mirror(), Some(up_to_date.clone()));
    log.close().unwrap();
    let elsewhere = Folder::new();
    fs::rename(&mirror.0, &elsewhere.0).unwrap();
    for told in [vec!["mirror-away"], vec![]] {
        let log = open(&folder);
        let standing = log.mirror().unwrap();
        assert_eq!((standing.missing, standing.away.as_deref()), (None, Some("it is not there")));
        assert_eq!(codes(&log), told);
        log.close().unwrap();
    }
    fs::rename(&elsewhere.0, &mirror.0).unwrap();
    let log = open(&folder);
    assert_eq!(log.mirror(), Some(up_to_date));
    log.close().unwrap();
    let (folder, _) = filled(3);
    assert_eq!(open(&folder).mirror(), None);
}

/// Closing waits for a mirror that gets on. One that does not is told, with what it lacks.
#[test]
fn closing_waits_for_a_mirror_that_gets_on() {
    for (deadline, is_waited_for) in [(Duration::from_secs(60), true), (Duration::ZERO, false)] {
        let (folder, mirror) = with_mirror(5);
        let told = Arc::new(Mutex::new(Vec::new()));
        let hears = Arc::clone(&told);
        let teller = Teller(Arc::new(move |notice| hears.lock().unwrap().push(notice.code)));
        let patient =
            Options { mirror_deadline: deadline, teller: Some(teller), ..keeping(&mirror.0) };
        let log = EmbeddedLog::open(&folder.0, patient).unwrap();
        for command in 0..20 {
            append(&log, stream(1), 500 + command, 1, 5_000);
        }
        log.close().unwrap();
        let told = told.lock().unwrap();
        match is_waited_for {
            true => assert_eq!(*told, [""; 0]),
            false => assert!(told.contains(&"mirror-behind"), "{told:?}"),
        }
        if is_waited_for {
            same_journal(&folder.0, &mirror.0);
        }
    }
}
