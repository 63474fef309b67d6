//! How much an event holds: the last that fits, and the first that does not.

use scrutineer_engine::decide::validate;
use scrutineer_engine::event::*;
use scrutineer_engine::limits;
use scrutineer_engine::rejection::Rejection;
use scrutineer_engine::tournament::Tournament;

use crate::desk::{WORDS, enrolled, games_sheet, opened, pairing, round_opened};

/// Records an event that is legal.
pub fn record(state: &mut Tournament, event: impl Into<Event>) {
    let event = event.into();
    assert_eq!(validate(state, &event), Ok(()), "{event:?}");
    state.evolve(&event);
}

fn phase(number: u16) -> PhaseStarted {
    PhaseStarted {
        phase: number,
        kind: PhaseKind::Swiss,
        first_seed: 1,
        entrants: Vec::new(),
        group_sizes: Vec::new(),
        passed_over: Vec::new(),
        scoresheet: None,
    }
}

/// An event with so many players and one phase.
pub fn started(players: u32) -> Tournament {
    let mut state = Tournament::default();
    record(&mut state, opened(games_sheet(3)));
    for player in 1..=players {
        record(&mut state, enrolled(player, 1));
    }
    record(&mut state, phase(1));
    state
}

fn too_many(what: &'static str, limit: u64) -> Result<(), Rejection> {
    Err(Rejection::TooMany { what, limit })
}

#[test]
fn an_event_has_so_many_phases() {
    let mut state = started(0);
    for number in 2..=limits::PHASES {
        record(&mut state, phase(number));
    }
    let next = phase(limits::PHASES + 1).into();
    assert_eq!(validate(&state, &next), too_many("phases", limits::PHASES.into()));
}

#[test]
fn an_event_has_so_many_rounds() {
    let mut state = started(0);
    let open = |round: u16| round_opened(&round.to_string(), &format!("1.{round}"));
    for round in 1..=limits::ROUNDS {
        record(&mut state, open(round));
        record(&mut state, RoundCompleted { round });
    }
    let next = open(limits::ROUNDS + 1).into();
    assert_eq!(validate(&state, &next), too_many("rounds", limits::ROUNDS.into()));
}

#[test]
fn an_event_has_so_many_events() {
    let mut state = started(0);
    let note: Event = NoteAdded { note: WORDS, about: None }.into();
    while state.head() < limits::EVENTS - 1 {
        state.evolve(&note);
    }
    assert_eq!(validate(&state, &note), Ok(()));
    state.evolve(&note);
    assert_eq!(validate(&state, &note), too_many("events", limits::EVENTS));
}

#[test]
fn a_table_holds_so_many_players() {
    let most = limits::SEATS as u32;
    let mut state = started(most + 1);
    record(&mut state, round_opened("1", "1.1"));
    let seats = |count: u32| (1..=count).map(|player| player.to_string()).collect::<Vec<_>>();
    let table = |count: u32| pairing("1", "1", &seats(count).join("-")).into();
    assert_eq!(validate(&state, &table(most + 1)), too_many("seats at a table", most.into()));
    record(&mut state, Event::clone(&table(most)));
}

#[test]
fn teams_dice_and_words_have_their_bounds() {
    let state = started(0);
    let team = |members: usize| -> Event {
        PlayerEnrolled { members: vec![WORDS; members], ..enrolled(1, 1) }.into()
    };
    assert_eq!(validate(&state, &team(limits::MEMBERS)), Ok(()));
    let most = limits::MEMBERS as u64;
    assert_eq!(validate(&state, &team(limits::MEMBERS + 1)), too_many("members of a team", most));
    let ruleset = |name: &str| -> Event {
        let file = RulesetFile { name: name.to_owned(), text: String::new() };
        RulesetAmended { ruleset: vec![file], from_round: None, reason: WORDS }.into()
    };
    assert_eq!(validate(&state, &ruleset("house-rules")), Ok(()));
    let refused = validate(&state, &ruleset("house\u{1b}rules")).map_err(|why| why.code().word);
    assert_eq!(refused, Err("bad-word"));
}

/// A table without a number is one that a source did not number; who seats people numbers them.
#[test]
fn only_a_source_leaves_a_table_without_its_number() {
    let mut state = started(2);
    record(&mut state, round_opened("1", "1.1"));
    let given = pairing("1", "-", "1-2");
    assert_eq!(validate(&state, &given.clone().into()), Ok(()));
    for &kind in OriginKind::ALL.iter().filter(|kind| **kind != OriginKind::AsGiven) {
        let origin = Origin { kind, ..given.origin };
        let made = PairingMade { origin, ..given.clone() };
        assert_eq!(validate(&state, &made.into()), Err(Rejection::NoTableNumber), "{kind}");
    }
}
