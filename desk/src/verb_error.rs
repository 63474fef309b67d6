//! Why a verb could not do its work: a sentence, its stable code, and what to do next.

use crate::answers::Problem;
use crate::bundle::{AdoptError, ImportError};
use crate::desk::DeskError;
use crate::edition::EditionError;
use crate::forget::ForgetError;
use crate::hint::Hint;
use crate::pairing_engine::EngineError;
use crate::simulate::SimulateError;
use crate::store::{AddError, CopyError, PlaceError, StoreError, TailError};
use scrutineer_engine::error::Code;
use scrutineer_pairing::PairingError;
use scrutineer_projections::crosstable::FoldError;
use scrutineer_projections::ruleset::RulesetError;
use scrutineer_replay::again::PairAgainError;
use scrutineer_replay::as_of::AsOfError;
use scrutineer_replay::bundle::{Checked, WriteError};
use scrutineer_replay::kept::KeptError;
use scrutineer_replay::replay::ReplayError;
use scrutineer_replay::trust::receipt::ReceiptError;
use std::cmp::Reverse;
use std::path::Path;

/// Why a verb could not do its work.
#[derive(Clone, Debug)]
pub struct VerbError {
    /// What is wrong.
    pub message: String,
    /// The stable code.
    pub code: Code,
    /// What to do next.
    pub hint: Option<Hint>,
}

impl VerbError {
    /// Why a bundle that was checked is not taken, with the gravest of what was found: where many come in nobody
    /// looks at each by itself.
    pub fn of_bundle(wrong: ImportError, checked: &Checked) -> VerbError {
        let mut error = VerbError::from(wrong);
        let findings = checked.findings.iter().map(|found| &found.finding);
        if let Some(gravest) = findings.min_by_key(|finding| Reverse(finding.severity)) {
            error.message.push_str(&format!(": {}", gravest.sentence));
        }
        error
    }

    /// A failure with a hint.
    pub fn new(code: Code, message: impl Into<String>, hint: impl Into<Hint>) -> VerbError {
        VerbError { message: message.into(), code, hint: Some(hint.into()) }
    }

    /// A file that cannot be read.
    pub fn file(path: &Path, error: &std::io::Error) -> VerbError {
        let message = format!("cannot read {}: {error}", path.display());
        let code = match error.kind() {
            std::io::ErrorKind::NotFound => Code::not_found("file-not-read"),
            _ => Code::io("file-not-read"),
        };
        VerbError::new(code, message, "check the name and the permissions")
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
}

impl From<KeptError> for VerbError {
    fn from(error: KeptError) -> VerbError {
        StoreError::from(error).into()
    }
}

impl From<StoreError> for VerbError {
    fn from(error: StoreError) -> VerbError {
        let hint = error.hint().map(Hint::from);
        VerbError { message: error.to_string(), code: error.code(), hint }
    }
}

impl From<PlaceError> for VerbError {
    fn from(error: PlaceError) -> VerbError {
        VerbError::new(error.code(), error.to_string(), error.hint())
    }
}

impl From<EngineError> for VerbError {
    fn from(error: EngineError) -> VerbError {
        VerbError::new(error.code(), error.to_string(), error.hint())
    }
}

impl From<AsOfError> for VerbError {
    fn from(error: AsOfError) -> VerbError {
        VerbError::new(error.code(), error.to_string(), error.hint())
    }
}

impl From<ReplayError> for VerbError {
    fn from(error: ReplayError) -> VerbError {
        match error {
            ReplayError::Ruleset(error) => error.into(),
            ReplayError::Fold(error) => error.into(),
            _ => VerbError::new(
                Code::refused("cannot-fold"),
                error.to_string(),
                "`scrutineer log` shows what happened",
            ),
        }
    }
}

impl From<DeskError> for VerbError {
    fn from(error: DeskError) -> VerbError {
        match error {
            DeskError::Ruleset(error) => error.into(),
            DeskError::Fold(error) | DeskError::Draw(PairingError::Fold(error)) => error.into(),
            _ => {
                let hint = error.hint().map(Hint::from);
                VerbError { message: error.to_string(), code: error.code(), hint }
            }
        }
    }
}

impl From<AddError> for VerbError {
    fn from(error: AddError) -> VerbError {
        match error {
            AddError::Ruleset(error) => error.into(),
            _ => VerbError {
                message: error.to_string(),
                code: error.code(),
                hint: error.hint().map(Hint::from),
            },
        }
    }
}

impl From<FoldError> for VerbError {
    fn from(error: FoldError) -> VerbError {
        VerbError::new(error.code(), error.to_string(), error.hint())
    }
}

impl From<RulesetError> for VerbError {
    fn from(error: RulesetError) -> VerbError {
        let mut faults = error.faults;
        // The hint of a single fault is the hint; those of several stay with their lines.
        let hint = match &mut faults[..] {
            [only] => only.hint.take().map(Hint::from),
            _ => None,
        };
        VerbError {
            message: RulesetError { faults }.to_string(),
            code: Code::invalid("bad-ruleset"),
            hint,
        }
    }
}

impl From<TailError> for VerbError {
    fn from(error: TailError) -> VerbError {
        let hint = error.hint().map(Into::into);
        VerbError { message: error.to_string(), code: error.code(), hint }
    }
}

impl From<CopyError> for VerbError {
    fn from(error: CopyError) -> VerbError {
        let hint = error.hint().map(Into::into);
        VerbError { message: error.to_string(), code: error.code(), hint }
    }
}

impl From<AdoptError> for VerbError {
    fn from(error: AdoptError) -> VerbError {
        let hint = error.hint().map(Into::into);
        VerbError { message: error.to_string(), code: error.code(), hint }
    }
}

impl From<WriteError> for VerbError {
    fn from(error: WriteError) -> VerbError {
        let hint = error.hint().map(Into::into);
        VerbError { message: error.to_string(), code: error.code(), hint }
    }
}

impl From<scrutineer_formats::WriteError> for VerbError {
    fn from(error: scrutineer_formats::WriteError) -> VerbError {
        VerbError::new(error.code(), error.to_string(), error.hint())
    }
}

impl From<ImportError> for VerbError {
    fn from(error: ImportError) -> VerbError {
        let hint = error.hint().map(Into::into);
        VerbError { message: error.to_string(), code: error.code(), hint }
    }
}

impl From<PairAgainError> for VerbError {
    fn from(error: PairAgainError) -> VerbError {
        let hint = match &error {
            PairAgainError::NoSuchRound { .. } => "`scrutineer check-pairing` lists the rounds",
            PairAgainError::UnknownMethod { .. } => {
                "check it with the program that paired it, or newer"
            }
            _ => "`scrutineer log` shows what happened",
        };
        VerbError::new(error.code(), error.to_string(), hint)
    }
}

impl From<EditionError> for VerbError {
    fn from(error: EditionError) -> VerbError {
        let hint = error.hint().map(Into::into);
        VerbError { message: error.to_string(), code: error.code(), hint }
    }
}

impl From<ForgetError> for VerbError {
    fn from(error: ForgetError) -> VerbError {
        VerbError::new(error.code(), error.to_string(), error.hint())
    }
}

impl From<SimulateError> for VerbError {
    fn from(error: SimulateError) -> VerbError {
        let hint = error.hint().map(Into::into);
        VerbError { message: error.to_string(), code: error.code(), hint }
    }
}

impl From<ReceiptError> for VerbError {
    fn from(error: ReceiptError) -> VerbError {
        VerbError::new(error.code(), error.to_string(), error.hint())
    }
}
