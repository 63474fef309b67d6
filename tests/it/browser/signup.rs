//! Names are typed faster than the desk answers.

use super::seen;
use serde_json::json;

#[test]
fn letters_typed_right_behind_enter_are_not_swallowed_while_a_name_is_enrolled() {
    let Some(seen) = seen("signup.mjs", "SCRUTINEER_SHOTS") else { return };
    let under_way = json!({ "field": "Zo", "focus": "name", "enrolled": 0 });
    assert_eq!(seen["while it is under way"], under_way, "the field is ready at once");
    assert_eq!(seen["typed on"], "Zoë Berg", "the list came, and the field was left alone");
    let all = json!(["Ann Lee", "Bob Smith", "Cid Noor", "Zoë Berg"]);
    assert_eq!(seen["enrolled"], all, "each once, in their order");
    assert_eq!(seen["shown"], all);
    let said = seen["said"].as_str().expect("words");
    assert!(said.contains("Recorded") && said.contains("Zoë Berg"), "{said}");
    let line = seen["no news of one's own"].as_str().expect("words");
    assert!(line.starts_with("Saved"), "{line}");
    let taken = seen["taken"]["line"].as_str().expect("words");
    assert!(taken.starts_with("Ann Lee was not recorded. "), "{taken}");
    assert!(taken.contains("Another person") && taken.contains("Type it again"), "{taken}");
    assert_eq!(seen["taken"]["field"], "Dee", "what is typed meanwhile stays");
    assert_eq!(seen["two of a name"], 2);
    assert_eq!(seen["left"], json!({ "focus": "name", "hidden": true }));
    assert_eq!(seen["after a reload"], json!(["Eva Wong", "Fay Ito"]));
    assert_eq!(seen["undone"], 6, "the last one");
    assert_eq!(seen["beside a player"], "name");
    assert_eq!(seen["checked in"], "chosen", "the row of who was acted on");
    assert_eq!(seen["typed behind it"], "players");
    assert_eq!(seen["beside regulars"], "name");
    assert_eq!(seen["regulars left"], json!({ "bob": false, "ticked": ["Zoë Berg"] }));
    assert_eq!(seen["behind all of them"], json!({ "focus": "name", "field": "Jad" }));
    assert_eq!(seen["coming in"], "name");
    assert_eq!(seen["broken"], json!([]), "errors in the browser's console");
}
