//! A plain CSV that an organiser can write by hand; docs/IMPORT.md describes it.

mod columns;
mod header;
mod rows;
mod words;

use std::collections::BTreeMap;

use super::build::{Oddities, Players};
use super::sheet::{self, Games};
use super::source::*;
use super::{Fault, ImportError, check, phases};
use columns::Columns;
use header::Header;
use rows::Rows;
use scrutineer_engine::event::{Per, PhaseKind, RoundWeight, Score, Scoresheet, UnknownFact};

/// Reads the file's text.
pub(super) fn read(name: &str, text: &str) -> Result<Source, ImportError> {
    let mut oddities = Oddities::default();
    let (header, table) = header::split(text, &mut oddities)?;
    let (columns, records) = columns::records(table)?;
    let mut rows = Rows::new(&columns, Players::default());
    // The roster first: where there is one, every other name must be on it.
    for record in records.iter().filter(|record| record.is_roster(&columns)) {
        rows.roster(record)?;
    }
    for record in records.iter().filter(|record| !record.is_roster(&columns)) {
        rows.add(record)?;
    }
    assemble(name, header, &columns, rows, oddities)
}

fn assemble(
    name: &str,
    header: Header,
    columns: &Columns,
    rows: Rows,
    mut oddities: Oddities,
) -> Result<Source, ImportError> {
    let Rows { mut players, rounds, drops, has_roster, .. } = rows;
    let rounds = in_order(rounds)?;
    check::rounds(&players, &rounds)?;
    check::drops(&players, &rounds, &drops, has_roster)?;
    let scoresheet = scoresheet(columns, header.best_of, &rounds);
    if columns.starts_with_games() {
        for name in columns.beside_games() {
            let sentence = format!("The column {name} is read as a further line of the slip.");
            oddities.add("the columns", sentence);
        }
        match header.best_of {
            Some(best_of) => sheet::refuse(best_of, &rounds)?,
            None => sheet::report(scoresheet.best_of, &rounds, &mut oddities),
        }
    }
    players.tell_alike(&mut oddities);
    let unknown = unknown(&players, &rounds);
    let phases = split(rounds, &header)?;
    Ok(Source {
        file: String::new(),
        platform: "csv".to_owned(),
        format: "csv".to_owned(),
        identity: header.identity(name),
        title: header.title.unwrap_or_else(|| stem(name)),
        held_on: header.held_on,
        rules: header.rules,
        cut: header.cut,
        finished: !header.unfinished,
        scoresheet,
        players: players.list,
        phases,
        drops,
        published: Vec::new(),
        published_after: None,
        places: Vec::new(),
        published_digits: None,
        unknown,
        oddities: oddities.finish(),
    })
}

/// The file's name without folder and ending.
fn stem(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    if stem.trim().is_empty() { name.trim().to_owned() } else { stem.trim().to_owned() }
}

/// The rounds by number, none missing.
fn in_order(rounds: BTreeMap<u16, SourceRound>) -> Result<Vec<SourceRound>, ImportError> {
    for (expected, (number, round)) in (1u16..).zip(&rounds) {
        if *number != expected {
            let place = check::appearances(round).next().map_or("", |(_, place)| place);
            return Err(Fault::Missing { what: format!("round {expected}") }.at(place));
        }
    }
    Ok(rounds.into_values().collect())
}

fn unknown(players: &Players, rounds: &[SourceRound]) -> Vec<UnknownFact> {
    let mut unknown = Vec::new();
    if players.list.iter().any(|player| player.sign_up.is_none()) {
        unknown.push(UnknownFact::SignUpOrder);
    }
    unknown.push(UnknownFact::Times);
    if rounds.iter().flat_map(|round| &round.tables).any(|table| table.table.is_none()) {
        unknown.push(UnknownFact::Tables);
    }
    unknown
}

fn split(mut rounds: Vec<SourceRound>, header: &Header) -> Result<Vec<SourcePhase>, ImportError> {
    let Some(planned) = &header.phases else {
        return Ok(match header.cut {
            Some(cut) => phases::split_at_cut(rounds, cut),
            None => vec![phases::phase(PhaseKind::Swiss, rounds)],
        });
    };
    let total: usize = planned.list.iter().map(|(_, count)| count).sum();
    if total != rounds.len() {
        let what = "the sum of the phases' rounds".to_owned();
        let expected = format!("the {} rounds of the file", rounds.len());
        let fault = Fault::BadValue { what, found: total.to_string(), expected };
        return Err(fault.at(planned.place.as_str()));
    }
    let mut phases = Vec::new();
    for (kind, count) in &planned.list {
        let later = rounds.split_off(*count);
        phases.push(phases::phase(*kind, std::mem::replace(&mut rounds, later)));
    }
    Ok(phases)
}

/// The sheet that the columns name, wide enough for every value of the file.
fn scoresheet(columns: &Columns, declared: Option<u8>, rounds: &[SourceRound]) -> Scoresheet {
    let with_games = columns.starts_with_games();
    let tables = || rounds.iter().flat_map(|round| &round.tables);
    let games = || tables().filter_map(|table| sheet::games_of(&table.result.score));
    let inferred = || with_games.then(|| sheet::best_of(games())).flatten();
    let best_of = declared.or_else(inferred).filter(|_| with_games);
    let played = tables().map(|table| &table.result.score);
    let byes = rounds.iter().flat_map(|round| &round.byes).filter_map(|bye| bye.reported.as_ref());
    let scores: Vec<&Score> = played.chain(byes).collect();
    let seat = columns.seat_lines.iter().enumerate().map(|(at, name)| {
        let values = scores.iter().flat_map(|score| score.seats.iter().map(move |s| s.get(at)));
        bounded(name, Per::Seat, best_of, values.flatten().copied())
    });
    let table = columns.table_lines.iter().enumerate().map(|(at, name)| {
        let values = scores.iter().filter_map(|score| score.table.get(at));
        bounded(name, Per::Table, best_of, values.copied())
    });
    Scoresheet { lines: seat.chain(table).collect(), best_of }
}

fn bounded(
    name: &str,
    per: Per,
    best_of: Option<u8>,
    values: impl Iterator<Item = i32>,
) -> scrutineer_engine::event::ScoreLine {
    let games = i32::from(best_of.unwrap_or(3));
    let (usual, unit) = match (name, per) {
        ("games", Per::Seat) => (games / 2 + 1, "games"),
        ("drawn", Per::Table) => (games, "games"),
        _ => (1_000, "points"),
    };
    let (min, max) = values.fold((0, usual), |(min, max), v| (min.min(v), max.max(v)));
    sheet::line(name, per, min, max, unit)
}

/// A round without a row so far.
fn empty_round(number: u16) -> SourceRound {
    let (tables, byes) = (Vec::new(), Vec::new());
    SourceRound { name: format!("Round {number}"), weight: RoundWeight::ONE, tables, byes }
}

/// The games of a score, as they are written in a message.
fn written(score: &Score) -> String {
    let games: Option<Games> = sheet::games_of(score);
    games.map_or("no score".to_owned(), |[first, second, _]| format!("{first}-{second}"))
}
