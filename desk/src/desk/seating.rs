//! Seats of a round that is paired, taken and given.

use super::plan::Plan;
use super::{DeskError, Objection};
use scrutineer_engine::book::Commitment;
use scrutineer_engine::event::{
    ByeGiven, ByeKind, Origin, PairingMade, PhaseKind, PlayerNumber, RoundNumber, Seat, Withdrawn,
};
use scrutineer_engine::tournament::{Availability, MatchView, Phase, Player, Round, Tournament};
use scrutineer_pairing::{running_phase, winner};
use scrutineer_projections::ruleset::Ruleset;

/// Whether nobody joins a phase once it has begun.
pub fn is_fixed(phase: &Phase) -> bool {
    phase.number > 1 || phase.kind.is_bracket() || phase.kind == PhaseKind::RoundRobin
}

/// What a repair changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repaired {
    /// The tables that were made: number and seats.
    pub tables: Vec<(u32, Vec<PlayerNumber>)>,
    /// Who has a bye now that they did not have.
    pub byes: Vec<PlayerNumber>,
    /// Who takes part in the round and has neither a table nor a bye.
    pub unpaired: Vec<PlayerNumber>,
}

/// What a player left behind.
#[derive(Default)]
pub(super) struct Freed {
    pub seats: Vec<PlayerNumber>,
    pub table: Option<u32>,
    pub group: Option<u32>,
    pub bracket_slot: Option<u32>,
    /// The kind of bye that they had.
    pub bye: Option<ByeKind>,
}

/// Takes back the pairing or bye of a player in a round.
pub(super) fn take_off(
    plan: &mut Plan,
    round: RoundNumber,
    player: PlayerNumber,
    reason: Commitment,
) -> Result<Freed, DeskError> {
    let state = &plan.state;
    let sits = |found: &MatchView<'_>| {
        found.round().number == round && found.seats().iter().any(|seat| seat.player == player)
    };
    let of_round = |index: u32| state.rounds()[index as usize].number == round;
    let (seq, freed) = if let Some(found) = state.matches().find(sits) {
        if found.result().is_some() {
            return Err(Objection::NotFree { player }.into());
        }
        let seats = found.seats().iter().map(|seat| seat.player).collect();
        let (table, group, bracket_slot) = (found.table(), found.group(), found.bracket_slot());
        (found.seq(), Freed { seats, table, group, bracket_slot, bye: None })
    } else if let Some(bye) = state.byes().find(|b| b.player == player && of_round(b.round)) {
        let (bracket_slot, bye_kind) = (bye.bracket_slot, Some(bye.kind));
        let seats = vec![player];
        (bye.seq, Freed { seats, bracket_slot, bye: bye_kind, ..Freed::default() })
    } else {
        return Ok(Freed { seats: vec![player], ..Freed::default() });
    };
    plan.add(Withdrawn { seq, reason });
    Ok(freed)
}

/// Gives a bye by hand.
pub(super) fn give_bye(
    plan: &mut Plan,
    round: RoundNumber,
    player: PlayerNumber,
    kind: ByeKind,
    bracket_slot: Option<u32>,
    reason: Commitment,
) {
    let origin = Origin::by_hand(reason);
    plan.add(ByeGiven { round, player, kind, reported: None, bracket_slot, origin });
}

/// Makes a table by hand.
pub(super) fn make(
    plan: &mut Plan,
    round: RoundNumber,
    table: u32,
    players: &[PlayerNumber],
    (group, bracket_slot): (Option<u32>, Option<u32>),
    reason: Commitment,
) {
    let seats = players.iter().map(|&player| Seat { player, role: 0 }).collect();
    let (table, origin) = (Some(table), Origin::by_hand(reason));
    plan.add(PairingMade { round, table, seats, group, bracket_slot, origin });
}

/// Somebody who sits in the last round of a single elimination and lost their match before it, as it stands now.
pub struct Displaced {
    /// Who sits there.
    pub loser: PlayerNumber,
    /// Who won, and sits nowhere.
    pub winner: PlayerNumber,
    /// Whom they would meet; none: nobody.
    pub opponent: Option<PlayerNumber>,
    /// Where they sit.
    pub table: u32,
    /// The round.
    pub round: RoundNumber,
    /// Whether they played there: nobody is seated in their place any more.
    pub is_played: bool,
}

/// Returns who sits in a round that was paired from a result that was corrected since, and who played there all the
/// same, until the tournament is closed or another round is paired.
pub fn displaced(state: &Tournament, rules: &Ruleset) -> Vec<Displaced> {
    let standing = || state.rounds().iter().filter(|round| !round.withdrawn);
    let Some(round) = standing().next_back().filter(|_| !state.is_closed()) else {
        return Vec::new();
    };
    let in_bracket = |phase: &&Phase| phase.kind == PhaseKind::Elimination;
    if state.phase_of(round).filter(in_bracket).is_none() {
        return Vec::new();
    }
    let is_before = |one: &&Round| one.phase == round.phase && one.number < round.number;
    let Some(before) = standing().rfind(is_before) else { return Vec::new() };
    let of = |number| state.matches().filter(move |found| found.round().number == number);
    let place = |player| {
        of(round.number).find(|found| found.seats().iter().any(|seat| seat.player == player))
    };
    let stays = |player| state.player(player).is_some_and(|one| one.dropped().is_none());
    let of_round = |index: u32| state.rounds().get(index as usize).map(|of| of.number);
    let has_bye = |player| {
        state.byes().any(|bye| bye.player == player && of_round(bye.round) == Some(round.number))
    };
    let of_table = |found: MatchView<'_>| {
        let [one, other] = found.seats() else { return None };
        let winner = winner(state, rules, found)?;
        let loser = if one.player == winner { other.player } else { one.player };
        let there = place(loser)?;
        let is_played = there.result().is_some();
        // What a judge set by hand and let be played is no mistake.
        let is_wrong = !is_played || found.result().is_some_and(|seq| seq > round.opened);
        let is_out = place(winner).is_none() && !has_bye(winner) && stays(winner);
        (is_wrong && is_out).then(|| Displaced {
            loser,
            winner,
            opponent: there.seats().iter().map(|seat| seat.player).find(|one| *one != loser),
            table: there.table().unwrap_or(0),
            round: round.number,
            is_played,
        })
    };
    of(before.number).filter_map(of_table).collect()
}

/// Who takes part in a round and has neither a table nor a bye in it.
pub fn unpaired(state: &Tournament, round: RoundNumber) -> Vec<PlayerNumber> {
    let all = without_seat(state, round).into_iter();
    all.filter(|(_, from)| *from == round).map(|(player, _)| player).collect()
}

/// Who is here and has neither a table nor a bye in a round, each with the round from which they
/// take part: this one, or a later one where they came or came back after it was paired.
pub fn without_seat(state: &Tournament, round: RoundNumber) -> Vec<(PlayerNumber, RoundNumber)> {
    let Some(phase) = running_phase(state) else { return Vec::new() };
    // Who is out of a bracket has no table in its later rounds.
    let later = state.round(round).is_some_and(|round| round.phase_round > 1);
    if later && phase.kind.is_bracket() {
        return Vec::new();
    }
    let mut seated = vec![false; state.players().len() + 1];
    for found in state.matches().filter(|found| found.round().number == round) {
        found.seats().iter().for_each(|seat| seated[seat.player as usize] = true);
    }
    for bye in state.byes().filter(|bye| state.rounds()[bye.round as usize].number == round) {
        seated[bye.player as usize] = true;
    }
    let mut belongs = vec![!is_fixed(phase); state.players().len() + 1];
    state.field(phase).iter().for_each(|&player| belongs[player as usize] = true);
    let out_of_it = |n: PlayerNumber| !belongs[n as usize] || seated[n as usize];
    let phase_round = state.round(round).map_or(0, |round| round.phase_round);
    let others = state.players().iter().filter(|player| {
        !out_of_it(player.number) && !state.has_played_its_rounds(player, phase.number, phase_round)
    });
    others.filter_map(|player| Some((player.number, next_round_of(player, round)?))).collect()
}

/// The first round from `round` on in which a player takes part, if they are here.
fn next_round_of(player: &Player, round: RoundNumber) -> Option<RoundNumber> {
    if player.takes_part_in(round) {
        return Some(round);
    }
    let back = player.availability.iter().filter_map(|(_, change)| match change {
        Availability::Reinstated(from) => Some(*from),
        Availability::Dropped(..) => None,
    });
    let rounds = back.chain([player.from_round]).filter(|from| *from > round);
    rounds.filter(|from| player.dropped().is_none() && player.takes_part_in(*from)).min()
}
