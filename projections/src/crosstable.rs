//! The crosstable: every player's rounds, side by side, as a ruleset sees them.
//!
//! It lies flat: a player is an index, his rounds stand one after another, and the score lines
//! that the ruleset asks for stand beside them. Measures are taken over it.

mod points;

use crate::ruleset::{Outcome, OutcomeRule, Quantity, RoundKind, RoundScore, Ruleset};
use points::Scale;
use scrutineer_engine::event::{
    ByeKind, DropReason, How, PhaseKind, PlayerNumber, RoundNumber, Ruling, Scoresheet, UnknownFact,
};
use scrutineer_engine::tournament::{MatchView, Player, Round, Spell, Tournament};
use smallvec::{SmallVec, smallvec};

/// A player's place in the crosstable's arrays.
pub type Index = u32;

/// How far a tournament is folded, and whether what counts at its end counts already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// The last round that counts; none: all.
    pub through: Option<RoundNumber>,
    /// Final or running; none: final once the tournament is closed and every round counts.
    pub final_order: Option<bool>,
}

impl Scope {
    /// Everything, in the final order.
    pub const FINAL: Scope = Scope { through: None, final_order: Some(true) };
}

/// Why a tournament cannot be folded under a ruleset.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FoldError {
    /// It was never opened.
    #[error("the tournament has not been opened")]
    NotOpened,
    /// A score line is missing.
    #[error("the ruleset {ruleset} needs the score line `{line}`, which this event never recorded")]
    MissingLine {
        /// The ruleset.
        ruleset: String,
        /// The line.
        line: String,
    },
    /// A fact is unknown.
    #[error("the ruleset {ruleset} needs the {fact}, which is unknown for this event")]
    UnknownFact {
        /// The ruleset.
        ruleset: String,
        /// The fact.
        fact: UnknownFact,
    },
    /// The numbers of this event are too large.
    #[error("{what} is too large for this event's points")]
    TooLarge {
        /// What.
        what: String,
    },
}

impl FoldError {
    /// What to do next.
    pub fn hint(&self) -> &'static str {
        match self {
            FoldError::NotOpened => "open it, or import a file",
            FoldError::MissingLine { .. } | FoldError::UnknownFact { .. } => {
                "choose another ruleset with --rules; `rules list` shows them"
            }
            FoldError::TooLarge { .. } => "check the scores",
        }
    }
}

/// One round of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerRound {
    /// The round's number.
    pub round: RoundNumber,
    /// What it was.
    pub kind: RoundKind,
    /// How it came out.
    pub outcome: Outcome,
    /// How many opponents sat at the table.
    pub opponents: u8,
    /// Where they stand among the crosstable's opponents.
    opponents_at: u32,
    /// Points, over [`Crosstable::points_den`].
    pub points: i64,
}

/// An entrant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// His number.
    pub number: PlayerNumber,
    /// Whether he has dropped within the scope.
    pub dropped: bool,
    /// Whether he was disqualified: his results count for others, and he takes no place.
    pub disqualified: bool,
}

/// Every player's rounds under a ruleset.
#[derive(Clone, Debug)]
pub struct Crosstable {
    /// The players.
    pub entrants: Vec<Entrant>,
    /// The rounds that count, as (number, weight's numerator, weight's denominator).
    pub rounds: Vec<(RoundNumber, u16, u16)>,
    /// What points are counted in.
    pub points_den: i64,
    /// The most that a round can be worth, over `points_den`.
    pub possible: i64,
    /// Names of the score lines kept.
    pub lines: Vec<String>,
    starts: Vec<u32>,
    entries: Vec<PlayerRound>,
    opponents: Vec<Index>,
    values: Vec<i32>,
    won_final: Option<Index>,
}

impl Crosstable {
    /// Folds a tournament.
    ///
    /// # Errors
    /// Where the ruleset needs what the tournament does not hold.
    pub fn of(state: &Tournament, rules: &Ruleset, scope: Scope) -> Result<Crosstable, FoldError> {
        Builder::new(state, rules, scope)?.build()
    }

    /// How many players there are.
    pub fn len(&self) -> usize {
        self.entrants.len()
    }

    /// Whether there is nobody.
    pub fn is_empty(&self) -> bool {
        self.entrants.is_empty()
    }

    /// The index of a player, if he is in it.
    pub fn index_of(&self, number: PlayerNumber) -> Option<Index> {
        let found = self.entrants.binary_search_by_key(&number, |entrant| entrant.number);
        found.ok().map(|index| index as Index)
    }

    /// A player's rounds, in order, each with its position for [`Crosstable::line`].
    pub fn rounds_of(
        &self,
        player: Index,
    ) -> impl DoubleEndedIterator<Item = (usize, &PlayerRound)> + ExactSizeIterator {
        let (from, to) = (self.starts[player as usize], self.starts[player as usize + 1]);
        let first = from as usize;
        self.entries[first..to as usize].iter().enumerate().map(move |(at, e)| (first + at, e))
    }

    /// The opponents of a round.
    pub fn opponents_of(&self, entry: &PlayerRound) -> &[Index] {
        let at = entry.opponents_at as usize;
        &self.opponents[at..at + usize::from(entry.opponents)]
    }

    /// Own and opponent's value of a line in the round at `position`; a line that the table
    /// shares is the same for both.
    pub fn line(&self, position: usize, line: usize) -> (i32, i32) {
        let at = (position * self.lines.len() + line) * 2;
        (self.values[at], self.values[at + 1])
    }

    /// Where a line's values stand.
    pub fn line_index(&self, name: &str) -> Option<usize> {
        self.lines.iter().position(|line| line == name)
    }

    /// Who won the final, if it has been played.
    pub fn won_final(&self) -> Option<Index> {
        self.won_final
    }

    /// The weight of a round, as (numerator, denominator).
    pub fn weight(&self, round: RoundNumber) -> (u16, u16) {
        let found = self.rounds.binary_search_by_key(&round, |(number, ..)| *number);
        found.map_or((1, 1), |at| (self.rounds[at].1, self.rounds[at].2))
    }
}

/// Where a scoresheet holds a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineAt {
    Seat(usize),
    Table(usize),
}

/// One round of one player before it has a place in the table.
struct Draft {
    player: Index,
    entry: PlayerRound,
    values_at: u32,
}

struct Builder<'a> {
    state: &'a Tournament,
    rules: &'a Ruleset,
    scale: Scale,
    counted: Vec<bool>,
    index_of: Vec<Index>,
    /// Per round of the state: where its scoresheet holds each line.
    lines_at: Vec<Vec<Option<LineAt>>>,
    table: Crosstable,
    drafts: Vec<Draft>,
    draft_values: Vec<i32>,
    /// Players at tables whose match does not count: no round, and not a missed one either.
    voided: Vec<(RoundNumber, Index)>,
}

const NOBODY: Index = Index::MAX;

impl<'a> Builder<'a> {
    fn new(
        state: &'a Tournament,
        rules: &'a Ruleset,
        scope: Scope,
    ) -> Result<Builder<'a>, FoldError> {
        let opened = state.opened().ok_or(FoldError::NotOpened)?;
        let lines = lines_needed(rules, &opened.scoresheet)?;
        let through = scope.through.unwrap_or(RoundNumber::MAX);
        let counts = |round: &Round| {
            let kind = state.phase_of(round).map_or(PhaseKind::Swiss, |phase| phase.kind);
            !round.withdrawn && round.number <= through && rules.phases.contains(&kind)
        };
        let counted: Vec<bool> = state.rounds().iter().map(counts).collect();
        let scale = Scale::of(rules)?;
        let table = Crosstable {
            entrants: entrants(state, through),
            rounds: rounds(state, &counted),
            points_den: scale.den,
            possible: scale.possible,
            lines,
            starts: Vec::new(),
            entries: Vec::new(),
            opponents: Vec::new(),
            values: Vec::new(),
            won_final: None,
        };
        let mut index_of = vec![NOBODY; state.players().len() + 1];
        for (index, entrant) in (0..).zip(&table.entrants) {
            index_of[entrant.number as usize] = index;
        }
        let sheet_lines = |round: &Round| {
            let sheet = state.scoresheet(round);
            let find = |line: &String| sheet.and_then(|sheet| line_at(sheet, line));
            table.lines.iter().map(find).collect::<Vec<_>>()
        };
        let lines_at = state.rounds().iter().map(sheet_lines).collect();
        let drafts = Vec::with_capacity(state.matches_hint() * 2);
        let draft_values = Vec::with_capacity(drafts.capacity() * table.lines.len() * 2);
        Ok(Builder {
            state,
            rules,
            scale,
            counted,
            index_of,
            lines_at,
            table,
            drafts,
            draft_values,
            voided: Vec::new(),
        })
    }

    fn build(mut self) -> Result<Crosstable, FoldError> {
        for found in self.state.matches() {
            if self.counted[found.round_index()] {
                self.take_match(found)?;
            }
        }
        for bye in self.state.byes() {
            if self.counted[bye.round as usize] {
                self.take_bye(bye)?;
            }
        }
        self.fill_missing()?;
        self.table.won_final = self.find_final();
        Ok(self.sort())
    }

    fn take_match(&mut self, found: MatchView<'_>) -> Result<(), FoldError> {
        let seats = found.seats();
        let number = found.round().number;
        if seats.iter().any(|seat| seat.ruling == Some(Ruling::NoResult)) {
            let indices = seats.iter().filter_map(|s| self.index_of.get(s.player as usize));
            self.voided.extend(indices.map(|index| (number, *index)));
            return Ok(());
        }
        let mut outcomes: SmallVec<[Outcome; 8]> = smallvec![Outcome::None; seats.len()];
        let finished = found.result().is_some();
        let kinds_of = |outcome, lost_all| kind_of(found.how(), outcome, finished, lost_all);
        if finished {
            self.outcomes(found, &mut outcomes);
        }
        let lost_all = finished && outcomes.iter().all(|o| *o == Outcome::Loss);
        for (at, seat) in seats.iter().enumerate() {
            let player = self.index_of.get(seat.player as usize).copied().unwrap_or(NOBODY);
            if player == NOBODY {
                continue;
            }
            let outcome = outcomes[at];
            let kind = kinds_of(outcome, lost_all);
            let values_at = self.push_values(found, at, kind);
            let opponents_at = self.table.opponents.len() as u32;
            let others = seats.iter().enumerate().filter(|(other, _)| *other != at);
            let index_of = &self.index_of;
            let indices = others.filter_map(|(_, other)| index_of.get(other.player as usize));
            self.table.opponents.extend(indices.copied().filter(|index| *index != NOBODY));
            let opponents = (self.table.opponents.len() as u32 - opponents_at) as u8;
            let mut entry =
                PlayerRound { round: number, kind, outcome, opponents, opponents_at, points: 0 };
            let facts = points::Facts {
                entry: &entry,
                ruling: seat.ruling,
                grade: found.grade(),
                lines: &self.table.lines,
                values: &self.draft_values[values_at as usize..],
                scored: self.rules.scores.contains_key(&kind),
            };
            entry.points = self.scale.points(self.rules, &facts)?;
            self.drafts.push(Draft { player, entry, values_at });
        }
        Ok(())
    }

    /// Rulings decide; where there are none the ruleset's outcome rule does.
    fn outcomes(&self, found: MatchView<'_>, out: &mut [Outcome]) {
        let seats = found.seats();
        if seats.iter().any(|seat| seat.ruling.is_some()) {
            for (outcome, seat) in out.iter_mut().zip(seats) {
                *outcome = match seat.ruling {
                    Some(Ruling::Win | Ruling::Place(1)) => Outcome::Win,
                    Some(Ruling::Draw) => Outcome::Draw,
                    Some(Ruling::Loss | Ruling::Place(_)) | None => Outcome::Loss,
                    Some(Ruling::NoResult) => Outcome::None,
                };
            }
            return;
        }
        let OutcomeRule::Line(_) = &self.rules.outcome else { return };
        // The outcome's line is the first that is kept, see `lines_needed`.
        let Some(LineAt::Seat(line)) = self.lines_at[found.round_index()][0] else { return };
        let Some(score) = found.score() else { return };
        let values = || (0..out.len()).map(|seat| score.seat(seat, line));
        let best = values().max().unwrap_or(0);
        let winners = values().filter(|value| *value == best).count();
        for (seat, outcome) in out.iter_mut().enumerate() {
            *outcome = match score.seat(seat, line) == best {
                true if winners == 1 => Outcome::Win,
                true => Outcome::Draw,
                false => Outcome::Loss,
            };
        }
    }

    /// The values of each line for a seat and its opponent (of more, the sum).
    fn push_values(&mut self, found: MatchView<'_>, seat: usize, kind: RoundKind) -> u32 {
        let at = self.draft_values.len() as u32;
        let forfeited = matches!(kind, RoundKind::ForfeitWin | RoundKind::ForfeitLoss);
        let scored = self.rules.scores.get(&kind).filter(|_| forfeited);
        if let Some(score) = scored.filter(|score| **score != RoundScore::AsReported) {
            self.push_ruled(score, found.round().number, None);
            return at;
        }
        let score = found.score();
        let seats = found.seats().len();
        for line in &self.lines_at[found.round_index()] {
            let (own, against) = match (line, score) {
                (Some(LineAt::Table(line)), Some(score)) => {
                    (score.table(*line), score.table(*line))
                }
                (Some(LineAt::Seat(line)), Some(score)) => {
                    let others = (0..seats).filter(|other| *other != seat);
                    (score.seat(seat, *line), others.map(|other| score.seat(other, *line)).sum())
                }
                _ => (0, 0),
            };
            self.draft_values.extend([own, against]);
        }
        at
    }

    /// The values that a ruleset gives to a round without play.
    fn push_ruled(
        &mut self,
        rule: &RoundScore,
        round: RoundNumber,
        reported: Option<(&[Option<LineAt>], ReportedScore<'_>)>,
    ) {
        for (at, name) in self.table.lines.iter().enumerate() {
            let pair = match rule {
                RoundScore::Lines { own, against } => {
                    let value = |of: &std::collections::BTreeMap<String, i32>| {
                        of.get(name).copied().unwrap_or(0)
                    };
                    (value(own), value(against))
                }
                RoundScore::CleanWin if self.is_games_line(name) => (self.clean_win(round), 0),
                RoundScore::CleanWin => (0, 0),
                RoundScore::AsReported => reported.map_or((0, 0), |(lines, score)| {
                    match lines.get(at).copied().flatten() {
                        Some(LineAt::Seat(line)) => (score.seat(0, line), score.seat(1, line)),
                        Some(LineAt::Table(line)) => (score.table(line), score.table(line)),
                        None => (0, 0),
                    }
                }),
            };
            self.draft_values.extend([pair.0, pair.1]);
        }
    }

    fn is_games_line(&self, name: &str) -> bool {
        self.rules.games.as_ref().is_some_and(|games| games.line == name)
    }

    fn clean_win(&self, round: RoundNumber) -> i32 {
        let sheet = self.state.round(round).and_then(|round| self.state.scoresheet(round));
        let best_of = sheet.and_then(|sheet| sheet.best_of);
        i32::from(best_of.unwrap_or(3) / 2 + 1)
    }

    fn take_bye(&mut self, bye: &scrutineer_engine::tournament::Bye) -> Result<(), FoldError> {
        let kind = match bye.kind {
            ByeKind::Assigned => RoundKind::Bye,
            ByeKind::Awarded => RoundKind::AwardedBye,
            ByeKind::Half => RoundKind::HalfBye,
            ByeKind::Zero => RoundKind::ZeroBye,
            ByeKind::AwardedLoss => RoundKind::AwardedLoss,
            ByeKind::Vacant => RoundKind::Vacant,
        };
        let player = self.index_of.get(bye.player as usize).copied().unwrap_or(NOBODY);
        if player == NOBODY {
            return Ok(());
        }
        let round = &self.state.rounds()[bye.round as usize];
        let lines = self.lines_at[bye.round as usize].clone();
        let reported = bye.reported.as_ref().map(|score| (&lines[..], ReportedScore(score)));
        self.take_without_opponent(player, round.number, kind, reported)
    }

    fn take_without_opponent(
        &mut self,
        player: Index,
        round: RoundNumber,
        kind: RoundKind,
        reported: Option<(&[Option<LineAt>], ReportedScore<'_>)>,
    ) -> Result<(), FoldError> {
        let values_at = self.draft_values.len() as u32;
        let rules = self.rules;
        let rule = rules.scores.get(&kind);
        let unreported = reported.is_none() && rule == Some(&RoundScore::AsReported);
        match rule {
            Some(rule) => self.push_ruled(rule, round, reported),
            None => self.draft_values.extend(std::iter::repeat_n(0, self.table.lines.len() * 2)),
        }
        let mut entry = PlayerRound {
            round,
            kind,
            outcome: points::outcome_of(kind),
            opponents: 0,
            opponents_at: 0,
            points: 0,
        };
        let facts = points::Facts {
            entry: &entry,
            ruling: None,
            grade: None,
            lines: &self.table.lines,
            values: &self.draft_values[values_at as usize..],
            scored: rule.is_some() && !unreported,
        };
        entry.points = self.scale.points(rules, &facts)?;
        self.drafts.push(Draft { player, entry, values_at });
        Ok(())
    }

    /// What the ruleset says of rounds in which a player has neither table nor bye.
    fn fill_missing(&mut self) -> Result<(), FoldError> {
        let missing = self.rules.missing;
        if (missing.late, missing.unpaired, missing.dropped) == (None, None, None) {
            return Ok(());
        }
        let mut seen = std::collections::BTreeSet::new();
        seen.extend(self.drafts.iter().map(|draft| (draft.entry.round, draft.player)));
        seen.extend(&self.voided);
        let state = self.state;
        let counted = self.counted.clone();
        for (round, _) in state.rounds().iter().zip(counted).filter(|(_, counted)| *counted) {
            let entrants = state.phase_of(round).map_or(&[][..], |phase| &phase.entrants);
            let within = |player: &Player| {
                entrants.is_empty() || round.phase == 1 || entrants.contains(&player.number)
            };
            for player in state.players().iter().filter(|p| !p.withdrawn && within(p)) {
                let index = self.index_of[player.number as usize];
                if index == NOBODY || seen.contains(&(round.number, index)) {
                    continue;
                }
                let kind = if round.number < player.from_round {
                    missing.late
                } else if player.takes_part_in(round.number) {
                    missing.unpaired
                } else {
                    missing.dropped
                };
                if let Some(kind) = kind {
                    self.take_without_opponent(index, round.number, kind, None)?;
                }
            }
        }
        Ok(())
    }

    /// A final is a knock-out round of a single table that leaves nobody waiting.
    fn find_final(&self) -> Option<Index> {
        let last = self.drafts.iter().map(|draft| draft.entry.round).max()?;
        let round = self.state.round(last)?;
        let kind = self.state.phase_of(round)?.kind;
        if !matches!(kind, PhaseKind::Elimination | PhaseKind::DoubleElimination) {
            return None;
        }
        let mut of_last = self.drafts.iter().filter(|draft| draft.entry.round == last);
        let (first, second) = (of_last.next()?, of_last.next()?);
        let alone = of_last.next().is_none() && first.entry.opponents == 1;
        if !alone || second.entry.opponents != 1 {
            return None;
        }
        let advanced = self.state.matches().filter(|m| m.round().number == last);
        let by_ruling = advanced.filter_map(MatchView::advanced).next();
        if let Some(number) = by_ruling {
            return self.index_of.get(number as usize).copied();
        }
        let won = [first, second].into_iter().find(|draft| draft.entry.outcome == Outcome::Win);
        won.map(|draft| draft.player)
    }

    /// Brings the drafts into the order of players, then rounds, by counting.
    fn sort(mut self) -> Crosstable {
        let players = self.table.entrants.len();
        let mut starts = vec![0u32; players + 1];
        for draft in &self.drafts {
            starts[draft.player as usize + 1] += 1;
        }
        for at in 0..players {
            starts[at + 1] += starts[at];
        }
        let in_order = self.drafts.windows(2).all(|two| two[0].entry.round <= two[1].entry.round);
        if !in_order {
            self.drafts.sort_by_key(|draft| draft.entry.round);
        }
        let stride = self.table.lines.len() * 2;
        let mut next = starts.clone();
        let blank = PlayerRound {
            round: 0,
            kind: RoundKind::Unfinished,
            outcome: Outcome::None,
            opponents: 0,
            opponents_at: 0,
            points: 0,
        };
        let mut entries = vec![blank; self.drafts.len()];
        let mut values = vec![0i32; self.drafts.len() * stride];
        for draft in &self.drafts {
            let to = next[draft.player as usize] as usize;
            next[draft.player as usize] += 1;
            entries[to] = draft.entry;
            let from = draft.values_at as usize;
            values[to * stride..(to + 1) * stride]
                .copy_from_slice(&self.draft_values[from..from + stride]);
        }
        Crosstable { starts, entries, values, ..self.table }
    }
}

/// A score as an event holds it, read with bounds.
#[derive(Clone, Copy)]
struct ReportedScore<'a>(&'a scrutineer_engine::event::Score);

impl ReportedScore<'_> {
    fn seat(self, seat: usize, line: usize) -> i32 {
        self.0.seats.get(seat).and_then(|values| values.get(line)).copied().unwrap_or(0)
    }

    fn table(self, line: usize) -> i32 {
        self.0.table.get(line).copied().unwrap_or(0)
    }
}

fn kind_of(how: How, outcome: Outcome, finished: bool, lost_all: bool) -> RoundKind {
    match (how, outcome) {
        _ if !finished => RoundKind::Unfinished,
        _ if lost_all => RoundKind::DoubleLoss,
        (How::Forfeit | How::NoShow, Outcome::Win) => RoundKind::ForfeitWin,
        (How::Forfeit | How::NoShow, Outcome::Loss) => RoundKind::ForfeitLoss,
        _ => RoundKind::Played,
    }
}

/// Everybody who takes part in a round up to `through`, or sits at a table or has a bye in one.
fn entrants(state: &Tournament, through: RoundNumber) -> Vec<Entrant> {
    let mut within = vec![false; state.players().len() + 1];
    for player in state.players() {
        let back = player.spells.iter().filter_map(|(_, spell)| match *spell {
            Spell::Reinstated(from) => Some(from.max(player.from_round)),
            Spell::Dropped(..) => None,
        });
        let mut comes = std::iter::once(player.from_round).chain(back);
        within[player.number as usize] =
            comes.any(|round| round <= through && player.takes_part_in(round));
    }
    if within.iter().skip(1).any(|within| !within) {
        let matches = state.matches().filter(|found| found.round().number <= through);
        let seated = matches.flat_map(|found| found.seats()).map(|seat| seat.player);
        let in_scope = |round: u32| state.rounds()[round as usize].number <= through;
        let byes = state.byes().filter(|bye| in_scope(bye.round)).map(|bye| bye.player);
        for player in seated.chain(byes) {
            if let Some(within) = within.get_mut(player as usize) {
                *within = true;
            }
        }
    }
    let entrant = |player: &Player| {
        let dropped = player.dropped().filter(|(_, after)| *after <= through);
        Entrant {
            number: player.number,
            dropped: dropped.is_some(),
            disqualified: dropped.is_some_and(|(why, _)| why == DropReason::Disqualified),
        }
    };
    let players = state.players().iter().filter(|player| !player.withdrawn);
    players.filter(|player| within[player.number as usize]).map(entrant).collect()
}

fn rounds(state: &Tournament, counted: &[bool]) -> Vec<(RoundNumber, u16, u16)> {
    let rounds = state.rounds().iter().zip(counted).filter(|(_, counted)| **counted);
    rounds.map(|(round, _)| (round.number, round.weight.num, round.weight.den)).collect()
}

fn line_at(sheet: &Scoresheet, name: &str) -> Option<LineAt> {
    let seat = sheet.seat_line(name).map(LineAt::Seat);
    seat.or_else(|| sheet.table_line(name).map(LineAt::Table))
}

/// The lines that decide points and order, the outcome's first; each must be on the scoresheet.
fn lines_needed(rules: &Ruleset, sheet: &Scoresheet) -> Result<Vec<String>, FoldError> {
    let mut needed: Vec<String> = Vec::new();
    let mut wanted: Vec<String> = Vec::new();
    if let OutcomeRule::Line(line) = &rules.outcome {
        needed.push(line.clone());
    }
    let points = &rules.points;
    needed.extend(points.line.clone());
    needed.extend(points.by_margin.as_ref().map(|margin| margin.line.clone()));
    needed.extend(points.bonuses.iter().map(|bonus| bonus.line.clone()));
    if !points.by_score.is_empty() {
        needed.extend(rules.games.iter().map(|games| games.line.clone()));
        wanted.extend(rules.games.iter().map(|games| games.drawn.clone()));
    }
    let in_order = crate::measure::needed_for_order(rules);
    for (measure, decides) in rules.measures.iter().zip(in_order) {
        let crate::ruleset::Formula::Total(total) = &measure.formula else { continue };
        let list = if decides { &mut needed } else { &mut wanted };
        match &total.of {
            Quantity::Line(line) | Quantity::Against(line) | Quantity::Margin(line) => {
                list.push(line.clone());
            }
            Quantity::GamePoints | Quantity::PossibleGamePoints => {
                list.extend(rules.games.iter().map(|games| games.line.clone()));
                wanted.extend(rules.games.iter().map(|games| games.drawn.clone()));
            }
            _ => {}
        }
    }
    if let Some(line) = needed.iter().find(|line| line_at(sheet, line).is_none()) {
        let (ruleset, line) = (rules.id.clone(), line.clone());
        return Err(FoldError::MissingLine { ruleset, line });
    }
    wanted.retain(|line| line_at(sheet, line).is_some());
    let mut lines: Vec<String> = Vec::new();
    for line in needed.into_iter().chain(wanted) {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    Ok(lines)
}
