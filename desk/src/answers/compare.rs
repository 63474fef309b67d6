//! Standings under two rulesets.

use super::{Player, RulesetName, TournamentName, words};
use scrutineer_projections::compare::{self, Comparison};
use scrutineer_projections::standings::Standings;
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::replay::How;
use serde::Serialize;
use utoipa::ToSchema;

/// A tournament's standings under another ruleset.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CompareAnswer {
    /// Which tournament.
    pub tournament: TournamentName,
    /// The ruleset that is compared with.
    pub before: RulesetName,
    /// The other one.
    pub after: RulesetName,
    /// The keys in which they differ, without those that follow from a setting.
    pub differences: Vec<KeyDifference>,
    /// Whose place differs, in the order of the other ruleset.
    pub moves: Vec<Move>,
    /// How many places are the same.
    pub unchanged: usize,
    /// How many make the cut; null where there is none.
    pub cut: Option<u32>,
}

/// A key in which two rulesets differ.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct KeyDifference {
    /// Such as `settings.percentage_floor`.
    pub key: String,
    /// Its value before; null where it is not there.
    pub before: Option<String>,
    /// Its value after.
    pub after: Option<String>,
}

/// A player whose place differs.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Move {
    /// Who.
    pub player: Player,
    /// Their place before; null where they had none.
    pub before: Option<u32>,
    /// Their place after.
    pub after: u32,
    /// What becomes of them at the cut.
    pub cut: Option<AtCut>,
    /// The nearest player to whom they stand otherwise.
    pub passes: Option<Player>,
    /// How they stand to that player.
    pub passing: Option<Passing>,
    /// What told the two apart before.
    pub step_before: Option<String>,
    /// What tells them apart after.
    pub step_after: Option<String>,
    /// The differences that alone would bring them to the same place.
    pub because: Vec<String>,
}

words! {
    /// What becomes of a player at a cut.
    AtCut from compare::AtCut {
        /// They make it only after the change.
        Enters,
        /// They make it only before the change.
        Leaves,
    }
}

/// How a player stands to another one, as against before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Passing {
    /// They were behind the other and are before them.
    Passes,
    /// They were before the other and are behind them.
    PassedBy,
    /// They share a place and did not.
    NowLevel,
    /// They shared a place and do not.
    NoLongerLevel,
    /// The other had no place and comes in before them.
    CameIn,
    /// The other was before them and takes no place any more.
    Gone,
}

impl From<compare::Passing> for Passing {
    fn from(passing: compare::Passing) -> Passing {
        match passing {
            compare::Passing::Passes => Passing::Passes,
            compare::Passing::PassedBy => Passing::PassedBy,
            compare::Passing::NowLevel => Passing::NowLevel,
            compare::Passing::NoLongerLevel => Passing::NoLongerLevel,
        }
    }
}

impl From<How> for Passing {
    fn from(how: How) -> Passing {
        match how {
            How::Stands(passing) => passing.into(),
            How::CameIn => Passing::CameIn,
            How::Gone => Passing::Gone,
        }
    }
}

impl CompareAnswer {
    /// The differences between two standings of a tournament.
    pub fn of(
        event: &LoadedTournament,
        [before, after]: [&Standings; 2],
        found: &Comparison,
    ) -> CompareAnswer {
        let difference = |one: &compare::KeyDifference| KeyDifference {
            key: one.key.clone(),
            before: one.first.clone(),
            after: one.second.clone(),
        };
        CompareAnswer {
            tournament: event.into(),
            before: (&*before.rules).into(),
            after: (&*after.rules).into(),
            differences: found.differences.iter().map(difference).collect(),
            moves: found.moves.iter().map(|one| Move::of(event, one)).collect(),
            unchanged: found.unchanged,
            cut: found.cut,
        }
    }
}

impl Move {
    /// A move of a player of this tournament.
    pub fn of(event: &LoadedTournament, one: &compare::Move) -> Move {
        Move {
            player: Player::of(event, one.player),
            before: Some(one.first).filter(|place| *place > 0),
            after: one.second,
            cut: one.at_cut.map(AtCut::from),
            passes: one.passes.map(|(player, _)| Player::of(event, player)),
            passing: one.passes.map(|(_, passing)| passing.into()),
            step_before: one.first_step.clone(),
            step_after: one.second_step.clone(),
            because: one.because.clone(),
        }
    }
}
