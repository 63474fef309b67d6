//! What a code of a refusal means.

use super::render;
use crate::language::Language;
use crate::problems::Code;
use crate::query::encoded;
use askama::Template;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::ErrorKind;

#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage<'a> {
    code: &'a Code,
    says: Vec<Part>,
    hint: Vec<Part>,
}

/// A part of a sentence: words, or what is typed.
struct Part {
    text: String,
    is_code: bool,
}

/// The parts of a sentence as documents write it: code between backticks, links and stressed words as
/// their words alone.
fn parts(text: &str) -> Vec<Part> {
    let each = text.split('`').enumerate();
    let each = each.map(|(at, text)| Part { text: text.to_string(), is_code: at % 2 == 1 });
    each.filter(|part| !part.text.is_empty()).collect()
}

#[derive(Template)]
#[template(path = "refused.html")]
struct RefusedPage {
    w: Language,
    head: &'static str,
    message: String,
    /// The language of the message and the hint.
    lang: &'static str,
    hint: Vec<Part>,
    /// The address of the desk, where it is on another laptop; empty: it is here, or nobody knows.
    desk: String,
    code: String,
    signs_in: bool,
    is_nobody: bool,
    /// The tournament of which a player reads on, by its id; empty: no player was refused.
    of_player: String,
}

/// The page of what is refused: in the reader's language, and where that has no words for it, the English sentence.
///
/// # Errors
/// Where it cannot be made.
pub fn refused(
    error: &VerbError,
    language: Language,
    id: Option<&str>,
) -> Result<String, VerbError> {
    let kind = error.code.kind;
    let is_unknown = error.message == crate::holder::UNKNOWN;
    let is_of_player = is_unknown || matches!(error.code.word, "link-taken" | "no-such-link");
    let said = match is_unknown {
        true => Some(language.t("me-unknown")),
        false => language.refusal(error.code.word),
    };
    // An address is the same in every language.
    let is_elsewhere = error.code.word == "desk-is-elsewhere";
    let hint = error.hint.as_ref().filter(|_| said.is_none() || is_elsewhere);
    let hint = hint.map_or(String::new(), ToString::to_string);
    let (desk, hint) = match is_elsewhere && hint.starts_with("http://") {
        true => (hint, String::new()),
        false => (String::new(), hint),
    };
    render(&RefusedPage {
        w: language,
        of_player: id.filter(|_| is_of_player).map_or(String::new(), encoded),
        head: match kind {
            _ if is_unknown => "me-unknown-head",
            _ if is_elsewhere => "refused-elsewhere",
            ErrorKind::NotFound => "refused-not-found",
            ErrorKind::SignIn => "refused-sign-in",
            ErrorKind::Forbidden => "refused-forbidden",
            ErrorKind::SlowDown => "refused-slow-down",
            ErrorKind::Busy => "refused-busy",
            _ => "refused-other",
        },
        lang: if said.is_some() { language.tag() } else { Language::English.tag() },
        message: said.unwrap_or_else(|| error.message.clone()),
        hint: parts(&hint),
        desk,
        code: error.code.to_string(),
        is_nobody: error.code.word == "not-allowed" && error.message == crate::gate::NOBODY,
        signs_in: matches!(kind, ErrorKind::Forbidden | ErrorKind::SignIn),
    })
}

/// The page of a code.
///
/// # Errors
/// Where it cannot be made.
pub fn page(code: &Code) -> Result<String, VerbError> {
    render(&ProblemPage { code, says: parts(&code.says), hint: parts(&code.hint) })
}
