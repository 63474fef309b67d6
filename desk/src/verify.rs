//! Verifying a tournament of a store with everything that the store and this machine keep of it.

use crate::keys::KeyFolder;
use crate::pairing_engine::PairingEngine;
use crate::sign::holds_against_signed;
use crate::store::{Store, StoreError};
use scrutineer_engine::handler::read_events;
use scrutineer_engine::record::StreamId;
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::counted;
use scrutineer_projections::timeline::engine_called;
use scrutineer_replay::as_of::AsOf;
use scrutineer_replay::by_engine::{Asked, EngineRound, NOT_RUN, asked, not_asked_again};
use scrutineer_replay::verify::{Against, Finding, Severity, Verification, Verified, verify_kept};
use std::collections::BTreeMap;

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
    let mut found = verify_log(store, stream, as_of, against, keys)?;
    found.findings.extend(fork_of(store, stream)?);
    Ok(found)
}

/// Returns what is known of a copy whose log was rewritten where it is run: that another history was
/// signed too, which nothing in the log that is kept here can tell.
///
/// # Errors
/// Where what stands beside the log cannot be read.
pub fn fork_of(store: &Store, stream: StreamId) -> Result<Option<Finding>, StoreError> {
    let fork = store.rewritten(stream)?;
    Ok(fork.map(|fork| Finding {
        code: fork.code().word,
        seq: fork.seq.unwrap_or(0),
        sentence: fork.to_string(),
        severity: Severity::Error,
    }))
}

/// As [`verify_tournament_as_of`], without what [`fork_of`] says, which changes while the log stays.
pub(crate) fn verify_log(
    store: &Store,
    stream: StreamId,
    as_of: Option<AsOf>,
    against: &Against,
    keys: Option<&KeyFolder>,
) -> Result<Verification, StoreError> {
    let Verified { mut result, records_hold, history } =
        verify_kept(store, stream, as_of, against)?;
    // Nothing is paired in a copy.
    if store.followed(stream)?.is_some() {
        result.findings.retain(|finding| finding.code != "secret-missing");
    }
    let Some(history) = history else { return Ok(result) };
    let was_there = |seq: u64| as_of.is_none_or(|as_of| seq <= as_of.head.seq);
    let signed = keys.map(|keys| holds_against_signed(store, &history, keys));
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

/// Asks a pairing engine again about the rounds of a tournament that it paired, and adds to what was found
/// whether it says the same.
///
/// # Errors
/// Where the log cannot be read.
pub fn ask_engine_again(
    store: &Store,
    as_of: Option<AsOf>,
    engine: &PairingEngine,
    result: &mut Verification,
) -> Result<(), StoreError> {
    // What cannot be read was told.
    if !result.findings.iter().any(|finding| finding.code == NOT_RUN) {
        return Ok(());
    }
    let event = match as_of {
        Some(as_of) => store.load_as_of(result.stream, as_of, true)?,
        None => store.load(result.stream, true)?,
    };
    let (own, others): (Vec<Asked>, Vec<Asked>) =
        asked(&event.log).into_iter().partition(|one| one.paired.engine == engine.name);
    let called = engine.called();
    let (mut alike, was_asked) = (0, !own.is_empty());
    for Asked { seq, round, paired, question } in own {
        let mut find = |severity, code, sentence| {
            result.findings.push(Finding { code, seq, sentence, severity });
        };
        match engine.ask(&question.input) {
            Ok(answer) if EngineRound::are_alike(&answer, &paired.output) => alike += 1,
            Ok(_)
                if engine.version.is_some()
                    && engine.version == paired.version
                    && engine.arguments() == paired.arguments =>
            {
                let sentence =
                    format!("{called} pairs round {round} otherwise than was recorded of it");
                find(Severity::Error, "engine-differs", sentence);
            }
            Ok(_) => {
                let then = engine_called(&paired.engine, paired.version.as_deref());
                let sentence = format!(
                    "{called} pairs round {round} otherwise than {then} did, which may be another program"
                );
                find(Severity::Unchecked, "engine-other-version", sentence);
            }
            Err(why) => find(Severity::Unchecked, "engine-no-answer", why.to_string()),
        }
    }
    if was_asked {
        result.findings.retain(|finding| finding.code != NOT_RUN);
        let mut left: BTreeMap<String, u32> = BTreeMap::new();
        for Asked { paired, .. } in &others {
            let engine = engine_called(&paired.engine, paired.version.as_deref());
            *left.entry(engine).or_default() += 1;
        }
        result.findings.extend(left.into_iter().map(|(engine, rounds)| Finding {
            code: NOT_RUN,
            seq: 0,
            sentence: not_asked_again(rounds, &engine),
            severity: Severity::Information,
        }));
    }
    if alike > 0 {
        let rounds = counted(alike, "round");
        let sentence = format!("{rounds} paired again by {called}, as recorded");
        let severity = Severity::Information;
        result.findings.push(Finding { code: "engine-alike", seq: 0, sentence, severity });
    }
    Ok(())
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
