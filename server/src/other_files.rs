//! The files of another program are followed: each version is brought in, and what is recorded here is written
//! into copies.

use crate::floor::now;
use crate::looked_files;
use crate::other_program::{COPIES, Followed, Here, Seen, Setup, look, name_of};
use crate::state::{State, apart};
use scrutineer_desk::answers::Unmatched;
use scrutineer_desk::desk::Asked;
use scrutineer_desk::files;
use scrutineer_desk::incoming::{Checked, understand};
use scrutineer_desk::orders::{self, Publish};
use scrutineer_desk::outgoing::{self, given};
use scrutineer_desk::store::{Added, Export, Prepared, Store, StoreError, built_on};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::{Event, MatchResult, RoundNumber, Ruling};
use scrutineer_engine::record::{StreamId, Time};
use scrutineer_engine::tournament::Tournament;
use scrutineer_formats::{ALL, File, limits};
use scrutineer_projections::ruleset::Library;
use scrutineer_replay::loaded::LoadedTournament;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime};

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
            followed.refused = match bring(state, &path, &path, &mut followed, is_touched).await {
                Ok(told) => {
                    tell(setup, &told);
                    None
                }
                Err(error) => {
                    // What passes is tried again.
                    if error.code.kind.is_of_the_store() || error.code.word == "too-busy" {
                        followed.read = None;
                    }
                    // A copy of the version before would take back what the other program did since.
                    let (old, own) = (copy_of(&path), Arc::clone(&followed.bytes));
                    let _ =
                        apart(move || is_ours(&old, &own).then(|| std::fs::remove_file(old))).await;
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
        look_into_copy(state, setup, &path, &mut followed).await;
        state.other_program.files().insert(path.clone(), followed.clone());
        let is_held = followed.refused.is_some() || followed.saved_into.is_some();
        // Of several files of one tournament one is followed.
        let is_its = |stream| state.other_program.of(stream).is_some_and(|(its, _)| its == path);
        if let Some(stream) = followed.stream.filter(|stream| !is_held && is_its(*stream)) {
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

fn tell(setup: &Setup, told: &[String]) {
    told.iter().take(TOLD).for_each(|told| (setup.tell)(told));
    if let Some(more) = told.len().checked_sub(TOLD).filter(|more| *more > 0) {
        (setup.tell)(&format!("… and {more} more, in the log"));
    }
}

/// The other program may have saved into the copy, and not yet over its own file: then what is new there is
/// brought in, and the copy stays as it is.
async fn look_into_copy(state: &Arc<State>, setup: &Setup, path: &Path, followed: &mut Followed) {
    let copy = copy_of(path);
    let at = copy.clone();
    let seen = apart(move || seen(&at)).await.ok().flatten();
    let judged = (followed.read, seen);
    if std::mem::replace(&mut followed.copy, seen) != seen || followed.judged == judged {
        return;
    }
    followed.judged = judged;
    let was = followed.saved_into.take();
    let (at, own) = (copy.clone(), Arc::clone(&followed.bytes));
    if !is_later(seen, followed.read) || apart(move || is_ours(&at, &own)).await.unwrap_or(true) {
        return;
    }
    let (name, own) = (name_of(path), Arc::clone(&followed.bytes));
    let brought = bring(state, path, &copy, followed, false).await;
    followed.bytes = own;
    let then = match brought {
        Ok(told) => {
            self::tell(setup, &told);
            "what is new there is here".to_string()
        }
        Err(error) => format!("what is there is not taken: {}", error.told()),
    };
    let text = format!(
        "the other program saved into the copy, {COPIES}/{name}: save that over {name} there. Until then no copy is \
         written; {then}"
    );
    if was.as_ref() != Some(&text) {
        (setup.tell)(&format!("{name}: {text}"));
    }
    followed.saved_into = Some(text);
}

/// How a file looks; none where there is none.
fn seen(file: &Path) -> Option<Seen> {
    let about = std::fs::metadata(file).ok()?;
    Some((about.len(), about.modified().ok()?))
}

/// Whether one version was saved behind another one, of which there may be none.
fn is_later(one: Option<Seen>, other: Option<Seen>) -> bool {
    one.is_some_and(|(_, one)| other.is_none_or(|(_, other)| one > other))
}

/// Beside a copy: the hash of what was written there last.
fn mark_of(copy: &Path) -> PathBuf {
    copy.with_file_name(format!(".{}.written", name_of(copy)))
}

/// Whether nothing is lost where a copy goes: it is as it was written here, or as the file itself.
fn is_ours(copy: &Path, own: &[u8]) -> bool {
    let read = |file: &Path| files::read(file, limits::FILE_BYTES as u64);
    match read(copy) {
        Ok(None) => true,
        Ok(Some(bytes)) => {
            let is_marked = |mark: Vec<u8>| mark == scrutineer_formats::file_hash(&bytes);
            bytes == own || read(&mark_of(copy)).ok().flatten().is_some_and(is_marked)
        }
        Err(_) => false,
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

/// Brings a version of a followed file in, out of that or out of its copy, and says what it brought.
async fn bring(
    state: &Arc<State>,
    path: &Path,
    from: &Path,
    followed: &mut Followed,
    is_touched: bool,
) -> Result<Vec<String>, VerbError> {
    let (name, file) = (name_of(from), from.to_path_buf());
    let bytes = apart(move || files::read(&file, limits::FILE_BYTES as u64)).await?;
    let bytes = bytes.map_err(|error| VerbError::file(from, &error))?.unwrap_or_default();
    let bytes = Arc::new(bytes);
    // The same file saved once more brings again what was taken back here since.
    let is_again = is_touched && followed.bytes == bytes;
    let (called, text) = (name.clone(), Arc::clone(&bytes));
    let there = Arc::new(OnceLock::new());
    let found = Arc::clone(&there);
    let changed = followed.read.map(|(_, changed)| changed);
    let others = state.other_program.files().clone().into_iter().filter(|(other, _)| other != path);
    let others: Vec<(PathBuf, Followed)> = others.collect();
    let read = move |store: &Store| {
        let asked = scrutineer_formats::Asked::default();
        let (mut prepared, understood) =
            understand(&called, &text, &asked, None, &Library::shipped())?;
        let identity = Some(&prepared.source.identity);
        let known = store.events()?;
        let there = known.iter().find(|event| event.source_event.as_ref() == identity);
        let differs = differs(&prepared);
        let _ = found.set((there.map(|there| there.stream), understood.rounds, differs));
        if let Some(there) = there {
            let is_further = |one: &Followed| {
                one.stream == Some(there.stream) && one.progress() > (understood.rounds, changed)
            };
            if let Some((other, _)) = others.iter().find(|(_, one)| is_further(one)) {
                let other = name_of(other);
                return Err(VerbError::new(
                    Code::conflict("changed-file"),
                    format!("{other} is a newer file of {}, and is followed", there.title),
                    format!("once {called} is further than {other}, it is followed instead"),
                ));
            }
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
    if let Some((stream, rounds, differs)) = there.get() {
        followed.stream = stream.or(followed.stream);
        (followed.rounds, followed.differs) = (*rounds, differs.clone());
    }
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

/// Where the final standings in a file are others than those here, in words.
fn differs(prepared: &Prepared) -> String {
    let checked = match prepared.source.places.is_empty() {
        true => Checked::default(),
        false => Checked::of(prepared).unwrap_or_default(),
    };
    let others = checked.unmatched.iter().filter_map(|one| match one {
        Unmatched::Differs { player, measure, published, computed } if measure == "place" => {
            Some(format!("{player} is {published}, here {computed}"))
        }
        _ => None,
    });
    let others: Vec<String> = others.collect();
    let (named, more) = others.split_at(others.len().min(TOLD));
    let more = if more.is_empty() { String::new() } else { format!("; and {} more", more.len()) };
    match named.is_empty() {
        true => String::new(),
        false => format!(". Its final places are others: {}{more}", named.join("; ")),
    }
}

/// The matches that have a result here and none in a file, in words.
fn lacking(name: &str, bytes: &[u8], state: &Tournament) -> Vec<String> {
    let source = scrutineer_formats::read(name, bytes).unwrap_or_default();
    let rounds = (1..).zip(source.rounds().map(|(_, round)| round));
    let open = rounds.flat_map(|(number, round)| {
        let tables = round.tables.iter().zip(round.numbers());
        tables.filter(|(table, _)| !table.has_result()).map(move |(_, table)| (number, table))
    });
    let is_played = |result: &MatchResult| {
        let rulings = &result.rulings;
        rulings.is_empty() || rulings.iter().any(|ruling| *ruling != Some(Ruling::NoResult))
    };
    let lacks = |(round, table): &(RoundNumber, u32)| {
        let found = state.at_table(*round, *table);
        found.and_then(|found| found.to_result()).is_some_and(|result| is_played(&result))
    };
    let all: Vec<_> = open.filter(lacks).collect();
    let named =
        all.iter().take(TOLD).map(|(round, table)| format!("table {table} in round {round}"));
    let more = all.len().checked_sub(TOLD).filter(|more| *more > 0);
    named.chain(more.map(|more| format!("{more} more"))).collect()
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
    let (file, read) = (copy_of(path), followed.read);
    let is_there = file.exists();
    let done = state
        .read_long(move |store| {
            let head = store.log().head(stream).map_err(StoreError::from)?.seq;
            if head == written {
                return Ok(None);
            }
            // What the other program saved there just now is looked into first.
            let is_theirs = !is_ours(&file, &bytes);
            if is_theirs && is_later(seen(&file), read) {
                return Ok(None);
            }
            let (event, standings) = given(store, stream, true)?;
            if !recorded_here(&event) && !is_there {
                return Ok(Some((head, Here::Nothing, Vec::new())));
            }
            let lacks = lacking(&name, &bytes, &event.state);
            let into = File::new(&name, &bytes);
            let format = ALL.iter().find(|format| format.detect(&into));
            let Some(format) = format.filter(|format| format.writes_into()) else {
                return Ok(Some((head, Here::Only, lacks)));
            };
            let text = outgoing::written(&event, &standings, *format, Some(&into))?.text;
            let is_all = text.as_bytes() == &bytes[..];
            if is_all && !is_there {
                return Ok(Some((head, Here::Nothing, lacks)));
            }
            write_copy(&file, text.as_bytes(), is_theirs).map_err(|error| {
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
            Ok(Some((head, if is_all { Here::Nothing } else { Here::InCopy }, lacks)))
        })
        .await?;
    if let Some((head, here, lacks)) = done {
        (followed.written, followed.here, followed.lacks) = (head, here, lacks);
    }
    Ok(())
}

/// Writes a copy, and its hash beside it. What the other program saved there keeps another name.
fn write_copy(copy: &Path, bytes: &[u8], is_theirs: bool) -> std::io::Result<()> {
    if is_theirs {
        let since = seen(copy).and_then(|(_, at)| at.duration_since(SystemTime::UNIX_EPOCH).ok());
        let at = since.map_or(0, |since| since.as_secs());
        std::fs::rename(copy, copy.with_file_name(format!("saved-{at}-{}", name_of(copy))))?;
    }
    files::publish(copy, bytes, true)?;
    files::publish(&mark_of(copy), &scrutineer_formats::file_hash(bytes), true)
}
