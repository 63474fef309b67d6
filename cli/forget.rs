//! `forget`: a person asks that their name goes.

mod words;

use self::words::{listed, shown, staying, what, why};
use crate::args;
use crate::desk::at_stream;
use crate::error::VerbError;
use crate::session::Session;
use crate::session::doubt_other_log;
use crate::{Answer, Report};
use scrutineer_desk::answers::{
    ForgetAnswer, ForgottenElsewhere, ForgottenText, TournamentName, line,
};
use scrutineer_desk::forget::{
    Elsewhere, Known, PairingReason, Person, Plan, Text, elsewhere, mentions, plan, staff_called,
};
use scrutineer_desk::names::find_player;
use scrutineer_desk::signed::{is_carried_on, refuse_other_log};
use scrutineer_desk::store::{Export, SCREEN, Store};
use scrutineer_engine::book::{Field, Opened};
use scrutineer_engine::error::Code;
use scrutineer_engine::event::{Event, PlayerNumber, Seq, Traces};
use scrutineer_engine::names::folded;
use scrutineer_engine::record::StreamId;
use scrutineer_projections::counted;
use scrutineer_replay::as_of::utc;
use scrutineer_replay::loaded::{LoadedTournament, short_id};
use scrutineer_store::remembered;
use std::io::{BufRead, IsTerminal, Write};

/// What would be done, or was.
struct Work {
    event: LoadedTournament,
    plan: Plan,
    /// Other events, each with what it holds of them.
    others: Vec<Other>,
    /// Exports with names that hold what is emptied.
    exports: Vec<Export>,
    /// How many lines of the list of exports cannot be read.
    unreadable: u64,
    /// Texts that an earlier `forget` named in the log and, cut off, did not empty.
    unfinished: Vec<u32>,
    /// Whether this is a copy of somebody else's event.
    is_copy: bool,
}

/// Another event of the store.
struct Other {
    stream: StreamId,
    title: String,
    found: Elsewhere,
}

/// Empties what is theirs and what names them.
pub fn run(session: &Session, options: &args::Forget) -> Result<Report, VerbError> {
    let store = match options.dry_run {
        true => session.store_to_read()?,
        false => session.opened_store()?,
    };
    let work = look(session, &store, options)?;
    let others = work.others.iter().map(|other| other.stream);
    for stream in std::iter::once(work.event.stream).chain(others) {
        let state = store.load(stream, false)?.state;
        match options.dry_run {
            true => doubt_other_log(session, &store, stream, &state),
            false => refuse_other_log(&session.asker, &store, stream, &state)?,
        }
    }
    let nothing =
        work.plan.emptied.is_empty() && work.others.is_empty() && work.unfinished.is_empty();
    let mut text = String::new();
    if nothing {
        text.push_str(&work.nothing());
        text.push_str(&work.staying());
    } else if options.dry_run {
        text.push_str(&work.would());
        text.push_str("nothing was changed: this was a dry run\n");
    } else {
        if !options.yes {
            confirm(session, &work)?;
        }
        work.carry_out(session, &store)?;
        text.push_str(&work.done());
        match remembered(session.folder()) {
            Ok(Some(mirror)) => text.push_str(&format!(
                "the mirror in {} follows when it is next written; a stick may keep old bytes\n",
                mirror.folder.display()
            )),
            Ok(None) => {}
            // A note has said that nobody knows.
            Err(_) => {
                text.push_str("if there is a mirror, name it: it follows when it is written\n")
            }
        }
    }
    if session.json {
        let done = !options.dry_run && !nothing;
        text = line(&work.answer(done, options.dry_run));
    }
    Ok(Report { text, answer: Answer::Yes })
}

fn look(session: &Session, store: &Store, options: &args::Forget) -> Result<Work, VerbError> {
    let stream = store.find(options.which.tournament.as_deref())?;
    let event = store.load(stream, true)?;
    let (person, name) = who(&event, &options.player)?;
    let plan = plan(facts(&event), &event.book, person, &name, &options.also)?;
    let mut named = Traces::default();
    event.log.iter().for_each(|(_, fact)| named.take(fact));
    let unfinished = named
        .forgotten()
        .filter(|number| event.book.entry(*number).is_some() && !plan.numbers().contains(number));
    let unfinished: Vec<u32> = unfinished.collect();
    let is_copy = !is_carried_on(&session.asker, store, stream, &event.state)?;
    let mut others = Vec::new();
    if options.everywhere && !plan.known.is_empty() {
        for summary in crate::tournaments::listed(store)? {
            let (stream, title) = (summary.stream, summary.title);
            let book = store.books().book(stream).map_err(store_error)?;
            // Most events have nothing of them: their logs need not be read.
            if stream == event.stream || !mentions(&book, &plan.known) {
                continue;
            }
            let other = store.load(stream, true)?;
            let found = elsewhere(facts(&other), &other.book, &plan.known);
            if found != Elsewhere::Nothing {
                others.push(Other { stream, title, found });
            }
        }
    }
    let (mut exports, mut unreadable) = (Vec::new(), 0);
    let emptied = others.iter().map(|other| match &other.found {
        Elsewhere::Found(plan) => (other.stream, plan.person),
        _ => (other.stream, None),
    });
    for (stream, person) in std::iter::once((event.stream, plan.person)).chain(emptied) {
        let noted = store.exports(stream)?;
        unreadable = noted.unreadable;
        // The receipt of somebody else holds no name of theirs.
        let holds_his = |export: &Export| {
            let only = export.player.map(Person::Player);
            export.names && (only.is_none() || only == person)
        };
        for export in noted.exports.into_iter().filter(holds_his) {
            if !exports.contains(&export) {
                exports.push(export);
            }
        }
    }
    exports.sort_by_key(|export| export.time);
    Ok(Work { event, plan, others, exports, unreadable, unfinished, is_copy })
}

fn store_error(error: scrutineer_engine::book::BookError) -> VerbError {
    scrutineer_desk::store::StoreError::from(error).into()
}

fn facts(event: &LoadedTournament) -> impl Iterator<Item = (Seq, &Event)> {
    event.log.iter().map(|(header, fact)| (header.seq, fact))
}

/// The player that is meant, also one whose enrollment was withdrawn; or one of the staff, or somebody
/// who only stands in a list of members, by their whole name.
fn who(event: &LoadedTournament, typed: &str) -> Result<(Option<Person>, String), VerbError> {
    let player = |number: PlayerNumber| Ok((Some(Person::Player(number)), String::new()));
    let wanted = folded(typed);
    let is_whole = |number: PlayerNumber| {
        let own = event.state.player(number).map(|player| event.book.text(&player.name));
        let own =
            own.and_then(|text| if let Opened::Text(text) = text { Some(text) } else { None });
        let called = [Some(event.name(number)), own.map(str::to_string)];
        wanted.trim_start_matches('#').parse() == Ok(number)
            || called.iter().flatten().any(|name| folded(name) == wanted)
    };
    let found = find_player(event, typed);
    match found.clone() {
        Ok(number) if is_whole(number) => return player(number),
        Err(fail) if fail.code != "unknown-player" => return Err(fail),
        _ => {}
    }
    let withdrawn = event.state.players().iter().filter(|player| player.withdrawn);
    if let Some(number) = withdrawn.map(|player| player.number).find(|number| is_whole(*number)) {
        return player(number);
    }
    let known = Known::by_name(typed);
    // As their name is found in texts: with or without accents, turned round.
    let called = event.state.players().iter().filter(|player| {
        matches!(event.book.text(&player.name), Opened::Text(text) if known.is_exactly(text))
    });
    match called.map(|player| player.number).collect::<Vec<_>>()[..] {
        [] => {}
        [number] => return player(number),
        [first, ..] => {
            let message = format!("several players are called {typed:?}");
            let hint = format!("`scrutineer players` lists them; type the number: \"#{first}\"");
            return Err(VerbError::new(Code::not_found("which-player"), message, hint));
        }
    }
    match staff_called(facts(event), &event.book, typed)[..] {
        [] => {}
        [person] => return Ok((Some(person), typed.to_string())),
        // One person may have had several numbers.
        [..] => return Ok((None, typed.to_string())),
    }
    if !known.is_empty() && event.book.entries().any(|entry| known.is_exactly(&entry.text)) {
        return Ok((None, typed.to_string()));
    }
    // Elsewhere a part of a name will do. This cannot be undone.
    let number = found?;
    let message = format!("{typed:?} is only a part of {}, player {number}", event.name(number));
    let hint = format!("type the whole name if that is who is meant, or the number: \"#{number}\"");
    Err(VerbError::new(Code::invalid("whole-name-needed"), message, hint))
}

/// Asks on a terminal; without one nothing is done.
fn confirm(session: &Session, work: &Work) -> Result<(), VerbError> {
    let hint = "see what would be emptied with --dry-run, then do it with --yes";
    let refused = |message: &str| VerbError::new(Code::refused("not-confirmed"), message, hint);
    if session.json || !std::io::stdin().is_terminal() {
        return Err(refused("what is emptied cannot be brought back, and nobody said yes to it"));
    }
    let mut err = anstream::stderr();
    let _ = write!(err, "{}this cannot be undone; type yes to do it: ", work.would());
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line);
    match read.is_ok() && line.trim().eq_ignore_ascii_case("yes") {
        true => Ok(()),
        false => Err(refused("nothing was changed: that was no yes")),
    }
}

impl Work {
    /// What they are called from now on.
    fn stand_in(&self) -> String {
        self.plan.person.map_or("nobody".into(), |person| person.to_string())
    }

    fn nothing(&self) -> String {
        let title = self.event.title();
        match self.plan.person {
            Some(person) => format!("{person} of {title} is forgotten already\n"),
            None => format!("nothing of theirs stands in {title}\n"),
        }
    }

    /// What would be emptied, with its words.
    fn would(&self) -> String {
        let title = self.event.title();
        let mut text = match self.plan.person {
            Some(Person::Player(number)) => {
                format!("{} is player {number} of {title}\n", self.event.name(number))
            }
            Some(Person::Staff(actor)) => format!("one of the staff of {title}, actor {actor}\n"),
            None => format!("somebody who is no player of {title} themselves\n"),
        };
        text.push_str("to be emptied:\n");
        text.push_str(&listed(&self.plan.emptied));
        text.push_str(&self.staying());
        for other in &self.others {
            if let Elsewhere::Found(plan) = &other.found {
                let who =
                    plan.person.map_or(String::new(), |who| format!(", where they are {who}"));
                let (id, title) = (short_id(other.stream), &other.title);
                text.push_str(&format!("to be emptied in {title} ({id}){who}:\n"));
                text.push_str(&listed(&plan.emptied));
            }
        }
        text.push_str(&self.staying_elsewhere());
        if self.is_copy {
            text.push_str(
                "this is a copy of somebody else's tournament: the log here gets an event of its own, and \
                 their next bundle no longer fits behind it\n",
            );
        }
        text.push_str(&self.unfinished());
        text.push_str(&self.warnings());
        text
    }

    fn unfinished(&self) -> String {
        match self.unfinished.len() {
            0 => String::new(),
            count => format!(
                "besides, {} that an earlier `forget` named and did not empty\n",
                counted(count, "text")
            ),
        }
    }

    /// What was done, without their name.
    fn done(&self) -> String {
        let entries = |count: usize| counted(count, "text");
        let (count, title) = (entries(self.plan.emptied.len()), self.title_after());
        let mut text = match self.plan.person {
            Some(person) => format!("{person} of {title} is forgotten: {count} emptied\n"),
            None => format!("{count} emptied in {title}\n"),
        };
        let asked = |text: &&Text| text.because == PairingReason::Asked;
        let asked: Vec<Text> = self.plan.emptied.iter().filter(asked).cloned().collect();
        if !asked.is_empty() {
            text.push_str("among them, since they were asked for:\n");
            text.push_str(&listed(&asked));
        }
        text.push_str(&self.unfinished());
        text.push_str(&self.staying());
        for other in &self.others {
            if let Elsewhere::Found(plan) = &other.found {
                let count = entries(plan.emptied.len());
                let who =
                    plan.person.map_or(String::new(), |who| format!(", where they were {who}"));
                text.push_str(&format!(
                    "{count} emptied in tournament {}{who}\n",
                    short_id(other.stream)
                ));
            }
        }
        text.push_str(&self.staying_elsewhere());
        text.push_str(&self.warnings());
        text.push_str(
            "the log says which texts were emptied, by number, and verifies: `scrutineer verify`\n",
        );
        text
    }

    /// What stays, and how it can go too.
    fn staying(&self) -> String {
        staying(&self.plan, "these stay", "")
    }

    fn staying_elsewhere(&self) -> String {
        let found = self.others.iter().filter_map(|other| match &other.found {
            Elsewhere::Found(plan) => Some((other, plan)),
            _ => None,
        });
        let told = found.map(|(other, plan)| {
            let id = short_id(other.stream);
            let who = plan.person.and_then(Person::player);
            let who = who.map_or("<name>".into(), |player| player.to_string());
            let which =
                format!(", in a command of its own: scrutineer forget {who} --tournament {id}");
            staying(plan, &format!("these stay in tournament {id}"), &which)
        });
        told.collect()
    }

    /// The title, unless their name stood in it.
    fn title_after(&self) -> String {
        match self.plan.emptied.iter().any(|text| text.field == Field::Title) {
            true => format!("tournament {}", short_id(self.event.stream)),
            false => self.event.title(),
        }
    }

    /// What is left of them.
    fn warnings(&self) -> String {
        let mut text = String::new();
        let numbers = |players: &[PlayerNumber]| -> String {
            players.iter().map(|n| format!("player {n}")).collect::<Vec<_>>().join(", ")
        };
        if !self.plan.namesakes.is_empty() {
            let who = numbers(&self.plan.namesakes);
            text.push_str(&format!("called the same, and not touched: {who}\n"));
        }
        for other in &self.others {
            if let Elsewhere::Unclear(players) = &other.found {
                let (id, who) = (short_id(other.stream), numbers(players));
                text.push_str(&format!(
                    "not touched, since it may be somebody else: {who} of tournament {id}; if it is \
                     them: scrutineer forget <number> --tournament {id}\n"
                ));
            }
        }
        text.push_str("out of reach:\n");
        for export in &self.exports {
            let path = export.path.as_deref();
            let kept = match path.is_some_and(|path| self.names_him(path)) {
                true => " (named here for the last time)",
                false => "",
            };
            let path = match path {
                None => "where to is not known any more".into(),
                Some(SCREEN) => "printed to a screen".into(),
                Some(path) => shown(path),
            };
            let what = match export.player {
                Some(player) => format!("{} of player {player}", export.what),
                None => export.what.clone(),
            };
            let time = utc(export.time);
            text.push_str(&format!("  exported with names: {what}, {time}, {path}{kept}\n"));
        }
        if self.unreadable > 0 {
            let lines = counted(self.unreadable, "line");
            text.push_str(&format!(
                "  {lines} of the list of exports cannot be read: what was noted there is not known\n"
            ));
        }
        text.push_str("  mirrors, backups and handovers made before, and what was printed\n");
        text
    }

    fn names_him(&self, path: &str) -> bool {
        let others = self.others.iter().filter_map(|other| match &other.found {
            Elsewhere::Found(plan) => Some(&plan.known),
            _ => None,
        });
        std::iter::once(&self.plan.known).chain(others).any(|known| known.is_in(path))
    }

    /// The event that was named goes last: as long as it is not done, its name can be typed again.
    fn carry_out(&self, session: &Session, store: &Store) -> Result<(), VerbError> {
        let forget = |stream: StreamId, numbers: &[u32]| {
            at_stream(session, store, stream, |at| Ok(at.desk.forget(numbers)?))
        };
        for other in &self.others {
            if let Elsewhere::Found(plan) = &other.found {
                forget(other.stream, &plan.numbers())?;
            }
        }
        store.forget_paths(&|path| self.names_him(path))?;
        forget(self.event.stream, &[self.plan.numbers(), self.unfinished.clone()].concat())?;
        Ok(())
    }

    fn answer(&self, done: bool, with_texts: bool) -> ForgetAnswer {
        let texts = |texts: &[Text]| -> Vec<ForgottenText> {
            let one = |text: &Text| ForgottenText {
                entry: text.entry,
                what: what(text).to_string(),
                seq: text.seq,
                because: why(text.because).to_string(),
                text: with_texts.then(|| text.text.clone()),
            };
            texts.iter().map(one).collect()
        };
        let elsewhere = self.others.iter().filter_map(|other| {
            let tournament = TournamentName::new(other.stream, &other.title);
            Some(match &other.found {
                Elsewhere::Found(plan) => ForgottenElsewhere::Found {
                    tournament,
                    player: plan.person.and_then(Person::player),
                    emptied: texts(&plan.emptied),
                    staying: texts(&plan.staying),
                },
                Elsewhere::Unclear(players) => {
                    ForgottenElsewhere::Unclear { tournament, unclear: players.clone() }
                }
                Elsewhere::Nothing => return None,
            })
        });
        ForgetAnswer {
            tournament: (&self.event).into(),
            player: self.plan.person.and_then(Person::player),
            actor: match self.plan.person {
                Some(Person::Staff(actor)) => Some(actor),
                _ => None,
            },
            stand_in: self.stand_in(),
            done,
            already: self.plan.emptied.is_empty() && self.others.is_empty(),
            emptied: texts(&self.plan.emptied),
            staying: texts(&self.plan.staying),
            namesakes: self.plan.namesakes.clone(),
            elsewhere: elsewhere.collect(),
            exports: self.exports.iter().map(Into::into).collect(),
            exports_unreadable: self.unreadable,
        }
    }
}
