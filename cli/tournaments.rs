//! `tournaments`, `log` and `show`: what a store holds and what happened.

use crate::Report;
use crate::args;
use crate::desk;
use crate::error::VerbError;
use crate::loading::as_of;
use crate::session::say;
use crate::session::{Session, dated, scope, under_moment};
use scrutineer_desk::answers::{Dated, EventShown, LogLine, TournamentListed, line};
use scrutineer_desk::names::find_player;
use scrutineer_desk::orders::Remove;
use scrutineer_desk::store::{Listed, Store, TournamentSummary};
use scrutineer_desk::table::{Align, Aligned, cells};
use scrutineer_desk::told::{Filter, Told};
use scrutineer_engine::book::Book;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::{Event, RoundNumber};
use scrutineer_engine::record::Header;
use scrutineer_projections::counted;
use scrutineer_projections::timeline::sentence;
use scrutineer_replay::as_of::utc;
use scrutineer_replay::loaded::short_id;
use scrutineer_replay::replay::rounds_concerned;
use scrutineer_replay::staff::Staff;
use serde_json::Value;
use std::collections::BTreeSet;

/// The tournaments of the store; what is not read is told on standard error.
pub fn listed(store: &Store) -> Result<Vec<TournamentSummary>, VerbError> {
    let listed = store.listed()?;
    tell_unread(&listed);
    Ok(listed.events)
}

fn tell_unread(listed: &Listed) {
    for (stream, error) in &listed.unread {
        say(&format!("{} is not read: {error}", short_id(*stream)));
    }
}

/// `tournaments remove`.
pub fn of_all(session: &Session, act: &args::OfTournaments) -> Result<Report, VerbError> {
    let args::OfTournaments::Remove { name, reason } = act;
    let order = Remove { reason: reason.clone() };
    desk::carry_out(session, Some(name), vec![order.into()])
}

/// Lists the tournaments of the store. As of a moment, those that had been opened by then, with what
/// their logs then held.
pub fn list(session: &Session, options: &args::Tournaments) -> Result<Report, VerbError> {
    let (store, known) = (session.store_to_read()?, &options.known);
    let listed = store.listed()?;
    tell_unread(&listed);
    let (which, besides) = match options.removed {
        true => (listed.removed, 0),
        false => (listed.events, listed.removed.len()),
    };
    if besides > 0 && !session.json {
        let was = if besides == 1 { "was" } else { "were" };
        say(&format!(
            "{} {was} removed: `tournaments --removed` lists them",
            counted(besides, "tournament")
        ));
    }
    let mut events = Vec::new();
    for mut event in which {
        match as_of(&store, event.stream, known) {
            Ok(moment) => {
                event.head = moment.map_or(event.head, |moment| moment.head.seq);
                let glance = store.glance(event.stream, moment).ok();
                let is_rewritten = store.rewritten(event.stream)?.is_some();
                events.push((event, glance, moment, is_rewritten));
            }
            Err(fail) if fail.code == "before-opening" => {}
            Err(fail) => return Err(fail),
        }
    }
    if session.json {
        let rows = events.iter().map(|(event, glance, moment, is_rewritten)| {
            TournamentListed::of(event, glance.clone(), *moment, *is_rewritten)
        });
        return Ok(Report::yes(line(&rows.collect::<Vec<_>>())));
    }
    let is_past = known.as_of.is_some();
    let mut head = vec![
        ("id", Align::Left),
        ("tournament", Align::Left),
        ("held on", Align::Left),
        ("rules", Align::Left),
        ("players", Align::Right),
        ("round", Align::Right),
        ("state", Align::Left),
        ("log", Align::Right),
        ("from", Align::Left),
    ];
    // Each tournament has a log, and so a moment, of its own.
    let one_moment = (events.len() == 1).then(|| events[0].2).flatten();
    let with_moments = is_past && one_moment.is_none();
    head.extend(with_moments.then_some(("as of", Align::Left)));
    let mut table = Aligned::new(head);
    for (event, glance, moment, is_rewritten) in &events {
        let [players, round, state] = cells(&glance.clone().into());
        let mut cells = vec![
            short_id(event.stream),
            event.title.clone(),
            event.held_on.map_or("-".into(), |day| day.to_string()),
            glance.as_ref().map_or(&event.ruleset, |glance| &glance.rules).clone(),
            players,
            round,
            if *is_rewritten { format!("{state}, REWRITTEN") } else { state },
            event.head.to_string(),
            event.file.clone().unwrap_or_else(|| "-".into()),
        ];
        let line = moment.map_or(String::new(), |moment| moment.line());
        cells.extend(with_moments.then(|| line.trim_start_matches("as of ").to_string()));
        table.row(cells);
    }
    Ok(Report::yes(under_moment(one_moment, table.text())))
}

/// Prints what happened.
pub fn log(session: &Session, options: &args::Log) -> Result<Report, VerbError> {
    let event = session.event(&options.which, &options.when.known, true)?;
    let through = scope(&event.state, options.when.through)?.through.unwrap_or(RoundNumber::MAX);
    let log = Told::of(&event, BTreeSet::new());
    let asked = Filter {
        player: options.player.as_deref().map(|who| find_player(&event, who)).transpose()?,
        table: options.table,
        round: options.round,
        kind: options.kind.clone().unwrap_or_default(),
        person: options.by.clone().unwrap_or_default(),
        words: String::new(),
        changed: options.changed,
    };
    log.check(&asked)?;
    let rounds = rounds_concerned(&event.log);
    let rows = event.log.iter().zip(rounds).filter(|(_, round)| *round <= through);
    let rows = rows.map(|(row, _)| row).filter(|row| log.is_asked(row, &asked));
    let rows: Vec<&(Header, Event)> = rows.collect();
    let first = rows.len().saturating_sub(options.limit.unwrap_or(usize::MAX));
    let rows = rows[first..].iter().copied();
    if session.json {
        let told = |row| line(&Dated::of(&event, log.line(row)));
        return Ok(Report::yes(rows.map(told).collect::<String>()));
    }
    let tell = |row: &(Header, Event)| {
        let LogLine { mut sentence, was, undone_in, .. } = log.line(row);
        let mut add = |what: String| sentence.push_str(&format!("; {what}"));
        was.into_iter().for_each(|was| add(format!("it was: {was}")));
        undone_in.into_iter().for_each(|seq| add(format!("undone in event {seq}")));
        if options.changed {
            let corrected_in = log.corrected_in(row.0.seq);
            corrected_in.into_iter().for_each(|seq| add(format!("corrected in event {seq}")));
        }
        sentence
    };
    let mut table = Aligned::new([
        ("seq", Align::Right),
        ("recorded", Align::Left),
        ("by", Align::Left),
        ("what happened", Align::Left),
    ]);
    for row in rows {
        table.row([row.0.seq.to_string(), utc(row.0.time), log.by(&row.0), tell(row)]);
    }
    Ok(Report::yes(dated(&event, table.text())))
}

/// A line of what an event holds: how deep it stands, what it is called, and what it says.
type Line = (usize, String, String);

/// The longest list that stands in one line, in characters.
const IN_A_LINE: usize = 72;

/// What an event holds, line by line: what is in something stands below it.
fn flatten(book: &Book, depth: usize, name: &str, value: &Value, lines: &mut Vec<Line>) {
    let mut say = |text: String| lines.push((depth, name.replace('_', " "), text));
    match value {
        Value::Object(fields) if fields.len() == 2 && fields.contains_key("digest") => {
            let of = |key: &str| fields.get(key).map_or(String::new(), in_line);
            let entry = of("number").parse().ok().and_then(|number| book.entry(number));
            let text = entry.map_or("a text that is not here".into(), |e| format!("{:?}", e.text));
            say(format!("{text}, entry {}, {}", of("number"), of("digest")));
        }
        Value::Object(fields) => {
            if !name.is_empty() {
                say(String::new());
            }
            let below = depth + usize::from(!name.is_empty());
            fields.iter().for_each(|(name, value)| flatten(book, below, name, value, lines));
        }
        Value::Array(all) if in_line(value).len() > IN_A_LINE => {
            say(String::new());
            for (number, value) in (1..).zip(all) {
                flatten(book, depth + 1, &number.to_string(), value, lines);
            }
        }
        Value::String(text) if text.contains('\n') => {
            say(String::new());
            lines.extend(text.lines().map(|line| (depth + 1, String::new(), line.to_string())));
        }
        value => say(in_line(value)),
    }
}

fn in_line(value: &Value) -> String {
    match value {
        Value::Null => "-".into(),
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.into(),
        Value::String(text) => text.clone(),
        Value::Array(all) if all.is_empty() => "-".into(),
        Value::Array(all) => {
            let deep = all.iter().any(|value| value.is_array() || value.is_object());
            all.iter().map(in_line).collect::<Vec<_>>().join(if deep { "; " } else { ", " })
        }
        Value::Object(fields) => {
            let one = |(name, value): (&String, &Value)| {
                format!("{} {}", name.replace('_', " "), in_line(value))
            };
            fields.iter().map(one).collect::<Vec<_>>().join(", ")
        }
        value => value.to_string(),
    }
}

/// Lines with what they say under each other.
fn spelled(lines: &[Line]) -> String {
    let start = |(depth, name, _): &Line| format!("{}{name}", "  ".repeat(depth + 1));
    let named = |line: &&Line| !line.1.is_empty() && !line.2.is_empty();
    let width = lines.iter().filter(named).map(|line| start(line).chars().count()).max();
    let width = width.unwrap_or(0).min(32);
    let one = |line: &Line| {
        let text = match line.1.is_empty() {
            true => format!("{}{}", start(line), line.2),
            false => format!("{:<width$}  {}", start(line), line.2),
        };
        format!("{}\n", text.trim_end())
    };
    lines.iter().map(one).collect()
}

/// Prints one event with everything it holds.
pub fn show(session: &Session, options: &args::Show) -> Result<Report, VerbError> {
    let store = session.store_to_read()?;
    let stream = store.find(options.which.tournament.as_deref())?;
    let event = session.event_in(&store, &options.which, &options.known, true)?;
    let staff = Staff::of(&event);
    let wanted = event.log.iter().find(|(header, _)| header.seq == options.seq);
    let Some(row) = wanted else {
        let message = format!("there is no event {}", options.seq);
        let hint = format!("events are 1 to {}", event.log.len());
        return Err(VerbError::new(Code::not_found("no-such-event"), message, hint));
    };
    let first = store.log().read(stream, options.seq - 1).next();
    let record = first.transpose().map_err(scrutineer_desk::store::StoreError::from)?;
    if session.json {
        let shown = EventShown::of(&event, &staff, row, record.as_ref());
        return Ok(Report::yes(line(&Dated::of(&event, shown))));
    }
    let (header, logged) = row;
    let hash = record.map_or(String::new(), |record| record.hash().to_string());
    let told = sentence(&event.state, header.seq, logged, &event);
    let mut text = dated(&event, format!("{told}\n\n"));
    let lines = [
        ("seq", header.seq.to_string()),
        ("recorded", utc(header.time)),
        ("by", staff.who(header)),
        ("kind", format!("{} ({}, schema {})", logged.word(), header.kind, header.schema)),
        ("command", format!("{}, part {} of {}", header.command, header.part, header.parts)),
        ("previous", header.previous.to_string()),
        ("hash", hash),
    ];
    let lines = lines.map(|(name, value)| (0, name.to_string(), value));
    text.push_str(&spelled(&lines));
    // What a bundle's mirror says of it, with the words in place of their hashes.
    let value = serde_json::to_value(logged).unwrap_or_default();
    let mut lines = Vec::new();
    flatten(&event.book, 0, "", &value, &mut lines);
    text.push('\n');
    text.push_str(&spelled(&lines));
    Ok(Report::yes(text))
}
