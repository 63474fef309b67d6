//! A PostgreSQL server of a test: in a folder of its own, reached by a socket in that folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use postgres::{Client, Config, NoTls};
use tempfile::TempDir;

const USER: &str = "scrutineer";

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
            .args(["--username", USER, "--auth", "trust", "--encoding", "UTF8"])
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
        while let Err(error) = config(&self.folder, "postgres").connect(NoTls) {
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

    /// How a new, empty database is reached.
    pub fn database(&self, name: &str) -> Config {
        let made = self.connect("postgres").batch_execute(&format!("CREATE DATABASE {name}"));
        made.expect("a database");
        config(&self.folder, name)
    }

    /// A connection to a database.
    pub fn connect(&self, name: &str) -> Client {
        config(&self.folder, name).connect(NoTls).expect("it answers")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

fn config(folder: &TempDir, database: &str) -> Config {
    let mut config = Config::new();
    config.host(folder.path().to_str().expect("a path in UTF-8")).user(USER).dbname(database);
    config.connect_timeout(Duration::from_secs(10)).options("-c statement_timeout=60s");
    config
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
