//! Private books at their edges: what may only be read, what is in the way, and how long a line is.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use scrutineer_engine::book::{
    BookError, Field, MAX_TEXT, MemoryTexts, PrivateEntry, PrivateTexts,
};
use scrutineer_engine::event::Traces;
use scrutineer_store::texts::{BookState, FolderTexts, carry_book, check_book, merge_books};

use crate::kit::{Folder, stream};

fn entry(number: u32, text: &str) -> PrivateEntry {
    let mut salt = || Ok([number as u8; 32]);
    PrivateEntry::new(number, Field::Name, text, &mut salt).unwrap()
}

fn file(folder: &Folder, name: &str) -> PathBuf {
    folder.0.join(name).join(format!("{}.jsonl", stream(1)))
}

fn shelf(folder: &Folder, name: &str) -> FolderTexts {
    FolderTexts::open(folder.0.join(name)).unwrap()
}

fn is_io<T: std::fmt::Debug>(outcome: Result<T, BookError>) -> bool {
    matches!(outcome, Err(BookError::Io { .. }))
}

#[test]
fn books_that_are_only_read_are_not_written() {
    let folder = Folder::new();
    let here = shelf(&folder, "books");
    here.append(stream(1), &[entry(1, "Ada"), entry(2, "Bob")]).unwrap();
    let before = fs::read(file(&folder, "books")).unwrap();
    let only_read = FolderTexts::read_only(folder.0.join("books"));
    assert_eq!(only_read.book(stream(1)).unwrap().entries().count(), 2);
    let refused = [
        only_read.append(stream(1), &[entry(3, "Eve")]),
        only_read.forget(stream(1), &[1]).map(drop),
        only_read.mend(stream(1), &[1], &[]).map(drop),
        only_read.discard(stream(1)),
    ];
    assert_eq!(refused, [const { Err(BookError::ReadOnly) }; 4]);
    assert_eq!(fs::read(file(&folder, "books")).unwrap(), before);
    let nowhere = FolderTexts::read_only(folder.0.join("nowhere"));
    assert_eq!(nowhere.book(stream(1)).unwrap().entries().count(), 0);
    assert!(!folder.0.join("nowhere").exists());
}

#[test]
fn a_book_is_read_as_far_as_it_is_needed() {
    let folder = Folder::new();
    let files = shelf(&folder, "books");
    for shelf in [&MemoryTexts::new() as &dyn PrivateTexts, &files] {
        shelf.append(stream(1), &[entry(1, "a"), entry(3, "b"), entry(5, "c")]).unwrap();
        let texts = |last: u32| {
            let book = shelf.beginning(stream(1), last).unwrap();
            book.entries().map(|entry| entry.text.clone()).collect::<String>()
        };
        assert_eq!([texts(1), texts(3), texts(9)], ["a", "ab", "abc"]);
        let whole = shelf.book(stream(1)).unwrap();
        assert_eq!(whole.stream(), stream(1));
        assert_eq!(whole.until(3).next_number(), Ok(4));
    }
    let copy = MemoryTexts::holding(files.book(stream(1)).unwrap());
    assert_eq!(copy.book(stream(1)), files.book(stream(1)));
    assert_eq!(check_book(&file(&folder, "books"), stream(1)), Ok(state(3, 0)));
    files.forget(stream(1), &[3]).unwrap();
    assert_eq!(check_book(&file(&folder, "books"), stream(1)), Ok(state(2, 1)));
}

fn state(texts: usize, emptied: usize) -> BookState {
    BookState { texts, emptied }
}

/// A line that was cut off is no entry, and may hold somebody's name all the same.
#[test]
fn forgetting_clears_a_line_that_was_cut_off() {
    let folder = Folder::new();
    let here = shelf(&folder, "books");
    here.append(stream(1), &[entry(1, "Ada")]).unwrap();
    let file = file(&folder, "books");
    let whole = fs::read(&file).unwrap();
    let mut out = fs::File::options().append(true).open(&file).unwrap();
    out.write_all(b"{\"number\":2,\"field\":2,\"text\":\"Grace Hop").unwrap();
    assert_eq!(here.forget(stream(1), &[77]), Ok(0));
    assert!(!String::from_utf8(fs::read(&file).unwrap()).unwrap().contains("Grace"));
    // Where nothing is to be emptied or mended, the file stays as it is.
    fs::write(&file, &whole).unwrap();
    let here = shelf(&folder, "books");
    assert_eq!(here.forget(stream(1), &[77]), Ok(0));
    assert_eq!(here.mend(stream(1), &[77], &[entry(1, "Ada")]), Ok(0));
    assert_eq!(fs::read(&file).unwrap(), whole);
}

#[test]
fn what_is_in_the_way_of_a_book_is_said() {
    let folder = Folder::new();
    let here = shelf(&folder, "books");
    assert_eq!(here.discard(stream(1)), Ok(()), "there is none");
    fs::create_dir_all(file(&folder, "books").join("in the way")).unwrap();
    assert!(is_io(here.discard(stream(1))));
    assert!(is_io(here.book(stream(1))));
    assert!(is_io(carry_book(
        &file(&folder, "books"),
        &file(&folder, "to"),
        stream(1),
        &no_traces
    )));
    fs::write(folder.0.join("file"), "").unwrap();
    assert!(is_io(FolderTexts::read_only(folder.0.join("file")).book(stream(1))));
    assert!(is_io(check_book(&file(&folder, "file"), stream(1))));
}

#[test]
fn a_text_is_mended_within_the_same_bound() {
    let folder = Folder::new();
    let files = shelf(&folder, "books");
    for shelf in [&MemoryTexts::new() as &dyn PrivateTexts, &files] {
        shelf.append(stream(1), &[entry(2, "Ada")]).unwrap();
        let long = entry(1, &"x".repeat(MAX_TEXT));
        let too_long = PrivateEntry { text: "x".repeat(MAX_TEXT + 1), ..long.clone() };
        let refused = shelf.mend(stream(1), &[], std::slice::from_ref(&too_long));
        assert_eq!(refused, Err(BookError::TooLong { bytes: MAX_TEXT + 1 }));
        let refused = shelf.append(stream(1), &[PrivateEntry { number: 3, ..too_long }]);
        assert_eq!(refused, Err(BookError::TooLong { bytes: MAX_TEXT + 1 }));
        assert_eq!(shelf.mend(stream(1), &[], &[long]), Ok(1));
        let none = PrivateEntry { number: 0, ..entry(1, "") };
        let refused = shelf.mend(stream(1), &[], &[none]);
        assert_eq!(refused, Err(BookError::NumberTaken { number: 0, next: 3 }));
    }
}

/// A line of a book has at most 64 KiB with its end, and no number stands in two lines.
#[test]
fn lines_of_a_book() {
    let folder = Folder::new();
    fs::create_dir_all(folder.0.join("books")).unwrap();
    let file = file(&folder, "books");
    let read = |text: &str| {
        fs::write(&file, text).unwrap();
        let said = |error| match error {
            BookError::Line { line, what, .. } => format!("line {line}: {what}"),
            other => panic!("{other}"),
        };
        check_book(&file, stream(1)).map_err(said)
    };
    let line = "{\"number\":1,\"field\":2,\"erased\":true}";
    let padded = |len: usize| format!("{line}{}\n", " ".repeat(len - line.len() - 1));
    assert_eq!(read(&padded(64 * 1024)), Ok(state(0, 1)));
    assert_eq!(read(&padded(64 * 1024 + 1)), Err("line 1: longer than 65536 bytes".into()));
    for again in [line, "{\"number\":1,\"field\":2,\"taken\":true}"] {
        let twice = read(&format!("{line}\n{again}\n"));
        assert_eq!(twice, Err("line 2: number 1 stands twice".into()));
    }
    let neither = "{\"number\":2,\"field\":2,\"erased\":true,\"taken\":true}";
    let refused = read(&format!("{line}\n{neither}\n")).unwrap_err();
    assert!(refused.starts_with("line 2: neither a text"), "{refused}");
}

/// Numbers to which an event commits are taken when a book is put together; texts stay.
#[test]
fn books_put_together() {
    let folder = Folder::new();
    for (name, text) in [("one", "Ada"), ("same", "Ada"), ("other", "Eve")] {
        shelf(&folder, name).append(stream(1), &[entry(2, text), entry(3, "Bob")]).unwrap();
    }
    let to = file(&folder, "both");
    let put = |names: [&str; 2], last: u32| {
        let files = names.map(|name| file(&folder, name));
        let files: Vec<&std::path::Path> = files.iter().map(|file| &**file).collect();
        let damaged =
            merge_books(&files, &to, stream(1), last, &|_| false, &Traces::default())?.damaged;
        assert!(damaged.is_empty(), "{damaged:?}");
        let book = FolderTexts::read_only(folder.0.join("both")).book(stream(1))?;
        Ok::<_, BookError>((book.entries().count(), book.next_number()?))
    };
    // The last event may commit to a number below the last text, to that, or to one behind it.
    assert_eq!(put(["one", "same"], 0), Ok((2, 4)));
    assert_eq!(put(["one", "same"], 2), Ok((2, 4)));
    assert_eq!(put(["one", "same"], 3), Ok((2, 4)));
    assert_eq!(put(["one", "same"], 4), Ok((2, 5)));
    // A number that leaves room for no other is no reason to close the book.
    assert_eq!(put(["one", "same"], u32::MAX), Ok((2, 4)));
    // What is damaged of one is passed over and told; of two, each gives what it still has.
    let whole = fs::read_to_string(file(&folder, "same")).unwrap();
    let (first, second) = whole.split_once('\n').unwrap();
    fs::write(file(&folder, "same"), format!("no entry\n{second}")).unwrap();
    let merged = |names: &[&str]| {
        let files: Vec<PathBuf> = names.iter().map(|name| file(&folder, name)).collect();
        let files: Vec<&std::path::Path> = files.iter().map(|file| &**file).collect();
        merge_books(&files, &to, stream(1), 3, &|entry| entry.text != "Eve", &Traces::default())
            .map(|m| m.damaged)
    };
    let told = merged(&["same", "one"]).unwrap();
    assert!(matches!(&told[..], [BookError::Line { line: 1, .. }]), "{told:?}");
    let texts = || {
        let book = FolderTexts::read_only(folder.0.join("both")).book(stream(1)).unwrap();
        book.entries().map(|entry| entry.text.clone()).collect::<Vec<_>>()
    };
    assert_eq!(texts(), ["Ada", "Bob"]);
    assert_eq!(merged(&["same", "same"]).unwrap().len(), 2);
    assert_eq!(texts(), ["Bob"]);
    shelf(&folder, "second").append(stream(1), &[entry(2, "Ada")]).unwrap();
    fs::write(file(&folder, "second"), format!("{first}\nno entry\n")).unwrap();
    assert_eq!(merged(&["same", "second"]).unwrap().len(), 2);
    assert_eq!(texts(), ["Ada", "Bob"]);
    // Of two texts the one counts to which the log commits.
    let differs = BookError::Differs { file: file(&folder, "other").display().to_string() };
    assert_eq!(merged(&["one", "other"]), Ok(vec![differs.clone()]));
    assert_eq!(texts(), ["Ada", "Bob"]);
    assert_eq!(merged(&["other", "one"]).unwrap().len(), 1);
    assert_eq!(texts(), ["Ada", "Bob"]);
    // Where it commits to neither, nobody can tell: that one is gone, and no other.
    let files = [file(&folder, "one"), file(&folder, "other")];
    let files = [&*files[0], &*files[1]];
    assert_eq!(
        merge_books(&files, &to, stream(1), 3, &|_| false, &Traces::default()).map(|m| m.damaged),
        Ok(vec![differs])
    );
    assert_eq!(texts(), ["Bob"]);
}

fn no_traces() -> Result<Traces, scrutineer_engine::book::BookError> {
    Ok(Traces::default())
}
