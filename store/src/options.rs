//! How a store is opened, why it can't be, and what its user should be told.

use scrutineer_engine::error::Code;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::LogError;
use scrutineer_engine::log::RESTORE;
use scrutineer_engine::record::StreamId;

/// How an embedded store works. The defaults are right for a tournament desk.
#[derive(Clone, Debug)]
pub struct Options {
    /// sled's cache, in bytes.
    pub cache_bytes: u64,
    /// sled's own files are cut into pieces of this many bytes, a power of two. It is fixed when a
    /// sled folder is created; with another value later the folder is made again.
    pub sled_segment_bytes: usize,
    /// A journal segment is sealed when it has this many bytes.
    pub journal_segment_bytes: u64,
    /// How long opening sled may show no progress.
    pub open_deadline: Duration,
    /// How long one step inside sled may take before sled counts as stuck.
    pub step_deadline: Duration,
    /// How long a reader waits for sled to catch up before it reads from the journal.
    pub patience: Duration,
    /// How many bytes of the journal sled may lack before writers wait for it. They don't wait
    /// for one that is being filled again.
    pub most_behind_bytes: u64,
    /// How many command ids are kept in memory, over all streams; more where the streams in use
    /// have more.
    pub hot_commands: usize,
    /// Where a further copy is kept.
    pub mirror: Mirror,
    /// How long opening waits for a mirror to answer, and closing for one that shows no progress.
    pub mirror_deadline: Duration,
    /// How long is waited before a mirror that could not be reached is tried again.
    pub mirror_retry: Duration,
    /// What else of the store's folder goes into a mirror: files, and folders whose files only
    /// grow.
    pub beside: &'static [&'static str],
    /// Who is told notices as they come up, besides [`EmbeddedLog::notices`](super::EmbeddedLog).
    pub teller: Option<Teller>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            cache_bytes: 256 * 1024 * 1024,
            sled_segment_bytes: 16 * 1024 * 1024,
            journal_segment_bytes: 64 * 1024 * 1024,
            open_deadline: Duration::from_secs(60),
            step_deadline: Duration::from_secs(30),
            patience: Duration::from_secs(2),
            most_behind_bytes: 256 * 1024 * 1024,
            hot_commands: 250_000,
            mirror: Mirror::default(),
            mirror_deadline: Duration::from_secs(10),
            mirror_retry: Duration::from_secs(30),
            beside: &[],
            teller: None,
        }
    }
}

/// Something the user should know. Nothing was lost; the store goes on working.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// A stable code: `unclean-stop`, `journal-tail-cut`, `sled-rebuilt`, `sled-unavailable`,
    /// `sled-copy-failed`, `mirror-away`, `mirror-behind`, `mirror-back`, `mirror-book`,
    /// `mirror-replaced`, `mirror-unknown`.
    pub code: &'static str,
    /// A plain sentence.
    pub text: String,
}

impl Notice {
    pub(crate) fn new(code: &'static str, text: impl Into<String>) -> Notice {
        Notice { code, text: text.into() }
    }
}

/// What a store has done since it was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Stats {
    /// Commands in the journal, from its beginning.
    pub commands: u64,
    /// Commands that have reached sled.
    pub commands_in_sled: u64,
    /// Bytes of the journal that sled lacks.
    pub bytes_behind: u64,
    /// How often the disk was waited for since opening.
    pub syncs: u64,
}

scrutineer_engine::errors! {
    /// Why a store can't be opened. Nothing was changed.
    #[derive(Clone, PartialEq, Eq)]
    pub enum OpenError -> Option<&'static str> {
        /// Somebody else has it open.
        InUse { folder: PathBuf } = busy "store-not-opened",
            "another process has the store {folder} open",
            Some("use that one, or stop it and try again");
        /// The folder can't be written.
        ReadOnly { folder: PathBuf, reason: String } = io "store-not-opened",
            "the store {folder} can't be written: {reason}",
            Some("check the disk's space and the folder's permissions, or copy it elsewhere");
        /// The folder holds something else.
        NotAStore { folder: PathBuf, reason: String } = io "store-not-opened",
            "{folder} is not a store: {reason}",
            Some("name an empty folder or a store; a damaged one comes back with `scrutineer \
             restore --from <mirror or backup>`");
        /// The folder is a mirror or a backup.
        IsCopy { folder: PathBuf } = io "store-not-opened",
            "{folder} is a copy of a store, not a store",
            Some("make a store of it: `scrutineer restore --from <this folder> --store <new \
             folder>`; whether it is whole says `scrutineer verify`");
        /// The store's format is unknown.
        Newer { found: u32, known: u32 } = io "store-not-opened",
            "the store has format {found}, this program knows {known}: it was written by a newer \
             version",
            Some("install the version that wrote it");
        /// The journal ends in a broken frame, although the store had been closed in order.
        TailDamaged { segment: u64, offset: u64, bytes: u64 } = damaged "journal-damaged",
            "the journal's file {segment:08}.seg is damaged at byte {offset}, its last {bytes} \
             bytes: the store was closed in order, so this is no interrupted write; nothing was changed",
            Some(RESTORE);
        /// The journal lacks records that were acknowledged, or has others: sled still has them.
        JournalShort { lost: Vec<Lost> } = damaged "journal-damaged",
            ["the journal is not what it was: {}; nothing was changed. To go on with what is \
             there, move the folder `sled` away and open the store again", list(.lost)],
            Some(RESTORE);
        /// The mirror is not this store's, or not as the store is.
        Mirror(#[from] MirrorError) => (error) error.code(), "{0}", Some(error.hint());
        /// The journal can't be read, or is damaged.
        Log(#[from] LogError) => (error) if error.is_damage() { Code::damaged("journal-damaged") } else { Code::io("store-not-opened") },
            "{0}", error.is_damage().then_some(RESTORE);
    }
}

/// Records of a tournament which sled has and the journal has no more, or another in their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost {
    /// The tournament's stream.
    pub stream: StreamId,
    /// The journal's last record, 0 if it has none.
    pub journal: u64,
    /// sled's last record; where that is not behind the journal's last one, it is another than the
    /// journal has in its place.
    pub sled: u64,
}

/// Events that a message lists; of more it gives the number.
const LISTED: usize = 10;

pub(crate) fn list(lost: &[Lost]) -> String {
    let said =
        lost.iter().take(LISTED).map(|Lost { stream, journal, sled }| match sled > journal {
            true => {
                format!("tournament {stream} ends at record {journal}, sled has records to {sled}")
            }
            false => format!("sled has another record {sled} of tournament {stream}"),
        });
    let more = lost.len().saturating_sub(LISTED);
    let more = (more > 0).then(|| format!("and {more} other tournaments"));
    said.chain(more).collect::<Vec<String>>().join("; ")
}

scrutineer_engine::errors! {
    /// Why a mirror isn't written.
    #[derive(Clone, PartialEq, Eq)]
    pub enum MirrorError -> &'static str {
        /// The folder holds something else.
        NotACopy { folder: PathBuf } = invalid "mirror-not-empty",
            "{folder} is no mirror: it holds other files",
            "name an empty or a new folder";
        /// It lies in the store itself.
        Inside { folder: PathBuf } = invalid "mirror-inside-store",
            "{folder} lies in the store: what harms the store harms it too",
            "name a folder elsewhere, best on another disk";
        /// It is of another store.
        OtherStore { folder: PathBuf } = invalid "mirror-of-another-store",
            "{folder} is the mirror of another store",
            "name a folder of its own for each store; to go on without: `--mirror none`";
        /// A newer version wrote it.
        Newer { folder: PathBuf } = io "mirror-newer",
            "the mirror {folder} was written by a newer version",
            "name another folder, or install that version";
        /// It has commands that the store lacks.
        Ahead { folder: PathBuf } = damaged "mirror-ahead",
            "the mirror {folder} has commands that the store lacks: the store is an older copy, or has \
             lost them",
            "bring back what is missing: `scrutineer restore --from <mirror>`; to go on without \
             it: `--mirror none`";
        /// It went on in another way.
        Differs { folder: PathBuf } = damaged "mirror-differs",
            "the mirror {folder} went on in another way than the store",
            "one of the two is an older copy that was carried on: name another folder, or go on \
             without: `--mirror none`";
        /// It can't be reached or written, which passes.
        Away { reason: String } = io "mirror-away", "{reason}",
            "check the folder, the disk and the permissions";
    }
}

impl From<LogError> for MirrorError {
    fn from(error: LogError) -> MirrorError {
        MirrorError::Away { reason: error.to_string() }
    }
}

/// What is to be done about a mirror.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Mirror {
    /// What the store was told last: the folder it keeps in mind, or none.
    #[default]
    AsBefore,
    /// This folder from now on. One that isn't there is made, but for the folders above it.
    In(PathBuf),
    /// None from now on.
    Off,
}

/// How a mirror stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MirrorStanding {
    /// Where it is.
    pub folder: PathBuf,
    /// The commands that it lacks; none where it can't be read.
    pub missing: Option<u64>,
    /// Why it is not written, where that is so.
    pub away: Option<String>,
}

/// Is told each notice as it comes up.
#[derive(Clone)]
pub struct Teller(pub Arc<dyn Fn(&Notice) + Send + Sync>);

impl std::fmt::Debug for Teller {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Teller")
    }
}
