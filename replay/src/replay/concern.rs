//! What an event of the log is about: a round, players.

use scrutineer_engine::event::{Event, PlayerNumber, RoundNumber, Seq};
use scrutineer_engine::record::Header;
use scrutineer_engine::tournament::Tournament;

/// For each event of a log the round that it is about; 0: none, or all of them.
///
/// A result, a correction, a penalty or a dispute is about the round of its table, however much
/// later it was recorded; a drop about the round after which it counts; taking something back
/// about the round of what is taken back.
pub fn rounds_concerned(log: &[(Header, Event)]) -> Vec<RoundNumber> {
    let mut rounds: Vec<RoundNumber> = Vec::with_capacity(log.len());
    let mut opened = 0;
    for (_, event) in log {
        let of = |seq: Seq| {
            let at = usize::try_from(seq).ok().and_then(|seq| seq.checked_sub(1));
            at.and_then(|at| rounds.get(at)).copied().unwrap_or(0)
        };
        let round = match event {
            Event::RoundOpened(e) => {
                opened = e.round;
                e.round
            }
            Event::PairingMade(e) => e.round,
            Event::ByeGiven(e) => e.round,
            Event::ByeRequested(e) => e.round,
            Event::EnginePaired(e) => e.round,
            Event::PairingsPublished(e) => e.round,
            Event::RoundCompleted(e) => e.round,
            Event::ResultClaimed(e) => of(e.pairing),
            Event::ScoreNoted(e) => of(e.pairing),
            Event::ResultRecorded(e) => of(e.pairing),
            Event::ResultCorrected(e) => of(e.pairing),
            Event::PlayerAdvanced(e) => of(e.pairing),
            Event::DisputeOpened(e) => of(e.pairing),
            Event::DisputeRuled(e) => of(e.dispute),
            Event::PenaltyGiven(e) => e.pairing.map_or(opened, of),
            Event::NoteAdded(e) => e.about.map_or(0, of),
            Event::Withdrawn(e) => of(e.seq),
            Event::PlayerEnrolled(e) if e.from_round > 1 => e.from_round,
            Event::PlayerDropped(e) => e.after_round,
            Event::PlayerReinstated(e) => e.from_round,
            Event::StandingsAnnounced(e) => e.through_round,
            Event::PhaseStarted(e) if e.phase > 1 => opened + 1,
            Event::PhaseEnded(_) => opened,
            Event::TournamentOpened(_)
            | Event::PlanAmended(_)
            | Event::RulesetAmended(_)
            | Event::SignerChanged(_)
            | Event::KeyRetired(_)
            | Event::LogRestored(_)
            | Event::SeedRecommitted(_)
            | Event::Imported(_)
            | Event::TournamentClosed(_)
            | Event::StaffNamed(_)
            | Event::TextsForgotten(_)
            | Event::PlayerEnrolled(_)
            | Event::PlayerIdentified(_)
            | Event::PlayerDivisionChanged(_)
            | Event::PlayerDescribed(_)
            | Event::PlayerRated(_)
            | Event::PlayerIdCorrected(_)
            | Event::DivisionsPaired(_)
            | Event::DivisionRounds(_)
            | Event::TableKept(_)
            | Event::TablesSet(_)
            | Event::PlayerCheckedIn(_)
            | Event::PhaseStarted(_)
            | Event::LotsDrawn(_) => 0,
        };
        rounds.push(round);
    }
    rounds
}

/// The players of whom an event speaks; of a round's pairings nobody, since they are everybody.
pub fn players_concerned(state: &Tournament, event: &Event) -> Vec<PlayerNumber> {
    let seats = |pairing: Seq| -> Vec<PlayerNumber> {
        let found = state.match_at(pairing);
        found.into_iter().flat_map(|found| found.seats()).map(|seat| seat.player).collect()
    };
    match event {
        Event::ResultRecorded(e) => seats(e.pairing),
        Event::ResultCorrected(e) => seats(e.pairing),
        Event::ScoreNoted(e) => seats(e.pairing),
        Event::PlayerAdvanced(e) => seats(e.pairing),
        Event::PlayerDropped(e) => vec![e.player],
        Event::PlayerReinstated(e) => vec![e.player],
        Event::PenaltyGiven(e) => vec![e.player],
        Event::ByeRequested(e) => vec![e.player],
        _ => Vec::new(),
    }
}
