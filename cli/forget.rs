//! `forget`: a person asks that their name goes.

mod words;

use self::words::{listed, shown, staying};
use crate::args;
use crate::error::VerbError;
use crate::loading::doubt_other_log;
use crate::session::{Session, say};
use crate::{Answer, Report};
use scrutineer_desk::answers::line;
use scrutineer_desk::forget::{Elsewhere, PairingReason, Person, Text};
use scrutineer_desk::forgetting::{Work, look};
use scrutineer_desk::store::SCREEN;
use scrutineer_engine::book::Field;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::PlayerNumber;
use scrutineer_projections::counted;
use scrutineer_replay::as_of::utc;
use scrutineer_replay::loaded::short_id;
use scrutineer_store::remembered;
use std::io::{BufRead, IsTerminal, Write};
use std::ops::Deref;

/// Empties what is theirs and what names them.
pub fn run(session: &Session, options: &args::Forget) -> Result<Report, VerbError> {
    let store = match options.dry_run {
        true => session.store_to_read()?,
        false => session.opened_store()?,
    };
    let stream = store.find(options.which.tournament.as_deref())?;
    let all = match options.everywhere {
        true => crate::tournaments::listed(&store)?,
        false => Vec::new(),
    };
    let wanted = (&options.player[..], &options.also[..]);
    let work = InWords(look(&session.asker, &store, stream, wanted, all)?);
    if options.dry_run {
        for stream in work.streams() {
            let state = store.load(stream, false)?.state;
            doubt_other_log(session, &store, stream, &state);
        }
    } else {
        work.check_logs(&session.asker, &store)?;
    }
    let nothing = work.is_done();
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
        work.carry_out(&session.asker, &store, &mut |note| say(note))?;
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

/// Asks on a terminal; without one nothing is done.
fn confirm(session: &Session, work: &InWords) -> Result<(), VerbError> {
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

/// What would be done, or was, in words.
struct InWords(Work);

impl Deref for InWords {
    type Target = Work;

    fn deref(&self) -> &Work {
        &self.0
    }
}

impl InWords {
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
        text.push_str(
            "  pages that players' phones keep for use without a network: they show the name until they are opened \
             with one, for two days at most\n",
        );
        text.push_str(
            "  mirrors, backups and handovers made before, pages that `publish-to` wrote until they are written \
             anew, and what was printed\n",
        );
        text
    }
}
