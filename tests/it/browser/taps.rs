//! A judge's taps on the floor, in a real browser.

use super::seen;
use serde_json::json;

#[test]
fn no_tap_of_a_judge_is_lost_or_throws_the_page_away_and_a_slip_of_the_finger_is_taken_back() {
    let Some(seen) = seen("taps.mjs", "SCRUTINEER_SHOTS") else { return };
    assert_eq!(seen["in the navigation"], 1);
    assert_eq!(seen["playing"], json!(["1", "2", "3", "4", "5", "6"]), "5 waits still");
    assert_eq!(seen["mine"], json!([]));
    assert_eq!(seen["all"], 6);
    let offline = seen["offline"].as_str().expect("a line");
    for words in [
        "5 entries wait",
        "Call a judge (table 1), I sit here (table 2), Decks checked (table 3)",
        "Do not close or reload",
        "needs Wi-Fi: nothing was done",
    ] {
        assert!(offline.contains(words), "{words}: {offline}");
    }
    assert_eq!(seen["stays"], true);
    assert_eq!(seen["arrived"], json!([1, 2, 3, "2-0"]));
    assert_eq!(seen["disputed"], "they say that it was a draw");
    let calls = seen["calls"].as_str().expect("a line");
    assert!(calls.starts_with("2 ") && calls.contains("called by Hugo"), "{calls}");
    assert_eq!(seen["marked"], json!(["1", "6"]));
    assert_eq!(seen["taken"], true);
    assert_eq!(
        seen["own"],
        json!(["6", "1", "5", "3"]),
        "what they did in the round, newest first"
    );
    assert_eq!(seen["undone"], json!(null));
    let taps = seen["two taps"].as_str().expect("a line");
    assert!(taps.contains("Player") && taps.contains("you entered 2–0"), "{taps}");
    assert_eq!(seen["the right one"], "2-0");
    assert_eq!(seen["fewer play"], 2);
    let sides = seen["sides"].as_array().expect("a list");
    assert!(sides[0].as_str().is_some_and(|side| side.starts_with("Player")), "{sides:?}");
    assert!(sides[2].as_str().is_some_and(|side| side.ends_with(" wins")), "{sides:?}");
    let ruled = seen["ruled"].as_str().expect("a line");
    assert!(ruled.starts_with("1-2 Upheld"), "{ruled}");
    assert_eq!(seen["double tap"], json!({ "open": "3", "entered": null, "waiting": 0 }));
    assert_eq!(seen["half a second later"], "2-0");
    assert_eq!(seen["fresh"], "Round 2 is out: show its tables");
    let old = &seen["of round 1"];
    let is_told = old["listed"].as_str().is_some_and(|call| call.contains("from round 1"));
    assert!(old["marked"] == 0 && is_told, "{old}");
    assert_eq!(seen["broken"], json!([]), "errors in the browser's console");
}
