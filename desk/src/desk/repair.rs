//! Changing tables of a round that is paired: by hand, or with the least disturbance.

use super::least::Repair;
use super::plan::Plan;
use super::seating::{Freed, Repaired, give_bye, make, take_off, unpaired};
use super::{Desk, DeskError, Done, Objection, open_round};
use scrutineer_engine::book::{Commitment, Field};
use scrutineer_engine::event::{
    ByeKind, DropReason, PhaseKind, PlayerDropped, PlayerNumber, RoundNumber, Seq, Withdrawn,
};
use scrutineer_engine::tournament::{Availability, Phase, Tournament};
use scrutineer_pairing::{running_phase, scheduled, table_for};

impl Desk<'_> {
    /// Pairs anew what is out of order in the round that is being played, and leaves every other
    /// table as it is: `out` did not appear and leave the tournament, `tables` are broken up, and
    /// whoever takes part without a table gets one. In a bracket the opponent of who is out goes
    /// on. Of a tournament that was played elsewhere somebody is taken out, and nobody is seated.
    ///
    /// # Errors
    /// Where nothing is out of order, or a table concerned has a result; and where a tournament that was played elsewhere
    /// would be paired here.
    pub fn repair(
        &self,
        out: &[PlayerNumber],
        tables: &[u32],
        reason: &str,
    ) -> Result<(Repaired, Done), DeskError> {
        let mut repaired = Repaired::default();
        let done = self.record(&mut |state, words| {
            // Its program seats who is without a table, such as a division that it pairs later.
            if out.is_empty() || !tables.is_empty() {
                super::played_here(state)?;
            }
            let is_seated_here = state.imported().is_none();
            let rules = self.rules(state)?;
            let reason = words.say(Field::Reason, reason)?;
            let mut plan = Plan::of(state);
            let round = open_round(state).ok_or(Objection::NoOpenRound)?.number;
            repaired = Repaired::default();
            let phase = running_phase(state).ok_or(Objection::NoPhaseRuns)?.clone();
            let in_bracket = phase.kind.is_bracket();
            let scheduled = in_bracket || phase.kind == PhaseKind::RoundRobin;
            let mut free = Vec::new();
            for &player in out {
                let (why, after_round) = (DropReason::NoShow, round - 1);
                let freed = take_off(&mut plan, round, player, reason)?;
                // Somebody who said that they leave after this round is out before it.
                if let Some((seq, Availability::Dropped(_, after))) =
                    last_availability(&plan.state, player)
                    && after >= round
                {
                    plan.add(Withdrawn { seq, reason });
                }
                if plan.state.player(player).is_none_or(|p| p.dropped().is_none()) {
                    plan.add(PlayerDropped { player, why, after_round });
                }
                let left: Vec<PlayerNumber> =
                    freed.seats.iter().copied().filter(|p| !out.contains(p)).collect();
                match left[..] {
                    [player] if in_bracket => {
                        let (kind, slot) = (ByeKind::Vacant, freed.bracket_slot);
                        give_bye(&mut plan, round, player, kind, slot, reason);
                        repaired.byes.push(player);
                    }
                    // Three can play a pod without the fourth.
                    _ if phase.kind == PhaseKind::Pods && left.len() >= 3 && is_seated_here => {
                        let table = table_for(&plan.state, round, &left, freed.table);
                        make(&mut plan, round, table, &left, (freed.group, None), reason);
                        repaired.tables.push((table, left));
                    }
                    _ => free.extend(left),
                }
            }
            if scheduled && !tables.is_empty() {
                return Err(Objection::FixedByBracket.into());
            }
            for &table in tables {
                let found = super::results::table_of(&plan.state, round, table)?;
                let player = found.seats()[0].player;
                free.extend(take_off(&mut plan, round, player, reason)?.seats);
            }
            // Elsewhere who is left without an opponent is named, and their program pairs them.
            if phase.kind == PhaseKind::RoundRobin && is_seated_here {
                seat_as_scheduled(&mut plan, round, &phase, free, reason, &mut repaired)?;
            } else if !in_bracket && is_seated_here {
                let head = state.head();
                let repair =
                    Repair { rules: &rules, phase: &phase, round, reason, head, sat: state };
                repair.seat(&mut plan, free, &mut repaired)?;
            }
            repaired.unpaired = match in_bracket {
                true => Vec::new(),
                false => unpaired(&plan.state, round),
            };
            match plan.events.is_empty() {
                true => Err(Objection::NothingToRepair { round }.into()),
                false => Ok(plan.events),
            }
        })?;
        Ok((repaired, done))
    }

    /// Seats players at a table of the round that is being played, or gives a single one the bye,
    /// whatever the draw says. They leave the tables at which they sat; who sat there with them
    /// has none then, which the answer tells. In a bracket every place that becomes free is taken
    /// again at once: two players exchange their opponents, or somebody takes another's place.
    ///
    /// # Errors
    /// Where one of them has a result already, or the log refuses.
    pub fn set_pairing(
        &self,
        players: &[PlayerNumber],
        table: Option<u32>,
        reason: &str,
    ) -> Result<(Repaired, Done), DeskError> {
        let mut repaired = Repaired::default();
        let done = self.record(&mut |state, words| {
            let reason = words.say(Field::Reason, reason)?;
            let mut plan = Plan::of(state);
            let round = open_round(state).ok_or(Objection::NoOpenRound)?.number;
            repaired = Repaired::default();
            let mut freed = Freed::default();
            let mut places = Vec::new();
            for &player in players {
                let left = take_off(&mut plan, round, player, reason)?;
                freed.table = freed.table.or(left.table);
                freed.bracket_slot = freed.bracket_slot.or(left.bracket_slot);
                freed.group = freed.group.or(left.group);
                places.push(left);
            }
            if running_phase(state).is_some_and(|phase| phase.kind.is_bracket()) {
                // They meet at the first place that they left, or at the table of either that is named.
                if let Some(table) = table {
                    let at = places.iter().position(|place| place.table == Some(table));
                    places.swap(0, at.ok_or(Objection::TableOfBracket)?);
                }
                let left =
                    exchange(&mut plan, round, (players, table), places, reason, &mut repaired)?;
                for player in left {
                    // Who lost in the bracket needs no table, nor does whom somebody replaced.
                    if self.shut_out_of(&plan.state, player)?.is_none() {
                        repaired.unpaired.push(player);
                    }
                }
                return Ok(plan.events);
            }
            if let &[player] = players {
                give_bye(&mut plan, round, player, ByeKind::Assigned, freed.bracket_slot, reason);
                repaired.byes.push(player);
            } else {
                let state = &plan.state;
                let table = table.unwrap_or_else(|| table_for(state, round, players, freed.table));
                let place = (freed.group, freed.bracket_slot);
                make(&mut plan, round, table, players, place, reason);
                repaired.tables.push((table, players.to_vec()));
            }
            repaired.unpaired = unpaired(&plan.state, round);
            Ok(plan.events)
        })?;
        Ok((repaired, done))
    }
}

/// In a round robin: the schedule says who meets whom, so whoever has no opponent has a bye, and
/// who is back takes their opponent's bye away.
fn seat_as_scheduled(
    plan: &mut Plan,
    round: RoundNumber,
    phase: &Phase,
    mut free: Vec<PlayerNumber>,
    reason: Commitment,
    repaired: &mut Repaired,
) -> Result<(), DeskError> {
    free.extend(unpaired(&plan.state, round));
    free.retain(|player| phase.entrants.contains(player));
    free.sort_unstable();
    free.dedup();
    let number = plan.state.round(round).map_or(0, |round| round.phase_round);
    for pair in scheduled(&plan.state, phase, number.into()).tables {
        let has_bye = |player: PlayerNumber| {
            let of_round = |index: u32| plan.state.rounds()[index as usize].number == round;
            let mut byes = plan.state.byes().filter(|bye| of_round(bye.round));
            byes.any(|bye| bye.player == player && bye.kind == ByeKind::Assigned)
        };
        let can_meet = |player: &PlayerNumber| {
            let here = plan.state.player(*player).is_some_and(|p| p.takes_part_in(round));
            here && (free.contains(player) || has_bye(*player))
        };
        if pair.iter().any(|player| free.contains(player)) && pair.iter().all(can_meet) {
            for player in pair {
                take_off(plan, round, player, reason)?;
            }
            let table = table_for(&plan.state, round, &pair, None);
            make(plan, round, table, &pair, (None, None), reason);
            repaired.tables.push((table, pair.to_vec()));
            free.retain(|player| !pair.contains(player));
        }
    }
    for &player in &free {
        give_bye(plan, round, player, ByeKind::Assigned, None, reason);
    }
    repaired.byes.append(&mut free);
    Ok(())
}

/// In a bracket: the two meet at the first place that they left, and who sat with them takes the
/// second. Gives who is left without a place.
fn exchange(
    plan: &mut Plan,
    round: RoundNumber,
    (players, named): (&[PlayerNumber], Option<u32>),
    places: Vec<Freed>,
    reason: Commitment,
    repaired: &mut Repaired,
) -> Result<Vec<PlayerNumber>, DeskError> {
    let was_placed = |place: &&Freed| place.table.is_some() || place.bye.is_some();
    let mut places = places.iter().filter(was_placed);
    let (Some(first), [_, _]) = (places.next(), players) else {
        return Err(Objection::FixedByBracket.into());
    };
    let table = named.unwrap_or_else(|| table_for(&plan.state, round, players, first.table));
    make(plan, round, table, players, (first.group, first.bracket_slot), reason);
    repaired.tables.push((table, players.to_vec()));
    let left = first.seats.iter().chain(places.clone().flat_map(|place| &place.seats));
    let left: Vec<PlayerNumber> = left.copied().filter(|p| !players.contains(p)).collect();
    match (places.next(), &left[..]) {
        (Some(second), [_, _]) => {
            let table = table_for(&plan.state, round, &left, second.table);
            make(plan, round, table, &left, (second.group, second.bracket_slot), reason);
            repaired.tables.push((table, left));
        }
        (Some(second), &[player]) => {
            let kind = second.bye.or(first.bye).unwrap_or(ByeKind::Assigned);
            give_bye(plan, round, player, kind, second.bracket_slot, reason);
            repaired.byes.push(player);
        }
        // Who came from elsewhere and took somebody's only place plays the bracket instead of them.
        (None, _) => return Ok(left),
        (Some(_), _) => return Err(Objection::FixedByBracket.into()),
    }
    Ok(Vec::new())
}

fn last_availability(state: &Tournament, player: PlayerNumber) -> Option<(Seq, Availability)> {
    state.player(player)?.availability.last().copied()
}
