//! How a failure is told: a sentence, its stable code, and what to do next.

use crate::Answer;
use crate::printable::printable;
use scrutineer_desk::answers::{ErrorAnswer, Problem, line};
use scrutineer_desk::desk::DeskError;
use scrutineer_desk::hint::Hint;
use scrutineer_desk::store::{AddError, StoreError};
use scrutineer_engine::error::{Code, ErrorKind};
use scrutineer_pairing::PairingError;
use scrutineer_projections::crosstable::FoldError;
use scrutineer_projections::ruleset::RulesetError;
use scrutineer_replay::as_of::AsOfError;
use scrutineer_replay::kept::KeptError;
use scrutineer_replay::replay::ReplayError;
use std::io::Write;
use std::path::Path;

/// Why a verb could not do its work. Exit code 2.
#[derive(Clone, Debug)]
pub struct CliError {
    /// What is wrong.
    pub message: String,
    /// The stable code.
    pub code: Code,
    /// What to do next.
    pub hint: Option<Hint>,
}

impl CliError {
    /// A failure with a hint.
    pub fn new(code: Code, message: impl Into<String>, hint: impl Into<Hint>) -> CliError {
        CliError { message: message.into(), code, hint: Some(hint.into()) }
    }

    /// A file that cannot be read.
    pub fn file(path: &Path, error: &std::io::Error) -> CliError {
        let message = format!("cannot read {}: {error}", path.display());
        let code = match error.kind() {
            std::io::ErrorKind::NotFound => Code::not_found("file-not-read"),
            _ => Code::io("file-not-read"),
        };
        CliError::new(code, message, "check the name and the permissions")
    }

    /// The exit code that follows from the kind.
    pub const fn answer(&self) -> Answer {
        match self.code.kind {
            ErrorKind::Refused | ErrorKind::Conflict | ErrorKind::Stale => Answer::No,
            _ => Answer::CouldNot,
        }
    }

    /// The sentence and the hint, without the code.
    pub fn told(&self) -> String {
        match &self.hint {
            Some(hint) => format!("{}\nhint: {hint}", self.message),
            None => self.message.clone(),
        }
    }

    /// The same for programs.
    pub fn problem(&self) -> Problem {
        Problem::new(&self.message, self.code, self.hint.clone())
    }

    /// Prints it to standard error.
    pub fn print(&self, json: bool) {
        if json {
            let answer = line(&ErrorAnswer { error: self.problem() });
            let _ = anstream::stderr().write_all(answer.as_bytes());
            return;
        }
        let bold = anstyle::Style::new().bold().fg_color(Some(anstyle::AnsiColor::Red.into()));
        let mut err = anstream::stderr();
        let _ =
            writeln!(err, "{bold}error{bold:#}: {}   [{}]", printable(&self.message), self.code);
        if let Some(hint) = &self.hint {
            let _ = writeln!(err, "\nhint: {}", printable(hint.text()));
        }
    }
}

impl From<KeptError> for CliError {
    fn from(error: KeptError) -> CliError {
        StoreError::from(error).into()
    }
}

impl From<StoreError> for CliError {
    fn from(error: StoreError) -> CliError {
        let hint = error.hint().map(Hint::from);
        CliError { message: error.to_string(), code: error.code(), hint }
    }
}

impl From<AsOfError> for CliError {
    fn from(error: AsOfError) -> CliError {
        CliError::new(error.code(), error.to_string(), error.hint())
    }
}

impl From<ReplayError> for CliError {
    fn from(error: ReplayError) -> CliError {
        match error {
            ReplayError::Ruleset(error) => error.into(),
            ReplayError::Fold(error) => error.into(),
            _ => CliError::new(
                Code::refused("cannot-fold"),
                error.to_string(),
                "`scrutineer log` shows what happened",
            ),
        }
    }
}

impl From<DeskError> for CliError {
    fn from(error: DeskError) -> CliError {
        match error {
            DeskError::Ruleset(error) => error.into(),
            DeskError::Fold(error) | DeskError::Draw(PairingError::Fold(error)) => error.into(),
            _ => {
                let hint = error.hint().map(Hint::from);
                CliError { message: error.to_string(), code: error.code(), hint }
            }
        }
    }
}

impl From<AddError> for CliError {
    fn from(error: AddError) -> CliError {
        match error {
            AddError::Ruleset(error) => error.into(),
            _ => CliError {
                message: error.to_string(),
                code: error.code(),
                hint: error.hint().map(Hint::from),
            },
        }
    }
}

impl From<FoldError> for CliError {
    fn from(error: FoldError) -> CliError {
        CliError::new(error.code(), error.to_string(), error.hint())
    }
}

impl From<RulesetError> for CliError {
    fn from(error: RulesetError) -> CliError {
        let mut faults = error.faults;
        // The hint of a single fault is the hint; those of several stay with their lines.
        let hint = match &mut faults[..] {
            [only] => only.hint.take().map(Hint::from),
            _ => None,
        };
        CliError {
            message: RulesetError { faults }.to_string(),
            code: Code::invalid("bad-ruleset"),
            hint,
        }
    }
}
