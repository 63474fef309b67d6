//! Golden files: a line is a name, numbers where there are any, and bytes in hexadecimal digits.

use std::collections::BTreeMap;

use scrutineer_engine::event::Event;

/// A line of `events.txt`.
#[derive(Clone, Debug)]
pub struct Line {
    pub kind: u16,
    pub schema: u16,
    pub bytes: Vec<u8>,
}

impl Line {
    pub fn decode(&self) -> Event {
        Event::decode_strict(self.kind, self.schema, &self.bytes).expect("a golden line is read")
    }
}

/// The lines of a file, without remarks, as words.
pub fn words(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split(' ').collect())
}

pub fn golden() -> BTreeMap<String, Line> {
    let mut lines = BTreeMap::new();
    for line in words(include_str!("events.txt")) {
        let (name, kind, schema, bytes) = match line[..] {
            [name, kind, schema, bytes] => (name, kind, schema, bytes),
            [name, kind, schema] => (name, kind, schema, ""),
            _ => panic!("{line:?} is no line"),
        };
        let (kind, schema) = (kind.parse().expect("kind"), schema.parse().expect("schema"));
        let twice = lines.insert(name.to_owned(), Line { kind, schema, bytes: from_hex(bytes) });
        assert!(twice.is_none(), "{name} stands twice");
    }
    lines
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub fn from_hex(text: &str) -> Vec<u8> {
    let digits = text.as_bytes().chunks(2);
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    digits.map(|pair| byte(pair).unwrap_or_else(|| panic!("{text} is not hexadecimal"))).collect()
}
