//! sled behind the journal, at arm's length.
//!
//! One worker thread has sled to itself: it follows the journal and answers. Nobody waits for it
//! longer than a moment, but for whoever appends first: until it was compared with the journal.
//! Whatever goes wrong there (an error, a panic, silence, disagreement with the journal) condemns
//! it: its folder is moved aside and a new worker fills a fresh one from the journal. Only where the
//! disk has no room is it left as it is, until the store is opened again; and where it shows that
//! the journal is not what it was, since then it is the only witness.
//! Nothing is ever written to sled that the journal doesn't hold.

mod worker;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::CommandTrace;
use super::heads::Heads;
use super::options::{Lost, Notice, Options};
use super::segment::Position;
use super::stream::Places;
use scrutineer_engine::record::{CommandId, StreamId};

/// A sled that has failed this often since opening is left alone.
const MAX_FAILURES: u32 = 3;

/// How long the worker lets commands gather. Without it every commit would wake it up.
const NAP: Duration = Duration::from_millis(20);

/// How often whoever waits for the worker looks whether it is stuck.
const TICK: Duration = Duration::from_millis(50);

/// What a worker is asked for.
#[derive(Debug)]
pub(crate) enum Job {
    /// Values of a stream, from one place to another, as many as come at once.
    Range { stream: StreamId, from: u64, to: u64, reply: Sender<Vec<sled::IVec>> },
    /// Every command of a stream.
    Commands { stream: StreamId, reply: Sender<Vec<(CommandId, CommandTrace)>> },
}

/// Where sled stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// It is being opened and compared.
    Opening,
    /// It follows the journal and answers.
    Following,
    /// It proves that the journal was shortened; nothing is done until somebody decides.
    Ahead(Vec<Lost>),
    /// It failed too often, or the store is closed.
    Gone,
}

/// What the worker and everybody else share.
#[derive(Debug)]
pub(crate) struct State {
    /// Counts workers; one whose number is not this has been given up.
    pub generation: u64,
    pub phase: Phase,
    /// How far sled has followed the journal.
    pub applied: Position,
    /// Whether this worker has come near the journal's end. Until then nobody waits for it: filling
    /// a sled again may take minutes.
    pub is_near: bool,
    /// The end of what is synced in the journal.
    pub target: Position,
    pub jobs: VecDeque<Job>,
    /// Whether the worker is inside sled, and since when.
    pub busy: Option<Instant>,
    pub closing: bool,
    /// Whether the worker sleeps a little, so that it follows several commands at once.
    pub napping: bool,
    /// Whether sled was closed in order.
    pub closed: bool,
    pub failures: u32,
    pub notices: Vec<Notice>,
}

/// What a worker needs to know and doesn't change.
#[derive(Debug)]
pub(crate) struct Setting {
    pub journal: PathBuf,
    pub root: PathBuf,
    pub store: [u8; 16],
    pub options: Options,
    /// The heads at opening, to compare an existing sled with; the first worker takes them.
    pub heads: Mutex<Heads>,
    /// Where streams stand, to look up what a sled that is behind should have.
    pub places: Arc<Places>,
    /// Whether the store was not closed in order.
    pub unclean: bool,
}

/// The shelf. Cloning it gives another handle to the same one.
#[derive(Clone, Debug)]
pub(crate) struct Shelf {
    pub setting: Arc<Setting>,
    state: Arc<Mutex<State>>,
    work: Arc<Condvar>,
    news: Arc<Condvar>,
}

/// sled can't answer now: read the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Absent;

impl Shelf {
    /// Starts the first worker on what is there.
    pub(crate) fn start(setting: Setting, target: Position) -> Shelf {
        let state = State {
            generation: 1,
            phase: Phase::Opening,
            applied: Position::START,
            is_near: false,
            target,
            jobs: VecDeque::new(),
            busy: None,
            closing: false,
            napping: false,
            closed: false,
            failures: 0,
            notices: Vec::new(),
        };
        let shelf = Shelf {
            setting: Arc::new(setting),
            state: Arc::new(Mutex::new(state)),
            work: Arc::default(),
            news: Arc::default(),
        };
        shelf.hire(1, false);
        shelf
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes whoever waits for the worker to get on.
    pub(crate) fn tell(&self) {
        self.news.notify_all();
    }

    /// Waits for work.
    pub(crate) fn wait_for_work<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.work.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits a little for more work; a question or the end of the store ends it at once.
    pub(crate) fn nap<'a>(&self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        state.napping = true;
        let mut state = match self.work.wait_timeout(state, NAP) {
            Ok((state, _)) => state,
            Err(poisoned) => poisoned.into_inner().0,
        };
        state.napping = false;
        state
    }

    fn hire(&self, generation: u64, fresh: bool) {
        let shelf = self.clone();
        let thread = std::thread::Builder::new().name(format!("sled-{generation}"));
        let hired = thread.spawn(move || worker::run(&shelf, generation, fresh));
        if let Err(error) = hired {
            self.lock().phase = Phase::Gone;
            self.notice(unavailable(&error.to_string()));
            self.news.notify_all();
        }
    }

    /// Waits until an existing sled was opened and compared, or is given up.
    pub(crate) fn wait_until_open(&self) -> Phase {
        self.wait_while(None, |state| state.phase == Phase::Opening).phase.clone()
    }

    /// Waits as long as it is so, and gives a worker up meanwhile that is stuck.
    fn wait_while(
        &self,
        most: Option<Duration>,
        is_so: impl Fn(&State) -> bool,
    ) -> MutexGuard<'_, State> {
        let begun = Instant::now();
        let mut state = self.lock();
        while is_so(&state) && most.is_none_or(|most| begun.elapsed() < most) {
            state = match self.news.wait_timeout(state, TICK) {
                Ok((state, _)) => state,
                Err(poisoned) => poisoned.into_inner().0,
            };
            state = self.without_stuck(state);
        }
        state
    }

    /// Gives the worker up if it is stuck.
    fn without_stuck<'a>(&'a self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        let (deadline, why) = match state.phase {
            Phase::Opening => {
                (self.setting.options.open_deadline, "it could not be opened in time")
            }
            _ => (self.setting.options.step_deadline, "it gave no answer in time"),
        };
        if state.busy.is_none_or(|since| since.elapsed() < deadline) {
            return state;
        }
        let generation = state.generation;
        drop(state);
        self.condemn(generation, why);
        self.lock()
    }

    /// The journal has grown: sled may follow.
    pub(crate) fn follow(&self, target: Position) {
        let mut state = self.lock();
        state.target = target;
        if !state.napping {
            self.work.notify_all();
        }
    }

    /// Bytes of the journal that sled lacks.
    pub(crate) fn bytes_behind(&self, state: &State) -> u64 {
        state.applied.bytes_to(&state.target, self.setting.options.journal_segment_bytes)
    }

    /// Waits while sled is too far behind the journal: writers must not leave it behind for ever.
    /// A sled that fails or is given up meanwhile ends the waiting.
    pub(crate) fn wait_until_near(&self) {
        let most = self.setting.options.most_behind_bytes;
        drop(self.wait_while(None, |state| {
            state.is_near && state.phase == Phase::Following && self.bytes_behind(state) > most
        }));
    }

    /// Asks sled, once it has so many commands, and waits for its answer: a moment. Says which
    /// worker gave it.
    pub(crate) fn ask<T>(
        &self,
        need: u64,
        job: impl FnOnce(Sender<T>) -> Job,
    ) -> Result<(T, u64), Absent> {
        self.wait_until_open();
        let patience = self.setting.options.patience;
        let is_there = |state: &State| state.phase == Phase::Following && !state.closing;
        let has_it = |state: &State| state.applied.frames >= need;
        let mut state = self.wait_while(Some(patience), |state| is_there(state) && !has_it(state));
        if !(is_there(&state) && has_it(&state)) {
            return Err(Absent);
        }
        let (reply, answer) = mpsc::channel();
        state.jobs.push_back(job(reply));
        let generation = state.generation;
        drop(state);
        self.work.notify_all();
        answer.recv_timeout(patience).map(|answer| (answer, generation)).map_err(|_| {
            drop(self.without_stuck(self.lock()));
            Absent
        })
    }

    /// Gives a worker up, unless that has already happened, and hires another.
    pub(crate) fn condemn(&self, generation: u64, why: &str) {
        self.give_up(generation, why, false);
    }

    /// Gives a worker up that finds no room, and hires none: another would fare no better.
    pub(crate) fn leave(&self, generation: u64, why: &str) {
        self.give_up(generation, why, true);
    }

    fn give_up(&self, generation: u64, why: &str, is_full: bool) {
        let mut state = self.lock();
        if state.generation != generation || state.phase == Phase::Gone {
            return;
        }
        state.generation += 1;
        state.failures += 1;
        state.applied = Position::START;
        state.is_near = false;
        state.busy = None;
        state.jobs.clear();
        let next = state.generation;
        let is_last = is_full || state.failures > MAX_FAILURES || state.closing;
        state.phase = if is_last { Phase::Gone } else { Phase::Following };
        let notice = match (is_full, is_last) {
            (true, _) => no_room(why),
            (_, true) => unavailable(why),
            _ => rebuilt(why),
        };
        state.notices.push(notice.clone());
        drop(state);
        self.work.notify_all();
        self.news.notify_all();
        self.tell_user(&notice);
        if !is_last {
            self.hire(next, true);
        }
    }

    /// Lets the worker catch up and close sled; says whether it did.
    pub(crate) fn close(&self) -> bool {
        let mut state = self.lock();
        state.closing = true;
        self.work.notify_all();
        let mut last = (state.applied, Instant::now());
        while state.phase != Phase::Gone {
            if let Phase::Ahead(_) = state.phase {
                return false;
            }
            state = match self.news.wait_timeout(state, TICK) {
                Ok((state, _)) => state,
                Err(poisoned) => poisoned.into_inner().0,
            };
            if state.applied != last.0 {
                last = (state.applied, Instant::now());
            }
            if last.1.elapsed() >= self.setting.options.step_deadline {
                return false;
            }
        }
        state.closed
    }

    pub(crate) fn notice(&self, notice: Notice) {
        self.tell_user(&notice);
        self.lock().notices.push(notice);
    }

    fn tell_user(&self, notice: &Notice) {
        if let Some(teller) = &self.setting.options.teller {
            (teller.0)(notice);
        }
    }
}

fn rebuilt(why: &str) -> Notice {
    Notice::new(
        "sled-rebuilt",
        format!(
            "The sled folder could not be used: {why}. It was moved aside and is being filled \
             again from the journal; no event is lost."
        ),
    )
}

fn no_room(why: &str) -> Notice {
    Notice::new(
        "sled-unavailable",
        format!(
            "There is no room for sled: {why}. Events are read from the journal meanwhile, which is \
             slower. Nothing is lost; make room."
        ),
    )
}

fn unavailable(why: &str) -> Notice {
    Notice::new(
        "sled-unavailable",
        format!(
            "sled can't be used until the store is opened again: {why}. Events are read from the \
             journal meanwhile, which is slower."
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::Summary;

    /// Several readers may find the same sled wrong; it is given up once.
    #[test]
    fn a_worker_is_given_up_once() {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("journal");
        std::fs::create_dir(&journal).unwrap();
        let setting = Setting {
            journal,
            root: folder.path().join("sled"),
            store: [7; 16],
            options: super::super::kit::options(1_000),
            heads: Mutex::default(),
            places: Arc::new(Places::new(folder.path(), Summary::default(), false)),
            unclean: false,
        };
        let shelf = Shelf::start(setting, Position::START);
        shelf.wait_until_open();
        for _ in 0..3 {
            shelf.condemn(1, "it lacks a record");
        }
        // A later one may fail by itself, for what the first still holds, and come too late for
        // closing.
        while shelf.lock().phase != Phase::Gone {
            shelf.close();
        }
        // When the store is closed nothing is filled again.
        let generation = shelf.lock().generation;
        shelf.condemn(generation, "too late");
        let state = shelf.lock();
        let told = |why| state.notices.iter().filter(|notice| notice.text.contains(why)).count();
        assert_eq!((told("it lacks a record"), told("too late")), (1, 0));
    }
}
