//! Files of other programs that come in: sent, looked at, and stored, on pages and for programs.

use crate::follow::witness::is_fork;
use crate::gate::Need;
use crate::join::refusal_page;
use crate::language::Language;
use crate::looked_files::{Seen, View, look, store, store_bundle};
use crate::once::header_of;
use crate::pages::import as pages;
use crate::posted::{Fields, Posted, field, fields_of, see};
use crate::problem::{Refusal, bad_request};
use crate::query::flag;
use crate::reader::Reader;
use crate::state::State;
use crate::upload_form as form;
use crate::uploads::{Sent, Upload, together};
use crate::who::Who;
use axum::body::Body;
use axum::extract::{Path, Query, State as Shared};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use scrutineer_desk::answers::{ImportAnswer, TournamentName};
use scrutineer_desk::incoming::{Checked, Understood};
use scrutineer_desk::store::{Added, Store, TournamentSummary};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_formats::{Preview, SheetKind, is_bundle};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// The query that takes a chosen language along.
fn lang(reader: &Reader) -> String {
    reader.asked().map_or(String::new(), |chosen| format!("?lang={}", chosen.tag()))
}

fn shown(page: Result<String, VerbError>, language: Language) -> Response {
    match page {
        Ok(page) => Html(page).into_response(),
        Err(error) => refusal_page(&error.into(), language),
    }
}

/// The page on which files are chosen.
pub async fn page(who: Who, reader: Reader) -> Response {
    let language = reader.language(who.role);
    let allowed = who.check_of_store(Need::HeadJudge);
    shown(allowed.and_then(|()| pages::choose(language, &lang(&reader), None)), language)
}

/// Takes the files of a form, holds them, and leads to what is seen of them.
pub async fn send(
    Shared(state): Shared<Arc<State>>,
    who: Who,
    reader: Reader,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let language = reader.language(who.role);
    if let Err(error) = who.check_of_store(Need::HeadJudge) {
        return Refusal::from(error).into_response();
    }
    let sent = async {
        let kind = header_of(&headers, "content-type").unwrap_or_default().to_string();
        let body = state.uploads.read(&headers, body).await?;
        let read = move |_: &State| {
            let form = form::read(&kind, &body)?;
            Ok((form.fields, together(form.files)?))
        };
        let (fields, files) = state.beside(read).await?;
        let upload = state.uploads.hold(&who.principal, files)?;
        Ok((upload, field(&fields, "rules").map(str::to_string)))
    };
    match sent.await {
        Ok((upload, rules)) => {
            let rules = rules.map(|rules| ("rules", rules));
            let lang = reader.asked().map(|chosen| ("lang", chosen.tag().to_string()));
            let said: Vec<(&str, String)> = rules.into_iter().chain(lang).collect();
            see(crate::posted::with_query(&format!("/import/{}", upload.id), &said))
        }
        Err(error) => chosen_again(error, language, &reader),
    }
}

/// The form once more with why its files were not taken.
fn chosen_again(error: VerbError, language: Language, reader: &Reader) -> Response {
    match pages::choose(language, &lang(reader), Some(&error)) {
        Ok(page) => {
            let mut response = Refusal::from(error).into_response();
            *response.body_mut() = page.into();
            let html = HeaderValue::from_static("text/html; charset=utf-8");
            response.headers_mut().insert(header::CONTENT_TYPE, html);
            response.extensions_mut().clear();
            response
        }
        Err(error) => Refusal::from(error).into_response(),
    }
}

/// As [`look`]; that a log was rewritten is said on its tournament's pages.
fn looked(
    state: &State,
    store: &Store,
    known: &[TournamentSummary],
    sent: &Sent,
    view: &View,
    compares: bool,
) -> Seen {
    let seen = look(store, &state.setup.asker.keys, known, sent, view, compares);
    if seen.refused.as_ref().is_some_and(|error| is_fork(error.code)) {
        state.changed_all();
    }
    seen
}

fn file_of(upload: &Upload, at: usize) -> Result<Sent, VerbError> {
    let file = upload.files.get(at).cloned();
    file.ok_or_else(|| bad_request(format!("file: the upload has {} files", upload.files.len())))
}

/// Shows what is seen of an upload: of one file all, of several a line each.
pub async fn preview(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    Query(fields): Query<Fields>,
    who: Who,
    reader: Reader,
) -> Response {
    let language = reader.language(who.role);
    let lang = lang(&reader);
    let made = async {
        who.check_of_store(Need::HeadJudge)?;
        let upload = state.uploads.find(&who.principal, &id)?;
        let is_one = upload.files.len() == 1 || field(&fields, "file").is_some();
        let view = View { is_alone: is_one, ..View::of(&fields) };
        let shared = Arc::clone(&state);
        let read = move |store: &_| match is_one {
            true => {
                let sent = file_of(&upload, view.file)?;
                let seen = looked(&shared, store, &store.events()?, &sent, &view, true);
                let title = |stream| Ok(store.summary(stream)?.title);
                pages::file(language, &lang, &upload, &view, seen, title)
            }
            false => {
                let known = store.events()?;
                let each = upload.files.iter().enumerate();
                let rows = each.map(|(at, sent)| {
                    let view = View { file: at, ..view.clone() };
                    (sent.name.clone(), looked(&shared, store, &known, sent, &view, false))
                });
                pages::files(language, &lang, &upload, &view, rows.collect())
            }
        };
        state.read_long(read).await
    };
    shown(made.await, language)
}

/// Stores a file of an upload, or all of them that can be.
pub async fn keep(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
    reader: Reader,
    posted: Posted,
) -> Response {
    let done = async {
        who.check_of_store(Need::HeadJudge)?;
        let fields = fields_of(posted)?;
        let upload = state.uploads.find(&who.principal, &id)?;
        let is_one = upload.files.len() == 1 || field(&fields, "file").is_some();
        let view = View { is_alone: is_one, ..View::of(&fields) };
        file_of(&upload, view.file)?;
        let range = if is_one { view.file..view.file + 1 } else { 0..upload.files.len() };
        for at in range {
            let view = View { file: at, ..view.clone() };
            let sent = file_of(&upload, at)?;
            let stored = match is_bundle(&sent.bytes) {
                true => store_bundle(&state, &who, sent).await,
                false => store(&state, &who, sent, view).await.map(|(added, _)| added),
            };
            match stored {
                Ok(added) => upload.became(at, Ok(added)),
                // One that cannot be stored does not stop the others; its line says why.
                Err(error) if is_one => return Err(error),
                Err(error) => upload.became(at, Err(error)),
            }
        }
        Ok((is_one, view))
    };
    match done.await {
        Ok((is_one, view)) => {
            let lang = reader.asked().map(|chosen| ("lang", chosen.tag().to_string()));
            let file = is_one.then(|| ("file", view.file.to_string()));
            let rules = view.rules.map(|rules| ("rules", rules));
            let columns = view.columns.filter(|_| is_one).map(|columns| ("columns", columns));
            let said = [file, rules, columns, lang].into_iter().flatten();
            let said: Vec<(&str, String)> = said.collect();
            see(crate::posted::with_query(&format!("/import/{id}"), &said))
        }
        Err(error) => Refusal::from(error).into_response(),
    }
}

/// What stands in the query of a program's import.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Wanted {
    name: Option<String>,
    rules: Option<String>,
    columns: Option<String>,
    #[serde(rename = "dry-run", deserialize_with = "flag")]
    dry_run: bool,
}

/// What became of a file, or would become of it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ImportDone {
    /// `new`: a tournament of its own; `renewed`: a tournament that was there is brought up to date; `known`:
    /// the store has all of it already; `asks`: only a person can tell which column holds something.
    pub what: &'static str,
    /// Whether it is in the store now.
    pub stored: bool,
    /// Which tournament; its id is null where it is in no store.
    pub tournament: TournamentName,
    /// How the file was understood.
    pub read: ImportAnswer,
    /// What its columns are taken for; null where it is no sheet.
    pub sheet: Option<SheetSeen>,
}

/// A sheet before it is read.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SheetSeen {
    /// What it is: `roster`, `matches` or `standings`.
    pub kind: &'static str,
    /// The sheet's name in its workbook.
    pub sheet: Option<String>,
    /// Its columns, in order.
    pub columns: Vec<SheetColumn>,
    /// The first rows below the columns' names.
    pub rows: Vec<Vec<String>>,
    /// What only a person can tell, and says with `columns`; null where nothing is to be told.
    pub question: Option<SheetQuestion>,
}

/// A column of a sheet.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SheetColumn {
    /// Its number, from 1.
    pub number: usize,
    /// Its name in the sheet.
    pub name: String,
    /// The word of what it holds, such as `player_a`; null where it is not read.
    pub holds: Option<&'static str>,
}

/// Something that nobody but a person can tell.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SheetQuestion {
    /// The word of what is looked for, such as `player_b`.
    pub word: &'static str,
    /// The columns that may hold it, from 1.
    pub candidates: Vec<usize>,
}

impl From<Preview> for SheetSeen {
    fn from(preview: Preview) -> SheetSeen {
        let column = |one: scrutineer_formats::PreviewColumn| SheetColumn {
            number: one.number,
            name: one.name,
            holds: one.role,
        };
        SheetSeen {
            kind: match preview.kind {
                SheetKind::Roster => "roster",
                SheetKind::Matches => "matches",
                SheetKind::Standings => "standings",
            },
            sheet: preview.sheet,
            columns: preview.columns.into_iter().map(column).collect(),
            rows: preview.rows,
            question: preview
                .question
                .map(|one| SheetQuestion { word: one.role, candidates: one.candidates }),
        }
    }
}

fn done(file: &str, stored: bool, added: Added, seen: Seen) -> ImportDone {
    let understood = seen.understood.unwrap_or_default();
    let (what, id, renewed) = match added {
        Added::New(stream) => ("new", stored.then_some(stream), Vec::new()),
        Added::Known(stream) => ("known", Some(stream), Vec::new()),
        Added::Renewed(stream, told) => ("renewed", Some(stream), told),
    };
    let title = Some(understood.title.clone());
    let checked = seen.checked.and_then(Result::ok);
    ImportDone {
        what,
        stored: stored || what == "known",
        tournament: TournamentName { id: id.map(|id| id.to_string()), title },
        read: understood.answer(file.into(), checked.as_ref(), renewed, None),
        sheet: seen.sheet.map(Into::into),
    }
}

/// The answer where a sheet has a question.
fn asks(file: &str, sheet: Preview, error: &VerbError) -> ImportDone {
    let nothing = Understood::default();
    ImportDone {
        what: "asks",
        stored: false,
        tournament: TournamentName { id: None, title: None },
        read: nothing.answer(file.into(), None::<&Checked>, Vec::new(), Some(error.problem())),
        sheet: Some(sheet.into()),
    }
}

/// Stores a file that a program sends, or says what would become of it.
///
/// # Errors
/// Why it is not stored: then nothing of it is.
pub async fn import(
    Shared(state): Shared<Arc<State>>,
    Query(wanted): Query<Wanted>,
    who: Who,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Refusal> {
    who.check_of_store(Need::HeadJudge)?;
    let name = wanted.name.filter(|name| !name.trim().is_empty());
    let name = name.ok_or_else(|| {
        bad_request("name: what is the file called? A sheet without a title is known by it")
    })?;
    let is_dry = wanted.dry_run;
    let rules = wanted.rules.filter(|rules| !rules.is_empty());
    let columns = wanted.columns.filter(|columns| !columns.is_empty());
    let view = View { rules, columns, ..View::default() };
    let bytes = state.uploads.read(&headers, body).await?;
    let sent = Sent { name: name.clone(), bytes };
    let (again, looked_at) = (sent.clone(), view.clone());
    let shared = Arc::clone(&state);
    let looking = state.read_long(move |store| {
        Ok(looked(&shared, store, &store.events()?, &again, &looked_at, true))
    });
    let mut seen = looking.await?;
    if let Some(error) = seen.refused.take() {
        return match seen.sheet.take().filter(|sheet| is_dry && sheet.question.is_some()) {
            Some(sheet) => Ok(answered(StatusCode::OK, asks(&name, sheet, &error))),
            None => Err(error.into()),
        };
    }
    let added = match (is_dry, seen.would.take()) {
        (true, Some(would)) => would,
        _ => store(&state, &who, sent, view).await?.0,
    };
    let status = match (&added, is_dry) {
        (Added::New(_) | Added::Renewed(..), false) => StatusCode::CREATED,
        _ => StatusCode::OK,
    };
    let done = done(&name, !is_dry, added, seen);
    let place = done.tournament.id.as_ref().filter(|_| status == StatusCode::CREATED);
    let place = place.map(|id| format!("/api/v1/tournaments/{id}"));
    let mut response = answered(status, done);
    if let Some(place) = place.and_then(|place| HeaderValue::from_str(&place).ok()) {
        response.headers_mut().insert(header::LOCATION, place);
    }
    Ok(response)
}

fn answered(status: StatusCode, done: ImportDone) -> Response {
    let no_store = [(header::CACHE_CONTROL, "no-store")];
    (status, no_store, axum::Json(done)).into_response()
}
