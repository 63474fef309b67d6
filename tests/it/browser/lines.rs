//! Slips of several lines are typed line by line.

use super::seen;
use serde_json::json;

#[test]
fn enter_goes_from_line_to_line_of_a_slip_that_a_digit_cannot_say() {
    let Some(seen) = seen("lines.mjs", "SCRUTINEER_LINES") else { return };
    let says = |what: &str, words: &str| {
        let said = seen[what].as_str().expect("words");
        assert!(said.contains(words), "{what}: {said}");
    };
    says("first", "games of each player");
    says("wrong", "games has 2 numbers; this is 2.");
    says("second", "points of each player");
    says("third", "rounds of the table");
    assert_eq!(seen["back"], "17-9", "what was typed there can be changed");
    assert_eq!(seen["after"], "", "the next table can be typed");
    assert_eq!(seen["focus"], "slip", "the focus never moves");
    assert_eq!(seen["missing"], "0");
    says("correct", "games of each player");
    let results = json!(["2-1 18-9-4", "0-2 3-11", "2-0 9-8-3"]);
    assert_eq!(seen["results"], results, "the last of them was corrected");
    assert_eq!(seen["broken"], json!([]), "errors in the browser's console");
}
