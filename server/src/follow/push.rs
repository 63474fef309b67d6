//! The venue's side: what is public of its tournaments is pushed to a public server, as soon as it is there
//! and for as long as it takes.

use super::pushed::Head;
use super::witness::is_fork;
use super::{REFUSED, behind};
use crate::elsewhere::Elsewhere;
use crate::floor::now;
use crate::horizon::hides_round;
use crate::pushing::{Pushed, To};
use crate::state::State;
use scrutineer_desk::floor::{Change, Entry};
use scrutineer_desk::follow::part_behind;
use scrutineer_desk::shown::{Sealed, Shown};
use scrutineer_desk::store::{Salt, Store, StoreError};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::book::Opened;
use scrutineer_engine::error::{Code, ErrorKind};
use scrutineer_engine::event::PlayerNumber;
use scrutineer_engine::record::StreamId;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How soon a change goes out.
const SOON: Duration = Duration::from_millis(500);
/// How often a tournament of which nothing is new is asked about: so a public server that was restored from an
/// older copy is told again what it lacks.
const HEARD_EVERY: Duration = Duration::from_secs(10);
/// The same of one in which nothing has changed for an hour.
const QUIET: Duration = Duration::from_secs(60 * 60);
const HEARD_RARELY: Duration = Duration::from_secs(10 * 60);
/// The same of one that was refused: what stood in the way may be gone; where its log was rewritten, which is
/// accepted there by hand, as rarely as of a quiet one.
const REFUSED_EVERY: Duration = Duration::from_secs(30);
/// The longest wait after something failed; and where nobody answered at all, which costs a server nothing.
const LAST_PAUSE: Duration = Duration::from_secs(60);
const LAST_CALL: Duration = Duration::from_secs(5);

/// How far all are, from one round to the next.
#[derive(Default)]
struct Way {
    far: HashMap<StreamId, Far>,
    /// The one at which the last round ended because something failed: the next begins behind it, or those that come
    /// late would wait for a line on which nothing is lost.
    ended_at: Option<StreamId>,
    /// Whether the server answered in this round, and whether something new is there since.
    was_heard: bool,
    has_taken: bool,
}

/// How far one tournament is.
#[derive(Default)]
struct Far {
    /// What of it had changed when it was pushed.
    at: Option<(u64, u64)>,
    /// The same when it was told last that it is not there yet.
    told: Option<(u64, u64)>,
    asked: Option<Instant>,
    changed: Option<Instant>,
    /// How far the copy was when it had everything, and what it holds beside that.
    there: Option<Head>,
    apart: Option<Code>,
    /// The digest of what is shown there.
    shown: Option<[u8; 32]>,
    /// Why it is not pushed.
    refused: Option<Code>,
    /// Whether it is one of those that are pushed, once its title was read.
    is_meant: Option<bool>,
}

/// Pushes until the server stops.
pub async fn run(state: Arc<State>, to: To) {
    let mut stopping = state.stopping.clone();
    let (mut way, mut pause) = (Way::default(), SOON);
    loop {
        let due = Instant::now() + pause;
        // What changes while it waits is not there either.
        loop {
            let left = due.saturating_duration_since(Instant::now());
            tokio::select! {
                () = tokio::time::sleep(left.min(LAST_CALL)) => {}
                _ = stopping.wait_for(|stops| *stops) => return,
            }
            if left <= LAST_CALL {
                break;
            }
            let _ = tell_all_changed(&state, &to, &mut way).await;
        }
        if !state.second.is_desk() {
            continue;
        }
        pause = match round(&state, &to, &mut way).await {
            Ok(()) => SOON,
            Err(error) => {
                state.pushing.went(Err(&error));
                way.failed();
                // A line on which something comes through is tried again soon.
                let longer = if way.has_taken { SOON } else { pause * 2 };
                match error.code.kind {
                    ErrorKind::SignIn => REFUSED,
                    ErrorKind::UnknownOutcome => longer.min(LAST_CALL),
                    _ => longer.min(LAST_PAUSE),
                }
            }
        };
    }
}

impl Way {
    /// Forgets what is not known any more once a round has ended because something failed.
    fn failed(&mut self) {
        // What was sent of it may have arrived or not: it is asked for again. Of the others that is known.
        if let Some(far) = self.ended_at.and_then(|stream| self.far.get_mut(&stream)) {
            far.at = None;
        }
        // A server that was away may have been restored from an older copy meanwhile.
        if !self.was_heard {
            self.far.values_mut().for_each(|far| far.asked = None);
        }
    }
}

/// Whether a refusal is of the server, and not of one tournament.
fn is_of_the_server(error: &VerbError) -> bool {
    use ErrorKind::{Busy, Forbidden, Io, SignIn, SlowDown, UnknownOutcome};
    matches!(error.code.kind, Busy | Forbidden | Io | SignIn | SlowDown | UnknownOutcome)
}

async fn round(state: &Arc<State>, to: &To, way: &mut Way) -> Result<(), VerbError> {
    (way.was_heard, way.has_taken) = (false, false);
    let streams = tell_all_changed(state, to, way).await?;
    for stream in behind(streams, way.ended_at) {
        way.ended_at = Some(stream);
        let far = way.far.entry(stream).or_default();
        if !is_meant(state, to, stream, far).await? {
            continue;
        }
        let at = version(state, stream)?;
        let is_known = far.at == Some(at);
        if !is_known {
            far.changed = Some(Instant::now());
        }
        let is_quiet = far.changed.is_some_and(|changed| changed.elapsed() > QUIET);
        let every = if is_quiet { HEARD_RARELY } else { HEARD_EVERY };
        let every = match far.refused {
            Some(code) if is_fork(code) => HEARD_RARELY,
            Some(_) => REFUSED_EVERY,
            None => every,
        };
        let is_heard = far.asked.is_some_and(|asked| asked.elapsed() < every);
        if is_known && is_heard {
            continue;
        }
        far.asked = Some(Instant::now());
        let pushed = push(state, &to.server, stream, (far, is_known)).await;
        if pushed.is_err() {
            // What changed is not there, however far the copy says that it is.
            far.there = None;
        }
        match pushed {
            Ok(apart) => {
                (far.at, far.refused) = (Some(at), None);
                let stands = apart.map_or(Pushed::There, Pushed::Apart);
                state.pushing.stands(stream, Some(stands));
                state.pushing.went(Ok(()));
                way.was_heard = true;
                way.has_taken |= !is_known;
            }
            Err(error) if is_of_the_server(&error) => return Err(error),
            // Another answer than was asked for, as a bad line gives: it is tried again soon.
            Err(error) if error.code.kind == ErrorKind::Damaged => far.at = Some(at),
            // A copy, a tournament without a key, one of which nothing is public; or a fork, which is
            // told there, and is tried again when something changes.
            Err(error) => {
                (far.at, far.refused) = (Some(at), Some(error.code));
                let refused = Some(Pushed::Refused(error.code));
                state.pushing.stands(stream, refused.filter(|_| error.code.word != "is-a-copy"));
            }
        }
    }
    way.ended_at = None;
    Ok(())
}

/// What of a tournament has changed so far.
fn version(state: &State, stream: StreamId) -> Result<(u64, u64), VerbError> {
    let floor = state.floor(stream)?.version();
    Ok((state.changes(Some(stream)).load(Ordering::Acquire), floor))
}

/// As [`tell_changed`], of each tournament here; gives them.
async fn tell_all_changed(
    state: &Arc<State>,
    to: &To,
    way: &mut Way,
) -> Result<Vec<StreamId>, VerbError> {
    let streams = state.read(|store| Ok(store.log().streams().map_err(StoreError::from)?)).await?;
    for stream in &streams {
        // Of what cannot be read here its own turn tells.
        let _ = tell_changed(state, to, *stream, way.far.entry(*stream).or_default()).await;
    }
    Ok(streams)
}

/// Takes note of what has changed before any of it is pushed: it is not there, however long that takes. Of a copy, and of
/// a tournament of which nothing is public, nothing has to be there.
async fn tell_changed(
    state: &Arc<State>,
    to: &To,
    stream: StreamId,
    far: &mut Far,
) -> Result<(), VerbError> {
    let at = version(state, stream)?;
    if far.at == Some(at) || far.told == Some(at) || !is_meant(state, to, stream, far).await? {
        return Ok(());
    }
    far.told = Some(at);
    is_public(state, stream).await?;
    state.pushing.changed(stream);
    Ok(())
}

/// Refuses a copy, and a tournament of which nothing is public: nothing is asked about it.
async fn is_public(state: &Arc<State>, stream: StreamId) -> Result<(), VerbError> {
    let shared = Arc::clone(state);
    let done = state.read(move |store| {
        store.check_own(stream)?;
        shared.horizons.public(store, stream).map(drop)
    });
    done.await
}

/// Whether a tournament is one of those that are pushed: its title never changes.
async fn is_meant(
    state: &Arc<State>,
    to: &To,
    stream: StreamId,
    far: &mut Far,
) -> Result<bool, VerbError> {
    if to.only.is_none() {
        return Ok(true);
    }
    if let Some(known) = far.is_meant {
        return Ok(known);
    }
    let title = state.read(move |store| Ok(store.load(stream, false)?.title())).await?;
    let is_meant = to.is_meant(&title);
    far.is_meant = Some(is_meant);
    if !is_meant {
        state.pushing.stands(stream, Some(Pushed::NotMeant));
    }
    Ok(is_meant)
}

async fn ask(to: &Elsewhere, method: &str, path: &str, body: Vec<u8>) -> Result<Head, VerbError> {
    let bytes = to.ask(method, path, body, 0).await?;
    serde_json::from_slice(&bytes).map_err(|error| {
        let message = format!("{} gave no head: {error}", to.base());
        VerbError::new(
            Code::damaged("copy-not-taken"),
            message,
            "look whether both run one version",
        )
    })
}

fn to_json(value: &impl serde::Serialize) -> Vec<u8> {
    // Texts and numbers have nothing that JSON cannot spell.
    serde_json::to_vec(value).unwrap_or_default()
}

/// Pushes what a public server lacks of a tournament. Returns what is other there all the same: events that this log
/// does not have, or another history, which its pages tell of.
async fn push(
    state: &Arc<State>,
    to: &Elsewhere,
    stream: StreamId,
    (far, is_known): (&mut Far, bool),
) -> Result<Option<Code>, VerbError> {
    is_public(state, stream).await?;
    let path = format!("/follow/{stream}");
    let mut there = ask(to, "GET", &path, Vec::new()).await?;
    if is_known && far.there.as_ref() == Some(&there) {
        return Ok(far.apart);
    }
    let shared = Arc::clone(state);
    let own = state.read(move |store| {
        let public = shared.horizons.public(store, stream)?;
        Ok(public.log().head(stream).map_err(StoreError::from)?)
    });
    let own = own.await?;
    // Where more is there than here, or as much of another log, a disk failed or it was rewritten: all of it says
    // which.
    let is_other = own.seq == there.size && own.seq > 0 && own.hash.to_string() != there.hash;
    let mut after = if own.seq < there.size || is_other { 0 } else { there.size };
    loop {
        let shared = Arc::clone(state);
        let part = state.read_long(move |store| {
            let public = shared.horizons.public(store, stream)?;
            let size = public.log().head(stream).map_err(StoreError::from)?.seq;
            let keys = &shared.setup.asker.keys;
            let part = part_behind((store, &public), stream, after, keys)?;
            Ok((part, size))
        });
        let (part, size) = part.await?;
        if part.records.is_empty() && after == there.size && size >= there.size {
            break;
        }
        let count = part.records.len() as u64;
        match ask(to, "POST", &format!("{path}/records"), to_json(&part)).await {
            Ok(now) => there = now,
            // Its records are others: it is shown all of them, which proves it.
            Err(error) if error.code.word == "copy-not-taken" && after > 0 => {
                after = 0;
                continue;
            }
            Err(error) => return Err(error),
        }
        after += count;
        if count == 0 {
            break;
        }
    }
    let shared = Arc::clone(state);
    let sealed = state.read(move |store| sealed(&shared, store, stream));
    let sealed = sealed.await?;
    let digest = *blake3::hash(sealed.shown.as_bytes()).as_bytes();
    if far.shown != Some(digest) || there.shown == 0 {
        there = ask(to, "PUT", &format!("{path}/shown"), to_json(&sealed)).await?;
        far.shown = Some(digest);
    }
    far.apart = match there.size > own.seq {
        true => Some(Code::refused("log-shorter")),
        false => there.is_forked.then_some(Code::refused("log-forked")),
    };
    far.there = Some(there);
    Ok(far.apart)
}

/// What is shown beside the log, signed.
fn sealed(state: &State, store: &Store, stream: StreamId) -> Result<Sealed, VerbError> {
    let public = state.horizons.public(store, stream)?;
    let event = public.load(stream, true)?;
    let book = public.books().book(stream).map_err(StoreError::from)?;
    let (mut texts, mut salts) = (BTreeMap::new(), BTreeMap::new());
    for (_, one) in &event.log {
        for (_, words) in one.commitments() {
            if let Opened::Text(text) = book.text(&words) {
                texts.insert(words.number, text.to_string());
                // What is masked has none.
                salts.extend(book.entry(words.number).map(|one| (one.number, Salt::of(one))));
            }
        }
    }
    let pairings = state.horizons.pairings(store, stream)?;
    for (_, one) in pairings.iter().flat_map(|pairings| &pairings.log) {
        for (_, words) in one.commitments() {
            let known = pairings.as_ref().map(|pairings| pairings.book.text(&words));
            if let Some(Opened::Text(text)) = known {
                texts.insert(words.number, text.to_string());
            }
        }
    }
    let behind = match &pairings {
        Some(pairings) => Shown::of_pairings(pairings, event.state.head())?,
        None => Vec::new(),
    };
    // Of rounds that are out, and no more than what is hidden of them.
    let mut missing = state.horizons.missing(store, stream)?;
    let out = pairings.as_ref().map_or(&event.state, |pairings| &pairings.state);
    missing.retain(|round, missing| {
        out.round(*round).is_some_and(|round| round.open_matches != *missing)
    });
    // The same before the first result is in and behind it.
    let hides = state.horizons.hidden_behind(store, stream)?.is_some()
        || hides_round(&state.horizons.policy(stream), &event.state);
    let (floor, links) = (state.floor(stream)?, state.house.player_links(stream));
    // Whose device came in by a public server reads there what became of their wish, by the key under which it was done.
    let is_from_afar = |player: &PlayerNumber| {
        let link = links.get(player);
        link.is_some_and(|link| link.is_bound() && !link.was_bound_before(u64::MAX))
    };
    let is_wish_from_afar = |change: &Change| match change {
        Change::WishDrop { player } | Change::EndWish { player } => is_from_afar(player),
        _ => false,
    };
    let is_shown = |entry: &&Entry| {
        use Change::*;
        matches!(
            entry.change,
            StartClock { .. }
                | PauseClock {}
                | ResumeClock {}
                | AddMinutes { .. }
                | StopClock {}
                | Announce { .. }
                | EndAnnouncement { .. }
                | Feature { .. }
                // Each player sees those of their own table.
                | Extend { .. }
                | Overlay { .. }
        ) || is_wish_from_afar(&entry.change)
    };
    let bare = |entry: &Entry| {
        let key = entry.key.clone().filter(|_| is_wish_from_afar(&entry.change));
        Entry { by: None, key, ..entry.clone() }
    };
    let shown = Shown {
        title: Some(event.title()),
        texts,
        salts,
        records: state.horizons.policy(stream).records,
        links: serde_json::to_value(&links).unwrap_or_default(),
        floor: floor.entries().iter().filter(is_shown).map(bare).collect(),
        behind,
        hides,
        missing,
    };
    let key = event.state.signers().last().map(|(_, key)| *key);
    let none = || {
        let message = "the tournament has no key to sign with";
        VerbError::new(Code::refused("no-signer"), message, "give it one: `scrutineer keys new`")
    };
    let key = key.ok_or_else(none)?;
    let own = state.setup.asker.keys.get(&key)?.ok_or_else(none)?;
    let shown = String::from_utf8(to_json(&shown)).unwrap_or_default();
    Ok(Sealed::sign(stream, now().saturating_mul(1_000), shown, &own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_begins_behind_the_one_at_which_the_last_ended_and_asks_for_that_one_again() {
        let own = [1, 2, 3, 4].map(|one| StreamId([one; 16]));
        let mut way = Way { was_heard: true, ..Way::default() };
        let turn = |way: &Way| behind(vec![own[2], own[0], own[3], own[1]], way.ended_at);
        assert_eq!(turn(&way), own);
        for stream in own {
            let asked = Some(Instant::now());
            way.far.insert(stream, Far { at: Some((1, 0)), asked, ..Far::default() });
        }
        way.ended_at = Some(own[1]);
        way.failed();
        assert_eq!(turn(&way), [own[2], own[3], own[0], own[1]]);
        let known = |way: &Way| own.map(|stream| way.far[&stream].at.is_some());
        assert_eq!(known(&way), [true, false, true, true]);
        assert!(way.far.values().all(|far| far.asked.is_some()));
        // The last one, of a server that gave no answer at all: each is asked about once it is back.
        (way.ended_at, way.was_heard) = (Some(own[3]), false);
        way.failed();
        assert_eq!(turn(&way), own);
        assert!(way.far.values().all(|far| far.asked.is_none()));
    }
}
