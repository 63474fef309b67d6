//! Changing tables of a round that is paired: by hand, or with the least disturbance.

use super::rounds::Plan;
use super::{Desk, DeskError, Done, Objection, open_round};
use scrutineer_engine::book::{Commitment, Field};
use scrutineer_engine::event::{
    ByeGiven, ByeKind, DropReason, Origin, PairingMade, PhaseKind, PlayerDropped, PlayerNumber,
    RoundNumber, Seat, Seq, Withdrawn,
};
use scrutineer_engine::tournament::{Phase, Spell, Tournament};
use scrutineer_projections::draw::dice::Dice;
use scrutineer_projections::draw::swiss::{self, Cost, Field as Candidates};
use scrutineer_projections::draw::{Situation, running_phase};
use scrutineer_projections::ruleset::Ruleset;

/// How many further tables a repair may open to avoid a rematch.
const FURTHER_TABLES: usize = 2;

/// What a repair changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repaired {
    /// The tables that were made: number and seats.
    pub tables: Vec<(u32, Vec<PlayerNumber>)>,
    /// Who has a bye now that he did not have.
    pub byes: Vec<PlayerNumber>,
    /// Who takes part in the round and has neither a table nor a bye.
    pub unpaired: Vec<PlayerNumber>,
}

impl Desk<'_> {
    /// Pairs anew what is out of order in the round that is being played, and leaves every other
    /// table as it is: `out` did not appear and leave the event, `tables` are broken up, and
    /// whoever takes part without a table gets one. In a bracket the opponent of who is out goes
    /// on.
    ///
    /// # Errors
    /// Where nothing is out of order, or a table concerned has a result.
    pub fn repair(
        &self,
        out: &[PlayerNumber],
        tables: &[u32],
        reason: &str,
    ) -> Result<(Repaired, Done), DeskError> {
        let mut repaired = Repaired::default();
        let done = self.record(&mut |state, words| {
            let rules = self.rules(state)?;
            let reason = words.say(Field::Reason, reason)?;
            let mut plan = Plan::of(state);
            let round = open_round(state).ok_or(Objection::NoOpenRound)?.number;
            repaired = Repaired::default();
            let phase = running_phase(state).ok_or(Objection::NoPhaseRuns)?.clone();
            let mut free = Vec::new();
            for &player in out {
                let (why, after_round) = (DropReason::NoShow, round - 1);
                let freed = take_off(&mut plan, round, player, reason)?;
                // Somebody who said that he leaves after this round is out before it.
                if let Some((seq, Spell::Dropped(_, after))) = last_spell(&plan.state, player)
                    && after >= round
                {
                    plan.add(Withdrawn { seq, reason });
                }
                if plan.state.player(player).is_none_or(|p| p.dropped().is_none()) {
                    plan.add(PlayerDropped { player, why, after_round });
                }
                let left: Vec<PlayerNumber> =
                    freed.seats.iter().copied().filter(|p| !out.contains(p)).collect();
                match (freed.bracket_slot, &left[..]) {
                    (Some(slot), &[player]) => {
                        give_bye(&mut plan, round, player, ByeKind::Vacant, Some(slot), reason);
                        repaired.byes.push(player);
                    }
                    _ => free.extend(left),
                }
            }
            let in_bracket =
                matches!(phase.kind, PhaseKind::Elimination | PhaseKind::DoubleElimination);
            if in_bracket && !tables.is_empty() {
                return Err(Objection::FixedByBracket.into());
            }
            for &table in tables {
                let found = super::results::table_of(&plan.state, round, table)?;
                let player = found.seats()[0].player;
                free.extend(take_off(&mut plan, round, player, reason)?.seats);
            }
            if !in_bracket {
                let repair = Repair { rules: &rules, phase: &phase, round, reason };
                repair.seat(&mut plan, free, &mut repaired)?;
            }
            match plan.events.is_empty() {
                true => Err(Objection::NothingToRepair { round }.into()),
                false => Ok(plan.events),
            }
        })?;
        Ok((repaired, done))
    }

    /// Seats players at a table of the round that is being played, or gives a single one the bye,
    /// whatever the draw says. They leave the tables at which they sat; who sat there with them
    /// has none then, which the answer tells.
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
            for &player in players {
                let left = take_off(&mut plan, round, player, reason)?;
                freed.table = freed.table.or(left.table);
                freed.bracket_slot = freed.bracket_slot.or(left.bracket_slot);
                freed.group = freed.group.or(left.group);
            }
            if let &[player] = players {
                give_bye(&mut plan, round, player, ByeKind::Assigned, freed.bracket_slot, reason);
                repaired.byes.push(player);
            } else {
                let table = table.or(freed.table).unwrap_or_else(|| free_table(&plan.state, round));
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

fn last_spell(state: &Tournament, player: PlayerNumber) -> Option<(Seq, Spell)> {
    state.player(player)?.spells.last().copied()
}

/// What a player left behind.
#[derive(Default)]
struct Freed {
    seats: Vec<PlayerNumber>,
    table: Option<u32>,
    group: Option<u32>,
    bracket_slot: Option<u32>,
}

/// Takes back the pairing or bye of a player in a round.
fn take_off(
    plan: &mut Plan,
    round: RoundNumber,
    player: PlayerNumber,
    reason: Commitment,
) -> Result<Freed, DeskError> {
    let state = &plan.state;
    let sits = |found: &scrutineer_engine::tournament::MatchView<'_>| {
        found.round().number == round && found.seats().iter().any(|seat| seat.player == player)
    };
    let of_round = |index: u32| state.rounds()[index as usize].number == round;
    let (seq, freed) = if let Some(found) = state.matches().find(sits) {
        if found.result().is_some() {
            return Err(Objection::NotFree { player }.into());
        }
        let seats = found.seats().iter().map(|seat| seat.player).collect();
        let (table, group, bracket_slot) = (found.table(), found.group(), found.bracket_slot());
        (found.seq(), Freed { seats, table, group, bracket_slot })
    } else if let Some(bye) = state.byes().find(|b| b.player == player && of_round(b.round)) {
        let bracket_slot = bye.bracket_slot;
        (bye.seq, Freed { seats: vec![player], bracket_slot, ..Freed::default() })
    } else {
        return Ok(Freed { seats: vec![player], ..Freed::default() });
    };
    plan.add(Withdrawn { seq, reason });
    Ok(freed)
}

fn give_bye(
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

fn make(
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

/// The lowest table number that is free in a round.
fn free_table(state: &Tournament, round: RoundNumber) -> u32 {
    let mut taken: Vec<u32> = state
        .matches()
        .filter(|found| found.round().number == round)
        .filter_map(|found| found.table())
        .collect();
    taken.sort_unstable();
    (1..).zip(&taken).find(|(free, taken)| free != *taken).map_or(taken.len() as u32 + 1, |f| f.0)
}

/// Who takes part in a round and has neither a table nor a bye in it.
pub fn unpaired(state: &Tournament, round: RoundNumber) -> Vec<PlayerNumber> {
    let Some(phase) = running_phase(state) else { return Vec::new() };
    let mut seated = vec![false; state.players().len() + 1];
    for found in state.matches().filter(|found| found.round().number == round) {
        found.seats().iter().for_each(|seat| seated[seat.player as usize] = true);
    }
    for bye in state.byes().filter(|bye| state.rounds()[bye.round as usize].number == round) {
        seated[bye.player as usize] = true;
    }
    let mut belongs = vec![phase.number == 1; state.players().len() + 1];
    phase.entrants.iter().for_each(|&player| belongs[player as usize] = true);
    let takes_part = state.players().iter().filter(|player| player.takes_part_in(round));
    let numbers = takes_part.map(|player| player.number);
    numbers.filter(|&n| belongs[n as usize] && !seated[n as usize]).collect()
}

struct Repair<'a> {
    rules: &'a Ruleset,
    phase: &'a Phase,
    round: RoundNumber,
    reason: Commitment,
}

impl Repair<'_> {
    /// Seats everybody who is free; whoever has the bye keeps it unless he makes the number even.
    fn seat(
        &self,
        plan: &mut Plan,
        mut free: Vec<PlayerNumber>,
        repaired: &mut Repaired,
    ) -> Result<(), DeskError> {
        free.extend(unpaired(&plan.state, self.round));
        free.sort_unstable();
        free.dedup();
        free.retain(|&p| plan.state.player(p).is_some_and(|p| p.takes_part_in(self.round)));
        if free.is_empty() {
            return Ok(());
        }
        if free.len() % 2 == 1
            && let Some(player) = self.has_bye(&plan.state)
        {
            take_off(plan, self.round, player, self.reason)?;
            free.push(player);
        }
        let before = self.before(&plan.state)?;
        let mut best = self.pair(plan, &before, &free);
        let mut further = self.tables_near(plan, &before, &free);
        further.truncate(40);
        for _ in 0..FURTHER_TABLES {
            if best.cost.rematches == 0 && best.cost.byes_again == 0 {
                break;
            }
            let with = |&table: &u32| {
                let mut more = best.free.clone();
                more.extend(seats_of(&plan.state, self.round, table));
                (table, self.pair(plan, &before, &more))
            };
            let opened = further.iter().map(with).min_by_key(|(_, found)| found.cost);
            match opened {
                Some((table, found))
                    if found.cost.rematches < best.cost.rematches
                        || found.cost.byes_again < best.cost.byes_again =>
                {
                    further.retain(|other| *other != table);
                    best = found;
                }
                _ => break,
            }
        }
        self.make_all(plan, &best, repaired)
    }

    fn make_all(
        &self,
        plan: &mut Plan,
        best: &Found,
        repaired: &mut Repaired,
    ) -> Result<(), DeskError> {
        for &player in &best.free {
            take_off(plan, self.round, player, self.reason)?;
        }
        for pair in &best.pairs {
            let table = free_table(&plan.state, self.round);
            make(plan, self.round, table, pair, (None, None), self.reason);
            repaired.tables.push((table, pair.to_vec()));
        }
        if let Some(player) = best.bye {
            give_bye(plan, self.round, player, ByeKind::Assigned, None, self.reason);
            repaired.byes.push(player);
        }
        Ok(())
    }

    fn has_bye(&self, state: &Tournament) -> Option<PlayerNumber> {
        let of_round = |index: u32| state.rounds()[index as usize].number == self.round;
        let assigned = |kind| kind == ByeKind::Assigned;
        let found = state.byes().find(|bye| of_round(bye.round) && assigned(bye.kind));
        found.map(|bye| bye.player)
    }

    /// The situation before this round.
    fn before(&self, state: &Tournament) -> Result<Situation, DeskError> {
        let mut before = state.clone();
        if let Some(seq) = state.round(self.round).map(|round| round.opened) {
            before.evolve(&Withdrawn { seq, reason: self.reason }.into());
        }
        Ok(Situation::of(&before, self.rules, self.phase)?)
    }

    /// Tables without a result, those first whose players have about the points of the free ones.
    fn tables_near(&self, plan: &Plan, before: &Situation, free: &[PlayerNumber]) -> Vec<u32> {
        let points = |player: PlayerNumber| {
            let at = before.players.iter().position(|p| *p == player);
            at.map_or(0, |at| before.points[at])
        };
        let mean = free.iter().map(|&p| points(p)).sum::<i64>() / free.len().max(1) as i64;
        let open = plan.state.matches().filter(|found| {
            found.round().number == self.round
                && found.result().is_none()
                && found.seats().len() == 2
        });
        let mut tables: Vec<(i64, u32)> = open
            .filter_map(|found| {
                let off = found.seats().iter().map(|s| (points(s.player) - mean).abs()).sum();
                Some((off, found.table()?))
            })
            .collect();
        tables.sort_unstable();
        tables.into_iter().map(|(_, table)| table).collect()
    }

    fn pair(&self, plan: &Plan, before: &Situation, free: &[PlayerNumber]) -> Found {
        let at_of = |player: &PlayerNumber| before.players.iter().position(|p| p == player);
        let places: Vec<usize> = free.iter().filter_map(at_of).collect();
        let points: Vec<i64> = places.iter().map(|&at| before.points[at]).collect();
        let byes: Vec<u32> = places.iter().map(|&at| before.byes[at]).collect();
        let within = |at: u32| places.iter().position(|place| *place == at as usize);
        let pair = |&(one, other): &(u32, u32)| Some((within(one)? as u32, within(other)? as u32));
        let meetings: Vec<(u32, u32)> = before.meetings.iter().filter_map(pair).collect();
        let allowed = self.rules.draw.rematches_allowed;
        let field = Candidates::new(points, byes, &meetings, allowed);
        let mut seed = [0; 32];
        if let Some(drawn) = plan.state.round(self.round).and_then(|round| round.drawn.as_ref()) {
            seed = drawn.seed;
        }
        let head = plan.state.head().to_le_bytes();
        let pairing = swiss::pair(&field, &mut Dice::new(&seed, "repair", 1, &head));
        let player = |at: u32| before.players[places[at as usize]];
        Found {
            free: places.iter().map(|&at| before.players[at]).collect(),
            pairs: pairing.pairs.iter().map(|&(a, b)| [player(a), player(b)]).collect(),
            bye: pairing.bye.map(player),
            cost: pairing.cost,
        }
    }
}

struct Found {
    free: Vec<PlayerNumber>,
    pairs: Vec<[PlayerNumber; 2]>,
    bye: Option<PlayerNumber>,
    cost: Cost,
}

fn seats_of(state: &Tournament, round: RoundNumber, table: u32) -> Vec<PlayerNumber> {
    let found = state.at_table(round, table);
    found.map_or(Vec::new(), |found| found.seats().iter().map(|seat| seat.player).collect())
}
