//! The standings on paper: columns that fit, rows cut into sheets.

use super::super::standings::{Shown, Table};
use super::fit::{Room, even, fit, heights};
use super::prizes::Prizes;

/// How many lines a sheet has, the line of the cut among them.
const LINES: usize = 36;
/// How many it has, set lower, where all are on one sheet so: nobody turns a page for a few.
const DENSE: usize = 42;
/// How high the text of a line is, in millimeters: usually, and where lines are set lower.
const HIGH: f32 = 5.4;
const LOW: f32 = 4.6;
/// How many millimeters there are for rounds, values and words, and how many each takes.
const WIDE: f32 = 188.0 - 11.0 - 46.0 - 18.0;
const ROUND: f32 = 4.7;
const VALUE: f32 = 16.0;
const NARROW: f32 = 10.0;
const WORDS: f32 = 25.0;
/// The place in the division, or among all.
const OTHER: f32 = 22.0;

/// A sheet of the standings.
pub struct PlaceSheet<'a> {
    /// From which place to which.
    pub span: String,
    /// Its rows.
    pub rows: Vec<PlaceRow<'a>>,
    /// Whether its lines are lower than usual.
    pub is_dense: bool,
}

/// A row on paper.
pub struct PlaceRow<'a> {
    /// What stands there.
    pub row: &'a Shown,
    /// The class of the size of the name.
    pub size: &'static str,
    /// The class of the size of the words.
    pub words: &'static str,
    /// The range of places with a prize that begins here; empty: those behind them.
    pub prize: Option<String>,
}

/// Which columns there is room for.
pub struct Columns {
    /// One a round.
    pub rounds: bool,
    /// What tells a player from the one before.
    pub words: bool,
    /// How many columns there are in all.
    pub count: usize,
}

/// The columns that fit: place, name, record and values always; the course and the words where there
/// is room.
pub fn columns(table: &Table) -> Columns {
    let values = table.labels.len() as f32 * if table.labels.len() > 7 { NARROW } else { VALUE };
    let rounds = table.rounds.len() as f32 * ROUND;
    let other = if table.other_label.is_empty() { 0.0 } else { OTHER };
    let fits = |more: f32| other + values + more <= WIDE;
    let with_rounds = fits(rounds);
    let with_words = fits(WORDS + if with_rounds { rounds } else { 0.0 });
    let own = if with_rounds { table.rounds.len() } else { 0 };
    let count = 3 + usize::from(other > 0.0) + own + table.labels.len() + usize::from(with_words);
    Columns { rounds: with_rounds, words: with_words, count }
}

/// Rows cut into sheets.
pub fn sheets<'a>(table: &'a Table, prizes: &Prizes) -> Vec<PlaceSheet<'a>> {
    let mut sheets: Vec<PlaceSheet<'_>> = Vec::new();
    let mut range = None;
    let headed: Vec<(&Shown, Option<String>)> = table
        .rows
        .iter()
        .chain(&table.out)
        .map(|row| {
            let place = row.place.trim_start_matches('=').parse::<u32>().unwrap_or(0);
            let own = prizes.of(place);
            let now = Some(own.as_ref().map(|(at, _)| *at));
            let is_new = !prizes.is_empty() && now != range;
            range = now;
            let text = own.map_or_else(String::new, |(_, text)| text);
            (row, is_new.then_some(text))
        })
        .collect();
    let has_words = columns(table).words;
    // Who does not go on is told of in the column of words, or behind the name where there is none.
    let named = |row: &Shown| match has_words {
        true => row.player.name.clone(),
        false => format!("{} {}", row.player.name, row.passed).trim_end().to_string(),
    };
    let said = |row: &Shown| match has_words {
        true => format!("{} {}", row.decided, row.passed).trim_end().to_string(),
        false => String::new(),
    };
    let rooms = |high: f32| {
        let name = Room { wide: 44.5, high, most: 9.5, bold: true };
        [name, Room { wide: WORDS - 2.0, high, most: 8.0, bold: false }]
    };
    // The name of a round takes two lines in its column where it is long.
    let value = if table.labels.len() > 7 { NARROW } else { VALUE };
    let round = |row: &Shown, high: f32| {
        let name = table.named.and_then(|at| row.values.get(at));
        let room = Room { wide: value - 1.4, high, most: 7.0, bold: true };
        name.map_or(1, |(name, _)| heights(name, room))
    };
    let line = |(row, head): &(&Shown, Option<String>), high: f32| {
        let [name, words] = rooms(high);
        let own = heights(&named(row), name).max(heights(&said(row), words)).max(round(row, high));
        own + usize::from(row.is_last_in) + usize::from(head.is_some())
    };
    // Each sheet begins with what is postponed or disputed, and that another cut was made.
    let told = [&table.postponed, &table.another_cut].into_iter().filter(|one| !one.is_empty());
    let begun = told.chain(&table.disputed).count();
    let in_all = |high: f32| begun + headed.iter().map(|one| line(one, high)).sum::<usize>();
    let is_dense = in_all(HIGH) > LINES && in_all(LOW) <= DENSE;
    let (most, high_of_row) = if is_dense { (DENSE, LOW) } else { (LINES, HIGH) };
    let mut used = most;
    for one in headed {
        let high = line(&one, high_of_row);
        let (row, prize) = one;
        if used + high > most {
            sheets.push(PlaceSheet { span: String::new(), rows: Vec::new(), is_dense });
            used = begun;
        }
        used += high;
        let [name, words] = rooms(high_of_row);
        let (size, words) = (fit(&named(row), name), fit(&said(row), words));
        if let Some(sheet) = sheets.last_mut() {
            sheet.rows.push(PlaceRow { row, size, words, prize });
        }
    }
    for sheet in &mut sheets {
        even(sheet.rows.iter_mut().map(|row| &mut row.size));
        let place = |row: Option<&PlaceRow<'_>>| {
            row.map(|row| row.row.place.trim_start_matches('=').to_string()).unwrap_or_default()
        };
        let mut placed = sheet.rows.iter().filter(|row| row.row.place != "–");
        let first = place(placed.next());
        let last = placed.next_back().map_or(first.clone(), |row| place(Some(row)));
        sheet.span = if first == last { first } else { format!("{first} – {last}") };
    }
    sheets
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rounds: u16, labels: usize) -> Table {
        Table {
            another_cut: String::new(),
            head: String::new(),
            postponed: String::new(),
            disputed: Vec::new(),
            not_now: Vec::new(),
            rounds: (1..=rounds).collect(),
            labels: vec!["OMW%".into(); labels],
            main: 0,
            named: None,
            rows: Vec::new(),
            out: Vec::new(),
            is_final: false,
            is_over: false,
            rules: String::new(),
            division: String::new(),
            other_label: String::new(),
            signs: String::new(),
        }
    }

    #[test]
    fn values_always_have_room_and_rounds_and_words_where_it_is_left() {
        let fit = |rounds, labels| {
            let fit = columns(&table(rounds, labels));
            (fit.rounds, fit.words)
        };
        assert_eq!(fit(5, 4), (true, true));
        assert_eq!(fit(9, 4), (true, false));
        assert_eq!(fit(15, 4), (false, true));
        assert_eq!(fit(15, 7), (false, false));
    }
}
