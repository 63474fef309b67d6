//! Files that are written for somebody: there whole, or not at all.

use crate::error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_store::files::{Beside, Readers};
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
    pub fn file(path: &Path, force: bool) -> Result<Output, VerbError> {
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
    pub fn write(&mut self, bytes: &[u8]) -> Result<bool, VerbError> {
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
    pub fn finish(self) -> Result<(), VerbError> {
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
pub fn publish(path: &Path, bytes: &[u8], force: bool) -> Result<(), VerbError> {
    scrutineer_desk::publish(path, bytes, force).map_err(|error| not_written(path, &error))
}

/// Refuses a file that is there already, unless `force` replaces it; for before the work.
pub fn not_there(path: &Path, force: bool) -> Result<(), VerbError> {
    match !force && fs::metadata(path).is_ok_and(|found| found.is_file()) {
        true => Err(not_written(path, &io::ErrorKind::AlreadyExists.into())),
        false => Ok(()),
    }
}

fn not_written(path: &Path, error: &io::Error) -> VerbError {
    let file = path.display();
    match error.kind() {
        io::ErrorKind::AlreadyExists => VerbError::new(
            Code::conflict("file-exists"),
            format!("{file} is there already"),
            "name another file, or replace it with --force",
        ),
        _ => VerbError::new(
            Code::io("file-not-written"),
            format!("cannot write {file}: {error}"),
            "check the name, the disk and the permissions",
        ),
    }
}
