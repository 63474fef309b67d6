//! Bundles as somebody could change them, with the key and without.

mod adopted;
mod covered;
mod flips;
mod hostile;
mod moved;
mod packed;
mod tamper;
mod words;

use super::*;
use crate::kit::{Hall, rechained};
use scrutineer_engine::book::PrivateEntry;
use scrutineer_engine::event::Event;
use scrutineer_engine::record::Record;
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::ruleset::parse;
use scrutineer_replay::announced::{AnnouncedTable, announcement, standings_in};
use scrutineer_replay::bundle::*;
use scrutineer_replay::trust::checkpoint::Signed;
use scrutineer_replay::trust::history::History;
use scrutineer_replay::trust::note::PublicKey;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Brings a bundle in, whoever signed it.
fn brought(store: &crate::store::Store, bytes: &[u8]) -> Result<Imported, ImportError> {
    import(store, &mut held(bytes), Signatures::NotAsked)
}

fn held(bytes: &[u8]) -> Held {
    Held::check(bytes, &Against::default()).expect("memory is read")
}

/// What a bundle holds, to be changed and spelled again as its format wants it.
#[derive(Clone)]
struct Parts {
    header: Header,
    records: Vec<Record>,
    tables: Vec<AnnouncedTable>,
    notes: Vec<String>,
    entries: Vec<PrivateEntry>,
    secrets: Vec<[u8; 32]>,
}

impl Parts {
    fn of(bytes: &[u8]) -> Parts {
        let mut header = None;
        let mut parts = (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let read = read(&mut &bytes[..], &mut |place, read| {
            match read {
                Read::Piece(Piece::Header(read)) => header = Some(read),
                Read::Piece(Piece::Record { record, .. }) => parts.0.push(record),
                Read::Piece(Piece::Table(table)) => parts.1.push(table),
                Read::Piece(Piece::Checkpoint { note, .. }) => parts.2.push(note),
                Read::Piece(Piece::Entry(entry)) => parts.3.push(entry),
                Read::Piece(Piece::Secret(secret)) => parts.4.push(secret),
                Read::Fault(fault) => panic!("{place:?}: {fault:?}"),
            }
            ControlFlow::Continue(())
        });
        read.expect("it is read");
        let (records, tables, notes, entries, secrets) = parts;
        let header = header.expect("a header");
        Parts { header, records, tables, notes, entries, secrets }
    }

    /// As whoever changed something would write it: head, proofs and last line as they should be.
    fn spell(&self) -> Vec<u8> {
        let mut header = self.header.clone();
        header.records = self.records.len() as u64;
        header.head = self.records.last().expect("a record").hash();
        let mut history = History::new(header.stream);
        let mut lines = vec![line::header(&header)];
        for record in &self.records {
            history.add(record);
            lines.push(line::record(record, &event(record)));
        }
        lines.extend(self.tables.iter().map(line::table));
        let mut before = None;
        for note in &self.notes {
            let this = Signed::read(note.as_bytes()).expect("a checkpoint").checkpoint;
            lines.push(line::checkpoint(note, &proof(&history, before.as_ref(), &this)));
            before = Some(this);
        }
        lines.extend(self.entries.iter().map(line::entry));
        lines.extend(self.secrets.iter().map(line::secret));
        ended(lines)
    }
}

/// Lines with the last one that belongs to them.
fn ended(lines: Vec<String>) -> Vec<u8> {
    let mut bytes: Vec<u8> =
        lines.iter().flat_map(|line| format!("{line}\n").into_bytes()).collect();
    let end = line::end(lines.len() as u64, &blake3::hash(&bytes));
    bytes.extend_from_slice(format!("{end}\n").as_bytes());
    bytes
}

/// The lines of a bundle without the last one.
fn lines(bytes: &[u8]) -> Vec<String> {
    let text = std::str::from_utf8(bytes).expect("text");
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    lines.pop();
    lines
}

fn event(record: &Record) -> Event {
    let header = record.header();
    Event::decode_strict(header.kind, header.schema, record.payload()).expect("an event")
}

fn exported(hall: &Hall, give: Give) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&hall.store, hall.stream, give, &mut bytes).expect("written");
    bytes
}

fn checked(bytes: &[u8], key: Option<PublicKey>, known: &[Signed]) -> Checked {
    let against = Against {
        key,
        known: known.iter().cloned().map(Into::into).collect(),
        ..Against::default()
    };
    check(&mut &bytes[..], &against).expect("it is read")
}

/// What is wrong, each as code and seq.
fn wrong(checked: &Checked) -> Vec<(&'static str, u64)> {
    let errors = checked.findings.iter().map(|found| &found.finding);
    let errors =
        errors.filter(|finding| finding.severity >= scrutineer_replay::verify::Severity::Error);
    errors.map(|finding| (finding.code, finding.seq)).collect()
}

/// Whoever changes a result announces other standings too.
fn announce_again(parts: &mut Parts) {
    for table in &mut parts.tables {
        let before = table.announced as usize - 1;
        let state = Tournament::of(&parts.records[..before].iter().map(event).collect::<Vec<_>>());
        let Event::StandingsAnnounced(old) = event(&parts.records[before]) else { panic!("one") };
        let rules = Arc::new(parse(state.ruleset().expect("a ruleset")).expect("it is read"));
        let standings = standings_in(&state, &rules, Some(old.through_round)).expect("folded");
        let (announced, again) = announcement(&standings);
        parts.records = rechained(&parts.records, table.announced, |event| {
            *event = announced.clone().into();
        });
        *table = again;
    }
}

#[test]
fn what_is_written_is_read_again_and_spelled_the_same() {
    let hall = Hall::new();
    for give in [Give::Nothing, Give::Roster, Give::Audit, Give::Handover] {
        let bytes = exported(&hall, give);
        assert_eq!(Parts::of(&bytes).spell(), bytes);
        let found = checked(&bytes, None, &[]);
        assert!(found.holds(), "{give:?}: {:?}", found.findings);
        assert_eq!(found.header.as_ref().map(|header| header.records), Some(found.records));
        assert!(found.tables == 1 && found.checkpoints == 3);
    }
}

#[test]
fn only_what_is_asked_for_is_given() {
    let hall = Hall::new();
    let text = |give| String::from_utf8(exported(&hall, give)).expect("text");
    let secret = line::secret(&hall.store.secrets(hall.stream).expect("kept")[0]);
    let plain = text(Give::Nothing);
    let roster = text(Give::Roster);
    let handover = text(Give::Handover);
    for name in ["Ann", "Bob", "Cid", "Dee", "Trust"] {
        let word = format!("\"text\":\"{name}\"");
        assert!(!plain.contains(&word) && roster.contains(&word) && handover.contains(&word));
    }
    assert!(!plain.contains(&secret) && !roster.contains(&secret) && handover.contains(&secret));
    assert!(!plain.contains("{\"entry\"") && plain.contains("\"private\":false"));
    assert!(handover.contains("\"private\":true"));
}
