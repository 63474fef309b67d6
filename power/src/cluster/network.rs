//! A network namespace for each machine, on a bridge: so that one of them can be cut off.

use super::MACHINES;
use super::process::program;
use std::process::{Command, Stdio};

/// Three namespaces and a bridge.
pub struct Network {
    name: String,
    net: u8,
}

impl Network {
    /// Makes them; none where that is not allowed.
    pub fn new() -> Option<Network> {
        let id = std::process::id();
        let network = Network { name: format!("scr{}", id % 100_000), net: (id % 250) as u8 };
        network.make().then_some(network)
    }

    fn make(&self) -> bool {
        let Network { name, net } = self;
        let made = ip(&format!("link add {name} type bridge"))
            && ip(&format!("addr add 10.213.{net}.254/24 dev {name}"))
            && ip(&format!("link set {name} up"));
        made && MACHINES.into_iter().all(|machine| {
            let (space, link, address) =
                (self.space(machine), self.link(machine), self.address(machine));
            ip(&format!("netns add {space}"))
                && ip(&format!("link add {link} type veth peer name e0 netns {space}"))
                && ip(&format!("link set {link} master {name} up"))
                && ip(&format!("-n {space} addr add {address}/24 dev e0"))
                && ip(&format!("-n {space} link set e0 up"))
                && ip(&format!("-n {space} link set lo up"))
        })
    }

    /// The bridge; namespaces are called by it and a number from 1.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The namespace of a machine.
    pub fn space(&self, machine: usize) -> String {
        format!("{}{}", self.name, machine + 1)
    }

    /// The address of a machine.
    pub fn address(&self, machine: usize) -> String {
        format!("10.213.{}.{}", self.net, machine + 1)
    }

    fn link(&self, machine: usize) -> String {
        format!("{}v{}", self.name, machine + 1)
    }

    /// Drops every packet from and to a machine without a word, or lets them through.
    pub fn cut(&self, machine: usize, off: bool) -> bool {
        // 0 is "disabled", 3 is "forwarding".
        let state = if off { 0 } else { 3 };
        run("bridge", &format!("link set dev {} state {state}", self.link(machine)))
    }
}

fn ip(words: &str) -> bool {
    run("ip", words)
}

fn run(name: &str, words: &str) -> bool {
    let Some(program) = program(name) else { return false };
    let mut command = Command::new(program);
    command.args(words.split(' ')).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
