//! Results that were typed at this desk, and that the file of another program has otherwise since.

use crate::names::Names;
use crate::orders::result_in_words;
use crate::store::built_on;
use scrutineer_engine::event::{Event, MatchResult, PlayerNumber, RoundNumber, Seq};
use scrutineer_replay::loaded::LoadedTournament;
use std::collections::BTreeMap;

/// A result that was typed at this desk, and that a file has otherwise since.
pub struct Overruled {
    /// Its round.
    pub round: RoundNumber,
    /// Who sits there.
    seats: Vec<PlayerNumber>,
    /// What was typed here.
    pub here: MatchResult,
    /// What stands since.
    pub stands: MatchResult,
    /// The event that made it so.
    pub seq: Seq,
}

/// The results of the last round that a file overruled after they were typed here, as long as that stands.
pub fn overruled(event: &LoadedTournament) -> Vec<Overruled> {
    let is_imported = event.log.iter().take(2).any(|(_, one)| matches!(one, Event::Imported(_)));
    let last = event.state.last_round().map(|round| round.number);
    let corrected = || {
        event.log.iter().filter_map(|(header, event)| match event {
            Event::ResultCorrected(corrected) => Some((header.seq, corrected)),
            _ => None,
        })
    };
    if !is_imported || corrected().next().is_none() {
        return Vec::new();
    }
    let ours: BTreeMap<Seq, &MatchResult> = built_on(event)
        .filter_map(|(header, event)| match event {
            Event::ResultRecorded(one) => Some((header.seq, &one.result)),
            Event::ResultCorrected(one) => Some((header.seq, &one.result)),
            _ => None,
        })
        .collect();
    let of_file = corrected().filter(|(seq, _)| !ours.contains_key(seq));
    let found = of_file.filter_map(|(seq, one)| {
        let found = event.state.match_at(one.pairing)?;
        let round = found.round().number;
        let stands = found.result() == Some(seq) && Some(round) == last;
        let here = (*ours.get(&one.replaces).filter(|_| stands)?).clone();
        let seats = found.seats().iter().map(|seat| seat.player).collect();
        Some(Overruled { round, seats, here, stands: one.result.clone(), seq })
    });
    found.collect()
}

impl Overruled {
    /// Returns it in words.
    pub fn told(&self, event: &LoadedTournament) -> String {
        let names = Names::of(&event.state, &event.book);
        let who: Vec<String> = self.seats.iter().map(|player| event.name(*player)).collect();
        let said = |result| result_in_words(&names, &self.seats, result);
        format!(
            "Round {}, {}: recorded here was {}; the file has it otherwise, and {} stands since event {}",
            self.round,
            who.join(" \u{2013} "),
            said(&self.here),
            said(&self.stands),
            self.seq
        )
    }
}
