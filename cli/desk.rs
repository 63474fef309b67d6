//! The desk's verbs: what a scorekeeper types becomes orders, and what is said to them is printed.

mod batch;
mod orders;

use crate::args::{Desk as Verb, Dispute, Enter, Known, ListedBy, Which};
use crate::beside::{Beside, floor_of, no_answer};
use crate::error::{VerbError, print};
use crate::loading::{as_of, doubt_other_log};
use crate::session::{Session, say};
use crate::{Answer, Report};
pub use orders::orders_of;
use scrutineer_desk::answers::{TournamentName, line};
use scrutineer_desk::asker::Asker;
use scrutineer_desk::desk::{Asked, open_round};
use scrutineer_desk::orders::{self as desk_orders, AtDesk, NO_ENGINE, Order, Told};
use scrutineer_desk::pairing_engine::PairingEngine;
use scrutineer_desk::signed;
use scrutineer_desk::store::Store;
use scrutineer_engine::record::StreamId;
use scrutineer_replay::as_of::AsOf;
use scrutineer_replay::loaded::short_id;
use std::cell::RefCell;
use std::sync::Arc;

/// Does what a scorekeeper asks for.
pub fn run(session: &Session, verb: &Verb) -> Result<Report, VerbError> {
    if let Verb::New(typed) = verb {
        let new = orders::new(session, typed)?;
        desk_orders::check(&new)?;
        if let Some(server) = Beside::of(session.folder()) {
            let title = new.title.trim().to_string();
            let (stream, told) = server.open(&session.asker, new)?;
            let name = TournamentName { id: Some(stream), title: Some(title) };
            return Ok(Report::yes(printed(session, &|| name.clone(), told)));
        }
        let store = session.store()?;
        let (stream, told) = desk_orders::open(&session.asker, &store, &new)?;
        return Ok(Report::yes(printed(session, &|| named(&store, stream), told)));
    }
    let which = which(verb);
    if let Some((known, read)) = reading(session, verb) {
        let store = session.store_to_read()?;
        let stream = store.find(which.tournament.as_deref())?;
        return at_stream(session, &store, stream, |at| {
            doubt_other_log(session, &store, stream, &*at.state()?);
            let told = read(at, as_of(&store, stream, known)?)?;
            Ok(Report::yes(printed(session, &|| named(&store, stream), told)))
        });
    }
    let orders = orders_of(session, verb)?;
    let tournament = which.tournament.as_deref();
    let Verb::Result(typed) = verb else {
        let asker = asker(session, verb)?;
        let mut orders = orders;
        for order in &mut orders {
            // What somebody names pairs the round, or it is refused.
            if let (Order::Pair(pair), Some(engine)) = (order, &asker.engine) {
                pair.engine = Some(engine.name.clone());
            }
        }
        return carry_out_by(session, &asker, tournament, orders);
    };
    session.existing_store()?;
    if let Some(server) = Beside::of(session.folder()) {
        return beside_server(session, &server, Some(typed), tournament, orders);
    }
    let store = session.opened_store()?;
    let stream = store.find(tournament)?;
    at_stream(session, &store, stream, |at| {
        signed::refuse_other_log(&session.asker, &store, stream, &*at.state()?)?;
        let enter = |slip: &str| {
            at.carry_out(&desk_orders::Enter { slip: slip.into(), round: None }.into())
        };
        batch::run(
            session,
            typed,
            &batch::Counter { enter: &enter, name: &|| named(&store, stream), left: &|| left(at) },
        )
    })
}

/// Gives orders at the desk of a tournament, and prints what is said to them.
pub fn carry_out(
    session: &Session,
    tournament: Option<&str>,
    orders: Vec<Order>,
) -> Result<Report, VerbError> {
    carry_out_by(session, &session.asker, tournament, orders)
}

fn carry_out_by(
    session: &Session,
    asker: &Asker,
    tournament: Option<&str>,
    orders: Vec<Order>,
) -> Result<Report, VerbError> {
    session.existing_store()?;
    tell_wishes(session, tournament, &orders)?;
    // A server runs the engine that it was started with and no other: for another one it lends the store.
    if let Some(server) = Beside::of(session.folder()).filter(|_| asker.engine.is_none()) {
        return beside_server(session, &server, None, tournament, orders);
    }
    let store = session.opened_store()?;
    let stream = store.find(tournament)?;
    let (answers, notes) = desk_orders::record_all(asker, &store, stream, &orders);
    let report = answers.and_then(|answers| answered(session, &|| named(&store, stream), answers));
    notes.iter().for_each(|note| say(note));
    report
}

/// Tells, before a tournament goes on, who said on their phone that they wish to drop, and stays in it. A
/// server is asked before it lends its store: then it answers nothing.
fn tell_wishes(
    session: &Session,
    tournament: Option<&str>,
    orders: &[Order],
) -> Result<(), VerbError> {
    // Behind a closing there is nothing more to drop from.
    let goes_on = |order: &Order| matches!(order, Order::Pair(_) | Order::Cut(_));
    if !orders.iter().any(goes_on) {
        return Ok(());
    }
    let store = session.store_to_read()?;
    let stream = store.find(tournament)?;
    let Some(floor) = floor_of(&session.store, || session.opened_store(), stream)? else {
        return Ok(());
    };
    let event = store.load(stream, true)?;
    for player in floor.waiting_wishes(&event.state) {
        let (name, id) = (event.name(player), short_id(stream));
        let command = format!("`scrutineer drop {player} --tournament {id}`");
        say(&format!("{name} wishes to drop, and takes part until somebody does it: {command}"));
    }
    Ok(())
}

/// Who asks; with the pairing engine that they name.
fn asker(session: &Session, verb: &Verb) -> Result<Asker, VerbError> {
    let mut asker = session.asker.clone();
    if let Verb::Pair(typed) = verb
        && let Some(command) = typed.engine.as_ref().filter(|typed| *typed != NO_ENGINE)
    {
        let engine =
            PairingEngine::named(command, typed.engine_seconds, typed.engine_folder.as_deref())?;
        asker.engine = Some(Arc::new(engine));
    }
    Ok(asker)
}

/// As [`run`], where a server has the store: it records, and what it says is printed.
fn beside_server(
    session: &Session,
    server: &Beside,
    typed: Option<&Enter>,
    tournament: Option<&str>,
    orders: Vec<Order>,
) -> Result<Report, VerbError> {
    let found = || {
        let store = session.store_to_read()?;
        let stream = store.find(tournament)?;
        Ok::<_, VerbError>((store, stream))
    };
    let (store, stream) = found()?;
    let name = named(&store, stream);
    drop(store);
    let (id, notes) = (stream.to_string(), RefCell::new(Vec::new()));
    let pass = |orders: Vec<Order>| {
        let heard = server.orders(&session.asker, &id, orders)?;
        notes.borrow_mut().extend(heard.notes);
        Ok::<_, VerbError>(heard.answers)
    };
    let report = if let Some(typed) = typed {
        let enter = |slip: &str| {
            let answers = pass(vec![desk_orders::Enter { slip: slip.into(), round: None }.into()])?;
            answers.into_iter().next().unwrap_or_else(|| Err(no_answer()))
        };
        let left = || {
            let (store, stream) = found()?;
            at_stream(session, &store, stream, left)
        };
        let counter = batch::Counter { enter: &enter, name: &|| name.clone(), left: &left };
        batch::run(session, typed, &counter)
    } else {
        pass(orders).and_then(|answers| answered(session, &|| name.clone(), answers))
    };
    notes.borrow().iter().for_each(|note| say(note));
    report
}

/// What the open round lacks, and what comes next where it lacks nothing.
fn left(at: &AtDesk<'_>) -> Result<batch::Left, VerbError> {
    let state = at.state()?;
    let round = open_round(&state).map(|open| (open.open_matches, open.number));
    let next = match round {
        Some((0, _)) => Some(desk_orders::step(at, &state)?),
        _ => None,
    };
    Ok(batch::Left { round, next })
}

/// What is printed of the answers to orders: one who has left already does not stop the rest.
fn answered(
    session: &Session,
    name: &dyn Fn() -> TournamentName,
    answers: Vec<Result<Told, VerbError>>,
) -> Result<Report, VerbError> {
    let (mut text, mut answer, several) = (String::new(), Answer::Yes, answers.len() > 1);
    for told in answers {
        match told {
            Ok(told) => text.push_str(&printed(session, name, told)),
            Err(error) if several && !error.code.kind.is_of_the_store() => {
                print(&error, session.json);
                answer = Answer::No;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(Report { text, answer })
}

/// The name of a tournament.
fn named(store: &Store, stream: StreamId) -> TournamentName {
    match store.summary(stream) {
        Ok(summary) => TournamentName::new(stream, summary.title),
        Err(_) => TournamentName::untitled(stream),
    }
}

/// How a verb reads what was known at a moment.
type Reading<'a> = Box<dyn Fn(&AtDesk<'_>, Option<AsOf>) -> Result<Told, VerbError> + 'a>;

/// The moment that a verb asks for and how it reads, where it records nothing.
fn reading<'a>(session: &'a Session, verb: &'a Verb) -> Option<(&'a Known, Reading<'a>)> {
    Some(match verb {
        Verb::Players(typed) => {
            let through = typed.when.through;
            let read = move |at: &AtDesk<'_>, as_of| {
                desk_orders::players(at, &desk_orders::When { as_of, through, out: None })
            };
            (&typed.when.known, Box::new(read))
        }
        Verb::Pairings(typed) => {
            let through = typed.when.through;
            let read = move |at: &AtDesk<'_>, as_of| {
                let by = match typed.by {
                    ListedBy::Table => desk_orders::ListedBy::Table,
                    ListedBy::Name => desk_orders::ListedBy::Name,
                };
                let when = desk_orders::When { as_of, through, out: None };
                desk_orders::pairings(at, typed.round, by, &when)
            };
            (&typed.when.known, Box::new(read))
        }
        Verb::Disputes(typed) => {
            let read = |at: &AtDesk<'_>, as_of| desk_orders::disputes(at, typed.open, as_of);
            (&typed.known, Box::new(read))
        }
        Verb::Dispute(Dispute::File(typed)) => {
            let read = |at: &AtDesk<'_>, as_of| {
                let open = || session.opened_store();
                let floor = floor_of(&session.store, open, at.desk.stream());
                let floor = floor.unwrap_or_else(|error| {
                    say(&format!("what was done on the floor is left out: {}", error.message));
                    None
                });
                desk_orders::dispute_file(at, typed.number, as_of, typed.cut, floor.as_ref())
            };
            (&typed.known, Box::new(read))
        }
        _ => return None,
    })
}

/// The tournament at whose desk a verb is asked.
fn which(verb: &Verb) -> Which {
    match verb {
        // It opens a tournament of its own, and is never asked at the desk of another one.
        Verb::New(_) => Which { tournament: None },
        Verb::Enroll(typed) => typed.which.clone(),
        Verb::Late(typed) => typed.which.clone(),
        Verb::Players(typed) => typed.which.clone(),
        Verb::Pair(typed) => typed.which.clone(),
        Verb::Publish(typed) | Verb::Lots(typed) => typed.which.clone(),
        Verb::Pairings(typed) => typed.which.clone(),
        Verb::Result(typed) => typed.which.clone(),
        Verb::Correct(typed) => typed.which.clone(),
        Verb::Rename(typed) => typed.which.clone(),
        Verb::SetDivision(typed) => typed.which.clone(),
        Verb::KeepTable(typed) => typed.which.clone(),
        Verb::Tables(typed) => typed.which.clone(),
        Verb::Describe(typed) => typed.which.clone(),
        Verb::CheckIn(typed) => typed.which.clone(),
        Verb::Claim(typed) => typed.which.clone(),
        Verb::NoteScore(typed) => typed.which.clone(),
        Verb::NameStaff(typed) => typed.which.clone(),
        Verb::Bye(typed) => typed.which.clone(),
        Verb::Drop(typed) => typed.which.clone(),
        Verb::Reinstate(typed) => typed.which.clone(),
        Verb::Undo(typed) => typed.which.clone(),
        Verb::Disqualify(typed) => typed.which.clone(),
        Verb::Penalty(typed) => typed.which.clone(),
        Verb::Repair(typed) => typed.which.clone(),
        Verb::SetPairing(typed) => typed.which.clone(),
        Verb::Cut(typed) => typed.which.clone(),
        Verb::Advance(typed) => typed.which.clone(),
        Verb::Dispute(Dispute::Open(typed)) => typed.which.clone(),
        Verb::Dispute(Dispute::Rule(typed)) => typed.which.clone(),
        Verb::Dispute(Dispute::File(typed)) => typed.which.clone(),
        Verb::Disputes(typed) => typed.which.clone(),
        Verb::AmendRules(typed) => typed.which.clone(),
        Verb::Note(typed) => typed.which.clone(),
        Verb::Withdraw(typed) => typed.which.clone(),
        Verb::Reseed(typed) => typed.which.clone(),
        Verb::Announce(typed) => typed.which.clone(),
        Verb::Close(typed) => typed.which.clone(),
    }
}

/// Asks at the desk of a tournament; what is to be known about its log goes to standard error.
pub fn at_stream<T>(
    session: &Session,
    store: &Store,
    stream: StreamId,
    ask: impl FnOnce(&AtDesk<'_>) -> Result<T, VerbError>,
) -> Result<T, VerbError> {
    let (answer, notes) =
        desk_orders::at_stream(&session.asker, store, stream, Asked::default(), ask);
    notes.iter().for_each(|note| say(note));
    answer
}

/// What is said to an order: in words with what was recorded and what is typed next, or in JSON.
pub fn printed(session: &Session, name: &dyn Fn() -> TournamentName, told: Told) -> String {
    if session.json {
        return line(&told.answer(name()));
    }
    for note in &told.notes {
        say(note);
    }
    let recorded = told.done.map(|(first, last)| match first == last {
        true => format!("recorded as event {first}"),
        false => format!("recorded as events {first} to {last}"),
    });
    let next = told.next.map(|next| session.command_in_this_store(&next));
    let next = next.map(|next| format!("next: {next}"));
    let foot: Vec<String> = recorded.into_iter().chain(next).collect();
    match foot.is_empty() {
        true => told.text,
        false => format!("{}{}\n", told.text, foot.join(" · ")),
    }
}

/// What is said to an order that is only tried.
pub fn tried(session: &Session, told: Told) -> String {
    let notes = told.notes.iter().map(|note| format!("note: {note}\n"));
    match session.json {
        true => line(&told.json),
        false => notes.fold(told.text, |text, note| text + &note),
    }
}
