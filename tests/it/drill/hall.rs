//! A hall with several desks, one scorekeeper and everything that can fail between them. A
//! scheduler of its own decides whose step is next, so that a seed gives the same run again.

mod after;

use super::asks::{Pen, Plan};
use super::auditor::{Auditor, Finding, Said};
use super::flaky::{Crash, Fault, Flaky};
use super::line::Cut;
use super::words;
use crate::random_tournaments::Dice;
use scrutineer_engine::book::PrivateTexts;
use scrutineer_engine::command::Command;
use scrutineer_engine::event::Event;
use scrutineer_engine::handler::{CommandError, CommandHandler, Request};
use scrutineer_engine::record::{Actor, CommandId, StreamId, Time};
use scrutineer_engine::seed::Seeds;
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::ruleset::Ruleset;
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// How often each thing happened.
pub type Counts = BTreeMap<String, u64>;

/// How many steps are told where something is found.
const TOLD: usize = 30;

/// Where somebody sits, and what they know.
#[derive(Default)]
struct Desk {
    /// The tournament as they last saw it.
    known: Tournament,
    /// What they asked for and has no answer to.
    waiting: VecDeque<Waiting>,
    /// What was answered.
    done: Vec<Request>,
}

struct Waiting {
    request: Request,
    /// How often it was handed over without an answer.
    tries: u32,
}

pub struct Hall<'a> {
    store: &'a Flaky,
    keeper: CommandHandler<'a>,
    pub auditor: Auditor,
    rules: &'a Arc<Ruleset>,
    plan: Plan,
    dice: Dice,
    desks: Vec<Desk>,
    clock: i64,
    next_id: u128,
    pub steps: VecDeque<String>,
    counts: &'a mut Counts,
}

impl<'a> Hall<'a> {
    pub fn new(
        seed: u64,
        store: &'a Flaky,
        rules: &'a Arc<Ruleset>,
        counts: &'a mut Counts,
    ) -> Hall<'a> {
        let mut dice = Dice(seed ^ 0xD4_1115);
        let mut stream = [0x5C; 16];
        stream[..8].copy_from_slice(&seed.to_le_bytes());
        let plan = Plan {
            stream: StreamId(stream),
            players: dice.between(3, 12),
            rounds: dice.between(1, 4),
            cut: dice.pick(&[0, 2, 4]),
            pods: dice.chance(20),
            seeds: dice.chance(50).then(|| Seeds::of(&[seed as u8; 32])),
        };
        let desks = (0..dice.between(2, 4)).map(|_| Desk::default()).collect();
        Hall {
            store,
            keeper: CommandHandler::new(store),
            auditor: Auditor::new(plan.stream),
            rules,
            plan,
            dice,
            desks,
            clock: 1_795_255_200_000_000,
            next_id: 1,
            steps: VecDeque::new(),
            counts,
        }
    }

    fn count(&mut self, what: impl Into<String>) {
        *self.counts.entry(what.into()).or_default() += 1;
    }

    fn tell(&mut self, step: String) {
        self.steps.truncate(TOLD - 1);
        self.steps.push_front(step);
    }

    fn restart(&mut self) {
        self.keeper = CommandHandler::new(self.store);
    }

    /// Plays a tournament to its end, and some steps beyond it.
    pub fn play(&mut self) -> Result<(), Finding> {
        let most = self.dice.between(90, 190);
        let mut beyond = 12;
        for step in 0..most {
            self.step(step)?;
            if self.auditor.model.is_closed() {
                beyond -= 1;
            }
            if beyond == 0 {
                break;
            }
        }
        self.end()
    }

    fn step(&mut self, step: usize) -> Result<(), Finding> {
        self.move_the_clock();
        self.open_again();
        let desk = self.dice.below(self.desks.len());
        if self.dice.chance(45) {
            self.look(desk)?;
        }
        match self.dice.below(100) {
            0..10 if !self.desks[desk].done.is_empty() => self.send_twice(desk)?,
            10..14 if !self.desks[desk].done.is_empty() => self.reuse_an_id(desk)?,
            _ => {
                if self.desks[desk].waiting.is_empty() || self.dice.chance(25) {
                    self.compose(desk);
                }
                self.hand_over(desk)?;
            }
        }
        if step.is_multiple_of(9) {
            self.fold()?;
        }
        Ok(())
    }

    fn move_the_clock(&mut self) {
        self.clock += self.dice.below(90_000_000) as i64;
        match self.dice.below(40) {
            0 => {
                self.clock -= 3_600_000_000 * self.dice.between(1, 30) as i64;
                self.count("clock set back");
            }
            1 => {
                self.clock += 3_600_000_000 * self.dice.between(1, 30) as i64;
                self.count("clock set forward");
            }
            _ => {}
        }
    }

    /// A store that stopped is opened again after a while; now and then one that had not.
    fn open_again(&mut self) {
        if self.store.is_stopped() && self.dice.chance(40) {
            self.store.reopen();
            self.restart();
            self.tell("the store is opened again".to_owned());
        }
        if self.dice.chance(2) {
            self.restart();
            // From a state that was kept at an earlier moment, as from a snapshot.
            let known = &self.desks[0].known;
            let head = self.auditor.head_at(known.head());
            if let (Some(head), Ok(bytes)) = (head, known.to_bytes())
                && let Ok(state) = Tournament::from_bytes(&bytes)
            {
                self.keeper.start_from(self.plan.stream, head, state);
                self.count("started from a snapshot");
            }
            self.tell("the scorekeeper is started anew".to_owned());
        }
    }

    /// A desk looks at what there is.
    fn look(&mut self, desk: usize) -> Result<(), Finding> {
        if let Ok((_, state)) = self.keeper.load(self.plan.stream) {
            self.desks[desk].known = (*state).clone();
        }
        Ok(())
    }

    fn compose(&mut self, desk: usize) {
        let book = self.store.next_number(self.plan.stream).ok().filter(|_| self.dice.chance(30));
        let known = &self.desks[desk].known;
        let mut pen =
            Pen { dice: &mut self.dice, plan: &self.plan, known, book, private: Vec::new() };
        let command = pen.ask();
        let private = pen.private;
        let for_this_state = matches!(&command, Command::OpenRound { .. });
        let expected = (for_this_state || self.dice.chance(8)).then(|| known.head());
        let id = CommandId(self.next_id);
        self.next_id += 1;
        let (stream, time) = (self.plan.stream, Time { unix_micros: self.clock });
        let actor = Actor(desk as u32 + 1);
        let request = Request { stream, id, actor, time, private, command, expected };
        self.desks[desk].waiting.push_back(Waiting { request, tries: 0 });
    }

    /// Hands over one of the requests that wait: mostly the oldest.
    fn hand_over(&mut self, desk: usize) -> Result<(), Finding> {
        let last = self.desks[desk].waiting.len() - 1;
        let at = if self.dice.chance(75) { 0 } else { self.dice.below(last + 1) };
        let Some(mut waiting) = self.desks[desk].waiting.remove(at) else { return Ok(()) };
        if at > 0 {
            self.count("reordered");
        }
        if waiting.tries > 0 {
            self.count("sent again without an answer");
            // The desk's clock runs on, and a retry says so or does not.
            if self.dice.chance(50) {
                waiting.request.time.unix_micros = self.clock;
            }
        }
        let fault = self.fault();
        let rival = self.rival(&waiting.request, desk);
        let said = self.deliver(&waiting.request, fault, rival, desk)?;
        let lost = said.is_some() && self.dice.chance(12);
        if lost {
            self.count("answer lost");
        }
        match said {
            Some(Ok(_)) if !lost => self.desks[desk].done.push(waiting.request),
            Some(Err(refusal)) if !lost && is_final(&refusal) => {}
            _ => {
                waiting.tries += 1;
                self.desks[desk].waiting.push_back(waiting);
            }
        }
        Ok(())
    }

    fn fault(&mut self) -> Option<Fault> {
        use Fault::*;
        let once = [
            CrashBeforeAppend,
            CrashAfterAppend,
            CrashAfterWords,
            DiskFull,
            DiskFullButWritten,
            Conflicts(1),
            Conflicts(3),
            CommandUnread,
            HeadUnread,
            ReadCutOff,
            BookUnwritten,
        ];
        if self.store.has_line() && self.dice.chance(15) {
            return Some(self.cut());
        }
        match self.dice.below(400) {
            0 => Some(Conflicts(1_000)),
            1..90 => Some(self.dice.pick(&once)),
            _ => None,
        }
    }

    /// Requests have some hundred bytes, their answers some dozens.
    fn cut(&mut self) -> Fault {
        let (at_append, in_answer) = (self.dice.chance(60), self.dice.chance(50));
        let bytes = self.dice.below(if in_answer { 120 } else { 900 });
        Fault::Cut(Cut { at_append, in_answer, bytes, gives_up: self.dice.chance(50) })
    }

    /// What another desk, or this one on another line, gets in between.
    fn rival(&mut self, request: &Request, desk: usize) -> Option<Request> {
        if self.auditor.model.head() == 0 || !self.dice.chance(10) {
            return None;
        }
        if self.dice.chance(30) {
            self.count("sent twice at once");
            return Some(request.clone());
        }
        let other = (desk + 1) % self.desks.len();
        let waiting = self.desks[other].waiting.pop_front()?;
        Some(waiting.request)
    }

    /// The network brings a request a second time that was answered long ago.
    fn send_twice(&mut self, desk: usize) -> Result<(), Finding> {
        let at = self.dice.below(self.desks[desk].done.len());
        let mut request = self.desks[desk].done[at].clone();
        request.time.unix_micros = self.clock;
        let fault = self.fault().filter(|_| self.dice.chance(30));
        self.count("duplicate");
        self.deliver(&request, fault, None, desk).map(drop)
    }

    fn reuse_an_id(&mut self, desk: usize) -> Result<(), Finding> {
        let at = self.dice.below(self.desks[desk].done.len());
        let mut request = self.desks[desk].done[at].clone();
        request.private.clear();
        let known = &self.desks[desk].known;
        let (dice, plan) = (&mut self.dice, &self.plan);
        match dice.chance(30) {
            true => request.actor = Actor(99),
            false => {
                let mut pen = Pen { dice, plan, known, book: None, private: Vec::new() };
                request.command = pen.ask();
            }
        }
        self.deliver(&request, None, None, desk).map(drop)
    }

    /// Hands a request to the handler, with everything that goes wrong meanwhile, and lets the
    /// auditor look.
    fn deliver(
        &mut self,
        request: &Request,
        fault: Option<Fault>,
        rival: Option<Request>,
        desk: usize,
    ) -> Result<Said, Finding> {
        self.auditor.asked(request);
        fault.into_iter().for_each(|fault| self.store.arm(fault));
        if let Some(rival) = &rival {
            self.auditor.asked(rival);
            self.store.arm_rival(rival.clone());
        }
        let before = Before {
            stopped: self.store.is_stopped(),
            next_word: self.store.next_number(request.stream).unwrap_or(1),
        };
        let handled = catch_unwind(AssertUnwindSafe(|| self.keeper.handle(request)));
        let said: Said = match handled {
            Ok(said) => Some(said),
            Err(crash) if crash.is::<Crash>() => None,
            Err(panicked) => std::panic::resume_unwind(panicked),
        };
        let wrong = self.store.went_wrong();
        if said.is_none() {
            self.restart();
        }
        let met = self.store.rival();
        self.tell(words::step(desk, request, &said, &wrong, met.as_ref()));
        if let Some((request, None)) = &met {
            // They had no occasion; they ask again.
            let request = request.clone();
            self.desks[desk].waiting.push_back(Waiting { request, tries: 1 });
        }
        self.after(request, &said, &wrong, met, &before)?;
        Ok(said)
    }
}

/// How it stood before a request was handed over.
struct Before {
    stopped: bool,
    next_word: u32,
}

/// Whether nothing is to be hoped for from asking again.
fn is_final(refusal: &CommandError) -> bool {
    use scrutineer_engine::book::BookError;
    matches!(
        refusal,
        CommandError::Rejected(_)
            | CommandError::IdReused(_)
            | CommandError::Moved { .. }
            | CommandError::Book(BookError::NumberTaken { .. })
    )
}

/// The kinds of events that a log holds.
pub fn kinds<'a>(events: impl Iterator<Item = &'a Event>) -> impl Iterator<Item = String> {
    events.map(|event| format!("event: {}", event.word()))
}
