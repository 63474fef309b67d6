//! A whole season under another ruleset.

use super::{AtCut, Passing, Player, Problem, RulesetName, TournamentName};
use crate::rebuild::{Cause, CutFound, Rebuilt, TournamentFound, Used};
use scrutineer_engine::event::PlayerNumber;
use scrutineer_projections::compare::Move;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// What a rebuild found over all tournaments.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RebuildAnswer {
    /// The sums.
    pub totals: RebuildTotals,
}

/// Sums over all tournaments of a rebuild.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RebuildTotals {
    /// The other ruleset.
    pub ruleset: RulesetName,
    /// How many tournaments there are.
    pub tournaments: u64,
    /// How many could be folded.
    pub folded: u64,
    /// How many were left out because they had been met before.
    pub repeated: u64,
    /// In how many nobody moves.
    pub unchanged: u64,
    /// In how many somebody else wins.
    pub winner_changes: u64,
    /// In how many others make the cut.
    pub cut_changes: u64,
    /// How many players there are.
    pub players: u64,
    /// How many of them move.
    pub moved: u64,
    /// Of how many tournaments another history was signed too; left out where none is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub rewritten: Option<u64>,
    /// How many tournaments could not be folded, by code.
    pub refused: BTreeMap<String, u64>,
}

/// A tournament under another ruleset.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TournamentRebuilt {
    /// The store or file in which it stands.
    pub source: String,
    /// Which tournament.
    pub tournament: TournamentName,
    /// The day on which it was held, where it is known.
    pub held_on: Option<String>,
    /// Whether it is over.
    pub closed: bool,
    /// How many players were enrolled.
    pub players: u32,
    /// How many rounds were played.
    pub rounds: u16,
    /// How many events its log has.
    pub events: u64,
    /// The ruleset by which it was played, where it can be read.
    pub ruleset_before: Option<RulesetName>,
    /// The other ruleset.
    pub ruleset_after: RulesetName,
    /// Why it could not be folded; null where it could.
    pub error: Option<Problem>,
    /// How many players move.
    pub moved: Option<usize>,
    /// The most places that somebody moves.
    pub largest_move: Option<u32>,
    /// Whether somebody else wins.
    pub winner_changes: Option<bool>,
    /// Who won, where somebody else wins.
    pub winner_before: Vec<Player>,
    /// Who wins, where it is somebody else.
    pub winner_after: Vec<Player>,
    /// Whether others make the cut.
    pub cut_changes: Option<bool>,
    /// How many make the cut; null where there is none.
    pub cut: Option<u32>,
    /// The last round before the cut.
    pub cut_after_round: Option<u16>,
    /// Who makes the cut only under the other ruleset.
    pub enters: Vec<Player>,
    /// Who makes it only under their own.
    pub leaves: Vec<Player>,
    /// Whether another history of it was signed too: what is ranked is what was kept of it here. Left out where
    /// nothing of the kind is known.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub rewritten: bool,
}

/// A player who moves or crosses the cut under another ruleset.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlayerRebuilt {
    /// The store or file in which the tournament stands.
    pub source: String,
    /// Which tournament.
    pub tournament: TournamentName,
    /// The day on which it was held, where it is known.
    pub held_on: Option<String>,
    /// Who; null in the one row of a tournament that could not be folded.
    pub player: Option<Player>,
    /// Their place before; null where it stays.
    pub place_before: Option<u32>,
    /// Their place after.
    pub place_after: Option<u32>,
    /// How they stand to the other one.
    pub passing: Option<Passing>,
    /// The nearest player to whom they stand otherwise.
    pub other: Option<Player>,
    /// What told the two apart before.
    pub step_before: Option<String>,
    /// What tells them apart after.
    pub step_after: Option<String>,
    /// What becomes of them at the cut.
    pub at_cut: Option<AtCut>,
    /// Their place at the cut before.
    pub place_at_cut_before: Option<u32>,
    /// Their place at the cut after.
    pub place_at_cut_after: Option<u32>,
    /// Why the tournament could not be folded; null where it could.
    pub error: Option<Problem>,
    /// Whether another history of it was signed too: what is ranked is what was kept of it here. Left out where
    /// nothing of the kind is known.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub rewritten: bool,
}

impl From<&Used> for RulesetName {
    fn from(used: &Used) -> RulesetName {
        RulesetName::new(used.id.clone(), &used.hash)
    }
}

/// Names its players, or only numbers them.
#[derive(Clone, Copy)]
struct Names<'a> {
    event: &'a TournamentFound,
    no_names: bool,
}

impl Names<'_> {
    fn player(self, number: PlayerNumber) -> Player {
        let name = match self.no_names {
            true => format!("player {number}"),
            false => self.event.name(number),
        };
        Player { number, name }
    }

    fn players(self, numbers: &[PlayerNumber]) -> Vec<Player> {
        numbers.iter().map(|number| self.player(*number)).collect()
    }
}

/// The name of a tournament; a file that could not be read is none.
fn name(event: &TournamentFound) -> TournamentName {
    let id = Some(event.stream).filter(|stream| stream.0 != [0; 16]);
    TournamentName { id: id.map(|id| id.to_string()), title: Some(event.title.clone()) }
}

fn problem(cause: &Cause) -> Problem {
    Problem::new(cause, cause.code(), None::<&str>)
}

impl TournamentRebuilt {
    /// What was found of a tournament.
    pub fn of(
        source: &str,
        event: &TournamentFound,
        after: &Used,
        no_names: bool,
    ) -> TournamentRebuilt {
        let names = Names { event, no_names };
        let found = event.found.as_ref().ok();
        let [winner_before, winner_after] = match found.filter(|found| found.winner_changes()) {
            Some(found) => found.winners.each_ref().map(|players| names.players(players)),
            None => Default::default(),
        };
        let cut = found.and_then(|found| found.cut.as_ref());
        let crossing = |who: fn(&CutFound) -> &Vec<PlayerNumber>| {
            cut.map_or(Vec::new(), |cut| names.players(who(cut)))
        };
        TournamentRebuilt {
            source: source.into(),
            tournament: name(event),
            held_on: event.held_on.map(|day| day.to_string()),
            closed: event.closed,
            players: event.players,
            rounds: event.rounds,
            events: event.head,
            ruleset_before: event.before.as_ref().map(RulesetName::from),
            ruleset_after: after.into(),
            error: event.found.as_ref().err().map(problem),
            moved: found.map(|found| found.comparison.moves.len()),
            largest_move: found.map(Rebuilt::largest_move),
            winner_changes: found.map(Rebuilt::winner_changes),
            winner_before,
            winner_after,
            cut_changes: cut.and(found).map(Rebuilt::cut_changes),
            cut: cut.map(|cut| cut.size),
            cut_after_round: cut.map(|cut| cut.after_round),
            enters: crossing(|cut| &cut.enters),
            leaves: crossing(|cut| &cut.leaves),
            rewritten: event.is_rewritten,
        }
    }
}

impl PlayerRebuilt {
    /// Everybody of a tournament who moves, or makes or misses the cut; a tournament that could not
    /// be folded has one row that says so.
    pub fn all(source: &str, event: &TournamentFound, no_names: bool) -> Vec<PlayerRebuilt> {
        let names = Names { event, no_names };
        let blank = PlayerRebuilt {
            source: source.into(),
            tournament: name(event),
            held_on: event.held_on.map(|day| day.to_string()),
            player: None,
            place_before: None,
            place_after: None,
            passing: None,
            other: None,
            step_before: None,
            step_after: None,
            at_cut: None,
            place_at_cut_before: None,
            place_at_cut_after: None,
            error: None,
            rewritten: event.is_rewritten,
        };
        let found = match &event.found {
            Ok(found) => found,
            Err(cause) => return vec![PlayerRebuilt { error: Some(problem(cause)), ..blank }],
        };
        let row = |player: PlayerNumber, one: Option<&Move>| {
            let cut = found.cut.as_ref();
            let place = cut.and_then(|cut| cut.places.iter().find(|place| place.0 == player));
            let passes = one.and_then(|one| one.passes);
            PlayerRebuilt {
                player: Some(names.player(player)),
                place_before: one.map(|one| one.first),
                place_after: one.map(|one| one.second),
                passing: passes.map(|(_, passing)| passing.into()),
                other: passes.map(|(other, _)| names.player(other)),
                step_before: one.and_then(|one| one.first_step.clone()),
                step_after: one.and_then(|one| one.second_step.clone()),
                at_cut: cut.and_then(|cut| crosses(cut, player)),
                place_at_cut_before: place.map(|place| place.1),
                place_at_cut_after: place.map(|place| place.2),
                ..blank.clone()
            }
        };
        let moves = &found.comparison.moves;
        let mut rows: Vec<PlayerRebuilt> =
            moves.iter().map(|one| row(one.player, Some(one))).collect();
        let crossing = found.cut.iter().flat_map(|cut| cut.enters.iter().chain(&cut.leaves));
        let stays = |player: &&PlayerNumber| !moves.iter().any(|one| one.player == **player);
        rows.extend(crossing.filter(stays).map(|player| row(*player, None)));
        rows
    }
}

fn crosses(cut: &CutFound, player: PlayerNumber) -> Option<AtCut> {
    match (cut.enters.contains(&player), cut.leaves.contains(&player)) {
        (true, _) => Some(AtCut::Enters),
        (_, true) => Some(AtCut::Leaves),
        _ => None,
    }
}

/// How a rebuild as a job of a server goes, or what came of the last one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct SeasonStands {
    /// `none`, `running`, `done`, `stopped` or `failed`.
    pub state: String,
    /// Why it failed or was stopped; null otherwise.
    pub why: Option<String>,
    /// The other ruleset, as it was asked for.
    pub rules: Option<String>,
    /// How many make the cut; null: as many as did.
    pub cut: Option<u32>,
    /// Whether a report has a row for each player who moves.
    pub players: bool,
    /// Whether players are named; otherwise they have numbers.
    pub names: bool,
    /// Who began it.
    pub by: Option<String>,
    /// When it was begun, in UTC.
    pub begun: Option<String>,
    /// When it ended, in UTC; null while it runs.
    pub ended: Option<String>,
    /// How many tournaments there are; 0: they are not counted yet.
    pub tournaments: usize,
    /// How many of them are done.
    pub done: usize,
    /// The sums in words; null before it is done.
    pub sums: Option<String>,
    /// The reports: of each store one, and `all.csv` with everything.
    pub files: Vec<SeasonFile>,
}

/// A report of a rebuild.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SeasonFile {
    /// Its name.
    pub file: String,
    /// The store that it is for; null: all of them.
    pub store: Option<String>,
    /// How many tournaments stand in it.
    pub tournaments: usize,
}
