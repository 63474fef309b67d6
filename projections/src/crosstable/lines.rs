//! Which score lines a ruleset needs, and where a scoresheet holds them.

use super::FoldError;
use crate::ruleset::{Formula, OutcomeRule, Quantity, Ruleset};
use scrutineer_engine::event::{Score, Scoresheet};
use scrutineer_engine::tournament::{ScoreView, Tournament};

/// Where a scoresheet holds a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineAt {
    /// Each seat has a value.
    Seat(usize),
    /// The table has one.
    Table(usize),
}

/// Where a scoresheet holds the line of this name.
pub(crate) fn line_at(sheet: &Scoresheet, name: &str) -> Option<LineAt> {
    let seat = sheet.seat_line(name).map(LineAt::Seat);
    seat.or_else(|| sheet.table_line(name).map(LineAt::Table))
}

/// A score that can be asked for a line, whether of a match or reported for a bye.
pub(crate) trait Scored: Copy {
    /// A seat's value.
    fn seat(self, seat: usize, line: usize) -> i32;
    /// The table's value.
    fn table(self, line: usize) -> i32;
}

impl Scored for ScoreView<'_> {
    #[inline]
    fn seat(self, seat: usize, line: usize) -> i32 {
        ScoreView::seat(self, seat, line)
    }

    #[inline]
    fn table(self, line: usize) -> i32 {
        ScoreView::table(self, line)
    }
}

impl Scored for &Score {
    fn seat(self, seat: usize, line: usize) -> i32 {
        self.seats.get(seat).and_then(|values| values.get(line)).copied().unwrap_or(0)
    }

    fn table(self, line: usize) -> i32 {
        self.table.get(line).copied().unwrap_or(0)
    }
}

/// Own and opponent's value of a line (of several opponents, their sum).
#[inline]
pub fn pair(score: impl Scored, line: Option<LineAt>, seat: usize, seats: usize) -> [i32; 2] {
    match line {
        Some(LineAt::Table(line)) => [score.table(line); 2],
        Some(LineAt::Seat(line)) if seats == 2 => {
            [score.seat(seat, line), score.seat(1 - seat, line)]
        }
        Some(LineAt::Seat(line)) => {
            let others = (0..seats).filter(|other| *other != seat);
            let sum = others.fold(0i32, |sum, other| sum.saturating_add(score.seat(other, line)));
            [score.seat(seat, line), sum]
        }
        None => [0; 2],
    }
}

/// The scoresheets of a tournament and of its phases.
pub fn sheets(state: &Tournament) -> Result<Vec<&Scoresheet>, FoldError> {
    let opened = state.opened().ok_or(FoldError::NotOpened)?;
    let of_phases = state.phases().iter().filter(|phase| !phase.withdrawn);
    let of_phases = of_phases.filter_map(|phase| phase.scoresheet.as_ref());
    Ok([&opened.scoresheet].into_iter().chain(of_phases).collect())
}

/// The lines that decide points and order, the outcome's first; each must be on one of the tournament's
/// scoresheets. Where these have no line at all every result is a ruling, and the outcome needs none.
pub(crate) fn lines_needed(
    rules: &Ruleset,
    sheets: &[&Scoresheet],
) -> Result<Vec<String>, FoldError> {
    let (mut needed, mut wanted) = lines_read(rules);
    let is_scored = sheets.iter().any(|sheet| !sheet.lines.is_empty());
    if !is_scored && matches!(rules.outcome, OutcomeRule::Line(_)) {
        // The outcome's line stands first.
        needed.remove(0);
    }
    let held = |line: &String| sheets.iter().any(|sheet| line_at(sheet, line).is_some());
    if let Some(line) = needed.iter().find(|line| !held(line)) {
        let (ruleset, line) = (rules.id.clone(), line.clone());
        return Err(FoldError::MissingLine { ruleset, line });
    }
    wanted.retain(held);
    let mut lines: Vec<String> = Vec::new();
    for line in needed.into_iter().chain(wanted) {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    Ok(lines)
}

/// The lines that a ruleset reads: those it cannot do without, the outcome's first, and those that
/// it reads where they are on the slip.
pub(crate) fn lines_read(rules: &Ruleset) -> (Vec<String>, Vec<String>) {
    let mut needed: Vec<String> = Vec::new();
    let mut wanted: Vec<String> = Vec::new();
    if let OutcomeRule::Line(line) = &rules.outcome {
        needed.push(line.clone());
    }
    let points = &rules.points;
    needed.extend(points.line.clone());
    needed.extend(points.by_margin.as_ref().map(|margin| margin.line.clone()));
    needed.extend(points.bonuses.iter().map(|bonus| bonus.line.clone()));
    if !points.by_score.is_empty() {
        needed.extend(rules.games.iter().map(|games| games.line.clone()));
        wanted.extend(rules.games.iter().map(|games| games.drawn.clone()));
    }
    let in_order = rules.needed_for_order(true);
    for (measure, decides) in rules.measures.iter().zip(in_order) {
        let Formula::Total(total) = &measure.formula else { continue };
        let list = if decides { &mut needed } else { &mut wanted };
        match &total.of {
            Quantity::Line(line) | Quantity::Against(line) | Quantity::Margin(line) => {
                list.push(line.clone());
            }
            Quantity::GamePoints | Quantity::PossibleGamePoints => {
                list.extend(rules.games.iter().map(|games| games.line.clone()));
                wanted.extend(rules.games.iter().map(|games| games.drawn.clone()));
            }
            _ => {}
        }
    }
    (needed, wanted)
}
