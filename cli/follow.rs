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
use scrutineer_server::follow::witness::{News, Witness, is_fork};
use std::io::Write;

/// Follows until it has everything, or for good.
pub fn run(session: &Session, options: &args::Follow) -> Result<Report, VerbError> {
    let key = options.key.as_deref().map(read_whole_key).transpose()?;
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
    let is_forked = ended.iter().any(|code| is_fork(*code));
    let answer = match (is_forked, ended.is_empty()) {
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

/// Says what happened, as it happens.
fn told(session: &Session, news: &News<'_>) {
    let (stream, events, new, error) = match news {
        News::Taken(stream, taken) => (stream, Some(taken.size), taken.new, None),
        News::Whole(stream, size) => (stream, Some(*size), 0, None),
        News::Ended(stream, error) => (stream, None, 0, Some(*error)),
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
        true => line(&FollowAnswer {
            tournament: TournamentName::untitled(*stream),
            events,
            new,
            is_whole: matches!(news, News::Whole(..)),
            error: error.map(VerbError::problem),
        }),
        false => {
            let id = short_id(*stream);
            match (news, error) {
                (News::Taken(_, taken), _) => {
                    format!("{id}  {} verified, {} new\n", count(taken.size, "event"), taken.new)
                }
                (_, Some(error)) => format!("{id}  {}   [{}]\n", error.message, error.code),
                _ => format!("{id}  {}, all that is signed\n", count(events.unwrap_or(0), "event")),
            }
        }
    };
    let mut out = anstream::stdout();
    // A reader who has seen enough is no failure.
    let _ = out.write_all(printable(&text).as_bytes()).and_then(|()| out.flush());
}
