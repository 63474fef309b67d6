//! The store: records, logs, what damage does to them, private books.

mod books;
mod damage;
mod kit;
mod logs;
mod records;
