//! `prove`: a receipt that a player can keep.

use super::{latest, read_held, write};
use crate::Report;
use crate::args::Prove as Options;
use crate::error::VerbError;
use crate::session::Session;
use scrutineer_desk::answers::{ProveAnswer, line};
use scrutineer_desk::desk::{DeskError, Objection};
use scrutineer_desk::orders::AtDesk;
use scrutineer_desk::rehearsal::Chance;
use scrutineer_desk::store::{Export, SCREEN, StoreError};
use scrutineer_engine::error::Code;
use scrutineer_engine::event::{Event, Seq};
use scrutineer_engine::handler::read_events;
use scrutineer_engine::record::Record;
use scrutineer_engine::rejection::Rejection;
use scrutineer_projections::counted;
use scrutineer_replay::trust::history::History;
use scrutineer_replay::trust::receipt::{
    Receipt, events_of_pairing, events_of_player, names_of_player, with_withdrawals,
};
use std::path::PathBuf;

/// Writes a receipt.
pub fn run(session: &Session, at: &AtDesk<'_>, options: &Options) -> Result<Report, VerbError> {
    let earlier = options.extends.as_deref().map(read_held).transpose()?;
    let (records, log) = read(at)?;
    let (seqs, player, about) = wanted(at, options, &log)?;
    let seqs = with_withdrawals(&log, &seqs);
    let signed = latest(at)?;
    // Both rise.
    let is_chosen = |(_, (seq, _)): &(Record, &(Seq, Event))| seqs.binary_search(seq).is_ok();
    let chosen = records.into_iter().zip(&log).filter(is_chosen);
    let chosen: Vec<(Record, Event)> =
        chosen.map(|(record, (_, event))| (record, event.clone())).collect();
    let book = at.store.books().book(at.desk.stream()).map_err(StoreError::from)?;
    let names = player.map_or(Vec::new(), |player| names_of_player(&chosen, &book, player));
    let named = !names.is_empty();
    let history = History::read(at.store.log(), at.desk.stream()).map_err(StoreError::from)?;
    let count = chosen.len();
    let receipt = Receipt::of(&history, &signed, chosen, earlier.as_ref(), names)?.write();
    if let Some(file) = &options.output {
        write(file, &receipt, options.force)?;
    }
    if named {
        note_export(at, options, player)?;
    }
    let Some(file) = &options.output else { return Ok(Report::yes(receipt)) };
    let (shown, short) = (file.display(), signed.checkpoint.short());
    let events = counted(count, "event");
    Ok(Report::yes(match session.json {
        true => {
            let (file, records) = (shown.to_string(), signed.checkpoint.size);
            line(&ProveAnswer { verb: "prove", file, events: seqs, records })
        }
        false => format!(
            "a receipt for {about} is in {shown}: {events} under the checkpoint of {short}\n"
        ),
    }))
}

/// A name leaves the store, which is noted: whoever is forgotten later can be told.
fn note_export(at: &AtDesk<'_>, options: &Options, player: Option<u32>) -> Result<(), VerbError> {
    let time = Chance::of(at.asker.rehearse.as_deref(), at.store)?.now();
    let whole = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
    let path = match &options.output {
        Some(path) => whole(path).display().to_string(),
        None => SCREEN.into(),
    };
    let (stream, what) = (Some(at.desk.stream()), "receipt".into());
    let path = Some(path);
    Ok(at.store.note_export(&Export { time, stream, what, path, names: true, player })?)
}

type Log = Vec<(Seq, Event)>;

/// Every record, and what it says.
fn read(at: &AtDesk<'_>) -> Result<(Vec<Record>, Log), VerbError> {
    let (mut records, mut log) = (Vec::new(), Vec::new());
    for read in read_events(at.store.log(), at.desk.stream(), 0) {
        let (record, event) = read.map_err(StoreError::from)?;
        log.push((record.header().seq, event));
        records.push(record);
    }
    Ok((records, log))
}

/// The events that are meant, whose name is opened, and what it is called.
fn wanted(
    at: &AtDesk<'_>,
    options: &Options,
    log: &Log,
) -> Result<(Vec<Seq>, Option<u32>, String), VerbError> {
    let (state, names) = (at.state()?, at.names()?);
    if let Some(seq) = options.seq {
        if seq == 0 || seq > log.len() as u64 {
            let message = format!("there is no event {seq}");
            let hint = format!("the log has events 1 to {}", log.len());
            return Err(VerbError::new(Code::not_found("no-such-event"), message, hint));
        }
        return Ok((vec![seq], None, format!("event {seq}")));
    }
    let typed = options.what.as_deref().unwrap_or_default();
    if let Some(round) = options.round.filter(|round| state.round(*round).is_none()) {
        let refused = Rejection::NoSuchRound { round };
        return Err(at.refused(&names, DeskError::Refused(refused.into())));
    }
    let Ok(table) = typed.trim().parse::<u32>() else {
        let player = names.find(typed)?;
        let seqs = events_of_player(log, player, options.round);
        return Ok((seqs, Some(player), names.name(player)));
    };
    let last = state.last_round().map(|last| last.number);
    let last = last.ok_or(DeskError::from(Objection::NoRound))?;
    let round = options.round.unwrap_or(last);
    let found = state.at_table(round, table).ok_or_else(|| {
        let refused = Rejection::NoSuchTable { round, table };
        at.refused(&names, DeskError::Refused(refused.into()))
    })?;
    let about = format!("table {table} of round {round}");
    Ok((events_of_pairing(log, found.seq()), None, about))
}
