//! What players reported of their matches: facts of their own, none of which is a result by itself.

use crate::desk::open_round;
use scrutineer_engine::event::{Event, MatchResult, Seq};
use scrutineer_engine::record::Header;
use scrutineer_replay::loaded::LoadedTournament;
use std::collections::{BTreeMap, BTreeSet};

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

/// Returns the tables of the round that is played whose result is missing and whose players report
/// different ones.
pub fn differing(event: &LoadedTournament) -> BTreeSet<u32> {
    let Some(open) = open_round(&event.state) else { return BTreeSet::new() };
    let claims = claims(event);
    let of_round = event.state.matches().filter(|found| found.round().number == open.number);
    let without = of_round.filter(|found| found.result().is_none());
    let differ = without.filter(|found| agree(&claims, found.seq()) == Some(false));
    differ.filter_map(|found| found.table()).collect()
}
