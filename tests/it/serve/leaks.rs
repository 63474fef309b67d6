//! What is not public is in no answer: every path of the table of routes is asked for by nobody, plain
//! and packed, the streams too, and searched for each word. The same search over what the owner gets
//! finds every one of them.

use super::client::{Server, rehearsed};
use super::follow_push::{public, until, venue_with};
use super::players::{links_in, phone};
use super::proxy::Proxy;
use super::webhooks::{Receiver, hook};
use crate::cli::desk::Desk;
use flate2::read::GzDecoder;
use scrutineer_server::routes;
use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A word that is not public, and of what it tells.
type Word = (&'static str, &'static str);

/// In the tournament whose standings are hidden, behind a draft.
const HIDDEN: [Word; 4] = [
    ("1-1-1", "a result of a hidden round"),
    ("1\u{2013}1\u{2013}1", "the same as it is set"),
    ("Zephyrine", "somebody who came after the draft was made"),
    ("Quillfeather", "a masked name"),
];
/// In the one that was played, whose records are for tokens.
const PLAYED: [Word; 9] = [
    ("Vandersloot", "a masked name"),
    ("Featherstone", "a name by a wish"),
    ("isqualified", "a disqualification"),
    ("game loss", "a penalty"),
    ("claimed by", "what one player reported"),
    ("marked cards", "a private reason"),
    ("too slow", "another one"),
    ("whispered", "a note"),
    ("Olga Staffer", "a member of the staff"),
];

/// Reads an answer whole, unpacked; what does not end within a second is read as far as it came.
pub fn answer(server: &Server, path: &str, headers: &[(&str, &str)]) -> (u16, String) {
    let mut socket = TcpStream::connect(server.address).expect("connected");
    socket.set_read_timeout(Some(Duration::from_millis(700))).expect("set");
    socket.write_all(&server.request("GET", path, headers, "")).expect("sent");
    let (mut bytes, begun) = (Vec::new(), Instant::now());
    let mut part = [0; 65_536];
    loop {
        match socket.read(&mut part) {
            Ok(0) => break,
            Ok(count) => bytes.extend(&part[..count]),
            // A page may wait for its turn; a stream never ends.
            Err(_) if path.ends_with("/live?after=0") || begun.elapsed().as_secs() > 20 => break,
            Err(_) => {}
        }
    }
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
    let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
    let body = match head.contains("transfer-encoding: chunked") {
        true => unchunked(&bytes[end + 4..]),
        false => bytes[end + 4..].to_vec(),
    };
    let body = match head.contains("content-encoding: gzip") {
        true => {
            let mut plain = Vec::new();
            GzDecoder::new(&body[..]).read_to_end(&mut plain).expect("unpacked");
            plain
        }
        false => body,
    };
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    (status, format!("{head}\n\n{}", String::from_utf8_lossy(&body)))
}

fn unchunked(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(line) = rest.windows(2).position(|two| two == b"\r\n") {
        let size = std::str::from_utf8(&rest[..line]).ok();
        let size = size.and_then(|size| usize::from_str_radix(size.trim(), 16).ok()).unwrap_or(0);
        let after = &rest[line + 2..];
        if size == 0 || after.len() < size + 2 {
            break;
        }
        body.extend(&after[..size]);
        rest = &after[size + 2..];
    }
    body
}

/// Where a tournament stands for its owner, and for everybody.
fn heads(server: &Server, id: &str) -> Vec<String> {
    let path = format!("/api/v1/tournaments/{id}");
    let of = |stands: Value| {
        let hash = stands["hash"].as_str()?.get(..8)?.to_string();
        Some(format!("{}-{hash}", stands["seq"].as_u64()?))
    };
    let both = [server.local("GET", &path, ""), server.get(&path)];
    both.into_iter().filter_map(|answer| of(answer.json())).collect()
}

/// Every address of a tournament that the table of routes and the streams lead to.
fn paths(server: &Server, id: &str) -> Vec<String> {
    let mut paths = Vec::new();
    let heads = heads(server, id);
    // The description for programs is of no tournament, and speaks of everything.
    let is_read =
        |route: &routes::Route| route.method == "GET" && !route.path.ends_with("openapi.json");
    for route in routes::table().into_iter().filter(is_read) {
        let mut filled = vec![String::new()];
        for part in route.path.split('/').skip(1) {
            let values: Vec<String> = match part {
                "{id}" => vec![id.to_string()],
                "{number}" | "{round}" | "{page}" => vec!["1".into(), "2".into()],
                "{player}" | "{seq}" | "{dispute}" => ["1", "2", "3", "5"].map(String::from).into(),
                "{what}" => ["index", "pairings", "standings", "slips"].map(String::from).into(),
                "{rules}" => vec!["mtr".into()],
                "{code}" => vec!["0000-0000".into()],
                "{head}" => heads.clone(),
                "{link}" | "{edition}" | "{upload}" | "{format}" => vec!["none".into()],
                "{file}" => vec!["none.css".into()],
                plain if !plain.contains('{') => vec![plain.to_string()],
                unknown => panic!("{}: say here what stands for {unknown}", route.path),
            };
            filled = filled
                .iter()
                .flat_map(|before| values.iter().map(move |value| format!("{before}/{value}")))
                .collect();
        }
        for path in filled {
            let path = path.strip_prefix("//").map_or(path.clone(), |rest| format!("/{rest}"));
            if path.contains("/standings") {
                let asked = ["through=1", "rules=carde", "as-of=2", "as-of=1000", "measures=all"];
                paths.extend(asked.map(|query| format!("{path}?{query}")));
            }
            if path.ends_with("/overlay") {
                let asked = ["featured", "standings", "clock"];
                paths.extend(asked.map(|what| format!("{path}?show={what}")));
            }
            if path.ends_with("/log") {
                let asked = ["changed=true", "player=1", "kind=result", "after=3"];
                paths.extend(asked.map(|query| format!("{path}?{query}")));
            }
            if path.ends_with("/proof") {
                paths.push(format!("{path}?from=1"));
                paths.push(format!("{path}?from=1&to=1000"));
            }
            paths.extend([format!("{path}?lang=de"), path]);
        }
    }
    paths.extend([
        format!("/t/{id}/live?after=0"),
        format!("/api/v1/tournaments/{id}/live?after=0"),
    ]);
    paths
}

/// The words that some answer has, each with the first path that has it.
fn found(
    server: &Server,
    id: &str,
    headers: &[(&str, &str)],
    words: &[Word],
) -> Vec<(&'static str, String)> {
    let (mut found, mut shown) = (Vec::new(), 0);
    for path in paths(server, id) {
        let (status, body) = answer(server, &path, headers);
        assert!(status < 500, "{path}: {body}");
        shown += usize::from(status == 200);
        for (word, _) in words {
            if body.contains(word) && !found.iter().any(|(known, _)| known == word) {
                found.push((*word, path.clone()));
            }
        }
    }
    assert!(shown > 20, "only {shown} of the answers say anything");
    found
}

/// Everything that stands in the files of a folder.
fn all_bytes(folder: &std::path::Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        match path.is_dir() {
            true => bytes.extend(all_bytes(&path)),
            // What is gone by now says nothing.
            false => bytes.extend(std::fs::read(&path).unwrap_or_default()),
        }
        bytes.push(b'\n');
    }
    bytes
}

fn order(server: &Server, id: &str, key: &str, order: &str) {
    let path = format!("/api/v1/tournaments/{id}/orders");
    let token = format!("Bearer {}", server.key);
    let tag = server.local("GET", &format!("/api/v1/tournaments/{id}"), "");
    let tag = tag.header("etag").expect("a tag").to_string();
    let all = [("Authorization", token.as_str()), ("Idempotency-Key", key), ("If-Match", &tag)];
    let decides = ["publish", "close", "\"cut\""].iter().any(|word| order.contains(word));
    let headers = match decides {
        true => &all[..],
        false => &all[..2],
    };
    let answer = server.send("POST", &path, headers, order);
    assert_eq!(answer.status, 201, "{order}: {answer:?}");
}

fn policy(server: &Server, id: &str, policy: &str) {
    let path = format!("/api/v1/tournaments/{id}/policies");
    let put = server.local("PUT", &path, policy);
    assert_eq!(put.status, 200, "{put:?}");
    assert_eq!(server.get(&path).status, 403, "a policy is the owner's");
}

fn id_of(server: &Server, title: &str) -> String {
    let all = server.get("/api/v1/tournaments").json();
    let all = all["tournaments"].as_array().expect("a list").clone();
    let found = all.iter().find(|one| one["tournament"]["title"] == title).expect("it is there");
    found["tournament"]["id"].as_str().expect("an id").to_string()
}

#[test]
fn no_answer_has_a_word_of_what_is_not_public_and_the_search_finds_what_is_planted() {
    let desk = Desk::new();
    for words in [
        &["new", "Hidden", "--rules", "mtr"][..],
        &[
            "enroll",
            "Ann Quillfeather",
            "Bo Quillfeather",
            "Cid Ek",
            "Dee Oz",
            "--tournament",
            "Hidden",
        ],
        &["pair", "--tournament", "Hidden"],
        &["publish", "--tournament", "Hidden"],
        &["new", "Played", "--rules", "mtr"],
        &[
            "enroll",
            "Eva Vandersloot",
            "Fay Featherstone",
            "Gil Ux",
            "Hal Yp",
            "--tournament",
            "Played",
        ],
        &["pair", "--tournament", "Played"],
        &["publish", "--tournament", "Played"],
    ] {
        rehearsed(&desk, words);
    }
    let (elsewhere, public) = public();
    let proxy = Proxy::to(public.address);
    let server = venue_with(&desk, &public, &proxy, &["--webhooks-to", "127.0.0.1"]);
    let receiver = Receiver::new();
    hook(&server, &receiver.url(), None);
    let (hidden, played) = (id_of(&server, "Hidden"), id_of(&server, "Played"));
    policy(&server, &hidden, r#"{"names":"first-last-initial","hidden_from":1}"#);
    policy(
        &server,
        &played,
        r#"{"names":"first-last-initial","records":"with-token","wishes":{"2":"number"}}"#,
    );
    for (key, one) in [
        ("1", r#"{"order":"result","slip":"1 1-1-1"}"#),
        ("2", r#"{"order":"result","slip":"2 1-1-1"}"#),
        ("3", r#"{"order":"pair"}"#),
        ("4", r#"{"order":"late","person":{"name":"Zephyrine Abt"}}"#),
    ] {
        order(&server, &hidden, key, one);
    }
    for (key, one) in [
        ("0", r##"{"order":"claim","slip":"#1 1-2"}"##),
        ("1", r#"{"order":"penalty","player":"1","takes":"game-loss","reason":"too slow"}"#),
        ("2", r#"{"order":"result","slip":"1 2-0"}"#),
        ("3", r#"{"order":"result","slip":"2 2-1"}"#),
        ("4", r#"{"order":"disqualify","player":"3","reason":"marked cards"}"#),
        ("5", r#"{"order":"note","text":"whispered"}"#),
    ] {
        order(&server, &played, key, one);
    }
    let made = server.local("POST", "/api/v1/tokens", r#"{"role":"judge","name":"Olga Staffer"}"#);
    let olga = format!("Bearer {}", made.json()["token"].as_str().expect("a token"));
    let headers = [("Authorization", olga.as_str()), ("Idempotency-Key", "6")];
    let disputed = r#"{"order":"dispute","table":"1","claim":"whispered"}"#;
    let path = format!("/api/v1/tournaments/{played}/orders");
    assert_eq!(server.send("POST", &path, &headers, disputed).status, 201);
    let packed = [("Accept-Encoding", "gzip")];
    for (id, words) in [(&hidden, &HIDDEN[..]), (&played, &PLAYED[..])] {
        for headers in [&[][..], &packed[..]] {
            let leaks = found(&server, id, headers, words);
            assert!(leaks.is_empty(), "{leaks:?}");
        }
        // A player sees what is about them, and the names of others as everybody does.
        let phone = phone(&server, &links_in(&server, id)[&1]);
        for path in [format!("/t/{id}/me"), format!("/t/{id}/me/receipt")] {
            let (status, body) = answer(&server, &path, &[("Cookie", &phone)]);
            // Their own name is theirs to read.
            let body = body.replace("Ann Quillfeather", "").replace("Eva Vandersloot", "");
            let own = ["1-1-1", "1\u{2013}1\u{2013}1", "game loss"];
            let others = words.iter().filter(|(word, _)| !own.contains(word));
            let told: Vec<_> = others.filter(|(word, _)| body.contains(word)).collect();
            assert!(told.is_empty() && (status == 200 || path.ends_with("receipt")), "{told:?}");
        }
        let site = format!("site-{}", &id[..8]);
        let said = desk.run(&["publish-to", &site, "--tournament", id]);
        assert_eq!(said.code, 0, "{}", said.all());
        for (name, text) in super::folder::files(&desk.path(&site)) {
            let leaks: Vec<&Word> = words.iter().filter(|(word, _)| text.contains(word)).collect();
            assert!(leaks.is_empty(), "{name}: {leaks:?}");
        }
        // What is planted is found: the owner's answers have every word.
        let owner = format!("Bearer {}", server.key);
        let planted = found(&server, id, &[("Authorization", &owner)], words);
        let missed = words.iter().filter(|(word, _)| !planted.iter().any(|(has, _)| has == word));
        let missed: Vec<&Word> = missed.collect();
        assert!(missed.is_empty(), "the search does not find {missed:?}");
    }
    // Nor has a public server to which it is pushed, or a copy that somebody keeps, in any file.
    let pushed = |id: &str| {
        let path = format!("/api/v1/tournaments/{id}");
        let seq = |server: &Server| server.get(&path).json()["seq"].as_u64();
        until("what is pushed", 60, || seq(&public).is_some() && seq(&public) == seq(&server));
    };
    for (id, words) in [(&hidden, &HIDDEN[..]), (&played, &PLAYED[..])] {
        pushed(id);
        let leaks = found(&public, id, &[], words);
        assert!(leaks.is_empty(), "{leaks:?}");
    }
    // Nor has what webhooks were told: of the hidden round nothing at all.
    let told = |id: &str| -> String {
        let taken = receiver.taken().into_iter();
        taken.filter(|one| one.body.contains(id)).map(|one| one.body + &one.id + "\n").collect()
    };
    until("what was played", 20, || told(&played).contains("2-1"));
    let leaks = |id: &str, words: &[Word]| words.iter().any(|(word, _)| told(id).contains(word));
    assert!(told(&hidden).is_empty() && !leaks(&played, &PLAYED), "{}", told(&played));
    let witness = Desk::new();
    let address = format!("http://{}/", server.address);
    let followed = witness.run(&["follow", &address, "--once"]);
    assert!(followed.out.contains("all that is signed"), "{}", followed.all());
    assert!(followed.out.contains("not-allowed"), "records for tokens alone: {}", followed.all());
    let said = witness.run(&["log", "--tournament", &hidden]);
    let kept = |desk: &Desk| String::from_utf8_lossy(&all_bytes(&desk.path("store"))).into_owned();
    let (copied, own) = ([kept(&elsewhere), kept(&witness) + &said.all()].concat(), kept(&desk));
    // Results and penalties are no texts in a log.
    let texts = HIDDEN[2..].iter().chain(&PLAYED[..2]).chain(&PLAYED[5..]);
    for (word, what) in texts {
        assert!(!copied.contains(word), "{what}");
        assert!(own.contains(word), "the search does not find {word}");
    }
    assert!(!said.all().contains("1-1-1"), "{}", said.all());
    // The draft is no round yet, and pairings that are out are.
    for path in [format!("/t/{hidden}/round/2"), format!("/api/v1/tournaments/{hidden}/rounds/2")] {
        assert_eq!(server.get(&path).status, 404, "{path}");
    }
    order(&server, &hidden, "publish", r#"{"order":"publish"}"#);
    let round = server.get(&format!("/api/v1/tournaments/{hidden}/rounds/2"));
    assert_eq!((round.status, round.json()["missing"].as_u64()), (200, Some(2)), "{round:?}");
    assert!(!round.body.contains("1-1-1"), "{round:?}");
    let page = server.get(&format!("/t/{hidden}/round/2"));
    assert!(page.status == 200 && page.body.contains("Dee O."), "{page:?}");
    let records = format!("/api/v1/tournaments/{hidden}/records/1");
    assert_eq!(server.get(&records).status, 200);
    assert_eq!(server.get(&records.replace(&hidden, &played)).status, 403);
    // Announced or closed, they are everybody's.
    for (key, one) in [
        ("7", r#"{"order":"result","slip":"1 2-0"}"#),
        ("8", r#"{"order":"result","slip":"2 2-0"}"#),
        ("9", r#"{"order":"announce"}"#),
    ] {
        order(&server, &hidden, key, one);
    }
    let log = server.get(&format!("/api/v1/tournaments/{hidden}/log"));
    assert!(log.body.contains("1-1-1"), "{log:?}");
    // What is public now is told, and found by the same search.
    until("what was hidden", 20, || leaks(&hidden, &HIDDEN));
    assert!(!leaks(&hidden, &HIDDEN[2..]), "names are told: {}", told(&hidden));
}

/// Whose results are hidden from the first round on goes on to its final: what that round is and who sits there is out with
/// its tables, not before, and no page claims that results are missing or that there is no bracket.
#[test]
fn a_hidden_tournament_says_which_round_is_out_and_nothing_of_how_it_came_to_that() {
    let desk = Desk::new();
    let plan = ["--phase", "swiss:1", "--phase", "single-elimination:2"];
    rehearsed(&desk, &[&["new", "Cup", "--rules", "mtr"][..], &plan].concat());
    rehearsed(&desk, &["enroll", "Ann Lee", "Bo Park", "Cid Ek", "Dee Oz"]);
    let server = Server::of(&desk);
    let id = id_of(&server, "Cup");
    policy(&server, &id, r#"{"hidden_from":1}"#);
    let give = |key: &str, one: &str| order(&server, &id, key, one);
    for (key, one) in [
        ("1", r#"{"order":"pair"}"#),
        ("2", r#"{"order":"publish"}"#),
        ("3", r#"{"order":"result","slip":"1 2-0"}"#),
        ("4", r#"{"order":"result","slip":"2 2-1"}"#),
        ("5", r#"{"order":"cut","top":2}"#),
        ("6", r#"{"order":"pair"}"#),
    ] {
        give(key, one);
    }
    // The first hidden round lacked all its results for ever.
    let round = server.get(&format!("/api/v1/tournaments/{id}/rounds/1")).body;
    assert!(round.contains("\"missing\":0") && round.contains("every result is in"), "{round}");
    assert!(!round.contains("2-1"), "{round}");
    let page = |what: &str| server.get(&format!("/t/{id}/{what}")).body;
    let pages = || ["standings", "bracket", "log", "round"].map(page);
    let head = |html: &str| html.split("data-live").next().unwrap_or_default().to_string();
    for html in pages() {
        assert!(!head(&html).contains("Final"), "a draft is none: {}", head(&html));
    }
    assert!(page("bracket").contains("There is no bracket"));
    let links = links_in(&server, &id);
    let phones: Vec<String> = (1..=4).map(|player| phone(&server, &links[&player])).collect();
    let own = |cookie: &String| answer(&server, &format!("/t/{id}/me"), &[("Cookie", cookie)]).1;
    for html in phones.iter().map(own) {
        assert!(!html.contains("top 2"), "nobody knows of the cut: {html}");
    }
    give("7", r#"{"order":"publish"}"#);
    for html in pages() {
        let head = head(&html);
        assert!(head.contains("Final") && !head.contains("being played"), "{head}");
        assert!(head.contains("results are hidden until they are announced"), "{head}");
    }
    let standings = page("standings");
    assert!(standings.contains("Nobody takes a place yet"), "{standings}");
    assert!(!standings.contains("missing"), "{standings}");
    let bracket = page("bracket");
    assert!(bracket.contains("Who meets whom stands with the pairings"), "{bracket}");
    assert!(!bracket.contains("There is no bracket"), "{bracket}");
    // Who did not make it reads that, and no place: that would be told before it is announced.
    let pages: Vec<String> = phones.iter().map(own).collect();
    let out = pages.iter().filter(|html| html.contains("You are not in the top 2"));
    assert_eq!(out.count(), 2, "{pages:?}");
    assert!(pages.iter().all(|html| !html.contains("Your place")), "{pages:?}");
    give("8", r#"{"order":"announce"}"#);
    assert!(page("bracket").contains("Top 2"), "{}", page("bracket"));
}

/// Five players, and round 2 is hidden: the bye of round 2 stood in the standings of everybody, under the name of round 1.
#[test]
fn hidden_standings_are_those_of_the_round_before_and_count_no_bye_of_the_next() {
    let desk = Desk::new();
    rehearsed(&desk, &["new", "Cup", "--rules", "mtr"]);
    rehearsed(&desk, &["enroll", "Ann Lee", "Bo Park", "Cid Ek", "Dee Oz", "Eva Pi"]);
    let server = Server::of(&desk);
    let id = id_of(&server, "Cup");
    policy(&server, &id, r#"{"hidden_from":2}"#);
    let give = |key: &str, one: &str| order(&server, &id, key, one);
    give("1", r#"{"order":"pair"}"#);
    give("2", r#"{"order":"publish"}"#);
    give("3", r#"{"order":"result","slip":"1 2-0"}"#);
    give("4", r#"{"order":"result","slip":"2 2-0"}"#);
    let table = |query: &str| {
        let path = format!("/api/v1/tournaments/{id}/standings{query}");
        let json = server.get(&path).json();
        (json["through"].clone(), json["rows"].clone())
    };
    let page = |what: &str| server.get(&format!("/t/{id}/{what}")).body;
    let rows = |html: &str| -> Vec<String> {
        let rows = html.split("data-place=").skip(1);
        rows.filter_map(|row| row.split("</tr>").next()).map(str::to_string).collect()
    };
    let (known, shown) = (table(""), rows(&page("standings")));
    assert!(known.0 == 1 && shown.len() == 5, "{known:?} {shown:?}");
    give("5", r#"{"order":"pair"}"#);
    give("6", r#"{"order":"publish"}"#);
    let is_as_told = || {
        for query in ["", "?through=1", "?through=2"] {
            assert_eq!(table(query), known, "{query}");
        }
        let html = page("standings");
        assert!(html.contains("after round 1"), "{html}");
        assert_eq!(rows(&html), shown);
        let screen = server.local("GET", &format!("/t/{id}/screen?show=standings"), "").body;
        assert!(screen.contains("fter round 1") && !screen.contains("n round 2"), "{screen}");
    };
    is_as_told();
    give("7", r#"{"order":"result","slip":"1 2-0"}"#);
    is_as_told();
    give("8", r#"{"order":"result","slip":"2 2-0"}"#);
    give("9", r#"{"order":"announce"}"#);
    assert_eq!(table("").0, 2);
    // With the next round out and unplayed, what is announced is the table that everybody reads.
    give("10", r#"{"order":"pair"}"#);
    give("11", r#"{"order":"publish"}"#);
    let order = r#"{"order":"announce"}"#;
    let path = format!("/api/v1/tournaments/{id}/orders");
    let announced = server.local_under("12", "POST", &path, order).json();
    assert_eq!(announced["through"], 2, "{announced}");
    assert_eq!(table("").0, 2);
    assert!(page("standings").contains("after round 2"), "{}", page("standings"));
}

/// Over a stream stood the table of the round before the hidden one, and its records, as if they were of now.
#[test]
fn an_overlay_says_of_when_its_standings_are_and_has_no_records_of_before_what_is_hidden() {
    let desk = Desk::new();
    rehearsed(&desk, &["new", "Cup", "--rules", "mtr"]);
    rehearsed(&desk, &["enroll", "Ann Lee", "Bo Park", "Cid Ek", "Dee Oz"]);
    let server = Server::of(&desk);
    let id = id_of(&server, "Cup");
    policy(&server, &id, r#"{"hidden_from":2}"#);
    let give = |key: &str, one: &str| order(&server, &id, key, one);
    let api = format!("/api/v1/tournaments/{id}/floor");
    let feature = |key: &str, table: u32| {
        let change = format!(r#"{{"do":"feature","table":{table},"on":true}}"#);
        let done = server.local_under(key, "PATCH", &api, &change);
        assert_eq!(done.status, 201, "{done:?}");
    };
    let featured = || server.get(&api).json()["featured"].clone();
    let overlay = |query: &str| server.get(&format!("/t/{id}/overlay?show={query}")).body;
    for (key, round) in [("a", 1), ("b", 2)] {
        give(&format!("{key}1"), r#"{"order":"pair"}"#);
        give(&format!("{key}2"), r#"{"order":"publish"}"#);
        feature(&format!("{key}3"), round);
        if round == 2 {
            // With these they sat down.
            let html = overlay("featured");
            assert!(html.contains("<small>") && !html.contains("<small></small>"), "{html}");
        }
        give(&format!("{key}4"), r#"{"order":"result","slip":"1 2-0"}"#);
        give(&format!("{key}5"), r#"{"order":"result","slip":"2 2-0"}"#);
    }
    give("c1", r#"{"order":"pair"}"#);
    feature("c2", 1);
    assert_eq!(featured(), serde_json::json!([2]), "a draft is nobody's business");
    give("c3", r#"{"order":"publish"}"#);
    assert_eq!(featured(), serde_json::json!([1]));
    let live = answer(&server, &format!("/api/v1/tournaments/{id}/live?after=0"), &[]).1;
    assert!(live.contains(r#""featured":[1]"#), "{live}");
    let hidden = "after round 1 · results are hidden until they are announced";
    assert!(overlay("standings").contains(hidden), "{}", overlay("standings"));
    let german = "nach Runde 1 · die Ergebnisse sind bis zur Bekanntgabe verdeckt";
    assert!(overlay("standings&lang=de").contains(german), "{}", overlay("standings&lang=de"));
    let html = overlay("featured");
    assert!(html.contains("Table 1") && html.contains("<small></small>"), "{html}");
    give("c4", r#"{"order":"announce"}"#);
    let html = overlay("standings");
    assert!(html.contains("after round 2<") && !html.contains("hidden"), "{html}");
}

/// Two reports make a result, and what was said before it is between the two and the desk: neither before
/// there is a result nor behind it does anybody else read who claimed what.
#[test]
fn what_one_player_reported_is_told_to_nobody_but_the_desk_also_when_the_result_is_out() {
    let desk = super::client::friday();
    let server = Server::of(&desk);
    let id = id_of(&server, "Friday");
    let log = format!("/api/v1/tournaments/{id}/log");
    let read = || {
        let paths = [
            format!("/t/{id}/log"),
            format!("/t/{id}/live?after=0"),
            log.clone(),
            format!("{log}?changed=true"),
            format!("{log}?kind=claim"),
            format!("{log}?player=1"),
        ];
        let of = |path: &String| answer(&server, path, &[]).1;
        paths.iter().map(of).collect::<Vec<String>>().concat()
    };
    order(&server, &id, "c1", r##"{"order":"claim","slip":"#1 1-2"}"##);
    order(&server, &id, "c2", r##"{"order":"claim","slip":"#1 2-1"}"##);
    let told = |told: &str| ["claim", "2-1", "1-2", "2\u{2013}1"].map(|word| told.contains(word));
    // The name of the filter stands in its own address alone.
    assert_eq!(told(&read()), [false; 4], "{}", read());
    let owner = format!("Bearer {}", server.key);
    assert!(answer(&server, &log, &[("Authorization", &owner)]).1.contains("claimed by"));
    let state = server.get(&format!("/api/v1/tournaments/{id}/rounds/1")).json();
    let table = &state["tables"][0]["table"];
    order(&server, &id, "r", &format!(r#"{{"order":"result","slip":"{table} 2-0"}}"#));
    assert_eq!(told(&read()), [false; 4], "{}", read());
    assert!(read().contains("2-0"));
}

#[test]
fn who_is_forgotten_is_in_no_answer_at_once() {
    let desk = Desk::new();
    for words in [
        &["new", "Open", "--rules", "mtr"][..],
        &["enroll", "Forgetta Mirabelle", "Bo Park", "Cid Ek", "Dee Oz"],
        &["pair"],
        &["publish"],
    ] {
        rehearsed(&desk, words);
    }
    let server = Server::of(&desk);
    let id = id_of(&server, "Open");
    let words: [Word; 1] = [("Mirabelle", "somebody who is forgotten")];
    assert!(!found(&server, &id, &[], &words).is_empty(), "the name is public, and kept");
    rehearsed(&desk, &["forget", "Forgetta Mirabelle", "--yes"]);
    let begun = Instant::now();
    let packed = [("Accept-Encoding", "gzip")];
    for headers in [&[][..], &packed[..]] {
        let left = found(&server, &id, headers, &words);
        assert!(left.is_empty(), "{left:?}");
    }
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
    // What caches of others keep is gone within a minute too.
    for path in [format!("/t/{id}/standings"), format!("/api/v1/tournaments/{id}/standings")] {
        let page = server.get(&path);
        let caching = page.header("cache-control").expect("said").to_string();
        assert_eq!(caching, "public, max-age=2, stale-while-revalidate=20", "{path}");
    }
}
