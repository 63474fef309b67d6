//! The key under which the secrets of draws are encrypted. The database never has it.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use scrutineer_engine::files::SideFile;
use scrutineer_engine::record::{from_hex, to_hex};

/// 32 bytes that all nodes of a database have, and nobody else.
#[derive(Clone, PartialEq, Eq)]
pub struct Key([u8; 32]);

/// Shows nothing of the key.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({})", to_hex(&self.name()))
    }
}

/// What stands before what is encrypted, so that it is told apart from what is not.
const BEGINNING: &[u8; 4] = b"SCR1";
const NAME: usize = 4;
const NONCE: usize = 24;
const TAG: usize = 16;
/// How much longer a content is once it is encrypted.
pub(crate) const MORE: u64 = (BEGINNING.len() + NAME + NONCE + TAG) as u64;

/// Why a content is not to be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Locked {
    /// It is no content that was encrypted here.
    Not,
    /// It was encrypted under the key of this name.
    OtherKey([u8; NAME]),
    /// The key is right and the content was changed, or belongs to another place.
    Changed,
}

impl Key {
    /// A new key.
    ///
    /// # Errors
    /// Where the system has no random bytes.
    pub fn new() -> io::Result<Key> {
        let mut bytes = [0; 32];
        fill(&mut bytes)?;
        Ok(Key(bytes))
    }

    /// The key that these digits are: 64 of them.
    pub fn from_hex(digits: &str) -> Option<Key> {
        from_hex(digits.trim()).map(Key)
    }

    /// The key of a file; none where there is no such file.
    ///
    /// # Errors
    /// Where it can't be read, or holds anything but 64 hexadecimal digits.
    pub fn read(file: &Path) -> io::Result<Option<Key>> {
        match std::fs::read_to_string(file) {
            Ok(text) => Key::from_hex(&text).map(Some).ok_or_else(|| {
                io::Error::new(io::ErrorKind::InvalidData, "it is not 64 hexadecimal digits")
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The key of a file, which is made with a new one where there is none; only its owner reads it.
    ///
    /// # Errors
    /// Where it can't be read or written.
    pub fn read_or_make(file: &Path) -> io::Result<Key> {
        if let Some(key) = Key::read(file)? {
            return Ok(key);
        }
        let key = Key::new()?;
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        // Whole before it has its name: of two who make it at once the second one reads the first's.
        let made = file.with_extension(format!(
            "new-{}-{:?}",
            std::process::id(),
            std::thread::current().id()
        ));
        let written = options.open(&made).and_then(|mut to| {
            to.write_all(format!("{}\n", to_hex(&key.0)).as_bytes())?;
            to.sync_all()
        });
        let kept = written.and_then(|()| std::fs::hard_link(&made, file));
        drop(std::fs::remove_file(&made));
        match kept {
            Ok(()) => Ok(key),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Key::read(file)?.ok_or(error)
            }
            Err(error) => Err(error),
        }
    }

    /// The name of the key, which says nothing about it.
    pub(crate) fn name(&self) -> [u8; NAME] {
        let whole = blake3::derive_key("scrutineer 2026 database key name v1", &self.0);
        std::array::from_fn(|at| whole[at])
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(&self.0.into())
    }

    /// Encrypts a content for a place: at no other one it can be read.
    pub(crate) fn lock(&self, file: SideFile, content: &[u8]) -> io::Result<Vec<u8>> {
        let mut nonce = [0; NONCE];
        fill(&mut nonce)?;
        let payload = Payload { msg: content, aad: &place(file) };
        let locked = self.cipher().encrypt(&XNonce::from(nonce), payload);
        let locked = locked.map_err(|_| io::Error::other("it is too long to be encrypted"))?;
        Ok([&BEGINNING[..], &self.name(), &nonce, &locked].concat())
    }

    /// The content that was encrypted for a place.
    pub(crate) fn unlock(&self, file: SideFile, locked: &[u8]) -> Result<Vec<u8>, Locked> {
        let rest = locked.strip_prefix(BEGINNING).ok_or(Locked::Not)?;
        let (name, rest) = rest.split_first_chunk::<NAME>().ok_or(Locked::Not)?;
        let (nonce, rest) = rest.split_first_chunk::<NONCE>().ok_or(Locked::Not)?;
        if *name != self.name() {
            return Err(Locked::OtherKey(*name));
        }
        let payload = Payload { msg: rest, aad: &place(file) };
        self.cipher().decrypt(&XNonce::from(*nonce), payload).map_err(|_| Locked::Changed)
    }
}

fn fill(bytes: &mut [u8]) -> io::Result<()> {
    getrandom::fill(bytes)
        .map_err(|error| io::Error::other(format!("the system has no random bytes: {error}")))
}

fn place(file: SideFile) -> Vec<u8> {
    let mut place = b"scrutineer 2026 side file v1".to_vec();
    place.push(file.room.code());
    place.extend(file.stream.map_or([0; 16], |stream| stream.0));
    place.push(u8::from(file.stream.is_some()));
    place.extend(file.number.to_be_bytes());
    place
}

/// Why a content can't be read, as it is told behind the name of the file.
pub(crate) fn told(locked: &Locked, key: &Key) -> String {
    match locked {
        Locked::Not => "is not encrypted as this program does it, or is damaged".to_string(),
        Locked::OtherKey(name) => other(name, key),
        Locked::Changed => "was changed in the database, or moved there from another place".into(),
    }
}

/// The same where the key of this name is needed.
pub(crate) fn other(name: &[u8], key: &Key) -> String {
    format!(
        "is encrypted under key {}, and the key here is {}; bring the file database.key of another \
         node, or name it in SCRUTINEER_DATABASE_KEY_FILE",
        to_hex(name),
        to_hex(&key.name())
    )
}

/// The same where there is no key at all.
pub(crate) const NO_KEY: &str = "is encrypted, and there is no key for it here; bring the file \
     database.key of another node, or name it in SCRUTINEER_DATABASE_KEY_FILE";

#[cfg(test)]
mod tests {
    use super::*;
    use scrutineer_engine::files::Room;
    use scrutineer_engine::record::StreamId;

    #[test]
    fn what_is_locked_is_read_at_its_place_with_its_key_and_nowhere_else() {
        let (key, other) = (Key([1; 32]), Key([2; 32]));
        let file = SideFile::of(Room::Secrets, StreamId([7; 16]));
        let locked = key.lock(file, b"secret").expect("locked");
        assert_eq!(locked.len() as u64, 6 + MORE);
        assert!(!locked.windows(6).any(|bytes| bytes == b"secret"));
        assert_eq!(key.unlock(file, &locked).as_deref(), Ok(&b"secret"[..]));
        assert_eq!(key.unlock(file.numbered(1), &locked), Err(Locked::Changed));
        let elsewhere = SideFile::of(Room::Secrets, StreamId([8; 16]));
        assert_eq!(key.unlock(elsewhere, &locked), Err(Locked::Changed));
        assert_eq!(other.unlock(file, &locked), Err(Locked::OtherKey(key.name())));
        assert_eq!(key.unlock(file, b"plain"), Err(Locked::Not));
        for at in [8, 40, locked.len() - 1] {
            let mut changed = locked.clone();
            changed[at] ^= 1;
            assert_eq!(key.unlock(file, &changed), Err(Locked::Changed), "{at}");
        }
        assert_eq!(format!("{key:?}").len(), "Key()".len() + 2 * NAME);
    }

    #[test]
    fn a_key_is_made_once_and_read_by_its_owner_only() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("database.key");
        assert_eq!(Key::read(&file).expect("readable"), None);
        let made: Vec<Key> = std::thread::scope(|scope| {
            let all: Vec<_> = (0..4).map(|_| scope.spawn(|| Key::read_or_make(&file))).collect();
            all.into_iter().map(|one| one.join().expect("it ends").expect("a key")).collect()
        });
        assert!(made.iter().all(|key| *key == made[0]));
        assert_eq!(Key::read(&file).expect("readable").as_ref(), Some(&made[0]));
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(&file).expect("a file").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        std::fs::write(&file, "no key").expect("written");
        assert!(Key::read_or_make(&file).is_err());
    }
}
