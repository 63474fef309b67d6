//! Private books: commitments, files, forgetting.

use std::io::Write;

use scrutineer_engine::book::{
    Book, BookError, Commitment, Field, MAX_TEXT, MemoryTexts, Opened, PrivateEntry, PrivateTexts,
    commit,
};
use scrutineer_engine::event::Traces;
use scrutineer_store::texts::{FolderTexts, carry_book, merge_books, system_salt};

use crate::kit::{Folder, stream};

fn entry(number: u32, text: &str) -> PrivateEntry {
    let mut salt = || Ok([number as u8; 32]);
    PrivateEntry::new(number, Field::Name, text, &mut salt).unwrap()
}

#[test]
fn golden_commitment() {
    let entry =
        PrivateEntry { number: 3, field: Field::Reason, salt: [7; 32], text: "héllo".into() };
    let mut bytes = stream(5).0.to_vec();
    bytes.extend([3, 0, 0, 0, 5]);
    bytes.extend([7; 32]);
    bytes.extend([6, 0, 0, 0]);
    bytes.extend("héllo".as_bytes());
    let digest = blake3::derive_key("scrutineer 2026 private entry v1", &bytes);
    assert_eq!(commit(stream(5), &entry), Commitment { number: 3, digest });
}

#[test]
fn a_commitment_opens_only_its_own_text() {
    let mut book = Book::new(stream(1));
    let ada = entry(1, "Ada");
    let commitment = commit(stream(1), &ada);
    assert_eq!(book.text(&commitment), Opened::Missing);
    book.add(ada).unwrap();
    assert_eq!(book.text(&commitment), Opened::Text("Ada"));
    let other = Commitment { digest: [0; 32], ..commitment };
    assert_eq!(book.text(&other), Opened::Altered);
    let mut foreign = Book::new(stream(2));
    foreign.add(entry(1, "Ada")).unwrap();
    assert_eq!(foreign.text(&commitment), Opened::Altered);
    book.forget(&[1, 99]);
    assert_eq!(book.text(&commitment), Opened::Erased);
    assert_eq!(book.next_number().unwrap(), 2);
    let taken = book.add(entry(1, "Eve"));
    assert_eq!(taken, Err(BookError::NumberTaken { number: 1, next: 2 }));
}

#[test]
fn shelves_agree_and_files_last() {
    let folder = Folder::new();
    let (memory, files) = (MemoryTexts::new(), FolderTexts::open(folder.0.join("books")).unwrap());
    let texts = ["Ada", "", "Grace \"Amazing\" Hopper\n", "日本\u{0}"];
    for shelf in [&memory as &dyn PrivateTexts, &files] {
        for text in texts {
            let number = shelf.next_number(stream(1)).unwrap();
            shelf.append(stream(1), &[entry(number, text)]).unwrap();
        }
        shelf.append(stream(2), &[entry(1, "a"), entry(5, "b")]).unwrap();
        let taken = shelf.append(stream(2), &[entry(6, "c"), entry(6, "d")]);
        assert_eq!(taken, Err(BookError::NumberTaken { number: 6, next: 7 }));
        assert_eq!(shelf.next_number(stream(2)).unwrap(), 6);
        assert_eq!(shelf.forget(stream(1), &[1, 3, 77]), Ok(2));
        assert_eq!(shelf.forget(stream(1), &[1]), Ok(0));
        let next = shelf.next_number(stream(1)).unwrap();
        shelf.append(stream(1), &[entry(next, "new")]).unwrap();
    }
    let again = FolderTexts::open(folder.0.join("books")).unwrap();
    for id in [stream(1), stream(2), stream(3)] {
        assert_eq!(again.book(id).unwrap(), memory.book(id).unwrap());
    }
    let text = std::fs::read_to_string(folder.0.join("books").join(format!("{}.jsonl", stream(1))));
    let text = text.unwrap();
    assert!(!text.contains("Ada") && !text.contains(&"01".repeat(32)), "{text}");
    assert!(text.starts_with("{\"number\":1,\"field\":2,\"erased\":true}\n"), "{text}");
}

#[test]
fn a_torn_line_is_cut_and_a_damaged_one_is_named() {
    let folder = Folder::new();
    let file = folder.0.join(format!("{}.jsonl", stream(1)));
    let shelf = FolderTexts::open(&folder.0).unwrap();
    shelf.append(stream(1), &[entry(1, "one"), entry(2, "two")]).unwrap();
    let whole = std::fs::read(&file).unwrap();
    for len in 0..whole.len() {
        std::fs::write(&file, &whole[..len]).unwrap();
        let shelf = FolderTexts::open(&folder.0).unwrap();
        let kept = shelf.book(stream(1)).unwrap().entries().count() as u32;
        assert!(kept < 2);
        shelf.append(stream(1), &[entry(kept + 1, "new")]).unwrap();
        assert_eq!(shelf.book(stream(1)).unwrap().entries().count() as u32, kept + 1);
    }
    // A damaged end is no line that was cut off.
    for bit in 0..8 {
        let mut bytes = whole.clone();
        *bytes.last_mut().unwrap() ^= 1 << bit;
        std::fs::write(&file, bytes).unwrap();
        assert!(FolderTexts::open(&folder.0).unwrap().book(stream(1)).is_err(), "bit {bit}");
    }
    let line = |text: &str| {
        std::fs::write(&file, &whole).unwrap();
        let mut out = std::fs::File::options().append(true).open(&file).unwrap();
        out.write_all(text.as_bytes()).unwrap();
        FolderTexts::open(&folder.0).unwrap().book(stream(1))
    };
    let good_salt = "00".repeat(32);
    for wrong in [
        "{}".to_string(),
        "not json".to_string(),
        "{\"number\":2,\"field\":2,\"erased\":true}".to_string(),
        "{\"number\":3,\"field\":99,\"erased\":true}".to_string(),
        "{\"number\":3,\"field\":2,\"erased\":false}".to_string(),
        format!("{{\"number\":3,\"field\":2,\"salt\":\"{good_salt}\"}}"),
        "{\"number\":3,\"field\":2,\"salt\":\"00\",\"text\":\"x\"}".to_string(),
        format!("{{\"number\":3,\"field\":2,\"salt\":\"{good_salt}\",\"text\":\"x\",\"more\":1}}"),
        format!("{{\"number\":-1,\"field\":2,\"salt\":\"{good_salt}\",\"text\":\"x\"}}"),
        "x".repeat(70_000),
        "[".repeat(60_000),
    ] {
        let refused = line(&format!("{wrong}\n")).unwrap_err();
        assert!(matches!(refused, BookError::Line { line: 3, .. }), "{wrong}: {refused}");
    }
}

/// A power cut while lines were appended may leave the file longer and some of its sectors unwritten,
/// also before one that was written. Found by cutting the power while names were written.
#[test]
fn a_book_that_lacks_sectors_of_its_last_write_is_read_up_to_there() {
    let folder = Folder::new();
    let file = folder.0.join(format!("{}.jsonl", stream(1)));
    let shelf = FolderTexts::open(&folder.0).unwrap();
    let first: Vec<_> = (1..=3).map(|number| entry(number, "who is acknowledged")).collect();
    shelf.append(stream(1), &first).unwrap();
    let safe = std::fs::read(&file).unwrap().len();
    let second: Vec<_> = (4..=20).map(|number| entry(number, "who is not")).collect();
    shelf.append(stream(1), &second).unwrap();
    let whole = std::fs::read(&file).unwrap();
    let (mut cut, sectors) = (0, whole.len().div_ceil(512));
    for lost in safe / 512..sectors {
        let mut bytes = whole.clone();
        bytes[safe.max(lost * 512)..whole.len().min(lost * 512 + 512)].fill(0);
        std::fs::write(&file, &bytes).unwrap();
        let shelf = FolderTexts::open(&folder.0).unwrap();
        let kept = shelf.book(stream(1)).unwrap().entries().count() as u32;
        assert!((3..20).contains(&kept), "sector {lost}: {kept}");
        cut += u32::from(lost + 1 < sectors);
        shelf.append(stream(1), &[entry(kept + 1, "new")]).unwrap();
        let book = FolderTexts::open(&folder.0).unwrap().book(stream(1)).unwrap();
        assert_eq!(book.entries().count() as u32, kept + 1);
    }
    assert!(cut > 3, "sectors were lost before others that were not");

    // The same where a later write shows that the lines had been durable, or within a sector.
    std::fs::write(&file, &whole).unwrap();
    FolderTexts::open(&folder.0).unwrap().append(stream(1), &[entry(21, "later")]).unwrap();
    let longer = std::fs::read(&file).unwrap();
    let damaged =
        [(&longer, 1024..1536), (&longer, 512..1024), (&whole, 1025..1536), (&whole, 1024..1535)];
    for (bytes, range) in damaged {
        let mut bytes = bytes.clone();
        bytes[range.clone()].fill(0);
        std::fs::write(&file, &bytes).unwrap();
        let refused = FolderTexts::open(&folder.0).unwrap().book(stream(1)).unwrap_err();
        assert!(matches!(refused, BookError::Line { .. }), "{range:?}: {refused}");
    }
}

#[test]
fn texts_and_salts_have_limits() {
    assert_ne!(system_salt().unwrap(), system_salt().unwrap());
    let long = "x".repeat(MAX_TEXT + 1);
    let refused = PrivateEntry::new(1, Field::Note, long, &mut system_salt);
    assert_eq!(refused, Err(BookError::TooLong { bytes: MAX_TEXT + 1 }));
    let folder = Folder::new();
    let shelf = FolderTexts::open(&folder.0).unwrap();
    let control = PrivateEntry::new(1, Field::Note, "\u{1}".repeat(MAX_TEXT), &mut system_salt);
    shelf.append(stream(1), &[control.unwrap()]).unwrap();
    assert_eq!(shelf.book(stream(1)).unwrap().entries().count(), 1);
    assert_eq!(format!("{:?}", entry(1, "Ada")), "PrivateEntry(1 Name)");
}

#[cfg(unix)]
#[test]
fn books_are_for_their_owner() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let shelf = FolderTexts::open(&folder.0).unwrap();
    shelf.append(stream(1), &[entry(1, "Ada"), entry(2, "Bob")]).unwrap();
    let file = folder.0.join(format!("{}.jsonl", stream(1)));
    let mode = || std::fs::metadata(&file).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(), 0o600);
    shelf.forget(stream(1), &[1]).unwrap();
    assert_eq!(mode(), 0o600);
}

#[test]
fn a_book_is_mended_and_what_was_erased_stays_erased() {
    let folder = Folder::new();
    let files = FolderTexts::open(folder.0.join("books")).unwrap();
    for shelf in [&MemoryTexts::new() as &dyn PrivateTexts, &files] {
        shelf.append(stream(1), &[entry(2, "Ada"), entry(3, "Bob"), entry(6, "Mallory")]).unwrap();
        shelf.forget(stream(1), &[3]).unwrap();
        // One that is missing, one that is there, one that was erased, and one for another.
        let all = [entry(1, "Ann"), entry(2, "Ada"), entry(3, "Bob"), entry(6, "Eve")];
        assert_eq!(shelf.mend(stream(1), &[6, 77], &all), Ok(2));
        assert_eq!(shelf.mend(stream(1), &[], &all), Ok(0));
        let book = shelf.book(stream(1)).unwrap();
        let texts: Vec<&str> = book.entries().map(|entry| &entry.text[..]).collect();
        assert_eq!(texts, ["Ann", "Ada", "Eve"]);
        assert_eq!(book.erased().collect::<Vec<_>>(), [3]);
        // A number stays taken when its text is taken out.
        assert_eq!(shelf.mend(stream(1), &[6], &[]), Ok(0));
        assert_eq!(shelf.next_number(stream(1)), Ok(7));
        let taken = BookError::NumberTaken { number: 7, next: 7 };
        assert_eq!(shelf.mend(stream(1), &[], &[entry(7, "new")]), Err(taken));
        shelf.append(stream(1), &[entry(7, "new")]).unwrap();
    }
    let text = std::fs::read_to_string(folder.0.join("books").join(format!("{}.jsonl", stream(1))));
    assert!(!text.unwrap().contains("Mallory"));
}

/// A bundle without names leaves numbers that are only taken; copies of such a book are copies like
/// others.
#[test]
fn numbers_that_are_only_taken_come_through_mirrors_and_restoring() {
    let folder = Folder::new();
    let shelf = |name: &str| FolderTexts::open(folder.0.join(name)).unwrap();
    let file = |name: &str| folder.0.join(name).join(format!("{}.jsonl", stream(1)));
    let here = shelf("here");
    here.append(stream(1), &[entry(2, "left over")]).unwrap();
    here.mend(stream(1), &[2], &[]).unwrap();
    carry_book(&file("here"), &file("mirror"), stream(1), &no_traces).unwrap();
    // A later bundle brings the text, and somebody else is forgotten.
    here.mend(stream(1), &[], &[entry(1, "Ann")]).unwrap();
    here.append(stream(1), &[entry(3, "Zoe")]).unwrap();
    carry_book(&file("here"), &file("mirror"), stream(1), &no_traces).unwrap();
    here.forget(stream(1), &[3]).unwrap();
    here.mend(stream(1), &[], &[entry(2, "Bob")]).unwrap();
    carry_book(&file("here"), &file("mirror"), stream(1), &no_traces).unwrap();
    assert_eq!(std::fs::read(file("mirror")).unwrap(), std::fs::read(file("here")).unwrap());
    // Both have it, or only one: a text is brought back, what was forgotten is not, and no number is
    // free to which the log commits.
    let taken = shelf("taken");
    taken.append(stream(1), &[entry(2, ""), entry(3, "Zoe")]).unwrap();
    taken.mend(stream(1), &[2], &[]).unwrap();
    for sources in [["here", "taken"], ["taken", "here"]] {
        let files = sources.map(file);
        let files: Vec<&std::path::Path> = files.iter().map(|file| &**file).collect();
        assert_eq!(
            merge_books(&files, &file("both"), stream(1), 9, &|_| false, &Traces::default())
                .map(|m| m.damaged),
            Ok(Vec::new())
        );
        let book = shelf("both").book(stream(1)).unwrap();
        assert_eq!(book.entry(1), Some(&entry(1, "Ann")));
        assert_eq!(book.entry(2), Some(&entry(2, "Bob")));
        assert_eq!(book.erased().collect::<Vec<_>>(), [3]);
        assert_eq!(book.next_number(), Ok(10));
    }
}

fn no_traces() -> Result<Traces, scrutineer_engine::book::BookError> {
    Ok(Traces::default())
}
