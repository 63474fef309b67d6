//! Files that are written for somebody: there whole, or not at all.

use crate::fail::Fail;
use scrutineer_engine::files::{Beside, Readers};
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
    File(Beside),
}

impl Output {
    /// To a file, which is there under its name only once everything is in it.
    pub fn file(path: &Path) -> Result<Output, Fail> {
        let special = fs::metadata(path).is_ok_and(|found| !found.is_file());
        let opened = match special {
            true => File::options().write(true).open(path).map(|file| To::open(Box::new(file))),
            false => Beside::create(path, Readers::Others).map(To::File),
        };
        let to = opened.map_err(|error| not_written(path, &error))?;
        Ok(Output { to, shown: path.to_path_buf() })
    }

    /// To standard output.
    pub fn standard() -> Output {
        Output { to: To::open(Box::new(io::stdout())), shown: "standard output".into() }
    }

    /// Writes bytes; says whether anybody still reads.
    pub fn write(&mut self, bytes: &[u8]) -> Result<bool, Fail> {
        let written = match &mut self.to {
            To::Open(to) => to.write_all(bytes),
            To::File(to) => to.write_all(bytes),
        };
        match written {
            Ok(()) => Ok(true),
            // A reader who has seen enough, such as `head`, is no failure.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
            Err(error) => Err(not_written(&self.shown, &error)),
        }
    }

    /// Everything is written: the file gets its name.
    pub fn finish(self) -> Result<(), Fail> {
        let done = match self.to {
            To::Open(mut to) => to.flush(),
            To::File(to) => to.finish(),
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

fn not_written(path: &Path, error: &io::Error) -> Fail {
    let message = format!("cannot write {}: {error}", path.display());
    Fail::new("file-not-written", message, "check the name, the disk and the permissions")
}
