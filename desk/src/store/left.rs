//! What is left of a tournament whose records are gone.

use super::{Store, StoreAt, StoreError};
use scrutineer_engine::files::{FileError, Room, SideFile};
use scrutineer_engine::record::StreamId;
use scrutineer_replay::verify::{Finding, Severity};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// The rooms whose files belong to one tournament each, in the order in which they are told.
const ROOMS: [Room; 4] = [Room::Announced, Room::Checkpoints, Room::Secrets, Room::Snapshots];

/// The tournaments that only files beside the log of a store still name, each as a finding.
///
/// # Errors
/// Where the store cannot be read.
pub fn without_records(
    store: &Store,
    at: &StoreAt,
) -> Result<Vec<(StreamId, Finding)>, StoreError> {
    let mut named: BTreeMap<StreamId, BTreeSet<&str>> = BTreeMap::new();
    for room in ROOMS {
        let beside = &store.checkpoints.0;
        let listed = beside.files.list(room, None);
        let failed = |error: FileError| beside.failed("list", SideFile::of_all(room))(error);
        for stream in listed.map_err(failed)?.iter().filter_map(|(file, _)| file.stream) {
            named.entry(stream).or_default().insert(room.word());
        }
    }
    // No book without a stream stands in a database.
    if let StoreAt::Folder(root) = at
        && let Ok(books) = fs::read_dir(root.join("books"))
    {
        for book in books.flatten() {
            let name = book.file_name();
            let name = name.to_string_lossy();
            if let Ok(stream) = name.split('.').next().unwrap_or_default().parse() {
                named.entry(stream).or_default().insert("books");
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
