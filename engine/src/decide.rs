//! What is legal. [`validate`] says whether an event may follow a state; [`decide`] turns a command
//! into events and lets each pass through `validate`. Neither changes anything.

use crate::book::Field;
use crate::command::Command;
use crate::event::*;
use crate::limits::{self, at_most};
use crate::rejection::Rejection;
use crate::seed;
use crate::tournament::{MatchView, Round, Tournament};
use std::collections::BTreeSet;

mod scores;
mod withdraw;

/// The events that answer a command, or why there are none.
///
/// # Errors
/// The first [`Rejection`] that holds for one of its events.
pub fn decide(state: &Tournament, command: &Command) -> Result<Vec<Event>, Rejection> {
    Ok(decide_on(state, command, || state.clone())?.0)
}

/// As [`decide`]; a command of several events is tried on what `scratch` gives, a copy of the
/// state, which is then as it is after the command.
pub(crate) fn decide_on(
    state: &Tournament,
    command: &Command,
    scratch: impl FnOnce() -> Tournament,
) -> Result<(Vec<Event>, Option<Tournament>), Rejection> {
    let events = propose(state, command)?;
    let Some((last, before)) = events.split_last() else { return Err(Rejection::Empty) };
    if before.is_empty() {
        validate(state, last)?;
        return Ok((events, None));
    }
    let mut scratch = scratch();
    for event in &events {
        validate(&scratch, event)?;
        scratch.evolve(event);
    }
    Ok((events, Some(scratch)))
}

fn propose(state: &Tournament, command: &Command) -> Result<Vec<Event>, Rejection> {
    Ok(match command {
        Command::Record(events) => events.clone(),
        Command::Enrol(players) => number_players(state, players),
        Command::OpenRound { round, pairings, byes } => std::iter::once(round.clone().into())
            .chain(pairings.iter().cloned().map(Event::from))
            .chain(byes.iter().cloned().map(Event::from))
            .collect(),
        Command::Result { round, table, result } => {
            let pairing = pairing_at(state, *round, *table)?.seq();
            vec![ResultRecorded { pairing, result: result.clone() }.into()]
        }
        Command::Correct { round, table, result, reason, dispute } => {
            let found = pairing_at(state, *round, *table)?;
            let pairing = found.seq();
            let replaces = found.result().ok_or(Rejection::NothingToCorrect { pairing })?;
            let (result, reason, dispute) = (result.clone(), *reason, *dispute);
            vec![ResultCorrected { pairing, replaces, result, reason, dispute }.into()]
        }
        Command::Advance { round, table, player, reason } => {
            let pairing = pairing_at(state, *round, *table)?.seq();
            vec![PlayerAdvanced { pairing, player: *player, reason: *reason }.into()]
        }
        Command::CompleteRound => {
            let round = state.last_round().ok_or(Rejection::NoSuchRound { round: 1 })?;
            vec![RoundCompleted { round: round.number }.into()]
        }
    })
}

fn number_players(state: &Tournament, players: &[PlayerEnrolled]) -> Vec<Event> {
    let first = state.players().len() as PlayerNumber + 1;
    let numbered = (first..).zip(players).map(|(player, enrolled)| {
        let mut enrolled = enrolled.clone();
        enrolled.player = player;
        Event::from(enrolled)
    });
    numbered.collect()
}

fn pairing_at(
    state: &Tournament,
    round: RoundNumber,
    table: u32,
) -> Result<MatchView<'_>, Rejection> {
    let index = state.round_index(round).ok_or(Rejection::NoSuchRound { round })?;
    state.match_at_table(index, table).ok_or(Rejection::NoSuchTable { table, round })
}

/// Whether `event` may follow `state`: what is wrong under every ruleset is refused.
///
/// # Errors
/// Why it may not.
pub fn validate(state: &Tournament, event: &Event) -> Result<(), Rejection> {
    if let Event::TournamentOpened(e) = event {
        return open(state, e);
    }
    if state.opened().is_none() {
        return Err(Rejection::NotOpened);
    }
    at_most("events", state.head() + 1, limits::EVENTS)?;
    if state.is_removed() && !taken_after_removal(event) {
        return Err(Rejection::Removed);
    }
    if state.is_closed() && !taken_after_closing(event) {
        return Err(Rejection::Closed);
    }
    match event {
        Event::ResultRecorded(e) => record(state, e),
        Event::PairingMade(e) => pair(state, e),
        Event::ByeGiven(e) => give_bye(state, e),
        Event::PlayerEnrolled(e) => enroll(state, e),
        Event::ResultCorrected(e) => correct(state, e),
        Event::ResultClaimed(e) => {
            let found = standing(state, e.pairing)?;
            if usize::from(e.seat) >= found.seats().len() {
                return Err(Rejection::NoSuchSeat { seat: e.seat });
            }
            scores::allowed(state, found, &e.result)
        }
        Event::ScoreNoted(e) => {
            let found = standing(state, e.pairing)?;
            if let Some(result) = found.result() {
                return Err(Rejection::AlreadyRecorded { pairing: e.pairing, result });
            }
            scores::fits(scores::sheet(state, found), &e.score, found.seats().len())
        }
        Event::RoundOpened(e) => open_round(state, e),
        Event::EnginePaired(e) => paired_by_engine(state, e),
        Event::RoundCompleted(e) => complete(state, e.round),
        Event::PairingsPublished(e) => publish(state, e.round),
        Event::PhaseStarted(e) => start_phase(state, e),
        Event::PhaseEnded(e) => end_phase(state, e.phase),
        Event::PlayerDropped(e) => {
            let player = known(state, e.player)?;
            match state.player(player).and_then(|p| p.dropped()) {
                Some(_) => Err(Rejection::AlreadyDropped { player }),
                None => Ok(()),
            }
        }
        Event::PlayerReinstated(e) => {
            let player = known(state, e.player)?;
            match state.player(player).and_then(|p| p.dropped()) {
                Some(_) => Ok(()),
                None => Err(Rejection::NotDropped { player }),
            }
        }
        Event::ByeRequested(e) => request_bye(state, e),
        Event::PlayerIdentified(e) => known(state, e.player).map(drop),
        Event::PlayerRated(e) => known(state, e.player).map(drop),
        Event::PlayerIdCorrected(e) => known(state, e.player).map(drop),
        Event::PlayerCheckedIn(e) => known(state, e.player).map(drop),
        Event::PlayerDivisionChanged(e) => {
            known(state, e.player)?;
            word("division", e.division.as_deref().unwrap_or_default())
        }
        Event::PlayerDescribed(e) => {
            known(state, e.player)?;
            word("title", e.title.as_deref().unwrap_or_default())?;
            word("federation", e.federation.as_deref().unwrap_or_default())
        }
        Event::TableKept(e) => {
            known(state, e.player)?;
            match e.table {
                Some(0) => Err(Rejection::NoTableNumber),
                table => at_most("tables", table.unwrap_or(0).into(), limits::TABLE.into()),
            }
        }
        Event::TablesSet(e) => set_tables(e),
        Event::DivisionsPaired(e) => pair_divisions(e),
        Event::DivisionRounds(e) => {
            word("division", &e.division)?;
            at_most("rounds", e.rounds.unwrap_or(0).into(), limits::ROUNDS.into())?;
            let known = state.rounds_of_division(&e.division).is_some();
            let count = state.division_rounds().count() + usize::from(!known);
            at_most("divisions with rounds of their own", count as u64, limits::DIVISIONS as u64)
        }
        Event::PenaltyGiven(e) => match e.pairing {
            Some(pairing) => at_table(standing(state, pairing)?, e.player),
            None => known(state, e.player).map(drop),
        },
        Event::PlayerAdvanced(e) => at_table(standing(state, e.pairing)?, e.player),
        Event::DisputeOpened(e) => {
            let found = standing(state, e.pairing)?;
            e.by.map_or(Ok(()), |player| at_table(found, player))
        }
        Event::DisputeRuled(e) => match state.dispute(e.dispute) {
            None => Err(Rejection::NoSuchDispute { seq: e.dispute }),
            Some(dispute) if dispute.ruled.is_some() => {
                Err(Rejection::AlreadyRuled { seq: e.dispute })
            }
            Some(_) => Ok(()),
        },
        Event::LotsDrawn(e) => {
            let before: &[PlayerNumber] = match state.lots() {
                Some(lots) if e.first_place > 1 => &lots.order,
                _ => &[],
            };
            if let Some((draw, seed)) = &e.seed {
                let last = state.last_round().map_or(0, |round| round.number);
                revealed(state, *draw, seed, seed::draw_of_lots(last))?;
            }
            listed(state, before, &e.order, e.first_place)
        }
        Event::Withdrawn(e) => withdraw::validate(state, e.seq),
        Event::Imported(_) if state.imported().is_some() => Err(Rejection::AlreadyImported),
        Event::Imported(_) if state.head() > 1 => Err(Rejection::ImportedLate),
        Event::Imported(e) => word("format", &e.format),
        Event::PlanAmended(e) => usable_plan(&e.plan),
        Event::StandingsAnnounced(e) => announce(state, e),
        Event::SignerChanged(e) if state.retired_keys().iter().any(|(_, r)| r.key == e.signer) => {
            Err(Rejection::RetiredKey)
        }
        Event::KeyRetired(e) if state.signers().iter().all(|(_, key)| *key != e.key) => {
            Err(Rejection::UnknownKey)
        }
        Event::NoteAdded(e) => match e.about {
            Some(seq) if state.entry(seq).is_none() => Err(Rejection::NoSuchEvent { seq }),
            _ => Ok(()),
        },
        Event::RulesetAmended(e) => names_of(&e.ruleset),
        Event::TextsForgotten(e) => at_most(
            "texts forgotten in one event",
            e.numbers.len() as u64,
            limits::FORGOTTEN as u64,
        ),
        Event::TournamentOpened(_)
        | Event::SignerChanged(_)
        | Event::KeyRetired(_)
        | Event::LogRestored(_)
        | Event::SeedRecommitted(_)
        | Event::TournamentClosed(_)
        | Event::StaffNamed(_) => Ok(()),
    }
}

fn taken_after_closing(event: &Event) -> bool {
    matches!(
        event,
        Event::ResultCorrected(_)
            | Event::NoteAdded(_)
            | Event::DisputeOpened(_)
            | Event::DisputeRuled(_)
            | Event::PlayerIdentified(_)
            | Event::PlayerDivisionChanged(_)
            | Event::PlayerDescribed(_)
            | Event::PlayerRated(_)
            | Event::PlayerIdCorrected(_)
            | Event::StandingsAnnounced(_)
            | Event::StaffNamed(_)
            | Event::TextsForgotten(_)
            | Event::SignerChanged(_)
            | Event::KeyRetired(_)
            | Event::LogRestored(_)
            | Event::RulesetAmended(_)
            | Event::LotsDrawn(_)
            | Event::Withdrawn(_)
    )
}

/// Whoever is in a removed tournament may still ask to be forgotten, and keys may still be replaced.
pub fn taken_after_removal(event: &Event) -> bool {
    matches!(
        event,
        Event::StaffNamed(_)
            | Event::TextsForgotten(_)
            | Event::SignerChanged(_)
            | Event::KeyRetired(_)
            | Event::LogRestored(_)
    )
}

fn open(state: &Tournament, e: &TournamentOpened) -> Result<(), Rejection> {
    if state.head() > 0 {
        return Err(Rejection::AlreadyOpened);
    }
    scores::usable(&e.scoresheet)?;
    names_of(&e.ruleset)?;
    usable_plan(&e.plan)
}

/// Whether somebody can have entered a word that stands in the log as it is; it may be empty.
fn word(what: &'static str, text: &str) -> Result<(), Rejection> {
    match Field::Name.objection(text).filter(|_| !text.is_empty()) {
        Some(why) => Err(Rejection::BadWord { what, why }),
        None => Ok(()),
    }
}

fn names_of(ruleset: &[RulesetFile]) -> Result<(), Rejection> {
    ruleset.iter().try_for_each(|file| word("name of a ruleset", &file.name))
}

fn usable_plan(plan: &[PlannedPhase]) -> Result<(), Rejection> {
    at_most("phases", plan.len() as u64, limits::PHASES.into())?;
    plan.iter().filter_map(|phase| phase.scoresheet.as_ref()).try_for_each(scores::usable)
}

fn announce(state: &Tournament, e: &StandingsAnnounced) -> Result<(), Rejection> {
    if e.head != state.head() {
        return Err(Rejection::StaleStandings { head: e.head, now: state.head() });
    }
    match e.through_round {
        0 => Ok(()),
        round if state.round(round).is_some() => Ok(()),
        round => Err(Rejection::NoSuchRound { round }),
    }
}

fn known(state: &Tournament, player: PlayerNumber) -> Result<PlayerNumber, Rejection> {
    match state.player(player) {
        Some(_) => Ok(player),
        None => Err(Rejection::UnknownPlayer { player }),
    }
}

fn enroll(state: &Tournament, e: &PlayerEnrolled) -> Result<(), Rejection> {
    let expected = state.players().len() as PlayerNumber + 1;
    if e.player != expected {
        return Err(Rejection::WrongPlayerNumber { player: e.player, expected });
    }
    at_most("players", expected.into(), limits::PLAYERS.into())?;
    at_most("members of a team", e.members.len() as u64, limits::MEMBERS as u64)?;
    word("division", e.division.as_deref().unwrap_or_default())
}

fn request_bye(state: &Tournament, e: &ByeRequested) -> Result<(), Rejection> {
    let (player, round) = (known(state, e.player)?, e.round);
    if !matches!(e.kind, ByeKind::Awarded | ByeKind::Half | ByeKind::Zero) {
        return Err(Rejection::BadByeRequest);
    }
    if round < state.next_round_number() {
        return Err(Rejection::ByeTooLate { round });
    }
    at_most("rounds", round.into(), limits::ROUNDS.into())?;
    match state.bye_requested(player, round) {
        Some(_) => Err(Rejection::ByeRequestedTwice { player, round }),
        None => Ok(()),
    }
}

/// Tables are set in ascending order, each once.
fn set_tables(e: &TablesSet) -> Result<(), Rejection> {
    at_most("ranges of tables", e.ranges.len() as u64, limits::TABLE_RANGES as u64)?;
    let mut last = 0;
    for range in &e.ranges {
        at_most("tables", range.last.into(), limits::TABLE.into())?;
        if range.first <= last || range.last < range.first {
            return Err(Rejection::BadTables);
        }
        last = range.last;
    }
    Ok(())
}

/// Divisions are paired as one where several of them are named, each once.
fn pair_divisions(e: &DivisionsPaired) -> Result<(), Rejection> {
    let names = || e.merged.iter().flatten();
    at_most("divisions that are paired as one", names().count() as u64, limits::MERGED as u64)?;
    let mut seen = BTreeSet::new();
    for name in names() {
        word("division", name)?;
        if name.is_empty() || !seen.insert(name) {
            return Err(Rejection::MergedTwice { name: name.clone() });
        }
    }
    match e.merged.iter().all(|group| e.apart && group.len() > 1) {
        true => Ok(()),
        false => Err(Rejection::NothingMerged),
    }
}

fn start_phase(state: &Tournament, e: &PhaseStarted) -> Result<(), Rejection> {
    let running = state.phases().iter().rev().find(|phase| !phase.withdrawn);
    if let Some(sheet) = &e.scoresheet {
        scores::usable(sheet)?;
    }
    if e.first_seed > 1 {
        return match running {
            Some(phase) if phase.number == e.phase && phase.ended.is_none() => {
                listed(state, &phase.entrants, &e.entrants, e.first_seed)
            }
            _ => Err(Rejection::NoSuchPhase { phase: e.phase }),
        };
    }
    let expected = running.map_or(1, |phase| phase.number.saturating_add(1));
    if e.phase != expected {
        return Err(Rejection::WrongPhase { phase: e.phase, expected });
    }
    at_most("phases", state.phases().len() as u64 + 1, limits::PHASES.into())?;
    if let Some(round) = state.last_round().filter(|round| round.completed.is_none()) {
        return Err(Rejection::RoundUnfinished { round: round.number });
    }
    listed(state, &[], &e.entrants, e.first_seed)
}

/// A list of players that goes on where `before` stopped and names nobody twice.
fn listed(
    state: &Tournament,
    before: &[PlayerNumber],
    list: &[PlayerNumber],
    first: u32,
) -> Result<(), Rejection> {
    let expected = before.len() as u32 + 1;
    if first != expected {
        return Err(Rejection::WrongContinuation { first, expected });
    }
    let mut seen = vec![false; state.players().len() + 1];
    for &player in before.iter().chain(list) {
        known(state, player)?;
        if std::mem::replace(&mut seen[player as usize], true) {
            return Err(Rejection::ListedTwice { player });
        }
    }
    Ok(())
}

fn end_phase(state: &Tournament, number: u16) -> Result<(), Rejection> {
    match state.phase(number) {
        Some(phase) if phase.ended.is_none() => {}
        _ => return Err(Rejection::NoSuchPhase { phase: number }),
    }
    match state.last_round() {
        Some(round) if round.phase == number && round.completed.is_none() => {
            Err(Rejection::PhaseUnfinished { phase: number, round: round.number })
        }
        _ => Ok(()),
    }
}

fn open_round(state: &Tournament, e: &RoundOpened) -> Result<(), Rejection> {
    let last = state.last_round();
    let expected = last.map_or(1, |round| round.number.saturating_add(1));
    if e.round != expected {
        return Err(Rejection::WrongRound { round: e.round, expected });
    }
    at_most("rounds", state.rounds().len() as u64 + 1, limits::ROUNDS.into())?;
    let within = 1..=1_000;
    if !within.contains(&e.weight.num) || !within.contains(&e.weight.den) {
        return Err(Rejection::BadWeight);
    }
    if let Some(before) = last.filter(|round| round.completed.is_none()) {
        return Err(Rejection::RoundUnfinished { round: before.number });
    }
    match state.phase(e.phase) {
        Some(phase) if phase.ended.is_none() => {}
        _ => return Err(Rejection::NoSuchPhase { phase: e.phase }),
    }
    if let Some(drawn) = &e.drawn {
        word("name of the pairing", &drawn.method)?;
        let dice = drawn.dice.as_ref().map_or(0, Vec::len);
        at_most("bytes of public dice", dice as u64, limits::DICE as u64)?;
        match state.voided_draw(e.round) {
            // Also where the seed was replaced since: it was good when it was revealed.
            Some(before) if (before.draw, before.seed) == (drawn.draw, drawn.seed) => {
                if before.dice != drawn.dice {
                    return Err(Rejection::OtherDice { round: e.round });
                }
            }
            Some(_) => return Err(Rejection::OtherSeed { round: e.round }),
            None => revealed(state, drawn.draw, &drawn.seed, seed::draw_of_round(e.round))?,
        }
    }
    let in_phase = |round: &&Round| round.phase == e.phase && !round.withdrawn;
    let expected = state.rounds().iter().filter(in_phase).count() + 1;
    if usize::from(e.phase_round) != expected {
        return Err(Rejection::WrongPhaseRound { found: e.phase_round, expected });
    }
    Ok(())
}

/// What an engine said stands right behind the opening of its round, before any table. Nothing can be
/// hidden in it: its words are short, its answer has no letters.
fn paired_by_engine(state: &Tournament, e: &EnginePaired) -> Result<(), Rejection> {
    let round = state.round(e.round).ok_or(Rejection::NoSuchRound { round: e.round })?;
    if round.opened != state.head() || round.drawn.is_none() {
        return Err(Rejection::NotForEngine { round: e.round });
    }
    word("name of the pairing engine", &e.engine)?;
    word("version of the pairing engine", e.version.as_deref().unwrap_or("none"))?;
    word("arguments of the pairing engine", &e.arguments)?;
    at_most("bytes of an engine's answer", e.output.len() as u64, limits::ENGINE_ANSWER as u64)?;
    let is_usual = |byte: u8| byte.is_ascii_digit() || matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    match e.output.bytes().all(is_usual) {
        true => Ok(()),
        false => Err(Rejection::BadWord {
            what: "answer of the pairing engine",
            why: "holds more than numbers and white space",
        }),
    }
}

/// Whether a seed is the one committed to for this draw.
fn revealed(
    state: &Tournament,
    draw: u32,
    seed: &[u8; 32],
    expected: u32,
) -> Result<(), Rejection> {
    let commitment = state.opened().and_then(|opened| opened.seed_commitment);
    let commitment = commitment.ok_or(Rejection::NoSeedCommitted)?;
    if draw != expected {
        return Err(Rejection::WrongDraw { draw, expected });
    }
    match seed::leads_to(&commitment, draw, seed) {
        true => Ok(()),
        false => Err(Rejection::WrongSeed { draw }),
    }
}

/// Also in a completed round: somebody who enters late may be given a loss for it.
fn give_bye(state: &Tournament, e: &ByeGiven) -> Result<(), Rejection> {
    let round = state.round_index(e.round).ok_or(Rejection::NoSuchRound { round: e.round })?;
    if let Some(score) = &e.reported {
        let sheet = state.scoresheet(&state.rounds()[round as usize]);
        scores::fits(sheet.unwrap_or(&Scoresheet::default()), score, 2)?;
    }
    match state.player(e.player) {
        // For a round before they came they have no seat, and may be given something for it.
        Some(player) if e.round < player.from_round => match state.appears_in(player, round) {
            true => Err(Rejection::TwiceInRound { player: e.player, round: e.round }),
            false => Ok(()),
        },
        _ => seat(state, e.round, round, e.player),
    }
}

fn open_round_index(state: &Tournament, round: RoundNumber) -> Result<u32, Rejection> {
    let index = state.round_index(round).ok_or(Rejection::NoSuchRound { round })?;
    match state.rounds()[index as usize].completed {
        Some(_) => Err(Rejection::RoundCompleted { round }),
        None => Ok(index),
    }
}

fn pair(state: &Tournament, e: &PairingMade) -> Result<(), Rejection> {
    let round = open_round_index(state, e.round)?;
    if e.seats.len() < 2 {
        return Err(Rejection::TooFewSeats);
    }
    at_most("seats at a table", e.seats.len() as u64, limits::SEATS as u64)?;
    for (at, taken) in e.seats.iter().enumerate() {
        if e.seats[..at].iter().any(|other| other.player == taken.player) {
            return Err(Rejection::AgainstSelf { player: taken.player });
        }
        seat(state, e.round, round, taken.player)?;
    }
    match e.table {
        Some(0) => Err(Rejection::NoTableNumber),
        None if e.origin.kind != OriginKind::AsGiven => Err(Rejection::NoTableNumber),
        Some(table) if table > limits::TABLE => {
            at_most("tables", table.into(), limits::TABLE.into())
        }
        Some(table) if state.match_at_table(round, table).is_some() => {
            Err(Rejection::TableTaken { table, round: e.round })
        }
        _ => Ok(()),
    }
}

fn seat(
    state: &Tournament,
    round: RoundNumber,
    index: u32,
    number: PlayerNumber,
) -> Result<(), Rejection> {
    let player = state.player(number).ok_or(Rejection::UnknownPlayer { player: number })?;
    if !player.takes_part_in(round) {
        return Err(Rejection::NotTakingPart { player: number, round });
    }
    if state.appears_in(player, index) {
        return Err(Rejection::TwiceInRound { player: number, round });
    }
    Ok(())
}

fn publish(state: &Tournament, round: RoundNumber) -> Result<(), Rejection> {
    let index = open_round_index(state, round)?;
    match state.rounds()[index as usize].published {
        Some(_) => Err(Rejection::AlreadyPublished { round }),
        None => Ok(()),
    }
}

fn complete(state: &Tournament, round: RoundNumber) -> Result<(), Rejection> {
    let index = open_round_index(state, round)?;
    match state.rounds()[index as usize].open_matches as usize {
        0 => Ok(()),
        missing => Err(Rejection::ResultsMissing { round, missing }),
    }
}

fn standing(state: &Tournament, pairing: Seq) -> Result<MatchView<'_>, Rejection> {
    state.match_at(pairing).ok_or(Rejection::NoSuchPairing { seq: pairing })
}

fn at_table(found: MatchView<'_>, player: PlayerNumber) -> Result<(), Rejection> {
    if found.seats().iter().any(|seat| seat.player == player) {
        return Ok(());
    }
    Err(Rejection::NotAtTable { player, pairing: found.seq() })
}

fn record(state: &Tournament, e: &ResultRecorded) -> Result<(), Rejection> {
    let found = standing(state, e.pairing)?;
    if let Some(result) = found.result() {
        return Err(Rejection::AlreadyRecorded { pairing: e.pairing, result });
    }
    scores::allowed(state, found, &e.result)
}

fn correct(state: &Tournament, e: &ResultCorrected) -> Result<(), Rejection> {
    let found = standing(state, e.pairing)?;
    match found.result() {
        None => return Err(Rejection::NothingToCorrect { pairing: e.pairing }),
        Some(current) if current != e.replaces => {
            return Err(Rejection::NotTheCurrentResult { replaces: e.replaces, current });
        }
        Some(_) => {}
    }
    if let Some(seq) = e.dispute {
        let dispute = state.dispute(seq).ok_or(Rejection::NoSuchDispute { seq })?;
        if dispute.pairing != e.pairing {
            return Err(Rejection::OtherMatch { seq, pairing: e.pairing });
        }
    }
    scores::allowed(state, found, &e.result)
}
