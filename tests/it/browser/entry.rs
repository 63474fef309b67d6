//! The entry page when something is not as it was: a round that is over, a result that somebody else entered.

use super::seen;
use serde_json::json;

#[test]
fn a_refused_slip_stays_with_its_round_and_an_old_page_corrects_none() {
    let Some(seen) = seen("rounds.mjs", "SCRUTINEER_SHOTS") else { return };
    let card = seen["card"].as_str().expect("words");
    assert!(card.starts_with("3 3-0 was not recorded. Slip of round 1."), "{card}");
    assert_eq!(seen["once it is in"], 0, "the card is gone");
    let floor = seen["on the floor"].as_str().expect("words");
    assert!(floor.starts_with("9 2-0 was not recorded: Slip of round 1."), "{floor}");
    assert!(!floor.contains("Send again"), "it is mended where it was typed: {floor}");
    let said = "Round 1 is complete. Pair round 2";
    let complete = json!({ "here": said, "beside": said, "pile": "3", "focus": "slip" });
    assert_eq!(
        seen["complete"], complete,
        "where the slips are typed, and the field has the focus"
    );
    let after = json!({ "at": "Enter results of round 2", "cards": 0, "kept": 0 });
    assert_eq!(seen["by itself"], after, "nothing was in hand, and no card comes along");
    let band = seen["band"].as_str().expect("words");
    assert!(band.starts_with("Round 2 is out. This page is still at round 1"), "{band}");
    for how in ["by number", "by Backspace"] {
        let told = seen[how]["told"].as_str().expect("words");
        assert!(told.starts_with("Round 1 is over, and round 2 is out. C again"), "{how}: {told}");
        assert_eq!(seen[how]["corrections"], 0, "{how}: nothing is recorded unasked");
    }
    assert_eq!(seen["said twice"], "1-2", "a round that is over is corrected once that was meant");
    assert_eq!(seen["left"], "Enter results of round 2");
    assert_eq!(seen["broken"], json!([]), "errors in the browser's console");
}

#[test]
fn ones_own_pile_is_walked_in_its_order_and_each_line_says_what_is_true() {
    let Some(seen) = seen("hand.mjs", "SCRUTINEER_SHOTS") else { return };
    assert_eq!(seen["typed"], "Table 1 has 2–0 already.", "before anything else is typed");
    let chosen = seen["entered by another"].as_str().expect("words");
    assert!(chosen.starts_with("Table 5 has 1–2 already."), "no digit is asked for: {chosen}");
    let pile = json!([
        "Slip 1 of 4: table 1, 2–0.",
        "Slip 2 of 4: table 2, 2–0.",
        "Slip 3 of 4: table 3, 2–0.",
        "Slip 4 of 4: table 4, 2–0.",
        "That was the whole pile."
    ]);
    assert_eq!(seen["pile"], pile);
    assert_eq!(seen["corrected"], json!(["2-0", "1-2", "2-0", "2-0"]), "by one digit");
    let told = "Nothing was done: letters are keys of the tabs once Escape was pressed again.";
    let stays = json!({ "key": "entry", "told": told });
    let left = json!({ "focus": "BODY", "stays": stays, "number": "3", "key": "desk" });
    assert_eq!(seen["left"], left, "Escape leaves the empty field; once more, and the keys work");
    assert_eq!(seen["broken"], json!([]), "errors in the browser's console");
}

/// A digit that was typed behind a number that is no table began the next number, and a table that was in
/// swallowed the rest of a pile.
#[test]
fn a_slip_that_fits_nowhere_keeps_its_digit_and_the_next_one_is_recorded() {
    let Some(seen) = seen("slips.mjs", "SCRUTINEER_SHOTS") else { return };
    let card = |what: &str, at: usize| {
        let card = seen[what]["cards"][at].as_str().unwrap_or_default();
        card.split("Type it again").next().unwrap_or_default().to_string()
    };
    let none = card("no such table", 0);
    assert!(
        none.starts_with("999 2-1 was not recorded.") && none.contains("no table 999"),
        "{none}"
    );
    assert_eq!(seen["no such table"]["field"], "", "the next number is typed into an empty field");
    assert_eq!(seen["after it"], json!({ "3": "2-0" }), "not table 13");
    let stands = card("a table that is in", 0);
    assert!(
        stands.starts_with("3 2-1 was not recorded.") && stands.contains("has 2–0"),
        "{stands}"
    );
    let entered = &seen["a table that is in"]["results"];
    assert_eq!(
        *entered,
        json!({ "3": "2-0", "4": "2-1", "5": "2-0", "6": "1-2" }),
        "the rest of it"
    );
    assert!(card("many", 0).starts_with("4 2-0 was not recorded."), "{}", seen["many"]);
    assert_eq!(seen["many"]["cards"].as_array().map(Vec::len), Some(1), "table 3 has that score");
    for table in ["7", "8"] {
        assert_eq!(seen["many"]["results"][table], "2-0");
    }
    let again = &seen["the same again"];
    assert_eq!((&again["cards"], &again["told"]), (&json!([]), &json!("Table 3 has 2–0 already.")));
    assert_eq!(seen["bounced"]["bounced"], json!([false, false]), "both are taken");
    assert_eq!(seen["bounced"]["field"], "", "{}", seen["bounced"]);
    assert_eq!(seen["opened"], "Correct 10", "what was typed last, not what was answered last");
    let after = &seen["second thought"];
    assert_eq!((&after["9"], &after["10"]), (&json!("2-1"), &json!("1-2")));
    let told = seen["meanwhile"].as_str().expect("words");
    assert!(told.starts_with("Table 10 got 0–2 meanwhile, by somebody else."), "{told}");
    let two = &seen["two corrections"];
    assert_eq!(two["result"], "0-2", "the second one is asked: {two}");
    assert!(two["card"][0].as_str().is_some_and(|card| card.contains("was not recorded")), "{two}");
    assert_eq!(seen["looked at"], json!({ "cards": [], "result": "2-0" }));
    let pile = seen["pile"].as_str().expect("words");
    assert!(pile.starts_with("Slip 2 of "), "it asks for the next one: {pile}");
    assert_eq!(seen["players"], json!({ "line": "", "field": "Jad" }));
    assert_eq!(seen["broken"], json!([]), "errors in the browser's console");
}
