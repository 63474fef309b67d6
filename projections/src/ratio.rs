//! Exact numbers: the constants of a ruleset, and how a ratio is printed.

use num_bigint::BigUint;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive};
use std::cmp::Ordering;
use std::fmt;

/// A constant of a ruleset: reduced, with a denominator above zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fraction {
    num: i64,
    den: i64,
}

impl Fraction {
    /// Zero.
    pub const ZERO: Fraction = Fraction { num: 0, den: 1 };
    /// One.
    pub const ONE: Fraction = Fraction { num: 1, den: 1 };

    /// `num / den`, reduced; none where `den` is zero or a part does not fit.
    pub fn new(num: i64, den: i64) -> Option<Fraction> {
        if den == 0 || num == i64::MIN || den == i64::MIN {
            return None;
        }
        let by = num.gcd(&den) * den.signum();
        Some(Fraction { num: num / by, den: den / by })
    }

    /// A whole number.
    pub const fn whole(num: i32) -> Fraction {
        Fraction { num: num as i64, den: 1 }
    }

    /// Reads `3`, `-3`, `1/3` or `0.33`; at most 9 digits on each side of the point or stroke.
    pub fn read(text: &str) -> Option<Fraction> {
        let (sign, digits) = match text.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, text),
        };
        let (num, den) = if let Some((num, den)) = digits.split_once('/') {
            (whole(num)?, whole(den)?)
        } else if let Some((whole_part, decimals)) = digits.split_once('.') {
            let scale = 10_i64.pow(u32::try_from(decimals.len()).ok().filter(|len| *len <= 9)?);
            (whole(whole_part)?.checked_mul(scale)?.checked_add(whole(decimals)?)?, scale)
        } else {
            (whole(digits)?, 1)
        };
        Fraction::new(sign * num, den)
    }

    /// The numerator; negative for a negative number.
    pub const fn num(self) -> i64 {
        self.num
    }

    /// The denominator, above zero.
    pub const fn den(self) -> i64 {
        self.den
    }
}

fn whole(digits: &str) -> Option<i64> {
    let fits = (1..=9).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    fits.then(|| digits.parse().ok()).flatten()
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.den {
            1 => write!(f, "{}", self.num),
            den => write!(f, "{}/{den}", self.num),
        }
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Self) -> Ordering {
        let left = i128::from(self.num) * i128::from(other.den);
        left.cmp(&(i128::from(other.num) * i128::from(self.den)))
    }
}

/// A value with so many digits behind the point, halves away from zero. `percent` prints it times
/// 100 with a `%`.
pub fn decimal(value: &BigRational, decimals: u32, percent: bool) -> String {
    let scale = decimals + if percent { 2 } else { 0 };
    let (num, den) = (value.numer().magnitude(), value.denom().magnitude());
    // Doubled, so that a half is a whole number. Nearly all values are small.
    let small = |num: &BigUint| num.to_u64().map(u128::from);
    let magnitude = match (small(num), small(den)) {
        (Some(num), Some(den)) if scale <= 17 => {
            ((2 * num * 10_u128.pow(scale) + den) / (2 * den)).to_string()
        }
        _ => ((num * BigUint::from(10_u8).pow(scale) * 2_u8 + den) / (den * 2_u8)).to_string(),
    };
    let is_below = value.is_negative() && magnitude != "0";
    let sign = if is_below { "-" } else { "" };
    let digits = format!("{magnitude:0>width$}", width = decimals as usize + 1);
    let (front, back) = digits.split_at(digits.len() - decimals as usize);
    let point = if decimals == 0 { "" } else { "." };
    format!("{sign}{front}{point}{back}{}", if percent { "%" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;

    #[test]
    fn a_third_and_33_hundredths_are_two_numbers() {
        let third = Fraction::read("1/3").unwrap();
        let literal = Fraction::read("0.33").unwrap();
        assert_eq!((literal.num(), literal.den()), (33, 100));
        assert!(literal < third);
    }

    #[test]
    fn numbers_that_are_not_exact_are_not_read() {
        for text in ["", "1/0", "1e3", ".5", "1.", "0x1", "1/2/3", "NaN", "9999999999", "--1"] {
            assert_eq!(Fraction::read(text), None, "{text}");
        }
    }

    #[test]
    fn printing_rounds_halves_away_from_zero() {
        let value = |num: i64, den: i64| BigRational::new(num.into(), den.into());
        assert_eq!(decimal(&value(123, 250), 4, true), "49.2000%");
        assert_eq!(decimal(&value(2, 3), 4, true), "66.6667%");
        assert_eq!(decimal(&value(-1, 2), 0, false), "-1");
        assert_eq!(decimal(&value(21, 2), 1, false), "10.5");
        assert_eq!(decimal(&value(-1, 3), 0, false), "0", "no zero has a sign");
    }

    #[test]
    fn a_long_number_is_printed_as_a_short_one_is() {
        let long = BigInt::from(10).pow(40);
        for (num, den) in [(2, 3), (-1, 2), (123, 250), (1, 8), (-7, 9), (0, 1), (i64::MAX, 7)] {
            let short = BigRational::new(num.into(), den.into());
            // The same value, not reduced.
            let longer = BigRational::new_raw(&long * num, &long * den);
            for (decimals, percent) in [(0, false), (4, true), (9, false)] {
                let printed = |value| decimal(value, decimals, percent);
                assert_eq!(printed(&short), printed(&longer), "{num}/{den}");
                let exact = (&short * BigInt::from(10).pow(decimals)).round().to_integer();
                if !percent {
                    assert_eq!(printed(&short).replace('.', "").parse(), Ok(exact), "{num}/{den}");
                }
            }
        }
    }
}
