//! Standings of which no round is known, as a log holds them: one round in which everybody has a bye of no point, whose
//! score is their row.

use super::limits;
use super::source::{Source, SourceBye, SourceRound};
use scrutineer_engine::event::{ByeKind, Per, RoundWeight, Scoresheet};

/// The line that holds the place; of a file of standings alone it is the first one.
pub const PLACE: &str = "place";

/// The line that holds ten times the points.
pub const TENTHS: &str = "tenths";

/// The lines of a row: its place, and its points where they were published.
pub(super) fn scoresheet(has_points: bool) -> Scoresheet {
    let most = limits::SCORE;
    let place = super::sheet::line(PLACE, Per::Seat, 0, most, "places");
    let points = super::sheet::line(TENTHS, Per::Seat, -most, most, "tenths of points");
    let lines = if has_points { vec![place, points] } else { vec![place] };
    Scoresheet { lines, best_of: None }
}

/// The round that holds the rows; none where the file is another one.
pub(super) fn round(source: &Source) -> Option<SourceRound> {
    if source.rounds().next().is_some() {
        return None;
    }
    let has_points = match &source.scoresheet.lines[..] {
        [first] if first.name == PLACE => false,
        [first, second] if first.name == PLACE && second.name == TENTHS => true,
        _ => return None,
    };
    let row = |player: usize, values: Vec<i32>| {
        let nobody = vec![0; values.len()];
        let reported = Some(super::sheet::score(&[values, nobody], &[]));
        SourceBye { player, kind: ByeKind::Zero, reported, place: String::new() }
    };
    let bounded = |value: i64| i32::try_from(value).unwrap_or(i32::MAX).min(limits::SCORE);
    let byes = match has_points {
        true => {
            let rows = source.published.iter();
            rows.map(|one| {
                row(one.player, vec![bounded(one.rank.into()), bounded(one.points_tenths)])
            })
            .collect()
        }
        false => {
            let rows = source.places.iter();
            rows.map(|one| row(one.player, vec![bounded(one.place.into())])).collect()
        }
    };
    let (name, weight) = ("Standings".to_owned(), RoundWeight::ONE);
    Some(SourceRound { name, weight, tables: Vec::new(), byes })
}
