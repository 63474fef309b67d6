//! How patient a log is with its database, and what a node keeps for itself.

use std::sync::Arc;
use std::time::Duration;

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
    /// The key of secret side files; without one none of them is read or written.
    pub key: Option<Key>,
    /// What this node has seen of the database; in memory alone unless it was opened from a file.
    pub fence: Arc<Fence>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            connections: 16,
            wait: Duration::from_secs(10),
            connect_timeout: Duration::from_secs(5),
            statement_timeout: Duration::from_secs(15),
            answer: Duration::from_secs(30),
            patience: Duration::from_secs(60),
            key: None,
            fence: Arc::default(),
        }
    }
}
