//! Whoever changes a log: what is found, and where. The records are taken out of a log, changed,
//! and walked over like those of a store.

use scrutineer_desk::simulate::{Rates, Simulation};
use scrutineer_desk::store::Store;
use scrutineer_engine::event::Event;
use scrutineer_engine::handler::event_of;
use scrutineer_engine::record::{Header, Record, RecordHash, StreamId};
use scrutineer_projections::ruleset::Library;
use scrutineer_replay::announced::AnnouncedTable;
use scrutineer_replay::verify::{Beside, Finding, Severity, Verification, Walk};
use std::sync::Arc;

/// A small event with corrections, drops and a cut.
struct Sample {
    stream: StreamId,
    records: Vec<Record>,
    tables: Vec<AnnouncedTable>,
}

fn sample(seed: u64) -> Sample {
    let rules = Library::shipped().ruleset("mtr").expect("a shipped ruleset");
    let mut simulation = Simulation::new(9, Arc::new(rules), seed);
    simulation.rounds = Some(4);
    simulation.cut = Some(4);
    simulation.rates = Rates { wrong: 120, drops: 60, repairs: 200, ..Rates::default() };
    let store = Store::in_memory();
    let stream = simulation.play(&store).expect("it is played").stream;
    let read: Result<Vec<_>, _> = store.log().read(stream, 0).collect();
    let records = read.expect("readable");
    Sample { stream, records, tables: store.announced(stream).expect("readable") }
}

impl Sample {
    fn verify(&self, records: &[Record]) -> Verification {
        self.verify_with(records, &self.tables)
    }

    fn verify_with(&self, records: &[Record], tables: &[AnnouncedTable]) -> Verification {
        let mut walk = Walk::new(self.stream, Beside { tables, ..Beside::default() });
        records.iter().for_each(|record| walk.take(record));
        walk.finish().0
    }
}

fn first_error(found: &Verification) -> Option<(&'static str, u64)> {
    let is_error = |finding: &&Finding| finding.severity == Severity::Error;
    found.findings.iter().find(is_error).map(|finding| (finding.code, finding.seq))
}

/// Every record from `from` on with fresh hashes, as somebody would who knows the format.
pub fn chained_anew(records: &[Record], from: usize) -> Vec<Record> {
    let mut anew: Vec<Record> = records[..from].to_vec();
    for record in &records[from..] {
        let previous = anew.last().map_or(RecordHash::ZERO, Record::hash);
        let seq = anew.len() as u64 + 1;
        let header = Header { previous, seq, ..record.header() };
        anew.push(Record::seal(header, record.payload()).expect("it fits"));
    }
    anew
}

fn with_event(record: &Record, event: &Event) -> Record {
    Record::seal(record.header(), &event.encode().expect("it fits")).expect("it fits")
}

#[test]
fn an_honest_log_holds() {
    for seed in 0..12 {
        let sample = sample(seed);
        let found = sample.verify(&sample.records);
        assert_eq!(first_error(&found), None, "seed {seed}: {:?}", found.findings);
        assert_eq!(found.records, sample.records.len() as u64);
    }
}

#[test]
fn a_changed_record_no_longer_fits_the_next_one() {
    let sample = sample(1);
    for at in 0..sample.records.len() - 1 {
        let mut records = sample.records.clone();
        let header = Header { actor: scrutineer_engine::record::Actor(99), ..records[at].header() };
        records[at] = Record::seal(header, records[at].payload()).expect("it fits");
        let found = sample.verify(&records);
        assert_eq!(first_error(&found), Some(("chain", at as u64 + 2)), "record {}", at + 1);
    }
}

#[test]
fn a_missing_a_doubled_and_a_swapped_record_are_named() {
    let sample = sample(2);
    let last = sample.records.len();
    for at in 0..last - 1 {
        let seq = at as u64 + 1;
        let mut records = sample.records.clone();
        records.remove(at);
        assert_eq!(first_error(&sample.verify(&records)), Some(("chain", seq + 1)), "{seq} gone");
        let mut records = sample.records.clone();
        records.insert(at, records[at].clone());
        let found = first_error(&sample.verify(&records));
        assert_eq!(found, Some(("chain", seq)), "{seq} twice");
        let mut records = sample.records.clone();
        records.swap(at, at + 1);
        let codes: Vec<&str> =
            sample.verify(&records).findings.iter().map(|finding| finding.code).collect();
        assert!(codes.contains(&"chain"), "{seq} and the next one swapped: {codes:?}");
    }
}

#[test]
fn half_a_command_is_told_and_a_shorter_log_needs_somebody_who_knows_more() {
    let sample = sample(3);
    for len in 1..sample.records.len() {
        let found = sample.verify(&sample.records[..len]);
        let whole = sample.records[len - 1].ends_command();
        let cut_off = found.findings.iter().any(|finding| finding.code == "cut-off");
        assert_eq!(cut_off, !whole, "{len} records: {:?}", found.findings);
    }
}

/// Fresh hashes do not help: what follows from the records no longer comes out.
#[test]
fn a_result_that_was_turned_round_changes_what_was_announced() {
    let mut found_by = std::collections::BTreeSet::new();
    for seed in 0..6 {
        let sample = sample(seed);
        for at in 0..sample.records.len() {
            let event = event_of(&sample.records[at]).expect("it is read");
            let Event::ResultRecorded(mut recorded) = event else { continue };
            let seats = &mut recorded.result.score.seats;
            if seats.len() != 2 || seats[0] == seats[1] {
                continue;
            }
            seats.swap(0, 1);
            // Somebody who corrected it later has made it all right again.
            let corrected = sample.records[at + 1..].iter().any(|later| {
                let event = event_of(later).expect("it is read");
                matches!(event, Event::ResultCorrected(e) if e.pairing == recorded.pairing)
            });
            let mut records = sample.records.clone();
            records[at] = with_event(&records[at], &recorded.into());
            let found = sample.verify(&chained_anew(&records, at));
            let error = first_error(&found);
            assert!(error.is_some() || corrected, "seed {seed}, record {}", at + 1);
            if let Some((code, seq)) = error {
                assert!(seq > at as u64, "named at {seq}, changed at {}", at + 1);
                found_by.insert(code);
            }
        }
    }
    assert!(found_by.contains("standings-differ") || found_by.contains("pairing-differs"));
}

#[test]
fn tables_that_were_exchanged_after_the_draw_are_no_longer_those_of_the_seed() {
    let sample = sample(4);
    let pairings: Vec<usize> = (0..sample.records.len())
        .filter(|at| matches!(event_of(&sample.records[*at]), Ok(Event::PairingMade(_))))
        .collect();
    let mut tried = 0;
    for pair in pairings.windows(2).filter(|pair| pair[1] == pair[0] + 1) {
        let read = |at: usize| match event_of(&sample.records[at]) {
            Ok(Event::PairingMade(pairing)) => pairing,
            other => panic!("{other:?} is no pairing"),
        };
        let (mut one, mut two) = (read(pair[0]), read(pair[1]));
        if one.round != two.round {
            continue;
        }
        std::mem::swap(&mut one.seats[0].player, &mut two.seats[0].player);
        let mut records = sample.records.clone();
        records[pair[0]] = with_event(&records[pair[0]], &one.into());
        records[pair[1]] = with_event(&records[pair[1]], &two.into());
        let found = sample.verify(&chained_anew(&records, pair[0]));
        let seq = pair[0] as u64 + 1;
        assert_eq!(first_error(&found), Some(("pairing-differs", seq)), "{:?}", found.findings);
        tried += 1;
    }
    assert!(tried > 3, "{tried} exchanges");
}

#[test]
fn a_table_beside_the_log_that_says_something_else_is_found_by_its_row() {
    let sample = sample(5);
    for at in 0..sample.tables.len() {
        let mut tables = sample.tables.clone();
        let rows = &mut tables[at].rows;
        (rows[0].1, rows[1].1) = (rows[1].1, rows[0].1);
        let found = sample.verify_with(&sample.records, &tables);
        assert_eq!(first_error(&found), Some(("table-altered", tables[at].announced)));
    }
    // Another table was announced than comes out: the one that was kept tells which row.
    let at = sample.records.iter().position(|record| {
        matches!(event_of(record), Ok(Event::StandingsAnnounced(e)) if e.through_round == 1)
    });
    let at = at.expect("it was announced");
    let Ok(Event::StandingsAnnounced(mut announced)) = event_of(&sample.records[at]) else {
        panic!("it was announced")
    };
    let mut tables = sample.tables.clone();
    let kept = tables.iter_mut().find(|table| table.announced == at as u64 + 1).expect("kept");
    (kept.rows[0].1, kept.rows[1].1) = (kept.rows[1].1, kept.rows[0].1);
    announced.table = kept.hash().expect("a hash");
    let mut records = sample.records.clone();
    records[at] = with_event(&records[at], &announced.into());
    let found = sample.verify_with(&chained_anew(&records, at), &tables);
    let differ = found.findings.iter().find(|finding| finding.code == "standings-differ");
    let sentence = &differ.expect("it is found").sentence;
    assert!(sentence.contains("place 1 is player"), "{sentence}");
}

/// Tables cannot be chosen and passed off as drawn.
#[test]
fn tables_that_are_said_to_be_drawn_need_a_seed() {
    let sample = sample(6);
    let mut tried = 0;
    for at in 0..sample.records.len() {
        let Ok(Event::RoundOpened(mut opened)) = event_of(&sample.records[at]) else { continue };
        if opened.drawn.take().is_none() {
            continue;
        }
        let mut records = sample.records.clone();
        records[at] = with_event(&records[at], &opened.into());
        let found = sample.verify(&chained_anew(&records, at));
        let first = first_error(&found);
        assert_eq!(first, Some(("paired-without-seed", at as u64 + 2)), "{:?}", found.findings);
        tried += 1;
    }
    assert!(tried > 3, "{tried} rounds");
}
