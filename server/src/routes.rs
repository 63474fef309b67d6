//! Which path leads where. Whoever adds one names here who may: the handler asks for it.

use crate::gate::Need::{self, *};
use crate::problem::{Refusal, bad_request};
use crate::state::State;
use crate::{api, forms, join, local, orders_api, sites};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use std::sync::Arc;

/// How large a body is.
pub const BODY: usize = 1 << 20;
/// How large a list of players is, and what the command line passes on.
pub const LIST_BODY: usize = 16 << 20;

type To = MethodRouter<Arc<State>>;

/// A path: its method, who may, and where it leads.
pub struct Route {
    /// The method.
    pub method: &'static str,
    /// The path.
    pub path: &'static str,
    /// Who may.
    pub need: Need,
    to: To,
}

fn on(method: &'static str, path: &'static str, need: Need, to: To) -> Route {
    Route { method, path, need, to }
}

/// Returns every path that leads somewhere, but the streams.
pub fn table() -> Vec<Route> {
    let (reads, writes) = ("GET", "POST");
    vec![
        on(reads, "/", Anyone, get(sites::tournaments)),
        on(reads, "/new", Owner, get(sites::new)),
        on(writes, "/new", Owner, post(forms::new)),
        on(reads, "/t/{id}/desk", Staff, get(sites::desk)),
        on(reads, "/t/{id}/entry", Staff, get(sites::entry)),
        on(reads, "/t/{id}/missing", Staff, get(sites::missing)),
        on(reads, "/t/{id}/round", Anyone, get(sites::last_round)),
        on(reads, "/t/{id}/round/{number}", Anyone, get(sites::round)),
        on(reads, "/t/{id}/players", Staff, get(sites::players)),
        on(reads, "/t/{id}/known", Staff, get(sites::known)),
        on(reads, "/t/{id}/standings", Anyone, get(sites::standings)),
        on(reads, "/t/{id}/standings/{player}", Anyone, get(sites::why)),
        on(reads, "/t/{id}/log", Staff, get(sites::log)),
        on(reads, "/t/{id}/bracket", Anyone, get(sites::bracket)),
        on(reads, "/t/{id}/disputes", Staff, get(sites::disputes)),
        on(reads, "/t/{id}/disputes/{dispute}", Drafts, get(sites::dispute)),
        on(reads, "/t/{id}/compare", Staff, get(sites::compare)),
        on(reads, "/t/{id}/replay", Staff, get(sites::replay)),
        on(reads, "/t/{id}/cross", Drafts, get(sites::cross)),
        on(reads, "/t/{id}/places", Drafts, get(sites::places)),
        on(reads, "/t/{id}/places/{player}", Drafts, get(sites::places_of)),
        on(reads, "/t/{id}/moved", Drafts, get(sites::last_moved)),
        on(reads, "/t/{id}/moved/{seq}", Drafts, get(sites::moved)),
        on(reads, "/t/{id}/what-if", Drafts, get(sites::what_if)),
        on(reads, "/t/{id}/rules", Anyone, get(sites::rules)),
        on(reads, "/t/{id}/screen", Staff, get(sites::screen)),
        on(reads, "/t/{id}/print/{what}", Drafts, get(sites::print)),
        on(
            writes,
            "/t/{id}/orders",
            ByOrder,
            post(forms::post).layer(DefaultBodyLimit::max(LIST_BODY)),
        ),
        on(reads, "/s/{file}", Anyone, get(sites::asset)),
        on(reads, "/join/{code}", Anyone, get(join::page)),
        on(writes, "/join/{code}", Anyone, post(join::come_in)),
        on(reads, "/api/v1/tournaments", Anyone, get(api::tournaments)),
        on(writes, "/api/v1/tournaments", Owner, post(orders_api::open)),
        on(reads, "/api/v1/tournaments/{id}", Anyone, get(api::tournament)),
        on(
            writes,
            "/api/v1/tournaments/{id}/orders",
            ByOrder,
            post(orders_api::post).layer(DefaultBodyLimit::max(LIST_BODY)),
        ),
        on(writes, "/api/v1/tournaments/{id}/what-if", Drafts, post(api::what_if)),
        on(reads, "/api/v1/tournaments/{id}/players", Staff, get(api::players)),
        on(reads, "/api/v1/tournaments/{id}/rounds/{round}", Anyone, get(api::round)),
        on(reads, "/api/v1/tournaments/{id}/standings", Anyone, get(api::table)),
        on(
            reads,
            "/api/v1/tournaments/{id}/standings/{player}/explanation",
            Anyone,
            get(api::explanation),
        ),
        on(reads, "/api/v1/tournaments/{id}/log", Staff, get(api::log)),
        on(reads, "/api/v1/tournaments/{id}/disputes", Staff, get(api::disputes)),
        on(
            reads,
            "/api/v1/tournaments/{id}/disputes/{dispute}/file",
            Drafts,
            get(api::dispute_file),
        ),
        on(reads, "/api/v1/tournaments/{id}/bundle", Owner, get(api::bundle)),
        on(writes, "/api/v1/links", Owner, post(join::new_link)),
        on(writes, "/api/v1/tokens", Owner, post(join::new_token)),
        on(reads, "/local/hello", Local, get(local::hello)),
        on(
            writes,
            "/local/orders",
            Local,
            post(local::orders).layer(DefaultBodyLimit::max(LIST_BODY)),
        ),
        on(writes, "/local/lend", Local, post(local::lend)),
        on(writes, "/local/house", Local, post(local::copy_house)),
    ]
}

/// Returns the same as it is served.
pub fn routes() -> Router<Arc<State>> {
    let routes =
        table().into_iter().fold(Router::new(), |all, route| all.route(route.path, route.to));
    routes
        .fallback(nowhere)
        .method_not_allowed_fallback(no_method)
        .layer(DefaultBodyLimit::max(BODY))
}

/// Answers a path that leads nowhere.
async fn nowhere(uri: Uri) -> Refusal {
    let message = format!("there is nothing at {}", uri.path());
    VerbError::new(Code::not_found("no-such-page"), message, "begin at /").into()
}

/// Answers a method that a path does not have.
async fn no_method(method: Method, uri: Uri) -> Response {
    let mut response =
        Refusal::from(bad_request(format!("{} takes no {method}", uri.path()))).into_response();
    *response.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
    response
}
