//! The rules of a tournament, as they were recorded.

use super::frame::{Frame, Tab};
use super::{Looked, render, rules_of};
use askama::Template;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::record::to_hex;
use scrutineer_projections::ruleset::called;

#[derive(Template)]
#[template(path = "rules.html")]
struct RulesPage {
    frame: Frame,
    name: String,
    hash: String,
    files: Vec<(String, String)>,
    open: bool,
}

/// The texts of the ruleset in force.
///
/// # Errors
/// Where the tournament cannot be read.
pub fn page(at: &Looked<'_>) -> Result<String, VerbError> {
    let event = at.load()?;
    let rules = rules_of(&event, None)?;
    let files = event.state.ruleset().unwrap_or_default().iter();
    render(&RulesPage {
        frame: Frame::of(at, &event, Tab::None, "rules"),
        name: called(&rules.files),
        hash: to_hex(&rules.hash),
        files: files.map(|file| (file.name.clone(), file.text.clone())).collect(),
        open: !event.state.is_closed() && event.state.imported().is_none(),
    })
}
