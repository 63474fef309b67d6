//! Strengths of schedule as exact fractions, for tournaments whose standings do not have them.

use crate::source::*;

/// A fraction of whole numbers from 0 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fraction {
    pub num: u128,
    pub den: u128,
}

/// How many digits Cobra prints behind the point at most.
const DIGITS: usize = 36;

/// How many digits are right of a number that Cobra printed: some come of a binary fraction.
const RIGHT: u32 = 12;

impl Fraction {
    const ZERO: Fraction = Fraction { num: 0, den: 1 };

    /// A fraction in lowest terms; none where it is none or too large.
    fn new(num: u128, den: u128) -> Option<Fraction> {
        if den == 0 {
            return None;
        }
        let (mut a, mut b) = (num, den);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        Some(Fraction { num: num / a, den: den / a })
    }

    fn plus(self, other: Fraction) -> Option<Fraction> {
        let left = self.num.checked_mul(other.den)?;
        let right = other.num.checked_mul(self.den)?;
        Fraction::new(left.checked_add(right)?, self.den.checked_mul(other.den)?)
    }

    fn over(self, count: u128) -> Option<Fraction> {
        Fraction::new(self.num, self.den.checked_mul(count)?)
    }

    /// As a decimal number of up to 36 digits behind the point, rounded half up, with one at least.
    pub fn text(self) -> String {
        let mut digits: Vec<u8> = Vec::with_capacity(DIGITS + 1);
        let mut rest = self.num % self.den;
        for _ in 0..=DIGITS {
            // A denominator is below 2^124 wherever the sums that made it were.
            rest = rest.saturating_mul(10);
            digits.push(u8::try_from(rest / self.den).unwrap_or(9));
            rest %= self.den;
        }
        let mut carry = digits.pop().is_some_and(|digit| digit >= 5);
        for digit in digits.iter_mut().rev() {
            if carry {
                (*digit, carry) = if *digit == 9 { (0, true) } else { (*digit + 1, false) };
            }
        }
        let whole = self.num / self.den + u128::from(carry);
        while digits.len() > 1 && digits.last() == Some(&0) {
            digits.pop();
        }
        let digits: String = digits.iter().map(|digit| char::from(b'0' + digit)).collect();
        format!("{whole}.{digits}")
    }

    /// Whether this number was printed so, with as many digits or with fewer.
    pub fn is_printed_as(self, text: &str) -> bool {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let part = part.chars().chain(std::iter::repeat('0')).take(RIGHT as usize);
        let printed = whole.chars().chain(part).collect::<String>().parse::<u128>();
        let own = self.num.checked_mul(10u128.pow(RIGHT)).map(|num| num / self.den);
        printed.ok().zip(own).is_some_and(|(printed, own)| printed.abs_diff(own) <= 1)
    }
}

/// The Swiss rounds, of which standings are.
fn swiss(source: &Source) -> impl Iterator<Item = &SourceRound> {
    let first = source.phases.iter().take_while(|phase| !phase.kind.is_bracket());
    first.flat_map(|phase| &phase.rounds)
}

/// Everybody's match points of the Swiss rounds. A bye without a score counts as a match won.
pub fn points(source: &Source) -> Vec<i64> {
    let mut points = vec![0i64; source.players.len()];
    let is_single = swiss(source).flat_map(|round| &round.tables).any(|table| {
        !table.result.score.seats.is_empty() && table.seats.iter().any(|seat| seat.role != 0)
    });
    let a_game = if super::counts_points(source) { 1 } else { 3 };
    let full = if is_single { 3 } else { 6 };
    let mut add = |player: usize,
                   score: Option<&scrutineer_engine::event::Score>,
                   seat: usize,
                   other: i64| {
        let own = score.and_then(|score| score.seats.get(seat)).and_then(|lines| lines.first());
        let gained = own.map_or(other, |own| i64::from(*own) * a_game);
        if let Some(points) = points.get_mut(player) {
            *points = points.saturating_add(gained);
        }
    };
    for round in swiss(source) {
        for table in &round.tables {
            let won = crate::phases::winning_seat(&table.result);
            for (seat, one) in table.seats.iter().enumerate() {
                let ruled = if won == Some(seat) { full } else { 0 };
                add(one.player, Some(&table.result.score), seat, ruled);
            }
        }
        for bye in &round.byes {
            add(bye.player, bye.reported.as_ref(), 0, full);
        }
    }
    points
}

/// Everybody's strength of schedule, and that of their opponents: the mean over opponents of what they have in a
/// round, byes of theirs included; 0 without opponents, none where the numbers grow beyond all bounds.
pub fn strengths(source: &Source) -> Vec<[Option<Fraction>; 2]> {
    let count = source.players.len();
    let (points, mut rounds, mut opponents) =
        (points(source), vec![0u128; count], vec![Vec::new(); count]);
    for round in swiss(source) {
        for (player, _) in crate::check::appearances(round) {
            rounds[player] += 1;
        }
        for table in &round.tables {
            if let [first, second] = table.seats[..] {
                opponents[first.player].push(second.player);
                opponents[second.player].push(first.player);
            }
        }
    }
    let mean = |of: &dyn Fn(usize) -> Option<Fraction>, opponents: &[usize]| {
        let mut sum = Fraction::ZERO;
        for opponent in opponents {
            sum = sum.plus(of(*opponent)?)?;
        }
        if opponents.is_empty() { Some(sum) } else { sum.over(opponents.len() as u128) }
    };
    let of_points =
        |player: usize| Fraction::new(u128::try_from(points[player]).ok()?, rounds[player]);
    let sos: Vec<Option<Fraction>> = opponents.iter().map(|own| mean(&of_points, own)).collect();
    let esos = opponents.iter().map(|own| mean(&|player| sos[player], own));
    esos.zip(&sos).map(|(esos, sos)| [*sos, esos]).collect()
}
