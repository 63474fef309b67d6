//! Refusals as one server passes them on to another, or to the command line.

use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::{Code, ErrorKind};
use serde::{Deserialize, Serialize};

/// The code of what another version refuses for a reason that this one does not know; the message says it.
const UNKNOWN: &str = "request-not-done";

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
        // A word that only another version knows is not kept: who sends many would fill the memory.
        let word = crate::problems::find(&failed.code).map_or(UNKNOWN, |code| &code.word);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_passed_on_with_its_code_and_one_of_a_newer_version_with_its_message() {
        let passed = |word: &str| {
            let failed = Failed {
                message: "table 12 has a result".into(),
                code: word.into(),
                kind: "conflict".into(),
                hint: None,
            };
            VerbError::from(failed)
        };
        assert_eq!(passed("result-stands").code, Code::conflict("result-stands"));
        let newer = passed("of-the-next-version");
        assert_eq!(newer.code, Code::conflict(UNKNOWN));
        assert_eq!(newer.message, "table 12 has a result");
    }
}
