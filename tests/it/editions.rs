//! What platforms computed when, on files such as they publish.

use num_rational::BigRational;
use scrutineer_desk::store::{Prepared, prepare};
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::ratio::decimal;
use scrutineer_projections::ruleset::Library;
use scrutineer_projections::standings::{Detail, Standings};
use scrutineer_replay::published::{Check, check};

/// A deck-cache file: who met whom in each round, and rows of published standings as player,
/// points, OMW%, GW% and OGW%.
fn file(site: &str, day: &str, rounds: &[&[[&str; 3]]], rows: &[(&str, u32, [&str; 3])]) -> String {
    let game = |[a, b, result]: &[&str; 3]| {
        format!(r#"{{"Player1":"{a}","Player2":"{b}","Result":"{result}"}}"#)
    };
    let round = |(at, games): (usize, &&[[&str; 3]])| {
        let games: Vec<String> = games.iter().map(game).collect();
        let (name, games) = (format!("Round {}", at + 1), games.join(","));
        format!(r#"{{"RoundName":"{name}","Matches":[{games}]}}"#)
    };
    let row = |(at, (player, points, [omw, gw, ogw])): (usize, &(&str, u32, [&str; 3]))| {
        format!(
            r#"{{"Rank":{},"Player":"{player}","Points":{points},"Wins":0,"Losses":0,"Draws":0,
                "OMWP":{omw},"GWP":{gw},"OGWP":{ogw}}}"#,
            at + 1
        )
    };
    let rounds: Vec<String> = rounds.iter().enumerate().map(round).collect();
    let rows: Vec<String> = rows.iter().enumerate().map(row).collect();
    format!(
        r#"{{"Tournament":{{"Name":"X","Date":"{day}","Uri":"https://{site}/1"}},
            "Rounds":[{}],"Standings":[{}]}}"#,
        rounds.join(","),
        rows.join(",")
    )
}

fn read(text: &str) -> Prepared {
    let read = prepare("x.json", text.as_bytes(), None, &Library::shipped());
    read.unwrap_or_else(|error| panic!("{error}"))
}

fn value(event: &Prepared, player: &str, measure: &str) -> BigRational {
    let standings = Standings::of(&event.state, &event.rules, Scope::FINAL, Detail::All);
    let standings = standings.expect("standings");
    let number = event.names().iter().position(|name| name == player).expect("a name") as u32 + 1;
    let row = standings.row(number).expect("a row");
    standings.value(row, measure).expect("a value")
}

fn shown(event: &Prepared, player: &str, measure: &str) -> String {
    decimal(&value(event, player, measure), 6, false)
}

const MELEE: &str = "melee.gg/Tournament/View";
const CARDSREALM: &str = "cardsrealm.com/tournament";

/// Ann beats Bob, draws a game on the way, and beats Bob once more; Cid beat Bob in between.
const MET_TWICE: &[&[[&str; 3]]] = &[
    &[["Ann", "Bob", "2-0-1"], ["Cid", "Dee", "2-0-0"]],
    &[["Ann", "Dee", "2-0-0"], ["Cid", "Bob", "2-0-0"]],
    &[["Ann", "Bob", "2-0-0"], ["Cid", "Dee", "0-2-0"]],
];

#[test]
fn until_mid_april_2024_a_drawn_game_counted_nothing_on_melee_and_every_match_counted() {
    let event = |day| read(&file(MELEE, day, MET_TWICE, &[]));
    let (then, later) = (event("2024-02-20"), event("2024-06-20"));
    // Six games won, one drawn.
    assert_eq!(shown(&then, "Ann", "gw"), "0.857143");
    assert_eq!(shown(&later, "Ann", "gw"), "0.904762");
    // Bob has lost every match, Dee has won one of three: met twice, Bob counts twice or once.
    assert_eq!(shown(&then, "Ann", "omw"), "0.333333");
    assert_eq!(shown(&then, "Bob", "omw"), "0.888889");
    assert_eq!(shown(&later, "Bob", "omw"), "0.833333");
}

#[test]
fn who_met_nobody_has_the_constant_of_that_platform_and_day() {
    let rounds: &[&[[&str; 3]]] = &[&[["Ann", "Bob", "2-0-0"], ["Cid", "-", "2-0-0"]]];
    let byes: &[&[[&str; 3]]] = &[&[["Ann", "Bob", "2-0-0"], ["Cid", "Bye", "2-0-0"]]];
    for (site, day, rounds, expected) in [
        (MELEE, "2024-02-20", rounds, "0.333333"),
        (MELEE, "2025-06-26", rounds, "0.333333"),
        (MELEE, "2025-11-26", rounds, "0.333333"),
        (MELEE, "2025-11-27", rounds, "0.333300"),
        (CARDSREALM, "2025-12-06", byes, "0.100000"),
    ] {
        let event = read(&file(site, day, rounds, &[]));
        for measure in ["omw", "ogw"] {
            assert_eq!(shown(&event, "Cid", measure), expected, "{site} {day} {measure}");
        }
    }
}

#[test]
fn a_bye_at_cardsrealm_counts_the_games_that_its_row_names() {
    let rounds: &[&[[&str; 3]]] = &[
        &[["Ann", "Bob", "2-1-0"], ["Cid", "Bye", "1-0-0"]],
        &[["Ann", "Cid", "2-1-0"], ["Bob", "Bye", "2-0-0"]],
    ];
    let event = read(&file(CARDSREALM, "2025-12-06", rounds, &[]));
    // Cid won two of four games, Bob three of five.
    assert_eq!(shown(&event, "Cid", "gw"), "0.500000");
    assert_eq!(shown(&event, "Bob", "gw"), "0.600000");
}

#[test]
fn a_day_of_which_nobody_knows_how_the_platform_computed_is_told() {
    let rounds: &[&[[&str; 3]]] = &[&[["Ann", "Bob", "2-0-0"]]];
    for (site, day, known) in [
        (MELEE, "2023-12-31", false),
        (MELEE, "2024-01-01", true),
        (MELEE, "2024-05-01", false),
        (MELEE, "2024-05-16", true),
        (CARDSREALM, "2025-02-01", false),
        (CARDSREALM, "2025-06-09", true),
        ("topdeck.gg/event", "2020-01-01", true),
    ] {
        let event = read(&file(site, day, rounds, &[]));
        let told = |one: &&scrutineer_formats::Oddity| {
            one.sentence.contains("is not known") && one.sentence.contains(day)
        };
        assert_eq!(event.source.oddities.iter().any(|one| told(&one)), !known, "{site} {day}");
    }
}

/// Bob and Dee won one game of five: 0.2, and with the floor a third.
fn with_gw(day: &str, of_bob: &str, of_dee: &str) -> Check {
    let rounds: &[&[[&str; 3]]] = &[
        &[["Ann", "Bob", "2-1-0"], ["Cid", "Dee", "2-1-0"]],
        &[["Ann", "Bob", "2-0-0"], ["Cid", "Dee", "2-0-0"]],
    ];
    let third = "0.33333333";
    let rows = [
        ("Ann", 6, [third, "0.8", third]),
        ("Cid", 6, [third, "0.8", third]),
        ("Bob", 0, ["1", of_bob, "0.8"]),
        ("Dee", 0, ["1", of_dee, "0.8"]),
    ];
    let event = read(&file(MELEE, day, rounds, &rows));
    check(&event.source, &event.state, &event.rules).expect("it is compared")
}

#[test]
fn a_players_own_gw_has_the_floor_of_the_edition_or_the_file_is_named() {
    let third = "0.33333333";
    for (day, of_the_edition, other) in [
        ("2024-02-20", third, "0.2"),
        ("2025-06-01", "0.2", third),
        ("2025-11-21", third, "0.2"),
        ("2026-03-01", third, "0.2"),
    ] {
        let told = |of_bob, of_dee| {
            let found = with_gw(day, of_bob, of_dee);
            (found.matched(), found.other_gw)
        };
        assert_eq!(told(of_the_edition, of_the_edition), (4, false), "{day}");
        assert_eq!(told(other, other), (4, true), "{day}");
        assert_eq!(told(of_the_edition, other), (3, false), "{day}: a file has one form");
    }
}
