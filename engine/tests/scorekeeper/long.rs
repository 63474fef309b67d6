//! A long tournament: commands of several events are tried on a copy that is kept.

use scrutineer_engine::book::MemoryShelf;
use scrutineer_engine::command::Command;
use scrutineer_engine::event::*;
use scrutineer_engine::log::MemoryLog;
use scrutineer_engine::scorekeeper::{Refusal, Scorekeeper, read_events};
use scrutineer_engine::tournament::Tournament;

use crate::desk::*;

const PLAYERS: u32 = 12_000;

#[test]
fn after_each_command_a_long_tournament_is_what_its_log_says() {
    let (log, books) = (MemoryLog::new(), MemoryShelf::new());
    let scorekeeper = Scorekeeper::new(&log, &books);
    // Somebody else's command in between, as from another desk.
    let other_desk = Scorekeeper::new(&log, &books);
    scorekeeper.handle(&open()).expect("it opens");
    let everybody = Command::Enrol(vec![enrolment(NOBODY); PLAYERS as usize]);
    scorekeeper.handle(&request(2, everybody)).expect("they are enrolled");
    let leaves = |player| PlayerDropped { player, after_round: 0, why: DropReason::Left };
    let returns = |player| PlayerReinstated { player, from_round: 1 };
    for id in 10..160u32 {
        let player = id * 7 % PLAYERS + 1;
        let request = |command| request(id.into(), command);
        match id % 6 {
            0 | 1 => scorekeeper.handle(&request(Command::Record(vec![
                leaves(player).into(),
                note(1).into(),
                returns(player).into(),
            ]))),
            2 | 3 => scorekeeper.handle(&one(id.into(), leaves(player))),
            4 => other_desk.handle(&one(id.into(), leaves(player))),
            _ => {
                // The second of them is not legal, so that the first must not stand either.
                let twice = vec![leaves(player).into(), leaves(player).into()];
                let refused = scorekeeper.handle(&request(Command::Record(twice)));
                let refused = refused.expect_err("nobody leaves twice");
                assert!(matches!(refused, Refusal::Rejected(_)), "{refused}");
                scorekeeper.handle(&one(1_000 + u128::from(id), note(1)))
            }
        }
        .expect("it is legal");
        let (head, state) = scorekeeper.load(STREAM).expect("it is there");
        assert_eq!(state.head(), head.seq);
    }
    let mut folded = Tournament::default();
    read_events(&log, STREAM, 0, &mut |_, event| folded.evolve(&event)).expect("it is read");
    let (_, state) = scorekeeper.load(STREAM).expect("it is there");
    assert!(*state == folded, "the state is what the log says");
    records(&log);
}
