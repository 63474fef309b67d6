//! Verifying a tournament of a store with everything that the store and this machine keep of it.

use crate::keys::KeyFolder;
use crate::sign::holds_against_signed;
use crate::store::{Store, StoreError};
use scrutineer_engine::handler::read_events;
use scrutineer_engine::record::StreamId;
use scrutineer_engine::tournament::Tournament;
use scrutineer_replay::as_of::AsOf;
use scrutineer_replay::verify::{Against, Finding, Severity, Verification, Verified, verify_kept};

/// Verifies a tournament of a store with everything that is kept of it.
///
/// # Errors
/// Where what stands beside the log cannot be read.
pub fn verify_tournament(store: &Store, stream: StreamId) -> Result<Verification, StoreError> {
    verify_tournament_as_of(store, stream, None, &Against::default(), None)
}

/// As [`verify_tournament`], as of a moment, held against what somebody outside has, and against what
/// the keys of this machine signed last.
///
/// # Errors
/// Where what stands beside the log cannot be read.
pub fn verify_tournament_as_of(
    store: &Store,
    stream: StreamId,
    as_of: Option<AsOf>,
    against: &Against,
    keys: Option<&KeyFolder>,
) -> Result<Verification, StoreError> {
    let Verified { mut result, records_hold, history } =
        verify_kept(store, stream, as_of, against)?;
    let Some(history) = history else { return Ok(result) };
    let was_there = |seq: u64| as_of.is_none_or(|as_of| seq <= as_of.head.seq);
    let signed = keys.map(|keys| holds_against_signed(&history, keys));
    if let Some(Err(why)) = signed {
        result.findings.push(Finding {
            code: why.code().word,
            seq: 0,
            sentence: format!("what was signed here last, beside the keys: {why}"),
            severity: Severity::Error,
        });
    }
    for snapshot in store.snapshots(stream)?.into_iter().filter(|one| was_there(one.seq)) {
        let mut find = |code, severity, sentence: String| {
            result.findings.push(Finding { code, seq: snapshot.seq, sentence, severity });
        };
        match snapshot.unusable {
            Some(why) => {
                let sentence = format!("a snapshot is passed over: {why}");
                find("snapshot-unused", Severity::Information, sentence);
            }
            None if !records_hold => {}
            None if snapshot_holds(store, stream, snapshot.seq)? => {}
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

/// Whether the snapshot after event `seq` is what a fold of every event gives.
///
/// # Errors
/// Where the log cannot be read.
pub fn snapshot_holds(store: &Store, stream: StreamId, seq: u64) -> Result<bool, StoreError> {
    let mut state = Tournament::default();
    for read in read_events(store.log(), stream, 0).take(usize::try_from(seq).unwrap_or(usize::MAX))
    {
        state.evolve(&read?.1);
    }
    Ok(store.snapshot_at(stream, seq)?.is_some_and(|(_, kept)| kept == state))
}
