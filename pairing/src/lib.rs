//! Who meets whom: the next round of a tournament, and any recorded round again.
#![doc = include_str!("../README.md")]
//!
//! `docs/FORMAT.md` lists the methods with their versions.
#![deny(clippy::float_arithmetic, clippy::disallowed_methods, clippy::disallowed_types)]

mod apart;
pub mod bracket;
mod colors;
pub mod dice;
mod hall;
mod knockout;
pub mod pods;
pub mod ranked;
mod reasons;
pub mod robin;
mod situation;
pub mod swiss;
pub mod why;

pub use apart::{Parts, can_be_apart};
pub use colors::Colors;
pub use hall::{kept_twice, table_for, table_numbers};
pub use knockout::{decided, winner};
pub use situation::{Situation, running_phase, scheduled};

use dice::Dice;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::{
    ByeGiven, ByeKind, ENGINE, Event, Origin, PairingMade, PairingReason, PhaseKind, PlayerNumber,
    RoundNumber, Seat,
};
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::crosstable::FoldError;
use scrutineer_projections::ruleset::{Ruleset, SwissMethod};
use smallvec::SmallVec;
use std::sync::Arc;

/// One table as drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairedTable {
    /// Who sits there.
    pub seats: SmallVec<[Seat; 2]>,
    /// The part of the bracket: 1 upper, 2 lower, 3 grand final.
    pub group: Option<u32>,
    /// The place in the bracket.
    pub bracket_slot: Option<u32>,
    /// Why.
    pub because: PairingReason,
}

/// One bye as drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairedBye {
    /// Who.
    pub player: PlayerNumber,
    /// What kind.
    pub kind: ByeKind,
    /// The place in the bracket.
    pub bracket_slot: Option<u32>,
    /// Why.
    pub because: PairingReason,
}

/// A round as drawn: table 1 first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairedRound {
    /// The method's id.
    pub method: &'static str,
    /// The method's version.
    pub version: u16,
    /// The tables.
    pub tables: Vec<PairedTable>,
    /// The byes.
    pub byes: Vec<PairedBye>,
}

scrutineer_engine::errors! {
    /// Why a round cannot be drawn.
    #[derive(Clone, PartialEq, Eq)]
    pub enum PairingError -> &'static str {
        /// No phase is running.
        NoPhase = refused "no-phase", "no phase is running", "start a phase first";
        /// The phase has been played to its end.
        PhaseOver { kind: PhaseKind } = refused "phase-over",
            "the {kind} phase is over: nothing is left to pair",
            "start the next phase, or close the tournament";
        /// Nobody takes part.
        Nobody { round: RoundNumber } = refused "nobody-to-pair", "nobody takes part in round {round}",
            "enroll players, or reinstate who dropped by mistake";
        /// A match of a bracket has no winner.
        NobodyAdvances { round: RoundNumber, table: u32 } = refused "nobody-advances",
            "nobody advances from table {table} of round {round}",
            "correct the result, or let a player advance by ruling: a draw takes nobody further";
        /// The results so far cannot be folded.
        Fold(#[from] FoldError) => (error) Code::refused("cannot-fold"), "{0}", error.hint();
    }
}

/// Every method by which rounds were ever drawn, with its newest version. FORMAT.md says what each does.
pub const METHODS: [(&str, u16); 9] = [
    ("score-group-random", 1),
    ("score-group-colors", 1),
    ("ranked-adjacent", 1),
    ("single-elimination", 1),
    ("single-elimination-reseeded", 1),
    ("double-elimination", 1),
    ("round-robin", 1),
    ("pods", 1),
    ENGINE,
];

/// The methods by which a phase is drawn under a ruleset, each with its version: today's, and behind it those by which
/// earlier versions drew.
pub fn methods(rules: &Ruleset, kind: PhaseKind) -> &'static [(&'static str, u16)] {
    match (kind, rules.draw.method) {
        (PhaseKind::Swiss, SwissMethod::ScoreGroupRandom) if rules.first_seat.is_some() => {
            &[("score-group-colors", 1), ("score-group-random", 1)]
        }
        (PhaseKind::Swiss, SwissMethod::ScoreGroupRandom) => &[("score-group-random", 1)],
        (PhaseKind::Swiss, SwissMethod::RankedAdjacent) => &[("ranked-adjacent", 1)],
        (PhaseKind::Elimination, _) if rules.draw.reseed => &[("single-elimination-reseeded", 1)],
        (PhaseKind::Elimination, _) => &[("single-elimination", 1)],
        (PhaseKind::DoubleElimination, _) => &[("double-elimination", 1)],
        (PhaseKind::RoundRobin, _) => &[("round-robin", 1)],
        (PhaseKind::Pods, _) => &[("pods", 1)],
    }
}

/// Today's method, with its version.
pub fn method(rules: &Ruleset, kind: PhaseKind) -> (&'static str, u16) {
    methods(rules, kind)[0]
}

/// Draws the next round of the running phase from the revealed seed and public dice (none:
/// empty).
///
/// # Errors
/// Where there is nothing to draw.
pub fn next_round(
    state: &Tournament,
    rules: &Arc<Ruleset>,
    seed: &[u8; 32],
    public: &[u8],
) -> Result<PairedRound, PairingError> {
    let phase = running_phase(state).ok_or(PairingError::NoPhase)?;
    next_round_by(state, rules, method(rules, phase.kind), seed, public)
}

/// The same by one of the [`methods`].
///
/// # Errors
/// As [`next_round`].
pub fn next_round_by(
    state: &Tournament,
    rules: &Arc<Ruleset>,
    (method, version): (&'static str, u16),
    seed: &[u8; 32],
    public: &[u8],
) -> Result<PairedRound, PairingError> {
    let phase = running_phase(state).ok_or(PairingError::NoPhase)?;
    let with_colors = method == "score-group-colors";
    let mut dice = Dice::new(seed, method, version, public);
    let (tables, byes) = match phase.kind {
        PhaseKind::Elimination | PhaseKind::DoubleElimination => {
            knockout::draw(state, rules, phase, &mut dice)?
        }
        PhaseKind::Swiss | PhaseKind::RoundRobin | PhaseKind::Pods => {
            let (mut tables, mut byes) = (Vec::new(), Vec::new());
            for part in Situation::of(state, rules, phase)?.split(&Parts::of(state, phase)) {
                let (more, without) = part.draw(state, rules, (phase, with_colors), &mut dice)?;
                tables.extend(more);
                byes.extend(without);
            }
            (tables, byes)
        }
    };
    if tables.is_empty() && byes.is_empty() {
        return Err(PairingError::PhaseOver { kind: phase.kind });
    }
    Ok(PairedRound { method, version, tables, byes })
}

/// The order of lots for everybody, best lot first, from the revealed seed.
pub fn lots(state: &Tournament, seed: &[u8; 32]) -> Vec<PlayerNumber> {
    let players = state.players().iter().filter(|player| !player.withdrawn);
    let mut order: Vec<PlayerNumber> = players.map(|player| player.number).collect();
    Dice::new(seed, "lots", 1, b"").shuffle(&mut order);
    order
}

/// The events of a round as drawn, at the tables of the hall and those that players keep: the first one first.
pub fn events_of(state: &Tournament, drawn: &PairedRound, round: RoundNumber) -> Vec<Event> {
    let players = |at: &PairedTable| at.seats.clone().into_iter().map(|seat| seat.player);
    let numbers = table_numbers(state, round, drawn.tables.iter().map(players));
    let tables = numbers.into_iter().zip(&drawn.tables).map(|(table, at)| {
        let origin = Origin::drawn(at.because);
        let (seats, group, bracket_slot) = (at.seats.clone(), at.group, at.bracket_slot);
        PairingMade { round, table: Some(table), seats, group, bracket_slot, origin }.into()
    });
    let byes = drawn.byes.iter().map(|bye| {
        let (player, kind, bracket_slot) = (bye.player, bye.kind, bye.bracket_slot);
        let origin = Origin::drawn(bye.because);
        ByeGiven { round, player, kind, reported: None, bracket_slot, origin }.into()
    });
    tables.chain(byes).collect()
}

/// Two seats without roles.
pub(crate) fn seats(players: &[PlayerNumber]) -> SmallVec<[Seat; 2]> {
    players.iter().map(|&player| Seat { player, role: 0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use scrutineer_projections::ruleset::Library;

    /// Whoever checks a log asks this list whether a method is known.
    #[test]
    fn every_phase_is_paired_by_a_method_of_the_list() {
        let mut rules = Library::shipped().ruleset("mtr").expect("it is shipped");
        for swiss in [SwissMethod::ScoreGroupRandom, SwissMethod::RankedAdjacent] {
            for reseed in [false, true] {
                (rules.draw.method, rules.draw.reseed) = (swiss, reseed);
                for kind in PhaseKind::ALL {
                    let method = method(&rules, *kind);
                    assert!(METHODS.contains(&method), "{method:?}");
                }
            }
        }
    }
}
