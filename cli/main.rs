//! The command: parse, call, print. No value and no place is computed here.

mod args;
mod backup;
mod beside;
mod bundle;
mod clicked;
mod compare;
mod demo;
mod desk;
mod draw;
#[cfg(feature = "serve")]
mod enroll_store;
mod error;
mod explain;
#[cfg(feature = "serve")]
mod follow;
mod forget;
mod import;
mod loading;
mod noted;
mod output;
mod overview;
mod printable;
#[cfg(feature = "serve")]
mod publish_to;
mod reach;
mod rebuild;
mod replay;
mod restore;
mod review;
mod rules;
#[cfg(feature = "serve")]
mod serve;
mod session;
mod simulate;
mod snapshots;
mod standings;
mod store;
mod tournaments;
mod trace;
mod trust;
mod usage;
mod verify;
mod what_if;

use args::{Args, Verb};
use clap::{CommandFactory, FromArgMatches};
use error::VerbError;
use printable::printable;
use session::Session;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

/// Folding makes and drops many columns at once; this allocator keeps their memory for the next.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What the exit code says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    /// All is well.
    Yes = 0,
    /// Findings, differences, refusals.
    No = 1,
    /// It could not be done.
    CouldNot = 2,
    /// Nothing is wrong, but not all of it could be checked.
    NotChecked = 3,
}

/// What a verb has to say, and whether the answer is yes.
pub struct Report {
    /// For standard output.
    pub text: String,
    /// The exit code.
    pub answer: Answer,
}

impl Report {
    /// A good answer.
    pub fn yes(text: impl Into<String>) -> Report {
        Report { text: text.into(), answer: Answer::Yes }
    }
}

/// sled panics where its files are damaged. Its threads are watched and the store goes on without
/// it, which is told as a note: what the panic itself says is of no use to anybody.
fn keep_quiet_about_sled() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let thread = std::thread::current();
        let of_sled = ["sled", "log flusher"];
        if !thread.name().is_some_and(|name| of_sled.iter().any(|one| name.starts_with(one))) {
            usual(info);
        }
    }));
}

fn main() -> ExitCode {
    keep_quiet_about_sled();
    let clicked = clicked::meant();
    let words = clicked.clone().unwrap_or_else(|| forfeits(std::env::args_os().collect()));
    let typed = usage::in_groups(Args::command()).try_get_matches_from(words);
    let args = match typed.and_then(|mut found| Args::from_arg_matches_mut(&mut found)) {
        Ok(args) => Args { clicked: clicked.is_some(), ..args },
        // Help and the version are no refusals.
        Err(error) if error.use_stderr() && wants_json() => {
            error::print(&usage::refused(&usage::for_people(error)), true);
            return ExitCode::from(Answer::CouldNot as u8);
        }
        Err(error) => usage::for_people(error).exit(),
    };
    match run(&args) {
        Ok(report) => {
            // A reader who has seen enough, such as `head`, is no failure.
            let _ = anstream::stdout().write_all(printable(&report.text).as_bytes());
            ExitCode::from(report.answer as u8)
        }
        Err(fail) => {
            error::print(&fail, args.json);
            if args.clicked {
                clicked::wait();
            }
            ExitCode::from(error::exit(&fail) as u8)
        }
    }
}

/// What was typed, with the forfeits of a slip, such as `result 1 -+`, in signs that begin no option.
fn forfeits(mut words: Vec<OsString>) -> Vec<OsString> {
    let is_verb = |word: &OsString| ["result", "correct", "claim"].iter().any(|verb| word == verb);
    let from = words.iter().position(is_verb).map_or(words.len(), |at| at + 2);
    for at in from..words.len() {
        // Two dashes alone end options, unless a result may stand there.
        let is_last = words.get(at + 1).is_none_or(|next| next.to_string_lossy().starts_with("--"));
        match words[at].to_str() {
            Some("-+" | "-/+" | "--+") => words[at] = "l-w forfeit".into(),
            Some("-/-" | "---") => words[at] = "l-l forfeit".into(),
            Some("--") if is_last => words[at] = "l-l forfeit".into(),
            _ => {}
        }
    }
    words
}

/// Whether what was typed asks for JSON, where it cannot be read otherwise.
fn wants_json() -> bool {
    std::env::args_os().skip(1).take_while(|word| word != "--").any(|word| word == "--json")
}

/// Whether a verb is about one tournament of the store.
fn is_about_one_event(verb: &Verb) -> bool {
    #[cfg(feature = "serve")]
    if let Verb::Serve(_) | Verb::Follow(_) | Verb::EnrollStore(_) = verb {
        return false;
    }
    !matches!(
        verb,
        Verb::Desk(args::Desk::New(_))
            | Verb::Import(_)
            | Verb::Tournaments(_)
            | Verb::Rebuild(_)
            | Verb::Rules(_)
            | Verb::Bundle(_)
            | Verb::Diff(_)
            | Verb::Store(_)
            | Verb::Backup(_)
            | Verb::Restore(_)
            | Verb::Simulate(_)
            | Verb::Demo
    )
}

/// Whether a verb is about a server itself, which keeps the mirror that it is started with.
fn is_about_a_server(verb: Option<&Verb>) -> bool {
    #[cfg(feature = "serve")]
    if let Some(Verb::Serve(_)) = verb {
        return true;
    }
    let _ = verb;
    false
}

fn run(args: &Args) -> Result<Report, VerbError> {
    if args.tournament.is_some() && !args.verb.as_ref().is_some_and(is_about_one_event) {
        let message = "this command is not about one tournament of the store";
        return Err(VerbError::new(usage::BAD_USAGE, message, "leave --tournament out"));
    }
    let session = Session::new(args)?;
    let answered = answer(&session, args).map_err(|fail| {
        let hint = fail.hint.map(|hint| session.in_this_store(hint.text()).into());
        VerbError { hint, message: session.in_this_store(&fail.message), ..fail }
    });
    answered.map(|Report { text, answer }| Report {
        text: if session.json { text } else { session.in_this_store(&text) },
        answer: match answer {
            Answer::Yes if session.in_doubt.get() => Answer::No,
            answer => answer,
        },
    })
}

fn answer(session: &Session, args: &Args) -> Result<Report, VerbError> {
    if !is_about_a_server(args.verb.as_ref()) {
        session.mirror_by_server()?;
    }
    let Some(verb) = &args.verb else { return overview::run(session) };
    match verb {
        Verb::Desk(verb) => desk::run(session, verb),
        #[cfg(feature = "serve")]
        Verb::Serve(options) => serve::run(session, options),
        #[cfg(feature = "serve")]
        Verb::Follow(options) => follow::run(session, options),
        #[cfg(feature = "serve")]
        Verb::PublishTo(options) => publish_to::run(session, options),
        #[cfg(feature = "serve")]
        Verb::EnrollStore(options) => enroll_store::run(session, options),
        Verb::Import(options) => import::run(session, options),
        Verb::Tournaments(args::Tournaments { act: Some(act), .. }) => {
            tournaments::of_all(session, act)
        }
        Verb::Tournaments(options) => tournaments::list(session, options),
        Verb::Standings(options) => standings::run(session, options),
        Verb::Explain(options) => explain::run(session, options),
        Verb::Reach(options) => reach::run(session, options),
        Verb::WhatIf(options) => what_if::run(session, options),
        Verb::Compare(options) => compare::run(session, options),
        Verb::Forget(options) => forget::run(session, options),
        Verb::Rebuild(options) => rebuild::run(session, options),
        Verb::Review(options) => review::run(session, options),
        Verb::Rules(verb) => rules::run(session, verb),
        Verb::Replay(options) => replay::run(session, options),
        Verb::Trace(options) => trace::run(session, options),
        Verb::Log(options) => tournaments::log(session, options),
        Verb::Show(options) => tournaments::show(session, options),
        Verb::Verify(options) => verify::run(session, options),
        Verb::Export(options) => bundle::export::run(session, options),
        Verb::Bundle(args::Bundle::Verify(options)) => bundle::verify::run(session, options),
        Verb::Bundle(args::Bundle::Import(options)) => bundle::import::run(session, options),
        Verb::Bundle(args::Bundle::Export(options)) => bundle::folder::export(session, options),
        Verb::Diff(options) => bundle::diff::run(session, options),
        Verb::Adopt(options) => bundle::adopt::run(session, options),
        Verb::Snapshots(options) => snapshots::run(session, options),
        Verb::Store(verb) => store::run(session, verb),
        Verb::Backup(options) => backup::run(session, options),
        Verb::Restore(options) => restore::run(session, options),
        Verb::Trust(verb) => trust::run(session, verb),
        Verb::CheckPairing(options) => draw::run(session, options),
        Verb::ExplainPairing(options) => draw::explain(session, options),
        Verb::Simulate(options) => simulate::run(session, options),
        Verb::Demo => demo::run(session),
    }
}
