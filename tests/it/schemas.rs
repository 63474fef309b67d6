//! The schemas of the answers: those in `docs/schemas` are those of the code, and what the command
//! answers is what they say.

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
        let refers = text.split("\"#/$defs/").skip(1).filter_map(|rest| rest.split('"').next());
        for part in refers {
            assert!(!schema["$defs"][part].is_null(), "{name}.json lacks {part}");
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

/// Asserts that a line that a command answered has a shape which the schemas of its verb describe.
pub fn hold(words: &[&str], line: &str) {
    let Ok(answer) = serde_json::from_str::<Value>(line) else { return };
    let all = schemas();
    let of = |verb: &str| -> Vec<&Value> {
        let is_its = |name: &str| {
            name.strip_prefix(verb).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        };
        all.iter().filter(|(name, _)| is_its(name)).map(|(_, schema)| schema).collect()
    };
    let Some(verb) = words.iter().find(|word| !of(word).is_empty()) else { return };
    let found: Vec<Result<(), String>> =
        of(verb).into_iter().map(|schema| fits(schema, schema, &answer)).collect();
    let is_one = found.iter().any(Result::is_ok);
    assert!(is_one, "{words:?} answers {line}\nwhich is no answer of {verb}: {found:?}");
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
    let answer = |line: &str| std::panic::catch_unwind(|| hold(&["error"], line)).is_ok();
    assert!(answer(r#"{"error":{"code":"a","message":"b","hint":null}}"#));
    for wrong in [
        r#"{"error":{"code":"a","hint":null}}"#,
        r#"{"error":{"code":1,"message":"b","hint":null}}"#,
        r#"{"error":{"code":"a","message":"b","hint":null,"more":1}}"#,
        r#"{"error":null}"#,
        r#"{}"#,
    ] {
        assert!(!answer(wrong), "{wrong}");
    }
}
