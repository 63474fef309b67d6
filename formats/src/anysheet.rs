//! Sheets as anybody keeps them: CSV, TSV and workbooks whose columns are recognized by name in six
//! languages, or chosen by a person. docs/IMPORT.md describes them.

mod columns;
mod grid;
mod listed;
mod matches;
mod names;
mod result;
pub(crate) mod workbook;

use crate::build::{Oddities, clean_name};
use crate::csv::{self, Header};
use crate::error::shortened;
use crate::source::*;
use crate::{Fault, File, ImportError, check, letters, phases, sheet};
use columns::Columns;
pub use columns::{Question, SheetKind};
use grid::Grid;
use names::Role;
use scrutineer_engine::event::{Per, PhaseKind, Scoresheet, UnknownFact};

/// A sheet: our own CSV, read strictly, or one as anybody keeps it.
pub(super) struct Csv;

impl crate::Format for Csv {
    fn name(&self) -> &'static str {
        "csv"
    }

    fn ending(&self) -> &'static str {
        "csv"
    }

    /// A text that is neither JSON nor XML is taken for one, so that a wrong header gets its message.
    fn detect(&self, file: &File) -> bool {
        if file.bytes.starts_with(b"PK\x03\x04") {
            return workbook::is_one(file.bytes);
        }
        let is_one = |text: &str| {
            let first = text.trim_start().chars().next();
            first.is_some_and(|first| !matches!(first, '{' | '[' | '<'))
        };
        match file.text {
            Some(text) if !text.contains('\0') => is_one(text),
            _ => letters::text(file.bytes).is_some_and(|(text, _)| is_one(&text)),
        }
    }

    fn read(&self, file: &File) -> Result<Source, ImportError> {
        if file.columns.is_some() || workbook::is_one(file.bytes) {
            return read(file);
        }
        let decoded;
        let text = match file.text {
            Some(text) if !text.contains('\0') => text,
            _ => {
                decoded = letters::text(file.bytes);
                decoded.as_ref().map_or("", |(text, _)| text.as_str())
            }
        };
        match csv::are_ours(text) {
            true => csv::read(file.name, text),
            false => read(file).map_err(|error| csv::half_ours(text, error)),
        }
    }
}

/// How many rows a [`Preview`] shows.
const SHOWN: usize = 10;

/// A sheet before it is read: what its columns are taken for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preview {
    /// What the sheet is.
    pub kind: SheetKind,
    /// The sheet's name in its workbook.
    pub sheet: Option<String>,
    /// Its columns, in order.
    pub columns: Vec<PreviewColumn>,
    /// The first rows below the columns' names.
    pub rows: Vec<Vec<String>>,
    /// What only a person can tell; `read` refuses the file until they do.
    pub question: Option<Question>,
}

/// A column of a [`Preview`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreviewColumn {
    /// Its number, from 1.
    pub number: usize,
    /// Its name in the sheet.
    pub name: String,
    /// The word of what it holds, such as `player_a`; none where it is not read.
    pub role: Option<&'static str>,
}

/// The words with which a choice of columns names what they hold.
pub fn column_words() -> impl Iterator<Item = &'static str> {
    names::WORDS.iter().map(|(word, _)| *word)
}

/// What the columns of a file are taken for; none where it is no table.
///
/// # Errors
/// Where the file cannot be opened, or the choice names no columns.
pub(crate) fn preview(file: &File) -> Result<Option<Preview>, ImportError> {
    let (grids, _) = grids(file)?;
    let Some((at, columns)) = first_table(&grids, file.columns)? else { return Ok(None) };
    let grid = &grids[at];
    let body = grid.rows.iter().skip(columns.header.map_or(0, |at| at + 1));
    let column = |(at, role): (usize, &Option<Role>)| PreviewColumn {
        number: at + 1,
        name: columns.names[at].clone(),
        role: role.and_then(Role::word).filter(|word| *word != "ignore"),
    };
    Ok(Some(Preview {
        kind: columns.kind,
        sheet: grid.sheet.clone(),
        columns: columns.roles.iter().enumerate().map(column).collect(),
        rows: body.take(SHOWN).map(|row| row.cells.clone()).collect(),
        question: columns.question.clone(),
    }))
}

/// The sheets of a file, and what is to be told of its letters.
fn grids(file: &File) -> Result<(Vec<Grid>, Option<&'static str>), ImportError> {
    if workbook::is_one(file.bytes) {
        return Ok((workbook::grids(file.bytes)?, None));
    }
    match file.text {
        Some(text) if !text.contains('\0') => Ok((vec![grid::of_text(text)?], None)),
        _ => match letters::text(file.bytes) {
            Some((text, told)) => Ok((vec![grid::of_text(&text)?], told)),
            None => Err(file.text().err().unwrap_or_else(|| Fault::Empty.into())),
        },
    }
}

/// The first sheet that is a table.
fn first_table(
    grids: &[Grid],
    asked: Option<&str>,
) -> Result<Option<(usize, Columns)>, ImportError> {
    for (at, grid) in grids.iter().enumerate() {
        if let Some(columns) = columns::find(grid, asked)? {
            return Ok(Some((at, columns)));
        }
    }
    Ok(None)
}

/// Reads a file whose columns are not those of our own CSV.
pub(crate) fn read(file: &File) -> Result<Source, ImportError> {
    let (mut grids, told) = grids(file)?;
    let mut oddities = Oddities::default();
    if let Some(told) = told {
        oddities.add("the file", told);
    }
    let mut header = Header::default();
    for grid in &mut grids {
        lines_above(grid, &mut header, &mut oddities)?;
    }
    grids.retain(|grid| !grid.rows.is_empty());
    let Some((at, columns)) = first_table(&grids, file.columns)? else {
        return Err(match grids.first().and_then(|grid| grid.rows.first()) {
            Some(row) => {
                let first = shortened(&row.cells.join(","));
                Fault::UnknownFormat { found: format!("text that begins with {first:?}") }.into()
            }
            None => Fault::Empty.into(),
        });
    };
    for (other, grid) in grids.iter().enumerate().filter(|(other, _)| *other != at) {
        let name = shortened(grid.sheet.as_deref().unwrap_or(""));
        oddities.add(&format!("sheet {}", other + 1), format!("The sheet {name:?} is not read."));
    }
    let grid = &grids[at];
    if let Some(question) = &columns.question {
        let line = columns.header.map_or(0, |at| at);
        return Err(columns.asked(question).at(grid.place(&grid.rows[line])));
    }
    let unread = columns.roles.iter().enumerate().filter(|(at, role)| {
        matches!(role, None | Some(Role::OfRound | Role::Ignore | Role::Score | Role::Games))
            && !columns.names[*at].is_empty()
    });
    let unread: Vec<String> = unread.map(|(at, _)| columns.label(at)).take(12).collect();
    if !unread.is_empty() && columns.header.is_some() {
        oddities.add("the columns", format!("Not read: {}.", unread.join(", ")));
    }
    let round = title(grid, &columns, &mut header);
    let name = if grid.sheet.is_some() { "xlsx" } else { "csv" };
    match columns.kind {
        SheetKind::Matches => of_matches(file, name, grid, &columns, header, round, oddities),
        _ => of_listed(file, name, grid, &columns, header, oddities),
    }
}

/// Takes the lines `# key: value` off a sheet.
fn lines_above(
    grid: &mut Grid,
    header: &mut Header,
    oddities: &mut Oddities,
) -> Result<(), ImportError> {
    let is_line = |row: &grid::Row| {
        row.get(0).len() > 1 && row.get(0).starts_with('#') && row.get(0).contains(':')
    };
    let count = grid.rows.iter().take_while(|row| is_line(row)).count();
    for row in &grid.rows[..count] {
        let line = row.cells.join(", ");
        header.line(&line, &grid.place(row), oddities)?;
    }
    grid.rows.drain(..count);
    Ok(())
}

/// The title and the day in the lines above the columns, and the round that one of them names.
fn title(grid: &Grid, columns: &Columns, header: &mut Header) -> Option<u16> {
    const KEYS: [&str; 12] = [
        "turnier",
        "tournament",
        "event",
        "tournoi",
        "torneo",
        "torneio",
        "titel",
        "title",
        "titre",
        "titolo",
        "titulo",
        "name",
    ];
    let mut round = None;
    for row in &grid.rows[..columns.header.unwrap_or(0)] {
        let words: Vec<&str> = row.filled().map(|(_, cell)| cell).collect();
        if let [cell] = words[..]
            && let Some(found) = names::round(cell, false)
        {
            round = Some(found);
            continue;
        }
        let line = words.join(" ");
        if let Some(day) = line.split(' ').find_map(crate::trf::held_on) {
            header.held_on = header.held_on.or(Some(day));
            if words.len() == 1 && line.split(' ').count() > 2 && header.title.is_none() {
                header.title = clean_name("the title", &line).ok();
            }
            continue;
        }
        let plain = |word: &str| scrutineer_engine::names::plain(word.trim_end_matches(':'));
        let value = match line.split_once(':') {
            Some((key, value)) if KEYS.contains(&plain(key).as_str()) => value.trim(),
            Some(_) => continue,
            None if words.len() > 1 && KEYS.contains(&plain(words[0]).as_str()) => words[1],
            None if words.len() == 1 => words[0],
            None => continue,
        };
        if header.title.is_none() {
            header.title = clean_name("the title", value).ok();
        }
    }
    round
}

fn of_matches(
    file: &File,
    format: &str,
    grid: &Grid,
    columns: &Columns,
    header: Header,
    round: Option<u16>,
    oddities: Oddities,
) -> Result<Source, ImportError> {
    let read = matches::read(grid, columns, round, oddities)?;
    let (only_outcomes, is_games) = (read.only_outcomes, read.is_games);
    let matches::Matches { mut players, rounds, mut oddities, .. } = read;
    let mut unknown = Vec::new();
    let numbered: Vec<u16> = rounds.keys().copied().filter(|round| *round < 9_000).collect();
    let cut = rounds.len() - numbered.len();
    if let (Some(first), Some(last)) = (numbered.first(), numbered.last()) {
        let holes = usize::from(last - first) + 1 != numbered.len();
        if let Some(missing) = (*first..=*last).find(|round| holes && !numbered.contains(round)) {
            return Err(
                Fault::Missing { what: format!("round {missing}") }.at(grid.place(&grid.rows[0]))
            );
        }
        if *first > 1 {
            unknown.push(UnknownFact::EarlierRounds);
            oddities.add(
                "the rounds",
                format!("The sheet begins with round {first}: the rounds before it are not known."),
            );
        }
    }
    let mut rounds: Vec<SourceRound> = rounds.into_values().collect();
    // Without a column for the round, somebody who plays twice shows that it is missing.
    if rounds.len() == 1
        && !columns.has(Role::Round)
        && round.is_none()
        && check::rounds(&players, &rounds).is_err_and(|error| error.code() == "twice-in-round")
    {
        return Err(Fault::MissingColumn { name: "round".into() }
            .at(grid.place(&grid.rows[columns.header.unwrap_or(0)])));
    }
    let open = |round: &SourceRound| round.tables.iter().any(|table| !table.has_result());
    let is_open = header.unfinished || rounds.last().is_some_and(open);
    if is_games && !only_outcomes {
        csv::without_games(&mut rounds, is_open, &mut oddities);
    }
    csv::only_last_open(&rounds)?;
    check::rounds(&players, &rounds)?;
    let scoresheet = scoresheet(is_games, header.best_of, &rounds);
    if is_games {
        match header.best_of {
            Some(best_of) => sheet::refuse(best_of, &rounds)?,
            None => sheet::report(scoresheet.best_of, &rounds, &mut oddities),
        }
    } else {
        oddities.add("the results", "The scores are read as points of a game, not as games won.");
    }
    players.tell_alike(&mut oddities);
    unknown.extend(csv::unknown(&players, &rounds));
    if rounds.iter().any(|round| !round.byes.is_empty()) {
        unknown.push(UnknownFact::KindOfBye);
    }
    unknown.push(UnknownFact::Drops);
    if only_outcomes {
        unknown.push(UnknownFact::Games);
    }
    let identity = header.identity(file.name);
    let phases = match cut {
        0 => csv::split(rounds, &header, &mut oddities)?,
        cut => {
            let last = rounds.split_off(rounds.len() - cut);
            let both = [(PhaseKind::Swiss, rounds), (PhaseKind::Elimination, last)];
            let both = both.into_iter().filter(|(_, rounds)| !rounds.is_empty());
            both.map(|(kind, rounds)| phases::phase(kind, rounds)).collect()
        }
    };
    for phase in &phases {
        phases::tell_lost(phase, |player| players.name(player), &mut oddities);
    }
    unknown.sort_unstable();
    Ok(Source {
        scoresheet,
        players: players.list,
        phases,
        finished: !is_open,
        unknown,
        ..about(file, format, header, identity, oddities)
    })
}

/// What every sheet has.
fn about(
    file: &File,
    format: &str,
    header: Header,
    identity: String,
    oddities: Oddities,
) -> Source {
    Source {
        platform: "csv".to_owned(),
        format: format.to_owned(),
        identity,
        title: header.title.unwrap_or_else(|| crate::build::stem(file.name)),
        held_on: header.held_on,
        rules: header.rules,
        cut: header.cut,
        oddities: oddities.finish(),
        ..Source::default()
    }
}

fn scoresheet(is_games: bool, declared: Option<u8>, rounds: &[SourceRound]) -> Scoresheet {
    let tables = || rounds.iter().flat_map(|round| &round.tables);
    let byes =
        || rounds.iter().flat_map(|round| &round.byes).filter_map(|bye| bye.reported.as_ref());
    if is_games {
        let played = || tables().filter_map(|table| sheet::games_of(&table.result.score));
        let best_of = declared.or_else(|| sheet::best_of(played()));
        return sheet::games_sheet(best_of, played().chain(byes().filter_map(sheet::games_of)));
    }
    let values = || tables().flat_map(|table| &table.result.score.seats).flatten().copied();
    let (min, max) = values().fold((0, 0), |(min, max), value| (min.min(value), max.max(value)));
    Scoresheet { lines: vec![sheet::line("points", Per::Seat, min, max, "points")], best_of: None }
}

fn of_listed(
    file: &File,
    format: &str,
    grid: &Grid,
    columns: &Columns,
    header: Header,
    mut oddities: Oddities,
) -> Result<Source, ImportError> {
    let listed = listed::read(grid, columns, &mut oddities)?;
    let mut unknown = vec![UnknownFact::Times];
    if listed.players.list.iter().any(|player| player.sign_up.is_none()) {
        unknown.push(UnknownFact::SignUpOrder);
    }
    let is_roster = columns.kind == SheetKind::Roster;
    if !is_roster {
        unknown.extend([UnknownFact::Drops, UnknownFact::Games, UnknownFact::EarlierRounds]);
        oddities
            .add("the sheet", "There are standings and no rounds: nothing is computed from them.");
    }
    unknown.sort_unstable();
    let entrants = (0..listed.players.list.len()).collect();
    let phase = SourcePhase { kind: PhaseKind::Swiss, entrants, seeded: false, rounds: Vec::new() };
    let identity = header.identity(file.name);
    Ok(Source {
        scoresheet: sheet::games_sheet(header.best_of, std::iter::empty()),
        players: listed.players.list,
        phases: if is_roster { Vec::new() } else { vec![phase] },
        finished: !is_roster,
        published: listed.published,
        places: listed.places,
        unknown,
        ..about(file, format, header, identity, oddities)
    })
}
