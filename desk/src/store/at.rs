//! Where a store is: a folder, or a PostgreSQL database with a folder of this machine beside it.

use scrutineer_engine::error::Code;
use std::fmt;
use std::path::{Path, PathBuf};

#[cfg(feature = "postgres")]
pub(super) use scrutineer_postgres::Address;
/// Without PostgreSQL there is no database.
#[cfg(not(feature = "postgres"))]
pub(super) type Address = std::convert::Infallible;

/// The variable that names the node folder.
const NODE: &str = "SCRUTINEER_NODE";

/// What is wrong with a database, as the crate that speaks to it says it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct DatabaseFault {
    /// The stable code.
    pub code: Code,
    /// The sentence.
    pub message: String,
    /// What to do next.
    pub hint: &'static str,
}

#[cfg(feature = "postgres")]
impl From<scrutineer_postgres::DatabaseError> for Box<DatabaseFault> {
    fn from(error: scrutineer_postgres::DatabaseError) -> Box<DatabaseFault> {
        let (code, hint) = (error.code(), error.hint());
        Box::new(DatabaseFault { code, message: error.to_string(), hint })
    }
}

scrutineer_engine::errors! {
    /// Why a store cannot be where somebody typed.
    #[derive(Clone, PartialEq, Eq)]
    pub enum PlaceError -> &'static str {
        /// It is no address of a database that can be used.
        Database(#[from] Box<DatabaseFault>) => (fault) fault.code, "{0}", fault.hint;
        /// A program without databases.
        NoDatabase = invalid "no-postgresql", "this program was built without PostgreSQL",
            "take a program that has it, or name a folder with --store";
        /// There is no home folder.
        NoNodeFolder = not_found "no-node-folder",
            "there is no folder for what this machine keeps about a database",
            "name one with --node <folder>, or SCRUTINEER_NODE";
    }
}

/// Where a store is.
#[derive(Clone, PartialEq, Eq)]
pub enum StoreAt {
    /// In a folder.
    Folder(PathBuf),
    /// In a database.
    Database(DatabaseAt),
}

/// The address of a database, and the folder in which this machine keeps what is its own about it.
#[derive(Clone)]
pub struct DatabaseAt {
    pub(super) address: Box<Address>,
    /// What no two databases share.
    name: String,
    node: PathBuf,
}

impl StoreAt {
    /// Reads where a store is: an address that begins like one of a database, or else a folder. Without
    /// a node folder a database has one among this user's data.
    ///
    /// # Errors
    /// [`PlaceError`]: an address that cannot be one, or that names several hosts.
    pub fn new(typed: &Path, node: Option<PathBuf>) -> Result<StoreAt, PlaceError> {
        match typed.to_str().and_then(address) {
            None => Ok(StoreAt::Folder(typed.to_path_buf())),
            Some(read) => Ok(StoreAt::Database(DatabaseAt::new(read?, node)?)),
        }
    }

    /// The folder that the store is in; none: it is in a database.
    pub fn in_folder(&self) -> Option<&Path> {
        match self {
            StoreAt::Folder(folder) => Some(folder),
            StoreAt::Database(_) => None,
        }
    }

    /// The folder in which this machine keeps what is no part of the log: the store's own, or the node
    /// folder of a database.
    pub fn folder(&self) -> &Path {
        match self {
            StoreAt::Folder(folder) => folder,
            StoreAt::Database(database) => &database.node,
        }
    }
}

/// The address of a database; none where a folder is meant.
#[cfg(feature = "postgres")]
fn address(typed: &str) -> Option<Result<Address, PlaceError>> {
    Address::is_meant(typed)
        .then(|| Address::parse(typed).map_err(|error| Box::<DatabaseFault>::from(error).into()))
}

/// The same, where there are no databases.
#[cfg(not(feature = "postgres"))]
fn address(typed: &str) -> Option<Result<Address, PlaceError>> {
    let is_meant = ["postgres://", "postgresql://"].iter().any(|start| typed.starts_with(start));
    is_meant.then_some(Err(PlaceError::NoDatabase))
}

/// As messages name it: without a password.
impl fmt::Display for StoreAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreAt::Folder(folder) => folder.display().fmt(f),
            StoreAt::Database(database) => database.fmt(f),
        }
    }
}

/// As messages name it: without a password.
impl fmt::Display for DatabaseAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.address.fmt(f)
    }
}

/// Shows no password, so that none is in a message or a log.
impl fmt::Debug for StoreAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoreAt({self})")
    }
}

/// The same database, whoever logs in.
impl PartialEq for DatabaseAt {
    fn eq(&self, other: &DatabaseAt) -> bool {
        (&self.name, &self.node) == (&other.name, &other.node)
    }
}

impl Eq for DatabaseAt {}

impl DatabaseAt {
    fn new(address: Address, node: Option<PathBuf>) -> Result<DatabaseAt, PlaceError> {
        let whole = address.to_string();
        // Who logs in is no part of which database it is.
        let name = whole.rsplit_once('@').map_or(whole.as_str(), |(_, name)| name).to_string();
        let node = match node.or_else(|| set(NODE).map(PathBuf::from)) {
            Some(node) => node,
            None => nodes().ok_or(PlaceError::NoNodeFolder)?.join(node_of(&name)),
        };
        Ok(DatabaseAt { address: Box::new(address), name, node })
    }

    /// The folder in which this machine keeps what is its own about the database.
    pub fn node(&self) -> &Path {
        &self.node
    }

    /// The id that the store shares with its copies: every copy of a database has the same.
    pub fn id(&self) -> [u8; 16] {
        let mut id = [0; 16];
        let hash = blake3::derive_key("scrutineer 2026 database v1", self.name.as_bytes());
        id.copy_from_slice(&hash[..16]);
        id
    }

    /// What no two databases share.
    #[cfg(feature = "postgres")]
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The address, for who speaks to the database.
    #[cfg(feature = "postgres")]
    pub fn address(&self) -> &Address {
        &self.address
    }
}

/// The name of a database's node folder: it tells nothing, and no two databases share it.
fn node_of(name: &str) -> String {
    blake3::hash(name.as_bytes()).to_hex().as_str()[..16].to_string()
}

/// Where node folders are: among this user's data, as the platform has it.
fn nodes() -> Option<PathBuf> {
    let data = match set("XDG_DATA_HOME").or_else(|| set("LOCALAPPDATA")) {
        Some(data) => PathBuf::from(data),
        None => {
            let home = std::env::home_dir().filter(|home| !home.as_os_str().is_empty())?;
            home.join(".local").join("share")
        }
    };
    Some(data.join("scrutineer").join("nodes"))
}

fn set(name: &str) -> Option<std::ffi::OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

#[cfg(all(test, feature = "postgres"))]
mod tests {
    use super::*;

    fn at(typed: &str) -> Result<StoreAt, PlaceError> {
        StoreAt::new(Path::new(typed), Some("node".into()))
    }

    #[test]
    fn a_folder_is_one_whatever_it_is_called() {
        for typed in ["store", "postgres", "a/postgres:/b", "C:\\stores\\one"] {
            assert_eq!(at(typed), Ok(StoreAt::Folder(typed.into())));
        }
    }

    #[test]
    fn no_message_shows_a_password() {
        let found = at("postgres://desk:secret@db.example:5433/cups").expect("an address");
        assert!(!format!("{found} {found:?}").contains("secret"), "{found}");
        assert_eq!(found.folder(), Path::new("node"));
        for typed in ["postgres://desk:secret@a,b/cups", "postgres://desk:secret@a:x/cups"] {
            let refused = at(typed).expect_err(typed);
            assert!(!format!("{refused} {refused:?}").contains("secret"), "{refused}");
        }
    }

    #[test]
    fn each_database_has_a_node_folder_of_its_own() {
        let folder = |typed: &str| {
            let address = Address::parse(typed).expect("an address");
            DatabaseAt::new(address, None).expect("a place").node().to_path_buf()
        };
        let own = folder("postgres://desk@db/cups");
        assert_eq!(own, folder("postgresql://other:x@db:5432/cups?connect_timeout=3"));
        for other in ["postgres://u@db/cup", "postgres://u@dc/cups", "postgres://u@db:5433/cups"] {
            assert_ne!(own, folder(other), "{other}");
        }
    }
}
