//! A store brought back from a mirror or a backup, and from what is still good of the store itself.

use super::Beside;
use super::announced::Announced;
use super::checkpoints::Checkpoints;
use super::copies::{
    Checked, CopyError, ENROLLED, Facts, HOUSE, HOUSE_COPY, begin_beside, check_copy, give_name,
    io, is_free, may_be_of_a_lost_key, named, restore_book,
};
use super::secrets::LONGEST;
use super::{exports, followed};
use crate::edition::{self, EditionError, Editions};
use scrutineer_engine::log::Log;
use scrutineer_engine::record::StreamId;
use scrutineer_replay::trust::checkpoint::Signed;
use scrutineer_replay::trust::history::History;
use scrutineer_replay::verify::altered_tables;
use scrutineer_store::files::{lies_in, read_plain};
use scrutineer_store::{
    CombineError, Combined, EmbeddedLog, Identity, Kind, Lost, OpenError, Options, ReadOnlyLog,
    combine_journals, id_of_journal, lock_store,
};
use std::fs;
use std::path::{Path, PathBuf};

/// The largest house that is brought back, in bytes.
const LARGEST_HOUSE: u64 = 64 << 20;

/// What was brought back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    /// What was read back of the new store.
    pub checked: Checked,
    /// The events.
    pub events: Vec<StreamId>,
    /// Commands that only the copy still had whole.
    pub from_copy: u64,
    /// Commands that only the store still had whole, such as those after the copy's last one.
    pub from_store: u64,
    /// Where the store is that was there before.
    pub aside: Option<PathBuf>,
    /// What could be used neither of the copy nor of the store, in sentences.
    pub lost: Vec<String>,
    /// What was damaged in one of them and came from the other, in sentences.
    pub mended: Vec<String>,
    /// Whether the secrets of the draws are there: they are in no copy.
    pub secrets: bool,
}

/// Brings a store back from a copy of it. A store that is there gives what is still good of it and
/// is set aside; it is never deleted.
///
/// # Errors
/// Where the copy can't be used, or the store lacks nothing. Nothing was changed then.
pub fn restore(from: &Path, store: &Path) -> Result<Restored, CopyError> {
    let id = id_of_copy(from)?;
    let store = named(store)?;
    let old = match is_free(&store)? {
        true => None,
        false => Some(&*store),
    };
    // Held until the end: nobody may go on with what is set aside.
    let (lock, own) = old.map(|old| check_old(old, id)).transpose()?.unzip();
    if lies_in(&store, from) {
        return Err(CopyError::Inside(store));
    }
    if let Some(folder) = store.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(|error| io("create", folder, &error))?;
    }
    let part = begin_beside(&store, "restoring")?;
    let built = build(from, old, id, &part);
    let finished = built.and_then(|restored| match own.flatten() {
        Some(own) if restored.lost.is_empty() && !has_more(&restored.checked, &own) => {
            Err(CopyError::Nothing(store.clone()))
        }
        _ => {
            // Windows renames no folder in which a file is open.
            let _held = lock.filter(|_| !cfg!(windows));
            swap(&part, old, &store, restored)
        }
    });
    if finished.is_err() {
        // Nothing but copies stands in it.
        let _ = fs::remove_dir_all(&part);
    }
    finished
}

/// The id of the store that a copy is of. Where its file FORMAT is damaged, its journal knows.
fn id_of_copy(from: &Path) -> Result<[u8; 16], CopyError> {
    let said = match Identity::read(from) {
        Ok(said) => said.map(|identity| identity.id),
        Err(OpenError::NotAStore { .. }) => None,
        Err(error) => return Err(error.into()),
    };
    let id = id_of_journal(from).or(said);
    id.ok_or_else(|| CopyError::NotACopy(from.to_path_buf()))
}

/// Refuses a store that is in use or another one; gives what it holds, where it is in order.
fn check_old(old: &Path, id: [u8; 16]) -> Result<(fs::File, Option<Checked>), CopyError> {
    if !["FORMAT", "journal"].iter().any(|name| old.join(name).exists()) {
        let reason = "it holds other files and no FORMAT".to_string();
        return Err(OpenError::NotAStore { folder: old.to_path_buf(), reason }.into());
    }
    let lock = lock_store(old)?;
    let said = match Identity::read(old) {
        // What a newer version wrote is not understood well enough to be put in order.
        Err(error @ OpenError::Newer { .. }) => return Err(error.into()),
        said => said.ok().flatten().map(|identity| identity.id),
    };
    if id_of_journal(old).or(said).is_some_and(|own| own != id) {
        return Err(CopyError::OtherStore(old.to_path_buf()));
    }
    let own = check_copy(old).ok().filter(|own| own.wrong.is_empty() && said == Some(id));
    Ok((lock, own))
}

fn has_more(new: &Checked, own: &Checked) -> bool {
    new.commands > own.commands
        || new.texts > own.texts
        || new.emptied > own.emptied
        || new.checkpoints > own.checkpoints
        || new.tables > own.tables
}

fn build(
    from: &Path,
    old: Option<&Path>,
    id: [u8; 16],
    part: &Path,
) -> Result<Restored, CopyError> {
    let sources: Vec<&Path> = std::iter::once(from).chain(old).collect();
    let journals: Vec<PathBuf> = sources.iter().map(|folder| folder.join("journal")).collect();
    let journals: Vec<&Path> = journals.iter().map(PathBuf::as_path).collect();
    let combined = combine_journals(&journals, id, &part.join("journal")).map_err(from_combine)?;
    Identity { kind: Kind::Store, id }
        .write(part)
        .map_err(|error| CopyError::Store(error.into()))?;
    let log = ReadOnlyLog::open(part)?;
    let events = log.streams().map_err(|e| CopyError::Store(e.into()))?;
    let (mut lost, mut mended) = (left_behind(&combined, &sources), Vec::new());
    if events.is_empty() {
        let reason = format!("no tournament stands in {}", journals[0].display());
        return Err(CopyError::Damaged(reason));
    }
    if let Some(old) = old {
        lost.extend(only_in_sled(old, part)?);
    }
    for stream in &events {
        let facts = Facts::read(&log, *stream).map_err(CopyError::Store)?;
        let book = restore_book(&sources, part, &facts, *stream)?;
        mended.extend(book.mended);
        lost.extend(book.lost);
        lost.extend(restore_checkpoints(&sources, part, &log, *stream)?);
        followed::restore(&sources, part, *stream)?;
        restore_tables(&sources, part, &log, &facts, *stream)?;
    }
    exports::merge(&sources, part)?;
    let mut secrets = false;
    for folder in &sources {
        secrets |= copy_secrets(folder, part)?;
    }
    restore_house(from, old, part)?;
    let editions: Vec<Editions> = sources.iter().map(|at| Editions::in_folder(at)).collect();
    restore_editions(&editions, &Editions::in_folder(part))?;
    if let Some(enrolled) = old.map(|old| old.join(ENROLLED)).filter(|file| file.is_file()) {
        let bytes =
            read_plain(&enrolled, LONGEST).map_err(|error| io("read", &enrolled, &error))?;
        let to = part.join(ENROLLED);
        crate::files::replace(&to, &bytes).map_err(|error| io("write", &to, &error))?;
    }
    if let Some(mirror) = old.map(|old| old.join("mirror")).filter(|mirror| mirror.is_file()) {
        let to = part.join("mirror");
        fs::copy(&mirror, &to).map_err(|error| io("copy", &mirror, &error))?;
    }
    let checked = check_copy(part).map_err(|error| CopyError::Damaged(error.to_string()))?;
    let from_store = combined.alone.get(1).copied().unwrap_or(0);
    let from_copy = if old.is_some() { combined.alone[0] } else { combined.commands };
    Ok(Restored { checked, events, from_copy, from_store, aside: None, lost, mended, secrets })
}

fn from_combine(error: CombineError) -> CopyError {
    match error {
        CombineError::OtherStore { journal } => {
            CopyError::OtherStore(journal.parent().unwrap_or(&journal).to_path_buf())
        }
        CombineError::Differ { .. } => CopyError::Differs(error.to_string()),
        CombineError::Log(error) => CopyError::Store(error.into()),
        other => CopyError::Damaged(other.to_string()),
    }
}

/// What stood at the end of a journal and could not be used, where it was more than a write that
/// was interrupted anyway.
fn left_behind(combined: &Combined, sources: &[&Path]) -> Vec<String> {
    let left = combined.left.iter().zip(sources);
    let told = left.filter_map(|(left, folder)| {
        let left = left.as_ref()?;
        let (bytes, folder) = (left.bytes, folder.display());
        Some(format!("the last {bytes} bytes of {folder} hold no whole command: {}", left.what))
    });
    told.collect()
}

/// What the store's sled still knows of events and no journal has: that is told, for sled proves
/// that it had been acknowledged.
fn only_in_sled(old: &Path, part: &Path) -> Result<Vec<String>, CopyError> {
    let (from, to) = (old.join("sled"), part.join("sled"));
    if !from.is_dir() {
        return Ok(Vec::new());
    }
    // A sled that can't be read, or is damaged too, says nothing, and must not keep the rest back.
    let opened = copy_folder(&from, &to).map(|()| EmbeddedLog::open(part, Options::default()));
    let lost = match opened {
        Ok(Ok(log)) => {
            log.close().map_err(|error| CopyError::Store(error.into()))?;
            Vec::new()
        }
        Ok(Err(OpenError::JournalShort { lost })) => lost,
        Ok(Err(_)) | Err(_) => Vec::new(),
    };
    fs::remove_dir_all(&to).map_err(|error| io("remove", &to, &error))?;
    let told = lost.iter().map(|Lost { stream, journal, sled }| {
        let (first, id) = (journal + 1, scrutineer_replay::loaded::short_id(*stream));
        if sled <= journal {
            return format!(
                "record {sled} of tournament {id} is another one in sled than in the journals"
            );
        }
        format!(
            "records {first} to {sled} of tournament {id}: the store had them, and no journal has them \
             any more"
        )
    });
    Ok(told.collect())
}

fn copy_folder(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy_folder(&entry.path(), &to)?,
            false => _ = fs::copy(entry.path(), to)?,
        }
    }
    Ok(())
}

/// Every checkpoint that can be read, of all sources, in the order of what they attest; gives what
/// is missing where no source has one whole.
fn restore_checkpoints(
    sources: &[&Path],
    part: &Path,
    log: &ReadOnlyLog,
    stream: StreamId,
) -> Result<Option<String>, CopyError> {
    let history = History::read(log, stream);
    let history = history.map_err(|error| CopyError::Store(error.into()))?;
    let kept = Checkpoints(Beside::in_store(part));
    let mut most = 0;
    for folder in sources {
        // A file that can't be read gives none, nor does a note whose bits flipped: it must not stand
        // beside a good copy. Keys that only the lost part of a log named are not known here.
        let notes = Checkpoints(Beside::in_store(folder)).get(stream).unwrap_or_default();
        most = most.max(notes.len());
        let good = notes.iter().filter_map(|note| {
            let signed = Signed::read(note.as_bytes()).ok()?;
            let signers = history.signed_by(&signed);
            match signers.is_empty() {
                true => may_be_of_a_lost_key(&history, &signed).then(|| note.clone()),
                false => Some(signed.only(&signers).to_string()),
            }
        });
        kept.keep(stream, &good.collect::<Vec<_>>())?;
    }
    let id = scrutineer_replay::loaded::short_id(stream);
    Ok(match most.saturating_sub(kept.get(stream)?.len()) {
        0 => None,
        1 => Some(format!("a checkpoint of tournament {id}: it is whole in none of them")),
        many => {
            Some(format!("{many} checkpoints of tournament {id}: they are whole in none of them"))
        }
    })
}

/// Of each announcement the table that was announced, from whichever has it.
fn restore_tables(
    sources: &[&Path],
    part: &Path,
    log: &ReadOnlyLog,
    facts: &Facts,
    stream: StreamId,
) -> Result<(), CopyError> {
    let mut all: Vec<scrutineer_replay::announced::AnnouncedTable> = Vec::new();
    for folder in sources {
        let tables = Announced(Beside::in_store(folder)).get(stream).unwrap_or_default();
        let altered = altered_tables(log, stream, &tables)?;
        for table in tables {
            let is_new = !all.iter().any(|known| known.announced == table.announced);
            if is_new && facts.has_announced(&table) && !altered.contains(&table.announced) {
                all.push(table);
            }
        }
    }
    match all.is_empty() {
        true => Ok(()),
        false => Ok(Announced(Beside::in_store(part)).keep(stream, &all)?),
    }
}

/// Who may do what: as the store itself has it, or else as the copy has.
fn restore_house(from: &Path, old: Option<&Path>, part: &Path) -> Result<(), CopyError> {
    let own = old.into_iter().flat_map(|old| [old.join(HOUSE), old.join(HOUSE_COPY)]);
    let found = own.chain([from.join(HOUSE_COPY)]).find(|file| file.is_file());
    let Some(house) = found else { return Ok(()) };
    let bytes = read_plain(&house, LARGEST_HOUSE).map_err(|error| io("read", &house, &error))?;
    let to = part.join(HOUSE);
    crate::files::replace(&to, &bytes).map_err(|error| io("write", &to, &error))
}

/// The editions of rules that are whole in one of them, each with the texts beside it.
pub(super) fn restore_editions(sources: &[Editions], to: &Editions) -> Result<(), CopyError> {
    let folder = to.kept_in();
    let failed = |error: EditionError| CopyError::Io {
        action: "bring back an edition into",
        path: folder.clone(),
        reason: error.to_string(),
    };
    for source in sources {
        let kept = source.kept().map_err(failed)?;
        // One that is damaged is in no other way of use.
        for (file, edition) in kept.into_iter().filter_map(|(file, read)| Some((file, read.ok()?)))
        {
            let bytes = read_plain(&file, edition::MAX_BYTES);
            let bytes = bytes.map_err(|error| io("read", &file, &error))?;
            to.keep(&bytes, &edition.key).map_err(failed)?;
        }
    }
    Ok(())
}

/// Copies the secrets of the draws from a store that still has them.
fn copy_secrets(from: &Path, part: &Path) -> Result<bool, CopyError> {
    let folder = from.join("secrets");
    let Ok(names) = fs::read_dir(&folder) else { return Ok(false) };
    let mut copied = false;
    for name in names {
        let path = name.map_err(|error| io("list", &folder, &error))?.path();
        let Some(name) = path.file_name().filter(|_| path.is_file()) else { continue };
        let bytes = read_plain(&path, LONGEST).map_err(|error| io("read", &path, &error))?;
        let to = part.join("secrets").join(name);
        crate::files::replace(&to, &bytes).map_err(|error| io("write", &to, &error))?;
        copied = true;
    }
    Ok(copied)
}

/// Sets the store aside and gives its name to the new one.
fn swap(
    part: &Path,
    old: Option<&Path>,
    store: &Path,
    mut restored: Restored,
) -> Result<Restored, CopyError> {
    if let Some(old) = old {
        let aside = begin_beside(store, "aside")?;
        give_name(old, &aside)?;
        restored.aside = Some(aside);
    }
    give_name(part, store)?;
    Ok(restored)
}
