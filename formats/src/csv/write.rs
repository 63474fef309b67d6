//! How a tournament is written in the columns that docs/IMPORT.md names, to be read again.

use super::words::{self, KINDS, Kind, RULINGS};
use crate::WriteError;
use crate::sheets::{Cell, Sheet};
use crate::source::*;
use scrutineer_engine::event::{
    How, MatchResult, Per, PhaseKind, RoundWeight, Ruling, Score, UnknownFact,
};
use scrutineer_engine::names::folded;
use std::collections::BTreeSet;

/// The name of the sheet with the lines above the columns.
pub(crate) const ABOUT: [&str; 2] = ["key", "value"];
/// The columns of the players' sheet; the last two where somebody has a title or a federation.
pub(crate) const ROSTER: [&str; 7] =
    ["name", "sign_up", "rating", "division", "id", "title", "federation"];

/// Writes the matches, the players, and what is said above the columns, as sheets of a workbook; and
/// what of the tournament is not in them.
///
/// # Errors
/// Where a match is of more or fewer than two.
pub fn of_tournament(source: &Source) -> Result<(Vec<Sheet>, Vec<String>), WriteError> {
    let writer = Writer::new(source);
    let matches = writer.matches()?;
    Ok((vec![matches, writer.players(), writer.about()], writer.left_out()))
}

struct Writer<'s> {
    source: &'s Source,
    names: Vec<String>,
    /// The score lines with the columns' names, by place in the scoresheet's own order.
    lines: Vec<(Per, String)>,
    is_weighed: bool,
}

impl Writer<'_> {
    fn new(source: &Source) -> Writer<'_> {
        let mut taken = BTreeSet::new();
        let names = source.players.iter().map(|player| {
            let mut name = player.name.clone();
            for number in 2.. {
                if taken.insert(folded(&name)) {
                    break;
                }
                name = format!("{} ({number})", player.name);
            }
            name
        });
        let names = names.collect();
        let weighs = |round: &SourceRound| round.weight != RoundWeight::ONE;
        let is_weighed = source.rounds().any(|(_, round)| weighs(round));
        Writer { source, names, lines: lines(source), is_weighed }
    }

    fn matches(&self) -> Result<Sheet, WriteError> {
        let mut head: Vec<String> =
            ["round", "table", "player_a", "player_b"].map(str::to_owned).to_vec();
        for (per, name) in &self.lines {
            match per {
                Per::Seat => head.extend(["a", "b"].map(|seat| format!("{name}_{seat}"))),
                Per::Table if name == "drawn" => head.push("games_drawn".into()),
                Per::Table => head.push(name.clone()),
            }
        }
        head.extend(["kind", "ruling"].map(str::to_owned));
        head.extend(self.is_weighed.then(|| "weight".to_owned()));
        let mut rows = Vec::new();
        let left = |after: u16, rows: &mut Vec<Vec<Cell>>| {
            let gone = self.source.drops.iter().filter(|drop| drop.after_round == after);
            rows.extend(gone.map(|drop| {
                self.row(after, None, &[drop.player], None, word_of(Kind::Drop(drop.why)), "", None)
            }));
        };
        left(0, &mut rows);
        for (number, (_, round)) in (1u16..).zip(self.source.rounds()) {
            let weight = Some(round.weight).filter(|weight| *weight != RoundWeight::ONE);
            for table in &round.tables {
                let [one, other] = table.seats[..] else {
                    let (round, seats) = (round.name.clone(), table.seats.len());
                    return Err(WriteError::NotTwo { round, seats });
                };
                let (kind, ruling) = said(&table.result);
                let score = Some(&table.result.score).filter(|score| self.is_full(score));
                let players = [one.player, other.player];
                rows.push(self.row(number, table.table, &players, score, kind, ruling, weight));
            }
            for bye in &round.byes {
                let kind = word_of(Kind::Bye(bye.kind));
                let score = bye.reported.as_ref().filter(|score| self.is_full(score));
                rows.push(self.row(number, None, &[bye.player], score, kind, "", weight));
            }
            left(number, &mut rows);
        }
        Ok(Sheet { name: "Matches".into(), head, rows })
    }

    /// Whether a score has a value for each line of both players.
    fn is_full(&self, score: &Score) -> bool {
        let lines = self.lines.iter().filter(|(per, _)| *per == Per::Seat).count();
        score.seats.len() == 2 && lines > 0 && score.seats.iter().all(|seat| seat.len() == lines)
    }

    #[allow(clippy::too_many_arguments, reason = "one argument for each part of a row")]
    fn row(
        &self,
        round: u16,
        table: Option<u32>,
        players: &[usize],
        score: Option<&Score>,
        kind: &str,
        ruling: &str,
        weight: Option<RoundWeight>,
    ) -> Vec<Cell> {
        let number = |number: Option<u32>| number.map_or(Cell::Empty, Cell::count);
        let name = |seat: usize| {
            let player = players.get(seat).and_then(|player| self.names.get(*player));
            player.map_or(Cell::Empty, Cell::text)
        };
        let mut cells = vec![Cell::count(round), number(table), name(0), name(1)];
        let (mut of_seat, mut of_table) = (0, 0);
        for (per, _) in &self.lines {
            let value = |values: Option<&[i32]>, at: usize| {
                let value = values.and_then(|values| values.get(at));
                value.map_or(Cell::Empty, Cell::count)
            };
            let seats =
                |seat: usize| score.and_then(|score| score.seats.get(seat)).map(|one| &one[..]);
            match per {
                Per::Seat => {
                    cells.extend([0, 1].map(|seat| value(seats(seat), of_seat)));
                    of_seat += 1;
                }
                Per::Table => {
                    cells.push(value(score.map(|score| &score.table[..]), of_table));
                    of_table += 1;
                }
            }
        }
        cells.extend([Cell::text(kind), Cell::text(ruling)]);
        if self.is_weighed {
            cells.push(weight.map_or(Cell::Empty, |weight| match weight.den {
                1 => Cell::count(weight.num),
                den => Cell::text(format!("{}/{den}", weight.num)),
            }));
        }
        cells
    }

    fn players(&self) -> Sheet {
        let columns = if self.source.described() > 0 { ROSTER.len() } else { ROSTER.len() - 2 };
        let rows = self.source.players.iter().zip(&self.names).map(|(player, name)| {
            let text = |text: &Option<String>| text.as_ref().map_or(Cell::Empty, Cell::text);
            let mut cells = vec![
                Cell::text(name),
                player.sign_up.map_or(Cell::Empty, Cell::count),
                player.rating.map_or(Cell::Empty, Cell::count),
                text(&player.division),
                text(&player.publisher_id),
                text(&player.title),
                text(&player.federation),
            ];
            cells.truncate(columns);
            cells
        });
        let head = ROSTER[..columns].iter().map(ToString::to_string).collect();
        Sheet { name: "Players".into(), head, rows: rows.collect() }
    }

    fn about(&self) -> Sheet {
        let source = self.source;
        let mut rows = vec![("event", Cell::text(&source.title))];
        rows.extend(source.held_on.map(|day| ("date", Cell::Date(day))));
        rows.extend(source.rules.as_ref().map(|rules| ("rules", Cell::text(rules))));
        rows.extend(self.best_of().map(|games| ("best_of", Cell::count(games))));
        if source.unknown.contains(&UnknownFact::Games) {
            rows.push(("games", Cell::text("unknown")));
        }
        rows.extend(source.cut.map(|cut| ("cut", Cell::count(cut))));
        let phases = source.phases.iter().filter(|phase| !phase.rounds.is_empty());
        let phases =
            phases.map(|phase| format!("{} {}", phase_word(phase.kind), phase.rounds.len()));
        let phases: Vec<String> = phases.collect();
        if !phases.is_empty() {
            rows.push(("phases", Cell::text(phases.join(", "))));
        }
        rows.push(("finished", Cell::text(if source.finished { "yes" } else { "no" })));
        let rows = rows.into_iter().map(|(key, value)| vec![Cell::text(key), value]);
        Sheet {
            name: "Tournament".into(),
            head: ABOUT.map(str::to_owned).to_vec(),
            rows: rows.collect(),
        }
    }

    /// How long matches are, where no score denies it.
    fn best_of(&self) -> Option<u8> {
        let best_of = self.source.scoresheet.best_of.filter(|games| games % 2 == 1)?;
        let rounds: Vec<SourceRound> =
            self.source.rounds().map(|(_, round)| round.clone()).collect();
        crate::sheet::refuse(best_of, &rounds).is_ok().then_some(best_of)
    }

    fn left_out(&self) -> Vec<String> {
        let source = self.source;
        let tables = || source.rounds().flat_map(|(_, round)| &round.tables);
        let is_said = |table: &&SourceTable| {
            let result = &table.result;
            let (kind, ruling) = said(result);
            let how = match words::kind(kind) {
                Ok(Kind::Match(how, implied)) => {
                    (how, words::ruling(ruling).ok().flatten().or(implied))
                }
                _ => (How::Played, None),
            };
            let rulings: Vec<Option<Ruling>> = how.1.into_iter().flatten().map(Some).collect();
            (how.0 == result.how || result.how == How::Unknown) && rulings[..] == result.rulings[..]
        };
        let names = source.players.iter().zip(&self.names);
        let byes = source.rounds().flat_map(|(_, round)| &round.byes);
        let reported = byes.filter_map(|bye| bye.reported.as_ref());
        let scores = tables().map(|table| &table.result.score).chain(reported);
        // Of a match without games each of the two has a line of nothing.
        let has_values =
            |score: &&Score| !score.table.is_empty() || !score.seats.concat().is_empty();
        let scores = scores.filter(|score| has_values(score) && !self.is_full(score));
        let own = source.scoresheet.lines.iter().zip(lines_as_read(source));
        let found = [
            (tables().filter(|table| !is_said(table)).count(), "rulings of other kinds"),
            (scores.count(), "scores of other lines"),
            (
                tables().filter(|table| table.seats.iter().any(|seat| seat.role != 0)).count(),
                "sides that players of a match had",
            ),
            (
                names.filter(|(player, name)| player.name != **name).count(),
                "names of several players, written with a number behind them",
            ),
            (
                own.filter(|(line, name)| line.name != *name).count(),
                "score lines, written under another name",
            ),
            (
                source
                    .phases
                    .iter()
                    .filter(|phase| words::phase_kind(phase_word(phase.kind)) != Some(phase.kind))
                    .count(),
                "phases of other kinds, written as Swiss rounds",
            ),
        ];
        let told = found.into_iter().filter(|(count, _)| *count > 0);
        told.map(|(count, what)| format!("{what}: {count}")).collect()
    }
}

/// The names of score lines, in the scoresheet's order.
fn lines_as_read(source: &Source) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for line in &source.scoresheet.lines {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
        let mut name: String = line.name.chars().map(plain).take(28).collect();
        let is_good = |name: &str| {
            super::columns::line_name(name, name).is_ok()
                && !name.ends_with("_a")
                && !name.ends_with("_b")
        };
        if !is_good(&name) {
            name = format!("line_{}", names.len() + 1);
        }
        while names.contains(&name) {
            name = format!("line_{}_{}", names.len() + 1, name.len());
        }
        names.push(name);
    }
    names
}

fn lines(source: &Source) -> Vec<(Per, String)> {
    let names = lines_as_read(source).into_iter();
    let mut lines: Vec<(Per, String)> =
        source.scoresheet.lines.iter().map(|line| line.per).zip(names).collect();
    // A result is ruled where nobody counts games; the reader needs no line for it.
    lines.sort_by_key(|(per, _)| *per == Per::Table);
    lines
}

/// The word of a kind of row.
fn word_of(kind: Kind) -> &'static str {
    KINDS.iter().skip(1).find(|(_, known)| *known == kind).map_or("", |(word, _)| *word)
}

fn phase_word(kind: PhaseKind) -> &'static str {
    match kind {
        PhaseKind::Elimination => "single elimination",
        PhaseKind::DoubleElimination => "double elimination",
        PhaseKind::RoundRobin => "round robin",
        _ => "swiss",
    }
}

/// The kind and the ruling with which a result is written.
fn said(result: &MatchResult) -> (&'static str, &'static str) {
    let both = match result.rulings[..] {
        [Some(one), Some(other)] => Some([one, other]),
        _ => None,
    };
    let ruled = RULINGS.iter().find(|(_, rulings)| Some(*rulings) == both);
    let ruling = ruled.map_or("", |(word, _)| *word);
    let open = result.score == Score::default();
    match result.how {
        How::Played => ("", ruling),
        How::Unknown if both == Some([Ruling::Loss; 2]) => ("double loss", ""),
        How::Unknown => ("", ruling),
        How::AgreedDraw if open && both == Some([Ruling::Draw; 2]) => ("agreed draw", ""),
        How::AgreedDraw => ("agreed draw", ruling),
        how => {
            let kind = |kind: Kind| matches!(kind, Kind::Match(own, rulings) if own == how && (rulings == both || ruled.is_some_and(|(word, _)| !["a", "b"].contains(word))));
            let word = KINDS.iter().find(|(_, one)| kind(*one)).map_or("", |(word, _)| *word);
            (word, if ["a", "b"].contains(&ruling) { "" } else { ruling })
        }
    }
}
