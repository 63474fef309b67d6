//! Whether a log is what was written: every record's hash and place in the chain, every event
//! read strictly and admitted again.

use scrutineer_engine::decide::admit;
use scrutineer_engine::event::Event;
use scrutineer_engine::log::{Log, LogError};
use scrutineer_engine::record::{Chain, RecordHash, StreamId};
use scrutineer_engine::tournament::Tournament;
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

/// Verifies the chain of one event and its events.
///
/// # Errors
/// Where the log cannot be read at all.
pub fn verify(log: &dyn Log, stream: StreamId) -> Result<Verification, LogError> {
    let mut result =
        Verification { stream, records: 0, head: RecordHash::ZERO, findings: Vec::new() };
    let mut chain = Chain::new(stream);
    let mut state = Tournament::default();
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
                if let Err(rejection) = admit(&state, &event) {
                    find("not-legal", format!("{} ({})", rejection, rejection.code()));
                }
                state.evolve(&event);
            }
            Err(error) => find("unreadable", error.to_string()),
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
    Ok(result)
}
