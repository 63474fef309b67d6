//! Who was knocked out of a bracket, and in which round.

use super::{Crosstable, outcomes};
use crate::ruleset::{Outcome, Ruleset};
use scrutineer_engine::event::{ByeKind, PhaseKind, PlayerNumber, RoundNumber};
use scrutineer_engine::tournament::{Player, Tournament};
use smallvec::SmallVec;

/// What a player did in the bracket.
#[derive(Clone, Default)]
struct Course {
    /// Whether they are of it at all.
    entered: bool,
    /// The last round that they entered; 0: none.
    last: RoundNumber,
    /// The rounds in which they lost.
    losses: SmallVec<[RoundNumber; 2]>,
    /// The last round in which they met somebody and nobody won; 0: none.
    undecided: RoundNumber,
}

impl Course {
    fn enters(&mut self, round: RoundNumber) {
        self.entered = true;
        self.last = self.last.max(round);
    }

    /// The round that put them out, where so many losses do.
    fn out(&self, lives: usize) -> Option<RoundNumber> {
        let mut losses = self.losses.clone();
        losses.sort_unstable();
        losses.get(lives - 1).copied()
    }
}

/// For each entrant the round that put them out of the bracket of the crosstable's phase: with their
/// first loss in single elimination, with their second in double elimination. Whoever goes on by
/// ruling did not lose, the others at the table did. Where a result of single elimination was put
/// right too late, whoever played on goes out where they lost then, and who should have played in
/// their place in the round that was put right. Who left goes out in the round after the one
/// in which they left, and who is missing once the phase is over in the one after their last; where
/// nobody had won that one, they went out in it. Who is still in has the round after the last one;
/// who never was in it has 0.
pub fn knocked_out(state: &Tournament, rules: &Ruleset, table: &Crosstable) -> Vec<RoundNumber> {
    let stage = table.stage;
    let lives = match stage.kind {
        PhaseKind::Elimination => 1,
        PhaseKind::DoubleElimination => 2,
        _ => return vec![0; table.len()],
    };
    let mut courses = vec![Course::default(); state.players().len() + 1];
    let phase = state.phase(stage.phase);
    if let Some(phase) = phase {
        state.field(phase).iter().for_each(|player| courses[*player as usize].entered = true);
    }
    let rounds = state.rounds().iter().filter(|round| !round.withdrawn);
    let rounds = rounds.filter(|round| round.phase == stage.phase).map(|round| round.number);
    let known = rounds.clone().filter(|number| *number <= stage.through).max();
    let (first, all) = (rounds.clone().min(), rounds.max());
    let mut decided: Vec<(RoundNumber, PlayerNumber, PlayerNumber)> = Vec::new();
    let is_of = |phase: u16, number| phase == stage.phase && number <= stage.through;
    for found in state.matches().filter(|m| is_of(m.round().phase, m.round().number)) {
        let round = found.round().number;
        let advanced = found.advanced();
        let outcomes = outcomes(state, rules, found);
        if let [first, second] = found.seats()
            && let Some(lost) = outcomes.iter().position(|outcome| *outcome == Outcome::Loss)
            && lives == 1
            && advanced.is_none()
        {
            let (first, second) = (first.player, second.player);
            let (winner, loser) = if lost == 0 { (second, first) } else { (first, second) };
            decided.push((round, winner, loser));
        }
        for (seat, outcome) in found.seats().iter().zip(outcomes) {
            let course = &mut courses[seat.player as usize];
            course.enters(round);
            if advanced.map_or(outcome == Outcome::Loss, |player| player != seat.player) {
                course.losses.push(round);
            }
            if advanced.is_none() && matches!(outcome, Outcome::Draw | Outcome::None) {
                course.undecided = course.undecided.max(round);
            }
        }
    }
    for bye in state.byes() {
        let round = &state.rounds()[bye.round as usize];
        if is_of(round.phase, round.number) {
            let course = &mut courses[bye.player as usize];
            course.enters(round.number);
            if bye.kind == ByeKind::AwardedLoss {
                course.losses.push(round.number);
            }
        }
    }
    // A result that was put right too late moves nobody: who played on is in it, in the place of who
    // should have.
    for (round, winner, loser) in decided {
        let stayed = state.player(winner).is_some_and(|p| p.dropped_by(stage.through).is_none());
        let last = |player: PlayerNumber| courses[player as usize].last;
        if stayed && last(winner) == round && last(loser) > round {
            courses[loser as usize].losses.retain(|lost| *lost != round);
            courses[winner as usize].losses.push(round);
        }
    }
    let is_last = state.phases().iter().rev().find(|p| !p.withdrawn).map(|p| p.number);
    let ended = phase.is_some_and(|phase| phase.ended.is_some());
    let closed = state.is_closed() || is_last != Some(stage.phase);
    let over = known == all && (ended || closed);
    let last = known.unwrap_or(stage.through.min(state.last_round().map_or(0, |r| r.number)));
    let of = |player: &Player| {
        let course = &courses[player.number as usize];
        if !course.entered {
            return 0;
        }
        // Who sat at no table of the bracket went out in its first round, not in the tournament's.
        let reached = course.last.max(first.map_or(0, |first| first - 1));
        let left = player.dropped_by(stage.through).map(|(_, after)| after.max(reached) + 1);
        let lost_place = course.undecided > 0 && course.undecided == course.last;
        let out_in = if lost_place { reached } else { reached + 1 };
        let missing = (over && reached < last).then_some(out_in);
        let out = [course.out(lives), left, missing].into_iter().flatten().min();
        out.unwrap_or(RoundNumber::MAX).min(last + 1)
    };
    let players = table.entrants.iter().map(|entrant| state.player(entrant.number));
    players.map(|player| player.map_or(0, of)).collect()
}
