//! Whether a log is what was written: every record's hash and place in the chain, every event
//! read strictly and admitted again.

use crate::archive::{Archive, ArchiveError, OpenEvent};
use scrutineer_engine::book::{Commitment, Opened};
use scrutineer_engine::decide::admit;
use scrutineer_engine::event::Event;
use scrutineer_engine::log::{EmbeddedLog, Log, LogError};
use scrutineer_engine::record::{Chain, ChainFault, Record, RecordHash, StreamId};
use scrutineer_engine::scorekeeper::event_of;
use scrutineer_engine::tournament::Tournament;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Good to know.
    Information,
    /// Something does not hold.
    Error,
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
}

/// Verifies the chain of one event and its events. What cannot be read is a finding too.
pub fn verify(log: &dyn Log, stream: StreamId) -> Verification {
    let mut result =
        Verification { stream, records: 0, head: RecordHash::ZERO, findings: Vec::new() };
    if let Err(error) = look(log, stream, &mut result) {
        result.findings.push(Finding {
            code: "not-read",
            seq: result.records + 1,
            sentence: error.to_string(),
            severity: Severity::Error,
        });
    }
    result
}

fn look(log: &dyn Log, stream: StreamId, result: &mut Verification) -> Result<(), LogError> {
    let mut chain = Chain::new(stream);
    // What is legal can only be judged as long as every event before is known.
    let mut state = Some(Tournament::default());
    log.read(stream, 0, &mut |record| {
        let header = *record.header();
        let mut find = |code, sentence: String| {
            let severity = Severity::Error;
            result.findings.push(Finding { code, seq: header.seq, sentence, severity });
        };
        if !record.hash_holds() {
            find("hash", "the record is not the one whose hash was kept".into());
        }
        if let Err(fault) = chain.follows(&record) {
            find("chain", fault.to_string());
        }
        match Event::decode_strict(header.kind, header.schema, record.payload()) {
            Ok(event) => {
                if let Some(state) = &mut state {
                    if let Err(rejection) = admit(state, &event) {
                        find("not-legal", format!("{} ({})", rejection, rejection.code()));
                    }
                    state.evolve(&event);
                }
            }
            Err(error) => {
                find("unreadable", error.to_string());
                state = None;
            }
        }
        result.records += 1;
        result.head = record.hash();
        ControlFlow::Continue(())
    })?;
    let head = log.head(stream)?;
    if (head.seq, head.hash) != (result.records, result.head) {
        result.findings.push(Finding {
            code: "head",
            seq: head.seq,
            sentence: format!("the log says that it ends at event {}", head.seq),
            severity: Severity::Error,
        });
    }
    Ok(())
}

/// Verifies the ground state: every record of every event as the journal holds it, by its hash and
/// its place in the chain. Gives how many there are.
///
/// # Errors
/// Where the journal is damaged, with the place.
pub fn verify_journal(log: &EmbeddedLog) -> Result<u64, LogError> {
    let mut chains: BTreeMap<StreamId, Chain> = BTreeMap::new();
    let mut records = 0;
    let mut broken = None;
    log.scan_journal(&mut |record| {
        let stream = record.header().stream;
        let chain = chains.entry(stream).or_insert_with(|| Chain::new(stream));
        records += 1;
        match chain.follows(&record) {
            Ok(()) if record.hash_holds() => return ControlFlow::Continue(()),
            Ok(()) => {
                let found = Record::read(record.bytes()).map_or(RecordHash::ZERO, |r| r.hash());
                let (seq, expected) = (record.header().seq, record.hash());
                let fault = ChainFault::Unlinked { seq, expected, found };
                broken = Some(LogError::Broken { stream, fault });
            }
            Err(fault) => broken = Some(LogError::Broken { stream, fault }),
        }
        ControlFlow::Break(())
    })?;
    broken.map_or(Ok(records), Err)
}

/// Verifies that the title and the names in the private book are those that the log commits to.
/// An erased one is no finding.
pub fn verify_book(event: &OpenEvent) -> Vec<Finding> {
    let altered = |words: &Commitment| event.book.text(words) == Opened::Altered;
    let mut findings = Vec::new();
    let mut find = |seq, what: String| {
        let sentence = format!("the private book holds another {what} than the log commits to");
        let severity = Severity::Error;
        findings.push(Finding { code: "book-altered", seq, sentence, severity });
    };
    if event.state.opened().is_some_and(|opened| altered(&opened.title)) {
        find(1, "title".into());
    }
    for player in event.state.players().iter().filter(|player| altered(&player.name)) {
        find(player.enrolled, format!("name of player {}", player.number));
    }
    findings
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
