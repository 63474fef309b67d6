//! The tables whose result is missing.

use super::desk::{MissingTable, missing_tables};
use super::frame::{Frame, Tab};
use super::{Looked, render};
use askama::Template;
use scrutineer_desk::verb_error::VerbError;

#[derive(Template)]
#[template(path = "missing.html")]
struct Missing {
    frame: Frame,
    rows: Vec<MissingTable>,
    round: u16,
}

/// The tables without a result, for the desk and for runners.
///
/// # Errors
/// Where the store cannot be read.
pub fn page(at: &Looked<'_>) -> Result<String, VerbError> {
    let event = at.load()?;
    render(&Missing {
        frame: Frame::of(at, &event, Tab::None, "missing"),
        rows: missing_tables(&event),
        round: event.state.last_round().map_or(0, |round| round.number),
    })
}
