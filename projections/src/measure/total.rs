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

    /// Every player's values added up, where they count as they are; none where a sum does not fit.
    fn sums(&self) -> Option<Vec<i64>> {
        if !self.total.last_requested_byes_draw {
            return self.add_up();
        }
        let sum = |player| {
            let mut sum = Some(0i64);
            self.walk(player, |_, value, _| sum = sum.and_then(|sum| sum.checked_add(value)));
            sum
        };
        (0..self.table.len() as Index).map(sum).collect()
    }

    /// Adds up what counts for every player, round after round as they lie; for so many players
    /// at a time that their sums stay in the processor's nearest cache.
    fn add_up(&self) -> Option<Vec<i64>> {
        const AT_A_TIME: usize = 1 << 10;
        let mut sums = vec![0i64; self.table.len()];
        let mut faces = Vec::with_capacity(AT_A_TIME);
        let mut over = false;
        for (first, sums) in (0..).step_by(AT_A_TIME).zip(sums.chunks_mut(AT_A_TIME)) {
            faces.clear();
            faces.resize(sums.len(), 0);
            for column in self.table.columns() {
                over |= self.add_column(&column.part(first..first + sums.len()), &mut faces, sums);
            }
        }
        (!over).then_some(sums)
    }

    /// Adds what counts of a column, and says whether a sum has become too large.
    fn add_column(&self, column: &Column<'_>, faces: &mut [i64], sums: &mut [i64]) -> bool {
        let mut over = false;
        let mut add = |sum: &mut i64, face: i64| {
            let (next, too_large) = sum.overflowing_add(face);
            (*sum, over) = (next, over | too_large);
        };
        self.faces(column, faces);
        if self.takes_whole(column) {
            sums.iter_mut().zip(faces).for_each(|(sum, face)| add(sum, *face));
            return over;
        }
        for ((sum, face), cell) in sums.iter_mut().zip(faces).zip(column.cells) {
            let counts = |cell: &Cell| self.note(cell.kind, cell.outcome) == TermNote::Counted;
            add(sum, if cell.as_ref().is_some_and(counts) { *face } else { 0 });
        }
        over
    }

    /// Whether the face values of a column can be added as they are: every round in it counts, and
    /// who does not appear adds 0.
    fn takes_whole(&self, column: &Column<'_>) -> bool {
        !matches!(self.face, Face::Running) && self.all_count.contains_all(column.kinds)
    }

    /// Walks a player's rounds, in order, with what each counts.
    fn walk(&self, player: Index, mut visit: impl FnMut(&PlayerRound, i64, TermNote)) {
        let requested = self.total.last_requested_byes_draw;
        let first_requested = if requested { self.requested_from(player) } else { u16::MAX };
        let mut face = [0];
        for (column, entry) in self.table.rounds_of(player) {
            self.faces(&self.table.single(player, column), &mut face);
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

    /// The face value of every cell of a column. Where nobody appears it is 0, but for running
    /// points, which stay what they were. `faces` is what came of the column before, at first 0.
    /// Each way of counting has a loop of its own, so that none is asked for again at every cell.
    fn faces(&self, column: &Column<'_>, faces: &mut [i64]) {
        let table = self.table;
        let set = |faces: &mut [i64], value: i64| {
            for (face, cell) in faces.iter_mut().zip(column.cells) {
                *face = if cell.is_some() { value } else { 0 };
            }
        };
        let points = |cell: &Option<Cell>| cell.map_or(0, |cell| i64::from(cell.points));
        let round = i64::from(column.round);
        match self.face {
            Face::Points => {
                for (face, cell) in faces.iter_mut().zip(column.cells) {
                    *face = points(cell);
                }
            }
            Face::Running => {
                for (face, cell) in faces.iter_mut().zip(column.cells) {
                    *face += points(cell);
                }
            }
            Face::Possible => {
                let finished = |cell: &Cell| cell.kind != RoundKind::Unfinished;
                for (face, cell) in faces.iter_mut().zip(column.cells) {
                    let counts = cell.as_ref().is_some_and(finished);
                    *face = if counts { table.possible } else { 0 };
                }
            }
            Face::One => set(faces, 1),
            Face::Number => set(faces, round),
            Face::NumberSquared => set(faces, round.pow(2)),
            Face::Weight => {
                let (num, den) = table.weight(column.round);
                set(faces, i64::from(num) * (self.den / i64::from(den)));
            }
            Face::Games { line, drawn, worth: [win, draw, loss] } => {
                let values = table.values(column, line).iter().zip(table.values(column, drawn));
                for (face, ([won, lost], [drawn, _])) in faces.iter_mut().zip(values) {
                    // Nothing is lost: see `games`.
                    let of = |games: i32, worth: i64| i64::from(games).wrapping_mul(worth);
                    let decided = of(*won, win).wrapping_add(of(*lost, loss));
                    *face = decided.wrapping_add(of(*drawn, draw));
                }
            }
            Face::Line { line, own, against } => {
                let values = table.values(column, line);
                for (face, [one, other]) in faces.iter_mut().zip(values) {
                    *face = i64::from(*one) * own + i64::from(*other) * against;
                }
            }
        }
    }

    #[inline(always)]
    fn note(&self, kind: RoundKind, outcome: Outcome) -> TermNote {
        self.notes[kind as usize][outcome as usize]
    }

    /// The first of the requested byes with which a player's rounds end (FIDE C.07, 16.3: byes
    /// asked for that are followed by nothing but rounds that he chose not to play).
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
    let dens = table.rounds.iter().map(|(_, _, den)| i64::from(*den));
    dens.into_iter().try_fold(1, |a: i64, b| lcm_of(a, b))
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

/// The column of a total.
pub fn column<T: Int>(table: &Crosstable, rules: &Ruleset, total: &Total) -> Option<Exact<T>> {
    let plan = Plan::new(table, rules, total)?;
    if plan.is_plain() {
        let sums = plan.sums()?.into_iter().map(T::from).collect();
        return Some(plain(sums, T::from(plan.den)));
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
                den = den.checked_mul(&multiple)?;
            }
        }
    }
    if let Some(decay) = total.decay {
        let most = players.map(|p| plan.table.rounds_of(p).count()).max().unwrap_or(0);
        for _ in 1..most {
            den = den.checked_mul(&T::from(decay.den()))?;
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
                _ => T::from(value).checked_mul(&scale)?,
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
                    value = value.checked_mul(&T::from(decay.num()))?;
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
        return Some(T::from(sum).checked_mul(scale)?.div_floor(&T::from(played)));
    };
    // sum / (plan.den * played) in steps of 10^-digits
    let power = T::from(10i64.checked_pow(rounding.digits)?);
    let over = T::from(sum).checked_mul(&power)?;
    let under = T::from(plan.den).checked_mul(&T::from(played))?;
    round_to(&over, &under, rounding.mode).checked_mul(&den.div_floor(&power))
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
