//! Reads a ruleset: the texts, merged and checked, become a [`Ruleset`]. Everything that is wrong
//! is told with its file, line and key.

mod chain;
mod fault;
mod measures;
mod options;
mod order;
mod points;
mod section;
#[cfg(test)]
mod tests;
mod tree;

pub(super) use chain::{Head, head};
pub(super) use fault::near;
pub use fault::{Fault, RulesetError};

use super::Ruleset;
use chain::Chain;
use fault::{Faults, Place};
use scrutineer_engine::event::RulesetFile;
use section::Section;
use std::collections::BTreeMap;
use tree::{Map, Value};

/// What stands at the top of a file, besides its head.
const SECTIONS: [&str; 16] = [
    "settings",
    "first_seat",
    "phases",
    "cut",
    "order",
    "running_order",
    "bracket_order",
    "ties",
    "outcome",
    "missing",
    "points",
    "games",
    "scores",
    "measures",
    "attendance",
    "draw",
];

/// Reads a ruleset from its own text and those that it extends, nearest first.
///
/// `files[1]` is what `files[0]` extends, and so on. Bounded whatever the texts hold: 48 KiB
/// together, eight files, 64 measures.
pub fn parse(files: &[RulesetFile]) -> Result<Ruleset, RulesetError> {
    let texts = files.iter().map(|file| (file.name.as_str(), file.text.as_str())).collect();
    let faults = Faults::new(texts);
    let mut chain = chain::read(files, &faults)?;
    let used = tree::substitute(&mut chain.map, &faults);
    let root = Section::root(Place { file: 0, at: 0 }, &chain.map, &faults);
    check_top(&root, &chain, &used);
    let ruleset = build(&root, &chain, files);
    faults.check()?;
    Ok(ruleset)
}

fn build(root: &Section, chain: &Chain, files: &[RulesetFile]) -> Ruleset {
    let measures = measures::measures(root);
    root.require("order");
    Ruleset {
        id: files.first().map(|file| file.name.clone()).unwrap_or_default(),
        name: chain.head.name.clone(),
        edition: chain.head.edition.clone(),
        source: chain.head.source.clone(),
        platform: chain.head.platform.clone(),
        effective_from: chain.head.effective_from,
        hash: hash(files),
        files: files.to_vec(),
        first_seat: root.line("first_seat"),
        phases: order::phases(root),
        cut_for_places_only: order::cut_for_places_only(root),
        outcome: points::outcome(root),
        points: points::points(root),
        games: points::games_section(root),
        scores: points::scores(root),
        missing: points::missing(root),
        order: order::order(root, "order", &measures).unwrap_or_default(),
        running_order: order::order(root, "running_order", &measures),
        bracket_order: order::order(root, "bracket_order", &measures).unwrap_or_default(),
        ties: order::ties(root),
        attendance: order::attendance(root),
        draw: order::draw(root),
        keys: keys(root.map),
        measures,
    }
}

/// Unknown sections, settings that hold more than one value, settings that nothing uses.
fn check_top(root: &Section, chain: &Chain, used: &[String]) {
    let known: Vec<&str> = [&SECTIONS[..], &chain::HEAD[..]].concat();
    root.only(&known);
    let Some(settings) = root.section("settings") else {
        return;
    };
    for (key, entry) in settings.map {
        if matches!(entry.node.value, Value::List(_) | Value::Table(_)) {
            settings.wrong(key, &entry.node, "a number, a text, true or false");
        }
    }
    for (name, place) in &chain.own_settings {
        if !used.contains(name) {
            let others = settings.map.keys().map(String::as_str).filter(|other| other != name);
            let hint = fault::did_you_mean(name, others);
            let message = format!("nothing uses this setting: ${name} stands nowhere");
            root.faults.add(*place, &settings.key(name), message, hint);
        }
    }
}

/// The hash of a ruleset: BLAKE3 over each file's id and text in order, each after its length as 8 bytes, lowest first.
pub fn hash(files: &[RulesetFile]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new_derive_key("scrutineer 2026 ruleset v1");
    for part in files.iter().flat_map(|file| [&file.name, &file.text]) {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    *hasher.finalize().as_bytes()
}

/// Every key with its value: tables by dotted keys, lists of tables by number from 1, other lists
/// as one text.
fn keys(map: &Map) -> BTreeMap<String, String> {
    let mut keys = BTreeMap::new();
    for (key, entry) in map {
        flatten(key, &entry.node.value, &mut keys);
    }
    keys
}

fn flatten(path: &str, value: &Value, keys: &mut BTreeMap<String, String>) {
    match value {
        Value::Table(map) => {
            for (key, entry) in map {
                flatten(&format!("{path}.{key}"), &entry.node.value, keys);
            }
        }
        Value::List(items)
            if !items.is_empty()
                && items.iter().all(|item| matches!(item.value, Value::Table(_))) =>
        {
            for (index, item) in items.iter().enumerate() {
                flatten(&format!("{path}.{}", index + 1), &item.value, keys);
            }
        }
        value => {
            keys.insert(path.to_owned(), value.text());
        }
    }
}
