//! What is said before a result is: who is here, what a player reports, how a match stands.

use super::results::{match_of, read};
use super::{Desk, DeskError, Done, Entered, Objection, Spot, not_closed, open_round};
use crate::claims::{claims_from, is_of_match, is_own, is_said_by};
use scrutineer_engine::book::Field;
use scrutineer_engine::decide::validate;
use scrutineer_engine::event::{
    Event, MatchResult, PlayerCheckedIn, PlayerNumber, ResultClaimed, ResultRecorded, RoundNumber,
    ScoreNoted, Seq, StaffNamed,
};
use scrutineer_engine::handler::CommandError;
use scrutineer_engine::rejection::Rejection;
use scrutineer_engine::tournament::{MatchView, Tournament};

/// What was said of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    /// What was recorded.
    pub done: Done,
    /// The round.
    pub round: RoundNumber,
    /// The table; 0 where it is unknown.
    pub table: u32,
    /// The match, by the seq of its pairing.
    pub pairing: u64,
    /// The players in the order of their seats.
    pub seats: Vec<PlayerNumber>,
    /// What was said, in the order of the seats.
    pub result: MatchResult,
}

/// What a player claimed, and whether it became the result of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimed {
    /// What was said.
    pub heard: Heard,
    /// Whether the result was recorded with it, since the other player had reported the same.
    pub is_recorded: bool,
}

impl Desk<'_> {
    /// Records that a player is here.
    ///
    /// # Errors
    /// Where they have checked in or left already.
    pub fn check_in(&self, player: PlayerNumber) -> Result<Done, DeskError> {
        self.record(&mut |state, _| {
            not_closed(state)?;
            let known = state.player(player).filter(|known| !known.withdrawn);
            if known.is_some_and(|known| known.dropped().is_some()) {
                return Err(CommandError::from(Rejection::AlreadyDropped { player }).into());
            }
            if known.is_some_and(|known| known.checked_in) {
                return Err(Objection::HereAlready { player }.into());
            }
            Ok(vec![PlayerCheckedIn { player }.into()])
        })
    }

    /// Records what a player reports of the match that they play; their values stand first in the
    /// score. It is no result.
    ///
    /// # Errors
    /// Where they sit nowhere, or the score cannot be read.
    pub fn claim(&self, player: PlayerNumber, score: &str) -> Result<Heard, DeskError> {
        self.hear(Spot::Player(player), score, &|heard| {
            let seat = heard.seats.iter().position(|seat| *seat == player).unwrap_or(0) as u8;
            ResultClaimed { pairing: heard.pairing, seat, result: heard.result.clone() }.into()
        })
    }

    /// Records what a player reports of a match of theirs on a device of their own. Where the other one of
    /// two has reported the same on theirs, and `counts` says so of the other and of the event that published
    /// the round, the result is recorded in the same command. In a match that has a result it is filed alone.
    /// Where they saw by which pairing they sat, it is of that match and of no other.
    ///
    /// # Errors
    /// Where they did not sit in that round, or sit elsewhere by now, or the score cannot be read.
    pub fn claim_own(
        &self,
        player: PlayerNumber,
        (round, seen): (RoundNumber, Option<Seq>),
        score: &str,
        counts: &dyn Fn(PlayerNumber, Seq) -> bool,
    ) -> Result<Claimed, DeskError> {
        let mut claimed = None;
        let done = self.record(&mut |state, _| {
            not_closed(state)?;
            let found = match_of(state, round, Spot::Player(player))?;
            if let Some(seen) = seen
                && !is_of_match(self.store, self.stream, found, seen)?
            {
                return Err(Objection::SeatedElsewhere { round }.into());
            }
            let entered = read(state, found, Spot::Player(player), score, Vec::new())?;
            let seat = entered.seats.iter().position(|seat| *seat == player).unwrap_or(0) as u8;
            let (pairing, result) = (found.seq(), entered.result.clone());
            let mut events = vec![ResultClaimed { pairing, seat, result }.into()];
            let is_recorded = self.both_say(state, found, (player, seat), &entered, counts)?
                && self.first(state, found, Spot::Player(player), score).is_ok_and(|first| {
                    // A penalty that waits is the desk's to apply.
                    first.served.is_empty() && first.result == entered.result
                });
            if is_recorded {
                let result = entered.result.clone();
                events.push(ResultRecorded { pairing, result }.into());
            }
            let heard = Heard {
                done: Done { first_seq: 0, events: Vec::new(), repeated: false },
                round,
                table: entered.table,
                pairing,
                seats: entered.seats,
                result: entered.result,
            };
            claimed = Some(Claimed { heard, is_recorded });
            Ok(events)
        })?;
        match claimed {
            Some(Claimed { heard, is_recorded }) => {
                Ok(Claimed { heard: Heard { done, ..heard }, is_recorded })
            }
            None => Err(Objection::NoOpenRound.into()),
        }
    }

    /// Whether the other one of two has reported the same of an open match, so that it counts.
    fn both_say(
        &self,
        state: &Tournament,
        found: MatchView<'_>,
        (player, seat): (PlayerNumber, u8),
        entered: &Entered,
        counts: &dyn Fn(PlayerNumber, Seq) -> bool,
    ) -> Result<bool, DeskError> {
        let is_open = open_round(state).is_some_and(|open| open.number == entered.round);
        let (Some(published), [_, _]) = (found.round().published, &entered.seats[..]) else {
            return Ok(false);
        };
        if !is_open || found.result().is_some() {
            return Ok(false);
        }
        let opened = found.round().opened;
        let claims = claims_from(self.store, self.stream, opened, state.head())?;
        let (other, seat) = (entered.seats[usize::from(1 - seat)], 1 - seat);
        let same = claims
            .get(&(found.seq(), seat))
            .is_some_and(|one| is_said_by(&one.result, &entered.result) && is_own(one, other));
        Ok(same && counts(player, published) && counts(other, published))
    }

    /// Records how a match stands that is not finished.
    ///
    /// # Errors
    /// Where it has a result, or the score cannot be read, or is none that a match can have.
    pub fn note_score(&self, spot: Spot, score: &str) -> Result<Heard, DeskError> {
        self.hear(spot, score, &|heard| {
            ScoreNoted { pairing: heard.pairing, score: heard.result.score.clone() }.into()
        })
    }

    fn hear(
        &self,
        spot: Spot,
        score: &str,
        event: &dyn Fn(&Heard) -> Event,
    ) -> Result<Heard, DeskError> {
        let mut heard = None;
        let done = self.record(&mut |state, _| {
            not_closed(state)?;
            let round = open_round(state).ok_or(Objection::NoOpenRound)?.number;
            let found = match_of(state, round, spot)?;
            // Penalties are served by a result, and this is none.
            let entered = read(state, found, spot, score, Vec::new())?;
            let said = Heard {
                done: Done { first_seq: 0, events: Vec::new(), repeated: false },
                round,
                table: entered.table,
                pairing: found.seq(),
                seats: entered.seats,
                result: entered.result,
            };
            // A score that no match can end with is none that it stands at either.
            let (pairing, result) = (said.pairing, said.result.clone());
            let claimed = ResultClaimed { pairing, seat: 0, result };
            validate(state, &claimed.into()).map_err(CommandError::from)?;
            let event = event(&said);
            heard = Some(said);
            Ok(vec![event])
        })?;
        match heard {
            Some(heard) => Ok(Heard { done, ..heard }),
            None => Err(Objection::NoOpenRound.into()),
        }
    }

    /// Says for whom the number of an actor stands from now on, who has recorded something here.
    ///
    /// # Errors
    /// Where nobody has that number, or it is the program's or the owner's.
    pub fn name_staff(&self, actor: u32, name: &str) -> Result<Done, DeskError> {
        if let Some(why) = Field::Staff.objection(name) {
            return Err(Objection::BadName { name: name.to_string(), why }.into());
        }
        if !self.is_staff(actor)? {
            return Err(Objection::NoSuchStaff { actor }.into());
        }
        self.record(&mut |_, words| {
            Ok(vec![StaffNamed { actor, name: words.say(Field::Staff, name)? }.into()])
        })
    }
}
