//! A ruleset and what it extends: the head of each file, and all of them merged into one tree.

use super::fault::{Faults, Place, RulesetError, did_you_mean};
use super::section::Section;
use super::tree::{self, Entry, Map, Node, Value};
use crate::ruleset::limits::{BYTES, FILES};
use scrutineer_engine::event::{Day, RulesetFile};

/// The keys that every file has for itself; all others merge.
pub(super) const HEAD: [&str; 6] = ["name", "edition", "source", "extends", "shared", "platform"];
/// The keys of which one replaces the others of the same measure.
pub(super) const FORMULAS: [&str; 8] =
    ["total", "ratio", "sum_of", "opponents", "fact", "as_left", "as_drawn", "performance"];

/// What a file says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::ruleset) struct Head {
    pub name: String,
    pub edition: String,
    pub source: String,
    pub extends: Option<String>,
    pub shared: bool,
    pub platform: Option<String>,
    pub effective_from: Option<Day>,
    pub effective_until: Option<Day>,
    pub printed_digits: Option<u8>,
}

/// Reads only the head of a file.
pub(in crate::ruleset) fn head(file: &RulesetFile) -> Result<Head, RulesetError> {
    let faults = Faults::new(vec![(&file.name, &file.text)]);
    within_bounds(std::slice::from_ref(file), &faults)?;
    let map = tree::read(0, &file.text, &faults).unwrap_or_default();
    let head = read_head(0, &map, &faults);
    faults.check()?;
    Ok(head)
}

/// All files as one tree, and the head of the first.
pub(super) struct Chain {
    pub head: Head,
    pub map: Map,
    /// Settings that only the first file has, with the places of their keys.
    pub own_settings: Vec<(String, Place)>,
}

/// Reads and merges. Syntax errors and a broken chain end the reading.
pub(super) fn read(files: &[RulesetFile], faults: &Faults) -> Result<Chain, RulesetError> {
    within_bounds(files, faults)?;
    let parsed =
        files.iter().enumerate().map(|(index, file)| tree::read(index, &file.text, faults));
    let mut maps: Vec<Map> = parsed.map(Option::unwrap_or_default).collect();
    faults.check()?;
    let heads: Vec<Head> =
        maps.iter().enumerate().map(|(index, map)| read_head(index, map, faults)).collect();
    check_links(files, &heads, &maps, faults);
    faults.check()?;
    for map in &mut maps {
        map.retain(|key, _| !HEAD.contains(&key.as_str()));
    }
    let own_settings = own_settings(&maps);
    let mut merged = Map::new();
    for map in maps.into_iter().rev() {
        merge("", &mut merged, map);
    }
    let head = heads.into_iter().next().unwrap_or_default();
    Ok(Chain { head, map: merged, own_settings })
}

fn within_bounds(files: &[RulesetFile], faults: &Faults) -> Result<(), RulesetError> {
    let start = |file| Place { file, at: 0 };
    let bytes: usize = files.iter().map(|file| file.text.len()).sum();
    if files.is_empty() {
        faults.add(start(0), "", "there is no file".into(), None);
    } else if files.len() > FILES {
        faults.add(start(0), "extends", format!("at most {FILES} files build on each other"), None);
    } else if bytes > BYTES {
        let message = format!("the texts have {bytes} bytes together, at most {BYTES} are read");
        faults.add(start(0), "", message, None);
    }
    faults.check()
}

fn read_head(file: usize, map: &Map, faults: &Faults) -> Head {
    let section = Section::root(Place { file, at: 0 }, map, faults);
    let required = |key: &str| section.required_text(key);
    let mut head = Head {
        name: required("name"),
        edition: required("edition"),
        source: required("source"),
        extends: section.text("extends"),
        shared: section.flag("shared").unwrap_or(false),
        ..Head::default()
    };
    if let Some(platform) = section.section("platform") {
        platform.only(&["name", "effective_from", "effective_until", "printed_digits"]);
        head.platform = Some(platform.required_text("name"));
        head.effective_from = platform.day("effective_from");
        head.effective_until = platform.day("effective_until");
        let digits = platform.whole("printed_digits", 1, 18);
        head.printed_digits = digits.and_then(|digits| u8::try_from(digits).ok());
    }
    head
}

/// Every file but the last extends the next one, and none comes twice.
fn check_links(files: &[RulesetFile], heads: &[Head], maps: &[Map], faults: &Faults) {
    for (index, head) in heads.iter().enumerate() {
        let start = Place { file: index, at: 0 };
        let place = maps[index].get("extends").map_or(start, |entry| entry.node.place);
        let next = files.get(index + 1).map(|file| file.name.as_str());
        match (head.extends.as_deref(), next) {
            (Some(id), _) if files[..=index].iter().any(|file| file.name == id) => {
                let way: Vec<&str> = files[..=index].iter().map(|f| f.name.as_str()).collect();
                let message = format!("extends in a circle: {} -> {id}", way.join(" -> "));
                faults.add(place, "extends", message, None);
            }
            (Some(id), Some(next)) if id != next => {
                let message = format!("extends `{id}`, but `{next}` was given as the next file");
                faults.add(place, "extends", message, did_you_mean(id, [next]));
            }
            (Some(id), None) => {
                let message = format!("extends `{id}`, which was not given");
                faults.add(place, "extends", message, None);
            }
            (None, Some(next)) => {
                let message = format!("`{next}` was given too, but this file extends nothing");
                faults.add(place, "extends", message, None);
            }
            _ => {}
        }
    }
    if heads.first().is_some_and(|head| head.shared) {
        let place = maps[0].get("shared").map_or(Place { file: 0, at: 0 }, |entry| entry.place);
        let message = "this file is only there to be extended; it is no ruleset".to_owned();
        faults.add(place, "shared", message, None);
    }
}

fn own_settings(maps: &[Map]) -> Vec<(String, Place)> {
    let settings = |map: &Map| match map.get("settings").map(|entry| &entry.node.value) {
        Some(Value::Table(settings)) => settings.clone(),
        _ => Map::new(),
    };
    let Some((first, others)) = maps.split_first() else {
        return Vec::new();
    };
    let inherited: Vec<Map> = others.iter().map(settings).collect();
    settings(first)
        .into_iter()
        .filter(|(key, _)| !inherited.iter().any(|map| map.contains_key(key)))
        .map(|(key, entry)| (key, entry.place))
        .collect()
}

/// Tables merge key by key, everything else is replaced. A measure that names another formula
/// than the one it extends replaces it, and so does `[outcome]`.
fn merge(path: &str, base: &mut Map, over: Map) {
    for (key, entry) in over {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match base.get_mut(&key) {
            Some(Entry { place, node: Node { place: at, value: Value::Table(below), .. } }) => {
                let Value::Table(above) = entry.node.value else {
                    base.insert(key, entry);
                    continue;
                };
                if replaces(&path, below, &above) {
                    below.clear();
                }
                (*place, *at) = (entry.place, entry.node.place);
                merge(&path, below, above);
            }
            _ => {
                base.insert(key, entry);
            }
        }
    }
}

fn replaces(path: &str, below: &Map, above: &Map) -> bool {
    let measure = path.starts_with("measures.") && path.matches('.').count() == 1;
    let new = |key: &&str| above.contains_key(*key) && !below.contains_key(*key);
    path == "outcome" || (measure && FORMULAS.iter().any(new))
}
