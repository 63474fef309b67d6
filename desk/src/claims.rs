//! What players reported of their matches: facts of their own, none of which is a result by itself.

use scrutineer_engine::event::{Event, MatchResult, Seq};
use scrutineer_engine::record::Header;
use scrutineer_replay::loaded::LoadedTournament;
use std::collections::BTreeMap;

/// What a player reported of their match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The event that says so, with its time and who recorded it.
    pub header: Header,
    /// The result, in the order of the seats.
    pub result: MatchResult,
}

/// Returns the last claim of each seat, by the seq of the match and the seat from 0.
pub fn claims(event: &LoadedTournament) -> BTreeMap<(Seq, u8), Claim> {
    let claimed = event.log.iter().filter_map(|(header, logged)| match logged {
        Event::ResultClaimed(e) => {
            Some(((e.pairing, e.seat), Claim { header: *header, result: e.result.clone() }))
        }
        _ => None,
    });
    claimed.collect()
}

/// Returns whether the two seats of a match report the same; none where one of them has not.
pub fn agree(claims: &BTreeMap<(Seq, u8), Claim>, pairing: Seq) -> Option<bool> {
    let (first, second) = (claims.get(&(pairing, 0))?, claims.get(&(pairing, 1))?);
    Some(first.result == second.result)
}
