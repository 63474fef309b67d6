//! What is still to come of an event that runs: sets whose entrants are not known yet, phases that wait for one before
//! them, and the second set of a grand final.

use std::collections::{BTreeMap, BTreeSet};

use super::Phase;
use crate::bracket::{self, Game, Side};
use scrutineer_engine::event::PhaseKind;

/// A set that is not over and of which not both entrants are known yet.
pub struct Waiting {
    /// The side of the bracket and the round there, where it says them.
    pub step: Option<(Side, i64)>,
    /// The one entrant who is known.
    pub player: Option<usize>,
    /// The group in which it stands.
    pub group: String,
}

/// The last round in which everybody played, on each side.
pub type Played = BTreeMap<(Side, usize), i64>;

impl Phase {
    /// Whether it is a bracket, as one is of which nothing says how it is played.
    pub fn is_bracket(&self) -> bool {
        self.kind.is_none_or(PhaseKind::is_bracket)
    }

    /// Whether there are sets to come whose entrants are not known yet. The second set of a grand final is none where
    /// whoever had not lost won the first one.
    pub fn is_waiting(&self) -> bool {
        let mut by_group: BTreeMap<&str, Vec<&Waiting>> = BTreeMap::new();
        for set in &self.waiting {
            by_group.entry(set.group.as_str()).or_default().push(set);
        }
        by_group.into_values().any(|sets| match sets[..] {
            [set] => !self.is_not_needed(set),
            _ => true,
        })
    }

    /// Whether the only set of a group that waits is behind its final, and everybody but one is out.
    fn is_not_needed(&self, set: &Waiting) -> bool {
        let Some((Side::Winners, round)) = set.step else { return false };
        let own = self.of_group.get(&set.group).into_iter().flatten();
        let own = own.filter_map(|at| self.games.get(*at));
        let is_before = |game: &Game| game.side != Side::Winners || game.round <= round;
        set.player.is_none()
            && own.clone().any(|game| game.side == Side::Losers)
            && own.clone().all(|game| !game.is_open() && is_before(game))
            && bracket::has_champion(own)
    }

    /// The last round in which everybody played.
    pub fn played(&self) -> Played {
        let mut played = Played::new();
        for game in self.games.iter().filter(|game| !game.is_open()) {
            for player in &game.players {
                let most = played.entry((game.side, *player)).or_insert(game.round);
                *most = game.round.max(*most);
            }
        }
        played
    }

    /// Who waits in the second round of the winners: whoever is in no set of the first one has a bye there.
    pub fn in_second_round(&self) -> Vec<bracket::Waiting> {
        let listed = self.games.iter().map(|game| (game.side, game.round));
        let waiting = || self.waiting.iter().filter_map(|set| Some((set.step?, set.player)));
        let steps = listed.chain(waiting().map(|(step, _)| step));
        let rounds: BTreeSet<i64> =
            steps.filter(|(side, _)| *side == Side::Winners).map(|(_, round)| round).collect();
        let Some(second) = rounds.into_iter().nth(1) else { return Vec::new() };
        let own = waiting().filter(|(step, _)| *step == (Side::Winners, second));
        own.filter_map(|(_, player)| Some((player?, second))).collect()
    }

    /// Gives the second set of a grand final a round of its own, where only its players say what it is. Where there is
    /// one, whoever had not lost yet lost the first one.
    pub fn part_finals(&mut self) {
        if !self.has_losers || !self.is_bracket() {
            return;
        }
        let (mut last, mut lost) = (BTreeMap::new(), BTreeMap::new());
        for game in self.games.iter().filter(|game| game.side == Side::Winners) {
            for player in &game.players {
                let most = last.entry(*player).or_insert(game.round);
                *most = game.round.max(*most);
            }
            if let Some(player) = game.lost {
                let least = lost.entry(player).or_insert(game.round);
                *least = game.round.min(*least);
            }
        }
        let is_last = |game: &Game| game.players.iter().all(|one| last[one] == game.round);
        let had_lost = |game: &Game| game.lost.is_some_and(|one| lost[&one] < game.round);
        let is_second = |game: &Game| game.is_open() || had_lost(game);
        let mut met: BTreeMap<(i64, usize, usize), usize> = BTreeMap::new();
        let mut second: Vec<usize> = Vec::new();
        for (at, game) in self.games.iter().enumerate() {
            let [one, other] = game.players[..] else { continue };
            if game.side != Side::Winners || !is_last(game) {
                continue;
            }
            let Some(before) = met.insert((game.round, one.min(other), one.max(other)), at) else {
                continue;
            };
            let is_behind = self.games.get(before).is_some_and(is_second) && !is_second(game);
            second.push(if is_behind { before } else { at });
        }
        for at in second {
            if let Some(game) = self.games.get_mut(at) {
                game.round = game.round.saturating_add(1);
            }
        }
    }

    /// Whether it is a bracket in which all sets were played and everybody but one is out.
    fn is_decided(&self) -> bool {
        self.is_bracket()
            && !self.games.iter().any(Game::is_open)
            && !self.is_waiting()
            && bracket::has_champion(self.games.iter())
    }

    /// Whether sets are still to be played by whoever is not in a later phase, of a round robin in a group of which
    /// nobody is.
    fn is_running(&self, later: &BTreeSet<usize>) -> bool {
        let goes_on = |game: &Game| game.players.iter().any(|player| later.contains(player));
        if self.kind == Some(PhaseKind::RoundRobin) {
            let games = &self.games;
            return self.of_group.values().any(|group| {
                let own = || group.iter().filter_map(move |at| games.get(*at));
                own().any(Game::is_open) && !own().any(goes_on)
            });
        }
        if !self.is_bracket() {
            return false;
        }
        let played = self.played();
        let mut open = self.games.iter().filter(|game| game.is_open());
        let mut waiting = self.waiting.iter().filter_map(|set| set.player);
        open.any(|game| !goes_on(game) && !is_left_behind(game, &played))
            || waiting.any(|player| !later.contains(&player))
    }
}

/// Whether somebody played on in a phase without this set.
pub fn is_left_behind(game: &Game, played: &Played) -> bool {
    let mut most = game.players.iter().filter_map(|player| played.get(&(game.side, *player)));
    most.any(|most| *most > game.round)
}

/// Takes the phases away that are behind one that still runs, as where pools are played in waves: a log has one phase
/// after the other. A set that was never played does not hold the phases back to which others of its phase went, once
/// the last one is decided.
pub(super) fn held_back(phases: &mut Vec<Phase>) -> Vec<Phase> {
    let is_decided = phases.last().is_some_and(Phase::is_decided);
    let mut later: BTreeSet<usize> = BTreeSet::new();
    let mut first = None;
    for (at, phase) in phases.iter().enumerate().rev() {
        let is_last = at + 1 == phases.len();
        let is_over = is_last || (is_decided && !phase.players.is_disjoint(&later));
        if !is_over && phase.is_running(&later) {
            first = Some(at);
        }
        later.extend(&phase.players);
        later.extend(phase.waiting.iter().filter_map(|set| set.player));
    }
    first.map_or(Vec::new(), |at| phases.split_off(at + 1))
}
