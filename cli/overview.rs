//! What the program says where nothing is asked: what is in the store, what comes next, and where
//! to begin.

use crate::Report;
use crate::desk::at_stream;
use crate::error::VerbError;
use crate::session::Session;
use crate::tournaments::listed;
use scrutineer_desk::answers::{AtAGlance, OverviewAnswer, TournamentName, line};
use scrutineer_desk::glance::{Glance, attendance};
use scrutineer_desk::orders::{draft_of_old_points, step, to_seat};
use scrutineer_desk::store::{Store, TournamentSummary};
use scrutineer_desk::table::{Align, Aligned, cells};
use scrutineer_engine::record::StreamId;
use scrutineer_replay::loaded::short_id;

/// How many tournaments are shown.
const SHOWN: usize = 12;

/// Says what is there.
pub fn run(session: &Session) -> Result<Report, VerbError> {
    if !session.has_store() {
        return Ok(begin(session));
    }
    let store = session.store_to_read()?;
    let events = listed(&store)?;
    let rows: Vec<(StreamId, AtAGlance)> = events
        .iter()
        .take(SHOWN)
        .map(|event| (event.stream, row(session, &store, event)))
        .collect();
    if session.json {
        let shown = rows.into_iter().map(|(_, row)| row).collect();
        return Ok(Report::yes(line(&OverviewAnswer { tournaments: events.len(), shown })));
    }
    let mut table = Aligned::new([
        ("id", Align::Left),
        ("tournament", Align::Left),
        ("players", Align::Right),
        ("round", Align::Right),
        ("state", Align::Left),
        ("next", Align::Left),
    ]);
    for (stream, row) in rows.iter().cloned() {
        let (id, title) = (short_id(stream), row.tournament.title.unwrap_or_default());
        let [players, round, state] = cells(&row.how_far);
        table.row([id, title, players, round, state, row.next]);
    }
    let mut text = table.text();
    if events.len() > rows.len() {
        let more = events.len() - rows.len();
        text.push_str(&format!("and {more} more: `scrutineer tournaments`\n"));
    }
    if events.is_empty() {
        return Ok(begin(session));
    }
    text.push_str("\nscrutineer --help lists every command\n");
    Ok(Report::yes(text))
}

fn row(session: &Session, store: &Store, event: &TournamentSummary) -> AtAGlance {
    let tournament = TournamentName::new(event.stream, &event.title);
    let read = at_stream(session, store, event.stream, |at| {
        let state = at.state()?;
        let next = match state.imported() {
            Some(_) => at.command("standings"),
            None if attendance(&state) == 0 => at.command("enroll <name>"),
            None if draft_of_old_points(at, &state)?.is_some() => at.command("pair --again"),
            None => match to_seat(at, &state)? {
                Some(seat) => seat,
                None => step(at, &state)?,
            },
        };
        Ok((state, next))
    });
    // What is damaged does not keep the others from being shown.
    let (glance, next) = match read {
        Ok((state, next)) => (Some(Glance::of(&state)), next),
        Err(_) => (None, "scrutineer verify".to_string()),
    };
    AtAGlance { tournament, how_far: glance.into(), next }
}

/// Where to begin.
fn begin(session: &Session) -> Report {
    if session.json {
        return Report::yes(line(&OverviewAnswer { tournaments: 0, shown: Vec::new() }));
    }
    Report::yes(
        "There are no tournaments here yet.\n\n  \
         scrutineer new \"Friday Modern\" --rules mtr   run one; `scrutineer rules list` names the rulesets\n  \
         scrutineer import <file>                     bring in one played elsewhere\n  \
         scrutineer demo                              see it at work\n  \
         scrutineer --help                            list every command\n",
    )
}
