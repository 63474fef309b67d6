//! What is said before a result is: who is here, what a player reports, how a match stands.

use super::results::{match_of, read};
use super::{Desk, DeskError, Done, Objection, Spot, not_closed, open_round};
use scrutineer_engine::book::Field;
use scrutineer_engine::event::{
    Event, MatchResult, PlayerCheckedIn, PlayerNumber, ResultClaimed, RoundNumber, ScoreNoted,
    StaffNamed,
};
use scrutineer_engine::handler::CommandError;
use scrutineer_engine::rejection::Rejection;

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

    /// Records how a match stands that is not finished.
    ///
    /// # Errors
    /// Where it has a result, or the score cannot be read.
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
