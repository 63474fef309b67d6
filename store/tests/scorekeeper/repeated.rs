//! A command that is sent again is carried out once.

use scrutineer_engine::command::Command;
use scrutineer_engine::event::TournamentClosed;
use scrutineer_engine::record::{Actor, Time};
use scrutineer_engine::scorekeeper::{Answer, Refusal, Scorekeeper};

use crate::desk::*;

#[test]
fn a_repeated_command_gets_its_first_answer() {
    everywhere(|log, books| {
        let scorekeeper = Scorekeeper::new(log, books);
        scorekeeper.handle(&open()).expect("it opens");
        let enroll = request(2, Command::Enrol(vec![enrollment(NOBODY); 3]));
        let first = scorekeeper.handle(&enroll).expect("they are enrolled");
        assert_eq!(first, Answer { first_seq: 2, last_seq: 4, repeated: false });
        let again = Answer { repeated: true, ..first };
        assert_eq!(scorekeeper.handle(&enroll).expect("again"), again);
        // The clock of the second try is another; the request is the same.
        let later = Time { unix_micros: 1 };
        let other_time = scrutineer_engine::scorekeeper::Request { time: later, ..enroll.clone() };
        assert_eq!(scorekeeper.handle(&other_time).expect("again"), again);
        for id in 10..60 {
            scorekeeper.handle(&one(id, note(1))).expect("a note");
        }
        scorekeeper.handle(&one(60, TournamentClosed {})).expect("it closes");
        // Nobody could be enrolled now; the answer is still the first one.
        assert_eq!(scorekeeper.handle(&enroll).expect("again"), again);
        let another = Scorekeeper::new(log, books);
        assert_eq!(another.handle(&enroll).expect("again"), again);
        assert_eq!(records(log).len(), 55);
    });
}

#[test]
fn a_repeated_command_gets_its_first_answer_after_reopening() {
    let folder = Folder::new();
    for _ in 0..3 {
        let (log, books) = (folder.log(), folder.books());
        let scorekeeper = Scorekeeper::new(&log, &books);
        assert_eq!(scorekeeper.handle(&open()).expect("open").last_seq, 1);
        let enroll = request(2, Command::Enrol(vec![enrollment(NOBODY); 3]));
        let answer = scorekeeper.handle(&enroll).expect("they are enrolled");
        assert_eq!((answer.first_seq, answer.last_seq), (2, 4));
        assert_eq!(records(&log).len(), 4);
        log.close().expect("it closes");
    }
}

#[test]
fn an_id_used_for_something_else_is_refused() {
    everywhere(|log, books| {
        let scorekeeper = Scorekeeper::new(log, books);
        scorekeeper.handle(&open()).expect("it opens");
        let enroll = request(2, Command::Enrol(vec![enrollment(NOBODY); 2]));
        scorekeeper.handle(&enroll).expect("they are enrolled");
        let fewer = request(2, Command::Enrol(vec![enrollment(NOBODY)]));
        let other_kind = one(2, note(1));
        let other_actor =
            scrutineer_engine::scorekeeper::Request { actor: Actor(2), ..enroll.clone() };
        for other in [fewer, other_kind, other_actor] {
            let refused = scorekeeper.handle(&other).expect_err("it is refused");
            assert!(matches!(refused, Refusal::IdReused(trace) if trace.first_seq == 2));
            assert_eq!(refused.code(), "command-id-reused");
        }
        assert_eq!(records(log).len(), 3);
    });
}

#[test]
fn an_id_of_another_tournament_is_free() {
    everywhere(|log, books| {
        let scorekeeper = Scorekeeper::new(log, books);
        scorekeeper.handle(&open()).expect("it opens");
        let stream = scrutineer_engine::record::StreamId([8; 16]);
        let elsewhere = scrutineer_engine::scorekeeper::Request { stream, ..open() };
        assert!(!scorekeeper.handle(&elsewhere).expect("it opens").repeated);
    });
}
