//! One tournament under one ruleset: the program's table beside the reference's.

use crate::reference::{self, Facts, Group, Layer as Phase, Reference};
use crate::script::Desk;
use scrutineer_engine::event::{PlayerNumber, UnknownFact};
use scrutineer_projections::crosstable::{FoldError, Scope};
use scrutineer_projections::ruleset::{Ruleset, Ties};
use scrutineer_projections::standings::{Decided, Detail, Layer, Standings};
use std::sync::Arc;

/// How much was compared.
pub enum Compared {
    /// The tournament does not hold what the ruleset needs, and the program said so.
    Nothing,
    /// So many values of measures, and the order.
    Values(usize),
}

/// In what the two differ.
pub type Difference = String;

/// Whether the final order holds where the scope leaves it open.
fn is_over(desk: &Desk, scope: Scope) -> bool {
    let last = desk.state.last_round().map_or(0, |round| round.number);
    desk.state.is_closed() && scope.through.is_none_or(|through| through >= last)
}

pub fn compare(
    desk: &Desk,
    facts: &Facts,
    rules: &Arc<Ruleset>,
    scope: Scope,
) -> Result<Compared, Difference> {
    let standings = match Standings::of(&desk.state, rules, scope, Detail::All) {
        Ok(standings) => standings,
        Err(error) => return refused(facts, error),
    };
    let is_final = scope.final_order.unwrap_or_else(|| is_over(desk, scope));
    let reference = reference::evaluate(facts, rules, scope.through, is_final);
    let mut values = 0;
    for layer in &standings.layers {
        values += same_values(&standings, layer, reference.phase(layer.stage.phase)?)?;
    }
    same_records(&standings, &reference)?;
    same_order(&standings, rules, facts, &reference)?;
    Ok(Compared::Values(values))
}

impl Reference {
    fn phase(&self, number: u16) -> Result<&Phase, Difference> {
        let found = self.layers.iter().find(|layer| layer.phase == number);
        found.ok_or_else(|| format!("the reference knows no phase {number}"))
    }
}

/// A refusal has to be right.
fn refused(facts: &Facts, error: FoldError) -> Result<Compared, Difference> {
    let right = match &error {
        FoldError::MissingLine { line, .. } => {
            let of_phases = facts.phases.iter().filter_map(|phase| phase.sheet.as_ref());
            let mut sheets = of_phases.chain([&facts.sheet]);
            !sheets.any(|sheet| sheet.lines.iter().any(|held| held.name == *line))
        }
        FoldError::UnknownFact { fact: UnknownFact::Seeds, .. } => {
            facts.unknown.contains(&UnknownFact::Seeds)
        }
        FoldError::UnknownFact { fact: UnknownFact::SignUpOrder, .. } => {
            facts.players.iter().any(|player| player.sign_up.is_none())
        }
        _ => false,
    };
    if right { Ok(Compared::Nothing) } else { Err(format!("refused: {error}")) }
}

fn same_values(
    standings: &Standings,
    layer: &Layer,
    reference: &Phase,
) -> Result<usize, Difference> {
    let entrants: Vec<PlayerNumber> = layer.table.entrants.iter().map(|e| e.number).collect();
    let expected: Vec<PlayerNumber> = reference.values.keys().copied().collect();
    if entrants != expected {
        return Err(format!("entrants {entrants:?}, the reference has {expected:?}"));
    }
    let mut compared = 0;
    for (at, measure) in standings.rules.measures.iter().enumerate() {
        for (player, values) in &reference.values {
            let index = layer.table.index_of(*player).expect("he is an entrant");
            let found = layer.measured.column(at).map(|column| column.value(index));
            let expected = values.get(&measure.id);
            if found.as_ref() != expected {
                let text = |value: Option<&num_rational::BigRational>| {
                    value.map_or("nothing".to_owned(), ToString::to_string)
                };
                return Err(format!(
                    "{} of player {player} in phase {} is {}, the reference says {}",
                    measure.id,
                    reference.phase,
                    text(found.as_ref()),
                    text(expected)
                ));
            }
            compared += 1;
        }
    }
    Ok(compared)
}

fn same_records(standings: &Standings, reference: &Reference) -> Result<(), Difference> {
    for row in &standings.rows {
        let found = [row.record.wins, row.record.losses, row.record.draws];
        let phase = standings.layer(row).stage.phase;
        let expected = reference.phase(phase)?.records[&row.player];
        if found != expected {
            return Err(format!(
                "player {} has {found:?}, the reference says {expected:?}",
                row.player
            ));
        }
    }
    Ok(())
}

/// A row as it has to be: rank, who can stand there, and what decided it.
type Expected = (u32, Vec<PlayerNumber>, Decided);

fn same_order(
    standings: &Standings,
    rules: &Ruleset,
    facts: &Facts,
    reference: &Reference,
) -> Result<(), Difference> {
    let found: Vec<(u32, PlayerNumber, Decided)> =
        standings.rows.iter().map(|row| (row.rank, row.player, row.decided)).collect();
    let mut expected: Vec<Expected> = Vec::new();
    for layer in &reference.layers {
        add_expected(&mut expected, rules, facts, &layer.ranking);
    }
    let fits = |(found, expected): (&(u32, PlayerNumber, Decided), &Expected)| {
        found.0 == expected.0 && expected.1.contains(&found.1) && found.2 == expected.2
    };
    if found.len() == expected.len() && found.iter().zip(&expected).all(fits) {
        return Ok(());
    }
    Err(format!("order\n  {found:?}, the reference says\n  {expected:?}"))
}

/// Adds the rows of a layer below those that are there.
fn add_expected(rows: &mut Vec<Expected>, rules: &Ruleset, facts: &Facts, ranking: &[Group]) {
    for group in ranking {
        let above = if rows.is_empty() { Decided::First } else { Decided::Phase };
        let first = group.step.map_or(above, Decided::Step);
        let lots = facts.lots.as_ref().filter(|_| rules.ties == Ties::Lots);
        let in_lots = |player: &PlayerNumber| lots.is_some_and(|lots| lots.contains(player));
        let mut drawn: Vec<PlayerNumber> = group.players.iter().copied().filter(in_lots).collect();
        drawn.sort_by_key(|player| lots.and_then(|l| l.iter().position(|other| other == player)));
        let without: Vec<PlayerNumber> =
            group.players.iter().copied().filter(|player| !in_lots(player)).collect();
        let begins = rows.len();
        let decided = |rows: &[Expected], otherwise| {
            if rows.len() == begins { first } else { otherwise }
        };
        for player in drawn {
            let decided = decided(rows, Decided::Lots);
            rows.push((rows.len() as u32 + 1, vec![player], decided));
        }
        let rank = rows.len() as u32 + 1;
        for at in 0..without.len() {
            let tied = match rules.ties {
                Ties::Shared => Decided::Tied,
                Ties::Lots => Decided::LotsPending,
            };
            let above = if at == 0 { Decided::Lots } else { tied };
            let decided = decided(rows, above);
            rows.push((rank, without.clone(), decided));
        }
    }
}
