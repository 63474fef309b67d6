//! How a match came out, from what platforms say of it: games, a winner, that nobody came.

use super::build::Oddities;
use super::sheet::{self, Games};
use super::source::{SourcePhase, SourceRound, SourceTable};
use scrutineer_engine::event::{How, MatchResult, PhaseKind, Ruling, Score};

/// What a platform says of a match's outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Won {
    /// The player on this seat, 0 or 1.
    Seat(usize),
    /// Nobody: it was drawn.
    Draw,
    /// Nobody: both lost.
    BothLost,
}

impl Won {
    fn rulings(self) -> [Ruling; 2] {
        match self {
            Won::Seat(0) => [Ruling::Win, Ruling::Loss],
            Won::Seat(_) => [Ruling::Loss, Ruling::Win],
            Won::Draw => [Ruling::Draw; 2],
            Won::BothLost => [Ruling::Loss; 2],
        }
    }

    /// What games alone say, or points.
    pub(crate) fn by([first, second, _]: Games) -> Won {
        match first.cmp(&second) {
            std::cmp::Ordering::Greater => Won::Seat(0),
            std::cmp::Ordering::Less => Won::Seat(1),
            std::cmp::Ordering::Equal => Won::Draw,
        }
    }
}

/// The result of a match: the games where they are known, and a ruling where these do not say the same as the
/// platform, or where nothing was played.
pub(crate) fn result(games: Option<Games>, won: Option<Won>, how: How) -> MatchResult {
    let nothing = games.is_some_and(|games| games == [0; 3]) && won != Some(Won::Draw);
    let games = games.filter(|_| !nothing);
    let score = games.map_or_else(Score::default, sheet::games_score);
    let forfeit = matches!(how, How::Forfeit | How::NoShow);
    let ruled = won.filter(|won| forfeit || games.map(Won::by) != Some(*won));
    let rulings = ruled.map_or(Vec::new(), |won| won.rulings().map(Some).to_vec());
    MatchResult { how, rulings: rulings.into(), ..MatchResult::played(score) }
}

/// A match that is still to be played.
pub(crate) fn open() -> MatchResult {
    MatchResult::played(Score::default())
}

/// Gives every match without a result a ruling of no result, but in the last round: the others are over. Of a round
/// robin, whose rounds all stand there from the start, the last one is the last with a result.
/// Says whether matches of the last round are still to be played.
pub(crate) fn settle(phases: &mut [SourcePhase], oddities: &mut Oddities) -> bool {
    let to_come = phases.last().map_or(0, |phase| match phase.kind {
        PhaseKind::RoundRobin => {
            let is_begun = |round: &SourceRound| round.tables.iter().any(SourceTable::has_result);
            let begun = phase.rounds.iter().rposition(is_begun).unwrap_or(0);
            phase.rounds.len().saturating_sub(begun + 1)
        }
        _ => 0,
    });
    let mut rounds: Vec<&mut SourceRound> =
        phases.iter_mut().flat_map(|phase| &mut phase.rounds).collect();
    rounds.truncate(rounds.len() - to_come);
    let Some(last) = rounds.pop() else { return false };
    for table in rounds.into_iter().flat_map(|round| &mut round.tables) {
        if !table.has_result() {
            oddities.add(&table.place, "The match has no result, and later rounds were played.");
            table.result = no_result(table);
        }
    }
    to_come > 0 || !last.tables.iter().all(SourceTable::has_result)
}

/// What stands for a match without a result in a round that others have gone beyond: it counts for nobody.
fn no_result(table: &SourceTable) -> MatchResult {
    let rulings = table.seats.iter().map(|_| Some(Ruling::NoResult)).collect();
    MatchResult { rulings, how: How::Unknown, ..open() }
}

/// The same in the rounds that somebody keeps, in which matches are postponed and all rounds to come may stand
/// already: those behind the last one that has a result are to be played, and so is what has none in that one. Says
/// whether anything is.
pub(crate) fn postpone(rounds: &mut [SourceRound], oddities: &mut Oddities) -> bool {
    let is_open = |table: &&mut SourceTable| !table.has_result();
    let is_begun = |round: &SourceRound| {
        round.tables.is_empty() || round.tables.iter().any(SourceTable::has_result)
    };
    let last = rounds.iter().rposition(is_begun).unwrap_or(0);
    let mut postponed: Vec<String> = Vec::new();
    for table in rounds[..last].iter_mut().flat_map(|round| &mut round.tables).filter(is_open) {
        postponed.push(table.place.clone());
        table.result = no_result(table);
    }
    if let Some((first, others)) = postponed.split_first() {
        let (named, more) = others.split_at(others.len().min(5));
        let also = match (named.is_empty(), more.is_empty()) {
            (true, _) => String::new(),
            (_, true) => format!(" So it is at {}.", named.join("; ")),
            (_, false) => format!(" So it is at {} and {} more.", named.join("; "), more.len()),
        };
        let sentence = format!(
            "The match has no result, and later rounds have: it counts for nobody until this file comes in again \
             with one.{also}"
        );
        oddities.add(first, sentence);
    }
    let to_come = rounds[last.min(rounds.len())..].iter().flat_map(|round| &round.tables);
    !postponed.is_empty() || to_come.into_iter().any(|table| !table.has_result())
}

/// The games of every match and bye that has them.
pub(crate) fn games(phases: &[SourcePhase]) -> impl Iterator<Item = Games> {
    let rounds = || phases.iter().flat_map(|phase| &phase.rounds);
    let played = rounds().flat_map(|round| &round.tables);
    let reported = rounds().flat_map(|round| &round.byes).filter_map(|bye| bye.reported.as_ref());
    played.map(|table| &table.result.score).chain(reported).filter_map(sheet::games_of)
}
