//! A store and its publisher: where the store of a venue is enrolled, so that it pushes what is public and
//! hears of new rules; and what a publisher's server has for the stores that are enrolled there.

pub mod editions;
pub mod stores;
mod venue;

pub use venue::{WantedPublisher, attend, end, enroll, form, page, stands};
