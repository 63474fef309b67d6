//! Brackets: single and double elimination as a graph of places.
//!
//! Each place of the bracket is a *slot*: two seats, and for each seat where its player comes
//! from. The graph depends on nothing but the number of entrants, so a slot's number in the log
//! says for ever what it is; [`Course`] says what has become of each.

mod build;
mod course;
mod entrants;
mod fate;
#[cfg(test)]
mod tests;

pub use course::{Course, Recorded, Undecided, next_round};
pub use entrants::{Reseeded, byes, place_entrants, reseeded_round};
pub use fate::Place;

use scrutineer_engine::event::PlayerNumber;

/// The upper or only bracket, in [`Node::group`].
pub(crate) const UPPER: u32 = 1;
/// The lower bracket, in [`Node::group`].
pub(crate) const LOWER: u32 = 2;
/// The grand final and the second final, in [`Node::group`].
pub const FINAL: u32 = 3;

/// Where the player of a seat comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The entrant with this seed, from 1; nobody, where there are fewer entrants.
    Seed(u32),
    /// The winner of this slot.
    WinnerOf(u32),
    /// The loser of this slot.
    LoserOf(u32),
}

/// A place of the bracket: one match, or a bye.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its number, from 1, in the order of the stages; within a stage the upper bracket first,
    /// each bracket from top to bottom.
    pub slot: u32,
    /// The round of the phase in which it is played, from 1.
    pub stage: u16,
    /// [`UPPER`], [`LOWER`] or [`FINAL`].
    pub group: u32,
    /// Where its two players come from.
    pub sources: [Source; 2],
}

/// A bracket: every slot, in the order of the numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bracket {
    nodes: Vec<Node>,
    entrants: u32,
    double: bool,
}

impl Bracket {
    /// Every slot, in the order of the numbers.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The slot of this number.
    pub fn node(&self, slot: u32) -> Option<&Node> {
        self.nodes.get((slot as usize).checked_sub(1)?)
    }

    /// The slots of a stage.
    pub fn stage(&self, stage: u16) -> &[Node] {
        let from = self.nodes.partition_point(|node| node.stage < stage);
        let to = self.nodes.partition_point(|node| node.stage <= stage);
        &self.nodes[from..to]
    }

    /// The slot of the second final, played where the winner of the lower bracket wins the first.
    pub(crate) fn second_final(&self) -> Option<u32> {
        self.nodes.last().filter(|_| self.double).map(|node| node.slot)
    }
}

/// One line of a drawn stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The slot.
    pub slot: u32,
    /// Its bracket: [`UPPER`], [`LOWER`] or [`FINAL`].
    pub group: u32,
    /// Who is there.
    pub kind: PlacedKind,
}

/// Who is at a slot when its stage is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlacedKind {
    /// These two meet; the first comes from the slot's first source.
    Table {
        /// From the first source.
        a: PlayerNumber,
        /// From the second source.
        b: PlayerNumber,
    },
    /// They have a bye: nobody is drawn into the other seat.
    FreePlace {
        /// Who.
        player: PlayerNumber,
    },
    /// They have a bye: whoever would sit there is gone.
    OpponentGone {
        /// Who.
        player: PlayerNumber,
    },
}
