//! The horizon beside a slow one that looks at every beginning of a log anew.

use super::*;
use crate::kit::Hall;
use crate::simulate::{Rates, Simulation};
use crate::store::Store;
use scrutineer_engine::event::PhaseKind;
use scrutineer_engine::handler::read_events;
use scrutineer_engine::record::StreamId;
use scrutineer_projections::ruleset::Library;
use std::collections::BTreeSet;
use std::sync::Arc;

type Log = Vec<(Header, RecordHash, Event)>;

fn log_of(store: &Store, stream: StreamId) -> Log {
    let read = read_events(store.log(), stream, 0);
    let rows = read.map(|read| {
        let (record, event) = read.expect("read");
        (record.header(), record.hash(), event)
    });
    rows.collect()
}

fn horizon(log: &[(Header, RecordHash, Event)], hidden_from: Option<RoundNumber>) -> Seq {
    let mut horizon = Horizon::new(hidden_from);
    log.iter().for_each(|(header, hash, event)| horizon.take(header, *hash, event));
    horizon.public().seq
}

/// Whether a log shows nothing that is hidden, where standings were announced up to a round, told from its events
/// alone.
fn is_clean(
    log: &[(Header, RecordHash, Event)],
    hidden_from: Option<RoundNumber>,
    announced: RoundNumber,
) -> bool {
    let withdrawn: BTreeSet<Seq> = log
        .iter()
        .filter_map(|(_, _, event)| match event {
            Event::Withdrawn(one) => Some(one.seq),
            _ => None,
        })
        .collect();
    let stands = |seq: Seq| !withdrawn.contains(&seq);
    let round_of = |pairing: Seq| round_of(log, pairing);
    let result = |event: &Event| match event {
        Event::ResultRecorded(one) => Some(one.pairing),
        Event::ResultCorrected(one) => Some(one.pairing),
        _ => None,
    };
    let is_draft = |opened: &Header, round: RoundNumber| {
        stands(opened.seq)
            && !log.iter().filter(|(header, ..)| header.seq > opened.seq).any(
                |(header, _, event)| {
                    stands(header.seq)
                        && match event {
                            Event::PairingsPublished(one) => one.round == round,
                            Event::RoundCompleted(one) => one.round == round,
                            event => {
                                result(event).is_some_and(|pairing| round_of(pairing) == round)
                            }
                        }
                },
            )
    };
    let drafts = log.iter().any(|(header, _, event)| match event {
        Event::RoundOpened(one) => is_draft(header, one.round),
        _ => false,
    });
    let Some(from) = hidden_from else { return !drafts };
    !drafts && last_told(log, from) <= announced
}

fn round_of(log: &[(Header, RecordHash, Event)], pairing: Seq) -> RoundNumber {
    match &log[pairing as usize - 1].2 {
        Event::PairingMade(one) => one.round,
        other => panic!("{other:?} is no pairing"),
    }
}

/// The last hidden round of which a log says how it went; 0: of none.
fn last_told(log: &[(Header, RecordHash, Event)], from: RoundNumber) -> RoundNumber {
    let told = log.iter().filter_map(|(_, _, event)| match event {
        Event::ResultRecorded(one) => Some(one.pairing),
        Event::ResultCorrected(one) => Some(one.pairing),
        Event::ResultClaimed(one) => Some(one.pairing),
        Event::ScoreNoted(one) => Some(one.pairing),
        Event::PlayerAdvanced(one) => Some(one.pairing),
        _ => None,
    });
    told.map(|pairing| round_of(log, pairing)).filter(|round| *round >= from).max().unwrap_or(0)
}

/// Up to which round a log's standings were announced; what is told when a tournament is closed is announced.
fn last_announced(log: &[(Header, RecordHash, Event)], from: RoundNumber) -> RoundNumber {
    let announced = log.iter().enumerate().map(|(at, (header, _, event))| match event {
        Event::StandingsAnnounced(one) if header.parts == 1 => {
            one.through_round.min(last_told(&log[..at], from))
        }
        Event::TournamentClosed(_) => last_told(&log[..at], from),
        _ => 0,
    });
    announced.max().unwrap_or(0)
}

/// The slow one: the last end of a command at which the log is clean.
fn slow(log: &[(Header, RecordHash, Event)], hidden_from: Option<RoundNumber>) -> Seq {
    let ends = log.iter().filter(|(header, ..)| header.part == header.parts);
    let mut clean = ends.map(|(header, ..)| header.seq).rev();
    let announced = hidden_from.map_or(0, |from| last_announced(log, from));
    clean.find(|end| is_clean(&log[..*end as usize], hidden_from, announced)).unwrap_or(0)
}

#[test]
fn at_every_moment_of_simulated_tournaments_it_is_where_a_slow_look_finds_it() {
    let (mut looked, mut behind) = (0, 0);
    for (seed, (rules, kind)) in [
        ("mtr", PhaseKind::Swiss),
        ("carde", PhaseKind::Swiss),
        ("mtr", PhaseKind::Elimination),
        ("mtr", PhaseKind::RoundRobin),
    ]
    .into_iter()
    .enumerate()
    {
        let rules = Library::shipped().ruleset(rules).expect("it is shipped");
        let rates = Rates { repairs: 500, wrong: 100, ..Rates::default() };
        let cut = (kind == PhaseKind::Swiss).then_some(4);
        let rounds = (kind == PhaseKind::Swiss).then_some(3);
        let new = Simulation::new(8, Arc::new(rules), seed as u64);
        let store = Store::in_memory();
        let stream = Simulation { rates, kind, cut, rounds, ..new }.play(&store).expect("played");
        let log = log_of(&store, stream.stream);
        for hidden_from in [None, Some(1), Some(2), Some(4), Some(9)] {
            let (mut fast, mut before) = (Horizon::new(hidden_from), 0);
            for (at, (header, hash, event)) in log.iter().enumerate() {
                fast.take(header, *hash, event);
                let (public, known) = (fast.public(), &log[..=at]);
                assert_eq!(public.seq, slow(known, hidden_from), "event {}", header.seq);
                assert!(public.seq >= before, "it went back to {}", public.seq);
                let stands = public.seq.checked_sub(1).map(|last| &log[last as usize]);
                assert!(stands.is_none_or(|(end, hash, _)| {
                    end.part == end.parts && *hash == public.hash
                }));
                (before, looked) = (public.seq, looked + 1);
                behind += usize::from(public.seq < header.seq);
            }
            assert_eq!(before, log.len() as Seq, "closed, it is all public");
        }
    }
    assert!(looked > 1_000 && behind > 300, "{looked} moments, {behind} of them behind the log");
}

#[test]
fn a_publication_that_is_taken_back_hides_nothing_again_and_shows_nothing_more() {
    let hall = Hall::empty();
    let public = |hidden| horizon(&log_of(&hall.store, hall.stream), hidden);
    let head = || hall.store.log().head(hall.stream).expect("read").seq;
    let opened = head();
    assert_eq!(public(None), opened);
    hall.at(|desk| desk.pair(None, false).expect("paired"));
    assert_eq!(public(None), opened, "a draft is no one's business");
    hall.at(|desk| desk.publish().expect("published"));
    let published = head();
    assert_eq!(public(None), published);
    hall.at(|desk| desk.withdraw(published, "too early").expect("withdrawn"));
    hall.at(|desk| desk.note("nobody saw it", None).expect("noted"));
    assert_eq!(public(None), published, "what was public stays so, and nothing else is");
    hall.at(|desk| desk.publish().expect("published"));
    assert_eq!(public(None), head());
}

#[test]
fn hidden_standings_end_before_the_first_word_of_the_round_until_they_are_announced() {
    let hall = Hall::empty();
    let public = || horizon(&log_of(&hall.store, hall.stream), Some(1));
    let head = || hall.store.log().head(hall.stream).expect("read").seq;
    hall.at(|desk| desk.pair(None, false).expect("paired"));
    hall.at(|desk| desk.publish().expect("published"));
    let published = head();
    assert_eq!(public(), published, "the pairings are no result");
    hall.at(|desk| desk.claim(1, "2-0").expect("claimed"));
    assert_eq!(public(), published, "nor is a claim shown");
    for table in 1..=2 {
        let slip = crate::desk::Slip { table, score: "2-0" };
        hall.at(|desk| desk.enter(slip).expect("entered"));
    }
    assert_eq!(public(), published);
    hall.at(|desk| desk.pair(None, false).expect("paired"));
    hall.at(|desk| desk.publish().expect("published"));
    assert_eq!(
        public(),
        published,
        "what is noted with a round that is over was asked for by nobody"
    );
    hall.at(|desk| desk.announce(None).expect("announced"));
    let announced = head();
    assert_eq!(public(), announced, "announced, they are everybody's");
    let one = crate::desk::Slip { table: 1, score: "2-0" };
    hall.at(|desk| desk.enter(one).expect("entered"));
    assert_eq!(public(), announced, "what comes behind them is hidden again");
    hall.at(|desk| desk.announce(None).expect("announced"));
    assert_eq!(public(), head(), "until they are announced in their turn");
}
