//! The organizer's keys: files of a folder of their own, outside of every store, readable by them
//! only. One key is current; older ones are kept, since a change of keys is signed by both.

use crate::files;
use ed25519_dalek::SigningKey;
use scrutineer_engine::record::{StreamId, from_hex, to_hex};
use scrutineer_replay::trust::checkpoint::Signed;
use scrutineer_replay::trust::note::{PublicKey, fingerprint};
use scrutineer_store::texts::system_salt;
use std::fmt;
use std::path::{Path, PathBuf};

/// The longest key file that is read, in bytes.
const MAX_FILE: u64 = 4_096;
/// The longest checkpoint that is noted, in bytes.
const MAX_NOTE: u64 = 16_384;

/// The name of the file that says which key is current.
const CURRENT: &str = "current";

/// The name of the file with the secret by which this machine knows its own snapshots.
const SNAPSHOTS: &str = "snapshots";

/// How a key file begins.
const HEAD: &str = "scrutineer key 1";

scrutineer_engine::errors! {
    /// Why a key cannot be read or kept.
    #[derive(Clone, PartialEq, Eq)]
    pub enum KeyError -> &'static str {
        /// The operating system refused.
        Io { action: &'static str, file: String, reason: String } = io "key-not-read",
            "cannot {action} {file}: {reason}", "check the disk and the folder's permissions";
        /// The file is not a key, or another one than it says.
        Damaged { file: String, what: &'static str } = damaged "key-damaged", "{file} is damaged: {what}",
            "restore this file from your copy of it";
        /// What was signed for a tournament can't be made out any more.
        SignedDamaged { file: String, what: &'static str } = damaged "signed-damaged",
            "{file}, which keeps the last checkpoint that was signed, is damaged: {what}",
            "compare the log with a checkpoint that was handed out: `scrutineer verify --known \
             <checkpoint>`; if it holds, remove this file";
        /// Nobody said where keys are, and there is no home folder.
        NoFolder = not_found "no-key-folder", "there is no folder for keys",
            "name one with --keys <folder>, or SCRUTINEER_KEYS";
    }
}

/// A key that signs. Shows its public half only.
#[derive(Clone)]
pub struct Key(SigningKey);

impl Key {
    /// The key with these secret bytes.
    pub fn from_secret(secret: &[u8; 32]) -> Key {
        Key(SigningKey::from_bytes(secret))
    }

    /// Its public half.
    pub fn public(&self) -> PublicKey {
        *self.0.verifying_key().as_bytes()
    }

    /// What signs.
    pub fn signing(&self) -> &SigningKey {
        &self.0
    }

    /// As it stands in its file.
    fn text(&self) -> String {
        let (public, secret) = (to_hex(&self.public()), to_hex(self.0.as_bytes()));
        format!("{HEAD}\npublic {public}\nsecret {secret}\n")
    }

    fn read(text: &str) -> Result<Key, &'static str> {
        let mut lines = text.lines();
        if lines.next() != Some(HEAD) {
            return Err("it does not begin like a key");
        }
        let mut next = |name: &str| lines.next()?.strip_prefix(name).and_then(from_hex);
        let public = next("public ").ok_or("its public key is not 64 hexadecimal digits")?;
        let secret = next("secret ").ok_or("its secret is not 64 hexadecimal digits")?;
        let key = Key::from_secret(&secret);
        match key.public() == public && key.text() == text {
            true => Ok(key),
            false => Err("public and secret key do not belong together"),
        }
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({})", fingerprint(&self.public()))
    }
}

/// A folder of keys.
#[derive(Clone, Debug, Default)]
pub struct KeyFolder {
    folder: Option<PathBuf>,
}

impl KeyFolder {
    /// Keys in this folder, which is made with the first of them; none: there is nowhere to keep
    /// keys.
    pub fn new(folder: Option<PathBuf>) -> KeyFolder {
        KeyFolder { folder }
    }

    /// Where they are kept.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The last checkpoint that was signed with these keys for a tournament, as far as it was noted. A
    /// store that was restored from a copy does not have it any more.
    ///
    /// # Errors
    /// Where it cannot be read, or is not what was signed: a key of this folder, or one of those that
    /// the tournament names, must have signed it.
    pub fn last_signed(
        &self,
        stream: StreamId,
        named: &[PublicKey],
    ) -> Result<Option<Signed>, KeyError> {
        let Some(folder) = &self.folder else { return Ok(None) };
        let file = folder.join("signed").join(stream.to_string());
        let found = files::read(&file, MAX_NOTE).map_err(|error| failed("read", &file, &error))?;
        let Some(bytes) = found else { return Ok(None) };
        let damaged = |what| KeyError::SignedDamaged { file: file.display().to_string(), what };
        let signed = Signed::read(&bytes).map_err(|_| damaged("it is no checkpoint"))?;
        if signed.checkpoint.stream != stream {
            return Err(damaged("it is a checkpoint of another tournament"));
        }
        let own = named.iter().any(|key| signed.is_signed_by(key));
        match own || self.all()?.iter().any(|key| signed.is_signed_by(key)) {
            true => Ok(Some(signed)),
            false => Err(damaged("its signature does not belong to its text")),
        }
    }

    /// Notes the last checkpoint that was signed for a tournament with a key that is here: what a copy has was
    /// signed elsewhere. Where that cannot be written, as on a stick that is write-protected, the store alone
    /// remembers it.
    pub(crate) fn note_signed(&self, stream: StreamId, signed: &Signed) {
        let Some(folder) = &self.folder else { return };
        if self.all().is_ok_and(|own| !own.iter().any(|key| signed.is_signed_by(key))) {
            return;
        }
        let file = folder.join("signed").join(stream.to_string());
        let _ = files::replace(&file, signed.to_string().as_bytes());
    }

    /// Notes a checkpoint of the laptop that is followed in the place of the one that was signed here, or none where that
    /// one has signed nothing yet. What was signed here stays beside it, under a name of its own.
    pub(crate) fn note_instead(
        &self,
        was: &Signed,
        stands: Option<&Signed>,
    ) -> Result<(), KeyError> {
        let Some(folder) = self.folder.as_ref().map(|folder| folder.join("signed")) else {
            return Ok(());
        };
        let (stream, size) = (was.checkpoint.stream, was.checkpoint.size);
        let (file, aside) =
            (folder.join(stream.to_string()), folder.join(format!("{stream}.parted-{size}")));
        let write = |file: &Path, signed: &Signed| {
            files::replace(file, signed.to_string().as_bytes())
                .map_err(|error| failed("write", file, &error))
        };
        write(&aside, was)?;
        match stands {
            Some(stands) => write(&file, stands),
            None => std::fs::remove_file(&file).map_err(|error| failed("remove", &file, &error)),
        }
    }

    /// What was signed here for a tournament before this machine followed another one anew, as
    /// [`KeyFolder::note_instead`] keeps it; what cannot be read is left out.
    pub(crate) fn parted(&self, stream: StreamId) -> Vec<Signed> {
        let folder = self.folder.as_ref().map(|folder| folder.join("signed"));
        let all = folder.and_then(|folder| std::fs::read_dir(folder).ok());
        let files = all.into_iter().flatten().filter_map(|file| Some(file.ok()?.path()));
        let begins = format!("{stream}.parted-");
        let is_one = |file: &PathBuf| {
            file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&begins))
        };
        let read = |file: PathBuf| Signed::read(&files::read(&file, MAX_NOTE).ok()??).ok();
        files.filter(is_one).filter_map(read).collect()
    }

    /// The secret by which this machine knows its own snapshots, where it has taken any.
    ///
    /// # Errors
    /// Where it cannot be read, or is damaged.
    pub fn snapshot_secret(&self) -> Result<Option<[u8; 32]>, KeyError> {
        let Some(folder) = &self.folder else { return Ok(None) };
        let file = folder.join(SNAPSHOTS);
        let Some(text) = read(&file)? else { return Ok(None) };
        let digits = text.lines().nth(1).and_then(|line| line.strip_prefix("secret "));
        let secret = digits.and_then(from_hex).filter(|secret| secret_text(secret) == text);
        secret.map(Some).ok_or_else(|| damaged(&file, "it is no secret of snapshots"))
    }

    /// The same; it is made where there is none yet.
    ///
    /// # Errors
    /// Where there is no folder, or the secret cannot be made, read or written.
    pub(crate) fn own_snapshot_secret(&self) -> Result<[u8; 32], KeyError> {
        if let Some(secret) = self.snapshot_secret()? {
            return Ok(secret);
        }
        let file = self.folder.as_ref().ok_or(KeyError::NoFolder)?.join(SNAPSHOTS);
        let made = system_salt().map_err(std::io::Error::other);
        let written =
            made.and_then(|secret| files::replace(&file, secret_text(&secret).as_bytes()));
        written.map_err(|error| failed("write", &file, &error))?;
        // Of two commands that make one at the same moment the later one's counts; what the other
        // has kept is folded anew.
        self.snapshot_secret()?.ok_or_else(|| damaged(&file, "it is gone"))
    }

    /// Whether there is a folder to keep keys in.
    pub fn is_somewhere(&self) -> bool {
        self.folder.is_some()
    }

    /// The folder, to be shown.
    pub fn shown(&self) -> String {
        self.folder.as_ref().map_or("any folder".into(), |folder| folder.display().to_string())
    }

    /// The file of a key.
    pub fn file(&self, key: &PublicKey) -> Option<PathBuf> {
        let name = fingerprint(key).replace(' ', "");
        Some(self.folder.as_ref()?.join(format!("{name}.key")))
    }

    /// A key, where it is here.
    ///
    /// # Errors
    /// Where it cannot be read, or is damaged.
    pub fn get(&self, public: &PublicKey) -> Result<Option<Key>, KeyError> {
        let Some(file) = self.file(public) else { return Ok(None) };
        let found = read(&file)?.map(|text| Key::read(&text)).transpose();
        let key = found.map_err(|what| damaged(&file, what))?;
        match &key {
            Some(key) if key.public() != *public => Err(damaged(&file, "it is another key")),
            _ => Ok(key),
        }
    }

    /// The key with which new tournaments are signed.
    ///
    /// # Errors
    /// Where it cannot be read, or is damaged, or gone.
    pub fn current(&self) -> Result<Option<Key>, KeyError> {
        let Some(folder) = &self.folder else { return Ok(None) };
        let file = folder.join(CURRENT);
        let Some(text) = read(&file)? else { return Ok(None) };
        let public = text.strip_suffix('\n').and_then(from_hex);
        let public = public.ok_or_else(|| damaged(&file, "it is no public key"))?;
        match self.get(&public)? {
            Some(key) => Ok(Some(key)),
            None => Err(damaged(&file, "the key that it names is not there")),
        }
    }

    /// The public halves of all keys, in the order of their digits.
    ///
    /// # Errors
    /// Where the folder or a key cannot be read.
    pub fn all(&self) -> Result<Vec<PublicKey>, KeyError> {
        let Some(folder) = &self.folder else { return Ok(Vec::new()) };
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed("read", folder, &error)),
        };
        let mut keys = Vec::new();
        for entry in entries {
            let file = entry.map_err(|error| failed("read", folder, &error))?.path();
            if file.extension().is_some_and(|ending| ending == "key") {
                let text = read(&file)?.unwrap_or_default();
                keys.push(Key::read(&text).map_err(|what| damaged(&file, what))?.public());
            }
        }
        keys.sort_unstable();
        Ok(keys)
    }

    /// The keys of this machine as texts, for a second laptop of the same organizer.
    ///
    /// # Errors
    /// Where one cannot be read.
    pub fn texts(&self) -> Result<Vec<String>, KeyError> {
        let all = self.all()?;
        let keys = all.iter().map(|public| Ok(self.get(public)?.map(|key| key.text())));
        Ok(keys.collect::<Result<Vec<_>, KeyError>>()?.into_iter().flatten().collect())
    }

    /// Takes in a key as [`KeyFolder::texts`] gives it. The current key stays, where there is one.
    ///
    /// # Errors
    /// Where it is no key, or cannot be written.
    pub fn take_in(&self, text: &str) -> Result<(), KeyError> {
        let none = |what| KeyError::Damaged { file: "the key of the other laptop".into(), what };
        let key = Key::read(text).map_err(none)?;
        if self.get(&key.public())?.is_some() {
            return Ok(());
        }
        let current = self.current()?;
        self.keep(&key)?;
        current.map_or(Ok(()), |current| self.keep(&current))
    }

    /// Keeps a key durably and makes it the current one.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn keep(&self, key: &Key) -> Result<(), KeyError> {
        let public = key.public();
        let (Some(folder), Some(file)) = (&self.folder, self.file(&public)) else {
            return Err(KeyError::NoFolder);
        };
        let write = |file: &Path, text: String| {
            files::replace(file, text.as_bytes()).map_err(|error| failed("write", file, &error))
        };
        write(&file, key.text())?;
        write(&folder.join(CURRENT), format!("{}\n", to_hex(&public)))
    }
}

fn secret_text(secret: &[u8; 32]) -> String {
    format!("scrutineer snapshots 1\nsecret {}\n", to_hex(secret))
}

/// A file's text; none where there is no such file.
fn read(file: &Path) -> Result<Option<String>, KeyError> {
    match files::read(file, MAX_FILE) {
        Ok(None) => Ok(None),
        Ok(Some(bytes)) => match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(text)),
            Err(_) => Err(damaged(file, "it is no text")),
        },
        Err(error) => Err(failed("read", file, &error)),
    }
}

fn failed(action: &'static str, file: &Path, error: &std::io::Error) -> KeyError {
    KeyError::Io { action, file: file.display().to_string(), reason: error.to_string() }
}

fn damaged(file: &Path, what: &'static str) -> KeyError {
    KeyError::Damaged { file: file.display().to_string(), what }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scrutineer_replay::trust::note::is_called;
    use std::fs;

    fn folder() -> (tempfile::TempDir, KeyFolder) {
        let folder = tempfile::TempDir::new().expect("a folder");
        let keys = KeyFolder::new(Some(folder.path().join("deep/keys")));
        (folder, keys)
    }

    #[test]
    fn the_last_key_is_current_and_older_ones_stay() {
        let (_folder, keys) = folder();
        assert!(keys.current().expect("readable").is_none());
        let (first, second) = (Key::from_secret(&[1; 32]), Key::from_secret(&[2; 32]));
        for key in [&first, &second] {
            keys.keep(key).expect("kept");
            let current = keys.current().expect("readable").expect("a key");
            assert_eq!(current.public(), key.public());
        }
        let old = keys.get(&first.public()).expect("readable").expect("it stays");
        assert_eq!(old.public(), first.public());
        assert_eq!(keys.all().expect("readable").len(), 2);
        assert!(keys.get(&[9; 32]).expect("readable").is_none());
    }

    #[cfg(unix)]
    #[test]
    fn only_their_owner_reads_them() {
        use std::os::unix::fs::PermissionsExt;
        let (_folder, keys) = folder();
        let key = Key::from_secret(&[1; 32]);
        keys.keep(&key).expect("kept");
        let file = keys.file(&key.public()).expect("a file");
        let mode = fs::metadata(file).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_damaged_key_is_not_used() {
        let (_folder, keys) = folder();
        let key = Key::from_secret(&[1; 32]);
        keys.keep(&key).expect("kept");
        let file = keys.file(&key.public()).expect("a file");
        let good = fs::read(&file).expect("there");
        for place in 0..good.len() {
            let mut bytes = good.clone();
            bytes[place] ^= 1;
            fs::write(&file, &bytes).expect("written");
            let read = keys.get(&key.public());
            assert!(matches!(read, Err(KeyError::Damaged { .. })), "byte {place}: {read:?}");
        }
    }

    #[test]
    fn no_secret_is_shown() {
        let key = Key::from_secret(&[1; 32]);
        assert!(!format!("{key:?}").contains("0101"));
        assert_eq!(fingerprint(&[0xab; 32]), "abab abab abab abab abab");
        assert!(is_called(&[0xab; 32], "ABAB abab abababababab"));
        assert!(is_called(&[0xab; 32], &"ab".repeat(32)));
        assert!(!is_called(&[0xab; 32], "abab"));
        assert!(!is_called(&[0xab; 32], &"ab".repeat(31)));
    }

    #[test]
    fn a_machine_has_one_secret_for_its_snapshots_and_reads_it_strictly() {
        let (_folder, keys) = folder();
        assert_eq!(keys.snapshot_secret(), Ok(None));
        let secret = keys.own_snapshot_secret().expect("made");
        assert_eq!(keys.own_snapshot_secret(), Ok(secret));
        let file = keys.folder.as_ref().expect("a folder").join(SNAPSHOTS);
        let good = fs::read(&file).expect("there");
        for place in 0..good.len() {
            let mut bytes = good.clone();
            bytes[place] = b'!';
            fs::write(&file, &bytes).expect("written");
            let read = keys.own_snapshot_secret();
            assert!(matches!(read, Err(KeyError::Damaged { .. })), "byte {place}: {read:?}");
        }
        assert_eq!(KeyFolder::new(None).own_snapshot_secret(), Err(KeyError::NoFolder));
    }

    #[test]
    fn without_a_folder_there_are_no_keys() {
        let keys = KeyFolder::new(None);
        assert!(keys.current().expect("nothing").is_none());
        assert_eq!(keys.keep(&Key::from_secret(&[1; 32])), Err(KeyError::NoFolder));
    }
}
