//! A folder with a store, and the binary run in it.

use scrutineer_desk::keys::{Key, KeyFolder};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A folder in which somebody works.
pub struct Desk {
    folder: TempDir,
    /// Where its store is.
    store: String,
}

impl Desk {
    /// An empty folder with the bundled event's file in it.
    pub fn new() -> Desk {
        Desk::on("store")
    }

    /// The same, with its store there: a folder in this one, or a database.
    pub fn on(store: &str) -> Desk {
        let folder = TempDir::new().expect("a folder");
        let desk = Desk { folder, store: store.to_string() };
        desk.write("autumn-open.csv", &fs::read(bundled()).expect("the bundled event"));
        // An organizer who has run events before: they have a key.
        let keys = KeyFolder::new(Some(desk.path("keys")));
        keys.keep(&Key::from_secret(&[7; 32])).expect("kept");
        desk
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, bytes).expect("written");
    }

    /// The binary with these words, not started yet: its store is the folder's, and nothing of
    /// the test's own surroundings reaches it.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(program());
        command.args(words).current_dir(self.folder.path()).stdin(Stdio::null());
        command.env_clear().env("SCRUTINEER_STORE", &self.store).env("COLUMNS", "100");
        command.env("SCRUTINEER_NODE", "node");
        command.env("TZ", "UTC");
        command.env("SCRUTINEER_KEYS", "keys");
        command
    }

    /// A line of output in which this folder is `<here>`. A program for Windows sees it on a drive,
    /// and writes paths with another stroke.
    pub fn without_its_path(&self, line: &str) -> String {
        let here = self.folder.path().display().to_string();
        match is_windows() {
            true => line.replace('\\', "/").replace(&format!("Z:{here}"), "<here>"),
            false => line.replace(&here, "<here>"),
        }
    }

    /// Runs it to its end.
    pub fn run(&self, words: &[&str]) -> Said {
        Said::of(self.command(words).output().expect("it runs"))
    }

    /// Runs a command to its end, with a text for it to read.
    pub fn feed(&self, mut command: Command, input: &str) -> Said {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        // Who reads nothing has gone before everything is written.
        let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
        Said::of(child.wait_with_output().expect("it ends"))
    }

    /// Every file of the store's journal and private books, and its format, with its bytes.
    /// sled's own files are left out: it may rewrite them whenever it is opened.
    pub fn kept(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        for part in ["FORMAT", "journal", "books"] {
            collect(&self.path("store").join(part), &mut files);
        }
        files
    }
}

/// The program built for Windows, and what it runs under, where a session is to be played with it.
const ON_WINDOWS: &str = "SCRUTINEER_ON_WINDOWS";

fn is_windows() -> bool {
    std::env::var_os(ON_WINDOWS).is_some()
}

fn program() -> OsString {
    let built = || env!("CARGO_BIN_EXE_scrutineer").into();
    std::env::var_os(ON_WINDOWS).unwrap_or_else(built)
}

/// The invented event that comes with the program.
pub fn bundled() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cli/data/autumn-open.csv")
}

fn collect(path: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("readable") {
            collect(&entry.expect("readable").path(), files);
        }
    } else if path.is_file() {
        files.insert(path.to_path_buf(), fs::read(path).expect("readable"));
    }
}

/// What it printed, and its exit code.
pub struct Said {
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
    /// The exit code.
    pub code: i32,
}

impl Said {
    /// From a finished process.
    pub fn of(output: Output) -> Said {
        let text = |bytes| String::from_utf8(bytes).expect("what it prints is UTF-8");
        let code = output.status.code().expect("it was not killed");
        Said { out: text(output.stdout), err: text(output.stderr), code }
    }

    /// Both streams, for messages.
    pub fn all(&self) -> String {
        format!("{}{}[exit {}]", self.out, self.err, self.code)
    }
}
