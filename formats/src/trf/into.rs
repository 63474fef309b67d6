//! What only a report says, for a tournament that came from it and was played on.

use super::write::Kept;
use crate::matched::{Found, matched};
use crate::report::ReportMark;
use crate::source::Source;
use std::collections::BTreeMap;

/// What is kept of a report beside its records: dates of birth, given by its players' numbers, of whoever is the same
/// by id or name; and how many are rated, where nothing changed that makes them others.
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
    Kept { births: own, rated: rated.filter(|_| is_same), lost_births: births.len() }
}

/// The tournament with the numbers, titles, federations and records of its report.
pub fn with_report(source: &Source, report: Source) -> Source {
    let theirs = matched(source, &report);
    let theirs: Vec<_> = theirs.into_iter().map(|found| Some(found?.at)).collect();
    let mut merged = source.clone();
    let mut free = report.players.iter().filter_map(|player| player.sign_up).max().unwrap_or(0);
    for (player, found) in merged.players.iter_mut().zip(&theirs) {
        let Some(known) = found.and_then(|at| report.players.get(at)) else {
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
    let first_color = merged.report.records.iter().find(|one| one.code == "XXC").cloned();
    merged.report.records = report.report.records;
    // Our first color is that of our first number.
    let mut both = merged.players.iter().zip(&source.players);
    if !merged.report.has(&["152", "XXC"]) && both.all(|(new, own)| new.sign_up == own.sign_up) {
        merged.report.records.extend(first_color);
    }
    merged.report.records.retain(|record| record.code != "XXZ" || !was_away);
    // Its ranks are those of the tournament's ruleset now.
    if !source.tie_breaks.is_empty() {
        merged.report.records.retain(|record| !matches!(&record.code[..], "202" | "212"));
    }
    merged.held_on = merged.held_on.or(report.held_on);
    merged.points = merged.points.or(report.points);
    merged.planned_rounds = merged.planned_rounds.or(report.planned_rounds);
    merged
}
