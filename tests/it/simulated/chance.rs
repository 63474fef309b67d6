//! Whether chance is fair where a tournament meets it: through the desk and its chain of seeds.

use super::ruleset;
use scrutineer_desk::desk::{Desk, Enrolment, Latecomer, Means, Opening};
use scrutineer_desk::store::Store;
use scrutineer_engine::event::PlayerNumber;
use scrutineer_engine::record::{Actor, Time};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// Who meets whom in round one of 8 players, as the desk pairs it with this number's secret.
fn first_round(opening: &Opening, people: &[Enrolment], number: u64) -> Vec<[PlayerNumber; 2]> {
    let asked = AtomicU64::new(0u64);
    let clock = || Time { unix_micros: 0 };
    let random = || {
        asked.fetch_add(1, Ordering::Relaxed);
        let mut hasher = blake3::Hasher::new();
        hasher.update(&number.to_le_bytes()).update(&asked.load(Ordering::Relaxed).to_le_bytes());
        Ok(*hasher.finalize().as_bytes())
    };
    let means = Means { actor: Actor(0), clock: &clock, random: &random };
    let store = Store::in_memory();
    let desk = Desk::open(&store, means, opening).expect("opened");
    desk.enroll(people, Latecomer::AsRuled).expect("enrolled");
    let paired = desk.pair(None, false).expect("paired");
    let pair = |seats: &[scrutineer_engine::event::Seat]| {
        let (one, other) = (seats[0].player, seats[1].player);
        [one.min(other), one.max(other)]
    };
    let mut pairs: Vec<_> = paired.drawn.tables.iter().map(|table| pair(&table.seats)).collect();
    pairs.sort_unstable();
    pairs
}

#[test]
fn in_round_one_of_eight_every_pairing_is_as_likely_as_every_other() {
    for id in ["mtr", "hgbts"] {
        let rules = ruleset(id);
        let opening = Opening {
            title: "Fair".into(),
            held_on: None,
            ruleset: rules.files.clone(),
            scoresheet: Opening::scoresheet_for(&rules, 3),
            plan: Vec::new(),
            signer: None,
        };
        let person = |at: u32| Enrolment { name: format!("Player {at}"), ..Enrolment::default() };
        let people: Vec<Enrolment> = (1..=8).map(person).collect();
        let mut counts: BTreeMap<Vec<[PlayerNumber; 2]>, u32> = BTreeMap::new();
        const EACH: u32 = 20;
        for number in 0..105 * EACH {
            let pairs = first_round(&opening, &people, number.into());
            *counts.entry(pairs).or_default() += 1;
        }
        assert_eq!(counts.len(), 105, "{id}: every one of the 7 * 5 * 3 pairings");
        let off = |count: &u32| {
            let difference = f64::from(*count) - f64::from(EACH);
            difference * difference / f64::from(EACH)
        };
        // 104 degrees of freedom: above 151 once in 500 times.
        let chi_squared: f64 = counts.values().map(off).sum();
        println!("{id}: chi-squared {chi_squared:.1} of 104");
        assert!(chi_squared < 151.0, "{id}: chi-squared {chi_squared:.1}");
    }
}
