//! Uploads to chess-results.com.

use super::*;
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::ruleset::Library;
use scrutineer_projections::standings::{Detail, Standings};
use std::sync::Arc;

/// Points of everybody in halves, as the rounds give them: a bye a whole one.
fn halves(source: &Source) -> Vec<i64> {
    let mut halves = vec![0; source.players.len()];
    for (_, round) in source.rounds() {
        for table in &round.tables {
            for (seat, ruling) in table.seats.iter().zip(&table.result.rulings) {
                halves[seat.player] += match ruling {
                    Some(Ruling::Win) => 2,
                    Some(Ruling::Draw) => 1,
                    _ => 0,
                };
            }
        }
        for bye in &round.byes {
            halves[bye.player] += match bye.kind {
                ByeKind::Assigned | ByeKind::Awarded => 2,
                ByeKind::Half => 1,
                _ => 0,
            };
        }
    }
    halves
}

/// How many tie-breaks of the file are computed alike, of how many.
fn tie_breaks(source: &Source) -> (usize, usize) {
    let mut state = Tournament::default();
    legal_events(source).expect("legal").iter().for_each(|event| state.evolve(event));
    let rules = Arc::new(Library::shipped().ruleset("fide-buchholz-2024").expect("shipped"));
    let standings = Standings::of(&state, &rules, Scope::default(), Detail::All).expect("computed");
    let (mut alike, mut all) = (0, 0);
    for published in &source.published {
        let player = u32::try_from(published.player).expect("few") + 1;
        let row = standings.row(player).expect("in the standings");
        for value in &published.values {
            let measure = match value.measure {
                PublishedMeasure::Buchholz => "buchholz",
                _ => "sonneborn_berger",
            };
            let computed = standings.value(row, measure).expect("a measure of the ruleset");
            let (over, under) = (computed.numer() * 100u32, computed.denom());
            let hundredths = (over / under).to_string();
            let (whole, part) = value.text.split_once('.').unwrap_or((&value.text, ""));
            let printed = format!("{whole}{part:0<2}");
            let is_same = hundredths == printed.trim_start_matches('0');
            all += 1;
            alike +=
                usize::from(is_same || hundredths == "0" && printed.trim_matches('0').is_empty());
            if !is_same {
                eprintln!("rank {} {measure}: {} and {hundredths}", published.rank, value.text);
            }
        }
    }
    (alike, all)
}

#[test]
fn an_upload_has_points_with_commas_and_results_with_points() {
    let source = source(UPLOAD);
    let lines = [
        "1: Lindberg,Ann-Okafor, Ben 1,0 (0) [Win, Loss]",
        "1: Núñez, Diego-Ito, Kenji  () [Win, Loss]",
        "2: Núñez, Diego-Lindberg,Ann 0,1 (0) [Loss, Win]",
        "2: Okafor, Ben bye ",
        "2: Ito, Kenji zero bye ",
        "3: Lindberg,Ann-Ito, Kenji 0,0 (1) [Draw, Draw]",
        "3: Okafor, Ben-Núñez, Diego 0,1 (0) [Loss, Win]",
    ];
    assert_eq!(sheet_of(&source), lines);
    assert_eq!(source.identity, "chess-results 998877");
    assert_eq!(source.held_on.map(|day| day.to_string()).as_deref(), Some("2026-03-07"));
    assert!(source.finished);
    assert_eq!(source.published_after, Some(3));
    let points: Vec<_> =
        source.published.iter().map(|row| (row.rank, row.player, row.points_tenths)).collect();
    assert_eq!(points, [(1, 0, 25), (2, 2, 20), (3, 1, 10), (4, 3, 5)]);
    assert_eq!(halves(&source), [5, 2, 4, 1]);
    assert_eq!(source.players[1].rating, Some(1900), "the national one where there is no other");
    assert_eq!(source.players[0].publisher_id.as_deref(), Some("90000071"));
    assert_eq!(source.players[1].publisher_id, None);
    let all = format!("{source:?}");
    assert!(!all.contains("example.org") && !all.contains("D00D") && !all.contains("1990"));
    legal_events(&source).expect("legal where they stand");
}

/// A federation's own tie-breaks were passed over without a word.
#[test]
fn tie_breaks_of_an_upload_are_told_by_their_numbers() {
    let told = |text: &str| {
        let source = source(text);
        let odd = source.oddities.iter().find(|odd| odd.sentence.contains("The ranks go by"));
        odd.map(|odd| odd.sentence.clone())
    };
    assert_eq!(told(&UPLOAD.replace("tb1no=\"37\"", "")), None);
    let own = UPLOAD.replace("tb1no=\"37\"", "tb1no=\"37\" tb2no=\"68\" tb3no=\"0\" tb4no=\"85\"");
    assert_eq!(
        told(&own).as_deref(),
        Some(
            "The ranks go by the tie-breaks 37 (Buchholz), 68, 85 (Sonneborn-Berger) of Swiss-Manager; without \
             `--rules` standings here go by fide-buchholz-2026 (BH/C1, BH, DE, WIN, SB)."
        )
    );
}

#[test]
fn an_upload_is_refused_with_the_line() {
    let refused = |from: &str, to: &str| {
        let text = UPLOAD.replacen(from, to, 1);
        assert_ne!(text, UPLOAD, "{from}");
        read("event.xml", text.as_bytes()).expect_err(to).to_string()
    };
    let nobody = refused("blackno=\"5\"", "blackno=\"4\"");
    assert!(nobody.contains("line 26") && nobody.contains("\"4\""), "{nobody}");
    let result = refused("reswhite=\"0.5\"", "reswhite=\"2.5\"");
    assert!(result.contains("line 30") && result.contains("reswhite"), "{result}");
    let code = refused("forfeit=\"K\"", "forfeit=\"Q\"");
    assert!(code.contains("line 26") && code.contains("K, D, U, H"), "{code}");
    let points = refused("pts=\"2,5\"", "pts=\"2,55\"");
    assert!(points.contains("line 19"), "{points}");
    let adjourned = UPLOAD.replacen("forfeit=\"\"", "forfeit=\"H\"", 1);
    assert!(!source(&adjourned).finished, "an adjourned game is still to be played");
    let nothing = source(&UPLOAD.replacen("pts=\"2,5\"", "pts=\"\"", 1));
    assert_eq!(nothing.published, []);
}

fn written(source: &Source) -> Written {
    let format = ALL.iter().find(|format| format.name() == "chess-results xml").expect("there");
    format.write(source, None).expect("it writes").expect("written")
}

#[test]
fn an_upload_that_is_written_is_read_as_it_was_and_written_the_same() {
    let truth = source(UPLOAD);
    let text = written(&truth);
    assert_eq!(text.left_out, [] as [String; 0]);
    let again = source(&text.text);
    assert_eq!(sheet_of(&again), sheet_of(&truth));
    assert_eq!((&again.players, &again.published), (&truth.players, &truth.published));
    assert_eq!((&again.identity, again.held_on), (&truth.identity, truth.held_on));
    assert_eq!((again.finished, again.published_after), (true, Some(3)));
    assert_eq!(written(&again).text, text.text);
    // A report of FIDE, with forfeits and byes of each kind.
    let chess = source(CHESS);
    let again = source(&written(&chess).text);
    assert_eq!(sheet_of(&again), sheet_of(&chess));
    assert_eq!(again.published, chess.published);
    assert!(!again.finished, "a fourth round is to come");
    let cards = written(&source(CARDS));
    assert!(cards.left_out.iter().any(|what| what.starts_with("scores of matches")), "{cards:?}");
}

/// Without its day an upload was ranked by the edition of years ago.
#[test]
fn the_day_of_an_upload_may_be_written_with_points() {
    let read = source(&UPLOAD.replace("20260307", "07.03.2026"));
    assert_eq!(read.held_on, source(UPLOAD).held_on);
    assert_eq!(read.rules.as_deref(), Some("fide-buchholz-2026"));
    assert_eq!(source(&UPLOAD.replace("20260307", "03/07/2026")).held_on, None, "not sure");
}

#[test]
fn a_bye_of_the_pairing_that_counts_half_a_point_is_a_half_bye_and_told() {
    let half = UPLOAD.replace("blackno=\"-1\" reswhite=\"1.0\"", "blackno=\"-1\" reswhite=\"0.5\"");
    assert_ne!(half, UPLOAD);
    let half = source(&half);
    assert!(
        sheet_of(&half).iter().any(|line| line.ends_with("half bye ")),
        "{:?}",
        sheet_of(&half)
    );
    assert!(half.oddities.iter().any(|odd| odd.sentence.starts_with("A bye of the pairing")));
}

/// Swiss-Manager has a line for everybody in every round; of who had left there was none.
#[test]
fn who_left_stands_in_an_upload_as_not_paired_in_the_rounds_since() {
    let mut truth = source(UPLOAD);
    let ito = 3;
    let rounds = &mut truth.phases[0].rounds;
    rounds[1].byes.retain(|bye| bye.player != ito);
    rounds[2].tables.retain(|table| table.seats.iter().all(|seat| seat.player != ito));
    let (why, place) = (DropReason::Left, String::new());
    truth.drops = vec![SourceDrop { player: ito, why, after_round: 1, place }];
    let first = written(&truth);
    let told = "players who left, written as not paired in the rounds since: 1";
    assert!(first.left_out.iter().any(|what| what == told), "{:?}", first.left_out);
    let lines = sheet_of(&source(&first.text));
    let away: Vec<&String> = lines.iter().filter(|line| line.contains("zero bye")).collect();
    assert_eq!(away, ["2: Ito, Kenji zero bye ", "3: Ito, Kenji zero bye "]);
    assert_eq!(written_into(&truth, &first.text).expect("written").text, first.text);
}

/// Chess-results has a sign for a game that is played later, and none for one that counts for nobody.
#[test]
fn a_postponed_game_is_adjourned_in_an_upload_and_told() {
    let mut truth = source(UPLOAD);
    let void = sheet::ruled(How::Played, [Ruling::NoResult; 2]);
    let later = MatchResult { grade: Some(POSTPONED.to_owned()), ..void.clone() };
    truth.phases[0].rounds[0].tables[0].result = later;
    let first = written(&truth);
    let adjourned = "reswhite=\"\"\n            resblack=\"\"\n            forfeit=\"H\"";
    assert!(first.text.contains(adjourned), "{}", first.text);
    let told = "postponed matches, written as adjourned: 1";
    assert!(first.left_out.iter().any(|what| what == told), "{:?}", first.left_out);
    let text = written_into(&truth, UPLOAD).expect("written").text;
    assert!(text.contains("forfeit=\"H\""), "{text}");
    assert_eq!(written_into(&truth, &text).expect("written").text, text);
    assert_eq!(written_into(&source(UPLOAD), &text).expect("written").text, UPLOAD);
    truth.phases[0].rounds[0].tables[0].result = void;
    let told = "matches that do not count, written without a result: 1";
    assert!(written(&truth).left_out.iter().any(|what| what == told));
}

fn written_into(source: &Source, file: &str) -> Result<Written, crate::WriteError> {
    let format = ALL.iter().find(|format| format.name() == "chess-results xml").expect("there");
    let file = File::new("own.xml", file.as_bytes());
    format.write(source, Some(&file)).expect("it writes")
}

/// A file into which a tournament was written had lost its dates of birth, addresses and keys.
#[test]
fn a_tournament_goes_into_its_upload_and_all_else_stays_byte_for_byte() {
    let truth = source(UPLOAD);
    let into = |file: &str| written_into(&truth, file).expect("written").text;
    assert_eq!(into(UPLOAD), UPLOAD, "nothing is said otherwise");
    let wrong = [
        ("reswhite=\"0.5\" resblack=\"0.5\"", "reswhite=\"1.0\" resblack=\"0.0\""),
        (
            "blackno=\"5\" reswhite=\"1.0\" resblack=\"0.0\" forfeit=\"K\"",
            "blackno=\"5\" reswhite=\"0.0\" resblack=\"0.0\" forfeit=\"D\"",
        ),
        ("pts=\"2,0\"", "pts=\"1,0\""),
        ("rank=\"2\" tb1=\"4,0\"", "rank=\"2\" tb1=\"3,5\""),
        ("endstatus=\"J\"", "endstatus=\"N\""),
    ];
    for (right, wrong) in wrong {
        let before = UPLOAD.replacen(right, wrong, 1);
        assert_ne!(before, UPLOAD, "{right}");
        assert_eq!(into(&before), UPLOAD, "{right}");
    }
    // The federation's ranks by its own list of tie-breaks give way, and that is said.
    let ranked = UPLOAD.replacen("rank=\"2\"", "rank=\"3\"", 1);
    let mut ours = truth.clone();
    ours.rules = Some("fide-swiss-2026".into());
    let told = written_into(&ours, &ranked).expect("written").left_out;
    let said = "ranks that the file had, which are those of fide-swiss-2026 now and not of its tie-breaks: 1";
    assert!(told.iter().any(|one| one == said), "{told:?}");
    // A round that was paired since, a game with the other colors, and a list that is not there yet.
    let is_of_last = |line: &&str| line.contains("<playerpairing round=\"3\"");
    let kept: Vec<&str> = UPLOAD.lines().filter(|line| !is_of_last(line)).collect();
    let swapped = UPLOAD.replacen("whiteno=\"2\" blackno=\"3\"", "whiteno=\"3\" blackno=\"2\"", 1);
    let (pairings, end) = ("    <playerpairings>", "</playerpairings>\n");
    let (head, rest) = UPLOAD.split_once(pairings).expect("a list");
    let none = format!("{head}{}", rest.split_once(end).expect("its end").1);
    for before in [kept.join("\n") + "\n", swapped, none] {
        let text = into(&before);
        let again = source(&text);
        assert_eq!(sheet_of(&again), sheet_of(&truth), "{text}");
        assert_eq!((&again.players, &again.published), (&truth.players, &truth.published));
        for kept in
            ["somebody@example.org", "dob=\"19900101\"", "<security source=\"13\" sid=\"D00D\"/>"]
        {
            assert!(text.contains(kept), "{kept}: {text}");
        }
    }
}

#[test]
fn who_came_since_is_added_to_an_upload_and_a_file_that_is_ahead_or_of_others_is_refused() {
    let mut more = source(UPLOAD);
    let player = SourcePlayer { name: "New, Abe".into(), ..SourcePlayer::default() };
    more.players.push(SourcePlayer { sign_up: Some(4), title: Some("CM".into()), ..player });
    let bye = SourceBye { player: 4, kind: ByeKind::Half, reported: None, place: String::new() };
    more.phases[0].rounds[2].byes.push(bye);
    let again = source(&written_into(&more, UPLOAD).expect("written").text);
    assert_eq!(again.players[4].name, "New, Abe");
    assert_eq!(
        (again.players[4].sign_up, again.players[4].title.as_deref()),
        (Some(6), Some("CM"))
    );
    assert_eq!(sheet_of(&again).last().map(String::as_str), Some("3: New, Abe half bye "));
    let others = UPLOAD.replace("lastname=\"", "lastname=\"X").replace("9000007", "9000008");
    let refused = |source: &Source, file: &str| {
        written_into(source, file).expect_err("it is another").to_string()
    };
    let stranger = refused(&more, &others);
    assert!(stranger.contains("is not in the file"), "{stranger}");
    let mut behind = source(UPLOAD);
    behind.phases[0].rounds.pop();
    let ahead = refused(&behind, UPLOAD);
    assert!(ahead.contains("line 30") && ahead.contains("round 3 is paired there"), "{ahead}");
    let teams = refused(&behind, &UPLOAD.replacen("type=\"0\"", "type=\"3\"", 1));
    assert!(teams.contains("it is of teams"), "{teams}");
}

/// Every example is read, with the points that stand in it. Runs where `SCRUTINEER_FORMATS` names the examples'
/// folder.
#[test]
fn every_example_of_an_upload_is_read_and_has_its_points() {
    let (mut files, mut rows) = (0, 0);
    for (name, bytes) in examples("chessresults", &["xml"]) {
        let source = read(&name, &bytes).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(source.format, "chess-results xml", "{name}");
        legal_events(&source).unwrap_or_else(|error| panic!("{name}: {error}"));
        for oddity in &source.oddities {
            eprintln!("{name} {}: {}", oddity.place, oddity.sentence);
        }
        let text = written(&source).text;
        let again = read(&name, text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(sheet_of(&again), sheet_of(&source), "{name}");
        assert_eq!((&again.players, &again.published), (&source.players, &source.published));
        assert_eq!(written(&again).text, text, "{name}");
        let own = std::str::from_utf8(&bytes).expect("UTF-8");
        match written_into(&source, own) {
            Ok(same) => assert!(same.text == own, "{name}: nothing is said otherwise"),
            Err(error) => assert!(error.to_string().contains("of teams"), "{name}: {error}"),
        }
        let (alike, all) = tie_breaks(&source);
        eprintln!("{name}: {alike} of {all} tie-breaks");
        assert_eq!(alike, all, "{name}: tie-breaks that stand in the file");
        let halves = halves(&source);
        for row in &source.published {
            assert_eq!(row.points_tenths, 5 * halves[row.player], "{name}: {row:?}");
        }
        let by_points = |rows: &[PublishedRow]| {
            rows.windows(2).all(|two| two[0].points_tenths >= two[1].points_tenths)
        };
        let is_of_teams = source.oddities.iter().any(|odd| odd.sentence.contains("teams"));
        assert!(is_of_teams || by_points(&source.published), "{name}: ranks follow points");
        (files, rows) = (files + 1, rows + source.published.len());
    }
    eprintln!("{files} files, {rows} rows");
}
