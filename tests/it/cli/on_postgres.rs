//! The sessions once more, with the store in a PostgreSQL database: the same is answered, and the same
//! stands in the log. One server is started for all, and each session has a database of its own.

use super::desk::{Desk, Said};
use super::handbook::play_document;
use super::{script, sessions};
use scrutineer_desk::simulate::{play_into, store_of};
use scrutineer_desk::store::{Store, StoreAt};
use scrutineer_engine::book::Book;
use scrutineer_engine::record::StreamId;
use scrutineer_projections::ruleset::Library;
use scrutineer_store::Mirror;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[allow(dead_code, reason = "the crate's own tests use the rest")]
#[path = "../../../store/postgres/tests/it/server.rs"]
pub mod server;

use server::Server;

/// Where every session is played, and not only some.
const ALL: &str = "SCRUTINEER_ALL_SESSIONS";

/// Those that are played otherwise: one of each kind of verb.
const SOME: &[&str] = &[
    "bundle_folder",
    "desk_json",
    "desk_pods",
    "desk_undo",
    "forget",
    "handover",
    "import_renewed",
    "log_and_verify",
    "rebuild",
    "review",
    "story_cut_and_drop",
    "story_dispute_upheld",
    "time_twice",
    "trust_rotated_key",
    "what_if_imported",
];

/// Sessions that are not the same with a database: they work on the files of the store's folder, or begin
/// where there is no store.
const FOLDERS: &[&str] = &[
    "announced",
    "check_standings",
    "copies",
    "demo",
    "desk_refusals",
    "events",
    "rules_editions",
    "store_copy",
    "story_slips_as_printed",
    "trust_forked_log",
    "trust_restored_store",
    "trust_signed_damaged",
    "trust_stolen_key",
    "whole_event",
];

/// All that is kept of a tournament and is not made anew.
type Kept = (Vec<Vec<u8>>, Book, Vec<[u8; 32]>, Vec<String>);

/// The same without what an import draws from the machine, and no word makes anew: its time and salts.
fn without_chance((records, book, ..): &Kept) -> (usize, Vec<(u32, String)>) {
    let texts = book.entries().map(|entry| (entry.number, entry.text.clone()));
    (records.len(), texts.collect())
}

/// What a store holds of each tournament.
fn whole(at: &StoreAt) -> BTreeMap<StreamId, Kept> {
    let store = Store::open_at(at, Mirror::AsBefore, None).expect("a store");
    let streams = store.log().streams().expect("streams");
    let kept = |stream: StreamId| {
        let records = store.log().read(stream, 0);
        let records = records.map(|record| record.expect("readable").bytes().to_vec()).collect();
        let book = store.books().book(stream).expect("texts");
        let secrets = store.secrets(stream).expect("secrets");
        (records, book, secrets, store.checkpoints(stream).expect("checkpoints"))
    };
    streams.into_iter().map(|stream| (stream, kept(stream))).collect()
}

fn folder(desk: &Desk) -> StoreAt {
    StoreAt::Folder(desk.path("store"))
}

fn database(desk: &Desk, address: &str) -> StoreAt {
    StoreAt::new(Path::new(address), Some(desk.path("node"))).expect("an address")
}

/// What is not the same when a session is played with a database, and how many events there are.
fn played(server: &Server, name: &str) -> (Vec<String>, usize) {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests/scripts"].iter().collect();
    let text = std::fs::read_to_string(path.join(format!("{name}.txt"))).expect("a session");
    let address = server.database(name).to_string();
    let (own, other) = (Desk::new(), Desk::on(&address));
    let mut wrong = Vec::new();
    script::play(&own, &text);
    let (_, differs) = script::play(&other, &text);
    if !differs.is_empty() {
        wrong.push(format!("{name} says something else with a database: {differs}"));
    }
    if !own.path("store").exists() {
        return (wrong, 0);
    }
    let (own, other) = (whole(&folder(&own)), whole(&database(&other, &address)));
    let is_imported = ["import", "forget", "adopt"]
        .iter()
        .any(|verb| text.contains(&format!("scrutineer {verb} ")));
    for (stream, kept) in &own {
        let there = other.get(stream);
        let same = match is_imported {
            true => there.map(without_chance) == Some(without_chance(kept)),
            false => there == Some(kept),
        };
        if !same {
            wrong.push(format!("{name}: not the same is kept of {stream}"));
        }
    }
    if own.len() != other.len() {
        wrong.push(format!(
            "{name}: {} tournaments, and {} in the database",
            own.len(),
            other.len()
        ));
    }
    (wrong, own.values().map(|kept| kept.0.len()).sum())
}

#[test]
fn sessions_with_a_database_say_the_same_and_make_the_same_log_byte_by_byte() {
    let all = std::env::var_os(ALL).is_some();
    let is_meant = |name: &&str| !FOLDERS.contains(name) && (all || SOME.contains(name));
    let names: Vec<&str> = sessions::NAMES.iter().copied().filter(is_meant).collect();
    let done = Mutex::new((Vec::new(), 0));
    // A server of a test does not live long.
    for names in names.chunks(24) {
        let Some(server) = Server::start() else { return };
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let found = std::panic::catch_unwind(|| played(&server, name));
                        let ended = |_| (vec![format!("{name} did not come to its end")], 0);
                        let (wrong, events) = found.unwrap_or_else(ended);
                        let mut done = done.lock().expect("whole");
                        done.0.extend(wrong);
                        done.1 += events;
                    }
                });
            }
        });
    }
    let (wrong, events) = done.into_inner().expect("whole");
    println!("{} sessions, {events} events compared", names.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(names.len() >= SOME.len() && events > 200, "{} sessions, {events}", names.len());
}

#[test]
fn the_examples_about_databases_say_what_stands_there() {
    let Some(server) = Server::start() else { return };
    let document = "docs/POSTGRES.md";
    let text = Path::new(env!("CARGO_MANIFEST_DIR")).join(document);
    let text = std::fs::read_to_string(text).expect("the document");
    let (_, statements) = text.split_once("```sql\n").expect("what a superuser types");
    let statements = statements.split_once("```").expect("its end").0;
    // Whoever sets a cluster up types these and no others.
    let roles = include_str!("../../../deploy/roles.sql").lines();
    let roles = roles.filter(|line| !line.starts_with("--") && !line.starts_with('\\'));
    let roles = roles.map(|line| format!("{line}\n")).collect::<String>();
    let roles = roles.replace(":'owner_password'", "'…'").replace(":'node_password'", "'…'");
    assert_eq!(roles, statements, "deploy/roles.sql and {document} part");
    let mut superuser = server.connect("postgres");
    for statement in statements.split(";\n") {
        superuser.batch_execute(statement).unwrap_or_else(|error| panic!("{statement}: {error}"));
    }
    let place = |role: &str| {
        let shown = format!("postgres://{role}@db.example:5432/scrutineer");
        (shown, server.address(role, "scrutineer").to_string())
    };
    let desk = Desk::on(&server.address("scrutineer_node", "scrutineer").to_string());
    play_document(document, &desk, &[place("scrutineer_owner"), place("scrutineer_node")]);
}

#[test]
fn a_copy_that_was_killed_goes_on_and_is_the_same_back_in_a_folder() {
    let Some(server) = Server::start() else { return };
    let address = server.database("copied").to_string();
    let desk = Desk::on(&address);
    let rules = Arc::new(Library::shipped().ruleset("mtr").expect("it is shipped"));
    let store = Store::open(&desk.path("store")).expect("a store");
    play_into(&store, &store_of(24, &[rules], 7), 4).expect("played");
    let first = store.log().streams().expect("streams")[0];
    store.books().forget(first, &[3]).expect("forgotten");
    drop(store);
    let own = whole(&folder(&desk));
    for pause in [150, 400] {
        let mut copying = desk.command(&["store", "copy", "store", &address]);
        copying.stdout(Stdio::null()).stderr(Stdio::null());
        let mut copying = copying.spawn().expect("it starts");
        std::thread::sleep(Duration::from_millis(pause));
        copying.kill().expect("killed");
        copying.wait().expect("it ended");
    }
    let copied = desk.run(&["store", "copy", "store", &address]);
    assert_eq!(copied.code, 0, "{}", copied.all());
    assert!(whole(&database(&desk, &address)) == own, "the database has something else");
    let back = desk.run(&["store", "copy", &address, "back"]);
    assert_eq!(back.code, 0, "{}", back.all());
    assert!(
        whole(&StoreAt::Folder(desk.path("back"))) == own,
        "back in a folder it is another one"
    );
    // The secrets are not readable in the database.
    let secret = own.values().find_map(|kept| kept.2.first()).expect("a secret of a tournament");
    let digits: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
    let ask = "SELECT count(*) FROM scrutineer.side_pieces WHERE position($1::bytea IN bytes) > 0";
    let found = server.connect("copied").query_one(ask, &[&digits.as_bytes()]).expect("asked");
    assert_eq!(found.get::<_, i64>(0), 0, "a secret stands there as it is");
}

/// Two who record at once are put in order, and a backup of the database is one of a folder.
#[test]
fn two_desks_at_one_database_are_put_in_order() {
    let Some(server) = Server::start() else { return };
    let address = server.database("shared").to_string();
    let (one, two) = (Desk::on(&address), Desk::on(&address));
    let said = |desk: &Desk, words: &[&str]| {
        let said = desk.run(words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
        said.out
    };
    said(&one, &["new", "Friday", "--rules", "mtr"]);
    // The other machine is brought the key of the secrets.
    two.write("node/database.key", &std::fs::read(one.path("node/database.key")).expect("a key"));
    std::thread::scope(|scope| {
        for (desk, who) in [(&one, "Ann"), (&two, "Bob")] {
            scope.spawn(move || {
                for number in 1..=6 {
                    let said = desk.run(&["enroll", &format!("{who} {number}")]);
                    assert_eq!(said.code, 0, "{}", said.all());
                }
            });
        }
    });
    assert!(said(&two, &["players", "--json"]).contains("Ann 6"));
    said(&one, &["verify"]);
    said(&one, &["backup", "stick"]);
    let refused: Said = one.run(&["restore", "--from", "stick"]);
    assert!(refused.err.contains("nothing-to-restore"), "{}", refused.all());
    let again = server.database("again").to_string();
    let foreign = one.run(&["tournaments", "--store", &again]);
    assert!(foreign.err.contains("node-of-another-database"), "{}", foreign.all());
    let other = Desk::on(&again);
    said(&other, &["restore", "--from", &one.path("stick").display().to_string()]);
    let records = |desk: &Desk, address: &str| -> Vec<Vec<Vec<u8>>> {
        whole(&database(desk, address)).into_values().map(|kept| kept.0).collect()
    };
    assert_eq!(records(&one, &address), records(&other, &again));
}
