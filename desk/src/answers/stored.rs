//! What a store holds, and which rulesets are known.

use super::{AsOf, Problem, RulesetName, TournamentName};
use crate::glance::Glance;
use crate::store::{Snapshot, TournamentSummary};
use scrutineer_engine::event::RulesetFile;
use scrutineer_engine::record::StreamId;
use scrutineer_projections::explain::step_label;
use scrutineer_projections::ruleset::{Edition, Ruleset};
use scrutineer_replay::as_of;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use utoipa::ToSchema;

/// A tournament of a store.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TournamentListed {
    /// Which tournament.
    pub tournament: TournamentName,
    /// The day on which it was held, where it is known.
    pub held_on: Option<String>,
    /// The id of the ruleset in force.
    pub rules: String,
    /// How many events its log has.
    pub events: u64,
    /// The file that it came from.
    pub file: Option<String>,
    /// How far it is.
    #[serde(flatten)]
    pub how_far: HowFar,
    /// Whether another history of it was signed too; left out where nothing of the kind is known.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub rewritten: bool,
    /// The moment of which this is told; left out where it is the present.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<AsOf>,
}

impl TournamentListed {
    /// A tournament as it is listed, now or as of a moment.
    pub fn of(
        event: &TournamentSummary,
        glance: Option<Glance>,
        moment: Option<as_of::AsOf>,
        rewritten: bool,
    ) -> TournamentListed {
        TournamentListed {
            tournament: TournamentName::new(event.stream, &event.title),
            held_on: event.held_on.map(|day| day.to_string()),
            rules: glance.as_ref().map_or(&event.ruleset, |glance| &glance.rules).clone(),
            events: event.head,
            file: event.file.clone(),
            how_far: glance.into(),
            rewritten,
            as_of: moment.map(AsOf::from),
        }
    }
}

/// The answer where nothing is asked: what is in the store, and what comes next.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct OverviewAnswer {
    /// How many tournaments there are.
    pub tournaments: usize,
    /// The first of them.
    pub shown: Vec<AtAGlance>,
}

/// How far a tournament is.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct HowFar {
    /// How many players came; null where it cannot be read.
    pub players: Option<u32>,
    /// The last round that was paired; 0 where none was, null where it cannot be read.
    pub round: Option<u16>,
    /// `enrolling`, `running`, `closed`, `imported` or `cannot be read`.
    pub state: String,
}

impl From<Option<Glance>> for HowFar {
    fn from(glance: Option<Glance>) -> HowFar {
        HowFar {
            players: glance.as_ref().map(|glance| glance.players),
            round: glance.as_ref().map(|glance| glance.round),
            state: glance.map_or("cannot be read", |glance| glance.state.word()).into(),
        }
    }
}

/// A tournament at a glance.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AtAGlance {
    /// Which tournament.
    pub tournament: TournamentName,
    /// How far it is.
    #[serde(flatten)]
    pub how_far: HowFar,
    /// The command that comes next.
    pub next: String,
}

/// A snapshot, from which reading starts.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SnapshotListed {
    /// Of which tournament.
    pub tournament: TournamentName,
    /// The event after which it was taken.
    pub seq: u64,
    /// Its size.
    pub bytes: u64,
    /// Whether it can be used.
    pub holds: bool,
    /// Whether it is used, and why not.
    pub verdict: String,
    /// Its file.
    pub file: String,
}

impl SnapshotListed {
    /// A snapshot and what was found of it.
    pub fn new(
        stream: StreamId,
        snapshot: &Snapshot,
        (verdict, holds): (&str, bool),
    ) -> SnapshotListed {
        let Snapshot { seq, bytes, file, .. } = snapshot.clone();
        let (tournament, verdict) = (TournamentName::untitled(stream), verdict.into());
        SnapshotListed { tournament, seq, bytes, holds, verdict, file }
    }
}

/// The answer to `snapshots --drop`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SnapshotsDropped {
    /// How many are gone.
    pub dropped: usize,
}

/// A ruleset of the library.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RulesetListed {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The edition of the document that it follows.
    pub edition: String,
    /// The document.
    pub source: String,
    /// The id of the ruleset that it extends.
    pub extends: Option<String>,
}

impl From<Edition> for RulesetListed {
    fn from(edition: Edition) -> RulesetListed {
        let Edition { ruleset: id, name, edition, source, extends, .. } = edition;
        RulesetListed { id, name, edition, source, extends }
    }
}

/// A ruleset with its texts.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RulesetShown {
    /// Which ruleset.
    pub ruleset: RulesetName,
    /// Its name.
    pub name: String,
    /// Its texts: its own, and those that it extends.
    pub files: Vec<RulesetText>,
    /// Every key with its value, as all texts together give it.
    pub keys: BTreeMap<String, String>,
}

/// A text of a ruleset.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RulesetText {
    /// Its id.
    pub name: String,
    /// The text.
    pub text: String,
}

impl RulesetShown {
    /// A ruleset and its texts.
    pub fn of(rules: &Ruleset, files: &[RulesetFile]) -> RulesetShown {
        let text = |file: &RulesetFile| {
            let (name, text) = (file.name.to_string(), file.text.to_string());
            RulesetText { name, text }
        };
        RulesetShown {
            ruleset: rules.into(),
            name: rules.name.clone(),
            files: files.iter().map(text).collect(),
            keys: rules.keys.clone(),
        }
    }
}

/// A file that was read as a ruleset.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RulesetChecked {
    /// The file.
    pub file: String,
    /// The ruleset; null where it is none.
    pub ruleset: Option<RulesetName>,
    /// The steps of its order.
    pub order: Vec<String>,
    /// What is wrong; null where nothing is.
    pub error: Option<Problem>,
}

impl RulesetChecked {
    /// A file, and the ruleset in it or what is wrong with it.
    pub fn of(file: &Path, read: Result<&Ruleset, Problem>) -> RulesetChecked {
        let file = file.display().to_string();
        match read {
            Ok(rules) => {
                let order = rules.order.iter().map(|step| step_label(rules, step)).collect();
                RulesetChecked { file, ruleset: Some(rules.into()), order, error: None }
            }
            Err(error) => {
                RulesetChecked { file, ruleset: None, order: Vec::new(), error: Some(error) }
            }
        }
    }
}
