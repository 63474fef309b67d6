//! How a match came out: rulings decide; where there are none the ruleset's outcome rule does.

use super::lines::{LineAt, line_at};
use crate::ruleset::{Outcome, OutcomeRule, Ruleset};
use scrutineer_engine::event::{MatchResult, Ruling};
use scrutineer_engine::tournament::{MatchView, Tournament};
use smallvec::SmallVec;

/// How each seat of a match came out under a ruleset; `None` throughout where it has no result, or
/// where neither rulings nor the outcome rule decide it.
pub fn outcomes(
    state: &Tournament,
    rules: &Ruleset,
    found: MatchView<'_>,
) -> SmallVec<[Outcome; 4]> {
    let line = match &rules.outcome {
        OutcomeRule::Line(name) => {
            state.scoresheet(found.round()).and_then(|sheet| line_at(sheet, name))
        }
        OutcomeRule::RulingOnly => None,
    };
    let verdict = Verdict::of(found, rules, line);
    (0..found.seats().len()).map(|seat| verdict.outcome(found, seat)).collect()
}

/// Rules a match of two as its score says, where a ruleset goes by rulings alone and nobody ruled: the higher
/// value of the first line won, the same value is a draw, and nothing at all is lost by both.
pub fn rule_by_score(rules: &Ruleset, result: &mut MatchResult) {
    let is_open = rules.outcome == OutcomeRule::RulingOnly && result.rulings.is_empty();
    let [one, other] = &result.score.seats[..] else { return };
    let (Some(one), Some(other)) = (one.first(), other.first()) else { return };
    if !is_open {
        return;
    }
    let is_nothing = *one == 0 && *other == 0 && result.score.table.iter().all(|drawn| *drawn == 0);
    let rulings = match one.cmp(other) {
        std::cmp::Ordering::Greater => [Ruling::Win, Ruling::Loss],
        std::cmp::Ordering::Less => [Ruling::Loss, Ruling::Win],
        std::cmp::Ordering::Equal if is_nothing => [Ruling::Loss, Ruling::Loss],
        std::cmp::Ordering::Equal => [Ruling::Draw, Ruling::Draw],
    };
    result.rulings = rulings.into_iter().map(Some).collect();
}

/// Whether a match of `state` that ended with this result would be drawn under a ruleset.
pub fn is_drawn(
    state: &Tournament,
    rules: &Ruleset,
    found: MatchView<'_>,
    result: &MatchResult,
) -> bool {
    if !result.rulings.is_empty() {
        return result.rulings.contains(&Some(Ruling::Draw));
    }
    let OutcomeRule::Line(name) = &rules.outcome else { return false };
    let sheet = state.scoresheet(found.round());
    let Some(LineAt::Seat(line)) = sheet.and_then(|sheet| line_at(sheet, name)) else {
        return false;
    };
    let values = || result.score.seats.iter().filter_map(|seat| seat.get(line));
    let best = values().max();
    values().filter(|value| Some(*value) == best).count() > 1
}

/// What decides a match.
pub(super) enum Verdict {
    /// Nothing yet.
    None,
    /// Rulings.
    Ruled,
    /// The best value of a line, which several seats may share.
    Line { line: usize, best: i32, shared: bool },
}

impl Verdict {
    /// What decides this match; `line` is where its scoresheet holds the line of the outcome rule.
    pub(super) fn of(found: MatchView<'_>, rules: &Ruleset, line: Option<LineAt>) -> Verdict {
        if found.result().is_none() {
            return Verdict::None;
        }
        if found.seats().iter().any(|seat| seat.ruling.is_some()) {
            return Verdict::Ruled;
        }
        let (OutcomeRule::Line(_), Some(LineAt::Seat(line)), Some(score)) =
            (&rules.outcome, line, found.score())
        else {
            return Verdict::None;
        };
        let (mut best, mut shared) = (score.seat(0, line), false);
        for seat in 1..found.seats().len() {
            let value = score.seat(seat, line);
            shared = value == best || (shared && value < best);
            best = best.max(value);
        }
        Verdict::Line { line, best, shared }
    }

    /// How this seat came out.
    pub(super) fn outcome(&self, found: MatchView<'_>, seat: usize) -> Outcome {
        match *self {
            Verdict::None => Outcome::None,
            Verdict::Ruled => match found.seats()[seat].ruling {
                Some(Ruling::Win | Ruling::Place(1)) => Outcome::Win,
                Some(Ruling::Draw) => Outcome::Draw,
                Some(Ruling::Loss | Ruling::Place(_)) => Outcome::Loss,
                // Rulings for some seats only are not admitted.
                Some(Ruling::NoResult) | None => Outcome::None,
            },
            Verdict::Line { line, best, shared } => {
                let own = found.score().map_or(0, |score| score.seat(seat, line));
                match own == best {
                    true if shared => Outcome::Draw,
                    true => Outcome::Win,
                    false => Outcome::Loss,
                }
            }
        }
    }
}
