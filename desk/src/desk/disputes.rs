//! Disputes: somebody says that a result is wrong, and a head judge rules.

use super::results::match_of;
use super::{Desk, DeskError, Done, Entered, Objection, Spot};
use scrutineer_engine::book::Field;
use scrutineer_engine::event::{
    DisputeOpened, DisputeRuled, PlayerNumber, ResultCorrected, ResultRecorded, RoundNumber, Seq,
};
use scrutineer_engine::tournament::{Dispute, MatchView, Tournament};

/// A dispute that was ruled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruled {
    /// What was recorded.
    pub done: Done,
    /// The result as corrected or recorded, where the ruling came with one.
    pub corrected: Option<Entered>,
}

impl Desk<'_> {
    /// Somebody disputes a match, of the last round where none is named. Gives the number by which
    /// people call the dispute.
    ///
    /// # Errors
    /// Where there is no such match, who disputes it does not sit there, or their dispute of it
    /// waits for a ruling already.
    pub fn dispute(
        &self,
        round: Option<RoundNumber>,
        spot: Spot,
        by: Option<PlayerNumber>,
        claim: &str,
    ) -> Result<(u32, Done), DeskError> {
        let mut number = 0;
        let done = self.record(&mut |state, words| {
            let pairing = disputed(state, round, spot)?.seq();
            let is_same = |dispute: &Dispute| dispute.pairing == pairing && dispute.by == by;
            if let Some((number, _)) = state.open_disputes().find(|(_, open)| is_same(open)) {
                return Err(Objection::DisputedAlready { number }.into());
            }
            number = state.disputes().len() as u32 + 1;
            let claim = words.say(Field::Reason, claim)?;
            Ok(vec![DisputeOpened { pairing, by, claim }.into()])
        })?;
        Ok((number, done))
    }

    /// A dispute is ruled. With a `score`, which stands in the order of `spot`, the result is
    /// corrected in the same step, and the correction names the dispute; a match without a result gets it.
    ///
    /// # Errors
    /// Where there is no such dispute, it is ruled already, or the score is none.
    pub fn rule(
        &self,
        number: u32,
        upheld: bool,
        score: Option<(Option<PlayerNumber>, &str)>,
        reason: &str,
    ) -> Result<Ruled, DeskError> {
        let mut entered = None;
        let done = self.record(&mut |state, words| {
            let dispute = dispute_of(state, number)?;
            if let Some((by, _)) = dispute.ruled {
                return Err(Objection::AlreadyRuled { number, by }.into());
            }
            let (seq, pairing) = (dispute.seq, dispute.pairing);
            let mut events = Vec::new();
            let mut correction = None;
            entered = None;
            if let Some((player, score)) = score {
                let found = state.match_at(pairing).ok_or(Objection::NoSuchDispute { number })?;
                let spot = match player {
                    Some(player) => Spot::Player(player),
                    None => Spot::Table(found.table().unwrap_or(0)),
                };
                match found.result() {
                    Some(_) => correction = Some(self.corrected(state, found, spot, score)?),
                    None => {
                        let read = self.first(state, found, spot, score)?;
                        events.push(ResultRecorded { pairing, result: read.result.clone() }.into());
                        entered = Some(read);
                    }
                }
            }
            let reason = words.say(Field::Reason, reason)?;
            if let Some((read, replaces)) = correction {
                let (result, dispute) = (read.result.clone(), Some(seq));
                let event = ResultCorrected { pairing, replaces, result, reason, dispute };
                events.push(event.into());
                entered = Some(read);
            }
            events.push(DisputeRuled { dispute: seq, upheld, reason }.into());
            Ok(events)
        })?;
        Ok(Ruled { corrected: entered.map(|e| Entered { done: done.clone(), ..e }), done })
    }
}

/// The match that is disputed: of the last round where none is named.
///
/// # Errors
/// Where there is none, or nobody has seen it.
pub fn disputed(
    state: &Tournament,
    round: Option<RoundNumber>,
    spot: Spot,
) -> Result<MatchView<'_>, DeskError> {
    let last = state.last_round().ok_or(Objection::NoRound)?;
    let found = match_of(state, round.unwrap_or(last.number), spot)?;
    // Nobody has seen that table: an earlier one is meant.
    let is_unseen = last.published.is_none() && found.result().is_none();
    if round.is_none() && last.number > 1 && is_unseen {
        return Err(Objection::WhichRound { round: last.number }.into());
    }
    Ok(found)
}

/// The dispute that people call by this number, if it stands.
///
/// # Errors
/// Where there is none.
pub fn dispute_of(state: &Tournament, number: u32) -> Result<&Dispute, DeskError> {
    let at = (number as usize).checked_sub(1);
    let dispute = at.and_then(|at| state.disputes().get(at));
    let stands = dispute.and_then(|dispute| state.dispute(dispute.seq));
    Ok(stands.ok_or(Objection::NoSuchDispute { number })?)
}

/// The number by which people call the dispute that was opened at this seq.
pub fn dispute_number(state: &Tournament, seq: Seq) -> Option<u32> {
    let at = state.disputes().iter().position(|dispute| dispute.seq == seq)?;
    Some(at as u32 + 1)
}
