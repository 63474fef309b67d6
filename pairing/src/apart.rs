//! Divisions that are paired apart: who of a round is paired among whom.

use super::situation::Situation;
use scrutineer_engine::event::{DivisionsPaired, PhaseKind, PlayerNumber};
use scrutineer_engine::tournament::{Phase, Tournament};

/// The parts in which a round is paired: one, or one for each division.
pub struct Parts<'a> {
    state: &'a Tournament,
    paired: Option<&'a DivisionsPaired>,
}

/// Whether divisions can be paired apart in phases of a kind: in a bracket and in a round robin it is
/// settled who meets whom.
pub const fn can_be_apart(kind: PhaseKind) -> bool {
    matches!(kind, PhaseKind::Swiss | PhaseKind::Pods)
}

impl<'a> Parts<'a> {
    /// The parts of the next round of a phase.
    pub fn of(state: &'a Tournament, phase: &Phase) -> Parts<'a> {
        let paired = Some(state.divisions_paired());
        Parts { state, paired: paired.filter(|one| one.apart && can_be_apart(phase.kind)) }
    }

    /// The part of a player: the first by name of the divisions that are paired as one with theirs. Who
    /// has no division is paired with the others who have none.
    pub fn part_of(&self, player: PlayerNumber) -> Option<&'a str> {
        let paired = self.paired?;
        let own = self.state.player(player)?.division.as_deref()?;
        let merged = paired.merged.iter().find(|group| group.iter().any(|name| name == own));
        merged.map_or(Some(own), |group| group.iter().map(|name| &name[..]).min())
    }

    /// Whether two players are paired among the same.
    pub fn has_both(&self, one: PlayerNumber, other: PlayerNumber) -> bool {
        self.part_of(one) == self.part_of(other)
    }

    /// Players by their parts, in the order of the names of these; who has no division comes last.
    pub fn split(&self, players: &[PlayerNumber]) -> Vec<Vec<PlayerNumber>> {
        let key = |player: &PlayerNumber| {
            let part = self.part_of(*player);
            (part.is_none(), part)
        };
        let mut sorted = players.to_vec();
        sorted.sort_by_key(key);
        sorted.chunk_by(|one, other| key(one) == key(other)).map(<[PlayerNumber]>::to_vec).collect()
    }
}

impl Situation {
    /// The situation of each part, in their order.
    pub(super) fn split(self, parts: &Parts<'_>) -> Vec<Situation> {
        let with_byes = self.with_byes.iter().map(|bye| bye.player);
        let everybody: Vec<PlayerNumber> = self.players.iter().copied().chain(with_byes).collect();
        let split = parts.split(&everybody);
        if split.len() < 2 {
            return vec![self];
        }
        split.iter().map(|part| self.only(part)).collect()
    }

    /// The same for some of the players, in the order that they have.
    fn only(&self, part: &[PlayerNumber]) -> Situation {
        let places: Vec<usize> =
            (0..self.players.len()).filter(|at| part.contains(&self.players[*at])).collect();
        let mut within = vec![None; self.players.len()];
        for (now, before) in (0..).zip(&places) {
            within[*before] = Some(now);
        }
        let meeting =
            |&(one, other): &(u32, u32)| Some((within[one as usize]?, within[other as usize]?));
        let with_byes = self.with_byes.iter().filter(|bye| part.contains(&bye.player)).copied();
        Situation {
            round: self.round,
            players: places.iter().map(|&at| self.players[at]).collect(),
            with_byes: with_byes.collect(),
            points: places.iter().map(|&at| self.points[at]).collect(),
            byes: places.iter().map(|&at| self.byes[at]).collect(),
            meetings: self.meetings.iter().filter_map(meeting).collect(),
        }
    }
}
