//! What players reported of their matches: facts of their own, none of which is a result by itself.

use crate::store::{Store, StoreError, turned, won};
use scrutineer_engine::event::{Event, MatchResult, PlayerNumber, Seq};
use scrutineer_engine::handler::{CommandError, read_events};
use scrutineer_engine::record::{Header, StreamId};
use scrutineer_engine::tournament::MatchView;
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::staff::actor_of_player;
use smallvec::SmallVec;
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

/// Claims as a log is read.
#[derive(Default)]
struct Reading {
    claims: Claims,
    /// The last pairing of those who meet in the round, in the order of its seats.
    made: BTreeMap<Vec<PlayerNumber>, (Seq, Vec<PlayerNumber>)>,
}

impl Reading {
    fn take(&mut self, header: Header, logged: &Event) {
        match logged {
            Event::ResultClaimed(e) => {
                let claim = Claim { header, result: e.result.clone() };
                self.claims.insert((e.pairing, e.seat), claim);
            }
            Event::RoundOpened(_) => self.made.clear(),
            Event::PairingMade(e) => {
                let seats: Vec<PlayerNumber> = e.seats.iter().map(|seat| seat.player).collect();
                let mut meet = seats.clone();
                meet.sort_unstable();
                if let Some((was, sat)) = self.made.insert(meet, (header.seq, seats.clone())) {
                    self.carry_over((was, &sat), (header.seq, &seats));
                }
            }
            _ => {}
        }
    }

    /// Those who are seated at another table play the same match: what they reported of it stays with it.
    fn carry_over(
        &mut self,
        (was, sat): (Seq, &[PlayerNumber]),
        (now, seats): (Seq, &[PlayerNumber]),
    ) {
        for (from, player) in (0..).zip(sat) {
            let at = (0..).zip(seats).find(|(_, one)| *one == player);
            if let (Some(claim), Some((to, _))) = (self.claims.remove(&(was, from)), at) {
                let result = turned(&claim.result, sat, seats);
                self.claims.insert((now, to), Claim { result, ..claim });
            }
        }
    }
}

/// Returns the last claim of each seat.
pub fn claims(event: &LoadedTournament) -> Claims {
    let mut reading = Reading::default();
    event.log.iter().for_each(|(header, logged)| reading.take(*header, logged));
    reading.claims
}

/// Returns the last claim of each seat, as of an event, in the rounds from one on: the log is read from that
/// one's opening on.
///
/// # Errors
/// Where the log cannot be read.
pub fn claims_from(
    store: &Store,
    stream: StreamId,
    opened: Seq,
    until: Seq,
) -> Result<Claims, StoreError> {
    let mut reading = Reading::default();
    for read in read_events(store.log(), stream, opened) {
        let (record, event) = read.map_err(CommandError::from)?;
        let header = record.header();
        if header.seq > until {
            break;
        }
        reading.take(header, &event);
    }
    Ok(reading.claims)
}

/// Returns whether a pairing that somebody saw is the match that stands: that one, or one of the same players in the
/// same round, who are seated at another table since. What was paired before its round was taken back is another
/// match, whoever sat there.
///
/// # Errors
/// Where the log cannot be read.
pub fn is_of_match(
    store: &Store,
    stream: StreamId,
    found: MatchView<'_>,
    seen: Seq,
) -> Result<bool, StoreError> {
    if seen == found.seq() {
        return Ok(true);
    }
    // A round that is paired anew is opened anew.
    if seen <= found.round().opened || seen > found.seq() {
        return Ok(false);
    }
    let read = read_events(store.log(), stream, seen - 1).next().transpose();
    let Some((_, Event::PairingMade(made))) = read.map_err(CommandError::from)? else {
        return Ok(false);
    };
    let mut sat: Vec<PlayerNumber> = made.seats.iter().map(|seat| seat.player).collect();
    let mut sit: Vec<PlayerNumber> = found.seats().iter().map(|seat| seat.player).collect();
    sat.sort_unstable();
    sit.sort_unstable();
    Ok(sat == sit)
}

/// Returns whether the two seats of a match report the same; none where one of them has not.
pub fn agree(claims: &Claims, pairing: Seq) -> Option<bool> {
    let (first, second) = (claims.get(&(pairing, 0))?, claims.get(&(pairing, 1))?);
    Some(is_said_by(&first.result, &second.result))
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
    let differ = own.windows(2).any(|two| !is_said_by(two[0].1, two[1].1));
    if differ || !stands.penalties_served.is_empty() {
        return Vec::new();
    }
    let other = own.into_iter().filter(|(_, claimed)| !is_said_by(claimed, &stands));
    other.map(|(seat, _)| seat).collect()
}

/// Returns whether a claim says what stands, or what another claim says, however each is written: the same score, and the
/// same of who won. Penalties that were served in the match are no player's to say.
pub fn is_said_by(claimed: &MatchResult, stands: &MatchResult) -> bool {
    // What stands without a score is kept with as many empty ones as there are seats.
    let values = |result: &MatchResult| -> Vec<SmallVec<[i32; 2]>> {
        result.score.seats.iter().filter(|values| !values.is_empty()).cloned().collect()
    };
    let has_same_score =
        values(claimed) == values(stands) && claimed.score.table == stands.score.table;
    let both_won = || won(claimed).is_some() && won(claimed) == won(stands);
    let is_ruled_alike = || claimed.rulings == stands.rulings || both_won();
    has_same_score && (!stands.penalties_served.is_empty() || is_ruled_alike())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::parse_slip;
    use scrutineer_engine::event::Scoresheet;

    /// Both players of a game of chess reported what was recorded, and were told that it was something else.
    #[test]
    fn what_came_out_is_compared_and_not_how_it_is_written() {
        let who_won = Scoresheet::default();
        let read = |slip: &str| parse_slip(&who_won, 2, slip).expect("a slip");
        let kept = |slip: &str| {
            let mut result = read(slip);
            result.score.seats = std::iter::repeat_n(SmallVec::new(), 2).collect();
            result
        };
        for (claimed, stands) in
            [("d-d", "d-d"), ("d-d", "id"), ("w-l", "1-0"), ("l-w", "0-1 conceded")]
        {
            assert!(is_said_by(&read(claimed), &kept(stands)), "{claimed} {stands}");
        }
        for (claimed, stands) in [("d-d", "w-l"), ("w-l", "l-w"), ("d-d", "void"), ("l-w", "l-l")] {
            assert!(!is_said_by(&read(claimed), &kept(stands)), "{claimed} {stands}");
        }
    }
}
