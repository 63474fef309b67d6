//! A tournament that plays itself, to be looked at: invented players in a store in memory.

use crate::state::State;
use scrutineer_desk::asker::Asker;
use scrutineer_desk::desk::{Asked, open_round};
use scrutineer_desk::orders::{self, Close, Cut, Enroll, Enter, New, Order, Pair, Person, Publish};
use scrutineer_desk::store::Store;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::record::StreamId;
use scrutineer_engine::tournament::Tournament;
use std::sync::Arc;
use std::time::Duration;

/// How long it takes from one order to the next.
pub const PACE: Duration = Duration::from_millis(1_500);

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
    let new = New {
        title: "Autumn Open (invented)".into(),
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

/// The order that comes next; none: it is over.
fn next(state: &Tournament) -> Option<Order> {
    if state.is_closed() {
        return None;
    }
    let Some(open) = open_round(state) else {
        let played = state.last_round().map_or(0, |round| round.number);
        return Some(match played {
            4 if state.phases().len() == 1 => Cut { top: Some(4), ..Cut::default() }.into(),
            6 => Close::default().into(),
            _ => Pair::default().into(),
        });
    };
    if open.published.is_none() {
        return Some(Publish {}.into());
    }
    let missing =
        state.matches().find(|one| one.round().number == open.number && one.result().is_none())?;
    let (table, seq) = (missing.table()?, missing.seq());
    // Whoever looks sees all kinds of results; a bracket knows no draw.
    let score = ["2-1", "2-0", "1-2", "0-2"][(seq % 4) as usize];
    Some(Enter { slip: format!("{table} {score}") }.into())
}

/// Plays on until it is over or the server stops.
pub async fn play(state: Arc<State>, stream: StreamId) {
    let mut stopping = state.stopping.clone();
    loop {
        tokio::select! {
            () = tokio::time::sleep(PACE) => {}
            _ = stopping.wait_for(|stops| *stops) => return,
        }
        let done = state.act(stream, move |state, store| {
            let now = crate::live::state_of(store, stream)?;
            let Some(order) = next(&now) else { return Ok(false) };
            let asker = &state.setup.asker;
            orders::record(asker, store, stream, Asked::default(), &order).0.map(|_| true)
        });
        // What a visitor did in between may be in the way: then it is looked at again.
        if let Ok(false) = done.await {
            return;
        }
    }
}
