//! A tournament in the neutral words of other programs' files, to be written as one of them.

use crate::by_engine::as_told;
use crate::loaded::{LoadedTournament, names_alone};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use scrutineer_engine::book::Opened;
use scrutineer_engine::event::{ByeKind, MatchResult, PhaseKind, PlayerNumber, Score, UnknownFact};
use scrutineer_engine::tournament::{MatchView, Player, Round, Tournament};
use scrutineer_formats::{
    ByeAsked, ChessReport, PointSystem, PublishedMeasure, PublishedRow, PublishedValue,
    ReportRecord, Source, SourceBye, SourceDrop, SourcePhase, SourcePlace, SourcePlayer,
    SourceRound, SourceSeat, SourceTable,
};
use scrutineer_projections::crosstable::is_free_round;
use scrutineer_projections::ratio::{Fraction, decimal};
use scrutineer_projections::ruleset::{HeadToHead, OutcomePoints, RoundKind, Ruleset, Step};
use scrutineer_projections::standings::Standings;
use std::collections::BTreeMap;

/// What stands at the desk, without its history: who plays, in the order of their numbers, what was paired and
/// how it came out, and the standings with points and ranks. Who was taken back, and rounds that were, are
/// not in it.
pub fn neutral(event: &LoadedTournament, standings: &Standings) -> Source {
    let state = &event.state;
    let here: Vec<&Player> = state.players().iter().filter(|player| !player.withdrawn).collect();
    let index: BTreeMap<PlayerNumber, usize> =
        here.iter().enumerate().map(|(at, player)| (player.number, at)).collect();
    let id_of = |player: &Player| match event.book.text(&player.publisher_id?) {
        Opened::Text(id) => Some(id.to_string()),
        _ => None,
    };
    let players = here.iter().map(|player| {
        let [title, federation] = event.described(player);
        SourcePlayer {
            name: event.name(player.number),
            publisher_id: id_of(player),
            sign_up: player.sign_up.or(Some(player.number)),
            rating: player.rating,
            division: player.division.clone(),
            title,
            federation,
            ..SourcePlayer::default()
        }
    });
    let drops = here.iter().filter_map(|player| {
        let (why, after_round) = player.dropped()?;
        let player = *index.get(&player.number)?;
        Some(SourceDrop { player, why, after_round, place: String::new() })
    });
    let opened = state.opened();
    let planned = opened.and_then(|opened| opened.plan.first()?.rounds);
    Source {
        title: event.title(),
        held_on: opened.and_then(|opened| opened.held_on),
        planned_rounds: planned.filter(|rounds| *rounds > 0),
        division_rounds: state
            .division_rounds()
            .map(|(division, rounds)| (division.to_owned(), rounds))
            .collect(),
        finished: state.is_closed(),
        scoresheet: opened.map(|opened| opened.scoresheet.clone()).unwrap_or_default(),
        players: players.collect(),
        phases: phases(event, &standings.rules, &index),
        drops: drops.collect(),
        published: published(standings, &index),
        published_after: Some(standings.through),
        points: points_of(&standings.rules),
        tie_breaks: tie_breaks(&standings.rules).unwrap_or_default(),
        unknown: state.imported().map_or(Vec::new(), |imported| imported.unknown.clone()),
        report: ChessReport { asked: asked(state, &index), ..ChessReport::default() },
        ..Source::default()
    }
}

/// The starting numbers in their order, each with its player: those that an import brought along, otherwise as a
/// pairing engine is told.
pub fn starting_numbers(state: &Tournament) -> Vec<(u32, PlayerNumber)> {
    if state.imported().is_none() {
        return (1..).zip(as_told(state).0).collect();
    }
    let here = state.players().iter().filter(|player| !player.withdrawn);
    let number = |player: &Player| (player.sign_up.unwrap_or(player.number), player.number);
    let mut numbers: Vec<(u32, PlayerNumber)> = here.map(number).collect();
    numbers.sort_unstable();
    numbers
}

/// Gives the players the numbers that a pairing engine is told, with the first color, so that a report can be
/// paired again and comes out the same; a tournament that came from elsewhere keeps its own.
pub fn number_as_told(source: &mut Source, state: &Tournament) {
    if state.imported().is_some() {
        return;
    }
    let (order, white_first) = as_told(state);
    let numbers: BTreeMap<PlayerNumber, u32> = order.into_iter().zip(1..).collect();
    let here = state.players().iter().filter(|player| !player.withdrawn);
    for (player, own) in source.players.iter_mut().zip(here) {
        player.sign_up = numbers.get(&own.number).copied();
    }
    source.report.numbered_as_told = true;
    source.report.records.extend(white_first.map(|is_white| {
        let text = if is_white { "white1" } else { "black1" };
        ReportRecord { code: "XXC".into(), text: text.into() }
    }));
}

/// Gives the players their names alone, for a file that knows them by numbers and ids and may have two of one name.
pub fn name_alone(source: &mut Source, event: &LoadedTournament) {
    let names = names_alone(&event.state, &event.book);
    let here = event.state.players().iter().zip(names).filter(|(player, _)| !player.withdrawn);
    for (player, (_, name)) in source.players.iter_mut().zip(here) {
        player.name = name;
    }
}

/// The tie-breaks of chess whose values a file of another program has, by the ids of their measures.
pub const CHESS: [(PublishedMeasure, &str); 2] = [
    (PublishedMeasure::Buchholz, "buchholz"),
    (PublishedMeasure::SonnebornBerger, "sonneborn_berger"),
];

/// FIDE's acronyms of tie-breaks (C.07, articles 6 to 10), by the ids of their measures.
const ACRONYMS: [(&str, &str); 27] = [
    ("wins", "WIN"),
    ("games_won", "WON"),
    ("black_games", "BPG"),
    ("black_wins", "BWG"),
    ("progressive", "PS"),
    ("elected", "REP"),
    ("buchholz", "BH"),
    ("buchholz_cut1", "BH/C1"),
    ("buchholz_cut2", "BH/C2"),
    ("buchholz_median", "BH/M1"),
    ("buchholz_median2", "BH/M2"),
    ("average_opponents_buchholz", "AOB"),
    ("average_opponents_fore_buchholz", "AOB/F"),
    ("fore_buchholz", "FB"),
    ("fore_buchholz_cut1", "FB/C1"),
    ("fore_buchholz_cut2", "FB/C2"),
    ("fore_buchholz_median", "FB/M1"),
    ("fore_buchholz_median2", "FB/M2"),
    ("sonneborn_berger", "SB"),
    ("sonneborn_berger_cut1", "SB/C1"),
    ("koya", "KS"),
    ("aro", "ARO"),
    ("tpr", "TPR"),
    ("ptp", "PTP"),
    ("apro", "APRO"),
    ("appo", "APPO"),
    ("rating", "RTNG"),
];

/// The order of a ruleset behind the points in FIDE's acronyms; none where it has a step without one.
fn tie_breaks(rules: &Ruleset) -> Option<Vec<&'static str>> {
    let acronym = |step: &Step| match step {
        Step::Measure { measure, lowest_first: false } => {
            let id = &rules.measures[*measure].id;
            ACRONYMS.iter().find(|one| one.0 == id).map(|one| one.1)
        }
        Step::HeadToHead {
            mode: HeadToHead::Certain | HeadToHead::CertainAnew, by: None, ..
        } => Some("DE"),
        _ => None,
    };
    let (points, behind) = rules.order.split_first()?;
    let Step::Measure { measure, .. } = points else { return None };
    (rules.measures[*measure].id == "points").then(|| behind.iter().map(acronym).collect())?
}

/// The numbers of the players, in their order.
fn numbers(state: &Tournament) -> Vec<PlayerNumber> {
    let here = state.players().iter().filter(|player| !player.withdrawn);
    here.map(|player| player.number).collect()
}

/// Adds the final places of the players of brackets.
pub fn add_places(source: &mut Source, event: &LoadedTournament, standings: &Standings) {
    let numbers = numbers(&event.state);
    let place = |player: &usize| {
        let row = standings.row(*numbers.get(*player)?)?;
        Some(SourcePlace { player: *player, place: row.rank })
    };
    let brackets = source.phases.iter().filter(|phase| phase.kind.is_bracket());
    source.places = brackets.flat_map(|phase| &phase.entrants).filter_map(place).collect();
}

/// Adds the tie-breaks of chess to the rows, where the ruleset has them.
pub fn add_tie_breaks(source: &mut Source, event: &LoadedTournament, standings: &Standings) {
    let numbers = numbers(&event.state);
    for own in &mut source.published {
        let Some(row) = numbers.get(own.player).and_then(|number| standings.row(*number)) else {
            continue;
        };
        let value = |(measure, id): (PublishedMeasure, &str)| {
            // They are quarters of a point.
            let text = decimal(&standings.value(row, id)?, 2, false);
            let text = text.strip_suffix('0').unwrap_or(&text).to_owned();
            Some(PublishedValue { measure, text })
        };
        own.values = CHESS.into_iter().filter_map(value).collect();
    }
}

/// The byes that players asked for in rounds to come, by the places of the players.
fn asked(state: &Tournament, index: &BTreeMap<PlayerNumber, usize>) -> Vec<ByeAsked> {
    let asked = state.byes_to_come().filter_map(|(_, bye)| {
        let player = *index.get(&bye.player)?;
        Some(ByeAsked { round: bye.round, player, kind: bye.kind })
    });
    let mut asked: Vec<ByeAsked> = asked.collect();
    asked.sort_by_key(|bye| (bye.player, bye.round));
    asked
}

/// What results count under a ruleset, where all of it are tenths of a point and chess counts otherwise.
fn points_of(rules: &Ruleset) -> Option<PointSystem> {
    let tenths = |fraction: Fraction| {
        let tenths = fraction.num().checked_mul(10)?;
        (tenths % fraction.den() == 0).then_some(tenths / fraction.den())
    };
    let tenths = |fraction| u16::try_from(tenths(fraction)?).ok();
    let kind = |kind| tenths(rules.points.kinds.get(&kind).copied()?);
    let OutcomePoints { win, draw, loss } = &rules.points.outcome;
    let system = PointSystem {
        win: [tenths(*win)?; 2],
        draw: [tenths(*draw)?; 2],
        loss: [tenths(*loss)?; 2],
        forfeit_win: kind(RoundKind::ForfeitWin)?,
        forfeit_loss: kind(RoundKind::ForfeitLoss)?,
        bye: kind(RoundKind::Bye)?,
        full_bye: kind(RoundKind::AwardedBye)?,
        half_bye: kind(RoundKind::HalfBye)?,
        zero_bye: kind(RoundKind::ZeroBye)?,
    };
    (system != PointSystem::default()).then_some(system)
}

/// What a match came to; a score without a value is none.
fn result_of(found: MatchView<'_>) -> MatchResult {
    let mut result = found.to_result().unwrap_or_else(|| MatchResult::played(Score::default()));
    let Score { seats, table } = &result.score;
    if table.is_empty() && seats.iter().all(|values| values.is_empty()) {
        result.score = Score::default();
    }
    result
}

fn phases(
    event: &LoadedTournament,
    rules: &Ruleset,
    index: &BTreeMap<PlayerNumber, usize>,
) -> Vec<SourcePhase> {
    let state = &event.state;
    let imported = state.imported();
    let knows_seeds =
        imported.is_none_or(|imported| !imported.unknown.contains(&UnknownFact::Seeds));
    let mut phases: Vec<(u16, SourcePhase)> = Vec::new();
    let mut rounds: Vec<(usize, &Round)> = state.rounds().iter().enumerate().collect();
    rounds.retain(|(_, round)| !round.withdrawn);
    rounds.sort_by_key(|(_, round)| round.number);
    for (at, round) in rounds {
        let found = state.matches().filter(|found| found.round_index() == at);
        let tables = found.map(|found| SourceTable {
            table: found.table(),
            seats: found
                .seats()
                .iter()
                .filter_map(|seat| {
                    Some(SourceSeat { player: *index.get(&seat.player)?, role: seat.role })
                })
                .collect(),
            result: result_of(found),
            place: String::new(),
        });
        let byes = state.byes().filter(|bye| bye.round as usize == at).filter_map(|bye| {
            Some(SourceBye {
                player: *index.get(&bye.player)?,
                kind: if is_free_round(state, rules, bye) { ByeKind::Zero } else { bye.kind },
                reported: bye.reported.clone(),
                place: String::new(),
            })
        });
        let (name, weight) = (format!("Round {}", round.number), round.weight);
        let read = SourceRound { name, weight, tables: tables.collect(), byes: byes.collect() };
        match phases.last_mut().filter(|(phase, _)| *phase == round.phase) {
            Some((_, phase)) => phase.rounds.push(read),
            None => {
                let own = state.phase_of(round);
                let kind = own.map_or(PhaseKind::Swiss, |phase| phase.kind);
                let field = own.map(|phase| state.field(phase)).unwrap_or_default();
                let entrants = field.iter().filter_map(|number| index.get(number).copied());
                let entrants: Vec<usize> = entrants.collect();
                // Who enters a bracket is listed by seed, unless it came out of a file without seeds.
                let seeded = kind.is_bracket() && knows_seeds && entrants.len() == field.len();
                let rounds = vec![read];
                phases.push((round.phase, SourcePhase { kind, entrants, seeded, rounds }));
            }
        }
    }
    phases.into_iter().map(|(_, phase)| phase).collect()
}

/// The rows of the standings, and behind them who takes no place, each with their points; where these are no
/// tenths they are rounded down to some.
fn published(standings: &Standings, index: &BTreeMap<PlayerNumber, usize>) -> Vec<PublishedRow> {
    let points = standings.column("points");
    let last = standings.rows.len() as u32 + 1;
    let row = |(number, player): (&PlayerNumber, &usize)| {
        let found = standings.row(*number);
        // Who takes no place has points of the last table; who left before the first round is in none.
        let own = found.and_then(|row| standings.value(row, "points"));
        let at = || standings.table().index_of(*number);
        let points = own.or_else(|| Some(points?.value(at()?))).unwrap_or_default();
        let points_tenths = (points * BigRational::from(BigInt::from(10))).floor().to_integer();
        PublishedRow {
            rank: found.map_or(last, |row| row.rank),
            player: *player,
            points_tenths: points_tenths.to_i64().unwrap_or(i64::MAX),
            record: found.map(|row| [row.record.wins, row.record.losses, row.record.draws]),
            values: Vec::new(),
        }
    };
    index.iter().map(row).collect()
}
