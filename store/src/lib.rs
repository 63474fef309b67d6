//! Where it is kept: tournaments in a folder, and copies of them.
#![doc = include_str!("../README.md")]

mod checked;
mod combine;
mod committer;
mod copying;
mod damage;
mod durable;
mod embedded;
pub mod files;
mod frame;
mod heads;
mod identity;
mod index;
mod journal;
#[cfg(test)]
mod kit;
mod ledger;
mod mended;
mod mirror;
mod options;
mod readonly;
mod recover;
mod segment;
mod shelf;
mod side_files;
mod sled_folder;
mod store;
mod stream;
mod summary;
pub mod texts;
mod trees;

pub use combine::{CombineError, Combined, Left, combine_journals};
pub use embedded::{EmbeddedLog, lock_store};
pub use identity::{Identity, Kind, id_of_journal};
pub use index::{JournalIndex, StreamReader};
pub use mended::MendedLog;
pub use mirror::{Backup, backup, remember, remembered};
pub use options::{
    Lost, Mirror, MirrorError, MirrorStanding, Notice, OpenError, Options, Stats, Teller,
};
pub use readonly::ReadOnlyLog;
pub use side_files::FolderFiles;

use scrutineer_engine::log::{
    AppendError, Batch, BatchError, CommandTrace, Head, Log, LogError, Records,
};
