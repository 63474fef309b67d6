//! Names and reasons: in the book before the event, and nowhere else.

use std::sync::Mutex;

use scrutineer_engine::book::{
    Book, BookError, BookShelf, Field, MemoryShelf, Opened, PrivateEntry,
};
use scrutineer_engine::command::Command;
use scrutineer_engine::event::*;
use scrutineer_engine::log::{
    AppendError, Batch, CommandTrace, Head, Log, LogError, MemoryLog, Visit,
};
use scrutineer_engine::record::{CommandId, StreamId};
use scrutineer_engine::scorekeeper::{Request, Scorekeeper};

use crate::desk::*;

/// Players with their names.
fn enroll(id: u128, first: u32, names: &[&str]) -> Request {
    let words = (first..).zip(names).map(|(number, name)| words(number, Field::Name, name));
    let (private, names): (Vec<PrivateEntry>, Vec<_>) = words.unzip();
    let command = Command::Enrol(names.into_iter().map(enrollment).collect());
    Request { private, ..request(id, command) }
}

#[test]
fn no_name_stands_in_any_file_but_the_books() {
    let folder = Folder::new();
    let names = ["Kowalska-Zażółć", "O'Nuallain", "Grace Hopper"];
    let reason = "He had sat down at the wrong table";
    {
        let (log, books) = (folder.log(), folder.books());
        let scorekeeper = Scorekeeper::new(&log, &books);
        let (title, commitment) = words(1, Field::Title, "Spring Open of Nowhere");
        let opening = Request { private: vec![title], ..one(1, opening(commitment)) };
        scorekeeper.handle(&opening).expect("it opens");
        scorekeeper.handle(&enroll(2, 2, &names)).expect("they are enrolled");
        let (why, reason) = words(5, Field::Reason, reason);
        let undo = Request { private: vec![why], ..one(3, Withdrawn { seq: 2, reason }) };
        scorekeeper.handle(&undo).expect("it is withdrawn");
        log.close().expect("it closes");
    }
    let texts = [&names[..], &[reason, "Spring Open", "wrong table", "Hopper"]].concat();
    let (mut in_books, mut elsewhere) = (0, 0);
    for (file, bytes) in folder.files() {
        let holds = |text: &&&str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
        let found: Vec<_> = texts.iter().filter(holds).collect();
        if file.parent().is_some_and(|parent| parent.ends_with("books")) {
            in_books += found.len();
        } else {
            assert!(found.is_empty(), "{} holds {found:?}", file.display());
            elsewhere += 1;
        }
    }
    assert_eq!(in_books, texts.len());
    assert!(elsewhere >= 4, "the journal, sled and the rest");
}

#[test]
fn the_words_open_the_commitments_of_the_log() {
    everywhere(|log, books| {
        let scorekeeper = Scorekeeper::new(log, books);
        scorekeeper.handle(&open()).expect("it opens");
        scorekeeper.handle(&enroll(2, 1, &["Ada", "Bob"])).expect("they are enrolled");
        let (_, state) = scorekeeper.load(STREAM).expect("it is folded");
        let book = books.book(STREAM).expect("a book");
        let names: Vec<_> = state.players().iter().map(|player| book.text(&player.name)).collect();
        assert_eq!(names, [Opened::Text("Ada"), Opened::Text("Bob")]);
    });
}

/// A log that looks into the book before it appends.
struct Watching<'a> {
    log: MemoryLog,
    books: &'a MemoryShelf,
    /// What to do before the next append: somebody else is faster.
    before: Mutex<Option<Batch>>,
    entries: Mutex<Vec<usize>>,
}

impl Log for Watching<'_> {
    fn head(&self, stream: StreamId) -> Result<Head, LogError> {
        self.log.head(stream)
    }

    fn append(&self, expected: Head, batch: Batch) -> Result<Head, AppendError> {
        let entries = self.books.book(STREAM).expect("a book").entries().count();
        self.entries.lock().expect("a lock").push(entries);
        if let Some(faster) = self.before.lock().expect("a lock").take() {
            self.log.append(expected, faster)?;
        }
        self.log.append(expected, batch)
    }

    fn read(&self, stream: StreamId, after: u64, visit: &mut Visit<'_>) -> Result<(), LogError> {
        self.log.read(stream, after, visit)
    }

    fn command(&self, stream: StreamId, id: CommandId) -> Result<Option<CommandTrace>, LogError> {
        self.log.command(stream, id)
    }

    fn streams(&self) -> Result<Vec<StreamId>, LogError> {
        self.log.streams()
    }
}

fn watching(books: &MemoryShelf) -> Watching<'_> {
    let (before, entries) = (Mutex::default(), Mutex::default());
    Watching { log: MemoryLog::new(), books, before, entries }
}

/// The batch that `request` would append now.
fn batch_of(log: &MemoryLog, request: &Request) -> Batch {
    let copy = MemoryLog::new();
    let mut records = Vec::new();
    log.read(STREAM, 0, &mut |record| {
        records.push(record);
        std::ops::ControlFlow::Continue(())
    })
    .expect("it is read");
    for record in records {
        let head = copy.head(STREAM).expect("a head");
        let batch = Batch { records: vec![record], command_digest: [0; 32] };
        copy.append(head, batch).expect("it is appended");
    }
    let head = copy.head(STREAM).expect("a head");
    Scorekeeper::new(&copy, &MemoryShelf::new()).handle(request).expect("it is recorded");
    let command_digest =
        copy.command(STREAM, request.id).expect("a trace").expect("a trace").digest;
    let mut appended = Vec::new();
    copy.read(STREAM, head.seq, &mut |record| {
        appended.push(record);
        std::ops::ControlFlow::Continue(())
    })
    .expect("it is read");
    Batch { records: appended, command_digest }
}

#[test]
fn the_words_are_there_before_the_event() {
    let books = MemoryShelf::new();
    let log = watching(&books);
    let scorekeeper = Scorekeeper::new(&log, &books);
    scorekeeper.handle(&open()).expect("it opens");
    scorekeeper.handle(&enroll(2, 1, &["Ada", "Bob"])).expect("they are enrolled");
    assert_eq!(*log.entries.lock().expect("a lock"), [0, 2]);
}

#[test]
fn a_rejected_command_leaves_nothing() {
    everywhere(|log, books| {
        let scorekeeper = Scorekeeper::new(log, books);
        let refused = scorekeeper.handle(&enroll(2, 1, &["Ada"])).expect_err("nothing is open");
        assert_eq!(refused.code(), "not-opened");
        assert!(log.streams().expect("streams").is_empty());
        assert_eq!(books.next_number(STREAM), Ok(1));
        scorekeeper.handle(&open()).expect("it opens");
        assert_eq!(scorekeeper.handle(&enroll(2, 1, &["Ada"])).expect("now").last_seq, 2);
    });
}

/// The words were written, then somebody else closed the tournament: they are emptied again.
#[test]
fn a_command_that_became_illegal_leaves_no_words() {
    let books = MemoryShelf::new();
    let log = watching(&books);
    let scorekeeper = Scorekeeper::new(&log, &books);
    scorekeeper.handle(&open()).expect("it opens");
    let close = batch_of(&log.log, &one(9, TournamentClosed {}));
    *log.before.lock().expect("a lock") = Some(close);
    let refused = scorekeeper.handle(&enroll(2, 1, &["Ada"])).expect_err("it was closed");
    assert_eq!(refused.code(), "closed");
    let book = books.book(STREAM).expect("a book");
    assert_eq!((book.entries().count(), book.erased().count()), (0, 1));
    assert_eq!(log.log.head(STREAM).expect("a head").seq, 2);
}

/// The power went after the words, and the tournament was closed before the desk sent the command
/// again: no name of somebody who never took part stays.
#[test]
fn a_command_refused_after_it_was_cut_off_leaves_no_words() {
    everywhere(|log, books| {
        let scorekeeper = Scorekeeper::new(log, books);
        scorekeeper.handle(&open()).expect("it opens");
        let request = enroll(2, 1, &["Ada", "Bob"]);
        books.append(STREAM, &request.private).expect("the words");
        scorekeeper.handle(&enroll(3, 3, &["Eve"])).expect("she is enrolled");
        scorekeeper.handle(&one(4, TournamentClosed {})).expect("it is closed");
        assert_eq!(scorekeeper.handle(&request).expect_err("it is closed").code(), "closed");
        let book = books.book(STREAM).expect("a book");
        let left: Vec<&str> = book.entries().map(|entry| entry.text.as_str()).collect();
        assert_eq!((left, book.erased().count()), (vec!["Eve"], 2));
    });
}

/// The very same command was sent twice at once: its words stay.
#[test]
fn a_command_that_was_faster_than_itself_keeps_its_words() {
    let books = MemoryShelf::new();
    let log = watching(&books);
    let scorekeeper = Scorekeeper::new(&log, &books);
    scorekeeper.handle(&open()).expect("it opens");
    let request = enroll(2, 1, &["Ada"]);
    *log.before.lock().expect("a lock") = Some(batch_of(&log.log, &request));
    assert!(scorekeeper.handle(&request).expect("it is recorded").repeated);
    assert_eq!(books.book(STREAM).expect("a book").entries().count(), 1);
}

/// The power went after the words and before the event. The desk sends the command again.
#[test]
fn a_command_cut_off_after_its_words_is_sent_again() {
    everywhere(|log, books| {
        let scorekeeper = Scorekeeper::new(log, books);
        scorekeeper.handle(&open()).expect("it opens");
        let request = enroll(2, 1, &["Ada", "Bob"]);
        books.append(STREAM, &request.private[..1]).expect("the first word");
        let answer = scorekeeper.handle(&request).expect("it is recorded");
        assert_eq!((answer.first_seq, answer.repeated), (2, false));
        assert_eq!(books.book(STREAM).expect("a book").entries().count(), 2);
        // Another command can't take a number that is used.
        let other = enroll(3, 2, &["Eve"]);
        let refused = scorekeeper.handle(&other).expect_err("the number is taken");
        assert_eq!(refused.code(), "book-not-written");
        assert_eq!(records(log).len(), 3);
    });
}

/// An import was killed after its words. The next try has other salts; no event refers to the old
/// ones, and the file can be imported.
#[test]
fn a_tournament_cut_off_at_its_beginning_is_begun_again() {
    everywhere(|log, books| {
        let begin = |text: &str| {
            let (entry, title) = words(1, Field::Title, text);
            Request { private: vec![entry], ..one(1, opening(title)) }
        };
        books.append(STREAM, &begin("Open").private).expect("the words");
        let scorekeeper = Scorekeeper::new(log, books);
        let again = begin("Open");
        scorekeeper.handle(&again).expect("it opens");
        let book: Book = books.book(STREAM).expect("a book");
        assert_eq!(book.entry(1), again.private.first());
        let taken = books.append(STREAM, &again.private);
        assert!(matches!(taken, Err(BookError::NumberTaken { .. })));
    });
}
