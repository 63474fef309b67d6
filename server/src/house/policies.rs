//! What is shown of each tournament, as its organizer chose it.

use super::rows::{NotDecided, Table};
use super::{House, not_kept, put_into, text_of};
use scrutineer_desk::public::Policy;
use scrutineer_desk::shown::Shown;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::Seq;
use scrutineer_engine::record::StreamId;
use scrutineer_engine::tournament::Tournament;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub(crate) const POLICIES: Table = "policies";
pub(crate) const SHOWN: Table = "shown";

/// What a venue shows of a tournament that it pushes here.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct KeptShown {
    /// When it was signed, in microseconds since 1970.
    pub at: i64,
    /// What.
    pub shown: Shown,
}

/// A policy as it is kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct KeptPolicy {
    /// The policy.
    pub(crate) policy: Policy,
    /// The last event that was public when it was chosen: nothing is taken back.
    pub(crate) public: Seq,
}

/// What is shown of the tournaments, as it is in memory too.
#[derive(Default)]
pub(crate) struct Policies(Mutex<Chosen>);

#[derive(Default)]
struct Chosen {
    policies: HashMap<String, KeptPolicy>,
    shown: HashMap<String, Arc<KeptShown>>,
}

impl Policies {
    fn lock(&self) -> MutexGuard<'_, Chosen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn take(&self, table: &str, key: &str, text: Option<&str>) -> Result<(), VerbError> {
        let mut chosen = self.lock();
        match table {
            POLICIES => put_into(&mut chosen.policies, key, text),
            _ => {
                let kept = text.map(serde_json::from_str::<KeptShown>).transpose();
                match kept.map_err(not_kept)? {
                    Some(kept) => drop(chosen.shown.insert(key.to_string(), Arc::new(kept))),
                    None => drop(chosen.shown.remove(key)),
                }
                Ok(())
            }
        }
    }

    pub(super) fn clear(&self) {
        *self.lock() = Chosen::default();
    }

    /// Returns what was chosen for a tournament.
    pub(crate) fn kept(&self, stream: StreamId) -> KeptPolicy {
        self.lock().policies.get(&stream.to_string()).cloned().unwrap_or_default()
    }

    /// Returns what its venue shows of a tournament that is pushed here.
    pub(crate) fn shown(&self, stream: StreamId) -> Option<Arc<KeptShown>> {
        self.lock().shown.get(&stream.to_string()).map(Arc::clone)
    }

    /// Returns the tournaments that are pushed here with what is shown of them.
    pub(crate) fn all_shown(&self) -> Vec<(StreamId, Arc<KeptShown>)> {
        let chosen = self.lock();
        let all = chosen.shown.iter();
        all.filter_map(|(id, kept)| Some((id.parse().ok()?, Arc::clone(kept)))).collect()
    }
}

impl House {
    /// Keeps a policy, and says in the list of changes who chose it. Within [`House::deciding`].
    ///
    /// # Errors
    /// Where it cannot be kept.
    pub(crate) fn keep_policy(
        &self,
        stream: StreamId,
        kept: &KeptPolicy,
        by: &str,
        what: String,
    ) -> Result<(), NotDecided> {
        self.keep([(by, what)], &[(POLICIES, &stream.to_string(), text_of(kept)?)])
    }

    /// Keeps what a venue shows, in the place of what it showed before.
    ///
    /// # Errors
    /// Where it cannot be kept.
    pub(crate) fn keep_shown(
        &self,
        stream: StreamId,
        at: i64,
        shown: &Shown,
    ) -> Result<(), VerbError> {
        let text = text_of(&KeptShown { at, shown: shown.clone() })?;
        self.deciding(|| {
            // Of two that come at once the later one stays.
            let before = self.policies.shown(stream);
            if before.as_ref().is_some_and(|kept| kept.at >= at) {
                return Ok(());
            }
            self.keep(None, &[(SHOWN, &stream.to_string(), text.clone())])?;
            if before.is_some_and(|kept| !kept.shown.is_within(shown)) {
                self.leaves_bytes();
            }
            Ok(())
        })?;
        self.clear_unused()
    }

    /// Takes out of what a venue shows what its own log says was forgotten, and says whether any of it was there.
    ///
    /// # Errors
    /// Where it cannot be kept.
    pub(crate) fn forget_shown(
        &self,
        stream: StreamId,
        now: &Tournament,
    ) -> Result<bool, VerbError> {
        if now.forgotten().next().is_none() {
            return Ok(false);
        }
        let forgets = self.deciding(|| {
            let Some(kept) = self.policies.shown(stream) else { return Ok(false) };
            let mut kept = KeptShown::clone(&kept);
            if !kept.shown.forget(now) {
                return Ok(false);
            }
            self.keep(None, &[(SHOWN, &stream.to_string(), text_of(&kept)?)])?;
            self.leaves_bytes();
            Ok(true)
        })?;
        self.clear_unused()?;
        Ok(forgets)
    }
}
