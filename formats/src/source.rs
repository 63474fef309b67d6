//! What a file says, in neutral words. Plain data; a player is their place in [`Source::players`].

use super::report::{ChessReport, PointSystem};
use scrutineer_engine::event::{
    ByeKind, Day, DropReason, MatchResult, PhaseKind, RoundWeight, Score, Scoresheet, UnknownFact,
};

/// A tournament as its file tells it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The file's name.
    pub file: String,
    /// Where it was played, such as `melee` or `cobra`; `csv` where no platform stands behind it.
    pub platform: String,
    /// The file's format: `deck-cache json`, `cobra json`, `trf` or `csv`.
    pub format: String,
    /// What identifies the tournament at its source, whatever the file's bytes are.
    pub identity: String,
    /// The tournament's title.
    pub title: String,
    /// The day on which it was held.
    pub held_on: Option<Day>,
    /// The ruleset that the file itself names.
    pub rules: Option<String>,
    /// How many players were to enter the cut, where the file says so.
    pub cut: Option<u32>,
    /// How many rounds it is to have, where the file says so.
    pub planned_rounds: Option<u16>,
    /// How many rounds divisions play in the first phase, where they play different numbers of them.
    pub division_rounds: Vec<(String, u16)>,
    /// The phases, from 0, of which rounds are still to come behind all those that the file has: what the file has
    /// behind such a phase is not recorded before.
    pub goes_on: Vec<usize>,
    /// Whether the tournament is over; a file may say that rounds are still to be played.
    pub finished: bool,
    /// The scoresheet, as inferred or declared.
    pub scoresheet: Scoresheet,
    /// Everybody whom the file names, in the order of first appearance.
    pub players: Vec<SourcePlayer>,
    /// The phases with their rounds.
    pub phases: Vec<SourcePhase>,
    /// Who left, where the file says so.
    pub drops: Vec<SourceDrop>,
    /// The standings found in the file, in its order.
    pub published: Vec<PublishedRow>,
    /// After how many rounds of the file they were published, as far as the points tell; 0: before
    /// the first one.
    pub published_after: Option<u16>,
    /// Final places that the file gives beside those standings: of the players of its last bracket, or
    /// of everybody, where several have the first place in their division.
    pub places: Vec<SourcePlace>,
    /// How many digits after the point the platform means in [`PublishedRow::values`], where it
    /// is known; further digits are the dust of a binary fraction.
    pub published_digits: Option<u8>,
    /// Whether its results are points in halves and wholes, as chess has them, and it names no ruleset.
    pub halves: bool,
    /// What results count, where the file says so and it is not what chess counts.
    pub points: Option<PointSystem>,
    /// By what players of equal points are told apart where it is to be written, as FIDE's acronyms in their order;
    /// empty: nothing is said of it. What a report says itself stands in its records.
    pub tie_breaks: Vec<&'static str>,
    /// What a report of chess says beside all this.
    pub report: ChessReport,
    /// What the file does not hold, in the order of the codes.
    pub unknown: Vec<UnknownFact>,
    /// What looks wrong, and was read all the same.
    pub oddities: Vec<Oddity>,
}

impl Source {
    /// Every round with its phase's kind, in order.
    pub fn rounds(&self) -> impl Iterator<Item = (PhaseKind, &SourceRound)> {
        self.phases
            .iter()
            .flat_map(|phase| phase.rounds.iter().map(move |round| (phase.kind, round)))
    }

    /// Whether its final places are counted in each division: more than one player has the first.
    pub fn places_by_division(&self) -> bool {
        self.places.iter().filter(|one| one.place == 1).count() > 1
    }

    /// How many digits behind the point its published values have: those of the longest, where
    /// three values or more are as long, since a zero at the end is not printed.
    pub fn printed_digits(&self) -> Option<u8> {
        let digits = |value: &PublishedValue| Some(value.text.split_once('.')?.1.len());
        let all: Vec<usize> =
            self.published.iter().flat_map(|row| &row.values).filter_map(digits).collect();
        let most = *all.iter().max()?;
        let as_long = all.iter().filter(|digits| **digits == most).count();
        u8::try_from(most).ok().filter(|_| as_long >= 3)
    }
}

/// A player as the file names them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourcePlayer {
    /// Their name.
    pub name: String,
    /// Their publisher's id.
    pub publisher_id: Option<String>,
    /// Their place in the order of sign-up.
    pub sign_up: Option<u32>,
    /// Their rating.
    pub rating: Option<i32>,
    /// Their division.
    pub division: Option<String>,
    /// What they play: of Netrunner the identities of corp and runner.
    pub identities: [Option<String>; 2],
    /// Their title, such as `GM`.
    pub title: Option<String>,
    /// Their federation, such as `SWE`.
    pub federation: Option<String>,
    /// The section of ratings that they are in, `m` or `w`, where the file says so.
    pub sex: Option<char>,
}

impl Source {
    /// Whether it comes from a program of Go, whose files say who has which color: the first seat is that of white or
    /// of black, though no ruleset of Go says so.
    pub fn is_of_go(&self) -> bool {
        matches!(self.format.as_str(), "opengotha xml" | "macmahon xml" | "pairgoth json")
    }

    /// How many players have a title or a federation.
    pub(crate) fn described(&self) -> usize {
        let is = |one: &&SourcePlayer| one.title.is_some() || one.federation.is_some();
        self.players.iter().filter(is).count()
    }

    /// How many rounds count more or less than one.
    pub(crate) fn weighed_rounds(&self) -> usize {
        self.rounds().filter(|(_, round)| round.weight != RoundWeight::ONE).count()
    }

    /// How many tables have a number; none of a file that says none, where they are counted through.
    pub(crate) fn numbered_tables(&self) -> usize {
        let numbered = || self.rounds().flat_map(|(_, round)| &round.tables);
        match self.unknown.contains(&UnknownFact::Tables) {
            true => 0,
            false => numbered().filter(|table| table.table.is_some()).count(),
        }
    }
}

/// One phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePhase {
    /// How it is played.
    pub kind: PhaseKind,
    /// Who takes part: by seed where [`Self::seeded`], otherwise as the file lists them.
    pub entrants: Vec<usize>,
    /// Whether the file gives the seeds.
    pub seeded: bool,
    /// Its rounds; none of a phase of which the file only has the outcome.
    pub rounds: Vec<SourceRound>,
}

/// One round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceRound {
    /// Its name in the file.
    pub name: String,
    /// What it counts for.
    pub weight: RoundWeight,
    /// Its matches.
    pub tables: Vec<SourceTable>,
    /// Its byes.
    pub byes: Vec<SourceBye>,
}

impl SourceRound {
    /// The number of each of its tables: that of the file, or counted on behind the highest one there.
    pub fn numbers(&self) -> Vec<u32> {
        let mut next = self.tables.iter().filter_map(|table| table.table).max().unwrap_or(0);
        let mut counted = || {
            next = next.saturating_add(1);
            next
        };
        self.tables.iter().map(|table| table.table.unwrap_or_else(&mut counted)).collect()
    }
}

/// One match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceTable {
    /// The table's number, where the file has one.
    pub table: Option<u32>,
    /// Who sits there.
    pub seats: Vec<SourceSeat>,
    /// How it came out; without a score and a ruling, it is still to be played.
    pub result: MatchResult,
    /// Where it stands in the file.
    pub place: String,
}

/// One seat of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceSeat {
    /// Who sits there.
    pub player: usize,
    /// Their role; Cobra's elimination games have 1 for the corp and 2 for the runner.
    pub role: u8,
}

impl SourceTable {
    /// Whether the match has a result: a score, or a ruling.
    pub fn has_result(&self) -> bool {
        self.result.score != Score::default() || !self.result.rulings.is_empty()
    }
}

/// A player without an opponent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceBye {
    /// Who.
    pub player: usize,
    /// What kind; where [`UnknownFact::KindOfBye`] is unknown, `Assigned` may also be an awarded
    /// one.
    pub kind: ByeKind,
    /// The score that the file reports for it.
    pub reported: Option<Score>,
    /// Where it stands in the file.
    pub place: String,
}

/// A player leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceDrop {
    /// Who.
    pub player: usize,
    /// How.
    pub why: DropReason,
    /// The last round that they belong to; 0: none.
    pub after_round: u16,
    /// Where it stands in the file.
    pub place: String,
}

/// A final place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourcePlace {
    /// Who.
    pub player: usize,
    /// Which.
    pub place: u32,
}

/// One row of the published standings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedRow {
    /// The rank.
    pub rank: u32,
    /// Who.
    pub player: usize,
    /// Their match points, in tenths.
    pub points_tenths: i64,
    /// Their wins, losses and draws.
    pub record: Option<[u32; 3]>,
    /// Their tiebreakers.
    pub values: Vec<PublishedValue>,
}

/// A published tiebreaker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedValue {
    /// Which one.
    pub measure: PublishedMeasure,
    /// The number as it is printed in the file.
    pub text: String,
}

/// The tiebreakers that platforms publish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PublishedMeasure {
    /// Opponents' match-win percentage.
    Omw,
    /// Game-win percentage.
    Gw,
    /// Opponents' game-win percentage.
    Ogw,
    /// Strength of schedule.
    Sos,
    /// Extended strength of schedule.
    Esos,
    /// Margin of victory.
    Mov,
    /// Opponents' points, in chess.
    Buchholz,
    /// Points of opponents beaten, and half of those drawn with.
    SonnebornBerger,
}

impl PublishedMeasure {
    /// The measure's usual abbreviation.
    pub const fn word(self) -> &'static str {
        match self {
            PublishedMeasure::Omw => "OMW%",
            PublishedMeasure::Gw => "GW%",
            PublishedMeasure::Ogw => "OGW%",
            PublishedMeasure::Sos => "SoS",
            PublishedMeasure::Esos => "ESoS",
            PublishedMeasure::Mov => "MoV",
            PublishedMeasure::Buchholz => "Buchholz",
            PublishedMeasure::SonnebornBerger => "Sonneborn-Berger",
        }
    }
}

/// Something that looks wrong and was read all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Oddity {
    /// Where, such as `Rounds[2].Matches[7]` or `line 12`.
    pub place: String,
    /// What, as a sentence.
    pub sentence: String,
}
