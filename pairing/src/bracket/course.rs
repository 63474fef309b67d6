//! The course of play: what has become of every slot, and what is to be played next.

use super::fate::{Fate, Place};
use super::{Bracket, Node, Placed, PlacedKind, Source};
use scrutineer_engine::event::PlayerNumber;

/// What the log holds about a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// These two were paired.
    Match {
        /// Who.
        seats: [PlayerNumber; 2],
        /// Who goes on; none: the match is not finished, or drawn and nobody was chosen.
        winner: Option<PlayerNumber>,
    },
    /// They had a bye, because of a free place or because their opponent was gone.
    Bye {
        /// Who.
        player: PlayerNumber,
    },
    /// Nothing.
    Nothing,
}

/// A stage can't be drawn: nobody has won at this slot yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("nobody has won at place {slot} of the bracket yet")]
pub struct Undecided {
    /// The first such slot.
    pub slot: u32,
}

/// What has become of every slot of a bracket.
#[derive(Clone, Debug)]
pub struct Course<'a> {
    pub(super) bracket: &'a Bracket,
    pub(super) seeds: &'a [PlayerNumber],
    pub(super) fates: Vec<Fate>,
}

/// Draws a stage: the slots at which somebody is, in their order. Of what is recorded only
/// earlier stages are looked at, so a stage already drawn comes out as it did.
///
/// - A player whose opponent is gone, or who would meet the winner of a slot at which both were
///   gone, has a bye because the opponent is gone; one whose seat has nobody beside it from the
///   start, because of a free place.
/// - Nothing is drawn where nobody is left. In double elimination a whole stage can be empty
///   like that while later ones are not; [`Course::next_stage`] says which is next.
/// - Whoever is gone after a loss in the upper bracket does not drop into the lower one: whom they
///   would have met there has a bye.
///
/// `seeds` are the entrants in the order in which they took the seeds, needed for stage 1 only:
/// later the slots recorded tell, and without seeds whoever is at none of them counts as gone.
/// `gone` says who takes no further part, now.
///
/// # Errors
/// Where a player of this stage is not known yet.
pub fn next_round(
    bracket: &Bracket,
    seeds: &[PlayerNumber],
    recorded: impl Fn(u32) -> Recorded,
    gone: impl Fn(PlayerNumber) -> bool,
    stage: u16,
) -> Result<Vec<Placed>, Undecided> {
    let first = bracket.stage(stage).first().map_or(u32::MAX, |node| node.slot);
    let before = |slot| if slot < first { recorded(slot) } else { Recorded::Nothing };
    Course::of(bracket, seeds, before, gone).draw(stage)
}

impl<'a> Course<'a> {
    /// Follows the players through the bracket.
    pub fn of(
        bracket: &'a Bracket,
        seeds: &'a [PlayerNumber],
        recorded: impl Fn(u32) -> Recorded,
        gone: impl Fn(PlayerNumber) -> bool,
    ) -> Course<'a> {
        let mut course = Course { bracket, seeds, fates: Vec::with_capacity(bracket.nodes.len()) };
        for node in &bracket.nodes {
            let seats = course.coming(node, &gone);
            course.fates.push(Fate::of(node.slot, seats, recorded(node.slot), &gone));
        }
        course
    }

    /// Who sits, or would sit, at the two seats of a slot; none: there is no such slot.
    pub fn seats(&self, slot: u32) -> Option<[Place; 2]> {
        Some(self.fates.get((slot as usize).checked_sub(1)?)?.seats)
    }

    /// The stage to draw next: the first with a slot at which somebody is or may come to be, and
    /// nothing recorded. None: nothing is left to draw, though matches may be unfinished.
    pub(crate) fn next_stage(&self) -> Option<u16> {
        let waits = |(_, fate): &(&Node, &Fate)| !fate.drawn && fate.open().is_some();
        self.all().find(waits).map(|(node, _)| node.stage)
    }

    /// Whether everything is decided.
    pub fn is_over(&self) -> bool {
        self.all().all(|(_, fate)| fate.open().is_none())
    }

    /// Who has won the bracket; none while that is open, and where both finalists were gone.
    pub fn champion(&self) -> Option<PlayerNumber> {
        let without_second = usize::from(self.bracket.double && !self.second_final_needed());
        let last = self.fates.iter().rev().nth(without_second)?;
        match last.winner {
            Place::Player(player) => Some(player),
            _ => None,
        }
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (&Node, &Fate)> {
        self.bracket.nodes.iter().zip(&self.fates)
    }

    fn draw(&self, stage: u16) -> Result<Vec<Placed>, Undecided> {
        let nodes = self.bracket.stage(stage);
        let seats = |node: &Node| self.fates[node.slot as usize - 1].seats;
        let open = nodes.iter().flat_map(seats).filter_map(|seat| match seat {
            Place::Open(slot) => Some(slot),
            _ => None,
        });
        if let Some(slot) = open.min() {
            return Err(Undecided { slot });
        }
        let place = |node: &Node| {
            let kind = match seats(node) {
                [Place::Player(a), Place::Player(b)] => PlacedKind::Table { a, b },
                [Place::Player(player), Place::Free] | [Place::Free, Place::Player(player)] => {
                    PlacedKind::FreePlace { player }
                }
                [Place::Player(player), _] | [_, Place::Player(player)] => {
                    PlacedKind::OpponentGone { player }
                }
                _ => return None,
            };
            Some(Placed { slot: node.slot, group: node.group, kind })
        };
        Ok(nodes.iter().filter_map(place).collect())
    }

    /// Who comes to the seats of the next slot to be followed.
    fn coming(&self, node: &Node, gone: &impl Fn(PlayerNumber) -> bool) -> [Place; 2] {
        if self.bracket.second_final() == Some(node.slot) {
            match self.fates.last().and_then(Fate::open) {
                Some(cause) => return [Place::Open(cause); 2],
                None if !self.second_final_needed() => return [Place::Free; 2],
                None => {}
            }
        }
        node.sources.map(|source| match self.leaving(source) {
            Place::Player(player) if gone(player) => Place::Gone(Some(player)),
            place => place,
        })
    }

    fn leaving(&self, source: Source) -> Place {
        match source {
            Source::Seed(seed) => match self.seeds.get(seed as usize - 1) {
                Some(player) => Place::Player(*player),
                None if seed <= self.bracket.entrants => Place::Gone(None),
                None => Place::Free,
            },
            Source::WinnerOf(slot) => self.fates[slot as usize - 1].winner,
            Source::LoserOf(slot) => self.fates[slot as usize - 1].loser,
        }
    }

    /// Whether the winner of the lower bracket has won the grand final against the unbeaten
    /// player, who then has only one loss.
    pub(super) fn second_final_needed(&self) -> bool {
        let Some(first) = self.bracket.nodes.iter().rev().nth(1).filter(|_| self.bracket.double)
        else {
            return false;
        };
        self.fates.get(first.slot as usize - 1).is_some_and(|fate| {
            matches!((fate.winner, fate.loser), (Place::Player(_), Place::Player(_)))
                && fate.winner == self.leaving(first.sources[1])
        })
    }
}
