//! Private texts in a folder: one plain file for each tournament, and copies of it brought up to
//! date, checked, and put together again.

mod carry;
mod folder;

pub use carry::{BookState, Merged, carry_book, check_book, merge_books};
pub use folder::{FolderTexts, system_salt};
