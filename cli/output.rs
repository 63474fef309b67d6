//! Files that are written for somebody: there whole, or not at all.

use crate::error::CliError;
use scrutineer_engine::names::{turns, unturned};
use scrutineer_store::files::{Beside, Readers};
use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Where a report goes.
pub struct Output {
    to: To,
    /// What it is called in messages.
    shown: PathBuf,
}

enum To {
    /// Standard output, or what can only be written to, such as a device.
    Open(BufWriter<Box<dyn Write>>),
    /// The file, and whether it replaces one that is there.
    File(Beside, bool),
}

impl Output {
    /// To a file, which is there under its name only once everything is in it. One that is there
    /// stays, unless `force` replaces it.
    pub fn file(path: &Path, force: bool) -> Result<Output, CliError> {
        not_there(path, force)?;
        let special = fs::metadata(path).is_ok_and(|found| !found.is_file());
        let opened = match special {
            true => File::options().write(true).open(path).map(|file| To::open(Box::new(file))),
            false => Beside::create(path, Readers::Others).map(|to| To::File(to, force)),
        };
        let to = opened.map_err(|error| not_written(path, &error))?;
        Ok(Output { to, shown: path.to_path_buf() })
    }

    /// To standard output.
    pub fn standard() -> Output {
        Output { to: To::open(Box::new(io::stdout())), shown: "standard output".into() }
    }

    /// Writes bytes; says whether anybody still reads.
    pub fn write(&mut self, bytes: &[u8]) -> Result<bool, CliError> {
        let written = match &mut self.to {
            To::Open(to) => to.write_all(bytes),
            To::File(to, _) => to.write_all(bytes),
        };
        match written {
            Ok(()) => Ok(true),
            // A reader who has seen enough, such as `head`, is no failure.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
            Err(error) => Err(not_written(&self.shown, &error)),
        }
    }

    /// Everything is written: the file gets its name.
    pub fn finish(self) -> Result<(), CliError> {
        let done = match self.to {
            To::Open(mut to) => to.flush(),
            To::File(to, true) => to.finish(),
            To::File(to, false) => to.finish_new(),
        };
        match done {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(not_written(&self.shown, &error))
            }
            _ => Ok(()),
        }
    }
}

impl To {
    fn open(to: Box<dyn Write>) -> To {
        To::Open(BufWriter::new(to))
    }
}

/// Writes a file that somebody is given, whole. One that is there stays, unless `force` replaces it.
pub fn publish(path: &Path, bytes: &[u8], force: bool) -> Result<(), CliError> {
    scrutineer_desk::publish(path, bytes, force).map_err(|error| not_written(path, &error))
}

/// Refuses a file that is there already, unless `force` replaces it; for before the work.
pub fn not_there(path: &Path, force: bool) -> Result<(), CliError> {
    match !force && fs::metadata(path).is_ok_and(|found| found.is_file()) {
        true => Err(not_written(path, &io::ErrorKind::AlreadyExists.into())),
        false => Ok(()),
    }
}

fn not_written(path: &Path, error: &io::Error) -> CliError {
    let file = path.display();
    match error.kind() {
        io::ErrorKind::AlreadyExists => CliError::new(
            "file-exists",
            format!("{file} is there already"),
            "name another file, or replace it with --force",
        ),
        _ => CliError::new(
            "file-not-written",
            format!("cannot write {file}: {error}"),
            "check the name, the disk and the permissions",
        ),
    }
}

/// Text for a terminal. What people and files brought in may hold what a terminal acts on, so of
/// all control characters only ends of lines, tabs and our own colours pass; and nothing that turns
/// the direction of what stands beside it.
pub fn printable(text: &str) -> Cow<'_, str> {
    let passes = |c: char| !c.is_control() || matches!(c, '\n' | '\t');
    if text.chars().all(|c| passes(c) && !turns(c)) {
        return text.into();
    }
    let text = unturned(text);
    let mut shown = String::with_capacity(text.len());
    let mut rest = &text[..];
    while let Some(first) = rest.chars().next() {
        let colour = colour(rest);
        let len = colour.unwrap_or(first.len_utf8());
        match colour.is_some() || passes(first) {
            true => shown.push_str(&rest[..len]),
            false => shown.push('\u{fffd}'),
        }
        rest = &rest[len..];
    }
    shown.into()
}

/// The length of the colour that a text begins with: `ESC [`, digits and `;`, `m`.
fn colour(text: &str) -> Option<usize> {
    let digits = text.strip_prefix("\u{1b}[")?;
    let end = digits.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    digits[end..].starts_with('m').then_some(end + 3)
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn a_terminal_gets_text_and_colours_and_nothing_that_it_acts_on() {
        let table = "\u{1b}[1;31merror\u{1b}[0m:\ta name\n";
        assert_eq!(printable(table), table);
        assert_eq!(printable("Zo\u{eb}"), "Zo\u{eb}");
        assert_eq!(printable("a\u{1b}]0;title\u{7}b"), "a\u{fffd}]0;title\u{fffd}b");
        assert_eq!(printable("a\u{1b}[2Jb\rc\u{9b}d"), "a\u{fffd}[2Jb\u{fffd}c\u{fffd}d");
        assert_eq!(printable("\u{1b}"), "\u{fffd}");
    }
}
