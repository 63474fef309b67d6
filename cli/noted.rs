//! What leaves a store with names is noted there: whoever is forgotten later can be told where copies are.

use crate::error::VerbError;
use crate::session::Session;
use scrutineer_desk::rehearsal::Chance;
use scrutineer_desk::store::{Export, SCREEN, Store};
use scrutineer_engine::record::StreamId;
use std::path::Path;

/// The path of an export from the root on, as it is noted; that of what is printed stays as it is.
pub fn whole(file: &Path) -> String {
    match file == Path::new(SCREEN) {
        true => SCREEN.into(),
        false => std::path::absolute(file).unwrap_or_else(|_| file.into()).display().to_string(),
    }
}

/// Notes a file with names, of one tournament or of all.
pub fn note_export(
    session: &Session,
    store: &Store,
    stream: Option<StreamId>,
    what: &str,
    file: &Path,
) -> Result<(), VerbError> {
    let time = Chance::of(session.asker.rehearse.as_deref(), store)?.now();
    let (what, path) = (what.into(), Some(whole(file)));
    Ok(store.note_export(&Export { time, stream, what, path, names: true, player: None })?)
}
