//! The store: records, logs, what damage does to them, private books.

mod beside;
mod books;
mod copies;
mod damage;
mod kit;
mod logs;
mod places;
mod pressure;
mod records;
mod shelves;
