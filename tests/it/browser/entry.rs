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
    let left = json!({ "focus": "BODY", "number": "3", "key": "desk" });
    assert_eq!(seen["left"], left, "Escape leaves the empty field, and the keys work");
    assert_eq!(seen["broken"], json!([]), "errors in the browser's console");
}
