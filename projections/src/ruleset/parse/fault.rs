//! What is wrong with a ruleset, where, and what was probably meant.

use crate::ruleset::limits::FAULTS;
use std::cell::RefCell;
use std::fmt;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The file, such as `mtr.toml`; empty where it is about no file.
    pub file: String,
    /// The line, from 1; 0: no certain line.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// The key, such as `measures.omw.floor`; empty where it is about no key.
    pub key: String,
    /// What is wrong, and what was expected.
    pub message: String,
    /// What to write instead, where that can be said.
    pub hint: Option<String>,
}

impl Fault {
    /// A fault that has no place in a file.
    pub(crate) fn general(message: impl Into<String>, hint: Option<String>) -> Fault {
        let (file, key) = (String::new(), String::new());
        Fault { file, line: 0, column: 0, key, message: message.into(), hint }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.is_empty() {
            write!(f, "{}:", self.file)?;
            if self.line > 0 {
                write!(f, "{}:{}:", self.line, self.column)?;
            }
            write!(f, " ")?;
        }
        if !self.key.is_empty() {
            write!(f, "`{}`: ", self.key)?;
        }
        write!(f, "{}", self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

/// A ruleset that cannot be used: every fault found, in the order of the files.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct RulesetError {
    /// One or more.
    pub faults: Vec<Fault>,
}

impl fmt::Display for RulesetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            write!(f, "{fault}")?;
        }
        Ok(())
    }
}

impl From<Fault> for RulesetError {
    fn from(fault: Fault) -> RulesetError {
        RulesetError { faults: vec![fault] }
    }
}

/// Where something stands: a file's number and a byte in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub file: usize,
    pub at: usize,
}

/// Collects faults; places become lines and columns here.
pub(super) struct Faults<'a> {
    texts: Vec<(&'a str, &'a str)>,
    found: RefCell<Vec<(Place, Fault)>>,
}

impl<'a> Faults<'a> {
    /// For files with these ids and texts.
    pub fn new(texts: Vec<(&'a str, &'a str)>) -> Faults<'a> {
        Faults { texts, found: RefCell::default() }
    }

    /// Notes a fault; one for each key at a place.
    pub fn add(&self, place: Place, key: &str, message: String, hint: Option<String>) {
        let mut found = self.found.borrow_mut();
        let again = found.iter().any(|(at, fault)| *at == place && fault.key == key);
        if found.len() >= FAULTS || again {
            return;
        }
        let (name, text) = self.texts.get(place.file).copied().unwrap_or_default();
        let (line, column) = line_and_column(text, place.at);
        let key = key.to_owned();
        found.push((place, Fault { file: file_name(name), line, column, key, message, hint }));
    }

    /// Nothing, or the error with everything that was noted.
    pub fn check(&self) -> Result<(), RulesetError> {
        let mut found = self.found.borrow().clone();
        if found.is_empty() {
            return Ok(());
        }
        found.sort_by_key(|(place, _)| *place);
        Err(RulesetError { faults: found.into_iter().map(|(_, fault)| fault).collect() })
    }
}

/// `mtr` is told to people as `mtr.toml`; a change written as an expression stays as it is.
fn file_name(id: &str) -> String {
    if id.contains('+') || id.ends_with(".toml") { id.to_owned() } else { format!("{id}.toml") }
}

fn line_and_column(text: &str, at: usize) -> (u32, u32) {
    let before = text.get(..at).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    let column = before[start..].chars().count() + 1;
    let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    (small(line), small(column))
}

/// `did you mean …?` with the nearest of the names, where one is near.
pub(in crate::ruleset) fn did_you_mean<'n>(
    word: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> Option<String> {
    nearest(word, names).map(|name| format!("did you mean `{name}`?"))
}

/// The nearest of the names, where one is near.
pub(super) fn nearest<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    near(word, names).into_iter().next()
}

/// The names that are near, the nearest first.
pub(in crate::ruleset) fn near<'n>(
    word: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> Vec<&'n str> {
    if word.len() > 80 {
        return Vec::new();
    }
    let scored = names.into_iter().map(|name| (strsim::jaro_winkler(word, name), name));
    let mut near: Vec<_> = scored.filter(|(score, _)| *score >= 0.8).collect();
    near.sort_by(|(a, one), (b, other)| b.total_cmp(a).then_with(|| one.cmp(other)));
    near.into_iter().map(|(_, name)| name).collect()
}
