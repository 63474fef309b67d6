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
pub use options::{KeyFrom, Options};

use std::sync::OnceLock;

use scrutineer_engine::log::Head;
use scrutineer_engine::record::RecordHash;
use tokio_postgres::Row;

use connection::Connection;
use leases::Leases;
use pool::Pool;

/// Storage in a PostgreSQL database: a log, its private texts and its side files.
pub struct PostgresLog {
    pool: Pool,
    /// The key of secret side files, once it was looked for.
    key: OnceLock<Key>,
    leases: Leases,
}

impl PostgresLog {
    /// Opens the log of a database whose tables are there, with the server's role.
    ///
    /// # Errors
    /// [`DatabaseError`] where the database can't be reached, and where its tables are missing,
    /// older or newer: then it says what to type.
    pub fn open(address: Address, options: Options) -> Result<PostgresLog, DatabaseError> {
        let mut first = Connection::open(&address, &options)?;
        migrate::check(&mut first, &address)?;
        let (pool, leases) = (Pool::new(address, options, first), Leases::default());
        Ok(PostgresLog { pool, key: OnceLock::new(), leases })
    }

    /// What this node has seen of the database.
    fn fence(&self) -> &Fence {
        &self.pool.options.fence
    }

    /// Of how many tournaments this node has seen another end than the database has: nothing more is
    /// recorded in them here.
    pub fn forked(&self) -> usize {
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
