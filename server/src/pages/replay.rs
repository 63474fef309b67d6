//! The course of a tournament round by round: places as lines, and what each round moved.

use super::frame::{Frame, Tab};
use super::{Looked, Person, render, rules_of};
use askama::Template;
use scrutineer_desk::names::find_player;
use scrutineer_desk::orders::scope;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::{PlayerNumber, RoundNumber};
use scrutineer_projections::cut::Cut;
use scrutineer_projections::explain::value_of;
use scrutineer_projections::ruleset::Step;
use scrutineer_projections::standings::{Detail, Standings};
use scrutineer_replay::loaded::LoadedTournament;
use serde::Deserialize;
use std::fmt::Write;

/// How many lines the chart draws; who is followed is drawn in any case.
const LINES: usize = 40;
/// How many players a cross table holds.
const CROSSED: usize = 32;
/// Between two places of the chart.
const ROW: u32 = 22;
/// Above the first place.
const TOP: u32 = 34;
/// Left of the first round.
const LEFT: u32 = 46;
/// From the first round to the last.
const WIDTH: u32 = 520;

/// What is looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct View {
    /// After which round; otherwise the last.
    pub round: Option<RoundNumber>,
    /// Who is followed.
    pub player: Option<String>,
}

#[derive(Template)]
#[template(path = "replay.html")]
struct ReplayPage {
    frame: Frame,
    round: RoundNumber,
    last: RoundNumber,
    rounds: Vec<RoundNumber>,
    followed: Option<Person>,
    query: String,
    chart: Option<Chart>,
    rows: Vec<Row>,
    label: String,
    not_drawn: usize,
    cross: Option<Cross>,
}

struct Row {
    rank: u32,
    player: Person,
    up: Option<i64>,
    value: String,
    is_followed: bool,
    is_last_in: bool,
}

struct Chart {
    height: u32,
    axis: Vec<(u32, RoundNumber, bool)>,
    now: u32,
    places: Vec<(u32, u32)>,
    cut: Option<(u32, u32)>,
    lines: Vec<Line>,
}

struct Line {
    player: Person,
    path: String,
    dots: Vec<(u32, u32)>,
    end: u32,
    is_long: bool,
    is_followed: bool,
}

struct Cross {
    rows: Vec<(Person, Vec<Met>)>,
}

struct Met {
    is_self: bool,
    text: String,
}

/// The standings after each round.
fn course(event: &LoadedTournament, rounds: &[RoundNumber]) -> Result<Vec<Standings>, VerbError> {
    let rules = rules_of(event, None)?;
    let after = |round: &RoundNumber| {
        let scope = scope(&event.state, Some(*round))?;
        Ok(Standings::of(&event.state, &rules, scope, Detail::Order)?)
    };
    rounds.iter().map(after).collect()
}

fn x(at: usize, of: usize) -> u32 {
    let steps = of.saturating_sub(1).max(1) as u32;
    LEFT + 30 + WIDTH * at as u32 / steps
}

fn y(place: usize) -> u32 {
    TOP + ROW * place as u32 + ROW / 2
}

/// A line through its places, with an even bend between two rounds.
fn path(dots: &[(u32, u32)]) -> String {
    let mut path = String::new();
    for (at, (x, y)) in dots.iter().enumerate() {
        // A text takes whatever is written into it.
        let _ = match at.checked_sub(1).map(|before| dots[before]) {
            None => write!(path, "M{x} {y}"),
            Some((from, level)) => {
                let half = from.midpoint(*x);
                write!(path, "C{half} {level} {half} {y} {x} {y}")
            }
        };
    }
    path
}

fn chart(
    event: &LoadedTournament,
    course: &[Standings],
    rounds: &[RoundNumber],
    round: RoundNumber,
    followed: Option<PlayerNumber>,
) -> Option<Chart> {
    let last = course.last()?;
    let drawn = last.rows.len().min(LINES);
    let is_drawn = |player: PlayerNumber, at: usize| at < drawn || Some(player) == followed;
    // Whoever was further down than the chart reaches stands at its foot.
    let level = |standings: &Standings, player| {
        let at = standings.rows.iter().position(|row| row.player == player)?;
        Some(at.min(drawn))
    };
    let shown = last.rows.iter().enumerate().filter(|(at, row)| is_drawn(row.player, *at));
    let line = |(at, row): (usize, &scrutineer_projections::standings::Row)| {
        let of = course.len();
        let dots: Vec<(u32, u32)> = course
            .iter()
            .enumerate()
            .filter_map(|(column, table)| Some((x(column, of), y(level(table, row.player)?))))
            .collect();
        Line {
            player: Person::of(event, row.player),
            path: path(&dots),
            dots,
            end: y(at.min(drawn)),
            is_long: event.name(row.player).chars().count() > 20,
            is_followed: Some(row.player) == followed,
        }
    };
    let mut lines: Vec<Line> = shown.map(line).collect();
    // Who is followed lies over the others.
    lines.sort_by_key(|line| line.is_followed);
    let cut = Cut::of(&event.state, last, None).filter(|cut| cut.rows < drawn);
    let now = rounds.iter().position(|one| *one == round).unwrap_or(0);
    Some(Chart {
        height: y(drawn) + ROW,
        axis: rounds
            .iter()
            .enumerate()
            .map(|(at, one)| (x(at, rounds.len()), *one, *one == round))
            .collect(),
        now: x(now, rounds.len()) - 22,
        places: (0..drawn).map(|at| (y(at), at as u32 + 1)).collect(),
        cut: cut.map(|cut| (y(cut.rows) - ROW / 2, cut.size)),
        lines,
    })
}

/// Who met whom, in the order of the last standings.
fn cross(event: &LoadedTournament, last: &Standings) -> Option<Cross> {
    if last.rows.len() > CROSSED || last.rows.is_empty() {
        return None;
    }
    let state = &event.state;
    let met = |one: PlayerNumber, other: PlayerNumber| {
        let between = state.matches().filter(|found| {
            let has = |player| found.seats().iter().any(|seat| seat.player == player);
            has(one) && has(other)
        });
        let result = |found: scrutineer_engine::tournament::MatchView<'_>| {
            let outcomes = scrutineer_projections::crosstable::outcomes(state, &last.rules, found);
            let seat = found.seats().iter().position(|seat| seat.player == one)?;
            Some(match outcomes.get(seat)? {
                scrutineer_projections::ruleset::Outcome::Win => "W",
                scrutineer_projections::ruleset::Outcome::Loss => "L",
                scrutineer_projections::ruleset::Outcome::Draw => "D",
                _ => "·",
            })
        };
        between.filter_map(result).collect::<Vec<_>>().join(" ")
    };
    let row = |row: &scrutineer_projections::standings::Row| {
        let cells = last.rows.iter().map(|other| Met {
            is_self: other.player == row.player,
            text: if other.player == row.player {
                String::new()
            } else {
                met(row.player, other.player)
            },
        });
        (Person::of(event, row.player), cells.collect())
    };
    Some(Cross { rows: last.rows.iter().map(row).collect() })
}

/// The replay, as of a round, with everything that is known now.
///
/// # Errors
/// Where there is no such round or player, or the rounds cannot be folded.
pub fn page(at: &Looked<'_>, view: &View) -> Result<String, VerbError> {
    let event = at.load()?;
    let rounds: Vec<RoundNumber> =
        event.state.rounds().iter().filter(|round| !round.withdrawn).map(|r| r.number).collect();
    let last = rounds.last().copied().unwrap_or(0);
    let round = view.round.unwrap_or(last);
    if view.round.is_some() && !rounds.contains(&round) {
        return Err(scrutineer_desk::orders::no_such_round(round, last));
    }
    let typed = view.player.as_deref().map(str::trim).filter(|typed| !typed.is_empty());
    let followed = typed.map(|typed| find_player(&event, typed)).transpose()?;
    let course = course(&event, &rounds)?;
    let index = rounds.iter().position(|one| *one == round);
    let shown = index.and_then(|at| course.get(at));
    let before = index.and_then(|at| at.checked_sub(1)).and_then(|at| course.get(at));
    let measure = shown.and_then(|shown| {
        let steps = shown.layers.last()?.steps.iter();
        steps.into_iter().find_map(|step| match step {
            Step::Measure { measure, .. } => Some(*measure),
            Step::HeadToHead { .. } => None,
        })
    });
    let cut = shown.and_then(|shown| Cut::of(&event.state, shown, None));
    let row = |(at, row): (usize, &scrutineer_projections::standings::Row)| Row {
        rank: row.rank,
        player: Person::of(&event, row.player),
        up: before
            .and_then(|before| before.row(row.player))
            .map(|was| i64::from(was.rank) - i64::from(row.rank)),
        value: measure
            .zip(shown)
            .and_then(|(measure, shown)| value_of(shown, measure, row))
            .map_or(String::new(), |value| value.text),
        is_followed: Some(row.player) == followed,
        is_last_in: cut.as_ref().is_some_and(|cut| cut.rows == at + 1),
    };
    let rows: Vec<Row> =
        shown.map_or(Vec::new(), |shown| shown.rows.iter().enumerate().map(row).collect());
    render(&ReplayPage {
        frame: Frame::of(at, &event, Tab::Replay, "replay"),
        round,
        last,
        query: typed
            .map_or(String::new(), |typed| format!("&player={}", super::standings::encoded(typed))),
        followed: followed.map(|player| Person::of(&event, player)),
        chart: chart(&event, &course, &rounds, round, followed),
        not_drawn: course.last().map_or(0, |last| last.rows.len().saturating_sub(LINES)),
        cross: course.last().and_then(|last| cross(&event, last)),
        label: measure
            .zip(shown)
            .map_or(String::new(), |(at, shown)| shown.rules.measures[at].label.clone()),
        rows,
        rounds,
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
}
