//! `snapshots`: what reading starts from, and whether it is what the log says.

use crate::args;
use crate::error::VerbError;
use crate::session::Session;
use crate::{Answer, Report};
use scrutineer_desk::answers::{SnapshotListed, SnapshotsDropped, line};
use scrutineer_desk::store::{Snapshot, Store, StoreError};
use scrutineer_desk::table::{Align, Aligned};
use scrutineer_desk::verify::snapshot_holds;
use scrutineer_engine::log::Head;
use scrutineer_engine::record::StreamId;
use scrutineer_replay::loaded::short_id;

/// Lists, checks, takes or drops snapshots.
pub fn run(session: &Session, options: &args::Snapshots) -> Result<Report, VerbError> {
    let store = match options.take || options.drop {
        true => session.opened_store()?,
        false => session.store_to_read()?,
    };
    let streams = match &options.which.tournament {
        Some(name) => vec![store.find(Some(name))?],
        None => store.log().streams().map_err(StoreError::from)?,
    };
    if options.drop {
        return drop_them(session, &store, &streams);
    }
    if options.take {
        for stream in &streams {
            let event = store.load(*stream, false)?;
            let head = Head { seq: event.state.head(), hash: event.head };
            store.take_snapshot(*stream, head, &event.state)?;
        }
    }
    let mut rows = Vec::new();
    for stream in streams {
        for snapshot in store.snapshots(stream)? {
            let verdict = verdict(&store, stream, &snapshot, options.check)?;
            rows.push((stream, snapshot, verdict));
        }
    }
    let holds = rows.iter().all(|(_, _, verdict)| verdict.1);
    let answer = if holds { Answer::Yes } else { Answer::No };
    if session.json {
        let text = rows.iter().map(|(stream, snapshot, (words, holds))| {
            line(&SnapshotListed::new(*stream, snapshot, (words, *holds)))
        });
        return Ok(Report { text: text.collect(), answer });
    }
    if rows.is_empty() {
        return Ok(Report::yes("no snapshots: every reading begins at the first event\n"));
    }
    let mut table = Aligned::new([
        ("tournament", Align::Left),
        ("after", Align::Right),
        ("bytes", Align::Right),
        ("", Align::Left),
    ]);
    for (stream, snapshot, (words, _)) in rows {
        let (seq, bytes) = (snapshot.seq.to_string(), snapshot.bytes.to_string());
        table.row([short_id(stream), seq, bytes, words]);
    }
    Ok(Report { text: table.text(), answer })
}

fn drop_them(session: &Session, store: &Store, streams: &[StreamId]) -> Result<Report, VerbError> {
    let mut dropped = 0;
    for stream in streams {
        dropped += store.drop_snapshots(*stream)?;
    }
    Ok(Report::yes(match session.json {
        true => line(&SnapshotsDropped { dropped }),
        false => format!("{dropped} dropped; nothing changes but time\n"),
    }))
}

fn verdict(
    store: &Store,
    stream: StreamId,
    snapshot: &Snapshot,
    check: bool,
) -> Result<(String, bool), VerbError> {
    Ok(match snapshot.unusable {
        Some("damaged") => ("damaged: it is passed over".into(), false),
        Some(why) => (format!("{why}: it is passed over"), true),
        None if !check => ("is used".into(), true),
        None => match snapshot_holds(store, stream, snapshot.seq)? {
            true => ("is what the events say".into(), true),
            false => ("is not what the events say: drop it".into(), false),
        },
    })
}
