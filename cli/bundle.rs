//! Bundles: written, checked, brought in, compared, adopted.

pub mod adopt;
pub mod diff;
pub mod export;
pub mod folder;
pub mod import;
mod left_out;
pub mod page;
pub mod report;
pub mod sheets;
pub mod verify;

use crate::error::VerbError;
use scrutineer_desk::own_file;
use scrutineer_engine::error::Code;
use scrutineer_formats::own::OwnKind as Kind;
use scrutineer_projections::counted as count;
use scrutineer_replay::bundle;
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::verify::Finding;
use std::fs::File;
use std::io::{BufReader, Seek};
use std::path::Path;

/// Opens a file for reading.
fn opened(path: &Path) -> Result<File, VerbError> {
    File::open(path).map_err(|error| VerbError::file(path, &error))
}

/// Reads a bundle's events, where it is in order.
fn history(path: &Path) -> Result<LoadedTournament, VerbError> {
    let mut input = BufReader::with_capacity(1 << 16, opened(path)?);
    let checked = bundle::check(&mut input, &bundle::Against::default());
    let checked = checked.map_err(|error| VerbError::file(path, &error))?;
    if let Some(foreign) = checked.is_foreign() {
        return Err(foreign_file(path, foreign));
    }
    if !checked.holds() {
        let message = format!("{} is not in order", path.display());
        let hint = format!("`scrutineer bundle verify {}` says what is wrong", path.display());
        return Err(VerbError::new(Code::refused("bundle-not-in-order"), message, hint));
    }
    input.rewind().map_err(|error| VerbError::file(path, &error))?;
    let read = bundle::open(&mut input).map_err(|error| VerbError::file(path, &error))?;
    read.ok_or_else(|| not_a_bundle(path, "no tournament can be read from it"))
}

fn not_a_bundle(path: &Path, why: &str) -> VerbError {
    let message = format!("{} is no bundle: {why}", path.display());
    VerbError::new(Code::invalid("not-a-bundle"), message, "`scrutineer export` writes one")
}

/// A file of which nothing more can be said than that it is something else.
fn foreign_file(path: &Path, why: &Finding) -> VerbError {
    if let Ok(Some(other)) = own_file(path).map(|kind| kind.filter(|kind| *kind != Kind::Bundle)) {
        let message = format!("{} is {}, no bundle", path.display(), other.word());
        return VerbError::new(Code::invalid("not-a-bundle"), message, other.hint());
    }
    let (file, why_not) = (path.display(), &why.sentence);
    match why.code {
        "newer-bundle" => VerbError::new(
            Code::invalid("newer-bundle"),
            format!("{file}: {why_not}"),
            "read it with a newer version",
        ),
        "line-ends" => VerbError::new(
            Code::invalid("line-ends"),
            format!("{file} was changed on the way: {why_not}"),
            "send it packed, or as an attachment that nothing converts",
        ),
        _ => not_a_bundle(path, why_not),
    }
}
