//! Seats whoever is free in a round that is paired, so that as few tables as can be change.

use super::DeskError;
use super::plan::Plan;
use super::seating::{Repaired, give_bye, make, take_off, unpaired};
use scrutineer_engine::book::Commitment;
use scrutineer_engine::event::{ByeKind, PhaseKind, PlayerNumber, RoundNumber, Seq, Withdrawn};
use scrutineer_engine::tournament::{Bye, Phase, Tournament};
use scrutineer_pairing::dice::Dice;
use scrutineer_pairing::swiss::{self, Cost, Field as Candidates};
use scrutineer_pairing::{Colors, Parts, Situation, pods, table_for};
use scrutineer_projections::ruleset::Ruleset;

/// How many further tables a repair may open to avoid a rematch.
const FURTHER_TABLES: usize = 2;
/// The seats of a pod.
const POD: usize = 4;

/// A repair with the least disturbance.
pub(super) struct Repair<'a> {
    pub rules: &'a Ruleset,
    pub phase: &'a Phase,
    pub round: RoundNumber,
    pub reason: Commitment,
    /// The head of the log: the public dice of the repair.
    pub head: Seq,
    /// The tournament before the repair, which says where everybody sat.
    pub sat: &'a Tournament,
}

impl Repair<'_> {
    /// Seats everybody who is free; whoever has the bye keeps it unless they make the number even.
    pub fn seat(
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
        if self.phase.kind == PhaseKind::Pods {
            let state = plan.state.clone();
            let parts = Parts::of(&state, self.phase);
            for free in parts.split(&free) {
                self.seat_in_pods(plan, &parts, free, repaired)?;
            }
            return Ok(());
        }
        let before = self.before(&plan.state)?;
        // Divisions that are paired apart are so in a repair too.
        let state = plan.state.clone();
        let parts = Parts::of(&state, self.phase);
        for free in parts.split(&free) {
            self.seat_part(plan, &before, &parts, free, repaired)?;
        }
        Ok(())
    }

    /// Seats those who are free of one part of the round.
    fn seat_part(
        &self,
        plan: &mut Plan,
        before: &Situation,
        parts: &Parts<'_>,
        free: Vec<PlayerNumber>,
        repaired: &mut Repaired,
    ) -> Result<(), DeskError> {
        let Some(&one) = free.first() else { return Ok(()) };
        let has_bye =
            |state: &Tournament| self.have_byes(state).find(|&holder| parts.has_both(one, holder));
        // Who brings a bye or asked for one has it, as if they had been there when the round was drawn.
        let mut free = free;
        for bye in before.with_byes.iter().filter(|bye| free.contains(&bye.player)) {
            take_off(plan, self.round, bye.player, self.reason)?;
            give_bye(plan, self.round, bye.player, bye.kind, None, self.reason);
            repaired.byes.push(bye.player);
        }
        free.retain(|player| before.with_byes.iter().all(|bye| bye.player != *player));
        if free.is_empty() {
            return Ok(());
        }
        if free.len() % 2 == 1
            && let Some(player) = has_bye(&plan.state)
        {
            take_off(plan, self.round, player, self.reason)?;
            free.push(player);
        }
        let mut best = self.pair(plan, before, &free);
        // Who has no opponent gives nobody a reason to leave a table.
        if let Some(holder) = has_bye(&plan.state).filter(|holder| !free.contains(holder))
            && best.is_unwelcome()
        {
            let with: Vec<PlayerNumber> = free.iter().copied().chain([holder]).collect();
            let found = self.pair(plan, before, &with);
            if found.is_better_than(&best) {
                best = found;
            }
        }
        let mut further = self.tables_near(plan, before, &free);
        let of_part = |table: &u32| {
            let seats = seats_of(&plan.state, self.round, *table);
            seats.iter().all(|&player| parts.has_both(one, player))
        };
        further.retain(of_part);
        further.truncate(40);
        for _ in 0..FURTHER_TABLES {
            if !best.is_unwelcome() {
                break;
            }
            let with = |&table: &u32| {
                let mut more = best.free.clone();
                more.extend(seats_of(&plan.state, self.round, table));
                (table, self.pair(plan, before, &more))
            };
            let opened = further.iter().map(with).min_by_key(|(_, found)| found.cost);
            match opened {
                Some((table, found)) if found.is_better_than(&best) => {
                    further.retain(|other| *other != table);
                    best = found;
                }
                _ => break,
            }
        }
        self.make_all(plan, &best, repaired)
    }

    /// Whoever is free joins pods of three; who is left then makes pods of their own.
    fn seat_in_pods(
        &self,
        plan: &mut Plan,
        parts: &Parts<'_>,
        mut free: Vec<PlayerNumber>,
        repaired: &mut Repaired,
    ) -> Result<(), DeskError> {
        let Some(&one) = free.first() else { return Ok(()) };
        let of_three = plan.state.matches().filter(|found| {
            let open = found.round().number == self.round && found.result().is_none();
            let of_part = found.seats().iter().all(|seat| parts.has_both(one, seat.player));
            open && of_part && found.seats().len() == POD - 1
        });
        // Whoever is left of a pod stays together, unless too few are.
        let mut tables: Vec<u32> = of_three.filter_map(|found| found.table()).collect();
        tables.sort_unstable();
        for table in tables.into_iter().take(free.len()) {
            let mut seats = seats_of(&plan.state, self.round, table);
            take_off(plan, self.round, seats[0], self.reason)?;
            seats.push(free.remove(0));
            make(plan, self.round, table, &seats, (None, None), self.reason);
            repaired.tables.push((table, seats));
        }
        if free.is_empty() {
            return Ok(());
        }
        // Too few for a table make one with those who have the bye.
        let holders = self.have_byes(&plan.state);
        let holders: Vec<PlayerNumber> =
            holders.filter(|&holder| parts.has_both(one, holder)).collect();
        let needed = (POD - 1).saturating_sub(free.len());
        for &holder in holders.iter().take(needed).filter(|_| holders.len() >= needed) {
            take_off(plan, self.round, holder, self.reason)?;
            free.push(holder);
        }
        let drawn = pods::first_round(&free, &mut self.dice(plan));
        for seats in drawn.tables {
            let table = table_for(&plan.state, self.round, &seats, None);
            make(plan, self.round, table, &seats, (None, None), self.reason);
            repaired.tables.push((table, seats));
        }
        let seated =
            |player: &PlayerNumber| repaired.tables.iter().any(|(_, seats)| seats.contains(player));
        let left: Vec<PlayerNumber> = free.into_iter().filter(|player| !seated(player)).collect();
        for player in left {
            give_bye(plan, self.round, player, ByeKind::Assigned, None, self.reason);
            repaired.byes.push(player);
        }
        Ok(())
    }

    /// Dice from the seed of the round, others for each repair.
    fn dice(&self, plan: &Plan) -> Dice {
        let drawn = plan.state.round(self.round).and_then(|round| round.drawn.as_ref());
        let seed = drawn.map_or([0; 32], |drawn| drawn.seed);
        Dice::new(&seed, "repair", 1, &self.head.to_le_bytes())
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
            let sat = pair.iter().filter_map(|player| self.sat_at(*player));
            let is_free = |table: &u32| plan.state.at_table(self.round, *table).is_none();
            let table = table_for(&plan.state, self.round, pair, sat.filter(is_free).min());
            make(plan, self.round, table, pair, (None, None), self.reason);
            repaired.tables.push((table, pair.to_vec()));
        }
        if let Some(player) = best.bye {
            give_bye(plan, self.round, player, ByeKind::Assigned, None, self.reason);
            repaired.byes.push(player);
        }
        Ok(())
    }

    /// Where somebody sat before the repair: who comes new sits down opposite.
    fn sat_at(&self, player: PlayerNumber) -> Option<u32> {
        let mut of_round = self.sat.matches().filter(|found| found.round().number == self.round);
        of_round.find(|found| found.seats().iter().any(|seat| seat.player == player))?.table()
    }

    fn have_byes(&self, state: &Tournament) -> impl Iterator<Item = PlayerNumber> {
        let of_round = |index: u32| state.rounds()[index as usize].number == self.round;
        let assigned = |kind| kind == ByeKind::Assigned;
        // Who has left since is not called back to a table.
        let here = |player| state.player(player).is_some_and(|p| p.dropped().is_none());
        let has = move |bye: &&Bye| of_round(bye.round) && assigned(bye.kind) && here(bye.player);
        state.byes().filter(has).map(|bye| bye.player)
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
        let pairing = swiss::pair(&field, &mut self.dice(plan));
        let player = |at: u32| before.players[places[at as usize]];
        let seated: Vec<PlayerNumber> = places.iter().map(|&at| before.players[at]).collect();
        let colors = self.rules.first_seat.is_some().then(|| Colors::of(&plan.state, &seated));
        let pair = |&(one, other): &(u32, u32)| match &colors {
            Some(colors) if colors.turned(one, other) == Some(true) => [player(other), player(one)],
            _ => [player(one), player(other)],
        };
        Found {
            free: places.iter().map(|&at| before.players[at]).collect(),
            pairs: pairing.pairs.iter().map(pair).collect(),
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

impl Found {
    /// Whether it has what a further table may mend.
    fn is_unwelcome(&self) -> bool {
        self.cost.rematches > 0 || self.cost.byes_again > 0
    }

    fn is_better_than(&self, other: &Found) -> bool {
        self.cost.rematches < other.cost.rematches || self.cost.byes_again < other.cost.byes_again
    }
}

fn seats_of(state: &Tournament, round: RoundNumber, table: u32) -> Vec<PlayerNumber> {
    let found = state.at_table(round, table);
    found.map_or(Vec::new(), |found| found.seats().iter().map(|seat| seat.player).collect())
}
