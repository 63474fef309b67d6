//! Typed reading of one table: what is missing, unknown or of another type becomes a fault.

use super::fault::{Faults, Place, did_you_mean};
use super::tree::{Map, Node, Origin, Value};
use crate::ratio::Fraction;
use crate::ruleset::limits::LIST;
use scrutineer_engine::event::Day;
use scrutineer_engine::names::turns;

/// A word with what it stands for.
pub(super) type Word<T> = (&'static str, T);

/// A table, its path and where faults go.
pub(super) struct Section<'s> {
    pub path: String,
    pub place: Place,
    pub map: &'s Map,
    pub faults: &'s Faults<'s>,
    /// Whether the file has a `[games]` section.
    pub games: bool,
}

impl<'s> Section<'s> {
    /// The whole file.
    pub fn root(place: Place, map: &'s Map, faults: &'s Faults<'s>) -> Section<'s> {
        let games = map.contains_key("games");
        Section { path: String::new(), place, map, faults, games }
    }

    /// The full name of a key.
    pub fn key(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// Notes a fault at a key, or at the table where it has no such key.
    pub fn fault(&self, key: &str, message: String, hint: Option<String>) {
        let place = self.map.get(key).map_or(self.place, |entry| entry.node.place);
        self.faults.add(place, &self.key(key), message, hint);
    }

    /// Any other key is a fault.
    pub fn only(&self, known: &[&str]) {
        for (key, entry) in self.map {
            if !known.contains(&key.as_str()) {
                let hint = did_you_mean(key, known.iter().copied())
                    .or_else(|| Some(format!("known here: {}", known.join(", "))));
                let message = "there is no such key".to_owned();
                self.faults.add(entry.place, &self.key(key), message, hint);
            }
        }
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&'s Node> {
        self.map.get(key).map(|entry| &entry.node)
    }

    /// Whether the key is there.
    pub fn has(&self, key: &str) -> bool {
        self.map.contains_key(key)
    }

    /// A fault unless the key is there.
    pub(crate) fn require(&self, key: &str) {
        if !self.has(key) {
            let message = "is required and missing".to_owned();
            self.faults.add(self.place, &self.key(key), message, None);
        }
    }

    /// The table under a key.
    pub fn section(&self, key: &str) -> Option<Section<'s>> {
        let node = self.get(key)?;
        self.table(key, node)
    }

    /// A value as a table.
    pub fn table(&self, key: &str, node: &'s Node) -> Option<Section<'s>> {
        let Value::Table(map) = &node.value else {
            self.wrong(key, node, "a table");
            return None;
        };
        let (path, place, faults) = (self.key(key), node.place, self.faults);
        Some(Section { path, place, map, faults, games: self.games })
    }

    /// The list under a key.
    pub fn list(&self, key: &str, expected: &str) -> Option<&'s [Node]> {
        let node = self.get(key)?;
        let Value::List(items) = &node.value else {
            self.wrong(key, node, expected);
            return None;
        };
        if items.len() > LIST {
            self.fault(key, format!("at most {LIST} entries are expected"), None);
            return None;
        }
        Some(items)
    }

    /// A text.
    pub fn text(&self, key: &str) -> Option<String> {
        let node = self.get(key)?;
        match &node.value {
            // It is shown on a terminal, and a ruleset may come from anywhere.
            Value::Text(text) if text.chars().any(char::is_control) => {
                self.fault(key, "has a control character in it".to_owned(), None);
                None
            }
            Value::Text(text) if text.chars().any(turns) => {
                let message = "has a character in it that turns the direction of others";
                self.fault(key, message.to_owned(), None);
                None
            }
            Value::Text(text) => Some(text.clone()),
            _ => {
                self.wrong(key, node, "a text");
                None
            }
        }
    }

    /// A text that must be there and say something.
    pub(crate) fn required_text(&self, key: &str) -> String {
        self.require(key);
        let text = self.text(key).unwrap_or_default();
        if self.has(key) && text.trim().is_empty() {
            self.fault(key, "a text that says something is expected".to_owned(), None);
        }
        text
    }

    /// `true` or `false`.
    pub(crate) fn flag(&self, key: &str) -> Option<bool> {
        let node = self.get(key)?;
        match &node.value {
            Value::Flag(flag) => Some(*flag),
            _ => {
                self.wrong(key, node, "true or false");
                None
            }
        }
    }

    /// An exact number.
    pub fn exact(&self, key: &str) -> Option<Fraction> {
        self.exact_node(key, self.get(key)?)
    }

    /// An exact number that must be there.
    pub(crate) fn required_exact(&self, key: &str) -> Fraction {
        self.require(key);
        self.exact(key).unwrap_or(Fraction::ZERO)
    }

    /// A value as an exact number.
    pub(crate) fn exact_node(&self, key: &str, node: &Node) -> Option<Fraction> {
        let number = match &node.value {
            Value::Whole(number) => Fraction::read(&number.to_string()),
            Value::Text(text) => Fraction::read(text),
            _ => None,
        };
        if number.is_none() {
            self.wrong(key, node, "an exact number");
        }
        number
    }

    /// A whole number within bounds.
    pub fn whole(&self, key: &str, least: i64, most: i64) -> Option<i64> {
        self.whole_node(key, self.get(key)?, least, most)
    }

    /// A value as a whole number within bounds.
    pub(crate) fn whole_node(&self, key: &str, node: &Node, least: i64, most: i64) -> Option<i64> {
        match node.value {
            Value::Whole(number) if (least..=most).contains(&number) => Some(number),
            _ => {
                self.wrong(key, node, &format!("a whole number from {least} to {most}"));
                None
            }
        }
    }

    /// One of some words.
    pub fn word<T: Copy>(&self, key: &str, words: &[Word<T>]) -> Option<T> {
        self.word_node(key, self.get(key)?, words)
    }

    /// A value as one of some words.
    pub(crate) fn word_node<T: Copy>(
        &self,
        key: &str,
        node: &Node,
        words: &[Word<T>],
    ) -> Option<T> {
        let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let Value::Text(text) = &node.value else {
            self.wrong(key, node, &format!("one of the words {}", names.join(", ")));
            return None;
        };
        if let Some((_, meaning)) = words.iter().find(|(word, _)| word == text) {
            return Some(*meaning);
        }
        let message = format!("expected one of {}; found `{text}`", names.join(", "));
        self.value_fault(key, node, message, did_you_mean(text, names));
        None
    }

    /// Some of some words.
    pub fn words<T: Copy>(&self, key: &str, words: &[Word<T>]) -> Option<Vec<T>> {
        let items = self.list(key, "a list of words")?;
        Some(items.iter().filter_map(|node| self.word_node(key, node, words)).collect())
    }

    /// The name of a score line: lower-case letters, digits and `_`.
    pub fn line(&self, key: &str) -> Option<String> {
        let name = self.text(key)?;
        if !is_name(&name) {
            self.fault(key, format!("`{name}` is no name of a score line"), Some(name_hint()));
        }
        Some(name)
    }

    /// A day, as a text or a TOML date.
    pub fn day(&self, key: &str) -> Option<Day> {
        let node = self.get(key)?;
        let day = match &node.value {
            Value::Text(text) | Value::Moment(text) => read_day(text),
            _ => None,
        };
        if day.is_none() {
            self.wrong(key, node, "a day such as \"2025-11-10\"");
        }
        day
    }

    /// Notes that a value is not what was expected.
    pub fn wrong(&self, key: &str, node: &Node, expected: &str) {
        let found = match &node.value {
            Value::List(_) | Value::Table(_) => node.value.kind().to_owned(),
            value => format!("{} `{}`", value.kind(), value.text()),
        };
        let message = format!("expected {expected}, found {found}");
        self.value_fault(key, node, message, hint(&node.value, expected));
    }

    /// Notes a fault of a value. One that a nearer file's setting gave is told at that setting.
    pub(crate) fn value_fault(
        &self,
        key: &str,
        node: &Node,
        message: String,
        hint: Option<String>,
    ) {
        let key = self.key(key);
        match &node.setting {
            None => self.faults.add(node.place, &key, message, hint),
            Some(Origin { name, place }) if place.file < node.place.file => {
                let message = format!("{message} (for `{key}`)");
                self.faults.add(*place, &format!("settings.{name}"), message, hint);
            }
            Some(Origin { name, .. }) => {
                let message = format!("{message} (the setting `{name}`)");
                self.faults.add(node.place, &key, message, hint);
            }
        }
    }
}

fn hint(value: &Value, expected: &str) -> Option<String> {
    if expected != "an exact number" {
        return None;
    }
    match value {
        Value::Float(text) => Some(format!(
            "write it as a text: \"{text}\", or as the fraction that is meant, such as \"1/3\""
        )),
        _ => Some(
            "a whole number such as 3, or a text such as \"1/3\", \"0.33\"; \
                   at most 9 digits on each side"
                .to_owned(),
        ),
    }
}

/// Whether it can be the id of a measure or the name of a line.
pub(super) fn is_name(name: &str) -> bool {
    let head = name.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase());
    let body = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    head && name.len() <= 40 && name.bytes().all(body)
}

/// What a name looks like.
pub(super) fn name_hint() -> String {
    "a letter, then letters, digits and `_`, all lower-case, at most 40".to_owned()
}

fn read_day(text: &str) -> Option<Day> {
    let mut parts = text.split('-');
    let mut part = |len: usize| {
        let digits = parts.next()?;
        let fits = digits.len() == len && digits.bytes().all(|byte| byte.is_ascii_digit());
        fits.then(|| digits.parse::<u16>().ok()).flatten()
    };
    let (year, month, day) = (part(4)?, part(2)?, part(2)?);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    let whole = parts.next().is_none() && (1..=days).contains(&day);
    whole.then_some(Day { year, month: month as u8, day: day as u8 })
}
