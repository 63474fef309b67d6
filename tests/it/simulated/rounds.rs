//! Each round as it was drawn: who is in it, what it avoids, and that the seed gives it again.

use super::Played;
use super::matching::{Field, SMALL};
use scrutineer_engine::event::{
    ByeKind, DrawUsed, Event, PhaseKind, PlayerNumber, RoundNumber, RoundOpened,
};
use scrutineer_engine::seed;
use scrutineer_engine::tournament::{Phase, Tournament};
use scrutineer_pairing::events_of;
use scrutineer_projections::ruleset::SwissMethod;
use std::collections::{BTreeMap, BTreeSet};

/// How much was looked at.
#[derive(Debug, Default)]
pub struct Seen {
    /// Rounds drawn again.
    pub drawn: u32,
    /// Rounds that had been voided before.
    pub again: u32,
    /// Swiss rounds of which the best was known.
    pub proven: u32,
    /// Rematches among them.
    pub rematches: u32,
}

pub fn check(played: &Played, seen: &mut Seen) {
    let mut state = Tournament::default();
    let mut voided = BTreeSet::new();
    for (at, (header, event)) in played.event.log.iter().enumerate() {
        match event {
            Event::RoundOpened(opened) => {
                let parts = played.event.log[at + 1..].iter();
                let own = parts.take_while(|(other, _)| other.command == header.command);
                let events: Vec<&Event> = own.map(|(_, event)| event).collect();
                let name = format!("{}, round {}", played.name(), opened.round);
                let round = Round { played, state: &state, opened, events, name };
                round.check(seen);
                seen.again += u32::from(!voided.insert(opened.round));
            }
            Event::RoundCompleted(completed) => everybody_played(played, &state, completed.round),
            _ => {}
        }
        state.evolve(event);
    }
}

/// A round that is being opened.
struct Round<'a> {
    played: &'a Played,
    state: &'a Tournament,
    opened: &'a RoundOpened,
    /// What was recorded with its opening.
    events: Vec<&'a Event>,
    name: String,
}

/// Who takes part in a round of a phase in which nobody is knocked out.
fn taking_part(state: &Tournament, phase: &Phase, round: RoundNumber) -> BTreeSet<PlayerNumber> {
    let here = state.players().iter().filter(|player| player.takes_part_in(round));
    let belongs = |number: &PlayerNumber| phase.number == 1 || phase.entrants.contains(number);
    here.map(|player| player.number).filter(belongs).collect()
}

/// When a round is completed nobody was left out, whatever was repaired.
fn everybody_played(played: &Played, state: &Tournament, round: RoundNumber) {
    let phase = state.round(round).and_then(|r| state.phase_of(r)).expect("a phase");
    if !matches!(phase.kind, PhaseKind::Swiss | PhaseKind::RoundRobin | PhaseKind::Pods) {
        return;
    }
    let tables = state.matches().filter(|found| found.round().number == round);
    let mut seated: Vec<PlayerNumber> =
        tables.flat_map(|found| found.seats().iter().map(|seat| seat.player)).collect();
    let byes = state.byes().filter(|bye| state.rounds()[bye.round as usize].number == round);
    seated.extend(byes.map(|bye| bye.player));
    let different: BTreeSet<PlayerNumber> = seated.iter().copied().collect();
    assert_eq!(seated.len(), different.len(), "{}: twice in round {round}", played.name());
    let expected = taking_part(state, phase, round);
    let missing: Vec<_> = expected.difference(&different).collect();
    assert!(missing.is_empty(), "{}: {missing:?} sit nowhere in round {round}", played.name());
}

impl Round<'_> {
    fn check(&self, seen: &mut Seen) {
        seen.drawn += 1;
        let used = self.opened.drawn.as_ref().expect("it was drawn");
        self.is_drawn_again_the_same(used);
        let tables = self.tables();
        let byes = self.byes();
        let mut all: Vec<PlayerNumber> = tables.concat();
        all.extend(byes.iter().map(|(player, _)| *player));
        let drawn: BTreeSet<PlayerNumber> = all.iter().copied().collect();
        assert_eq!(all.len(), drawn.len(), "{}: somebody is drawn twice", self.name);
        let phase = scrutineer_pairing::running_phase(self.state).expect("a phase runs");
        let here = taking_part(self.state, phase, self.opened.round);
        let losses = super::brackets::losses(self.state, self.played.rules(), phase);
        let still_in = |most: u32| -> BTreeSet<PlayerNumber> {
            here.iter().copied().filter(|p| losses.get(p).copied().unwrap_or(0) < most).collect()
        };
        match phase.kind {
            PhaseKind::Elimination => assert_eq!(drawn, still_in(1), "{}", self.name),
            // Some wait for those who come from above.
            PhaseKind::DoubleElimination => {
                assert!(drawn.is_subset(&still_in(2)), "{}: {drawn:?}", self.name);
            }
            _ => assert_eq!(drawn, here, "{}", self.name),
        }
        if phase.kind == PhaseKind::Swiss {
            self.avoids_what_it_can(&tables, &byes, seen);
        }
    }

    fn is_drawn_again_the_same(&self, used: &DrawUsed) {
        let name = &self.name;
        let commitment = self.state.opened().and_then(|opened| opened.seed_commitment);
        assert_eq!(used.draw, seed::draw_of_round(self.opened.round), "{name}");
        let commitment = commitment.expect("committed");
        assert!(seed::leads_to(&commitment, used.draw, &used.seed), "{name}");
        let dice = used.dice.as_deref().unwrap_or_default();
        let again =
            scrutineer_pairing::next_round(self.state, self.played.rules(), &used.seed, dice);
        let again = again.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((again.method, again.version), (&used.method[..], used.version), "{name}");
        let expected = events_of(self.state, &again, self.opened.round);
        assert!(expected.iter().eq(self.events.iter().copied()), "{name}: drawn otherwise");
    }

    fn tables(&self) -> Vec<Vec<PlayerNumber>> {
        let table = |event: &&Event| match event {
            Event::PairingMade(e) => Some(e.seats.iter().map(|seat| seat.player).collect()),
            _ => None,
        };
        self.events.iter().filter_map(table).collect()
    }

    fn byes(&self) -> Vec<(PlayerNumber, ByeKind)> {
        let bye = |event: &&Event| match event {
            Event::ByeGiven(e) => Some((e.player, e.kind)),
            _ => None,
        };
        self.events.iter().filter_map(bye).collect()
    }

    /// No avoidable rematch and no avoidable second bye: found out without the draw's help.
    fn avoids_what_it_can(
        &self,
        tables: &[Vec<PlayerNumber>],
        byes: &[(PlayerNumber, ByeKind)],
        seen: &mut Seen,
    ) {
        let name = &self.name;
        let bye =
            byes.iter().find(|(_, kind)| *kind == ByeKind::Assigned).map(|(player, _)| *player);
        let mut players = tables.concat();
        players.extend(bye);
        let at: BTreeMap<PlayerNumber, usize> = players.iter().copied().zip(0..).collect();
        assert_eq!(bye.is_some(), players.len() % 2 == 1, "{name}");
        let rules = self.played.rules();
        let field = self.field(&at, rules.draw.rematches_allowed);
        let pairs: Vec<(usize, usize)> =
            tables.iter().map(|seats| (at[&seats[0]], at[&seats[1]])).collect();
        let repeats = field.repeats(&pairs);
        let bye = bye.map(|player| at[&player]);
        let byes_of = |bye: Option<usize>| bye.map_or(0, |at| field.byes[at]);
        if players.len() <= SMALL {
            // Score groups spare rematches first, ranked draws a second bye.
            let best = field.best().into_iter().map(|(bye, repeats)| (repeats, byes_of(bye)));
            match rules.draw.method {
                SwissMethod::ScoreGroupRandom => {
                    assert_eq!(Some((repeats, byes_of(bye))), best.min(), "{name}");
                }
                SwissMethod::RankedAdjacent => {
                    let fewest = field.byes.iter().min().copied().unwrap_or(0);
                    assert_eq!(byes_of(bye), bye.map_or(0, |_| fewest), "{name}");
                    let found = field.best().into_iter().find(|(other, _)| *other == bye);
                    let least = found.map(|(_, repeats)| repeats.0);
                    assert_eq!(Some(repeats.0), least, "{name}");
                }
            }
            seen.proven += 1;
        } else if field.is_surely_free() {
            assert_eq!((repeats, byes_of(bye)), ((0, 0), 0), "{name}");
            seen.proven += 1;
        }
        seen.rematches += repeats.0;
    }

    fn field(&self, at: &BTreeMap<PlayerNumber, usize>, rematches_allowed: bool) -> Field {
        let mut field = Field { met: BTreeMap::new(), byes: vec![0; at.len()] };
        for found in self.state.matches().filter(|_| !rematches_allowed) {
            let [one, other] = found.seats() else { continue };
            if let (Some(&one), Some(&other)) = (at.get(&one.player), at.get(&other.player)) {
                *field.met.entry((one.min(other), one.max(other))).or_default() += 1;
            }
        }
        let counts = |kind| matches!(kind, ByeKind::Assigned | ByeKind::Awarded | ByeKind::Half);
        for bye in self.state.byes().filter(|bye| counts(bye.kind)) {
            if let Some(&at) = at.get(&bye.player) {
                field.byes[at] += 1;
            }
        }
        field
    }
}
