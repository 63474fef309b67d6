//! A ruleset as data: what a round is worth, which measures are taken, in which order they rank.
//!
//! `docs/RULESETS.md` says what every key means; this module holds what a file says once it has
//! been read, checked and brought into an order in which each measure only needs earlier ones.

mod library;
pub mod limits;
mod parse;

pub use library::{
    Edition, Library, called, changed, shipped, shipped_hashes, shipped_text, without_section,
};
pub use parse::{Fault, RulesetError, hash, parse};

use crate::ratio::Fraction;
use scrutineer_engine::event::{Day, PhaseKind, RulesetFile};
use std::collections::BTreeMap;

/// What a player's round was. Every round that a player takes part in is exactly one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RoundKind {
    /// A table with a result that was played, conceded or agreed.
    Played,
    /// Won because the opponent forfeited or did not appear.
    ForfeitWin,
    /// Forfeited, or did not appear.
    ForfeitLoss,
    /// A table at which everybody lost.
    DoubleLoss,
    /// A bye given because no opponent was left.
    Bye,
    /// A bye won beforehand.
    AwardedBye,
    /// A bye asked for, worth half a win.
    HalfBye,
    /// A bye asked for, worth nothing; also a round missed, where the ruleset says so.
    ZeroBye,
    /// A loss without an opponent.
    AwardedLoss,
    /// The opponent is gone, after a cut.
    Vacant,
    /// A table without a result so far.
    Unfinished,
}

impl RoundKind {
    /// Every kind with its word in a ruleset.
    pub const WORDS: [(&'static str, RoundKind); 11] = [
        ("played", RoundKind::Played),
        ("forfeit_win", RoundKind::ForfeitWin),
        ("forfeit_loss", RoundKind::ForfeitLoss),
        ("double_loss", RoundKind::DoubleLoss),
        ("bye", RoundKind::Bye),
        ("awarded_bye", RoundKind::AwardedBye),
        ("half_bye", RoundKind::HalfBye),
        ("zero_bye", RoundKind::ZeroBye),
        ("awarded_loss", RoundKind::AwardedLoss),
        ("vacant", RoundKind::Vacant),
        ("unfinished", RoundKind::Unfinished),
    ];

    /// Its word in a ruleset.
    pub fn word(self) -> &'static str {
        Self::WORDS[self as usize].0
    }

    /// Whether `byes = …` of a measure speaks of it: a round without an opponent that is no loss.
    pub fn is_bye(self) -> bool {
        use RoundKind::*;
        matches!(self, Bye | AwardedBye | HalfBye | ZeroBye | Vacant)
    }

    /// Whether somebody else sat at the table.
    pub(crate) fn has_opponent(self) -> bool {
        use RoundKind::*;
        matches!(self, Played | ForfeitWin | ForfeitLoss | DoubleLoss | Unfinished)
    }
}

/// A set of kinds of round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct RoundKinds(u16);

impl RoundKinds {
    /// Every kind but `unfinished`.
    pub(crate) const FINISHED: RoundKinds = RoundKinds((1 << RoundKind::Unfinished as u16) - 1);

    /// These kinds.
    pub fn of(kinds: &[RoundKind]) -> RoundKinds {
        RoundKinds(kinds.iter().fold(0, |bits, kind| bits | 1 << *kind as u16))
    }

    /// Whether `kind` is among them.
    pub fn contains(self, kind: RoundKind) -> bool {
        self.0 & (1 << kind as u16) != 0
    }

    /// Whether all of `others` are among them.
    pub(crate) fn contains_all(self, others: RoundKinds) -> bool {
        self.0 & others.0 == others.0
    }

    /// Adds a kind.
    pub fn add(&mut self, kind: RoundKind) {
        self.0 |= 1 << kind as u16;
    }

    /// These without those.
    pub fn without(self, others: RoundKinds) -> RoundKinds {
        RoundKinds(self.0 & !others.0)
    }
}

/// How a player's round came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// Won; byes count as won.
    Win,
    /// Drawn; half byes count as drawn.
    Draw,
    /// Lost; awarded losses count as lost.
    Loss,
    /// Neither: a zero bye, an unfinished table.
    None,
}

/// A set of outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcomes(u8);

impl Outcomes {
    /// Every outcome.
    pub const ALL: Outcomes = Outcomes(0b1111);

    /// These outcomes.
    pub fn of(outcomes: &[Outcome]) -> Outcomes {
        Outcomes(outcomes.iter().fold(0, |bits, outcome| bits | 1 << *outcome as u8))
    }

    /// Whether `outcome` is among them.
    pub fn contains(self, outcome: Outcome) -> bool {
        self.0 & (1 << outcome as u8) != 0
    }
}

/// What decides who won a match, where nobody ruled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutcomeRule {
    /// The higher value of this score line; equal values draw.
    Line(String),
    /// Only a ruling does.
    RulingOnly,
}

/// Points by how a round came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutcomePoints {
    /// For a win.
    pub win: Fraction,
    /// For a draw.
    pub draw: Fraction,
    /// For a loss.
    pub loss: Fraction,
}

/// A bonus on top of a played round's points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bonus {
    /// What it is called.
    pub name: String,
    /// How many points.
    pub points: Fraction,
    /// Whose line is looked at.
    pub line: String,
    /// What must hold of it.
    pub test: BonusTest,
    /// The outcomes with which it can be earned.
    pub outcomes: Outcomes,
}

/// The condition of a bonus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BonusTest {
    /// The own value is at least this.
    AtLeast(i32),
    /// The own value minus the opponent's is exactly this.
    Margin(i32),
}

/// Points by the difference in a score line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarginTable {
    /// Which line.
    pub line: String,
    /// Rows of (smallest difference, points of the higher side, points of the lower side).
    pub rows: Vec<(i32, Fraction, Fraction)>,
}

/// What a round is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Points {
    /// By outcome of a played round.
    pub outcome: OutcomePoints,
    /// By place at a table of more than two, where a ruling gives the place.
    pub places: Vec<Fraction>,
    /// By kind, for each kind of round that isn't played.
    pub kinds: BTreeMap<RoundKind, Fraction>,
    /// By grade of the result.
    pub grades: BTreeMap<String, OutcomePoints>,
    /// By own, opponent's and drawn games; what isn't listed goes by outcome or by `otherwise`.
    pub by_score: BTreeMap<(i32, i32, i32), Fraction>,
    /// What a score counts that `by_score` does not list.
    pub by_score_otherwise: Option<Fraction>,
    /// By the margin of a line.
    pub by_margin: Option<MarginTable>,
    /// The line that holds the points themselves.
    pub line: Option<String>,
    /// The most that a round can be worth, as a percentage's denominator counts it.
    pub possible: Fraction,
    /// Bonuses.
    pub bonuses: Vec<Bonus>,
}

/// What a game is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Games {
    /// By outcome of the game.
    pub outcome: OutcomePoints,
    /// The seat line that counts games won.
    pub line: String,
    /// The table line that counts games drawn.
    pub drawn: String,
}

/// What the score lines count as in a round that nobody played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RoundScore {
    /// These values of own lines, of the opponent's lines and of the table's; others are 0.
    Lines {
        /// The player's own lines.
        own: BTreeMap<String, i32>,
        /// The lines of the opponent who isn't there.
        against: BTreeMap<String, i32>,
    },
    /// As many games as a clean win takes: 1 in best of one, 2 in best of three or if unknown.
    CleanWin,
    /// What the source reported, if it did; else nothing.
    AsReported,
}

/// What a round counts as in which a player has neither table nor bye.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Before they came.
    pub late: Option<RoundKind>,
    /// While they took part.
    pub unpaired: Option<RoundKind>,
    /// After they had dropped.
    pub dropped: Option<RoundKind>,
    /// Whether the free round of a round robin is none, and no bye.
    pub no_free_rounds: bool,
}

/// A quantity that each round of a player has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Points of the round.
    Points,
    /// The most that the round could be worth.
    PossiblePoints,
    /// 1.
    Rounds,
    /// The round's number.
    RoundNumber,
    /// The square of the round's number.
    RoundNumberSquared,
    /// What the round counts for.
    RoundWeight,
    /// 1 at the second seat of a table of two, which is black where the first is white.
    SecondSeat,
    /// The player's points up to and with this round.
    RunningPoints,
    /// Points of the round's games.
    GamePoints,
    /// The most that the round's games could be worth.
    PossibleGamePoints,
    /// The player's value of a line (for a table line: the table's).
    Line(String),
    /// The opponent's value of a line.
    Against(String),
    /// The player's value minus the opponent's.
    Margin(String),
}

/// What a total does with the player's byes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Byes {
    /// They count like every round.
    Count,
    /// They are left out.
    Skip,
    /// Each counts the player's mean over the rounds that they played.
    Average,
}

/// How a mean or an average is rounded, where rounding is part of the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundingMode {
    /// Towards zero.
    Down,
    /// To the nearest; halves away from zero.
    HalfUp,
    /// To the nearest; halves to the even digit.
    HalfEven,
    /// Away from zero.
    Up,
}

/// Rounding that is part of the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rounding {
    /// Digits that are kept behind the point.
    pub digits: u32,
    /// How.
    pub mode: RoundingMode,
}

/// Mean or sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combine {
    /// The mean.
    Mean,
    /// The sum.
    Sum,
}

/// What an opponent's value is multiplied with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpponentWeight {
    /// Nothing.
    None,
    /// The player's own points of that round.
    Points,
    /// What the round counts for; a mean divides by the sum of these.
    RoundWeight,
    /// What the player's own round adds to this total.
    Total(usize),
}

/// Whether an opponent met twice counts twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeats {
    /// Once for each match.
    EveryMatch,
    /// Once for each opponent.
    Once,
}

/// What the player's own rounds without play add.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unplayed {
    /// Nothing; forfeited tables count as any table.
    Skip,
    /// Nothing, and forfeited tables are left out too.
    SkipForfeits,
    /// A dummy opponent with the player's own score (FIDE C.07, 16.4, 2024).
    Dummy,
    /// As `Dummy`, capped: in a forfeit by the scheduled opponent's score, else by half of what
    /// all rounds can give (FIDE C.07, 16.4, 2026).
    DummyCapped,
}

/// A fact about an entrant or their bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// Their place in the order of sign-up.
    SignUp,
    /// Their seed in the last phase that is known.
    Seed,
    /// The same; 0 for everybody where the file of an imported tournament does not tell the seeds.
    SeedIfKnown,
    /// 1 if they came after round one, else 0.
    Late,
    /// Their rating; `when_empty` if they have none.
    Rating,
    /// The number of the last round of the phase that they entered.
    FurthestRound,
    /// 1 if they won the final, else 0.
    WonFinal,
    /// The round that put them out of the bracket; one more than the last if they are still in.
    KnockedOut,
}

/// How a measure comes about. Indices point at earlier measures of the ruleset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// A sum over the player's rounds.
    Total(Total),
    /// One measure divided by another; where that is 0, `when_empty`.
    Ratio {
        /// What is divided.
        num: usize,
        /// By what.
        den: usize,
    },
    /// A sum of measures, each times a factor.
    SumOf(Vec<(usize, Fraction)>),
    /// A measure of the opponents.
    Opponents(Opponents),
    /// A fact about the entrant.
    Fact(Fact),
    /// A measure as it stood when the player left; of who is there, as it stands.
    AsLeft(usize),
    /// A measure as if every table of the last round that counts had been drawn (FIDE C.07, 8.3).
    AsDrawn(usize),
    /// What the games against rated opponents show.
    Performance(Performance),
}

impl Total {
    /// Whether it is a sum of what each round counts by itself, so that one round can be asked for.
    pub(crate) fn is_of_rounds(&self) -> bool {
        self.of != Quantity::RunningPoints
            && self.byes != Byes::Average
            && (self.each_at_least, self.each_at_most, self.decay) == (None, None, None)
            && !self.last_requested_byes_draw
    }
}

impl Formula {
    /// The measures that it takes.
    pub(crate) fn inputs(&self) -> Vec<usize> {
        match self {
            Formula::Total(_) | Formula::Fact(_) => Vec::new(),
            Formula::Ratio { num, den } => vec![*num, *den],
            Formula::SumOf(terms) => terms.iter().map(|(measure, _)| *measure).collect(),
            Formula::Opponents(spec) => match spec.weight {
                OpponentWeight::Total(total) => vec![spec.of, total],
                _ => vec![spec.of],
            },
            Formula::AsLeft(of) | Formula::AsDrawn(of) => vec![*of],
            Formula::Performance(spec) => vec![spec.of],
        }
    }
}

/// A performance by ratings (FIDE C.07, article 10), over the games that were played against one opponent who
/// has a rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Performance {
    /// The measure that is the opponents' rating; who has 0 or less has none.
    pub of: usize,
    /// How.
    pub by: PerformanceBy,
}

/// How ratings become a performance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PerformanceBy {
    /// The mean of the opponents' ratings alone (10.1).
    Mean,
    /// That, and what the share of the points adds (10.2).
    Score,
    /// The lowest rating that is expected to score as much (10.3).
    Perfect,
}

/// A sum over a player's rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Total {
    /// Of what.
    pub of: Quantity,
    /// Rounds with another outcome are left out.
    pub outcomes: Outcomes,
    /// Rounds of another kind are left out.
    pub kinds: RoundKinds,
    /// What becomes of byes.
    pub byes: Byes,
    /// How a bye's average is rounded.
    pub average_rounding: Option<Rounding>,
    /// A round counts at least this.
    pub each_at_least: Option<Fraction>,
    /// A round counts at most this.
    pub each_at_most: Option<Fraction>,
    /// A round is multiplied with this once for each later round of the player.
    pub decay: Option<Fraction>,
    /// Half, zero byes and missed rounds at the end of a player's rounds count as draws
    /// (FIDE C.07, 16.3).
    pub last_requested_byes_draw: bool,
}

/// A measure of the opponents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opponents {
    /// Which measure of theirs.
    pub of: usize,
    /// Mean or sum.
    pub combine: Combine,
    /// An opponent counts at least this.
    pub each_at_least: Option<Fraction>,
    /// An opponent counts at most this.
    pub each_at_most: Option<Fraction>,
    /// What their value is multiplied with.
    pub weight: OpponentWeight,
    /// How many of the lowest are left out.
    pub lowest_dropped: u32,
    /// How many of the highest are left out.
    pub highest_dropped: u32,
    /// Whether an opponent met twice counts twice.
    pub repeats: Repeats,
    /// Each own bye adds so many opponents with this value.
    pub bye_as: Option<(u32, Fraction)>,
    /// The kinds of bye that do.
    pub bye_kinds: RoundKinds,
    /// A mean divides by the number of the player's rounds, not of their opponents.
    pub divide_by_rounds: bool,
    /// What own rounds without play add.
    pub unplayed: Unplayed,
}

/// How a measure is printed. Never part of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Show {
    /// As a percentage.
    pub percent: bool,
    /// Digits behind the point at the most.
    pub decimals: u32,
}

/// One measure: a number for each player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measure {
    /// Its id, by which the file refers to it.
    pub id: String,
    /// What a table's head calls it.
    pub label: String,
    /// How it comes about.
    pub formula: Formula,
    /// The value where there is nothing to divide by or to average.
    pub when_empty: Fraction,
    /// It is at least this.
    pub floor: Option<Fraction>,
    /// It is at most this.
    pub cap: Option<Fraction>,
    /// It is at most this for a player who has dropped.
    pub cap_if_dropped: Option<Fraction>,
    /// It is at most this for a player who dropped before the last planned round of the phase.
    pub cap_if_dropped_early: Option<Fraction>,
    /// Rounding that is part of the value; after floor and cap.
    pub round: Option<Rounding>,
    /// How it is printed.
    pub show: Show,
}

/// How players who have met are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadToHead {
    /// Only if all of the tied have met each other: by points from those matches.
    AllMet,
    /// Somebody who beat every other one of the tied is first, then the rest anew.
    BeatAll,
    /// If all met: by points; else whoever would be first whatever the matches not played had
    /// brought is first, then the rest anew (FIDE C.07, 6).
    Certain,
    /// The same, and who is equal by points is told apart anew by the matches among them alone (FIDE C.07, 6.2).
    /// Logs hold the texts of their rulesets, so `certain` stays what it was.
    CertainAnew,
}

/// One step of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// By a measure.
    Measure {
        /// Which.
        measure: usize,
        /// The lower value is better.
        lowest_first: bool,
    },
    /// By the matches among the tied.
    HeadToHead {
        /// How.
        mode: HeadToHead,
        /// Only where exactly two are tied.
        only_pairs: bool,
        /// The phases in which a forfeited table is a match here.
        forfeits_in: Vec<PhaseKind>,
        /// The total by which the matches count; none: points.
        by: Option<usize>,
    },
}

/// What becomes of players whom no step tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// They share the place.
    Shared,
    /// Lots decide; until they are drawn the place is shared.
    Lots,
}

/// Rounds and cut by attendance, as the document suggests them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attendance {
    /// Up to so many players; none: however many.
    pub up_to: Option<u32>,
    /// So many rounds.
    pub rounds: u16,
    /// The cut goes to so many; 0: there is none.
    pub cut: u32,
}

/// How the rounds of a Swiss phase are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SwissMethod {
    /// At random among players with the same points; see `scrutineer-pairing`.
    #[default]
    ScoreGroupRandom,
    /// First against second, third against fourth, in the running order; the first round at random.
    RankedAdjacent,
}

/// Who gets the byes where the entrants of a bracket are no power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum QualifierByes {
    /// The highest seeds.
    #[default]
    Seeds,
    /// Whoever is drawn; the rest of the bracket is drawn too.
    Random,
    /// Whoever signed up first; the rest of the bracket is drawn.
    SignUp,
}

/// How rounds are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct DrawRule {
    /// The method of Swiss phases.
    pub method: SwissMethod,
    /// Whether players may meet again as if they had not met.
    pub rematches_allowed: bool,
    /// Whether a bracket is seeded anew each round: the highest left meets the lowest.
    pub reseed: bool,
    /// Who gets the byes of a bracket.
    pub qualifier_byes: QualifierByes,
}

/// A ruleset, read and checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Ruleset {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The edition of the document it follows.
    pub edition: String,
    /// The document.
    pub source: String,
    /// The platform whose behaviour it follows, where it follows one.
    pub platform: Option<String>,
    /// The first day on which this edition is in force.
    pub effective_from: Option<Day>,
    /// Hash over all its texts, in order, each with its name.
    pub hash: [u8; 32],
    /// The texts: its own first, then what it extends.
    pub files: Vec<RulesetFile>,
    /// What the first seat of a table plays, such as white, where the seats are not alike.
    pub first_seat: Option<String>,
    /// The phases whose rounds count.
    pub phases: Vec<PhaseKind>,
    /// Whether the rounds of a bracket that follows another phase count only for places.
    pub cut_for_places_only: bool,
    /// What decides a match.
    pub outcome: OutcomeRule,
    /// What a round is worth.
    pub points: Points,
    /// What a game is worth, where games count.
    pub games: Option<Games>,
    /// Score lines of rounds without play.
    pub scores: BTreeMap<RoundKind, RoundScore>,
    /// Rounds missed.
    pub missing: Missing,
    /// Measures, each after those it needs.
    pub measures: Vec<Measure>,
    /// The final order.
    pub order: Vec<Step>,
    /// The order while the tournament runs, where it is another.
    pub running_order: Option<Vec<Step>>,
    /// What comes before the order in a bracket.
    pub bracket_order: Vec<Step>,
    /// What becomes of the rest.
    pub ties: Ties,
    /// Rounds and cut by attendance.
    pub attendance: Vec<Attendance>,
    /// How rounds are drawn.
    pub draw: DrawRule,
    /// Every key and value after `extends` and `$settings` are resolved, for comparisons:
    /// (`points.win`, `3`), sorted by key.
    pub keys: BTreeMap<String, String>,
}

impl Ruleset {
    /// Which measures the orders need, directly or through others; that of a bracket only where
    /// there is one.
    pub(crate) fn needed_for_order(&self, bracket: bool) -> Vec<bool> {
        let mut needed = vec![false; self.measures.len()];
        let running = self.running_order.iter().flatten();
        let of_bracket = self.bracket_order.iter().filter(|_| bracket);
        for step in self.order.iter().chain(running).chain(of_bracket) {
            if let Step::Measure { measure, .. } | Step::HeadToHead { by: Some(measure), .. } = step
            {
                needed[*measure] = true;
            }
        }
        self.with_inputs(needed)
    }

    /// These measures and all that they build on.
    pub(crate) fn with_inputs(&self, mut needed: Vec<bool>) -> Vec<bool> {
        for at in (0..needed.len()).rev() {
            if needed[at] {
                for other in self.measures[at].formula.inputs() {
                    needed[other] = true;
                }
            }
        }
        needed
    }

    /// Rounds and cut that the document suggests for so many players.
    pub fn attendance_for(&self, players: u32) -> Option<&Attendance> {
        self.attendance.iter().find(|row| row.up_to.is_none_or(|up_to| players <= up_to))
    }

    /// The steps by which the players of a phase are ranked.
    pub fn steps(&self, kind: PhaseKind, is_final: bool) -> Vec<Step> {
        let order = match &self.running_order {
            Some(running) if !is_final => running,
            _ => &self.order,
        };
        let before = self.bracket_order.iter().filter(|_| kind.is_bracket());
        before.chain(order).cloned().collect()
    }

    /// Whether the rounds of a phase count for measures: of its kind, and with its number.
    pub fn counts(&self, kind: PhaseKind, phase: u16) -> bool {
        let cut = phase > 1 && kind.is_bracket();
        self.phases.contains(&kind) && !(cut && self.cut_for_places_only)
    }

    /// Whether it matters how matches of such a phase came out.
    pub fn judges(&self, kind: PhaseKind) -> bool {
        self.phases.contains(&kind) || (kind.is_bracket() && !self.bracket_order.is_empty())
    }
}
