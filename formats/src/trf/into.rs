//! What only a report says, for a tournament that came from it and was played on.

use super::records::is_below;
use super::write::Kept;
use crate::matched::{Found, matched};
use crate::report::ReportMark;
use crate::source::Source;
use std::collections::BTreeMap;

/// What is kept of a report beside its records: dates of birth, given by its players' numbers, of whoever is the same
/// by id or name; how many are rated, where nothing changed that makes them others; and points and ranks, where no
/// result came since.
pub fn kept(
    source: &Source,
    report: &Source,
    mut births: BTreeMap<u32, String>,
    rated: Option<usize>,
) -> Kept {
    let theirs = matched(source, report);
    let of = |found: &Option<Found>| report.players.get(found.as_ref()?.at);
    let own = theirs.iter().map(|found| {
        let number = of(found)?.sign_up.filter(|_| found.as_ref().is_some_and(|one| one.is_sure));
        births.remove(&number?)
    });
    let own = own.map(Option::unwrap_or_default).collect();
    let is_same = source.players.len() == report.players.len()
        && source.players.iter().zip(&theirs).all(|(player, found)| {
            of(found).is_some_and(|known| player.rating.or(known.rating) == known.rating)
        });
    // What was played since gives others.
    let is_as_far = results(source) == results(report);
    let row = |found: &Option<Found>| {
        let at = found.as_ref().filter(|_| is_as_far)?.at;
        let row = report.published.iter().find(|row| row.player == at)?;
        Some((row.points_tenths, row.rank))
    };
    Kept {
        births: own,
        rated: rated.filter(|_| is_same),
        lost_births: births.len(),
        published: theirs.iter().map(row).collect(),
        other_color: false,
    }
}

/// How many rounds there are, and how many tables with a result.
fn results(source: &Source) -> [usize; 2] {
    let tables = source.rounds().flat_map(|(_, round)| &round.tables);
    [source.rounds().count(), tables.filter(|table| table.has_result()).count()]
}

/// The tournament with the numbers, titles, federations and records of its report.
pub fn with_report(source: &Source, report: Source) -> Source {
    let theirs = matched(source, &report);
    let theirs: Vec<_> = theirs.into_iter().map(|found| Some(found?.at)).collect();
    let mut merged = source.clone();
    // Before anybody is entered there, numbers are ours.
    let has_somebody = theirs.iter().any(Option::is_some);
    let mut free = report.players.iter().filter_map(|player| player.sign_up).max().unwrap_or(0);
    for (player, found) in merged.players.iter_mut().zip(&theirs) {
        let Some(known) = found.and_then(|at| report.players.get(at)) else {
            if !has_somebody {
                continue;
            }
            free += 1;
            player.sign_up = Some(free);
            continue;
        };
        player.sign_up = known.sign_up;
        player.title = player.title.take().or_else(|| known.title.clone());
        player.federation = player.federation.take().or_else(|| known.federation.clone());
        player.sex = player.sex.or(known.sex);
        player.rating = player.rating.or(known.rating);
    }
    let ours: BTreeMap<usize, usize> =
        theirs.iter().enumerate().filter_map(|(own, at)| Some(((*at)?, own))).collect();
    let mark = |mark: &ReportMark| Some(ReportMark { player: *ours.get(&mark.player)?, ..*mark });
    let played = source.rounds().count();
    merged.report.unrated = report.report.unrated.iter().filter_map(mark).collect();
    merged.report.forfeit_byes = report.report.forfeit_byes.iter().filter_map(mark).collect();
    // Who was away in the next round is known by its number alone, and that may be over.
    let was_away = report.rounds().count() != played;
    merged.report.records = report.report.records;
    if !has_somebody && !report.players.is_empty() {
        // What names players there names others.
        merged.report.records.retain(|record| !is_below(&record.code));
    }
    // Our first color is that of our first number.
    let mut both = merged.players.iter().zip(&source.players);
    if let Some(is_white) = source.report.first_is_white()
        && both.all(|(new, own)| new.sign_up == own.sign_up)
    {
        merged.report.set_first_color(is_white);
    }
    merged.report.records.retain(|record| record.code != "XXZ" || !was_away);
    // Its ranks are those of the tournament's ruleset now.
    if !source.tie_breaks.is_empty() {
        merged.report.records.retain(|record| !matches!(&record.code[..], "202" | "212"));
    }
    merged.held_on = merged.held_on.or(report.held_on);
    if merged.held_on.is_some() {
        // A day that was not understood there is said by ours.
        merged.report.records.retain(|record| record.code != "042");
    }
    merged.points = merged.points.or(report.points);
    merged.planned_rounds = merged.planned_rounds.or(report.planned_rounds);
    merged
}
