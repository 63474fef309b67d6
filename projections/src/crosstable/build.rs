//! How a crosstable is filled: one pass over the matches and byes writes each where it belongs.

use super::lines::{LineAt, Scored, line_at, lines_needed, pair};
use super::outcome::Verdict;
use super::points::{Facts, Scale, outcome_of};
use super::{Crosstable, Entrant, FoldError, Index, PlayerRound, Stage, missing};
use crate::ruleset::{Outcome, RoundKind, RoundKinds, RoundScore, Ruleset};
use scrutineer_engine::event::{
    ByeKind, DropReason, How, PhaseKind, PlayerNumber, RoundNumber, Ruling, Score, Scoresheet,
};
use scrutineer_engine::tournament::{Bye, MatchView, Player, Round, Spell, Tournament};
use smallvec::SmallVec;

const NOBODY: Index = Index::MAX;

/// Folds a tournament under a ruleset.
pub fn crosstable(
    state: &Tournament,
    rules: &Ruleset,
    stage: Stage,
    until: RoundNumber,
) -> Result<Crosstable, FoldError> {
    let mut builder = Builder::new(state, rules, stage, until)?;
    for found in state.matches() {
        if let Some(column) = builder.column_of[found.round_index()] {
            builder.take_match(found, column)?;
        }
    }
    for bye in state.byes() {
        if let Some(column) = builder.column_of[bye.round as usize] {
            builder.take_bye(bye, column)?;
        }
    }
    let counted = builder.counted();
    for (player, at, kind) in
        missing::rounds(state, rules, &builder.table, &counted, &builder.voided)
    {
        let (column, round) = (at, counted[at]);
        builder.take_without_opponent(player, column, round, kind, None)?;
    }
    builder.table.won_final = builder.find_final();
    Ok(builder.table)
}

struct Builder<'a> {
    state: &'a Tournament,
    rules: &'a Ruleset,
    scale: Scale,
    /// Per round of the state: its column, where it counts.
    column_of: Vec<Option<usize>>,
    /// Per round of the state: where its scoresheet holds each line.
    lines_at: Vec<SmallVec<[Option<LineAt>; 4]>>,
    /// By player's number.
    index_of: Vec<Index>,
    /// The kinds of round whose score the ruleset gives.
    scored: RoundKinds,
    table: Crosstable,
    /// Players at tables whose match does not count.
    voided: Vec<(RoundNumber, Index)>,
}

impl<'a> Builder<'a> {
    fn new(
        state: &'a Tournament,
        rules: &'a Ruleset,
        stage: Stage,
        until: RoundNumber,
    ) -> Result<Builder<'a>, FoldError> {
        let opened = state.opened().ok_or(FoldError::NotOpened)?;
        let of_phases = state.phases().iter().filter(|phase| !phase.withdrawn);
        let of_phases = of_phases.filter_map(|phase| phase.scoresheet.as_ref());
        let sheets: Vec<&Scoresheet> = [&opened.scoresheet].into_iter().chain(of_phases).collect();
        let lines = lines_needed(rules, &sheets)?;
        let through = stage.through;
        let counts = |round: &Round| {
            let kind = state.phase_of(round).map_or(PhaseKind::Swiss, |phase| phase.kind);
            !round.withdrawn && round.number <= through && rules.counts(kind, round.phase)
        };
        let mut columns = 0..;
        let column = |round: &Round| counts(round).then(|| columns.next()).flatten();
        let column_of: Vec<Option<usize>> = state.rounds().iter().map(column).collect();
        let lines_of = |round: &Round| {
            let sheet = state.scoresheet(round);
            lines.iter().map(|line| sheet.and_then(|sheet| line_at(sheet, line))).collect()
        };
        let lines_at = state.rounds().iter().map(lines_of).collect();
        let scale = Scale::of(rules)?;
        let entrants = entrants(state, until, through);
        let mut index_of = vec![NOBODY; state.players().len() + 1];
        for (index, entrant) in (0..).zip(&entrants) {
            index_of[entrant.number as usize] = index;
        }
        let rounds = rounds(state, &column_of);
        let cells = entrants.len() * rounds.len();
        let table = Crosstable {
            stage,
            rounds,
            points_den: scale.den,
            possible: scale.possible,
            cells: vec![PlayerRound::NONE; cells],
            values: vec![0; cells * lines.len() * 2],
            entrants,
            lines,
            opponents: Vec::new(),
            won_final: None,
        };
        let kinds: Vec<RoundKind> = rules.scores.keys().copied().collect();
        Ok(Builder {
            state,
            rules,
            scale,
            column_of,
            lines_at,
            index_of,
            scored: RoundKinds::of(&kinds),
            table,
            voided: Vec::new(),
        })
    }

    #[inline]
    fn index(&self, player: PlayerNumber) -> Index {
        self.index_of.get(player as usize).copied().unwrap_or(NOBODY)
    }

    /// The rounds that count, by column, as positions among the state's.
    fn counted(&self) -> Vec<usize> {
        let columns = self.column_of.iter().enumerate();
        columns.filter_map(|(round, column)| column.map(|_| round)).collect()
    }

    /// How many values a cell has.
    fn stride(&self) -> usize {
        self.table.lines.len() * 2
    }

    fn take_match(&mut self, found: MatchView<'_>, column: usize) -> Result<(), FoldError> {
        let seats = found.seats();
        let round = found.round().number;
        let ruled = seats.iter().any(|seat| seat.ruling.is_some());
        if let ([first, second], false, How::Played) = (seats, ruled, found.how())
            && let Some(worth) = self.scale.by_outcome()
        {
            let players = [self.index(first.player), self.index(second.player)];
            return self.take_duel(found, column, players, worth);
        }
        if is_void(found) {
            let indices = seats.iter().map(|seat| self.index(seat.player));
            let voided: Vec<(RoundNumber, Index)> = indices.map(|index| (round, index)).collect();
            self.voided.extend(voided);
            return Ok(());
        }
        // The outcome's line is the first that is kept, see `lines_needed`.
        let line = self.lines_at[found.round_index()].first().copied().flatten();
        let verdict = Verdict::of(found, self.rules, line);
        let finished = found.result().is_some();
        let outcome = |seat| verdict.outcome(found, seat);
        let lost_all = finished && (0..seats.len()).all(|seat| outcome(seat) == Outcome::Loss);
        for (at, seat) in seats.iter().enumerate() {
            let player = self.index(seat.player);
            if player == NOBODY {
                continue;
            }
            let outcome = outcome(at);
            let kind = kind_of(found.how(), outcome, finished, lost_all);
            let (opponent, opponents) = self.opponents(found, at);
            let entry = PlayerRound { round, kind, outcome, opponents, opponent, points: 0 };
            let to = self.table.cell(player, column);
            self.write_values(found, at, kind, to);
            self.write(to, entry, seat.ruling, found.grade(), self.scored.contains(kind))?;
        }
        Ok(())
    }

    /// A table of two, played or to be played, on which nobody ruled and whose points go by the
    /// outcome alone: nearly all tables are of this kind, so it is short.
    #[inline]
    fn take_duel(
        &mut self,
        found: MatchView<'_>,
        column: usize,
        players: [Index; 2],
        worth: [i64; 4],
    ) -> Result<(), FoldError> {
        let round = found.round().number;
        let lines_at = &self.lines_at[found.round_index()];
        let verdict = Verdict::of(found, self.rules, lines_at.first().copied().flatten());
        let (kind, score) = match found.result() {
            Some(_) => (RoundKind::Played, found.score()),
            None => (RoundKind::Unfinished, found.score()),
        };
        let stride = self.table.lines.len() * 2;
        for seat in 0..2 {
            let (player, opponent) = (players[seat], players[1 - seat]);
            if player == NOBODY {
                continue;
            }
            let outcome = verdict.outcome(found, seat);
            let points = match kind {
                RoundKind::Unfinished => 0,
                _ => i32::try_from(worth[outcome as usize]).map_err(|_| too_large())?,
            };
            let opponents = u8::from(opponent != NOBODY);
            let to = self.table.cell(player, column);
            self.table.cells[to] =
                PlayerRound { round, kind, outcome, opponents, opponent, points };
            let Some(score) = score else { continue };
            let values = &mut self.table.values[to * stride..(to + 1) * stride];
            for (values, place) in values.chunks_exact_mut(2).zip(lines_at) {
                values.copy_from_slice(&pair(score, *place, seat, 2));
            }
        }
        Ok(())
    }

    /// Writes an entry with its points; its values stand there already.
    fn write(
        &mut self,
        to: usize,
        entry: PlayerRound,
        ruling: Option<Ruling>,
        grade: Option<&str>,
        scored: bool,
    ) -> Result<(), FoldError> {
        let stride = self.stride();
        let values = &self.table.values[to * stride..(to + 1) * stride];
        let lines = &self.table.lines;
        let facts = Facts { entry: &entry, ruling, grade, lines, values, scored };
        let points = self.scale.points(self.rules, &facts)?;
        let points = i32::try_from(points).map_err(|_| too_large())?;
        self.table.cells[to] = PlayerRound { points, ..entry };
        Ok(())
    }

    /// The opponent of a seat, or where its several opponents stand.
    fn opponents(&mut self, found: MatchView<'_>, at: usize) -> (Index, u8) {
        let seats = found.seats();
        if let [first, second] = seats {
            let other = self.index(if at == 0 { second.player } else { first.player });
            return (other, u8::from(other != NOBODY));
        }
        let from = self.table.opponents.len();
        for (other, seat) in seats.iter().enumerate() {
            let index = self.index(seat.player);
            if other != at && index != NOBODY {
                self.table.opponents.push(index);
            }
        }
        match self.table.opponents[from..] {
            [only] => (only, 1),
            ref several => (from as Index, several.len() as u8),
        }
    }

    /// The values of each line for a seat and its opponents.
    fn write_values(&mut self, found: MatchView<'_>, seat: usize, kind: RoundKind, to: usize) {
        let forfeited = matches!(kind, RoundKind::ForfeitWin | RoundKind::ForfeitLoss);
        if forfeited
            && let Some(rule) = self.rules.scores.get(&kind)
            && *rule != RoundScore::AsReported
        {
            return self.write_ruled(rule, found.round(), to);
        }
        let Some(score) = found.score() else { return };
        self.write_score(score, found.round_index(), seat, found.seats().len(), to);
    }

    fn write_score(
        &mut self,
        score: impl Scored,
        round: usize,
        seat: usize,
        seats: usize,
        to: usize,
    ) {
        let at = to * self.stride();
        for (line, place) in self.lines_at[round].iter().enumerate() {
            let values = pair(score, *place, seat, seats);
            self.table.values[at + line * 2..][..2].copy_from_slice(&values);
        }
    }

    /// The values that a ruleset gives to a round without play.
    fn write_ruled(&mut self, rule: &RoundScore, round: &Round, to: usize) {
        let at = to * self.stride();
        for (line, name) in self.table.lines.iter().enumerate() {
            let values = match rule {
                RoundScore::Lines { own, against } => {
                    [own, against].map(|values| values.get(name).copied().unwrap_or(0))
                }
                RoundScore::CleanWin if self.is_games_line(name) => [self.clean_win(round), 0],
                RoundScore::CleanWin | RoundScore::AsReported => [0, 0],
            };
            self.table.values[at + line * 2..][..2].copy_from_slice(&values);
        }
    }

    fn is_games_line(&self, name: &str) -> bool {
        self.rules.games.as_ref().is_some_and(|games| games.line == name)
    }

    fn clean_win(&self, round: &Round) -> i32 {
        let best_of = self.state.scoresheet(round).and_then(|sheet| sheet.best_of);
        i32::from(best_of.unwrap_or(3) / 2 + 1)
    }

    fn take_bye(&mut self, bye: &Bye, column: usize) -> Result<(), FoldError> {
        let kind = match bye.kind {
            ByeKind::Assigned => RoundKind::Bye,
            ByeKind::Awarded => RoundKind::AwardedBye,
            ByeKind::Half => RoundKind::HalfBye,
            ByeKind::Zero => RoundKind::ZeroBye,
            ByeKind::AwardedLoss => RoundKind::AwardedLoss,
            ByeKind::Vacant => RoundKind::Vacant,
        };
        match self.index(bye.player) {
            NOBODY => Ok(()),
            player => {
                let (round, reported) = (bye.round as usize, bye.reported.as_ref());
                self.take_without_opponent(player, column, round, kind, reported)
            }
        }
    }

    fn take_without_opponent(
        &mut self,
        player: Index,
        column: usize,
        round: usize,
        kind: RoundKind,
        reported: Option<&Score>,
    ) -> Result<(), FoldError> {
        let to = self.table.cell(player, column);
        let state = self.state;
        let scored = match (self.rules.scores.get(&kind), reported) {
            (Some(RoundScore::AsReported), Some(score)) => {
                self.write_score(score, round, 0, 2, to);
                true
            }
            (Some(RoundScore::AsReported), None) | (None, _) => false,
            (Some(rule), _) => {
                self.write_ruled(rule, &state.rounds()[round], to);
                true
            }
        };
        let entry = PlayerRound {
            round: state.rounds()[round].number,
            kind,
            outcome: outcome_of(kind),
            opponents: 0,
            opponent: NOBODY,
            points: 0,
        };
        self.write(to, entry, None, None, scored)
    }

    /// Who won the final: a knock-out round of a single table that leaves nobody waiting.
    fn find_final(&self) -> Option<Index> {
        let last =
            self.table.cells.iter().map(|entry| entry.round).max().filter(|last| *last > 0)?;
        let round = self.state.round(last)?;
        let kind = self.state.phase_of(round)?.kind;
        if !kind.is_bracket() {
            return None;
        }
        let last_of = |player: Index| {
            let (_, entry) = self.table.rounds_of(player).next_back()?;
            (entry.round == last).then_some((player, entry))
        };
        let mut of_last = (0..self.table.len() as Index).filter_map(last_of);
        let (first, second) = (of_last.next()?, of_last.next()?);
        let met = first.1.opponents == 1 && second.1.opponents == 1;
        if !met || of_last.next().is_some() {
            return None;
        }
        let of_round = self.state.matches().filter(|found| found.round().number == last);
        if let Some(number) = of_round.filter_map(MatchView::advanced).next() {
            return Some(self.index(number));
        }
        let won = [first, second].into_iter().find(|(_, entry)| entry.outcome == Outcome::Win);
        won.map(|(player, _)| player)
    }
}

#[cold]
fn too_large() -> FoldError {
    FoldError::TooLarge { what: "a round's points".into() }
}

/// Whether somebody ruled that the match does not count.
#[inline]
fn is_void(found: MatchView<'_>) -> bool {
    found.seats().iter().any(|seat| seat.ruling == Some(Ruling::NoResult))
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

/// Everybody who takes part in a round up to `until`, or sits at a table or has a bye in one. Who
/// dropped has done so by `through`, who was disqualified by `until`.
fn entrants(state: &Tournament, until: RoundNumber, through: RoundNumber) -> Vec<Entrant> {
    let mut within = vec![false; state.players().len() + 1];
    for player in state.players() {
        let back = player.spells.iter().filter_map(|(_, spell)| match *spell {
            Spell::Reinstated(from) => Some(from.max(player.from_round)),
            Spell::Dropped(..) => None,
        });
        let mut comes = std::iter::once(player.from_round).chain(back);
        within[player.number as usize] =
            comes.any(|round| round <= until && player.takes_part_in(round));
    }
    if within.iter().skip(1).any(|within| !within) {
        let matches = state.matches().filter(|found| found.round().number <= until);
        let seated = matches.flat_map(|found| found.seats()).map(|seat| seat.player);
        let in_scope = |round: u32| state.rounds()[round as usize].number <= until;
        let byes = state.byes().filter(|bye| in_scope(bye.round)).map(|bye| bye.player);
        for player in seated.chain(byes) {
            if let Some(within) = within.get_mut(player as usize) {
                *within = true;
            }
        }
    }
    let entrant = |player: &Player| {
        let out = player.dropped_by(until);
        Entrant {
            number: player.number,
            dropped: player.dropped_by(through).is_some(),
            disqualified: out.is_some_and(|(why, _)| why == DropReason::Disqualified),
        }
    };
    let players = state.players().iter().filter(|player| !player.withdrawn);
    players.filter(|player| within[player.number as usize]).map(entrant).collect()
}

fn rounds(state: &Tournament, column_of: &[Option<usize>]) -> Vec<(RoundNumber, u16, u16)> {
    let rounds = state.rounds().iter().zip(column_of).filter(|(_, column)| column.is_some());
    rounds.map(|(round, _)| (round.number, round.weight.num, round.weight.den)).collect()
}
