//! Teams: who plays in which, by 013 of TRF16 or 310 of TRF26.

use super::lines::{columns, numbers_from};
use crate::build::Oddities;
use crate::error::shortened;
use crate::report::{ChessReport, ReportRecord};
use std::collections::BTreeSet;

/// A team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Team {
    /// Its number, where it has one.
    pub number: Option<u32>,
    /// Its name.
    pub name: String,
    /// The pairing numbers of its players, in the order of its boards.
    pub players: Vec<u32>,
}

/// The column of the first player of a team of TRF16.
const PLAYERS_16: usize = 37;
/// The same of TRF26.
pub const PLAYERS_26: usize = 74;

impl ChessReport {
    /// The teams: those of TRF26 where there are any, otherwise those of TRF16.
    pub(crate) fn teams(&self) -> Vec<Team> {
        let fide = self.of("310").map(|text| Team {
            number: columns(text, 5, 7).parse().ok(),
            name: columns(text, 9, 40),
            players: numbers_from(text, PLAYERS_26 - 1),
        });
        let fide: Vec<Team> = fide.collect();
        if !fide.is_empty() {
            return fide;
        }
        let older = self.of("013").map(|text| Team {
            number: None,
            name: columns(text, 5, PLAYERS_16 - 1),
            players: numbers_from(text, PLAYERS_16),
        });
        older.collect()
    }

    /// Whether teams play: the tie-breaks that it names order them, and so do its ranks of teams.
    pub(super) fn is_of_teams(&self) -> bool {
        self.has(&["310", "013"]) || self.of("192").any(|text| text.contains("FIDE_TEAM"))
    }

    /// Whether TRF26's records of byes, accelerations and forbidden pairs name teams and not players.
    pub(super) fn names_teams(&self) -> bool {
        self.has(&["310"])
    }
}

/// A team of TRF16 in the columns that FIDE gives: some programs set the first player elsewhere. One of which
/// not all can be read stays as it is.
pub fn in_columns(text: &str) -> String {
    let list: String = text.chars().skip(PLAYERS_16 - 5).collect();
    let players: Option<Vec<u32>> = list.split_whitespace().map(|word| word.parse().ok()).collect();
    let name = columns(text, 5, PLAYERS_16 - 1);
    match players {
        Some(players) => {
            let players: Vec<String> = players.iter().map(|number| format!("{number:4}")).collect();
            format!("{name:32}{}", players.join(" "))
        }
        None => text.to_owned(),
    }
}

/// Tells of the teams, the first of which stands at this place, and of players in them whom the file does not
/// have.
pub fn tell(report: &ChessReport, numbers: &BTreeSet<u32>, place: &str, oddities: &mut Oddities) {
    let teams = report.teams();
    if teams.is_empty() {
        return;
    }
    let players: usize = teams.iter().map(|team| team.players.len()).sum();
    oddities.add(
        place,
        format!(
            "{} teams with {players} players: what is recorded are the games of their players, and points of \
             teams are not counted. A report that is written into this one has the teams.",
            teams.len()
        ),
    );
    let lists = report.of("310").map(|text| (text, PLAYERS_26 - 1));
    for (text, column) in lists.chain(report.of("013").map(|text| (text, PLAYERS_16))) {
        let list: String = text.chars().skip(column - 5).collect();
        if let Some(word) = list.split_whitespace().find(|word| word.parse::<u32>().is_err()) {
            oddities
                .add(place, format!("{:?} is no number of a player of a team.", shortened(word)));
        }
    }
    let mut seen: BTreeSet<u32> = BTreeSet::new();
    for team in &teams {
        for number in team.players.iter().filter(|number| **number > 0) {
            if !numbers.contains(number) {
                oddities.add(
                    place,
                    format!("{:?} has a player {number}, who is not in the file.", team.name),
                );
            } else if !seen.insert(*number) {
                oddities.add(place, format!("Player {number} is in two teams."));
            }
        }
    }
}

/// TRF16's teams as TRF26 says them, numbered as they stand.
pub fn as_fide(teams: &[Team]) -> Vec<ReportRecord> {
    let line = |(at, team): (usize, &Team)| {
        let name: String = team.name.chars().take(32).collect();
        let players: Vec<String> =
            team.players.iter().map(|number| format!("{number:4}")).collect();
        // Nickname, strength, points and rank are not known.
        let text = format!("{:3} {name:32} {:31} {}", at + 1, "", players.join(" "));
        ReportRecord { code: "310".to_owned(), text: text.trim_end().to_owned() }
    };
    teams.iter().enumerate().map(line).collect()
}
