//! What is kept of chess reports beside the games, and written again.

mod any;

use super::*;
use crate::report::{ByeAsked, ChessReport, PointSystem, ReportRecord};
use crate::trf::{Dialect, Trf, Trf26, write};
use crate::{File, Format};

/// A line of a player: number, points, rank, and what follows.
fn line(number: u32, points: &str, rank: u32, rounds: &str) -> String {
    format!(
        "001 {number:4}      {:33} {:4} {:3} {:>11} {:10} {points:>4} {rank:4}  {rounds}\n",
        format!("Player, No{number}"),
        2000,
        "",
        "",
        ""
    )
}

/// Four players after two rounds, of whom the last was away in the second.
fn four() -> String {
    line(1, "1.5", 1, "   3 w 1     2 b =")
        + &line(2, "1.0", 2, "   4 b =     1 w =")
        + &line(3, "1.0", 3, "   1 b 0  0000 - U")
        + &line(4, "0.5", 4, "   2 w =  0000 - Z")
}

fn text_of(source: &Source, dialect: Dialect) -> String {
    write(source, dialect).expect("two players each").text
}

fn has_line(text: &str, line: &str) -> bool {
    text.lines().any(|own| own == line)
}

#[test]
fn byes_of_a_round_that_is_not_paired_yet_are_no_round() {
    let asked =
        four().replace("   2 b =\n", "   2 b =  0000 - H\n").replace("- Z\n", "- Z  0000 - Z\n");
    let source = source(&format!("XXR 5\n{asked}"));
    assert_eq!(source.rounds().count(), 2);
    let bye = |player, kind| ByeAsked { round: 3, player, kind };
    assert_eq!(source.report.asked, [bye(0, ByeKind::Half), bye(3, ByeKind::Zero)]);
    let events = legal_events(&source).expect("legal");
    let recorded: Vec<_> = events.iter().filter(|e| matches!(e, Event::ByeRequested(_))).collect();
    assert_eq!(recorded.len(), 2, "{recorded:?}");
    let again = super::source(&text_of(&source, Dialect::Programs));
    assert_eq!(again.report.asked, source.report.asked);
    // Where all are told of, it was a round.
    let all = four().replace('\n', "  0000 - Z\n");
    let all = super::source(&format!("XXR 5\n{all}"));
    assert_eq!((all.rounds().count(), all.report.asked.len()), (3, 0));
}

/// A result of blanks in a round that is over was written without a word, and no program takes it.
#[test]
fn a_match_that_counts_for_nobody_is_written_as_two_absences_and_a_postponed_one_is_told() {
    let mut source = source(&four());
    let void = sheet::ruled(How::Played, [Ruling::NoResult; 2]);
    let later = MatchResult { grade: Some(POSTPONED.to_owned()), ..void.clone() };
    let tables = &mut source.phases[0].rounds[0].tables;
    (tables[0].result, tables[1].result) = (void, later);
    for dialect in [Dialect::Programs, Dialect::Fide] {
        let written = write(&source, dialect).expect("two players each");
        let rounds: Vec<&str> =
            written.text.lines().filter(|line| line.starts_with("001")).collect();
        assert!(rounds[0].ends_with("  0000 - Z     2 b ="), "{}", written.text);
        assert!(rounds[1].ends_with("     4 b       1 w ="), "{}", written.text);
        assert!(rounds[2].ends_with("  0000 - Z  0000 - U"), "{}", written.text);
        for what in ["postponed matches, written without a result", "matches that do not count"] {
            let told = written.left_out.iter().find(|told| told.starts_with(what));
            assert!(told.is_some_and(|told| told.ends_with(": 1")), "{:?}", written.left_out);
        }
    }
}

/// 240 says byes of any round; a round that is played has them among the players' rounds, and there 240 stays as
/// it is. So does one of a tournament of teams, whose numbers are others.
#[test]
fn byes_asked_for_stand_in_records_too() {
    let records = "XXR 5\n240 H   1    2\n240 H   3    1    2\n240 z   5    4\n240 F   4    9\n240 H   6    1\n";
    let read = source(&format!("{records}{}", four().replace("- U\n", "- U  0000 - F\n")));
    let bye = |round, player, kind| ByeAsked { round, player, kind };
    let expected = [
        bye(3, 0, ByeKind::Half),
        bye(3, 1, ByeKind::Half),
        bye(3, 2, ByeKind::Awarded),
        bye(5, 3, ByeKind::Zero),
    ];
    assert_eq!(read.report.asked, expected);
    let kept: Vec<&str> = read.report.of("240").collect();
    assert_eq!(kept, ["H   1    2", "F   4    9", "H   6    1"]);
    legal_events(&read).expect("legal");
    let text = text_of(&read, Dialect::Fide);
    assert!(has_line(&text, "240 Z   5    4"), "{text}");
    assert_eq!(source(&text).report.asked, expected);
    assert_eq!(text_of(&source(&text), Dialect::Fide), text);
    let left_out = write(&read, Dialect::Programs).expect("written").left_out;
    assert!(
        left_out.iter().any(|what| what.contains("further away, which `trf26` has: 1")),
        "{left_out:?}"
    );
    let teams = format!("{:69} {}\n", "310   1 Rooks", "   1    2    3    4");
    let of_teams = source(&format!("{records}{teams}{}", four()));
    assert_eq!(of_teams.report.asked, []);
    assert_eq!(of_teams.report.of("240").count(), 5);
}

/// Programs take the last block for the round that they are to pair: with two behind the rounds that were played they
/// paired the second, and nobody in the first.
#[test]
fn who_is_away_in_the_next_two_rounds_has_one_block_for_the_next_and_240_for_the_other() {
    let asked = four().replace("- Z\n", "- Z  0000 - Z  0000 - H\n");
    let read = source(&format!("XXR 5\n{asked}"));
    let bye = |round, kind| ByeAsked { round, player: 3, kind };
    let expected = [bye(3, ByeKind::Zero), bye(4, ByeKind::Half)];
    assert_eq!(read.report.asked, expected);
    let ends_at_the_next = |text: &str| {
        let line = text.lines().find(|line| line.starts_with("001    4"));
        assert!(line.is_some_and(|line| line.ends_with("   2 w =  0000 - Z  0000 - Z")), "{text}");
    };
    let text = text_of(&read, Dialect::Fide);
    ends_at_the_next(&text);
    assert!(has_line(&text, "240 H   4    4"), "{text}");
    assert_eq!(source(&text).report.asked, expected);
    let written = write(&read, Dialect::Programs).expect("written");
    ends_at_the_next(&written.text);
    let told = "byes of rounds that are further away, which `trf26` has: 1";
    assert!(written.left_out.iter().any(|what| what == told), "{:?}", written.left_out);
}

/// An engine is told forfeits, and one refuses the report, without a word.
#[test]
fn a_game_that_both_lost_is_written_as_a_game_and_told() {
    let mut source = source(&four());
    source.phases[0].rounds[0].tables[0].result = sheet::ruled(How::Played, [Ruling::Loss; 2]);
    for dialect in [Dialect::Programs, Dialect::Fide] {
        let written = write(&source, dialect).expect("two players each");
        assert!(written.text.contains("     3 w 0     2 b ="), "{}", written.text);
        let told = written.left_out.iter().find(|told| told.starts_with("double losses, which a"));
        assert!(told.is_some_and(|told| told.ends_with(": 1")), "{:?}", written.left_out);
    }
}

#[test]
fn numbers_stay_where_lines_stand_in_another_order() {
    let lines: Vec<String> = four().lines().rev().map(|line| format!("{line}\n")).collect();
    let source = source(&lines.concat());
    assert_eq!(source.players[0].name, "Player, No4");
    let text = text_of(&source, Dialect::Programs);
    assert!(text.contains("001    4      Player, No4"), "{text}");
    assert!(text.contains("   3 w 1     2 b ="), "{text}");
    assert_eq!(super::source(&text).players, source.players);
    assert_eq!(source.phases[0].entrants, [3, 2, 1, 0], "by number");
}

#[test]
fn gaps_in_numbers_are_closed_and_told_and_records_follow() {
    let text =
        format!("XXR 4\n{}XXP 1 8\nXXA    8  1.0  0.5\n250       1.0   1   2    1    8\n", four())
            .replace("001    4", "001    8")
            .replace("   4 b =", "   8 b =");
    let written = write(&source(&text), Dialect::Programs).expect("written");
    assert!(written.left_out.iter().any(|what| what.contains("no gaps now: 1")), "{written:?}");
    for expected in ["XXP    1    4", "XXA    4  1.0  0.5", "250       1.0   1   2    1    4"] {
        assert!(has_line(&written.text, expected), "{expected}: {}", written.text);
    }
    assert!(written.text.contains("001    4      Player, No4"), "{}", written.text);
}

/// What results count, in tenths: a win without play and a bye as a win, half a bye as a draw.
fn counting(win: u16, draw: u16) -> PointSystem {
    PointSystem {
        win: [win; 2],
        draw: [draw; 2],
        forfeit_win: win,
        full_bye: win,
        half_bye: draw,
        bye: win,
        ..PointSystem::default()
    }
}

#[test]
fn points_are_understood_in_each_of_three_languages() {
    let three = counting(30, 10);
    let of = |records: &str| source(&format!("{records}{}", four())).points;
    assert_eq!(of("BBW  3.0\nBBD  1.0\n"), Some(three.clone()));
    assert_eq!(of("162  W 3.0    D 1.0    L 0.0\n"), Some(three.clone()));
    assert_eq!(of("XXS W=3 D=1.0 PAB=3.0\n"), Some(three.clone()));
    assert_eq!(
        of("162  W 1.0    D 0.5    A 0.0    P 1.0    X 0.5\n"),
        None,
        "what chess counts anyway"
    );
    let loss = PointSystem { loss: [5, 0], ..PointSystem::default() };
    assert_eq!(of("XXS WL=0.5\n"), Some(loss));
    // What they count is told, since the shipped rules for chess count otherwise.
    let read = source(&format!("BBW  3.0\nBBD  1.0\n{}", four()));
    let told = &read.oddities[0];
    assert!(
        told.place == "line 1, column 1" && told.sentence.contains("A win counts 3.0"),
        "{told:?}"
    );
    let bad = source(&format!("BBW  many\n{}", four()));
    assert!(bad.oddities[0].sentence.contains("BBW says no points"), "{:?}", bad.oddities);
    // A tournament with such points and no record of them is written with records for each program.
    let mut own = source(&four());
    (own.points, own.format, own.published) = (Some(three), "csv".into(), Vec::new());
    let text = text_of(&own, Dialect::Programs);
    assert!(has_line(&text, "BBW  3.0") && text.contains("XXS WW=3.0 BW=3.0 WD=1.0"), "{text}");
    assert!(text.contains(" 4.0    1     3 w 1     2 b ="), "a win and a draw: {text}");
    let text = text_of(&own, Dialect::Fide);
    assert!(has_line(&text, "162  W 3.0    D 1.0    L 0.0    Z 0.0    P 3.0"), "{text}");
}

/// A report that says its points to one program was refused by another.
#[test]
fn points_that_a_report_says_in_one_language_are_said_to_each_program() {
    for records in [
        "XXS W=3\nXXS D=1.0 PAB=3.0\n",
        "BBW  3.0\nBBD  1.0\n",
        "162  W 3.0    D 1.0    L 0.0\n",
        "162  W 3.0    D 1.0    A 0.0\n",
        "XXS W=3 D=1 PAB=3\nBBW  3.0\n",
    ] {
        let read = source(&format!("{records}{}", four()));
        let text = text_of(&read, Dialect::Programs);
        let values = [("W", 3), ("D", 1), ("L", 0), ("Z", 0), ("F", 0), ("U", 3)];
        for (code, points) in values {
            let line = format!("BB{code}  {points}.0");
            let count = text.lines().filter(|own| *own == line).count();
            assert_eq!(count, 1, "{records}: {line}: {text}");
        }
        let own = text.lines().filter(|line| line.starts_with("XXS")).collect::<Vec<_>>();
        let theirs: Vec<&str> = records.lines().filter(|line| line.starts_with("XXS")).collect();
        match theirs.is_empty() {
            true => assert!(own[0].starts_with("XXS WW=3.0 BW=3.0 WD=1.0 BD=1.0"), "{text}"),
            false => assert_eq!(own, theirs, "they stay as they are"),
        }
        let again = source(&text);
        assert_eq!(again.points, read.points, "{records}");
        assert_eq!(text_of(&again, Dialect::Programs), text, "{records}");
    }
    // What black gets is no affair of BB*.
    let read = source(&format!("XXS WW=3 BW=4 WD=1 BD=2\n{}", four()));
    let said = "A win counts 3.0 with white and 4.0 with black, a draw 1.0 with white and 2.0 with black, \
                a loss 0.0, a bye 1.0";
    assert!(read.oddities[0].sentence.starts_with(said), "{:?}", read.oddities);
    let written = write(&read, Dialect::Programs).expect("written");
    assert!(!written.text.contains("BBW"), "{}", written.text);
    let told = |what: &String| what.contains("which bbpPairings cannot be told: 1");
    assert!(written.left_out.iter().any(told), "{:?}", written.left_out);
}

/// They were told as points that do not follow from results, which they do.
#[test]
fn points_of_a_ruleset_in_a_report_that_counts_otherwise_are_told_as_such() {
    let report = format!("BBW  3.0\nBBD  1.0\n{}", four());
    let file = File::new("club.trf", report.as_bytes());
    let mut own = source(&four());
    (own.format, own.report) = (String::new(), ChessReport::default());
    own.rules = Some("fide-buchholz-2026".into());
    let told = |own: &Source| {
        let written = Trf.write(own, Some(&file)).expect("a format").expect("written");
        let all = written.left_out.iter().filter(|what| {
            what.starts_with("points that are") || what.starts_with("points that do")
        });
        all.cloned().collect::<Vec<_>>()
    };
    let of_rules = "points that are those of fide-buchholz-2026 in the standings, while the report counts otherwise";
    assert_eq!(told(&own), [format!("{of_rules}: 4")]);
    own.published[0].points_tenths -= 10;
    let penalty = "points that do not follow from results, such as penalties: 1".to_owned();
    assert_eq!(told(&own), [format!("{of_rules}: 3"), penalty]);
    // Under a ruleset that counts something else again the report says what that counts.
    let two = counting(20, 10);
    (own.points, own.rules) = (Some(two.clone()), Some("two".into()));
    let written = Trf26.write(&own, Some(&file)).expect("a format").expect("written");
    assert_eq!(source(&written.text).points, Some(two));
    let told = "what results count in the file, which is what two counts here: 1";
    assert!(written.left_out.iter().any(|what| what == told), "{:?}", written.left_out);
}

/// Beside ranks of teams stood the tie-breaks of players, and those of the teams were gone.
#[test]
fn tie_breaks_of_a_report_of_teams_stay_and_it_gets_none_of_players() {
    let of_tie_breaks = |report: &str| {
        let mut own = source(report);
        own.tie_breaks = vec!["BH/C1"];
        let file = File::new("league.trf", report.as_bytes());
        let text = Trf26.write(&own, Some(&file)).expect("a format").expect("written").text;
        let lines = text.lines().filter(|line| line.starts_with("202") || line.starts_with("212"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(of_tie_breaks(LEAGUE), [] as [String; 0]);
    assert_eq!(of_tie_breaks(&format!("212 PTS,MPvGP,EDET\n{LEAGUE}")), ["212 PTS,MPvGP,EDET"]);
    assert_eq!(of_tie_breaks(&format!("192 FIDE_TEAM_BAKU\n{}", four())), [] as [String; 0]);
    // Of players they are those of the ruleset.
    assert_eq!(of_tie_breaks(&format!("202 PTS,SB\n{}", four())), ["202 BH/C1"]);
}

/// `Ahl` was the title, and `tröm, Åsa` the name.
#[test]
fn names_that_begin_where_titles_belong_are_read_from_there_and_told() {
    let aside = |names: &[u32]| {
        names.iter().fold(four(), |text, number| {
            let name = format!("Player, No{number}");
            text.replace(&format!("      {name}"), &format!("  {name}    "))
        })
    };
    let truth = source(&four());
    let read = source(&aside(&[1, 2, 3, 4]));
    assert_eq!(read.players, truth.players);
    let told = |read: &Source| {
        let told = |odd: &&Oddity| odd.sentence.starts_with("The names begin in column 11");
        read.oddities.iter().filter(told).map(|odd| odd.place.clone()).collect::<Vec<_>>()
    };
    assert_eq!(told(&read), ["line 1, column 11"]);
    // What stands so at few is no name, and neither is a title of somebody else's.
    assert_eq!(told(&source(&aside(&[2]))), [] as [String; 0]);
    for (title, text) in [("AGM", "  AGM Player"), ("WGM", "   WGMPlayer"), ("WIM", "   mf Player")]
    {
        let read = source(&four().replace("      Player", text));
        assert_eq!(told(&read), [] as [String; 0], "{text}");
        assert_eq!(read.players[0].name, "Player, No1");
        assert_eq!(read.players[0].title.as_deref(), Some(title));
    }
}

#[test]
fn numbers_of_rounds_that_disagree_are_told_with_the_one_that_is_taken() {
    let read = source(&format!("142 9\nXXR 7\n{}", four()));
    assert_eq!(read.planned_rounds, Some(7));
    let odd = &read.oddities[0];
    let said = "XXR says 7 rounds, and 142 said 9: 7 are taken.";
    assert_eq!((&odd.place[..], &odd.sentence[..]), ("line 2, column 5", said));
    assert_eq!(source(&format!("142 7\nXXR 7\n{}", four())).oddities, []);
}

/// It was said that there is no day, and the rules were older ones.
#[test]
fn the_first_day_of_rounds_is_that_of_a_report_which_says_no_other() {
    let of = |records: &str| source(&format!("{records}{}", four()));
    for records in [
        "132 2026/09/05\n132 2026/09/05\n132 2026/09/06\n",
        "132                    26/09/05  26/09/05  26/09/06\n",
        "042 0000/00/00\n132 26/09/05  27/02/06\n",
    ] {
        let read = of(records);
        let day = read.held_on.map(|day| day.to_string());
        assert_eq!(day.as_deref(), Some("2026-09-05"), "{records}");
        assert_eq!(read.rules.as_deref(), Some("fide-buchholz-2026"));
        assert!(!read.identity.contains("2026"), "it is recognized as before: {}", read.identity);
        let told = read.oddities.iter().find(|odd| odd.sentence.starts_with("042 says no day"));
        assert!(told.is_some_and(|odd| odd.sentence.ends_with("2026-09-05.")), "{records}");
    }
    // No order of days, more than a year, and what is none.
    for records in [
        "132 05/09/26  06/09/26\n",
        "132 26/09/06  26/09/05\n",
        "132 26/09/05  Sunday\n",
        "132 05/06/2026\n",
    ] {
        assert_eq!(of(records).held_on, None, "{records}");
    }
    let said = of("042 2026/09/04\n132 26/09/05\n");
    assert_eq!(said.held_on.map(|day| day.to_string()).as_deref(), Some("2026-09-04"));
}

#[test]
fn what_pairing_programs_say_is_said_as_trf26_has_it() {
    let records =
        "XXR 5\nXXC black1\nXXP 1 2\nXXZ 3 4\nXXA    1  1.0  1.0  0.5\nXXA    2  1.0  1.0  0.5\n";
    let written = write(&source(&format!("{records}{}", four())), Dialect::Fide).expect("written");
    for expected in [
        "142 5",
        "152 B",
        "260   1   5    1    2",
        "250       1.0   1   2    1    2",
        "250       0.5   3   3    1    2",
    ] {
        assert!(has_line(&written.text, expected), "{expected}: {}", written.text);
    }
    assert!(!written.text.contains("XX"), "{}", written.text);
    // Who is away in the next round has it among their rounds.
    let away = written.text.lines().filter(|line| line.ends_with("  0000 - Z"));
    assert_eq!(away.filter(|line| line.starts_with("001")).count(), 2, "{}", written.text);
    assert_eq!(written.left_out, [] as [String; 0]);
    // The other way round they stay: who reads TRF26 reads them.
    let fide = source(&written.text);
    let text = text_of(&fide, Dialect::Programs);
    assert!(has_line(&text, "152 B") && has_line(&text, "XXR 5") && has_line(&text, "142 5"));
}

#[test]
fn teams_are_kept_with_their_players() {
    let source = source(LEAGUE);
    let teams = source.report.teams();
    let names: Vec<_> = teams.iter().map(|team| (team.number, team.name.as_str())).collect();
    assert_eq!(
        names,
        [(Some(1), "Rook Lift"), (Some(2), "Zugzwang Åbo"), (Some(3), "Bishop Pair")]
    );
    assert_eq!(teams[1].players, [3, 4, 8, 12]);
    let told = source.oddities.iter().find(|one| one.sentence.contains("3 teams with 12 players"));
    assert!(told.is_some_and(|one| one.place.starts_with("line ")), "{:?}", source.oddities);
    legal_events(&source).expect("legal");
    let again = super::source(&text_of(&source, Dialect::Fide));
    assert_eq!(again.report.teams(), teams);
    // Of TRF16 teams have no numbers, and get some in TRF26.
    let older: String = LEAGUE
        .lines()
        .filter(|line| !line.starts_with("310"))
        .map(|line| format!("{line}\n"))
        .collect();
    let older = super::source(&older);
    let again = super::source(&text_of(&older, Dialect::Fide));
    let both = [&older, &again].map(|one| {
        one.report.teams().into_iter().map(|team| (team.name, team.players)).collect::<Vec<_>>()
    });
    assert_eq!(both[0], both[1]);
    assert_eq!(both[0].len(), 3);
}

#[test]
fn private_things_of_a_report_are_not_kept() {
    let text = format!("102 Ann Lindberg, ann@example.org\n{}", four())
        .replace(&format!("{:10}  1.5", ""), "1999/09/09  1.5");
    assert!(text.contains("1999/09/09"));
    let source = source(&text);
    let written = text_of(&source, Dialect::Fide);
    assert!(!written.contains("example.org") && !written.contains("1999"), "{written}");
    assert!(source.oddities[0].sentence.contains("address of mail"), "{:?}", source.oddities);
}

#[test]
fn a_tournament_goes_into_its_report_and_keeps_what_only_that_says() {
    let text = format!(
        "022 Åbo\n042 2026/03/07\n102 Virtanen, Aino\nXXC white1\nXXR 4\n{}XXP 1 2\n",
        four()
    );
    let text = text
        .replace("001    2      Player", "001    2 wWIM Player")
        .replace(" 2000    ", " 2000 FIN");
    let mut own = source(&text);
    // As it comes out of the store: without what is no event.
    (own.report, own.held_on) = (ChessReport::default(), None);
    for player in &mut own.players {
        (player.title, player.federation, player.sex) = (None, None, None);
    }
    own.players.reverse();
    let last = own.players.len() - 1;
    for round in &mut own.phases[0].rounds {
        let seats = round.tables.iter_mut().flat_map(|table| &mut table.seats);
        seats.for_each(|seat| seat.player = last - seat.player);
        round.byes.iter_mut().for_each(|bye| bye.player = last - bye.player);
    }
    own.published.iter_mut().for_each(|row| row.player = last - row.player);
    own.players.iter_mut().zip(1..).for_each(|(player, number)| player.sign_up = Some(number));
    let file = File::new("club.trf", text.as_bytes());
    let written = Trf.write(&own, Some(&file)).expect("a format").expect("written").text;
    for expected in ["022 Åbo", "042 2026/03/07", "102 Virtanen, Aino", "XXC white1", "XXP 1 2"] {
        assert!(has_line(&written, expected), "{expected}: {written}");
    }
    assert!(written.contains("001    2 wWIM Player, No2 "), "{written}");
    assert!(
        written.contains("001    1      Player, No1") && written.contains("   3 w 1     2 b =")
    );
    let error = Trf.write(&own, Some(&File::new("no.trf", b"nothing"))).expect("a format");
    assert!(
        error.is_ok() || error.is_err_and(|error| error.to_string().contains("cannot be read"))
    );
}

/// A federation's ranks went by its own list of tie-breaks; written into its own file, forty of them were others
/// without a word.
#[test]
fn ranks_and_points_of_a_report_that_become_others_are_told_where_nothing_was_played_since() {
    let text = four();
    let file = File::new("club.trf", text.as_bytes());
    let told = |own: &Source| {
        let written = Trf26.write(own, Some(&file)).expect("a format").expect("written");
        let is_told =
            |what: &&String| what.starts_with("ranks that") || what.starts_with("points that the");
        written.left_out.iter().filter(is_told).cloned().collect::<Vec<_>>()
    };
    let mut own = source(&text);
    own.rules = Some("fide-swiss-2026".into());
    assert_eq!(told(&own), [] as [String; 0], "nothing is said otherwise");
    let rank = |own: &mut Source, player: usize, rank: u32, points: i64| {
        let row = own.published.iter_mut().find(|row| row.player == player).expect("ranked");
        (row.rank, row.points_tenths) = (rank, points);
    };
    rank(&mut own, 1, 3, 10);
    rank(&mut own, 2, 2, 10);
    rank(&mut own, 3, 4, 0);
    let expected = [
        "ranks that the file had, which are those of fide-swiss-2026 now and not of its tie-breaks: 2",
        "points that the file had otherwise: 1",
    ];
    assert_eq!(told(&own), expected);
    // A further round gives other ranks.
    let further = own.phases[0].rounds[1].clone();
    own.phases[0].rounds.push(further);
    assert_eq!(told(&own), [] as [String; 0]);
}

/// An arbiter keeps a file of headers, and fills it at the end: whoever came late was the last in it, and the engine's
/// first color was gone.
#[test]
fn a_report_of_headers_alone_gets_the_numbers_and_the_first_color_of_a_fresh_one() {
    let mut own = source(&four());
    // By rating, and not in the order of the list: the last enrolled is the first.
    for (player, number) in own.players.iter_mut().zip([2, 3, 4, 1]) {
        player.sign_up = Some(number);
    }
    own.format = String::new();
    own.report.records = vec![ReportRecord { code: "XXC".into(), text: "black1".into() }];
    let players = |text: &str| {
        text.lines().filter(|line| line.starts_with("001")).map(str::to_owned).collect::<Vec<_>>()
    };
    let into = |head: &str, dialect: &dyn Format| {
        let file = File::new("head.trf", head.as_bytes());
        dialect.write(&own, Some(&file)).expect("a format").expect("written")
    };
    let head = "012 Club Open\n022 Åbo\n032 FIN\n102 Virtanen, Aino\n";
    let written = into(head, &Trf);
    assert_eq!(players(&written.text), players(&text_of(&own, Dialect::Programs)));
    for expected in ["022 Åbo", "032 FIN", "102 Virtanen, Aino", "XXC black1"] {
        assert!(has_line(&written.text, expected), "{expected}: {}", written.text);
    }
    assert!(has_line(&into(head, &Trf26).text, "152 B"));
    let told = |written: &Written| {
        written.left_out.iter().filter(|what| what.starts_with("the first color")).count()
    };
    assert_eq!(told(&written), 0);
    // What its headers say of the first color counts as long as it is the same.
    for (record, count) in [("152 B", 0), ("XXC black1", 0), ("152 W", 1), ("XXC white1", 1)] {
        let written = into(&format!("{head}{record}\n"), &Trf26);
        assert!(has_line(&written.text, "152 B"), "{record}: {}", written.text);
        assert_eq!(told(&written), count, "{record}: {:?}", written.left_out);
    }
}

/// The arbiters, and the system of pairing, of somebody else's team championship were taken over without a word.
#[test]
fn a_report_of_another_tournament_and_what_is_no_report_are_refused() {
    let own = source(&four());
    let refused = |own: &Source, text: &[u8]| {
        let file = File::new("other.trf", text);
        Trf26.write(own, Some(&file)).expect("a format").expect_err("refused").code().word
    };
    let other = format!("102 Virtanen, Aino\n{}", four().replace("Player, No", "Nobody, No"));
    assert_eq!(refused(&own, other.as_bytes()), "not-in-its-file", "as many players");
    let fewer = format!("{}{}", line(1, "0.0", 1, ""), line(2, "0.0", 2, ""));
    let fewer = fewer.replace("Player, No", "Nobody, No");
    assert_eq!(refused(&own, fewer.as_bytes()), "not-in-its-file");
    let mut withheld = own.clone();
    for (player, number) in withheld.players.iter_mut().zip(1..) {
        player.name = format!("player {number}");
    }
    assert_eq!(refused(&withheld, fewer.as_bytes()), "not-in-its-file");
    let file = File::new("own.trf", other.as_bytes());
    assert!(Trf26.write(&withheld, Some(&file)).expect("a format").is_ok(), "nobody knows");
    for no_report in [UPLOAD.as_bytes(), b"nothing", &[0x93, 0xff, 0x89, 0x44, 0, 10, 0]] {
        assert_eq!(refused(&own, no_report), "into-not-read");
    }
}

/// Who came late had the last numbers in the file of the start, and a federation found other pairings.
#[test]
fn numbers_that_an_engine_was_told_stay_and_the_records_of_a_report_have_them() {
    let report =
        format!("152 W\n{}250       1.0   1   2    1    2\n260   1   4    1    4\n", four());
    let mut own = source(&four());
    let late = SourcePlayer { name: "Late, Super".into(), ..SourcePlayer::default() };
    own.players.push(late);
    own.published.clear();
    (own.format, own.report) = (String::new(), ChessReport::default());
    for (player, number) in own.players.iter_mut().zip([1, 3, 4, 5, 2]) {
        player.sign_up = Some(number);
    }
    own.report.numbered_as_told = true;
    own.report.records = vec![ReportRecord { code: "XXC".into(), text: "black1".into() }];
    let fresh = text_of(&own, Dialect::Fide);
    let file = File::new("start.trf", report.as_bytes());
    let written = Trf26.write(&own, Some(&file)).expect("a format").expect("written");
    let players = |text: &str| {
        text.lines().filter(|line| line.starts_with("001")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(players(&written.text), players(&fresh));
    let acceleration = |number: u32| format!("250       1.0   1   2 {number:4} {number:4}");
    for expected in ["152 B", "260   1   4    1    5", &acceleration(1), &acceleration(3)] {
        assert!(has_line(&written.text, expected), "{expected}: {}", written.text);
    }
    let told =
        "numbers of players that the file had, which are here as a pairing engine is told them: 3";
    assert!(written.left_out.iter().any(|what| what == told), "{:?}", written.left_out);
}

/// FIDE's list has 0 for who is not rated.
#[test]
fn a_rating_of_zero_has_room_and_short_federations_are_told() {
    let mut own = source(&four());
    own.players[0].rating = Some(0);
    own.players[1].rating = Some(10_000);
    own.players[2].federation = Some("CN".into());
    let left_out = write(&own, Dialect::Fide).expect("written").left_out;
    for told in [
        "ratings without room: 1",
        "federations of fewer than three letters, written as they are: 1",
    ] {
        assert!(left_out.iter().any(|what| what == told), "{told}: {left_out:?}");
    }
}

/// The second of them had got a line with a new number, and the first the other's.
#[test]
fn two_players_with_one_id_stay_who_they_are_in_their_report_and_are_told() {
    let mut own = source(CHESS);
    for at in [1, 3] {
        own.players[at].publisher_id = Some("1503014".into());
    }
    let report = text_of(&own, Dialect::Fide);
    let read = source(&report);
    let told = |odd: &&Oddity| odd.sentence.starts_with("Players 2 and 4 have the same id");
    assert_eq!(read.oddities.iter().filter(told).count(), 1, "{:?}", read.oddities);
    let file = File::new("club.trf", report.as_bytes());
    let again = Trf26.write(&read, Some(&file)).expect("a format").expect("written");
    assert_eq!(again.text, report);
}

#[test]
fn a_report_keeps_dates_of_birth_and_the_number_of_rated_players() {
    let mut own = source(CHESS);
    (own.report, own.identity) = (ChessReport::default(), String::new());
    let text = CHESS.replacen("062 6\n", "062 6\n072 4\n", 1);
    let into = |own: &Source| {
        let file = File::new("club.trf", text.as_bytes());
        Trf.write(own, Some(&file)).expect("a format").expect("written")
    };
    let written = into(&own);
    assert!(has_line(&written.text, "072 4"), "{}", written.text);
    for day in 1..=6 {
        assert_eq!(written.text.matches(&format!("1990/01/0{day}")).count(), 1, "{}", written.text);
    }
    assert!(!text_of(&own, Dialect::Programs).contains("1990/"), "only the report has them");
    // Who came to be rated is counted, and whose name is withheld has no date of birth either.
    own.players[4].rating = Some(1700);
    own.players[4].name = "player 5".into();
    let written = into(&own);
    assert!(has_line(&written.text, "072 6"), "{}", written.text);
    assert!(!written.text.contains("1990/01/05"), "{}", written.text);
    let lost = "dates of birth of players who are not found by name or id: 1";
    assert!(written.left_out.iter().any(|what| what == lost), "{:?}", written.left_out);
}

/// Wins, draws, losses and byes of a team, and its points of games in tenths: it plays in a round whom its
/// players play.
fn of_team(source: &Source, teams: &[Vec<usize>], team: usize) -> ([u32; 4], i64) {
    let (mut record, mut tenths) = ([0; 4], 0);
    for (_, round) in source.rounds() {
        let points = |team: usize| -> i64 {
            let tables = round.tables.iter().flat_map(|table| {
                let results = crate::trf::results(table);
                table.seats.iter().map(|seat| seat.player).zip(results)
            });
            let games = tables.filter(|(player, _)| teams[team].contains(player));
            let worth = |result| match result {
                '1' | '+' => 10,
                '=' => 5,
                _ => 0,
            };
            let byes = round.byes.iter().filter(|bye| teams[team].contains(&bye.player));
            let byes = byes.filter(|bye| bye.kind == ByeKind::Awarded).count() as i64;
            games.map(|(_, result)| worth(result)).sum::<i64>() + byes * 10
        };
        let seats = round.tables.iter().map(|table| [table.seats[0].player, table.seats[1].player]);
        let mut seats = seats.flat_map(|[white, black]| [[white, black], [black, white]]);
        let met = seats.find(|[own, _]| teams[team].contains(own)).map(|[_, other]| other);
        let Some(other) = met.and_then(|met| teams.iter().position(|team| team.contains(&met)))
        else {
            record[3] += 1;
            continue;
        };
        tenths += points(team);
        let place = match points(team).cmp(&points(other)) {
            std::cmp::Ordering::Greater => 0,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Less => 2,
        };
        record[place] += 1;
    }
    (record, tenths)
}

/// Wherever the official table of the teams stands beside a report, the games of their players give it.
#[test]
fn games_of_players_give_the_official_tables_of_teams() {
    let tables = examples("trf", &["json"]);
    let reports = examples("trf", &["trf"]);
    let mut compared = 0;
    for (name, table) in &tables {
        let Some(name) = name.strip_suffix(".official.json") else { continue };
        let report = reports.iter().find(|(report, _)| *report == format!("{name}.trf"));
        let (file, bytes) = report.expect("its report");
        let source = read(file, bytes).unwrap_or_else(|error| panic!("{error}"));
        let by_number =
            |number: &u32| source.players.iter().position(|player| player.sign_up == Some(*number));
        let told = source.report.teams();
        let teams: Vec<Vec<usize>> =
            told.iter().map(|team| team.players.iter().filter_map(by_number).collect()).collect();
        let rows: Vec<serde_json::Value> = serde_json::from_slice(table).expect("a list");
        assert_eq!(rows.len(), teams.len());
        for row in rows {
            let at = told.iter().position(|team| Some(team.name.as_str()) == row["team"].as_str());
            let (own, tenths) = of_team(&source, &teams, at.expect("the team is in the report"));
            let official = ["wins", "draws", "losses"].map(|key| row[key].as_u64());
            assert_eq!(official, [own[0], own[1], own[2]].map(|own| Some(u64::from(own))), "{row}");
            let points = 2 * own[0] + own[1] + own[3];
            assert_eq!(row["match_points"].as_u64(), Some(u64::from(points)), "{row}");
            // Three points of games for a bye are the least.
            let games = format!("{}.{}", tenths / 10, tenths % 10);
            let official = row["game_points"].to_string();
            assert!(own[3] > 0 || official == games, "{row}: {games}");
            compared += 1;
        }
    }
    println!("{compared} teams compared");
    assert!(compared > 10 || tables.is_empty(), "{compared}");
}
