//! What can be asked for at the desk of a tournament, as data: the same for the command line, the
//! pages and programs.

use crate::desk::Enrolment;
use scrutineer_engine::event::{ByeKind, PenaltyKind, RulesetFile};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

macro_rules! orders {
    ($($(#[$about:meta])* $verb:literal $name:ident { $($(#[$meaning:meta])* $field:ident: $of:ty),* $(,)? })+) => {
        /// What is asked for at the desk of a tournament: `order` names the verb.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
        #[serde(tag = "order")]
        pub enum Order {
            $($(#[$about])* #[serde(rename = $verb)] $name($name)),+
        }

        $($(#[$about])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $name { $($(#[$meaning])* pub $field: $of),* }

        impl From<$name> for Order {
            fn from(order: $name) -> Order {
                Order::$name(order)
            }
        })+

        impl Order {
            /// Every order: what its type is called, and its verb.
            pub const VERBS: &'static [(&'static str, &'static str)] =
                &[$((stringify!($name), $verb)),+];

            /// The verb, as it is typed and as `order` has it.
            pub const fn verb(&self) -> &'static str {
                match self { $(Order::$name(_) => $verb),+ }
            }
        }
    };
}

orders! {
    /// Enroll players.
    "enroll" Enroll {
        /// Who, in the order of the list.
        people: Vec<Person>,
        /// They take part in the round that is being played; `repair` seats them.
        #[serde(default)]
        now: bool,
        /// They are other people than those enrolled already who are called like them.
        #[serde(default)]
        same_name: bool,
        /// Whoever of the list is enrolled already is left as they are; otherwise nobody of it is enrolled.
        #[serde(default)]
        leave_known: bool,
        /// A division that nobody has yet is meant, also where it is nearly called like another one.
        #[serde(default)]
        new_division: bool,
    }
    /// Enroll a player after round 1.
    "late" Late {
        /// Who.
        person: Person,
        /// Give a loss for each round missed; otherwise what the ruleset says.
        #[serde(default)]
        losses: bool,
        /// Give a bye for each round missed: a win, so rarely what is meant.
        #[serde(default)]
        byes: bool,
        /// Give a half bye for each round missed: in chess half a point.
        #[serde(default)]
        half_byes: bool,
        /// They take part in the round that is being played; `repair` seats them.
        #[serde(default)]
        now: bool,
        /// It is another person than the one enrolled already who is called like them.
        #[serde(default)]
        same_name: bool,
        /// A division that nobody has yet is meant, also where it is nearly called like another one.
        #[serde(default)]
        new_division: bool,
    }
    /// Pair the next round.
    "pair" Pair {
        /// Dice thrown in public, as a text: with them nobody could foresee the pairing.
        dice: Option<String>,
        /// Pair the round anew that has no result yet; it uses its seed again.
        #[serde(default)]
        again: bool,
        /// A round more than planned.
        #[serde(default)]
        further: bool,
        /// Whether divisions are paired `apart` or `together` from this round on; otherwise as before.
        divisions: Option<HowDivided>,
        /// Divisions that are paired as one where they are paired apart: `junior,senior`.
        #[serde(default)]
        merge: Vec<String>,
        /// How many rounds divisions play, where one plays fewer than the others: `junior=4`, or `junior=all`.
        #[serde(default)]
        rounds: Vec<String>,
        /// Where the server was started with a pairing engine: the engine's name, or `none` for pairing without it.
        /// Otherwise the engine pairs Swiss rounds in which divisions are together.
        engine: Option<String>,
    }
    /// Show players the pairings.
    "publish" Publish {}
    /// Check a player in: they are here.
    "check-in" CheckIn {
        /// Who, by name or number.
        player: String,
    }
    /// Record what a player reports of their match; it is no result.
    "claim" Claim {
        /// Who reports it, then the score as they say it: `ann 2-1`.
        slip: String,
    }
    /// Note how a match stands that is not finished.
    "note-score" NoteScore {
        /// Table or player, then the score so far.
        slip: String,
    }
    /// Say for whom of the staff a number in the log stands.
    "name-staff" NameStaff {
        /// The number.
        actor: u32,
        /// The name from now on.
        name: String,
    }
    /// Enter a result.
    "result" Enter {
        /// Table or player, then the score, as it is typed: `12 2-1`, `ann 2-0`, `4 w-l no-show`.
        slip: String,
        /// The round that the slip is of; it is refused while another one is played.
        round: Option<u16>,
    }
    /// Correct a result.
    "correct" Correct {
        /// Table or player, then the right score.
        slip: String,
        /// Why.
        reason: String,
        /// The round; otherwise the last one.
        round: Option<u16>,
        /// The number of the dispute that led to it.
        dispute: Option<u32>,
        /// The result that whoever corrects it saw there; it is refused where another one stands.
        was: Option<String>,
    }
    /// Correct a player's name.
    "rename" Rename {
        /// Who, by name or number.
        player: String,
        /// The name from now on, everywhere.
        name: String,
        /// Why.
        reason: Option<String>,
        /// It is another person than the one enrolled already who is called so.
        #[serde(default)]
        same_name: bool,
    }
    /// Correct a player's division.
    "set-division" SetDivision {
        /// Who, by name or number.
        player: String,
        /// The division from now on; otherwise they have none.
        division: Option<String>,
        /// Why.
        reason: String,
        /// A division that nobody has yet is meant, also where it is nearly called like another one.
        #[serde(default)]
        new_division: bool,
    }
    /// Correct a player's title, federation, rating and id.
    "describe" Describe {
        /// Who, by name or number.
        player: String,
        /// The title from now on, such as `GM`; empty: they have none. Without it their title stays.
        title: Option<String>,
        /// The federation from now on, such as `SWE`; empty: it is not known. Without it their federation stays.
        federation: Option<String>,
        /// The rating from now on, a whole number such as `1912`; empty: they have none. Without it their rating stays.
        rating: Option<String>,
        /// The id with the publisher from now on; empty: they have none. Without it their id stays.
        id: Option<String>,
    }
    /// Note the bye that a player asks for in a round to come, or that they play after all.
    "bye" Bye {
        /// Who, by name or number.
        player: String,
        /// In which round.
        round: u16,
        /// What it is worth; `none`: they play.
        kind: ByeAskedFor,
    }
    /// Drop a player.
    "drop" Drop {
        /// Who, by name or number.
        player: String,
        /// They did not appear: their opponent wins.
        #[serde(default)]
        no_show: bool,
    }
    /// Bring back a player who dropped.
    "reinstate" Reinstate {
        /// Who, by name or number.
        player: String,
        /// They take part in the round that is being played; `repair` seats them.
        #[serde(default)]
        now: bool,
        /// Why.
        reason: String,
    }
    /// Disqualify a player: they take no place.
    "disqualify" Disqualify {
        /// Who, by name or number.
        player: String,
        /// Why.
        reason: String,
    }
    /// Penalize a player.
    "penalty" Penalty {
        /// Who, by name or number.
        player: String,
        /// What it takes away.
        #[schema(required = true, nullable = false)]
        takes: Option<Takes>,
        /// For the match they are playing; otherwise it waits for their next one.
        #[serde(default)]
        now: bool,
        /// Why.
        reason: String,
        /// The round for which it is given: it is refused while another one is played.
        round: Option<u16>,
    }
    /// Pair some tables anew, disturbing as few as can be.
    "repair" Repair {
        /// Who did not appear and leaves the tournament, by name or number.
        #[serde(default)]
        out: Vec<String>,
        /// The tables that are broken up.
        #[serde(default)]
        tables: Vec<u32>,
        /// Why.
        reason: String,
    }
    /// Seat players by hand.
    "set-pairing" SetPairing {
        /// Who meets, by name or number; one alone has the bye.
        players: Vec<String>,
        /// At which table; otherwise where the first of them sat.
        table: Option<u32>,
        /// Why.
        reason: String,
    }
    /// Keep a table for a player who sits there whenever they are paired, or no longer.
    "keep-table" KeepTable {
        /// Who, by name or number.
        player: String,
        /// The table; otherwise they sit anywhere again.
        table: Option<u32>,
    }
    /// Say which tables the hall has, from the next pairing on.
    "tables" SetTables {
        /// Tables and ranges of tables in their order, such as `1-12` and `14`; none: 1, 2, 3 and so on.
        #[serde(default)]
        ranges: Vec<String>,
    }
    /// End the phase; those who go on play the next one.
    "cut" Cut {
        /// Only players of this division go on; those of others wait for a cut of theirs.
        division: Option<String>,
        /// How many go on; otherwise as planned, or as the ruleset suggests for so many players.
        top: Option<u32>,
        /// Everybody with at least so many points goes on.
        points: Option<i64>,
        /// How it is played, such as `single-elimination`.
        kind: Option<String>,
        /// Who declines and is passed over, by name or number.
        #[serde(default)]
        decline: Vec<String>,
        /// Best of how many games.
        best_of: Option<u8>,
    }
    /// Let a player go on by ruling.
    "advance" Advance {
        /// The table.
        table: u32,
        /// Who goes on, by name or number.
        player: String,
        /// Why.
        reason: String,
        /// The round; otherwise the last one.
        round: Option<u16>,
    }
    /// Open a dispute about a match.
    "dispute" Dispute {
        /// Table or player.
        table: String,
        /// What is claimed.
        claim: String,
        /// Who claims it, where a player of the table does.
        by: Option<String>,
        /// The round; otherwise the last one.
        round: Option<u16>,
    }
    /// Rule a dispute.
    "rule" Rule {
        /// The number of the dispute.
        dispute: u32,
        /// Whether the claim was right.
        #[schema(required = true, nullable = false)]
        upheld: Option<bool>,
        /// The right score, in the order of the seats or behind a player.
        score: Option<String>,
        /// Why.
        reason: String,
    }
    /// Go on under another ruleset, for every round.
    "amend-rules" AmendRules {
        /// The id of the ruleset, with changes where there are any; or only what changes in the one
        /// in force: `+settings.percentage_floor=1/3`.
        rules: String,
        /// The texts of rulesets that are not shipped and that it needs.
        #[serde(default)]
        files: Vec<RulesetText>,
        /// Why.
        reason: String,
    }
    /// Write a note into the log.
    "note" Note {
        /// The words.
        text: String,
        /// The event of the log that it is about.
        about: Option<u64>,
    }
    /// Undo a command.
    "undo" Undo {
        /// The command to which this event of the log belongs; otherwise one's last one.
        seq: Option<u64>,
        /// Why; otherwise `undone`.
        reason: Option<String>,
    }
    /// Take one event of the log back.
    "withdraw" Withdraw {
        /// Its number in the log.
        seq: u64,
        /// Why.
        reason: String,
    }
    /// Remove a tournament that was imported and on which nobody built: its import is taken back.
    "remove" Remove {
        /// Why.
        reason: String,
    }
    /// Draw lots for players whom nothing else tells apart.
    "lots" Lots {}
    /// Replace the pairing secret where it was lost.
    "reseed" Reseed {
        /// Why.
        reason: String,
    }
    /// Record the standings' hash; completed rounds do it anyway.
    "announce" Announce {
        /// Only the rounds up to this one.
        through: Option<u16>,
    }
    /// Close the tournament: its standings are final.
    "close" Close {
        /// Also where a bracket is not played to its end.
        #[serde(default)]
        unfinished: bool,
    }
}

/// Somebody who is enrolled.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Person {
    /// Their name.
    #[schema(required = true)]
    pub name: String,
    /// Their id with the publisher.
    pub id: Option<String>,
    /// Their rating.
    pub rating: Option<i32>,
    /// Their division.
    pub division: Option<String>,
    /// Their title, such as `GM`.
    pub title: Option<String>,
    /// Their federation, such as `SWE`.
    pub federation: Option<String>,
    /// How many byes they bring.
    pub byes: u8,
    /// The members of a team.
    pub members: Vec<String>,
}

impl From<Person> for Enrolment {
    fn from(person: Person) -> Enrolment {
        Enrolment {
            name: person.name.trim().to_string(),
            publisher_id: person.id,
            rating: person.rating,
            division: person.division,
            title: person.title,
            federation: person.federation,
            awarded_byes: person.byes,
            members: person.members,
        }
    }
}

impl From<Enrolment> for Person {
    fn from(of: Enrolment) -> Person {
        Person {
            name: of.name,
            id: of.publisher_id,
            rating: of.rating,
            division: of.division,
            title: of.title,
            federation: of.federation,
            byes: of.awarded_byes,
            members: of.members,
        }
    }
}

/// A ruleset's text, under the id by which others name it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RulesetText {
    /// Its id.
    pub id: String,
    /// Its text, in TOML.
    pub text: String,
}

impl From<RulesetFile> for RulesetText {
    fn from(file: RulesetFile) -> RulesetText {
        RulesetText { id: file.name, text: file.text }
    }
}

/// How divisions are paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HowDivided {
    /// Everybody together.
    Together,
    /// Each division by itself.
    Apart,
}

/// What a bye is worth that a player asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ByeAskedFor {
    /// Half a win.
    Half,
    /// Nothing.
    Zero,
    /// A whole win.
    Full,
    /// They play: what they asked for is taken back.
    #[default]
    None,
}

impl ByeAskedFor {
    /// The kind of bye; none: they play.
    pub fn kind(self) -> Option<ByeKind> {
        match self {
            ByeAskedFor::Half => Some(ByeKind::Half),
            ByeAskedFor::Zero => Some(ByeKind::Zero),
            ByeAskedFor::Full => Some(ByeKind::Awarded),
            ByeAskedFor::None => None,
        }
    }
}

/// What a penalty takes away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Takes {
    /// Nothing: it is written down.
    Warning,
    /// A game.
    GameLoss,
    /// The match.
    MatchLoss,
}

impl From<Takes> for PenaltyKind {
    fn from(takes: Takes) -> PenaltyKind {
        match takes {
            Takes::Warning => PenaltyKind::Warning,
            Takes::GameLoss => PenaltyKind::GameLoss,
            Takes::MatchLoss => PenaltyKind::MatchLoss,
        }
    }
}
