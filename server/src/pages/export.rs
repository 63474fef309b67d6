//! A tournament as a file of another program: the formats, and what each cannot hold, before it is downloaded.

use super::frame::{Frame, Tab};
use super::{Looked, render};
use crate::exports::{ExportFormat, SHEETS, formats};
use crate::gate::Need;
use crate::language::Language;
use askama::Template;
use scrutineer_desk::outgoing::given;
use scrutineer_desk::verb_error::VerbError;

#[derive(Template)]
#[template(path = "export.html")]
struct ExportPage {
    frame: Frame,
    id: String,
    /// Whether every private text may go out.
    is_owner: bool,
    formats: Vec<ExportFormat>,
    /// Why there are none.
    refused: Option<VerbError>,
    /// How large a file to write into is at most.
    mebibytes: usize,
}

/// What a format is called.
fn called(w: &Language, one: &ExportFormat) -> String {
    match SHEETS.contains(&one.format) {
        true => w.word("export-sheet", one.format),
        false => w.word("export-as", one.format),
    }
}

/// The formats of a tournament.
///
/// # Errors
/// Where it cannot be read.
pub fn page(at: &Looked<'_>) -> Result<String, VerbError> {
    let event = at.load()?;
    let (formats, refused) = match given(at.store, at.stream, true) {
        Ok((event, standings)) => (formats(&event, &standings), None),
        Err(error) => (Vec::new(), Some(error)),
    };
    let id = at.stream.to_string();
    let mebibytes = crate::uploads::MOST_BYTES >> 20;
    let frame = Frame::of(at, &event, Tab::None, "export");
    let is_owner = Need::Owner.admits(at.role);
    render(&ExportPage { frame, id, is_owner, formats, refused, mebibytes })
}
