//! What stands at a player: that they take part, their seed in a cut, that they left.

use super::wanted::Wanted;
use super::{Writer, block, line};
use crate::source::SourceDrop;
use crate::tdf::model::{DISQUALIFIED, Dropped, LEFT};
use crate::xml::Element;
use crate::xml_edit::escaped;
use scrutineer_engine::event::DropReason;
use std::collections::{BTreeMap, BTreeSet};

/// What stands at the end of a player.
const LAST: [&str; 3] = ["dropped", "creationdate", "lastmodifieddate"];

impl Writer<'_, '_> {
    /// Lists who plays in a pod and was not in it, and marks who begins.
    pub(super) fn enter(&mut self, at: usize, wanted: &Wanted) {
        let pod = &self.tom.pods[at];
        let mut known: BTreeSet<usize> = pod.roster.iter().copied().collect();
        let pairings = wanted.pods[at].values().flat_map(|round| &round.pairings);
        let players = pairings.flat_map(|one| one.players.iter().copied());
        let entering: Vec<usize> = players.filter(|player| known.insert(*player)).collect();
        let list: Vec<String> = entering
            .iter()
            .map(|player| {
                format!("<player userid=\"{}\" />", escaped(self.tom.players[*player].id))
            })
            .collect();
        let groups = pod.element.child("subgroups");
        match groups.and_then(|groups| groups.child("subgroup")?.child("players")) {
            _ if list.is_empty() => {}
            Some(players) => self.edits.append(players, &list),
            None => {
                if let Some(groups) = groups {
                    let group = block("subgroup number=\"1\"", block("players", list));
                    self.edits.append(groups, &group);
                }
            }
        }
        if !pod.rounds.is_empty() {
            return;
        }
        for player in entering {
            let element = self.tom.players[player].element;
            match element.child("starter") {
                Some(_) => {}
                None => {
                    let before = ["firstname", "lastname", "birthdate"];
                    self.insert(element, |name| before.contains(&name), &[line("starter", "true")]);
                }
            }
        }
    }

    /// Writes who enters a cut: their place in the bracket, where each two meet, and their seed.
    pub(super) fn seeds(&mut self, at: usize, wanted: &Wanted) {
        let Some((_, first)) = wanted.pods[at].iter().find(|(_, round)| round.is_cut) else {
            return;
        };
        let mut matches: Vec<_> = first.pairings.iter().collect();
        matches.sort_by_key(|one| one.table);
        let mut seeds: BTreeMap<usize, usize> = BTreeMap::new();
        for bracket in &wanted.seeds {
            seeds.extend((1..).zip(bracket).map(|(seed, player)| (*player, seed)));
        }
        for (match_at, one) in matches.iter().enumerate() {
            for (seat, player) in one.players.iter().enumerate() {
                let order = line("order", &(2 * match_at + seat + 1).to_string());
                let seed = seeds.get(player).map(|seed| line("seed", &seed.to_string()));
                if seed.is_none() {
                    self.leave_out("seeds of the cut");
                }
                let lines: Vec<String> = std::iter::once(order).chain(seed).collect();
                let element = self.tom.players[*player].element;
                if element.child("order").is_none() {
                    let before = ["firstname", "lastname", "birthdate", "starter"];
                    self.insert(element, |name| before.contains(&name), &lines);
                }
            }
        }
    }

    /// Writes who left, and takes back that somebody left who plays on.
    pub(super) fn left(&mut self, wanted: &Wanted) {
        let drops: BTreeMap<usize, &SourceDrop> =
            self.source.drops.iter().map(|drop| (drop.player, drop)).collect();
        let all_known: BTreeMap<usize, &SourceDrop> =
            self.own.drops.iter().map(|drop| (drop.player, drop)).collect();
        let index = self.index.clone();
        for (player, at) in index.iter().enumerate() {
            let Some(at) = *at else { continue };
            let own = &self.tom.players[at];
            let pod = self.pods[at];
            let drop = drops.get(&player);
            let known = all_known.get(&at);
            match (drop, &own.dropped) {
                (None, None) => {}
                (Some(drop), Some(left)) => {
                    let number = pod.map_or(0, |pod| wanted.number_of(pod, drop.after_round));
                    let is_told = known.is_some_and(|known| known.after_round == drop.after_round);
                    let round = left.element.child("round");
                    if let Some(round) =
                        round.filter(|_| !is_told && left.round.map(usize::from) != Some(number))
                    {
                        self.edits.value(round, &number.to_string());
                    }
                    self.how_they_left(drop, known.copied(), left);
                }
                (Some(drop), None) => {
                    let number = pod.map_or(0, |pod| wanted.number_of(pod, drop.after_round));
                    // A disqualification that stands in the final standings needs no word here.
                    if known.is_some() {
                        continue;
                    }
                    let lines = [
                        line("status", status(drop)),
                        line("round", &number.to_string()),
                        line("timestamp", &self.stamp),
                    ];
                    let lines = block("dropped", lines);
                    match own.element.child("dropped") {
                        // They left before, and came back.
                        Some(before) => self.edits.replace(before, &unwrapped(&lines)),
                        None => self.insert(own.element, |name| !LAST.contains(&name), &lines),
                    }
                }
                (None, Some(left)) => {
                    let plays_on = pod.is_some_and(|pod| {
                        let after = usize::from(left.round.unwrap_or(u16::MAX));
                        let later = wanted.pods[pod].range(after + 1..);
                        later
                            .flat_map(|(_, round)| &round.pairings)
                            .any(|one| one.players.contains(&at))
                    });
                    match left.element.child("status").filter(|_| plays_on) {
                        Some(status) => self.edits.value(status, "0"),
                        None => {
                            self.leave_out("drops that stand in TOM's file alone, and stay there")
                        }
                    }
                }
            }
        }
    }

    /// Marks as disqualified whoever is not there, and takes no such mark back.
    fn how_they_left(&mut self, drop: &SourceDrop, known: Option<&SourceDrop>, left: &Dropped<'_>) {
        let is_out = |drop: &SourceDrop| drop.why == DropReason::Disqualified;
        if known.is_none_or(|known| is_out(known) == is_out(drop)) {
            return;
        }
        match left.element.child("status").filter(|_| is_out(drop)) {
            Some(element) => self.edits.value(element, DISQUALIFIED),
            None => self.leave_out("disqualifications that TOM's file has otherwise, and keeps"),
        }
    }

    /// Puts lines behind the last child whose name is one of those that come before.
    fn insert(
        &mut self,
        element: &Element<'_>,
        is_before: impl Fn(&str) -> bool,
        lines: &[String],
    ) {
        match element.children.iter().rfind(|child| is_before(child.name)) {
            Some(child) => self.edits.after(child, lines),
            None => self.edits.append(element, lines),
        }
    }
}

/// The status with which somebody left.
fn status(drop: &SourceDrop) -> &'static str {
    if drop.why == DropReason::Disqualified { DISQUALIFIED } else { LEFT }
}

/// The lines within an element's own tags.
fn unwrapped(lines: &[String]) -> Vec<String> {
    let inner = lines.get(1..lines.len().saturating_sub(1)).unwrap_or_default();
    inner.iter().map(|line| line.trim_start_matches('\t').to_owned()).collect()
}
