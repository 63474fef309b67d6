//! How programs read: what they ask for, where they may, and how it is answered.

use crate::gate::{Need, Role, not_allowed};
use crate::live::{is_out, tag_of};
use crate::orders_api::find;
use crate::problem::Refusal;
use crate::state::State;
use crate::who::Who;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use scrutineer_desk::desk::Asked;
use scrutineer_desk::looking::{Table, standings};
use scrutineer_desk::orders::{self, AtDesk, Told, When};
use scrutineer_desk::store::Store;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::record::StreamId;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// What a reading is asked for.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Asking {
    /// Only what had been recorded by then.
    #[serde(rename = "as-of")]
    pub as_of: Option<String>,
    /// Only the rounds up to this one.
    pub through: Option<u16>,
    /// Under this ruleset, by its id.
    pub rules: Option<String>,
    /// Beside this player.
    pub against: Option<u32>,
    /// What comes behind this one.
    pub after: Option<u64>,
    /// Only what is open.
    pub open: bool,
    /// A cut to so many.
    pub cut: Option<u32>,
    /// Round by round, or event by event.
    pub by: Option<String>,
    /// Which measures: those that rank, or all.
    pub measures: Option<String>,
    /// How many seconds to wait where there is nothing yet.
    pub wait: Option<u64>,
}

/// What is given.
pub struct Given {
    /// The answer.
    pub json: Value,
    /// The head that it was made from, as an ETag.
    pub tag: Option<String>,
    /// The path of the next page, where there is one.
    pub next: Option<String>,
}

impl Given {
    /// An answer that is of no head and has no further page.
    pub fn of(json: Value) -> Given {
        Given { json, tag: None, next: None }
    }
}

/// An answer, or why there is none.
pub type Answer = Result<Given, VerbError>;

/// Returns an answer as it is sent.
pub fn json_response(headers: &HeaderMap, who: &Who, given: Given) -> Response {
    let Given { json, tag, next } = given;
    let etag = tag.map(|tag| format!("\"{tag}\""));
    let asked = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let mut response = match etag.as_deref().is_some_and(|etag| asked == Some(etag)) {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => format!("{json}\n").into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let caching = match who.role {
        Role::Public => "public, max-age=2",
        _ => "private, no-cache",
    };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    if let Some(etag) = etag.and_then(|etag| HeaderValue::from_str(&etag).ok()) {
        headers.insert(header::ETAG, etag);
    }
    let next = next.map(|next| format!("<{next}>; rel=\"next\""));
    if let Some(next) = next.and_then(|next| HeaderValue::from_str(&next).ok()) {
        headers.insert(header::LINK, next);
    }
    response
}

fn read_in(
    state: &State,
    store: &Store,
    who: &Who,
    id: &str,
    need: Need,
    read: impl FnOnce(&Reading<'_>) -> Answer,
) -> Answer {
    if need != Need::Anyone {
        who.check(need)?;
    }
    let stream = find(store, id)?;
    who.check_in(need, stream)?;
    read(&Reading::of(state, store, stream, who)?)
}

/// Reads in a tournament, where its reader may.
///
/// # Errors
/// What `read` says, or that they may not.
pub async fn reading(
    state: &Arc<State>,
    who: Who,
    headers: HeaderMap,
    id: String,
    need: Need,
    read: impl FnOnce(&Reading<'_>) -> Answer + Send + 'static,
) -> Result<Response, Refusal> {
    let (shared, caller) = (Arc::clone(state), who.clone());
    let given = state.read(move |store| read_in(&shared, store, &who, &id, need, read));
    Ok(json_response(&headers, &caller, given.await?))
}

/// As [`reading`], for what takes long.
///
/// # Errors
/// As [`reading`].
pub async fn reading_long(
    state: &Arc<State>,
    who: Who,
    id: String,
    need: Need,
    read: impl FnOnce(&Reading<'_>) -> Answer + Send + 'static,
) -> Result<Response, Refusal> {
    let (shared, caller) = (Arc::clone(state), who.clone());
    let given = state.read_long(move |store| read_in(&shared, store, &who, &id, need, read));
    Ok(json_response(&HeaderMap::new(), &caller, given.await?))
}

/// A tournament, and who reads in it.
pub struct Reading<'a> {
    /// What requests share.
    pub state: &'a State,
    /// The store.
    pub store: &'a Store,
    /// The tournament.
    pub stream: StreamId,
    /// Who reads.
    pub who: &'a Who,
    /// Where the log stood before anything was read.
    tag: String,
}

impl<'a> Reading<'a> {
    /// Begins to read. An order that comes in between makes the answer newer than its tag: whoever sends
    /// the tag is then told of the order. The other way round it would be hidden from them.
    ///
    /// # Errors
    /// Where the head cannot be read.
    pub fn of(
        state: &'a State,
        store: &'a Store,
        stream: StreamId,
        who: &'a Who,
    ) -> Result<Reading<'a>, VerbError> {
        let tag = tag_of(store, stream)?;
        Ok(Reading { state, store, stream, who, tag })
    }

    /// Whether drafts are shown.
    pub fn sees_drafts(&self) -> bool {
        Need::Drafts.admits(self.who.role_in(self.stream))
    }

    /// What the desk answers.
    ///
    /// # Errors
    /// What `ask` says.
    pub fn at_desk(&self, ask: impl FnOnce(&AtDesk<'_>) -> Result<Told, VerbError>) -> Answer {
        let asker = self.who.asker(self.state);
        let (told, notes) =
            orders::at_stream(&asker, self.store, self.stream, Asked::default(), |at| {
                Ok((ask(at)?, at.tournament()))
            });
        let (mut told, tournament) = told?;
        told.notes.extend(notes);
        Ok(self.tagged(told.answer(tournament)))
    }

    /// An answer with the head that it was made from.
    pub fn tagged(&self, answer: impl Serialize) -> Given {
        let json = serde_json::to_value(answer).unwrap_or_default();
        Given { json, tag: Some(self.tag.clone()), next: None }
    }

    /// The path of the page behind a row of a list.
    pub fn next_page(&self, list: &str, asking: &Asking, after: u64) -> String {
        let typed = [
            ("as-of", asking.as_of.clone()),
            ("through", asking.through.map(|round| round.to_string())),
            ("rules", asking.rules.clone()),
            ("measures", asking.measures.clone()),
        ];
        let typed = typed.into_iter().filter_map(|(name, value)| {
            Some(format!("{name}={}&", crate::forms::encoded(&value?)))
        });
        let typed: String = typed.collect();
        format!("/api/v1/tournaments/{}/{list}?{typed}after={after}", self.stream)
    }

    /// The standings that are asked for, as far as their reader may see them.
    ///
    /// # Errors
    /// Where they cannot be made.
    pub fn table(&self, asking: &Asking) -> Result<Table, VerbError> {
        check_rules(self.who.role_in(self.stream), asking.rules.as_deref())?;
        let (as_of, _) = orders::moment(self.store, self.stream, asking.as_of.as_deref())?;
        let mut table = standings(
            self.store,
            self.stream,
            &When { as_of, through: asking.through },
            asking.rules.as_deref(),
        )?;
        // A bye that was only drafted would show in the standings.
        let state = &table.event.state;
        let hidden = state.last_round().filter(|last| !is_out(state, last)).map(|last| last.number);
        if let Some(last) =
            hidden.filter(|last| !self.sees_drafts() && table.standings.through >= *last)
        {
            table = table.through(last - 1)?;
        }
        Ok(table)
    }
}

/// Refuses changes of rules that the public makes up: rulesets that are shipped are looked at by
/// everybody.
///
/// # Errors
/// `not-allowed` with who may.
pub fn check_rules(role: Role, rules: Option<&str>) -> Result<(), VerbError> {
    match rules.filter(|rules| rules.contains('+')) {
        Some(_) if !Need::Staff.admits(role) => Err(not_allowed(
            role,
            "the staff of the tournament may change rulesets; name one by its id",
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::kit::{hall, state};

    #[test]
    fn an_order_that_comes_between_never_stands_behind_an_answer_that_does_not_have_it() {
        let (hall, state, who) = (hall(), state(), Who::in_role(Role::Public));
        let missing = || {
            let (_, now) = hall.store.handler().load(hall.stream).expect("loaded");
            now.last_round().map(|round| round.open_matches)
        };
        let read = |between: &dyn Fn()| {
            let id = hall.stream.to_string();
            let given = read_in(&state, &hall.store, &who, &id, Need::Anyone, |at| {
                let read = missing();
                between();
                Ok(at.tagged(read))
            });
            given.expect("read")
        };
        let before = read(&|| hall.slip("1 2-0"));
        let after = read(&|| {});
        assert_eq!((before.json, after.json), (2.into(), 1.into()));
        assert_ne!(before.tag, after.tag, "the older answer has the tag of the newer one");
        assert_eq!(after.tag, tag_of(&hall.store, hall.stream).ok());
    }
}
