//! Who may do what in the database, and which tables a program works with.

use crate::server::{Server, options};
use scrutineer_engine::conformance::{batch, entry, stream};
use scrutineer_engine::files::{Room, SideFile, SideFiles};
use scrutineer_engine::log::{Batch, Head, Log};
use scrutineer_postgres::{Address, DatabaseError, PostgresLog, VERSION, migrate};
use std::thread;

fn refused(address: &Address) -> DatabaseError {
    PostgresLog::open(address.clone(), options()).err().expect("it is refused")
}

#[test]
fn a_database_is_migrated_once_and_tells_what_is_missing() {
    let Some(server) = Server::start() else { return };
    server.empty("open");
    let (owner, desk) = (server.address("owner", "open"), server.address("desk", "open"));
    let error = refused(&desk);
    assert_eq!(error.code(), "database-not-migrated");
    assert!(error.hint().contains("scrutineer store migrate"), "{}", error.hint());

    // Many who migrate at once run each migration once.
    let runs: Vec<_> = thread::scope(|scope| {
        let all: Vec<_> = (0..4).map(|_| scope.spawn(|| migrate(&owner))).collect();
        all.into_iter().map(|one| one.join().expect("it ends").expect("migrated")).collect()
    });
    assert!(runs.iter().all(|run| run.to == VERSION));
    assert_eq!(runs.iter().filter(|run| !run.run.is_empty()).count(), 1);
    assert_eq!(
        runs.iter().find(|run| run.from == 0).map(|run| run.run.len()),
        Some(VERSION as usize)
    );
    assert_eq!(migrate(&owner).map(|again| (again.from, again.run.len())), Ok((VERSION, 0)));

    // A login that nobody granted the role to.
    assert_eq!(refused(&desk).code(), "database-rights");
    let mut client = server.client("owner", "open");
    client.batch_execute("GRANT scrutineer_server TO desk").expect("granted");
    let log = PostgresLog::open(desk.clone(), options()).expect("it opens");
    assert_eq!(log.streams(), Ok(vec![]));

    // Tables of an earlier and of a later version.
    let shift = |by: &str| {
        let shift = format!("UPDATE scrutineer.migrations SET version = version + {by}");
        server.client("owner", "open").batch_execute(&shift).expect("changed");
    };
    shift("100");
    assert_eq!(refused(&desk).code(), "database-schema-newer");
    assert_eq!(migrate(&owner).err().map(|error| error.code()), Some(refused(&desk).code()));
    server
        .client("owner", "open")
        .batch_execute("DELETE FROM scrutineer.migrations WHERE version > 101")
        .expect("changed");
    shift("-100");
    assert_eq!(refused(&desk).code(), "database-schema-older");

    // Nobody there, and a server that lacks the database.
    assert_eq!(refused(&server.address("desk", "other")).code(), "database-refused");
    let nobody = Address::parse("postgres://desk@%2Fno%2Fsuch%2Ffolder/open").expect("an address");
    assert_eq!(refused(&nobody).code(), "database-unreachable");
}

#[test]
fn an_owner_who_may_make_no_roles_is_told_what_a_superuser_types() {
    let Some(server) = Server::start() else { return };
    server.empty("open");
    let mut superuser = server.connect("open");
    superuser.batch_execute("ALTER ROLE owner NOCREATEROLE").expect("changed");
    let owner = server.address("owner", "open");
    let error = migrate(&owner).expect_err("refused");
    assert_eq!(error.code(), "database-roles");
    let text = error.to_string();
    let typed = text.split_once("types: ").expect("statements").1;
    superuser.batch_execute(typed).expect("what is told can be typed");
    assert_eq!(migrate(&owner).map(|done| done.to), Ok(VERSION));
}

#[test]
fn the_servers_role_reads_and_calls_functions_and_changes_nothing_itself() {
    let Some(server) = Server::start() else { return };
    let log = server.log("open");
    let command = Batch { texts: vec![entry(1, "Ada")], ..batch(stream(1), Head::EMPTY, 1, 2, 30) };
    Log::append(&log, Head::EMPTY, command).expect("appended");
    log.replace(SideFile::of(Room::Announced, stream(1)), None, b"one").expect("written");

    let tables = "SELECT schemaname || '.' || tablename FROM pg_tables \
                  WHERE schemaname IN ('scrutineer', 'scrutineer_private')";
    let mut superuser = server.connect("open");
    let tables: Vec<String> =
        superuser.query(tables, &[]).expect("rows").iter().map(|row| row.get(0)).collect();
    assert!(tables.len() >= 6, "{tables:?}");
    let mut desk = server.client("desk", "open");
    for table in &tables {
        assert!(desk.query(&format!("SELECT count(*) FROM {table}"), &[]).is_ok(), "{table}");
        for change in [
            format!("INSERT INTO {table} SELECT * FROM {table}"),
            format!("DELETE FROM {table}"),
            format!("TRUNCATE {table}"),
            format!("DROP TABLE {table}"),
            format!("ALTER TABLE {table} DISABLE TRIGGER ALL"),
        ] {
            let error = desk.batch_execute(&change).expect_err(&change);
            assert_eq!(error.code().map(|code| code.code()), Some("42501"), "{change}: {error}");
        }
    }
    for change in [
        "UPDATE scrutineer.records SET bytes = ''",
        "UPDATE scrutineer.streams SET seq = 0",
        "UPDATE scrutineer_private.texts SET text = ''",
        "SELECT scrutineer_private.discard_texts('\\x01010101010101010101010101010101')",
        "CREATE TABLE scrutineer.mine (id integer)",
        "SET ROLE scrutineer_private",
        "SET session_replication_role = replica",
    ] {
        let error = desk.batch_execute(change).expect_err(change);
        assert_eq!(error.code().map(|code| code.code()), Some("42501"), "{change}: {error}");
    }
    // Somebody else who may log in reads nothing.
    superuser.batch_execute("CREATE ROLE stranger LOGIN").expect("a role");
    let mut stranger = server.client("stranger", "open");
    assert!(stranger.query("SELECT * FROM scrutineer.streams", &[]).is_err());

    // The owner may, and is held by the triggers.
    let mut owner = server.client("owner", "open");
    for table in ["records", "commands"] {
        for change in [
            format!("UPDATE scrutineer.{table} SET stream = stream"),
            format!("DELETE FROM scrutineer.{table}"),
            format!("TRUNCATE scrutineer.{table}"),
        ] {
            let refused = owner.batch_execute(&change).expect_err(&change);
            let said = refused.as_db_error().expect("the server answers").message().to_string();
            assert_eq!(said, format!("rows of {table} are only ever added"), "{change}");
        }
    }
    // Texts are really gone, and the events stand.
    log.texts().forget(stream(1), &[1]).expect("forgotten");
    let left = "SELECT count(*) FROM scrutineer_private.texts WHERE text IS NOT NULL";
    assert_eq!(superuser.query_one(left, &[]).expect("a row").get::<_, i64>(0), 0);
    assert_eq!(log.read(stream(1), 0).filter(Result::is_ok).count(), 2);
}
