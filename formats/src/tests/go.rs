//! OpenGotha's and pairgoth's files.

use super::*;

fn told(source: &Source) -> Vec<&str> {
    source.oddities.iter().map(|odd| odd.sentence.as_str()).collect()
}

#[test]
fn opengotha_names_players_in_capitals_without_blanks() {
    let source = source(GOTHA);
    let lines = [
        "1: Lindberg, Ann-Okafor, Ben 1,0 (0) [Win, Loss]",
        "1: de Núñez, Diego Luis-Ito, Kenji  () [Loss, Win]",
        "1: Strauß, Ewa bye ",
        "2: de Núñez, Diego Luis-Lindberg, Ann 0,0 (1) [Draw, Draw]",
        "2: Strauß, Ewa-Okafor, Ben  () [Loss, Loss]",
        "3: Lindberg, Ann-Strauß, Ewa  ()",
    ];
    assert_eq!(sheet_of(&source), lines);
    assert_eq!((source.title.as_str(), source.planned_rounds), ("Spring Go", Some(4)));
    assert_eq!(source.held_on.map(|day| day.to_string()).as_deref(), Some("2026-03-07"));
    assert!(!source.finished);
    assert_eq!(source.players.len(), 5, "who is registered beforehand only does not take part");
    assert_eq!(source.players[0].rating, Some(2150));
    assert_eq!(source.players[0].publisher_id.as_deref(), Some("11110001"));
    let sentences = told(&source);
    assert!(sentences[0].starts_with("1 games were played with a handicap"), "{sentences:?}");
    assert!(sentences[1].contains("registered beforehand"), "{sentences:?}");
    assert!(sentences[2].contains("colours are not known"), "{sentences:?}");
    assert!(!format!("{source:?}").contains("192.0.2.77"), "the address is not kept");
    legal_events(&source).expect("legal where they stand");
}

#[test]
fn opengotha_is_read_in_any_encoding_and_before_its_first_round() {
    let truth = source(GOTHA);
    let wide: Vec<u8> = GOTHA.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let wide = read("event.txt", &[&[0xff, 0xfe][..], &wide].concat()).expect("read");
    assert_eq!(wide, truth);
    assert_eq!(source(&GOTHA.replace('\n', "\r\n")).players, truth.players);
    let start = GOTHA.find("<Games>").expect("there");
    let end = GOTHA.find("<TournamentParameterSet>").expect("there");
    let before = format!("{}<Games/><ByePlayers/>{}", &GOTHA[..start], &GOTHA[end..]);
    let before = source(&before);
    assert_eq!((before.players.len(), before.rounds().count(), before.finished), (5, 0, false));
    legal_events(&before).expect("legal where they stand");
    let players = GOTHA.find("<Players>").expect("there");
    let nobody = source(&format!("{}{}", &GOTHA[..players], &GOTHA[end..]));
    legal_events(&nobody).expect("legal where they stand");
    let gap = GOTHA.replace("roundNumber=\"2\"", "roundNumber=\"7\"");
    let gap = source(&gap.replace("RESULT_UNKNOWN", "RESULT_EQUAL"));
    assert_eq!(gap.rounds().count(), 7);
    legal_events(&gap).expect("legal where they stand");
}

#[test]
fn opengotha_is_refused_with_the_line() {
    let refused = |from: &str, to: &str| {
        let text = GOTHA.replacen(from, to, 1);
        assert_ne!(text, GOTHA, "{from}");
        read("event.xml", text.as_bytes()).expect_err(to).to_string()
    };
    let unknown = refused("blackPlayer=\"OKAFORBEN\"", "blackPlayer=\"NOBODY\"");
    assert!(unknown.contains("line 12") && unknown.contains("\"NOBODY\""), "{unknown}");
    let word = refused("RESULT_WHITEWINS", "RESULT_GREAT");
    assert!(word.contains("line 12") && word.contains("RESULT_GREAT"), "{word}");
    let twice =
        refused("roundNumber=\"2\" tableNumber=\"2\"", "roundNumber=\"3\" tableNumber=\"2\"");
    assert!(twice.contains("appears twice in Round 3"), "{twice}");
    let round = refused("roundNumber=\"3\"", "roundNumber=\"3000\"");
    assert!(round.contains("expected a number from 1 to 2047"), "{round}");
    let same = refused("name=\"Okafor\"", "name=\"Lind berg\"").contains("not among the players");
    assert!(same);
    let two = GOTHA.replacen("firstName=\"Zoé\"", "firstName=\"Ann\"", 1);
    let two = two.replacen("name=\"Absent\"", "name=\"Lindberg\"", 1).replacen("PRE", "FIN", 1);
    let two = read("event.xml", two.as_bytes()).expect_err("one key of two").to_string();
    assert!(two.contains("appears twice in the list of players"), "{two}");
}

#[test]
fn pairgoth_has_byes_as_games_against_nobody() {
    let source = source(PAIRGOTH);
    let lines = [
        "1: Lindberg, Ann-Okafor, Ben 1,0 (0) [Win, Loss]",
        "1: Ito bye ",
        "2: Ito-Lindberg, Ann  ()",
    ];
    assert_eq!(sheet_of(&source), lines);
    assert_eq!((source.players.len(), source.planned_rounds), (3, Some(2)));
    assert!(!source.finished);
    assert_eq!(told(&source).len(), 3, "{:?}", source.oddities);
    legal_events(&source).expect("legal where they stand");
    let bad = PAIRGOTH.replacen("\"r\": \"?\"", "\"r\": \"x\"", 1);
    let bad = read("event.tour", bad.as_bytes()).expect_err("no result").to_string();
    assert!(bad.contains("games[1][0]"), "{bad}");
    let bad = PAIRGOTH.replacen("\"b\": 12", "\"b\": 99", 1);
    let bad = read("event.tour", bad.as_bytes()).expect_err("nobody").to_string();
    assert!(bad.contains("games[0][0]") && bad.contains("99"), "{bad}");
}

#[test]
fn that_a_file_of_go_is_placed_by_scores_of_macmahon_is_told() {
    let by = |criteria: [&str; 3]| {
        let list =
            criteria.map(|name| format!("<PlacementCriterion name=\"{name}\" number=\"1\"/>"));
        let set = format!(
            "<PlacementParameterSet><PlacementCriteria>{}</PlacementCriteria></PlacementParameterSet>",
            list.concat()
        );
        let end = "</TournamentParameterSet>";
        let source = source(&GOTHA.replace(end, &format!("{set}{end}")));
        let told = told(&source).into_iter().find(|what| what.starts_with("The places go by"));
        told.map(str::to_owned)
    };
    let expected = "The places go by MMS, SOSM, and are not computed here: standings go by go (wins, SOS, SOSOS).";
    assert_eq!(by(["MMS", "SOSM", "NULL"]).as_deref(), Some(expected));
    assert_eq!(by(["NBW", "SOSW", "NULL"]), None, "so does the ruleset");
    let by_mms = |source: &Source| {
        told(source).iter().filter(|what| what.starts_with("The places go by MMS,")).count()
    };
    assert_eq!(by_mms(&source(PAIRGOTH)), 1);
    let bar = "<NumberOfRounds>3</NumberOfRounds><UpperMacMahonBar>true</UpperMacMahonBar>";
    let bars = MACMAHON.replace("<NumberOfRounds>3</NumberOfRounds>", bar);
    assert_eq!((by_mms(&source(MACMAHON)), by_mms(&source(&bars))), (0, 1));
}

/// That a bar stands in a file was taken for its being set.
#[test]
fn the_places_of_a_macmahon_file_go_by_its_wall_list_and_without_one_by_its_bars() {
    let by = |more: &str| {
        let rounds = "<NumberOfRounds>3</NumberOfRounds>";
        let text = MACMAHON.replace(rounds, &format!("{rounds}{more}"));
        let source = source(&text);
        let told = told(&source).into_iter().find(|what| what.starts_with("The places go by"));
        let criteria = told.and_then(|told| told.split(", and are").next());
        criteria.map(|told| told.replace("The places go by ", ""))
    };
    let wall = |names: [&str; 3]| {
        let columns = names.map(|name| {
            let name = format!("<ShortName>{name}</ShortName>");
            format!("<SortCriterionDescriptor>{name}</SortCriterionDescriptor>")
        });
        format!("<Walllist>{}</Walllist>", columns.concat())
    };
    let bars = |is: bool| {
        format!(
            "<UpperMacMahonBar>false</UpperMacMahonBar><LowerMacMahonBar>{is}</LowerMacMahonBar>"
        )
    };
    let (wins, scores) = (wall(["Points", "SOS", "SOSOS"]), wall(["Score", "SOS", "SOSOS"]));
    assert_eq!(by(&bars(false)), None);
    assert_eq!(by(&bars(true)).as_deref(), Some("MMS"));
    assert_eq!(by(&format!("{}{wins}", bars(false))), None, "so does the ruleset");
    assert_eq!(by(&format!("{}{wins}", bars(true))).as_deref(), Some("NBW, SOSM, SOSOSM"));
    assert_eq!(by(&scores).as_deref(), Some("MMS, SOSM, SOSOSM"));
}

fn opengotha() -> &'static dyn Format {
    *ALL.iter().find(|format| format.name() == "opengotha xml").expect("there")
}

fn written(source: &Source, into: Option<&str>) -> Written {
    let into = into.map(|text| File::new("event.xml", text.as_bytes()));
    opengotha().write(source, into.as_ref()).expect("it writes").expect("written")
}

#[test]
fn what_is_written_for_opengotha_is_read_as_it_was_and_written_the_same() {
    let truth = source(GOTHA);
    let anew = written(&truth, None);
    assert_eq!(anew.left_out, [] as [String; 0]);
    let again = source(&anew.text);
    assert_eq!(sheet_of(&again), sheet_of(&truth));
    assert_eq!((&again.players, again.planned_rounds), (&truth.players, truth.planned_rounds));
    assert_eq!((&again.title, again.held_on), (&truth.title, truth.held_on));
    assert_eq!(again.identity, truth.identity);
    assert_eq!(written(&again, None).text, anew.text);
    assert!(anew.text.contains("knownColor=\"true\""), "its first seats are those of white");
    let cards = written(&source(CARDS), None);
    assert!(!cards.text.contains("knownColor=\"true\""), "nobody said who has black");
    let told = |what: &String| what.starts_with("colors of games, written as not known: ");
    assert!(cards.left_out.iter().any(told), "{cards:?}");
    let mut undated = truth.clone();
    undated.held_on = None;
    let undated = written(&undated, None);
    assert!(undated.text.contains("beginDate=\"1900-01-01\""), "{}", undated.text);
    assert_eq!(undated.left_out, ["the day, without which the program takes no file: 1900-01-01"]);
    assert!(cards.left_out.iter().any(|what| what.starts_with("scores of matches")), "{cards:?}");
    assert_eq!(source(&cards.text).players.len(), source(CARDS).players.len());
}

#[test]
fn a_round_is_written_into_a_file_of_opengotha_and_all_else_stays() {
    let mut truth = source(GOTHA);
    assert_eq!(written(&truth, Some(GOTHA)).text, GOTHA, "what says the same stays byte for byte");
    // Colors that were put right there, and not here, stay with their handicap.
    let mut turned = source(GOTHA);
    for table in turned.phases[0].rounds.iter_mut().flat_map(|round| &mut round.tables) {
        table.seats.reverse();
        table.result.score.seats.reverse();
        table.result.rulings.reverse();
    }
    let text = written(&turned, Some(GOTHA)).text;
    assert_eq!(sheet_of(&source(&text)), sheet_of(&source(GOTHA)));
    assert!(text.contains("handicap=\"9\" knownColor=\"false\""), "{text}");
    truth.phases[0].rounds[2].tables[0].result = sheet::single_game([0, 1, 0]);
    let text = written(&truth, Some(GOTHA)).text;
    let again = source(&text);
    assert_eq!(sheet_of(&again)[5], "3: Lindberg, Ann-Strauß, Ewa 0,1 (0) [Loss, Win]");
    assert_eq!(sheet_of(&again).len(), 6);
    for stays in
        ["club=\"Hill\"", "hdCeiling=\"9\"", "director=\"Somebody\"", "registeringStatus=\"PRE\""]
    {
        assert!(text.contains(stays), "{stays}");
    }
    assert!(text.contains("handicap=\"9\" knownColor=\"false\""), "what is known of a game stays");
    assert_eq!(written(&again, Some(&text)).text, text);
    let marked = format!("\u{feff}{GOTHA}");
    assert_eq!(written(&source(&marked), Some(&marked)).text, marked);
    let other = GOTHA.replace("Okafor", "Somebody").replace("OKAFOR", "SOMEBODY");
    let file = File::new("event.xml", other.as_bytes());
    let refused = opengotha().write(&truth, Some(&file)).expect("it writes").expect_err("nobody");
    assert!(refused.to_string().contains("Okafor, Ben"), "{refused}");
    // What is no file of the program blames nobody.
    for (name, other) in [("club.xml", MACMAHON), ("upload.xml", UPLOAD)] {
        let file = File::new(name, other.as_bytes());
        let refused = opengotha().write(&truth, Some(&file)).expect("it writes").expect_err(name);
        assert_eq!(refused.code().word, "into-not-read", "{refused}");
    }
}

/// Such a file was refused as one in which its own player is not.
#[test]
fn a_file_of_opengotha_may_have_all_of_a_name_in_one_part() {
    let whole = GOTHA
        .replace(
            "firstName=\"Ben\" grade=\"1K\" name=\"Okafor\"",
            "firstName=\"\" grade=\"1K\" name=\"Okafor, Ben\"",
        )
        .replace("\"OKAFORBEN\"", "\"OKAFOR,BEN\"");
    let mut truth = source(&whole);
    assert_eq!(truth.players[1].name, "Okafor, Ben");
    assert_eq!(written(&truth, Some(&whole)).text, whole);
    truth.phases[0].rounds[2].tables[0].result = sheet::single_game([0, 1, 0]);
    let text = written(&truth, Some(&whole)).text;
    assert_eq!(text.matches("blackPlayer=\"OKAFOR,BEN\"").count(), 2, "{text}");
    assert_eq!(sheet_of(&source(&text)), sheet_of(&truth));
}

/// Every example is read. Runs where `SCRUTINEER_FORMATS` names the examples' folder.
#[test]
fn every_example_of_go_is_read() {
    let (mut files, mut rounds, mut games) = (0, 0, 0);
    for (name, bytes) in examples("opengotha", &["xml", "tour"]) {
        let text = String::from_utf8_lossy(&bytes);
        if text.contains("<TournamentData") {
            let source = read(&name, &bytes).unwrap_or_else(|error| panic!("{error}"));
            legal_events(&source).unwrap_or_else(|error| panic!("{name}: {error}"));
            let tables: usize = source.rounds().map(|(_, round)| round.tables.len()).sum();
            let byes: usize = source.rounds().map(|(_, round)| round.byes.len()).sum();
            assert_eq!(source.format, "macmahon xml", "{name}");
            assert_eq!(tables + byes, text.matches("<Pairing>").count(), "{name}");
            continue;
        }
        let source = read(&name, &bytes).unwrap_or_else(|error| panic!("{error}"));
        assert!(matches!(&*source.format, "opengotha xml" | "pairgoth json"), "{name}");
        legal_events(&source).unwrap_or_else(|error| panic!("{name}: {error}"));
        for oddity in &source.oddities {
            eprintln!("{name} {}: {}", oddity.place, oddity.sentence);
        }
        let tables: usize = source.rounds().map(|(_, round)| round.tables.len()).sum();
        let byes: usize = source.rounds().map(|(_, round)| round.byes.len()).sum();
        if source.format == "opengotha xml" {
            assert_eq!(tables, text.matches("<Game ").count(), "{name}");
            assert_eq!(byes, text.matches("<ByePlayer ").count(), "{name}");
            let preliminary = text.matches("registeringStatus=\"PRE\"").count();
            let players = text.matches("<Player ").count();
            assert!((players - preliminary..=players).contains(&source.players.len()), "{name}");
        }
        let written_anew = written(&source, None);
        let anew = written_anew.text;
        let again = read(&name, anew.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
        let are_renamed = written_anew.left_out.iter().any(|what| what.contains("told apart"));
        assert!(are_renamed || sheet_of(&again) == sheet_of(&source), "{name}: read as it was");
        assert_eq!(again.rounds().count(), source.rounds().count(), "{name}");
        assert_eq!(written(&again, None).text, anew, "{name}");
        if source.format == "opengotha xml" {
            let same = written(&source, Some(&text)).text;
            assert_eq!(same, text, "{name}: written into itself it is the same");
        }
        files += 1;
        rounds += source.rounds().count();
        games += tables;
    }
    eprintln!("{files} files, {rounds} rounds, {games} games");
}
