//! The only writer, over the log in memory and over a store in a folder.

mod desk;
mod kept;
mod long;
mod private;
mod racing;
mod repeated;
