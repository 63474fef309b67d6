//! Every way in which a file is refused.

use super::*;

/// A file, and the code and a part of the message with which it is refused.
fn refused(bytes: &[u8], code: &str, part: &str) {
    let error = read("bad.txt", bytes).expect_err(part);
    let message = error.to_string();
    assert_eq!(error.code(), code, "{message}");
    assert!(message.starts_with("bad.txt: "), "{message}");
    assert!(message.contains(part), "{message:?} does not say {part:?}");
    assert!(!error.hint().is_empty());
    assert!(message.len() < 600, "a message of {} bytes", message.len());
}

#[test]
fn bad_json_is_refused_with_its_place() {
    let melee = |from: &str, to: &str| {
        let changed = MELEE.replacen(from, to, 1);
        assert_ne!(changed, MELEE, "{from} is not in the sample");
        changed
    };
    let deep = format!("{{\"Tournament\": {}", "[".repeat(200));
    let digits = "9".repeat(100_000);
    let long = "x".repeat(201);
    let rounds = r#"{"RoundName": "R", "Matches": []},"#.repeat(limits::ROUNDS + 1);
    let player_twice = melee("\"Egon\", \"Player2\": \"-\"", "\"Abel\", \"Player2\": \"-\"");
    let cases: [(String, &str, &str); 21] = [
        (String::new(), "empty-file", "empty"),
        (" \n\t".into(), "empty-file", "empty"),
        ("[1]".into(), "unknown-format", "cobra"),
        ("{\"a\": 1}".into(), "unknown-format", "deck-cache"),
        (MELEE[..500].into(), "truncated-json", "line 9, column 41"),
        (deep, "too-deep", "32 levels"),
        (melee("\"Rounds\"", "\"Tournament\": {}, \"Rounds\""), "bad-json", "duplicate"),
        (melee("melee.gg", "melee.gg.evil.org"), "unknown-platform", "Tournament.Uri"),
        (melee("2-1-0", "2-1"), "bad-result", "Rounds[1].Matches[0].Result"),
        (melee("2-1-0", "2--1-0"), "bad-result", "Rounds[1].Matches[0].Result"),
        (melee("2-1-0", "2-1-1e9"), "bad-result", "such as 2-1-0"),
        (melee("2-1-0", &format!("2-1-{digits}")), "out-of-bounds", "1000000"),
        (melee("\"Bora\", \"R", "\"Abel\", \"R"), "against-self", "Rounds[0].Matches[0]"),
        (player_twice, "twice-in-round", "Rounds[0].Matches[0]"),
        (
            melee("\"Cleo\", \"Result\": \"1-1-1\"", "\"Cleo\", \"Result\": \"2-0-0\""),
            "two-results",
            "Rounds[0].Matches[1]",
        ),
        (melee("Abel", "A\\u0007bel"), "bad-name", "control"),
        (melee("Abel", &long), "bad-name", "200"),
        (melee("\"Rank\": 1", "\"Rank\": -1"), "bad-json", "expected u32"),
        (melee("\"Points\": 6", &format!("\"Points\": {digits}")), "bad-json", "line"),
        (melee("0.66666667", "1e999"), "bad-value", "Standings[0].OGWP"),
        (melee("\"Rounds\": [", &format!("\"Rounds\": [{rounds}")), "too-many", "2047 rounds"),
    ];
    for (text, code, part) in cases {
        refused(text.as_bytes(), code, part);
    }
    let wordy = melee("\"Rank\": 1", &format!("\"Rank\": \"{digits}\""));
    refused(wordy.as_bytes(), "bad-json", "..., expected u32");
    refused(b"{\"a\": \"\xff\"}", "not-utf8", "offset 7");
    refused(&vec![b' '; limits::FILE_BYTES + 1], "file-too-large", "67108865");
}

#[test]
fn bad_cobra_is_refused_with_its_place() {
    let cobra = |from: &str, to: &str| COBRA.replacen(from, to, 1);
    let cases: [(String, &str, &str); 6] = [
        (cobra("\"player1\": {\"id\": 11", "\"player1\": {\"id\": 99"), "unknown-player", "[0][0]"),
        (cobra("\"table\": 2", "\"table\": 1"), "two-results", "table 1"),
        (cobra("\"id\": 12", "\"id\": 11"), "twice-in-round", "players[1]"),
        (cobra("\"combinedScore\": 6", "\"combinedScore\": 99999999"), "out-of-bounds", "[0][0]"),
        (
            cobra("\"combinedScore\": 0}, \"i", "\"combinedScore\": \"x\"}, \"i"),
            "bad-json",
            "whole number",
        ),
        (cobra("\"3.0\"", "\"three\""), "bad-value", "extendedStrengthOfSchedule"),
    ];
    for (text, code, part) in cases {
        refused(text.as_bytes(), code, part);
    }
}

#[test]
fn bad_csv_is_refused_with_its_line() {
    let head = "round,table,player_a,player_b,games_a,games_b,games_drawn,kind,ruling\n";
    let rows = |rows: &str| format!("# event: x\n{head}{rows}");
    let cases: [(String, &str, &str); 24] = [
        ("hello world".into(), "unknown-format", "hello world"),
        ("# event: x\n".into(), "empty-file", "empty"),
        (head.into(), "missing", "every round"),
        (rows("1,1,A,B,2,0,0,,,,x\n"), "bad-csv", "line 3"),
        (rows("1,1,A,A,2,0,0\n"), "against-self", "line 3"),
        (rows("1,1,A,B,2,0,0\n1,2,C,A,2,0,0\n"), "twice-in-round", "line 3"),
        (rows("1,1,A,B,2,0,0\n1,1,C,D,0,2,0\n"), "two-results", "2-0 and 0-2"),
        (rows("1,1,A,B,2,0,0\n3,1,A,B,2,0,0\n"), "missing", "round 2"),
        (rows("1,1,A,B,two,0,0\n"), "bad-value", "games_a"),
        (rows("1,1,A,B,2147483648,0,0\n"), "out-of-bounds", "games_a"),
        (rows("1,1,A,B,99999999999999999999,0,0\n"), "out-of-bounds", "games_a"),
        (rows("1,1,A,B,2,,0\n"), "missing", "games_b"),
        (rows("1,1,A,B\n"), "missing", "score"),
        (rows("1,1,A\n"), "missing", "player_b"),
        (rows(",1,A,B,2,0,0\n"), "missing", "round"),
        (rows("0,1,A,B,2,0,0\n"), "out-of-bounds", "round"),
        (rows("2048,1,A,B,2,0,0\n"), "out-of-bounds", "2047"),
        (rows("1,1,A,B,2,0,0,won\n"), "bad-value", "awarded bye"),
        (rows("1,1,A,B,2,0,0,,c\n"), "bad-value", "double loss"),
        (rows("1,1,A,B,2,0,0,bye\n"), "bad-value", "player_b"),
        (rows("1,1,A,B,2,0,0\n1,,A,,,,,drop\n2,1,A,B,2,0,0\n"), "plays-after-drop", "round 1"),
        (rows("1,1,A,B,2,0,0\n1,,A,,,,,drop\n1,,A,,,,,no-show\n"), "drops-twice", "line 5"),
        (rows("1,1,A,B,2,0,0\n1,,C,,,,,drop\n"), "unknown-player", "line 4"),
        (rows("1,1,A,B,2,0,0\n9,,A,,,,,drop\n"), "out-of-bounds", "line 4"),
    ];
    for (text, code, part) in cases {
        refused(text.as_bytes(), code, part);
    }
    let columns: [(&str, &str, &str); 6] = [
        ("round,player_a,player_b,rulling", "bad-value", "ruling, perhaps"),
        ("round,player_a,player_b,games_a", "missing", "games_b"),
        ("round,player_a,player_b,round", "bad-value", "round"),
        ("round,player_a,player_b,x!", "bad-value", "score line"),
        ("round,player_a,player_b,x,x_a,x_b", "bad-value", "x"),
        ("# phases: swiss five\nround,player_a,player_b,x", "bad-value", "line 1"),
    ];
    for (text, code, part) in columns {
        refused(format!("{text}\n1,A,B\n").as_bytes(), code, part);
    }
    let phases = "# phases: swiss 2\nround,player_a,player_b,x_a,x_b\n1,A,B,1,0\n";
    refused(phases.as_bytes(), "bad-value", "the 1 rounds");
    let roster = "round,player_a,player_b,x_a,x_b,kind\n,A,,,,player\n1,A,B,1,0\n";
    refused(roster.as_bytes(), "unknown-player", "\"B\"");
}
