//! The deliveries of each webhook: what the stream tells everybody, who drops, what is disputed and what was signed
//! since, one after another. How far each was told is in the house, and what there is to tell in the logs: so nothing
//! waits in memory.

use super::delivery::{CHECKPOINT, Delivery, Trouble};
use super::named;
use crate::elsewhere::Elsewhere;
use crate::house::{Reached, Webhook, now};
use crate::live::{Happened, Viewer, Watching, state_of};
use crate::state::State;
use scrutineer_desk::sign::kept;
use scrutineer_desk::store::{Store, StoreError};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::Seq;
use scrutineer_engine::record::{StreamId, to_hex};
use scrutineer_replay::trust::checkpoint::Signed;
use serde_json::json;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How soon something is told.
const SOON: Duration = Duration::from_millis(500);
/// How long it is known in memory alone what was delivered: what a kill loses of it is delivered again.
const BEHIND: Duration = Duration::from_secs(1);
/// How many tournaments of a webhook are watched at a time; others are read from their logs.
const WATCHED: usize = 16;
/// After so many events that it is not told of, it is kept that it knows them.
const FAR: u64 = 1_000;

/// Delivers until the server stops.
pub async fn run(state: Arc<State>) {
    let mut stopping = state.stopping.clone();
    let mut attended = HashSet::new();
    loop {
        let all = state.house.webhooks();
        attended.retain(|id| all.iter().any(|one| one.id == *id));
        for one in all {
            if attended.insert(one.id.clone()) {
                tokio::spawn(attend(Arc::clone(&state), one.id));
            }
        }
        tokio::select! {
            () = tokio::time::sleep(SOON) => {}
            _ = stopping.wait_for(|stops| *stops) => return,
        }
    }
}

/// What one webhook was told of, as far as that is known in memory.
struct Far {
    /// How often anything, and each tournament, had changed when it was told.
    all: Option<u64>,
    each: HashMap<StreamId, u64>,
    watched: HashMap<StreamId, Watching>,
    line: Elsewhere,
}

impl Far {
    fn nothing(line: Elsewhere) -> Far {
        Far { all: None, each: HashMap::new(), watched: HashMap::new(), line }
    }
}

/// Delivers to one of them, until it is removed.
async fn attend(state: Arc<State>, id: String) {
    let mut stopping = state.stopping.clone();
    let nothing = || Far::nothing(Elsewhere::guarded(named(&state)));
    let mut far = nothing();
    loop {
        let Ok(hook) = state.house.webhook(&id) else { return };
        let is_due = hook.paused.is_none() && hook.next <= now() && state.second.is_desk();
        if !state.does_for_all() {
            // Another server delivers: how far is in the house, and nothing here knows it.
            far = nothing();
        } else if is_due {
            // Where something cannot be read or kept, it is told of later.
            let _ = round(&state, &hook, &mut far).await;
        }
        tokio::select! {
            () = tokio::time::sleep(SOON) => {}
            _ = stopping.wait_for(|stops| *stops) => return,
        }
    }
}

/// Tells it of everything that it does not know; ends at the first delivery that fails.
async fn round(state: &Arc<State>, hook: &Webhook, far: &mut Far) -> Result<(), VerbError> {
    let all = state.changes(None).load(Ordering::Acquire);
    if far.all == Some(all) {
        return Ok(());
    }
    let streams = match &hook.tournament {
        Some(id) => id.parse().into_iter().collect(),
        None => state.read(|store| Ok(store.log().streams().map_err(StoreError::from)?)).await?,
    };
    for stream in streams {
        let changes = state.changes(Some(stream)).load(Ordering::Acquire);
        if far.each.get(&stream) == Some(&changes) {
            continue;
        }
        if !tell(state, hook, stream, far).await? {
            return Ok(());
        }
        far.each.insert(stream, changes);
    }
    far.all = Some(all);
    Ok(())
}

/// Where it begins that never looked at a tournament: one that was opened since it was made is told from its
/// beginning, and of one that came from elsewhere what is new.
fn begin(
    state: &State,
    store: &Store,
    hook: &Webhook,
    stream: StreamId,
) -> Result<Reached, VerbError> {
    let first = store.log().read(stream, 0).next().transpose().map_err(StoreError::from)?;
    let opened = first.map_or(0, |first| first.header().time.unix_micros);
    let is_new = u64::try_from(opened).unwrap_or(0) >= hook.made
        && state_of(store, stream)?.imported().is_none();
    let seq = if is_new { 0 } else { state.horizons.of(store, stream)?.seq };
    Ok(Reached { seq, number: 0, signed: None })
}

/// The checkpoints of a tournament behind one, up to the last event that is public. Where one that is kept cannot be
/// read none is told, and everything else is: they are told once it can.
fn signed(store: &Store, stream: StreamId, (after, public): (Seq, Seq)) -> Vec<Happened> {
    let is_new = |one: &Signed| (after + 1..=public).contains(&one.checkpoint.size);
    let told = |one: Signed| {
        let data = json!({
            "records": one.checkpoint.size,
            "root": to_hex(&one.checkpoint.root),
            "checkpoint": one.to_string(),
        });
        Happened { seq: one.checkpoint.size, name: CHECKPOINT, data: data.to_string().into() }
    };
    kept(store, stream).unwrap_or_default().into_iter().filter(is_new).map(told).collect()
}

/// What there is to tell, and how far whoever has it knows the tournament.
struct News {
    deliveries: Vec<Delivery>,
    reached: Reached,
    now: u64,
    watching: Option<Watching>,
}

fn news(
    state: &State,
    store: &Store,
    hook: &Webhook,
    stream: StreamId,
    watching: Option<Watching>,
) -> Result<News, VerbError> {
    let mut reached = match state.house.webhook_reached(&hook.id, stream) {
        Some(reached) => reached,
        None => {
            let begun = begin(state, store, hook, stream)?;
            state.house.webhook_delivered(&hook.id, stream, begun, 0)?;
            begun
        }
    };
    // Most logs have nothing behind what it knows, as when the server starts: none of them is read.
    let head = store.log().head(stream).map_err(StoreError::from)?.seq;
    let after = reached.signed.unwrap_or(reached.seq);
    reached.signed = Some(after);
    if watching.is_none() && head == reached.seq && signed(store, stream, (after, head)).is_empty()
    {
        return Ok(News { deliveries: Vec::new(), reached, now: head, watching });
    }
    state.live.publish(store, stream);
    let watch = || state.live.watch(store, stream, Some(reached.seq), Viewer::Programs);
    let mut watching = watching.map_or_else(watch, Ok)?;
    let happened = watching.happened();
    let now = watching.last();
    let deliveries = match happened {
        Some(mut all) => {
            all.extend(signed(store, stream, (after, now)));
            all.sort_by_key(|one| one.seq);
            let each = all.iter().zip(reached.number + 1..);
            each.map(|(what, number)| Delivery::of(hook, stream, number, what)).collect()
        }
        None => {
            let missed = (reached.seq, now);
            // From here on it is told again.
            watching = state.live.watch(store, stream, Some(now), Viewer::Programs)?;
            vec![Delivery::behind(hook, stream, reached.number + 1, missed)]
        }
    };
    Ok(News { deliveries, reached, now, watching: Some(watching) })
}

/// Tells it what happened in a tournament; returns whether all of that arrived.
async fn tell(
    state: &Arc<State>,
    hook: &Webhook,
    stream: StreamId,
    far: &mut Far,
) -> Result<bool, VerbError> {
    let (shared, of, known) = (Arc::clone(state), hook.clone(), far.watched.remove(&stream));
    let read = state.read(move |store| news(&shared, store, &of, stream, known));
    let News { deliveries, mut reached, now, watching } = read.await?;
    let (mut kept, mut more, mut failed) = (Instant::now(), 0, None);
    for delivery in &deliveries {
        // Whoever pauses or removes it does not wait for the rest.
        let is_wanted = state.house.webhook(&hook.id).is_ok_and(|now| now.paused.is_none());
        if !is_wanted || *state.stopping.borrow() {
            failed = Some(None);
            break;
        }
        let sent = delivery.send(hook, named(state), &far.line).await;
        state.counted.delivery(sent.is_ok());
        if let Err(trouble) = sent {
            failed = Some(Some(trouble));
            break;
        }
        reached.number += 1;
        reached.seq = reached.seq.max(delivery.seq);
        if delivery.covers_signed {
            reached.signed = Some(delivery.seq);
        }
        more += 1;
        if kept.elapsed() > BEHIND {
            keep(state, hook, stream, reached, std::mem::take(&mut more)).await?;
            kept = Instant::now();
        }
    }
    if failed.is_none() {
        let is_far = now.abs_diff(reached.seq) > FAR;
        if more > 0 || is_far {
            reached.seq = now;
        }
        if far.watched.len() >= WATCHED {
            far.watched.clear();
        }
        far.watched.extend(watching.map(|watching| (stream, watching)));
        if more == 0 && !is_far {
            return Ok(true);
        }
    }
    if more > 0 || failed.is_none() {
        keep(state, hook, stream, reached, more).await?;
    }
    match failed {
        None => Ok(true),
        Some(None) => Ok(false),
        Some(Some(Trouble { words, is_gone })) => {
            let id = hook.id.clone();
            state.beside(move |state| state.house.webhook_failed(&id, words, is_gone)).await?;
            Ok(false)
        }
    }
}

/// Keeps how far it was told.
async fn keep(
    state: &Arc<State>,
    hook: &Webhook,
    stream: StreamId,
    reached: Reached,
    more: u64,
) -> Result<(), VerbError> {
    let id = hook.id.clone();
    state.beside(move |state| state.house.webhook_delivered(&id, stream, reached, more)).await
}
