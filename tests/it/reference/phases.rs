//! The phases: who belongs to which, and who went out of a bracket when.

use super::Field;
use super::facts::{Facts, Phase, Player, Round, Table};
use super::rounds::outcome;
use scrutineer_engine::event::*;
use scrutineer_projections::ruleset::{Outcome, Ruleset};

/// A phase as standings know it, up to and with a round.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// None where no phase was ever started.
    pub phase: Option<&'a Phase>,
    pub through: RoundNumber,
}

impl Known<'_> {
    pub fn number(&self) -> u16 {
        self.phase.map_or(0, |phase| phase.number)
    }

    pub fn is_bracket(&self) -> bool {
        let kind = self.phase.map(|phase| phase.kind);
        matches!(kind, Some(PhaseKind::Elimination | PhaseKind::DoubleElimination))
    }
}

fn rounds_of<'a>(
    facts: &'a Facts,
    phase: &Phase,
    through: RoundNumber,
) -> impl Iterator<Item = &'a Round> {
    let number = phase.number;
    facts.rounds.iter().filter(move |round| round.phase == number && round.number <= through)
}

/// "A phase is known from its start on; where the standings after a round are asked for, from its
/// first round on." The first phase is always known.
pub fn known(facts: &Facts, through: Option<RoundNumber>) -> Vec<Known<'_>> {
    let scope = through.unwrap_or(RoundNumber::MAX);
    let mut known: Vec<Known<'_>> = Vec::new();
    for phase in &facts.phases {
        let last = rounds_of(facts, phase, scope).map(|round| round.number).max();
        if through.is_some() && last.is_none() && !known.is_empty() {
            continue;
        }
        let before = known.last().map_or(0, |one| one.through);
        known.push(Known { phase: Some(phase), through: last.unwrap_or(before) });
    }
    if known.is_empty() {
        known.push(Known { phase: None, through: scope });
    }
    known.last_mut().expect("there is one").through = scope;
    known
}

fn appears(round: &Round, player: PlayerNumber) -> bool {
    round.tables.iter().any(|table| table.seats.contains(&player))
        || round.byes.iter().any(|bye| bye.player == player)
}

/// "They belong to the last phase that they entered: as one of its entrants, or by a table or a bye
/// in one of its rounds. Everybody entered the first."
pub fn last_entered(facts: &Facts, known: &[Known<'_>], player: PlayerNumber) -> usize {
    let entered = |one: &Known<'_>| {
        let Some(phase) = one.phase else { return false };
        phase.entrants.contains(&player)
            || rounds_of(facts, phase, one.through).any(|round| appears(round, player))
    };
    known.iter().rposition(entered).unwrap_or(0)
}

/// The rounds of the bracket in which a player lost.
fn losses(rules: &Ruleset, rounds: &[&Round], player: PlayerNumber) -> Vec<RoundNumber> {
    let mut lost = Vec::new();
    for round in rounds {
        for table in round.tables.iter().filter(|table| table.seats.contains(&player)) {
            let seat =
                table.seats.iter().position(|other| *other == player).expect("he sits there");
            let loses = match (table.advanced, &table.result) {
                (Some(advanced), _) => advanced != player,
                (None, Some(result)) => outcome(rules, round, table, result, seat) == Outcome::Loss,
                (None, None) => false,
            };
            if loses {
                lost.push(round.number);
            }
        }
        let given = |bye: &&ByeGiven| bye.player == player && bye.kind == ByeKind::AwardedLoss;
        lost.extend(round.byes.iter().filter(given).map(|_| round.number));
    }
    lost
}

/// Whether a player sat at a table of this round that nobody won and from which nobody was advanced.
fn nobody_won(rules: &Ruleset, round: &Round, player: PlayerNumber) -> bool {
    let mut tables = round.tables.iter().filter(|table| table.seats.contains(&player));
    tables.any(|table| {
        let won = |result, seat| outcome(rules, round, table, result, seat) == Outcome::Win;
        let seats = 0..table.seats.len();
        let is_won = |result| seats.clone().any(|seat| won(result, seat));
        table.advanced.is_none() && !table.result.as_ref().is_some_and(is_won)
    })
}

/// The winner and the loser of a player's match of two in a round, where nobody was advanced.
fn duel(
    field: &Field<'_>,
    rounds: &[&Round],
    number: RoundNumber,
    player: PlayerNumber,
) -> Option<(PlayerNumber, PlayerNumber)> {
    let round = rounds.iter().find(|round| round.number == number)?;
    let is_his = |table: &&Table| table.seats.contains(&player) && table.advanced.is_none();
    let table = round.tables.iter().find(is_his)?;
    let (result, &[first, second]) = (table.result.as_ref()?, &table.seats[..]) else {
        return None;
    };
    let loses = |seat| outcome(field.rules, round, table, result, seat) == Outcome::Loss;
    match (loses(0), loses(1)) {
        (true, _) => Some((second, first)),
        (_, true) => Some((first, second)),
        _ => None,
    }
}

/// "A result that was put right too late": the loser played on, and the winner, who is here, did not.
fn is_swapped(
    field: &Field<'_>,
    rounds: &[&Round],
    number: RoundNumber,
    (winner, loser): (PlayerNumber, PlayerNumber),
) -> bool {
    let later = |player| rounds.iter().any(|r| r.number > number && appears(r, player));
    let here = |player| {
        let all = &field.facts.players;
        all.iter().any(|p| p.number == player && p.left_after(field.known.through).is_none())
    };
    later(loser) && !later(winner) && here(winner)
}

/// Whether a player who lost in a round of single elimination played on all the same.
fn went_on(field: &Field<'_>, rounds: &[&Round], number: RoundNumber, player: &Player) -> bool {
    let found = duel(field, rounds, number, player.number);
    found.is_some_and(|duel| duel.1 == player.number && is_swapped(field, rounds, number, duel))
}

/// Whether a player won in a round of single elimination, and somebody else played on.
fn was_replaced(
    field: &Field<'_>,
    rounds: &[&Round],
    number: RoundNumber,
    player: &Player,
) -> bool {
    let found = duel(field, rounds, number, player.number);
    found.is_some_and(|duel| duel.0 == player.number && is_swapped(field, rounds, number, duel))
}

/// The fact `knocked_out`.
pub fn knocked_out(field: &Field<'_>, player: &Player) -> RoundNumber {
    let facts = field.facts;
    let Some(phase) = field.known.phase.filter(|_| field.known.is_bracket()) else { return 0 };
    let through = field.known.through;
    let mut rounds: Vec<&Round> = rounds_of(facts, phase, through).collect();
    rounds.sort_by_key(|round| round.number);
    let own: Vec<RoundNumber> =
        rounds.iter().filter(|r| appears(r, player.number)).map(|round| round.number).collect();
    if own.is_empty() && !phase.entrants.contains(&player.number) {
        return 0;
    }
    let before = facts.rounds.iter().map(|round| round.number).filter(|number| *number <= through);
    let last = rounds.last().map(|round| round.number).or(before.max()).unwrap_or(0);
    // "Who sat at no table of the bracket went out in its first round."
    let first = rounds_of(facts, phase, RoundNumber::MAX).map(|round| round.number).min();
    let own_last = own.last().copied().or(first.map(|first| first - 1)).unwrap_or(0);
    let lives = if phase.kind == PhaseKind::Elimination { 1 } else { 2 };
    let mut out = vec![last + 1];
    let lost = losses(field.rules, &rounds, player.number);
    let lost =
        lost.into_iter().filter(|round| lives > 1 || !went_on(field, &rounds, *round, player));
    out.extend(lost.collect::<Vec<_>>().get(lives - 1));
    if lives == 1 {
        out.extend(
            own.iter().copied().filter(|round| was_replaced(field, &rounds, *round, player)),
        );
    }
    if let Some(after) = player.left_after(through) {
        out.push(after.max(own_last) + 1);
    }
    let all_known = rounds.len() == rounds_of(facts, phase, RoundNumber::MAX).count();
    let is_last = facts.phases.last().is_some_and(|other| other.number == phase.number);
    let over = all_known && (phase.ended || facts.closed || !is_last);
    if over && own_last < last {
        // "Or in that one if nobody won it."
        let undecided = rounds
            .iter()
            .any(|round| round.number == own_last && nobody_won(field.rules, round, player.number));
        out.push(if undecided { own_last } else { own_last + 1 });
    }
    out.into_iter().min().expect("the list is never empty")
}
