//! What the auditor looks at after every step and at the end.

use super::super::flaky::Rival;
use super::*;
use crate::drill::auditor::Audited;
use crate::drill::points;
use scrutineer_engine::book::BookError;
use scrutineer_engine::handler::{Answer, LoadError};
use scrutineer_engine::log::{AppendError, LogError};
use scrutineer_replay::as_of::{AsOfError, Moment, Timeline};
use scrutineer_replay::verify::{Beside, Severity, verify};

fn finding<T>(name: &'static str, sentence: String) -> Result<T, Finding> {
    Err(Finding { name, sentence })
}

impl Hall<'_> {
    pub(super) fn after(
        &mut self,
        request: &Request,
        said: &Said,
        wrong: &[Fault],
        met: Option<Rival>,
        before: &Before,
    ) -> Audited {
        for fault in wrong {
            self.count(fault.name());
        }
        let rival = met.and_then(|(rival, answer)| Some((rival, answer?)));
        let (rival, rival_said) = rival.map(|(rival, said)| (rival, Some(said))).unzip();
        let rival_said: Said = rival_said.flatten();
        // A word's number may have been taken in this very step.
        let now = Before {
            stopped: before.stopped,
            next_word: self.store.disk_books().next_number(request.stream).unwrap_or(1),
        };
        if let (Some(rival), Some(Err(refusal))) = (&rival, &rival_said) {
            // They were refused before anything of this step was recorded.
            let excused = word_taken(refusal, rival, &now);
            self.auditor.said(rival, &rival_said, excused)?;
        }
        self.auditor.read(self.store.disk())?;
        if let (Some(rival), Some(Ok(answer))) = (&rival, &rival_said) {
            self.auditor.said(rival, &rival_said, false)?;
            self.auditor.words(self.store.disk_books(), rival, false)?;
            if !answer.repeated {
                self.count("somebody else in between");
            }
        }
        let excused = excused(request, said, wrong, &now, self.store.is_stopped());
        let said = &self.new_once(request, said, wrong, rival.as_ref().zip(rival_said.as_ref()));
        self.auditor.said(request, said, excused)?;
        let refused = match said {
            Some(Err(refusal @ (CommandError::Rejected(_) | CommandError::Moved { .. }))) => {
                self.count(format!("refused: {}", refusal.code()));
                true
            }
            Some(Err(refusal)) => {
                self.count(format!("refused: {}", refusal.code()));
                false
            }
            Some(Ok(answer)) => {
                self.count(if answer.repeated { "answered: repeated" } else { "answered: new" });
                false
            }
            None => false,
        };
        self.auditor.words(self.store.disk_books(), request, refused)?;
        match self.keeper.load(self.plan.stream) {
            Ok((_, state)) => self.auditor.compare(&state),
            Err(error) => finding("unreadable", error.to_string()),
        }
    }

    /// Whoever asks again since the line was cut, and finds their command there as they had it, takes it
    /// for their own. Where the same request came through another node at that very moment, both hear
    /// that it is new, under the same numbers; for the auditor one of them does.
    fn new_once(
        &mut self,
        request: &Request,
        said: &Said,
        wrong: &[Fault],
        rival: Option<(&Request, &Result<Answer, CommandError>)>,
    ) -> Said {
        let was_cut = wrong.iter().any(|fault| matches!(fault, Fault::Cut(_)));
        let (Some(Ok(answer)), Some((rival, Ok(theirs))), true) = (said, rival, was_cut) else {
            return said.clone();
        };
        if rival.id != request.id || *answer != *theirs || answer.repeated {
            return said.clone();
        }
        self.count("new through two nodes at once");
        Some(Ok(Answer { repeated: true, ..*answer }))
    }

    /// Adds the match points up and holds the standings against them.
    pub(super) fn fold(&mut self) -> Audited {
        let Ok((_, state)) = self.keeper.load(self.plan.stream) else { return Ok(()) };
        let compared = points::compare(&self.auditor.model, &state, self.rules)?;
        *self.counts.entry("match points compared".to_owned()).or_default() += compared as u64;
        Ok(())
    }

    /// Everybody who has no answer asks again, and nothing goes wrong any more.
    pub(super) fn end(&mut self) -> Audited {
        self.store.reopen();
        self.restart();
        for desk in 0..self.desks.len() {
            while let Some(waiting) = self.desks[desk].waiting.pop_front() {
                if self.deliver(&waiting.request, None, None, desk)?.is_none() {
                    return finding("silence", "no answer although nothing went wrong".to_owned());
                }
            }
        }
        self.fold()?;
        self.auditor.all_words(self.store.disk_books())?;
        self.verify()?;
        self.look_back()?;
        let kinds: Vec<String> = kinds(self.auditor.events()).collect();
        kinds.into_iter().for_each(|kind| self.count(kind));
        if self.auditor.model.is_closed() {
            self.count("tournaments closed");
        }
        Ok(())
    }

    /// Verification has nothing against the log, and sees every clock that was set back.
    fn verify(&mut self) -> Audited {
        let Ok(book) = self.store.disk_books().book(self.plan.stream) else {
            return finding("words", "the book cannot be read".to_owned());
        };
        let beside = Beside { book: Some(&book), ..Beside::default() };
        let (verified, _) = verify(self.store.disk(), self.plan.stream, beside);
        // Drilled tables and lots follow from no seed, and no engine was asked.
        const DRILLED: [&str; 3] = ["pairing-differs", "lots-differ", "engine-answer-differs"];
        let counts = |code: &str| !DRILLED.contains(&code);
        let mut errors = verified.findings.iter().filter(|found| counts(found.code));
        let errors = errors.find(|found| found.severity == Severity::Error);
        if let Some(error) = errors {
            return finding(
                "verify",
                format!("{} at {}: {}", error.code, error.seq, error.sentence),
            );
        }
        let mut latest = i64::MIN;
        let mut behind = Vec::new();
        for (seq, time) in (1..).zip(self.auditor.times()) {
            if time < latest {
                behind.push(seq);
            }
            latest = latest.max(time);
        }
        let told = verified.findings.iter().find(|found| found.code == "clock-set-back");
        let told = told.map(|found| {
            let count = found.sentence.split(' ').next().and_then(|count| count.parse().ok());
            (found.seq, count.unwrap_or(0))
        });
        if told != behind.first().map(|first| (*first, behind.len())) {
            return finding("clock", format!("{behind:?} are behind, and it is told of {told:?}"));
        }
        if told.is_some() {
            self.count("logs with a clock set back");
        }
        Ok(())
    }

    /// As of a time: everything up to the last event before any later time was recorded.
    fn look_back(&mut self) -> Audited {
        let Ok(timeline) = Timeline::read(self.store.disk(), self.plan.stream) else {
            return finding("unreadable", "the timeline".to_owned());
        };
        let times: Vec<i64> = self.auditor.times().collect();
        for _ in 0..6 {
            let near = times.get(self.dice.below(times.len().max(1))).copied().unwrap_or(0);
            let asked = near + self.dice.between(0, 2) as i64 - 1;
            let until = times.iter().take_while(|time| **time <= asked).count() as u64;
            let told = match timeline.as_of(Moment::Time(Time { unix_micros: asked })) {
                Ok(as_of) => as_of.head.seq,
                Err(AsOfError::BeforeOpening { .. }) => 0,
                Err(error) => return finding("as of", error.to_string()),
            };
            if told != until {
                return finding("as of", format!("{until} events were there, not {told}"));
            }
        }
        Ok(())
    }
}

/// Whether what went wrong is a reason for an answer that says nothing about the tournament.
fn excused(
    request: &Request,
    said: &Said,
    wrong: &[Fault],
    before: &Before,
    stopped: bool,
) -> bool {
    use Fault::*;
    let met = |faults: &[Fault]| wrong.iter().any(|fault| faults.contains(fault));
    // A node that is patient asks again, and knows.
    let gave_up = || wrong.iter().any(|fault| matches!(fault, Cut(cut) if cut.gives_up));
    match said {
        None => met(&[CrashBeforeAppend, CrashAfterAppend, CrashAfterWords]),
        Some(Err(refusal)) => match refusal {
            CommandError::Append(AppendError::Stopped { .. }) => {
                before.stopped || (stopped && met(&[DiskFull, DiskFullButWritten]))
            }
            CommandError::Append(AppendError::Unknown { .. })
            | CommandError::Append(AppendError::Read(LogError::Database { .. }))
            | CommandError::Load(LoadError::Log(LogError::Database { .. }))
            | CommandError::Book(BookError::Database { .. }) => gave_up(),
            CommandError::Load(_) => met(&[CommandUnread, HeadUnread, ReadCutOff]),
            CommandError::TooBusy => wrong.iter().any(|fault| matches!(fault, Conflicts(999..))),
            CommandError::Book(BookError::Io { .. }) => met(&[BookUnwritten]),
            refusal => {
                let is_of_the_disk = |fault: &Fault| !matches!(fault, Cut(_));
                word_taken(refusal, request, before) || wrong.iter().any(is_of_the_disk)
            }
        },
        Some(Ok(_)) => false,
    }
}

/// Another desk took the number for its words in the meantime.
fn word_taken(refusal: &CommandError, request: &Request, before: &Before) -> bool {
    let first = request.private.first().map_or(u32::MAX, |entry| entry.number);
    matches!(refusal, CommandError::Book(BookError::NumberTaken { .. })) && first < before.next_word
}
