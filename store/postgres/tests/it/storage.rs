//! The promises of storage, and answers that were lost.

use std::thread;
use std::time::{Duration, Instant};

use crate::server::Server;
use postgres::Client;
use scrutineer_engine::conformance::{self, batch, entry, stream};
use scrutineer_engine::files::{Room, SideFile, SideFiles};
use scrutineer_engine::log::{AppendError, Head, Log, LogError};
use scrutineer_engine::record::{CommandId, Record};
use scrutineer_postgres::PostgresLog;

fn read(log: &PostgresLog, after: u64) -> Vec<Record> {
    log.read(stream(1), after).map(|record| record.expect("readable")).collect()
}

#[test]
fn storage_on_postgresql_does_what_storage_promises() {
    let Some(server) = Server::start() else { return };
    conformance::log(&server.log("log"));
    conformance::texts(server.log("texts").texts());
    conformance::files(&server.log("files"));
}

#[test]
fn a_log_is_read_from_any_place_and_damage_is_named_at_the_event() {
    let Some(server) = Server::start() else { return };
    let log = server.log("log");
    // More than two pages, and two streams.
    let mut head = Head::EMPTY;
    for (command, parts) in [(1, 1), (2, 600), (3, 2)] {
        head =
            Log::append(&log, head, batch(stream(1), head, command, parts, 30)).expect("appended");
    }
    Log::append(&log, Head::EMPTY, batch(stream(2), Head::EMPTY, 1, 300, 30)).expect("appended");
    let all = read(&log, 0);
    assert_eq!(all.len(), 603);
    for after in [1, 255, 256, 257, 602, 603] {
        assert!(read(&log, after) == all[after as usize..], "after {after}");
    }
    assert_eq!(log.scan().filter(|record| record.is_ok()).count(), 903);

    let mut owner = server.connect("log");
    // Whoever may do anything changes what they like. Readers see it.
    let mut change = |statement: &str| {
        let statement = format!("SET session_replication_role = replica; {statement}");
        owner.batch_execute(&statement).expect(&statement);
    };
    let fault = |after| log.read(stream(1), after).find_map(Result::err).expect("a fault");
    change("DELETE FROM scrutineer.records WHERE seq = 603");
    assert!(matches!(fault(0), LogError::Broken { .. }), "{}", fault(0));
    assert!(matches!(fault(602), LogError::Broken { .. }), "{}", fault(602));
    change("UPDATE scrutineer.records SET bytes = set_byte(bytes, 110, 77) WHERE seq = 300");
    assert!(matches!(fault(0), LogError::Unreadable { seq: 300, .. }), "{}", fault(0));
    let mut scanned = log.scan();
    let damaged = scanned.find_map(Result::err).expect("a fault");
    assert!(damaged.is_damage() && scanned.next().is_none(), "{damaged}");
    change("UPDATE scrutineer.records SET seq = 1000 WHERE seq = 200");
    assert!(matches!(fault(0), LogError::Broken { .. }), "{}", fault(0));
}

/// Waits until somebody waits for a lock in this database.
fn somebody_waits(owner: &mut Client) {
    let since = Instant::now();
    let ask = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    while owner.query_one(ask, &[]).expect("an answer").get::<_, i64>(0) == 0 {
        assert!(since.elapsed() < Duration::from_secs(20), "nobody waits");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn an_answer_that_was_lost_is_asked_for_again() {
    const LOCK: &str = "BEGIN; SELECT * FROM scrutineer.streams FOR UPDATE";
    const END_OTHERS: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                              WHERE datname = current_database() AND pid <> pg_backend_pid()";
    let Some(mut server) = Server::start() else { return };
    let log = server.log("log");
    let first = batch(stream(1), Head::EMPTY, 1, 2, 30);
    let head = Log::append(&log, Head::EMPTY, first).expect("appended");

    // Connections that ended while nobody used them.
    let mut owner = server.connect("log");
    owner.batch_execute(END_OTHERS).expect("they end");
    assert_eq!(log.head(stream(1)), Ok(head));
    owner.batch_execute(END_OTHERS).expect("they end");
    log.texts().append(stream(1), &[entry(1, "Ada")]).expect("kept");
    owner.batch_execute(END_OTHERS).expect("they end");
    log.replace(SideFile::of(Room::Announced, stream(1)), None, b"one").expect("written");
    owner.batch_execute(END_OTHERS).expect("they end");
    assert_eq!(log.texts().mend(stream(1), &[], &[entry(1, "Eda")]), Ok(1));

    // A connection that ends in the middle of a command.
    owner.batch_execute(LOCK).expect("locked");
    let second = batch(stream(1), head, 2, 2, 30);
    let head = thread::scope(|scope| {
        let appending = scope.spawn(|| Log::append(&log, head, second));
        somebody_waits(&mut owner);
        owner.batch_execute(END_OTHERS).expect("they end");
        owner.batch_execute("COMMIT").expect("unlocked");
        appending.join().expect("it ends").expect("appended at the second try")
    });
    assert_eq!((head.seq, read(&log, 0).len()), (4, 4));

    // A server that ends in the middle of a command: nobody knows, until it is asked again.
    let third = batch(stream(1), head, 3, 2, 30);
    owner.batch_execute(LOCK).expect("locked");
    let unknown = thread::scope(|scope| {
        let appending = scope.spawn(|| Log::append(&log, head, third.clone()));
        somebody_waits(&mut owner);
        server.stop();
        appending.join().expect("it ends")
    });
    assert!(matches!(unknown, Err(AppendError::Unknown { .. })), "{unknown:?}");
    assert!(matches!(log.head(stream(1)), Err(LogError::Database { .. })));
    server.run();
    assert_eq!((log.head(stream(1)), log.command(stream(1), CommandId(3))), (Ok(head), Ok(None)));
    let head = Log::append(&log, head, third.clone()).expect("appended");
    let again = Log::append(&log, head, third);
    assert!(matches!(again, Err(AppendError::Batch(_))), "{again:?}");
    assert_eq!(read(&log, 0).len(), 6);
}

/// What is copied goes in many commands at a time, and reads as if each had been appended alone.
#[test]
fn commands_that_are_copied_are_appended_together() {
    let Some(server) = Server::start() else { return };
    let (one, all) = (server.log("one"), server.log("together"));
    let (mut head, mut batches) = (Head::EMPTY, Vec::new());
    for (command, parts) in [(1, 1), (2, 300), (3, 2)] {
        let batch = batch(stream(1), head, command, parts, 30);
        head = Log::append(&one, head, batch.clone()).expect("appended");
        batches.push(batch);
    }
    let first = all.append_all(Head::EMPTY, &batches[..1]).expect("appended");
    let refused = all.append_all(Head::EMPTY, &batches);
    assert_eq!(refused, Err(AppendError::Conflict { expected: Head::EMPTY, actual: first }));
    let apart = [batches[1].clone(), batches[1].clone()];
    assert!(matches!(all.append_all(first, &apart), Err(AppendError::Batch(_))));
    assert_eq!(all.append_all(first, &[]), Ok(first));
    assert_eq!(all.append_all(first, &batches[1..]), Ok(head));
    assert_eq!(all.commands(stream(1)), one.commands(stream(1)));
    let read = |log: &PostgresLog| log.read(stream(1), 0).collect::<Result<Vec<_>, _>>();
    assert_eq!(read(&all).expect("readable"), read(&one).expect("readable"));
    for command in [1, 2, 3] {
        let id = CommandId(command);
        assert_eq!(all.command(stream(1), id), one.command(stream(1), id));
    }
}
