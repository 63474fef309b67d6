//! Rounds that stand in files of their own.

use super::*;
use crate::{join_rounds, rounds_of_one};

const ONE: &str =
    "Weiß;Schwarz;Ergebnis\nAda Berg;Bo Dahl;1-0\nCy Esch;Di Falk;0-1\nEd Gram;spielfrei;\n";
const TWO: &str =
    "Weiß;Schwarz;Ergebnis\nDi Falk;Ada Berg;1-0\nEd Gram;Cy Esch;½-½\nBo Dahl;spielfrei;\n";
const THREE: &str =
    "Weiß;Schwarz;Ergebnis\nBo Dahl;Cy Esch;\nAda Berg;Ed Gram;\nDi Falk;spielfrei;\n";

fn files(names: [&str; 3]) -> [(&str, &[u8]); 3] {
    [(names[0], ONE.as_bytes()), (names[1], TWO.as_bytes()), (names[2], THREE.as_bytes())]
}

fn read_joined(files: &[(&str, &[u8])]) -> Source {
    let all: Vec<usize> = (0..files.len()).collect();
    assert_eq!(rounds_of_one(files), [all]);
    let joined = join_rounds(files).expect("joined");
    let backwards: Vec<_> = files.iter().rev().copied().collect();
    assert_eq!(join_rounds(&backwards), Ok(joined.clone()), "in whatever order they come");
    let name = format!("{}.csv", joined.title.as_deref().unwrap_or("vereinsabend"));
    let text = String::from_utf8(joined.bytes).expect("a text");
    read(&name, text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn sheets_of_a_round_each_are_one_tournament_by_the_numbers_of_their_names() {
    for (names, title) in [
        (["runde1.csv", "runde2.csv", "runde3.csv"], "vereinsabend"),
        (["Runde 1.csv", "Runde 2.csv", "Runde 3.csv"], "vereinsabend"),
        (["Pokal, 1. Runde.csv", "Pokal, 2. Runde.csv", "Pokal, 3. Runde.csv"], "Pokal"),
        (["freitag_1.csv", "freitag_2.csv", "freitag_3.csv"], "freitag"),
        (["Round 3.csv", "Round 4.csv", "Round 5.csv"], "vereinsabend"),
    ] {
        let source = read_joined(&files(names));
        assert_eq!(source.title, title, "{names:?}");
        let rounds: Vec<usize> = source.rounds().map(|(_, round)| round.tables.len()).collect();
        assert_eq!((rounds, source.players.len()), (vec![2, 2, 2], 5), "{names:?}");
        assert!(!source.finished, "the last round is open");
        let byes: Vec<&str> = source
            .rounds()
            .flat_map(|(_, round)| &round.byes)
            .map(|bye| source.players[bye.player].name.as_str())
            .collect();
        assert_eq!(byes, ["Ed Gram", "Bo Dahl", "Di Falk"]);
        legal_events(&source).expect("legal");
    }
}

/// A line above the columns says it as well, whatever the files are called; what stands above them is kept.
#[test]
fn sheets_of_a_round_each_are_one_tournament_by_a_line_above() {
    let one = format!("# date: 2026-10-03\nHerbstpokal, Runde 1\n\n{ONE}");
    let two = format!("Herbstpokal, Runde 2\n\n{TWO}");
    let source = read_joined(&[("b.csv", one.as_bytes()), ("a.csv", two.as_bytes())]);
    assert_eq!(source.title, "Herbstpokal");
    assert!(source.held_on.is_some());
    let first = source.rounds().next().map(|(_, round)| &round.tables[0]).expect("a table");
    assert_eq!(source.players[first.seats[0].player].name, "Ada Berg");
}

#[test]
fn what_is_not_clearly_of_one_tournament_stands_alone() {
    let other = "Weiß;Schwarz;Ergebnis\nXa;Xe;1-0\nXi;Xo;0-1\n";
    let apart: [(&[&str; 2], [&str; 2]); 6] = [
        (&["runde1.csv", "runde2.csv"], [ONE, other]),
        (&["montag 1.csv", "dienstag 2.csv"], [ONE, TWO]),
        (&["2026-10-03.csv", "2026-10-10.csv"], [ONE, TWO]),
        (&["Liga 2025.csv", "Liga 2026.csv"], [ONE, TWO]),
        (&["a.csv", "b.csv"], [ONE, TWO]),
        (&["runde1.csv", "runde 1.csv"], [ONE, TWO]),
    ];
    for (names, texts) in apart {
        let files = [(names[0], texts[0].as_bytes()), (names[1], texts[1].as_bytes())];
        assert_eq!(rounds_of_one(&files), [[0_usize; 0]; 0], "{names:?}");
    }
    let with_rounds =
        "Runde;Weiß;Schwarz;Ergebnis\n1;Ada Berg;Bo Dahl;1-0\n1;Cy Esch;Di Falk;0-1\n";
    let files = [("runde1.csv", with_rounds.as_bytes()), ("runde2.csv", TWO.as_bytes())];
    assert_eq!(rounds_of_one(&files), [[0_usize; 0]; 0]);
}

#[test]
fn a_round_that_stands_twice_is_refused_with_both_files() {
    let twice = files(["runde1.csv", "runde2.csv", "Runde 2.csv"]);
    assert_eq!(rounds_of_one(&twice).len(), 1);
    let error = join_rounds(&twice).expect_err("refused").to_string();
    assert!(error.contains("runde2.csv") && error.contains("Runde 2.csv"), "{error}");
    // The same bytes under another name are the same sheet.
    let same = [twice[0], twice[1], ("Runde 2.csv", TWO.as_bytes())];
    assert!(join_rounds(&same).is_ok());
    // A round between others that is not there is missing.
    let holes = files(["runde1.csv", "runde2.csv", "runde4.csv"]);
    let joined = join_rounds(&holes).expect("joined");
    let error = read("vereinsabend.csv", &joined.bytes).expect_err("refused").to_string();
    assert!(error.contains('3'), "{error}");
}
