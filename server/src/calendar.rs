//! Calendars (iCalendar, RFC 5545) of what is public: the tournaments of a store, and the rounds of each.

use crate::gate::Role;
use crate::horizon::Horizons;
use crate::kept::CACHING;
use crate::language::Language;
use crate::orders_api::find;
use crate::pages::round_called;
use crate::problem::Refusal;
use crate::reader::Reader;
use crate::state::State;
use axum::extract::{Path, State as Shared};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Days, NaiveDate, Utc};
use scrutineer_desk::floor::Floor;
use scrutineer_desk::store::{Store, StoreError};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::{Day, Event, RoundNumber, Seq};
use scrutineer_engine::names::unturned;
use scrutineer_engine::record::{StreamId, Time};
use scrutineer_replay::loaded::{LoadedTournament, short_id};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The longest line, in bytes without its end.
const LINE: usize = 75;

/// A calendar as it is written.
struct Calendar {
    text: String,
}

/// A text as calendars write it.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in unturned(text).chars() {
        match c {
            '\\' | ';' | ',' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

impl Calendar {
    /// An empty one of this name.
    fn new(name: &str, language: Language) -> Calendar {
        let mut calendar = Calendar { text: String::new() };
        calendar.line("BEGIN:VCALENDAR");
        calendar.line("VERSION:2.0");
        calendar.line(&format!(
            "PRODID:-//Scrutineer//Scrutineer {}//{}",
            env!("CARGO_PKG_VERSION"),
            language.tag().to_uppercase()
        ));
        calendar.line("CALSCALE:GREGORIAN");
        calendar.line("METHOD:PUBLISH");
        for key in ["NAME", "X-WR-CALNAME"] {
            calendar.line(&format!("{key}:{}", escaped(name)));
        }
        calendar.line("REFRESH-INTERVAL;VALUE=DURATION:PT15M");
        calendar
    }

    /// Adds a line, folded where it is long: never within a letter.
    fn line(&mut self, line: &str) {
        let (mut rest, mut room) = (line, LINE);
        loop {
            let mut end = rest.len().min(room);
            while !rest.is_char_boundary(end) {
                end -= 1;
            }
            self.text.push_str(&rest[..end]);
            self.text.push_str("\r\n");
            rest = &rest[end..];
            if rest.is_empty() {
                return;
            }
            self.text.push(' ');
            // The space that a line begins with belongs to it.
            room = LINE - 1;
        }
    }

    fn event(&mut self, id: &str, stamp: Time, when: &When, said: &Said<'_>) {
        self.line("BEGIN:VEVENT");
        self.line(&format!("UID:{id}@scrutineer"));
        self.line(&format!("DTSTAMP:{}", utc(stamp)));
        match when {
            When::Day(day) => {
                self.line(&format!("DTSTART;VALUE=DATE:{}", day.format("%Y%m%d")));
                let next = day.checked_add_days(Days::new(1)).unwrap_or(*day);
                self.line(&format!("DTEND;VALUE=DATE:{}", next.format("%Y%m%d")));
                self.line("TRANSP:TRANSPARENT");
            }
            When::Times(begins, ends) => {
                self.line(&format!("DTSTART:{}", utc(*begins)));
                // One that ends as it begins has no end.
                if let Some(ends) = ends.filter(|ends| ends.unix_micros > begins.unix_micros) {
                    self.line(&format!("DTEND:{}", utc(ends)));
                }
            }
        }
        self.line(&format!("SUMMARY:{}", escaped(&said.summary)));
        self.line(&format!("DESCRIPTION:{}", escaped(&said.description)));
        self.line(&format!("URL:{}", said.link));
        self.line(&format!("SEQUENCE:{}", said.sequence.min(i32::MAX as u64)));
        self.line("STATUS:CONFIRMED");
        self.line("END:VEVENT");
    }

    fn finish(mut self) -> String {
        self.line("END:VCALENDAR");
        self.text
    }
}

/// When something is.
enum When {
    /// On a day.
    Day(NaiveDate),
    /// From a moment on, until another where that is known.
    Times(Time, Option<Time>),
}

/// What is said of it.
struct Said<'a> {
    summary: String,
    description: String,
    link: &'a str,
    /// It rises with each change.
    sequence: u64,
}

/// A moment as calendars write it.
fn utc(time: Time) -> String {
    let time = DateTime::<Utc>::from_timestamp_micros(time.unix_micros).unwrap_or_default();
    time.format("%Y%m%dT%H%M%SZ").to_string()
}

fn day(day: Day) -> Option<NaiveDate> {
    NaiveDate::from_ymd_opt(day.year.into(), day.month.into(), day.day.into())
}

/// When the last public event of a tournament was recorded.
fn last_time(store: &Store, stream: StreamId, seq: u64) -> Result<Time, VerbError> {
    let last = store.log().read(stream, seq.saturating_sub(1)).next().transpose();
    let last = last.map_err(StoreError::from)?;
    Ok(last.map_or(Time { unix_micros: 0 }, |last| last.header().time))
}

/// The public tournaments of a store, each on its day.
fn of_store(
    store: &Store,
    horizons: &Horizons,
    language: Language,
    origin: &str,
) -> Result<String, VerbError> {
    let mut calendar = Calendar::new(&language.t("tournaments"), language);
    for one in store.events()? {
        // One of which nothing is public yet is none for others.
        let Ok((glance, seq)) = horizons.glance(store, one.stream) else { continue };
        let Some(on) = one.held_on.and_then(day).filter(|_| seq > 0) else { continue };
        let stamp = last_time(store, one.stream, seq)?;
        let said = Said {
            summary: horizons.title(one.stream, one.title),
            description: language.a("players-n", "players", glance.players),
            link: &format!("{origin}/t/{}/standings", short_id(one.stream)),
            sequence: seq,
        };
        calendar.event(&one.stream.to_string(), stamp, &When::Day(on), &said);
    }
    Ok(calendar.finish())
}

/// A tournament with its rounds, each from when its pairings were out until its results were in.
fn of_tournament(
    public: &Store,
    stream: StreamId,
    floor: &Floor,
    language: Language,
    origin: &str,
) -> Result<String, VerbError> {
    let event = public.load(stream, true)?;
    let (title, base) = (event.title(), format!("{origin}/t/{}", short_id(stream)));
    let mut calendar = Calendar::new(&title, language);
    let stamp = event.log.last().map_or(Time { unix_micros: 0 }, |(header, _)| header.time);
    let opened = event.state.opened();
    if let Some(on) = opened.and_then(|opened| opened.held_on).and_then(day) {
        let players = event.state.players().iter().filter(|player| !player.withdrawn).count();
        let said = Said {
            summary: title.clone(),
            description: language.a("players-n", "players", players),
            link: &format!("{base}/standings"),
            sequence: event.state.head(),
        };
        calendar.event(&stream.to_string(), stamp, &When::Day(on), &said);
    }
    // What was imported was recorded all at once: nobody knows when it was played.
    if event.state.imported().is_some() {
        return Ok(calendar.finish());
    }
    let undone = event.taken_back();
    let mut begun = BTreeMap::new();
    for (header, one) in event.log.iter().filter(|(header, _)| !undone.contains_key(&header.seq)) {
        if let Event::PairingsPublished(published) = one {
            begun.insert(published.round, (header.seq, header.time));
        }
    }
    for round in event.state.rounds().iter().filter(|round| !round.withdrawn) {
        let number = round.number;
        let Some((seq, begins)) = begun.get(&number) else { continue };
        let over = over(&event, number);
        let ends = over.map(|(_, time)| time).or_else(|| by_clock(floor, number));
        let called = round_called(&event.state, number, language);
        let said = Said {
            summary: format!("{title}: {called}"),
            description: called,
            link: &format!("{base}/round/{number}"),
            sequence: over.map_or(*seq, |(at, _)| at.max(*seq)),
        };
        let stamp = over.map_or(*begins, |(_, time)| time);
        calendar.event(
            &format!("{stream}-round-{number}"),
            stamp,
            &When::Times(*begins, ends),
            &said,
        );
    }
    Ok(calendar.finish())
}

/// The last result of a round, and when it was recorded; none: one is missing.
fn over(event: &LoadedTournament, round: RoundNumber) -> Option<(Seq, Time)> {
    let own = event.state.matches().filter(|found| {
        let of = found.round();
        of.number == round && !of.withdrawn
    });
    let results: Option<Vec<Seq>> = own.map(|found| found.result()).collect();
    let last = results?.into_iter().max()?;
    let at = event.log.binary_search_by_key(&last, |(header, _)| header.seq).ok()?;
    Some((last, event.log[at].0.time))
}

/// When the clock of a round ends, as everybody sees it.
fn by_clock(floor: &Floor, round: RoundNumber) -> Option<Time> {
    let ends = floor.clock_of(round)?.ends?;
    Some(Time { unix_micros: ends.checked_mul(1_000)? })
}

fn answered(text: String) -> Response {
    let headers =
        [(header::CONTENT_TYPE, "text/calendar; charset=utf-8"), (header::CACHE_CONTROL, CACHING)];
    (headers, text).into_response()
}

/// Gives the calendar of all public tournaments.
///
/// # Errors
/// Where the store cannot be read.
pub async fn all(Shared(state): Shared<Arc<State>>, reader: Reader) -> Result<Response, Refusal> {
    let shared = Arc::clone(&state);
    let language = reader.language(Role::Public);
    let made = state.read(move |store| of_store(store, &shared.horizons, language, &reader.origin));
    Ok(answered(made.await?))
}

/// Gives the calendar of a tournament, as everybody may know it, whoever asks.
///
/// # Errors
/// Where nothing of it is public, or it cannot be read.
pub async fn one(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    reader: Reader,
) -> Result<Response, Refusal> {
    let shared = Arc::clone(&state);
    let language = reader.language(Role::Public);
    let made = state.read(move |store| {
        let stream = find(store, &id)?;
        let public = shared.horizons.seen(store, stream)?;
        let floor = shared.floor(stream)?;
        of_tournament(&public, stream, &floor, language, &reader.origin)
    });
    Ok(answered(made.await?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_folded_at_75_bytes_and_never_within_a_letter() {
        let long = format!("SUMMARY:{}", "Åäö\u{1f3c6}".repeat(40));
        let mut calendar = Calendar { text: String::new() };
        calendar.line(&long);
        calendar.line("");
        let (folded, empty) = calendar.text.split_at(calendar.text.len() - 2);
        assert_eq!(empty, "\r\n");
        let lines: Vec<&str> = folded.trim_end_matches("\r\n").split("\r\n").collect();
        assert!(lines.len() > 5 && lines.iter().all(|line| line.len() <= LINE), "{lines:?}");
        assert!(lines[1..].iter().all(|line| line.starts_with(' ')));
        assert_eq!(folded.replace("\r\n ", "").trim_end(), long, "unfolded it is what it was");
    }

    #[test]
    fn texts_cannot_end_their_line_and_begin_another_property() {
        assert_eq!(escaped("a,b;c\\d"), "a\\,b\\;c\\\\d");
        assert_eq!(escaped("Friday\r\nATTACH:evil"), "Friday\\nATTACH:evil");
        assert_eq!(escaped("a\u{0}b\tc"), "abc");
    }

    #[test]
    fn moments_are_written_in_utc() {
        assert_eq!(utc(Time { unix_micros: 1_795_363_531_204_000 }), "20261122T160531Z");
        let day = day(Day { year: 2028, month: 2, day: 29 }).expect("a day");
        let mut calendar = Calendar::new("Äpfel", Language::German);
        let said =
            Said { summary: "x".into(), description: "y".into(), link: "http://a/", sequence: 3 };
        calendar.event("ab", Time { unix_micros: 0 }, &When::Day(day), &said);
        let text = calendar.finish();
        for line in [
            "DTSTART;VALUE=DATE:20280229",
            "DTEND;VALUE=DATE:20280301",
            "UID:ab@scrutineer",
            "DTSTAMP:19700101T000000Z",
            "SEQUENCE:3",
        ] {
            assert!(text.contains(&format!("\r\n{line}\r\n")), "{line}: {text}");
        }
        assert!(text.starts_with("BEGIN:VCALENDAR\r\n") && text.ends_with("END:VCALENDAR\r\n"));
    }
}
