//! The thread that has sled to itself.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::PoisonError;
use std::time::Instant;

use super::{Job, Phase, Shelf};
use crate::options::Notice;
use crate::segment::{JournalReader, Position};
use crate::sled_folder;
use crate::trees::{Compared, Failure, Trees};

/// So many bytes of commands are worth gathering before sled gets them: some thousand results.
/// With each step the heads of their streams are written anew.
const FEW_BYTES: u64 = 256 * 1024;

/// Follows the journal and answers until the store is closed or this worker is given up.
pub(crate) fn run(shelf: &Shelf, generation: u64, fresh: bool) {
    let mut worker = Worker { shelf, generation, trees: None };
    let end = caught(|| worker.work(fresh));
    match end {
        Ok(()) => {}
        Err(Failure::Full(why)) => {
            // A copy of it would only take the room in which the tournament goes on.
            let root = &shelf.setting.root;
            let _ =
                sled_folder::live(root).and_then(|(live, _)| sled_folder::drop_copy(root, &live));
            shelf.leave(generation, &why);
        }
        Err(Failure::Broken(why)) => shelf.condemn(generation, &why),
    }
    // Dropping a sled that failed may panic or hang; by now nobody waits for this thread.
    let trees = worker.trees.take();
    let _ = caught(|| {
        drop(trees);
        Ok(())
    });
}

/// What to do next.
enum Next {
    Answer(Job),
    Follow(Position),
}

struct Worker<'a> {
    shelf: &'a Shelf,
    generation: u64,
    trees: Option<Trees>,
}

impl Worker<'_> {
    fn work(&mut self, fresh: bool) -> Result<(), Failure> {
        self.beat();
        let setting = &self.shelf.setting;
        let folder = match fresh {
            true => sled_folder::set_aside(&setting.root).map_err(refused)?,
            false => self.prepare()?,
        };
        let heads = setting.heads.lock().unwrap_or_else(PoisonError::into_inner);
        let heads = std::mem::take(&mut *{ heads });
        let trees = self.trees.insert(Trees::open(&folder, &setting.options, setting.store)?);
        let target = self.shelf.lock().target;
        let mut reader = JournalReader::new(&setting.journal, Position::START, target);
        if !fresh {
            match trees.compare(&heads, &setting.places, target, setting.unclean)? {
                Compared::From(from) => reader = JournalReader::new(&setting.journal, from, target),
                Compared::Ahead(lost) => {
                    self.trees = None;
                    self.set_phase(Phase::Ahead(lost));
                    return Ok(());
                }
            }
            self.set_phase(Phase::Following);
            while reader.at().frames < target.frames {
                self.follow(&mut reader, target)?;
            }
            if let Some(trees) = &self.trees {
                trees.agree(&heads)?;
            }
            sled_folder::drop_copy(&setting.root, &folder).map_err(refused)?;
            self.progress(target);
        }
        drop(heads);
        while let Some(next) = self.next() {
            match next {
                Next::Answer(job) => self.answer(job)?,
                Next::Follow(target) => self.follow(&mut reader, target)?,
            }
        }
        self.finish(&folder)
    }

    /// Makes an existing folder ready to be opened; after an unclean stop it is copied first.
    fn prepare(&self) -> Result<PathBuf, Failure> {
        let setting = &self.shelf.setting;
        let (live, exists) = sled_folder::live(&setting.root).map_err(refused)?;
        if exists && setting.unclean {
            let copied = sled_folder::copy_live(&setting.root, &live, &|| self.beat());
            match copied.map_err(refused) {
                Ok(()) => {}
                // sled finds room for itself, or says that there is none.
                Err(Failure::Full(_)) => {}
                Err(Failure::Broken(why)) => self.shelf.notice(Notice::new(
                    "sled-copy-failed",
                    format!("The sled folder could not be copied before it was opened: {why}."),
                )),
            }
        }
        sled_folder::remove_unfinished(&live).map_err(refused)?;
        sled_folder::wait_until_free(&live);
        self.beat();
        Ok(live)
    }

    /// What to do next; none where the store is being closed, or this worker was given up.
    fn next(&self) -> Option<Next> {
        let mut state = self.shelf.lock();
        let mut rested = false;
        loop {
            if state.generation != self.generation {
                return None;
            }
            state.busy = Some(Instant::now());
            if let Some(job) = state.jobs.pop_front() {
                return Some(Next::Answer(job));
            }
            let behind = state.applied.frames < state.target.frames;
            let is_small = self.shelf.bytes_behind(&state) < FEW_BYTES;
            if behind && (rested || !is_small || state.closing) {
                return Some(Next::Follow(state.target));
            }
            if state.closing {
                return None;
            }
            state.busy = None;
            state = match behind {
                true => self.shelf.nap(state),
                false => self.shelf.wait_for_work(state),
            };
            rested = behind;
        }
    }

    fn answer(&self, job: Job) -> Result<(), Failure> {
        let Some(trees) = &self.trees else {
            return Ok(());
        };
        // A reader that has gone away doesn't want its answer.
        match job {
            Job::Range { stream, from, to, reply } => {
                let _ = reply.send(trees.range(stream, from, to)?);
            }
            Job::Commands { stream, reply } => {
                let _ = reply.send(trees.commands_of(stream)?);
            }
        }
        Ok(())
    }

    /// One step behind the journal.
    fn follow(&mut self, reader: &mut JournalReader, target: Position) -> Result<(), Failure> {
        let (shelf, generation) = (self.shelf, self.generation);
        let beat = || beat(shelf, generation);
        let Some(trees) = &mut self.trees else { return Ok(()) };
        reader.set_end(target);
        while !trees.is_full() {
            let frame = reader.next().map_err(|error| error.to_string())?;
            let Some(frame) = frame else { break };
            trees.take(&frame, &beat)?;
        }
        let at = reader.at();
        trees.apply(at, &beat)?;
        self.progress(at);
        Ok(())
    }

    fn progress(&self, at: Position) {
        let mut state = self.shelf.lock();
        if state.generation == self.generation {
            state.applied = at;
            let most = self.shelf.setting.options.most_behind_bytes;
            state.is_near |= self.shelf.bytes_behind(&state) <= most;
            state.busy = Some(Instant::now());
        }
        drop(state);
        self.shelf.tell();
    }

    fn beat(&self) {
        beat(self.shelf, self.generation);
    }

    fn set_phase(&self, phase: Phase) {
        let mut state = self.shelf.lock();
        if state.generation == self.generation {
            state.phase = phase;
        }
        drop(state);
        self.shelf.tell();
    }

    /// Closes sled in order and waits until its files are on the disk.
    fn finish(&mut self, folder: &std::path::Path) -> Result<(), Failure> {
        if self.shelf.lock().generation != self.generation {
            return Ok(());
        }
        if let Some(trees) = self.trees.take() {
            trees.flush()?;
            drop(trees);
        }
        sled_folder::sync_files(folder).map_err(refused)?;
        self.shelf.lock().closed = true;
        self.set_phase(Phase::Gone);
        Ok(())
    }
}

fn beat(shelf: &Shelf, generation: u64) {
    let mut state = shelf.lock();
    if state.generation == generation {
        state.busy = Some(Instant::now());
    }
}

fn refused(error: std::io::Error) -> Failure {
    Failure::of(&error, format!("the operating system refused: {error}"))
}

/// Runs something that may panic. sled does, when its files are damaged.
fn caught(run: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Err("it panicked".into()))
}
