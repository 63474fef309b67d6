//! Announced standings: the table as it was announced, kept beside the log.
//!
//! The log holds a hash of the table only. Where a table comes out otherwise later, the one that
//! was kept names the row; and a page or another program can show the table without folding.

use num_rational::BigRational;
use scrutineer_engine::event::{PlayerNumber, RoundNumber, Seq, StandingsAnnounced};
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::crosstable::{FoldError, Scope, check_rulings};
use scrutineer_projections::explain::step_label;
use scrutineer_projections::ruleset::{Ruleset, Step};
use scrutineer_projections::standings::{Decided, Detail, FOLD_VERSION, Meaning, Standings, hash};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The standings that are announced in a state: through a round, otherwise through the last one.
/// Whoever takes part from the next round on only is not among them.
///
/// # Errors
/// Where the ruleset needs what the tournament does not hold.
pub fn standings_in(
    state: &Tournament,
    rules: &Arc<Ruleset>,
    through: Option<RoundNumber>,
) -> Result<Standings, FoldError> {
    check_rulings(state, rules)?;
    let through = through.or(state.last_round().map(|round| round.number));
    let through = through.filter(|&round| round > 0);
    Standings::of(state, rules, Scope { through, final_order: None }, Detail::Order)
}

/// The announcement of these standings, and the table to keep.
pub fn announcement(standings: &Standings) -> (StandingsAnnounced, AnnouncedTable) {
    let table = AnnouncedTable::of(standings.head + 1, standings);
    let event = StandingsAnnounced {
        head: standings.head,
        through_round: standings.through,
        ruleset: standings.rules.hash,
        fold_version: FOLD_VERSION,
        table: standings.hash(),
    };
    (event, table)
}

/// The most commas of a table: 100,000 rows have 40 each.
const MAX_COMMAS: usize = 1 << 22;

/// A table that was announced (docs/FORMAT.md, "Announced table").
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnnouncedTable {
    /// The seq of the announcement.
    pub announced: Seq,
    /// The phases to which players belong, the last one first.
    pub phases: Vec<PhaseSteps>,
    /// The rows, by rank; tied players by number.
    pub rows: Vec<TableRow>,
}

/// How the players of a phase are ranked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhaseSteps {
    /// Its number; 0 where none was started.
    pub phase: u16,
    /// For each step the id of its measure, where it has one, and its label.
    pub steps: Vec<(Option<String>, String)>,
}

/// One row: rank, player, phase, values, what decided. In JSON an array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableRow(
    /// The place, from 1.
    pub u32,
    /// The player's number.
    pub PlayerNumber,
    /// Their phase.
    pub u16,
    /// For each step of their phase its value as a reduced fraction, where it has one.
    pub Vec<Option<String>>,
    /// What told them from the one above.
    pub Option<DecidedBy>,
);

/// What told a player from the one above them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum DecidedBy {
    /// This step of the order, from 0.
    Step(u32),
    /// `phase`, `lots`, `tied` or `lots pending`.
    Word(String),
}

/// Why a line is no announced table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// It is not JSON of this shape.
    #[error("this is no announced table: {0}")]
    Shape(String),
    /// A value is no fraction.
    #[error("{0:?} is no reduced fraction")]
    Value(String),
    /// Another spelling than the one that would be written.
    #[error("the table is not in its one spelling")]
    Spelling,
}

impl AnnouncedTable {
    /// The table of standings that are announced at `announced`.
    pub fn of(announced: Seq, standings: &Standings) -> AnnouncedTable {
        let steps = |step: &Step| {
            let id = match step {
                Step::Measure { measure, .. } => {
                    Some(standings.rules.measures[*measure].id.clone())
                }
                Step::HeadToHead { .. } => None,
            };
            (id, step_label(&standings.rules, step))
        };
        let phases = standings.layers.iter().map(|layer| PhaseSteps {
            phase: layer.stage.phase,
            steps: layer.steps.iter().map(steps).collect(),
        });
        let row = |meaning: Meaning| {
            let decided = standings.row(meaning.player).map_or(Decided::First, |row| row.decided);
            let values = meaning.values.iter().map(|value| Some(value.as_ref()?.to_string()));
            let Meaning { rank, player, phase, .. } = meaning;
            TableRow(rank, player, phase, values.collect(), decided_by(decided))
        };
        AnnouncedTable {
            announced,
            phases: phases.collect(),
            rows: standings.meaning().into_iter().map(row).collect(),
        }
    }

    /// One line of JSON, without its end.
    pub fn to_line(&self) -> String {
        // Numbers and strings only: there is nothing that JSON cannot spell.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads foreign bytes: one line in its one spelling.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn from_line(line: &str) -> Result<AnnouncedTable, TableError> {
        // So much is read before anything is made of it: a value costs many times its bytes.
        if line.bytes().filter(|byte| *byte == b',').count() > MAX_COMMAS {
            return Err(TableError::Shape(format!("it has more than {MAX_COMMAS} commas")));
        }
        let table: AnnouncedTable =
            serde_json::from_str(line).map_err(|error| TableError::Shape(error.to_string()))?;
        table.meaning()?;
        if let Some(fault) = table.fault() {
            return Err(TableError::Shape(fault.into()));
        }
        match table.to_line() == line {
            true => Ok(table),
            false => Err(TableError::Spelling),
        }
    }

    /// What no announced table has; none where nothing is wrong with its shape.
    fn fault(&self) -> Option<&'static str> {
        if !self.phases.is_sorted_by(|above, below| above.phase > below.phase) {
            return Some("its phases are not in order");
        }
        let order = |row: &TableRow| (row.0, row.1);
        if !self.rows.is_sorted_by(|above, below| order(above) < order(below)) {
            return Some("its rows are not in order");
        }
        let fits = |(at, row): (usize, &TableRow)| {
            // Sorted, as was seen above, the last phase first.
            let own = self.phases.binary_search_by(|own| row.2.cmp(&own.phase));
            let Some(own) = own.ok().and_then(|at| self.phases.get(at)) else { return false };
            let pairs = || own.steps.iter().zip(&row.3);
            own.steps.len() == row.3.len()
                && pairs().all(|((measure, _), value)| measure.is_some() == value.is_some())
                && match &row.4 {
                    None => at == 0,
                    Some(DecidedBy::Step(step)) => at > 0 && (*step as usize) < own.steps.len(),
                    Some(DecidedBy::Word(word)) => at > 0 && WORDS.contains(&&word[..]),
                }
        };
        let all = self.rows.iter().enumerate().all(fits);
        (!all).then_some("a row does not fit its phase")
    }

    /// The hash of the table, as the announcement has it.
    ///
    /// # Errors
    /// Where a value is no reduced fraction.
    pub fn hash(&self) -> Result<[u8; 32], TableError> {
        Ok(hash(&self.meaning()?))
    }

    fn meaning(&self) -> Result<Vec<Meaning>, TableError> {
        let value = |text: &String| {
            let read: Option<BigRational> = fraction(text);
            read.ok_or_else(|| TableError::Value(text.chars().take(40).collect()))
        };
        let row = |TableRow(rank, player, phase, values, _): &TableRow| {
            let values = values.iter().map(|v| v.as_ref().map(value).transpose());
            let values = values.collect::<Result<Vec<_>, TableError>>()?;
            Ok(Meaning { rank: *rank, player: *player, phase: *phase, values })
        };
        self.rows.iter().map(row).collect()
    }

    /// In words, the first row in which another table differs; none where they are alike.
    pub fn difference(
        &self,
        other: &AnnouncedTable,
        name: &dyn Fn(PlayerNumber) -> String,
    ) -> Option<String> {
        let pairs = self.rows.iter().zip(&other.rows);
        if let Some((one, two)) = pairs.into_iter().find(|(one, two)| one != two) {
            let (place, who) = (one.0, name(one.1));
            if one.1 != two.1 {
                return Some(format!("place {place} is {who}, and {} otherwise", name(two.1)));
            }
            if one.0 != two.0 {
                return Some(format!("{who} is placed {place}, and {} otherwise", two.0));
            }
            let steps = self.phases.iter().find(|phase| phase.phase == one.2);
            let values = one.3.iter().zip(&two.3).position(|(one, two)| one != two);
            return Some(match values {
                Some(at) => {
                    let label = steps.and_then(|phase| phase.steps.get(at));
                    let label = label.map_or("a value", |(_, label)| label);
                    let value = |row: &TableRow| row.3[at].clone().unwrap_or("none".into());
                    format!("{who} has {label} {}, and {} otherwise", value(one), value(two))
                }
                None => format!("{who} is told from the one above by something else"),
            });
        }
        match (self.rows.len(), other.rows.len()) {
            (one, two) if one != two => Some(format!("it has {one} rows, and {two} otherwise")),
            _ if self.phases != other.phases => Some("the steps of the order differ".into()),
            _ => None,
        }
    }
}

/// What can tell players apart besides the steps of the order.
const WORDS: [&str; 4] = ["phase", "lots", "tied", "lots pending"];

fn decided_by(decided: Decided) -> Option<DecidedBy> {
    let word = |word: &str| Some(DecidedBy::Word(word.into()));
    match decided {
        Decided::First => None,
        Decided::Step(at) => Some(DecidedBy::Step(at as u32)),
        Decided::Phase => word("phase"),
        Decided::Lots => word("lots"),
        Decided::Tied => word("tied"),
        Decided::LotsPending => word("lots pending"),
    }
}

/// A fraction in its one spelling. The text is bounded: a number of a million digits would take
/// long to read.
fn fraction(text: &str) -> Option<BigRational> {
    const DIGITS: usize = 4_096;
    let value: BigRational = (text.len() <= DIGITS).then(|| text.parse().ok())??;
    (value.to_string() == text).then_some(value)
}
