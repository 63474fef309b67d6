//! Other programs: tournaments that were played elsewhere, from a file's bytes to a neutral
//! [`Source`], and from that to the events of a log.
#![doc = include_str!("../README.md")]
//!
//! What a file does not hold is not made up: it stands in [`Source::unknown`]. What looks wrong but
//! can be recorded is an [`Oddity`]; what cannot be recorded is an [`ImportError`] with its place.
#![deny(clippy::float_arithmetic, clippy::disallowed_methods, clippy::disallowed_types)]

mod build;
mod check;
mod cobra;
mod csv;
mod deckcache;
mod error;
mod events;
pub mod own;
mod phases;
mod ranking;
mod sheet;
pub mod sheets;
mod source;
pub mod trf;

#[cfg(test)]
mod corpus_tests;
#[cfg(test)]
mod tests;

use own::own_kind;
use scrutineer_engine::event::UnknownFact;
use std::borrow::Cow;

pub use error::{Fault, ImportError};
pub use events::events;
pub use source::{
    Oddity, PublishedMeasure, PublishedRow, PublishedValue, Source, SourceBye, SourceDrop,
    SourcePhase, SourcePlace, SourcePlayer, SourceRound, SourceSeat, SourceTable,
};

/// How much a file may hold. Real events stay far below.
pub mod limits {
    use scrutineer_engine::limits as engine;

    /// Bytes of a file.
    pub const FILE_BYTES: usize = 64 * 1024 * 1024;
    /// Players of an event, named anywhere in the file.
    pub const PLAYERS: usize = engine::PLAYERS as usize;
    /// Rounds of an event.
    pub const ROUNDS: usize = engine::ROUNDS as usize;
    /// Matches and byes listed in one round, repetitions included.
    pub const TABLES: usize = 100_000;
    /// Characters of a name or title.
    pub const NAME_CHARS: usize = scrutineer_engine::book::MAX_NAME;
    /// Largest size of a value on a score line.
    pub const SCORE: i32 = 1_000_000;
    /// Score lines of a scoresheet.
    pub const SCORE_LINES: usize = engine::SCORE_LINES;
    /// The most columns of a CSV: eleven that have names, and two for each score line.
    pub const COLUMNS: usize = 11 + 2 * SCORE_LINES;
    /// The longest line of a CSV, in bytes with its end.
    pub const LINE_BYTES: usize = 64 * 1024;
    /// Levels of a JSON file.
    pub const JSON_DEPTH: usize = 32;
    /// Characters of a published number, as printed.
    pub const NUMBER_CHARS: usize = 80;
    /// Players listed in one event, which must fit into a record.
    pub(crate) const LISTED_PER_EVENT: usize = 8_000;
    /// Sentences about oddities that are kept; the last one says how many more there are.
    pub(crate) const ODDITIES: usize = 1_000;
}

/// The BLAKE3 `derive_key` context of an imported tournament's stream id.
pub(crate) const STREAM_CONTEXT: &str = "scrutineer 2026 imported stream v1";

/// A format in which another program keeps tournaments.
pub trait Format: Sync {
    /// What people call it, such as `cobra json`.
    fn name(&self) -> &'static str;

    /// Whether a text without its byte-order mark is of this format, by how it begins or by its
    /// keys. A text that is, and then cannot be read, is an error and no other format.
    fn detect(&self, text: &str) -> bool;

    /// Reads a text strictly. `name` is the file's name, for messages.
    ///
    /// # Errors
    /// What cannot be recorded, with its place in the file.
    fn read(&self, name: &str, text: &str) -> Result<Source, ImportError>;
}

struct DeckCache;

impl Format for DeckCache {
    fn name(&self) -> &'static str {
        "deck-cache json"
    }

    fn detect(&self, text: &str) -> bool {
        keys(text).is_some_and(|keys| keys.tournament.is_some() && keys.rounds.is_some())
    }

    fn read(&self, _: &str, text: &str) -> Result<Source, ImportError> {
        deckcache::read(text)
    }
}

struct Cobra;

impl Format for Cobra {
    fn name(&self) -> &'static str {
        "cobra json"
    }

    fn detect(&self, text: &str) -> bool {
        keys(text)
            .is_some_and(|keys| keys.preliminary_rounds.is_some() && keys.cobra_rounds.is_some())
    }

    fn read(&self, _: &str, text: &str) -> Result<Source, ImportError> {
        cobra::read(text)
    }
}

struct Csv;

impl Format for Csv {
    fn name(&self) -> &'static str {
        "csv"
    }

    /// A text that is no JSON is taken for one, so that a wrong header gets its message.
    fn detect(&self, text: &str) -> bool {
        !matches!(text.trim_start().chars().next(), None | Some('{' | '['))
    }

    fn read(&self, name: &str, text: &str) -> Result<Source, ImportError> {
        csv::read(name, text)
    }
}

struct Trf;

impl Format for Trf {
    fn name(&self) -> &'static str {
        "trf"
    }

    fn detect(&self, text: &str) -> bool {
        trf::is_one(text)
    }

    fn read(&self, name: &str, text: &str) -> Result<Source, ImportError> {
        trf::read(name, text)
    }
}

/// The formats that [`read`] tries, in this order.
pub const ALL: [&dyn Format; 4] = [&DeckCache, &Cobra, &Trf, &Csv];

/// The formats that [`read`] recognises, for messages.
pub(crate) const FORMATS: &str = "a deck-cache JSON (Tournament, Rounds, Standings), a Cobra JSON, \
    FIDE's TRF (a record 001 for each player), or a CSV whose header names round, player_a and player_b";

/// The stream id of the tournament in a file: the same bytes are the same tournament.
pub fn stream_id(bytes: &[u8]) -> [u8; 16] {
    let hash = blake3::derive_key(STREAM_CONTEXT, bytes);
    let mut id = [0; 16];
    id.copy_from_slice(&hash[..16]);
    id
}

/// BLAKE3 of a file's bytes, as `Imported` holds it.
pub fn file_hash(bytes: &[u8]) -> [u8; 32] {
    *blake3::hash(bytes).as_bytes()
}

/// Recognises a file's format and reads it strictly. `name` is the file's name, for messages and
/// for the private texts.
///
/// # Errors
/// What cannot be recorded, with its place in the file.
pub fn read(name: &str, bytes: &[u8]) -> Result<Source, ImportError> {
    read_as(name, bytes, &ALL)
}

/// As [`read`], a file of one of these formats.
///
/// # Errors
/// As [`read`].
pub fn read_as(name: &str, bytes: &[u8], formats: &[&dyn Format]) -> Result<Source, ImportError> {
    read_text(name, bytes, formats).map_err(|error| error.in_file(name))
}

fn read_text(name: &str, bytes: &[u8], formats: &[&dyn Format]) -> Result<Source, ImportError> {
    if let Some(kind) = own_kind(bytes) {
        return Err(Fault::OfOurs { kind }.into());
    }
    if bytes.len() > limits::FILE_BYTES {
        return Err(Fault::TooLarge { bytes: bytes.len() }.into());
    }
    // A ZIP archive, which a workbook is, an older workbook, and what spreadsheets call Unicode.
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"\xd0\xcf\x11\xe0") {
        return Err(Fault::Workbook.into());
    }
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(Fault::Utf16.into());
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) if trf::has_record(bytes) => Cow::Owned(trf::of_8_bits(bytes)),
        Err(error) => return Err(Fault::NotUtf8 { offset: error.valid_up_to() }.into()),
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let first = text.trim_start().chars().next().ok_or(Fault::Empty)?;
    if sheets::is_one(text) {
        return Err(Fault::OwnSheet.into());
    }
    if first == '{' {
        depth(text)?;
    }
    let mut source = match formats.iter().find(|format| format.detect(text)) {
        Some(format) => format.read(name, text)?,
        None => return Err(unknown(text, first)),
    };
    source.file = build::clean_name("the file's name", name)?;
    if source.phases.iter().enumerate().any(|(at, phase)| phases::lacks_seeds(at, phase)) {
        source.unknown.push(UnknownFact::Seeds);
    }
    Ok(source)
}

/// Why a text is of no format.
fn unknown(text: &str, first: char) -> ImportError {
    let found = match first {
        '{' => match serde_json::from_str::<Keys>(text) {
            Ok(_) => "a JSON object without these keys",
            Err(error) => return ImportError::json(error),
        },
        '[' => "a JSON list",
        _ => "a text",
    };
    Fault::UnknownFormat { found: found.into() }.into()
}

/// The keys of a JSON object; none where the text is no JSON.
fn keys(text: &str) -> Option<Keys> {
    text.trim_start().starts_with('{').then(|| serde_json::from_str(text).ok()).flatten()
}

/// Refuses JSON nested deeper than any of these formats is.
fn depth(text: &str) -> Result<(), ImportError> {
    let (mut depth, mut quoted, mut escaped) = (0usize, false, false);
    for (offset, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'[' | b'{' if !quoted => depth += 1,
            b']' | b'}' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > limits::JSON_DEPTH {
            return Err(Fault::TooDeep.at(format!("byte {offset}")));
        }
    }
    Ok(())
}

/// The keys by which a JSON file is recognised.
#[derive(serde::Deserialize)]
struct Keys {
    #[serde(rename = "Tournament")]
    tournament: Option<serde::de::IgnoredAny>,
    #[serde(rename = "Rounds")]
    rounds: Option<serde::de::IgnoredAny>,
    #[serde(rename = "preliminaryRounds")]
    preliminary_rounds: Option<serde::de::IgnoredAny>,
    #[serde(rename = "rounds")]
    cobra_rounds: Option<serde::de::IgnoredAny>,
}
