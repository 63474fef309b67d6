//! What others check a log by: findings, checkpoints, keys, receipts.

use super::{Problem, TournamentName};
use scrutineer_engine::record::to_hex;
use scrutineer_replay::bundle::{self, Found};
use scrutineer_replay::finding;
use scrutineer_replay::mirror::in_words;
use scrutineer_replay::trust::checkpoint::{Signed, origin};
use scrutineer_replay::trust::history::History;
use scrutineer_replay::trust::note::verifier_key;
use scrutineer_replay::verify::Verification;
use scrutineer_store::MirrorStanding;
use serde::Serialize;
use utoipa::ToSchema;

/// Something that verification found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Finding {
    /// The stable code, as docs/TRUST.md has it.
    pub code: &'static str,
    /// The line of the file, from 1; 0: the whole file. Left out where no file was read.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The event that it is about; 0: the whole log.
    pub seq: u64,
    /// What was found.
    pub sentence: String,
    /// `information`, `unchecked` or `error`.
    pub severity: String,
}

impl From<&finding::Finding> for Finding {
    fn from(found: &finding::Finding) -> Finding {
        Finding {
            code: found.code,
            line: None,
            seq: found.seq,
            sentence: found.sentence.clone(),
            severity: severity(found),
        }
    }
}

impl From<&Found> for Finding {
    fn from(found: &Found) -> Finding {
        Finding { line: Some(found.line), ..(&found.finding).into() }
    }
}

fn severity(found: &finding::Finding) -> String {
    format!("{:?}", found.severity).to_lowercase()
}

/// The journal of a store: the first line of `verify` where the whole store is verified.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct VerifyJournalAnswer {
    /// How many records it has; null where it is damaged.
    pub journal_records: Option<u64>,
    /// Whether it is whole.
    pub holds: bool,
    /// What is damaged.
    pub error: Option<Problem>,
    /// How the mirror stands; left out where there is none.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mirror: Option<MirrorState>,
}

/// How a mirror stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct MirrorState {
    /// Its folder.
    pub folder: String,
    /// How many commands it lacks; null where it cannot be read.
    pub missing_commands: Option<u64>,
    /// Why it is not written.
    pub away: Option<String>,
}

impl From<&MirrorStanding> for MirrorState {
    fn from(standing: &MirrorStanding) -> MirrorState {
        let MirrorStanding { folder, missing, away } = standing;
        let folder = folder.display().to_string();
        MirrorState { folder, missing_commands: *missing, away: away.clone() }
    }
}

/// A tournament of the store that was verified.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct VerifyAnswer {
    /// Which tournament.
    pub tournament: TournamentName,
    /// How many records were read.
    pub records: u64,
    /// The hash of the last one.
    pub head: String,
    /// Whether nothing is wrong.
    pub holds: bool,
    /// What was found.
    pub findings: Vec<Finding>,
}

impl VerifyAnswer {
    /// What was found of the tournament of this title.
    pub fn of(title: &str, found: &Verification) -> VerifyAnswer {
        VerifyAnswer {
            tournament: TournamentName::new(found.stream, title),
            records: found.records,
            head: found.head.to_string(),
            holds: found.holds(),
            findings: found.findings.iter().map(Finding::from).collect(),
        }
    }
}

/// A bundle that was checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct BundleVerifyAnswer {
    /// Which tournament; null where the bundle does not say.
    pub tournament: Option<TournamentName>,
    /// How many records follow each other from the first.
    pub records: u64,
    /// The hash of the last one.
    pub head: String,
    /// How many announced tables it has.
    pub tables: u64,
    /// How many checkpoints it has.
    pub checkpoints: u64,
    /// How many private texts it has.
    pub entries: u64,
    /// Whether nothing is wrong.
    pub holds: bool,
    /// For how many records the given key stands; null where no key was given.
    pub attested: Option<u64>,
    /// Whether it stands for all of them; null where no key was given.
    pub attested_all: Option<bool>,
    /// The keys that the given key appointed.
    pub successors: Vec<Successor>,
    /// What was found.
    pub findings: Vec<Finding>,
    /// How many findings there are beyond those.
    pub more_findings: u64,
}

/// A key that another one appointed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Successor {
    /// The event that appointed it.
    pub seq: u64,
    /// The key.
    pub key: String,
}

impl From<&bundle::Checked> for BundleVerifyAnswer {
    fn from(checked: &bundle::Checked) -> BundleVerifyAnswer {
        let attested = checked.attested.as_ref();
        let successors = attested.map_or(&[][..], |found| &found.successors);
        let successor = |(seq, key): &(u64, [u8; 32])| Successor { seq: *seq, key: to_hex(key) };
        BundleVerifyAnswer {
            tournament: checked.stream.map(TournamentName::untitled),
            records: checked.records,
            head: checked.head.to_string(),
            tables: checked.tables,
            checkpoints: checked.checkpoints,
            entries: checked.entries,
            holds: checked.holds(),
            attested: attested.and_then(|found| found.size),
            attested_all: attested.map(|_| checked.is_attested()),
            successors: successors.iter().map(successor).collect(),
            findings: checked.findings.iter().map(Finding::from).collect(),
            more_findings: checked.more,
        }
    }
}

/// A signed checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct CheckpointAnswer {
    /// `checkpoint`.
    pub verb: &'static str,
    /// Which tournament.
    pub tournament: TournamentName,
    /// How many records it stands for.
    pub records: u64,
    /// The root of the tree over them.
    pub root: String,
    /// When the last of them was recorded, in UTC.
    pub time: String,
    /// The hash of the last of them.
    pub head: String,
    /// The keys that signed it.
    pub signers: Vec<String>,
    /// The same keys, as other programs take them to check a signed note.
    pub verifier_keys: Vec<String>,
    /// The checkpoint itself.
    pub checkpoint: String,
}

impl CheckpointAnswer {
    /// A checkpoint of a log.
    pub fn of(history: &History, signed: &Signed) -> CheckpointAnswer {
        let checkpoint = &signed.checkpoint;
        let (keys, name) = (history.signed_by(signed), origin(checkpoint.stream));
        CheckpointAnswer {
            verb: "checkpoint",
            tournament: TournamentName::untitled(checkpoint.stream),
            records: checkpoint.size,
            root: to_hex(&checkpoint.root),
            time: in_words(checkpoint.time),
            head: checkpoint.head.to_string(),
            signers: keys.iter().map(|key| to_hex(&key[..])).collect(),
            verifier_keys: keys.iter().map(|key| verifier_key(&name, key)).collect(),
            checkpoint: signed.to_string(),
        }
    }
}

/// Earlier checkpoints held against the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct CheckpointExtendsAnswer {
    /// `checkpoint`.
    pub verb: &'static str,
    /// Whether the log goes on from all of them.
    pub extends: bool,
    /// What was found.
    pub findings: Vec<HeldFinding>,
    /// The proof that the log goes on from the oldest; null where it does not.
    pub proof: Option<String>,
}

/// Something that was found of an earlier checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct HeldFinding {
    /// The file of the checkpoint.
    pub file: String,
    /// The stable code, as docs/TRUST.md has it.
    pub code: &'static str,
    /// How many records it is about.
    pub records: u64,
    /// What was found.
    pub sentence: String,
    /// `information`, `unchecked` or `error`.
    pub severity: String,
}

impl HeldFinding {
    /// A finding about the checkpoint in this file.
    pub fn new(file: String, found: &finding::Finding) -> HeldFinding {
        HeldFinding {
            file,
            code: found.code,
            records: found.seq,
            sentence: found.sentence.clone(),
            severity: severity(found),
        }
    }
}

/// A key that was made, and the tournaments that it signs from now on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct KeyAnswer {
    /// `keys new` or `keys rotate`.
    pub verb: &'static str,
    /// The key.
    pub key: String,
    /// The tournaments.
    pub tournaments: Vec<TournamentName>,
}

/// A key: `keys show` answers a list of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct KeyRow {
    /// The key.
    pub key: String,
    /// Its short name.
    pub fingerprint: String,
    /// `current`, `older` or `not here`.
    pub state: &'static str,
    /// The tournaments that it signs.
    pub signs: Vec<String>,
    /// The tournaments in which it is retired.
    pub retired: Vec<String>,
}

/// A key that was retired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct KeyRetireAnswer {
    /// `keys retire`.
    pub verb: &'static str,
    /// The tournaments that it signed.
    pub tournaments: Vec<RetiredIn>,
}

/// A tournament in which a key was retired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RetiredIn {
    /// Which tournament.
    pub tournament: TournamentName,
    /// The last record up to which its checkpoints count.
    pub last: u64,
}

/// A receipt that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ProveAnswer {
    /// `prove`.
    pub verb: &'static str,
    /// The file.
    pub file: String,
    /// The events in it.
    pub events: Vec<u64>,
    /// How many records its checkpoint stands for.
    pub records: u64,
}

/// A receipt that was checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ReceiptAnswer {
    /// `check-receipt`.
    pub verb: &'static str,
    /// Whether it holds: one that does not is an error.
    pub holds: bool,
    /// Which tournament.
    pub tournament: TournamentName,
    /// How many records its checkpoint stands for.
    pub records: u64,
    /// The root of the tree over them.
    pub root: String,
    /// The keys that signed it.
    pub signers: Vec<String>,
    /// The size of the earlier checkpoint from which the log goes on.
    pub extends: Option<u64>,
    /// The records in it.
    pub proved: Vec<ProvedEvent>,
    /// Whether its key was compared with one that was named.
    pub key_compared: bool,
    /// Whether its checkpoint was compared with one that was named.
    pub checkpoint_compared: bool,
}

/// An event that a receipt proves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ProvedEvent {
    /// The event.
    pub seq: u64,
    /// Its kind.
    pub kind: String,
    /// What it says.
    pub sentence: String,
    /// The event of the receipt that takes it back.
    pub taken_back_by: Option<u64>,
}
