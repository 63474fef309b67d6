//! Why a file cannot be imported.

use super::{FORMATS, limits};
use crate::own::OwnKind;
use scrutineer_engine::codec::CodecError;

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
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// Nothing is in it.
    #[error("the file is empty")]
    Empty,
    /// It is larger than any real event.
    #[error("{bytes} bytes, more than the {} that are read", limits::FILE_BYTES)]
    TooLarge {
        /// Its size.
        bytes: usize,
    },
    /// It is not text.
    #[error("not UTF-8 text: the first bad byte stands at offset {offset}")]
    NotUtf8 {
        /// Where the first bad byte stands, from 0.
        offset: usize,
    },
    /// It is text in another encoding.
    #[error("UTF-16 text, not UTF-8")]
    Utf16,
    /// It is the file of a spreadsheet program.
    #[error("this is a workbook of a spreadsheet program, or a compressed file, not its text")]
    Workbook,
    /// It is none of the known formats.
    #[error("this is {found}; expected {FORMATS}")]
    UnknownFormat {
        /// What was found instead.
        found: String,
    },
    /// It is a file of this program, which another verb reads.
    #[error("this is {}, not a tournament of another program", .kind.word())]
    OfOurs {
        /// What it is.
        kind: OwnKind,
    },
    /// One of the two sheets of `export --csv`.
    #[error(
        "this is a sheet that scrutineer wrote: it holds what was printed, not all that happened"
    )]
    OwnSheet,
    /// The platform is unknown.
    #[error("no known platform at {uri:?}; expected one of {known}")]
    UnknownPlatform {
        /// The address in the file.
        uri: String,
        /// The platforms that are known.
        known: String,
    },
    /// The JSON is broken, or a value has another type than expected.
    #[error("{message}")]
    Json {
        /// What the reader says.
        message: String,
        /// Whether the file ends too early.
        truncated: bool,
    },
    /// The JSON is nested without end.
    #[error("nested more than {} levels deep", limits::JSON_DEPTH)]
    TooDeep,
    /// The CSV is broken.
    #[error("{message}")]
    Csv {
        /// What the reader says.
        message: String,
    },
    /// Something is missing.
    #[error("{what} is missing")]
    Missing {
        /// What.
        what: String,
    },
    /// A column that every file has, or the other one of two.
    #[error("the column {name} is missing")]
    MissingColumn {
        /// Its name.
        name: String,
    },
    /// A value cannot be read.
    #[error("{what} is {found:?}; expected {expected}")]
    BadValue {
        /// What.
        what: String,
        /// What stands there.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// A score cannot be read.
    #[error("the result is {found:?}; expected {expected}")]
    BadResult {
        /// What stands there.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// A score that matches of the length which the file names cannot have.
    #[error("a best of {best_of} cannot end {score}")]
    ImpossibleScore {
        /// How many games a match has.
        best_of: u8,
        /// The score.
        score: String,
    },
    /// A number is larger or smaller than any real one.
    #[error("{what} is {found}; expected a number from {min} to {max}")]
    OutOfBounds {
        /// What.
        what: String,
        /// What stands there.
        found: String,
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// There is more of something than can be read.
    #[error("more than {limit} {what}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many are read.
        limit: usize,
    },
    /// A name cannot be recorded.
    #[error("{what} {found:?} {why}")]
    BadName {
        /// Whose or what name.
        what: String,
        /// The name.
        found: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A name that the file does not introduce.
    #[error("{name:?} is not among the players of the file")]
    UnknownPlayer {
        /// The name or id.
        name: String,
    },
    /// A player meets themselves.
    #[error("{player:?} is paired against themselves")]
    AgainstSelf {
        /// Who.
        player: String,
    },
    /// A player appears twice in a round.
    #[error("{player:?} appears twice in {round}; the other place is {other}")]
    TwiceInRound {
        /// Who.
        player: String,
        /// The round's name.
        round: String,
        /// The earlier place.
        other: String,
    },
    /// One match or table has two results.
    #[error("two results for {what} in {round}: {first} and {second}; the other place is {other}")]
    TwoResults {
        /// Which match or table.
        what: String,
        /// The round's name.
        round: String,
        /// The earlier result.
        first: String,
        /// This result.
        second: String,
        /// The earlier place.
        other: String,
    },
    /// A player plays on after they left.
    #[error("{player:?} plays in {round}, but left after round {after}")]
    PlaysAfterDrop {
        /// Who.
        player: String,
        /// The round's name.
        round: String,
        /// The last round that they belonged to.
        after: u16,
    },
    /// A player leaves twice.
    #[error("{player:?} leaves twice; the other place is {other}")]
    DropsTwice {
        /// Who.
        player: String,
        /// The earlier place.
        other: String,
    },
    /// An event does not fit into a record.
    #[error("an event does not fit into a record: {0}")]
    DoesNotFit(#[from] CodecError),
}

impl Fault {
    /// A word for programs, which never changes.
    pub const fn code(&self) -> &'static str {
        match self {
            Fault::Empty => "empty-file",
            Fault::TooLarge { .. } => "file-too-large",
            Fault::NotUtf8 { .. } | Fault::Utf16 => "not-utf8",
            Fault::Workbook | Fault::UnknownFormat { .. } => "unknown-format",
            Fault::OfOurs { .. } => "other-file",
            Fault::OwnSheet => "own-sheet",
            Fault::UnknownPlatform { .. } => "unknown-platform",
            Fault::Json { truncated: true, .. } => "truncated-json",
            Fault::Json { .. } => "bad-json",
            Fault::TooDeep => "too-deep",
            Fault::Csv { .. } => "bad-csv",
            Fault::Missing { .. } | Fault::MissingColumn { .. } => "missing",
            Fault::BadValue { .. } => "bad-value",
            Fault::BadResult { .. } => "bad-result",
            Fault::ImpossibleScore { .. } => "impossible-score",
            Fault::OutOfBounds { .. } => "out-of-bounds",
            Fault::TooMany { .. } => "too-many",
            Fault::BadName { .. } => "bad-name",
            Fault::UnknownPlayer { .. } => "unknown-player",
            Fault::AgainstSelf { .. } => "against-self",
            Fault::TwiceInRound { .. } => "twice-in-round",
            Fault::TwoResults { .. } => "two-results",
            Fault::PlaysAfterDrop { .. } => "plays-after-drop",
            Fault::DropsTwice { .. } => "drops-twice",
            Fault::DoesNotFit(_) => "does-not-fit",
        }
    }

    const fn hint(&self) -> &'static str {
        match self {
            Fault::Empty => "export the tournament again; the download may have failed",
            Fault::TooLarge { .. } => "import each tournament from a file of its own",
            Fault::NotUtf8 { .. } => "save the file as UTF-8 text",
            Fault::Utf16 | Fault::Workbook => {
                "save it as CSV: in the spreadsheet, Save As, \"CSV UTF-8 (comma delimited)\""
            }
            Fault::UnknownFormat { .. } | Fault::Csv { .. } => "docs/IMPORT.md shows each format",
            Fault::OfOurs { kind } => kind.hint(),
            Fault::OwnSheet => {
                "bring the tournament in whole: `scrutineer export`, then `scrutineer bundle import`"
            }
            Fault::UnknownPlatform { .. } => "write the tournament as a CSV (docs/IMPORT.md)",
            Fault::Json { truncated: true, .. } => "the file ends too early: download it again",
            Fault::Json { .. } | Fault::TooDeep => {
                "the file was changed or damaged: download it again"
            }
            Fault::Missing { .. } => "fill it in, or leave the whole row out",
            Fault::MissingColumn { .. } => {
                "name it in the first row; docs/IMPORT.md shows the columns"
            }
            Fault::BadValue { .. } | Fault::OutOfBounds { .. } => "correct it at this place",
            Fault::ImpossibleScore { .. } => "correct the score, or `best_of` above the columns",
            Fault::BadResult { .. } => "write the games won, lost and drawn, such as 2-1-0",
            Fault::TooMany { .. } => "import each tournament from a file of its own",
            Fault::BadName { .. } => "write the name in 1 to 200 printable characters",
            Fault::UnknownPlayer { .. } => "check the spelling, or add the player",
            Fault::AgainstSelf { .. } => "correct one of the two names, or give a bye",
            Fault::TwiceInRound { .. } => {
                "two players of the same name need names that differ; otherwise remove one row"
            }
            Fault::TwoResults { .. } => "keep the right one",
            Fault::PlaysAfterDrop { .. } => "move the drop to the last round that they played",
            Fault::DropsTwice { .. } => "keep one of them",
            Fault::DoesNotFit(_) => "shorten the ruleset or the longest list",
        }
    }

    /// This fault at a place of the file.
    pub(super) fn at(self, place: impl Into<String>) -> ImportError {
        ImportError { file: String::new(), place: place.into(), fault: Box::new(self) }
    }
}

impl From<Fault> for ImportError {
    fn from(fault: Fault) -> ImportError {
        fault.at("")
    }
}

impl ImportError {
    /// A word for programs, which never changes.
    pub fn code(&self) -> &'static str {
        self.fault.code()
    }

    /// What can be done about it.
    pub fn hint(&self) -> &'static str {
        self.fault.hint()
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
