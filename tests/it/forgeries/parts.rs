//! What a tournament consists of, taken apart, changed, and put together again by somebody who
//! knows the format: hashes, chain, mirrors, proofs and signatures are as they should be.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use scrutineer_desk::keys::Key;
use scrutineer_desk::store::Store;
use scrutineer_engine::book::PrivateEntry;
use scrutineer_engine::event::Event;
use scrutineer_engine::handler::event_of;
use scrutineer_engine::log::{Batch, Head};
use scrutineer_engine::record::{Header, Record, RecordHash, StreamId};
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::ruleset::parse;
use scrutineer_replay::announced::{AnnouncedTable, announcement, standings_in};
use scrutineer_replay::bundle::{Give, Piece, Read, read, write};
use scrutineer_replay::mirror::mirror;
use scrutineer_replay::trust::checkpoint::{Checkpoint, Signed};
use scrutineer_replay::trust::history::History;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

/// What a bundle or a store holds.
#[derive(Clone)]
pub struct Parts {
    pub stream: StreamId,
    pub records: Vec<Record>,
    pub tables: Vec<AnnouncedTable>,
    pub notes: Vec<String>,
    pub entries: Vec<PrivateEntry>,
    pub secrets: Vec<[u8; 32]>,
    give: Give,
}

/// The lines of a bundle without the last one.
pub fn lines(bytes: &[u8]) -> Vec<String> {
    let text = std::str::from_utf8(bytes).expect("text");
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    lines.pop();
    lines
}

/// Lines with the last one that belongs to them.
pub fn ended(lines: Vec<String>) -> Vec<u8> {
    let mut bytes = lines.iter().map(|line| format!("{line}\n")).collect::<String>().into_bytes();
    let hash = blake3::hash(&bytes);
    let end = format!("{{\"end\":{},\"blake3\":\"{hash}\"}}\n", lines.len());
    bytes.extend_from_slice(end.as_bytes());
    bytes
}

pub fn signed(note: &str) -> Signed {
    Signed::read(note.as_bytes()).expect("a checkpoint")
}

/// Signs a checkpoint with this key.
pub fn sign(checkpoint: Checkpoint, secret: [u8; 32]) -> String {
    checkpoint.sign([Key::from_secret(&secret).signing()]).to_string()
}

pub fn public(secret: [u8; 32]) -> [u8; 32] {
    Key::from_secret(&secret).public()
}

impl Parts {
    pub fn of(bytes: &[u8]) -> Parts {
        let (mut header, mut records, mut tables) = (None, Vec::new(), Vec::new());
        let (mut notes, mut entries, mut secrets) = (Vec::new(), Vec::new(), Vec::new());
        let done = read(&mut &bytes[..], &mut |place, read| {
            match read {
                Read::Piece(Piece::Header(found)) => header = Some(found),
                Read::Piece(Piece::Record { record, .. }) => records.push(record),
                Read::Piece(Piece::Table(table)) => tables.push(table),
                Read::Piece(Piece::Checkpoint { note, .. }) => notes.push(note),
                Read::Piece(Piece::Entry(entry)) => entries.push(entry),
                Read::Piece(Piece::Secret(secret)) => secrets.push(secret),
                Read::Fault(fault) => panic!("{place:?}: {fault:?}"),
            }
            ControlFlow::Continue(())
        });
        done.expect("it is read");
        let header = header.expect("a header");
        let give = match (header.private, entries.is_empty()) {
            (true, _) => Give::Handover,
            (false, false) => Give::Roster,
            (false, true) => Give::Nothing,
        };
        Parts { stream: header.stream, records, tables, notes, entries, secrets, give }
    }

    fn keep(&self, store: &Store) {
        let mut head = Head::EMPTY;
        for records in self.records.chunk_by(|_, next| next.header().part > 1) {
            let batch =
                Batch { records: records.to_vec(), command_digest: [0; 32], texts: Vec::new() };
            head = store.log().append(head, batch).expect("one command");
        }
        store.books().append(self.stream, &self.entries).expect("kept");
        store.keep_announced(self.stream, &self.tables).expect("kept");
        store.keep_checkpoints(self.stream, &self.notes).expect("kept");
        for secret in &self.secrets {
            store.keep_secret(self.stream, secret).expect("kept");
        }
    }

    /// The bundle of it.
    pub fn spell(&self) -> Vec<u8> {
        let (store, mut bytes) = (Store::in_memory(), Vec::new());
        self.keep(&store);
        write(&store, self.stream, self.give, &mut bytes).expect("written");
        bytes
    }

    /// The bundle of it without checkpoints, by the lines of the true one: where an event can't be
    /// read, what is shown of it stays.
    pub fn spell_as(&self, good: &[u8]) -> Vec<u8> {
        let mut lines = lines(good);
        for (line, record) in lines[1..].iter_mut().zip(&self.records) {
            let header = record.header();
            let (_, shown) = line.split_once("\"mirror\":").expect("a record");
            let shown = shown.strip_suffix('}').expect("its end").to_string();
            let event = Event::decode_strict(header.kind, header.schema, record.payload());
            let shown = event.map_or(shown, |event| mirror(&header, &event));
            let (bytes, hash) = (STANDARD.encode(record.bytes()), record.hash());
            *line = format!("{{\"record\":\"{bytes}\",\"hash\":\"{hash}\",\"mirror\":{shown}}}");
        }
        let head = self.records.last().expect("a record").hash();
        let at = lines[0].find("\"head\":\"").expect("a head") + 8;
        lines[0].replace_range(at..at + 64, &head.to_string());
        lines.retain(|line| !line.starts_with("{\"checkpoint\""));
        ended(lines)
    }

    /// A store of it.
    pub fn keep_in(&self, store: &Path) {
        let store = Store::open(store).expect("a store");
        self.keep(&store);
    }

    pub fn event(&self, at: usize) -> Event {
        event_of(&self.records[at]).expect("an event")
    }

    /// Where the event of this kind stands, the first being 0.
    pub fn at(&self, word: &str, which: usize) -> usize {
        let is_it = |at: &usize| self.event(*at).name() == word;
        (0..self.records.len()).filter(is_it).nth(which).unwrap_or_else(|| panic!("no {word}"))
    }

    /// Every record with its place and the hash of the one before made again.
    pub fn chain(&mut self) {
        let mut previous = RecordHash::ZERO;
        for (seq, record) in (1..).zip(&mut self.records) {
            let header = Header { seq, previous, ..record.header() };
            *record = Record::seal(header, record.payload()).expect("a record");
            previous = record.hash();
        }
    }

    /// Changes the envelope of a record, and chains everything after it anew.
    pub fn envelope(&mut self, at: usize, change: impl FnOnce(&mut Header)) {
        let mut header = self.records[at].header();
        change(&mut header);
        self.records[at] = Record::seal(header, self.records[at].payload()).expect("a record");
        self.chain();
    }

    /// Changes an event, and chains everything after it anew.
    pub fn change(&mut self, at: usize, change: impl FnOnce(&mut Event)) {
        let mut event = self.event(at);
        change(&mut event);
        let payload = event.encode().expect("it fits");
        let header = Header { kind: event.kind(), ..self.records[at].header() };
        self.records[at] = Record::seal(header, &payload).expect("a record");
        self.chain();
    }

    /// Other bytes in the place of an event.
    pub fn payload(&mut self, at: usize, change: impl FnOnce(&mut Vec<u8>)) {
        let mut payload = self.records[at].payload().to_vec();
        change(&mut payload);
        self.records[at] = Record::seal(self.records[at].header(), &payload).expect("a record");
        self.chain();
    }

    /// Takes the whole command of a record out, and chains everything after it anew. Events that
    /// name later ones by their number are left as they are.
    pub fn take_out(&mut self, at: usize) {
        let command = self.records[at].header().command;
        self.records.retain(|record| record.header().command != command);
        self.chain();
    }

    /// Folds and announces every table again, as the changed records give it.
    pub fn announce_again(&mut self) {
        for table in &mut self.tables {
            let before = table.announced as usize - 1;
            let event = |record: &Record| event_of(record).expect("an event");
            let events: Vec<Event> = self.records[..before].iter().map(event).collect();
            let state = Tournament::of(&events);
            let Event::StandingsAnnounced(old) = event(&self.records[before]) else { panic!() };
            let rules = Arc::new(parse(state.ruleset().expect("one")).expect("it is read"));
            let standings = standings_in(&state, &rules, Some(old.through_round)).expect("folded");
            let (announced, again) = announcement(&standings);
            let payload = Event::from(announced).encode().expect("it fits");
            self.records[before] =
                Record::seal(self.records[before].header(), &payload).expect("a record");
            *table = again;
            let mut previous = RecordHash::ZERO;
            for record in &mut self.records {
                let header = Header { previous, ..record.header() };
                *record = Record::seal(header, record.payload()).expect("a record");
                previous = record.hash();
            }
        }
    }

    pub fn history(&self) -> History {
        let mut history = History::new(self.stream);
        self.records.iter().for_each(|record| history.add(record));
        history
    }

    /// Signs every checkpoint anew with this key, over the records as they are.
    pub fn sign_again(&mut self, secret: [u8; 32]) {
        let history = self.history();
        let again = |note: &String| {
            let size = signed(note).checkpoint.size;
            history.checkpoint(size).map(|checkpoint| sign(checkpoint, secret))
        };
        self.notes = self.notes.iter().filter_map(again).collect();
    }

    /// Names another key as the organizer's.
    pub fn name_signer(&mut self, secret: [u8; 32]) {
        self.change(0, |event| {
            let Event::TournamentOpened(opened) = event else { panic!("the opening") };
            opened.signer = Some(public(secret));
        });
    }

    /// A result turned round, without a correction of it, in round 2.
    pub fn turn_round(&mut self) {
        let at = self.at("ResultRecorded", 2);
        self.change(at, |event| {
            let Event::ResultRecorded(recorded) = event else { panic!("a result") };
            recorded.result.score.seats.swap(0, 1);
        });
    }

    /// As [`Parts::turn_round`], so that nobody meets somebody else in the next round: 2-0 is 2-1.
    pub fn shade_result(&mut self) {
        let at = self.at("ResultRecorded", 4);
        self.change(at, |event| {
            let Event::ResultRecorded(recorded) = event else { panic!("a result") };
            recorded.result.score.seats[1][0] = 1;
        });
    }

    /// As [`Parts::shade_result`], with the tables that follow from it.
    pub fn shade(&mut self) {
        self.shade_result();
        self.announce_again();
    }

    /// Takes everything out behind the announcement of round 1.
    pub fn cut_off(&mut self) {
        let at = self.at("StandingsAnnounced", 1);
        let end = (at..).find(|at| self.records[*at].ends_command()).expect("a whole command");
        self.records.truncate(end + 1);
        self.tables.retain(|table| table.announced <= end as u64 + 1);
    }
}
