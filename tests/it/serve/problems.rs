//! The codes of refusals: each has one kind and so one status, and a page.

use super::client::{Server, friday};
use scrutineer_desk::desk::Objection;
use scrutineer_desk::keys::KeyError;
use scrutineer_desk::orders::Order;
use scrutineer_desk::sign::SignError;
use scrutineer_engine::error::{Code, ErrorKind};
use scrutineer_engine::rejection::Rejection;
use scrutineer_replay::trust::receipt::ReceiptError;
use scrutineer_server::problem::status_of;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The kinds, as the source has them.
const KINDS: [&str; 14] = [
    "not_found",
    "invalid",
    "refused",
    "conflict",
    "stale",
    "sign_in",
    "forbidden",
    "too_large",
    "slow_down",
    "busy",
    "unknown_outcome",
    "damaged",
    "io",
    "internal",
];

type Codes = BTreeMap<String, BTreeSet<ErrorKind>>;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The codes in a room, with the kinds behind which they stand.
fn in_room(folder: &Path, codes: &mut Codes) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            in_room(&path, codes);
        } else if path.extension().is_some_and(|found| found == "rs") {
            let text = fs::read_to_string(&path).expect("a text");
            for kind in KINDS {
                let of = ErrorKind::of_word(&kind.replace('_', "-")).expect("a kind");
                for begins in [format!("Code::{kind}("), format!("= {kind} ")] {
                    let behind = text.split(&begins).skip(1);
                    let quoted = behind.filter_map(|part| part.trim_start().strip_prefix('"'));
                    let words = quoted.filter_map(|part| Some(part.split_once('"')?.0));
                    for word in words {
                        codes.entry(word.to_string()).or_default().insert(of);
                    }
                }
            }
        }
    }
}

fn codes() -> Codes {
    let mut codes = Codes::new();
    let own = [Rejection::CODES, Objection::CODES, SignError::CODES, KeyError::CODES];
    for Code { word, kind } in own.into_iter().chain([ReceiptError::CODES]).flatten() {
        codes.entry(word.to_string()).or_default().insert(*kind);
    }
    for room in
        ["engine", "store", "store/postgres", "projections", "pairing", "formats", "replay", "desk"]
    {
        in_room(&root().join(room).join("src"), &mut codes);
    }
    in_room(&root().join("cli"), &mut codes);
    in_room(&root().join("server/src"), &mut codes);
    codes
}

/// What the documents say of each code: what it says, and what to do.
fn documented() -> BTreeMap<String, (String, String)> {
    let mut found = BTreeMap::new();
    for page in ["docs/RELIABILITY.md", "docs/REFUSALS.md"] {
        let text = fs::read_to_string(root().join(page)).expect("a document");
        for line in text.lines().filter(|line| line.starts_with("| `")) {
            let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
            let [words, says, rest @ ..] = &cells[..] else { continue };
            let hint = rest.first().map_or("", |hint| hint.trim_matches('|').trim());
            for word in words.split('`').skip(1).step_by(2) {
                found.insert(word.to_string(), (plain(says), plain(hint)));
            }
        }
    }
    found
}

/// The codes that the documents list of the verbs that are orders.
fn of_orders() -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("docs/REFUSALS.md")).expect("a document");
    let (_, table) = text.split_once("Verb by verb").expect("the table");
    let (table, _) = table.split_once("\n## ").expect("its end");
    let mut found = BTreeSet::new();
    for line in table.lines().filter(|line| line.starts_with("| `")) {
        let (verbs, codes) = line[2..].split_once('|').expect("two cells");
        let is_order = |words: &str| {
            let last = words.split(' ').next_back();
            words == "dispute open" || Order::VERBS.iter().any(|(_, verb)| Some(*verb) == last)
        };
        if verbs.split('`').skip(1).step_by(2).any(is_order) {
            found.extend(codes.split('`').skip(1).step_by(2).map(String::from));
        }
    }
    found
}

/// A cell as it is read without the document: links as their words, and what stands for something else
/// as in hints.
fn plain(cell: &str) -> String {
    let mut text = String::new();
    for (at, part) in cell.split('`').enumerate() {
        if at > 0 {
            text.push('`');
        }
        if at % 2 == 1 {
            text.push_str(part);
            continue;
        }
        let mut rest = part;
        while let Some((before, link)) = rest.split_once('[') {
            let Some((words, behind)) = link.split_once("](") else { break };
            text.push_str(before);
            text.push_str(words);
            rest = behind.split_once(')').map_or("", |(_, rest)| rest);
        }
        text.push_str(rest);
    }
    let parts = text.split('`').enumerate().map(|(at, part)| match at % 2 {
        0 => stands_for(part),
        _ => part.to_string(),
    });
    parts.collect::<Vec<_>>().join("`").trim_matches('|').trim().to_string()
}

/// `_table_` as `<table>`.
fn stands_for(text: &str) -> String {
    let parts = text.split('_').enumerate();
    parts
        .map(|(at, part)| if at % 2 == 1 { format!("<{part}>") } else { part.to_string() })
        .collect()
}

#[test]
fn each_code_has_one_kind_one_status_and_a_page() {
    let (codes, documented, of_orders) = (codes(), documented(), of_orders());
    let statuses = |word: &str, kinds: &BTreeSet<ErrorKind>| -> BTreeSet<u16> {
        let word: &'static str = word.to_string().leak();
        kinds.iter().map(|kind| status_of(Code { word, kind: *kind }).as_u16()).collect()
    };
    let several: Vec<&str> = codes
        .iter()
        .filter(|(word, kinds)| statuses(word, kinds).len() > 1)
        .map(|(word, _)| &word[..])
        .collect();
    // Of files that the command line is given: nothing over HTTP reads one.
    assert_eq!(several, ["file-not-read"], "codes of several statuses");
    let mut text = String::new();
    for (word, kinds) in &codes {
        let kind = *kinds.iter().next_back().expect("a kind");
        let status = status_of(Code { word: word.clone().leak(), kind }).as_u16();
        let nothing = (String::new(), String::new());
        let (says, hint) = documented.get(word).unwrap_or(&nothing);
        let order = if of_orders.contains(word) { "\torder" } else { "" };
        text.push_str(&format!("{word}\t{}\t{status}\t{says}\t{hint}{order}\n", kind.word()));
    }
    let file = root().join("server/src/problems.txt");
    if std::env::var_os("SCRUTINEER_REWRITE_SCHEMAS").is_some() {
        fs::write(&file, &text).expect("written");
    }
    let there = fs::read_to_string(&file).expect("it is there");
    assert!(there == text, "problems.txt: SCRUTINEER_REWRITE_SCHEMAS=1 writes it anew");
}

/// The answer had the status 405, and its body said 400.
#[test]
fn a_method_that_a_path_does_not_have_has_one_status_in_its_head_and_its_body() {
    let desk = friday();
    let server = Server::of(&desk);
    for path in ["/api/v1/tournaments/Friday/orders", "/api/v1/tournaments/Friday/live"] {
        let answer = server.send("PUT", path, &[], "");
        assert_eq!((answer.status, &answer.code()[..]), (405, "method-not-allowed"), "{answer:?}");
        assert_eq!(answer.json()["status"], 405, "{answer:?}");
    }
}

#[test]
fn a_path_that_leads_nowhere_is_told_in_the_readers_language_within_a_tournament_too() {
    let desk = friday();
    let server = Server::of(&desk);
    // What is kept of it is one for each language.
    for _ in 0..2 {
        for path in ["/nix", "/t/Friday/nix"] {
            for (language, told) in
                [("de", "Diese Seite gibt es nicht."), ("en", "there is nothing at")]
            {
                let headers = [("Accept", "text/html"), ("Accept-Language", language)];
                let page = server.send("GET", path, &headers, "");
                assert_eq!(page.status, 404, "{page:?}");
                assert!(page.body.contains(told), "{language} {path}: {page:?}");
            }
        }
    }
}

#[test]
fn the_page_of_a_code_says_what_to_do() {
    let desk = friday();
    let server = Server::of(&desk);
    for code in scrutineer_server::problems::all() {
        assert!(!code.says.is_empty(), "{} is told in no table", code.word);
        assert!((400..600).contains(&code.status), "{code:?}");
    }
    let page = server.get("/problems/result-stands");
    assert!(page.status == 200 && page.body.contains("409"), "{page:?}");
    let headers = [("Accept", "application/json")];
    let data = server.send("GET", "/problems/if-match-needed", &headers, "").json();
    assert_eq!((&data["status"], &data["kind"]), (&428.into(), &"invalid".into()), "{data}");
    assert_eq!(server.get("/problems/no-such-thing").status, 404);
}
