//! Answers that do not come, or that say that no standby has what was recorded.

use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::server::{Server, options};
use postgres::Client;
use scrutineer_engine::conformance::{batch, stream};
use scrutineer_engine::log::{AppendError, Head, Log, LogError};
use scrutineer_postgres::{DatabaseError, Fence, Options, PostgresLog, Waits};
use std::sync::{Arc, Mutex};

/// Waits until the database says so, and gives what it says.
fn wait_for(client: &mut Client, ask: &str) -> i32 {
    let since = Instant::now();
    loop {
        if let Some(row) = client.query_opt(ask, &[]).expect("an answer") {
            return row.get(0);
        }
        assert!(since.elapsed() < Duration::from_secs(20), "{ask}");
        thread::sleep(Duration::from_millis(10));
    }
}

const WAITS_FOR_STANDBY: &str =
    "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND usename = 'desk' LIMIT 1";

#[test]
fn a_commit_that_no_standby_has_is_unknown_and_asked_for_again() {
    let Some(server) = Server::start() else { return };
    let address = server.database("open");
    let mut superuser = server.connect("open");
    // Somebody wanted it faster.
    let hasty = "ALTER ROLE desk SET synchronous_commit = 'off'";
    superuser.batch_execute(hasty).expect("changed");
    let log = PostgresLog::open(address, options()).expect("it opens");
    let one = batch(stream(1), Head::EMPTY, 1, 2, 30);
    let head = log.append(Head::EMPTY, one).expect("appended");

    // The wait ends with a warning; the second time the standby is there.
    server.set("synchronous_standby_names = 'nobody'");
    thread::sleep(Duration::from_millis(300));
    let head = thread::scope(|scope| {
        let appending = scope.spawn(|| log.append(head, batch(stream(1), head, 2, 2, 30)));
        let pid = wait_for(&mut superuser, WAITS_FOR_STANDBY);
        superuser.execute("SELECT pg_cancel_backend($1)", &[&pid]).expect("canceled");
        let again = wait_for(&mut superuser, WAITS_FOR_STANDBY);
        assert!(again > 0 && !appending.is_finished(), "the same command is asked for again");
        server.set("synchronous_standby_names = ''");
        appending.join().expect("it ends").expect("appended")
    });
    assert_eq!(head.seq, 4);

    // No standby comes back: nobody knows, and nothing is doubled when it is sent again.
    server.set("synchronous_standby_names = 'nobody'");
    thread::sleep(Duration::from_millis(300));
    let third = batch(stream(1), head, 3, 2, 30);
    let unknown = thread::scope(|scope| {
        let appending = scope.spawn(|| log.append(head, third.clone()));
        while !appending.is_finished() {
            let waiting = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity \
                           WHERE wait_event = 'SyncRep' AND usename = 'desk'";
            superuser.query(waiting, &[]).expect("an answer");
            thread::sleep(Duration::from_millis(20));
        }
        appending.join().expect("it ends")
    });
    assert!(matches!(unknown, Err(AppendError::Unknown { .. })), "{unknown:?}");
    server.set("synchronous_standby_names = ''");
    let again = log.append(head, third);
    assert!(matches!(again, Err(AppendError::CommandKnown(_))), "{again:?}");
    assert_eq!(log.read(stream(1), 0).filter(Result::is_ok).count(), 6);
}

/// All standbys are gone: whoever waits is told so, and why, instead of being asked to wait a minute and more; and
/// nothing that was sent is lost or doubled once one is back.
#[test]
fn an_order_without_any_standby_is_answered_in_time_and_says_why() {
    let Some(server) = Server::start() else { return };
    let address = server.database("open");
    let told = Arc::new(Mutex::new(Vec::new()));
    let tells = Arc::clone(&told);
    let waits = Waits::new(move |text| tells.lock().expect("told").push(text.to_string()));
    let own = Options {
        answer: Duration::from_secs(4),
        statement_timeout: Duration::from_secs(3),
        patience: Duration::from_secs(60),
        waits: Some(Arc::new(waits)),
        ..options()
    };
    let log = PostgresLog::open(address, own).expect("it opens");
    let head = log.append(Head::EMPTY, batch(stream(1), Head::EMPTY, 1, 2, 30)).expect("appended");
    server.set("synchronous_standby_names = 'nobody'");
    thread::sleep(Duration::from_millis(300));
    let order = batch(stream(1), head, 2, 2, 30);
    let since = Instant::now();
    let unknown = log.append(head, order.clone());
    assert!(since.elapsed() < Duration::from_secs(8), "{:?}", since.elapsed());
    let Err(AppendError::Unknown { reason }) = unknown else { panic!("{unknown:?}") };
    assert!(reason.contains("no standby"), "{reason}");
    let said = told.lock().expect("told").clone();
    assert!(said.len() == 1 && said[0].starts_with("waiting for the database, for "), "{said:?}");
    // Who sends the next one is told that nothing of it was done.
    let since = Instant::now();
    let next = log.append(head, batch(stream(1), head, 3, 2, 30));
    assert!(since.elapsed() < Duration::from_secs(8), "{:?}", since.elapsed());
    let Err(AppendError::Read(LogError::Database { reason })) = next else { panic!("{next:?}") };
    assert!(reason.contains("no standby"), "{reason}");
    // What is there is read all the while.
    assert_eq!(log.read(stream(1), 0).filter(Result::is_ok).count(), 2);
    server.set("synchronous_standby_names = ''");
    let again = log.append(head, order);
    assert!(matches!(again, Err(AppendError::CommandKnown(_))), "{again:?}");
    assert_eq!(log.read(stream(1), 0).filter(Result::is_ok).count(), 4);
}

/// A failover begins while somebody types: a database that was seen before is waited for, and they are told. One
/// that nobody has reached yet is most likely a wrong address.
#[test]
fn a_database_that_was_seen_before_is_waited_for_when_it_is_opened() {
    let Some(mut server) = Server::start() else { return };
    let address = server.database("open");
    let folder = tempfile::tempdir().expect("a folder");
    let told = Arc::new(Mutex::new(0));
    let own = |seen: &str| {
        let fence = Fence::open(&folder.path().join(seen)).expect("it opens");
        let tells = Arc::clone(&told);
        let waits = Waits::new(move |_| *tells.lock().expect("told") += 1);
        let patience = Duration::from_secs(30);
        Options { patience, fence: Arc::new(fence), waits: Some(Arc::new(waits)), ..options() }
    };
    drop(PostgresLog::open(address.clone(), own("seen")).expect("it opens"));
    server.stop();
    let since = Instant::now();
    let refused = PostgresLog::open(address.clone(), own("new")).map(|_| ());
    assert!(matches!(refused, Err(DatabaseError::Unreachable { .. })), "{refused:?}");
    assert!(since.elapsed() < Duration::from_secs(5), "{:?}", since.elapsed());
    assert_eq!(*told.lock().expect("told"), 0);
    thread::scope(|scope| {
        let opening = scope.spawn(|| PostgresLog::open(address, own("seen")).map(|_| ()));
        thread::sleep(Duration::from_secs(3));
        assert!(!opening.is_finished(), "it waits");
        server.run();
        assert_eq!(opening.join().expect("it ends"), Ok(()));
    });
    assert_eq!(*told.lock().expect("told"), 1, "once, however often it was asked");
}

#[test]
fn a_server_that_stands_still_is_left_for_another_connection() {
    let Some(server) = Server::start() else { return };
    let address = server.database("open");
    let patient = Options { answer: Duration::from_secs(1), ..options() };
    let log = PostgresLog::open(address, patient).expect("it opens");
    let one = batch(stream(1), Head::EMPTY, 1, 2, 30);
    let head = log.append(Head::EMPTY, one).expect("appended");

    let mut superuser = server.connect("open");
    let pid = wait_for(&mut superuser, "SELECT pid FROM pg_stat_activity WHERE usename = 'desk'");
    let signal = |name: &str| {
        let sent = Command::new("kill").args([name, &pid.to_string()]).status();
        assert!(sent.expect("kill runs").success());
    };
    signal("-STOP");
    let since = Instant::now();
    let next = log.append(head, batch(stream(1), head, 2, 2, 30)).expect("appended");
    assert!(since.elapsed() < Duration::from_secs(5), "{:?}", since.elapsed());
    // What it was asked before comes too late.
    signal("-CONT");
    thread::sleep(Duration::from_millis(200));
    assert_eq!(log.head(stream(1)), Ok(next));
    assert_eq!(log.read(stream(1), 0).filter(Result::is_ok).count(), 4);
}

#[test]
fn there_are_never_more_connections_than_may_be() {
    let Some(server) = Server::start() else { return };
    let address = server.database("open");
    let few = Options {
        connections: 2,
        wait: Duration::from_millis(200),
        patience: Duration::from_millis(100),
        ..options()
    };
    let log = PostgresLog::open(address, few).expect("it opens");
    let one = batch(stream(1), Head::EMPTY, 1, 1, 30);
    let head = log.append(Head::EMPTY, one).expect("appended");
    let mut superuser = server.connect("open");
    superuser.batch_execute("BEGIN; SELECT * FROM scrutineer.streams FOR UPDATE").expect("locked");
    thread::scope(|scope| {
        let log = &log;
        let append = |command| move || log.append(head, batch(stream(1), head, command, 1, 30));
        let writers = [scope.spawn(append(2)), scope.spawn(append(3))];
        let ask = "SELECT 1 FROM pg_stat_activity WHERE usename = 'desk' \
                   HAVING count(*) FILTER (WHERE wait_event_type = 'Lock') = 2";
        wait_for(&mut server.connect("open"), ask);
        let busy = log.head(stream(2)).expect_err("nobody is free");
        assert!(busy.to_string().contains("all 2 connections were in use"), "{busy}");
        superuser.batch_execute("COMMIT").expect("unlocked");
        let answers = writers.map(|writer| writer.join().expect("it ends"));
        assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1, "{answers:?}");
    });
    // Many more than there are connections, each served in its turn.
    thread::scope(|scope| {
        for number in 10..26 {
            let log = &log;
            scope.spawn(move || {
                let mut head = Head::EMPTY;
                for command in 1..5 {
                    let order = batch(stream(number), head, command, 2, 30);
                    head = loop {
                        match log.append(head, order.clone()) {
                            Ok(head) => break head,
                            Err(AppendError::Read(LogError::Database { .. })) => {}
                            Err(other) => panic!("{other}"),
                        }
                    };
                }
            });
        }
    });
    let used = "SELECT count(*)::integer FROM pg_stat_activity WHERE usename = 'desk'";
    assert!(superuser.query_one(used, &[]).expect("a row").get::<_, i32>(0) <= 2);
    let ends = log.heads(&(0..40).map(stream).collect::<Vec<_>>()).expect("heads");
    assert_eq!(ends.len(), 17);
    assert!(ends.iter().skip(1).all(|(_, head)| head.seq == 8));
}

/// A server's own threads may wait for the database too, whatever runtime they belong to.
#[test]
fn the_log_is_used_from_the_threads_of_a_runtime() {
    let Some(server) = Server::start() else { return };
    let log = server.log("open");
    for runtime in [
        tokio::runtime::Builder::new_current_thread().enable_all().build(),
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build(),
    ] {
        let ended = runtime.expect("a runtime").block_on(async { log.head(stream(1)) });
        assert_eq!(ended, Ok(Head::EMPTY));
    }
}
