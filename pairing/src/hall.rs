//! At which tables a round is seated: the tables of the hall in their order, and those that players keep.

use scrutineer_engine::event::{PlayerNumber, RoundNumber};
use scrutineer_engine::tournament::Tournament;
use std::collections::{BTreeMap, BTreeSet};

/// The tables of the hall in the order in which they are filled. A hall that is too small goes on behind its
/// last table: nobody is left without a seat because of it.
fn hall(state: &Tournament) -> impl Iterator<Item = u32> {
    let last = state.tables().last().map_or(0, |range| range.last);
    state.tables().iter().flat_map(|range| range.first..=range.last).chain(last + 1..)
}

/// The tables that are kept for somebody who takes part in a round.
fn kept_tables(state: &Tournament, round: RoundNumber) -> BTreeSet<u32> {
    let takes_part = |player: PlayerNumber| {
        state.player(player).is_some_and(|player| player.takes_part_in(round))
    };
    state.kept_tables().filter(|(player, _)| takes_part(*player)).map(|(_, table)| table).collect()
}

/// The tables that several players keep who have not left, by who came back after somebody else took theirs:
/// whoever of them is paired first sits there.
pub fn kept_twice(state: &Tournament) -> Vec<(u32, Vec<PlayerNumber>)> {
    let is_here = |player: PlayerNumber| {
        state.player(player).is_some_and(|one| !one.withdrawn && one.dropped().is_none())
    };
    let mut keepers: BTreeMap<u32, Vec<PlayerNumber>> = BTreeMap::new();
    for (player, table) in state.kept_tables().filter(|(player, _)| is_here(*player)) {
        keepers.entry(table).or_default().push(player);
    }
    keepers.into_iter().filter(|(_, keepers)| keepers.len() > 1).collect()
}

/// Of the tables that players who meet have kept the one with the lowest number at which nobody sits yet.
fn kept_by(
    state: &Tournament,
    players: impl IntoIterator<Item = PlayerNumber>,
    taken: &BTreeSet<u32>,
) -> Option<u32> {
    let kept = players.into_iter().filter_map(|player| state.kept_table(player));
    kept.filter(|table| !taken.contains(table)).min()
}

/// The numbers of the tables of a round, in the order of its pairings. A table that somebody keeps stays empty
/// where they sit elsewhere or have a bye.
pub fn table_numbers<P: IntoIterator<Item = PlayerNumber>>(
    state: &Tournament,
    round: RoundNumber,
    pairings: impl IntoIterator<Item = P>,
) -> Vec<u32> {
    let kept = kept_tables(state, round);
    let mut taken = BTreeSet::new();
    let mut free = hall(state).filter(|table| !kept.contains(table));
    let mut number = |players: P| {
        let theirs = kept_by(state, players, &taken);
        let table = theirs.or_else(|| free.find(|table| !taken.contains(table)));
        let table = table.unwrap_or(u32::MAX);
        taken.insert(table);
        table
    };
    pairings.into_iter().map(&mut number).collect()
}

/// The table at which players meet who are seated in a round that is paired already: the one that one of them
/// keeps, the one where they are to sit if nobody else keeps it, or the first that is free.
pub fn table_for(
    state: &Tournament,
    round: RoundNumber,
    players: &[PlayerNumber],
    wanted: Option<u32>,
) -> u32 {
    let of_round = state.matches().filter(|found| found.round().number == round);
    let taken: BTreeSet<u32> = of_round.filter_map(|found| found.table()).collect();
    let kept = kept_tables(state, round);
    let theirs = kept_by(state, players.iter().copied(), &taken);
    let is_free = |table: &u32| !taken.contains(table) && !kept.contains(table);
    let wanted = wanted.filter(is_free);
    theirs.or(wanted).or_else(|| hall(state).find(is_free)).unwrap_or(u32::MAX)
}
