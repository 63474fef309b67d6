//! Editions of rules, and what they would change.

use super::{Problem, RulesetName, TournamentName};
use crate::edition::Edition;
use scrutineer_engine::record::to_hex;
use serde::{Deserialize, Serialize};
use std::path::Path;
use utoipa::ToSchema;

/// An edition of rules.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EditionAnswer {
    /// Its file, or that of its ruleset.
    pub file: String,
    /// The ruleset.
    pub ruleset: RulesetName,
    /// The edition of the document that the ruleset follows.
    pub name: String,
    /// The ruleset that it is meant to follow; null where it says none.
    pub replaces: Option<String>,
    /// When it was signed, in UTC.
    pub time: String,
    /// The key that signed it.
    pub key: String,
}

impl EditionAnswer {
    /// An edition and its file.
    pub fn of(file: &Path, edition: &Edition) -> EditionAnswer {
        EditionAnswer {
            file: file.display().to_string(),
            ruleset: (&edition.rules).into(),
            name: edition.rules.edition.clone(),
            replaces: edition.replaces.clone(),
            time: edition.time.clone(),
            key: to_hex(&edition.key),
        }
    }
}

/// An edition as a server has it for everybody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EditionOffered {
    /// What it is called in the path that gives it: the first digits of its ruleset's hash.
    pub name: String,
    /// The id of its ruleset.
    pub rules: String,
    /// The edition of the document that the ruleset follows.
    pub edition: String,
    /// The ruleset that it is meant to follow; null where it says none.
    pub replaces: Option<String>,
    /// When it was signed, in UTC.
    pub time: String,
    /// The key that signed it.
    pub key: String,
    /// The hash of the ruleset.
    pub hash: String,
}

impl EditionOffered {
    /// An edition.
    pub fn of(edition: &Edition) -> EditionOffered {
        EditionOffered {
            name: edition.name(),
            rules: edition.id.clone(),
            edition: edition.rules.edition.clone(),
            replaces: edition.replaces.clone(),
            time: edition.time.clone(),
            key: to_hex(&edition.key),
            hash: to_hex(&edition.rules.hash),
        }
    }
}

/// The editions that a server has for everybody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EditionsOffered {
    /// Those of a key that somebody named there, the newest first.
    pub editions: Vec<EditionOffered>,
}

/// What a look at a publisher's server found.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EditionsFetched {
    /// The server.
    pub address: String,
    /// Those that are new here.
    pub new: Vec<EditionListed>,
    /// How many were here.
    pub known: usize,
    /// Why others could not be taken.
    pub refused: Vec<Problem>,
}

/// An edition that a store keeps.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EditionListed {
    /// The file that `amend-rules` takes.
    pub file: String,
    /// The edition; null where it cannot be relied on.
    pub edition: Option<EditionAnswer>,
    /// Why it cannot be relied on; null where it can.
    pub error: Option<Problem>,
    /// Whether it waits, since nobody has named its key here.
    pub waits: bool,
    /// What it would change in open tournaments.
    pub effects: Vec<EditionEffect>,
}

/// What an edition would change in a tournament.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EditionEffect {
    /// Which.
    pub tournament: TournamentName,
    /// The ruleset that is in force there.
    pub ruleset: Option<RulesetName>,
    /// Whether that is the edition already.
    pub in_force: bool,
    /// Whether it is a copy of one that is run elsewhere, where alone it can be taken.
    pub is_copy: bool,
    /// How many players there are.
    pub players: u32,
    /// How many of them would move; null where it cannot be ranked.
    pub moved: Option<usize>,
    /// Whether others would be first.
    pub winner_changes: bool,
    /// Whether others would make the cut.
    pub cut_changes: bool,
    /// Why it cannot be ranked by it; null where it can.
    pub error: Option<Problem>,
}
