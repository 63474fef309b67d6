//! The places of a bracket.

use super::course::Course;
use super::fate::Place;
use super::{LOWER, Node, UPPER};
use scrutineer_engine::event::PlayerNumber;
use std::collections::BTreeMap;

/// The places that a player shares with those who went out in the same stage, such as 5 to 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Band {
    /// Who.
    pub player: PlayerNumber,
    /// The first place of the band, from 1.
    pub from: u32,
    /// The last.
    pub to: u32,
}

impl Course<'_> {
    /// The places that are final, the first place first and the players of a band in seed order:
    /// a band for everybody who is out, by the stage in which that came about (in double
    /// elimination: in which the second loss came), and the champion. A stage still being played
    /// gives no places. Whoever was gone before a match is out at that match; he takes a place
    /// also where he was disqualified, which the bracket does not know.
    pub fn places(&self) -> Vec<Band> {
        let open = self.all().find(|(_, fate)| fate.open().is_some());
        let complete = open.map_or(u16::MAX, |(node, _)| node.stage - 1);
        let mut out: BTreeMap<u16, Vec<PlayerNumber>> = BTreeMap::new();
        for (node, fate) in self.all().filter(|(node, _)| node.stage <= complete) {
            let loser = fate.loser.who().filter(|_| self.is_last_chance(node));
            let ended = fate.ended.into_iter().flatten();
            out.entry(node.stage).or_default().extend(ended.chain(loser));
        }
        // Where no seeds are given, the players are those at the slots, from top to bottom.
        let mut seeds: BTreeMap<PlayerNumber, usize> = BTreeMap::new();
        let at_slots = self.all().flat_map(|(_, fate)| fate.seats).filter_map(Place::who);
        for player in self.seeds.iter().copied().chain(at_slots) {
            let next = seeds.len();
            seeds.entry(player).or_insert(next);
        }
        let mut bands = Vec::new();
        let mut to = seeds.len() as u32;
        for mut players in out.into_values() {
            let from = (to + 1).saturating_sub(players.len() as u32);
            players.sort_by_key(|player| std::cmp::Reverse(seeds.get(player)));
            bands.extend(players.into_iter().map(|player| Band { player, from, to }));
            to = from.saturating_sub(1);
        }
        let champion = self.champion().filter(|_| self.is_over());
        bands.extend(champion.map(|player| Band { player, from: 1, to: 1 }));
        bands.reverse();
        bands
    }

    /// Whether the loser at this slot is out.
    fn is_last_chance(&self, node: &Node) -> bool {
        match self.bracket.second_final() {
            None => true,
            Some(second) if node.slot == second || node.group == LOWER => true,
            Some(_) => node.group != UPPER && !self.second_final_needed(),
        }
    }
}
