//! The faults.

use super::writers::{Door, Work};
use crate::cluster::{Cluster, MACHINES, nodes, wait};
use clap::ValueEnum;
use rustix::process::Signal;
use std::io;
use std::thread::sleep;
use std::time::Duration;

/// What happens to a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Fault {
    /// Another machine becomes the primary, as is planned.
    Switchover,
    /// `kill -9` of PostgreSQL on the primary: Patroni starts it again.
    Postgres,
    /// `kill -9` of Patroni and PostgreSQL on the primary, which are started again at once.
    Restarted,
    /// `kill -9` of Patroni and PostgreSQL on the primary.
    Primary,
    /// `kill -9` of Patroni and PostgreSQL on the synchronous standby.
    Standby,
    /// The same on both standbys; one is back after 20 s.
    Standbys,
    /// All of etcd is gone for 30 s.
    Etcd,
    /// The primary is cut off from the others, with writers on its side.
    Partition,
    /// `kill -9` of Patroni alone on the primary, whose PostgreSQL goes on; and writers that choose servers at
    /// random, which have to lose something.
    Zombie,
    /// The disk of the primary is full for 20 s.
    DiskFull,
    /// The primary is stopped, and resumed once another one is there.
    Stopped,
    /// The clocks of the standbys are an hour off, one ahead and one behind, when the primary is killed.
    Clocks,
    /// `kill -9` of nodes of Scrutineer in turn, which are started again, while orders come through them.
    Nodes,
    /// The same of two nodes, and of Patroni and PostgreSQL on the primary between them.
    NodesAndPrimary,
}

impl Fault {
    /// Why it can't be tried here; none if it can.
    pub fn hindrance(self, cluster: &Cluster) -> Option<&'static str> {
        match self {
            Fault::Partition if !cluster.is_apart() => Some("no network namespaces here"),
            Fault::DiskFull if !cluster.has_disks() => Some("nothing can be mounted here"),
            Fault::Nodes | Fault::NodesAndPrimary => nodes::hindrance(),
            _ => None,
        }
    }

    /// Does it, and mends what an operator would mend.
    ///
    /// # Errors
    /// Where the cluster does not do what it has to.
    pub fn strike(
        self,
        cluster: &mut Cluster,
        work: &Work,
        notes: &mut Vec<String>,
    ) -> io::Result<()> {
        let primary = cluster.primary().ok_or_else(|| io::Error::other("there is no primary"))?;
        let standbys = MACHINES.into_iter().filter(|machine| *machine != primary);
        let [first, second] = standbys.collect::<Vec<_>>()[..] else { unreachable!("three") };
        let synchronous = cluster.synchronous().unwrap_or(first);
        match self {
            Fault::Nodes | Fault::NodesAndPrimary => {
                return Err(io::Error::other("these writers do not come through nodes"));
            }
            Fault::Switchover => cluster.switch()?,
            Fault::Postgres => {
                cluster.kill_postgres(primary);
                sleep(Duration::from_secs(1));
            }
            Fault::Restarted => {
                cluster.kill(primary);
                cluster.start_patroni(primary, 0)?;
                sleep(Duration::from_secs(3));
            }
            Fault::Primary => {
                cluster.kill(primary);
                another(cluster, primary)?;
                cluster.start_patroni(primary, 0)?;
            }
            Fault::Standby => {
                cluster.kill(synchronous);
                sleep(Duration::from_secs(10));
                cluster.start_patroni(synchronous, 0)?;
            }
            Fault::Standbys => {
                cluster.kill(first);
                cluster.kill(second);
                sleep(Duration::from_secs(5));
                let before = work.acknowledged();
                sleep(Duration::from_secs(5));
                // An impatient operator: PostgreSQL then answers that it is done, with a warning that it is not.
                let cancel = "SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
                let canceled = cluster.ask(primary, cancel).map_err(io::Error::other)?;
                sleep(Duration::from_secs(10));
                let alone = work.acknowledged() - before;
                notes.push(format!(
                    "{alone} acknowledged without a standby, {canceled} waits were cancelled"
                ));
                if alone > 0 {
                    return Err(io::Error::other("commands were acknowledged that no standby has"));
                }
                cluster.start_patroni(first, 0)?;
                let before = work.acknowledged();
                wait(60, "writers get on with one standby", || work.acknowledged() > before)?;
                cluster.start_patroni(second, 0)?;
            }
            Fault::Etcd => {
                cluster.kill_etcd();
                let before = work.acknowledged();
                sleep(Duration::from_secs(30));
                notes.push(format!("{} acknowledged without etcd", work.acknowledged() - before));
                for machine in MACHINES {
                    cluster.start_etcd(machine)?;
                }
                sleep(Duration::from_secs(5));
            }
            Fault::Partition => {
                let address = cluster.by_proxy_on(primary)?.unwrap_or_default();
                work.join(Door::one(address.clone()));
                work.join(Door::one(address));
                sleep(Duration::from_secs(3));
                cluster.cut(primary, true);
                let moved = another(cluster, primary);
                sleep(Duration::from_secs(10));
                cluster.cut(primary, false);
                moved?;
            }
            Fault::Zombie => {
                forget_standby(cluster, primary, notes)?;
                cluster.kill_patroni(primary);
                // From now on nobody changes who may take over. The third machine's server goes on following the
                // zombie, as it does for a while anyway.
                let Some(next) = cluster.synchronous_by(first) else {
                    return Err(io::Error::other("Patroni was killed while it named no standby"));
                };
                let third = if next == first { second } else { first };
                cluster.signal_patroni(third, Signal::STOP);
                let moved = another(cluster, primary);
                sleep(Duration::from_secs(4));
                cluster.signal_patroni(third, Signal::CONT);
                cluster.start_patroni(primary, 0)?;
                moved?;
            }
            Fault::DiskFull => {
                if !cluster.fill_disk(primary, true) {
                    return Err(io::Error::other("the disk can't be filled"));
                }
                sleep(Duration::from_secs(5));
                let before = work.acknowledged();
                sleep(Duration::from_secs(15));
                notes.push(format!(
                    "{} acknowledged while it was full",
                    work.acknowledged() - before
                ));
                cluster.fill_disk(primary, false);
            }
            Fault::Stopped => {
                cluster.signal(primary, Signal::STOP);
                let moved = another(cluster, primary);
                sleep(Duration::from_secs(3));
                cluster.signal(primary, Signal::CONT);
                moved?;
            }
            Fault::Clocks => {
                for (machine, clock) in [(first, 3600), (second, -3600)] {
                    cluster.end(machine)?;
                    cluster.start_patroni(machine, clock)?;
                    wait(60, "the cluster is whole", || cluster.is_whole())?;
                }
                cluster.kill(primary);
                another(cluster, primary)?;
                cluster.start_patroni(primary, 0)?;
                cluster.heal()?;
                // Each gets the right time again as a standby.
                for machine in [first, second] {
                    if cluster.is_primary(machine) {
                        cluster.switch()?;
                    }
                    cluster.end(machine)?;
                    cluster.start_patroni(machine, 0)?;
                    wait(60, "the cluster is whole", || cluster.is_whole())?;
                }
            }
        }
        Ok(())
    }
}

pub(super) fn another(cluster: &Cluster, than: usize) -> io::Result<()> {
    wait(90, "another machine is the primary", || {
        MACHINES.into_iter().any(|one| one != than && cluster.is_primary(one))
    })
}

/// The state in which a primary acknowledges with any standby: Patroni names none for a while after it was
/// started again.
fn forget_standby(
    cluster: &mut Cluster,
    primary: usize,
    notes: &mut Vec<String>,
) -> io::Result<()> {
    cluster.kill_patroni(primary);
    cluster.start_patroni(primary, 0)?;
    let asked = |cluster: &Cluster| cluster.ask(primary, "SHOW synchronous_standby_names").ok();
    let is_any = wait(8, "any standby will do", || asked(cluster).as_deref() == Some("*"));
    notes.push(format!("any standby would do after Patroni's restart: {}", is_any.is_ok()));
    // Before Patroni says who may take over, nobody may.
    wait(60, "Patroni says who may take over", || cluster.synchronous().is_some())?;
    if asked(cluster).as_deref() != Some("*") {
        for change in
            ["ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()"]
        {
            cluster.ask(primary, change).map_err(io::Error::other)?;
        }
    }
    Ok(())
}
