//! How much of a tournament everybody may know: its horizon, the last event that is public.
//!
//! It is the last end of a command at which the log, read up to there, shows nothing that is hidden:
//! no round that is a draft still, and nothing of how a round went whose standings are hidden. So it
//! moves only forward, never into a command, and what is read up to it needs no further look.

#[cfg(test)]
mod tests;

use scrutineer_engine::event::{Event, RoundNumber, Seq};
use scrutineer_engine::log::Head;
use scrutineer_engine::record::{Header, RecordHash};
use scrutineer_engine::tournament::{Round, Tournament};

/// Returns whether the pairings of a round are out: they were published, or it has a result.
pub fn is_out(state: &Tournament, round: &Round) -> bool {
    let has_result = || {
        let number = round.number;
        state.matches().any(|one| one.round().number == number && one.result().is_some())
    };
    round.published.is_some() || round.completed.is_some() || has_result()
}

/// Returns whether a tournament shows a draft as it stands; a round that was voided is history.
pub fn shows_draft(state: &Tournament) -> bool {
    state.rounds().iter().any(|round| !round.withdrawn && !is_out(state, round))
}

/// Returns the last round that is out, where the one behind it is a draft; 0: none is.
pub fn last_out(state: &Tournament) -> Option<RoundNumber> {
    let draft = state.last_round().filter(|last| !is_out(state, last));
    draft.map(|draft| draft.number - 1)
}

/// A log that is read event by event, and how much of it is public.
#[derive(Clone)]
pub struct Horizon {
    /// From which round on standings are hidden.
    hidden_from: Option<RoundNumber>,
    state: Tournament,
    read: Seq,
    /// Whether the log has something of how such a round went.
    has_hidden: bool,
    /// Whether somebody announced standings that count such a round, or closed the tournament.
    is_lifted: bool,
    public: Head,
}

impl Horizon {
    /// Begins to read, where standings are hidden from a round on; none: they are not.
    pub fn new(hidden_from: Option<RoundNumber>) -> Horizon {
        Horizon {
            hidden_from,
            state: Tournament::default(),
            read: 0,
            has_hidden: false,
            is_lifted: false,
            public: Head::EMPTY,
        }
    }

    /// Returns the last event that is public.
    pub fn public(&self) -> Head {
        self.public
    }

    /// Returns the last event that was read.
    pub fn read(&self) -> Seq {
        self.read
    }

    /// Whether this says how a round went whose standings are hidden.
    fn is_hidden(&self, from: RoundNumber, event: &Event) -> bool {
        let pairing = match event {
            Event::ResultRecorded(one) => one.pairing,
            Event::ResultCorrected(one) => one.pairing,
            Event::ResultClaimed(one) => one.pairing,
            Event::ScoreNoted(one) => one.pairing,
            Event::PlayerAdvanced(one) => one.pairing,
            _ => return false,
        };
        self.state.match_at(pairing).is_some_and(|found| found.round().number >= from)
    }

    /// Reads the next event.
    pub fn take(&mut self, header: &Header, hash: RecordHash, event: &Event) {
        if let Some(from) = self.hidden_from {
            self.has_hidden |= self.is_hidden(from, event);
            self.is_lifted |= match event {
                // As each round is completed its standings are noted along: nobody asked for that.
                Event::StandingsAnnounced(one) => one.through_round >= from && header.parts == 1,
                Event::TournamentClosed(_) => true,
                _ => false,
            };
        }
        self.state.evolve(event);
        self.read = header.seq;
        let hides = self.has_hidden && !self.is_lifted;
        if header.part == header.parts && !hides && !shows_draft(&self.state) {
            self.public = Head { seq: header.seq, hash };
        }
    }
}
