//! What does not hold in a receipt.

use super::super::checkpoint::CheckpointError;
use super::super::note::PublicKey;
use super::super::note::fingerprint;
use super::super::records;
use super::MAX_RECORDS;
use scrutineer_engine::record::{StreamId, to_hex};

/// Why a receipt proves nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReceiptError {
    /// It cannot be read.
    #[error("this is no receipt: {what}")]
    Malformed {
        /// What is wrong.
        what: String,
    },
    /// A newer program wrote it.
    #[error("this receipt has version {version}, and this program knows 1")]
    Newer {
        /// Its version.
        version: u64,
    },
    /// Its checkpoint cannot be read.
    #[error("this is no receipt: {0}")]
    Checkpoint(#[from] CheckpointError),
    /// The checkpoint is not signed by the keys that it names.
    #[error("the checkpoint of this receipt is not signed by the key that it names")]
    NotSigned,
    /// More records than a receipt has.
    #[error("this would be a receipt of {records} events, and one has at most {MAX_RECORDS}")]
    TooMany {
        /// How many there are.
        records: usize,
    },
    /// A record is not under the checkpoint.
    #[error("record {seq} is not among those that the checkpoint stands over")]
    NotIncluded {
        /// Its place.
        seq: u64,
    },
    /// A record came after the checkpoint.
    #[error("event {seq} is not covered by the checkpoint of {}", records(*.size))]
    NotCovered {
        /// Its place.
        seq: u64,
        /// How many records are covered.
        size: u64,
    },
    /// The log does not go on from the earlier checkpoint.
    #[error("the log does not extend the checkpoint of {}", records(*.size))]
    NotExtended {
        /// How many records that has.
        size: u64,
    },
    /// What people read is not what the record says.
    #[error("the readable form of record {seq} is not what the record says")]
    OtherMirror {
        /// Its place.
        seq: u64,
    },
    /// A name is not the one that a record commits to.
    #[error("name {number} is not one that a record of this receipt commits to")]
    OtherName {
        /// Its number in the private book.
        number: u32,
    },
    /// The checkpoint contradicts the one that somebody holds.
    #[error(
        "the checkpoint of this receipt contradicts the one that you hold: the log was changed"
    )]
    OtherCheckpoint,
    /// The checkpoint that somebody holds is of another event.
    #[error(
        "this receipt is of tournament {own}, and the checkpoint that you hold is of tournament {held}"
    )]
    OtherEvent {
        /// The event of the held one.
        held: StreamId,
        /// The receipt's.
        own: StreamId,
    },
    /// The text of the checkpoint that somebody holds is not the one that was signed.
    #[error(
        "the signature of the checkpoint that you hold does not belong to its text: it was \
         changed, or not copied in full"
    )]
    ChangedCheckpoint,
    /// No key that signed the receipt signed what somebody holds.
    #[error(
        "this receipt is signed by the key {}, which did not sign the checkpoint that you hold: \
         anybody can write records of their own behind yours and sign them",
        all(.signers, fingerprint)
    )]
    OtherSigner {
        /// The keys that signed the receipt.
        signers: Vec<PublicKey>,
    },
    /// The receipt says nothing about the checkpoint that somebody holds.
    #[error("this receipt is about a checkpoint of {}, and you hold one of {held}", records(*.size))]
    NotComparable {
        /// How many records the held one has.
        held: u64,
        /// How many the receipt's has.
        size: u64,
    },
    /// Another key signed it.
    #[error("this receipt is signed by the key {}, not by the one that you named", all(.signers, |key| to_hex(key)))]
    OtherKey {
        /// The keys that signed it.
        signers: Vec<PublicKey>,
    },
}

/// Keys in words.
fn all(keys: &[PublicKey], word: impl Fn(&PublicKey) -> String) -> String {
    keys.iter().map(word).collect::<Vec<_>>().join(" and ")
}

impl ReceiptError {
    /// Every code.
    pub const CODES: [&'static str; 15] = [
        "receipt-too-long",
        "bad-receipt",
        "newer-receipt",
        "receipt-not-signed",
        "receipt-not-included",
        "not-covered-yet",
        "not-extended",
        "receipt-other-mirror",
        "receipt-other-name",
        "receipt-other-checkpoint",
        "receipt-other-tournament",
        "receipt-changed-checkpoint",
        "receipt-other-signer",
        "receipt-not-comparable",
        "receipt-other-key",
    ];

    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            ReceiptError::Malformed { .. } | ReceiptError::Checkpoint(_) => "bad-receipt",
            ReceiptError::Newer { .. } => "newer-receipt",
            ReceiptError::TooMany { .. } => "receipt-too-long",
            ReceiptError::NotSigned => "receipt-not-signed",
            ReceiptError::NotIncluded { .. } => "receipt-not-included",
            ReceiptError::NotCovered { .. } => "not-covered-yet",
            ReceiptError::NotExtended { .. } => "not-extended",
            ReceiptError::OtherMirror { .. } => "receipt-other-mirror",
            ReceiptError::OtherName { .. } => "receipt-other-name",
            ReceiptError::OtherCheckpoint => "receipt-other-checkpoint",
            ReceiptError::OtherEvent { .. } => "receipt-other-tournament",
            ReceiptError::ChangedCheckpoint => "receipt-changed-checkpoint",
            ReceiptError::OtherSigner { .. } => "receipt-other-signer",
            ReceiptError::NotComparable { .. } => "receipt-not-comparable",
            ReceiptError::OtherKey { .. } => "receipt-other-key",
        }
    }

    /// What to do next.
    pub const fn hint(&self) -> &'static str {
        match self {
            ReceiptError::Newer { .. } => "check it with a newer version",
            ReceiptError::TooMany { .. } => "ask for those of one round: --round <number>",
            ReceiptError::NotCovered { .. } => "sign a checkpoint first: `scrutineer checkpoint`",
            ReceiptError::NotExtended { .. } => {
                "`scrutineer checkpoint --extends <file>` says how they differ"
            }
            ReceiptError::NotComparable { .. } => {
                "ask the organizer for one that extends yours: `scrutineer prove <table> --extends <file>`, or \
                 for the proof alone: `scrutineer checkpoint --extends <file>`"
            }
            ReceiptError::OtherCheckpoint | ReceiptError::OtherKey { .. } => {
                "keep both, and ask the organizer"
            }
            ReceiptError::OtherEvent { .. } => {
                "hold it against a checkpoint of the same tournament"
            }
            ReceiptError::ChangedCheckpoint => {
                "copy it again in full, from the first line to the last"
            }
            ReceiptError::OtherSigner { .. } => {
                "if the organizer changed the key, let them tell you the new one, and name the new \
                 key with --key"
            }
            _ => "it was changed, or not copied in full: ask for another copy",
        }
    }
}
