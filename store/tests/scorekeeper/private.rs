//! Names and reasons: in the book before the event, and nowhere else.

use std::sync::Mutex;

use scrutineer_engine::book::{Book, BookError, Field, Opened, PrivateEntry, PrivateTexts};
use scrutineer_engine::command::Command;
use scrutineer_engine::event::*;
use scrutineer_engine::handler::{CommandHandler, Request};
use scrutineer_engine::log::{
    AppendError, Batch, CommandTrace, Head, Log, LogError, MemoryLog, Records, TextsFirst,
};
use scrutineer_engine::record::{CommandId, StreamId};

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
        let log = folder.log();
        let handler = CommandHandler::new(&log);
        let (title, commitment) = words(1, Field::Title, "Spring Open of Nowhere");
        let opening = Request { private: vec![title], ..one(1, opening(commitment)) };
        handler.handle(&opening).expect("it opens");
        handler.handle(&enroll(2, 2, &names)).expect("they are enrolled");
        let (why, reason) = words(5, Field::Reason, reason);
        let undo = Request { private: vec![why], ..one(3, Withdrawn { seq: 2, reason }) };
        handler.handle(&undo).expect("it is withdrawn");
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
    everywhere(|log| {
        let handler = CommandHandler::new(log);
        handler.handle(&open()).expect("it opens");
        handler.handle(&enroll(2, 1, &["Ada", "Bob"])).expect("they are enrolled");
        let (_, state) = handler.load(STREAM).expect("it is folded");
        let book = log.texts().book(STREAM).expect("a book");
        let names: Vec<_> = state.players().iter().map(|player| book.text(&player.name)).collect();
        assert_eq!(names, [Opened::Text("Ada"), Opened::Text("Bob")]);
    });
}

/// A log that looks into the private texts before it appends.
#[derive(Default)]
struct Watching {
    log: MemoryLog,
    texts_first: TextsFirst,
    /// What to do before the next append: somebody else is faster.
    before: Mutex<Option<Batch>>,
    entries: Mutex<Vec<usize>>,
}

impl Log for Watching {
    fn head(&self, stream: StreamId) -> Result<Head, LogError> {
        self.log.head(stream)
    }

    fn append(&self, expected: Head, batch: Batch) -> Result<Head, AppendError> {
        self.texts_first.append(self, expected, batch, |batch| {
            let entries = self.texts().book(STREAM).expect("a book").entries().count();
            self.entries.lock().expect("a lock").push(entries);
            if let Some(faster) = self.before.lock().expect("a lock").take() {
                self.log.append(expected, faster)?;
            }
            self.log.append(expected, batch)
        })
    }

    fn read(&self, stream: StreamId, after: u64) -> Records<'_> {
        self.log.read(stream, after)
    }

    fn scan(&self) -> Records<'_> {
        self.log.scan()
    }

    fn command(&self, stream: StreamId, id: CommandId) -> Result<Option<CommandTrace>, LogError> {
        self.log.command(stream, id)
    }

    fn streams(&self) -> Result<Vec<StreamId>, LogError> {
        self.log.streams()
    }

    fn texts(&self) -> &dyn PrivateTexts {
        self.log.texts()
    }
}

/// The batch that `request` would append now.
fn batch_of(log: &MemoryLog, request: &Request) -> Batch {
    let copy = MemoryLog::new();
    for record in log.read(STREAM, 0) {
        let record = record.expect("it is read");
        let head = copy.head(STREAM).expect("a head");
        let batch = Batch { records: vec![record], command_digest: [0; 32], texts: Vec::new() };
        copy.append(head, batch).expect("it is appended");
    }
    let head = copy.head(STREAM).expect("a head");
    CommandHandler::new(&copy).handle(request).expect("it is recorded");
    let command_digest =
        copy.command(STREAM, request.id).expect("a trace").expect("a trace").digest;
    let appended: Result<_, _> = copy.read(STREAM, head.seq).collect();
    Batch { records: appended.expect("it is read"), command_digest, texts: Vec::new() }
}

#[test]
fn the_words_are_there_before_the_event() {
    let log = Watching::default();
    let handler = CommandHandler::new(&log);
    handler.handle(&open()).expect("it opens");
    handler.handle(&enroll(2, 1, &["Ada", "Bob"])).expect("they are enrolled");
    assert_eq!(*log.entries.lock().expect("a lock"), [0, 2]);
}

#[test]
fn a_rejected_command_leaves_nothing() {
    everywhere(|log| {
        let handler = CommandHandler::new(log);
        let refused = handler.handle(&enroll(2, 1, &["Ada"])).expect_err("nothing is open");
        assert_eq!(refused.code(), "not-opened");
        assert!(log.streams().expect("streams").is_empty());
        assert_eq!(log.texts().next_number(STREAM), Ok(1));
        handler.handle(&open()).expect("it opens");
        assert_eq!(handler.handle(&enroll(2, 1, &["Ada"])).expect("now").last_seq, 2);
    });
}

/// The words were written, then somebody else closed the tournament: they are emptied again.
#[test]
fn a_command_that_became_illegal_leaves_no_words() {
    let log = Watching::default();
    let handler = CommandHandler::new(&log);
    handler.handle(&open()).expect("it opens");
    let close = batch_of(&log.log, &one(9, TournamentClosed {}));
    *log.before.lock().expect("a lock") = Some(close);
    let refused = handler.handle(&enroll(2, 1, &["Ada"])).expect_err("it was closed");
    assert_eq!(refused.code(), "closed");
    let book = log.texts().book(STREAM).expect("a book");
    assert_eq!((book.entries().count(), book.erased().count()), (0, 1));
    assert_eq!(log.log.head(STREAM).expect("a head").seq, 2);
}

/// The power went after the words, and the tournament was closed before the desk sent the command
/// again: no name of somebody who never took part stays.
#[test]
fn a_command_refused_after_it_was_cut_off_leaves_no_words() {
    everywhere(|log| {
        let handler = CommandHandler::new(log);
        handler.handle(&open()).expect("it opens");
        let request = enroll(2, 1, &["Ada", "Bob"]);
        log.texts().append(STREAM, &request.private).expect("the words");
        handler.handle(&enroll(3, 3, &["Eve"])).expect("she is enrolled");
        handler.handle(&one(4, TournamentClosed {})).expect("it is closed");
        assert_eq!(handler.handle(&request).expect_err("it is closed").code(), "closed");
        let book = log.texts().book(STREAM).expect("a book");
        let left: Vec<&str> = book.entries().map(|entry| entry.text.as_str()).collect();
        assert_eq!((left, book.erased().count()), (vec!["Eve"], 2));
    });
}

/// The very same command was sent twice at once: its words stay.
#[test]
fn a_command_that_was_faster_than_itself_keeps_its_words() {
    let log = Watching::default();
    let handler = CommandHandler::new(&log);
    handler.handle(&open()).expect("it opens");
    let request = enroll(2, 1, &["Ada"]);
    *log.before.lock().expect("a lock") = Some(batch_of(&log.log, &request));
    assert!(handler.handle(&request).expect("it is recorded").repeated);
    assert_eq!(log.texts().book(STREAM).expect("a book").entries().count(), 1);
}

/// The power went after the words and before the event. The desk sends the command again.
#[test]
fn a_command_cut_off_after_its_words_is_sent_again() {
    everywhere(|log| {
        let handler = CommandHandler::new(log);
        handler.handle(&open()).expect("it opens");
        let request = enroll(2, 1, &["Ada", "Bob"]);
        log.texts().append(STREAM, &request.private[..1]).expect("the first word");
        let answer = handler.handle(&request).expect("it is recorded");
        assert_eq!((answer.first_seq, answer.repeated), (2, false));
        assert_eq!(log.texts().book(STREAM).expect("a book").entries().count(), 2);
        // Another command can't take a number that is used.
        let other = enroll(3, 2, &["Eve"]);
        let refused = handler.handle(&other).expect_err("the number is taken");
        assert_eq!(refused.code(), "book-not-written");
        assert_eq!(records(log).len(), 3);
    });
}

/// An import was killed after its words. The next try has other salts; no event refers to the old
/// ones, and the file can be imported.
#[test]
fn a_tournament_cut_off_at_its_beginning_is_begun_again() {
    everywhere(|log| {
        let begin = |text: &str| {
            let (entry, title) = words(1, Field::Title, text);
            Request { private: vec![entry], ..one(1, opening(title)) }
        };
        log.texts().append(STREAM, &begin("Open").private).expect("the words");
        let handler = CommandHandler::new(log);
        let again = begin("Open");
        handler.handle(&again).expect("it opens");
        let book: Book = log.texts().book(STREAM).expect("a book");
        assert_eq!(book.entry(1), again.private.first());
        let taken = log.texts().append(STREAM, &again.private);
        assert!(matches!(taken, Err(BookError::NumberTaken { .. })));
    });
}
