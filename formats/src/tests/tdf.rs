//! TOM's files.

use super::*;
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::ruleset::Library;
use scrutineer_projections::standings::{Detail, Standings};
use std::sync::Arc;

/// A text without what there is no clock for: when something was written, how much time is left.
fn timeless(text: &str) -> String {
    const TIMES: [&str; 5] = ["timestamp", "pairtime", "starttime", "timeleft", "timeelapsed"];
    let line = |line: &str| {
        let name = line.trim().trim_start_matches('<').split('>').next().unwrap_or_default();
        let is_empty = line.trim().ends_with(&format!("<{name}></{name}>"));
        match TIMES.contains(&name) && !is_empty {
            true => format!("<{name}>"),
            false => line.to_owned(),
        }
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// A tournament as another desk has it: its players in another order, the matches that have a result seen from
/// the other side.
fn elsewhere(source: &Source, is_mirrored: impl Fn(u16) -> bool) -> Source {
    let mut source = source.clone();
    let last = source.players.len().saturating_sub(1);
    source.players.reverse();
    source.drops.iter_mut().for_each(|drop| drop.player = last - drop.player);
    let mut number = 0;
    for phase in &mut source.phases {
        phase.entrants.iter_mut().for_each(|player| *player = last - *player);
        for round in &mut phase.rounds {
            number += 1;
            round.byes.iter_mut().for_each(|bye| bye.player = last - bye.player);
            for table in &mut round.tables {
                table.seats.iter_mut().for_each(|seat| seat.player = last - seat.player);
                if is_mirrored(number) {
                    table.seats.reverse();
                    table.result.score.seats.reverse();
                }
            }
        }
    }
    source
}

/// A tournament written into a file.
fn written(source: &Source, into: &[u8]) -> Result<crate::Written, crate::WriteError> {
    crate::Format::write(&crate::tdf::Tdf, source, Some(&File::new("into.tdf", into)))
        .expect("it can be written")
}

#[test]
fn pods_side_by_side_are_one_swiss_phase_and_a_cut_behind_it() {
    let source = source(PODS);
    let lines = [
        "1: Gus Hale-Hana Voß 0,1 (0)",
        "1: Bo Ferrar-Cem Oduya 1,0 (0)",
        "1: Fay Brook & Son bye ",
        "1: Ada Quist awarded bye ",
        "1: Dora Lind bye ",
        "1: Emil Sato awarded loss ",
        "2: Hana Voß-Fay Brook & Son 0,0 (1)",
        "2: Ada Quist-Bo Ferrar 1,0 (0)",
        "2: Emil Sato-Dora Lind  () [Loss, Loss]",
        "2: Gus Hale bye ",
        "2: Cem Oduya bye ",
        "3: Ada Quist-Cem Oduya 0,0 (1)",
        "3: Bo Ferrar-Dora Lind 1,0 (0)",
        "4: Ada Quist-Dora Lind  ()",
        "4: Cem Oduya-Bo Ferrar  ()",
    ];
    assert_eq!(sheet_of(&source), lines);
    let [swiss, cut] = &source.phases[..] else { panic!("{:?}", source.phases) };
    assert_eq!((swiss.kind, swiss.rounds.len(), swiss.entrants.len()), (PhaseKind::Swiss, 3, 8));
    let seeds: Vec<&str> =
        cut.entrants.iter().map(|player| source.players[*player].name.as_str()).collect();
    assert_eq!(cut.kind, PhaseKind::Elimination);
    assert_eq!(
        (cut.seeded, seeds),
        (true, vec!["Ada Quist", "Bo Ferrar", "Cem Oduya", "Dora Lind"])
    );
    let tables: Vec<Option<u32>> = swiss.rounds[1].tables.iter().map(|table| table.table).collect();
    assert_eq!(tables, [Some(1), Some(2), Some(3)]);
    let drops: Vec<(usize, u16)> =
        source.drops.iter().map(|drop| (drop.player, drop.after_round)).collect();
    assert_eq!(drops, [(4, 2), (6, 2)]);
    let said = (source.title.as_str(), source.identity.as_str(), source.cut, source.finished);
    assert_eq!(said, ("Harbour Cup \"Six\"", "tom 26-11-000777", Some(4), false));
    assert_eq!(source.rules.as_deref(), Some("pokemon"));
    assert_eq!(source.oddities, []);
    legal_events(&source).expect("legal where they stand");
}

#[test]
fn a_division_follows_the_year_of_birth_and_the_season_and_no_birth_date_is_kept() {
    let divisions = |source: &Source| -> Vec<String> {
        let word = |player: &crate::SourcePlayer| player.division.clone().unwrap_or_default();
        source.players.iter().map(word).collect()
    };
    let source = source(PODS);
    assert_eq!(divisions(&source)[4..], ["master", "senior", "junior", "senior"]);
    assert!(
        !format!("{source:?}").contains("03/09") && !format!("{source:?}").contains("Ivo Marsh")
    );
    // Before the first round there are no pods: the youngest senior of the season 2027 was born in 2014.
    let alone = |year: u16, day: &str| {
        let player = format!(
            "<player userid=\"7\"><firstname>Ada</firstname><lastname>Quist</lastname>\
             <birthdate>12/31/{year}</birthdate></player>"
        );
        let text = format!(
            "<tournament type=\"2\" stage=\"1\"><data><name>Cup</name><startdate>{day}</startdate></data>\
             <players>{player}</players></tournament>"
        );
        divisions(&super::source(&text)).concat()
    };
    let years = [2010, 2011, 2014, 2015].map(|year| alone(year, "10/04/2026"));
    assert_eq!(years, ["master", "senior", "senior", "junior"]);
    let years = [2008, 2009, 2012, 2013].map(|year| alone(year, "03/16/2025"));
    assert_eq!(years, ["master", "senior", "senior", "junior"]);
    // In the summer one season ends and another begins: who is of one division in both has it.
    let years = [2009, 2010, 2012, 2014, 2015].map(|year| alone(year, "08/01/2026"));
    assert_eq!(years, ["master", "", "senior", "", "junior"]);
}

#[test]
fn a_file_of_tom_is_the_same_however_its_lines_end_and_its_letters_are_kept() {
    let truth = source(PODS);
    let crlf = PODS.replace('\n', "\r\n");
    assert_eq!(source(&crlf), truth);
    assert_eq!(source(&format!("\u{feff}{PODS}")), truth);
    let wide: Vec<u8> =
        std::iter::once(0xfeff).chain(PODS.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert_eq!(read("event.txt", &wide).expect("UTF-16"), truth);
    let otherwise = PODS
        .replace("type=\"3\" stage=\"4\" version", "version")
        .replace("mode=\"TCG1DAY\"", "mode='TCG1DAY' stage='4' type='3'")
        .replace(" >", ">")
        .replace("&quot;", "&#34;")
        .replace("\t", "");
    let places = |mut source: Source| {
        source.oddities.clear();
        source
    };
    assert_eq!(places(source(&otherwise)), places(truth));
}

#[test]
fn a_file_of_tom_is_refused_with_its_line() {
    let refused = |from: &str, to: &str| {
        let changed = PODS.replacen(from, to, 1);
        assert_ne!(changed, PODS);
        read("event.tdf", changed.as_bytes()).expect_err("refused").to_string()
    };
    let code = refused("<match outcome=\"10\">", "<match outcome=\"7\">");
    assert!(code.contains("line 227: the outcome of the match is \"7\""), "{code}");
    let bye = refused("<match outcome=\"10\">", "<match outcome=\"5\">");
    assert!(bye.contains("since there are two players"), "{bye}");
    let alone = refused("<match outcome=\"5\">", "<match outcome=\"0\">");
    assert!(alone.contains("since there is one player"), "{alone}");
    let nobody = refused("<player1 userid=\"202\"/>", "<player1 userid=\"299\"/>");
    assert!(nobody.contains("line 135") && nobody.contains("299"), "{nobody}");
    let twice = refused("<player userid=\"102\">", "<player userid=\"101\">");
    assert!(twice.contains("appears twice in the list of players"), "{twice}");
    let again = refused("<player2 userid=\"203\"/>", "<player2 userid=\"201\"/>");
    assert!(again.contains("appears twice in Round 1"), "{again}");
    let own = refused("<player2 userid=\"203\"/>", "<player2 userid=\"202\"/>");
    assert!(own.contains("against themselves"), "{own}");
    let system = refused("type=\"3\" stage=\"4\"", "type=\"9\" stage=\"4\"");
    assert!(system.contains("line 2: the type of the tournament"), "{system}");
    let kind = refused("<round number=\"2\" type=\"3\"", "<round number=\"2\" type=\"x\"");
    assert!(kind.contains("the type of the round"), "{kind}");
    let back = refused("<round number=\"1\" type=\"3\"", "<round number=\"1\" type=\"1\"");
    assert!(back.contains("as of the round of the cut before"), "{back}");
    let cut = refused(
        "</match>\n\t\t\t\t\t</matches>\n\t\t\t\t</round>\n\t\t\t</rounds>\n\t\t</pod>\n\t</pods>",
        "",
    );
    assert!(cut.contains("line"), "{cut}");
}

#[test]
fn a_pod_that_is_ahead_waits_in_the_log_for_the_round_of_the_other_one() {
    let tie = PODS.find("<match outcome=\"3\">").expect("one");
    let open = format!("{}<match outcome=\"0\">{}", &PODS[..tie], &PODS[tie + 19..]);
    let source = source(&open);
    assert_eq!(source.rounds().count(), 4, "the source has all of it");
    let told = source.oddities.last().expect("it is told");
    assert!(told.sentence.contains("later rounds are paired"), "{told:?}");
    let events = legal_events(&source).expect("legal where they stand");
    let opened = events.iter().filter(|event| matches!(event, Event::RoundOpened(_)));
    assert_eq!(opened.count(), 2);
    // What was played is written all the same.
    assert_eq!(written(&source, open.as_bytes()).expect("written").text, open);
}

#[test]
fn the_cuts_of_two_divisions_of_one_pod_are_phases_of_their_own() {
    let match_of = |outcome: u8, one: u8, other: u8, table: u8| {
        format!(
            "<match outcome=\"{outcome}\"><player1 userid=\"{one}\"/><player2 userid=\"{other}\"/>\
             <tablenumber>{table}</tablenumber></match>"
        )
    };
    let player = |id: u8, year: u16, seed: u8| {
        format!(
            "<player userid=\"{id}\"><firstname>P</firstname><lastname>{id}</lastname>\
             <birthdate>01/01/{year}</birthdate><seed>{seed}</seed></player>"
        )
    };
    let players: String = (1..=4).map(|at| player(at, 1990, at)).collect::<String>()
        + &(5..=6).map(|at| player(at, 2016, at - 4)).collect::<String>();
    let rounds = [
        ("3", match_of(1, 1, 5, 1) + &match_of(1, 2, 6, 2) + &match_of(1, 3, 4, 3)),
        ("1", match_of(1, 1, 4, 1) + &match_of(2, 3, 2, 2) + &match_of(1, 5, 6, 3)),
        ("1", match_of(0, 1, 2, 1)),
    ];
    let rounds: String = (1..)
        .zip(&rounds)
        .map(|(number, (kind, matches))| {
            format!("<round number=\"{number}\" type=\"{kind}\" stage=\"6\"><matches>{matches}</matches></round>")
        })
        .collect();
    let text = format!(
        "<tournament type=\"3\" stage=\"4\"><data><name>Cup</name><startdate>10/04/2026</startdate></data>\
         <players>{players}</players><pods><pod category=\"10\" stage=\"1\"><rounds>{rounds}</rounds></pod></pods>\
         </tournament>"
    );
    let source = source(&text);
    let phases: Vec<(usize, usize, bool)> = source
        .phases
        .iter()
        .map(|phase| (phase.entrants.len(), phase.rounds.len(), phase.seeded))
        .collect();
    assert_eq!(phases, [(6, 1, false), (2, 1, true), (4, 2, true)]);
    assert_eq!(
        sheet_of(&source)[3..],
        ["2: P 5-P 6 1,0 (0)", "3: P 1-P 4 1,0 (0)", "3: P 3-P 2 0,1 (0)", "4: P 1-P 2  ()"]
    );
    legal_events(&source).expect("legal where they stand");
    assert_eq!(written(&source, text.as_bytes()).expect("written").text, text);
    let mut over = source;
    over.phases[2].rounds[1].tables[0].result =
        MatchResult::played(crate::sheet::games_score([0, 1, 0]));
    let text = text.replace("outcome=\"0\"", "outcome=\"2\"");
    let text =
        text.replace("number=\"3\" type=\"1\" stage=\"6\"", "number=\"3\" type=\"1\" stage=\"8\"");
    let open =
        text.replace("outcome=\"2\"><player1 userid=\"1\"", "outcome=\"0\"><player1 userid=\"1\"");
    assert_eq!(written(&over, open.as_bytes()).expect("written").text, text);
}

#[test]
fn final_places_are_those_of_each_division_and_who_did_not_finish_has_none() {
    let standings = "\t<standings>\n\t\t<pod category=\"2\" type=\"finished\">\n\
        \t\t\t<player id=\"102\" place=\"1\" />\n\t\t\t<player id=\"101\" place=\"2\" />\n\t\t</pod>\n\
        \t\t<pod category=\"2\" type=\"dnf\">\n\t\t\t<player id=\"104\" />\n\t\t</pod>\n\
        \t\t<pod category=\"1\" type=\"finished\">\n\t\t\t<player id=\"202\" place=\"1\" />\n\t\t</pod>\n\
        \t</standings>\n\t<finalsoptions>";
    let over = PODS
        .replace("stage=\"4\" version", "stage=\"5\" version")
        .replace("\t<finalsoptions>", standings);
    let open = source(&over);
    assert!(
        !open.finished && open.oddities[0].sentence.contains("a match has no result"),
        "{open:?}"
    );
    let source = source(&over.replace("outcome=\"0\"", "outcome=\"1\""));
    let places: Vec<(usize, u32)> =
        source.places.iter().map(|one| (one.player, one.place)).collect();
    assert_eq!((places, source.places_by_division()), (vec![(1, 1), (0, 2), (6, 1)], true));
    assert!(source.finished);
    assert_eq!(source.players[6].division.as_deref(), Some("senior"), "the standings say so");
    let out = source.drops.iter().find(|drop| drop.player == 3).expect("disqualified");
    assert_eq!((out.why, out.after_round), (DropReason::Disqualified, 4));
    let events = legal_events(&source).expect("legal where they stand");
    assert!(matches!(events.last(), Some(Event::TournamentClosed(_))));
}

#[test]
fn a_file_of_another_program_in_this_format_is_read_with_what_is_odd_told() {
    let text = PODS
        .replace("<startdate>11/14/2026", "<startdate>14/11/2026")
        .replace("<pod category=\"8\"", "<pod category=\"preliminary\"")
        .replacen(" type=\"3\" stage=\"6\" >", ">", 1)
        .replace("userid=\"201\"", "userid=\"ELY-2026-09\"")
        .replace("<round>2</round>", "<round>1</round>");
    let source = source(&text);
    assert_eq!(source.held_on.map(|day| day.to_string()).as_deref(), Some("2026-11-14"));
    let told: Vec<&str> = source.oddities.iter().map(|odd| odd.sentence.as_str()).collect();
    assert_eq!(told.len(), 5, "{told:#?}");
    assert!(told[0].contains("\"preliminary\""), "{told:?}");
    assert!(told.iter().any(|one| one.contains("left after round 1, and plays on")), "{told:?}");
    assert_eq!(source.drops.iter().map(|drop| drop.after_round).collect::<Vec<_>>(), [2, 2]);
    legal_events(&source).expect("legal where they stand");
    assert_eq!(written(&source, text.as_bytes()).expect("written").text, text);
}

/// The sample as TOM has it configured, before the first round.
fn configured() -> String {
    let mut text = PODS.replacen("stage=\"4\" version", "stage=\"3\" version", 1);
    for (from, to, empty) in [
        ("<subgroups>", "\t\t\t</subgroups>", "\n"),
        ("<rounds>", "\t\t\t</rounds>", "\n"),
        ("\t\t\t<starter>", "\t\t\t<creationdate>", ""),
    ] {
        let mut rest = text.as_str();
        let mut kept = String::new();
        while let Some((before, after)) = rest.split_once(from) {
            kept += before;
            kept += if empty.is_empty() { "" } else { from };
            kept += empty;
            rest = &after[after.find(to).expect("it ends")..];
        }
        text = kept + rest;
    }
    text.replace("<pod category=\"2\" stage=\"1\">", "<pod category=\"2\" stage=\"0\">")
}

#[test]
fn what_was_paired_at_this_desk_goes_into_the_file_that_tom_has_configured() {
    let before = configured();
    let set_up = source(&before);
    assert_eq!(
        (set_up.rounds().count(), set_up.cut, set_up.players[2].sign_up),
        (0, Some(4), Some(3))
    );
    let truth = source(PODS);
    let found = written(&elsewhere(&truth, |_| false), before.as_bytes()).expect("written");
    assert!(found.left_out.iter().any(|what| what.starts_with("times: ")), "{:?}", found.left_out);
    let again = source(&found.text);
    let words = |source: &Source| {
        let mut lines = sheet_of(source);
        lines.sort();
        lines
    };
    assert_eq!(words(&again), words(&truth));
    assert_eq!((again.players, again.drops.len()), (truth.players, truth.drops.len()));
    assert_eq!(again.phases[1].entrants, truth.phases[1].entrants);
    // But for what TOM alone knows and the order of lists, it is the file that TOM has.
    let lines = |text: &str| {
        let known = |line: &&str| {
            !["<byes>", "<late>", "<starter>false"].iter().any(|tag| line.contains(tag))
        };
        let mut lines: Vec<String> =
            timeless(text).lines().filter(known).map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let [found, expected] = [&found.text, PODS].map(lines);
    let extra: Vec<&String> = found.iter().filter(|line| !expected.contains(line)).collect();
    let missing: Vec<&String> = expected.iter().filter(|line| !found.contains(line)).collect();
    assert_eq!((extra, missing), (vec![], vec![]));
}

#[test]
fn results_drops_and_pairings_are_written_and_nothing_else_changes() {
    let mut source = source(PODS);
    let game = |games| MatchResult::played(crate::sheet::games_score(games));
    source.phases[1].rounds[0].tables[0].result = game([2, 1, 0]);
    let found = written(&source, PODS.as_bytes()).expect("written");
    let one = PODS
        .rfind("<match outcome=\"0\">")
        .and_then(|last| PODS[..last].rfind("<match outcome=\"0\">"));
    let at = one.expect("two are open") + "<match outcome=\"".len();
    let expected = format!("{}1{}", &PODS[..at], &PODS[at + 1..]);
    assert_eq!(found.text, expected, "one digit");
    assert!(
        found
            .left_out
            .iter()
            .any(|what| what == "scores of matches, of which only the winner is written: 1")
    );
    // The other one: the round is over.
    source.phases[1].rounds[0].tables[1].result = MatchResult {
        rulings: [Some(Ruling::Loss), Some(Ruling::Win)].into_iter().collect(),
        ..game([0, 0, 0])
    };
    let crlf = expected.replace('\n', "\r\n");
    let found = written(&source, crlf.as_bytes()).expect("written").text;
    let whole = crlf
        .replace("outcome=\"0\"", "outcome=\"2\"")
        .replace("type=\"1\" stage=\"2\"", "type=\"1\" stage=\"6\"")
        .replace("<starttime></starttime>", "<starttime>11/14/2026 10:00:00</starttime>");
    assert_eq!(found, whole);
    // The final, with a mark of the encoding before the text.
    let final_round = crate::SourceRound {
        name: "Final".into(),
        weight: RoundWeight::ONE,
        tables: vec![crate::SourceTable {
            table: Some(1),
            seats: [0, 1].map(|player| crate::SourceSeat { player, role: 0 }).to_vec(),
            result: game([0, 1, 0]),
            place: String::new(),
        }],
        byes: Vec::new(),
    };
    source.phases[1].rounds.push(final_round);
    source.drops.retain(|drop| drop.player != 6);
    source.drops.push(crate::SourceDrop {
        player: 7,
        why: DropReason::Left,
        after_round: 3,
        place: String::new(),
    });
    let found = written(&source, format!("\u{feff}{whole}").as_bytes()).expect("written");
    assert!(found.text.starts_with("\u{feff}<?xml"));
    assert!(found.text.contains(
        "\t\t\t\t<round number=\"5\" type=\"1\" stage=\"8\" >\r\n\t\t\t\t\t<timeleft>3000</timeleft>\r\n"
    ));
    assert!(
        found.left_out.iter().any(|what| what.starts_with("drops that stand in TOM's file alone"))
    );
    let again = read("event.tdf", found.text.as_bytes()).expect("read");
    assert_eq!(again.rounds().count(), 5);
    let drops: Vec<(usize, u16)> =
        again.drops.iter().map(|drop| (drop.player, drop.after_round)).collect();
    assert_eq!(drops, [(4, 2), (6, 2), (7, 2)], "their pod has two rounds");
    assert_eq!(written(&again, found.text.as_bytes()).expect("written").text, found.text);
}

#[test]
fn who_plays_on_has_not_left_and_an_open_round_may_be_paired_again() {
    let before = PODS.replace("<round>2</round>", "<round>1</round>");
    let mut truth = source(&before);
    truth.drops.clear();
    let found = written(&truth, before.as_bytes()).expect("written").text;
    assert_eq!(found, before.replace("<status>1</status>", "<status>0</status>"));
    assert_eq!(source(&found).drops, []);
    // The semi-finals the other way.
    let seats = |player: usize| crate::SourceSeat { player, role: 0 };
    truth.phases[1].rounds[0].tables[0].seats = vec![seats(0), seats(1)];
    truth.phases[1].rounds[0].tables[1].seats = vec![seats(2), seats(3)];
    let found = written(&truth, PODS.as_bytes()).expect("written").text;
    let lines = sheet_of(&source(&found));
    assert_eq!(lines[13..], ["4: Ada Quist-Bo Ferrar  ()", "4: Cem Oduya-Dora Lind  ()"]);
    let told =
        |found: Result<crate::Written, crate::WriteError>| found.expect_err("refused").to_string();
    let reported = PODS.replace("outcome=\"0\"", "outcome=\"1\"");
    let refused = told(written(&truth, reported.as_bytes()));
    assert!(
        refused.contains("round 4 of the masters") && refused.contains("it has results"),
        "{refused}"
    );
    // A result that TOM alone has stays.
    let kept = written(&source(PODS), reported.as_bytes()).expect("written");
    assert_eq!(kept.text, reported);
    assert!(
        kept.left_out[0].starts_with("results that stand in TOM's file alone"),
        "{:?}",
        kept.left_out
    );
}

#[test]
fn without_toms_own_file_nothing_is_written() {
    let source = source(PODS);
    let write = |source: &Source, into: Option<&File>| {
        let found =
            crate::Format::write(&crate::tdf::Tdf, source, into).expect("it can be written");
        found.expect_err("refused")
    };
    let none = write(&source, None);
    assert_eq!(none.code().word, "needs-its-file");
    assert!(none.to_string().contains("TOM"), "{none}");
    let broken = File::new("cup.tdf", b"<tournament type=\"3\" stage=\"4\">");
    assert!(write(&source, Some(&broken)).to_string().contains("is not closed"));
    let mut other = source.clone();
    other.players[3].publisher_id = None;
    let cup = File::new("cup.tdf", PODS.as_bytes());
    assert_eq!(write(&other, Some(&cup)).code().word, "not-in-its-file");
    let set_up = configured();
    let (head, rest) = set_up.split_once("\t<pods>\n").expect("pods");
    let set_up = format!("{head}\t<pods>\n{}", &rest[rest.find("\t</pods>").expect("an end")..]);
    let without_pods = write(&source, Some(&File::new("cup.tdf", set_up.as_bytes())));
    assert!(without_pods.to_string().contains("configure the tournament in TOM"), "{without_pods}");
    let mut mixed = source.clone();
    mixed.phases[0].rounds[0].tables.swap(0, 1);
    let first = mixed.phases[0].rounds[0].tables[0].seats[0];
    mixed.phases[0].rounds[0].tables[0].seats[0] = mixed.phases[0].rounds[0].tables[1].seats[0];
    mixed.phases[0].rounds[0].tables[1].seats[0] = first;
    assert!(write(&mixed, Some(&cup)).to_string().contains("different pods"));
}

#[test]
fn every_example_of_a_tom_file_is_read() {
    for (name, bytes) in examples("tdf", &["tdf"]) {
        let source = read(&name, &bytes).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(source.format, "tdf", "{name}");
        legal_events(&source).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(source.oddities, [], "{name}");
        // How many players of each division TOM counts where it offers a cut; beside one pod of all divisions it
        // says the number of all at the juniors.
        let text = String::from_utf8(bytes).expect("UTF-8");
        for (key, word) in [("2", "master"), ("1", "senior"), ("0", "junior")] {
            let Some((_, cut)) = text.split_once(&format!("<categorycut key=\"{key}\">")) else {
                continue;
            };
            let (_, count) = cut.split_once("<playercount>").expect("a count");
            let count: usize =
                count.split('<').next().expect("a number").parse().expect("a number");
            let own =
                source.players.iter().filter(|one| one.division.as_deref() == Some(word)).count();
            assert!(
                own == count || count == source.players.len(),
                "{name}: {own} of {word}, {count}"
            );
        }
    }
}

/// The rules of Play! Pokémon as TOM has them: a bye that was assigned beforehand is a win in its player's percentage
/// too, where the shipped ruleset leaves out all byes. That moves two neighbors of one event.
const AS_TOM: &str = r#"
name = "Play! Pokemon, as TOM counts"
edition = "1.86"
source = "final standings and seeds of cuts"
extends = "pokemon"

[measures.wins_seen]
total = "rounds"
outcomes = ["win"]
byes = "count"
except = ["bye", "half_bye", "zero_bye", "vacant"]

[measures.rounds_seen]
total = "rounds"
byes = "count"
except = ["bye", "half_bye", "zero_bye", "vacant"]
"#;

/// The players of a division in the order of their places after so many rounds.
fn ranked(
    source: &Source,
    through: Option<u16>,
    division: Option<&str>,
    rules: &str,
) -> Vec<usize> {
    let mut state = Tournament::default();
    legal_events(source).expect("legal").iter().for_each(|event| state.evolve(event));
    let mut library = Library::shipped();
    library.load_file("tom.toml", AS_TOM).expect("a ruleset");
    let rules = Arc::new(library.ruleset(rules).expect("it is there"));
    let scope = Scope { through, final_order: Some(through.is_none()) };
    let standings = Standings::of(&state, &rules, scope, Detail::All).expect("standings");
    let own = match division {
        Some(division) => standings.of_division(&state, division),
        None => standings,
    };
    let placed: Vec<usize> = own.rows.iter().map(|row| row.player as usize - 1).collect();
    // Who takes no place stands behind, as TOM has those who did not finish.
    let is_of = |at: &usize| source.players[*at].division.as_deref() == division;
    let rest = (0..source.players.len()).filter(|at| is_of(at) && !placed.contains(at));
    placed.iter().copied().filter(is_of).chain(rest).collect()
}

/// TOM's own places, division by division. Whoever still played at the end must stand in TOM's order without
/// exception. Who left is looked at alone, and may stand one place from where TOM has them, which is told.
#[test]
fn final_places_are_toms_own() {
    let (mut divisions, mut compared, mut left, mut moved) = (0, 0, 0, 0);
    for (name, bytes) in examples("tdf", &["tdf"]) {
        let source = read(&name, &bytes).expect("read");
        for division in ["junior", "senior", "master"] {
            let own = |at: usize| source.players[at].division.as_deref() == Some(division);
            let places = source.places.iter().filter(|one| own(one.player));
            let mut truth: Vec<_> = places.map(|one| (one.place, one.player)).collect();
            if truth.is_empty() {
                continue;
            }
            truth.sort_unstable();
            let truth: Vec<usize> = truth.into_iter().map(|(_, player)| player).collect();
            let found = ranked(&source, None, Some(division), "tom");
            let has_left = |at: &usize| source.drops.iter().any(|drop| drop.player == *at);
            let active = |list: &[usize]| -> Vec<usize> {
                list.iter().copied().filter(|at| !has_left(at)).collect()
            };
            assert_eq!(active(&found), active(&truth), "{name} {division}");
            for player in truth.iter().filter(|at| has_left(at)) {
                let at =
                    |list: &[usize]| list.iter().position(|one| one == player).expect("a place");
                let (found, truth) = (at(&found) + 1, at(&truth) + 1);
                if found != truth {
                    eprintln!(
                        "{name} {division}: who left stands {found} here and {truth} with TOM"
                    );
                }
                assert!(found.abs_diff(truth) <= 1, "{name} {division}: {found}, {truth}");
                (left, moved) = (left + 1, moved + usize::from(found != truth));
            }
            (divisions, compared) = (divisions + 1, compared + active(&truth).len());
        }
    }
    eprintln!("{divisions} divisions, {compared} places; of {left} who left {moved} one place off");
}

/// The seeds of TOM's cuts are the places of their division after the Swiss rounds.
#[test]
fn the_seeds_of_a_cut_are_the_places_after_the_swiss_rounds() {
    let (mut cuts, mut other) = (0, 0);
    for (name, bytes) in examples("tdf", &["tdf"]) {
        let source = read(&name, &bytes).expect("read");
        let swiss = source.phases[0].rounds.len() as u16;
        for cut in source.phases.iter().skip(1).filter(|phase| phase.seeded) {
            let division = source.players[cut.entrants[0]].division.clone();
            let ranked = |rules: &str| {
                let mut found = ranked(&source, Some(swiss), division.as_deref(), rules);
                found.truncate(cut.entrants.len());
                found
            };
            assert_eq!(ranked("tom"), cut.entrants, "{name}");
            (cuts, other) = (cuts + 1, other + usize::from(ranked("pokemon") != cut.entrants));
        }
    }
    eprintln!("{cuts} cuts, {other} of them seeded otherwise by the shipped ruleset");
}

#[test]
fn a_file_of_tom_stays_as_it_is_where_nothing_is_new() {
    for (name, bytes) in examples("tdf", &["tdf"]) {
        let source = read(&name, &bytes).unwrap_or_else(|error| panic!("{error}"));
        let same = written(&source, &bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(same.text.as_bytes() == bytes, "{name}");
        assert_eq!(same.left_out, [] as [String; 0], "{name}");
        let same = written(&elsewhere(&source, |_| true), &bytes).expect("written");
        assert!(same.text.as_bytes() == bytes, "{name}");
    }
}

#[test]
fn toms_file_of_a_round_becomes_that_of_the_rounds_after_it() {
    let files = examples("tdf", &["tdf"]);
    let mut pairs = 0;
    for (at, (name, earlier)) in files.iter().enumerate() {
        let event = |name: &str| {
            name.split_once("_r").or(name.rsplit_once('_')).map(|(event, _)| event.to_owned())
        };
        let event = |name: &str| {
            name.rsplit_once('_')
                .filter(|_| name.starts_with("tom"))
                .map(|(event, _)| event.to_owned())
                .or_else(|| event(name))
        };
        let before = read(name, earlier).unwrap_or_else(|error| panic!("{error}"));
        if before.rounds().count() == 0 {
            continue;
        }
        for (later_name, later) in
            files[at + 1..].iter().filter(|(other, _)| event(other) == event(name))
        {
            let truth = read(later_name, later).expect("read");
            let known = before.rounds().count() as u16;
            let truth = elsewhere(&truth, |round| round <= known);
            let found = written(&truth, earlier)
                .unwrap_or_else(|error| panic!("{name} {later_name}: {error}"));
            let expected = String::from_utf8(later.clone()).expect("UTF-8");
            // The end is TOM's own to make.
            let expected = match expected.split_once("\t<standings>") {
                Some((head, rest)) => {
                    let (_, tail) = rest.split_once("</standings>\n").expect("closed");
                    head.replace(" stage=\"5\" version", " stage=\"4\" version") + tail
                }
                None => expected,
            };
            let (found, expected) = (timeless(&found.text), timeless(&expected));
            if found != expected {
                let differ =
                    found.lines().zip(expected.lines()).enumerate().filter(|(_, (a, b))| a != b);
                let differ: Vec<_> = differ.take(20).collect();
                panic!("{name} {later_name}: {differ:#?}");
            }
            pairs += 1;
        }
    }
    eprintln!("{pairs} pairs");
}
