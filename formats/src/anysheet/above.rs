//! What stands above the columns of a sheet: `# key: value`, a title, a day, a round.

use super::columns::Columns;
use super::grid::{Grid, Row};
use super::names;
use crate::ImportError;
use crate::build::{Oddities, clean_name};
use crate::csv::Header;

/// Takes the lines `# key: value` off a sheet.
pub(super) fn lines_above(
    grid: &mut Grid,
    header: &mut Header,
    oddities: &mut Oddities,
) -> Result<(), ImportError> {
    let is_line =
        |row: &Row| row.get(0).len() > 1 && row.get(0).starts_with('#') && row.get(0).contains(':');
    let count = grid.rows.iter().take_while(|row| is_line(row)).count();
    for row in &grid.rows[..count] {
        let line = row.cells.join(", ");
        header.line(&line, &grid.place(row), oddities)?;
    }
    grid.rows.drain(..count);
    Ok(())
}

/// The title and the day in the lines above the columns, and the round that one of them names.
pub(super) fn title(grid: &Grid, columns: &Columns, header: &mut Header) -> Option<u16> {
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
