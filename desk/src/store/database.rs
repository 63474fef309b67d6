//! A store in a PostgreSQL database.

use super::DatabaseFault;
use super::{Beside, DatabaseAt, Migrated, Place, Store, StoreError};
use crate::files;
use scrutineer_engine::files::SideFiles;
use scrutineer_engine::handler::WAITING;
use scrutineer_postgres::{Options, PostgresLog, Waits, migrate as make_tables};
use scrutineer_replay::kept::KeptError;
use scrutineer_store::{Notice, Teller};
use std::path::Path;
use std::sync::Arc;

/// Opens the store of a database. The node folder is made where there is none. Somebody is told where the
/// database lets others wait.
pub(super) fn open(at: &DatabaseAt, teller: Option<Teller>) -> Result<Store, StoreError> {
    check_node(at)?;
    let mut options = Options::of_node(at.node()).map_err(Box::<DatabaseFault>::from)?;
    let tells = |Teller(teller)| {
        let tell = move |text: &str| {
            teller(&Notice { code: WAITING.word, text: text.to_string() });
        };
        Arc::new(Waits::new(tell))
    };
    options.waits = teller.map(tells);
    let log = PostgresLog::open(at.address().clone(), options);
    let log = Arc::new(log.map_err(Box::<DatabaseFault>::from)?);
    make_node(at)?;
    let files: Arc<dyn SideFiles> = Arc::<PostgresLog>::clone(&log);
    Ok(Store::among(Place::Database(log), Beside::of_database(files, at.node())))
}

/// Makes the tables where they are missing, or brings them to this version.
pub(super) fn migrate(at: &DatabaseAt) -> Result<Migrated, StoreError> {
    let done = make_tables(&at.address).map_err(Box::<DatabaseFault>::from)?;
    Ok(Migrated { from: done.from, to: done.to })
}

/// The file of a node folder that says of which database it is.
const OF: &str = "database";
/// The longest such file, in bytes.
const LONGEST: u64 = 4 << 10;

/// Refuses a node folder of another database: ends of streams that were seen there would be missed here.
fn check_node(at: &DatabaseAt) -> Result<(), StoreError> {
    let file = at.node().join(OF);
    let read = files::read(&file, LONGEST).map_err(|error| not_kept("read", &file, &error))?;
    match read.map(|bytes| String::from_utf8_lossy(&bytes).trim().to_string()) {
        Some(of) if of != at.name() => {
            Err(StoreError::OtherNode { folder: at.node().to_path_buf(), of })
        }
        _ => Ok(()),
    }
}

/// Makes the folder in which this machine keeps what is its own; nobody else looks into it.
fn make_node(at: &DatabaseAt) -> Result<(), StoreError> {
    let (node, file) = (at.node(), at.node().join(OF));
    let made = scrutineer_store::files::create_folder(node).and_then(|()| only_own(node));
    made.map_err(|error| not_kept("create", node, &error))?;
    match file.exists() {
        true => Ok(()),
        false => {
            let kept = files::replace(&file, format!("{}\n", at.name()).as_bytes());
            kept.map_err(|error| not_kept("write", &file, &error))
        }
    }
}

fn not_kept(action: &'static str, file: &Path, error: &std::io::Error) -> StoreError {
    let (file, reason) = (file.display().to_string(), error.to_string());
    KeptError::Beside { action, file, reason }.into()
}

#[cfg(unix)]
fn only_own(node: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(node, std::fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
fn only_own(_: &Path) -> std::io::Result<()> {
    Ok(())
}

impl Store {
    /// The same store once more, for work that must not keep the other one from being lent; none: it is in no
    /// database.
    pub fn once_more(&self) -> Option<Store> {
        let log = self.database()?;
        let node = self.checkpoints.0.folder()?;
        let files: Arc<dyn SideFiles> = Arc::<PostgresLog>::clone(&log);
        let beside = Beside::of_database(files, node);
        Some(Store::among(Place::Database(log), beside))
    }

    /// The database that the store is in; none: it is in a folder or in memory.
    pub fn database(&self) -> Option<Arc<PostgresLog>> {
        match &self.log {
            Place::Database(log) => Some(Arc::clone(log)),
            _ => None,
        }
    }
}
