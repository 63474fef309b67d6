//! The trials: which workloads are recorded, killed and failed, and how often.

use crate::check::Found;
use crate::child::{Check, Worker};
use crate::claims::Claims;
use crate::disk::Image;
use crate::power::{Outcome, Script};
use crate::work::Workload;
use clap::ValueEnum;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A kind of trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
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

impl Trial {
    /// Its name, as it is asked for.
    #[must_use]
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_string())
    }
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
    let mut rng = setting.rng(trial);
    match trial {
        Trial::Recovery => recovery(&mut rng, setting),
        Trial::KilledFirst => few_by_few(setting, || killed_first(&mut rng, setting)),
        Trial::FailedSync => few_by_few(setting, || failed_sync(&mut rng, setting)),
        Trial::Kill => kill(&mut rng, setting),
        Trial::SyncFails => faults(&mut rng, setting, &["sync", "folder"], "eio"),
        Trial::DiskFull => faults(&mut rng, setting, &["write", "any"], "enospc"),
        Trial::ShortWrite => faults(&mut rng, setting, &["write"], "short"),
        Trial::TwoProcesses => two_processes(&mut rng, setting),
        // The others are named as what they record.
        _ => {
            let workload = Workload::from_str(&trial.name(), false).map_err(io::Error::other)?;
            let faults = vec![setting.faults.to_string()];
            cuts(&mut rng, setting, workload, faults, (&Image::default(), ""), setting.count)
        }
    }
}

/// Records a workload after what was left `before`, and cuts the power; a recording stays where
/// something was wrong.
fn cuts(
    rng: &mut fastrand::Rng,
    setting: &Setting<'_>,
    workload: Workload,
    faults: Vec<String>,
    (before, said): (&Image, &str),
    count: usize,
) -> io::Result<Outcome> {
    let script = Script { program: setting.program, workload, seed: rng.u64(..), faults };
    let folder = setting.new_folder(&workload.name())?;
    let recording = script.record(&folder, before, said)?;
    let outcome = recording.check(&recording.points(count, rng))?;
    if outcome.first_bad.is_none() {
        fs::remove_dir_all(folder)?;
    }
    Ok(outcome)
}

/// Power cuts in each of the recordings that are made one after the other.
const FEW: usize = 5;

fn few_by_few(
    setting: &Setting<'_>,
    mut one: impl FnMut() -> io::Result<Outcome>,
) -> io::Result<Outcome> {
    let mut outcome = Outcome::default();
    for _ in 0..setting.count.div_ceil(FEW) {
        outcome.add(one()?);
    }
    Ok(outcome)
}

fn recovery(rng: &mut fastrand::Rng, setting: &Setting<'_>) -> io::Result<Outcome> {
    let workload = Workload::Rollover;
    let first = Script {
        program: setting.program,
        workload,
        seed: rng.u64(..),
        faults: vec![String::new()],
    };
    let folder = setting.new_folder("first")?;
    let recording = first.record(&folder, &Image::default(), "")?;
    let points = recording.points(setting.count.div_ceil(FEW), rng);
    let mut outcome = Outcome::default();
    recording.cut(&points, &mut |point, image, said| {
        let mut rng = fastrand::Rng::with_seed(point.seed);
        let faults = vec![setting.faults.to_string()];
        outcome.add(cuts(&mut rng, setting, Workload::Creation, faults, (&image, said), FEW)?);
        Ok(())
    })?;
    fs::remove_dir_all(folder)?;
    Ok(outcome)
}

fn killed_first(rng: &mut fastrand::Rng, setting: &Setting<'_>) -> io::Result<Outcome> {
    // Most of what is made once is made in the first steps.
    let step = if rng.bool() { rng.u32(1..60) } else { rng.u32(1..600) };
    let workload = match rng.u8(..4) {
        3 => Workload::Mirror,
        0 => Workload::Names,
        1 => Workload::Creation,
        _ => Workload::Rollover,
    };
    let faults = vec![format!("any::{step}:kill"), setting.faults.to_string()];
    cuts(rng, setting, workload, faults, (&Image::default(), ""), FEW)
}

fn failed_sync(rng: &mut fastrand::Rng, setting: &Setting<'_>) -> io::Result<Outcome> {
    let (workload, part) = match rng.bool() {
        true => (Workload::Rollover, "/journal/"),
        false => (Workload::Names, "/books/"),
    };
    let faults = vec![format!("sync:{part}:{}:eio", rng.u32(1..50))];
    cuts(rng, setting, workload, faults, (&Image::default(), ""), FEW)
}

/// How often the writers of one store are killed; a store that holds much takes long to check.
const ROUNDS: usize = 25;

fn kill(rng: &mut fastrand::Rng, setting: &Setting<'_>) -> io::Result<Outcome> {
    let mut outcome = Outcome::default();
    let mut folder = PathBuf::new();
    let workload = Workload::Endless;
    for round in 0..setting.count {
        if round % ROUNDS == 0 {
            folder = setting.new_folder("kill")?;
            fs::create_dir(folder.join("base"))?;
        }
        let mut child = Worker::new(setting.program, workload, &folder, rng.u64(..)).start()?;
        std::thread::sleep(Duration::from_millis(rng.u64(5..120)));
        child.kill()?;
        child.wait()?;
        outcome.points += 1;
        outcome.found.add(Check::start(&folder, workload.kind())?.wait());
        if (round + 1) % ROUNDS == 0 || round + 1 == setting.count {
            fs::remove_dir_all(&folder)?;
        }
    }
    Ok(outcome)
}

fn faults(
    rng: &mut fastrand::Rng,
    setting: &Setting<'_>,
    calls: &[&str],
    what: &str,
) -> io::Result<Outcome> {
    let mut outcome = Outcome::default();
    for _ in 0..setting.count {
        let folder = setting.new_folder("faults")?;
        fs::create_dir(folder.join("base"))?;
        let workload = [Workload::Rollover, Workload::Names, Workload::Snapshots][rng.usize(..3)];
        let call = calls[rng.usize(..calls.len())];
        let part = ["/journal/", "/books/", "", ""][rng.usize(..4)];
        let fault = format!("{call}:{part}:{}:{what}", rng.u32(1..80));
        let worker = Worker::new(setting.program, workload, &folder, rng.u64(..));
        let (status, said) = Worker { faults: &fault, ..worker }.run()?;
        let mut found = Found::default();
        if !status.success() {
            found.faults.push(format!("{fault}: the worker ended with {status}: {said}"));
        }
        let claims = Claims::read(&fs::read_to_string(folder.join("marks")).unwrap_or_default());
        if claims.after_refusal > 0 {
            let text = format!("{fault}: something was acknowledged after a refusal");
            found.faults.push(text);
        }
        found.add(Check::start(&folder, workload.kind())?.wait());
        if !found.is_good() {
            found.faults.push(format!("{fault} in {}", workload.name()));
        }
        outcome.points += 1;
        outcome.found.add(found);
        fs::remove_dir_all(folder)?;
    }
    Ok(outcome)
}

fn two_processes(rng: &mut fastrand::Rng, setting: &Setting<'_>) -> io::Result<Outcome> {
    let folder = setting.new_folder("two")?;
    fs::create_dir(folder.join("base"))?;
    let mut outcome = Outcome::default();
    let workload = Workload::Hold;
    for _ in 0..setting.count {
        let worker = Worker::new(setting.program, workload, &folder, rng.u64(..));
        let mut first = worker.start()?;
        let mut line = String::new();
        if let Some(out) = first.stdout.take() {
            BufReader::new(out).read_line(&mut line)?;
        }
        let (status, said) = Worker { marks: "others", seed: rng.u64(..), ..worker }.run()?;
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
        found.add(Check::start(&folder, workload.kind())?.wait());
        outcome.points += 1;
        outcome.found.add(found);
    }
    fs::remove_dir_all(folder)?;
    Ok(outcome)
}
