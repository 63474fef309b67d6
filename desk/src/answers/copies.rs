//! Copies of a whole store, and who is forgotten.

use super::TournamentName;
use crate::store::{Carried, CarriedHouse, Checked, Export, Restored};
use scrutineer_replay::mirror::in_words;
use serde::Serialize;
use std::path::Path;
use utoipa::ToSchema;

/// A store that was copied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct BackupAnswer {
    /// `backup`.
    pub verb: &'static str,
    /// The folder of the copy.
    pub folder: String,
    /// What was read back of it.
    pub checked: CheckedStore,
}

/// What was read of a store or a copy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct CheckedStore {
    /// How many tournaments it has.
    pub tournaments: usize,
    /// How many commands.
    pub commands: u64,
    /// How many records, each hashed and chained.
    pub records: u64,
    /// How many private texts.
    pub texts: usize,
    /// How many checkpoints, each held against the records.
    pub checkpoints: usize,
    /// How many tournaments with a key have no checkpoint.
    pub without_checkpoints: usize,
    /// What is wrong beside the log, in sentences.
    pub wrong: Vec<String>,
}

impl From<&Checked> for CheckedStore {
    fn from(checked: &Checked) -> CheckedStore {
        CheckedStore {
            tournaments: checked.events,
            commands: checked.commands,
            records: checked.records,
            texts: checked.texts,
            checkpoints: checked.checkpoints,
            without_checkpoints: checked.without_checkpoints,
            wrong: checked.wrong.clone(),
        }
    }
}

/// A store that was copied into another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct StoreCopyAnswer {
    /// `store-copy`.
    pub verb: &'static str,
    /// The store that was copied.
    pub from: String,
    /// The store that it was copied into.
    pub to: String,
    /// How many tournaments.
    pub tournaments: usize,
    /// How many tournaments were left out, as was asked for.
    pub left_out: usize,
    /// How many commands.
    pub commands: u64,
    /// How many records, each compared byte by byte.
    pub records: u64,
    /// How many bytes these have.
    pub bytes: u64,
    /// How many private texts, each compared.
    pub texts: usize,
    /// How many files beside the logs, each compared.
    pub files: usize,
    /// How many of the records were there already.
    pub there: u64,
    /// How many texts stay empty there, since somebody was forgotten.
    pub stay_empty: usize,
    /// Who may do what, and what was done on the floors; `null` where this program has no server.
    pub house: Option<HouseCopied>,
}

/// What was copied of who may do what and of the floors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct HouseCopied {
    /// How many accounts, links, tokens, policies, webhooks and the like there are, each compared.
    pub rows: usize,
    /// How many lines the list of who changed what has.
    pub changes: usize,
    /// How many tournaments have a floor.
    pub floors: usize,
    /// How much was done on these.
    pub entries: usize,
    /// Whether the other store has people of its own, who stay: then rows and changes were not copied.
    pub has_own: bool,
    /// How many floors went on otherwise in the other store, and stay.
    pub parted: usize,
}

impl From<CarriedHouse> for HouseCopied {
    fn from(carried: CarriedHouse) -> HouseCopied {
        let CarriedHouse { rows, changes, floors, entries, has_own, parted, .. } = carried;
        HouseCopied { rows, changes, floors, entries, has_own, parted }
    }
}

impl StoreCopyAnswer {
    /// What was carried from one store to another.
    pub fn of(
        (from, to): (String, String),
        carried: &Carried,
        left_out: usize,
        house: Option<CarriedHouse>,
    ) -> StoreCopyAnswer {
        let Carried { tournaments, commands, records, bytes, texts, files, .. } = *carried;
        let Carried { there, stay_empty, .. } = *carried;
        StoreCopyAnswer {
            verb: "store-copy",
            from,
            to,
            tournaments,
            left_out,
            commands,
            records,
            bytes,
            texts,
            files,
            there,
            stay_empty,
            house: house.map(HouseCopied::from),
        }
    }
}

/// The tables of a database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct StoreMigrateAnswer {
    /// `store-migrate`.
    pub verb: &'static str,
    /// The database.
    pub store: String,
    /// The version that its tables had; 0: there were none.
    pub from: u32,
    /// The version that they have.
    pub to: u32,
}

/// A store that was brought back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RestoreAnswer {
    /// `restore`.
    pub verb: &'static str,
    /// The folder of the copy.
    pub from: String,
    /// What was read back of the store.
    pub checked: CheckedStore,
    /// How many commands only the copy had whole.
    pub only_in_copy: u64,
    /// How many commands only the store that was there had whole.
    pub only_in_store: u64,
    /// The folder in which the store that was there is set aside.
    pub aside: Option<String>,
    /// What could not be brought back, in sentences.
    pub lost: Vec<String>,
    /// What was damaged in one of them and came from the other, in sentences.
    pub mended: Vec<String>,
    /// Whether the pairing secrets are there.
    pub secrets: bool,
    /// The tournaments that lack records which were signed.
    pub shorter: Vec<ShorterLog>,
}

/// A tournament that lacks records which were signed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ShorterLog {
    /// Which tournament.
    pub tournament: TournamentName,
    /// The event of its log that says so.
    pub recorded: Option<u64>,
    /// Why no event says so.
    pub why_not: Option<String>,
}

impl RestoreAnswer {
    /// A store that was brought back from this copy.
    pub fn of(from: &Path, restored: &Restored, shorter: Vec<ShorterLog>) -> RestoreAnswer {
        RestoreAnswer {
            verb: "restore",
            from: from.display().to_string(),
            checked: (&restored.checked).into(),
            only_in_copy: restored.from_copy,
            only_in_store: restored.from_store,
            aside: restored.aside.as_ref().map(|aside| aside.display().to_string()),
            lost: restored.lost.clone(),
            mended: restored.mended.clone(),
            secrets: restored.secrets,
            shorter,
        }
    }
}

/// Somebody who is forgotten, or would be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ForgetAnswer {
    /// Which tournament.
    pub tournament: TournamentName,
    /// Their number as a player.
    pub player: Option<u32>,
    /// Their number as one of the staff.
    pub actor: Option<u32>,
    /// What they are called from now on.
    pub stand_in: String,
    /// Whether texts were emptied.
    pub done: bool,
    /// Whether nothing of them was left to be emptied.
    pub already: bool,
    /// The texts that are emptied.
    pub emptied: Vec<ForgottenText>,
    /// The texts that stay and may name them.
    pub staying: Vec<ForgottenText>,
    /// The players who are called the same.
    pub namesakes: Vec<u32>,
    /// The same in other tournaments.
    pub elsewhere: Vec<ForgottenElsewhere>,
    /// The exports that have names in them.
    pub exports: Vec<ExportNoted>,
    /// How many lines of the list of exports cannot be read.
    pub exports_unreadable: u64,
}

/// A private text of somebody who is forgotten.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ForgottenText {
    /// Its number among the private texts.
    pub entry: u32,
    /// What it is.
    pub what: String,
    /// The event that it belongs to.
    pub seq: Option<u64>,
    /// Why it is listed.
    pub because: String,
    /// Its words; null where they are emptied.
    pub text: Option<String>,
}

/// What another tournament holds of somebody who is forgotten.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum ForgottenElsewhere {
    /// Texts of theirs.
    Found {
        /// Which tournament.
        tournament: TournamentName,
        /// Their number as a player of it.
        player: Option<u32>,
        /// The texts that are emptied.
        emptied: Vec<ForgottenText>,
        /// The texts that stay and may name them.
        staying: Vec<ForgottenText>,
    },
    /// Players who may be somebody else.
    Unclear {
        /// Which tournament.
        tournament: TournamentName,
        /// Their numbers.
        unclear: Vec<u32>,
    },
}

/// An export that has names in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ExportNoted {
    /// When it was written, in UTC.
    pub time: String,
    /// What it was.
    pub what: String,
    /// Where it was written; null where that held a name that was forgotten since.
    pub path: Option<String>,
    /// The only player whose name is in it; null where it is everybody's.
    pub player: Option<u32>,
}

impl From<&Export> for ExportNoted {
    fn from(export: &Export) -> ExportNoted {
        let Export { time, what, path, player, .. } = export;
        let (time, what) = (in_words(*time), what.clone());
        ExportNoted { time, what, path: path.clone(), player: *player }
    }
}
