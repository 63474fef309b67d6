//! A file of another program, and what it is known by.

use super::{Fault, ImportError, limits};

/// A file of another program, before anybody knows of which one.
#[derive(Clone, Debug)]
pub struct File<'a> {
    /// Its name, for messages; never what it is known by.
    pub name: &'a str,
    /// All of it.
    pub bytes: &'a [u8],
    /// Its text without a byte-order mark, where it is UTF-8.
    pub text: Option<&'a str>,
    /// The keys of its JSON object, in their order; none where it is no such text.
    pub keys: Vec<String>,
    /// The keys of the first object of its JSON list; none where it is no such text.
    pub item_keys: Vec<String>,
    /// Which columns of a sheet a person has chosen, such as `round=1,player_a=2,player_b=3`.
    pub columns: Option<&'a str>,
}

impl<'a> File<'a> {
    /// A file of these bytes.
    pub fn new(name: &'a str, bytes: &'a [u8]) -> File<'a> {
        let text = std::str::from_utf8(bytes).ok();
        let text = text.map(|text| text.strip_prefix('\u{feff}').unwrap_or(text));
        let object = text.filter(|text| text.trim_start().starts_with('{') && depth(text).is_ok());
        let keys = object.and_then(|text| serde_json::from_str(text).ok());
        let keys = keys.map_or(Vec::new(), |Keys(keys)| keys);
        let list = text.filter(|text| text.trim_start().starts_with('[') && depth(text).is_ok());
        let item = list.and_then(|text| serde_json::from_str(text).ok());
        let item_keys = item.map_or(Vec::new(), |First(keys)| keys);
        File { name, bytes, text, keys, item_keys, columns: None }
    }

    /// Whether its JSON object has all of these keys.
    pub fn has(&self, keys: &[&str]) -> bool {
        keys.iter().all(|key| self.keys.iter().any(|own| own == key))
    }

    /// Whether it is a JSON list whose first object has all of these keys.
    pub fn lists(&self, keys: &[&str]) -> bool {
        !self.item_keys.is_empty()
            && keys.iter().all(|key| self.item_keys.iter().any(|own| own == key))
    }

    /// Its text.
    ///
    /// # Errors
    /// Where it is no UTF-8.
    pub fn text(&self) -> Result<&'a str, ImportError> {
        self.text.ok_or_else(|| match std::str::from_utf8(self.bytes) {
            Err(error) => Fault::NotUtf8 { offset: error.valid_up_to() }.into(),
            Ok(_) => Fault::Empty.into(),
        })
    }
}

/// Refuses JSON nested deeper than any of these formats is.
pub(crate) fn depth(text: &str) -> Result<(), ImportError> {
    let (mut depth, mut quoted, mut escaped) = (0usize, false, false);
    for (offset, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'[' | b'{' if !quoted => depth += 1,
            b']' | b'}' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > limits::JSON_DEPTH {
            return Err(Fault::TooDeep.at(format!("byte {offset}")));
        }
    }
    Ok(())
}

/// The keys of a JSON object, each as often as it stands there.
struct Keys(Vec<String>);

impl<'de> serde::Deserialize<'de> for Keys {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Keys, D::Error> {
        struct Collect;
        impl<'de> serde::de::Visitor<'de> for Collect {
            type Value = Keys;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Keys, A::Error> {
                let mut keys = Vec::new();
                while let Some((key, serde::de::IgnoredAny)) = map.next_entry()? {
                    keys.push(key);
                }
                Ok(Keys(keys))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

/// The keys of the first value of a list, where it is an object.
struct First(Vec<String>);

impl<'de> serde::Deserialize<'de> for First {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<First, D::Error> {
        struct Collect;
        impl<'de> serde::de::Visitor<'de> for Collect {
            type Value = First;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a list of objects")
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(
                self,
                mut list: A,
            ) -> Result<First, A::Error> {
                let first = list.next_element::<Keys>()?;
                while let Some(serde::de::IgnoredAny) = list.next_element()? {}
                Ok(First(first.map_or(Vec::new(), |Keys(keys)| keys)))
            }
        }
        deserializer.deserialize_seq(Collect)
    }
}
