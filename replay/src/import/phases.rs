//! Where a list of rounds falls into phases.
//!
//! Files name the rounds of a cut (`Quarterfinals`, `Top 8`) or just number them on. So a cut is
//! also recognised by its structure: everybody in a round of it won the round before. Three or
//! more things must hold together, so that a Swiss round is not taken for a cut by chance.

use std::ops::Range;

use super::check::appearances;
use super::source::{SourcePhase, SourceRound, SourceTable};
use scrutineer_engine::event::{ByeKind, PhaseKind, Ruling};

/// The largest cut that is recognised by its structure.
const LARGEST_CUT: usize = 64;

/// Rounds on either side of the night between two days.
const ROUNDS_OF_A_DAY: usize = 4;

/// Splits rounds into phases, with their entrants as the file lists them.
pub(super) fn split(rounds: Vec<SourceRound>) -> Vec<SourcePhase> {
    let shapes: Vec<Shape> = rounds.iter().map(Shape::of).collect();
    let cut = named_cut(&rounds).unwrap_or_else(|| structural_cut(&shapes));
    let mut phases = Vec::new();
    let mut rounds = rounds.into_iter();
    for (kind, range) in bounds(&shapes, cut) {
        let rounds: Vec<SourceRound> = rounds.by_ref().take(range.len()).collect();
        phases.push(phase(kind, rounds));
    }
    phases
}

/// Whether a phase has seeds that the file does not tell: a bracket, or any phase but the first.
pub(super) fn lacks_seeds(at: usize, phase: &SourcePhase) -> bool {
    let bracket = phase.kind.is_bracket();
    (bracket || at > 0) && !phase.seeded
}

/// After how many rounds standings with these points (player and points) can have been published:
/// the number that explains most rows, the largest of several. A platform may publish them before
/// the cut, or leave a last round out.
pub(super) fn published_after(phases: &[SourcePhase], rows: &[(usize, i64)]) -> Option<u16> {
    let rounds = phases.iter().flat_map(|phase| &phase.rounds);
    let shapes: Vec<Shape> = rounds.map(Shape::of).collect();
    let explained = |after: &usize| {
        let points = points(&shapes[..*after]);
        let of = |player: usize| points.get(player).copied().unwrap_or(0);
        rows.iter().filter(|(player, found)| i64::from(of(*player)) == *found).count()
    };
    let after = (1..=shapes.len()).max_by_key(explained).filter(|_| !rows.is_empty())?;
    u16::try_from(after).ok()
}

/// Splits rounds where a cut of this size begins, if their structure shows one.
pub(super) fn split_at_cut(mut rounds: Vec<SourceRound>, size: u32) -> Vec<SourcePhase> {
    let shapes: Vec<Shape> = rounds.iter().map(Shape::of).collect();
    let start = structural_cut(&shapes);
    let fits = shapes.get(start).is_some_and(|shape| shape.players.len() == size as usize);
    if start == 0 || !fits {
        return vec![phase(PhaseKind::Swiss, rounds)];
    }
    let cut = rounds.split_off(start);
    vec![phase(PhaseKind::Swiss, rounds), phase(PhaseKind::Elimination, cut)]
}

/// A phase with its entrants in the order in which its rounds list them.
pub(super) fn phase(kind: PhaseKind, rounds: Vec<SourceRound>) -> SourcePhase {
    let mut entrants: Vec<usize> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for (player, _) in rounds.iter().flat_map(appearances) {
        if seen.insert(player) {
            entrants.push(player);
        }
    }
    SourcePhase { kind, entrants, seeded: false, rounds }
}

fn bounds(shapes: &[Shape], cut: usize) -> Vec<(PhaseKind, Range<usize>)> {
    let mut bounds = Vec::new();
    match day_two(&shapes[..cut]) {
        Some(second) => {
            bounds.push((PhaseKind::Swiss, 0..second));
            bounds.push((PhaseKind::Swiss, second..cut));
        }
        None => bounds.push((PhaseKind::Swiss, 0..cut)),
    }
    bounds.push((PhaseKind::Elimination, cut..shapes.len()));
    bounds.retain(|(_, range)| !range.is_empty());
    bounds
}

/// Whether a round's name says that losers are out.
pub(super) fn is_cut_name(name: &str) -> bool {
    let name = name.trim().to_ascii_lowercase();
    let numbered = |start: &str| {
        name.strip_prefix(start).is_some_and(|rest| rest.trim().parse::<u32>().is_ok())
    };
    numbered("top ")
        || numbered("round of ")
        || name.starts_with("match for ")
        || ["final", "finals"].contains(&name.as_str())
        || ["semifinal", "quarterfinal"].iter().any(|word| name.contains(word))
}

/// The first round from which all names are those of a cut.
fn named_cut(rounds: &[SourceRound]) -> Option<usize> {
    let swiss = rounds.iter().rposition(|round| !is_cut_name(&round.name));
    let cut = swiss.map_or(0, |last| last + 1);
    (cut < rounds.len()).then_some(cut)
}

/// Who played in a round, and who won.
struct Shape {
    players: Vec<usize>,
    through: Vec<usize>,
    drawn: Vec<usize>,
    byes: usize,
}

impl Shape {
    fn of(round: &SourceRound) -> Shape {
        let mut players: Vec<usize> = appearances(round).map(|(player, _)| player).collect();
        let winning = |bye: &&super::SourceBye| bye.kind != ByeKind::AwardedLoss;
        let mut through: Vec<usize> =
            round.byes.iter().filter(winning).map(|bye| bye.player).collect();
        let mut drawn = Vec::new();
        for table in &round.tables {
            match winner(table) {
                Some(seat) => through.push(table.seats[seat].player),
                None => drawn.extend(table.seats.iter().map(|seat| seat.player)),
            }
        }
        players.sort_unstable();
        through.sort_unstable();
        Shape { players, through, drawn, byes: round.byes.len() }
    }
}

/// The seat that won: by ruling, otherwise by the first score line.
fn winner(table: &SourceTable) -> Option<usize> {
    let result = &table.result;
    if !result.rulings.is_empty() {
        return result.rulings.iter().position(|ruling| *ruling == Some(Ruling::Win));
    }
    match &result.score.seats[..] {
        [first, second] if first.first() > second.first() => Some(0),
        [first, second] if first.first() < second.first() => Some(1),
        _ => None,
    }
}

/// The first round of a cut at the end; 0 where the whole event is single elimination, the number
/// of rounds where there is no cut.
fn structural_cut(shapes: &[Shape]) -> usize {
    let chain = knockout_chain(shapes);
    if chain == 0 && shapes.len() > 1 {
        return 0;
    }
    let cut = (chain.max(1)..shapes.len()).find(|&start| is_cut(shapes, start));
    cut.map_or(shapes.len(), |start| if has_qualifier(shapes, start) { start - 1 } else { start })
}

/// The earliest round from which everybody who plays won the round before. Nobody draws but in
/// the last round, where finalists may share the prize.
fn knockout_chain(shapes: &[Shape]) -> usize {
    let mut start = shapes.len().saturating_sub(1);
    while start > 0 {
        let (before, next) = (&shapes[start - 1], &shapes[start]);
        if !before.drawn.is_empty() || next.byes > 0 || next.players != before.through {
            break;
        }
        start -= 1;
    }
    start
}

/// Whether the rounds from `start`, all of winners, are a cut after the Swiss rounds before.
fn is_cut(shapes: &[Shape], start: usize) -> bool {
    let entrants = &shapes[start].players;
    let size = entrants.len();
    let field = shapes[start - 1].players.len();
    shapes[start].byes == 0
        && size.is_power_of_two()
        && (2..=LARGEST_CUT).contains(&size)
        && size < field
        && are_the_best(shapes, start)
        && (shapes.len() - start > 1 || size * 2 <= field)
}

/// Whether the round before a cut is its qualifier: of more entrants than the next round has seats
/// just so many play that it is full, and all others have byes. Swiss rounds have one bye at most.
fn has_qualifier(shapes: &[Shape], start: usize) -> bool {
    let [.., field, qualifier] = &shapes[..start] else { return false };
    let (entrants, next) = (qualifier.players.len(), shapes[start].players.len());
    qualifier.byes > 1
        && qualifier.byes + entrants == 2 * next
        && entrants < field.players.len()
        && qualifier.drawn.is_empty()
        && qualifier.through == shapes[start].players
}

/// Whether nobody left out of round `start` has more points than somebody in it. Players who
/// were already gone in the round before left of their own accord and don't count.
fn are_the_best(shapes: &[Shape], start: usize) -> bool {
    let points = points(&shapes[..start]);
    let inside = |player: &usize| shapes[start].players.binary_search(player).is_ok();
    let of = |player: &usize| points.get(*player).copied().unwrap_or(0);
    let worst_inside = shapes[start].players.iter().map(of).min();
    let left = shapes[start - 1].players.iter().filter(|player| !inside(player));
    let better = left.filter(|player| Some(of(player)) > worst_inside).count();
    // One who would have qualified may have gone home.
    better <= shapes[start].players.len() / 8
}

/// Three points for a win and one for a draw, as all these platforms count: only to see who was
/// ahead, never recorded.
fn points(shapes: &[Shape]) -> Vec<u32> {
    let most = shapes.iter().filter_map(|shape| shape.players.last()).max();
    let mut points = vec![0; most.map_or(0, |most| most + 1)];
    for shape in shapes {
        shape.through.iter().for_each(|&player| points[player] += 3);
        shape.drawn.iter().for_each(|&player| points[player] += 1);
    }
    points
}

/// The first round of a second day of Swiss rounds, which only players with enough points reach:
/// a quarter of the field or more, all below one line, goes at once, and nobody below it stays.
fn day_two(swiss: &[Shape]) -> Option<usize> {
    let last = (swiss.len() + 1).saturating_sub(ROUNDS_OF_A_DAY);
    (ROUNDS_OF_A_DAY..last).find(|&start| {
        let points = points(&swiss[..start]);
        let line = swiss[start].players.iter().filter_map(|&player| points.get(player)).min();
        let field = &swiss[start - 1].players;
        let below = field.iter().filter(|&&player| points.get(player) < line).count();
        below * 4 >= field.len()
    })
}
