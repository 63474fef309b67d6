//! Files that are written for somebody: there whole, or not at all.

use crate::fail::Fail;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Where a report goes.
pub struct Output {
    to: BufWriter<Box<dyn Write>>,
    /// What is written to, and what it will be called.
    file: Option<(PathBuf, PathBuf)>,
    /// What it is called in messages.
    shown: PathBuf,
}

impl Output {
    /// To a file, which is there under its name only once everything is in it.
    pub fn file(path: &Path) -> Result<Output, Fail> {
        let special = fs::metadata(path).is_ok_and(|found| !found.is_file());
        let mut beside = path.as_os_str().to_owned();
        beside.push(".part");
        let (at, file) = match special {
            true => (path.to_path_buf(), None),
            false => (PathBuf::from(&beside), Some((PathBuf::from(beside), path.to_path_buf()))),
        };
        let opened = File::create(at).map_err(|error| not_written(path, &error))?;
        Ok(Output { to: BufWriter::new(Box::new(opened)), file, shown: path.to_path_buf() })
    }

    /// To standard output.
    pub fn standard() -> Output {
        let to: Box<dyn Write> = Box::new(io::stdout());
        Output { to: BufWriter::new(to), file: None, shown: "standard output".into() }
    }

    /// Writes bytes; says whether anybody still reads.
    pub fn write(&mut self, bytes: &[u8]) -> Result<bool, Fail> {
        match self.to.write_all(bytes) {
            Ok(()) => Ok(true),
            // A reader who has seen enough, such as `head`, is no failure.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
            Err(error) => Err(not_written(&self.shown, &error)),
        }
    }

    /// Everything is written: the file gets its name.
    pub fn finish(mut self) -> Result<(), Fail> {
        match self.to.flush() {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                return Err(not_written(&self.shown, &error));
            }
            _ => {}
        }
        let Some((beside, path)) = self.file.take() else { return Ok(()) };
        let named = File::open(&beside)
            .and_then(|file| file.sync_all())
            .and_then(|()| fs::rename(&beside, &path));
        named.map_err(|error| {
            let _ = fs::remove_file(&beside);
            not_written(&path, &error)
        })
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        // Half a report is none.
        if let Some((beside, _)) = &self.file {
            let _ = fs::remove_file(beside);
        }
    }
}

fn not_written(path: &Path, error: &io::Error) -> Fail {
    let message = format!("cannot write {}: {error}", path.display());
    Fail::new("file-not-written", message, "check the name, the disk and the permissions")
}
