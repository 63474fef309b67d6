//! Exact columns: whole numerators over one shared denominator, in 128 bits where they fit and in
//! big integers where they don't. Never a float, so that equal values compare equal.

use crate::ratio::Fraction;
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{CheckedAdd, CheckedMul, CheckedSub, Signed, ToPrimitive};
use std::cmp::{Ordering, Reverse};
use std::fmt::Debug;

/// An integer in which a column can be taken. Every operation says when a value does not fit.
pub trait Int:
    Clone
    + Ord
    + Debug
    + Integer
    + Signed
    + CheckedAdd
    + CheckedSub
    + CheckedMul
    + ToPrimitive
    + From<i64>
{
    /// The numerators and denominator of a column in this width, where they fit.
    fn of(column: &Column) -> Option<(std::borrow::Cow<'_, [Self]>, Self)>;

    /// A column of these values.
    fn column(column: Exact<Self>) -> Column;

    /// The value in any width.
    fn big(&self) -> BigInt;
}

impl Int for i128 {
    fn of(column: &Column) -> Option<(std::borrow::Cow<'_, [i128]>, i128)> {
        match column {
            Column::Narrow(exact) => Some((std::borrow::Cow::Borrowed(&exact.nums), exact.den)),
            Column::Wide(_) => None,
        }
    }

    fn column(column: Exact<i128>) -> Column {
        Column::Narrow(column)
    }

    fn big(&self) -> BigInt {
        BigInt::from(*self)
    }
}

impl Int for BigInt {
    fn of(column: &Column) -> Option<(std::borrow::Cow<'_, [BigInt]>, BigInt)> {
        Some(match column {
            Column::Narrow(exact) => {
                let nums: Vec<BigInt> = exact.nums.iter().map(Int::big).collect();
                (std::borrow::Cow::Owned(nums), exact.den.big())
            }
            Column::Wide(exact) => (std::borrow::Cow::Borrowed(&exact.nums), exact.den.clone()),
        })
    }

    fn column(column: Exact<BigInt>) -> Column {
        Column::Wide(column)
    }

    fn big(&self) -> BigInt {
        self.clone()
    }
}

/// What happened to a player's value after the formula.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Notes(u8);

impl Notes {
    /// There was nothing to divide by or to average.
    pub const EMPTY: Notes = Notes(1);
    /// The floor counts.
    pub const FLOOR: Notes = Notes(2);
    /// The cap counts.
    pub const CAP: Notes = Notes(4);
    /// The cap for players who have dropped counts.
    pub const DROPPED_CAP: Notes = Notes(8);

    /// Whether `note` is among them.
    pub fn has(self, note: Notes) -> bool {
        self.0 & note.0 != 0
    }

    /// Adds a note.
    pub fn add(&mut self, note: Notes) {
        self.0 |= note.0;
    }
}

/// Numerators over one denominator, which is above zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exact<T> {
    /// A numerator for each player, by index.
    pub nums: Vec<T>,
    /// The denominator.
    pub den: T,
    /// The numerators before floor, cap and rounding, where these changed any.
    pub before: Vec<T>,
    /// What happened to each value.
    pub notes: Vec<Notes>,
}

/// One measure of every player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Column {
    /// In 128 bits.
    Narrow(Exact<i128>),
    /// In big integers.
    Wide(Exact<BigInt>),
}

impl Column {
    /// Compares two players' values.
    pub fn cmp(&self, a: u32, b: u32) -> Ordering {
        match self {
            Column::Narrow(exact) => exact.nums[a as usize].cmp(&exact.nums[b as usize]),
            Column::Wide(exact) => exact.nums[a as usize].cmp(&exact.nums[b as usize]),
        }
    }

    /// Sorts players by their values; those with equal ones stay as they stood.
    pub fn sort(&self, players: &mut [u32], lowest_first: bool) {
        match self {
            Column::Narrow(exact) => {
                let values = || players.iter().map(|player| exact.nums[*player as usize]);
                // Half as much to move where 64 bits hold them.
                match values().map(i64::try_from).collect::<Result<Vec<i64>, _>>() {
                    Ok(values) => sort_beside(values, players, lowest_first),
                    Err(_) => sort_beside(values().collect(), players, lowest_first),
                }
            }
            Column::Wide(_) => players.sort_by(|a, b| match lowest_first {
                true => self.cmp(*a, *b),
                false => self.cmp(*b, *a),
            }),
        }
    }

    /// A player's value, reduced.
    pub fn value(&self, player: u32) -> BigRational {
        match self {
            Column::Narrow(exact) => ratio(&exact.nums[player as usize], &exact.den),
            Column::Wide(exact) => ratio(&exact.nums[player as usize], &exact.den),
        }
    }

    /// A player's value before floor, cap and rounding.
    pub fn value_before(&self, player: u32) -> BigRational {
        match self {
            Column::Narrow(exact) => exact.before(player),
            Column::Wide(exact) => exact.before(player),
        }
    }

    /// What happened to a player's value after the formula.
    pub fn notes(&self, player: u32) -> Notes {
        let notes = match self {
            Column::Narrow(exact) => &exact.notes,
            Column::Wide(exact) => &exact.notes,
        };
        notes.get(player as usize).copied().unwrap_or_default()
    }
}

/// Sorts players by these values of theirs: one look at the column for each player, not one for
/// each comparison.
fn sort_beside<T: Ord + Copy>(values: Vec<T>, players: &mut [u32], lowest_first: bool) {
    let mut keyed: Vec<(T, u32)> = values.into_iter().zip(players.iter().copied()).collect();
    match lowest_first {
        true => keyed.sort_by_key(|(value, _)| *value),
        false => keyed.sort_by_key(|(value, _)| Reverse(*value)),
    }
    for (place, (_, player)) in players.iter_mut().zip(keyed) {
        *place = player;
    }
}

impl<T: Int> Exact<T> {
    fn before(&self, player: u32) -> BigRational {
        let nums = if self.before.is_empty() { &self.nums } else { &self.before };
        ratio(&nums[player as usize], &self.den)
    }

    /// The same values over `den` times `factor`.
    pub fn scaled_by(mut self, factor: &T) -> Option<Exact<T>> {
        if factor.is_one() {
            return Some(self);
        }
        self.den = self.den.checked_mul(factor)?;
        for num in self.nums.iter_mut().chain(&mut self.before) {
            *num = num.checked_mul(factor)?;
        }
        Some(self)
    }
}

/// `num / den`, reduced.
pub fn ratio<T: Int>(num: &T, den: &T) -> BigRational {
    BigRational::new(num.big(), den.big())
}

/// The least common multiple, where it fits; both above zero.
pub fn lcm<T: Int>(a: &T, b: &T) -> Option<T> {
    a.clone().div_floor(&a.gcd(b)).checked_mul(b)
}

/// A constant over a denominator that it divides.
pub fn constant<T: Int>(value: Fraction, den: &T) -> Option<T> {
    let factor = den.div_floor(&T::from(value.den()));
    T::from(value.num()).checked_mul(&factor)
}

/// The least common multiple of a denominator and those of constants.
pub fn with_constants<T: Int>(den: T, constants: impl IntoIterator<Item = Fraction>) -> Option<T> {
    constants.into_iter().try_fold(den, |den, value| lcm(&den, &T::from(value.den())))
}

/// A sum, where it fits.
pub fn add<T: Int>(sum: &mut T, value: &T) -> Option<()> {
    *sum = sum.checked_add(value)?;
    Some(())
}

/// How many small numbers are looked up: of the rounds and games that players have.
const SMALL: usize = 1 << 10;

/// The different values, in order.
pub fn distinct<T: Ord + ToPrimitive>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = [false; SMALL];
    let mut list = Vec::new();
    for value in values {
        let small = value.to_usize().and_then(|small| seen.get_mut(small));
        if !small.is_some_and(|seen| std::mem::replace(seen, true)) {
            list.push(value);
        }
    }
    list.sort_unstable();
    list.dedup();
    list
}

/// Shares of a whole, each times a factor. Dividing is slow, and players share few divisors: what
/// was worked out for a small one is looked up from then on.
pub struct Shares<T> {
    whole: T,
    factor: T,
    known: Vec<Option<T>>,
}

impl<T: Int> Shares<T> {
    /// Of `whole`, each times `factor`.
    pub fn new(whole: T, factor: T) -> Shares<T> {
        Shares { whole, factor, known: vec![None; SMALL] }
    }

    /// The whole over `divisor`, which is above zero, times the factor, where it fits.
    #[inline]
    pub fn of(&mut self, divisor: &T) -> Option<T> {
        let known = divisor.to_usize().and_then(|small| self.known.get_mut(small));
        if let Some(Some(share)) = &known {
            return Some(share.clone());
        }
        let share = self.whole.div_floor(divisor).checked_mul(&self.factor)?;
        if let Some(known) = known {
            *known = Some(share.clone());
        }
        Some(share)
    }
}
