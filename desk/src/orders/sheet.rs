//! A round's tables, as they are printed: who sits where, with how many points, and the results
//! so far.

use super::slips::told;
use crate::answers::{RoundBye, RoundTable, Seated};
use crate::desk::{Displaced, displaced, of_chess, write_slip};
use crate::horizon::is_out;
use crate::names::Names;
use crate::table::{Align, Aligned};
use crate::what_if::cut_by_now;
use num_bigint::BigInt;
use num_rational::BigRational;
use scrutineer_engine::event::{ByeKind, MatchResult, PhaseKind, PlayerNumber, RoundNumber};
use scrutineer_engine::names::listed;
use scrutineer_engine::tournament::{MatchView, Round, Tournament};
use scrutineer_projections::bracket_rounds::{bracket_round, round_in_words};
use scrutineer_projections::counted;
use scrutineer_projections::crosstable::{Crosstable, Scope};
use scrutineer_projections::ratio::decimal;
use scrutineer_projections::ruleset::Ruleset;
use scrutineer_replay::again::before_round;
use scrutineer_replay::loaded::LoadedTournament;
use std::collections::BTreeMap;

/// One table.
pub struct TableRow {
    /// Its number.
    pub table: u32,
    /// Who sits there, in the order of the seats.
    pub seats: Vec<PlayerNumber>,
    /// The result, where it has one.
    pub result: Option<MatchResult>,
    /// Who goes on by ruling, whatever the result.
    pub advanced: Option<PlayerNumber>,
    /// What is unusual about it.
    pub remark: String,
}

/// Says that the cut was made before an earlier result changed, and who would be in it by now; none: the same players
/// with the same seeds, or the first round of the phase is behind it, so that it is too late. The tournament is one that
/// was read with its log.
pub fn of_old_cut(
    event: &LoadedTournament,
    names: impl Fn(&[PlayerNumber]) -> String,
) -> Option<String> {
    let cut = cut_by_now(event)?;
    let of_phase = |round: &&Round| round.phase == cut.phase && !round.withdrawn;
    if event.state.rounds().iter().filter(of_phase).count() > 1 {
        return None;
    }
    let now = match (cut.by_lots, cut.reseeded) {
        (true, _) => "lots that were not drawn would decide who is in it, or their seeds".into(),
        (_, true) => "the same players would have other seeds".into(),
        _ => format!("by now {} would be in it and {} not", names(&cut.enters), names(&cut.leaves)),
    };
    let was_played = event.state.matches().any(|found| {
        event.state.phase_of(found.round()).is_some_and(|phase| phase.number == cut.phase)
            && found.result().is_some()
    });
    let how = match was_played {
        true => {
            "It stands as it was made; who plays on is for the head judge to say, and set by hand"
        }
        false => {
            "To make it again, undo the pairings of its first round, if there are any, and the cut itself in the log"
        }
    };
    Some(format!("the cut was made before an earlier result changed: {now}. {how}"))
}

/// Says who sits in a round though they lost the match before it, or played there, by names as they are shown and the
/// round within a sentence.
pub fn displaced_in_words(
    one: &Displaced,
    name: impl Fn(PlayerNumber) -> String,
    round: &str,
) -> String {
    let (loser, winner, table) = (name(one.loser), name(one.winner), one.table);
    let since = "its result was corrected since";
    match one.is_played {
        true => format!(
            "{loser} played at table {table} of {round}, and {winner} had won their match: {since}"
        ),
        false => {
            format!(
                "{loser} sits at table {table} of {round}, and {winner} won their match: {since}"
            )
        }
    }
}

/// The same of all of them in the last round, for who types commands: each with what seats the winner, as long as
/// nobody has played there.
pub(super) fn of_displaced(
    state: &Tournament,
    rules: &Ruleset,
    names: &Names,
    command: impl Fn(&str) -> String,
) -> Vec<String> {
    let told = |one: Displaced| {
        let round = round_in_words(state, one.round);
        let said = displaced_in_words(&one, |player| names.name(player), &round);
        if one.is_played {
            return format!("LOOK: {said}");
        }
        let players = [Some(one.winner), one.opponent].into_iter().flatten();
        let typed: Vec<String> = players.map(|one| format!("{:?}", names.name(one))).collect();
        let set = command(&format!("set-pairing {} --reason <why>", typed.join(" ")));
        format!("LOOK: {said}; `{set}` seats {}", names.name(one.winner))
    };
    displaced(state, rules).into_iter().map(told).collect()
}

/// Says that the draft was paired before an earlier result changed, so that somebody in it has other points by now;
/// none: nobody has, there is no draft, or it is one of a bracket, in which points say nothing. The tournament is one that was read with its log.
pub fn of_old_points(
    event: &LoadedTournament,
    rules: &Ruleset,
    names: impl FnOnce(&[PlayerNumber]) -> String,
) -> Option<String> {
    let state = &event.state;
    let draft = state.last_round().filter(|last| last.number > 1 && !is_out(state, last))?;
    if state.phase_of(draft).is_some_and(|phase| phase.kind.is_bracket()) {
        return None;
    }
    let others = Sheet::of(state, rules, draft.number).with_other_points(event);
    let have = if others.len() == 1 { "has" } else { "have" };
    (!others.is_empty()).then(|| {
        format!(
            "{} was paired before an earlier result changed: {} {have} other points by now",
            round_in_words(state, draft.number),
            names(&others),
        )
    })
}

/// A round's tables and byes.
pub struct Sheet {
    /// The number of the round.
    pub round: RoundNumber,
    /// What it is called, in a bracket.
    pub called: Option<String>,
    /// Its tables, in their order.
    pub tables: Vec<TableRow>,
    /// Who has a bye, and of which kind.
    pub byes: Vec<(PlayerNumber, ByeKind)>,
    /// What the first seat plays, where the seats are not alike.
    first_seat: Option<String>,
    /// Points before the round, as printed; empty before the first.
    points: BTreeMap<PlayerNumber, String>,
}

impl Sheet {
    /// The sheet of a round that stands.
    pub fn of(state: &Tournament, rules: &Ruleset, round: RoundNumber) -> Sheet {
        let of_round = state.matches().filter(|found| found.round().number == round);
        let mut tables: Vec<TableRow> = of_round.map(|found| row(state, found)).collect();
        tables.sort_by_key(|row| row.table);
        let byes = state.byes().filter(|bye| state.rounds()[bye.round as usize].number == round);
        let mut byes: Vec<(PlayerNumber, ByeKind)> =
            byes.map(|bye| (bye.player, bye.kind)).collect();
        byes.sort_unstable();
        let first_seat = rules.first_seat.clone();
        let called = bracket_round(state, round);
        Sheet {
            round,
            called,
            tables,
            byes,
            first_seat,
            points: points_before(state, rules, round),
        }
    }

    /// The same with the points that the round was paired by, whatever was corrected since; who came later keeps
    /// their own. The tournament is one that was read with its log.
    pub fn as_paired(mut self, event: &LoadedTournament) -> Sheet {
        self.points.extend(self.points_as_paired(event));
        self
    }

    /// Who has other points by what is known now than those that the round was paired by.
    fn with_other_points(&self, event: &LoadedTournament) -> Vec<PlayerNumber> {
        let before = self.points_as_paired(event);
        let seated = self.tables.iter().flat_map(|row| &row.seats).copied();
        let all = seated.chain(self.byes.iter().map(|(player, _)| *player));
        all.filter(|player| before.get(player).is_some_and(|had| *had != self.points(*player)))
            .collect()
    }

    fn points_as_paired(&self, event: &LoadedTournament) -> BTreeMap<PlayerNumber, String> {
        let is_paired = event.state.round(self.round).is_some_and(|round| round.drawn.is_some());
        let before = is_paired.then(|| before_round(&event.log, &event.state, self.round));
        match before {
            Some(Ok((before, rules))) => points_before(&before, &rules, self.round),
            _ => BTreeMap::new(),
        }
    }

    /// Whether the same players meet at the same tables.
    pub fn same_tables(&self, other: &Sheet) -> bool {
        let seats = |sheet: &Sheet| -> Vec<(u32, Vec<PlayerNumber>)> {
            sheet.tables.iter().map(|row| (row.table, row.seats.clone())).collect()
        };
        seats(self) == seats(other) && self.byes == other.byes
    }

    /// How many tables and byes.
    pub fn head(&self) -> String {
        let byes = match self.byes.len() {
            0 => String::new(),
            byes => format!(", {}", counted(byes, "bye")),
        };
        let called = self.called.as_ref().map_or(String::new(), |called| format!(", {called}"));
        format!("round {}{called}: {}{byes}", self.round, counted(self.tables.len(), "table"))
    }

    fn points(&self, player: PlayerNumber) -> String {
        self.points.get(&player).cloned().unwrap_or_else(|| "0".into())
    }

    /// The tables in their order, then the byes.
    pub fn by_table(&self, names: &Names) -> String {
        let with_points = self.points.values().any(|points| points != "0");
        let with_results = self.tables.iter().any(|row| row.result.is_some());
        let remark = |row: &TableRow| {
            let ruled = row.advanced.map(|p| format!("{} goes on by ruling", names.name(p)));
            let own = (!row.remark.is_empty()).then(|| row.remark.clone());
            own.into_iter().chain(ruled).collect::<Vec<_>>().join(", ")
        };
        let with_remarks = self.tables.iter().any(|row| !remark(row).is_empty());
        let players = self.first_seat.as_ref().map(|first| format!("players, {first} first"));
        let players = players.as_deref().unwrap_or("players");
        let mut head = vec![("table", Align::Right), (players, Align::Left)];
        head.extend(with_points.then_some(("points", Align::Left)));
        head.extend(with_results.then_some(("result", Align::Left)));
        head.extend(with_remarks.then_some(("", Align::Left)));
        let result = |result: &MatchResult| {
            let slip = write_slip(result);
            let of_chess = of_chess(&slip).filter(|_| self.first_seat.is_some());
            of_chess.map_or(slip.clone(), |result| result.replace(['–', '−'], "-"))
        };
        let mut table = Aligned::new(head);
        for row in &self.tables {
            let points: Vec<String> = row.seats.iter().map(|&p| self.points(p)).collect();
            let mut cells = vec![number(row), names.against(&row.seats)];
            cells.extend(with_points.then(|| points.join("-")));
            cells.extend(with_results.then(|| row.result.as_ref().map_or("".into(), result)));
            cells.extend(with_remarks.then(|| remark(row)));
            table.row(cells);
        }
        for (player, kind) in &self.byes {
            let mut cells = vec!["-".to_string(), names.name(*player)];
            cells.extend(with_points.then(|| self.points(*player)));
            cells.extend(with_results.then(String::new));
            cells.extend(with_remarks.then(String::new));
            let last = cells.len() - 1;
            match last {
                1 => cells[1].push_str(&format!(", {kind}")),
                _ => cells[last] = kind.to_string(),
            }
            table.row(cells);
        }
        table.text()
    }

    /// Everybody by name, with table, opponent and result.
    pub fn by_name(&self, names: &Names) -> String {
        let with_results = self.tables.iter().any(|row| row.result.is_some());
        let mut rows: Vec<(String, Vec<String>)> = Vec::new();
        for row in &self.tables {
            for &player in &row.seats {
                let others: Vec<PlayerNumber> =
                    row.seats.iter().copied().filter(|other| *other != player).collect();
                let result = row.result.as_ref().map(|result| told(names, &row.seats, result));
                let result = result.unwrap_or_default();
                let seat = self.first_seat.clone().filter(|_| row.seats.first() == Some(&player));
                let seat = self.first_seat.is_some().then(|| seat.unwrap_or_default());
                let cells = [number(row)].into_iter().chain(seat);
                let cells = cells.chain([names.list(&others, ", ")]);
                let cells = cells.chain(with_results.then_some(result));
                rows.push((names.name(player), cells.collect()));
            }
        }
        for (player, kind) in &self.byes {
            let cells = ["-".to_string()].into_iter();
            let cells = cells.chain(self.first_seat.is_some().then(String::new));
            let cells = cells.chain([kind.to_string()]).chain(with_results.then(String::new));
            rows.push((names.name(*player), cells.collect()));
        }
        rows.sort_by_cached_key(|(name, _)| (listed(name), name.clone()));
        let mut head = vec![("player", Align::Left), ("table", Align::Right)];
        head.extend(self.first_seat.is_some().then_some(("", Align::Left)));
        head.push(("against", Align::Left));
        head.extend(with_results.then_some(("result", Align::Left)));
        let mut table = Aligned::new(head);
        for (name, cells) in rows {
            table.row(std::iter::once(name).chain(cells));
        }
        table.text()
    }

    /// The tables and byes for programs.
    pub fn answered(&self, names: &Names) -> (Vec<RoundTable>, Vec<RoundBye>) {
        let seated = |&n: &PlayerNumber| Seated { player: names.player(n), points: self.points(n) };
        let table = |row: &TableRow| RoundTable {
            table: row.table,
            players: row.seats.iter().map(seated).collect(),
            result: row.result.as_ref().map(write_slip),
            remark: row.remark.clone(),
            advanced: row.advanced.map(|n| names.player(n)),
        };
        let bye = |(n, kind): &(PlayerNumber, ByeKind)| RoundBye {
            player: names.player(*n),
            kind: kind.to_string(),
        };
        (self.tables.iter().map(table).collect(), self.byes.iter().map(bye).collect())
    }
}

/// The number of a table; a dash where it has none, as in tournaments that older versions brought in.
fn number(row: &TableRow) -> String {
    if row.table == 0 { "-".into() } else { row.table.to_string() }
}

fn row(state: &Tournament, found: MatchView<'_>) -> TableRow {
    let double = state.phase_of(found.round()).map(|phase| phase.kind);
    let remark = match (double, found.group()) {
        (Some(PhaseKind::DoubleElimination), Some(1)) => "upper bracket".into(),
        (Some(PhaseKind::DoubleElimination), Some(2)) => "lower bracket".into(),
        (Some(PhaseKind::DoubleElimination), Some(3)) => "grand final".into(),
        _ => String::new(),
    };
    TableRow {
        table: found.table().unwrap_or(0),
        seats: found.seats().iter().map(|seat| seat.player).collect(),
        result: found.to_result(),
        advanced: found.advanced(),
        remark,
    }
}

/// Points before a round; nobody has any before the first, or where they cannot be folded.
fn points_before(
    state: &Tournament,
    rules: &Ruleset,
    round: RoundNumber,
) -> BTreeMap<PlayerNumber, String> {
    let Some(before) = round.checked_sub(1).filter(|before| *before > 0) else {
        return BTreeMap::new();
    };
    let scope = Scope { through: Some(before), final_order: Some(false) };
    let Ok(table) = Crosstable::of(state, rules, scope) else { return BTreeMap::new() };
    let den = BigInt::from(table.points_den);
    let points = |index: u32| {
        let sum: i64 = table.rounds_of(index).map(|(_, entry)| i64::from(entry.points)).sum();
        let text = decimal(&BigRational::new(sum.into(), den.clone()), 2, false);
        match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
            false => text,
        }
    };
    (0..).zip(&table.entrants).map(|(index, entrant)| (entrant.number, points(index))).collect()
}

/// `tables 1 to 8`, `tables 1, 3 to 5`, `no tables`.
pub fn tables_in_words(state: &Tournament, round: RoundNumber) -> String {
    let of_round = state.matches().filter(|found| found.round().number == round);
    let mut tables: Vec<u32> = of_round.filter_map(|found| found.table()).collect();
    tables.sort_unstable();
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for table in tables {
        match runs.last_mut().filter(|(_, last)| *last + 1 == table) {
            Some((_, last)) => *last = table,
            None => runs.push((table, table)),
        }
    }
    let run = |(first, last): &(u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first} to {last}"),
    };
    match &runs[..] {
        [] => "no tables".into(),
        [(first, last)] if first == last => format!("table {first}"),
        runs => format!("tables {}", runs.iter().map(run).collect::<Vec<_>>().join(", ")),
    }
}
