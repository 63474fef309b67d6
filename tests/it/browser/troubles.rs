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

#[test]
fn a_pile_of_500_slips_is_typed_without_waiting() {
    let Some(seen) = seen("pile.mjs", "SCRUTINEER_SHOTS") else { return };
    eprintln!("500 slips: {}", seen["times"]);
    assert_eq!(seen["refused"], 0);
    assert_eq!(seen["missing"], "0");
    assert_eq!(seen["recorded"], 500, "each table once");
    assert_eq!(seen["wrong"], json!([]), "every table has what was typed for it");
    assert_eq!(seen["broken"], json!([]), "errors in the browser's console");
}
