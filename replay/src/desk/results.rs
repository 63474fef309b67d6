//! Results: entered, corrected, and who goes on by ruling.

use super::{Desk, DeskError, Done, Objection, open_round, parse_slip};
use scrutineer_engine::book::Field;
use scrutineer_engine::event::{
    MatchResult, PenaltyKind, PlayerAdvanced, PlayerNumber, ResultCorrected, ResultRecorded,
    RoundNumber, Ruling, Score, Scoresheet, Seq,
};
use scrutineer_engine::rejection::Rejection;
use scrutineer_engine::scorekeeper::Refusal;
use scrutineer_engine::tournament::{MatchView, Penalty, Tournament};
use smallvec::SmallVec;

/// What stands on a slip.
#[derive(Clone, Copy, Debug)]
pub struct Slip<'a> {
    /// The table.
    pub table: u32,
    /// The score as written, see [`parse_slip`].
    pub score: &'a str,
}

/// A result that was entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entered {
    /// What was recorded.
    pub done: Done,
    /// The players in the order of their seats.
    pub seats: Vec<PlayerNumber>,
    /// What was read.
    pub result: MatchResult,
    /// Penalties that were served in this match.
    pub served: Vec<Penalty>,
    /// How many results the round still waits for.
    pub missing: u32,
}

impl Desk<'_> {
    /// Enters the result of a table of the round that is being played. Penalties that wait for a
    /// player of the table are served: a match loss decides the match.
    ///
    /// # Errors
    /// Where the slip cannot be read or the log refuses.
    pub fn enter(&self, slip: Slip<'_>) -> Result<Entered, DeskError> {
        let (mut seats, mut served, mut missing) = (Vec::new(), Vec::new(), 0);
        let mut result = MatchResult::played(Score::default());
        let done = self.record(&mut |state, _| {
            let round = open_round(state).ok_or(Objection::NoOpenRound)?.number;
            let found = table_of(state, round, slip.table)?;
            if found.result().is_some() {
                return Err(Objection::ResultStands { table: slip.table, round }.into());
            }
            let sheet = sheet_of(state, found);
            result = parse_slip(&sheet, found.seats().len(), slip.score)?;
            served = waiting(state, found);
            serve(found, &served, &mut result)?;
            missing = found.round().open_matches.saturating_sub(1);
            seats = found.seats().iter().map(|seat| seat.player).collect();
            Ok(vec![ResultRecorded { pairing: found.seq(), result: result.clone() }.into()])
        })?;
        Ok(Entered { done, seats, result, served, missing })
    }

    /// Corrects the result of a table that stands.
    ///
    /// # Errors
    /// Where the slip cannot be read or the log refuses.
    pub fn correct(
        &self,
        round: Option<RoundNumber>,
        slip: Slip<'_>,
        reason: &str,
        dispute: Option<Seq>,
    ) -> Result<Done, DeskError> {
        self.record(&mut |state, words| {
            let round = match round {
                Some(round) => round,
                None => state.last_round().ok_or(Objection::NoRound)?.number,
            };
            let found = table_of(state, round, slip.table)?;
            let pairing = found.seq();
            let replaces = found.result().ok_or(Rejection::NothingToCorrect { pairing });
            let replaces = replaces.map_err(Refusal::from)?;
            let sheet = sheet_of(state, found);
            let mut result = parse_slip(&sheet, found.seats().len(), slip.score)?;
            let before = found.to_result().map(|result| result.penalties_served);
            result.penalties_served = before.unwrap_or_default();
            let reason = words.say(Field::Reason, reason)?;
            Ok(vec![ResultCorrected { pairing, replaces, result, reason, dispute }.into()])
        })
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
            let pairing = table_of(state, round, table)?.seq();
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
        return Err(Refusal::from(Rejection::NoSuchRound { round }).into());
    }
    let found = state.at_table(round, table);
    Ok(found.ok_or(Rejection::NoSuchTable { table, round }).map_err(Refusal::from)?)
}

fn sheet_of(state: &Tournament, found: MatchView<'_>) -> Scoresheet {
    state.scoresheet(found.round()).cloned().unwrap_or_default()
}

/// Penalties that this match takes: given for it, or waiting for a player's next match.
pub(super) fn waiting(state: &Tournament, found: MatchView<'_>) -> Vec<Penalty> {
    let here = |penalty: &&Penalty| match penalty.pairing {
        Some(pairing) => pairing == found.seq(),
        None => {
            found.seats().iter().any(|seat| seat.player == penalty.player)
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
    let ruling = |loses: &bool| Some(if *loses { Ruling::Loss } else { Ruling::Win });
    result.rulings = losers.iter().map(ruling).collect();
    Ok(())
}
