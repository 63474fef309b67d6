//! Files that are there whole or not at all: written beside under a name that nobody else has,
//! synced, renamed, and the name made durable. After a power cut there is the old file or the new
//! one; what an interrupted writing leaves beside it stands in nobody's way.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// How much of a file's name goes into the name beside it, in characters.
const LETTERS: usize = 48;

/// Who may read a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readers {
    /// Its owner only.
    Owner,
    /// Whoever may read what else is written here.
    Others,
}

/// Opens a plain file for reading. Anything else is refused, such as a link to a device without an
/// end, or a pipe that nobody writes to.
///
/// # Errors
/// Where it is not there, is something else, or cannot be opened.
pub(crate) fn open_plain(file: &Path) -> io::Result<File> {
    match fs::metadata(file)?.is_file() {
        true => File::open(file),
        false => Err(io::Error::other("it is no plain file")),
    }
}

/// Reads a plain file whole. A longer one is refused.
///
/// # Errors
/// As [`open_plain`], and where it has more bytes than the limit.
pub fn read_plain(file: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_plain(file)?.take(limit + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > limit {
        true => Err(io::Error::other(format!("it has more than the {limit} bytes that are read"))),
        false => Ok(bytes),
    }
}

/// A file while it is written. It has its name once [`Beside::finish`] returns; dropped before,
/// nothing is left of it.
#[derive(Debug)]
pub struct Beside {
    out: BufWriter<NamedTempFile>,
    file: PathBuf,
}

impl Beside {
    /// Begins a file in a folder that is there.
    ///
    /// # Errors
    /// Where the file cannot be made.
    pub fn create(file: &Path, readers: Readers) -> io::Result<Beside> {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let name: String = name.chars().take(LETTERS).collect();
        let prefix = format!(".{name}.");
        let mut beside = tempfile::Builder::new();
        beside.prefix(&prefix).suffix(".new");
        #[cfg(unix)]
        if readers == Readers::Others {
            let mode = std::os::unix::fs::PermissionsExt::from_mode(0o666);
            beside.permissions(mode);
        }
        #[cfg(not(unix))]
        let _ = readers; // Elsewhere a file has its folder's readers.
        let folder = there(folder_of(file));
        let out = beside.tempfile_in(folder).map_err(|error| plain(folder, &error))?;
        Ok(Beside { out: BufWriter::with_capacity(1 << 16, out), file: file.to_path_buf() })
    }

    /// Everything is written: the file gets its name, durably, and takes the place of the one that
    /// had it.
    ///
    /// # Errors
    /// Where it cannot be written or named; then the old file stands.
    pub fn finish(self) -> io::Result<()> {
        let (beside, file) = self.written()?;
        let beside = beside.into_temp_path();
        if cfg!(unix) {
            // `persist` goes past the C library, where nobody can watch what is asked of the system.
            fs::rename(&beside, &file)?;
            beside.keep()?;
        } else {
            beside.persist(&file)?;
        }
        sync_folder(folder_of(&file))
    }

    /// As [`Beside::finish`], unless there is a file of that name: it stays, also where somebody
    /// else makes it just now.
    ///
    /// # Errors
    /// Of the kind `AlreadyExists` then.
    pub fn finish_new(self) -> io::Result<()> {
        let (beside, file) = self.written()?;
        beside.persist_noclobber(&file)?;
        sync_folder(folder_of(&file))
    }

    fn written(mut self) -> io::Result<(NamedTempFile, PathBuf)> {
        self.out.flush()?;
        self.out.get_ref().as_file().sync_all()?;
        let beside = self.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok((beside, self.file))
    }
}

impl Write for Beside {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Replaces a file as a whole, durably. Its folder is made where there is none.
///
/// # Errors
/// Where it cannot be written; then the old one stands.
pub fn replace(file: &Path, bytes: &[u8], readers: Readers) -> io::Result<()> {
    create_folder(folder_of(file))?;
    let mut to = Beside::create(file, readers)?;
    to.write_all(bytes)?;
    to.finish()
}

/// Whether a file of this name was being written when its process ended.
pub(crate) fn is_beside(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(".new")
}

/// Removes what interrupted writings left in a folder, which nobody else may write to: it may hold
/// what was to be forgotten.
///
/// # Errors
/// Where the folder cannot be listed or a file cannot be removed.
pub(crate) fn remove_unfinished(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_str().is_some_and(is_beside) {
            match fs::remove_file(entry.path()) {
                // Somebody who was writing it has finished just now.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                removed => removed?,
            }
        }
    }
    Ok(())
}

/// Creates a folder and those above it, each durably.
///
/// # Errors
/// Where one cannot be made.
pub fn create_folder(folder: &Path) -> io::Result<()> {
    if folder.as_os_str().is_empty() || folder.is_dir() {
        return Ok(());
    }
    let above = folder_of(folder);
    create_folder(above)?;
    match fs::create_dir(folder) {
        // Somebody else may have made it just now.
        Err(error) if !folder.is_dir() => match error.kind() {
            io::ErrorKind::AlreadyExists => Err(io::ErrorKind::NotADirectory.into()),
            _ => Err(error),
        },
        _ => sync_folder(above),
    }
}

/// Makes durable what a file holds, whoever wrote it. It is opened to be written, since Windows
/// syncs no other.
///
/// # Errors
/// Where it is not there, may not be written, or the system refuses.
pub(crate) fn sync_file(file: &Path) -> io::Result<()> {
    File::options().write(true).open(file)?.sync_all()
}

/// Makes a folder's list of names durable: a new file may vanish before this.
///
/// # Errors
/// Where the system refuses it.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    let folder = there(folder);
    if cfg!(windows) {
        // There no folder can be synced; the file system's own journal keeps names in order.
        return folder.metadata().map(drop);
    }
    File::open(folder)?.sync_all()
}

/// A folder as the system wants it.
fn there(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// The folder that a file is in.
fn folder_of(file: &Path) -> &Path {
    file.parent().unwrap_or(Path::new("."))
}

/// Whether a file or folder lies in `folder`, links followed; it need not be there yet.
pub fn lies_in(path: &Path, folder: &Path) -> bool {
    let (Ok(path), Ok(folder)) = (std::path::absolute(path), folder.canonicalize()) else {
        return false;
    };
    // What is not there yet lies where the nearest that is there above it does.
    let there = path.ancestors().find_map(|above| above.canonicalize().ok());
    there.is_some_and(|above| above.starts_with(&folder))
}

/// What the operating system says of a folder in which no file can be made, without the name of the
/// temporary file.
fn plain(folder: &Path, error: &io::Error) -> io::Error {
    fs::metadata(folder).err().unwrap_or_else(|| error.kind().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("readable");
        let name = |entry: io::Result<fs::DirEntry>| {
            entry.expect("readable").file_name().to_string_lossy().into_owned()
        };
        let mut names: Vec<String> = entries.map(name).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_there_whole_or_not_at_all() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let file = folder.path().join("deep/er/sheet.csv");
        create_folder(folder_of(&file)).expect("made");
        let mut half = Beside::create(&file, Readers::Others).expect("begun");
        half.write_all(b"half").expect("written");
        assert!(!file.exists());
        drop(half);
        assert_eq!(names(file.parent().expect("a folder")), Vec::<String>::new());
        replace(&file, b"one", Readers::Owner).expect("written");
        let second = Beside::create(&file, Readers::Others).expect("begun");
        let refused = second.finish_new().expect_err("it is there");
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&file).expect("there"), b"one");
        replace(&file, b"two", Readers::Owner).expect("replaced");
        assert_eq!(fs::read(&file).expect("there"), b"two");
        assert_eq!(names(file.parent().expect("a folder")), ["sheet.csv"]);
    }

    #[test]
    fn what_is_in_the_way_is_said() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let taken = folder.path().join("taken");
        fs::write(&taken, "a file").expect("written");
        for wanted in [taken.clone(), taken.join("below")] {
            let refused = create_folder(&wanted).map_err(|error| error.kind());
            assert_eq!(refused, Err(io::ErrorKind::NotADirectory), "{}", wanted.display());
        }
        let nowhere = folder.path().join("nowhere");
        let kind = |error: io::Error| error.kind();
        assert_eq!(sync_folder(&nowhere).map_err(kind), Err(io::ErrorKind::NotFound));
        let begun = Beside::create(&nowhere.join("sheet.csv"), Readers::Others);
        assert_eq!(begun.map(drop).map_err(kind), Err(io::ErrorKind::NotFound));
        assert_eq!(names(folder.path()), ["taken"]);
    }

    #[test]
    fn a_folder_that_two_want_is_made_for_both() {
        let folder = tempfile::TempDir::new().expect("a folder");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for number in 0..300 {
                        create_folder(&folder.path().join(number.to_string())).expect("made");
                    }
                });
            }
        });
        assert_eq!(names(folder.path()).len(), 300);
    }

    #[test]
    fn what_is_flushed_is_in_the_file() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let mut file = Beside::create(&folder.path().join("sheet.csv"), Readers::Others);
        let file = file.as_mut().expect("begun");
        file.write_all(b"Table,Player").expect("written");
        file.flush().expect("flushed");
        let beside = folder.path().join(&names(folder.path())[0]);
        assert_eq!(fs::read(beside).expect("there"), b"Table,Player");
    }

    #[test]
    fn what_a_crash_left_is_in_nobodys_way_and_can_be_removed() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let file = folder.path().join("exports");
        let process = std::process::id();
        for number in 0..200 {
            let left = folder.path().join(format!(".exports.{process}-{number}.new"));
            fs::write(left, "half").expect("written");
        }
        fs::write(folder.path().join("exports.new"), "a user's own").expect("written");
        replace(&file, b"whole", Readers::Owner).expect("written");
        remove_unfinished(folder.path()).expect("removed");
        assert_eq!(names(folder.path()), ["exports", "exports.new"]);
        assert_eq!(fs::read(&file).expect("there"), b"whole");
    }

    #[test]
    fn two_at_once_do_not_mix() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let file = folder.path().join("a name as long as one may be ".repeat(8));
        let texts = [vec![b'a'; 100_000], vec![b'b'; 50_000]];
        std::thread::scope(|scope| {
            for text in &texts {
                scope.spawn(|| {
                    for _ in 0..20 {
                        replace(&file, text, Readers::Others).expect("written");
                    }
                });
            }
        });
        assert!(texts.contains(&fs::read(&file).expect("there")));
        assert_eq!(names(folder.path()).len(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn what_lies_in_a_folder_is_asked_with_links_followed() {
        let place = tempfile::tempdir().unwrap();
        let (store, stick) = (place.path().join("store"), place.path().join("stick"));
        fs::create_dir_all(store.join("journal")).unwrap();
        fs::create_dir_all(&stick).unwrap();
        std::os::unix::fs::symlink(&stick, store.join("out")).unwrap();
        std::os::unix::fs::symlink(&store, stick.join("in")).unwrap();
        for inside in ["store", "store/new/copy", "store/journal/../copy", "stick/in/copy"] {
            assert!(lies_in(&place.path().join(inside), &store), "{inside}");
        }
        for outside in ["stick/copy", "store/../copy", "store/out/copy", "stores"] {
            assert!(!lies_in(&place.path().join(outside), &store), "{outside}");
        }
    }
}
