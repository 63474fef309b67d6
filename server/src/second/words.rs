//! The words that two laptops exchange, as bytes.

use scrutineer_desk::store::{Besides, SentHead, Tail};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::net::{IpAddr, SocketAddr};

/// The largest message, in bytes.
pub const LARGEST: usize = 64 << 20;

/// What one asks, with how it stands itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Asked {
    pub from: Side,
    pub ask: Ask,
}

/// What the other says, with how that one stands.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Said {
    pub from: Side,
    pub given: Result<Given, crate::failed::Failed>,
}

/// How a laptop stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Side {
    /// The term of its desk.
    pub term: u64,
    /// Whether it is the desk.
    pub is_desk: bool,
    /// Where it listens.
    pub listens: SocketAddr,
    /// Why it does not keep what the desk has; none: it does, or is the desk.
    pub trouble: Option<String>,
}

impl Side {
    /// The same, where whoever was heard at this address listens at all addresses of their machine: only
    /// there they mean the same by that.
    pub(crate) fn heard_at(mut self, ip: IpAddr) -> Side {
        if self.listens.ip().is_unspecified() {
            self.listens.set_ip(ip.to_canonical());
        }
        self
    }
}

/// What is asked for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Ask {
    /// A key of its own, with a code that was typed.
    Key,
    /// How the other stands.
    Standing,
    /// What has changed since a number of this desk's; answered when something has.
    News { desk: u64, seen: u64, house: u64 },
    /// What stands behind a head.
    Tail { stream: [u8; 16], after: SentHead, has: Besides },
    /// The pages of the house that are not like these.
    House { pages: Vec<[u8; 16]> },
    /// The keys that sign.
    Keys,
    /// To record nothing more: whoever asks is to become the desk.
    GiveWay,
}

/// What is given.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Given {
    Key(String),
    Standing,
    News(News),
    Tail(Tail),
    /// The pages, and where the store is enrolled.
    House(Pages, Option<Vec<u8>>),
    Keys(Vec<String>),
    /// Up to where everything is to be had before.
    GivesWay {
        run: u64,
        change: u64,
        house: u64,
    },
}

/// What has changed at the desk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct News {
    /// Which run of the desk counts.
    pub desk: u64,
    /// Up to which of its changes.
    pub at: u64,
    /// The tournaments that may have changed, with their heads.
    pub changed: Vec<([u8; 16], SentHead)>,
    /// How often the house has changed.
    pub house: u64,
}

/// The bytes of a house that are other ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pages {
    /// How long the house is.
    pub length: u64,
    /// Pages by their numbers.
    pub pages: Vec<(u32, Vec<u8>)>,
}

/// How long a page is.
const PAGE: usize = 4_096;

fn digest(page: &[u8]) -> [u8; 16] {
    let mut digest = [0; 16];
    digest.copy_from_slice(&blake3::hash(page).as_bytes()[..16]);
    digest
}

impl Pages {
    /// Returns the digests of the pages of a house.
    pub fn digests(image: &[u8]) -> Vec<[u8; 16]> {
        image.chunks(PAGE).map(digest).collect()
    }

    /// Returns what a house has otherwise.
    pub fn of(image: &[u8], has: &[[u8; 16]]) -> Pages {
        let is_new = |(at, page): &(usize, &[u8])| has.get(*at) != Some(&digest(page));
        let pages = image.chunks(PAGE).enumerate().filter(is_new);
        let pages = pages.map(|(at, page)| (at as u32, page.to_vec())).collect();
        Pages { length: image.len() as u64, pages }
    }

    /// Puts them into a house. False where they do not fit.
    pub fn put_into(&self, image: &mut Vec<u8>) -> bool {
        let Ok(length) = usize::try_from(self.length) else { return false };
        if length > LARGEST {
            return false;
        }
        image.resize(length, 0);
        self.pages.iter().all(|(at, page)| {
            let from = *at as usize * PAGE;
            let to = image.get_mut(from..from.saturating_add(page.len()));
            to.map(|to| to.copy_from_slice(page)).is_some()
        })
    }
}

const fn config() -> impl bincode::config::Config {
    bincode::config::standard().with_limit::<LARGEST>()
}

fn not_read(error: impl std::fmt::Display) -> VerbError {
    let hint = "look whether both laptops run the same version";
    let message = format!("what the other laptop sent is not understood: {error}");
    VerbError::new(Code::damaged("second-not-read"), message, hint)
}

/// Returns a message as bytes.
///
/// # Errors
/// Where it is too large.
pub fn to_bytes(message: &impl Serialize) -> Result<Vec<u8>, VerbError> {
    bincode::serde::encode_to_vec(message, config()).map_err(not_read)
}

/// Reads a message: all of the bytes, and no more than there may be.
///
/// # Errors
/// Where it is none.
pub fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, VerbError> {
    match bincode::serde::decode_from_slice(bytes, config()) {
        Ok((message, used)) if used == bytes.len() => Ok(message),
        Ok(_) => Err(not_read("bytes are left over")),
        Err(error) => Err(not_read(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_house_is_brought_up_to_date_by_what_it_has_otherwise() {
        let mut here: Vec<u8> = (0..20_000_u32).map(|at| at as u8).collect();
        let mut there = here.clone();
        there[9_000] ^= 1;
        there.truncate(17_000);
        let pages = Pages::of(&there, &Pages::digests(&here));
        assert_eq!(pages.pages.len(), 2);
        assert!(pages.put_into(&mut here) && here == there);
        let wild = Pages { length: 10, pages: vec![(7, vec![1])] };
        assert!(!wild.put_into(&mut here));
    }

    #[test]
    fn a_message_of_more_than_64_mib_is_not_read() {
        // A string has its length before it.
        for (characters, is_read) in [(LARGEST - 16, true), (LARGEST, false)] {
            let bytes =
                bincode::serde::encode_to_vec("x".repeat(characters), bincode::config::standard());
            let read = from_bytes::<String>(&bytes.expect("bytes"));
            assert_eq!(
                read.as_ref().err().map(|error| error.code.word),
                (!is_read).then_some("second-not-read")
            );
        }
    }

    #[test]
    fn bytes_of_a_stranger_are_no_message_and_do_not_fill_the_memory() {
        let listens = ([127, 0, 0, 1], 1).into();
        let from = Side { term: 1, is_desk: true, listens, trouble: None };
        let bytes =
            to_bytes(&Asked { from, ask: Ask::House { pages: vec![[7; 16]; 3] } }).expect("bytes");
        assert!(from_bytes::<Asked>(&bytes).is_ok());
        for at in 0..bytes.len() {
            assert!(from_bytes::<Asked>(&bytes[..at]).is_err());
            let mut wild = bytes.clone();
            wild[at] = 0xfd;
            let _ = from_bytes::<Asked>(&wild);
        }
    }
}
