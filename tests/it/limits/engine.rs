//! What a tournament holds: judged by the log, under every ruleset.

use super::{Here, Limit, Try, outcome};
use scrutineer_desk::desk::{Desk, DeskError, Enrolment, MAX_BYES, Means, Opening};
use scrutineer_desk::store::Store;
use scrutineer_engine::book::{Commitment, Field, MAX_NAME, MAX_TEXT};
use scrutineer_engine::codec::PAYLOAD_LIMIT_BYTES;
use scrutineer_engine::command::Command;
use scrutineer_engine::decide::validate;
use scrutineer_engine::event::*;
use scrutineer_engine::handler::digest;
use scrutineer_engine::limits;
use scrutineer_engine::record::{Actor, Time};
use scrutineer_engine::rejection::Rejection;
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::ruleset::Library;
use smallvec::{SmallVec, smallvec};
use std::sync::atomic::{AtomicU8, Ordering};

const WORDS: Commitment = Commitment { number: 1, digest: [0; 32] };

pub fn limits() -> Vec<Limit> {
    let of = |what, limit: u64, code, tried: Try| Limit(what, limit, code, Here(tried));
    vec![
        of("players of a tournament", limits::PLAYERS.into(), "too-many", players),
        of("rounds of a tournament", limits::ROUNDS.into(), "too-many", rounds),
        of("phases of a tournament", limits::PHASES.into(), "too-many", phases),
        of("phases of a plan", limits::PHASES.into(), "too-many", phases_of_a_plan),
        of("events in the log of a tournament", limits::EVENTS, "too-many", events),
        of("seats at a table", limits::SEATS as u64, "too-many", seats),
        of("the number of a table", limits::TABLE.into(), "too-many", table),
        of("a place at a table", MAX_PLACE.into(), "no-such-place", place),
        of("members of a team", limits::MEMBERS as u64, "too-many", members),
        of("divisions that are paired as one", limits::MERGED as u64, "too-many", merged),
        of("divisions with rounds of their own", limits::DIVISIONS as u64, "too-many", with_rounds),
        of("ranges of the tables of a hall", limits::TABLE_RANGES as u64, "too-many", ranges),
        of("texts forgotten in one event", limits::FORGOTTEN as u64, "too-many", forgotten),
        of("lines of a scoresheet", limits::SCORE_LINES as u64, "bad-scoresheet", lines),
        of("letters of the name of a line", limits::LINE_NAME as u64, "bad-scoresheet", line_name),
        of("a value of a score, either way", limits::SCORE as u64, "bad-scoresheet", score),
        of("bytes of public dice", limits::DICE as u64, "too-many", dice),
        of("bytes of an engine's answer", limits::ENGINE_ANSWER as u64, "too-many", engine_answer),
        of("characters of a word in the log", MAX_NAME as u64, "bad-word", word),
        of("characters of a name, id or division", MAX_NAME as u64, "bad-name", name),
        of("bytes of a reason or note", MAX_TEXT as u64, "text-too-long", text),
        of("bytes of an event", PAYLOAD_LIMIT_BYTES as u64, "too-large", payload),
        of("byes that a player brings", MAX_BYES.into(), "too-many-byes", byes),
    ]
}

fn judged(state: &Tournament, event: impl Into<Event>) -> String {
    outcome(validate(state, &event.into()), Rejection::code)
}

fn opened(scoresheet: Scoresheet) -> Event {
    TournamentOpened::new(WORDS, scoresheet).into()
}

fn enrolled(player: PlayerNumber) -> PlayerEnrolled {
    PlayerEnrolled::new(player, WORDS)
}

fn started(phase: u16) -> Event {
    PhaseStarted::new(phase, PhaseKind::Swiss).into()
}

fn round(round: RoundNumber) -> RoundOpened {
    let weight = RoundWeight::ONE;
    RoundOpened { round, phase: 1, phase_round: round, weight, drawn: None }
}

/// A tournament with so many players, in its first round.
fn in_round_one(players: usize) -> Tournament {
    let mut state = Tournament::of([&opened(Scoresheet::default())]);
    (1..=players as PlayerNumber).for_each(|player| state.evolve(&enrolled(player).into()));
    state.evolve(&started(1));
    state.evolve(&round(1).into());
    state
}

fn pairing(table: u32, seats: usize) -> PairingMade {
    let seat = |player| Seat { player: player as PlayerNumber, role: 0 };
    PairingMade {
        round: 1,
        table: Some(table),
        seats: (1..=seats).map(seat).collect(),
        group: None,
        bracket_slot: None,
        origin: Origin::by_hand(WORDS),
    }
}

fn players(count: usize) -> String {
    let mut state = Tournament::of([&opened(Scoresheet::default())]);
    let last = count as PlayerNumber;
    (1..last).for_each(|player| state.evolve(&enrolled(player).into()));
    judged(&state, enrolled(last))
}

fn rounds(count: usize) -> String {
    let mut state = Tournament::of(&[opened(Scoresheet::default()), started(1)]);
    let last = count as RoundNumber;
    for number in 1..last {
        state.evolve(&round(number).into());
        state.evolve(&RoundCompleted { round: number }.into());
    }
    judged(&state, round(last))
}

fn phases(count: usize) -> String {
    let mut state = Tournament::of([&opened(Scoresheet::default())]);
    for phase in 1..count as u16 {
        state.evolve(&started(phase));
        state.evolve(&PhaseEnded { phase }.into());
    }
    judged(&state, started(count as u16))
}

fn phases_of_a_plan(count: usize) -> String {
    let phase =
        PlannedPhase { kind: PhaseKind::Swiss, rounds: None, players: None, scoresheet: None };
    let state = Tournament::of([&opened(Scoresheet::default())]);
    judged(&state, PlanAmended { plan: vec![phase; count], reason: WORDS })
}

fn events(count: usize) -> String {
    let note = Event::from(NoteAdded { note: WORDS, about: None });
    let mut state = Tournament::of([&opened(Scoresheet::default())]);
    (2..count).for_each(|_| state.evolve(&note));
    judged(&state, note)
}

fn seats(count: usize) -> String {
    judged(&in_round_one(count), pairing(1, count))
}

fn table(number: usize) -> String {
    judged(&in_round_one(2), pairing(number as u32, 2))
}

fn place(place: usize) -> String {
    let mut state = in_round_one(2);
    state.evolve(&pairing(1, 2).into());
    let mut result = MatchResult::played(Score::default());
    result.rulings = smallvec![Some(Ruling::Place(1)), Some(Ruling::Place(place as u8))];
    judged(&state, ResultRecorded { pairing: state.head(), result })
}

fn members(count: usize) -> String {
    let state = Tournament::of([&opened(Scoresheet::default())]);
    judged(&state, PlayerEnrolled { members: vec![WORDS; count], ..enrolled(1) })
}

fn merged(count: usize) -> String {
    let state = Tournament::of([&opened(Scoresheet::default())]);
    let merged = vec![(0..count).map(|at| at.to_string()).collect()];
    judged(&state, DivisionsPaired { apart: true, merged })
}

fn ranges(count: usize) -> String {
    let state = Tournament::of([&opened(Scoresheet::default())]);
    let range = |at: u32| TableRange { first: 2 * at + 1, last: 2 * at + 1 };
    judged(&state, TablesSet { ranges: (0..count as u32).map(range).collect() })
}

fn with_rounds(count: usize) -> String {
    let mut state = Tournament::of([&opened(Scoresheet::default())]);
    let of = |at: usize| DivisionRounds { division: at.to_string(), rounds: Some(4) };
    (1..count).for_each(|at| state.evolve(&of(at).into()));
    judged(&state, of(count))
}

fn forgotten(count: usize) -> String {
    let state = Tournament::of([&opened(Scoresheet::default())]);
    judged(&state, TextsForgotten { numbers: vec![1; count] })
}

fn line(name: &str, max: i32) -> ScoreLine {
    ScoreLine { name: name.into(), per: Per::Seat, min: -max, max, unit: "points".into() }
}

fn sheet(lines: Vec<ScoreLine>) -> String {
    judged(&Tournament::default(), opened(Scoresheet { lines, best_of: None }))
}

fn lines(count: usize) -> String {
    sheet((1..=count).map(|number| line(&format!("line{number}"), 9)).collect())
}

fn line_name(letters: usize) -> String {
    sheet(vec![line(&"x".repeat(letters), 9)])
}

fn score(value: usize) -> String {
    sheet(vec![line("points", value as i32)])
}

fn engine_answer(bytes: usize) -> String {
    let (mut state, drawn) = before_a_draw();
    state.evolve(&RoundOpened { drawn: Some(drawn), ..round(1) }.into());
    let (engine, arguments) = ("pairer".to_string(), "{input}".to_string());
    let output = "1".repeat(bytes);
    let paired =
        EnginePaired { round: 1, engine, version: None, arguments, input: [0; 32], output };
    judged(&state, paired)
}

fn dice(bytes: usize) -> String {
    let (state, drawn) = before_a_draw();
    let drawn = Some(DrawUsed { dice: Some(vec![b'6'; bytes]), ..drawn });
    judged(&state, RoundOpened { drawn, ..round(1) })
}

/// A phase that is to be drawn, and its first draw.
fn before_a_draw() -> (Tournament, DrawUsed) {
    let secret = [7; 32];
    let state = Tournament::of(&[
        TournamentOpened {
            seed_commitment: Some(scrutineer_engine::seed::commitment(&secret)),
            ..TournamentOpened::new(WORDS, Scoresheet::default())
        }
        .into(),
        started(1),
    ]);
    let draw = scrutineer_engine::seed::draw_of_round(1);
    let seed = scrutineer_engine::seed::reveal(&secret, draw).expect("the first draw");
    (state, DrawUsed { method: "by-rank".to_string(), version: 1, draw, seed, dice: None })
}

fn word(characters: usize) -> String {
    let state = Tournament::of([&opened(Scoresheet::default())]);
    judged(&state, PlayerEnrolled { division: Some("ä".repeat(characters)), ..enrolled(1) })
}

fn payload(bytes: usize) -> String {
    let amended = |text: String| -> Event {
        let ruleset = vec![RulesetFile { name: "own".into(), text }];
        RulesetAmended { ruleset, from_round: None, reason: WORDS }.into()
    };
    let around = amended("x".repeat(50_000)).encode().expect("it fits").len() - 50_000;
    let command = Command::Record(vec![amended("x".repeat(bytes - around))]);
    outcome(digest(&command, Actor(1)), Rejection::code)
}

/// What a desk says in a new tournament.
fn at_a_desk(ask: impl FnOnce(&Desk<'_>) -> Result<(), DeskError>) -> String {
    let (store, library) = (Store::in_memory(), Library::shipped());
    let opening = Opening {
        title: "Limits".into(),
        held_on: None,
        ruleset: library.chain("mtr").expect("it is shipped"),
        scoresheet: Scoresheet::default(),
        plan: Vec::new(),
        signer: None,
    };
    let drawn = AtomicU8::new(0);
    let random = || {
        drawn.fetch_add(1, Ordering::Relaxed);
        Ok([drawn.load(Ordering::Relaxed); 32])
    };
    let clock = || Time { unix_micros: 0 };
    let means = Means { actor: Actor(1), clock: &clock, random: &random };
    let desk = Desk::open(&store, means, &opening).expect("it opens");
    outcome(ask(&desk), DeskError::code)
}

fn name(characters: usize) -> String {
    let name = "ä".repeat(characters);
    assert_eq!(Field::Name.objection(&name).is_none(), characters <= MAX_NAME);
    let person = Enrolment { name, ..Enrolment::default() };
    at_a_desk(|desk| desk.can_enroll(&[person], false, false))
}

fn text(bytes: usize) -> String {
    at_a_desk(|desk| desk.note(&"x".repeat(bytes), None).map(drop))
}

fn byes(count: usize) -> String {
    let awarded_byes = count as u8;
    let person = Enrolment { name: "Ann".into(), awarded_byes, ..Enrolment::default() };
    at_a_desk(|desk| desk.can_enroll(&[person], false, false))
}

/// A table of 200 is played like any other, and every place of it can be ruled.
#[test]
fn the_largest_table_is_played() {
    let mut state = in_round_one(limits::SEATS);
    state.evolve(&pairing(1, limits::SEATS).into());
    let places: SmallVec<[Option<Ruling>; 2]> =
        (1..=MAX_PLACE).map(|place| Some(Ruling::Place(place))).collect();
    let mut result = MatchResult::played(Score::default());
    result.rulings = places;
    let recorded = Event::from(ResultRecorded { pairing: state.head(), result });
    assert_eq!(judged(&state, recorded.clone()), "ok");
    let bytes = recorded.encode().expect("it fits");
    assert_eq!(Event::decode_strict(recorded.kind(), SCHEMA, &bytes), Ok(recorded));
}
