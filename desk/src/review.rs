//! What was put right, ruled and signed in all tournaments of a store: by whom, when, why, and with
//! what effect on places.
//!
//! What a walk through a log finds is kept without any name, for each tournament up to the head that
//! it was found at. Sentences and names are made anew for whoever asks, so what was forgotten is in no
//! later answer.

mod asked;
mod marks;

pub use asked::{Cursor, Wanted, day_or_time};
pub use marks::What;

use crate::answers::{
    Player, ReviewAnswer, ReviewFinding, ReviewMove, ReviewNotRead, ReviewRow, TournamentName,
};
use crate::in_order::in_order;
use crate::keys::KeyFolder;
use crate::store::{Reader, Store, StoreError, for_keepers};
use crate::told::Told;
use crate::verb_error::VerbError;
use crate::verify::{fork_of, verify_log};
use marks::{Mark, marks};
use scrutineer_engine::book::Book;
use scrutineer_engine::error::Code;
use scrutineer_engine::record::{RecordHash, StreamId};
use scrutineer_replay::verify::{Against, Finding, Severity};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// So many tournaments are begun and not handed over.
const AHEAD: usize = 64;

/// From so many on that nobody has looked at, the whole journal is gone through at once.
const MANY: usize = 16;

/// A tournament as it was found, at a head.
#[derive(Clone)]
struct Seen {
    head: RecordHash,
    marks: Arc<Result<Vec<Mark>, (Code, String)>>,
    findings: Option<Arc<Vec<Finding>>>,
}

/// What was found in the tournaments of a store, kept until they go on.
#[derive(Default)]
pub struct Reviews {
    seen: Mutex<BTreeMap<StreamId, Seen>>,
}

/// The texts that are shown beside a tournament that is a copy; none: there are none but its own.
pub type Shown<'a> = dyn Fn(StreamId) -> Option<Book> + Sync + 'a;

/// On which threads, and for how long, somebody waits, and what they have beside the store.
#[derive(Clone, Copy)]
pub struct Effort<'a> {
    /// How many threads.
    pub threads: usize,
    /// How long tournaments are verified for an answer; none: until all of them are.
    pub patience: Option<Duration>,
    /// The keys of this machine, which remember what was signed last.
    pub keys: Option<&'a KeyFolder>,
    /// The texts of copies, as their venues show them.
    pub shown: Option<&'a Shown<'a>>,
}

impl Reviews {
    /// Returns what somebody asks for, the newest first.
    ///
    /// # Errors
    /// Where the store cannot be read, or no tournament is called so.
    pub fn review(
        &self,
        store: &Store,
        wanted: &Wanted,
        effort: Effort<'_>,
    ) -> Result<ReviewAnswer, VerbError> {
        let streams = named(store, wanted)?;
        self.look(store, &streams, effort.threads)?;
        if wanted.verify {
            self.verify(store, &streams, effort)?;
        }
        let seen = self.seen();
        let seen: Vec<(StreamId, Seen)> =
            streams.iter().filter_map(|one| Some((*one, seen.get(one)?.clone()))).collect();
        let mut answer = told(store, &seen, wanted, effort)?;
        answer.tournaments = streams.len() as u64;
        Ok(answer)
    }

    fn seen(&self) -> std::sync::MutexGuard<'_, BTreeMap<StreamId, Seen>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Goes through the tournaments that went on since somebody looked.
    fn look(&self, store: &Store, streams: &[StreamId], threads: usize) -> Result<(), StoreError> {
        let mut stale = Vec::new();
        for stream in streams {
            let head = store.log().head(*stream)?;
            if self.seen().get(stream).is_none_or(|seen| seen.head != head.hash) {
                stale.push(*stream);
            }
        }
        if stale.is_empty() {
            return Ok(());
        }
        let whole = (stale.len() >= MANY).then(|| store.whole(threads)).transpose()?;
        let begin = || whole.as_ref().map_or(Reader::Log(store.log()), |whole| whole.reader());
        let work = |reader: &mut Reader<'_>, at: usize| marks(reader, stale[at]);
        let found = in_order(stale.len(), threads, threads * AHEAD, begin, work);
        for (stream, (head, marks)) in stale.iter().zip(found) {
            let seen = Seen { head, marks: Arc::new(marks), findings: None };
            self.seen().insert(*stream, seen);
        }
        Ok(())
    }

    /// Verifies the tournaments that nobody has verified as they are, as long as somebody waits.
    fn verify(
        &self,
        store: &Store,
        streams: &[StreamId],
        effort: Effort<'_>,
    ) -> Result<(), StoreError> {
        let begun = Instant::now();
        let is_open = |one: &&StreamId| self.seen().get(*one).is_some_and(|s| s.findings.is_none());
        let open: Vec<StreamId> = streams.iter().filter(is_open).copied().collect();
        let work = |(): &mut (), at: usize| {
            if effort.patience.is_some_and(|patience| begun.elapsed() >= patience) {
                return None;
            }
            let against = Against::default();
            Some(verify_log(store, open[at], None, &against, effort.keys))
        };
        let found = in_order(open.len(), effort.threads, effort.threads, || (), work);
        for (stream, found) in open.iter().zip(found) {
            let Some(found) = found else { break };
            let found = found?;
            // A tournament that went on meanwhile is looked at again the next time.
            if let Some(seen) = self.seen().get_mut(stream).filter(|seen| seen.head == found.head) {
                seen.findings = Some(Arc::new(found.findings));
            }
        }
        Ok(())
    }
}

/// The tournaments that are meant: by the beginning of an id, or a part of a title.
fn named(store: &Store, wanted: &Wanted) -> Result<Vec<StreamId>, VerbError> {
    let all = store.log().streams().map_err(StoreError::from)?;
    let name = wanted.tournament.trim().to_lowercase();
    if name.is_empty() {
        return Ok(all);
    }
    let mut found = Vec::new();
    for stream in all {
        let is_meant = stream.to_string().starts_with(&name)
            || store.summary(stream)?.title.to_lowercase().contains(&name);
        found.extend(is_meant.then_some(stream));
    }
    match found.is_empty() {
        false => Ok(found),
        true => {
            let message = format!("no tournament is called {}", wanted.tournament.trim());
            let code = Code::not_found("unknown-tournament");
            Err(VerbError::new(code, message, "look at the list of tournaments"))
        }
    }
}

/// A mark by its tournament and its place there.
type Place = (StreamId, usize);

/// The rows of what was found.
fn told(
    store: &Store,
    seen: &[(StreamId, Seen)],
    wanted: &Wanted,
    effort: Effort<'_>,
) -> Result<ReviewAnswer, VerbError> {
    let (threads, shown) = (effort.threads, effort.shown);
    let mut answer = ReviewAnswer::default();
    let mut marks: Vec<(Cursor, Place)> = Vec::new();
    for (stream, found) in seen {
        match &*found.marks {
            Err((code, message)) => answer.not_read.push(ReviewNotRead {
                tournament: TournamentName::untitled(*stream),
                code: code.word.into(),
                message: message.clone(),
            }),
            Ok(found) => {
                let at = |(at, mark): (usize, &Mark)| {
                    let cursor = Cursor::of(*stream, &mark.header);
                    wanted.takes(mark.what, cursor).then_some((cursor, (*stream, at)))
                };
                marks.extend(found.iter().enumerate().filter_map(at));
            }
        }
        let title = || Ok::<_, VerbError>(store.summary(*stream)?.title);
        // It comes while the log stays as it is, and is told before all else, also where nobody verifies.
        if let Some(fork) = fork_of(store, *stream)? {
            let name = TournamentName::new(*stream, title()?);
            answer.findings.push(ReviewFinding::of(name, &fork));
        }
        if let Some(findings) = &found.findings {
            answer.verified += 1;
            let worth =
                |finding: &&Finding| finding.severity > Severity::Information || wanted.notes;
            for finding in findings.iter().filter(worth) {
                let name = TournamentName::new(*stream, title()?);
                answer.findings.push(ReviewFinding::of(name, finding));
            }
        }
    }
    marks.sort_unstable_by_key(|mark| std::cmp::Reverse(mark.0));
    // Who recorded something is known once a tournament is read; without that the rest need not be.
    let more = wanted.most.filter(|most| wanted.person.is_empty() && marks.len() > *most);
    if let Some(most) = more {
        marks.truncate(most);
    }
    let mut by_stream: BTreeMap<StreamId, BTreeSet<usize>> = BTreeMap::new();
    for (_, (stream, at)) in &marks {
        by_stream.entry(*stream).or_default().insert(*at);
    }
    let found: BTreeMap<&StreamId, &Seen> =
        seen.iter().map(|(stream, one)| (stream, one)).collect();
    let work: Vec<(StreamId, BTreeSet<usize>)> = by_stream.into_iter().collect();
    let rows = |(): &mut (), at: usize| {
        let (stream, places) = &work[at];
        found
            .get(stream)
            .map_or(Ok(Vec::new()), |seen| rows((store, shown), *stream, seen, places, wanted))
    };
    let mut all = Vec::new();
    for rows in in_order(work.len(), threads, threads * 4, || (), rows) {
        all.extend(rows?);
    }
    all.sort_unstable_by_key(|row: &(Cursor, ReviewRow)| std::cmp::Reverse(row.0));
    let most = wanted.most.unwrap_or(usize::MAX);
    let is_more = more.is_some() || all.len() > most;
    all.truncate(most);
    answer.next = all.last().filter(|_| is_more).map(|(cursor, _)| cursor.to_string());
    answer.changes = all.into_iter().map(|(_, row)| row).collect();
    Ok(answer)
}

/// The rows of one tournament, as it is called now.
fn rows(
    (store, shown): (&Store, Option<&Shown<'_>>),
    stream: StreamId,
    seen: &Seen,
    places: &BTreeSet<usize>,
    wanted: &Wanted,
) -> Result<Vec<(Cursor, ReviewRow)>, StoreError> {
    let event = store.load(stream, true)?;
    // Of the same log: each text is held against what the log says of it. Reasons and notes are nobody's business but
    // that of who keeps the store, who asks here.
    let event = match shown.and_then(|shown| shown(stream)) {
        Some(book) => {
            let book = for_keepers(book, &event.book);
            event.read_with(book)
        }
        None => event,
    };
    let log = Told::of(&event, BTreeSet::new());
    let Ok(marks) = &*seen.marks else { return Ok(Vec::new()) };
    let of = |at: &usize| {
        let mark = marks.get(*at)?;
        let row = event.log.get(usize::try_from(mark.header.seq.checked_sub(1)?).ok()?)?;
        let line = log.line(row);
        let person = wanted.person.trim().to_lowercase();
        if !line.by.to_lowercase().contains(&person) {
            return None;
        }
        let moves = mark.moves.as_ref().map(|moves| {
            let one = |&(player, before, after): &(u32, u32, u32)| ReviewMove {
                player: Player { number: player, name: event.name(player) },
                before,
                after,
            };
            moves.iter().map(one).collect()
        });
        let why = log.note_of_drop(row).map(|note| format!(": {note}"));
        let row = ReviewRow {
            tournament: TournamentName::from(&event),
            seq: line.seq,
            time: line.time,
            by: line.by,
            what: mark.what.word().into(),
            kind: line.kind,
            sentence: format!("{}{}", line.sentence, why.unwrap_or_default()),
            was: line.was.or_else(|| log.stood_before(&row.1)),
            undone_in: line.undone_in,
            moves,
        };
        Some((Cursor::of(stream, &mark.header), row))
    };
    Ok(places.iter().filter_map(of).collect())
}

#[cfg(test)]
mod tests;
