//! The bytes of every kind of event, of records and of a journal's frame. A line of `events.txt`,
//! once released, never changes: whoever holds an old log reads it with new code.

#![allow(clippy::disallowed_methods, reason = "tests read documents")]

mod document;
mod kit;
mod limits;
mod lines;
mod records;
mod refs;
mod samples;
mod strict;
