//! Who moves between two standings: a row for each, and a picture with an arrow for each.

use super::Person;
use scrutineer_desk::answers::{Changes, PairedWith};
use scrutineer_desk::foreseen::{cut_in_words, cuts_that_stay, rounds_that_stay, wrongly};
use scrutineer_desk::movement::because;
use scrutineer_desk::names::Names;
use scrutineer_desk::what_if::WhatIf;
use scrutineer_engine::event::{PlayerNumber, RoundNumber};
use scrutineer_projections::compare::{AtCut, Comparison, Move};
use scrutineer_projections::counted;
use scrutineer_projections::standings::{Standings, shown_place};
use scrutineer_replay::loaded::LoadedTournament;
use std::collections::BTreeMap;

/// How many of those who move are shown.
const SHOWN: usize = 100;
/// How many players the picture holds.
const DRAWN: usize = 40;
/// From one player of the picture to the next.
const ROW: u32 = 24;
/// Above the first one.
const TOP: u32 = 30;

/// Who moves.
pub struct Moves {
    /// How many, in words.
    pub head: String,
    /// What the two standings are called.
    pub sides: [&'static str; 2],
    /// Who, in the order of the second standings.
    pub rows: Vec<Moved>,
    /// How many more.
    pub more: usize,
    /// The picture; none where nobody moves.
    pub picture: Option<Picture>,
}

/// Somebody who moves.
pub struct Moved {
    /// Who.
    pub player: Person,
    /// Their place in the first standings; `=` where it is shared.
    pub before: String,
    /// Their place in the second.
    pub after: String,
    /// How many places up.
    pub up: i64,
    /// What that means at the cut.
    pub cut: &'static str,
    /// Whom they pass, and through what.
    pub why: String,
}

/// An arrow for each player from one place to the other.
pub struct Picture {
    /// How high it is.
    pub height: u32,
    /// The arrows, those of the players who stay first.
    pub lines: Vec<Line>,
    /// The line of the cut on either side, and how many make it.
    pub cut: Option<(u32, u32, u32)>,
    /// How many move and are not drawn.
    pub not_drawn: usize,
}

/// An arrow.
pub struct Line {
    /// Whose.
    pub player: Person,
    /// Their places, as those of [`Moved`].
    pub places: [String; 2],
    /// How high it begins and ends.
    pub ends: [u32; 2],
    /// `up`, `down` or `same`.
    pub class: &'static str,
    /// Whether it leads across the line of the cut.
    pub crosses: bool,
    /// Whether the name has to be set smaller.
    pub is_long: bool,
}

impl Moves {
    /// Those who move from the first standings to the second.
    pub fn of(
        event: &LoadedTournament,
        standings: [&Standings; 2],
        compared: &Comparison,
        sides: [&'static str; 2],
    ) -> Moves {
        let moved = |one: &Move| Moved {
            player: Person::of(event, one.player),
            before: placed(standings[0], one.player),
            after: placed(standings[1], one.player),
            up: i64::from(one.first) - i64::from(one.second),
            cut: match one.at_cut {
                Some(AtCut::Enters) => "enters the cut",
                Some(AtCut::Leaves) => "leaves the cut",
                None => "",
            },
            why: because(event, one),
        };
        let count = compared.moves.len();
        Moves {
            head: match count {
                0 => "Nobody moves".into(),
                _ => format!("{count} of {} move", counted(count + compared.unchanged, "player")),
            },
            sides,
            rows: compared.moves.iter().take(SHOWN).map(moved).collect(),
            more: count.saturating_sub(SHOWN),
            picture: picture(event, standings, compared),
        }
    }
}

/// A player's place as it is shown; a dash where they have none.
fn placed(standings: &Standings, player: PlayerNumber) -> String {
    let at = standings.rows.iter().position(|row| row.player == player);
    at.map_or("–".into(), |at| shown_place(&standings.rows, at))
}

/// Everybody between the highest and the lowest place that somebody moves from or to; where those are
/// too many, only those who move.
fn drawn(standings: [&Standings; 2], compared: &Comparison) -> Vec<PlayerNumber> {
    let movers = compared.moves.iter().filter(|one| one.first > 0);
    let ends = movers.clone().flat_map(|one| [one.first, one.second]);
    let (Some(top), Some(foot)) = (ends.clone().min(), ends.max()) else { return Vec::new() };
    let is_between = |rank: u32| (top..=foot).contains(&rank);
    let in_both = standings[1].rows.iter().filter(|row| {
        let before = standings[0].row(row.player).map(|before| before.rank);
        before.is_some_and(|before| is_between(before) || is_between(row.rank))
    });
    let all: Vec<PlayerNumber> = in_both.map(|row| row.player).collect();
    match all.len() > DRAWN {
        true => movers.map(|one| one.player).take(DRAWN).collect(),
        false => all,
    }
}

fn picture(
    event: &LoadedTournament,
    standings: [&Standings; 2],
    compared: &Comparison,
) -> Option<Picture> {
    let players = drawn(standings, compared);
    if players.is_empty() {
        return None;
    }
    // Whoever is drawn, in the order of either side.
    let column = |of: &Standings| -> BTreeMap<PlayerNumber, (usize, usize, u32)> {
        let rows = of.rows.iter().enumerate().filter(|(_, row)| players.contains(&row.player));
        rows.enumerate().map(|(level, (at, row))| (row.player, (level, at, row.rank))).collect()
    };
    let sides = standings.map(column);
    let size = compared.cut.unwrap_or(0);
    let is_in = |at: usize| at < size as usize;
    let y = |level: usize| TOP + ROW * level as u32 + ROW / 2;
    let line = |player: &PlayerNumber| {
        let [first, second] = [sides[0].get(player)?, sides[1].get(player)?];
        let name = event.name(*player);
        Some(Line {
            places: standings.map(|side| placed(side, *player)),
            ends: [y(first.0), y(second.0)],
            class: match second.2.cmp(&first.2) {
                std::cmp::Ordering::Less => "up",
                std::cmp::Ordering::Equal => "same",
                std::cmp::Ordering::Greater => "down",
            },
            crosses: size > 0 && is_in(first.1) != is_in(second.1),
            is_long: name.chars().count() > 22,
            player: Person { number: *player, name },
        })
    };
    let mut lines: Vec<Line> = players.iter().filter_map(line).collect();
    lines.sort_by_key(|line| (line.class != "same", line.crosses));
    let above = |side: &BTreeMap<_, (usize, usize, u32)>| {
        side.values().filter(|(_, at, _)| is_in(*at)).count()
    };
    let cut = [above(&sides[0]), above(&sides[1])];
    let is_seen = cut.iter().all(|above| *above > 0 && *above < players.len());
    let edge = |above: usize| TOP + ROW * above as u32;
    let moving = lines.iter().filter(|line| line.class != "same").count();
    Some(Picture {
        height: TOP + ROW * players.len() as u32 + 8,
        cut: is_seen.then(|| (edge(cut[0]), edge(cut[1]), size)),
        not_drawn: compared.moves.len() - moving.min(compared.moves.len()),
        lines,
    })
}

/// What something that was recorded, or is only tried, changes.
pub struct Change {
    /// Who moves.
    pub moves: Moves,
    /// Who makes the cut, in sentences.
    pub cut: Vec<String>,
    /// The rounds that were paired after it.
    pub rounds: Vec<LaterRound>,
    /// What stays as it is.
    pub stays: Vec<String>,
}

/// A round that would have been paired otherwise.
pub struct LaterRound {
    /// Its number.
    pub round: RoundNumber,
    /// How many of its tables.
    pub differ: String,
    /// Whether players have seen it.
    pub state: &'static str,
}

/// How many tables of a round would have been others; a bye is no table.
pub fn differ(tables: usize, of: usize, byes: usize) -> String {
    match (tables, byes) {
        (0, 0) => "none".into(),
        (0, 1) => "the bye alone".into(),
        (0, _) => "byes alone".into(),
        (tables, 0) => format!("{tables} of {of}"),
        (tables, 1) => format!("{tables} of {of}, and the bye"),
        (tables, byes) => format!("{tables} of {of}, and {byes} byes"),
    }
}

impl Change {
    /// What is found of a tournament before and after.
    pub fn of(after: &LoadedTournament, found: &WhatIf, sides: [&'static str; 2]) -> Change {
        let names = Names::of(&after.state, &after.book);
        let round = |later: &scrutineer_desk::answers::LaterRound| LaterRound {
            round: later.round,
            differ: match later.verdict {
                PairedWith::Same => "none".into(),
                PairedWith::Otherwise => {
                    let byes = later.paired.iter().filter(|place| place.bye.is_some()).count();
                    differ(later.paired.len() - byes, later.tables, byes)
                }
                PairedWith::NotPaired => "not paired here".into(),
                PairedWith::Unknown => later.why.clone().unwrap_or_else(|| "cannot be said".into()),
            },
            state: if later.out { "seen by players, stands" } else { "a draft" },
        };
        // Where the same go on with other seeds, that stands below.
        let others = found.cuts.iter().filter(|cut| !cut.enters.is_empty());
        let made = others.map(|cut| {
            let name = |players: &[u32]| names.list(players, ", ");
            format!(
                "the cut that was made would have been another: in {}; out {}",
                name(&cut.enters),
                name(&cut.leaves)
            )
        });
        Change {
            moves: Moves::of(after, [&found.before, &found.after], &found.compared, sides),
            cut: found.cut.iter().map(|cut| cut_in_words(&names, cut)).chain(made).collect(),
            rounds: Changes::of(after, found).rounds.iter().map(round).collect(),
            // How many tables would be others stands in the table of rounds.
            stays: wrongly(&names, &after.state, found)
                .into_iter()
                .chain(rounds_that_stay(found))
                .chain(cuts_that_stay(&names, found))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::differ;

    #[test]
    fn a_bye_that_differs_is_no_table_that_differs() {
        let told = [differ(4, 5, 0), differ(3, 5, 1), differ(0, 5, 1), differ(0, 5, 0)];
        assert_eq!(told, ["4 of 5", "3 of 5, and the bye", "the bye alone", "none"]);
    }
}
