//! A file of another program that is followed, held against what stands here: which results it lacks, and where its
//! tables and final places are others.

use crate::names::Names;
use crate::orders::result_in_words;
use crate::store::{Prepared, is_open, numbers, says_the_same, turned};
use scrutineer_engine::event::{PlayerNumber, RoundNumber};
use scrutineer_engine::tournament::MatchView;
use scrutineer_formats::{Source, SourcePlace, SourcePlayer};
use scrutineer_projections::ruleset::Ruleset;
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::published::check;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What stands here and not, or otherwise, in a file, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Against {
    /// The matches that have a result here, and none or another one in the file.
    pub lacks: Vec<String>,
    /// The matches of the running round that have another table in the file.
    pub tables: Vec<String>,
    /// Whose final places in the file are others than those here.
    pub places: Vec<String>,
}

impl Against {
    /// Holds a file against its tournament as it stands now.
    pub fn of(there: &LoadedTournament, rules: &Arc<Ruleset>, prepared: &Prepared) -> Against {
        let ordered = prepared.in_order_of(there);
        let prepared = ordered.as_ref().unwrap_or(prepared);
        let numbers = numbers(there, prepared);
        let (source, numbers) = (&prepared.source, &numbers[..]);
        let mut against = Against::of_matches(there, source, numbers);
        against.places = places(there, rules, source, numbers);
        against
    }

    fn of_matches(there: &LoadedTournament, source: &Source, numbers: &[PlayerNumber]) -> Against {
        let state = &there.state;
        let seated = |found: &MatchView<'_>| -> Vec<PlayerNumber> {
            found.seats().iter().map(|seat| seat.player).collect()
        };
        let sorted = |mut players: Vec<PlayerNumber>| {
            players.sort_unstable();
            players
        };
        let known: BTreeMap<(RoundNumber, Vec<PlayerNumber>), MatchView<'_>> = state
            .matches()
            .map(|found| ((found.round().number, sorted(seated(&found))), found))
            .collect();
        let running = state.last_round().filter(|round| round.completed.is_none());
        let running = running.map(|round| round.number);
        let names = Names::of(state, &there.book);
        let mut against = Against::default();
        for (round, in_file) in (1..).zip(source.rounds().map(|(_, round)| round)) {
            for (table, number) in in_file.tables.iter().zip(in_file.numbers()) {
                let from: Vec<_> = table.seats.iter().map(|seat| numbers[seat.player]).collect();
                let Some(found) = known.get(&(round, sorted(from.clone()))) else { continue };
                let to = seated(found);
                let here = found.table().filter(|here| table.table.is_some_and(|it| it != *here));
                let called = match here {
                    Some(here) => format!("table {here} (table {number} there)"),
                    None => format!("table {number}"),
                };
                if let Some(here) = here.filter(|_| running == Some(round)) {
                    let who: Vec<String> = to.iter().map(|player| there.name(*player)).collect();
                    let who = who.join(" \u{2013} ");
                    against.tables.push(format!("{who} sit at table {here}, there at {number}"));
                }
                let Some(stands) = found.to_result().filter(|one| !one.is_void()) else { continue };
                let result = turned(&table.result, &from, &to);
                if !table.has_result() || is_open(&result) {
                    against.lacks.push(format!("{called} in round {round}"));
                } else if stands != result && !says_the_same(&stands, &result) {
                    let said = |result| result_in_words(&names, &to, result);
                    let (here, other) = (said(&stands), said(&result));
                    let both = format!("{called} in round {round} (here {here}, there {other})");
                    against.lacks.push(both);
                }
            }
        }
        against
    }
}

fn places(
    there: &LoadedTournament,
    rules: &Arc<Ruleset>,
    source: &Source,
    numbers: &[PlayerNumber],
) -> Vec<String> {
    if source.places.is_empty() {
        return Vec::new();
    }
    // The same places, of the players in the order in which they stand here.
    let all = numbers.iter().max().map_or(0, |last| *last as usize);
    let mut players = vec![SourcePlayer::default(); all.max(there.state.players().len())];
    for (player, number) in source.players.iter().zip(numbers) {
        players[*number as usize - 1] = player.clone();
    }
    let at = |one: &SourcePlace| SourcePlace { player: numbers[one.player] as usize - 1, ..*one };
    let places = source.places.iter().map(at).collect();
    let held = Source { file: source.file.clone(), players, places, ..Source::default() };
    let Ok(found) = check(&held, &there.state, rules) else { return Vec::new() };
    let others = found.places.iter().filter(|one| one.computed != Some(one.place));
    let told = others.map(|one| {
        let here = one.computed.map_or("none".into(), |place| place.to_string());
        format!("{} is {}, here {here}", there.name(one.player), one.place)
    });
    told.collect()
}
