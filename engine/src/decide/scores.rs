//! Which scores a scoresheet takes.

use crate::event::*;
use crate::limits;
use crate::rejection::Rejection;
use crate::tournament::{MatchView, Tournament};

/// The scoresheet of a match.
pub fn sheet<'a>(state: &'a Tournament, found: MatchView<'a>) -> &'a Scoresheet {
    static EMPTY: Scoresheet = Scoresheet { lines: Vec::new(), best_of: None };
    state.scoresheet(found.round()).unwrap_or(&EMPTY)
}

/// Whether the match may end like this. A live event refuses what its sheet forbids; a file from
/// elsewhere holds what it holds, within the bounds of the lines.
pub fn allowed(
    state: &Tournament,
    found: MatchView<'_>,
    result: &MatchResult,
) -> Result<(), Rejection> {
    let sheet = sheet(state, found);
    let seats = found.seats().len();
    // Who rules for one seat rules for all: an open one would be neither won nor lost.
    let found_rulings = result.rulings.iter().flatten().count();
    if !result.rulings.is_empty() && (found_rulings, result.rulings.len()) != (seats, seats) {
        return Err(Rejection::WrongSeats { found: found_rulings, expected: seats });
    }
    let ruled = found_rulings > 0;
    if !(ruled && result.score == Score::default()) {
        fits(sheet, &result.score, seats)?;
    }
    result.parts.iter().try_for_each(|part| part_fits(part, seats))?;
    let of_parts = result.parts.iter().flat_map(|part| &part.rulings);
    for ruling in result.rulings.iter().chain(of_parts) {
        match ruling {
            Some(Ruling::Place(place)) if !(1..=MAX_PLACE).contains(place) => {
                return Err(Rejection::NoSuchPlace { place: *place });
            }
            _ => {}
        }
    }
    super::word("grade", result.grade.as_deref().unwrap_or_default())?;
    let at_table = |player| found.seats().iter().any(|seat| seat.player == player);
    for &seq in &result.penalties_served {
        match state.penalty(seq) {
            Some(penalty) if at_table(penalty.player) => {}
            _ => return Err(Rejection::NoSuchPenalty { seq }),
        }
    }
    if state.imported().is_none() {
        possible(sheet, &result.score)?;
    }
    Ok(())
}

/// A game or board says something about every seat, or nothing.
fn part_fits(part: &Part, seats: usize) -> Result<(), Rejection> {
    let said = [part.score.seats.len(), part.rulings.len()];
    match said.into_iter().find(|&found| found != 0 && found != seats) {
        Some(found) => Err(Rejection::WrongSeats { found, expected: seats }),
        None => Ok(()),
    }
}

/// Whether there is a value within bounds for each line of each seat and of the table.
pub fn fits(sheet: &Scoresheet, score: &Score, seats: usize) -> Result<(), Rejection> {
    if score.seats.len() != seats {
        return Err(Rejection::WrongSeats { found: score.seats.len(), expected: seats });
    }
    for values in &score.seats {
        lines_fit(sheet, Per::Seat, values)?;
    }
    lines_fit(sheet, Per::Table, &score.table)
}

fn lines_fit(sheet: &Scoresheet, per: Per, values: &[i32]) -> Result<(), Rejection> {
    let lines = || sheet.lines.iter().filter(move |line| line.per == per);
    let expected = lines().count();
    if values.len() != expected {
        return Err(Rejection::WrongLines { found: values.len(), expected });
    }
    for (line, &value) in lines().zip(values) {
        let (min, max) = (line.min, line.max);
        if !(min..=max).contains(&value) {
            return Err(Rejection::OutOfBounds { line: line.name.clone(), value, min, max });
        }
    }
    Ok(())
}

/// Best of three cannot end 3-0 or 2-2.
fn possible(sheet: &Scoresheet, score: &Score) -> Result<(), Rejection> {
    let (Some(best_of), Some(games)) = (sheet.best_of, sheet.seat_line("games")) else {
        return Ok(());
    };
    let won = |seat: usize| score.seats.get(seat).and_then(|s| s.get(games)).copied().unwrap_or(0);
    let (first, second) = (won(0), won(1));
    match sheet.can_end(first, second) {
        true => Ok(()),
        false => Err(Rejection::ImpossibleScore { best_of, first, second }),
    }
}

/// Whether the sheet itself makes sense.
pub fn usable(sheet: &Scoresheet) -> Result<(), Rejection> {
    let bad = |why: String| Err(Rejection::BadScoresheet { why });
    if sheet.lines.len() > limits::SCORE_LINES {
        return bad(format!("{} lines, more than {}", sheet.lines.len(), limits::SCORE_LINES));
    }
    for (at, line) in sheet.lines.iter().enumerate() {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
        if line.name.is_empty()
            || line.name.len() > limits::LINE_NAME
            || !line.name.bytes().all(plain)
        {
            return bad(format!("{:?} is no name for a line", line.name));
        }
        if line.min > line.max {
            return bad(format!("{}: no value lies from {} to {}", line.name, line.min, line.max));
        }
        let within = -limits::SCORE..=limits::SCORE;
        if !within.contains(&line.min) || !within.contains(&line.max) {
            let (name, most) = (&line.name, limits::SCORE);
            return bad(format!("{name}: values lie between -{most} and {most}"));
        }
        super::word("unit of a line", &line.unit)?;
        if sheet.lines[..at].iter().any(|other| other.name == line.name) {
            return bad(format!("{} stands there twice", line.name));
        }
    }
    match sheet.best_of {
        Some(games) if games % 2 == 0 => bad(format!("best of {games} has no winner")),
        _ => Ok(()),
    }
}
