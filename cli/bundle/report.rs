//! `export --format`: a file of another program.

use super::sheets::{folded, whether_named};
use crate::Report;
use crate::args;
use crate::error::VerbError;
use crate::output::publish;
use crate::session::{Session, read_bounded};
use scrutineer_desk::answers::{ExportReportAnswer, line};
use scrutineer_desk::store::Store;
use scrutineer_engine::error::Code;
use scrutineer_engine::record::StreamId;
use scrutineer_formats::{ALL, File, Format, ONLY_WRITTEN, Source, limits};
use scrutineer_replay::neutral::neutral;
use std::path::Path;

/// The format of this name that can be written: `cobra` for `cobra json`.
pub fn format_called(name: &str) -> Result<&'static dyn Format, VerbError> {
    let called = |format: &dyn Format| format.name().split(' ').next().unwrap_or_default();
    let nothing = Source::default();
    let all = ALL.iter().chain(&ONLY_WRITTEN).copied();
    let writes = all.filter(|format| format.write(&nothing, None).is_some());
    let writes: Vec<&'static dyn Format> = writes.collect();
    let wanted = name.to_lowercase();
    let found =
        writes.iter().find(|format| [called(**format), format.name()].contains(&&wanted[..]));
    found.copied().ok_or_else(|| {
        let names: Vec<&str> = writes.iter().map(|format| called(*format)).collect();
        let message =
            format!("no format {name:?} is written; expected one of {}", names.join(", "));
        VerbError::new(
            Code::invalid("unknown-format"),
            message,
            "docs/FORMATS.md lists what each holds",
        )
    })
}

/// Writes the file.
pub fn write(
    session: &Session,
    store: &Store,
    stream: StreamId,
    format: &dyn Format,
    file: &Path,
    options: &args::Export,
) -> Result<Report, VerbError> {
    let (event, standings) = folded(session, store, stream, options.roster)?;
    let before = match &options.into {
        Some(path) => Some((path.display().to_string(), read_bounded(path, limits::FILE_BYTES)?)),
        None => None,
    };
    let into = before.as_ref().map(|(name, bytes)| File::new(name, bytes));
    let written = format.write(&neutral(&event, &standings), into.as_ref());
    let written = written.transpose().map_err(VerbError::from)?.ok_or_else(|| {
        VerbError::new(
            Code::invalid("unknown-format"),
            "the format is not written",
            "docs/FORMATS.md lists those that are",
        )
    })?;
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
