//! JSON of programs whose answers change from year to year: read as it stands, asked by key, with the place of
//! whatever is wrong.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};

use super::error::shortened;
use super::source::{PublishedMeasure, PublishedValue};
use super::{Fault, ImportError, limits};

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Json {
    Null,
    Truth(bool),
    /// A number in plain digits.
    Number(String),
    Text(String),
    List(Vec<Json>),
    /// An object: its keys in their order.
    Object(Vec<(String, Json)>),
}

static NULL: Json = Json::Null;

impl Json {
    /// Reads a text as one value: no key twice in an object, no more values than are read.
    ///
    /// # Errors
    /// Where it is broken.
    pub fn read(text: &str) -> Result<Json, ImportError> {
        let left = Cell::new(limits::JSON_VALUES);
        let mut reader = serde_json::Deserializer::from_str(text);
        let read = Seed { left: &left }.deserialize(&mut reader);
        match read.and_then(|json| reader.end().map(|()| json)) {
            Ok(json) => Ok(json),
            Err(_) if left.get() == usize::MAX => {
                Err(Fault::TooMany { what: "values", limit: limits::JSON_VALUES }.into())
            }
            Err(error) => Err(ImportError::json(error)),
        }
    }

    /// The whole of it, to be asked.
    pub fn root(&self) -> Node<'_> {
        Node { json: self, place: String::new() }
    }
}

/// Reads a value, as long as values are left.
struct Seed<'a> {
    left: &'a Cell<usize>,
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Json;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        let left = self.left.get().checked_sub(1);
        self.left.set(left.unwrap_or(usize::MAX));
        if left.is_none() {
            return Err(D::Error::custom("too many values"));
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Truth(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Number(value.to_string()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Number(value.to_string()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Json::Number(value.to_string()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Json, E> {
        Ok(Json::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Json, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element_seed(Seed { left: self.left })? {
            items.push(item);
        }
        Ok(Json::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut entries = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        while let Some(key) = map.next_key::<String>()? {
            if !seen.insert(key.clone()) {
                return Err(A::Error::custom(format_args!(
                    "duplicate field `{}`",
                    shortened(&key)
                )));
            }
            entries.push((key, map.next_value_seed(Seed { left: self.left })?));
        }
        Ok(Json::Object(entries))
    }
}

/// Of a place that is longer than this the end is shown: those of real answers have half of it.
const PLACE_BYTES: usize = 240;

/// A value with its place in the file.
#[derive(Clone, Debug)]
pub(crate) struct Node<'a> {
    json: &'a Json,
    /// Its place, such as `stages[0].matches[3].top`; empty: the whole file.
    pub place: String,
}

impl<'a> Node<'a> {
    /// Where a key of it stands. Each value has a copy of its place: of a made-up file it must not become long.
    pub fn place_of(&self, key: &str) -> String {
        let key = shortened(key);
        match self.place.len() {
            0 => key,
            long if long > PLACE_BYTES => format!("...{key}"),
            _ => format!("{}.{key}", self.place),
        }
    }

    /// What stands at a key; none where it is missing or null.
    pub fn get(&self, key: &str) -> Option<Node<'a>> {
        let Json::Object(entries) = self.json else { return None };
        let (_, json) = entries.iter().find(|(own, _)| own == key)?;
        (*json != NULL).then(|| Node { json, place: self.place_of(key) })
    }

    /// What stands at the first of these keys that is there.
    pub fn any(&self, keys: &[&str]) -> Option<Node<'a>> {
        keys.iter().find_map(|key| self.get(key))
    }

    /// What stands at a key.
    pub fn need(&self, key: &str) -> Result<Node<'a>, ImportError> {
        self.get(key).ok_or_else(|| Fault::Missing { what: key.to_owned() }.at(self.place.as_str()))
    }

    /// Whether it is a list.
    pub fn is_list(&self) -> bool {
        matches!(self.json, Json::List(_))
    }

    /// Whether it is an object.
    pub fn is_object(&self) -> bool {
        matches!(self.json, Json::Object(_))
    }

    /// The items of a list.
    pub fn items(&self) -> Result<Vec<Node<'a>>, ImportError> {
        let Json::List(items) = self.json else { return Err(self.bad("a list")) };
        let numbered = items.iter().enumerate();
        Ok(numbered
            .map(|(at, json)| Node { json, place: format!("{}[{at}]", self.place) })
            .collect())
    }

    /// The lists and the objects among the items of a list, one after the other: there may be millions, each with its
    /// place.
    pub fn nested(&self) -> impl Iterator<Item = Node<'a>> {
        let items: &'a [Json] = match self.json {
            Json::List(items) => items,
            _ => &[],
        };
        let is_nested =
            |(_, json): &(usize, &'a Json)| matches!(json, Json::List(_) | Json::Object(_));
        let nested = items.iter().enumerate().filter(is_nested);
        nested.map(move |(at, json)| Node { json, place: format!("{}[{at}]", self.place) })
    }

    /// The keys of an object, each with what stands there, one after the other.
    pub fn entries(&self) -> impl Iterator<Item = (&'a str, Node<'a>)> {
        let entries: &'a [(String, Json)] = match self.json {
            Json::Object(entries) => entries,
            _ => &[],
        };
        let entry = move |(key, json): &'a (String, Json)| {
            (key.as_str(), Node { json, place: self.place_of(key) })
        };
        entries.iter().map(entry)
    }

    /// The items of a list at a key; none where it is missing.
    pub fn list(&self, key: &str) -> Result<Vec<Node<'a>>, ImportError> {
        self.get(key).map_or(Ok(Vec::new()), |node| node.items())
    }

    /// A text.
    pub fn text(&self) -> Result<&'a str, ImportError> {
        match self.json {
            Json::Text(text) => Ok(text),
            _ => Err(self.bad("a text")),
        }
    }

    /// A text at a key; none where it is missing or empty.
    pub fn text_at(&self, key: &str) -> Result<Option<&'a str>, ImportError> {
        let text = self.get(key).map(|node| node.text()).transpose()?;
        Ok(text.map(str::trim).filter(|text| !text.is_empty()))
    }

    /// A text or a number, as ids are.
    pub fn word(&self) -> Result<&'a str, ImportError> {
        match self.json {
            Json::Text(text) => Ok(text.trim()),
            Json::Number(number) => Ok(number),
            _ => Err(self.bad("a text or a number")),
        }
    }

    /// A text or a number at a key; none where it is missing or empty.
    pub fn word_at(&self, key: &str) -> Result<Option<&'a str>, ImportError> {
        let word = self.get(key).map(|node| node.word()).transpose()?;
        Ok(word.filter(|word| !word.is_empty()))
    }

    /// A whole number, with or without quotation marks or zeros behind a point.
    pub fn whole(&self) -> Result<i64, ImportError> {
        let text = self.word().map_err(|_| self.bad("a whole number"))?;
        let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
        let number = whole.parse().ok().filter(|_| rest.bytes().all(|digit| digit == b'0'));
        number.ok_or_else(|| self.bad("a whole number"))
    }

    /// A whole number at a key; none where it is missing.
    pub fn whole_at(&self, key: &str) -> Result<Option<i64>, ImportError> {
        self.get(key).map(|node| node.whole()).transpose()
    }

    /// A number between two, at a key.
    pub fn within(&self, key: &str, min: i64, max: i64) -> Result<Option<i64>, ImportError> {
        let Some(node) = self.get(key) else { return Ok(None) };
        let number = node.whole()?;
        if (min..=max).contains(&number) {
            return Ok(Some(number));
        }
        let (what, found) = (key.to_owned(), number.to_string());
        Err(Fault::OutOfBounds { what, found, min, max }.at(node.place))
    }

    /// A number from 0 on that counts something, at a key.
    pub fn count_at(&self, key: &str) -> Result<Option<u32>, ImportError> {
        let most = i64::from(u32::MAX);
        Ok(self.within(key, 0, most)?.and_then(|number| u32::try_from(number).ok()))
    }

    /// A score at a key.
    pub fn score_at(&self, key: &str) -> Result<Option<i32>, ImportError> {
        let most = i64::from(limits::SCORE);
        Ok(self.within(key, -most, most)?.and_then(|number| i32::try_from(number).ok()))
    }

    /// Points at a key, in tenths; further digits than one are refused.
    pub fn tenths_at(&self, key: &str) -> Result<Option<i64>, ImportError> {
        let Some(node) = self.get(key) else { return Ok(None) };
        let text = node.decimal()?;
        let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
        let part = part.trim_end_matches('0');
        let tenth = match part.len() {
            0 => Some(0),
            1 => part.parse::<i64>().ok(),
            _ => None,
        };
        let all = whole.parse::<i64>().ok().and_then(|whole| whole.checked_mul(10));
        let (Some(all), Some(tenth)) = (all, tenth) else {
            return Err(node.bad("points with one digit behind the point"));
        };
        Ok(Some(if text.starts_with('-') {
            all.saturating_sub(tenth)
        } else {
            all.saturating_add(tenth)
        }))
    }

    /// A decimal number as it is printed, with or without quotation marks.
    pub fn decimal(&self) -> Result<String, ImportError> {
        let text = self.word().map_err(|_| self.bad("a number"))?;
        match is_decimal(text) {
            true => Ok(text.to_owned()),
            false => Err(self.bad("a decimal such as 0.6667")),
        }
    }

    /// Wins, losses and draws, such as `3-1-0`.
    pub fn record(&self) -> Result<[u32; 3], ImportError> {
        let numbers: Vec<u32> =
            self.text()?.split('-').filter_map(|part| part.trim().parse().ok()).collect();
        let [won, lost, drawn] = numbers[..] else {
            return Err(self.bad("wins, losses and draws, such as 2-1-0"));
        };
        Ok([won, lost, drawn])
    }

    /// The published tiebreakers that stand at these keys, as they are printed.
    pub fn published(
        &self,
        named: &[(&str, PublishedMeasure)],
    ) -> Result<Vec<PublishedValue>, ImportError> {
        let of = |(key, measure): &(&str, PublishedMeasure)| {
            let node = self.get(key)?;
            Some(node.decimal().map(|text| PublishedValue { measure: *measure, text }))
        };
        named.iter().filter_map(of).collect()
    }

    /// Whether a key says yes: `true`, 1, or a text such as `True`; it is no where it is missing.
    pub fn is(&self, key: &str) -> Result<bool, ImportError> {
        let Some(node) = self.get(key) else { return Ok(false) };
        match node.json {
            Json::Truth(truth) => Ok(*truth),
            Json::Number(number) if number == "0" || number == "1" => Ok(number == "1"),
            Json::Text(text) if text.trim().eq_ignore_ascii_case("true") => Ok(true),
            Json::Text(text) if ["", "false"].contains(&text.trim().to_lowercase().as_str()) => {
                Ok(false)
            }
            _ => Err(node.bad("true or false")),
        }
    }

    /// It is not what is expected.
    pub fn bad(&self, expected: &str) -> ImportError {
        let what = self.place.rsplit(['.', ']']).next().filter(|what| !what.is_empty());
        let what = what.unwrap_or("the value").to_owned();
        let found = match self.json {
            Json::Null => "null".to_owned(),
            Json::Truth(truth) => truth.to_string(),
            Json::Number(text) | Json::Text(text) => shortened(text),
            Json::List(_) => "a list".to_owned(),
            Json::Object(_) => "an object".to_owned(),
        };
        Fault::BadValue { what, found, expected: expected.to_owned() }.at(self.place.as_str())
    }
}

/// Whether a text is a plain decimal number.
pub(crate) fn is_decimal(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, "0"));
    let plain = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    plain(whole) && plain(decimals) && text.len() <= limits::NUMBER_CHARS
}
