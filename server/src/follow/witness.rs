//! Whoever keeps a verified copy of tournaments that are run elsewhere, and says where their logs do not
//! go on as they were signed.

use super::behind;
use crate::elsewhere::{Elsewhere, address};
use scrutineer_desk::follow::{Copy, FollowError, LogPart, Taken};
use scrutineer_desk::store::{Store, StoreError};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::{Code, ErrorKind};
use scrutineer_engine::record::StreamId;
use scrutineer_replay::trust::note::PublicKey;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// How long the server is asked to wait for news, in seconds.
const WAIT: u64 = 25;
/// How long is waited between two looks at several tournaments, and where news came at once and were none.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// The first wait after a failure; each is twice as long as the one before, up to the last.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LAST_PAUSE: Duration = Duration::from_secs(60);
/// How many failures in a row end a single catching up.
const TRIES: u32 = 6;

/// Opens the store for a moment: it is closed whenever something is waited for.
pub type WithStore<'a> =
    dyn FnMut(&mut dyn FnMut(&Store) -> Result<(), VerbError>) -> Result<(), VerbError> + 'a;

/// A tournament as it is called where it is kept; without a title where that gives none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Called {
    /// Which.
    pub stream: StreamId,
    /// Its title there.
    pub title: Option<String>,
}

/// Something that happened.
pub enum News<'a> {
    /// Something was taken in.
    Taken(&'a Called, Taken),
    /// A copy has everything: said once, and again when something came.
    Whole(&'a Called, u64),
    /// A tournament is not followed any more or not yet, or its log was rewritten.
    Ended(&'a Called, &'a VerbError),
    /// What was rewritten so far, behind all else that was told in a round.
    Rewritten(&'a [(Called, VerbError)]),
    /// Something failed that is tried again in so long.
    Again(&'a VerbError, Duration),
}

/// Somebody who follows.
pub struct Witness<'a> {
    elsewhere: Elsewhere,
    named: Option<String>,
    key: Option<PublicKey>,
    runtime: tokio::runtime::Runtime,
    with_store: &'a mut WithStore<'a>,
    tell: &'a mut dyn FnMut(News<'_>),
    /// What is followed, with how much of it is kept.
    known: BTreeMap<StreamId, u64>,
    /// What came of those that are not followed any more, and of those that were rewritten: of these what goes on
    /// from what is kept is still taken in.
    ended: BTreeMap<StreamId, Code>,
    titles: BTreeMap<StreamId, String>,
    /// Those of which it was said that they are whole.
    whole: BTreeSet<StreamId>,
    /// Those of which it was said that they cannot be followed yet, and why: nobody has signed anything, or their
    /// records need a token.
    waiting: BTreeSet<(StreamId, &'static str)>,
    rewritten: Vec<(Called, VerbError)>,
    /// The copies of what is, or was, at this server; none: nobody has looked yet.
    copies: Option<BTreeSet<StreamId>>,
    /// Whether something was told in this round.
    has_told: bool,
    /// The one at which the last round ended because something failed, and those that were gone through before.
    ended_at: Option<StreamId>,
    done: BTreeSet<StreamId>,
    /// Whether something came through since it was tried last.
    has_come: bool,
}

/// Whether a failure passes by itself.
fn passes(error: &VerbError) -> bool {
    use ErrorKind::{Busy, Damaged, Io, SlowDown, UnknownOutcome};
    match error.code.kind {
        Damaged => error.code.word == "copy-not-taken",
        kind => matches!(kind, Busy | Io | SlowDown | UnknownOutcome),
    }
}

/// Whether a tournament is looked at again though it cannot be followed now, and says nothing of the others.
fn may_come(code: Code) -> bool {
    matches!(code.word, "nothing-signed" | "not-allowed")
}

/// Whether the server has no such tournament.
fn is_away(code: Code) -> bool {
    code.kind == ErrorKind::NotFound
}

/// The code of a tournament of which a copy is kept and that is not at its server any more.
const GONE: Code = Code::not_found("gone-there");

/// What the other server says, as its words and not as what is proved here; what to do there is nothing to do here.
fn said_there(error: VerbError) -> VerbError {
    if error.code.word == "elsewhere-not-heard" {
        return error;
    }
    let message = format!("the server says: {}", error.message);
    // What counts as found out here is only what the records say.
    let (code, message) = match is_fork(error.code) || error.code.word == "not-signed" {
        true => (Code::refused("refused-there"), format!("{message} [{}]", error.code)),
        false => (error.code, message),
    };
    VerbError { message, code, hint: None }
}

/// What is said where a witness may not read the records, in words for who follows.
fn without_token(error: VerbError) -> VerbError {
    match error.code.word {
        "not-allowed" => {
            let message = "it cannot be checked without a token: its records are not public";
            let hint = "ask the organizer; the other tournaments are followed";
            VerbError::new(error.code, message, hint)
        }
        _ => error,
    }
}

/// What came of one question.
enum Came {
    New,
    Nothing,
}

impl<'a> Witness<'a> {
    /// Somebody who follows what is at an address: a tournament, or all of a server.
    ///
    /// # Errors
    /// Where it is no address.
    pub fn at(
        typed: &str,
        key: Option<PublicKey>,
        with_store: &'a mut WithStore<'a>,
        tell: &'a mut dyn FnMut(News<'_>),
    ) -> Result<Witness<'a>, VerbError> {
        let (base, named) = address(typed)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| {
            let message = format!("nothing can be asked: {error}");
            VerbError::new(Code::io("server-not-started"), message, "try it again")
        })?;
        let elsewhere = Elsewhere::new(base, None);
        Ok(Witness {
            elsewhere,
            named,
            key,
            runtime,
            with_store,
            tell,
            known: BTreeMap::new(),
            ended: BTreeMap::new(),
            titles: BTreeMap::new(),
            whole: BTreeSet::new(),
            waiting: BTreeSet::new(),
            rewritten: Vec::new(),
            copies: None,
            has_told: false,
            ended_at: None,
            done: BTreeSet::new(),
            has_come: false,
        })
    }

    fn called(&self, stream: StreamId) -> Called {
        Called { stream, title: self.titles.get(&stream).cloned() }
    }

    fn get(&self, path: &str, waits: u64) -> Result<Value, VerbError> {
        let path = format!("/api/v1/tournaments{path}");
        let asked = self.elsewhere.ask("GET", &path, Vec::new(), waits);
        let bytes = self.runtime.block_on(asked).map_err(said_there)?;
        serde_json::from_slice(&bytes).map_err(not_understood)
    }

    /// Looks which tournaments there are.
    fn look(&mut self) -> Result<(), VerbError> {
        let is_known = self.known.len() + self.ended.len() > 0;
        let names: Vec<Value> = match &self.named {
            Some(_) if is_known => return Ok(()),
            Some(name) => vec![self.get(&format!("/{name}"), 0)?["tournament"].clone()],
            None => {
                let all = self.get("", 0)?;
                let rows = all["tournaments"].as_array().cloned();
                let rows = rows.ok_or_else(|| not_understood("it gives no list"))?;
                let id = |row: &Value| -> Option<StreamId> {
                    row["tournament"]["id"].as_str()?.parse().ok()
                };
                self.miss(&rows.iter().filter_map(id).collect())?;
                // What has no event that is public has nothing to follow yet.
                let rows = rows.iter().filter(|row| row["events"].as_u64() != Some(0));
                rows.map(|row| row["tournament"].clone()).collect()
            }
        };
        for name in names {
            let stream = name["id"].as_str().and_then(|id| id.parse().ok());
            let stream: StreamId = stream.ok_or_else(|| not_understood("it gives no id"))?;
            if let Some(title) = name["title"].as_str() {
                self.titles.insert(stream, title.to_string());
            }
            if !self.ended.contains_key(&stream) {
                self.known.entry(stream).or_insert(u64::MAX);
            }
        }
        Ok(())
    }

    /// Says which copies of what was at this server are not in its list any more: whoever takes a log away leaves
    /// nothing that would differ from it.
    fn miss(&mut self, listed: &BTreeSet<StreamId>) -> Result<(), VerbError> {
        if self.copies.is_none() {
            let (base, titles) = (self.elsewhere.base(), &mut self.titles);
            let mut copies = BTreeSet::new();
            (self.with_store)(&mut |store| {
                for stream in store.log().streams().map_err(StoreError::from)? {
                    let known = store.followed(stream)?;
                    let Some(known) = known.filter(|known| known.from == from(base, stream)) else {
                        continue;
                    };
                    copies.insert(stream);
                    titles.extend(known.title.map(|title| (stream, title)));
                }
                Ok(())
            })?;
            self.copies = Some(copies);
        }
        self.ended.retain(|stream, code| *code != GONE || !listed.contains(stream));
        let is_gone =
            |stream: &&StreamId| !listed.contains(*stream) && !self.ended.contains_key(*stream);
        let gone: Vec<StreamId> = self.copies.iter().flatten().filter(is_gone).copied().collect();
        for stream in gone {
            let message = "it is not at that server any more; the copy of it stays as it is";
            let hint = "ask whoever runs it why; what is kept was signed";
            let called = self.called(stream);
            self.has_told = true;
            (self.tell)(News::Ended(&called, &VerbError::new(GONE, message, hint)));
            self.known.remove(&stream);
            self.ended.insert(stream, GONE);
        }
        Ok(())
    }

    fn part(&self, stream: StreamId, after: u64, wait: u64) -> Result<LogPart, VerbError> {
        let given = self.get(&format!("/{stream}/records?after={after}&wait={wait}"), wait)?;
        serde_json::from_value(given).map_err(not_understood)
    }

    /// Takes one part in.
    fn take(&mut self, stream: StreamId, part: Option<&LogPart>) -> Result<Came, VerbError> {
        let (from, key) = (from(self.elsewhere.base(), stream), self.key);
        let title = self.titles.get(&stream).cloned();
        let (mut size, mut taken, mut is_other, mut fork) = (0, None, false, None);
        (self.with_store)(&mut |store| {
            let mut copy = Copy::of(store, stream, &from, key)?;
            if let Some(part) = part {
                taken = copy.take(part)?;
                is_other = taken.is_none();
                fork = copy.forked().cloned();
            }
            size = copy.size();
            title.iter().try_for_each(|title| copy.called(title))?;
            Ok(())
        })?;
        self.known.insert(stream, size);
        if let Some(copies) = self.copies.as_mut().filter(|_| size > 0) {
            copies.insert(stream);
        }
        if is_other && fork.is_none() {
            self.compare(stream, &from)?;
        }
        match taken.filter(|taken| taken.new > 0) {
            Some(taken) => {
                let called = self.called(stream);
                (self.has_told, self.has_come) = (true, true);
                (self.tell)(News::Taken(&called, taken));
                Ok(Came::New)
            }
            // What goes on from what is kept is taken in; that another history was signed too is said for good.
            None => match fork {
                Some(fork) => Err(FollowError::Forked(Box::new(fork)).into()),
                None => Ok(Came::Nothing),
            },
        }
    }

    /// Finds out whether there are two histories: what is kept is read there again, from its beginning.
    fn compare(&mut self, stream: StreamId, from: &str) -> Result<(), VerbError> {
        let (mut after, kept) = (0, self.known.get(&stream).copied().unwrap_or(0));
        while after < kept {
            let part = self.part(stream, after, 0)?;
            let key = self.key;
            (self.with_store)(&mut |store| {
                Copy::of(store, stream, from, key)?.take(&part)?;
                Ok(())
            })?;
            match part.records.len() as u64 {
                0 => break,
                count => after += count,
            }
        }
        Err(not_understood("an event is another one, and its log has none that is"))
    }

    /// What is said of a log that was rewritten, with the event from which it is another one: where that log is
    /// shorter than the copy only its checkpoint was sent, so its records are asked for too. Whatever hinders
    /// that, the rewriting is told.
    fn parting(&mut self, stream: StreamId, told: VerbError) -> VerbError {
        let (mut after, mut kept) = (0, u64::MAX);
        while after < kept {
            let Ok(part) = self.part(stream, after, 0) else { return told };
            let mut named = None;
            let done = (self.with_store)(&mut |store| {
                kept = store.log().head(stream).map_err(StoreError::from)?.seq;
                named = Copy::name_parting(store, stream, &part)?;
                Ok(())
            });
            match (done, named, part.records.len() as u64) {
                (Ok(()), Some((fork, true)), _) => {
                    return FollowError::Forked(Box::new(fork)).into();
                }
                (Ok(()), Some(_), count) if count > 0 => after += count,
                _ => return told,
            }
        }
        told
    }

    /// Takes in all that there is of a tournament; then waits so many seconds for more, and takes that in.
    fn catch_up(&mut self, stream: StreamId, wait: u64) -> Result<(), VerbError> {
        if self.known.get(&stream) == Some(&u64::MAX) {
            self.take(stream, None)?;
        }
        let mut came = false;
        loop {
            let after = self.known.get(&stream).copied().unwrap_or(0);
            let asked = Instant::now();
            // While there is more it comes at once.
            let part = self.part(stream, after, if came { 0 } else { wait })?;
            match self.take(stream, Some(&part))? {
                Came::New => came = true,
                Came::Nothing => {
                    let size = self.known.get(&stream).copied().unwrap_or(0);
                    // Of what did not change nothing is said: it would hide what did.
                    if self.whole.insert(stream) || came {
                        let called = self.called(stream);
                        self.has_told = true;
                        (self.tell)(News::Whole(&called, size));
                    } else if wait > 0 && asked.elapsed() < LOOK_EVERY {
                        std::thread::sleep(LOOK_EVERY);
                    }
                    return Ok(());
                }
            }
        }
    }

    /// Whether it was told that a tournament was rewritten.
    fn has_told_of(&self, stream: StreamId, code: Code) -> bool {
        self.ended.get(&stream) == Some(&code)
    }

    fn is_rewritten(&self, stream: StreamId) -> bool {
        self.rewritten.iter().any(|(known, _)| known.stream == stream)
    }

    /// Those that are gone through, in the order of this round. Once, those that were gone through before are done.
    fn turn(&self, is_once: bool) -> Vec<StreamId> {
        let is_left = |stream: &&StreamId| !is_once || !self.done.contains(*stream);
        behind(self.known.keys().filter(is_left).copied().collect(), self.ended_at)
    }

    /// Goes through all that is followed once.
    fn round(&mut self, wait: u64) -> Result<(), VerbError> {
        self.look()?;
        let is_one = self.named.is_some();
        for stream in self.turn(wait == 0) {
            self.ended_at = Some(stream);
            match self.catch_up(stream, if is_one { wait } else { 0 }) {
                // It is told once, and looked at again: what the others are found to be stands.
                Err(error) if may_come(error.code) && !is_one => {
                    if self.waiting.insert((stream, error.code.word)) {
                        let called = self.called(stream);
                        self.has_told = true;
                        (self.tell)(News::Ended(&called, &without_token(error)));
                    }
                }
                // It was told, and is still asked for.
                Err(error) if is_fork(error.code) && self.has_told_of(stream, error.code) => {}
                // What was proved stands, also where it was taken away since.
                Err(error) if is_away(error.code) && self.is_rewritten(stream) => {}
                Err(error) if !passes(&error) => {
                    let is_rewritten = is_fork(error.code);
                    let error = match is_rewritten {
                        true => self.parting(stream, error),
                        false => error,
                    };
                    let called = self.called(stream);
                    self.has_told = true;
                    (self.tell)(News::Ended(&called, &error));
                    self.ended.insert(stream, error.code);
                    self.rewritten.retain(|(known, _)| known.stream != stream);
                    if is_rewritten {
                        self.rewritten.push((called, error.clone()));
                    } else {
                        self.known.remove(&stream);
                    }
                    if is_one {
                        return Err(error);
                    }
                }
                Err(error) => return Err(error),
                // Of a rewritten one: what was only said turned out not to be so.
                Ok(()) => {
                    self.ended.remove(&stream);
                    self.rewritten.retain(|(known, _)| known.stream != stream);
                }
            }
            self.done.insert(stream);
            self.has_come = true;
        }
        self.ended_at = None;
        self.done.clear();
        // It stands last, whatever else came.
        if self.has_told && !self.rewritten.is_empty() {
            (self.tell)(News::Rewritten(&self.rewritten));
        }
        self.has_told = false;
        if !is_one && wait > 0 {
            std::thread::sleep(LOOK_EVERY);
        }
        Ok(())
    }

    /// Follows: once, until everything is here, or for good. Returns how many tournaments are followed, and
    /// the codes of those that could not be; one of which nothing is signed yet, or whose records need a token, is
    /// none of them.
    ///
    /// # Errors
    /// Where the only one cannot be followed, or, once, where the server does not answer.
    pub fn run(&mut self, is_once: bool) -> Result<(usize, Vec<Code>), VerbError> {
        let (mut pause, mut failed) = (FIRST_PAUSE, 0);
        loop {
            let done = self.round(if is_once { 0 } else { WAIT });
            if std::mem::take(&mut self.has_come) {
                // On a line on which something comes through it is not waited for longer and longer.
                let is_one = is_once || self.named.is_some();
                (pause, failed) = (if is_one { FIRST_PAUSE } else { LOOK_EVERY }, 0);
            }
            match done {
                Ok(()) if is_once => {
                    let is_followed = |stream: &&StreamId| !self.ended.contains_key(stream);
                    let count = self.known.keys().filter(is_followed).count();
                    return Ok((count, self.ended.values().copied().collect()));
                }
                Ok(()) => (pause, failed) = (FIRST_PAUSE, 0),
                Err(error) if passes(&error) && (!is_once || failed + 1 < TRIES) => {
                    failed += 1;
                    (self.tell)(News::Again(&error, pause));
                    std::thread::sleep(pause);
                    pause = (pause * 2).min(LAST_PAUSE);
                }
                Err(error) => return Err(error),
            }
        }
    }
}

/// How a copy names where it comes from.
fn from(base: &str, stream: StreamId) -> String {
    format!("{base}/t/{stream}")
}

fn not_understood(error: impl std::fmt::Display) -> VerbError {
    FollowError::NotRead(error.to_string()).into()
}

/// Returns whether the code says that two histories were signed.
pub fn is_fork(code: Code) -> bool {
    matches!(code.word, "log-forked" | "log-re-signed")
}
