//! `prove`: a receipt that a player can keep.

use super::{latest, read_held, write};
use crate::Report;
use crate::args::Prove as Options;
use crate::error::VerbError;
use crate::noted::whole;
use crate::session::Session;
use scrutineer_desk::answers::{ProveAnswer, line};
use scrutineer_desk::desk::{DeskError, Objection};
use scrutineer_desk::orders::AtDesk;
use scrutineer_desk::receipts::{Made, Whole, receipt};
use scrutineer_desk::rehearsal::Chance;
use scrutineer_desk::store::{Export, SCREEN};
use scrutineer_engine::error::Code;
use scrutineer_engine::event::{Event, Seq};
use scrutineer_engine::rejection::Rejection;
use scrutineer_projections::counted;
use scrutineer_replay::trust::receipt::{events_of_pairing, events_of_player};

/// Writes a receipt.
pub fn run(session: &Session, at: &AtDesk<'_>, options: &Options) -> Result<Report, VerbError> {
    let earlier = options.extends.as_deref().map(read_held).transpose()?;
    let stream = at.desk.stream();
    let whole = Whole::read(at.store, stream)?;
    let (seqs, player, about) = wanted(at, options, &whole.log)?;
    let signed = latest(at)?;
    let made = receipt((at.store, stream), whole, &seqs, &signed, earlier.as_ref(), player)?;
    let Made { events: seqs, text: receipt, is_named } = made;
    if let Some(file) = &options.output {
        write(file, &receipt, options.force)?;
    }
    if is_named {
        note_export(at, options, player)?;
    }
    let Some(file) = &options.output else { return Ok(Report::yes(receipt)) };
    let (shown, short) = (file.display(), signed.checkpoint.short());
    let events = counted(seqs.len(), "event");
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
    let path = Some(options.output.as_deref().map_or_else(|| SCREEN.into(), whole));
    let (stream, what) = (Some(at.desk.stream()), "receipt".into());
    Ok(at.store.note_export(&Export { time, stream, what, path, names: true, player })?)
}

/// The events that are meant, whose name is opened, and what it is called.
fn wanted(
    at: &AtDesk<'_>,
    options: &Options,
    log: &[(Seq, Event)],
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
