//! Byes that players asked for in rounds to come, where they do not stand among their rounds: 240 of TRF26, and
//! XXZ of pairing programs, which says who is away in the next round.

use super::lines::{columns, numbers_from};
use crate::report::{ByeAsked, ChessReport, ReportRecord};
use scrutineer_engine::event::ByeKind;
use std::collections::{BTreeMap, BTreeSet};

/// The column of the first player of 240.
const PLAYERS: usize = 11;

/// Takes the records of byes of rounds that are not paired out of those that are kept, and collects what they
/// say. One that names somebody who is not there, a team, or a round that was played, stays as it is. What
/// stands among a player's rounds holds against a record, and of two records the first.
pub fn take(
    report: &mut ChessReport,
    paired: usize,
    planned: Option<usize>,
    by_number: &BTreeMap<u32, usize>,
    asked: &mut Vec<ByeAsked>,
) {
    let names_teams = report.names_teams();
    let is_to_come = |round: usize| round > paired && planned.is_none_or(|last| round <= last);
    asked.retain(|bye| is_to_come(bye.round.into()));
    let mut known: BTreeSet<(u16, usize)> =
        asked.iter().map(|bye| (bye.round, bye.player)).collect();
    report.records.retain(|record| {
        let read =
            said(record, paired).filter(|said| !names_teams && is_to_come(said.round.into()));
        let Some(said) = read else { return true };
        let players: Option<Vec<usize>> =
            said.numbers.iter().map(|number| by_number.get(number).copied()).collect();
        let Some(players) = players.filter(|players| !players.is_empty()) else { return true };
        for player in players {
            if known.insert((said.round, player)) {
                asked.push(ByeAsked { round: said.round, player, kind: said.kind });
            }
        }
        false
    });
    asked.sort_by_key(|bye| (bye.player, bye.round));
}

/// What a record says.
struct Said {
    kind: ByeKind,
    round: u16,
    numbers: Vec<u32>,
}

fn said(record: &ReportRecord, paired: usize) -> Option<Said> {
    let text = &record.text;
    match record.code.as_str() {
        "240" => {
            let kind = match columns(text, 5, 5).to_ascii_uppercase().as_str() {
                "F" => ByeKind::Awarded,
                "H" => ByeKind::Half,
                "Z" => ByeKind::Zero,
                _ => return None,
            };
            let round = columns(text, 7, 9).parse().ok()?;
            Some(Said { kind, round, numbers: numbers_from(text, PLAYERS) })
        }
        "XXZ" => {
            let round = u16::try_from(paired + 1).ok()?;
            Some(Said { kind: ByeKind::Zero, round, numbers: numbers_from(text, 5) })
        }
        _ => None,
    }
}

/// The records of TRF26 that say byes: one for each round and worth.
pub fn as_fide(byes: &[ByeAsked], numbers: &[u32]) -> Vec<ReportRecord> {
    let mut lines: BTreeMap<(u16, char), BTreeSet<u32>> = BTreeMap::new();
    for bye in byes {
        let letter = of_bye(bye.kind);
        lines.entry((bye.round, letter)).or_default().extend(numbers.get(bye.player));
    }
    let line = |((round, letter), numbers): ((u16, char), BTreeSet<u32>)| {
        let numbers: Vec<String> = numbers.iter().map(|number| format!("{number:4}")).collect();
        ReportRecord {
            code: "240".into(),
            text: format!("{letter} {round:3} {}", numbers.join(" ")),
        }
    };
    lines.into_iter().map(line).collect()
}

/// The letter of a bye.
pub(super) fn of_bye(kind: ByeKind) -> char {
    match kind {
        ByeKind::Assigned | ByeKind::Vacant => 'U',
        ByeKind::Awarded => 'F',
        ByeKind::Half => 'H',
        ByeKind::Zero | ByeKind::AwardedLoss => 'Z',
    }
}
