//! Who is told what, and when: of a round once it is out, those who sit in it; of a ruling the two of its match.
//! It is told once, tried a little, and never late: whoever opens the page sees it anyway.

use super::sealed::sealed;
use crate::elsewhere::Elsewhere;
use crate::house::{PhoneAddress, Signer, now};
use crate::language::Language;
use crate::live::{is_out, state_of};
use crate::pages::round_called;
use crate::state::State;
use crate::webhooks::PATIENCE;
use axum::http::Uri;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use futures_util::{StreamExt, stream};
use scrutineer_desk::desk::match_of_player;
use scrutineer_desk::store::{Store, StoreError};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::{PlayerNumber, Seq};
use scrutineer_engine::record::StreamId;
use scrutineer_engine::tournament::Tournament;
use scrutineer_replay::loaded::short_id;
use serde_json::json;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::time::timeout;

/// How soon something is told.
const SOON: Duration = Duration::from_millis(500);
/// How many phones are told at a time.
const AT_ONCE: usize = 8;
/// How long is waited before a second and a third try.
const PAUSES: [Duration; 2] = [Duration::from_secs(3), Duration::from_secs(20)];
/// How long a service keeps a notice for a phone that is off, in seconds: a round is not much longer.
const GOOD_FOR: u64 = 30 * 60;

/// Tells phones until the server stops.
pub async fn run(state: Arc<State>) {
    let mut stopping = state.stopping.clone();
    let line = Elsewhere::guarded(state.setup.webhooks_to.as_deref().unwrap_or_default());
    let mut seen: HashMap<StreamId, u64> = HashMap::new();
    loop {
        for stream in state.house.told_tournaments() {
            let changes = state.changes(Some(stream)).load(Ordering::Acquire);
            // Another server may tell them.
            let tells = state.second.is_desk() && state.does_for_all();
            if !tells || seen.insert(stream, changes) == Some(changes) {
                continue;
            }
            let shared = Arc::clone(&state);
            // What cannot be read now is told with what changes next.
            let found = state.read(move |store| news(&shared, store, stream)).await;
            let told = found.unwrap_or_default();
            if !told.is_empty() {
                tokio::spawn(tell(Arc::clone(&state), line.clone(), stream, told));
            }
        }
        tokio::select! {
            () = tokio::time::sleep(SOON) => {}
            _ = stopping.wait_for(|stops| *stops) => return,
        }
    }
}

/// A notice to a phone.
struct Notice {
    player: PlayerNumber,
    to: PhoneAddress,
    /// What stands in it.
    text: String,
    /// What a later one takes the place of, as far as the service knows.
    topic: String,
}

/// What became known since phones were told last. That it is told is kept before anything is sent: what a kill
/// loses is not told twice.
fn news(state: &State, store: &Store, stream: StreamId) -> Result<Vec<Notice>, VerbError> {
    let phones = state.house.phones_told(stream);
    let head = store.log().head(stream).map_err(StoreError::from)?.seq;
    let told = state.house.phones_told_to(stream)?.unwrap_or(head);
    if phones.is_empty() || head <= told {
        return Ok(Vec::new());
    }
    let now = state_of(store, stream)?;
    let title = store.load(stream, false)?.title();
    let title = state.horizons.title(stream, title);
    state.house.keep_told_to(stream, head)?;
    let mut notices = Vec::new();
    for (player, to) in phones {
        let language = Language::of_tag(&to.language).unwrap_or(Language::English);
        let path = format!("/t/{}/me?player={player}", short_id(stream));
        let said = [
            ("round", seat_of(&now, player, told, language)),
            ("ruling", ruling_of(&now, player, told, language)),
        ];
        for (topic, said) in said {
            let Some(body) = said else { continue };
            let title = title.chars().take(200).collect::<String>();
            let text = json!({ "title": title, "body": body, "path": path, "tag": topic });
            let (text, to) = (text.to_string(), to.clone());
            notices.push(Notice { player, to, text, topic: topic.to_string() });
        }
    }
    Ok(notices)
}

/// Where a player sits in a round that came out since, as long as they play there.
fn seat_of(
    now: &Tournament,
    player: PlayerNumber,
    told: Seq,
    language: Language,
) -> Option<String> {
    let round = now.last_round().filter(|round| is_out(now, round))?;
    round.published.filter(|published| *published > told)?;
    let called = round_called(now, round.number, language);
    if let Some(found) = match_of_player(now, round.number, player) {
        let table = found.table().filter(|_| found.result().is_none())?;
        return Some(language.b("notice-seat", "round", called, "table", table));
    }
    let has_bye = now
        .byes()
        .any(|bye| bye.player == player && now.rounds()[bye.round as usize].number == round.number);
    has_bye.then(|| language.a("notice-bye", "round", called))
}

/// How a dispute of a player's match was decided since.
fn ruling_of(
    now: &Tournament,
    player: PlayerNumber,
    told: Seq,
    language: Language,
) -> Option<String> {
    let ruled = now.disputes().iter().filter(|one| !one.withdrawn).filter_map(|one| {
        let (seq, upheld) = one.ruled.filter(|(seq, _)| *seq > told)?;
        let found = now.match_at(one.pairing)?;
        let is_theirs = found.seats().iter().any(|seat| seat.player == player);
        is_theirs.then_some((seq, found.round().number, upheld))
    });
    let (_, round, upheld) = ruled.max()?;
    let key = if upheld { "notice-upheld" } else { "notice-rejected" };
    Some(language.a(key, "round", round_called(now, round, language)))
}

async fn tell(state: Arc<State>, line: Elsewhere, stream: StreamId, told: Vec<Notice>) {
    let Ok(key) = state.house.key_of_notices() else { return };
    let Ok(signer) = Signer::of(&key) else { return };
    let (state, line, signer) = (&state, &line, &signer);
    let each = stream::iter(told).for_each_concurrent(AT_ONCE, |notice| async move {
        let gone = deliver(&notice, line, signer).await;
        state.counted.delivery(gone.is_ok());
        if gone == Err(Gone::ForGood) {
            let player = notice.player;
            // It is asked again at the next notice where that cannot be kept.
            let _ = state.beside(move |state| state.house.end_telling(stream, player)).await;
        }
    });
    let mut stopping = state.stopping.clone();
    tokio::select! {
        () = each => {}
        _ = stopping.wait_for(|stops| *stops) => {}
    }
}

/// Why a notice did not arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gone {
    /// The service says that nobody is there any more.
    ForGood,
    /// It does not take this one.
    ThisTime,
}

async fn deliver(notice: &Notice, line: &Elsewhere, signer: &Signer) -> Result<(), Gone> {
    let to = notice.to.endpoint.parse::<Uri>().map_err(|_| Gone::ForGood)?;
    let authority = to.authority().ok_or(Gone::ForGood)?.to_string();
    let path = to.path_and_query().map_or("/", |path| path.as_str()).to_string();
    let line = line.beside(format!("https://{authority}"));
    let bytes = |text: &str| URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).unwrap_or_default();
    let (key, secret) = (bytes(&notice.to.key), bytes(&notice.to.secret));
    // Services want an address of https or of mail; at this machine's own there is nobody to ask.
    let from = match notice.to.origin.starts_with("https://") {
        true => &notice.to.origin[..],
        false => "https://localhost",
    };
    let mut pauses = PAUSES.into_iter();
    loop {
        let body = sealed(notice.text.as_bytes(), &key, &secret).map_err(|_| Gone::ForGood)?;
        let header = signer.header(&format!("https://{authority}"), from, now());
        let headers = [
            ("authorization", header.map_err(|_| Gone::ThisTime)?),
            ("content-encoding", "aes128gcm".to_string()),
            ("content-type", "application/octet-stream".to_string()),
            ("ttl", GOOD_FOR.to_string()),
            ("urgency", "high".to_string()),
            ("topic", notice.topic.clone()),
            ("user-agent", concat!("scrutineer/", env!("CARGO_PKG_VERSION")).to_string()),
        ];
        match timeout(PATIENCE, line.post(&path, &headers, body)).await {
            Ok(Ok(200..=299)) => return Ok(()),
            Ok(Ok(404 | 410)) => return Err(Gone::ForGood),
            // What it finds wrong now it finds wrong again.
            Ok(Ok(400..=428 | 430..=499)) => return Err(Gone::ThisTime),
            Ok(Ok(_) | Err(_)) | Err(_) => {}
        }
        match pauses.next() {
            Some(pause) => tokio::time::sleep(pause).await,
            None => return Err(Gone::ThisTime),
        }
    }
}
