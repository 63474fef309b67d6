//! Which of the events of a receipt were taken back, and by which of its events.

use super::result_of;
use scrutineer_engine::event::{Event, RoundNumber, Seq};
use std::collections::{BTreeMap, BTreeSet};

/// Event by seq with the seq of what took it back: by its own withdrawal, or with its match or the
/// round that both belonged to. It needs nothing but the events that a receipt holds.
pub fn taken_back<'a>(log: impl Iterator<Item = (Seq, &'a Event)>) -> BTreeMap<Seq, Seq> {
    let mut found = BTreeMap::new();
    // The opening that a round then had.
    let mut opened: BTreeMap<RoundNumber, Seq> = BTreeMap::new();
    let mut belongs: Vec<(Seq, Seq)> = Vec::new();
    for (seq, event) in log {
        let of_round = match event {
            Event::RoundOpened(e) => {
                opened.insert(e.round, seq);
                None
            }
            Event::PairingMade(e) => opened.get(&e.round).copied(),
            Event::ByeGiven(e) => opened.get(&e.round).copied(),
            Event::Withdrawn(e) => {
                found.insert(e.seq, seq);
                None
            }
            event => result_of(event),
        };
        belongs.extend(of_round.map(|whole| (seq, whole)));
    }
    // In the order of the log: a match before its results.
    for (seq, whole) in belongs {
        if let Some(&by) = found.get(&whole).filter(|by| **by > seq) {
            found.entry(seq).or_insert(by);
        }
    }
    found
}

/// These events, with what took them back: withdrawals, and the opening of a round that was
/// withdrawn as a whole.
pub fn with_withdrawals(log: &[(Seq, Event)], events: &[Seq]) -> Vec<Seq> {
    let all = taken_back(log.iter().map(|(seq, event)| (*seq, event)));
    let by: BTreeSet<Seq> = events.iter().filter_map(|seq| all.get(seq).copied()).collect();
    let what =
        log.iter().filter(|(seq, _)| by.contains(seq)).filter_map(|(_, event)| match event {
            Event::Withdrawn(e) => Some(e.seq),
            _ => None,
        });
    let whole: BTreeSet<Seq> = what.collect();
    let wanted = events.iter().copied().chain(by).chain(whole);
    wanted.collect::<BTreeSet<Seq>>().into_iter().collect()
}
