//! Where a store is enrolled: kept in a file of its own beside the journal, for its owner alone. It holds
//! the token, so it goes into no backup, no mirror and no bundle.

use crate::elsewhere::{Elsewhere, address};
use crate::house::{Listed, now, secret};
use scrutineer_desk::store::ENROLLED;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::{Code, ErrorKind};
use scrutineer_store::files::{Readers, read_plain, replace};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;
use std::time::Duration;
use utoipa::ToSchema;

/// The longest file, in bytes.
pub const LONGEST: u64 = 64 << 10;
/// How long the other server has for an answer: less than a browser waits for this one.
const PATIENCE: Duration = Duration::from_secs(20);
/// The path of links that enroll a store.
pub const PATH: &str = "/enroll/";

/// What a store says where it is enrolled no longer.
pub const LEAVING: &str = r#"{"end":true}"#;

/// A link that was made.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct StoreLinkMade {
    /// The link. It is told once, and good for one store.
    pub link: String,
    /// By what it is called where it is taken back.
    pub id: String,
}

/// A store that is enrolled here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct EnrolledStore {
    /// By what it is called where it is ended.
    pub id: String,
    /// What it is called here.
    pub name: String,
    /// Since when, in UTC.
    pub made: String,
    /// When it was heard last, in UTC; null: not since the server was started.
    pub used: Option<String>,
    /// How many tournaments it has pushed here.
    pub tournaments: usize,
    /// How many of them were rewritten there.
    pub forked: usize,
    /// The ids of those.
    pub rewritten: Vec<String>,
    /// What they are called, for its page.
    #[serde(skip)]
    pub titles: Vec<String>,
}

/// Stores that are enrolled here, and links that are good still.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Stores {
    /// Those that are enrolled, the newest first.
    pub stores: Vec<EnrolledStore>,
    /// Links that no store has used yet, the newest first.
    pub links: Vec<Listed>,
}

/// Where a store is enrolled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enrolled {
    /// The publisher's server.
    pub address: String,
    /// By which it knows this store.
    pub token: String,
    /// What the store is called there.
    pub name: String,
    /// Only tournaments whose titles have this part are pushed; none: all.
    #[serde(default)]
    pub only: Option<String>,
    /// Since when, in seconds since 1970.
    pub since: u64,
    /// The digest of the link's code: the same link again is the same enrollment.
    #[serde(default)]
    pub link: String,
}

/// An enrollment of which no answer has come yet: asked again, it is the same one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Begun {
    address: String,
    code: String,
    token: String,
}

/// The file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Kept {
    enrolled: Option<Enrolled>,
    begun: Option<Begun>,
}

/// What a store says of itself where it enrolls.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Enrolling {
    /// The code of the link.
    pub code: String,
    /// The token by which it will be known from now on.
    pub token: String,
}

/// What it is told.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Taken {
    /// What it is called there.
    pub name: String,
}

fn not_kept(error: &io::Error) -> VerbError {
    let message = format!("where this store is enrolled cannot be read or written: {error}");
    VerbError::new(Code::io("enrollment-not-kept"), message, "look at the disk and the permissions")
}

fn kept(folder: &Path) -> Result<Kept, VerbError> {
    let bytes = match read_plain(&folder.join(ENROLLED), LONGEST) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Kept::default()),
        read => read.map_err(|error| not_kept(&error))?,
    };
    serde_json::from_slice(&bytes).map_err(|error| not_kept(&error.into()))
}

fn keep(folder: &Path, kept: &Kept) -> Result<(), VerbError> {
    let file = folder.join(ENROLLED);
    if *kept == Kept::default() {
        return match std::fs::remove_file(&file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(not_kept(&error)),
            _ => Ok(()),
        };
    }
    let bytes = serde_json::to_vec(kept).unwrap_or_default();
    replace(&file, &bytes, Readers::Owner).map_err(|error| not_kept(&error))
}

/// Returns where the store of a folder is enrolled.
///
/// # Errors
/// Where that cannot be read.
pub fn enrolled(folder: &Path) -> Result<Option<Enrolled>, VerbError> {
    Ok(kept(folder)?.enrolled)
}

/// Returns the file as it stands, for the other one of two laptops.
pub fn image(folder: &Path) -> Option<Vec<u8>> {
    read_plain(&folder.join(ENROLLED), LONGEST).ok()
}

/// Takes the file of the other laptop, where it is one.
///
/// # Errors
/// Where it cannot be written.
pub fn take(folder: &Path, image: Option<&[u8]>) -> Result<(), VerbError> {
    // Mostly nothing has changed, and the disk is not waited for.
    if self::image(folder).as_deref() == image {
        return Ok(());
    }
    let read = image.and_then(|bytes| serde_json::from_slice(bytes).ok());
    keep(folder, &read.unwrap_or_default())
}

/// Reads a link that enrolls a store: the server, and the code.
///
/// # Errors
/// `bad-store-link` where it is none, and what is wrong with the address.
pub fn link(typed: &str) -> Result<(String, String), VerbError> {
    let typed = typed.trim();
    let wrong = || {
        let hint = "the publisher's owner makes one on their page /stores: https://…/enroll/…";
        let message = "this is no link that enrolls a store";
        VerbError::new(Code::invalid("bad-store-link"), message, hint)
    };
    let (server, code) = typed.split_once(PATH).ok_or_else(wrong)?;
    let code = code.split(['?', '#', '/']).next().unwrap_or_default();
    let is_code = code.len() >= 8 && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
    match (address(server)?, is_code) {
        ((base, None), true) => Ok((base, code.to_string())),
        _ => Err(wrong()),
    }
}

/// Enrolls the store of a folder by a link, which is good once. Asked again with the same link it is the
/// same enrollment, also where the first answer was lost.
///
/// # Errors
/// `enrolled-already` where it is enrolled at another server, what that server refuses, or that it does
/// not answer.
pub async fn enroll(
    folder: &Path,
    typed: &str,
    only: Option<String>,
) -> Result<Enrolled, VerbError> {
    let (address, code) = link(typed)?;
    let digest = blake3::hash(code.as_bytes()).to_hex().to_string();
    let mut file = kept(folder)?;
    if let Some(known) = file.enrolled.as_mut().filter(|known| known.link == digest) {
        known.only = only;
        let known = known.clone();
        keep(folder, &file)?;
        return Ok(known);
    }
    if let Some(known) = file.enrolled.as_ref().filter(|known| known.address != address) {
        let message = format!("this store is enrolled at {} as {}", known.address, known.name);
        let hint = "end that first: `scrutineer enroll-store --end`";
        return Err(VerbError::new(Code::conflict("enrolled-already"), message, hint));
    }
    let again = file.begun.take().filter(|begun| begun.address == address && begun.code == code);
    let begun = match again {
        Some(begun) => begun,
        None => Begun { address, code, token: format!("scr_{}", secret()?) },
    };
    file.begun = Some(begun.clone());
    keep(folder, &file)?;
    let Begun { address, code, token } = begun;
    let asked = serde_json::to_vec(&Enrolling { code, token: token.clone() }).unwrap_or_default();
    let there = Elsewhere::new(address.clone(), None);
    let taken = match within(&there, "POST", "/follow/enroll", asked).await {
        Ok(bytes) => serde_json::from_slice::<Taken>(&bytes).map_err(|error| {
            let message = format!("{address} gave another answer than was asked for: {error}");
            let hint = "look whether both run one version";
            VerbError::new(Code::damaged("copy-not-taken"), message, hint)
        })?,
        Err(error) => {
            if error.code.kind != ErrorKind::UnknownOutcome {
                file.begun = None;
                keep(folder, &file)?;
            }
            return Err(error);
        }
    };
    let enrolled = Enrolled { address, token, name: taken.name, only, since: now(), link: digest };
    keep(folder, &Kept { enrolled: Some(enrolled.clone()), begun: None })?;
    Ok(enrolled)
}

/// Ends the enrollment here, and says so there. Returns where it was, and why that server was not told.
///
/// # Errors
/// `not-enrolled`, or where it cannot be written.
pub async fn end(folder: &Path) -> Result<(Enrolled, Option<VerbError>), VerbError> {
    let Some(was) = kept(folder)?.enrolled else { return Err(not_enrolled()) };
    keep(folder, &Kept::default())?;
    let there = Elsewhere::new(was.address.clone(), Some(was.token.clone()));
    let told = within(&there, "POST", "/follow/end", LEAVING.into()).await;
    // It is over there already where nobody knows the token.
    let untold = told.err().filter(|error| error.code.kind != ErrorKind::SignIn);
    Ok((was, untold))
}

/// Returns the refusal of what needs an enrollment.
pub fn not_enrolled() -> VerbError {
    let hint = "with a link of the publisher: `scrutineer enroll-store <link>`";
    VerbError::new(Code::not_found("not-enrolled"), "this store is enrolled nowhere", hint)
}

async fn within(
    there: &Elsewhere,
    method: &str,
    path: &str,
    body: Vec<u8>,
) -> Result<axum::body::Bytes, VerbError> {
    let asked = tokio::time::timeout(PATIENCE, there.ask(method, path, body, 0)).await;
    asked.unwrap_or_else(|error| Err(crate::elsewhere::unheard(there.base(), error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_one_of_a_server_with_a_code_and_nothing_else() {
        let of = |typed: &str| link(typed).map_err(|error| error.code.word);
        let good = Ok(("http://example.org:7780".to_string(), "7KQM2D4X".to_string()));
        assert_eq!(of(" http://example.org:7780/enroll/7KQM2D4X "), good);
        assert_eq!(of("example.org:7780/enroll/7KQM2D4X?from=mail#x"), good);
        let secure = Ok(("https://example.org".to_string(), "7KQM2D4X".to_string()));
        assert_eq!(of("https://example.org/enroll/7KQM2D4X"), secure);
        for typed in [
            "",
            "http://example.org/join/7KQM2D4X",
            "http://example.org/enroll/",
            "http://example.org/enroll/7K!QM2D4X",
            "http://example.org/t/Friday/enroll/7KQM2D4X",
        ] {
            assert_eq!(of(typed), Err("bad-store-link"), "{typed}");
        }
    }

    #[test]
    fn what_the_other_laptop_has_is_taken_and_so_is_that_it_has_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let one = Enrolled {
            address: "http://example.org".into(),
            token: "scr_1".into(),
            name: "Card club".into(),
            only: None,
            since: 1,
            link: String::new(),
        };
        let file = Kept { enrolled: Some(one.clone()), begun: None };
        keep(folder.path(), &file).expect("kept");
        let image = image(folder.path()).expect("there");
        let other = tempfile::tempdir().expect("a folder");
        take(other.path(), Some(&image)).expect("taken");
        assert_eq!(enrolled(other.path()).expect("read"), Some(one));
        take(other.path(), None).expect("taken");
        assert_eq!(enrolled(other.path()).expect("read"), None);
        assert!(!other.path().join(ENROLLED).exists());
    }
}
