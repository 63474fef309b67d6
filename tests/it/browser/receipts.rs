//! A receipt in a hand: what a camera reads leads to a page that checks the result in the reader's browser.

use super::seen;
use serde_json::json;

#[test]
fn a_code_on_paper_and_on_a_phone_opens_a_page_that_checks_the_result_in_the_browser() {
    let Some(seen) = seen("receipts.mjs", "SCRUTINEER_SHOTS") else { return };
    let words = |what: &str| seen[what].as_str().expect("words").to_string();
    assert_eq!(seen["strips"], 2, "one for each table");
    let address = words("address");
    assert!(address.starts_with("/t/") && address.ends_with("-…"), "{address}");
    assert!(address.contains("/page#record="), "{address}");
    assert!(words("before signing").contains("No signed checkpoint stands over it yet"));
    let opened = &seen["opened"];
    assert_eq!(
        (&opened["status"], &opened["verdict"]),
        (&json!(200), &json!("✓ Consistent in itself"))
    );
    assert!(
        opened["policy"].as_str().expect("a policy").contains("sandbox allow-scripts"),
        "{opened:#}"
    );
    let mine = opened["mine"].as_str().expect("words");
    for word in [
        "is in these records",
        "✓ The digits that you hold",
        "under the checkpoint over",
        "round 1 table 1",
    ] {
        assert!(mine.contains(word), "{word}: {mine}");
    }
    assert_eq!(opened["findings"], json!([]));
    assert_eq!(opened["wide"], 390);
    // A browser takes the page as one from nowhere, whose links cannot name a file: it only loaded it again.
    let name = seen["saved"]["name"].as_str().expect("a name");
    assert!(name.starts_with("friday-") && name.ends_with(".html"), "{name}");
    assert_eq!(seen["saved"]["whole"], true);
    let changed = words("changed digits");
    assert!(changed.contains("is another one") && changed.contains("✗"), "{changed}");
    assert_eq!(seen["phone's code"], true);
    assert!(words("phone's link").contains("is in these records"));
    assert_eq!(seen["codes then"], json!([2, 0]), "{}", seen["put"]);
    assert_eq!(seen["page then"], 403);
    assert_eq!(seen["broken"], json!([]), "errors in a browser's console");
}
