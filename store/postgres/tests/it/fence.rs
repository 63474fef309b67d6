//! A database that is not the one that was seen before: nothing is written there, and it is told.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::server::{Server, options};
use postgres::Client;
use scrutineer_engine::conformance::{batch, stream};
use scrutineer_engine::handler::CommandError;
use scrutineer_engine::log::{AppendError, Head, Log, LogError};
use scrutineer_engine::record::StreamId;
use scrutineer_postgres::{Address, DatabaseError, Fence, Options, PostgresLog};

/// The log of a node that remembers in a file.
fn node(address: &Address, memory: &Path) -> Result<PostgresLog, DatabaseError> {
    let fence = Arc::new(Fence::open(memory).expect("it opens"));
    PostgresLog::open(address.clone(), Options { fence, ..options() })
}

fn append(log: &PostgresLog, stream: StreamId, head: Head, command: u128) -> Head {
    log.append(head, batch(stream, head, command, 2, 30)).expect("appended")
}

/// How the node is told that a stream is another one.
fn forked(log: &PostgresLog, stream: StreamId, head: Head) -> (Head, Head) {
    let refused = log.append(head, batch(stream, head, 99, 1, 30)).expect_err("refused");
    let AppendError::Read(LogError::Forked { ends, .. }) = &refused else { panic!("{refused:?}") };
    let (seen, found) = (ends.seen, ends.found);
    let text = refused.to_string();
    assert!(text.contains(&format!("event {} with hash {}", seen.seq, seen.hash)), "{text}");
    assert!(text.contains(&found.hash.to_string()), "{text}");
    assert_eq!(CommandError::Append(refused.clone()).code(), "database-forked");
    // And so it stays.
    assert_eq!(log.append(found, batch(stream, found, 98, 1, 30)), Err(refused));
    (seen, found)
}

fn as_superuser(client: &mut Client, statements: &str) {
    let statements = format!("SET session_replication_role = replica; {statements}");
    client.batch_execute(&statements).expect(&statements);
}

#[test]
fn a_dump_from_before_is_noticed_stream_by_stream() {
    let Some(server) = Server::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let memory = folder.path().join("seen");
    let before = server.database("open");
    let log = node(&before, &memory).expect("it opens");
    let old = append(&log, stream(1), Head::EMPTY, 1);
    let quiet = append(&log, stream(2), Head::EMPTY, 1);
    let dump = folder.path().join("dump.sql").display().to_string();
    server.client_program("pg_dump", &["-f", &dump, "open"]);
    let new = append(&log, stream(1), old, 2);
    drop(log);

    // The dump is brought back, and the node asks it as if nothing had happened.
    server.connect("postgres").batch_execute("CREATE DATABASE restored").expect("a database");
    let restore = ["-q", "-v", "ON_ERROR_STOP=1", "-o", "/dev/null", "-f", &dump, "restored"];
    server.client_program("psql", &restore);
    let restored = server.address("desk", "restored");
    let log = node(&restored, &memory).expect("it opens");
    assert_eq!(log.head(stream(1)), Err(LogError::forked(stream(1), new, old)));
    assert_eq!(forked(&log, stream(1), old), (new, old));
    // What was not lost goes on.
    assert_eq!(append(&log, stream(2), quiet, 2).seq, 4);
    drop(log);
    // A node that was started again knows it still.
    let log = node(&restored, &memory).expect("it opens");
    assert_eq!(forked(&log, stream(1), new), (new, old));
    drop(log);
    // Whoever decides that the dump is right moves the file aside.
    fs::rename(&memory, folder.path().join("aside")).expect("moved");
    let log = node(&restored, &memory).expect("it opens");
    assert_eq!(append(&log, stream(1), old, 3).seq, 4);
}

#[test]
fn a_tail_that_was_cut_off_is_noticed_by_who_appends() {
    let Some(server) = Server::start() else { return };
    let log = server.log("open");
    let old = append(&log, stream(1), Head::EMPTY, 1);
    let new = append(&log, stream(1), old, 2);
    let mut superuser = server.connect("open");
    let cut = "DELETE FROM scrutineer.records WHERE seq > 2; \
               DELETE FROM scrutineer.commands WHERE last_seq > 2; \
               UPDATE scrutineer.streams s SET seq = r.seq, hash = r.hash \
               FROM scrutineer.records r WHERE r.seq = 2 AND r.stream = s.stream";
    as_superuser(&mut superuser, cut);
    assert_eq!(forked(&log, stream(1), new), (new, old));
}

#[test]
fn another_history_that_is_longer_is_noticed_after_a_restart() {
    let Some(server) = Server::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let memory = folder.path().join("seen");
    let address = server.database("open");
    let log = node(&address, &memory).expect("it opens");
    let first = append(&log, stream(1), Head::EMPTY, 1);
    let second = append(&log, stream(1), first, 2);
    drop(log);
    // Somebody else goes on from what was there before, and gets further.
    let mut superuser = server.connect("open");
    let cut = "DELETE FROM scrutineer.records WHERE seq > 2; \
               DELETE FROM scrutineer.commands WHERE last_seq > 2; \
               UPDATE scrutineer.streams s SET seq = r.seq, hash = r.hash \
               FROM scrutineer.records r WHERE r.seq = 2 AND r.stream = s.stream";
    as_superuser(&mut superuser, cut);
    let other = PostgresLog::open(address.clone(), options()).expect("it opens");
    let fork = append(&other, stream(1), first, 7);
    let longer = append(&other, stream(1), fork, 8);
    let log = node(&address, &memory).expect("it opens");
    let (seen, found) = forked(&log, stream(1), longer);
    assert_eq!((seen, found), (second, fork));
    drop(log);
    // Whoever reads before they append is told the same, and nothing else than was seen is remembered.
    for _ in 0..2 {
        let log = node(&address, &memory).expect("it opens");
        assert_eq!(log.head(stream(1)), Err(LogError::forked(stream(1), second, fork)));
        assert_eq!(log.forks().len(), 1);
        assert_eq!(forked(&log, stream(1), longer), (second, fork));
    }
}

#[test]
fn a_server_on_an_earlier_timeline_has_been_replaced() {
    let Some(mut server) = Server::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let memory = folder.path().join("seen");
    let old = server.database("open");
    let log = node(&old, &memory).expect("it opens");
    let head = append(&log, stream(1), Head::EMPTY, 1);
    drop(log);

    let other = server.replaced();
    let new = other.address("desk", "open");
    // It follows the first one, and takes no changes.
    let follows = node(&new, &memory).err().expect("refused");
    assert_eq!(follows.code(), "database-unreachable");
    assert!(follows.to_string().contains("follows another one"), "{follows}");
    other.promote();
    let log = node(&new, &memory).expect("it opens");
    let next = append(&log, stream(1), head, 2);
    drop(log);

    // The first one lives on, and would take anything.
    server.run();
    let zombie = node(&old, &memory).err().expect("refused");
    assert_eq!(zombie.code(), "database-replaced");
    assert!(zombie.to_string().contains("timeline 1") && zombie.to_string().contains("timeline 2"));
    // A node that has seen nothing yet is no wiser: its streams are.
    let blind = PostgresLog::open(old, options()).expect("it opens");
    assert_eq!(blind.head(stream(1)), Ok(head));
    // Both timelines stand in the database that lived through them.
    let timelines = "SELECT array_agg(timeline ORDER BY timeline) FROM scrutineer.timelines";
    let timelines: Vec<i32> =
        other.connect("open").query_one(timelines, &[]).expect("a row").get(0);
    assert_eq!(timelines, [1, 2]);
    let log = node(&new, &memory).expect("it opens");
    assert_eq!(log.head(stream(1)), Ok(next));
}

#[test]
fn connections_to_a_server_that_was_replaced_are_used_no_more() {
    let Some(mut server) = Server::start() else { return };
    let old = server.database("open");
    let fence = Arc::new(Fence::default());
    let with = |address: &Address| {
        let fence = Arc::clone(&fence);
        PostgresLog::open(address.clone(), Options { fence, ..options() }).expect("it opens")
    };
    let shared = append(&with(&old), stream(1), Head::EMPTY, 1);
    let other = server.replaced();
    server.run();
    // A connection to the first server stays open while the other one takes its place.
    let zombie = with(&old);
    let lost = append(&zombie, stream(1), shared, 2);
    other.promote();
    let log = with(&other.address("desk", "open"));
    let refused = zombie.append(lost, batch(stream(1), lost, 3, 1, 30));
    let why = LogError::Replaced { seen: 2, found: 1 };
    assert_eq!(refused, Err(AppendError::Read(why.clone())));
    assert_eq!(zombie.head(stream(1)), Err(why));
    // What only the first one had is missed here.
    let why = LogError::forked(stream(1), lost, shared);
    assert_eq!(log.head(stream(1)), Err(why));
    assert_eq!(append(&log, stream(2), Head::EMPTY, 1).seq, 2);
}
