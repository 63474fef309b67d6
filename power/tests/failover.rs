//! A short run of the faults of a cluster, and a proof that it sees losses. The long run is
//! `cargo run -p scrutineer-power --bin failover`.
#![cfg(target_os = "linux")]

use scrutineer_power::cluster::{Cluster, missing};
use scrutineer_power::failover::audit::Found;
use scrutineer_power::failover::faults::Fault;
use scrutineer_power::failover::run;
use std::time::Duration;

fn loses_nothing(found: &Found) {
    assert!(found.acknowledged > 0);
    assert_eq!((found.lost, found.doubled, found.reordered), (0, 0, 0));
    assert!(found.faults.is_empty(), "{:#?}", found.faults);
}

/// One test, since a cluster takes its time to start.
#[test]
fn a_killed_primary_and_a_zombie_lose_nothing_unless_clients_choose_their_host() {
    let missing = missing();
    if !missing.is_empty() {
        let missing = missing.join(", ");
        assert!(
            std::env::var_os("SCRUTINEER_NO_SKIPS").is_none(),
            "not here: {missing}; and no test may be skipped"
        );
        eprintln!("skipped: a cluster of databases needs {missing}");
        return;
    }
    let mut cluster = Cluster::start(false, false).expect("a cluster");
    let calm = Duration::from_secs(1);

    let killed = run(&mut cluster, Fault::Primary, calm).expect("another takes over");
    assert_eq!(killed.failovers, 1);
    loses_nothing(&killed.found);

    let zombie = run(&mut cluster, Fault::Zombie, calm).expect("another takes over");
    assert_eq!(zombie.failovers, 1);
    loses_nothing(&zombie.found);
    let wandered = zombie.wandered.expect("somebody chose hosts at random");
    assert!(wandered.lost > 0, "no loss is seen where clients choose hosts at random");
}
