//! Every way in which a request can be refused: a stable code, a sentence, and what to do next.

use crate::codec::CodecError;
use crate::event::{PlayerNumber, RoundNumber, Seq};

errors! {
    /// Why a request was refused. Nothing of a refused request reaches the log.
    #[derive(Clone, PartialEq, Eq)]
    pub enum Rejection -> &'static str {
        /// Nothing can happen before the tournament is opened.
        NotOpened = refused "not-opened", "the tournament has not been opened", "open it first";
        /// A tournament is opened once.
        AlreadyOpened = conflict "already-opened", "the tournament is open already",
            "use another tournament, or amend the plan or the ruleset of this one";
        /// A closed tournament takes corrections only.
        Closed = refused "closed", "the tournament is closed",
            "only corrections, notes and rulings are taken; withdraw the closing to go on";
        /// The scoresheet itself is not usable.
        BadScoresheet { why: String } = invalid "bad-scoresheet", "the scoresheet cannot be used: {why}",
            "name each line once, in lower-case letters, with a smallest value below the largest, and best of an odd number of games";
        /// Import facts are recorded once, right after opening.
        AlreadyImported = conflict "already-imported", "the source of this tournament is recorded already",
            "import the file as a tournament of its own";
        /// What was played elsewhere is not mixed with what was played here.
        ImportedLate = refused "imported-late",
            "the source of a tournament is recorded right after its opening",
            "import the file as a tournament of its own";
        /// Its import was taken back.
        Removed = refused "removed", "the tournament was removed",
            "import its file again: it becomes a tournament of its own";
        /// The number is not the next free one.
        WrongPlayerNumber { player: PlayerNumber, expected: PlayerNumber } = refused "wrong-player-number",
            "player number {player} is not the next one, {expected}", "enroll players one after another";
        /// No such player.
        UnknownPlayer { player: PlayerNumber } = not_found "unknown-player", "there is no player {player}",
            "look them up in the list of players";
        /// They are out already.
        AlreadyDropped { player: PlayerNumber } = conflict "already-dropped",
            "player {player} has dropped already", "withdraw that drop if it was wrong";
        /// They are not out.
        NotDropped { player: PlayerNumber } = refused "not-dropped", "player {player} has not dropped",
            "`scrutineer players` says who left; whoever was to play from the next round takes part in this one with `enroll <name> --now`";
        /// A phase out of turn.
        WrongPhase { phase: u16, expected: u16 } = refused "wrong-phase",
            "phase {phase} is not the next one, {expected}", "start phases one after another";
        /// No phase has that number, or it is over.
        NoSuchPhase { phase: u16 } = refused "no-such-phase", "phase {phase} is not running",
            "start the phase first";
        /// A phase has rounds that are not completed.
        PhaseUnfinished { phase: u16, round: RoundNumber } = refused "phase-unfinished",
            "round {round} of phase {phase} is not completed", "complete the round first";
        /// A player twice among the entrants or lots.
        ListedTwice { player: PlayerNumber } = invalid "listed-twice", "player {player} is listed twice",
            "list everybody once";
        /// A list that does not continue where it stopped.
        WrongContinuation { first: u32, expected: u32 } = refused "wrong-continuation",
            "the list continues at place {first}, not at {expected}", "list places one after another";
        /// A round out of turn.
        WrongRound { round: RoundNumber, expected: RoundNumber } = refused "wrong-round",
            "round {round} is not the next one, {expected}", "open rounds one after another";
        /// A round of a phase out of turn.
        WrongPhaseRound { found: u16, expected: usize } = refused "wrong-phase-round",
            "round {found} of the phase is not its next one, {expected}",
            "count the rounds of a phase from 1";
        /// A weight of nothing.
        BadWeight = invalid "bad-weight", "a round's weight is a fraction of numbers from 1 to 1,000",
            "leave it at 1 unless the round is shorter or longer than others";
        /// The round before is not completed.
        RoundUnfinished { round: RoundNumber } = refused "round-unfinished", "round {round} is not completed",
            "enter the missing results first";
        /// A draw from the seed of an event that never committed to one.
        NoSeedCommitted = refused "no-seed-committed", "the tournament has no pairing commitment",
            "pair by hand, or commit first: `scrutineer reseed --reason <why>`";
        /// A draw with another draw's seed.
        WrongDraw { draw: u32, expected: u32 } = refused "wrong-pairing-seed",
            "this takes the seed of draw {expected}, not that of draw {draw}",
            "reveal the seed that belongs to this draw";
        /// A seed that is not the one committed to.
        WrongSeed { draw: u32 } = refused "wrong-seed",
            "the seed of draw {draw} does not lead to the commitment",
            "pair with the secret that belongs to this tournament";
        /// Standings that do not count what was recorded since.
        StaleStandings { head: Seq, now: Seq } = stale "stale-standings",
            "the standings count the events up to {head}, the log is at {now}", "fold them again";
        /// A key that never signed for this tournament.
        UnknownKey = not_found "unknown-key", "this key was never the signer of this tournament",
            "look its keys up: `scrutineer keys show`";
        /// A key that must no longer be trusted is to sign.
        RetiredKey = refused "retired-key", "this key was retired, so it signs nothing more",
            "make another one: `scrutineer keys rotate --reason <why>`";
        /// A voided round that is drawn anew from another seed: somebody could draw until they like it.
        OtherSeed { round: RoundNumber } = refused "other-seed",
            "round {round} was paired from another seed before",
            "a round that is paired anew uses the seed that was revealed for it";
        /// A voided round that is drawn anew with other dice: somebody could draw until they like it.
        OtherDice { round: RoundNumber } = refused "other-dice",
            "round {round} was paired with other public dice, or with none",
            "leave --dice out: a round that is paired anew uses the dice of its first pairing";
        /// An engine's answer that does not follow the opening of its round.
        NotForEngine { round: RoundNumber } = refused "not-for-engine",
            "what an engine said of round {round} does not stand right behind its opening",
            "pair with `pair --engine`, which records both at once";
        /// No such round.
        NoSuchRound { round: RoundNumber } = not_found "no-such-round", "there is no round {round}",
            "open the round first";
        /// The round is over.
        RoundCompleted { round: RoundNumber } = conflict "round-completed", "round {round} is completed",
            "withdraw its completion to change its pairings";
        /// Nothing to publish twice.
        AlreadyPublished { round: RoundNumber } = conflict "already-published",
            "the pairings of round {round} are published already",
            "players look already: `scrutineer pairings` prints them, `repair` and `set-pairing` change tables";
        /// A table of fewer than two.
        TooFewSeats = invalid "too-few-seats", "a table has two seats or more",
            "give a bye instead";
        /// Somebody against themselves.
        AgainstSelf { player: PlayerNumber } = invalid "against-self",
            "player {player} is paired against themselves", "check the two seats";
        /// Somebody twice in a round.
        TwiceInRound { player: PlayerNumber, round: RoundNumber } = invalid "twice-in-round",
            "player {player} already has a table or a bye in round {round}",
            "withdraw the other pairing first";
        /// Somebody who does not take part in that round.
        NotTakingPart { player: PlayerNumber, round: RoundNumber } = refused "not-taking-part",
            "player {player} does not take part in round {round}",
            "reinstate them, or enroll them from this round on";
        /// A bye is requested that only a pairing gives.
        BadByeRequest = invalid "bad-bye-request",
            "a bye that a player asks for is worth a whole win, half of one, or nothing",
            "name one of them: `bye <player> --round <n> --half`, `--zero` or `--full`";
        /// A bye is requested for a round that is paired.
        ByeTooLate { round: RoundNumber } = conflict "bye-too-late", "round {round} is paired already",
            "undo its pairing first; by hand, `set-pairing <player> --reason <why>` gives a bye, a win, and \
             `late <name> --half-byes` gives who comes late half byes";
        /// A second bye for the same round.
        ByeRequestedTwice { player: PlayerNumber, round: RoundNumber } = conflict "bye-requested-twice",
            "player {player} has asked for a bye in round {round} already",
            "take that one back first: `bye <player> --round <n> --none`";
        /// Two matches at one table.
        TableTaken { table: u32, round: RoundNumber } = conflict "table-taken",
            "table {table} of round {round} is taken", "use another table";
        /// A table without a number, or number 0.
        NoTableNumber = invalid "no-table-number", "the pairing has no table number", "number tables from 1";
        /// No such table.
        NoSuchTable { table: u32, round: RoundNumber } = not_found "no-such-table",
            "round {round} has no table {table}", "look the table up in the pairings";
        /// No such pairing.
        NoSuchPairing { seq: Seq } = not_found "no-such-pairing", "event {seq} is no pairing that stands",
            "look the table up in the pairings of the round";
        /// The result is there.
        AlreadyRecorded { pairing: Seq, result: Seq } = conflict "already-recorded",
            "the match of event {pairing} has a result, event {result}", "correct that result instead";
        /// There is nothing to correct.
        NothingToCorrect { pairing: Seq } = refused "nothing-to-correct",
            "the match of event {pairing} has no result yet", "record the result instead";
        /// Somebody else corrected it meanwhile.
        NotTheCurrentResult { replaces: Seq, current: Seq } = stale "not-the-current-result",
            "event {replaces} is not the result that stands, event {current} is",
            "look at the match again and correct the result that stands";
        /// The wrong number of values.
        WrongLines { found: usize, expected: usize } = invalid "wrong-lines",
            "{found} values where the scoresheet has {expected}",
            "give one value for each line of the scoresheet";
        /// The wrong number of seats.
        WrongSeats { found: usize, expected: usize } = invalid "wrong-seats",
            "{found} seats where the table has {expected}", "give a value for each seat";
        /// Outside of what can be entered.
        OutOfBounds { line: String, value: i32, min: i32, max: i32 } = invalid "out-of-bounds",
            "{line}: {value} is not between {min} and {max}", "check the slip, and type a number within that range";
        /// A score that the scoresheet forbids.
        ImpossibleScore { best_of: u8, first: i32, second: i32 } = invalid "impossible-score",
            "best of {best_of} cannot end {first}-{second}",
            "check the slip; where a match is one game, it is 1-0";
        /// No such seat.
        NoSuchSeat { seat: u8 } = not_found "no-such-seat", "the table has no seat {seat}", "count seats from 0";
        /// Not one of that table.
        NotAtTable { player: PlayerNumber, pairing: Seq } = refused "not-at-table",
            "player {player} does not sit at the table of event {pairing}",
            "look the table up in the pairings";
        /// Results are missing.
        ResultsMissing { round: RoundNumber, missing: usize } = refused "results-missing",
            "{missing} results of round {round} are missing", "enter them first";
        /// No such dispute.
        NoSuchDispute { seq: Seq } = not_found "no-such-dispute", "event {seq} is no dispute that stands",
            "look it up in the list of disputes";
        /// A correction names a dispute that has nothing to do with it.
        OtherMatch { seq: Seq, pairing: Seq } = refused "other-match",
            "the dispute of event {seq} is not about the match of event {pairing}",
            "name the dispute of this match, or none";
        /// It is decided.
        AlreadyRuled { seq: Seq } = conflict "already-ruled", "the dispute of event {seq} is ruled already",
            "withdraw the ruling first";
        /// No such penalty.
        NoSuchPenalty { seq: Seq } = not_found "no-such-penalty",
            "event {seq} is no penalty that stands for a player of this table",
            "look it up in the list of penalties";
        /// It is no event.
        NoSuchEvent { seq: Seq } = not_found "no-such-event", "there is no event {seq}", "look it up in the log";
        /// It cannot be undone.
        CannotWithdraw { seq: Seq } = refused "cannot-withdraw", "event {seq} is of a kind that stays",
            "record what happened instead";
        /// It is undone.
        AlreadyWithdrawn { seq: Seq } = conflict "already-withdrawn", "event {seq} is withdrawn already",
            "`scrutineer log` shows what stands; what should count after all is entered anew";
        /// Something later depends on it.
        StillNeeded { seq: Seq, by: Seq } = refused "still-needed", "event {by} builds on event {seq}",
            "withdraw the later event first";
        /// More than a tournament holds.
        TooMany { what: &'static str, limit: u64 } = too_large "too-many",
            "too many {what}: {limit} is the most", "leave some out, or open another tournament for them";
        /// A word of the log that nobody can have entered.
        BadWord { what: &'static str, why: &'static str } = invalid "bad-word", "the {what} {why}",
            "words have 1 to 200 characters that can be printed";
        /// A division that is named twice among those paired as one, or has no name.
        MergedTwice { name: String } = invalid "merged-twice",
            "the division {name:?} stands twice among those that are paired as one, or has no name",
            "name each division once";
        /// Divisions paired as one, where there is nothing to pair as one.
        NothingMerged = invalid "nothing-merged",
            "divisions are paired as one where divisions are paired apart, and two or more of them",
            "`pair --by-division --merge junior,senior`";
        /// Tables of a hall that are not in order, or named twice.
        BadTables = invalid "bad-tables", "the tables of the hall stand in ascending order, each once",
            "`tables 1-12 14-40` leaves out table 13";
        /// No table has so many places, or nobody comes in at place 0.
        NoSuchPlace { place: u8 } = not_found "no-such-place", "there is no place {place} at a table",
            "count places from 1, up to 200";
        /// The command's parts do not fit into records.
        TooLarge { why: CodecError } = too_large "too-large", "the request cannot be recorded: {why}",
            "split it into smaller requests";
        /// The request holds nothing.
        Empty = invalid "empty", "the request holds nothing to record",
            "name at least one event";
    }
}
