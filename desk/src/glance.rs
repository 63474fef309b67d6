//! A tournament at a glance: how far it is.

use scrutineer_engine::event::RoundNumber;
use scrutineer_engine::tournament::{Player, Tournament};
use scrutineer_projections::ruleset::called;

/// How far a tournament is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glance {
    /// How many players came.
    pub players: u32,
    /// The last round that was paired; 0 before the first.
    pub round: RoundNumber,
    /// What is going on.
    pub state: TournamentState,
    /// What the ruleset in force is called.
    pub rules: String,
}

/// What is going on in a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TournamentState {
    /// No round has been paired.
    Enrolling,
    /// It is being played.
    Running,
    /// It was closed.
    Closed,
    /// It was played elsewhere.
    Imported,
}

impl TournamentState {
    /// Every state.
    pub const ALL: [TournamentState; 4] = [
        TournamentState::Enrolling,
        TournamentState::Running,
        TournamentState::Closed,
        TournamentState::Imported,
    ];

    /// Returns its word.
    pub const fn word(self) -> &'static str {
        match self {
            TournamentState::Enrolling => "enrolling",
            TournamentState::Running => "running",
            TournamentState::Closed => "closed",
            TournamentState::Imported => "imported",
        }
    }

    /// Returns whether a desk still has something to do in it.
    pub const fn is_open(self) -> bool {
        matches!(self, TournamentState::Enrolling | TournamentState::Running)
    }
}

impl Glance {
    /// Returns how far this tournament is.
    pub fn of(tournament: &Tournament) -> Glance {
        let is_imported = tournament.imported().is_some();
        // A round that was taken back is none.
        let has_round = tournament.last_round().is_some();
        let state = match (is_imported, tournament.is_closed(), !has_round) {
            (true, ..) => TournamentState::Imported,
            (_, true, _) => TournamentState::Closed,
            (.., true) => TournamentState::Enrolling,
            _ => TournamentState::Running,
        };
        let round = tournament.last_round().map_or(0, |round| round.number);
        let rules = called(tournament.ruleset().unwrap_or_default());
        Glance { players: came(tournament).count() as u32, round, state, rules }
    }
}

/// Those who came, whether they left later or not.
fn came(state: &Tournament) -> impl Iterator<Item = &Player> {
    state.players().iter().filter(|player| {
        let left_before = player.dropped().is_some_and(|(_, after)| after == 0);
        !player.withdrawn && !left_before
    })
}

/// Returns how many players a ruleset's table counts: a player who brings k byes stands for the 2^k
/// among whom they would have been the one with k wins.
pub fn attendance(state: &Tournament) -> u32 {
    came(state).fold(0u32, |sum, player| {
        let stands_for = 1u32.checked_shl(player.awarded_byes.into()).unwrap_or(u32::MAX);
        sum.saturating_add(stands_for)
    })
}

/// How many matches of a round are to be played later.
pub fn postponed_in(state: &Tournament, round: RoundNumber) -> usize {
    let of_round = state.matches().filter(|found| found.round().number == round);
    of_round.filter(|found| found.is_postponed()).count()
}

/// That so many matches of the rounds up to one are postponed; none: nothing is.
pub fn postponed_in_words(state: &Tournament, through: RoundNumber) -> Option<String> {
    let known = state.matches().filter(|found| found.round().number <= through);
    match known.filter(|found| found.is_postponed()).count() {
        0 => None,
        1 => Some("1 match is postponed".into()),
        many => Some(format!("{many} matches are postponed")),
    }
}
