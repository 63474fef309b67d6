//! What does not hold in a receipt.

use super::super::checkpoint::CheckpointError;
use super::super::note::PublicKey;
use super::super::note::fingerprint;
use super::super::records;
use super::MAX_RECORDS;
use scrutineer_engine::record::{StreamId, to_hex};

const ASK: &str = "it was changed, or not copied in full: ask for another copy";

scrutineer_engine::errors! {
    /// Why a receipt proves nothing.
    #[derive(Clone, PartialEq, Eq)]
    pub enum ReceiptError -> &'static str {
        /// It cannot be read.
        Malformed { what: String } = invalid "bad-receipt", "this is no receipt: {what}",
            ASK;
        /// A newer program wrote it.
        Newer { version: u64 } = invalid "newer-receipt",
            "this receipt has version {version}, and this program knows 1",
            "check it with a newer version";
        /// Its checkpoint cannot be read.
        Checkpoint(#[from] CheckpointError) = invalid "bad-receipt", "this is no receipt: {0}",
            ASK;
        /// The checkpoint is not signed by the keys that it names.
        NotSigned = refused "receipt-not-signed",
            "the checkpoint of this receipt is not signed by the key that it names",
            ASK;
        /// More records than a receipt has.
        TooMany { records: usize } = too_large "receipt-too-long",
            "this would be a receipt of {records} events, and one has at most {MAX_RECORDS}",
            "ask for those of one round: --round <number>";
        /// A record is not under the checkpoint.
        NotIncluded { seq: u64 } = refused "receipt-not-included",
            "record {seq} is not among those that the checkpoint stands over",
            ASK;
        /// A record came after the checkpoint.
        NotCovered { seq: u64, size: u64 } = refused "not-covered-yet",
            ["event {seq} is not covered by the checkpoint of {}", records(*.size)],
            "sign a checkpoint first: `scrutineer checkpoint`";
        /// The log does not go on from the earlier checkpoint.
        NotExtended { size: u64 } = refused "not-extended",
            ["the log does not extend the checkpoint of {}", records(*.size)],
            "`scrutineer checkpoint --extends <file>` says how they differ";
        /// What people read is not what the record says.
        OtherMirror { seq: u64 } = refused "receipt-other-mirror",
            "the readable form of record {seq} is not what the record says",
            ASK;
        /// A name is not the one that a record commits to.
        OtherName { number: u32 } = refused "receipt-other-name",
            "name {number} is not one that a record of this receipt commits to",
            ASK;
        /// The checkpoint contradicts the one that somebody holds.
        OtherCheckpoint = refused "receipt-other-checkpoint",
            "the checkpoint of this receipt contradicts the one that you hold: the log was \
             changed",
            "keep both, and ask the organizer";
        /// The checkpoint that somebody holds is of another tournament.
        OtherEvent { held: StreamId, own: StreamId } = refused "receipt-other-tournament",
            "this receipt is of tournament {own}, and the checkpoint that you hold is of \
             tournament {held}",
            "hold it against a checkpoint of the same tournament";
        /// The text of the checkpoint that somebody holds is not the one that was signed.
        ChangedCheckpoint = refused "receipt-changed-checkpoint",
            "the signature of the checkpoint that you hold does not belong to its text: it was \
             changed, or not copied in full",
            "copy it again in full, from the first line to the last";
        /// No key that signed the receipt signed what somebody holds.
        OtherSigner { signers: Vec<PublicKey> } = refused "receipt-other-signer",
            ["this receipt is signed by the key {}, which did not sign the checkpoint that you \
             hold: anybody can write records of their own behind yours and sign them",
             all(.signers, fingerprint)],
            "if the organizer changed the key, let them tell you the new one, and name the new key \
             with --key";
        /// The receipt says nothing about the checkpoint that somebody holds.
        NotComparable { held: u64, size: u64 } = refused "receipt-not-comparable",
            ["this receipt is about a checkpoint of {}, and you hold one of \
             {held}", records(*.size)],
            "ask the organizer for one that extends yours: `scrutineer prove <table> --extends \
             <file>`, or for the proof alone: `scrutineer checkpoint --extends <file>`";
        /// Another key signed it.
        OtherKey { signers: Vec<PublicKey> } = refused "receipt-other-key",
            ["this receipt is signed by the key {}, not by the one that you named", all(.signers, |key| to_hex(key))],
            "keep both, and ask the organizer";
    }
}

/// Keys in words.
fn all(keys: &[PublicKey], word: impl Fn(&PublicKey) -> String) -> String {
    keys.iter().map(word).collect::<Vec<_>>().join(" and ")
}
