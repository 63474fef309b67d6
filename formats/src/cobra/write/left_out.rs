//! What a file of Cobra does not hold.

use super::super::is_single;
use super::{Game, Player, Side, Whole, places};
use crate::sheet;
use crate::source::*;
use scrutineer_engine::event::{ByeKind, PhaseKind, Ruling};

/// What the file does not hold of a tournament.
pub fn left_out(source: &Source, whole: &Whole<'_>) -> Vec<String> {
    let mut left_out = Vec::new();
    let mut tell = |count: usize, what: &str| {
        if count > 0 {
            left_out.push(format!("{what}: {count}"));
        }
    };
    let nobody = |one: &&Player<'_>| one.corp_identity.is_none() && one.runner_identity.is_none();
    tell(
        whole.players.iter().filter(nobody).count(),
        "players without an identity, of whom AlwaysBeRunning wants one",
    );
    let unknown = |one: &&Player<'_>| one.extended_strength_of_schedule.is_none();
    tell(whole.players.iter().filter(unknown).count(), "players without a strength of schedule");
    let is_moved = |one: &&Player<'_>| one.rank_there.is_some_and(|rank| rank != one.rank);
    tell(
        whole.players.iter().filter(is_moved).count(),
        "ranks that the file had otherwise, written as the standings here have them",
    );
    let tables = |is: &dyn Fn(&SourceTable) -> bool| {
        source.rounds().flat_map(|(_, round)| &round.tables).filter(|table| is(table)).count()
    };
    let drawn = |table: &SourceTable| {
        sheet::games_of(&table.result.score).is_some_and(|games| games[2] != 0)
    };
    tell(tables(&drawn), "matches with drawn games");
    let is_combined =
        |side: &Side| matches!(side, Side::Double { id: Some(_), sides: None, combined: Some(_) });
    let without = |game: &&Game| [&game.player1, &game.player2].into_iter().all(is_combined);
    if super::super::counts_points(source) {
        tell(
            whole.rounds.iter().flatten().filter(without).count(),
            "matches of which runner's and corp's points are not recorded",
        );
    } else {
        tell(
            tables(&|table| !table.result.score.seats.is_empty()),
            "matches in games, written as three points for each",
        );
    }
    tell(tables(&|table| !table.has_result()), "matches that are still to be played");
    let ruled = |table: &SourceTable| {
        !table.result.score.seats.is_empty() && !table.result.rulings.is_empty()
            || table.result.rulings.contains(&Some(Ruling::Draw))
            || !table.result.rulings.contains(&Some(Ruling::Win))
                && !table.result.rulings.is_empty()
    };
    tell(tables(&ruled), "rulings over a score, or that nobody won");
    tell(tables(&|table| table.table.is_none()), "tables without a number, counted through");
    let byes = source.rounds().flat_map(|(_, round)| &round.byes);
    tell(
        byes.filter(|bye| bye.kind != ByeKind::Assigned).count(),
        "byes that were not assigned, written as byes",
    );
    tell(source.drops.len(), "players who left");
    tell(source.weighed_rounds(), "rounds that count more or less than others");
    let places = places(source);
    let read_as = |kinds: &[PhaseKind], single: Option<bool>| {
        let phases = source.phases.iter().filter(|phase| kinds.contains(&phase.kind));
        let is = |phase: &&SourcePhase| {
            is_single(&phase.rounds, |player| places.contains_key(&player)) == single
        };
        phases.filter(is).count()
    };
    tell(
        read_as(&[PhaseKind::Elimination], Some(false)),
        "single eliminations, which are read as double ones",
    );
    tell(
        read_as(&[PhaseKind::DoubleElimination], Some(true)),
        "double eliminations, which are read as single ones",
    );
    tell(
        read_as(&[PhaseKind::Elimination, PhaseKind::DoubleElimination], None),
        "cuts of which nothing says yet whether losers are out, which are read once something does",
    );
    let other = |one: &&SourcePlayer| {
        one.publisher_id.is_some() || one.division.is_some() || one.rating.is_some()
    };
    tell(source.players.iter().filter(other).count(), "ids, ratings and divisions of players");
    tell(source.described(), "titles and federations of players");
    tell(usize::from(!source.finished), "that it is not over");
    left_out
}
