//! What a code of a refusal means.

use super::render;
use crate::problems::Code;
use askama::Template;
use scrutineer_desk::verb_error::VerbError;

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

/// The page of a code.
///
/// # Errors
/// Where it cannot be made.
pub fn page(code: &Code) -> Result<String, VerbError> {
    render(&ProblemPage { code, says: parts(&code.says), hint: parts(&code.hint) })
}
