//! From a [`Source`] to the events of a log, in the order in which a desk would have recorded
//! them.

use scrutineer_engine::book::{Commitment, Field};
use scrutineer_engine::event::*;

use super::source::*;
use super::{ImportError, limits, standings};
use scrutineer_engine::limits as engine;
use std::collections::{BTreeMap, BTreeSet};

/// The events of a tournament that was played elsewhere.
///
/// `source_bytes_hash` is [`super::file_hash`] of the file; `private` puts a text into the private
/// book and gives its commitment; `ruleset` is the ruleset first, then what it extends.
///
/// A result names its pairing by seq, so the events are to be appended to an empty stream.
///
/// # Errors
/// Where an event does not fit into a record.
pub fn events(
    source: &Source,
    source_bytes_hash: [u8; 32],
    private: &mut dyn FnMut(Field, &str) -> Commitment,
    ruleset: Vec<RulesetFile>,
) -> Result<Vec<Event>, ImportError> {
    let mut log = Log { events: Vec::new(), private };
    log.open(source, ruleset);
    log.imported(source, source_bytes_hash);
    log.players(source);
    for (division, rounds) in &source.division_rounds {
        log.push(DivisionRounds { division: division.clone(), rounds: Some(*rounds) });
    }
    let (mut round, mut is_over) = (0, true);
    let rows = standings::round(source);
    let of_rows = rows.map(|round| match &source.phases[..] {
        [phase] => vec![SourcePhase { rounds: vec![round], ..phase.clone() }],
        _ => Vec::new(),
    });
    for (number, phase) in (1u16..).zip(of_rows.as_ref().unwrap_or(&source.phases)) {
        is_over = log.phase(number, phase, &mut round, &source.drops)
            && !source.goes_on.contains(&(usize::from(number) - 1));
        if !is_over {
            break;
        }
    }
    let ends = source.finished && is_over;
    if !ends {
        log.byes_to_come(source, round);
    }
    // Places and points say the order themselves.
    if of_rows.is_none() {
        log.lots(source);
    }
    if ends {
        if !source.phases.is_empty() {
            log.push(PhaseEnded { phase: source.phases.len() as u16 });
        }
        log.push(TournamentClosed {});
    }
    for event in &log.events {
        event.encode().map_err(super::Fault::from)?;
    }
    Ok(log.events)
}

struct Log<'a> {
    events: Vec<Event>,
    private: &'a mut dyn FnMut(Field, &str) -> Commitment,
}

impl Log<'_> {
    /// Adds an event and gives its seq.
    fn push(&mut self, event: impl Into<Event>) -> Seq {
        self.events.push(event.into());
        self.events.len() as Seq
    }

    fn open(&mut self, source: &Source, ruleset: Vec<RulesetFile>) {
        let opened = TournamentOpened {
            title: (self.private)(Field::Title, &source.title),
            held_on: source.held_on,
            scoresheet: source.scoresheet.clone(),
            ruleset,
            plan: plan(source),
            seed_commitment: None,
            signer: None,
        };
        self.push(opened);
    }

    fn imported(&mut self, source: &Source, source_file: [u8; 32]) {
        let imported = Imported {
            source_file,
            source_event: (self.private)(Field::Other, &source.identity),
            format: source.format.clone(),
            file: (self.private)(Field::File, &source.file),
            unknown: source.unknown.clone(),
        };
        self.push(imported);
    }

    fn players(&mut self, source: &Source) {
        let from_rounds = first_rounds(source);
        for ((number, player), from_round) in (1..).zip(&source.players).zip(from_rounds) {
            let name = (self.private)(Field::Name, &player.name);
            let id = player.publisher_id.as_deref();
            let publisher_id = id.map(|id| (self.private)(Field::PublisherId, id));
            self.push(PlayerEnrolled {
                player: number,
                name,
                publisher_id,
                sign_up: player.sign_up,
                from_round,
                awarded_byes: 0,
                rating: player.rating,
                division: player.division.clone(),
                members: Vec::new(),
            });
        }
        for (number, player) in (1..).zip(&source.players) {
            let word = |word: &Option<String>| word.clone().filter(|word| is_word(word));
            let (title, federation) = (word(&player.title), word(&player.federation));
            if title.is_some() || federation.is_some() {
                self.push(PlayerDescribed { player: number, title, federation });
            }
        }
    }

    /// Whether it is over: what a file has behind a round that still runs waits until it is read again.
    fn phase(
        &mut self,
        number: u16,
        phase: &SourcePhase,
        round: &mut RoundNumber,
        drops: &[SourceDrop],
    ) -> bool {
        if number > 1 {
            self.push(PhaseEnded { phase: number - 1 });
        }
        self.phase_started(number, phase);
        if number == 1 {
            self.drops(0, drops);
        }
        for (phase_round, played) in (1u16..).zip(&phase.rounds) {
            *round += 1;
            let is_over = self.round(*round, (number, phase_round), played);
            self.drops(*round, drops);
            if !is_over {
                return false;
            }
        }
        true
    }

    fn phase_started(&mut self, phase: u16, source: &SourcePhase) {
        // Standings may list somebody twice, and they enter once.
        let mut seen = BTreeSet::new();
        let entrants: Vec<usize> =
            source.entrants.iter().copied().filter(|player| seen.insert(*player)).collect();
        for (first_seed, chunk) in numbered_chunks(&entrants) {
            self.push(PhaseStarted {
                phase,
                kind: source.kind,
                first_seed,
                entrants: chunk.iter().map(|&player| number_of(player)).collect(),
                group_sizes: Vec::new(),
                passed_over: Vec::new(),
                scoresheet: None,
            });
        }
    }

    /// Whether all of its matches have a result.
    fn round(
        &mut self,
        round: RoundNumber,
        (phase, phase_round): (u16, u16),
        played: &SourceRound,
    ) -> bool {
        let weight = played.weight;
        self.push(RoundOpened { round, phase, phase_round, weight, drawn: None });
        let tables = played.tables.iter().zip(played.numbers());
        let pairings: Vec<Seq> =
            tables.map(|(table, number)| self.pairing(round, number, table)).collect();
        for bye in &played.byes {
            self.push(ByeGiven {
                round,
                player: number_of(bye.player),
                kind: bye.kind,
                reported: bye.reported.clone(),
                bracket_slot: None,
                origin: Origin::AS_GIVEN,
            });
        }
        let tables = pairings.into_iter().zip(&played.tables);
        for (pairing, table) in tables.filter(|(_, table)| table.has_result()) {
            self.push(ResultRecorded { pairing, result: table.result.clone() });
        }
        let is_over = played.tables.iter().all(SourceTable::has_result);
        if is_over {
            self.push(RoundCompleted { round });
        }
        is_over
    }

    /// Every table has a number, so that it can be named: counted through where the file has none, which
    /// [`UnknownFact::Tables`] says. Behind the last number that there can be it has none.
    fn pairing(&mut self, round: RoundNumber, number: u32, table: &SourceTable) -> Seq {
        let seat = |seat: &SourceSeat| Seat { player: number_of(seat.player), role: seat.role };
        self.push(PairingMade {
            round,
            table: Some(number).filter(|number| *number <= engine::TABLE),
            seats: table.seats.iter().map(seat).collect(),
            group: None,
            bracket_slot: None,
            origin: Origin::AS_GIVEN,
        })
    }

    fn drops(&mut self, after_round: RoundNumber, drops: &[SourceDrop]) {
        for drop in drops.iter().filter(|drop| drop.after_round == after_round) {
            self.push(PlayerDropped { player: number_of(drop.player), why: drop.why, after_round });
        }
    }

    /// Byes that players asked for in rounds that are not paired.
    fn byes_to_come(&mut self, source: &Source, paired: RoundNumber) {
        for bye in source.report.asked.iter().filter(|bye| bye.round > paired) {
            let player = number_of(bye.player);
            self.push(ByeRequested { player, round: bye.round, kind: bye.kind });
        }
    }

    /// The published order says how the platform broke exact ties, where it ranks everybody. Who shares a rank is
    /// tied there too: they have no lot, and of those with their points nobody who stands below them.
    fn lots(&mut self, source: &Source) {
        let mut rows: Vec<&PublishedRow> = source.published.iter().collect();
        rows.sort_by_key(|row| row.rank);
        let mut once: Vec<usize> = rows.iter().map(|row| row.player).collect();
        once.sort_unstable();
        once.dedup();
        if once.len() != rows.len() || once.len() != source.players.len() {
            return;
        }
        // Whoever has no lot stands behind all of the same points who have one.
        // Ranks that are counted in each division are shared within one.
        let shared =
            |row: &PublishedRow| (row.rank, source.players[row.player].division.as_deref());
        let mut of_rank: BTreeMap<_, usize> = BTreeMap::new();
        rows.iter().for_each(|row| *of_rank.entry(shared(row)).or_default() += 1);
        let mut tied_from: BTreeMap<i64, u32> = BTreeMap::new();
        for row in rows.iter().filter(|row| of_rank[&shared(row)] > 1) {
            tied_from.entry(row.points_tenths).or_insert(row.rank);
        }
        let has_lot = |row: &&&PublishedRow| {
            tied_from.get(&row.points_tenths).is_none_or(|tied| row.rank < *tied)
        };
        let order: Vec<usize> = rows.iter().filter(has_lot).map(|row| row.player).collect();
        if order.is_empty() {
            return;
        }
        for (first_place, chunk) in numbered_chunks(&order) {
            self.push(LotsDrawn {
                source: LotsSource::AsPublished,
                first_place,
                order: chunk.iter().map(|&player| number_of(player)).collect(),
                seed: None,
            });
        }
    }
}

/// Whether a log takes a word as it is.
fn is_word(word: &str) -> bool {
    !word.is_empty() && Field::Name.objection(word).is_none()
}

/// Players count from 1 in the log.
fn number_of(player: usize) -> PlayerNumber {
    player as PlayerNumber + 1
}

/// A list in parts that fit into an event, each with the place of its first one; one empty part
/// for an empty list.
fn numbered_chunks(list: &[usize]) -> impl Iterator<Item = (u32, &[usize])> {
    let empty: &[usize] = &[];
    let none = list.is_empty().then_some(empty);
    let chunks = none.into_iter().chain(list.chunks(limits::LISTED_PER_EVENT));
    (1..).step_by(limits::LISTED_PER_EVENT).zip(chunks)
}

/// The phases as they were played, and the cut that the file announces but does not hold.
fn plan(source: &Source) -> Vec<PlannedPhase> {
    let mut plan: Vec<PlannedPhase> = Vec::new();
    for (at, phase) in source.phases.iter().enumerate() {
        let players = (at > 0).then_some(phase.entrants.len() as u32);
        let said = source.planned_rounds.filter(|_| at == 0).unwrap_or(0);
        let rounds = Some(said.max(phase.rounds.len() as u16)).filter(|rounds| *rounds > 0);
        plan.push(PlannedPhase { kind: phase.kind, rounds, players, scoresheet: None });
    }
    let announced = source.cut.filter(|_| source.phases.len() == 1);
    plan.extend(announced.map(|cut| PlannedPhase {
        kind: PhaseKind::Elimination,
        rounds: None,
        players: Some(cut),
        scoresheet: None,
    }));
    plan
}

/// For every player the first round in which they take part: with a roster the first one, else
/// that in which they appear first; 1 for one who never does. A loss that was given for a round that they missed, since
/// they came late, is not being there; who has such losses alone and neither left nor saw the end comes behind them.
fn first_rounds(source: &Source) -> Vec<RoundNumber> {
    let mut first = vec![None; source.players.len()];
    let mut missed: Vec<Option<[RoundNumber; 2]>> = vec![None; source.players.len()];
    for (number, (_, round)) in (1u16..).zip(source.rounds()) {
        for bye in round.byes.iter().filter(|bye| bye.kind == ByeKind::AwardedLoss) {
            missed[bye.player].get_or_insert([number; 2])[1] = number;
        }
        let seated = round.tables.iter().flat_map(|table| &table.seats).map(|seat| seat.player);
        let byes = round.byes.iter().filter(|bye| bye.kind != ByeKind::AwardedLoss);
        for player in seated.chain(byes.map(|bye| bye.player)) {
            first[player].get_or_insert(number);
        }
    }
    let has_left = |player: usize| source.drops.iter().any(|drop| drop.player == player);
    let from = |(at, player): (usize, &SourcePlayer)| match (player.sign_up, first[at], missed[at])
    {
        (None, Some(round), _) => round,
        (None, None, Some([_, last])) if !source.finished && !has_left(at) => last + 1,
        (None, None, Some([first, _])) => first,
        _ => 1,
    };
    source.players.iter().enumerate().map(from).collect()
}
