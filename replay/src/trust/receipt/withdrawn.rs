//! Which of the events of a receipt, or of a log, were taken back, and by which of its events.

use super::result_of;
use scrutineer_engine::event::{
    ByeGiven, DisputeOpened, EnginePaired, Event, PairingMade, PairingsPublished, PlayerAdvanced,
    RoundCompleted, RoundNumber, ScoreNoted, Seq,
};
use std::collections::{BTreeMap, BTreeSet};

/// Event by seq with the seq of what took it back: by its own withdrawal, or with its dispute, its match or
/// the round that they belonged to. It needs nothing but the events that a receipt holds.
pub fn taken_back<'a>(log: impl Iterator<Item = (Seq, &'a Event)>) -> BTreeMap<Seq, Seq> {
    let mut found = BTreeMap::new();
    // The opening that a round then had.
    let mut opened: BTreeMap<RoundNumber, Seq> = BTreeMap::new();
    let mut belongs: Vec<(Seq, Seq)> = Vec::new();
    for (seq, event) in log {
        let whole = match event {
            Event::RoundOpened(e) => {
                opened.insert(e.round, seq);
                None
            }
            Event::PairingMade(PairingMade { round, .. })
            | Event::ByeGiven(ByeGiven { round, .. })
            | Event::EnginePaired(EnginePaired { round, .. })
            | Event::PairingsPublished(PairingsPublished { round })
            | Event::RoundCompleted(RoundCompleted { round }) => opened.get(round).copied(),
            // A report stays with its match at another table, and goes with the round alone.
            Event::ResultClaimed(e) => {
                let made = belongs.binary_search_by_key(&e.pairing, |(seq, _)| *seq);
                made.ok().map(|at| belongs[at].1)
            }
            Event::ScoreNoted(ScoreNoted { pairing, .. })
            | Event::PlayerAdvanced(PlayerAdvanced { pairing, .. })
            | Event::DisputeOpened(DisputeOpened { pairing, .. }) => Some(*pairing),
            Event::DisputeRuled(e) => Some(e.dispute),
            Event::Withdrawn(e) => {
                found.insert(e.seq, seq);
                None
            }
            event => result_of(event),
        };
        belongs.extend(whole.map(|whole| (seq, whole)));
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

#[cfg(test)]
mod tests {
    use super::*;
    use scrutineer_engine::book::Commitment;
    use scrutineer_engine::event::{
        MatchResult, Origin, ResultClaimed, RoundOpened, RoundWeight, Score, Withdrawn,
    };

    const WHY: Commitment = Commitment { number: 0, digest: [0; 32] };

    fn made(table: u32) -> Event {
        let (group, bracket_slot, origin) = (None, None, Origin::by_hand(WHY));
        let (round, table, seats) = (1, Some(table), Default::default());
        PairingMade { round, table, seats, group, bracket_slot, origin }.into()
    }

    #[test]
    fn a_report_goes_with_its_round_and_stays_where_its_match_is_moved_to_another_table() {
        let weight = RoundWeight::ONE;
        let opened = RoundOpened { round: 1, phase: 1, phase_round: 1, weight, drawn: None };
        let result = MatchResult::played(Score::default());
        let mut log: Vec<Event> = vec![
            opened.into(),
            made(1),
            ResultClaimed { pairing: 2, seat: 0, result }.into(),
            Withdrawn { seq: 2, reason: WHY }.into(),
            made(7),
        ];
        let taken = |log: &[Event]| taken_back((1..).zip(log));
        assert_eq!(taken(&log), BTreeMap::from([(2, 4)]));
        log.push(Withdrawn { seq: 1, reason: WHY }.into());
        assert_eq!(taken(&log), BTreeMap::from([(1, 6), (2, 4), (3, 6), (5, 6)]));
    }
}
