//! Means and sums over a player's opponents.

use super::exact::{Exact, Int, Shares, add, constant, distinct, each, lcm, ratio, with_constants};
use super::total::{ByRound, weights_den};
use super::{Job, Notes, plain};
use crate::crosstable::{Cell, Index, PlayerRound};
use crate::ratio::Fraction;
use crate::ruleset::{
    Combine, Formula, Measure, OpponentWeight, Opponents, Repeats, RoundKind, Unplayed,
};
use num_rational::BigRational;
use std::borrow::Cow;

/// Why an own round adds no opponent, or an opponent does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skipped {
    /// The player had no opponent in that round.
    NoOpponent,
    /// The table has no result yet.
    Unfinished,
    /// The table was forfeited, and forfeited tables are left out.
    Forfeited,
    /// They were met before, and each opponent counts once.
    MetBefore,
    /// One of the lowest, which are left out.
    Lowest,
    /// One of the highest, which are left out.
    Highest,
}

/// What one opponent of one round adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpponentTerm {
    /// The round's number.
    pub round: u16,
    /// What the player's own round was.
    pub kind: RoundKind,
    /// The opponent; none: nobody, or a stand-in for them.
    pub opponent: Option<Index>,
    /// Their value, or the stand-in's.
    pub value: BigRational,
    /// Whether it was raised or lowered to the bound of one opponent.
    pub bounded: bool,
    /// What it is multiplied with.
    pub weight: BigRational,
    /// Why it does not count; none: it counts.
    pub skipped: Option<Skipped>,
}

/// One term over the shared denominator.
#[derive(Clone)]
struct Contribution<T> {
    entry: PlayerRound,
    opponent: Option<Index>,
    value: T,
    bounded: bool,
    weight: i64,
    skipped: Option<Skipped>,
}

impl<T: Int> Contribution<T> {
    fn counted(&self) -> Option<T> {
        self.value.times(&T::from(self.weight))
    }

    /// A round that the player chose not to play (FIDE C.07, 16.5).
    fn by_choice(&self) -> bool {
        use RoundKind::{ForfeitLoss, HalfBye, ZeroBye};
        matches!(self.entry.kind, HalfBye | ZeroBye | ForfeitLoss)
    }
}

/// How one measure of opponents is taken, with everything over `den`.
struct Plan<'a, T: Int> {
    job: &'a Job<'a>,
    spec: &'a Opponents,
    values: Cow<'a, [T]>,
    den: T,
    weight_den: i64,
    /// The total that a round is weighed by, where it is one.
    weighed_by: Option<ByRound<'a>>,
    least: Option<T>,
    most: Option<T>,
    phantom: Option<(u32, T)>,
    /// What a dummy may count at most where nobody was scheduled, over `den`.
    dummy_cap: Option<T>,
}

impl<'a, T: Int> Plan<'a, T> {
    fn new(job: &'a Job<'a>, spec: &'a Opponents) -> Option<Plan<'a, T>> {
        let (values, input_den) = job.input::<T>(spec.of)?;
        let phantom = spec.bye_as.map(|(_, value)| value);
        let mut den = with_constants(
            input_den.clone(),
            [spec.each_at_least, spec.each_at_most, phantom].into_iter().flatten(),
        )?;
        if matches!(spec.unplayed, Unplayed::Dummy | Unplayed::DummyCapped) {
            den = lcm(&den, &T::from(job.table.points_den * 2))?;
        }
        let factor = den.div_floor(&input_den);
        let values = match factor.is_one() {
            true => values,
            false => each(&values, |value| value.times(&factor))?.into(),
        };
        let of = |value: Option<Fraction>| match value {
            Some(value) => constant(value, &den).map(Some),
            None => Some(None),
        };
        let weighed_by = match spec.weight {
            OpponentWeight::Total(at) => {
                let Formula::Total(total) = &job.rules.measures[at].formula else { return None };
                Some(ByRound::of(job.table, job.rules, total)?)
            }
            _ => None,
        };
        let weight_den = match (spec.weight, &weighed_by) {
            (_, Some(by)) => by.den(),
            (OpponentWeight::Points, _) => job.table.points_den,
            (OpponentWeight::RoundWeight, _) => weights_den(job.table)?,
            _ => 1,
        };
        let phantom = match spec.bye_as {
            Some((count, value)) => Some((count, constant(value, &den)?)),
            None => None,
        };
        let dummy_cap = match spec.unplayed {
            Unplayed::DummyCapped => {
                let rounds = job.table.rounds.len() as i64;
                let half = den.div_floor(&T::from(job.table.points_den * 2));
                Some(T::from(job.table.possible.checked_mul(rounds)?).times(&half)?)
            }
            _ => None,
        };
        let (least, most) = (of(spec.each_at_least)?, of(spec.each_at_most)?);
        Some(Plan {
            job,
            spec,
            values,
            den,
            weight_den,
            weighed_by,
            least,
            most,
            phantom,
            dummy_cap,
        })
    }

    fn weight(&self, player: Index, column: usize, entry: &PlayerRound) -> i64 {
        match self.spec.weight {
            OpponentWeight::Total(_) => {
                self.weighed_by.as_ref().map_or(0, |by| by.value(player, column, entry))
            }
            OpponentWeight::None => 1,
            OpponentWeight::Points => i64::from(entry.points),
            OpponentWeight::RoundWeight => {
                let (num, den) = self.job.table.weight(entry.round);
                i64::from(num) * (self.weight_den / i64::from(den))
            }
        }
    }

    /// Walks a player's rounds and the opponents in each, without cuts.
    #[inline]
    fn walk(&self, player: Index, mut visit: impl FnMut(Contribution<T>)) -> Option<()> {
        let table = self.job.table;
        for (column, entry) in table.rounds_of(player) {
            let opponents = table.opponents_of(&entry);
            let mut give = |opponent, value: T, skipped| {
                let (value, bounded) = self.bound(value);
                let weight = self.weight(player, column, &entry);
                visit(Contribution { entry, opponent, value, bounded, weight, skipped });
            };
            let forfeited = matches!(entry.kind, RoundKind::ForfeitWin | RoundKind::ForfeitLoss);
            let unplayed = forfeited || !entry.kind.has_opponent();
            if unplayed && let Some(value) = self.dummy(player, &entry)? {
                give(None, value, None);
                continue;
            }
            if entry.kind == RoundKind::Unfinished {
                give(opponents.first().copied(), T::from(0), Some(Skipped::Unfinished));
                continue;
            }
            if opponents.is_empty() {
                match &self.phantom {
                    Some((count, value)) if self.spec.bye_kinds.contains(entry.kind) => {
                        (0..*count).for_each(|_| give(None, value.clone(), None));
                    }
                    _ => give(None, T::from(0), Some(Skipped::NoOpponent)),
                }
                continue;
            }
            for &opponent in opponents {
                let skipped = if forfeited && self.spec.unplayed == Unplayed::SkipForfeits {
                    Some(Skipped::Forfeited)
                } else if self.spec.repeats == Repeats::Once
                    && self.met_before(player, entry.round, opponent)
                {
                    Some(Skipped::MetBefore)
                } else {
                    None
                };
                give(Some(opponent), self.values[opponent as usize].clone(), skipped);
            }
        }
        Some(())
    }

    fn met_before(&self, player: Index, round: u16, opponent: Index) -> bool {
        let table = self.job.table;
        let earlier = table.rounds_of(player).take_while(|(_, entry)| entry.round < round);
        let forfeits = self.spec.unplayed == Unplayed::Skip;
        let mut counted = earlier.filter(|(_, entry)| match entry.kind {
            RoundKind::ForfeitWin | RoundKind::ForfeitLoss => forfeits,
            kind => kind != RoundKind::Unfinished,
        });
        counted.any(|(_, entry)| table.opponents_of(&entry).contains(&opponent))
    }

    fn bound(&self, value: T) -> (T, bool) {
        if let Some(least) = self.least.as_ref().filter(|least| value < **least) {
            return (least.clone(), true);
        }
        if let Some(most) = self.most.as_ref().filter(|most| value > **most) {
            return (most.clone(), true);
        }
        (value, false)
    }

    /// The stand-in for an opponent in a round without play: the player's own points, over `den`.
    fn dummy(&self, player: Index, entry: &PlayerRound) -> Option<Option<T>> {
        if !matches!(self.spec.unplayed, Unplayed::Dummy | Unplayed::DummyCapped) {
            return Some(None);
        }
        let table = self.job.table;
        let own: i64 = table.rounds_of(player).map(|(_, entry)| i64::from(entry.points)).sum();
        let scale = self.den.div_floor(&T::from(table.points_den));
        let own = T::from(own).times(&scale)?;
        let Some(cap) = &self.dummy_cap else { return Some(Some(own)) };
        let scheduled = table.opponents_of(entry).first();
        let cap = scheduled.map_or(cap, |opponent| &self.values[*opponent as usize]);
        Some(Some(own.min(cap.clone())))
    }

    /// All contributions of a player; those cut say so.
    fn contributions(&self, player: Index) -> Option<Vec<Contribution<T>>> {
        let mut list: Vec<Contribution<T>> = Vec::new();
        self.walk(player, |one| list.push(one))?;
        for _ in 0..self.spec.lowest_dropped {
            if let Some(at) = self.lowest(&list)? {
                list[at].skipped = Some(Skipped::Lowest);
            }
        }
        for _ in 0..self.spec.highest_dropped {
            let highest = self.extreme(&list, |_| true, |a, b| b.cmp(a))?;
            if let Some(at) = highest {
                list[at].skipped = Some(Skipped::Highest);
            }
        }
        Some(list)
    }

    /// The contribution to leave out next at the low end.
    fn lowest(&self, list: &[Contribution<T>]) -> Option<Option<usize>> {
        let plain = self.extreme(list, |_| true, |a, b| a.cmp(b))?;
        if !matches!(self.spec.unplayed, Unplayed::Dummy | Unplayed::DummyCapped) {
            return Some(plain);
        }
        // FIDE C.07, 16.5: the opponent with the lowest value, or the lowest round not played by
        // choice, whichever contributes more.
        let mut candidates: Vec<usize> = Vec::new();
        let counted = list.iter().enumerate().filter(|(_, one)| one.skipped.is_none());
        let mut by_value: Vec<(&T, T, usize)> = Vec::new();
        for (at, one) in counted {
            by_value.push((&one.value, one.counted()?, at));
        }
        by_value.sort();
        candidates.extend(by_value.first().map(|(_, _, at)| *at));
        candidates.extend(self.extreme(list, |one| one.by_choice(), |a, b| a.cmp(b))?);
        let mut best: Option<(T, usize)> = None;
        for at in candidates {
            let counted = list[at].counted()?;
            if best.as_ref().is_none_or(|(most, _)| counted > *most) {
                best = Some((counted, at));
            }
        }
        Some(best.map(|(_, at)| at))
    }

    /// The first of the counted contributions in the order of `compare`.
    fn extreme(
        &self,
        list: &[Contribution<T>],
        of_interest: impl Fn(&Contribution<T>) -> bool,
        compare: impl Fn(&T, &T) -> std::cmp::Ordering,
    ) -> Option<Option<usize>> {
        let mut best: Option<(T, usize)> = None;
        for (at, one) in list.iter().enumerate() {
            if one.skipped.is_some() || !of_interest(one) {
                continue;
            }
            let counted = one.counted()?;
            let ahead = |(so_far, _): &(T, usize)| compare(&counted, so_far).is_lt();
            if best.as_ref().is_none_or(ahead) {
                best = Some((counted, at));
            }
        }
        Some(best.map(|(_, at)| at))
    }

    /// Every player's sum and how many opponents it is of. Where each counts as they are, tables of
    /// two that were played are added up as they lie; who has a round of another kind is walked.
    fn sums(&self) -> Option<(Vec<T>, Vec<i64>)> {
        let players = 0..self.job.table.len() as Index;
        if !self.is_plain() {
            return players.map(|player| self.sum(player)).collect();
        }
        // Most values are small: then nothing needs to be asked while they are added up.
        let rounds = self.job.table.rounds.len() as u64;
        let most = i64::MAX as u64 / (rounds + 1);
        let small = |value: &T| value.to_i64().filter(|v| v.unsigned_abs() <= most);
        let (mut sums, mut counts, others) = match each(&self.values, small) {
            Some(values) => {
                let added = self.add_up(&values, |sum, value| {
                    *sum += value;
                    Some(())
                });
                let (sums, counts, others) = added?;
                (sums.into_iter().map(T::from).collect(), counts, others)
            }
            None => self.add_up(&self.values, add)?,
        };
        for player in players.filter(|player| others[*player as usize]) {
            (sums[player as usize], counts[player as usize]) = self.sum(player)?;
        }
        Some((sums, counts))
    }

    /// Adds up the values of opponents at tables of two that were played, round after round as they
    /// lie: every player's sum, of how many, and whether they have a round of another kind.
    fn add_up<V: Clone + From<i64>>(
        &self,
        values: &[V],
        add: impl Fn(&mut V, &V) -> Option<()>,
    ) -> Option<(Vec<V>, Vec<i64>, Vec<bool>)> {
        let players = values.len();
        let mut sums = vec![V::from(0); players];
        let (mut counts, mut others) = (vec![0; players], vec![false; players]);
        for column in self.job.table.columns() {
            let so_far = sums.iter_mut().zip(&mut counts).zip(&mut others);
            for (((sum, count), other), cell) in so_far.zip(column.cells) {
                match cell {
                    Some(Cell { kind: RoundKind::Played, opponents: 1, opponent, .. }) => {
                        add(sum, &values[*opponent as usize])?;
                        *count += 1;
                    }
                    Some(_) => *other = true,
                    None => {}
                }
            }
        }
        Some((sums, counts, others))
    }

    /// Whether an opponent's value counts as it is. Whoever has a round without an opponent is
    /// walked anyway, so it does not matter here whether the sum is divided by rounds.
    fn is_plain(&self) -> bool {
        let spec = self.spec;
        spec.weight == OpponentWeight::None
            && spec.repeats == Repeats::EveryMatch
            && spec.lowest_dropped + spec.highest_dropped == 0
            && self.least.is_none()
            && self.most.is_none()
    }

    /// The sum over a player's opponents, and what a mean divides it by.
    fn sum(&self, player: Index) -> Option<(T, i64)> {
        let mut sum = T::from(0);
        let mut count = 0i64;
        let mut fits = Some(());
        let mut take = |one: &Contribution<T>| {
            if one.skipped.is_some() {
                return Some(());
            }
            count += match self.spec.weight {
                OpponentWeight::RoundWeight => one.weight,
                _ => 1,
            };
            match one.weight {
                1 => add(&mut sum, &one.value),
                _ => add(&mut sum, &one.counted()?),
            }
        };
        if self.spec.lowest_dropped + self.spec.highest_dropped > 0 {
            self.contributions(player)?.iter().try_for_each(take)?;
        } else {
            self.walk(player, |one| fits = fits.and_then(|()| take(&one)))?;
            fits?;
        }
        if self.spec.divide_by_rounds {
            let rounds = self.job.table.rounds_of(player);
            count = rounds.filter(|(_, e)| e.kind != RoundKind::Unfinished).count() as i64;
        }
        Some((sum, count))
    }
}

/// The column of a measure of opponents.
pub fn column<T: Int>(job: &Job<'_>, measure: &Measure, spec: &Opponents) -> Option<Exact<T>> {
    let plan = Plan::<T>::new(job, spec)?;
    let (sums, counts) = plan.sums()?;
    let weighted = T::from(plan.weight_den);
    if spec.combine == Combine::Sum {
        return Some(plain(sums, plan.den.times(&weighted)?));
    }
    // A mean by round weights has their denominator above and below.
    let over = match spec.weight {
        OpponentWeight::RoundWeight => plan.den.clone(),
        _ => plan.den.times(&weighted)?,
    };
    let mut multiple = T::from(1);
    for count in distinct(counts.iter().copied()).into_iter().filter(|n| *n > 0) {
        multiple = lcm(&multiple, &T::from(count))?;
    }
    let exact = over.times(&multiple)?;
    let den = with_constants(exact.clone(), [measure.when_empty])?;
    let widened = den.div_floor(&exact).times(&multiple)?;
    let empty = constant(measure.when_empty, &den)?;
    let mut column = plain(Vec::with_capacity(sums.len()), den);
    column.notes = vec![Notes::default(); sums.len()];
    let mut shares = Shares::new(widened, T::from(1));
    for (at, (sum, count)) in sums.iter().zip(&counts).enumerate() {
        if *count <= 0 {
            column.notes[at].add(Notes::EMPTY);
            column.nums.push(empty.clone());
            continue;
        }
        column.nums.push(sum.times(&shares.of(&T::from(*count))?)?);
    }
    Some(column)
}

/// The terms of one player's measure of opponents.
pub fn terms<T: Int>(job: &Job<'_>, spec: &Opponents, player: Index) -> Option<Vec<OpponentTerm>> {
    let plan = Plan::<T>::new(job, spec)?;
    let weight_den = T::from(plan.weight_den);
    let term = |one: &Contribution<T>| OpponentTerm {
        round: one.entry.round,
        kind: one.entry.kind,
        opponent: one.opponent,
        value: ratio(&one.value, &plan.den),
        bounded: one.bounded,
        weight: ratio(&T::from(one.weight), &weight_den),
        skipped: one.skipped,
    };
    Some(plan.contributions(player)?.iter().map(term).collect())
}
