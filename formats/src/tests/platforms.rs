//! The answers of platforms.

use super::*;

/// The kinds of a tournament's phases, each with the number of its rounds.
pub(super) fn shape(source: &Source) -> Vec<(PhaseKind, usize)> {
    source.phases.iter().map(|phase| (phase.kind, phase.rounds.len())).collect()
}

pub(super) fn refused(text: &str) -> String {
    read("event.json", text.as_bytes()).expect_err("refused").to_string()
}

/// What a format writes of a source.
pub(super) fn written(format: &dyn Format, source: &Source) -> Written {
    format.write(source, None).expect("it writes").unwrap_or_else(|error| panic!("{error}"))
}

/// A source without the places of the file, which another file has elsewhere.
pub(super) fn without_places(mut source: Source) -> Source {
    for round in source.phases.iter_mut().flat_map(|phase| &mut phase.rounds) {
        round.tables.iter_mut().for_each(|table| table.place.clear());
        round.byes.iter_mut().for_each(|bye| bye.place.clear());
        round.byes.sort_by_key(|bye| bye.player);
    }
    source.drops.iter_mut().for_each(|drop| drop.place.clear());
    source.oddities.clear();
    source
}

#[test]
fn a_battlefy_team_called_bye_is_nobody_and_a_reset_that_was_not_needed_is_none() {
    let source = source(BATTLEFY);
    let expected = [
        "1: Birch-Cedar 2,1 (0)",
        "1: Ash Foxes bye ",
        "2: Ash Foxes-Birch 2,0 (0)",
        "2: Cedar bye ",
        "3: Birch-Cedar 1,2 (0)",
        "4: Ash Foxes-Cedar  ()",
    ];
    assert_eq!(sheet_of(&source), expected);
    assert_eq!(shape(&source), [(PhaseKind::DoubleElimination, 3), (PhaseKind::Elimination, 1)]);
    assert!(!source.finished && source.scoresheet.best_of == Some(3));
    let told: Vec<&str> = source.oddities.iter().map(|one| one.sentence.as_str()).collect();
    assert!(told[0].contains("BYE 1") && told.len() == 3, "{told:?}");
    assert_eq!(source.oddities[1].place, "[0].stages[1].matches[0]");
    legal_events(&source).expect("legal where they stand");
    let both = refused(&BATTLEFY.replacen("\"winner\":false", "\"winner\":true", 1));
    assert!(both.contains("stages[0].matches[0].bottom.winner"), "{both}");
}

#[test]
fn challonge_has_its_losers_below_zero_and_no_byes() {
    let source = source(CHALLONGE);
    let expected = [
        "1: Dot-Eli 2,0 (0)",
        "1: Ann bye ",
        "1: Ben bye ",
        "1: Cem bye ",
        "2: Ann-Dot 2,1 (0)",
        "2: Ben-Cem 0,2 (0)",
        "3: Ann-Cem 2,0 (0)",
        "3: Dot-Ben  () [Loss, Win]",
        "4: Eli-Ben  () [Loss, Win]",
        "5: Cem-Ben 1,2 (0)",
        "6: Ann-Ben 1,2 (0)",
        "7: Ann-Ben 2,1 (0)",
    ];
    assert_eq!(sheet_of(&source), expected);
    assert_eq!(source.phases[0].rounds[2].name, "Round 3: winners 3, losers 1");
    assert_eq!((source.phases[0].seeded, source.places.len()), (true, 5));
    assert!(source.finished);
    legal_events(&source).expect("legal where they stand");
}

/// Challonge gives both matches of a grand final the number of its round.
#[test]
fn a_second_final_of_challonge_is_played_after_the_first_one() {
    let truth = source(CHALLONGE);
    let last = CHALLONGE.rfind("\"round\":5").expect("the second final");
    let mut text = CHALLONGE.to_owned();
    text.replace_range(last..last + "\"round\":5".len(), "\"round\":4");
    assert_eq!(sheet_of(&source(&text)), sheet_of(&truth));
}

#[test]
fn a_match_for_the_third_place_is_kept_and_said_to_decide_no_place() {
    let player =
        |id: u32| format!(r#"{{"participant": {{"id": {id}, "name": "P{id}", "seed": {id}}}}}"#);
    let game = |(round, first, second): (i64, u32, u32)| {
        format!(
            r#"{{"match": {{"id": {first}{second}, "round": {round}, "state": "complete", "player1_id": {first}, "player2_id": {second}, "winner_id": {first}, "scores_csv": "2-0"}}}}"#
        )
    };
    let games = [(1, 1, 4), (1, 2, 3), (2, 1, 2), (0, 3, 4)].map(game).join(", ");
    let players = [1, 2, 3, 4].map(player).join(", ");
    let source = source(&format!(
        r#"{{"tournament": {{"id": 1, "name": "Cup", "tournament_type": "single elimination", "state": "complete", "participants": [{players}], "matches": [{games}]}}}}"#
    ));
    let expected = ["1: P1-P4 2,0 (0)", "1: P2-P3 2,0 (0)", "2: P1-P2 2,0 (0)", "2: P3-P4 2,0 (0)"];
    assert_eq!(sheet_of(&source), expected);
    let told: Vec<&str> = source.oddities.iter().map(|one| &one.sentence[..]).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("third place") && told[0].contains("decides no place"), "{told:?}");
}

#[test]
fn a_challonge_swiss_has_a_bye_for_who_is_in_no_match_of_a_round() {
    let source = source(CHALLONGE_2);
    let expected = ["1: Ann-Cem 2,0 (0)", "1: Ben bye ", "2: Ann-Ben 1,1 (0)"];
    assert_eq!(sheet_of(&source), expected, "who left has no bye");
    assert_eq!((source.drops.len(), source.drops[0].after_round), (1, 1));
    assert_eq!((source.finished, source.planned_rounds), (false, Some(3)));
    legal_events(&source).expect("legal where they stand");
    let alone = refused("[{\"participant\": {\"id\": 1, \"name\": \"Ann\"}}]");
    assert!(alone.contains("{\"tournament\": .., \"participants\": [..]"), "{alone}");
}

/// That somebody left, and a winner against the score, came in and went out without a word.
#[test]
fn what_challonge_says_in_part_is_told_when_it_is_read_and_when_it_is_written() {
    let mut source = source(&CHALLONGE_2.replacen("2 - 0", "0 - 2", 1));
    assert_eq!(sheet_of(&source)[0], "1: Ann-Cem 0,2 (0) [Win, Loss]");
    for said in ["Not active any more: 1. The file says neither when", "The score says otherwise"] {
        let is_told = source.oddities.iter().any(|odd| odd.sentence.starts_with(said));
        assert!(is_told, "{said}: {:?}", source.oddities);
    }
    let result = &mut source.phases[0].rounds[0].tables[0].result;
    *result = crate::sheet::ruled(How::Conceded, [Ruling::Draw, Ruling::Loss]);
    let told = written(&challonge::Challonge, &source).left_out;
    for said in [
        "rulings of other kinds: 1",
        "how matches ended otherwise than by play or forfeit: 1",
        "when players left, and why: 1",
    ] {
        assert!(told.iter().any(|what| what == said), "{said}: {told:?}");
    }
}

#[test]
fn what_is_written_for_challonge_is_read_as_it_was_and_written_the_same() {
    for text in [CHALLONGE, CHALLONGE_2, BATTLEFY, MELEE, TOPDECK, CARDS] {
        let truth = source(text);
        let first = written(&challonge::Challonge, &truth);
        let again = source(&first.text);
        legal_events(&again).expect("legal where they stand");
        assert_eq!(written(&challonge::Challonge, &again).text, first.text);
        if truth.platform == "challonge" {
            let once =
                |source: Source| Source { identity: String::new(), ..without_places(source) };
            assert_eq!(once(again), once(truth));
        } else if truth.platform != "battlefy" {
            assert_ne!(first.left_out, [] as [String; 0]);
        }
    }
}

/// Without that, who came late or was away in a round got a bye there, and its points.
#[test]
fn who_was_not_paired_is_told_for_challonge_and_has_no_bye_where_our_own_file_is_read_again() {
    let truth = source(
        "round,player_a,player_b,games_a,games_b,games_drawn\n1,Ann,Bob,2,0,0\n1,Cid,Dee,2,1,0\n\
         2,Ann,Cid,2,0,0\n2,Eve,Dee,2,0,0\n3,Ann,Eve,2,1,0\n3,Bob,Cid,0,2,0\n",
    );
    let first = written(&challonge::Challonge, &truth);
    let told = "that players were not paired, whom Challonge takes to have had byes: 3";
    assert!(first.left_out.iter().any(|what| what == told), "{:?}", first.left_out);
    let again = source(&first.text);
    assert_eq!(sheet_of(&again), sheet_of(&truth));
    assert_eq!(written(&challonge::Challonge, &again).text, first.text);
    // Challonge itself shows no more than the matches.
    let theirs = source(&first.text.replace("not paired in rounds", "seat by the door"));
    assert_eq!(theirs.rounds().map(|(_, round)| round.byes.len()).sum::<usize>(), 3);
}

/// A tournament with a bracket for each division was refused where it was read again: both brackets
/// and the rounds before them stood in rounds from 1 on.
#[test]
fn challonge_of_rounds_and_two_brackets_is_read_again_with_every_match() {
    let bracket = |source: &mut Source, players: [usize; 2]| {
        let mut round = source.phases[0].rounds[0].clone();
        round.byes.clear();
        round.tables.truncate(1);
        for (seat, player) in round.tables[0].seats.iter_mut().zip(players) {
            seat.player = player;
        }
        let (kind, entrants) = (PhaseKind::Elimination, players.to_vec());
        source.phases.push(SourcePhase { kind, entrants, seeded: false, rounds: vec![round] });
    };
    let mut truth = source(MELEE);
    bracket(&mut truth, [0, 1]);
    bracket(&mut truth, [2, 3]);
    let swiss = truth.phases[0].rounds.len();
    let first = written(&challonge::Challonge, &truth);
    assert!(
        first.left_out.iter().any(|what| what.starts_with("further phases")),
        "{:?}",
        first.left_out
    );
    let again = source(&first.text);
    legal_events(&again).expect("legal where they stand");
    assert_eq!(shape(&again), [(PhaseKind::RoundRobin, swiss + 1), (PhaseKind::Elimination, 1)]);
    let tables = |source: &Source| source.rounds().map(|(_, r)| r.tables.len()).sum::<usize>();
    assert_eq!(tables(&again), tables(&truth));
    assert_eq!(
        written(&challonge::Challonge, &again).text.matches("\"match\"").count(),
        tables(&truth)
    );
}

#[test]
fn carde_flags_stand_over_a_winner_and_a_page_alone_is_no_event() {
    let source = source(CARDE);
    let expected = [
        "1: Ann A-Ben B 1,2 (0)",
        "1: Cem C bye ",
        "2: Ben B-Cem C 0,0 (3)",
        "2: Ann A awarded loss ",
    ];
    assert_eq!(sheet_of(&source), expected);
    assert_eq!((source.finished, source.planned_rounds), (false, Some(3)));
    assert_eq!(source.published[0].record, Some([1, 0, 1]), "wins, losses and draws");
    assert_eq!((source.drops.len(), source.published_after), (1, Some(2)));
    legal_events(&source).expect("legal where they stand");
    let page = refused(
        "{\"count\": 2, \"next\": 2, \"page_size\": 1, \"results\": [{\"user_event_status\": {}}]}",
    );
    assert!(page.contains("1 of 2 rows; put all pages into one list"), "{page}");
    let two = CARDE.replace("\"count\":3", "\"count\":4");
    assert!(refused(&two).contains("standings: the next page of standings (here are 3 of 4 rows"));
}

#[test]
fn an_x_wing_win_has_no_direction_and_a_cut_counts_who_is_in_it() {
    let source = source(XWING);
    let expected = [
        "1: Ann-Ben 100,60 ()",
        "1: Dot-Cem 20,77 ()",
        "2: Ann-Cem 100,23 ()",
        "2: Ben bye ",
        "3: Ben-Cem 50,50 ()",
        "3: Ann bye ",
        "4: Ann-Ben 40,100 ()",
    ];
    assert_eq!(sheet_of(&source), expected);
    assert_eq!(shape(&source), [(PhaseKind::Swiss, 3), (PhaseKind::Elimination, 1)]);
    assert_eq!(source.phases[1].rounds[0].name, "Top 2");
    assert_eq!((source.published.len(), source.places.len()), (3, 2), "the rank 0 is none");
    assert_eq!((source.drops[0].after_round, source.published_after), (1, Some(3)));
    legal_events(&source).expect("legal where they stand");
}

#[test]
fn sets_of_start_gg_are_joined_by_id_and_a_reset_comes_after_its_final() {
    let source = source(START_GG);
    let expected = [
        "1: Ben-Cem 2,1 (0)",
        "1: XX | Ann - 2 bye ",
        "2: XX | Ann - 2-Ben 2,0 (0)",
        "3: Ben-Cem  () [Win, Loss]",
        "4: XX | Ann - 2-Ben 0,2 (0)",
        "5: XX | Ann - 2-Ben 1,2 (0)",
    ];
    assert_eq!(sheet_of(&source), expected);
    assert_eq!(source.title, "Winter Bash: Singles");
    assert_eq!(
        (source.places.len(), source.scoresheet.best_of, source.finished),
        (3, Some(3), true)
    );
    assert_eq!(source.phases[0].rounds[2].tables[0].result.how, How::Forfeit);
    legal_events(&source).expect("legal where they stand");
    let two = refused(&START_GG.replacen("\"eventId\":77", "\"eventId\":78", 1));
    assert!(
        two.contains("data.event.sets.nodes[1].eventId") && two.contains("one event in a file"),
        "{two}"
    );
}

#[test]
fn splinterlands_has_byes_that_nobody_lists() {
    let source = source(SPLINTERLANDS);
    let expected = ["1: ben2-cem3 2,1 (0)", "1: ann1 bye ", "2: ann1-ben2 2,0 (0)"];
    assert_eq!(sheet_of(&source), expected);
    assert_eq!((source.places.len(), source.players[0].sign_up), (3, Some(1)));
    assert!(source.finished);
    legal_events(&source).expect("legal where they stand");
    let alone = refused("[{\"tournament_id\": \"a\", \"round\": 1, \"player_1_wins\": 0}]");
    assert!(alone.contains("\"battles\": [[..], [..]]"), "{alone}");
}

#[test]
fn limitless_tells_a_tie_by_0_and_a_double_loss_by_minus_1() {
    let source = source(LIMITLESS);
    let expected = [
        "1: Ann-Ben  () [Win, Loss]",
        "1: Cem bye ",
        "2: Ann-Cem  () [Draw, Draw]",
        "2: Ben awarded loss ",
        "3: Ann-Cem  () [Loss, Win]",
    ];
    assert_eq!(sheet_of(&source), expected);
    assert_eq!(shape(&source), [(PhaseKind::Swiss, 2), (PhaseKind::Elimination, 1)]);
    assert_eq!((source.drops.len(), source.drops[0].after_round), (1, 2));
    legal_events(&source).expect("legal where they stand");
    let only = "[{\"player\": \"ann\", \"placing\": 1, \"record\": {\"wins\": 1}}]";
    let only = read("weekly.json", only.as_bytes()).expect("places alone");
    assert_eq!((only.title.as_str(), only.places.len()), ("weekly", 1));
    legal_events(&only).expect("legal where they stand");
    let page = "<table><tr data-rank=\"1\" data-name=\"Ann\" data-country=\"IT\"></tr></table>";
    assert!(refused(page).contains("a page of Limitless"));
}

#[test]
fn points_of_kts_are_packed_where_they_are_large_and_a_bye_is_a_win_though_unreported() {
    let source = source(KTS);
    let expected = [
        "1: Ann Ito-Ben Okafor  () [Win, Loss]",
        "1: Cem Demir bye ",
        "2: Ann Ito-Cem Demir  () [Win, Loss]",
        "2: Ben Okafor bye ",
    ];
    assert_eq!(sheet_of(&source), expected);
    let points: Vec<i64> = source.published.iter().map(|row| row.points_tenths).collect();
    assert_eq!((points, source.published[0].values[0].text.as_str()), (vec![60, 30, 30], "0.500"));
    assert_eq!(source.players[0].publisher_id.as_deref(), Some("0000000011"));
    assert!(source.finished && source.oddities.is_empty());
    legal_events(&source).expect("legal where they stand");
    let doctype =
        refused(&KTS.replacen("<Tournament>", "<!DOCTYPE a [<!ENTITY b \"c\">]><Tournament>", 1));
    assert!(doctype.contains("line 2"), "{doctype}");
}

#[test]
fn an_answer_of_too_many_values_is_refused() {
    let of = |count: usize| json::Json::read(&format!("[{}0]", "0,".repeat(count - 2)));
    assert!(of(limits::JSON_VALUES).is_ok());
    let refused = of(limits::JSON_VALUES + 1).expect_err("one more");
    assert_eq!(refused.code().word, "too-many");
}

/// Margins of victory and points of most who had no bye: real files do not always agree with themselves.
fn points_and_margins_hold(source: &Source, name: &str) {
    let rounds = || {
        source
            .phases
            .iter()
            .filter(|phase| !phase.kind.is_bracket())
            .flat_map(|phase| &phase.rounds)
    };
    let (mut compared, mut same, mut margins) = (0, 0, 0);
    for row in &source.published {
        if rounds().flat_map(|round| &round.byes).any(|bye| bye.player == row.player) {
            continue;
        }
        let (mut points, mut margin) = (0, 0);
        for table in rounds().flat_map(|round| &round.tables) {
            let Some(seat) = table.seats.iter().position(|seat| seat.player == row.player) else {
                continue;
            };
            let score = |seat: usize| table.result.score.seats[seat][0];
            points += match phases::winning_seat(&table.result) {
                Some(won) if won == seat => 5,
                Some(_) => 0,
                None => 1,
            };
            margin += 100 + score(seat) - score(1 - seat);
        }
        same += usize::from(row.points_tenths == points * 10);
        let told = row
            .values
            .iter()
            .find(|value| value.measure == PublishedMeasure::Mov)
            .expect("a margin");
        margins += usize::from(told.text == margin.to_string());
        compared += 1;
    }
    eprintln!("{name}: of {compared} rows {margins} margins, {same} points");
    let most = |count: usize| count * 2 > compared;
    assert!(compared > 0 && most(margins) && most(same), "{name}: {margins}, {same} of {compared}");
}

/// Every example of these kinds is read or refused with its reason. Runs where `SCRUTINEER_FORMATS` names the
/// examples' folder.
#[test]
#[allow(clippy::disallowed_methods, reason = "a test reads files")]
fn every_example_of_a_platform_is_read_or_refused_with_its_reason() {
    let Some(folder) = std::env::var_os("SCRUTINEER_FORMATS") else {
        let may_skip = std::env::var_os("SCRUTINEER_NO_SKIPS").is_none();
        assert!(may_skip, "SCRUTINEER_FORMATS is not set, and nothing may be skipped here");
        eprintln!("skipped: SCRUTINEER_FORMATS is not set");
        return;
    };
    for kind in ["battlefy", "carde", "startgg", "xwing", "limitless", "kts"] {
        let files = std::fs::read_dir(std::path::Path::new(&folder).join(kind)).expect("a folder");
        for path in files.map(|file| file.expect("a file").path()) {
            let bytes = std::fs::read(&path).expect("readable");
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            match read(&name, &bytes) {
                Ok(source) => {
                    if kind == "xwing" {
                        points_and_margins_hold(&source, &name);
                    }
                    legal_events(&source).unwrap_or_else(|error| panic!("{name}: {error}"));
                    eprintln!("{name}: {} players, {:?}", source.players.len(), shape(&source));
                    for oddity in &source.oddities {
                        eprintln!("  {}: {}", oddity.place, oddity.sentence);
                    }
                    eprintln!("  {}", sheet_of(&source).join("\n  "));
                }
                Err(error) => eprintln!("{error}"),
            }
        }
    }
}

/// Some programs keep the lists without the names around each object, and version 2.1 answers with lists in `data`.
#[test]
fn lists_of_challonge_that_were_kept_apart_are_put_together_however_they_are_wrapped() {
    let bare = [
        (
            "tournament.json",
            r#"{"id":5,"name":"Cup","tournament_type":"swiss","state":"complete"}"#,
        ),
        (
            "participants.json",
            r#"[{"id":1,"tournament_id":5,"name":"Ada","seed":1},{"id":2,"tournament_id":5,"name":"Bo","seed":2}]"#,
        ),
        (
            "matches.json",
            r#"[{"id":7,"tournament_id":5,"round":1,"state":"complete","player1_id":1,"player2_id":2,"winner_id":2,"scores_csv":"1-2"}]"#,
        ),
    ];
    let in_data = [
        (
            "tournament.json",
            r#"{"data":{"id":"5","type":"tournament","attributes":{"name":"Cup","tournament_type":"swiss","state":"complete"}},"included":[]}"#,
        ),
        (
            "participants.json",
            r#"{"data":[{"id":"1","type":"participant","attributes":{"name":"Ada","seed":1}},{"id":"2","type":"participant","attributes":{"name":"Bo","seed":2}}]}"#,
        ),
        (
            "matches.json",
            r#"{"data":[{"id":"7","type": "match","attributes":{"round":1,"state":"complete","scores":"1 - 2","winner_id":2},"relationships":{"player1":{"data":{"id":"1","type":"participant"}},"player2":{"data":{"id":"2","type":"participant"}}}}]}"#,
        ),
    ];
    for files in [bare, in_data] {
        let files: Vec<(&str, &[u8])> =
            files.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
        for (name, bytes) in &files {
            assert_eq!(part_of(name, bytes), Some("challonge json"), "{name}");
            let alone = read(name, bytes).expect_err("a part");
            assert!(alone.to_string().contains("missing"), "{alone}");
        }
        let source = read("cup.json", &join(&files).expect("joined")).expect("read");
        assert_eq!((source.players.len(), source.rounds().count()), (2, 1));
        let (_, round) = source.rounds().next().expect("a round");
        assert_eq!(crate::sheet::games_of(&round.tables[0].result.score), Some([1, 2, 0]));
    }
}

#[test]
fn an_answer_of_startgg_without_sets_is_refused_with_what_it_lacks() {
    for text in [
        r#"[{"id":1,"orderNum":1,"winnerId":5,"selections":[]}]"#,
        r#"{"id":1,"name":"Friday","slug":"tournament/friday","events":[{"id":2}]}"#,
        r#"{"data":{"event":{"phases":[{"id":3,"name":"Pools","numSeeds":16}]}}}"#,
    ] {
        let error = read("a.json", text.as_bytes()).expect_err("no tournament");
        assert!(error.to_string().contains("sets"), "{error}");
        assert_eq!(error.code(), "missing");
    }
}

/// They were gone where the file was read again, and nothing told it.
#[test]
fn byes_of_losers_are_told_for_challonge() {
    let mut truth = source(CHALLONGE);
    let told = |source: &Source| {
        let left_out = written(&challonge::Challonge, source).left_out;
        left_out.into_iter().find(|what| what.starts_with("byes in a bracket"))
    };
    // Who enters the winners' bracket later is seen to have had one.
    assert_eq!(told(&truth), None);
    let (kind, place) = (ByeKind::Assigned, String::new());
    let bye = SourceBye { player: 1, kind, reported: None, place };
    truth.phases[0].rounds[4].byes.push(bye);
    assert_eq!(told(&truth).as_deref(), Some("byes in a bracket that no match shows: 1"));
}
