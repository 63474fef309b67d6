//! Whether a log is what was written. Everything that follows from the records is made again: the
//! chain, what is legal, every draw from its seed, every announced table. It never stops at the
//! first finding.

mod draws;
mod tables;
mod walk;

pub use tables::altered_tables;
pub use walk::Walk;

use crate::announced::AnnouncedTable;
use crate::archive::{Archive, ArchiveError};
use crate::as_of::{AsOf, Past};
use crate::trust::check::{check_kept_until, compare_with_known, read_kept};
use crate::trust::held::Held;
use crate::trust::history::History;
use crate::trust::keys::KeyFolder;
use crate::trust::note::PublicKey;
use crate::trust::sign::holds_against_signed;
use scrutineer_engine::book::Book;
use scrutineer_engine::log::{Log, LogError, Visit};
use scrutineer_engine::record::{Chain, RecordHash, StreamId};
use scrutineer_engine::scorekeeper::event_of;
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::counted;
use scrutineer_store::EmbeddedLog;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Good to know.
    Information,
    /// Something could not be checked: a version wrote it that this one does not know. Nobody may
    /// call it verified.
    Unchecked,
    /// Something does not hold.
    Error,
}

impl Severity {
    /// As it stands in front of a finding.
    pub const fn word(self) -> &'static str {
        match self {
            Severity::Information => "note",
            Severity::Unchecked => "not checked",
            Severity::Error => "error",
        }
    }
}

/// Something that verification found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// A stable code.
    pub code: &'static str,
    /// The event it is about; 0: the whole log.
    pub seq: u64,
    /// What was found.
    pub sentence: String,
    /// How bad it is.
    pub severity: Severity,
}

/// What verification of one event looked at and found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// The event.
    pub stream: StreamId,
    /// How many records were looked at.
    pub records: u64,
    /// The hash of the last one.
    pub head: RecordHash,
    /// What was found.
    pub findings: Vec<Finding>,
}

impl Verification {
    /// Whether nothing is wrong.
    pub fn holds(&self) -> bool {
        self.findings.iter().all(|finding| finding.severity < Severity::Error)
    }

    /// How many things could not be checked.
    pub fn unchecked(&self) -> usize {
        let unchecked = |finding: &&Finding| finding.severity == Severity::Unchecked;
        self.findings.iter().filter(unchecked).count()
    }
}

/// What stands beside the records and belongs to them.
#[derive(Clone, Copy, Default)]
pub struct Beside<'a> {
    /// The private book, where it is at hand.
    pub book: Option<&'a Book>,
    /// The tables of announcements, as far as they were kept.
    pub tables: &'a [AnnouncedTable],
    /// The secrets of the seeds that are kept here and can be read; none where nobody asks.
    pub secrets: Option<&'a [[u8; 32]]>,
}

/// What somebody outside holds against a log.
#[derive(Clone, Debug, Default)]
pub struct Against {
    /// The organizer's public key, as they gave it to somebody.
    pub key: Option<PublicKey>,
    /// Checkpoints that were handed out.
    pub known: Vec<Held>,
    /// What each of them is called, such as the name of its file; empty where nobody asks.
    pub names: Vec<String>,
    /// The keys that sign here: their folder remembers what was signed last.
    pub keys: Option<KeyFolder>,
}

/// Verifies the records of one event: everything that follows from them is made again. What cannot
/// be read is a finding too. The history is what checkpoints are held against.
pub fn verify(log: &dyn Log, stream: StreamId, beside: Beside<'_>) -> (Verification, History) {
    let mut walk = Walk::new(stream, beside);
    let read = log.read(stream, 0, &mut |record| {
        walk.take(&record);
        ControlFlow::Continue(())
    });
    let not_announced = walk.not_announced();
    let (mut result, history) = walk.finish();
    let mut error = |code, seq, sentence| {
        let severity = Severity::Error;
        result.findings.push(Finding { code, seq, sentence, severity });
    };
    match read.and_then(|()| log.head(stream)) {
        Ok(head) if (head.seq, head.hash) != (result.records, result.head) => {
            error("head", head.seq, format!("the log says that it ends at event {}", head.seq));
        }
        Ok(head) => {
            for seq in not_announced {
                // It may be of an event that the log had once.
                let sentence = format!(
                    "a table of event {seq} is kept beside the log, and no announcement of the log is \
                     its: the log was another one, or somebody put it there"
                );
                error("table-not-announced", seq.min(head.seq), sentence);
            }
        }
        Err(why) => result.findings.push(unread(&why, result.records + 1)),
    }
    (result, history)
}

/// That a log can't be read to its end.
fn unread(why: &LogError, seq: u64) -> Finding {
    let code = match why {
        LogError::Damaged { .. } | LogError::Broken { .. } => "journal-damaged",
        _ => "not-read",
    };
    Finding { code, seq, sentence: why.to_string(), severity: Severity::Error }
}

/// Verifies one event of an archive with everything that is kept of it.
///
/// # Errors
/// Where what stands beside the log cannot be read.
pub fn verify_event(archive: &Archive, stream: StreamId) -> Result<Verification, ArchiveError> {
    verify_event_as_of(archive, stream, None, &Against::default())
}

/// As [`verify_event`], as of a moment: the log up to there, and what stands beside that; and held
/// against what somebody outside has.
///
/// # Errors
/// Where what stands beside the log cannot be read.
pub fn verify_event_as_of(
    archive: &Archive,
    stream: StreamId,
    as_of: Option<AsOf>,
    against: &Against,
) -> Result<Verification, ArchiveError> {
    let past = as_of.map(|as_of| Past::new(archive.log(), stream, as_of.head));
    let log: &dyn Log = past.as_ref().map_or(archive.log(), |past| past);
    let was_there = |seq: u64| as_of.is_none_or(|as_of| seq <= as_of.head.seq);
    let (book, mut tables) = (archive.books().book(stream)?, archive.announced(stream)?);
    tables.retain(|table| was_there(table.announced));
    // Which of them counted in the past, nobody asks. A file that the disk does not give holds none.
    let secrets = as_of.is_none().then(|| archive.secrets(stream).unwrap_or_default());
    let beside = Beside { book: Some(&book), tables: &tables, secrets: secrets.as_deref() };
    let (mut result, history) = verify(log, stream, beside);
    let holds = result.holds();
    if let unread @ 1.. = archive.announced_unread(stream)? {
        let lines = counted(unread, "line");
        result.findings.push(Finding {
            code: "table-unread",
            seq: 0,
            sentence: format!(
                "{lines} of the tables kept beside the log can't be read; they follow from the log"
            ),
            severity: Severity::Information,
        });
    }
    // What was signed later stands for the earlier records too.
    let whole = as_of.map(|_| History::read(archive.log(), stream)).transpose();
    let whole = whole.unwrap_or_else(|why| {
        result.findings.push(unread(&why, result.records + 1));
        None
    });
    // Of a log that was not read to its end no checkpoint says anything.
    if result.findings.iter().any(|f| matches!(f.code, "journal-damaged" | "not-read")) {
        result.findings.push(Finding {
            code: "not-judged",
            seq: 0,
            sentence: "records cannot be read, so the checkpoints were not looked at".into(),
            severity: Severity::Information,
        });
        return Ok(result);
    }
    let (kept, damaged) = read_kept(&archive.checkpoints(stream)?);
    result.findings.extend(damaged);
    let (size, history) = (history.size(), whole.unwrap_or(history));
    let known = compare_with_known(&history, &kept, against);
    for mut finding in check_kept_until(&history, &kept, size).into_iter().chain(known) {
        // What is known of more records than there are is said at the last one.
        finding.seq = finding.seq.min(size);
        result.findings.push(finding);
    }
    let signed = against.keys.as_ref().map(|keys| holds_against_signed(&history, keys));
    if let Some(Err(why)) = signed {
        result.findings.push(Finding {
            code: why.code(),
            seq: 0,
            sentence: format!("what was signed here last, beside the keys: {why}"),
            severity: Severity::Error,
        });
    }
    for snapshot in archive.snapshots(stream)?.into_iter().filter(|one| was_there(one.seq)) {
        let mut find = |code, severity, sentence: String| {
            result.findings.push(Finding { code, seq: snapshot.seq, sentence, severity });
        };
        match snapshot.unusable {
            Some(why) => {
                let sentence = format!("a snapshot is passed over: {why}");
                find("snapshot-unused", Severity::Information, sentence);
            }
            None if !holds => {}
            None if snapshot_holds(archive, stream, snapshot.seq)? => {}
            None => {
                let sentence = "a snapshot is not what the events say: `scrutineer snapshots \
                                --drop` removes it"
                    .to_string();
                find("snapshot-differs", Severity::Error, sentence);
            }
        }
    }
    Ok(result)
}

/// Verifies the ground state: every record of every event as the journal holds it, by its hash and
/// its place in the chain. Gives how many there are.
///
/// # Errors
/// Where the journal is damaged, with the place.
pub fn verify_journal(log: &EmbeddedLog) -> Result<u64, LogError> {
    verify_records(&mut |visit| log.scan_journal(visit))
}

/// As [`verify_journal`], whatever the records of many streams are read from.
///
/// # Errors
/// Where they are damaged, with the place.
pub fn verify_records(
    scan: &mut dyn FnMut(&mut Visit<'_>) -> Result<(), LogError>,
) -> Result<u64, LogError> {
    let mut chains: BTreeMap<StreamId, Chain> = BTreeMap::new();
    let mut records = 0;
    let mut broken = None;
    scan(&mut |record| {
        let stream = record.header().stream;
        let chain = chains.entry(stream).or_insert_with(|| Chain::new(stream));
        records += 1;
        match chain.follows(&record) {
            Ok(()) => return ControlFlow::Continue(()),
            Err(fault) => broken = Some(LogError::Broken { stream, fault }),
        }
        ControlFlow::Break(())
    })?;
    broken.map_or(Ok(records), Err)
}

/// Whether the snapshot after event `seq` is what a fold of every event gives.
///
/// # Errors
/// Where the log cannot be read.
pub fn snapshot_holds(archive: &Archive, stream: StreamId, seq: u64) -> Result<bool, ArchiveError> {
    let mut state = Tournament::default();
    let mut failed = None;
    archive.log().read(stream, 0, &mut |record| {
        if record.header().seq > seq {
            return ControlFlow::Break(());
        }
        match event_of(&record) {
            Ok(event) => state.evolve(&event),
            Err(error) => {
                failed = Some(error);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    })?;
    if let Some(error) = failed {
        return Err(error.into());
    }
    Ok(archive.snapshot_at(stream, seq)?.is_some_and(|(_, kept)| kept == state))
}
