//! Orders: what a person asks for at the desk, carried out and answered, the same for the command
//! line, the pages and programs.
//!
//! An [`Order`] is data. [`record`] carries one out at the desk of a tournament and gives what there
//! is to say: an answer for programs, the same in words, what comes next.

mod claims;
mod closing;
mod decided;
mod dispute_facts;
mod dispute_file;
mod disputes;
mod enroll;
mod hall;
mod like;
mod next;
mod opening;
mod order;
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

pub use crate::glance::{postponed_in, postponed_in_words};
pub use claims::{not_here, paired_unseen};
pub use decided::{changed_since, is_decided_on_sight};
pub use dispute_file::file as dispute_file;
pub use disputes::{age, is_uncorrected, list as disputes};
pub use enroll::left_as_they_are;
pub use like::{like, next_title};
pub use next::{
    CutsOfDivisions, cuts_of_divisions, is_for_engine, is_planned, next_there,
    played_out_divisions, program_of, step,
};
pub use opening::{New, check, open, open_as, slip_in_words, usual_phase};
pub use order::*;
pub use pairings::{ListedBy, RoundTold, how_it_stands, pairings, round_told};
pub use players::players;
pub use rounds::{NO_ENGINE, alone_in_division, draft_of_old_points};
pub use sheet::{Sheet, TableRow, displaced_in_words, of_old_cut, of_old_points};
pub use slips::{is_score, told as result_in_words};
pub use tables::to_seat;

use crate::answers::{DeskAnswer, TournamentName};
use crate::asker::Asker;
use crate::desk::{Asked, Desk, DeskError, Done, Means, Objection, open_round, without_seat};
use crate::names::Names;
use crate::rehearsal::Chance;
use crate::signed;
use crate::store::{Store, StoreError};
use crate::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::RoundNumber;
use scrutineer_engine::handler::CommandError;
use scrutineer_engine::record::{Actor, StreamId, Time};
use scrutineer_engine::rejection::Rejection;
use scrutineer_engine::tournament::{MatchView, Tournament};
use scrutineer_pairing::PairingError;
use scrutineer_projections::crosstable::Scope;
use scrutineer_replay::as_of::{AsOf, Moment, Timeline, parse as parse_moment, utc};
use scrutineer_replay::loaded::{LoadedTournament, short_id};
use scrutineer_replay::staff::actor_of_player;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// The actor of whoever asks without a name.
pub const UNNAMED: Actor = Actor(1);

/// In how many tournaments of a store a hint looks for the open one.
const MOST_LOOKED_AT: usize = 64;

/// What was known, and how far the tournament is looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct When {
    /// Only what had been recorded by then.
    pub as_of: Option<AsOf>,
    /// Only the rounds up to this one.
    pub through: Option<RoundNumber>,
    /// The last round that is out, where whoever reads may not see the draft behind it.
    pub out: Option<RoundNumber>,
}

/// At the desk of a tournament, and what is needed to answer there.
pub struct AtDesk<'a> {
    /// Who asks.
    pub asker: &'a Asker,
    /// The store.
    pub store: &'a Store,
    /// The desk.
    pub desk: Desk<'a>,
    /// The time, random bytes, and the actor.
    pub means: Means<'a>,
    /// How many tournaments the store holds.
    streams: usize,
    /// Whether this is a copy on which something is tried: nothing is recorded.
    pub is_trial: bool,
}

/// A tournament as a reader asks for it.
pub struct Seen {
    /// The tournament, as it was known.
    pub event: LoadedTournament,
    /// The last round that is looked at.
    pub through: Option<RoundNumber>,
    /// Who takes part, by name.
    pub names: Names,
}

/// What an order has to say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// The answer in lines for people.
    pub text: String,
    /// The same for programs.
    pub json: Value,
    /// The first and the last event that were recorded, where something was.
    pub done: Option<(u64, u64)>,
    /// Whether the command had been recorded before, and nothing new was.
    #[serde(default)]
    pub repeated: bool,
    /// What is usually typed next.
    pub next: Option<String>,
    /// What the scorekeeper should know.
    pub notes: Vec<String>,
}

impl Told {
    /// An answer about what was recorded.
    pub fn of(done: &Done, text: String, answer: impl Serialize) -> Told {
        let last = done.first_seq + done.events.len().max(1) as u64 - 1;
        let (done, repeated) = (Some((done.first_seq, last)), done.repeated);
        Told { done, repeated, ..Told::only(text, answer) }
    }

    /// An answer that recorded nothing.
    pub fn only(text: String, answer: impl Serialize) -> Told {
        // No key of an answer is anything but a text, and nothing else can fail.
        let json = serde_json::to_value(answer).unwrap_or_default();
        Told { text, json, ..Told::default() }
    }

    /// With what is usually typed next.
    #[must_use]
    pub fn next(mut self, next: impl Into<String>) -> Told {
        self.next = Some(next.into());
        self
    }

    /// For programs: the answer with its tournament, and what was recorded.
    pub fn answer(&self, tournament: TournamentName) -> DeskAnswer<Value> {
        DeskAnswer {
            answer: self.json.clone(),
            tournament,
            first_seq: self.done.map(|(first, _)| first),
            last_seq: self.done.map(|(_, last)| last),
            notes: self.notes.clone(),
        }
    }
}

/// Records what an order asks for; where that completes a round, a checkpoint is signed. What is to
/// be known beside the answer comes with it, also where it was refused.
pub fn record(
    asker: &Asker,
    store: &Store,
    stream: StreamId,
    asked: Asked,
    order: &Order,
) -> (Result<Told, VerbError>, Vec<String>) {
    at_stream(asker, store, stream, asked, |at| {
        signed::refuse_other_log(asker, store, stream, &*at.state()?)?;
        at.carry_out(order)
    })
}

/// What is said to one of several orders.
pub type Answered = Result<Told, VerbError>;

/// As [`record`], several orders one after another, each with its answer. One that is refused does not
/// stop the rest, unless the store failed.
pub fn record_all(
    asker: &Asker,
    store: &Store,
    stream: StreamId,
    orders: &[Order],
) -> (Result<Vec<Answered>, VerbError>, Vec<String>) {
    at_stream(asker, store, stream, Asked::default(), |at| {
        signed::refuse_other_log(asker, store, stream, &*at.state()?)?;
        // All who are to be dropped are known, or none is dropped.
        let drops = orders.iter().filter_map(|order| match order {
            Order::Drop(drop) => Some(&drop.player),
            _ => None,
        });
        let drops: Vec<&String> = drops.collect();
        if !drops.is_empty() {
            let names = at.names()?;
            drops.into_iter().try_for_each(|player| names.find(player).map(drop))?;
        }
        let mut answers = Vec::new();
        for order in orders {
            answers.push(at.carry_out(order));
            if let Some(Err(error)) = answers.last()
                && error.code.kind.is_of_the_store()
            {
                break;
            }
        }
        Ok(answers)
    })
}

/// Asks at the desk of a tournament; where that completes a round, a checkpoint is signed. The notes
/// are about the log, whatever was answered.
pub fn at_stream<T>(
    asker: &Asker,
    store: &Store,
    stream: StreamId,
    asked: Asked,
    ask: impl FnOnce(&AtDesk<'_>) -> Result<T, VerbError>,
) -> (Result<T, VerbError>, Vec<String>) {
    let mut notes = Vec::new();
    let answer = (|| {
        let before = store.log().head(stream).map_err(StoreError::from)?.seq;
        let chance = Chance::of(asker.rehearse.as_deref(), store)?;
        let (clock, random) = (|| chance.now(), || chance.random());
        // A player has their number, and needs no name beside it.
        let actor = asker.player.map_or(UNNAMED, actor_of_player);
        let person = asker.person.as_deref().filter(|_| asker.player.is_none());
        let means = Means { actor, clock: &clock, random: &random };
        let desk = Desk::at(store, stream, means).of_person(person).asked(asked);
        let at = AtDesk::new(asker, store, desk, means)?;
        let answer = ask(&at);
        // Also where it went wrong in the middle: what was recorded until then stands.
        notes.extend(signed::after_round(asker, store, stream, before));
        if store.log().head(stream).is_ok_and(|head| head.seq > before) {
            // Whatever the note is about is recorded, so nothing about the note may fail.
            let found = at.state().and_then(|state| {
                let other = signed::of_other_log(asker, store, stream, &state);
                let copy = signed::of_copy(asker, store, stream, &state)?;
                Ok(other.into_iter().chain(copy))
            });
            notes.extend(found.into_iter().flatten());
        }
        answer
    })();
    (answer, notes)
}

/// How much of a tournament's log was there, where somebody asks for a moment, and what they should
/// know of it. Times without an offset are those of this machine's zone. A question into the middle
/// of a command is answered as of the one before.
///
/// # Errors
/// Where the log cannot be read, or nothing like that is a moment of it.
pub fn moment(
    store: &Store,
    stream: StreamId,
    typed: Option<&str>,
) -> Result<(Option<AsOf>, Vec<String>), VerbError> {
    let Some(typed) = typed else { return Ok((None, Vec::new())) };
    let mut notes = Vec::new();
    let timeline = Timeline::read(store.log(), stream).map_err(StoreError::from)?;
    let moment = parse_moment(typed, &chrono::Local, &timeline)?;
    if let Moment::Time(time) = moment
        && parse_moment(typed, &chrono::Utc, &timeline) != Ok(moment)
    {
        notes.push(format!("{typed} is a time by this machine's clock, {}", utc(time)));
    }
    let as_of = timeline.as_of(moment)?;
    if let Some((asked, first, last)) = as_of.within {
        notes.push(format!(
            "events {first} to {last} were recorded together, and event {asked} is one of \
             them; what follows is as of event {}",
            as_of.head.seq,
        ));
    }
    Ok((Some(as_of), notes))
}

/// Reads a tournament as it was at a moment, or as it is.
///
/// # Errors
/// Where the log cannot be read.
pub fn load(
    store: &Store,
    stream: StreamId,
    as_of: Option<AsOf>,
    keep_log: bool,
) -> Result<LoadedTournament, VerbError> {
    match as_of {
        Some(as_of) => Ok(store.load_as_of(stream, as_of, keep_log)?),
        None => Ok(store.load(stream, keep_log)?),
    }
}

/// Says above an answer that it is one as of a moment, if it is.
pub fn under_moment(as_of: Option<AsOf>, text: String) -> String {
    as_of.map_or(text.clone(), |as_of| format!("{}\n{text}", as_of.line()))
}

/// As [`under_moment`], for a tournament that was loaded.
pub fn dated(event: &LoadedTournament, text: String) -> String {
    under_moment(event.as_of, text)
}

/// How far to fold; a round that does not exist is refused.
///
/// # Errors
/// Where there is no such round.
pub fn scope(state: &Tournament, through: Option<u16>) -> Result<Scope, VerbError> {
    if let Some(round) = through {
        let last = state.last_round().map_or(0, |round| round.number);
        if round == 0 || round > last {
            return Err(no_such_round(round, last));
        }
    }
    Ok(Scope { through, final_order: None })
}

/// A round that does not exist.
pub fn no_such_round(round: u16, last: u16) -> VerbError {
    let hint = match last {
        0 => "no round has been paired by then".to_string(),
        last => format!("rounds are 1 to {last}"),
    };
    VerbError::new(Code::not_found("no-such-round"), format!("there is no round {round}"), hint)
}

/// Refuses a cut that everybody makes, or nobody.
///
/// # Errors
/// Where nobody is left out, or everybody.
pub fn cut_of(asked: Option<u32>, players: usize) -> Result<(), VerbError> {
    let (message, hint) = match asked {
        Some(0) => ("a cut to 0 takes nobody".to_string(), "ask for one of 1 or more"),
        Some(asked) if asked as usize >= players => {
            let all = scrutineer_projections::counted(players, "player");
            (format!("a cut to {asked} leaves nobody out of {all}"), "ask for a smaller one")
        }
        _ => return Ok(()),
    };
    Err(VerbError::new(Code::not_found("no-such-cut"), message, hint))
}

impl<'a> AtDesk<'a> {
    /// At the desk of a tournament.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn new(
        asker: &'a Asker,
        store: &'a Store,
        desk: Desk<'a>,
        means: Means<'a>,
    ) -> Result<AtDesk<'a>, VerbError> {
        let streams = store.log().streams();
        let streams = streams.map_err(StoreError::from)?.len();
        Ok(AtDesk { asker, store, desk, means, streams, is_trial: false })
    }

    /// At the desk of a copy of a tournament.
    pub fn trial(
        asker: &'a Asker,
        store: &'a Store,
        stream: StreamId,
        means: Means<'a>,
    ) -> AtDesk<'a> {
        let desk = Desk::at(store, stream, means);
        AtDesk { asker, store, desk, means, streams: 1, is_trial: true }
    }

    /// Does what an order asks for.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn carry_out(&self, order: &Order) -> Result<Told, VerbError> {
        contradicts_nothing(order)?;
        match order {
            Order::Enroll(order) => enroll::enroll(self, order),
            Order::Late(order) => enroll::late(self, order),
            Order::Pair(order) => rounds::pair(self, order),
            Order::Publish(_) => rounds::publish(self),
            Order::Enter(order) => slips::result(self, order),
            Order::Correct(order) => slips::correct(self, order),
            Order::Rename(order) => people::rename(self, order),
            Order::SetDivision(order) => people::set_division(self, order),
            Order::Describe(order) => people::describe(self, order),
            Order::Bye(order) => people::bye(self, order),
            Order::Drop(order) => people::leave(self, order),
            Order::Reinstate(order) => people::reinstate(self, order),
            Order::Disqualify(order) => people::disqualify(self, order),
            Order::Penalty(order) => people::penalty(self, order),
            Order::Repair(order) => tables::repair(self, order),
            Order::SetPairing(order) => tables::set(self, order),
            Order::KeepTable(order) => hall::keep_table(self, order),
            Order::SetTables(order) => hall::set_tables(self, order),
            Order::Cut(order) => closing::cut(self, order),
            Order::Advance(order) => slips::advance(self, order),
            Order::Dispute(order) => disputes::open(self, order),
            Order::Rule(order) => disputes::rule(self, order),
            Order::AmendRules(order) => words::amend_rules(self, order),
            Order::Note(order) => words::note(self, order),
            Order::Undo(order) => undo::undo(self, order),
            Order::Withdraw(order) => words::withdraw(self, order),
            Order::Lots(_) => closing::lots(self),
            Order::Reseed(order) => words::reseed(self, order),
            Order::Remove(order) => words::remove(self, order),
            Order::CheckIn(order) => claims::check_in(self, order),
            Order::Claim(order) => claims::claim(self, order),
            Order::NoteScore(order) => claims::note_score(self, order),
            Order::NameStaff(order) => claims::name_staff(self, order),
            Order::Announce(order) => closing::announce(self, order),
            Order::Close(order) => closing::close(self, order),
        }
    }

    /// The time by the desk's clock.
    pub fn now(&self) -> Time {
        (self.means.clock)()
    }

    /// The tournament as it stands.
    ///
    /// # Errors
    /// Where the log cannot be read.
    pub fn state(&self) -> Result<Arc<Tournament>, VerbError> {
        Ok(self.desk.state()?)
    }

    /// The tournament as a reader asks for it.
    ///
    /// # Errors
    /// Where the log cannot be read, or there is no such moment or round.
    pub fn seen(&self, when: &When) -> Result<Seen, VerbError> {
        let stream = self.desk.stream();
        let event = load(self.store, stream, when.as_of, false)?;
        let through = scope(&event.state, when.through)?.through;
        let names = Names::of(&event.state, &event.book);
        Ok(Seen { event, through, names })
    }

    /// Who takes part, by name.
    ///
    /// # Errors
    /// Where the log or the private texts cannot be read.
    pub fn names(&self) -> Result<Names, VerbError> {
        let state = self.state()?;
        let book = self.store.book_of(self.desk.stream(), &state)?;
        Ok(Names::as_called(self.store.names().of(&state, &book)))
    }

    /// The tournament's name.
    pub fn tournament(&self) -> TournamentName {
        let stream = self.desk.stream();
        let title = || {
            let state = self.state().ok()?;
            let title = state.opened()?.title;
            let book = self.store.book_of(stream, &state).ok()?;
            Some(self.store.title_of(&book, &title))
        };
        match title() {
            Some(title) => TournamentName::new(stream, title),
            None => TournamentName::untitled(stream),
        }
    }

    /// A command to type next, with the tournament where the store holds several.
    pub fn command(&self, words: &str) -> String {
        format!("scrutineer {words}{}", self.which())
    }

    /// What a command needs behind it, where the store holds others that could be meant.
    pub fn which(&self) -> String {
        let stream = self.desk.stream();
        let named = self.asker.named.as_deref();
        // In a store of very many it takes too long to look which of them are open.
        let is_looked_at = named.is_some() || self.streams <= MOST_LOOKED_AT;
        let is_meant = || self.store.find(named).ok() == Some(stream);
        match self.is_trial || is_looked_at && is_meant() {
            true => String::new(),
            false => format!(" --tournament {}", short_id(stream)),
        }
    }

    /// Why the desk could not do it, with names for numbers.
    pub fn refused(&self, names: &Names, error: DeskError) -> VerbError {
        let (player, pairing) = (error.player(), error.pairing());
        let sits_elsewhere = matches!(
            error,
            DeskError::Refused(CommandError::Rejected(Rejection::NotAtTable { .. }))
        );
        let stands = match &error {
            DeskError::Objection(
                Objection::ResultStands { table, round }
                | Objection::OtherResult { table, round, .. },
            ) => Some((*table, *round)),
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
        let undecided = match &error {
            DeskError::Draw(PairingError::NobodyAdvances { round, table }) => {
                Some((*round, *table))
            }
            _ => None,
        };
        let mut fail = VerbError::from(error);
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
            let at = table_in_words(&found);
            for thing in ["table", "match"] {
                fail.message =
                    fail.message.replacen(&format!("the {thing} of event {seq}"), &at, 1);
            }
            if sits_elsewhere {
                let seats: Vec<u32> = found.seats().iter().map(|seat| seat.player).collect();
                fail.message.push_str(&format!(": {}", names.who_sits(&seats)));
            }
        }
        let found = stands.zip(state.as_ref()).and_then(|((table, round), state)| {
            let found = state.at_table(round, table)?;
            let seats: Vec<u32> = found.seats().iter().map(|seat| seat.player).collect();
            Some((slips::told(names, &seats, &found.to_result()?), found.is_postponed()))
        });
        if let Some((result, is_postponed)) = found {
            if is_postponed {
                fail.message = fail.message.replacen("has a result", "is not to be played now", 1);
            }
            fail.message.push_str(&format!(": {result}"));
        }
        if let Some(((round, table), state)) = undecided.zip(state.as_ref())
            && state.at_table(round, table).is_some_and(|found| found.is_postponed())
        {
            let typed = format!("correct {table} <score> --round {round} --reason <why>");
            let hint = format!("it is postponed; once it is played: `{}`", self.command(&typed));
            fail.hint = Some(hint.into());
        }
        let closed = state.as_ref().and_then(|state| state.closed());
        if let Some(seq) = closed.filter(|_| fail.code == "closed") {
            let open = self.command(&format!("withdraw {seq} --reason <why>"));
            let hint =
                format!("corrections, notes and rulings are still taken; `{open}` opens it again");
            fail.hint = Some(hint.into());
        }
        if let Some((round, state)) = table.zip(state) {
            fail.message.push_str(&format!(" (it has {})", sheet::tables_in_words(&state, round)));
        }
        fail
    }
}

/// `table 3 of round 1`.
fn table_in_words(found: &MatchView<'_>) -> String {
    format!("table {} of round {}", found.table().unwrap_or(0), found.round().number)
}

/// Refuses an order that says two things of which one can hold: those of the command's options that exclude
/// each other, where an order has a field for each.
fn contradicts_nothing(order: &Order) -> Result<(), VerbError> {
    let (message, hint) = match order {
        Order::Late(Late { losses, byes, half_byes, .. })
            if [losses, byes, half_byes].into_iter().filter(|given| **given).count() > 1 =>
        {
            (
                "a round missed is a loss, a bye or a half bye, and more than one is named",
                "name one of losses, byes and half_byes; without them the ruleset decides",
            )
        }
        Order::Rule(Rule { upheld: Some(false), score: Some(_), .. }) => (
            "a dispute that is denied leaves the result as it is, and a score is named",
            "leave the score out; where the result was wrong, uphold the dispute",
        ),
        _ => return Ok(()),
    };
    Err(VerbError::new(Code::invalid("bad-order"), message, hint))
}

/// A slip of another round than the one that is played is no result of this one.
fn is_played(state: &Tournament, round: RoundNumber) -> Result<(), VerbError> {
    let is = match open_round(state) {
        Some(open) if open.number == round => return Ok(()),
        Some(open) => format!("round {} is being played", open.number),
        None => "no round is being played".into(),
    };
    let message = format!("this is a slip of round {round}, and {is}");
    Err(VerbError::new(
        Code::conflict("other-round"),
        message,
        "where the slip is of a round that is over, `correct` takes its round",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::Slip;
    use crate::kit::Hall;

    /// A tournament in whose first round the first table has its result.
    fn begun() -> Hall {
        let hall = Hall::without_key();
        hall.at(|desk| desk.pair(None, false).expect("paired"));
        hall.at(|desk| desk.enter(Slip { table: 1, score: "2-0" }).expect("entered"));
        hall
    }

    fn give(hall: &Hall, order: &Order) -> Answered {
        record(&Asker::default(), &hall.store, hall.stream, Asked::default(), order).0
    }

    #[test]
    fn an_order_that_says_two_things_is_refused_and_a_denial_leaves_the_result() {
        let hall = begun();
        let claim = Dispute { table: "1".into(), claim: "2-1".into(), ..Dispute::default() };
        give(&hall, &claim.into()).expect("disputed");
        let denied = |score: Option<&str>| {
            let (score, reason) = (score.map(str::to_string), "seen".into());
            Order::from(Rule { dispute: 1, upheld: Some(false), score, reason })
        };
        let late = |losses, byes, half_byes| {
            let person = Person { name: "Eve".into(), ..Person::default() };
            Order::from(Late { person, losses, byes, half_byes, ..Late::default() })
        };
        let before = hall.records().len();
        for order in [
            denied(Some("2-1")),
            late(true, true, false),
            late(true, false, true),
            late(false, true, true),
        ] {
            let refused = give(&hall, &order).expect_err("two things");
            assert_eq!(refused.code, "bad-order", "{order:?}");
        }
        assert_eq!(hall.records().len(), before, "nothing was recorded");
        give(&hall, &denied(None)).expect("denied");
    }

    #[test]
    fn an_empty_note_and_a_score_that_no_match_has_are_refused() {
        let hall = begun();
        let note = |text: &str| Order::from(Note { text: text.into(), about: None });
        let noted = |slip: &str| Order::from(NoteScore { slip: slip.into() });
        let out = Disqualify { player: "Ann".into(), reason: " ".into() };
        let before = hall.records().len();
        for (order, code, message) in [
            (note(" "), "no-reason", "the note is empty"),
            (out.into(), "no-reason", "the reason is empty"),
            (noted("2 9-9"), "impossible-score", "best of 3 cannot end 9-9"),
            (noted("2 2-2"), "impossible-score", "best of 3 cannot end 2-2"),
        ] {
            let refused = give(&hall, &order).expect_err(message);
            assert_eq!((refused.code.word, &refused.message[..]), (code, message));
        }
        assert_eq!(hall.records().len(), before, "nothing was recorded");
        give(&hall, &note("late")).expect("noted");
        give(&hall, &noted("2 1-1")).expect("noted");
    }
}
