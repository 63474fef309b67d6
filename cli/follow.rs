//! `follow`: a verified copy of tournaments that are run elsewhere.

use crate::args;
use crate::beside::Beside;
use crate::error::VerbError;
use crate::printable::printable;
use crate::session::{Session, say};
use crate::trust::read_whole_key;
use crate::{Answer, Report};
use scrutineer_desk::answers::{FollowAnswer, TournamentName, line};
use scrutineer_desk::store::Store;
use scrutineer_projections::counted as count;
use scrutineer_replay::loaded::short_id;
use scrutineer_server::follow::witness::{Called, News, Witness, is_fork};
use std::io::Write;

/// Follows until it has everything, or for good.
pub fn run(session: &Session, options: &args::Follow) -> Result<Report, VerbError> {
    let key = options.key.as_deref().map(read_whole_key).transpose()?;
    session.may_record_in(session.folder())?;
    let opener = session.opener();
    let mut with_store = |work: &mut dyn FnMut(&Store) -> Result<(), VerbError>| {
        // A server of the store goes on when this has ended; one of a database need not stop.
        let own = session.store.in_folder().and_then(Beside::of);
        let _lent = own.map(Beside::lend).transpose()?;
        let store = opener()?;
        work(&store)
    };
    let mut tell = |news: News<'_>| told(session, &news);
    let mut witness = Witness::at(&options.address, key, &mut with_store, &mut tell)?;
    let (count, ended) = witness.run(options.once)?;
    let is_wrong = ended.iter().any(|code| is_fork(*code) || code.word == "not-signed");
    let answer = match (is_wrong, ended.is_empty()) {
        (true, _) => Answer::No,
        (false, false) => Answer::CouldNot,
        (false, true) => Answer::Yes,
    };
    let text = match (session.json, count) {
        (false, 0) if ended.is_empty() => "nothing is public there yet\n",
        _ => "",
    };
    Ok(Report { text: text.to_string(), answer })
}

/// A tournament as people name it: its title, and by which digits it is found.
fn titled(called: &Called) -> String {
    let id = short_id(called.stream);
    called.title.as_ref().map_or(id.clone(), |title| format!("{title} ({id})"))
}

/// What was rewritten, last and in red: whoever looks at a terminal sees what stands at its end.
fn rewritten(all: &[(Called, VerbError)]) -> String {
    let red = anstyle::AnsiColor::Red.on_default().bold();
    let mut text = String::new();
    for (called, error) in all {
        let (name, message, code) = (titled(called), &error.message, error.code);
        let said = format!("REWRITTEN  {name}: {message}   [{code}]");
        let said = printable(&said);
        text.push_str(&format!("{red}{said}{red:#}\n"));
    }
    if let Some(hint) = all.last().and_then(|(_, error)| error.hint.as_ref()) {
        text.push_str(&printable(&format!("hint: {hint}\n")));
    }
    text
}

/// Says what happened, as it happens.
fn told(session: &Session, news: &News<'_>) {
    let (called, events, new, error) = match news {
        News::Taken(called, taken) => (*called, Some(taken.size), taken.new, None),
        News::Whole(called, size) => (*called, Some(*size), 0, None),
        News::Ended(called, error) => (*called, None, 0, Some(*error)),
        News::Rewritten(_) if session.json => return,
        News::Rewritten(all) => return out(&session.in_this_store(&rewritten(all))),
        News::Again(error, pause) => {
            return say(&format!(
                "{}   [{}]; it is tried again in {:.1} s",
                error.message,
                error.code,
                pause.as_secs_f32()
            ));
        }
    };
    let text = match session.json {
        true => {
            let stream = called.stream;
            let tournament = match &called.title {
                Some(title) => TournamentName::new(stream, title.clone()),
                None => TournamentName::untitled(stream),
            };
            line(&FollowAnswer {
                tournament,
                events,
                new,
                is_whole: matches!(news, News::Whole(..)),
                error: error.map(VerbError::problem),
            })
        }
        false => {
            let id = titled(called);
            match (news, error) {
                (News::Taken(_, taken), _) => {
                    format!("{id}  {} verified, {} new\n", count(taken.size, "event"), taken.new)
                }
                // It stands last.
                (_, Some(error)) if is_fork(error.code) => return,
                (_, Some(error)) => format!("{id}  {}   [{}]\n", error.message, error.code),
                _ => format!("{id}  {}, all that is signed\n", count(events.unwrap_or(0), "event")),
            }
        }
    };
    out(&printable(&text));
}

fn out(text: &str) {
    let mut out = anstream::stdout();
    // A reader who has seen enough is no failure.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
