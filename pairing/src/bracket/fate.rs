//! What has become of one slot.

use super::Recorded;
use scrutineer_engine::event::PlayerNumber;

/// Who sits at a seat, or leaves a slot as its winner or loser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// This player.
    Player(PlayerNumber),
    /// Whoever would be here is gone; their number, where it can only be they.
    Gone(Option<PlayerNumber>),
    /// Nobody was ever drawn into this place.
    Free,
    /// This slot is not decided yet.
    Open(u32),
}

impl Place {
    /// The player, here or gone.
    pub fn who(self) -> Option<PlayerNumber> {
        match self {
            Place::Player(player) => Some(player),
            Place::Gone(who) => who,
            Place::Free | Place::Open(_) => None,
        }
    }
}

/// A slot's seats, and who leaves it how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fate {
    pub seats: [Place; 2],
    pub winner: Place,
    pub loser: Place,
    /// Whether a match or a bye is recorded.
    pub drawn: bool,
}

impl Fate {
    /// The fate of `slot`, from who would sit there and what is recorded. What is recorded
    /// counts, also where it contradicts the bracket: a scorekeeper may have moved somebody.
    pub fn of(
        slot: u32,
        seats: [Place; 2],
        recorded: Recorded,
        gone: &impl Fn(PlayerNumber) -> bool,
    ) -> Fate {
        let drawn = recorded != Recorded::Nothing;
        let fate = |winner, loser| Fate { seats, winner, loser, drawn };
        match recorded {
            Recorded::Match { seats: played, winner } => {
                let here = played.map(Place::Player);
                let fate = match winner {
                    Some(winner) => {
                        let loser = if winner == played[0] { played[1] } else { played[0] };
                        fate(Place::Player(winner), Place::Player(loser))
                    }
                    // Nobody is left who could win it.
                    None if played.iter().all(|player| gone(*player)) => {
                        fate(Place::Gone(None), Place::Gone(None))
                    }
                    None => fate(Place::Open(slot), Place::Open(slot)),
                };
                Fate { seats: here, ..fate }
            }
            Recorded::Bye { player } => {
                // They may be gone themselves by now.
                let absent = match seats {
                    [first, other] if first.who() == Some(player) => other,
                    [other, second] if second.who() == Some(player) => other,
                    [Place::Free, _] | [_, Place::Free] => Place::Free,
                    _ => Place::Gone(None),
                };
                // Whoever was away and is back all the same was not there to be beaten.
                let loser = match absent {
                    Place::Player(back) => Place::Gone(Some(back)),
                    Place::Open(_) => Place::Gone(None),
                    nobody => nobody,
                };
                fate(Place::Player(player), loser)
            }
            Recorded::Nothing => match seats {
                [Place::Open(cause), _] | [_, Place::Open(cause)] => {
                    fate(Place::Open(cause), Place::Open(cause))
                }
                [Place::Player(_), _] | [_, Place::Player(_)] => {
                    fate(Place::Open(slot), Place::Open(slot))
                }
                [Place::Free, Place::Free] => fate(Place::Free, Place::Free),
                [first, second] => {
                    let one = first == Place::Free || second == Place::Free;
                    let loser = if one { Place::Free } else { Place::Gone(None) };
                    fate(Place::Gone(None), loser)
                }
            },
        }
    }

    /// The slot that must be decided before this one's winner is known.
    pub fn open(&self) -> Option<u32> {
        match self.winner {
            Place::Open(cause) => Some(cause),
            _ => None,
        }
    }
}
