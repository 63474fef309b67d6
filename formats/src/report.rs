//! What a report of chess says beside its players, games and points.

use scrutineer_engine::event::{ByeKind, Day};

/// The first day of FIDE's tie-break regulations of 2026.
const EDITION_2026: Day = Day { year: 2026, month: 3, day: 1 };

/// The ruleset by which a file of chess is ranked: FIDE's edition in force on its day; without a day, that of 2024.
pub fn rules_of(day: Option<Day>) -> &'static str {
    match day {
        Some(day) if day >= EDITION_2026 => "fide-buchholz-2026",
        _ => "fide-buchholz-2024",
    }
}

/// That a file ranks by other tie-breaks than standings here: `named`.
pub(crate) fn ranked_otherwise(named: &str, rules: &str) -> String {
    format!(
        "The ranks go by {named}; without `--rules` standings here go by {rules} (BH/C1, BH, DE, WIN, SB)."
    )
}

/// What results count, in tenths of a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointSystem {
    /// A win with the first and with the second seat: white and black.
    pub win: [u16; 2],
    /// A draw, with each.
    pub draw: [u16; 2],
    /// A loss over the board, with each.
    pub loss: [u16; 2],
    /// A win by forfeit.
    pub forfeit_win: u16,
    /// A loss by forfeit.
    pub forfeit_loss: u16,
    /// A bye that the pairing gave.
    pub bye: u16,
    /// A bye of a whole point that was asked for.
    pub full_bye: u16,
    /// One of half a point.
    pub half_bye: u16,
    /// One of none, and a round in which somebody was not paired.
    pub zero_bye: u16,
}

impl Default for PointSystem {
    /// One, a half, and none.
    fn default() -> PointSystem {
        PointSystem {
            win: [10; 2],
            draw: [5; 2],
            loss: [0; 2],
            forfeit_win: 10,
            forfeit_loss: 0,
            bye: 10,
            full_bye: 10,
            half_bye: 5,
            zero_bye: 0,
        }
    }
}

/// A round of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReportMark {
    /// Which round of the file, from 1.
    pub round: u16,
    /// Whose.
    pub player: usize,
}

/// A bye for a round that is not paired yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByeAsked {
    /// Which round of the file, from 1.
    pub round: u16,
    /// Who asked.
    pub player: usize,
    /// What it is worth.
    pub kind: ByeKind,
}

/// A record of a report that is kept as it stands, to be written again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportRecord {
    /// Its first three characters, such as `022` or `XXA`.
    pub code: String,
    /// What stands behind them, from the fifth column on. Players are named by their pairing numbers.
    pub text: String,
}

/// What a report of chess says beside its players, games and points: no event of a log, and kept so that a
/// report that is written again says it too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChessReport {
    /// Its other records, in the order in which they are written.
    pub records: Vec<ReportRecord>,
    /// Games that are not rated, each at one of its players.
    pub unrated: Vec<ReportMark>,
    /// Byes that are told as a win by forfeit: the opponent's board was empty.
    pub forfeit_byes: Vec<ReportMark>,
    /// Byes for rounds to come; no others are asked for than those of half a point, none and a whole one.
    pub asked: Vec<ByeAsked>,
    /// Whether the numbers of the players are those that a pairing engine is told, by which the rounds were paired:
    /// no report of the tournament changes them.
    pub numbered_as_told: bool,
}

impl ChessReport {
    /// The records of this code.
    pub fn of<'a>(&'a self, code: &'a str) -> impl Iterator<Item = &'a str> {
        self.records.iter().filter(move |one| one.code == code).map(|one| one.text.as_str())
    }

    /// Whether it has a record of one of these codes.
    pub fn has(&self, codes: &[&str]) -> bool {
        self.records.iter().any(|one| codes.contains(&one.code.as_str()))
    }
}
