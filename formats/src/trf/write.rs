//! How such a file is written: so that pairing programs and federations take it.

mod left_out;
pub(super) mod records;
mod rows;

use crate::report::ReportRecord;
use crate::sheet;
use crate::source::{Source, SourcePlayer, SourceTable};
use crate::trf::{requests, title};
use crate::written::{WriteError, Written};
use rows::{Numbers, Ranks, Rows};
use scrutineer_engine::event::{How, MatchResult, PhaseKind, Ruling};
use std::fmt::Write;

/// How many letters of a name there is room for.
const NAME: usize = 33;
/// The most points that there is room for, in tenths.
const MOST_POINTS_TENTHS: i64 = 999;
/// The most players, by the digits of a number.
pub(crate) const MOST_PLAYERS: usize = 9_999;

/// For whom a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Pairing programs: TRF16 with the records that they add to it.
    Programs,
    /// FIDE: TRF26.
    Fide,
}

/// What is kept of the report into which a tournament is written, beside its records.
#[derive(Default)]
pub struct Kept {
    /// The date of birth of each player, as it stands there; empty: none.
    pub births: Vec<String>,
    /// How many players it calls rated, where they are the same as there.
    pub rated: Option<usize>,
    /// How many dates of birth are of nobody who is known for sure to be the same.
    pub lost_births: usize,
    /// The points in tenths and the rank that each player has there, where nothing was played since.
    pub published: Vec<Option<(i64, u32)>>,
    /// How many players have another number there, where those of the tournament stay.
    pub other_numbers: usize,
    /// Whether it says another first color.
    pub other_color: bool,
    /// Whether results count something else there.
    pub other_worth: bool,
}

/// Writes a tournament. The places of its sign-up give players their numbers, where all from 1 on are there,
/// otherwise they are counted; points and ranks are those of its published standings.
///
/// # Errors
/// Where a match is not one of two players, or there are too many.
pub fn write(source: &Source, dialect: Dialect) -> Result<Written, WriteError> {
    write_kept(source, dialect, &Kept::default())
}

/// As [`write`], with what is kept of a report.
pub(super) fn write_kept(
    source: &Source,
    dialect: Dialect,
    kept: &Kept,
) -> Result<Written, WriteError> {
    if source.players.len() > MOST_PLAYERS {
        return Err(WriteError::TooMany { players: source.players.len(), most: MOST_PLAYERS });
    }
    let numbers = Numbers::of(source);
    let rows = Rows::of(source, dialect)?;
    // A round for which a bye is asked for is one to come.
    let asked = source.report.asked.iter().map(|bye| usize::from(bye.round)).max();
    let planned = source.planned_rounds.map_or(0, usize::from);
    let planned = planned.max(rows.played).max(asked.unwrap_or(0));
    let changed = numbers.changed.as_ref();
    let mut records = records::records(source, dialect, [planned, rows.played], changed);
    // With 310 these records name teams.
    if dialect == Dialect::Fide && !source.report.names_teams() {
        records.below.extend(requests::as_fide(&rows.further, &numbers.of));
        records.below.sort_by_key(records::order);
    }
    let mut above = head(source, kept);
    above.extend(records.above);
    above.sort_by_key(records::order);
    let mut text = String::new();
    let line = |text: &mut String, one: &ReportRecord| {
        // A text takes whatever is written into it.
        let _ = writeln!(text, "{} {}", one.code, one.text.trim_end());
    };
    above.iter().for_each(|one| line(&mut text, one));
    let ranks = Ranks::of(source, &rows, &numbers);
    let mut order: Vec<usize> = (0..source.players.len()).collect();
    // The lines of a report stay where they stand.
    if source.format != "trf" {
        order.sort_by_key(|at| numbers.of[*at]);
    }
    for at in order {
        let player = &source.players[at];
        let born = kept.births.get(at).map_or("", String::as_str);
        player_line(&mut text, player, born, &ranks, at, &numbers, dialect);
        for block in &rows.of[at] {
            let _ = write!(text, "  {}", block.text(&numbers.of));
        }
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
    }
    records.below.iter().for_each(|one| line(&mut text, one));
    let mut left_out = left_out::left_out(source, dialect);
    left_out.extend(records.left_out);
    left_out.extend(rows.left_out);
    left_out.extend(told(source, kept, &ranks));
    left_out.extend(ranks.left_out);
    left_out.extend(numbers.told());
    if kept.lost_births > 0 {
        let lost = kept.lost_births;
        left_out.push(format!("dates of birth of players who are not found by name or id: {lost}"));
    }
    Ok(Written { text, left_out })
}

/// What a report said otherwise than the tournament that is written into it.
fn told(source: &Source, kept: &Kept, ranks: &Ranks) -> Vec<String> {
    let before = || kept.published.iter().enumerate().filter_map(|(at, own)| Some((at, (*own)?)));
    let other_ranks = before().filter(|(at, own)| ranks.ranks[*at] != own.1).count();
    let other_points = before().filter(|(at, own)| ranks.points[*at] != own.0).count();
    let mut told = Vec::new();
    if other_ranks > 0 {
        told.push(other_ranks_told(source, other_ranks));
    }
    if other_points > 0 {
        told.push(format!("points that the file had otherwise: {other_points}"));
    }
    if kept.other_numbers > 0 {
        told.push(format!(
            "numbers of players that the file had, which are here as a pairing engine is told them: {}",
            kept.other_numbers
        ));
    }
    if kept.other_color {
        told.push("the first color that the file had, which is another one here: 1".to_owned());
    }
    if kept.other_worth {
        let rules = rules_named(source);
        told.push(format!("what results count in the file, which is what {rules} counts here: 1"));
    }
    told
}

/// What the ruleset of a tournament is called.
fn rules_named(source: &Source) -> &str {
    source.rules.as_deref().unwrap_or("its ruleset")
}

/// That ranks of a file are others now.
pub(crate) fn other_ranks_told(source: &Source, ranks: usize) -> String {
    let rules = rules_named(source);
    format!(
        "ranks that the file had, which are those of {rules} now and not of its tie-breaks: {ranks}"
    )
}

/// What the tournament says of itself.
fn head(source: &Source, kept: &Kept) -> Vec<ReportRecord> {
    let one = |code: &str, text: &str| ReportRecord { code: code.into(), text: text.trim().into() };
    let mut head = vec![one("012", &source.title)];
    let day = source.held_on.map(|day| day.to_string().replace('-', "/"));
    head.extend(day.map(|day| one("042", &day)));
    head.push(one("062", &source.players.len().to_string()));
    let counted = || source.players.iter().filter(|player| rating(player) > 0).count();
    let rated = kept.rated.unwrap_or_else(counted);
    head.push(one("072", &rated.to_string()));
    let teams = source.report.teams().len();
    if teams > 0 {
        head.push(one("082", &teams.to_string()));
    }
    if !source.report.has(&["092"]) {
        let kind = source.phases.first().map_or(PhaseKind::Swiss, |phase| phase.kind);
        head.push(one("092", kind_of(kind)));
    }
    head
}

/// What 092 says of a kind of tournament.
pub(super) fn kind_of(kind: PhaseKind) -> &'static str {
    match kind {
        PhaseKind::RoundRobin => "Individual: Round-Robin",
        _ => "Individual: Swiss-System",
    }
}

/// The rating that a line has room for; 0: none.
fn rating(player: &SourcePlayer) -> i32 {
    player.rating.filter(|rating| (1..=9_999).contains(rating)).unwrap_or(0)
}

/// A player's line up to their rounds.
fn player_line(
    text: &mut String,
    player: &SourcePlayer,
    born: &str,
    ranks: &Ranks,
    at: usize,
    numbers: &Numbers,
    dialect: Dialect,
) {
    let points = ranks.points[at];
    let points = format!("{}.{}", points / 10, points % 10);
    let id = player.publisher_id.as_deref().filter(|id| fits_id(id)).unwrap_or_default();
    let title = player.title.as_deref().and_then(title).filter(|title| fits_title(title, dialect));
    let federation = player.federation.as_deref().filter(|code| fits_code(code));
    let _ = write!(
        text,
        "001 {:4} {}{:>3} {:NAME$} {:4} {:3} {id:>11} {born:10} {points:>4} {:>4}",
        numbers.of[at],
        player.sex.filter(|sex| matches!(sex, 'm' | 'w')).unwrap_or(' '),
        title.unwrap_or_default(),
        short(&player.name),
        rating(player),
        federation.unwrap_or_default(),
        ranks.ranks[at],
    );
}

/// The results of white and of black.
pub(crate) fn results(table: &SourceTable) -> [char; 2] {
    results_of(&table.result)
}

/// The same of a result.
pub(crate) fn results_of(result: &MatchResult) -> [char; 2] {
    let was_played = !matches!(result.how, How::Forfeit | How::NoShow);
    let rulings = &result.rulings[..];
    let of_ruling = |seat: usize| match rulings.get(seat).copied().flatten() {
        Some(Ruling::Win) if was_played => '1',
        Some(Ruling::Win) => '+',
        Some(Ruling::Loss) if was_played => '0',
        Some(Ruling::Loss) => '-',
        Some(Ruling::Draw) => '=',
        _ => ' ',
    };
    if rulings.iter().any(Option::is_some) {
        return [of_ruling(0), of_ruling(1)];
    }
    match sheet::games_of(&result.score) {
        None => [' ', ' '],
        Some([one, other, _]) => match one.cmp(&other) {
            std::cmp::Ordering::Greater => ['1', '0'],
            std::cmp::Ordering::Less => ['0', '1'],
            std::cmp::Ordering::Equal => ['=', '='],
        },
    }
}

fn short(name: &str) -> String {
    name.chars().take(NAME).collect()
}

/// Whether an id is one that the column is for: digits, as FIDE gives them.
fn fits_id(id: &str) -> bool {
    (1..=11).contains(&id.len())
        && id.bytes().all(|byte| byte.is_ascii_digit())
        && id.bytes().any(|byte| byte != b'0')
}

/// The titles that FIDE gives.
const TITLES: [&str; 8] = ["GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM"];

/// Whether a title has room, and is one that pairing programs take.
fn fits_title(title: &str, dialect: Dialect) -> bool {
    TITLES.contains(&title) || dialect == Dialect::Fide && fits_code(title)
}

/// Whether a code has room in three columns.
fn fits_code(code: &str) -> bool {
    (1..=3).contains(&code.chars().count()) && code.trim() == code
}
