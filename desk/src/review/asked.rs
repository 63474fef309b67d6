//! What somebody asks of all tournaments.

use super::marks::What;
use crate::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::record::{Header, StreamId, Time};
use scrutineer_replay::as_of::{AsOfError, LONGEST, Moment, Timeline, parse};
use std::fmt;

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// From when on it was recorded.
    pub since: Option<Time>,
    /// Until when.
    pub until: Option<Time>,
    /// By whom: a part of their name.
    pub person: String,
    /// In which tournaments: the beginning of an id, or a part of a title.
    pub tournament: String,
    /// Only this.
    pub only: Option<What>,
    /// Whether tournaments are verified.
    pub verify: bool,
    /// Whether findings are told too that are only good to know.
    pub notes: bool,
    /// How many rows.
    pub most: Option<usize>,
    /// Only what was recorded before this row.
    pub before: Option<Cursor>,
}

impl Wanted {
    /// Returns whether an event is asked for, as far as that can be seen without a name.
    pub(super) fn takes(&self, what: What, at: Cursor) -> bool {
        self.since.is_none_or(|since| at.0 >= since.unix_micros)
            && self.until.is_none_or(|until| at.0 <= until.unix_micros)
            && self.only.is_none_or(|only| only == what)
            && self.before.is_none_or(|before| at < before)
    }
}

/// Where a row stands among those of all tournaments: by time, then tournament, then event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cursor(i64, [u8; 16], u64);

impl Cursor {
    pub(super) fn of(stream: StreamId, header: &Header) -> Cursor {
        Cursor(header.time.unix_micros, stream.0, header.seq)
    }

    /// Returns the place that was written as `micros.tournament.event`.
    pub fn read(text: &str) -> Option<Cursor> {
        let (time, rest) = text.split_once('.')?;
        let (stream, seq) = rest.split_once('.')?;
        let stream = u128::from_str_radix(stream, 16).ok()?.to_be_bytes();
        Some(Cursor(time.parse().ok()?, stream, seq.parse().ok()?))
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}.{}.{}", self.0, StreamId(self.1), self.2)
    }
}

/// Reads a day or a time, by this machine's clock where it names no zone. A day is its beginning, or
/// with `is_end` its end.
///
/// # Errors
/// Where it is neither.
pub fn day_or_time(text: &str, is_end: bool) -> Result<Time, VerbError> {
    let text = text.trim();
    let is_day = chrono::NaiveDate::parse_from_str(text, "%Y-%m-%d").is_ok();
    let typed = match (is_day, is_end) {
        (true, false) => format!("{text} 00:00:00"),
        (true, true) => format!("{text} 23:59:59"),
        (false, _) => text.to_string(),
    };
    match parse(&typed, &chrono::Local, &Timeline::default()) {
        // A time takes in its whole second, which is right for an end alone.
        Ok(Moment::Time(time)) if !is_end => {
            let second = time.unix_micros.div_euclid(1_000_000) * 1_000_000;
            Ok(Time { unix_micros: second })
        }
        Ok(Moment::Time(time)) => Ok(time),
        Err(error @ AsOfError::SkippedTime { .. }) => Err(error.into()),
        _ => {
            let text: String = text.chars().take(LONGEST).collect();
            let message = format!("{text:?} is neither a day nor a time");
            let hint = "write it like 2026-11-21, \"2026-11-21 14:05\" or 2026-11-21T14:05:00Z";
            Err(VerbError::new(Code::invalid("bad-moment"), message, hint))
        }
    }
}
