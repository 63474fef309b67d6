//! The Swiss draw beside references, in stories, and as a lottery.

mod golden;
mod lottery;
mod reference;
mod stories;
mod workload;

use super::{Field, Pairing, pair};
use crate::dice::Dice;

/// The dice of a test.
fn dice(number: u64) -> Dice {
    Dice::new(blake3::hash(&number.to_le_bytes()).as_bytes(), "score-group-random", 1, b"test")
}

/// A draw of which everybody is a part once, that costs what it says and no more than it must.
fn draw(field: &Field, number: u64) -> Pairing {
    let drawn = pair(field, &mut dice(number));
    let mut times = vec![0; field.len()];
    drawn.pairs.iter().flat_map(|(one, other)| [one, other]).for_each(|p| times[*p as usize] += 1);
    drawn.bye.iter().for_each(|player| times[*player as usize] += 1);
    assert!(times.iter().all(|times| *times == 1), "everybody once: {times:?}");
    assert_eq!(drawn.bye.is_some(), field.len() % 2 == 1);
    assert_eq!(drawn.cost, field.cost(&drawn.pairs, drawn.bye));
    assert_eq!(drawn.cost, drawn.bound, "a draw is proven");
    drawn
}
