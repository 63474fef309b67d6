//! What pages say while the desk is gone, or its line hangs, in a real browser.

use super::seen;
use serde_json::json;

#[test]
fn pages_say_that_the_desk_is_gone_and_the_projector_waits_for_it_with_what_it_showed() {
    let Some(seen) = seen("gone.mjs", "SCRUTINEER_SHOTS") else { return };
    assert_eq!(seen["before"], "0 of 4 tables in");
    assert_eq!(seen["after a result"], "1 of 4 tables in", "without a reload");
    assert_eq!((&seen["taken down"], &seen["saved"]), (&json!(0), &json!(true)));
    let hangs = seen["hangs"].as_array().expect("a list");
    assert!(hangs[0].as_u64().is_some_and(|seconds| seconds < 75), "{hangs:?}");
    assert_eq!(hangs[1], "not connected since hh:mm");
    assert_eq!(seen["projector"], json!(["Waiting for the desk since hh:mm", true]));
    assert_eq!(seen["back"], true);
}
