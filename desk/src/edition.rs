//! An edition of rules: a ruleset with everything that it extends, in one file that its publisher signed.
//! A desk takes it, says what it would change, and changes nothing by itself.

mod of_store;
mod offered;

pub use of_store::{ByFile, Editions};
pub use offered::{Offer, offer, offered, offered_file};

use crate::files::publish;
use crate::keys::Key;
use scrutineer_engine::event::RulesetFile;
use scrutineer_engine::record::{Time, from_hex, to_hex};
use scrutineer_projections::ruleset::{Ruleset, RulesetError, hash, parse};
use scrutineer_replay::mirror::in_words;
use scrutineer_replay::trust::note::{Note, NoteError, PublicKey, fingerprint};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The most bytes of an edition.
pub const MAX_BYTES: u64 = 256 << 10;

/// The most editions that a store keeps.
pub const MAX_KEPT: usize = 256;

/// The folder of a store in which they are kept.
pub const FOLDER: &str = "editions";

/// Under which name editions are signed.
const NAME: &str = "scrutineer/edition";

/// How the names of editions end.
const ENDING: &str = "edition";

scrutineer_engine::errors! {
    /// Why a file is no edition of rules, or none to rely on.
    pub enum EditionError -> Option<&'static str> {
        /// The file cannot be read or written.
        Io(#[from] io::Error) = io "file-not-read", "cannot read or write the edition: {0}",
            Some("check the name and the permissions");
        /// It is something else.
        NotAnEdition { why: String } = invalid "not-an-edition", "this is no edition of rules: {why}",
            Some("`scrutineer rules sign <ruleset>` writes one");
        /// What was signed is not readable.
        Note(#[from] NoteError) = invalid "not-an-edition", "this is no edition of rules: {0}",
            Some("`scrutineer rules sign <ruleset>` writes one");
        /// The ruleset in it is none.
        Ruleset(#[from] RulesetError) = invalid "bad-ruleset", "the edition's ruleset: {0}", None;
        /// The texts are not those that were signed.
        Altered = refused "edition-altered",
            "the texts of this edition are not those that were signed, so nothing of it was kept",
            Some("ask its publisher for the file again");
        /// Somebody else signed it, or nobody.
        NotSigned { wanted: PublicKey, by: PublicKey } = refused "edition-not-signed",
            ["{}", not_signed(.wanted, .by)],
            Some("ask its publisher for their key");
        /// More than a store keeps.
        TooMany = too_large "too-many", "there are {MAX_KEPT} editions here already",
            Some("delete those that nobody needs from the folder `editions` of the store");
        /// There is none of this name.
        NoSuch { name: String } = not_found "no-such-edition", "no edition of rules {name:?} is here",
            Some("`scrutineer rules editions` lists them");
    }
}

fn not_signed(wanted: &PublicKey, by: &PublicKey) -> String {
    let (named, other) = (fingerprint(by), fingerprint(wanted));
    match wanted == by {
        true => format!(
            "the edition names the key {named}, which did not sign it as it is: it was changed, or \
             somebody else wrote it"
        ),
        // Two keys may begin alike, as where a digit was typed wrongly.
        false if named == other => {
            format!("the edition names the key {}, and not {}", to_hex(by), to_hex(wanted))
        }
        false => format!("the edition names the key {named}, and not {other}"),
    }
}

/// The file, as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    scrutineer_edition: u32,
    note: String,
    files: Vec<RulesetFile>,
}

/// An edition whose signature was checked.
#[derive(Clone, Debug)]
pub struct Edition {
    /// The id of its ruleset.
    pub id: String,
    /// Which ruleset it is meant to follow, where it says so.
    pub replaces: Option<String>,
    /// When it was signed.
    pub time: String,
    /// The key that signed it.
    pub key: PublicKey,
    /// The ruleset.
    pub rules: Ruleset,
}

/// What is signed.
fn signed_text(files: &[RulesetFile], replaces: &str, time: &str, key: &PublicKey) -> String {
    let id = files.first().map_or("", |file| &file.name);
    let (hash, key) = (to_hex(&hash(files)), to_hex(key));
    format!("scrutineer edition 1\n{id}\n{hash}\nreplaces {replaces}\ntime {time}\nkey {key}\n")
}

/// Returns the file of a ruleset with everything that it extends, signed.
///
/// # Errors
/// Where it is no ruleset.
pub fn sign(
    files: &[RulesetFile],
    replaces: Option<&str>,
    time: Time,
    key: &Key,
) -> Result<String, EditionError> {
    parse(files)?;
    let text = signed_text(files, replaces.unwrap_or("-"), &in_words(time), &key.public());
    let note = Note::sign(text, NAME, [key.signing()]).to_string();
    let file = Written { scrutineer_edition: 1, note, files: files.to_vec() };
    Ok(format!("{}\n", serde_json::to_string(&file).unwrap_or_default()))
}

/// Reads an edition: its texts are those that the key it names signed. With a key, that one.
///
/// # Errors
/// What is wrong with it.
pub fn read(bytes: &[u8], wanted: Option<&PublicKey>) -> Result<Edition, EditionError> {
    let none = |why: &str| EditionError::NotAnEdition { why: why.into() };
    if bytes.len() as u64 > MAX_BYTES {
        return Err(none("it is too long"));
    }
    let Written { scrutineer_edition, note, files } =
        serde_json::from_slice(bytes).map_err(|error| none(&error.to_string()))?;
    if scrutineer_edition != 1 {
        return Err(none("a later version of this program wrote it"));
    }
    let note = Note::read(note.as_bytes())?;
    let lines: Vec<&str> = note.text.lines().collect();
    let [_, id, _, replaces, time, key] = lines[..] else {
        return Err(none("what is signed has other lines"));
    };
    let field = |line: &'_ str, name: &str| -> Option<String> {
        line.strip_prefix(name).map(str::to_string)
    };
    let (replaces, time, key) =
        match (field(replaces, "replaces "), field(time, "time "), field(key, "key ")) {
            (Some(replaces), Some(time), Some(key)) => (replaces, time, key),
            _ => return Err(none("what is signed has other lines")),
        };
    let by: PublicKey = from_hex(&key).ok_or_else(|| none("its key is none"))?;
    let wanted = *wanted.unwrap_or(&by);
    if wanted != by || !note.is_signed(NAME, &by) {
        return Err(EditionError::NotSigned { wanted, by });
    }
    if note.text != signed_text(&files, &replaces, &time, &by) {
        return Err(EditionError::Altered);
    }
    // A name becomes that of a file.
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let is_plain = |name: &str| name.chars().all(plain) && !name.starts_with('.');
    if !files.iter().all(|file| is_plain(&file.name)) {
        return Err(none("a ruleset in it has a name that no file can have"));
    }
    let rules = parse(&files)?;
    let replaces = Some(replaces).filter(|name| name != "-");
    Ok(Edition { id: id.into(), replaces, time, key: by, rules })
}

/// The folder of a store in which editions are kept.
fn folder(store: &Path) -> PathBuf {
    store.join(FOLDER)
}

/// Keeps an edition in a store, with the texts beside it that `amend-rules` takes. Returns the file of its
/// ruleset.
///
/// # Errors
/// Where it is none, the key did not sign it, or it cannot be written; nothing is kept then.
pub fn keep(
    store: &Path,
    bytes: &[u8],
    key: &PublicKey,
) -> Result<(Edition, PathBuf), EditionError> {
    let edition = read(bytes, Some(key))?;
    let file = place(store, &edition);
    if kept(store)?.len() >= MAX_KEPT && !file.exists() {
        return Err(EditionError::TooMany);
    }
    let texts = file.with_extension("");
    fs::create_dir_all(&texts)?;
    for one in &edition.rules.files {
        publish(&texts.join(format!("{}.toml", one.name)), one.text.as_bytes(), true)?;
    }
    // Last: whoever finds the edition finds its texts.
    publish(&file, bytes, true)?;
    // One that waited for its key waits no longer.
    let _ = fs::remove_file(offered_file(store, &edition));
    let ruleset = ruleset_file(store, &edition);
    Ok((edition, ruleset))
}

impl Edition {
    /// Returns what it is called where one of several is meant: the first digits of its ruleset's hash.
    pub fn name(&self) -> String {
        to_hex(&self.rules.hash)[..16].to_string()
    }

    /// Returns which it is, in words.
    pub fn titled(&self) -> String {
        let replaces = self.replaces.as_ref();
        let replaces = replaces.map_or(String::new(), |name| format!(", in place of {name}"));
        format!("{} ({}){replaces}", self.id, self.rules.edition)
    }
}

fn place(store: &Path, edition: &Edition) -> PathBuf {
    folder(store).join(format!("{}.{ENDING}", edition.name()))
}

/// Returns the bytes of an edition that a store keeps, as they were signed.
///
/// # Errors
/// Where there is none of this name, or it cannot be read.
pub fn bytes_of(store: &Path, name: &str) -> Result<Vec<u8>, EditionError> {
    let no_such = || EditionError::NoSuch { name: name.into() };
    let is_name = name.len() == 16 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_name {
        return Err(no_such());
    }
    let file = folder(store).join(format!("{name}.{ENDING}"));
    match scrutineer_store::files::read_plain(&file, MAX_BYTES) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(no_such()),
        read => Ok(read?),
    }
}

/// Returns the file of an edition's ruleset, as `amend-rules` takes it.
pub fn ruleset_file(store: &Path, edition: &Edition) -> PathBuf {
    place(store, edition).with_extension("").join(format!("{}.toml", edition.id))
}

/// Returns the editions that a store keeps, each checked again, by their files.
///
/// # Errors
/// Where the folder cannot be read.
pub fn kept(store: &Path) -> io::Result<Vec<(PathBuf, Result<Edition, EditionError>)>> {
    in_folder(&folder(store))
}

fn in_folder(folder: &Path) -> io::Result<Vec<(PathBuf, Result<Edition, EditionError>)>> {
    let found = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        found => found?,
    };
    let mut files: Vec<PathBuf> = found.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == ENDING));
    files.sort();
    let one = |file: PathBuf| {
        let bytes = scrutineer_store::files::read_plain(&file, MAX_BYTES);
        let edition = bytes.map_err(EditionError::from).and_then(|bytes| read(&bytes, None));
        (file, edition)
    };
    Ok(files.into_iter().map(one).collect())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::kit::{FIRST, SECOND, public};
    use scrutineer_projections::ruleset::Library;

    const NOON: Time = Time { unix_micros: 1_795_262_400_000_000 };

    pub(crate) fn signed() -> String {
        edition_of("carde", &FIRST)
    }

    pub(crate) fn edition_of(id: &str, secret: &[u8; 32]) -> String {
        let files = Library::shipped().chain(id).expect("it is shipped");
        sign(&files, Some("mtr"), NOON, &Key::from_secret(secret)).expect("signed")
    }

    #[test]
    fn what_was_signed_is_read_with_its_key_and_no_other() {
        let bytes = signed();
        let edition = read(bytes.as_bytes(), Some(&public(FIRST))).expect("an edition");
        let rules = Library::shipped().ruleset("carde").expect("it is shipped");
        assert_eq!((edition.id.as_str(), edition.rules.hash), ("carde", rules.hash));
        assert_eq!(edition.replaces.as_deref(), Some("mtr"));
        assert_eq!(
            (edition.time.as_str(), edition.key),
            ("2026-11-21T12:00:00.000000Z", public(FIRST))
        );
        let refused = read(bytes.as_bytes(), Some(&public(SECOND))).expect_err("another key");
        assert_eq!(refused.code().word, "edition-not-signed");
    }

    #[test]
    fn no_text_and_no_line_of_it_can_be_changed() {
        let bytes = signed();
        let code = |bytes: &str| read(bytes.as_bytes(), None).expect_err("changed").code().word;
        assert_eq!(code(&bytes.replace("3", "2")), "edition-not-signed");
        let mut file: Written = serde_json::from_str(&bytes).expect("JSON");
        file.files[0].text.push_str("\n# more");
        let altered = serde_json::to_string(&file).expect("JSON");
        assert_eq!(code(&altered), "edition-altered");
        assert_eq!(code("{}"), "not-an-edition");
        assert_eq!(code("mtr"), "not-an-edition");
        assert_eq!(code(&bytes.replace("edition\":1", "edition\":2")), "not-an-edition");
        let too_long = " ".repeat(MAX_BYTES as usize + 1);
        assert_eq!(code(&too_long), "not-an-edition");
        // No byte of the file can be changed so that it still passes.
        for at in (0..bytes.len()).step_by(37) {
            let mut changed = bytes.clone().into_bytes();
            changed[at] ^= 1;
            if let Ok(edition) = read(&changed, Some(&public(FIRST))) {
                panic!("byte {at} was changed, and it is still {}", edition.id);
            }
        }
    }

    #[test]
    fn it_is_kept_whole_with_the_texts_that_it_extends_or_not_at_all() {
        let store = tempfile::TempDir::new().expect("a folder");
        let bytes = signed();
        let wrong = keep(store.path(), bytes.as_bytes(), &public(SECOND)).expect_err("refused");
        assert_eq!(wrong.code().word, "edition-not-signed");
        assert!(!folder(store.path()).exists());
        let (edition, file) = keep(store.path(), bytes.as_bytes(), &public(FIRST)).expect("kept");
        keep(store.path(), bytes.as_bytes(), &public(FIRST)).expect("once");
        let all = kept(store.path()).expect("readable");
        assert_eq!(all.len(), 1);
        let mut library = Library::shipped();
        let text = fs::read(&file).expect("its ruleset");
        let id = library.load_bytes("carde.toml", &text).expect("loaded");
        assert_eq!(library.ruleset(&id).expect("read").hash, edition.rules.hash);
        // As many as are kept, and no more.
        for at in 0..MAX_KEPT - 1 {
            fs::copy(&all[0].0, folder(store.path()).join(format!("{at}.edition")))
                .expect("copied");
        }
        let files = Library::shipped().chain("mtr").expect("it is shipped");
        let more = sign(&files, None, NOON, &Key::from_secret(&FIRST)).expect("signed");
        let refused = keep(store.path(), more.as_bytes(), &public(FIRST)).expect_err("full");
        assert_eq!(refused.code().word, "too-many");
        keep(store.path(), bytes.as_bytes(), &public(FIRST)).expect("it is here already");
        fs::write(&all[0].0, "something").expect("written");
        let damaged = kept(store.path()).expect("readable");
        let found = damaged.iter().find(|(file, _)| *file == all[0].0).expect("it is listed");
        assert!(matches!(found.1, Err(EditionError::NotAnEdition { .. })));
    }
}
