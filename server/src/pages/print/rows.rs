//! Sheets by table: one line a table, cut here.

use super::fit::{Room, even, fit};
use crate::language::Language;
use scrutineer_desk::answers::RoundTable;

/// How many lines a sheet has.
const LINES: usize = 32;
/// The room of the players of a table, two of them and more.
const TWO: Room = Room { wide: 104.0, high: 6.5, most: 12.5, bold: false };
const MORE: Room = Room { wide: 104.0, high: 13.2, most: 11.0, bold: false };

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
    /// The class of the size of its players.
    pub size: &'static str,
    /// Whether it is two lines high.
    pub is_high: bool,
}

impl TableRow {
    fn of(table: String, players: Vec<(String, String)>, result: String) -> TableRow {
        let names: Vec<&str> = players.iter().map(|(name, _)| &name[..]).collect();
        let is_high = players.len() > 2;
        let size = fit(&names.join(" – "), if is_high { MORE } else { TWO });
        TableRow { table, players, result, size, is_high }
    }
}

/// The lines of tables; where `empty`, what is known of a result is left out.
pub fn rows(tables: &[RoundTable], language: Language) -> Vec<TableRow> {
    let row = |table: &RoundTable| {
        let seats = table.players.iter();
        let players = seats.map(|seat| (seat.player.name.clone(), seat.points.clone())).collect();
        let result = table.result.as_deref();
        let result = result.map_or(String::new(), |slip| super::super::said_score(slip, language));
        TableRow::of(table.table.to_string(), players, result)
    };
    tables.iter().map(row).collect()
}

/// The line of somebody who has no table.
pub fn bye(name: String, language: Language) -> TableRow {
    TableRow::of(String::new(), vec![(name, String::new())], language.t("bye"))
}

/// A line for each player of these, for whoever looks through decks.
pub fn one_each(rows: Vec<TableRow>) -> Vec<TableRow> {
    let of_row = |row: TableRow| {
        let table = row.table;
        let own = move |player| TableRow::of(table.clone(), vec![player], String::new());
        row.players.into_iter().map(own).collect::<Vec<_>>()
    };
    rows.into_iter().flat_map(of_row).collect()
}

/// Lines cut into sheets.
pub fn sheets(rows: Vec<TableRow>) -> Vec<RowSheet> {
    let mut sheets: Vec<RowSheet> = Vec::new();
    let mut used = LINES;
    for row in rows {
        let high = if row.is_high { 2 } else { 1 };
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
            TableRow::of(at.to_string(), players, String::new())
        };
        let sheets = sheets((1..=100).map(row).collect());
        let lines = |sheet: &RowSheet| {
            sheet.rows.iter().map(|row| if row.is_high { 2 } else { 1 }).sum::<usize>()
        };
        assert!(sheets.iter().all(|sheet| lines(sheet) <= LINES));
        let tables = sheets.iter().flat_map(|sheet| &sheet.rows).map(|row| row.table.clone());
        assert!(tables.eq((1..=100).map(|at| at.to_string())));
        assert_eq!(sheets.len(), 5, "133 lines");
        assert!(sheets[0].span.starts_with("1 – "));
    }
}
