//! What is done with foreign bytes. A target panics where something does not hold.

use std::sync::{Arc, LazyLock};

use scrutineer_engine::book::{BookShelf, Commitment, Field, FileShelf, PrivateEntry, commit};
use scrutineer_engine::decide::admit;
use scrutineer_engine::event::{Event, RulesetFile, SCHEMA};
use scrutineer_engine::record::{Record, StreamId};
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::ruleset::{Library, Ruleset, parse};
use scrutineer_projections::standings::{Detail, Standings};
use scrutineer_replay::archive::Archive;
use scrutineer_replay::bundle::{Against, Give, MAX_FINDINGS, check, import, open, write};
use scrutineer_replay::desk::{Opening, parse_slip, read_roster};
use scrutineer_replay::import;
use scrutineer_replay::trust::checkpoint::{Checkpoint, Signed};
use scrutineer_replay::trust::receipt::Receipt;

static LIBRARY: LazyLock<Library> = LazyLock::new(Library::shipped);

/// Rulesets for slips with games, with wargames' scores, and with match points.
static RULES: LazyLock<Vec<Arc<Ruleset>>> = LazyLock::new(|| {
    let shipped = |id| Arc::new(LIBRARY.ruleset(id).expect("it is shipped"));
    ["mtr", "hgbts", "netrunner"].map(shipped).into()
});

/// A record from elsewhere, and the event in it.
pub fn record(bytes: &[u8]) {
    let Ok(record) = Record::read(bytes) else { return };
    assert_eq!(record.bytes(), bytes);
    assert!(record.hash_holds());
    let again = Record::seal(*record.header(), record.payload()).expect("it was read");
    assert_eq!(again, record);
    let header = record.header();
    payload(header.kind, header.schema, record.payload());
}

/// A payload; its kind stands before it as two bytes.
pub fn event(bytes: &[u8]) {
    let Some((kind, bytes)) = bytes.split_first_chunk::<2>() else { return };
    if let Some(event) = payload(u16::from_le_bytes(*kind), SCHEMA, bytes) {
        let mut state = Tournament::default();
        let _ = admit(&state, &event);
        state.evolve(&event);
        assert_eq!(state.head(), 1);
        let _ = admit(&state, &event);
    }
}

fn payload(kind: u16, schema: u16, bytes: &[u8]) -> Option<Event> {
    let event = Event::decode_strict(kind, schema, bytes).ok()?;
    assert_eq!(event.kind(), kind);
    assert_eq!(event.encode().as_deref(), Ok(bytes));
    assert_eq!(Event::decode_own(kind, schema, bytes).as_ref(), Ok(&event));
    Some(event)
}

/// Events one after another, legal or not: each is a kind, a length and a payload.
pub fn story(mut bytes: &[u8]) {
    let (mut any, mut legal) = (Tournament::default(), Tournament::default());
    while let [kind, len, rest @ ..] = bytes {
        let Some((payload, rest)) = rest.split_at_checked(usize::from(*len)) else { break };
        bytes = rest;
        let Ok(event) = Event::decode_own(u16::from(*kind), SCHEMA, payload) else { continue };
        let _ = admit(&any, &event);
        any.evolve(&event);
        if admit(&legal, &event).is_ok() {
            legal.evolve(&event);
        }
    }
    for state in [any, legal] {
        let results = state.matches().filter_map(|found| found.to_result()).count();
        assert!(results <= state.matches_hint());
    }
}

/// A deck-cache JSON.
pub fn deckcache(bytes: &[u8]) {
    imported("event.json", bytes);
}

/// A Cobra JSON.
pub fn cobra(bytes: &[u8]) {
    imported("event.json", bytes);
}

/// A CSV.
pub fn csv(bytes: &[u8]) {
    imported("event.csv", bytes);
}

/// What can be read can be written, read again, folded and ranked; or it is refused.
fn imported(name: &str, bytes: &[u8]) {
    let source = match import::read(name, bytes) {
        Ok(source) => source,
        Err(refused) => {
            assert!(!refused.to_string().is_empty() && !refused.hint().is_empty());
            return;
        }
    };
    let mut number = 0;
    let mut private = |_: Field, _: &str| {
        number += 1;
        Commitment { number, digest: [0; 32] }
    };
    let hash = import::file_hash(bytes);
    let Ok(events) = import::events(&source, hash, &mut private, Vec::new()) else { return };
    let mut state = Tournament::default();
    for event in &events {
        let bytes = event.encode().expect("it fits");
        assert_eq!(payload(event.kind(), SCHEMA, &bytes).as_ref(), Some(event));
        if admit(&state, event).is_err() {
            return;
        }
        state.evolve(event);
    }
    for rules in RULES.iter() {
        if let Ok(standings) = Standings::of(&state, rules, Scope::default(), Detail::All) {
            assert!(standings.rows.len() <= state.players().len());
            assert_eq!(standings.hash(), standings.hash());
        }
    }
}

/// A ruleset's text, which may extend a shipped one.
pub fn ruleset(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut extended = text.lines().filter_map(|line| line.strip_prefix("extends = \""));
    let chain = extended.next().and_then(|rest| LIBRARY.chain(rest.split('"').next()?).ok());
    let mut files = vec![RulesetFile { name: "fuzz".into(), text: text.into() }];
    files.extend(chain.unwrap_or_default());
    match parse(&files) {
        Ok(ruleset) => assert_eq!((ruleset.id.as_str(), &ruleset.files), ("fuzz", &files)),
        Err(refused) => assert!(!refused.to_string().is_empty()),
    }
}

/// A book's file: refused, or read as it stands and written on.
pub fn book(bytes: &[u8]) {
    static FOLDER: LazyLock<std::path::PathBuf> = LazyLock::new(|| {
        let memory = std::path::Path::new("/dev/shm");
        let temporary = if memory.is_dir() { memory.into() } else { std::env::temp_dir() };
        temporary.join(format!("scrutineer-fuzz-book-{}", std::process::id()))
    });
    let stream = StreamId([1; 16]);
    let shelf = FileShelf::open(&*FOLDER).expect("it opens");
    std::fs::write(FOLDER.join(format!("{stream}.jsonl")), bytes).expect("it is written");
    let Ok(before) = shelf.book(stream) else { return };
    for entry in before.entries() {
        assert_eq!(before.text(&commit(stream, entry)), opened(entry));
    }
    let Ok(number) = before.next_number() else { return };
    let entry = PrivateEntry { number, field: Field::Note, salt: [3; 32], text: "new".into() };
    if shelf.append(stream, std::slice::from_ref(&entry)).is_ok() {
        let after = shelf.book(stream).expect("it is read");
        assert_eq!(after.entry(number), Some(&entry));
        assert_eq!(after.entries().count(), before.entries().count() + 1);
        assert_eq!(after.erased().count(), before.erased().count());
    }
}

/// A bundle: read to its end whatever it holds. One that is in order comes out of a store again as
/// it went in, but for a version of the program and what its store does not keep.
pub fn bundle(bytes: &[u8]) {
    let found = check(&mut &bytes[..], &Against::default()).expect("memory is read");
    assert!(found.findings.len() <= MAX_FINDINGS);
    let archive = Archive::in_memory();
    let imported = import(&archive, &mut std::io::Cursor::new(bytes), &Against::default());
    assert!(found.holds() || imported.is_err());
    if let (Ok(_), Some(header)) = (&imported, &found.header) {
        let head = archive.log().head(header.stream).expect("readable");
        assert_eq!((head.seq, head.hash), (header.records, header.head));
        let mut again = Vec::new();
        write(&archive, header.stream, Give::Nothing, &mut again).expect("it is written");
        let again = check(&mut &again[..], &Against::default()).expect("memory is read");
        assert!(again.holds(), "{:?}", again.findings);
    }
    let _ = open(&mut &bytes[..]).expect("memory is read");
}

fn opened(entry: &PrivateEntry) -> scrutineer_engine::book::Opened<'_> {
    scrutineer_engine::book::Opened::Text(&entry.text)
}

/// Slips of every kind of scoresheet, at tables of two and of four. What is read says something
/// about every seat, or about none.
pub fn slip(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for rules in RULES.iter() {
        let sheet = Opening::scoresheet_for(rules, 3);
        for seats in [2, 4] {
            match parse_slip(&sheet, seats, text) {
                Ok(result) => {
                    assert!([0, seats].contains(&result.rulings.len()));
                    assert!([0, seats].contains(&result.score.seats.len()));
                    assert!(!result.rulings.is_empty() || !result.score.seats.is_empty());
                }
                Err(refused) => assert!(!refused.to_string().is_empty()),
            }
        }
    }
}

/// A list of players.
pub fn roster(bytes: &[u8]) {
    match read_roster(bytes) {
        Ok(people) => assert!(people.iter().all(|person| !person.name.trim().is_empty())),
        Err(refused) => assert!(!refused.to_string().is_empty() && !refused.hint().is_empty()),
    }
}

/// A signed checkpoint: there is one way to write it.
pub fn checkpoint(bytes: &[u8]) {
    match Signed::read(bytes) {
        Ok(signed) => {
            assert_eq!(signed.to_string().as_bytes(), bytes);
            assert_eq!(Checkpoint::read(&signed.checkpoint.text()), Ok(signed.checkpoint));
            let _ = signed.is_signed_by(&[1; 32]);
        }
        Err(refused) => assert!(!refused.to_string().is_empty() && !refused.hint().is_empty()),
    }
}

/// A receipt: what is read leads to its own checkpoint.
pub fn receipt(bytes: &[u8]) {
    match Receipt::read(bytes) {
        Ok(receipt) => {
            assert_eq!(receipt.write().as_bytes(), bytes);
            assert_eq!(receipt.leads_to(&receipt.checkpoint, false), Ok(()));
        }
        Err(refused) => assert!(!refused.to_string().is_empty() && !refused.hint().is_empty()),
    }
}
