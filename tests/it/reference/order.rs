//! The order: groups of tied players are split by one step after another.

use super::measures::{Values, of_round};
use super::rounds::OwnRound;
use super::{Field, big, whole};
use num_rational::BigRational;
use scrutineer_engine::event::{DropReason, PhaseKind, PlayerNumber};
use scrutineer_projections::ruleset::*;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Players whom no step tells apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Their numbers, rising.
    pub players: Vec<PlayerNumber>,
    /// The step that put them behind the group before them; none: they are the first.
    pub step: Option<usize>,
}

pub fn rank(
    field: &Field<'_>,
    values: &Values,
    steps: &[Step],
    of_layer: &[PlayerNumber],
) -> Vec<Group> {
    let mut players: Vec<PlayerNumber> = field
        .facts
        .players
        .iter()
        .filter(|player| of_layer.contains(&player.number))
        .filter(|player| player.left(field.until) != Some(DropReason::Disqualified))
        .map(|player| player.number)
        .collect();
    players.sort_unstable();
    if players.is_empty() {
        return Vec::new();
    }
    let mut groups = vec![Group { players, step: None }];
    for (at, step) in steps.iter().enumerate() {
        let mut next = Vec::new();
        for group in groups {
            let mut parts = split(field, values, step, &group.players).into_iter();
            let first = parts.next().expect("a group is never empty");
            next.push(Group { players: first, step: group.step });
            next.extend(parts.map(|players| Group { players, step: Some(at) }));
        }
        groups = next;
    }
    groups
}

fn split(
    field: &Field<'_>,
    values: &Values,
    step: &Step,
    tied: &[PlayerNumber],
) -> Vec<Vec<PlayerNumber>> {
    match step {
        Step::Measure { measure, lowest_first } => {
            let id = &field.rules.measures[*measure].id;
            let value = |player| values[&player][id].clone();
            if *lowest_first {
                sorted(tied, value)
            } else {
                sorted(tied, |player| Reverse(value(player)))
            }
        }
        Step::HeadToHead { only_pairs: true, .. } if tied.len() != 2 => vec![tied.to_vec()],
        Step::HeadToHead { mode, forfeits_in, by, .. } => {
            let kind = field.known.phase.map_or(PhaseKind::Swiss, |phase| phase.kind);
            let field = &Duels { field, forfeits: forfeits_in.contains(&kind), by: *by };
            match mode {
                HeadToHead::AllMet => all_met(field, tied),
                HeadToHead::BeatAll => {
                    first_then_the_rest(tied, |rest| beat_every_other(field, rest))
                }
                HeadToHead::Certain => certain(field, tied, false),
                HeadToHead::CertainAnew => certain(field, tied, true),
            }
        }
    }
}

/// A tournament, and whether a forfeited table is a match of it.
struct Duels<'a> {
    field: &'a Field<'a>,
    forfeits: bool,
    /// The total by which matches count, where it is none of points.
    by: Option<usize>,
}

/// Groups of equal keys, the lowest key first.
fn sorted<K: Ord>(
    tied: &[PlayerNumber],
    key: impl Fn(PlayerNumber) -> K,
) -> Vec<Vec<PlayerNumber>> {
    let keys: BTreeSet<K> = tied.iter().map(|player| key(*player)).collect();
    let with = |wanted: K| tied.iter().copied().filter(|p| key(*p) == wanted).collect();
    keys.into_iter().map(with).collect()
}

/// The rounds in which a player played against at least one of the tied; a forfeited table was
/// not played, but may be a match.
fn among<'a>(
    field: &'a Duels<'_>,
    player: PlayerNumber,
    tied: &[PlayerNumber],
) -> Vec<&'a OwnRound> {
    let met = |round: &&OwnRound| {
        let forfeited = matches!(round.kind, RoundKind::ForfeitWin | RoundKind::ForfeitLoss);
        (matches!(round.kind, RoundKind::Played | RoundKind::DoubleLoss)
            || (forfeited && field.forfeits))
            && round.opponents.iter().any(|o| tied.contains(o))
    };
    field.field.rounds[&player].iter().filter(met).collect()
}

fn have_met(field: &Duels<'_>, one: PlayerNumber, other: PlayerNumber) -> bool {
    !among(field, one, &[other]).is_empty()
}

fn points_among(field: &Duels<'_>, player: PlayerNumber, tied: &[PlayerNumber]) -> BigRational {
    let rounds = &field.field.rounds[&player];
    let counts = |round: &OwnRound| match field.by.map(|by| &field.field.rules.measures[by].formula)
    {
        Some(Formula::Total(total)) => {
            let at = rounds.iter().position(|own| own.number == round.number);
            of_round(field.field, total, rounds, at.expect("a round of theirs"))
        }
        _ => round.points.clone(),
    };
    among(field, player, tied).into_iter().map(counts).sum()
}

/// How many of the tied a player has not met.
fn missing(field: &Duels<'_>, player: PlayerNumber, tied: &[PlayerNumber]) -> usize {
    tied.iter().filter(|other| **other != player && !have_met(field, player, **other)).count()
}

fn all_met(field: &Duels<'_>, tied: &[PlayerNumber]) -> Vec<Vec<PlayerNumber>> {
    if tied.iter().any(|player| missing(field, *player, tied) > 0) {
        return vec![tied.to_vec()];
    }
    sorted(tied, |player| Reverse(points_among(field, player, tied)))
}

/// Whoever is `best` goes first, then the rest anew; who remains stays tied.
fn first_then_the_rest(
    tied: &[PlayerNumber],
    best: impl Fn(&[PlayerNumber]) -> Option<PlayerNumber>,
) -> Vec<Vec<PlayerNumber>> {
    let mut rest = tied.to_vec();
    let mut groups = Vec::new();
    while rest.len() > 1
        && let Some(first) = best(&rest)
    {
        rest.retain(|player| *player != first);
        groups.push(vec![first]);
    }
    groups.push(rest);
    groups
}

fn beat_every_other(field: &Duels<'_>, tied: &[PlayerNumber]) -> Option<PlayerNumber> {
    let beat = |one: PlayerNumber, other: PlayerNumber| {
        let met = among(field, one, &[other]);
        !met.is_empty() && met.iter().all(|round| round.outcome == Outcome::Win)
    };
    let beat_all = |one: &PlayerNumber| tied.iter().all(|other| other == one || beat(*one, *other));
    tied.iter().copied().find(beat_all)
}

fn certain(field: &Duels<'_>, tied: &[PlayerNumber], begins_anew: bool) -> Vec<Vec<PlayerNumber>> {
    let all = |rest: &[PlayerNumber]| rest.iter().all(|p| missing(field, *p, rest) == 0);
    let mut rest = tied.to_vec();
    let mut groups = Vec::new();
    while !rest.is_empty() {
        if all(&rest) {
            let parts = sorted(&rest, |player| Reverse(points_among(field, player, &rest)));
            // Those who are equal are told apart anew, by the matches among them alone.
            let anew = |part: Vec<PlayerNumber>| match begins_anew && part.len() < rest.len() {
                true => certain(field, &part, true),
                false => vec![part],
            };
            groups.extend(parts.into_iter().flat_map(anew));
            return groups;
        }
        let Some(first) = certainly_first(field, &rest) else { break };
        rest.retain(|player| *player != first);
        groups.push(vec![first]);
    }
    groups.push(rest);
    groups
}

/// Who is first even if they lost every missing match and every other made the most of theirs.
fn certainly_first(field: &Duels<'_>, tied: &[PlayerNumber]) -> Option<PlayerNumber> {
    let points = &field.field.rules.points.outcome;
    let with = |player, each| {
        points_among(field, player, tied) + whole(missing(field, player, tied)) * big(each)
    };
    let first = |one: &PlayerNumber| {
        let least = with(*one, points.loss);
        tied.iter().all(|other| {
            // Nobody knows what a missing match would have brought but in points.
            let is_open = field.by.is_some() && missing(field, *other, tied) > 0;
            other == one || !is_open && with(*other, field.field.rules.points.possible) < least
        })
    };
    tied.iter().copied().find(first)
}
