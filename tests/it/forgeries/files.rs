//! The files of a tournament, copied to be forged.

use super::parts::{Parts, ended, lines};
use crate::cli::desk::Desk;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A copy of the true files.
pub struct Place {
    pub desk: Desk,
}

/// Every file below a folder, by its path there.
pub fn all_files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).expect("readable") {
            let path = entry.expect("readable").path();
            // What reads faster by sled is there without it too.
            match path.is_dir() {
                true if path.ends_with("sled") => {}
                true => open.push(path),
                false => {
                    let name = path.strip_prefix(folder).expect("below it").to_path_buf();
                    found.insert(name, fs::read(&path).expect("readable"));
                }
            }
        }
    }
    found
}

/// A fresh copy of these files.
pub fn copied(files: &BTreeMap<PathBuf, Vec<u8>>) -> Place {
    let place = Place { desk: Desk::new() };
    for (path, bytes) in files {
        place.desk.write(&path.to_string_lossy(), bytes);
    }
    place
}

/// The first line that begins with this key.
pub fn first(lines: &[String], key: &str) -> usize {
    let begins = format!("{{\"{key}\":");
    lines.iter().position(|line| line.starts_with(&begins)).unwrap_or_else(|| panic!("no {key}"))
}

impl Place {
    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.desk.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).expect("text")
    }

    /// Writes a file anew.
    pub fn bytes(&self, name: &str, change: impl FnOnce(&mut Vec<u8>)) {
        let mut bytes = self.read(name);
        change(&mut bytes);
        self.desk.write(name, &bytes);
    }

    /// Puts words in the place of others, which have to be there.
    pub fn replace(&self, name: &str, from: &str, to: &str) {
        let text = self.text(name);
        assert!(text.contains(from), "{name} has no {from:?}");
        self.desk.write(name, text.replacen(from, to, 1).as_bytes());
    }

    /// Changes the lines of a bundle, and makes its last line again.
    pub fn lines(&self, name: &str, change: impl FnOnce(&mut Vec<String>)) {
        self.bytes(name, |bytes| {
            let mut all = lines(bytes);
            change(&mut all);
            *bytes = ended(all);
        });
    }

    /// Changes words in the first line of a kind.
    pub fn in_line(&self, name: &str, key: &str, from: &str, to: &str) {
        self.lines(name, |lines| {
            let at = first(lines, key);
            assert!(lines[at].contains(from), "{key} has no {from}");
            lines[at] = lines[at].replacen(from, to, 1);
        });
    }

    /// Puts another digit in the place of the first one behind these words.
    pub fn other_digit(&self, name: &str, key: &str, behind: &str) {
        self.lines(name, |lines| {
            let at = first(lines, key);
            let digit = lines[at].find(behind).expect("the words") + behind.len();
            let other = if &lines[at][digit..=digit] == "1" { "2" } else { "1" };
            lines[at].replace_range(digit..=digit, other);
        });
    }

    /// Changes what a bundle holds, and spells all of it again as whoever knows the format does.
    pub fn parts(&self, name: &str, change: impl FnOnce(&mut Parts)) {
        self.bytes(name, |bytes| {
            let mut parts = Parts::of(bytes);
            change(&mut parts);
            *bytes = parts.spell();
        });
    }

    /// Makes the store anew out of what it holds, changed.
    pub fn store(&self, change: impl FnOnce(&mut Parts)) {
        let mut parts = Parts::of(&self.read("handover.bundle"));
        change(&mut parts);
        let store = self.desk.path("store");
        fs::remove_dir_all(&store).expect("removed");
        parts.keep_in(&store);
    }

    /// The only file of a folder.
    pub fn only(&self, folder: &str) -> String {
        let mut names = fs::read_dir(self.desk.path(folder)).expect("a folder");
        let name = names.next().expect("a file").expect("readable").file_name();
        format!("{folder}/{}", name.to_string_lossy())
    }

    /// Changes the lines of the only file of a folder.
    pub fn lines_in(&self, folder: &str, change: impl FnOnce(&mut Vec<String>)) {
        let file = self.only(folder);
        let mut lines: Vec<String> = self.text(&file).lines().map(str::to_string).collect();
        change(&mut lines);
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        self.desk.write(&file, text.as_bytes());
    }
}
