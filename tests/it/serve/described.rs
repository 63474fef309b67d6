//! The description for programs: it is that of the code, and every example of it is sent.

use super::client::{Answer, Server, rehearsed};
use crate::cli::desk::Desk;
use crate::schemas::holds;
use scrutineer_server::gate::Need;
use scrutineer_server::openapi::{BASE, document, document_with, examples};
use scrutineer_server::problems;
use scrutineer_server::routes::table;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn file(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn rewrites() -> bool {
    std::env::var_os("SCRUTINEER_REWRITE_SCHEMAS").is_some()
}

#[test]
fn the_description_in_the_documents_is_that_of_the_code() {
    let text = format!("{:#}\n", document());
    let there = fs::read_to_string(file("server/openapi.json")).unwrap_or_default();
    // What is written anew is written with its examples, below.
    assert!(
        rewrites() || there == text,
        "openapi.json: SCRUTINEER_REWRITE_SCHEMAS=1 writes it anew"
    );
}

/// The operations of the description, each with its method and path.
fn operations() -> Vec<(String, String, &'static Value)> {
    let paths = document()["paths"].as_object().expect("paths");
    let each = paths.iter().flat_map(|(path, methods)| {
        let methods = methods.as_object().expect("methods").iter();
        methods.map(move |(method, said)| (method.to_uppercase(), path.clone(), said))
    });
    each.collect()
}

#[test]
fn every_path_is_described_with_its_roles_and_codes_and_no_other_is() {
    let described: BTreeSet<(String, String)> =
        operations().into_iter().map(|(method, path, _)| (method, path)).collect();
    let stream = ("GET".to_string(), "/tournaments/{id}/live".to_string());
    let mut known = BTreeSet::from([stream]);
    for route in table() {
        let Some(path) = route.path.strip_prefix(BASE) else { continue };
        known.insert((route.method.to_string(), path.to_string()));
        let said = &document()["paths"][path][route.method.to_lowercase()];
        let roles = said["x-roles"].as_array().map_or(0, Vec::len);
        let admitted = scrutineer_server::gate::Role::ALL.into_iter();
        assert_eq!(roles, admitted.filter(|role| route.need.admits(*role)).count(), "{path}");
        let statuses = said["responses"].as_object().expect("responses");
        assert!(statuses.contains_key("403"), "{path}: other-host at least");
        assert!(said["description"].as_str().is_some_and(|text| text.contains(route.need.who())));
        let told = said["responses"].to_string();
        assert!(told.contains("`not-allowed`") || route.need == Need::Anyone, "{path}");
    }
    assert_eq!(described, known);
    // A name that is no code would stand nowhere.
    for code in scrutineer_server::openapi::codes_told() {
        assert!(problems::find(code).is_some(), "{code} is no code");
    }
    let ids: BTreeSet<&str> =
        operations().into_iter().filter_map(|(_, _, said)| said["operationId"].as_str()).collect();
    assert_eq!(ids.len(), known.len());
}

/// 400 was missing where something is read, and most codes of orders.
#[test]
fn what_cannot_be_read_and_every_refusal_of_an_order_is_described() {
    let told = |id: &str, status: &str| operation(id).2["responses"][status].to_string();
    for (status, code) in [
        ("409", "name-taken"),
        ("409", "drawn-in-bracket"),
        ("409", "cannot-withdraw"),
        ("422", "bad-name"),
        ("422", "bad-order"),
        ("422", "cut-too-small"),
    ] {
        assert!(told("giveOrders", status).contains(&format!("`{code}`")), "{code}");
    }
    for (method, path, said) in operations() {
        let told = &said["responses"];
        assert!(told["400"].to_string().contains("`bad-request`"), "{method} {path}");
        assert!(!told["default"].is_null(), "{method} {path}: any other code");
    }
    let parameters = operation("watch").2["parameters"].to_string();
    assert!(parameters.contains("\"after\""), "{parameters}");
}

/// Each was described as something that may be left out, and refused where it was.
#[test]
fn what_is_refused_where_it_is_left_out_is_described_as_needed() {
    for (id, name) in [
        ("importFile", "name"),
        ("compareRules", "rules"),
        ("getProof", "from"),
        ("putEdition", "key"),
    ] {
        let parameters = operation(id).2["parameters"].as_array().expect("parameters");
        let one = parameters.iter().find(|one| one["name"] == name).expect("it is described");
        assert_eq!(one["required"], true, "{id}: {name}");
    }
    let schemas = &document()["components"]["schemas"];
    for (of, name) in [
        ("WantedForget", "player"),
        ("OrderPerson", "name"),
        ("OrderPenalty", "takes"),
        ("OrderRule", "upheld"),
    ] {
        let required = schemas[of]["required"].as_array().expect("a list");
        assert!(required.contains(&name.into()), "{of}: {name}");
    }
    let desk = super::client::friday();
    let server = Server::of(&desk);
    for (method, path) in [
        ("GET", "/tournaments/Friday/compare"),
        ("GET", "/tournaments/Friday/proof"),
        ("POST", "/imports"),
        ("POST", "/editions"),
    ] {
        let refused = server.local(method, &format!("{BASE}{path}"), "");
        assert_eq!((refused.status, &refused.code()[..]), (400, "bad-request"), "{refused:?}");
    }
}

/// The order that lots make stood under the key of the verb.
#[test]
fn lots_are_answered_as_they_are_described() {
    let desk = super::client::friday();
    let server = Server::of(&desk);
    let path = "/api/v1/tournaments/Friday/orders";
    let answer = server.local("POST", path, r#"{"order":"lots"}"#).json();
    assert_eq!(answer["order"], "lots", "{answer}");
    assert_eq!(answer["drawn"].as_array().map(Vec::len), Some(4), "{answer}");
    let schemas = &document()["components"]["schemas"];
    for name in ["Answer-lots", "OrderAnswer"] {
        holds(document(), &schemas[name], &answer).unwrap_or_else(|why| panic!("{name}: {why}"));
    }
}

#[test]
fn what_a_description_refers_to_is_in_it() {
    fn look(at: &Value) {
        if let Some(path) = at["$ref"].as_str() {
            let to = path.strip_prefix('#').expect("a part of it");
            assert!(document().pointer(to).is_some(), "{path}");
        }
        at.as_object().into_iter().flatten().for_each(|(_, one)| look(one));
        at.as_array().into_iter().flatten().for_each(look);
    }
    look(document());
}

/// Wishes were described by the numbers of players as keys, which no key of JSON is: a validator refused every one.
#[test]
fn every_key_of_an_object_is_described_as_a_text() {
    fn look(at: &Value, found: &mut usize) {
        if let Some(names) = at.get("propertyNames") {
            assert_eq!(names["type"], "string", "{at}");
            *found += 1;
        }
        at.as_object().into_iter().flatten().for_each(|(_, one)| look(one, found));
        at.as_array().into_iter().flatten().for_each(|one| look(one, found));
    }
    let mut found = 0;
    look(document(), &mut found);
    assert!(found > 0, "objects with keys of their own");
}

/// The workbook was described as another file, and the clients read it as a text.
#[test]
fn each_file_that_is_exported_is_described_by_its_kind() {
    let desk = super::client::friday();
    rehearsed(&desk, &["result", "1", "2-0"]);
    let server = Server::of(&desk);
    let described = &operation("exportFile").2["responses"]["200"]["content"];
    for format in ["workbook", "standings", "trf"] {
        let path = format!("{BASE}/tournaments/Friday/exports/{format}");
        let answer = server.local("POST", &path, "");
        let kind = answer.header("content-type").and_then(|kind| kind.split(';').next());
        assert!(described.get(kind.expect("a kind")).is_some(), "{format}: {answer:?}");
    }
}

/// What is another one each time: digits of hashes and ids, times, codes.
fn masked(value: &Value) -> Value {
    match value {
        Value::String(text) => masked_text(text).into(),
        Value::Array(all) => all.iter().map(masked).collect(),
        Value::Object(all) => {
            all.iter().map(|(key, one)| (key.clone(), masked_at(key, one))).collect()
        }
        other => other.clone(),
    }
}

fn masked_at(key: &str, value: &Value) -> Value {
    match (key, value.as_str()) {
        ("code", Some(code))
            if code.len() == 9 && code.as_bytes()[4] == b'-' && code.to_uppercase() == code =>
        {
            "7KQM-2D4X".into()
        }
        ("token", Some(_)) => "scr_…".into(),
        ("secret", Some(_)) => "whsec_…".into(),
        ("link", Some(link)) if link.contains("/enroll/") => {
            "http://192.0.2.7:7780/enroll/7KQM2D4X9HJP4RTW".into()
        }
        // Its root and signature are of every record.
        ("checkpoint", Some(text)) => text.lines().next().map_or("".into(), masked_text).into(),
        ("receipt", Some(_)) => "{\"receipt\":1,…}".into(),
        ("path", Some(path)) if path.starts_with("/join/") => "/join/7KQM-2D4X".into(),
        ("path", Some(path)) if path.contains("/screen/") => {
            "/t/9f3a1c04/screen/7KQM2D4X9HJP4RTW".into()
        }
        ("path", Some(path)) if path.contains("/me/") => "/t/9f3a1c04/me/7KQM2D4X9HJP4RTW".into(),
        ("time" | "made" | "until" | "used" | "recorded" | "paused", Some(_)) => {
            "2026-11-22T14:05:31Z".into()
        }
        ("now" | "at" | "ends", None) if value.is_i64() => 1_795_366_201_000_i64.into(),
        _ => masked(value),
    }
}

/// Digits of at least eight, as of a hash, become the same ones.
fn masked_text(text: &str) -> String {
    let is_digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    let mut out = String::new();
    let mut word = String::new();
    let flush = |word: &mut String, out: &mut String| {
        // No word that people read has eight of these letters in a row.
        match word.len() >= 8 {
            true => out.extend("9f3a1c04".chars().cycle().take(word.len())),
            false => out.push_str(word),
        }
        word.clear();
    };
    for c in text.chars() {
        if is_digit(c) {
            word.push(c);
        } else {
            flush(&mut word, &mut out);
            out.push(c);
        }
    }
    flush(&mut word, &mut out);
    out
}

/// The operation that a request goes to.
fn operation(id: &str) -> (String, String, &'static Value) {
    let found = operations().into_iter().find(|(_, _, said)| said["operationId"] == id);
    found.unwrap_or_else(|| panic!("there is no operation {id}"))
}

/// What was answered: JSON, one JSON a line, or a text.
fn body(answer: &Answer) -> Value {
    if answer.body.is_empty() {
        return Value::Null;
    }
    if answer.header("content-type").is_some_and(|kind| kind.contains("ndjson")) {
        let line = |line: &str| serde_json::from_str::<Value>(line).expect("JSON");
        return answer.body.lines().map(line).collect();
    }
    serde_json::from_str(&answer.body).unwrap_or(Value::Null)
}

#[test]
fn every_example_is_sent_and_answered_as_it_says() {
    let desk = Desk::new();
    let server = Server::of(&desk);
    let mut all = examples();
    let (mut wrong, mut told) = (Vec::new(), BTreeSet::new());
    for one in &mut all {
        let text = |name: &str| one[name].as_str().unwrap_or_default().to_string();
        let (id, role, name) = (text("id"), text("as"), text("name"));
        let (method, _, said) = operation(&id);
        let token = match role.as_str() {
            "nobody" => String::new(),
            "owner" => format!("Bearer {}", server.key),
            role => server.token(role),
        };
        let mut headers: Vec<(String, String)> = Vec::new();
        if !token.is_empty() {
            headers.push(("Authorization".into(), token));
        }
        for (header, value) in one["headers"].as_object().into_iter().flatten() {
            let value = value.as_str().expect("a text");
            // What was seen is what stands, unless an example says something else.
            let value = if value == "{seen}" { server.tag() } else { value.to_string() };
            headers.push((header.clone(), value));
        }
        let sent: Vec<(&str, &str)> = headers.iter().map(|(a, b)| (&a[..], &b[..])).collect();
        let asked = match &one["body"] {
            Value::Null => String::new(),
            // A file as it is.
            Value::String(text) => text.clone(),
            body => body.to_string(),
        };
        let mut path = text("path");
        if path.contains("{seen}") {
            path = path.replace("{seen}", server.tag().trim_matches('"'));
        }
        for (kind, list) in [
            ("{link}", "links"),
            ("{token}", "tokens"),
            ("{session}", "sessions"),
            ("{webhook}", "webhooks"),
        ] {
            if path.contains(kind) {
                let listed = server.local("GET", &format!("{BASE}/{list}"), "").json();
                let id = listed[list][0]["id"].as_str().unwrap_or("none").to_string();
                path = path.replace(kind, &id);
            }
        }
        let answer = server.send(&method, &format!("{BASE}{path}"), &sent, &asked);
        let body = body(&answer);
        if let Some(schema) = said["requestBody"]["content"]["application/json"].get("schema")
            && answer.status < 400
        {
            holds(document(), schema, &one["body"]).unwrap_or_else(|why| panic!("{name}: {why}"));
        }
        let key = answer.status.to_string();
        let content = &said["responses"][&key];
        assert!(!content.is_null(), "{name}: {key} is not described: {answer:?}");
        let given = answer.header("content-type").and_then(|kind| kind.split(';').next());
        let given = given.unwrap_or_default();
        let is_described = answer.body.is_empty() || !content["content"][given].is_null();
        assert!(is_described, "{name}: {given} is not described");
        let kind =
            if answer.status >= 400 { "application/problem+json" } else { "application/json" };
        if let Some(schema) = content["content"][kind].get("schema").filter(|_| body.is_object()) {
            holds(document(), schema, &body).unwrap_or_else(|why| panic!("{name}: {why}: {body}"));
        }
        for line in body.as_array().into_iter().flatten() {
            let components = &document()["components"]["schemas"];
            let own = &content["content"]["application/x-ndjson"]["schema"];
            let schema = match line["status"].as_u64() {
                Some(..400) => &components["OrderAnswer"],
                Some(_) => &components["ProblemDetails"],
                None => own,
            };
            for schema in [schema, own] {
                holds(document(), schema, line)
                    .unwrap_or_else(|why| panic!("{name}: {why}: {line}"));
            }
        }
        if let Some(code) = body["code"].as_str().filter(|_| answer.status >= 400) {
            let what = content["description"].as_str().unwrap_or_default();
            assert!(what.contains(&format!("`{code}`")), "{name}: {code} is not told of {id}");
        }
        told.insert(id.clone());
        // What is long is not shown: the description itself would stand in the description.
        let shown = match body.to_string().len() {
            ..8_000 => masked(&body),
            _ => Value::Null,
        };
        if rewrites() {
            one["status"] = answer.status.into();
            one["answer"] = shown;
        } else if one["status"] != answer.status || one["answer"] != shown {
            wrong.push(format!("{name}: {} {shown}", answer.status));
        }
    }
    if rewrites() {
        let description = format!("{:#}\n", document_with(&all));
        fs::write(file("server/openapi.json"), description).expect("written");
        let text = format!("{:#}\n", json!(all));
        fs::write(file("server/src/openapi/examples.json"), text).expect("written");
    }
    assert!(wrong.is_empty(), "SCRUTINEER_REWRITE_SCHEMAS=1 writes them anew: {wrong:#?}");
    let missing: Vec<Value> = operations()
        .into_iter()
        .map(|(_, _, said)| said["operationId"].clone())
        .filter(|id| !told.contains(id.as_str().unwrap_or_default()))
        .filter(|id| id != "watch")
        .collect();
    assert!(missing.is_empty(), "without an example: {missing:?}");
    server.stop();
    assert!(rehearsed(&desk, &["verify"]).contains("Friday"));
}
