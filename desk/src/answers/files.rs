//! Files that come in and go out: imports, bundles, pages, sheets.

use super::{Problem, TournamentName};
use crate::bundle::{Adopted, Asked, Outcome};
use scrutineer_formats::Oddity;
use scrutineer_replay::bundle::{Beyond, Differ, Give, Relation, Written};
use serde::Serialize;
use std::path::Path;
use utoipa::ToSchema;

/// A file that was imported, or not; a line for each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ImportAnswer {
    /// The file.
    pub file: String,
    /// The tournament in it; its id is null.
    pub tournament: TournamentName,
    /// The id of its ruleset.
    pub rules: String,
    /// The format that it was recognized as; empty where it was not.
    pub format: String,
    /// How many players it has.
    pub players: usize,
    /// How many rounds it has.
    pub rounds: usize,
    /// How many matches.
    pub matches: usize,
    /// What the file does not hold, such as `times` or `sign-up order`.
    pub unknown: Vec<String>,
    /// What it brings, or would bring, to an older version of its tournament in the store, in words.
    pub renewed: Vec<String>,
    /// How many published rows were compared.
    pub rows: usize,
    /// How many of them match in every value.
    pub matched: usize,
    /// How many have the values of an earlier round.
    pub stale: usize,
    /// How many differ.
    pub mismatched: usize,
    /// How many published places were compared.
    pub places: usize,
    /// How many of them are the computed ones.
    pub same_places: usize,
    /// The rows and places that differ.
    pub unmatched: Vec<Unmatched>,
    /// What looks wrong in the file.
    pub oddities: Vec<ImportOddity>,
    /// Why it was not imported, or not compared.
    pub error: Option<Problem>,
}

/// A published row or place that is not the computed one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum Unmatched {
    /// A row with the values of an earlier round.
    Stale {
        /// The player's name in the file.
        player: String,
        /// The round.
        stale_after: u16,
    },
    /// A value that differs.
    Differs {
        /// The player's name in the file.
        player: String,
        /// The id of the measure, or `place`.
        measure: String,
        /// The published value.
        published: String,
        /// The computed value.
        computed: String,
    },
}

/// Something that looks wrong in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ImportOddity {
    /// The place in the file.
    pub at: String,
    /// What looks wrong.
    pub sentence: String,
}

impl From<&Oddity> for ImportOddity {
    fn from(one: &Oddity) -> ImportOddity {
        ImportOddity { at: one.place.clone(), sentence: one.sentence.clone() }
    }
}

/// A bundle that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ExportAnswer {
    /// The file.
    pub file: String,
    /// Which tournament.
    pub tournament: TournamentName,
    /// How many records it has.
    pub records: u64,
    /// The hash of the last one.
    pub head: String,
    /// How many announced tables it has.
    pub tables: u64,
    /// How many checkpoints it has.
    pub checkpoints: u64,
    /// How many private texts it has.
    pub entries: u64,
    /// Whether names are in it.
    pub names: bool,
    /// Whether reasons and notes are in it.
    pub reasons: bool,
    /// Whether it is for another desk only.
    pub private: bool,
    /// How many private texts it lacks.
    pub missing: u64,
    /// Whether it lacks the pairing secret.
    pub lacks_secret: bool,
    /// How many announced tables it lacks.
    pub tables_left_out: u64,
    /// How many texts are erased though no event says that they were forgotten.
    pub erased: u64,
    /// The file with what was done on the floor; null where there is none.
    pub floor: Option<String>,
}

impl ExportAnswer {
    /// A bundle in a file.
    pub fn of(file: &Path, give: Give, written: &Written) -> ExportAnswer {
        ExportAnswer {
            file: file.display().to_string(),
            tournament: TournamentName::untitled(written.header.stream),
            records: written.header.records,
            head: written.header.head.to_string(),
            tables: written.tables,
            checkpoints: written.checkpoints,
            entries: written.entries,
            names: give != Give::Nothing,
            reasons: give.all_texts(),
            private: written.header.private,
            missing: written.missing,
            lacks_secret: written.lacks_secret,
            tables_left_out: written.left_out,
            erased: written.erased,
            floor: None,
        }
    }
}

/// A page that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ExportPageAnswer {
    /// The file.
    pub file: String,
    /// Which tournament.
    pub tournament: TournamentName,
    /// How many records it has.
    pub records: u64,
    /// Whether names are in it.
    pub names: bool,
}

/// Sheets that were written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ExportSheetsAnswer {
    /// Which tournament.
    pub tournament: TournamentName,
    /// The files.
    pub files: Vec<String>,
}

/// A tournament report of FIDE that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ExportReportAnswer {
    /// Which tournament.
    pub tournament: TournamentName,
    /// The file.
    pub file: String,
    /// What is not in it, and how often.
    pub left_out: Vec<String>,
}

/// A bundle that was brought in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct BundleImportAnswer {
    /// Which tournament.
    pub tournament: TournamentName,
    /// `new`, `extended` or `known`.
    pub what: &'static str,
    /// How many records the store has of it now.
    pub records: u64,
}

/// What came of following a tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FollowAnswer {
    /// Which tournament.
    pub tournament: TournamentName,
    /// How many events are kept, all of them verified; null where it is not followed any more.
    pub events: Option<u64>,
    /// How many of them came just now.
    pub new: u64,
    /// Whether that is all that is signed there.
    pub is_whole: bool,
    /// Why it is not followed any more.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Problem>,
}

/// The public pages of a tournament as files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PublishToAnswer {
    /// The folder.
    pub folder: String,
    /// How many files there are.
    pub files: usize,
    /// How many of them changed.
    pub changed: usize,
    /// How many were taken away.
    pub removed: usize,
}

/// Two histories of a tournament beside each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DiffAnswer {
    /// `same`, `first-longer`, `second-longer`, `parted` or `other-tournament`.
    pub relation: &'static str,
    /// The last event that both have; null where they are the same, or of two tournaments.
    pub after: Option<u64>,
    /// How they are related, in words.
    pub sentence: String,
    /// What the first has beyond.
    pub first: DiffSide,
    /// What the second has beyond.
    pub second: DiffSide,
}

/// What one history has beyond the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DiffSide {
    /// The first events of it.
    pub events: Vec<DiffEvent>,
    /// How many more there are.
    pub more: u64,
}

/// An event that one history has beyond the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DiffEvent {
    /// The event.
    pub seq: u64,
    /// What it says.
    pub sentence: String,
    /// When and by whom it was recorded.
    pub envelope: String,
}

impl DiffAnswer {
    /// Two histories with so many events, and what is said of them.
    pub fn of(differ: &Differ, lengths: (usize, usize), sentence: String) -> DiffAnswer {
        let (relation, after) = match differ.relation {
            Relation::Same => ("same", None),
            Relation::FirstLonger(_) => ("first-longer", Some(lengths.1 as u64)),
            Relation::SecondLonger(_) => ("second-longer", Some(lengths.0 as u64)),
            Relation::Parted(after) => ("parted", Some(after)),
            Relation::OtherEvent => ("other-tournament", None),
        };
        let (first, second) = ((&differ.first).into(), (&differ.second).into());
        DiffAnswer { relation, after, sentence, first, second }
    }
}

impl From<&Beyond> for DiffSide {
    fn from(beyond: &Beyond) -> DiffSide {
        let events = beyond.told.iter().map(|told| DiffEvent {
            seq: told.seq,
            sentence: told.sentence.clone(),
            envelope: told.envelope.clone(),
        });
        DiffSide { events: events.collect(), more: beyond.more }
    }
}

/// What became of another desk's commands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct AdoptAnswer {
    /// How many events both desks have from the first.
    pub shared: u64,
    /// Whether this desk has recorded nothing but those.
    pub is_beginning: bool,
    /// The other desk's commands after those.
    pub commands: Vec<AdoptedCommand>,
}

/// A command of another desk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct AdoptedCommand {
    /// Its id.
    pub command: String,
    /// Its first and last event on the other desk.
    pub there: [u64; 2],
    /// What it asked for: a sentence for each event, at most four.
    pub asked: Vec<String>,
    /// `adopted`, `known`, `same`, `left-out` or `refused`.
    pub outcome: &'static str,
    /// Its first and last event here.
    pub here: Option<[u64; 2]>,
    /// Why it was refused.
    pub refused: Option<Problem>,
}

impl From<&Adopted> for AdoptAnswer {
    fn from(adopted: &Adopted) -> AdoptAnswer {
        let Adopted { shared, is_beginning, commands } = adopted;
        let commands = commands.iter().map(AdoptedCommand::from).collect();
        AdoptAnswer { shared: *shared, is_beginning: *is_beginning, commands }
    }
}

impl From<&Asked> for AdoptedCommand {
    fn from(asked: &Asked) -> AdoptedCommand {
        let (outcome, here) = match &asked.outcome {
            Outcome::Adopted(first, last) => ("adopted", Some([*first, *last])),
            Outcome::Known(first, last) => ("known", Some([*first, *last])),
            Outcome::Same(seq) => ("same", Some([*seq, *seq])),
            Outcome::LeftOut(_) => ("left-out", None),
            Outcome::Refused { .. } => ("refused", None),
        };
        let refused = match &asked.outcome {
            Outcome::Refused { code, sentence, hint } => {
                Some(Problem::new(sentence, *code, Some(hint.clone())))
            }
            _ => None,
        };
        AdoptedCommand {
            command: asked.command.to_string(),
            there: [asked.there.0, asked.there.1],
            asked: asked.sentences.clone(),
            outcome,
            here,
            refused,
        }
    }
}

/// What became of the bundles of a folder that were written.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BundleExportAnswer {
    /// The folder.
    pub folder: String,
    /// How many tournaments there are.
    pub tournaments: u64,
    /// How many bundles were written.
    pub written: u64,
    /// How many were there already as they are.
    pub unchanged: u64,
    /// Tournaments of which no good bundle could be written.
    pub refused: Vec<BundleRefused>,
}

/// What became of the bundles of a folder that were brought in.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BundleFolderAnswer {
    /// The folder.
    pub folder: String,
    /// How many bundles there are.
    pub bundles: u64,
    /// How many tournaments are new here.
    pub new: u64,
    /// How many went on.
    pub extended: u64,
    /// How many were there already.
    pub known: u64,
    /// Bundles of which nothing was kept.
    pub refused: Vec<BundleRefused>,
}

/// A bundle that was refused.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BundleRefused {
    /// Its file.
    pub file: String,
    /// The code.
    pub code: String,
    /// Why.
    pub message: String,
}
