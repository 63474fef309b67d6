//! The engine's traits of storage on PostgreSQL.
#![doc = include_str!("../README.md")]

mod files;
mod log;
mod pages;
mod texts;

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use postgres::{Client, Config, Error, NoTls, Row, Transaction};
use scrutineer_engine::log::{Head, LogError};
use scrutineer_engine::record::{RecordHash, StreamId};

/// Storage in a PostgreSQL database: a log, its private texts and its side files.
pub struct PostgresLog {
    config: Config,
    /// Connections that nobody uses at the moment.
    idle: Mutex<Vec<Client>>,
}

/// Why something was not done.
enum Failure<E> {
    /// The database did not do it.
    Database(Error),
    /// What is stored forbids it.
    Refused(E),
}

impl<E> From<Error> for Failure<E> {
    fn from(error: Error) -> Failure<E> {
        Failure::Database(error)
    }
}

impl PostgresLog {
    /// Opens the log of a database, and makes its tables where they are missing.
    ///
    /// # Errors
    /// When the database can't be reached, or its tables can't be made.
    pub fn open(config: Config) -> Result<PostgresLog, LogError> {
        let log = PostgresLog { config, idle: Mutex::default() };
        log.with(|client| client.batch_execute(include_str!("schema.sql"))).map_err(unread)?;
        Ok(log)
    }

    /// Does something on a connection of its own.
    fn with<T, E: From<Error>>(
        &self,
        work: impl FnOnce(&mut Client) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut client = self.client()?;
        let done = work(&mut client);
        if !client.is_closed() {
            self.idle().push(client);
        }
        done
    }

    /// An idle connection that still works, or a new one.
    fn client(&self) -> Result<Client, Error> {
        loop {
            let Some(mut client) = self.idle().pop() else { return self.config.connect(NoTls) };
            if client.is_valid(Duration::from_secs(5)).is_ok() {
                return Ok(client);
            }
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Client>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something in one transaction while nobody else changes anything of this stream.
    ///
    /// A refusal is committed too: the lock is a change, so that a refusal waits like any other
    /// commit for a standby, and never tells of what a standby may not have.
    fn alone<T, E>(
        &self,
        stream: StreamId,
        work: impl FnOnce(&mut Transaction<'_>, Head) -> Result<T, Failure<E>>,
    ) -> Result<T, Failure<E>> {
        self.with(|client| {
            let mut transaction = client.transaction()?;
            let head = lock(&mut transaction, stream)?;
            let done = work(&mut transaction, head);
            if !matches!(done, Err(Failure::Database(_))) {
                transaction.commit()?;
            }
            done
        })
    }
}

/// Locks a stream until the transaction ends, and returns its end.
fn lock(transaction: &mut Transaction<'_>, stream: StreamId) -> Result<Head, Error> {
    let empty: &[u8] = &Head::EMPTY.hash.0;
    let begin = "INSERT INTO streams VALUES ($1, 0, $2) ON CONFLICT DO NOTHING";
    transaction.execute(begin, &[&&stream.0[..], &empty])?;
    let ask = "SELECT seq, hash FROM streams WHERE stream = $1 FOR UPDATE";
    transaction.query_one(ask, &[&&stream.0[..]]).map(|row| head(&row))
}

fn head(row: &Row) -> Head {
    Head { seq: unsigned(row.get(0)), hash: RecordHash(fixed(row.get(1))) }
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

fn unread(error: Error) -> LogError {
    LogError::Database { reason: reason(&error) }
}

/// What went wrong, in the words of the server where it said something.
fn reason(error: &Error) -> String {
    error.as_db_error().map_or_else(|| error.to_string(), |said| said.message().to_string())
}
