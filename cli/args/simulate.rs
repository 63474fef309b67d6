//! The words of `simulate`.

use clap::{Args as ClapArgs, ValueEnum};
use scrutineer_engine::event::PhaseKind;

/// Play an invented tournament, or many of them.
#[derive(ClapArgs, Debug)]
pub struct Simulate {
    /// How many players
    #[arg(long, default_value_t = 64)]
    pub players: u32,
    /// How many rounds before the cut; otherwise as the ruleset suggests, or until one player is
    /// undefeated. Several are compared, with --times
    #[arg(long)]
    pub rounds: Vec<u16>,
    /// The ruleset. Several are compared, with --times
    #[arg(long, value_name = "ID OR FILE", default_value = "mtr")]
    pub rules: Vec<String>,
    /// How it is played; otherwise as the ruleset has it
    #[arg(long, value_enum)]
    pub phase: Option<Kind>,
    /// How many make the cut
    #[arg(long)]
    pub cut: Option<u32>,
    /// How the phase after the cut is played
    #[arg(long, value_enum, default_value_t = Kind::Elimination, value_name = "PHASE")]
    pub cut_phase: Kind,
    /// Best of how many games
    #[arg(long, default_value_t = 3, value_parser = odd)]
    pub best_of: u8,
    /// What is left to chance comes from this number: the same one gives the same tournament
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Keep it in the store beside tournaments that are really played
    #[arg(long, conflicts_with = "times")]
    pub keep: bool,
    /// Play so many tournaments, store nothing, and say how the format did
    #[arg(long)]
    pub times: Option<u32>,
    /// On how many threads; otherwise on all cores. The answer is the same
    #[arg(long)]
    pub threads: Option<usize>,
    /// How many of the players leave after a round
    #[arg(long, value_name = "RATE", default_value = "2%", value_parser = rate)]
    pub drops: u32,
    /// How many entrants come after round one
    #[arg(long, value_name = "RATE", default_value = "2%", value_parser = rate)]
    pub late: u32,
    /// How many results are entered wrongly, and corrected later
    #[arg(long, value_name = "RATE", default_value = "1.5%", value_parser = rate)]
    pub wrong: u32,
    /// How many matches are drawn because time runs out
    #[arg(long, value_name = "RATE", default_value = "5%", value_parser = rate)]
    pub draws: u32,
    /// How many of the first tables agree on a draw in the last round before the cut
    #[arg(long, value_name = "RATE", default_value = "0%", value_parser = rate)]
    pub agreed_draws: u32,
    /// Nobody leaves, comes late or errs; matches are still drawn
    #[arg(long)]
    pub smooth: bool,
}

/// How a phase is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Nobody is knocked out
    Swiss,
    /// Losers are out
    #[value(name = "single-elimination")]
    Elimination,
    /// Out with the second loss
    DoubleElimination,
    /// Everybody meets everybody
    RoundRobin,
    /// Tables of four
    Pods,
}

impl Kind {
    /// As the log calls it.
    pub fn phase(self) -> PhaseKind {
        match self {
            Kind::Swiss => PhaseKind::Swiss,
            Kind::Elimination => PhaseKind::Elimination,
            Kind::DoubleElimination => PhaseKind::DoubleElimination,
            Kind::RoundRobin => PhaseKind::RoundRobin,
            Kind::Pods => PhaseKind::Pods,
        }
    }
}

fn odd(text: &str) -> Result<u8, String> {
    match text.parse::<u8>() {
        Ok(games) if games % 2 == 1 && games < 100 => Ok(games),
        _ => Err("an odd number of games, such as 1, 3 or 5".into()),
    }
}

/// Thousandths, from a percentage such as `5%` or `0.5`.
fn rate(text: &str) -> Result<u32, String> {
    let wrong = || format!("{text:?} is no percentage from 0% to 100%, such as 5% or 0.5%");
    let (whole, tenths) = text
        .trim()
        .trim_end_matches('%')
        .split_once('.')
        .unwrap_or((text.trim().trim_end_matches('%'), "0"));
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if !is_number(whole) || !is_number(tenths) || tenths.len() > 1 {
        return Err(wrong());
    }
    let thousandths = format!("{whole}{tenths}").parse::<u32>().map_err(|_| wrong())?;
    (thousandths <= 1000).then_some(thousandths).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::rate;

    #[test]
    fn percentages_are_read() {
        assert_eq!((rate("5%"), rate("0.5%"), rate("100")), (Ok(50), Ok(5), Ok(1000)));
        for wrong in ["", "%", "-1%", "101%", "0.55%", "1.%", "five"] {
            assert!(rate(wrong).is_err(), "{wrong}");
        }
    }
}
