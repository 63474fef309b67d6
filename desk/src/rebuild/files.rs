//! Events of a season that stand in files of their own: exports of platforms, and bundles.

use super::season::{Asked, Cause, TournamentFound};
use crate::store::prepare;
use scrutineer_engine::book::Opened;
use scrutineer_engine::record::StreamId;
use scrutineer_projections::ruleset::Library;
use scrutineer_replay::bundle::Held;
use scrutineer_replay::loaded::{player_names, short_id};
use scrutineer_replay::verify::{Against, Severity};
use std::io::{self, Read};

/// Folds a file of an event without storing it. Bytes that could not be read come as the reason.
pub fn rebuild_file(
    name: &str,
    bytes: Result<Vec<u8>, String>,
    library: &Library,
    asked: &Asked,
) -> TournamentFound {
    let read = bytes.map_err(Cause::NotRead);
    let prepared =
        read.and_then(|bytes| Ok(prepare(name, &bytes, None, library).map_err(Box::new)?));
    let prepared = match prepared {
        Ok(prepared) => prepared,
        Err(cause) => {
            let mut event = TournamentFound::of(StreamId([0; 16]), name.to_string());
            event.found = Err(cause);
            return event;
        }
    };
    let mut event = TournamentFound::of(prepared.stream, prepared.source.title.clone());
    event.source_event = Some(prepared.source.identity.clone());
    event.look(&prepared.state, asked);
    if event.names_somebody(asked) {
        event.names = prepared.names();
    }
    event
}

/// Checks a bundle to its end and folds it without storing it.
pub fn rebuild_bundle(name: &str, bundle: io::Result<impl Read>, asked: &Asked) -> TournamentFound {
    let mut event = TournamentFound::of(StreamId([0; 16]), name.to_string());
    if let Err(cause) = fill_from_bundle(&mut event, bundle, asked) {
        event.found = Err(cause);
    }
    event
}

fn fill_from_bundle(
    event: &mut TournamentFound,
    bundle: io::Result<impl Read>,
    asked: &Asked,
) -> Result<(), Cause> {
    let not_read = |error: io::Error| Cause::NotRead(error.to_string());
    let bundle = bundle.map_err(not_read)?;
    let mut bundle = Held::check(bundle, &Against::default()).map_err(not_read)?;
    let checked = bundle.checked();
    let first = |severity: Severity, otherwise: &str| {
        let found = checked.findings.iter().find(|found| found.finding.severity == severity);
        let why = found.map(|found| format!("line {}: {}", found.line, found.finding.sentence));
        why.unwrap_or_else(|| otherwise.into())
    };
    if !checked.holds() {
        return Err(Cause::Bundle(first(Severity::Error, "it is not in order")));
    }
    if checked.unchecked() > 0 && !asked.unsigned {
        return Err(Cause::NotChecked(first(Severity::Unchecked, "not all of it is known")));
    }
    let opened = bundle.open().map_err(not_read)?;
    let opened = opened.ok_or_else(|| Cause::Bundle("it has no tournament".into()))?;
    let title = opened.state.opened().and_then(|one| match opened.book.text(&one.title) {
        Opened::Text(title) => Some(title.to_string()),
        _ => None,
    });
    event.stream = opened.stream;
    event.title = title.unwrap_or_else(|| short_id(opened.stream));
    event.look(&opened.state, asked);
    if event.names_somebody(asked) {
        event.names = player_names(&opened.state, &opened.book);
    }
    Ok(())
}
