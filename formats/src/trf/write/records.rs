//! The records that are written beside the players: as the report had them, or as TRF26 says the same.

use super::Dialect;
use crate::report::ReportRecord;
use crate::source::Source;
use crate::trf::lines::{columns, numbers_from};
use crate::trf::points;
use crate::trf::records::is_below;
pub use crate::trf::records::order;
use crate::trf::teams;
use std::collections::{BTreeMap, BTreeSet};

/// What is written above the players and below them.
#[derive(Default)]
pub struct Records {
    pub above: Vec<ReportRecord>,
    pub below: Vec<ReportRecord>,
    /// What cannot be said, each as a sentence.
    pub left_out: Vec<String>,
}

/// Records that only pairing programs know.
const OF_PROGRAMS: [&str; 13] =
    ["BBW", "BBD", "BBL", "BBZ", "BBF", "BBU", "XXC", "XXS", "XXA", "XXP", "XXZ", "TNR", "ACC"];

/// The records of a tournament that is to have so many rounds and has had some. `numbers` says which number
/// a player had and has; none where none changed.
pub fn records(
    source: &Source,
    dialect: Dialect,
    [planned, played]: [usize; 2],
    numbers: Option<&BTreeMap<u32, u32>>,
) -> Records {
    let report = &source.report;
    let mut all: Vec<ReportRecord> = report.records.clone();
    let mut left_out = Vec::new();
    all.iter_mut().filter(|one| one.code == "142").for_each(|one| one.text = planned.to_string());
    if dialect == Dialect::Fide
        && !report.has(&points::CODES)
        && let Some(system) = &source.points
    {
        match system.as_fide() {
            Some(record) => all.push(record),
            None => left_out.push(
                "points that depend on colors, forfeits or byes that were asked for: 1".to_owned(),
            ),
        }
    }
    match dialect {
        Dialect::Programs => {
            for_programs(source, &mut all, &mut left_out);
            let days = all.iter().filter(|one| one.code == "132").count();
            if days > 0 {
                // The place of further days differs from program to program.
                left_out.push(format!("lines with the days of rounds, which `trf26` has: {days}"));
                all.retain(|one| one.code != "132");
            }
            if planned > 0 {
                all.push(record("XXR", planned.to_string()));
            }
        }
        Dialect::Fide => as_fide(source, &mut all, &mut left_out, [planned, played]),
    }
    if let Some(numbers) = numbers {
        let names_teams = report.names_teams();
        all = all.iter().flat_map(|one| renumbered(one, numbers, names_teams)).collect();
    }
    all.sort_by_key(order);
    let (below, above) = all.into_iter().partition(|one| is_below(&one.code));
    Records { above, below, left_out }
}

/// The systems of pairing that bbpPairings takes, which refuses a report that names another.
const SYSTEMS: [&str; 6] = [
    "FIDE_DUTCH",
    "FIDE_DUTCH_2025",
    "FIDE_DUTCH_BAKU",
    "FIDE_DUTCH_2025_BAKU",
    "FIDE_BURSTEIN",
    "FIDE_BURSTEIN_BAKU",
];

/// Leaves out of TRF26's records what pairing programs refuse. What is said of teams stays: programs that pair
/// teams take it.
fn for_programs(source: &Source, all: &mut Vec<ReportRecord>, left_out: &mut Vec<String>) {
    if !source.report.names_teams() {
        let known = |one: &ReportRecord| one.code != "192" || SYSTEMS.contains(&one.text.trim());
        if !all.iter().all(known) {
            left_out.push("the system of pairing, which `trf26` has: 1".to_owned());
            all.retain(known);
        }
    }
    let is_taken = |one: &ReportRecord| {
        let mut symbols = one.text.split_whitespace().step_by(2);
        symbols.all(|symbol| ["W", "D", "L", "Z", "P"].contains(&symbol))
    };
    if all.iter().any(|one| one.code == "162" && !is_taken(one)) {
        left_out.push("what absence counts, as TRF26 says it, which `trf26` has: 1".to_owned());
        all.retain(|one| one.code != "162");
    }
    // One program knows XXS alone and another BB*: each is told what the other's records say.
    if let Some(system) = &source.points {
        let said: BTreeSet<String> = all.iter().map(|one| one.code.clone()).collect();
        let missing = system.as_programs().into_iter().filter(|one| !said.contains(&one.code));
        all.extend(missing);
        if !system.is_plain() {
            left_out.push(
                "points that depend on colors, forfeits or byes that were asked for, which bbpPairings \
                 cannot be told: 1"
                    .to_owned(),
            );
        }
    }
}

/// Says in TRF26's records what the programs' say.
fn as_fide(
    source: &Source,
    all: &mut Vec<ReportRecord>,
    left_out: &mut Vec<String>,
    [planned, played]: [usize; 2],
) {
    let report = &source.report;
    if planned > 0 && !report.has(&["142"]) {
        all.push(record("142", planned.to_string()));
    }
    // In a report of teams they order the teams.
    if !source.tie_breaks.is_empty() && !report.has(&["202", "212"]) && !report.is_of_teams() {
        all.push(record("202", source.tie_breaks.join(",")));
    }
    if let Some(is_white) = report.first_is_white().filter(|_| !report.has(&["152"])) {
        all.push(record("152", if is_white { "W" } else { "B" }.to_owned()));
    }
    if !report.has(&["162"])
        && let Some(system) = source.points.as_ref().filter(|_| report.has(&points::CODES))
    {
        match system.as_fide() {
            Some(record) => all.push(record),
            None => left_out.push("points that TRF26 has no words for: 1".to_owned()),
        }
    }
    if !report.has(&["250"]) {
        let lines = report.accelerations();
        all.extend(lines.iter().map(|one| {
            let points = format!("{}.{}", one.tenths / 10, one.tenths % 10);
            let [first, last] = one.rounds;
            let [from, to] = one.players;
            record("250", format!("     {points:>4} {first:3} {last:3} {from:4} {to:4}"))
        }));
    }
    let list = |numbers: &[u32]| {
        let numbers: Vec<String> = numbers.iter().map(|number| format!("{number:4}")).collect();
        numbers.join(" ")
    };
    for text in report.of("XXP") {
        let numbers = numbers_from(text, 5);
        all.push(record("260", format!("{:3} {:3} {}", 1, planned.max(1), list(&numbers))));
    }
    for text in report.of("XXZ") {
        let numbers = numbers_from(text, 5);
        all.push(record("240", format!("Z {:3} {}", played + 1, list(&numbers))));
    }
    // With 310 these name teams and no longer players.
    let names_players =
        all.iter().any(|one| ["240", "250", "260", "299"].contains(&one.code.as_str()));
    if report.has(&["310"]) {
        all.retain(|one| one.code != "013");
    } else if !names_players {
        all.extend(teams::as_fide(&report.teams()));
        all.retain(|one| one.code != "013");
    }
    if report.is_by_line() {
        left_out
            .push("that players are ranked by their line and not by their number: 1".to_owned());
    }
    all.retain(|one| !OF_PROGRAMS.contains(&one.code.as_str()));
}

/// A record with other numbers of players; none of one who is not there, and several where players with following
/// numbers have no following ones now.
pub fn renumbered(
    one: &ReportRecord,
    numbers: &BTreeMap<u32, u32>,
    names_teams: bool,
) -> Vec<ReportRecord> {
    if one.code == "250" && !names_teams {
        return of_ranges(&one.text, numbers);
    }
    with_numbers(one, numbers, names_teams).into_iter().collect()
}

/// 250 with other numbers: a record for each run of them.
fn of_ranges(text: &str, numbers: &BTreeMap<u32, u32>) -> Vec<ReportRecord> {
    let [first, last] =
        [(23, 26), (28, 31)].map(|(from, to)| columns(text, from, to).parse::<u32>().ok());
    let (Some(first), Some(last)) = (first, last) else { return Vec::new() };
    if first > last {
        return Vec::new();
    }
    let mut now: Vec<u32> = numbers.range(first..=last).map(|(_, has)| *has).collect();
    now.sort_unstable();
    let head: String = text.chars().take(18).collect();
    let runs = now.chunk_by(|one, next| one + 1 == *next);
    let line = |run: &[u32]| {
        let [first, last] = [run.first()?, run.last()?];
        Some(record("250", format!("{head}{first:4} {last:4}")))
    };
    runs.filter_map(line).collect()
}

fn with_numbers(
    one: &ReportRecord,
    numbers: &BTreeMap<u32, u32>,
    names_teams: bool,
) -> Option<ReportRecord> {
    let new = |number: &u32| match number {
        0 => Some(0),
        number => numbers.get(number).copied(),
    };
    let text = &one.text;
    let listed_from = match one.code.as_str() {
        "XXP" | "XXZ" => Some(5),
        "013" => Some(37),
        "310" => Some(74),
        "300" => Some(17),
        "240" if !names_teams => Some(11),
        "260" if !names_teams => Some(13),
        "299" if !names_teams => Some(21),
        _ => None,
    };
    if let Some(column) = listed_from {
        let head: String = text.chars().take(column - 5).collect();
        let list = numbers_from(text, column);
        let list: Vec<String> =
            list.iter().filter_map(new).map(|number| format!("{number:4}")).collect();
        let text = format!("{head:width$}{}", list.join(" "), width = column - 5);
        return Some(record(&one.code, text.trim_end().to_owned()));
    }
    match one.code.as_str() {
        "XXA" => {
            let player = new(&columns(text, 5, 8).parse().ok()?)?;
            let rest: String = text.chars().skip(4).collect();
            Some(record("XXA", format!("{player:4}{rest}")))
        }
        _ => Some(one.clone()),
    }
}

fn record(code: &str, text: String) -> ReportRecord {
    ReportRecord { code: code.to_owned(), text }
}
