//! Events with known values, each exact or to the digits in which it was printed:
//! FIDE's exercise of sixteen players, Cobra's own examples, and one event for each of HCT, HGBTS
//! and Splinterlands. They stand in `tests/data/vectors.json`.

use crate::script::{Told, line, number, seat_sheet, tell};
use scrutineer_engine::event::{Per, Scoresheet};
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::ratio::decimal;
use scrutineer_projections::standings::Standings;
use serde_json::Value;

fn vectors() -> Vec<Value> {
    let text = include_str!("../data/vectors.json");
    serde_json::from_str(text).expect("vectors.json is JSON")
}

/// What happened in the vector of this name.
pub fn event(name: &str) -> String {
    let all = vectors();
    let found = all.iter().find(|vector| vector["name"] == name);
    texts(&found.unwrap_or_else(|| panic!("no vector is called {name}"))["event"]).join("\n")
}

fn texts(list: &Value) -> Vec<&str> {
    let list = list.as_array().expect("a list").iter();
    list.map(|text| text.as_str().expect("a text")).collect()
}

fn sheet(slip: &[&str]) -> Scoresheet {
    let of_seats: Vec<&str> = slip.iter().copied().filter(|name| *name != "drawn").collect();
    let mut sheet = seat_sheet(&of_seats);
    if slip.contains(&"drawn") {
        sheet.lines.push(line("drawn", Per::Table, 0, 9));
    }
    sheet
}

/// Compares every value of a vector and says how many there are.
fn check(vector: &Value) -> usize {
    let told = tell(sheet(&texts(&vector["slip"])), &texts(&vector["event"]).join("\n"));
    let rules = vector["rules"].as_str().expect("the id of a ruleset");
    let scope = Scope { through: None, final_order: vector["final"].as_bool() };
    let standings = told.standings_in(rules, scope);
    let tables = vector["tables"].as_array().expect("tables").iter();
    let order = texts(&vector["order"]);
    assert_eq!(told.order(&standings)[..order.len()], order, "order of {}", vector["name"]);
    tables.map(|table| check_table(&told, &standings, table)).sum()
}

fn check_table(told: &Told, standings: &Standings, table: &Value) -> usize {
    let digits = table["digits"].as_u64().map(|digits| digits as u32);
    let mut compared = 0;
    for (measure, column) in table["values"].as_object().expect("columns") {
        for (name, expected) in column.as_object().expect("values by player") {
            let expected = number(expected.as_str().expect("a number as text"));
            let found = told.value(standings, name, measure);
            let same = match digits {
                None => found == expected,
                Some(digits) => decimal(&found, digits, false) == decimal(&expected, digits, false),
            };
            assert!(same, "{measure} of {name} is {found}, the vector says {expected}");
            compared += 1;
        }
    }
    compared
}

fn check_named(name: &str, values: usize) {
    let all = vectors();
    let vector = all.iter().find(|vector| vector["name"] == name);
    assert_eq!(check(vector.expect("a vector of that name")), values);
}

#[test]
fn every_vector_is_checked() {
    let all = vectors();
    assert_eq!((all.len(), all.iter().map(check).sum::<usize>()), (8, 307));
}

#[test]
fn fide_exercise_of_2023_with_sixteen_players() {
    check_named("fide_tec_2023_swiss", 137);
}

/// Of the Buchholz sums only three change with the limits of 2026.
#[test]
fn fide_exercise_under_the_text_of_2026() {
    check_named("fide_tec_2026_buchholz", 48);
}

#[test]
fn fide_editions_differ_in_three_buchholz_sums() {
    let told = tell(Scoresheet::default(), &event("fide_tec_2023_swiss"));
    let [before, after] =
        ["fide-buchholz-2024", "fide-buchholz-2026"].map(|rules| told.standings(rules));
    let changed: Vec<String> = told
        .names
        .iter()
        .filter_map(|name| {
            let of = |standings| told.value(standings, name, "buchholz");
            let (before, after) = (of(&before), of(&after));
            let text = |value| decimal(value, 1, false);
            (before != after).then(|| format!("#{name} {}→{}", text(&before), text(&after)))
        })
        .collect();
    assert_eq!(changed, ["#4 15.0→14.0", "#6 12.0→11.5", "#11 13.5→12.5"]);
}

#[test]
fn cobra_three_players_two_byes() {
    check_named("cobra_three_person", 9);
}

#[test]
fn cobra_rounds_of_different_weight() {
    check_named("cobra_weighted", 8);
}

#[test]
fn hct_five_players_four_rounds() {
    check_named("hct_example", 35);
}

#[test]
fn hgbts_five_players_three_rounds() {
    check_named("hgbts_example", 30);
}

#[test]
fn splinterlands_snapshot_and_five_players() {
    check_named("splinterlands_snapshot", 40);
    check_named("splinterlands_five", 0);
}
