//! Sums over a player's own rounds.

use super::exact::{Exact, Int, add, constant, distinct, lcm, ratio, with_constants};
use super::{plain, round_to};
use crate::crosstable::{Cell, Column, Crosstable, Index, PlayerRound};
use crate::ratio::Fraction;
use crate::ruleset::{Byes, Outcome, Quantity, RoundKind, RoundKinds, Ruleset, Total};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;

/// Why a round counts otherwise than at its face value, or not at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermNote {
    /// At face value.
    Counted,
    /// Left out: byes do not count here.
    ByeSkipped,
    /// Left out: only other kinds or outcomes count here.
    NotOfInterest,
    /// The mean over the rounds played.
    Averaged,
    /// Raised or lowered to the bound of one round.
    Bounded,
    /// A requested bye at the end, counted as a draw.
    AsDraw,
}

/// What one round adds to a total.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundTerm {
    /// The round's number.
    pub round: u16,
    /// What it was.
    pub kind: RoundKind,
    /// How it came out.
    pub outcome: Outcome,
    /// The opponents at the table.
    pub opponents: Vec<Index>,
    /// What it adds.
    pub value: BigRational,
    /// Why.
    pub note: TermNote,
}

/// What a round counts at face value, with everything looked up once for a whole column.
enum Face {
    /// Its points.
    Points,
    /// The most that it could be worth.
    Possible,
    /// The player's points so far.
    Running,
    /// One.
    One,
    /// Its number.
    Number,
    /// Its number, squared.
    NumberSquared,
    /// One at the second seat.
    SecondSeat,
    /// What it counts for.
    Weight,
    /// Its games: what one won, drawn and lost is worth.
    Games { line: usize, drawn: usize, worth: [i64; 3] },
    /// A line: how often the own and the opponent's value count.
    Line { line: usize, own: i64, against: i64 },
}

/// How one total is taken.
struct Plan<'a> {
    table: &'a Crosstable,
    total: &'a Total,
    face: Face,
    /// By kind and outcome: whether a round counts.
    notes: [[TermNote; 4]; RoundKind::WORDS.len()],
    /// The kinds that count whatever their outcome.
    all_count: RoundKinds,
    /// Denominator of a round's value.
    den: i64,
    draw_points: i64,
}

impl<'a> Plan<'a> {
    fn new(table: &'a Crosstable, rules: &'a Ruleset, total: &'a Total) -> Option<Plan<'a>> {
        let line = |name: &str, own, against| {
            Some(Face::Line { line: table.line_index(name)?, own, against })
        };
        let (face, den) = match &total.of {
            Quantity::Points => (Face::Points, table.points_den),
            Quantity::PossiblePoints => (Face::Possible, table.points_den),
            Quantity::RunningPoints => (Face::Running, table.points_den),
            Quantity::Rounds => (Face::One, 1),
            Quantity::RoundNumber => (Face::Number, 1),
            Quantity::RoundNumberSquared => (Face::NumberSquared, 1),
            Quantity::SecondSeat => (Face::SecondSeat, 1),
            Quantity::RoundWeight => (Face::Weight, weights_den(table)?),
            Quantity::GamePoints | Quantity::PossibleGamePoints => games(table, rules, total)?,
            Quantity::Line(name) => (line(name, 1, 0)?, 1),
            Quantity::Against(name) => (line(name, 0, 1)?, 1),
            Quantity::Margin(name) => (line(name, 1, -1)?, 1),
        };
        let draw = rules.points.outcome.draw;
        let draw_points = draw.num() * (table.points_den / draw.den());
        let notes = notes(total);
        let mut all_count = RoundKinds::default();
        for (_, kind) in RoundKind::WORDS {
            if notes[kind as usize] == [TermNote::Counted; 4] {
                all_count.add(kind);
            }
        }
        Some(Plan { table, total, face, notes, all_count, den, draw_points })
    }

    /// A player's values added up, where they count as they are; none where the sum does not fit.
    fn sum(&self, player: Index) -> Option<i64> {
        let mut sum = Some(0i64);
        self.walk(player, |_, value, _| sum = sum.and_then(|sum| sum.checked_add(value)));
        sum
    }

    /// Whether all players' values can be added up round after round.
    fn adds_up(&self) -> bool {
        self.is_plain() && !self.total.last_requested_byes_draw && self.surely_fits()
    }

    /// Whether no sum can be too large, whatever stands on the slips.
    fn surely_fits(&self) -> bool {
        let most_of_32_bits = 1i64 << 31;
        let rounds = self.table.rounds.len() as i64;
        let most = match self.face {
            Face::Points => most_of_32_bits,
            Face::Running => most_of_32_bits.saturating_mul(rounds),
            Face::Possible => self.table.possible.saturating_abs(),
            Face::One | Face::SecondSeat => 1,
            Face::Number => i64::from(u16::MAX),
            Face::NumberSquared => i64::from(u16::MAX).pow(2),
            Face::Weight => self.den.saturating_mul(i64::from(u16::MAX)),
            Face::Games { worth, .. } => {
                let of_a_line = |worth: i64| most_of_32_bits.saturating_mul(worth.saturating_abs());
                worth.map(of_a_line).into_iter().fold(0, i64::saturating_add)
            }
            Face::Line { .. } => 2 * most_of_32_bits,
        };
        most.checked_mul(rounds).is_some()
    }

    /// Adds what counts of a column. `so_far` is what running points are after the columns before.
    fn add_column(&self, column: &Column<'_>, so_far: &mut [i64], sums: &mut [i64]) {
        let counts = |cell: &Option<Cell>| {
            cell.as_ref().is_some_and(|c| self.note(c.kind, c.outcome) == TermNote::Counted)
        };
        // Every round in the column counts, and who does not appear adds 0.
        let takes_whole = self.all_count.contains_all(column.kinds);
        if matches!(self.face, Face::Running) {
            self.faces(column, so_far, |so_far, _, points| *so_far += points);
            for ((sum, so_far), cell) in sums.iter_mut().zip(so_far).zip(column.cells) {
                *sum += if counts(cell) { *so_far } else { 0 };
            }
        } else if takes_whole {
            // Nothing is lost, here and below: see `surely_fits`.
            self.faces(column, sums, |sum, _, face| *sum = sum.wrapping_add(face));
        } else {
            self.faces(column, sums, |sum, cell, face| {
                *sum = sum.wrapping_add(if counts(cell) { face } else { 0 });
            });
        }
    }

    /// Walks a player's rounds, in order, with what each counts.
    fn walk(&self, player: Index, mut visit: impl FnMut(&PlayerRound, i64, TermNote)) {
        let requested = self.total.last_requested_byes_draw;
        let first_requested = if requested { self.requested_from(player) } else { u16::MAX };
        let mut face = [0];
        for (column, entry) in self.table.rounds_of(player) {
            self.faces(&self.table.single(player, column), &mut face, |face, _, value| {
                *face = if matches!(self.face, Face::Running) { *face + value } else { value };
            });
            let note = self.note(entry.kind, entry.outcome);
            if note != TermNote::Counted {
                visit(&entry, 0, note);
            } else if entry.round >= first_requested && entry.kind != RoundKind::ForfeitLoss {
                visit(&entry, self.draw_points, TermNote::AsDraw);
            } else {
                visit(&entry, face[0], note);
            }
        }
    }

    /// Gives the face value of every cell of a column to `take`, with what of `into` is the
    /// player's; where nobody appears it is 0. Running points are given as the points of the round.
    /// Each way of counting has a loop of its own, so that none is asked for again at every cell.
    #[inline]
    fn faces(
        &self,
        column: &Column<'_>,
        into: &mut [i64],
        mut take: impl FnMut(&mut i64, &Option<Cell>, i64),
    ) {
        let table = self.table;
        let cells = column.cells;
        match self.face {
            Face::Points | Face::Running => each_face(cells, into, |c| i64::from(c.points), take),
            Face::Possible => {
                let of = |c: &Cell| i64::from(c.kind != RoundKind::Unfinished) * table.possible;
                each_face(cells, into, of, take);
            }
            Face::One => each_face(cells, into, |_| 1, take),
            Face::Number => each_face(cells, into, |_| i64::from(column.round), take),
            Face::NumberSquared => each_face(cells, into, |_| i64::from(column.round).pow(2), take),
            Face::SecondSeat => each_face(cells, into, |c| i64::from(c.is_second), take),
            Face::Weight => {
                let (num, den) = table.weight(column.round);
                let weight = i64::from(num) * (self.den / i64::from(den));
                each_face(cells, into, |_| weight, take);
            }
            Face::Games { line, drawn, worth: [win, draw, loss] } => {
                let values = table.values(column, line).iter().zip(table.values(column, drawn));
                let players = into.iter_mut().zip(cells).zip(values);
                // Nothing is lost: see `games`.
                let of = |games: i64, worth: i64| games.wrapping_mul(worth);
                if win == draw && win == loss {
                    for ((into, cell), ([won, lost], [drawn, _])) in players {
                        let games = i64::from(*won) + i64::from(*lost) + i64::from(*drawn);
                        take(into, cell, of(games, win));
                    }
                    return;
                }
                for ((into, cell), ([won, lost], [drawn, _])) in players {
                    let decided = of((*won).into(), win).wrapping_add(of((*lost).into(), loss));
                    take(into, cell, decided.wrapping_add(of((*drawn).into(), draw)));
                }
            }
            Face::Line { line, own, against } => {
                let values = table.values(column, line);
                for ((into, cell), [one, other]) in into.iter_mut().zip(cells).zip(values) {
                    take(into, cell, i64::from(*one) * own + i64::from(*other) * against);
                }
            }
        }
    }

    #[inline(always)]
    fn note(&self, kind: RoundKind, outcome: Outcome) -> TermNote {
        self.notes[kind as usize][outcome as usize]
    }

    /// The first of the requested byes with which a player's rounds end (FIDE C.07, 16.3: byes
    /// asked for that are followed by nothing but rounds that they chose not to play).
    fn requested_from(&self, player: Index) -> u16 {
        let by_choice = |entry: &PlayerRound| {
            matches!(entry.kind, RoundKind::HalfBye | RoundKind::ZeroBye | RoundKind::ForfeitLoss)
        };
        let ending = self.table.rounds_of(player).rev().take_while(|(_, entry)| by_choice(entry));
        let requested = ending.filter(|(_, entry)| entry.kind != RoundKind::ForfeitLoss);
        requested.last().map_or(u16::MAX, |(_, entry)| entry.round)
    }

    /// Whether face values count as they are, one after another.
    fn is_plain(&self) -> bool {
        let total = self.total;
        total.byes != Byes::Average
            && total.decay.is_none()
            && total.each_at_least.is_none()
            && total.each_at_most.is_none()
    }
}

/// Gives the face value of every cell to `take`, with what of `into` is the player's; 0 where nobody
/// appears.
#[inline(always)]
fn each_face(
    cells: &[Option<Cell>],
    into: &mut [i64],
    face: impl Fn(&Cell) -> i64,
    mut take: impl FnMut(&mut i64, &Option<Cell>, i64),
) {
    for (into, cell) in into.iter_mut().zip(cells) {
        take(into, cell, cell.as_ref().map_or(0, &face));
    }
}

/// Whether a round of each kind and outcome counts in a total.
fn notes(total: &Total) -> [[TermNote; 4]; RoundKind::WORDS.len()] {
    let mut notes = [[TermNote::NotOfInterest; 4]; RoundKind::WORDS.len()];
    for (_, kind) in RoundKind::WORDS.iter().filter(|(_, kind)| total.kinds.contains(*kind)) {
        let counted = match total.byes {
            Byes::Skip if kind.is_bye() => TermNote::ByeSkipped,
            Byes::Average if kind.is_bye() => TermNote::Averaged,
            _ => TermNote::Counted,
        };
        for outcome in [Outcome::Win, Outcome::Draw, Outcome::Loss, Outcome::None] {
            if total.outcomes.contains(outcome) {
                notes[*kind as usize][outcome as usize] = counted;
            }
        }
    }
    notes
}

/// A denominator over which the weight of every round is whole, where it fits.
pub(super) fn weights_den(table: &Crosstable) -> Option<i64> {
    let mut dens = table.rounds.iter().map(|(_, _, den)| i64::from(*den));
    let den = dens.try_fold(1, |a: i64, b| lcm_of(a, b))?;
    // What all rounds of a tournament weigh must fit too.
    let most = i64::from(u16::MAX) * i64::from(u16::MAX);
    den.checked_mul(most).map(|_| den)
}

fn lcm_of(a: i64, b: i64) -> Option<i64> {
    (a / a.gcd(&b)).checked_mul(b)
}

/// How games count: over the denominator of their points.
fn games(table: &Crosstable, rules: &Ruleset, total: &Total) -> Option<(Face, i64)> {
    let games = rules.games.as_ref()?;
    let points = [games.outcome.win, games.outcome.draw, games.outcome.loss];
    let den = points.iter().try_fold(1, |den: i64, value| lcm_of(den, value.den()))?;
    // A game's worth times the most games that a slip can hold must fit.
    let worth = |value: Fraction| {
        let worth = value.num().checked_mul(den / value.den())?;
        worth.checked_mul(1 << 34).map(|_| worth)
    };
    let [win, draw, loss] = [worth(points[0])?, worth(points[1])?, worth(points[2])?];
    let worth = match total.of {
        Quantity::PossibleGamePoints => [win; 3],
        _ => [win, draw, loss],
    };
    let line = table.line_index(&games.line)?;
    let face = match table.line_index(&games.drawn) {
        Some(drawn) => Face::Games { line, drawn, worth },
        None => Face::Games { line, drawn: line, worth: [worth[0], 0, worth[2]] },
    };
    Some((face, den))
}

/// A round that was played, for the average.
fn was_played(entry: &PlayerRound) -> bool {
    matches!(entry.kind, RoundKind::Played | RoundKind::DoubleLoss)
}

/// Totals with what each came to for every player.
pub type Sums<'a> = Vec<(&'a Total, Vec<i64>)>;

/// Adds up those totals whose values count as they are and whose sums are sure to fit: all in one
/// walk over the rounds, for so many players at a time that their cells and sums stay in the
/// processor's nearest cache.
pub(crate) fn add_up<'a>(
    table: &Crosstable,
    rules: &Ruleset,
    totals: impl Iterator<Item = &'a Total>,
) -> Sums<'a> {
    const AT_A_TIME: usize = 1 << 9;
    let mut list: Sums<'a> = Vec::new();
    let mut plans: Vec<Plan<'_>> = Vec::new();
    for total in totals {
        if list.iter().any(|(other, _)| *other == total) {
            continue;
        }
        if let Some(plan) = Plan::new(table, rules, total).filter(Plan::adds_up) {
            plans.push(plan);
            list.push((total, vec![0; table.len()]));
        }
    }
    let mut so_far = vec![[0; AT_A_TIME]; plans.len()];
    for first in (0..table.len()).step_by(AT_A_TIME) {
        let block = first..table.len().min(first + AT_A_TIME);
        so_far.fill([0; AT_A_TIME]);
        for column in table.columns() {
            let column = column.part(block.clone());
            for ((plan, (_, sums)), so_far) in plans.iter().zip(&mut list).zip(&mut so_far) {
                plan.add_column(&column, so_far, &mut sums[block.clone()]);
            }
        }
    }
    list
}

/// The column of a total; from `sums` where it was added up.
pub fn column<T: Int>(
    table: &Crosstable,
    rules: &Ruleset,
    total: &Total,
    sums: &Sums<'_>,
) -> Option<Exact<T>> {
    let plan = Plan::new(table, rules, total)?;
    if let Some((_, sums)) = sums.iter().find(|(other, _)| *other == total) {
        return Some(plain(sums.iter().copied().map(T::from).collect(), T::from(plan.den)));
    }
    if plan.is_plain() {
        let sums = (0..table.len() as Index).map(|player| plan.sum(player).map(T::from));
        return Some(plain(sums.collect::<Option<_>>()?, T::from(plan.den)));
    }
    let den = common_den::<T>(&plan)?;
    let sum = |player| {
        let mut sum = T::from(0);
        let mut fits = Some(());
        values::<T>(&plan, player, &den, |_, value, _| {
            fits = fits.and_then(|()| add(&mut sum, &value));
        })?;
        fits.map(|()| sum)
    };
    let sums = (0..table.len() as Index).map(sum).collect::<Option<_>>()?;
    Some(plain(sums, den))
}

/// A denominator over which every term of every player is whole.
fn common_den<T: Int>(plan: &Plan<'_>) -> Option<T> {
    let total = plan.total;
    let bounds = total.each_at_least.into_iter().chain(total.each_at_most);
    let mut den = with_constants(T::from(plan.den), bounds)?;
    let players = 0..plan.table.len() as Index;
    if total.byes == Byes::Average {
        let played = |p| plan.table.rounds_of(p).filter(|(_, e)| was_played(e)).count() as i64;
        match total.average_rounding {
            Some(rounding) => {
                den = lcm(&den, &T::from(10i64.checked_pow(rounding.digits)?))?;
            }
            None => {
                let mut multiple = T::from(1);
                for count in distinct(players.clone().map(played)).into_iter().filter(|n| *n > 0) {
                    multiple = lcm(&multiple, &T::from(count))?;
                }
                den = den.times(&multiple)?;
            }
        }
    }
    if let Some(decay) = total.decay {
        let most = players.map(|p| plan.table.rounds_of(p).count()).max().unwrap_or(0);
        for _ in 1..most {
            den = den.times(&T::from(decay.den()))?;
        }
    }
    Some(den)
}

/// Walks the terms of one player over `den`.
fn values<T: Int>(
    plan: &Plan<'_>,
    player: Index,
    den: &T,
    mut visit: impl FnMut(&PlayerRound, T, TermNote),
) -> Option<()> {
    let total = plan.total;
    let scale = den.div_floor(&T::from(plan.den));
    let bound = |value: Option<Fraction>| match value {
        Some(value) => constant(value, den).map(Some),
        None => Some(None),
    };
    let (least, most) = (bound(total.each_at_least)?, bound(total.each_at_most)?);
    let average = match total.byes {
        Byes::Average => average(plan, player, &scale, den)?,
        _ => T::from(0),
    };
    let finished = |entry: &PlayerRound| entry.kind != RoundKind::Unfinished;
    let mut later = plan.table.rounds_of(player).filter(|(_, entry)| finished(entry)).count();
    let mut fits = Some(());
    plan.walk(player, |entry, value, note| {
        later = later.saturating_sub(usize::from(finished(entry)));
        let term = || -> Option<(T, TermNote)> {
            let mut value = match note {
                TermNote::Averaged => average.clone(),
                _ => T::from(value).times(&scale)?,
            };
            let mut note = note;
            if matches!(note, TermNote::NotOfInterest | TermNote::ByeSkipped) {
                return Some((value, note));
            }
            if let Some(least) = least.as_ref().filter(|least| value < **least) {
                (value, note) = (least.clone(), TermNote::Bounded);
            }
            if let Some(most) = most.as_ref().filter(|most| value > **most) {
                (value, note) = (most.clone(), TermNote::Bounded);
            }
            if let Some(decay) = total.decay {
                for _ in 0..later {
                    value = value.times(&T::from(decay.num()))?;
                    value = value.div_floor(&T::from(decay.den()));
                }
            }
            Some((value, note))
        };
        match term() {
            Some((value, note)) => visit(entry, value, note),
            None => fits = None,
        }
    });
    fits
}

/// What each bye counts: the mean over the rounds played, 0 where there are none.
fn average<T: Int>(plan: &Plan<'_>, player: Index, scale: &T, den: &T) -> Option<T> {
    let mut sum: i64 = 0;
    let mut played: i64 = 0;
    plan.walk(player, |entry, value, note| {
        if was_played(entry) && note == TermNote::Counted {
            sum = sum.saturating_add(value);
            played += 1;
        }
    });
    if played == 0 {
        return Some(T::from(0));
    }
    let Some(rounding) = plan.total.average_rounding else {
        return Some(T::from(sum).times(scale)?.div_floor(&T::from(played)));
    };
    // sum / (plan.den * played) in steps of 10^-digits
    let power = T::from(10i64.checked_pow(rounding.digits)?);
    let over = T::from(sum).times(&power)?;
    let under = T::from(plan.den).times(&T::from(played))?;
    round_to(&over, &under, rounding.mode).times(&den.div_floor(&power))
}

/// What single rounds of players add to a total.
pub struct ByRound<'a>(Plan<'a>);

impl<'a> ByRound<'a> {
    /// Of this total, which is one of rounds that count by themselves.
    pub fn of(table: &'a Crosstable, rules: &'a Ruleset, total: &'a Total) -> Option<ByRound<'a>> {
        Plan::new(table, rules, total).map(ByRound)
    }

    /// The denominator of all values.
    pub fn den(&self) -> i64 {
        self.0.den
    }

    /// What a round of a player adds.
    pub fn value(&self, player: Index, column: usize, entry: &PlayerRound) -> i64 {
        let mut value = [0];
        if self.0.note(entry.kind, entry.outcome) == TermNote::Counted {
            let single = self.0.table.single(player, column);
            self.0.faces(&single, &mut value, |value, _, face| *value = face);
        }
        value[0]
    }
}

/// The terms of one player's total.
pub fn terms(table: &Crosstable, rules: &Ruleset, total: &Total, player: Index) -> Vec<RoundTerm> {
    let mut list = Vec::new();
    let Some(plan) = Plan::new(table, rules, total) else { return list };
    let Some(den) = common_den::<BigInt>(&plan) else { return list };
    let _ = values::<BigInt>(&plan, player, &den, |entry, value, note| {
        list.push(RoundTerm {
            round: entry.round,
            kind: entry.kind,
            outcome: entry.outcome,
            opponents: table.opponents_of(entry).to_vec(),
            value: ratio(&value, &den),
            note,
        });
    });
    list
}
