//! What a judge finds on a phone: where a link leads, how they come back, what they take back, and how a dispute
//! is ruled at a table without a result.

use super::client::{Answer, Server, friday, rehearsed};
use super::pages::page;
use super::undo::named;
use serde_json::{Value, json};

const FORM: (&str, &str) = ("Content-Type", "application/x-www-form-urlencoded");

fn link(server: &Server) -> String {
    let body = r#"{"role":"judge","name":"Olga","tournament":"Friday"}"#;
    let made = server.local("POST", "/api/v1/links", body);
    made.json()["path"].as_str().expect("a path").to_string()
}

fn to(answer: &Answer) -> &str {
    assert_eq!(answer.status, 303, "{answer:?}");
    answer.header("location").expect("it leads somewhere")
}

#[test]
fn a_judges_link_leads_to_the_floor_which_stands_among_their_tabs() {
    let desk = friday();
    let server = Server::of(&desk);
    let own = format!("http://{}", server.address);
    let joined = server.send("POST", &link(&server), &[("Origin", &own), FORM], "name=Olga");
    assert!(to(&joined).ends_with("/floor"), "{joined:?}");
    let tabs = |role: &str| {
        page(&server, &server.token(role), "/t/Friday/desk").contains("/floor\" data-key")
    };
    assert_eq!(["helper", "judge", "scorekeeper"].map(tabs), [false, true, true]);
}

#[test]
fn who_has_a_code_signs_in_with_it_and_comes_back_to_their_page() {
    let desk = friday();
    let server = Server::of(&desk);
    let own = format!("http://{}", server.address);
    let path = link(&server);
    let code = path.rsplit('/').next().expect("a code");
    let asked = server.get("/sign-in?back=/t/Friday/floor");
    assert!(asked.body.contains("name=\"code\""), "{asked:?}");
    for typed in [code.to_lowercase(), format!("{own}{path}").replace(':', "%3A")] {
        let way = server.get(&format!("/sign-in?back=/t/Friday/floor&code={typed}"));
        let way = to(&way).to_string();
        assert!(server.get(&way).body.contains("value=\"/t/Friday/floor\""), "{way}");
        let come = |back: &str| {
            let fields = format!("name=Olga&back={back}");
            let path = way.split('?').next().expect("a path");
            server.send("POST", path, &[("Origin", &own), FORM], &fields)
        };
        assert_eq!(to(&come("/t/Friday/floor")), "/t/Friday/floor");
        assert!(to(&come("//elsewhere.example")).starts_with("/t/"), "to this server alone");
    }
}

#[test]
fn a_judge_takes_their_own_last_result_back_until_somebody_records_at_its_table() {
    let desk = friday();
    let server = Server::of(&desk);
    let (olga, hugo) = (named(&server, "judge", "Olga"), named(&server, "judge", "Hugo"));
    let keeper = named(&server, "scorekeeper", "Rita");
    let give = |token: &str, key: &str, order: &str| server.order(token, key, order);
    let entered = |key: &str| -> Value {
        let done = give(&olga, key, r#"{"order":"result","slip":"1 2-0"}"#);
        assert_eq!(done.status, 201, "{done:?}");
        done.json()["first_seq"].clone()
    };
    let undo = |token: &str, key: &str, seq: &Value| {
        give(token, key, &format!(r#"{{"order":"undo","seq":{seq}}}"#))
    };
    let seq = entered("r1");
    let floor = page(&server, &olga, &format!("/t/Friday/floor?done={seq}"));
    assert!(floor.contains("name=\"order\" value=\"undo\""), "without scripts too");
    assert_eq!(undo(&hugo, "u1", &seq).code(), "not-allowed", "it is not theirs");
    assert_eq!(undo(&olga, "u2", &seq).status, 201);
    // What was recorded elsewhere disturbs nothing.
    let seq = entered("r2");
    assert_eq!(give(&hugo, "r3", r#"{"order":"result","slip":"2 2-1"}"#).status, 201);
    assert_eq!(undo(&olga, "u3", &seq).status, 201);
    let seq = entered("r4");
    let wrong = r#"{"order":"correct","slip":"1 2-1","reason":"the slip says so"}"#;
    assert_eq!(give(&keeper, "c", wrong).status, 201);
    assert_eq!(undo(&olga, "u4", &seq).code(), "not-allowed");
    // A penalty is no result, and what stands before it is not their last one.
    let penalty = r#"{"order":"penalty","player":"Ann","takes":"warning","reason":"late"}"#;
    let given = give(&hugo, "p", penalty).json()["first_seq"].clone();
    assert_eq!(undo(&hugo, "u5", &given).code(), "not-allowed");
    assert_eq!(give(&hugo, "u6", r#"{"order":"undo"}"#).code(), "not-allowed");
    assert_eq!(undo(&keeper, "u7", &given).status, 201);
}

#[test]
fn a_judge_takes_back_what_they_entered_a_few_taps_ago_from_a_list_on_the_floor() {
    let desk = friday();
    let server = Server::of(&desk);
    let (olga, hugo) = (named(&server, "judge", "Olga"), named(&server, "judge", "Hugo"));
    let give = |token: &str, key: &str, order: &str| {
        let done = server.order(token, key, order);
        assert_eq!(done.status, 201, "{done:?}");
        done.json()["first_seq"].clone()
    };
    let first = give(&olga, "r1", r#"{"order":"result","slip":"1 2-0"}"#);
    let penalty = r#"{"order":"penalty","player":"Ann","takes":"warning","reason":"late"}"#;
    give(&olga, "p", penalty);
    let second = give(&olga, "r2", r#"{"order":"result","slip":"2 2-1"}"#);
    let more = r#"{"do":"extend","table":2,"minutes":5}"#;
    let headers = [("Authorization", olga.as_str()), ("Idempotency-Key", "m")];
    let path = "/api/v1/tournaments/Friday/floor";
    assert_eq!(server.send("PATCH", path, &headers, more).status, 201);
    // They stand there whatever is tapped next, the newest first; and nobody else's.
    let own = |token: &str| {
        let floor = page(&server, token, "/t/Friday/floor");
        let (_, list) = floor.split_once("data-own").expect("a list");
        list.split("</section>").next().expect("its end").to_string()
    };
    let undoes = |list: &str, seq: &Value| list.contains(&format!("name=\"seq\" value=\"{seq}\""));
    let list = own(&olga);
    assert!(undoes(&list, &first) && undoes(&list, &second), "{list}");
    assert!(list.contains("name=\"minutes\" value=\"-5\""), "minutes are given back: {list}");
    assert!(list.contains("warning") && list.contains("the desk takes it back"), "{list}");
    let at = |words: &str| list.find(words).expect("it is there");
    assert!(at("5 minutes more") < at("2–1") && at("2–1") < at("warning"), "{list}");
    assert!(own(&hugo).starts_with(" hidden"), "nobody's mistake but one's own");
    let undo = |token: &str, key: &str, seq: &Value| {
        server.order(token, key, &format!(r#"{{"order":"undo","seq":{seq}}}"#))
    };
    assert_eq!(undo(&hugo, "u1", &first).code(), "not-allowed");
    assert_eq!(undo(&olga, "u2", &first).status, 201, "their last entry is another one");
    let list = own(&olga);
    assert!(!undoes(&list, &first) && undoes(&list, &second), "{list}");
    assert_eq!(undo(&olga, "u3", &first).status, 409, "once");
    let less = r#"{"do":"extend","table":2,"minutes":-5}"#;
    let headers = [("Authorization", olga.as_str()), ("Idempotency-Key", "l")];
    assert_eq!(server.send("PATCH", path, &headers, less).status, 201);
    assert!(!own(&olga).contains("minutes"), "what was given back is not offered again");
    // What builds on it ends that: the desk corrects it.
    let dispute = r#"{"order":"dispute","table":"2","claim":"it was a draw"}"#;
    give(&hugo, "d", dispute);
    let list = own(&olga);
    assert!(!undoes(&list, &second) && list.contains("the desk corrects it"), "{list}");
    assert_eq!(undo(&olga, "u4", &second).code(), "not-allowed");
}

#[test]
fn a_dispute_at_a_table_without_a_result_is_ruled_from_its_file_which_records_it() {
    let desk = friday();
    let server = Server::of(&desk);
    let head = server.token("head-judge");
    let claim = r#"{"order":"dispute","table":"1","claim":"both say that they won"}"#;
    assert_eq!(server.order(&head, "d", claim).status, 201);
    let file = page(&server, &head, "/t/Friday/disputes/1");
    assert!(file.contains("is recorded with the ruling"), "{file}");
    let rule =
        r#"{"order":"rule","dispute":1,"upheld":true,"score":"1-2","reason":"the slips say so"}"#;
    let ruled = server.order(&head, "r", rule);
    assert_eq!(
        (ruled.status, &ruled.json()["corrected"]["verb"]),
        (201, &"result".into()),
        "{ruled:?}"
    );
    let log = rehearsed(&desk, &["disputes"]);
    assert!(log.contains("upheld") && !log.contains("not corrected"), "{log}");
    let round = server.local("GET", "/api/v1/tournaments/Friday/rounds/1", "").json();
    assert_eq!(round["tables"][0]["result"], "1-2", "{round}");
}

#[test]
fn a_call_of_an_earlier_round_is_shown_as_one_and_marks_no_table_of_this_one() {
    let desk = friday();
    let server = Server::of(&desk);
    let judge = named(&server, "judge", "Olga");
    let headers = [("Authorization", judge.as_str()), ("Idempotency-Key", "c")];
    let call =
        |body: &str| server.send("POST", "/api/v1/tournaments/Friday/floor/calls", &headers, body);
    assert_eq!(call(r#"{"table":2}"#).status, 201);
    let floor = page(&server, &judge, "/t/Friday/floor");
    assert!(floor.contains("class=\"cell call\"") && floor.contains("called by Olga"), "{floor}");
    for words in [&["result", "1", "2-0"][..], &["result", "2", "2-0"], &["pair"], &["publish"]] {
        rehearsed(&desk, words);
    }
    let floor = page(&server, &judge, "/t/Friday/floor");
    assert!(!floor.contains("cell call") && floor.contains("from round 1"), "{floor}");
}

/// The draft of the semi-final said *Pair it anew*, which gave the same tables, and then nothing said that somebody
/// with more points was out.
#[test]
fn a_cut_that_an_earlier_result_makes_another_is_told_and_is_made_again_by_undoing_it() {
    let desk = friday();
    let server = Server::of(&desk);
    let head = named(&server, "head-judge", "Ines");
    let give = |key: &str, order: Value| {
        let tag = server.tag();
        let headers =
            [("Authorization", &head[..]), ("Idempotency-Key", key), ("If-Match", &tag[..])];
        let path = "/api/v1/tournaments/Friday/orders";
        let done = server.send("POST", path, &headers, &order.to_string());
        assert_eq!(done.status, 201, "{done:?}");
        done.json()["first_seq"].clone()
    };
    for (key, slip) in [("r1", "1 2-0"), ("r2", "2 2-0")] {
        give(key, json!({ "order": "result", "slip": slip }));
    }
    let cut = give("c", json!({ "order": "cut", "top": 2 }));
    let told = "the cut was made before an earlier result changed";
    let says = |path: &str| page(&server, &head, path).to_lowercase().contains(told);
    assert!(!says("/t/Friday/desk"), "it is as it was made");
    give("k", json!({ "order": "correct", "slip": "2 0-2", "round": 1, "reason": "swapped" }));
    assert!(says("/t/Friday/desk"), "the desk says so");
    let paired = give("p", json!({ "order": "pair" }));
    let draft = page(&server, &head, "/t/Friday/round");
    assert!(draft.to_lowercase().contains(told), "{draft}");
    assert!(!draft.contains("Pair it anew"), "which would give the same tables: {draft}");
    give("u1", json!({ "order": "undo", "seq": paired }));
    give("u2", json!({ "order": "undo", "seq": cut }));
    give("c2", json!({ "order": "cut", "top": 2 }));
    give("p2", json!({ "order": "pair" }));
    assert!(!says("/t/Friday/round"), "made again it is as it would be");
    assert!(rehearsed(&desk, &["publish"]).contains("are out"));
}
