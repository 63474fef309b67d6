//! Who may do what, and what is kept out.

use super::client::{Server, friday, rehearsed, whole};
use crate::cli::desk::Desk;
use scrutineer_server::guard::BODY_OF_NOBODY;

/// What is no order of anybody who may records nothing and is told why.
#[test]
fn malformed_oversized_unauthorized_and_forged_requests_record_nothing() {
    let desk = friday();
    let server = Server::of(&desk);
    let before = whole(&desk);
    let path = "/api/v1/tournaments/Friday/orders";
    let (token, judge) = (server.token("scorekeeper"), server.token("judge"));
    let good = r#"{"order":"result","slip":"1 2-0"}"#;
    let large = format!(r#"{{"order":"note","text":"{}"}}"#, "x".repeat(20 << 20));
    let with = |headers: &[(&str, &str)], body: &str| server.send("POST", path, headers, body);
    let own = [("Authorization", token.as_str()), ("Idempotency-Key", "k")];
    let more = |name: &'static str, value: &'static str| [own[0], own[1], (name, value)];
    for (what, answer, status, code) in [
        ("no JSON", with(&own, "{"), 400, "bad-request"),
        ("no order", with(&own, "{}"), 400, "bad-request"),
        ("an unknown verb", with(&own, r#"{"order":"cheat"}"#), 400, "bad-request"),
        ("an unknown field", with(&own, r#"{"order":"publish","x":1}"#), 400, "bad-request"),
        ("no key", with(&own[..1], good), 400, "bad-request"),
        (
            "a long key",
            with(&[own[0], ("Idempotency-Key", &"k".repeat(65))], good),
            400,
            "bad-request",
        ),
        ("too large", with(&own, &large), 413, "too-large"),
        ("nobody", with(&own[1..], good), 403, "not-allowed"),
        (
            "a made-up token",
            with(&[("Authorization", "Bearer scr_0"), own[1]], good),
            401,
            "sign-in",
        ),
        (
            "a judge",
            with(&[("Authorization", &judge), own[1]], r#"{"order":"pair"}"#),
            403,
            "not-allowed",
        ),
        ("another site", with(&more("Origin", "http://evil.example"), good), 403, "other-origin"),
        (
            "a browser elsewhere",
            with(&more("Sec-Fetch-Site", "cross-site"), good),
            403,
            "other-origin",
        ),
        ("another name", with(&more("Host", "evil.example"), good), 403, "other-host"),
        ("another address", with(&more("Host", "203.0.113.8"), good), 403, "other-host"),
        ("nobody's long body", with(&own[1..], &"x".repeat(BODY_OF_NOBODY + 1)), 413, "too-large"),
        ("a wrong tag", with(&more("If-Match", "\"x\""), good), 400, "bad-request"),
        (
            "two tags",
            with(&more("If-Match", "\"9-9f3a1c04\", \"8-9f3a1c04\""), good),
            400,
            "bad-request",
        ),
        ("two keys", with(&more("Idempotency-Key", "l"), good), 400, "bad-request"),
    ] {
        assert_eq!((answer.status, answer.code().as_str()), (status, code), "{what}: {answer:?}");
        assert_eq!(answer.header("content-type"), Some("application/problem+json"), "{what}");
    }
    for torn in [
        "",
        "GET",
        "GET / HTTP/9\r\n\r\n",
        "\0\0\0\0\r\n\r\n",
        "POST /new HTTP/1.1\r\nHost: x\r\n\r\n",
    ] {
        // Whatever is answered, the server goes on.
        let sent = server.try_raw(&[torn.as_bytes(), b"\r\n\r\n"].concat());
        assert!(sent.is_err() || sent.is_ok_and(|answer| answer.status >= 400), "{torn:?}");
    }
    assert_eq!(server.get("/").status, 200);
    assert!(before == whole(&desk), "something was recorded");
}

/// A browser that follows the owner's link is the owner's, once; a judge's code makes a judge.
#[test]
fn a_link_makes_a_session_with_its_role_and_no_more() {
    let desk = friday();
    let server = Server::of(&desk);
    let own = format!("http://{}", server.address);
    let origin = ("Origin", own.as_str());
    let form = ("Content-Type", "application/x-www-form-urlencoded");
    let join = |path: &str| server.send("POST", path, &[origin, form], "name=Olga");
    // A preview does not use it up.
    assert_eq!(server.get(&server.owner).status, 200);
    let joined = join(&server.owner);
    assert_eq!(joined.status, 303, "{joined:?}");
    let cookie = joined.header("set-cookie").expect("a cookie");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
    let cookie = cookie.split(';').next().expect("a pair").to_string();
    assert_eq!(join(&server.owner).status, 404);
    let owner = [("Cookie", cookie.as_str()), origin, ("Idempotency-Key", "judges")];
    let page = server.send("GET", "/t/Friday/desk", &owner, "");
    assert_eq!(page.status, 200, "{page:?}");
    let made =
        server.send("POST", "/api/v1/links", &owner, r#"{"role":"judge","tournament":"Friday"}"#);
    assert_eq!(made.status, 201, "{made:?}");
    let judge = join(made.json()["path"].as_str().expect("a path"));
    let judge = judge.header("set-cookie").and_then(|all| all.split(';').next()).expect("a cookie");
    let post = |cookie: &str, fields: &str| {
        server.send("POST", "/t/Friday/orders", &[("Cookie", cookie), origin, form], fields)
    };
    let done = post(judge, "order=result&slip=1+2-0&key=a&back=/t/Friday/entry");
    let to = done.header("location").expect("it leads back").to_string();
    assert!(done.status == 303 && to.starts_with("/t/Friday/entry?done="), "{done:?}");
    let refused = post(judge, "order=pair&key=b&back=/t/Friday/desk");
    let to = refused.header("location").expect("it leads back");
    assert!(to.starts_with("/t/Friday/desk?refused=not-allowed&aside="), "{to}");
    // The log says who.
    assert!(rehearsed(&desk, &["log"]).contains("Olga"));
    // Without the page's origin nothing comes by a cookie alone.
    let forged =
        server.send("POST", "/t/Friday/orders", &[("Cookie", judge), form], "order=publish");
    assert_eq!(forged.code(), "other-origin");
}

/// What the public sees of a round that is drafted only.
#[test]
fn a_draft_is_shown_to_nobody_outside() {
    let desk = friday();
    for words in [&["result", "1", "2-0"][..], &["result", "2", "2-0"], &["pair"]] {
        rehearsed(&desk, words);
    }
    let server = Server::of(&desk);
    for path in ["/t/Friday/round/2", "/api/v1/tournaments/Friday/rounds/2"] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    // The pairings are those of the round before, and the standings those of now.
    let pairings = server.get("/t/Friday/round");
    let body = &pairings.body;
    assert!(pairings.status == 200 && body.contains("<h1>Round 1</h1>"), "{pairings:?}");
    assert!(
        body.contains("Round 2 is being prepared") && !body.contains("round/2"),
        "{pairings:?}"
    );
    for path in ["/t/Friday/standings", "/t/Friday/standings/1", "/t/Friday/standings?through=2"] {
        let page = server.get(path);
        assert!(page.status == 200 && !page.body.contains("Not as it is now"), "{path}: {page:?}");
    }
    assert_eq!(server.get("/api/v1/tournaments/Friday").json()["round"], 1);
    let through = server.get("/api/v1/tournaments/Friday/standings").json()["through"].clone();
    assert_eq!(through, 1);
    assert_eq!(server.get("/t/Friday/standings").status, 200);
    // Rulesets that somebody makes up are the staff's to try.
    let made_up = "rules=mtr%2Bsettings.percentage_floor=1/3";
    for path in ["/t/Friday/standings", "/api/v1/tournaments/Friday/standings"] {
        assert_eq!(server.get(&format!("{path}?{made_up}")).status, 403, "{path}");
        assert_eq!(server.local("GET", &format!("{path}?{made_up}"), "").status, 200, "{path}");
    }
    let draft = server.local("GET", "/api/v1/tournaments/Friday/rounds/2", "");
    assert_eq!(draft.status, 200, "{draft:?}");
    rehearsed(&desk, &["publish"]);
    assert_eq!(server.get("/api/v1/tournaments/Friday/rounds/2").status, 200);
}

/// Their desk led to standings that were refused, and to a bracket that was not there, while a stranger
/// read both.
#[test]
fn while_a_round_is_a_draft_judges_and_helpers_read_what_everybody_reads() {
    let desk = Desk::new();
    for words in [
        &["new", "Friday", "--rules", "mtr", "--phase", "single-elimination"][..],
        &["enroll", "Ann", "Bob", "Cid", "Dee"],
        &["pair"],
    ] {
        rehearsed(&desk, words);
    }
    let server = Server::of(&desk);
    let roles = ["judge", "helper"].map(|role| server.token(role));
    let pages = ["standings", "standings?through=1", "bracket"];
    for path in pages.map(|page| format!("/t/Friday/{page}")) {
        let strangers = server.get(&path);
        assert_eq!(strangers.status, 200, "{path}: {strangers:?}");
        for token in &roles {
            let own = server.send("GET", &path, &[("Authorization", token)], "");
            assert_eq!(own.status, 200, "{path}: {own:?}");
            let is_said = [&strangers, &own].map(|page| page.body.contains("There is no bracket."));
            assert_eq!(is_said[0], is_said[1], "{path}: {own:?}");
        }
    }
    // The draw is in nobody's bracket yet.
    assert!(server.get("/t/Friday/bracket").body.contains("There is no bracket."));
    rehearsed(&desk, &["publish"]);
    for token in &roles {
        let headers = [("Authorization", token.as_str())];
        let bracket = server.send("GET", "/t/Friday/bracket", &headers, "").body;
        assert!(bracket.contains("Semi-final"), "{bracket}");
    }
}

/// Judges and helpers see a round once it is out, and nothing that speaks of it before: they talk to those
/// who are in it.
#[test]
fn a_draft_is_shown_to_scorekeepers_and_to_no_judge_or_helper() {
    let desk = friday();
    for words in [&["result", "1", "2-0"][..], &["result", "2", "2-0"], &["pair"]] {
        rehearsed(&desk, words);
    }
    let server = Server::of(&desk);
    let [judge, helper, keeper] = ["judge", "helper", "scorekeeper"].map(|role| server.token(role));
    let get = |token: &str, path: &str| server.send("GET", path, &[("Authorization", token)], "");
    let tables = ["/t/Friday/entry", "/t/Friday/missing", "/t/Friday/desk"];
    let [entry, missing, at_desk] = tables.map(|path| get(&keeper, path).body);
    let is_field = entry.contains("name=\"slip\"") || entry.contains("data-table=");
    assert!(entry.contains("Round 2 is a draft.") && !is_field, "a tap would put it out: {entry}");
    assert!(at_desk.contains("/log\""), "{at_desk}");
    // It is not played yet: nobody is missed at its tables.
    let is_said = |missing: &str, at_desk: &str| {
        assert!(missing.contains("No result is missing. Round 2 is a draft:"), "{missing}");
        assert!(!missing.contains("id=\"t1\""), "{missing}");
        let beside = "<h2>Missing</h2><p class=\"soft\">Round 2 is a draft.</p>";
        assert!(at_desk.contains(beside), "{at_desk}");
    };
    is_said(&missing, &at_desk);
    for token in [&judge, &helper] {
        let [entry, missing, at_desk] = tables.map(|path| get(token, path).body);
        assert!(entry.contains("No round is being played"), "{entry}");
        is_said(&missing, &at_desk);
        for hidden in ["/log\"", "/replay\"", "/what-if\"", "/print/"] {
            assert!(!at_desk.contains(hidden), "{hidden} leads nowhere for them: {at_desk}");
        }
    }
    // What is made from the log tells drafts, reasons and notes.
    let api = "/api/v1/tournaments/Friday";
    for path in [format!("{api}/replay"), format!("{api}/trace/1"), "/t/Friday/replay".into()] {
        let asked = [&judge, &helper, &keeper].map(|token| get(token, &path).status);
        assert_eq!(asked, [403, 403, 200], "{path}");
    }
    // The log itself they have as everybody does: without the draft.
    for path in [format!("{api}/log"), format!("{api}/records/1"), "/t/Friday/log".into()] {
        let drafted = |token: &String| get(token, &path).body.contains("round 2");
        let asked = [&judge, &helper, &keeper].map(|token| get(token, &path).status);
        assert_eq!(asked, [200; 3], "{path}");
        assert_eq!([&judge, &helper].map(drafted), [false; 2], "{path}");
    }
    rehearsed(&desk, &["publish"]);
    for (path, shown) in tables.iter().zip(["data-table=\"1\"", "id=\"t1\"", "All 2 missing"]) {
        assert!(get(&judge, path).body.contains(shown), "{path}");
    }
}

/// Every answer says what a page may load, and nothing of it stands in a page.
#[test]
fn every_page_is_strict_about_what_it_loads() {
    let desk = friday();
    let server = Server::of(&desk);
    for path in ["/", "/t/Friday/standings", "/t/Friday/round", "/t/Friday/desk", "/nowhere"] {
        let answer = server.get(path);
        let policy = answer.header("content-security-policy").expect("a policy");
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        for inline in [" style=\"", "<style", " onclick", "<script>"] {
            assert!(!answer.body.contains(inline), "{path} has {inline}");
        }
    }
}

/// Every path with every role and with none, from the one table.
#[test]
fn each_path_admits_whom_the_table_names_and_nobody_else() {
    use scrutineer_desk::orders::{Order, Publish};
    use scrutineer_server::gate::{Need, Role, may};
    let desk = friday();
    let server = Server::of(&desk);
    let roles = Role::ALL.map(|role| match role {
        Role::Public => (role, String::new()),
        role => (role, server.token(&role.word().replace(' ', "-"))),
    });
    // A player's device is none of the staff's: its cookie opens their own page and nothing else.
    let origin = format!("http://{}", server.address);
    let phone = super::players::phone(&server, &super::players::links(&server)[&1]);
    for route in scrutineer_server::routes::table() {
        let path = route.path.replace("{id}", "Friday").replace("{what}", "slips");
        let path = [
            "{number}",
            "{round}",
            "{player}",
            "{dispute}",
            "{file}",
            "{code}",
            "{link}",
            "{token}",
            "{webhook}",
        ]
        .iter()
        .chain(&[
            "{upload}",
            "{format}",
            "{session}",
            "{name}",
            "{page}",
            "{rules}",
            "{seq}",
            "{store}",
            "{edition}",
        ])
        .fold(path, |path, name| path.replace(name, "1"));
        for (role, token) in &roles {
            let kind = match path.as_str() {
                "/new" | "/t/Friday/orders" | "/t/Friday/floor" => {
                    "application/x-www-form-urlencoded"
                }
                _ => "application/json",
            };
            let mut headers = vec![
                ("Accept", "application/json"),
                ("Content-Type", kind),
                ("Idempotency-Key", "walk"),
            ];
            headers.extend((*role != Role::Public).then_some(("Authorization", token.as_str())));
            let body = match path.as_str() {
                "/t/Friday/orders" => "order=publish",
                "/api/v1/tournaments/Friday/orders" => r#"{"order":"publish"}"#,
                // What is for the room takes a scorekeeper, as publishing does.
                "/t/Friday/floor" => "do=stop-clock",
                "/api/v1/tournaments/Friday/floor" => r#"{"do":"stop-clock"}"#,
                "/api/v1/tournaments/Friday/floor/calls" => r#"{"table":1}"#,
                _ => "",
            };
            let answer = server.send(route.method, &path, &headers, body);
            let publish = Order::from(Publish {});
            let admitted = match route.need {
                Need::ByOrder if path.ends_with("/calls") => *role >= Role::Judge,
                Need::ByOrder => may(*role, &publish).is_ok(),
                need => need.admits(*role),
            };
            let told = format!("{} {path} as {}: {answer:?}", route.method, role.word());
            assert_eq!(answer.status != 403, admitted, "{told}");
            assert!(answer.status < 500, "{told}");
            if *role == Role::Public {
                headers.extend([("Cookie", phone.as_str()), ("Origin", origin.as_str())]);
                let answer = server.send(route.method, &path, &headers, body);
                let admitted = route.need == Need::Player || route.need.admits(Role::Public);
                let told = format!("{} {path} as a player: {answer:?}", route.method);
                assert_eq!(answer.status != 403, admitted, "{told}");
                assert!(answer.status < 500, "{told}");
            }
        }
    }
}

/// The addresses of this server to which the links of a page at `path` lead.
fn links(path: &str, html: &str) -> Vec<String> {
    let hrefs = html.split("<a ").skip(1).filter_map(|rest| {
        let tag = rest.split('>').next()?;
        tag.split("href=\"").nth(1)?.split('"').next()
    });
    let leads = |href: &str| {
        let href = href.replace("&amp;", "&").replace("&#38;", "&");
        let href = href.split('#').next()?.to_string();
        match href.chars().next()? {
            '/' => Some(href),
            '?' => Some(format!("{}{href}", path.split('?').next()?)),
            _ if href.contains("://") => None,
            _ => Some(format!("{}/{href}", path.split('?').next()?.rsplit_once('/')?.0)),
        }
    };
    hrefs.filter_map(leads).collect()
}

/// A judge read "a judge may not do this" behind links of the standings, the log and the disputes.
#[test]
fn no_page_offers_a_judge_or_a_helper_a_link_that_refuses_them() {
    let desk = friday();
    for words in [
        &["result", "1", "2-0"][..],
        &["result", "2", "2-0"],
        &["correct", "1", "2-1", "--reason", "the slip says so"],
        &["pair"],
        &["publish"],
        &["result", "1", "2-0"],
        &["result", "2", "2-0"],
        &["cut", "--top", "2"],
        &["pair"],
        &["publish"],
    ] {
        rehearsed(&desk, words);
    }
    let server = Server::of(&desk);
    let dispute = r#"{"order":"dispute","table":"1","claim":"it was a draw"}"#;
    assert_eq!(server.order(&server.token("judge"), "d", dispute).status, 201);
    let first =
        ["desk", "standings", "standings/1", "players?player=1", "log", "disputes", "bracket"];
    for role in ["judge", "helper", "scorekeeper"] {
        let token = server.token(role);
        let mut pages = first.map(|page| format!("/t/Friday/{page}")).to_vec();
        let mut at = 0;
        // Queries lead on without an end: what is near is opened.
        while at < pages.len().min(150) {
            let path = pages[at].clone();
            let headers = [("Authorization", token.as_str()), ("Accept", "text/html")];
            let page = server.send("GET", &path, &headers, "");
            assert_ne!(page.status, 403, "{role}: {path}");
            for link in links(&path, &page.body) {
                if !pages.contains(&link) {
                    pages.push(link);
                }
            }
            at += 1;
        }
        let is_offered = |page: &str| pages.iter().any(|one| one.ends_with(&format!("/{page}")));
        assert!(is_offered("standings/2") && is_offered("rules"), "{role}: {pages:?}");
        for page in ["cross", "places/1", "print/bracket", "disputes/1"] {
            assert_eq!(is_offered(page), role == "scorekeeper", "{role}: {page}");
        }
    }
}

/// Behind a router that forwards a port, or in a container.
#[test]
fn an_address_that_was_named_is_a_name_of_the_server() {
    let desk = friday();
    let server = Server::with(&desk, &["--host-name", "203.0.113.8"]);
    assert_eq!(server.send("GET", "/", &[("Host", "203.0.113.8:80")], "").status, 200);
    assert_eq!(server.send("GET", "/", &[("Host", "203.0.113.9")], "").status, 403);
}
