//! Tournaments of every kind come to their end, and come out the same again.

use super::*;
use crate::verify::verify_tournament;
use scrutineer_engine::event::ByeKind;
use scrutineer_engine::event::PhaseKind::{
    DoubleElimination, Elimination, Pods, RoundRobin, Swiss,
};
use scrutineer_projections::ruleset::Library;

fn rules(id: &str) -> Arc<Ruleset> {
    Arc::new(Library::shipped().ruleset(id).expect("a shipped ruleset"))
}

/// Everything happens often.
const WILD: Rates = Rates {
    drops: 80,
    no_shows: 30,
    returns: 200,
    late: 100,
    wrong: 150,
    penalties: 60,
    draws: 150,
    agreed: 400,
    repairs: 500,
    byes: 60,
    declines: 300,
};

fn events() -> Vec<Simulation> {
    let mut all = Vec::new();
    for seed in 0..4 {
        for (id, kind) in [
            ("mtr", Swiss),
            ("hgbts", Swiss),
            ("netrunner", Swiss),
            ("fide-buchholz-2026", Swiss),
            ("commander-pods", Pods),
            ("mtr", RoundRobin),
            ("mtr", DoubleElimination),
            ("splinterlands", Elimination),
        ] {
            let players = [2, 7, 16, 33][seed as usize];
            let mut simulation = Simulation::new(players, rules(id), seed);
            simulation.kind = kind;
            simulation.rates = if seed % 2 == 0 { WILD } else { Rates::default() };
            simulation.cut = (kind == Swiss && players > 8).then_some(8);
            simulation.cut_kind = if seed == 2 { DoubleElimination } else { Elimination };
            all.push(simulation);
        }
    }
    all
}

fn bytes(store: &Store, stream: StreamId) -> Vec<Vec<u8>> {
    let records = store.log().read(stream, 0);
    records.map(|record| record.expect("readable").bytes().to_vec()).collect()
}

#[test]
fn every_kind_of_event_is_played_to_its_end_twice_the_same() {
    for simulation in events() {
        let (one, two) = (Store::in_memory(), Store::in_memory());
        let (id, kind, seed) = (&simulation.rules.id, simulation.kind, simulation.seed);
        let played = simulation.play(&one).unwrap_or_else(|e| panic!("{id} {kind} {seed}: {e}"));
        assert_eq!(played, simulation.play(&two).expect("the same"));
        assert_eq!(played.stream, simulation.stream());
        assert!(played.champion.is_some(), "{id} {kind} {seed}: nobody won");
        assert_eq!(bytes(&one, played.stream), bytes(&two, played.stream));
        let verified = verify_tournament(&one, played.stream).expect("it is read");
        assert!(verified.holds(), "{id} {kind} {seed}: {:?}", verified.findings);
        assert!(matches!(simulation.play(&one), Err(SimulateError::Known(_))));
    }
}

#[test]
fn many_events_are_the_same_on_one_thread_and_on_three() {
    let mut simulation = Simulation::new(24, rules("mtr"), 9);
    simulation.cut = Some(8);
    let one = play_many(&simulation, 12, 1, &|| ()).expect("played");
    let three = play_many(&simulation, 12, 3, &|| ()).expect("played");
    assert_eq!(one, three);
    let format = Format::of(&one);
    assert_eq!((format.events, format.lowest_in.len()), (12, 12));
    assert!(format.at_cut.values().map(|at| at.inside).sum::<u64>() >= 12 * 6);
}

#[test]
fn whoever_comes_late_has_no_win_for_the_rounds_before() {
    let mut late = 0;
    for seed in 0..6 {
        let mut simulation = Simulation::new(40, rules("mtr"), seed);
        simulation.rates = Rates { late: 200, ..Rates::NONE };
        let store = Store::in_memory();
        let played = simulation.play(&store).expect("played");
        let state = store.load(played.stream, false).expect("read").state;
        for player in state.players().iter().filter(|player| player.from_round > 1) {
            late += 1;
            let missed = |round: u32| state.rounds()[round as usize].number < player.from_round;
            let given = state.byes().filter(|b| b.player == player.number && missed(b.round));
            for bye in given {
                assert_eq!(bye.kind, ByeKind::AwardedLoss, "seed {seed}, player {}", player.number);
            }
        }
    }
    assert!(late > 6, "{late} came late");
}
