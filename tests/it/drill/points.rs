//! Match points, added up by hand: 3 for a win and for a bye, 1 for a draw, 0 for a loss.

use super::auditor::Finding;
use super::model::Model;
use num_rational::BigRational;
use scrutineer_engine::event::*;
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::ruleset::Ruleset;
use scrutineer_projections::standings::{Detail, Standings};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Everybody in the standings through a round, with their points.
fn points(model: &Model, through: RoundNumber) -> BTreeMap<PlayerNumber, i64> {
    let mut points = BTreeMap::new();
    let rounds: Vec<_> = model.rounds().filter(|(_, round)| round.round <= through).collect();
    for number in 1..=model.numbers_given() {
        if model.player(number).is_none() || is_disqualified(model, number, through) {
            continue;
        }
        let takes_part = (1..=through).any(|round| model.plays(number, round));
        if takes_part || rounds.iter().any(|(seq, _)| model.sits(number, *seq)) {
            points.insert(number, 0);
        }
    }
    for (round, _) in rounds {
        for (pairing, table) in model.tables(round) {
            let Some((_, result)) = model.result(pairing) else { continue };
            for (seat, sitting) in table.seats.iter().enumerate() {
                let won = worth(result, seat);
                points.entry(sitting.player).and_modify(|sum| *sum += won);
            }
        }
        for (_, bye) in model.byes(round) {
            let worth = match bye.kind {
                ByeKind::Assigned | ByeKind::Awarded => 3,
                _ => 0,
            };
            points.entry(bye.player).and_modify(|sum| *sum += worth);
        }
    }
    points
}

/// Whether the last thing that was said for a round up to this one is that they are disqualified.
fn is_disqualified(model: &Model, player: PlayerNumber, through: RoundNumber) -> bool {
    let said = model.availability(player).into_iter().filter_map(|(_, event)| match event {
        Event::PlayerDropped(e) if e.after_round <= through => {
            Some(e.why == DropReason::Disqualified)
        }
        Event::PlayerReinstated(e) if e.from_round <= through => Some(false),
        _ => None,
    });
    said.collect::<Vec<bool>>().last() == Some(&true)
}

fn worth(result: &MatchResult, seat: usize) -> i64 {
    let games = |seat: usize| result.score.seats[seat][0];
    match result.rulings.get(seat).copied().flatten() {
        Some(Ruling::Win | Ruling::Place(1)) => 3,
        Some(Ruling::Draw) => 1,
        Some(_) => 0,
        None => {
            let best =
                (0..result.score.seats.len()).filter(|other| *other != seat).map(games).max();
            match games(seat).cmp(&best.unwrap_or(0)) {
                std::cmp::Ordering::Greater => 3,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Less => 0,
            }
        }
    }
}

/// Compares the standings after the last round of the first phase, where all its tables are done.
/// Says how many values were compared.
pub fn compare(model: &Model, state: &Tournament, rules: &Arc<Ruleset>) -> Result<usize, Finding> {
    let of_first = model.rounds().filter(|(_, round)| round.phase == 1);
    let Some((_, last)) = of_first.last() else { return Ok(0) };
    let through = last.round;
    let until = model.rounds().filter(|(_, round)| round.round <= through);
    let open = until.into_iter().any(|(round, _)| model.completed(round).is_none());
    if open || model.rounds().any(|(_, round)| round.round <= through && round.phase != 1) {
        return Ok(0);
    }
    let wrong = |sentence: String| Err(Finding { name: "standings", sentence });
    let scope = Scope { through: Some(through), final_order: Some(true) };
    let standings = match Standings::of(state, rules, scope, Detail::All) {
        Ok(standings) => standings,
        Err(error) => return wrong(error.to_string()),
    };
    let mut expected = points(model, through);
    let compared = expected.len();
    let mut above: Option<(u32, i64)> = None;
    for row in &standings.rows {
        let Some(sum) = expected.remove(&row.player) else {
            return wrong(format!("player {} has no place in them", row.player));
        };
        let told = standings.value(row, "points");
        if told != Some(BigRational::from_integer(sum.into())) {
            return wrong(format!("player {} has {sum} points, not {told:?}", row.player));
        }
        let out_of_order = |(rank, points): (u32, i64)| {
            sum > points || row.rank < rank || (sum < points && row.rank == rank)
        };
        if above.is_some_and(out_of_order) {
            return wrong(format!(
                "player {} with {sum} points is placed {}",
                row.player, row.rank
            ));
        }
        above = Some((row.rank, sum));
    }
    match expected.keys().next() {
        Some(player) => wrong(format!("player {player} is missing")),
        None => Ok(compared),
    }
}
