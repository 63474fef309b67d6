//! A season under other rules: how the job goes, and what came of it.

use super::{clock_of, render};
use crate::editions::{Known, rules_of};
use crate::query::encoded;
use askama::Template;
use scrutineer_desk::answers::{SeasonFile, SeasonStands};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_projections::ruleset::Library;
use serde::Deserialize;

/// What became of what was asked for on the page.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct View {
    /// Why it was refused.
    pub why: String,
    /// What to do about that.
    pub hint: String,
    /// The rules as they were typed.
    pub rules: String,
}

#[derive(Template)]
#[template(path = "season.html")]
struct SeasonPage<'a> {
    editions: &'a Known,
    stands: SeasonStands,
    view: &'a View,
    rulesets: Vec<(String, String)>,
}

impl SeasonPage<'_> {
    fn when(&self, text: &Option<String>) -> String {
        text.as_deref().map_or(String::new(), clock_of)
    }

    fn is(&self, state: &str) -> bool {
        self.stands.state == state
    }

    fn path(&self, file: &SeasonFile) -> String {
        format!("/api/v1/season/{}", encoded(&file.file))
    }

    fn why(&self) -> &str {
        self.stands.why.as_deref().unwrap_or_default()
    }

    fn rules(&self) -> String {
        self.editions.titled(self.stands.rules.as_deref().unwrap_or_default())
    }
}

/// The page.
///
/// # Errors
/// Where it cannot be made.
pub fn page(stands: SeasonStands, editions: &Known, view: &View) -> Result<String, VerbError> {
    let shipped = Library::shipped().editions().into_iter().map(|one| (one.ruleset, one.name));
    let signed = editions.all().map(|one| (rules_of(one), one.titled()));
    render(&SeasonPage { stands, view, editions, rulesets: shipped.chain(signed).collect() })
}
