//! Whether a store is the desk's, follows another laptop's, or was taken over by it: what decides
//! whether anything is recorded here. It stands in a file of its own beside the journal.

use crate::files;
use crate::store::PARTED_HINT;
use crate::verb_error::VerbError;
use scrutineer_engine::error::Code;
use serde::{Deserialize, Serialize};
use std::net::SocketAddr;
use std::path::Path;

const FILE: &str = "second.json";
/// The longest such file, in bytes.
const LONGEST: u64 = 16 << 10;

/// What a store is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Is {
    /// The desk: what is recorded is recorded here.
    #[default]
    Desk,
    /// It follows the desk on another laptop.
    Following,
    /// Another laptop has become the desk in its place.
    TakenOver,
}

/// The other laptop.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Partner {
    /// The key by which the two know each other, in hexadecimal digits.
    pub key: String,
    /// Where it was heard last.
    pub address: Option<SocketAddr>,
}

/// Shows no key, so that none is in a message or a log.
impl std::fmt::Debug for Partner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Partner({:?})", self.address)
    }
}

/// What a store is, since which take-over, and beside whom.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Standing {
    /// What it is.
    pub is: Is,
    /// How many times a second laptop has taken over: of two desks that of the higher term counts.
    pub term: u64,
    /// Whether a store that follows has had everything at least once, and was not the desk since.
    pub is_whole: bool,
    /// The other laptop, where there is one.
    pub partner: Option<Partner>,
    /// Where the two went on in different ways, as it was told last.
    pub parted: Option<String>,
}

fn not_kept(error: impl std::fmt::Display) -> VerbError {
    let hint = "look at the disk, and at `second.json` in the store's folder";
    let message = format!("whether this store is the desk's cannot be known: {error}");
    VerbError::new(Code::io("standing-not-kept"), message, hint)
}

impl Standing {
    /// Reads what the store in a folder is; one without the file is a desk of its own.
    ///
    /// # Errors
    /// Where the file is there and cannot be read.
    pub fn read(folder: &Path) -> Result<Standing, VerbError> {
        let read = match files::read(&folder.join(FILE), LONGEST) {
            // What stands there is no store: whoever opens it is told so.
            Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => None,
            read => read.map_err(not_kept)?,
        };
        match read {
            Some(bytes) => serde_json::from_slice(&bytes).map_err(not_kept),
            None => Ok(Standing::default()),
        }
    }

    /// Keeps it: it is on the disk when this returns.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn keep(&self, folder: &Path) -> Result<(), VerbError> {
        let text = serde_json::to_vec(self).map_err(not_kept)?;
        files::replace(&folder.join(FILE), &text).map_err(not_kept)
    }

    fn there(&self) -> String {
        let address = self.partner.as_ref().and_then(|partner| partner.address);
        address.map_or("another laptop".into(), |address| format!("the laptop at {address}"))
    }

    /// Refuses to record where this is not the desk.
    ///
    /// # Errors
    /// `follows-the-desk` and `taken-over`, with where the desk is.
    pub fn check(&self) -> Result<(), VerbError> {
        let there = self.there();
        let (code, message, hint) = match self.is {
            Is::Desk => return Ok(()),
            Is::Following => (
                Code::conflict("follows-the-desk"),
                format!("this laptop follows {there} and records nothing"),
                "record at the desk; if that laptop is gone: `scrutineer serve --take-over`".into(),
            ),
            Is::TakenOver => {
                let address = self.partner.as_ref().and_then(|partner| partner.address);
                let address = address.map_or("<address>".into(), |address| address.to_string());
                (
                    Code::conflict("taken-over"),
                    format!("{there} is the desk now, so nothing is recorded here any more"),
                    format!(
                        "work there; to follow it from here: `scrutineer serve --second {address}`"
                    ),
                )
            }
        };
        Err(match &self.parted {
            Some(parted) => VerbError::new(code, format!("{message}; {parted}"), PARTED_HINT),
            None => VerbError::new(code, message, hint),
        })
    }

    /// Makes it the desk of a new term; where it lacks what the desk has only if that is meant.
    ///
    /// # Errors
    /// `second-not-whole` where it lacks something, `desk-already` where it is the desk.
    pub fn take_over(&mut self, is_sure: bool) -> Result<(), VerbError> {
        if self.is == Is::Desk {
            let (message, hint) = ("this laptop is the desk already", "go on working here");
            return Err(VerbError::new(Code::conflict("desk-already"), message, hint));
        }
        if !self.is_whole && !is_sure {
            let message = "this laptop does not have everything that the desk has";
            let hint = "let it follow until it says that it has, or bring the desk back; where that one is gone for \
                        good, go on with what is here: `scrutineer serve --take-over --even-if-heard`";
            return Err(VerbError::new(Code::conflict("second-not-whole"), message, hint));
        }
        (self.is, self.term, self.parted) = (Is::Desk, self.term + 1, None);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_follows_or_was_taken_over_records_nothing_and_says_what_to_do() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(Standing::read(folder.path()).expect("read").check().is_ok());
        let address = Some("192.0.2.7:7780".parse().expect("an address"));
        let partner = Some(Partner { key: "00".into(), address });
        let mut standing = Standing { is: Is::Following, partner, ..Standing::default() };
        assert_eq!(standing.take_over(false).expect_err("not whole").code, "second-not-whole");
        standing.is_whole = true;
        standing.keep(folder.path()).expect("kept");
        let mut standing = Standing::read(folder.path()).expect("read");
        assert_eq!(standing.check().expect_err("refused").code, "follows-the-desk");
        standing.take_over(false).expect("taken over");
        assert!(standing.check().is_ok() && standing.term == 1);
        assert_eq!(standing.take_over(true).expect_err("it is").code, "desk-already");
        standing.is = Is::TakenOver;
        let refused = standing.check().expect_err("refused");
        assert_eq!(refused.code, "taken-over");
        assert!(refused.message.contains("192.0.2.7:7780"));
        // What only the other one recorded is not here: that is said before it is the desk again.
        standing.is_whole = false;
        assert_eq!(standing.take_over(false).expect_err("lacks").code, "second-not-whole");
        standing.take_over(true).expect("it is meant");
    }
}
