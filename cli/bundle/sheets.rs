//! `export --csv` and `export --xlsx`: standings and matches for a spreadsheet.

use crate::Report;
use crate::args;
use crate::error::VerbError;
use crate::output::{not_there, publish};
use crate::session::Session;
use scrutineer_desk::answers::{ExportReportAnswer, ExportSheetsAnswer, line};
use scrutineer_desk::outgoing::given;
use scrutineer_desk::store::Store;
use scrutineer_engine::record::StreamId;
use scrutineer_replay::sheets;
use std::path::Path;

/// Whether names are in what was written, in words.
pub fn whether_named(is_named: bool) -> &'static str {
    if is_named { "with names" } else { "no names: add --roster for them" }
}

/// Writes both files into the folder.
pub fn write(
    session: &Session,
    store: &Store,
    stream: StreamId,
    folder: &Path,
    options: &args::Export,
) -> Result<Report, VerbError> {
    let (event, standings) = given(store, stream, options.roster)?;
    let both = [
        ("standings.csv", sheets::standings(&event, &standings).csv()),
        ("matches.csv", sheets::matches(&event).csv()),
    ];
    for (name, _) in &both {
        not_there(&folder.join(name), options.force)?;
    }
    let mut written = Vec::new();
    for (name, bytes) in both {
        let file = folder.join(name);
        publish(&file, &bytes, options.force)?;
        written.push(file.display().to_string());
    }
    Ok(Report::yes(match session.json {
        true => line(&ExportSheetsAnswer { tournament: (&event).into(), files: written }),
        false => {
            let names = whether_named(options.roster);
            format!("{names}\nwritten to {}\n", written.join(" and "))
        }
    }))
}

/// Writes one workbook with the same, and with what an import reads again.
pub fn write_workbook(
    session: &Session,
    store: &Store,
    stream: StreamId,
    file: &Path,
    options: &args::Export,
) -> Result<Report, VerbError> {
    not_there(file, options.force)?;
    let (event, standings) = given(store, stream, options.roster)?;
    let (bytes, left_out) = sheets::workbook(&event, &standings).map_err(VerbError::from)?;
    publish(file, &bytes, options.force)?;
    let path = file.display().to_string();
    Ok(Report::yes(match session.json {
        true => line(&ExportReportAnswer { tournament: (&event).into(), file: path, left_out }),
        false => {
            let left_out = left_out.iter().map(|what| format!("not in it: {what}\n"));
            let names = whether_named(options.roster);
            format!("{names}\n{}written to {path}\n", left_out.collect::<String>())
        }
    }))
}
