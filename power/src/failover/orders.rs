//! Writers whose orders come through nodes of Scrutineer, which are killed meanwhile; and what of their
//! orders is there afterwards.

use super::audit::{self, Found};
use super::faults::{Fault, another};
use super::writers::Door;
use super::{Outcome, WRITERS, calm_down, failovers};
use crate::cluster::Cluster;
use crate::cluster::nodes::Nodes;
use crate::http;
use scrutineer_engine::event::Event;
use scrutineer_engine::handler::read_events;
use scrutineer_engine::log::Log;
use scrutineer_engine::record::StreamId;
use scrutineer_postgres::PostgresLog;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

const NODES: usize = 3;
/// Each has writers of its own.
const TOURNAMENTS: usize = 4;
/// After an answer that does not come, or says that it is to be asked again.
const PAUSE: Duration = Duration::from_millis(100);
/// Longer than a node waits for the database.
const PATIENCE: Duration = Duration::from_secs(45);

/// An order that was acknowledged.
struct Done {
    text: String,
    first: u64,
    last: u64,
}

/// What somebody at a desk was told.
#[derive(Default)]
struct Desk {
    writer: u32,
    tournament: usize,
    acknowledged: Vec<Done>,
    sent: u64,
    stall: Duration,
    unknown: u64,
    faults: Vec<String>,
}

#[derive(Default)]
struct Shared {
    ends: AtomicBool,
    acknowledged: AtomicU64,
}

/// What a node said to an order.
pub(super) enum Answer {
    /// Recorded as these events.
    Done { first: u64, last: u64 },
    /// Nobody knows, or nothing was done for now.
    Again,
    /// Refused.
    No(String),
}

/// Sends an order under a key.
pub(super) fn order(
    node: SocketAddr,
    token: &str,
    title: &str,
    key: &str,
    order: &Value,
) -> Answer {
    let path = format!("/api/v1/tournaments/{title}/orders");
    let headers = [("Authorization", token), ("Idempotency-Key", key)];
    match http::asked(node, "POST", &path, &headers, &order.to_string(), PATIENCE) {
        Ok((200 | 201, body)) => {
            let said: Value = serde_json::from_str(&body).unwrap_or_default();
            match (said["first_seq"].as_u64(), said["last_seq"].as_u64()) {
                (Some(first), Some(last)) => Answer::Done { first, last },
                _ => Answer::No(body),
            }
        }
        Ok((429 | 500.., _)) | Err(_) => Answer::Again,
        Ok((status, body)) => Answer::No(format!("{status} {body}")),
    }
}

/// The titles of so many tournaments.
pub(super) fn titles(count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("Hall{number}")).collect()
}

/// One fault, with calm before and after it.
///
/// # Errors
/// Where the cluster or the nodes do not do what they have to.
pub fn run(cluster: &mut Cluster, fault: Fault, calm: Duration) -> io::Result<Outcome> {
    let (primary, timeline) = (cluster.primary(), cluster.timeline());
    let mut nodes = Nodes::start(cluster, &format!("nodes{}", fastrand::u32(..)), NODES)?;
    let titles = titles(TOURNAMENTS);
    titles.iter().try_for_each(|title| nodes.begin(title))?;
    let (addresses, token) = (nodes.addresses(), nodes.token()?);
    let streams = titles.iter().map(|title| stream(addresses[0], &token, title));
    let streams = streams.collect::<io::Result<Vec<_>>>()?;
    let shared = Arc::<Shared>::default();
    let at_work = (0..WRITERS).map(|writer| {
        let (addresses, token, shared) = (addresses.clone(), token.clone(), shared.clone());
        let tournament = writer as usize % TOURNAMENTS;
        let title = titles[tournament].clone();
        let desk = Desk { writer, tournament, ..Desk::default() };
        spawn(move || work(desk, &addresses, &token, &title, &shared))
    });
    let at_work: Vec<_> = at_work.collect();
    sleep(calm);
    let mut notes = Vec::new();
    let acknowledged = || shared.acknowledged.load(Ordering::Relaxed);
    let struck = strike(cluster, &mut nodes, fault, &mut notes);
    struck.and_then(|()| calm_down(cluster, calm, acknowledged, &mut notes))?;
    shared.ends.store(true, Ordering::Relaxed);
    let desks = at_work.into_iter().map(|desk| desk.join().expect("a desk ends")).collect();
    let log = Door::one(nodes.store().into()).open();
    let mut found = look(&log.ok_or_else(|| io::Error::other("no answer"))?, &streams, desks);
    if let Err(error) = nodes.run(&["verify"]) {
        found.faults.push(error.to_string());
    }
    let failovers = failovers(cluster, primary, timeline);
    Ok(Outcome { found, wandered: None, failovers, notes })
}

/// Nodes are killed while they serve, and with `NodesAndPrimary` the primary among them.
fn strike(
    cluster: &mut Cluster,
    nodes: &mut Nodes,
    fault: Fault,
    notes: &mut Vec<String>,
) -> io::Result<()> {
    if fault == Fault::Nodes {
        for turn in 0..2 * NODES {
            nodes.kill(turn % NODES);
            sleep(Duration::from_secs(1));
            nodes.start_one(turn % NODES)?;
            sleep(Duration::from_secs(1));
        }
        notes.push(format!("{} nodes killed in turn", 2 * NODES));
        return Ok(());
    }
    let primary = cluster.primary().ok_or_else(|| io::Error::other("there is no primary"))?;
    nodes.kill(0);
    cluster.kill(primary);
    sleep(Duration::from_secs(2));
    nodes.kill(1);
    another(cluster, primary)?;
    (0..2).try_for_each(|node| nodes.start_one(node))?;
    cluster.start_patroni(primary, 0)
}

/// The id of a tournament.
fn stream(node: SocketAddr, token: &str, title: &str) -> io::Result<StreamId> {
    let path = format!("/api/v1/tournaments/{title}");
    let headers = [("Authorization", token)];
    let (status, body) = http::asked(node, "GET", &path, &headers, "", PATIENCE)?;
    let said: Value = serde_json::from_str(&body).unwrap_or_default();
    let id = said["tournament"]["id"].as_str().and_then(|id| id.parse().ok());
    id.ok_or_else(|| io::Error::other(format!("{title} is not served: {status} {body}")))
}

/// Somebody who sends one order after the other, each to any node, until it is acknowledged.
fn work(mut desk: Desk, nodes: &[SocketAddr], token: &str, title: &str, shared: &Shared) -> Desk {
    while !shared.ends.load(Ordering::Relaxed) {
        desk.sent += 1;
        let text = text_of(desk.writer, desk.sent);
        let note = json!({ "order": "note", "text": text });
        let since = Instant::now();
        loop {
            let node = nodes[fastrand::usize(..nodes.len())];
            match order(node, token, title, &text, &note) {
                Answer::Done { first, last } => {
                    desk.acknowledged.push(Done { text, first, last });
                    shared.acknowledged.fetch_add(1, Ordering::Relaxed);
                    break;
                }
                Answer::Again => {
                    desk.unknown += 1;
                    sleep(PAUSE);
                }
                Answer::No(why) => {
                    desk.faults.push(format!("{text}: {why}"));
                    break;
                }
            }
        }
        desk.stall = desk.stall.max(since.elapsed());
    }
    desk
}

fn text_of(writer: u32, number: u64) -> String {
    format!("desk {writer} order {number}")
}

/// Reads every tournament and looks for what was said.
fn look(log: &PostgresLog, streams: &[StreamId], desks: Vec<Desk>) -> Found {
    let mut found = Found::default();
    let mut texts = Vec::new();
    for stream in streams {
        audit::read(log, *stream, &mut found);
        texts.push(notes(log, *stream).unwrap_or_else(|error| {
            found.faults.push(format!("{stream}: {error}"));
            HashMap::new()
        }));
    }
    for desk in desks {
        let there = &mut texts[desk.tournament];
        let mut last = 0;
        found.acknowledged += desk.acknowledged.len() as u64;
        found.stall = found.stall.max(desk.stall);
        found.unknown += desk.unknown;
        found.faults.extend(desk.faults);
        for done in &desk.acknowledged {
            match there.get(&done.text).map(Vec::as_slice) {
                None => found.lost += 1,
                Some([seq]) => {
                    let is_in_place = *seq == done.first && *seq == done.last && *seq > last;
                    found.reordered += u64::from(!is_in_place);
                    last = *seq;
                }
                Some(_) => found.doubled += 1,
            }
        }
        for number in 1..=desk.sent {
            there.remove(&text_of(desk.writer, number));
        }
    }
    let foreign = texts.iter().flat_map(HashMap::keys);
    found.faults.extend(foreign.map(|text| format!("{text:?} was sent by nobody")));
    found
}

/// Where the words of each note stand.
fn notes(log: &PostgresLog, stream: StreamId) -> Result<HashMap<String, Vec<u64>>, String> {
    let book = log.texts().book(stream).map_err(|error| error.to_string())?;
    let mut texts: HashMap<String, Vec<u64>> = HashMap::new();
    for read in read_events(log, stream, 0) {
        let (record, event) = read.map_err(|error| error.to_string())?;
        if let Event::NoteAdded(added) = event {
            let entry = book.entry(added.note.number);
            let text = entry.map_or_else(String::new, |entry| entry.text.clone());
            texts.entry(text).or_default().push(record.header().seq);
        }
    }
    Ok(texts)
}
