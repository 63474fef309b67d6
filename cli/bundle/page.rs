//! `export --html`: a page that shows a tournament and checks itself.

use super::count;
use super::left_out::{left_out_in_words, tell_refused};
use crate::Report;
use crate::args;
use crate::error::VerbError;
use crate::output::publish;
use crate::session::Session;
use scrutineer_desk::answers::{ExportPageAnswer, TournamentName, line};
use scrutineer_desk::looking::{CheckedPage, checked_page};
use scrutineer_desk::store::Store;
use scrutineer_engine::record::StreamId;
use scrutineer_replay::bundle::Give;
use std::path::Path;

/// Writes the page.
pub fn write(
    session: &Session,
    store: &Store,
    stream: StreamId,
    file: &Path,
    options: &args::Export,
) -> Result<Report, VerbError> {
    let give = if options.roster { Give::Roster } else { Give::Nothing };
    let CheckedPage { html, bundle, written } = checked_page(store, stream, give)?;
    tell_refused(session, &mut &bundle[..]);
    publish(file, html.as_bytes(), options.force)?;
    if session.json {
        return Ok(Report::yes(line(&ExportPageAnswer {
            file: file.display().to_string(),
            tournament: TournamentName::untitled(stream),
            records: written.header.records,
            names: options.roster,
        })));
    }
    let names = if options.roster { "with names" } else { "no names" };
    let standings = match written.tables + written.left_out {
        0 => "; no standings, since none were announced: `scrutineer announce`",
        _ => "",
    };
    Ok(Report::yes(format!(
        "a page that shows {} and checks itself, {names}{standings}\n{}written to {}\n",
        count(written.header.records, "record"),
        left_out_in_words(written.left_out),
        file.display()
    )))
}
