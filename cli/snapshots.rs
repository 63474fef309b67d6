//! `snapshots`: what reading starts from, and whether it is what the log says.

use crate::args;
use crate::fail::Fail;
use crate::session::Session;
use crate::table::{Align, Aligned};
use crate::{Answer, Report};
use scrutineer_engine::log::Head;
use scrutineer_engine::record::StreamId;
use scrutineer_replay::archive::{Archive, ArchiveError, Snapshot, short_id};
use scrutineer_replay::verify::snapshot_holds;
use serde_json::json;

/// Lists, checks, takes or drops snapshots.
pub fn run(session: &Session, options: &args::Snapshots) -> Result<Report, Fail> {
    let archive = match options.take || options.drop {
        true => session.existing_archive()?,
        false => session.archive_to_read()?,
    };
    let streams = match &options.which.event {
        Some(name) => vec![archive.find(Some(name))?],
        None => archive.log().streams().map_err(ArchiveError::from)?,
    };
    if options.drop {
        return drop_them(session, &archive, &streams);
    }
    if options.take {
        for stream in &streams {
            let event = archive.load(*stream, false)?;
            let head = Head { seq: event.state.head(), hash: event.head };
            archive.take_snapshot(*stream, head, &event.state)?;
        }
    }
    let mut rows = Vec::new();
    for stream in streams {
        for snapshot in archive.snapshots(stream)? {
            let verdict = verdict(&archive, stream, &snapshot, options.check)?;
            rows.push((stream, snapshot, verdict));
        }
    }
    let holds = rows.iter().all(|(_, _, verdict)| verdict.1);
    let answer = if holds { Answer::Yes } else { Answer::No };
    if session.json {
        let line = |(stream, snapshot, (words, holds)): &(StreamId, Snapshot, (String, bool))| {
            let value = json!({
                "id": stream.to_string(), "seq": snapshot.seq, "bytes": snapshot.bytes,
                "holds": holds, "verdict": words, "file": snapshot.file.display().to_string(),
            });
            format!("{value}\n")
        };
        return Ok(Report { text: rows.iter().map(line).collect(), answer });
    }
    if rows.is_empty() {
        return Ok(Report::yes("no snapshots: every reading begins at the first event\n"));
    }
    let mut table = Aligned::new([
        ("event", Align::Left),
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

fn drop_them(session: &Session, archive: &Archive, streams: &[StreamId]) -> Result<Report, Fail> {
    let mut dropped = 0;
    for stream in streams {
        dropped += archive.drop_snapshots(*stream)?;
    }
    Ok(Report::yes(match session.json {
        true => format!("{}\n", json!({ "dropped": dropped })),
        false => format!("{dropped} dropped; nothing changes but time\n"),
    }))
}

fn verdict(
    archive: &Archive,
    stream: StreamId,
    snapshot: &Snapshot,
    check: bool,
) -> Result<(String, bool), Fail> {
    Ok(match snapshot.unusable {
        Some("damaged") => ("damaged: it is passed over".into(), false),
        Some(why) => (format!("{why}: it is passed over"), true),
        None if !check => ("is used".into(), true),
        None => match snapshot_holds(archive, stream, snapshot.seq)? {
            true => ("is what the events say".into(), true),
            false => ("is not what the events say: drop it".into(), false),
        },
    })
}
