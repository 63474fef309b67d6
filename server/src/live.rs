//! What happens in a tournament, told to those who watch: frames with the number of their event,
//! so that a stream goes on exactly where it broke off.

use scrutineer_desk::desk::write_slip;
use scrutineer_desk::store::{Store, StoreError};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::Event;
use scrutineer_engine::handler::{CommandError, read_events};
use scrutineer_engine::record::StreamId;
use scrutineer_engine::tournament::{Round, Tournament};
use serde_json::{Value, json};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::broadcast;

/// How many frames are kept for streams that come back.
pub const RING: usize = 4_096;

/// How far a stream may be behind before it is told to load its page again.
const BEHIND: usize = 512;

/// What those who watch are told of one event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The seq of the event.
    pub id: u64,
    /// What it is called.
    pub name: &'static str,
    /// The rest, as JSON on one line.
    pub data: String,
    /// Whether everybody may know it.
    pub is_public: bool,
}

/// Returns whether the pairings of a round are out: they were published, or it has a result.
pub fn is_out(state: &Tournament, round: &Round) -> bool {
    let has_result = || {
        let number = round.number;
        state.matches().any(|one| one.round().number == number && one.result().is_some())
    };
    round.published.is_some() || round.completed.is_some() || has_result()
}

/// Returns where a tournament stands, as the frame `head` and the API say it.
pub fn head_json(state: &Tournament, hash: &str) -> Value {
    let round = state.last_round();
    json!({
        "seq": state.head(),
        "hash": hash,
        "round": round.map_or(0, |round| round.number),
        "missing": round.map_or(0, |round| round.open_matches),
        "published": round.is_some_and(|round| round.published.is_some()),
    })
}

/// Returns the ETag of a head, without its quotation marks.
pub fn tag(seq: u64, hash: &str) -> String {
    format!("{seq}-{}", hash.get(..8).unwrap_or(hash))
}

/// Returns where a log stands: its ETag, without the quotation marks.
///
/// # Errors
/// Where it cannot be read.
pub fn tag_of(store: &Store, stream: StreamId) -> Result<String, StoreError> {
    let head = store.log().head(stream)?;
    Ok(tag(head.seq, &head.hash.to_string()))
}

/// Returns the frames of all that was recorded after an event.
///
/// # Errors
/// Where the log cannot be read.
pub fn frames_after(store: &Store, stream: StreamId, after: u64) -> Result<Vec<Frame>, VerbError> {
    let (head, state) = store.handler().load(stream).map_err(StoreError::from)?;
    let mut frames = Vec::new();
    for read in read_events(store.log(), stream, after) {
        let (record, event) = read.map_err(|error| StoreError::from(CommandError::from(error)))?;
        frames.extend(frame(&state, record.header().seq, &event));
    }
    if head.seq > after {
        let is_public = state.last_round().is_none_or(|round| is_out(&state, round));
        let data = head_json(&state, &head.hash.to_string()).to_string();
        frames.push(Frame { id: head.seq, name: "head", data, is_public });
    }
    Ok(frames)
}

/// Returns what is told of an event, where anything is.
fn frame(state: &Tournament, seq: u64, event: &Event) -> Option<Frame> {
    let result = |name, pairing, result| {
        let found = state.match_at(pairing)?;
        let round = found.round();
        let data = json!({
            "round": round.number,
            "table": found.table(),
            "score": write_slip(result),
            "missing": round.open_matches,
        });
        Some(Frame { id: seq, name, data: data.to_string(), is_public: true })
    };
    match event {
        Event::ResultRecorded(one) => result("result", one.pairing, &one.result),
        Event::ResultCorrected(one) => result("corrected", one.pairing, &one.result),
        Event::PairingsPublished(one) => {
            let data = json!({ "round": one.round }).to_string();
            Some(Frame { id: seq, name: "published", data, is_public: true })
        }
        Event::TournamentClosed(_) => {
            Some(Frame { id: seq, name: "closed", data: "{}".into(), is_public: true })
        }
        _ => None,
    }
}

/// What is kept of a tournament that somebody watches.
struct Watched {
    /// Up to which event there are frames.
    last: u64,
    /// After which event the ring begins.
    since: u64,
    ring: VecDeque<Frame>,
    sender: broadcast::Sender<Frame>,
}

/// The tournaments that somebody watches.
#[derive(Default)]
pub struct Live {
    watched: Mutex<HashMap<StreamId, Watched>>,
}

/// What a stream begins with, and where the rest comes from.
pub struct Subscription {
    /// What was missed; none: too much to tell, the page is to be loaded again.
    pub missed: Option<Vec<Frame>>,
    /// What comes.
    pub coming: broadcast::Receiver<Frame>,
}

impl Live {
    fn lock(&self) -> MutexGuard<'_, HashMap<StreamId, Watched>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a stream; after an event that was told already, or with what comes.
    ///
    /// # Errors
    /// Where the log cannot be read.
    pub fn subscribe(
        &self,
        store: &Store,
        stream: StreamId,
        after: Option<u64>,
    ) -> Result<Subscription, VerbError> {
        let head = store.log().head(stream).map_err(StoreError::from)?.seq;
        let mut watched = self.lock();
        let one = watched.entry(stream).or_insert_with(|| Watched {
            last: head,
            since: head,
            ring: VecDeque::new(),
            sender: broadcast::channel(BEHIND).0,
        });
        let coming = one.sender.subscribe();
        let missed = match after {
            None => Some(Vec::new()),
            Some(after) if after >= one.since => {
                Some(one.ring.iter().filter(|frame| frame.id > after).cloned().collect())
            }
            // More than a ring holds is faster loaded than told.
            Some(after) if one.last - after <= RING as u64 => {
                let until = one.last;
                let frames = frames_after(store, stream, after)?;
                Some(frames.into_iter().filter(|frame| frame.id <= until).collect())
            }
            Some(_) => None,
        };
        Ok(Subscription { missed, coming })
    }

    /// Tells those who watch a tournament what was recorded. What cannot be read is told later.
    pub fn publish(&self, store: &Store, stream: StreamId) {
        let mut watched = self.lock();
        let Some(one) = watched.get_mut(&stream) else { return };
        let Ok(frames) = frames_after(store, stream, one.last) else { return };
        for frame in frames {
            one.last = one.last.max(frame.id);
            if one.ring.len() == RING
                && let Some(gone) = one.ring.pop_front()
            {
                one.since = gone.id;
            }
            one.ring.push_back(frame.clone());
            // Nobody listens any more: the ring holds it for those who come back.
            let _ = one.sender.send(frame);
        }
    }

    /// Tells about everything that was recorded while the store was lent.
    pub fn catch_up(&self, store: &Store) {
        let streams: Vec<StreamId> = self.lock().keys().copied().collect();
        streams.into_iter().for_each(|stream| self.publish(store, stream));
    }
}

/// A tournament's state as its handler keeps it.
///
/// # Errors
/// Where the log cannot be read.
pub fn state_of(store: &Store, stream: StreamId) -> Result<Arc<Tournament>, StoreError> {
    Ok(store.handler().load(stream)?.1)
}
