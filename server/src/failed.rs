//! Refusals as one server passes them on to another, or to the command line.

use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::{Code, ErrorKind};
use serde::{Deserialize, Serialize};

/// Why a verb could not do its work, as it is passed on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Failed {
    message: String,
    code: String,
    kind: String,
    hint: Option<String>,
}

impl From<VerbError> for Failed {
    fn from(error: VerbError) -> Failed {
        Failed {
            message: error.message,
            code: error.code.word.to_string(),
            kind: error.code.kind.word().to_string(),
            hint: error.hint.map(|hint| hint.to_string()),
        }
    }
}

impl From<Failed> for VerbError {
    fn from(failed: Failed) -> VerbError {
        let kind = ErrorKind::of_word(&failed.kind).unwrap_or(ErrorKind::Internal);
        // A command prints one of them and ends, so its word may stay for good.
        let word: &'static str = failed.code.leak();
        VerbError {
            message: failed.message,
            code: Code { word, kind },
            hint: failed.hint.map(Into::into),
        }
    }
}

/// Reads a refusal as a server gave it.
///
/// # Errors
/// Where it is none.
pub fn refused(bytes: &[u8]) -> Result<VerbError, serde_json::Error> {
    #[derive(Deserialize)]
    struct Said {
        kind: String,
        code: String,
        detail: String,
        hint: Option<String>,
    }
    let Said { kind, code, detail: message, hint } = serde_json::from_slice(bytes)?;
    Ok(Failed { message, code, kind, hint }.into())
}
