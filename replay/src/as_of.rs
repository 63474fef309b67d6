//! What was recorded by a moment: the log up to there, and never a part of a command.

mod parse;
#[cfg(test)]
mod tests;

pub use parse::{LONGEST, parse, utc};

use scrutineer_engine::book::{MemoryTexts, PrivateTexts};
use scrutineer_engine::error::Code;
use scrutineer_engine::event::Seq;
use scrutineer_engine::log::{AppendError, Batch, CommandTrace, Head, Log, LogError, Records};
use scrutineer_engine::record::{CommandId, Header, RecordHash, StreamId, Time};
use std::sync::Arc;

/// A moment in the life of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// When the event of this number had been recorded.
    Seq(Seq),
    /// This time.
    Time(Time),
}

/// How much of a log was there at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AsOf {
    /// The last event that was there.
    pub head: Head,
    /// When it was recorded, by the clock of its desk.
    pub recorded: Time,
    /// The moment itself: the time that was asked for, or when that event was recorded.
    pub time: Time,
    /// The last event of the log now.
    pub last: Seq,
    /// The event asked for, and the first and last one of its command, where the question fell
    /// into the middle of it: only what was before the command counts.
    pub within: Option<(Seq, Seq, Seq)>,
}

impl AsOf {
    /// What stands above everything that is shown as of it.
    pub fn line(&self) -> String {
        let AsOf { head, recorded, last, .. } = self;
        let later = match last - head.seq {
            0 => "nothing came later".into(),
            1 => "one event came later".into(),
            count => format!("{count} events came later"),
        };
        format!("as of event {}, recorded {}; {later}", head.seq, utc(*recorded))
    }
}

scrutineer_engine::errors! {
    /// Why nothing can be shown as of a moment.
    #[derive(Clone, PartialEq, Eq)]
    pub enum AsOfError -> String {
        /// There is no such event.
        NoSuchEvent { seq: Seq, last: Seq } => { last, .. } Code::not_found("no-such-event"),
            "there is no event {seq}", format!("events are 1 to {last}");
        /// Nothing had been recorded yet.
        BeforeOpening { asked: Moment, opened: Time, through: Seq }
            => { asked, through, .. } Code::refused("before-opening"),
            ["{}", before(.asked, *.opened, *.through)],
            match asked {
                Moment::Seq(_) => format!("ask as of event {through} or a later one"),
                Moment::Time(_) => "ask for a later time".into(),
            };
        /// What was typed is no moment.
        NotAMoment { text: String } = invalid "bad-moment",
            "{text:?} is neither the number of an event nor a time",
            "write it like 57, 14:05, \"2026-11-21 14:05\" or 2026-11-21T14:05:00Z".into();
        /// The clocks of the zone were put forward over this time.
        SkippedTime { text: String } = invalid "bad-moment",
            "there was no {text:?}: the clocks were put forward over it",
            "write the time in UTC, like 2026-11-21T14:05:00Z".into();
    }
}

fn before(asked: &Moment, opened: Time, through: Seq) -> String {
    match asked {
        Moment::Time(time) => {
            format!(
                "nothing was recorded by {}: the tournament was opened at {}",
                utc(*time),
                utc(opened)
            )
        }
        Moment::Seq(seq) => {
            format!(
                "events 1 to {through} were recorded together, so there is nothing as of event {seq}"
            )
        }
    }
}

/// The end of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct End {
    first: Seq,
    head: Head,
    recorded: Time,
    /// The latest time of this record and of those before it: clocks step back.
    latest: Time,
}

/// When each command of a tournament was recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    ends: Vec<End>,
}

impl Timeline {
    /// The timeline of a tournament in a log.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn read(log: &dyn Log, stream: StreamId) -> Result<Timeline, LogError> {
        let mut timeline = Timeline::default();
        for record in log.read(stream, 0) {
            let record = record?;
            timeline.add(&record.header(), record.hash());
        }
        Ok(timeline)
    }

    /// Takes the next record; those of a command count from its last part on.
    fn add(&mut self, header: &Header, hash: RecordHash) {
        if header.part != header.parts {
            return;
        }
        let before = self.ends.last();
        self.ends.push(End {
            first: before.map_or(0, |end| end.head.seq) + 1,
            head: Head { seq: header.seq, hash },
            recorded: header.time,
            latest: before.map_or(header.time, |end| end.latest.max(header.time)),
        });
    }

    /// The earliest and the latest time at which something was recorded; none: nothing was.
    pub fn span(&self) -> Option<(Time, Time)> {
        Some((self.ends.first()?.latest, self.ends.last()?.latest))
    }

    /// How much was there at a moment.
    ///
    /// A time is compared with the latest time recorded so far, not with each event's own: clocks
    /// step back, and what was recorded stays recorded. All parts of a command have one time.
    ///
    /// # Errors
    /// Where nothing was there yet, or there is no such event.
    pub fn as_of(&self, moment: Moment) -> Result<AsOf, AsOfError> {
        let last = self.ends.last().map_or(0, |end| end.head.seq);
        let known = match moment {
            Moment::Seq(seq) if seq == 0 || seq > last => {
                return Err(AsOfError::NoSuchEvent { seq, last });
            }
            Moment::Seq(seq) => self.ends.partition_point(|end| end.head.seq <= seq),
            Moment::Time(time) => self.ends.partition_point(|end| end.latest <= time),
        };
        let Some(end) = known.checked_sub(1).map(|at| self.ends[at]) else {
            let first = self.ends.first();
            let opened = first.map_or(Time::default(), |end| end.recorded);
            let through = first.map_or(0, |end| end.head.seq);
            return Err(AsOfError::BeforeOpening { asked: moment, opened, through });
        };
        let within = match (moment, self.ends.get(known)) {
            (Moment::Seq(seq), Some(next)) if seq > end.head.seq => {
                Some((seq, next.first, next.head.seq))
            }
            _ => None,
        };
        let time = match moment {
            Moment::Time(time) => time,
            Moment::Seq(_) => end.recorded,
        };
        Ok(AsOf { head: end.head, recorded: end.recorded, time, last, within })
    }
}

/// A log as it was: what was recorded in one tournament after a head is not there. Nothing can be
/// appended to it.
pub struct Past<'a> {
    log: Held<'a>,
    stream: StreamId,
    head: Head,
}

/// The log behind a [`Past`].
enum Held<'a> {
    Lent(&'a dyn Log),
    /// With the only texts that are known of it.
    Shared(Arc<dyn Log>, MemoryTexts),
}

impl<'a> Past<'a> {
    fn log(&self) -> &(dyn Log + '_) {
        match &self.log {
            Held::Lent(log) => *log,
            Held::Shared(log, _) => &**log,
        }
    }

    /// The log as it was when a tournament ended at `head`, the end of a command.
    pub fn new(log: &'a dyn Log, stream: StreamId, head: Head) -> Past<'a> {
        Past { log: Held::Lent(log), stream, head }
    }

    /// The same of one tournament alone, with no other texts than these.
    pub fn alone(log: Arc<dyn Log>, stream: StreamId, head: Head, texts: MemoryTexts) -> Past<'a> {
        Past { log: Held::Shared(log, texts), stream, head }
    }
}

impl Log for Past<'_> {
    fn head(&self, stream: StreamId) -> Result<Head, LogError> {
        match stream == self.stream {
            true => Ok(self.head),
            false => self.log().head(stream),
        }
    }

    fn append(&self, _expected: Head, _batch: Batch) -> Result<Head, AppendError> {
        Err(AppendError::Stopped { reason: "this is the log as it was".into() })
    }

    fn read(&self, stream: StreamId, after: u64) -> Records<'_> {
        let read = self.log().read(stream, after);
        if stream != self.stream {
            return read;
        }
        let count = self.head.seq.saturating_sub(after);
        Box::new(read.take(usize::try_from(count).unwrap_or(usize::MAX)))
    }

    fn scan(&self) -> Records<'_> {
        let (stream, head) = (self.stream, self.head);
        Box::new(self.log().scan().filter(move |read| {
            let header = read.as_ref().ok().map(|record| record.header());
            header.is_none_or(|header| header.stream != stream || header.seq <= head.seq)
        }))
    }

    fn command(&self, stream: StreamId, id: CommandId) -> Result<Option<CommandTrace>, LogError> {
        let found = self.log().command(stream, id)?;
        Ok(found.filter(|trace| stream != self.stream || trace.last_seq <= self.head.seq))
    }

    fn streams(&self) -> Result<Vec<StreamId>, LogError> {
        match &self.log {
            Held::Lent(log) => log.streams(),
            Held::Shared(..) => Ok(vec![self.stream]),
        }
    }

    fn texts(&self) -> &dyn PrivateTexts {
        match &self.log {
            Held::Lent(log) => log.texts(),
            Held::Shared(_, texts) => texts,
        }
    }
}
