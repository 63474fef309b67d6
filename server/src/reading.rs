//! How programs read: what they ask for, where they may, and how it is answered.

use crate::gate::{Need, Role, not_allowed};
use crate::horizon::last_told;
use crate::kept::CACHING;
use crate::live::{state_of, tag_of};
use crate::orders_api::find;
use crate::problem::{Refusal, of_parameter};
use crate::query::{encoded, flag};
use crate::state::State;
use crate::who::Who;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use scrutineer_desk::desk::Asked;
use scrutineer_desk::horizon::last_out;
use scrutineer_desk::looking::{Table, standings};
use scrutineer_desk::orders::{self, AtDesk, Told, When};
use scrutineer_desk::public::Records;
use scrutineer_desk::store::Store;
use scrutineer_desk::told::Filter;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::RoundNumber;
use scrutineer_engine::record::StreamId;
use scrutineer_engine::tournament::{Round, Tournament};
use scrutineer_projections::crosstable::Scope;
use scrutineer_replay::as_of::AsOf;
use scrutineer_replay::loaded::LoadedTournament;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a reading is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Asking {
    /// Only what had been recorded by then.
    #[serde(rename = "as-of")]
    pub as_of: Option<String>,
    /// Only the rounds up to this one.
    pub through: Option<u16>,
    /// Under this ruleset, by its id.
    pub rules: Option<String>,
    /// Only the players of this division.
    pub division: Option<String>,
    /// Beside this player.
    pub against: Option<u32>,
    /// What comes behind this one.
    pub after: Option<u64>,
    /// Only what is open.
    #[serde(deserialize_with = "flag")]
    pub open: bool,
    /// A cut to so many.
    pub cut: Option<u32>,
    /// Round by round, or event by event.
    pub by: Option<String>,
    /// Which measures: those that rank, or all.
    pub measures: Option<String>,
    /// Only what is about this player.
    pub player: Option<u32>,
    /// Only what is about this table.
    pub table: Option<u32>,
    /// Only what is about this round.
    pub round: Option<u16>,
    /// Only of this kind, such as `result`.
    pub kind: Option<String>,
    /// Only what this person recorded.
    pub person: Option<String>,
    /// Only what was changed, with what changed it.
    #[serde(deserialize_with = "flag")]
    pub changed: bool,
    /// How many seconds to wait where there is nothing yet.
    pub wait: Option<u64>,
}

impl Asking {
    /// A refusal with the parameter that it is about: a query may have several of them.
    pub fn named(&self, error: VerbError) -> VerbError {
        let name = match error.code.word {
            "bad-moment" | "before-opening" | "no-such-event" if self.as_of.is_some() => "as-of",
            "no-such-round" if self.through.is_some() => "through",
            "no-such-cut" => "cut",
            _ => return error,
        };
        of_parameter(name, error)
    }

    /// Which events of a log are asked for.
    pub fn filter(&self) -> Filter {
        Filter {
            player: self.player,
            table: self.table,
            round: self.round,
            kind: self.kind.clone().unwrap_or_default(),
            person: self.person.clone().unwrap_or_default(),
            words: String::new(),
            changed: self.changed,
        }
    }
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
    json_response_in(headers, (who.role, who.role), given)
}

/// As [`json_response`], in a tournament, of which its reader's role comes second: with a token of another one they are
/// shown what everybody is.
fn json_response_in(headers: &HeaderMap, (role, there): (Role, Role), given: Given) -> Response {
    let Given { json, tag, next } = given;
    // What everybody is shown changes with names and policies too, and not with the log alone.
    let shown = |tag: String| match Need::Staff.admits(there) {
        true => tag,
        false => {
            let digits = blake3::hash(json.to_string().as_bytes()).to_hex();
            format!("{tag}-{}", &digits[..8])
        }
    };
    let etag = tag.map(|tag| format!("\"{}\"", shown(tag)));
    let asked = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let mut response = match etag.as_deref().is_some_and(|etag| asked == Some(etag)) {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => format!("{json}\n").into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    // What is sent with a token is kept by nobody else.
    let caching = match role {
        Role::Public => CACHING,
        _ => "private, no-cache",
    };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    if let Some(etag) = etag.and_then(|etag| HeaderValue::from_str(&etag).ok()) {
        headers.insert(header::ETAG, etag);
    }
    lead_on(&mut response, next);
    response
}

/// Leads whoever reads a page of a list to the path of the next one, where there is one.
pub fn lead_on(response: &mut Response, next: Option<String>) {
    let next = next.map(|next| format!("<{next}>; rel=\"next\""));
    if let Some(next) = next.and_then(|next| HeaderValue::from_str(&next).ok()) {
        response.headers_mut().insert(header::LINK, next);
    }
}

/// Reads in a tournament as much as its reader may know of it, where they may.
///
/// # Errors
/// As [`reading`].
pub fn read_in<T>(
    state: &State,
    store: &Store,
    who: &Who,
    id: &str,
    need: Need,
    read: impl FnOnce(&Reading<'_>) -> Result<T, VerbError>,
) -> Result<T, VerbError> {
    if need != Need::Anyone {
        need.check(who.role)?;
    }
    let stream = find(store, id)?;
    who.check_in(need, stream)?;
    match need.shows_all(who.role_in(stream)) {
        true => read(&Reading::of(state, store, stream, who)?),
        // Nothing else is there for them.
        false => {
            let public = state.horizons.seen(store, stream)?;
            let pairings = state.horizons.pairings(store, stream)?;
            let policy = state.horizons.policy(stream);
            let missing = state.horizons.missing(store, stream)?;
            let is_hidden = state.horizons.hidden_behind(store, stream)?.is_some();
            let told = last_told(&policy, is_hidden, &*state_of(&public, stream)?);
            let all = Reading::of(state, &public, stream, who)?;
            read(&Reading { pairings, missing, told, ..all })
        }
    }
}

/// Reads in a tournament, where its reader may.
///
/// # Errors
/// What `read` says, or that they may not.
pub fn reading(
    state: &Arc<State>,
    who: Who,
    headers: HeaderMap,
    id: String,
    need: Need,
    read: impl FnOnce(&Reading<'_>) -> Answer + Send + 'static,
) -> impl Future<Output = Result<Response, Refusal>> + Send {
    read_boxed(state, who, headers, id, need, Box::new(read))
}

/// What is read, boxed: so the program has what reads once, and not once for each answer.
type Read = Box<dyn FnOnce(&Reading<'_>) -> Answer + Send>;

async fn read_boxed(
    state: &Arc<State>,
    who: Who,
    headers: HeaderMap,
    id: String,
    need: Need,
    read: Read,
) -> Result<Response, Refusal> {
    let (shared, role) = (Arc::clone(state), who.role);
    let given = state.read(move |store| read_told(&shared, store, &who, &id, need, read));
    let (given, there) = given.await?;
    Ok(json_response_in(&headers, (role, there), given))
}

/// Says in an answer that the log was rewritten, where it was: a program that reads one part of a tournament does not
/// see its page. Returns whether it was.
///
/// # Errors
/// Where what is remembered of a copy cannot be read.
pub fn tell_rewritten(
    store: &Store,
    stream: StreamId,
    answer: &mut Value,
) -> Result<bool, VerbError> {
    let is_rewritten = store.rewritten(stream)?.is_some();
    if let Some(answer) = answer.as_object_mut().filter(|_| is_rewritten) {
        answer.insert("rewritten".into(), true.into());
    }
    Ok(is_rewritten)
}

/// What is read, which says whether the log was rewritten, and the role of its reader in the tournament.
fn read_told(
    state: &State,
    store: &Store,
    who: &Who,
    id: &str,
    need: Need,
    read: Read,
) -> Result<(Given, Role), VerbError> {
    let mut given = read_in(state, store, who, id, need, read)?;
    let stream = find(store, id)?;
    tell_rewritten(store, stream, &mut given.json)?;
    Ok((given, who.role_in(stream)))
}

/// As [`reading`], for what takes long.
///
/// # Errors
/// As [`reading`].
pub fn reading_long(
    state: &Arc<State>,
    who: Who,
    id: String,
    need: Need,
    read: impl FnOnce(&Reading<'_>) -> Answer + Send + 'static,
) -> impl Future<Output = Result<Response, Refusal>> + Send {
    read_long_boxed(state, who, id, need, Box::new(read))
}

async fn read_long_boxed(
    state: &Arc<State>,
    who: Who,
    id: String,
    need: Need,
    read: Read,
) -> Result<Response, Refusal> {
    let (shared, role) = (Arc::clone(state), who.role);
    let given = state.read_long(move |store| read_told(&shared, store, &who, &id, need, read));
    let (given, there) = given.await?;
    Ok(json_response_in(&HeaderMap::new(), (role, there), given))
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
    /// The pairings that are out though the results before them are hidden.
    pub pairings: Option<LoadedTournament>,
    /// How many results are missing in each round, where they are hidden.
    missing: BTreeMap<RoundNumber, u32>,
    /// The last round of which they may know how it went, where the results of the one behind it are hidden.
    told: Option<RoundNumber>,
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
        let (missing, told) = (BTreeMap::new(), None);
        Ok(Reading { state, store, stream, who, pairings: None, missing, told, tag })
    }

    /// How many results of a round are missing, as far as everybody may know that: also where nobody may know
    /// which ones are in.
    pub fn missing(&self, round: &Round) -> u32 {
        self.missing.get(&round.number).copied().unwrap_or(round.open_matches)
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

    /// The path of the page behind a row of a list: it is asked for as this one was, but does not wait.
    pub fn next_page(&self, list: &str, asking: &Asking, after: u64) -> String {
        let typed = [
            ("as-of", asking.as_of.clone()),
            ("through", asking.through.map(|round| round.to_string())),
            ("rules", asking.rules.clone()),
            ("division", asking.division.clone()),
            ("against", asking.against.map(|player| player.to_string())),
            ("open", asking.open.then(|| "true".to_string())),
            ("cut", asking.cut.map(|size| size.to_string())),
            ("by", asking.by.clone()),
            ("measures", asking.measures.clone()),
            ("player", asking.player.map(|player| player.to_string())),
            ("table", asking.table.map(|table| table.to_string())),
            ("round", asking.round.map(|round| round.to_string())),
            ("kind", asking.kind.clone()),
            ("person", asking.person.clone()),
            ("changed", asking.changed.then(|| "true".to_string())),
        ];
        let typed = typed
            .into_iter()
            .filter_map(|(name, value)| Some(format!("{name}={}&", encoded(&value?))));
        let typed: String = typed.collect();
        format!("/api/v1/tournaments/{}/{list}?{typed}after={after}", self.stream)
    }

    /// As [`next_page`](Self::next_page), of a table in which a row may move before the next page is asked for: that one is
    /// of the same events as this one, through the same round, so no row is left out or told twice.
    pub fn next_page_as_of(
        &self,
        list: &str,
        asking: &Asking,
        state: &Tournament,
        (through, after): (Option<RoundNumber>, u64),
    ) -> String {
        let last = state.last_round().map_or(0, |last| last.number);
        // A round that is not out yet may be when the next page is asked for.
        let through = through.filter(|through| (1..last).contains(through)).or(asking.through);
        let as_of = Some(state.head().to_string());
        self.next_page(list, &Asking { as_of, through, ..asking.clone() }, after)
    }

    /// The moment that is asked for; none: now.
    ///
    /// # Errors
    /// Where it is none of this log.
    pub fn moment(&self, asking: &Asking) -> Result<Option<AsOf>, VerbError> {
        let found = orders::moment(self.store, self.stream, asking.as_of.as_deref());
        Ok(found.map_err(|error| asking.named(error))?.0)
    }

    /// The standings that are asked for, as far as their reader may see them.
    ///
    /// # Errors
    /// Where they cannot be made.
    pub fn table(&self, asking: &Asking) -> Result<Table, VerbError> {
        check_rules(self.who.role_in(self.stream), asking.rules.as_deref())?;
        let when = When { as_of: self.moment(asking)?, through: asking.through, out: None };
        let table = standings(self.store, self.stream, &when, asking.rules.as_deref());
        let mut table = table.map_err(|error| asking.named(error))?;
        // A bye that was only drafted, or is of a round whose results are hidden, would show in the standings.
        if let Some(out) = self.out()?.filter(|out| table.standings.through > *out) {
            table = table.through(out)?;
        }
        Ok(table)
    }

    /// Refuses those who may not read records: where the organizer chose so, they are for tokens alone.
    ///
    /// # Errors
    /// `not-allowed` with who may.
    pub fn check_records(&self) -> Result<(), VerbError> {
        let role = self.who.role_in(self.stream);
        let is_open = self.state.horizons.policy(self.stream).records == Records::Public;
        match is_open || Need::Drafts.admits(role) {
            true => Ok(()),
            false => Err(not_allowed(role, "programs with a token of the owner's may")),
        }
    }

    /// The last round that is out, where the reader may not see the draft behind it, nor how a hidden round went.
    ///
    /// # Errors
    /// Where the log cannot be read.
    pub fn out(&self) -> Result<Option<RoundNumber>, VerbError> {
        match self.sees_drafts() {
            true => Ok(None),
            false => Ok(self.told.or(last_out(&*state_of(self.store, self.stream)?))),
        }
    }
}

/// Returns how far to fold where the round behind this one is a draft.
pub fn up_to(scope: Scope, out: Option<RoundNumber>) -> Scope {
    let through = out.map(|out| scope.through.map_or(out, |through| through.min(out)));
    Scope { through: through.or(scope.through), ..scope }
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
    use axum::extract::Query;

    /// The second page of what can be reached was of another cut than the first.
    #[test]
    fn a_further_page_is_asked_for_as_the_first_one_was() {
        let (hall, state, who) = (hall(), state(), Who::in_role(Role::Owner));
        let at = Reading::of(&state, &hall.store, hall.stream, &who).expect("a reading");
        let asking = Asking {
            as_of: Some("14:05 +01:00".into()),
            through: Some(3),
            rules: Some("mtr+points.draw=0".into()),
            division: Some("Senioren & Co".into()),
            against: Some(2),
            after: Some(12),
            open: true,
            cut: Some(8),
            by: Some("event".into()),
            measures: Some("all".into()),
            player: Some(4),
            table: Some(5),
            round: Some(6),
            kind: Some("result".into()),
            person: Some("Bo".into()),
            changed: true,
            wait: Some(25),
        };
        let path = at.next_page("reach", &asking, 500);
        let read = Query::<Asking>::try_from_uri(&path.parse().expect("a path"));
        let next = Asking { after: Some(500), wait: None, ..asking };
        assert_eq!(read.expect("a query").0, next, "{path}");
    }

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
