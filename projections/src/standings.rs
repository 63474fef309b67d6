//! Standings: the places, what decided each, and the values behind it.
//!
//! They lie in layers, one for each phase: a player belongs to the last phase that they entered, is
//! ranked by what was known at its end, and stands below everybody who entered a later one.

mod head_to_head;
mod layer;

pub use layer::Layer;

use crate::crosstable::{Crosstable, FoldError, Index, Scope, last_entered, stages};
use crate::measure::{Column, Int, Measured};
use crate::ruleset::{Outcome, RoundKind, RoundScore, Ruleset, Step};
use num_rational::BigRational;
use scrutineer_engine::event::{DropReason, PlayerNumber, RoundNumber};
use scrutineer_engine::tournament::{Player, Round, Tournament};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The version of the code that folds. It changes whenever the same log and ruleset would give
/// another table, so that such a change is a finding with that name.
pub const FOLD_VERSION: u32 = 2;

/// The context of a table's hash.
pub(crate) const TABLE_CONTEXT: &str = "scrutineer 2026 standings v2";

/// What told a player from the one above them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decided {
    /// Nothing stands above the first.
    First,
    /// The phase: those above entered a later one.
    Phase,
    /// This step of the order of their phase, from 0.
    Step(usize),
    /// Lots.
    Lots,
    /// Nothing: they share the place.
    Tied,
    /// Nothing yet: lots will decide, and they have not been drawn.
    LotsPending,
}

/// A player's matches won, lost and drawn; byes and awarded losses count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatchRecord {
    /// Won.
    pub wins: u32,
    /// Lost.
    pub losses: u32,
    /// Drawn.
    pub draws: u32,
}

impl std::fmt::Display for MatchRecord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}-{}", self.wins, self.losses, self.draws)
    }
}

/// One row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The place, from 1; tied players share theirs.
    pub rank: u32,
    /// The player's number.
    pub player: PlayerNumber,
    /// Their index in the crosstables.
    pub index: Index,
    /// Their layer, as a position in [`Standings::layers`].
    pub layer: usize,
    /// Their record.
    pub record: MatchRecord,
    /// What told them from the one above.
    pub decided: Decided,
}

/// Which measures are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Those that the order needs.
    Order,
    /// All that the tournament holds enough for.
    All,
}

/// Standings, with everything that they were computed from.
#[derive(Clone, Debug)]
pub struct Standings {
    /// The ruleset.
    pub rules: Arc<Ruleset>,
    /// The seq of the last event that they know.
    pub head: u64,
    /// The last round that they know.
    pub through: RoundNumber,
    /// Whether the final order holds, or the running one.
    pub is_final: bool,
    /// The rows, first place first.
    pub rows: Vec<Row>,
    /// The phases to which players belong, the last one first; never none.
    pub layers: Vec<Layer>,
    /// Where these are the standings of one division: which, and the rows of everybody.
    division: Option<OfDivision>,
    /// For each player of the crosstables, where they stand among the rows.
    positions: Vec<u32>,
}

/// That standings are those of one division.
#[derive(Clone, Debug)]
struct OfDivision {
    name: String,
    everybody: Vec<Row>,
}

impl Standings {
    /// Folds a tournament into standings.
    ///
    /// # Errors
    /// Where the ruleset needs what the tournament does not hold.
    pub fn of(
        state: &Tournament,
        rules: &Arc<Ruleset>,
        scope: Scope,
        detail: Detail,
    ) -> Result<Standings, FoldError> {
        let is_final = scope.final_order.unwrap_or_else(|| is_over(state, scope));
        let stages = stages(state, scope.through);
        let entered = last_entered(state, &stages);
        let last = stages.len() - 1;
        let until = stages[last].through;
        let mut layers: Vec<Layer> = Vec::new();
        let mut groups: Vec<Vec<Index>> = Vec::new();
        for (at, stage) in stages.iter().enumerate().rev() {
            let belongs = |number: PlayerNumber| entered[number as usize] == at;
            if at < last && !state.players().iter().any(|player| belongs(player.number)) {
                continue;
            }
            let table = Crosstable::at(state, rules, *stage, until)?;
            let measured = Measured::of(state, rules, &table, detail == Detail::All)?;
            let ranked = (0..).zip(&table.entrants).filter(|(_, e)| !e.disqualified);
            let ranked = ranked.filter(|(_, entrant)| belongs(entrant.number));
            groups.push(ranked.map(|(index, _)| index).collect());
            let steps = rules.steps(stage.kind, is_final);
            layers.push(Layer { stage: *stage, steps, table, measured });
        }
        let known = |round: &&Round| !round.withdrawn && round.number <= until;
        let mut standings = Standings {
            rules: Arc::clone(rules),
            head: state.head(),
            through: state.rounds().iter().rfind(known).map_or(0, |round| round.number),
            is_final,
            rows: Vec::new(),
            division: None,
            positions: Vec::new(),
            layers,
        };
        let rows = standings.ranked(state, groups);
        standings.set_rows(rows);
        Ok(standings)
    }

    /// The same, with the players of one division alone and places of their own. Every measure stays
    /// what it is: opponents of other divisions are opponents.
    pub fn of_division(&self, state: &Tournament, division: &str) -> Standings {
        let mut own = self.clone();
        own.set_rows(self.rows_of_division(state, division));
        let everybody = self.everybody().to_vec();
        own.division = Some(OfDivision { name: division.into(), everybody });
        own
    }

    /// The rows of one division, with places of their own.
    pub fn rows_of_division(&self, state: &Tournament, division: &str) -> Vec<Row> {
        let is_in = |row: &&Row| {
            let player = state.player(row.player);
            player.and_then(|player| player.division.as_deref()) == Some(division)
        };
        let mut groups = BTreeMap::<usize, Vec<Index>>::new();
        for row in self.everybody().iter().filter(is_in) {
            groups.entry(row.layer).or_default().push(row.index);
        }
        self.in_order(state, groups, &mut BTreeMap::new())
    }

    /// The rows of each division that players have, by name, with places of their own.
    pub fn rows_of_divisions<'a>(&self, state: &'a Tournament) -> Vec<(&'a str, Vec<Row>)> {
        let players = state.players().iter().filter(|player| !player.withdrawn);
        let names = players.filter_map(|player| player.division.as_deref());
        let mut all: BTreeMap<&str, BTreeMap<usize, Vec<Index>>> =
            names.map(|name| (name, BTreeMap::new())).collect();
        for row in self.everybody() {
            let player = state.player(row.player);
            let own = player.and_then(|player| all.get_mut(player.division.as_deref()?));
            if let Some(groups) = own {
                groups.entry(row.layer).or_default().push(row.index);
            }
        }
        // What is known of everybody is counted once for all divisions.
        let mut known = BTreeMap::new();
        let rows = |(name, groups)| (name, self.in_order(state, groups, &mut known));
        all.into_iter().map(rows).collect()
    }

    /// Ranks players by layer. As where everybody is ranked, they are taken by index, so that those who stay tied
    /// stand in the same order.
    fn in_order(
        &self,
        state: &Tournament,
        groups: BTreeMap<usize, Vec<Index>>,
        known: &mut BTreeMap<usize, Known>,
    ) -> Vec<Row> {
        let mut rows = Vec::new();
        for (layer, mut players) in groups {
            players.sort_unstable();
            let of = || Known::of(state, &self.layers[layer]);
            self.add_rows(layer, players, known.entry(layer).or_insert_with(of), &mut rows);
        }
        rows
    }

    /// The division whose standings these are; none: everybody's.
    pub fn division(&self) -> Option<&str> {
        self.division.as_ref().map(|division| &division.name[..])
    }

    /// The rows of everybody, also where these are the standings of one division.
    pub fn everybody(&self) -> &[Row] {
        self.division.as_ref().map_or(&self.rows, |division| &division.everybody)
    }

    fn set_rows(&mut self, rows: Vec<Row>) {
        self.positions = vec![u32::MAX; self.table().len()];
        for (at, row) in (0..).zip(&rows) {
            self.positions[row.index as usize] = at;
        }
        self.rows = rows;
    }

    /// Ranks the players of each layer, those of the next one below them.
    fn ranked(&self, state: &Tournament, groups: Vec<Vec<Index>>) -> Vec<Row> {
        let mut rows = Vec::new();
        for (layer, players) in groups.into_iter().enumerate() {
            if !players.is_empty() {
                let known = Known::of(state, &self.layers[layer]);
                self.add_rows(layer, players, &known, &mut rows);
            }
        }
        rows
    }

    /// Ranks the players of a layer below the rows that are there.
    fn add_rows(&self, layer: usize, mut players: Vec<Index>, known: &Known, rows: &mut Vec<Row>) {
        let above = rows.len();
        let of = &self.layers[layer];
        let (decided, unresolved) = of.rank(&known.lots, &self.rules, &mut players);
        rows.reserve(players.len());
        let mut rank = 0;
        for (at, index) in players.into_iter().enumerate() {
            let why = match decided[at] {
                _ if above + at == 0 => Decided::First,
                _ if at == 0 => Decided::Phase,
                Some(why) => why,
                None => unresolved,
            };
            if !matches!(why, Decided::Tied | Decided::LotsPending) {
                rank = (above + at) as u32 + 1;
            }
            let player = of.table.entrants[index as usize].number;
            let record = known.records[index as usize];
            rows.push(Row { rank, player, index, layer, record, decided: why });
        }
    }

    /// The layer of the last phase.
    pub fn last_layer(&self) -> &Layer {
        &self.layers[0]
    }

    /// The record of a row; none of standings that were published without what was played.
    pub fn record(&self, row: &Row) -> Option<MatchRecord> {
        let of_row = self.rules.scores.get(&RoundKind::ZeroBye);
        Some(row.record).filter(|_| of_row != Some(&RoundScore::AsReported))
    }

    /// The record of who was disqualified: they have no row, and what they played stays.
    pub fn record_without_row(&self, player: PlayerNumber) -> Option<MatchRecord> {
        let table = self.table();
        let mut record = MatchRecord::default();
        for (_, round) in table.rounds_of(table.index_of(player)?) {
            match round.outcome {
                Outcome::Win => record.wins += 1,
                Outcome::Loss => record.losses += 1,
                Outcome::Draw => record.draws += 1,
                _ => {}
            }
        }
        Some(record)
    }

    /// The layer of a row.
    pub fn layer(&self, row: &Row) -> &Layer {
        &self.layers[row.layer]
    }

    /// The measures that rank, those of the last phase first.
    pub fn ranking_measures(&self) -> Vec<usize> {
        let mut measures = Vec::new();
        for step in self.layers.iter().flat_map(|layer| &layer.steps) {
            if let Step::Measure { measure, .. } = step
                && !measures.contains(measure)
            {
                measures.push(*measure);
            }
        }
        measures
    }

    /// The crosstable of everything that the standings know: that of the last phase.
    pub fn table(&self) -> &Crosstable {
        &self.last_layer().table
    }

    /// The steps of the order in force in the last phase.
    pub fn steps(&self) -> &[Step] {
        &self.last_layer().steps
    }

    /// The row of a player.
    pub fn row(&self, player: PlayerNumber) -> Option<&Row> {
        Some(&self.rows[self.position(player)?])
    }

    /// Where a player stands among the rows, from 0.
    pub fn position(&self, player: PlayerNumber) -> Option<usize> {
        let index = self.table().index_of(player)?;
        let at = *self.positions.get(index as usize)?;
        (at != u32::MAX).then_some(at as usize)
    }

    /// Who was disqualified and takes no place in these standings, by number, each with the last round that
    /// they belong to.
    pub fn disqualified(&self, state: &Tournament) -> Vec<(PlayerNumber, RoundNumber)> {
        let until = self.last_layer().stage.through;
        let is_of = |player: &&Player| {
            let own = player.division.as_deref();
            !player.withdrawn && self.division().is_none_or(|division| own == Some(division))
        };
        let out = |player: &Player| match player.dropped_by(until)? {
            (DropReason::Disqualified, after) => Some((player.number, after)),
            _ => None,
        };
        state.players().iter().filter(is_of).filter_map(out).collect()
    }

    /// The column of the measure with this id, as the last phase has it.
    pub fn column(&self, id: &str) -> Option<&Column> {
        self.last_layer().measured.column(self.measure(id)?)
    }

    /// A player's value of the measure with this id, as their phase has it.
    pub fn value(&self, row: &Row, id: &str) -> Option<BigRational> {
        Some(self.layer(row).measured.column(self.measure(id)?)?.value(row.index))
    }

    fn measure(&self, id: &str) -> Option<usize> {
        self.rules.measures.iter().position(|measure| measure.id == id)
    }

    /// What the table means, in the order of its hash: by rank, tied players by number. That is the
    /// table of everybody, also where these are the standings of one division.
    pub fn meaning(&self) -> Vec<Meaning> {
        let meaning = |row: &Row| {
            let layer = self.layer(row);
            let values = layer.steps.iter().map(|step| Some(layer.column(step)?.value(row.index)));
            Meaning {
                rank: row.rank,
                player: row.player,
                phase: layer.stage.phase,
                values: values.collect(),
            }
        };
        self.by_meaning().into_iter().map(meaning).collect()
    }

    /// The rows in the order of their hash.
    fn by_meaning(&self) -> Vec<&Row> {
        let mut rows: Vec<&Row> = self.everybody().iter().collect();
        rows.sort_by_key(|row| (row.rank, row.player));
        rows
    }

    /// Hash of the table over its [meaning](Standings::meaning): no names, no rounded text.
    pub fn hash(&self) -> [u8; 32] {
        let rows = self.by_meaning();
        let mut hasher = TableHasher::of(rows.len());
        for row in rows {
            let layer = self.layer(row);
            let columns = layer.steps.iter().filter_map(|step| layer.column(step));
            let write = |out: &mut Vec<u8>| columns.for_each(|column| column.write(row.index, out));
            hasher.row(row.rank, row.player, layer.stage.phase, write);
        }
        hasher.end()
    }
}

/// What a row means, whoever shows it and however.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// The place, from 1.
    pub rank: u32,
    /// The player's number.
    pub player: PlayerNumber,
    /// The last phase that they entered; 0 where none was started.
    pub phase: u16,
    /// For each step of the order in that phase its value, where the step has one.
    pub values: Vec<Option<BigRational>>,
}

/// The hash of a table: for each row the rank, the player's number, their phase and the values as
/// reduced numerator and denominator (docs/FORMAT.md, "Hash of standings").
pub fn hash(rows: &[Meaning]) -> [u8; 32] {
    let mut hasher = TableHasher::of(rows.len());
    for row in rows {
        let values = row.values.iter().flatten();
        let parts = values.flat_map(|value| [value.numer(), value.denom()]);
        let write = |out: &mut Vec<u8>| parts.for_each(|part| part.write(out));
        hasher.row(row.rank, row.player, row.phase, write);
    }
    hasher.end()
}

/// What hashes a table, row by row.
struct TableHasher {
    hasher: blake3::Hasher,
    /// The bytes of some rows: hashed at once, which takes a fraction of the time of a few each.
    rows: Vec<u8>,
}

impl TableHasher {
    /// So many bytes are hashed at once.
    const AT_ONCE: usize = 64 * 1024;

    fn of(rows: usize) -> TableHasher {
        let hasher = blake3::Hasher::new_derive_key(TABLE_CONTEXT);
        TableHasher { hasher, rows: (rows as u32).to_le_bytes().into() }
    }

    fn row(
        &mut self,
        rank: u32,
        player: PlayerNumber,
        phase: u16,
        write_values: impl FnOnce(&mut Vec<u8>),
    ) {
        self.rows.extend(rank.to_le_bytes());
        self.rows.extend(player.to_le_bytes());
        self.rows.extend(phase.to_le_bytes());
        write_values(&mut self.rows);
        if self.rows.len() >= Self::AT_ONCE {
            self.hasher.update(&self.rows);
            self.rows.clear();
        }
    }

    fn end(mut self) -> [u8; 32] {
        *self.hasher.update(&self.rows).finalize().as_bytes()
    }
}

/// The place of a row as it is shown: with `=` where it is shared.
pub fn shown_place(rows: &[Row], at: usize) -> String {
    let rank = rows[at].rank;
    let shared = |other: Option<&Row>| other.is_some_and(|row| row.rank == rank);
    let above = at.checked_sub(1).and_then(|above| rows.get(above));
    let is_shared = shared(above) || shared(rows.get(at + 1));
    format!("{}{rank}", if is_shared { "=" } else { "" })
}

/// What is known of everybody of a layer, by index.
struct Known {
    records: Vec<MatchRecord>,
    /// The place of each in the order of lots; empty: none were drawn.
    lots: Vec<u32>,
}

impl Known {
    fn of(state: &Tournament, layer: &Layer) -> Known {
        Known { records: records(&layer.table), lots: layer.lots(state) }
    }
}

/// The record of every player, by index.
fn records(table: &Crosstable) -> Vec<MatchRecord> {
    let mut counts = vec![[0u16; 4]; table.len()];
    for column in table.columns() {
        for (count, cell) in counts.iter_mut().zip(column.cells) {
            let outcome = cell.map_or(Outcome::None, |cell| cell.outcome);
            count[outcome as usize] += 1;
        }
    }
    let of = |outcome: Outcome, count: &[u16; 4]| u32::from(count[outcome as usize]);
    let record = |count: &[u16; 4]| MatchRecord {
        wins: of(Outcome::Win, count),
        losses: of(Outcome::Loss, count),
        draws: of(Outcome::Draw, count),
    };
    counts.iter().map(record).collect()
}

fn is_over(state: &Tournament, scope: Scope) -> bool {
    let last = state.last_round().map_or(0, |round| round.number);
    state.is_closed() && scope.through.is_none_or(|through| through >= last)
}
