//! Files of other programs, in a real browser: from the file to the tournament and back to a file.

use super::seen;
use serde_json::{Value, json};

#[test]
fn a_file_is_chosen_looked_at_stored_once_brought_up_to_date_and_given_away() {
    let Some(seen) = seen("imports.mjs", "SCRUTINEER_SHOTS") else { return };
    let says = |what: &str, words: &str| {
        let told = seen[what].to_string();
        assert!(told.contains(words), "{what}: {told}");
    };
    says("asks", "Which column is this: Second player?");
    let selects = seen["focus order"].as_array().expect("selects");
    assert_eq!((selects.len(), &selects[2]), (4, &json!("Column 3 Farbe")));
    assert_eq!(seen["nothing to store yet"], 0);
    for words in ["abend", "mtr", "Players4", "Rounds2", "Matches4"] {
        let told = seen["understood"].to_string().replace(' ', "");
        assert!(told.contains(words), "{words}: {told}");
    }
    assert_eq!(seen["before"], 0, "it is only looked at");
    says("stored", "Stored");
    assert_eq!(seen["pressed again"], json!([0, 1]), "it is stored once");
    let brings = seen["brings"].as_array().expect("lines");
    for line in ["Eve is enrolled", "Bob drops", "round 2 is paired"] {
        assert!(brings.contains(&json!(line)), "{line}: {brings:?}");
    }
    says("brought", "Stored Friday Modern");
    assert_eq!((&seen["players"], &seen["leads to"]), (&json!(5), &json!("/t/ID/desk")));
    assert_eq!(seen["why is seen"], true, "a rule for one button hid every narrow table");
    assert_eq!((&seen["several"], &seen["in all"]), (&json!(2), &json!(3)));
    assert_eq!(seen["given away"], json!(["monday-ID.trf", true, true]));
    assert_eq!(seen["refused"], true);
    says("german", "Welche Spalte ist das: Zweiter Name?");
    assert!(seen["wide"].as_u64() <= Some(360), "nothing but the sheet scrolls: {}", seen["wide"]);
    assert_eq!(seen["findings"], Value::Array(vec![]), "what is hard to see or to reach");
    assert_eq!(seen["broken"], json!([]), "errors in the browser's console");
}
