//! Phones that are told while their page is closed: a real browser, and a service played by the script, which
//! decrypts what it is given and holds the signature against the desk's key.

use super::seen_with;
use crate::serve::secure_hooks::Authority;
use serde_json::json;

#[test]
fn phones_are_told_when_pairings_are_up_and_nobody_who_carries_that_can_read_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        std::fs::write(&file, text).expect("written");
        file.display().to_string()
    };
    let authority = Authority::new();
    let ca = write("ca.pem", &authority.pem);
    let [certificate, key] = authority.files("localhost");
    let (certificate, key) = (write("cert.pem", &certificate), write("key.pem", &key));
    let words = ["--webhooks-to", "localhost", "--authorities", &ca];
    let known = [("PUSH_CA", &ca[..]), ("PUSH_CERT", &certificate), ("PUSH_KEY", &key)];
    let Some(seen) = seen_with("notices.mjs", "SCRUTINEER_SHOTS", &words, &known) else { return };
    assert_eq!(seen["asked before the press"], 0);
    assert_eq!(seen["asked"], 1, "with the key of the desk");
    assert!(
        seen["says"].as_str().is_some_and(|says| says.contains("also while this page is closed"))
    );
    assert_eq!(seen["of a draft"], 0);
    let seats =
        json!(["Friday", "Round 1: you are at table 1", "Friday", "Runde 1: Du sitzt an Tisch 1"]);
    assert_eq!(seen["told"], seats, "each in their language");
    assert_eq!(seen["sealed"], true, "no word of it can be read on the way");
    assert_eq!(seen["signed"], json!([true, true]), "by the key that the browser was given");
    assert_eq!(seen["headers"], json!(["aes128gcm", "1800", "high", "round"]));
    assert_eq!(seen["claims"], json!([true, true, true]), "for this service, half a day, whose");
    assert_eq!(seen["shown"], json!(["Friday", "Round 1: you are at table 1"]), "by its worker");
    let ruled = json!(["Round 1: the dispute of your match is decided: upheld"]);
    assert_eq!(seen["ruled"], ruled, "tried again after a fault of the service");
    assert_eq!(seen["gone"], json!([false, true]), "who was gone is not told any more");
    assert_eq!(seen["again"], json!([1, "Round 2"]), "and each round once, over a restart");
    assert_eq!(seen["ended"], 0);
    assert_eq!(seen["not public"], 422, "no address of the own network");
    assert_eq!(seen["broken"], json!([]), "errors in the browser's console");
}
