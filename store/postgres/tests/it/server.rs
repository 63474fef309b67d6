//! A PostgreSQL server of a test: in a folder of its own, reached by a socket in that folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use postgres::{Client, NoTls};
use scrutineer_postgres::{Address, Options, PostgresLog, migrate};
use tempfile::TempDir;

/// The role that made the server, and may do anything.
const SUPERUSER: &str = "postgres";

/// Patient for a test: whoever waits for something that does not come finds out soon.
pub fn options() -> Options {
    Options { patience: Duration::from_secs(2), ..Options::default() }
}

/// It ends with this value, and after five minutes whatever becomes of the test.
pub struct Server {
    programs: PathBuf,
    folder: TempDir,
    running: Option<Child>,
}

impl Server {
    /// A new server; none where PostgreSQL is not installed, which is said, and fails where nothing
    /// may be skipped.
    pub fn start() -> Option<Server> {
        let Some(programs) = programs() else {
            assert!(
                std::env::var_os("SCRUTINEER_NO_SKIPS").is_none(),
                "there is no PostgreSQL here, and no test may be skipped"
            );
            eprintln!("skipped: there is no PostgreSQL in /usr/lib/postgresql");
            return None;
        };
        let folder = tempfile::tempdir().expect("a folder");
        if is_root() {
            let given = Command::new("chown").arg("postgres").arg(folder.path()).status();
            assert!(given.expect("chown runs").success(), "there is a user postgres");
        }
        let mut server = Server { programs, folder, running: None };
        let made = server
            .command("initdb")
            .args(["--username", SUPERUSER, "--auth", "trust", "--encoding", "UTF8"])
            .args(["--locale", "C", "--no-sync"])
            .output()
            .expect("initdb runs");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        server.run();
        Some(server)
    }

    /// One of PostgreSQL's programs for this folder. It refuses root, and may not run for ever.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(if is_root() { "setpriv" } else { "timeout" });
        if is_root() {
            command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "timeout"]);
        }
        command.args(["--signal=QUIT", "--kill-after=10", "300"]).arg(self.programs.join(program));
        command.arg("-D").arg(self.folder.path().join("data")).current_dir(self.folder.path());
        command
    }

    /// Starts it again, and waits until it answers.
    pub fn run(&mut self) {
        let said = fs::File::create(self.folder.path().join("said")).expect("a file");
        // No test here is about power cuts: -F syncs nothing.
        let mut command = self.command("postgres");
        command.args(["-F", "-c", "listen_addresses=", "-k"]).arg(self.folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(said);
        let running = self.running.insert(command.spawn().expect("postgres runs"));
        let since = Instant::now();
        while let Err(error) = client(&self.folder, SUPERUSER, "postgres") {
            let ended = running.try_wait().expect("it can be asked");
            if ended.is_some() || since.elapsed() > Duration::from_secs(60) {
                let said = fs::read_to_string(self.folder.path().join("said"));
                panic!("{error}; {ended:?}; {}", said.unwrap_or_default());
            }
            sleep(Duration::from_millis(20));
        }
    }

    /// Ends it at once, as if it had crashed.
    pub fn stop(&mut self) {
        let Some(mut running) = self.running.take() else { return };
        let end = format!("kill -QUIT {}", running.id());
        drop(Command::new("sh").args(["-c", &end]).status());
        let since = Instant::now();
        while matches!(running.try_wait(), Ok(None)) && since.elapsed() < Duration::from_secs(20) {
            sleep(Duration::from_millis(10));
        }
        drop(running.kill());
        drop(running.wait());
    }

    /// A new, empty database of an owner who may make roles and is no superuser.
    pub fn empty(&self, name: &str) {
        let mut superuser = self.connect("postgres");
        let made = superuser.batch_execute(
            "DO $$ BEGIN CREATE ROLE owner LOGIN CREATEROLE; CREATE ROLE desk LOGIN; \
             EXCEPTION WHEN duplicate_object THEN NULL; END $$",
        );
        made.expect("roles");
        let made = superuser.batch_execute(&format!("CREATE DATABASE {name} OWNER owner"));
        made.expect("a database");
    }

    /// A new database with tables, as it is reached by a server.
    pub fn database(&self, name: &str) -> Address {
        self.empty(name);
        migrate(&self.address("owner", name)).expect("migrated");
        let mut owner = self.client("owner", name);
        owner.batch_execute("GRANT scrutineer_server TO desk").expect("granted");
        self.address("desk", name)
    }

    /// The log of a new database.
    pub fn log(&self, name: &str) -> PostgresLog {
        PostgresLog::open(self.database(name), options()).expect("it opens")
    }

    /// How a role reaches a database.
    pub fn address(&self, role: &str, database: &str) -> Address {
        let folder = self.folder.path().display().to_string().replace('/', "%2F");
        Address::parse(&format!("postgres://{role}@{folder}/{database}")).expect("an address")
    }

    /// A connection to a database as somebody who may do anything.
    pub fn connect(&self, name: &str) -> Client {
        self.client(SUPERUSER, name)
    }

    /// A connection of a role to a database.
    pub fn client(&self, role: &str, database: &str) -> Client {
        client(&self.folder, role, database).expect("it answers")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

fn client(folder: &TempDir, role: &str, database: &str) -> Result<Client, postgres::Error> {
    let mut config = postgres::Config::new();
    config.host(folder.path().to_str().expect("a path in UTF-8")).user(role).dbname(database);
    config.connect_timeout(Duration::from_secs(10)).options("-c statement_timeout=60s");
    config.connect(NoTls)
}

/// Where the newest PostgreSQL is; Debian puts it nowhere on the path.
fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").ok()?;
    let folders = versions.filter_map(|version| Some(version.ok()?.path().join("bin")));
    let number = |folder: &Path| folder.parent()?.file_name()?.to_str()?.parse::<u32>().ok();
    folders.filter(|folder| folder.join("initdb").exists()).max_by_key(|folder| number(folder))
}

fn is_root() -> bool {
    let asked: io::Result<_> = Command::new("id").arg("-u").output();
    asked.is_ok_and(|asked| asked.stdout == b"0\n")
}
