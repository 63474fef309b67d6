//! Rounds that stand in files of their own, such as `round1.csv` and `round2.csv`: put together into one sheet.

use super::grid::Row;
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
    players: BTreeSet<String>,
}

/// Which files are rounds of one tournament, each group as places in the list: sheets of one round each, under
/// one title, which name another round each, in a line or by their names, and in which the same people play. A
/// group in which a round stands twice is refused by [`join_rounds`].
pub fn rounds_of_one(files: &[(&str, &[u8])]) -> Vec<Vec<usize>> {
    let sheets: Vec<(usize, Sheet)> = files
        .iter()
        .enumerate()
        .filter_map(|(at, (name, bytes))| Some((at, sheet(name, bytes)?)))
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
    groups.iter().map(|group| group.iter().map(|(at, _)| *at).collect()).collect()
}

/// Puts the rounds of a tournament together into one sheet, which [`crate::read`] reads. The same files give the
/// same bytes, in whatever order they come.
///
/// # Errors
/// Where a file is no sheet of one round, or two are of the same one.
pub fn join_rounds(files: &[(&str, &[u8])]) -> Result<Joined, ImportError> {
    let mut files = files.to_vec();
    // The same sheet under another name is no other one.
    files.sort_unstable_by_key(|(name, bytes)| (*bytes, *name));
    files.dedup_by_key(|(_, bytes)| *bytes);
    files.sort_unstable();
    let mut rounds: BTreeMap<u16, (&str, Sheet)> = BTreeMap::new();
    for (name, bytes) in files {
        let Some(sheet) = sheet(name, bytes) else {
            let what =
                "a sheet of one round, with the round in a line or in the file's name,".to_owned();
            return Err(ImportError::from(Fault::Missing { what }).in_file(name));
        };
        if let Some((other, _)) = rounds.get(&sheet.round) {
            let (what, found) = (names::round_name(sheet.round), "a second sheet of it".to_owned());
            let expected = format!("one file for each round: leave out this one or {other}");
            return Err(ImportError::from(Fault::BadValue { what, found, expected }).in_file(name));
        }
        rounds.insert(sheet.round, (name, sheet));
    }
    let sheets: Vec<Sheet> = rounds.into_values().map(|(_, sheet)| sheet).collect();
    let title = sheets.iter().find_map(|sheet| sheet.title.clone());
    Ok(Joined { title, bytes: text(&sheets).into_bytes() })
}

/// All rounds below each other, a line with its name above each of them.
fn text(sheets: &[Sheet]) -> String {
    let mut text = String::new();
    let mut line = |cells: &[String]| {
        let quoted = |cell: &String| match cell.contains([',', '"', ';', '\t', '|']) {
            true => format!("\"{}\"", cell.replace('"', "\"\"")),
            false => cell.clone(),
        };
        text.push_str(&cells.iter().map(quoted).collect::<Vec<_>>().join(","));
        text.push('\n');
    };
    for (at, sheet) in sheets.iter().enumerate() {
        if at == 0 {
            sheet.about.iter().for_each(|row| line(&[row.cells.join(", ")]));
            let is_said = !sheet.above.is_empty()
                || sheet.about.iter().any(|row| row.get(0).contains("event"));
            if let Some(title) = sheet.title.clone().filter(|_| !is_said) {
                line(&[title]);
            }
            sheet.above.iter().for_each(|row| line(&row.cells));
        } else {
            line(&[]);
        }
        if at > 0 || !sheet.is_named {
            line(&[names::round_name(sheet.round)]);
        }
        sheet.rows.iter().for_each(|row| line(&row.cells));
    }
    text
}

impl Sheet {
    /// Whether both are of one tournament: one title, and most of the people.
    fn goes_with(&self, other: &Sheet) -> bool {
        let both = self.players.intersection(&other.players).count();
        let fewer = self.players.len().min(other.players.len());
        let key = |sheet: &Sheet| sheet.title.as_deref().map(folded);
        key(self) == key(other) && both * 2 > fewer
    }
}

/// A file as a sheet of one round; none where it is another file, or does not say which round it is.
fn sheet(name: &str, bytes: &[u8]) -> Option<Sheet> {
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
    let (mut grids, _) = super::grids(&file).ok()?;
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
    let grids = tables::apart(grids, false);
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
    Some(Sheet {
        title: header.title.or(of_name),
        round,
        is_named: table.round.is_some() && table.grid.sheet.is_none(),
        about,
        above: table.grid.rows[..at].to_vec(),
        rows: table.grid.rows[at..].to_vec(),
        players: source.players.iter().map(|player| folded(&player.name)).collect(),
    })
}

/// What a file's name says without the round at its end, and that round: `runde1`, `Spring Cup - Round 2`,
/// `friday_3`. A year or a day at the end is none.
fn numbered(stem: &str) -> Option<(String, u16)> {
    let stem = stem.replace('_', " ");
    let stem = stem.trim();
    if let Some(round) = names::round(stem, false) {
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
