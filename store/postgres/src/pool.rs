//! The connections of a log: as many as are needed, and never more than there may be.

use std::ops::{Deref, DerefMut};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::address::Address;
use crate::connection::Connection;
use crate::error::Trouble;
use crate::options::{Options, TOLD_AFTER, Waits};

/// The connections to one database.
pub(crate) struct Pool {
    pub(crate) address: Address,
    pub(crate) options: Options,
    state: Mutex<State>,
    freed: Condvar,
}

#[derive(Default)]
struct State {
    /// Connections that nobody uses at the moment, the one that was used last at the end.
    idle: Vec<Connection>,
    /// How many there are, used ones too.
    open: usize,
}

impl Pool {
    pub(crate) fn new(address: Address, options: Options, first: Connection) -> Pool {
        let state = State { idle: vec![first], open: 1 };
        Pool { address, options, state: Mutex::new(state), freed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A connection for somebody who gives it back by dropping it.
    fn take(&self) -> Result<Taken<'_>, Trouble> {
        let until = Instant::now() + self.options.wait;
        let mut state = self.state();
        loop {
            if let Some(connection) = state.idle.pop() {
                if connection.is_usable() {
                    return Ok(Taken { pool: self, connection: Some(connection) });
                }
                state.open -= 1;
                continue;
            }
            if state.open < self.options.connections.max(1) {
                state.open += 1;
                drop(state);
                // Its place is given back where no connection is made.
                let mut taken = Taken { pool: self, connection: None };
                taken.connection = Some(Connection::connect(&self.address, &self.options)?);
                return Ok(taken);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let reason = format!(
                    "all {} connections were in use for {} s",
                    self.options.connections,
                    self.options.wait.as_secs()
                );
                return Err(Trouble::NotDone { reason });
            }
            let waited = self.freed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Does something once, on a connection of its own.
    pub(crate) fn once<T, E: From<Trouble>>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut taken = self.take()?;
        work(&mut taken)
    }

    /// Does something that may be done twice, and asks for it again while the answer may be another
    /// one soon: a connection ended, or another server takes over.
    pub(crate) fn again<T>(
        &self,
        mut work: impl FnMut(&mut Connection) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let mut patience = self.patience();
        loop {
            match self.tried(&mut work) {
                Err(trouble) if trouble.is_passing() && patience.waits(&trouble.reason()) => {}
                answered => return answered,
            }
        }
    }

    /// How long this log asks again.
    pub(crate) fn patience(&self) -> Patience<'_> {
        Patience::new(self.options.patience, self.options.waits.as_deref())
    }

    /// As [`Pool::once`]. Where the answer takes long since no standby confirms anything, that is the answer:
    /// whoever asks again waits as long once more.
    pub(crate) fn tried<T>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let mut asked = None;
        let answered = self.once(|connection| {
            asked = Some(Instant::now());
            work(connection)
        });
        let long = self.options.long();
        match answered {
            Err(trouble)
                if trouble.is_passing()
                    && asked.is_some_and(|asked| asked.elapsed() >= long)
                    && self.once(|connection| connection.lacks_standby(long)) == Ok(true) =>
            {
                Err(Trouble::NoStandby { is_unknown: trouble.is_unknown() })
            }
            answered => answered,
        }
    }
}

/// How long something is tried again.
pub(crate) struct Patience<'a> {
    begun: Instant,
    until: Instant,
    pause: Option<Duration>,
    /// Who is told that it takes long.
    waits: Option<&'a Waits>,
}

impl Patience<'_> {
    pub(crate) fn new(whole: Duration, waits: Option<&Waits>) -> Patience<'_> {
        let begun = Instant::now();
        Patience { begun, until: begun + whole, pause: None, waits }
    }

    /// Waits a while, at first not at all, and says whether there is patience left.
    pub(crate) fn waits(&mut self, why: &str) -> bool {
        const LONGEST: Duration = Duration::from_millis(500);
        let pause = self.pause.unwrap_or_default();
        let now = Instant::now();
        if now + pause >= self.until {
            return false;
        }
        if let Some(waits) = self.waits.filter(|_| self.begun.elapsed() >= TOLD_AFTER) {
            waits.tell(why, self.until - now);
        }
        self.pause = Some((pause * 2).clamp(Duration::from_millis(10), LONGEST));
        thread::sleep(pause);
        true
    }
}

/// A connection that goes back when this is dropped.
pub(crate) struct Taken<'a> {
    pool: &'a Pool,
    connection: Option<Connection>,
}

impl Deref for Taken<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection.as_ref().expect("it is there until it is dropped")
    }
}

impl DerefMut for Taken<'_> {
    fn deref_mut(&mut self) -> &mut Connection {
        self.connection.as_mut().expect("it is there until it is dropped")
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        let connection = self.connection.take().filter(Connection::is_usable);
        let mut state = self.pool.state();
        match connection {
            Some(connection) => state.idle.push(connection),
            None => state.open -= 1,
        }
        drop(state);
        self.pool.freed.notify_one();
    }
}
