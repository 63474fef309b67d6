//! Power cuts: a workload is recorded, and the disk is built as it was at many moments.

use crate::check::Found;
use crate::child::{Check, Worker};
use crate::disk::{Cut, Disk, Image};
use crate::tape::{self, Entry};
use crate::work::Workload;
use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// How many checks run at once.
const AT_ONCE: usize = 2;

/// A power cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// Entries of the last tape that were done.
    pub at: usize,
    /// What becomes of what was not synced comes from this.
    pub seed: u64,
}

/// A workload that was recorded: all that is needed to cut the power again.
#[derive(Debug)]
pub struct Recording {
    /// Its folder: `before/` what was safe at the beginning, `marks-before` what had been said,
    /// `tape-1` and so on, one for each worker.
    pub folder: PathBuf,
    /// What was recorded.
    pub workload: Workload,
    /// What was safe at the beginning.
    before: Image,
    said_before: String,
    tapes: Vec<Vec<Entry>>,
}

/// What many power cuts have shown.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Power cuts.
    pub points: u64,
    /// What was found after all of them.
    pub found: Found,
    /// The first after which something was wrong.
    pub first_bad: Option<(PathBuf, Point)>,
}

impl Outcome {
    /// Adds what others have shown.
    pub fn add(&mut self, other: Outcome) {
        self.points += other.points;
        self.found.add(other.found);
        self.first_bad = self.first_bad.take().or(other.first_bad);
    }
}

/// What to record.
#[derive(Clone, Debug)]
pub struct Script<'a> {
    /// This program.
    pub program: &'a Path,
    /// The workload.
    pub workload: Workload,
    /// Commands come from this.
    pub seed: u64,
    /// The faults of each worker, one after the other; "" for none.
    pub faults: Vec<String>,
}

impl Script<'_> {
    /// Runs the workers on a store that was left in `before` after `said_before`, and compares
    /// the tape with what really stands there.
    ///
    /// # Errors
    /// Where a worker can't be run, or the tape doesn't give what stands there.
    pub fn record(
        &self,
        folder: &Path,
        before: &Image,
        said_before: &str,
    ) -> io::Result<Recording> {
        let base = folder.join("base");
        before.write(&base)?;
        before.write(&folder.join("before"))?;
        fs::write(folder.join("marks-before"), said_before)?;
        fs::write(folder.join("workload"), self.workload.name())?;
        for (number, faults) in (1_u64..).zip(&self.faults) {
            let tape = folder.join(format!("tape-{number}"));
            let seed = self.seed.wrapping_mul(31).wrapping_add(number);
            let worker = Worker {
                reopen: true,
                tape: Some(&tape),
                faults,
                ..Worker::new(self.program, self.workload, folder, seed)
            };
            let (status, said) = worker.run()?;
            if !status.success() && !faults.contains("kill") {
                return Err(io::Error::other(format!("the worker ended with {status}: {said}")));
            }
        }
        let recording = Recording::open(folder)?;
        recording.compare(&Image::of(&base)?)?;
        fs::remove_dir_all(&base)?;
        Ok(recording)
    }
}

impl Recording {
    /// Reads what was recorded into a folder.
    ///
    /// # Errors
    /// Where it can't be read.
    pub fn open(folder: &Path) -> io::Result<Recording> {
        use clap::ValueEnum;
        let name = fs::read_to_string(folder.join("workload"))?;
        let workload = Workload::from_str(&name, false).map_err(io::Error::other)?;
        let mut tapes = Vec::new();
        for number in 1.. {
            let tape = folder.join(format!("tape-{number}"));
            if !tape.is_file() {
                break;
            }
            tapes.push(tape::read(&tape)?);
        }
        Ok(Recording {
            folder: folder.to_path_buf(),
            workload,
            before: Image::of(&folder.join("before"))?,
            said_before: fs::read_to_string(folder.join("marks-before"))?,
            tapes,
        })
    }

    /// The last worker's tape.
    pub fn last(&self) -> &[Entry] {
        self.tapes.last().map_or(&[], Vec::as_slice)
    }

    /// Nothing may be missing on the tape: without a power cut it gives the folder, byte for byte. Of
    /// sled's files only the lengths are compared: its threads may write one place at once, and which
    /// of two calls came last the tape cannot tell. Whatever stands there follows from the journal.
    fn compare(&self, really: &Image) -> io::Result<()> {
        let mut replay = self.begin()?;
        replay.forward(self.last(), self.last().len())?;
        let taped = replay.disk.image(&mut Cut::Lax);
        let differs = |path: &&String| {
            let [taped, really] = [taped.files.get(*path), really.files.get(*path)];
            match path.contains("/sled/") {
                true => taped.map(Vec::len) != really.map(Vec::len),
                false => taped != really,
            }
        };
        let files = taped.files.keys().chain(really.files.keys());
        let mut folders = [taped.folders.clone(), really.folders.clone()];
        folders.iter_mut().for_each(|names| names.sort());
        match files.clone().find(differs) {
            Some(path) => Err(io::Error::other(format!("the tape gives another {path}"))),
            None if folders[0] != folders[1] => Err(io::Error::other("other folders")),
            None => Ok(()),
        }
    }

    /// The disk and what was said before the last worker began.
    fn begin(&self) -> io::Result<Replay> {
        let mut replay =
            Replay { disk: Disk::holding(&self.before), said: self.said_before.clone(), at: 0 };
        for tape in &self.tapes[..self.tapes.len().saturating_sub(1)] {
            replay.forward(tape, tape.len())?;
            replay.disk.next_tape();
            replay.at = 0;
        }
        Ok(replay)
    }

    /// Power cuts at random moments, half of them right before or after a sync or a mark, in the
    /// order of the tape.
    pub fn points(&self, count: usize, rng: &mut fastrand::Rng) -> Vec<Point> {
        let is_edge = |entry: &Entry| matches!(entry, Entry::Sync { .. } | Entry::Mark { .. });
        let edges: Vec<usize> =
            (0..).zip(self.last()).filter(|(_, entry)| is_edge(entry)).map(|(at, _)| at).collect();
        let mut points: Vec<Point> = (0..count)
            .map(|_| {
                let near = rng.bool() && !edges.is_empty();
                let at = match near {
                    true => edges[rng.usize(..edges.len())] + rng.usize(..2),
                    false => rng.usize(..=self.last().len()),
                };
                Point { at, seed: rng.u64(..) }
            })
            .collect();
        points.sort_by_key(|point| point.at);
        points
    }

    /// Cuts the power at each of these points, which are in order, and hands on what is left: the
    /// disk and everything that had been said.
    ///
    /// # Errors
    /// Where the tape can't have happened, or `each` fails.
    pub fn cut(
        &self,
        points: &[Point],
        each: &mut dyn FnMut(Point, Image, &str) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut replay = self.begin()?;
        for point in points {
            replay.forward(self.last(), point.at)?;
            let mut rng = fastrand::Rng::with_seed(point.seed);
            let mut cut = match rng.u8(..10) {
                0..4 => Cut::Strict,
                4 => Cut::Lax,
                _ => Cut::Random(rng),
            };
            each(*point, replay.disk.image(&mut cut), &replay.said)?;
        }
        Ok(())
    }

    /// Cuts the power at each of these points and checks what is left.
    ///
    /// # Errors
    /// As [`Recording::cut`], and where a check can't be run.
    pub fn check(&self, points: &[Point]) -> io::Result<Outcome> {
        let mut outcome = Outcome::default();
        let mut running: VecDeque<(Point, Check, tempfile::TempDir)> = VecDeque::new();
        let mut finish = |(point, check, _): (Point, Check, tempfile::TempDir)| {
            let found = check.wait();
            outcome.points += 1;
            if !found.is_good() && outcome.first_bad.is_none() {
                outcome.first_bad = Some((self.folder.clone(), point));
            }
            outcome.found.add(found);
        };
        self.cut(points, &mut |point, image, said| {
            let folder = tempfile::tempdir_in(self.folder.parent().unwrap_or(&self.folder))?;
            image.write(&folder.path().join("base"))?;
            fs::write(folder.path().join("marks"), said)?;
            let check = Check::start(folder.path(), self.workload.kind())?;
            running.push_back((point, check, folder));
            if running.len() == AT_ONCE {
                running.pop_front().into_iter().for_each(&mut finish);
            }
            Ok(())
        })?;
        running.into_iter().for_each(&mut finish);
        Ok(outcome)
    }
}

/// A tape being played.
struct Replay {
    disk: Disk,
    said: String,
    at: usize,
}

impl Replay {
    fn forward(&mut self, tape: &[Entry], to: usize) -> io::Result<()> {
        let to = to.min(tape.len());
        for entry in &tape[self.at..to] {
            self.disk.take(entry).map_err(io::Error::other)?;
            if let Entry::Mark { text } = entry {
                self.said.push_str(text);
            }
        }
        self.at = self.at.max(to);
        Ok(())
    }
}
