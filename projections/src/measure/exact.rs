//! Exact columns: whole numerators over one shared denominator, in 128 bits where they fit and in
//! big integers where they don't. Never a float, so that equal values compare equal.

use crate::ratio::Fraction;
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{CheckedAdd, CheckedSub, Signed, ToPrimitive};
use std::cmp::Ordering;
use std::fmt::Debug;

/// An integer in which a column can be taken. Every operation says when a value does not fit.
pub trait Int:
    Clone + Ord + Debug + Integer + Signed + CheckedAdd + CheckedSub + ToPrimitive + From<i64>
{
    /// The numerators and denominator of a column in this width, where they fit.
    fn of(column: &Column) -> Option<(std::borrow::Cow<'_, [Self]>, Self)>;

    /// A column of these values.
    fn column(column: Exact<Self>) -> Column;

    /// The value in any width.
    fn big(&self) -> BigInt;

    /// A product, where it fits.
    fn times(&self, other: &Self) -> Option<Self>;

    /// The greatest common divisor.
    fn common(&self, other: &Self) -> Self {
        self.gcd(other)
    }

    /// What is left of it once it is divided by one of its divisors.
    fn divided(&self, divisor: &Self) -> Self {
        self.div_floor(divisor)
    }

    /// Appends how many bytes hold it, in four of them, the lowest first, and these: as few as hold it in
    /// two's complement, the highest first.
    fn write(&self, out: &mut Vec<u8>) {
        let bytes = self.big().to_signed_bytes_be();
        out.extend((bytes.len() as u32).to_le_bytes());
        out.extend(bytes);
    }
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

    #[inline]
    fn times(&self, other: &i128) -> Option<i128> {
        // Most factors have 64 bits: then it fits, and one instruction does it.
        match (i64::try_from(*self), i64::try_from(*other)) {
            (Ok(one), Ok(other)) => Some(i128::from(one) * i128::from(other)),
            _ => self.checked_mul(*other),
        }
    }

    fn common(&self, other: &i128) -> i128 {
        // In 64 bits it takes a fraction of the time.
        match (u64::try_from(self.unsigned_abs()), u64::try_from(other.unsigned_abs())) {
            (Ok(one), Ok(other)) => common_of(one, other).into(),
            _ => self.gcd(other),
        }
    }

    fn divided(&self, divisor: &i128) -> i128 {
        match (i64::try_from(*self), i64::try_from(*divisor)) {
            (Ok(all), Ok(divisor)) => Integer::div_floor(&all, &divisor).into(),
            _ => self.div_floor(divisor),
        }
    }

    fn write(&self, out: &mut Vec<u8>) {
        // Bits that only repeat the sign are not needed, but for one.
        let repeated = if *self < 0 { self.leading_ones() } else { self.leading_zeros() };
        let needed = (i128::BITS - repeated) / 8 + 1;
        out.extend(needed.to_le_bytes());
        out.extend(&self.to_be_bytes()[size_of::<i128>() - needed as usize..]);
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

    fn times(&self, other: &BigInt) -> Option<BigInt> {
        Some(self * other)
    }
}

/// A bound that counts instead of what was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The floor.
    Floor,
    /// The cap.
    Cap,
    /// The cap for players who have dropped.
    DroppedCap,
    /// The least or the most that one opponent counts.
    OneOpponent,
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

    /// The bound that counts; none where the value stands as it was computed.
    pub fn bound(self) -> Option<Bound> {
        let bounds = [
            (Notes::FLOOR, Bound::Floor),
            (Notes::CAP, Bound::Cap),
            (Notes::DROPPED_CAP, Bound::DroppedCap),
        ];
        bounds.into_iter().find(|(note, _)| self.has(*note)).map(|(_, bound)| bound)
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
    /// A column of these values.
    pub(super) fn of_values(values: &[BigRational]) -> Column {
        let den = values.iter().fold(BigInt::from(1), |den, value| den.lcm(value.denom()));
        let nums: Vec<BigInt> =
            values.iter().map(|value| value.numer() * (&den / value.denom())).collect();
        let narrow: Option<Vec<i128>> = nums.iter().map(ToPrimitive::to_i128).collect();
        match (narrow, den.to_i128()) {
            (Some(nums), Some(den)) => Column::Narrow(super::plain(nums, den)),
            _ => Column::Wide(super::plain(nums, den)),
        }
    }

    /// Compares two players' values.
    pub fn cmp(&self, a: u32, b: u32) -> Ordering {
        match self {
            Column::Narrow(exact) => exact.nums[a as usize].cmp(&exact.nums[b as usize]),
            Column::Wide(exact) => exact.nums[a as usize].cmp(&exact.nums[b as usize]),
        }
    }

    /// Sorts players by their values; those with equal ones stay as they stood. Calls `apart` with
    /// each place, from 1, whose player has another value than the one before them.
    pub fn sort(&self, players: &mut [u32], lowest_first: bool, mut apart: impl FnMut(usize)) {
        match self {
            Column::Narrow(exact) => {
                let num = |player: u32| exact.nums[player as usize];
                let num = |player| if lowest_first { num(player) } else { !num(player) };
                if sort_by_counting(players, num, &mut apart)
                    || sort_packed(players, num, &mut apart)
                {
                    return;
                }
                players.sort_by_key(|player| num(*player));
            }
            Column::Wide(_) => players.sort_by(|a, b| match lowest_first {
                true => self.cmp(*a, *b),
                false => self.cmp(*b, *a),
            }),
        }
        let differ = |at: &usize| self.cmp(players[at - 1], players[*at]).is_ne();
        (1..players.len()).filter(differ).for_each(apart);
    }

    /// A player's value, reduced.
    pub fn value(&self, player: u32) -> BigRational {
        match self {
            Column::Narrow(exact) => ratio(&exact.nums[player as usize], &exact.den),
            Column::Wide(exact) => ratio(&exact.nums[player as usize], &exact.den),
        }
    }

    /// Appends the numerator and the denominator of a player's value, reduced, each as [`Int::write`] says.
    pub fn write(&self, player: u32, out: &mut Vec<u8>) {
        fn of<T: Int>(exact: &Exact<T>, player: u32, out: &mut Vec<u8>) {
            let (num, den) = reduced(&exact.nums[player as usize], &exact.den);
            num.write(out);
            den.write(out);
        }
        match self {
            Column::Narrow(exact) => of(exact, player, out),
            Column::Wide(exact) => of(exact, player, out),
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

/// Sorts many players by a number of each, where these lie close together, as points do: how many
/// have each number says where they stand.
fn sort_by_counting(
    players: &mut [u32],
    num: impl Fn(u32) -> i128,
    apart: &mut impl FnMut(usize),
) -> bool {
    let numbers = || players.iter().map(|player| num(*player));
    let bounds = numbers()
        .fold((i128::MAX, i128::MIN), |(least, most), num| (least.min(num), most.max(num)));
    let (least, most) = bounds;
    let range = most.checked_sub(least).and_then(|range| usize::try_from(range).ok());
    let Some(range) = range.filter(|range| *range < players.len()) else { return false };
    let mut starts = vec![0; range + 1];
    let above_least: Vec<u32> = numbers().map(|num| (num - least) as u32).collect();
    above_least.iter().for_each(|num| starts[*num as usize] += 1);
    let mut from = 0;
    for start in starts.iter_mut().filter(|count| **count > 0) {
        if from > 0 {
            apart(from);
        }
        (from, *start) = (from + *start, from);
    }
    let stood = players.to_vec();
    for (player, num) in stood.into_iter().zip(above_least) {
        let next = &mut starts[num as usize];
        players[*next] = player;
        *next += 1;
    }
    true
}

/// Sorts players by a number of each, where these fit: each packed with the place at which they stood
/// into one integer, so that players with equal numbers stay as they stood, and nothing but these
/// integers is looked at and moved.
fn sort_packed(
    players: &mut [u32],
    num: impl Fn(u32) -> i128,
    apart: &mut impl FnMut(usize),
) -> bool {
    let mut list: Vec<i128> = Vec::with_capacity(players.len());
    for (place, player) in (0u32..).zip(&*players) {
        let (num, room) = (num(*player), 32);
        if num << room >> room != num {
            return false;
        }
        list.push(num << room | i128::from(place));
    }
    list.sort_unstable();
    let stood = players.to_vec();
    for (player, packed) in players.iter_mut().zip(&list) {
        *player = stood[*packed as u32 as usize];
    }
    for (at, two) in (1..).zip(list.windows(2)) {
        if two[0] >> 32 != two[1] >> 32 {
            apart(at);
        }
    }
    true
}

/// What `of` makes of each value; none where it makes nothing of one.
pub fn each<A, B>(values: &[A], of: impl Fn(&A) -> Option<B>) -> Option<Vec<B>> {
    // Collecting would not know how much room to make.
    let mut list = Vec::with_capacity(values.len());
    for value in values {
        list.push(of(value)?);
    }
    Some(list)
}

impl<T: Int> Exact<T> {
    fn before(&self, player: u32) -> BigRational {
        let nums = if self.before.is_empty() { &self.nums } else { &self.before };
        ratio(&nums[player as usize], &self.den)
    }

    /// The same values over `den` times `factor`.
    pub(crate) fn scaled_by(mut self, factor: &T) -> Option<Exact<T>> {
        if factor.is_one() {
            return Some(self);
        }
        self.den = self.den.times(factor)?;
        for num in self.nums.iter_mut().chain(&mut self.before) {
            *num = num.times(factor)?;
        }
        Some(self)
    }
}

/// The greatest common divisor by differences. Which of the two is the larger one cannot be guessed: without a branch on
/// it this takes less than half of the time that a library's takes, and a table is hashed with one for each value.
fn common_of(mut one: u64, mut odd: u64) -> u64 {
    if one == 0 || odd == 0 {
        return one | odd;
    }
    let twos = (one | odd).trailing_zeros();
    odd >>= odd.trailing_zeros();
    while one != 0 {
        one >>= one.trailing_zeros();
        (one, odd) = (one.abs_diff(odd), one.min(odd));
    }
    odd << twos
}

/// `num / den`, reduced; the denominator is above zero.
fn reduced<T: Int>(num: &T, den: &T) -> (T, T) {
    let common = num.common(den);
    (num.divided(&common), den.divided(&common))
}

/// `num / den`, reduced; the denominator is above zero.
pub fn ratio<T: Int>(num: &T, den: &T) -> BigRational {
    let (num, den) = reduced(num, den);
    BigRational::new_raw(num.big(), den.big())
}

/// The least common multiple, where it fits; both above zero.
pub(crate) fn lcm<T: Int>(a: &T, b: &T) -> Option<T> {
    a.clone().div_floor(&a.gcd(b)).times(b)
}

/// A constant over a denominator that it divides.
pub fn constant<T: Int>(value: Fraction, den: &T) -> Option<T> {
    let factor = den.div_floor(&T::from(value.den()));
    T::from(value.num()).times(&factor)
}

/// The least common multiple of a denominator and those of constants.
pub(crate) fn with_constants<T: Int>(
    den: T,
    constants: impl IntoIterator<Item = Fraction>,
) -> Option<T> {
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
pub(crate) struct Shares<T> {
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
        let share = self.whole.div_floor(divisor).times(&self.factor)?;
        if let Some(known) = known {
            *known = Some(share.clone());
        }
        Some(share)
    }
}

#[cfg(test)]
mod tests {
    use super::{BigRational, Column, Exact};
    use num_bigint::BigInt;
    use std::cmp::Reverse;

    /// Players that are not in the order of their numbers, so that standing as before shows.
    fn players() -> Vec<u32> {
        (0..60).map(|at| at * 7 % 60).collect()
    }

    fn column(nums: Vec<i128>) -> Column {
        Column::Narrow(Exact { nums, den: 1, before: Vec::new(), notes: Vec::new() })
    }

    #[test]
    fn players_stand_by_their_values_and_with_equal_ones_as_they_stood() {
        let points = |player: i128| player * 11 % 5 - 2;
        // Few different values, as of points; values far apart; values that nearly fill 128 bits.
        let columns: [Vec<i128>; 5] = [
            (0..60).map(points).collect(),
            (0..60).map(|player| points(player) * (1 << 40)).collect(),
            (0..60).map(|player| points(player) * (1 << 94)).collect(),
            (0..60).map(|player| points(player) * (1 << 125)).collect(),
            (0..60).map(|player| [i128::MIN, i128::MAX][player % 2]).collect(),
        ];
        for nums in columns {
            for lowest_first in [true, false] {
                let num = |player: &u32| nums[*player as usize];
                let mut expected = players();
                match lowest_first {
                    true => expected.sort_by_key(num),
                    false => expected.sort_by_key(|player| Reverse(num(player))),
                }
                let differ = |at: &usize| num(&expected[at - 1]) != num(&expected[*at]);
                let breaks: Vec<usize> = (1..60).filter(differ).collect();
                let wide = nums.iter().copied().map(BigInt::from).collect();
                let wide = Column::Wide(Exact {
                    nums: wide,
                    den: 1.into(),
                    before: Vec::new(),
                    notes: Vec::new(),
                });
                for column in [column(nums.clone()), wide] {
                    let (mut sorted, mut apart) = (players(), Vec::new());
                    column.sort(&mut sorted, lowest_first, |at| apart.push(at));
                    assert_eq!((&sorted, &apart), (&expected, &breaks), "{nums:?}");
                }
            }
        }
        let nobody: &mut [u32] = &mut [];
        column(Vec::new()).sort(nobody, true, |_| panic!("nobody stands before anybody"));
    }

    #[test]
    fn a_value_in_128_bits_has_the_bytes_that_it_has_in_any_width() {
        let edges = [0, 1, 127, 128, 255, 256, 32_767, 32_768, i128::from(u64::MAX), 1 << 100];
        let nums: Vec<i128> =
            edges.iter().flat_map(|edge| [*edge, -*edge]).chain([i128::MAX, i128::MIN]).collect();
        for den in [1, 6, 1 << 62, 3 * (1 << 90)] {
            let all = Exact { nums: nums.clone(), den, before: Vec::new(), notes: Vec::new() };
            let narrow = Column::Narrow(all);
            for (player, num) in nums.iter().enumerate() {
                let value = BigRational::new(BigInt::from(*num), BigInt::from(den));
                assert_eq!(narrow.value(player as u32), value);
                let (mut wide, mut written) = (Vec::new(), Vec::new());
                for part in [value.numer(), value.denom()].map(BigInt::to_signed_bytes_be) {
                    wide.extend((part.len() as u32).to_le_bytes());
                    wide.extend(part);
                }
                narrow.write(player as u32, &mut written);
                assert_eq!(written, wide, "{num}/{den}");
            }
        }
    }
}
