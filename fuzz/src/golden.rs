//! The engine's golden bytes as seeds.

use std::path::Path;

const EVENTS: &str = include_str!("../../engine/tests/golden/events.txt");
const RECORDS: &str = include_str!("../../engine/tests/golden/records.txt");

/// Writes them into `record`, `event` and `story` of a folder.
pub fn fill(folder: &Path) -> std::io::Result<()> {
    let mut story = Vec::new();
    for line in lines(EVENTS) {
        let kind: u16 = line[1].parse().expect("a kind");
        let payload = bytes(line.get(3).unwrap_or(&""));
        write(&folder.join("event"), line[0], &[&kind.to_le_bytes()[..], &payload].concat())?;
        if let Ok(len) = u8::try_from(payload.len()) {
            story.push([&[kind as u8, len][..], &payload].concat());
        }
    }
    for (number, part) in story.chunks(12).enumerate() {
        write(&folder.join("story"), &number.to_string(), &part.concat())?;
    }
    for line in lines(RECORDS).filter(|line| ["result", "completed"].contains(&line[0])) {
        write(&folder.join("record"), line[0], &bytes(line[1]))?;
    }
    Ok(())
}

fn lines(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split(' ').collect())
}

fn bytes(hex: &str) -> Vec<u8> {
    let digit = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).expect("two digits");
    (0..hex.len()).step_by(2).map(digit).collect()
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join(name), bytes)
}
