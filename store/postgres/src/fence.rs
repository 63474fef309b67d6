//! What a node has seen of a database: the newest timeline of its server, and the highest end of each
//! stream. A server that is behind was replaced, or its data came from before: nothing is written there.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use scrutineer_engine::log::{Ends, Head, LogError};
use scrutineer_engine::record::{RecordHash, StreamId, from_hex, to_hex};

/// How old what stands in the file may be, apart from the timeline, which is written at once.
const AGE: Duration = Duration::from_secs(10);

/// What was seen of a database: in memory, and in a file of the node where one is named.
#[derive(Debug, Default)]
pub struct Fence {
    file: Option<PathBuf>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The server's own number: copies of its data have the same.
    server: i64,
    timeline: u32,
    heads: HashMap<StreamId, Seen>,
    /// Streams that are written no more, and why.
    stopped: HashMap<StreamId, LogError>,
    written: Option<Instant>,
    is_changed: bool,
}

/// The highest end of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen {
    head: Head,
    /// Whether the server that is asked now was found to have it.
    is_there: bool,
}

/// What has to be asked before a command is appended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Before {
    /// Nothing.
    Nothing,
    /// Where the stream ends: the writer may have read somewhere else.
    Head,
    /// The record at the end that was seen: another server may have another one there.
    Record(Head),
}

impl Fence {
    /// What was seen according to a file, which is written anew as more is seen. Where there is no
    /// such file, nothing was seen yet.
    ///
    /// # Errors
    /// Where it can't be read. It is never begun anew by itself: what it says protects the log.
    pub fn open(file: &Path) -> io::Result<Fence> {
        let state = match std::fs::read_to_string(file) {
            Ok(text) => read(&text).ok_or_else(|| {
                let why =
                    "it is not what this program writes; move it aside if the database is right";
                io::Error::new(io::ErrorKind::InvalidData, why)
            })?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => State::default(),
            Err(error) => return Err(error),
        };
        Ok(Fence { file: Some(file.to_path_buf()), state: Mutex::new(state) })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes the timeline of a server to which a connection was made. True: it is new here.
    pub(crate) fn meets(&self, server: i64, timeline: u32) -> Result<bool, LogError> {
        let mut state = self.state();
        if state.server == server && timeline < state.timeline {
            return Err(LogError::Replaced { seen: state.timeline, found: timeline });
        }
        let is_new = state.server != server || timeline > state.timeline;
        if is_new {
            (state.server, state.timeline) = (server, timeline);
            // Another server: it has yet to show what it has.
            state.heads.values_mut().for_each(|seen| seen.is_there = false);
            state.is_changed = true;
            self.write(&mut state);
        }
        Ok(is_new)
    }

    /// Whether no server was met since that took the place of this one.
    pub(crate) fn is_newest(&self, server: i64, timeline: u32) -> bool {
        let state = self.state();
        state.server == server && timeline >= state.timeline
    }

    /// The newest timeline.
    pub fn timeline(&self) -> u32 {
        self.state().timeline
    }

    /// The highest end of a stream that was seen: asked before a question, so that nothing that was
    /// appended meanwhile is missed in the answer.
    pub(crate) fn seen(&self, stream: StreamId) -> Option<Head> {
        self.state().heads.get(&stream).map(|seen| seen.head)
    }

    /// The highest ends that were seen, of all streams.
    pub(crate) fn all(&self) -> Vec<(StreamId, Head)> {
        self.state().heads.iter().map(|(stream, seen)| (*stream, seen.head)).collect()
    }

    /// What to ask before a command is appended after this head.
    pub(crate) fn before(&self, stream: StreamId, expected: Head) -> Result<Before, LogError> {
        let state = self.state();
        if let Some(why) = state.stopped.get(&stream) {
            return Err(why.clone());
        }
        Ok(match state.heads.get(&stream) {
            Some(seen) if seen.head == expected => Before::Nothing,
            Some(seen) if seen.head.seq >= expected.seq => Before::Head,
            Some(seen) if !seen.is_there => Before::Record(seen.head),
            _ => Before::Nothing,
        })
    }

    /// What was seen of a stream and has to be looked for, since the stream ends behind it now: another
    /// log may have grown past it.
    pub(crate) fn unproved(&self, stream: StreamId, found: Head) -> Option<Head> {
        let state = self.state();
        let seen = state.heads.get(&stream).filter(|seen| !seen.is_there)?;
        (seen.head.seq < found.seq).then_some(seen.head)
    }

    /// The streams that are written no more here, each with what was seen and what was found.
    pub(crate) fn stopped(&self) -> Vec<(StreamId, Ends)> {
        let state = self.state();
        let stopped = state.stopped.values().filter_map(|why| match why {
            LogError::Forked { stream, ends } => Some((*stream, **ends)),
            _ => None,
        });
        stopped.collect()
    }

    /// Notes where a stream ends. `before` is what was seen when it was asked.
    pub(crate) fn ends(
        &self,
        stream: StreamId,
        before: Option<Head>,
        found: Head,
    ) -> Result<(), LogError> {
        let mut state = self.state();
        if let Some(seen) = before
            && (found.seq < seen.seq || (found.seq == seen.seq && found.hash != seen.hash))
        {
            let why = LogError::forked(stream, seen, found);
            return Err(state.stopped.entry(stream).or_insert(why).clone());
        }
        if found.seq == 0 {
            return Ok(());
        }
        let seen = state.heads.entry(stream).or_insert(Seen { head: found, is_there: true });
        if before == Some(found) && seen.head == found {
            seen.is_there = true;
        }
        // A longer log may be another one, as long as nobody has looked at the place that was seen.
        if seen.is_there && seen.head.seq < found.seq {
            seen.head = found;
        }
        state.is_changed = true;
        if state.written.is_none_or(|written| written.elapsed() > AGE) {
            self.write(&mut state);
        }
        Ok(())
    }

    /// Notes that a command was appended after this head, which the database has compared.
    pub(crate) fn appended(&self, stream: StreamId, expected: Head, new: Head) {
        let mut state = self.state();
        let seen = state.heads.entry(stream).or_insert(Seen { head: new, is_there: true });
        seen.is_there |= seen.head == expected;
        if seen.head.seq < new.seq {
            seen.head = new;
        }
        state.is_changed = true;
        if state.written.is_none_or(|written| written.elapsed() > AGE) {
            self.write(&mut state);
        }
    }

    /// Notes that the server has the record at an end that was seen, or which other one it has.
    pub(crate) fn has(
        &self,
        stream: StreamId,
        seen: Head,
        hash: Option<RecordHash>,
    ) -> Result<(), LogError> {
        let mut state = self.state();
        if hash != Some(seen.hash) {
            let found = hash.map_or(Head::EMPTY, |hash| Head { seq: seen.seq, hash });
            let why = LogError::forked(stream, seen, found);
            return Err(state.stopped.entry(stream).or_insert(why).clone());
        }
        if let Some(known) = state.heads.get_mut(&stream) {
            known.is_there = true;
        }
        Ok(())
    }

    /// Writes the file where something was seen since. That it can't be written stops nobody: it
    /// is a memory for the next time.
    fn write(&self, state: &mut State) {
        let Some(file) = self.file.as_deref().filter(|_| state.is_changed) else { return };
        state.written = Some(Instant::now());
        state.is_changed = replace(file, &text(state)).is_err();
    }
}

impl Drop for Fence {
    fn drop(&mut self) {
        let mut state =
            std::mem::take(self.state.get_mut().unwrap_or_else(PoisonError::into_inner));
        self.write(&mut state);
    }
}

fn replace(file: &Path, text: &str) -> io::Result<()> {
    let new = file.with_extension("new");
    let mut to = File::create(&new)?;
    to.write_all(text.as_bytes())?;
    to.sync_all()?;
    std::fs::rename(&new, file)
}

const FIRST: &str = "scrutineer: what was seen of a database, 1";

fn text(state: &State) -> String {
    let mut text = format!("{FIRST}\nserver {} timeline {}\n", state.server, state.timeline);
    for (stream, Seen { head, .. }) in &state.heads {
        let _ = writeln!(text, "{} {} {}", to_hex(&stream.0), head.seq, to_hex(&head.hash.0));
    }
    text.push_str("end\n");
    text
}

fn read(text: &str) -> Option<State> {
    let mut lines = text.strip_suffix("end\n")?.lines();
    lines.next().filter(|line| *line == FIRST)?;
    let server = lines.next()?.strip_prefix("server ")?;
    let (server, timeline) = server.split_once(" timeline ")?;
    let mut state = State {
        server: server.parse().ok()?,
        timeline: timeline.parse().ok()?,
        ..State::default()
    };
    for line in lines {
        let mut words = line.split(' ');
        let stream = StreamId(from_hex(words.next()?)?);
        let seq = words.next()?.parse().ok()?;
        let hash = RecordHash(from_hex(words.next()?)?);
        state.heads.insert(stream, Seen { head: Head { seq, hash }, is_there: false });
    }
    Some(state)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: StreamId = StreamId([1; 16]);

    fn head(seq: u64, hash: u8) -> Head {
        Head { seq, hash: RecordHash([hash; 32]) }
    }

    #[test]
    fn a_stream_that_is_behind_or_another_one_is_stopped_for_good() {
        let fence = Fence::default();
        assert_eq!(fence.ends(ONE, None, head(5, 5)), Ok(()));
        assert_eq!(fence.before(ONE, head(5, 5)), Ok(Before::Nothing));
        assert_eq!(fence.before(ONE, head(5, 9)), Ok(Before::Head));
        assert_eq!(fence.before(ONE, head(4, 4)), Ok(Before::Head));
        // An answer that was on its way while somebody appended.
        let before = fence.seen(ONE);
        assert_eq!(fence.ends(ONE, before, head(6, 6)), Ok(()));
        assert_eq!(fence.ends(ONE, before, head(5, 5)), Ok(()));
        assert_eq!(fence.seen(ONE), Some(head(6, 6)));
        for found in [head(5, 5), head(6, 7), Head::EMPTY] {
            let fence = Fence::default();
            fence.ends(ONE, None, head(6, 6)).expect("seen");
            let why = LogError::forked(ONE, head(6, 6), found);
            assert_eq!(fence.ends(ONE, fence.seen(ONE), found), Err(why.clone()));
            assert_eq!(fence.before(ONE, head(6, 6)), Err(why));
        }
    }

    #[test]
    fn what_was_seen_survives_a_restart_and_is_looked_for_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("seen");
        let fence = Fence::open(&file).expect("it opens");
        assert_eq!(fence.meets(-7, 2), Ok(true));
        assert_eq!(fence.meets(-7, 2), Ok(false));
        fence.ends(ONE, None, head(5, 5)).expect("seen");
        drop(fence);
        let fence = Fence::open(&file).expect("it opens");
        assert_eq!((fence.timeline(), fence.seen(ONE)), (2, Some(head(5, 5))));
        assert_eq!(fence.meets(-7, 1), Err(LogError::Replaced { seen: 2, found: 1 }));
        assert_eq!(fence.before(ONE, head(8, 8)), Ok(Before::Record(head(5, 5))));
        let found = Head { seq: 5, hash: RecordHash([9; 32]) };
        let why = LogError::forked(ONE, head(5, 5), found);
        assert_eq!(fence.has(ONE, head(5, 5), Some(RecordHash([9; 32]))), Err(why));

        let fence = Fence::open(&file).expect("it opens");
        assert_eq!(fence.has(ONE, head(5, 5), Some(RecordHash([5; 32]))), Ok(()));
        assert_eq!(fence.before(ONE, head(8, 8)), Ok(Before::Nothing));
        // Another server's data, such as after an upgrade: it shows what it has.
        assert_eq!(fence.meets(8, 1), Ok(true));
        assert_eq!(fence.before(ONE, head(8, 8)), Ok(Before::Record(head(5, 5))));
        drop(fence);

        // A file that is torn is not taken for one that never was.
        let text = std::fs::read_to_string(&file).expect("a file");
        std::fs::write(&file, &text[..text.len() - 2]).expect("written");
        assert!(Fence::open(&file).is_err());
    }
}
