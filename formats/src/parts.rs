//! Answers that a platform gives one by one, each in a file of its own: together they are one tournament.

use super::{ALL, Fault, File, Format, ImportError, limits};

/// Which part of a tournament a file holds that is not whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Under which key it is put together with the others; empty: all are items of one list.
    key: &'static str,
    /// Whether there may be more of it: it is put into a list.
    is_listed: bool,
}

impl Part {
    /// A part of which there is one, such as the tournament's details.
    pub(crate) const fn one(key: &'static str) -> Part {
        Part { key, is_listed: false }
    }

    /// A part of which there may be several, such as the pages of a list.
    pub(crate) const fn many(key: &'static str) -> Part {
        Part { key, is_listed: true }
    }
}

/// Whether a file holds a part of a tournament, and of which format; none where it is whole or of no format.
/// Parts of one format that lie in one folder, or are given together, are of one tournament: see [`join`].
pub fn part_of(name: &str, bytes: &[u8]) -> Option<&'static str> {
    part(&File::new(name, bytes)).map(|(format, _)| format.name())
}

fn part<'a>(file: &File) -> Option<(&'a dyn Format, Part)> {
    let format = ALL.iter().find(|format| format.detect(file))?;
    Some((*format, format.part(file)?))
}

/// Puts the parts of a tournament together into one file of their format: what [`super::read`] reads.
/// The same parts give the same bytes, in whatever order they come.
///
/// # Errors
/// Where a file is no part, is of another format, or is a second one of a part of which there is one.
pub fn join(files: &[(&str, &[u8])]) -> Result<Vec<u8>, ImportError> {
    let mut files = files.to_vec();
    files.sort();
    files.dedup();
    let mut format = "";
    let mut found: Vec<(Part, &str, &str)> = Vec::new();
    let mut bytes = 0;
    for (name, all) in &files {
        let in_file = |fault: Fault| ImportError::from(fault).of_program().in_file(name);
        bytes += all.len();
        if bytes > limits::FILE_BYTES {
            return Err(in_file(Fault::TooLarge { bytes }));
        }
        let file = File::new(name, all);
        let own = part(&file);
        let (Some((own, part)), Some(text)) = (own, file.text) else {
            let what = "a part of a tournament, such as a page of matches,".to_owned();
            return Err(in_file(Fault::Missing { what }));
        };
        if !format.is_empty() && format != own.name() {
            let (what, found) = ("the file".to_owned(), own.name().to_owned());
            return Err(in_file(Fault::BadValue { what, found, expected: format.to_owned() }));
        }
        format = own.name();
        let before = found.iter().find(|(other, ..)| !part.is_listed && other.key == part.key);
        if let Some((_, other, _)) = before {
            let (what, found) = (part.key.to_owned(), "a second one".to_owned());
            let expected = format!("one tournament in a folder: the first is that of {other}");
            return Err(in_file(Fault::BadValue { what, found, expected }));
        }
        found.push((part, name, text.trim()));
    }
    Ok(joined(&found).into_bytes())
}

/// The text of all parts.
fn joined(parts: &[(Part, &str, &str)]) -> String {
    let mut keys: Vec<&str> = parts.iter().map(|(part, ..)| part.key).collect();
    keys.sort_unstable();
    keys.dedup();
    let of = |key: &str| {
        let own = parts.iter().filter(|(part, ..)| part.key == key);
        let is_listed = own.clone().any(|(part, ..)| part.is_listed);
        let texts: Vec<&str> = own.map(|(_, _, text)| items(text, is_listed)).collect();
        let texts: Vec<&str> = texts.into_iter().filter(|text| !text.is_empty()).collect();
        let text = texts.join(",");
        if is_listed { format!("[{text}]") } else { text }
    };
    match keys[..] {
        [""] => of(""),
        _ => {
            let entries: Vec<String> =
                keys.iter().map(|key| format!("\"{key}\":{}", of(key))).collect();
            format!("{{{}}}", entries.join(","))
        }
    }
}

/// The items of a list without its brackets, where it goes into another list; any other value as it is.
fn items(text: &str, is_listed: bool) -> &str {
    let inside = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    inside.filter(|_| is_listed).map_or(text, str::trim)
}
