//! How patient a log is with its database, and what a node keeps for itself.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::error::DatabaseError;
use crate::fence::Fence;
use crate::key::Key;

/// How many connections a log opens, how long it waits for what, and what this node keeps.
#[derive(Clone, Debug)]
pub struct Options {
    /// The most connections at once.
    pub connections: usize,
    /// How long somebody waits for a free connection.
    pub wait: Duration,
    /// How long a connection may take to be made.
    pub connect_timeout: Duration,
    /// After which time the server gives a statement up.
    pub statement_timeout: Duration,
    /// How long an answer may take: longer than a statement, since a commit waits for a standby.
    pub answer: Duration,
    /// How long something is asked for again where the connection ended, such as while another
    /// server takes over.
    pub patience: Duration,
    /// The key of secret side files.
    pub key: KeyFrom,
    /// Who is told that the database lets somebody wait; none: nobody is.
    pub waits: Option<Arc<Waits>>,
    /// What this node has seen of the database; in memory alone unless it was opened from a file.
    pub fence: Arc<Fence>,
}

/// After which time of waiting somebody is told.
pub(crate) const TOLD_AFTER: Duration = Duration::from_secs(2);
/// How often, however many wait.
const TOLD_EVERY: Duration = Duration::from_secs(10);

/// Who is told, in a sentence, that the database lets somebody wait.
pub struct Waits {
    teller: Box<dyn Fn(&str) + Send + Sync>,
    told: Mutex<Option<Instant>>,
}

impl Waits {
    /// Tells it in this way.
    pub fn new(teller: impl Fn(&str) + Send + Sync + 'static) -> Waits {
        Waits { teller: Box::new(teller), told: Mutex::default() }
    }

    /// Tells why somebody waits, and for how long at most.
    pub(crate) fn tell(&self, why: &str, most: Duration) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.is_some_and(|told| told.elapsed() < TOLD_EVERY) {
            return;
        }
        *told = Some(Instant::now());
        let seconds = most.as_secs().max(1);
        (self.teller)(&format!(
            "waiting for the database, for {seconds} s at most: {why}. What is recorded is asked for again under \
             its own id"
        ));
    }
}

impl fmt::Debug for Waits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Waits")
    }
}

/// Where the key of secret side files comes from.
#[derive(Clone, Debug, Default)]
pub enum KeyFrom {
    /// There is none: no secret file is read or written.
    #[default]
    Nowhere,
    /// This one.
    Given(Key),
    /// That of a file. Where there is none it is made, unless the database uses one already: that of
    /// another node.
    File(PathBuf),
}

impl Options {
    /// What a node uses that keeps its own in this folder: the key in `database.key` or in the file that
    /// `SCRUTINEER_DATABASE_KEY_FILE` names, and in `database.seen` what it has seen of the database.
    ///
    /// # Errors
    /// [`DatabaseError::Node`] where what it has seen can't be read.
    pub fn of_node(folder: &Path) -> Result<Options, DatabaseError> {
        let named = std::env::var_os("SCRUTINEER_DATABASE_KEY_FILE").map(PathBuf::from);
        let key = KeyFrom::File(named.unwrap_or_else(|| folder.join("database.key")));
        let seen = folder.join("database.seen");
        let fence = Fence::open(&seen).map_err(|error| {
            let (file, why) = (seen.display().to_string(), error.to_string());
            DatabaseError::Node { file, why }
        })?;
        Ok(Options { key, fence: Arc::new(fence), ..Options::default() })
    }

    /// How long one answer may take before it is looked whether a standby is missing.
    pub(crate) fn long(&self) -> Duration {
        self.answer.min(self.statement_timeout) / 2
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            connections: 16,
            wait: Duration::from_secs(10),
            connect_timeout: Duration::from_secs(5),
            statement_timeout: Duration::from_secs(15),
            answer: Duration::from_secs(20),
            patience: Duration::from_secs(60),
            key: KeyFrom::Nowhere,
            waits: None,
            fence: Arc::default(),
        }
    }
}
