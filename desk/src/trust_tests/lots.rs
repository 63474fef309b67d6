//! Lots that the seed does not give.

use crate::desk::{Desk, Enrolment, Latecomer, Means, Opening};
use crate::store::Store;
use scrutineer_engine::event::Event;
use scrutineer_engine::record::{Actor, Time};
use scrutineer_projections::ruleset::Library;
use scrutineer_replay::again::*;
use std::sync::atomic::{AtomicU8, Ordering};

/// Whoever changes an order of lots by hand cannot make the seed say so.
#[test]
fn lots_that_the_seed_does_not_give_are_found() {
    let store = Store::in_memory();
    let drawn = AtomicU8::new(0u8);
    let random = || {
        drawn.fetch_add(1, Ordering::Relaxed);
        Ok([drawn.load(Ordering::Relaxed); 32])
    };
    let clock = Time::default;
    let means = Means { actor: Actor(1), clock: &clock, random: &random };
    let library = Library::shipped();
    let opening = Opening {
        title: "Lots".into(),
        held_on: None,
        ruleset: library.chain("mtr").expect("it is shipped"),
        scoresheet: Opening::scoresheet_for(&library.ruleset("mtr").expect("it is read"), 3),
        plan: Vec::new(),
        signer: None,
    };
    let desk = Desk::open(&store, means, &opening).expect("it opens");
    let people: Vec<Enrolment> = ["Ann", "Bob", "Cid", "Dee", "Eve"]
        .map(|name| Enrolment { name: name.into(), ..Enrolment::default() })
        .into();
    desk.enroll(&people, Latecomer::AsRuled).expect("they enroll");
    desk.draw_lots().expect("lots are drawn");
    let mut log = store.load(desk.stream(), true).expect("it loads").log;
    let found = lots_again(&log);
    assert_eq!(found, [LotsAgain { seq: 7, draw: Some(1), holds: true }]);
    let Some((_, Event::LotsDrawn(lots))) = log.last_mut() else { panic!("no lots") };
    lots.order.swap(0, 1);
    assert!(!lots_again(&log)[0].holds);
}
