//! How a failure is told: a sentence, its stable code, and what to do next.

use crate::Answer;
use crate::output::printable;
use scrutineer_pairing::DrawError;
use scrutineer_projections::crosstable::FoldError;
use scrutineer_projections::ruleset::RulesetError;
use scrutineer_replay::archive::{AddError, ArchiveError};
use scrutineer_replay::as_of::AsOfError;
use scrutineer_replay::desk::DeskError;
use scrutineer_replay::film::FilmError;
use std::io::Write;
use std::path::Path;

/// Why a verb could not do its work. Exit code 2.
#[derive(Clone, Debug)]
pub struct Fail {
    /// What is wrong.
    pub message: String,
    /// The stable code.
    pub code: &'static str,
    /// What to do next.
    pub hint: Option<String>,
}

impl Fail {
    /// A failure with a hint.
    pub fn new(code: &'static str, message: impl Into<String>, hint: impl Into<String>) -> Fail {
        Fail { message: message.into(), code, hint: Some(hint.into()) }
    }

    /// A file that cannot be read.
    pub fn file(path: &Path, error: &std::io::Error) -> Fail {
        let message = format!("cannot read {}: {error}", path.display());
        Fail::new("file-not-read", message, "check the name and the permissions")
    }

    /// What it means where other files go on: what a file holds is answered with no, a file that
    /// cannot be read, or a store, is no answer.
    pub fn answer(&self) -> Answer {
        match self.code {
            "bad-command" | "file-not-read" | "no-files" | "no-store" | "no-events"
            | "unknown-event" | "which-event" | "store-not-opened" | "log-not-read"
            | "log-not-written" | "book-not-read" | "book-not-written" | "secret-not-kept"
            | "too-busy" | "beside-not-kept" | "file-not-written" | "key-not-read"
            | "key-damaged" | "no-key-folder" | "journal-damaged" => Answer::CouldNot,
            code if code.starts_with("mirror-") => Answer::CouldNot,
            _ => Answer::No,
        }
    }

    /// The sentence and the hint, without the code.
    pub fn told(&self) -> String {
        match &self.hint {
            Some(hint) => format!("{}\nhint: {hint}", self.message),
            None => self.message.clone(),
        }
    }

    /// The sentence, the code and the hint, as JSON has them.
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::json!({ "code": self.code, "message": self.message, "hint": self.hint })
    }

    /// Prints it to standard error.
    pub fn print(&self, json: bool) {
        if json {
            let value = serde_json::json!({ "error": self.to_json() });
            let _ = writeln!(anstream::stderr(), "{value}");
            return;
        }
        let bold = anstyle::Style::new().bold().fg_color(Some(anstyle::AnsiColor::Red.into()));
        let mut err = anstream::stderr();
        let _ =
            writeln!(err, "{bold}error{bold:#}: {}   [{}]", printable(&self.message), self.code);
        if let Some(hint) = &self.hint {
            let _ = writeln!(err, "\nhint: {}", printable(hint));
        }
    }
}

impl From<ArchiveError> for Fail {
    fn from(error: ArchiveError) -> Fail {
        let hint = error.hint().map(str::to_string);
        Fail { message: error.to_string(), code: error.code(), hint }
    }
}

impl From<AsOfError> for Fail {
    fn from(error: AsOfError) -> Fail {
        Fail::new(error.code(), error.to_string(), error.hint())
    }
}

impl From<FilmError> for Fail {
    fn from(error: FilmError) -> Fail {
        match error {
            FilmError::Ruleset(error) => error.into(),
            FilmError::Fold(error) => error.into(),
            _ => {
                Fail::new("cannot-fold", error.to_string(), "`scrutineer log` shows what happened")
            }
        }
    }
}

impl From<DeskError> for Fail {
    fn from(error: DeskError) -> Fail {
        match error {
            DeskError::Ruleset(error) => error.into(),
            DeskError::Fold(error) | DeskError::Draw(DrawError::Fold(error)) => error.into(),
            _ => {
                let hint = error.hint().map(str::to_string);
                Fail { message: error.to_string(), code: error.code(), hint }
            }
        }
    }
}

impl From<AddError> for Fail {
    fn from(error: AddError) -> Fail {
        match error {
            AddError::Ruleset(error) => error.into(),
            _ => Fail { message: error.to_string(), code: error.code(), hint: error.hint() },
        }
    }
}

impl From<FoldError> for Fail {
    fn from(error: FoldError) -> Fail {
        Fail::new(error.code(), error.to_string(), error.hint())
    }
}

impl From<RulesetError> for Fail {
    fn from(error: RulesetError) -> Fail {
        let mut faults = error.faults;
        // The hint of a single fault is the hint; those of several stay with their lines.
        let hint = match &mut faults[..] {
            [only] => only.hint.take(),
            _ => None,
        };
        Fail { message: RulesetError { faults }.to_string(), code: "bad-ruleset", hint }
    }
}
