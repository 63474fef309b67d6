//! Sheets by name: three columns, cut here, so that no browser breaks them.

use super::fit::{Room, even, fit, heights};
use crate::language::Language;
use scrutineer_desk::names::Names;
use scrutineer_desk::orders::Sheet;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::RoundNumber;
use scrutineer_engine::names::listed;
use scrutineer_replay::loaded::LoadedTournament;

/// How many columns a sheet by name has, and how many lines a column.
pub const COLUMNS: usize = 3;
pub const LINES: usize = 35;
/// From so many names on, letters stand between them.
const MANY: usize = 60;
/// The fewest lines for which a further column is begun.
const FEWEST: usize = 12;
/// The room of a name on paper, and that where a column has no more lines than half a sheet.
const ROOM: Room = Room { wide: 43.0, high: 6.0, most: 14.0, bold: false };
const LARGE: Room = Room { wide: 36.0, high: 12.0, most: 18.0, bold: false };
/// How wide that of large letters is where a sheet has one column or two: beside long names the others stay large.
const ALONE: f32 = 88.0;
const OF_TWO: f32 = 63.0;
/// How many lines a column has at most whose lines are twice as high.
const HALF: usize = LINES / 2;

/// A sheet by name: what it holds, and its columns.
pub struct NameSheet {
    /// From which name to which.
    pub span: String,
    /// Its columns.
    pub columns: Vec<Vec<NameLine>>,
    /// Whether there is room for large letters.
    pub is_large: bool,
}

/// A line of a sheet by name; a letter alone begins a part.
#[derive(Clone)]
pub struct NameLine {
    /// The name, or the letter.
    pub name: String,
    /// The table; empty where the line is a letter.
    pub table: String,
    /// Who is met there.
    pub against: String,
    /// Whether it is only a letter.
    pub is_letter: bool,
    /// Whether the name is long, and set smaller on a screen.
    pub is_long: bool,
    /// The class of its size on paper.
    pub size: &'static str,
    /// How many lines it is high on paper.
    pub lines: usize,
}

/// By name, with a letter where a new one begins. Names are sorted as they are written, a letter with
/// a mark beside the same without.
pub fn by_name(mut rows: Vec<(String, String, String)>) -> Vec<NameLine> {
    rows.sort_by_cached_key(|(name, ..)| (listed(name), name.clone()));
    // Letters help to find a name among many; among few they only take room.
    let with_letters = rows.len() >= MANY;
    let mut lines = Vec::new();
    let mut letter = String::new();
    for (name, table, against) in rows {
        let first: String = listed(&name).chars().take(1).flat_map(char::to_uppercase).collect();
        if with_letters && first != letter {
            letter.clone_from(&first);
            lines.push(NameLine {
                name: first,
                table: String::new(),
                against: String::new(),
                is_letter: true,
                is_long: false,
                size: "",
                lines: 1,
            });
        }
        let is_long = name.chars().count() > 22;
        let (size, high) = (fit(&name, ROOM), heights(&name, ROOM));
        let is_letter = false;
        lines.push(NameLine { name, table, against, is_letter, is_long, size, lines: high });
    }
    lines
}

/// Lines cut into columns of at most so many; few are spread over all columns of a page. No letter
/// stands alone at the foot of one.
pub fn columns(lines: &[NameLine], high: usize) -> Vec<Vec<NameLine>> {
    cut(lines, high.min(height(lines).div_ceil(COLUMNS).max(FEWEST)))
}

/// How high lines are below each other.
fn height(lines: &[NameLine]) -> usize {
    lines.iter().map(|line| line.lines).sum()
}

/// Lines cut into columns of so many; no letter stands alone at the foot of one.
pub fn cut(lines: &[NameLine], high: usize) -> Vec<Vec<NameLine>> {
    let mut columns: Vec<Vec<NameLine>> = Vec::new();
    for line in lines {
        let is_full = columns.last().is_none_or(|column| {
            let used = height(column);
            used + line.lines > high || (line.is_letter && used + 1 >= high)
        });
        if is_full {
            columns.push(Vec::new());
        }
        if let Some(column) = columns.last_mut() {
            column.push(line.clone());
        }
    }
    columns
}

/// The first and the last name of some columns, as far as they need to be told.
pub fn span(columns: &[Vec<NameLine>]) -> String {
    let mut names = columns.iter().flatten().filter(|line| !line.is_letter);
    let short = |line: &NameLine| super::super::set_apart(line.name.chars().take(3).collect());
    let first = names.next().map(short).unwrap_or_default();
    let last = names.next_back().map_or(first.clone(), short);
    format!("{first} – {last}")
}

/// Everybody who sits in a round: name, table, whom they meet.
///
/// # Errors
/// Where the rules cannot be read.
pub fn seated(
    event: &LoadedTournament,
    round: RoundNumber,
    language: Language,
) -> Result<Vec<(String, String, String)>, VerbError> {
    let rules = super::super::rules_of(event, None)?;
    let names = Names::of(&event.state, &event.book);
    let (tables, byes) = Sheet::of(&event.state, &rules, round).answered(&names);
    let mut rows = Vec::new();
    for row in &tables {
        for seat in &row.players {
            let others = row.players.iter().filter(|other| other.player != seat.player);
            let others: Vec<&str> = others.map(|other| &other.player.name[..]).collect();
            let table = super::super::shown_table(row.table);
            let color = rules.first_seat.as_ref().filter(|_| row.players.len() == 2).map(|_| {
                let is_white = row.players[0].player == seat.player;
                language.t(if is_white { "color-white" } else { "color-black" })
            });
            let table = color.map_or(table.clone(), |color| format!("{table} {color}"));
            rows.push((seat.player.name.clone(), table, others.join(", ")));
        }
    }
    let bye = language.t("bye");
    rows.extend(byes.into_iter().map(|one| (one.player.name, bye.clone(), bye.clone())));
    Ok(rows)
}

/// Lines cut into sheets.
pub fn sheets(lines: &[NameLine]) -> Vec<NameSheet> {
    let mut columns = columns(lines, LINES);
    // Where all have room on one sheet with lines twice as high, they are read from farther away.
    let is_large = columns.len() <= COLUMNS && columns.iter().all(|column| height(column) <= HALF);
    let wide = match columns.len() {
        1 => ALONE,
        2 => OF_TWO,
        _ => LARGE.wide,
    };
    for line in columns.iter_mut().flatten().filter(|line| is_large && !line.is_letter) {
        line.size = fit(&line.name, Room { wide, ..LARGE });
    }
    for sheet in columns.chunks_mut(COLUMNS) {
        even(sheet.iter_mut().flatten().map(|line| &mut line.size));
    }
    let sheets = columns.chunks(COLUMNS);
    let sheet = |columns: &[Vec<NameLine>]| NameSheet {
        span: span(columns),
        columns: columns.to_vec(),
        is_large,
    };
    sheets.map(sheet).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_stands_once_on_the_sheet_by_name_and_no_letter_ends_a_column() {
        let row = |at: usize| {
            (format!("{}name {at}", (b'A' + (at % 26) as u8) as char), "1".into(), String::new())
        };
        let lines = by_name((0..300).map(row).collect());
        let columns = columns(&lines, LINES);
        let names = columns.iter().flatten().filter(|line| !line.is_letter).count();
        assert_eq!(names, 300);
        assert!(columns.iter().all(|column| column.len() <= LINES));
        assert!(columns.iter().all(|column| !column.last().is_some_and(|line| line.is_letter)));
    }

    #[test]
    fn few_names_are_set_in_large_letters_and_many_are_not() {
        let row = |at: usize| (format!("Name {at}"), "1".into(), String::new());
        let sheets = |count: usize| sheets(&by_name((0..count).map(row).collect()));
        let few = sheets(40);
        assert!(few.len() == 1 && few[0].is_large && few[0].columns[0][0].size == "f18");
        assert!(sheets(51)[0].is_large && !sheets(52)[0].is_large && !sheets(300)[0].is_large);
    }

    /// Two long names among ten set all ten in 8 points, in a third of a sheet that was empty beside them.
    #[test]
    fn two_long_names_leave_a_small_sheet_large() {
        let long = [
            "Maximilian-Alexander von Hohenstein-Wittgenstein",
            "Wilhelmina Featherstonehaugh-Cholmondeley",
        ];
        let names = (0..8).map(|at| format!("Name {at}")).chain(long.map(str::to_string));
        let row = |name: String| (name, "1".to_string(), String::new());
        let sheets = sheets(&by_name(names.map(row).collect()));
        assert_eq!((sheets.len(), sheets[0].columns.len()), (1, 1));
        let sizes: Vec<&str> = sheets[0].columns[0].iter().map(|line| line.size).collect();
        assert_eq!(sizes, ["f14"; 10]);
    }

    #[test]
    fn a_name_that_fills_more_than_a_line_at_the_smallest_size_takes_them() {
        let long = "W".repeat(60);
        let row = |at: usize| (format!("{long}{at}"), "1".into(), String::new());
        let lines = by_name((0..70).map(row).collect());
        assert!(lines.iter().filter(|line| !line.is_letter).all(|line| line.lines > 1));
        assert!(columns(&lines, LINES).iter().all(|column| height(column) <= LINES));
    }

    #[test]
    fn a_letter_with_a_mark_stands_beside_the_same_without() {
        let row = |name: &&str| (name.to_string(), String::new(), String::new());
        let names = ["Zoe", "Åkesson", "Adams", "İpek", "Ivo", "Šimek", "Sato", "مريم"];
        let sorted = by_name(names.iter().map(row).collect());
        let sorted: Vec<&str> = sorted.iter().map(|line| &line.name[..]).collect();
        let right = ["Adams", "Åkesson", "İpek", "Ivo", "Sato", "Šimek", "Zoe", "مريم"];
        assert_eq!(sorted, right);
    }
}
