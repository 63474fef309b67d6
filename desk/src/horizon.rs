//! How much of a tournament everybody may know: its horizon, the last event that is public.
//!
//! It is the last end of a command at which the log, read up to there, shows nothing that is hidden:
//! no round that is a draft still, and nothing of how a round went whose standings are hidden and were
//! announced by nobody since. So it moves only forward, never into a command, and what is read up to it
//! needs no further look.

#[cfg(test)]
mod tests;

use scrutineer_engine::event::{Event, RoundNumber, Seq};
use scrutineer_engine::log::Head;
use scrutineer_engine::record::{Header, RecordHash};
use scrutineer_engine::tournament::{Round, Tournament};
use std::collections::{BTreeMap, BTreeSet};

/// Returns whether the pairings of a round are out: they were published, or it has a result.
pub fn is_out(state: &Tournament, round: &Round) -> bool {
    let has_result = || {
        let number = round.number;
        state.matches().any(|one| one.round().number == number && one.result().is_some())
    };
    round.published.is_some() || round.completed.is_some() || has_result()
}

/// Returns whether a round that is a draft now was out before: the log says that it was published, or had a
/// result, and that was taken back. Who saw it then has seen it, also where it was paired anew since: that may
/// have given the same tables.
pub fn was_out(log: &[(Header, Event)], draft: RoundNumber) -> bool {
    let mut tables = BTreeSet::new();
    log.iter().any(|(header, event)| match event {
        Event::PairingMade(one) if one.round == draft => {
            tables.insert(header.seq);
            false
        }
        Event::PairingsPublished(one) => one.round == draft,
        Event::RoundCompleted(one) => one.round == draft,
        Event::ResultRecorded(one) => tables.contains(&one.pairing),
        _ => false,
    })
}

/// Returns the last round that is out.
pub fn published(state: &Tournament) -> Option<RoundNumber> {
    let out = state.rounds().iter().rfind(|round| !round.withdrawn && is_out(state, round));
    out.map(|round| round.number)
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
    /// The last such round of which the log says how it went; 0: of none.
    told: RoundNumber,
    /// Up to which round somebody announced standings, or closed the tournament.
    announced: RoundNumber,
    /// The last end of a command without a draft, for each round that was the last one told then.
    clean: BTreeMap<RoundNumber, Head>,
}

impl Horizon {
    /// Begins to read, where standings are hidden from a round on; none: they are not.
    pub fn new(hidden_from: Option<RoundNumber>) -> Horizon {
        Horizon {
            hidden_from,
            state: Tournament::default(),
            read: 0,
            told: 0,
            announced: 0,
            clean: BTreeMap::new(),
        }
    }

    /// Returns the last event that is public.
    pub fn public(&self) -> Head {
        let shown = self.clean.range(..=self.announced).next_back();
        shown.map_or(Head::EMPTY, |(_, head)| *head)
    }

    /// Returns the last event that was read.
    pub fn read(&self) -> Seq {
        self.read
    }

    /// The round of which this says how it went, where its standings are hidden.
    fn round_told(&self, from: RoundNumber, event: &Event) -> Option<RoundNumber> {
        let pairing = match event {
            Event::ResultRecorded(one) => one.pairing,
            Event::ResultCorrected(one) => one.pairing,
            Event::ResultClaimed(one) => one.pairing,
            Event::ScoreNoted(one) => one.pairing,
            Event::PlayerAdvanced(one) => one.pairing,
            _ => return None,
        };
        let round = self.state.match_at(pairing)?.round().number;
        (round >= from).then_some(round)
    }

    /// Reads the next event.
    pub fn take(&mut self, header: &Header, hash: RecordHash, event: &Event) {
        if let Some(from) = self.hidden_from {
            self.told =
                self.round_told(from, event).map_or(self.told, |round| self.told.max(round));
            let announced = match event {
                // As each round is completed its standings are noted along: nobody asked for that.
                // Of a round without a result they say nothing.
                Event::StandingsAnnounced(one) if header.parts == 1 => {
                    one.through_round.min(self.told)
                }
                Event::TournamentClosed(_) => self.told,
                _ => 0,
            };
            self.announced = self.announced.max(announced);
        }
        self.state.evolve(event);
        self.read = header.seq;
        if header.part == header.parts && !shows_draft(&self.state) {
            self.clean.insert(self.told, Head { seq: header.seq, hash });
        }
    }
}
