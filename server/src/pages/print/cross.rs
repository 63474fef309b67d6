//! The cross table on paper, across: whom each player met in each round, and how it came out.

use super::super::cross::{Met, Rounds, first_measure};
use super::super::standings::{Signs, View};
use super::super::{Looked, is_chess, render, set_apart};
use super::fit::{Room, even, fit, heights};
use super::{Paper, paper, rated};
use crate::live::is_out;
use askama::Template;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::{PlayerNumber, RoundNumber};
use scrutineer_projections::explain::value_of;
use scrutineer_projections::ruleset::RoundKind;
use scrutineer_projections::standings::shown_place;
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::neutral::starting_numbers;
use std::collections::BTreeMap;

/// How many lines a sheet has, and how many rounds stand beside each other.
const LINES: usize = 24;
const ACROSS: usize = 13;
/// The room of a name, and that of a round.
const NAME: Room = Room { wide: 56.0, high: 5.4, most: 9.5, bold: true };
const ROUND: Room = Room { wide: 11.2, high: 5.4, most: 8.0, bold: false };

#[derive(Template)]
#[template(path = "print_cross.html")]
struct CrossPage {
    paper: Paper,
    sheets: Vec<CrossSheet>,
    /// What the number of a line is, and what the numbers of opponents are.
    number: String,
    told: String,
    /// What the column of values is called.
    label: String,
}

/// A sheet: some lines, and some of the rounds.
struct CrossSheet {
    span: String,
    rounds: Vec<RoundNumber>,
    rows: Vec<CrossRow>,
}

/// The line of a player.
#[derive(Clone)]
struct CrossRow {
    number: u32,
    name: String,
    size: &'static str,
    /// Each round, with the class of its size.
    cells: Vec<(String, &'static str)>,
    value: String,
    /// The place; a dash for who takes none.
    place: String,
}

impl CrossRow {
    /// How many lines it is high.
    fn lines(&self) -> usize {
        let cells = self.cells.iter().map(|(cell, _)| heights(cell, ROUND)).max().unwrap_or(1);
        heights(&self.name, NAME).max(cells)
    }
}

/// The cross table of all rounds that are out, with lines in the order of the standings or by starting rank.
///
/// # Errors
/// Where the standings cannot be folded.
pub(super) fn page(
    at: &Looked<'_>,
    event: &LoadedTournament,
    is_by_rank: bool,
) -> Result<String, VerbError> {
    let (language, is_chess) = (at.language, is_chess(event));
    let standings = View::default().asked(at)?.standings;
    let places: BTreeMap<PlayerNumber, usize> =
        standings.rows.iter().zip(0..).map(|(row, at)| (row.player, at)).collect();
    let mut lines = starting_numbers(&event.state);
    if is_by_rank {
        // Places may be shared: lines are counted. Who takes none stands behind the others.
        lines.sort_by_key(|(_, player)| places.get(player).copied().unwrap_or(usize::MAX));
        lines = (1..).zip(lines).map(|(line, (_, player))| (line, player)).collect();
    }
    let numbers: BTreeMap<PlayerNumber, u32> =
        lines.iter().map(|(number, player)| (*player, *number)).collect();
    let told = event.state.rounds().iter().filter(|round| !round.withdrawn);
    let rounds: Vec<RoundNumber> =
        told.filter(|round| is_out(&event.state, round)).map(|round| round.number).collect();
    let met = Rounds::of(event, &standings);
    let said = |met: &Met| {
        let others = met.others.iter().filter_map(|other| numbers.get(&other.number));
        let others = others.map(u32::to_string).collect::<Vec<_>>().join(", ");
        match (is_chess, met.others.len()) {
            (true, 1) => {
                let color = if met.seat == 0 { "color-white" } else { "color-black" };
                format!("{others}{}{}", language.t(color), met.sign)
            }
            (true, _) => format!("{others} {}", met.sign).trim().to_string(),
            (false, _) => {
                let letter = language.t(&format!("letter-{}", met.kind()));
                format!("{others} {letter}").trim().to_string()
            }
        }
    };
    let measure = first_measure(&standings);
    let out = standings.disqualified(&event.state);
    // Of the cells that stand here: the standings may have other rounds.
    let mut signs = Signs::default();
    let row = |(number, player): (u32, PlayerNumber)| {
        let row = standings.row(player);
        let table = row.map_or_else(|| standings.table(), |row| &standings.layer(row).table);
        // In chess a round without a table or a bye is one in which they were absent, as in the standings.
        let is_absent = |round: RoundNumber| {
            let mut own = table.index_of(player).into_iter().flat_map(|at| table.rounds_of(at));
            is_chess && own.any(|(_, one)| one.round == round && one.kind == RoundKind::ZeroBye)
        };
        let cell = |round: &RoundNumber| {
            let met = met.of_player(player, *round);
            let is_absent = met.is_empty() && is_absent(*round);
            met.iter().for_each(|met| signs.note(met.kind()));
            let text = match met.is_empty() {
                true if is_absent => "Z".to_string(),
                true => {
                    signs.note("none");
                    "–".to_string()
                }
                false => met.iter().map(said).collect::<Vec<_>>().join(" "),
            };
            let size = fit(&text, ROUND);
            (text, size)
        };
        let place = places.get(&player).copied();
        let value = place.zip(measure).and_then(|(at, measure)| {
            value_of(&standings, measure, &standings.rows[at]).map(|value| value.text)
        });
        let name = event.name(player);
        let name = if is_chess { rated(at, event, player, &name) } else { name };
        let name = match out.iter().any(|(one, _)| *one == player) {
            true => format!("{}, {}", set_apart(name), language.t("out-disqualified")),
            false => name,
        };
        CrossRow {
            number,
            size: fit(&name, NAME),
            name,
            cells: rounds.iter().map(cell).collect(),
            value: value.unwrap_or_default(),
            place: place.map_or("–".into(), |at| shown_place(&standings.rows, at)),
        }
    };
    let rows: Vec<CrossRow> = lines.into_iter().map(row).collect();
    let (what, title, number, numbered) = match is_by_rank {
        true => ("cross-by-rank", "paper-cross-rank", "paper-line", "paper-cross-line"),
        false => ("cross-by-start", "paper-cross-start", "starting-rank", "paper-cross-number"),
    };
    let mut told = vec![language.t(numbered)];
    if is_chess {
        told.push(language.t("colors-told"));
    }
    told.extend(Some(signs.told(is_chess, language)).filter(|told| !told.is_empty()));
    render(&CrossPage {
        paper: paper(at, event, what, language.t(title)),
        sheets: sheets(rows, &rounds, &language.t("rounds")),
        number: language.t(number),
        told: told.join(" · "),
        label: measure.map_or(String::new(), |measure| {
            language.measure(&standings.rules.measures[measure].label)
        }),
    })
}

/// Lines cut into sheets: each part of them with all rounds, and then the next one.
fn sheets(rows: Vec<CrossRow>, rounds: &[RoundNumber], called: &str) -> Vec<CrossSheet> {
    let mut parts: Vec<Vec<CrossRow>> = Vec::new();
    let mut used = LINES;
    for row in rows {
        let high = row.lines();
        if used + high > LINES {
            parts.push(Vec::new());
            used = 0;
        }
        used += high;
        if let Some(part) = parts.last_mut() {
            part.push(row);
        }
    }
    let mut sheets = Vec::new();
    for mut part in parts {
        even(part.iter_mut().map(|row| &mut row.size));
        let number = |row: Option<&CrossRow>| row.map_or(0, |row| row.number);
        let span = format!("{} – {}", number(part.first()), number(part.last()));
        for (own, from) in rounds.chunks(ACROSS).zip((0..).step_by(ACROSS)) {
            let of_rounds = match (own.first(), own.last()) {
                (Some(first), Some(last)) if rounds.len() > ACROSS => {
                    format!(" · {called} {first} – {last}")
                }
                _ => String::new(),
            };
            let cut = |row: &CrossRow| {
                let cells = row.cells[from..from + own.len()].to_vec();
                CrossRow { cells, ..row.clone() }
            };
            sheets.push(CrossSheet {
                span: format!("{span}{of_rounds}"),
                rounds: own.to_vec(),
                rows: part.iter().map(cut).collect(),
            });
        }
    }
    sheets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_player_and_every_round_of_a_cross_table_stands_on_paper_once() {
        let row = |number: u32| CrossRow {
            number,
            name: "Ann Lee".into(),
            size: "f95",
            cells: (1..=23).map(|round| (format!("{number}W{round}"), "f8")).collect(),
            value: "1".into(),
            place: number.to_string(),
        };
        let rounds: Vec<RoundNumber> = (1..=23).collect();
        let sheets = sheets((1..=50).map(row).collect(), &rounds, "Rounds");
        assert_eq!(sheets.len(), 6, "three parts of the lines, with two parts of the rounds each");
        assert_eq!(sheets[1].span, "1 – 24 · Rounds 14 – 23");
        let cells = sheets.iter().flat_map(|sheet| &sheet.rows).flat_map(|row| &row.cells);
        let all: std::collections::BTreeSet<&String> = cells.map(|(cell, _)| cell).collect();
        assert_eq!(all.len(), 50 * 23);
        assert!(sheets.iter().all(|sheet| sheet.rows.len() <= LINES));
    }
}
