//! What is done with foreign bytes. A target panics where something does not hold.

pub mod golden;
mod web;

use web::{form, headers, order};

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use chrono::Utc;
use scrutineer_desk::bundle::{Signatures, import};
use scrutineer_desk::desk::{Opening, parse_slip, read_roster};
use scrutineer_desk::keys::KeyFolder;
use scrutineer_desk::simulate::Simulation;
use scrutineer_desk::store::{Store, restore};
use scrutineer_desk::verify::verify_tournament;
use scrutineer_engine::book::{Commitment, Field, PrivateEntry, PrivateTexts, commit};
use scrutineer_engine::decide::validate;
use scrutineer_engine::event::{Event, RulesetFile, SCHEMA};
use scrutineer_engine::log::LogError;
use scrutineer_engine::record::{Record, RecordHash, StreamId, to_hex};
use scrutineer_engine::tournament::Tournament;
use scrutineer_formats::{ALL, File, Format, join_rounds, rounds_of_one};
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::ruleset::{Library, Ruleset, parse};
use scrutineer_projections::standings::{Detail, Standings};
use scrutineer_replay::announced::AnnouncedTable;
use scrutineer_replay::as_of::{LONGEST, Timeline, parse as moment};
use scrutineer_replay::bundle::{Against, Give, Held, MAX_FINDINGS, check, open, write};
use scrutineer_replay::trust::checkpoint::{Checkpoint, Signed};
use scrutineer_replay::trust::receipt::Receipt;
use scrutineer_store::texts::FolderTexts;

static LIBRARY: LazyLock<Library> = LazyLock::new(Library::shipped);

/// What is done with bytes.
pub type Target = Box<dyn Fn(&[u8]) + Send + Sync>;

/// A target that needs nothing beside them.
type Read = fn(&[u8]);

/// What is no file of another program.
const OWN: [(&str, Read); 19] = [
    ("record", record),
    ("event", event),
    ("story", story),
    ("ruleset", ruleset),
    ("book", book),
    ("bundle", bundle),
    ("slip", slip),
    ("roster", roster),
    ("checkpoint", checkpoint),
    ("receipt", receipt),
    ("typed", typed),
    ("announced", announced),
    ("key", key),
    ("rot", rot),
    ("copy", copy),
    ("order", order),
    ("form", form),
    ("headers", headers),
    ("rounds", rounds),
];

/// All targets with their names: each reader of other programs' files is one.
pub fn targets() -> Vec<(String, Target)> {
    let own = OWN.iter().map(|(name, run)| (name.to_string(), Box::new(run) as Target));
    // The newer report is read by the reader of the older.
    let readers = ALL.iter().filter(|format| format.name() != "trf26");
    let formats = readers.map(|format| -> (String, Target) {
        let name = format.name().split(' ').next().unwrap_or_default().to_string();
        match name.as_str() {
            "tdf" => (name, Box::new(tdf)),
            _ => (name, Box::new(|bytes| imported(*format, bytes))),
        }
    });
    own.chain(formats).collect()
}

/// Rulesets for slips with games, with wargames' scores, and with match points.
static RULES: LazyLock<Vec<Arc<Ruleset>>> = LazyLock::new(|| {
    let shipped = |id| Arc::new(LIBRARY.ruleset(id).expect("it is shipped"));
    ["mtr", "hgbts", "netrunner"].map(shipped).into()
});

/// A record from elsewhere, and the event in it.
fn record(bytes: &[u8]) {
    let Ok(record) = Record::read(bytes) else { return };
    assert_eq!(record.bytes(), bytes);
    let again = Record::seal(record.header(), record.payload()).expect("it was read");
    assert_eq!(again, record);
    let header = record.header();
    payload(header.kind, header.schema, record.payload());
}

/// A payload; its kind stands before it as two bytes.
fn event(bytes: &[u8]) {
    let Some((kind, bytes)) = bytes.split_first_chunk::<2>() else { return };
    if let Some(event) = payload(u16::from_le_bytes(*kind), SCHEMA, bytes) {
        let mut state = Tournament::default();
        let _ = validate(&state, &event);
        state.evolve(&event);
        assert_eq!(state.head(), 1);
        let _ = validate(&state, &event);
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
fn story(mut bytes: &[u8]) {
    let (mut any, mut legal) = (Tournament::default(), Tournament::default());
    while let [kind, len, rest @ ..] = bytes {
        let Some((payload, rest)) = rest.split_at_checked(usize::from(*len)) else { break };
        bytes = rest;
        let Ok(event) = Event::decode_own(u16::from(*kind), SCHEMA, payload) else { continue };
        let _ = validate(&any, &event);
        any.evolve(&event);
        if validate(&legal, &event).is_ok() {
            legal.evolve(&event);
        }
    }
    for state in [any, legal] {
        let all = state.matches().inspect(|found| drop(found.to_result())).count();
        let rounds = 0..state.rounds().len();
        assert_eq!(rounds.map(|round| state.matches_of(round).count()).sum::<usize>(), all);
    }
}

/// A file of TOM; written into itself it is the same.
fn tdf(bytes: &[u8]) {
    imported(format("tdf"), bytes);
    let file = File::new("event.tdf", bytes);
    let format = format("tdf");
    if !format.detect(&file) {
        return;
    }
    let Ok(source) = format.read(&file) else { return };
    if let Some(Ok(written)) = format.write(&source, Some(&file)) {
        assert_eq!(written.text.as_bytes(), bytes);
    }
}

fn format(name: &str) -> &'static dyn Format {
    *ALL.iter().find(|format| format.name() == name).expect("it is there")
}

/// What can be read can be written, read again, folded and ranked; or it is refused.
fn imported(format: &'static dyn Format, bytes: &[u8]) {
    let name = format!("event.{}", format.ending());
    let source = match scrutineer_formats::read_as(&name, bytes, &[format]) {
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
    let hash = scrutineer_formats::file_hash(bytes);
    let Ok(events) = scrutineer_formats::events(&source, hash, &mut private, Vec::new()) else {
        return;
    };
    let mut state = Tournament::default();
    for event in &events {
        let bytes = event.encode().expect("it fits");
        assert_eq!(payload(event.kind(), SCHEMA, &bytes).as_ref(), Some(event));
        if validate(&state, event).is_err() {
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

/// Files of a folder, each behind a line `==> name`. Sheets that are rounds of one tournament are put together the
/// same in whatever order they come, and the whole is read or refused.
fn rounds(bytes: &[u8]) {
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        if let Some(name) = line.strip_prefix(b"==> ") {
            files.push((String::from_utf8_lossy(name).trim().to_owned(), Vec::new()));
        } else if let Some((_, file)) = files.last_mut() {
            file.extend_from_slice(line);
        }
    }
    files.truncate(8);
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(name, file)| (name.as_str(), &file[..])).collect();
    let mut taken = BTreeSet::new();
    for group in rounds_of_one(&files) {
        assert!(
            group.len() > 1
                && group.iter().all(|place| *place < files.len() && taken.insert(*place))
        );
        let mut of_group: Vec<(&str, &[u8])> = group.iter().map(|place| files[*place]).collect();
        let joined = join_rounds(&of_group);
        of_group.reverse();
        assert_eq!(join_rounds(&of_group), joined);
        match joined {
            Ok(joined) => imported(format("csv"), &joined.bytes),
            Err(refused) => assert!(!refused.to_string().is_empty() && !refused.hint().is_empty()),
        }
    }
}

/// A ruleset's text, which may extend a shipped one.
fn ruleset(bytes: &[u8]) {
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

/// A folder of this process, in memory where there is such a place.
fn in_memory(name: &str) -> PathBuf {
    let memory = Path::new("/dev/shm");
    let temporary = if memory.is_dir() { memory.into() } else { std::env::temp_dir() };
    temporary.join(format!("scrutineer-fuzz-{name}-{}", std::process::id()))
}

/// A book's file: refused, or read as it stands and written on.
fn book(bytes: &[u8]) {
    static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| in_memory("book"));
    let stream = StreamId([1; 16]);
    let shelf = FolderTexts::open(&*FOLDER).expect("it opens");
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
fn bundle(bytes: &[u8]) {
    let found = check(&mut &bytes[..], &Against::default()).expect("memory is read");
    assert!(found.findings.len() <= MAX_FINDINGS);
    let store = Store::in_memory();
    let mut held = Held::check(bytes, &Against::default()).expect("memory is read");
    let imported = import(&store, &mut held, Signatures::Wanted);
    assert!(found.holds() || imported.is_err());
    if let (Ok(_), Some(header)) = (&imported, &found.header) {
        let head = store.log().head(header.stream).expect("readable");
        assert_eq!((head.seq, head.hash), (header.records, header.head));
        let mut again = Vec::new();
        write(&store, header.stream, Give::Nothing, &mut again).expect("it is written");
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
fn slip(bytes: &[u8]) {
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
fn roster(bytes: &[u8]) {
    match read_roster(bytes) {
        Ok(people) => assert!(people.iter().all(|person| !person.name.trim().is_empty())),
        Err(refused) => assert!(!refused.to_string().is_empty() && !refused.hint().is_empty()),
    }
}

/// A signed checkpoint: there is one way to write it.
fn checkpoint(bytes: &[u8]) {
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
fn receipt(bytes: &[u8]) {
    match Receipt::read(bytes) {
        Ok(receipt) => {
            assert_eq!(receipt.write().as_bytes(), bytes);
            let held = scrutineer_replay::trust::held::Held::Signed(receipt.checkpoint.clone());
            assert_eq!(receipt.leads_to(&held, false), Ok(()));
        }
        Err(refused) => assert!(!refused.to_string().is_empty() && !refused.hint().is_empty()),
    }
}

/// What people type: a moment, an id, a ruleset with changes. The first byte says which.
fn typed(bytes: &[u8]) {
    static TIMELINE: LazyLock<Timeline> = LazyLock::new(|| {
        let store = Store::in_memory();
        let stream = played(&store);
        Timeline::read(store.log(), stream).expect("readable")
    });
    let Some((which, text)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    match which % 3 {
        0 => match moment(text, &Utc, &TIMELINE) {
            Ok(moment) => {
                assert!(text.trim().len() <= LONGEST);
                let _ = TIMELINE.as_of(moment);
            }
            Err(refused) => assert!(!refused.to_string().is_empty() && !refused.hint().is_empty()),
        },
        1 => {
            if let Ok(stream) = text.parse::<StreamId>() {
                assert_eq!(stream.to_string(), text.to_lowercase());
            }
            if let Ok(hash) = text.parse::<RecordHash>() {
                assert_eq!(hash.to_string(), text.to_lowercase());
            }
        }
        _ => match LIBRARY.ruleset(text) {
            Ok(ruleset) => assert_eq!(parse(&ruleset.files).as_ref(), Ok(&ruleset)),
            Err(refused) => assert!(!refused.to_string().is_empty()),
        },
    }
}

/// A line of an announced table: there is one way to write it.
fn announced(bytes: &[u8]) {
    let Ok(line) = std::str::from_utf8(bytes) else { return };
    match AnnouncedTable::from_line(line) {
        Ok(table) => {
            assert_eq!(table.to_line(), line);
            assert_eq!(table.hash(), table.hash());
            assert_eq!(table.difference(&table, &|_| String::new()), None);
        }
        Err(refused) => assert!(!refused.to_string().is_empty()),
    }
}

/// The file of a key: there is one way to write it.
fn key(bytes: &[u8]) {
    static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| in_memory("key"));
    std::fs::create_dir_all(&*FOLDER).expect("a folder");
    let file = FOLDER.join("fuzz.key");
    std::fs::write(&file, bytes).expect("it is written");
    match KeyFolder::new(Some(FOLDER.clone())).all() {
        Ok(keys) => {
            let text = std::str::from_utf8(bytes).expect("it was read");
            assert!(text.contains(&to_hex(&keys[0])));
        }
        Err(refused) => assert!(!refused.to_string().is_empty()),
    }
}

/// A small tournament, played into this store.
fn played(store: &Store) -> StreamId {
    let simulation = Simulation::new(6, Arc::clone(&RULES[0]), 1);
    simulation.play(store).expect("it can be played");
    simulation.stream()
}

/// The store with a machine's secret, so that snapshots are taken and used.
fn with_keys(store: Store) -> Store {
    store.with_keys(KeyFolder::new(Some(in_memory("keys"))))
}

/// A small store: its files but those of sled, its event, and the hashes of its records.
type Small = (BTreeMap<PathBuf, Vec<u8>>, StreamId, Vec<RecordHash>);

/// The one that is damaged.
static KEPT: LazyLock<Small> = LazyLock::new(|| {
    let folder = in_memory("good");
    let _ = std::fs::remove_dir_all(&folder);
    let store = with_keys(Store::open(&folder).expect("a new store"));
    let stream = played(&store);
    let event = store.load(stream, false).expect("readable");
    let head = store.log().head(stream).expect("readable");
    store.take_snapshot(stream, head, &event.state).expect("it is written");
    let hashes = hashes_of(&store, stream).expect("readable");
    drop(store);
    let mut files = BTreeMap::new();
    collect(&folder, &folder, &mut files);
    std::fs::remove_dir_all(&folder).expect("it is there");
    (files, stream, hashes)
});

/// A folder with the files of the small store in which bytes were changed, four bytes of input for
/// each: the file, the place (two), and what is laid over it; 0 cuts the file off there.
fn damaged(name: &str, changes: &[u8]) -> PathBuf {
    let good = &KEPT.0;
    let mut files: Vec<(&PathBuf, Vec<u8>)> =
        good.iter().map(|(path, bytes)| (path, bytes.clone())).collect();
    for change in changes.chunks_exact(4).take(8) {
        let count = files.len();
        let (_, bytes) = &mut files[usize::from(change[0]) % count];
        let place = usize::from(u16::from_le_bytes([change[1], change[2]]));
        match bytes.len() {
            0 => {}
            len if change[3] == 0 => bytes.truncate(place % len),
            len => bytes[place % len] ^= change[3],
        }
    }
    let folder = in_memory(name);
    let _ = std::fs::remove_dir_all(&folder);
    for (path, bytes) in files {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, bytes).expect("written");
    }
    folder
}

/// A damaged store. Whatever still opens holds what was recorded, or its beginning. sled's own
/// files are gone each time, so that it is made again from the journal.
fn rot(changes: &[u8]) {
    let (_, stream, recorded) = &*KEPT;
    let Ok(store) = Store::open(&damaged("rot", changes)).map(with_keys) else { return };
    let _ = store.events();
    let _ = store.announced(*stream);
    let _ = store.checkpoints(*stream);
    let _ = store.secrets(*stream);
    let _ = store.exports(*stream);
    let _ = store.snapshots(*stream);
    if let Ok(hashes) = hashes_of(&store, *stream) {
        assert!(recorded.starts_with(&hashes), "another history");
    }
    if let Ok(event) = store.load(*stream, false) {
        assert!(event.state.head() as usize <= recorded.len());
    }
    let _ = verify_tournament(&store, *stream);
}

/// A store brought back from a damaged copy, half of the time beside what is left of a damaged
/// store; the first byte says which. What comes back is whole: it opens, its hashes hold, and it
/// holds what was recorded, or its beginning.
fn copy(changes: &[u8]) {
    let Some((which, changes)) = changes.split_first() else { return };
    let (_, stream, recorded) = &*KEPT;
    let (of_copy, of_store) = changes.split_at(usize::from(which / 2).min(changes.len()));
    let from = damaged("copy-from", of_copy);
    let store = match which % 2 {
        0 => in_memory("copy-store"),
        _ => damaged("copy-store", of_store),
    };
    if which % 2 == 0 {
        let _ = std::fs::remove_dir_all(&store);
    }
    let restored = restore(&from, &store);
    let is_whole = of_copy.len() < 4 && which % 2 == 0;
    assert!(restored.is_ok() || !is_whole, "a good copy comes back");
    let Ok(restored) = restored else { return };
    let store = Store::open(&store).expect("what was brought back opens");
    if restored.events.contains(stream) {
        let hashes = hashes_of(&store, *stream).expect("it is read");
        assert!(recorded.starts_with(&hashes), "another history");
        assert!(!is_whole || hashes.len() == recorded.len(), "a good copy comes back whole");
    } else {
        assert!(!is_whole, "a good copy comes back");
    }
    drop(store);
    if let Some(aside) = &restored.aside {
        std::fs::remove_dir_all(aside).expect("it is there");
    }
}

fn hashes_of(store: &Store, stream: StreamId) -> Result<Vec<RecordHash>, LogError> {
    store.log().read(stream, 0).map(|record| record.map(|record| record.hash())).collect()
}

/// Every file of a store, but those of sled.
fn collect(root: &Path, folder: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        let name = path.strip_prefix(root).expect("below").to_path_buf();
        match path.is_dir() {
            true if name == Path::new("sled") => {}
            true => collect(root, &path, files),
            false => _ = files.insert(name, std::fs::read(&path).expect("readable")),
        }
    }
}
