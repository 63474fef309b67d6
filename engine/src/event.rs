//! The facts of a tournament. **These types are the storage format**: an event's name is past
//! tense, its fields keep their order and meaning for ever, and a change is a new schema version
//! beside the old one.
//!
//! No name and no free text stands in an event: where a person is named or a reason is given,
//! the event holds a [`Commitment`] and the words stand in the private book.

mod kinds;
mod refs;
mod traces;

pub use kinds::{KIND_RANGES, KindRange};
pub use refs::Ref;
pub use traces::Traces;

use crate::book::Commitment;
use crate::codec::{self, CodecError};
use crate::readable;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// A player's number in their event, from 1 in the order of enrollment.
pub type PlayerNumber = u32;
/// A tournament-wide round number, from 1.
pub type RoundNumber = u16;
/// The sequence number of an event in its tournament, from 1.
pub type Seq = u64;

codes! {
    /// What one score line counts for: a value for each seat, or one for the table.
    pub enum Per {
        /// Each seat has its own value (games won, objective points).
        Seat = 1 "seat",
        /// The table shares one value (games drawn).
        Table = 2 "table",
    }
}

codes! {
    /// How a phase is paired and what its rounds mean.
    pub enum PhaseKind {
        /// Nobody is knocked out; opponents have similar scores.
        Swiss = 1 "swiss",
        /// Losers are out.
        Elimination = 2 "single elimination",
        /// Out with the second loss.
        DoubleElimination = 3 "double elimination",
        /// Everybody meets everybody.
        RoundRobin = 4 "round robin",
        /// Tables of more than two.
        Pods = 5 "pods",
    }
}

impl PhaseKind {
    /// What it is called wherever it is typed or shown.
    pub const fn spelled(self) -> &'static str {
        match self {
            PhaseKind::Swiss => "swiss",
            PhaseKind::Elimination => "single-elimination",
            PhaseKind::DoubleElimination => "double-elimination",
            PhaseKind::RoundRobin => "round-robin",
            PhaseKind::Pods => "pods",
        }
    }

    /// Whether losers go out in phases of this kind.
    pub const fn is_bracket(self) -> bool {
        matches!(self, PhaseKind::Elimination | PhaseKind::DoubleElimination)
    }
}

codes! {
    /// Why somebody has no opponent in a round.
    pub enum ByeKind {
        /// No opponent was left; given by the draw.
        Assigned = 1 "bye",
        /// Won beforehand, as a prize.
        Awarded = 2 "awarded bye",
        /// Asked for, worth half a win.
        Half = 3 "half bye",
        /// Asked for, worth nothing.
        Zero = 4 "zero bye",
        /// A loss without an opponent, such as for a missed round.
        AwardedLoss = 5 "awarded loss",
        /// The opponent is gone, after a cut.
        Vacant = 6 "vacant",
    }
}

codes! {
    /// How a player left.
    pub enum DropReason {
        /// By their own wish.
        Left = 1 "left",
        /// They did not appear.
        NoShow = 2 "no-show",
        /// Removed by the head judge; they take no place in the standings.
        Disqualified = 3 "disqualified",
    }
}

codes! {
    /// How a match ended.
    pub enum How {
        /// It was played.
        Played = 1 "played",
        /// A player conceded.
        Conceded = 2 "conceded",
        /// Won and lost without play.
        Forfeit = 3 "forfeit",
        /// A player did not appear.
        NoShow = 4 "no-show",
        /// The players agreed on a draw.
        AgreedDraw = 5 "agreed draw",
        /// The source does not say.
        Unknown = 6 "unknown",
    }
}

codes! {
    /// Where a pairing comes from.
    pub enum OriginKind {
        /// The draw proposed it.
        PairedRound = 1 "drawn",
        /// Somebody set it.
        ByHand = 2 "set by hand",
        /// It was played elsewhere and is recorded as it was given.
        AsGiven = 3 "as given",
    }
}

codes! {
    /// Why the draw put these players together, or gave this bye.
    pub enum PairingReason {
        /// Nobody has played yet: everybody may meet everybody.
        FirstRound = 1 "first round",
        /// The same points.
        SamePoints = 2 "same points",
        /// The group had an odd number of players, so one meets the next group.
        OddGroup = 3 "odd group",
        /// Whoever has the same points has been met already.
        RematchAvoided = 4 "rematch avoided",
        /// They have met before: nobody else was left.
        RematchUnavoidable = 5 "unavoidable rematch",
        /// They follow each other in the order.
        Neighbours = 6 "next in the order",
        /// Their places in the bracket.
        Bracket = 7 "bracket",
        /// By their seeds: the highest left meets the lowest.
        Seeds = 8 "seeds",
        /// The schedule in which everybody meets everybody.
        Schedule = 9 "schedule",
        /// A pod, put together from players with about the same points.
        Pod = 10 "pod",
        /// A pairing program of somebody else said so.
        Engine = 11 "pairing engine",
        /// Whoever has the same points had the same colors.
        Colors = 12 "colors",
        /// A bye: the lowest points.
        LowestPoints = 20 "lowest points",
        /// A bye: the lowest in the order.
        LowestRanked = 21 "lowest in the order",
        /// A bye for more than the lowest: whoever is lower has had one.
        SecondByeAvoided = 22 "second bye avoided",
        /// A second bye: everybody has had one.
        SecondByeUnavoidable = 23 "unavoidable second bye",
        /// A bye that they brought.
        BroughtAlong = 24 "awarded beforehand",
        /// A bye: nobody is drawn into this place of the bracket.
        FreePlace = 25 "free place in the bracket",
        /// A bye: the opponent is gone.
        OpponentGone = 26 "opponent gone",
        /// A bye: too few for a further table.
        LeftOver = 27 "left over",
        /// A bye that they asked for.
        Requested = 28 "requested",
    }
}

codes! {
    /// What a penalty takes away.
    pub enum PenaltyKind {
        /// A note without effect on the score.
        Warning = 1 "warning",
        /// One game is lost.
        GameLoss = 2 "game loss",
        /// The match is lost.
        MatchLoss = 3 "match loss",
    }
}

codes! {
    /// Where the order of lots comes from.
    pub enum LotsSource {
        /// From the committed seed.
        Seed = 1 "the seed",
        /// Drawn by people.
        ByHand = 2 "by hand",
        /// The order that a platform published.
        AsPublished = 3 "as published",
    }
}

codes! {
    /// A fact that an imported source does not hold.
    pub enum UnknownFact {
        /// In which order players signed up.
        SignUpOrder = 1 "sign-up order",
        /// When something happened.
        Times = 2 "times",
        /// Which table a match was played at.
        Tables = 3 "tables",
        /// Whether a bye was assigned or awarded.
        KindOfBye = 4 "kind of bye",
        /// Who dropped, and when.
        Drops = 5 "drops",
        /// Game scores; only the match's outcome is known.
        Games = 6 "games",
        /// How matches ended.
        HowItEnded = 7 "how matches ended",
        /// The Swiss rounds before the first round that the source lists.
        EarlierRounds = 8 "earlier rounds",
        /// The seeds of a bracket, or of a later phase.
        Seeds = 9 "seeds",
    }
}

/// A calendar day, where the tournament was held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Day {
    /// The year, such as 2026.
    pub year: u16,
    /// The month, 1 to 12.
    pub month: u8,
    /// The day of the month, 1 to 31.
    pub day: u8,
}

impl std::fmt::Display for Day {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// One line of the result slip.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScoreLine {
    /// Its name: lower-case letters, digits and `_`, such as `games` or `objective`.
    pub name: String,
    /// Whether each seat has a value or the table has one.
    pub per: Per,
    /// The smallest value that can be entered.
    pub min: i32,
    /// The largest value that can be entered.
    pub max: i32,
    /// What is counted, such as `games` or `points`.
    pub unit: String,
}

/// What is written on a result slip.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scoresheet {
    /// The lines, in the order in which they are entered.
    pub lines: Vec<ScoreLine>,
    /// Best of how many games, where the line `games` decides and the number is known.
    pub best_of: Option<u8>,
}

impl Scoresheet {
    /// Position of the line among the lines that each seat has.
    pub fn seat_line(&self, name: &str) -> Option<usize> {
        self.named(Per::Seat, name)
    }

    /// Position of the line among the lines that the table shares.
    pub fn table_line(&self, name: &str) -> Option<usize> {
        self.named(Per::Table, name)
    }

    /// Whether a match can end with so many games won: best of three cannot end 3-0 or 2-2. Drawn
    /// games are played again, so their number says nothing.
    pub fn can_end(&self, first: i32, second: i32) -> bool {
        let Some(best_of) = self.best_of else { return true };
        let needed = i32::from(best_of / 2 + 1);
        first.max(second) <= needed && first.min(second) < needed
    }

    /// How many lines each seat has.
    pub fn seat_lines(&self) -> usize {
        self.lines.iter().filter(|line| line.per == Per::Seat).count()
    }

    /// How many lines the table shares.
    pub fn table_lines(&self) -> usize {
        self.lines.len() - self.seat_lines()
    }

    fn named(&self, per: Per, name: &str) -> Option<usize> {
        self.lines.iter().filter(|line| line.per == per).position(|line| line.name == name)
    }
}

/// One text of a ruleset, exactly as it was used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesetFile {
    /// Its id, such as `mtr`.
    pub name: String,
    /// The text.
    pub text: String,
}

/// One phase of the plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedPhase {
    /// How it is played.
    pub kind: PhaseKind,
    /// How many rounds, where that is fixed beforehand.
    pub rounds: Option<u16>,
    /// How many players enter it, where that is fixed beforehand.
    pub players: Option<u32>,
    /// Its own scoresheet, such as a best-of-five final.
    pub scoresheet: Option<Scoresheet>,
}

/// A tournament begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TournamentOpened {
    /// Its title, in the private book.
    pub title: Commitment,
    /// The day on which it is or was held.
    pub held_on: Option<Day>,
    /// What is written on a result slip.
    pub scoresheet: Scoresheet,
    /// The ruleset and everything that it extends, the ruleset itself first.
    pub ruleset: Vec<RulesetFile>,
    /// The phases planned.
    pub plan: Vec<PlannedPhase>,
    /// Commitment to the first seed of the hash chain.
    #[serde(serialize_with = "readable::maybe_bytes")]
    pub seed_commitment: Option<[u8; 32]>,
    /// Public key of the checkpoints' signer.
    #[serde(serialize_with = "readable::maybe_bytes")]
    pub signer: Option<[u8; 32]>,
}

impl TournamentOpened {
    /// An event of this title and slip, without a ruleset, a plan, a seed or a key of its own.
    pub fn new(title: Commitment, scoresheet: Scoresheet) -> TournamentOpened {
        TournamentOpened {
            title,
            held_on: None,
            scoresheet,
            ruleset: Vec::new(),
            plan: Vec::new(),
            seed_commitment: None,
            signer: None,
        }
    }
}

/// The phases are planned anew.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanAmended {
    /// All phases, also those already played.
    pub plan: Vec<PlannedPhase>,
    /// Why.
    pub reason: Commitment,
}

/// Another ruleset is in force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesetAmended {
    /// The ruleset and everything that it extends, the ruleset itself first.
    pub ruleset: Vec<RulesetFile>,
    /// The first round to which it applies; none: to all.
    pub from_round: Option<RoundNumber>,
    /// Why.
    pub reason: Commitment,
}

/// Another key signs the checkpoints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignerChanged {
    /// The new public key.
    #[serde(serialize_with = "readable::bytes")]
    pub signer: [u8; 32],
    /// Why.
    pub reason: Commitment,
}

/// A key must no longer be trusted, such as one that was stolen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRetired {
    /// The public key.
    #[serde(serialize_with = "readable::bytes")]
    pub key: [u8; 32],
    /// The records up to which its checkpoints hold: one of more records is not to be trusted.
    pub last_size: u64,
    /// Why.
    pub reason: Commitment,
}

/// The log was restored from a copy that lacks what was recorded since.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogRestored {
    /// How many records the last checkpoint known to have been handed out has.
    pub known_size: u64,
    /// The root of that checkpoint.
    #[serde(serialize_with = "readable::bytes")]
    pub known_root: [u8; 32],
    /// Why.
    pub reason: Commitment,
}

/// The secret of the seeds was lost and is replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeedRecommitted {
    /// Commitment to the first seed of the new chain.
    #[serde(serialize_with = "readable::bytes")]
    pub seed_commitment: [u8; 32],
    /// Why.
    pub reason: Commitment,
}

/// The seq at which [`Imported`] stands, where it does: behind the opening.
pub const IMPORTED_AT: Seq = 2;

/// The tournament was played elsewhere and is recorded from a file. Taken back, the tournament is removed:
/// no list shows it, and nothing is recorded in it any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Imported {
    /// BLAKE3 of the file's bytes.
    #[serde(serialize_with = "readable::bytes")]
    pub source_file: [u8; 32],
    /// What identifies the tournament at its source, so that a changed file is recognised; in the
    /// private book, since it may hold the title.
    pub source_event: Commitment,
    /// The source's format, such as `csv`.
    pub format: String,
    /// The file's name, in the private book.
    pub file: Commitment,
    /// What the source does not hold, in the order of the codes.
    pub unknown: Vec<UnknownFact>,
}

/// Nothing more is expected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TournamentClosed {}

/// Somebody wrote something down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteAdded {
    /// The words.
    pub note: Commitment,
    /// The event that they are about.
    pub about: Option<Seq>,
}

/// An actor's number stands for this person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaffNamed {
    /// The number in the envelope of their events.
    pub actor: u32,
    /// Who it is.
    pub name: Commitment,
}

/// Texts of the private book were emptied on purpose: whoever stood there asked for it. Without
/// such an event an emptied text is a text that somebody took away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextsForgotten {
    /// Their numbers in the private book.
    pub numbers: Vec<u32>,
}

/// A player takes part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerEnrolled {
    /// The next free number.
    pub player: PlayerNumber,
    /// Their name, in the private book.
    pub name: Commitment,
    /// Their publisher's id, committed by itself so that it can be shown without the name.
    pub publisher_id: Option<Commitment>,
    /// Their place in the order of sign-up, where that is known.
    pub sign_up: Option<u32>,
    /// The first round in which they take part.
    pub from_round: RoundNumber,
    /// How many byes they bring.
    pub awarded_byes: u8,
    /// Their rating.
    pub rating: Option<i32>,
    /// Their division, such as `senior`.
    pub division: Option<String>,
    /// The members, where the entrant is a team.
    pub members: Vec<Commitment>,
}

impl PlayerEnrolled {
    /// A player of this number and name who is there from the first round on, of whom nothing else
    /// is known.
    pub fn new(player: PlayerNumber, name: Commitment) -> PlayerEnrolled {
        PlayerEnrolled {
            player,
            name,
            publisher_id: None,
            sign_up: None,
            from_round: 1,
            awarded_byes: 0,
            rating: None,
            division: None,
            members: Vec::new(),
        }
    }
}

/// A player's name was misspelt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerIdentified {
    /// Whose.
    pub player: PlayerNumber,
    /// The right name.
    pub name: Commitment,
}

/// A player is present.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerCheckedIn {
    /// Who.
    pub player: PlayerNumber,
}

/// A player takes no further part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerDropped {
    /// Who.
    pub player: PlayerNumber,
    /// How they left.
    pub why: DropReason,
    /// The last round that they belong to; 0: none.
    pub after_round: RoundNumber,
}

/// A player who had dropped takes part again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerReinstated {
    /// Who.
    pub player: PlayerNumber,
    /// From which round on.
    pub from_round: RoundNumber,
}

/// A player asks for a bye in a round that is not paired yet: its pairing leaves them out and gives
/// it to them. Taken back, they are paired like everybody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByeRequested {
    /// Who.
    pub player: PlayerNumber,
    /// In which round.
    pub round: RoundNumber,
    /// Worth half a win, nothing, or a whole one, as an awarded bye is.
    pub kind: ByeKind,
}

/// Somebody who would have entered a phase does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassedOver {
    /// Who.
    pub player: PlayerNumber,
    /// Why.
    pub reason: Commitment,
}

/// A player is of another division than their enrollment or an earlier event of this kind said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerDivisionChanged {
    /// Whose.
    pub player: PlayerNumber,
    /// The right division; none: they have none.
    pub division: Option<String>,
    /// Why.
    pub reason: Commitment,
}

/// A player's title and federation, in the place of what an earlier event of this kind said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerDescribed {
    /// Whose.
    pub player: PlayerNumber,
    /// Their title, such as `GM`; none: they have none.
    pub title: Option<String>,
    /// Their federation, such as `SWE`; none: it is not known.
    pub federation: Option<String>,
}

/// A player's rating was entered wrongly. It holds for every round, also those that are over; pairings stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerRated {
    /// Whose.
    pub player: PlayerNumber,
    /// The right rating; none: they have none.
    pub rating: Option<i32>,
}

/// A player's id with the publisher was entered wrongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerIdCorrected {
    /// Whose.
    pub player: PlayerNumber,
    /// The right id, in the private book; none: they have none.
    pub publisher_id: Option<Commitment>,
}

/// A player keeps a table: whenever they are paired from now on, they sit there. Nobody else does while they
/// take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableKept {
    /// Who.
    pub player: PlayerNumber,
    /// Which table; none: any one again.
    pub table: Option<u32>,
}

/// Some tables of the hall, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableRange {
    /// The first one.
    pub first: u32,
    /// The last one, which is the first where there is one alone.
    pub last: u32,
}

impl std::fmt::Display for TableRange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.first == self.last {
            true => write!(f, "{}", self.first),
            false => write!(f, "{}-{}", self.first, self.last),
        }
    }
}

/// Which tables the hall has: rounds that are paired from now on are seated at these, in this order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TablesSet {
    /// The tables; none: 1, 2, 3 and so on.
    pub ranges: Vec<TableRange>,
}

/// From now on rounds are paired division by division, or everybody together again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DivisionsPaired {
    /// Whether each division is paired by itself.
    pub apart: bool,
    /// Divisions that are paired as one where divisions are paired apart.
    pub merged: Vec<Vec<String>>,
}

/// How many rounds a division plays in the first phase: afterwards nobody of it is paired there, and
/// they are still here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DivisionRounds {
    /// Which.
    pub division: String,
    /// How many; none: as many as everybody.
    pub rounds: Option<u16>,
}

/// A phase begins. A field too large for one event continues in the next ones of the command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseStarted {
    /// Its number, from 1.
    pub phase: u16,
    /// How it is played.
    pub kind: PhaseKind,
    /// The seed of the first entrant listed here: 1, or more where an event continues.
    pub first_seed: u32,
    /// Who enters, in the order of their seeds.
    pub entrants: Vec<PlayerNumber>,
    /// The sizes of the groups into which the entrants fall, in order; none: one group.
    pub group_sizes: Vec<u32>,
    /// Who would have entered and does not.
    pub passed_over: Vec<PassedOver>,
    /// The phase's own scoresheet.
    pub scoresheet: Option<Scoresheet>,
}

impl PhaseStarted {
    /// A phase for everybody who is there, on the tournament's own slip.
    pub fn new(phase: u16, kind: PhaseKind) -> PhaseStarted {
        PhaseStarted {
            phase,
            kind,
            first_seed: 1,
            entrants: Vec::new(),
            group_sizes: Vec::new(),
            passed_over: Vec::new(),
            scoresheet: None,
        }
    }
}

/// A phase is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseEnded {
    /// Its number.
    pub phase: u16,
}

/// What a round counts for where it is shorter or longer than others: `num / den` of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundWeight {
    /// Numerator, 1 to 1,000.
    pub num: u16,
    /// Denominator, 1 to 1,000.
    pub den: u16,
}

impl RoundWeight {
    /// A round that counts like every other.
    pub const ONE: RoundWeight = RoundWeight { num: 1, den: 1 };
}

/// The draw by which a round was paired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawUsed {
    /// The method's id.
    pub method: String,
    /// The method's version.
    pub version: u16,
    /// Which seed of the chain.
    pub draw: u32,
    /// The seed, revealed.
    #[serde(serialize_with = "readable::bytes")]
    pub seed: [u8; 32],
    /// Public dice mixed in.
    #[serde(serialize_with = "readable::maybe_text")]
    pub dice: Option<Vec<u8>>,
}

/// A round begins: it can be paired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundOpened {
    /// Its event-wide number.
    pub round: RoundNumber,
    /// The phase to which it belongs.
    pub phase: u16,
    /// Its number within the phase, from 1.
    pub phase_round: u16,
    /// What it counts for.
    pub weight: RoundWeight,
    /// How it is drawn; none: by hand, or as given.
    pub drawn: Option<DrawUsed>,
}

/// The method, with its newest version, of a round that a pairing program of somebody else pairs: how it is put
/// to it, and how its first color is drawn.
pub const ENGINE: (&str, u16) = ("engine", 2);

impl DrawUsed {
    /// Whether a pairing program of somebody else pairs the round, by any version of how it is put to it.
    pub fn is_for_engine(&self) -> bool {
        let (method, newest) = ENGINE;
        self.method == method && (1..=newest).contains(&self.version)
    }
}

/// A pairing program of somebody else was given the tournament and said who meets whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnginePaired {
    /// The round, opened right before.
    pub round: RoundNumber,
    /// What the program is called.
    pub engine: String,
    /// Its version, as it said.
    pub version: Option<String>,
    /// What it was started with, of each file its name alone.
    pub arguments: String,
    /// BLAKE3 of the file that it was given, which anyone can make again from the log.
    #[serde(serialize_with = "readable::bytes")]
    pub input: [u8; 32],
    /// What it answered, word for word: numbers of that file and white space.
    pub output: String,
}

/// One seat of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seat {
    /// Who sits there.
    pub player: PlayerNumber,
    /// Their role: 0 what the place among the seats says, the first being white in chess; else 1 for
    /// what the first seat plays, 2 for the second.
    pub role: u8,
}

/// Where a pairing or bye comes from, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Drawn, set by hand or as given.
    pub kind: OriginKind,
    /// Why it was drawn like this.
    pub because: Option<PairingReason>,
    /// Why it was set by hand.
    pub reason: Option<Commitment>,
}

impl Origin {
    /// Recorded as it was played elsewhere.
    pub const AS_GIVEN: Origin = Origin { kind: OriginKind::AsGiven, because: None, reason: None };

    /// Drawn, for this reason.
    pub const fn drawn(because: PairingReason) -> Origin {
        Origin { kind: OriginKind::PairedRound, because: Some(because), reason: None }
    }

    /// Set by somebody who gave this reason.
    pub const fn by_hand(reason: Commitment) -> Origin {
        Origin { kind: OriginKind::ByHand, because: None, reason: Some(reason) }
    }
}

/// Who meets whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairingMade {
    /// The round.
    pub round: RoundNumber,
    /// The table, from 1, where it is known.
    pub table: Option<u32>,
    /// Two seats or more.
    pub seats: SmallVec<[Seat; 2]>,
    /// The group of the phase.
    pub group: Option<u32>,
    /// The place in the bracket.
    pub bracket_slot: Option<u32>,
    /// Where it comes from.
    pub origin: Origin,
}

/// A player has no opponent in a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByeGiven {
    /// The round.
    pub round: RoundNumber,
    /// Who.
    pub player: PlayerNumber,
    /// What kind of bye.
    pub kind: ByeKind,
    /// The score that a source reported for it: the player's seat first, then nobody's.
    pub reported: Option<Score>,
    /// The place in the bracket.
    pub bracket_slot: Option<u32>,
    /// Where it comes from.
    pub origin: Origin,
}

/// Players can see the pairings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairingsPublished {
    /// The round.
    pub round: RoundNumber,
}

/// Every result of the round is in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundCompleted {
    /// The round.
    pub round: RoundNumber,
}

/// The score lines of a match, as on its slip.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    /// For each seat, its value of each seat line, in the order of the scoresheet.
    pub seats: SmallVec<[SmallVec<[i32; 2]>; 2]>,
    /// The value of each table line.
    pub table: SmallVec<[i32; 2]>,
}

/// What somebody ruled for a seat, over the score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ruling {
    /// Won.
    Win,
    /// Lost.
    Loss,
    /// Drawn.
    Draw,
    /// The match does not count.
    NoResult,
    /// Came in at this place of the table, from 1 to 200.
    Place(u8),
}

/// The largest place that can be ruled.
pub const MAX_PLACE: u8 = 200;

impl Ruling {
    /// The stored number: 1 win, 2 loss, 3 draw, 4 no result, 10 + n for place n.
    pub const fn code(self) -> u8 {
        match self {
            Ruling::Win => 1,
            Ruling::Loss => 2,
            Ruling::Draw => 3,
            Ruling::NoResult => 4,
            Ruling::Place(place) => place.saturating_add(10),
        }
    }

    /// The ruling stored as `code`, if there is one.
    pub const fn from_code(code: u8) -> Option<Ruling> {
        match code {
            1 => Some(Ruling::Win),
            2 => Some(Ruling::Loss),
            3 => Some(Ruling::Draw),
            4 => Some(Ruling::NoResult),
            11..=210 => Some(Ruling::Place(code - 10)),
            _ => None,
        }
    }
}

impl std::fmt::Display for Ruling {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Ruling::Win => f.write_str("win"),
            Ruling::Loss => f.write_str("loss"),
            Ruling::Draw => f.write_str("draw"),
            Ruling::NoResult => f.write_str("no result"),
            Ruling::Place(place) => write!(f, "place {place}"),
        }
    }
}

impl Serialize for Ruling {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        readable::code(self.code(), self, to)
    }
}

impl<'de> Deserialize<'de> for Ruling {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let code = u8::deserialize(from)?;
        Self::from_code(code)
            .ok_or_else(|| serde::de::Error::custom(format_args!("{code} is no ruling")))
    }
}

/// One game or one board of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Its number: the game, or the board of a team match.
    pub number: u16,
    /// Its score.
    pub score: Score,
    /// What somebody ruled for each seat; empty: nothing.
    pub rulings: SmallVec<[Option<Ruling>; 2]>,
}

/// How a match came out: the score as on the slip, and a ruling only where somebody overrode it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchResult {
    /// The score.
    pub score: Score,
    /// What somebody ruled for each seat; empty: nothing.
    pub rulings: SmallVec<[Option<Ruling>; 2]>,
    /// How it ended.
    pub how: How,
    /// A grade that the ruleset may value, such as `timed`; [`POSTPONED`] where the match is yet to be played.
    pub grade: Option<String>,
    /// Penalties served in this match, by their seq.
    pub penalties_served: Vec<Seq>,
    /// Its games or boards, where they were noted.
    pub parts: Vec<Part>,
}

/// The grade of a match without a result that is to be played later.
pub const POSTPONED: &str = "postponed";

impl MatchResult {
    /// A match that was played, with this score.
    pub fn played(score: Score) -> MatchResult {
        MatchResult {
            score,
            rulings: SmallVec::new(),
            how: How::Played,
            grade: None,
            penalties_served: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// Whether all of them have no result by ruling, as in a match that is postponed: it counts for nobody.
    pub fn is_void(&self) -> bool {
        !self.rulings.is_empty() && self.rulings.iter().all(|one| *one == Some(Ruling::NoResult))
    }

    /// Whether it counts for nobody because it is to be played later.
    pub fn is_postponed(&self) -> bool {
        self.is_void() && self.grade.as_deref() == Some(POSTPONED)
    }
}

/// A player says how their match came out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultClaimed {
    /// The match, by the seq of its pairing.
    pub pairing: Seq,
    /// Which seat says so, from 0.
    pub seat: u8,
    /// What they say.
    pub result: MatchResult,
}

/// The score of a match that is not finished.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScoreNoted {
    /// The match, by the seq of its pairing.
    pub pairing: Seq,
    /// The score so far.
    pub score: Score,
}

/// The result of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultRecorded {
    /// The match, by the seq of its pairing.
    pub pairing: Seq,
    /// How it came out.
    pub result: MatchResult,
}

/// A result was wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultCorrected {
    /// The match, by the seq of its pairing.
    pub pairing: Seq,
    /// The seq of the result that this one replaces.
    pub replaces: Seq,
    /// How it really came out.
    pub result: MatchResult,
    /// Why.
    pub reason: Commitment,
    /// The dispute that led to it, by its seq.
    pub dispute: Option<Seq>,
}

/// A player is penalised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PenaltyGiven {
    /// Who.
    pub player: PlayerNumber,
    /// What it takes away.
    pub kind: PenaltyKind,
    /// The match it applies to; none: it waits for their next one.
    pub pairing: Option<Seq>,
    /// Why.
    pub reason: Commitment,
}

/// A player goes on by ruling, whatever the score says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerAdvanced {
    /// The match, by the seq of its pairing.
    pub pairing: Seq,
    /// Who goes on.
    pub player: PlayerNumber,
    /// Why.
    pub reason: Commitment,
}

/// Somebody disputes a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisputeOpened {
    /// The match, by the seq of its pairing.
    pub pairing: Seq,
    /// Who disputes it, where a player does.
    pub by: Option<PlayerNumber>,
    /// What they say.
    pub claim: Commitment,
}

/// The head judge has decided a dispute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisputeRuled {
    /// The dispute, by its seq.
    pub dispute: Seq,
    /// Whether the claim was right.
    pub upheld: bool,
    /// Why.
    pub reason: Commitment,
}

/// Lots were drawn for all entrants. A field too large for one event continues in the next ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LotsDrawn {
    /// Where the order comes from.
    pub source: LotsSource,
    /// The place of the first entrant listed here: 1, or more where an event continues.
    pub first_place: u32,
    /// The entrants, best lot first.
    pub order: Vec<PlayerNumber>,
    /// Which seed of the chain, and the seed, where it decided.
    #[serde(serialize_with = "readable::maybe_numbered")]
    pub seed: Option<(u32, [u8; 32])>,
}

/// Standings were announced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandingsAnnounced {
    /// The last event they count: the one right before.
    pub head: Seq,
    /// The last round they count.
    pub through_round: RoundNumber,
    /// Hash of the ruleset.
    #[serde(serialize_with = "readable::bytes")]
    pub ruleset: [u8; 32],
    /// Version of the code that folded them.
    pub fold_version: u32,
    /// Hash of the table.
    #[serde(serialize_with = "readable::bytes")]
    pub table: [u8; 32],
}

/// That event never happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Withdrawn {
    /// Which.
    pub seq: Seq,
    /// Why.
    pub reason: Commitment,
}

macro_rules! events {
    ($( $kind:literal $name:ident $word:literal ),+ $(,)?) => {
        /// One fact. The number that stands for each kind in a record is part of the format.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "each variant is documented at the struct it holds")]
        pub enum Event { $( $name($name) ),+ }

        impl Event {
            /// Every kind's number and name.
            pub const KINDS: &'static [(u16, &'static str)] = &[ $( ($kind, stringify!($name)) ),+ ];

            /// Every kind in plain words.
            pub const WORDS: &'static [&'static str] = &[ $( $word ),+ ];

            /// The kind's number in a record.
            pub const fn kind(&self) -> u16 {
                match self { $( Event::$name(_) => $kind ),+ }
            }

            /// The kind's name, as the format has it.
            pub const fn name(&self) -> &'static str {
                match self { $( Event::$name(_) => stringify!($name) ),+ }
            }

            /// The kind in plain words.
            pub const fn word(&self) -> &'static str {
                match self { $( Event::$name(_) => $word ),+ }
            }

            /// The payload's bytes.
            ///
            /// # Errors
            /// Where the event is larger than a payload may be.
            pub fn encode(&self) -> Result<Vec<u8>, CodecError> {
                match self { $( Event::$name(event) => codec::encode(event) ),+ }
            }

            fn decode_with(kind: u16, bytes: &[u8], strict: bool) -> Result<Event, DecodeError> {
                match kind {
                    $( $kind => if strict {
                        codec::decode_strict(bytes)
                    } else {
                        codec::decode_own(bytes)
                    }.map(Event::$name), )+
                    _ => return Err(DecodeError::UnknownKind { kind, schema: SCHEMA }),
                }
                .map_err(|source| DecodeError::Payload { kind, source })
            }
        }

        /// The fields of the event, without its kind. For people (in JSON) codes are words and
        /// bytes are hexadecimal digits: the readable mirror of FORMAT.md.
        impl Serialize for Event {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                match self { $( Event::$name(event) => event.serialize(to) ),+ }
            }
        }

        $( impl From<$name> for Event {
            fn from(event: $name) -> Event { Event::$name(event) }
        } )+
    };
}

/// The schema version of every kind so far.
pub const SCHEMA: u16 = 1;

/// Why a payload is no event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the words of the message")]
pub enum DecodeError {
    /// A newer program wrote it.
    #[error(
        "kind {kind} (of the range {}) in schema version {schema} is unknown to this version; a newer \
         one wrote it",
        KindRange::of(*kind)
    )]
    UnknownKind { kind: u16, schema: u16 },
    /// The payload is malformed.
    #[error("kind {kind}: {source}")]
    Payload { kind: u16, source: CodecError },
}

impl Event {
    /// Reads foreign bytes strictly.
    ///
    /// # Errors
    /// Where kind or schema are unknown, or the payload is not spelled canonically.
    pub fn decode_strict(kind: u16, schema: u16, bytes: &[u8]) -> Result<Event, DecodeError> {
        Self::decode_version(kind, schema, bytes, true)
    }

    /// Reads the payload of a record whose hash held.
    ///
    /// # Errors
    /// Where kind or schema are unknown, or the payload is malformed.
    pub fn decode_own(kind: u16, schema: u16, bytes: &[u8]) -> Result<Event, DecodeError> {
        Self::decode_version(kind, schema, bytes, false)
    }

    fn decode_version(
        kind: u16,
        schema: u16,
        bytes: &[u8],
        strict: bool,
    ) -> Result<Event, DecodeError> {
        match schema {
            SCHEMA => Self::decode_with(kind, bytes, strict),
            _ => Err(DecodeError::UnknownKind { kind, schema }),
        }
    }
}

events! {
    1 TournamentOpened "tournament opened",
    2 PlanAmended "plan amended",
    3 RulesetAmended "ruleset amended",
    4 SignerChanged "signer changed",
    5 SeedRecommitted "seed replaced",
    6 Imported "imported",
    7 TournamentClosed "tournament closed",
    8 NoteAdded "note",
    9 StaffNamed "staff named",
    10 KeyRetired "key retired",
    11 LogRestored "log restored",
    12 TextsForgotten "texts forgotten",
    20 PlayerEnrolled "player enrolled",
    21 PlayerIdentified "player's name corrected",
    22 PlayerCheckedIn "player checked in",
    23 PlayerDropped "player dropped",
    24 PlayerReinstated "player reinstated",
    25 PlayerDivisionChanged "player's division changed",
    26 ByeRequested "bye requested",
    27 PlayerDescribed "player's title and federation",
    28 PlayerRated "player's rating corrected",
    29 PlayerIdCorrected "player's id corrected",
    30 PhaseStarted "phase started",
    31 PhaseEnded "phase ended",
    32 DivisionsPaired "how divisions are paired",
    33 DivisionRounds "rounds of a division",
    40 RoundOpened "round opened",
    41 PairingMade "pairing",
    42 ByeGiven "bye",
    43 PairingsPublished "pairings published",
    44 RoundCompleted "round completed",
    45 EnginePaired "paired by an engine",
    50 ResultClaimed "result claimed",
    51 ScoreNoted "score noted",
    52 ResultRecorded "result",
    53 ResultCorrected "result corrected",
    54 PenaltyGiven "penalty",
    55 PlayerAdvanced "player advanced",
    56 DisputeOpened "dispute opened",
    57 DisputeRuled "dispute ruled",
    60 LotsDrawn "lots drawn",
    61 StandingsAnnounced "standings announced",
    70 Withdrawn "withdrawn",
    100 TableKept "table kept",
    101 TablesSet "tables of the hall",
}
