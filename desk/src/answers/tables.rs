//! Standings.

use super::{Exact, Player, TournamentName};
use scrutineer_engine::record::to_hex;
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::cut;
use scrutineer_projections::divisions::{DivisionPlaces, InDivision};
use scrutineer_projections::explain::{decided, value_of};
use scrutineer_projections::ruleset::{Ruleset, shipped_hashes};
use scrutineer_projections::standings::{FOLD_VERSION, MatchRecord, Row, Standings};
use scrutineer_replay::loaded::LoadedTournament;
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The standings after a round.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct StandingsAnswer {
    /// Which tournament.
    pub tournament: TournamentName,
    /// The last round that counts; 0 before round 1.
    pub through: u16,
    /// Whether the final order holds, not the running one.
    pub r#final: bool,
    /// The last event that was read.
    pub log_head: LogHead,
    /// The ruleset that ranked.
    pub ruleset: RulesetName,
    /// The version of the program.
    pub program: String,
    /// The version of the way from a log to standings.
    pub fold_version: u32,
    /// The hash of the table.
    pub table_hash: String,
    /// Who makes the cut; null where none is planned.
    pub cut: Option<Cut>,
    /// The divisions that players have, by name.
    pub divisions: Vec<String>,
    /// The one whose players alone stand in the rows; null where everybody does.
    pub division: Option<String>,
    /// Every player who takes a place, best first.
    pub rows: Vec<StandingsRow>,
}

impl StandingsAnswer {
    /// The standings of a tournament.
    pub fn of(event: &LoadedTournament, standings: &Standings) -> StandingsAnswer {
        let cut = cut::Cut::of(&event.state, standings, None);
        let divided = DivisionPlaces::of(&event.state, standings);
        let everybody = standings.everybody();
        let rank: BTreeMap<u32, u32> = everybody.iter().map(|row| (row.player, row.rank)).collect();
        let row = |row: &Row| StandingsRow {
            rank: rank.get(&row.player).copied().unwrap_or(row.rank),
            division: divided
                .of_player(row.player)
                .map(|of| DivisionPlace::of(&event.state, standings, of)),
            ..StandingsRow::of(event, standings, row)
        };
        StandingsAnswer {
            tournament: event.into(),
            through: standings.through,
            r#final: standings.is_final,
            log_head: event.into(),
            ruleset: (&*standings.rules).into(),
            program: env!("CARGO_PKG_VERSION").into(),
            fold_version: FOLD_VERSION,
            table_hash: to_hex(&standings.hash()),
            cut: cut.map(|cut| Cut::of(event, &cut)),
            divisions: divided.divisions.iter().map(|(name, _)| name.to_string()).collect(),
            division: standings.division().map(str::to_string),
            rows: standings.rows.iter().map(row).collect(),
        }
    }

    /// The same with the rows of one division behind those of another, and who has none at the end.
    pub fn by_division(mut self) -> StandingsAnswer {
        let key = |row: &StandingsRow| {
            let of = row.division.as_ref();
            (of.is_none(), of.map(|of| (of.name.clone(), of.rank)))
        };
        self.rows.sort_by_key(key);
        self
    }
}

/// The end of a log.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LogHead {
    /// The number of the last event.
    pub seq: u64,
    /// The hash of its record.
    pub hash: String,
}

impl From<&LoadedTournament> for LogHead {
    fn from(event: &LoadedTournament) -> LogHead {
        LogHead { seq: event.state.head(), hash: event.head.to_string() }
    }
}

/// A ruleset: anybody can call a text like one that is shipped, so the hash tells them apart.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RulesetName {
    /// Its id, with what was changed.
    pub id: String,
    /// The hash of its texts.
    pub hash: String,
    /// Whether this program ships it.
    pub shipped: bool,
}

impl RulesetName {
    /// A ruleset that is called so and has this hash.
    pub fn new(id: String, hash: &[u8; 32]) -> RulesetName {
        RulesetName { id, hash: to_hex(hash), shipped: shipped_hashes().contains(hash) }
    }
}

impl From<&Ruleset> for RulesetName {
    fn from(rules: &Ruleset) -> RulesetName {
        RulesetName::new(rules.id.clone(), &rules.hash)
    }
}

/// Who makes a cut.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Cut {
    /// To how many players.
    pub top: u32,
    /// Who makes it, best first.
    pub r#in: Vec<Player>,
    /// Who stands high enough and does not go on.
    pub passed: Vec<PassedOver>,
    /// Whether players on both sides of the line are tied.
    pub across_a_tie: bool,
}

impl Cut {
    fn of(event: &LoadedTournament, cut: &cut::Cut) -> Cut {
        let passed = cut.passed.iter().map(|(player, why)| PassedOver {
            player: Player::of(event, *player),
            why: why.to_string(),
        });
        let is_another = cut.is_another();
        Cut {
            top: cut.size,
            r#in: Player::all(event, if is_another { &cut.went_on } else { &cut.players }),
            passed: passed.collect(),
            across_a_tie: cut.tie.is_some() && !is_another,
        }
    }
}

/// A player who stands high enough and does not go on.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PassedOver {
    /// Who.
    pub player: Player,
    /// Why not.
    pub why: String,
}

/// A player's place.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct StandingsRow {
    /// The place among all; those who are tied share it.
    pub rank: u32,
    /// The place in their division; null where they have none.
    pub division: Option<DivisionPlace>,
    /// Who.
    pub player: Player,
    /// What they won, lost and drew; null where only the standings are known, and no match.
    pub record: Option<Record>,
    /// The last phase that counts for them.
    pub phase: u16,
    /// The step of the order that tells them from the player before them in these standings.
    pub decided_by: String,
    /// Every measure that has a value, by its id in the ruleset.
    pub measures: BTreeMap<String, Exact>,
}

impl StandingsRow {
    fn of(event: &LoadedTournament, standings: &Standings, row: &Row) -> StandingsRow {
        let measures = standings.rules.measures.iter().enumerate().filter_map(|(at, measure)| {
            let shown = value_of(standings, at, row)?;
            Some((measure.id.clone(), Exact::new(&shown.value, shown.text)))
        });
        StandingsRow {
            rank: row.rank,
            division: None,
            player: Player::of(event, row.player),
            record: standings.record(row).map(Record::from),
            phase: standings.layer(row).stage.phase,
            decided_by: decided(&event.state, standings, row),
            measures: measures.collect(),
        }
    }
}

/// A player's place in their division.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DivisionPlace {
    /// The division.
    pub name: String,
    /// The place; those who are tied share it.
    pub rank: u32,
    /// How many players of it take a place.
    pub of: usize,
    /// The step of the order that tells them from the player of it before them.
    pub decided_by: String,
}

impl DivisionPlace {
    /// A place by these standings.
    pub fn of(state: &Tournament, standings: &Standings, found: InDivision<'_>) -> DivisionPlace {
        DivisionPlace {
            name: found.name.into(),
            rank: found.row().rank,
            of: found.rows.len(),
            decided_by: decided(state, standings, found.row()),
        }
    }
}

/// Matches won, lost and drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Record {
    /// Won.
    pub wins: u32,
    /// Lost.
    pub losses: u32,
    /// Drawn.
    pub draws: u32,
}

impl From<MatchRecord> for Record {
    fn from(record: MatchRecord) -> Record {
        let MatchRecord { wins, losses, draws } = record;
        Record { wins, losses, draws }
    }
}
