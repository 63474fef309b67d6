//! What goes wrong in a room, in a real browser: what was typed is compared with what the log has.

use super::seen;
use serde_json::json;

#[test]
fn two_scorekeepers_enter_one_round_at_the_same_time() {
    let Some(seen) = seen("two.mjs", "SCRUTINEER_SHOTS") else { return };
    let told = seen["told"].as_array().expect("a list");
    assert_eq!(told.len(), 1, "one of them is told of the slip that both had: {told:?}");
    let line = told[0].as_str().expect("a line");
    assert!(line.contains("10 2-") && line.contains("Type 10, Enter and C"), "{line}");
    let own = seen["own"].as_array().expect("a list");
    let total: u64 = own.iter().filter_map(serde_json::Value::as_u64).sum();
    assert_eq!(total, 20, "each has what they entered: {own:?}");
    let chosen = seen["chosen"].as_str().expect("a line");
    assert!(chosen.contains("Table 1 has 2–0 already"), "without a reload: {chosen}");
    for table in 1..=20 {
        let wanted = match table {
            10 => seen["corrected"].clone(),
            1..=9 => json!("2-0"),
            _ => json!("2-1"),
        };
        assert_eq!(seen["results"][table.to_string()], wanted, "table {table}");
    }
    assert_eq!(seen["recorded"], 20, "each table once");
    assert_eq!(seen["by"], json!(["Hugo", "Olga"]), "by name");
    assert_eq!(seen["corrections"], 1);
    assert_eq!(seen["broken"], json!([]), "errors in the browser's console");
}

#[test]
fn what_is_typed_while_the_server_is_killed_waits_and_is_recorded_once() {
    let Some(seen) = seen("killed.mjs", "SCRUTINEER_SHOTS") else { return };
    let waits = seen["waits"].as_str().expect("a line");
    assert!(waits.contains("wait here and are sent again"), "{waits}");
    assert_eq!(seen["by itself"], json!({ "recorded": 12, "refused": 0 }), "without a reload");
    assert_eq!(seen["refused"], 0);
    assert_eq!(seen["kept"], 0, "nothing is left in the browser");
    assert_eq!(seen["recorded"], 24, "each table once");
    assert_eq!(seen["wrong"], json!([]), "every table has what was typed for it");
    assert_eq!(seen["broken"], json!([]), "errors in the browser's console");
}

/// A server that is stopped says goodbye to those who watch; they are to come back all the same. That a second laptop
/// is not heard any more was told on the desk page alone; that it is the desk, on no page of a laptop that came back.
#[test]
fn open_pages_are_live_again_after_the_server_was_stopped_and_started() {
    let Some(seen) = seen("restarted.mjs", "SCRUTINEER_SHOTS") else { return };
    let away = json!(["not connected since hh:mm", true]);
    assert_eq!(seen["away"], json!([away, away]), "in words and in another color");
    assert!(seen["seconds"].as_f64() < Some(8.0), "{}", seen["seconds"]);
    assert_eq!(seen["desk"], "2 of 4 tables in", "what was entered since");
    assert_eq!(seen["typed"], json!(["3", "3", "Pl"]), "what is in hand stays");
    assert_eq!(seen["led"], json!([true, true, true]), "to the desk on the other laptop");
    assert_eq!(seen["broken"], json!([]), "errors in the browser's console");
}

#[test]
fn the_desk_page_says_one_thing_in_its_head_its_steps_and_its_list() {
    let Some(seen) = seen("renewed.mjs", "SCRUTINEER_SHOTS") else { return };
    // Its head, its steps, what is next, the list.
    assert_eq!(seen["desk"][0], "2 of 4 tables in", "{}", seen["desk"]);
    assert_eq!(seen["desk"][1], "2 of 4 tables in");
    assert_eq!((&seen["standings before"][0], &seen["standings"]), (&json!(0), &json!(2)));
    assert_eq!(seen["desk"][3], "2");
    assert_eq!(seen["news"], 0, "all of it is on the page");
    assert_eq!(seen["focus"], true, "what was focused stays so");
    assert_eq!(seen["all in"][1], "4 of 4 tables in", "{}", seen["all in"]);
    assert_eq!(seen["broken"], json!([]), "errors in the browser's console");
}

#[test]
fn a_pile_of_500_slips_is_typed_without_waiting_while_two_desks_enter_theirs() {
    let Some(seen) = seen("pile.mjs", "SCRUTINEER_SHOTS") else { return };
    let times = &seen["times"];
    eprintln!("500 slips: {times}");
    let held = seen["typed unanswered"].as_u64();
    assert!(held >= Some(21), "keys are taken while the desk answers nothing: {held:?}");
    // On a quiet machine it is half a second at most. Beside other tests a key takes as much longer as an answer.
    let took = |what: &str| times[what].as_u64().expect("milliseconds");
    let (typing, last) = (took("typing, ms"), took("from the last key to the last answer, ms"));
    assert!(last <= (typing / 5).max(5_000), "the last slip is recorded soon: {times}");
    assert_eq!(seen["refused"], 0);
    assert_eq!(seen["missing"], 0, "600 tables");
    let recorded = json!({ "Olga": 500, "Hugo": 50, "Rita": 50 });
    assert_eq!(seen["recorded"], recorded, "each table once, by whoever entered it");
    assert_eq!(seen["wrong"], json!([]), "every table has what was typed for it");
    assert_eq!(seen["broken"], json!([]), "errors in the browser's console");
}

/// The hall is 1,200 players, and the desks are wired: the round goes on without the judges' phones.
#[test]
fn the_wifi_is_gone_for_40_minutes_and_what_the_judges_entered_arrives_once_each() {
    let Some(seen) = seen("wifi.mjs", "SCRUTINEER_SHOTS") else { return };
    assert_eq!(seen["missing before"], 540, "each of three desks has entered 20 of 600");
    let minutes = seen["minutes"].as_array().expect("a list");
    let is_long = |one: &serde_json::Value| one.as_u64() >= Some(40);
    assert!(minutes.len() == 2 && minutes.iter().all(is_long), "by their clocks: {minutes:?}");
    let waiting = seen["waiting"].as_array().expect("a list");
    let own = [
        ["7 entries wait", "101 2–0", "103 2–1", "warning for Player", "Table 111 +3 minutes"],
        ["7 entries wait", "303 2–0", "305 2–0", "warning for Player", "Table 310 +5 minutes"],
    ];
    assert_eq!(waiting.len(), own.len());
    for (line, own) in waiting.iter().zip(own) {
        let line = line.as_str().expect("a line");
        assert!(line.starts_with("No Wi-Fi since"), "{line}");
        assert!(own.iter().all(|one| line.contains(one)), "{own:?}: {line}");
    }
    // The desks had everything but the tables that stand on the phones alone.
    assert_eq!(seen["missing meanwhile"], 8);
    assert_eq!(seen["arrived meanwhile"], 0, "nothing of the judges");
    eprintln!("the 40 minutes took {} seconds", seen["seconds"]);
    assert_eq!(seen["told"]["Olga"], json!([]), "a desk has the same score: without a word");
    let told = seen["told"]["Hugo"].as_array().expect("a list");
    let line = told[0].as_str().expect("a line");
    let both = line.contains("you entered 2–0") && line.contains("the desk has 1–2");
    assert!(told.len() == 1 && line.starts_with("Table 303, round 1") && both, "{told:?}");
    let judges = json!({ "Olga": [101, 102, 104, 105], "Hugo": [301, 302, 304, 305] });
    assert_eq!(seen["by judges"], judges, "once each, but for what a desk had meanwhile");
    assert_eq!(seen["by desks"], json!([198, 198, 196]), "nothing of the desks is lost");
    assert_eq!(seen["results"], json!({ "recorded": 600, "tables": 600 }), "each table once");
    assert_eq!(seen["penalties"], json!(["Hugo", "Olga"]), "one of each");
    let extensions = json!([{ "table": 111, "minutes": 3 }, { "table": 310, "minutes": 5 }]);
    assert_eq!(seen["extensions"], extensions, "and no minute twice");
    assert_eq!(seen["wrong"], json!([]), "every table has what was entered for it");
    assert_eq!((&seen["missing"], &seen["kept"]), (&json!(0), &json!([0, 0])));
    assert_eq!(seen["broken"], json!([]), "errors in the browser's console");
}

#[test]
fn a_whole_evening_is_run_without_scripts() {
    let Some(seen) = seen("plain.mjs", "SCRUTINEER_SHOTS") else { return };
    let said = |what: &str| seen[what].as_str().unwrap_or_default().to_string();
    assert!(said("enrolled").contains("8 more events"), "{}", seen["enrolled"]);
    // Keys and buttons that only a script hears are not there.
    assert_eq!(
        seen["offered"],
        json!(["12 2-1", "Record", "12 2-1", "12 ann 2-0", "12 2-0 no-show"])
    );
    for (what, why) in [("no table", "round 1 has no table 9"), ("no score", "cannot end 3-0")] {
        let refused = seen[what]["said"].as_str().expect("words");
        assert!(refused.starts_with("Not recorded:") && refused.contains(why), "{refused}");
    }
    assert_eq!(seen["no table"]["kept"], "9 2-0", "what was typed stays in the field");
    assert_eq!(seen["no table"]["missing"], "4", "nothing was recorded");
    assert!(said("no score at all").contains("says no score"), "{}", seen["no score at all"]);
    assert_eq!(seen["chosen"], "1 ", "a link chooses a table");
    assert!(said("recorded").starts_with("Recorded: R1 T1"), "{}", seen["recorded"]);
    let undone = seen["undone"]["said"].as_str().expect("words");
    assert!(undone.starts_with("Recorded: undone: R1 T1 Player"), "it says what: {undone}");
    assert_eq!(seen["undone"]["missing"], "4", "and is missing again");
    assert_eq!(seen["round 1"], 4);
    assert_eq!(seen["correcting"], "Table 4 has 2–0; it stays readable beside the right one.");
    assert_eq!(seen["corrected"]["at"], "moved", "a correction shows who moves");
    assert_eq!(seen["walked"], 4, "the whole pile");
    assert!(said("back").contains("undone: Player 3 drops"), "{}", seen["back"]);
    assert!(said("next of round 1").starts_with("Pair round 2"), "{}", seen["next of round 1"]);
    assert!(said("late").contains("Gus Gray takes part from round 3"), "{}", seen["late"]);
    assert_eq!(
        (&seen["round 3"], &seen["semi-finals"], &seen["final"]),
        (&json!(5), &json!(2), &json!(1))
    );
    assert!(said("cut").starts_with("Make the cut"), "{}", seen["cut"]);
    assert!(said("close").starts_with("Close the tournament"), "{}", seen["close"]);
    let events = &seen["events"];
    // 4 tables in two rounds, 5 in the third one, 3 of the bracket, and the one that was undone.
    assert_eq!(events["result"], 17, "{events}");
    for (kind, many) in [("result corrected", 1), ("tournament closed", 1), ("withdrawn", 2)] {
        assert_eq!(events[kind], many, "{kind}: {events}");
    }
    assert_eq!(seen["broken"], json!([]), "pages that cannot be read");
}

#[test]
fn somebody_is_disqualified_in_the_top_8() {
    let Some(seen) = seen("disqualified.mjs", "SCRUTINEER_SHOTS") else { return };
    let asked = seen["wrong one"]["asked"].as_str().expect("words");
    assert!(asked.ends_with("12 more of that first name stay in."), "three are named: {asked}");
    let undone = seen["undone"]["said"].as_str().expect("words");
    assert!(undone.contains("is disqualified after round 6"), "what was undone: {undone}");
    assert!(seen["undone"]["result"].is_null(), "their match is played again");
    let name = seen["disqualified"]["name"].as_str().expect("a name");
    let said = seen["disqualified"]["said"].as_str().expect("words");
    assert!(said.contains(&format!("{name} is disqualified after round 6")), "{said}");
    let semi = &seen["semi-finals"];
    let players = semi["players"].as_array().expect("a list");
    assert!(players.len() == 4 && players.contains(&semi["wants"]), "the opponent goes on: {semi}");
    assert!(!players.contains(&semi["never"]), "{semi}");
    let last = &seen["final"];
    assert_eq!(last["tables"], 0, "whoever would have met them has no opponent");
    let row = last["row"].as_str().expect("a row");
    assert!(row.contains(last["goes"].as_str().expect("a name")), "{row}");
    assert_eq!(row.matches("opponent gone").count(), 1, "said once: {row}");
    assert_eq!(seen["closed"], "closed");
    let no_place = seen["no place"].as_str().expect("words");
    assert!(no_place.contains("takes no place in these standings"), "{no_place}");
    let by = json!(["Hedda", "Hedda", "Hedda"]);
    assert_eq!(seen["log"], by, "the one that was undone stays in the log");
    let places = seen["places"].as_array().expect("a list");
    assert_eq!(places.len(), 14, "16 players, two of them without a place");
    assert_eq!(seen["without a place"], 2);
    let public = seen["public"].as_array().expect("a list");
    assert!(
        public.iter().all(|one| one.as_str().is_some_and(|one| one.ends_with(" 200"))),
        "{public:?}"
    );
    assert_eq!(seen["broken"], json!([]), "errors in the browser's console");
}

#[test]
fn the_pages_around_a_tournament_are_seen_and_reached_by_everybody() {
    let Some(seen) = seen("doors.mjs", "SCRUTINEER_SHOTS") else { return };
    assert_eq!(seen["findings"], json!([]), "what is hard to see or to reach");
    let claims = seen["claims"].as_str().expect("words");
    for part in ["They differ.", "won 2–0", "won 2–1", "session"] {
        assert!(claims.contains(part), "{part}: {claims}");
    }
    assert_eq!(seen["problem"], "table <table> of round <round> has a result");
    assert_eq!((&seen["enrolled"], &seen["who moves"]), (&json!(true), &json!(true)));
    assert_eq!(seen["not signed in"], true);
    assert_eq!(seen["for programs"], "application/problem+json");
    assert!(
        seen["come in"].as_str().is_some_and(|at| at.ends_with("/floor")),
        "{}",
        seen["come in"]
    );
    assert_eq!(seen["broken"], json!([]), "errors in the browser's console");
}
