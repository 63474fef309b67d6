//! A round that a pairing engine of somebody else pairs: what it is given, made from the log alone, and
//! what its answer comes to. The same when it is asked, when it is verified, and when it is asked again.

use scrutineer_engine::error::Code;
use scrutineer_engine::event::{
    ByeKind, DrawUsed, ENGINE, EnginePaired, Event, PairingReason, PhaseKind, PlayerNumber,
    RoundNumber, RoundOpened, Seat, Seq,
};
use scrutineer_engine::record::Header;
use scrutineer_engine::tournament::{MatchView, Phase, Round, Tournament};
use scrutineer_formats::trf::engine::{
    Garbled, MOST_PLAYERS, PlayerSaid, Question, RoundSaid, Worth, pairs_of,
};
use scrutineer_pairing::dice::Dice;
use scrutineer_pairing::{
    PairedBye, PairedRound, PairedTable, PairingError, Situation, running_phase,
};
use scrutineer_projections::counted;
use scrutineer_projections::crosstable::{Crosstable, FoldError, Scope};
use scrutineer_projections::ratio::Fraction;
use scrutineer_projections::ruleset::{Outcome, RoundKind, Ruleset, parse};
use std::cmp::Reverse;
use std::collections::BTreeSet;

scrutineer_engine::errors! {
    /// Why a round cannot be put to a pairing engine.
    #[derive(Clone, PartialEq, Eq)]
    pub enum QuestionError -> &'static str {
        /// Nobody else is to pair what follows from a bracket or a schedule.
        NotSwiss { kind: PhaseKind } = refused "engine-not-swiss",
            "a pairing engine pairs Swiss rounds, and the {kind} phase is running",
            "leave --engine out: who meets whom follows from the bracket or the schedule";
        /// A table of more than two.
        NotTwo { round: RoundNumber } = refused "engine-not-two",
            "round {round} has a table that is not of two players, which no pairing engine can be told",
            "leave --engine out";
        /// More players than numbers.
        TooMany { players: usize } = refused "engine-too-many",
            "{players} players are enrolled, and a pairing engine can be told of 9,999", "leave --engine out";
        /// Points that no such file can hold.
        Points { player: PlayerNumber } = refused "engine-points",
            "the points of player {player} are not what wins, draws, losses and byes are worth, in tenths \
             up to 99.9, which is all that a pairing engine can be told",
            "leave --engine out, or rank the tournament under a ruleset of 1, ½ and 0";
        /// Nothing is left to pair.
        Draw(#[from] PairingError) => (error) error.code(), "{0}", error.hint();
        /// The results so far cannot be folded.
        Fold(#[from] FoldError) => (error) Code::refused("cannot-fold"), "{0}", error.hint();
    }
}

scrutineer_engine::errors! {
    /// Why an engine's answer is not taken.
    #[derive(Clone, PartialEq, Eq)]
    pub enum AnswerError -> &'static str {
        /// It is no list of pairs.
        Garbled(#[from] Garbled) => (_error) Code::refused("engine-answer-garbled"),
            "the engine's answer cannot be read: {0}",
            "look at what it was given and what it said: `pair --engine <command> --engine-folder <folder>` leaves both there";
        /// A number that the file does not have.
        NoSuchNumber { number: u32 } = refused "engine-player-unknown",
            "the engine pairs number {number}, which nobody has in the file that it was given",
            "look at what it was given and what it said: `pair --engine <command> --engine-folder <folder>` leaves both there";
        /// Somebody who sits out.
        NotHere { player: PlayerNumber } = refused "engine-player-absent",
            "the engine pairs player {player}, who does not play in this round",
            "the engine passes over who is marked as absent in TRF: try another version of it";
        /// Somebody has two seats.
        Twice { player: PlayerNumber } = refused "engine-player-twice",
            "the engine pairs player {player} twice", "try another version of the engine";
        /// Somebody has no seat.
        Missing { player: PlayerNumber, players: usize } = refused "engine-player-missing",
            "the engine leaves out {players} who play in this round, the first of them player {player}",
            "try another version of the engine";
        /// More than one has no opponent.
        TwoByes { player: PlayerNumber, other: PlayerNumber } = refused "engine-two-byes",
            "the engine gives a bye to player {player} and to player {other}",
            "at most one player has no opponent: try another version of the engine";
        /// They have met over the board.
        Rematch { player: PlayerNumber, other: PlayerNumber } = refused "engine-rematch",
            "the engine pairs player {player} with player {other}, who have met or have a game to finish, and the \
             ruleset allows no rematch",
            "a ruleset with `rematch = \"allow\"` in [draw] takes it";
    }
}

/// The finding that says of an engine's rounds that nobody asked it again.
pub const NOT_RUN: &str = "engine-not-run";

/// That rounds of an engine were not paired again, and what pairs them again.
pub fn not_asked_again(rounds: u32, engine: &str) -> String {
    let stand = if rounds == 1 { "stands" } else { "stand" };
    format!(
        "{} paired by {engine} {stand} as it answered to what the log says; it was not asked again: \
         `scrutineer verify --engine <command>`",
        counted(rounds, "round")
    )
}

/// A round as it is put to a pairing engine.
#[derive(Clone, Debug)]
pub struct EngineRound {
    /// The file that the engine is given.
    pub input: String,
    /// The player of each number of the file.
    players: Vec<PlayerNumber>,
    /// Whether each is to be paired.
    is_here: Vec<bool>,
    /// Who is not to meet again, by their places, the lower first; nobody where rematches are allowed.
    met: BTreeSet<(usize, usize)>,
    /// The version of the method.
    version: u16,
    /// The byes of those who asked for one or brought one.
    with_byes: Vec<PairedBye>,
}

impl EngineRound {
    /// The next round of the running phase, with the seed and the public dice that are revealed for it.
    ///
    /// # Errors
    /// Where no engine can be told of it.
    pub fn of(
        state: &Tournament,
        rules: &Ruleset,
        seed: &[u8; 32],
        public: &[u8],
    ) -> Result<EngineRound, QuestionError> {
        EngineRound::by_version(state, rules, ENGINE.1, seed, public)
    }

    /// The same as a version of the method puts it: the first told nobody of a game that both had lost, or that
    /// was put off, as one of players who had met.
    fn by_version(
        state: &Tournament,
        rules: &Ruleset,
        version: u16,
        seed: &[u8; 32],
        public: &[u8],
    ) -> Result<EngineRound, QuestionError> {
        let phase = running_phase(state).ok_or(PairingError::NoPhase)?;
        if phase.kind != PhaseKind::Swiss {
            return Err(QuestionError::NotSwiss { kind: phase.kind });
        }
        let situation = Situation::of(state, rules, phase)?;
        let players = numbered(state, Some(phase));
        if players.len() > MOST_PLAYERS {
            return Err(QuestionError::TooMany { players: players.len() });
        }
        let mut at = vec![usize::MAX; state.players().len() + 1];
        players.iter().enumerate().for_each(|(place, player)| at[*player as usize] = place);
        let mut history = History::of(state, rules, &players, &at)?;
        if version == 1 {
            history.untold.clear();
        }
        if rules.draw.rematches_allowed {
            history.met.clear();
            history.untold.clear();
        }
        let is_here = |player: &PlayerNumber| situation.players.contains(player);
        let question = Question {
            rounds: rounds_planned(state),
            white_first: white_first(state, phase, Some((version, seed, public))),
            worth: history.worth,
            players: (players.iter().zip(&history.rounds).zip(&history.points))
                .map(|((player, rounds), points)| {
                    let bye = situation.with_byes.iter().find(|bye| bye.player == *player);
                    let sits_out = match bye.map(|bye| bye.kind) {
                        Some(ByeKind::Awarded) => Some('F'),
                        Some(ByeKind::Half) => Some('H'),
                        None if is_here(player) => None,
                        _ => Some('Z'),
                    };
                    let sits_out = sits_out.map(RoundSaid::alone);
                    PlayerSaid {
                        rating: state.player(*player).and_then(|one| one.rating),
                        // One program wants what a round to come is worth counted already, others take both.
                        points: *points
                            + sits_out.map_or(0, |said| worth_of(&history.worth, said.result)),
                        rounds: rounds.iter().copied().chain(sits_out).collect(),
                    }
                })
                .collect(),
            apart: (history.untold.iter())
                .map(|(one, other)| [*one as u32 + 1, *other as u32 + 1])
                .collect(),
        };
        let met = &history.met | &history.untold;
        let is_here = players.iter().map(is_here).collect();
        let with_byes = situation.with_byes;
        Ok(EngineRound { input: question.text(), players, is_here, met, version, with_byes })
    }

    /// The round that was opened with this seed and these dice, in the state before it.
    ///
    /// # Errors
    /// As [`EngineRound::of`].
    pub fn for_round(
        before: &Tournament,
        rules: &Ruleset,
        used: &DrawUsed,
    ) -> Result<EngineRound, QuestionError> {
        let public = used.dice.as_deref().unwrap_or_default();
        EngineRound::by_version(before, rules, used.version, &used.seed, public)
    }

    /// BLAKE3 of what the engine is given.
    pub fn input_hash(&self) -> [u8; 32] {
        blake3::hash(self.input.as_bytes()).into()
    }

    /// The round that an answer says.
    ///
    /// # Errors
    /// Where it is not one of everybody who is here, once.
    pub fn read(&self, answer: &str) -> Result<PairedRound, AnswerError> {
        let mut seated = vec![false; self.players.len()];
        let mut seat = |number: u32| {
            let at = (number as usize).wrapping_sub(1);
            let player = *self.players.get(at).ok_or(AnswerError::NoSuchNumber { number })?;
            if !self.is_here[at] {
                return Err(AnswerError::NotHere { player });
            }
            match std::mem::replace(&mut seated[at], true) {
                true => Err(AnswerError::Twice { player }),
                false => Ok(at),
            }
        };
        let because = PairingReason::Engine;
        let (mut tables, mut byes): (Vec<PairedTable>, Vec<PairedBye>) = Default::default();
        for (white, black) in pairs_of(answer)? {
            let white = seat(white)?;
            if black == 0 {
                let player = self.players[white];
                if let Some(other) = byes.first() {
                    return Err(AnswerError::TwoByes { player: other.player, other: player });
                }
                let kind = ByeKind::Assigned;
                byes.push(PairedBye { player, kind, bracket_slot: None, because });
                continue;
            }
            let black = seat(black)?;
            let [player, other] = [white, black].map(|at| self.players[at]);
            if self.met.contains(&(white.min(black), white.max(black))) {
                return Err(AnswerError::Rematch { player, other });
            }
            let seats = [player, other].map(|player| Seat { player, role: 0 });
            let seats = seats.into_iter().collect();
            tables.push(PairedTable { seats, group: None, bracket_slot: None, because });
        }
        let left = (0..self.players.len()).filter(|at| self.is_here[*at] && !seated[*at]);
        let left: Vec<usize> = left.collect();
        if let Some(first) = left.first() {
            return Err(AnswerError::Missing { player: self.players[*first], players: left.len() });
        }
        byes.extend(self.with_byes.iter().copied());
        Ok(PairedRound { method: ENGINE.0, version: self.version, tables, byes })
    }

    /// Whether two answers say the same: the order of the pairs is the program's own affair.
    pub fn are_alike(one: &str, other: &str) -> bool {
        let sorted = |answer: &str| {
            let mut pairs = pairs_of(answer).ok()?;
            pairs.sort_unstable();
            Some(pairs)
        };
        sorted(one).is_some_and(|pairs| Some(pairs) == sorted(other))
    }
}

/// Why an engine's answer that a log holds is none to its round.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotItsAnswer {
    /// There is none.
    #[error("no answer of an engine stands behind its opening")]
    None,
    /// There is no such round to ask about.
    #[error("nothing can be put to an engine here: {0}")]
    Question(#[from] QuestionError),
    /// It was given something else.
    #[error("the engine was given another file than the log makes")]
    OtherInput,
    /// Its answer is no pairing.
    #[error("{0}")]
    Answer(#[from] AnswerError),
}

/// The round that the log's own words about an engine come to, in the state before it.
///
/// # Errors
/// Where they do not fit it.
pub fn said(
    question: Result<EngineRound, QuestionError>,
    paired: Option<&EnginePaired>,
) -> Result<PairedRound, NotItsAnswer> {
    let (round, paired) = (question?, paired.ok_or(NotItsAnswer::None)?);
    match round.input_hash() == paired.input {
        true => Ok(round.read(&paired.output)?),
        false => Err(NotItsAnswer::OtherInput),
    }
}

/// A round of a log that an engine paired, as it can be put to one again.
pub struct Asked {
    /// The event that holds the answer.
    pub seq: Seq,
    /// The round.
    pub round: RoundNumber,
    /// What the log says.
    pub paired: EnginePaired,
    /// What an engine is given.
    pub question: EngineRound,
}

/// Every round of a log that an engine paired and whose file follows from the log, also those that were
/// taken back.
pub fn asked(log: &[(Header, Event)]) -> Vec<Asked> {
    let (mut state, mut found) = (Tournament::default(), Vec::new());
    let mut question = None;
    for (header, event) in log {
        match event {
            Event::RoundOpened(RoundOpened { drawn: Some(used), .. }) if used.is_for_engine() => {
                let rules = parse(state.ruleset().unwrap_or_default()).ok();
                let of = |rules| EngineRound::for_round(&state, &rules, used).ok();
                question = rules.and_then(of);
            }
            Event::EnginePaired(paired) => {
                let question = question.take();
                found.extend(question.filter(|one| one.input_hash() == paired.input).map(|one| {
                    let (seq, round) = (header.seq, paired.round);
                    Asked { seq, round, paired: paired.clone(), question: one }
                }));
            }
            _ => {}
        }
        state.evolve(event);
    }
    found
}

/// The order of everybody's numbers, and whether the first of them began with white where that was drawn: as an
/// engine is told, so that a report says the same.
pub fn as_told(state: &Tournament) -> (Vec<PlayerNumber>, Option<bool>) {
    let mut phases = state.phases().iter().rev().filter(|phase| !phase.withdrawn);
    let phase = phases.find(|phase| phase.kind == PhaseKind::Swiss);
    (numbered(state, phase), phase.and_then(|phase| white_first(state, phase, None)))
}

/// Everybody who is enrolled, in the order of the file's numbers: the entrants by their seeds, others by
/// their rating among them, or behind them. Where the seeds went by rating, so do the numbers once one was put
/// right, until the fourth round is paired (FIDE C.04.2, 2.3); numbers that a file brought along stay.
fn numbered(state: &Tournament, phase: Option<&Phase>) -> Vec<PlayerNumber> {
    let of_phase = |round: &&Round| phase.is_some_and(|phase| phase.number == round.phase);
    let mut standing = state.rounds().iter().filter(of_phase).filter(|round| !round.withdrawn);
    let started = phase.map_or(0, |phase| phase.started);
    let settled = match state.imported() {
        Some(_) => started,
        None => standing.find(|round| round.phase_round == 4).map_or(Seq::MAX, |one| one.opened),
    };
    let rating_at = |player: PlayerNumber, seq: Seq| {
        state.player(player).and_then(|one| one.rating_at(seq)).unwrap_or(0)
    };
    let stands = |player: &PlayerNumber| state.player(*player).is_some();
    let entrants = phase.map_or(&[][..], |phase| &phase.entrants);
    let mut order: Vec<PlayerNumber> = entrants.iter().copied().filter(stands).collect();
    let by_rating = order.is_sorted_by_key(|player| Reverse(rating_at(*player, started)));
    let entered: BTreeSet<PlayerNumber> = order.iter().copied().collect();
    let all = state.players().iter().filter(|player| !player.withdrawn);
    order.extend(all.map(|player| player.number).filter(|player| !entered.contains(player)));
    // Of those with equal ratings the entrants come first, in the order of their seeds.
    if by_rating {
        order.sort_by_cached_key(|player| Reverse(rating_at(*player, settled)));
    }
    order
}

/// How many rounds there are to be; one more than there are with this one where no plan says it, so that
/// no engine takes it for the last.
fn rounds_planned(state: &Tournament) -> u32 {
    let next = u32::from(state.next_round_number());
    let plan = state.opened().map_or(&[][..], |opened| &opened.plan);
    let swiss = plan.iter().filter(|phase| phase.kind == PhaseKind::Swiss);
    let rounds: Vec<u32> = swiss.map(|phase| phase.rounds.map_or(0, u32::from)).collect();
    match rounds.is_empty() || rounds.contains(&0) {
        true => next + 1,
        false => {
            let kind = |round: &&Round| state.phase_of(round).map(|phase| phase.kind);
            let before = state.rounds().iter().filter(|round| !round.withdrawn);
            let before = before.filter(|round| kind(round) != Some(PhaseKind::Swiss)).count();
            (rounds.iter().sum::<u32>() + before as u32).max(next)
        }
    }
}

/// Whether the first player of a phase begins with white: drawn for its first round that an engine
/// pairs, and nobody's affair where the phase had tables before. `next` is the version of the method and what that
/// round is drawn from where it is about to be paired.
fn white_first(
    state: &Tournament,
    phase: &Phase,
    next: Option<(u16, &[u8; 32], &[u8])>,
) -> Option<bool> {
    let of_phase = |round: &&Round| round.phase == phase.number && !round.withdrawn;
    let first = state.rounds().iter().filter(of_phase).find(|round| {
        let has_tables = || state.matches().any(|m| m.round().opened == round.opened);
        round.drawn.as_ref().is_some_and(DrawUsed::is_for_engine) || has_tables()
    });
    let (version, seed, public) = match first {
        Some(round) => {
            let used = round.drawn.as_ref().filter(|used| used.is_for_engine())?;
            (used.version, &used.seed, used.dice.as_deref().unwrap_or_default())
        }
        None => next?,
    };
    Some(Dice::new(seed, ENGINE.0, version, public).below(2) == 0)
}

/// What was played, by the places of the players in the file.
struct History {
    rounds: Vec<Vec<RoundSaid>>,
    points: Vec<i64>,
    /// Who has met, as their rounds say.
    met: BTreeSet<(usize, usize)>,
    /// Who has met, or is to meet yet, and whose rounds say a forfeit or an absence.
    untold: BTreeSet<(usize, usize)>,
    worth: Worth,
}

impl History {
    fn of(
        state: &Tournament,
        rules: &Ruleset,
        players: &[PlayerNumber],
        at: &[usize],
    ) -> Result<History, QuestionError> {
        let nothing = vec![Vec::new(); players.len()];
        let (points, met, untold) = (vec![0; players.len()], BTreeSet::new(), BTreeSet::new());
        let mut history = History { rounds: nothing, points, met, untold, worth: worth(rules)? };
        if state.last_round().is_none() {
            return Ok(history);
        }
        let scope = Scope { through: None, final_order: Some(false) };
        let table = Crosstable::of(state, rules, scope)?;
        let mut standing: Vec<(usize, &Round)> = state.rounds().iter().enumerate().collect();
        standing.retain(|(_, round)| !round.withdrawn);
        standing.sort_by_key(|(_, round)| round.number);
        for (index, round) in standing {
            let opponents = opponents(state, index, round.number, at)?;
            let later = later(state, index, at);
            let appears = |player: &PlayerNumber| {
                let mut rounds = table.rounds_of(table.index_of(*player)?);
                rounds.find(|(_, one)| one.round == round.number).map(|(_, one)| one)
            };
            for (place, player) in players.iter().enumerate() {
                let found = appears(player);
                let against = opponents[place];
                if let Some((other, _)) = against {
                    let other = other as usize - 1;
                    let pair = (place.min(other), place.max(other));
                    match found.map(|one| one.kind) {
                        Some(RoundKind::Played) => {
                            history.met.insert(pair);
                        }
                        Some(RoundKind::DoubleLoss | RoundKind::Unfinished) => {
                            history.untold.insert(pair);
                        }
                        _ if later.contains(&pair) => {
                            history.untold.insert(pair);
                        }
                        _ => {}
                    }
                }
                let result = found.map_or('Z', |one| letter(one.kind, one.outcome));
                let is_alone = matches!(result, 'U' | 'F' | 'H' | 'Z');
                let against = against.filter(|_| !is_alone);
                history.rounds[place].push(RoundSaid { against, result });
                history.points[place] += worth_of(&history.worth, result);
            }
        }
        // Who met in another round too is known to have met.
        history.untold = &history.untold - &history.met;
        for (place, player) in players.iter().enumerate() {
            let Some(index) = table.index_of(*player) else { continue };
            let counted: i64 = table.rounds_of(index).map(|(_, one)| i64::from(one.points)).sum();
            let tenths = counted.checked_mul(10).filter(|tenths| tenths % table.points_den == 0);
            let tenths = tenths.map(|tenths| tenths / table.points_den);
            if tenths != Some(history.points[place]) || history.points[place] > 999 {
                return Err(QuestionError::Points { player: *player });
            }
        }
        Ok(history)
    }
}

/// What a letter is worth.
fn worth_of(worth: &Worth, result: char) -> i64 {
    match result {
        '1' => worth.win,
        '=' => worth.draw,
        '0' => worth.loss,
        '+' => worth.forfeit_win,
        '-' => worth.forfeit_loss,
        'U' => worth.bye,
        'F' => worth.full_bye,
        'H' => worth.half_bye,
        _ => worth.zero_bye,
    }
}

/// For each place the number of the opponent in a round, and whether the player had white.
fn opponents(
    state: &Tournament,
    index: usize,
    round: RoundNumber,
    at: &[usize],
) -> Result<Vec<Option<(u32, bool)>>, QuestionError> {
    let mut opponents = vec![None; at.len()];
    for found in state.matches_of(index) {
        let [first, second] = seats(&found).ok_or(QuestionError::NotTwo { round })?;
        let [white, black] = [first, second].map(|player| at[player as usize]);
        if white == usize::MAX || black == usize::MAX {
            continue;
        }
        opponents[white] = Some((black as u32 + 1, true));
        opponents[black] = Some((white as u32 + 1, false));
    }
    Ok(opponents)
}

/// Whose match of a round is to be played later, by their places, the lower first.
fn later(state: &Tournament, index: usize, at: &[usize]) -> BTreeSet<(usize, usize)> {
    let postponed = state.matches_of(index).filter(|found| found.is_postponed());
    let pairs = postponed.filter_map(|found| seats(&found));
    let pairs = pairs.map(|[one, other]| [one, other].map(|player| at[player as usize]));
    pairs.map(|[one, other]| (one.min(other), one.max(other))).collect()
}

/// The two players of a table, white first.
fn seats(found: &MatchView<'_>) -> Option<[PlayerNumber; 2]> {
    match found.seats() {
        [first, second] if first.role == 2 || second.role == 1 => {
            Some([second.player, first.player])
        }
        [first, second] => Some([first.player, second.player]),
        _ => None,
    }
}

/// The letter of a player's round. A game that both lost is told as a forfeit, since one program takes no two zeros;
/// a report that is written has it as a game, which is told there.
fn letter(kind: RoundKind, outcome: Outcome) -> char {
    match (kind, outcome) {
        (RoundKind::Played, Outcome::Win) => '1',
        (RoundKind::Played, Outcome::Draw) => '=',
        (RoundKind::Played, Outcome::Loss | Outcome::None) => '0',
        (RoundKind::ForfeitWin, _) => '+',
        (RoundKind::ForfeitLoss | RoundKind::DoubleLoss, _) => '-',
        (RoundKind::Bye | RoundKind::Vacant, _) => 'U',
        (RoundKind::AwardedBye, _) => 'F',
        (RoundKind::HalfBye, _) => 'H',
        (RoundKind::ZeroBye | RoundKind::AwardedLoss | RoundKind::Unfinished, _) => 'Z',
    }
}

/// What results are worth under a ruleset, in tenths.
fn worth(rules: &Ruleset) -> Result<Worth, QuestionError> {
    let tenths = |worth: Fraction| {
        let tenths = worth.num().checked_mul(10).filter(|tenths| tenths % worth.den() == 0);
        let tenths = tenths.map(|tenths| tenths / worth.den());
        tenths
            .filter(|tenths| (0..=999).contains(tenths))
            .ok_or(QuestionError::Points { player: 1 })
    };
    let kind = |kind| tenths(rules.points.kinds.get(&kind).copied().unwrap_or(Fraction::ZERO));
    let outcome = &rules.points.outcome;
    Ok(Worth {
        win: tenths(outcome.win)?,
        draw: tenths(outcome.draw)?,
        loss: tenths(outcome.loss)?,
        bye: kind(RoundKind::Bye)?,
        full_bye: kind(RoundKind::AwardedBye)?,
        half_bye: kind(RoundKind::HalfBye)?,
        zero_bye: kind(RoundKind::ZeroBye)?,
        forfeit_win: kind(RoundKind::ForfeitWin)?,
        forfeit_loss: kind(RoundKind::ForfeitLoss)?,
    })
}
