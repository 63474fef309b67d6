//! `--through`: an earlier round with what is known today. It looks as if everything that was put
//! right later had been right at once, and nothing had been played since.

use super::{events, small};
use crate::random_tournaments::Dice;
use scrutineer_engine::book::Commitment;
use scrutineer_engine::decide::validate;
use scrutineer_engine::event::{
    DropReason, Event, MatchResult, NoteAdded, PlayerDropped, PlayerReinstated, ResultCorrected,
    RoundNumber, Seq, TournamentClosed, Withdrawn,
};
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::standings::{Detail, Standings};
use scrutineer_replay::replay::rounds_concerned;
use std::collections::BTreeSet;

/// What else goes wrong, and is put right long after: corrections of corrections, of the first
/// rounds, results and drops taken back; drops that were noticed late; returns. Gives how often each
/// of the three happened.
fn meddle(events: &mut Vec<Event>, dice: &mut Dice, words: Commitment) -> [u32; 3] {
    // Players come and go only while the event runs.
    let mut state = Tournament::of(&events[..]);
    let closed = events.iter().zip(1..).filter(|(e, _)| matches!(e, Event::TournamentClosed(_)));
    let closed: Vec<Seq> = closed.map(|(_, seq)| seq).collect();
    for seq in closed {
        let reopened = Event::from(Withdrawn { seq, reason: words });
        validate(&state, &reopened).expect("a closing can be taken back");
        state.evolve(&reopened);
        events.push(reopened);
    }
    let mut meddled = [0; 3];
    for _ in 0..50 {
        let results: Vec<(Seq, Seq, MatchResult)> = state
            .matches()
            .filter_map(|found| Some((found.seq(), found.result()?, found.to_result()?)))
            .collect();
        let players = state.players().len();
        let rounds = state.rounds().iter().filter(|round| !round.withdrawn).count();
        if results.is_empty() || players == 0 {
            return meddled;
        }
        let (pairing, replaces, mut result) = results[dice.below(results.len())].clone();
        let player = dice.between(1, players) as u32;
        let choice = dice.below(8);
        let kind = [0, 0, 0, 0, 0, 1, 2, 0][choice];
        let event: Event = match choice {
            0..4 => {
                result.score.seats.reverse();
                result.rulings.reverse();
                ResultCorrected { pairing, replaces, result, reason: words, dispute: None }.into()
            }
            4 => Withdrawn { seq: replaces, reason: words }.into(),
            5 => {
                let why = dice.pick(&[
                    DropReason::Left,
                    DropReason::Left,
                    DropReason::NoShow,
                    DropReason::Disqualified,
                ]);
                let after_round = dice.between(0, rounds) as RoundNumber;
                PlayerDropped { player, why, after_round }.into()
            }
            6 => {
                let out = state.players().iter().filter_map(|p| Some((p.number, p.dropped()?.1)));
                let out: Vec<(u32, RoundNumber)> = out.collect();
                if out.is_empty() {
                    continue;
                }
                let (player, after) = dice.pick(&out);
                let from_round = after + dice.between(1, 3) as RoundNumber;
                PlayerReinstated { player, from_round }.into()
            }
            _ => {
                let drops = state.players().iter().flat_map(|player| &player.availability);
                let drops: Vec<Seq> = drops.map(|(seq, _)| *seq).collect();
                if drops.is_empty() {
                    continue;
                }
                Withdrawn { seq: dice.pick(&drops), reason: words }.into()
            }
        };
        if validate(&state, &event).is_ok() {
            state.evolve(&event);
            events.push(event);
            meddled[kind] += 1;
        }
    }
    meddled
}

/// The log as it would be if everything had been recorded right at once, and the event had ended
/// after `through`. What never happened is replaced by a note, so that every seq stays.
fn at_once(events: &[Event], through: RoundNumber, words: Commitment) -> Vec<Event> {
    let today = Tournament::of(events);
    let note = || Event::from(NoteAdded { note: words, about: None });
    let taken_back: BTreeSet<Seq> = events
        .iter()
        .filter_map(|event| match event {
            Event::Withdrawn(withdrawn) => Some(withdrawn.seq),
            _ => None,
        })
        .collect();
    let seqs: Vec<Seq> = (1..=events.len() as Seq).collect();
    let mut recorded = BTreeSet::new();
    let mut never_came = Vec::new();
    let mut log: Vec<Event> = Vec::new();
    let mut round_stands = true;
    let appears = |player: u32| {
        let mut matches = today.matches().filter(|found| found.round().number <= through);
        let sits = matches.any(|found| found.seats().iter().any(|seat| seat.player == player));
        let number = |round: u32| today.rounds()[round as usize].number;
        sits || today.byes().any(|bye| bye.player == player && number(bye.round) <= through)
    };
    for (&seq, event) in seqs.iter().zip(events) {
        let mut result = |pairing: Seq| {
            let found = today.match_at(pairing)?;
            let stands = found.round().number <= through && recorded.insert(pairing);
            found.to_result().filter(|_| stands)
        };
        let kept = match event {
            Event::ResultRecorded(e) => result(e.pairing).map(|result| {
                let mut right = e.clone();
                right.result = result;
                right.into()
            }),
            Event::ResultCorrected(_) | Event::Withdrawn(_) => None,
            Event::PlayerEnrolled(e) => {
                let stands = !taken_back.contains(&seq);
                if !stands || e.from_round > through && !appears(e.player) {
                    never_came.push(seq);
                }
                Some(event.clone())
            }
            _ if taken_back.contains(&seq) => {
                if matches!(event, Event::RoundOpened(_)) {
                    round_stands = false;
                }
                None
            }
            Event::RoundOpened(e) => {
                round_stands = e.round <= through;
                round_stands.then(|| event.clone())
            }
            Event::PairingMade(_) => round_stands.then(|| event.clone()),
            // A late entrant has byes of earlier rounds.
            Event::ByeGiven(e) => {
                let stands = e.round <= through && today.byes().any(|bye| bye.seq == seq);
                stands.then(|| event.clone())
            }
            Event::PairingsPublished(e) => (e.round <= through).then(|| event.clone()),
            Event::RoundCompleted(e) => (e.round <= through).then(|| event.clone()),
            Event::PlayerDropped(e) => (e.after_round <= through).then(|| event.clone()),
            Event::PlayerReinstated(e) => (e.from_round <= through).then(|| event.clone()),
            Event::ByeRequested(e) => (e.round <= through).then(|| event.clone()),
            Event::PlayerAdvanced(e) => {
                let found = today.match_at(e.pairing);
                found.is_some_and(|m| m.round().number <= through).then(|| event.clone())
            }
            Event::PhaseStarted(e) => {
                let mut rounds = today.rounds().iter().filter(|round| !round.withdrawn);
                let is_played = rounds.any(|r| r.phase == e.phase && r.number <= through);
                (e.phase == 1 || is_played).then(|| event.clone())
            }
            Event::PhaseEnded(e) => {
                let rounds = today.rounds().iter().filter(|round| !round.withdrawn);
                let last = rounds.filter(|r| r.phase == e.phase).map(|r| r.number).max();
                (last <= Some(through)).then(|| event.clone())
            }
            Event::TournamentClosed(_) => {
                let last = today.last_round().map_or(0, |round| round.number);
                (through >= last).then(|| event.clone())
            }
            _ => Some(event.clone()),
        };
        log.push(kept.unwrap_or_else(note));
    }
    log.extend(never_came.into_iter().map(|seq| Withdrawn { seq, reason: words }.into()));
    log
}

#[test]
fn through_a_round_is_the_event_that_went_right_at_once_and_ended_there() {
    let mut dice = Dice(0x7412_0064);
    let (mut compared, mut meddled, mut different) = (0, [0; 3], 0);
    for played in small(40) {
        let mut events = events(&played);
        let words = played.event.state.opened().expect("opened").title;
        if dice.chance(70) {
            let more = meddle(&mut events, &mut dice, words);
            meddled.iter_mut().zip(more).for_each(|(all, more)| *all += more);
        }
        let closed = Event::from(TournamentClosed {});
        if dice.chance(40) && validate(&Tournament::of(&events[..]), &closed).is_ok() {
            events.push(closed);
        }
        let today = Tournament::of(&events[..]);
        let last = today.last_round().map_or(0, |round| round.number);
        for round in 1..=last {
            let fold = |state: &Tournament, through: Option<RoundNumber>| {
                let scope = Scope { through, final_order: None };
                Standings::of(state, played.rules(), scope, Detail::All).expect("folds")
            };
            let right = Tournament::of(&at_once(&events, round, words)[..]);
            let (here, there) = (fold(&today, Some(round)), fold(&right, None));
            let name = played.name();
            assert_eq!(here.is_final, there.is_final, "{name}: through {round} of {last}");
            let rows = |standings: &Standings| -> Vec<(u32, u32)> {
                standings.rows.iter().map(|row| (row.rank, row.player)).collect()
            };
            assert_eq!(rows(&here), rows(&there), "{name}: through {round} of {last}");
            assert_eq!(here.hash(), there.hash(), "{name}: through {round} of {last}");
            compared += 1;
            // What stood on the wall when the next round was paired.
            let next = today.round(round + 1).map(|next| next.opened as usize - 1);
            let then = next.map(|next| fold(&Tournament::of(&events[..next]), None).hash());
            different += u32::from(then.is_some_and(|then| then != here.hash()));
        }
    }
    let [results, drops, returns] = meddled;
    assert!(compared > 100, "{compared} rounds");
    assert!(results > 200 && drops > 50 && returns > 30, "{meddled:?}");
    assert!(different > 50, "only {different} rounds look otherwise today");
}

#[test]
fn what_is_about_a_round_is_told_with_it_however_late_it_was_recorded() {
    let mut late = 0;
    for played in small(30) {
        let log = &played.event.log;
        let rounds = rounds_concerned(log);
        assert_eq!(rounds.len(), log.len());
        let mut opened = 0;
        for ((header, event), round) in log.iter().zip(&rounds) {
            if let Event::RoundOpened(e) = event {
                opened = e.round;
            }
            let pairing = match event {
                Event::ResultRecorded(e) => e.pairing,
                Event::ResultCorrected(e) => e.pairing,
                _ => continue,
            };
            let made = &log[pairing as usize - 1].1;
            let Event::PairingMade(made) = made else { panic!("event {pairing} is no pairing") };
            assert_eq!(*round, made.round, "{}: event {}", played.name(), header.seq);
            late += u32::from(*round < opened);
        }
    }
    assert!(late > 2, "{late} late corrections");
}
