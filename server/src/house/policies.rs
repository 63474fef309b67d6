//! What is shown of each tournament, as its organizer chose it.

use super::{House, Table, all, text_of};
use redb::TableDefinition;
use scrutineer_desk::public::Policy;
use scrutineer_desk::shown::Shown;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::Seq;
use scrutineer_engine::record::StreamId;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

const POLICIES: Table = TableDefinition::new("policies");
const SHOWN: Table = TableDefinition::new("shown");

/// What a venue shows of a tournament that it pushes here.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct KeptShown {
    /// When it was signed, in microseconds since 1970.
    pub at: i64,
    /// What.
    pub shown: Shown,
}

/// A policy as it is kept.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct KeptPolicy {
    /// The policy.
    pub(crate) policy: Policy,
    /// The last event that was public when it was chosen: nothing is taken back.
    pub(crate) public: Seq,
}

impl House {
    /// Returns every policy that was chosen.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub(crate) fn policies(&self) -> Result<HashMap<StreamId, KeptPolicy>, VerbError> {
        let all = all::<KeptPolicy>(&self.kept, POLICIES)?.into_iter();
        Ok(all.filter_map(|(id, kept)| Some((id.parse().ok()?, kept))).collect())
    }

    /// Keeps a policy, and says in the list of changes who chose it.
    ///
    /// # Errors
    /// Where it cannot be kept.
    pub(crate) fn keep_policy(
        &self,
        stream: StreamId,
        kept: &KeptPolicy,
        by: &str,
        what: String,
    ) -> Result<(), VerbError> {
        let _changing = self.changing();
        self.keep(Some((by, what)), &[(POLICIES, &stream.to_string(), text_of(kept)?)])
    }

    /// Returns what venues show of the tournaments that they push here.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub(crate) fn shown(&self) -> Result<HashMap<StreamId, KeptShown>, VerbError> {
        let all = all::<KeptShown>(&self.kept, SHOWN)?.into_iter();
        Ok(all.filter_map(|(id, kept)| Some((id.parse().ok()?, kept))).collect())
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
        let _changing = self.changing();
        let kept = KeptShown { at, shown: shown.clone() };
        self.keep(None, &[(SHOWN, &stream.to_string(), text_of(&kept)?)])
    }
}
