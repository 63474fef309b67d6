//! How an error is printed, and the exit code that follows from its kind.

use crate::Answer;
use crate::printable::printable;
use scrutineer_desk::answers::{ErrorAnswer, line};
pub use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::ErrorKind;
use std::io::Write;

/// The exit code that follows from the kind.
pub const fn exit(error: &VerbError) -> Answer {
    match error.code.kind {
        ErrorKind::Refused | ErrorKind::Conflict | ErrorKind::Stale => Answer::No,
        _ => Answer::CouldNot,
    }
}

/// Prints an error to standard error.
pub fn print(error: &VerbError, json: bool) {
    if json {
        let answer = line(&ErrorAnswer { error: error.problem() });
        let _ = anstream::stderr().write_all(answer.as_bytes());
        return;
    }
    let bold = anstyle::Style::new().bold().fg_color(Some(anstyle::AnsiColor::Red.into()));
    let mut err = anstream::stderr();
    let (message, code) = (printable(&error.message), error.code);
    let _ = writeln!(err, "{bold}error{bold:#}: {message}   [{code}]");
    if let Some(hint) = &error.hint {
        let _ = writeln!(err, "\nhint: {}", printable(hint.text()));
    }
}
