//! `export --trf`: FIDE's tournament report.

use super::sheets::{folded, whether_named};
use crate::Report;
use crate::args;
use crate::error::VerbError;
use crate::output::publish;
use crate::session::Session;
use scrutineer_desk::answers::{ExportReportAnswer, line};
use scrutineer_desk::store::Store;
use scrutineer_engine::record::StreamId;
use scrutineer_formats::trf::write as written;
use scrutineer_replay::neutral::neutral;
use std::path::Path;

/// Writes the file.
pub fn write(
    session: &Session,
    store: &Store,
    stream: StreamId,
    file: &Path,
    options: &args::Export,
) -> Result<Report, VerbError> {
    let (event, standings) = folded(session, store, stream, options.roster)?;
    let written = written(&neutral(&event, &standings)).map_err(VerbError::from)?;
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
