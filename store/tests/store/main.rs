//! The store: records, logs, what damage does to them, private books.

mod beside;
mod books;
mod conforming;
mod copies;
mod damage;
mod frames;
mod kit;
mod logs;
mod mirrors;
mod openings;
mod places;
mod pressure;
mod records;
mod resealed;
mod shelves;
mod tampered;
