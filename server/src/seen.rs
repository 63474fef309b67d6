//! What whoever gives an order saw, held against what happened since.

use crate::live::{tag, tag_of};
use crate::problem::{Refusal, bad_request};
use scrutineer_desk::orders::{self, Order};
use scrutineer_desk::store::{Store, StoreError};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::record::StreamId;
use scrutineer_projections::timeline::sentence;
use scrutineer_replay::loaded::LoadedTournament;

/// Where the log stood when an order was decided on, as its ETag.
#[derive(Clone, Debug)]
pub enum Seen {
    /// On a page: it counts where the order is decided on what stood there.
    Page(String),
    /// As a program said it: it counts for every order.
    Tag(String),
}

/// Reads an ETag of a tournament: the event that it names, and the tag without its quotation marks.
///
/// # Errors
/// Where it is none.
pub fn tag_seq(seen: &str) -> Result<(u64, &str), VerbError> {
    let bare = seen.trim().trim_matches('"');
    let is_one = bare.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let seq = bare.split_once('-').and_then(|(seq, _)| seq.parse().ok()).filter(|_| is_one);
    let wrong = || bad_request("If-Match is one ETag of the tournament, such as \"57-9f3a1c04\"");
    seq.map(|seq| (seq, bare)).ok_or_else(wrong)
}

/// Returns the ETag, without its quotation marks, that the tournament had at an event; none where there is no
/// such event.
///
/// # Errors
/// Where the log cannot be read.
pub fn tag_at(store: &Store, stream: StreamId, seq: u64) -> Result<Option<String>, StoreError> {
    let record = store.log().read(stream, seq.saturating_sub(1)).next().transpose()?;
    let found = record.filter(|record| record.header().seq == seq);
    Ok(found.map(|record| tag(seq, &record.hash().to_string())))
}

/// Returns where the log has to stand still for an order, when its giver saw it at an ETag: at its head now,
/// unless what they decided on has changed since.
///
/// # Errors
/// `moved`, with where the log is now and what happened since.
pub fn expected(
    store: &Store,
    stream: StreamId,
    order: &Order,
    seen: &Seen,
) -> Result<Option<u64>, Refusal> {
    let (tag, strict) = match seen {
        Seen::Page(tag) => (tag, false),
        Seen::Tag(tag) => (tag, true),
    };
    let (seq, bare) = tag_seq(tag)?;
    let now = tag_of(store, stream)?;
    if now == bare {
        return Ok(Some(seq));
    }
    let event = store.load(stream, true)?;
    let is_known = tag_at(store, stream, seq)?.is_some_and(|own| own == bare);
    let changed = match is_known {
        true if strict && !orders::is_decided_on_sight(order) => Some(seq + 1),
        true => orders::changed_since(&event, order, seq),
        // A log that was never like that: of another store, such as a copy that was put back.
        false => Some(seq + 1),
    };
    if changed.is_none() {
        return Ok(Some(event.state.head()));
    }
    let message = match changed.filter(|_| is_known).and_then(|at| told_of(&event, at)) {
        Some(told) => format!("since event {seq}, which you saw: {told}"),
        None => format!("the log is at {now}, and not at {bare}"),
    };
    let hint = "look at what happened since, and decide again";
    let error = VerbError::new(Code::stale("moved"), message, hint);
    let since = format!("/api/v1/tournaments/{stream}/log?after={seq}");
    Err(Refusal { head: Some(now.into()), since: Some(since.into()), ..Refusal::from(error) })
}

/// What an event of the log says.
fn told_of(event: &LoadedTournament, seq: u64) -> Option<String> {
    let (_, logged) = event.log.get(usize::try_from(seq).ok()?.checked_sub(1)?)?;
    Some(sentence(&event.state, seq, logged, event))
}
