//! Netrunner's JSON, read and written.

use super::platforms::{without_places, written};
use super::*;

#[test]
fn a_single_sided_event_has_roles_identities_and_a_match_that_counted_twice() {
    let source = source(NRTM);
    let expected = [
        "1: Ann / annie-Ben 3,0 ()",
        "1: Cem bye 3,0 ()",
        "2: Ann / annie-Cem 3,0 ()",
        "2: Ben bye 3,0 ()",
        "3: Ann / annie-Ben  () [Win, Loss]",
    ];
    assert_eq!(sheet_of(&source), expected);
    let first = &source.phases[0].rounds[0].tables[0];
    assert_eq!((first.seats[0].role, first.result.grade.as_deref()), (1, Some("two-for-one")));
    assert_eq!(source.players[0].identities, [Some("Weyland Consortium".to_owned()), None]);
    assert_eq!(source.oddities, []);
    legal_events(&source).expect("legal where they stand");
}

/// The keys of an object and of everything in it, in their order.
fn keys(text: &str) -> Vec<&str> {
    let quoted = text.split("\":").filter_map(|part| part.rsplit('"').next());
    quoted.filter(|key| key.chars().all(char::is_alphanumeric)).collect()
}

#[test]
fn a_file_without_a_cut_may_say_so_with_nothing_null_or_an_empty_object() {
    let list = NRTM.find("\"eliminationPlayers\":[").expect("it has a cut");
    let end = list + NRTM[list..].find(']').expect("it ends") + 1;
    for nobody in ["[]", "null", "{}"] {
        let text = format!("{}\"eliminationPlayers\":{nobody}{}", &NRTM[..list], &NRTM[end..]);
        assert_eq!(source(&text).places, [], "{nobody}");
    }
    let text = format!("{}\"eliminationPlayers\":{{\"1\":2}}{}", &NRTM[..list], &NRTM[end..]);
    let refused = read("event.json", text.as_bytes()).expect_err("nobody knows what it means");
    assert!(refused.to_string().contains("unknown field `1`"), "{refused}");
}

#[test]
fn what_is_written_has_cobras_keys_and_is_read_as_it_was() {
    let truth = source(NRTM);
    let file = File::new("event.json", NRTM.as_bytes());
    let into = cobra::Cobra.write(&truth, Some(&file)).expect("it writes").expect("two each");
    // Names of the last entrant are null there, and nobody here.
    let theirs = NRTM.replace(",{\"id\":null,\"name\":null,\"rank\":3,\"seed\":3}", "");
    assert_eq!(into.text, theirs, "everything stays");
    assert_eq!(
        into.left_out,
        ["players without an identity, of whom AlwaysBeRunning wants one: 1"]
    );
    for text in [COBRA, NRTM] {
        let truth = source(text);
        let first = written(&cobra::Cobra, &truth);
        let again = source(&first.text);
        assert_eq!(written(&cobra::Cobra, &again).text, first.text);
        assert_eq!(without_places(again), without_places(truth));
        assert_eq!(keys(&first.text)[..4], ["name", "date", "cutToTop", "preliminaryRounds"]);
    }
    let cards = written(&cobra::Cobra, &source(CARDS));
    let told = |what: &str| cards.left_out.iter().any(|one| one.starts_with(what));
    assert!(
        told("matches in games, written as three points") && told("players without an identity")
    );
    let again = source(&cards.text);
    assert_eq!(again.players.len(), source(CARDS).players.len());
    legal_events(&again).expect("legal where they stand");
}

#[test]
fn the_points_of_runner_and_corp_stay_in_cobras_own_file_where_one_match_does_not_add_up() {
    const LAST: &str = r#"[{"table": 1, "player1": {"id": 11, "role": "corp", "winner""#;
    const ODD: &str = r#"[{"table": 1, "player1": {"id": 11, "runnerScore": 0, "corpScore": 0, "combinedScore": 4},
        "player2": {"id": 12, "runnerScore": 0, "corpScore": 0, "combinedScore": 1}}],"#;
    let text = COBRA.replace("\"preliminaryRounds\": 1", "\"preliminaryRounds\": 2");
    let text = text.replace(LAST, &format!("{ODD}{LAST}"));
    let mut truth = source(&text);
    let odd = &truth.oddities[0].sentence;
    assert!(odd.starts_with("Of 1 of 2 matches the points of runner and corp"), "{odd}");
    let told = |written: &Written| {
        let is = |what: &&String| what.contains("runner's and corp's points");
        written.left_out.iter().find(is).cloned()
    };
    let not_there = |count| {
        Some(format!("matches of which runner's and corp's points are not recorded: {count}"))
    };
    assert_eq!(told(&written(&cobra::Cobra, &truth)), not_there(2));
    let file = File::new("event.json", text.as_bytes());
    let into = |truth: &Source| {
        cobra::Cobra.write(truth, Some(&file)).expect("it writes").expect("two each")
    };
    let kept = into(&truth);
    for points in ["3,\"corpScore\":3,\"combinedScore\":6", "0,\"corpScore\":0,\"combinedScore\":4"]
    {
        assert!(kept.text.contains(&format!("\"runnerScore\":{points}")), "{}", kept.text);
    }
    assert_eq!(told(&kept), None);
    // What was corrected since is another result than that of the file.
    truth.phases[0].rounds[0].tables[0].result.score.seats[0][0] = 3;
    let corrected = into(&truth);
    assert!(!corrected.text.contains("\"runnerScore\":3"), "{}", corrected.text);
    assert_eq!(told(&corrected), not_there(1));
}

#[test]
fn strengths_of_schedule_are_written_where_standings_have_none() {
    let mut bare = source(NRTM);
    bare.published.iter_mut().for_each(|row| row.values.clear());
    let again = source(&written(&cobra::Cobra, &bare).text);
    let values = |row: &PublishedRow| -> Vec<String> {
        row.values.iter().map(|value| value.text.trim_end_matches('0').to_owned()).collect()
    };
    for (row, truth) in again.published.iter().zip(&source(NRTM).published) {
        assert_eq!(values(row), values(truth), "{row:?}");
    }
    // In its own file they stay as Cobra prints them.
    let file = File::new("event.json", NRTM.as_bytes());
    let into = cobra::Cobra.write(&bare, Some(&file)).expect("it writes").expect("two each");
    assert_eq!(source(&into.text).published, source(NRTM).published);
}

#[test]
fn ranks_that_only_the_dust_of_a_binary_fraction_decided_stay_in_cobras_own_file() {
    let player = |id: u8, name: &str, numbers: [&str; 4]| {
        let [rank, points, sos, esos] = numbers;
        format!(
            "{{\"id\":{id},\"name\":\"{name}\",\"rank\":{rank},\"corpIdentity\":\"C\",\"runnerIdentity\":\"R\",\
             \"matchPoints\":{points},\"strengthOfSchedule\":\"{sos}\",\
             \"extendedStrengthOfSchedule\":\"{esos}\"}}"
        )
    };
    let side = |id: u8, points: u8| {
        let own = points / 2;
        format!(
            "{{\"id\":{id},\"runnerScore\":{own},\"corpScore\":{own},\"combinedScore\":{points}}}"
        )
    };
    let game = |table: u8, won: u8, lost: u8| {
        let (won, lost) = (side(won, 6), side(lost, 0));
        format!(
            "{{\"table\":{table},\"player1\":{won},\"player2\":{lost},\"intentionalDraw\":false,\
             \"eliminationGame\":false}}"
        )
    };
    let players = [
        player(1, "Ann", ["1", "6", "0.0", "6.0"]),
        player(3, "Cem", ["2", "6", "0.0", "6.0"]),
        player(4, "Dot", ["3", "0", "6.0", "0.0"]),
        player(2, "Ben", ["4", "0", "5.9999999999999995", "0.0"]),
    ];
    let text = format!(
        "{{\"name\":\"Dust\",\"date\":\"2026-05-02\",\"cutToTop\":0,\"preliminaryRounds\":1,\
         \"tournamentOrganiser\":{{\"nrdbId\":1,\"nrdbUsername\":\"x\"}},\"players\":[{}],\
         \"eliminationPlayers\":[],\"rounds\":[[{},{}]],\"uploadedFrom\":\"Cobra\",\"links\":[]}}\n",
        players.join(","),
        game(1, 1, 2),
        game(2, 3, 4),
    );
    let file = File::new("event.json", text.as_bytes());
    let into = |source: &Source| {
        cobra::Cobra.write(source, Some(&file)).expect("it writes").expect("two each")
    };
    let mut ours = source(&text);
    for row in &mut ours.published {
        row.values.clear();
        // Exactly computed the last two are equal, and may stand the other way round.
        row.rank = [1, 2, 4, 3][row.rank as usize - 1];
    }
    let kept = into(&ours);
    assert_eq!(kept.text, text, "no rank is another one, and no key is added");
    assert_eq!(kept.left_out, [] as [String; 0]);
    // Who is really before another one changes places with them, which is told.
    for row in &mut ours.published {
        row.rank = 5 - row.rank;
    }
    let moved = into(&ours).left_out;
    let told = "ranks that the file had otherwise, written as the standings here have them: 4";
    assert_eq!(moved, [told]);
}

#[test]
fn a_save_of_tome_has_its_cut_apart_with_keys_of_its_own() {
    let source = source(TOME);
    let expected = [
        "1: Ann Ito-Ben Okafor 6,0 ()",
        "1: Cem Demir bye 6,0 ()",
        "2: Ann Ito-Ben Okafor 3,3 ()",
        "3: Ann Ito-Ben Okafor 3,0 ()",
    ];
    assert_eq!(sheet_of(&source), expected);
    let cut = &source.phases[1];
    assert_eq!((cut.kind, cut.seeded), (PhaseKind::DoubleElimination, true));
    assert_eq!(cut.entrants, [0, 1]);
    assert_eq!((cut.rounds[0].tables[0].seats[0].role, source.drops[0].after_round), (1, 1));
    assert!(source.finished && source.oddities.is_empty());
    legal_events(&source).expect("legal where they stand");
}

/// Cobra's own arithmetic: opponents' shares are added up as a binary fraction, of which sixteen digits are
/// divided by their number.
#[allow(clippy::float_arithmetic, reason = "it is what Cobra does")]
fn as_cobra(shares: &[f64], digits: usize) -> String {
    // Ruby's sum keeps what each step loses.
    let (mut sum, mut lost) = (0.0f64, 0.0f64);
    for share in shares {
        let next = sum + share;
        lost += if sum.abs() >= share.abs() { (sum - next) + share } else { (share - next) + sum };
        sum = next;
    }
    let sum = sum + lost;
    let text = format!("{sum:.15e}");
    let (mantissa, exponent) = text.split_once('e').expect("an exponent");
    let number: u128 = mantissa.replace('.', "").parse().expect("digits");
    let exponent: i32 = exponent.parse().expect("a number");
    // The number times ten to the power of digits, by how many opponents there are.
    let shift = i32::try_from(digits).expect("few") + exponent - 15;
    let count = shares.len().max(1) as u128;
    let (num, den) = match u32::try_from(shift) {
        Ok(shift) => (number * 10u128.pow(shift), count),
        Err(_) => (number, count * 10u128.pow(shift.unsigned_abs())),
    };
    let rounded = (2 * (num / den) + u128::from(2 * (num % den) >= den) * 2) / 2;
    let text = format!("{rounded:0>width$}", width = digits + 1);
    let (whole, part) = text.split_at(text.len() - digits);
    if part.is_empty() { whole.to_owned() } else { format!("{whole}.{part}") }
}

/// Every real export: points, SoS and ESoS computed anew, and everything read as it was once it is written.
#[test]
#[allow(
    clippy::disallowed_methods,
    clippy::float_arithmetic,
    reason = "a test reads files and does as Cobra does"
)]
fn every_example_of_netrunner_is_read_and_its_strengths_hold() {
    let Some(folder) = std::env::var_os("SCRUTINEER_FORMATS") else {
        let may_skip = std::env::var_os("SCRUTINEER_NO_SKIPS").is_none();
        assert!(may_skip, "SCRUTINEER_FORMATS is not set, and nothing may be skipped here");
        eprintln!("skipped: SCRUTINEER_FORMATS is not set");
        return;
    };
    let (mut same, mut close, mut all, mut points) = (0, 0, 0, 0);
    for path in std::fs::read_dir(std::path::Path::new(&folder).join("nrtm")).expect("a folder") {
        let path = path.expect("a file").path();
        let bytes = std::fs::read(&path).expect("readable");
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let truth = match read(&name, &bytes) {
            Ok(truth) => truth,
            Err(error) => panic!("{error}"),
        };
        legal_events(&truth).unwrap_or_else(|error| panic!("{name}: {error}"));
        eprintln!("{name}: {} {} players {:?}", truth.format, truth.players.len(), truth.oddities);
        if truth.format != "cobra json" {
            continue;
        }
        let first = written(&cobra::Cobra, &truth);
        let again = source(&first.text);
        assert_eq!(written(&cobra::Cobra, &again).text, first.text, "{name}");
        let file = |source: Source| Source { file: String::new(), ..without_places(source) };
        let (again, before) = (file(again), file(truth.clone()));
        for (one, other) in again.phases.iter().zip(&before.phases) {
            assert_eq!(one.entrants, other.entrants, "{name}");
            for (one, other) in one.rounds.iter().zip(&other.rounds) {
                assert_eq!(one, other, "{name}");
            }
        }
        assert_eq!(again, before, "{name}");
        let own = cobra::strength::strengths(&truth);
        let own_points = cobra::strength::points(&truth);
        for row in &truth.published {
            assert_eq!(row.points_tenths, own_points[row.player] * 10, "{name} {row:?}");
            points += 1;
            for (value, own) in row.values.iter().zip(own[row.player]) {
                let own = own.expect("small numbers").text();
                all += 1;
                let number = |text: &str| text.parse::<f64>().expect("a number");
                let near = (number(&value.text) - number(&own)).abs() < 1e-12;
                assert!(near, "{name} {}: {} {own}", row.player, value.text);
                close += 1;
            }
        }
        // To the last digit, with the arithmetic that left it there.
        let (opponents, shares) = opponents(&truth, &own_points);
        for row in &truth.published {
            let text = &row.values[0].text;
            let digits = text.split_once('.').map_or(0, |(_, part)| part.len());
            let shares: Vec<f64> = opponents[row.player].iter().map(|one| shares[*one]).collect();
            let computed = as_cobra(&shares, digits);
            if computed == *text {
                same += 1;
            } else {
                eprintln!("{name} {}: {text}, computed {computed}", row.rank);
            }
        }
    }
    eprintln!("{points} points, {close} of {all} strengths to 12 digits, {same} SoS to the last");
    assert!(all > 700 && same * 100 >= points * 95, "{same} of {points}");
}

/// Everybody's opponents of the Swiss rounds, and what everybody has in a round.
#[allow(clippy::float_arithmetic, reason = "it is what Cobra does")]
fn opponents(source: &Source, points: &[i64]) -> (Vec<Vec<usize>>, Vec<f64>) {
    let mut opponents = vec![Vec::new(); source.players.len()];
    let mut rounds = vec![0.0; source.players.len()];
    for round in &source.phases[0].rounds {
        for (player, _) in check::appearances(round) {
            rounds[player] += 1.0;
        }
        for table in &round.tables {
            let [first, second] = [0, 1].map(|seat| table.seats[seat].player);
            opponents[first].push(second);
            opponents[second].push(first);
        }
    }
    let share = |(points, rounds): (&i64, &f64)| *points as f64 / rounds;
    let shares = points.iter().zip(&rounds).map(share).collect();
    (opponents, shares)
}

/// Two matches at it were refused as two results at one table.
#[test]
fn a_table_0_of_cobra_is_unknown_at_however_many_matches_it_stands() {
    let text =
        COBRA.replace("\"table\": 1", "\"table\": 0").replace("\"table\": 2", "\"table\": 0");
    let (source, known) = (source(&text), source(COBRA));
    assert_eq!(sheet_of(&source), sheet_of(&known));
    assert!(source.rounds().flat_map(|(_, round)| &round.tables).all(|one| one.table.is_none()));
    assert!(source.oddities.iter().any(|odd| odd.sentence == "Table 0 is read as unknown."));
}

/// It was ruled to have no result, and the tournament was closed.
#[test]
fn an_elimination_game_of_the_last_round_without_a_winner_is_still_to_be_played() {
    let text = COBRA
        .replace("\"winner\": false", "\"winner\": null")
        .replace("\"winner\": true", "\"winner\": null");
    let source = source(&text);
    assert_eq!((sheet_of(&source)[2].as_str(), source.finished), ("2: Abel-Bora  ()", false));
    legal_events(&source).expect("legal where they stand");
    let again = super::source(&written(&cobra::Cobra, &source).text);
    assert_eq!((sheet_of(&again), again.finished), (sheet_of(&source), false));
}

#[test]
fn a_cut_of_which_there_is_no_game_is_told() {
    let cut = COBRA.find(r#"[{"table": 1, "player1": {"id": 11, "role""#).expect("it has one");
    let text = format!("{}]}}", COBRA[..cut].trim_end().trim_end_matches(','));
    let told = |source: &Source| {
        source
            .oddities
            .iter()
            .any(|odd| odd.sentence.contains("a cut of 2 players and no game of it"))
    };
    let without = source(&text);
    assert_eq!((without.finished, told(&without), told(&source(COBRA))), (true, true, false));
    // Before the last Swiss round nothing is odd.
    let runs = source(&text.replace("\"preliminaryRounds\": 1", "\"preliminaryRounds\": 2"));
    assert_eq!((runs.finished, told(&runs)), (false, false));
}

#[test]
fn numbers_of_netrunner_may_stand_between_quotation_marks() {
    let mut text = COBRA.to_owned();
    for key in
        ["table", "combinedScore", "preliminaryRounds", "cutToTop", "rank", "seed", "matchPoints"]
    {
        for number in 0..10 {
            let quoted = format!("\"{key}\": \"{number}\"");
            text = text.replace(&format!("\"{key}\": {number}"), &quoted);
        }
    }
    assert_ne!(text, COBRA);
    assert_eq!(source(&text), source(COBRA));
    let word = COBRA.replace("\"table\": 1", "\"table\": \"by the door\"");
    let refused = read("event.json", word.as_bytes()).expect_err("no number").to_string();
    assert!(refused.contains("a whole number"), "{refused}");
}

/// Three rounds of five players as the NRTM app exports them: without a combined score, with player 0 for a bye.
const APP: &str = r#"{"name":"Netrunner-Turnier","date":"","cutToTop":0,"preliminaryRounds":2,"version":"v1.45",
    "players":[
        {"id":1,"name":"Ann","rank":1,"matchPoints":12,"corpIdentity":"Gagarin","runnerIdentity":"Hayley","strengthOfSchedule":3.0,"extendedStrengthOfSchedule":1.5},
        {"id":2,"name":"Ben","rank":2,"matchPoints":6},{"id":3,"name":"Cem","rank":3,"matchPoints":6}],
    "rounds":[
        [{"table":1,"player1":{"id":1,"runnerScore":3,"corpScore":3},"player2":{"id":2,"runnerScore":0,"corpScore":0},"eliminationGame":false},
         {"table":2,"player1":{"id":3,"runnerScore":3,"corpScore":3},"player2":{"id":0,"runnerScore":0,"corpScore":0},"eliminationGame":false}],
        [{"table":1,"player1":{"id":3,"runnerScore":0,"corpScore":0},"player2":{"id":1,"runnerScore":3,"corpScore":3},"eliminationGame":false},
         {"table":2,"player1":{"id":2,"runnerScore":3,"corpScore":3},"player2":{"id":0,"runnerScore":0,"corpScore":0},"eliminationGame":false}]]}"#;

#[test]
fn the_nrtm_app_says_runner_and_corp_alone_and_has_player_0_for_a_bye() {
    let source = source(APP);
    let expected = [
        "1: Ann-Ben 6+3+3,0+0+0 ()",
        "1: Cem bye 6+3+3,0+0+0 ()",
        "2: Cem-Ann 0+0+0,6+3+3 ()",
        "2: Ben bye 6+3+3,0+0+0 ()",
    ];
    assert_eq!(sheet_of(&source), expected);
    assert!(source.finished && source.oddities.is_empty(), "{:?}", source.oddities);
    legal_events(&source).expect("legal where they stand");
    // Until a match of the last round is played it stands there with nothing.
    let open = APP.replace(
        "\"id\":3,\"runnerScore\":0,\"corpScore\":0},\"player2\":{\"id\":1,\"runnerScore\":3,\"corpScore\":3}",
        "\"id\":3,\"runnerScore\":0,\"corpScore\":0},\"player2\":{\"id\":1,\"runnerScore\":0,\"corpScore\":0}",
    );
    let open = super::source(&open);
    assert!(!open.finished && open.phases[0].rounds[1].tables[0].result.score.seats.is_empty());
}

#[test]
fn byes_that_a_program_leaves_out_are_known_by_the_points() {
    let mut text = APP.to_owned();
    for id in [3, 2] {
        let bye = format!(
            ",\n         {{\"table\":2,\"player1\":{{\"id\":{id},\"runnerScore\":3,\"corpScore\":3}},\"player2\":{{\"id\":0,\"runnerScore\":0,\"corpScore\":0}},\"eliminationGame\":false}}"
        );
        assert!(text.contains(&bye), "{text}");
        text = text.replace(&bye, "");
    }
    let found = source(&text);
    assert_eq!(
        sheet_of(&found),
        ["1: Ann-Ben 6+3+3,0+0+0 ()", "1: Cem bye ", "2: Cem-Ann 0+0+0,6+3+3 ()", "2: Ben bye "]
    );
    let odd = &found.oddities[0].sentence;
    assert!(odd.contains("read as a bye"), "{odd}");
    // Whoever has no more points was not there.
    let gone = text.replace("\"rank\":2,\"matchPoints\":6", "\"rank\":2,\"matchPoints\":0");
    assert_eq!(sheet_of(&source(&gone)).len(), 3);
}

/// Where combined scores alone stand, a bye of 6 was read as two of 3, or as none.
#[test]
fn a_bye_that_is_left_out_counts_as_much_as_a_match_of_the_others() {
    let player = |(id, points): (u8, u8)| {
        format!("{{\"id\":{id},\"name\":\"P{id}\",\"rank\":{id},\"matchPoints\":{points}}}")
    };
    let game = |[(one, won), (other, lost)]: [(u8, u8); 2]| {
        format!(
            "[{{\"table\":1,\"player1\":{{\"id\":{one},\"combinedScore\":{won}}},\"player2\":{{\"id\":{other},\"combinedScore\":{lost}}}}}]"
        )
    };
    let lines = |whole: u8| {
        let rounds = [[(1, whole), (2, 0)], [(2, 0), (1, whole)], [(3, 0), (1, whole)]].map(game);
        let players = [(1, 3 * whole), (2, 0), (3, whole)].map(player);
        sheet_of(&source(&format!(
            "{{\"name\":\"Late\",\"preliminaryRounds\":3,\"players\":[{}],\"rounds\":[{}]}}",
            players.join(","),
            rounds.join(",")
        )))
    };
    for whole in [3, 6] {
        let expected = [
            format!("1: P1-P2 {whole},0 ()"),
            "1: P3 bye ".to_owned(),
            format!("2: P2-P1 0,{whole} ()"),
            format!("3: P3-P1 0,{whole} ()"),
        ];
        assert_eq!(lines(whole), expected);
    }
}

#[test]
fn matches_by_sides_are_matches_of_two_players() {
    let expected =
        ["1: Ann-Ben 3,0 ()", "1: Cem bye 3,0 ()", "2: Cem-Ann 0,3 ()", "2: Ben bye 3,0 ()"];
    let players = &APP[..APP.find("\"rounds\"").expect("rounds")];
    for rounds in [
        r#""rounds":[[{"table":1,"corp":{"id":1,"score":3},"runner":{"id":2,"score":0}},{"table":2,"corp":{"id":3,"score":3},"runner":{"id":null,"score":null}}],
            [{"table":1,"corp":{"id":3,"score":0},"runner":{"id":1,"score":3}},{"table":2,"corp":{"id":2,"score":3},"runner":{"id":null,"score":null}}]]}"#,
        r#""rounds":[[{"tableNumber":1,"corpPlayer":1,"runnerPlayer":2,"corpScore":"3","runnerScore":"0"},{"tableNumber":2,"corpPlayer":3,"runnerPlayer":"(BYE)","corpScore":"3","runnerScore":"0"}],
            [{"tableNumber":1,"corpPlayer":3,"runnerPlayer":1,"corpScore":"0","runnerScore":"3"},{"tableNumber":2,"corpPlayer":2,"runnerPlayer":"(BYE)","corpScore":"3","runnerScore":"0"}]]}"#,
    ] {
        let source = source(&format!("{players}{rounds}"));
        assert_eq!(sheet_of(&source), expected);
        assert_eq!(source.phases[0].rounds[0].tables[0].table, Some(1));
        assert_eq!(source.phases[0].rounds[0].tables[0].seats[1].role, 2);
    }
}

#[test]
fn a_cut_in_which_losers_are_out_is_a_single_elimination() {
    let game = |table: u32, one: u32, other: u32| {
        format!(
            "{{\"table\":{table},\"player1\":{{\"id\":{one},\"role\":\"corp\",\"winner\":true}},\"player2\":{{\"id\":{other},\"role\":\"runner\",\"winner\":false}},\"eliminationGame\":true}}"
        )
    };
    let file = |rounds: &[&str], placed: &str| {
        let players: Vec<String> =
            (1..5).map(|id| format!("{{\"id\":{id},\"name\":\"P{id}\"}}")).collect();
        format!(
            "{{\"name\":\"Cut\",\"cutToTop\":4,\"preliminaryRounds\":0,\"players\":[{}],\"eliminationPlayers\":{placed},\"rounds\":[{}]}}",
            players.join(","),
            rounds.iter().map(|round| format!("[{round}]")).collect::<Vec<_>>().join(",")
        )
    };
    let kind = |text: &str| source(text).phases[0].kind;
    let semis = [game(1, 1, 4), game(2, 3, 2)].join(",");
    let (single, double) = (PhaseKind::Elimination, PhaseKind::DoubleElimination);
    assert_eq!(kind(&file(&[&semis, &game(3, 3, 1)], "[]")), single);
    let losers = [game(3, 3, 1), game(4, 2, 4)].join(",");
    assert_eq!(kind(&file(&[&semis, &losers], "[]")), double);
    // While the first round runs, whoever has their place already is out.
    assert_eq!(kind(&file(&[&semis], "[{\"id\":null,\"rank\":1},{\"id\":4,\"rank\":4}]")), single);
    // Before that nothing tells which it is, and a cut that was taken for the other would stay so.
    let open = semis
        .replace("\"winner\":true", "\"winner\":null")
        .replace("\"winner\":false", "\"winner\":null");
    for first in [&semis, &open] {
        let running = source(&file(&[first], "[]"));
        assert!(!running.finished && running.rounds().next().is_none());
        let told = &running.oddities[0].sentence;
        assert!(told.contains("read once one of them has a place"), "{told}");
    }
    // Two who met and both play on played no single elimination, whoever won.
    assert_eq!(kind(&file(&[&open, &losers], "[]")), double);
    // Who plays first in a later round had byes before.
    let late = source(&file(&[&game(1, 3, 4), &game(1, 2, 3), &game(1, 2, 1)], "[]"));
    assert_eq!(late.phases[0].kind, single);
    let expected = [
        "1: P3-P4  () [Win, Loss]",
        "1: P2 bye ",
        "1: P1 bye ",
        "2: P2-P3  () [Win, Loss]",
        "2: P1 bye ",
        "3: P2-P1  () [Win, Loss]",
    ];
    assert_eq!(sheet_of(&late), expected);
}

/// A file of Cobra of five players, whose ranks are their numbers, behind one Swiss round.
fn with_cut(size: u32, placed: &[(u32, u32)], rounds: &[&[([u32; 2], Option<usize>)]]) -> String {
    let points = |id: u32| if id < 4 { 6 } else { 0 };
    let players: Vec<String> = (1..6)
        .map(|id| {
            let points = points(id);
            format!("{{\"id\":{id},\"name\":\"P{id}\",\"rank\":{id},\"matchPoints\":{points}}}")
        })
        .collect();
    let swiss: Vec<String> = [(1, Some(4)), (2, Some(5)), (3, None)]
        .map(|(one, other)| {
            let other = other.map_or("null".to_owned(), |id: u32| id.to_string());
            format!(
                "{{\"table\":{one},\"player1\":{{\"id\":{one},\"combinedScore\":6}},\"player2\":{{\"id\":{other},\"combinedScore\":0}},\"eliminationGame\":false}}"
            )
        })
        .to_vec();
    let game = |(at, (players, won)): (usize, &([u32; 2], Option<usize>))| {
        let [first, second] = [0, 1].map(|seat| {
            let winner = won.map_or("null".to_owned(), |won| (won == seat).to_string());
            format!("{{\"id\":{},\"role\":null,\"winner\":{winner}}}", players[seat])
        });
        format!(
            "{{\"table\":{},\"player1\":{first},\"player2\":{second},\"eliminationGame\":true}}",
            at + 1
        )
    };
    let cut = rounds.iter().map(|games| games.iter().enumerate().map(game).collect::<Vec<_>>());
    let rounds: Vec<String> =
        [swiss].into_iter().chain(cut).map(|games| format!("[{}]", games.join(","))).collect();
    let place = |rank: u32| {
        let id = placed.iter().find(|(_, place)| *place == rank);
        let id = id.map_or("null".to_owned(), |(id, _)| id.to_string());
        format!("{{\"id\":{id},\"name\":null,\"rank\":{rank},\"seed\":{id}}}")
    };
    format!(
        "{{\"name\":\"Cut\",\"cutToTop\":{size},\"preliminaryRounds\":1,\"players\":[{}],\"eliminationPlayers\":[{}],\"rounds\":[{}]}}",
        players.join(","),
        (1..=size).map(place).collect::<Vec<_>>().join(","),
        rounds.join(",")
    )
}

/// The loser of the final was the champion of a double elimination, and before it was played the winner of the first
/// match was that of a single elimination of two.
#[test]
fn in_a_cut_of_three_of_cobra_the_first_seed_waits_for_the_final() {
    let semi = ([2, 3], Some(1));
    type Placed = &'static [(u32, u32)];
    let states: [(Placed, Vec<Vec<_>>); 4] = [
        (&[], vec![vec![([2, 3], None)]]),
        (&[(2, 3)], vec![vec![semi]]),
        (&[(2, 3)], vec![vec![semi], vec![([1, 3], None)]]),
        (&[(3, 1), (1, 2), (2, 3)], vec![vec![semi], vec![([1, 3], Some(1))]]),
    ];
    let mut read = Vec::new();
    for (placed, rounds) in &states {
        let rounds: Vec<&[_]> = rounds.iter().map(|games| &games[..]).collect();
        let found = read_legal(&with_cut(3, placed, &rounds));
        let cut = &found.phases[1];
        assert_eq!((cut.kind, cut.seeded), (PhaseKind::Elimination, true));
        assert_eq!(cut.entrants, [0, 1, 2], "the first seed is in from the start");
        // In Cobra's files nobody is there for a bye in the cut.
        let text = written(&cobra::Cobra, &found).text;
        let again = read_legal(&text);
        assert_eq!((sheet_of(&again), again.finished), (sheet_of(&found), found.finished));
        assert_eq!(text.matches("\"eliminationGame\":true").count(), rounds.len());
        read.push(found);
    }
    let finished: Vec<bool> = read.iter().map(|source| source.finished).collect();
    assert_eq!(finished, [false, false, false, true]);
    let cut = |source: &Source| sheet_of(source)[3..].to_vec();
    assert_eq!(cut(&read[0]), ["2: P2-P3  ()", "2: P1 bye "]);
    assert_eq!(cut(&read[1]), ["2: P2-P3  () [Loss, Win]", "2: P1 bye "]);
    let over = ["2: P2-P3  () [Loss, Win]", "2: P1 bye ", "3: P1-P3  () [Loss, Win]"];
    assert_eq!(cut(&read[3]), over);
}

/// Who left before the cut may stand above both.
#[test]
fn a_cut_of_three_of_which_the_first_seed_is_not_known_is_read_with_its_final() {
    let semi: &[_] = &[([3, 4], Some(0))];
    let first = source(&with_cut(3, &[(4, 3)], &[semi]));
    assert_eq!((first.phases.len(), first.finished), (1, true));
    let told = &first.oddities[0];
    assert_eq!(told.place, "rounds[1]");
    assert!(told.sentence.contains("who waits for the winner"), "{}", told.sentence);
    let nobody = "\"id\":null,\"name\":null,\"rank\":1";
    let known = with_cut(3, &[(4, 3)], &[semi]);
    let known = known.replacen(nobody, "\"id\":2,\"name\":null,\"rank\":null", 1);
    assert_eq!(sheet_of(&read_legal(&known))[3..], ["2: P3-P4  () [Win, Loss]", "2: P2 bye "]);
    let second = read_legal(&with_cut(3, &[(4, 3)], &[semi, &[([2, 3], None)]]));
    let expected = ["2: P3-P4  () [Win, Loss]", "2: P2 bye ", "3: P2-P3  ()"];
    assert_eq!(sheet_of(&second)[3..], expected);
    assert!(!second.finished);
}

/// It was a double elimination from its first result to the end of the round, and refused for ever behind it.
#[test]
fn the_first_round_of_a_cut_of_cobra_is_read_once_it_says_whether_losers_play_on() {
    let [open, half] = [None, Some(0)].map(|won| [([1, 4], won), ([2, 3], None)]);
    for first in [open, half] {
        let found = read_legal(&with_cut(4, &[], &[&first]));
        assert_eq!((found.phases.len(), found.finished), (1, true), "as before the cut");
    }
    let semis = [([1, 4], Some(0)), ([2, 3], Some(0))];
    let places = [(3, 3), (4, 4)];
    let after = read_legal(&with_cut(4, &places, &[&semis]));
    // It was closed between the semi-finals and the final.
    assert_eq!((after.phases[1].kind, after.finished), (PhaseKind::Elimination, false));
    let last = read_legal(&with_cut(4, &places, &[&semis, &[([1, 2], None)]]));
    assert_eq!((last.phases[1].kind, last.finished), (PhaseKind::Elimination, false));
    let over = [(1, 1), (2, 2), (3, 3), (4, 4)];
    assert!(read_legal(&with_cut(4, &over, &[&semis, &[([1, 2], Some(0))]])).finished);
    // Where the file has a first place, the final that is not there was not played.
    assert!(read_legal(&with_cut(4, &over, &[&semis])).finished);
}

#[test]
fn a_double_elimination_of_cobra_runs_on_until_one_player_is_left() {
    let rounds: [&[_]; 5] = [
        &[([1, 4], Some(0)), ([2, 3], Some(0))],
        &[([1, 2], Some(0)), ([3, 4], Some(0))],
        &[([2, 3], Some(0))],
        &[([1, 2], Some(1))],
        &[([2, 1], Some(1))],
    ];
    let held = read_legal(&with_cut(4, &[], &rounds[..1]));
    assert_eq!(held.phases.len(), 1, "nothing says yet that losers play on");
    for count in 2..=5 {
        let found = read_legal(&with_cut(4, &[], &rounds[..count]));
        let expected = (PhaseKind::DoubleElimination, count == 5);
        assert_eq!((found.phases[1].kind, found.finished), expected, "{count} rounds");
    }
}

/// Whoever had not lost was written with a place, and the file was read as over.
#[test]
fn while_a_cut_runs_only_whoever_is_out_is_written_with_a_place() {
    let semis = [([1, 4], Some(0)), ([2, 3], Some(0))];
    let mut running = source(&with_cut(4, &[(3, 3), (4, 4)], &[&semis]));
    running.places = (1..).zip(0..4).map(|(place, player)| SourcePlace { player, place }).collect();
    let text = written(&cobra::Cobra, &running);
    let again = source(&text.text);
    let mut places: Vec<u32> = again.places.iter().map(|one| one.place).collect();
    places.sort_unstable();
    assert_eq!((places, again.finished), (vec![3, 4], false));
    assert_eq!(sheet_of(&again), sheet_of(&running));
    let told = |what: &str| text.left_out.iter().any(|one| one.starts_with(what));
    assert!(!told("cuts of which nothing says yet"), "{:?}", text.left_out);
}

#[test]
fn a_cut_of_which_the_seeds_are_null_while_it_runs_is_seeded_by_the_swiss_rounds() {
    let running =
        NRTM.replace("\"seed\":1", "\"seed\":null").replace("\"seed\":2", "\"seed\":null");
    assert_ne!(running, NRTM);
    let cut = |text: &str| {
        let phase = source(text).phases.pop().expect("a cut");
        (phase.seeded, phase.entrants)
    };
    assert_eq!(cut(&running), cut(NRTM));
}
