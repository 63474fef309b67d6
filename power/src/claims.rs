//! What a worker says while it works, one line a mark, and what follows for whoever reads the store
//! afterwards.
//!
//! ```text
//! sent <stream> <command> <first seq> <last seq> <hash of the last | ->
//! acknowledged <stream> <command> <first seq> <last seq> <hash of the last>
//! words <stream> <number> <digest>       a private text that an acknowledged event refers to
//! secret <stream> <secret>               a secret of the draws that was kept
//! refused <what the store said>
//! reopened
//! mirrored                               the store was closed: its mirror has everything
//! ```

use scrutineer_engine::record::{CommandId, RecordHash, StreamId};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

/// One command with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Its id.
    pub command: CommandId,
    /// The place of its first record.
    pub first: u64,
    /// The place of its last record.
    pub last: u64,
    /// The hash of its last record, which binds all before it; none: it was not known when the
    /// command was sent.
    pub hash: Option<RecordHash>,
}

/// What was said of one stream.
#[derive(Clone, Debug, Default)]
pub struct Stream {
    /// What was sent: nothing else may stand there.
    pub sent: HashMap<(CommandId, u64), Vec<Placed>>,
    /// What was acknowledged: all of it has to stand there.
    pub acknowledged: Vec<Placed>,
    /// How many of the acknowledged commands the mirror has to have.
    pub mirrored: usize,
    /// Private texts by number, and the digest that was committed to.
    pub words: BTreeMap<u32, [u8; 32]>,
    /// Secrets that were kept.
    pub secrets: Vec<[u8; 32]>,
}

/// Everything that was said.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    /// By stream.
    pub streams: BTreeMap<StreamId, Stream>,
    /// Acknowledgements after a refusal without opening the store again. There may be none.
    pub after_refusal: u32,
    /// How often the store refused.
    pub refusals: u32,
    stopped: bool,
}

impl Claims {
    /// Reads lines; a last one that is cut off is passed over.
    pub fn read(text: &str) -> Claims {
        let mut claims = Claims::default();
        text.split_inclusive('\n')
            .filter_map(|line| line.strip_suffix('\n'))
            .for_each(|line| claims.take(line));
        claims
    }

    /// Events that were acknowledged.
    pub fn events(&self) -> u64 {
        let placed = self.streams.values().flat_map(|stream| &stream.acknowledged);
        placed.map(|placed| placed.last - placed.first + 1).sum()
    }

    fn take(&mut self, line: &str) {
        let words: Vec<&str> = line.split(' ').collect();
        let known = match words[..] {
            ["sent", stream, command, first, last, hash] => {
                self.placed(stream, command, first, last, hash).map(|(stream, placed)| {
                    let sent = stream.sent.entry((placed.command, placed.first));
                    sent.or_default().push(placed);
                })
            }
            ["acknowledged", stream, command, first, last, hash] => {
                self.after_refusal += u32::from(self.stopped);
                self.placed(stream, command, first, last, hash)
                    .map(|(stream, placed)| stream.acknowledged.push(placed))
            }
            ["words", stream, number, digest] => self.words(stream, number, digest),
            ["secret", stream, secret] => self.secret(stream, secret),
            ["refused", ..] => {
                self.refusals += 1;
                self.stopped = true;
                Some(())
            }
            ["reopened"] => {
                self.stopped = false;
                Some(())
            }
            ["mirrored"] => {
                for stream in self.streams.values_mut() {
                    stream.mirrored = stream.acknowledged.len();
                }
                Some(())
            }
            _ => None,
        };
        assert!(known.is_some(), "nobody says {line:?}");
    }

    fn placed(
        &mut self,
        stream: &str,
        command: &str,
        first: &str,
        last: &str,
        hash: &str,
    ) -> Option<(&mut Stream, Placed)> {
        let hash = if hash == "-" { None } else { Some(hash.parse().ok()?) };
        let (first, last) = (first.parse().ok()?, last.parse().ok()?);
        let placed = Placed { command: command.parse().ok()?, first, last, hash };
        Some((self.stream(stream)?, placed))
    }

    fn words(&mut self, stream: &str, number: &str, digest: &str) -> Option<()> {
        let digest = digest.parse::<RecordHash>().ok()?.0;
        self.stream(stream)?.words.insert(number.parse().ok()?, digest);
        Some(())
    }

    fn secret(&mut self, stream: &str, secret: &str) -> Option<()> {
        let secret = secret.parse::<RecordHash>().ok()?.0;
        self.stream(stream)?.secrets.push(secret);
        Some(())
    }

    fn stream(&mut self, id: &str) -> Option<&mut Stream> {
        Some(self.streams.entry(id.parse().ok()?).or_default())
    }
}

/// The line for a command; `what` is "sent" or "acknowledged".
pub fn line(what: &str, stream: StreamId, placed: &Placed) -> String {
    let Placed { command, first, last, hash } = placed;
    let mut line = format!("{what} {stream} {command} {first} {last} ");
    let written = match hash {
        Some(hash) => write!(line, "{hash}"),
        None => write!(line, "-"),
    };
    debug_assert!(written.is_ok());
    line
}
