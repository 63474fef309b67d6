//! What Patroni says of a cluster, and what it is told.

use super::process::spawn;
use super::{Cluster, MACHINES, wait};
use serde_json::Value;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// What Patroni says of a machine.
pub struct Member {
    /// Its place.
    pub machine: usize,
    /// `leader`, `sync_standby` or `replica`.
    pub role: String,
    state: String,
    timeline: u64,
}

impl Cluster {
    /// The primary, as Patroni on the machines says.
    pub fn primary(&self) -> Option<usize> {
        MACHINES.into_iter().find(|machine| self.is_primary(*machine))
    }

    /// Whether a machine is the primary, as its Patroni says.
    pub fn is_primary(&self, machine: usize) -> bool {
        self.get(machine, "/primary").is_some()
    }

    /// Whether each machine has a network of its own.
    pub fn is_apart(&self) -> bool {
        self.network.is_some()
    }

    /// Everything that Patroni on a machine says of the cluster.
    pub fn members(&self, machine: usize) -> Vec<Member> {
        let answer =
            self.get(machine, "/cluster").and_then(|body| serde_json::from_str(&body).ok());
        let members = answer.as_ref().and_then(|answer: &Value| answer["members"].as_array());
        let text = |value: &Value| value.as_str().unwrap_or("").to_string();
        let member = |member: &Value| {
            let name = text(&member["name"]);
            Some(Member {
                machine: self.machines.iter().position(|machine| machine.name == name)?,
                role: text(&member["role"]),
                state: text(&member["state"]),
                timeline: member["timeline"].as_u64().unwrap_or(0),
            })
        };
        members.into_iter().flatten().filter_map(member).collect()
    }

    /// The timeline of the primary: it rises by one with each failover.
    pub fn timeline(&self) -> u64 {
        let members = self.primary().map(|primary| self.members(primary)).unwrap_or_default();
        members.iter().map(|member| member.timeline).max().unwrap_or(0)
    }

    /// Whether all three run on one timeline, and one is a synchronous standby.
    pub fn is_whole(&self) -> bool {
        let Some(primary) = self.primary() else { return false };
        let members = self.members(primary);
        let runs = |member: &Member| matches!(&*member.state, "running" | "streaming");
        members.len() == MACHINES.len()
            && members.iter().all(|member| runs(member) && member.timeline == members[0].timeline)
            && members.iter().any(|member| member.role == "sync_standby")
    }

    /// Waits until the cluster is whole; a machine that does not find back by itself gets a new copy, as
    /// `docs/OPERATIONS.md` says. Returns which ones did.
    ///
    /// # Errors
    /// Where it does not become whole.
    pub fn heal(&self) -> io::Result<Vec<String>> {
        if wait(60, "whole", || self.is_whole()).is_ok() {
            return Ok(Vec::new());
        }
        let primary = self.primary().ok_or_else(|| io::Error::other("there is no primary"))?;
        let members = self.members(primary);
        let lost = members.iter().filter(|member| {
            member.timeline != members.iter().map(|other| other.timeline).max().unwrap_or(0)
                || !matches!(&*member.state, "running" | "streaming")
        });
        let lost: Vec<_> = lost.map(|member| self.machines[member.machine].name.clone()).collect();
        for name in &lost {
            self.patronictl(&["reinit", "scrutineer", name, "--force"])?;
        }
        wait(90, "the cluster is whole", || self.is_whole())?;
        Ok(lost)
    }

    /// The synchronous standby.
    pub fn synchronous(&self) -> Option<usize> {
        self.synchronous_by(self.primary()?)
    }

    /// The same, as Patroni on a machine says.
    pub fn synchronous_by(&self, machine: usize) -> Option<usize> {
        let members = self.members(machine);
        members.iter().find(|member| member.role == "sync_standby").map(|member| member.machine)
    }

    /// Whether the primary waits for one standby by name.
    pub fn names_its_standby(&self) -> bool {
        let asked =
            self.primary().and_then(|it| self.ask(it, "SHOW synchronous_standby_names").ok());
        asked.is_some_and(|names| !names.is_empty() && names != "*")
    }

    /// The synchronous standby becomes the primary, as is planned: no other one may.
    ///
    /// # Errors
    /// Where it does not within a minute.
    pub fn switch(&self) -> io::Result<()> {
        let Some(next) = self.synchronous() else {
            return Err(io::Error::other("there is no synchronous standby"));
        };
        let name = &self.machines[next].name;
        self.patronictl(&["switchover", "scrutineer", "--force", "--candidate", name])?;
        wait(60, "the switchover is done", || self.is_primary(next) && self.is_whole())
    }

    fn patronictl(&self, words: &[&str]) -> io::Result<()> {
        let config = self.node(0).join("patroni.yml");
        let mut command = vec!["patronictl", "-c"];
        let config = config.to_string_lossy();
        command.push(&config);
        command.extend(words);
        let log = self.folder.join("proxy");
        spawn(&log, None, &command)?.wait().map(drop)
    }

    fn get(&self, machine: usize, path: &str) -> Option<String> {
        let it = &self.machines[machine];
        let address = format!("{}:{}", it.address, it.rest).parse().ok()?;
        let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(1)).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(2))).ok()?;
        write!(stream, "GET {path} HTTP/1.0\r\n\r\n").ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        let (head, body) = answer.split_once("\r\n\r\n")?;
        head.split(' ').nth(1)?.starts_with('2').then(|| body.to_string())
    }
}
