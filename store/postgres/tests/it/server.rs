//! A PostgreSQL server of a test: in a folder of its own, reached by a socket in that folder.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use postgres::{Client, NoTls};
use scrutineer_postgres::{Address, Key, KeyFrom, Options, PostgresLog, migrate};
use tempfile::TempDir;

/// The role that made the server, and may do anything.
const SUPERUSER: &str = "postgres";

/// Patient for a test: whoever waits for something that does not come finds out soon.
pub fn options() -> Options {
    let key = KeyFrom::Given(Key::from_hex(&"2a".repeat(32)).expect("a key"));
    Options { patience: Duration::from_secs(2), key, ..Options::default() }
}

/// It ends with this value, and after five minutes whatever becomes of the test.
pub struct Server {
    programs: PathBuf,
    folder: TempDir,
    port: u16,
    /// Whether what is committed survives a power cut: no test needs that.
    is_durable: bool,
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
        let mut server = Server::in_new_folder(programs);
        copy(&server.template(), &server.data());
        give_to_postgres(&server.data());
        server.run();
        Some(server)
    }

    /// A new server that keeps what is committed, for benchmarks.
    #[allow(dead_code, reason = "no test is about power cuts")]
    pub fn durable() -> Option<Server> {
        let mut server = Server::start()?;
        server.stop();
        server.is_durable = true;
        server.run();
        Some(server)
    }

    /// The data of an empty server, which is made once: that takes seconds, and copying it does not.
    fn template(&self) -> PathBuf {
        let version = self.programs.parent().and_then(Path::file_name).expect("a version");
        let name = format!("postgresql-{}", version.display());
        let template = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        if template.exists() {
            return template;
        }
        let made = self
            .command("initdb")
            .args(["--username", SUPERUSER, "--auth", "trust", "--encoding", "UTF8"])
            .args(["--locale", "C", "--no-sync"])
            .output()
            .expect("initdb runs");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let settings = self.data().join("postgresql.conf");
        let mut settings = fs::OpenOptions::new().append(true).open(settings).expect("a file");
        settings.write_all(b"listen_addresses = ''\n").expect("written");
        // Whoever is first gives it its name; the others' goes.
        let new = template.with_extension(format!("{}-{}", std::process::id(), self.port));
        copy(&self.data(), &new);
        fs::remove_dir_all(self.data()).expect("gone");
        if fs::rename(&new, &template).is_err() {
            fs::remove_dir_all(&new).expect("gone");
        }
        template
    }

    fn in_new_folder(programs: PathBuf) -> Server {
        let folder = tempfile::tempdir().expect("a folder");
        give_to_postgres(folder.path());
        // A port that was free a moment ago: only tests of TCP listen on it.
        let asked = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = asked.local_addr().expect("an address").port();
        Server { programs, folder, port, is_durable: false, running: None }
    }

    /// A server with a copy of the data, which has taken the place of this one: it is on a later
    /// timeline. This one runs on.
    pub fn replaced(&mut self) -> Server {
        self.stop();
        let mut other = Server::in_new_folder(self.programs.clone());
        let (from, to) = (self.folder.path().join("data"), other.folder.path().join("data"));
        copy(&from, &to);
        fs::write(to.join("standby.signal"), "").expect("written");
        drop(fs::remove_file(to.join("postmaster.pid")));
        give_to_postgres(&to);
        other.run();
        other
    }

    /// Makes a server that follows another one the one that takes changes.
    pub fn promote(&self) {
        let promoted = self.connect("postgres").query_one("SELECT pg_promote()", &[]);
        assert!(promoted.expect("an answer").get::<_, bool>(0));
    }

    /// Changes a setting, and has it read.
    pub fn set(&self, setting: &str) {
        let mut superuser = self.connect("postgres");
        superuser.batch_execute(&format!("ALTER SYSTEM SET {setting}")).expect(setting);
        superuser.batch_execute("SELECT pg_reload_conf()").expect("read");
    }

    /// Runs a program of PostgreSQL that is a client of this server.
    pub fn client_program(&self, program: &str, words: &[&str]) -> String {
        let done = Command::new(self.programs.join(program))
            .args(["-U", SUPERUSER, "-p", &self.port.to_string(), "-h"])
            .arg(self.folder.path())
            .args(words)
            .output()
            .expect("it runs");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8_lossy(&done.stdout).into_owned()
    }

    /// The folder of the data.
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// The port on which it listens where it is told to.
    pub const fn port(&self) -> u16 {
        self.port
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
        let mut command = self.command("postgres");
        if !self.is_durable {
            command.arg("-F");
        }
        command.args(["-p", &self.port.to_string(), "-k"]).arg(self.folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(said);
        self.running = Some(command.spawn().expect("postgres runs"));
        let since = Instant::now();
        while let Err(error) = self.try_client(SUPERUSER, "postgres") {
            let ended = self.running.as_mut().map(|running| running.try_wait().expect("asked"));
            if ended.flatten().is_some() || since.elapsed() > Duration::from_secs(60) {
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
             EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$",
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
        let address = format!("postgres://{role}@{folder}:{}/{database}", self.port);
        Address::parse(&address).expect("an address")
    }

    /// A connection to a database as somebody who may do anything.
    pub fn connect(&self, name: &str) -> Client {
        self.client(SUPERUSER, name)
    }

    /// A connection of a role to a database.
    pub fn client(&self, role: &str, database: &str) -> Client {
        self.try_client(role, database).expect("it answers")
    }

    fn try_client(&self, role: &str, database: &str) -> Result<Client, postgres::Error> {
        let mut config = postgres::Config::new();
        config.host_path(self.folder.path()).port(self.port).user(role).dbname(database);
        config.connect_timeout(Duration::from_secs(10)).options("-c statement_timeout=60s");
        config.connect(NoTls)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg("-a").arg(from).arg(to).status().expect("cp runs");
    assert!(copied.success());
}

/// PostgreSQL refuses root: where a test is root, what is PostgreSQL's belongs to its user.
pub fn give_to_postgres(what: &Path) {
    if is_root() {
        let given = Command::new("chown").args(["-R", "postgres"]).arg(what).status();
        assert!(given.expect("chown runs").success(), "there is a user postgres");
    }
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
