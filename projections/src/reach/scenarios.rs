//! The results that are missing, filled in: all combinations of them where they are few enough,
//! else a sample.

use super::ends::{self, MatchEnd};
use super::{Basis, Effort, End, Field, SAMPLES, Seen, Slots};
use crate::crosstable::FoldError;
use crate::ruleset::{Outcome, Ties};
use crate::standings::{Decided, Row, Standings};

/// Looks at the combinations, and says what they are.
pub fn all(
    field: &Field<'_>,
    effort: Effort,
    dice: &mut dyn FnMut(u64) -> u64,
    slots: &mut [Slots],
) -> Result<Basis, FoldError> {
    let can_be_played = field.open.iter().all(|open| !open.ends.list.is_empty());
    if field.rounds_left != Some(0) || !can_be_played {
        return Ok(Basis::Bounds);
    }
    let players = u64::from(field.ranked.max(1));
    let combinations = field
        .open
        .iter()
        .try_fold(1u64, |count, open| count.checked_mul(open.ends.list.len() as u64))
        .filter(|count| count.saturating_mul(players) <= effort.counted);
    let is_complete = field.open.iter().all(|open| open.ends.is_complete);
    let mut chosen = vec![0; field.open.len()];
    if let Some(count) = combinations.filter(|_| is_complete) {
        for _ in 0..count {
            look(field, &chosen, slots)?;
            next(field, &mut chosen);
        }
        return Ok(Basis::Counted(count));
    }
    if effort.sampled == 0 {
        return Ok(Basis::Bounds);
    }
    let count = (effort.sampled / players).clamp(1, SAMPLES);
    for _ in 0..count {
        for (open, chosen) in field.open.iter().zip(&mut chosen) {
            *chosen = pick(&open.ends.list, dice);
        }
        look(field, &chosen, slots)?;
    }
    Ok(Basis::Sampled(count))
}

/// The next combination: as one counts, the first match fastest.
fn next(field: &Field<'_>, chosen: &mut [usize]) {
    for (open, chosen) in field.open.iter().zip(chosen) {
        *chosen += 1;
        if *chosen < open.ends.list.len() {
            return;
        }
        *chosen = 0;
    }
}

/// A win, a draw or a loss of the first seat, or none of these where it stays postponed, each as likely; then one of
/// its scores.
fn pick(list: &[MatchEnd], dice: &mut dyn FnMut(u64) -> u64) -> usize {
    let of = |outcome| (0..list.len()).filter(move |at| list[*at].outcomes[0] == outcome);
    let outcomes = [Outcome::Win, Outcome::Draw, Outcome::Loss, Outcome::None];
    let outcomes = outcomes.into_iter().filter(|outcome| of(*outcome).next().is_some());
    let outcomes: Vec<Outcome> = outcomes.collect();
    let outcome = outcomes[dice(outcomes.len() as u64) as usize];
    let scores: Vec<usize> = of(outcome).collect();
    scores[dice(scores.len() as u64) as usize]
}

/// Looks at one combination.
fn look(field: &Field<'_>, chosen: &[usize], slots: &mut [Slots]) -> Result<(), FoldError> {
    let ends = || field.open.iter().zip(chosen).map(|(open, at)| (open, &open.ends.list[*at]));
    let standings = field.with(ends().map(|(open, end)| (open.pairing, &end.result)))?;
    let mut ended: Vec<Option<(Outcome, bool)>> = vec![None; slots.len()];
    for (open, end) in ends() {
        for (seat, player) in open.seats.iter().enumerate() {
            ended[*player as usize] = Some((end.outcomes[seat], end.agreed));
        }
    }
    for (row, seen) in seen(field, &standings) {
        slots[row.index as usize].add(seen, ended[row.index as usize]);
    }
    Ok(())
}

/// Everybody of the phase, with their place and whether they make the cut.
fn seen<'s>(field: &Field<'_>, standings: &'s Standings) -> Vec<(&'s Row, Seen)> {
    let rows: Vec<&Row> = standings.rows.iter().filter(|row| row.layer == 0).collect();
    let lots_to_come = field.rules.ties == Ties::Lots;
    let cut = field.cut.map_or(0, |cut| cut as usize);
    let mut list = Vec::with_capacity(rows.len());
    let mut above = 0;
    let shares = |_: &&Row, row: &&Row| matches!(row.decided, Decided::Tied | Decided::LotsPending);
    for group in rows.chunk_by(shares) {
        let can = group.iter().filter(|row| field.can_go_on[row.index as usize]).count();
        for row in group {
            let last = row.rank + group.len() as u32 - 1;
            let can_go_on = field.can_go_on[row.index as usize];
            let seen = Seen {
                best: row.rank,
                worst: if lots_to_come { last } else { row.rank },
                always: can_go_on && above + can <= cut,
                never: !can_go_on || above >= cut,
            };
            list.push((*row, seen));
        }
        above += can;
    }
    list
}

/// Which results of a match make an end for a seat.
pub fn results_with(
    list: &[MatchEnd],
    seat: usize,
    end: Option<End>,
) -> impl Iterator<Item = usize> {
    let has =
        move |one: &MatchEnd| end.is_none_or(|end| ends::is(end, (one.outcomes[seat], one.agreed)));
    (0..list.len()).filter(move |at| has(&list[*at]))
}
