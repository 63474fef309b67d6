//! Writing a tournament as version 1 holds it: the tournament with its participants and matches.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::ABSENT;
use crate::build::Oddities;
use crate::source::*;
use crate::written::json_text;
use crate::{WriteError, Written, numbered, phases, sheet};
use scrutineer_engine::event::{ByeKind, How, PhaseKind, Ruling};

#[derive(Serialize)]
struct File<'a> {
    tournament: Tournament<'a>,
}

#[derive(Serialize)]
struct Tournament<'a> {
    name: &'a str,
    tournament_type: &'static str,
    state: &'static str,
    started_at: Option<String>,
    swiss_rounds: Option<u16>,
    group_stages_enabled: bool,
    participants: Vec<Wrapped<'a>>,
    matches: Vec<Wrapped<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Wrapped<'a> {
    Participant(Participant<'a>),
    Match(Match),
}

#[derive(Serialize)]
struct Participant<'a> {
    id: usize,
    name: &'a str,
    seed: usize,
    active: bool,
    final_rank: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    misc: Option<String>,
}

#[derive(Serialize)]
struct Match {
    id: usize,
    round: i64,
    state: &'static str,
    player1_id: usize,
    player2_id: usize,
    winner_id: Option<usize>,
    loser_id: Option<usize>,
    scores_csv: String,
    forfeited: bool,
    group_id: Option<u8>,
    suggested_play_order: usize,
}

/// Writes a tournament; its participants are numbered in the order of their seeds.
///
/// # Errors
/// Where a match is not one of two players.
pub fn write(source: &Source) -> Result<Written, WriteError> {
    let seeds = seeds(source);
    let mut matches = Vec::new();
    let groups = source.phases.len().saturating_sub(1);
    let mut before = 0;
    for (at, phase) in source.phases.iter().enumerate() {
        let is_group = at < groups;
        let sides = match is_group && groups > 1 {
            true => in_a_row(phase, before),
            false => sides(phase),
        };
        before += phase.rounds.len();
        for (round, numbers) in phase.rounds.iter().zip(sides) {
            for (table, number) in round.tables.iter().zip(numbers) {
                let game = game(table, round, &seeds, matches.len() + 1, number)?;
                matches.push(Match { group_id: is_group.then_some(1), ..game });
            }
        }
    }
    let gone: BTreeSet<usize> = source.drops.iter().map(|drop| drop.player).collect();
    let places: BTreeMap<usize, u32> =
        source.places.iter().map(|place| (place.player, place.place)).collect();
    let absences = absences(source);
    let mut participants: Vec<(usize, Participant<'_>)> = Vec::new();
    for (player, one) in source.players.iter().enumerate() {
        let seed = seeds.get(player).copied().unwrap_or(player + 1);
        let (active, final_rank) = (!gone.contains(&player), places.get(&player).copied());
        let misc = absences.get(&player).map(|rounds| format!("{ABSENT}{}", rounds.join(", ")));
        let (id, name) = (seed, one.name.as_str());
        participants.push((seed, Participant { id, name, seed, active, final_rank, misc }));
    }
    participants.sort_by_key(|(seed, _)| *seed);
    let kind = source.phases.last().map_or(PhaseKind::Swiss, |phase| phase.kind);
    let file = File {
        tournament: Tournament {
            name: &source.title,
            tournament_type: match kind {
                PhaseKind::Elimination => "single elimination",
                PhaseKind::DoubleElimination => "double elimination",
                PhaseKind::RoundRobin => "round robin",
                PhaseKind::Swiss | PhaseKind::Pods => "swiss",
            },
            state: if source.finished { "complete" } else { "underway" },
            started_at: source.held_on.map(|day| format!("{day}T00:00:00.000Z")),
            swiss_rounds: source.planned_rounds.filter(|_| kind == PhaseKind::Swiss),
            group_stages_enabled: source.phases.len() > 1,
            participants: participants
                .into_iter()
                .map(|(_, one)| Wrapped::Participant(one))
                .collect(),
            matches: matches.into_iter().map(Wrapped::Match).collect(),
        },
    };
    let text = json_text(&file);
    let mut left_out = left_out(source);
    let byes = byes_of_brackets(source, &text, &seeds);
    if byes > 0 {
        left_out.push(format!("byes in a bracket that no match shows: {byes}"));
    }
    Ok(Written { text, left_out })
}

/// How many byes of brackets are not there where what was written is read again: only who enters a bracket later is
/// seen to have had one.
fn byes_of_brackets(source: &Source, text: &str, seeds: &[usize]) -> usize {
    let byes = |source: &Source| {
        let brackets = source.phases.iter().filter(|phase| phase.kind.is_bracket());
        let byes = brackets.flat_map(|phase| &phase.rounds).flat_map(|round| &round.byes);
        let mut of: BTreeMap<usize, usize> = BTreeMap::new();
        byes.for_each(|bye| *of.entry(bye.player).or_default() += 1);
        of
    };
    let own = byes(source);
    if own.is_empty() {
        return 0;
    }
    // Participants are written, and read, in the order of their seeds.
    let read = super::read("", text).map(|again| byes(&again)).unwrap_or_default();
    let shown = |player: usize| {
        let seed = seeds.get(player).copied().unwrap_or(player + 1);
        seed.checked_sub(1).and_then(|at| read.get(&at)).copied().unwrap_or(0)
    };
    own.iter().map(|(player, count)| count.saturating_sub(shown(*player))).sum()
}

/// The rounds, from 1, in which players were not paired and are taken to have had a bye, since it is no match.
fn absences(source: &Source) -> BTreeMap<usize, Vec<String>> {
    let mut absences: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let last = source.phases.last().filter(|phase| phase.kind == PhaseKind::Swiss);
    let Some(phase) = last else { return absences };
    let is_here = |player: usize| source.drops.iter().all(|drop| drop.player != player);
    let (players, mut rounds) = (source.players.len(), phase.rounds.clone());
    let mut told = Oddities::default();
    numbered::add_byes(&mut rounds, players, &is_here, &|_, _| false, &mut told);
    for (number, (taken, own)) in (1..).zip(rounds.iter().zip(&phase.rounds)) {
        for bye in taken.byes.iter().skip(own.byes.len()) {
            absences.entry(bye.player).or_default().push(number.to_string());
        }
    }
    absences
}

/// Everybody's seed, from 1: as the first phase has them, then the others.
fn seeds(source: &Source) -> Vec<usize> {
    let first = source.phases.first().filter(|phase| phase.seeded);
    let listed = first.map_or(&[][..], |phase| &phase.entrants);
    let mut seeds = vec![0; source.players.len()];
    let mut next = 1;
    for player in listed.iter().copied().chain(0..source.players.len()) {
        if let Some(seed) = seeds.get_mut(player).filter(|seed| **seed == 0) {
            *seed = next;
            next += 1;
        }
    }
    seeds
}

fn game(
    table: &SourceTable,
    round: &SourceRound,
    seeds: &[usize],
    id: usize,
    number: i64,
) -> Result<Match, WriteError> {
    let [first, second] = table.seats[..] else {
        return Err(WriteError::NotTwo { round: round.name.clone(), seats: table.seats.len() });
    };
    let of = |seat: SourceSeat| seeds.get(seat.player).copied().unwrap_or(seat.player + 1);
    let players = [of(first), of(second)];
    let won = phases::winning_seat(&table.result);
    let games = sheet::games_of(&table.result.score);
    Ok(Match {
        id,
        round: number,
        state: if table.has_result() { "complete" } else { "open" },
        player1_id: players[0],
        player2_id: players[1],
        winner_id: won.and_then(|seat| players.get(seat).copied()),
        loser_id: won.and_then(|seat| players.get(1 - seat.min(1)).copied()),
        scores_csv: games
            .map_or_else(String::new, |[first, second, _]| format!("{first}-{second}")),
        forfeited: is_forfeit(table) || both_lost(table),
        group_id: None,
        suggested_play_order: id,
    })
}

fn is_forfeit(table: &SourceTable) -> bool {
    matches!(table.result.how, How::Forfeit | How::NoShow)
}

/// Whether nobody won and both lost, for which Challonge has no word but a forfeit without a winner.
fn both_lost(table: &SourceTable) -> bool {
    let rulings = &table.result.rulings;
    !rulings.is_empty() && rulings.iter().all(|one| *one == Some(Ruling::Loss))
}

/// For each table of each round its round at Challonge, where several phases are one group stage: their
/// rounds follow one another, since nobody plays twice in a round of it.
fn in_a_row(phase: &SourcePhase, before: usize) -> Vec<Vec<i64>> {
    let numbered = (before as i64 + 1..).zip(&phase.rounds);
    numbered.map(|(number, round)| vec![number; round.tables.len()]).collect()
}

/// For each table of each round its round at Challonge: below zero on the losers' side of a double elimination.
fn sides(phase: &SourcePhase) -> Vec<Vec<i64>> {
    if phase.kind != PhaseKind::DoubleElimination {
        let numbered = (1..).zip(&phase.rounds);
        return numbered.map(|(number, round)| vec![number; round.tables.len()]).collect();
    }
    let mut losses: BTreeMap<usize, u32> = BTreeMap::new();
    let (mut winners, mut losers, mut was_final) = (0, 0, false);
    let mut all = Vec::new();
    for round in &phase.rounds {
        let of = |table: &SourceTable| -> Vec<u32> {
            table.seats.iter().map(|seat| losses.get(&seat.player).copied().unwrap_or(0)).collect()
        };
        let is_losers: Vec<bool> = round
            .tables
            .iter()
            .map(|table| !was_final && of(table).iter().all(|lost| *lost > 0))
            .collect();
        was_final |= round.tables.iter().any(|table| {
            let lost = of(table);
            lost.contains(&0) && lost.iter().any(|lost| *lost > 0)
        });
        winners += i64::from(is_losers.contains(&false));
        losers += i64::from(is_losers.contains(&true));
        all.push(is_losers.iter().map(|is| if *is { -losers } else { winners }).collect());
        for table in &round.tables {
            let Some(won) = phases::winning_seat(&table.result) else { continue };
            let lost = table.seats.iter().enumerate().filter(|(seat, _)| *seat != won);
            lost.for_each(|(_, seat)| *losses.entry(seat.player).or_default() += 1);
        }
    }
    all
}

/// How many byes the matches do not show: a bye is that of who has no match and plays on, or of the only one
/// who has none in the last round and is still there.
fn byes_at_the_end(source: &Source) -> usize {
    let has_left = |player: usize| source.drops.iter().any(|drop| drop.player == player);
    let mut count = 0;
    for phase in source.phases.iter().filter(|phase| !phase.kind.is_bracket()) {
        let rounds = &phase.rounds;
        let plays = |round: &SourceRound, player: usize| {
            round.tables.iter().flat_map(|table| &table.seats).any(|seat| seat.player == player)
        };
        for (at, round) in rounds.iter().enumerate() {
            let stay = || phase.entrants.iter().copied().filter(|player| !has_left(*player));
            let alone = stay().filter(|player| !plays(round, *player)).count() == 1;
            // A group stage has none.
            let is_group = source.phases.len() > 1;
            let is_shown = |bye: &SourceBye| {
                let plays_on = rounds[at + 1..].iter().any(|later| plays(later, bye.player));
                !is_group
                    && (plays_on || (alone && at + 1 == rounds.len() && !has_left(bye.player)))
            };
            count += round.byes.iter().filter(|bye| !is_shown(bye)).count();
        }
    }
    count
}

/// What version 1 does not hold of a tournament.
fn left_out(source: &Source) -> Vec<String> {
    let mut left_out = Vec::new();
    let mut tell = |count: usize, what: &str| {
        if count > 0 {
            left_out.push(format!("{what}: {count}"));
        }
    };
    let tables = |is: &dyn Fn(&SourceTable) -> bool| {
        source.rounds().flat_map(|(_, round)| &round.tables).filter(|table| is(table)).count()
    };
    let games = |table: &SourceTable| sheet::games_of(&table.result.score);
    let no_games =
        |table: &SourceTable| !table.result.score.seats.is_empty() && games(table).is_none();
    tell(source.numbered_tables(), "numbers of tables");
    tell(
        tables(&|table| games(table).is_some_and(|games| games[2] > 0)),
        "matches with drawn games",
    );
    tell(tables(&|table| no_games(table)), "scores that are no games");
    let none = |table: &SourceTable| table.result.rulings.contains(&Some(Ruling::NoResult));
    tell(tables(&none), "matches without a result, written as drawn");
    let other = |table: &SourceTable| {
        use Ruling::{Draw, Loss, NoResult, Win};
        let known = [[Win, Loss], [Loss, Win], [Draw; 2], [Loss; 2], [NoResult; 2]];
        let own = &table.result.rulings;
        !own.is_empty() && !known.iter().any(|one| own.iter().eq(one.map(Some).iter()))
    };
    tell(tables(&other), "rulings of other kinds");
    tell(
        tables(&|table| both_lost(table) && !is_forfeit(table)),
        "double losses, written as forfeits",
    );
    let is_told = |how: How| matches!(how, How::Played | How::Forfeit | How::Unknown);
    tell(
        tables(&|table| !is_told(table.result.how)),
        "how matches ended otherwise than by play or forfeit",
    );
    tell(source.drops.len(), "when players left, and why");
    let byes = source.rounds().flat_map(|(_, round)| &round.byes);
    tell(byes.filter(|bye| bye.kind != ByeKind::Assigned).count(), "byes that were not assigned");
    tell(byes_at_the_end(source), "byes that no later match shows");
    tell(
        absences(source).values().map(Vec::len).sum(),
        "that players were not paired, whom Challonge takes to have had byes",
    );
    tell(source.phases.len().saturating_sub(2), "further phases, written as one group stage");
    let is_group = source.phases.len() > 1
        && source.phases.first().is_some_and(|phase| phase.kind == PhaseKind::Swiss);
    tell(usize::from(is_group), "Swiss rounds before a cut, written as a group stage");
    tell(source.weighed_rounds(), "rounds that count more or less than others");
    tell(source.published.len(), "rows of standings");
    let ids = |one: &&SourcePlayer| {
        one.publisher_id.is_some() || one.division.is_some() || one.rating.is_some()
    };
    tell(source.players.iter().filter(ids).count(), "ids, ratings and divisions of players");
    tell(source.described(), "titles and federations of players");
    left_out
}
