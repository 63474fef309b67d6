//! Ends of phases that only the published ranking tells.
//!
//! A platform may run the Swiss rounds in several phases without a trace of it in the rounds: who
//! did not go on just stands below everybody who did, whatever their points. So where the ranking
//! rises from one row to the next, and everybody from there on was gone before the earliest
//! departure above, a phase ended when the last of them left.

use std::cmp::Ordering;

use super::check::appearances;
use super::source::{PublishedMeasure, PublishedRow, SourceRound};

/// The first rounds, from 0, before which a phase ended, as the ranking tells.
pub(super) fn starts(rounds: &[SourceRound], published: &[PublishedRow]) -> Vec<usize> {
    let last = last_rounds(rounds);
    let last_of = |row: &PublishedRow| last.get(row.player).copied().unwrap_or(0);
    let mut rows: Vec<&PublishedRow> = published.iter().filter(|row| last_of(row) > 0).collect();
    rows.sort_by_key(|row| row.rank);
    // The latest departure from each row on.
    let mut below: Vec<usize> = rows.iter().map(|row| last_of(row)).collect();
    for at in (1..below.len()).rev() {
        below[at - 1] = below[at - 1].max(below[at]);
    }
    let mut ends = Vec::new();
    let mut above = usize::MAX;
    for (at, pair) in rows.windows(2).enumerate() {
        above = above.min(last_of(pair[0]));
        if below[at + 1] < above && order(pair[0], pair[1]) == Ordering::Less {
            ends.push(below[at + 1]);
        }
    }
    ends.sort_unstable();
    ends.dedup();
    ends
}

/// Whether the ranking denies that these rounds are a cut: somebody whom they put out stands above
/// somebody who was in it for longer.
pub(super) fn denies_cut(cut: &[SourceRound], published: &[PublishedRow]) -> bool {
    let last = last_rounds(cut);
    let last_of = |row: &PublishedRow| last.get(row.player).copied().unwrap_or(0);
    let mut rows: Vec<&PublishedRow> = published.iter().filter(|row| last_of(row) > 0).collect();
    rows.sort_by_key(|row| row.rank);
    // The earliest departure of all who stand above, which those of one rank do not.
    let mut above = usize::MAX;
    for rank in rows.chunk_by(|one, other| one.rank == other.rank) {
        let departures = || rank.iter().map(|row| last_of(row));
        if departures().any(|last| last > above) {
            return true;
        }
        above = departures().fold(above, usize::min);
    }
    false
}

/// The number of each player's last round, by player; 0: none.
fn last_rounds(rounds: &[SourceRound]) -> Vec<usize> {
    let mut last = Vec::new();
    for (number, round) in (1..).zip(rounds) {
        for (player, _) in appearances(round) {
            if last.len() <= player {
                last.resize(player + 1, 0);
            }
            last[player] = number;
        }
    }
    last
}

/// By points, then by OMW%.
fn order(one: &PublishedRow, other: &PublishedRow) -> Ordering {
    let by_omw = || match (omw(one), omw(other)) {
        (Some(one), Some(other)) => one.cmp(&other),
        _ => Ordering::Equal,
    };
    one.points_tenths.cmp(&other.points_tenths).then_with(by_omw)
}

/// OMW% as its digits before and behind the point, in an order of numbers.
fn omw(row: &PublishedRow) -> Option<(u64, &str)> {
    let value = row.values.iter().find(|value| value.measure == PublishedMeasure::Omw)?;
    let (whole, decimals) = value.text.split_once('.').unwrap_or((&value.text, ""));
    Some((whole.parse().ok()?, decimals.trim_end_matches('0')))
}
