//! `what-if`: what a change would do. The words are those of the desk, carried out on a copy of
//! the tournament in memory; the store is only read.

use crate::args::{self, Desk as Verb, Dispute};
use crate::desk::{orders_of, tried};
use crate::error::VerbError;
use crate::session::Session;
use crate::usage::in_words;
use crate::{Answer, Report};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser};
use scrutineer_desk::answers::line;
use scrutineer_desk::foreseen::{self, Step};
use scrutineer_desk::hint::Hint;
use scrutineer_desk::looking::{self, NO_REASON, not_foreseen};
use scrutineer_desk::names::Names;
use scrutineer_desk::orders::AtDesk;
use scrutineer_engine::error::Code;

/// How much is told where not everything is asked for.
const SHOWN: usize = 20;

/// A command of the desk that is only tried.
#[derive(Parser, Debug)]
#[command(name = "what-if", no_binary_name = true, disable_help_flag = true)]
struct Tried {
    #[command(subcommand)]
    verb: Verb,
}

/// Says what commands would do.
pub fn run(session: &Session, options: &args::WhatIf) -> Result<Report, VerbError> {
    let store = session.store_to_read()?;
    let stream = store.find(options.which.tournament.as_deref())?;
    let asker = &session.asker;
    let outcome = looking::foreseen(asker, &store, stream, options.cut, |at| {
        try_all(session, at, &options.commands)
    })?;
    let names = Names::of(&outcome.after.state, &outcome.after.book);
    let shown = if options.all { usize::MAX } else { SHOWN };
    let text = match session.json {
        true => line(&outcome.answer()),
        false => foreseen::text(&outcome, &names, shown),
    };
    Ok(Report { text, answer: Answer::Yes })
}

/// Carries out every command on the copy, one after another.
fn try_all(
    session: &Session,
    at: &AtDesk<'_>,
    commands: &[String],
) -> Result<Vec<Step>, VerbError> {
    let mut steps = Vec::new();
    for (number, typed) in (1..).zip(commands) {
        let which = match commands.len() {
            1 => format!("`{typed}`"),
            count => format!("command {number} of {count}, `{typed}`,"),
        };
        let refused = |fail: VerbError| VerbError {
            message: match fail.code.word {
                "bad-command" | "no-what-if" => fail.message,
                _ => format!("{which} is refused: {}", fail.message),
            },
            ..fail
        };
        let verb = read(typed, &which).map_err(|fail| refused(quoted(commands, fail)))?;
        let carried_out = || -> Result<String, VerbError> {
            let orders = orders_of(session, &verb)?;
            orders.iter().map(|order| Ok(tried(session, at.carry_out(order)?))).collect()
        };
        let said = carried_out().map_err(|fail| refused(without_draw(&which, fail)))?;
        steps.push(Step { typed: typed.clone(), said });
    }
    Ok(steps)
}

/// A shell takes a command without quotation marks apart: none of the words is one then.
fn quoted(commands: &[String], fail: VerbError) -> VerbError {
    match commands.len() > 1 && commands.iter().all(|word| !word.contains(' ')) {
        true => {
            let hint = format!("put the command in quotes: what-if '{}'", commands.join(" "));
            VerbError { hint: Some(hint.into()), ..fail }
        }
        false => fail,
    }
}

/// Reads a command as it would be typed.
fn read(typed: &str, which: &str) -> Result<Verb, VerbError> {
    let bad = |message: String, hint: String| VerbError {
        message: format!("{which} is no command: {message}"),
        code: Code::invalid("bad-command"),
        hint: Some(hint.into()),
    };
    let usual = || "write it as at the desk, in quotation marks: 'drop bob'".to_string();
    let words = words(typed);
    let words = words.ok_or_else(|| bad("a quotation mark is not closed".into(), usual()))?;
    let words = match words.first().is_some_and(|first| first == "scrutineer") {
        true => &words[1..],
        false => &words[..],
    };
    let told = |error: clap::Error| {
        let (message, tip) = in_words(&error);
        match (error.kind(), words.first()) {
            (_, None) => bad("nothing is typed".into(), usual()),
            (ErrorKind::InvalidSubcommand, Some(first)) if !is_of_desk(first) => VerbError {
                message: format!("{which} is no command of the desk"),
                code: Code::invalid("bad-command"),
                // How a word is spelt that is a command elsewhere is not the question.
                hint: Some(Hint::from(tip.filter(|_| !is_verb(first)).unwrap_or_else(|| {
                    "what-if tries what the desk records, such as `drop`, `correct` or `result`; \
                     `withdraw` takes an event of the log back"
                        .into()
                }))),
            },
            (_, Some(first)) => {
                let help = || format!("`scrutineer {first} --help` says how it is written");
                bad(message, tip.unwrap_or_else(help))
            }
        }
    };
    let mut found = command().try_get_matches_from(words).map_err(told)?;
    if names_event(&found) {
        let hint = "name it outside of the quotation marks: what-if --tournament <name> 'drop bob'";
        return Err(bad("every command is tried on one tournament".into(), hint.into()));
    }
    let verb = Tried::from_arg_matches_mut(&mut found).map_err(told)?.verb;
    changes(&verb, which)?;
    Ok(verb)
}

/// The words of a line, as a shell would take them apart; but `#16` is a player, not the beginning
/// of a remark. None where a quotation mark is not closed.
fn words(line: &str) -> Option<Vec<String>> {
    // What was typed behind a command holds no NUL.
    let words = shlex::split(&line.replace('#', "\0"))?;
    Some(words.into_iter().map(|word| word.replace('\0', "#")).collect())
}

/// Whether a word begins a command of the desk.
fn is_of_desk(word: &str) -> bool {
    command().get_subcommands().any(|verb| verb.get_name() == word)
}

/// Whether a word begins a command, of the desk or not.
fn is_verb(word: &str) -> bool {
    args::Args::command().get_subcommands().any(|verb| verb.get_name() == word)
}

/// Whether a tournament is named in the command itself.
fn names_event(found: &ArgMatches) -> bool {
    let Some((_, below)) = found.subcommand() else { return false };
    let typed = below.ids().any(|id| id.as_str() == "tournament")
        && below.value_source("tournament") == Some(ValueSource::CommandLine);
    typed || names_event(below)
}

/// The commands of the desk, with reasons that may be left out.
fn command() -> clap::Command {
    without_reasons(Tried::command())
}

fn without_reasons(mut command: clap::Command) -> clap::Command {
    let names: Vec<String> =
        command.get_subcommands().map(|below| below.get_name().to_string()).collect();
    for name in names {
        command = command.mut_subcommand(name, without_reasons);
    }
    for optional in ["reason", "claim"] {
        if command.get_arguments().any(|arg| arg.get_id() == optional) {
            command = command.mut_arg(optional, |arg| arg.required(false).default_value(NO_REASON));
        }
    }
    command
}

/// Refuses what records nothing, and what shows a draw before it is made.
fn changes(verb: &Verb, which: &str) -> Result<(), VerbError> {
    let fail = |message: String, hint: &str| {
        Err(VerbError::new(Code::invalid("no-what-if"), message, hint))
    };
    match verb {
        Verb::New(_) => fail(format!("{which} opens another tournament"), "type it by itself"),
        Verb::Players(_)
        | Verb::Pairings(_)
        | Verb::Disputes(_)
        | Verb::Dispute(Dispute::File(_)) => {
            fail(format!("{which} changes nothing"), "type it by itself")
        }
        Verb::Result(typed) if typed.slip.is_empty() || typed.slip == ["-"] => Err(VerbError::new(
            Code::invalid("bad-slip"),
            "no slip is named, and slips from standard input are not tried",
            "name the table and the score: `result 12 2-1`",
        )),
        Verb::Pair(_) | Verb::Lots(_) | Verb::Reseed(_) => Err(not_foreseen(which)),
        _ => Ok(()),
    }
}

/// The copy has no secret, so a command that needs a draw cannot go on.
fn without_draw(which: &str, fail: VerbError) -> VerbError {
    match fail.code.word {
        "no-secret" => not_foreseen(which),
        _ => fail,
    }
}
