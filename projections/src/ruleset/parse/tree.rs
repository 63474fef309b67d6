//! A file's text as a tree in which every key and value knows its place.

use super::fault::{Faults, Place, did_you_mean};
use crate::ruleset::limits::{DEPTH, TEXT};
use scrutineer_engine::names::turns;
use std::collections::BTreeMap;
use toml::de::{DeTable, DeValue};

/// The keys of one table.
pub(super) type Map = BTreeMap<String, Entry>;

/// A key with its value.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Where the key stands.
    pub place: Place,
    /// What it says.
    pub node: Node,
}

/// A value.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Where it stands; where it was put in for a `$setting`, the place of its use.
    pub place: Place,
    /// What it is.
    pub value: Value,
    /// The setting that it was put in for.
    pub setting: Option<Origin>,
}

/// The setting that gave a value: its name and where its value stands.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    pub name: String,
    pub place: Place,
}

/// What a value is.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Text(String),
    Whole(i64),
    Float(String),
    Flag(bool),
    /// A date without a time, or some other moment.
    Moment(String),
    List(Vec<Node>),
    Table(Map),
}

impl Value {
    /// What it is, for people.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Text(_) => "a text",
            Value::Whole(_) => "a whole number",
            Value::Float(_) => "a floating-point number",
            Value::Flag(_) => "true or false",
            Value::Moment(_) => "a date",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
        }
    }

    /// As one line of text, the same however it was written.
    pub fn text(&self) -> String {
        match self {
            Value::Text(text) | Value::Float(text) | Value::Moment(text) => text.clone(),
            Value::Whole(number) => number.to_string(),
            Value::Flag(flag) => flag.to_string(),
            Value::List(items) => list_text(items),
            Value::Table(map) => table_text(map),
        }
    }
}

fn list_text(items: &[Node]) -> String {
    let item = |node: &Node| match &node.value {
        Value::List(_) => format!("[{}]", node.value.text()),
        value => value.text(),
    };
    items.iter().map(item).collect::<Vec<_>>().join(", ")
}

fn table_text(map: &Map) -> String {
    let pair = |(key, entry): (&String, &Entry)| format!("{key} = {}", entry.node.value.text());
    format!("{{ {} }}", map.iter().map(pair).collect::<Vec<_>>().join(", "))
}

/// Reads a text; every syntax error is a fault.
pub(super) fn read(file: usize, text: &str, faults: &Faults) -> Option<Map> {
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in errors.iter().take(8) {
        let at = error.span().map_or(text.len(), |span| span.start);
        faults.add(Place { file, at }, "", format!("not TOML: {}", error.message()), None);
    }
    if !errors.is_empty() {
        return None;
    }
    Some(map(file, table.get_ref(), 0, faults))
}

fn map(file: usize, table: &DeTable<'_>, depth: usize, faults: &Faults) -> Map {
    let mut entries = Map::new();
    for (key, value) in table.iter() {
        let place = Place { file, at: key.span().start };
        if key.get_ref().len() > TEXT || key.get_ref().is_empty() {
            faults.add(place, "", format!("a key has 1 to {TEXT} bytes"), None);
            continue;
        }
        if key.get_ref().chars().any(|c| c.is_control() || turns(c)) {
            let message = "a key has a character in it that is not printed";
            faults.add(place, "", message.to_owned(), None);
            continue;
        }
        let at = Place { file, at: value.span().start };
        if let Some(value) = convert(at, value.get_ref(), depth, faults) {
            let node = Node { place: at, value, setting: None };
            entries.insert(key.get_ref().to_string(), Entry { place, node });
        }
    }
    entries
}

fn convert(place: Place, value: &DeValue<'_>, depth: usize, faults: &Faults) -> Option<Value> {
    let deeper = matches!(value, DeValue::Array(_) | DeValue::Table(_));
    if deeper && depth >= DEPTH {
        faults.add(place, "", format!("lies more than {DEPTH} tables or lists deep"), None);
        return None;
    }
    Some(match value {
        DeValue::String(text) if text.len() > TEXT => {
            faults.add(place, "", format!("a text has at most {TEXT} bytes"), None);
            return None;
        }
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(digits) => match i64::from_str_radix(digits.as_str(), digits.radix()) {
            Ok(number) => Value::Whole(number),
            Err(_) => {
                faults.add(place, "", "a number of at most 9 digits is expected".into(), None);
                return None;
            }
        },
        DeValue::Float(float) => Value::Float(float.as_str().to_owned()),
        DeValue::Boolean(flag) => Value::Flag(*flag),
        DeValue::Datetime(moment) => Value::Moment(moment.to_string()),
        DeValue::Array(items) => Value::List(
            items
                .iter()
                .filter_map(|item| {
                    let place = Place { file: place.file, at: item.span().start };
                    let value = convert(place, item.get_ref(), depth + 1, faults)?;
                    Some(Node { place, value, setting: None })
                })
                .collect(),
        ),
        DeValue::Table(table) => Value::Table(map(place.file, table, depth + 1, faults)),
    })
}

/// Replaces every text `$name` by the setting of that name.
pub(super) fn substitute(root: &mut Map, faults: &Faults) -> Vec<String> {
    let mut used = Vec::new();
    let settings = match root.get("settings").map(|entry| &entry.node.value) {
        Some(Value::Table(map)) => map.clone(),
        _ => Map::new(),
    };
    let mut walk = Walk { settings: &settings, used: &mut used, faults };
    for (key, entry) in root.iter_mut() {
        walk.node(key, &mut entry.node);
    }
    used
}

struct Walk<'w> {
    settings: &'w Map,
    used: &'w mut Vec<String>,
    faults: &'w Faults<'w>,
}

impl Walk<'_> {
    fn node(&mut self, path: &str, node: &mut Node) {
        match &mut node.value {
            Value::Text(text) if text.starts_with('$') => {
                let name = text[1..].to_owned();
                if let Some((value, origin)) = self.follow(path, node.place, &name) {
                    node.value = value;
                    node.setting = Some(origin);
                }
            }
            Value::List(items) => items.iter_mut().for_each(|item| self.node(path, item)),
            Value::Table(map) => {
                for (key, entry) in map.iter_mut() {
                    self.node(&format!("{path}.{key}"), &mut entry.node);
                }
            }
            _ => {}
        }
    }

    fn follow(&mut self, path: &str, place: Place, name: &str) -> Option<(Value, Origin)> {
        let mut trail = vec![name.to_owned()];
        loop {
            let last = trail.last()?.clone();
            // What is wrong among the settings is told there, not at each of their uses.
            let told = trail.len() > 1 && !path.starts_with("settings.");
            let Some(entry) = self.settings.get(&last) else {
                if told {
                    return None;
                }
                let known = self.settings.keys().map(String::as_str);
                let hint = did_you_mean(&last, known)
                    .or_else(|| Some(format!("give it a value: [settings] {last} = …")));
                self.faults.add(place, path, format!("there is no setting `{last}`"), hint);
                return None;
            };
            self.used.push(last.clone());
            match &entry.node.value {
                Value::Text(text) if text.starts_with('$') => {
                    let next = text[1..].to_owned();
                    let again = trail.contains(&next);
                    trail.push(next);
                    if again {
                        if path.starts_with("settings.") {
                            let way = trail.join(" -> $");
                            let message = format!("settings go in a circle: ${way}");
                            self.faults.add(place, path, message, None);
                        }
                        return None;
                    }
                }
                Value::List(_) | Value::Table(_) => return None,
                value => {
                    let origin = Origin { name: last, place: entry.node.place };
                    return Some((value.clone(), origin));
                }
            }
        }
    }
}
