//! A slow, obvious evaluator of rulesets, written from `docs/RULESETS.md` and from nothing else.
//!
//! It reads the list of events itself, takes every value as a fraction of big integers, and
//! follows the document's sentences one after another. What it shares with the program are the
//! types of the events and of a ruleset that has been read.

mod facts;
mod measures;
mod order;
mod rounds;

pub use facts::Facts;
pub use measures::bounded;
pub use order::Group;

use num_rational::BigRational;
use rounds::OwnRound;
use scrutineer_engine::event::{PlayerNumber, RoundNumber};
use scrutineer_projections::ratio::Fraction;
use scrutineer_projections::ruleset::{Outcome, Ruleset};
use std::collections::BTreeMap;

/// Everything that a ruleset says about a tournament.
pub struct Reference {
    /// Each player's value of each measure for which the tournament holds enough.
    pub values: BTreeMap<PlayerNumber, BTreeMap<String, BigRational>>,
    /// Each player's matches won, lost and drawn.
    pub records: BTreeMap<PlayerNumber, [u32; 3]>,
    /// Groups of tied players, best first, before any lots.
    pub ranking: Vec<Group>,
}

/// Every player's rounds, and what the tournament says beside them.
struct Field<'a> {
    facts: &'a Facts,
    rules: &'a Ruleset,
    through: RoundNumber,
    rounds: BTreeMap<PlayerNumber, Vec<OwnRound>>,
}

/// Takes every measure of every player through a round, and ranks.
pub fn evaluate(
    facts: &Facts,
    rules: &Ruleset,
    through: Option<RoundNumber>,
    is_final: bool,
) -> Reference {
    let field = Field {
        facts,
        rules,
        through: through.unwrap_or(RoundNumber::MAX),
        rounds: rounds::of_every_player(facts, rules, through.unwrap_or(RoundNumber::MAX)),
    };
    let values = measures::of_every_player(&field);
    let steps = match &rules.running_order {
        Some(running) if !is_final => running,
        _ => &rules.order,
    };
    Reference {
        ranking: order::rank(&field, &values, steps),
        records: field.rounds.iter().map(|(player, own)| (*player, record(own))).collect(),
        values,
    }
}

fn record(rounds: &[OwnRound]) -> [u32; 3] {
    let count = |outcome| rounds.iter().filter(|round| round.outcome == outcome).count() as u32;
    [count(Outcome::Win), count(Outcome::Loss), count(Outcome::Draw)]
}

/// A constant of a ruleset as a big fraction.
pub fn big(constant: Fraction) -> BigRational {
    BigRational::new(constant.num().into(), constant.den().into())
}

/// A whole number as a big fraction.
pub fn whole(number: impl Into<num_bigint::BigInt>) -> BigRational {
    BigRational::from_integer(number.into())
}
