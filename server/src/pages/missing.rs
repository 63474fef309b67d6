//! The tables whose result is missing: what is likely to hold the round up comes first.

use super::called::{draft_within, round_within};
use super::clock::ClockShown;
use super::frame::{Frame, Tab, capital};
use super::{Looked, MissingTable, missing_tables, render, seats_of, set_apart, won_in_words};
use crate::language::Language;
use crate::live::is_out;
use askama::Template;
use scrutineer_desk::claims::{agree, claims};
use scrutineer_desk::desk::{holds_penalties, write_slip};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::{PlayerNumber, RoundNumber};
use scrutineer_engine::tournament::{MatchView, Tournament};
use scrutineer_replay::loaded::LoadedTournament;

#[derive(Template)]
#[template(path = "missing.html")]
struct Missing {
    frame: Frame,
    rows: Vec<Row>,
    voids: Vec<Void>,
    round: String,
    /// Its number.
    number: RoundNumber,
    /// What the last round is called where it is a draft still; empty: it is none.
    draft: String,
    is_closed: bool,
    clock: Option<ClockShown>,
    time: String,
    calls_players: bool,
}

/// A match of any round that has no result by ruling, as one that is postponed.
struct Void {
    round: RoundNumber,
    table: String,
    players: Vec<String>,
    is_postponed: bool,
}

/// The matches that count for nobody so far, round by round.
fn voids(event: &LoadedTournament) -> Vec<Void> {
    let void = |found: MatchView<'_>| Void {
        round: found.round().number,
        table: found.table().map_or(String::new(), |table| table.to_string()),
        players: found.seats().iter().map(|seat| event.name(seat.player)).collect(),
        is_postponed: found.is_postponed(),
    };
    event.state.matches().filter(|found| found.is_void()).map(void).collect()
}

/// The matches of any round that are to be played later.
pub fn postponed(state: &Tournament) -> impl Iterator<Item = MatchView<'_>> {
    state.matches().filter(|found| found.is_postponed())
}

/// How many matches of the rounds up to one are postponed, in the reader's words; empty: none.
pub fn postponed_in_words(state: &Tournament, through: RoundNumber, language: Language) -> String {
    match postponed(state).filter(|found| found.round().number <= through).count() {
        0 => String::new(),
        matches => language.a("standings-postponed", "matches", matches),
    }
}

/// That a cut is made without the matches that are postponed, in a sentence; empty: none are.
pub fn cut_without(state: &Tournament) -> String {
    let told = scrutineer_desk::orders::postponed_in_words(state, RoundNumber::MAX);
    told.map_or(String::new(), |told| format!("{told}: the cut is made without that."))
}

/// How many matches of a tournament count for nobody so far, in a sentence; empty: none.
pub fn voids_in_words(event: &LoadedTournament) -> String {
    match voids(event).len() {
        0 => String::new(),
        1 => " 1 match has no result (postponed or void): the page of missing tables names it."
            .into(),
        many => format!(
            " {many} matches have no result (postponed or void): the page of missing tables names them."
        ),
    }
}

struct Row {
    table: MissingTable,
    /// How many minutes more it has.
    extra: i32,
    /// How long it is over its time, or what it has left.
    time: String,
    call: bool,
    judge: String,
    reports: Vec<String>,
    /// The slip that both players report.
    agreed: Option<String>,
    differs: bool,
}

/// How long a table is over its own time, or has left, in whole minutes.
fn time_of(ends: Option<i64>, extra: i32, now: i64) -> String {
    let Some(ends) = ends else { return String::new() };
    match (now - ends - i64::from(extra) * 60_000).div_euclid(60_000) {
        over @ 0.. => format!("{over} min over"),
        left => format!("{} min left", -left),
    }
}

/// The tables without a result, for the desk and for runners.
///
/// # Errors
/// Where the store cannot be read.
pub fn page(at: &Looked<'_>) -> Result<String, VerbError> {
    let event = at.load_whole()?;
    let (floor, now) = (&*at.floor, crate::floor::now());
    // A draft is not played yet: nobody is missed at its tables, nor called to them.
    let round = event
        .state
        .last_round()
        .map_or(0, |last| last.number - RoundNumber::from(!is_out(&event.state, last)));
    let clock = floor.clock_of(round);
    let ends = clock.and_then(|clock| clock.ends);
    let claims = claims(&event);
    let row = |table: MissingTable| {
        let number = table.table;
        let extra = floor.extension(round, number);
        let sits = floor.seats(round).filter(|(_, at)| *at == number);
        let judges: Vec<&str> =
            sits.map(|(who, _)| if who.is_empty() { "a judge" } else { who }).collect();
        let found = event.state.at_table(round, number);
        let seats = found.map_or(Vec::new(), seats_of);
        let pairing = found.map_or(0, |found| found.seq());
        let report = |(seat, player): (u8, &PlayerNumber)| {
            let claim = claims.get(&(pairing, seat))?;
            let won = won_in_words(&event, &seats, &claim.result);
            Some(format!("{} says: {won}", set_apart(event.name(*player))))
        };
        let both = agree(&claims, pairing);
        Row {
            table,
            extra,
            time: time_of(ends, extra, now),
            call: floor
                .open_calls()
                .filter(|call| call.round == Some(round))
                .any(|call| call.at_table(&event.state) == Some(number)),
            judge: judges.join(", "),
            reports: (0..).zip(&seats).filter_map(report).collect(),
            agreed: claims
                .get(&(pairing, 0))
                .filter(|_| both == Some(true))
                .map(|claim| &claim.result)
                // Where a penalty changes it, somebody types what it comes to.
                .filter(|said| found.is_some_and(|it| holds_penalties(&event.state, it, said)))
                .map(write_slip),
            differs: both == Some(false),
        }
    };
    let mut rows: Vec<Row> = missing_tables(&event).into_iter().map(row).collect();
    // Who waits for a judge or differs comes first, then who has the longest to play; where both have
    // reported the same, only the desk is waited for.
    rows.sort_by_key(|row| {
        let waits = row.call || row.differs;
        (row.agreed.is_some(), !waits, -row.extra, !row.reports.is_empty(), row.table.table)
    });
    let frame = Frame::of(at, &event, Tab::None, "missing").script("clock.js");
    render(&Missing {
        frame,
        rows,
        voids: voids(&event),
        round: round_within(&event.state, round),
        number: round,
        draft: draft_within(&event.state).map_or(String::new(), |draft| capital(&draft)),
        is_closed: event.state.is_closed(),
        time: time_of(ends, 0, now),
        clock: ClockShown::of(floor, round, now).filter(|_| !event.state.is_closed()),
        calls_players: at.role >= crate::gate::Role::Judge,
    })
}

#[cfg(test)]
mod tests {
    use super::super::kit::{escaped, hall};
    use super::*;
    use scrutineer_desk::floor::{Change, Entry, Floor};
    use scrutineer_desk::orders::{Claim, Close};
    use std::sync::Arc;

    #[test]
    fn what_the_second_seat_reports_is_told_by_who_won_and_never_in_the_order_of_the_seats() {
        let hall = hall();
        let event = hall.store.load(hall.stream, true).expect("loaded");
        let found = event.state.at_table(1, 1).expect("a table");
        let [first, second] = [0, 1].map(|seat| found.seats()[seat].player);
        let shown = |player| escaped(&event.name(player));
        hall.order(Claim { slip: format!("#{second} 0-2") });
        let says = format!("{} says: {} won 2–0", shown(second), shown(first));
        let html = page(&hall.looked()).expect("a page");
        assert!(
            html.contains(&says),
            "they lost, and no score beside their name says that they won: {html}"
        );
        hall.order(Claim { slip: format!("#{first} 0-2") });
        let html = page(&hall.looked()).expect("a page");
        let other = format!("{} says: {} won 2–0", shown(first), shown(second));
        assert!(
            html.contains(&says) && html.contains(&other),
            "two that differ do not look alike: {html}"
        );
    }

    /// "Call both" put the players of a draft's table on every phone.
    #[test]
    fn no_table_of_a_draft_is_missing_and_nobody_is_called_to_one() {
        use scrutineer_desk::orders::{Pair, Publish};
        let hall = hall();
        hall.all_in();
        hall.order(Pair::default());
        let html = || page(&hall.looked()).expect("a page");
        let call = "value=\"call-players\"";
        assert!(html().contains("No result is missing. Round 2 is a draft:"), "{}", html());
        assert!(!html().contains(call) && !html().contains("id=\"t1\""), "{}", html());
        let change = || {
            let state = hall.store.load(hall.stream, false).expect("loaded").state;
            let change = Change::CallPlayers { table: 1, round: None };
            change.accepted(&Floor::default(), &state)
        };
        let refused = change().expect_err("it is not out");
        assert_eq!(refused.code.word, "no-such-round");
        assert_eq!(refused.message, "round 2 is not published");
        hall.order(Publish {});
        assert!(html().contains("Missing in round 2") && html().contains(call), "{}", html());
        assert_eq!(change().expect("called"), Change::CallPlayers { table: 1, round: Some(2) });
    }

    #[test]
    fn a_match_that_is_postponed_is_named_until_it_has_a_result() {
        let hall = hall();
        hall.all_in();
        let html = || page(&hall.looked()).expect("a page");
        let names_it = |html: &str| html.contains("Postponed or void");
        assert!(!names_it(&html()));
        hall.correct("2 void");
        assert!(names_it(&html()) && html().contains("</bdi>: void"), "{}", html());
        hall.correct("2 postponed");
        assert!(html().contains("</bdi>: postponed"), "it is not told as void: {}", html());
        let event = hall.store.load(hall.stream, false).expect("loaded");
        assert!(voids_in_words(&event).contains("1 match has no result"));
        let head = |html: &str| html.contains("<h1>Missing</h1>");
        let rest = "No result is missing but those below. The tournament is closed.";
        assert!(head(&html()) && html().contains("but those below. <a "), "{}", html());
        hall.order(Close::default());
        assert!(html().contains(rest) && !html().contains("says what comes next"), "{}", html());
        hall.correct("2 2-0");
        assert!(!names_it(&html()));
    }

    #[test]
    fn what_is_likely_to_hold_the_round_up_comes_first() {
        let hall = hall();
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let open = state.matches().filter(|found| found.result().is_none());
        let open: Vec<(u32, Vec<u32>)> = open
            .map(|m| (m.table().expect("a table"), m.seats().iter().map(|s| s.player).collect()))
            .collect();
        let [(first, seats), (second, _)] = &open[..] else { panic!("{open:?}") };
        hall.order(Claim { slip: format!("#{} 2-1", seats[0]) });
        hall.order(Claim { slip: format!("#{} 1-2", seats[1]) });
        let mut looked = hall.looked();
        let changes = [
            Change::StartClock { minutes: 50, round: Some(1) },
            Change::Extend { table: *second, minutes: 6, round: Some(1) },
            Change::Sit { table: *second, round: Some(1) },
        ];
        let at = crate::floor::now() - 53 * 60_000;
        let by = Some("Olga".to_string());
        let entry = |change| Entry { at, by: by.clone(), key: None, change };
        looked.floor = Arc::new(Floor::of(changes.map(entry)));
        let html = page(&looked).expect("a page");
        let row = |table: &u32| html.find(&format!("id=\"t{table}\"")).expect("a row");
        assert!(row(second) < row(first), "both reported at {first}: {html}");
        assert!(html.contains("3 min left") && html.contains("3 min over"), "{html}");
        assert!(html.contains("Olga") && html.contains("value=\"call-players\""));
        assert!(
            html.contains(&format!("value=\"{first} 2-1\"")),
            "one button enters what both say"
        );
    }
}
