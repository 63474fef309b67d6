//! The replay: the places round by round or event by event, with a slider that works as links too.

use super::called::round_within;
use super::frame::{Frame, Tab};
use super::places::{Chart, course};
use super::rounds_of;
use super::standings::through_in_words;
use super::{Looked, Person, day_and_clock, render, told};
use askama::Template;
use scrutineer_desk::names::find_player;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::RoundNumber;
use scrutineer_projections::cut::Cut;
use scrutineer_projections::explain::value_of;
use scrutineer_projections::ruleset::Step;
use scrutineer_projections::standings::{Standings, shown_place};
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::staff::Staff;
use serde::Deserialize;

/// How many lines the chart draws; who is followed is drawn in any case.
const LINES: usize = 40;

/// What is looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct View {
    /// After which round, with all that is known now; otherwise the last.
    pub round: Option<RoundNumber>,
    /// As it was known after this event.
    pub event: Option<u64>,
    /// Who is followed.
    pub player: Option<String>,
}

#[derive(Template)]
#[template(path = "replay.html")]
struct ReplayPage {
    frame: Frame,
    round: RoundNumber,
    /// The same within a sentence.
    called: String,
    last: RoundNumber,
    rounds: Vec<RoundNumber>,
    step: Option<EventStep>,
    head: u64,
    followed: Option<Person>,
    query: String,
    path: &'static str,
    chart: Option<Chart>,
    rows: Vec<Row>,
    label: String,
    not_drawn: usize,
    /// How far the round is: `after round 3`, or `in round 3`, where results are missing.
    how_far: String,
}

/// The command after which the tournament is looked at.
struct EventStep {
    first: u64,
    last: u64,
    time: String,
    by: String,
    sentences: Vec<String>,
}

struct Row {
    /// The place; `=` where it is shared.
    place: String,
    player: Person,
    up: Option<i64>,
    value: String,
    is_followed: bool,
    is_last_in: bool,
}

/// How many sentences of a command are told.
const TOLD: usize = 3;

/// The command of an event.
fn step(event: &LoadedTournament, seq: u64) -> Option<EventStep> {
    let (header, _) = event.log.iter().find(|(header, _)| header.seq == seq)?;
    let first = header.seq - u64::from(header.part.saturating_sub(1));
    let last = first + u64::from(header.parts.max(1)) - 1;
    let rows = event.log.iter().filter(|(header, _)| (first..=last).contains(&header.seq));
    let mut sentences: Vec<String> =
        rows.map(|(header, logged)| told(event, header.seq, logged)).collect();
    if let Some(more) = sentences.len().checked_sub(TOLD).filter(|more| *more > 0) {
        sentences.truncate(TOLD);
        sentences.push(format!("and {}", scrutineer_projections::counted(more, "more event")));
    }
    let (time, by) = (day_and_clock(header.time), Staff::of(event).who(header));
    Some(EventStep { first, last, time, by, sentences })
}

/// The replay, as of a round with everything that is known now, or as of an event.
///
/// # Errors
/// Where there is no such round, event or player, or the rounds cannot be folded.
pub fn page(at: &Looked<'_>, view: &View) -> Result<String, VerbError> {
    let now = at.load_whole()?;
    let step = view.event.and_then(|seq| step(&now, seq));
    let event = match (&step, view.event) {
        (Some(step), _) => at.load_as_of(step.last)?,
        // What is no event is refused by its name.
        (None, Some(seq)) => at.load_as_of(seq)?,
        (None, None) => at.load()?,
    };
    let rounds = rounds_of(&event);
    let last = rounds.last().copied().unwrap_or(0);
    let round = view.round.filter(|_| step.is_none()).unwrap_or(last);
    if view.round.is_some() && !rounds.contains(&round) {
        return Err(scrutineer_desk::orders::no_such_round(round, last));
    }
    let typed = view.player.as_deref().map(str::trim).filter(|typed| !typed.is_empty());
    let followed = typed.map(|typed| find_player(&now, typed)).transpose()?;
    let course = course(&event, &rounds)?;
    let index = rounds.iter().position(|one| *one == round);
    let shown = index.and_then(|at| course.get(at));
    // What moved: since the round before, or since the command before.
    let earlier = match &step {
        Some(step) if step.first > 1 => {
            let earlier = at.load_as_of(step.first - 1)?;
            let rounds = rounds_of(&earlier);
            super::places::course(&earlier, rounds.last().map_or(&[], std::slice::from_ref))?.pop()
        }
        _ => None,
    };
    let before = match step {
        Some(_) => earlier.as_ref(),
        None => index.and_then(|at| at.checked_sub(1)).and_then(|at| course.get(at)),
    };
    let measure = shown.and_then(|shown| {
        let steps = shown.layers.last()?.steps.iter();
        steps.into_iter().find_map(|step| match step {
            Step::Measure { measure, .. } => Some(*measure),
            Step::HeadToHead { .. } => None,
        })
    });
    let line = shown.and_then(|shown| Cut::of(&event.state, shown, None)?.line());
    let row = |(at, row): (usize, &scrutineer_projections::standings::Row)| Row {
        place: shown.map_or(String::new(), |shown| shown_place(&shown.rows, at)),
        player: Person::of(&now, row.player),
        up: before
            .and_then(|before| before.row(row.player))
            .map(|was| i64::from(was.rank) - i64::from(row.rank)),
        value: measure
            .zip(shown)
            .and_then(|(measure, shown)| value_of(shown, measure, row))
            .map_or(String::new(), |value| value.text),
        is_followed: Some(row.player) == followed,
        is_last_in: line == Some(at + 1),
    };
    let rows: Vec<Row> = shown
        .map_or(Vec::new(), |shown: &Standings| shown.rows.iter().enumerate().map(row).collect());
    render(&ReplayPage {
        frame: Frame::of(at, &now, Tab::Replay, "replay"),
        round,
        called: round_within(&event.state, round),
        last,
        head: now.state.head(),
        query: followed.map_or(String::new(), |player| format!("&player=%23{player}")),
        path: "replay",
        followed: followed.map(|player| Person::of(&now, player)),
        chart: Chart::of(&event, &course, &rounds, round, followed, LINES),
        not_drawn: course.last().map_or(0, |last| last.rows.len().saturating_sub(LINES)),
        label: measure
            .zip(shown)
            .map_or(String::new(), |(at, shown)| shown.rules.measures[at].label.clone()),
        how_far: through_in_words(&event.state, round, at.language),
        rows,
        rounds,
        step,
    })
}

#[cfg(test)]
mod tests {
    use super::super::kit::hall;
    use super::*;

    #[test]
    fn every_player_has_a_line_and_the_one_followed_lies_above_them() {
        let hall = hall();
        hall.play_on();
        let view = View { player: Some("#1".into()), ..View::default() };
        let html = page(&hall.looked(), &view).expect("a page");
        assert_eq!(html.matches("class=\"line\"").count(), 6);
        let picked = html.find("class=\"pick\"").expect("the one that is followed");
        assert!(!html[picked..].contains("<g class=\"one\""), "nothing is drawn over it");
        assert!(!html.contains("style="), "content security forbids it");
    }

    #[test]
    fn a_round_that_is_not_there_is_refused() {
        let view = View { round: Some(7), ..View::default() };
        assert!(page(&hall().looked(), &view).is_err());
    }

    #[test]
    fn an_event_is_looked_at_as_it_was_known_then() {
        let hall = hall();
        hall.play_on();
        let at = |event| page(&hall.looked(), &View { event, ..View::default() });
        let html = at(Some(14)).expect("a page");
        assert!(html.contains("As it was known after event"), "{html}");
        assert!(html.contains(">Back<") && html.contains(">On<"));
        assert!(at(Some(100_000)).is_err(), "there is no such event");
    }
}
