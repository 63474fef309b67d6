//! What would be: changes that were only tried, and tournaments that were only simulated.

use super::{
    Exact, LogHead, Move, NewTable, Place, Player, Problem, RulesetName, StandingsAnswer,
    TournamentName,
};
use crate::simulate::{Format, Simulated, Simulation};
use crate::what_if::{self, AsDrawn, Repairing, WhatIf};
use num_rational::BigRational;
use scrutineer_engine::event::PlayerNumber;
use scrutineer_engine::record::to_hex;
use scrutineer_projections::standings::Standings;
use scrutineer_replay::loaded::LoadedTournament;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// What commands would do.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct WhatIfAnswer {
    /// To which tournament.
    pub tournament: TournamentName,
    /// The last event that was recorded.
    pub log_head: LogHead,
    /// The commands that were tried, in order.
    pub commands: Vec<CommandTried>,
    /// What would change.
    #[serde(flatten)]
    pub changes: Changes,
    /// The least repair of the round; null where none is needed.
    pub repair: Option<RepairTold>,
}

/// A command that was tried.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CommandTried {
    /// As it was typed.
    pub command: String,
    /// What it answered: the lines that its verb answers, without the tournament and the events.
    pub answers: Vec<Value>,
}

/// What would change.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Changes {
    /// The table as it is.
    pub before: TableName,
    /// The table as it would be.
    pub after: TableName,
    /// Whose place would be another one.
    pub moves: Vec<Move>,
    /// Who would take no place any more.
    pub out: Vec<PlaceLost>,
    /// How many places would be the same.
    pub unchanged: usize,
    /// The cut that is to come; null where none is planned.
    pub cut: Option<CutChange>,
    /// Cuts that were made and would have been others.
    pub cuts_made: Vec<CutMade>,
    /// The rounds that were paired after what changes, each paired again with the change known.
    pub rounds: Vec<LaterRound>,
}

/// A table of standings, by what it came from.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TableName {
    /// The ruleset that ranked.
    pub ruleset: RulesetName,
    /// The hash of the table.
    pub table_hash: String,
}

/// A player who would take no place any more.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlaceLost {
    /// Who.
    pub player: Player,
    /// The place that they have.
    pub before: u32,
}

/// Who would cross a cut that is to come.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CutChange {
    /// To how many players.
    pub top: u32,
    /// Who would make it and does not as things are.
    pub enters: Vec<Player>,
    /// Who makes it and would not.
    pub leaves: Vec<Player>,
    /// Who is tied across the line as things are, and would make it.
    pub no_longer_tied_in: Vec<Player>,
    /// Who is tied across the line as things are, and would not make it.
    pub no_longer_tied_out: Vec<Player>,
    /// Who would be tied across the line and is not as things are.
    pub newly_tied: Vec<Player>,
    /// Whether players on both sides of the line are tied, so that lots decide.
    pub across_a_tie: bool,
}

/// A cut that was made and would have been another.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CutMade {
    /// The phase that began with it.
    pub phase: u16,
    /// To how many players.
    pub top: usize,
    /// Who would have made it and did not.
    pub enters: Vec<Player>,
    /// Who made it and would not have.
    pub leaves: Vec<Player>,
    /// Whether the same players would have had other seeds.
    pub reseeded: bool,
    /// Whether lots that were not drawn would have decided.
    pub by_lots: bool,
}

/// A round that was paired before a change was known.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LaterRound {
    /// Its number.
    pub round: u16,
    /// Whether players have seen it.
    pub out: bool,
    /// How many tables it has.
    pub tables: usize,
    /// How it would have been paired.
    pub verdict: PairedWith,
    /// Its tables and byes that would not have been.
    pub paired: Vec<Place>,
    /// Those that would have been instead.
    pub instead: Vec<Place>,
    /// Why it cannot be said.
    pub why: Option<String>,
    /// Tables and byes that somebody set by hand; they stand in any case.
    pub by_hand: Vec<Place>,
}

/// How a round would have been paired, had a change been known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PairedWith {
    /// The same players would meet.
    Same,
    /// Others would meet.
    Otherwise,
    /// It was not paired here.
    NotPaired,
    /// It cannot be said.
    Unknown,
}

/// The least repair of a round.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RepairTold {
    /// The round.
    pub round: u16,
    /// Who leaves and has not played yet.
    pub out: Vec<Player>,
    /// The tables that are broken up.
    pub broken: Vec<u32>,
    /// Who sits there and has another result now.
    pub touched: Vec<Player>,
    /// How many tables would stay if none were broken up; null where that is no question.
    pub kept_without: Option<usize>,
    /// How many tables the round has.
    pub of: usize,
    /// How many of them stay.
    pub kept: usize,
    /// The tables that would be set.
    pub tables: Vec<NewTable>,
    /// Who would have the bye.
    pub byes: Vec<Player>,
    /// Why it is not possible; null where it is.
    pub error: Option<Problem>,
}

impl WhatIfAnswer {
    /// What was found of commands that were tried on a copy, of which `after` is the tournament.
    pub fn of(
        before: &LoadedTournament,
        after: &LoadedTournament,
        commands: Vec<CommandTried>,
        what_if: &WhatIf,
        repair: Option<&Repairing>,
    ) -> WhatIfAnswer {
        WhatIfAnswer {
            tournament: before.into(),
            log_head: before.into(),
            commands,
            changes: Changes::of(after, what_if),
            repair: repair.map(|repair| RepairTold::of(after, repair)),
        }
    }
}

impl CommandTried {
    /// A command and what was said to it, line by line.
    pub fn new(command: &str, said: &str) -> CommandTried {
        let answers = said.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        CommandTried { command: command.into(), answers }
    }
}

impl From<&Standings> for TableName {
    fn from(table: &Standings) -> TableName {
        TableName { ruleset: (&*table.rules).into(), table_hash: to_hex(&table.hash()) }
    }
}

impl Changes {
    /// What would change; the players are those of the tournament as it would be.
    pub fn of(after: &LoadedTournament, what_if: &WhatIf) -> Changes {
        let players = |numbers: &[PlayerNumber]| Player::all(after, numbers);
        let lost = |(player, before): &(PlayerNumber, u32)| PlaceLost {
            player: Player::of(after, *player),
            before: *before,
        };
        let cut = what_if.cut.as_ref().map(|cut| CutChange {
            top: cut.size,
            enters: players(&cut.enters),
            leaves: players(&cut.leaves),
            no_longer_tied_in: players(&cut.no_longer_tied_in),
            no_longer_tied_out: players(&cut.no_longer_tied_out),
            newly_tied: players(&cut.newly_tied),
            across_a_tie: cut.across_a_tie,
        });
        let made = |cut: &what_if::MadeCut| CutMade {
            phase: cut.phase,
            top: cut.size,
            enters: players(&cut.enters),
            leaves: players(&cut.leaves),
            reseeded: cut.reseeded,
            by_lots: cut.by_lots,
        };
        let found = &what_if.compared;
        Changes {
            before: (&what_if.before).into(),
            after: (&what_if.after).into(),
            moves: found.moves.iter().map(|one| Move::of(after, one)).collect(),
            out: what_if.out.iter().map(lost).collect(),
            unchanged: found.unchanged,
            cut,
            cuts_made: what_if.cuts.iter().map(made).collect(),
            rounds: what_if.rounds.iter().map(|round| LaterRound::of(after, round)).collect(),
        }
    }
}

impl LaterRound {
    fn of(after: &LoadedTournament, round: &what_if::LaterRound) -> LaterRound {
        let places = |places| Place::all(after, places);
        let (verdict, paired, instead, why) = match &round.drawn {
            AsDrawn::Same => (PairedWith::Same, Vec::new(), Vec::new(), None),
            AsDrawn::NotDrawn => (PairedWith::NotPaired, Vec::new(), Vec::new(), None),
            AsDrawn::Unknown(why) => {
                (PairedWith::Unknown, Vec::new(), Vec::new(), Some(why.clone()))
            }
            AsDrawn::Otherwise { drawn, instead } => {
                (PairedWith::Otherwise, places(drawn), places(instead), None)
            }
        };
        LaterRound {
            round: round.round,
            out: round.is_out,
            tables: round.tables,
            verdict,
            paired,
            instead,
            why,
            by_hand: places(&round.by_hand),
        }
    }
}

impl RepairTold {
    fn of(after: &LoadedTournament, repair: &Repairing) -> RepairTold {
        let players = |numbers: &[PlayerNumber]| Player::all(after, numbers);
        let (tables, byes, error) = match &repair.found {
            Ok(found) => {
                let table = |(table, seats): &(u32, Vec<PlayerNumber>)| NewTable {
                    table: *table,
                    players: players(seats),
                };
                (found.tables.iter().map(table).collect(), players(&found.byes), None)
            }
            Err(error) => {
                (Vec::new(), Vec::new(), Some(Problem::new(error, error.code(), error.hint())))
            }
        };
        RepairTold {
            round: repair.round,
            out: players(&repair.out),
            broken: repair.broken.clone(),
            touched: players(&repair.touched),
            kept_without: repair.kept_without,
            of: repair.tables,
            kept: repair.kept,
            tables,
            byes,
            error,
        }
    }
}

/// An invented tournament that is in the store now.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SimulateAnswer {
    /// Which tournament.
    pub tournament: TournamentName,
    /// Who won; null where nobody did.
    pub champion: Option<Player>,
    /// The strongest of the field, which nobody can know at a real tournament.
    pub strongest: Option<Player>,
    /// Who made the cut, in the order of their seeds.
    pub made_cut: Vec<Player>,
    /// How often what happened.
    pub counts: BTreeMap<String, u64>,
    /// The standings at the end.
    pub standings: StandingsAnswer,
}

impl SimulateAnswer {
    /// A tournament that was played by itself.
    pub fn of(
        event: &LoadedTournament,
        table: &Standings,
        played: &Simulated,
        counts: BTreeMap<String, u64>,
    ) -> SimulateAnswer {
        SimulateAnswer {
            tournament: event.into(),
            champion: played.champion.map(|player| Player::of(event, player)),
            strongest: played.by_strength().first().map(|player| Player::of(event, *player)),
            made_cut: Player::all(event, &played.made_cut),
            counts,
            standings: StandingsAnswer::of(event, table),
        }
    }
}

/// A format, over many simulated tournaments.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct FormatTried {
    /// The ruleset.
    pub ruleset: RulesetName,
    /// How many players.
    pub players: u32,
    /// How it is played.
    pub phase: String,
    /// How many rounds before the cut; null where they follow from the players.
    pub rounds: Option<u16>,
    /// How many make the cut; null where there is none.
    pub cut: Option<u32>,
    /// The number from which chance comes, for the first tournament.
    pub seed: u64,
    /// How many tournaments.
    pub tournaments: u64,
    /// In how many the strongest player won.
    pub strongest_won: u64,
    /// In how many the strongest player made the cut, or came into the first eight.
    pub strongest_in: u64,
    /// How many of the strongest eight did so, over all tournaments.
    pub strongest_eight_in: u64,
    /// How many of the strongest eight there were, over all tournaments.
    pub strongest_eight: u64,
    /// The points of the last player who made the cut.
    pub lowest_points_in: LowestIn,
    /// In how many tournaments players with the same points were inside and outside.
    pub cut_within_points: u64,
    /// Who made the cut, by points, most first.
    pub points_and_cut: Vec<PointsAndCut>,
    /// Rounds played, over all tournaments.
    pub rounds_played: u64,
    /// Pairs who had met before.
    pub rematches: u64,
    /// Byes for somebody who had had one.
    pub second_byes: u64,
    /// Pairs with different points.
    pub cross_group_pairs: u64,
    /// Events of all logs.
    pub log_events: u64,
}

/// The points of the last player who made a cut, over many tournaments.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LowestIn {
    /// The fewest.
    pub fewest: Option<Exact>,
    /// Half of the tournaments needed at least as many.
    pub median: Option<Exact>,
    /// The most.
    pub most: Option<Exact>,
}

/// How many players with as many points made a cut.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PointsAndCut {
    /// The points.
    pub points: Exact,
    /// How many made it.
    pub r#in: u64,
    /// How many did not.
    pub out: u64,
}

impl FormatTried {
    /// What many tournaments say about their format.
    pub fn of(simulation: &Simulation, format: &Format) -> FormatTried {
        let points = |sum: i64| {
            let value = BigRational::new(sum.into(), format.points_den.max(1).into());
            Exact::new(&value, value.to_string())
        };
        let row = |(sum, at): (&i64, &crate::simulate::AtCut)| PointsAndCut {
            points: points(*sum),
            r#in: at.inside,
            out: at.outside,
        };
        FormatTried {
            ruleset: (&*simulation.rules).into(),
            players: simulation.players,
            phase: simulation.kind.spelled().into(),
            rounds: simulation.rounds(),
            cut: simulation.cut,
            seed: simulation.seed,
            tournaments: format.events,
            strongest_won: format.strongest_won,
            strongest_in: format.strongest_in,
            strongest_eight_in: format.strongest_eight_in,
            strongest_eight: format.strongest_eight,
            lowest_points_in: LowestIn {
                fewest: format.lowest_in.first().copied().map(points),
                median: format.median_lowest_in().map(points),
                most: format.lowest_in.last().copied().map(points),
            },
            cut_within_points: format.cut_within_points,
            points_and_cut: format.at_cut.iter().rev().map(row).collect(),
            rounds_played: format.rounds,
            rematches: format.rematches,
            second_byes: format.second_byes,
            cross_group_pairs: format.cross_group,
            log_events: format.log_events,
        }
    }
}
