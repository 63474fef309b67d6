//! What is wrong in any format: a player twice in a round, against themselves, after they left.

use super::build::Players;
use super::source::{SourceDrop, SourceRound};
use super::{Fault, ImportError, limits};
use std::collections::BTreeSet;

/// Refuses rounds that no tournament can have had.
pub(super) fn rounds(players: &Players, rounds: &[SourceRound]) -> Result<(), ImportError> {
    if rounds.len() > limits::ROUNDS {
        return Err(Fault::TooMany { what: "rounds", limit: limits::ROUNDS }.into());
    }
    if rounds.is_empty() {
        return Err(Fault::Missing { what: "every round".into() }.into());
    }
    rounds.iter().try_for_each(|round| once_each(players, round))
}

fn once_each(players: &Players, round: &SourceRound) -> Result<(), ImportError> {
    let mut seen: Vec<Option<&str>> = vec![None; players.list.len()];
    for (player, place) in appearances(round) {
        match seen[player].replace(place) {
            Some(other) if other == place => {
                return Err(Fault::AgainstSelf { player: players.name(player) }.at(place));
            }
            Some(other) => {
                let (player, round) = (players.name(player), round.name.clone());
                return Err(Fault::TwiceInRound { player, round, other: other.into() }.at(place));
            }
            None => {}
        }
    }
    Ok(())
}

/// Everybody who plays or has a bye in the round, with the place in the file.
pub(super) fn appearances(round: &SourceRound) -> impl Iterator<Item = (usize, &str)> {
    let seated = round
        .tables
        .iter()
        .flat_map(|table| table.seats.iter().map(|seat| (seat.player, table.place.as_str())));
    seated.chain(round.byes.iter().map(|bye| (bye.player, bye.place.as_str())))
}

/// Refuses drops of players who never played, who play on, who leave twice, or who leave after
/// the last round. Somebody on the roster may leave before they played.
pub(super) fn drops(
    players: &Players,
    rounds: &[SourceRound],
    drops: &[SourceDrop],
    has_roster: bool,
) -> Result<(), ImportError> {
    let mut left: Vec<Option<&SourceDrop>> = vec![None; players.list.len()];
    for drop in drops {
        if usize::from(drop.after_round) > rounds.len() {
            let (what, found) = ("the round of the drop".into(), drop.after_round.to_string());
            let fault = Fault::OutOfBounds { what, found, min: 0, max: rounds.len() as i64 };
            return Err(fault.at(drop.place.as_str()));
        }
        if let Some(other) = left[drop.player].replace(drop) {
            let (player, other) = (players.name(drop.player), other.place.clone());
            return Err(Fault::DropsTwice { player, other }.at(drop.place.as_str()));
        }
    }
    let played = gone_by_then(players, rounds, &left)?;
    match drops.iter().find(|drop| !has_roster && !played[drop.player]) {
        Some(drop) => {
            let name = players.name(drop.player);
            Err(Fault::UnknownPlayer { name }.at(drop.place.as_str()))
        }
        None => Ok(()),
    }
}

/// Refuses players who play after they left; says who played at all.
fn gone_by_then(
    players: &Players,
    rounds: &[SourceRound],
    left: &[Option<&SourceDrop>],
) -> Result<Vec<bool>, ImportError> {
    let mut played = vec![false; players.list.len()];
    for (number, round) in (1u16..).zip(rounds) {
        for (player, place) in appearances(round) {
            played[player] = true;
            if let Some(drop) = left[player].filter(|drop| drop.after_round < number) {
                let (player, round) = (players.name(player), round.name.clone());
                let fault = Fault::PlaysAfterDrop { player, round, after: drop.after_round };
                return Err(fault.at(place));
            }
        }
    }
    Ok(played)
}

/// Leaves a table's number to the first match of a round that has it: platforms give some twice.
pub(super) fn numbers_once(rounds: &mut [SourceRound]) {
    for round in rounds {
        let mut taken = BTreeSet::new();
        for table in &mut round.tables {
            table.table = table.table.filter(|number| taken.insert(*number));
        }
    }
}
