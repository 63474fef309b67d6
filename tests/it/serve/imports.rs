//! Files of other programs in the browser and for programs: looked at before they are stored, stored once,
//! brought up to date by newer ones, and given away again.

use super::client::{Answer, Server, friday, rehearsed};
use crate::cli::desk::Desk;
use scrutineer_server::uploads::{MOST_BYTES, MOST_FILES};
use serde_json::{Value, json};
use std::io::Write;

const FIRST: &str = "# event: Friday Modern\n# date: 2026-10-02\n# finished: no\n# rules: mtr\n\
    round,table,player_a,player_b,games_a,games_b,games_drawn\n1,1,Ann,Bob,2,0,0\n1,2,Cid,Dot,,,\n";
const NEWER: &str = "# event: Friday Modern\n# date: 2026-10-02\n# finished: no\n# rules: mtr\n\
    round,table,player_a,player_b,games_a,games_b,games_drawn,kind\n1,1,Ann,Bob,2,1,0,\n\
    1,2,Dot,Cid,2,0,0,\n1,,Bob,,,,,drop\n2,1,Ann,Dot,,,,\n2,2,Cid,Eve,,,,\n";
const ASKS: &str = "Runde;Spieler;Farbe;Ergebnis\n1;Ann;Ben;2-0\n1;Cid;Dee;2-1\n";
const MARK: &str = "multipart/form-data; boundary=x-mark";

/// A form with these files, as browsers send it.
fn form(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, bytes) in files {
        let head = format!(
            "--x-mark\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
             Content-Type: text/plain\r\n\r\n"
        );
        body.extend([head.as_bytes(), bytes, b"\r\n"].concat());
    }
    body.extend(b"--x-mark--\r\n");
    body
}

/// A request with any bytes.
fn sent(server: &Server, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
    let mut request = format!("POST {path} HTTP/1.1\r\nConnection: close\r\n");
    if !headers.iter().any(|(name, _)| *name == "Host") {
        request.push_str(&format!("Host: {}\r\n", server.address));
    }
    for (name, value) in headers {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    request.push_str(&format!("Content-Length: {}\r\n\r\n", body.len()));
    server.raw(&[request.as_bytes(), body].concat())
}

/// What a program sends, as the owner.
fn import(server: &Server, query: &str, body: &[u8]) -> Answer {
    let key = format!("Bearer {}", server.key);
    sent(server, &format!("/api/v1/imports?{query}"), &[("Authorization", &key)], body)
}

/// A browser of the staff, by a token.
struct Browser<'a> {
    server: &'a Server,
    token: String,
}

impl Browser<'_> {
    fn get(&self, path: &str) -> Answer {
        self.server.send("GET", path, &[("Authorization", &self.token)], "")
    }

    fn send(&self, files: &[(&str, &[u8])]) -> Answer {
        let headers = [("Authorization", self.token.as_str()), ("Content-Type", MARK)];
        sent(self.server, "/import", &headers, &form(files))
    }

    fn press(&self, path: &str, fields: &str) -> Answer {
        let kind = ("Content-Type", "application/x-www-form-urlencoded");
        self.server.send("POST", path, &[("Authorization", &self.token), kind], fields)
    }

    /// The page to which an upload leads.
    fn uploaded(&self, files: &[(&str, &[u8])]) -> (String, Answer) {
        let sent = self.send(files);
        assert_eq!(sent.status, 303, "{sent:?}");
        let path = sent.header("location").expect("a page").to_string();
        let page = self.get(&path);
        assert_eq!(page.status, 200, "{page:?}");
        (path, page)
    }
}

/// What the store holds, as programs list it.
fn listed(server: &Server) -> Vec<Value> {
    let all = server.local("GET", "/api/v1/tournaments", "").json()["tournaments"].clone();
    all.as_array().cloned().unwrap_or_default()
}

#[test]
fn a_file_is_looked_at_stored_once_and_a_newer_one_brings_it_up_to_date() {
    let desk = Desk::new();
    let server = Server::of(&desk);
    let browser = Browser { server: &server, token: server.token("head-judge") };
    assert!(browser.get("/").body.contains("href=\"/import\""), "the list leads there");
    let (path, page) = browser.uploaded(&[("friday.csv", FIRST.as_bytes())]);
    for words in ["Friday Modern", "2026-10-02", "It will be a tournament of its own", "times"] {
        assert!(page.body.contains(words), "{words}: {}", page.body);
    }
    assert!(listed(&server).is_empty(), "it is only looked at");
    for _ in 0..2 {
        let stored = browser.press(&path, "file=0");
        assert_eq!(stored.status, 303, "{stored:?}");
        let page = browser.get(stored.header("location").expect("a page"));
        assert!(page.body.contains("<strong>Stored</strong>"), "{}", page.body);
    }
    assert_eq!(listed(&server).len(), 1, "pressed twice it is stored once");
    let (path, page) = browser.uploaded(&[("friday.csv", NEWER.as_bytes())]);
    for words in ["brings a tournament that is there up to date", "Eve is enrolled", "Bob drops"] {
        assert!(page.body.contains(words), "{words}: {}", page.body);
    }
    assert_eq!(browser.press(&path, "file=0").status, 303);
    let (_, page) = browser.uploaded(&[("friday.csv", NEWER.as_bytes())]);
    assert!(page.body.contains("The store has all of it already"), "{}", page.body);
    // What stands is not taken back by an older file, and it is said why.
    let (path, page) = browser.uploaded(&[("friday.csv", format!("{FIRST}\n").as_bytes())]);
    assert!(page.body.contains("has no result any more of"), "{}", page.body);
    let refused = browser.press(&path, "file=0");
    assert_eq!((refused.status, refused.code().as_str()), (409, "changed-file"), "{refused:?}");
    let one = listed(&server);
    assert_eq!((one.len(), &one[0]["players"]), (1, &json!(5)), "{one:?}");
    assert!(server.local("GET", "/api/v1/changes", "").body.contains("brought up to date"));
    // The command says the same of the store.
    server.stop();
    desk.write("friday.csv", NEWER.as_bytes());
    assert!(rehearsed(&desk, &["import", "friday.csv"]).contains("already in the store"));
    assert!(rehearsed(&desk, &["verify"]).contains("Friday Modern"));
}

/// What a publisher was sent for an audit could be brought in by whoever sits at the machine alone.
#[test]
fn a_bundle_comes_in_by_browser_checked_to_its_end_and_once() {
    let (desk, other) = (friday(), Desk::new());
    rehearsed(&desk, &["result", "1", "2-0"]);
    rehearsed(&desk, &["correct", "1", "2-1", "--reason", "entered wrongly"]);
    let (of_friday, server) = (Server::of(&desk), Server::of(&other));
    let browser = Browser { server: &server, token: server.token("head-judge") };
    let audit = of_friday.local("GET", "/api/v1/tournaments/Friday/audit", "").body;
    let cut = audit.replacen("entered wrongly", "entered rightly", 1);
    let (path, page) = browser.uploaded(&[("friday.txt", cut.as_bytes())]);
    assert!(page.body.contains("not in order") && !page.body.contains('`'), "{}", page.body);
    assert!(browser.press(&path, "file=0").status >= 400 && listed(&server).is_empty());
    let (path, page) = browser.uploaded(&[("friday.txt", audit.as_bytes())]);
    assert!(page.body.contains("Friday") && listed(&server).is_empty(), "{}", page.body);
    assert_eq!(browser.press(&path, "file=0").status, 303);
    assert_eq!(listed(&server).len(), 1);
    let (_, page) = browser.uploaded(&[("again.bundle", audit.as_bytes())]);
    assert!(!page.body.contains("It will be a tournament of its own"), "{}", page.body);
    // It promised to correct results, where only private texts were added.
    assert!(page.body.contains("Nothing that stands here changes"), "{}", page.body);
    assert!(page.body.contains("private text") && !page.body.contains("is corrected"));
    let review = server.local("GET", "/api/v1/review", "").body;
    assert!(review.contains("entered wrongly"), "{review}");
}

/// A publisher was sent a rewritten log: it was refused once, and then nobody knew of it.
#[test]
fn a_bundle_of_a_rewritten_log_is_refused_and_said_on_every_page_from_then_on() {
    let desk = friday();
    let (other, publisher) = (super::follow::twice(&desk), super::follow::elsewhere());
    for (store, slip) in [(&desk, "2-0"), (&other, "0-2")] {
        rehearsed(store, &["result", "1", slip]);
        rehearsed(store, &["result", "2", "2-1"]);
        rehearsed(store, &["announce"]);
        rehearsed(store, &["export", "--output", "friday.bundle"]);
    }
    let server = Server::of(&publisher);
    let browser = Browser { server: &server, token: server.token("owner") };
    let bundle = |store: &Desk| std::fs::read(store.path("friday.bundle")).expect("read");
    let (path, _) = browser.uploaded(&[("friday.bundle", &bundle(&desk))]);
    assert_eq!(browser.press(&path, "file=0").status, 303);
    let id = listed(&server)[0]["tournament"]["id"].as_str().expect("an id").to_string();
    let standings = || browser.get(&format!("/t/{id}/standings")).body;
    assert!(!standings().contains("was rewritten"), "{}", standings());
    let (path, page) = browser.uploaded(&[("friday.bundle", &bundle(&other))]);
    assert!(page.body.contains("event 11 is another one"), "{}", page.body);
    let refused = browser.press(&path, "file=0");
    assert_eq!((refused.status, refused.code().as_str()), (409, "log-re-signed"), "{refused:?}");
    assert!(standings().contains("was rewritten"), "{}", standings());
    assert!(browser.get("/review").body.contains("was rewritten"));
    server.stop();
    let review = publisher.run(&["review"]);
    assert!(review.code == 1 && review.all().contains("log-re-signed"), "{}", review.all());
}

/// Whoever had removed a league by mistake of theirs saw its names in a search engine.
#[test]
fn what_was_removed_is_seen_by_nobody_but_the_staff_who_are_told_so() {
    let desk = Desk::new();
    let server = Server::of(&desk);
    let browser = Browser { server: &server, token: server.token("owner") };
    let (path, _) = browser.uploaded(&[("friday.csv", FIRST.as_bytes())]);
    assert_eq!(browser.press(&path, "file=0").status, 303);
    let id = listed(&server)[0]["tournament"]["id"].as_str().expect("an id").to_string();
    let paths = ["standings", "round", "log", "page", "calendar.ics"];
    let seen = |path: &str| server.get(&format!("/t/{id}/{path}")).status;
    assert_eq!(paths.map(seen), [200; 5]);
    let removed =
        browser.press(&format!("/t/{id}/orders"), "order=remove&reason=twice&sure=true&key=gone");
    assert_eq!(removed.status, 303, "{}", removed.body);
    assert_eq!(paths.map(seen), [404; 5]);
    let standings = format!("/api/v1/tournaments/{id}/standings");
    assert_eq!(server.get(&standings).code(), "unknown-tournament");
    for path in ["standings", "desk"] {
        let page = browser.get(&format!("/t/{id}/{path}"));
        assert!(page.status == 200 && page.body.contains("Removed: this tournament"), "{page:?}");
        assert!(!page.body.contains("value=\"close\""), "{}", page.body);
    }
}

/// Half a round stood in a league's sheet: everybody read that nobody sees it.
#[test]
fn a_round_that_came_in_with_results_is_no_draft() {
    let desk = Desk::new();
    let server = Server::of(&desk);
    let browser = Browser { server: &server, token: server.token("owner") };
    let (path, _) = browser.uploaded(&[("friday.csv", FIRST.as_bytes())]);
    assert_eq!(browser.press(&path, "file=0").status, 303);
    let id = listed(&server)[0]["tournament"]["id"].as_str().expect("an id").to_string();
    for page in [server.get(&format!("/t/{id}/round")), browser.get(&format!("/t/{id}/desk"))] {
        let is_draft = page.body.contains("nobody sees it") || page.body.contains("Not public");
        assert!(page.status == 200 && !is_draft, "{}", page.body);
    }
    let round = server.get(&format!("/api/v1/tournaments/{id}/rounds/1")).body;
    assert!(round.contains("\"published\":true"), "{round}");
}

#[test]
fn columns_that_only_a_person_can_tell_are_picked_above_the_first_rows() {
    let desk = Desk::new();
    let server = Server::of(&desk);
    let browser = Browser { server: &server, token: server.token("owner") };
    let (path, page) = browser.uploaded(&[("abend.csv", ASKS.as_bytes())]);
    assert!(page.body.contains("Which column is this: Second player?"), "{}", page.body);
    for words in
        ["<select name=\"c3\"", "aria-label=\"Column 3 Farbe\"", "<td dir=\"auto\">Dee</td>"]
    {
        assert!(page.body.contains(words), "{words}: {}", page.body);
    }
    assert!(!page.body.contains("Store it"), "nothing can be stored yet");
    let german = browser.get(&format!("{path}?lang=de"));
    assert!(german.body.contains("Welche Spalte ist das: Zweiter Name?"), "{}", german.body);
    let twice = browser.get(&format!("{path}?pick=1&c1=round&c2=player_a&c3=player_a&c4=result"));
    assert!(twice.body.contains("each column and each word once"), "{}", twice.body);
    let picked = "?file=0&rules=mtr&pick=1&c1=round&c2=player_a&c3=player_b&c4=result";
    let page = browser.get(&format!("{path}{picked}"));
    let columns = "round=1,player_a=2,player_b=3,result=4";
    assert!(page.body.contains(&format!("name=\"columns\" value=\"{columns}\"")), "{}", page.body);
    let stored = browser.press(&path, &format!("file=0&rules=mtr&columns={columns}"));
    assert_eq!(stored.status, 303, "{stored:?}");
    assert_eq!(listed(&server)[0]["players"], 4);
}

#[test]
fn several_files_are_several_tournaments_and_a_bad_one_stops_none_of_them() {
    let desk = Desk::new();
    let server = Server::of(&desk);
    let browser = Browser { server: &server, token: server.token("owner") };
    let other = FIRST.replace("Friday", "Monday");
    let files = [
        ("friday.csv", FIRST.as_bytes()),
        ("monday.csv", other.as_bytes()),
        ("notes.txt", &b"what we ate"[..]),
    ];
    let (path, page) = browser.uploaded(&files);
    for words in ["Friday Modern", "Monday Modern", "Store 2 of them", "not stored"] {
        assert!(page.body.contains(words), "{words}: {}", page.body);
    }
    let one = browser.get(&format!("{path}?file=1"));
    assert!(one.body.contains("3 files") && one.body.contains("Store it"), "{}", one.body);
    assert_eq!(browser.press(&path, "").status, 303);
    assert_eq!(listed(&server).len(), 2);
    assert!(!browser.get(&path).body.contains("of them"), "nothing is left to store");
    assert_eq!(browser.press(&path, "file=7").code(), "bad-request");
    // Two versions of one: which takes back what the other has is seen when it is to be stored, and told.
    let less = FIRST.replace("Friday", "Sunday");
    let more = less.replace("Cid,Dot,,,", "Cid,Dot,2,0,0");
    let files = [("more.csv", more.as_bytes()), ("less.csv", less.as_bytes())];
    let (path, page) = browser.uploaded(&files);
    assert!(page.body.contains("Store 2 of them"), "{}", page.body);
    assert_eq!(browser.press(&path, "").status, 303);
    let page = browser.get(&path).body;
    assert!(page.contains("not stored") && page.contains("has no result any more of"), "{page}");
    // Answers of a platform that are parts of one tournament are read as one.
    let whole: Value =
        serde_json::from_str(include_str!("../../../formats/fuzz-seeds/limitless.json"))
            .expect("JSON");
    let parts = ["pairings", "standings"].map(|part| whole[part].to_string());
    let files = [("b.json", parts[0].as_bytes()), ("a.json", parts[1].as_bytes())];
    let (_, page) = browser.uploaded(&files);
    assert!(page.body.contains("b.json"), "{}", page.body);
    assert!(!page.body.contains("2 files"), "{}", page.body);
}

#[test]
fn programs_look_at_a_file_and_store_it_once() {
    let desk = Desk::new();
    let server = Server::of(&desk);
    let dry = import(&server, "name=friday.csv&dry-run", FIRST.as_bytes());
    assert_eq!(dry.status, 200, "{dry:?}");
    let dry = dry.json();
    assert_eq!((&dry["what"], &dry["stored"]), (&json!("new"), &json!(false)), "{dry}");
    assert_eq!((&dry["read"]["format"], &dry["read"]["matches"]), (&json!("csv"), &json!(2)));
    assert!(listed(&server).is_empty());
    let stored = import(&server, "name=friday.csv", FIRST.as_bytes());
    assert_eq!(stored.status, 201, "{stored:?}");
    let place = stored.header("location").expect("where it is").to_string();
    assert_eq!(server.local("GET", &place, "").status, 200);
    let again = import(&server, "name=other.csv", FIRST.as_bytes());
    assert_eq!((again.status, &again.json()["what"]), (200, &json!("known")));
    let newer = import(&server, "name=friday.csv", NEWER.as_bytes()).json();
    assert_eq!(newer["what"], "renewed", "{newer}");
    let told = newer["read"]["renewed"].as_array().expect("lines");
    assert!(told.contains(&json!("Eve is enrolled")), "{newer}");
    assert_eq!(newer["tournament"]["id"], stored.json()["tournament"]["id"]);
    let asks = import(&server, "name=abend.csv&dry-run=true", ASKS.as_bytes()).json();
    assert_eq!(
        (&asks["what"], &asks["sheet"]["question"]["word"]),
        (&json!("asks"), &json!("player_b"))
    );
    let refused = import(&server, "name=abend.csv", ASKS.as_bytes());
    assert_eq!((refused.status, refused.code().as_str()), (422, "which-column"));
    let columns = "round=1,player_a=2,player_b=3,result=4".replace('=', "%3D");
    let told =
        import(&server, &format!("name=abend.csv&rules=mtr&columns={columns}"), ASKS.as_bytes());
    assert_eq!(told.status, 201, "{told:?}");
}

/// A workbook of a few hundred kilobytes that unpacks to more than any file may have.
fn bomb() -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let packed = zip::write::SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Deflated);
    for name in ["xl/workbook.xml", "xl/worksheets/sheet1.xml"] {
        archive.start_file(name, packed).expect("begun");
        let zeros = vec![b' '; 1 << 20];
        (0..40).for_each(|_| archive.write_all(&zeros).expect("written"));
    }
    archive.finish().expect("an archive").into_inner()
}

#[test]
fn hostile_uploads_get_a_clear_problem_and_nothing_is_recorded() {
    let desk = friday();
    let server = Server::of(&desk);
    let everything = || {
        let house = std::fs::read(desk.path("store/house.redb")).expect("the house");
        (listed(&server), house)
    };
    let tokens = ["scorekeeper", "judge"].map(|role| server.token(role));
    let only =
        server.local("POST", "/api/v1/tokens", r#"{"role":"head-judge","tournament":"Friday"}"#);
    let only = format!("Bearer {}", only.json()["token"].as_str().expect("a token"));
    let before = everything();
    let key = format!("Bearer {}", server.key);
    let api = "/api/v1/imports?name=a.csv";
    let with =
        |path: &str, headers: &[(&str, &str)], body: &[u8]| sent(&server, path, headers, body);
    let own = ("Authorization", key.as_str());
    let large = vec![b'a'; MOST_BYTES + (1 << 20)];
    let deep = "[".repeat(100_000);
    let bomb = bomb();
    assert!(bomb.len() < 1 << 20, "{}", bomb.len());
    for (what, answer, status, code) in [
        ("too large", with(api, &[own], &large), 413, "too-large"),
        ("nobody's", with(api, &[], FIRST.as_bytes()), 403, "not-allowed"),
        (
            "a scorekeeper's",
            with(api, &[("Authorization", &tokens[0])], FIRST.as_bytes()),
            403,
            "not-allowed",
        ),
        (
            "a judge's",
            with(api, &[("Authorization", &tokens[1])], FIRST.as_bytes()),
            403,
            "not-allowed",
        ),
        (
            "one tournament's",
            with(api, &[("Authorization", &only)], FIRST.as_bytes()),
            403,
            "not-allowed",
        ),
        ("without a name", with("/api/v1/imports", &[own], FIRST.as_bytes()), 400, "bad-request"),
        ("empty", with(api, &[own], b""), 422, "empty-file"),
        ("deep", with(api, &[own], deep.as_bytes()), 422, "too-deep"),
        ("a picture", with(api, &[own], b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), 422, "not-utf8"),
        ("a zip bomb", with(api, &[own], &bomb), 413, "file-too-large"),
        (
            "another site",
            with(api, &[own, ("Origin", "http://evil.example")], FIRST.as_bytes()),
            403,
            "other-origin",
        ),
        (
            "a cookie alone",
            with("/import", &[("Cookie", "scrutineer=0")], &form(&[])),
            403,
            "other-origin",
        ),
        (
            "no form",
            with("/import", &[own, ("Content-Type", "text/csv")], FIRST.as_bytes()),
            400,
            "bad-request",
        ),
        ("no file", with("/import", &[own, ("Content-Type", MARK)], &form(&[])), 422, "no-file"),
        (
            "too many files",
            with(
                "/import",
                &[own, ("Content-Type", MARK)],
                &form(&vec![("a.csv", &b"x"[..]); MOST_FILES + 1]),
            ),
            413,
            "too-many",
        ),
        (
            "a made-up upload",
            with("/import/00", &[own, ("Content-Type", "application/x-www-form-urlencoded")], b""),
            404,
            "no-such-upload",
        ),
    ] {
        assert_eq!(answer.status, status, "{what}: {answer:?}");
        // A form is shown once more with why.
        let is_told = match answer.header("content-type") {
            Some("application/problem+json") => answer.code() == code,
            _ => answer.body.contains("role=\"alert\"") && answer.body.contains("type=\"file\""),
        };
        assert!(is_told, "{what}: {answer:?}");
    }
    // What is larger than other bodies may be, and no more than an upload, is read.
    let long = import(&server, "name=a.csv&dry-run", &large[..17 << 20]);
    assert!(long.status < 500 && long.code() != "too-large", "{long:?}");
    // What comes in another encoding is read, or refused in words.
    let utf16: Vec<u8> = FIRST.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let answer = import(&server, "name=a.csv&dry-run", &[b"\xff\xfe", &utf16[..]].concat());
    assert_eq!(answer.status, 200, "{answer:?}");
    let odd = import(&server, "name=a.csv&dry-run", b"\xff\xfe\x00\xd8\x00\xd8");
    assert!((400..500).contains(&odd.status), "{odd:?}");
    // Nobody looks at what somebody else sent.
    let browser = Browser { server: &server, token: key.clone() };
    let (path, _) = browser.uploaded(&[("a.csv", FIRST.as_bytes())]);
    let other = Browser { server: &server, token: server.token("owner") };
    assert_eq!(other.get(&path).status, 404);
    assert_eq!(listed(&server), before.0);
    drop(other);
    assert_eq!(server.get("/").status, 200);
    let after = everything();
    assert_eq!(after.0, before.0, "something was recorded");
}

#[test]
fn a_tournament_is_given_away_in_the_formats_of_other_programs() {
    let desk = friday();
    rehearsed(&desk, &["result", "1", "2-0"]);
    let server = Server::of(&desk);
    let browser = Browser { server: &server, token: server.token("head-judge") };
    assert!(browser.get("/t/Friday/desk").body.contains("/export\""));
    let page = browser.get("/t/Friday/export");
    assert_eq!(page.status, 200, "{page:?}");
    for words in ["FIDE tournament report", "Not in it:", "TOM (Pokémon)", "It is not made anew"] {
        let is_there = page.body.contains(words) || words == "It is not made anew";
        assert!(is_there, "{words}: {}", page.body);
    }
    let api = "/api/v1/tournaments/Friday/exports";
    let formats = browser.get(api).json()["formats"].clone();
    let of = |format: &str| -> Value {
        let all = formats.as_array().expect("a list").iter();
        all.clone().find(|one| one["format"] == format).cloned().unwrap_or_default()
    };
    assert_eq!((&of("tdf")["needs_file"], &of("opengotha")["into"]), (&json!(true), &json!(true)));
    assert_eq!(of("tdf")["ending"], "tdf");
    assert!(!of("trf")["left_out"].as_array().expect("lines").is_empty(), "{formats}");
    let give =
        |path: &str, body: &[u8]| sent(&server, path, &[("Authorization", &browser.token)], body);
    let bare = give(&format!("{api}/trf"), b"");
    assert!(bare.status == 200 && !bare.body.contains("Ann"), "{bare:?}");
    let named = give(&format!("{api}/trf?names=true"), b"");
    assert!(named.body.contains("Ann"), "{named:?}");
    assert!(named.header("content-disposition").is_some_and(|name| name.contains(".trf")));
    let sheet = give(&format!("{api}/standings?names=true"), b"");
    assert!(sheet.body.contains("place,player,number"), "{sheet:?}");
    for (format, body, status, code) in [
        ("tdf", &b""[..], 409, "needs-its-file"),
        ("tdf", b"<x/>", 422, "into-not-read"),
        ("word", b"", 422, "unknown-format"),
    ] {
        let answer = give(&format!("{api}/{format}"), body);
        assert_eq!((answer.status, answer.code().as_str()), (status, code), "{answer:?}");
    }
    let unknown = give(&format!("{api}/word"), b"").json()["detail"].to_string();
    for one in formats.as_array().expect("a list") {
        let word = one["format"].as_str().expect("a word");
        assert!(unknown.contains(word), "{word} is none of them: {unknown}");
    }
    let keeper = server.token("scorekeeper");
    for (method, path) in [("GET", api.to_string()), ("POST", format!("{api}/trf"))] {
        assert_eq!(server.send(method, &path, &[("Authorization", &keeper)], "").status, 403);
    }
    // The page gives the same, and leads back with why not.
    let fields = |format: &str| {
        let field = |name: &str, value: &str| {
            format!(
                "--x-mark\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
            )
        };
        format!("{}{}--x-mark--\r\n", field("format", format), field("names", "true")).into_bytes()
    };
    let headers = [("Authorization", browser.token.as_str()), ("Content-Type", MARK)];
    let file = sent(&server, "/t/Friday/export", &headers, &fields("trf"));
    assert_eq!((file.status, file.body), (200, named.body));
    let refused = sent(&server, "/t/Friday/export", &headers, &fields("tdf"));
    let to = refused.header("location").expect("it leads back");
    assert!(to.starts_with("/t/Friday/export?refused=needs-its-file"), "{to}");
    // Whoever is forgotten is told of what went out.
    server.stop();
    let forget = desk.run(&["forget", "Ann", "--tournament", "Friday", "--dry-run"]);
    assert!(forget.out.contains("downloaded as"), "{}", forget.all());
}

#[test]
fn calendars_have_what_is_public_and_nothing_of_a_draft() {
    let desk = Desk::new();
    for words in [
        &[
            "new",
            "Friday; \"Open\"",
            "--rules",
            "mtr",
            "--phase",
            "swiss:3",
            "--held-on",
            "2026-11-20",
        ][..],
        &["enroll", "Ann", "Bob", "Cid", "Dee"],
        &["pair"],
    ] {
        rehearsed(&desk, words);
    }
    let server = Server::of(&desk);
    let one = || server.get("/t/Friday%3B%20%22Open%22/calendar.ics");
    let draft = one();
    assert!(!draft.body.contains("round-1"), "{draft:?}");
    rehearsed(&desk, &["publish"]);
    let calendar = one();
    assert_eq!(calendar.header("content-type"), Some("text/calendar; charset=utf-8"));
    for words in [
        "SUMMARY:Friday\\; \"Open\": Round 1\r\n",
        "DTSTART;VALUE=DATE:20261120\r\n",
        "-round-1@scrutineer\r\n",
    ] {
        assert!(calendar.body.contains(words), "{words}: {}", calendar.body);
    }
    assert!(calendar.body.lines().all(|line| line.len() <= 75), "{}", calendar.body);
    assert!(!calendar.body.contains("Ann"), "nobody is named");
    let all = server.get("/calendar.ics");
    assert!(all.body.contains("SUMMARY:Friday\\; \"Open\"\r\n"), "{}", all.body);
    for words in [&["result", "1", "2-0"][..], &["result", "2", "2-0"], &["pair"]] {
        rehearsed(&desk, words);
    }
    let calendar = one().body;
    assert!(calendar.contains("DTEND:20") && !calendar.contains("round-2"), "{calendar}");
    let key = format!("Bearer {}", server.key);
    let mine = server.send(
        "GET",
        "/t/Friday%3B%20%22Open%22/calendar.ics",
        &[("Authorization", &key)],
        "",
    );
    assert!(!mine.body.contains("round-2"), "the same for whoever asks");
    let german = server.get("/t/Friday%3B%20%22Open%22/calendar.ics?lang=de");
    assert!(german.body.contains("Runde 1"), "{}", german.body);
}

/// The match for third place stood as a second final, and whoever won the final had not played it.
#[test]
fn a_match_for_third_place_is_no_second_final() {
    let desk = Desk::new();
    let rows = "Quarterfinal,A1,H8,2-0\nQuarterfinal,B2,G7,2-1\nQuarterfinal,C3,F6,2-0\nQuarterfinal,D4,E5,1-2\n\
                Semifinal,A1,E5,2-0\nSemifinal,B2,C3,2-1\n3rd place,C3,E5,2-0\nFinal,A1,B2,1-2\n";
    let sheet = format!("Round,Player 1,Player 2,Result\n{rows}");
    std::fs::write(desk.path("cup.csv"), sheet).expect("written");
    rehearsed(&desk, &["import", "cup.csv"]);
    let server = Server::of(&desk);
    let page = server.local("GET", "/t/cup/bracket", "").body;
    assert!(page.contains("won the final") && page.contains("out in the semi-final"), "{page}");
    assert!(!page.contains("to come") && !page.contains("was not played"), "{page}");
}
