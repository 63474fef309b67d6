//! Rounds that stand in files of their own, such as `round1.csv` and `round2.csv`: put together into one sheet.

use super::grid::{Grid, Origin, Row};
use super::names::{self, Role};
use super::tables::{self, Choice, Found};
use super::{above, own};
use crate::build::{Oddities, stem};
use crate::csv::Header;
use crate::own::own_kind;
use crate::{ALL, Fault, File, ImportError, limits};
use scrutineer_engine::names::folded;
use std::collections::{BTreeMap, BTreeSet};

/// Sheets that are put together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joined {
    /// The title of the tournament, where the sheets or their names say one.
    pub title: Option<String>,
    /// All rounds, as one sheet.
    pub bytes: Vec<u8>,
}

/// A sheet of one round.
struct Sheet {
    /// The file's name.
    name: String,
    /// Of a workbook, the name of its sheet.
    of_workbook: Option<String>,
    /// Whether the file ends within a line.
    ends_within_line: bool,
    title: Option<String>,
    round: u16,
    /// Whether a line of it names the round, or only the file's name does.
    is_named: bool,
    /// Its lines `# key: value`.
    about: Vec<Row>,
    /// What stands above the columns' names.
    above: Vec<Row>,
    /// The columns' names and the matches.
    rows: Vec<Row>,
    /// Which of them is the first match of two without a word for its result.
    without_result: Option<usize>,
    players: BTreeSet<String>,
}

/// Which files are rounds of one tournament, each group as places in the list: sheets of one round each, under
/// one title, which name another round each, in a line or by their names, and in which the same people play. A
/// group in which a round stands twice is refused by [`join_rounds`], and so is one with a file that by its name
/// is a further round, and cannot be read.
pub fn rounds_of_one(files: &[(&str, &[u8])]) -> Vec<Vec<usize>> {
    let sheets: Vec<(usize, Sheet)> = files
        .iter()
        .enumerate()
        .filter_map(|(at, (name, bytes))| Some((at, sheet(name, bytes, &BTreeSet::new())?)))
        .collect();
    let mut groups: Vec<Vec<&(usize, Sheet)>> = Vec::new();
    for one in &sheets {
        let goes = |group: &&mut Vec<&(usize, Sheet)>| {
            group.first().is_some_and(|(_, first)| first.goes_with(&one.1))
        };
        match groups.iter_mut().find(goes) {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    let has_rounds = |group: &Vec<&(usize, Sheet)>| {
        group.iter().map(|(_, sheet)| sheet.round).collect::<BTreeSet<_>>().len() > 1
    };
    groups.retain(has_rounds);
    let mut groups: Vec<Vec<usize>> =
        groups.iter().map(|group| group.iter().map(|(at, _)| *at).collect()).collect();
    let title = |at: usize| numbered(&stem(files[at].0)).map(|(title, _)| folded(&title));
    let is_sheet = |at: usize| sheets.iter().any(|(sheet, _)| *sheet == at);
    for at in (0..files.len()).filter(|at| !is_sheet(*at)) {
        let Some(own) = title(at) else { continue };
        let of_name = groups
            .iter_mut()
            .find(|group| group.iter().any(|other| title(*other).as_ref() == Some(&own)));
        if let Some(group) = of_name.filter(|_| is_damaged(files[at])) {
            group.push(at);
            group.sort_unstable();
        }
    }
    groups
}

/// Whether a file that may be a sheet cannot be read, or has no match in it.
fn is_damaged((name, bytes): (&str, &[u8])) -> bool {
    let is_empty =
        |source: crate::Source| source.rounds().all(|(_, round)| round.tables.is_empty());
    bytes.len() <= limits::FILE_BYTES
        && own_kind(bytes).is_none()
        && crate::read(name, bytes).map_or(true, is_empty)
}

/// Puts the rounds of a tournament together into one sheet, which [`crate::read`] reads. The same files give the
/// same bytes, in whatever order they come.
///
/// # Errors
/// Where a file is no sheet of one round, two are of the same one or have the same matches, one is missing
/// between others or ends within a line, or the rounds do not go together: with the file and its line.
pub fn join_rounds(files: &[(&str, &[u8])]) -> Result<Joined, ImportError> {
    let mut files = files.to_vec();
    files.sort_unstable();
    // A match to be played may be of two who stand in other rounds alone.
    let alone = files.iter().filter_map(|(name, bytes)| sheet(name, bytes, &BTreeSet::new()));
    let known: BTreeSet<String> = alone.flat_map(|sheet| sheet.players).collect();
    let mut rounds: BTreeMap<u16, (&[u8], Sheet)> = BTreeMap::new();
    for (name, bytes) in files {
        let Some(sheet) = sheet(name, bytes, &known) else {
            // What is wrong in it says more.
            crate::read(name, bytes)?;
            let what =
                "a sheet of one round, with the round in a line or in the file's name,".to_owned();
            return Err(ImportError::from(Fault::Missing { what }).in_file(name));
        };
        match rounds.get(&sheet.round) {
            // The same sheet under another name is no other one.
            Some((other, _)) if *other == bytes => continue,
            Some((_, other)) => {
                let expected =
                    format!("one file for each round: leave out this one or {}", other.name);
                let what = names::round_name(sheet.round);
                let found = "a second sheet of it".to_owned();
                return Err(
                    ImportError::from(Fault::BadValue { what, found, expected }).in_file(name)
                );
            }
            None => {}
        }
        let same = rounds
            .values()
            .find(|(other, of_other)| *other == bytes || sheet.has_the_matches_of(of_other));
        if let Some((_, other)) = same {
            let what = names::round_name(sheet.round);
            let found = format!("what stands in {}, match by match", other.name);
            let expected = "the sheet of this round: save the right one under this name".to_owned();
            return Err(sheet.refused(1, Fault::BadValue { what, found, expected }));
        }
        rounds.insert(sheet.round, (bytes, sheet));
    }
    let sheets: Vec<Sheet> = rounds.into_values().map(|(_, sheet)| sheet).collect();
    whole(&sheets)?;
    let title = sheets.iter().find_map(|sheet| sheet.title.clone());
    let text = text(&sheets);
    // Which column is meant is for whoever reads all of them to say.
    if let Err(error) = crate::read("rounds.csv", text.as_bytes())
        && !matches!(*error.fault, Fault::WhichColumn { .. })
    {
        // Its place begins with the file.
        let of = |sheet: &Sheet| {
            let place = error.place.strip_prefix(&sheet.name)?.strip_prefix(": ")?;
            Some((sheet.name.clone(), place.to_owned()))
        };
        if let Some((name, place)) = sheets.iter().find_map(of) {
            return Err(error.fault.at(place).in_file(&name));
        }
    }
    Ok(Joined { title, bytes: text.into_bytes() })
}

/// Refuses rounds with one missing between them, and a sheet of which the end is cut off.
fn whole(sheets: &[Sheet]) -> Result<(), ImportError> {
    for pair in sheets.windows(2) {
        let (missing, next) = (pair[0].round.saturating_add(1), &pair[1]);
        // What is called a final has no number.
        if next.round > missing && next.round < 9_000 {
            let (what, found) = ("the round".to_owned(), next.round.to_string());
            let expected = format!(
                "{missing}, of which there is no sheet: bring that too, or number this one as it was played"
            );
            return Err(next.refused(0, Fault::BadValue { what, found, expected }));
        }
    }
    // A round between others has all of its results, or says of which match it has none.
    let over = sheets.split_last().map_or(&[][..], |(_, over)| over);
    if let Some((sheet, row)) = over.iter().find_map(|sheet| Some((sheet, sheet.without_result?))) {
        return Err(sheet.refused(
            row,
            Fault::Missing {
                what: "the score of the match, or a ruling such as `no result`,".into(),
            },
        ));
    }
    for sheet in sheets.iter().filter(|sheet| sheet.ends_within_line) {
        let Some((head, last)) = sheet.rows.first().zip(sheet.rows.last()) else { continue };
        let cell = last.cells.last().map_or("", String::as_str);
        let is_somebody =
            |other: &Sheet| other.round != sheet.round && other.players.contains(&folded(cell));
        let is_cut = last.cells.len() < head.cells.len()
            && !names::is_nobody(cell)
            && !sheets.iter().any(is_somebody);
        if is_cut {
            let what = "the last line".to_owned();
            let found = crate::error::shortened(&last.cells.join(", "));
            let expected = "a whole line: the file ends within it, at a name that no other round has; save or \
                            copy the file again"
                .to_owned();
            let at = sheet.rows.len() - 1;
            return Err(sheet.refused(at, Fault::BadValue { what, found, expected }));
        }
    }
    Ok(())
}

/// All rounds below each other, a line with its name above each of them, and above all from which line on they are
/// those of which file.
fn text(sheets: &[Sheet]) -> String {
    let (mut lines, mut origins): (Vec<String>, Vec<Origin>) = (Vec::new(), Vec::new());
    let mut line = |cells: &[String], from: Option<(&Sheet, &Row)>| {
        let quoted = |cell: &String| match cell.contains([',', '"', ';', '\t', '|']) {
            true => format!("\"{}\"", cell.replace('"', "\"\"")),
            false => cell.clone(),
        };
        lines.push(cells.iter().map(quoted).collect::<Vec<_>>().join(","));
        let Some((sheet, row)) = from else { return };
        let (line, of) = (lines.len() as u64, sheet.called());
        let follows = |last: &Origin| last.of == of && last.own + line - last.line == row.line;
        if !origins.last().is_some_and(follows) {
            origins.push(Origin { line, own: row.line, of });
        }
    };
    for (at, sheet) in sheets.iter().enumerate() {
        if at == 0 {
            sheet.about.iter().for_each(|row| line(&[row.cells.join(", ")], None));
            let is_said = !sheet.above.is_empty()
                || sheet.about.iter().any(|row| row.get(0).contains("event"));
            if let Some(title) = sheet.title.clone().filter(|_| !is_said) {
                line(&[title], None);
            }
            sheet.above.iter().for_each(|row| line(&row.cells, None));
        } else {
            line(&[], None);
        }
        if at > 0 || !sheet.is_named {
            line(&[names::round_name(sheet.round)], None);
        }
        sheet.rows.iter().for_each(|row| line(&row.cells, Some((sheet, row))));
    }
    let above = origins.len() as u64;
    let said = origins.into_iter().map(|one| {
        let said = Origin { line: one.line + above, ..one }.said();
        format!("\"{}\"", said.replace('"', "\"\""))
    });
    said.chain(lines).map(|line| line + "\n").collect()
}

impl Sheet {
    /// The file, and what its lines are called.
    fn called(&self) -> String {
        let place = self.place(0);
        format!(
            "{}: {}",
            self.name,
            place.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end()
        )
    }

    fn place(&self, row: usize) -> String {
        let mut grid = Grid::of_sheet(String::new());
        grid.sheet = self.of_workbook.clone();
        self.rows.get(row).map_or_else(String::new, |row| grid.place(row))
    }

    /// What is wrong with a row of the table: the names of its columns are the first.
    fn refused(&self, row: usize, fault: Fault) -> ImportError {
        fault.at(self.place(row)).in_file(&self.name)
    }

    /// Whether both have the same lines below the names of the columns. Two of one line or two may be two games of
    /// the same players.
    fn has_the_matches_of(&self, other: &Sheet) -> bool {
        let lines = |sheet: &Sheet| -> Vec<Vec<String>> {
            let mut lines: Vec<_> =
                sheet.rows.iter().skip(1).map(|row| row.cells.clone()).collect();
            lines.sort_unstable();
            lines
        };
        self.rows.len() > 3 && lines(self) == lines(other)
    }

    /// Whether both are of one tournament: one title, and most of the people.
    fn goes_with(&self, other: &Sheet) -> bool {
        let both = self.players.intersection(&other.players).count();
        let fewer = self.players.len().min(other.players.len());
        let key = |sheet: &Sheet| sheet.title.as_deref().map(folded);
        key(self) == key(other) && both * 2 > fewer
    }
}

/// A file as a sheet of one round; none where it is another file, or does not say which round it is. Players are known
/// from the other rounds.
fn sheet(name: &str, bytes: &[u8], known: &BTreeSet<String>) -> Option<Sheet> {
    let file = File::new(name, bytes);
    if bytes.len() > limits::FILE_BYTES || own_kind(bytes).is_some() {
        return None;
    }
    let format = ALL.iter().find(|format| format.detect(&file))?;
    if format.name() != "csv" {
        return None;
    }
    let source = crate::read(name, bytes).ok()?;
    let [phase] = &source.phases[..] else { return None };
    if phase.rounds.len() != 1 {
        return None;
    }
    let (mut grids, _) = super::grids_among(&file, known).ok()?;
    let all = grids.first()?.rows.clone();
    let (mut header, mut oddities) = (Header::default(), Oddities::default());
    for grid in &mut grids {
        above::lines_above(grid, &mut header, &mut oddities).ok()?;
    }
    let about = all[..all.len() - grids.first()?.rows.len()].to_vec();
    grids.retain(|grid| !grid.rows.is_empty());
    if own::find(&grids).is_some() {
        return None;
    }
    let grids = tables::apart(grids, None);
    let found = tables::choose(&grids, None, &mut header).ok()??;
    let Choice { found: Found::Matches(tables), beside, unread } = found else { return None };
    let [table] = &tables[..] else { return None };
    let has_own_rounds =
        table.columns.has(Role::Round) || table.has_round() && table.round.is_none();
    if has_own_rounds || !beside.is_empty() || !unread.is_empty() {
        return None;
    }
    let of_name = numbered(&stem(name));
    let round = table.round.or(of_name.as_ref().map(|(_, round)| *round))?;
    let of_name = of_name.map(|(title, _)| title).filter(|title| !title.is_empty());
    let at = table.columns.header.unwrap_or(0);
    let (columns, rows) = (&table.columns, table.grid.rows[at..].to_vec());
    let is_blank = |row: &Row| {
        columns.get(row, Role::Result).is_empty()
            && !names::is_nobody(columns.get(row, Role::PlayerB))
    };
    let has_result = columns.has(Role::Result) && !columns.first_wins;
    let without_result =
        rows.iter().skip(1).position(is_blank).map(|at| at + 1).filter(|_| has_result);
    let is_text = !bytes.starts_with(b"PK") && !bytes.starts_with(b"\xd0\xcf\x11\xe0");
    let end = bytes.iter().rev().find(|byte| **byte != 0);
    Some(Sheet {
        name: name.to_owned(),
        of_workbook: table.grid.sheet.clone(),
        ends_within_line: is_text && !matches!(end, Some(b'\n' | b'\r')),
        title: header.title.or(of_name),
        round,
        is_named: table.round.is_some() && table.grid.sheet.is_none(),
        about,
        above: table.grid.rows[..at].to_vec(),
        rows,
        without_result,
        players: source.players.iter().map(|player| folded(&player.name)).collect(),
    })
}

/// What a file's name says without the round at its end, and that round: `runde1`, `Spring Cup - Round 2`,
/// `friday_3`. A year or a day at the end is none.
fn numbered(stem: &str) -> Option<(String, u16)> {
    let stem = stem.replace('_', " ");
    let stem = stem.trim();
    if let Some(round) = names::round_alone(stem) {
        return Some((String::new(), round));
    }
    if let Some((title, round)) = above::apart(stem) {
        return Some((title.to_owned(), round));
    }
    let before = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    let round = stem[before.len()..].parse().ok().filter(|round| (1..100).contains(round))?;
    let title = before.trim_end_matches(|c: char| c.is_whitespace() || "-.,#(".contains(c));
    if !title.ends_with(char::is_alphabetic) {
        return None;
    }
    // `runde1` is a round of nothing that has a name.
    let is_round = names::round(&format!("{title} {round}"), false) == Some(round);
    Some((if is_round { String::new() } else { title.to_owned() }, round))
}
