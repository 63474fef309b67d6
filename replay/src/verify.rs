//! Whether a log is what was written. Everything that follows from the records is made again: the
//! chain, what is legal, every draw from its seed, every announced table. It never stops at the
//! first finding.

mod pairings;
mod tables;
mod walk;

pub use crate::finding::{Finding, Severity};
pub use crate::trust::held::Against;
pub use tables::altered_tables;
pub use walk::Walk;

use crate::announced::AnnouncedTable;
use crate::as_of::{AsOf, Past};
use crate::kept::{Kept, KeptError};
use crate::trust::check::{check_kept_until, compare_with_known, read_kept};
use crate::trust::history::History;
use scrutineer_engine::book::Book;
use scrutineer_engine::log::{Log, LogError};
use scrutineer_engine::record::{Chain, RecordHash, StreamId};
use scrutineer_projections::counted;
use std::collections::HashMap;

/// What verification of one tournament looked at and found.
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

/// Verifies the records of one tournament: everything that follows from them is made again. What cannot
/// be read is a finding too. The history is what checkpoints are held against.
pub fn verify(log: &dyn Log, stream: StreamId, beside: Beside<'_>) -> (Verification, History) {
    let mut walk = Walk::new(stream, beside);
    let read = log.read(stream, 0).try_for_each(|record| {
        walk.take(&record?);
        Ok(())
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
    let code = if why.is_damage() { "journal-damaged" } else { "not-read" };
    Finding { code, seq, sentence: why.to_string(), severity: Severity::Error }
}

/// What verification of a tournament with everything beside it gave.
pub struct Verified {
    /// What was looked at and found.
    pub result: Verification,
    /// Whether the records alone hold.
    pub records_hold: bool,
    /// The whole log, which checkpoints are held against; none where it can't be read to its end.
    pub history: Option<History>,
}

/// Verifies a tournament with what is kept of it, as of a moment: the log up to there, and what
/// stands beside that; and held against what somebody outside has.
///
/// # Errors
/// Where what stands beside the log cannot be read.
pub fn verify_kept(
    store: &dyn Kept,
    stream: StreamId,
    as_of: Option<AsOf>,
    against: &Against,
) -> Result<Verified, KeptError> {
    let past = as_of.map(|as_of| Past::new(store.log(), stream, as_of.head));
    let log: &dyn Log = past.as_ref().map_or(store.log(), |past| past);
    let was_there = |seq: u64| as_of.is_none_or(|as_of| seq <= as_of.head.seq);
    let (book, mut tables) = (store.books().book(stream)?, store.announced(stream)?);
    tables.retain(|table| was_there(table.announced));
    // Which of them counted in the past, nobody asks. A file that the disk does not give holds none.
    let secrets = as_of.is_none().then(|| store.secrets(stream).unwrap_or_default());
    let beside = Beside { book: Some(&book), tables: &tables, secrets: secrets.as_deref() };
    let (mut result, history) = verify(log, stream, beside);
    let holds = result.holds();
    if let unread @ 1.. = store.announced_unread(stream)? {
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
    let whole = as_of.map(|_| History::read(store.log(), stream)).transpose();
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
        return Ok(Verified { result, records_hold: holds, history: None });
    }
    let (kept, damaged) = read_kept(&store.checkpoints(stream)?);
    result.findings.extend(damaged);
    let (size, history) = (history.size(), whole.unwrap_or(history));
    let known = compare_with_known(&history, &kept, against);
    for mut finding in check_kept_until(&history, &kept, size).into_iter().chain(known) {
        // What is known of more records than there are is said at the last one.
        finding.seq = finding.seq.min(size);
        result.findings.push(finding);
    }
    Ok(Verified { result, records_hold: holds, history: Some(history) })
}

/// Verifies the ground state: every record of every event as the log keeps it, by its hash and its
/// place in the chain. Gives how many there are.
///
/// # Errors
/// Where the log is damaged, with the place.
pub fn verify_journal(log: &dyn Log) -> Result<u64, LogError> {
    let mut chains: HashMap<StreamId, Chain> = HashMap::new();
    let mut records = 0;
    for record in log.scan() {
        let record = record?;
        let stream = record.header().stream;
        let chain = chains.entry(stream).or_insert_with(|| Chain::new(stream));
        chain.follows(&record).map_err(|fault| LogError::Broken { stream, fault })?;
        records += 1;
    }
    Ok(records)
}
