//! Bundles that come in: what another desk recorded, checked and taken into a store.

mod adopt;
mod covered;
mod file;
mod import;

pub use adopt::{AdoptError, Adopted, Asked, Outcome, adopt};
pub use covered::Covered;
pub use file::{write_changed, write_file};
pub(crate) use import::{Appending, append_up_to};
pub use import::{ImportError, Imported, Signatures, Wanted, import, is_other_history, is_signed};

#[cfg(test)]
mod tests;
