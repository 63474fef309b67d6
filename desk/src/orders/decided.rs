//! What an order is decided on, and whether it has changed since its giver looked. A result at another
//! table changes nothing about a repair; another repair does.

use super::order::{Order, Pair};
use scrutineer_engine::event::{Event, RoundNumber, Seq};
use scrutineer_engine::record::Header;
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::replay::rounds_concerned;

/// What somebody looks at before they give an order.
enum On {
    /// Nothing: it holds whatever happened meanwhile.
    Nothing,
    /// All that stands.
    Whole,
    /// Who is there and sits where.
    Seats,
    /// A match, by the event that made it.
    Match(Seq),
    /// A round.
    Round(RoundNumber),
}

/// Returns whether whoever gives the order has to say what they saw.
pub fn is_decided_on_sight(order: &Order) -> bool {
    matches!(
        order,
        Order::Advance(_)
            | Order::AmendRules(_)
            | Order::Close(_)
            | Order::Cut(_)
            | Order::Publish(_)
            | Order::Repair(_)
            | Order::Reseed(_)
            | Order::Remove(_)
            | Order::SetPairing(_)
            | Order::Withdraw(_)
    )
}

/// Returns the first event behind `seen` that changed what an order is decided on.
pub fn changed_since(event: &LoadedTournament, order: &Order, seen: Seq) -> Option<Seq> {
    let (log, on) = (&event.log[..], on(event, order));
    let rounds = rounds_concerned(log);
    let is_of = |(header, logged): &&(Header, Event)| match on {
        On::Nothing => false,
        On::Whole => !is_beside(log, logged),
        On::Seats => is_of_seats(log, logged),
        On::Match(pairing) => match_of(log, header.seq) == Some(pairing),
        On::Round(round) => !is_beside(log, logged) && of_seq(&rounds, header.seq) == round,
    };
    let since = log.iter().filter(|(header, _)| header.seq > seen);
    since.filter(is_of).map(|(header, _)| header.seq).next()
}

fn on(event: &LoadedTournament, order: &Order) -> On {
    let (state, log) = (&event.state, &event.log[..]);
    match order {
        Order::AmendRules(_)
        | Order::Close(_)
        | Order::Cut(_)
        | Order::Pair(Pair { again: true, .. })
        | Order::Publish(_)
        | Order::Reseed(_)
        | Order::Remove(_) => On::Whole,
        Order::Repair(_) | Order::SetPairing(_) => On::Seats,
        Order::Advance(advance) => {
            let last = state.last_round().map(|round| round.number);
            let found = advance.round.or(last).and_then(|at| state.at_table(at, advance.table));
            // Where there is no such table it is refused for that.
            found.map_or(On::Nothing, |found| On::Match(found.seq()))
        }
        Order::Withdraw(withdraw) => {
            let about = match_of(log, withdraw.seq).map(On::Match);
            about.unwrap_or_else(|| match of_seq(&rounds_concerned(log), withdraw.seq) {
                0 => On::Whole,
                round => On::Round(round),
            })
        }
        _ => On::Nothing,
    }
}

fn of_seq(rounds: &[RoundNumber], seq: Seq) -> RoundNumber {
    let at = usize::try_from(seq).ok().and_then(|seq| seq.checked_sub(1));
    at.and_then(|at| rounds.get(at)).copied().unwrap_or(0)
}

fn at(log: &[(Header, Event)], seq: Seq) -> Option<&Event> {
    let at = usize::try_from(seq).ok()?.checked_sub(1)?;
    log.get(at).map(|(_, event)| event)
}

/// The match that an event is about.
fn match_of(log: &[(Header, Event)], seq: Seq) -> Option<Seq> {
    match at(log, seq)? {
        Event::PairingMade(_) => Some(seq),
        Event::ResultClaimed(e) => Some(e.pairing),
        Event::ScoreNoted(e) => Some(e.pairing),
        Event::ResultRecorded(e) => Some(e.pairing),
        Event::ResultCorrected(e) => Some(e.pairing),
        Event::PlayerAdvanced(e) => Some(e.pairing),
        Event::DisputeOpened(e) => Some(e.pairing),
        Event::PenaltyGiven(e) => e.pairing,
        // What an event refers to lies before it.
        Event::DisputeRuled(e) if e.dispute < seq => match_of(log, e.dispute),
        Event::Withdrawn(e) if e.seq < seq => match_of(log, e.seq),
        _ => None,
    }
}

/// Whether an event says who is there or where somebody sits.
fn is_of_seats(log: &[(Header, Event)], event: &Event) -> bool {
    match event {
        Event::PhaseStarted(_)
        | Event::PhaseEnded(_)
        | Event::RoundOpened(_)
        | Event::EnginePaired(_)
        | Event::PairingMade(_)
        | Event::ByeGiven(_)
        | Event::PairingsPublished(_)
        | Event::PlayerEnrolled(_)
        | Event::PlayerDropped(_)
        | Event::ByeRequested(_)
        | Event::PlayerReinstated(_) => true,
        Event::Withdrawn(e) => at(log, e.seq).is_some_and(|of| is_of_seats(log, of)),
        _ => false,
    }
}

/// Whether an event changes nothing that anybody decides on: words, claims, keys.
fn is_beside(log: &[(Header, Event)], event: &Event) -> bool {
    match event {
        Event::StaffNamed(_)
        | Event::NoteAdded(_)
        | Event::ResultClaimed(_)
        | Event::ScoreNoted(_)
        | Event::DisputeOpened(_)
        | Event::PlayerCheckedIn(_)
        | Event::TextsForgotten(_)
        | Event::SignerChanged(_)
        | Event::KeyRetired(_) => true,
        Event::Withdrawn(e) => at(log, e.seq).is_some_and(|of| is_beside(log, of)),
        _ => false,
    }
}
