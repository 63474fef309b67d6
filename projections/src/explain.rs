//! Why a player stands where they stand: the steps of the order beside a neighbour's, and what
//! each value is made of. Everything here is what the standings computed, read out.

use crate::crosstable::PlayerRound;
use crate::divisions::division_of_phase;
use crate::measure::{self, Bound, Notes, OpponentTerm, Terms};
use crate::ratio::decimal;
use crate::ruleset::{
    Fact, Formula, HeadToHead, Measure, Opponents, Outcome, RoundKind, Ruleset, Show, Step,
};
use crate::standings::{Decided, Layer, Row, Standings};
use num_rational::BigRational;
use scrutineer_engine::event::{LotsSource, PlayerNumber, RoundNumber};
use scrutineer_engine::tournament::Tournament;

/// A value and its printed form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The value.
    pub value: BigRational,
    /// As it is printed.
    pub text: String,
}

impl Shown {
    /// A value as its measure is printed.
    pub fn new(value: BigRational, show: Show) -> Shown {
        let text = shown(&value, show);
        Shown { value, text }
    }
}

/// A value as it is printed: whole numbers without a point, everything else with the digits that
/// the measure asks for; percentages always with all of them, so that a column is aligned.
pub fn shown(value: &BigRational, show: Show) -> String {
    let decimals = if value.is_integer() && !show.percent { 0 } else { show.decimals };
    let text = decimal(value, decimals, show.percent);
    match text.contains('.') && !show.percent {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text,
    }
}

/// What a step of the order says of two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Both are equal here.
    Tied,
    /// This step tells them apart.
    Decides,
    /// An earlier step has told them apart.
    NotReached,
}

/// One step, for a player and the one they are compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepCompared {
    /// What the step goes by.
    pub label: String,
    /// The measure, by its position in the ruleset; none for the phase, head-to-head and lots.
    pub measure: Option<usize>,
    /// The player's value.
    pub own: Option<Shown>,
    /// The other's value.
    pub other: Option<Shown>,
    /// What it says.
    pub verdict: Verdict,
    /// The games of the two against each other, where the step goes by those.
    pub met: Vec<Meeting>,
}

/// A game of two players who are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// Its round.
    pub round: RoundNumber,
    /// How it came out for the first of them.
    pub outcome: Outcome,
    /// How it came out for the other.
    pub theirs: Outcome,
    /// Whether it was forfeited, by one of them or by both.
    pub forfeited: bool,
}

/// A measure of a player and what it is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasureExplained {
    /// Its position in the ruleset.
    pub measure: usize,
    /// The value that ranks.
    pub value: Shown,
    /// The value before floor, cap and rounding.
    pub before: Shown,
    /// What happened to it.
    pub notes: Notes,
    /// What it is made of.
    pub terms: Terms,
}

/// Why a player stands where they stand.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// Their row.
    pub row: Row,
    /// The row that they are compared with; none where they are alone.
    pub against: Option<Row>,
    /// The steps of the order.
    pub steps: Vec<StepCompared>,
    /// Whether lots told the two apart, or will.
    pub lots: Option<Decided>,
    /// The measures of the order.
    pub measures: Vec<MeasureExplained>,
}

/// Explains a player's place beside another's: the one above them where nobody is named, or the
/// one below where they are first.
pub fn explain(
    state: &Tournament,
    standings: &Standings,
    player: PlayerNumber,
    against: Option<PlayerNumber>,
) -> Option<Explanation> {
    let at = standings.position(player)?;
    let row = standings.rows[at];
    let other = match against {
        Some(number) => Some(standings.position(number)?),
        None if at > 0 => Some(at - 1),
        None => (standings.rows.len() > 1).then_some(1),
    };
    let decided = other.map(|other| between(standings, at, other));
    let against = other.map(|other| standings.rows[other]);
    let steps = steps(standings, &row, against.as_ref(), decided);
    let lots = decided.filter(|d| matches!(d, Decided::Lots | Decided::LotsPending));
    let mut measures = Vec::new();
    for measure in steps.iter().filter_map(|step| step.measure) {
        measures.push(explain_measure(state, standings, measure, &row)?);
    }
    Some(Explanation { row, against, steps, lots, measures })
}

/// What told two rows apart: the earliest step that stands between them.
pub fn between(standings: &Standings, one: usize, other: usize) -> Decided {
    let (above, below) = (one.min(other), one.max(other));
    let steps = standings.rows[above + 1..=below].iter().map(|row| row.decided);
    steps.min_by_key(|decided| order_of(*decided)).unwrap_or(Decided::Tied)
}

fn order_of(decided: Decided) -> usize {
    match decided {
        Decided::First | Decided::Phase => 0,
        Decided::Step(at) => at + 1,
        Decided::Lots => usize::MAX - 1,
        Decided::Tied | Decided::LotsPending => usize::MAX,
    }
}

fn steps(
    standings: &Standings,
    row: &Row,
    against: Option<&Row>,
    decided: Option<Decided>,
) -> Vec<StepCompared> {
    let rules = &standings.rules;
    let verdict = |at: usize| match decided {
        Some(Decided::Step(step)) if at == step => Verdict::Decides,
        Some(Decided::Step(step)) if at > step => Verdict::NotReached,
        Some(Decided::Phase) => Verdict::NotReached,
        _ => Verdict::Tied,
    };
    let one = |(at, step): (usize, &Step)| {
        let measure = match step {
            Step::Measure { measure, .. } => Some(*measure),
            Step::HeadToHead { .. } => None,
        };
        let value = |row: &Row| value_of(standings, measure?, row);
        StepCompared {
            label: step_label(rules, step),
            measure,
            own: value(row),
            other: against.and_then(value),
            verdict: verdict(at),
            met: match (step, against) {
                (Step::HeadToHead { .. }, Some(other)) => meetings(standings, row, other),
                _ => Vec::new(),
            },
        }
    };
    let phase = against.filter(|other| other.layer != row.layer).map(|other| StepCompared {
        label: LAST_PHASE.into(),
        measure: None,
        own: Some(phase_of(standings, row)),
        other: Some(phase_of(standings, other)),
        verdict: Verdict::Decides,
        met: Vec::new(),
    });
    phase.into_iter().chain(standings.layer(row).steps.iter().enumerate().map(one)).collect()
}

/// The games of two players against each other, in the phase by which they are ranked.
fn meetings(standings: &Standings, row: &Row, other: &Row) -> Vec<Meeting> {
    if row.layer != other.layer {
        return Vec::new();
    }
    let table = &standings.layer(row).table;
    let met = table
        .rounds_of(row.index)
        .filter(|(_, entry)| table.opponents_of(entry).contains(&other.index));
    let meeting = |(_, entry): (usize, PlayerRound)| {
        let theirs = table.rounds_of(other.index).find(|(_, one)| one.round == entry.round);
        Meeting {
            round: entry.round,
            outcome: entry.outcome,
            theirs: theirs.map_or(Outcome::None, |(_, one)| one.outcome),
            forfeited: matches!(entry.kind, RoundKind::ForfeitWin | RoundKind::ForfeitLoss),
        }
    };
    met.map(meeting).collect()
}

/// What the step is called that sets those of a later phase above all others.
pub const LAST_PHASE: &str = "last phase";

/// The last phase that a player entered.
fn phase_of(standings: &Standings, row: &Row) -> Shown {
    let stage = standings.layer(row).stage;
    let text = format!("{}, {}", stage.phase, stage.kind.word());
    Shown { value: BigRational::from_integer(stage.phase.into()), text }
}

/// Whether everybody above a player's phase entered the bracket of another division: nobody was kept from it.
pub fn is_below_others(state: &Tournament, standings: &Standings, row: &Row) -> bool {
    let own = state.player(row.player).and_then(|player| player.division.as_deref());
    let is_other = |layer: &Layer| {
        let division = state.phase(layer.stage.phase).and_then(|one| division_of_phase(state, one));
        division.is_some() && division != own
    };
    row.layer > 0 && standings.layers[..row.layer].iter().all(is_other)
}

/// Whether everybody with whom a player shares a place is of another division: each division has places of its
/// own, so no lots decide between them.
pub fn ties_with_others(state: &Tournament, standings: &Standings, row: &Row) -> bool {
    let division =
        |one: &Row| state.player(one.player).and_then(|player| player.division.as_deref());
    let own = division(row);
    let rows = &standings.rows;
    let from = rows.partition_point(|one| one.rank < row.rank);
    let shared = rows[from..].iter().take_while(|one| one.rank == row.rank);
    standings.division().is_none()
        && own.is_some()
        && shared.filter(|one| one.player != row.player).all(|one| division(one) != own)
}

/// What told a player from the one above them, in words; empty for the first.
pub fn decided(state: &Tournament, standings: &Standings, row: &Row) -> String {
    match row.decided {
        Decided::First => String::new(),
        Decided::Phase if is_below_others(state, standings, row) => {
            "another division's bracket".into()
        }
        Decided::Phase => "did not advance".into(),
        Decided::Step(at) => step_label(&standings.rules, &standings.layer(row).steps[at]),
        Decided::Lots if is_published(state) => "the file's order".into(),
        Decided::Lots => "lots".into(),
        Decided::LotsPending if ties_with_others(state, standings, row) => {
            "tied with another division".into()
        }
        Decided::Tied => "tied".into(),
        Decided::LotsPending => "tied, lots not drawn".into(),
    }
}

/// Whether what decides where all else is equal is the order in which another program's file had the players.
pub fn is_published(state: &Tournament) -> bool {
    state.lots().is_some_and(|lots| lots.source == LotsSource::AsPublished)
}

/// What a step goes by, in words.
pub fn step_label(rules: &Ruleset, step: &Step) -> String {
    match step {
        Step::Measure { measure, lowest_first: false } => rules.measures[*measure].label.clone(),
        Step::Measure { measure, lowest_first: true } => {
            format!("{} (lowest first)", rules.measures[*measure].label)
        }
        Step::HeadToHead { mode, by, .. } => {
            let by = by.map_or(String::new(), |by| format!(" by {}", rules.measures[by].label));
            match mode {
                HeadToHead::AllMet => format!("head-to-head{by}, if all have met"),
                HeadToHead::BeatAll => format!("head-to-head{by}, beat all others"),
                HeadToHead::Certain | HeadToHead::CertainAnew => format!("head-to-head{by}"),
            }
        }
    }
}

/// A player's value of a measure as their phase has it; none where the tournament does not hold it.
pub fn value_of(standings: &Standings, measure: usize, row: &Row) -> Option<Shown> {
    let column = standings.layer(row).measured.column(measure)?;
    let value = column.value(row.index);
    let mut shown = Shown::new(value, standings.rules.measures[measure].show);
    if is_still_in(standings, measure, row, &shown.value) {
        shown.text = "-".into();
    }
    Some(shown)
}

/// Whether a value says that the player has not been knocked out: a round that has not been played.
fn is_still_in(standings: &Standings, measure: usize, row: &Row, value: &BigRational) -> bool {
    let is_it = standings.rules.measures[measure].formula == Formula::Fact(Fact::KnockedOut);
    let known = standings.through.min(standings.layer(row).stage.through);
    is_it && *value > BigRational::from_integer(known.into())
}

fn explain_measure(
    state: &Tournament,
    standings: &Standings,
    measure: usize,
    row: &Row,
) -> Option<MeasureExplained> {
    let layer = standings.layer(row);
    let column = layer.measured.column(measure)?;
    let rules = &standings.rules;
    let show = rules.measures[measure].show;
    let (table, measured) = (&layer.table, &layer.measured);
    Some(MeasureExplained {
        measure,
        value: value_of(standings, measure, row)?,
        before: Shown::new(column.value_before(row.index), show),
        notes: column.notes(row.index),
        terms: measure::terms(state, rules, table, measured, measure, row.index)?,
    })
}

/// The round whose tables count as drawn, in a measure that is taken so.
pub fn as_drawn(layer: &Layer, measure: &Measure) -> Option<RoundNumber> {
    let Formula::AsDrawn(_) = measure.formula else { return None };
    layer.table.rounds.last().map(|(round, ..)| *round)
}

/// How a measure is made of opponents; none where it is made of something else.
pub fn of_opponents<'a>(rules: &'a Ruleset, measure: &'a Measure) -> Option<&'a Opponents> {
    let formula = match &measure.formula {
        Formula::AsDrawn(of) | Formula::AsLeft(of) => &rules.measures[*of].formula,
        formula => formula,
    };
    match formula {
        Formula::Opponents(spec) => Some(spec),
        _ => None,
    }
}

/// The bound that counts instead of an opponent's value in the measure `of`, with that value before it where
/// there is an opponent; none where the value counts as it was computed, or does not count.
pub fn bound_of(
    layer: &Layer,
    of: usize,
    term: &OpponentTerm,
) -> Option<(Bound, Option<BigRational>)> {
    let found = term.opponent.zip(layer.measured.column(of)).filter(|_| term.skipped.is_none());
    let noted = found.and_then(|(index, column)| column.notes(index).bound());
    let own = (term.bounded && term.skipped.is_none()).then_some(Bound::OneOpponent);
    let before = found.map(|(index, column)| column.value_before(index));
    own.or(noted).map(|bound| (bound, before))
}

/// A ratio as it was divided, such as `9/15`; none for any other measure.
pub fn as_divided(layer: &Layer, measure: &Measure, index: u32) -> Option<String> {
    let Formula::Ratio { num, den } = &measure.formula else { return None };
    let value = |at: usize| Some(layer.measured.column(at)?.value(index));
    let (over, under) = (value(*num)?, value(*den)?);
    if over.is_integer() && under.is_integer() {
        return Some(format!("{over}/{under}"));
    }
    let ratio = |value: BigRational| decimal(&value, 2, false);
    Some(format!("{}/{}", ratio(over), ratio(under)))
}
