//! What the verbs answer to programs: one shape for one thing, each with a schema.
//!
//! The command prints these with `--json`. Their schemas are committed in `docs/schemas/`, and
//! `docs/JSON.md` says when a version ends. Fields have plain types: the schema of `u32` says what it
//! is, and of a name for it that it is called so.

mod compare;
mod copies;
mod course;
mod disputes;
mod editions;
mod explain;
mod files;
mod pairings;
mod past;
mod people;
mod publisher;
mod reach;
mod review;
mod rounds;
mod season;
mod stored;
mod tables;
mod trials;
mod trust;

pub use compare::*;
pub use copies::*;
pub use course::*;
pub use disputes::*;
pub use editions::*;
pub use explain::*;
pub use files::*;
pub use pairings::*;
pub use past::*;
pub use people::*;
pub use publisher::*;
pub use reach::*;
pub use review::*;
pub use rounds::*;
pub use season::*;
pub use stored::*;
pub use tables::*;
pub use trials::*;
pub use trust::*;

use crate::hint::Hint;
use num_bigint::BigInt;
use num_rational::BigRational;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::PlayerNumber;
use scrutineer_engine::record::StreamId;
use scrutineer_replay::as_of;
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::mirror::in_words;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Display;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// The version of all shapes together, and the folder of their schemas in `docs/schemas/`.
pub const VERSION: &str = "v1";

/// Every answer: the name of its schema, which begins with its verb, and the schema.
pub fn schemas() -> BTreeMap<&'static str, Value> {
    BTreeMap::from([
        ("adopt", schema::<AdoptAnswer>()),
        ("advance", at_desk::<AdvanceAnswer>()),
        ("amend-rules", at_desk::<AmendRulesAnswer>()),
        ("announce", at_desk::<AnnounceAnswer>()),
        ("backup", schema::<BackupAnswer>()),
        ("bundle-export", schema::<BundleExportAnswer>()),
        ("bundle-import-folder", schema::<BundleFolderAnswer>()),
        ("bundle-import", schema::<BundleImportAnswer>()),
        ("follow", schema::<FollowAnswer>()),
        ("publish-to", schema::<PublishToAnswer>()),
        ("bundle-verify", schema::<BundleVerifyAnswer>()),
        ("check-pairing", dated::<CheckPairingAnswer>()),
        ("check-receipt", schema::<ReceiptAnswer>()),
        ("bye", at_desk::<ByeAnswer>()),
        ("check-in", at_desk::<CheckInAnswer>()),
        ("checkpoint", schema::<CheckpointAnswer>()),
        ("checkpoint-extends", schema::<CheckpointExtendsAnswer>()),
        ("claim", at_desk::<ClaimAnswer>()),
        ("close", at_desk::<CloseAnswer>()),
        ("compare", dated::<CompareAnswer>()),
        ("correct", at_desk::<ResultAnswer>()),
        ("cut", at_desk::<CutAnswer>()),
        ("diff", schema::<DiffAnswer>()),
        ("dispute-file", dated_at_desk::<DisputeFileAnswer>()),
        ("dispute-open", at_desk::<DisputeOpenAnswer>()),
        ("dispute-rule", at_desk::<DisputeRuleAnswer>()),
        ("disputes", dated_at_desk::<DisputesAnswer>()),
        ("describe", at_desk::<DescribeAnswer>()),
        ("disqualify", at_desk::<DropAnswer>()),
        ("drop", at_desk::<DropAnswer>()),
        ("enroll", at_desk::<EnrollAnswer>()),
        ("error", schema::<ErrorAnswer>()),
        ("enroll-store", schema::<PublisherStands>()),
        ("enroll-store-end", schema::<PublisherEnded>()),
        ("explain", dated::<ExplainAnswer>()),
        ("explain-pairing", dated::<ExplainPairingAnswer>()),
        ("export", schema::<ExportAnswer>()),
        ("export-page", schema::<ExportPageAnswer>()),
        ("export-sheets", schema::<ExportSheetsAnswer>()),
        ("export-report", schema::<ExportReportAnswer>()),
        ("forget", schema::<ForgetAnswer>()),
        ("import", schema::<ImportAnswer>()),
        ("keys", schema::<KeyAnswer>()),
        ("keys-retire", schema::<KeyRetireAnswer>()),
        ("keys-show", schema::<Vec<KeyRow>>()),
        ("late", at_desk::<EnrollAnswer>()),
        ("log", dated::<LogLine>()),
        ("lots", at_desk::<LotsAnswer>()),
        ("name-staff", at_desk::<NameStaffAnswer>()),
        ("new", at_desk::<NewAnswer>()),
        ("note", at_desk::<NoteAnswer>()),
        ("note-score", at_desk::<NoteScoreAnswer>()),
        ("overview", schema::<OverviewAnswer>()),
        ("pair", at_desk::<PairAnswer>()),
        ("pairings", dated_at_desk::<PairingsAnswer>()),
        ("penalty", at_desk::<PenaltyAnswer>()),
        ("players", dated_at_desk::<PlayersAnswer>()),
        ("prove", schema::<ProveAnswer>()),
        ("publish", at_desk::<PublishAnswer>()),
        ("reach", dated::<ReachAnswer>()),
        ("rebuild", schema::<RebuildAnswer>()),
        ("rebuild-players", schema::<PlayerRebuilt>()),
        ("rebuild-tournaments", schema::<TournamentRebuilt>()),
        ("reinstate", at_desk::<ReinstateAnswer>()),
        ("rename", at_desk::<RenameAnswer>()),
        ("repair", at_desk::<RepairAnswer>()),
        ("replay", dated::<ReplayStep>()),
        ("remove", at_desk::<RemoveAnswer>()),
        ("reseed", at_desk::<ReseedAnswer>()),
        ("restore", schema::<RestoreAnswer>()),
        ("result", at_desk::<ResultAnswer>()),
        ("result-refused", schema::<RefusedSlip>()),
        ("result-stack", schema::<StackAnswer>()),
        ("review", schema::<ReviewAnswer>()),
        ("rules-check", schema::<RulesetChecked>()),
        ("rules-fetch", schema::<EditionsFetched>()),
        ("rules-editions", schema::<Vec<EditionListed>>()),
        ("rules-sign", schema::<EditionAnswer>()),
        ("rules-list", schema::<Vec<RulesetListed>>()),
        ("rules-show", schema::<RulesetShown>()),
        ("set-division", at_desk::<SetDivisionAnswer>()),
        ("keep-table", at_desk::<KeepTableAnswer>()),
        ("tables", at_desk::<TablesAnswer>()),
        ("set-pairing", at_desk::<RepairAnswer>()),
        ("show", dated::<EventShown>()),
        ("simulate", schema::<SimulateAnswer>()),
        ("simulate-times", schema::<Vec<FormatTried>>()),
        ("snapshots", schema::<SnapshotListed>()),
        ("snapshots-drop", schema::<SnapshotsDropped>()),
        ("standings", dated::<StandingsAnswer>()),
        ("store-copy", schema::<StoreCopyAnswer>()),
        ("store-migrate", schema::<StoreMigrateAnswer>()),
        ("tournaments", schema::<Vec<TournamentListed>>()),
        ("store-copy", schema::<StoreCopyAnswer>()),
        ("store-migrate", schema::<StoreMigrateAnswer>()),
        ("trace", dated::<TraceStep>()),
        ("undo", at_desk::<UndoAnswer>()),
        ("verify", dated::<VerifyAnswer>()),
        ("verify-journal", schema::<VerifyJournalAnswer>()),
        ("what-if", schema::<WhatIfAnswer>()),
        ("withdraw", at_desk::<WithdrawAnswer>()),
    ])
}

/// The schema of an answer.
pub fn schema<T: ToSchema>() -> Value {
    with_parts::<T>(Vec::new())
}

/// The schema of what is asked for: what may be null there may be left out.
pub fn request_schema<T: ToSchema>() -> Value {
    whole::<T>(Vec::new(), |_| {})
}

/// The schema of an answer that can be one as of a moment.
fn dated<T: ToSchema>() -> Value {
    // What is flattened into a generic type is named by it, and not collected.
    with_parts::<Dated<T>>(vec![(T::name().into(), T::schema())])
}

/// The schema of an answer at a desk.
fn at_desk<T: ToSchema>() -> Value {
    with_parts::<DeskAnswer<T>>(vec![(T::name().into(), T::schema())])
}

/// As [`at_desk`], of one that can be as of a moment.
fn dated_at_desk<T: ToSchema>() -> Value {
    let parts = vec![
        (T::name().into(), T::schema()),
        (Dated::<T>::name().into(), <Dated<T> as PartialSchema>::schema()),
    ];
    with_parts::<DeskAnswer<Dated<T>>>(parts)
}

/// The schema of an answer, with those of its parts under `$defs`.
fn with_parts<T: ToSchema>(parts: Vec<(String, RefOr<Schema>)>) -> Value {
    whole::<T>(parts, require_nulls)
}

fn whole<T: ToSchema>(
    mut parts: Vec<(String, RefOr<Schema>)>,
    require: impl FnOnce(&mut Value),
) -> Value {
    T::schemas(&mut parts);
    let parts: BTreeMap<String, _> = parts.into_iter().collect();
    let whole = serde_json::json!({ "answer": T::schema(), "$defs": parts });
    let text = whole.to_string().replace("#/components/schemas/", "#/$defs/");
    // What was written a line before is read.
    let mut whole: Value = serde_json::from_str(&text).unwrap_or_default();
    require(&mut whole);
    let mut answer = whole["answer"].take();
    answer["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    if !parts.is_empty() {
        answer["$defs"] = whole["$defs"].take();
    }
    answer
}

/// Requires every key that may be null: it is always there. What is left out instead is marked as not
/// nullable.
fn require_nulls(schema: &mut Value) {
    let is_null = |schema: &Value| schema["type"] == "null";
    let nullable = |(_, of): &(&String, &Value)| {
        let one_of = of["oneOf"].as_array().is_some_and(|all| all.iter().any(is_null));
        one_of || of["type"].as_array().is_some_and(|all| all.contains(&"null".into()))
    };
    if let Some(properties) = schema["properties"].as_object() {
        let keys = properties.iter().filter(nullable).map(|(key, _)| key.as_str().into());
        let keys: Vec<Value> = keys.collect();
        match schema.get_mut("required").and_then(Value::as_array_mut) {
            Some(required) => required.extend(keys),
            None if keys.is_empty() => {}
            None => schema["required"] = keys.into(),
        }
    }
    match schema {
        Value::Object(parts) => parts.values_mut().for_each(require_nulls),
        Value::Array(parts) => parts.iter_mut().for_each(require_nulls),
        _ => {}
    }
}

/// An answer as a line of JSON, its keys in alphabetical order.
pub fn line(answer: &impl Serialize) -> String {
    // No key of an answer is anything but a text, and nothing else can fail.
    format!("{}\n", serde_json::to_value(answer).unwrap_or_default())
}

/// An enum of the code as JSON spells it, in small letters with hyphens.
macro_rules! words {
    ($(#[$about:meta])* $name:ident from $of:path {
        $($(#[$meaning:meta])* $variant:ident),+ $(,)?
    }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
        #[serde(rename_all = "kebab-case")]
        pub enum $name { $($(#[$meaning])* $variant),+ }

        impl From<$of> for $name {
            fn from(one: $of) -> $name {
                use $of as Of;
                match one { $(Of::$variant => $name::$variant),+ }
            }
        }
    };
}
use words;

/// The tournament that an answer is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct TournamentName {
    /// Its id; null where a file was read and nothing stored.
    pub id: Option<String>,
    /// Its title; null where only the id is known.
    pub title: Option<String>,
}

impl TournamentName {
    /// The name of a tournament of the store.
    pub fn new(stream: StreamId, title: impl Into<String>) -> TournamentName {
        TournamentName { id: Some(stream.to_string()), title: Some(title.into()) }
    }

    /// The name of a tournament of which only the id is known.
    pub fn untitled(stream: StreamId) -> TournamentName {
        TournamentName { id: Some(stream.to_string()), title: None }
    }
}

impl From<&LoadedTournament> for TournamentName {
    fn from(event: &LoadedTournament) -> TournamentName {
        TournamentName::new(event.stream, event.title())
    }
}

/// A player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Player {
    /// Their number in this tournament.
    pub number: u32,
    /// Their name, with the number behind it where others are called so.
    pub name: String,
}

impl Player {
    /// A player of a tournament that was loaded.
    pub fn of(event: &LoadedTournament, number: PlayerNumber) -> Player {
        Player { number, name: event.name(number) }
    }

    /// Several players of a tournament that was loaded.
    pub fn all(event: &LoadedTournament, numbers: &[PlayerNumber]) -> Vec<Player> {
        numbers.iter().map(|number| Player::of(event, *number)).collect()
    }
}

/// The moment in the past as of which an answer is given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct AsOf {
    /// The last event that was there.
    pub seq: u64,
    /// When it was recorded, in UTC.
    pub recorded: String,
    /// The last event of the log now.
    pub last: u64,
}

impl From<as_of::AsOf> for AsOf {
    fn from(moment: as_of::AsOf) -> AsOf {
        let as_of::AsOf { head, recorded, last, .. } = moment;
        AsOf { seq: head.seq, recorded: in_words(recorded), last }
    }
}

/// An answer as of a moment in the past, if it is one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Dated<T> {
    /// The answer.
    #[serde(flatten)]
    pub answer: T,
    /// Left out where the answer is about the present.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<AsOf>,
}

impl<T> Dated<T> {
    /// An answer about a tournament that was loaded.
    pub fn of(event: &LoadedTournament, answer: T) -> Dated<T> {
        Dated { answer, as_of: event.as_of.map(AsOf::from) }
    }
}

/// What a verb at the desk of a tournament answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DeskAnswer<T> {
    /// The answer of the verb.
    #[serde(flatten)]
    pub answer: T,
    /// Which tournament.
    pub tournament: TournamentName,
    /// The first event that was recorded; null where nothing was.
    pub first_seq: Option<u64>,
    /// The last event that was recorded.
    pub last_seq: Option<u64>,
    /// What the scorekeeper should know.
    pub notes: Vec<String>,
}

/// An exact value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Exact {
    /// The numerator; null where there is no value.
    pub num: Option<Whole>,
    /// The denominator; null where there is no value.
    pub den: Option<Whole>,
    /// The value as the ruleset shows it.
    pub text: String,
}

/// A whole number; a text where it is beyond 2^53, up to which every reader of JSON is exact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum Whole {
    /// Up to 2^53.
    Number(i64),
    /// Beyond it, in decimal digits.
    Text(String),
}

impl Exact {
    /// A value as it is shown.
    pub fn new(value: &BigRational, text: impl Into<String>) -> Exact {
        let text = text.into();
        // A single dash says that there is no value: a champion was knocked out in no round.
        let is_there = text != "-";
        let whole = |part: &BigInt| is_there.then(|| Whole::from(part));
        Exact { num: whole(value.numer()), den: whole(value.denom()), text }
    }
}

impl From<&BigInt> for Whole {
    fn from(value: &BigInt) -> Whole {
        const EXACT: i64 = 1 << 53;
        match i64::try_from(value) {
            Ok(small) if small.abs() <= EXACT => Whole::Number(small),
            _ => Whole::Text(value.to_string()),
        }
    }
}

/// A verb that could not do its work, on standard error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ErrorAnswer {
    /// Why not.
    pub error: Problem,
}

/// Why something could not be done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Problem {
    /// The kind, from which the exit code follows, as docs/REFUSALS.md has them.
    pub kind: String,
    /// The stable code, as docs/REFUSALS.md has it.
    pub code: String,
    /// What is wrong.
    pub message: String,
    /// What to do next.
    pub hint: Option<String>,
    /// The commands that the hint names.
    pub commands: Vec<HintedCommand>,
}

/// A command that a hint names. What stands in angle brackets is to be filled in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct HintedCommand {
    /// The verb.
    pub verb: String,
    /// What stands behind it.
    pub arguments: Vec<String>,
}

impl Problem {
    /// An error with its code and what to do next.
    pub fn new(error: impl Display, code: Code, hint: Option<impl Into<Hint>>) -> Problem {
        let hint: Option<Hint> = hint.map(Into::into);
        let commands = hint.as_ref().map_or(Vec::new(), Hint::commands).into_iter();
        let commands = commands
            .map(|command| HintedCommand { verb: command.verb(), arguments: command.arguments() });
        Problem {
            kind: code.kind.word().to_string(),
            code: code.to_string(),
            message: error.to_string(),
            commands: commands.collect(),
            hint: hint.map(|hint| hint.to_string()),
        }
    }
}
