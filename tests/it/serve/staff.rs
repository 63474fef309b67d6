//! Links, tokens, accounts: made once, used, taken back.

use super::client::{Answer, Server, friday, rehearsed};

pub const FORM: (&str, &str) = ("Content-Type", "application/x-www-form-urlencoded");

pub fn cookie(answer: &Answer) -> String {
    let set = answer.header("set-cookie").expect("a cookie");
    set.split(';').next().expect("a pair").to_string()
}

pub fn sign_in(server: &Server, fields: &str) -> Answer {
    let own = format!("http://{}", server.address);
    server.send("POST", "/sign-in", &[("Origin", &own), FORM], fields)
}

#[test]
fn an_account_signs_in_by_name_and_ends_with_its_role() {
    let desk = friday();
    let server = Server::of(&desk);
    let account = r#"{"role":"scorekeeper","password":"the hall closes at six"}"#;
    let put = |body: &str| server.local("PUT", "/api/v1/staff/Eva%20Wong", body);
    assert_eq!((put(account).status, put(account).status), (201, 200), "a retry changes nothing");
    assert_eq!(put(r#"{"role":"scorekeeper","password":"short"}"#).code(), "bad-password");
    let wrong = sign_in(&server, "name=Eva+Wong&password=guessed+it");
    assert_eq!(wrong.status, 401, "{wrong:?}");
    assert!(wrong.body.contains("Not signed in"), "{wrong:?}");
    let fields = "name=eva+wong&password=the+hall+closes+at+six&back=/t/Friday/entry";
    let signed = sign_in(&server, fields);
    assert_eq!((signed.status, signed.header("location")), (303, Some("/t/Friday/entry")));
    let set = signed.header("set-cookie").expect("a cookie").to_string();
    assert!(set.contains("HttpOnly") && set.contains("Max-Age=43200"), "{set}");
    let on_laptop = sign_in(&server, &format!("{fields}&laptop=on"));
    assert!(on_laptop.header("set-cookie").is_some_and(|set| set.contains("Max-Age=1209600")));
    let cookie = cookie(&signed);
    let get = |path: &str| server.send("GET", path, &[("Cookie", &cookie)], "");
    assert_eq!(get("/t/Friday/desk").status, 200);
    assert_eq!(get("/staff").status, 403);
    let own = format!("http://{}", server.address);
    let headers = [("Cookie", cookie.as_str()), ("Origin", &own), FORM];
    let done = server.send("POST", "/t/Friday/orders", &headers, "order=result&slip=1+2-0&key=a");
    assert!(done.header("location").is_some_and(|to| to.contains("done=")), "{done:?}");
    assert!(rehearsed(&desk, &["log"]).contains("Eva Wong"), "the log says who");
    assert_eq!(put(r#"{"role":"judge"}"#).status, 200);
    assert_eq!(get("/t/Friday/desk").status, 403, "a role that changes ends the session");
    let again = sign_in(&server, fields);
    let headers = [("Cookie", &self::cookie(&again)[..]), ("Origin", &own)];
    assert_eq!(server.send("POST", "/sign-out", &headers, "").status, 303);
    assert_eq!(server.send("GET", "/t/Friday/desk", &headers, "").status, 403);
    assert_eq!(server.local("DELETE", "/api/v1/staff/Eva%20Wong", "").status, 204);
    assert_eq!(sign_in(&server, fields).status, 401);
    assert_eq!(server.local("DELETE", "/api/v1/staff/Eva%20Wong", "").code(), "no-such-account");
    let changes = server.local("GET", "/api/v1/changes?after=1", "").json()["changes"].clone();
    let told = changes.to_string();
    for what in ["made the account Eva Wong", "judge now", "removed the account Eva Wong"] {
        assert!(told.contains(what), "{what} is missing in {told}");
    }
    assert!(!told.contains("six"), "no password is told: {told}");
}

#[test]
fn whoever_guesses_passwords_is_told_to_wait() {
    let desk = friday();
    let server = Server::of(&desk);
    let account = r#"{"role":"judge","password":"the hall closes at six"}"#;
    assert_eq!(server.local("PUT", "/api/v1/staff/Eva", account).status, 201);
    let statuses: Vec<u16> =
        (0..6).map(|_| sign_in(&server, "name=Eva&password=guessed").status).collect();
    assert_eq!(statuses, [401, 401, 401, 401, 401, 429]);
    let right = sign_in(&server, "name=Eva&password=the+hall+closes+at+six");
    assert_eq!(right.status, 429);
    assert!(right.header("retry-after").is_some());
}

#[test]
fn a_link_or_token_asked_for_twice_is_one_and_is_taken_back() {
    let desk = friday();
    let server = Server::of(&desk);
    let owner = server.token("owner");
    let ask = |path: &str, key: &str, body: &str| {
        let headers = [("Authorization", owner.as_str()), ("Idempotency-Key", key)];
        server.send("POST", path, &headers, body)
    };
    let body = r#"{"role":"judge","tournament":"Friday","hours":12}"#;
    for (path, secret) in [("/api/v1/links", "code"), ("/api/v1/tokens", "token")] {
        let (first, again) = (ask(path, "k", body), ask(path, "k", body));
        assert_eq!((first.status, first.json()), (201, again.json()));
        assert_eq!(ask(path, "k", r#"{"role":"owner"}"#).code(), "command-id-reused");
        let unsaid = server.send("POST", path, &[("Authorization", &owner)], body);
        assert_eq!(unsaid.code(), "bad-request", "a program sends a key");
        let id = first.json()["id"].as_str().expect("an id").to_string();
        let listed = server.send("GET", path, &[("Authorization", &owner)], "");
        assert!(
            listed.body.contains(&id) && !listed.body.contains(&first.json()[secret].to_string())
        );
        let gone = server.send("DELETE", &format!("{path}/{id}"), &[("Authorization", &owner)], "");
        assert_eq!(gone.status, 204);
        let listed = server.send("GET", path, &[("Authorization", &owner)], "");
        assert!(!listed.body.contains(&id));
        let ended = ask(path, "k", body);
        assert_eq!((ended.status, &ended.code()[..]), (409, "made-already"), "{ended:?}");
        assert!(ended.body.contains("has ended") && !ended.body.contains(&id), "{ended:?}");
    }
    let token = server.token("judge");
    let good = |status: u16| {
        let answer = server.send("GET", "/t/Friday/desk", &[("Authorization", &token)], "");
        assert_eq!(answer.status, status);
    };
    good(200);
    let listed = server.local("GET", "/api/v1/tokens", "").json();
    let of_judge = listed["tokens"]
        .as_array()
        .expect("a list")
        .iter()
        .find(|one| one["role"] == "judge" && !one["used"].is_null());
    let id = of_judge.expect("it was used")["id"].as_str().expect("an id");
    assert_eq!(server.local("DELETE", &format!("/api/v1/tokens/{id}"), "").status, 204);
    good(401);
}

/// A program whose answer was lost sent its request again, and the token that another one had was dead.
#[test]
fn a_secret_that_was_told_works_on_where_it_is_asked_for_again_after_a_restart() {
    let desk = friday();
    let server = Server::of(&desk);
    let owner = server.token("owner");
    let asked = [
        ("/api/v1/tokens", r#"{"role":"owner"}"#),
        ("/api/v1/links", r#"{"role":"judge"}"#),
        ("/api/v1/stores", r#"{"name":"Card club"}"#),
        ("/api/v1/tournaments/Friday/player-links", r#"{"players":[1]}"#),
    ];
    let ask = |server: &Server, (path, body): (&str, &str)| {
        let key = path.replace('/', "-");
        let headers = [("Authorization", owner.as_str()), ("Idempotency-Key", key.as_str())];
        server.send("POST", path, &headers, body)
    };
    let first = asked.map(|one| ask(&server, one));
    let again = asked.map(|one| ask(&server, one));
    for (first, again) in first.iter().zip(&again) {
        assert_eq!((first.status, first.json()), (201, again.json()));
    }
    server.stop();
    let server = Server::of(&desk);
    for one in asked {
        let refused = ask(&server, one);
        assert_eq!((refused.status, &refused.code()[..]), (409, "made-already"), "{refused:?}");
    }
    // Something else under the same keys is no repeat.
    let otherwise = [
        r#"{"role":"judge"}"#,
        r#"{"role":"owner"}"#,
        r#"{"name":"Another club"}"#,
        r#"{"players":[2]}"#,
    ];
    for ((path, _), body) in asked.into_iter().zip(otherwise) {
        let refused = ask(&server, (path, body));
        assert_eq!(
            (refused.status, &refused.code()[..]),
            (422, "command-id-reused"),
            "{refused:?}"
        );
    }
    let token = format!("Bearer {}", first[0].json()["token"].as_str().expect("a token"));
    let listed = server.send("GET", "/api/v1/tokens", &[("Authorization", &token)], "");
    assert_eq!(listed.status, 200, "{listed:?}");
    let path = first[3].json()["links"][0]["path"].as_str().expect("a path").to_string();
    assert_eq!(server.get(&path).status, 200);
}

#[test]
fn the_owner_makes_links_on_a_page_and_takes_them_back() {
    let desk = friday();
    let server = Server::of(&desk);
    let own = format!("http://{}", server.address);
    let join = server.send("POST", &server.owner, &[("Origin", &own), FORM], "name=Olga&laptop=on");
    assert!(join.header("set-cookie").is_some_and(|set| set.contains("Max-Age=1209600")));
    let cookie = cookie(&join);
    let headers = [("Cookie", cookie.as_str()), ("Origin", &own), FORM];
    let post = |path: &str, fields: &str| server.send("POST", path, &headers, fields);
    let fields = "role=judge&tournament=&hours=12&name=Pia&once=on&key=form-link";
    let (made, again) = (post("/staff/links", fields), post("/staff/links", fields));
    assert_eq!(made.status, 200, "{made:?}");
    assert!(made.body.contains("<svg") && made.body.contains("A link for a judge"), "{made:?}");
    assert_eq!(made.body, again.body, "posted twice, it is one");
    let code = made.body.split("/join/").nth(1).and_then(|rest| rest.get(..9)).expect("a code");
    let judge = server.send("POST", &format!("/join/{code}"), &[("Origin", &own), FORM], "name=");
    assert_eq!(judge.status, 303, "{judge:?}");
    let page = server.send("GET", "/staff", &headers[..1], "");
    assert!(page.status == 200 && page.body.contains("Pia") && !page.body.contains(code));
    let listed = server.local("GET", "/api/v1/sessions", "").json();
    let pia = listed["sessions"].as_array().expect("a list").iter();
    let id = pia.clone().find(|one| one["name"] == "Pia").expect("a session")["id"].clone();
    let id = id.as_str().expect("an id");
    let judge = self::cookie(&judge);
    let sees = || server.send("GET", "/t/Friday/desk", &[("Cookie", &judge)], "").status;
    assert_eq!(sees(), 200);
    let ended = post("/staff/end", &format!("kind=session&id={id}"));
    assert_eq!((ended.status, ended.header("location")), (303, Some("/staff#sessions")));
    assert_eq!(sees(), 403);
    let token = post("/staff/tokens", "role=judge&name=Board&key=form-token");
    assert!(token.body.contains("scr_"), "{token:?}");
    let account = "name=Eva&role=judge&password=the+hall+closes+at+six";
    assert_eq!(post("/staff/accounts", account).header("location"), Some("/staff#accounts"));
    assert_eq!(post("/staff/accounts", "name=Eva&remove=yes").status, 303);
    assert_eq!(post("/staff/accounts", "name=Eva&remove=yes").status, 404);
    let told = server.send("GET", "/staff", &headers[..1], "").body;
    assert!(told.contains("Olga, owner") && told.contains("removed the account Eva"), "{told}");
}

#[test]
fn who_lets_staff_in_over_plain_http_has_it_kept() {
    let desk = friday();
    let server = Server::with(&desk, &["--allow-plain-staff"]);
    let told = server.local("GET", "/api/v1/changes", "").body;
    assert!(told.contains("--allow-plain-staff"), "{told}");
}

#[test]
fn the_owner_of_one_tournament_is_the_owner_there_and_nowhere_else() {
    let desk = friday();
    rehearsed(&desk, &["new", "Saturday", "--rules", "mtr"]);
    let server = Server::of(&desk);
    let made = r#"{"role":"owner","tournament":"Friday"}"#;
    let made = server.local("POST", "/api/v1/tokens", made).json();
    let token = format!("Bearer {}", made["token"].as_str().expect("a token"));
    let ask = |method: &str, path: &str| {
        let headers = [("Authorization", token.as_str()), ("Idempotency-Key", "k")];
        server.send(method, path, &headers, "").status
    };
    let of = |tournament: &str, what: &str| format!("/api/v1/tournaments/{tournament}/{what}");
    assert_eq!(ask("GET", &of("Friday", "policies")), 200);
    assert_eq!(ask("POST", &of("Friday", "checkpoint")), 200);
    assert_eq!(ask("GET", &of("Saturday", "policies")), 403);
    assert_eq!(ask("POST", &of("Saturday", "checkpoint")), 403);
    assert_eq!((ask("GET", "/api/v1/tokens"), ask("GET", "/staff")), (403, 403));
}

#[test]
fn a_link_for_more_hours_than_there_are_is_refused_and_breaks_nothing() {
    let desk = friday();
    let server = Server::of(&desk);
    let most = u64::MAX;
    for hours in [most, most / 3_600, 8_785] {
        let body = format!(r#"{{"role":"judge","hours":{hours}}}"#);
        let made = server.local("POST", "/api/v1/links", &body);
        assert_eq!((made.status, made.code().as_str()), (400, "bad-request"), "{made:?}");
    }
    assert_eq!(
        server.local("POST", "/api/v1/links", r#"{"role":"judge","hours":8784}"#).status,
        201
    );
}

/// Judges and scorekeepers were led to four pages that are the owner's, and refused there.
#[test]
fn the_list_of_tournaments_leads_nobody_to_a_page_that_refuses_them() {
    let desk = friday();
    let server = Server::of(&desk);
    let owner = format!("Bearer {}", server.key);
    for (token, is_owner) in
        [(server.token("judge"), false), (server.token("head-judge"), false), (owner, true)]
    {
        let get = |path: &str| server.send("GET", path, &[("Authorization", &token)], "");
        let list = get("/").body;
        for path in ["/review", "/stores", "/publisher", "/staff", "/new", "/import"] {
            let leads = list.contains(&format!("href=\"{path}\""));
            let may = get(path).status == 200;
            assert_eq!(leads, may, "{path}, {is_owner}: {list}");
            assert!(may || !is_owner, "{path}");
        }
    }
}
