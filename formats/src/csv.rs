//! A plain CSV that an organizer can write by hand; docs/IMPORT.md describes it.

mod columns;
mod header;
mod rows;
mod words;
mod write;

use std::collections::BTreeMap;

use super::build::{Oddities, Players};
use super::sheet::{self, Games};
use super::source::*;
use super::{Fault, ImportError, check, near, phases};
use columns::{Columns, Record};
pub(super) use columns::{are_ours, are_own_names, half_ours, too_many_cells, unclosed};
pub(crate) use header::Header;
use rows::Rows;
use scrutineer_engine::event::{How, Per, PhaseKind, RoundWeight, Score, Scoresheet, UnknownFact};
pub(crate) use words::plain;
pub use write::of_tournament;
pub(crate) use write::{ABOUT, ROSTER};

/// Reads the file's text.
pub(super) fn read(name: &str, text: &str) -> Result<Source, ImportError> {
    let mut oddities = Oddities::default();
    let (header, table) = header::split(text, &mut oddities)?;
    let (columns, records) = columns::records(table)?;
    of_records(name, header, (&columns, &records), None, oddities)
}

/// The rows of a sheet of a workbook, each with its number, and the sheet's name.
pub(crate) type SheetRows<'g> = (&'g str, Vec<(u64, csv::StringRecord)>);

/// Reads a workbook with our own columns: its matches, and its players where they have a sheet.
pub(crate) fn read_book(
    name: &str,
    header: Header,
    matches: SheetRows,
    roster: Option<SheetRows>,
    oddities: Oddities,
) -> Result<Source, ImportError> {
    let (columns, records) = columns::of_sheet(matches.0, matches.1.into_iter())?;
    let roster = roster.map(|(sheet, rows)| columns::of_roster(sheet, rows.into_iter()));
    let roster = roster.transpose()?;
    of_records(name, header, (&columns, &records), roster, oddities)
}

fn of_records(
    name: &str,
    header: Header,
    (columns, records): (&Columns, &[Record]),
    roster: Option<(Columns, Vec<Record>)>,
    oddities: Oddities,
) -> Result<Source, ImportError> {
    let mut rows = Rows::new(columns, header.unfinished, oddities);
    // The roster first: where there is one, every other name must be on it.
    for (columns, record) in
        roster.iter().flat_map(|(columns, all)| all.iter().map(move |one| (columns, one)))
    {
        rows.roster(columns, record)?;
    }
    for record in records.iter().filter(|record| record.is_roster(columns)) {
        rows.roster(columns, record)?;
    }
    for record in records.iter().filter(|record| !record.is_roster(columns)) {
        rows.add(record)?;
    }
    assemble(name, header, columns, rows)
}

fn assemble(
    name: &str,
    header: Header,
    columns: &Columns,
    rows: Rows,
) -> Result<Source, ImportError> {
    let Rows { mut players, rounds, drops, has_roster, mut oddities, .. } = rows;
    let mut rounds = in_order(rounds)?;
    if columns.starts_with_games() {
        without_games(&mut rounds, header.unfinished, &mut oddities);
    }
    only_last_open(&rounds)?;
    // Before the first round there are players alone.
    let is_roster = rounds.is_empty() && has_roster;
    if !is_roster {
        check::rounds(&players, &rounds)?;
    }
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
    near::tell(&players, &rounds, &mut oddities);
    let mut unknown = unknown(&players, &rounds);
    unknown.extend(header.games_unknown.then_some(UnknownFact::Games));
    for drop in drops.iter().filter(|_| is_roster) {
        let sentence = "They left before the first round, and are in the list all the same.";
        oddities.add(&drop.place, format!("{:?}: {sentence}", players.name(drop.player)));
    }
    let phases = if is_roster { Vec::new() } else { split(rounds, &header, &mut oddities)? };
    for phase in &phases {
        phases::tell_lost(phase, |player| players.name(player), &mut oddities);
    }
    Ok(Source {
        file: String::new(),
        platform: "csv".to_owned(),
        format: "csv".to_owned(),
        identity: header.identity(name),
        title: header.title.unwrap_or_else(|| super::build::stem(name)),
        held_on: header.held_on,
        rules: header.rules,
        cut: header.cut,
        planned_rounds: None,
        finished: !header.unfinished && !is_roster,
        scoresheet,
        players: players.list,
        phases,
        drops: if is_roster { Vec::new() } else { drops },
        published: Vec::new(),
        published_after: None,
        places: Vec::new(),
        published_digits: None,
        unknown,
        oddities: oddities.finish(),
        ..Source::default()
    })
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

pub(crate) fn unknown(players: &Players, rounds: &[SourceRound]) -> Vec<UnknownFact> {
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

/// Matches of no game at all. Where rounds are still to be played, those of the last one wait for
/// their result; any other is a draw, and is told, since few mean it.
pub(crate) fn without_games(rounds: &mut [SourceRound], is_running: bool, oddities: &mut Oddities) {
    let count = rounds.len();
    for (number, round) in (1..).zip(rounds) {
        for table in &mut round.tables {
            let result = &mut table.result;
            let no_game = sheet::games_of(&result.score) == Some([0; 3]);
            if !no_game || !result.rulings.is_empty() || result.how != How::Played {
                continue;
            }
            if is_running && number == count {
                result.score = Score::default();
                oddities.add(&table.place, "0-0 is read as a match that is not played yet.");
            } else {
                let sentence = "0-0 is read as a draw without a game. A match that was not played \
                                has the ruling `no result`; an agreed draw has three games drawn.";
                oddities.add(&table.place, sentence);
            }
        }
    }
}

/// Refuses a match without a result in any round but the last.
fn only_last_open(rounds: &[SourceRound]) -> Result<(), ImportError> {
    let over = rounds.split_last().map_or(&[][..], |(_, over)| over);
    match over.iter().flat_map(|round| &round.tables).find(|table| !table.has_result()) {
        Some(table) => {
            let what = "the score of the match (or the ruling `no result`, where it was postponed)";
            Err(Fault::Missing { what: what.into() }.at(&table.place))
        }
        None => Ok(()),
    }
}

/// The rounds in their phases: as the file lists them, or with the cut that it names.
pub(crate) fn split(
    mut rounds: Vec<SourceRound>,
    header: &Header,
    oddities: &mut Oddities,
) -> Result<Vec<SourcePhase>, ImportError> {
    let Some(planned) = &header.phases else {
        let start = header.cut.map(|cut| phases::start_of_cut(&rounds, cut, header.unfinished));
        let cut = start.flatten().map(|start| rounds.split_off(start)).unwrap_or_default();
        // More players in the last round: the cut is not in the file.
        let last = rounds.last().map_or(0, |round| check::appearances(round).count());
        if let Some(size) = header.cut.filter(|size| cut.is_empty() && last <= *size as usize) {
            let sentence = format!(
                "The last rounds are not a cut of {size} players, so all rounds are read as Swiss \
                 rounds. Where they are a cut all the same, name the phases: `# phases: swiss 3, \
                 single elimination 2`."
            );
            oddities.add("the cut", sentence);
        }
        let mut phases = vec![phases::phase(PhaseKind::Swiss, rounds)];
        if !cut.is_empty() {
            phases.push(phases::phase(PhaseKind::Elimination, cut));
        }
        return Ok(phases);
    };
    let counted = planned.list.iter().map(|(kind, count)| (*kind, count.unwrap_or(rounds.len())));
    let counted: Vec<(PhaseKind, usize)> = counted.collect();
    let total: usize = counted.iter().map(|(_, count)| count).sum();
    if total != rounds.len() {
        let what = "the sum of the phases' rounds".to_owned();
        let expected = format!("the {} rounds of the file", rounds.len());
        let fault = Fault::BadValue { what, found: total.to_string(), expected };
        return Err(fault.at(planned.place.as_str()));
    }
    let mut phases = Vec::new();
    for (kind, count) in counted {
        let later = rounds.split_off(count);
        phases.push(phases::phase(kind, std::mem::replace(&mut rounds, later)));
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
pub(crate) fn written(score: &Score) -> String {
    let games: Option<Games> = sheet::games_of(score);
    games.map_or("no score".to_owned(), |[first, second, _]| format!("{first}-{second}"))
}
