//! The files of another program are followed: each version is brought in, and what is recorded here is written
//! into copies.

use crate::floor::now;
use crate::looked_files;
use crate::other_program::{COPIES, Followed, Here, Seen, Setup, look, name_of};
use crate::state::{State, apart};
use scrutineer_desk::desk::Asked;
use scrutineer_desk::files;
use scrutineer_desk::incoming::understand;
use scrutineer_desk::orders::{self, Publish};
use scrutineer_desk::outgoing::{self, given};
use scrutineer_desk::store::{Added, Export, Store, StoreError, built_on};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::Event;
use scrutineer_engine::record::{StreamId, Time};
use scrutineer_formats::{ALL, File, limits};
use scrutineer_projections::ruleset::Library;
use scrutineer_replay::loaded::LoadedTournament;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// How often the folder is looked at. A file is read once it was the same twice: then nobody writes it.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How much of what a version brought is told.
const TOLD: usize = 4;

/// Follows the folder until the server stops.
pub async fn run(state: Arc<State>) {
    let mut stopping = state.stopping.clone();
    let mut is_gone = false;
    loop {
        tokio::select! {
            () = tokio::time::sleep(LOOK_EVERY) => {}
            _ = stopping.wait_for(|stops| *stops) => return,
        }
        let Some(setup) = state.setup.beside.as_ref().filter(|_| state.second.is_desk()) else {
            continue;
        };
        let folder = setup.folder.clone();
        match apart(move || look(&folder)).await {
            Ok(Ok(found)) => {
                is_gone = false;
                follow(&state, setup, found).await;
            }
            Ok(Err(error)) if !is_gone => {
                is_gone = true;
                let folder = setup.folder.display();
                (setup.tell)(&format!("{folder} is not followed: {error}; it is looked for again"));
            }
            _ => {}
        }
    }
}

async fn follow(state: &Arc<State>, setup: &Setup, found: Vec<(PathBuf, Seen)>) {
    state.other_program.files().retain(|path, _| found.iter().any(|(there, _)| there == path));
    for (path, seen) in found {
        let mut followed = state.other_program.files().get(&path).cloned().unwrap_or_default();
        let is_quiet = followed.seen.replace(seen) == Some(seen);
        // Somebody may have made room for it here since, such as by bringing a player back.
        let tries_again = followed.refused.is_some() && has_grown(state, &followed).await;
        if is_quiet && (followed.read != Some(seen) || tries_again) {
            // A file that is saved once more says so on purpose.
            let is_touched = followed.read.replace(seen).is_some();
            followed.refused = match bring(state, &path, &mut followed, is_touched).await {
                Ok(told) => {
                    told.iter().take(TOLD).for_each(|told| (setup.tell)(told));
                    if let Some(more) = told.len().checked_sub(TOLD).filter(|more| *more > 0) {
                        (setup.tell)(&format!("… and {more} more, in the log"));
                    }
                    None
                }
                Err(error) => {
                    // What passes is tried again.
                    if error.code.kind.is_of_the_store() || error.code.word == "too-busy" {
                        followed.read = None;
                    }
                    // A copy of the version before would take back what the other program did since.
                    let old = copy_of(&path);
                    let _ = apart(move || std::fs::remove_file(old)).await;
                    followed.written = 0;
                    followed.refused_at = head(state, &followed).await.unwrap_or(0);
                    let why = error.told();
                    let text = format!("its last version is not taken: {why}");
                    if followed.refused.as_ref() != Some(&text) {
                        (setup.tell)(&format!("{} is not taken: {why}", name_of(&path)));
                    }
                    Some(text)
                }
            };
        }
        if let Some(stream) = followed.stream.filter(|_| followed.refused.is_none()) {
            match copy(state, &path, stream, &mut followed).await {
                Ok(()) => followed.unwritten = None,
                Err(error) if error.code.word == "too-busy" => {}
                Err(error) => {
                    let why = format!("no copy of it is written: {}", error.told());
                    if followed.unwritten.as_ref() != Some(&why) {
                        (setup.tell)(&format!("{}: {why}", name_of(&path)));
                    }
                    followed.unwritten = Some(why);
                }
            }
        }
        state.other_program.files().insert(path, followed);
    }
}

/// How many events the log of a file's tournament has.
async fn head(state: &Arc<State>, followed: &Followed) -> Option<u64> {
    let stream = followed.stream?;
    let head =
        state.read_long(move |store| Ok(store.log().head(stream).map_err(StoreError::from)?.seq));
    head.await.ok()
}

async fn has_grown(state: &Arc<State>, followed: &Followed) -> bool {
    head(state, followed).await.is_some_and(|head| head > followed.refused_at)
}

/// Brings a version of a file in, and says what it brought.
async fn bring(
    state: &Arc<State>,
    path: &Path,
    followed: &mut Followed,
    is_touched: bool,
) -> Result<Vec<String>, VerbError> {
    let (name, file) = (name_of(path), path.to_path_buf());
    let bytes = apart(move || files::read(&file, limits::FILE_BYTES as u64)).await?;
    let bytes = bytes.map_err(|error| VerbError::file(path, &error))?.unwrap_or_default();
    let bytes = Arc::new(bytes);
    // The same file saved once more brings again what was taken back here since.
    let is_again = is_touched && followed.bytes == bytes;
    let (called, text) = (name.clone(), Arc::clone(&bytes));
    let there = Arc::new(OnceLock::new());
    let found = Arc::clone(&there);
    let read = move |store: &Store| {
        let asked = scrutineer_formats::Asked::default();
        let (mut prepared, understood) =
            understand(&called, &text, &asked, None, &Library::shipped())?;
        let identity = Some(&prepared.source.identity);
        let known = store.events()?;
        let there = known.iter().find(|event| event.source_event.as_ref() == identity);
        if let Some(there) = there {
            let _ = found.set(there.stream);
            if is_again {
                prepared.again(there.head);
            }
        }
        Ok((prepared, understood))
    };
    let publish = |state: &State, store: &Store, added: &Added| {
        let (Added::New(stream) | Added::Known(stream) | Added::Renewed(stream, _)) = added;
        // What the other program pairs is out at once; there may be nothing that is not.
        let (asker, publish) = (&state.setup.asker, Publish {}.into());
        match orders::record(asker, store, *stream, Asked::default(), &publish).0 {
            Err(error) if error.code.kind.is_of_the_store() => Err(error),
            _ => Ok(()),
        }
    };
    let brought = looked_files::bring(state, read, publish).await;
    followed.stream = there.get().copied().or(followed.stream);
    let (added, understood) = brought?;
    followed.bytes = bytes;
    followed.written = 0;
    let (stream, told) = match added {
        Added::New(stream) => (stream, vec![format!("{name}: {} is here", understood.title)]),
        Added::Known(stream) => (stream, Vec::new()),
        Added::Renewed(stream, told) => {
            (stream, told.into_iter().map(|told| format!("{name}: {told}")).collect())
        }
    };
    followed.stream = Some(stream);
    Ok(told)
}

/// Where the copy of a file stands.
fn copy_of(path: &Path) -> PathBuf {
    path.parent().unwrap_or(Path::new(".")).join(COPIES).join(name_of(path))
}

/// Whether something was recorded here that the other program would have to know.
fn recorded_here(event: &LoadedTournament) -> bool {
    let mut ours = built_on(event);
    ours.any(|(_, event)| !matches!(event, Event::NoteAdded(_) | Event::ResultClaimed(_)))
}

/// Writes what was recorded here into a copy of the file, where the log grew and the format can be written.
async fn copy(
    state: &Arc<State>,
    path: &Path,
    stream: StreamId,
    followed: &mut Followed,
) -> Result<(), VerbError> {
    let (name, bytes, written) = (name_of(path), Arc::clone(&followed.bytes), followed.written);
    let file = copy_of(path);
    let is_there = file.exists();
    let done = state
        .read_long(move |store| {
            let head = store.log().head(stream).map_err(StoreError::from)?.seq;
            if head == written {
                return Ok(None);
            }
            let (event, standings) = given(store, stream, true)?;
            if !recorded_here(&event) && !is_there {
                return Ok(Some((head, Here::Nothing)));
            }
            let into = File::new(&name, &bytes);
            let format = ALL.iter().find(|format| format.detect(&into));
            let Some(format) = format.filter(|format| format.writes_into()) else {
                return Ok(Some((head, Here::Only)));
            };
            let text = outgoing::written(&event, &standings, *format, Some(&into))?.text;
            let is_all = text.as_bytes() == &bytes[..];
            if is_all && !is_there {
                return Ok(Some((head, Here::Nothing)));
            }
            files::publish(&file, text.as_bytes(), true).map_err(|error| {
                VerbError::new(
                    Code::io("file-not-written"),
                    format!("{} cannot be written: {error}", file.display()),
                    "look at the folder's rights and space",
                )
            })?;
            if !is_there {
                // Whoever is forgotten can be told where copies are.
                let time = Time { unix_micros: now() * 1_000 };
                let path = Some(file.display().to_string());
                let (stream, what, player) = (Some(stream), "report".to_string(), None);
                store.note_export(&Export { time, stream, what, path, names: true, player })?;
            }
            Ok(Some((head, if is_all { Here::Nothing } else { Here::InCopy })))
        })
        .await?;
    if let Some((head, here)) = done {
        (followed.written, followed.here) = (head, here);
    }
    Ok(())
}
