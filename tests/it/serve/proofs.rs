//! What others check a log by, over HTTP; and the bracket as data.

use super::client::{Server, friday, rehearsed};
use scrutineer_engine::record::from_hex;
use scrutineer_replay::trust::tree::extends;
use serde_json::Value;

const FRIDAY: &str = "/api/v1/tournaments/Friday";

fn get(server: &Server, path: &str) -> Value {
    let answer = server.local("GET", &format!("{FRIDAY}{path}"), "");
    assert_eq!(answer.status, 200, "{path}: {answer:?}");
    answer.json()
}

fn hash(value: &Value) -> [u8; 32] {
    value.as_str().and_then(from_hex).unwrap_or_else(|| panic!("{value} is no hash"))
}

#[test]
fn a_log_is_proved_to_begin_with_what_it_was_and_not_with_something_else() {
    let desk = friday();
    let server = Server::of(&desk);
    let before = get(&server, "/proof?from=1");
    rehearsed(&desk, &["result", "1", "2-0"]);
    let path = format!("/proof?from={}", before["to"]);
    let proof = get(&server, &path);
    let number = |name: &str| proof[name].as_u64().expect("a number");
    assert_eq!((number("from") + 1, &proof["from_root"]), (number("to"), &before["to_root"]));
    let hashes: Vec<[u8; 32]> =
        proof["hashes"].as_array().expect("a list").iter().map(hash).collect();
    let root = hash(&proof["to_root"]);
    assert!(extends(number("from"), &hash(&before["to_root"]), number("to"), &root, &hashes));
    assert!(!extends(number("from"), &hash(&before["from_root"]), number("to"), &root, &hashes));
}

#[test]
fn a_receipt_over_http_is_one_that_the_command_checks() {
    let desk = friday();
    let server = Server::of(&desk);
    for table in ["1", "2"] {
        rehearsed(&desk, &["result", table, "2-0"]);
    }
    assert_eq!(server.local("POST", &format!("{FRIDAY}/checkpoint"), "").status, 200);
    rehearsed(&desk, &["note", "the hall closes at six"]);
    let given = get(&server, "/receipt/1");
    assert!(given["events"].as_array().is_some_and(|events| events.len() > 1), "{given}");
    let receipt = given["receipt"].as_str().expect("a text");
    assert!(!receipt.contains("Ann"), "it has no names");
    desk.write("ann.receipt", receipt.as_bytes());
    let file = desk.path("ann.receipt").display().to_string();
    let said: Value =
        serde_json::from_str(&rehearsed(&desk, &["--json", "check-receipt", &file])).expect("JSON");
    assert_eq!((&said["holds"], &said["records"]), (&true.into(), &given["records"]), "{said}");
}

/// The page comes from nowhere, so a link of its own cannot say that it is a file: a browser only loaded it again.
#[test]
fn the_page_that_checks_itself_is_given_as_a_file_too() {
    let desk = friday();
    let server = Server::of(&desk);
    let page = server.get("/t/Friday/page");
    assert_eq!((page.status, page.header("content-disposition")), (200, None));
    // The second time it is the one that was kept.
    for _ in 0..2 {
        let file = server.get("/t/Friday/page?save");
        assert_eq!((file.status, &file.body), (200, &page.body));
        let name = file.header("content-disposition").expect("a name");
        assert!(name.starts_with("attachment; filename=\"friday-"), "{name}");
        assert!(name.ends_with(".html\""), "{name}");
    }
    let bundle = server.get("/api/v1/tournaments/Friday/bundle");
    let name = bundle.header("content-disposition");
    assert!(name.is_some_and(|name| name.ends_with(".bundle\"")), "{bundle:?}");
}

#[test]
fn the_bracket_is_read_as_data_and_not_before_it_is_out() {
    let desk = friday();
    for table in ["1", "2"] {
        rehearsed(&desk, &["result", table, "2-0"]);
    }
    rehearsed(&desk, &["cut", "--top", "4"]);
    let server = Server::of(&desk);
    let public = || server.get(&format!("{FRIDAY}/bracket"));
    let cut = public().json();
    assert_eq!(cut["brackets"][0]["seeds"].as_array().map(Vec::len), Some(4), "{cut}");
    rehearsed(&desk, &["pair"]);
    assert_eq!(public().json(), cut, "a draft changes nothing that everybody sees");
    rehearsed(&desk, &["publish"]);
    rehearsed(&desk, &["result", "1", "2-0"]);
    let bracket = &public().json()["brackets"][0];
    assert_eq!(bracket["seeds"].as_array().map(Vec::len), Some(4), "{bracket}");
    let rounds = &bracket["parts"][0]["stages"];
    assert_eq!(rounds[0]["matches"][0]["seats"][0]["state"], "won", "{bracket}");
    assert_eq!(rounds[1]["matches"][0]["seats"][1]["state"], "open", "{bracket}");
}

/// What stood at an event is answered to everybody alike, whatever happens later, and has no name in it; what is
/// not out is of no event that anybody knows.
#[test]
fn what_stood_at_an_event_never_changes_and_has_no_name_in_it() {
    let desk = friday();
    rehearsed(&desk, &["result", "1", "2-0"]);
    let server = Server::of(&desk);
    let base = "/api/v1/tournaments/Friday";
    let head_of = |answer: &serde_json::Value| {
        let head = &answer["log_head"];
        let hash = head["hash"].as_str().expect("a hash");
        format!("{}-{}", head["seq"], &hash[..8])
    };
    let then = head_of(&server.get(&format!("{base}/standings")).json());
    let paths = ["standings", "standings/1/explanation", "rounds/1", "bracket"];
    let paths = paths.map(|path| format!("{base}/at/{then}/{path}"));
    let before = paths.each_ref().map(|path| server.get(path));
    for (path, answer) in paths.iter().zip(&before) {
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        let cached = answer.header("cache-control");
        assert_eq!(cached, Some("public, max-age=31536000, immutable"), "{path}");
        for word in ["Ann", "Bob", "Cid", "Dee", "Friday"] {
            assert!(!answer.body.contains(word), "{word}: {path}: {answer:?}");
        }
    }
    assert!(before[0].body.contains("player 1"), "{:?}", before[0]);
    let tables = before[2].json();
    let results: Vec<bool> = tables["tables"]
        .as_array()
        .expect("tables")
        .iter()
        .map(|table| !table["result"].is_null())
        .collect();
    assert_eq!(results, [true, false]);
    for words in [
        &["result", "2", "2-0"][..],
        &["correct", "1", "0-2", "--reason", "misread"],
        &["rename", "Ann", "Anna", "--reason", "misspelt"],
        &["pair"],
    ] {
        rehearsed(&desk, words);
    }
    for (path, answer) in paths.iter().zip(&before) {
        assert_eq!(server.get(path).body, answer.body, "{path}");
        let owner = server.local("GET", path, "");
        assert_eq!((&owner.body, owner.header("etag")), (&answer.body, answer.header("etag")));
        let tag = answer.header("etag").expect("an ETag");
        assert_eq!(server.send("GET", path, &[("If-None-Match", tag)], "").status, 304, "{path}");
    }
    // The draft is of no event that anybody is told of, whoever asks.
    let stands = server.local("GET", base, "").json();
    let hash = stands["hash"].as_str().expect("a hash");
    let draft = format!("{base}/at/{}-{}/rounds/2", stands["seq"], &hash[..8]);
    assert_eq!(server.get(&draft).code(), "no-such-event");
    assert_eq!(server.local("GET", &draft, "").code(), "no-such-event");
    rehearsed(&desk, &["publish"]);
    // It was a draft then, and is history now.
    assert_eq!(server.get(&draft).code(), "no-such-round");
    assert_eq!(server.get(&draft.replace("rounds/2", "standings")).status, 200);
    let other = format!("{base}/at/{}-00000000/standings", then.split_once('-').expect("two").0);
    assert_eq!(server.get(&other).code(), "no-such-event");
    for asked in ["as-of=3", "rules=carde"] {
        assert_eq!(server.get(&format!("{}?{asked}", paths[0])).status, 400, "{asked}");
    }
}
