//! Whether tournaments are pushed to a public server, to which, and how that goes.

use crate::elsewhere::Elsewhere;
use crate::enrolled::{Enrolled, enrolled};
use scrutineer_desk::answers::{PublisherRefused, PublisherStands};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::{Code, ErrorKind};
use scrutineer_engine::record::StreamId;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How long a server that does not answer is no news for the desk: a line that is gone for a moment.
const PATIENCE: Duration = Duration::from_secs(60);

/// To whom is pushed.
#[derive(Clone)]
pub struct To {
    /// The server.
    pub server: Elsewhere,
    /// What this store is called there; none: it was started with a token.
    pub name: Option<String>,
    /// Only tournaments whose titles have this part; none: all.
    pub only: Option<String>,
}

impl From<&Enrolled> for To {
    fn from(enrolled: &Enrolled) -> To {
        let Enrolled { address, token, name, only, .. } = enrolled.clone();
        To { server: Elsewhere::new(address, Some(token)), name: Some(name), only }
    }
}

impl To {
    /// Returns whether a tournament of this title is meant.
    pub fn is_meant(&self, title: &str) -> bool {
        let part = self.only.as_deref().unwrap_or_default().to_lowercase();
        title.to_lowercase().contains(&part)
    }
}

/// How a tournament stands with the server to which it is pushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pushed {
    /// All that is public of it is there.
    There,
    /// Something of it has changed, and is not there yet.
    Behind,
    /// It is not one of those that are pushed.
    NotMeant,
    /// It was refused.
    Refused(Code),
    /// All that is public of it is there, and something else as well.
    Apart(Code),
}

/// What a refusal means to the venue, and what it does about it.
fn why(code: Code) -> &'static str {
    match code.word {
        "log-re-signed" | "log-forked" => {
            "what is there goes on otherwise than this log. Compare the log there with the log here: where \
             this store was restored from a copy, what is missing here stands there and is entered again by \
             hand, or the tournament goes on as a new one; a store that has the log that is there goes on \
             with it; tell the publisher, who sees that the two differ"
        }
        "not-signed" => {
            "the key that signs here is not the one that began this tournament: tell the publisher"
        }
        "no-signer" | "no-key" => "it has no key that signs: give it one, on its page Proofs",
        "nothing-signed" => {
            "nothing of it was signed yet: complete a round, or sign it on its page Proofs"
        }
        "log-shorter" => apart(code),
        _ => "look at its log, and tell the publisher the code that stands beside this",
    }
}

/// What it means to the venue that something else is there as well, and what it does about it.
fn apart(code: Code) -> &'static str {
    match code.word {
        "log-shorter" => {
            "events of this tournament stand there that are not in this store, as where it was restored from a copy. \
             Record nothing here before they are back: download the tournament's bundle there, on its page Proofs, and \
             bring it in here with `scrutineer bundle import`"
        }
        _ => {
            "its pages there say that its log was rewritten: another history was signed with its key too. Tell the \
             publisher which of the two is played"
        }
    }
}

/// Of which nothing is public yet: a draft, a tournament before its first event that is.
fn is_early(code: Code) -> bool {
    code.word == "unknown-tournament"
}

#[derive(Default)]
struct Heard {
    /// When the server was heard last.
    at: Option<Instant>,
    /// Since when it fails, and why.
    failing: Option<(Instant, VerbError)>,
    tournaments: HashMap<StreamId, Pushed>,
}

/// A line about it for the desk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What it says.
    pub text: String,
    /// Whether somebody has to look at it.
    pub is_alarm: bool,
}

/// To whom is pushed, and how it goes.
pub struct Pushing {
    to: watch::Sender<Option<To>>,
    heard: Mutex<Heard>,
}

impl Pushing {
    /// Begins with the server that was named at the start, or with the one where the store is enrolled.
    ///
    /// # Errors
    /// Where that cannot be read.
    pub fn open(folder: Option<&Path>, named: Option<Elsewhere>) -> Result<Pushing, VerbError> {
        let enrolled = folder.map(enrolled).transpose()?.flatten();
        let to = match named {
            Some(server) => Some(To { server, name: None, only: None }),
            None => enrolled.as_ref().map(To::from),
        };
        Ok(Pushing { to: watch::channel(to).0, heard: Mutex::default() })
    }

    fn heard(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Pushes to another server from now on, or to none.
    pub fn change(&self, to: Option<To>) {
        *self.heard() = Heard::default();
        self.to.send_replace(to);
    }

    /// Returns to whom is pushed, as it changes.
    pub fn to(&self) -> watch::Receiver<Option<To>> {
        self.to.subscribe()
    }

    /// Takes note of how it went.
    pub fn went(&self, how: Result<(), &VerbError>) {
        let mut heard = self.heard();
        match how {
            Ok(()) => (heard.at, heard.failing) = (Some(Instant::now()), None),
            Err(error) => {
                let since = heard.failing.as_ref().map_or_else(Instant::now, |(since, _)| *since);
                heard.failing = Some((since, error.clone()));
            }
        }
    }

    /// Takes note of how a tournament stands; none: it is no longer one of this store's own.
    pub fn stands(&self, stream: StreamId, how: Option<Pushed>) {
        match how {
            Some(how) => drop(self.heard().tournaments.insert(stream, how)),
            None => drop(self.heard().tournaments.remove(&stream)),
        }
    }

    /// Takes note that something of a tournament has changed that is not there yet. What was refused of it, or is other
    /// there, stays so until the server has answered again.
    pub fn changed(&self, stream: StreamId) {
        let mut heard = self.heard();
        let how = heard.tournaments.entry(stream).or_insert(Pushed::Behind);
        if *how == Pushed::There {
            *how = Pushed::Behind;
        }
    }

    /// Says how it goes, for programs.
    pub fn told(&self) -> PublisherStands {
        let to = self.to.borrow().clone();
        let heard = self.heard();
        let there = heard.tournaments.values().filter(|how| **how == Pushed::There).count();
        let meant = heard.tournaments.values().filter(|how| **how != Pushed::NotMeant).count();
        PublisherStands {
            address: to.as_ref().map(|to| to.server.base().to_string()),
            name: to.as_ref().and_then(|to| to.name.clone()),
            only: to.and_then(|to| to.only),
            heard: heard.at.map(|at| at.elapsed().as_secs()),
            there,
            not_pushed: meant - there,
            refused: {
                let told = |(_, how): (&StreamId, &Pushed)| match how {
                    Pushed::Refused(code) if !is_early(*code) => Some((*code, why(*code))),
                    Pushed::Apart(code) => Some((*code, apart(*code))),
                    _ => None,
                };
                let refused = |one: (&StreamId, &Pushed)| {
                    let (code, why) = told(one)?;
                    let (id, code, why) = (one.0.to_string(), code.to_string(), why.to_string());
                    Some(PublisherRefused { id, code, why })
                };
                let mut all: Vec<_> = heard.tournaments.iter().filter_map(refused).collect();
                all.sort_unstable_by(|one, other| one.id.cmp(&other.id));
                all
            },
            error: heard.failing.as_ref().map(|(_, error)| error.problem()),
        }
    }

    /// Says at the desk of a tournament where it is pushed and whether that works; none: nowhere.
    pub fn line(&self, stream: StreamId) -> Option<Line> {
        let to = self.to.borrow().clone()?;
        let heard = self.heard();
        let base = to.server.base();
        let ago = heard.at.map_or("not heard since the start".into(), |at| {
            format!("last heard {} s ago", at.elapsed().as_secs())
        });
        if let Some((since, error)) = &heard.failing {
            let is_over = error.code.kind == ErrorKind::SignIn;
            let is_alarm = is_over || since.elapsed() >= PATIENCE;
            let text = match is_over {
                true => format!(
                    "{base} does not know this store any more: it was ended there. Enroll it with a new link, \
                     or end it here"
                ),
                false => {
                    format!("{base} does not answer, {ago}: {}. It is tried again", error.message)
                }
            };
            return Some(Line { text, is_alarm });
        }
        let (what, is_alarm) = match heard.tournaments.get(&stream) {
            Some(Pushed::There) => ("all that is public is there".to_string(), false),
            Some(Pushed::Behind) => ("what is new is not there yet".to_string(), false),
            Some(Pushed::Apart(code)) => (format!("{} [{code}]", apart(*code)), true),
            Some(Pushed::NotMeant) => ("this tournament is not one of those".to_string(), false),
            Some(Pushed::Refused(code)) => match is_early(*code) {
                true => ("nothing of it is public yet".to_string(), false),
                false => {
                    let why = why(*code);
                    (format!("this tournament is not taken there: {why} [{code}]"), true)
                }
            },
            None => ("this tournament was not pushed yet".to_string(), false),
        };
        Some(Line { text: format!("{base}: {what}, {ago}"), is_alarm })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pushing() -> Pushing {
        let server = Elsewhere::new("http://example.org".into(), None);
        Pushing::open(None, Some(server)).expect("opened")
    }

    #[test]
    fn the_desk_says_where_it_pushes_and_whether_it_works() {
        let (pushing, stream) = (pushing(), StreamId([7; 16]));
        let line = |pushing: &Pushing| pushing.line(stream).expect("a line");
        assert!(line(&pushing).text.contains("not pushed yet"));
        pushing.went(Ok(()));
        pushing.stands(stream, Some(Pushed::There));
        let there = line(&pushing);
        assert!(there.text.contains("all that is public is there") && !there.is_alarm, "{there:?}");
        pushing.stands(stream, Some(Pushed::Refused(Code::refused("no-signer"))));
        assert!(line(&pushing).is_alarm);
        // Which it is, why, and what to do: "1 not" helped nobody.
        pushing.stands(stream, Some(Pushed::Refused(Code::refused("log-re-signed"))));
        // A venue came back from a backup and read "all is there" until its first click.
        pushing.stands(stream, Some(Pushed::Apart(Code::refused("log-shorter"))));
        let restored = line(&pushing);
        assert!(restored.is_alarm && restored.text.contains("not in this store"), "{restored:?}");
        pushing.stands(stream, Some(Pushed::Refused(Code::refused("log-re-signed"))));
        // One that was told nothing of its own checkpoints by its keys folder was told nothing useful here.
        pushing.stands(stream, Some(Pushed::Refused(Code::refused("log-shorter"))));
        assert!(line(&pushing).text.contains("bundle import"), "{:?}", line(&pushing));
        pushing.stands(stream, Some(Pushed::Refused(Code::refused("log-re-signed"))));
        let refused = pushing.told().refused;
        assert_eq!((&refused[0].id, &refused[0].code[..]), (&stream.to_string(), "log-re-signed"));
        assert!(line(&pushing).text.contains("Compare the log there"), "{:?}", line(&pushing));
        // A line that is gone for a moment is no alarm; a token that is not known is one at once.
        let gone = VerbError::new(Code::unknown_outcome("elsewhere-not-heard"), "gone", "wait");
        pushing.went(Err(&gone));
        assert!(!line(&pushing).is_alarm);
        pushing.went(Err(&VerbError::new(Code::sign_in("sign-in"), "not known", "ask")));
        assert!(line(&pushing).is_alarm && line(&pushing).text.contains("ended there"));
        pushing.change(None);
        assert_eq!(pushing.line(stream), None);
        assert_eq!(pushing.told(), PublisherStands::default());
    }

    /// While a server was away all that changed since counted as being there.
    #[test]
    fn what_has_changed_is_not_there_until_it_is_and_what_was_refused_stays_refused() {
        let (pushing, own) = (pushing(), [1, 2, 3].map(|one| StreamId([one; 16])));
        let refused = Pushed::Refused(Code::refused("no-signer"));
        pushing.stands(own[0], Some(Pushed::There));
        pushing.stands(own[1], Some(refused));
        own.iter().for_each(|stream| pushing.changed(*stream));
        let told = pushing.told();
        assert_eq!((told.there, told.not_pushed, told.refused.len()), (0, 3, 1));
        let line = |stream| pushing.line(stream).expect("a line");
        for stream in [own[0], own[2]] {
            let line = line(stream);
            assert!(line.text.contains("not there yet") && !line.is_alarm, "{line:?}");
        }
        assert!(line(own[1]).is_alarm);
        pushing.stands(own[0], Some(Pushed::There));
        assert_eq!((pushing.told().there, pushing.told().not_pushed), (1, 2));
    }

    #[test]
    fn only_tournaments_of_a_series_are_meant_where_it_is_named() {
        let server = Elsewhere::new("http://example.org".into(), None);
        let to = |only: Option<&str>| To {
            server: server.clone(),
            name: None,
            only: only.map(str::to_string),
        };
        assert!(to(None).is_meant("Friday"));
        assert!(to(Some("league")).is_meant("Spring League 3"));
        assert!(!to(Some("league")).is_meant("Friday"));
    }

    /// With a series named, every other tournament of the store was told as one that is not pushed.
    #[test]
    fn what_is_not_meant_is_not_counted_as_missing_there() {
        let pushing = pushing();
        let tournaments = [
            Pushed::There,
            Pushed::NotMeant,
            Pushed::NotMeant,
            Pushed::Refused(Code::refused("no-signer")),
        ];
        for (at, how) in (1..).zip(tournaments) {
            pushing.stands(StreamId([at; 16]), Some(how));
        }
        let told = pushing.told();
        assert_eq!((told.there, told.not_pushed), (1, 1));
    }
}
