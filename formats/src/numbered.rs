//! Rounds without a bracket, by the platform's own numbers, those that are missing, and the byes that it leaves out.

use std::collections::{BTreeMap, BTreeSet};

use super::bracket::Game;
use super::build::Oddities;
use super::check::appearances;
use super::source::*;
use super::{Fault, ImportError, limits};
use scrutineer_engine::event::{ByeKind, DropReason, RoundWeight};

/// The rounds of a stage without a bracket, by their numbers.
///
/// # Errors
/// Where there are more than a tournament can have.
pub(crate) fn rounds(games: Vec<Game>) -> Result<Vec<SourceRound>, ImportError> {
    let mut rounds: BTreeMap<i64, SourceRound> = BTreeMap::new();
    for game in games {
        let name = format!("Round {}", game.round);
        let (tables, byes) = (Vec::new(), Vec::new());
        let empty = SourceRound { name, weight: RoundWeight::ONE, tables, byes };
        let round = rounds.entry(game.round).or_insert(empty);
        let (place, result) = (game.place, game.result);
        match game.players[..] {
            [player] => {
                round.byes.push(SourceBye {
                    player,
                    kind: ByeKind::Assigned,
                    reported: None,
                    place,
                });
            }
            _ => {
                let seat = |player: &usize| SourceSeat { player: *player, role: 0 };
                let seats = game.players.iter().map(seat).collect();
                round.tables.push(SourceTable { table: game.table, seats, result, place });
            }
        }
    }
    if rounds.len() > limits::ROUNDS {
        return Err(Fault::TooMany { what: "rounds", limit: limits::ROUNDS }.into());
    }
    Ok(rounds.into_values().collect())
}

/// Refuses rounds of which one is missing, each given as its phase and its number: closed up, every round behind it
/// would count as another one. The numbers of a later phase run on, or begin anew; some count from 0. `needed` says
/// how a file is put together that comes in parts; it is empty where there is one file.
///
/// # Errors
/// Where a round is missing.
pub(crate) fn refuse_gaps(
    rounds: impl IntoIterator<Item = (i64, i64)>,
    place: &str,
    needed: &str,
) -> Result<(), ImportError> {
    refuse_gaps_from(1, rounds, place, needed)
}

/// The same of rounds that begin with the number `first`.
///
/// # Errors
/// Where a round is missing.
pub(crate) fn refuse_gaps_from(
    first: i64,
    rounds: impl IntoIterator<Item = (i64, i64)>,
    place: &str,
    needed: &str,
) -> Result<(), ImportError> {
    let rounds: BTreeSet<(i64, i64)> = rounds.into_iter().collect();
    let mut last: Option<(i64, i64)> = None;
    for (phase, number) in rounds {
        let expected = last.map_or(first, |(_, last)| last.saturating_add(1));
        let begins = last.is_none_or(|(before, _)| before != phase) && matches!(number, 0 | 1);
        if number != expected && !begins {
            let what = match needed {
                "" => format!("round {expected}"),
                _ => format!("round {expected}: {needed}"),
            };
            return Err(Fault::Missing { what }.at(place));
        }
        last = Some((phase, number));
    }
    Ok(())
}

/// Adds the byes of Swiss rounds of which nothing says who left: who plays on is here, and of the last round who was in
/// the one before it. A round that shows a bye has no other. `has_roster` says whether all of `entrants` were there
/// before the first round; otherwise they are there whom a round shows.
pub(crate) fn add_byes_of_swiss(
    rounds: &mut [SourceRound],
    entrants: usize,
    has_roster: bool,
    oddities: &mut Oddities,
) {
    let shown: Vec<bool> = rounds.iter().map(|round| !round.byes.is_empty()).collect();
    let (last, count) = (last_rounds(rounds, entrants), rounds.len());
    let is_absent = |player: usize, round: usize| {
        // Before the first round stands round 0.
        let last = last.get(player).copied().flatten().map(|at| at + 1);
        let is_here = last
            .or(has_roster.then_some(0))
            .is_some_and(|last| last > round || (round == count && last + 1 == round));
        !is_here || shown.get(round - 1) == Some(&true)
    };
    add_byes(rounds, entrants, &|_| true, &is_absent, oddities);
}

/// In which round each of `entrants` is for the last time, from 0.
fn last_rounds(rounds: &[SourceRound], entrants: usize) -> Vec<Option<usize>> {
    let mut last: Vec<Option<usize>> = vec![None; entrants];
    for (at, round) in rounds.iter().enumerate() {
        for (player, _) in appearances(round) {
            if let Some(last) = last.get_mut(player) {
                *last = Some(at);
            }
        }
    }
    last
}

/// Adds the byes that a platform does not list: of everybody who is in no match of a round and plays on, and of
/// the only one in the last round. `is_here` says who of `entrants` has not left, and `is_absent` who was not
/// paired in a round, from 1. Where there are more of them than matches that are read, as in no real file, the further
/// ones are not added.
pub(crate) fn add_byes(
    rounds: &mut [SourceRound],
    entrants: usize,
    is_here: &dyn Fn(usize) -> bool,
    is_absent: &dyn Fn(usize, usize) -> bool,
    oddities: &mut Oddities,
) {
    let last = last_rounds(rounds, entrants);
    let mut added = 0;
    for (at, round) in rounds.iter_mut().enumerate() {
        let here: BTreeSet<usize> = appearances(round).map(|(player, _)| player).collect();
        let is_missing = |player: &usize| !here.contains(player) && !is_absent(*player, at + 1);
        let missing: Vec<usize> = (0..entrants).filter(is_missing).collect();
        let plays_on = |player: &&usize| last.get(**player).copied().flatten() > Some(at);
        let sure: Vec<usize> = missing.iter().filter(plays_on).copied().collect();
        let stays: Vec<usize> = missing.iter().copied().filter(|player| is_here(*player)).collect();
        let given = match (&sure[..], &stays[..]) {
            ([], [one]) => vec![*one],
            _ => sure,
        };
        added += given.len();
        if added > limits::TABLES {
            let sentence = "So many players have no match that no byes are added from here on.";
            oddities.add(&round.name, sentence);
            return;
        }
        if given.len() > 1 {
            let sentence = format!("{} players have no match here and play on.", given.len());
            oddities.add(&round.name, sentence + " They are read as having had byes.");
        }
        let place = round.tables.first().map_or_else(String::new, |table| table.place.clone());
        round.byes.extend(given.into_iter().map(|player| SourceBye {
            player,
            kind: ByeKind::Assigned,
            reported: None,
            place: place.clone(),
        }));
    }
}

/// Who is gone left after their last round, since the platform does not say when.
pub(crate) fn drops(gone: &[usize], rounds: &[SourceRound], place: &str) -> Vec<SourceDrop> {
    let mut last: BTreeMap<usize, u16> = BTreeMap::new();
    for (number, round) in (1u16..).zip(rounds) {
        last.extend(appearances(round).map(|(player, _)| (player, number)));
    }
    let gone = gone.iter().map(|player| SourceDrop {
        player: *player,
        why: DropReason::Left,
        after_round: last.get(player).copied().unwrap_or(0),
        place: place.to_owned(),
    });
    gone.collect()
}
