//! How such an upload is written. The keys with which it is sent are the organizer's, and not in it.

use crate::source::*;
use crate::trf::results_of;
use crate::xml_edit::escaped;
use crate::{WriteError, Written, check, sheet};
use scrutineer_engine::event::{ByeKind, MatchResult, PhaseKind};
use std::collections::BTreeSet;

/// The tie-breaks that are written, by their numbers.
const MEASURES: [(&str, PublishedMeasure); 2] =
    [("37", PublishedMeasure::Buchholz), ("52", PublishedMeasure::SonnebornBerger)];

/// Writes a tournament; points and ranks are those of its published standings.
pub fn write(source: &Source) -> Result<Written, WriteError> {
    let numbers = numbers(source);
    let played = source.rounds().count();
    let planned = played.max(source.planned_rounds.map_or(0, usize::from));
    let is_there = |measure: PublishedMeasure| {
        source.published.iter().flat_map(|row| &row.values).any(|value| value.measure == measure)
    };
    let measures: Vec<_> = MEASURES.into_iter().filter(|one| is_there(one.1)).collect();
    let kind = match source.phases.first().map(|phase| phase.kind) {
        Some(PhaseKind::RoundRobin) => "1",
        _ => "0",
    };
    let day = source.held_on.map_or_else(String::new, |day| day.to_string().replace('-', ""));
    let key =
        source.identity.strip_prefix("chess-results ").filter(|key| key.parse::<u64>().is_ok());
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<chessresults>\n");
    text += "    <tournamentdata>\n";
    let mut head = vec![
        ("key", key.unwrap_or("0").to_owned()),
        ("type", kind.to_owned()),
        ("name", source.title.clone()),
        ("rounds", planned.to_string()),
        ("currentround", played.to_string()),
        ("rankinground", source.published_after.unwrap_or(0).to_string()),
        ("from", day.clone()),
        ("to", day),
    ];
    let names = ["tb1no", "tb2no", "tb3no", "tb4no", "tb5no"];
    let codes = measures.iter().map(|one| one.0).chain(std::iter::repeat("0"));
    head.extend(names.into_iter().zip(codes).map(|(name, code)| (name, code.to_owned())));
    head.push(("endstatus", if source.finished { "J" } else { "N" }.to_owned()));
    element(&mut text, "tournament", &head);
    text += "    </tournamentdata>\n    <rounds>\n";
    for round in 1..=planned {
        element(&mut text, "round", &[("round", round.to_string())]);
    }
    text += "    </rounds>\n    <players>\n";
    for (at, player) in source.players.iter().enumerate() {
        element(&mut text, "player", &attributes(source, at, player, numbers[at], &measures));
    }
    text += "    </players>\n    <playerpairings>\n";
    for (number, (_, round)) in (1..).zip(source.rounds()) {
        pairings(&mut text, source, number, round, &numbers)?;
    }
    text += "    </playerpairings>\n</chessresults>\n";
    Ok(Written { text, left_out: left_out(source) })
}

/// The number of each player: that of their sign-up, where all have another.
fn numbers(source: &Source) -> Vec<u32> {
    let own: Vec<u32> = source.players.iter().filter_map(|player| player.sign_up).collect();
    let once: BTreeSet<u32> = own.iter().copied().filter(|number| *number > 0).collect();
    match once.len() == source.players.len() {
        true => own,
        false => (1..).take(source.players.len()).collect(),
    }
}

/// An element, each attribute in a line as the publisher's own files have it.
fn element(text: &mut String, name: &str, attributes: &[(&str, String)]) {
    *text += &format!("        <{name}");
    for (name, value) in attributes {
        *text += &format!("\n            {name}=\"{}\"", escaped(value));
    }
    *text += "\n        />\n";
}

pub(super) fn attributes<'n>(
    source: &Source,
    at: usize,
    player: &SourcePlayer,
    number: u32,
    measures: &[(&str, PublishedMeasure)],
) -> Vec<(&'n str, String)> {
    let (last, first) = player.name.split_once(", ").unwrap_or((&player.name, ""));
    let rating = player.rating.filter(|rating| *rating > 0).map(|rating| rating.to_string());
    let row = source.published.iter().find(|row| row.player == at);
    let mut all = vec![
        ("no", number.to_string()),
        ("lastname", last.to_owned()),
        ("firstname", first.to_owned()),
        ("title", player.title.clone().unwrap_or_default()),
        ("rtg", rating.unwrap_or_default()),
        ("fed", player.federation.clone().unwrap_or_default()),
        ("fideid", player.publisher_id.clone().unwrap_or_default()),
        ("rank", row.map_or_else(String::new, |row| row.rank.to_string())),
    ];
    for (name, (_, measure)) in ["tb1", "tb2"].into_iter().zip(measures) {
        let value = row.and_then(|row| row.values.iter().find(|value| value.measure == *measure));
        all.push((name, value.map_or_else(String::new, |value| value.text.replace('.', ","))));
    }
    all.push(("pts", row.map_or_else(String::new, |row| points(row.points_tenths))));
    all
}

/// Points as the publisher prints them.
pub(super) fn points(tenths: i64) -> String {
    let sign = if tenths < 0 { "-" } else { "" };
    let tenths = tenths.unsigned_abs();
    format!("{sign}{},{}", tenths / 10, tenths % 10)
}

/// The points of a game for white and for black, and whether it was forfeited or adjourned.
pub(super) fn words_of(result: &MatchResult) -> ([&'static str; 2], &'static str) {
    let results = results_of(result);
    let forfeit = match results {
        _ if result.is_postponed() => "H",
        ['-', '-'] => "D",
        [one, other] if [one, other].iter().any(|result| matches!(result, '+' | '-')) => "K",
        _ => "",
    };
    let points = results.map(|result| match result {
        '1' | '+' => "1.0",
        '=' => "0.5",
        '0' | '-' => "0.0",
        _ => "",
    });
    (points, forfeit)
}

/// The opponent who stands for a bye, its points, and whether it was forfeited.
pub(super) fn words_of_bye(kind: ByeKind) -> (&'static str, [&'static str; 2], &'static str) {
    match kind {
        ByeKind::Assigned | ByeKind::Vacant => ("-1", ["1.0", "0.0"], "K"),
        ByeKind::Awarded => ("-2", ["1.0", "0.0"], "K"),
        ByeKind::Half => ("-2", ["0.5", "0.0"], "K"),
        ByeKind::Zero | ByeKind::AwardedLoss => ("-2", ["", ""], ""),
    }
}

/// A pairing, as its attributes are written.
pub(super) fn pairing(
    round: usize,
    pairing: u32,
    [white, black]: [String; 2],
    [one, other]: [&str; 2],
    forfeit: &str,
) -> [(&'static str, String); 8] {
    [
        ("round", round.to_string()),
        ("pairing", pairing.to_string()),
        ("board", "1".to_owned()),
        ("whiteno", white),
        ("blackno", black),
        ("reswhite", one.to_owned()),
        ("resblack", other.to_owned()),
        ("forfeit", forfeit.to_owned()),
    ]
}

/// The two players of a match, white first.
pub(super) fn seats(round: &SourceRound, table: &SourceTable) -> Result<[usize; 2], WriteError> {
    match table.seats[..] {
        [white, black] => Ok([white.player, black.player]),
        _ => Err(WriteError::NotTwo { round: round.name.clone(), seats: table.seats.len() }),
    }
}

/// The byes of a round, and who had left before it: the publisher's own files have a line for everybody in each.
pub(super) fn byes(source: &Source, number: usize, round: &SourceRound) -> Vec<SourceBye> {
    let here: BTreeSet<usize> = check::appearances(round).map(|(player, _)| player).collect();
    let gone = source.drops.iter().filter(|drop| usize::from(drop.after_round) < number);
    let gone: BTreeSet<usize> = gone.map(|drop| drop.player).collect();
    let away = |player: &usize| {
        let (player, kind, reported) = (*player, ByeKind::Zero, None);
        SourceBye { player, kind, reported, place: String::new() }
    };
    round.byes.iter().cloned().chain(gone.difference(&here).map(away)).collect()
}

fn pairings(
    text: &mut String,
    source: &Source,
    number: usize,
    round: &SourceRound,
    numbers: &[u32],
) -> Result<(), WriteError> {
    let numbers_of_tables = round.numbers();
    for (table, own) in round.tables.iter().zip(&numbers_of_tables) {
        let players = seats(round, table)?.map(|player| numbers[player].to_string());
        let (points, forfeit) = words_of(&table.result);
        element(text, "playerpairing", &pairing(number, *own, players, points, forfeit));
    }
    let mut next = numbers_of_tables.into_iter().max().unwrap_or(0);
    for bye in byes(source, number, round) {
        next = next.saturating_add(1);
        let (other, points, forfeit) = words_of_bye(bye.kind);
        let players = [numbers[bye.player].to_string(), other.to_owned()];
        element(text, "playerpairing", &pairing(number, next, players, points, forfeit));
    }
    Ok(())
}

pub(super) fn left_out(source: &Source) -> Vec<String> {
    let tables = || source.rounds().flat_map(|(_, round)| &round.tables);
    let byes = |kind| {
        let all = source.rounds().flat_map(|(_, round)| &round.byes);
        all.filter(|bye| bye.kind == kind).count()
    };
    let is_more = |table: &&SourceTable| {
        let games = sheet::games_of(&table.result.score);
        games.map_or(table.result.score != scrutineer_engine::event::Score::default(), |games| {
            games.iter().sum::<i32>() > 1
        })
    };
    let without = tables().filter(|table| table.table.is_none()).count();
    let found = [
        (
            tables().filter(is_more).count(),
            "scores of matches, of which only the winner is written",
        ),
        (without, "tables without a number, counted through in their round"),
        (
            tables().filter(|table| table.result.is_postponed()).count(),
            "postponed matches, written as adjourned",
        ),
        (
            tables().filter(|table| table.result.is_void() && !table.result.is_postponed()).count(),
            "matches that do not count, written without a result",
        ),
        (byes(ByeKind::Vacant), "opponents who were gone, written as byes"),
        (byes(ByeKind::AwardedLoss), "awarded losses, written as byes of no point"),
        (
            source.players.iter().filter(|one| one.division.is_some()).count(),
            "divisions of players",
        ),
        (source.drops.len(), "players who left, written as not paired in the rounds since"),
        (source.weighed_rounds(), "rounds that count more or less than others"),
        (source.phases.len().saturating_sub(1), "further phases, written as rounds of one"),
    ];
    let told = found.into_iter().filter(|(count, _)| *count > 0);
    told.map(|(count, what)| format!("{what}: {count}")).collect()
}
