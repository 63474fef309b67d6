//! What is written into a file of TOM.

use super::*;

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
fn that_a_round_counts_double_is_told_where_tom_has_no_room_for_it() {
    let mut truth = source(PODS);
    truth.phases[0].rounds[1].weight = RoundWeight { num: 2, den: 1 };
    let told = written(&truth, PODS.as_bytes()).expect("written").left_out;
    let said = "rounds that count more or less than others: 1";
    assert!(told.iter().any(|what| what == said), "{told:?}");
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

/// The quarterfinals of the masters were taken out of TOM's file while their cut waited here for the seniors'.
#[test]
fn the_matches_of_a_cut_that_waits_for_another_one_of_the_pod_stay_as_they_are() {
    let file = |seniors, masters| side_by_side(&[first_of_both(seniors, masters)]);
    let write = |source: &Source, text: &str| written(source, text.as_bytes());
    let game = |games| MatchResult::played(crate::sheet::games_score(games));
    // So it is recorded here.
    let seniors_of = |text: &str| {
        let mut source = source(text);
        let entrants: Vec<usize> = source.phases.iter().map(|one| one.entrants.len()).collect();
        assert_eq!(entrants, [12, 4, 8]);
        source.phases.truncate(2);
        source
    };
    let paired = file([0; 2], [0; 4]);
    let mut here = seniors_of(&paired);
    let same = write(&here, &paired).expect("written");
    assert_eq!((same.text, same.left_out), (paired.clone(), vec![]));
    let reported = file([0; 2], [1, 0, 0, 2]);
    let same = write(&here, &reported).expect("nothing of it is refused");
    assert_eq!(same.text, reported);
    assert_eq!(same.left_out, ["results that stand in TOM's file alone, and stay there: 2"]);
    // Paired again here: the seniors' two alone are others.
    let mut again = here.clone();
    let seats = |players: [usize; 2]| players.map(|player| crate::SourceSeat { player, role: 0 });
    again.phases[1].rounds[0].tables[0].seats = seats([0, 1]).to_vec();
    again.phases[1].rounds[0].tables[1].seats = seats([2, 3]).to_vec();
    let found = write(&again, &reported).expect("nobody reported theirs").text;
    let gone = reported.lines().filter(|line| !found.contains(line));
    assert_eq!(gone.count(), 2);
    let lines = sheet_of(&source(&found));
    assert_eq!(lines[6..8], ["2: P 1-P 2  ()", "2: P 3-P 4  ()"]);
    let refused = write(&again, &file([1, 0], [0; 4])).expect_err("a senior has a result there");
    assert!(refused.to_string().contains("it has results"), "{refused}");
    // Results of the seniors go in; the round is over once the masters' is too.
    here.phases[1].rounds[0].tables[0].result = game([1, 0, 0]);
    here.phases[1].rounds[0].tables[1].result = game([0, 1, 0]);
    assert_eq!(write(&here, &reported).expect("written").text, file([1, 2], [1, 0, 0, 2]));
    let over = file([1, 2], [1; 4]);
    assert_eq!(write(&here, &file([0; 2], [1; 4])).expect("written").text, over);
    // Without the masters' semifinals TOM could not pair them any more.
    let mut ahead = here.clone();
    let mut last = ahead.phases[1].rounds[0].clone();
    last.tables.truncate(1);
    last.tables[0].seats = seats([0, 1]).to_vec();
    ahead.phases[1].rounds.push(last);
    let refused = write(&ahead, &over).expect_err("the masters play round 3 too");
    assert!(refused.to_string().contains("pair it in TOM"), "{refused}");
    // The masters have a round behind the seniors' final, which is not the last one then.
    let third = |outcome| {
        let semifinals = vec![[outcome, 1, 2], [1, 5, 9], [2, 7, 11]];
        side_by_side(&[first_of_both([1, 2], [1; 4]), semifinals])
    };
    let mut here = seniors_of(&third(0));
    assert_eq!(write(&here, &third(0)).expect("written").text, third(0));
    here.phases[1].rounds[1].tables[0].result = game([1, 0, 0]);
    assert_eq!(write(&here, &third(0)).expect("written").text, third(1));
}

/// The final alone is here, and TOM has the match for third place beside it.
#[test]
fn a_match_for_third_place_that_is_not_here_stays_in_the_file() {
    let text = PODS.replace("outcome=\"0\"", "outcome=\"1\"");
    let (head, tail) = text.rsplit_once("\t\t\t</rounds>").expect("rounds");
    let one = |one: u16, other: u16, table: u8| {
        format!(
            "\t\t\t\t\t\t<match outcome=\"0\"><player1 userid=\"{one}\"/><player2 userid=\"{other}\"/>\
             <tablenumber>{table}</tablenumber></match>\n"
        )
    };
    let text = format!(
        "{head}\t\t\t\t<round number=\"5\" type=\"1\" stage=\"2\" >\n\t\t\t\t\t<matches>\n{}{}\
         \t\t\t\t\t</matches>\n\t\t\t\t</round>\n\t\t\t</rounds>{tail}",
        one(101, 103, 1),
        one(104, 102, 2)
    );
    let mut here = source(&text);
    assert_eq!(here.phases[1].rounds[1].tables.len(), 2);
    here.phases[1].rounds[1].tables.truncate(1);
    assert_eq!(written(&here, text.as_bytes()).expect("written").text, text);
    let won = MatchResult::played(crate::sheet::games_score([1, 0, 0]));
    here.phases[1].rounds[1].tables[0].result = won;
    let expected = text.replacen("outcome=\"0\"", "outcome=\"1\"", 1);
    assert_eq!(written(&here, text.as_bytes()).expect("written").text, expected);
}

/// October's rounds were written into the file of November's cup, in which the same people play.
#[test]
fn a_file_of_another_tournament_of_the_same_players_is_not_written_into() {
    let truth = source(PODS);
    let own = truth.identity.strip_prefix("tom ").expect("its id").to_owned();
    let november = PODS.replacen(&format!("<id>{own}</id>"), "<id>26-11-000555</id>", 1);
    assert_ne!(november, PODS);
    let refused = written(&truth, november.as_bytes()).expect_err("another tournament");
    assert_eq!(refused.code().word, "differs-from-its-file");
    let told = refused.to_string();
    assert!(told.contains("26-11-000555") && told.contains(&own), "{told}");
    // Under another title it is the same one still, and one that was no file of TOM's has no id.
    let renamed = PODS.replacen("<name>", "<name>The ", 1);
    assert!(written(&truth, renamed.as_bytes()).is_ok());
    let elsewhere = Source { identity: String::new(), ..truth };
    assert!(written(&elsewhere, november.as_bytes()).is_ok());
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
    other.players[3].name = "Somebody Else".into();
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

/// An id was mended in TOM, or here alone: no result of that player could be written any more.
#[test]
fn who_has_another_id_there_is_known_by_a_name_that_is_one_players() {
    let mut source = source(PODS);
    let won = MatchResult::played(crate::sheet::games_score([1, 0, 0]));
    source.phases[1].rounds[0].tables[0].result = won;
    let expected = written(&source, PODS.as_bytes()).expect("written").text;
    source.players[3].publisher_id = Some("9104".into());
    let found = written(&source, PODS.as_bytes()).expect("written");
    assert_eq!(found.text, expected, "their id stays there as it is");
    let told = "ids of players whom TOM's file has under another one, by which they stay there: 1";
    assert!(found.left_out.iter().any(|what| what == told), "{:?}", found.left_out);
    // Who is called like somebody else is not told apart by a name.
    source.players[4].name = source.players[3].name.clone();
    let refused = written(&source, PODS.as_bytes()).expect_err("refused");
    assert_eq!(refused.code().word, "not-in-its-file");
}

/// Random results of the pods go into the file that TOM has configured, and are read again as they were.
#[test]
fn random_results_are_written_and_read_again_as_they_were() {
    let mut random = crate::tests::damaged::Random(1996);
    let before = configured();
    for _ in 0..60 {
        let mut truth = source(PODS);
        truth.phases.truncate(1);
        truth.drops.clear();
        for table in truth
            .phases
            .iter_mut()
            .flat_map(|phase| &mut phase.rounds)
            .flat_map(|round| &mut round.tables)
        {
            let rulings = [
                [Ruling::Win, Ruling::Loss],
                [Ruling::Loss, Ruling::Win],
                [Ruling::Draw; 2],
                [Ruling::Loss; 2],
            ][random.below(4)];
            table.result = crate::sheet::ruled(How::Unknown, rulings);
        }
        let found = written(&truth, before.as_bytes()).expect("written");
        let again = source(&found.text);
        let words = |source: &Source| {
            // The file has a code for each result, which is read as a score or as a ruling.
            let seat = |table: &SourceTable, at: usize| {
                let has_lost = table.result.rulings.get(at) == Some(&Some(Ruling::Loss));
                let won = crate::phases::winning_seat(&table.result);
                let came_out = match won {
                    Some(won) if won == at => "won",
                    Some(_) => "lost",
                    None if has_lost => "lost",
                    None => "drew",
                };
                format!("{} {came_out}", source.players[table.seats[at].player].name)
            };
            let mut lines = Vec::new();
            for (number, (_, round)) in (1..).zip(source.rounds()) {
                lines.extend(round.tables.iter().map(|table| {
                    let mut seats = [seat(table, 0), seat(table, 1)];
                    seats.sort();
                    format!("{number}: {} {:?}", seats.join(" - "), table.table)
                }));
            }
            lines.sort();
            lines
        };
        assert_eq!(words(&again), words(&truth));
        legal_events(&again).expect("legal where they stand");
        let twice = written(&again, found.text.as_bytes()).expect("written");
        assert_eq!(timeless(&twice.text), timeless(&found.text), "nothing is new in it");
    }
}

/// Such a file was read, and the way to have it written into was to save it as it was.
#[test]
fn a_file_that_is_no_utf_8_is_read_and_written_into_once_it_is_saved_as_utf_8() {
    let bytes: Vec<u8> = PODS.chars().map(|c| u8::try_from(c).expect("Latin-1")).collect();
    let truth = read("cup.tdf", &bytes).expect("read");
    assert_eq!(truth.players[7].name, "Hana Voß");
    let refused = written(&truth, &bytes).expect_err("refused");
    assert_eq!(refused.code().word, "into-not-read");
    assert!(refused.hint().starts_with("save it as UTF-8"), "{}", refused.hint());
    assert!(written(&truth, PODS.as_bytes()).is_ok());
}
