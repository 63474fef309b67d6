//! A player's page on the home screen of a phone, in a real browser.

use super::seen;
use serde_json::json;

#[test]
fn a_phone_without_a_network_opens_its_players_page_which_says_when_that_was() {
    let Some(seen) = seen("home.mjs", "SCRUTINEER_SHOTS") else { return };
    let sizes = json!(["192x192", "512x512", "512x512"]);
    assert_eq!(seen["manifest"], json!(["Friday", "standalone", true, sizes]));
    assert_eq!(seen["icon"], "PNG");
    assert_eq!(seen["not installable because"], json!([]));
    assert_eq!(seen["color"], json!(["#161512"]), "as the page is in the dark");
    let kept = seen["kept"].as_str().expect("words");
    assert!(kept.contains("You are offline") && kept.contains("stood here at TIME"), "{kept}");
    assert_eq!((&seen["kept table"], &seen["styled"]), (&json!("Table 1"), &json!("72px")));
    assert_eq!(seen["never open"], json!(["You are offline", 0]));
    assert_eq!(seen["waits"], json!([true, 1, true]), "the later of two reports, on the same page");
    assert_eq!(seen["renewed"], json!([0, 1]), "no word of it, and one report");
    assert_eq!(seen["never stale"], json!([0, 1]), "what is there now");
    assert_eq!(seen["hangs"], 1, "a desk that takes the connection and says nothing");
    assert_eq!((&seen["freed"], &seen["nothing kept"]), (&json!(true), &json!("You are offline")));
    assert_eq!(seen["findings"], json!([]), "what is hard to see or to reach");
    assert_eq!(seen["blocked"], json!([]), "by the policy of the page");
}
