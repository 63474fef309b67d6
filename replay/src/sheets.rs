//! Standings and matches for spreadsheets (docs/PAGE.md, "Spreadsheets"): as a CSV each, or in one
//! workbook.
//!
//! No cell that somebody typed becomes a formula, and nothing becomes a date: a score is written with
//! a dash, an exact value as numerator and denominator in two columns.

use crate::as_of::utc;
use crate::loaded::LoadedTournament;
use crate::neutral::neutral;
use crate::page::result_text;
use crate::staff::{Staff, at_a_desk};
use scrutineer_engine::event::*;
use scrutineer_engine::record::{Header, to_hex};
use scrutineer_engine::tournament::{Bye, MatchView, Round, Tournament};
use scrutineer_formats::WriteError;
use scrutineer_formats::as_sheets;
use scrutineer_formats::sheets::{ABOUT, Cell, MATCHES, STANDINGS, Sheet};
use scrutineer_projections::divisions::DivisionPlaces;
use scrutineer_projections::explain::{decided, value_of};
use scrutineer_projections::ruleset::{Library, Step, called};
use scrutineer_projections::standings::{FOLD_VERSION, Row, Standings};
use std::collections::BTreeSet;

/// The most seats that get columns of their own.
const LETTERS: &[u8; 26] = b"abcdefghijklmnopqrstuvwxyz";

/// One workbook: the standings, then matches, players and what is said of the tournament in the columns
/// that an import reads again, then every result with its record. What is not in it comes with it.
///
/// # Errors
/// Where a sheet is longer than spreadsheet programs open.
pub fn workbook(
    event: &LoadedTournament,
    ranked: &Standings,
) -> Result<(Vec<u8>, Vec<String>), WriteError> {
    let mut sheets = vec![standings(event, ranked)];
    let mut source = neutral(event, ranked);
    let files = event.state.ruleset().unwrap_or_default();
    source.rules = Some(called(files)).filter(|rules| is_known(rules, files));
    let here = event.state.players().iter().filter(|player| !player.withdrawn);
    for (player, of) in source.players.iter_mut().zip(here) {
        // Numbers are no order of sign-up where a file that came in had none.
        player.sign_up = of.sign_up;
    }
    let left_out = match as_sheets(&source) {
        Ok((own, mut left_out)) => {
            sheets.extend(own);
            if source.rules.is_none() {
                let rules = called(files);
                left_out.push(format!("the ruleset {rules}, which is none that every copy has: name it where the workbook is read again"));
            }
            left_out
        }
        // Matches of three and more stand with their records alone.
        Err(WriteError::NotTwo { .. }) => {
            vec!["matches in the columns of an import, which are of two players each".to_owned()]
        }
        Err(error) => return Err(error),
    };
    sheets.push(Sheet { name: "Records".into(), ..matches(event) });
    sheets.push(about(event, ranked));
    Ok((scrutineer_formats::sheets::workbook(&sheets)?, left_out))
}

/// Whether a ruleset is one that is shipped, with changes or without.
fn is_known(rules: &str, files: &[RulesetFile]) -> bool {
    Library::shipped().chain(rules).is_ok_and(|shipped| shipped == files)
}

/// What else there is to say: which log this is, how far it was, and what the standings were computed by. An
/// import passes it over.
fn about(event: &LoadedTournament, standings: &Standings) -> Sheet {
    let state = &event.state;
    let opened = state.opened();
    let day = opened.and_then(|opened| opened.held_on);
    let players = state.players().iter().filter(|player| !player.withdrawn).count();
    let stands = match (state.is_closed(), state.imported().is_some()) {
        (_, true) => "imported",
        (true, false) => "closed",
        (false, false) => "running",
    };
    let program = format!("Scrutineer {} (fold {FOLD_VERSION})", env!("CARGO_PKG_VERSION"));
    let mut rows = vec![
        ("tournament", Cell::text(event.title())),
        ("id", Cell::text(event.stream.to_string())),
        ("held on", day.map_or(Cell::Empty, Cell::Date)),
        ("state", Cell::text(stands)),
        ("players", Cell::count(players)),
    ];
    rows.extend(rounds(state, standings.through));
    rows.extend([
        ("ruleset", Cell::text(called(state.ruleset().unwrap_or_default()))),
        ("ruleset's hash", Cell::text(to_hex(&standings.rules.hash))),
        ("hash of the standings", Cell::text(to_hex(&standings.hash()))),
        ("events in the log", Cell::count(state.head())),
        ("written by", Cell::text(program)),
    ]);
    let rows = rows.into_iter().map(|(what, said)| vec![Cell::text(what), said]).collect();
    Sheet { name: "About".into(), head: ABOUT.map(str::to_string).to_vec(), rows }
}

/// How many rounds are played, at least in part, and what of those that are paired is still to be played.
fn rounds(state: &Tournament, through: RoundNumber) -> Vec<(&'static str, Cell)> {
    let with_results: BTreeSet<RoundNumber> = state
        .matches()
        .filter(|found| found.result().is_some())
        .map(|found| found.round().number)
        .collect();
    let standing = state.rounds().iter().filter(|round| !round.withdrawn);
    let (begun, to_come): (Vec<&Round>, Vec<&Round>) =
        standing.partition(|round| round.open_matches == 0 || with_results.contains(&round.number));
    let after = begun.iter().map(|round| round.number.min(through)).max();
    let missing: u32 = begun.iter().map(|round| round.open_matches).sum();
    let mut rows = vec![
        ("rounds", Cell::count(begun.len())),
        ("standings after round", Cell::count(after.unwrap_or(0))),
    ];
    rows.extend((missing > 0).then(|| ("results missing", Cell::count(missing))));
    let is_to_come = !to_come.is_empty();
    rows.extend(is_to_come.then(|| ("rounds still to be played", Cell::count(to_come.len()))));
    rows
}

/// The standings: a row for each player, every measure that ranks as it is printed and exactly.
pub fn standings(event: &LoadedTournament, standings: &Standings) -> Sheet {
    let measures = standings.ranking_measures();
    let mut head: Vec<String> = STANDINGS.map(str::to_string).to_vec();
    let labels = || measures.iter().map(|measure| &standings.rules.measures[*measure].label);
    head.extend(labels().cloned());
    head.push("decided by".into());
    let divided = DivisionPlaces::of(&event.state, standings);
    if !divided.is_empty() {
        head.extend(["division".into(), "place in division".into()]);
    }
    // For programs; behind what people read.
    let exactly = |label| [format!("{label} numerator"), format!("{label} denominator")];
    head.extend(labels().flat_map(exactly));
    let rows = standings.rows.iter().map(|row| {
        let record = standings.record(row).map(|won| [won.wins, won.losses, won.draws]);
        let mut cells = vec![Cell::count(row.rank), Cell::text(event.name(row.player))];
        cells.push(Cell::count(row.player));
        cells.push(Cell::count(standings.layer(row).stage.phase));
        cells.extend((0..3).map(|at| record.map_or(Cell::Empty, |counts| Cell::count(counts[at]))));
        let values = measures.iter().map(|measure| value(standings, *measure, row));
        let (printed, exact): (Vec<Cell>, Vec<[Cell; 2]>) = values.unzip();
        cells.extend(printed);
        cells.push(Cell::text(decided(&event.state, standings, row)));
        if !divided.is_empty() {
            let found = divided.of_player(row.player);
            let place = found.map_or(Cell::Empty, |found| Cell::count(found.row().rank));
            cells.extend([Cell::text(found.map_or("", |found| found.name)), place]);
        }
        cells.extend(exact.into_iter().flatten());
        cells
    });
    Sheet { name: "Standings".into(), head, rows: rows.collect() }
}

/// A value as it is printed, and exactly; empty where the measure does not rank in their phase.
fn value(standings: &Standings, measure: usize, row: &Row) -> (Cell, [Cell; 2]) {
    let mut steps = standings.layer(row).steps.iter();
    let ranks = |step: &Step| matches!(step, Step::Measure { measure: own, .. } if *own == measure);
    let shown = steps.any(ranks).then(|| value_of(standings, measure, row)).flatten();
    let Some(shown) = shown else { return Default::default() };
    // A single dash says that there is no value yet.
    if shown.text == "-" {
        return Default::default();
    }
    let exact = [shown.value.numer().to_string(), shown.value.denom().to_string()];
    (Cell::printed(shown.text), exact.map(Cell::printed))
}

/// The matches and byes: a row for each, by round and table.
pub fn matches(event: &LoadedTournament) -> Sheet {
    let lines = lines(event);
    let seats = event.state.matches().map(|found| found.seats().len()).max().unwrap_or(2);
    let seats = seats.clamp(2, LETTERS.len());
    let letters = || LETTERS[..seats].iter().map(|letter| char::from(*letter));
    let mut head: Vec<String> = MATCHES.map(str::to_string).to_vec();
    for letter in letters() {
        head.extend([format!("player_{letter}"), format!("number_{letter}")]);
    }
    head.extend(["kind", "result"].map(str::to_string));
    for (line, per) in &lines {
        match per {
            Per::Table => head.push(line.clone()),
            Per::Seat => head.extend(letters().map(|letter| format!("{line}_{letter}"))),
        }
    }
    head.extend(letters().map(|letter| format!("ruling_{letter}")));
    head.extend(["corrected", "record", "recorded", "recorded by"].map(str::to_string));
    let sheet = Lines { event, staff: Staff::of(event), lines, seats };
    let mut rounds: Vec<(usize, &Round)> = event.state.rounds().iter().enumerate().collect();
    rounds.retain(|(_, round)| !round.withdrawn);
    rounds.sort_by_key(|(_, round)| round.number);
    let rows = rounds.into_iter().flat_map(|(at, round)| sheet.round(at, round));
    Sheet { name: "Matches".into(), head, rows: rows.collect() }
}

/// The lines of all slips, each once.
fn lines(event: &LoadedTournament) -> Vec<(String, Per)> {
    let mut lines: Vec<(String, Per)> = Vec::new();
    for round in event.state.rounds().iter().filter(|round| !round.withdrawn) {
        for line in event.state.scoresheet(round).into_iter().flat_map(|sheet| &sheet.lines) {
            if !lines.iter().any(|(name, per)| *name == line.name && *per == line.per) {
                lines.push((line.name.clone(), line.per));
            }
        }
    }
    lines
}

struct Lines<'a> {
    event: &'a LoadedTournament,
    staff: Staff<'a>,
    lines: Vec<(String, Per)>,
    seats: usize,
}

impl Lines<'_> {
    fn round(&self, at: usize, round: &Round) -> Vec<Vec<Cell>> {
        let of_round = |found: &MatchView| found.round_index() == at;
        let mut found: Vec<MatchView> = self.event.state.matches().filter(of_round).collect();
        found.sort_by_key(|found| (found.table().is_none(), found.table(), found.seq()));
        let byes = self.event.state.byes().filter(|bye| bye.round as usize == at);
        let mut rows: Vec<Vec<Cell>> =
            found.into_iter().map(|found| self.of_match(round, found)).collect();
        rows.extend(byes.map(|bye| self.of_bye(round, bye)));
        rows
    }

    fn start(&self, round: &Round, table: Option<u32>) -> Vec<Cell> {
        let kind = self.event.state.phase_of(round).map(|phase| phase.kind.to_string());
        let table = table.map_or(Cell::Empty, Cell::count);
        let kind = Cell::text(kind.unwrap_or_default());
        vec![Cell::count(round.number), Cell::count(round.phase), kind, table]
    }

    fn of_match(&self, round: &Round, found: MatchView) -> Vec<Cell> {
        let mut cells = self.start(round, found.table());
        let seats = found.seats();
        for seat in 0..self.seats {
            let player = seats.get(seat).map(|seat| seat.player);
            cells.push(player.map_or(Cell::Empty, |player| Cell::text(self.event.name(player))));
            cells.push(player.map_or(Cell::Empty, Cell::count));
        }
        let result = found.to_result();
        let how = result.as_ref().map_or("no result".into(), |result| result.how.to_string());
        cells.push(Cell::text(how));
        cells.push(Cell::text(result.as_ref().map_or(String::new(), score)));
        let score = result.as_ref().map(|result| &result.score);
        self.scores(&mut cells, round, score);
        let rulings = result.as_ref().map_or(&[][..], |result| &result.rulings);
        cells.extend((0..self.seats).map(|seat| {
            let ruling = rulings.get(seat).copied().flatten();
            ruling.map_or(Cell::Empty, |ruling| Cell::text(ruling.to_string()))
        }));
        let standing = found.result().and_then(|seq| self.at(seq));
        let is_corrected = matches!(standing, Some((_, Event::ResultCorrected(_))));
        cells.push(Cell::text(if is_corrected { "yes" } else { "" }));
        cells.push(Cell::count(found.seq()));
        cells.extend(self.recorded(standing));
        cells
    }

    fn of_bye(&self, round: &Round, bye: &Bye) -> Vec<Cell> {
        let mut cells = self.start(round, None);
        cells.extend([Cell::text(self.event.name(bye.player)), Cell::count(bye.player)]);
        cells.extend((1..self.seats).flat_map(|_| [Cell::Empty, Cell::Empty]));
        cells.extend([Cell::text(bye.kind.to_string()), Cell::Empty]);
        self.scores(&mut cells, round, bye.reported.as_ref());
        cells.extend((0..self.seats).map(|_| Cell::Empty));
        cells.extend([Cell::Empty, Cell::count(bye.seq)]);
        cells.extend(self.recorded(self.at(bye.seq)));
        cells
    }

    fn at(&self, seq: Seq) -> Option<&(Header, Event)> {
        self.event.log.get(usize::try_from(seq).ok()?.checked_sub(1)?)
    }

    /// When and by whom the result that stands was recorded, or a bye given; empty for what came in
    /// as a file.
    fn recorded(&self, found: Option<&(Header, Event)>) -> [Cell; 2] {
        let header = found.map(|(header, _)| header).filter(|header| at_a_desk(header));
        header.map_or(Default::default(), |header| {
            [utc(header.time), self.staff.who(header)].map(Cell::text)
        })
    }

    /// The values of every line, where this round's slip has it.
    fn scores(&self, cells: &mut Vec<Cell>, round: &Round, score: Option<&Score>) {
        let sheet = self.event.state.scoresheet(round);
        for (name, per) in &self.lines {
            let own = sheet.into_iter().flat_map(|sheet| &sheet.lines);
            let mut own = own.filter(|line| line.per == *per);
            let at = own.position(|line| line.name == *name);
            let value = |values: Option<&[i32]>| {
                let value = at.and_then(|at| values?.get(at).copied());
                value.map_or(Cell::Empty, Cell::count)
            };
            match per {
                Per::Table => cells.push(value(score.map(|score| &score.table[..]))),
                Per::Seat => cells.extend((0..self.seats).map(|seat| {
                    value(score.and_then(|score| score.seats.get(seat)).map(|line| &line[..]))
                })),
            }
        }
    }
}

/// A result in words; a hyphen would make a date of `2-1`.
fn score(result: &MatchResult) -> String {
    let words = result_text(result);
    match words.find(' ').map_or((&words[..], ""), |at| words.split_at(at)) {
        (score, rest) if score.contains(|c: char| c.is_ascii_digit()) => {
            format!("{}{rest}", score.replace('-', "\u{2013}"))
        }
        _ => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scrutineer_engine::book::{Commitment, Field};

    /// A workbook of a running league said that all its rounds were played.
    #[test]
    fn a_round_that_is_paired_and_not_played_is_none_that_was_played() {
        let said = |results: [&str; 2]| {
            let [one, other] = results;
            let text = format!(
                "# finished: no\nround,player_a,player_b,games_a,games_b\n1,Ann,Bob,2,0\n1,Cid,Dee,2,1\n\
                 2,Ann,Cid,{one}\n2,Bob,Dee,{other}\n"
            );
            let source = scrutineer_formats::read("league.csv", text.as_bytes()).expect("read");
            let mut number = 0;
            let mut private = |_: Field, _: &str| {
                number += 1;
                Commitment { number, digest: [0; 32] }
            };
            let events = scrutineer_formats::events(&source, [7; 32], &mut private, Vec::new());
            let mut state = Tournament::default();
            events.expect("events").iter().for_each(|event| state.evolve(event));
            let rows = rounds(&state, 2).into_iter();
            rows.map(|(what, said)| format!("{what} {}", said.in_csv())).collect::<Vec<_>>()
        };
        let to_come = ["rounds 1", "standings after round 1", "rounds still to be played 1"];
        assert_eq!(said([",", ","]), to_come);
        let in_part = ["rounds 2", "standings after round 2", "results missing 1"];
        assert_eq!(said(["2,0", ","]), in_part);
        assert_eq!(said(["2,0", "2,0"]), ["rounds 2", "standings after round 2"]);
    }
}
