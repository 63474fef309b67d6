//! The tournaments of the store.

use super::render;
use askama::Template;
use scrutineer_desk::store::Store;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_replay::loaded::short_id;

#[derive(Template)]
#[template(path = "tournaments.html")]
struct Tournaments {
    rows: Vec<Row>,
}

struct Row {
    id: String,
    title: String,
}

/// The list of all tournaments, each with the way to its desk.
///
/// # Errors
/// Where the store cannot be read.
pub fn page(store: &Store) -> Result<String, VerbError> {
    let listed = store.events()?;
    let rows = listed.into_iter();
    let rows = rows.map(|one| Row { id: short_id(one.stream), title: one.title }).collect();
    render(&Tournaments { rows })
}
