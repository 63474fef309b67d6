//! The schemas of the answers: those in `docs/schemas` are those of the code, and what the command
//! answers is what they say.

use crate::cli::desk::Desk;
use crate::cli::script;
use scrutineer_desk::answers::{VERSION, schemas};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schemas").join(VERSION)
}

#[test]
fn the_schemas_in_the_documents_are_those_of_the_code() {
    let rewrites = std::env::var_os("SCRUTINEER_REWRITE_SCHEMAS").is_some();
    let mut known = BTreeSet::new();
    for (name, schema) in schemas() {
        let path = folder().join(format!("{name}.json"));
        let text = format!("{}\n", serde_json::to_string_pretty(&schema).expect("JSON"));
        if rewrites {
            fs::create_dir_all(folder()).expect("a folder");
            fs::write(&path, &text).expect("written");
        }
        let there = fs::read_to_string(&path).unwrap_or_default();
        assert!(there == text, "{name}.json: SCRUTINEER_REWRITE_SCHEMAS=1 writes it anew");
        known.insert(path);
    }
    for entry in fs::read_dir(folder()).expect("the folder") {
        let path = entry.expect("readable").path();
        if rewrites && !known.contains(&path) {
            fs::remove_file(&path).expect("removed");
            continue;
        }
        assert!(known.contains(&path), "{}: no answer is called so", path.display());
    }
}

#[test]
fn every_part_that_a_schema_names_is_in_it() {
    fn refer(whole: &Value, at: &Value, name: &str) {
        let object = at.as_object().into_iter().flatten();
        for (key, value) in object {
            match value.as_str().filter(|_| key == "$ref").and_then(|path| path.strip_prefix('#')) {
                Some(path) => assert!(whole.pointer(path).is_some(), "{name}.json: {path}"),
                None => refer(whole, value, name),
            }
        }
        at.as_array().into_iter().flatten().for_each(|value| refer(whole, value, name));
    }
    schemas().iter().for_each(|(name, schema)| refer(schema, schema, name));
}

/// The name of the schema that a line has which a command answered: the shape is one of those of its
/// verb. A line that is no JSON has none.
pub fn named(words: &[&str], line: &str) -> Option<&'static str> {
    let answer = serde_json::from_str::<Value>(line).ok()?;
    let all = schemas();
    let of = |verb: &str| -> Vec<(&'static str, &Value)> {
        let is_its = |name: &str| {
            name.strip_prefix(verb).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        };
        all.iter().filter(|(name, _)| is_its(name)).map(|(name, of)| (*name, of)).collect()
    };
    let is_verb = |word: &&&str| !of(word).is_empty();
    // What is done with a tournament as a whole is an order; where nothing is asked, the answer is what there is.
    let of_all = words.windows(2).find(|pair| pair[0] == "tournaments" && is_verb(&&pair[1]));
    let verb = of_all.map(|pair| &pair[1]).or_else(|| words.iter().find(is_verb));
    let verb = verb.unwrap_or(&"overview");
    let mut wrong = Vec::new();
    for (name, schema) in of(verb) {
        match fits(schema, schema, &answer) {
            Ok(()) => return Some(name),
            Err(why) => wrong.push(why),
        }
    }
    panic!("{words:?} answers {line}\nwhich is no answer of {verb}: {wrong:?}");
}

/// Commands after a round, with the answers that they give beside those of the sessions.
const ASKED: &[&[&str]] = &[
    &["standings"],
    &["standings", "--as-of", "9"],
    &["compare", "carde"],
    &["log"],
    &["show", "1"],
    &["rules", "list"],
    &["rules", "show", "mtr"],
    &["snapshots", "--take"],
    &["snapshots", "--drop"],
    &["check-pairing"],
    &["check-pairing", "--round", "1"],
    &["explain-pairing", "1"],
    &["what-if", "drop Ann"],
    &["import", "autumn-open.csv"],
    &["rebuild", "--rules", "mtr+settings.percentage_floor=1/3"],
    &["rebuild", "--rules", "mtr+settings.percentage_floor=1/3", "--players"],
    &["simulate", "--keep", "--players", "8"],
    &["simulate", "--times", "2", "--players", "8"],
    &[],
];

/// A tournament from its opening to its copies: commands in their order, foreseen.
const PLAYED: &str = "
    new Friday --rules mtr
    enroll Ann Bob Cid Dee
    rename Dee Dea
    pair
    set-pairing Ann Bob --reason x
    undo --reason x
    repair --out Ann --reason x
    undo --reason x
    publish
    late Eve
    players
    penalty Ann warning --reason x
    withdraw 27 --reason x
    note x
    pairings
    result 1 2-0
    result 2 2-0
    dispute open 1 --claim x
    disputes
    dispute file 1
    dispute rule 1 --denied --reason x
    correct 1 2-1 --reason x
    drop Ann
    reinstate Ann --reason x
    set-division Dea junior --reason x
    describe Dea --title GM --federation SWE --rating 1912 --id 1460
    keep-table Dea 7
    keep-table Dea --none
    tables 1-6 8
    bye Dea --round 9 --half
    lots
    announce
    disqualify Bob --reason x
    amend-rules +settings.percentage_floor=1/3 --reason x
    reseed --reason x
    cut --top 2
    pair
    advance 1 Cid --reason x
    result 1 2-0
    close
    checkpoint --output known
    checkpoint --extends known
    verify
    keys show
    prove Cid --output receipt
    check-receipt receipt
    export --output bundle
    export --html --output page
    export --csv sheets
    export --format trf --output report
    bundle verify bundle
    bundle import bundle
    diff bundle
    adopt bundle
    keys rotate --tournament Friday --reason x
    keys retire ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c --reason x
    backup copy
    restore --from copy --store other
    store copy store third
    forget Ann --yes
";

#[test]
fn every_answer_is_given_and_is_what_its_schema_says() {
    let mut seen = BTreeSet::new();
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts");
    for entry in fs::read_dir(scripts).expect("the sessions") {
        let text = fs::read_to_string(entry.expect("readable").path()).expect("a session");
        for step in text.split("\n$ ").skip(1) {
            let (command, said) = step.split_once('\n').unwrap_or((step, ""));
            let words = script::words(command);
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            if words.contains(&"--json") {
                seen.extend(said.lines().filter_map(|line| match line.strip_prefix("! ") {
                    Some(error) => named(&["error"], error),
                    None => named(&words, line),
                }));
            }
        }
    }
    let desk = Desk::new();
    for words in [
        &["new", "Friday", "--rules", "mtr"][..],
        &["enroll", "Ann", "Bob", "Cid", "Dee", "Eve"],
        &["pair"],
        &["result", "1", "2-0"],
        &["result", "2", "2-1"],
    ] {
        assert_eq!(desk.run(words).code, 0, "{words:?}");
    }
    for words in ASKED {
        let said = desk.run(&[&["--json"], *words].concat());
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
        seen.extend(said.out.lines().filter_map(|line| named(words, line)));
    }
    let desk = Desk::new();
    for command in PLAYED.lines().filter(|line| !line.is_empty()) {
        let words: Vec<&str> = command.split_whitespace().collect();
        let said = desk.run(&[&["--json", "--rehearse", "session"], &words[..]].concat());
        assert_eq!(said.code, 0, "{command}: {}", said.all());
        seen.extend(said.out.lines().filter_map(|line| named(&words, line)));
    }
    #[cfg(feature = "serve")]
    {
        let (run, copies) = (crate::serve::client::friday(), Desk::new());
        let server = crate::serve::client::Server::of(&run);
        let address = format!("http://{}/", server.address);
        let said = copies.run(&["--json", "follow", &address, "--once"]);
        assert_eq!(said.code, 0, "{}", said.all());
        seen.extend(said.out.lines().filter_map(|line| named(&["follow"], line)));
        let said = run.run(&["--json", "publish-to", "site"]);
        assert_eq!(said.code, 0, "{}", said.all());
        seen.extend(said.out.lines().filter_map(|line| named(&["publish-to"], line)));
        let link = crate::serve::enroll::link(&server, "Card club");
        for words in [&["enroll-store", &link][..], &["enroll-store", "--end"]] {
            let said = copies.run(&[&["--json"], words].concat());
            assert_eq!(said.code, 0, "{}", said.all());
            seen.extend(said.out.lines().filter_map(|line| named(words, line)));
        }
        let said = copies.run(&["--json", "rules", "fetch", &address]);
        assert_eq!(said.code, 0, "{}", said.all());
        seen.extend(said.out.lines().filter_map(|line| named(&["rules"], line)));
    }
    #[cfg(feature = "postgres")]
    match crate::cli::on_postgres::server::Server::start() {
        Some(server) => {
            server.empty("tables");
            let owner = server.address("owner", "tables").to_string();
            let words = ["--json", "store", "migrate", "--store", &owner];
            let said = Desk::new().run(&words);
            assert_eq!(said.code, 0, "{}", said.all());
            seen.extend(said.out.lines().filter_map(|line| named(&words, line)));
        }
        // Without PostgreSQL nobody answers; that was said.
        None => drop(seen.insert("store-migrate")),
    }
    #[cfg(not(feature = "postgres"))]
    seen.insert("store-migrate");
    let never: Vec<&str> = schemas().into_keys().filter(|name| !seen.contains(name)).collect();
    assert!(never.is_empty(), "never answered: {never:?}");
}

/// Whether a value is what a schema says, with the schemas of its parts in `whole`.
pub fn holds(whole: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    is_valid(whole, schema, value)
}

/// Whether a value is all that a schema says, and has no key of which it says nothing. `whole` holds
/// the schemas of its parts.
fn fits(whole: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    let mut known = Some(BTreeSet::new());
    keys(whole, schema, &mut known);
    if let (Some(known), Some(object)) = (known, value.as_object())
        && let Some(key) = object.keys().find(|key| !known.contains(*key))
    {
        return Err(format!("nothing is said of {key}"));
    }
    is_valid(whole, schema, value)
}

/// The keys that a schema knows; none where it lets any be.
fn keys(whole: &Value, schema: &Value, known: &mut Option<BTreeSet<String>>) {
    let Some(schema) = schema.as_object() else { return };
    if !["type", "$ref", "allOf"].iter().any(|word| schema.contains_key(*word)) {
        // Any value, or one of several schemas that are each asked by itself.
        *known = None;
    }
    for (word, said) in schema {
        match &word[..] {
            "properties" => {
                let names = said.as_object().expect("properties").keys().cloned();
                known.iter_mut().for_each(|known| known.extend(names.clone()));
            }
            "additionalProperties" => *known = None,
            "$ref" => keys(whole, part(whole, said), known),
            "allOf" => list(said).iter().for_each(|one| keys(whole, one, known)),
            _ => {}
        }
    }
}

fn list(said: &Value) -> &[Value] {
    said.as_array().expect("a list")
}

fn part<'a>(whole: &'a Value, path: &Value) -> &'a Value {
    let path = path.as_str().expect("a path").strip_prefix('#').expect("a part of this schema");
    whole.pointer(path).unwrap_or_else(|| panic!("{path} is not there"))
}

/// The words of JSON Schema that say something about a value, as far as utoipa writes them.
fn is_valid(whole: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    let object = schema.as_object().expect("a schema");
    for (word, said) in object {
        let one = |of: &Value| fits(whole, of, value);
        match &word[..] {
            "type" => {
                let types = said.as_array().map_or(std::slice::from_ref(said), |all| all);
                if !types.iter().any(|kind| is_a(kind, value)) {
                    return Err(format!("{value} is no {said}"));
                }
            }
            "enum" if !list(said).contains(value) => {
                return Err(format!("{value} is none of {said}"));
            }
            "required" => {
                let lacks = |key: &&Value| value.get(key.as_str().expect("a key")).is_none();
                if let Some(key) = list(said).iter().find(lacks).filter(|_| value.is_object()) {
                    return Err(format!("{key} is missing in {value}"));
                }
            }
            "properties" => {
                for (key, of) in said.as_object().expect("properties") {
                    let there = value.get(key).map_or(Ok(()), |value| fits(whole, of, value));
                    there.map_err(|why| format!("{key}: {why}"))?;
                }
            }
            "additionalProperties" => {
                let of = said.as_object().map(|_| said);
                for (key, value) in value.as_object().into_iter().flatten() {
                    let is_named = object.get("properties").is_some_and(|p| p.get(key).is_some());
                    let fits = of.filter(|_| !is_named).map_or(Ok(()), |of| fits(whole, of, value));
                    fits.map_err(|why| format!("{key}: {why}"))?;
                }
            }
            "items" => {
                for value in value.as_array().into_iter().flatten() {
                    fits(whole, said, value)?;
                }
            }
            "minimum" if value.as_i64().zip(said.as_i64()).is_some_and(|(is, min)| is < min) => {
                return Err(format!("{value} is less than {said}"));
            }
            "$ref" => is_valid(whole, part(whole, said), value)?,
            "allOf" => list(said).iter().try_for_each(|of| is_valid(whole, of, value))?,
            "oneOf" => {
                let found: Vec<Result<(), String>> = list(said).iter().map(one).collect();
                if found.iter().filter(|found| found.is_ok()).count() != 1 {
                    return Err(format!("not one of several: {found:?}"));
                }
            }
            "anyOf" => {
                // Beside others, each says a part of it.
                let found = list(said).iter().map(|of| is_valid(whole, of, value));
                let found: Vec<Result<(), String>> = found.collect();
                if !found.iter().any(Result::is_ok) {
                    return Err(format!("none of several: {found:?}"));
                }
            }
            "discriminator" | "default" => {}
            "enum" | "minimum" | "$schema" | "$defs" | "description" | "format"
            | "propertyNames" => {}
            _ => panic!("{word}: a word of JSON Schema that is not known here"),
        }
    }
    Ok(())
}

fn is_a(kind: &Value, value: &Value) -> bool {
    match kind.as_str().expect("a type") {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        kind => panic!("{kind}: no answer has a value of this type"),
    }
}

#[test]
fn what_is_no_answer_is_told() {
    let answer = |line: &str| std::panic::catch_unwind(|| named(&["error"], line)).is_ok();
    assert!(answer(
        r#"{"error":{"kind":"io","code":"a","message":"b","hint":null,"commands":[]}}"#
    ));
    for wrong in [
        r#"{"error":{"kind":"io","code":"a","hint":null,"commands":[]}}"#,
        r#"{"error":{"kind":"io","code":1,"message":"b","hint":null,"commands":[]}}"#,
        r#"{"error":{"kind":"io","code":"a","message":"b","hint":null,"commands":[],"more":1}}"#,
        r#"{"error":null}"#,
        r#"{}"#,
    ] {
        assert!(!answer(wrong), "{wrong}");
    }
}
