//! New rules come from a publisher's server by themselves, signed; a desk says what they would change, and
//! nothing changes by itself.

use super::client::{Server, WORD, friday, rehearsed};
use super::enroll::{enroll, link};
use super::follow_push::{public, until};
use crate::cli::desk::{Desk, Said};
use scrutineer_desk::keys::Key;
use scrutineer_engine::record::to_hex;

/// The publisher's own machine, where its key is: it signs an edition, and gives its file.
pub fn signed(rules: &str, secret: u8) -> (Vec<u8>, String) {
    let desk = Desk::new();
    std::fs::remove_dir_all(desk.path("keys")).expect("removed");
    let key = Key::from_secret(&[secret; 32]);
    scrutineer_desk::keys::KeyFolder::new(Some(desk.path("keys"))).keep(&key).expect("kept");
    let file = desk.path("next.edition").display().to_string();
    rehearsed(&desk, &["rules", "sign", rules, "--replaces", "mtr", "--output", &file]);
    (std::fs::read(&file).expect("written"), to_hex(&key.public()))
}

/// Puts an edition onto a server.
pub fn put(publisher: &Server, (file, key): &(Vec<u8>, String)) {
    let text = String::from_utf8(file.clone()).expect("a text");
    let put = publisher.local("POST", &format!("/api/v1/editions?key={key}"), &text);
    assert_eq!(put.status, 201, "{put:?}");
}

fn rules_in_force(venue: &Server) -> String {
    venue.local("GET", "/t/Friday/rules", "").body
}

fn post(venue: &Server, path: &str, fields: &str) -> String {
    let key = format!("Bearer {}", venue.key);
    let headers =
        [("Authorization", key.as_str()), ("Content-Type", "application/x-www-form-urlencoded")];
    let answer = venue.send("POST", path, &headers, fields);
    assert_eq!(answer.status, 303, "{answer:?}");
    answer.header("location").expect("it leads somewhere").to_string()
}

#[test]
fn an_edition_arrives_at_the_desk_and_waits_for_its_key_and_for_a_person() {
    let desk = friday();
    let (_copy, publisher) = public();
    let edition = signed("carde", 9);
    put(&publisher, &edition);
    // Everybody gets it, signed and for good.
    let listed = publisher.get("/api/v1/editions");
    assert!(listed.header("cache-control").is_some_and(|how| how.contains("public")), "{listed:?}");
    let one = listed.json()["editions"][0].clone();
    let name = one["name"].as_str().expect("a name").to_string();
    assert_eq!((&one["rules"], &one["replaces"]), (&"carde".into(), &"mtr".into()));
    let file = publisher.get(&format!("/api/v1/editions/{name}"));
    assert_eq!(file.body.as_bytes(), &edition.0[..]);
    assert!(file.header("cache-control").is_some_and(|how| how.contains("immutable")), "{file:?}");
    let tag = listed.header("etag").expect("an ETag").to_string();
    assert_eq!(
        publisher.send("GET", "/api/v1/editions", &[("If-None-Match", &tag)], "").status,
        304
    );
    let before = rehearsed(&desk, &["log"]);
    let venue = Server::of(&desk);
    let desk_page = || venue.local("GET", "/t/Friday/desk", "").body;
    assert!(!desk_page().contains("An edition of rules"));
    enroll(&desk, &link(&publisher, "Card club"));
    until("the edition", 30, || desk_page().contains("An edition of rules is here: carde"));
    let page = desk_page();
    assert!(page.contains("in place of mtr, signed by") && page.contains("would move"), "{page}");
    assert!(page.contains("nothing changes by itself"), "{page}");
    let compare =
        || venue.local("GET", &format!("/t/Friday/compare?rules=edition:{name}"), "").body;
    assert!(compare().contains("Nobody has named its key here"), "{}", compare());
    // It is not taken without its key, whoever asks.
    let amend = format!("order=amend-rules&rules=edition:{name}&reason=new+season");
    let refused = post(&venue, "/t/Friday/orders", &format!("{amend}&key=a"));
    assert!(refused.contains("refused=edition-waits"), "{refused}");
    let other = "0".repeat(64);
    let take = |key: &str| post(&venue, "/publisher", &format!("do=take&edition={name}&key={key}"));
    assert!(take(&other).contains("refused=edition-not-signed"));
    assert!(take("ea4a").contains("refused=bad-request"));
    assert_eq!(take(&edition.1), "/publisher?done=taken");
    assert!(compare().contains("Go on under it"), "{}", compare());
    assert_eq!(rehearsed(&desk, &["log"]), before, "nothing was recorded so far");
    assert!(!rules_in_force(&venue).contains("Rules: carde"));
    let done = post(&venue, "/t/Friday/orders", &format!("{amend}&key=b"));
    assert!(done.contains("done="), "{done}");
    assert!(rules_in_force(&venue).contains("Rules: carde"), "{}", rules_in_force(&venue));
    assert!(!desk_page().contains("An edition of rules"), "it is in force");
    assert!(rehearsed(&desk, &["log"]).contains("new season"));
}

#[test]
fn the_next_edition_of_a_key_that_was_named_is_kept_at_once_and_one_that_is_forged_is_not() {
    let desk = friday();
    let (_copy, publisher) = public();
    let first = signed("carde", 9);
    put(&publisher, &first);
    let address = format!("http://{}", publisher.address);
    let fetch = |more: &[&str]| desk.run(&[&["rules", "fetch", &address], more].concat());
    let said = fetch(&["--key", &first.1]);
    assert!(said.code == 0 && said.out.contains(": 1 edition new, 0 known"), "{}", said.all());
    assert!(said.out.contains("to take it there: `scrutineer amend-rules"), "{}", said.all());
    assert!(said.out.ends_with("nothing was changed\n"));
    put(&publisher, &signed("battlefy", 9));
    put(&publisher, &signed("yugioh", 8));
    let said = fetch(&[]);
    assert!(said.out.contains(": 2 editions new, 1 known, 0 refused"), "{}", said.all());
    let waits = said.out.split("yugioh").nth(1).expect("it is told");
    assert!(waits.contains("waits: nobody has named this key here"), "{}", said.all());
    assert_eq!(said.out.matches("waits:").count(), 1, "{}", said.all());
    // A server that gives another text under a name than was signed is not believed.
    let folder = _copy.path("store/editions");
    for entry in std::fs::read_dir(&folder).expect("there") {
        let path = entry.expect("readable").path();
        if path.extension().is_some_and(|end| end == "edition") {
            let text = std::fs::read_to_string(&path).expect("a text");
            std::fs::remove_file(&path).expect("removed");
            std::fs::write(&path, text.replace("mtr", "carde")).expect("written");
        }
    }
    assert_eq!(publisher.get("/api/v1/editions").json()["editions"], serde_json::json!([]));
    let other = friday();
    let name = std::fs::read_dir(&folder).expect("there").find_map(|entry| {
        let path = entry.expect("readable").path();
        path.extension().filter(|end| *end == "edition")?;
        Some(path.file_stem()?.to_string_lossy().into_owned())
    });
    let file = publisher.get(&format!("/api/v1/editions/{}", name.expect("one"))).body;
    other.write("got.edition", file.as_bytes());
    let said = other.run(&["--json", "rules", "take", "got.edition", "--key", &first.1]);
    assert!(said.code != 0 && said.err.contains("edition-"), "{}", said.all());
    // What it could be asked wrongly.
    let code = |words: &[&str]| other.run(&[&["--json", "rules", "fetch"], words].concat()).err;
    assert!(code(&[]).contains("not-enrolled"));
    assert!(code(&["ftp://x"]).contains("bad-address"));
    assert!(code(&["http://127.0.0.1:9"]).contains("elsewhere-not-heard"));
    assert_eq!(publisher.get("/api/v1/editions/0000000000000000").code(), "no-such-edition");
    let judge = publisher.token("head-judge");
    let refused = publisher.send("POST", "/api/v1/editions", &[("Authorization", &judge)], "{}");
    assert_eq!(refused.status, 403);
}

#[test]
fn editions_are_part_of_backups_with_the_texts_that_amend_rules_takes() {
    let desk = friday();
    let (file, key) = signed("carde", 9);
    desk.write("carde.edition", &file);
    rehearsed(&desk, &["rules", "take", "carde.edition", "--key", &key]);
    assert_eq!(desk.run(&["backup", "copy"]).code, 0);
    let restored = desk.run(&["--store", "again", "restore", "--from", "copy"]);
    assert_eq!(restored.code, 0, "{}", restored.all());
    let run = |words: &[&str]| {
        let mut command = desk.command(words);
        command.env("SCRUTINEER_REHEARSE", WORD);
        Said::of(command.output().expect("it runs"))
    };
    let listed = run(&["--store", "again", "rules", "editions"]);
    assert!(listed.code == 0 && listed.out.contains("carde"), "{}", listed.all());
    let (_, said) =
        listed.out.split_once("`scrutineer --store again amend-rules ").expect("a command");
    let file = said.split_whitespace().next().expect("a file");
    let amended = run(&["--store", "again", "amend-rules", file, "--reason", "new season"]);
    assert_eq!(amended.code, 0, "{} {}", file, amended.all());
}
