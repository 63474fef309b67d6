//! Who makes a cut: the first so many of those who can go on. Whoever left stands where they stand,
//! and the next one goes on in their stead.

use crate::divisions::{division_of_phase, divisions};
use crate::standings::{Row, Standings};
use scrutineer_engine::event::{DropReason, PlayerNumber, RoundNumber};
use scrutineer_engine::tournament::{Phase, Tournament};
use std::fmt;

/// Why somebody cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StaysOut {
    /// They are out of the event.
    Dropped(DropReason),
    /// They were asked, and passed over.
    Declined,
    /// They are not in the phase that the cut ends.
    NotInPhase,
    /// They take part later only.
    NotHere,
}

impl fmt::Display for StaysOut {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            StaysOut::Dropped(DropReason::Left) => "dropped",
            StaysOut::Dropped(DropReason::NoShow) => "no-show",
            StaysOut::Dropped(DropReason::Disqualified) => "disqualified",
            StaysOut::Declined => "declined",
            StaysOut::NotInPhase => "knocked out",
            StaysOut::NotHere => "not here",
        })
    }
}

/// The cut that ends a phase: who would be in it by these standings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// How many it takes.
    pub size: u32,
    /// Who makes it, in the order of the standings.
    pub players: Vec<PlayerNumber>,
    /// How many rows of the standings stand down to the last one who makes it.
    pub rows: usize,
    /// Who stands above the line and does not make it, and why.
    pub passed: Vec<(PlayerNumber, StaysOut)>,
    /// The first one who could go on and does not make it.
    pub next: Option<PlayerNumber>,
    /// Whether the phase behind it has begun.
    pub is_made: bool,
    /// The place that the last one in shares with the first one out, where they share one.
    pub tie: Option<u32>,
    /// Everybody who shares that place and could go on.
    pub tied: Vec<PlayerNumber>,
    /// Who went on, where the phase behind it began right after these standings.
    pub went_on: Vec<PlayerNumber>,
}

impl Cut {
    /// The cut behind these standings: of the size that is asked for, or as large as it was, or as
    /// the plan says. None where none is planned, or it leaves nobody out.
    pub fn of(state: &Tournament, standings: &Standings, asked: Option<u32>) -> Option<Cut> {
        let is_for_all = standings.division().is_none();
        let mut boundary = Boundary::of(state, standings.through);
        if !is_for_all {
            boundary = boundary.of_some(state, |player| standings.row(player).is_some());
            boundary.after = boundary.after_with(state, |player| standings.row(player).is_some());
        }
        let made = boundary.after.map(|next| next.entrants.len() as u32);
        let planned = || planned(state, standings).filter(|size| is_of(state, standings, *size));
        let size = asked.or(made).or_else(planned)?;
        let out = |player| boundary.stays_out(state, standings.through, player);
        let mut cut = Cut { is_made: made.is_some(), ..Cut::by(standings, size, &out) };
        // A running order is none that a cut is made by, nor are standings within a phase.
        let is_by_these = boundary.ends_with(state, standings.through)
            && (standings.is_final || standings.rules.running_order.is_none());
        if let Some(next) = boundary.after.filter(|_| is_by_these && made == Some(size)) {
            cut.went_on = next.entrants.clone();
        }
        // That of a division goes through the standings of all in no line.
        let is_other = is_for_all
            && boundary.after.is_some_and(|next| {
                division_of_phase(state, next).is_some()
                    && !next.entrants.iter().all(|one| cut.has(*one))
            });
        (!is_other && (size as usize) < standings.rows.len()).then_some(cut)
    }

    /// The cut of a size, where `out` says who cannot go on.
    fn by(standings: &Standings, size: u32, out: &dyn Fn(PlayerNumber) -> Option<StaysOut>) -> Cut {
        let mut cut = Cut {
            size,
            players: Vec::new(),
            rows: 0,
            passed: Vec::new(),
            next: None,
            is_made: false,
            tie: None,
            tied: Vec::new(),
            went_on: Vec::new(),
        };
        let mut passed = Vec::new();
        let mut last = None;
        for (at, row) in standings.rows.iter().enumerate() {
            if let Some(why) = out(row.player) {
                passed.push((row.player, why));
            } else if cut.players.len() < size as usize {
                cut.players.push(row.player);
                cut.passed.append(&mut passed);
                cut.rows = at + 1;
                last = Some(row.rank);
            } else {
                cut.next = Some(row.player);
                cut.tie = last.filter(|last| *last == row.rank);
                break;
            }
        }
        let shares = |row: &&Row| cut.tie == Some(row.rank) && out(row.player).is_none();
        cut.tied = standings.rows.iter().filter(shares).map(|row| row.player).collect();
        cut
    }

    /// Whether somebody makes it.
    pub fn has(&self, player: PlayerNumber) -> bool {
        self.players.contains(&player)
    }

    /// Whether somebody makes it whatever the lots say.
    pub fn has_surely(&self, player: PlayerNumber) -> bool {
        self.has(player) && !self.tied.contains(&player)
    }

    /// Whether somebody doesn't make it whatever the lots say.
    pub fn lacks_surely(&self, player: PlayerNumber) -> bool {
        !self.has(player) && !self.tied.contains(&player)
    }

    /// Whether it was made, and with others than these standings give: a postponed match was played
    /// later. Who shares the place at the line may have gone on or not.
    pub fn is_another(&self) -> bool {
        let passed = |one: &PlayerNumber| !self.went_on.contains(one) && !self.tied.contains(one);
        let is_other = |one: &PlayerNumber| self.lacks_surely(*one);
        let is_known = !self.went_on.is_empty();
        is_known && (self.players.iter().any(passed) || self.went_on.iter().any(is_other))
    }

    /// Behind how many rows the line is drawn; nowhere where another cut was made.
    pub fn line(&self) -> Option<usize> {
        (!self.is_another()).then_some(self.rows)
    }
}

/// Whether a planned cut to so many is one of these standings: of everybody, or, where divisions have cuts of their
/// own, of the division. What TOM plans is of one division, and the log does not say of which: where one alone is large
/// enough that half of it goes on.
fn is_of(state: &Tournament, standings: &Standings, size: u32) -> bool {
    let all = divisions(state);
    let from_tom = state.imported().is_some_and(|imported| imported.format == "tdf");
    let by_division = all.len() > 1 && (from_tom || state.divisions_paired().apart);
    let Some(own) = standings.division().filter(|_| by_division) else {
        return !by_division && standings.division().is_none();
    };
    let is_large = |name: &&&str| {
        let players = state.players().iter().filter(|player| !player.withdrawn);
        let count = players.filter(|player| player.division.as_deref() == Some(**name)).count();
        count as u32 / 2 >= size
    };
    !from_tom || all.iter().filter(is_large).eq([&own])
}

/// How many the plan takes behind the phase that these standings have come to.
fn planned(state: &Tournament, standings: &Standings) -> Option<u32> {
    let phase = phase_at(state, standings.through);
    state.opened()?.plan.iter().skip(phase.into()).find_map(|phase| phase.players)
}

/// The phase that a round belongs to, or the last one before it; 1 where there is none.
fn phase_at(state: &Tournament, through: RoundNumber) -> u16 {
    let mut played = state.rounds().iter().filter(|round| !round.withdrawn);
    played.rfind(|round| round.number <= through).map_or(1, |round| round.phase)
}

/// The phase that a round belongs to, and the one that followed it.
struct Boundary<'a> {
    number: u16,
    before: Option<&'a Phase>,
    after: Option<&'a Phase>,
}

impl Boundary<'_> {
    fn of(state: &Tournament, through: RoundNumber) -> Boundary<'_> {
        let number = phase_at(state, through);
        let phases = || state.phases().iter().filter(|phase| !phase.withdrawn);
        // Phases that follow each other before a round is played have no cut between them.
        let after = phases().find(|phase| phase.number > number && !phase.entrants.is_empty());
        Boundary { number, before: phases().find(|phase| phase.number == number), after }
    }
}

impl<'a> Boundary<'a> {
    /// The same behind the last phase that anybody of some players is in: another one's is no business of theirs.
    fn of_some(self, state: &'a Tournament, is_one: impl Fn(PlayerNumber) -> bool) -> Boundary<'a> {
        let is_theirs = |phase: &&Phase| {
            let has_one = || phase.entrants.iter().any(|player| is_one(*player));
            !phase.withdrawn && phase.number <= self.number && (phase.number == 1 || has_one())
        };
        match state.phases().iter().rfind(is_theirs) {
            Some(own) => Boundary { number: own.number, before: Some(own), ..self },
            None => self,
        }
    }

    /// Whether no round of the phase comes behind a round.
    fn ends_with(&self, state: &Tournament, through: RoundNumber) -> bool {
        let mut played = state.rounds().iter().filter(|round| !round.withdrawn);
        !played.any(|round| round.phase == self.number && round.number > through)
    }

    /// The first phase behind it all of whose entrants are of some players.
    fn after_with(
        &self,
        state: &'a Tournament,
        is_one: impl Fn(PlayerNumber) -> bool,
    ) -> Option<&'a Phase> {
        state.phases().iter().find(|phase| {
            let is_later = !phase.withdrawn && phase.number > self.number;
            is_later && !phase.entrants.is_empty() && phase.entrants.iter().all(|one| is_one(*one))
        })
    }
}

/// Why a player cannot go on behind a round, if they cannot: they were there and did not decline, or they
/// are in the phase that followed.
pub fn stays_out(
    state: &Tournament,
    through: RoundNumber,
    player: PlayerNumber,
) -> Option<StaysOut> {
    Boundary::of(state, through).stays_out(state, through, player)
}

impl Boundary<'_> {
    fn stays_out(
        &self,
        state: &Tournament,
        through: RoundNumber,
        player: PlayerNumber,
    ) -> Option<StaysOut> {
        let Boundary { before, after, .. } = *self;
        if after.is_some_and(|phase| phase.entrants.contains(&player)) {
            return None;
        }
        if after.is_some_and(|phase| phase.passed_over.contains(&player)) {
            return Some(StaysOut::Declined);
        }
        let was_in = |phase: &Phase| {
            phase.number == 1 || phase.entrants.is_empty() || phase.entrants.contains(&player)
        };
        if !before.is_none_or(was_in) {
            return Some(StaysOut::NotInPhase);
        }
        let next = through.saturating_add(1);
        let found = state.player(player)?;
        // Who went home once all was played has not left a cut that nobody made.
        let is_over = state.is_closed() && after.is_none();
        if is_over || found.takes_part_in(next) {
            return None;
        }
        Some(found.dropped_by(through).map_or(StaysOut::NotHere, |(why, _)| StaysOut::Dropped(why)))
    }
}
