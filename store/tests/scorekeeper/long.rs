//! A long tournament: commands of several events are tried on a copy that is kept.

use scrutineer_engine::command::Command;
use scrutineer_engine::event::*;
use scrutineer_engine::handler::{CommandError, CommandHandler, read_events};
use scrutineer_engine::log::MemoryLog;
use scrutineer_engine::tournament::Tournament;

use crate::desk::*;

const PLAYERS: u32 = 12_000;

#[test]
fn after_each_command_a_long_tournament_is_what_its_log_says() {
    let log = MemoryLog::new();
    let handler = CommandHandler::new(&log);
    // Somebody else's command in between, as from another desk.
    let other_desk = CommandHandler::new(&log);
    handler.handle(&open()).expect("it opens");
    let everybody = Command::Enrol(vec![enrollment(NOBODY); PLAYERS as usize]);
    handler.handle(&request(2, everybody)).expect("they are enrolled");
    let leaves = |player| PlayerDropped { player, after_round: 0, why: DropReason::Left };
    let returns = |player| PlayerReinstated { player, from_round: 1 };
    let mut id = 10;
    let mut several = |events: Vec<Event>| {
        id += 1;
        request(id, Command::Record(events))
    };
    for player in 1..40 {
        let leave = || Event::from(leaves(player));
        let back = || Event::from(returns(player));
        // Each is legal only where the one before is known, whoever recorded it.
        handler.handle(&several(vec![leave()])).expect("he leaves");
        handler.handle(&several(vec![back(), note(1).into()])).expect("he is back");
        other_desk.handle(&several(vec![leave()])).expect("he leaves");
        let twice = several(vec![back(), leave(), back()]);
        handler.handle(&twice).expect("he is back, and once more");
        // The second of them is not legal, so that the first must not stand either.
        let refused = handler.handle(&several(vec![leave(), leave()]));
        let refused = refused.expect_err("nobody leaves twice");
        assert!(matches!(refused, CommandError::Rejected(_)), "{refused}");
        handler.handle(&several(vec![leave(), back()])).expect("he leaves and is back");
        handler.handle(&several(vec![leave(), note(1).into()])).expect("he leaves");
        let (head, state) = handler.load(STREAM).expect("it is there");
        assert_eq!(state.head(), head.seq);
        let player = state.player(player).expect("he is enrolled");
        assert!(player.dropped().is_some());
    }
    let mut folded = Tournament::default();
    read_events(&log, STREAM, 0).for_each(|read| folded.evolve(&read.expect("it is read").1));
    let (_, state) = handler.load(STREAM).expect("it is there");
    assert!(*state == folded, "the state is what the log says");
    records(&log);
}
