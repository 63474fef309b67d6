//! A slow, obvious evaluator of rulesets, written from `docs/RULESETS.md` and from nothing else.
//!
//! It reads the list of events itself, takes every value as a fraction of big integers, and
//! follows the document's sentences one after another. What it shares with the program are the
//! types of the events and of a ruleset that has been read.

mod facts;
mod measures;
mod order;
mod phases;
mod rounds;

pub use facts::Facts;
pub use measures::bounded;
pub use order::Group;

use num_rational::BigRational;
use phases::Known;
use rounds::OwnRound;
use scrutineer_engine::event::{PlayerNumber, RoundNumber};
use scrutineer_projections::ratio::Fraction;
use scrutineer_projections::ruleset::{Outcome, Ruleset, Step};
use std::collections::BTreeMap;

/// Everything that a ruleset says about a tournament: one layer for each phase, the last one first.
pub struct Reference {
    pub layers: Vec<Layer>,
}

/// What a ruleset says at the end of a phase.
pub struct Layer {
    /// The phase's number; 0 where there is none.
    pub phase: u16,
    /// Each player's value of each measure for which the tournament holds enough.
    pub values: BTreeMap<PlayerNumber, BTreeMap<String, BigRational>>,
    /// Each player's matches won, lost and drawn.
    pub records: BTreeMap<PlayerNumber, [u32; 3]>,
    /// Groups of tied players whose last phase it is, best first, before any lots.
    pub ranking: Vec<Group>,
}

/// Every player's rounds, and what the tournament says beside them.
struct Field<'a> {
    facts: &'a Facts,
    rules: &'a Ruleset,
    known: Known<'a>,
    through: RoundNumber,
    /// The last round of everything that is known.
    until: RoundNumber,
    rounds: BTreeMap<PlayerNumber, Vec<OwnRound>>,
    /// Whether it is a look back at a round after which somebody left.
    looks_back: bool,
}

/// Takes every measure of every player through a round, and ranks.
pub fn evaluate(
    facts: &Facts,
    rules: &Ruleset,
    through: Option<RoundNumber>,
    is_final: bool,
) -> Reference {
    let known = phases::known(facts, through);
    let until = through.unwrap_or(RoundNumber::MAX);
    let layer = |at: usize| {
        let (known_here, through) = (known[at], known[at].through);
        let rounds = rounds::of_every_player(facts, rules, through, until);
        let looks_back = false;
        let field = Field { facts, rules, known: known_here, through, until, rounds, looks_back };
        let values = measures::of_every_player(&field);
        let belongs = |player| phases::last_entered(facts, &known, player) == at;
        let of_layer: Vec<PlayerNumber> =
            field.rounds.keys().copied().filter(|player| belongs(*player)).collect();
        Layer {
            phase: known[at].number(),
            ranking: order::rank(&field, &values, &steps(rules, &known[at], is_final), &of_layer),
            records: field.rounds.iter().map(|(player, own)| (*player, record(own))).collect(),
            values,
        }
    };
    Reference { layers: (0..known.len()).rev().map(layer).collect() }
}

/// "In a bracket the steps of `bracket_order` come before those of `order`."
fn steps(rules: &Ruleset, known: &Known<'_>, is_final: bool) -> Vec<Step> {
    let mut steps = Vec::new();
    if known.is_bracket() {
        steps.extend(rules.bracket_order.iter().cloned());
    }
    match &rules.running_order {
        Some(running) if !is_final => steps.extend(running.iter().cloned()),
        _ => steps.extend(rules.order.iter().cloned()),
    }
    steps
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
