//! What a scorekeeper knows of a tournament: it reads no event twice, and is told when somebody
//! looked at an older state than they think.

use std::sync::atomic::{AtomicU64, Ordering};

use scrutineer_engine::book::PrivateTexts;
use scrutineer_engine::command::Command;
use scrutineer_engine::event::TournamentClosed;
use scrutineer_engine::handler::{CommandError, CommandHandler, Request};
use scrutineer_engine::log::{
    AppendError, Batch, CommandTrace, Head, Log, LogError, MemoryLog, Records,
};
use scrutineer_engine::record::{CommandId, StreamId};

use crate::desk::*;

/// A log that counts the records that are read from it.
#[derive(Default)]
struct Counting {
    log: MemoryLog,
    read: AtomicU64,
}

impl Counting {
    fn read_since(&self) -> u64 {
        self.read.swap(0, Ordering::Relaxed)
    }
}

impl Log for Counting {
    fn head(&self, stream: StreamId) -> Result<Head, LogError> {
        self.log.head(stream)
    }

    fn append(&self, expected: Head, batch: Batch) -> Result<Head, AppendError> {
        self.log.append(expected, batch)
    }

    fn read(&self, stream: StreamId, after: u64) -> Records<'_> {
        let count = |_: &_| _ = self.read.fetch_add(1, Ordering::Relaxed);
        Box::new(self.log.read(stream, after).inspect(count))
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

#[test]
fn no_event_is_read_twice() {
    let log = Counting::default();
    let desk = CommandHandler::new(&log);
    desk.handle(&open()).expect("it opens");
    for id in 2..=50 {
        desk.handle(&one(id, note(1))).expect("a note");
    }
    assert_eq!(log.read_since(), 0, "what it wrote itself it need not read");
    let other = CommandHandler::new(&log);
    let (head, state) = other.load(STREAM).expect("it is folded");
    assert_eq!((head.seq, log.read_since()), (50, 50));
    desk.handle(&one(51, note(1))).expect("a note");
    other.load(STREAM).expect("it is folded");
    assert_eq!(log.read_since(), 1, "only what somebody else wrote");
    // A snapshot stands for the events before it.
    let third = CommandHandler::new(&log);
    third.start_from(STREAM, head, (*state).clone());
    let (now, state) = third.load(STREAM).expect("it is folded");
    assert_eq!((now.seq, log.read_since()), (51, 1));
    assert_eq!(*state, *other.load(STREAM).expect("it is folded").1);
}

/// Who has not seen the last event may say so, and is told that the tournament has moved on.
#[test]
fn a_request_may_name_the_head_that_it_looked_at() {
    everywhere(|log| {
        let desk = CommandHandler::new(log);
        desk.handle(&open()).expect("it opens");
        let seen = |head, request: Request| Request { expected: Some(head), ..request };
        let enroll = seen(1, request(2, Command::Enrol(vec![enrollment(NOBODY); 2])));
        assert_eq!(desk.handle(&enroll).expect("it is at 1").last_seq, 3);
        for stale in [0, 1, 2, 4] {
            let refused = desk.handle(&seen(stale, one(3, TournamentClosed {})));
            let Err(CommandError::Moved { expected, head }) = refused else {
                panic!("{refused:?}")
            };
            assert_eq!((expected, head), (stale, 3));
        }
        assert_eq!(desk.handle(&seen(3, one(3, TournamentClosed {}))).expect("now").last_seq, 4);
        // Sent again it gets its first answer, however far the tournament has gone.
        assert!(desk.handle(&enroll).expect("again").repeated);
    });
}
