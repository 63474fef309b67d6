//! Orders and readings of programs.

use super::client::{Server, WORD, friday, rehearsed, whole};
use crate::cli::desk::Desk;
use serde_json::Value;

const ORDERS: &str = "/api/v1/tournaments/Friday/orders";

/// The same tournament, typed and sent.
#[test]
fn orders_over_http_make_the_same_log_as_commands() {
    let (typed, sent) = (Desk::new(), Desk::new());
    for words in [
        &["new", "Friday", "--rules", "mtr", "--phase", "swiss:2"][..],
        &["enroll", "Ann", "Bob", "Cid", "Dee"],
        &["pair"],
        &["publish"],
        &["result", "1", "2-0"],
        &["result", "2", "2-1"],
        &["correct", "2", "1-2", "--reason", "misread"],
        &["penalty", "Ann", "warning", "--reason", "late"],
        &["pair"],
        &["drop", "Dee"],
        &["undo"],
        &["note", "the hall closes at six"],
    ] {
        rehearsed(&typed, words);
    }
    let server = Server::of(&sent);
    let opened = server.local(
        "POST",
        "/api/v1/tournaments",
        r#"{"title":"Friday","rules":"mtr","phases":["swiss:2"]}"#,
    );
    assert_eq!(opened.status, 201, "{opened:?}");
    for order in [
        r#"{"order":"enroll","people":[{"name":"Ann"},{"name":"Bob"},{"name":"Cid"},{"name":"Dee"}]}"#,
        r#"{"order":"pair"}"#,
        r#"{"order":"publish"}"#,
        r#"{"order":"result","slip":"1 2-0"}"#,
        r#"{"order":"result","slip":"2 2-1"}"#,
        r#"{"order":"correct","slip":"2 1-2","reason":"misread"}"#,
        r#"{"order":"penalty","player":"Ann","takes":"warning","reason":"late"}"#,
        r#"{"order":"pair"}"#,
        r#"{"order":"drop","player":"Dee"}"#,
        r#"{"order":"undo"}"#,
        r#"{"order":"note","text":"the hall closes at six"}"#,
    ] {
        let answer = server.local_seeing(ORDERS, order);
        assert_eq!(answer.status, 201, "{order}: {answer:?}");
    }
    server.stop();
    assert!(whole(&typed) == whole(&sent), "another log under the word {WORD}");
}

#[test]
fn an_answer_says_what_was_recorded_and_where_the_log_stands() {
    let desk = friday();
    let server = Server::of(&desk);
    let token = server.token("scorekeeper");
    let answer = server.order(&token, "r1-t1", r#"{"order":"result","slip":"1 2-0"}"#);
    assert_eq!(answer.status, 201, "{answer:?}");
    let (json, tag) = (answer.json(), answer.header("etag").expect("an ETag").to_string());
    assert_eq!((&json["order"], &json["first_seq"]), (&"result".into(), &11.into()), "{json}");
    let stands = server.local("GET", "/api/v1/tournaments/Friday", "");
    assert_eq!(stands.header("etag"), Some(tag.as_str()));
    assert!(tag.starts_with("\"11-") && tag.len() == 13, "{tag}");
    let head = [("If-None-Match", tag.as_str()), ("Authorization", token.as_str())];
    let unchanged = server.send("GET", "/api/v1/tournaments/Friday/standings", &head, "");
    assert_eq!((unchanged.status, unchanged.body.as_str()), (304, ""));
}

#[test]
fn a_refused_line_does_not_stop_the_rest() {
    let desk = friday();
    let server = Server::of(&desk);
    let token = server.token("judge");
    let orders = r#"[{"order":"result","slip":"1 2-0"},{"order":"result","slip":"2 3-0"},
        {"order":"result"},{"order":"pair"},{"order":"result","slip":"2 2-1"}]"#;
    let answer = server.order(&token, "stack", orders);
    let lines: Vec<Value> =
        answer.body.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let statuses: Vec<u64> = lines.iter().filter_map(|line| line["status"].as_u64()).collect();
    assert_eq!(statuses[0], 201);
    assert!(statuses[1] >= 400 && statuses[2] == 400 && statuses[3] == 403, "{answer:?}");
    assert_eq!(statuses[4], 201);
    assert_eq!(server.get("/api/v1/tournaments/Friday").json()["missing"], 0);
}

#[test]
fn who_decides_on_what_they_saw_says_what_that_was() {
    let desk = friday();
    let server = Server::of(&desk);
    let token = server.token("owner");
    let repair = r#"{"order":"repair","tables":[1,2],"reason":"a seat is broken"}"#;
    let unsaid = server.order(&token, "a", repair);
    assert_eq!((unsaid.status, unsaid.code().as_str()), (428, "if-match-needed"));
    let seen = server
        .local("GET", "/api/v1/tournaments/Friday", "")
        .header("etag")
        .expect("a tag")
        .to_string();
    rehearsed(&desk, &["late", "Eve"]);
    let send = |seen: &str| {
        let headers =
            [("Authorization", token.as_str()), ("Idempotency-Key", "b"), ("If-Match", seen)];
        server.send("POST", ORDERS, &headers, repair)
    };
    let stale = send(&seen);
    assert_eq!((stale.status, stale.code().as_str()), (412, "moved"), "{stale:?}");
    assert!(stale.json()["head"].as_str().is_some_and(|head| head.starts_with("11-")));
    let now = server
        .local("GET", "/api/v1/tournaments/Friday", "")
        .header("etag")
        .expect("a tag")
        .to_string();
    assert_eq!(send(&now).status, 201);
    // Sent again under its key, it needs no new look.
    assert_eq!(send(&now).header("idempotent-replayed"), Some("true"));
    assert_eq!(send("no tag").header("idempotent-replayed"), Some("true"));
}

#[test]
fn what_is_tried_is_not_recorded() {
    let desk = friday();
    let server = Server::of(&desk);
    let before =
        server.local("GET", "/api/v1/tournaments/Friday", "").header("etag").map(str::to_string);
    let tried = server.local(
        "POST",
        "/api/v1/tournaments/Friday/what-if",
        r#"[{"order":"result","slip":"1 2-0"}]"#,
    );
    assert_eq!((tried.status, &tried.json()["recorded"]), (200, &false.into()), "{tried:?}");
    let drawn = server.local("POST", "/api/v1/tournaments/Friday/what-if", r#"{"order":"pair"}"#);
    assert_eq!(drawn.code(), "no-what-if");
    let after =
        server.local("GET", "/api/v1/tournaments/Friday", "").header("etag").map(str::to_string);
    assert_eq!(before, after);
}

/// Lines, and a list as one object, were refused where they were only tried.
#[test]
fn what_is_tried_is_sent_in_every_form_in_which_it_is_carried_out() {
    let what_if = "/api/v1/tournaments/Friday/what-if";
    let slips = [r#"{"order":"result","slip":"1 2-0"}"#, r#"{"order":"result","slip":"2 2-1"}"#];
    let (lines, list) = (format!("{}\n{}\n", slips[0], slips[1]), slips.join(","));
    for (kind, body, many) in [
        ("application/json", slips[0].to_string(), false),
        ("application/json", format!("[{list}]"), true),
        ("application/json", format!(r#"{{"orders":[{list}]}}"#), true),
        ("application/x-ndjson", lines, true),
    ] {
        let desk = friday();
        let server = Server::of(&desk);
        let (owner, before) = (format!("Bearer {}", server.key), server.tag());
        let send = |path: &str| {
            let headers = [("Authorization", owner.as_str()), ("Content-Type", kind)];
            server.send("POST", path, &headers, &body)
        };
        let tried = send(what_if);
        assert_eq!(tried.status, 200, "{body}: {tried:?}");
        let commands = tried.json()["commands"].as_array().map(Vec::len);
        assert_eq!(commands, Some(if many { 2 } else { 1 }), "{tried:?}");
        assert_eq!(server.tag(), before, "nothing is recorded");
        let done = send(ORDERS);
        assert_eq!(done.status, if many { 200 } else { 201 }, "{body}: {done:?}");
        let told = done.body.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        let by: Vec<Value> = told.map(|line| line["by"].clone()).collect();
        assert_eq!(by, vec![Value::from("actor 1"); if many { 2 } else { 1 }], "{done:?}");
        server.stop();
    }
}

#[test]
fn what_is_tried_is_refused_with_its_line_and_needs_no_reason() {
    let desk = friday();
    rehearsed(&desk, &["result", "1", "2-0"]);
    let server = Server::of(&desk);
    let owner = format!("Bearer {}", server.key);
    let send = |path: &str, kind: &str, body: &str| {
        let path = format!("/api/v1/tournaments/Friday/{path}");
        let headers = [("Authorization", owner.as_str()), ("Content-Type", kind)];
        server.send("POST", &path, &headers, body)
    };
    let (json, lines) = ("application/json", "application/x-ndjson");
    let slip = r#"{"order":"result","slip":"2 2-1"}"#;
    for (kind, body, told) in [
        (lines, format!("{slip}\n{{\"order\"\n"), "line 2: this cannot be read"),
        (lines, format!("{slip}\n{{\"order\":\"result\"}}\n"), "line 2: the order `result`"),
        (json, format!(r#"[{slip},{{"order":"result"}}]"#), "line 2: the order `result`"),
        (json, format!(r#"{{"orders":[{slip},{{"order":"result"}}]}}"#), "line 2: the order"),
        (json, format!(r#"[{slip},{{"order":"drop","player":"Zed"}}]"#), "line 2: "),
        (json, r#"{"orders":[],"key":"k"}"#.to_string(), "names the verb"),
    ] {
        let refused = send("what-if", kind, &body);
        assert!((400..500).contains(&refused.status), "{body}: {refused:?}");
        assert!(refused.body.contains(told), "{told}: {refused:?}");
    }
    let many = vec![slip; 1_001];
    for (kind, body) in [(json, format!("[{}]", many.join(","))), (lines, many.join("\n"))] {
        for path in ["what-if", "orders"] {
            let refused = send(path, kind, &body);
            assert_eq!((refused.status, &refused.code()[..]), (413, "too-large"), "{refused:?}");
        }
    }
    // Nobody has to say why for what does not happen; what is recorded has its reason.
    let correct = r#"{"order":"correct","slip":"1 0-2"}"#;
    let tried = send("what-if", json, correct);
    assert_eq!((tried.status, &tried.json()["recorded"]), (200, &false.into()), "{tried:?}");
    let refused = send("orders", json, correct);
    assert_eq!(refused.status, 400, "{refused:?}");
    assert!(refused.body.contains("missing field `reason`"), "{refused:?}");
}

/// An order to `Er` was recorded in `Err`, and one to `rida` in `Friday`.
#[test]
fn a_part_of_a_title_or_a_few_digits_of_an_id_name_no_tournament_over_http() {
    let desk = friday();
    rehearsed(&desk, &["new", "Friday Modern", "--rules", "mtr"]);
    let server = Server::of(&desk);
    let stands = |name: &str| server.get(&format!("/api/v1/tournaments/{name}"));
    let id = stands("Friday").json()["tournament"]["id"].as_str().expect("an id").to_string();
    for whole in ["Friday", "fRIDAY", &id[..], &id[..8], &id[..12]] {
        let answer = stands(whole);
        assert_eq!(answer.json()["tournament"]["id"], id.as_str(), "{whole}: {answer:?}");
    }
    let order = r#"{"order":"result","slip":"1 2-0"}"#;
    // The first is a part of both titles, the next of one of them.
    for part in ["rida", "odern", "Friday%20M", &id[..7]] {
        let path = format!("/api/v1/tournaments/{part}/orders");
        let answer = server.local("POST", &path, order);
        assert_eq!((answer.status, &answer.code()[..]), (404, "unknown-tournament"), "{part}");
        assert_eq!(server.get(&format!("/t/{part}/standings")).status, 404, "{part}");
    }
    assert_eq!(stands("Friday").json()["missing"], 2);
    // At the keyboard a part of a title will do.
    rehearsed(&desk, &["enroll", "Eve", "--tournament", "odern"]);
    let modern = server.local("GET", "/api/v1/tournaments/Friday%20Modern", "").json();
    assert_eq!(modern["players"], 1, "{modern}");
}

/// What programs were told of these named no line, or what is inside this one, or another fault.
#[test]
fn what_is_wrong_with_a_request_is_told_in_words_that_help_to_mend_it() {
    let desk = friday();
    let server = Server::of(&desk);
    let told = |method: &str, path: &str, body: &str| {
        let answer = server.local(method, &format!("/api/v1{path}"), body);
        assert!(answer.status >= 400, "{path}: {answer:?}");
        answer.body
    };
    let list = r#"[{"order":"result","slip":"1 2-0"},{"order":"result","slip":1}]"#;
    let what_if = told("POST", "/tournaments/Friday/what-if", list);
    assert!(what_if.contains("line 2: the order `result` cannot be read"), "{what_if}");
    let round = told("GET", "/tournaments/Friday/rounds/x", "");
    assert!(round.contains("a round is a number from 1"), "{round}");
    assert!(told("GET", "/tournaments/Friday/live?bogus=1", "").contains("`bogus`"));
    let player = told("GET", "/tournaments/Friday/reach/x", "");
    assert!(player.contains("\\\"x\\\" in the path is no whole number"), "{player}");
    let token = told("POST", "/tokens", "[]");
    assert!(token.contains("an object") && !token.contains("Wanted"), "{token}");
    assert!(token.contains("/api/v1/openapi.json"), "{token}");
    let even = told("POST", "/tournaments", r#"{"title":"Even","rules":"mtr","best_of":4}"#);
    assert!(even.contains("best of 4") && even.contains("an odd number of games"), "{even}");
}

/// `[]` showed all names again, a list made a token of its values by their order, and of a slip that stood twice
/// the last one was recorded.
#[test]
fn a_list_where_an_object_belongs_and_a_key_that_stands_twice_change_nothing() {
    let desk = friday();
    let server = Server::of(&desk);
    let own = |path: &str| format!("/api/v1/tournaments/Friday{path}");
    let hidden = server.local("PUT", &own("/policies"), r#"{"names":"initials"}"#);
    assert_eq!(hidden.status, 200, "{hidden:?}");
    let stands = || {
        let read = [own("/policies"), "/api/v1/tokens".into(), "/api/v1/tournaments".into()];
        let read = read.map(|path| server.local("GET", &path, "").json());
        (read, server.tag())
    };
    let before = stands();
    let tournaments = || "/api/v1/tournaments".to_string();
    for (method, path, body) in [
        ("PUT", own("/policies"), "[]"),
        ("PUT", own("/policies"), r#"["full"]"#),
        ("POST", "/api/v1/tokens".into(), r#"["judge","arr",null,null,false]"#),
        ("POST", "/api/v1/links".into(), r#"["judge",null,null,null,false]"#),
        ("POST", "/api/v1/webhooks".into(), r#"["https://example.org/",null]"#),
        ("PUT", "/api/v1/staff/ann".into(), r#"["judge","a long password",null]"#),
        ("POST", own("/screens"), "[false]"),
        ("POST", own("/forget"), r#"["Ann",[],false,true]"#),
        ("POST", tournaments(), r#"["Even","mtr",[],null,[],null,null]"#),
        ("POST", tournaments(), r#"{"title":"Even","rules":"mtr","files":[["a","b"]]}"#),
        ("POST", own("/orders"), r#"{"order":"enroll","people":[["Eve"]]}"#),
        ("POST", own("/orders"), r#"{"order":"late","person":["Eve"]}"#),
        ("PATCH", own("/floor"), r#"["pause-clock"]"#),
    ] {
        let refused = server.local_under("k", method, &path, body);
        assert_eq!((refused.status, &refused.code()[..]), (400, "bad-request"), "{refused:?}");
        assert!(refused.body.contains("an object"), "{path}: {refused:?}");
    }
    let line = server.local("POST", &own("/orders"), r#"[["publish"]]"#);
    assert!(line.body.contains("\"status\":400"), "{line:?}");
    for (path, body) in [
        (own("/orders"), r#"{"order":"result","slip":"1 2-0","slip":"1 0-2"}"#),
        (own("/what-if"), r#"[{"order":"result","slip":"1 2-0","slip":"1 0-2"}]"#),
        ("/api/v1/tokens".into(), r#"{"role":"judge","role":"owner"}"#),
    ] {
        let refused = server.local("POST", &path, body);
        assert_eq!(refused.status, 400, "{refused:?}");
        assert!(refused.body.contains("stands twice"), "{path}: {refused:?}");
    }
    assert_eq!(stands(), before);
}

/// `names=FALSE` and `names=` gave the file with all names.
#[test]
fn a_file_has_names_only_where_they_are_asked_for() {
    let desk = friday();
    rehearsed(&desk, &["result", "1", "2-0"]);
    let server = Server::of(&desk);
    let give = |query: &str| {
        let path = format!("/api/v1/tournaments/Friday/exports/trf{query}");
        server.local("POST", &path, "")
    };
    for no in ["", "?names=false"] {
        let given = give(no);
        assert!(given.status == 200 && !given.body.contains("Ann"), "{no}: {given:?}");
    }
    assert!(give("?names=true").body.contains("Ann"));
    for neither in ["?names=FALSE", "?names=maybe", "?names=no", "?names=1", "?names="] {
        let refused = give(neither);
        assert_eq!((refused.status, &refused.code()[..]), (400, "bad-request"), "{refused:?}");
        assert!(refused.body.contains("names"), "{refused:?}");
    }
    let path = "/api/v1/imports?name=a.csv&dry-run=maybe";
    let dry = server.local("POST", path, "player\nAnn\n");
    assert!(dry.status == 400 && dry.body.contains("dry-run"), "{dry:?}");
    let open = server.local("GET", "/api/v1/tournaments/Friday/claims?open", "");
    assert_eq!(open.status, 200, "{open:?}");
}

/// They were left out of what was asked, and the whole was answered.
#[test]
fn a_parameter_that_a_path_does_not_take_is_refused_and_named() {
    let desk = friday();
    let server = Server::of(&desk);
    for (path, name) in [
        ("/tournaments/Friday/log?as-of=10", "as-of"),
        ("/tournaments/Friday/standings?cut=4&kind=result", "cut"),
        ("/tournaments/Friday/bracket?as-of=128", "as-of"),
        ("/tournaments/Friday/rounds/1?as-of=10", "as-of"),
        ("/tournaments/Friday/disputes?round=1", "round"),
        ("/tournaments/Friday/players?player=3", "player"),
        ("/tournaments/Friday/floor?bogus=1", "bogus"),
        ("/tournaments?bogus=1", "bogus"),
        ("/tokens?bogus=1", "bogus"),
        ("/rulesets?bogus", "bogus"),
    ] {
        let refused = server.local("GET", &format!("/api/v1{path}"), "");
        assert_eq!((refused.status, &refused.code()[..]), (400, "bad-request"), "{refused:?}");
        assert!(refused.body.contains(&format!("`{name}` is no parameter")), "{refused:?}");
    }
    let dry = server.local("POST", "/api/v1/imports?name=a.csv&dryrun=true", "player\nAnn\n");
    assert!(dry.status == 400 && dry.body.contains("`dry-run`"), "{dry:?}");
    assert_eq!(server.get("/t/Friday/standings?bogus=1").status, 200, "pages are read on");
}

/// Who had a token of another tournament was told that nobody had signed in, and who asked for a round or for hours
/// that there are not, something that was not so.
#[test]
fn a_refusal_says_what_is_so() {
    let desk = friday();
    let server = Server::of(&desk);
    let opened = r#"{"title":"Monday","rules":"mtr"}"#;
    assert_eq!(server.local("POST", "/api/v1/tournaments", opened).status, 201);
    let monday = r#"{"role":"judge","tournament":"Monday"}"#;
    let token = server.local("POST", "/api/v1/tokens", monday).json()["token"].clone();
    let token = format!("Bearer {}", token.as_str().expect("a token"));
    let elsewhere = server.order(&token, "k", r#"{"order":"result","slip":"1 2-0"}"#);
    assert_eq!((elsewhere.status, &elsewhere.code()[..]), (403, "not-allowed"), "{elsewhere:?}");
    assert!(elsewhere.body.contains("is for another tournament"), "{elsewhere:?}");
    let told = |method: &str, path: &str, body: &str| {
        server.local(method, &format!("/api/v1{path}"), body)
    };
    let round = told("GET", "/tournaments/Friday/rounds/70000", "");
    assert_eq!((round.status, &round.code()[..]), (404, "no-such-round"), "{round:?}");
    assert!(round.body.contains("there is no round 70000"), "{round:?}");
    let number = told("GET", "/tournaments/Friday/standings?through=x", "");
    assert!(number.body.contains("through: this is no whole number"), "{number:?}");
    for hours in [0, 99_999] {
        let store = format!(r#"{{"name":"Card club","hours":{hours}}}"#);
        let token = format!(r#"{{"role":"judge","hours":{hours}}}"#);
        for refused in [told("POST", "/stores", &store), told("POST", "/tokens", &token)] {
            assert_eq!(refused.status, 400, "{refused:?}");
            assert!(refused.body.contains("`hours` is a number from 1 to 8784"), "{refused:?}");
        }
    }
    let role = told("POST", "/tokens", r#"{"role":"king"}"#);
    assert!(role.body.contains("helper or venue"), "{role:?}");
    for seq in [1, 99_999] {
        let settle = format!(r#"{{"do":"settle","seq":{seq}}}"#);
        let refused = told("PATCH", "/tournaments/Friday/floor", &settle);
        assert_eq!((refused.status, &refused.code()[..]), (404, "no-such-event"), "{refused:?}");
    }
}

/// They were answered with 200, or by a refusal that did not say which parameter it was about.
#[test]
fn a_refusal_of_a_reading_names_the_parameter_that_it_is_about() {
    let desk = friday();
    let server = Server::of(&desk);
    let friday = "/tournaments/Friday";
    for (path, status, code, says) in [
        ("/compare?rules=", 400, "bad-request", "`rules` is empty"),
        ("/compare?cut=2", 400, "bad-request", "?rules="),
        ("/compare?rules=carde&cut=0", 404, "no-such-cut", "`cut`: a cut to 0 takes nobody"),
        ("/compare?rules=carde&through=9", 404, "no-such-round", "`through`: there is no round 9"),
        ("/reach?cut=0", 404, "no-such-cut", "`cut`: a cut to 0 takes nobody"),
        ("/reach?cut=9", 404, "no-such-cut", "`cut`: a cut to 9 leaves nobody out"),
        ("/trace/70000", 404, "unknown-player", "there is no player 70000"),
        ("/replay?through=9", 404, "no-such-round", "`through`: there is no round 9"),
        ("/players?through=9", 404, "no-such-round", "`through`: there is no round 9"),
        ("/players/1?as-of=soon", 422, "bad-moment", "`as-of`: \"soon\" is neither"),
        ("/standings?as-of=soon", 422, "bad-moment", "`as-of`: \"soon\" is neither"),
        ("/standings?through=9", 404, "no-such-round", "`through`: there is no round 9"),
        ("/disputes?as-of=999", 404, "no-such-event", "`as-of`: there is no event 999"),
    ] {
        let refused = server.local("GET", &format!("/api/v1{friday}{path}"), "");
        assert_eq!((refused.status, &refused.code()[..]), (status, code), "{path}: {refused:?}");
        let detail = refused.json()["detail"].to_string();
        assert!(detail.replace('\\', "").contains(says), "{path}: {detail}");
    }
    let since = server.local("GET", "/api/v1/review?since=soon", "");
    assert!(since.body.contains("`since`: "), "{since:?}");
}

/// It said that the table has a result, as to somebody who enters a first one.
#[test]
fn a_correction_of_another_result_than_stands_says_what_stands_and_records_nothing() {
    let desk = friday();
    let server = Server::of(&desk);
    let token = server.token("scorekeeper");
    assert_eq!(server.order(&token, "a", r#"{"order":"result","slip":"1 2-1"}"#).status, 201);
    let before = server.tag();
    let order = |was: &str| {
        format!(r#"{{"order":"correct","slip":"1 0-2","was":"{was}","reason":"misread"}}"#)
    };
    let refused = server.order(&token, "b", &order("2-0"));
    assert_eq!((refused.status, &refused.code()[..]), (409, "result-stands"), "{refused:?}");
    let told = refused.json();
    let detail = told["detail"].as_str().expect("a sentence");
    assert!(detail.contains("`was` is \"2-0\"") && detail.contains(" 2-1 "), "{told}");
    assert!(told["hint"].as_str().is_some_and(|hint| hint.contains("`was`")), "{told}");
    assert_eq!(server.tag(), before, "nothing is recorded");
    assert_eq!(server.order(&token, "c", &order("2-1")).status, 201);
}

/// What the pages and the command read, programs read.
#[test]
fn every_reading_answers() {
    let desk = friday();
    let server = Server::of(&desk);
    for (path, key) in [
        ("", "state"),
        ("/players", "players"),
        ("/rounds/1", "tables"),
        ("/standings", "rows"),
        ("/standings?rules=carde&through=1", "rows"),
        ("/standings?as-of=10", "rows"),
        ("/standings/1/explanation", "measures"),
        ("/reach", "players"),
        ("/reach/1", "players"),
        ("/log?after=4", "log"),
        ("/disputes", "disputes"),
    ] {
        let path = format!("/api/v1/tournaments/Friday{path}");
        let answer = server.local("GET", &path, "");
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        assert!(!answer.json()[key].is_null(), "{path} has no {key}: {answer:?}");
    }
    let bundle = server.local("GET", "/api/v1/tournaments/Friday/bundle", "");
    assert_eq!(bundle.status, 200);
    for name in ["Ann", "Bob", "Cid", "Dee"] {
        assert!(!bundle.body.contains(name), "a bundle for others has no names");
    }
    let none = server.get("/api/v1/tournaments/Monday");
    assert_eq!((none.status, none.code().as_str()), (404, "unknown-tournament"));
}

/// A stream goes on where it broke off, and ends with a word.
#[test]
fn a_stream_tells_what_happens_and_what_was_missed() {
    use std::io::{Read, Write};
    let desk = friday();
    let server = Server::of(&desk);
    let watch = |after: &str| {
        let mut socket = std::net::TcpStream::connect(server.address).expect("connected");
        let request = server.request("GET", "/t/Friday/live", &[("Last-Event-ID", after)], "");
        socket.write_all(&request).expect("sent");
        socket
    };
    let read_until = |socket: &mut std::net::TcpStream, word: &str| {
        let (mut text, mut bytes) = (String::new(), [0; 4_096]);
        while !text.contains(word) {
            let read = socket.read(&mut bytes).expect("it says something");
            assert!(read > 0, "it ended before {word:?}: {text}");
            text.push_str(&String::from_utf8_lossy(&bytes[..read]));
        }
        text
    };
    // From the log: nobody watched when it happened.
    let mut first = watch("9");
    let told = read_until(&mut first, "event: head");
    assert!(told.contains("event: published") && told.contains("id: 10"), "{told}");
    rehearsed(&desk, &["result", "1", "2-0"]);
    let told = read_until(&mut first, "event: result");
    assert!(told.contains("id: 11") && told.contains(r#""score":"2-0""#), "{told}");
    // From the ring.
    let mut second = watch("10");
    assert!(read_until(&mut second, "event: head").contains("id: 11"));
    server.stop();
    read_until(&mut first, "event: bye");
}

/// The session of docs/API.md, as it stands there.
#[test]
fn the_session_of_the_reference_is_as_it_says() {
    let desk = Desk::new();
    let server = Server::of(&desk);
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/API.md");
    let page = std::fs::read_to_string(page).expect("it is there");
    let block = page.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next());
    let session = block.expect("a session").replace("127.0.0.1:7780", &server.address.to_string());
    let session = session.replace("scrutineer-store", &desk.path("store").display().to_string());
    if std::process::Command::new("curl").arg("--version").output().is_err() {
        println!("skipped: there is no curl");
        return;
    }
    let run = std::process::Command::new("sh").args(["-euc", &session]).output().expect("it runs");
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(run.status.success(), "{said}{}", String::from_utf8_lossy(&run.stderr));
    let lines: Vec<Value> =
        said.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let told = |key: &str| -> Vec<&Value> {
        lines.iter().filter(|line| !line[key].is_null()).map(|line| &line[key]).collect()
    };
    assert_eq!(told("order").len(), 9, "{said}");
    assert_eq!(told("repeated").iter().filter(|repeated| **repeated == true).count(), 2, "{said}");
    assert_eq!(told("code"), ["if-match-needed"], "{said}");
    assert_eq!(lines.last().expect("the standings")["rows"].as_array().map(Vec::len), Some(4));
    assert!(rehearsed(&desk, &["log"]).contains("Ann Lee"));
}

/// The same in Python, with nothing but what Python brings.
#[test]
fn the_session_in_python_is_as_it_says() {
    let python = std::process::Command::new("python3").arg("--version").output();
    if python.is_err() {
        assert!(std::env::var_os("SCRUTINEER_NO_SKIPS").is_none(), "there is no Python");
        println!("skipped: there is no Python");
        return;
    }
    let desk = Desk::new();
    let server = Server::of(&desk);
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/API.md");
    let page = std::fs::read_to_string(page).expect("it is there");
    let block = page.split("```python\n").nth(1).and_then(|rest| rest.split("```").next());
    let store = desk.path("store").display().to_string();
    let session = block.expect("a session").replace("scrutineer-store", &store);
    let run = std::process::Command::new("python3").args(["-c", &session]).output();
    let run = run.expect("it runs");
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(run.status.success(), "{said}{}", String::from_utf8_lossy(&run.stderr));
    let lines: Vec<&str> = said.lines().map(str::trim).collect();
    for line in ["201", "publish-1 201", "1 201", "slip-2 201", "again True", "close 201"] {
        assert!(lines.contains(&line), "{line} is missing in {said}");
    }
    assert!(said.contains("2 422 impossible-score") || said.contains("2 422 "), "{said}");
    assert_eq!(
        lines
            .iter()
            .filter(|line| ["1 ", "2 ", "3 ", "4 "].iter().any(|r| line.starts_with(r)))
            .count(),
        6
    );
    assert!(rehearsed(&desk, &["log"]).contains("Ann Lee"));
    server.stop();
}

/// The second page went on at another place of another table: 589 of 1,200 players were told.
#[test]
fn pages_of_standings_are_of_the_same_events_whatever_is_recorded_between_them() {
    let desk = Desk::new();
    rehearsed(&desk, &["new", "Friday", "--rules", "mtr"]);
    let names: Vec<String> = (1..=502).map(|number| format!("Player{number:03}")).collect();
    let enroll = std::iter::once("enroll").chain(names.iter().map(String::as_str));
    rehearsed(&desk, &enroll.collect::<Vec<_>>());
    rehearsed(&desk, &["pair"]);
    rehearsed(&desk, &["publish"]);
    let server = Server::of(&desk);
    let slip = |table: u32| format!(r#"{{"order":"result","slip":"{table} 2-0"}}"#);
    let slips: Vec<String> = (1..=251).map(slip).collect();
    let entered = server.local("POST", ORDERS, &format!("[{}]", slips.join(",")));
    assert_eq!(entered.status, 200, "{entered:?}");
    let tables = server.get("/api/v1/tournaments/Friday/rounds/1").json()["tables"].take();
    let owner = format!("Bearer {}", server.key);
    for headers in [&[("Authorization", owner.as_str())][..], &[]] {
        let read = |path: &str| {
            let answer = server.send("GET", path, headers, "");
            let rows = answer.json()["rows"].as_array().cloned().unwrap_or_default();
            let numbers = rows.iter().filter_map(|row| row["player"]["number"].as_u64());
            let link = answer.header("link").map(str::to_string);
            (numbers.collect::<Vec<_>>(), link)
        };
        let (mut told, link) = read("/api/v1/tournaments/Friday/standings?measures=all");
        let link = link.expect("a second page");
        let next = link.strip_prefix('<').and_then(|rest| rest.split_once('>')).expect("a link").0;
        assert!(next.contains("measures=all") && next.contains("as-of="), "{next}");
        // Who stands last on the first page has lost, and goes up.
        let last = told.last().copied().expect("a row");
        let is_theirs = |table: &&Value| {
            table["players"].as_array().is_some_and(|two| two.iter().any(|p| p["number"] == last))
        };
        let table = tables.as_array().expect("a list").iter().find(is_theirs).expect("their table");
        let score = if table["players"][0]["number"] == last { "2-0" } else { "0-2" };
        let order = format!(
            r#"{{"order":"correct","slip":"{} {score}","reason":"misread"}}"#,
            table["table"]
        );
        let corrected = server.local("POST", ORDERS, &order);
        assert_eq!(corrected.status, 201, "{corrected:?}");
        let (rest, end) = read(next);
        told.extend(rest);
        told.sort_unstable();
        assert_eq!((told, end), ((1..=502).collect(), None));
    }
}

/// What everybody sees alike is kept, and lost the way to the next page of a list.
#[test]
fn everybody_is_led_to_the_next_page_of_a_list_that_is_kept() {
    let desk = friday();
    rehearsed(&desk, &["new", "Saturday", "--rules", "mtr"]);
    let server = Server::of(&desk);
    let titles = |path: &str| {
        let answer = server.get(path);
        let link = answer.header("link").map(str::to_string);
        (answer.json()["tournaments"][0]["tournament"]["title"].clone(), link)
    };
    for _ in 0..2 {
        let (first, next) = titles("/api/v1/tournaments?limit=1");
        let next = next.expect("a second page");
        let path = next.strip_prefix('<').and_then(|rest| rest.split_once(">; rel=\"next\""));
        let (second, last) = titles(path.expect("a link").0);
        assert_eq!(
            (first.as_str(), second.as_str(), last),
            (Some("Friday"), Some("Saturday"), None)
        );
    }
    server.stop();
}
