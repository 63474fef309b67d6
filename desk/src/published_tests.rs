//! Tournaments of which the file does not say in which phases they were played, and matches that it
//! tells in odd ways.

use crate::store::{Prepared, prepare};
use scrutineer_engine::event::*;
use scrutineer_formats::Source;
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::ruleset::Library;
use scrutineer_projections::standings::{Detail, Standings};
use scrutineer_replay::published::*;

fn source(text: &str) -> Source {
    scrutineer_formats::read("event.json", text.as_bytes())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// A file of the deck cache. A round is its matches, `A-B` where the first one won 2-0, otherwise
/// `A-B 1-1-0`; `A--` is a bye. The standings are rows such as `A 12 0.5`: points and OMW%.
fn file(site: &str, rounds: &[&str], standings: &[&str]) -> String {
    let game = |game: &str| {
        let (pair, result) = game.split_once(' ').unwrap_or((game, "2-0-0"));
        let (a, b) = pair.split_once('-').expect("two players");
        format!(r#"{{"Player1": "{a}", "Player2": "{b}", "Result": "{result}"}}"#)
    };
    let rounds = (1..).zip(rounds).map(|(number, games)| {
        let games: Vec<String> = games.split(", ").map(game).collect();
        let name = if site == "mtgo.com" { "Top " } else { "Round " };
        format!(r#"{{"RoundName": "{name}{number}", "Matches": [{}]}}"#, games.join(", "))
    });
    let rows = (1..).zip(standings).map(|(rank, row)| {
        let cells: Vec<&str> = row.split(' ').collect();
        let [player, points, omw] = cells[..] else { panic!("{row}") };
        format!(
            r#"{{"Rank": {rank}, "Player": "{player}", "Points": {points}, "Wins": 0, "Losses": 0,
            "Draws": 0, "OMWP": {omw}, "GWP": 0.5, "OGWP": 0.5}}"#
        )
    });
    let (rounds, rows): (Vec<_>, Vec<_>) = (rounds.collect(), rows.collect());
    format!(
        r#"{{"Tournament": {{"Date": "2026-03-01", "Name": "Open", "Uri": "https://{site}/1"}},
        "Rounds": [{}], "Standings": [{}]}}"#,
        rounds.join(", "),
        rows.join(", ")
    )
}

fn prepared(text: &str) -> Prepared {
    prepare("event.json", text.as_bytes(), None, &Library::shipped())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Its phases, each with the number of its rounds.
fn phases(text: &str) -> Vec<(PhaseKind, usize)> {
    let source = source(text);
    source.phases.iter().map(|phase| (phase.kind, phase.rounds.len())).collect()
}

/// The places as `A 12, B 9`: the players in order, each with their points.
fn places(text: &str) -> String {
    let prepared = prepared(text);
    let standings = Standings::of(&prepared.state, &prepared.rules, Scope::FINAL, Detail::All);
    let standings = standings.expect("it folds");
    let names = prepared.names();
    let row = |row: &scrutineer_projections::standings::Row| {
        let points = standings.value(row, "points").expect("points");
        format!("{} {points}", names[row.player as usize - 1])
    };
    standings.rows.iter().map(row).collect::<Vec<_>>().join(", ")
}

const FIRST: &str = "A-P, B-O, C-N, D-M, E-L, F-K, G-J, H-I";

#[test]
fn a_player_who_leaves_a_single_elimination_gives_the_next_one_a_bye() {
    let rounds = [FIRST, "A-H, C-F, D-E, G--", "A-D, C-G", "A-C"];
    let text = file("melee.gg", &rounds, &[]);
    assert_eq!(phases(&text), [(PhaseKind::Elimination, 4)]);
    assert!(places(&text).starts_with("A 12, C 9, "), "{}", places(&text));
}

#[test]
fn a_single_elimination_may_hold_drawn_matches() {
    // A and H drew, and A went on; D and E drew, and neither did.
    let rounds = [FIRST, "A-H 1-1-1, B-G, C-F, D-E 1-1-0", "A--, B-C", "A-B"];
    let text = file("melee.gg", &rounds, &[]);
    assert_eq!(phases(&text), [(PhaseKind::Elimination, 4)]);
    let places = places(&text);
    let place = |player: &str| places.split(", ").position(|row| row.starts_with(player));
    // Who drew and did not go on was out in that round, as were those who lost in it.
    assert!(place("H") > place("C") && place("D") > place("C") && place("H") < place("I"));
}

#[test]
fn players_who_both_go_on_from_a_draw_were_not_in_a_bracket() {
    let rounds = [FIRST, "A-H, B-G, C-F, D-E 1-1-1", "A-B, C-D, E--", "A-C"];
    let phases = phases(&file("melee.gg", &rounds, &[]));
    assert_eq!(phases[0].0, PhaseKind::Swiss, "{phases:?}");
}

#[test]
fn a_swiss_round_and_a_cut_of_some_of_its_winners_are_two_phases() {
    // Ten players, five of whom won: as four of them went on, no bracket began with that round.
    let rounds = ["A-J, B-I, C-H, D-G, E-F", "A-D, B-C", "A-B"];
    let phases = phases(&file("melee.gg", &rounds, &[]));
    assert_eq!(phases, [(PhaseKind::Swiss, 1), (PhaseKind::Elimination, 2)]);
}

/// Swiss rounds of the players `A` to `P`, paired by points in the order of the alphabet; the first
/// one always wins. With the points.
fn swiss(rounds: usize) -> (Vec<String>, Vec<(char, u32)>) {
    let mut points: Vec<(char, u32)> = ('A'..='P').map(|player| (player, 0)).collect();
    let mut played = Vec::new();
    for _ in 0..rounds {
        let games = points.chunks(2).map(|pair| format!("{}-{}", pair[0].0, pair[1].0));
        played.push(games.collect::<Vec<_>>().join(", "));
        points.chunks_mut(2).for_each(|pair| pair[0].1 += 3);
        points.sort_by_key(|(player, points)| (std::cmp::Reverse(*points), *player));
    }
    (played, points)
}

/// Four Swiss rounds and a cut of eight which the first so many declined. With the standings where
/// the cut does not count.
fn cut_without(better: usize) -> (Vec<String>, Vec<String>) {
    let (mut rounds, order) = swiss(4);
    let mut left: Vec<char> = order[better..better + 8].iter().map(|(player, _)| *player).collect();
    let mut ranked = Vec::new();
    while left.len() > 1 {
        let half = left.len() / 2;
        let games = (0..half).map(|at| format!("{}-{}", left[at], left[left.len() - 1 - at]));
        rounds.push(games.collect::<Vec<_>>().join(", "));
        let out = left.split_off(half);
        ranked.splice(0..0, out);
    }
    ranked.splice(0..0, left);
    let others = order.iter().map(|(player, _)| *player).filter(|player| !ranked.contains(player));
    let all: Vec<char> = ranked.iter().copied().chain(others).collect();
    let points = |player: &char| order.iter().find(|(other, _)| other == player).expect("known").1;
    let rows = all.iter().map(|player| format!("{player} {} 0.5", points(player)));
    (rounds, rows.collect())
}

fn borrowed(lines: &[String]) -> Vec<&str> {
    lines.iter().map(String::as_str).collect()
}

#[test]
fn a_cut_that_better_players_declined_is_one_elimination() {
    for better in 0..=4 {
        let (rounds, rows) = cut_without(better);
        let text = file("melee.gg", &borrowed(&rounds), &borrowed(&rows));
        let expected = [(PhaseKind::Swiss, 4), (PhaseKind::Elimination, 3)];
        assert_eq!(phases(&text), expected, "{better} better players left");
    }
    // Nothing but the rounds tells it here.
    let (rounds, _) = cut_without(2);
    let phases = phases(&file("topdeck.gg", &borrowed(&rounds), &[]));
    assert_eq!(phases, [(PhaseKind::Swiss, 4), (PhaseKind::Elimination, 3)]);
}

#[test]
fn rounds_that_the_ranking_does_not_take_for_a_cut_were_swiss_rounds() {
    let (rounds, mut rows) = cut_without(0);
    assert_eq!(phases(&file("melee.gg", &borrowed(&rounds), &borrowed(&rows))).len(), 2);
    // Somebody who lost the first match of those rounds stands above somebody who lost the second.
    rows.swap(3, 4);
    let text = file("melee.gg", &borrowed(&rounds), &borrowed(&rows));
    assert_eq!(phases(&text), [(PhaseKind::Swiss, 7)]);
    // Rounds that are called a cut are one.
    let (four, three) = (text.replace("Round 5", "Quarterfinals"), "Semifinals");
    let named = four.replace("Round 6", three).replace("Round 7", "Finals");
    assert_eq!(phases(&named), [(PhaseKind::Swiss, 4), (PhaseKind::Elimination, 3)]);
}

#[test]
fn swiss_rounds_that_many_left_are_no_cut() {
    // Half of those in the last rounds never won the round before.
    let (mut rounds, order) = swiss(4);
    let names: Vec<String> = order.iter().map(|(player, _)| player.to_string()).collect();
    rounds.push(format!("{}-{}, {}-{}", names[0], names[3], names[1], names[2]));
    rounds.push(format!("{}-{}", names[0], names[3]));
    assert_eq!(phases(&file("melee.gg", &borrowed(&rounds), &[])), [(PhaseKind::Swiss, 6)]);
}

/// With places such as `A 1`, as MTGO gives them with the decks.
fn with_places(text: &str, places: &[&str]) -> String {
    let deck = |place: &&str| {
        let (player, place) = place.split_once(' ').expect("a player and a place");
        format!(r#"{{"Player": "{player}", "Result": "{place}th Place", "Mainboard": []}}"#)
    };
    let decks: Vec<String> = places.iter().map(deck).collect();
    format!("{}, \"Decks\": [{}]}}", text.strip_suffix('}').expect("JSON"), decks.join(", "))
}

const EIGHT: [&str; 8] =
    ["A 15 1", "B 14 1", "C 13 1", "D 12 1", "E 11 1", "F 10 1", "G 9 1", "H 8 1"];

#[test]
fn who_drew_in_a_knockout_and_does_not_go_on_was_out_in_that_round() {
    // Time ran out between the fifth and the fourth, and the fifth went on.
    let rounds = ["H-A, E-D 1-1-0, F-C 2-1-0, G-B 2-1-0", "G-F, H-E", "H-G"];
    let text = file("mtgo.com", &rounds, &EIGHT);
    let text = with_places(&text, &["H 1", "G 2", "E 3", "F 4", "A 5", "B 6", "C 7", "D 8"]);
    let prepared = prepared(&text);
    let found = check(&prepared.source, &prepared.state, &prepared.rules).expect("places");
    assert_eq!((found.places.len(), found.same_places()), (8, 8), "{:?}", found.places);
}

#[test]
fn the_places_of_the_last_eight_stand_with_the_decks() {
    let source = source(include_str!("../../formats/fuzz-seeds/mtgo.json"));
    let places: Vec<(usize, u32)> =
        source.places.iter().map(|one| (one.player, one.place)).collect();
    let names: Vec<&str> =
        places.iter().map(|(player, _)| source.players[*player].name.as_str()).collect();
    // The fifth was not in the bracket, and is not compared.
    assert_eq!(names, ["Dana", "Bora", "Abel", "Cleo"]);
    assert_eq!(places.iter().map(|(_, place)| *place).collect::<Vec<_>>(), [1, 2, 3, 4]);
}

#[test]
fn a_match_that_stands_twice_once_without_games_has_the_other_result() {
    for games in
        ["A-B 2-1-0, A-B 0-0-0, C-D", "B-A 0-0-0, A-B 2-1-0, C-D", "A-B 2-1-0, B-A 0-0-0, C-D"]
    {
        let source = source(&file("melee.gg", &[games], &[]));
        let table = &source.phases[0].rounds[0].tables[0];
        let names = table.seats.iter().map(|seat| source.players[seat.player].name.as_str());
        let won = names.zip(&table.result.score.seats).map(|(name, lines)| (name, lines[0]));
        let mut won: Vec<(&str, i32)> = won.collect();
        won.sort_unstable();
        assert_eq!(won, [("A", 2), ("B", 1)], "{games}");
        let told = source.oddities.iter().filter(|odd| odd.sentence.contains("once as 0-0-0"));
        assert_eq!(told.count(), 1, "{games}: {:?}", source.oddities);
    }
}

#[test]
fn two_removed_accounts_in_a_round_are_two_players() {
    let rounds = ["A-Deleted 1-0-0, B-Deleted 1-0-0", "A-B 1-0-0, Deleted-C 1-0-0"];
    let rows = ["A 6 0.5", "B 3 0.5", "Deleted 3 0.5", "Deleted 0 0.5", "C 0 0.5"];
    let text = file("topdeck.gg", &rounds, &rows);
    let names = |source: &Source| -> Vec<String> {
        source.players.iter().map(|player| player.name.clone()).collect()
    };
    let twice = source(&text);
    assert_eq!(names(&twice), ["A", "(unnamed 1)", "B", "(unnamed 2)", "(unnamed 3)", "C"]);
    assert_eq!(twice.published.len(), 3);
    prepared(&text);
    // One who is never there twice keeps the rows.
    let once = source(&file("topdeck.gg", &["A-Deleted 1-0-0", "Deleted-A 1-0-0"], &rows[..1]));
    assert_eq!(names(&once), ["A", "Deleted"]);
}

#[test]
fn two_accounts_that_differ_in_case_are_two_players() {
    for round in ["Ann-ann, Bob-Cid", "Ann-Bob, ann-Cid"] {
        let source = source(&file("melee.gg", &[round], &[]));
        assert_eq!(source.players.len(), 4, "{round}");
    }
}

#[test]
fn players_of_one_rank_deny_no_cut() {
    let (rounds, mut rows) = cut_without(0);
    // The last of the quarterfinals and the last of the semifinals share a rank, in either order.
    rows.swap(3, 4);
    let text = file("melee.gg", &borrowed(&rounds), &borrowed(&rows));
    let text = text.replace("\"Rank\": 5,", "\"Rank\": 4,");
    assert_eq!(phases(&text), [(PhaseKind::Swiss, 4), (PhaseKind::Elimination, 3)]);
}

/// Somebody keeps their rounds in a spreadsheet, and types a name as it comes.
#[test]
fn a_name_typed_otherwise_is_the_same_player() {
    let text = "round,table,player_a,player_b,games_a,games_b,games_drawn\n\
                1,1,Ann Lee,Bob,2,0,0\n1,2,Cid,Dee,2,1,0\n\
                2,1,ann  lee,CID,2,0,0\n2,2,\u{ff22}ob,D\u{200b}ee,2,1,0\n";
    let source = source(text);
    let names: Vec<&str> = source.players.iter().map(|player| player.name.as_str()).collect();
    assert_eq!(names, ["Ann Lee", "Bob", "Cid", "Dee"]);
    let told: Vec<&str> = source.oddities.iter().map(|odd| odd.sentence.as_str()).collect();
    assert_eq!(told.len(), 4, "{told:?}");
    assert_eq!(
        told[0],
        "\"ann  lee\" is taken to be \"Ann Lee\": the two names are spelled alike."
    );
}

/// Of the two who lost at once D was ahead.
#[test]
fn the_match_for_the_third_place_counts_for_nothing() {
    let rows = "1,A,B,2,0 1,C,D,2,0 1,E,F,2,0 2,A,C,2,0 2,B,E,2,1 2,D,F,2,0 3,A,E,2,0 3,C,B,2,0 \
                3,D,F,2,1 4,A,B,2,0 4,C,D,2,0 5,A,C,2,0 5,B,D,2,1";
    let head = "round,player_a,player_b,games_a,games_b\n";
    let text =
        format!("# cut: 4\n{head}{}\n", rows.split_whitespace().collect::<Vec<_>>().join("\n"));
    assert_eq!(places(&text), "A 9, C 6, D 6, B 3, E 3, F 0");
}
