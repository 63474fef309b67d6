//! Other programs: tournaments that were played elsewhere, from a file's bytes to a neutral
//! [`Source`], and from that to the events of a log.
#![doc = include_str!("../README.md")]
//!
//! What a file does not hold is not made up: it stands in [`Source::unknown`]. What looks wrong but
//! can be recorded is an [`Oddity`]; what cannot be recorded is an [`ImportError`] with its place.
#![deny(clippy::float_arithmetic, clippy::disallowed_methods, clippy::disallowed_types)]

mod anysheet;
mod battlefy;
mod bcp;
mod bracket;
mod build;
mod by_round;
mod carde;
mod challonge;
mod check;
mod chessresults;
mod cobra;
mod csv;
mod deckcache;
mod error;
mod events;
mod file;
mod json;
mod kts;
mod letters;
mod limitless;
mod macmahon;
mod matched;
mod melee;
mod mtgo;
mod near;
mod numbered;
mod opengotha;
mod outcome;
pub mod own;
mod pages;
mod pairgoth;
mod parts;
mod phases;
mod ranking;
mod report;
mod sheet;
pub mod sheets;
mod source;
mod splinterlands;
pub mod standings;
mod startgg;
mod tdf;
mod tome;
mod topdeck;
pub mod trf;
mod tunx;
mod written;
mod xml;
mod xml_edit;
mod xwing;

#[cfg(test)]
mod corpus_tests;
#[cfg(test)]
mod tests;

pub use own::is_bundle;
use own::{OwnKind, own_kind};
use scrutineer_engine::event::UnknownFact;

pub use anysheet::{
    Joined, Preview, PreviewColumn, Question, SheetKind, column_words, is_workbook, join_rounds,
    names_columns, rounds_of_one, title_without_round,
};
pub use error::{Fault, ImportError};
pub use events::events;
pub use file::File;
pub use parts::{Part, join, part_of};
pub use report::{ByeAsked, ChessReport, PointSystem, ReportMark, ReportRecord, rules_of};
pub use source::{
    Oddity, PublishedMeasure, PublishedRow, PublishedValue, Source, SourceBye, SourceDrop,
    SourcePhase, SourcePlace, SourcePlayer, SourceRound, SourceSeat, SourceTable,
};
pub use written::{WriteError, Written};

/// How much a file may hold. Real events stay far below.
pub mod limits {
    use scrutineer_engine::limits as engine;

    /// Bytes of a file.
    pub const FILE_BYTES: usize = 64 * 1024 * 1024;
    /// Players of a tournament, named anywhere in the file.
    pub const PLAYERS: usize = engine::PLAYERS as usize;
    /// Rounds of a tournament.
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
    /// Columns of a sheet.
    pub const SHEET_COLUMNS: usize = 512;
    /// Rows of a sheet that are not empty.
    pub const SHEET_ROWS: usize = 250_000;
    /// Cells of a sheet.
    pub const SHEET_CELLS: usize = 4_000_000;
    /// Levels of a JSON file.
    pub const JSON_DEPTH: usize = 32;
    /// Levels of an XML file.
    pub const XML_DEPTH: usize = 32;
    /// Elements of an XML file.
    pub const XML_ELEMENTS: usize = 500_000;
    /// Attributes of an element.
    pub const XML_ATTRIBUTES: usize = 64;
    /// Comments, instructions and blanks before the root element of an XML file.
    pub(crate) const XML_BEFORE_ROOT: usize = 100;
    /// Values of a JSON file that a platform answers.
    pub const JSON_VALUES: usize = 4_000_000;
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

    /// How the names of its files end.
    fn ending(&self) -> &'static str {
        "json"
    }

    /// Whether a file is of this format, by how it begins or by its keys, never by its name. A file that is,
    /// and then cannot be read, is an error and no other format.
    fn detect(&self, file: &File) -> bool;

    /// Which part of a tournament a file holds, where a platform answers in several; none where it is whole.
    fn part(&self, file: &File) -> Option<Part> {
        let _ = file;
        None
    }

    /// Reads a file strictly.
    ///
    /// # Errors
    /// What cannot be recorded, with its place in the file.
    fn read(&self, file: &File) -> Result<Source, ImportError>;

    /// Whether it can be written into a file of this format.
    fn writes_into(&self) -> bool {
        false
    }

    /// Writes a tournament, for a format that can be written: anew, or into a file of this format, of which
    /// everything stays that the tournament does not say otherwise.
    ///
    /// # Errors
    /// Why the format cannot hold the tournament.
    fn write(&self, source: &Source, into: Option<&File>) -> Option<Result<Written, WriteError>> {
        let _ = (source, into);
        None
    }
}

/// The formats that [`read`] tries, in this order.
pub const ALL: [&dyn Format; 24] = [
    &tunx::Tunx,
    &kts::Kts,
    &opengotha::OpenGotha,
    &macmahon::MacMahon,
    &chessresults::ChessResults,
    &deckcache::DeckCache,
    &deckcache::manatraders::ManaTraders,
    &melee::Melee,
    &topdeck::TopDeck,
    &mtgo::Mtgo,
    &cobra::Cobra,
    &pairgoth::Pairgoth,
    &tdf::Tdf,
    &battlefy::Battlefy,
    &challonge::Challonge,
    &carde::Carde,
    &tome::Tome,
    &xwing::XWing,
    &bcp::Bcp,
    &startgg::StartGg,
    &splinterlands::Splinterlands,
    &limitless::Limitless,
    &trf::Trf,
    &anysheet::Csv,
];

/// Further ways of writing formats that [`ALL`] reads.
pub const ONLY_WRITTEN: [&dyn Format; 1] = [&trf::Trf26];

/// The formats that [`read`] recognises, for messages.
pub(crate) fn known() -> String {
    let is_json = |name: &&str| name.ends_with(" json");
    let all = || ALL.iter().map(|format| format.name());
    let others: Vec<&str> = all().filter(|name| !is_json(name)).collect();
    let json: Vec<&str> = all().filter(is_json).filter_map(|name| name.split(' ').next()).collect();
    format!("{}, or the JSON of {}", others.join(", "), json.join(", "))
}

/// A tournament in our own sheets, as [`sheets`] writes them, and what they do not hold.
pub use csv::of_tournament as as_sheets;

/// How the names of files end that are read as tournaments, in letters of any case.
pub const ENDINGS: [&str; 12] =
    ["json", "csv", "tsv", "xlsx", "xls", "ods", "trf", "tdf", "tunx", "xml", "tour", "tournament"];

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

/// Whether bytes are a tournament, whatever their file is called: of a format that is known by its keys, or a
/// sheet in which somebody meets somebody. Any text may be a sheet, so that one is read.
pub fn is_one(bytes: &[u8]) -> bool {
    let file = File::new("file", bytes);
    if bytes.len() > limits::FILE_BYTES || own_kind(bytes).is_some() {
        return false;
    }
    match ALL.iter().find(|format| format.detect(&file)) {
        Some(format) if format.name() == "csv" => {
            let source = read("file", bytes);
            source.is_ok_and(|source| source.rounds().any(|(_, round)| !round.tables.is_empty()))
        }
        found => found.is_some(),
    }
}

/// What a person may say of a file that does not say it itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// What the columns of a sheet hold, by number or by name: `round=1,player_a=2,player_b=3,result=4`.
    pub columns: Option<String>,
}

/// As [`read`], with what a person says of the file.
///
/// # Errors
/// As [`read`].
pub fn read_with(name: &str, bytes: &[u8], asked: &Asked) -> Result<Source, ImportError> {
    let file = File { columns: asked.columns.as_deref(), ..File::new(name, bytes) };
    read_file(&file, &ALL).map_err(|error| error.in_file(name))
}

/// Whether a file is a sheet that comes in only with a choice of columns.
pub fn asks_for_columns(name: &str, bytes: &[u8]) -> bool {
    read(name, bytes).is_err_and(|error| error.code() == "which-column")
}

/// What the columns of a sheet are taken for, with its first rows and what only a person can tell; none
/// where the file is no sheet or has no table.
///
/// # Errors
/// Where the sheet cannot be opened, or the choice names no columns of it.
pub fn preview(name: &str, bytes: &[u8], asked: &Asked) -> Result<Option<Preview>, ImportError> {
    let file = File { columns: asked.columns.as_deref(), ..File::new(name, bytes) };
    let is_sheet = || {
        let format = ALL.iter().find(|format| format.detect(&file));
        format.is_some_and(|format| format.name() == "csv")
    };
    if bytes.len() > limits::FILE_BYTES || own_kind(bytes).is_some() || !is_sheet() {
        return Ok(None);
    }
    anysheet::preview(&file).map_err(|error| error.in_file(name))
}

/// As [`read`], a file of one of these formats.
///
/// # Errors
/// As [`read`].
pub fn read_as(name: &str, bytes: &[u8], formats: &[&dyn Format]) -> Result<Source, ImportError> {
    read_file(&File::new(name, bytes), formats).map_err(|error| error.in_file(name))
}

fn read_file(file: &File, formats: &[&dyn Format]) -> Result<Source, ImportError> {
    let bytes = file.bytes;
    // Platforms have pages too, and a format knows its own.
    let is_foreign = |kind| kind == OwnKind::Page && formats.iter().any(|one| one.detect(file));
    if let Some(kind) = own_kind(bytes).filter(|kind| !is_foreign(*kind)) {
        return Err(Fault::OfOurs { kind }.into());
    }
    if bytes.len() > limits::FILE_BYTES {
        return Err(Fault::TooLarge { bytes: bytes.len() }.into());
    }
    if bytes.iter().all(u8::is_ascii_whitespace)
        || file.text.is_some_and(|text| text.trim().is_empty())
    {
        return Err(Fault::Empty.into());
    }
    if file.text.is_some_and(sheets::is_one) {
        return Err(Fault::OwnSheet.into());
    }
    if file.text.is_some_and(is_chat) {
        let found = "a chat that was copied, with when and who before each line: leave that out, so that each line is \
                     a match, such as Ann Lee 2 - 1 Bob Smith";
        return Err(Fault::UnknownFormat { found: found.into() }.into());
    }
    if let Some(text) = file.text.filter(|text| text.trim_start().starts_with(['{', '['])) {
        file::depth(text)?;
    }
    let Some(format) = formats.iter().find(|format| format.detect(file)) else {
        return Err(unknown(file));
    };
    let mut source = format.read(file).map_err(|error| match format.name() {
        "csv" => error,
        _ => error.of_program(),
    })?;
    source.file = build::clean_name("the file's name", file.name)?;
    if !source.finished {
        sheet::leave_room(&mut source.scoresheet);
    }
    if source.phases.iter().enumerate().any(|(at, phase)| phases::lacks_seeds(at, phase)) {
        source.unknown.push(UnknownFact::Seeds);
    }
    let told = xml::told(file);
    source
        .oddities
        .extend(told.map(|told| Oddity { place: build::WHOLE.into(), sentence: told.into() }));
    source.oddities.extend(waits(&source));
    source.oddities.extend(matched::shared_ids(&source));
    Ok(source)
}

/// Whether a text is a chat as phones copy it: `[03/11/2026, 19:04] Ann: ...` or `03/11/2026, 19:04 - Ann: ...`. What
/// is said in several lines has that before the first one.
fn is_chat(text: &str) -> bool {
    let said = |line: &str| -> Option<bool> {
        let line = line.trim_start_matches(['\u{200e}', '\u{feff}', '[', ' ']);
        let is_of = |c: char| c.is_ascii_digit() || matches!(c, '/' | '.' | '-');
        let (date, rest) = line.split_at(line.find(|c| !is_of(c)).unwrap_or(line.len()));
        let end = rest.find(']').or_else(|| rest.find(" - "))?;
        let (time, said) = rest.split_at(end);
        let is_time = time.contains(':') && time.contains(|c: char| c.is_ascii_digit());
        let is_one = date.len() > 5
            && date.contains(['/', '.', '-'])
            && is_time
            && time.chars().count() < 20;
        is_one.then(|| said.contains(": "))
    };
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).take(20).map(said);
    let first = lines.next().flatten();
    first.is_some_and(|says| says || lines.flatten().any(|says| says))
}

/// What is paired in a file behind a round that is not over: a log takes one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// What waits, such as `Round 3 of the masters`.
    pub what: String,
    /// The round for which it waits.
    pub open: String,
}

/// What waits in a file for a round that is not over; none: nothing does.
pub fn waiting(source: &Source) -> Option<Waiting> {
    let is_over = |round: &SourceRound| round.tables.iter().all(SourceTable::has_result);
    // Others of its phase may be to come behind a round that is over.
    let mut rounds = source.phases.iter().enumerate().flat_map(|(at, phase)| {
        let last = phase.rounds.len().checked_sub(1).filter(|_| source.goes_on.contains(&at));
        phase.rounds.iter().enumerate().map(move |(at, round)| (round, last == Some(at)))
    });
    let (open, _) = rounds.find(|(round, goes_on)| *goes_on || !is_over(round))?;
    let (next, _) = rounds.next()?;
    // Where divisions are paired on their own, one may be ahead.
    let division = |(player, _): (usize, &str)| source.players.get(player)?.division.clone();
    let divisions: std::collections::BTreeSet<String> =
        check::appearances(next).filter_map(division).collect();
    let is_named = source.platform != "tom" || next.name.contains(" of the ");
    let what = match divisions.is_empty() || is_named {
        true => next.name.clone(),
        false => {
            let all: Vec<String> = divisions.iter().map(|one| format!("{one}s")).collect();
            format!("{} of the {}", next.name, all.join(" and "))
        }
    };
    let open = match is_over(open) {
        true => format!("the round after {}", open.name),
        false => open.name.clone(),
    };
    Some(Waiting { what, open })
}

/// What is told of it.
fn waits(source: &Source) -> Option<Oddity> {
    let Waiting { what, open } = waiting(source)?;
    let sentence = format!(
        "It is not over, and later rounds are paired, first {what}: what comes after it is not recorded before it is."
    );
    Some(Oddity { place: open, sentence })
}

/// What only answers of start.gg say: of tournaments, phases, their groups, games and people.
const OF_STARTGG: [&str; 6] = [
    "\"gamerTag\"",
    "\"slug\":\"tournament/",
    "\"slug\": \"tournament/",
    "\"displayIdentifier\"",
    "\"orderNum\"",
    "\"numSeeds\"",
];

/// Why a file is of no format.
fn unknown(file: &File) -> ImportError {
    // A ZIP archive, which a workbook is, an older workbook, and what spreadsheets call Unicode.
    if file.bytes.starts_with(b"PK\x03\x04") || file.bytes.starts_with(b"\xd0\xcf\x11\xe0") {
        return Fault::Workbook.into();
    }
    if file.bytes.starts_with(b"\xff\xfe") || file.bytes.starts_with(b"\xfe\xff") {
        return Fault::Utf16.into();
    }
    let text = match file.text() {
        Ok(text) => text,
        Err(error) => return error,
    };
    let is_startgg = text.trim_start().starts_with(['{', '['])
        && OF_STARTGG.iter().any(|word| text.contains(word));
    if is_startgg {
        let what = "the list of sets, each with its slots, without which an answer of start.gg is no tournament,";
        return ImportError::from(Fault::Missing { what: what.into() }).of_program();
    }
    let found = match text.trim_start().chars().next() {
        Some('{') => match serde_json::from_str::<serde::de::IgnoredAny>(text) {
            Ok(_) => "a JSON object without these keys",
            Err(error) => return ImportError::json(error),
        },
        Some('[') => "a JSON list",
        Some('<') => "an XML or HTML text",
        _ => "a text",
    };
    Fault::UnknownFormat { found: found.into() }.into()
}
