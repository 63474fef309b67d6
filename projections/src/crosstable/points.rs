//! What one round of one player is worth.

use super::cells::Cells;
use super::{FoldError, PlayerRound};
use crate::ratio::Fraction;
use crate::ruleset::{BonusTest, Outcome, OutcomePoints, RoundKind, Ruleset};
use num_integer::Integer;
use scrutineer_engine::event::Ruling;

/// The outcome of a round without play.
pub(crate) fn outcome_of(kind: RoundKind) -> Outcome {
    use RoundKind::*;
    match kind {
        Bye | AwardedBye | Vacant | ForfeitWin => Outcome::Win,
        HalfBye => Outcome::Draw,
        AwardedLoss | ForfeitLoss | DoubleLoss => Outcome::Loss,
        ZeroBye | Unfinished | Played => Outcome::None,
    }
}

/// What the points of a round depend on.
pub struct Facts<'a> {
    /// The round.
    pub entry: &'a PlayerRound,
    /// What was ruled for the seat.
    pub ruling: Option<Ruling>,
    /// The grade of the result.
    pub grade: Option<&'a str>,
    /// The lines that are kept.
    pub lines: &'a [String],
    /// The cells with their values.
    pub cells: &'a Cells,
    /// The round's position among them.
    pub position: usize,
    /// Whether `[scores]` gives these values to a round without play.
    pub scored: bool,
}

impl Facts<'_> {
    fn line(&self, name: &str) -> (i32, i32) {
        let found = self.lines.iter().position(|line| line == name);
        found.map_or((0, 0), |line| self.cells.lines[line][self.position].into())
    }
}

/// All points of a ruleset over one denominator.
pub struct Scale {
    /// The denominator.
    pub den: i64,
    /// The most that a round can be worth.
    pub possible: i64,
    outcome: [i64; 4],
    kinds: [i64; RoundKind::WORDS.len()],
    special: bool,
}

impl Scale {
    /// The scale of a ruleset.
    pub fn of(rules: &Ruleset) -> Result<Scale, FoldError> {
        let mut den = 1i64;
        for fraction in all_fractions(rules) {
            let wider = (den / den.gcd(&fraction.den())).checked_mul(fraction.den());
            den = wider
                .filter(|den| *den <= 1_000_000_000_000)
                .ok_or_else(|| FoldError::TooLarge { what: "the points' denominator".into() })?;
        }
        let scaled = |fraction: Fraction| {
            let value = fraction.num().checked_mul(den / fraction.den());
            value.ok_or(FoldError::TooLarge { what: "a round's points".into() })
        };
        let points = &rules.points;
        let mut kinds = [0; RoundKind::WORDS.len()];
        for (kind, value) in &points.kinds {
            kinds[*kind as usize] = scaled(*value)?;
        }
        let OutcomePoints { win, draw, loss } = points.outcome;
        let special = points.line.is_some()
            || !points.places.is_empty()
            || !points.grades.is_empty()
            || !points.by_score.is_empty()
            || points.by_score_otherwise.is_some()
            || points.by_margin.is_some()
            || !points.bonuses.is_empty();
        Ok(Scale {
            den,
            possible: scaled(points.possible)?,
            outcome: [scaled(win)?, scaled(draw)?, scaled(loss)?, 0],
            kinds,
            special,
        })
    }

    /// What a played round is worth by its outcome, where nothing else counts and it is small.
    pub fn by_outcome(&self) -> Option<[i32; 4]> {
        let [win, draw, loss, none] = self.outcome.map(i32::try_from);
        (!self.special).then_some([win.ok()?, draw.ok()?, loss.ok()?, none.ok()?])
    }

    /// The points of a round, over the scale's denominator.
    pub fn points(&self, rules: &Ruleset, facts: &Facts<'_>) -> Result<i64, FoldError> {
        let entry = facts.entry;
        if self.special {
            return self.special_points(rules, facts);
        }
        Ok(match entry.kind {
            RoundKind::Unfinished => 0,
            RoundKind::Played => self.outcome[entry.outcome as usize],
            kind => self.kinds[kind as usize],
        })
    }

    fn special_points(&self, rules: &Ruleset, facts: &Facts<'_>) -> Result<i64, FoldError> {
        let entry = facts.entry;
        let points = &rules.points;
        match entry.kind {
            RoundKind::Unfinished => return Ok(0),
            RoundKind::Played => {}
            kind => {
                let from_line = points.line.as_ref().filter(|_| facts.scored);
                return match from_line {
                    Some(line) => self.whole(facts.line(line).0),
                    None => Ok(self.kinds[kind as usize]),
                };
            }
        }
        let base = match &points.line {
            Some(line) => self.whole(facts.line(line).0)?,
            None => self.scaled(self.played(rules, facts))?,
        };
        points.bonuses.iter().try_fold(base, |sum, bonus| {
            let (own, against) = facts.line(&bonus.line);
            let holds = bonus.outcomes.contains(entry.outcome)
                && match bonus.test {
                    BonusTest::AtLeast(least) => own >= least,
                    BonusTest::Margin(margin) => {
                        i64::from(own) - i64::from(against) == i64::from(margin)
                    }
                };
            Ok(if holds { sum + self.scaled(bonus.points)? } else { sum })
        })
    }

    /// The first way of valuing a played round that the ruleset has for it.
    fn played(&self, rules: &Ruleset, facts: &Facts<'_>) -> Fraction {
        let points = &rules.points;
        if let Some(Ruling::Place(place)) = facts.ruling
            && let Some(value) = points.places.get(usize::from(place).wrapping_sub(1))
        {
            return *value;
        }
        if let Some(graded) = facts.grade.and_then(|grade| points.grades.get(grade)) {
            return by_outcome(graded, facts.entry.outcome);
        }
        if let Some(value) = self.by_score(rules, facts) {
            return value;
        }
        if let Some(margin) = &points.by_margin {
            let (own, against) = facts.line(&margin.line);
            let (own, against) = (i64::from(own), i64::from(against));
            let difference = (own - against).abs();
            let reached = |row: &&(i32, Fraction, Fraction)| i64::from(row.0) <= difference;
            if let Some((_, higher, lower)) = margin.rows.iter().rev().find(reached) {
                return if own >= against { *higher } else { *lower };
            }
        }
        by_outcome(&points.outcome, facts.entry.outcome)
    }

    fn by_score(&self, rules: &Ruleset, facts: &Facts<'_>) -> Option<Fraction> {
        let points = &rules.points;
        let games = rules.games.as_ref()?;
        if points.by_score.is_empty() {
            return points.by_score_otherwise;
        }
        let (own, against) = facts.line(&games.line);
        let (drawn, _) = facts.line(&games.drawn);
        points.by_score.get(&(own, against, drawn)).copied().or(points.by_score_otherwise)
    }

    fn whole(&self, value: i32) -> Result<i64, FoldError> {
        let scaled = i64::from(value).checked_mul(self.den);
        scaled.ok_or(FoldError::TooLarge { what: "a round's points".into() })
    }

    fn scaled(&self, value: Fraction) -> Result<i64, FoldError> {
        let scaled = value.num().checked_mul(self.den / value.den());
        scaled.ok_or(FoldError::TooLarge { what: "a round's points".into() })
    }
}

fn by_outcome(points: &OutcomePoints, outcome: Outcome) -> Fraction {
    match outcome {
        Outcome::Win => points.win,
        Outcome::Draw => points.draw,
        Outcome::Loss => points.loss,
        Outcome::None => Fraction::ZERO,
    }
}

fn all_fractions(rules: &Ruleset) -> Vec<Fraction> {
    let mut all = vec![rules.points.possible];
    all.extend(by_result(rules));
    all.extend(rules.points.bonuses.iter().map(|bonus| bonus.points));
    all
}

/// All that a round can be worth, without its bonuses.
fn by_result(rules: &Ruleset) -> Vec<Fraction> {
    let points = &rules.points;
    let of = |p: &OutcomePoints| [p.win, p.draw, p.loss];
    let mut all: Vec<Fraction> = of(&points.outcome).into();
    all.extend(&points.places);
    all.extend(points.kinds.values());
    all.extend(points.grades.values().flat_map(of));
    all.extend(points.by_score.values());
    all.extend(points.by_score_otherwise);
    let margins = points.by_margin.iter().flat_map(|margin| &margin.rows);
    all.extend(margins.flat_map(|(_, higher, lower)| [*higher, *lower]));
    all
}

/// The least and the most that a round can be worth, also one that is missed; none where the slip
/// itself holds the points.
pub(crate) fn worth_of_a_round(rules: &Ruleset) -> Option<(Fraction, Fraction)> {
    if rules.points.line.is_some() {
        return None;
    }
    let all = by_result(rules).into_iter().chain([Fraction::ZERO]);
    let (low, high) = (all.clone().min()?, all.max()?);
    let bonuses = rules.points.bonuses.iter().map(|bonus| bonus.points);
    let below = bonuses.clone().filter(|points| *points < Fraction::ZERO);
    let above = bonuses.filter(|points| *points > Fraction::ZERO);
    Some((below.fold(Some(low), plus)?, above.fold(Some(high), plus)?))
}

fn plus(sum: Option<Fraction>, more: Fraction) -> Option<Fraction> {
    let sum = sum?;
    let den = sum.den().checked_mul(more.den())?;
    let [first, second] = [sum.num().checked_mul(more.den())?, more.num().checked_mul(sum.den())?];
    Fraction::new(first.checked_add(second)?, den)
}
