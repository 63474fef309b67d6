//! Measures: a column of exact values over the players for each measure of a ruleset.
//!
//! What a value is made of, its terms, comes from the same walk that adds them up: the sum is
//! taken by one visitor and an explanation by another.

mod exact;
mod opponents;
mod performance;
mod total;

pub(crate) use exact::Int;
pub use exact::{Bound, Column, Notes};
pub use opponents::{OpponentTerm, Skipped};
pub use performance::{PerformanceTerms, RatedGame};
pub(crate) use total::ByRound;
pub use total::{RoundTerm, TermNote};

use crate::crosstable::{Crosstable, FoldError, Stage, knocked_out};
use crate::ratio::Fraction;
use crate::ruleset::{Fact, Formula, Measure, Quantity, RoundingMode, Ruleset, Total};
use exact::{Exact, Shares, add, constant, distinct, lcm, with_constants};
use num_bigint::BigInt;
use num_rational::BigRational;
use scrutineer_engine::event::{RoundNumber, UnknownFact};
use scrutineer_engine::tournament::Tournament;
use std::sync::Arc;
use total::Sums;

/// Facts about entrants that a log may not hold; those that no measure asks for are left out.
#[derive(Clone, Debug)]
struct EntrantFacts {
    sign_up: Vec<Option<u32>>,
    seed: Vec<u32>,
    /// Whether the source's seeds are unknown.
    seeds_unknown: bool,
    late: Vec<bool>,
    rating: Vec<Option<i32>>,
    /// The round that put each out of the bracket.
    knocked_out: Vec<RoundNumber>,
    /// Whether the source knew matches only, and no games.
    games_unknown: bool,
}

/// The columns of a ruleset's measures over a crosstable.
#[derive(Clone, Debug)]
pub struct Measured {
    /// One for each measure; none where the tournament does not hold what it needs.
    pub columns: Vec<Option<Arc<Column>>>,
}

impl Measured {
    /// Takes the measures that the orders need, and all others too where `all` says so and the
    /// tournament holds what they need.
    ///
    /// # Errors
    /// Where a measure of the order needs what the tournament does not hold.
    pub fn of(
        state: &Tournament,
        rules: &Ruleset,
        table: &Crosstable,
        all: bool,
    ) -> Result<Measured, FoldError> {
        let needed = rules.needed_for_order(table.stage.kind.is_bracket());
        Measured::taken(state, rules, table, &needed, all)
    }

    /// Takes the measures that are needed, or all.
    fn taken(
        state: &Tournament,
        rules: &Ruleset,
        table: &Crosstable,
        needed: &[bool],
        all: bool,
    ) -> Result<Measured, FoldError> {
        let facts = entrant_facts(state, rules, table);
        let mut measured = Measured { columns: vec![None; rules.measures.len()] };
        let totals = rules.measures.iter().enumerate().filter_map(|(at, measure)| {
            let Formula::Total(total) = &measure.formula else { return None };
            (all || needed[at]).then_some(total)
        });
        let sums = total::add_up(table, rules, totals);
        for (at, measure) in rules.measures.iter().enumerate() {
            if !(all || needed[at]) {
                continue;
            }
            if let Some(same) = measured.alike(rules, at) {
                measured.columns[at] = Some(same);
                continue;
            }
            let taken = match &measure.formula {
                Formula::AsLeft(of) => measured.as_left(state, rules, table, *of),
                Formula::AsDrawn(of) => Measured::as_drawn(state, rules, table, *of)
                    .map(|(_, then)| then.columns[*of].as_deref().cloned()),
                _ => Ok(None),
            };
            let taken = taken.and_then(|other| {
                measured.take(rules, table, &facts, measure, &sums, other.as_ref())
            });
            match taken {
                Ok(column) => measured.columns[at] = Some(Arc::new(column)),
                Err(error) if needed[at] => return Err(error),
                Err(_) => {}
            }
        }
        Ok(measured)
    }

    /// The column of an earlier measure that is defined in the same way: where a ruleset counts
    /// byes for opponents too, the percentage that they see is the player's own.
    fn alike(&self, rules: &Ruleset, at: usize) -> Option<Arc<Column>> {
        let this = &rules.measures[at];
        let same = |other: &Measure| {
            let caps = |m: &Measure| (m.cap, m.cap_if_dropped, m.cap_if_dropped_early);
            let bounds = |m: &Measure| (m.floor, caps(m), m.round, m.when_empty);
            bounds(other) == bounds(this) && self.same_formula(&other.formula, &this.formula)
        };
        let earlier = rules.measures[..at].iter().zip(&self.columns);
        let found =
            earlier.filter(|(other, _)| same(other)).find_map(|(_, column)| column.as_ref());
        found.cloned()
    }

    /// Whether two formulas give the same values, also where they name different measures that do.
    fn same_formula(&self, one: &Formula, other: &Formula) -> bool {
        let same = |a: usize, b: usize| a == b || self.is_same(a, b);
        match (one, other) {
            (Formula::Ratio { num: a, den: b }, Formula::Ratio { num: c, den: d }) => {
                same(*a, *c) && same(*b, *d)
            }
            _ => one == other,
        }
    }

    /// Whether two columns are one and the same.
    fn is_same(&self, a: usize, b: usize) -> bool {
        match (&self.columns[a], &self.columns[b]) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }

    fn take(
        &self,
        rules: &Ruleset,
        table: &Crosstable,
        facts: &EntrantFacts,
        measure: &Measure,
        sums: &Sums<'_>,
        otherwise: Option<&Column>,
    ) -> Result<Column, FoldError> {
        if measure.formula.inputs().iter().any(|input| self.columns[*input].is_none()) {
            let what = "a measure that it builds on".to_string();
            return Err(FoldError::TooLarge { what });
        }
        let job = Job { rules, table, facts, columns: &self.columns, sums, otherwise };
        job.check(measure)?;
        let narrow = job.column::<i128>(measure).map(Int::column);
        let column = narrow.or_else(|| job.column::<BigInt>(measure).map(Int::column));
        column.ok_or_else(|| FoldError::TooLarge { what: measure.label.clone() })
    }

    /// A measure as it stood after the round with which each player left; of who is there, as it
    /// stands. None where its column is missing.
    fn as_left(
        &self,
        state: &Tournament,
        rules: &Ruleset,
        table: &Crosstable,
        of: usize,
    ) -> Result<Option<Column>, FoldError> {
        let Some(now) = self.column(of) else { return Ok(None) };
        let mut values: Vec<BigRational> =
            (0..table.len()).map(|player| now.value(player as u32)).collect();

        let left = table.entrants.iter().filter_map(|entrant| entrant.left_after);
        for through in exact::distinct(left.filter(|after| *after < table.stage.through)) {
            let stage = Stage { through, ..table.stage };
            let then = Crosstable::at(state, rules, stage, table.until)?;
            let mut needed = vec![false; rules.measures.len()];
            needed[of] = true;
            let needed = rules.with_inputs(needed);
            let measured = Measured::taken(state, rules, &then, &needed, false)?;
            let Some(column) = measured.column(of) else { continue };
            for (player, entrant) in (0..).zip(&table.entrants) {
                if entrant.left_after == Some(through) {
                    values[player as usize] = column.value(player);
                }
            }
        }
        Ok(Some(Column::of_values(&values)))
    }

    /// A measure, and all that it builds on, as if the last round had been drawn, and the crosstable
    /// that says so.
    fn as_drawn(
        state: &Tournament,
        rules: &Ruleset,
        table: &Crosstable,
        of: usize,
    ) -> Result<(Crosstable, Measured), FoldError> {
        let what = || rules.measures[of].label.clone();
        let then = table.with_last_round_drawn(rules);
        let then = then.ok_or_else(|| FoldError::TooLarge { what: what() })?;
        let mut needed = vec![false; rules.measures.len()];
        needed[of] = true;
        let measured = Measured::taken(state, rules, &then, &rules.with_inputs(needed), false)?;
        Ok((then, measured))
    }

    /// The column of a measure.
    pub fn column(&self, measure: usize) -> Option<&Column> {
        self.columns.get(measure)?.as_deref()
    }
}

fn entrant_facts(state: &Tournament, rules: &Ruleset, table: &Crosstable) -> EntrantFacts {
    let uses = |fact| rules.measures.iter().any(|one| one.formula == Formula::Fact(fact));
    let players = |fact| {
        let asked = if uses(fact) { &table.entrants[..] } else { &[] };
        asked.iter().filter_map(|entrant| state.player(entrant.number))
    };
    let uses_seeds = uses(Fact::Seed) || uses(Fact::SeedIfKnown);
    let mut seed = vec![0; table.len()];
    if let Some(phase) = state.phase(table.stage.phase).filter(|_| uses_seeds) {
        for (place, number) in (1..).zip(state.field(phase).iter()) {
            if let Some(index) = table.index_of(*number) {
                seed[index as usize] = place;
            }
        }
    }
    let unknown = |fact| state.imported().is_some_and(|imported| imported.unknown.contains(&fact));
    EntrantFacts {
        sign_up: players(Fact::SignUp).map(|player| player.sign_up).collect(),
        seed,
        seeds_unknown: unknown(UnknownFact::Seeds),
        late: players(Fact::Late).map(|player| player.from_round > 1).collect(),
        rating: players(Fact::Rating).map(|player| player.rating).collect(),
        knocked_out: if uses(Fact::KnockedOut) {
            knocked_out(state, rules, table)
        } else {
            Vec::new()
        },
        games_unknown: unknown(UnknownFact::Games),
    }
}

/// Whether a tournament holds the facts that a ruleset's order cannot do without.
///
/// # Errors
/// `UnknownFact`, with the first one that it lacks.
pub fn check_facts(state: &Tournament, rules: &Ruleset) -> Result<(), FoldError> {
    let unknown = |fact| state.imported().is_some_and(|imported| imported.unknown.contains(&fact));
    let lacks = |fact| match fact {
        UnknownFact::SignUpOrder => {
            state.players().iter().any(|player| !player.withdrawn && player.sign_up.is_none())
        }
        fact => unknown(fact),
    };
    let needed = rules.needed_for_order(false);
    let measures = rules.measures.iter().zip(needed).filter(|(_, is_needed)| *is_needed);
    measures.map(|(measure, _)| check_fact(rules, measure, lacks)).try_for_each(|one| one)
}

/// Whether the fact that a measure needs is there.
fn check_fact(
    rules: &Ruleset,
    measure: &Measure,
    lacks: impl Fn(UnknownFact) -> bool,
) -> Result<(), FoldError> {
    let fact = match &measure.formula {
        Formula::Total(total) if counts_games(total) => UnknownFact::Games,
        Formula::Fact(Fact::SignUp) => UnknownFact::SignUpOrder,
        Formula::Fact(Fact::Seed) => UnknownFact::Seeds,
        _ => return Ok(()),
    };
    match lacks(fact) {
        true => Err(FoldError::UnknownFact { ruleset: rules.id.clone(), fact }),
        false => Ok(()),
    }
}

/// One measure being taken.
struct Job<'a> {
    rules: &'a Ruleset,
    table: &'a Crosstable,
    facts: &'a EntrantFacts,
    columns: &'a [Option<Arc<Column>>],
    /// The totals that were added up.
    sums: &'a Sums<'a>,
    /// The values of a measure as it stood when players left, or as if the last round had been drawn.
    otherwise: Option<&'a Column>,
}

impl Job<'_> {
    /// Whether the tournament holds what the measure needs. Lines that are missing were asked for with the crosstable.
    fn check(&self, measure: &Measure) -> Result<(), FoldError> {
        let lacks = |fact| match fact {
            UnknownFact::Games => self.facts.games_unknown,
            UnknownFact::SignUpOrder => self.facts.sign_up.iter().any(Option::is_none),
            UnknownFact::Seeds => self.facts.seeds_unknown,
            _ => false,
        };
        check_fact(self.rules, measure, lacks)
    }

    /// The column in this width; none where a value does not fit.
    fn column<T: Int>(&self, measure: &Measure) -> Option<Exact<T>> {
        let raw = match &measure.formula {
            Formula::Total(total) => total::column(self.table, self.rules, total, self.sums)?,
            Formula::Ratio { num, den } => self.ratio(measure, *num, *den)?,
            Formula::SumOf(terms) => self.sum_of(terms)?,
            Formula::Opponents(spec) => opponents::column(self, measure, spec)?,
            Formula::Fact(fact) => self.fact(measure, *fact)?,
            Formula::Performance(spec) => performance::column(self, &measure.when_empty, spec)?,
            Formula::AsLeft(_) | Formula::AsDrawn(_) => {
                let (nums, den) = T::of(self.otherwise?)?;
                plain(nums.into_owned(), den)
            }
        };
        self.bound(measure, raw)
    }

    fn input<T: Int>(&self, measure: usize) -> Option<(std::borrow::Cow<'_, [T]>, T)> {
        T::of(self.columns[measure].as_deref()?)
    }

    fn fact<T: Int>(&self, measure: &Measure, fact: Fact) -> Option<Exact<T>> {
        let table = self.table;
        let of = |player: usize| -> Option<i64> {
            Some(match fact {
                Fact::SignUp => i64::from(self.facts.sign_up[player].unwrap_or(0)),
                Fact::SeedIfKnown if self.facts.seeds_unknown => 0,
                Fact::Seed | Fact::SeedIfKnown => i64::from(self.facts.seed[player]),
                Fact::Late => i64::from(self.facts.late[player]),
                Fact::Rating => i64::from(self.facts.rating[player]?),
                Fact::FurthestRound => {
                    let last = table.rounds_of(player as u32).next_back();
                    last.map_or(0, |(_, entry)| i64::from(entry.round))
                }
                Fact::WonFinal => i64::from(table.won_final() == Some(player as u32)),
                Fact::KnockedOut => i64::from(self.facts.knocked_out[player]),
            })
        };
        let values: Vec<Option<i64>> = (0..table.len()).map(of).collect();
        if values.iter().all(Option::is_some) {
            return Some(plain(values.into_iter().flatten().map(T::from).collect(), T::from(1)));
        }
        let den = with_constants(T::from(1), [measure.when_empty])?;
        let empty = constant(measure.when_empty, &den)?;
        let num = |value: &Option<i64>| match value {
            Some(value) => T::from(*value).times(&den),
            None => Some(empty.clone()),
        };
        let mut column = plain(values.iter().map(num).collect::<Option<_>>()?, den.clone());
        column.notes = vec![Notes::default(); values.len()];
        for (note, _) in column.notes.iter_mut().zip(&values).filter(|(_, v)| v.is_none()) {
            note.add(Notes::EMPTY);
        }
        Some(column)
    }

    fn sum_of<T: Int>(&self, terms: &[(usize, Fraction)]) -> Option<Exact<T>> {
        let inputs: Vec<_> =
            terms.iter().map(|(measure, _)| self.input::<T>(*measure)).collect::<Option<_>>()?;
        let mut den = T::from(1);
        for ((_, input_den), (_, factor)) in inputs.iter().zip(terms) {
            den = lcm(&den, &input_den.times(&T::from(factor.den()))?)?;
        }
        let mut nums = vec![T::from(0); self.table.len()];
        for ((values, input_den), (_, factor)) in inputs.iter().zip(terms) {
            let scale = den.div_floor(&input_den.times(&T::from(factor.den()))?);
            let scale = scale.times(&T::from(factor.num()))?;
            for (num, value) in nums.iter_mut().zip(values.iter()) {
                add(num, &value.times(&scale)?)?;
            }
        }
        Some(plain(nums, den))
    }

    /// One column over another: over the least common multiple of all divisors.
    fn ratio<T: Int>(&self, measure: &Measure, num: usize, den: usize) -> Option<Exact<T>> {
        let (over, over_den) = self.input::<T>(num)?;
        let (under, under_den) = self.input::<T>(den)?;
        let shared = over_den.gcd(&under_den);
        let (over_den, under_den) = (over_den.div_floor(&shared), under_den.div_floor(&shared));
        let mut multiple = T::from(1);
        for divisor in distinct(under.iter().map(|value| value.abs())) {
            if !divisor.is_zero() {
                multiple = lcm(&multiple, &divisor)?;
            }
        }
        let den = over_den.times(&multiple)?;
        let full = with_constants(den.clone(), [measure.when_empty])?;
        let scale = full.div_floor(&den).times(&under_den)?;
        let empty = constant(measure.when_empty, &full)?;
        let mut shares = Shares::new(multiple, scale);
        let mut column = plain(Vec::with_capacity(over.len()), full);
        column.notes = vec![Notes::default(); over.len()];
        for (at, (value, divisor)) in over.iter().zip(under.iter()).enumerate() {
            if divisor.is_zero() {
                column.notes[at].add(Notes::EMPTY);
                column.nums.push(empty.clone());
                continue;
            }
            let num = value.times(&shares.of(&divisor.abs())?)?;
            column.nums.push(if divisor.is_negative() { -num } else { num });
        }
        Some(column)
    }

    /// Floor, cap and rounding.
    fn bound<T: Int>(&self, measure: &Measure, column: Exact<T>) -> Option<Exact<T>> {
        let early = measure.cap_if_dropped_early;
        let bounds = [measure.floor, measure.cap, measure.cap_if_dropped, early];
        if bounds.iter().all(Option::is_none) && measure.round.is_none() {
            return Some(column);
        }
        let rounded_den = measure.round.map(|r| Fraction::new(1, 10i64.checked_pow(r.digits)?));
        let constants = bounds.into_iter().flatten().chain(rounded_den.flatten());
        let den = with_constants(column.den.clone(), constants)?;
        let factor = den.div_floor(&column.den);
        let mut column = column.scaled_by(&factor)?;
        let of = |bound: Option<Fraction>| match bound {
            Some(value) => constant(value, &column.den).map(Some),
            None => Some(None),
        };
        let (floor, cap, dropped_cap) =
            (of(measure.floor)?, of(measure.cap)?, of(measure.cap_if_dropped)?);
        let early_cap = of(early)?;
        column.before = column.nums.clone();
        column.notes.resize(column.nums.len(), Notes::default());
        for (at, num) in column.nums.iter_mut().enumerate() {
            if let Some(floor) = floor.as_ref().filter(|floor| *num < **floor) {
                *num = floor.clone();
                column.notes[at].add(Notes::FLOOR);
            }
            if let Some(cap) = cap.as_ref().filter(|cap| *num > **cap) {
                *num = cap.clone();
                column.notes[at].add(Notes::CAP);
            }
            let dropped = self.table.entrants[at].dropped;
            if let Some(cap) = dropped_cap.as_ref().filter(|cap| dropped && *num > **cap) {
                *num = cap.clone();
                column.notes[at].add(Notes::DROPPED_CAP);
            }
            let early = self.table.entrants[at].dropped_early;
            if let Some(cap) = early_cap.as_ref().filter(|cap| early && *num > **cap) {
                *num = cap.clone();
                column.notes[at].add(Notes::DROPPED_CAP);
            }
            if let Some(round) = measure.round {
                let step = column.den.div_floor(&T::from(10i64.checked_pow(round.digits)?));
                *num = round_to(num, &step, round.mode).times(&step)?;
            }
        }
        Some(column)
    }

    /// The value of a measure for a player as the explanation shows it.
    fn value_of(&self, measure: usize, player: u32) -> Option<BigRational> {
        Some(self.columns[measure].as_ref()?.value(player))
    }
}

fn counts_games(total: &Total) -> bool {
    matches!(total.of, Quantity::GamePoints | Quantity::PossibleGamePoints)
}

/// How many whole steps a value is.
pub(crate) fn round_to<T: Int>(value: &T, step: &T, mode: RoundingMode) -> T {
    let (whole, rest) = value.abs().div_mod_floor(step);
    let up = match mode {
        RoundingMode::Down => false,
        RoundingMode::Up => !rest.is_zero(),
        RoundingMode::HalfUp => rest.clone() + rest.clone() >= *step,
        RoundingMode::HalfEven => {
            let twice = rest.clone() + rest.clone();
            twice > *step || (twice == *step && whole.is_odd())
        }
    };
    let rounded = if up { whole + T::from(1) } else { whole };
    if value.is_negative() { -rounded } else { rounded }
}

fn plain<T>(nums: Vec<T>, den: T) -> Exact<T> {
    Exact { nums, den, before: Vec::new(), notes: Vec::new() }
}

/// The terms of a measure's value for one player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Terms {
    /// The player's rounds.
    Rounds(Vec<RoundTerm>),
    /// One value over another.
    Ratio {
        /// The measure divided, and its value.
        num: (usize, BigRational),
        /// The measure divided by, and its value.
        den: (usize, BigRational),
        /// What each round adds above and below, where both are totals.
        rounds: Vec<(RoundTerm, RoundTerm)>,
    },
    /// Measures times factors.
    Sum(Vec<(usize, Fraction, BigRational)>),
    /// The player's opponents.
    Opponents(Vec<OpponentTerm>),
    /// Games against rated opponents, and what FIDE's table says of them.
    Performance(PerformanceTerms),
    /// A fact.
    Fact,
    /// Another measure's value as it stood when the player left.
    AsLeft {
        /// The measure.
        of: usize,
        /// The round after which they left; none for a player who is there.
        after: Option<RoundNumber>,
        /// The value.
        value: BigRational,
    },
}

/// What a measure's value of a player is made of: the very terms that were added up.
pub fn terms(
    state: &Tournament,
    rules: &Ruleset,
    table: &Crosstable,
    measured: &Measured,
    measure: usize,
    player: u32,
) -> Option<Terms> {
    let facts = entrant_facts(state, rules, table);
    let job = Job {
        rules,
        table,
        facts: &facts,
        columns: &measured.columns,
        sums: &Vec::new(),
        otherwise: None,
    };
    Some(match &rules.measures[measure].formula {
        Formula::Total(total) => Terms::Rounds(total::terms(table, rules, total, player)),
        Formula::Ratio { num, den } => Terms::Ratio {
            num: (*num, job.value_of(*num, player)?),
            den: (*den, job.value_of(*den, player)?),
            rounds: match (&rules.measures[*num].formula, &rules.measures[*den].formula) {
                (Formula::Total(num), Formula::Total(den)) => {
                    let above = total::terms(table, rules, num, player);
                    above.into_iter().zip(total::terms(table, rules, den, player)).collect()
                }
                _ => Vec::new(),
            },
        },
        Formula::SumOf(list) => {
            let one =
                |(m, factor): &(usize, Fraction)| Some((*m, *factor, job.value_of(*m, player)?));
            Terms::Sum(list.iter().map(one).collect::<Option<_>>()?)
        }
        Formula::Opponents(spec) => {
            let narrow = opponents::terms::<i128>(&job, spec, player);
            Terms::Opponents(narrow.or_else(|| opponents::terms::<BigInt>(&job, spec, player))?)
        }
        Formula::Performance(spec) => {
            performance::terms(&job, spec, player).map_or(Terms::Fact, Terms::Performance)
        }
        Formula::Fact(_) => Terms::Fact,
        Formula::AsLeft(of) => {
            let value = measured.column(measure)?.value_before(player);
            let left = table.entrants.get(player as usize).and_then(|one| one.left_after);
            let after = left.filter(|after| *after < table.stage.through);
            Terms::AsLeft { of: *of, after, value }
        }
        Formula::AsDrawn(of) => {
            let (then, measured) = Measured::as_drawn(state, rules, table, *of).ok()?;
            terms(state, rules, &then, &measured, *of, player)?
        }
    })
}
