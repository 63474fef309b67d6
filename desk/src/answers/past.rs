//! What happened: the log, and the tournament walked through.

use super::{Exact, Passing, Player, TournamentName};
use scrutineer_engine::event::{Event, PlayerNumber, Seq};
use scrutineer_engine::record::{Header, Record as Stored, to_hex};
use scrutineer_projections::timeline::sentence;
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::mirror::in_words;
use scrutineer_replay::replay::{Moved, Passed as PassedStep, Step};
use scrutineer_replay::staff::Staff;
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// A line of `log`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LogLine {
    /// The number of the event.
    pub seq: u64,
    /// When it was recorded, in UTC.
    pub time: String,
    /// Who recorded it.
    pub by: String,
    /// Its kind in words.
    pub kind: String,
    /// What happened.
    pub sentence: String,
    /// What it took back, in its own sentence; null where it took nothing back.
    pub was: Option<String>,
    /// The event that took it back; null where it stands.
    pub undone_in: Option<u64>,
}

impl LogLine {
    /// An event of a log, in words; `undone` has what was taken back, each with the event that did it.
    pub fn of(
        event: &LoadedTournament,
        staff: &Staff<'_>,
        undone: &BTreeMap<Seq, Seq>,
        row: &(Header, Event),
    ) -> LogLine {
        let (header, logged) = row;
        let took_back = match logged {
            Event::Withdrawn(e) => Some(e.seq),
            _ => None,
        };
        let was = |seq: Seq| {
            let at = usize::try_from(seq.checked_sub(1)?).ok()?;
            let (_, taken) = event.log.get(at)?;
            Some(sentence(&event.state, seq, taken, event))
        };
        LogLine {
            seq: header.seq,
            time: in_words(header.time),
            by: staff.who(header),
            kind: logged.word().into(),
            sentence: sentence(&event.state, header.seq, logged, event),
            was: took_back.and_then(was),
            undone_in: undone.get(&header.seq).copied(),
        }
    }
}

/// An event with its envelope.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EventShown {
    /// Its number.
    pub seq: u64,
    /// When it was recorded, in UTC.
    pub time: String,
    /// Who recorded it.
    pub by: String,
    /// The number of its kind, as docs/FORMAT.md has it.
    pub kind: u16,
    /// The version of that kind's payload.
    pub schema: u16,
    /// Its kind in words.
    pub word: String,
    /// The command that it came from.
    pub command: String,
    /// Which part of the command it is, from 1.
    pub part: u32,
    /// How many parts the command has.
    pub parts: u32,
    /// The hash of the record before.
    pub previous: String,
    /// The hash of its record.
    pub hash: String,
    /// Its bytes.
    pub payload: String,
    /// What happened.
    pub sentence: String,
}

impl EventShown {
    /// An event of a log with the record in which it is stored.
    pub fn of(
        event: &LoadedTournament,
        staff: &Staff<'_>,
        row: &(Header, Event),
        record: Option<&Stored>,
    ) -> EventShown {
        let undone = BTreeMap::new();
        let LogLine { seq, time, by, kind: word, sentence, .. } =
            LogLine::of(event, staff, &undone, row);
        let header = &row.0;
        EventShown {
            seq,
            time,
            by,
            kind: header.kind,
            schema: header.schema,
            word,
            command: header.command.to_string(),
            part: header.part,
            parts: header.parts,
            previous: header.previous.to_string(),
            hash: record.map_or(String::new(), |record| record.hash().to_string()),
            payload: record.map_or(String::new(), |record| to_hex(record.payload())),
            sentence,
        }
    }
}

/// A step of a replay: a round, or what was recorded together.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ReplayStep {
    /// What happened.
    #[serde(flatten)]
    pub happened: Happened,
    /// The round that goes on; 0 before the first one, and between phases.
    pub round: u16,
    /// Whose place is another one afterwards.
    pub moves: Vec<PlaceChange>,
    /// The hash of the table afterwards; null where there is none yet.
    pub table_hash: Option<String>,
}

/// What happened in a step.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Happened {
    /// In which tournament.
    pub tournament: TournamentName,
    /// The first event of the step.
    pub first_seq: u64,
    /// The last event of the step.
    pub last_seq: u64,
    /// When the last one was recorded, in UTC.
    pub recorded: String,
    /// A sentence for each event.
    pub sentences: Vec<String>,
}

/// A player whose place is another one after a step.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlaceChange {
    /// Who.
    pub player: Player,
    /// Their place before; null where they had none.
    pub before: Option<u32>,
    /// Their place after; null where they take none any more.
    pub after: Option<u32>,
    /// Their points after; null where they take no place.
    pub points: Option<Exact>,
}

/// A step that moved the player of a trace.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TraceStep {
    /// What happened.
    #[serde(flatten)]
    pub happened: Happened,
    /// How they moved.
    #[serde(flatten)]
    pub change: PlaceChange,
    /// Who was before them and is not, or is and was not.
    pub because: Vec<Passed>,
}

/// A player because of whom another one moves.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Passed {
    /// Who.
    pub player: Player,
    /// How the one who moves stands to them.
    pub passing: Passing,
    /// What told the two apart before; null where one of them had no place.
    pub step_before: Option<String>,
    /// What tells them apart after.
    pub step_after: Option<String>,
}

impl Happened {
    fn of(event: &LoadedTournament, step: &Step<'_>) -> Happened {
        Happened {
            tournament: event.into(),
            first_seq: step.first(),
            last_seq: step.last(),
            recorded: in_words(step.recorded()),
            sentences: step.sentences(event),
        }
    }
}

impl PlaceChange {
    fn of(event: &LoadedTournament, step: &Step<'_>, moved: Moved) -> PlaceChange {
        PlaceChange {
            player: Player::of(event, moved.player),
            before: moved.from,
            after: moved.to,
            points: step.points(moved.player).as_ref().map(Exact::from),
        }
    }
}

impl ReplayStep {
    /// A step, with the moves of everybody or of one player.
    pub fn of(
        event: &LoadedTournament,
        step: &Step<'_>,
        player: Option<PlayerNumber>,
    ) -> ReplayStep {
        let moves = step.moves().into_iter();
        let moves = moves.filter(|moved| player.is_none_or(|player| moved.player == player));
        ReplayStep {
            happened: Happened::of(event, step),
            round: step.round,
            moves: moves.map(|moved| PlaceChange::of(event, step, moved)).collect(),
            table_hash: step.after.map(|after| to_hex(&after.hash())),
        }
    }
}

impl TraceStep {
    /// A step that moved a player, and because of whom.
    pub fn of(
        event: &LoadedTournament,
        step: &Step<'_>,
        moved: Moved,
        passed: &[PassedStep],
    ) -> TraceStep {
        let because = passed.iter().map(|one| Passed {
            player: Player::of(event, one.other),
            passing: one.how.into(),
            step_before: one.before.clone(),
            step_after: one.after.clone(),
        });
        TraceStep {
            happened: Happened::of(event, step),
            change: PlaceChange::of(event, step, moved),
            because: because.collect(),
        }
    }
}
