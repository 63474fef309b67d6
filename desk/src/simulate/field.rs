//! Who plays: invented names and strengths.

use super::{Rates, Simulation};
use crate::desk::Enrolment;
use scrutineer_engine::event::PhaseKind;
use scrutineer_pairing::dice::Dice;

const FIRST: [&str; 40] = [
    "Ada", "Ben", "Cleo", "Dmitri", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Kaya",
    "Lars", "Mina", "Nils", "Olga", "Pavel", "Quinn", "Rosa", "Sven", "Tara", "Umut", "Vera",
    "Wanda", "Xavier", "Yara", "Zeno", "Aiko", "Bruno", "Carla", "Diego", "Emil", "Fiona", "Goran",
    "Hana", "Ivo", "Jana", "Kofi", "Lea", "Marek", "Nora",
];

const LAST: [&str; 50] = [
    "Abel",
    "Brandt",
    "Castro",
    "Dahl",
    "Eriksen",
    "Fischer",
    "Garcia",
    "Hansen",
    "Ito",
    "Jansen",
    "Keller",
    "Lindqvist",
    "Moreau",
    "Novak",
    "Okafor",
    "Petrov",
    "Quist",
    "Rossi",
    "Sato",
    "Tanaka",
    "Ueda",
    "Vogel",
    "Weber",
    "Xu",
    "Yilmaz",
    "Zimmer",
    "Amari",
    "Bauer",
    "Costa",
    "Duarte",
    "Engel",
    "Ferrari",
    "Graf",
    "Holm",
    "Ivanova",
    "Juhasz",
    "Koch",
    "Larsen",
    "Meyer",
    "Nielsen",
    "Orban",
    "Pohl",
    "Ramos",
    "Silva",
    "Torres",
    "Urban",
    "Varga",
    "Wolf",
    "Young",
    "Zeman",
];

/// Somebody who plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// What they give at the desk.
    pub enrollment: Enrolment,
    /// How good they really is, in points of a rating: 120 more win twice as often as they lose.
    pub strength: u32,
}

/// The people of a simulation, in the order in which they come, and how many of them are late.
pub fn people(simulation: &Simulation, chance: &[u8; 32]) -> (Vec<Person>, usize) {
    let mut dice = Dice::new(chance, "simulated field", 1, b"");
    let Rates { byes, late, .. } = simulation.rates;
    let rated = [1000, 400, 0][dice.below(3) as usize];
    let open = matches!(simulation.kind, PhaseKind::Swiss | PhaseKind::Pods);
    let person = |at: u32, dice: &mut Dice| {
        let strength = strength(dice);
        // A rating is a strength seen through a fog.
        let rating = (strength + dice.below(121) as u32).saturating_sub(60) as i32;
        let is_rated = dice.below(1000) < rated;
        let brings = dice.below(1000) < u64::from(byes) && simulation.kind == PhaseKind::Swiss;
        let enrollment = Enrolment {
            name: name(at),
            publisher_id: dice.below(2).eq(&0).then(|| format!("SIM-{:06}", at + 1)),
            rating: is_rated.then_some(rating),
            awarded_byes: if brings { 1 + dice.below(2) as u8 } else { 0 },
            ..Enrolment::default()
        };
        Person { enrollment, strength }
    };
    let people: Vec<Person> = (0..simulation.players).map(|at| person(at, &mut dice)).collect();
    let comes_late = people.iter().skip(2).filter(|_| dice.below(1000) < u64::from(late)).count();
    (people, if open { comes_late } else { 0 })
}

/// About normal around 1,500: eight dice together.
fn strength(dice: &mut Dice) -> u32 {
    540 + (0..8).map(|_| dice.below(241) as u32).sum::<u32>()
}

/// How a strength weighs in a game: 120 points more weigh twice as much, and between two
/// doublings it goes straight.
pub fn weight(strength: u32) -> u64 {
    (1 << (strength / 120).min(40)) * u64::from(120 + strength % 120)
}

/// A name that nobody else has.
fn name(at: u32) -> String {
    let (first, last) = (at as usize % FIRST.len(), at as usize / FIRST.len() + 7 * at as usize);
    let again = at as usize / (FIRST.len() * LAST.len());
    let number = if again > 0 { format!(" {}", again + 1) } else { String::new() };
    format!("{} {}{number}", FIRST[first], LAST[last % LAST.len()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_two_have_the_same_name() {
        let names: BTreeSet<String> = (0..10_000).map(name).collect();
        assert_eq!(names.len(), 10_000);
    }

    #[test]
    fn a_hundred_and_twenty_points_weigh_double() {
        assert_eq!((weight(1500), weight(1620)), (weight(1380) * 2, weight(1500) * 2));
        assert!(weight(1501) > weight(1500));
    }
}
