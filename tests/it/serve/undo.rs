//! What was entered is taken back with its button by those who may, and shown to whom it belongs.

use super::client::{Server, friday};
use super::pages::page;

/// A token of this role for somebody with a name.
pub fn named(server: &Server, role: &str, name: &str) -> String {
    let body = format!(r#"{{"role":"{role}","name":"{name}"}}"#);
    let made = server.local("POST", "/api/v1/tokens", &body);
    format!("Bearer {}", made.json()["token"].as_str().expect("a token"))
}

const UNDO: &str = "name=\"order\" value=\"undo\"";

#[test]
fn a_scorekeeper_undoes_with_the_button_what_they_recorded_and_no_pairing_of_somebody_else() {
    let desk = friday();
    let server = Server::of(&desk);
    let (olga, hugo) =
        (named(&server, "scorekeeper", "Olga"), named(&server, "scorekeeper", "Hugo"));
    let judge = named(&server, "judge", "Rita");
    let undo = |token: &str, key: &str, seq: &serde_json::Value| {
        server.order(token, key, &format!(r#"{{"order":"undo","seq":{seq}}}"#))
    };
    let first = |answer: &super::client::Answer| {
        assert_eq!(answer.status, 201, "{answer:?}");
        answer.json()["first_seq"].clone()
    };
    let result = first(&server.order(&olga, "r1", r#"{"order":"result","slip":"1 2-0"}"#));
    let said = format!("/t/Friday/entry?done={result}");
    assert!(page(&server, &olga, &said).contains(UNDO), "in the line that says what was recorded");
    assert!(!page(&server, &judge, &said).contains(UNDO), "a judge undoes nothing");
    assert!(page(&server, &olga, "/t/Friday/log").contains(UNDO));
    assert_eq!(undo(&judge, "u", &result).code(), "not-allowed");
    assert_eq!(undo(&olga, "u1", &result).status, 201);
    // What could have been typed by anybody may be taken back by anybody who types.
    let result = first(&server.order(&olga, "r2", r#"{"order":"result","slip":"1 2-1"}"#));
    assert_eq!(undo(&hugo, "u2", &result).status, 201);
    for (key, slip) in [("r3", "1 2-1"), ("r4", "2 2-1")] {
        first(&server.order(&olga, key, &format!(r#"{{"order":"result","slip":"{slip}"}}"#)));
    }
    // A pairing is taken back by who made it, as their last command, and by a head judge.
    let paired = first(&server.order(&olga, "p1", r#"{"order":"pair"}"#));
    let form = format!("name=\"seq\" value=\"{paired}\"");
    assert!(page(&server, &olga, "/t/Friday/log").contains(&form));
    assert!(!page(&server, &hugo, "/t/Friday/log").contains(&form));
    assert_eq!(undo(&hugo, "u3", &paired).code(), "not-allowed");
    let undone = undo(&olga, "u4", &paired);
    assert_eq!((undone.status, undo(&olga, "u4", &paired).status), (201, 200), "{undone:?}");
    let paired = first(&server.order(&olga, "p2", r#"{"order":"pair"}"#));
    // A note stays, and stands in the way of no undo.
    first(&server.order(&olga, "n", r#"{"order":"note","text":"the hall closes at six"}"#));
    assert!(
        page(&server, &olga, "/t/Friday/log").contains(&format!("name=\"seq\" value=\"{paired}\""))
    );
    first(&server.order(&olga, "d", r#"{"order":"describe","player":"Ann","rating":"1600"}"#));
    assert_eq!(undo(&olga, "u5", &paired).code(), "not-allowed", "it is not their last one");
    let head = named(&server, "head-judge", "Ines");
    assert_eq!(undo(&head, "u6", &paired).status, 201);
}

#[test]
fn entered_by_you_are_ones_own_slips_also_without_a_name() {
    let desk = friday();
    let server = Server::of(&desk);
    let (olga, unnamed) = (named(&server, "scorekeeper", "Olga"), server.token("scorekeeper"));
    let order = |token: &str, slip: &str| {
        let order = format!(r#"{{"order":"result","slip":"{slip}"}}"#);
        assert_eq!(server.order(token, slip, &order).status, 201);
    };
    order(&olga, "1 2-0");
    let own = |token: &str| -> Vec<bool> {
        let page = page(&server, token, "/t/Friday/entry");
        [1, 2].map(|table| page.contains(&format!("data-own-table=\"{table}\""))).to_vec()
    };
    assert_eq!((own(&olga), own(&unnamed)), (vec![true, false], vec![false, false]));
    order(&unnamed, "2 2-0");
    assert_eq!((own(&olga), own(&unnamed)), (vec![true, false], vec![false, true]));
}

/// The button of *Pair all anew* was refused whenever it was pressed, and the round page struck out a score that was
/// never another one.
#[test]
fn pairing_anew_is_undone_to_a_round_without_pairings_and_an_undone_correction_leaves_no_trace_at_its_table()
 {
    let desk = friday();
    let server = Server::of(&desk);
    let olga = named(&server, "scorekeeper", "Olga");
    let order = |key: &str, order: serde_json::Value| {
        let answer = server.order(&olga, key, &order.to_string());
        assert_eq!(answer.status, 201, "{answer:?}");
        answer.json()["first_seq"].clone()
    };
    order("r1", serde_json::json!({ "order": "result", "slip": "1 2-0" }));
    let corrected =
        order("c", serde_json::json!({ "order": "correct", "slip": "1 0-2", "reason": "swapped" }));
    assert!(page(&server, &olga, "/t/Friday/round/1").contains("<s>"), "what was corrected");
    order("u1", serde_json::json!({ "order": "undo", "seq": corrected }));
    assert!(!page(&server, &olga, "/t/Friday/round/1").contains("<s>"), "nothing is corrected");
    order("r2", serde_json::json!({ "order": "result", "slip": "2 2-0" }));
    order("p1", serde_json::json!({ "order": "pair" }));
    let anew = order("p2", serde_json::json!({ "order": "pair", "again": true }));
    let form = format!("name=\"seq\" value=\"{anew}\"");
    assert!(page(&server, &olga, "/t/Friday/log").contains(&form));
    order("u2", serde_json::json!({ "order": "undo", "seq": anew }));
    let log = page(&server, &olga, "/t/Friday/log");
    assert_eq!(log.matches(&form).count(), 0, "no button that is refused");
    order("p3", serde_json::json!({ "order": "pair" }));
}
