//! What the desk asks before it goes on, and what a projector of its own shows.

use super::seen;
use serde_json::{Value, json};

#[test]
fn what_is_open_is_named_before_going_on_and_a_projector_has_a_link_of_its_own() {
    let Some(seen) = seen("asked.mjs", "SCRUTINEER_SHOTS") else { return };
    let says = |what: &str, words: &str| {
        let told = seen[what].to_string();
        assert!(told.contains(words), "{what}: {told}");
    };
    says("pairing round 1", "Not checked in: Kenji Itō, ");
    says("draft", "paired without having checked in: Kenji Itō, ");
    for what in ["pairing round 2", "the cut", "closing"] {
        says(what, "Dispute 1, round 1 table 2: it was a draw");
    }
    for what in ["pairing round 1", "pairing round 2", "the cut", "closing", "ruling when closed"] {
        assert_eq!(seen[what]["recorded"], 0, "{what}: it is asked first");
    }
    says("paired all the same", "round 1 is paired");
    says("went on", "round 2 is paired");
    says("back", "/desk");
    says("after the cut", "Pair the semi-final");
    says("ruling when closed", "The tournament is closed");
    // Whom the draw put at table 2 decides who moves.
    let asked = seen["ruling when closed"].to_string();
    assert!(asked.contains(" of 8 players move") || asked.contains("Nobody moves"), "{asked}");
    says("ruled", "Recorded:");
    // The projector.
    assert_eq!((&seen["projector"], &seen["cookies"]), (&json!(200), &json!(0)));
    assert_eq!(seen["no rights"], json!([403, 403]), "the link opens nothing else");
    assert_eq!(seen["the old link"], 403, "a new link ends it");
    let fills = |what: &str, side: &str| seen[what]["fills"][side].as_u64();
    for what in ["bracket", "standings 1920", "standings 1024", "pairings 1920", "pairings 1024"] {
        assert_eq!(seen[what]["cut"], json!([]), "{what}: no name is cut");
        assert!(fills(what, "wide") >= Some(95), "{what}: {}", seen[what]);
    }
    assert!(fills("standings 1920", "high") >= Some(80), "a top 8: {}", seen["standings 1920"]);
    // A refused tournament, and addresses.
    let fields = json!([
        "Winter Cup",
        "no-such-rules",
        "2027-01-09",
        "5",
        "swiss:4",
        "single-elimination:8"
    ]);
    assert_eq!(seen["refused"], json!({ "why": true, "fields": fields }));
    assert_eq!(seen["mended"], true);
    says("address of staff", "/desk");
    says("address of others", "/standings");
    assert_eq!(seen["nowhere"], true, "a page for a browser");
    assert_eq!(seen["findings"], Value::Array(vec![]), "what is hard to see or to reach");
    assert_eq!(seen["broken"], json!([]), "errors in the browser's console");
}
