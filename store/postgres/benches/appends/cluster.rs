//! The same on a cluster of three nodes, which the program of the faults starts.

use super::{BYTES, SAME_SHAPE, batch, beside, hex, rate_of, script_of};
use rustix::process::{Pid, Signal, kill_process_group};
use scrutineer_engine::log::Head;
use scrutineer_engine::record::StreamId;
use scrutineer_postgres::{Address, PostgresLog};
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A cluster for as long as this is there.
struct Practised {
    child: Child,
    /// How nodes and the owner of the database reach it.
    nodes: String,
    owner: String,
}

impl Practised {
    /// Starts one; none where what it needs is not installed, which is said.
    fn start() -> Option<Practised> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args(["run", "-q", "-p", "scrutineer-power", "--bin", "failover", "--"]);
        command.arg("--practise").stdin(Stdio::null()).stdout(Stdio::piped()).process_group(0);
        let mut child = command.spawn().expect("cargo starts");
        let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let (mut nodes, mut owner) = (None, None);
        for line in lines.by_ref().map_while(Result::ok) {
            println!("{line}");
            match line.split_once(' ') {
                Some(("nodes", address)) => nodes = Some(address.trim().to_string()),
                Some(("owner", address)) => owner = Some(address.trim().to_string()),
                _ => {}
            }
            if nodes.is_some() && owner.is_some() {
                break;
            }
        }
        // What it says later is of no use here, and must not stand in its way.
        std::thread::spawn(move || lines.for_each(drop));
        match (nodes, owner) {
            (Some(nodes), Some(owner)) => Some(Practised { child, nodes, owner }),
            _ => {
                println!("skipped: no cluster starts here");
                let _ = child.wait();
                None
            }
        }
    }
}

impl Drop for Practised {
    fn drop(&mut self) {
        if let Some(group) = Pid::from_raw(i32::try_from(self.child.id()).unwrap_or_default()) {
            let _ = kill_process_group(group, Signal::INT);
        }
        let _ = self.child.wait();
    }
}

pub fn run(seconds: u64, rounds: usize) {
    let Some(cluster) = Practised::start() else { return };
    let connect = || postgres::Client::connect(&cluster.owner, postgres::NoTls);
    let mut client = connect().expect("the owner");
    client.batch_execute(SAME_SHAPE).expect("made");
    let waits: String = client.query_one("SHOW synchronous_commit", &[]).expect("asked").get(0);
    drop(client);
    println!("three nodes by way of HAProxy; synchronous_commit is {waits}: each commit is on two");
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("script.sql");
    let record = batch(StreamId([1; 16]), Head::EMPTY, 1, 1, BYTES).records.remove(0);
    std::fs::write(&script, script_of(&hex(record.bytes()))).expect("written");
    let address = Address::parse(&cluster.nodes).expect("an address");
    let open = |options| PostgresLog::open(address.clone(), options);
    let theirs = |writers, seconds| pgbench(&cluster.owner, &script, writers, seconds);
    beside(open, theirs, seconds, rounds, &mut 1);
}

fn pgbench(owner: &str, script: &Path, writers: usize, seconds: u64) -> f64 {
    let threads = if writers == 1 { "1" } else { "2" };
    let mut command = Command::new("pgbench");
    command.args(["-n", "-M", "prepared", "-j", threads, "-c", &writers.to_string()]);
    command.args(["-T", &seconds.to_string(), "-f"]).arg(script).arg(owner);
    let said = command.output().expect("pgbench starts");
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    rate_of(&String::from_utf8_lossy(&said.stdout))
}
