//! Chess: an exercise of FIDE's tie-break commission with its solutions, and a Swiss played on
//! Lichess whose order of finish is known.

use super::corpus;
use super::rates::rate;
use crate::script::{Told, number, tell};
use scrutineer_engine::event::Scoresheet;
use scrutineer_projections::standings::Standings;
use serde_json::Value;
use std::path::Path;

/// What an edition of the regulations is called here, and the end of the file's keys that hold its
/// solutions: those under the plain keys follow the text of 2026.
const EDITIONS: [(&str, &str); 2] =
    [("fide-buchholz-2024", "_legacy_2026"), ("fide-buchholz-2026", "")];

/// Our measures, and what the file calls them.
const MEASURES: [(&str, &str); 4] = [
    ("points", "points"),
    ("buchholz", "buchholz"),
    ("buchholz_cut1", "buchholz_cut1"),
    ("sonneborn_berger", "sonneborn_berger_swiss"),
];

/// The file gives Cut-1 for 13 of the 16 players. For the others by hand from article 16.5: none
/// has a requested bye or a forfeit, so the lowest opponent falls out of theirs Buchholz, and that is
/// player 10 with 1, player 10 with 1, and player 9 with 1 1/2.
const CUT1_BY_HAND: [(&str, [&str; 2]); 3] =
    [("2", ["12", "12"]), ("6", ["11", "10.5"]), ("10", ["11.5", "11.5"])];

fn read(corpus: &Path, name: &str) -> Value {
    let text = std::fs::read_to_string(corpus.join("chess/raw").join(name)).expect("readable");
    serde_json::from_str(&text).expect("JSON")
}

/// The event, told from a cross table: each player's opponents and codes, round by round.
fn event(file: &Value) -> Told {
    let players = file["players"].as_array().expect("players");
    let name = |player: &Value| format!("P{}", player["no"]);
    let names: Vec<String> = players.iter().map(name).collect();
    let mut text = format!("players {}\n", names.join(" "));
    let rounds = players[0]["rounds"].as_array().expect("rounds").len();
    for round in 0..rounds {
        text.push_str("round\n");
        for player in players {
            let own = player["no"].as_u64().expect("a number");
            let entry = &player["rounds"][round];
            let other = entry[0].as_u64().expect("an opponent");
            text.push_str(&line(own, other, entry[2].as_str().expect("a code")));
        }
    }
    tell(Scoresheet::default(), &text)
}

/// One player's round. A match is told by its winner, a draw by the lower number.
fn line(own: u64, other: u64, code: &str) -> String {
    match (other, code) {
        (0, "H") => format!("P{own} half bye\n"),
        (0, "U") => format!("P{own} bye\n"),
        (0, "Z" | "-") => format!("P{own} zero bye\n"),
        (_, "1") => format!("P{own} beats P{other}\n"),
        (_, "+") => format!("P{other} forfeits to P{own}\n"),
        (_, "=") if own < other => format!("P{own} draws P{other}\n"),
        (1.., "=" | "0" | "-") => String::new(),
        _ => panic!("nobody understands {code} against {other}"),
    }
}

/// Every solution of the exercise for an edition: player, our measure, the value.
fn solutions(file: &Value, edition: usize) -> Vec<(String, &'static str, String)> {
    let mut list = Vec::new();
    for (measure, key) in MEASURES {
        let key = match key {
            "points" => key.to_string(),
            key => format!("{key}{}", EDITIONS[edition].1),
        };
        let given = file["expected"][&key].as_object().unwrap_or_else(|| panic!("no {key}"));
        for (player, value) in given {
            list.push((player.clone(), measure, value.to_string()));
        }
    }
    for (player, values) in CUT1_BY_HAND {
        list.push((player.into(), "buchholz_cut1", values[edition].into()));
    }
    list
}

fn matched(told: &Told, standings: &Standings, list: &[(String, &str, String)]) -> usize {
    let equal = |(player, measure, value): &&(String, &str, String)| {
        told.value(standings, &format!("P{player}"), measure) == number(value)
    };
    list.iter().filter(equal).count()
}

#[test]
fn the_exercise_comes_out_for_all_sixteen_players_in_both_editions() {
    let Some(corpus) = corpus() else { return };
    let file = read(&corpus, "tec_swiss.json");
    let told = event(&file);
    for (edition, (rules, _)) in EDITIONS.iter().enumerate() {
        let standings = told.standings(rules);
        let list = solutions(&file, edition);
        assert_eq!(list.len(), 4 * 16);
        for (player, measure, value) in &list {
            let found = told.value(&standings, &format!("P{player}"), measure);
            assert_eq!(found, number(value), "{rules}: {measure} of player {player}");
        }
    }
}

#[test]
fn the_editions_differ_for_three_players_only() {
    let Some(corpus) = corpus() else { return };
    let told = event(&read(&corpus, "tec_swiss.json"));
    let [old, new] = EDITIONS.map(|(rules, _)| told.standings(rules));
    let differs =
        |name: &&String| told.value(&old, name, "buchholz") != told.value(&new, name, "buchholz");
    let names: Vec<&String> = told.names.iter().filter(differs).collect();
    assert_eq!(names, ["P4", "P6", "P11"]);
}

/// How Lichess ranks: points, then Sonneborn-Berger.
const LICHESS: &str = "fide-buchholz-2024+order=points,sonneborn_berger";

/// The Lichess event: how many players, how many points and how many places come out. Players whom
/// both steps leave tied may stand in any order among themselves.
fn lichess(corpus: &Path) -> [usize; 3] {
    let file = read(corpus, "lichess_2020_06.json");
    let told = event(&file);
    let standings = told.standings(LICHESS);
    let players = file["players"].as_array().expect("players");
    let name = |player: &Value| format!("P{}", player["no"]);
    let has_points = |player: &&Value| {
        told.value(&standings, &name(player), "points") == number(&player["points"].to_string())
    };
    let is_placed = |(place, player): &(usize, &Value)| {
        let rank = |name: &str| standings.row(told.number(name)).expect("a row").rank as usize;
        let own = rank(&name(player));
        let tied = standings.rows.iter().filter(|row| row.rank as usize == own).count();
        (own..own + tied).contains(place)
    };
    // The file lists them in the order of finish.
    let placed = (1..).zip(players).filter(is_placed).count();
    [players.len(), players.iter().filter(has_points).count(), placed]
}

#[test]
fn points_and_order_of_finish_on_lichess_come_out() {
    let Some(corpus) = corpus() else { return };
    assert_eq!(lichess(&corpus), [13, 13, 13]);
}

/// The lines of the table.
pub fn lines(corpus: &Path) -> String {
    let file = read(corpus, "tec_swiss.json");
    let told = event(&file);
    let mut text = String::new();
    let mut line = |what: &str, matched: usize, of: usize| {
        let whole = usize::from(matched == of);
        let (rate, differ) = (rate(matched, of), of - matched);
        text.push_str(&format!(
            "| {what} | 1 | {whole} | {of} | {matched} | {rate} | 0 | {differ} | |\n"
        ));
    };
    for (edition, (rules, _)) in EDITIONS.iter().enumerate() {
        let list = solutions(&file, edition);
        let equal = matched(&told, &told.standings(rules), &list);
        line(&format!("chess exercise, `{rules}` (values)"), equal, list.len());
    }
    let [players, points, places] = lichess(corpus);
    line("chess on Lichess (points)", points, players);
    line("chess on Lichess (places)", places, players);
    text
}
