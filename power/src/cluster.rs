//! A cluster on this machine, as `deploy/` describes it: three etcd, three Patroni with their PostgreSQL, and
//! HAProxy before them.
//!
//! Everything lies in one folder and ends with the value, however this program ends: a shell waits for the
//! pipe that it holds, and ends every process that works in the folder.

pub mod network;
pub mod process;

use self::network::Network;
use self::process::{Undertaker, is_root, of_folder, signal, spawn};
use rustix::process::Signal;
use serde_json::Value;
use std::fs;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The machines, by their places.
pub const MACHINES: [usize; 3] = [0, 1, 2];

const SUPERUSER: &str = "of-the-owner";
const ROLE: &str = "of-the-server";

/// One machine: an etcd and a Patroni with its PostgreSQL.
struct Machine {
    name: String,
    address: String,
    etcd: u16,
    peer: u16,
    rest: u16,
    postgres: u16,
}

/// A running cluster.
pub struct Cluster {
    folder: PathBuf,
    programs: PathBuf,
    machines: Vec<Machine>,
    network: Option<Network>,
    /// The first machine's data has a small disk of its own.
    has_disk: bool,
    proxy: u16,
    children: Vec<(PathBuf, Child)>,
    /// Ends everything when it is dropped.
    _undertaker: Undertaker,
}

/// What Patroni says of a machine.
pub struct Member {
    /// Its place.
    pub machine: usize,
    /// `leader`, `sync_standby` or `replica`.
    pub role: String,
    state: String,
    timeline: u64,
}

/// What a cluster needs and is not here; empty: it can run.
pub fn missing() -> Vec<&'static str> {
    let there = |name: &str| process::program(name).is_some();
    let mut missing: Vec<_> =
        ["patroni", "etcd", "haproxy", "setpriv"].into_iter().filter(|name| !there(name)).collect();
    if postgres().is_none() {
        missing.push("PostgreSQL");
    }
    missing
}

impl Cluster {
    /// Starts a cluster, and waits until a synchronous standby is chosen. With `apart` each machine has a
    /// network namespace and the first one a disk of its own, where that is allowed; `keeps` leaves the folder
    /// there, with everybody's logs.
    ///
    /// # Errors
    /// Where something does not start.
    pub fn start(apart: bool, keeps: bool) -> io::Result<Cluster> {
        let folder = tempfile::Builder::new().prefix("scrutineer-cluster-").tempdir()?.keep();
        let network = if apart && is_root() { Network::new() } else { None };
        if keeps {
            println!("kept in {}", folder.display());
        }
        let undertaker = Undertaker::new(&folder, network.as_ref(), keeps)?;
        let programs = postgres().ok_or_else(|| io::Error::other("there is no PostgreSQL"))?;
        let mut ports = ports(13)?.into_iter();
        let mut port = || ports.next().unwrap_or_default();
        let machine = |place: usize| Machine {
            name: format!("n{}", place + 1),
            address: network.as_ref().map_or("127.0.0.1".into(), |network| network.address(place)),
            etcd: port(),
            peer: port(),
            rest: port(),
            postgres: port(),
        };
        let machines = MACHINES.map(machine).into();
        let (children, proxy) = (Vec::new(), port());
        let mut cluster = Cluster {
            folder,
            programs,
            machines,
            network,
            has_disk: false,
            proxy,
            children,
            _undertaker: undertaker,
        };
        cluster.lay_out(apart)?;
        for machine in MACHINES {
            cluster.start_etcd(machine)?;
        }
        for machine in MACHINES {
            cluster.start_patroni(machine, None)?;
        }
        cluster.start_proxy(None)?;
        wait(90, "the cluster is whole", || cluster.is_whole())?;
        cluster.make_database()?;
        Ok(cluster)
    }

    /// Folders and configurations.
    fn lay_out(&mut self, apart: bool) -> io::Result<()> {
        for machine in MACHINES {
            fs::create_dir_all(self.data(machine).with_file_name(""))?;
            fs::create_dir_all(self.etcd_folder(machine))?;
            if machine == 0 && apart && is_root() {
                self.has_disk = process::mount(&self.folder.join("disk"), &self.disk());
            }
            let patroni = self.fill(machine, include_str!("../../deploy/patroni.yml"))?;
            fs::write(self.node(machine).join("patroni.yml"), patroni)?;
            let etcd = self.fill(machine, include_str!("../../deploy/etcd.yml"))?;
            fs::write(self.etcd_folder(machine).join("etcd.yml"), etcd)?;
        }
        fs::create_dir_all(self.folder.join("proxy"))?;
        process::give_to_postgres(&self.folder)
    }

    /// A template of `deploy/` with the values of a machine.
    fn fill(&self, machine: usize, template: &str) -> io::Result<String> {
        let it = &self.machines[machine];
        let etcds = |scheme: &str, port: fn(&Machine) -> u16| {
            let all = self.machines.iter().map(|other| {
                let named = if scheme.is_empty() { "" } else { &other.name };
                let sign = if scheme.is_empty() { "" } else { "=" };
                format!("{named}{sign}{scheme}{}:{}", other.address, port(other))
            });
            all.collect::<Vec<_>>().join(",")
        };
        let node = self.node(machine);
        let mut filled = template.to_string();
        let mut put = |name: &str, value: &str| {
            filled = filled.replace(&format!("${{{name}}}"), value);
        };
        put("NAME", &it.name);
        put("ADDRESS", &it.address);
        put("NETWORK", if self.network.is_some() { "10.0.0.0/8" } else { "127.0.0.1/32" });
        put("ETCD_DATA", &self.etcd_folder(machine).join("data").to_string_lossy());
        put("ETCD_PORT", &it.etcd.to_string());
        put("ETCD_PEER_PORT", &it.peer.to_string());
        put("ETCD_CLUSTER", &etcds("http://", |machine| machine.peer));
        put("ETCD_HOSTS", &etcds("", |machine| machine.etcd));
        put("REST_PORT", &it.rest.to_string());
        put("PG_PORT", &it.postgres.to_string());
        put("PG_DATA", &self.data(machine).to_string_lossy());
        put("PG_BIN", &self.programs.to_string_lossy());
        put("RUN", &node.to_string_lossy());
        put("SHARED_BUFFERS", "128MB");
        put("ARCHIVE_COMMAND", "true");
        for name in ["SUPERUSER_PASSWORD", "REPLICATION_PASSWORD", "REWIND_PASSWORD"] {
            put(name, SUPERUSER);
        }
        for other in &self.machines {
            let name = other.name.to_uppercase();
            put(&name, &other.address);
            put(&format!("{name}_PG_PORT"), &other.postgres.to_string());
            put(&format!("{name}_REST_PORT"), &other.rest.to_string());
        }
        Ok(filled)
    }

    fn node(&self, machine: usize) -> PathBuf {
        self.folder.join(&self.machines[machine].name)
    }

    fn etcd_folder(&self, machine: usize) -> PathBuf {
        self.folder.join(format!("e{}", machine + 1))
    }

    fn disk(&self) -> PathBuf {
        self.node(0).join("disk")
    }

    fn data(&self, machine: usize) -> PathBuf {
        self.node(machine).join("disk/data")
    }

    /// Starts a program in one of the folders; on a machine of its own where there are such.
    fn run(&mut self, folder: &Path, on: Option<usize>, command: &[&str]) -> io::Result<()> {
        let space = self.network.as_ref().zip(on).map(|(network, machine)| network.space(machine));
        let child = spawn(folder, space.as_deref(), command)?;
        self.children.push((folder.into(), child));
        Ok(())
    }

    /// Starts etcd on a machine.
    ///
    /// # Errors
    /// Where the program is not there.
    pub fn start_etcd(&mut self, machine: usize) -> io::Result<()> {
        let folder = self.etcd_folder(machine);
        self.run(&folder, Some(machine), &["etcd", "--config-file", "etcd.yml"])
    }

    /// Starts Patroni on a machine, whose clocks differ where that is asked for: `+1h`.
    ///
    /// # Errors
    /// Where the program is not there.
    pub fn start_patroni(&mut self, machine: usize, clock: Option<&str>) -> io::Result<()> {
        let folder = self.node(machine);
        let Some(clock) = clock else {
            return self.run(&folder, Some(machine), &["patroni", "patroni.yml"]);
        };
        let faketime = process::faketime().ok_or_else(|| io::Error::other("no faketime"))?;
        let (preload, clock) = (format!("LD_PRELOAD={faketime}"), format!("FAKETIME={clock}"));
        let steady = "DONT_FAKE_MONOTONIC=1";
        let command = ["env", &preload, &clock, steady, "patroni", "patroni.yml"];
        self.run(&folder, Some(machine), &command)
    }

    /// Starts HAProxy: beside the machines, or on one of them, to be reached by a socket.
    fn start_proxy(&mut self, on: Option<usize>) -> io::Result<()> {
        let (folder, listen) = match on {
            None => (self.folder.join("proxy"), format!("127.0.0.1:{}", self.proxy)),
            Some(machine) => {
                let folder = self.node(machine).join("proxy");
                let socket = folder.join(".s.PGSQL.5432");
                (folder, format!("unix@{} mode 777", socket.display()))
            }
        };
        fs::create_dir_all(&folder)?;
        process::give_to_postgres(&folder)?;
        let filled = self.fill(0, include_str!("../../deploy/haproxy.cfg"))?;
        fs::write(folder.join("haproxy.cfg"), filled.replace("${LISTEN}", &listen))?;
        self.run(&folder, on, &["haproxy", "-db", "-f", "haproxy.cfg"])
    }

    fn make_database(&self) -> io::Result<()> {
        let owner = |database: &str| {
            let mut config = self.by_proxy();
            config.user("postgres").password(SUPERUSER).dbname(database);
            config
        };
        let mut done = Ok(());
        wait(30, "HAProxy has found the primary", || {
            done = owner("postgres").connect(postgres::NoTls).and_then(|mut client| {
                client.batch_execute(&format!(
                    "CREATE ROLE scrutineer LOGIN CREATEROLE PASSWORD '{ROLE}'; \
                     CREATE ROLE scrutineer_node LOGIN PASSWORD '{ROLE}'"
                ))?;
                client.batch_execute("CREATE DATABASE scrutineer OWNER scrutineer")
            });
            done.is_ok()
        })
    }

    /// How clients reach the database: through HAProxy.
    pub fn by_proxy(&self) -> postgres::Config {
        config("127.0.0.1", self.proxy)
    }

    /// How clients on a machine's side of the network reach it: through a HAProxy there. None where
    /// machines share one network.
    ///
    /// # Errors
    /// Where it does not start.
    pub fn by_proxy_on(&mut self, machine: usize) -> io::Result<Option<postgres::Config>> {
        if self.network.is_none() {
            return Ok(None);
        }
        self.start_proxy(Some(machine))?;
        let folder = self.node(machine).join("proxy");
        wait(10, "HAProxy listens", || folder.join(".s.PGSQL.5432").exists())?;
        Ok(Some(config(&folder.to_string_lossy(), 5432)))
    }

    /// How a client that does as nobody should reaches one server.
    pub fn directly(&self, machine: usize) -> postgres::Config {
        config(&self.machines[machine].address, self.machines[machine].postgres)
    }

    /// Asks a server something as its owner.
    ///
    /// # Errors
    /// Where it does not answer.
    pub fn ask(&self, machine: usize, statement: &str) -> Result<String, postgres::Error> {
        let mut config = self.directly(machine);
        config.user("postgres").password(SUPERUSER).dbname("postgres");
        let answers = config.connect(postgres::NoTls)?.simple_query(statement)?;
        let row = answers.into_iter().find_map(|answer| match answer {
            postgres::SimpleQueryMessage::Row(row) => Some(row.get(0).unwrap_or("").to_string()),
            _ => None,
        });
        Ok(row.unwrap_or_default())
    }

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
        let answer = self.get(machine, "/cluster").and_then(|body| serde_json::from_str(&body).ok());
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

    /// Another machine becomes the primary, as is planned.
    ///
    /// # Errors
    /// Where it does not within a minute.
    pub fn switch_to(&self, machine: usize) -> io::Result<()> {
        if self.primary() != Some(machine) {
            self.patronictl(&["switchover", "scrutineer", "--force", "--candidate", &self.machines[machine].name])?;
        }
        wait(60, "the switchover is done", || self.primary() == Some(machine) && self.is_whole())
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

    /// Kills everything of a machine but its etcd.
    pub fn kill(&mut self, machine: usize) {
        self.signal(machine, Signal::KILL);
        self.reap(machine);
    }

    /// Stops, resumes or kills everything of a machine but its etcd.
    pub fn signal(&self, machine: usize, what: Signal) {
        of_folder(&self.node(machine)).into_iter().for_each(|pid| signal(pid, what));
    }

    /// Kills PostgreSQL of a machine; Patroni lives on.
    pub fn kill_postgres(&self, machine: usize) {
        of_folder(&self.data(machine)).into_iter().for_each(|pid| signal(pid, Signal::KILL));
    }

    /// Kills Patroni of a machine; PostgreSQL lives on.
    pub fn kill_patroni(&mut self, machine: usize) {
        let folder = self.node(machine);
        let mine = self.children.iter().filter(|(of, _)| *of == folder);
        mine.for_each(|(_, child)| process::kill_child(child));
        self.reap(machine);
    }

    /// Ends a machine's Patroni and PostgreSQL in order.
    ///
    /// # Errors
    /// Where they do not end within a minute.
    pub fn end(&mut self, machine: usize) -> io::Result<()> {
        let folder = self.node(machine);
        let mine = self.children.iter().filter(|(of, _)| *of == folder);
        mine.for_each(|(_, child)| process::end_child(child));
        let data = self.data(machine);
        wait(60, "PostgreSQL has ended", || of_folder(&data).is_empty())?;
        self.reap(machine);
        Ok(())
    }

    /// Kills etcd everywhere.
    pub fn kill_etcd(&mut self) {
        for machine in MACHINES {
            of_folder(&self.etcd_folder(machine)).into_iter().for_each(|pid| signal(pid, Signal::KILL));
        }
    }

    /// Forgets children of a machine that have ended.
    fn reap(&mut self, machine: usize) {
        let folder = self.node(machine);
        sleep(Duration::from_millis(100));
        self.children.retain_mut(|(of, child)| *of != folder || matches!(child.try_wait(), Ok(None)));
    }

    /// Cuts a machine off from the others and from us, or lets it back; false where machines share one
    /// network.
    pub fn cut(&self, machine: usize, off: bool) -> bool {
        self.network.as_ref().is_some_and(|network| network.cut(machine, off))
    }

    /// Fills the first machine's disk, or frees it; false where it has none of its own.
    pub fn fill_disk(&self, full: bool) -> bool {
        self.has_disk && process::fill(&self.disk().join("ballast"), full)
    }

    /// Whether the first machine has a disk of its own.
    pub fn has_disk(&self) -> bool {
        self.has_disk
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

    /// How somebody who practises gets at it.
    pub fn introduction(&self) -> String {
        let config = self.node(0).join("patroni.yml");
        let proxy = self.proxy;
        let mut text = format!(
            "folder        {}\n\
             through HAProxy  postgres://scrutineer_node:{ROLE}@127.0.0.1:{proxy}/scrutineer\n\
             the owner        postgres://scrutineer:{ROLE}@127.0.0.1:{proxy}/scrutineer\n\
             patronictl -c {} list\n",
            self.folder.display(),
            config.display()
        );
        for machine in MACHINES {
            let it = &self.machines[machine];
            let (name, address, port) = (&it.name, &it.address, it.postgres);
            let data = self.data(machine);
            let postgres = format!("postgres://postgres:{SUPERUSER}@{address}:{port}/postgres");
            text += &format!("{name}  {postgres}  {}\n", data.display());
        }
        text
    }
}

/// Waits until something holds, at most some seconds.
///
/// # Errors
/// Where it does not.
pub fn wait(seconds: u64, what: &str, mut holds: impl FnMut() -> bool) -> io::Result<()> {
    let since = Instant::now();
    while !holds() {
        if since.elapsed() > Duration::from_secs(seconds) {
            return Err(io::Error::other(format!("waited {seconds} s in vain until {what}")));
        }
        sleep(Duration::from_millis(200));
    }
    Ok(())
}

fn config(host: &str, port: u16) -> postgres::Config {
    let mut config = postgres::Config::new();
    config.host(host).port(port).user("scrutineer").password(ROLE).dbname("scrutineer");
    config.connect_timeout(Duration::from_secs(5)).tcp_user_timeout(Duration::from_secs(15));
    config
}

/// Free ports; they are held until all are known.
fn ports(count: usize) -> io::Result<Vec<u16>> {
    let held: io::Result<Vec<_>> = (0..count).map(|_| TcpListener::bind("127.0.0.1:0")).collect();
    held?.iter().map(|one| Ok(one.local_addr()?.port())).collect()
}

/// Where the newest PostgreSQL is; Debian puts it nowhere on the path.
fn postgres() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").ok()?;
    let folders = versions.filter_map(|version| Some(version.ok()?.path().join("bin")));
    let number = |folder: &Path| folder.parent()?.file_name()?.to_str()?.parse::<u32>().ok();
    folders.filter(|folder| folder.join("initdb").exists()).max_by_key(|folder| number(folder))
}
