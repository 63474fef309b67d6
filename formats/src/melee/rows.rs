//! The rows of Melee's answers, in pages, and when they are of.

use super::When;
use crate::json::Node;
use crate::pages::Lists;
use crate::{Fault, ImportError, limits};
use scrutineer_engine::event::PhaseKind;

/// The rows of all pages, and of what they are.
#[derive(Default)]
pub struct Rows<'a> {
    pub matches: Vec<Node<'a>>,
    pub standings: Vec<Node<'a>>,
    /// The pages of the matches and of the standings of each round.
    lists: [Lists; 2],
}

impl<'a> Rows<'a> {
    /// Collects rows wherever they stand. The depth is that of the JSON, which is bounded.
    pub fn collect(&mut self, node: &Node<'a>) -> Result<(), ImportError> {
        if node.is_list() {
            return node.items()?.iter().try_for_each(|item| self.collect(item));
        }
        if let Some(data) = node.get("data") {
            return self.page(node, &data);
        }
        if node.any(&["Competitors", "Player1", "Player1Username"]).is_some() {
            self.matches.push(node.clone());
        } else if node.get("Rank").is_some() {
            self.standings.push(node.clone());
        } else {
            for key in ["matches", "standings"] {
                node.get(key).map_or(Ok(()), |list| self.collect(&list))?;
            }
        }
        Ok(())
    }

    /// A page of the rows of one round, which says how many there are.
    fn page(&mut self, page: &Node<'a>, data: &Node<'a>) -> Result<(), ImportError> {
        let items = data.items()?;
        let Some(first) = items.first() else { return Ok(()) };
        let is_table = first.get("Rank").is_some();
        let round = match first.word_at("RoundId")? {
            Some(id) => id.to_owned(),
            None => format!("{:?}", when(first)?),
        };
        let total = page.any(&["recordsFiltered", "recordsTotal"]);
        let total = total.map(|node| node.whole()).transpose()?;
        let lists = &mut self.lists[usize::from(is_table)];
        lists.add(round, items.len(), total, true, &data.place);
        items.iter().try_for_each(|item| self.collect(item))
    }

    /// Refuses some pages of more than there are.
    pub fn refuse_some(&self) -> Result<(), ImportError> {
        self.lists[0].refuse_some("the matches of a round")?;
        self.lists[1].refuse_some("the standings")
    }
}

/// When the match or row is of.
pub fn when(row: &Node<'_>) -> Result<When, ImportError> {
    let phase = row.whole_at("PhaseSortOrder")?.unwrap_or(0);
    let most = limits::ROUNDS as i64;
    match row.within("RoundNumber", 0, most)? {
        Some(round) => Ok((phase, round)),
        // Standings of a round need not repeat its number.
        None if row.get("Rank").is_some() => Ok((phase, most)),
        None => Err(Fault::Missing { what: "RoundNumber".into() }.at(row.place.as_str())),
    }
}

/// How a phase is played, where a row says so.
pub fn kind(row: &Node<'_>) -> Result<Option<PhaseKind>, ImportError> {
    let said = row.text_at("MatchingMethodDescription")?.unwrap_or_default().to_lowercase();
    Ok(match () {
        () if said.contains("swiss") => Some(PhaseKind::Swiss),
        () if said.contains("double") => Some(PhaseKind::DoubleElimination),
        () if said.contains("single") => Some(PhaseKind::Elimination),
        () if said.contains("robin") => Some(PhaseKind::RoundRobin),
        () => None,
    })
}
