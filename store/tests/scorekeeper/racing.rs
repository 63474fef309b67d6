//! Several writers on one tournament: every command lands once, in some order.

use std::collections::BTreeSet;
use std::sync::Barrier;

use scrutineer_engine::book::{Field, Opened};
use scrutineer_engine::command::Command;
use scrutineer_engine::handler::{CommandError, CommandHandler};
use scrutineer_engine::log::Log;

use crate::desk::*;

const DESKS: u128 = 4;
const COMMANDS: u128 = 40;

/// Runs each desk's commands at once, each desk with a scorekeeper of its own.
fn at_once(log: &dyn Log, work: impl Fn(&CommandHandler<'_>, u128) + Sync) {
    let start = Barrier::new(DESKS as usize);
    std::thread::scope(|scope| {
        for desk in 0..DESKS {
            let (work, start) = (&work, &start);
            scope.spawn(move || {
                let handler = CommandHandler::new(log);
                start.wait();
                work(&handler, desk);
            });
        }
    });
}

#[test]
fn all_commands_of_all_desks_land_once() {
    everywhere(|log| {
        CommandHandler::new(log).handle(&open()).expect("it opens");
        at_once(log, |handler, desk| {
            for number in 0..COMMANDS {
                let id = 100 + desk * COMMANDS + number;
                // Two events, so that a command torn apart would be seen.
                let enroll = request(id, Command::Enrol(vec![enrollment(NOBODY); 2]));
                assert!(!handler.handle(&enroll).expect("it lands").repeated);
            }
        });
        let records = records(log);
        assert_eq!(records.len() as u128, 1 + DESKS * COMMANDS * 2);
        let commands: BTreeSet<_> = records.iter().map(|record| record.header().command).collect();
        assert_eq!(commands.len() as u128, 1 + DESKS * COMMANDS);
        let (_, state) = CommandHandler::new(log).load(STREAM).expect("it is folded");
        assert_eq!(state.players().len() as u128, DESKS * COMMANDS * 2);
    });
}

/// Two tries of one command that overlap: one lands, both get the same seqs.
#[test]
fn one_command_sent_by_every_desk_lands_once() {
    everywhere(|log| {
        CommandHandler::new(log).handle(&open()).expect("it opens");
        let requests: Vec<_> = (0..COMMANDS)
            .map(|number| {
                let (entry, name) = words(number as u32 + 1, NAME, "Ada");
                let enroll = request(100 + number, Command::Enrol(vec![enrollment(name)]));
                scrutineer_engine::handler::Request { private: vec![entry], ..enroll }
            })
            .collect();
        let meet = Barrier::new(DESKS as usize);
        at_once(log, |handler, _| {
            for request in &requests {
                meet.wait();
                let answer = handler.handle(request).expect("it is recorded");
                assert_eq!(answer.first_seq, answer.last_seq);
            }
        });
        assert_eq!(records(log).len() as u128, 1 + COMMANDS);
        assert_eq!(log.texts().book(STREAM).expect("a book").entries().count() as u128, COMMANDS);
    });
}

/// Everybody closes the tournament: one does, the others are told that it is closed.
#[test]
fn only_one_of_several_desks_closes_the_tournament() {
    everywhere(|log| {
        CommandHandler::new(log).handle(&open()).expect("it opens");
        let closed = std::sync::atomic::AtomicU32::new(0);
        at_once(log, |handler, desk| {
            let close = one(100 + desk, scrutineer_engine::event::TournamentClosed {});
            match handler.handle(&close) {
                Ok(_) => {
                    closed.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                }
                Err(refused) => {
                    assert!(matches!(refused, CommandError::Rejected(_)), "{refused}");
                    assert_eq!(refused.code(), "closed");
                }
            }
        });
        assert_eq!(closed.into_inner(), 1);
        assert_eq!(records(log).len(), 2);
    });
}

const NAME: scrutineer_engine::book::Field = scrutineer_engine::book::Field::Name;

/// The same file brought in by several at once: each has drawn salts of its own, one lands, and
/// the book holds the words of that one.
#[test]
fn who_begins_a_tournament_first_keeps_his_words() {
    for _ in 0..50 {
        everywhere(|log| {
            let handler = CommandHandler::new(log);
            let start = Barrier::new(DESKS as usize);
            std::thread::scope(|scope| {
                for _ in 0..DESKS {
                    scope.spawn(|| {
                        let (entry, title) = words(1, Field::Title, "Autumn Open");
                        let mut begin = one(1, opening(title));
                        begin.private = vec![entry];
                        start.wait();
                        let _ = handler.handle(&begin);
                    });
                }
            });
            let (_, state) = handler.load(STREAM).expect("it is folded");
            let title = state.opened().expect("somebody began it").title;
            let book = log.texts().book(STREAM).expect("a book");
            assert_eq!(book.text(&title), Opened::Text("Autumn Open"));
        });
    }
}
