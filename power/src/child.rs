//! Workers and checks are processes of their own: they can be killed, and a panic or a silence in
//! one is a finding, not the end.

use crate::check::Found;
use crate::store::Kind;
use crate::work::Workload;
use std::ffi::OsString;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How long a check may take.
const DEADLINE: Duration = Duration::from_secs(120);

/// The library that is preloaded, where there is one.
#[must_use]
pub fn recorder() -> Option<PathBuf> {
    let file = Path::new(env!("OUT_DIR")).join("recorder.so");
    (cfg!(target_os = "linux") && file.is_file()).then_some(file)
}

/// What the recorder does for a worker.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// Where it writes its tape; none: it only makes faults.
    pub tape: Option<PathBuf>,
    /// The faults, as `recorder.c` names them.
    pub faults: String,
    /// How long a sync takes.
    pub sync_us: u32,
}

/// A worker to be started.
#[derive(Clone, Debug)]
pub struct Worker<'a> {
    /// This program.
    pub program: &'a Path,
    /// What it does.
    pub workload: Workload,
    /// The folder in which the store's folder stands.
    pub base: &'a Path,
    /// Where it says what it did.
    pub marks: &'a Path,
    /// Its seed.
    pub seed: u64,
    /// Whether it opens the store again after a refusal.
    pub reopen: bool,
    /// Whether it is recorded.
    pub recorded: Option<Recorded>,
}

impl Worker<'_> {
    /// Starts it.
    ///
    /// # Errors
    /// Where it can't be started.
    pub fn start(&self) -> io::Result<Child> {
        let mut command = Command::new(self.program);
        command.arg("work").arg(self.workload.name());
        command.arg("--base").arg(self.base).arg("--marks").arg(self.marks);
        command.arg("--seed").arg(self.seed.to_string());
        if self.reopen {
            command.arg("--reopen");
        }
        if let Some(recorded) = &self.recorded {
            let library = recorder().ok_or_else(|| io::Error::other("there is no recorder"))?;
            command.env("LD_PRELOAD", library);
            command.env("SCRUTINEER_POWER_FOLDER", self.base);
            command.env("SCRUTINEER_POWER_MARKS", self.marks);
            command.env("SCRUTINEER_POWER_SYNC_US", recorded.sync_us.to_string());
            if let Some(tape) = &recorded.tape {
                command.env("SCRUTINEER_POWER_TAPE", tape);
            }
            if !recorded.faults.is_empty() {
                command.env("SCRUTINEER_POWER_FAULT", &recorded.faults);
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
pub struct Check {
    child: Child,
    began: Instant,
    out: PathBuf,
}

impl Check {
    /// Starts a check of the store in `base`, after what was said in `marks`.
    ///
    /// # Errors
    /// Where it can't be started.
    pub fn start(program: &Path, base: &Path, kind: Kind, marks: &Path) -> io::Result<Check> {
        use clap::ValueEnum;
        let mut arguments = vec![OsString::from("check"), "--base".into(), base.into()];
        let kind = kind.to_possible_value().map_or_else(String::new, |kind| kind.get_name().into());
        arguments.extend(["--kind".into(), kind.into(), "--marks".into(), marks.into()]);
        let out = base.join("found");
        let file = std::fs::File::create(&out)?;
        let child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(file)
            // sled says on it when it finds its own files damaged; that is no finding of ours.
            .stderr(Stdio::null())
            .spawn()?;
        Ok(Check { child, began: Instant::now(), out })
    }

    /// What it found, once it has ended or its time is over.
    ///
    /// # Errors
    /// Where it can't be waited for.
    pub fn poll(&mut self) -> io::Result<Option<Found>> {
        if let Some(status) = self.child.try_wait()? {
            let mut text = String::new();
            std::fs::File::open(&self.out)?.read_to_string(&mut text)?;
            return Ok(Some(read_found(&text, status)));
        }
        if self.began.elapsed() < DEADLINE {
            return Ok(None);
        }
        self.child.kill()?;
        self.child.wait()?;
        let fault = format!("no answer after {} seconds", DEADLINE.as_secs());
        Ok(Some(Found { faults: vec![fault], ..Found::default() }))
    }

    /// Waits for it.
    ///
    /// # Errors
    /// Where it can't be waited for.
    pub fn wait(mut self) -> io::Result<Found> {
        loop {
            if let Some(found) = self.poll()? {
                return Ok(found);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// What a check prints.
#[must_use]
pub fn write_found(found: &Found) -> String {
    let mut text = format!("events {}\nlost {}\n", found.events, found.lost);
    for fault in &found.faults {
        text.push_str(&format!("fault {}\n", fault.replace('\n', " ")));
    }
    text.push_str("end\n");
    text
}

fn read_found(text: &str, status: ExitStatus) -> Found {
    let mut found = Found::default();
    let mut ended = false;
    for line in text.lines() {
        match line.split_once(' ') {
            Some(("events", number)) => found.events = number.parse().unwrap_or(0),
            Some(("lost", number)) => found.lost = number.parse().unwrap_or(0),
            Some(("fault", fault)) => found.faults.push(fault.to_string()),
            _ => ended |= line == "end",
        }
    }
    if !ended || !status.success() {
        found.faults.push(format!("the check ended with {status}"));
    }
    found
}
