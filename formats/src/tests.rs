//! Small files of every format, every way to be refused, and files damaged at random.

use scrutineer_engine::book::{Commitment, Field};
use scrutineer_engine::decide;
use scrutineer_engine::event::*;
use scrutineer_engine::tournament::Tournament;

use super::*;

mod answers;
mod anysheet;
mod bad;
mod books;
mod brackets;
mod chess;
mod chessresults;
mod damaged;
mod files;
mod go;
mod held;
mod leagues;
mod lists;
mod netrunner;
mod oddfiles;
mod oddscores;
mod oddsheets;
mod once_wrong;
mod platforms;
mod programs;
mod realsheets;
mod reports;
mod rounds;
mod running;
mod shapes;
mod sheets;
mod sheetwords;
mod stages;
mod tdf;
mod tunx;
mod varied;
mod xml;

const MELEE: &str = include_str!("../fuzz-seeds/melee.json");
const CARDSREALM: &str = include_str!("../fuzz-seeds/cardsrealm.json");
const TOPDECK: &str = include_str!("../fuzz-seeds/topdeck.json");
const MANATRADERS: &str = include_str!("../fuzz-seeds/manatraders.json");
const MTGO: &str = include_str!("../fuzz-seeds/mtgo.json");
const COBRA: &str = include_str!("../fuzz-seeds/cobra.json");
const CARDS: &str = include_str!("../fuzz-seeds/cards.csv");
const WARGAME: &str = include_str!("../fuzz-seeds/wargame.csv");
const CHESS: &str = include_str!("../fuzz-seeds/chess.trf");
const PODS: &str = include_str!("../fuzz-seeds/pods.tdf");
const BATTLEFY: &str = include_str!("../fuzz-seeds/battlefy.json");
const CHALLONGE: &str = include_str!("../fuzz-seeds/challonge.json");
const CHALLONGE_2: &str = include_str!("../fuzz-seeds/challonge2.json");
const CARDE: &str = include_str!("../fuzz-seeds/carde.json");
const NRTM: &str = include_str!("../fuzz-seeds/nrtm.json");
const XWING: &str = include_str!("../fuzz-seeds/xwing.json");
const TOME: &str = include_str!("../fuzz-seeds/tome.json");
const START_GG: &str = include_str!("../fuzz-seeds/startgg.json");
const SPLINTERLANDS: &str = include_str!("../fuzz-seeds/splinterlands.json");
const LIMITLESS: &str = include_str!("../fuzz-seeds/limitless.json");
const KTS: &str = include_str!("../fuzz-seeds/kts.xml");
const GOTHA: &str = include_str!("../fuzz-seeds/gotha.xml");
const PAIRGOTH: &str = include_str!("../fuzz-seeds/pairgoth.json");
const UPLOAD: &str = include_str!("../fuzz-seeds/chessresults.xml");
const LEAGUE: &str = include_str!("../fuzz-seeds/league.trf");
const MELEE_API: &str = include_str!("../fuzz-seeds/melee-api.json");
const TOPDECK_API: &str = include_str!("../fuzz-seeds/topdeck-api.json");
const MTGO_API: &str = include_str!("../fuzz-seeds/mtgo-api.json");
const MANATRADERS_API: &str = include_str!("../fuzz-seeds/manatraders-api.json");
const BCP: &str = include_str!("../fuzz-seeds/bcp.json");
const MACMAHON: &str = include_str!("../fuzz-seeds/macmahon.xml");
const SEEDS: [&str; 31] = [
    LEAGUE,
    MELEE_API,
    TOPDECK_API,
    MTGO_API,
    MANATRADERS_API,
    BCP,
    MACMAHON,
    GOTHA,
    PAIRGOTH,
    UPLOAD,
    MELEE,
    CARDSREALM,
    TOPDECK,
    MANATRADERS,
    MTGO,
    COBRA,
    CARDS,
    WARGAME,
    CHESS,
    PODS,
    BATTLEFY,
    CHALLONGE,
    CHALLONGE_2,
    CARDE,
    NRTM,
    XWING,
    TOME,
    START_GG,
    SPLINTERLANDS,
    LIMITLESS,
    KTS,
];

/// The examples of a folder whose names end so, with their bytes; none where `SCRUTINEER_FORMATS` names no
/// folder of examples, which is said.
#[allow(clippy::disallowed_methods, reason = "a test reads files")]
fn examples(folder: &str, ends: &[&str]) -> Vec<(String, Vec<u8>)> {
    let Some(all) = std::env::var_os("SCRUTINEER_FORMATS") else {
        let may_skip = std::env::var_os("SCRUTINEER_NO_SKIPS").is_none();
        assert!(may_skip, "SCRUTINEER_FORMATS is not set, and nothing may be skipped here");
        eprintln!("skipped: SCRUTINEER_FORMATS is not set");
        return Vec::new();
    };
    let files = std::fs::read_dir(std::path::Path::new(&all).join(folder)).expect("a folder");
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    let is_one = |path: &std::path::PathBuf| {
        let end = path.extension().map(|end| end.to_string_lossy().to_lowercase());
        end.is_some_and(|end| ends.contains(&end.as_str()))
    };
    let name = |path: &std::path::PathBuf| {
        path.file_name().expect("a name").to_string_lossy().into_owned()
    };
    let found = paths.iter().filter(|path| is_one(path));
    let found: Vec<_> =
        found.map(|path| (name(path), std::fs::read(path).expect("readable"))).collect();
    assert!(!found.is_empty(), "{folder} has no examples");
    found
}

fn source(text: &str) -> Source {
    read("event.txt", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"))
}

/// What is read, of which every event is legal where it stands.
fn read_legal(text: &str) -> Source {
    let source = source(text);
    legal_events(&source).expect("legal where they stand");
    source
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
        let legal = decide::validate(&state, event);
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
    assert_eq!(source.identity, "melee melee.gg/Tournament/View/1");
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
    let [swiss, cut] = &source.phases[..] else { panic!("{:?}", source.phases) };
    assert_eq!((swiss.kind, swiss.rounds.len()), (PhaseKind::Swiss, 0));
    let seeds: Vec<&str> =
        cut.entrants.iter().map(|&player| source.players[player].name.as_str()).collect();
    assert_eq!((cut.seeded, seeds), (true, vec!["Abel", "Bora", "Cleo", "Dana"]));
    assert!(source.unknown.contains(&UnknownFact::EarlierRounds));
    assert!(!source.unknown.contains(&UnknownFact::Seeds));
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
    assert_eq!(source.phases[1].kind, PhaseKind::Elimination);
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
    assert_eq!(source.identity, "csv Spring Open 2026-03-07");
    assert_eq!((source.drops.len(), source.drops[0].after_round), (1, 2));
    assert_eq!(source.phases.len(), 2);
    let unknown = [UnknownFact::SignUpOrder, UnknownFact::Times, UnknownFact::Seeds];
    assert_eq!(source.unknown, unknown);
}

#[test]
fn a_wargame_names_its_lines() {
    let source = source(WARGAME);
    let lines: Vec<String> =
        source.scoresheet.lines.iter().map(|line| format!("{} {}", line.name, line.per)).collect();
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
    let handbook = include_str!("../../docs/IMPORT.md");
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
    let identity = |text: &str| source(text).identity;
    assert_eq!(identity(MELEE), identity(&MELEE.replace("2-0-0", "2-1-0")));
    assert_ne!(identity(MELEE), identity(&MELEE.replace("View/1", "View/2")));
}
