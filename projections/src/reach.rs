//! What players can still reach: who makes the cut whatever happens, who cannot any more, and what
//! a win, a draw or a loss of the match being played would make of each player.
//!
//! It goes by the final order, and by every result that the slips take for the matches whose result is not settled:
//! those that have none, are postponed, or are disputed and not ruled. Nobody drops, comes back, is penalized or has
//! another result corrected meanwhile. Whoever is said to have clinched or to be out is so by bounds that hold for every
//! result and every pairing, or because all combinations were counted through; never because of a sample.

mod bounds;
mod ends;
mod scenarios;

pub use ends::{agreed_draw, won_by_no_show};

use crate::crosstable::{FoldError, Index, Scope};
use crate::cut::{Cut, StaysOut, stays_out};
use crate::ruleset::{Outcome, Ruleset};
use crate::standings::{Detail, Row, Standings};
use bounds::Bounds;
use ends::Ends;
use scrutineer_engine::event::{
    Event, MatchResult, PhaseKind, PlayerNumber, ResultRecorded, RoundNumber, Seq,
};
use scrutineer_engine::tournament::{MatchView, Tournament};
use std::collections::BTreeSet;
use std::sync::Arc;

/// How much is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// How many rows of standings are counted through at the most: combinations times players.
    pub counted: u64,
    /// How many rows of standings a sample has at the most, but for its first combination; 0: none
    /// is taken. What is said of the cut does not depend on it.
    pub sampled: u64,
}

impl Effort {
    /// For whoever asks.
    pub const USUAL: Effort = Effort { counted: 100_000, sampled: 100_000 };
    /// For a table that says nothing of places.
    pub const FOR_THE_CUT: Effort = Effort { sampled: 0, ..Effort::USUAL };
}

/// How many combinations a sample has at the most.
pub const SAMPLES: u64 = 1_000;

/// How a player stands to a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chance {
    /// They make it whatever happens.
    Clinched,
    /// Neither is known.
    Open,
    /// They do not make it whatever happens.
    Out,
}

/// What the places were taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// All combinations of results: the best and the worst place are those that occur.
    Counted(u64),
    /// Bounds on the first measure of the order, and a sample of so many combinations.
    Sampled(u64),
    /// Bounds on the first measure of the order alone: rounds are to be paired, or a slip takes
    /// more results than can be listed.
    Bounds,
}

/// How the match that a player is in may end for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// They win it.
    Win,
    /// It is drawn, by whatever score.
    Draw,
    /// It is drawn by agreement.
    AgreedDraw,
    /// They lose it.
    Loss,
}

impl End {
    /// Every end, best first.
    pub const ALL: [End; 4] = [End::Win, End::Draw, End::AgreedDraw, End::Loss];
}

/// What somebody can still reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outlook {
    /// How they stand to the cut; none where no cut is to come.
    pub chance: Option<Chance>,
    /// No better place can be reached.
    pub best: u32,
    /// No worse place is to be feared.
    pub worst: u32,
    /// The best and the worst place in the sample, where one was taken.
    pub seen: Option<(u32, u32)>,
}

/// What a player can still reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerReach {
    /// Who.
    pub player: PlayerNumber,
    /// All in all.
    pub outlook: Outlook,
    /// With each end of the match that they are in, the last one of several; empty where they are
    /// in none.
    pub ends: Vec<(End, Outlook)>,
}

/// What all players can still reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The last round that has tables.
    pub through: RoundNumber,
    /// How many matches have no result, are postponed or are disputed.
    pub missing: usize,
    /// How many rounds of the phase are to be paired; none where the plan does not say.
    pub rounds_left: Option<u16>,
    /// How many make the cut that is to come.
    pub cut: Option<u32>,
    /// What the places were taken from.
    pub basis: Basis,
    /// Who is in the phase, in the order of the standings as they are.
    pub players: Vec<PlayerReach>,
}

impl Reach {
    /// A player of the phase.
    pub fn player(&self, player: PlayerNumber) -> Option<&PlayerReach> {
        self.players.iter().find(|found| found.player == player)
    }

    /// What can still be reached in the phase that is being played. `asked` is how many make the
    /// cut, where the plan does not say; `dice` gives a number below another, for the sample.
    /// None before a phase has begun and in a phase that is no Swiss and no round robin.
    ///
    /// # Errors
    /// Where the ruleset needs what the tournament does not hold.
    pub fn of(
        state: &Tournament,
        rules: &Arc<Ruleset>,
        asked: Option<u32>,
        effort: Effort,
        dice: &mut dyn FnMut(u64) -> u64,
    ) -> Result<Option<Reach>, FoldError> {
        let now = Standings::of(state, rules, Scope::FINAL, Detail::Order)?;
        let stage = now.last_layer().stage;
        if stage.phase == 0 || !matches!(stage.kind, PhaseKind::Swiss | PhaseKind::RoundRobin) {
            return Ok(None);
        }
        let cut = Cut::of(state, &now, asked).filter(|cut| asked.is_some() || !cut.is_made);
        let field = Field::of(state, rules, &now, cut.map(|cut| cut.size));
        let mut slots: Vec<Slots> = (0..now.table().len()).map(|_| Slots::default()).collect();
        let basis = scenarios::all(&field, effort, dice, &mut slots)?;
        let counted = matches!(basis, Basis::Counted(_));
        let bounds = if counted { Bounds::none() } else { Bounds::of(&field, &now)? };
        let players = field.rows().map(|row| {
            let of = |end| {
                let seen = slots[row.index as usize].of(end);
                match (counted, seen) {
                    (true, Some(seen)) => Some(seen.outlook(field.cut)),
                    (true, None) => None,
                    (false, seen) => Some(Outlook {
                        seen: seen.map(|seen| (seen.best, seen.worst)),
                        ..bounds.outlook(&field, row.index, end)?
                    }),
                }
            };
            let ends = End::ALL.into_iter().filter_map(|end| Some((end, of(Some(end))?)));
            let outlook = of(None).unwrap_or(Outlook::unknown(field.cut, field.ranked));
            PlayerReach { player: row.player, outlook, ends: ends.collect() }
        });
        let players = players.collect();
        let (missing, rounds_left) = (field.open.len(), field.rounds_left);
        Ok(Some(Reach {
            through: now.through,
            missing,
            rounds_left,
            cut: field.cut,
            basis,
            players,
        }))
    }
}

impl Outlook {
    /// Nothing is known but how many there are.
    fn unknown(cut: Option<u32>, ranked: u32) -> Outlook {
        Outlook { chance: cut.map(|_| Chance::Open), best: 1, worst: ranked.max(1), seen: None }
    }
}

/// A match without a result, or one that is postponed or disputed.
struct OpenMatch {
    pairing: Seq,
    seats: Vec<Index>,
    ends: Ends,
}

/// The phase, the matches whose result is not settled, and the cut.
struct Field<'a> {
    state: &'a Tournament,
    rules: &'a Arc<Ruleset>,
    open: Vec<OpenMatch>,
    rounds_left: Option<u16>,
    cut: Option<u32>,
    /// How many have a place.
    ranked: u32,
    /// By index: who has a place in this phase, and who of them can make the cut.
    takes_place: Vec<bool>,
    can_go_on: Vec<bool>,
    rows: Vec<Row>,
}

impl<'a> Field<'a> {
    fn of(
        state: &'a Tournament,
        rules: &'a Arc<Ruleset>,
        now: &Standings,
        cut: Option<u32>,
    ) -> Field<'a> {
        let table = now.table();
        let rows: Vec<Row> = now.rows.iter().filter(|row| row.layer == 0).copied().collect();
        let mut takes_place = vec![false; table.len()];
        let mut can_go_on = vec![false; table.len()];
        for row in &rows {
            takes_place[row.index as usize] = true;
            // Who comes later is not here yet, and can still make it.
            let out = stays_out(state, now.through, row.player);
            can_go_on[row.index as usize] = matches!(out, None | Some(StaysOut::NotHere));
        }
        let stage = now.last_layer().stage;
        let disputed: Vec<Seq> = disputed(state).map(|found| found.seq()).collect();
        // What is postponed or disputed may be of any phase: a Swiss that goes on keeps its points.
        let open = state.matches().filter(|found| {
            let is_missing = found.result().is_none() && found.round().phase == stage.phase;
            let is_unsettled = found.is_postponed() || disputed.contains(&found.seq());
            !found.round().withdrawn && (is_missing || is_unsettled)
        });
        let open = open.map(|found| {
            let seats = found.seats().iter().filter_map(|seat| table.index_of(seat.player));
            let seats: Vec<Index> = seats.collect();
            let ends = if seats.len() == 2 { Ends::of(state, rules, found) } else { Ends::none() };
            OpenMatch { pairing: found.seq(), seats, ends }
        });
        let open = open.collect();
        let rounds_left = rounds_left(state, stage.phase);
        let ranked = rows.len() as u32;
        Field { state, rules, open, rounds_left, cut, ranked, takes_place, can_go_on, rows }
    }

    fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter()
    }

    /// The standings with a result for each of these matches.
    fn with<'r>(
        &self,
        results: impl Iterator<Item = (Seq, &'r MatchResult)>,
    ) -> Result<Standings, FoldError> {
        let mut state = self.state.clone();
        for (pairing, result) in results {
            state.evolve(&Event::from(ResultRecorded { pairing, result: result.clone() }));
        }
        Standings::of(&state, self.rules, Scope::FINAL, Detail::Order)
    }
}

/// The matches with a result of which somebody says that it is wrong, and nobody has ruled.
pub fn disputed(state: &Tournament) -> impl Iterator<Item = MatchView<'_>> {
    let open: BTreeSet<Seq> = state.open_disputes().map(|(_, dispute)| dispute.pairing).collect();
    let found = open.into_iter().filter_map(move |pairing| state.match_at(pairing));
    found.filter(|found| found.result().is_some())
}

/// How many rounds of a phase are planned and have neither table nor bye yet.
fn rounds_left(state: &Tournament, phase: u16) -> Option<u16> {
    if state.is_closed() || state.phase(phase).is_some_and(|phase| phase.ended.is_some()) {
        return Some(0);
    }
    let planned = state.planned_rounds(phase)?;
    let with_byes: Vec<u32> =
        state.byes().filter(|bye| !bye.withdrawn).map(|bye| bye.round).collect();
    let is_paired =
        |at: usize| state.matches_of(at).next().is_some() || with_byes.contains(&(at as u32));
    let rounds = state.rounds().iter().enumerate();
    let paired =
        rounds.filter(|(at, round)| round.phase == phase && !round.withdrawn && is_paired(*at));
    Some(planned.saturating_sub(paired.map(|(_, round)| round.phase_round).max().unwrap_or(0)))
}

/// What occurred to a player in the combinations that were looked at.
#[derive(Clone, Copy, Debug)]
struct Seen {
    best: u32,
    worst: u32,
    /// Whether they made the cut in each of them, and in none.
    always: bool,
    never: bool,
}

impl Seen {
    fn outlook(&self, cut: Option<u32>) -> Outlook {
        let chance = match (self.always, self.never) {
            (true, _) => Chance::Clinched,
            (_, true) => Chance::Out,
            _ => Chance::Open,
        };
        Outlook { chance: cut.map(|_| chance), best: self.best, worst: self.worst, seen: None }
    }

    fn and(self, other: Seen) -> Seen {
        Seen {
            best: self.best.min(other.best),
            worst: self.worst.max(other.worst),
            always: self.always && other.always,
            never: self.never && other.never,
        }
    }
}

/// What occurred to a player, all in all and by how their match ended.
#[derive(Clone, Debug, Default)]
struct Slots {
    all: Option<Seen>,
    by_end: [Option<Seen>; 4],
}

impl Slots {
    fn of(&self, end: Option<End>) -> Option<Seen> {
        end.map_or(self.all, |end| self.by_end[end as usize])
    }

    fn add(&mut self, seen: Seen, ended: Option<(Outcome, bool)>) {
        let into = |slot: &mut Option<Seen>| {
            *slot = Some(slot.map_or(seen, |known| known.and(seen)));
        };
        into(&mut self.all);
        for end in End::ALL {
            if ended.is_some_and(|ended| ends::is(end, ended)) {
                into(&mut self.by_end[end as usize]);
            }
        }
    }
}
