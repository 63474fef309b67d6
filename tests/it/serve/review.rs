//! All tournaments of a store at once: for the owner alone, and as the command says it.

use super::client::{Server, friday, rehearsed};
use serde_json::Value;

#[test]
fn the_owner_sees_what_was_corrected_in_all_tournaments_and_nobody_else_does() {
    let desk = friday();
    let server = Server::of(&desk);
    let owner = server.token("owner");
    let get = |path: &str| server.send("GET", path, &[("Authorization", &owner)], "");
    let quiet = get("/api/v1/review").json();
    assert_eq!(quiet["changes"].as_array().map(Vec::len), Some(0), "{quiet}");
    assert!(get("/review").body.contains("Nothing of the kind"));
    for command in [
        &["result", "1", "2-0", "--tournament", "Friday"][..],
        &["correct", "1", "0-2", "--reason", "read <b>upside</b> down", "--tournament", "Friday"],
    ] {
        rehearsed(&desk, command);
    }
    let answer = get("/api/v1/review").json();
    let told = rehearsed(&desk, &["--json", "review"]);
    let told: Value = serde_json::from_str(&told).expect("JSON");
    assert_eq!(answer, told, "the command and the server say the same");
    let row = &answer["changes"][0];
    assert_eq!(
        (&row["what"], &row["tournament"]["title"]),
        (&"correction".into(), &"Friday".into())
    );
    assert!(row["moves"].as_array().is_some_and(|moves| !moves.is_empty()), "{row}");
    let page = get("/review");
    assert_eq!(page.status, 200, "{page:?}");
    assert_eq!(page.header("cache-control"), Some("no-store"));
    assert!(page.body.contains("read &#60;b&#62;upside"), "{}", page.body);
    assert!(page.body.contains("class=\"tag\">correction"));
    assert!(get("/review?only=dispute").body.contains("Nothing of the kind"));
    for verify in ["verify=true", "verify"] {
        let verified = get(&format!("/review?{verify}")).body;
        assert!(verified.contains("are verified as they are now"), "{verify}: {verified}");
        let answer = get(&format!("/api/v1/review?{verify}"));
        assert_eq!((answer.status, &answer.json()["verified"]), (200, &1.into()), "{answer:?}");
    }
    assert_eq!(get("/api/v1/review?verify=perhaps").status, 400);
    assert_eq!(get("/api/v1/review?only=nothing").status, 400);
    assert_eq!(get("/api/v1/review?before=1").status, 400);
    assert_eq!(get("/api/v1/review?since=yesterday").code(), "bad-moment");
    assert_eq!(get("/api/v1/review?tournament=Sunday").code(), "unknown-tournament");
    for role in ["head-judge", "scorekeeper", "judge", "helper"] {
        let token = server.token(role);
        for path in ["/review", "/api/v1/review"] {
            let refused = server.send("GET", path, &[("Authorization", &token)], "");
            assert_eq!(refused.status, 403, "{role} {path}");
            assert!(!refused.body.contains("upside"));
        }
    }
    for path in ["/review", "/api/v1/review"] {
        assert!(matches!(server.get(path).status, 401 | 403), "{path}");
    }
}

/// A browser asks for packed answers: of what was refused before any page, it was shown the packed bytes.
#[test]
fn a_refusal_of_a_packed_answer_is_read_as_words_and_not_as_bytes() {
    let desk = friday();
    let server = Server::of(&desk);
    let owner = server.token("owner");
    for accept in ["text/html", "application/json"] {
        let headers =
            [("Authorization", &owner[..]), ("Accept-Encoding", "gzip"), ("Accept", accept)];
        let (status, body) = super::leaks::answer(&server, "/review?verify=on", &headers);
        assert_eq!(status, 400, "{body}");
        assert!(body.contains("verify") && !body.contains('\u{fffd}'), "{body}");
    }
}
