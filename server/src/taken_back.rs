//! What a role may take back of what was recorded.

use crate::gate::{Role, may_take_back, not_allowed};
use scrutineer_desk::asker::Asker;
use scrutineer_desk::desk::Asked;
use scrutineer_desk::orders::{self, Order, Undo};
use scrutineer_desk::store::Store;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::{Event, Seq};
use scrutineer_engine::handler::read_events;
use scrutineer_engine::record::StreamId;

/// Refuses to take back what a role may not; one's own last command is undone in any role that undoes. A
/// judge undoes each of their own results behind which nothing was recorded at its table.
///
/// # Errors
/// [`not_allowed`] with who may.
pub fn check(
    role: Role,
    asker: &Asker,
    store: &Store,
    stream: StreamId,
    order: &Order,
) -> Result<(), VerbError> {
    let at = |seq: Seq| read_events(store.log(), stream, seq.saturating_sub(1));
    let own_last = || {
        let told = orders::at_stream(asker, store, stream, Asked::default(), |at| {
            Ok(at.desk.own_last()?)
        });
        told.0
    };
    let (seq, is_whole) = match order {
        Order::Undo(Undo { seq, .. }) if role == Role::Judge => {
            let own = match seq {
                None => own_last()?,
                Some(seq) => own_command(asker, store, stream, *seq)?,
            };
            let own = own.filter(|(first, last)| {
                let behind: Vec<Event> = at(*first).map_while(|read| Some(read.ok()?.1)).collect();
                is_last_at_its_table(behind.iter(), (last - first) as usize + 1)
            });
            let who = "the owner, head judges and scorekeepers may; a judge their own results, \
                       while nothing else was recorded at their tables";
            return own.map(drop).ok_or_else(|| not_allowed(role, who));
        }
        Order::Withdraw(withdraw) => (withdraw.seq, false),
        Order::Undo(Undo { seq: Some(seq), .. }) => (*seq, true),
        _ => return Ok(()),
    };
    let (first, count) = match at(seq).next() {
        // What is not there is refused by the order itself, in any role.
        None => return Ok(()),
        Some(Ok((record, _))) if is_whole && record.header().seq == seq => {
            let header = record.header();
            ((seq + 1).saturating_sub(header.part.into()), header.parts as usize)
        }
        _ => (seq, 1),
    };
    let events: Vec<Event> = at(first).take(count).filter_map(|read| Some(read.ok()?.1)).collect();
    if !events.is_empty() && may_take_back(role, &events) {
        return Ok(());
    }
    if is_whole && own_last()?.is_some_and(|(first, last)| (first..=last).contains(&seq)) {
        return Ok(());
    }
    Err(not_allowed(role, "the owner and head judges may"))
}

/// The command to which an event belongs, by its first and last event, where it is whoever asks that recorded
/// it.
fn own_command(
    asker: &Asker,
    store: &Store,
    stream: StreamId,
    seq: Seq,
) -> Result<Option<(Seq, Seq)>, VerbError> {
    let asked = Asked::default();
    let actor = orders::at_stream(asker, store, stream, asked, |at| Ok(at.desk.asker()?)).0?;
    let read = read_events(store.log(), stream, seq.saturating_sub(1)).next();
    let header = read.and_then(Result::ok).map(|(record, _)| record.header());
    let own = header.filter(|header| header.seq == seq && Some(header.actor) == actor);
    Ok(own.map(|header| {
        let first = (seq + 1).saturating_sub(header.part.into());
        (first, first + u64::from(header.parts.max(1)) - 1)
    }))
}

/// Returns whether the first so many events are a result, and those behind them are about no result of its
/// table and no later round.
pub fn is_last_at_its_table<'a>(events: impl Iterator<Item = &'a Event>, count: usize) -> bool {
    let events: Vec<&Event> = events.collect();
    let (own, later) = events.split_at(count.min(events.len()));
    let of_result = |event: &&Event| match event {
        Event::ResultRecorded(e) => Some(e.pairing),
        _ => None,
    };
    let Some(own) = own.iter().find_map(of_result) else { return false };
    !later.iter().any(|event| match event {
        Event::RoundOpened(_) => true,
        Event::ResultRecorded(e) => e.pairing == own,
        Event::ResultCorrected(e) => e.pairing == own,
        Event::PlayerAdvanced(e) => e.pairing == own,
        Event::DisputeOpened(e) => e.pairing == own,
        Event::PenaltyGiven(e) => e.pairing == Some(own),
        _ => false,
    })
}
