//! The command beside a running server, which has the store.

use crate::error::VerbError;
use scrutineer_desk::asker::Asker;
use scrutineer_desk::floor::Floor;
use scrutineer_desk::orders::{New, Order, Told};
use scrutineer_desk::store::{CarriedHouse, DatabaseAt, Store, StoreAt};
use scrutineer_engine::error::Code;
use scrutineer_engine::record::StreamId;
use std::path::Path;

/// What a server said to orders.
pub struct Heard {
    /// The answer to each.
    pub answers: Vec<Result<Told, VerbError>>,
    /// What is to be known beside them.
    pub notes: Vec<String>,
}

/// A server that has a store. Without the feature `serve` there is none.
pub struct Beside {
    #[cfg(feature = "serve")]
    server: scrutineer_server::local::Server,
    #[cfg(not(feature = "serve"))]
    never: std::convert::Infallible,
}

/// Refuses to record in the store of a folder that is not the desk's. The other laptop is asked first, where there
/// is one; what is given is to be told where it did not answer.
#[cfg(feature = "serve")]
pub fn may_record_in(folder: &Path) -> Result<Option<String>, VerbError> {
    match scrutineer_server::local::Server::of(folder) {
        // It asks by itself, and keeps what it hears in the same file.
        Some(_) => as_heard_last(folder),
        None => scrutineer_server::second::may_record_in(folder),
    }
}

/// As it was heard last: without a server nobody asks another laptop.
#[cfg(not(feature = "serve"))]
pub fn may_record_in(folder: &Path) -> Result<Option<String>, VerbError> {
    as_heard_last(folder)
}

fn as_heard_last(folder: &Path) -> Result<Option<String>, VerbError> {
    scrutineer_desk::standing::Standing::read(folder)?.check()?;
    Ok(None)
}

/// A store that a server has closed for as long as this is there.
pub struct Lent {
    #[cfg(feature = "serve")]
    _lent: scrutineer_server::local::Lent,
}

/// The floor of a tournament, from the server that has the store or from its house; none: there is no
/// such thing here.
#[cfg(feature = "serve")]
pub fn floor_of(
    at: &StoreAt,
    open: impl FnOnce() -> Result<Store, VerbError>,
    stream: StreamId,
) -> Result<Option<Floor>, VerbError> {
    match at {
        StoreAt::Folder(folder) => scrutineer_server::floor_api::of_store(folder, stream),
        StoreAt::Database(_) => scrutineer_server::floor::in_database(&open()?, stream),
    }
}

/// The floor of a tournament: without a server there is none.
#[cfg(not(feature = "serve"))]
pub fn floor_of(
    _: &StoreAt,
    _: impl FnOnce() -> Result<Store, VerbError>,
    _: StreamId,
) -> Result<Option<Floor>, VerbError> {
    Ok(None)
}

/// The refusal of a server that left something without an answer.
pub fn no_answer() -> VerbError {
    let hint = "look whether it was done: `scrutineer log`";
    let message = "the server of this store did not say what became of it";
    VerbError::new(Code::unknown_outcome("server-not-heard"), message, hint)
}

/// Writes who may do what beside the journal as it stands now: in a copy of a store it is at rest.
#[cfg(feature = "serve")]
pub fn copy_house(folder: &Path) -> Result<(), VerbError> {
    match scrutineer_server::local::Server::of(folder) {
        Some(server) => server.copy_house(),
        None => scrutineer_server::house::copy_at_rest(folder),
    }
}

/// As it was when its server ended.
#[cfg(not(feature = "serve"))]
pub fn copy_house(_: &Path) -> Result<(), VerbError> {
    Ok(())
}

/// Carries who may do what and the floors from one store to another; none: without a server nobody keeps
/// them.
#[cfg(feature = "serve")]
pub fn carry_house(
    from: (&Store, &StoreAt),
    to: (&Store, &StoreAt),
) -> Result<Option<CarriedHouse>, VerbError> {
    scrutineer_server::house::carry_house(from, to).map(Some)
}

/// Nobody keeps them here.
#[cfg(not(feature = "serve"))]
pub fn carry_house(
    _: (&Store, &StoreAt),
    _: (&Store, &StoreAt),
) -> Result<Option<CarriedHouse>, VerbError> {
    Ok(None)
}

/// Writes who may do what and the floors of a database into the folder of a copy of it.
#[cfg(feature = "serve")]
pub fn copy_of_house(
    store: &Store,
    at: &DatabaseAt,
    folder: &Path,
) -> Result<CarriedHouse, VerbError> {
    scrutineer_server::house::copy_of(store, at, folder)
}

/// Nobody keeps them here.
#[cfg(not(feature = "serve"))]
pub fn copy_of_house(_: &Store, _: &DatabaseAt, _: &Path) -> Result<CarriedHouse, VerbError> {
    Ok(CarriedHouse::default())
}

/// Brings who may do what and the floors of a store in a folder into a database.
#[cfg(feature = "serve")]
pub fn bring_house(folder: &Path, store: &Store) -> Result<CarriedHouse, VerbError> {
    scrutineer_server::house::bring_copy(folder, store)
}

/// Nobody keeps them here.
#[cfg(not(feature = "serve"))]
pub fn bring_house(_: &Path, _: &Store) -> Result<CarriedHouse, VerbError> {
    Ok(CarriedHouse::default())
}

#[cfg(feature = "serve")]
impl Beside {
    /// The server that has the store of this folder.
    pub fn of(folder: &Path) -> Option<Beside> {
        Some(Beside { server: scrutineer_server::local::Server::of(folder)? })
    }

    /// Has orders carried out.
    pub fn orders(
        &self,
        asker: &Asker,
        tournament: &str,
        orders: Vec<Order>,
    ) -> Result<Heard, VerbError> {
        let heard = self.server.orders(asker, Some(tournament), orders)?;
        Ok(Heard { answers: heard.answers, notes: heard.notes })
    }

    /// Has a tournament opened, and gives its id.
    pub fn open(&self, asker: &Asker, new: New) -> Result<(String, Told), VerbError> {
        self.server.open(asker, new)
    }

    /// Has the store mirrored in a folder from now on; none: nowhere.
    pub fn mirror(&self, folder: Option<&Path>) -> Result<(), VerbError> {
        self.server.mirror(folder)
    }

    /// Has the store lent.
    pub fn lend(self) -> Result<Lent, VerbError> {
        Ok(Lent { _lent: self.server.lend()? })
    }
}

#[cfg(not(feature = "serve"))]
impl Beside {
    /// The server that has the store of this folder: none is known here.
    pub fn of(_: &Path) -> Option<Beside> {
        None
    }

    /// Never called: there is no server.
    pub fn orders(&self, _: &Asker, _: &str, _: Vec<Order>) -> Result<Heard, VerbError> {
        match self.never {}
    }

    /// Never called: there is no server.
    pub fn open(&self, _: &Asker, _: New) -> Result<(String, Told), VerbError> {
        match self.never {}
    }

    /// Never called: there is no server.
    pub fn mirror(&self, _: Option<&Path>) -> Result<(), VerbError> {
        match self.never {}
    }

    /// Never called: there is no server.
    pub fn lend(self) -> Result<Lent, VerbError> {
        match self.never {}
    }
}
