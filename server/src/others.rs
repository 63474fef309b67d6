//! What other servers of a database change: asked several times a second, and told to those who watch here.

use crate::floor_api::tell;
use crate::house::{POLICIES, SHOWN};
use crate::state::State;
use scrutineer_desk::floor::{Change, Entry, Floor};
use scrutineer_desk::store::Store;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::record::StreamId;
use scrutineer_postgres::{ChangedStream, Changes, Watcher};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// How often it is asked what changed.
pub const LOOKS_EVERY: Duration = Duration::from_millis(200);
/// How often it is looked at what is kept beside the logs.
const FILES_EVERY: Duration = Duration::from_secs(2);
/// How often it is asked about everything.
const ALL_EVERY: Duration = Duration::from_secs(60);

/// Hears what others change, until the server stops.
pub(crate) fn attend(state: Arc<State>) {
    let Some(node) = &state.node else { return };
    let watcher = node.watcher();
    let (heard, hears) = channel();
    let (asks, takes) = (Arc::clone(&state), state);
    // Two threads: whoever takes changes in may wait for a database that is away, and who asks says so.
    let asking = move || ask(&asks, watcher, &heard);
    let taking = move || take_all(&takes, &hears);
    let named = |name: &str| std::thread::Builder::new().name(name.into());
    // Without threads nothing else would run either.
    let _ = named("database-asks").spawn(asking);
    let _ = named("database-takes").spawn(taking);
}

fn ask(state: &State, mut watcher: Watcher, heard: &Sender<(Changes, bool)>) {
    let Some(node) = &state.node else { return };
    // When it was asked about everything; none: what was told before may not be all.
    let mut whole: Option<Instant> = None;
    while !*state.stopping.borrow() {
        let begun = Instant::now();
        let at_everything = whole.is_none_or(|last| last.elapsed() >= ALL_EVERY);
        match watcher.look(at_everything) {
            Ok(changes) => {
                let is_anew = whole.is_none();
                if at_everything {
                    whole = Some(begun);
                }
                state.house.note_away(false);
                node.answers(changes.is_writable);
                if heard.send((changes, is_anew)).is_err() {
                    return;
                }
            }
            Err(error) => {
                // What changed while it was away is older than what is told of as new.
                whole = None;
                state.house.note_away(true);
                node.is_away(error.reason);
            }
        }
        for (stream, ends) in node.new_forks() {
            if let Some(log) = &state.setup.log {
                log.write_fork(stream, ends);
            }
        }
        std::thread::sleep(LOOKS_EVERY.saturating_sub(begun.elapsed()));
    }
    watcher.end();
}

/// What was heard of a tournament.
type Heard = HashMap<StreamId, ChangedStream>;

fn take_all(state: &Arc<State>, hears: &Receiver<(Changes, bool)>) {
    let mut known = Heard::new();
    let mut looked: Option<Instant> = None;
    while let Ok((changes, is_anew)) = hears.recv() {
        if looked.is_none_or(|last| last.elapsed() >= FILES_EVERY) {
            look_at_files(state);
            looked = Some(Instant::now());
        }
        if take_house(state, changes.house).is_err() {
            // It is asked for again in a moment.
            continue;
        }
        let slot = state.slot().blocking_read();
        let Some(store) = slot.as_ref() else { continue };
        if is_anew {
            // At the beginning, and where what was heard before may not have been taken in.
            known.clear();
            state.changed_all();
        }
        for changed in changes.streams {
            take_stream(state, store, &mut known, changed, is_anew);
        }
        for (stream, entries) in changes.floors {
            take_floor(state, store, stream, entries);
        }
    }
}

/// Looks for what others keep beside the logs: editions of rules, and how the season goes.
fn look_at_files(state: &State) {
    // Where it cannot be read now, it is the next time.
    let _ = state.editions.at().map(|at| at.look());
    let _ = state.season.look();
}

fn take_house(state: &State, version: u64) -> Result<(), VerbError> {
    let news = match state.house.version() < version {
        true => state.house.catch_up()?,
        // Some may have been read by whoever asked at once.
        false => state.house.news(),
    };
    if news.is_empty() {
        return Ok(());
    }
    let slot = state.slot().blocking_read();
    for (table, key) in news {
        let is_shown = table == SHOWN;
        let Ok(stream) = key.parse::<StreamId>() else { continue };
        if !is_shown && table != POLICIES {
            continue;
        }
        if let Some(kept) = state.horizons.shown(stream).filter(|_| is_shown) {
            let floor = Floor::of(kept.shown.floor.clone());
            state.floors.show(stream, floor.clone());
            if let Some(store) = slot.as_ref() {
                tell(state, store, stream, &floor);
            }
        }
        state.changed(stream);
        if let Some(store) = slot.as_ref() {
            state.live.chosen_anew(store, stream);
        }
    }
    Ok(())
}

fn take_stream(
    state: &State,
    store: &Store,
    known: &mut Heard,
    changed: ChangedStream,
    is_anew: bool,
) {
    let (Some(node), stream) = (&state.node, changed.stream) else { return };
    let before = known.insert(stream, changed);
    if before == Some(changed) {
        return;
    }
    let is_own = node.heard(stream, changed.head);
    let has_moved = before.is_none_or(|before| before.head != changed.head);
    if has_moved && is_own && !is_anew {
        return;
    }
    match before {
        _ if is_anew => {}
        None => state.changed_all(),
        // Texts alone may have changed: somebody was forgotten.
        Some(_) => state.changed(stream),
    }
    if has_moved {
        state.live.publish(store, stream);
    }
}

fn take_floor(state: &State, store: &Store, stream: StreamId, entries: u64) {
    let Some(before) = state.floors.known_version(stream) else { return };
    if before >= entries || state.floors.read_on(&state.house, stream).is_err() {
        return;
    }
    let Ok(floor) = state.floor(stream) else { return };
    let is_device = |entry: &Entry| matches!(entry.change, Change::Device { .. });
    // From which device something came is shown on no open page.
    if floor.entries().iter().skip(before as usize).all(is_device) {
        return;
    }
    tell(state, store, stream, &floor);
    for entry in floor.entries().iter().skip(before as usize) {
        state.live.tell_table(stream, &floor, &entry.change);
    }
}
