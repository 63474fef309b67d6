//! Sheets by table: one line a table, cut here.

use super::super::divided::Divided;
use super::fit::{Room, even, fit, heights};
use crate::language::Language;
use scrutineer_desk::answers::RoundTable;

/// How many lines a sheet has.
const LINES: usize = 32;
/// The room of the players of a table, two of them and more.
const TWO: Room = Room { wide: 104.0, high: 6.5, most: 12.5, bold: false };
const MORE: Room = Room { wide: 104.0, high: 13.2, most: 11.0, bold: false };
/// The room of a division; the players have as much less.
const DIVISION: Room = Room { wide: 22.0, high: 6.5, most: 11.0, bold: false };

/// A sheet by table.
pub struct RowSheet {
    /// From which table to which.
    pub span: String,
    /// Its lines.
    pub rows: Vec<TableRow>,
}

/// The line of a table, or of somebody who has none.
pub struct TableRow {
    /// Its number; empty where it is none.
    pub table: String,
    /// Who sits there, and the points of each.
    pub players: Vec<(String, String)>,
    /// What is written there already.
    pub result: String,
    /// The division of its players, where there are divisions.
    pub division: String,
    /// The class of the size of its players.
    pub size: &'static str,
    /// The class of the size of the division.
    pub division_size: &'static str,
    /// How many lines it is high.
    pub lines: usize,
}

impl TableRow {
    fn of(
        table: String,
        players: Vec<(String, String)>,
        result: String,
        division: Option<String>,
    ) -> TableRow {
        let names: Vec<&str> = players.iter().map(|(name, _)| &name[..]).collect();
        let names = names.join(" – ");
        let less = if division.is_some() { DIVISION.wide + 2.0 } else { 0.0 };
        let [two, more] = [TWO, MORE].map(|room| Room { wide: room.wide - less, ..room });
        let division = division.unwrap_or_default();
        let needed = heights(&names, two).max(heights(&division, DIVISION));
        let lines = needed.max(if players.len() > 2 { 2 } else { 1 });
        let size = fit(&names, if lines > 1 { more } else { two });
        let division_size = fit(&division, DIVISION);
        TableRow { table, players, result, division, size, division_size, lines }
    }
}

/// The lines of tables, each with its division where there are any.
pub fn rows(
    tables: &[RoundTable],
    divided: &Divided<'_>,
    is_chess: bool,
    language: Language,
) -> Vec<TableRow> {
    let row = |table: &RoundTable| {
        let seats = table.players.iter();
        let players = seats.map(|seat| (seat.player.name.clone(), seat.points.clone())).collect();
        let result = table.result.as_deref();
        let result =
            result.map_or(String::new(), |slip| super::super::said_slip(slip, is_chess, language));
        let division = divided.of_table(table.players.iter().map(|seat| seat.player.number));
        TableRow::of(super::super::shown_table(table.table), players, result, division)
    };
    tables.iter().map(row).collect()
}

/// The line of somebody who has no table.
pub fn bye(name: String, kind: &str, division: Option<String>, language: Language) -> TableRow {
    let kind = language.word("bye", kind);
    TableRow::of(String::new(), vec![(name, String::new())], kind, division)
}

/// The line of a player by their starting number, whose federation stands where points do, and whose rating where
/// a result does.
pub fn starter(
    number: u32,
    player: (String, String),
    rating: Option<String>,
    division: Option<String>,
) -> TableRow {
    TableRow::of(number.to_string(), vec![player], rating.unwrap_or_default(), division)
}

/// A line for each player of these, by name: before there is a table, whoever looks through decks asks for
/// them so.
pub fn of_players(players: Vec<(u32, String)>, divided: &Divided<'_>) -> Vec<TableRow> {
    let mut players = players;
    players.sort_by_cached_key(|(number, name)| (scrutineer_engine::names::listed(name), *number));
    let row = |(number, name): (u32, String)| {
        let division = divided.of_table(std::iter::once(number));
        TableRow::of(number.to_string(), vec![(name, String::new())], String::new(), division)
    };
    players.into_iter().map(row).collect()
}

/// A line for each player of these, for whoever looks through decks.
pub fn one_each(rows: Vec<TableRow>) -> Vec<TableRow> {
    let of_row = |row: TableRow| {
        let (table, division) = (row.table, Some(row.division).filter(|name| !name.is_empty()));
        let own = move |player| {
            TableRow::of(table.clone(), vec![player], String::new(), division.clone())
        };
        row.players.into_iter().map(own).collect::<Vec<_>>()
    };
    rows.into_iter().flat_map(of_row).collect()
}

/// Sheets of players, which say from which name to which they go.
pub fn spanned_by_name(mut sheets: Vec<RowSheet>) -> Vec<RowSheet> {
    for sheet in &mut sheets {
        let name = |row: Option<&TableRow>| {
            let name = row.and_then(|row| row.players.first()).map_or("", |(name, _)| &name[..]);
            super::super::set_apart(name.chars().take(3).collect())
        };
        let (first, last) = (name(sheet.rows.first()), name(sheet.rows.last()));
        sheet.span = if first == last { first } else { format!("{first} – {last}") };
    }
    sheets
}

/// Lines cut into sheets.
pub fn sheets(rows: Vec<TableRow>) -> Vec<RowSheet> {
    let mut sheets: Vec<RowSheet> = Vec::new();
    let mut used = LINES;
    for row in rows {
        let high = row.lines;
        if used + high > LINES {
            sheets.push(RowSheet { span: String::new(), rows: Vec::new() });
            used = 0;
        }
        used += high;
        if let Some(sheet) = sheets.last_mut() {
            sheet.rows.push(row);
        }
    }
    for sheet in &mut sheets {
        even(sheet.rows.iter_mut().map(|row| &mut row.size));
        let mut numbers = sheet.rows.iter().filter(|row| !row.table.is_empty());
        let first = numbers.next().map(|row| row.table.clone()).unwrap_or_default();
        let last = numbers.next_back().map_or(first.clone(), |row| row.table.clone());
        sheet.span = if first == last { first } else { format!("{first} – {last}") };
    }
    sheets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_stands_once_and_a_sheet_holds_as_many_lines_as_it_is_high() {
        let row = |at: u32| {
            let players = vec![
                ("Ann".to_string(), "0".to_string());
                if at.is_multiple_of(3) { 4 } else { 2 }
            ];
            TableRow::of(at.to_string(), players, String::new(), None)
        };
        let sheets = sheets((1..=100).map(row).collect());
        let lines = |sheet: &RowSheet| sheet.rows.iter().map(|row| row.lines).sum::<usize>();
        assert!(sheets.iter().all(|sheet| lines(sheet) <= LINES));
        let tables = sheets.iter().flat_map(|sheet| &sheet.rows).map(|row| row.table.clone());
        assert!(tables.eq((1..=100).map(|at| at.to_string())));
        assert_eq!(sheets.len(), 5, "133 lines");
        assert!(sheets[0].span.starts_with("1 – "));
    }

    #[test]
    fn names_that_fill_two_lines_at_the_smallest_size_get_them() {
        let players = vec![("W".repeat(120), "0".to_string()); 2];
        let row = TableRow::of("1".into(), players, String::new(), Some("junior".into()));
        assert!(row.lines > 2 && row.size == "f7", "{} {}", row.lines, row.size);
        assert_eq!(row.division_size, "f11");
    }
}
