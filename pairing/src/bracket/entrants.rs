//! In which order entrants take the seeds of a bracket, and brackets that are seeded anew.

use crate::dice::Dice;
use scrutineer_engine::event::PlayerNumber;
use scrutineer_projections::ruleset::QualifierByes;

/// How many of so many entrants have a bye in the first stage: as many as are missing to a power
/// of two. 140 entrants: 116 byes, and 24 play for 12 places among 128.
pub fn byes(entrants: u32) -> u32 {
    entrants.max(1).next_power_of_two() - entrants.max(1)
}

/// The order in which entrants take the seeds, given in seed order: with byes for the highest
/// seeds as they are, with random byes all drawn. Where byes go by sign-up, those who signed up
/// first take the seeds with byes, drawn among themselves, and the others the rest, drawn too.
/// `sign_up` is the place in the order of sign-up; whoever has none comes last.
pub fn place_entrants(
    entrants: &[PlayerNumber],
    sign_up: impl Fn(PlayerNumber) -> Option<u32>,
    how: QualifierByes,
    dice: &mut Dice,
) -> Vec<PlayerNumber> {
    let mut order = entrants.to_vec();
    if how == QualifierByes::Seeds {
        return order;
    }
    dice.shuffle(&mut order);
    if how == QualifierByes::SignUp {
        order.sort_by_key(|player| sign_up(*player).map_or(u64::MAX, u64::from));
        let (first, others) = order.split_at_mut(byes(entrants.len() as u32) as usize);
        dice.shuffle(first);
        dice.shuffle(others);
    }
    order
}

/// A stage of a bracket that is seeded anew.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reseeded {
    /// Who waits, the highest seed first.
    pub byes: Vec<PlayerNumber>,
    /// Who meets whom, the higher seed first; the table of the highest seed first.
    pub tables: Vec<[PlayerNumber; 2]>,
}

/// The highest seed left meets the lowest left. Where those left are no power of two, the
/// highest seeds wait until they are. Nothing is drawn for fewer than two.
///
/// `left` are those still in, in seed order; whoever is gone does not stand there.
pub fn reseeded_round(left: &[PlayerNumber]) -> Reseeded {
    if left.len() < 2 {
        return Reseeded::default();
    }
    let (waiting, playing) = left.split_at(byes(left.len() as u32) as usize);
    let (high, low) = playing.split_at(playing.len() / 2);
    let tables = high.iter().zip(low.iter().rev()).map(|(high, low)| [*high, *low]).collect();
    Reseeded { byes: waiting.to_vec(), tables }
}
