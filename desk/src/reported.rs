//! What of the claims of players waits for somebody at the desk.

use crate::answers::{Player, Reported};
use crate::claims::{Claim, Claims, agree, is_own, is_said_by, passed_over};
use crate::desk::{open_round, write_slip};
use crate::names::Names;
use crate::orders::result_in_words;
use scrutineer_engine::event::{Event, MatchResult, PlayerNumber, RoundNumber, Ruling, Seq};
use scrutineer_engine::record::Time;
use scrutineer_engine::tournament::{Dispute, MatchView};
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::mirror::in_words;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// The matches of the round that is played which have no result.
fn open_matches(event: &LoadedTournament) -> impl Iterator<Item = MatchView<'_>> {
    let open = open_round(&event.state).map(|open| open.number);
    let of_round = event.state.matches().filter(move |one| Some(one.round().number) == open);
    of_round.filter(|found| found.result().is_none())
}

/// Returns the tables of the round that is played whose result is missing and whose players report
/// different ones.
pub fn differing(event: &LoadedTournament, claims: &Claims) -> BTreeSet<u32> {
    let differ = open_matches(event).filter(|found| agree(claims, found.seq()) == Some(false));
    differ.filter_map(|found| found.table()).collect()
}

/// Returns the tables of the round that is played whose result is missing though both players report the
/// same, each with what they report: somebody at the desk confirms it.
pub fn agreed(event: &LoadedTournament, claims: &Claims) -> Vec<(u32, MatchResult)> {
    let same = open_matches(event).filter(|found| agree(claims, found.seq()) == Some(true));
    let told = same
        .filter_map(|found| Some((found.table()?, claims.get(&(found.seq(), 0))?.result.clone())));
    told.collect()
}

/// Returns the last report of each player in each of their matches that stand, in the order of the log.
pub fn listed(event: &LoadedTournament, claims: &Claims) -> Vec<Reported> {
    let one = |((pairing, seat), claim): (&(Seq, u8), &Claim)| {
        let found = event.state.match_at(*pairing)?;
        let number = found.seats().get(usize::from(*seat))?.player;
        Some(Reported {
            seq: claim.header.seq,
            time: in_words(claim.header.time),
            round: found.round().number,
            table: found.table(),
            player: Player { number, name: event.name(number) },
            score: write_slip(&claim.result),
            own_device: is_own(claim, number),
            agrees: agree(claims, *pairing),
            result: found.to_result().as_ref().map(write_slip),
        })
    };
    let mut listed: Vec<Reported> = claims.iter().filter_map(one).collect();
    listed.sort_by_key(|one| one.seq);
    listed
}

/// A claim that the opponent did not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unanswered {
    /// The table.
    pub table: u32,
    /// Who reports.
    pub player: PlayerNumber,
    /// Who says nothing.
    pub silent: PlayerNumber,
    /// What they report, in the order of the seats.
    pub result: MatchResult,
    /// Since when.
    pub since: Time,
}

/// Returns the claims of the round that is played which one of two players made by then, while the
/// other says nothing and no result stands.
pub fn unanswered(event: &LoadedTournament, claims: &Claims, by: Time) -> Vec<Unanswered> {
    let alone = open_matches(event).filter_map(|found| {
        let [first, second] = found.seats() else { return None };
        let claim = |seat| claims.get(&(found.seq(), seat));
        let (claim, player, silent) = match (claim(0), claim(1)) {
            (Some(claim), None) => (claim, first.player, second.player),
            (None, Some(claim)) => (claim, second.player, first.player),
            _ => return None,
        };
        let (table, since) = (found.table()?, claim.header.time);
        let result = claim.result.clone();
        (since <= by).then_some(Unanswered { table, player, silent, result, since })
    });
    alone.collect()
}

/// A claim of a match that has another result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Late {
    /// The event of the claim; of two that say the same the later one.
    pub seq: Seq,
    /// Who claims it.
    pub player: PlayerNumber,
    /// Whether the other one of two claims the same.
    pub is_of_both: bool,
    /// Whether it came behind what stands.
    pub is_late: bool,
    /// The round.
    pub round: RoundNumber,
    /// The table.
    pub table: u32,
    /// What is claimed.
    pub claimed: MatchResult,
    /// What stands.
    pub stands: MatchResult,
}

/// Returns the claims that came when their table had another result, and those that were there when the desk
/// recorded another one, in the order of the log. One that agrees with what stands is none, nor is one behind
/// which the result was corrected.
pub fn late(event: &LoadedTournament, claims: &Claims) -> Vec<Late> {
    let one = |((pairing, seat), claim): (&(Seq, u8), &Claim)| {
        let found = event.state.match_at(*pairing)?;
        let (result, stands) = (found.result()?, found.to_result()?);
        let is_late = claim.header.seq >= result;
        let is_meant = match is_late {
            true => !is_said_by(&claim.result, &stands),
            // A correction decides, and so does whoever rules.
            false => {
                let recorded = event.log.get((result as usize).checked_sub(1)?);
                let is_of_match = |one: &Dispute| !one.withdrawn && one.pairing == *pairing;
                matches!(recorded, Some((_, Event::ResultRecorded(_))))
                    && !event.state.disputes().iter().any(is_of_match)
                    && passed_over(claims, found).contains(seat)
            }
        };
        is_meant.then_some(Late {
            seq: claim.header.seq,
            player: found.seats().get(usize::from(*seat))?.player,
            is_of_both: false,
            is_late,
            round: found.round().number,
            table: found.table()?,
            claimed: claim.result.clone(),
            stands,
        })
    };
    let mut late: Vec<Late> = claims.iter().filter_map(one).collect();
    late.sort_by_key(|one| one.seq);
    let of_same = |one: &Late, other: &Late| {
        (one.round, one.table) == (other.round, other.table)
            && is_said_by(&one.claimed, &other.claimed)
    };
    let mut told: Vec<Late> = Vec::new();
    for mut one in late {
        let earlier = told.iter().position(|other| of_same(&one, other));
        one.is_of_both = earlier.map(|at| told.remove(at)).is_some();
        told.push(one);
    }
    told
}

impl Late {
    /// Returns it in words.
    pub fn told(&self, event: &LoadedTournament) -> String {
        let names = Names::of(&event.state, &event.book);
        let seats: Vec<PlayerNumber> = event
            .state
            .at_table(self.round, self.table)
            .map_or(Vec::new(), |found| found.seats().iter().map(|seat| seat.player).collect());
        let said = |result| result_in_words(&names, &seats, result);
        let who = match self.is_of_both {
            true => "both report".to_string(),
            false => format!("{} reports", event.name(self.player)),
        };
        let (claimed, stands) = (said(&self.claimed), said(&self.stands));
        let (round, table) = (self.round, self.table);
        format!("Round {round}, table {table}: {who} {claimed}, recorded is {stands}")
    }
}

/// Returns what a result says in words that no order of seats can turn round: who won, with their own values
/// first. A score that says of nobody that they won stands as it is.
pub fn who_won(
    seats: &[PlayerNumber],
    result: &MatchResult,
    name: impl Fn(PlayerNumber) -> String,
    score: impl Fn(&str) -> String,
) -> String {
    let has_won = |seat: u8| seen_from(result, seat).outcome == Some(Ordering::Greater);
    let winner = match seats {
        [first, _] if has_won(0) => (0, *first),
        [_, second] if has_won(1) => (1, *second),
        _ => return score(&write_slip(result)),
    };
    let slip = seen_from(result, winner.0).slip;
    match slip.starts_with(|c: char| c.is_ascii_digit()) {
        true => format!("{} won {}", name(winner.1), score(&slip)),
        false => format!("{} won", name(winner.1)),
    }
}

/// How a result looks from a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenFrom {
    /// The slip; of two seats with that seat's values first.
    pub slip: String,
    /// Whether it won, drew or lost; none: neither games nor a ruling say it, or the match does not count.
    pub outcome: Option<Ordering>,
    /// Whether both of two lost.
    pub both_lost: bool,
}

/// Returns how a result looks from a seat.
pub fn seen_from(result: &MatchResult, seat: u8) -> SeenFrom {
    let mut own = result.clone();
    if seat == 1 && own.score.seats.len().max(own.rulings.len()) == 2 {
        own.score.seats.reverse();
        own.rulings.reverse();
    }
    let games = || match &own.score.seats[..] {
        [first, second] => Some(first.first()?.cmp(second.first()?)),
        _ => None,
    };
    let outcome = match result.rulings.get(usize::from(seat)).copied().flatten() {
        Some(Ruling::Win) => Some(Ordering::Greater),
        Some(Ruling::Draw) => Some(Ordering::Equal),
        Some(Ruling::Loss) => Some(Ordering::Less),
        Some(Ruling::NoResult | Ruling::Place(_)) => None,
        None => games(),
    };
    let both_lost = matches!(result.rulings[..], [Some(Ruling::Loss), Some(Ruling::Loss)]);
    SeenFrom { slip: write_slip(&own), outcome, both_lost }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::parse_slip;
    use scrutineer_engine::event::Scoresheet;

    fn read(seats: usize, slip: &str) -> MatchResult {
        parse_slip(&Scoresheet::default(), seats, slip).expect("a slip")
    }

    /// The desk read of a match that both lost, or that does not count, that the second one won it.
    #[test]
    fn of_a_match_that_nobody_won_nobody_is_told_to_have_won() {
        let told = |slip: &str| {
            who_won(&[1, 2], &read(2, slip), |player| format!("#{player}"), str::to_string)
        };
        for slip in ["void", "postponed", "l-l", "l-l forfeit", "d-d", "l-d"] {
            assert_eq!(told(slip), slip);
        }
        assert_eq!([told("w-l"), told("0-1")], ["#1 won", "#2 won"]);
    }

    /// The third at a table of four read that they won, since the first did.
    #[test]
    fn everybody_at_a_larger_table_reads_their_own_ruling() {
        let result = read(4, "w-l-l-l");
        let has_won = |seat| seen_from(&result, seat).outcome == Some(Ordering::Greater);
        assert_eq!([0, 1, 2, 3].map(has_won), [true, false, false, false]);
        assert_eq!(seen_from(&result, 1).slip, "w-l-l-l");
    }
}
