//! "That event never happened": after it is withdrawn, the tournament is as if something without
//! effect had stood in its place.

use std::collections::BTreeMap;

use scrutineer_engine::decide::validate;
use scrutineer_engine::event::*;
use scrutineer_engine::tournament::{MatchView, Round, Tournament};

use crate::desk::WORDS;
use crate::dice::Dice;

/// Everything that can be seen of what stands.
fn portrait(state: &Tournament, but: Option<PlayerNumber>) -> Vec<String> {
    let mut lines = vec![format!("{:?} {}", state.opened(), state.is_closed())];
    let players = state.players().iter().filter(|p| !p.withdrawn && Some(p.number) != but);
    lines.extend(players.map(|p| {
        let takes_part: Vec<bool> = (0..9).map(|round| p.takes_part_in(round)).collect();
        format!("{} {:?} {} {:?} {takes_part:?}", p.number, p.name, p.checked_in, p.dropped())
    }));
    let phases = state.phases().iter().filter(|phase| !phase.withdrawn);
    lines.extend(phases.map(|phase| format!("{phase:?}")));
    for round in state.rounds().iter().filter(|round| !round.withdrawn) {
        let Round { number, opened, published, completed, open_matches, .. } = round;
        lines.push(format!("{number} {opened} {published:?} {completed:?} {open_matches}"));
    }
    lines.extend(state.matches().map(|found| {
        let (seats, result) = (found.seats(), found.to_result());
        let score = found.score().map(|score| score.to_score());
        let rest = (found.table(), found.result(), found.advanced(), found.round().opened);
        format!("{} {seats:?} {score:?} {result:?} {rest:?}", found.seq())
    }));
    let byes = state.byes().map(|bye| format!("{} {} {}", bye.seq, bye.player, bye.kind));
    lines.extend(byes);
    let penalties = state.penalties().iter().filter(|penalty| !penalty.withdrawn);
    lines.extend(penalties.map(|penalty| format!("{penalty:?}")));
    // A round that was taken back took its disputes along.
    let disputes = state.disputes().iter().filter(|dispute| state.dispute(dispute.seq).is_some());
    lines.extend(disputes.map(|dispute| format!("{dispute:?}")));
    lines.extend(state.bye_requests().iter().map(|request| format!("{request:?}")));
    lines.push(format!("{:?}", state.lots()));
    lines
}

/// A line for the whole event so that it fills a place and changes nothing.
fn nothing() -> Event {
    NoteAdded { note: WORDS, about: None }.into()
}

/// A legal tournament: of the events that are rolled, the legal ones are kept.
fn legal(seed: u64, length: u64) -> Vec<Event> {
    let mut dice = Dice::new(seed);
    let (mut events, mut state) = (Vec::new(), Tournament::default());
    for _ in 0..length {
        let event = dice.sensible(&state);
        if !matches!(event, Event::TournamentClosed(_)) && validate(&state, &event).is_ok() {
            state.evolve(&event);
            events.push(event);
        }
    }
    assert_eq!(Tournament::of(&events), state);
    events
}

#[test]
fn a_withdrawn_event_never_happened() {
    let mut taken_back: BTreeMap<&str, u32> = BTreeMap::new();
    for seed in 1..=400 {
        let events = legal(seed, 1_500);
        for (at, event) in events.iter().enumerate() {
            let Event::Withdrawn(withdrawn) = event else { continue };
            let seq = withdrawn.seq as usize;
            let mut never = events[..=at].to_vec();
            for place in without(&never, seq) {
                never[place] = nothing();
            }
            let what = events[seq - 1].word();
            // Numbers are not given twice: the player stays, and is not looked at.
            let but = match &events[seq - 1] {
                Event::PlayerEnrolled(enrolled) => Some(enrolled.player),
                _ => None,
            };
            let found = portrait(&Tournament::of(&events[..=at]), but);
            let expected = portrait(&Tournament::of(&never), but);
            for (found, expected) in found.iter().zip(&expected) {
                assert_eq!(found, expected, "seed {seed}: {what} at {seq}");
            }
            assert_eq!(found.len(), expected.len(), "seed {seed}: {what} at {seq}");
            *taken_back.entry(what).or_default() += 1;
        }
    }
    println!("{taken_back:?}");
    let kinds = [
        "player enrolled",
        "player dropped",
        "player reinstated",
        "player checked in",
        "bye requested",
        "phase started",
        "phase ended",
        "round opened",
        "pairing",
        "bye",
        "pairings published",
        "round completed",
        "result",
        "result corrected",
        "penalty",
        "player advanced",
        "dispute opened",
        "dispute ruled",
        "lots drawn",
    ];
    let never: Vec<_> = kinds.iter().filter(|kind| !taken_back.contains_key(**kind)).collect();
    assert!(never.is_empty(), "nothing of {never:?} was taken back");
}

/// The places of the withdrawn event, of its withdrawal, and of everything that was only said
/// about it: a voided round takes along what happened in it.
fn without(events: &[Event], seq: usize) -> Vec<usize> {
    let mut places = vec![seq - 1, events.len() - 1];
    match &events[seq - 1] {
        Event::PlayerEnrolled(_) => {
            places.remove(0);
        }
        Event::PhaseStarted(start) => {
            let later = (seq..events.len()).take_while(|&at| {
                !matches!(&events[at],
                Event::PhaseStarted(other) if other.first_seed == 1)
            });
            places.extend(later.filter(|&at| {
                matches!(&events[at],
                Event::PhaseStarted(other) if other.phase == start.phase)
            }));
        }
        Event::LotsDrawn(_) => {
            let later = (seq..events.len()).take_while(|&at| {
                !matches!(&events[at],
                Event::LotsDrawn(other) if other.first_place == 1)
            });
            places.extend(later.filter(|&at| matches!(&events[at], Event::LotsDrawn(_))));
        }
        _ => {}
    }
    places
}

/// All values of a slip are one seat's lines after the other's, then the table's; and a round has
/// the matches that name it.
#[test]
fn a_slip_is_read_whole_and_a_round_has_its_matches() {
    let mut told = 0;
    for seed in 1..=20 {
        let state = Tournament::of(&legal(seed, 200));
        for found in state.matches() {
            let Some(score) = found.score() else { continue };
            let (seats, lines) = (found.seats().len(), score.seat_lines());
            let of_seats = (0..seats * lines).map(|at| score.seat(at / lines, at % lines));
            let table = score.values().len() - seats * lines;
            let of_table = (0..table).map(|line| score.table(line));
            assert_eq!(score.values(), of_seats.chain(of_table).collect::<Vec<_>>());
            told += usize::from(score.values().iter().any(|value| *value > 1));
        }
        for round in 0..=state.rounds().len() {
            let of_round: Vec<Seq> = state.matches_of(round).map(MatchView::seq).collect();
            let named = state.matches().filter(|found| found.round_index() == round);
            assert_eq!(of_round, named.map(MatchView::seq).collect::<Vec<_>>(), "seed {seed}");
        }
    }
    assert!(told > 0, "the test wants scores");
}
