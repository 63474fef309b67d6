//! What is wrong in any format: a player twice in a round, against himself, after he left.

use super::build::Players;
use super::source::{SourceDrop, SourceRound};
use super::{Fault, ImportError, limits};

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

/// Refuses players who play on after they left, or leave twice.
pub(super) fn drops(
    players: &Players,
    rounds: &[SourceRound],
    drops: &[SourceDrop],
) -> Result<(), ImportError> {
    let mut left: Vec<Option<&SourceDrop>> = vec![None; players.list.len()];
    for drop in drops {
        if let Some(other) = left[drop.player].replace(drop) {
            let (player, other) = (players.name(drop.player), other.place.clone());
            return Err(Fault::DropsTwice { player, other }.at(drop.place.as_str()));
        }
    }
    for (number, round) in (1u16..).zip(rounds) {
        for (player, place) in appearances(round) {
            if let Some(drop) = left[player].filter(|drop| drop.after_round < number) {
                let (player, round) = (players.name(player), round.name.clone());
                let fault = Fault::PlaysAfterDrop { player, round, after: drop.after_round };
                return Err(fault.at(place));
            }
        }
    }
    Ok(())
}
