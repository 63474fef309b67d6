//! A store of many events, as benchmarks use it.

use super::{Rates, ruleset};
use scrutineer_desk::simulate::{play_into, store_of};
use scrutineer_desk::store::Store;
use scrutineer_desk::verify::verify_tournament;
use std::time::Instant;

/// Twenty events; `SCRUTINEER_TOURNAMENTS=50` plays a thousand, and says how long it took.
#[test]
fn a_folder_of_events_of_8_to_512_players() {
    let times = std::env::var("SCRUTINEER_TOURNAMENTS").ok().and_then(|times| times.parse().ok());
    let events = 20 * times.unwrap_or(1u32);
    let simulations = store_of(events, &[ruleset("mtr"), ruleset("hgbts")], 1);
    let sizes: Vec<u32> = simulations.iter().map(|simulation| simulation.players).collect();
    assert!(sizes.iter().all(|size| (8..=512).contains(size)), "{sizes:?}");
    assert!(simulations.iter().all(|simulation| simulation.rates == Rates::default()));
    let folder = tempfile::TempDir::new().expect("a folder");
    let store = Store::open(folder.path()).expect("a store");
    let begun = Instant::now();
    let played = play_into(&store, &simulations, 32).expect("played");
    let facts: u64 = played.iter().map(|event| event.counts.events).sum();
    let players: u32 = sizes.iter().sum();
    println!("{events} events, {players} players, {facts} facts in {:.1?}", begun.elapsed());
    assert_eq!(store.log().streams().expect("readable").len(), events as usize);
    for event in played.iter().take(20) {
        assert!(verify_tournament(&store, event.stream).expect("it is read").holds());
    }
}
