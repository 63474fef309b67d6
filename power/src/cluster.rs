//! A cluster on this machine, as `deploy/` describes it: three etcd, three Patroni with their PostgreSQL, and
//! HAProxy before them.
//!
//! Everything lies in one folder and ends with the value, however this program ends: a shell waits for the
//! pipe that it holds, and ends every process that works in the folder.

mod layout;
pub mod network;
pub mod nodes;
pub mod patroni;
pub mod process;

use self::network::Network;
use self::process::{Undertaker, is_root, of_folder, signal, spawn};
use rustix::process::Signal;
use scrutineer_postgres::{Address, DatabaseError, migrate};
use std::fs;
use std::io;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The machines, by their places.
pub const MACHINES: [usize; 3] = [0, 1, 2];

const SUPERUSER: &str = "of-the-owner";
const ROLE: &str = "of-the-server";
const DATABASE: &str = "scrutineer";

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
    /// The data of each machine has a small disk of its own.
    has_disks: bool,
    /// Whether WAL is archived: somebody practises how to bring it back.
    archives: bool,
    proxy: u16,
    children: Vec<(PathBuf, Child)>,
    /// Ends everything when it is dropped.
    _undertaker: Undertaker,
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
    /// network namespace and a disk of its own, where that is allowed; `keeps` leaves the folder
    /// there, with everybody's logs.
    ///
    /// # Errors
    /// Where something does not start.
    pub fn start(apart: bool, keeps: bool) -> io::Result<Cluster> {
        Cluster::begin(apart, keeps, false)
    }

    /// Starts a cluster for somebody who practises: it archives its WAL, and its machines are stopped and started
    /// with a script in the folder.
    ///
    /// # Errors
    /// Where something does not start.
    pub fn to_practise(keeps: bool) -> io::Result<Cluster> {
        Cluster::begin(false, keeps, true)
    }

    fn begin(apart: bool, keeps: bool, archives: bool) -> io::Result<Cluster> {
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
            has_disks: false,
            archives,
            proxy,
            children,
            _undertaker: undertaker,
        };
        cluster.lay_out(apart)?;
        for machine in MACHINES {
            cluster.start_etcd(machine)?;
        }
        for machine in MACHINES {
            cluster.start_patroni(machine, 0)?;
        }
        cluster.start_proxy(None)?;
        // A few seconds; minutes where the machine has much else to do.
        wait(240, "the cluster is whole", || cluster.is_whole())?;
        cluster.make_database()?;
        Ok(cluster)
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

    /// Starts Patroni on a machine, whose clock is so many seconds off.
    ///
    /// # Errors
    /// Where the program is not there.
    pub fn start_patroni(&mut self, machine: usize, clock: i64) -> io::Result<()> {
        let folder = self.node(machine);
        if clock == 0 {
            return self.run(&folder, Some(machine), &["patroni", "patroni.yml"]);
        }
        let preload = format!("LD_PRELOAD={}", self.folder.join("clock.so").display());
        let clock = format!("SCRUTINEER_CLOCK={clock}");
        self.run(&folder, Some(machine), &["env", &preload, &clock, "patroni", "patroni.yml"])
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

    /// The database, its owner, and the login of nodes.
    fn make_database(&self) -> io::Result<()> {
        let primary = self.primary().ok_or_else(|| io::Error::other("there is no primary"))?;
        let lines = include_str!("../../deploy/roles.sql").lines();
        let lines = lines.filter(|line| !line.starts_with("--") && !line.starts_with('\\'));
        let password = format!("'{ROLE}'");
        for statement in lines {
            let statement = statement.replace(":'owner_password'", &password);
            let statement = statement.replace(":'node_password'", &password);
            self.ask(primary, &statement).map_err(io::Error::other)?;
        }
        self.make_tables(DATABASE).map(drop)
    }

    /// A new database with tables; returns how nodes reach it.
    ///
    /// # Errors
    /// Where there is no primary, or it is not reached.
    pub fn another_database(&self, name: &str) -> io::Result<String> {
        let primary = self.primary().ok_or_else(|| io::Error::other("there is no primary"))?;
        let statement = format!("CREATE DATABASE {name} OWNER scrutineer_owner");
        self.ask(primary, &statement).map_err(io::Error::other)?;
        self.make_tables(name)
    }

    /// The tables of a database; returns how nodes reach it.
    fn make_tables(&self, name: &str) -> io::Result<String> {
        let reached = address("127.0.0.1", self.proxy, name);
        let owner = Address::parse(&as_owner(&reached)).map_err(io::Error::other)?;
        let mut migrated = Ok(());
        wait(30, "HAProxy has found the primary", || {
            migrated = migrate(&owner).map(drop);
            !matches!(migrated, Err(DatabaseError::Unreachable { .. }))
        })?;
        migrated.map_err(io::Error::other)?;
        Ok(reached)
    }

    /// How clients reach the database: through HAProxy.
    pub fn by_proxy(&self) -> String {
        address("127.0.0.1", self.proxy, DATABASE)
    }

    /// How clients on a machine's side of the network reach it: through a HAProxy there. None where
    /// machines share one network.
    ///
    /// # Errors
    /// Where it does not start.
    pub fn by_proxy_on(&mut self, machine: usize) -> io::Result<Option<String>> {
        if self.network.is_none() {
            return Ok(None);
        }
        self.start_proxy(Some(machine))?;
        let folder = self.node(machine).join("proxy");
        wait(10, "HAProxy listens", || folder.join(".s.PGSQL.5432").exists())?;
        Ok(Some(address(&folder.to_string_lossy().replace('/', "%2F"), 5432, DATABASE)))
    }

    /// How a client that does as nobody should reaches one server.
    pub fn directly(&self, machine: usize) -> String {
        address(&self.machines[machine].address, self.machines[machine].postgres, DATABASE)
    }

    /// How the owner of the database reaches it.
    pub fn owner(&self) -> String {
        as_owner(&self.by_proxy())
    }

    /// Asks a server something as its owner.
    ///
    /// # Errors
    /// Where it does not answer.
    pub fn ask(&self, machine: usize, statement: &str) -> Result<String, postgres::Error> {
        let it = &self.machines[machine];
        let mut config = postgres::Config::new();
        config.host(&it.address).port(it.postgres).user("postgres").password(SUPERUSER);
        config.dbname("postgres").connect_timeout(Duration::from_secs(5));
        let answers = config.connect(postgres::NoTls)?.simple_query(statement)?;
        let row = answers.into_iter().find_map(|answer| match answer {
            postgres::SimpleQueryMessage::Row(row) => Some(row.get(0).unwrap_or("").to_string()),
            _ => None,
        });
        Ok(row.unwrap_or_default())
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
        self.signal_patroni(machine, Signal::KILL);
        self.reap(machine);
    }

    /// Ends a machine's Patroni and PostgreSQL in order.
    ///
    /// # Errors
    /// Where they do not end within a minute.
    pub fn end(&mut self, machine: usize) -> io::Result<()> {
        self.signal_patroni(machine, Signal::TERM);
        let (node, data) = (self.node(machine), self.data(machine));
        wait(60, "PostgreSQL and Patroni have ended", || {
            let mut mine = self.children.iter_mut().filter(|(of, _)| *of == node);
            mine.all(|(_, child)| matches!(child.try_wait(), Ok(Some(_))))
                && of_folder(&data).is_empty()
        })
    }

    /// A signal for Patroni of a machine; PostgreSQL goes on.
    pub fn signal_patroni(&self, machine: usize, what: Signal) {
        let folder = self.node(machine);
        let mine = self.children.iter().filter(|(of, _)| *of == folder);
        mine.for_each(|(_, child)| process::signal_child(child, what));
    }

    /// Kills etcd everywhere.
    pub fn kill_etcd(&mut self) {
        for machine in MACHINES {
            of_folder(&self.etcd_folder(machine))
                .into_iter()
                .for_each(|pid| signal(pid, Signal::KILL));
        }
    }

    /// Forgets children of a machine that have ended.
    fn reap(&mut self, machine: usize) {
        let folder = self.node(machine);
        sleep(Duration::from_millis(100));
        self.children
            .retain_mut(|(of, child)| *of != folder || matches!(child.try_wait(), Ok(None)));
    }

    /// Cuts a machine off from the others and from us, or lets it back; false where machines share one
    /// network.
    pub fn cut(&self, machine: usize, off: bool) -> bool {
        self.network.as_ref().is_some_and(|network| network.cut(machine, off))
    }

    /// Fills a machine's disk, or frees it; false where it has none of its own.
    pub fn fill_disk(&self, machine: usize, full: bool) -> bool {
        self.has_disks && process::fill(&self.data(machine).with_file_name("ballast"), full)
    }

    /// Whether each machine has a disk of its own.
    pub fn has_disks(&self) -> bool {
        self.has_disks
    }

    /// How somebody who practises gets at it: addresses, logs, the archive, and how a machine is stopped.
    pub fn introduction(&self) -> String {
        let shown = |path: PathBuf| path.display().to_string();
        let folder = shown(self.folder.clone());
        let first = &self.machines[0].name;
        let mut text = format!(
            "folder   {folder}\nnodes    {}\nowner    {}\narchive  {}\n\n\
             the values of a machine, as OPERATIONS.md names them:  . {folder}/{first}/env\n\
             a shell as postgres, who owns the data:  setpriv --reuid=postgres --regid=postgres --clear-groups bash\n\
             systemctl stop patroni on {first}:       {folder}/machine stop {first}\n\
             systemctl start patroni on {first}:      {folder}/machine start {first}\n\
             {first} loses its power:                 {folder}/machine kill {first}\n\
             the same of an etcd and of HAProxy: e1, e2, e3, proxy\n\n",
            self.by_proxy(),
            self.owner(),
            shown(self.archive()),
        );
        for (machine, it) in self.machines.iter().enumerate() {
            let Machine { name, address, etcd, rest, postgres, .. } = it;
            text += &format!(
                "{name}  postgres://postgres:{SUPERUSER}@{address}:{postgres}/postgres\n    \
                 Patroni http://{address}:{rest}  etcd http://{address}:{etcd}\n    \
                 logs {} (Patroni and PostgreSQL), {}\n    data {}\n",
                shown(self.node(machine).join("log")),
                shown(self.etcd_folder(machine).join("log")),
                shown(self.data(machine)),
            );
        }
        text + &format!("HAProxy: log {}\n", shown(self.folder.join("proxy/log")))
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

fn address(host: &str, port: u16, database: &str) -> String {
    format!("postgres://scrutineer_node:{ROLE}@{host}:{port}/{database}")
}

fn as_owner(address: &str) -> String {
    address.replace("scrutineer_node:", "scrutineer_owner:")
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
