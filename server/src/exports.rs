//! A tournament as a file of another program, on its page and for programs.

use crate::gate::Need;
use crate::once::header_of;
use crate::orders_api::find;
use crate::posted::{field, refused_at};
use crate::problem::Refusal;
use crate::query::{encoded, flag};
use crate::reading::{Asking, read_in};
use crate::state::State;
use crate::upload_form as form;
use crate::uploads::Sent;
use crate::who::Who;
use axum::body::Body;
use axum::extract::{Path, Query, State as Shared};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use scrutineer_desk::answers::{Problem, TournamentName};
use scrutineer_desk::looking::Table;
use scrutineer_desk::outgoing::{file_name, format_called, given, word, writes, written};
use scrutineer_desk::rehearsal::now;
use scrutineer_desk::store::{Export, Store};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::record::StreamId;
use scrutineer_formats::File;
use scrutineer_projections::standings::Standings;
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::sheets;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// What spreadsheet programs open, beside the formats of other programs: a workbook, and two sheets.
pub const SHEETS: [&str; 3] = [WORKBOOK, "standings", "matches"];
/// The workbook among them.
const WORKBOOK: &str = "workbook";
/// What a workbook is called where its bytes are sent.
pub(crate) const WORKBOOK_KIND: &str =
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
/// What a sheet is called there.
const CSV_KIND: &str = "text/csv; charset=utf-8";

/// The formats in which a tournament can be given away.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Exports {
    /// Each of them.
    pub formats: Vec<ExportFormat>,
    /// Which tournament.
    pub tournament: TournamentName,
}

/// A format, and what it would not hold of this tournament.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ExportFormat {
    /// The word by which it is asked for.
    pub format: &'static str,
    /// What it is called.
    pub name: &'static str,
    /// How the names of its files end.
    pub ending: &'static str,
    /// Whether it can be written into a file that its program has of this tournament.
    pub into: bool,
    /// Whether it is written into such a file and not otherwise.
    pub needs_file: bool,
    /// What of the tournament is not in it, a sentence each.
    pub left_out: Vec<String>,
    /// Why it cannot be written; null where it can.
    pub refused: Option<Problem>,
}

/// Says of each format what it would not hold.
pub fn formats(event: &LoadedTournament, standings: &Standings) -> Vec<ExportFormat> {
    let sheet = |format: &'static str| {
        let is_book = format == WORKBOOK;
        let tried = match is_book {
            true => sheets::workbook(event, standings).map(|(_, left_out)| left_out),
            false => Ok(Vec::new()),
        };
        let (left_out, refused) = match tried.map_err(VerbError::from) {
            Ok(left_out) => (left_out, None),
            Err(error) => (Vec::new(), Some(error.problem())),
        };
        let ending = if is_book { "xlsx" } else { "csv" };
        let (into, needs_file, name) = (false, false, format);
        ExportFormat { format, name, ending, into, needs_file, left_out, refused }
    };
    let other = |format: &'static dyn scrutineer_formats::Format| {
        let tried = written(event, standings, format, None);
        let needs_file = tried.as_ref().is_err_and(|error| error.code.word == "needs-its-file");
        let (left_out, refused) = match tried {
            Ok(written) => (written.left_out, None),
            Err(_) if needs_file => (Vec::new(), None),
            Err(error) => (Vec::new(), Some(error.problem())),
        };
        let into = format.writes_into();
        let (name, ending, format) = (format.name(), format.ending(), word(format));
        ExportFormat { format, name, ending, into, needs_file, left_out, refused }
    };
    SHEETS.into_iter().map(sheet).chain(writes().into_iter().map(other)).collect()
}

/// A file that goes out.
pub(crate) struct Out {
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) bytes: Vec<u8>,
}

/// Writes a tournament in a format, and notes where names left the store.
fn write(
    store: &Store,
    stream: StreamId,
    format: &str,
    names: bool,
    into: Option<&Sent>,
) -> Result<Out, VerbError> {
    let is_sheet = SHEETS.contains(&format);
    let other = match is_sheet {
        true => None,
        false => Some(format_called(format).map_err(|error| {
            let all = SHEETS.into_iter().chain(writes().into_iter().map(word));
            let all = all.collect::<Vec<_>>().join(", ");
            let message = format!("no format {format:?} is written; expected one of {all}");
            VerbError { message, ..error }
        })?),
    };
    let (event, standings) = given(store, stream, names)?;
    let title = store.summary(stream)?.title;
    let out = match other {
        None if format == WORKBOOK => {
            let (bytes, _) = sheets::workbook(&event, &standings).map_err(VerbError::from)?;
            Out { name: file_name(&title, stream, None, "xlsx"), kind: WORKBOOK_KIND, bytes }
        }
        None => {
            let bytes = match format == "standings" {
                true => sheets::standings(&event, &standings).csv(),
                false => sheets::matches(&event).csv(),
            };
            let name = file_name(&title, stream, Some(format), "csv");
            Out { name, kind: CSV_KIND, bytes }
        }
        Some(other) => {
            let before = into.map(|sent| File::new(&sent.name, &sent.bytes));
            let text = written(&event, &standings, other, before.as_ref())?.text;
            let name = file_name(&title, stream, None, other.ending());
            Out { name, kind: "application/octet-stream", bytes: text.into_bytes() }
        }
    };
    if names {
        note_names(store, stream, if is_sheet { "sheets" } else { "report" }, &out.name)?;
    }
    Ok(out)
}

/// Notes that names left the store in a file that somebody downloads.
///
/// # Errors
/// Where it cannot be noted.
pub(crate) fn note_names(
    store: &Store,
    stream: StreamId,
    what: &str,
    name: &str,
) -> Result<(), VerbError> {
    let (stream, what, player) = (Some(stream), what.to_string(), None);
    let path = Some(format!("downloaded as {name}"));
    Ok(store.note_export(&Export { time: now(), stream, what, path, names: true, player })?)
}

/// Gives the standings as everybody sees them, for spreadsheet programs.
///
/// # Errors
/// Where records are not for everybody, or there are no standings.
pub async fn public_standings(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
) -> Result<Response, Refusal> {
    let (shared, nobody) = (Arc::clone(&state), Who::nobody(who.address));
    let made = state.read_long(move |store| {
        read_in(&shared, store, &nobody, &id, Need::Published, |at| {
            at.check_records()?;
            let Table { event, standings, .. } = at.table(&Asking::default())?;
            let bytes = sheets::standings(&event, &standings).csv();
            let name = file_name(&event.title(), at.stream, Some("standings"), "csv");
            Ok(Out { name, kind: CSV_KIND, bytes })
        })
    });
    Ok(download(made.await?))
}

/// Answers with a file, which no cache keeps.
pub(crate) fn download(out: Out) -> Response {
    let saved = format!("attachment; filename=\"{}\"", out.name);
    let headers = [
        (header::CONTENT_TYPE, out.kind.to_string()),
        (header::CONTENT_DISPOSITION, saved),
        (header::CACHE_CONTROL, "no-store".to_string()),
    ];
    (headers, out.bytes).into_response()
}

async fn written_for(
    state: &Arc<State>,
    who: Who,
    id: String,
    format: String,
    names: bool,
    into: Option<Sent>,
) -> Result<Response, Refusal> {
    let done = state.read_long(move |store| {
        let stream = find(store, &id)?;
        who.check_in(Need::HeadJudge, stream)?;
        write(store, stream, &format, names, into.as_ref())
    });
    Ok(download(done.await?))
}

/// Gives the file that a page asks for.
pub async fn form(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
    headers: HeaderMap,
    body: Body,
) -> Response {
    if let Err(error) = who.check(Need::HeadJudge) {
        return Refusal::from(error).into_response();
    }
    let back = format!("/t/{}/export", encoded(&id));
    let done = async {
        let kind = header_of(&headers, "content-type").unwrap_or_default().to_string();
        let body = state.uploads.read(&headers, body).await?;
        let form = state.beside(move |_| form::read(&kind, &body)).await?;
        let format = field(&form.fields, "format").unwrap_or_default().to_string();
        let names = field(&form.fields, "names").is_some();
        // A file that was chosen for another format is none for this one.
        let into = form
            .files
            .into_iter()
            .next()
            .filter(|_| format_called(&format).is_ok_and(|format| format.writes_into()));
        written_for(&state, who, id, format, names, into).await
    };
    match done.await {
        Ok(response) => response,
        Err(refusal) => refused_at(&back, &refusal, Vec::new()),
    }
}

/// Lists the formats with what each would not hold.
///
/// # Errors
/// Where the tournament cannot be read, or has no standings.
pub async fn list(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
) -> Result<Response, Refusal> {
    who.check(Need::HeadJudge)?;
    let read = state.read_long(move |store| {
        let stream = find(store, &id)?;
        who.check_in(Need::HeadJudge, stream)?;
        let (event, standings) = given(store, stream, true)?;
        Ok(Exports { formats: formats(&event, &standings), tournament: (&event).into() })
    });
    let no_store = [(header::CACHE_CONTROL, "no-store")];
    Ok((no_store, axum::Json(read.await?)).into_response())
}

/// What stands in the query of a program's export.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Wanted {
    #[serde(deserialize_with = "flag")]
    names: bool,
}

/// Gives the file that a program asks for, written into the one that it sends, where it sends one.
///
/// # Errors
/// Why the format cannot hold the tournament.
pub async fn export(
    Shared(state): Shared<Arc<State>>,
    Path((id, format)): Path<(String, String)>,
    Query(Wanted { names }): Query<Wanted>,
    who: Who,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Refusal> {
    who.check(Need::HeadJudge)?;
    let bytes = state.uploads.read(&headers, body).await?;
    let into = Some(Sent { name: "the file".into(), bytes }).filter(|sent| !sent.bytes.is_empty());
    written_for(&state, who, id, format, names, into).await
}
