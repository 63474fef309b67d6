//! The files of another program are followed: each version is brought in, and what is recorded here is written
//! into copies.

use crate::floor::now;
use crate::other_program::{COPIES, Followed, Seen, Setup, look, name_of};
use crate::state::{State, apart};
use scrutineer_desk::files;
use scrutineer_desk::store::{Added, StoreError, prepare};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::record::{Actor, StreamId, Time};
use scrutineer_formats::{ALL, File, limits};
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::ruleset::{Library, parse};
use scrutineer_projections::standings::{Detail, Standings};
use scrutineer_replay::neutral::neutral;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How often the folder is looked at. A file is read once it was the same twice: then nobody writes it.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How much of what a version brought is told.
const TOLD: usize = 4;
/// Who brings files in.
const PROGRAM: Actor = Actor(0);

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
    for (path, seen) in found {
        let mut followed = state.other_program.files().get(&path).cloned().unwrap_or_default();
        let is_quiet = followed.seen.replace(seen) == Some(seen);
        if is_quiet && followed.read != Some(seen) {
            followed.read = Some(seen);
            followed.refused = match bring(state, &path, &mut followed).await {
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
                    let why = error.told();
                    (setup.tell)(&format!("{} is not taken: {why}", name_of(&path)));
                    Some(format!("its last version is not taken: {why}"))
                }
            };
        }
        if let Some(stream) = followed.stream.filter(|_| followed.refused.is_none()) {
            match copy(state, &path, stream, &mut followed).await {
                Ok(()) => {}
                Err(error) if error.code.word == "too-busy" => {}
                Err(error) => {
                    let why = format!("no copy of it is written: {}", error.told());
                    (setup.tell)(&format!("{}: {why}", name_of(&path)));
                    followed.refused = Some(why);
                }
            }
        }
        state.other_program.files().insert(path, followed);
    }
}

/// Brings a version of a file in, and says what it brought.
async fn bring(
    state: &Arc<State>,
    path: &Path,
    followed: &mut Followed,
) -> Result<Vec<String>, VerbError> {
    let (name, file) = (name_of(path), path.to_path_buf());
    let bytes = apart(move || files::read(&file, limits::FILE_BYTES as u64)).await?;
    let bytes = bytes.map_err(|error| VerbError::file(path, &error))?.unwrap_or_default();
    let bytes = Arc::new(bytes);
    let (called, text) = (name.clone(), Arc::clone(&bytes));
    let (prepared, mut known, stream) = state
        .read_long(move |store| {
            let prepared = prepare(&called, &text, None, &Library::shipped())?;
            let known = store.events()?;
            let identity = Some(&prepared.source.identity);
            let there = known.iter().find(|event| event.source_event.as_ref() == identity);
            let stream = there.map_or(prepared.stream, |event| event.stream);
            Ok((prepared, known, stream))
        })
        .await?;
    let title = prepared.source.title.clone();
    let added = state
        .act(stream, move |_, store| {
            let time = Time { unix_micros: now() * 1_000 };
            Ok(store.add(prepared, &mut known, PROGRAM, time)?)
        })
        .await?;
    followed.bytes = bytes;
    followed.written = 0;
    let (stream, told) = match added {
        Added::New(stream) => {
            state.changed_all();
            (stream, vec![format!("{name}: {title} is here")])
        }
        Added::Known(stream) => (stream, Vec::new()),
        Added::Renewed(stream, told) => {
            (stream, told.into_iter().map(|told| format!("{name}: {told}")).collect())
        }
    };
    followed.stream = Some(stream);
    Ok(told)
}

/// Writes what was recorded here into a copy of the file, where the log grew and the format can be written.
async fn copy(
    state: &Arc<State>,
    path: &Path,
    stream: StreamId,
    followed: &mut Followed,
) -> Result<(), VerbError> {
    let (name, bytes, written) = (name_of(path), Arc::clone(&followed.bytes), followed.written);
    let done = state
        .read_long(move |store| {
            let head = store.log().head(stream).map_err(StoreError::from)?;
            if head.seq == written {
                return Ok(None);
            }
            let event = store.load(stream, true)?;
            let rules = Arc::new(parse(event.state.ruleset().unwrap_or_default())?);
            let standings = Standings::of(&event.state, &rules, Scope::default(), Detail::All)?;
            let into = File::new(&name, &bytes);
            let format = ALL.iter().find(|format| format.detect(&into));
            let text = format.and_then(|f| f.write(&neutral(&event, &standings), Some(&into)));
            Ok(Some((head.seq, text.transpose()?)))
        })
        .await?;
    let Some((head, text)) = done else { return Ok(()) };
    followed.written = head;
    let Some(text) = text else { return Ok(()) };
    followed.has_copy = text.text.as_bytes() != &followed.bytes[..];
    let folder = path.parent().unwrap_or(Path::new(".")).join(COPIES);
    let file = folder.join(name_of(path));
    if !followed.has_copy && !file.exists() {
        return Ok(());
    }
    let done = apart(move || files::publish(&file, text.text.as_bytes(), true)).await?;
    done.map_err(|error| {
        VerbError::new(
            Code::io("file-not-written"),
            format!("{} cannot be written: {error}", folder.display()),
            "look at the folder's rights and space",
        )
    })
}
