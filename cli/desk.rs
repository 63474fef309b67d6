//! The desk's verbs: what a scorekeeper types, asked of the desk, and told in the words of the
//! hall.

mod batch;
mod closing;
mod dispute_file;
mod disputes;
mod enroll;
pub mod new;
mod next;
pub use next::step;
mod pairings;
mod people;
mod players;
mod rounds;
mod seats;
mod sheet;
mod slips;
mod tables;
mod undo;
mod words;

use crate::args::{
    Advance, AmendRules, Announce, Close, Correct, Cut, Desk as Verb, Dispute, Disputes,
    DropPlayers, Enroll, Enter, FileOfDispute, Late, Note, OpenDispute, Pair, Pairings, Penalty,
    Players, Publish, Reinstate, Rename, Repair, Reseed, RuleDispute, SetPairing, Undo, When,
    Which, WithReason, Withdraw,
};
use crate::error::CliError;
use crate::names::Names;
use crate::printable::printable;
use crate::rehearsal::Chance;
use crate::session::{Session, UNNAMED, as_of, load, scope};
use crate::signed;
use crate::{Answer, Report};
use scrutineer_desk::answers::{DeskAnswer, TournamentName, line};
use scrutineer_desk::desk::{Desk, DeskError, Done, Means, Objection, without_seat};
use scrutineer_desk::store::{Store, StoreError};
use scrutineer_engine::event::RoundNumber;
use scrutineer_engine::handler::CommandError;
use scrutineer_engine::record::{StreamId, Time};
use scrutineer_engine::rejection::Rejection;
use scrutineer_engine::tournament::Tournament;
use scrutineer_replay::loaded::{LoadedTournament, short_id};
use serde::Serialize;
use serde_json::Value;
use std::io::Write;
use std::sync::Arc;

/// Does what a scorekeeper asks for.
pub fn run(session: &Session, verb: &Verb) -> Result<Report, CliError> {
    match verb {
        Verb::New(options) => new::run(session, options),
        _ => {
            let store = match only_reads(verb) {
                true => session.store_to_read()?,
                false => session.opened_store()?,
            };
            let stream = store.find(which(verb).tournament.as_deref())?;
            at_stream(session, &store, stream, |desk| {
                let state = desk.state()?;
                match only_reads(verb) {
                    true => signed::doubt_other_log(session, &store, stream, &state),
                    false => signed::refuse_other_log(session, &store, stream, &state)?,
                }
                perform(desk, verb)
            })
        }
    }
}

/// Whether a verb records nothing.
fn only_reads(verb: &Verb) -> bool {
    matches!(
        verb,
        Verb::Players(_) | Verb::Pairings(_) | Verb::Disputes(_) | Verb::Dispute(Dispute::File(_))
    )
}

/// In how many tournaments of a store a hint looks for the open one.
const MOST_LOOKED_AT: usize = 64;

/// The event at whose desk a verb is asked.
fn which(verb: &Verb) -> Which {
    match verb {
        // It opens an event of its own, and is never asked at the desk of another one.
        Verb::New(_) => Which { tournament: None },
        Verb::Enroll(Enroll { which, .. })
        | Verb::Late(Late { which, .. })
        | Verb::Players(Players { which, .. })
        | Verb::Pair(Pair { which, .. })
        | Verb::Publish(Publish { which })
        | Verb::Pairings(Pairings { which, .. })
        | Verb::Result(Enter { which, .. })
        | Verb::Correct(Correct { which, .. })
        | Verb::Rename(Rename { which, .. })
        | Verb::Drop(DropPlayers { which, .. })
        | Verb::Reinstate(Reinstate { which, .. })
        | Verb::Undo(Undo { which, .. })
        | Verb::Disqualify(WithReason { which, .. })
        | Verb::Penalty(Penalty { which, .. })
        | Verb::Repair(Repair { which, .. })
        | Verb::SetPairing(SetPairing { which, .. })
        | Verb::Cut(Cut { which, .. })
        | Verb::Advance(Advance { which, .. })
        | Verb::Dispute(Dispute::Open(OpenDispute { which, .. }))
        | Verb::Dispute(Dispute::Rule(RuleDispute { which, .. }))
        | Verb::Dispute(Dispute::File(FileOfDispute { which, .. }))
        | Verb::Disputes(Disputes { which, .. })
        | Verb::AmendRules(AmendRules { which, .. })
        | Verb::Note(Note { which, .. })
        | Verb::Withdraw(Withdraw { which, .. })
        | Verb::Lots(Publish { which })
        | Verb::Reseed(Reseed { which, .. })
        | Verb::Announce(Announce { which, .. })
        | Verb::Close(Close { which, .. }) => which.clone(),
    }
}

/// Asks at a desk.
pub fn perform(desk: &AtDesk<'_>, verb: &Verb) -> Result<Report, CliError> {
    match verb {
        Verb::New(options) => new::run(desk.session, options),
        Verb::Enroll(options) => enroll::run(desk, options),
        Verb::Late(options) => enroll::late(desk, options),
        Verb::Players(options) => players::run(desk, options),
        Verb::Pair(options) => rounds::pair(desk, options),
        Verb::Publish(_) => rounds::publish(desk),
        Verb::Pairings(options) => pairings::run(desk, options),
        Verb::Result(options) => batch::run(desk, options),
        Verb::Correct(options) => slips::correct(desk, options),
        Verb::Rename(options) => people::rename(desk, options),
        Verb::Drop(options) => people::leave(desk, options),
        Verb::Reinstate(options) => people::reinstate(desk, options),
        Verb::Disqualify(options) => people::disqualify(desk, options),
        Verb::Penalty(options) => people::penalty(desk, options),
        Verb::Repair(options) => tables::repair(desk, options),
        Verb::SetPairing(options) => tables::set(desk, options),
        Verb::Cut(options) => closing::cut(desk, options),
        Verb::Advance(options) => slips::advance(desk, options),
        Verb::Dispute(Dispute::Open(options)) => disputes::open(desk, options),
        Verb::Dispute(Dispute::Rule(options)) => disputes::rule(desk, options),
        Verb::Dispute(Dispute::File(options)) => dispute_file::file(desk, options),
        Verb::Disputes(options) => disputes::list(desk, options),
        Verb::AmendRules(options) => words::amend_rules(desk, options),
        Verb::Note(options) => words::note(desk, options),
        Verb::Undo(options) => undo::run(desk, options),
        Verb::Withdraw(options) => words::withdraw(desk, options),
        Verb::Lots(_) => closing::lots(desk),
        Verb::Reseed(options) => words::reseed(desk, options),
        Verb::Announce(options) => closing::announce(desk, options),
        Verb::Close(options) => closing::close(desk, options),
    }
}

/// A desk at one event, and what is needed to answer there.
pub struct AtDesk<'a> {
    pub session: &'a Session,
    pub store: &'a Store,
    pub desk: Desk<'a>,
    /// The time, random bytes, and who asks.
    pub means: Means<'a>,
    /// How many tournaments the store holds.
    streams: usize,
    /// Whether this is a copy on which something is tried: nothing is recorded, nothing printed.
    pub is_trial: bool,
}

/// An event as a reader asks for it.
pub struct Seen {
    /// The event, as it was known.
    pub event: LoadedTournament,
    /// The last round that is looked at.
    pub through: Option<RoundNumber>,
    /// Who takes part, by name.
    pub names: Names,
}

/// What a verb has to say.
pub struct Told {
    /// The lines of the answer.
    pub text: String,
    /// The same for programs.
    pub json: Value,
    /// What was recorded, where something was.
    pub done: Option<(u64, u64)>,
    /// What is usually typed next.
    pub next: Option<String>,
    /// What the scorekeeper should know.
    pub notes: Vec<String>,
}

impl Told {
    /// An answer about what was recorded.
    pub fn of(done: &Done, text: String, answer: impl Serialize) -> Told {
        let last = done.first_seq + done.events.len().max(1) as u64 - 1;
        Told { done: Some((done.first_seq, last)), ..Told::only(text, answer) }
    }

    /// An answer that recorded nothing.
    pub fn only(text: String, answer: impl Serialize) -> Told {
        // As in `line`, this cannot fail.
        let json = serde_json::to_value(answer).unwrap_or_default();
        Told { text, json, done: None, next: None, notes: Vec::new() }
    }

    /// With what is usually typed next.
    pub fn next(mut self, next: impl Into<String>) -> Told {
        self.next = Some(next.into());
        self
    }
}

/// Asks at the desk of an event; where that completes a round, a checkpoint is signed.
pub fn at_stream<T>(
    session: &Session,
    store: &Store,
    stream: StreamId,
    ask: impl FnOnce(&AtDesk<'_>) -> Result<T, CliError>,
) -> Result<T, CliError> {
    let before = store.log().head(stream).map_err(StoreError::from)?.seq;
    let chance = Chance::of(session.rehearse.as_deref(), store)?;
    let (clock, random) = (|| chance.now(), || chance.random());
    let means = Means { actor: UNNAMED, clock: &clock, random: &random };
    let desk = session.desk(store, stream, means);
    let at = AtDesk::new(session, store, desk, means)?;
    let answer = ask(&at);
    // Also where it went wrong in the middle: what was recorded until then stands.
    signed::after_round(session, store, stream, before);
    if store.log().head(stream).is_ok_and(|head| head.seq > before) {
        // Whatever the note is about is recorded, so nothing about the note may fail.
        let _ = at.state().and_then(|state| {
            signed::warn_in_other_log(session, store, stream, &state);
            signed::warn_in_copy(session, store, stream, &state)
        });
    }
    answer
}

impl<'a> AtDesk<'a> {
    /// At the desk of an event.
    pub fn new(
        session: &'a Session,
        store: &'a Store,
        desk: Desk<'a>,
        means: Means<'a>,
    ) -> Result<AtDesk<'a>, CliError> {
        let streams = store.log().streams();
        let streams = streams.map_err(StoreError::from)?.len();
        Ok(AtDesk { session, store, desk, means, streams, is_trial: false })
    }

    /// At the desk of a copy of an event.
    pub fn trial(
        session: &'a Session,
        store: &'a Store,
        stream: StreamId,
        means: Means<'a>,
    ) -> AtDesk<'a> {
        let desk = Desk::at(store, stream, means);
        AtDesk { session, store, desk, means, streams: 1, is_trial: true }
    }

    /// The time by the desk's clock.
    pub fn now(&self) -> Time {
        (self.means.clock)()
    }

    /// The tournament as it stands.
    pub fn state(&self) -> Result<Arc<Tournament>, CliError> {
        Ok(self.desk.state()?)
    }

    /// The event as a reader asks for it.
    pub fn seen(&self, when: &When) -> Result<Seen, CliError> {
        let stream = self.desk.stream();
        let as_of = as_of(self.store, stream, &when.known)?;
        let event = load(self.store, stream, as_of, false)?;
        let through = scope(&event.state, when.through)?.through;
        let names = Names::of(&event.state, &event.book);
        Ok(Seen { event, through, names })
    }

    /// Who takes part, by name.
    pub fn names(&self) -> Result<Names, CliError> {
        let book = self.store.books().book(self.desk.stream());
        let book = book.map_err(StoreError::from)?;
        Ok(Names::of(&*self.state()?, &book))
    }

    /// A command to type next, with the event where the store holds several, and the store where
    /// that was typed.
    pub fn command(&self, words: &str) -> String {
        self.session.command_in_this_store(&format!("scrutineer {words}{}", self.which()))
    }

    /// What a command needs behind it, where the store holds others that could be meant.
    pub fn which(&self) -> String {
        let stream = self.desk.stream();
        let named = std::env::var("SCRUTINEER_TOURNAMENT").ok();
        // In a store of very many it takes too long to look which of them are open.
        let is_looked_at = named.is_some() || self.streams <= MOST_LOOKED_AT;
        let is_meant = || self.store.find(named.as_deref()).ok() == Some(stream);
        match self.is_trial || is_looked_at && is_meant() {
            true => String::new(),
            false => format!(" --tournament {}", short_id(stream)),
        }
    }

    /// Why the desk could not do it, with names for numbers.
    pub fn refused(&self, names: &Names, error: DeskError) -> CliError {
        let (player, pairing) = (error.player(), error.pairing());
        let stands = match &error {
            DeskError::Objection(Objection::ResultStands { table, round }) => {
                Some((*table, *round))
            }
            _ => None,
        };
        let table = match &error {
            DeskError::Refused(CommandError::Rejected(Rejection::NoSuchTable {
                round, ..
            })) => Some(*round),
            _ => None,
        };
        let other_match = match &error {
            DeskError::Refused(CommandError::Rejected(Rejection::OtherMatch { seq, pairing })) => {
                self.state().ok().and_then(|state| disputes::other_match(&state, *seq, *pairing))
            }
            _ => None,
        };
        let without = match &error {
            DeskError::Objection(Objection::WithoutTable { round, .. }) => Some(*round),
            _ => None,
        };
        let mut fail = CliError::from(error);
        if let Some((round, state)) = without.zip(self.state().ok()) {
            let all = without_seat(&state, round).into_iter().filter(|(_, from)| *from == round);
            let who = seats::told(names, round, &all.collect::<Vec<_>>());
            fail.message =
                format!("players without a table and without a bye in round {round}: {who}");
        }
        if let Some(message) = other_match {
            fail.message = message;
            fail.hint =
                Some("`scrutineer disputes` lists them; name that of this match, or none".into());
        }
        if let Some(player) = player {
            let (number, name) = (format!("player {player}"), names.name(player));
            fail.message = fail.message.replacen(&number, &name, 1);
        }
        let state = self.state().ok();
        let last = state.as_ref().and_then(|state| state.last_round()).map(|last| last.number);
        if let Some(last) = last.filter(|_| fail.code == "no-such-round") {
            fail.hint = Some(format!("rounds are 1 to {last}").into());
        }
        if let Some((seq, found)) =
            pairing.zip(state.as_ref()).and_then(|(seq, state)| Some((seq, state.match_at(seq)?)))
        {
            let at =
                format!("table {} of round {}", found.table().unwrap_or(0), found.round().number);
            for thing in ["table", "match"] {
                fail.message =
                    fail.message.replacen(&format!("the {thing} of event {seq}"), &at, 1);
            }
        }
        let found = stands.zip(state.as_ref()).and_then(|((table, round), state)| {
            let found = state.at_table(round, table)?;
            let seats: Vec<u32> = found.seats().iter().map(|seat| seat.player).collect();
            Some(slips::told(names, &seats, &found.to_result()?))
        });
        if let Some(result) = found {
            fail.message.push_str(&format!(": {result}"));
        }
        if let Some((round, state)) = table.zip(state) {
            fail.message.push_str(&format!(" (it has {})", sheet::tables_in_words(&state, round)));
        }
        fail
    }

    /// Answers: in words with what was recorded and what is typed next, or in JSON.
    pub fn answer(&self, told: Told) -> Report {
        Report { text: self.text(told), answer: Answer::Yes }
    }

    fn text(&self, told: Told) -> String {
        if self.is_trial {
            let notes = told.notes.iter().map(|note| format!("note: {note}\n"));
            return match self.session.json {
                true => line(&told.json),
                false => notes.fold(told.text, |text, note| text + &note),
            };
        }
        if self.session.json {
            let stream = self.desk.stream();
            let tournament = match self.store.summary(stream) {
                Ok(summary) => TournamentName::new(stream, summary.title),
                Err(_) => TournamentName::untitled(stream),
            };
            return line(&DeskAnswer {
                answer: told.json,
                tournament,
                first_seq: told.done.map(|(first, _)| first),
                last_seq: told.done.map(|(_, last)| last),
                notes: told.notes,
            });
        }
        for note in &told.notes {
            let note = self.session.in_this_store(note);
            let _ = writeln!(anstream::stderr(), "note: {}", printable(&note));
        }
        let recorded = told.done.map(|(first, last)| match first == last {
            true => format!("recorded as event {first}"),
            false => format!("recorded as events {first} to {last}"),
        });
        let next = told.next.map(|next| self.session.command_in_this_store(&next));
        let next = next.map(|next| format!("next: {next}"));
        let foot: Vec<String> = recorded.into_iter().chain(next).collect();
        match foot.is_empty() {
            true => told.text,
            false => format!("{}{}\n", told.text, foot.join(" · ")),
        }
    }
}
