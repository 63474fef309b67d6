//! `cut`, `lots`, `close`: phases end, and the tournament.

use super::disputes::notes as of_disputes;
use super::opening::{best_of, kind};
use super::order::{Announce, Close, Cut};
use super::{AtDesk, Told, next};
use crate::answers::{AnnounceAnswer, CloseAnswer, CutAnswer, LotsAnswer, Ranked};
use crate::desk::{CutTo, open_round};
use crate::names::Names;
use crate::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::{Event, PlayerNumber};
use scrutineer_engine::record::to_hex as hex;
use scrutineer_engine::tournament::{MatchView, Tournament};
use scrutineer_pairing::running_phase;
use scrutineer_projections::bracket_rounds::round_in_words;
use scrutineer_projections::counted;
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::divisions::find_division;
use scrutineer_projections::standings::{Decided, Detail, Row, Standings};
use scrutineer_replay::trust::digits;

/// How many lines of a list are shown before the rest is only counted.
const SHOWN: usize = 64;
/// How many matches without a result are named.
const SHOWN_VOID: usize = 8;
/// How many are named of those whom lots told apart.
const SHOWN_BY_LOTS: usize = 8;

/// Ends the phase and starts the next one.
pub fn cut(at: &AtDesk<'_>, order: &Cut) -> Result<Told, VerbError> {
    let names = at.names()?;
    let kind = order.kind.as_deref().map(kind).transpose()?;
    let mut declined = Vec::new();
    for typed in &order.decline {
        declined.push((names.find(typed)?, "declined"));
    }
    let state = at.state()?;
    let sheet = state.opened().map(|opened| &opened.scoresheet);
    let sheet = order.best_of.zip(sheet).map(|(games, sheet)| best_of(sheet, games));
    let to = CutTo { top: order.top, points: order.points };
    let early = early(&state);
    let division = order.division.as_deref();
    if let Some(phase) = running_phase(&state).filter(|phase| phase.kind.is_bracket())
        && division.is_some()
        && !next::played_out(&state, &at.desk.rules(&state)?)
    {
        return Err(VerbError::new(
            Code::refused("not-played-out"),
            format!("the {} is not played to its end", phase.kind),
            format!("the cuts of divisions follow each other: `{}`", next::step(at, &state)?),
        ));
    }
    let cut = at.desk.cut_division(division, to, kind, sheet, &declined);
    let (entrants, done) = cut.map_err(|error| at.refused(&names, error))?;
    let state = at.state()?;
    let phase = state.phases().iter().rev().find(|phase| !phase.withdrawn);
    let kind = phase.map_or(String::new(), |phase| phase.kind.spelled().to_string());
    let number = phase.map_or(0, |phase| phase.number);
    let mut text =
        format!("phase {number}: {kind}, {} by seed\n", counted(entrants.len(), "player"));
    for (seed, &player) in (1..).zip(entrants.iter().take(SHOWN)) {
        text.push_str(&format!("  {seed:>2}  {}\n", names.name(player)));
    }
    if entrants.len() > SHOWN {
        text.push_str(&format!("   … and {} more\n", entrants.len() - SHOWN));
    }
    let passed: Vec<u32> = declined.iter().map(|(player, _)| *player).collect();
    if !passed.is_empty() {
        text.push_str(&format!("passed over: {}\n", names.list(&passed, ", ")));
    }
    let answer = CutAnswer {
        verb: "cut",
        phase: number,
        kind,
        entrants: names.players(&entrants),
        passed_over: names.players(&passed),
    };
    let mut told = Told::of(&done, text, answer).next(at.command("pair"));
    told.notes.extend(early);
    told.notes.extend(division.and_then(|_| others_wait(&state)));
    if let Some(last) = state.last_round().map(|last| last.number) {
        let scope = Scope { through: Some(last), final_order: Some(true) };
        let standings = Standings::of(&state, &at.desk.rules(&state)?, scope, Detail::Order)?;
        // A phase is over once the next one began; those whom nobody has seen are not in it.
        let own = division.and_then(|typed| find_division(&state, typed.trim()));
        let standings = match own {
            Some(division) => standings.of_division(&state, division),
            None => standings,
        };
        let rows: Vec<Row> =
            standings.rows.iter().filter(|row| !passed.contains(&row.player)).cloned().collect();
        told.notes.extend(lots_in_words(&names, &rows, Some(&entrants)));
    }
    told.notes.extend(of_disputes(&state));
    told.notes.extend(voids(&names, &state));
    Ok(told)
}

/// Which divisions have had no cut, where one has.
fn others_wait(state: &Tournament) -> Option<String> {
    let waiting = next::divisions_without_cut(state);
    let all: Vec<&str> = waiting.iter().map(|one| one.name).collect();
    let first = next::typed(all.first()?);
    Some(format!(
        "{} had no cut: when this one is played, `cut --division {first} --top <players>`",
        all.join(", ")
    ))
}

/// What is worth a second look where a phase ends before its planned rounds are played.
fn early(state: &Tournament) -> Option<String> {
    let phase = running_phase(state)?.number;
    let planned = usize::from(state.planned_rounds(phase)?);
    let played = state.rounds().iter().filter(|r| r.phase == phase && !r.withdrawn).count();
    (played < planned).then(|| {
        format!("{played} of {planned} planned rounds are played; `withdraw` takes the cut back")
    })
}

/// Draws lots for everybody.
pub fn lots(at: &AtDesk<'_>) -> Result<Told, VerbError> {
    let names = at.names()?;
    let done = at.desk.draw_lots().map_err(|error| at.refused(&names, error))?;
    let state = at.state()?;
    let order = state.lots().map_or(&[][..], |lots| &lots.order);
    let shown = names.list(&order[..order.len().min(SHOWN)], ", ");
    let text = format!("lots for {}, best first: {shown}\n", counted(order.len(), "player"));
    let told = Told::of(&done, text, LotsAnswer { verb: "lots", order: names.players(order) });
    Ok(told.next(next::step(at, &state)?))
}

/// Nothing more is expected.
pub fn close(at: &AtDesk<'_>, order: &Close) -> Result<Told, VerbError> {
    let names = at.names()?;
    let before = at.state()?;
    // Missing results are told by the desk.
    let waits = open_round(&before).is_some_and(|open| open.open_matches > 0);
    let in_bracket = running_phase(&before).filter(|p| p.kind.is_bracket());
    let unfinished = match in_bracket.filter(|_| !waits) {
        Some(_) if next::is_decided(&before, &at.desk.rules(&before)?) => None,
        Some(phase) => Some(format!("the {} is not played to its end", phase.kind)),
        None => bracket_to_come(&before).filter(|_| !waits),
    };
    if let Some(unfinished) = unfinished.as_ref().filter(|_| !order.unfinished) {
        return Err(VerbError::new(
            Code::refused("not-played-out"),
            unfinished.clone(),
            format!(
                "go on with `{}`; to close the tournament all the same, add --unfinished",
                next::step(at, &before)?
            ),
        ));
    }
    let done = match order.unfinished {
        true => at.desk.close_unfinished(),
        false => at.desk.close(),
    };
    let done = done.map_err(|error| at.refused(&names, error))?;
    let state = at.state()?;
    let rules = at.desk.rules(&state)?;
    let rounds = state.last_round().map_or(0, |last| last.number);
    let last = state.phases().iter().rev().find(|phase| !phase.withdrawn);
    let counts = last.is_some_and(|phase| rules.phases.contains(&phase.kind));
    let mut text = match rounds {
        0 => "the tournament is closed before round 1\n".to_string(),
        _ => format!("the tournament is closed after {}\n", round_in_words(&state, rounds)),
    };
    let (mut first, mut by_lots) = (Vec::new(), Vec::new());
    if rounds > 0 {
        let standings = Standings::of(&state, &rules, Scope::FINAL, Detail::Order)?;
        by_lots = lots_in_words(&names, &standings.rows, None);
        for row in standings.rows.iter().take_while(|row| row.rank <= 4).take(8) {
            // A record of the rounds before a bracket says nothing about places in it.
            let record = match counts {
                true => format!("  {}", row.record),
                false => String::new(),
            };
            text.push_str(&format!("  {:>2}  {}{record}\n", row.rank, names.name(row.player)));
            first.push(Ranked { rank: row.rank, player: names.player(row.player) });
        }
    }
    let answer = CloseAnswer { verb: "close", rounds, first };
    let mut told = Told::of(&done, text, answer).next(at.command("standings"));
    told.notes.extend(by_lots);
    told.notes.extend(of_disputes(&state));
    told.notes.extend(voids(&names, &state));
    if let Some(unfinished) = unfinished {
        let closed = |event: &Event| matches!(event, Event::TournamentClosed(_));
        let seq = done.first_seq + done.events.iter().position(closed).unwrap_or(0) as u64;
        told.notes.push(format!(
            "{unfinished}; `withdraw {seq} --reason <why>` opens the tournament again"
        ));
    }
    Ok(told)
}

/// The matches that count for nobody so far, as those that were postponed.
fn voids(names: &Names, state: &Tournament) -> Option<String> {
    let all: Vec<_> = state.matches().filter(|found| found.is_void()).collect();
    let one = |found: &MatchView<'_>| {
        let players: Vec<PlayerNumber> = found.seats().iter().map(|seat| seat.player).collect();
        let why = if found.is_postponed() { "postponed" } else { "void" };
        format!("round {}, {} ({why})", found.round().number, names.list(&players, " and "))
    };
    let shown: Vec<String> = all.iter().take(SHOWN_VOID).map(one).collect();
    let more = match all.len() - shown.len() {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    (!all.is_empty()).then(|| {
        let (many, shown) = (counted(all.len(), "match"), shown.join("; "));
        format!("{many} without a result: {shown}{more}")
    })
}

/// That a bracket is planned and has not begun, where rounds were played before it.
fn bracket_to_come(state: &Tournament) -> Option<String> {
    let begun = state.phases().iter().filter(|phase| !phase.withdrawn).count();
    let planned = state.opened()?.plan.get(begun).filter(|_| begun > 0)?;
    let kind = planned.kind.spelled();
    planned.kind.is_bracket().then(|| format!("the planned {kind} has not begun"))
}

/// Where lots decided the order of players whom nothing else told apart; with who makes a cut, as far
/// as its line.
fn lots_in_words(names: &Names, rows: &[Row], cut: Option<&[PlayerNumber]>) -> Vec<String> {
    let in_it = |row: &Row| cut.is_none_or(|entrants| entrants.contains(&row.player));
    let runs = rows.chunk_by(|_, below| below.decided == Decided::Lots);
    let runs: Vec<&[Row]> = runs.filter(|run| run.len() > 1 && run.iter().any(in_it)).collect();
    let told = |run: &&[Row]| {
        let (first, last) = (run[0].rank, run[run.len() - 1].rank);
        let list = |rows: Vec<&Row>| {
            let all: Vec<PlayerNumber> =
                rows.iter().take(SHOWN_BY_LOTS).map(|r| r.player).collect();
            let more = rows.len() - all.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("{}{more}", names.list(&all, ", "))
        };
        let (taken, out): (Vec<&Row>, Vec<&Row>) = run.iter().partition(|row| in_it(row));
        match out.is_empty() {
            true => format!("lots decided places {first} to {last}: {}", list(taken)),
            false => format!("LOOK: lots decided the cut: in {}, out {}", list(taken), list(out)),
        }
    };
    let mut all: Vec<String> = runs.iter().take(SHOWN_BY_LOTS).map(told).collect();
    if runs.len() > all.len() {
        all.push(format!("lots decided {} more ties", runs.len() - all.len()));
    }
    all
}

/// Announces the standings.
pub fn announce(at: &AtDesk<'_>, order: &Announce) -> Result<Told, VerbError> {
    let names = at.names()?;
    let last = at.state()?.last_round().map_or(0, |round| round.number);
    if let Some(round) = order.through.filter(|round| !(1..=last).contains(round)) {
        let message = format!("there is no round {round}");
        return Err(VerbError::new(
            Code::not_found("no-such-round"),
            message,
            format!("rounds are 1 to {last}"),
        ));
    }
    let (standings, done) =
        at.desk.announce(order.through).map_err(|error| at.refused(&names, error))?;
    let through = match standings.through {
        0 => "before round 1".to_string(),
        round => format!("after round {round}"),
    };
    let (players, table_hash) = (counted(standings.rows.len(), "player"), hex(&standings.hash()));
    let text = format!(
        "standings {through} are announced: {players}\ntable {}\n",
        digits(&standings.hash())
    );
    let state = at.state()?;
    let known = state.rounds().iter().filter(|round| round.number <= standings.through);
    let waiting = known.filter(|round| !round.withdrawn && round.open_matches > 0);
    let missing: Vec<(u16, u32)> =
        waiting.map(|round| (round.number, round.open_matches)).collect();
    let open_tables = missing.iter().map(|(_, tables)| tables).sum();
    let through = standings.through;
    let answer = AnnounceAnswer { verb: "announce", through, table_hash, open_tables };
    let mut told = Told::of(&done, text, answer).next(at.command("standings"));
    told.notes.extend(missing.iter().map(|(round, tables)| {
        let tables = counted(*tables as usize, "table");
        format!("{tables} of round {round} without a result: these standings will change")
    }));
    Ok(told)
}
