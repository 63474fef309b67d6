//! Results: entered, corrected, and who goes on by ruling.

use super::{Desk, DeskError, Done, Objection, open_round, parse_slip, write_slip};
use scrutineer_engine::book::Field;
use scrutineer_engine::event::{
    How, MatchResult, PenaltyKind, PlayerAdvanced, PlayerNumber, ResultCorrected, ResultRecorded,
    RoundNumber, Ruling, Score, Scoresheet, Seq,
};
use scrutineer_engine::handler::CommandError;
use scrutineer_engine::rejection::Rejection;
use scrutineer_engine::tournament::{MatchView, Penalty, Tournament};
use scrutineer_projections::counted;
use scrutineer_projections::crosstable::{is_drawn, rule_by_score};
use scrutineer_projections::ruleset::Ruleset;
use smallvec::SmallVec;

/// What stands on a slip.
#[derive(Clone, Copy, Debug)]
pub struct Slip<'a> {
    /// The table.
    pub table: u32,
    /// The score as written, see [`parse_slip`].
    pub score: &'a str,
}

/// Whose slip it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// That of a table: the values stand in the order of the seats.
    Table(u32),
    /// That of a player: their values stand first, wherever they sit.
    Player(PlayerNumber),
    /// That of a player who sits at this table, and at no other.
    PlayerAt(u32, PlayerNumber),
}

impl Spot {
    /// The player whose values stand first.
    fn player(self) -> Option<PlayerNumber> {
        match self {
            Spot::Table(_) => None,
            Spot::Player(player) | Spot::PlayerAt(_, player) => Some(player),
        }
    }
}

/// A result that was entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entered {
    /// What was recorded.
    pub done: Done,
    /// The round.
    pub round: RoundNumber,
    /// The table; 0 where it is unknown.
    pub table: u32,
    /// The players in the order of their seats.
    pub seats: Vec<PlayerNumber>,
    /// What was read, in the order of the seats.
    pub result: MatchResult,
    /// Whether the slip was turned round, since its player has the second seat.
    pub turned: bool,
    /// Penalties that were served in this match.
    pub served: Vec<Penalty>,
    /// How many results the round still waits for.
    pub missing: u32,
}

impl Entered {
    fn nothing() -> Entered {
        Entered {
            done: Done { first_seq: 0, events: Vec::new(), repeated: false },
            round: 0,
            table: 0,
            seats: Vec::new(),
            result: MatchResult::played(Score::default()),
            turned: false,
            served: Vec::new(),
            missing: 0,
        }
    }
}

impl Desk<'_> {
    /// Enters the result of a table of the round that is being played.
    ///
    /// # Errors
    /// See [`Desk::enter_at`].
    pub fn enter(&self, slip: Slip<'_>) -> Result<Entered, DeskError> {
        self.enter_at(Spot::Table(slip.table), slip.score)
    }

    /// Enters a result of the round that is being played. Penalties that wait for a player of the
    /// table are served: a match loss decides the match.
    ///
    /// # Errors
    /// Where the slip cannot be read or the log refuses.
    pub fn enter_at(&self, spot: Spot, score: &str) -> Result<Entered, DeskError> {
        let mut entered = Entered::nothing();
        let done = self.record(&mut |state, _| {
            super::not_closed(state)?;
            let round = open_round(state).ok_or(Objection::NoOpenRound)?.number;
            let found = match_of(state, round, spot)?;
            if found.result().is_some() {
                let table = found.table().unwrap_or(0);
                return Err(Objection::ResultStands { table, round }.into());
            }
            entered = self.first(state, found, spot, score)?;
            let result = entered.result.clone();
            Ok(vec![ResultRecorded { pairing: found.seq(), result }.into()])
        })?;
        Ok(Entered { done, ..entered })
    }

    /// Corrects the result of a table that stands.
    ///
    /// # Errors
    /// See [`Desk::correct_at`].
    pub fn correct(
        &self,
        round: Option<RoundNumber>,
        slip: Slip<'_>,
        reason: &str,
        dispute: Option<Seq>,
    ) -> Result<Done, DeskError> {
        let spot = Spot::Table(slip.table);
        Ok(self.correct_at(round, spot, slip.score, reason, dispute, None)?.done)
    }

    /// Corrects a result that stands, of the last round where none is named. Penalties that were
    /// served in the match stay with it. Where somebody saw the result that it `was`, as it is typed, nothing is
    /// corrected where another one stands by now.
    ///
    /// # Errors
    /// Where the slip cannot be read or the log refuses.
    pub fn correct_at(
        &self,
        round: Option<RoundNumber>,
        spot: Spot,
        score: &str,
        reason: &str,
        dispute: Option<Seq>,
        was: Option<(Spot, &str)>,
    ) -> Result<Entered, DeskError> {
        let mut entered = Entered::nothing();
        let done = self.record(&mut |state, words| {
            let round = match round {
                Some(round) => round,
                None => state.last_round().ok_or(Objection::NoRound)?.number,
            };
            let found = match_of(state, round, spot)?;
            if let Some((spot, was)) = was
                && found.result().is_some()
                && !self.is_what_stands(state, found, spot, was)?
            {
                let (table, was) = (found.table().unwrap_or(0), was.to_string());
                return Err(Objection::OtherResult { table, round, was }.into());
            }
            let (read, replaces) = self.corrected(state, found, spot, score)?;
            entered = read;
            let (pairing, result) = (found.seq(), entered.result.clone());
            let reason = words.say(Field::Reason, reason)?;
            Ok(vec![ResultCorrected { pairing, replaces, result, reason, dispute }.into()])
        })?;
        Ok(Entered { done, ..entered })
    }

    /// Lets a player go on by ruling, whatever the score says.
    ///
    /// # Errors
    /// Where the log refuses.
    pub fn advance(
        &self,
        round: Option<RoundNumber>,
        table: u32,
        player: PlayerNumber,
        reason: &str,
    ) -> Result<Done, DeskError> {
        self.record(&mut |state, words| {
            let round = match round {
                Some(round) => round,
                None => state.last_round().ok_or(Objection::NoRound)?.number,
            };
            let found = table_of(state, round, table)?;
            let pairing = found.seq();
            let phase = state.phase_of(found.round());
            if phase.is_none_or(|phase| !phase.kind.is_bracket()) {
                return Err(Objection::NoBracket { round }.into());
            }
            let reason = words.say(Field::Reason, reason)?;
            Ok(vec![PlayerAdvanced { pairing, player, reason }.into()])
        })
    }
}

/// The match at a table of a round.
pub(super) fn table_of(
    state: &Tournament,
    round: RoundNumber,
    table: u32,
) -> Result<MatchView<'_>, DeskError> {
    if state.round(round).is_none() {
        return Err(CommandError::from(Rejection::NoSuchRound { round }).into());
    }
    let found = state.at_table(round, table);
    Ok(found.ok_or(Rejection::NoSuchTable { table, round }).map_err(CommandError::from)?)
}

impl Desk<'_> {
    /// What a correction of a match says, and the seq of the result that it replaces. Penalties
    /// that were served in the match stay with it.
    pub(super) fn corrected(
        &self,
        state: &Tournament,
        found: MatchView<'_>,
        spot: Spot,
        score: &str,
    ) -> Result<(Entered, Seq), DeskError> {
        let (entered, replaces) = corrected(state, found, spot, score, &*self.rules(state)?)?;
        self.somebody_goes_on(state, found, &entered)?;
        Ok((entered, replaces))
    }

    /// Whether a result that was seen is the one that stands.
    fn is_what_stands(
        &self,
        state: &Tournament,
        found: MatchView<'_>,
        spot: Spot,
        was: &str,
    ) -> Result<bool, DeskError> {
        if found.to_result().is_some_and(|stands| write_slip(&stands) == was) {
            return Ok(true);
        }
        // What was typed stands there as it was read. One that cannot be read is another one.
        match corrected(state, found, spot, was, &*self.rules(state)?) {
            Err(DeskError::Objection(Objection::SameResult { .. })) => Ok(true),
            _ => Ok(false),
        }
    }

    /// The first result of a match, with the penalties that wait for it.
    pub(super) fn first(
        &self,
        state: &Tournament,
        found: MatchView<'_>,
        spot: Spot,
        score: &str,
    ) -> Result<Entered, DeskError> {
        let mut entered = read(state, found, spot, score, waiting(state, found))?;
        rule_by_score(&*self.rules(state)?, &mut entered.result);
        self.somebody_goes_on(state, found, &entered)?;
        entered.missing = found.round().open_matches.saturating_sub(1);
        Ok(entered)
    }

    /// A draw takes nobody further in a bracket, unless somebody goes on by ruling.
    fn somebody_goes_on(
        &self,
        state: &Tournament,
        found: MatchView<'_>,
        entered: &Entered,
    ) -> Result<(), DeskError> {
        let kind = state.phase_of(found.round()).map(|phase| phase.kind);
        let Some(kind) = kind.filter(|kind| kind.is_bracket()) else { return Ok(()) };
        if found.advanced().is_some()
            || !is_drawn(state, &*self.rules(state)?, found, &entered.result)
        {
            return Ok(());
        }
        let Entered { table, round, .. } = *entered;
        Err(Objection::DrawnInBracket { table, round, kind }.into())
    }
}

fn corrected(
    state: &Tournament,
    found: MatchView<'_>,
    spot: Spot,
    score: &str,
    rules: &Ruleset,
) -> Result<(Entered, Seq), DeskError> {
    let standing = found.to_result().zip(found.result());
    let pairing = found.seq();
    let standing = standing.ok_or(Rejection::NothingToCorrect { pairing });
    let (before, replaces) = standing.map_err(CommandError::from)?;
    let served = before.penalties_served.iter().filter_map(|&seq| state.penalty(seq));
    let mut entered = read(state, found, spot, score, served.cloned().collect())?;
    rule_by_score(rules, &mut entered.result);
    entered.missing = found.round().open_matches;
    // A slip without a score is kept with as many empty ones as there are seats.
    let scored = |result: &MatchResult| {
        let mut result = result.clone();
        result.score.seats.retain(|values| !values.is_empty());
        result
    };
    if scored(&entered.result) == scored(&before) {
        let (round, table) = (entered.round, entered.table);
        return Err(Objection::SameResult { table, round }.into());
    }
    Ok((entered, replaces))
}

/// The match that is meant.
pub(super) fn match_of(
    state: &Tournament,
    round: RoundNumber,
    spot: Spot,
) -> Result<MatchView<'_>, DeskError> {
    match spot {
        // A number that is unknown is nobody's: the first of several such tables would be taken.
        Spot::Table(0) | Spot::PlayerAt(0, _) => {
            Err(CommandError::from(Rejection::NoSuchTable { table: 0, round }).into())
        }
        Spot::Table(table) | Spot::PlayerAt(table, _) => table_of(state, round, table),
        Spot::Player(_) if state.round(round).is_none() => {
            Err(CommandError::from(Rejection::NoSuchRound { round }).into())
        }
        Spot::Player(player) => {
            Ok(match_of_player(state, round, player).ok_or(Objection::NoTable { player, round })?)
        }
    }
}

/// Returns the match of a player in a round.
pub fn match_of_player(
    state: &Tournament,
    round: RoundNumber,
    player: PlayerNumber,
) -> Option<MatchView<'_>> {
    let at = state.rounds().iter().position(|one| one.number == round && !one.withdrawn)?;
    let sits = |found: &MatchView<'_>| found.seats().iter().any(|seat| seat.player == player);
    state.matches_of(at).find(sits)
}

/// Reads a slip of a match.
pub(super) fn read(
    state: &Tournament,
    found: MatchView<'_>,
    spot: Spot,
    score: &str,
    served: Vec<Penalty>,
) -> Result<Entered, DeskError> {
    let seats: Vec<PlayerNumber> = found.seats().iter().map(|seat| seat.player).collect();
    // A table that is known otherwise, such as that of a dispute, may not be theirs.
    if let Some(player) = spot.player()
        && !seats.contains(&player)
    {
        let pairing = found.seq();
        return Err(CommandError::from(Rejection::NotAtTable { player, pairing }).into());
    }
    let sheet = state.scoresheet(found.round()).cloned().unwrap_or_default();
    let mut result = parse_slip(&sheet, seats.len(), score)?;
    no_higher_than_played(state, &sheet, &result)?;
    let turned = matches!(&seats[..], [_, second] if spot.player() == Some(*second));
    if turned {
        result.score.seats.reverse();
        result.rulings.reverse();
    }
    serve(found, &served, &mut result)?;
    if is_without_games(&sheet, &result) {
        let (round, table) = (found.round().number, found.table().unwrap_or(0));
        return Err(Objection::NoGames { table, round }.into());
    }
    holds_lost_games(&sheet, found, &served, &result)?;
    let (round, table) = (found.round().number, found.table().unwrap_or(0));
    Ok(Entered { round, table, seats, result, turned, served, ..Entered::nothing() })
}

/// Refuses more games than two beyond the longest match of an imported tournament, as far as their length is known: its
/// sheet has room for what later versions of its file say, and a slip of the finger is none of that.
fn no_higher_than_played(
    state: &Tournament,
    sheet: &Scoresheet,
    result: &MatchResult,
) -> Result<(), DeskError> {
    let games = sheet.seat_line("games").filter(|_| state.imported().is_some());
    let Some((games, best_of)) = games.zip(sheet.best_of) else { return Ok(()) };
    let typed = result.score.seats.iter().filter_map(|seat| seat.get(games).copied());
    let of_match = |found: MatchView<'_>| {
        let of_seat = |seat| found.score().map_or(0, |score| score.seat(seat, games));
        (0..found.seats().len()).map(of_seat).max().unwrap_or(0)
    };
    let length = i32::from(best_of / 2 + 1);
    // The longest match need not be played yet, such as a final of five games behind rounds of three.
    let max = state.matches().map(of_match).fold(length, i32::max) + 2;
    match typed.max() {
        Some(value) if value > max => {
            let line = "games".to_owned();
            Err(CommandError::from(Rejection::OutOfBounds { line, value, min: 0, max }).into())
        }
        _ => Ok(()),
    }
}

/// Returns whether a match can have a result as its players report it: the penalties that it takes leave it
/// standing.
pub fn holds_penalties(state: &Tournament, found: MatchView<'_>, reported: &MatchResult) -> bool {
    let sheet = state.scoresheet(found.round()).cloned().unwrap_or_default();
    let (served, mut result) = (waiting(state, found), reported.clone());
    serve(found, &served, &mut result).is_ok()
        && holds_lost_games(&sheet, found, &served, &result).is_ok()
}

/// Whether a best of so many games is said to have ended without one, and nobody ruled.
fn is_without_games(sheet: &Scoresheet, result: &MatchResult) -> bool {
    let Score { seats, table } = &result.score;
    let no_game = seats.iter().flatten().chain(table).all(|games| *games == 0);
    sheet.best_of.is_some() && result.rulings.is_empty() && no_game
}

/// A game that one of two loses by penalty is one that the other one has, unless somebody ruled, or the match was
/// not played to its end: a match that was agreed or conceded says nothing of its games. Game losses of both
/// cancel each other.
fn holds_lost_games(
    sheet: &Scoresheet,
    found: MatchView<'_>,
    served: &[Penalty],
    result: &MatchResult,
) -> Result<(), Objection> {
    let is_played = result.rulings.is_empty() && matches!(result.how, How::Played | How::Unknown);
    let (Some(best_of), Some(line), true) = (sheet.best_of, sheet.seat_line("games"), is_played)
    else {
        return Ok(());
    };
    let seats = found.seats();
    let [first, second] = &result.score.seats[..] else { return Ok(()) };
    let lost = |at: usize| {
        let own = |one: &&Penalty| one.player == seats[at].player && !one.withdrawn;
        let own = served.iter().filter(own).filter(|one| one.kind == PenaltyKind::GameLoss);
        u32::try_from(own.count()).unwrap_or(u32::MAX)
    };
    for (at, other) in [(0, second), (1, first)] {
        let losses = lost(at).saturating_sub(lost(1 - at)).min(u32::from(best_of) / 2 + 1);
        let games = other.get(line).map_or(0, |games| u32::try_from(*games).unwrap_or(0));
        if games < losses {
            let (round, table) = (found.round().number, found.table().unwrap_or(0));
            let player = seats[at].player;
            let losses = match losses {
                1 => "a game loss".to_string(),
                many => format!("{many} game losses"),
            };
            let games = match games {
                0 => "no game".to_string(),
                some => counted(some as usize, "game"),
            };
            return Err(Objection::GameLossWaits { player, table, round, losses, games });
        }
    }
    Ok(())
}

/// Penalties that this match takes: given for it, or waiting for a player's next match, which is
/// none that they had begun when they were penalised.
pub fn waiting(state: &Tournament, found: MatchView<'_>) -> Vec<Penalty> {
    let here = |penalty: &&Penalty| match penalty.pairing {
        Some(pairing) => pairing == found.seq(),
        None => {
            penalty.seq < found.seq()
                && found.seats().iter().any(|seat| seat.player == penalty.player)
                && state.served_in(penalty.seq).is_none()
        }
    };
    let counts = |penalty: &&Penalty| !penalty.withdrawn && penalty.kind != PenaltyKind::Warning;
    state.penalties().iter().filter(counts).filter(here).cloned().collect()
}

/// A match loss decides the match, whatever was played.
fn serve(
    found: MatchView<'_>,
    penalties: &[Penalty],
    result: &mut MatchResult,
) -> Result<(), DeskError> {
    result.penalties_served = penalties.iter().map(|penalty| penalty.seq).collect();
    let loses = |player: PlayerNumber| {
        penalties.iter().any(|p| p.player == player && p.kind == PenaltyKind::MatchLoss)
    };
    let losers: SmallVec<[bool; 2]> = found.seats().iter().map(|s| loses(s.player)).collect();
    if !losers.contains(&true) {
        return Ok(());
    }
    if !result.rulings.is_empty() {
        let agrees =
            |(loses, ruling): (&bool, &Option<Ruling>)| !loses || *ruling == Some(Ruling::Loss);
        let player = found.seats()[losers.iter().position(|l| *l).unwrap_or(0)].player;
        return match losers.iter().zip(&result.rulings).all(agrees) {
            true => Ok(()),
            false => Err(Objection::PenaltyWaits { player }.into()),
        };
    }
    // Who came in where at a larger table is for the slip to say.
    if losers.len() > 2 {
        let player = found.seats()[losers.iter().position(|l| *l).unwrap_or(0)].player;
        return Err(Objection::PenaltyWaits { player }.into());
    }
    let ruling = |loses: &bool| Some(if *loses { Ruling::Loss } else { Ruling::Win });
    result.rulings = losers.iter().map(ruling).collect();
    Ok(())
}
