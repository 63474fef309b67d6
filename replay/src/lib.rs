//! How we know: stores of many events, what came in from elsewhere, and how it is checked.
#![doc = include_str!("../README.md")]

pub mod announced;
pub mod archive;
pub mod as_of;
pub mod bundle;
pub mod desk;
pub mod dispute;
pub(crate) mod files;
pub mod film;
pub mod forget;
pub mod import;
pub mod in_order;
pub mod kind;
pub mod mirror;
pub mod page;
pub mod published;
pub mod rebuild;
pub mod redraw;
pub mod sheets;
pub mod simulate;
pub mod staff;
pub mod trust;
pub mod verify;
pub mod what_if;

pub use files::publish;
