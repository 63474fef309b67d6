//! Which scoresheet a file's scores were written on.

use super::build::Oddities;
use super::error::{Fault, ImportError};
use super::limits;
use super::source::SourceRound;
use scrutineer_engine::event::{How, MatchResult, Per, Ruling, Score, ScoreLine, Scoresheet};

/// Games won by the first and by the second player, and games drawn.
pub(super) type Games = [i32; 3];

/// The score of a match in games.
pub(super) fn games_score([first, second, drawn]: Games) -> Score {
    score(&[vec![first], vec![second]], &[drawn])
}

/// A score from plain lists: the seats' lines, then the table's.
pub(super) fn score(seats: &[Vec<i32>], table: &[i32]) -> Score {
    Score {
        seats: seats.iter().map(|lines| lines.iter().copied().collect()).collect(),
        table: table.iter().copied().collect(),
    }
}

/// A match of two without a score, in which this was ruled for the seats.
pub(super) fn ruled(how: How, rulings: [Ruling; 2]) -> MatchResult {
    let rulings = rulings.into_iter().map(Some).collect();
    MatchResult { how, rulings, ..MatchResult::played(Score::default()) }
}

/// A match of one game. Chess and Go go by what was ruled, other rulesets by the score: both are known.
pub(super) fn single_game(games: Games) -> MatchResult {
    let rulings = match games[0].cmp(&games[1]) {
        std::cmp::Ordering::Greater => [Ruling::Win, Ruling::Loss],
        std::cmp::Ordering::Less => [Ruling::Loss, Ruling::Win],
        std::cmp::Ordering::Equal => [Ruling::Draw; 2],
    };
    MatchResult { score: games_score(games), ..ruled(How::Played, rulings) }
}

/// A line of the scoresheet.
pub(super) fn line(name: &str, per: Per, min: i32, max: i32, unit: &str) -> ScoreLine {
    ScoreLine { name: name.to_owned(), per, min, max, unit: unit.to_owned() }
}

/// Best of how many games, by the score that most winners have; none where nobody won.
pub(super) fn best_of(games: impl Iterator<Item = Games>) -> Option<u8> {
    let mut counts = [0u32; 32];
    for [first, second, _] in games.filter(|[first, second, _]| first != second) {
        let won = usize::try_from(first.max(second)).unwrap_or(usize::MAX);
        if let Some(count) = counts.get_mut(won) {
            *count += 1;
        }
    }
    let (won, count) = counts.iter().enumerate().max_by_key(|(_, count)| **count)?;
    (*count > 0 && won > 0).then(|| (2 * won - 1) as u8)
}

/// A scoresheet of games won and drawn that takes every score given.
pub(super) fn games_sheet(best_of: Option<u8>, games: impl Iterator<Item = Games>) -> Scoresheet {
    let usual = best_of.map_or(3, i32::from);
    let (mut won, mut drawn) = (usual / 2 + 1, usual);
    for [first, second, draws] in games {
        won = won.max(first).max(second);
        drawn = drawn.max(draws);
    }
    Scoresheet {
        lines: vec![
            line("games", Per::Seat, 0, won, "games"),
            line("drawn", Per::Table, 0, drawn, "games"),
        ],
        best_of,
    }
}

/// Lets a sheet take the higher scores that a later version of a file may have: it is that of the first one for good.
pub(super) fn leave_room(sheet: &mut Scoresheet) {
    for line in &mut sheet.lines {
        line.max = line.max.max(if line.unit == "games" { 99 } else { limits::SCORE });
    }
}

/// The games of a score on a sheet whose first lines are `games` and `drawn`.
pub(super) fn games_of(score: &Score) -> Option<Games> {
    match &score.seats[..] {
        [first, second] => {
            Some([*first.first()?, *second.first()?, score.table.first().copied().unwrap_or(0)])
        }
        _ => None,
    }
}

/// Reports every score that a match of this length cannot have.
pub(super) fn report(best_of: Option<u8>, rounds: &[SourceRound], oddities: &mut Oddities) {
    let Some(best_of) = best_of else { return };
    for table in rounds.iter().flat_map(|round| &round.tables) {
        let games = games_of(&table.result.score);
        let sheet = Scoresheet { lines: Vec::new(), best_of: Some(best_of) };
        let cannot = |games: &Games| !sheet.can_end(games[0], games[1]);
        if let Some([first, second, drawn]) = games.filter(cannot) {
            let sentence = format!("A best of {best_of} cannot end {first}-{second}-{drawn}.");
            oddities.add(&table.place, sentence);
        }
    }
}

/// Refuses the first score that a match of this length cannot have: for files that say themselves
/// how long their matches are.
pub(super) fn refuse(best_of: u8, rounds: &[SourceRound]) -> Result<(), ImportError> {
    for table in rounds.iter().flat_map(|round| &round.tables) {
        let games = games_of(&table.result.score);
        if let Some([first, second, drawn]) = games.filter(|games| impossible(best_of, *games)) {
            let score = format!("{first}-{second}-{drawn}");
            return Err(Fault::ImpossibleScore { best_of, score }.at(&table.place));
        }
    }
    Ok(())
}

/// What is unusual enough to be told: also more games than the match is best of, though drawn ones
/// are played again.
fn impossible(best_of: u8, [first, second, drawn]: Games) -> bool {
    let needed = i32::from(best_of / 2 + 1);
    let played = i64::from(first) + i64::from(second) + i64::from(drawn);
    first.max(second) > needed || first.min(second) >= needed || played > i64::from(best_of)
}

/// A value of a score line, within what is read at all.
pub(super) fn in_limits(value: i64) -> Option<i32> {
    i32::try_from(value).ok().filter(|value| value.unsigned_abs() <= limits::SCORE as u32)
}
