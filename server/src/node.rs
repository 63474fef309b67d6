//! A server that shares a database with others: whether the database answers, what was written here, and
//! whether this one does what is done once for all of them.

use crate::house::not_kept;
use crate::problem::waiting_for_database;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::log::{Ends, Head};
use scrutineer_engine::record::{StreamId, to_hex};
use scrutineer_postgres::{PostgresLog, Watcher};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::timeout;

/// How long a request waits for a database that is away.
const PATIENCE: Duration = Duration::from_secs(2);

/// What a server knows of the database that it shares.
pub struct Node {
    log: Arc<PostgresLog>,
    /// Why the database is away; none: it answers.
    away: watch::Sender<Option<String>>,
    /// Whether the database takes changes.
    is_writable: watch::Sender<bool>,
    /// Where tournaments ended when they were written here last.
    written: Mutex<HashMap<StreamId, Head>>,
    /// The tournaments of which it was told that the database is not the one that was seen.
    told: Mutex<HashSet<StreamId>>,
}

impl Node {
    /// Takes part at a database, under a name of its own.
    ///
    /// # Errors
    /// `secret-not-kept` where this machine has the key of another database; where the system has no random bytes.
    pub(crate) fn at(log: Arc<PostgresLog>) -> Result<Node, VerbError> {
        log.check_key().map_err(|error| {
            let hint = "all machines of a database have the same key: bring it, and start again";
            VerbError::new(Code::io("secret-not-kept"), error.to_string(), hint)
        })?;
        let mut bytes = [0; 8];
        getrandom::fill(&mut bytes).map_err(not_kept)?;
        log.take_part(&to_hex(&bytes));
        let (away, is_writable) = (watch::channel(None).0, watch::channel(true).0);
        Ok(Node { log, away, is_writable, written: Mutex::default(), told: Mutex::default() })
    }

    /// Returns who asks the database what changes.
    pub(crate) fn watcher(&self) -> Watcher {
        Watcher::new(Arc::clone(&self.log))
    }

    /// Notes that the database answers, and whether it takes changes.
    pub(crate) fn answers(&self, is_writable: bool) {
        self.is_writable.send_if_modified(|known| {
            let is_news = *known != is_writable;
            *known = is_writable;
            is_news
        });
        self.away.send_if_modified(|away| away.take().is_some());
    }

    /// Notes why the database does not answer.
    pub(crate) fn is_away(&self, why: String) {
        self.away.send_if_modified(|away| away.replace(why).is_none());
    }

    /// Notes where a tournament ends as it was heard; returns whether that is as it was written here last.
    pub(crate) fn heard(&self, stream: StreamId, head: Head) -> bool {
        self.log.ends_at(stream, head);
        self.written().get(&stream) == Some(&head)
    }

    /// Returns the tournaments of which a fork was seen since this was asked last, with both ends.
    pub(crate) fn new_forks(&self) -> Vec<(StreamId, Ends)> {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        self.log.forks().into_iter().filter(|(stream, _)| told.insert(*stream)).collect()
    }

    fn written(&self) -> MutexGuard<'_, HashMap<StreamId, Head>> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes where a tournament ends that was written here: those who watch are told already.
    pub(crate) fn wrote(&self, stream: StreamId, head: Head) {
        self.written().insert(stream, head);
    }

    /// Returns whether this server does what is done once for the whole store.
    pub(crate) fn does_for_all(&self) -> bool {
        self.log.holds_store()
    }

    /// Returns why nothing can be written; none: it can.
    pub fn trouble(&self) -> Option<String> {
        let away = self.away.borrow().as_ref().map(|why| waiting_for_database(why).message);
        let follows = || "the database takes no changes".to_string();
        away.or_else(|| (!*self.is_writable.borrow()).then(follows))
    }

    /// Refuses at once what needs a database that is away.
    ///
    /// # Errors
    /// `waiting-for-database`.
    pub(crate) fn check(&self) -> Result<(), VerbError> {
        match &*self.away.borrow() {
            Some(why) => Err(waiting_for_database(why)),
            None => Ok(()),
        }
    }

    /// Waits a moment for a database that is away.
    ///
    /// # Errors
    /// `waiting-for-database` where it stays away.
    pub(crate) async fn is_there(&self) -> Result<(), VerbError> {
        let mut away = self.away.subscribe();
        // Whether it came is looked at once more.
        let _ = timeout(PATIENCE, away.wait_for(Option::is_none)).await;
        self.check()
    }
}
