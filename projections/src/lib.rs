//! What it means: rulesets, measures, standings, explanations and comparisons.
pub mod ratio;
pub mod ruleset;
