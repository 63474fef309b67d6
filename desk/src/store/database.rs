//! A store in a PostgreSQL database.

use super::at::DatabaseFault;
use super::{Beside, DatabaseAt, Migrated, Place, Store, StoreError};
use scrutineer_engine::files::SideFiles;
use scrutineer_postgres::{Options, PostgresLog, migrate as make_tables};
use scrutineer_replay::kept::KeptError;
use std::path::Path;
use std::sync::Arc;

/// Opens the store of a database. The node folder is made where there is none.
pub(super) fn open(at: &DatabaseAt) -> Result<Store, StoreError> {
    let options = Options::of_node(at.node()).map_err(DatabaseFault::from)?;
    let log = PostgresLog::open(at.address.clone(), options);
    let log = Arc::new(log.map_err(DatabaseFault::from)?);
    make_node(at.node())?;
    let files: Arc<dyn SideFiles> = Arc::<PostgresLog>::clone(&log);
    Ok(Store::among(Place::Database(log), Beside::of_database(files, at.node())))
}

/// Makes the tables where they are missing, or brings them to this version.
pub(super) fn migrate(at: &DatabaseAt) -> Result<Migrated, StoreError> {
    let done = make_tables(&at.address).map_err(DatabaseFault::from)?;
    Ok(Migrated { from: done.from, to: done.to })
}

/// Makes the folder in which this machine keeps what is its own; nobody else looks into it.
fn make_node(node: &Path) -> Result<(), StoreError> {
    let made = scrutineer_store::files::create_folder(node).and_then(|()| only_own(node));
    made.map_err(|error| {
        let file = node.display().to_string();
        KeptError::Beside { action: "create", file, reason: error.to_string() }.into()
    })
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
