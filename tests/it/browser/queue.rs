//! What waits in the queues of the floor and of the entry page, in a real browser.

use super::seen;
use serde_json::json;

#[test]
fn what_a_judge_entered_is_neither_lost_nor_held_up_nor_sent_as_somebody_elses() {
    let Some(seen) = seen("queue.mjs", "SCRUTINEER_SHOTS") else { return };
    assert_eq!(seen["after a refusal"], "2-1", "a refused extension holds up nothing");
    assert_eq!(seen["after a reload"], "2-1", "nor does it after a reload");
    assert_eq!(seen["refused for good"], json!({ "again": 0, "kept": 0 }));
    assert_eq!(seen["paid"], json!(null), "the page of a network is no answer of the desk");
    assert_eq!(seen["after it was paid"], "2-1", "nothing is lost to it");
    let fault = json!({ "tries": 3, "behind": "1-2", "listed": 1 });
    assert_eq!(seen["a fault"], fault, "it holds up the same table for a few tries alone");
    assert_eq!(seen["a fault, sent again"], 1);
    assert_eq!(seen["two tabs"], json!(["2-0", "0-2"]), "each tab keeps its own");
    let waits = json!({ "result": null, "listed": 0 });
    assert_eq!(seen["signed out"], waits, "it waits, and is not refused");
    assert_eq!(seen["with somebody else"], json!(null), "nothing is sent as theirs");
    let held = seen["held"].as_str().expect("a line");
    assert!(held.contains("7 2–1 waits here. Olga, judge entered it"), "{held}");
    assert_eq!(seen["sent by"], "Hugo", "once they said so");
    assert_eq!(seen["by Eva"], 1, "whose answer was lost is done once, also after a new sign-in");
    assert_eq!(seen["taken back"], 1, "by somebody else, seen without a reload");
    let undone = json!({ "result": null, "refused": 0 });
    assert_eq!(seen["undone by a scorekeeper"], undone);
    assert_eq!(seen["broken"], json!([]), "errors in the browser's console");
}
