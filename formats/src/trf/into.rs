//! What only a report says, for a tournament that came from it and was played on.

use super::points;
use super::write::Kept;
use super::write::records::renumbered;
use crate::matched::{Found, matched};
use crate::report::ReportMark;
use crate::source::{Source, SourcePlayer};
use crate::written::WriteError;
use std::collections::BTreeMap;

/// For each player which of the report's they are. Where no names are given, they are known by their numbers, where
/// these are those that an engine is told, or by their places.
///
/// # Errors
/// Where the report lists players, and nobody who plays here is one of them: it is that of another tournament.
pub fn found(source: &Source, report: &Source) -> Result<Vec<Option<Found>>, WriteError> {
    let found = matched(source, report);
    if report.players.is_empty() || found.iter().flatten().any(|one| one.is_sure) {
        return Ok(found);
    }
    let named = source.players.iter().find(|player| is_named(player));
    let missing = source.players.iter().zip(&found).find(|(_, found)| found.is_none());
    if let Some(player) = named.or(missing.map(|(player, _)| player)) {
        return Err(WriteError::NotInFile { player: player.name.clone() });
    }
    if !source.report.numbered_as_told {
        return Ok(found);
    }
    let numbers = report.players.iter().enumerate();
    let numbers: BTreeMap<u32, usize> =
        numbers.filter_map(|(at, player)| Some((player.sign_up?, at))).collect();
    let of = |player: &SourcePlayer| {
        let at = *numbers.get(&player.sign_up?)?;
        Some(Found { at, is_sure: false })
    };
    Ok(source.players.iter().map(of).collect())
}

/// Whether it is said who a player is: `player 12` is somebody without a name.
fn is_named(player: &SourcePlayer) -> bool {
    let number = player.name.strip_prefix("player ").map(str::parse::<u32>);
    player.publisher_id.is_some() || !matches!(number, Some(Ok(_)))
}

/// What is kept of a report beside its records: dates of birth, given by its players' numbers, of whoever is the same
/// by id or name; how many are rated, where nothing changed that makes them others; and points and ranks, where no
/// result came since.
pub fn kept(
    source: &Source,
    report: &Source,
    theirs: &[Option<Found>],
    mut births: BTreeMap<u32, String>,
    rated: Option<usize>,
) -> Kept {
    let of = |found: &Option<Found>| report.players.get(found.as_ref()?.at);
    let own = theirs.iter().map(|found| {
        let number = of(found)?.sign_up.filter(|_| found.as_ref().is_some_and(|one| one.is_sure));
        births.remove(&number?)
    });
    let own = own.map(Option::unwrap_or_default).collect();
    let is_same = source.players.len() == report.players.len()
        && source.players.iter().zip(theirs).all(|(player, found)| {
            of(found).is_some_and(|known| player.rating.or(known.rating) == known.rating)
        });
    // What was played since gives others.
    let is_as_far = results(source) == results(report);
    let row = |found: &Option<Found>| {
        let at = found.as_ref().filter(|_| is_as_far)?.at;
        let row = report.published.iter().find(|row| row.player == at)?;
        Some((row.points_tenths, row.rank))
    };
    let other_number = |&(player, found): &(&SourcePlayer, &Option<Found>)| {
        of(found).is_some_and(|known| known.sign_up != player.sign_up)
    };
    let others = source.players.iter().zip(theirs).filter(other_number).count();
    Kept {
        births: own,
        rated: rated.filter(|_| is_same),
        lost_births: births.len(),
        published: theirs.iter().map(row).collect(),
        other_numbers: if source.report.numbered_as_told { others } else { 0 },
        other_color: false,
        other_worth: report.points.is_some()
            && source.points.as_ref().is_some_and(|own| Some(own) != report.points.as_ref()),
    }
}

/// How many rounds there are, and how many tables with a result.
fn results(source: &Source) -> [usize; 2] {
    let tables = source.rounds().flat_map(|(_, round)| &round.tables);
    [source.rounds().count(), tables.filter(|table| table.has_result()).count()]
}

/// The tournament with the numbers, titles, federations and records of its report. Where its own numbers are those that
/// a pairing engine is told, they stay, and the records have them.
pub fn with_report(source: &Source, report: Source, theirs: &[Option<Found>]) -> Source {
    let theirs: Vec<_> = theirs.iter().map(|found| Some(found.as_ref()?.at)).collect();
    let mut merged = source.clone();
    // Before anybody is entered there, numbers are ours too.
    let stay = source.report.numbered_as_told || report.players.is_empty();
    let mut free = report.players.iter().filter_map(|player| player.sign_up).max().unwrap_or(0);
    for (player, found) in merged.players.iter_mut().zip(&theirs) {
        let Some(known) = found.and_then(|at| report.players.get(at)) else {
            if !stay {
                free += 1;
                player.sign_up = Some(free);
            }
            continue;
        };
        if !stay {
            player.sign_up = known.sign_up;
        }
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
    if stay && !report.players.is_empty() {
        let both = theirs.iter().zip(&source.players);
        let number = |(at, own): (&Option<usize>, &SourcePlayer)| {
            Some((report.players.get((*at)?)?.sign_up?, own.sign_up?))
        };
        let numbers: BTreeMap<u32, u32> = both.filter_map(number).collect();
        let names_teams = merged.report.names_teams();
        let records = std::mem::take(&mut merged.report.records);
        let records = records.iter().flat_map(|one| renumbered(one, &numbers, names_teams));
        merged.report.records = records.collect();
    }
    // Our first color is that of our first number.
    let mut both = merged.players.iter().zip(&source.players);
    if let Some(is_white) = source.report.first_is_white()
        && both.all(|(new, own)| new.sign_up == own.sign_up)
    {
        merged.report.set_first_color(is_white);
    }
    merged.report.records.retain(|record| record.code != "XXZ" || !was_away);
    // Its ranks are those of the tournament's ruleset now; those of teams are its own.
    if !source.tie_breaks.is_empty() && !merged.report.is_of_teams() {
        merged.report.records.retain(|record| !matches!(&record.code[..], "202" | "212"));
    }
    merged.held_on = merged.held_on.or(report.held_on);
    if merged.held_on.is_some() {
        // A day that was not understood there is said by ours.
        merged.report.records.retain(|record| record.code != "042");
    }
    if merged.points.is_some() && merged.points != report.points {
        // The points of its lines are counted by ours, which the records say then.
        merged.report.records.retain(|record| !points::CODES.contains(&record.code.as_str()));
    }
    merged.points = merged.points.or(report.points);
    merged.planned_rounds = merged.planned_rounds.or(report.planned_rounds);
    merged
}
