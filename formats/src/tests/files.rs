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
    let error = join_rounds(&holes).expect_err("refused").to_string();
    assert!(error.starts_with("runde4.csv: line 1: ") && error.contains("expected 3"), "{error}");
}

/// Five rounds of eight players, each as its file has it.
fn five() -> Vec<(String, String)> {
    let names =
        ["Ada Berg", "Bo Dahl", "Cy Esch", "Di Falk", "Ed Gram", "Flo Hahn", "Gö Iser", "Ida Jung"];
    let round = |round: usize| {
        let mut text = "Weiß;Schwarz;Ergebnis\n".to_owned();
        for table in 0..4 {
            let (one, other) = (table, 4 + (table + round) % 4);
            let result = ["1-0", "½-½", "0-1"][(table + round) % 3];
            text += &format!("{};{};{result}\n", names[one], names[other]);
        }
        (format!("abend_{}.csv", round + 1), text)
    };
    (0..5).map(round).collect()
}

fn bytes(files: &[(String, Vec<u8>)]) -> Vec<(&str, &[u8])> {
    files.iter().map(|(name, bytes)| (name.as_str(), &bytes[..])).collect()
}

/// The five with the bytes of one of them changed.
fn with_damage(at: usize, damage: impl Fn(&str) -> Vec<u8>) -> Vec<(String, Vec<u8>)> {
    let files = five().into_iter().enumerate().map(|(number, (name, text))| match number == at {
        true => (name, damage(&text)),
        false => (name, text.into_bytes()),
    });
    files.collect()
}

/// None of five is brought in alone, and what is wrong is told with the file and the line.
fn refused(files: &[(String, Vec<u8>)], file: &str, expected: &str) {
    let files = bytes(files);
    let all: Vec<usize> = (0..files.len()).collect();
    assert_eq!(rounds_of_one(&files), [all], "{file}");
    let error = join_rounds(&files).expect_err("refused");
    assert_eq!(error.file, file, "{error}");
    assert!(error.place.starts_with("line ") && error.to_string().contains(expected), "{error}");
    assert!(!error.hint().is_empty());
}

#[test]
fn one_damaged_sheet_of_five_is_named_with_its_line_and_none_is_brought_in() {
    let whole: Vec<(String, Vec<u8>)> = with_damage(9, |_| Vec::new());
    assert_eq!(read_joined(&bytes(&whole)).rounds().count(), 5);
    // Within a name, between names, within a result: of a round between others and of the last one.
    for at in [2, 4] {
        let file = format!("abend_{}.csv", at + 1);
        let cut = |end: &str| {
            with_damage(at, |text| text[..text.rfind(end).expect("it is there") + 1].into())
        };
        refused(&cut(" Esch;"), &file, "the file ends within it");
        refused(&cut("Falk"), &file, "the file ends within it");
        let short = |text: &str| {
            let last = text.trim_end().char_indices().next_back();
            text[..last.expect("a letter").0].into()
        };
        refused(&with_damage(at, short), &file, "the result is");
    }
    // A round between others has all of its results.
    let open = with_damage(1, |text| text.replacen(";0-1\n", ";\n", 1).into_bytes());
    refused(&open, "abend_2.csv", "the score of the match, or a ruling");
    // A result that is none.
    let bad = with_damage(0, |text| text.replacen("½-½", "Hängepartie?", 1).into_bytes());
    refused(&bad, "abend_1.csv", "Hängepartie");
    // The round before was saved once more under the next name, as it is or in another order.
    let before = || five()[2].1.clone();
    refused(&with_damage(3, |_| before().into_bytes()), "abend_4.csv", "stands in abend_3.csv");
    let turned = |_: &str| {
        let mut lines: Vec<String> = before().lines().map(str::to_owned).collect();
        lines[1..].reverse();
        (lines.join("\n") + "\n").into_bytes()
    };
    refused(&with_damage(3, turned), "abend_4.csv", "stands in abend_3.csv");
}

/// A spreadsheet saves in whichever letters it likes, one file otherwise than the next.
#[test]
fn a_sheet_in_other_letters_is_the_same_round() {
    let whole = with_damage(9, |_| Vec::new());
    let expected = read_joined(&bytes(&whole));
    let utf16 = |text: &str| {
        [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
    };
    let windows = |text: &str| text.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect();
    for damaged in [with_damage(2, utf16), with_damage(3, windows)] {
        assert_eq!(read_joined(&bytes(&damaged)).phases, expected.phases);
    }
}

/// Lines that are gone as a whole leave a sheet that is one: who is missing is told.
#[test]
fn a_sheet_without_its_last_lines_is_told() {
    let lines = |text: &str| {
        text.lines().take(3).map(|line| format!("{line}\n")).collect::<String>().into_bytes()
    };
    let short = read_joined(&bytes(&with_damage(2, lines)));
    let told: Vec<&str> = short.oddities.iter().map(|one| one.sentence.as_str()).collect();
    let expected =
        "4 of the 8 who play in the rounds before and after it are not in it: is all of it there?";
    assert!(told.contains(&expected), "{told:?}");
}
