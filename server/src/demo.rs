//! A tournament that plays itself, to be looked at: invented players in a store in memory.

use crate::live::state_of;
use crate::state::State;
use scrutineer_desk::asker::Asker;
use scrutineer_desk::desk::{Asked, DeskError, Means, open_round, write_slip};
use scrutineer_desk::orders::{
    self, AtDesk, Close, Correct, Cut, Dispute, Enroll, Enter, New, Order, Pair, Person, Publish,
    Rule,
};
use scrutineer_desk::store::Store;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_desk::what_if::WhatIf;
use scrutineer_engine::event::Event;
use scrutineer_engine::record::StreamId;
use scrutineer_engine::tournament::Round;
use scrutineer_replay::loaded::LoadedTournament;
use std::sync::Arc;
use std::time::Duration;

/// How long it takes from one order to the next in round 1, which whoever opens the page watches.
const PACE: Duration = Duration::from_millis(1_500);
/// The same later on: whoever looks at a draft or a dispute has time for it.
const LATER_PACE: Duration = Duration::from_secs(4);
/// How long a tournament that is over is the last one.
const REST: Duration = Duration::from_secs(60);
/// How many are played: who leaves it running for days shall not find thousands.
const MOST: u32 = 20;

const PLAYERS: [&str; 16] = [
    "Kowalski, Jan",
    "Petrov, Ada",
    "Ito, Haru",
    "Garcia, Luz",
    "Okafor, Chidi",
    "Haddad, Rami",
    "Sato, Yui",
    "Berg, Liv",
    "Lee, Ann",
    "Park, Bo",
    "Costa, Rui",
    "Meyer, Jo",
    "Diallo, Awa",
    "Novak, Eva",
    "Silva, Téo",
    "Wong, Kit",
];

/// Opens the tournament that is played.
///
/// # Errors
/// Where it cannot be opened.
pub fn begin(asker: &Asker, store: &Store) -> Result<StreamId, VerbError> {
    begin_one(asker, store, "Autumn Open (invented)".into())
}

fn begin_one(asker: &Asker, store: &Store, title: String) -> Result<StreamId, VerbError> {
    let new = New {
        title,
        rules: "mtr".into(),
        phases: vec!["swiss:4".into(), "single-elimination:4".into()],
        ..New::default()
    };
    let (stream, _) = orders::open(asker, store, &new)?;
    let person = |name: &&str| Person { name: name.to_string(), ..Person::default() };
    let people = PLAYERS.iter().map(person).collect();
    let enroll = Enroll { people, ..Enroll::default() };
    orders::record(asker, store, stream, Asked::default(), &enroll.into()).0?;
    Ok(stream)
}

/// How many rounds are played before the cut.
const SWISS: u16 = 4;

/// The order that comes next; none: it is over.
fn next(asker: &Asker, store: &Store, stream: StreamId) -> Result<Option<Order>, VerbError> {
    let event = store.load(stream, true)?;
    let state = &event.state;
    if state.is_closed() {
        return Ok(None);
    }
    let is_corrected = event.log.iter().any(|(_, e)| matches!(e, Event::ResultCorrected(_)));
    // A round whose results are all in is completed by what comes next.
    let is_played = |open: &&Round| open.open_matches > 0 || open.published.is_none();
    let Some(open) = open_round(state).filter(is_played) else {
        let played = state.last_round().map_or(0, |round| round.number);
        let order = match played {
            SWISS if state.phases().len() == 1 => {
                let correction = match is_corrected {
                    true => None,
                    false => moves_the_cut(asker, store, &event)?,
                };
                let cut = || Cut { top: Some(4), ..Cut::default() }.into();
                correction.map_or_else(cut, Order::from)
            }
            6 => Close::default().into(),
            _ => Pair::default().into(),
        };
        return Ok(Some(order));
    };
    if open.published.is_none() {
        return Ok(Some(Publish {}.into()));
    }
    let of_round = || state.matches().filter(|one| one.round().number == open.number);
    // Half way through round 2 two players remember their match differently; the judge takes a while.
    if open.number == 2 && state.disputes().is_empty() && open.open_matches <= 4 {
        let found = of_round().find(|one| one.result().is_some());
        if let Some((table, seat)) =
            found.and_then(|one| Some((one.table()?, one.seats().get(1)?.player)))
        {
            let claim = "the second game was a draw".to_string();
            let by = Some(format!("#{seat}"));
            return Ok(Some(Dispute { table: table.to_string(), claim, by, round: None }.into()));
        }
    }
    if open.number > SWISS && state.disputes().iter().any(|one| one.ruled.is_none()) {
        let reason = "both slips say so".to_string();
        return Ok(Some(Rule { dispute: 1, upheld: Some(false), score: None, reason }.into()));
    }
    let missing = of_round().find(|one| one.result().is_none());
    let Some((table, seq)) = missing.and_then(|one| Some((one.table()?, one.seq()))) else {
        return Ok(None);
    };
    // Whoever looks sees all kinds of results; a bracket knows no draw.
    let score = ["2-1", "2-0", "1-2", "0-2"][(seq % 4) as usize];
    Ok(Some(Enter { slip: format!("{table} {score}"), ..Enter::default() }.into()))
}

/// A slip that was entered backwards, of those whose correction puts another player into the cut; none:
/// no such correction does.
fn moves_the_cut(
    asker: &Asker,
    store: &Store,
    event: &LoadedTournament,
) -> Result<Option<Correct>, VerbError> {
    let stream = event.stream;
    let turned = |slip: String| slip.split('-').rev().collect::<Vec<_>>().join("-");
    for found in event.state.matches() {
        let (Some(table), Some(result)) = (found.table(), found.to_result()) else { continue };
        let order = Correct {
            slip: format!("{table} {}", turned(write_slip(&result))),
            reason: "the slip was entered backwards".into(),
            round: Some(found.round().number),
            ..Correct::default()
        };
        let fork = store.fork(stream)?;
        let means = Means::of_machine(orders::UNNAMED);
        let tried = AtDesk::trial(asker, &fork, stream, means).carry_out(&order.clone().into());
        // A score that reads the same from both sides corrects nothing.
        if tried.is_err() {
            continue;
        }
        let after = fork.load(stream, true)?;
        let what_if = WhatIf::of(event, &after, Some(4)).map_err(DeskError::from)?;
        if what_if.cut.is_some_and(|cut| !cut.enters.is_empty()) {
            return Ok(Some(order));
        }
    }
    Ok(None)
}

/// Does what comes next, and says whether there was something.
fn step(asker: &Asker, store: &Store, stream: StreamId) -> Result<bool, VerbError> {
    let Some(order) = next(asker, store, stream)? else { return Ok(false) };
    orders::record(asker, store, stream, Asked::default(), &order).0.map(|_| true)
}

/// How long the next order waits.
fn pace(store: &Store, stream: StreamId) -> Duration {
    let round = state_of(store, stream).ok().and_then(|state| Some(state.last_round()?.number));
    if round > Some(1) { LATER_PACE } else { PACE }
}

/// Plays on from the first visit until the server stops: whoever starts it still looks for the link. Behind one that
/// is over another one begins.
pub async fn play(state: Arc<State>, mut stream: StreamId) {
    let mut stopping = state.stopping.clone();
    let (mut wait, mut number) = (PACE, 1);
    loop {
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            _ = stopping.wait_for(|stops| *stops) => return,
        }
        if !state.counted.is_visited() {
            continue;
        }
        let done = state.act(stream, move |state, store| {
            Ok((step(&state.setup.asker, store, stream)?, pace(store, stream)))
        });
        // What a visitor did in between may be in the way: then it is looked at again.
        let Ok((is_going, pace)) = done.await else { continue };
        match is_going {
            true => wait = pace,
            false if wait != REST => wait = REST,
            false if number == MOST => return,
            false => {
                number += 1;
                let title = format!("Autumn Open {number} (invented)");
                let begin =
                    move |state: &State, store: &Store| begin_one(&state.setup.asker, store, title);
                let begun = state.act_alone(begin);
                let Ok(begun) = begun.await else { return };
                (stream, wait) = (begun, PACE);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_plays_to_its_end_with_a_dispute_and_a_correction_that_moves_the_cut() {
        let asker = Asker { rehearse: Some("demo".into()), ..Asker::default() };
        let store = Store::in_memory();
        let stream = begin(&asker, &store).expect("it begins");
        let mut steps = 0;
        while step(&asker, &store, stream).unwrap_or_else(|error| panic!("{}", error.told())) {
            steps += 1;
            assert!(steps < 200, "it does not end");
        }
        let event = store.load(stream, true).expect("loaded");
        assert!(event.state.is_closed(), "{steps}: {:?}", event.state.last_round());
        let of = |kind: fn(&Event) -> bool| event.log.iter().filter(|(_, e)| kind(e)).count();
        assert_eq!(of(|e| matches!(e, Event::DisputeOpened(_))), 1);
        assert_eq!(of(|e| matches!(e, Event::DisputeRuled(_))), 1);
        assert_eq!(of(|e| matches!(e, Event::ResultCorrected(_))), 1);
        let seq = |kind: fn(&Event) -> bool| {
            event.log.iter().find(|(_, e)| kind(e)).map(|(header, _)| header.seq)
        };
        let corrected = seq(|e| matches!(e, Event::ResultCorrected(_))).expect("a correction");
        let as_of = |seq: u64| {
            let (moment, _) = orders::moment(&store, stream, Some(&seq.to_string())).expect("then");
            orders::load(&store, stream, moment, true).expect("as of then")
        };
        let (before, after) = (as_of(corrected - 1), as_of(corrected));
        let found = WhatIf::of(&before, &after, Some(4)).expect("compared");
        assert!(found.cut.is_some_and(|cut| !cut.enters.is_empty()), "the cut moves");
    }
}
