//! A page of another site reads what everybody reads.

use super::seen;
use serde_json::{Value, json};

#[test]
fn a_page_of_another_site_lists_tournaments_and_follows_one_and_takes_no_token() {
    let Some(seen) = seen("elsewhere.mjs", "SCRUTINEER_ELSEWHERE") else { return };
    assert_eq!(seen["titles"], json!(["Sunday"]));
    assert_eq!(seen["players"], 4);
    assert_eq!(seen["unchanged"], Value::Null, "its ETag was read, and sent");
    assert_eq!(seen["refused"], 404, "why is read too");
    assert!(seen["watched"].as_str().is_some_and(|event| !event.is_empty()), "{seen:?}");
    assert_eq!(seen["token"], "kept from it");
    assert_eq!(seen["page"], "kept from it");
}
