//! A log and a book that fail: when they are told to, once, and in the way they are told.

use super::line::{Cut, Database};
use scrutineer_engine::book::{Book, BookError, PrivateEntry, PrivateTexts};
use scrutineer_engine::handler::{Answer, CommandError, CommandHandler, Request};
use scrutineer_engine::log::{
    AppendError, Batch, CommandTrace, Head, Log, LogError, MemoryLog, Records, TextsFirst,
};
use scrutineer_engine::record::{CommandId, StreamId};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What goes wrong, at the next occasion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// The power fails right before the records are written.
    CrashBeforeAppend,
    /// The power fails right after they were written.
    CrashAfterAppend,
    /// The power fails right after the private words were written.
    CrashAfterWords,
    /// The disk refuses, and nothing was written.
    DiskFull,
    /// The disk refuses, and everything was written all the same.
    DiskFullButWritten,
    /// So many times the head is said to have moved.
    Conflicts(u32),
    /// It cannot be said whether a command is known.
    CommandUnread,
    /// The head cannot be read.
    HeadUnread,
    /// Reading stops after a few records.
    ReadCutOff,
    /// The book cannot be written.
    BookUnwritten,
    /// The connection to the database ends in the middle of something.
    Cut(Cut),
}

impl Fault {
    pub fn name(self) -> &'static str {
        match self {
            Fault::CrashBeforeAppend => "crash before append",
            Fault::CrashAfterAppend => "crash between append and answer",
            Fault::CrashAfterWords => "crash between words and events",
            Fault::DiskFull => "append stopped, nothing kept",
            Fault::DiskFullButWritten => "append stopped, records kept",
            Fault::Conflicts(1..=9) => "a few conflicts",
            Fault::Conflicts(_) => "conflict storm",
            Fault::CommandUnread => "command() failed",
            Fault::HeadUnread => "head() failed",
            Fault::ReadCutOff => "read() failed",
            Fault::BookUnwritten => "book not written",
            Fault::Cut(cut) => cut.name(),
        }
    }
}

/// The power fails: whoever is at work is gone with everything they had in memory.
pub struct Crash;

fn crash() -> ! {
    // Not a panic: nobody is to be told.
    std::panic::resume_unwind(Box::new(Crash))
}

/// A request that somebody else gets recorded in between, and what became of it.
pub type Rival = (Request, Option<Result<Answer, CommandError>>);

/// Where everything is really kept.
enum Disk {
    /// In memory, texts before records, as on a disk.
    Memory(MemoryLog, Box<TextsFirst>),
    /// In a database, texts and records in one transaction.
    Database(Box<Database>),
}

pub struct Flaky {
    disk: Disk,
    armed: Mutex<Option<Fault>>,
    /// What went wrong since [`Flaky::went_wrong`] was asked.
    wrong: Mutex<Vec<Fault>>,
    /// Whether the store stopped accepting until it is opened again.
    stopped: Mutex<bool>,
    rival: Mutex<Option<Rival>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Flaky {
    /// One that keeps everything in memory.
    pub fn in_memory() -> Flaky {
        Flaky::on(Disk::Memory(MemoryLog::default(), Box::default()))
    }

    /// One that keeps everything in a database, to which it has lines that can be cut.
    pub fn in_database(database: Database) -> Flaky {
        Flaky::on(Disk::Database(Box::new(database)))
    }

    fn on(disk: Disk) -> Flaky {
        let (armed, wrong, stopped, rival) = Default::default();
        Flaky { disk, armed, wrong, stopped, rival }
    }

    /// Whether there is a line that can be cut.
    pub fn has_line(&self) -> bool {
        matches!(self.disk, Disk::Database(_))
    }

    /// What the disk really holds; of a database, what another node sees.
    pub fn disk(&self) -> &dyn Log {
        match &self.disk {
            Disk::Memory(log, _) => log,
            Disk::Database(database) => database.elsewhere(),
        }
    }

    pub fn disk_books(&self) -> &dyn PrivateTexts {
        self.disk().texts()
    }

    /// What the handler's own node has of it.
    fn log(&self) -> &dyn Log {
        match &self.disk {
            Disk::Memory(log, _) => log,
            Disk::Database(database) => database.here(),
        }
    }

    pub fn arm(&self, fault: Fault) {
        if let (Fault::Cut(cut), Disk::Database(database)) = (fault, &self.disk) {
            database.arm(cut);
        } else {
            *lock(&self.armed) = Some(fault);
        }
    }

    /// Lets another desk record this at the moment of the next append.
    pub fn arm_rival(&self, request: Request) {
        *lock(&self.rival) = Some((request, None));
    }

    pub fn rival(&self) -> Option<Rival> {
        lock(&self.rival).take()
    }

    /// What went wrong since this was last asked; what was armed and had no occasion is put away.
    pub fn went_wrong(&self) -> Vec<Fault> {
        *lock(&self.armed) = None;
        let mut wrong = std::mem::take(&mut *lock(&self.wrong));
        if let Disk::Database(database) = &self.disk {
            wrong.extend(database.mend().map(Fault::Cut));
        }
        wrong
    }

    pub fn is_stopped(&self) -> bool {
        *lock(&self.stopped)
    }

    /// The store is opened again.
    pub fn reopen(&self) {
        *lock(&self.stopped) = false;
    }

    fn meets(&self, is_it: impl Fn(Fault) -> bool) -> Option<Fault> {
        let mut armed = lock(&self.armed);
        let fault = armed.filter(|fault| is_it(*fault))?;
        *armed = match fault {
            Fault::Conflicts(left) if left > 1 => Some(Fault::Conflicts(left - 1)),
            _ => None,
        };
        let mut wrong = lock(&self.wrong);
        let same_storm =
            |known: &Fault| matches!((known, fault), (Fault::Conflicts(_), Fault::Conflicts(_)));
        if !wrong.iter().any(same_storm) {
            wrong.push(fault);
        }
        Some(fault)
    }

    fn let_the_rival_in(&self) {
        let waiting = lock(&self.rival).take();
        let Some((request, None)) = waiting else {
            *lock(&self.rival) = waiting;
            return;
        };
        let answer = CommandHandler::new(self.disk()).handle(&request);
        *lock(&self.rival) = Some((request, Some(answer)));
    }

    fn append_records(&self, expected: Head, batch: Batch) -> Result<Head, AppendError> {
        use Fault::*;
        if self.is_stopped() {
            return Err(stopped());
        }
        self.let_the_rival_in();
        let at_append = |fault| {
            matches!(
                fault,
                CrashBeforeAppend | CrashAfterAppend | DiskFull | DiskFullButWritten | Conflicts(_)
            )
        };
        let stream = batch.records.first().map(|record| record.header().stream);
        if let Disk::Database(database) = &self.disk {
            database.append_begins();
        }
        match self.meets(at_append) {
            Some(CrashBeforeAppend) => crash(),
            Some(CrashAfterAppend) => {
                let _ = self.log().append(expected, batch);
                crash()
            }
            Some(fault @ (DiskFull | DiskFullButWritten)) => {
                if fault == DiskFullButWritten {
                    let _ = self.log().append(expected, batch);
                }
                *lock(&self.stopped) = true;
                Err(stopped())
            }
            Some(Conflicts(_)) => {
                let actual = stream.map_or(Ok(Head::EMPTY), |stream| self.log().head(stream))?;
                Err(AppendError::Conflict { expected, actual })
            }
            _ => self.log().append(expected, batch),
        }
    }
}

fn unread(file: &str) -> LogError {
    LogError::Io { action: "read", file: file.to_owned(), reason: "drilled".to_owned() }
}

fn stopped() -> AppendError {
    AppendError::Stopped { reason: "no space left on device".to_owned() }
}

impl Log for Flaky {
    fn head(&self, stream: StreamId) -> Result<Head, LogError> {
        match self.meets(|fault| fault == Fault::HeadUnread) {
            Some(_) => Err(unread("the head")),
            None => self.log().head(stream),
        }
    }

    fn append(&self, expected: Head, batch: Batch) -> Result<Head, AppendError> {
        let append = |batch| self.append_records(expected, batch);
        match &self.disk {
            Disk::Memory(_, texts_first) => texts_first.append(self, expected, batch, append),
            Disk::Database(_) => append(batch),
        }
    }

    fn read(&self, stream: StreamId, after: u64) -> Records<'_> {
        let read = self.log().read(stream, after);
        if self.meets(|fault| fault == Fault::ReadCutOff).is_none() {
            return read;
        }
        Box::new(read.take(1).chain([Err(unread("the journal"))]))
    }

    fn scan(&self) -> Records<'_> {
        self.log().scan()
    }

    fn command(&self, stream: StreamId, id: CommandId) -> Result<Option<CommandTrace>, LogError> {
        match self.meets(|fault| fault == Fault::CommandUnread) {
            Some(_) => Err(unread("the commands")),
            None => self.log().command(stream, id),
        }
    }

    fn streams(&self) -> Result<Vec<StreamId>, LogError> {
        self.log().streams()
    }

    fn texts(&self) -> &dyn PrivateTexts {
        self
    }
}

impl PrivateTexts for Flaky {
    fn book(&self, stream: StreamId) -> Result<Book, BookError> {
        self.log().texts().book(stream)
    }

    fn append(&self, stream: StreamId, entries: &[PrivateEntry]) -> Result<(), BookError> {
        if entries.is_empty() {
            return self.log().texts().append(stream, entries);
        }
        if self.meets(|fault| fault == Fault::BookUnwritten).is_some() {
            let (file, reason) = ("the book".to_owned(), "drilled".to_owned());
            return Err(BookError::Io { action: "write", file, reason });
        }
        self.log().texts().append(stream, entries)?;
        match self.meets(|fault| fault == Fault::CrashAfterWords) {
            Some(_) => crash(),
            None => Ok(()),
        }
    }

    fn forget(&self, stream: StreamId, numbers: &[u32]) -> Result<usize, BookError> {
        self.log().texts().forget(stream, numbers)
    }

    fn mend(
        &self,
        stream: StreamId,
        erase: &[u32],
        entries: &[PrivateEntry],
    ) -> Result<usize, BookError> {
        self.log().texts().mend(stream, erase, entries)
    }

    fn discard(&self, stream: StreamId) -> Result<(), BookError> {
        self.log().texts().discard(stream)
    }

    fn next_number(&self, stream: StreamId) -> Result<u32, BookError> {
        self.disk_books().next_number(stream)
    }
}
