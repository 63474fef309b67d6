//! Faults of a cluster while 16 desks write, and what of their commands is there afterwards.

pub mod audit;
pub mod faults;
mod orders;
pub mod streams;
pub mod writers;

use self::audit::Found;
use self::faults::Fault;
use self::writers::{Door, Work};
use crate::cluster::{Cluster, wait};
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

/// One fault, with calm before and after it.
///
/// # Errors
/// Where the cluster does not do what it has to, such as become whole again.
pub fn run(cluster: &mut Cluster, fault: Fault, calm: Duration) -> io::Result<Outcome> {
    if let Fault::Nodes | Fault::NodesAndPrimary = fault {
        return orders::run(cluster, fault, calm);
    }
    let (primary, timeline) = (cluster.primary(), cluster.timeline());
    let work = Work::start(Door::one(cluster.by_proxy()), WRITERS);
    let everywhere = || Door::any_of(crate::cluster::MACHINES.map(|one| cluster.directly(one)));
    let wanderers = (fault == Fault::Zombie).then(|| Work::start(everywhere(), WANDERERS));
    sleep(calm);
    let mut notes = Vec::new();
    let struck = fault.strike(cluster, &work, &mut notes);
    struck?;
    calm_down(cluster, calm, || work.acknowledged(), &mut notes)?;
    let log = Door::one(cluster.by_proxy()).open().ok_or_else(|| io::Error::other("no answer"))?;
    let found = audit::look(&log, work.end());
    let wandered = wanderers.map(|work| audit::look(&log, work.end()));
    let failovers = failovers(cluster, primary, timeline);
    Ok(Outcome { found, wandered, failovers, notes })
}

/// After a fault: the cluster becomes whole, and writers get on.
fn calm_down(
    cluster: &Cluster,
    calm: Duration,
    acknowledged: impl Fn() -> u64,
    notes: &mut Vec<String>,
) -> io::Result<()> {
    let since = Instant::now();
    let healed = cluster.heal()?;
    // Else any standby's word would be enough, and not only that of the one who may be promoted.
    wait(30, "the primary has named its standby", || cluster.names_its_standby())?;
    if !healed.is_empty() {
        notes.push(format!("copied anew: {}", healed.join(", ")));
    }
    sleep(calm.saturating_sub(since.elapsed()));
    // Somebody who writes has to get on after everything, or there is nothing to look at.
    let before = acknowledged();
    wait(60, "writers get on", || acknowledged() > before)
}

/// How often another machine became the primary since. A primary that starts again after a crash begins a
/// timeline, too.
fn failovers(cluster: &Cluster, primary: Option<usize>, timeline: u64) -> u64 {
    match cluster.timeline() - timeline {
        1 if cluster.primary() == primary => 0,
        rises => rises,
    }
}
