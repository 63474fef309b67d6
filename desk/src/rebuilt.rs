//! What is written of tournaments that were folded under another ruleset: a page, rows for a file, totals.

pub mod page;
mod rows;
mod totals;

pub use rows::{Format, Rows, file_of_store};
pub use totals::Totals;
