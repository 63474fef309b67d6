//! Files in a folder that any web space or sync tool takes: each whole at every moment, only those rewritten
//! that changed, and those taken away that are no more.

use scrutineer_desk::publish;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

/// What says which files of the folder were written here, and of which tournament.
const LIST: &str = "scrutineer-files.txt";
/// The longest list that is read, in bytes.
const LONGEST: u64 = 16 << 20;

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// How many files there are.
    pub files: usize,
    /// How many of them changed.
    pub changed: usize,
    /// How many were taken away.
    pub removed: usize,
}

fn not_written(path: &Path, error: &io::Error) -> VerbError {
    let message = format!("{} cannot be written: {error}", path.display());
    VerbError::new(
        Code::io("file-not-written"),
        message,
        "look at the folder, and whether the disk is full",
    )
}

fn not_ours(folder: &Path, what: &str) -> VerbError {
    let message = format!("{} {what}", folder.display());
    VerbError::new(
        Code::invalid("folder-not-ours"),
        message,
        "name another folder, or an empty one",
    )
}

/// The names of the files that were written before; none where the folder is empty.
fn before(folder: &Path, id: &str) -> Result<Vec<String>, VerbError> {
    let list = folder.join(LIST);
    let is_short = |found: &fs::Metadata| found.is_file() && found.len() <= LONGEST;
    let text = match fs::metadata(&list) {
        Ok(found) if is_short(&found) => {
            Some(fs::read(&list).map_err(|error| not_written(&list, &error))?)
        }
        _ => None,
    };
    let Some(text) = text else {
        let is_empty = fs::read_dir(folder).map_or(true, |mut all| all.next().is_none());
        let what = "has files of somebody else";
        return if is_empty { Ok(Vec::new()) } else { Err(not_ours(folder, what)) };
    };
    let text = String::from_utf8_lossy(&text);
    let mut lines = text.lines();
    if lines.next() != Some(id) {
        return Err(not_ours(folder, "has the pages of another tournament"));
    }
    // Whoever writes into the list names no file elsewhere.
    let is_here = |name: &&str| {
        !name.is_empty() && !name.contains(['/', '\\', ':']) && !name.starts_with('.')
    };
    Ok(lines.filter(is_here).map(str::to_string).collect())
}

/// Writes what changed.
///
/// # Errors
/// Where the folder is somebody else's, or cannot be written.
pub fn write(
    folder: &Path,
    id: &str,
    files: &BTreeMap<String, Vec<u8>>,
) -> Result<Written, VerbError> {
    let before = before(folder, id)?;
    let gone: Vec<&String> = before.iter().filter(|name| !files.contains_key(*name)).collect();
    // Before the files, so that none is forgotten where the power is cut in between.
    let mut all = files.keys().chain(gone.iter().copied());
    let list = |names: &mut dyn Iterator<Item = &String>| {
        let names: Vec<&str> = names.map(|name| &name[..]).collect();
        format!("{id}\n{}\n", names.join("\n")).into_bytes()
    };
    let put = |name: &str, bytes: &[u8]| -> Result<bool, VerbError> {
        let path = folder.join(name);
        let same = fs::read(&path).is_ok_and(|there| there == bytes);
        if !same {
            publish(&path, bytes, true).map_err(|error| not_written(&path, &error))?;
        }
        Ok(!same)
    };
    put(LIST, &list(&mut all))?;
    let mut written = Written { files: files.len(), changed: 0, removed: gone.len() };
    for (name, bytes) in files {
        written.changed += usize::from(put(name, bytes)?);
    }
    for name in &gone {
        match fs::remove_file(folder.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(not_written(&folder.join(name), &error));
            }
            _ => {}
        }
    }
    put(LIST, &list(&mut files.keys()))?;
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(all: &[(&str, &str)]) -> BTreeMap<String, Vec<u8>> {
        all.iter().map(|(name, text)| (name.to_string(), text.as_bytes().to_vec())).collect()
    }

    #[test]
    fn only_what_changed_is_written_and_what_is_no_more_is_taken_away() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = folder.path().join("site");
        let first = files(&[("index.html", "1"), ("round-1.html", "r"), ("a.css", "c")]);
        let all = Written { files: 3, changed: 3, removed: 0 };
        assert_eq!(write(&at, "7b9a", &first).expect("written"), all);
        assert_eq!(write(&at, "7b9a", &first).expect("written").changed, 0);
        let second = files(&[("index.html", "2"), ("a.css", "c")]);
        let some = Written { files: 2, changed: 1, removed: 1 };
        assert_eq!(write(&at, "7b9a", &second).expect("written"), some);
        assert!(!at.join("round-1.html").exists());
        // What somebody else put there stays.
        fs::write(at.join("mine.txt"), "mine").expect("written");
        write(&at, "7b9a", &second).expect("written");
        assert!(at.join("mine.txt").exists());
        let other = write(&at, "ffff", &second).expect_err("another tournament");
        assert_eq!(other.code, "folder-not-ours");
        let strange = folder.path().join("strange");
        fs::create_dir(&strange).expect("made");
        fs::write(strange.join("x"), "").expect("written");
        assert_eq!(write(&strange, "7b9a", &second).expect_err("not ours").code, "folder-not-ours");
    }

    #[test]
    fn a_list_that_was_changed_names_no_file_elsewhere() {
        let folder = tempfile::tempdir().expect("a folder");
        let (at, other) = (folder.path().join("site"), folder.path().join("other.txt"));
        write(&at, "7b9a", &files(&[("index.html", "1")])).expect("written");
        fs::write(&other, "keep").expect("written");
        fs::write(at.join(LIST), "7b9a\n../other.txt\nindex.html\n").expect("written");
        write(&at, "7b9a", &files(&[("index.html", "1")])).expect("written");
        assert!(other.exists());
    }
}
