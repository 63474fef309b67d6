//! What the desk gives its second laptop, when that asks with the key of both.

use crate::enrolled;
use crate::failed::Failed;
use crate::problem::Refusal;
use crate::second::words::{Ask, Asked, Given, News, Pages, Said, from_bytes, to_bytes};
use crate::second::{Heard, Key, Second, lock, seal};
use crate::state::State;
use crate::who::Who;
use axum::body::Bytes;
use axum::extract::State as Shared;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use scrutineer_desk::standing::Partner;
use scrutineer_desk::store::StoreError;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::record::StreamId;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::timeout;

/// How long a code may be typed.
pub const CODE_LASTS: Duration = Duration::from_secs(60 * 60);
/// How long an answer waits for news.
const NEWS_IN: Duration = Duration::from_secs(5);
/// How many changes may be on their way.
const MOST_SENT: usize = 1_024;

/// A question that waits for news, as long as this is held.
struct Waits<'a>(&'a Second);

impl<'a> Waits<'a> {
    fn begin(second: &'a Second) -> Waits<'a> {
        let mut heard = lock(&second.heard);
        heard.waits += 1;
        Waits(second)
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        let mut heard = lock(&self.0.heard);
        heard.waits = heard.waits.saturating_sub(1);
        heard.when = Some(Instant::now());
    }
}

/// Whether a code that was made then may be typed now.
fn still_holds(made: Instant, now: Instant) -> bool {
    now.duration_since(made) < CODE_LASTS
}

impl Second {
    /// Makes the code with which a second laptop comes in, once, within an hour.
    ///
    /// # Errors
    /// Where this is not the desk, or the store is in memory.
    pub fn make_code(&self) -> Result<String, VerbError> {
        self.may_record()?;
        if self.folder.is_none() {
            let message = "a store that is in no folder is followed by no laptop";
            let hint = "serve one in a folder; at a database further servers can be started";
            return Err(VerbError::new(Code::invalid("demo-is-local"), message, hint));
        }
        let code = Key::new_code()?;
        *lock(&self.code) = Key::of_code(&code).map(|key| (key, Instant::now()));
        Ok(code)
    }

    /// The key with which something is sealed, and whether it is that of a code.
    fn key_of(&self, sealed: &[u8]) -> Result<(Key, bool), VerbError> {
        let partner = self.standing().partner.and_then(|partner| Key::of_hex(&partner.key));
        let code = lock(&self.code).clone().filter(|(_, made)| still_holds(*made, Instant::now()));
        let is_named = |key: &Key| sealed.starts_with(&key.name());
        if let Some(key) = partner.filter(is_named) {
            return Ok((key, false));
        }
        if let Some((key, _)) = code.filter(|(key, _)| is_named(key)) {
            return Ok((key, true));
        }
        Err(seal::not_opened())
    }

    /// Gives the second laptop a key of its own. A code is used up by that.
    fn admit(&self, listens: SocketAddr) -> Result<Given, VerbError> {
        self.may_record()?;
        let key = Key::new()?.to_hex();
        self.change(|standing| {
            standing.partner = Some(Partner { key: key.clone(), address: Some(listens) });
            // From now on a take-over is told from this desk.
            standing.term = standing.term.max(1);
            Ok(())
        })?;
        *lock(&self.code) = None;
        // What another one had, or could not keep, says nothing of this one.
        let mut heard = lock(&self.heard);
        *heard = Heard { waits: heard.waits, ..Heard::default() };
        Ok(Given::Key(key))
    }

    /// What has changed since a change, with its number.
    fn since(&self, seen: u64) -> (u64, Option<Vec<StreamId>>) {
        let changed = lock(&self.changed);
        let at = *self.changes.borrow();
        let is_new = |(stream, change): (&StreamId, &u64)| (*change > seen).then_some(*stream);
        let streams =
            (changed.all <= seen).then(|| changed.streams.iter().filter_map(is_new).collect());
        (at, streams)
    }
}

/// Answers the other laptop.
///
/// # Errors
/// `second-not-known` where it has no key.
pub async fn post(
    Shared(state): Shared<Arc<State>>,
    who: Who,
    body: Bytes,
) -> Result<Response, Refusal> {
    let (key, is_code) = state.second.key_of(&body)?;
    let mut asked: Asked = from_bytes(&key.open(b"", &body)?)?;
    asked.from = asked.from.heard_at(who.address);
    let given = answer(&state, asked, is_code).await.map_err(Failed::from);
    let said = Said { from: state.second.side(), given };
    let sealed = key.seal(seal::about(&body), &to_bytes(&said)?)?;
    let kind =
        [(header::CONTENT_TYPE, "application/octet-stream"), (header::CACHE_CONTROL, "no-store")];
    Ok((kind, sealed).into_response())
}

async fn answer(state: &Arc<State>, asked: Asked, is_code: bool) -> Result<Given, VerbError> {
    let from = asked.from;
    if is_code {
        return match asked.ask {
            Ask::Key => state.beside(move |state| state.second.admit(from.listens)).await,
            _ => Err(seal::not_opened()),
        };
    }
    state.beside(move |state| state.second.heed(&from)).await?;
    match asked.ask {
        Ask::Key => Err(seal::not_opened()),
        Ask::Standing => Ok(Given::Standing),
        Ask::News { desk, seen, house } => news(state, desk, seen, house).await,
        Ask::Tail { stream, after, has } => {
            state.second.is_the_desk()?;
            let stream = StreamId(stream);
            let tail = state.read(move |store| Ok(store.tail(stream, after.into(), &has)?));
            Ok(Given::Tail(tail.await?))
        }
        Ask::House { pages } => {
            state.second.is_the_desk()?;
            let given = move |state: &State| {
                let enrolled = state.setup.folder.as_deref().and_then(enrolled::image);
                Ok(Given::House(Pages::of(&state.house.image()?, &pages), enrolled))
            };
            state.beside(given).await
        }
        Ask::Keys => {
            state.second.is_the_desk()?;
            let keys = |state: &State| Ok(Given::Keys(state.setup.asker.keys.texts()?));
            state.beside(keys).await
        }
        Ask::GiveWay => give_way(state).await,
    }
}

/// Records nothing more, and says up to where the second laptop is to have everything before it is the desk: what was
/// answered here would be missing there.
async fn give_way(state: &Arc<State>) -> Result<Given, VerbError> {
    let second = &state.second;
    second.is_the_desk()?;
    second.give_way(true);
    // What was begun before is recorded and counted when this is over.
    state.settled().await.inspect_err(|_| second.give_way(false))?;
    let (change, house) = (*second.changes.borrow(), *state.house.changes().borrow());
    Ok(Given::GivesWay { run: second.run, change, house })
}

async fn news(
    state: &Arc<State>,
    desk: u64,
    seen: u64,
    seen_house: u64,
) -> Result<Given, VerbError> {
    let second = &state.second;
    second.is_the_desk()?;
    let (seen, seen_house) = if desk == second.run { (seen, seen_house) } else { (0, u64::MAX) };
    second.has_arrived(seen);
    let mut house = state.house.changes();
    {
        let _waits = Waits::begin(second);
        let (mut changes, mut stopping) = (second.changes.subscribe(), state.stopping.clone());
        let news = async {
            tokio::select! {
                _ = changes.wait_for(|at| *at > seen) => {}
                _ = house.wait_for(|at| *at != seen_house) => {}
                _ = stopping.wait_for(|stops| *stops) => {}
            }
        };
        // Without news it is told that there is none.
        let _ = timeout(NEWS_IN, news).await;
    }
    let house = *house.borrow();
    let (at, streams) = second.since(seen);
    let heads = state.read(move |store| {
        let streams = match streams {
            Some(streams) => streams,
            None => store.log().streams().map_err(StoreError::from)?,
        };
        let head =
            |stream: StreamId| Ok((stream, store.log().head(stream).map_err(StoreError::from)?));
        streams.into_iter().map(head).collect::<Result<Vec<_>, VerbError>>()
    });
    let heads = heads.await?;
    let mut heard = lock(&second.heard);
    heard.sent.push_back((at, heads.iter().map(|(stream, head)| (*stream, head.seq)).collect()));
    if heard.sent.len() > MOST_SENT {
        heard.sent.pop_front();
    }
    let changed = heads.into_iter().map(|(stream, head)| (stream.0, head.into())).collect();
    Ok(Given::News(News { desk: second.run, at, changed, house }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_of_no_use_after_an_hour() {
        let made = Instant::now();
        assert!(still_holds(made, made + CODE_LASTS - Duration::from_millis(1)));
        assert!(!still_holds(made, made + CODE_LASTS));
    }
}
