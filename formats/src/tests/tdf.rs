//! TOM's files.

use super::*;

mod examples;
mod written;
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
    let said = "It is not over, and later rounds are paired, first Round 3 of the masters: ";
    assert!(told.place == "Round 2" && told.sentence.starts_with(said), "{told:?}");
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

/// The rules of Play! Pokémon as TOM has them: a bye that was assigned beforehand is a win in its player's percentage
/// too, where the shipped ruleset leaves out all byes. That moves two neighbors of one tournament.
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

/// A late entry made a division of eight one of nine, with a round more than TOM plays.
#[test]
fn who_comes_late_adds_no_round_to_those_that_tom_has_for_the_division() {
    let player = |id: u8| {
        format!(
            "<player userid=\"{id}\"><firstname>P</firstname><lastname>{id}</lastname></player>"
        )
    };
    let pod = |category: u8, ids: std::ops::RangeInclusive<u8>| {
        let listed: String = ids.map(|id| format!("<player userid=\"{id}\" />")).collect();
        format!(
            "<pod category=\"{category}\" stage=\"0\"><subgroups><subgroup number=\"1\"><players>{listed}</players>\
             </subgroup></subgroups><rounds></rounds></pod>"
        )
    };
    let cut = |key: u8, count: u8| {
        format!(
            "<categorycut key=\"{key}\"><cut>0</cut><playercount>{count}</playercount></categorycut>"
        )
    };
    let players: String = (1..=18).map(player).collect();
    let (masters, seniors) = (pod(2, 1..=9), pod(1, 10..=18));
    let rounds = |cuts: &[String]| {
        let text = format!(
            "<tournament type=\"2\" stage=\"4\"><data><name>Cup</name></data><players>{players}</players>\
             <pods>{seniors}{masters}</pods><finalsoptions>{}</finalsoptions></tournament>",
            cuts.concat()
        );
        source(&text).division_rounds
    };
    let expected = [("master".to_owned(), 3), ("senior".to_owned(), 4)];
    assert_eq!(rounds(&[cut(2, 8), cut(1, 9)]), expected);
    // Without that number those who are in it are counted.
    assert_eq!(rounds(&[]), []);
    assert_eq!(rounds(&[cut(2, 8)]), expected);
}

/// The cut was begun in the log, and a Swiss round that the others had to play was refused from then on.
#[test]
fn a_cut_waits_for_the_swiss_rounds_that_another_pod_has_to_come() {
    let text = PODS.replace("<status>1<", "<status>0<");
    let early = source(&text);
    assert_eq!((&early.goes_on[..], early.rounds().count()), (&[0, 1][..], 4), "all is there");
    let told = early.oddities.last().expect("it is told");
    let said = "It is not over, and later rounds are paired, first Round 4 of the masters: ";
    assert!(told.place == "the round after Round 3" && told.sentence.starts_with(said), "{told:?}");
    let events = legal_events(&early).expect("legal where they stand");
    assert!(!events.iter().any(|event| matches!(event, Event::PhaseEnded(_))));
    assert_eq!(written(&early, text.as_bytes()).expect("written").text, text);
    // Nobody waits where all have met, where TOM marks a round as the last one, and where all is over.
    let round = |stage: u8| format!("<round number=\"2\" type=\"3\" stage=\"{stage}\" >");
    let marked = text.replacen(&round(6), &round(8), 1);
    assert_eq!([PODS, &marked[..]].map(|text| source(text).goes_on), [[1], [1]]);
    let over = text.replace("stage=\"4\" version", "stage=\"5\" version");
    assert!(source(&over).goes_on.is_empty());
}

/// Two divisions of four after a Swiss round, with the semifinals of the seniors and of the masters: when they were
/// paired, and their outcome.
fn two_cuts(cuts: [(&str, u8); 2]) -> String {
    let pod = |category: u8, first: usize, (time, outcome): (&str, u8)| {
        let one = |outcome: u8, table: usize, [one, other]: [usize; 2]| {
            format!(
                "<match outcome=\"{outcome}\"><player1 userid=\"{one}\"/><player2 userid=\"{other}\"/>\
                 <timestamp>{time}</timestamp><tablenumber>{table}</tablenumber></match>"
            )
        };
        let swiss = one(1, first, [first, first + 1]) + &one(1, first + 2, [first + 2, first + 3]);
        let cut = one(outcome, 1, [first, first + 3]) + &one(outcome, 2, [first + 2, first + 1]);
        format!(
            "<pod category=\"{category}\" stage=\"1\"><rounds>\
             <round number=\"1\" type=\"3\" stage=\"8\"><matches>{swiss}</matches></round>\
             <round number=\"2\" type=\"1\" stage=\"2\"><pairtime>{time}</pairtime><matches>{cut}</matches></round>\
             </rounds></pod>"
        )
    };
    let player = |id: u8| {
        format!(
            "<player userid=\"{id}\"><firstname>P</firstname><lastname>{id}</lastname></player>"
        )
    };
    let players: String = (1..=8).map(player).collect();
    let pods = pod(1, 1, cuts[0]) + &pod(2, 5, cuts[1]);
    format!(
        "<tournament type=\"3\" stage=\"4\"><data><name>Cup</name></data><players>{players}</players>\
         <pods>{pods}</pods></tournament>"
    )
}

/// The pods stand in one order, whoever began their cut first: then phases changed hands from file to file.
#[test]
fn cuts_stand_in_the_order_in_which_they_were_paired_and_wait_for_each_other() {
    let firsts = |text: &str| -> Vec<usize> {
        source(text).phases[1..].iter().map(|phase| phase.entrants[0]).collect()
    };
    let (early, late) = ("11/14/2026 15:00:00", "11/14/2026 15:20:00");
    assert_eq!(firsts(&two_cuts([(early, 0), (late, 0)])), [0, 4]);
    assert_eq!(firsts(&two_cuts([(late, 0), (early, 0)])), [4, 0]);
    assert_eq!(firsts(&two_cuts([(early, 0), (early, 0)])), [0, 4], "as the pods do");
    let year = two_cuts([("01/01/2027 00:10:00", 0), ("12/31/2026 23:50:00", 0)]);
    assert_eq!(firsts(&year), [4, 0]);
    // Older versions have the times of matches alone.
    assert_eq!(firsts(&year.replace("pairtime", "other")), [4, 0]);
    // The final of those who are first is to come.
    let source = source(&two_cuts([(late, 0), (early, 1)]));
    assert_eq!(source.goes_on, [1, 2]);
    let told = source.oddities.last().expect("it is told");
    assert_eq!(told.place, "the round after Round 2 of the masters");
    assert!(told.sentence.contains("first Round 2 of the seniors"), "{told:?}");
    let events = legal_events(&source).expect("legal where they stand");
    let opened = events.iter().filter(|event| matches!(event, Event::RoundOpened(_)));
    assert_eq!(opened.count(), 2);
}

/// One pod of four seniors and eight masters, each with a cut of their own: the matches of the rounds behind the first
/// one, each as its outcome and its two players.
fn side_by_side(cuts: &[Vec<[u8; 3]>]) -> String {
    let round = |number: usize, kind: &str, matches: &[[u8; 3]]| {
        let stage = if matches.iter().all(|[outcome, ..]| *outcome != 0) { 6 } else { 2 };
        let one = |(table, [outcome, one, other]): (usize, &[u8; 3])| {
            format!(
                "\t<match outcome=\"{outcome}\"><player1 userid=\"{one}\"/><player2 userid=\"{other}\"/>\
                 <tablenumber>{table}</tablenumber></match>\n"
            )
        };
        let matches: String = (1..).zip(matches).map(one).collect();
        format!(
            "<round number=\"{number}\" type=\"{kind}\" stage=\"{stage}\">\n<matches>\n{matches}</matches>\n</round>\n"
        )
    };
    let player = |id: u8| {
        let (year, seed) = if id > 4 { (1990, id - 4) } else { (2012, id) };
        format!(
            "<player userid=\"{id}\"><firstname>P</firstname><lastname>{id}</lastname>\
             <birthdate>01/01/{year}</birthdate><seed>{seed}</seed></player>\n"
        )
    };
    let players: String = (1..=12).map(player).collect();
    let first = [[1, 1, 5], [1, 2, 6], [1, 3, 7], [1, 4, 8], [1, 9, 10], [1, 11, 12]];
    let behind: String = (2..).zip(cuts).map(|(number, cut)| round(number, "1", cut)).collect();
    format!(
        "<tournament type=\"3\" stage=\"4\"><data><name>Cup</name><startdate>10/04/2026</startdate></data>\n\
         <players>\n{players}</players>\n<pods><pod category=\"10\" stage=\"1\"><rounds>\n{}{behind}</rounds></pod>\
         </pods></tournament>\n",
        round(1, "3", &first)
    )
}

/// The semifinals of the seniors beside the quarterfinals of the masters.
fn first_of_both(seniors: [u8; 2], masters: [u8; 4]) -> Vec<[u8; 3]> {
    let players = [[1, 4], [3, 2], [5, 12], [9, 8], [7, 10], [11, 6]];
    let outcomes = seniors.into_iter().chain(masters);
    outcomes.zip(players).map(|(outcome, [one, other])| [outcome, one, other]).collect()
}

/// "Round 6 of the junior and senior and masters is paired there, and comes in here once Round 6 of the junior and
/// senior and masters is over".
#[test]
fn a_round_of_a_cut_is_named_by_the_division_whose_it_is() {
    let source = source(&side_by_side(&[first_of_both([0; 2], [0; 4])]));
    let told = source.oddities.last().expect("it is told");
    assert_eq!(told.place, "Round 2 of the seniors");
    assert!(told.sentence.contains("first Round 2 of the masters: "), "{told:?}");
}

/// Who was disqualified was read as having left while TOM ran, and kept a place.
#[test]
fn who_is_marked_as_disqualified_is_unless_the_standings_have_them_among_those_who_finished() {
    let marked = |status: u8| PODS.replacen("<status>1<", &format!("<status>{status}<"), 1);
    let read = |text: &str| -> (DropReason, Vec<String>) {
        let source = source(text);
        (source.drops[0].why, source.oddities.into_iter().map(|odd| odd.sentence).collect())
    };
    let none: Vec<String> = Vec::new();
    assert_eq!(read(PODS), (DropReason::Left, none.clone()));
    assert_eq!(read(&marked(2)), (DropReason::Disqualified, none));
    let (why, told) = read(&marked(3));
    assert!(why == DropReason::Left && told[0].contains("read as having left"), "{told:?}");
    let standings = "<standings><pod category=\"2\" type=\"finished\"><player id=\"105\" place=\"5\" /></pod>\
                     </standings><finalsoptions>";
    let (why, told) = read(&marked(2).replace("<finalsoptions>", standings));
    assert!(why == DropReason::Left && told[0].contains("marked as disqualified"), "{told:?}");
    // So they are written.
    let mut truth = source(PODS);
    truth.drops[0].why = DropReason::Disqualified;
    assert_eq!(written(&truth, PODS.as_bytes()).expect("written").text, marked(2));
    let (why, place) = (DropReason::Disqualified, String::new());
    truth.drops.push(crate::SourceDrop { player: 7, why, after_round: 2, place });
    let found = written(&truth, PODS.as_bytes()).expect("written");
    assert_eq!(found.text.matches("<status>2</status>").count(), 2);
    // No such mark is taken back.
    let kept = written(&source(PODS), marked(2).as_bytes()).expect("written");
    assert_eq!(kept.text, marked(2));
    let told = "disqualifications that TOM's file has otherwise, and keeps: 1";
    assert!(kept.left_out.iter().any(|what| what == told), "{:?}", kept.left_out);
}
