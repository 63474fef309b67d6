//! One tournament under two rulesets: who moves, who enters or leaves the cut, and because of what.

mod nearest;

use crate::cut::Cut;
use crate::explain::{between, step_label};
use crate::ruleset::Ruleset;
use crate::standings::{Decided, Row, Standings};
use nearest::Nearest;
use scrutineer_engine::event::PlayerNumber;
use std::cmp::Ordering;

/// A key in which two rulesets differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyDifference {
    /// The key, such as `settings.percentage_floor`.
    pub key: String,
    /// Its value in the first; none: it isn't there.
    pub first: Option<String>,
    /// Its value in the second.
    pub second: Option<String>,
}

/// What becomes of a player at the cut, whatever lots say of those who are tied across its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtCut {
    /// They make it under the second ruleset only.
    Enters,
    /// They make it under the first only.
    Leaves,
}

/// How two players stand to each other in the second standings, as against the first: those under
/// another ruleset, or at a later time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Passing {
    /// They were behind the other and is before them.
    Passes,
    /// They were before the other and is behind them.
    PassedBy,
    /// They share a place and did not.
    NowLevel,
    /// They shared a place and do not.
    NoLongerLevel,
}

/// A player whose place differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Who.
    pub player: PlayerNumber,
    /// Their place under the first ruleset.
    pub first: u32,
    /// Their place under the second.
    pub second: u32,
    /// What becomes of them at the cut.
    pub at_cut: Option<AtCut>,
    /// The nearest player to whom they stand otherwise, and how.
    pub passes: Option<(PlayerNumber, Passing)>,
    /// What told the two apart under the first ruleset.
    pub first_step: Option<String>,
    /// What tells them apart under the second.
    pub second_step: Option<String>,
    /// The differences that alone would bring them to the same place.
    pub because: Vec<String>,
}

/// One tournament under two rulesets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// In what the rulesets differ; where a setting differs, not what merely follows from it.
    pub differences: Vec<KeyDifference>,
    /// Who moves, in the order of the second ruleset.
    pub moves: Vec<Move>,
    /// How many stay.
    pub unchanged: usize,
    /// How many make the cut.
    pub cut: Option<u32>,
}

/// The keys in which two rulesets rank differently. How a measure is called or printed is no
/// difference, nor how many rounds a ruleset suggests or how it draws them.
pub fn differences(first: &Ruleset, second: &Ruleset) -> Vec<KeyDifference> {
    let keys = first.keys.keys().chain(second.keys.keys());
    let ranks = |key: &&String| {
        let of_measure = key.starts_with("measures.");
        let printed = [".label", ".show", ".decimals"].iter().any(|end| key.ends_with(end));
        let before_play = key.starts_with("attendance") || key.starts_with("draw.");
        !(before_play || of_measure && printed)
    };
    let mut keys: Vec<&String> = keys.filter(ranks).collect();
    keys.sort();
    keys.dedup();
    let difference = |key: &String| KeyDifference {
        key: key.clone(),
        first: first.keys.get(key).cloned(),
        second: second.keys.get(key).cloned(),
    };
    keys.into_iter().map(difference).filter(|one| one.first != one.second).collect()
}

/// Compares two standings of one tournament. `variants` are standings under the first ruleset with a
/// single difference taken over from the second, each with the key of that difference; `cut` is who
/// makes the cut by each.
pub fn compare(
    first: &Standings,
    second: &Standings,
    differences: Vec<KeyDifference>,
    variants: &[(String, Standings)],
    cut: Option<[Cut; 2]>,
) -> Comparison {
    let nearest = Nearest::new(first, second);
    let mut moves = Vec::new();
    let mut unchanged = 0;
    for (at, row) in second.rows.iter().enumerate() {
        match first.row(row.player) {
            Some(before) if before.rank == row.rank => unchanged += 1,
            before => {
                let passes = nearest.passed(at);
                moves.push(describe(first, second, variants, &cut, before, row, passes));
            }
        }
    }
    let cut = cut.map(|[cut, _]| cut.size);
    Comparison { differences, moves, unchanged, cut }
}

fn describe(
    first: &Standings,
    second: &Standings,
    variants: &[(String, Standings)],
    cut: &Option<[Cut; 2]>,
    before: Option<&Row>,
    row: &Row,
    passes: Option<(PlayerNumber, Passing)>,
) -> Move {
    let rank_before = before.map_or(0, |before| before.rank);
    let at_cut = cut.as_ref().and_then(|[before, after]| {
        let who = row.player;
        let enters = before.lacks_surely(who) && after.has_surely(who);
        let leaves = before.has_surely(who) && after.lacks_surely(who);
        enters.then_some(AtCut::Enters).or(leaves.then_some(AtCut::Leaves))
    });
    let step = |standings: &Standings| {
        let (other, _) = passes?;
        told_apart(standings, row.player, other)
    };
    let brings = |(_, variant): &&(String, Standings)| {
        variant.row(row.player).is_some_and(|there| there.rank == row.rank)
    };
    Move {
        player: row.player,
        first: rank_before,
        second: row.rank,
        at_cut,
        passes,
        first_step: step(first),
        second_step: step(second),
        because: variants.iter().filter(brings).map(|(key, _)| key.clone()).collect(),
    }
}

/// To whom the player stands otherwise in the second standings than in the first, in the order of
/// the second. Who is not in both is not compared.
pub fn passings(
    first: &Standings,
    second: &Standings,
    player: PlayerNumber,
) -> Vec<(PlayerNumber, Passing)> {
    let own = first.row(player).zip(second.row(player));
    let Some((own_first, own_second)) = own.map(|(a, b)| (a.rank, b.rank)) else {
        return Vec::new();
    };
    let stands = |other: &Row| {
        let there = first.row(other.player)?.rank;
        match (there.cmp(&own_first), other.rank.cmp(&own_second)) {
            (Ordering::Less, Ordering::Greater) => Some(Passing::Passes),
            (Ordering::Greater, Ordering::Less) => Some(Passing::PassedBy),
            (Ordering::Equal, Ordering::Equal) => None,
            (_, Ordering::Equal) => Some(Passing::NowLevel),
            (Ordering::Equal, _) => Some(Passing::NoLongerLevel),
            _ => None,
        }
    };
    let others = second.rows.iter().filter(|other| other.player != player);
    others.filter_map(|other| Some((other.player, stands(other)?))).collect()
}

/// What tells two players of the same standings apart, in words; none where one is not in them.
pub fn told_apart(standings: &Standings, one: PlayerNumber, other: PlayerNumber) -> Option<String> {
    let decided = between(standings, standings.position(one)?, standings.position(other)?);
    Some(in_words(standings, standings.row(one)?, decided))
}

/// What told a player from another, in words.
pub fn in_words(standings: &Standings, row: &Row, decided: Decided) -> String {
    match decided {
        Decided::Step(at) => step_label(&standings.rules, &standings.layer(row).steps[at]),
        Decided::Phase => "the phase".into(),
        Decided::Lots => "lots".into(),
        Decided::LotsPending => "nothing (lots are not drawn)".into(),
        Decided::First | Decided::Tied => "nothing".into(),
    }
}
