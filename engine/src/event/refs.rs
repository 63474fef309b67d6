//! What an event refers to: words of the private book, other events, players.

use super::*;
use crate::book::Field;

/// Something that an event refers to.
#[derive(Debug, PartialEq, Eq)]
pub enum Ref<'a> {
    /// Words of the private book.
    Words(Field, &'a mut Commitment),
    /// Another event of the tournament, by its seq.
    Event(&'a mut Seq),
    /// A player, by their number.
    Player(&'a mut PlayerNumber),
}

impl Event {
    /// Every commitment of the event, with what its words are.
    pub fn commitments(&self) -> Vec<(Field, Commitment)> {
        let mut found = Vec::new();
        self.clone().each_ref(&mut |reference| {
            if let Ref::Words(field, commitment) = reference {
                found.push((field, *commitment));
            }
        });
        found
    }

    /// The highest number of a private entry to which the event commits; 0 where it commits to none.
    pub fn last_entry(&self) -> u32 {
        match self {
            // Most of a log; what is looked at in the rest is copied.
            Event::PairingMade(PairingMade { origin, .. })
            | Event::ByeGiven(ByeGiven { origin, .. })
                if origin.reason.is_none() =>
            {
                0
            }
            Event::ResultRecorded(_)
            | Event::ResultClaimed(_)
            | Event::RoundOpened(_)
            | Event::EnginePaired(_)
            | Event::RoundCompleted(_)
            | Event::PairingsPublished(_)
            | Event::PlayerDropped(_)
            | Event::ByeRequested(_)
            | Event::PlayerDescribed(_)
            | Event::PlayerRated(_)
            | Event::PlayerCheckedIn(_) => 0,
            event => event.commitments().iter().map(|(_, words)| words.number).max().unwrap_or(0),
        }
    }

    /// Visits everything that the event refers to, in the order of its fields. Whoever brings an
    /// event into another log changes it on the way.
    pub fn each_ref(&mut self, visit: &mut dyn FnMut(Ref<'_>)) {
        use Field::{File, Name, Note, Other, PublisherId, Reason, Staff, Title};
        match self {
            Event::TournamentOpened(e) => visit(Ref::Words(Title, &mut e.title)),
            Event::Imported(e) => {
                visit(Ref::Words(Other, &mut e.source_event));
                visit(Ref::Words(File, &mut e.file));
            }
            Event::PlanAmended(PlanAmended { reason, .. })
            | Event::RulesetAmended(RulesetAmended { reason, .. })
            | Event::SignerChanged(SignerChanged { reason, .. })
            | Event::SeedRecommitted(SeedRecommitted { reason, .. })
            | Event::KeyRetired(KeyRetired { reason, .. })
            | Event::LogRestored(LogRestored { reason, .. }) => visit(Ref::Words(Reason, reason)),
            Event::NoteAdded(e) => {
                visit(Ref::Words(Note, &mut e.note));
                e.about.iter_mut().for_each(|seq| visit(Ref::Event(seq)));
            }
            Event::StaffNamed(e) => visit(Ref::Words(Staff, &mut e.name)),
            Event::PlayerEnrolled(e) => {
                visit(Ref::Player(&mut e.player));
                visit(Ref::Words(Name, &mut e.name));
                e.publisher_id.iter_mut().for_each(|id| visit(Ref::Words(PublisherId, id)));
                e.members.iter_mut().for_each(|name| visit(Ref::Words(Name, name)));
            }
            Event::PlayerIdentified(e) => {
                visit(Ref::Player(&mut e.player));
                visit(Ref::Words(Name, &mut e.name));
            }
            Event::PlayerIdCorrected(e) => {
                visit(Ref::Player(&mut e.player));
                e.publisher_id.iter_mut().for_each(|id| visit(Ref::Words(PublisherId, id)));
            }
            Event::PlayerDivisionChanged(e) => {
                visit(Ref::Player(&mut e.player));
                visit(Ref::Words(Reason, &mut e.reason));
            }
            Event::PlayerCheckedIn(PlayerCheckedIn { player })
            | Event::ByeRequested(ByeRequested { player, .. })
            | Event::TableKept(TableKept { player, .. })
            | Event::PlayerDescribed(PlayerDescribed { player, .. })
            | Event::PlayerRated(PlayerRated { player, .. })
            | Event::PlayerDropped(PlayerDropped { player, .. })
            | Event::PlayerReinstated(PlayerReinstated { player, .. }) => {
                visit(Ref::Player(player));
            }
            Event::PhaseStarted(e) => {
                e.entrants.iter_mut().for_each(|player| visit(Ref::Player(player)));
                for over in &mut e.passed_over {
                    visit(Ref::Player(&mut over.player));
                    visit(Ref::Words(Reason, &mut over.reason));
                }
            }
            Event::PairingMade(e) => {
                e.seats.iter_mut().for_each(|seat| visit(Ref::Player(&mut seat.player)));
                e.origin.reason.iter_mut().for_each(|why| visit(Ref::Words(Reason, why)));
            }
            Event::ByeGiven(e) => {
                visit(Ref::Player(&mut e.player));
                e.origin.reason.iter_mut().for_each(|why| visit(Ref::Words(Reason, why)));
            }
            Event::ResultClaimed(e) => {
                visit(Ref::Event(&mut e.pairing));
                result(&mut e.result, visit);
            }
            Event::ScoreNoted(e) => visit(Ref::Event(&mut e.pairing)),
            Event::ResultRecorded(e) => {
                visit(Ref::Event(&mut e.pairing));
                result(&mut e.result, visit);
            }
            Event::ResultCorrected(e) => {
                visit(Ref::Event(&mut e.pairing));
                visit(Ref::Event(&mut e.replaces));
                result(&mut e.result, visit);
                visit(Ref::Words(Reason, &mut e.reason));
                e.dispute.iter_mut().for_each(|seq| visit(Ref::Event(seq)));
            }
            Event::PenaltyGiven(e) => {
                visit(Ref::Player(&mut e.player));
                e.pairing.iter_mut().for_each(|seq| visit(Ref::Event(seq)));
                visit(Ref::Words(Reason, &mut e.reason));
            }
            Event::PlayerAdvanced(e) => {
                visit(Ref::Event(&mut e.pairing));
                visit(Ref::Player(&mut e.player));
                visit(Ref::Words(Reason, &mut e.reason));
            }
            Event::DisputeOpened(e) => {
                visit(Ref::Event(&mut e.pairing));
                e.by.iter_mut().for_each(|player| visit(Ref::Player(player)));
                visit(Ref::Words(Reason, &mut e.claim));
            }
            Event::DisputeRuled(e) => {
                visit(Ref::Event(&mut e.dispute));
                visit(Ref::Words(Reason, &mut e.reason));
            }
            Event::LotsDrawn(e) => {
                e.order.iter_mut().for_each(|player| visit(Ref::Player(player)));
            }
            Event::StandingsAnnounced(e) => visit(Ref::Event(&mut e.head)),
            Event::Withdrawn(e) => {
                visit(Ref::Event(&mut e.seq));
                visit(Ref::Words(Reason, &mut e.reason));
            }
            Event::TournamentClosed(_)
            | Event::TextsForgotten(_)
            | Event::PhaseEnded(_)
            | Event::DivisionsPaired(_)
            | Event::DivisionRounds(_)
            | Event::TablesSet(_)
            | Event::RoundOpened(_)
            | Event::EnginePaired(_)
            | Event::PairingsPublished(_)
            | Event::RoundCompleted(_) => {}
        }
    }
}

fn result(result: &mut MatchResult, visit: &mut dyn FnMut(Ref<'_>)) {
    result.penalties_served.iter_mut().for_each(|seq| visit(Ref::Event(seq)));
}
