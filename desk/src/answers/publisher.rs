//! Where a store is enrolled.

use super::Problem;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Where a store is enrolled, and how its pushing goes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct PublisherStands {
    /// The publisher's server; null: this store is enrolled nowhere.
    pub address: Option<String>,
    /// What this store is called there; null where the server was started with a token.
    pub name: Option<String>,
    /// Only tournaments whose titles have this part are pushed; null: all.
    pub only: Option<String>,
    /// How many seconds ago the server was heard; null: not since the start.
    pub heard: Option<u64>,
    /// How many tournaments are there as far as they are public.
    pub there: usize,
    /// How many of those that are meant are not there, such as those without a key that signs.
    pub not_pushed: usize,
    /// Those of them that were refused there, or of which something else is there as well, each with why.
    pub refused: Vec<PublisherRefused>,
    /// Why it does not work; null where it does.
    pub error: Option<Problem>,
}

/// A tournament that the publisher's server does not take.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PublisherRefused {
    /// The id of the tournament.
    pub id: String,
    /// The code of the refusal.
    pub code: String,
    /// What it means, and what to do.
    pub why: String,
}

/// What came of an end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PublisherEnded {
    /// Where the store was enrolled.
    pub address: String,
    /// Whether that server was told; otherwise its owner ends it there.
    pub told: bool,
}
