//! Where a list of rounds falls into phases.
//!
//! Files name the rounds of a cut (`Quarterfinals`, `Top 8`) or just number them on. So a cut is
//! also recognised by its structure: who is in a round of it went on from the round before, from
//! each two of its places one. Three or more things must hold together, so that a Swiss round is
//! not taken for a cut by chance.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::build::Oddities;
use super::check::appearances;
use super::source::{SourceDrop, SourcePhase, SourceRound, SourceSeat, SourceTable};
use scrutineer_engine::event::{ByeKind, MatchResult, PhaseKind, Ruling};

/// The largest cut that is recognised by its structure.
const LARGEST_CUT: usize = 64;

/// Rounds on either side of the night between two days.
const ROUNDS_OF_A_DAY: usize = 4;

/// Splits rounds into phases, with their entrants as the file lists them. `shown` are first rounds,
/// from 0, before which a phase ended as the ranking tells: they split Swiss rounds, and an
/// elimination may begin with one.
pub(super) fn split(rounds: Vec<SourceRound>, shown: &[usize]) -> Vec<SourcePhase> {
    let shapes: Vec<Shape> = rounds.iter().map(Shape::of).collect();
    let cut = named_cut(&rounds).unwrap_or_else(|| structural_cut(&shapes, shown));
    let mut phases = Vec::new();
    let mut rounds = rounds.into_iter();
    for (kind, range) in bounds(&shapes, cut, shown) {
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

/// The round, from 0, with which a cut of this size begins, if the last rounds can be one: as many
/// as it takes to the final, each following the one before as in a bracket. Those who lost may
/// meet for the lower places, and whoever is not there gives a bye. Of a cut that still runs there
/// are fewer rounds, and it takes some of the field.
pub(super) fn start_of_cut(rounds: &[SourceRound], size: u32, is_running: bool) -> Option<usize> {
    let size = size as usize;
    let whole = rounds.len().checked_sub(size.next_power_of_two().ilog2() as usize);
    let latest = if is_running { rounds.len().saturating_sub(1) } else { whole.unwrap_or(0) };
    let field = rounds.iter().map(|round| appearances(round).count()).max()?;
    (whole.unwrap_or(0).max(1)..=latest).find(|&start| {
        let players = appearances(&rounds[start]).count();
        let mut before = Shape::of(&rounds[start]);
        players <= size
            && before.places() == size.next_power_of_two() / 2
            && (!is_running || players < field)
            && rounds[start + 1..].iter().all(|round| {
                let earlier = std::mem::replace(&mut before, Shape::of(round));
                before = Shape::of(&without_losers(round, &earlier));
                before.follows(&earlier)
            })
    })
}

/// Whether nobody plays on who lost: of each match one player at most has another one behind it, and where somebody
/// won, it is they. Who waits for their first match breaks nothing.
pub(super) fn are_knockout(rounds: &[SourceRound]) -> bool {
    let mut later: BTreeSet<usize> = BTreeSet::new();
    for round in rounds.iter().rev() {
        for table in &round.tables {
            let plays_on = |(_, seat): &(usize, &SourceSeat)| later.contains(&seat.player);
            let mut on = table.seats.iter().enumerate().filter(plays_on);
            let (first, second) = (on.next(), on.next());
            let is_loser = first.zip(winner(table)).is_some_and(|((seat, _), won)| seat != won);
            if second.is_some() || is_loser {
                return false;
            }
        }
        later.extend(appearances(round).map(|(player, _)| player));
    }
    true
}

/// Who lost a match: all but its winner; where nobody won, those of whom it was ruled.
pub(super) fn losers(table: &SourceTable) -> impl Iterator<Item = usize> {
    let won = winner(table);
    let rulings = &table.result.rulings;
    let lost = move |seat: usize| match won {
        Some(won) => seat != won,
        None => rulings.get(seat) == Some(&Some(Ruling::Loss)),
    };
    let seats = table.seats.iter().enumerate();
    seats.filter(move |(seat, _)| lost(*seat)).map(|(_, seat)| seat.player)
}

/// Who is still in a bracket. Where one loss is enough, that is nobody who is not in its last round: a drawn match says
/// by the next round who went on. A round of players who are out, as for the third place, says nothing.
pub(super) fn still_in(phase: &SourcePhase) -> BTreeSet<usize> {
    let is_double = phase.kind == PhaseKind::DoubleElimination;
    let mut left: BTreeSet<usize> = phase.entrants.iter().copied().collect();
    let mut losses: BTreeMap<usize, usize> = BTreeMap::new();
    for round in &phase.rounds {
        let is_out = |player: &usize| losses.get(player) > Some(&usize::from(is_double));
        let here: BTreeSet<usize> =
            appearances(round).map(|(player, _)| player).filter(|one| !is_out(one)).collect();
        if !is_double && !here.is_empty() {
            left = here;
        }
        let byes = round.byes.iter().filter(|bye| bye.kind == ByeKind::AwardedLoss);
        let lost = round.tables.iter().flat_map(losers).chain(byes.map(|bye| bye.player));
        for player in lost {
            let count = losses.entry(player).or_default();
            *count += 1;
            if *count > usize::from(is_double) {
                left.remove(&player);
            }
        }
    }
    left
}

/// Whether nothing is to come of the bracket with which a tournament ends, as far as its matches tell: one player at
/// most is neither out nor gone, or those who are left shared a final that nobody won. One that does not end with a
/// bracket waits for nothing here.
pub(super) fn is_decided(phases: &[SourcePhase], drops: &[SourceDrop]) -> bool {
    let Some(phase) = phases.last().filter(|phase| phase.kind.is_bracket()) else { return true };
    let mut left = still_in(phase);
    for drop in drops {
        left.remove(&drop.player);
    }
    let is_shared = |table: &SourceTable| {
        let sits = |player: &usize| table.seats.iter().any(|seat| seat.player == *player);
        table.has_result() && winner(table).is_none() && left.iter().all(sits)
    };
    left.len() < 2 || phase.rounds.last().is_some_and(|last| last.tables.iter().any(is_shared))
}

/// A round of a bracket without the matches of those who lost in the round before.
fn without_losers(round: &SourceRound, before: &Shape) -> SourceRound {
    let lost = |seat: &SourceSeat| before.through.binary_search(&seat.player).is_err();
    let mut round = round.clone();
    round.tables.retain(|table| !table.seats.iter().all(lost));
    round
}

/// Tells of everybody who plays on in a single elimination after they lost: against somebody who
/// did not, since losers may meet for the lower places.
pub(super) fn tell_lost(
    phase: &SourcePhase,
    name: impl Fn(usize) -> String,
    oddities: &mut Oddities,
) {
    if phase.kind != PhaseKind::Elimination {
        return;
    }
    let mut out = BTreeSet::new();
    for round in &phase.rounds {
        let tables = round.tables.iter().map(|table| {
            (table.seats.iter().map(|seat| seat.player).collect::<Vec<_>>(), &table.place)
        });
        let byes = round.byes.iter().map(|bye| (vec![bye.player], &bye.place));
        for (players, place) in tables.chain(byes) {
            let lost: Vec<&usize> = players.iter().filter(|one| out.contains(*one)).collect();
            if players.len() > 1 && lost.len() == players.len() {
                continue;
            }
            for player in lost {
                let name = name(*player);
                let sentence = format!(
                    "{name:?} plays on in a single elimination after a loss: was it Swiss rounds, \
                     or a double elimination?"
                );
                oddities.add(place, sentence);
            }
        }
        for table in &round.tables {
            let Some(won) = winner(table) else { continue };
            let others = table.seats.iter().enumerate().filter(|(seat, _)| *seat != won);
            out.extend(others.map(|(_, seat)| seat.player));
        }
    }
}

/// A phase with its entrants in the order in which its rounds list them.
pub(super) fn phase(kind: PhaseKind, rounds: Vec<SourceRound>) -> SourcePhase {
    let mut entrants: Vec<usize> = Vec::new();
    let mut seen = BTreeSet::new();
    for (player, _) in rounds.iter().flat_map(appearances) {
        if seen.insert(player) {
            entrants.push(player);
        }
    }
    SourcePhase { kind, entrants, seeded: false, rounds }
}

fn bounds(shapes: &[Shape], cut: usize, shown: &[usize]) -> Vec<(PhaseKind, Range<usize>)> {
    let mut starts: Vec<usize> = shown.iter().copied().filter(|start| *start < cut).collect();
    starts.extend(day_two(&shapes[..cut]));
    starts.push(0);
    starts.sort_unstable();
    starts.dedup();
    let ends = starts.iter().skip(1).copied().chain([cut]);
    let mut bounds: Vec<(PhaseKind, Range<usize>)> =
        starts.iter().zip(ends).map(|(from, to)| (PhaseKind::Swiss, *from..to)).collect();
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
    /// The tables that nobody won.
    drawn: Vec<Vec<usize>>,
    tables: usize,
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
                None => drawn.push(table.seats.iter().map(|seat| seat.player).collect()),
            }
        }
        players.sort_unstable();
        through.sort_unstable();
        Shape { players, through, drawn, tables: round.tables.len(), byes: round.byes.len() }
    }

    fn has(&self, player: usize) -> bool {
        self.players.binary_search(&player).is_ok()
    }

    /// Places of a bracket: at most one player goes on from each.
    fn places(&self) -> usize {
        self.tables + self.byes
    }

    /// Whether everybody here goes on from the round before as in a bracket: as its winner, or from
    /// a match that nobody won without the other one. Two places become one, with a bye where only
    /// one player is left.
    fn follows(&self, before: &Shape) -> bool {
        let mut alone = BTreeSet::new();
        for table in &before.drawn {
            let mut here = table.iter().filter(|one| self.has(**one));
            if let (Some(player), None) = (here.next(), here.next()) {
                alone.insert(*player);
            }
        }
        let goes_on =
            |player: &usize| before.through.binary_search(player).is_ok() || alone.contains(player);
        let half = before.through.len().div_ceil(2)..=before.places().div_ceil(2);
        half.contains(&self.places()) && self.players.iter().all(goes_on)
    }
}

/// The seat that won: by ruling, otherwise by the first score line.
fn winner(table: &SourceTable) -> Option<usize> {
    winning_seat(&table.result)
}

/// The seat that a result says has won.
pub(super) fn winning_seat(result: &MatchResult) -> Option<usize> {
    if !result.rulings.is_empty() {
        return result.rulings.iter().position(|ruling| *ruling == Some(Ruling::Win));
    }
    match &result.score.seats[..] {
        [first, second] if first.first() > second.first() => Some(0),
        [first, second] if first.first() < second.first() => Some(1),
        _ => None,
    }
}

/// The first round of a cut at the end; 0 where the whole tournament is single elimination, the number
/// of rounds where there is no cut.
fn structural_cut(shapes: &[Shape], shown: &[usize]) -> usize {
    let chain = knockout_chain(shapes);
    if chain == 0 && is_knockout(shapes) {
        return 0;
    }
    let cut = (chain.max(1)..shapes.len()).find(|&start| is_cut(shapes, start, shown));
    cut.map_or(shapes.len(), |start| if has_qualifier(shapes, start) { start - 1 } else { start })
}

/// The earliest round from which each follows the one before as in a bracket.
fn knockout_chain(shapes: &[Shape]) -> usize {
    let follows = |at: &usize| shapes[*at].follows(&shapes[at - 1]);
    let broken = (1..shapes.len()).rev().find(|at| !follows(at));
    broken.unwrap_or(0)
}

/// Whether rounds that follow each other are a single elimination. Of a few players who met in two
/// rounds that is said only where nobody drew and nobody was left alone.
fn is_knockout(shapes: &[Shape]) -> bool {
    match shapes {
        [] | [_] => false,
        [first, second] => first.drawn.is_empty() && second.byes == 0,
        _ => true,
    }
}

/// Whether the rounds from `start`, which follow each other, are a cut after the Swiss rounds
/// before.
fn is_cut(shapes: &[Shape], start: usize, shown: &[usize]) -> bool {
    let size = shapes[start].players.len();
    let field = shapes[start - 1].players.len();
    let rounds = shapes.len() - start;
    if rounds > 1 && shown.contains(&start) {
        return true;
    }
    shapes[start].byes == 0
        && size.is_power_of_two()
        && (2..=LARGEST_CUT).contains(&size)
        && size < field
        && better_left_out(shapes, start) <= size / if rounds > 2 { 4 } else { 8 }
        && (rounds > 1 || size * 2 <= field)
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

/// How many who were left out of round `start` have more points than somebody in it: they would
/// have qualified and went home. Players who were already gone in the round before don't count.
fn better_left_out(shapes: &[Shape], start: usize) -> usize {
    let points = points(&shapes[..start]);
    let of = |player: &usize| points.get(*player).copied().unwrap_or(0);
    let worst_inside = shapes[start].players.iter().map(of).min();
    let left = shapes[start - 1].players.iter().filter(|player| !shapes[start].has(**player));
    left.filter(|player| Some(of(player)) > worst_inside).count()
}

/// Three points for a win and one for a draw, as all these platforms count: only to see who was
/// ahead, never recorded.
fn points(shapes: &[Shape]) -> Vec<u32> {
    let most = shapes.iter().filter_map(|shape| shape.players.last()).max();
    let mut points = vec![0; most.map_or(0, |most| most + 1)];
    for shape in shapes {
        shape.through.iter().for_each(|&player| points[player] += 3);
        shape.drawn.iter().flatten().for_each(|&player| points[player] += 1);
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
