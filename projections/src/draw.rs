//! Draws: the next round as a pure function of the log, the ruleset and the revealed seed.

pub mod bracket;
pub mod dice;
pub mod pods;
pub mod ranked;
pub mod robin;
