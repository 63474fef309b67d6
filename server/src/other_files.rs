//! The files of another program are followed: each version is brought in, and what is recorded here is written
//! into copies.

use crate::floor::now;
use crate::looked_files;
use crate::other_program::{COPIES, Followed, Here, Seen, Setup, look, name_of};
use crate::state::{State, apart};
use scrutineer_desk::against::Against;
use scrutineer_desk::desk::Asked;
use scrutineer_desk::files;
use scrutineer_desk::incoming::understand;
use scrutineer_desk::orders::{self, Publish};
use scrutineer_desk::outgoing::{self, given};
use scrutineer_desk::store::{Added, Export, Store, StoreError, TournamentSummary, built_on};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::Event;
use scrutineer_engine::record::{StreamId, Time};
use scrutineer_formats::{ALL, File, Waiting, limits, waiting};
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
    note_gone(state, setup, &found).await;
    for (path, seen) in found {
        let mut followed = state.other_program.files().get(&path).cloned().unwrap_or_default();
        if std::mem::take(&mut followed.is_gone) {
            followed.refused = None;
        }
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
                    followed.written = 0;
                    followed.refused_at = head(state, &followed).await.unwrap_or(0);
                    let why = error.told();
                    let (text, told) = match followed.is_read {
                        true => {
                            // A copy of the version before would take back what the other program did since.
                            let (old, own) = (copy_of(&path), Arc::clone(&followed.bytes));
                            let remove =
                                move || is_ours(&old, &own).then(|| std::fs::remove_file(old));
                            let _ = apart(remove).await;
                            let text = format!("its last version is not taken: {why}");
                            (text, format!("is not taken: {why}"))
                        }
                        // Then the copy may be the only whole file that there is.
                        false => {
                            let stays = copy_stays(state, &path, &mut followed).await;
                            let told = format!("cannot be read: {why}{stays}");
                            (format!("it {told}"), told)
                        }
                    };
                    if followed.refused.as_ref() != Some(&text) {
                        (setup.tell)(&format!("{} {told}", name_of(&path)));
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

/// Says of files that are there no longer that they are gone: their tournaments have no file now.
async fn note_gone(state: &Arc<State>, setup: &Setup, found: &[(PathBuf, Seen)]) {
    let is_found = |path: &Path| found.iter().any(|(there, _)| there == path);
    let missing: Vec<PathBuf> =
        state.other_program.files().keys().filter(|path| !is_found(path)).cloned().collect();
    let Ok(missing) = apart(move || {
        // Where there are too many, some are there and not followed.
        missing.into_iter().map(|path| (path.exists(), path)).collect::<Vec<_>>()
    })
    .await
    else {
        return;
    };
    for (is_there, path) in missing {
        let Some(mut followed) = state.other_program.files().get(&path).cloned() else { continue };
        // The other program may just be saving it.
        let is_new = followed.seen.take().is_none() && !followed.is_gone;
        let has_other = followed.stream.is_some_and(|stream| {
            let files = state.other_program.files();
            files.iter().any(|(other, one)| one.stream == Some(stream) && is_found(other))
        });
        if is_there || has_other || followed.stream.is_none() {
            state.other_program.files().remove(&path);
            continue;
        }
        if is_new {
            followed.is_gone = true;
            (followed.read, followed.written) = (None, 0);
            let stays = copy_stays(state, &path, &mut followed).await;
            let text = format!("it is gone{stays}");
            (setup.tell)(&format!("{}: {text}", name_of(&path)));
            followed.refused = Some(text);
        }
        state.other_program.files().insert(path, followed);
    }
}

/// That the copy of a file that is broken or gone stays, and of which round it is; empty where there is none. Where it
/// was not known of which tournament the file is, its copy says so.
async fn copy_stays(state: &Arc<State>, path: &Path, followed: &mut Followed) -> String {
    let (name, copy) = (name_of(path), copy_of(path));
    let called = name.clone();
    let read = state.read_long(move |store| {
        let bytes = files::read(&copy, limits::FILE_BYTES as u64).ok().flatten();
        let Some(source) = bytes.and_then(|bytes| scrutineer_formats::read(&called, &bytes).ok())
        else {
            return Ok(None);
        };
        let known = store.events()?;
        let is_it = |one: &&TournamentSummary| one.source_event.as_ref() == Some(&source.identity);
        let stream = known.iter().find(is_it).map(|one| one.stream);
        Ok(Some((source.rounds().count(), stream)))
    });
    let Ok(Some((rounds, stream))) = read.await else {
        return "; save it there once more".into();
    };
    followed.stream = followed.stream.or(stream);
    format!(
        "; its copy {COPIES}/{name}, with all up to round {rounds}, stays: save {name} there once more, or open the copy \
         there and save it over {name}"
    )
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
    followed.is_read = false;
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
    // Whatever was saved later and waits to be read is newer.
    let waits = |one: &Followed| one.seen != one.read && is_later(one.seen, followed.read);
    let is_alone = from == path && !others.iter().any(|(_, one)| waits(one));
    let read = move |store: &Store| {
        let asked = scrutineer_formats::Asked::default();
        let (mut prepared, understood) =
            understand(&called, &text, &asked, None, &Library::shipped())?;
        let identity = Some(&prepared.source.identity);
        let known = store.events()?;
        let there = known.iter().find(|event| event.source_event.as_ref() == identity);
        let waits = waiting(&prepared.source).map(|waiting| not_here_yet(&waiting));
        let _ = found.set((there.map(|there| there.stream), understood.rounds, waits));
        if let Some(there) = there {
            let is_further = |one: &Followed| {
                one.stream == Some(there.stream)
                    && one.progress() > (true, understood.rounds, changed)
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
            // An older version that was put back is held against what stands, like any other.
            if is_alone {
                prepared.alone();
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
    followed.is_read = there.get().is_some();
    if let Some((stream, rounds, waits)) = there.get() {
        if from == path {
            note_replaced(state, path, followed, *stream).await;
        }
        followed.stream = stream.or(followed.stream);
        followed.rounds = *rounds;
        followed.waits.clone_from(waits);
    }
    let (added, understood) = brought?;
    let odd = understood.oddities.iter();
    let odd: Vec<String> =
        odd.map(|one| format!("{name}: odd: {}: {}", one.place, one.sentence)).collect();
    let new = odd.iter().filter(|one| !followed.odd.contains(one)).cloned().collect();
    if let Some(setup) = &state.setup.beside {
        some_of(new).iter().for_each(|told| (setup.tell)(told));
    }
    followed.odd = odd;
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

/// Another tournament's file was saved over that of a tournament: the copy, which may be the only file with all that was
/// recorded of it, stays under another name, and its desk is told.
async fn note_replaced(
    state: &Arc<State>,
    path: &Path,
    followed: &mut Followed,
    now_of: Option<StreamId>,
) {
    followed.before.retain(|(stream, _)| Some(*stream) != now_of);
    let Some(old) = followed.stream.filter(|old| Some(*old) != now_of) else { return };
    let (name, copy) = (name_of(path), copy_of(path));
    let kept = apart(move || if copy.exists() { keep(&copy).map(Some) } else { Ok(None) }).await;
    let what = match kept {
        Ok(Ok(Some(kept))) => {
            format!(
                "its copy is {COPIES}/{kept}: open that there, and save it under a name of its own"
            )
        }
        // A version that is tried again has been told.
        Ok(Ok(None)) if followed.before.iter().any(|(stream, _)| *stream == old) => return,
        Ok(Ok(None)) => "save it there under a name of its own".to_string(),
        // Then the next copy would take its place.
        _ => format!("put {COPIES}/{name} elsewhere, which is its copy, before it is written over"),
    };
    let text = format!("{name} is another tournament now; {what}");
    if let Some(setup) = &state.setup.beside {
        (setup.tell)(&text);
    }
    followed.before.retain(|(stream, _)| *stream != old);
    followed.before.push((old, text));
}

/// What there is to say of rounds that wait in a file.
fn not_here_yet(waiting: &Waiting) -> String {
    let Waiting { what, open } = waiting;
    format!(
        "{what} is paired there, and comes in here once {open} is over there: until then go by the other program's \
         sheets for it"
    )
}

/// At most so many of a list in words, with how many more there are.
fn some_of(mut all: Vec<String>) -> Vec<String> {
    let more = all.len().saturating_sub(TOLD);
    all.truncate(TOLD);
    if more > 0 {
        all.push(format!("{more} more"));
    }
    all
}

/// Where the tables and the final standings in a file are others than those here, in words.
fn differs(tables: Vec<String>, places: Vec<String>) -> String {
    let told = |what: &str, all: Vec<String>| match all.is_empty() {
        true => String::new(),
        false => format!(". {what}: {}", some_of(all).join("; ")),
    };
    told("Tables have other numbers there", tables) + &told("Its final places are others", places)
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
            let asked = scrutineer_formats::Asked::default();
            let in_file = understand(&name, &bytes, &asked, None, &Library::shipped());
            let against = in_file.map_or(Against::default(), |(in_file, _)| {
                Against::of(&event, &standings.rules, &in_file)
            });
            let differs = differs(against.tables, against.places);
            let lacks = some_of(against.lacks);
            if !recorded_here(&event) && !is_there {
                return Ok(Some((head, Here::Nothing, Vec::new(), differs)));
            }
            let into = File::new(&name, &bytes);
            let format = ALL.iter().find(|format| format.detect(&into));
            let Some(format) = format.filter(|format| format.writes_into()) else {
                return Ok(Some((head, Here::Only, lacks, differs)));
            };
            let text = outgoing::written(&event, &standings, *format, Some(&into))?.text;
            let is_all = text.as_bytes() == &bytes[..];
            if is_all && !is_there {
                return Ok(Some((head, Here::Nothing, lacks, differs)));
            }
            // Another start does not know whose copy it is.
            let stays = is_theirs || (written == 0 && is_of_another(&name, &file, &bytes));
            write_copy(&file, text.as_bytes(), stays).map_err(|error| {
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
            let here = if is_all { Here::Nothing } else { Here::InCopy };
            Ok(Some((head, here, lacks, differs)))
        })
        .await?;
    if let Some((head, here, lacks, differs)) = done {
        (followed.written, followed.here) = (head, here);
        (followed.lacks, followed.differs) = (lacks, differs);
    }
    Ok(())
}

/// Whether a copy is one of another tournament than the file beside it.
fn is_of_another(name: &str, copy: &Path, bytes: &[u8]) -> bool {
    let identity =
        |bytes: &[u8]| scrutineer_formats::read(name, bytes).ok().map(|source| source.identity);
    let copy = files::read(copy, limits::FILE_BYTES as u64).ok().flatten();
    let copy = copy.and_then(|copy| identity(&copy));
    copy.is_some_and(|copy| identity(bytes).is_some_and(|own| own != copy))
}

/// Gives a copy another name, under which nothing is written over it, and says which.
fn keep(copy: &Path) -> std::io::Result<String> {
    let since = seen(copy).and_then(|(_, at)| at.duration_since(SystemTime::UNIX_EPOCH).ok());
    let at = since.map_or(0, |since| since.as_secs());
    let name = |at: u64| format!("saved-{at}-{}", name_of(copy));
    let is_free = |at: &u64| !copy.with_file_name(name(*at)).exists();
    let kept = name((at..).find(is_free).unwrap_or(at));
    std::fs::rename(copy, copy.with_file_name(&kept))?;
    Ok(kept)
}

/// Writes a copy, and its hash beside it. What the other program saved there, or is another tournament's, keeps another
/// name.
fn write_copy(copy: &Path, bytes: &[u8], stays: bool) -> std::io::Result<()> {
    if stays {
        keep(copy)?;
    }
    files::publish(copy, bytes, true)?;
    files::publish(&mark_of(copy), &scrutineer_formats::file_hash(bytes), true)
}
