//! How a crosstable is filled: one pass over the matches and byes writes each where it belongs.

use super::cells::{Cell, Cells, Column};
use super::duels::Duels;
use super::lines::{LineAt, Scored, line_at, lines_needed, pair, sheets};
use super::outcome::Verdict;
use super::points::{Facts, Scale, outcome_of};
use super::{Crosstable, Entrant, FoldError, Index, NOBODY, PlayerRound, Stage, missing, place_of};
use crate::ruleset::{Outcome, OutcomeRule, RoundKind, RoundKinds, RoundScore, Ruleset};
use scrutineer_engine::event::{
    ByeKind, DropReason, How, PhaseKind, PlayerNumber, RoundNumber, Ruling, Score,
};
use scrutineer_engine::tournament::{Availability, Bye, MatchView, Player, Round, Tournament};
use smallvec::SmallVec;

/// The most that a crosstable may hold, in words of 8 bytes (1 GiB): of a ruleset with three score
/// lines 100,000 players and 268 rounds.
const MOST_WORDS: usize = 1 << 27;

/// Folds a tournament under a ruleset.
pub fn crosstable(
    state: &Tournament,
    rules: &Ruleset,
    stage: Stage,
    until: RoundNumber,
) -> Result<Crosstable, FoldError> {
    let mut builder = Builder::new(state, rules, stage, until)?;
    for round in 0..state.rounds().len() {
        builder.take_matches(round)?;
    }
    for bye in state.byes() {
        if let Some(column) = builder.rounds[bye.round as usize].column {
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

/// Where a round of the state is written.
struct Place {
    /// Its column, where it counts.
    column: Option<usize>,
    /// Where its scoresheet holds each line.
    lines_at: SmallVec<[Option<LineAt>; 4]>,
}

struct Builder<'a> {
    state: &'a Tournament,
    rules: &'a Ruleset,
    scale: Scale,
    /// What a played round is worth by its outcome, where nothing else counts.
    worth: Option<[i32; 4]>,
    /// For each round of the state.
    rounds: Vec<Place>,
    /// By player's number.
    index_of: Vec<Index>,
    /// The kinds of round whose score the ruleset gives.
    scored: RoundKinds,
    table: Crosstable,
    /// Players at tables whose match does not count, or in a free round.
    voided: Vec<(RoundNumber, Index)>,
}

impl<'a> Builder<'a> {
    fn new(
        state: &'a Tournament,
        rules: &'a Ruleset,
        stage: Stage,
        until: RoundNumber,
    ) -> Result<Builder<'a>, FoldError> {
        let lines = lines_needed(rules, &sheets(state)?)?;
        let through = stage.through;
        let counts = |round: &Round| {
            let kind = state.phase_of(round).map_or(PhaseKind::Swiss, |phase| phase.kind);
            !round.withdrawn && round.number <= through && rules.counts(kind, round.phase)
        };
        let mut columns = 0..;
        let place = |round: &Round| {
            let sheet = state.scoresheet(round);
            let at = |line: &String| sheet.and_then(|sheet| line_at(sheet, line));
            let column = counts(round).then(|| columns.next()).flatten();
            Place { column, lines_at: lines.iter().map(at).collect() }
        };
        let places: Vec<Place> = state.rounds().iter().map(place).collect();
        let scale = Scale::of(rules)?;
        let entrants = entrants(state, until, stage);
        let mut index_of = vec![NOBODY; state.players().len() + 1];
        for (index, entrant) in (0..).zip(&entrants) {
            index_of[entrant.number as usize] = index;
        }
        let rounds = rounds(state, &places);
        let cells = entrants.len().saturating_mul(rounds.len());
        // A log from elsewhere may open any number of empty rounds.
        if cells.saturating_mul(lines.len() + 2) > MOST_WORDS {
            return Err(FoldError::TooLarge { what: "the number of players and rounds".into() });
        }
        let cells = Cells::with_capacity(entrants.len(), rounds.len(), lines.len());
        let table = Crosstable {
            stage,
            until,
            rounds,
            cells,
            points_den: scale.den,
            possible: scale.possible,
            entrants,
            lines,
            opponents: Vec::new(),
            won_final: None,
        };
        let kinds: Vec<RoundKind> = rules.scores.keys().copied().collect();
        Ok(Builder {
            state,
            rules,
            worth: scale.by_outcome().filter(|_| matches!(rules.outcome, OutcomeRule::Line(_))),
            scale,
            rounds: places,
            index_of,
            scored: RoundKinds::of(&kinds),
            table,
            voided: Vec::new(),
        })
    }

    #[inline]
    fn index(&self, player: PlayerNumber) -> Index {
        place_of(&self.index_of, player)
    }

    /// The rounds that count, by column, as positions among the state's.
    fn counted(&self) -> Vec<usize> {
        let rounds = self.rounds.iter().enumerate();
        rounds.filter(|(_, place)| place.column.is_some()).map(|(round, _)| round).collect()
    }

    /// Takes the matches of a round.
    fn take_matches(&mut self, round: usize) -> Result<(), FoldError> {
        let Some(column) = self.rounds[round].column else { return Ok(()) };
        self.table.cells.add_column();
        let matches = self.state.matches_of(round);
        let others: Vec<MatchView<'a>> = match self.duels(round, column) {
            Some(duels) => duels.take(matches),
            None => matches.collect(),
        };
        others.into_iter().try_for_each(|found| self.take_match(found, column))
    }

    /// The short way for tables of two, where the points go by the outcome alone, and the outcome
    /// by a line of each seat.
    fn duels(&mut self, round: usize, column: usize) -> Option<Duels<'_>> {
        let worth = self.worth?;
        let sheet = self.state.scoresheet(&self.state.rounds()[round])?;
        let cells = self.table.cells.column_mut(column);
        Duels::new(&self.index_of, worth, sheet, &self.rounds[round].lines_at, cells)
    }

    fn take_match(&mut self, found: MatchView<'_>, column: usize) -> Result<(), FoldError> {
        let seats = found.seats();
        let round = found.round().number;
        if is_void(found) {
            let indices = seats.iter().map(|seat| self.index(seat.player));
            let voided: Vec<(RoundNumber, Index)> = indices.map(|index| (round, index)).collect();
            self.voided.extend(voided);
            return Ok(());
        }
        // The outcome's line is the first that is kept, see `lines_needed`.
        let line = self.rounds[found.round_index()].lines_at.first().copied().flatten();
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
            let is_second = at == 1 && seats.len() == 2;
            let entry =
                PlayerRound { round, kind, outcome, opponents, is_second, opponent, points: 0 };
            let to = self.table.cells.at(player, column);
            self.write_values(found, at, kind, to);
            let scored = self.scored.contains(kind);
            self.write(column, player, entry, seat.ruling, found.grade(), scored)?;
        }
        Ok(())
    }

    /// Writes an entry with its points; its values stand there already.
    fn write(
        &mut self,
        column: usize,
        player: Index,
        entry: PlayerRound,
        ruling: Option<Ruling>,
        grade: Option<&str>,
        scored: bool,
    ) -> Result<(), FoldError> {
        let Crosstable { lines, cells, .. } = &self.table;
        let position = cells.at(player, column);
        let facts = Facts { entry: &entry, ruling, grade, lines, cells, position, scored };
        let points = self.scale.points(self.rules, &facts)?;
        let points = i32::try_from(points).map_err(|_| too_large())?;
        let PlayerRound { kind, outcome, opponents, is_second, opponent, .. } = entry;
        let cell = Cell { kind, outcome, opponents, is_second, opponent, points };
        self.table.cells.write(column, player, cell);
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
            [] => (NOBODY, 0),
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
        for (values, place) in self.table.cells.lines.iter_mut().zip(&self.rounds[round].lines_at) {
            values[to] = pair(score, *place, seat, seats);
        }
    }

    /// The values that a ruleset gives to a round without play.
    fn write_ruled(&mut self, rule: &RoundScore, round: &Round, to: usize) {
        for (line, name) in self.table.lines.iter().enumerate() {
            self.table.cells.lines[line][to] = match rule {
                RoundScore::Lines { own, against } => {
                    [own, against].map(|values| values.get(name).copied().unwrap_or(0))
                }
                RoundScore::CleanWin if self.is_games_line(name) => [self.clean_win(round), 0],
                RoundScore::CleanWin | RoundScore::AsReported => [0, 0],
            };
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
            player if missing::is_free_round(self.state, self.rules, bye) => {
                let round = self.state.rounds()[bye.round as usize].number;
                self.voided.push((round, player));
                Ok(())
            }
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
        let to = self.table.cells.at(player, column);
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
            is_second: false,
            opponent: NOBODY,
            points: 0,
        };
        self.write(column, player, entry, None, None, scored)
    }

    /// The last round in which somebody appears.
    fn last_round(&self) -> Option<RoundNumber> {
        let rounds = self.table.rounds.iter().zip(self.table.columns());
        let appears = |column: &Column<'_>| column.cells.iter().any(Option::is_some);
        rounds.filter(|(_, column)| appears(column)).map(|((round, ..), _)| *round).max()
    }

    /// Who won the final: a knock-out round of a single table that leaves nobody waiting.
    fn find_final(&self) -> Option<Index> {
        let last = self.last_round()?;
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
        (How::Forfeit | How::NoShow, Outcome::Win) => RoundKind::ForfeitWin,
        (How::Forfeit | How::NoShow, Outcome::Loss) => RoundKind::ForfeitLoss,
        _ if lost_all => RoundKind::DoubleLoss,
        _ => RoundKind::Played,
    }
}

/// The last round planned in a phase: by the plan, or the last one that was opened where that is a later one; without
/// a plan that one once the phase is over, and as long as it is not, none is the last.
fn planned_last(state: &Tournament, stage: Stage) -> RoundNumber {
    let rounds = || state.rounds().iter().filter(|round| !round.withdrawn);
    let before = rounds().filter(|round| round.phase < stage.phase).map(|round| round.number).max();
    let planned = state.planned_rounds(stage.phase.max(1));
    let phases = || state.phases().iter().filter(|phase| !phase.withdrawn);
    let is_over = state.is_closed()
        || phases().any(|phase| phase.number == stage.phase && phase.ended.is_some());
    let opened =
        rounds().filter(|round| round.phase == stage.phase).map(|round| round.number).max();
    match planned {
        Some(count) => before.unwrap_or(0).saturating_add(count).max(opened.unwrap_or(0)),
        None if is_over => opened.unwrap_or(0),
        None => RoundNumber::MAX,
    }
}

/// Everybody who takes part in a round up to `until`, or sits at a table or has a bye in one. Who
/// dropped has done so by `through`, who was disqualified by `until`.
fn entrants(state: &Tournament, until: RoundNumber, stage: Stage) -> Vec<Entrant> {
    let through = stage.through;
    let planned = planned_last(state, stage);
    let takes_part = |player: &Player| {
        let back = player.availability.iter().filter_map(|(_, change)| match *change {
            Availability::Reinstated(from) => Some(from.max(player.from_round)),
            Availability::Dropped(..) => None,
        });
        let mut comes = std::iter::once(player.from_round).chain(back);
        comes.any(|round| round <= until && player.takes_part_in(round))
    };
    let entrant = |player: &Player| {
        let out = player.dropped_by(until);
        let left_after = player.dropped_by(through).map(|(_, after)| after);
        Entrant {
            number: player.number,
            dropped: left_after.is_some(),
            left_after,
            dropped_early: left_after.is_some_and(|after| after < planned),
            disqualified: out.is_some_and(|(why, _)| why == DropReason::Disqualified),
        }
    };
    let players = state.players().iter().filter(|player| !player.withdrawn);
    let mut list: Vec<(Entrant, bool)> = Vec::with_capacity(state.players().len());
    list.extend(players.map(|one| (entrant(one), takes_part(one))));
    if list.iter().all(|(_, takes_part)| *takes_part) {
        return list.into_iter().map(|(entrant, _)| entrant).collect();
    }
    let mut seated = vec![false; state.players().len() + 1];
    let matches = state.matches().filter(|found| found.round().number <= until);
    let at_tables = matches.flat_map(|found| found.seats()).map(|seat| seat.player);
    let in_scope = |round: u32| state.rounds()[round as usize].number <= until;
    let byes = state.byes().filter(|bye| in_scope(bye.round)).map(|bye| bye.player);
    for player in at_tables.chain(byes) {
        if let Some(seated) = seated.get_mut(player as usize) {
            *seated = true;
        }
    }
    let within = |(one, takes_part): &(Entrant, bool)| *takes_part || seated[one.number as usize];
    list.into_iter().filter(within).map(|(entrant, _)| entrant).collect()
}

fn rounds(state: &Tournament, places: &[Place]) -> Vec<(RoundNumber, u16, u16)> {
    let rounds = state.rounds().iter().zip(places).filter(|(_, place)| place.column.is_some());
    rounds.map(|(round, _)| (round.number, round.weight.num, round.weight.den)).collect()
}

#[cfg(test)]
mod tests {
    use crate::crosstable::{Crosstable, FoldError, Scope};
    use crate::ruleset::Library;
    use scrutineer_engine::book::Commitment;
    use scrutineer_engine::event::*;
    use scrutineer_engine::tournament::Tournament;

    const NOBODY: Commitment = Commitment { number: 1, digest: [0; 32] };

    fn events(players: PlayerNumber, rounds: RoundNumber) -> Vec<Event> {
        let (name, unit) = ("games".into(), "games".into());
        let games = ScoreLine { name, per: Per::Seat, min: 0, max: 2, unit };
        let opened =
            TournamentOpened::new(NOBODY, Scoresheet { lines: vec![games], best_of: Some(3) });
        let enrolled = |player| PlayerEnrolled {
            sign_up: Some(player),
            ..PlayerEnrolled::new(player, NOBODY)
        };
        let empty = |round| {
            let weight = RoundWeight::ONE;
            RoundOpened { round, phase: 1, phase_round: round, weight, drawn: None }
        };
        let mut events: Vec<Event> = vec![opened.into()];
        events.extend((1..=players).map(|player| Event::from(enrolled(player))));
        events.extend((1..=rounds).map(|round| Event::from(empty(round))));
        events
    }

    #[test]
    fn a_log_with_rounds_without_end_is_refused_before_it_fills_the_memory() {
        let rules = Library::shipped().ruleset("mtr").expect("it is shipped");
        let table = |players, rounds| {
            Crosstable::of(&Tournament::of(&events(players, rounds)), &rules, Scope::FINAL)
        };
        assert_eq!(table(2_000, 64).expect("an ordinary size").len(), 2_000);
        let refused = table(30_000, 20_000).expect_err("600 million cells");
        assert!(matches!(refused, FoldError::TooLarge { .. }), "{refused}");
    }
}
