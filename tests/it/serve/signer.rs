//! What is sent late is sent as who entered it, and done once.

use super::client::{Answer, Server, friday, rehearsed};
use super::staff::{FORM, cookie, sign_in};

/// Somebody who signed in by name: their cookie.
fn signed_in(server: &Server, name: &str) -> String {
    cookie(&sign_in(server, &format!("name={name}&password=the+hall+closes+at+six")))
}

fn post(server: &Server, cookie: &str, path: &str, fields: &str) -> Answer {
    let own = format!("http://{}", server.address);
    let headers =
        [("Cookie", cookie), ("Origin", own.as_str()), ("Accept", "application/json"), FORM];
    server.send("POST", &format!("/t/Friday/{path}"), &headers, fields)
}

/// What a page calls its reader by in what it sends.
fn signer(server: &Server, cookie: &str) -> String {
    let page = server.send("GET", "/t/Friday/entry", &[("Cookie", cookie)], "").body;
    let (_, rest) = page.split_once("data-signer=\"").expect("a signer");
    rest.split('"').next().expect("its end").to_string()
}

#[test]
fn who_signs_in_again_by_name_sends_again_what_was_answered_and_nobody_else_does() {
    let desk = friday();
    let server = Server::of(&desk);
    for name in ["Eva", "Hugo"] {
        let account = r#"{"role":"judge","password":"the hall closes at six"}"#;
        let path = format!("/api/v1/staff/{name}");
        assert_eq!(server.local("PUT", &path, account).status, 201);
    }
    let before = signed_in(&server, "Eva");
    let eva = signer(&server, &before);
    let penalty = format!("order=penalty&player=Ann&takes=warning&reason=late&key=k1&signer={eva}");
    let more = format!("do=extend&table=1&minutes=3&key=k2&signer={eva}");
    assert_eq!(post(&server, &before, "orders", &penalty).status, 201);
    assert_eq!(post(&server, &before, "floor", &more).status, 201);
    let own = format!("http://{}", server.address);
    let out = [("Cookie", before.as_str()), ("Origin", own.as_str())];
    assert_eq!(server.send("POST", "/sign-out", &out, "").status, 303);
    // Nobody is signed in, and then somebody else: it is not refused for good, and not done as theirs.
    let hugo = signed_in(&server, "Hugo");
    assert_ne!(signer(&server, &hugo), eva);
    for cookie in [&before, &hugo] {
        for (path, fields) in [("orders", &penalty), ("floor", &more)] {
            let answer = post(&server, cookie, path, fields);
            assert_eq!((answer.status, answer.code().as_str()), (401, "sign-in"), "{answer:?}");
        }
    }
    let again = signed_in(&server, "Eva");
    assert_eq!(signer(&server, &again), eva);
    assert_eq!(post(&server, &again, "orders", &penalty).status, 200, "it was done already");
    assert_eq!(post(&server, &again, "floor", &more).status, 200);
    assert_eq!(rehearsed(&desk, &["log"]).matches("late").count(), 1);
}
