//! What is left of a tournament whose records are gone.

use super::{Store, StoreError};
use scrutineer_engine::record::StreamId;
use scrutineer_replay::verify::{Finding, Severity};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The folders of a store whose files are called by their tournament.
const FOLDERS: [&str; 5] = ["announced", "books", "checkpoints", "secrets", "snapshots"];

/// The tournaments that only files beside the log of the store in this folder still name, each as a
/// finding.
///
/// # Errors
/// Where the store cannot be read.
pub fn without_records(store: &Store, root: &Path) -> Result<Vec<(StreamId, Finding)>, StoreError> {
    let mut named: BTreeMap<StreamId, BTreeSet<&str>> = BTreeMap::new();
    for folder in FOLDERS {
        let Ok(files) = fs::read_dir(root.join(folder)) else { continue };
        for file in files.flatten() {
            let name = file.file_name();
            let name = name.to_string_lossy();
            let stem = name.split('.').next().unwrap_or_default();
            if let Ok(stream) = stem.parse() {
                named.entry(stream).or_default().insert(folder);
            }
        }
    }
    for stream in store.exports.all()?.exports.iter().filter_map(|export| export.stream) {
        named.entry(stream).or_default().insert("exports");
    }
    let there: BTreeSet<StreamId> = store.log().streams()?.into_iter().collect();
    named.retain(|stream, _| !there.contains(stream));
    let told = named.into_iter().map(|(stream, places)| {
        let places = places.into_iter().collect::<Vec<_>>().join(", ");
        let sentence = format!(
            "no record of this tournament is there, and it is still named in {places}: its records are \
             lost, or it was cut off as it began; `scrutineer restore --from <mirror or backup>`"
        );
        let (code, seq, severity) = ("records-gone", 0, Severity::Error);
        (stream, Finding { code, seq, sentence, severity })
    });
    Ok(told.collect())
}
