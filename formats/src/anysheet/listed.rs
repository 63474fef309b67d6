//! A sheet with a row for each player: a roster, or standings without a round.

use super::columns::Columns;
use super::grid::{Grid, Row};
use super::names::{self, Role};
use crate::build::{Oddities, Players, clean_name};
use crate::error::shortened;
use crate::source::*;
use crate::{Fault, ImportError};

/// Players, and what is said of each.
pub(super) struct Listed {
    pub players: Players,
    pub published: Vec<PublishedRow>,
    pub places: Vec<SourcePlace>,
    /// Ratings that could not be read.
    pub ratings: Vec<Oddity>,
}

/// Reads the rows below the columns' names.
pub(super) fn read(
    grid: &Grid,
    columns: &Columns,
    oddities: &mut Oddities,
) -> Result<Listed, ImportError> {
    let mut listed = Listed {
        players: Players::typed(),
        published: Vec::new(),
        places: Vec::new(),
        ratings: Vec::new(),
    };
    let (mut rows, mut ranks, mut ratings) = (Vec::new(), Vec::new(), Oddities::default());
    let (are_wide, mut has_groups) = (are_wide(grid, columns), false);
    for row in grid.rows.iter().skip(columns.header.map_or(0, |at| at + 1)) {
        let name = name(columns, row);
        let place = grid.place(row);
        let cells = row.filled().count();
        let first = row.filled().next().map_or("", |(_, cell)| cell);
        let is_alone = cells == 1
            && columns.names.len() > 1
            && (first.contains(':')
                || columns.header.is_some() && name.is_empty()
                || are_wide && (names::is_note(first) || names::is_group(first)));
        if columns.is_header(row) {
            continue;
        }
        if is_alone && names::is_group(first) {
            let group = shortened(first);
            oddities.add(&place, format!("{group:?} is read as no ranking of its own: {GROUPS}"));
            has_groups = true;
            continue;
        }
        if is_alone || names::is_total(first) || names::is_total(&name) {
            oddities.add(&place, format!("{:?} is read as no player.", shortened(first)));
            continue;
        }
        if name.is_empty() {
            return Err(Fault::Missing { what: "the name of a player".into() }.at(place));
        }
        add(&mut listed.players, grid, columns, row, &mut ratings)?;
        ranks.push(rank(grid, columns, row, ranks.last().copied())?);
        rows.push(row);
    }
    if rows.is_empty() {
        return Err(Fault::Missing { what: "every player".into() }.into());
    }
    listed.ratings = ratings.finish();
    let begins = again(&ranks).filter(|_| columns.has(Role::Rank) && !has_groups);
    if let Some(row) = begins.and_then(|at| rows.get(at)) {
        oddities.add(&grid.place(row), format!("Places begin with 1 again here: {GROUPS}"));
    }
    if columns.has(Role::Points) {
        listed.published = published(grid, columns, &rows, &ranks, oddities)?;
    }
    if listed.published.is_empty() && columns.has(Role::Rank) && ranks.iter().all(Option::is_some) {
        let ranks = ranks.iter().flatten().enumerate();
        listed.places =
            ranks.map(|(player, place)| SourcePlace { player, place: *place }).collect();
    }
    Ok(listed)
}

/// What is told of tables of groups.
const GROUPS: &str = "all groups of this file are put together, with one ranking. To keep them apart, write each into \
                      a file of its own.";

/// Whether every row below the names of columns has several cells, but for notes: then one of a single cell is none of
/// a player.
fn are_wide(grid: &Grid, columns: &Columns) -> bool {
    let Some(head) = columns.header else { return false };
    let mut rows = grid.rows.iter().skip(head + 1);
    rows.all(|row| {
        let mut cells = row.filled();
        let first = cells.next().map_or("", |(_, cell)| cell);
        cells.next().is_some()
            || first.contains(':')
            || names::is_note(first)
            || columns.is_header(row)
            || names::is_group(first)
    })
}

/// The row with which places begin again, as those of a second group: 1, and behind it at least one more that follows.
fn again(ranks: &[Option<u32>]) -> Option<usize> {
    let all: Vec<u32> = ranks.iter().copied().collect::<Option<_>>()?;
    let falls: Vec<usize> = (1..all.len()).filter(|at| all[*at] < all[at - 1]).collect();
    let begins = |at: &usize| all[*at] == 1 && all.get(at + 1).is_some_and(|next| *next < 3);
    let first = *falls.first()?;
    (all[0] == 1 && falls.iter().all(begins)).then_some(first)
}

/// Adds the player of a row, with what is said of them.
pub(super) fn add(
    players: &mut Players,
    grid: &Grid,
    columns: &Columns,
    row: &Row,
    oddities: &mut Oddities,
) -> Result<(), ImportError> {
    let (name, place) = (name(columns, row), grid.place(row));
    if players.known(&name).is_some() {
        let (player, round) = (shortened(&name), "the list of players".to_owned());
        return Err(Fault::TwiceInRound { player, round, other: "above".into() }.at(place));
    }
    let player = players.add(&name, &name, &place)?;
    facts(&mut players.list[player], grid, columns, row, oddities)
}

/// The name of a row's player.
pub(super) fn name(columns: &Columns, row: &Row) -> String {
    let get = |role| columns.get(row, role);
    // A name beside a first name is the last one, and the other way round.
    let parts = [get(Role::FirstName), get(Role::Name), get(Role::LastName)];
    parts.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join(" ")
}

fn bad(grid: &Grid, columns: &Columns, row: &Row, role: Role, expected: &str) -> ImportError {
    let what = columns.at(role).map_or(String::new(), |at| columns.label(at));
    let found = shortened(columns.get(row, role));
    Fault::BadValue { what, found, expected: expected.to_owned() }.at(grid.place(row))
}

fn facts(
    player: &mut SourcePlayer,
    grid: &Grid,
    columns: &Columns,
    row: &Row,
    oddities: &mut Oddities,
) -> Result<(), ImportError> {
    let text = |what: &str, role| match columns.get(row, role) {
        "" | "-" => Ok(None),
        text => clean_name(what, text).map(Some).map_err(|fault| fault.at(grid.place(row))),
    };
    player.publisher_id = text("the id", Role::Id)?.filter(|id| id != "0");
    player.division = text("the division", Role::Division)?;
    player.title = text("the title", Role::Title)?;
    let is_code = |word: &String| word.len() == 3 && word.bytes().all(|b| b.is_ascii_uppercase());
    let country = text("the country", Role::Country)?.filter(is_code);
    player.federation = text("the federation", Role::Federation)?.or(country);
    let cell = columns.get(row, Role::Rating);
    match rating(cell) {
        Some(rating) => player.rating = Some(rating).filter(|rating| *rating > 0),
        // Somebody without a rating has a mark there.
        None if !cell.chars().any(char::is_alphanumeric) => {}
        None => {
            let (found, name) = (shortened(cell), shortened(&player.name));
            let sentence = format!(
                "The rating {found:?} of {name:?} is no whole number; it is left out: write it such as 1955."
            );
            oddities.add(&grid.place(row), sentence);
        }
    }
    let number = columns.get(row, Role::Number);
    player.sign_up = number.trim_end_matches('.').parse().ok().filter(|number| *number > 0);
    Ok(())
}

/// A rating: digits, with a comma or a point where thousands end.
fn rating(cell: &str) -> Option<i32> {
    let (thousands, rest) = cell.split_once([',', '.']).unwrap_or(("", cell));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let is_parted = is_number(thousands) && thousands.len() <= 2 && rest.len() == 3;
    let is_plain = thousands.is_empty() && rest.len() == cell.len();
    if !is_number(rest) || !is_parted && !is_plain {
        return None;
    }
    format!("{thousands}{rest}").parse().ok()
}

/// The rank of a row; the one above where its cell is empty, as of players who share it.
fn rank(
    grid: &Grid,
    columns: &Columns,
    row: &Row,
    above: Option<Option<u32>>,
) -> Result<Option<u32>, ImportError> {
    let cell = columns.get(row, Role::Rank);
    if cell.is_empty() || cell == "-" {
        return Ok(above.flatten().filter(|_| columns.has(Role::Rank)));
    }
    let start = cell.trim_start_matches(['=', 'T', 't', '#', ' ']);
    let digits: String = start.chars().take_while(char::is_ascii_digit).collect();
    match digits.parse() {
        Ok(rank) if rank > 0 => Ok(Some(rank)),
        _ => Err(bad(grid, columns, row, Role::Rank, "a rank such as 3")),
    }
}

/// What is read to be compared with what the rounds give, and not kept.
pub(super) const COMPARED: [Role; 8] =
    [Role::Wins, Role::Losses, Role::Draws, Role::Omw, Role::Gw, Role::Ogw, Role::Sos, Role::Esos];

const MEASURES: [(Role, PublishedMeasure); 5] = [
    (Role::Omw, PublishedMeasure::Omw),
    (Role::Gw, PublishedMeasure::Gw),
    (Role::Ogw, PublishedMeasure::Ogw),
    (Role::Sos, PublishedMeasure::Sos),
    (Role::Esos, PublishedMeasure::Esos),
];

fn published(
    grid: &Grid,
    columns: &Columns,
    rows: &[&Row],
    ranks: &[Option<u32>],
    oddities: &mut Oddities,
) -> Result<Vec<PublishedRow>, ImportError> {
    let (mut points, mut is_first) = (Vec::new(), true);
    for row in rows {
        let cell = columns.get(row, Role::Points);
        let (cell, lost) = match cell.split_once(':') {
            Some((won, lost)) => (won.trim(), Some(lost)),
            None => (cell, None),
        };
        if let Some(lost) = lost.filter(|_| std::mem::take(&mut is_first)) {
            let sentence =
                format!("Of points such as {cell}:{lost} those before the colon are read.");
            oddities.add(&grid.place(row), sentence);
        }
        points.push(tenths(cell).ok_or_else(|| {
            bad(grid, columns, row, Role::Points, "a number of points such as 7 or 4.5")
        })?);
    }
    if ranks.iter().any(Option::is_none) {
        oddities.add(
            "the columns",
            "Without a rank of everybody, the points are taken for it: equal points share a rank.",
        );
    }
    let has_ranks = ranks.iter().all(Option::is_some);
    let mut sorted = points.clone();
    sorted.sort_unstable_by(|one, other| other.cmp(one));
    let by_points = |of: i64| sorted.partition_point(|other| *other > of) as u32 + 1;
    let percent: Vec<bool> =
        MEASURES.iter().map(|(role, _)| is_percent(columns, rows, *role)).collect();
    let mut all = Vec::new();
    for (player, (row, points_tenths)) in rows.iter().zip(points).enumerate() {
        let mut values = Vec::new();
        for ((role, measure), percent) in MEASURES.iter().zip(&percent) {
            let cell = columns.get(row, *role);
            if cell.is_empty() || cell == "-" {
                continue;
            }
            let text = decimal(cell, *percent)
                .ok_or_else(|| bad(grid, columns, row, *role, "a number such as 66.67"))?;
            values.push(PublishedValue { measure: *measure, text });
        }
        let count = |role| columns.get(row, role).parse::<u32>().ok();
        let record = [
            count(Role::Wins),
            count(Role::Losses),
            count(Role::Draws).or(Some(0).filter(|_| !columns.has(Role::Draws))),
        ];
        let record = match record {
            [Some(wins), Some(losses), Some(draws)] => Some([wins, losses, draws]),
            _ => None,
        };
        let rank = ranks[player].filter(|_| has_ranks).unwrap_or_else(|| by_points(points_tenths));
        all.push(PublishedRow { rank, player, points_tenths, record, values });
    }
    Ok(all)
}

/// A number of at most one digit behind its point, in tenths; zeros at the end do not count.
fn tenths(cell: &str) -> Option<i64> {
    let text = cell.replace(',', ".").replace('\u{bd}', ".5");
    let (whole, tenth) = text.split_once('.').unwrap_or((&text, "0"));
    let tenth = tenth.trim_end_matches('0');
    let tenth: i64 =
        if tenth.is_empty() { 0 } else { tenth.parse().ok().filter(|_| tenth.len() == 1)? };
    let whole: i64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let sign = if text.starts_with('-') { -1 } else { 1 };
    (whole.unsigned_abs() < 1_000_000).then(|| whole * 10 + sign * tenth)
}

/// Whether a column counts to 100: it has percent signs, or a value above 1. Strengths of schedule are none.
fn is_percent(columns: &Columns, rows: &[&Row], role: Role) -> bool {
    let above = |cell: &str| {
        let whole = cell.split(['.', ',']).next().unwrap_or("");
        let rest = cell.split(['.', ',']).nth(1).unwrap_or("");
        whole.parse::<u64>().is_ok_and(|whole| {
            whole > 1 || whole == 1 && rest.chars().any(|c| ('1'..='9').contains(&c))
        })
    };
    let is = |row: &&Row| {
        let cell = columns.get(row, role);
        cell.contains('%') || above(cell)
    };
    !matches!(role, Role::Sos | Role::Esos) && rows.iter().any(is)
}

/// A number with a point, of a percentage as a part of 1.
fn decimal(cell: &str, percent: bool) -> Option<String> {
    let text = cell.trim_end_matches(['%', ' ', '\u{a0}']).replace(',', ".");
    let (whole, rest) = text.split_once('.').unwrap_or((&text, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() && rest.is_empty()
        || !is_number(whole)
        || !is_number(rest)
        || text.len() > 40
    {
        return None;
    }
    if !percent {
        return Some(text);
    }
    let padded = format!("{whole:0>3}");
    let (ones, hundredths) = padded.split_at(padded.len() - 2);
    let ones = ones.trim_start_matches('0');
    Some(format!("{}.{hundredths}{rest}", if ones.is_empty() { "0" } else { ones }))
}
