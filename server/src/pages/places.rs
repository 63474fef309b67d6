//! Places round by round: of everybody as a picture, and of one player with what each round brought.

use super::called::{place_of, round_short};
use super::cross::{Met, Rounds};
use super::frame::{Frame, Tab};
use super::{Looked, Person, render, round_called, rounds_of, rules_of};
use crate::language::Language;
use askama::Template;
use scrutineer_desk::names::find_player;
use scrutineer_desk::orders::scope;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::{PlayerNumber, RoundNumber};
use scrutineer_projections::bracket_rounds::bracket_places;
use scrutineer_projections::cut::Cut;
use scrutineer_projections::standings::{Detail, Standings};
use scrutineer_replay::loaded::LoadedTournament;
use std::fmt::Write;

/// How many players the picture of everybody holds.
const ALL: usize = 500;
/// Above the first place.
const TOP: u32 = 34;
/// Left of the first round.
const LEFT: u32 = 46;
/// From the first round to the last.
const WIDTH: u32 = 520;

/// A line for each player from round to round.
pub struct Chart {
    /// How high it is.
    pub height: u32,
    /// How wide it is.
    pub width: u32,
    /// Where the names begin.
    pub names: u32,
    /// Whether so few rounds are in it that it is no wider than they need.
    pub is_small: bool,
    /// Its rounds.
    pub axis: Vec<AxisRound>,
    /// Where the band of that round begins, and where the rounds after it do.
    pub now: u32,
    /// Where what is later than that round begins, and how wide it is.
    pub later: Option<(u32, u32)>,
    /// Its places.
    pub places: Vec<(u32, u32)>,
    /// The line of the cut, and how many make it.
    pub cut: Option<(u32, u32)>,
    /// The lines; who is followed lies over the others.
    pub lines: Vec<Line>,
}

/// A round above a chart.
pub struct AxisRound {
    /// How far to the right it is.
    pub x: u32,
    /// Its number.
    pub number: RoundNumber,
    /// What it is called.
    pub called: String,
    /// The same in short.
    pub short: String,
    /// Whether it is the one that is looked at.
    pub is_here: bool,
}

/// The line of a player.
pub struct Line {
    /// Whose.
    pub player: Person,
    /// Its way.
    pub path: String,
    /// Where it is after each round.
    pub dots: Vec<(u32, u32)>,
    /// How high it ends.
    pub end: u32,
    /// Whether the name has to be set smaller.
    pub is_long: bool,
    /// Whether it has to be set closer as well.
    pub is_longer: bool,
    /// The name for a phone: in two lines where it is long.
    pub halves: (String, String),
    /// Whether this is the player who is followed.
    pub is_followed: bool,
}

/// How many letters of a name stand in a line beside a chart on a phone.
const NARROW: usize = 20;

/// A name in two lines, the first as long as there is room for whole words; short ones in one.
fn halves(name: &str) -> (String, String) {
    let letters = |text: &str| text.chars().count();
    if letters(name) <= NARROW {
        return (name.to_string(), String::new());
    }
    let half = letters(name).div_ceil(2).max(NARROW);
    let mut at = name.match_indices([' ', '-']).map(|(at, found)| at + found.len());
    let end = at.rfind(|at| letters(&name[..*at]) <= half + 1);
    let end = end.or_else(|| name.char_indices().nth(half).map(|(at, _)| at));
    let (first, second) = name.split_at(end.unwrap_or(name.len()));
    (first.trim_end().to_string(), second.to_string())
}

/// The standings after each round.
///
/// # Errors
/// Where they cannot be folded.
pub fn course(
    event: &LoadedTournament,
    rounds: &[RoundNumber],
) -> Result<Vec<Standings>, VerbError> {
    let rules = rules_of(event, None)?;
    let after = |round: &RoundNumber| {
        let scope = scope(&event.state, Some(*round))?;
        Ok(Standings::of(&event.state, &rules, scope, Detail::Order)?)
    };
    rounds.iter().map(after).collect()
}

/// How far apart two rounds are at most: few of them stand close enough that a phone shows who crosses whom.
const STEP: u32 = 80;
/// The room of the names behind the last round, and where they begin in it.
const NAMES: u32 = 264;
const NAMES_AT: u32 = 32;

fn x(at: usize, of: usize) -> u32 {
    let steps = of.saturating_sub(1).max(1) as u32;
    LEFT + 30 + WIDTH.min(STEP * steps) * at as u32 / steps
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

impl Chart {
    /// The chart of a course, of the first `most` players and the one who is followed, with a band at
    /// a round. Behind them stand those who were disqualified and had a place before.
    pub fn of(
        event: &LoadedTournament,
        course: &[Standings],
        rounds: &[RoundNumber],
        round: RoundNumber,
        followed: Option<PlayerNumber>,
        most: usize,
    ) -> Option<Chart> {
        let last = course.last()?;
        let had_place = |player| course.iter().any(|one| one.row(player).is_some());
        let out = last.disqualified(&event.state).into_iter().map(|(player, _)| player);
        let out: Vec<PlayerNumber> = out.filter(|player| had_place(*player)).collect();
        let all: Vec<PlayerNumber> =
            last.rows.iter().map(|row| row.player).chain(out.iter().copied()).collect();
        let drawn = all.len().min(most);
        let row = if drawn > 40 { 17 } else { 22 };
        let y = |place: usize| TOP + row * place as u32 + row / 2;
        let is_drawn = |player: PlayerNumber, at: usize| at < drawn || Some(player) == followed;
        // Whoever was further down than the chart reaches stands at its foot.
        let level = |standings: &Standings, player| {
            let at = standings.rows.iter().position(|row| row.player == player)?;
            Some(at.min(drawn))
        };
        let shown = all.iter().copied().enumerate().filter(|(at, player)| is_drawn(*player, *at));
        let line = |(at, player): (usize, PlayerNumber)| {
            let of = course.len();
            let dots: Vec<(u32, u32)> = course
                .iter()
                .enumerate()
                .filter_map(|(column, table)| Some((x(column, of), y(level(table, player)?))))
                .collect();
            let mut person = Person::of(event, player);
            if out.contains(&player) {
                person.name.push_str(" (disqualified)");
            }
            let letters = person.name.chars().count();
            Line {
                path: path(&dots),
                dots,
                end: y(at.min(drawn)),
                is_long: letters > 26,
                is_longer: letters > 36,
                halves: halves(&person.name),
                is_followed: Some(player) == followed,
                player: person,
            }
        };
        let mut lines: Vec<Line> = shown.map(line).collect();
        lines.sort_by_key(|line| line.is_followed);
        let placed = course.iter().map(|one| one.rows.len()).max().unwrap_or(0);
        let cut = Cut::of(&event.state, last, None);
        let cut = cut.filter(|cut| cut.line().is_some_and(|rows| rows < drawn));
        let now = rounds.iter().position(|one| *one == round).unwrap_or(0);
        let last_x = x(rounds.len().saturating_sub(1), rounds.len());
        let (edge, end) = (x(now, rounds.len()) + 22, last_x + 8);
        let axis = rounds.iter().enumerate().map(|(place, one)| AxisRound {
            x: x(place, rounds.len()),
            number: *one,
            called: round_called(&event.state, *one, Language::English),
            short: round_short(&event.state, *one),
            is_here: *one == round,
        });
        Some(Chart {
            height: y(drawn) + row,
            width: last_x + NAMES,
            names: last_x + NAMES_AT,
            is_small: last_x < LEFT + 30 + WIDTH,
            axis: axis.collect(),
            now: edge - 44,
            later: (edge < end).then(|| (edge, end - edge)),
            places: (0..placed.min(drawn)).map(|at| (y(at), at as u32 + 1)).collect(),
            cut: cut.map(|cut| (y(cut.rows) - row / 2, cut.size)),
            lines,
        })
    }
}

#[derive(Template)]
#[template(path = "places.html")]
struct PlacesPage {
    frame: Frame,
    chart: Option<Chart>,
    round: RoundNumber,
    query: String,
    path: &'static str,
    not_drawn: usize,
}

/// The places of everybody, round by round.
///
/// # Errors
/// Where the rounds cannot be folded.
pub fn page(at: &Looked<'_>) -> Result<String, VerbError> {
    let event = at.load()?;
    let rounds = rounds_of(&event);
    let round = rounds.last().copied().unwrap_or(0);
    let course = course(&event, &rounds)?;
    render(&PlacesPage {
        frame: Frame::of(at, &event, Tab::Standings, "places"),
        chart: Chart::of(&event, &course, &rounds, round, None, ALL),
        not_drawn: course.last().map_or(0, |last| last.rows.len().saturating_sub(ALL)),
        query: String::new(),
        path: "places",
        round,
    })
}

#[derive(Template)]
#[template(path = "places_of.html")]
struct PlayerPage {
    frame: Frame,
    player: Person,
    query: String,
    place: String,
    of: usize,
    curve: Option<Curve>,
    rows: Vec<RoundRow>,
}

/// The places of one player: each with its number.
struct Curve {
    width: u32,
    path: String,
    dots: Vec<(u32, u32, u32, String)>,
    cut: Option<(u32, u32)>,
}

struct RoundRow {
    round: RoundNumber,
    called: String,
    met: Vec<Met>,
    place: Option<u32>,
    up: Option<i64>,
}

/// The places of one player, round by round, with what each brought.
///
/// # Errors
/// Where there is no such player, or the rounds cannot be folded.
pub fn page_of(at: &Looked<'_>, player: &str) -> Result<String, VerbError> {
    let event = at.load()?;
    let number = find_player(&event, player)?;
    let rounds = rounds_of(&event);
    let course = course(&event, &rounds)?;
    let places: Vec<Option<u32>> =
        course.iter().map(|one| one.row(number).map(|row| row.rank)).collect();
    let met = course.last().map(|last| Rounds::of(&event, last));
    let row = |(index, round): (usize, &RoundNumber)| RoundRow {
        round: *round,
        called: match bracket_places(&event.state, *round) {
            Some(_) => round_called(&event.state, *round, Language::English),
            None => round.to_string(),
        },
        met: met.as_ref().map_or(Vec::new(), |met| met.of_player(number, *round)),
        place: places[index],
        up: index
            .checked_sub(1)
            .and_then(|before| Some(i64::from(places[before]?) - i64::from(places[index]?))),
    };
    let of = course.last().map_or(0, |last| last.rows.len());
    let shorts: Vec<String> = rounds.iter().map(|one| round_short(&event.state, *one)).collect();
    let cut = course.last().and_then(|last| Cut::of(&event.state, last, None));
    render(&PlayerPage {
        frame: Frame::of(at, &event, Tab::Standings, &format!("places/{number}")),
        player: Person::of(&event, number),
        query: format!("&player=%23{number}"),
        place: course
            .last()
            .and_then(|last| place_of(&last.rows, number, at.language))
            .unwrap_or_else(|| "without a place".into()),
        curve: curve(&shorts, &places, of, cut.map(|cut| cut.size)),
        rows: rounds.iter().enumerate().map(row).collect(),
        of,
    })
}

/// A curve of places: the first above, the last below.
fn curve(rounds: &[String], places: &[Option<u32>], of: usize, cut: Option<u32>) -> Option<Curve> {
    let steps = (of.max(2) - 1) as u32;
    let y = |place: u32| 30 + 200 * (place - 1).min(steps) / steps;
    let placed = rounds.iter().zip(places).enumerate();
    let dots: Vec<(u32, u32, u32, String)> = placed
        .filter_map(|(at, (round, place))| {
            Some((60 + 90 * at as u32, y((*place)?), (*place)?, round.clone()))
        })
        .collect();
    let way: Vec<(u32, u32)> = dots.iter().map(|(x, y, ..)| (*x, *y)).collect();
    (!dots.is_empty()).then(|| Curve {
        width: 110 + 90 * rounds.len().saturating_sub(1) as u32,
        path: path(&way),
        cut: cut.map(|size| (y(size).midpoint(y(size + 1)), size)),
        dots,
    })
}

#[cfg(test)]
mod tests {
    use super::super::kit::hall;
    use super::*;

    #[test]
    fn everybody_has_a_line_and_each_leads_to_their_own_page() {
        let hall = hall();
        hall.play_on();
        let html = page(&hall.looked()).expect("a page");
        assert_eq!(html.matches("class=\"line\"").count(), 6);
        assert!(html.contains("/places/1\""), "{html}");
        let beside = html.split("class=\"chart ends\"").nth(1).expect("names for a phone");
        assert_eq!(beside.matches("<tspan").count(), 7, "one of six has two lines: {beside}");
        assert!(!html.contains("style="), "content security forbids it");
    }

    #[test]
    fn a_player_has_their_place_after_each_round_and_what_it_brought() {
        let hall = hall();
        hall.play_on();
        let html = page_of(&hall.looked(), "#1").expect("a page");
        assert_eq!(html.matches("class=\"dot\"").count(), 2, "two rounds");
        assert!(html.contains("won 2–") || html.contains("lost "), "{html}");
        assert!(page_of(&hall.looked(), "nobody").is_err());
    }

    #[test]
    fn places_by_round_say_that_they_count_corrections_and_lead_to_what_was_known_then() {
        use super::super::replay;
        let hall = hall();
        hall.play_on();
        let looked = hall.looked();
        let event = looked.load().expect("loaded").state.head();
        let html = [page(&looked), page_of(&looked, "#1")].map(|html| html.expect("a page"));
        for html in &html {
            assert!(html.contains("all that is known now, corrections included"), "{html}");
            assert!(html.contains(&format!("/replay?event={event}")), "{html}");
        }
        assert!(html[1].contains("player=%231\">As it was known then"), "{}", html[1]);
        let view = replay::View { event: Some(event), ..replay::View::default() };
        let then = replay::page(&looked, &view).expect("a page");
        assert!(then.contains("As it was known after event"), "{then}");
    }

    /// The place that they had in earlier rounds was empty, and the lowest place had no number.
    #[test]
    fn who_was_disqualified_has_a_line_up_to_the_round_in_which_they_had_a_place() {
        use super::super::replay;
        let hall = hall();
        hall.play_on();
        let reason = "stacked the deck".to_string();
        hall.order(scrutineer_desk::orders::Disqualify { player: "#1".into(), reason });
        let looked = hall.looked();
        let event = looked.load().expect("loaded");
        let rounds = rounds_of(&event);
        let course = course(&event, &rounds).expect("folded");
        let chart = Chart::of(&event, &course, &rounds, 2, None, ALL).expect("a chart");
        let line = chart.lines.iter().find(|line| line.player.number == 1).expect("their line");
        assert_eq!((line.dots.len(), chart.lines.len(), chart.places.len()), (1, 6, 6));
        assert!(line.player.name.ends_with(" (disqualified)"), "{}", line.player.name);
        let numbered = |y: u32| chart.places.iter().any(|(at, _)| *at == y);
        assert!(chart.lines.iter().flat_map(|line| &line.dots).all(|(_, y)| numbered(*y)));
        for html in [page(&looked), replay::page(&looked, &Default::default())] {
            assert_eq!(html.expect("a page").matches("class=\"line\"").count(), 6);
        }
    }

    /// On a phone the chart had lines and no names.
    #[test]
    fn a_long_name_stands_in_two_lines_and_is_whole() {
        assert_eq!(halves("Ann Lee"), ("Ann Lee".into(), String::new()));
        let long = "Maximiliane von Hohenlohe-Waldenburg";
        let (first, second) = halves(long);
        assert_eq!(format!("{first} {second}"), long);
        assert!(first.chars().count() <= 21 && second.chars().count() <= 24, "{first}/{second}");
        let (first, second) = halves(&"W".repeat(50));
        assert_eq!(first.len() + second.len(), 50);
    }

    #[test]
    fn a_curve_of_one_player_alone_stands_still() {
        let rounds = ["R1", "R2"].map(str::to_string);
        let curve = curve(&rounds, &[Some(1), None], 1, None).expect("a curve");
        assert_eq!(curve.dots, [(60, 30, 1, "R1".to_string())]);
    }
}
