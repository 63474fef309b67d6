//! Files as they vary from version to version: keys missing, null, in another order, other line ends, marks.

use super::*;
use serde_json::Value;
use std::collections::BTreeMap;

/// How many files of one key are tried: the first ones of a list stand for the others.
const OF_A_KEY: usize = 3;

/// Whatever is read can be recorded, and a refusal says where, or what is missing of the whole.
fn is_read_or_refused_with_a_place(what: &str, text: &str) -> Result<Source, String> {
    match read("varied.json", text.as_bytes()) {
        Ok(source) => {
            legal_events(&source).unwrap_or_else(|error| panic!("{what}: {error}"));
            Ok(source)
        }
        Err(error) => {
            let told = error.to_string();
            let is_placed = !error.place.is_empty()
                || matches!(
                    &*error.fault,
                    Fault::Missing { .. } | Fault::UnknownFormat { .. } | Fault::Empty
                );
            assert!(is_placed && told.len() < 800, "{what}: {told}");
            Err(told)
        }
    }
}

/// Calls for every key of a JSON value, with a path that leaves out which item of a list it is of.
fn each_key(value: &Value, path: &str, pointer: &str, found: &mut Vec<(String, String)>) {
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                let own = format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"));
                let path = format!("{path}.{key}");
                found.push((path.clone(), own.clone()));
                each_key(value, &path, &own, found);
            }
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                each_key(item, path, &format!("{pointer}/{at}"), found);
            }
        }
        _ => {}
    }
}

fn without(value: &Value, pointer: &str) -> Value {
    let mut value = value.clone();
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
    let parent = value.pointer_mut(parent).and_then(Value::as_object_mut).expect("an object");
    parent.remove(&key.replace("~1", "/").replace("~0", "~"));
    value
}

fn with(value: &Value, pointer: &str, other: Value) -> Value {
    let mut value = value.clone();
    *value.pointer_mut(pointer).expect("a value") = other;
    value
}

/// What is told of a file of which each key in turn is missing, null, an empty text, or an empty list.
fn refusals(name: &str, text: &str) -> BTreeMap<String, String> {
    let value: Value = serde_json::from_str(text).expect("JSON");
    let mut keys = Vec::new();
    each_key(&value, "", "", &mut keys);
    let (mut tried, mut told): (BTreeMap<String, usize>, _) = (BTreeMap::new(), BTreeMap::new());
    for (path, pointer) in keys {
        let count = tried.entry(path.clone()).or_default();
        *count += 1;
        if *count > OF_A_KEY {
            continue;
        }
        let kinds = [
            ("missing", without(&value, &pointer)),
            ("null", with(&value, &pointer, Value::Null)),
            ("empty", with(&value, &pointer, Value::String(String::new()))),
            ("a list", with(&value, &pointer, Value::Array(Vec::new()))),
        ];
        for (kind, varied) in kinds {
            let what = format!("{name}{path} {kind}");
            if let Err(error) = is_read_or_refused_with_a_place(&what, &varied.to_string()) {
                told.entry(format!("{path} {kind}")).or_insert(error);
            }
        }
    }
    told
}

const JSON: [(&str, &str); 20] = [
    ("melee", MELEE_API),
    ("topdeck", TOPDECK_API),
    ("mtgo", MTGO_API),
    ("manatraders", MANATRADERS_API),
    ("bcp", BCP),
    ("deck-cache melee", MELEE),
    ("deck-cache topdeck", TOPDECK),
    ("deck-cache mtgo", MTGO),
    ("cobra", COBRA),
    ("nrtm", NRTM),
    ("battlefy", BATTLEFY),
    ("challonge", CHALLONGE),
    ("challonge 2", CHALLONGE_2),
    ("carde", CARDE),
    ("xwing", XWING),
    ("start.gg", START_GG),
    ("splinterlands", SPLINTERLANDS),
    ("limitless", LIMITLESS),
    ("pairgoth", PAIRGOTH),
    ("cardsrealm", CARDSREALM),
];

/// A text as other programs save it: the keys of objects sorted, one in a line, with Windows' ends and a mark.
fn saved_otherwise(text: &str) -> [String; 3] {
    let value: Value = serde_json::from_str(text).expect("JSON");
    let pretty = serde_json::to_string_pretty(&value).expect("JSON");
    [value.to_string(), pretty.replace('\n', "\r\n"), format!("\u{feff}{text}")]
}

/// A source without places, which other line ends and orders move, and without the file's name.
fn plain(source: Source) -> Source {
    Source { file: String::new(), ..platforms::without_places(source) }
}

#[test]
fn other_line_ends_marks_and_orders_of_keys_change_nothing() {
    for (name, text) in JSON {
        let truth = plain(source(text));
        for (at, other) in saved_otherwise(text).iter().enumerate() {
            let again = read("event.txt", other.as_bytes())
                .unwrap_or_else(|error| panic!("{name} {at}: {error}"));
            assert_eq!(plain(again), truth, "{name} {at}");
        }
    }
    for text in [KTS, GOTHA, UPLOAD, MACMAHON, PODS, CHESS, CARDS, WARGAME] {
        let truth = plain(source(text));
        let ends = text.replace("\r\n", "\n").replace('\n', "\r\n");
        for other in [ends.clone(), format!("\u{feff}{ends}")] {
            assert_eq!(plain(source(&other)), truth, "{}", &text[..40]);
        }
    }
}

#[test]
fn titles_and_names_of_any_script_and_with_pictures_are_kept() {
    for (name, text) in JSON {
        let truth = source(text);
        let player = truth.players[0].name.clone();
        if truth.format == "manatraders json" || !text.contains(&format!("\"{player}\"")) {
            continue;
        }
        let other = text.replace(&format!("\"{player}\""), "\"Zoë 🎲 日本 \\u0410\"");
        let again = read("event.json", other.as_bytes());
        let again = again.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(again.players[0].name, "Zoë 🎲 日本 А", "{name}");
        legal_events(&again).expect("legal where they stand");
    }
}

#[test]
fn a_key_that_is_missing_null_or_empty_is_read_or_refused_with_its_place() {
    for (name, text) in JSON {
        let told = refusals(name, text);
        if std::env::var_os("SCRUTINEER_TELL").is_some() {
            for (what, error) in &told {
                eprintln!("{name}{what}: {error}");
            }
        }
    }
}

/// Texts in which one leaf, or one attribute, of each name is missing, or empty, or a word.
fn xml_variants(text: &str) -> Vec<(String, String)> {
    let mut tried: BTreeMap<String, usize> = BTreeMap::new();
    let mut found = Vec::new();
    for (at, _) in text.match_indices(['<', ' ']) {
        let rest = &text[at + 1..];
        let name: String =
            rest.chars().take_while(|letter| letter.is_ascii_alphanumeric()).collect();
        if name.is_empty() {
            continue;
        }
        let after = &rest[name.len()..];
        let is_leaf = text[at..].starts_with('<');
        let (value, whole) = if is_leaf {
            let Some(inside) = after.strip_prefix('>') else { continue };
            let Some((value, _)) = inside.split_once('<') else { continue };
            if !inside[value.len()..].starts_with(&format!("</{name}>")) {
                continue;
            }
            let from = at + 2 + name.len();
            (from..from + value.len(), at..from + value.len() + name.len() + 3)
        } else {
            let Some(inside) = after.strip_prefix("=\"") else { continue };
            let Some((value, _)) = inside.split_once('"') else { continue };
            let from = at + 3 + name.len();
            (from..from + value.len(), at..from + value.len() + 1)
        };
        let count = tried.entry(name.clone()).or_default();
        *count += 1;
        if *count > OF_A_KEY {
            continue;
        }
        for (kind, range, other) in [
            ("missing", whole, ""),
            ("empty", value.clone(), ""),
            ("a word", value.clone(), "ünknown"),
            ("a number", value, "-3"),
        ] {
            let varied = format!("{}{other}{}", &text[..range.start], &text[range.end..]);
            found.push((format!("{name} {kind}"), varied));
        }
    }
    found
}

#[test]
fn an_element_or_attribute_that_is_missing_or_odd_is_read_or_refused_with_its_place() {
    let files = [
        ("kts", KTS),
        ("opengotha", GOTHA),
        ("chess-results", UPLOAD),
        ("macmahon", MACMAHON),
        ("tdf", PODS),
    ];
    for (name, text) in files {
        let variants = xml_variants(text);
        assert!(variants.len() > 40, "{name}: {}", variants.len());
        for (what, varied) in variants {
            let told = is_read_or_refused_with_a_place(&format!("{name}: {what}"), &varied);
            if let (Err(told), Some(_)) = (told, std::env::var_os("SCRUTINEER_TELL")) {
                eprintln!("{name}: {what}: {told}");
            }
        }
    }
}

/// The examples vary as the samples do. Runs where `SCRUTINEER_FORMATS` names their folder.
#[test]
fn examples_that_vary_are_read_or_refused_with_their_place() {
    for folder in ["carde", "startgg", "xwing", "nrtm"] {
        for (name, bytes) in examples(folder, &["json"]) {
            let text = String::from_utf8(bytes).expect("text");
            // Larger ones take minutes, and a dump has text behind it.
            if text.len() > 20_000 || serde_json::from_str::<Value>(&text).is_err() {
                continue;
            }
            for (what, told) in refusals(&name, &text) {
                if std::env::var_os("SCRUTINEER_TELL").is_some() {
                    eprintln!("{name}{what}: {told}");
                }
            }
        }
    }
}
