//! Workers are processes of their own, which can be killed and recorded; a check is a thread of its
//! own, in which a panic or a silence is a finding, not the end.

use crate::check::{self, Found};
use crate::claims::Claims;
use crate::store::{Kind, Marks};
use crate::work::Workload;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long a check may take.
const DEADLINE: Duration = Duration::from_secs(120);

/// The library that is preloaded, where there is one.
pub fn recorder() -> Option<PathBuf> {
    let file = Path::new(env!("OUT_DIR")).join("recorder.so");
    (cfg!(target_os = "linux") && file.is_file()).then_some(file)
}

/// A worker to be started.
#[derive(Clone, Debug)]
pub struct Worker<'a> {
    /// This program.
    pub program: &'a Path,
    /// What it does.
    pub workload: Workload,
    /// Where `base/` stands, in which it keeps its store, and its marks.
    pub folder: &'a Path,
    /// The file in which it says what it did.
    pub marks: &'static str,
    /// Its seed.
    pub seed: u64,
    /// Whether it opens the store again after a refusal.
    pub reopen: bool,
    /// The file in which its tape is recorded.
    pub tape: Option<&'a Path>,
    /// The faults that it meets, as `recorder.c` names them.
    pub faults: &'a str,
}

impl Worker<'_> {
    /// Returns a worker on the store in `folder`, without tape and faults.
    pub fn new<'a>(
        program: &'a Path,
        workload: Workload,
        folder: &'a Path,
        seed: u64,
    ) -> Worker<'a> {
        let (marks, faults) = ("marks", "");
        Worker { program, workload, folder, marks, seed, reopen: false, tape: None, faults }
    }

    /// Starts it.
    ///
    /// # Errors
    /// Where it can't be started.
    pub fn start(&self) -> io::Result<Child> {
        let (base, marks) = (self.folder.join("base"), self.folder.join(self.marks));
        let mut command = Command::new(self.program);
        command.arg("work").arg(self.workload.name());
        command.arg("--base").arg(&base).arg("--marks").arg(&marks);
        command.arg("--seed").arg(self.seed.to_string());
        if self.reopen {
            command.arg("--reopen");
        }
        if self.tape.is_some() || !self.faults.is_empty() {
            let library = recorder().ok_or_else(|| io::Error::other("there is no recorder"))?;
            let sync_us = if self.workload == Workload::Group { "300" } else { "0" };
            command.env("LD_PRELOAD", library);
            command.env("SCRUTINEER_POWER_FOLDER", base);
            command.env("SCRUTINEER_POWER_MARKS", marks);
            command.env("SCRUTINEER_POWER_SYNC_US", sync_us);
            command.envs(self.tape.map(|tape| ("SCRUTINEER_POWER_TAPE", tape)));
            if !self.faults.is_empty() {
                command.env("SCRUTINEER_POWER_FAULT", self.faults);
            }
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
    }

    /// Starts it and waits for its end; gives what it said on its standard error.
    ///
    /// # Errors
    /// Where it can't be started.
    pub fn run(&self) -> io::Result<(ExitStatus, String)> {
        let done = self.start()?.wait_with_output()?;
        Ok((done.status, String::from_utf8_lossy(&done.stderr).into_owned()))
    }
}

/// A check that was started.
#[derive(Debug)]
pub struct Check {
    began: Instant,
    found: Receiver<Found>,
}

impl Check {
    /// Starts a check of the store below `folder`, after what was said there.
    ///
    /// # Errors
    /// Where the marks can't be read.
    pub fn start(folder: &Path, kind: Kind) -> io::Result<Check> {
        let marks = folder.join("marks");
        let claims = Claims::read(&std::fs::read_to_string(&marks)?);
        let (marks, store) = (Marks::open(&marks)?, folder.join("base/store"));
        let (send, found) = channel();
        // Nobody waits any more for one whose time is over.
        std::thread::spawn(move || send.send(check::check(&store, kind, &claims, &marks)));
        Ok(Check { began: Instant::now(), found })
    }

    /// Waits until it has ended or its time is over.
    #[must_use]
    pub fn wait(self) -> Found {
        let left = DEADLINE.saturating_sub(self.began.elapsed());
        self.found.recv_timeout(left).unwrap_or_else(|error| {
            let fault = match error {
                RecvTimeoutError::Timeout => "no answer after two minutes",
                RecvTimeoutError::Disconnected => "the check panicked",
            };
            Found { faults: vec![fault.to_string()], ..Found::default() }
        })
    }
}
