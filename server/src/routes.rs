//! Which path leads where. Whoever adds one names here who may: the handler asks for it.

use crate::gate::Need::{self, *};
use crate::gate::Role;
use crate::guard::at_desk;
use crate::join::refusal_page;
use crate::posted::wants_page;
use crate::problem::{self, Refusal};
use crate::publisher::{editions, stores};
use crate::reader::Reader;
use crate::state::State;
use crate::who::Who;
use crate::{
    api, at_event, calendar, checked_page, exports, floor_api, follow, forms, home_screen, imports,
    join, laptops, local, log_lines, notices, orders_api, other_sites, player, player_acts,
    player_links, policies, private_api, proofs, publisher, reach, reads, review, screens_api,
    season_api, sites, staff_api, staff_pages, webhooks,
};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderMap, Method, Uri};
use axum::middleware;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{MethodRouter, delete, get, patch, post, put};
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
    /// Whether it changes who may do what: then it is refused where this laptop is not the desk.
    pub is_of_the_house: bool,
    to: To,
}

impl Route {
    /// Whether it is a path of programs that everybody may read.
    fn is_read_by_everybody(&self) -> bool {
        let is_open = matches!(self.need, Anyone | Published);
        self.method == "GET" && is_open && self.path.starts_with("/api/v1/")
    }
}

fn on(method: &'static str, path: &'static str, need: Need, to: To) -> Route {
    Route { method, path, need, is_of_the_house: false, to }
}

/// As [`on`], for a page of the staff.
fn page(path: &'static str, to: To) -> Route {
    on("GET", path, Need::of_staff_page(path.strip_prefix("/t/{id}/").unwrap_or(path)), to)
}

/// As [`on`], for what changes who may do what.
fn house(method: &'static str, path: &'static str, need: Need, to: To) -> Route {
    Route { is_of_the_house: true, ..on(method, path, need, to) }
}

/// Returns every path that leads somewhere, but the streams.
pub fn table() -> Vec<Route> {
    let (reads, writes, removes) = ("GET", "POST", "DELETE");
    vec![
        on(reads, "/", Anyone, get(sites::tournaments)),
        on(reads, "/new", Owner, get(sites::new)),
        on(writes, "/new", Owner, post(forms::new)),
        on(reads, "/import", HeadJudge, get(imports::page)),
        on(writes, "/import", HeadJudge, post(imports::send)),
        on(reads, "/import/{upload}", HeadJudge, get(imports::preview)),
        on(writes, "/import/{upload}", HeadJudge, post(imports::keep)),
        on(writes, "/api/v1/imports", HeadJudge, post(imports::import)),
        on(reads, "/t/{id}", Anyone, get(sites::tournament)),
        page("/t/{id}/desk", get(sites::desk)),
        page("/t/{id}/entry", get(sites::entry)),
        page("/t/{id}/missing", get(sites::missing)),
        on(reads, "/t/{id}/round", Anyone, get(sites::last_round)),
        on(reads, "/t/{id}/round/{number}", Anyone, get(sites::round)),
        page("/t/{id}/players", get(sites::players)),
        on(writes, "/t/{id}/known", Staff, post(sites::known)),
        on(writes, "/t/{id}/find", Staff, post(forms::find_on_page)),
        on(reads, "/t/{id}/standings", Anyone, get(sites::standings)),
        on(reads, "/t/{id}/standings/{player}", Anyone, get(sites::why)),
        on(reads, "/t/{id}/log", Published, get(sites::log)),
        on(reads, checked_page::PATH, Published, get(checked_page::get)),
        on(reads, "/t/{id}/audit", Published, get(sites::audit)),
        on(reads, "/t/{id}/standings.csv", Published, get(exports::public_standings)),
        on(reads, "/t/{id}/bracket", Anyone, get(sites::bracket)),
        page("/t/{id}/disputes", get(sites::disputes)),
        page("/t/{id}/disputes/{dispute}", get(sites::dispute)),
        page("/t/{id}/compare", get(sites::compare)),
        page("/t/{id}/replay", get(sites::replay)),
        page("/t/{id}/cross", get(sites::cross)),
        page("/t/{id}/places", get(sites::places)),
        page("/t/{id}/places/{player}", get(sites::places_of)),
        page("/t/{id}/moved", get(sites::last_moved)),
        page("/t/{id}/moved/{seq}", get(sites::moved)),
        page("/t/{id}/what-if", get(sites::what_if)),
        page("/t/{id}/policies", get(sites::policies)),
        house(writes, "/t/{id}/policies", Owner, post(policies::form)),
        house(writes, "/t/{id}/wishes", Staff, post(policies::wish)),
        on(reads, "/calendar.ics", Anyone, get(calendar::all)),
        on(reads, "/t/{id}/calendar.ics", Anyone, get(calendar::one)),
        on(reads, "/t/{id}/rules", Anyone, get(sites::rules)),
        page("/t/{id}/export", get(sites::export)),
        on(writes, "/t/{id}/export", HeadJudge, post(exports::form)),
        page("/t/{id}/screen", get(sites::screen)),
        on(reads, "/t/{id}/overlay", Anyone, get(sites::overlay)),
        page("/t/{id}/screen-link", get(sites::screen_link)),
        house(writes, "/t/{id}/screen-link", Drafts, post(sites::new_screen_link)),
        on(reads, "/t/{id}/screen/{code}", Screen, get(sites::projector)),
        page("/t/{id}/print/{what}", get(sites::print)),
        page("/t/{id}/print/badges", get(player_links::badges)),
        house(writes, "/t/{id}/print/badges", Drafts, post(player_links::badges_form)),
        house(writes, "/t/{id}/players/free", Drafts, post(player_links::free_form)),
        on(reads, "/t/{id}/me", Player, get(player::me)),
        on(writes, "/t/{id}/me", Player, post(player_acts::post)),
        on(reads, "/t/{id}/me/receipt", Player, get(player::receipt)),
        house(writes, "/t/{id}/me/notices", Player, post(notices::post)),
        on(reads, "/t/{id}/me/app.webmanifest", Anyone, get(home_screen::manifest)),
        on(reads, "/t/{id}/me/worker.js", Anyone, get(home_screen::worker)),
        on(reads, "/t/{id}/me/offline", Anyone, get(home_screen::offline)),
        on(reads, "/t/{id}/me/{link}", Anyone, get(player::link)),
        house(writes, "/t/{id}/me/{link}", Anyone, post(player::bind)),
        on(
            writes,
            "/t/{id}/orders",
            ByOrder,
            post(forms::post).layer(DefaultBodyLimit::max(LIST_BODY)),
        ),
        page("/t/{id}/floor", get(sites::floor)),
        on(writes, "/t/{id}/floor", ByOrder, post(floor_api::form)),
        on(reads, "/s/{file}", Anyone, get(sites::asset)),
        on(reads, "/problems/{code}", Anyone, get(sites::problem)),
        on(reads, "/api/v1/openapi.json", Anyone, get(sites::openapi)),
        on(reads, "/sign-in", Anyone, get(staff_pages::sign_in_page)),
        house(writes, "/sign-in", Anyone, post(staff_pages::sign_in)),
        on(writes, "/sign-out", Anyone, post(staff_pages::sign_out)),
        on(reads, "/staff", Owner, get(staff_pages::page)),
        house(writes, "/staff/links", Owner, post(staff_pages::new_link)),
        house(writes, "/staff/tokens", Owner, post(staff_pages::new_token)),
        house(writes, "/staff/accounts", Owner, post(staff_pages::account)),
        house(writes, "/staff/end", Owner, post(staff_pages::end)),
        on(reads, "/webhooks", Owner, get(webhooks::page)),
        house(writes, "/webhooks", Owner, post(webhooks::new_form)),
        house(writes, "/webhooks/act", Owner, post(webhooks::act)),
        on(reads, "/publisher", Owner, get(publisher::page)),
        house(writes, "/publisher", Owner, post(publisher::form)),
        on(reads, "/api/v1/publisher", Staff, get(publisher::stands)),
        house(writes, "/api/v1/publisher", Owner, post(publisher::enroll)),
        house(removes, "/api/v1/publisher", Owner, delete(publisher::end)),
        on(reads, "/api/v1/editions", Anyone, get(editions::list)),
        on(writes, "/api/v1/editions", Owner, post(editions::put)),
        on(reads, "/api/v1/editions/{edition}", Anyone, get(editions::one)),
        on(reads, "/season", Owner, get(season_api::show)),
        on(writes, "/season", Owner, post(season_api::form)),
        on(reads, season_api::PAGE, Owner, get(season_api::moved_page)),
        on(reads, "/api/v1/season", Owner, get(season_api::stands)),
        on(writes, "/api/v1/season", Owner, post(season_api::begin)),
        on(removes, "/api/v1/season", Owner, delete(season_api::stop)),
        on(reads, "/api/v1/season/{file}", Owner, get(season_api::file)),
        on(reads, "/stores", Owner, get(stores::page)),
        house(writes, "/stores", Owner, post(stores::form)),
        on(reads, "/api/v1/stores", Owner, get(stores::list)),
        house(writes, "/api/v1/stores", Owner, post(stores::new)),
        house(removes, "/api/v1/stores/{store}", Owner, delete(stores::end)),
        on(reads, "/enroll/{code}", Anyone, get(stores::landing)),
        house(writes, "/follow/enroll", Anyone, post(stores::enroll)),
        house(writes, "/follow/end", Venue, post(stores::leave)),
        on(reads, "/review", Owner, get(review::show)),
        on(reads, "/api/v1/review", Owner, get(review::get)),
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
        on(
            writes,
            "/api/v1/tournaments/{id}/what-if",
            Drafts,
            post(api::what_if).layer(DefaultBodyLimit::max(LIST_BODY)),
        ),
        on(reads, "/api/v1/tournaments/{id}/players", Staff, get(api::players)),
        on(reads, "/api/v1/tournaments/{id}/player-links", Drafts, get(player_links::list)),
        house(writes, "/api/v1/tournaments/{id}/player-links", Drafts, post(player_links::new)),
        house(
            removes,
            "/api/v1/tournaments/{id}/player-links/{player}/device",
            Drafts,
            delete(player_links::free),
        ),
        on(reads, "/api/v1/tournaments/{id}/rounds/{round}", Anyone, get(api::round)),
        on(reads, "/api/v1/tournaments/{id}/standings", Anyone, get(api::table)),
        on(
            reads,
            "/api/v1/tournaments/{id}/standings/{player}/explanation",
            Anyone,
            get(api::explanation),
        ),
        on(reads, "/api/v1/tournaments/{id}/at/{head}/standings", Anyone, get(at_event::table)),
        on(
            reads,
            "/api/v1/tournaments/{id}/at/{head}/standings/{player}/explanation",
            Anyone,
            get(at_event::explanation),
        ),
        on(
            reads,
            "/api/v1/tournaments/{id}/at/{head}/rounds/{round}",
            Anyone,
            get(at_event::round),
        ),
        on(reads, "/api/v1/tournaments/{id}/at/{head}/bracket", Anyone, get(at_event::bracket)),
        on(reads, "/api/v1/tournaments/{id}/reach", Anyone, get(reach::everybody)),
        on(reads, "/api/v1/tournaments/{id}/reach/{player}", Anyone, get(reach::player)),
        on(reads, "/api/v1/tournaments/{id}/players/{player}", Staff, get(reads::player)),
        on(reads, "/api/v1/tournaments/{id}/compare", Staff, get(reads::compare)),
        on(reads, "/api/v1/tournaments/{id}/replay", Drafts, get(reads::replay)),
        on(reads, "/api/v1/tournaments/{id}/trace/{player}", Drafts, get(reads::trace)),
        on(reads, "/api/v1/tournaments/{id}/records", Published, get(follow::records)),
        on(reads, "/api/v1/tournaments/{id}/records/{page}", Published, get(reads::records)),
        on(reads, "/api/v1/tournaments/{id}/checkpoint", Anyone, get(reads::checkpoint)),
        on(writes, "/api/v1/tournaments/{id}/checkpoint", Owner, post(reads::sign_now)),
        on(reads, "/api/v1/tournaments/{id}/checkpoints", Anyone, get(reads::checkpoints)),
        on(reads, "/api/v1/tournaments/{id}/bracket", Anyone, get(proofs::bracket)),
        on(reads, "/api/v1/tournaments/{id}/proof", Anyone, get(proofs::proof)),
        on(reads, "/api/v1/tournaments/{id}/receipt/{player}", Drafts, get(proofs::receipt)),
        on(reads, "/api/v1/rulesets", Anyone, get(reads::rulesets)),
        on(reads, "/api/v1/rulesets/{rules}", Anyone, get(reads::ruleset)),
        on(writes, "/api/v1/rulesets/check", Anyone, post(reads::check_ruleset)),
        on(reads, "/api/v1/tournaments/{id}/log", Published, get(log_lines::log)),
        on(reads, "/api/v1/tournaments/{id}/claims", Staff, get(private_api::claims)),
        on(reads, "/api/v1/tournaments/{id}/handover", Owner, get(private_api::handover)),
        on(reads, "/api/v1/tournaments/{id}/audit", Owner, get(private_api::audit)),
        on(writes, "/api/v1/tournaments/{id}/forget", Owner, post(private_api::forget)),
        on(reads, "/api/v1/tournaments/{id}/disputes", Staff, get(api::disputes)),
        on(
            reads,
            "/api/v1/tournaments/{id}/disputes/{dispute}/file",
            Drafts,
            get(api::dispute_file),
        ),
        on(reads, "/api/v1/tournaments/{id}/bundle", Published, get(api::bundle)),
        on(reads, "/api/v1/tournaments/{id}/exports", HeadJudge, get(exports::list)),
        on(writes, "/api/v1/tournaments/{id}/exports/{format}", HeadJudge, post(exports::export)),
        on(reads, "/api/v1/tournaments/{id}/floor", Anyone, get(floor_api::get)),
        on(reads, "/api/v1/tournaments/{id}/floor/entries", Drafts, get(floor_api::entries)),
        on("PATCH", "/api/v1/tournaments/{id}/floor", ByOrder, patch(floor_api::change)),
        on(writes, "/api/v1/tournaments/{id}/floor/calls", ByOrder, post(floor_api::call)),
        on(reads, "/api/v1/tournaments/{id}/screens", Drafts, get(screens_api::get)),
        house(writes, "/api/v1/tournaments/{id}/screens", Drafts, post(screens_api::new)),
        on(reads, "/api/v1/tournaments/{id}/policies", Owner, get(policies::get)),
        house("PUT", "/api/v1/tournaments/{id}/policies", Owner, put(policies::put)),
        on(reads, "/api/v1/links", Owner, get(staff_api::links)),
        house(writes, "/api/v1/links", Owner, post(staff_api::new_link)),
        house(removes, "/api/v1/links/{link}", Owner, delete(staff_api::end_link)),
        on(reads, "/api/v1/tokens", Owner, get(staff_api::tokens)),
        house(writes, "/api/v1/tokens", Owner, post(staff_api::new_token)),
        house(removes, "/api/v1/tokens/{token}", Owner, delete(staff_api::end_token)),
        on(reads, "/api/v1/webhooks", Owner, get(webhooks::list)),
        house(writes, "/api/v1/webhooks", Owner, post(webhooks::new)),
        house("PATCH", "/api/v1/webhooks/{webhook}", Owner, patch(webhooks::change)),
        house(removes, "/api/v1/webhooks/{webhook}", Owner, delete(webhooks::end)),
        on(writes, "/api/v1/webhooks/{webhook}/try", Owner, post(webhooks::try_now)),
        on(reads, "/api/v1/sessions", Owner, get(staff_api::sessions)),
        house(removes, "/api/v1/sessions/{session}", Owner, delete(staff_api::end_session)),
        on(reads, "/api/v1/staff", Owner, get(staff_api::accounts)),
        house("PUT", "/api/v1/staff/{name}", Owner, put(staff_api::put_account)),
        house(removes, "/api/v1/staff/{name}", Owner, delete(staff_api::remove_account)),
        on(reads, "/api/v1/changes", Owner, get(staff_api::changes)),
        on(reads, "/follow/inbox", Venue, get(follow::inbox)),
        on(writes, "/follow/inbox", Venue, post(follow::settle)),
        on(reads, "/follow/{id}", Venue, get(follow::head)),
        on(
            writes,
            "/follow/{id}/records",
            Venue,
            post(follow::push_records).layer(DefaultBodyLimit::max(LIST_BODY)),
        ),
        on(
            "PUT",
            "/follow/{id}/shown",
            Venue,
            put(follow::push_shown).layer(DefaultBodyLimit::max(LIST_BODY)),
        ),
        on(reads, "/second", Owner, get(laptops::page)),
        on(writes, "/second", Second, post(laptops::post)),
        on(writes, "/second/code", Owner, post(laptops::code)),
        on(writes, "/second/take-over", Owner, post(laptops::take_over)),
        on(reads, "/second/status", Staff, get(laptops::status)),
        on(reads, "/local/hello", Local, get(local::hello)),
        on(
            writes,
            "/local/orders",
            Local,
            post(local::orders).layer(DefaultBodyLimit::max(LIST_BODY)),
        ),
        on(writes, "/local/lend", Local, post(local::lend)),
        on(writes, "/local/house", Local, post(local::copy_house)),
        on(writes, "/local/mirror", Local, post(local::mirror)),
        on(writes, "/local/take-over", Local, post(local::take_over)),
    ]
}

/// Returns the same as it is served.
pub fn routes(state: &Arc<State>) -> Router<Arc<State>> {
    let to = |route: Route| match route.is_of_the_house {
        true => route.to.layer(middleware::from_fn_with_state(Arc::clone(state), at_desk)),
        false => route.to,
    };
    let table = table();
    let read = table.iter().filter(|route| route.is_read_by_everybody());
    other_sites::open(read.map(|route| route.path));
    let routes = table.into_iter().fold(Router::new(), |all, route| {
        let path = route.path;
        all.route(path, to(route))
    });
    routes
        .fallback(nowhere)
        .method_not_allowed_fallback(no_method)
        .layer(DefaultBodyLimit::max(BODY))
}

/// Answers a path that leads nowhere.
async fn nowhere(
    uri: Uri,
    who: Result<Who, Refusal>,
    reader: Reader,
    headers: HeaderMap,
) -> Response {
    // As somebody types the address from a poster.
    let typed = uri.path().strip_suffix('/').filter(|path| path.starts_with("/t/"));
    if let Some(path) = typed {
        return Redirect::to(path).into_response();
    }
    let message = format!("there is nothing at {}", uri.path());
    let refusal = VerbError::new(Code::not_found("no-such-page"), message, "begin at /").into();
    // Pages within a tournament are kept: this one is made in its language here, and not behind what keeps it.
    let language = reader.language(who.map_or(Role::Public, |who| who.role));
    match wants_page(&headers) {
        true => refusal_page(&refusal, language),
        false => refusal.into_response(),
    }
}

/// Answers a method that a path does not have.
pub async fn no_method(method: Method, uri: Uri) -> Refusal {
    problem::no_method(method.as_str(), uri.path()).into()
}
