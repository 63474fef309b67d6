//! States to draw from: played ones, and made-up ones of every kind.

use super::draw;
use crate::dice::Dice;
use crate::swiss::{Cost, Field, Pairing};

/// A Swiss tournament that is played as it is drawn.
pub struct Event {
    pub points: Vec<i64>,
    pub byes: Vec<u32>,
    pub meetings: Vec<(u32, u32)>,
}

impl Event {
    pub fn of(players: usize) -> Event {
        Event { points: vec![0; players], byes: vec![0; players], meetings: Vec::new() }
    }

    pub fn field(&self) -> Field {
        Field::new(self.points.clone(), self.byes.clone(), &self.meetings, false)
    }

    /// Draws a round and plays it: of 100 matches so many are drawn.
    pub fn round(&mut self, number: u64, drawn_matches: u64) -> Pairing {
        let round = draw(&self.field(), number);
        let mut dice = super::dice(number ^ 0xffff);
        for (one, other) in &round.pairs {
            self.meetings.push((*one, *other));
            let points = match dice.below(200) {
                result if result < 2 * drawn_matches => (1, 1),
                result if result % 2 == 0 => (3, 0),
                _ => (0, 3),
            };
            self.points[*one as usize] += points.0;
            self.points[*other as usize] += points.1;
        }
        if let Some(player) = round.bye {
            self.points[player as usize] += 3;
            self.byes[player as usize] += 1;
        }
        round
    }

    pub fn rounds(players: usize, rounds: u64, seed: u64, drawn_matches: u64) -> (Event, Cost) {
        let mut event = Event::of(players);
        let mut last = Cost::default();
        for round in 1..=rounds {
            last = event.round(seed * 1_000 + round, drawn_matches).cost;
        }
        (event, last)
    }
}

/// A field of a given number of players that nobody would play.
pub fn made_up(players: usize, dice: &mut Dice) -> Field {
    let many = players as u64;
    let kind = dice.below(6);
    let denominator = [1, 1, 6, 1_000_003][dice.below(4) as usize];
    let mut point = |player: usize| match kind {
        0 => 0,
        1 => player as i64,
        2 => dice.below(3) as i64,
        3 => dice.below(10) as i64 * 3,
        4 => (dice.below(4) * dice.below(4) * dice.below(40)) as i64,
        _ => (dice.below(many + 1) / 2) as i64,
    };
    let points = (0..players).map(|player| point(player) * denominator).collect();
    let most = dice.below(3);
    let byes = (0..players).map(|_| dice.below(most + 1) as u32).collect();
    let mut meetings = Vec::new();
    let of_100 = [0, 10, 30, 60, 85, 97, 100][dice.below(7) as usize];
    let blocks = 1 + dice.below(3);
    for one in 0..players as u32 {
        for other in one + 1..players as u32 {
            // Some graphs are random, in others whole blocks have met or have not.
            let is_apart = blocks > 1 && u64::from(one) % blocks != u64::from(other) % blocks;
            if dice.below(100) < if is_apart { 100 - of_100 } else { of_100 } {
                (0..=dice.below(6) / 4).for_each(|_| meetings.push((one, other)));
            }
        }
    }
    Field::new(points, byes, &meetings, dice.below(12) == 0)
}
