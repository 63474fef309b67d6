//! The trials: which workloads are recorded, killed and failed, and how often.

use crate::check::Found;
use crate::child::{Check, Recorded, Worker};
use crate::claims::Claims;
use crate::disk::Image;
use crate::power::{Outcome, Script};
use crate::work::Workload;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A kind of trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Trial {
    /// Power cuts while a store is begun, closed and opened.
    Creation,
    /// Power cuts while small commands are appended.
    Steady,
    /// Power cuts while 64 writers append.
    Group,
    /// Power cuts around commands of 50,000 events.
    Large,
    /// Power cuts around one command of 512 MiB.
    Largest,
    /// Power cuts while payloads of 60 KiB are appended.
    Values,
    /// Power cuts while segments are sealed.
    Rollover,
    /// Power cuts while names go into the private book.
    Names,
    /// Power cuts while snapshots and secrets are kept.
    Snapshots,
    /// Power cuts while a store is mirrored; what is left of the mirror is looked at too.
    Mirror,
    /// A power cut, and another while the store recovers from it and goes on.
    Recovery,
    /// The process is killed at any step; another goes on; then the power is cut.
    KilledFirst,
    /// A sync fails; the store is opened again and goes on; then the power is cut.
    FailedSync,
    /// `kill -9` while several writers append, many times on one store.
    Kill,
    /// A sync of a file or folder fails.
    SyncFails,
    /// A write meets a full disk.
    DiskFull,
    /// A write is done by half and then meets a full disk.
    ShortWrite,
    /// A second process opens a store that is open.
    TwoProcesses,
}

/// How a trial is run.
#[derive(Clone, Debug)]
pub struct Setting<'a> {
    /// This program.
    pub program: &'a Path,
    /// Where folders are made.
    pub folder: &'a Path,
    /// How many power cuts, kills or faults.
    pub count: usize,
    /// Everything that is left to chance comes from this.
    pub seed: u64,
    /// Faults in each worker that is recorded, on top of those of the trial.
    pub faults: &'a str,
}

impl Setting<'_> {
    fn rng(&self, trial: Trial) -> fastrand::Rng {
        fastrand::Rng::with_seed(self.seed ^ (trial as u64) << 32)
    }

    fn new_folder(&self, name: &str) -> io::Result<PathBuf> {
        for number in 1.. {
            let folder = self.folder.join(format!("{name}-{number}"));
            match fs::create_dir(&folder) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made.map(|()| folder),
            }
        }
        Err(io::Error::other("too many folders"))
    }
}

/// A new folder for trials, in memory where that can be had: nothing in it has to last.
///
/// # Errors
/// Where it can't be made.
pub fn folder() -> io::Result<tempfile::TempDir> {
    let memory = Path::new("/dev/shm");
    let above = if memory.is_dir() { memory.to_path_buf() } else { std::env::temp_dir() };
    tempfile::Builder::new().prefix("scrutineer-power-").tempdir_in(above)
}

/// Runs a trial.
///
/// # Errors
/// Where it can't be run. What it shows is no error.
pub fn run(trial: Trial, setting: &Setting<'_>) -> io::Result<Outcome> {
    match trial {
        Trial::Creation => power(trial, Workload::Creation, setting),
        Trial::Steady => power(trial, Workload::Steady, setting),
        Trial::Group => power(trial, Workload::Group, setting),
        Trial::Large => power(trial, Workload::Large, setting),
        Trial::Largest => power(trial, Workload::Largest, setting),
        Trial::Values => power(trial, Workload::Values, setting),
        Trial::Rollover => power(trial, Workload::Rollover, setting),
        Trial::Names => power(trial, Workload::Names, setting),
        Trial::Snapshots => power(trial, Workload::Snapshots, setting),
        Trial::Mirror => power(trial, Workload::Mirror, setting),
        Trial::Recovery => recovery(setting),
        Trial::KilledFirst => killed_first(setting),
        Trial::FailedSync => failed_sync(setting),
        Trial::Kill => kill(setting),
        Trial::SyncFails => faults(trial, setting, &["sync", "folder"], "eio"),
        Trial::DiskFull => faults(trial, setting, &["write", "any"], "enospc"),
        Trial::ShortWrite => faults(trial, setting, &["write"], "short"),
        Trial::TwoProcesses => two_processes(setting),
    }
}

fn power(trial: Trial, workload: Workload, setting: &Setting<'_>) -> io::Result<Outcome> {
    let mut rng = setting.rng(trial);
    let faults = vec![setting.faults.to_string()];
    let script = Script { program: setting.program, workload, seed: rng.u64(..), faults };
    let folder = setting.new_folder(&workload.name())?;
    let recording = script.record(&folder, &Image::default(), "")?;
    let outcome = recording.check(setting.program, &recording.points(setting.count, &mut rng))?;
    finish(&folder, &outcome)?;
    Ok(outcome)
}

/// A recording stays where something was wrong.
fn finish(folder: &Path, outcome: &Outcome) -> io::Result<()> {
    match outcome.first_bad.as_ref().is_some_and(|(bad, _)| bad == folder) {
        true => Ok(()),
        false => fs::remove_dir_all(folder),
    }
}

fn recovery(setting: &Setting<'_>) -> io::Result<Outcome> {
    let mut rng = setting.rng(Trial::Recovery);
    let each = 5.min(setting.count.max(1));
    let (program, first_seed) = (setting.program, rng.u64(..));
    let workload = Workload::Rollover;
    let first = Script { program, workload, seed: first_seed, faults: vec![String::new()] };
    let first_folder = setting.new_folder("first")?;
    let recording = first.record(&first_folder, &Image::default(), "")?;
    let points = recording.points(setting.count / each, &mut rng);
    let mut outcome = Outcome::default();
    recording.cut(&points, &mut |point, image, said| {
        let faults = vec![setting.faults.to_string()];
        let script = Script { program, workload: Workload::Creation, seed: point.seed, faults };
        let folder = setting.new_folder("recovery")?;
        let second = script.record(&folder, &image, said)?;
        let cuts = second.points(each, &mut fastrand::Rng::with_seed(point.seed));
        let one = second.check(program, &cuts)?;
        finish(&folder, &one)?;
        outcome.add(one);
        Ok(())
    })?;
    fs::remove_dir_all(first_folder)?;
    Ok(outcome)
}

fn killed_first(setting: &Setting<'_>) -> io::Result<Outcome> {
    let mut rng = setting.rng(Trial::KilledFirst);
    let each = 5.min(setting.count.max(1));
    let mut outcome = Outcome::default();
    for _ in 0..setting.count / each {
        // Most of what is made once is made in the first steps.
        let step = if rng.bool() { rng.u32(1..60) } else { rng.u32(1..600) };
        let workload = match rng.u8(..4) {
            3 => Workload::Mirror,
            0 => Workload::Names,
            1 => Workload::Creation,
            _ => Workload::Rollover,
        };
        let faults = vec![format!("any::{step}:kill"), setting.faults.to_string()];
        let script = Script { program: setting.program, workload, seed: rng.u64(..), faults };
        let folder = setting.new_folder("killed")?;
        let recording = script.record(&folder, &Image::default(), "")?;
        let one = recording.check(setting.program, &recording.points(each, &mut rng))?;
        finish(&folder, &one)?;
        outcome.add(one);
    }
    Ok(outcome)
}

fn failed_sync(setting: &Setting<'_>) -> io::Result<Outcome> {
    let mut rng = setting.rng(Trial::FailedSync);
    let each = 5.min(setting.count.max(1));
    let mut outcome = Outcome::default();
    for _ in 0..setting.count / each {
        let workload = if rng.bool() { Workload::Rollover } else { Workload::Names };
        let part = if workload == Workload::Names { "/books/" } else { "/journal/" };
        let faults = vec![format!("sync:{part}:{}:eio", rng.u32(1..50))];
        let script = Script { program: setting.program, workload, seed: rng.u64(..), faults };
        let folder = setting.new_folder("failed-sync")?;
        let recording = script.record(&folder, &Image::default(), "")?;
        let one = recording.check(setting.program, &recording.points(each, &mut rng))?;
        finish(&folder, &one)?;
        outcome.add(one);
    }
    Ok(outcome)
}

/// How often the writers of one store are killed; a store that holds much takes long to check.
const ROUNDS: usize = 25;

fn kill(setting: &Setting<'_>) -> io::Result<Outcome> {
    let mut rng = setting.rng(Trial::Kill);
    let mut outcome = Outcome::default();
    let mut folder = PathBuf::new();
    for round in 0..setting.count {
        if round % ROUNDS == 0 {
            folder = setting.new_folder("kill")?;
            fs::create_dir(folder.join("base"))?;
        }
        let (base, marks) = (folder.join("base"), folder.join("marks"));
        let (workload, seed) = (Workload::Endless, rng.u64(..));
        let (program, recorded) = (setting.program, None);
        let (base, marks) = (&base, &marks);
        let worker = Worker { program, workload, base, marks, seed, reopen: false, recorded };
        let mut child = worker.start()?;
        std::thread::sleep(Duration::from_millis(rng.u64(5..120)));
        child.kill()?;
        child.wait()?;
        outcome.points += 1;
        outcome.found.add(Check::start(program, base, workload.kind(), marks)?.wait()?);
        if (round + 1) % ROUNDS == 0 || round + 1 == setting.count {
            fs::remove_dir_all(&folder)?;
        }
    }
    Ok(outcome)
}

fn faults(trial: Trial, setting: &Setting<'_>, calls: &[&str], what: &str) -> io::Result<Outcome> {
    let mut rng = setting.rng(trial);
    let mut outcome = Outcome::default();
    for _ in 0..setting.count {
        let folder = setting.new_folder("faults")?;
        let (base, marks) = (folder.join("base"), folder.join("marks"));
        fs::create_dir(&base)?;
        let workload = [Workload::Rollover, Workload::Names, Workload::Snapshots][rng.usize(..3)];
        let call = calls[rng.usize(..calls.len())];
        let part = ["/journal/", "/books/", "", ""][rng.usize(..4)];
        let fault = format!("{call}:{part}:{}:{what}", rng.u32(1..80));
        let worker = Worker {
            program: setting.program,
            workload,
            base: &base,
            marks: &marks,
            seed: rng.u64(..),
            reopen: false,
            recorded: Some(Recorded { faults: fault.clone(), ..Recorded::default() }),
        };
        let (status, said) = worker.run()?;
        let mut found = Found::default();
        if !status.success() {
            found.faults.push(format!("{fault}: the worker ended with {status}: {said}"));
        }
        let claims = Claims::read(&fs::read_to_string(&marks).unwrap_or_default());
        if claims.after_refusal > 0 {
            let text = format!("{fault}: something was acknowledged after a refusal");
            found.faults.push(text);
        }
        found.add(Check::start(setting.program, &base, workload.kind(), &marks)?.wait()?);
        if !found.is_good() {
            found.faults.push(format!("{fault} in {}", workload.name()));
        }
        outcome.points += 1;
        outcome.found.add(found);
        fs::remove_dir_all(folder)?;
    }
    Ok(outcome)
}

fn two_processes(setting: &Setting<'_>) -> io::Result<Outcome> {
    let mut rng = setting.rng(Trial::TwoProcesses);
    let folder = setting.new_folder("two")?;
    let (base, marks, others) = (folder.join("base"), folder.join("marks"), folder.join("others"));
    fs::create_dir(&base)?;
    let mut outcome = Outcome::default();
    for _ in 0..setting.count {
        let workload = Workload::Hold;
        let (program, recorded) = (setting.program, None);
        let worker = Worker {
            program,
            workload,
            base: &base,
            marks: &marks,
            seed: rng.u64(..),
            reopen: false,
            recorded,
        };
        let mut first = worker.start()?;
        let mut line = String::new();
        if let Some(out) = first.stdout.take() {
            BufReader::new(out).read_line(&mut line)?;
        }
        let (status, said) = Worker { marks: &others, seed: rng.u64(..), ..worker }.run()?;
        let mut found = Found::default();
        if status.success() || !said.contains("another process has the store") {
            found.faults.push(format!("the second process ended with {status}: {said}"));
        }
        if let Some(mut input) = first.stdin.take() {
            input.write_all(b"\n")?;
        }
        if !first.wait()?.success() {
            found.faults.push("the first process could not go on".to_string());
        }
        found.add(Check::start(program, &base, workload.kind(), &marks)?.wait()?);
        outcome.points += 1;
        outcome.found.add(found);
    }
    fs::remove_dir_all(folder)?;
    Ok(outcome)
}
