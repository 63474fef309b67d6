//! FIDE's tournament report files.

use super::*;
use crate::trf::Dialect;

fn written_of(source: &Source) -> Result<crate::Written, crate::WriteError> {
    crate::trf::write(source, Dialect::Programs)
}

#[test]
fn a_report_has_white_first_forfeits_and_byes_of_each_kind() {
    let source = source(CHESS);
    assert_eq!(source.title, "Spring Congress, Section A");
    assert_eq!(source.held_on.map(|day| day.to_string()).as_deref(), Some("2026-03-07"));
    assert_eq!(source.rules.as_deref(), Some("fide-buchholz-2026"));
    assert!(!source.finished, "a fourth round is to come");
    assert_eq!(source.oddities, []);
    let sheet = sheet_of(&source);
    let lines = [
        "1: Lindberg, Ann-Ito, Kenji 1,0 (0) [Win, Loss]",
        "1: Núñez, Diego-Okafor, Ben 0,0 (1) [Draw, Draw]",
        "1: Haddad, Maryam-Wójcik, Ewa 1,0 (0) [Win, Loss]",
        "2: Haddad, Maryam-Lindberg, Ann 0,1 (0) [Loss, Win]",
        "2: Ito, Kenji-Wójcik, Ewa 1,0 (0) [Win, Loss]",
        "2: Okafor, Ben bye ",
        "2: Núñez, Diego zero bye ",
        "3: Okafor, Ben-Haddad, Maryam  () [Win, Loss]",
        "3: Núñez, Diego-Ito, Kenji 0,0 (1) [Draw, Draw]",
        "3: Lindberg, Ann half bye ",
    ];
    assert_eq!(sheet, lines, "who is not paired in round 3 has no line");
    let forfeit = &source.phases[0].rounds[2].tables[0].result;
    assert_eq!(forfeit.how, How::Forfeit);
    let best = &source.published[0];
    assert_eq!((best.rank, best.player, best.points_tenths), (1, 0, 25));
    let unrated: Vec<_> = source.players.iter().filter(|one| one.rating.is_none()).collect();
    assert_eq!((unrated.len(), unrated[0].publisher_id.as_deref()), (1, None));
    legal_events(&source).expect("legal where they stand");
}

/// The number of each table of a round, and who sits there in the first seat.
fn tables_of(source: &Source, wanted: u16) -> Vec<(Option<u32>, u32)> {
    let events = legal_events(source).expect("legal where they stand");
    let of_round = events.iter().filter_map(|event| match event {
        Event::PairingMade(made) if made.round == wanted => {
            Some((made.table, made.seats[0].player))
        }
        _ => None,
    });
    of_round.collect()
}

#[test]
fn tables_that_a_report_does_not_number_are_counted_through_in_each_round() {
    let source = source(CHESS);
    assert!(source.unknown.contains(&UnknownFact::Tables), "it says none");
    assert_eq!(tables_of(&source, 1), [(Some(1), 1), (Some(2), 5), (Some(3), 3)]);
    assert_eq!(tables_of(&source, 2), [(Some(1), 3), (Some(2), 4)], "a bye has no table");
}

#[test]
fn tables_that_have_numbers_keep_them_and_others_are_counted_on_behind_the_highest() {
    let mut source = source(CHESS);
    source.phases[0].rounds[0].tables[1].table = Some(7);
    assert_eq!(tables_of(&source, 1), [(Some(8), 1), (Some(7), 5), (Some(9), 3)]);
    source.phases[0].rounds[0].tables[1].table = Some(scrutineer_engine::limits::TABLE);
    let behind = tables_of(&source, 1);
    assert_eq!(behind[0], (None, 1), "behind the last number there is none");
}

#[test]
fn a_file_of_chess_is_ranked_by_the_edition_in_force_on_its_day() {
    let on = |day: &str| source(&CHESS.replace("2026/03/07", day)).rules;
    assert_eq!(on("2026/02/28").as_deref(), Some("fide-buchholz-2024"));
    assert_eq!(on("2026/03/01").as_deref(), Some("fide-buchholz-2026"));
    let without = source(&CHESS.replace("042 2026/03/07\n", ""));
    assert_eq!((without.held_on, without.rules.as_deref()), (None, Some("fide-buchholz-2024")));
    assert_eq!(source(UPLOAD).rules.as_deref(), Some("fide-buchholz-2026"));
    let upload = source(&UPLOAD.replace("20260307", "20250307"));
    assert_eq!(upload.rules.as_deref(), Some("fide-buchholz-2024"));
    let other = source(&format!("BBW  3.0\nBBD  1.0\n{CHESS}"));
    let counts =
        |odd: &Oddity| odd.sentence.contains("fide-buchholz-2026, which counts 1, ½, 0, 1");
    assert!(other.oddities.iter().any(counts), "{:?}", other.oddities);
}

/// Programs and people write the first day of a report in many ways, and of some it was said that there was none.
#[test]
fn the_first_day_of_a_report_is_read_as_it_is_written_or_told_with_its_line() {
    let on = |day: &str| source(&CHESS.replacen("042 2026/03/07", &format!("042 {day}"), 1));
    let read = |day: &str| on(day).held_on.map(|day| day.to_string());
    for text in [
        "May 31, 2026",
        "31 May 2026",
        "31. Mai 2026",
        "Sunday, 31st May 2026",
        "31 de mayo de 2026",
        "05/31/2026",
        "31.05.2026",
        "20260531",
        "2026/05/31 - 2026/06/02",
        "2026/05/31-2026/06/02",
        "31 May - 2 June 2026",
        "2026/05/31 10:00",
    ] {
        assert_eq!(read(text).as_deref(), Some("2026-05-31"), "{text}");
    }
    assert_eq!(read("1.-3.5.2026").as_deref(), Some("2026-05-01"));
    assert_eq!(read("29 December - 2 January 2027").as_deref(), Some("2026-12-29"));
    // The year stands behind the first month, not the last.
    assert_eq!(read("27 December 2026 - 3 January").as_deref(), Some("2026-12-27"));
    assert_eq!(read("27 December 2026 - 3 January 2027").as_deref(), Some("2026-12-27"));
    for text in ["Fri 29 May to Sun 31 May 2026", "29.-31. Mai 2026", "29-May-2026"] {
        assert_eq!(read(text).as_deref(), Some("2026-05-29"), "{text}");
    }
    for text in [
        "05/06/2026",
        "26/05/01",
        "next Sunday",
        "31 February 2026",
        "May 2026",
        // Numbers that are no date.
        "May 2026, 7 rounds",
        "7 rounds, May 2026",
        "Round 7 - May 2026",
        "9h, 12 May 2026",
        "Day 1: 9 May 2026",
    ] {
        let source = on(text);
        let odd = source.oddities.iter().find(|odd| odd.sentence.starts_with("042 does not say"));
        assert_eq!(source.held_on, None, "{text}");
        assert!(odd.is_some_and(|odd| odd.place == "line 4, column 5"), "{:?}", source.oddities);
        assert!(source.report.has(&["042"]), "it is kept");
    }
    // What stands below settles which of two digits are the year.
    for more in ["052 2026/05/03", "132 26/05/01  26/05/02"] {
        let short = CHESS.replacen("042 2026/03/07", &format!("042 26/05/01\n{more}"), 1);
        let found = source(&short).held_on.map(|day| day.to_string());
        assert_eq!(found.as_deref(), Some("2026-05-01"), "{more}");
    }
    let nobody = on("0000/00/00");
    assert!(!nobody.oddities.iter().any(|odd| odd.sentence.contains("042")), "{nobody:?}");
}

#[test]
fn a_report_is_the_same_however_its_lines_end_and_its_letters_are_kept() {
    let truth = source(CHESS);
    for end in ["\r\n", "\r"] {
        assert_eq!(source(&CHESS.replace('\n', end)), truth, "{end:?}");
    }
    assert_eq!(source(&format!("\u{feff}{CHESS}")), truth);
    // Older programs keep a letter in a byte.
    let bytes: Vec<u8> = CHESS.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect();
    let read = read("event.txt", &bytes).expect("read");
    assert_eq!(read.players[4].name, "Núñez, Diego");
    assert_eq!(read.published, truth.published);
}

#[test]
fn a_result_that_two_players_tell_otherwise_is_told_or_refused_with_its_column() {
    let line = |number: usize| CHESS.lines().nth(number + 8).expect("a player");
    let with = |number: usize, from: &str, to: &str| {
        let changed = line(number).replacen(from, to, 1);
        assert_ne!(changed, line(number));
        read("event.trf", CHESS.replace(line(number), &changed).as_bytes())
    };
    // The opponent's block is blank.
    let told = with(4, "   1 b 0", "        ").expect("read");
    assert!(told.oddities[0].sentence.contains("nothing stands at player 4"), "{told:?}");
    // The opponent names somebody else.
    let refused = with(4, "   1 b 0", "   2 b 0").expect_err("two opponents").to_string();
    assert!(refused.contains("line 13, column 92"), "{refused}");
    let unknown = with(1, "   4 w 1", "  44 w 1").expect_err("nobody").to_string();
    assert!(unknown.contains("line 10, column 92") && unknown.contains("44"), "{unknown}");
    let code = with(1, "   4 w 1", "   4 w ?").expect_err("no result").to_string();
    assert!(code.contains("line 10, column 99"), "{code}");
    // A match that nobody else tells of was passed over in silence.
    let own =
        with(6, "   4 b 0", "   4 b 0     6 w 1").expect_err("against themselves").to_string();
    assert!(own.contains("against themselves") && own.contains("line 15, column 112"), "{own}");
    // Both lost, as a penalty.
    let both = with(1, "   4 w 1", "   4 w 0").expect("read");
    assert!(sheet_of(&both)[0].ends_with("[Loss, Loss]"), "{both:?}");
}

#[test]
fn a_report_before_the_first_round_has_players_and_no_round() {
    let cut = |line: &str| line.chars().take(89).collect::<String>() + "\n";
    let source = source(&CHESS.lines().map(cut).collect::<String>());
    assert_eq!((source.players.len(), source.rounds().count()), (6, 0));
    assert!(!source.finished && legal_events(&source).is_ok());
}

#[test]
fn what_is_written_is_read_as_it_was_and_written_the_same() {
    let truth = source(CHESS);
    let written = written_of(&truth).expect("written");
    let unpaired = "that players were not paired, who are written as byes of no point: 1";
    assert_eq!(written.left_out, [unpaired]);
    let again = source(&written.text);
    let mut lines = sheet_of(&truth);
    lines.push("3: Wójcik, Ewa zero bye ".into());
    assert_eq!(
        sheet_of(&again),
        lines,
        "who was not paired stands there as Z, which all programs take"
    );
    assert_eq!((&again.players, &again.published), (&truth.players, &truth.published));
    assert_eq!((&again.title, again.held_on), (&truth.title, truth.held_on));
    assert_eq!((again.finished, again.planned_rounds), (false, Some(4)));
    assert_eq!(written_of(&again).expect("written").text, written.text);
    // Of a match of several games only the winner is written, and that is told.
    let cards = written_of(&source(CARDS)).expect("written");
    assert!(cards.left_out.iter().any(|what| what.starts_with("scores of matches")), "{cards:?}");
    let seats = written_of(&source(TOPDECK)).map(|written| written.left_out);
    assert!(seats.is_ok() || seats.is_err_and(|error| error.to_string().contains("two players")));
}

/// Lichess has no sign for a game in play: each was two byes, and the round was over.
#[test]
fn a_game_in_play_stands_as_z_at_both_who_name_each_other() {
    let open = CHESS.replace("3 w +\n", "3 w Z\n").replace("2 b -\n", "2 b Z\n");
    let read = source(&open);
    let game = "3: Okafor, Ben-Haddad, Maryam  ()".to_owned();
    assert!(sheet_of(&read).contains(&game), "{:?}", sheet_of(&read));
    assert_eq!(read.oddities, []);
    assert!(!read.finished);
    legal_events(&read).expect("legal where they stand");
    let text = written_of(&read).expect("written").text;
    for end in ["  0000 - U     3 w", "     1 w 0     2 b"] {
        assert!(text.lines().any(|line| line.ends_with(end)), "{end}: {text}");
    }
    assert!(sheet_of(&source(&text)).contains(&game), "{text}");
    // Where one says it alone, or in a round before the last, nobody played.
    let alone = source(&open.replace("     2 b Z\n", "\n"));
    let is_told = |odd: &&Oddity| odd.sentence.starts_with("Z needs no opponent");
    assert_eq!(alone.oddities.iter().filter(is_told).count(), 1);
    assert!(sheet_of(&alone).contains(&"3: Okafor, Ben zero bye ".to_owned()));
    let earlier = CHESS.replace("5 b =  0000", "5 b Z  0000").replace("2 w =  0000", "2 w Z  0000");
    let earlier = sheet_of(&source(&earlier));
    for bye in ["1: Okafor, Ben zero bye ", "1: Núñez, Diego zero bye "] {
        assert!(earlier.contains(&bye.to_owned()), "{earlier:?}");
    }
}

/// Four programs pad a name to its 33 columns and do not cut a longer one.
#[test]
fn a_name_that_is_longer_than_its_columns_shifts_the_line_and_is_read_whole() {
    let truth = source(CHESS);
    let long = "Haddad-Fernández, Maryam-Magdalena Sofía";
    let text = CHESS.replace(&format!("{:33}", "Haddad, Maryam"), long);
    assert_ne!(text, CHESS);
    let read = source(&text);
    let own = &read.players[2];
    assert_eq!((own.name.as_str(), own.rating), (long, Some(1990)));
    assert_eq!(
        (&own.publisher_id, &own.federation),
        (&truth.players[2].publisher_id, &truth.players[2].federation)
    );
    assert_eq!(read.published, truth.published);
    let sheet: Vec<String> =
        sheet_of(&truth).iter().map(|line| line.replace("Haddad, Maryam", long)).collect();
    assert_eq!(sheet_of(&read), sheet);
    assert_eq!((read.oddities.len(), read.oddities[0].place.as_str()), (1, "line 12, column 99"));
    // What cannot be read there either is refused for the name.
    let torn = text.replace("2 b -\n", "2 x -\n");
    let error = super::read("event.trf", torn.as_bytes()).expect_err("no colour").to_string();
    assert!(error.contains("line 12, column 48"), "{error}");
    assert!(error.contains("the name is") && error.contains("at most 33 letters"), "{error}");
}

#[test]
fn a_rank_and_a_title_one_column_to_the_right_are_read() {
    let truth = source(CHESS);
    let read = source(&CHESS.replace("  2.5    2     5 b =", "  2.5     2     5 b ="));
    assert_eq!((sheet_of(&read), &read.published), (sheet_of(&truth), &truth.published));
    assert_eq!(read.oddities.len(), 1, "{:?}", read.oddities);
    // A title that is padded to two letters.
    let read = source(&CHESS.replace("   3 w    Haddad", "   3 w WGM Haddad"));
    let own = &read.players[2];
    assert_eq!((own.title.as_deref(), own.name.as_str()), (Some("WGM"), "Haddad, Maryam"));
    assert_eq!((own.rating, &read.published), (Some(1990), &truth.published));
}

/// Swiss-Manager counts a bye when its round is over.
#[test]
fn points_while_a_round_runs_may_be_those_of_the_round_before() {
    let mut running = CHESS.replace("0000 - H\n", "0000 - U\n");
    for end in ["3 w +", "2 b -", "5 b =", "4 w ="] {
        let open = end.get(..3).expect("an opponent and a color");
        running = running.replace(&format!("{end}\n"), &format!("{open}\n"));
    }
    let after = |best: &str| {
        let points = [(" 2.5    1", best), (" 2.5    2", " 1.5    2")];
        let points =
            points.into_iter().chain([(" 1.5    3", " 1.0    3"), (" 1.0    5", " 0.5    5")]);
        let text = points.fold(running.clone(), |text, (from, to)| text.replace(from, to));
        let read = source(&text);
        assert!(!read.finished && read.published.len() == 6, "{text}");
        read.published_after
    };
    assert_eq!(after(" 2.0    1"), Some(2), "without the bye of the third round");
    assert_eq!(after(" 3.0    1"), Some(3), "with it");
}

/// Every example is read, with the points that it says itself but where it says others on purpose. Runs where
/// `SCRUTINEER_FORMATS` names the examples' folder.
#[test]
#[allow(clippy::disallowed_methods, reason = "a test reads files")]
fn every_example_of_a_report_is_read() {
    let Some(folder) = std::env::var_os("SCRUTINEER_FORMATS") else {
        let may_skip = std::env::var_os("SCRUTINEER_NO_SKIPS").is_none();
        assert!(may_skip, "SCRUTINEER_FORMATS is not set, and nothing may be skipped here");
        eprintln!("skipped: SCRUTINEER_FORMATS is not set");
        return;
    };
    let files = std::fs::read_dir(std::path::Path::new(&folder).join("trf")).expect("a folder");
    let (mut count, mut rounds) = (0, 0);
    for path in files.map(|file| file.expect("a file").path()) {
        let ends = path.extension().map(|end| end.to_string_lossy().into_owned());
        if matches!(ends.as_deref(), Some("json" | "expected")) {
            continue;
        }
        let bytes = std::fs::read(&path).expect("readable");
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let source = read(&name, &bytes).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(source.format, "trf", "{name}");
        legal_events(&source).unwrap_or_else(|error| panic!("{name}: {error}"));
        let written = written_of(&source).expect("two players each").text;
        let again = read(&name, written.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
        let once_more = written_of(&again).expect("written").text;
        assert_eq!(once_more, written, "{name}");
        // As TRF26, the same games and the same teams.
        let fide = crate::trf::write(&source, Dialect::Fide).expect("two players each").text;
        let again = read(&name, fide.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
        let once_more = crate::trf::write(&again, Dialect::Fide).expect("written").text;
        assert_eq!(once_more, fide, "{name}");
        let members = |source: &Source| -> Vec<Vec<u32>> {
            source.report.teams().into_iter().map(|team| team.players).collect()
        };
        assert_eq!(members(&again), members(&source), "{name}");
        (count, rounds) = (count + 1, rounds + source.rounds().count());
    }
    assert!(count > 60 && rounds > 200, "{count} files, {rounds} rounds");
}

#[test]
fn a_player_line_with_a_mistyped_code_is_told_by_its_line() {
    let only = |text: &str| -> Vec<String> {
        let odd = source(text).oddities;
        odd.iter().map(|odd| format!("{}: {}", odd.place, odd.sentence)).collect()
    };
    let head = "012 Club Open\n042 2026/03/07\n062 3\nXXR 3\n";
    let row = |code: &str, number: u32| {
        format!("{code} {number:4}      {:33}\n", "Player, Nobody".to_owned())
    };
    let players = row("001", 1) + &row("001", 2);
    let odd = only(&format!("{head}{players}{}", row("101", 3)));
    assert_eq!(
        odd.iter()
            .filter(|odd| odd.starts_with("line 7, column 1: There is no record \"101\""))
            .count(),
        1
    );
    assert!(
        odd.iter()
            .any(|odd| odd == "line 3, column 5: 062 says 3 players; lines of players (001): 2."),
        "{odd:?}"
    );
    let odd = only(&format!("{head}{players}{}047 17\n### 1 Remark of somebody\n", row("0o1", 3)));
    assert!(odd.iter().any(|odd| odd.contains("\"0o1\"") && odd.contains("001")), "{odd:?}");
    assert!(odd.iter().any(|odd| odd == "line 8, column 1: There is no record \"047\": the line is left out."), "{odd:?}");
    assert!(!odd.iter().any(|odd| odd.contains("###")), "{odd:?}");
}
