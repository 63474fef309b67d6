//! What many servers share beside the log: the house, the floors, who answers from memory, and what each
//! hears of the others.

use crate::server::Server;
use scrutineer_engine::conformance::batch;
use scrutineer_engine::log::{Head, Log};
use scrutineer_engine::record::StreamId;
use scrutineer_postgres::{HouseCall, HouseChange, PostgresLog, Watcher, migrate};
use std::sync::Arc;

const FRIDAY: StreamId = StreamId([7; 16]);

fn call<'a>(
    id: u8,
    seen: Option<u64>,
    rows: &'a [(&'a str, &'a str, Option<&'a str>)],
) -> HouseCall<'a> {
    HouseCall { id: [id; 16], seen, rows, time: "today", told: &[("Ann", "did it")] }
}

fn keys(log: &PostgresLog, seen: u64) -> Vec<(String, Option<String>)> {
    let rows = log.house_behind(seen).expect("read").rows.into_iter();
    let mut rows: Vec<_> = rows.map(|row| (row.key, row.content)).collect();
    rows.sort();
    rows
}

#[test]
fn of_two_servers_that_change_the_house_at_once_the_later_one_is_told_so() {
    let Some(server) = Server::start() else { return };
    let log = server.log("shared");
    let made = log.keep_house(&call(1, Some(0), &[("links", "a", Some("1"))])).expect("kept");
    assert_eq!(made, Some(1));
    let late = log.keep_house(&call(2, Some(0), &[("links", "b", Some("2"))])).expect("asked");
    assert_eq!(late, None, "it was decided on what is no more");
    // Whoever lost the answer is given it again, and nothing is done twice.
    let again = log.keep_house(&call(1, Some(0), &[("links", "a", Some("1"))])).expect("kept");
    assert_eq!((again, log.last_house_change().expect("read")), (Some(1), 1));
    let anyway = log.keep_house(&call(3, None, &[("sent", "c", Some("3"))])).expect("kept");
    assert_eq!(anyway, Some(2));
    log.keep_house(&call(4, Some(2), &[("links", "a", None)])).expect("kept");
    assert_eq!(keys(&log, 1), [("a".into(), None), ("c".into(), Some("3".into()))]);
    let whole = log.house().expect("read");
    assert_eq!((whole.version, whole.rows.len(), whole.is_whole), (3, 1, true));
    // What was removed long ago leaves nothing: who has not looked since reads all of it.
    let mut superuser = server.connect("shared");
    let old = "UPDATE scrutineer.house_rows SET changed_at = now() - interval '2 days'";
    superuser.execute(old, &[]).expect("made old");
    log.keep_house(&call(5, Some(3), &[])).expect("kept");
    let read = log.house_behind(1).expect("read");
    assert_eq!((read.is_whole, read.version, read.rows.len()), (true, 4, 1));
    let changes = log.house_changes(1, 2).expect("read");
    assert_eq!(changes.iter().map(|one| one.seq).collect::<Vec<_>>(), [2, 3]);
}

#[test]
fn the_server_changes_the_house_by_its_functions_alone() {
    let Some(server) = Server::start() else { return };
    let log = server.log("guarded");
    log.keep_house(&call(1, Some(0), &[("links", "a", Some("1"))])).expect("kept");
    let mut desk = server.client("desk", "guarded");
    for statement in [
        "UPDATE scrutineer.house SET version = 0",
        "DELETE FROM scrutineer.house_rows",
        "INSERT INTO scrutineer.floor_entries VALUES ('', 0, '')",
        "DELETE FROM scrutineer.leases",
    ] {
        assert!(desk.batch_execute(statement).is_err(), "{statement}");
    }
    let mut owner = server.client("owner", "guarded");
    let refused = owner.batch_execute("DELETE FROM scrutineer.house_changes");
    assert!(refused.is_err(), "who changed what stays");
}

#[test]
fn what_is_done_on_a_floor_at_once_is_put_in_order() {
    let Some(server) = Server::start() else { return };
    let log = server.log("floors");
    assert!(log.add_to_floor(FRIDAY, 0, "a").expect("asked"));
    assert!(log.add_to_floor(FRIDAY, 0, "a").expect("asked"), "the same again is there");
    assert!(!log.add_to_floor(FRIDAY, 0, "b").expect("asked"), "another one was first");
    assert!(log.add_to_floor(FRIDAY, 1, "b").expect("asked"));
    assert_eq!(log.floor(FRIDAY, 1).expect("read"), ["b"]);
    assert_eq!(log.floors().expect("read"), [FRIDAY]);
    log.remove_floor(FRIDAY).expect("removed");
    assert!(
        log.floor(FRIDAY, 0).expect("read").is_empty() && log.floors().expect("read").is_empty()
    );
}

#[test]
fn each_server_hears_what_others_change_and_one_answers_from_memory() {
    let Some(server) = Server::start() else { return };
    let address = server.database("heard");
    let open = || {
        let opened = PostgresLog::open(address.clone(), crate::server::options());
        Arc::new(opened.expect("it opens"))
    };
    let (one, other) = (open(), open());
    one.take_part("one");
    other.take_part("other");
    let (mut here, mut there) = (Watcher::new(Arc::clone(&one)), Watcher::new(Arc::clone(&other)));
    let first = one.append(Head::EMPTY, batch(FRIDAY, Head::EMPTY, 1, 1, 30)).expect("appended");
    here.look(false).expect("heard");
    assert!(one.holds_store() && !other.holds_store());
    let heard = there.look(false).expect("heard");
    assert!(heard.is_writable && !other.holds_store());
    assert_eq!(heard.streams.iter().map(|one| one.head).collect::<Vec<_>>(), [first]);
    // The one that holds it is asked of nobody, and is put right where it appends on what is old.
    let second = other.append(first, batch(FRIDAY, first, 2, 1, 30)).expect("appended");
    assert_eq!(one.head(FRIDAY).expect("known by heart"), first);
    let planned = one.append(first, batch(FRIDAY, first, 3, 1, 30));
    assert!(planned.is_err(), "it is planned anew");
    assert_eq!(one.head(FRIDAY).expect("read"), second);
    // Who ends in order leaves it to the others at once.
    here.end();
    let mut superuser = server.connect("heard");
    let left = superuser.query_one("SELECT count(*) FROM scrutineer.leases", &[]).expect("asked");
    assert_eq!(left.get::<_, i64>(0), 0);
    other.add_to_floor(FRIDAY, 0, "a").expect("asked");
    other.keep_house(&call(1, Some(0), &[])).expect("kept");
    let heard = here.look(true).expect("heard");
    assert_eq!((heard.house, &heard.floors[..]), (1, &[(FRIDAY, 1)][..]));
}

/// Who changed what, and what was done on a floor, come from another store in many calls: each goes on where the
/// last one ended, one whose answer was lost is told so, and what stands there already is never written over.
#[test]
fn what_a_store_that_was_kept_elsewhere_brings_goes_behind_what_is_there_and_never_over_it() {
    let Some(server) = Server::start() else { return };
    let log = server.log("brought");
    let change = |seq: u64| {
        let (time, by, what) = (format!("day {seq}"), "Ann".to_string(), format!("link {seq}"));
        HouseChange { seq, time, by, what }
    };
    let changes: Vec<_> = (1..=5).map(change).collect();
    assert!(log.bring_house_changes(0, &changes[..3]).expect("asked"));
    // Its answer was lost, and it is sent again: nothing stands there twice.
    assert!(!log.bring_house_changes(0, &changes[..3]).expect("asked"));
    assert!(log.bring_house_changes(3, &changes[3..]).expect("asked"));
    assert_eq!(log.house_changes(0, 10).expect("read"), changes);
    assert_eq!(log.last_house_change().expect("read"), 5);
    // Each with its own time; what is done here goes on behind them with the next number.
    log.keep_house(&call(1, Some(0), &[("links", "a", Some("1"))])).expect("kept");
    let last = log.house_changes(5, 10).expect("read");
    assert_eq!(last.iter().map(|one| (one.seq, &*one.time)).collect::<Vec<_>>(), [(6, "today")]);
    assert!(!log.bring_house_changes(5, &[change(6)]).expect("asked"), "others stand there");

    let entries = ["a", "b", "c"].map(String::from);
    assert!(log.bring_floor(FRIDAY, 0, &entries).expect("asked"));
    assert!(!log.bring_floor(FRIDAY, 0, &entries).expect("asked"), "they are there");
    assert!(!log.bring_floor(FRIDAY, 4, &entries).expect("asked"), "none is left out");
    assert!(log.add_to_floor(FRIDAY, 3, "d").expect("asked"), "what is done here goes on");
    assert!(!log.bring_floor(FRIDAY, 3, &["other".into()]).expect("asked"), "nothing is over it");
    assert_eq!(log.floor(FRIDAY, 0).expect("read"), ["a", "b", "c", "d"]);
    assert_eq!(log.floors().expect("read"), [FRIDAY]);
    // Whoever watches hears of what was brought, as of what is done.
    let heard = Watcher::new(Arc::new(log)).look(false).expect("heard");
    assert_eq!((heard.house, &heard.floors[..]), (1, &[(FRIDAY, 4)][..]));
    // Only who may serve the store may call these, and nobody may write past them.
    let mut owner = server.client("owner", "brought");
    owner.batch_execute("CREATE ROLE nobody_else LOGIN").expect("a role");
    let mut other = server.client("nobody_else", "brought");
    for call in [
        "SELECT scrutineer.bring_house_changes(6, '{x}', '{x}', '{x}')",
        "SELECT scrutineer.bring_floor('\\x00', 0, '{x}')",
    ] {
        assert!(other.batch_execute(call).is_err(), "{call}");
    }
}

/// A database of the version before has all it had, and takes what is brought once it is migrated.
#[test]
fn a_database_of_the_version_before_keeps_its_house_when_it_is_migrated() {
    let Some(server) = Server::start() else { return };
    let log = server.log("older");
    log.keep_house(&call(1, Some(0), &[("links", "a", Some("1"))])).expect("kept");
    log.add_to_floor(FRIDAY, 0, "a").expect("asked");
    drop(log);
    let mut superuser = server.connect("older");
    let before = "DROP FUNCTION scrutineer.bring_house_changes(bigint, text[], text[], text[]); \
                  DROP FUNCTION scrutineer.bring_floor(bytea, bigint, text[]); \
                  DELETE FROM scrutineer.migrations WHERE version = 7";
    superuser.batch_execute(before).expect("as it was before");
    let desk = server.address("desk", "older");
    let refused = PostgresLog::open(desk.clone(), crate::server::options()).map(|_| ());
    assert_eq!(refused.expect_err("older").code(), "database-schema-older");
    let migrated = migrate(&server.address("owner", "older")).expect("migrated");
    assert_eq!((migrated.from, migrated.run.as_slice()), (6, &["moved"][..]));
    let log = PostgresLog::open(desk, crate::server::options()).expect("it opens");
    assert_eq!(keys(&log, 0), [("a".into(), Some("1".into()))]);
    assert!(log.bring_floor(FRIDAY, 1, &["b".into()]).expect("the server may call it"));
    assert_eq!(log.floor(FRIDAY, 0).expect("read"), ["a", "b"]);
}
