//! The engine's traits of storage on PostgreSQL.
#![doc = include_str!("../README.md")]

mod address;
mod changes;
mod connection;
mod copies;
mod error;
mod fence;
mod files;
mod heads;
mod house;
mod key;
mod leases;
mod log;
mod migrate;
mod options;
mod pages;
mod password;
mod pool;
mod texts;
mod tls;

pub use address::Address;
pub use changes::{ChangedStream, Changes, Watcher};
pub use error::DatabaseError;
pub use fence::Fence;
pub use house::{HouseCall, HouseChange, HouseError, HouseRead, HouseRow};
pub use key::Key;
pub use leases::{LEASE, RENEWED};
pub use migrate::{Migrated, VERSION, migrate};
pub use options::{KeyFrom, Options, Waits};

use std::sync::OnceLock;
use std::time::Duration;

use scrutineer_engine::log::{Ends, Head};
use scrutineer_engine::record::{RecordHash, StreamId};
use tokio_postgres::Row;

use connection::Connection;
use leases::Leases;
use pool::{Patience, Pool};

/// Storage in a PostgreSQL database: a log, its private texts and its side files.
pub struct PostgresLog {
    pool: Pool,
    /// The key of secret side files, once it was looked for.
    key: OnceLock<Key>,
    leases: Leases,
}

impl PostgresLog {
    /// Opens the log of a database whose tables are there, with the server's role. One that this node has seen
    /// before is waited for: another server may be taking over.
    ///
    /// # Errors
    /// [`DatabaseError`] where the database can't be reached, and where its tables are missing,
    /// older or newer: then it says what to type.
    pub fn open(address: Address, options: Options) -> Result<PostgresLog, DatabaseError> {
        let is_known = options.fence.timeline() > 0;
        let whole = if is_known { options.patience } else { Duration::ZERO };
        let mut patience = Patience::new(whole, options.waits.as_deref());
        let first = loop {
            let mut opened = Connection::open(&address, &options);
            if let Ok(first) = &mut opened
                && let Err(error) = migrate::check(first, &address)
            {
                opened = Err(error);
            }
            match opened {
                Err(error) if error.is_passing() && patience.waits(&error.to_string()) => {}
                opened => break opened?,
            }
        };
        let (pool, leases) = (Pool::new(address, options, first), Leases::default());
        Ok(PostgresLog { pool, key: OnceLock::new(), leases })
    }

    /// What this node has seen of the database.
    fn fence(&self) -> &Fence {
        &self.pool.options.fence
    }

    /// The tournaments of which this node has seen another end than the database has, with both ends: nothing
    /// more is recorded in them here.
    pub fn forks(&self) -> Vec<(StreamId, Ends)> {
        self.fence().stopped()
    }

    /// Where the database is.
    pub const fn address(&self) -> &Address {
        &self.pool.address
    }
}

/// The end of a stream, in two columns from this one.
fn head(row: &Row, at: usize) -> Head {
    Head { seq: unsigned(row.get(at)), hash: RecordHash(fixed(row.get(at + 1))) }
}

/// Bytes whose number a check of the table holds.
fn fixed<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.try_into().expect("the table checks how many bytes there are")
}

/// PostgreSQL has no unsigned integers: the tables check that none is below zero.
fn unsigned(number: i64) -> u64 {
    u64::try_from(number).expect("the table checks that it is not below zero")
}

/// The largest number of a table stands for all that are larger: nothing has them.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
