//! Why a file cannot be imported.

use super::{known, limits};
use crate::own::OwnKind;
use scrutineer_engine::codec::CodecError;
use scrutineer_engine::error::Code;

/// Why a file cannot be imported, and where in it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImportError {
    /// The file's name.
    pub file: String,
    /// The place, such as `line 7` or `Rounds[2].Matches[7].Result`; empty: the whole file.
    pub place: String,
    /// What is wrong.
    pub fault: Box<Fault>,
    /// Whether a program or a platform wrote the file, in which nobody fills in a row.
    of_program: bool,
}

const CHANGED: &str = "the file was changed or damaged: download it again";
const AS_CSV: &str = "save it as CSV: in the spreadsheet, Save As, \"CSV UTF-8 (comma delimited)\"";

scrutineer_engine::errors! {
    /// What is wrong with a file.
    #[derive(Clone, PartialEq, Eq)]
    pub enum Fault -> &'static str {
        /// Nothing is in it.
        Empty = invalid "empty-file", "the file is empty",
            "export the tournament again; the download may have failed";
        /// It is larger than any real event.
        TooLarge { bytes: usize } = too_large "file-too-large",
            ["{bytes} bytes, more than the {} that are read", limits::FILE_BYTES],
            "import each tournament from a file of its own";
        /// It is not text.
        NotUtf8 { offset: usize } = invalid "not-utf8",
            "not UTF-8 text: the first bad byte stands at offset {offset}",
            "save the file as UTF-8 text";
        /// It is text in another encoding.
        Utf16 = invalid "not-utf8", "UTF-16 text, not UTF-8",
            AS_CSV;
        /// It is the file of a spreadsheet program.
        Workbook = invalid "unknown-format",
            "this is a workbook of a spreadsheet program, or a compressed file, not its text",
            "save it as CSV, or as a workbook of today: in the spreadsheet, Save As, \".xlsx\"";
        /// It is none of the known formats.
        UnknownFormat { found: String } = invalid "unknown-format", ["this is {found}; expected {}", known()],
            "docs/IMPORT.md shows each format";
        /// It is a table, and none of its columns is known.
        NoColumns { first: String } = invalid "unknown-format",
            "none of the columns is known of the table that begins with {first:?}: matches need both players and their \
             result, such as Player A, Player B and Result, or \"Ann Lee 2 - 1 Bob Smith\" in one cell; a list of \
             players needs Name",
            "name the columns in the first row; docs/IMPORT.md shows the words that are known";
        /// It is a file of this program, which another verb reads.
        OfOurs { kind: OwnKind } => { kind } Code::invalid("other-file"),
            ["this is {}, not a tournament of another program", .kind.word()], kind.hint();
        /// One of the two sheets of `export --csv`.
        OwnSheet = invalid "own-sheet",
            "this is a sheet that scrutineer wrote: it holds what was printed, not all that \
             happened",
            "bring the tournament in whole: `scrutineer export`, then `scrutineer bundle import`";
        /// The platform is unknown.
        UnknownPlatform { uri: String, known: String } = invalid "unknown-platform",
            "no known platform at {uri:?}; expected one of {known}",
            "write the tournament as a CSV (docs/IMPORT.md)";
        /// The JSON is broken, or a value has another type than expected.
        Json { message: String, truncated: bool }
            => { truncated, .. } if *truncated { Code::invalid("truncated-json") } else { Code::invalid("bad-json") }, "{message}",
            if *truncated { "the file ends too early: download it again" } else { CHANGED };
        /// The XML is broken.
        Xml { message: String, truncated: bool }
            => { truncated, .. } if *truncated { Code::invalid("truncated-xml") } else { Code::invalid("bad-xml") }, "{message}",
            if *truncated { "the file ends too early: save or download it again" } else { CHANGED };
        /// The JSON or XML is nested without end.
        TooDeep = invalid "too-deep", ["nested more than {} levels deep", limits::JSON_DEPTH],
            CHANGED;
        /// The CSV is broken.
        Csv { message: String } = invalid "bad-csv", "{message}", "docs/IMPORT.md shows each format";
        /// Something is missing.
        Missing { what: String } = invalid "missing", "{what} is missing",
            "fill it in, or leave the whole row out";
        /// A binary file was cut, or is of another layout.
        EndsEarly { what: String, end: usize } = invalid "missing",
            "{what} is missing: what is there ends at byte {end}",
            "save the file again in the program that wrote it";
        /// A column that every file has, or the other one of two.
        MissingColumn { name: String } = invalid "missing", "the column {name} is missing",
            "name it in the first row; docs/IMPORT.md shows the columns";
        /// Which column holds something is for a person to say.
        WhichColumn { role: &'static str, columns: String, may: String, say: String }
            = invalid "which-column",
            "which column is {role}? The columns are {columns}; {may}. {say}",
            "name each column by its number or its name: docs/IMPORT.md lists the words";
        /// A value cannot be read.
        BadValue { what: String, found: String, expected: String } = invalid "bad-value",
            "{what} is {found:?}; expected {expected}", "correct it at this place";
        /// A score cannot be read.
        BadResult { found: String, expected: String } = invalid "bad-result",
            "the result is {found:?}; expected {expected}",
            "write the games won, lost and drawn, such as 2-1-0";
        /// A score that matches of the length which the file names cannot have.
        ImpossibleScore { best_of: u8, score: String } = invalid "impossible-score",
            "a best of {best_of} cannot end {score}",
            "correct the score, or `best_of` above the columns";
        /// A number is larger or smaller than any real one.
        OutOfBounds { what: String, found: String, min: i64, max: i64 } = invalid "out-of-bounds",
            "{what} is {found}; expected a number from {min} to {max}", "correct it at this place";
        /// There is more of something than can be read.
        TooMany { what: &'static str, limit: usize } = too_large "too-many", "more than {limit} {what}",
            "import each tournament from a file of its own";
        /// A name cannot be recorded.
        BadName { what: String, found: String, why: &'static str } = invalid "bad-name",
            "{what} {found:?} {why}", "write the name in 1 to 200 printable characters";
        /// A name that the file does not introduce.
        UnknownPlayer { name: String } = not_found "unknown-player",
            "{name:?} is not among the players of the file",
            "check the spelling, or add the player";
        /// A player meets themselves.
        AgainstSelf { player: String } = invalid "against-self", "{player:?} is paired against themselves",
            "correct one of the two names, or give a bye";
        /// A player appears twice in a round.
        TwiceInRound { player: String, round: String, other: String } = invalid "twice-in-round",
            "{player:?} appears twice in {round}; the other place is {other}",
            "two players of the same name need names that differ; where rounds begin anew, number them on; a row \
             too many goes";
        /// One match or table has two results.
        TwoResults { what: String, round: String, first: String, second: String, other: String }
            = invalid "two-results",
            "two results for {what} in {round}: {first} and {second}; the other place is {other}",
            "keep the right one; if they met twice, give each meeting its round";
        /// A player plays on after they left.
        PlaysAfterDrop { player: String, round: String, after: u16 } = invalid "plays-after-drop",
            "{player:?} plays in {round}, but left after round {after}",
            "move the drop to the last round that they played";
        /// A player leaves twice.
        DropsTwice { player: String, other: String } = invalid "drops-twice",
            "{player:?} leaves twice; the other place is {other}", "keep one of them";
        /// An event does not fit into a record.
        DoesNotFit(#[from] CodecError) = invalid "does-not-fit", "an event does not fit into a record: {0}",
            "shorten the ruleset or the longest list";
    }
}

impl Fault {
    /// This fault at a place of the file.
    pub(super) fn at(self, place: impl Into<String>) -> ImportError {
        let (file, place, fault) = (String::new(), place.into(), Box::new(self));
        ImportError { file, place, fault, of_program: false }
    }
}

impl From<Fault> for ImportError {
    fn from(fault: Fault) -> ImportError {
        fault.at("")
    }
}

impl ImportError {
    /// A word for programs, which never changes.
    pub fn code(&self) -> Code {
        self.fault.code()
    }

    /// What can be done about it.
    pub fn hint(&self) -> &'static str {
        match *self.fault {
            Fault::Missing { .. } if self.of_program => {
                "save or download the file again with it; docs/IMPORT.md says what each format needs"
            }
            Fault::TwiceInRound { .. } if self.of_program => {
                "save or download the file again: one tournament, and each match of it once"
            }
            _ => self.fault.hint(),
        }
    }

    /// The same of a file that is no sheet.
    pub(super) fn of_program(self) -> ImportError {
        ImportError { of_program: true, ..self }
    }

    pub(super) fn in_file(mut self, name: &str) -> ImportError {
        self.file = name.to_owned();
        self
    }

    /// The JSON reader's error, its line and column taken as the place.
    pub(super) fn json(error: serde_json::Error) -> ImportError {
        let place = format!("line {}, column {}", error.line(), error.column());
        let whole = error.to_string();
        let message = whole.rsplit_once(" at line ").map_or(whole.as_str(), |(words, _)| words);
        // What was found comes first and may be long; what was expected stands at the end.
        let message = match message.rsplit_once(", expected ") {
            Some((found, expected)) => format!("{}, expected {expected}", shortened(found)),
            None => shortened(message),
        };
        Fault::Json { message, truncated: error.is_eof() }.at(place)
    }
}

impl std::fmt::Display for ImportError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: ", self.file)?;
        if !self.place.is_empty() {
            write!(f, "{}: ", self.place)?;
        }
        write!(f, "{}", self.fault)
    }
}

impl std::error::Error for ImportError {}

/// Foreign text for a message: a hostile value must not fill the screen.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(limits::NUMBER_CHARS) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
