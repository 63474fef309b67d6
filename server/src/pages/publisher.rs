//! The publisher of this store: where it is enrolled, how that goes, and the rules that came from there.

use super::{clock_of, render};
use crate::editions::Known;
use askama::Template;
use scrutineer_desk::answers::PublisherStands;
use scrutineer_desk::edition::Edition;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::record::to_hex;
use scrutineer_replay::trust::note::fingerprint;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the page was asked for.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct View {
    /// The link with which somebody came.
    pub link: String,
    /// What was done.
    pub done: String,
    /// Why it was refused.
    pub why: String,
    /// What to do about that.
    pub hint: String,
}

#[derive(Template)]
#[template(path = "publisher.html")]
struct PublisherPage<'a> {
    stands: PublisherStands,
    view: &'a View,
    done: &'static str,
    rows: Vec<Row>,
    /// How many editions cannot be relied on.
    bad: usize,
    /// The titles of tournaments that are not taken there, by their ids.
    titles: BTreeMap<String, String>,
}

impl PublisherPage<'_> {
    /// What a tournament is called on the page.
    fn titled<'t>(&'t self, id: &'t str) -> &'t str {
        self.titles.get(id).map_or(id.get(..8).unwrap_or(id), String::as_str)
    }
}

/// An edition of rules.
struct Row {
    titled: String,
    name: String,
    time: String,
    fingerprint: String,
    key: String,
    is_kept: bool,
}

/// The page.
///
/// # Errors
/// Where it cannot be made.
pub fn page(
    stands: PublisherStands,
    titles: BTreeMap<String, String>,
    known: &Known,
    view: &View,
) -> Result<String, VerbError> {
    let done = match &view.done[..] {
        "enrolled" => {
            "The store is enrolled. What is public of its tournaments goes there from now on."
        }
        "ended" => "The enrollment is ended, here and there.",
        "ended-here" => {
            "The enrollment is ended here. The other server did not answer: its owner ends it there."
        }
        "found" => "New rules came; they stand below.",
        "found-none" if !known.offered.is_empty() => {
            "There are no others than those below; they wait for their key."
        }
        "found-none" => "There are no new rules.",
        "taken" => {
            "The edition is kept. Nothing changes by itself: the desk of a tournament says what it would change."
        }
        _ => "",
    };
    let row = |is_kept: bool| {
        move |edition: &Arc<Edition>| Row {
            titled: edition.titled(),
            name: edition.name(),
            time: clock_of(&edition.time),
            fingerprint: fingerprint(&edition.key),
            key: to_hex(&edition.key),
            is_kept,
        }
    };
    let rows = known.kept.iter().map(row(true)).chain(known.offered.iter().map(row(false)));
    let (rows, bad) = (rows.collect(), known.bad);
    render(&PublisherPage { stands, view, done, rows, bad, titles })
}
