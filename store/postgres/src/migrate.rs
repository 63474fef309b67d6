//! The tables of a database: migrations with numbers, of which each is run once.

use crate::address::Address;
use crate::connection::Connection;
use crate::error::{DatabaseError, Trouble};
use crate::options::Options;

/// Every migration in order: its number is its place from 1. A migration that was part of a version
/// of the program is never changed: what must change is a new one.
const ALL: &[(&str, &str)] = &[
    ("log", include_str!("../migrations/0001-log.sql")),
    ("texts", include_str!("../migrations/0002-texts.sql")),
    ("files", include_str!("../migrations/0003-files.sql")),
    ("copies", include_str!("../migrations/0004-copies.sql")),
    ("house", include_str!("../migrations/0005-house.sql")),
    ("leases", include_str!("../migrations/0006-leases.sql")),
    ("moved", include_str!("../migrations/0007-moved.sql")),
];

/// The version of the tables that this program works with.
pub const VERSION: u32 = ALL.len() as u32;

/// What a migration did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Migrated {
    /// The version that was there; 0 for an empty database.
    pub from: u32,
    /// The version that is there now.
    pub to: u32,
    /// The migrations that were run, by name.
    pub run: Vec<&'static str>,
}

/// One who migrates at a time, in each database.
const LOCK: &str = "SELECT pg_advisory_xact_lock(7162430812)";

/// The roles are those of all databases of a server: another one may make them at the same time.
const ROLES: &str = "DO $$ DECLARE wanted text; BEGIN
    FOREACH wanted IN ARRAY ARRAY['scrutineer_server', 'scrutineer_private'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN
            BEGIN
                EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
            EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
            END;
        END IF;
    END LOOP;
    IF NOT pg_has_role(current_user, 'scrutineer_private', 'USAGE') THEN
        GRANT scrutineer_private TO CURRENT_USER;
    END IF;
END $$";

const BEGINNING: &str = "
    CREATE SCHEMA scrutineer;
    CREATE SCHEMA scrutineer_private AUTHORIZATION scrutineer_private;
    CREATE TABLE scrutineer.migrations (
        version    integer PRIMARY KEY CHECK (version > 0),
        name       text NOT NULL,
        applied_at timestamptz NOT NULL DEFAULT now()
    )";

/// What is in the schema may be read and called by the server's role, and by nobody else.
const GRANTS: &str = "
    REVOKE ALL ON ALL FUNCTIONS IN SCHEMA scrutineer FROM PUBLIC;
    GRANT USAGE ON SCHEMA scrutineer TO scrutineer_server;
    GRANT SELECT ON ALL TABLES IN SCHEMA scrutineer TO scrutineer_server;
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA scrutineer TO scrutineer_server;
    SET LOCAL ROLE scrutineer_private;
    REVOKE ALL ON ALL FUNCTIONS IN SCHEMA scrutineer_private FROM PUBLIC;
    GRANT USAGE ON SCHEMA scrutineer_private TO scrutineer_server;
    GRANT SELECT ON ALL TABLES IN SCHEMA scrutineer_private TO scrutineer_server;
    RESET ROLE";

/// Makes the tables of a database, or brings them to the version of this program, as its owner.
/// Many may do so at once. Nothing is changed unless all of it can be.
///
/// # Errors
/// [`DatabaseError`] where the database can't be reached, has newer tables, or where the owner may
/// not make roles.
pub fn migrate(address: &Address) -> Result<Migrated, DatabaseError> {
    let options = Options { statement_timeout: LONG, answer: LONG, ..Options::default() };
    let mut owner = Connection::open(address, &options)?;
    let done = run(&mut owner, address);
    if done.is_err() {
        drop(owner.batch("ROLLBACK"));
    }
    done
}

/// Migrations of large tables take their time.
const LONG: std::time::Duration = std::time::Duration::from_secs(3600);

fn run(owner: &mut Connection, address: &Address) -> Result<Migrated, DatabaseError> {
    let failed = |trouble: Trouble| address.failed(trouble);
    // No standby need have it: whoever asks again finds what is there.
    owner.batch("BEGIN").map_err(failed)?;
    owner.batch(LOCK).map_err(failed)?;
    let from = version(owner).map_err(failed)?.unwrap_or(0);
    if from > VERSION {
        return Err(DatabaseError::NewerSchema { found: from, known: VERSION });
    }
    if from == VERSION {
        owner.batch("COMMIT").map_err(failed)?;
        return Ok(Migrated { from, to: from, run: Vec::new() });
    }
    owner.batch(ROLES).map_err(|trouble| match trouble {
        Trouble::Refused { code, reason } if code == "42501" => {
            DatabaseError::NoRoles { owner: address.user().to_string(), reason }
        }
        other => failed(other),
    })?;
    if from == 0 {
        owner.batch(BEGINNING).map_err(failed)?;
    }
    let mut run = Vec::new();
    for (version, (name, statements)) in (1_i32..).zip(ALL).skip(from as usize) {
        owner.batch(statements).map_err(failed)?;
        let note = "INSERT INTO scrutineer.migrations (version, name) VALUES ($1, $2)";
        owner.execute(note, &[&version, name]).map_err(failed)?;
        run.push(*name);
    }
    owner.batch(GRANTS).map_err(failed)?;
    owner.batch("COMMIT").map_err(failed)?;
    Ok(Migrated { from, to: VERSION, run })
}

/// The version of the tables; none where there are none.
fn version(connection: &mut Connection) -> Result<Option<u32>, Trouble> {
    let there = "SELECT EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
                 WHERE n.nspname = 'scrutineer' AND c.relname = 'migrations')";
    if !connection.query_one(there, &[])?.get::<_, bool>(0) {
        return Ok(None);
    }
    let newest = "SELECT coalesce(max(version), 0) FROM scrutineer.migrations";
    let newest: i32 = connection.query_one(newest, &[])?.get(0);
    Ok(u32::try_from(newest).ok())
}

/// Whether the tables are those of this program, for whoever opens the log.
///
/// # Errors
/// [`DatabaseError`] says what to type where they are not.
pub(crate) fn check(connection: &mut Connection, address: &Address) -> Result<(), DatabaseError> {
    match version(connection).map_err(|trouble| address.failed(trouble))? {
        Some(VERSION) => Ok(()),
        Some(found) if found > VERSION => Err(DatabaseError::NewerSchema { found, known: VERSION }),
        Some(found) if found > 0 => Err(DatabaseError::OlderSchema { found, known: VERSION }),
        _ => Err(DatabaseError::NotMigrated { address: address.to_string() }),
    }
}
