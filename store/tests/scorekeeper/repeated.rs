//! A command that is sent again is carried out once.

use scrutineer_engine::command::Command;
use scrutineer_engine::event::TournamentClosed;
use scrutineer_engine::handler::{Answer, CommandError, CommandHandler};
use scrutineer_engine::record::{Actor, Time};

use crate::desk::*;

#[test]
fn a_repeated_command_gets_its_first_answer() {
    everywhere(|log| {
        let handler = CommandHandler::new(log);
        handler.handle(&open()).expect("it opens");
        let enroll = request(2, Command::Enrol(vec![enrollment(NOBODY); 3]));
        let first = handler.handle(&enroll).expect("they are enrolled");
        assert_eq!(first, Answer { first_seq: 2, last_seq: 4, repeated: false });
        let again = Answer { repeated: true, ..first };
        assert_eq!(handler.handle(&enroll).expect("again"), again);
        // The clock of the second try is another; the request is the same.
        let later = Time { unix_micros: 1 };
        let other_time = scrutineer_engine::handler::Request { time: later, ..enroll.clone() };
        assert_eq!(handler.handle(&other_time).expect("again"), again);
        for id in 10..60 {
            handler.handle(&one(id, note(1))).expect("a note");
        }
        handler.handle(&one(60, TournamentClosed {})).expect("it closes");
        // Nobody could be enrolled now; the answer is still the first one.
        assert_eq!(handler.handle(&enroll).expect("again"), again);
        let another = CommandHandler::new(log);
        assert_eq!(another.handle(&enroll).expect("again"), again);
        assert_eq!(records(log).len(), 55);
    });
}

#[test]
fn a_repeated_command_gets_its_first_answer_after_reopening() {
    let folder = Folder::new();
    for _ in 0..3 {
        let log = folder.log();
        let handler = CommandHandler::new(&log);
        assert_eq!(handler.handle(&open()).expect("open").last_seq, 1);
        let enroll = request(2, Command::Enrol(vec![enrollment(NOBODY); 3]));
        let answer = handler.handle(&enroll).expect("they are enrolled");
        assert_eq!((answer.first_seq, answer.last_seq), (2, 4));
        assert_eq!(records(&log).len(), 4);
        log.close().expect("it closes");
    }
}

#[test]
fn an_id_used_for_something_else_is_refused() {
    everywhere(|log| {
        let handler = CommandHandler::new(log);
        handler.handle(&open()).expect("it opens");
        let enroll = request(2, Command::Enrol(vec![enrollment(NOBODY); 2]));
        handler.handle(&enroll).expect("they are enrolled");
        let fewer = request(2, Command::Enrol(vec![enrollment(NOBODY)]));
        let other_kind = one(2, note(1));
        let other_actor = scrutineer_engine::handler::Request { actor: Actor(2), ..enroll.clone() };
        for other in [fewer, other_kind, other_actor] {
            let refused = handler.handle(&other).expect_err("it is refused");
            assert!(matches!(refused, CommandError::IdReused(trace) if trace.first_seq == 2));
            assert_eq!(refused.code(), "command-id-reused");
        }
        assert_eq!(records(log).len(), 3);
    });
}

#[test]
fn an_id_of_another_tournament_is_free() {
    everywhere(|log| {
        let handler = CommandHandler::new(log);
        handler.handle(&open()).expect("it opens");
        let stream = scrutineer_engine::record::StreamId([8; 16]);
        let elsewhere = scrutineer_engine::handler::Request { stream, ..open() };
        assert!(!handler.handle(&elsewhere).expect("it opens").repeated);
    });
}
