//! What players reported of their matches: facts of their own, none of which is a result by itself.

use crate::store::{Store, StoreError};
use scrutineer_engine::event::{Event, MatchResult, PlayerNumber, Seq};
use scrutineer_engine::handler::{CommandError, read_events};
use scrutineer_engine::record::{Header, StreamId};
use scrutineer_engine::tournament::MatchView;
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::staff::actor_of_player;
use std::collections::BTreeMap;

/// What a player reported of their match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The event that says so, with its time and who recorded it.
    pub header: Header,
    /// The result, in the order of the seats.
    pub result: MatchResult,
}

/// The last claim of each seat, by the seq of the match and the seat from 0.
pub type Claims = BTreeMap<(Seq, u8), Claim>;

/// Returns the last claim of each seat.
pub fn claims(event: &LoadedTournament) -> Claims {
    event.log.iter().filter_map(|(header, logged)| claim(*header, logged)).collect()
}

fn claim(header: Header, logged: &Event) -> Option<((Seq, u8), Claim)> {
    match logged {
        Event::ResultClaimed(e) => {
            Some(((e.pairing, e.seat), Claim { header, result: e.result.clone() }))
        }
        _ => None,
    }
}

/// Returns the last claim of each seat of the round in which a match stands, as of an event: the log is
/// read from that match on.
///
/// # Errors
/// Where the log cannot be read.
pub fn claims_from(
    store: &Store,
    stream: StreamId,
    pairing: Seq,
    until: Seq,
) -> Result<Claims, StoreError> {
    let mut claims = Claims::new();
    for read in read_events(store.log(), stream, pairing) {
        let (record, event) = read.map_err(CommandError::from)?;
        let header = record.header();
        if header.seq > until {
            break;
        }
        claims.extend(claim(header, &event));
    }
    Ok(claims)
}

/// Returns whether the two seats of a match report the same; none where one of them has not.
pub fn agree(claims: &Claims, pairing: Seq) -> Option<bool> {
    let (first, second) = (claims.get(&(pairing, 0))?, claims.get(&(pairing, 1))?);
    Some(first.result == second.result)
}

/// Returns whether a player made a claim on a device of their own, and not somebody at the desk for them.
pub fn is_own(claim: &Claim, player: PlayerNumber) -> bool {
    claim.header.actor == actor_of_player(player)
}

/// Returns the seats of a match whose players had reported another result than stands, before it was recorded.
/// Whoever had two different reports before them decided; and penalties that are served in a match are no
/// player's to say.
pub fn passed_over(claims: &Claims, found: MatchView<'_>) -> Vec<u8> {
    let (Some(result), Some(stands)) = (found.result(), found.to_result()) else { return vec![] };
    let own = claims.range((found.seq(), 0)..=(found.seq(), u8::MAX));
    let own = own.filter(|(_, claim)| claim.header.seq < result);
    let own: Vec<(u8, &MatchResult)> =
        own.map(|((_, seat), claim)| (*seat, &claim.result)).collect();
    let differ = own.windows(2).any(|two| two[0].1 != two[1].1);
    if differ || !stands.penalties_served.is_empty() {
        return Vec::new();
    }
    let other = own.into_iter().filter(|(_, claimed)| !is_said_by(claimed, &stands));
    other.map(|(seat, _)| seat).collect()
}

/// Returns whether a claim says what stands; penalties that were served in the match are no player's to say.
pub fn is_said_by(claimed: &MatchResult, stands: &MatchResult) -> bool {
    let rulings = |result: &MatchResult| match stands.penalties_served.is_empty() {
        true => Some(result.rulings.clone()),
        false => None,
    };
    claimed.score == stands.score && rulings(claimed) == rulings(stands)
}
