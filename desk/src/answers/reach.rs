//! What players can still reach.

use super::{Player, RulesetName, TournamentName, words};
use scrutineer_engine::event::PlayerNumber;
use scrutineer_projections::reach::{self, Outlook, Reach};
use scrutineer_projections::ruleset::Ruleset;
use scrutineer_replay::loaded::LoadedTournament;
use serde::Serialize;
use utoipa::ToSchema;

/// What players can still reach.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ReachAnswer {
    /// Which tournament.
    pub tournament: TournamentName,
    /// The ruleset that ranks.
    pub ruleset: RulesetName,
    /// The last round that has tables.
    pub through: u16,
    /// How many matches have no result that is settled: none at all, or one that is postponed or disputed.
    pub missing: usize,
    /// How many rounds are to be paired; null where the plan does not say.
    pub rounds_left: Option<u16>,
    /// How many make the cut that is to come; null where none is.
    pub cut: Option<u32>,
    /// What the places were taken from.
    pub basis: Basis,
    /// How many combinations of results were looked at; null where bounds alone say it.
    pub combinations: Option<u64>,
    /// Those who are asked for, in the order of the standings.
    pub players: Vec<Reachable>,
}

words! {
    /// What the places were taken from.
    Basis from BasisOf {
        /// All combinations of the results that are missing: each place occurs.
        Counted,
        /// Bounds that hold for every result, and a sample of combinations.
        Sampled,
        /// Bounds alone, that hold for every result and every pairing.
        Bounds,
    }
}

/// The kinds of basis, without their counts.
#[derive(Clone, Copy)]
pub enum BasisOf {
    /// Everything was counted through.
    Counted,
    /// A sample was taken.
    Sampled,
    /// There are bounds alone.
    Bounds,
}

words! {
    /// How a player stands to the cut.
    Chance from reach::Chance {
        /// They make it whatever happens.
        Clinched,
        /// Neither is known.
        Open,
        /// They do not make it whatever happens.
        Out,
    }
}

words! {
    /// How the match that a player is in may end for them.
    End from reach::End {
        /// They win it.
        Win,
        /// It is drawn, by whatever score.
        Draw,
        /// It is drawn by agreement.
        AgreedDraw,
        /// They lose it.
        Loss,
    }
}

/// Places from one to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Places {
    /// The best of them.
    pub best: u32,
    /// The worst of them.
    pub worst: u32,
}

/// What somebody can still reach.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Reached {
    /// How they stand to the cut; null where none is to come.
    pub chance: Option<Chance>,
    /// No better and no worse place comes out.
    pub places: Places,
    /// The places that came out in the sample; null where none was taken.
    pub sampled: Option<Places>,
}

/// What a player can still reach.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Reachable {
    /// Who.
    pub player: Player,
    /// All in all.
    #[serde(flatten)]
    pub reached: Reached,
    /// With each end of the match that they are in; empty where they are in none.
    pub ends: Vec<WithEnd>,
}

/// What a player can reach where their match ends like this.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct WithEnd {
    /// How it ends.
    pub end: End,
    /// What they then can reach.
    #[serde(flatten)]
    pub reached: Reached,
}

impl From<&Outlook> for Reached {
    fn from(outlook: &Outlook) -> Reached {
        Reached {
            chance: outlook.chance.map(Chance::from),
            places: Places { best: outlook.best, worst: outlook.worst },
            sampled: outlook.seen.map(|(best, worst)| Places { best, worst }),
        }
    }
}

impl ReachAnswer {
    /// What everybody can reach, or one player alone.
    pub fn of(
        event: &LoadedTournament,
        rules: &Ruleset,
        reach: &Reach,
        player: Option<PlayerNumber>,
    ) -> ReachAnswer {
        let asked = reach.players.iter().filter(|one| player.is_none_or(|who| who == one.player));
        let reachable = |one: &reach::PlayerReach| Reachable {
            player: Player::of(event, one.player),
            reached: (&one.outlook).into(),
            ends: one
                .ends
                .iter()
                .map(|(end, outlook)| WithEnd { end: (*end).into(), reached: outlook.into() })
                .collect(),
        };
        let (basis, combinations) = match reach.basis {
            reach::Basis::Counted(count) => (BasisOf::Counted, Some(count)),
            reach::Basis::Sampled(count) => (BasisOf::Sampled, Some(count)),
            reach::Basis::Bounds => (BasisOf::Bounds, None),
        };
        ReachAnswer {
            tournament: event.into(),
            ruleset: rules.into(),
            through: reach.through,
            missing: reach.missing,
            rounds_left: reach.rounds_left,
            cut: reach.cut,
            basis: basis.into(),
            combinations,
            players: asked.map(reachable).collect(),
        }
    }
}
