//! The drill can fail: logs that lie and events that must not be, each of which the auditor names.

use super::auditor::{Audited, Auditor};
use super::points;
use crate::script::{WORDS, enrolled, games_sheet};
use scrutineer_engine::book::{MemoryTexts, PrivateTexts};
use scrutineer_engine::command::Command;
use scrutineer_engine::event::*;
use scrutineer_engine::handler::{Answer, CommandHandler, Request};
use scrutineer_engine::log::{
    AppendError, Batch, CommandTrace, Head, Log, LogError, MemoryLog, Records,
};
use scrutineer_engine::record::{Actor, CommandId, Header, Record, RecordHash, StreamId, Time};
use scrutineer_engine::tournament::Tournament;
use smallvec::{SmallVec, smallvec};

const STREAM: StreamId = StreamId([7; 16]);

fn request(id: u128, command: Command) -> Request {
    let time = Time { unix_micros: 1_000 * id as i64 };
    let (actor, private, expected) = (Actor(1), Vec::new(), None);
    Request { stream: STREAM, id: CommandId(id), actor, time, private, command, expected }
}

fn record(id: u128, events: Vec<Event>) -> Request {
    request(id, Command::Record(events))
}

fn table(round: RoundNumber, table: u32, players: [PlayerNumber; 2]) -> PairingMade {
    let seats: SmallVec<_> = players.map(|player| Seat { player, role: 0 }).into_iter().collect();
    let (group, bracket_slot, origin) = (None, None, Origin::AS_GIVEN);
    PairingMade { round, table: Some(table), seats, group, bracket_slot, origin }
}

fn result(games: [i32; 2]) -> MatchResult {
    let seats = games.map(|won| smallvec![won]).into_iter().collect();
    MatchResult::played(Score { seats, table: smallvec![0] })
}

/// Six players of whom the last has dropped, and a round: 1 meets 2 (event 10, won), 3 meets 4
/// (event 11, open), 5 has a bye (event 12).
fn requests() -> Vec<Request> {
    let opened = TournamentOpened::new(WORDS, games_sheet(Some(3)));
    let phase = PhaseStarted::new(1, PhaseKind::Swiss);
    let weight = RoundWeight::ONE;
    let round = RoundOpened { round: 1, phase: 1, phase_round: 1, weight, drawn: None };
    let pairings = vec![table(1, 1, [1, 2]), table(1, 2, [3, 4])];
    let dropped = PlayerDropped { player: 6, why: DropReason::Left, after_round: 0 };
    vec![
        record(1, vec![opened.into()]),
        request(2, Command::Enrol((1..=6).map(enrolled).collect())),
        record(3, vec![phase.into()]),
        request(4, Command::OpenRound { round, pairings, byes: vec![bye(5)] }),
        request(5, Command::Result { round: 1, table: 1, result: result([2, 0]) }),
        record(6, vec![dropped.into()]),
    ]
}

fn bye(player: PlayerNumber) -> ByeGiven {
    let (kind, reported, bracket_slot) = (ByeKind::Assigned, None, None);
    ByeGiven { round: 1, player, kind, reported, bracket_slot, origin: Origin::AS_GIVEN }
}

fn records_of(log: &dyn Log) -> Vec<Record> {
    log.read(STREAM, 0).map(|record| record.expect("it can be read")).collect()
}

/// Plays it on an honest log: the auditor knows what was asked, and has read nothing yet.
fn played() -> (Auditor, MemoryLog, Vec<Answer>) {
    let log = MemoryLog::new();
    let (keeper, mut auditor) = (CommandHandler::new(&log), Auditor::new(STREAM));
    let mut answers = Vec::new();
    for request in requests() {
        auditor.asked(&request);
        answers.push(keeper.handle(&request).expect("it is legal"));
    }
    (auditor, log, answers)
}

/// A log that shows these records.
struct Shown(Vec<Record>, MemoryTexts);

impl Log for Shown {
    fn head(&self, _: StreamId) -> Result<Head, LogError> {
        let head = |last: &Record| Head { seq: last.header().seq, hash: last.hash() };
        Ok(self.0.last().map_or(Head::EMPTY, head))
    }

    fn append(&self, expected: Head, batch: Batch) -> Result<Head, AppendError> {
        Ok(batch.check(expected)?)
    }

    fn read(&self, _: StreamId, _: u64) -> Records<'_> {
        self.scan()
    }

    fn scan(&self) -> Records<'_> {
        Box::new(self.0.iter().cloned().map(Ok))
    }

    fn command(&self, _: StreamId, _: CommandId) -> Result<Option<CommandTrace>, LogError> {
        Ok(None)
    }

    fn streams(&self) -> Result<Vec<StreamId>, LogError> {
        Ok(vec![STREAM])
    }

    fn texts(&self) -> &dyn PrivateTexts {
        &self.1
    }
}

/// Seals records anew in this order, so that seqs and chain are as they should be.
fn sealed(records: &[Record]) -> Shown {
    let mut previous = RecordHash::ZERO;
    let seal = |(seq, record): (u64, &Record)| {
        let header = Header { seq, previous, ..record.header() };
        let record = Record::seal(header, record.payload()).expect("it fits");
        previous = record.hash();
        record
    };
    Shown((1..).zip(records).map(seal).collect(), MemoryTexts::new())
}

fn assert_named(audited: Audited, name: &str, word: &str) {
    let finding = audited.expect_err(name);
    assert_eq!(finding.name, name, "{}", finding.sentence);
    assert!(finding.sentence.contains(word), "{}", finding.sentence);
}

#[test]
fn an_honest_log_is_left_alone() {
    let (mut auditor, log, answers) = played();
    auditor.read(&log).expect("nothing is wrong");
    for (request, answer) in requests().iter().zip(answers) {
        auditor.said(request, &Some(Ok(answer)), false).expect("it was answered so");
        let again = Answer { repeated: true, ..answer };
        auditor.said(request, &Some(Ok(again)), false).expect("the same answer again");
    }
    let events: Vec<Event> = auditor.events().cloned().collect();
    auditor.compare(&Tournament::of(&events)).expect("the same picture");
}

#[test]
fn a_log_that_drops_an_acknowledged_command_is_caught() {
    let forgetful = Shown(Vec::new(), MemoryTexts::new());
    let mut auditor = Auditor::new(STREAM);
    let request = requests().swap_remove(0);
    auditor.asked(&request);
    let answer = CommandHandler::new(&forgetful).handle(&request);
    auditor.read(&forgetful).expect("an empty log is whole");
    assert_named(auditor.said(&request, &Some(answer), false), "lost", "acknowledged as 1 to 1");
}

#[test]
fn a_log_that_loses_what_it_once_had_is_caught() {
    let (mut auditor, log, _) = played();
    auditor.read(&log).expect("nothing is wrong");
    let mut records = records_of(&log);
    records.truncate(12);
    assert_named(auditor.read(&Shown(records, MemoryTexts::new())), "rewritten", "event 13");
}

#[test]
fn answering_twice_is_caught() {
    let (mut auditor, log, answers) = played();
    auditor.read(&log).expect("nothing is wrong");
    let request = &requests()[1];
    auditor.said(request, &Some(Ok(answers[1])), false).expect("the first answer");
    let twice = auditor.said(request, &Some(Ok(answers[1])), false);
    assert_named(twice, "answered twice", "new again");
    let other = Answer { first_seq: 3, last_seq: 8, repeated: true };
    let other = auditor.said(request, &Some(Ok(other)), false);
    assert_named(other, "another answer", "stands at 2 to 7");
    let earlier = &requests()[0];
    let late = auditor.said(earlier, &Some(Ok(answers[0])), false);
    assert_named(late, "order of answers", "1 after 7");
}

#[test]
fn a_command_recorded_twice_is_caught() {
    let (mut auditor, log, _) = played();
    let mut records = records_of(&log);
    let last = records[records.len() - 1].clone();
    records.push(last);
    assert_named(auditor.read(&sealed(&records)), "recorded twice", "again as 15");
}

#[test]
fn swapped_records_are_caught() {
    let (mut auditor, log, answers) = played();
    let mut records = records_of(&log);
    records.swap(12, 13);
    assert_named(
        auditor.read(&Shown(records.clone(), MemoryTexts::new())),
        "gap",
        "event 14 where 13 should be",
    );
    // Sealed anew, the log is good in itself; the answers say otherwise.
    let (mut auditor, ..) = played();
    auditor.read(&sealed(&records)).expect("good in itself");
    let said = auditor.said(&requests()[4], &Some(Ok(answers[4])), false);
    assert_named(said, "another answer", "stands at 14 to 14");
}

#[test]
fn half_a_command_and_torn_parts_are_caught() {
    let (mut auditor, log, _) = played();
    let mut records = records_of(&log);
    records.truncate(5);
    assert_named(
        auditor.read(&Shown(records, MemoryTexts::new())),
        "half a command",
        "6 ends with 4",
    );
    let (mut auditor, log, _) = played();
    let mut records = records_of(&log);
    records.swap(2, 3);
    assert_named(auditor.read(&sealed(&records)), "command's parts", "part 3 of 6");
}

#[test]
fn what_nobody_asked_for_is_caught() {
    let (auditor, log, _) = played();
    drop(auditor);
    let mut auditor = Auditor::new(STREAM);
    assert_named(auditor.read(&log), "nobody asked", "event 1");
    let mut late = requests();
    late[0].time.unix_micros += 1;
    let mut auditor = Auditor::new(STREAM);
    late.iter().for_each(|request| auditor.asked(request));
    assert_named(auditor.read(&log), "time", "nobody asked at that time");
    let mut other = requests();
    other[4].command = Command::Result { round: 1, table: 1, result: result([2, 1]) };
    let mut auditor = Auditor::new(STREAM);
    other.iter().for_each(|request| auditor.asked(request));
    assert_named(auditor.read(&log), "other facts", "event 13");
}

/// Puts an event into the log without asking whether it is legal; somebody did ask for it.
fn smuggle(mut auditor: Auditor, log: &MemoryLog, id: u128, event: Event) -> (Auditor, Audited) {
    let request = record(id, vec![event.clone()]);
    auditor.asked(&request);
    let head = log.head(STREAM).expect("it has one");
    let header = Header {
        stream: STREAM,
        seq: head.seq + 1,
        time: request.time,
        actor: request.actor,
        command: request.id,
        part: 1,
        parts: 1,
        kind: event.kind(),
        schema: SCHEMA,
        previous: head.hash,
    };
    let payload = event.encode().expect("it fits");
    let records = vec![Record::seal(header, &payload).expect("it fits")];
    log.append(head, Batch { records, command_digest: [0; 32], texts: Vec::new() })
        .expect("the log does not judge");
    let audited = auditor.read(log);
    (auditor, audited)
}

#[test]
fn every_event_that_must_not_be_is_named() {
    let drop_of = |player| PlayerDropped { player, why: DropReason::Left, after_round: 0 };
    let recorded = |pairing, games| ResultRecorded { pairing, result: result(games) };
    let corrected = |pairing, replaces| ResultCorrected {
        pairing,
        replaces,
        result: result([2, 1]),
        reason: WORDS,
        dispute: None,
    };
    let withdrawn = |seq| Withdrawn { seq, reason: WORDS };
    let cut = PhaseStarted { entrants: vec![1, 9], ..PhaseStarted::new(2, PhaseKind::Elimination) };
    let over =
        || -> Vec<Event> { vec![recorded(11, [2, 1]).into(), RoundCompleted { round: 1 }.into()] };
    let closed = || vec![TournamentClosed {}.into()];
    let gone = || -> Vec<Event> { vec![withdrawn(11).into()] };
    let story: Vec<(Vec<Event>, Event, &str)> = vec![
        (vec![], table(1, 3, [1, 3]).into(), "twice-in-round"),
        (vec![], table(1, 3, [6, 7]).into(), "not-taking-part"),
        (vec![], table(1, 3, [7, 7]).into(), "against-self"),
        (vec![], bye(5).into(), "twice-in-round"),
        (over(), table(1, 3, [1, 2]).into(), "round-completed"),
        (vec![], RoundCompleted { round: 1 }.into(), "results-missing"),
        (vec![], recorded(10, [2, 1]).into(), "already-recorded"),
        (gone(), recorded(11, [2, 1]).into(), "no-such-pairing"),
        (vec![], recorded(11, [3, 0]).into(), "impossible-score"),
        (vec![], corrected(11, 13).into(), "nothing-to-correct"),
        (vec![], corrected(10, 12).into(), "not-the-current-result"),
        (vec![], withdrawn(10).into(), "still-needed"),
        (vec![], withdrawn(2).into(), "still-needed"),
        (gone(), withdrawn(11).into(), "already-withdrawn"),
        (over(), cut.into(), "unknown-player"),
        (closed(), drop_of(1).into(), "closed"),
        (closed(), recorded(11, [2, 1]).into(), "closed"),
        (vec![], drop_of(6).into(), "already-dropped"),
        (vec![], enrolled(9).into(), "wrong-player-number"),
    ];
    for (before, event, code) in story {
        let (mut auditor, log, _) = played();
        auditor.read(&log).expect("nothing is wrong");
        let mut id = 100;
        for event in before {
            let (next, audited) = smuggle(auditor, &log, id, event);
            audited.expect("this may be");
            (auditor, id) = (next, id + 1);
        }
        let (_, audited) = smuggle(auditor, &log, id, event);
        assert_named(audited, "not legal", code);
    }
}

#[test]
fn a_state_or_standings_that_do_not_follow_are_caught() {
    let (mut auditor, log, _) = played();
    auditor.read(&log).expect("nothing is wrong");
    for (at, event) in
        [recorded_now([1, 2]), RoundCompleted { round: 1 }.into()].into_iter().enumerate()
    {
        let (next, audited) = smuggle(auditor, &log, 100 + at as u128, event);
        audited.expect("this may be");
        auditor = next;
    }
    let events: Vec<Event> = auditor.events().cloned().collect();
    let mut other = events.clone();
    other[13] = recorded_drop(5);
    assert_named(auditor.compare(&Tournament::of(&other)), "state", "player 5");
    let rules = super::rules();
    let compare =
        |model, events: &[Event]| points::compare(model, &Tournament::of(events), &rules).map(drop);
    compare(&auditor.model, &events).expect("the same points");
    let mut other = events.clone();
    other[14] = recorded_now([2, 1]);
    assert_named(compare(&auditor.model, &other), "standings", "points");
    // And where it is the auditor who is wrong, that shows as well.
    auditor.model.take(&recorded_drop(5));
    assert_named(auditor.compare(&Tournament::of(&events)), "picture", "the program");
}

fn recorded_now(games: [i32; 2]) -> Event {
    ResultRecorded { pairing: 11, result: result(games) }.into()
}

fn recorded_drop(player: PlayerNumber) -> Event {
    PlayerDropped { player, why: DropReason::Left, after_round: 0 }.into()
}
