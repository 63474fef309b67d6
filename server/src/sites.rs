//! The pages, as they are asked for: who may see which, and in what they are wrapped.

use crate::gate::{Need, Role};
use crate::join::{refusal_page, refusal_page_of};
use crate::kept::{FOR_GOOD, takes_gzip};
use crate::language::Language;
use crate::live::{is_out, state_of};
use crate::orders_api::find;
use crate::pages::standings::View;
use crate::pages::{self, Looked, Said};
use crate::posted::{Posted, back_of, field, fields_for, new_key, refused_at, see, wants_page};
use crate::problem::{Refusal, bad_request};
use crate::query::encoded;
use crate::reader::Reader;
use crate::screens_api::{self, WantedScreenLink};
use crate::state::State;
use crate::who::Who;
use axum::body::Bytes;
use axum::extract::{Path, Query, State as Shared};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use scrutineer_desk::desk::open_round;
use scrutineer_desk::horizon::last_out;
use scrutineer_desk::store::StoreError;
use scrutineer_desk::verb_error::VerbError;
use serde::Deserialize;
use std::io::Read as _;
use std::sync::{Arc, LazyLock};

/// What stands in a page's query.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Asked {
    pub(crate) said: Option<String>,
    pub(crate) made: Option<String>,
    #[serde(rename = "as-of")]
    as_of: Option<String>,
    through: Option<String>,
    rules: Option<String>,
    division: Option<String>,
    by: Option<String>,
    prizes: Option<String>,
    against: Option<String>,
    table: Option<String>,
    correct: Option<String>,
    check: Option<String>,
    pub(crate) player: Option<String>,
    before: Option<String>,
    search: Option<String>,
    kind: Option<String>,
    person: Option<String>,
    from: Option<String>,
    changed: Option<String>,
    round: Option<String>,
    event: Option<String>,
    slip: Option<String>,
    drop: Option<String>,
    show: Option<String>,
    name: Option<String>,
    like: Option<String>,
    dispute: Option<String>,
    per: Option<String>,
    done: Option<String>,
    already: Option<String>,
    floor: Option<String>,
    kept: Option<String>,
    size: Option<String>,
    to: Option<String>,
    pub(crate) refused: Option<String>,
    pub(crate) why: Option<String>,
    hint: Option<String>,
    typed: Option<String>,
    people: Option<String>,
    csv: Option<String>,
    aside: Option<String>,
}

/// A field of a query that is not empty. A number that is none is as none: it was typed by hand.
pub(crate) fn read<T: std::str::FromStr>(text: &Option<String>) -> Option<T> {
    text.as_ref().filter(|text| !text.is_empty())?.parse().ok()
}

impl Asked {
    /// What became of the order that was posted last.
    fn told(&self) -> Said {
        Said {
            done: read(&self.done),
            already: read(&self.already),
            floor: read(&self.floor),
            kept: read(&self.kept),
            refused: read(&self.refused),
            why: read(&self.why),
            hint: read(&self.hint),
            typed: read(&self.typed),
        }
    }

    /// What a screen is to show.
    fn screen(&self) -> pages::screen::Show {
        pages::screen::Show {
            show: read(&self.show),
            division: read(&self.division),
            by_division: self.is_by_division(),
        }
    }

    /// What it says of something that is printed.
    fn printed(&self) -> String {
        let fields = [
            ("made", &self.made),
            ("dispute", &self.dispute),
            ("per", &self.per),
            ("division", &self.division),
            ("by", &self.by),
            ("prizes", &self.prizes),
            ("round", &self.round),
        ];
        let said = fields.into_iter().filter_map(|(name, value)| {
            let value = value.as_deref().filter(|value| !value.is_empty())?;
            Some(format!("{name}={}", encoded(value)))
        });
        said.collect::<Vec<_>>().join("&")
    }

    /// Whether something is asked for division by division.
    fn is_by_division(&self) -> bool {
        self.by.as_deref() == Some("division")
    }

    /// Which standings are meant. What is drafted only is none of the public's.
    fn view(&self, at: &Looked<'_>) -> Result<View, VerbError> {
        let through: Option<u16> = read(&self.through);
        crate::reading::check_rules(at.own_role, self.rules.as_deref())?;
        let (rules, division) = (read(&self.rules), read(&self.division));
        let (as_of, out) = (read(&self.as_of), None);
        let view = View { as_of, through, rules, division, out, is_public: false };
        if Need::Drafts.admits(at.role) {
            return Ok(view);
        }
        let state = state_of(at.store, at.stream)?;
        match state.last_round().filter(|last| !is_out(&state, last)).map(|last| last.number) {
            // What is out stands as it is now for them: nothing is left out that they could see.
            Some(last) => Ok(View {
                through: view.through.filter(|through| *through < last - 1),
                out: Some(last - 1),
                ..view
            }),
            // A round that is being paired is none yet: it is asked for before its page knows.
            None => Ok(View {
                through: view.through.filter(|through| at.prepared != Some(*through)),
                ..view
            }),
        }
    }
}

/// A page of a tournament, or why there is none.
fn shown(page: Result<String, VerbError>, language: Language, id: Option<&str>) -> Response {
    match page {
        Ok(page) => Html(page).into_response(),
        Err(error) => refusal_page_of(&error.into(), language, id),
    }
}

/// How something is made of a tournament and of what is asked for.
pub(crate) type Make<T> = Box<dyn FnOnce(&Looked<'_>, &Asked) -> Result<T, VerbError> + Send>;

/// A page of a tournament, for those who may see it.
pub(crate) fn page(
    state: Arc<State>,
    who: Who,
    reader: Reader,
    id: String,
    asked: Asked,
    need: Need,
    make: impl FnOnce(&Looked<'_>, &Asked) -> Result<String, VerbError> + Send + 'static,
) -> impl Future<Output = Response> + Send {
    made(state, who, reader, id, asked, need, Box::new(make))
}

/// The same without a copy of itself in the program for each page.
async fn made(
    state: Arc<State>,
    who: Who,
    reader: Reader,
    id: String,
    asked: Asked,
    need: Need,
    make: Make<String>,
) -> Response {
    // Of those who may not, nobody knows a role in the tournament.
    let (refused_in, named) = (reader.language(who.role), id.clone());
    let made = looked_at(state, who, reader, id, asked, need, make).await;
    shown(made, refused_in, Some(&named))
}

/// What is made of a tournament as somebody looks at it.
///
/// # Errors
/// Where they may not, or it cannot be made.
pub(crate) async fn looked_at<T: Send + 'static>(
    state: Arc<State>,
    who: Who,
    reader: Reader,
    id: String,
    asked: Asked,
    need: Need,
    make: Make<T>,
) -> Result<T, VerbError> {
    let shared = Arc::clone(&state);
    let made = state.read(move |store| {
        // Whether they are the player, or have the link of a screen, their pages look themselves.
        let is_checked = !matches!(need, Need::Anyone | Need::Player | Need::Screen);
        let refused = |error: VerbError| shared.second.refused(who.role, error);
        if is_checked {
            need.check(who.role).map_err(refused)?;
        }
        let stream = find(store, &id)?;
        if is_checked {
            who.check_in(need, stream).map_err(refused)?;
        }
        let asker = who.asker(&shared);
        // A screen does nothing, whoever opened it.
        // Nor has a copy a desk: everybody sees of it what its venue shows.
        let followed = store.followed(stream)?;
        let is_copy = followed.is_some();
        if let Some(followed) = followed.filter(|_| need == Need::Staff) {
            return Err(StoreError::IsCopy { from: followed.from }.into());
        }
        let role = match need == Need::Screen || is_copy {
            true => Role::Public,
            false => who.role_in(stream),
        };
        // The room is led to the desk that there is: what stands here is of before.
        shared.second.leads_on(role)?;
        // Nothing else is there for those who are not of the staff.
        let (public, pairings) = match need.shows_all(role) {
            // A copy has no names but those that everybody is shown.
            _ if need == Need::Player && is_copy => (
                Some(shared.horizons.seen(store, stream)?),
                shared.horizons.pairings(store, stream)?,
            ),
            _ if need == Need::Player => {
                let own = reader.device().map(|device| shared.house.players_of(stream, device));
                let (policy, own) = (shared.horizons.policy(stream), own.unwrap_or_default());
                (Some(store.for_players(stream, &policy, &own)?), None)
            }
            // What a screen shows is looked up by its page: nothing that is not out.
            _ if need == Need::Screen => (None, None),
            true => (None, None),
            false => (
                Some(shared.horizons.seen(store, stream)?),
                shared.horizons.pairings(store, stream)?,
            ),
        };
        let draft = last_out(&*state_of(store, stream)?).map(|out| out + 1);
        let prepared = draft.filter(|_| public.is_some());
        let copied = shared.copied(store, stream)?;
        let hidden = shared.horizons.hidden_behind(store, stream)?;
        let public_head = match Need::Staff.admits(role) {
            true => None,
            false => Some(shared.horizons.of(store, stream)?),
        };
        let store = public.as_ref().unwrap_or(store);
        let base = format!("/t/{}", scrutineer_replay::loaded::short_id(stream));
        let form_key = new_key()?;
        let said = asked.told();
        let (floor, awaited) = (shared.floor(stream)?, shared.phones.awaited(shared.found()));
        let language = reader.language(role);
        let looked = Looked {
            store,
            stream,
            asker: &asker,
            role,
            lowered_from: who.lowered_from().filter(|_| Need::Staff.admits(role)),
            base: &base,
            signer: who.signer(),
            form_key,
            awaited,
            floor,
            said,
            language,
            is_chosen: reader.asked().is_some(),
            printed: asked.printed(),
            aside: read(&asked.aside),
            origin: reader.origin,
            policy: shared.horizons.policy(stream),
            pairings: pairings.map(|one| pages::speaking(one, language)),
            hidden,
            public_head,
            prepared,
            // Pages of the public are kept: they say nothing that changes by itself.
            second: shared.second.line(Some(stream)).filter(|_| role != Role::Public),
            stands: shared.second.stands(),
            given_up: match role {
                Role::Owner => shared.house.given_up(stream),
                _ => Vec::new(),
            },
            publisher: shared.pushing.line(stream).filter(|_| Need::Staff.admits(role)),
            other_program: shared.other_program.line(stream),
            // Whoever looks at a copy is nobody in it, and has rules of their own all the same.
            own_role: match need {
                Need::Screen => Role::Public,
                _ => who.role_in(stream),
            },
            editions: match Need::Staff.admits(role) || need == Need::Looking {
                true => shared.editions.now(),
                false => Arc::default(),
            },
            copied,
            screen: shared.house.screen(stream).filter(|_| role != Role::Public),
        };
        make(&looked, &asked)
    });
    made.await
}

/// Pages of a tournament: each with who may see it, and how it is made from its query.
macro_rules! pages {
    ($($(#[$about:meta])* $name:ident: $need:ident, |$at:ident, $asked:ident| $made:expr;)+) => { $(
        $(#[$about])*
        pub async fn $name(
            Shared(state): Shared<Arc<State>>,
            Path(id): Path<String>,
            Query(asked): Query<Asked>,
            who: Who,
            reader: Reader,
        ) -> Response {
            page(state, who, reader, id, asked, Need::$need, |$at, $asked| $made).await
        }
    )+ };
}

pages! {
    /// Where a tournament stands, and what comes next.
    desk: Staff, |at, _asked| pages::desk::page(at);
    /// Where results are entered.
    entry: Staff, |at, asked| {
        let is_one = |text: &String| text.trim_start_matches('#').parse::<u32>().is_ok();
        let [table, correct] = [&asked.table, &asked.correct].map(|one| one.clone().filter(is_one));
        pages::entry::page(at, pages::entry::View { table, correct, check: read(&asked.check) })
    };
    /// The floor, for judges.
    floor: Staff, |at, asked| {
        let own = (read(&asked.from), read(&asked.to));
        let (show, size) = (read(&asked.show), read(&asked.size));
        let view = pages::floor::View { show, size, table: read(&asked.table), own };
        pages::floor::page(at, &view)
    };
    /// Which results are missing.
    missing: Staff, |at, _asked| pages::missing::page(at);
    /// The last round, its draft for those who may see it.
    last_round: Anyone, |at, _asked| pages::round::page(at, None);
    /// The standings.
    standings: Anyone, |at, asked| {
        let search = asked.search.as_deref().unwrap_or_default();
        pages::standings::page(at, &asked.view(at)?, search, read(&asked.from).unwrap_or(0))
    };
    /// What happened.
    log: Published, |at, asked| {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        pages::log::page(at, &pages::log::View {
            before: read(&asked.before),
            search: text(&asked.search),
            kind: text(&asked.kind),
            person: text(&asked.person),
            player: text(&asked.player),
            table: read(&asked.table),
            round: read(&asked.round),
            changed: asked.changed.is_some(),
            aside: at.aside.clone(),
        })
    };
    /// What others check it by.
    audit: Published, |at, _asked| pages::audit::page(at);
    /// The bracket, once its rounds are out.
    bracket: Anyone, |at, _asked| pages::bracket::page(at);
    /// The disputes.
    disputes: Looking, |at, _asked| pages::disputes::list(at);
    /// What other rules would change.
    compare: Looking, |at, asked| pages::compare::page(at, asked.rules.as_deref());
    /// How it came about, round by round.
    replay: Drafts, |at, asked| {
        let (round, event) = (read(&asked.round), read(&asked.event));
        let view = pages::replay::View { round, event, player: read(&asked.player) };
        pages::replay::page(at, &view)
    };
    /// Every player and every round.
    cross: Drafts, |at, _asked| pages::cross::page(at);
    /// The places of everybody, round by round.
    places: Drafts, |at, _asked| pages::places::page(at);
    /// Who moves by the order that was posted last, or by the last correction.
    last_moved: Drafts, |at, _asked| pages::moved::page(at, at.said.done);
    /// What a change would do.
    what_if: Drafts, |at, asked| {
        let (round, slip, drop) = (read(&asked.round), read(&asked.slip), read(&asked.drop));
        pages::what_if::page(at, &pages::what_if::Trial { round, slip, drop })
    };
    /// What is shown to everybody.
    policies: Owner, |at, _asked| pages::policies::page(at);
    /// The formats in which it can be given away.
    export: HeadJudge, |at, _asked| pages::export::page(at);
    /// The ruleset in force.
    rules: Anyone, |at, _asked| pages::rules::page(at);
    /// The link of a screen of its own.
    screen_link: Drafts, |at, _asked| pages::screen::link_page(at);
}

/// What a projector shows, where somebody of the staff is signed in.
pub async fn screen(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
    who: Who,
    reader: Reader,
) -> Response {
    let shared = Arc::clone(&state);
    page(state, who, reader, id, asked, Need::Staff, move |at, asked| {
        // The room looks at it, and it says of no laptop that what it knows gets old.
        shared.second.leads_on(Role::Public)?;
        pages::screen::page(at, &asked.screen())
    })
    .await
}

/// The screen by a link of its own: what the desk says to show, and nothing to act with.
pub async fn projector(
    Shared(state): Shared<Arc<State>>,
    Path((id, code)): Path<(String, String)>,
    Query(asked): Query<Asked>,
    who: Who,
    reader: Reader,
) -> Response {
    let shared = Arc::clone(&state);
    page(state, who, reader, id, asked, Need::Screen, move |at, asked| {
        if !shared.house.is_screen(at.stream, &code) {
            shared.second.is_the_rooms()?;
            let hint = "the desk has the one that holds: its page leads to it beside \"Screen\"";
            let code = scrutineer_engine::error::Code::forbidden("not-allowed");
            return Err(VerbError::new(
                code,
                "this is no link of a screen, or another one was made",
                hint,
            ));
        }
        // What is shown the desk says; whether standings are those of divisions its address does too.
        pages::screen::page(at, &pages::screen::Show { show: None, ..asked.screen() })
    })
    .await
}

/// Makes the link of a screen; one that was there ends.
pub async fn new_screen_link(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
    posted: Posted,
) -> Response {
    let fields = match fields_for(Need::Drafts, &who, posted) {
        Ok(fields) => fields,
        Err(refusal) => return refusal.into_response(),
    };
    let back = back_of(&fields, &format!("/t/{}/screen-link", encoded(&id)));
    let shared = Arc::clone(&state);
    let another = WantedScreenLink { another: true };
    let made = state.read(move |store| screens_api::make(&shared, store, &who, &id, another));
    match made.await {
        Ok(_) => see(back),
        Err(error) => refused_at(&back, &error.into(), vec![]),
    }
}

/// Where a tournament is for whoever asks: a browser is led to its page, a program to what it reads.
pub async fn tournament(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
    headers: HeaderMap,
) -> Response {
    let found = state.read(move |store| {
        let stream = find(store, &id)?;
        let state = state_of(store, stream)?;
        // While a round is played everybody looks for their table.
        let is_played = open_round(&state).is_some_and(|open| is_out(&state, open));
        Ok((stream, store.followed(stream)?.is_some(), is_played))
    });
    match found.await {
        Ok((stream, is_copy, is_played)) if wants_page(&headers) => {
            // Nobody has anything to do at the desk of a copy.
            let is_at_desk = Need::Staff.admits(who.role_in(stream)) && !is_copy;
            let page = match is_played {
                _ if is_at_desk => "desk",
                true => "round",
                false => "standings",
            };
            see(format!("/t/{}/{page}", scrutineer_replay::loaded::short_id(stream)))
        }
        Ok((stream, ..)) => see(format!("/api/v1/tournaments/{stream}")),
        Err(error) if wants_page(&headers) => refusal_page(&error.into(), Language::English),
        Err(error) => Refusal::from(error).into_response(),
    }
}

/// What lies over a stream. Whoever is signed in sees there what everybody does.
pub async fn overlay(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
    who: Who,
    reader: Reader,
) -> Response {
    let nobody = Who::nobody(who.address);
    page(state, nobody, reader, id, asked, Need::Anyone, |at, asked| {
        pages::overlay::page(at, asked.show.as_deref())
    })
    .await
}

/// The players, with who has a phone.
pub async fn players(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
    who: Who,
    reader: Reader,
) -> Response {
    let shared = Arc::clone(&state);
    page(state, who, reader, id, asked, Need::Staff, move |at, asked| {
        let (player, show) = (read(&asked.player), read(&asked.show));
        let (name, like) = (read(&asked.name), read(&asked.like));
        let lists = [&asked.people, &asked.csv].map(|list| list.clone().unwrap_or_default());
        let search = asked.search.clone().unwrap_or_default();
        let view = pages::players::View { player, show, search, name, like, lists };
        pages::players::page(at, &view, &shared.house.player_links(at.stream))
    })
    .await
}

/// A round.
pub async fn round(
    Shared(state): Shared<Arc<State>>,
    Path((id, number)): Path<(String, u16)>,
    Query(asked): Query<Asked>,
    who: Who,
    reader: Reader,
) -> Response {
    page(state, who, reader, id, asked, Need::Anyone, move |at, _| {
        if !at.sees_drafts() {
            crate::api::check_out(at.store, at.stream, Some(number))?;
        }
        pages::round::page(at, Some(number))
    })
    .await
}

/// Why a player stands where they stand.
pub async fn why(
    Shared(state): Shared<Arc<State>>,
    Path((id, player)): Path<(String, String)>,
    Query(asked): Query<Asked>,
    who: Who,
    reader: Reader,
) -> Response {
    page(state, who, reader, id, asked, Need::Anyone, move |at, asked| {
        let against = asked.against.as_deref().filter(|name| !name.is_empty());
        pages::why::page(at, &player, against, &asked.view(at)?)
    })
    .await
}

/// The places of a player, round by round.
pub async fn places_of(
    Shared(state): Shared<Arc<State>>,
    Path((id, player)): Path<(String, String)>,
    Query(asked): Query<Asked>,
    who: Who,
    reader: Reader,
) -> Response {
    page(state, who, reader, id, asked, Need::Drafts, move |at, _| {
        pages::places::page_of(at, &player)
    })
    .await
}

/// Who moves by an event.
pub async fn moved(
    Shared(state): Shared<Arc<State>>,
    Path((id, seq)): Path<(String, u64)>,
    Query(asked): Query<Asked>,
    who: Who,
    reader: Reader,
) -> Response {
    page(state, who, reader, id, asked, Need::Drafts, move |at, _| {
        pages::moved::page(at, Some(seq))
    })
    .await
}

/// A dispute with all that belongs to it.
pub async fn dispute(
    Shared(state): Shared<Arc<State>>,
    Path((id, number)): Path<(String, u32)>,
    Query(asked): Query<Asked>,
    who: Who,
    reader: Reader,
) -> Response {
    page(state, who, reader, id, asked, Need::Drafts, move |at, _| {
        pages::disputes::file(at, number)
    })
    .await
}

/// Something to print.
pub async fn print(
    Shared(state): Shared<Arc<State>>,
    Path((id, what)): Path<(String, String)>,
    Query(asked): Query<Asked>,
    who: Who,
    reader: Reader,
) -> Response {
    page(state, who, reader, id, asked, Need::Drafts, move |at, asked| {
        let (dispute, per_sheet) = (read(&asked.dispute), read(&asked.per));
        let (division, by_division) = (read(&asked.division), asked.is_by_division());
        let (prizes, round) = (read(&asked.prizes), read(&asked.round));
        let wanted =
            pages::print::Wanted { dispute, per_sheet, division, by_division, prizes, round };
        pages::print::page(at, &what, wanted)
    })
    .await
}

/// Who played here before under a name that begins like this.
pub async fn known(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
    posted: Posted,
) -> Response {
    let typed = fields_for(Need::Staff, &who, posted).and_then(|fields| {
        let missing = || bad_request("`name` is how a name begins").into();
        field(&fields, "name").map(str::to_string).ok_or_else(missing)
    });
    let typed = match typed {
        Ok(typed) => typed,
        Err(refusal) => return refusal.into_response(),
    };
    let shared = Arc::clone(&state);
    let made = state.read(move |store| {
        let stream = find(store, &id)?;
        who.check_in(Need::Staff, stream)?;
        let (asker, role) = (who.asker(&shared), who.role_in(stream));
        let (form_key, said) = (String::new(), Said::default());
        let looked = Looked {
            store,
            stream,
            asker: &asker,
            role,
            lowered_from: None,
            base: "",
            signer: who.signer(),
            form_key,
            awaited: None,
            floor: Default::default(),
            said,
            language: crate::language::Language::English,
            is_chosen: false,
            printed: String::new(),
            aside: None,
            origin: String::new(),
            policy: Default::default(),
            pairings: None,
            hidden: None,
            public_head: None,
            prepared: None,
            other_program: None,
            second: None,
            stands: String::new(),
            given_up: Vec::new(),
            publisher: None,
            editions: Arc::default(),
            own_role: Role::Public,
            copied: None,
            screen: None,
        };
        pages::players::known_json(&looked, &typed)
    });
    match made.await {
        Ok(json) => axum::Json(json).into_response(),
        Err(error) => Refusal::from(error).into_response(),
    }
}

/// The tournaments of the store.
pub async fn tournaments(Shared(state): Shared<Arc<State>>, who: Who, reader: Reader) -> Response {
    let language = reader.language(who.role);
    let shared = Arc::clone(&state);
    let page = state.read(move |store| {
        shared.second.leads_on(who.role)?;
        let second = shared.second.line(None);
        pages::tournaments::page(store, &shared.horizons, &reader, &who, second)
    });
    shown(page.await, language, None)
}

/// Where a tournament is opened.
pub async fn new(
    Shared(state): Shared<Arc<State>>,
    Query(asked): Query<Asked>,
    who: Who,
) -> Response {
    let made = state.read(move |store| {
        who.check(Need::Owner)?;
        let key = new_key()?;
        pages::tournaments::new_page(store, &key, asked.like.as_deref(), &asked.told(), None)
    });
    shown(made.await, Language::English, None)
}

/// A style, script or picture, under a name with its hash.
pub async fn asset(Path(file): Path<String>, headers: HeaderMap) -> Response {
    if let Some(icon) = pages::icons::find(&format!("/s/{file}")) {
        let kinds = [(header::CONTENT_TYPE, "image/png"), (header::CACHE_CONTROL, FOR_GOOD)];
        return (kinds, icon).into_response();
    }
    let Some(found) = pages::assets::find(&format!("/s/{file}")) else {
        let code = scrutineer_engine::error::Code::not_found("no-such-page");
        let error = VerbError::new(code, format!("there is nothing at /s/{file}"), "begin at /");
        return Refusal::from(error).into_response();
    };
    let year = HeaderValue::from_static(FOR_GOOD);
    let kind = HeaderValue::from_static(found.mime);
    let varies = HeaderValue::from_static("accept-encoding");
    let kinds =
        [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, year), (header::VARY, varies)];
    match takes_gzip(&headers) {
        true => {
            let packed = [(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"))];
            (StatusCode::OK, kinds, packed, found.packed.clone()).into_response()
        }
        false => (StatusCode::OK, kinds, found.plain.clone()).into_response(),
    }
}

/// What a code of a refusal means: as a page, and for programs as data.
pub async fn problem(Path(code): Path<String>, headers: HeaderMap) -> Response {
    let wants_json = crate::posted::wants_json(&headers);
    let Some(found) = crate::problems::find(&code) else {
        let word = scrutineer_engine::error::Code::not_found("no-such-page");
        let refusal: Refusal =
            VerbError::new(word, format!("there is no code {code:?}"), "begin at /").into();
        return if wants_json {
            refusal.into_response()
        } else {
            refusal_page(&refusal, Language::English)
        };
    };
    match wants_json {
        true => axum::Json(found).into_response(),
        false => shown(pages::problem::page(found), Language::English, None),
    }
}

/// The description for programs.
pub async fn openapi() -> Response {
    let kind = HeaderValue::from_static("application/json");
    let caching = HeaderValue::from_static("public, max-age=300");
    // A test holds it to the routes, the types and the codes; it lies packed in the program.
    static TEXT: LazyLock<Bytes> = LazyLock::new(|| {
        let packed = include_bytes!(concat!(env!("OUT_DIR"), "/openapi.json.gz"));
        let mut text = Vec::new();
        // What the program itself holds can be unpacked.
        let _ = flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut text);
        text.into()
    });
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, caching)], TEXT.clone()).into_response()
}
