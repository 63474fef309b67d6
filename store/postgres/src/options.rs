//! How patient a log is with its database, and what a node keeps for itself.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

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
    /// What this node has seen of the database; in memory alone unless it was opened from a file.
    pub fence: Arc<Fence>,
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
            key: KeyFrom::Nowhere,
            fence: Arc::default(),
        }
    }
}
