//! Why the desk cannot do what it was asked for.

use super::score::ScoreError;
use crate::pairing_engine::EngineError;
use crate::store::StoreError;
use scrutineer_engine::book::BookError;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::{DecodeError, PhaseKind, PlayerNumber, RoundNumber, Seq};
use scrutineer_engine::handler::{CommandError, LoadError};
use scrutineer_engine::log::what_to_do;
use scrutineer_engine::rejection::Rejection;
use scrutineer_pairing::PairingError;
use scrutineer_projections::crosstable::FoldError;
use scrutineer_projections::ruleset::RulesetError;
use scrutineer_replay::by_engine::{AnswerError, QuestionError};
use std::sync::Arc;

scrutineer_engine::errors! {
    /// What the desk objects to before it asks the log.
    #[derive(Clone, PartialEq, Eq)]
    pub enum Objection -> &'static str {
        /// The secret of the seeds is elsewhere or lost.
        NoSecret = refused "no-secret", "the pairing secret of this tournament is not in this store",
            "pair where the tournament was opened, or commit to a new one: `scrutineer reseed --reason <why>`";
        /// The round has pairings.
        AlreadyPaired { round: RoundNumber } = conflict "already-paired", "round {round} is paired already",
            "enter its results, change tables with `repair` or `set-pairing`, or pair it anew with --again";
        /// A round with results is not drawn anew.
        ResultsExist { round: RoundNumber, results: usize } = conflict "results-exist",
            "round {round} has results already ({results}), so it is not paired anew",
            "change single tables with `repair` or `set-pairing`, or withdraw the results first";
        /// Results are missing.
        TablesOpen { round: RoundNumber, tables: String } = refused "tables-open",
            "round {round} waits for the results of {tables}", "enter them: `scrutineer result <table> <score>`";
        /// No round is being played.
        NoOpenRound = refused "no-open-round", "no round is being played", "pair one: `scrutineer pair`";
        /// Nothing has been played.
        NoRound = refused "no-round", "no round has been paired yet", "pair one: `scrutineer pair`";
        /// They have said so.
        HereAlready { player: PlayerNumber } = conflict "here-already", "player {player} has checked in already",
            "nothing is left to do; `scrutineer players` lists who is here";
        /// Nobody asked for a bye that is to be taken back.
        NoByeRequested { player: PlayerNumber, round: RoundNumber } = not_found "no-bye-requested",
            "player {player} has not asked for a bye in round {round}",
            "`scrutineer players` lists who has a bye in which round";
        /// Who meets whom follows from the bracket.
        ByeInBracket { kind: PhaseKind } = refused "bye-in-bracket",
            "in a {kind} nobody has a bye by asking for it", "drop them: their opponent goes on";
        /// A number that nobody recorded anything under.
        NoSuchStaff { actor: u32 } = not_found "no-such-staff", "nobody of the staff has the number {actor} here",
            "`scrutineer log` names them; a number below 100 is the program's or the owner's";
        /// A cut of nobody.
        CutTooSmall { players: usize } = invalid "cut-too-small",
            "too few make the cut: {players}; a phase needs at least 2", "choose another cut";
        /// A cut of more than there are.
        CutTooLarge { asked: u32, players: usize } = invalid "cut-too-large",
            "the cut asks for {asked} players and {players} can go on", "choose a smaller cut";
        /// What to cut to is not said anywhere.
        NoCut = refused "no-cut", "neither the command nor the plan nor the ruleset says how many go on",
            "say it: `scrutineer cut --top 8`";
        /// A bracket or a round robin says who meets whom.
        PairedTogether { kind: PhaseKind } = refused "paired-together",
            "in a {kind} everybody is paired together",
            "divisions are paired apart in Swiss rounds and in pods";
        /// An engine knows nothing of divisions.
        EngineApart = refused "engine-apart",
            "divisions are paired apart, and a pairing engine pairs everybody together",
            "pair everybody together: `pair --together --engine <command>`";
        /// Nobody has the division.
        UnknownDivision { name: String } = not_found "unknown-division",
            "no player has the division {name:?}", "`players` lists them with their divisions";
        /// They have that division already.
        SameDivision { player: PlayerNumber } = conflict "same-division",
            "player {player} has this division already", "name the right division, or another player";
        /// Nothing of what is said of them is new.
        SameDescription { player: PlayerNumber } = conflict "same-description",
            "player {player} is described so already", "name what is right (a title, a federation, a rating, an id), or another player";
        /// Two players have one id.
        IdTaken { id: String, player: PlayerNumber } = conflict "id-taken",
            "player {player} has the id {id:?} already",
            "an id is one player's: look both up, and correct the other one first where theirs is wrong: `scrutineer describe <player> --id <id>`";
        /// The table is somebody else's.
        TableKept { table: u32, player: PlayerNumber } = conflict "table-kept",
            "table {table} is kept for player {player}", "name another one, or free it: `keep-table <player> --none`";
        /// The tables are those of before.
        TablesAsBefore = conflict "tables-as-before", "nothing would change: it is so already",
            "name other tables, or another player";
        /// A division that is one of those there are, with a slip of the hand.
        DivisionAlike { typed: String, near: String } = conflict "division-alike",
            "nobody has the division {typed:?} yet, and it is nearly called like {near:?}",
            "type the one that there is; if another one is meant, say so: --new-division, or its box on the page";
        /// They have no match that could be lost.
        NoMatchNow { player: PlayerNumber } = refused "no-match-now",
            "player {player} has no unfinished match in the round that is being played",
            "leave --now out, and the penalty waits for their next match";
        /// They have played the match already.
        ResultStands { table: u32, round: RoundNumber } = conflict "result-stands",
            "table {table} of round {round} has a result",
            "correct it: `scrutineer correct <table> <score> --reason <why>`";
        /// Another result stands there than whoever corrects it saw.
        OtherResult { table: u32, round: RoundNumber, was: String } = conflict "result-stands",
            "table {table} of round {round} has another result than was seen there (`was` is {was:?})",
            "look at what stands there; to correct that, send it as `was`, or leave `was` out";
        /// A match loss waits, and the slip says something else.
        PenaltyWaits { player: PlayerNumber } = refused "penalty-waits",
            "player {player} has a match loss waiting, which this match takes",
            "enter the loss (such as `l-w no-show`), or withdraw the penalty";
        /// A game loss is a game that the other one has, and the slip gives them fewer.
        GameLossWaits { player: PlayerNumber, table: u32, round: RoundNumber, losses: String, games: String } = refused "game-loss-waits",
            "player {player} has {losses} at table {table} of round {round}, and this result gives the other one {games}",
            "a game loss is a game that the other one has: where the match was won all the same, the score is such as `2-1`; where it is not to count, withdraw the penalty first";
        /// Nothing is out of order.
        NothingToRepair { round: RoundNumber } = refused "nothing-to-repair",
            "everybody who takes part in round {round} has a table or a bye",
            "say who did not appear with --out, or which table is broken up with --table";
        /// Nobody to seat.
        NotFree { player: PlayerNumber } = refused "not-free",
            "the match of player {player} has a result, so they are not seated elsewhere",
            "withdraw that result first";
        /// The tournament is over already.
        NoPhaseRuns = refused "no-phase-runs", "no phase is running", "the first one begins with `scrutineer pair`; one that was ended too early runs again once its end is withdrawn";
        /// An imported tournament is not paired.
        PlayedElsewhere = refused "played-elsewhere", "this tournament was played elsewhere and imported",
            "when its file goes on, import it again; `scrutineer close` ends it as it stands, and `scrutineer new` opens a tournament of your own";
        /// Two who are one.
        NameTaken { name: String, player: PlayerNumber } = conflict "name-taken",
            "{name} is enrolled already, as player {player}",
            "if it is another person of this name, say so: --same-name, or its box on the page";
        /// A new name that is the old one.
        SameName { name: String, player: PlayerNumber } = conflict "same-name",
            "player {player} is called {name} already",
            "type the name as it should be, or another player";
        /// One name twice in a list.
        NamedTwice { name: String } = invalid "named-twice", "{name} stands in the list twice",
            "if they are two people of this name, say so: --same-name, or its box on the page";
        /// A name that cannot be one.
        BadName { name: String, why: &'static str } = invalid "bad-name", "the name {name:?} {why}",
            "names have 1 to 200 characters that can be printed";
        /// A word beside a name that cannot be one.
        BadWord { what: String, word: String, why: &'static str } = invalid "bad-name",
            "the {what} {word:?} {why}",
            "it has 1 to 200 characters that can be printed; where there is none, leave it out";
        /// More byes than anybody can bring.
        TooManyByes { name: String, byes: u8 } = invalid "too-many-byes",
            "{name} would bring {byes} byes", "10 is the most";
        /// Rows of a file that cannot be read.
        BadRows { rows: String } = invalid "bad-row", "nobody is enrolled: {rows}",
            "the head names the columns: name, id, rating, title, federation, division, byes, members (separated by `;`)";
        /// They sit at no table.
        NoTable { player: PlayerNumber, round: RoundNumber } = not_found "no-table",
            "player {player} sits at no table in round {round}", "look the round up: `scrutineer pairings`";
        /// The match that a player speaks of is not the one that they have now.
        SeatedElsewhere { round: RoundNumber } = conflict "seated-elsewhere",
            "you sit elsewhere now in round {round}", "look where you sit now, then send it again";
        /// A correction that changes nothing.
        SameResult { table: u32, round: RoundNumber } = refused "same-result",
            "table {table} of round {round} has this result already",
            "it stands as typed; another round is named with --round";
        /// A text that is too long for the book.
        TextTooLong { bytes: usize } = too_large "text-too-long", "a text of {bytes} bytes is too long",
            "say it in fewer words";
        /// A text with control characters.
        TextNotPrintable = invalid "text-not-printable", "the text has a control character in it",
            "write it in characters that can be printed, on one line or several";
        /// Every round that was planned is played.
        RoundsPlayed { rounds: u16 } = refused "rounds-played", "every round that was planned is played ({rounds})",
            "go on with `scrutineer cut` or `scrutineer close`, or pair a round more: `scrutineer pair --further`";
        /// Who meets whom follows from the bracket.
        FixedByBracket = refused "fixed-by-bracket", "who meets whom follows from the bracket or the schedule",
            "say who did not appear with --out, or exchange two players with `scrutineer set-pairing`";
        /// A place of a bracket keeps its table.
        TableOfBracket = refused "table-of-bracket", "in a bracket the two meet at the table that one of them had",
            "leave --table out; the table of the first one named who has one is taken";
        /// No round of the phase can seat them.
        NotInPhase { player: PlayerNumber, kind: PhaseKind } = refused "not-in-phase",
            "player {player} is not in the {kind} phase any more, or never was: no round of it seats them",
            "who plays in it was fixed when it began; where that was wrong, `undo` takes it back as long as nothing of it is played";
        /// The players of the phase are fixed.
        TooLate { kind: PhaseKind } = refused "too-late",
            "who plays in the {kind} phase was fixed when it began",
            "enroll before the first round; withdraw the phase's start if nothing is played yet";
        /// Somebody takes part in a round and has no place in it.
        WithoutTable { round: RoundNumber, players: usize } = refused "without-table",
            "players without a table and without a bye in round {round}: {players}",
            "`scrutineer pairings` names them: seat them with `repair`, give a bye with `set-pairing`, or `drop` them";
        /// A phase that begins and ends without a round.
        NothingPlayed { phase: u16 } = refused "nothing-played", "phase {phase} has had no round",
            "pair it: `scrutineer pair`; or take its start back: `scrutineer withdraw <seq> --reason <why>`";
        /// Only losers of a bracket are out.
        NoBracket { round: RoundNumber } = refused "no-bracket", "round {round} is no round of a bracket",
            "everybody plays on; to change who won: `scrutineer correct <table> w-l --reason <why>`";
        /// Somebody has to go on from a table of a bracket.
        DrawnInBracket { table: u32, round: RoundNumber, kind: PhaseKind } = refused "drawn-in-bracket",
            "table {table} of round {round} would be drawn, and in a {kind} somebody goes on",
            "enter how the match was decided in the end; where the head judge rules who goes on, say that first: `scrutineer advance <table> <player> --reason <why>`";
        /// The round that is disputed is likely the one before.
        WhichRound { round: RoundNumber } = refused "which-round",
            "round {round} is not published, and this match of it has no result",
            "name the round that is disputed: --round <number>";
        /// Nobody disputed that, or no longer.
        NoSuchDispute { number: u32 } = not_found "no-such-dispute",
            "there is no dispute {number}, or it was taken back", "`scrutineer disputes` lists them";
        /// A dispute is decided once.
        AlreadyRuled { number: u32, by: Seq } = conflict "already-ruled",
            "dispute {number} is ruled already, in event {by}",
            "if that was wrong, withdraw the ruling first: `scrutineer withdraw <event> --reason <why>`";
        /// Somebody says the same twice.
        DisputedAlready { number: u32 } = conflict "disputed-already",
            "dispute {number} about this match is open already, by the same claimant",
            "rule it first: `scrutineer dispute rule <number> --reason <why>`, with --upheld or --denied; more about it goes into `scrutineer note`";
        /// No game was played, and nobody said what that means.
        NoGames { table: u32, round: RoundNumber } = refused "no-games",
            "table {table} of round {round}: no game was played, and a match without games is no draw by itself",
            "an intentional draw: `id`; won without playing: `w-l` or `l-w`, such as `w-l no-show`; both lose: `l-l`; every game drawn: `0-0-3`; not played yet: enter nothing";
        /// Nothing stands that could be undone.
        NothingToUndo = refused "nothing-to-undo", "no command of yours is left to undo",
            "`scrutineer log` shows what was recorded: `undo <event>` takes back the command of that event, `withdraw <event>` one event";
        /// What a command took back is not of a kind that can be put back.
        NotPutBack { seq: Seq } = refused "not-put-back",
            "this command took event {seq} back, and that does not come back by itself",
            "do it anew; `scrutineer show <event>` prints it";
        /// It goes on under the rules that hold anyway.
        SameRules { rules: String } = refused "same-rules", "the tournament is played under {rules} already",
            "`scrutineer rules list` names the others";
        /// A reason or a note that says nothing.
        NoReason = invalid "no-reason", "the reason is empty", "say why in a word or two";
    }
}

impl Objection {
    /// Whom it is about.
    pub const fn player(&self) -> Option<PlayerNumber> {
        use Objection::*;
        match *self {
            NoMatchNow { player }
            | IdTaken { player, .. }
            | HereAlready { player }
            | PenaltyWaits { player }
            | GameLossWaits { player, .. }
            | NotFree { player }
            | NotInPhase { player, .. }
            | NoByeRequested { player, .. }
            | NoTable { player, .. } => Some(player),
            _ => None,
        }
    }
}

scrutineer_engine::errors! {
    /// Why the desk could not do it. Nothing was recorded.
    #[derive(Clone)]
    pub enum DeskError -> Option<&'static str> {
        /// The desk objects.
        Objection(#[from] Objection) => (objection) objection.code(), "{0}", Some(objection.hint());
        /// The log refuses.
        Refused(#[from] CommandError) => (refusal) refusal.code(), "{0}", Some(after(refusal));
        /// The slip cannot be read.
        Score(#[from] ScoreError) => (error) error.code(), "{0}", Some(error.hint());
        /// Nothing can be drawn.
        Draw(#[from] PairingError) => (error) error.code(), "{0}", Some(error.hint());
        /// A pairing engine cannot be told of the round.
        Question(#[from] QuestionError) => (error) error.code(), "{0}", Some(error.hint());
        /// A pairing engine gave no answer.
        Engine(#[from] EngineError) => (error) error.code(), "{0}", Some(error.hint());
        /// What a pairing engine answered cannot be taken.
        Answer(#[from] AnswerError) => (error) error.code(), "{0}", Some(error.hint());
        /// The results so far cannot be folded.
        Fold(#[from] FoldError) => (error) Code::refused("cannot-fold"), "{0}", Some(error.hint());
        /// The ruleset is not good.
        Ruleset(#[from] RulesetError) = invalid "bad-ruleset", "{0}", None;
        /// The words cannot be kept.
        Book(#[from] BookError) => (error) error.of_database().unwrap_or(Code::io("book-not-written")), "{0}",
            Some(error.of_database().and_then(what_to_do).unwrap_or(CHECK));
        /// The store cannot be read.
        Store(Arc<StoreError>) => (error) error.code(), "{0}", error.hint();
    }
}

/// What to do where the disk refuses.
const CHECK: &str = "check the disk, then open the store again";

/// What to do after a command was refused.
fn after(refusal: &CommandError) -> &'static str {
    match refusal {
        CommandError::Rejected(rejection) => rejection.hint(),
        CommandError::TooBusy => "try again",
        CommandError::Load(LoadError::Event {
            source: DecodeError::UnknownKind { .. }, ..
        }) => "install the version that wrote it",
        other => what_to_do(other.code()).unwrap_or(CHECK),
    }
}

impl DeskError {
    /// Whom it is about, so that they can be told by their name.
    pub fn player(&self) -> Option<PlayerNumber> {
        use Rejection::*;
        match self {
            DeskError::Objection(objection) => objection.player(),
            DeskError::Question(QuestionError::Points { player }) => Some(*player),
            DeskError::Answer(
                AnswerError::NotHere { player }
                | AnswerError::Twice { player }
                | AnswerError::Missing { player, .. }
                | AnswerError::TwoByes { player, .. }
                | AnswerError::Rematch { player, .. },
            ) => Some(*player),
            DeskError::Refused(CommandError::Rejected(
                AlreadyDropped { player }
                | NotDropped { player }
                | ListedTwice { player }
                | AgainstSelf { player }
                | TwiceInRound { player, .. }
                | NotTakingPart { player, .. }
                | ByeRequestedTwice { player, .. }
                | NotAtTable { player, .. },
            )) => Some(*player),
            _ => None,
        }
    }

    /// The pairing that it is about, so that it can be told by its table.
    pub fn pairing(&self) -> Option<Seq> {
        use Rejection::*;
        match self {
            DeskError::Refused(CommandError::Rejected(
                NothingToCorrect { pairing }
                | NotAtTable { pairing, .. }
                | AlreadyRecorded { pairing, .. },
            )) => Some(*pairing),
            _ => None,
        }
    }
}
