//! Small files of every format, every way to be refused, and files damaged at random.

use scrutineer_engine::book::{Commitment, Field};
use scrutineer_engine::decide;
use scrutineer_engine::event::*;
use scrutineer_engine::tournament::Tournament;

use super::*;

const MELEE: &str = include_str!("../../fuzz-seeds/melee.json");
const CARDSREALM: &str = include_str!("../../fuzz-seeds/cardsrealm.json");
const TOPDECK: &str = include_str!("../../fuzz-seeds/topdeck.json");
const MANATRADERS: &str = include_str!("../../fuzz-seeds/manatraders.json");
const MTGO: &str = include_str!("../../fuzz-seeds/mtgo.json");
const COBRA: &str = include_str!("../../fuzz-seeds/cobra.json");
const CARDS: &str = include_str!("../../fuzz-seeds/cards.csv");
const WARGAME: &str = include_str!("../../fuzz-seeds/wargame.csv");
const SEEDS: [&str; 8] = [MELEE, CARDSREALM, TOPDECK, MANATRADERS, MTGO, COBRA, CARDS, WARGAME];

fn source(text: &str) -> Source {
    read("event.txt", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"))
}

/// One line for each match and bye, as `1: Abel-Bora 2,0 (0)`.
fn sheet_of(source: &Source) -> Vec<String> {
    let name = |player: usize| source.players[player].name.as_str();
    let mut lines = Vec::new();
    for (number, (_, round)) in (1..).zip(source.rounds()) {
        for table in &round.tables {
            let seats: Vec<&str> = table.seats.iter().map(|seat| name(seat.player)).collect();
            let result = &table.result;
            let rulings: Vec<&Ruling> = result.rulings.iter().flatten().collect();
            let ruled = if rulings.is_empty() { String::new() } else { format!(" {rulings:?}") };
            lines.push(format!("{number}: {} {}{ruled}", seats.join("-"), words(&result.score)));
        }
        for bye in &round.byes {
            let reported = bye.reported.as_ref().map_or(String::new(), words);
            lines.push(format!("{number}: {} {} {reported}", name(bye.player), bye.kind));
        }
    }
    lines
}

fn words(score: &Score) -> String {
    let seats: Vec<String> = score
        .seats
        .iter()
        .map(|seat| seat.iter().map(i32::to_string).collect::<Vec<_>>().join("+"))
        .collect();
    let table: Vec<String> = score.table.iter().map(i32::to_string).collect();
    format!("{} ({})", seats.join(","), table.join("+"))
}

/// The events of a source, each checked to be legal where it stands.
fn legal_events(source: &Source) -> Result<Vec<Event>, ImportError> {
    let mut number = 0;
    let mut private = |_: Field, _: &str| {
        number += 1;
        Commitment { number, digest: [0; 32] }
    };
    let events = events(source, [7; 32], &mut private, Vec::new())?;
    let mut state = Tournament::default();
    for (at, event) in events.iter().enumerate() {
        let legal = decide::admit(&state, event);
        assert!(legal.is_ok(), "event {}: {legal:?}: {event:?}", at + 1);
        state.evolve(event);
    }
    Ok(events)
}

#[test]
fn melee_lists_drawn_matches_twice_and_awards_losses() {
    let source = source(MELEE);
    let expected = [
        "1: Abel-Bora 2,0 (0)",
        "1: Cleo-Dana 1,1 (1)",
        "1: Egon bye 2,0 (0)",
        "2: Abel-Egon 2,1 (0)",
        "2: Bora-Cleo 3,0 (0)",
        "2: Dana awarded loss 0,2 (0)",
    ];
    assert_eq!(sheet_of(&source), expected);
    assert_eq!(source.scoresheet.best_of, Some(3));
    assert_eq!(source.identity.as_deref(), Some("melee melee.gg/Tournament/View/1"));
    assert_eq!(source.held_on, Some(Day { year: 2026, month: 3, day: 1 }));
    let sentences: Vec<&str> = source.oddities.iter().map(|odd| odd.sentence.as_str()).collect();
    assert_eq!(sentences, ["A best of 3 cannot end 3-0-0."]);
    assert_eq!(source.published[2].values[0].text, "1");
    assert_eq!((source.published_digits, source.published_after), (Some(8), Some(2)));
}

#[test]
fn cardsrealm_writes_byes_first_and_leaves_names_out() {
    let source = source(CARDSREALM);
    let expected = [
        "1: Abel-Bora 2,0 (0)",
        "1: Cleo bye 2,0 (0)",
        "2: Abel-(unnamed) 1,2 (0)",
        "2: Bora awarded loss 0,2 (0)",
    ];
    assert_eq!(sheet_of(&source), expected);
    assert_eq!(source.published[0].values[0].text, "0.6667000000000001");
    assert_eq!(source.published_digits, Some(4));
}

#[test]
fn two_players_without_a_name_in_a_round_are_two() {
    let twice = CARDSREALM.replace("\"Bye\", \"Player2\": \"Cleo\"", "\"\", \"Player2\": \"\"");
    let source = source(&twice);
    let names: Vec<&str> = source.players.iter().map(|player| player.name.as_str()).collect();
    assert_eq!(names, ["Abel", "Bora", "(unnamed 1)", "(unnamed 2)", "(unnamed 3)"]);
}

#[test]
fn topdeck_knows_outcomes_only() {
    let source = source(TOPDECK);
    assert!(source.unknown.contains(&UnknownFact::Games));
    assert_eq!(source.scoresheet.best_of, Some(1));
    let kinds: Vec<PhaseKind> = source.phases.iter().map(|phase| phase.kind).collect();
    assert_eq!(kinds, [PhaseKind::Swiss, PhaseKind::Elimination]);
    assert_eq!(source.published_after, Some(2));
    assert_eq!(sheet_of(&source)[1], "1: Cleo bye 0,0 (1)");
}

#[test]
fn manatraders_plays_for_places_beside_the_semifinals() {
    let source = source(MANATRADERS);
    let cut = &source.phases[1];
    assert_eq!((cut.rounds.len(), cut.rounds[0].tables.len()), (1, 2));
    assert_eq!(cut.rounds[0].name, "Semifinals");
}

#[test]
fn mtgo_is_seeded_by_its_standings() {
    let source = source(MTGO);
    let cut = &source.phases[0];
    let seeds: Vec<&str> =
        cut.entrants.iter().map(|&player| source.players[player].name.as_str()).collect();
    assert_eq!((cut.seeded, seeds), (true, vec!["Abel", "Bora", "Cleo", "Dana"]));
    assert!(source.unknown.contains(&UnknownFact::EarlierRounds));
}

#[test]
fn cobra_has_roles_seeds_and_winners() {
    let source = source(COBRA);
    let expected = [
        "1: Abel-Cleo 6+3+3,0+0+0 ()",
        "1: Bora bye 6+0+0,0+0+0 ()",
        "2: Abel-Bora  () [Loss, Win]",
    ];
    assert_eq!(sheet_of(&source), expected);
    assert_eq!(source.phases[1].kind, PhaseKind::DoubleElimination);
    assert_eq!(source.phases[1].entrants, [0, 1]);
    let roles: Vec<u8> =
        source.phases[1].rounds[0].tables[0].seats.iter().map(|seat| seat.role).collect();
    assert_eq!((roles, source.published_after), (vec![1, 2], Some(1)));
}

#[test]
fn a_csv_says_everything() {
    let source = source(CARDS);
    let expected = [
        "1: Abel-Bora 2,0 (0)",
        "1: Cleo-Dana 1,1 (1)",
        "1: Egon bye ",
        "2: Abel-Cleo 2,1 (0)",
        "2: Egon-Dana  () [Win, Loss]",
        "2: Bora awarded loss ",
        "3: Abel-Egon 0,0 (3)",
        "3: Cleo-Bora 1,1 (0) [Win, Loss]",
        "4: Abel-Egon 2,1 (0)",
    ];
    assert_eq!(sheet_of(&source), expected);
    assert_eq!(source.rules.as_deref(), Some("mtr"));
    assert_eq!(source.identity.as_deref(), Some("csv Spring Open 2026-03-07"));
    assert_eq!((source.drops.len(), source.drops[0].after_round), (1, 2));
    assert_eq!(source.phases.len(), 2);
    assert_eq!(source.unknown, [UnknownFact::SignUpOrder, UnknownFact::Times]);
}

#[test]
fn a_wargame_names_its_lines() {
    let source = source(WARGAME);
    let lines: Vec<String> = source
        .scoresheet
        .lines
        .iter()
        .map(|line| format!("{} {}", line.name, line.per))
        .collect();
    assert_eq!(lines, ["objective seat", "survival seat", "turns table"]);
    assert_eq!(sheet_of(&source)[0], "1: Abel-Bora 5+10,4+8 (6)");
    assert_eq!(source.phases[0].rounds[1].weight, RoundWeight { num: 1, den: 2 });
    let abel = &source.players[0];
    assert_eq!((abel.sign_up, abel.rating), (Some(2), Some(1500)));
    assert_eq!(abel.publisher_id.as_deref(), Some("A-7"));
    assert_eq!(source.unknown, [UnknownFact::Times]);
}

#[test]
fn the_examples_of_the_handbook_read() {
    let handbook = include_str!("../../../docs/IMPORT.md");
    let examples: Vec<&str> = handbook
        .split("```csv\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap_or(""))
        .collect();
    assert_eq!(examples.len(), 5);
    for example in examples {
        let source = source(example);
        assert_eq!(source.oddities, [], "{example}");
        legal_events(&source).expect("events");
    }
}

#[test]
fn the_handbook_lists_every_code() {
    let handbook = include_str!("../../../docs/IMPORT.md");
    let errors = include_str!("error.rs");
    let codes = errors.lines().filter_map(|line| line.trim().split_once("=> \""));
    let codes: Vec<&str> = codes.filter_map(|(_, rest)| rest.strip_suffix("\",")).collect();
    let codes = codes.iter().filter(|code| !code.contains(' '));
    assert!(codes.clone().count() > 15);
    for code in codes {
        assert!(handbook.contains(&format!("| `{code}` |")), "{code} is not in docs/IMPORT.md");
    }
}

#[test]
fn events_follow_each_other_as_in_a_live_event() {
    let source = source(CARDS);
    let events = legal_events(&source).expect("events");
    let words: Vec<&str> = events.iter().map(Event::word).collect();
    let mut runs = words.clone();
    runs.dedup();
    let first = ["tournament opened", "imported", "player enrolled", "phase started"];
    assert_eq!(runs[..4], first);
    let round = ["round opened", "pairing", "bye", "result", "round completed"];
    assert_eq!(runs[4..9], round);
    assert_eq!(runs[runs.len() - 3..], ["round completed", "phase ended", "tournament closed"]);
    for event in &events {
        if let Event::ResultRecorded(result) = event {
            let at = usize::try_from(result.pairing).expect("small") - 1;
            assert_eq!(events[at].word(), "pairing");
        }
    }
}

#[test]
fn published_ranks_of_everybody_are_lots() {
    let lots = |text: &str| -> Vec<LotsDrawn> {
        let events = legal_events(&source(text)).expect("events");
        let drawn = events.into_iter().filter_map(|event| match event {
            Event::LotsDrawn(lots) => Some(lots),
            _ => None,
        });
        drawn.collect()
    };
    assert_eq!(lots(MELEE)[0].order, [1, 2, 5, 3, 4]);
    assert!(lots(CARDSREALM).is_empty());
}

#[test]
fn long_lists_continue_in_further_events() {
    let mut text = String::from("round,player_a,player_b,games_a,games_b\n");
    for pair in 0..8_001 {
        text += &format!("1,left {pair},right {pair},2,0\n");
    }
    let events = legal_events(&source(&text)).expect("events");
    let started: Vec<(u32, usize)> = events
        .iter()
        .filter_map(|event| match event {
            Event::PhaseStarted(phase) => Some((phase.first_seed, phase.entrants.len())),
            _ => None,
        })
        .collect();
    assert_eq!(started, [(1, 8_000), (8_001, 8_000), (16_001, 2)]);
}

#[test]
fn ids_derive_from_the_file() {
    assert_eq!(stream_id(b"a"), stream_id(b"a"));
    assert_ne!(stream_id(b"a"), stream_id(b"b"));
    let identity = |text: &str| match legal_events(&source(text)).expect("events").remove(1) {
        Event::Imported(imported) => imported.source_event,
        other => panic!("{other:?}"),
    };
    assert_eq!(identity(MELEE), identity(&MELEE.replace("2-0-0", "2-1-0")));
    assert_ne!(identity(MELEE), identity(&MELEE.replace("View/1", "View/2")));
}

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
    let rounds = r#"{"RoundName": "R", "Matches": []},"#.repeat(65);
    let player_twice = melee("\"Egon\", \"Player2\": \"-\"", "\"Abel\", \"Player2\": \"-\"");
    let cases: [(String, &str, &str); 21] = [
        (String::new(), "empty-file", "empty"),
        (" \n\t".into(), "empty-file", "empty"),
        ("[1]".into(), "unknown-format", "Cobra"),
        ("{\"a\": 1}".into(), "unknown-format", "deck-cache"),
        (MELEE[..500].into(), "truncated-json", "line 10, column"),
        (deep, "bad-json", "recursion"),
        (melee("\"Rounds\"", "\"Tournament\": {}, \"Rounds\""), "bad-json", "duplicate"),
        (melee("melee.gg", "melee.gg.evil.org"), "unknown-platform", "Tournament.Uri"),
        (melee("2-1-0", "2-1"), "bad-result", "Rounds[1].Matches[0].Result"),
        (melee("2-1-0", "2--1-0"), "bad-result", "Rounds[1].Matches[0].Result"),
        (melee("2-1-0", "2-1-1e9"), "bad-result", "such as 2-1-0"),
        (melee("2-1-0", &format!("2-1-{digits}")), "out-of-bounds", "1000000"),
        (melee("\"Bora\", \"R", "\"Abel\", \"R"), "against-himself", "Rounds[0].Matches[0]"),
        (player_twice, "twice-in-round", "Rounds[0].Matches[0]"),
        (melee("\"Cleo\", \"Result\": \"1-1-1\"", "\"Cleo\", \"Result\": \"2-0-0\""),
            "two-results", "Rounds[0].Matches[1]"),
        (melee("Abel", "A\\u0007bel"), "bad-name", "control"),
        (melee("Abel", &long), "bad-name", "200"),
        (melee("\"Rank\": 1", "\"Rank\": -1"), "bad-json", "expected u32"),
        (melee("\"Points\": 6", &format!("\"Points\": {digits}")), "bad-json", "line"),
        (melee("0.66666667", "1e999"), "bad-value", "Standings[0].OGWP"),
        (melee("\"Rounds\": [", &format!("\"Rounds\": [{rounds}")), "too-many", "64 rounds"),
    ];
    for (text, code, part) in cases {
        refused(text.as_bytes(), code, part);
    }
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
        (cobra("\"combinedScore\": 6", "\"combinedScore\": null"), "missing", "combinedScore"),
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
        (rows("1,1,A,B,2,0,0,,,,\n"), "bad-csv", "line 3"),
        (rows("1,1,A,A,2,0,0\n"), "against-himself", "line 3"),
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
        (rows("65,1,A,B,2,0,0\n"), "out-of-bounds", "64"),
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

/// A generator of our own (splitmix64): the same damage in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % limit.max(1) as u64).expect("below the limit")
    }

    fn damage(&mut self, bytes: &mut Vec<u8>) {
        const TOKENS: [&str; 18] = [
            "-", "\"", "null", "9999999999", "-1", "[", "{", "}", ",", ";", "\n", "\u{0}", "Bye",
            "0-0-0", "1e400", "\u{202e}", "#", "1",
        ];
        let (from, to) = (self.below(bytes.len()), self.below(bytes.len()));
        let range = from.min(to)..from.max(to).min(from.min(to) + 60);
        match self.below(6) {
            0 => bytes.truncate(from),
            1 => drop(bytes.drain(range)),
            2 => {
                let copy = bytes[range].to_vec();
                bytes.splice(to..to, copy);
            }
            3 if !bytes.is_empty() => bytes[from] ^= 1 << self.below(8),
            4 if !bytes.is_empty() => bytes[from] = b'0' + self.below(10) as u8,
            _ => {
                let token = TOKENS[self.below(TOKENS.len())];
                bytes.splice(from..from, token.bytes());
            }
        }
    }
}

/// Whatever is read gives legal events; whatever is not gives an error, and never a panic.
#[test]
fn damaged_files_are_refused_or_legal() {
    let mut random = Random(2026);
    let (mut read_again, mut refused) = (0, 0);
    for seed in SEEDS {
        for _ in 0..1_500 {
            let mut bytes = seed.as_bytes().to_vec();
            for _ in 0..=random.below(3) {
                random.damage(&mut bytes);
            }
            match read("damaged", &bytes) {
                Ok(source) => {
                    legal_events(&source).expect("what is read can be recorded");
                    read_again += 1;
                }
                Err(error) => {
                    assert!(error.to_string().len() < 600);
                    refused += 1;
                }
            }
        }
    }
    assert!(read_again > 500 && refused > 500, "{read_again} read, {refused} refused");
}
