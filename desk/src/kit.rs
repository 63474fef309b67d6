//! A tournament to try things on: four players, two rounds, a checkpoint after each.

use super::keys::{Key, KeyFolder};
use super::sign::sign;
use crate::desk::{Desk, Enrolment, Latecomer, Means, Opening, Slip};
use crate::horizon::Horizon;
use crate::store::Store;
use scrutineer_engine::event::Event;
use scrutineer_engine::handler::read_events;
use scrutineer_engine::log::Head;
use scrutineer_engine::record::{Actor, Header, Record, RecordHash, StreamId, Time};
use scrutineer_projections::ruleset::Library;
use scrutineer_replay::trust::checkpoint::Signed;
use scrutineer_replay::trust::history::History;
use scrutineer_replay::trust::note::PublicKey;
use std::sync::atomic::{AtomicU8, Ordering};
use tempfile::TempDir;

pub const FIRST: [u8; 32] = [1; 32];
pub const SECOND: [u8; 32] = [2; 32];
pub const THIRD: [u8; 32] = [3; 32];

pub fn public(secret: [u8; 32]) -> PublicKey {
    Key::from_secret(&secret).public()
}

pub struct Hall {
    pub store: Store,
    pub keys: KeyFolder,
    pub stream: StreamId,
    _folder: TempDir,
    drawn: AtomicU8,
}

impl Hall {
    /// The event after round 2 is paired; checkpoints were signed after the opening and after
    /// each pairing.
    pub fn new() -> Hall {
        let hall = Hall::empty();
        hall.sign();
        for round in 1..=2 {
            hall.at(|desk| {
                desk.pair(None, false).expect("paired");
                desk.publish().expect("published");
            });
            hall.sign();
            for (table, score) in [(1, "2-0"), (2, "1-2")].into_iter().filter(|_| round == 1) {
                hall.at(|desk| desk.enter(Slip { table, score }).expect("entered"));
            }
        }
        hall
    }

    /// The event before round 1, and no checkpoint.
    pub fn empty() -> Hall {
        Hall::opened(Some(public(FIRST)))
    }

    /// As [`Hall::empty`], and no key signs.
    pub fn without_key() -> Hall {
        Hall::opened(None)
    }

    fn opened(signer: Option<PublicKey>) -> Hall {
        let folder = TempDir::new().expect("a folder");
        let keys = KeyFolder::new(Some(folder.path().to_path_buf()));
        keys.keep(&Key::from_secret(&FIRST)).expect("kept");
        let store = Store::in_memory();
        let drawn = AtomicU8::new(0);
        let library = Library::shipped();
        let opening = Opening {
            title: "Trust".into(),
            held_on: None,
            ruleset: library.chain("mtr").expect("it is shipped"),
            scoresheet: Opening::scoresheet_for(&library.ruleset("mtr").expect("it is read"), 3),
            plan: Vec::new(),
            signer,
        };
        let random = || {
            drawn.fetch_add(1, Ordering::Relaxed);
            Ok([drawn.load(Ordering::Relaxed); 32])
        };
        let clock = || Time {
            unix_micros: 1_795_255_200_000_000 + i64::from(drawn.load(Ordering::Relaxed)),
        };
        let means = Means { actor: Actor(1), clock: &clock, random: &random };
        let desk = Desk::open(&store, means, &opening).expect("it opens");
        let people: Vec<Enrolment> = ["Ann", "Bob", "Cid", "Dee"]
            .map(|name| Enrolment { name: name.into(), ..Enrolment::default() })
            .into();
        desk.enroll(&people, Latecomer::AsRuled).expect("they enroll");
        let stream = desk.stream();
        drop(desk);
        Hall { store, keys, stream, _folder: folder, drawn }
    }

    pub fn at<T>(&self, ask: impl FnOnce(&Desk<'_>) -> T) -> T {
        let random = || {
            self.drawn.fetch_add(1, Ordering::Relaxed);
            Ok([self.drawn.load(Ordering::Relaxed); 32])
        };
        let clock = || Time {
            unix_micros: 1_795_255_200_000_000 + i64::from(self.drawn.load(Ordering::Relaxed)),
        };
        let means = Means { actor: Actor(1), clock: &clock, random: &random };
        ask(&Desk::at(&self.store, self.stream, means))
    }

    pub fn sign(&self) -> Signed {
        sign(&self.store, self.stream, &self.keys).expect("signed")
    }

    pub fn kept(&self) -> Vec<Signed> {
        super::sign::kept(&self.store, self.stream).expect("readable")
    }

    /// How far everybody may see, where nothing is hidden by the organizer.
    pub fn public_head(&self) -> Head {
        let mut horizon = Horizon::new(None);
        for read in read_events(self.store.log(), self.stream, 0) {
            let (record, event) = read.expect("read");
            horizon.take(&record.header(), record.hash(), &event);
        }
        horizon.public()
    }

    pub fn records(&self) -> Vec<Record> {
        let read: Result<_, _> = self.store.log().read(self.stream, 0).collect();
        read.expect("readable")
    }

    pub fn history(&self) -> History {
        history(&self.records())
    }
}

pub fn history(records: &[Record]) -> History {
    let mut history = History::new(records[0].header().stream);
    records.iter().for_each(|record| history.add(record));
    history
}

pub fn event(record: &Record) -> Event {
    let header = record.header();
    Event::decode_strict(header.kind, header.schema, record.payload()).expect("an event")
}

/// The records with one changed, and everything after it chained anew.
pub fn rechained(records: &[Record], seq: u64, change: impl Fn(&mut Event)) -> Vec<Record> {
    let mut previous = RecordHash::ZERO;
    let mut again = Vec::new();
    for record in records {
        let mut event = event(record);
        if record.header().seq == seq {
            change(&mut event);
        }
        let header = Header { previous, ..record.header() };
        let payload = event.encode().expect("it fits");
        let record = Record::seal(header, &payload).expect("a record");
        previous = record.hash();
        again.push(record);
    }
    again
}

/// The other player won: nothing that anybody would notice by itself.
pub fn swapped_result(event: &mut Event) {
    let Event::ResultRecorded(e) = event else { panic!("no result: {event:?}") };
    e.result.score.seats.swap(0, 1);
}

/// The seq of the first result.
pub fn first_result(records: &[Record]) -> u64 {
    let is_result = |record: &&Record| record.header().kind == 52;
    records.iter().find(is_result).expect("a result").header().seq
}
