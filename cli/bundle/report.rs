//! `export --format`: a file of another program.

use super::sheets::whether_named;
use crate::Report;
use crate::args;
use crate::error::VerbError;
use crate::output::publish;
use crate::session::{Session, read_bounded};
use scrutineer_desk::answers::{ExportReportAnswer, line};
use scrutineer_desk::outgoing::{given, written};
use scrutineer_desk::store::Store;
use scrutineer_engine::record::StreamId;
use scrutineer_formats::{File, Format, limits};
use std::path::Path;

/// Writes the file.
pub fn write(
    session: &Session,
    store: &Store,
    stream: StreamId,
    format: &dyn Format,
    file: &Path,
    options: &args::Export,
) -> Result<Report, VerbError> {
    let (event, standings) = given(store, stream, options.roster)?;
    let before = match &options.into {
        Some(path) => Some((path.display().to_string(), read_bounded(path, limits::FILE_BYTES)?)),
        None => None,
    };
    let into = before.as_ref().map(|(name, bytes)| File::new(name, bytes));
    let written = written(&event, &standings, format, into.as_ref())?;
    publish(file, written.text.as_bytes(), options.force)?;
    let path = file.display().to_string();
    Ok(Report::yes(match session.json {
        true => line(&ExportReportAnswer {
            tournament: (&event).into(),
            file: path,
            left_out: written.left_out,
        }),
        false => {
            let names = whether_named(options.roster);
            let left_out = written.left_out.iter().map(|what| format!("not in it: {what}\n"));
            format!("{names}\n{}written to {path}\n", left_out.collect::<String>())
        }
    }))
}
