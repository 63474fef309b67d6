//! Faults of a cluster while 16 desks write, and what of their commands is there afterwards.

pub mod audit;
pub mod faults;
pub mod writers;

use self::audit::Found;
use self::faults::Fault;
use self::writers::{Door, Work};
use crate::cluster::{Cluster, wait};
use scrutineer_postgres::PostgresLog;
use std::io;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Writers through HAProxy, two for a stream.
pub const WRITERS: u32 = 16;
/// Writers that choose among all servers at random, as nobody should.
const WANDERERS: u32 = 4;

/// What came of a fault.
pub struct Outcome {
    /// Of those who came through HAProxy.
    pub found: Found,
    /// Of those who chose hosts at random; none where nobody did.
    pub wandered: Option<Found>,
    /// How often another machine became the primary.
    pub failovers: u64,
    /// What else is worth saying.
    pub notes: Vec<String>,
}

/// Puts the tables where they belong.
///
/// # Errors
/// Where the database does not answer.
pub fn prepare(cluster: &Cluster) -> io::Result<()> {
    PostgresLog::open(cluster.by_proxy()).map(drop).map_err(io::Error::other)
}

/// One fault, with calm before and after it.
///
/// # Errors
/// Where the cluster does not do what it has to, such as become whole again.
pub fn run(cluster: &mut Cluster, fault: Fault, calm: Duration) -> io::Result<Outcome> {
    let timeline = cluster.timeline();
    let work = Work::start(Door::one(cluster.by_proxy()), WRITERS);
    let everywhere = || Door::any_of(crate::cluster::MACHINES.map(|one| cluster.directly(one)));
    let wanderers = (fault == Fault::Zombie).then(|| Work::start(everywhere(), WANDERERS));
    sleep(calm);
    let mut notes = Vec::new();
    let struck = fault.strike(cluster, &work, &mut notes);
    let since = Instant::now();
    let healed = struck.and_then(|()| cluster.heal());
    let healed = healed?;
    if !healed.is_empty() {
        notes.push(format!("copied anew: {}", healed.join(", ")));
    }
    sleep(calm.saturating_sub(since.elapsed()));
    // Somebody who writes has to get on after everything, or there is nothing to look at.
    let before = work.acknowledged();
    wait(60, "writers get on", || work.acknowledged() > before)?;
    let log = PostgresLog::open(cluster.by_proxy()).map_err(io::Error::other)?;
    let found = audit::look(&log, work.end());
    let wandered = wanderers.map(|work| audit::look(&log, work.end()));
    Ok(Outcome { found, wandered, failovers: cluster.timeline() - timeline, notes })
}
