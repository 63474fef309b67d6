//! What befalls a store: flipped bits in every one of its files, a full disk, a folder that can't
//! be written. Each time everything is read by the program itself, which has a minute: it may say
//! what is wrong, but it may not hang, panic, or show a shorter history as if that were all.
//!
//! `SCRUTINEER_ROT=50 cargo test --test it faults` flips so many bits in each kind of file; the
//! seed is printed, and `SCRUTINEER_SEED` repeats it.

mod disks;
mod restored;
mod rot;

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long a command may take, also on a busy machine.
const DEADLINE: Duration = Duration::from_secs(60);

/// A folder in which the program is run.
struct Place {
    folder: TempDir,
}

/// What a command said.
struct Said {
    out: String,
    err: String,
    status: ExitStatus,
}

impl Said {
    fn code(&self) -> Option<i32> {
        self.status.code()
    }

    fn all(&self) -> String {
        format!("{}{}[{}]", self.out, self.err, self.status)
    }
}

impl Place {
    fn new() -> Place {
        Place { folder: TempDir::new().expect("a folder") }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The program with these words: its store is the folder's.
    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_scrutineer"));
        command.args(words);
        self.surround(&mut command);
        command
    }

    fn surround(&self, command: &mut Command) {
        command.current_dir(self.folder.path()).env_clear();
        command.env("SCRUTINEER_STORE", "store").env("SCRUTINEER_KEYS", "keys").env("TZ", "UTC");
        if let Some(path) = std::env::var_os("PATH") {
            command.env("PATH", path);
        }
    }

    fn run(&self, words: &[&str]) -> Said {
        finish(self.command(words), words)
    }

    /// As [`Place::run`], and it has to work.
    fn does(&self, words: &[&str]) -> Said {
        let said = self.run(words);
        assert_eq!(said.code(), Some(0), "{words:?}: {}", said.all());
        said
    }

    /// A store with two events, some checkpoints, snapshots and exports.
    fn fill(&self) {
        self.does(&["keys", "new"]);
        let bundled = Path::new(env!("CARGO_MANIFEST_DIR")).join("cli/data/autumn-open.csv");
        self.does(&["import", &bundled.to_string_lossy()]);
        let here = ["--tournament", "Friday"];
        let at = |words: &[&str]| self.does(&[words, &here].concat());
        self.does(&["new", "Friday", "--rules", "mtr"]);
        at(&["enroll", "Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal"]);
        for _ in 0..3 {
            at(&["pair"]);
            for table in ["1", "2", "3", "4"] {
                at(&["result", table, "2-1"]);
            }
        }
        at(&["close"]);
        at(&["export", "--roster", "--output", "friday.bundle"]);
        self.does(&["snapshots", "--take"]);
    }
}

/// Runs a command to its end, which has to come.
fn finish(mut command: Command, words: &[&str]) -> Said {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let reader = |pipe: Option<Box<dyn Read + Send>>| {
        std::thread::spawn(move || {
            let mut text = Vec::new();
            pipe.map(|mut pipe| pipe.read_to_end(&mut text));
            String::from_utf8_lossy(&text).into_owned()
        })
    };
    let out = reader(child.stdout.take().map(|pipe| Box::new(pipe) as _));
    let err = reader(child.stderr.take().map(|pipe| Box::new(pipe) as _));
    let begun = Instant::now();
    let status = loop {
        match child.try_wait().expect("it can be waited for") {
            Some(status) => break status,
            None if begun.elapsed() > DEADLINE => {
                let _ = child.kill();
                panic!("{words:?} hangs");
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    let said = Said { out: out.join().expect("read"), err: err.join().expect("read"), status };
    assert!(!said.err.contains("panicked"), "{words:?}: {}", said.all());
    said
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a list") {
        let path = entry.expect("a name").path();
        let target = to.join(path.file_name().expect("a name"));
        match path.is_dir() {
            true => copy(&path, &target),
            false => drop(fs::copy(&path, &target).expect("a copy")),
        }
    }
}

/// Makes a store's file `FORMAT` what a later version would write.
fn newer(format: &Path) {
    let text = fs::read_to_string(format).expect("a text");
    let (body, _) = text.split_once("check ").expect("its last line");
    let body = body.replacen("scrutineer store 1", "scrutineer store 2", 1);
    assert!(!text.starts_with(&body));
    let check = blake3::hash(body.as_bytes()).to_hex();
    fs::write(format, format!("{body}check {}\n", &check[..16])).expect("written");
}
