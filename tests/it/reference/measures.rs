//! The measures: every value by the sentence of the document that defines it.

use super::facts::{Facts, Player};
use super::phases::{Known, knocked_out};
use super::rounds::{OwnRound, counted, of_every_player as rounds_of_all};
use super::{Field, big, whole};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use scrutineer_engine::event::{PhaseKind, PlayerNumber, UnknownFact};
use scrutineer_projections::ratio::Fraction;
use scrutineer_projections::ruleset::*;
use std::collections::BTreeMap;

/// Values by player and id of the measure.
pub type Values = BTreeMap<PlayerNumber, BTreeMap<String, BigRational>>;

pub fn of_every_player(field: &Field<'_>) -> Values {
    let mut values: Values = field.rounds.keys().map(|player| (*player, BTreeMap::new())).collect();
    let is_as_drawn = |measure: &Measure| matches!(measure.formula, Formula::AsDrawn(_));
    let asks = !field.looks_back && field.rules.measures.iter().any(is_as_drawn);
    let drawn = asks.then(|| of_every_player(&last_round_drawn(field)));
    for (at, measure) in field.rules.measures.iter().enumerate() {
        if !known(field, at) {
            continue;
        }
        for player in field.rounds.keys() {
            let raw = match (&measure.formula, &drawn) {
                (Formula::AsDrawn(of), Some(drawn)) => {
                    drawn[player][&field.rules.measures[*of].id].clone()
                }
                _ => raw(field, &values, measure, *player),
            };
            let value = finished(field, measure, *player, raw);
            values.entry(*player).or_default().insert(measure.id.clone(), value);
        }
    }
    values
}

/// Whether the tournament holds what a measure needs.
fn known(field: &Field<'_>, measure: usize) -> bool {
    match &field.rules.measures[measure].formula {
        Formula::Total(total) => match &total.of {
            Quantity::GamePoints | Quantity::PossibleGamePoints => {
                let games = field.rules.games.as_ref().expect("a measure of games has [games]");
                has_line(field, &games.line)
            }
            Quantity::Line(line) | Quantity::Against(line) | Quantity::Margin(line) => {
                has_line(field, line)
            }
            _ => true,
        },
        Formula::Ratio { num, den } => known(field, *num) && known(field, *den),
        Formula::SumOf(parts) => parts.iter().all(|(part, _)| known(field, *part)),
        Formula::Opponents(opponents) => {
            let weighs = match opponents.weight {
                OpponentWeight::Total(total) => known(field, total),
                _ => true,
            };
            weighs && known(field, opponents.of)
        }
        Formula::AsLeft(of) | Formula::AsDrawn(of) => known(field, *of),
        Formula::Performance(spec) => known(field, spec.of),
        Formula::Fact(Fact::SignUp) => {
            let mut players = field.facts.players.iter();
            let entrant = |player: &Player| field.rounds.contains_key(&player.number);
            players.all(|player| player.sign_up.is_some() || !entrant(player))
        }
        Formula::Fact(Fact::Seed) => !field.facts.unknown.contains(&UnknownFact::Seeds),
        Formula::Fact(_) => true,
    }
}

/// Whether the event's slip has a line, or a phase's own.
fn has_line(field: &Field<'_>, line: &str) -> bool {
    let of_phases = field.facts.phases.iter().filter_map(|phase| phase.sheet.as_ref());
    let mut sheets = of_phases.chain([&field.facts.sheet]);
    sheets.any(|sheet| sheet.lines.iter().any(|held| held.name == line))
}

/// The value before floor, cap and rounding.
fn raw(field: &Field<'_>, values: &Values, measure: &Measure, player: PlayerNumber) -> BigRational {
    let value = |at: usize| values[&player][&field.rules.measures[at].id].clone();
    match &measure.formula {
        Formula::Total(total) => sum_over_rounds(field, total, player),
        Formula::Ratio { num, den } if value(*den).is_zero() => {
            let _ = num;
            big(measure.when_empty)
        }
        Formula::Ratio { num, den } => value(*num) / value(*den),
        Formula::SumOf(parts) => {
            parts.iter().map(|(part, factor)| value(*part) * big(*factor)).sum()
        }
        Formula::Opponents(of) => over_opponents(field, values, measure, of, player),
        Formula::Fact(fact) => fact_of(field, *fact, player).map_or(big(measure.when_empty), whole),
        Formula::Performance(spec) => {
            performance(field, values, *spec, player).map_or(big(measure.when_empty), whole)
        }
        Formula::AsLeft(of) => as_left(field, *of, player).unwrap_or_else(|| value(*of)),
        // Nothing that is looked back at asks for it.
        Formula::AsDrawn(of) => value(*of),
    }
}

/// FIDE C.07, 10.2 and 10.3, straight from its tables: for each hundredth of a point the difference of ratings,
/// and for each difference what is expected.
fn performance(
    field: &Field<'_>,
    values: &Values,
    spec: Performance,
    player: PlayerNumber,
) -> Option<i64> {
    let id = &field.rules.measures[spec.of].id;
    let rating = |number: PlayerNumber| -> Option<i64> {
        let value: i64 = values[&number][id].round().to_integer().try_into().ok()?;
        (1..=100_000).contains(&value).then_some(value)
    };
    let board = |round: &&OwnRound| {
        matches!(round.kind, RoundKind::Played | RoundKind::DoubleLoss)
            && round.opponents.len() == 1
    };
    let (mut ratings, mut doubled) = (Vec::new(), 0);
    for round in field.rounds[&player].iter().filter(board) {
        let Some(other) = rating(round.opponents[0]) else { continue };
        ratings.push(other);
        doubled += match round.outcome {
            Outcome::Win => 2,
            Outcome::Draw => 1,
            _ => 0,
        };
    }
    let games = ratings.len() as i64;
    if games == 0 {
        return None;
    }
    let steps = [
        3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153,
        162, 170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344,
        357, 374, 391, 411, 432, 456, 484, 517, 559, 619, 735,
    ];
    if spec.by == PerformanceBy::Perfect {
        let lowest = ratings.iter().min().expect("one game") - 800;
        if doubled == 0 {
            return Some(lowest);
        }
        let expected = |own: i64| -> i64 {
            let against = |other: &i64| {
                let gap = own - other;
                let above = steps.iter().filter(|last| gap.abs() > **last).count() as i64;
                if gap >= 0 { 50 + above } else { 50 - above }
            };
            ratings.iter().map(against).sum()
        };
        // Who is expected to score more never has the lower rating.
        let tried: Vec<i64> = (lowest..=ratings.iter().max().expect("one game") + 800).collect();
        return tried.get(tried.partition_point(|own| expected(*own) < doubled * 50)).copied();
    }
    let exact = BigRational::new(ratings.iter().sum::<i64>().into(), games.into());
    let mean: i64 = (exact + whole(1) / whole(2)).floor().to_integer().try_into().ok()?;
    if spec.by == PerformanceBy::Mean {
        return Some(mean);
    }
    let share = BigRational::new((doubled * 100).into(), (games * 2).into());
    let share: i64 = share.round().to_integer().try_into().ok()?;
    let table = [
        0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149,
        158, 166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336,
        351, 366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800,
    ];
    let adds = table[(share - 50).unsigned_abs() as usize];
    Some(if share >= 50 { mean + adds } else { mean - adds })
}

/// "As if everybody at a table of the last round that counts had drawn there": games that were played,
/// forfeited or have no result yet; who has no opponent keeps what they have.
fn last_round_drawn<'a>(field: &'a Field<'a>) -> Field<'a> {
    let (facts, rules, until, through) = (field.facts, field.rules, field.until, field.through);
    let last = counted(facts, rules, through).map(|round| round.number).max();
    let mut rounds = field.rounds.clone();
    for own in rounds.values_mut().flatten().filter(|own| Some(own.number) == last) {
        use RoundKind::*;
        if matches!(own.kind, Played | ForfeitWin | ForfeitLoss | DoubleLoss | Unfinished) {
            (own.kind, own.outcome) = (Played, Outcome::Draw);
            own.points = big(rules.points.outcome.draw);
            own.own.clear();
            own.against.clear();
        }
    }
    Field { facts, rules, known: field.known, through, until, rounds, looks_back: true }
}

/// The value once the round was over after which they left, where there were later ones.
fn as_left(field: &Field<'_>, of: usize, player: PlayerNumber) -> Option<BigRational> {
    let entrant = field.facts.players.iter().find(|other| other.number == player)?;
    let through = entrant.left_after(field.through).filter(|_| !field.looks_back)?;
    let (facts, rules, until) = (field.facts, field.rules, field.until);
    let rounds = rounds_of_all(facts, rules, through, until);
    let known = Known { through, ..field.known };
    let then = Field { facts, rules, known, through, until, rounds, looks_back: true };
    Some(of_every_player(&then)[&player][&rules.measures[of].id].clone())
}

/// "Before the last planned round": by the plan or the rounds beyond it, else by those of a phase that is over.
fn dropped_early(field: &Field<'_>, player: &Player) -> bool {
    let Some(after) = player.left_after(field.through) else { return false };
    let phase = field.known.number();
    let numbers = |of: &dyn Fn(u16) -> bool| {
        let rounds = field.facts.rounds.iter().filter(|round| of(round.phase));
        rounds.map(|round| round.number).max().unwrap_or(0)
    };
    let ended = field.facts.closed || field.known.phase.is_some_and(|phase| phase.ended);
    let plan = &field.facts.plan;
    match plan.get(usize::from(phase.max(1)) - 1).and_then(|planned| planned.rounds) {
        Some(count) => after < (numbers(&|of| of < phase) + count).max(numbers(&|of| of == phase)),
        None => !ended || after < numbers(&|of| of == phase),
    }
}

fn finished(
    field: &Field<'_>,
    measure: &Measure,
    player: PlayerNumber,
    value: BigRational,
) -> BigRational {
    let mut entrants = field.facts.players.iter().filter(|other| other.number == player);
    let entrant = entrants.next();
    let early = entrant.is_some_and(|entrant| dropped_early(field, entrant));
    let dropped = entrant.is_some_and(|entrant| entrant.left(field.through).is_some());
    bounded(measure, value, [dropped, early])
}

/// Floor, caps and rounding, in this order.
pub fn bounded(measure: &Measure, value: BigRational, [dropped, early]: [bool; 2]) -> BigRational {
    let mut value = within(value, measure.floor, measure.cap);
    if dropped {
        value = within(value, None, measure.cap_if_dropped);
    }
    if early {
        value = within(value, None, measure.cap_if_dropped_early);
    }
    rounded(value, measure.round)
}

fn within(value: BigRational, least: Option<Fraction>, most: Option<Fraction>) -> BigRational {
    let value = least.map_or(value.clone(), |least| value.max(big(least)));
    most.map_or(value.clone(), |most| value.min(big(most)))
}

fn rounded(value: BigRational, rounding: Option<Rounding>) -> BigRational {
    let Some(rounding) = rounding else { return value };
    let scale = whole(BigInt::from(10).pow(rounding.digits));
    let scaled = value * &scale;
    let away = |from: BigRational| if from.is_negative() { from.floor() } else { from.ceil() };
    let steps = match rounding.mode {
        RoundingMode::Down => scaled.trunc(),
        RoundingMode::HalfUp => scaled.round(),
        RoundingMode::HalfEven => {
            let (down, up) = (scaled.floor(), scaled.ceil());
            let half = &down + whole(1) / whole(2);
            let even = |value: &BigRational| (value / whole(2)).is_integer();
            match scaled.cmp(&half) {
                std::cmp::Ordering::Less => down,
                std::cmp::Ordering::Greater => up,
                std::cmp::Ordering::Equal if even(&down) => down,
                std::cmp::Ordering::Equal => up,
            }
        }
        RoundingMode::Up => away(scaled),
    };
    steps / scale
}

fn sum_over_rounds(field: &Field<'_>, total: &Total, player: PlayerNumber) -> BigRational {
    let rounds = &field.rounds[&player];
    let mut sum = BigRational::zero();
    for (at, round) in rounds.iter().enumerate() {
        let skipped = total.byes == Byes::Skip && round.kind.is_bye();
        if skipped || !counts(total, round) {
            continue;
        }
        let mut value = if total.byes == Byes::Average && round.kind.is_bye() {
            average(field, total, rounds)
        } else if total.last_requested_byes_draw && requested_at_the_end(rounds, at) {
            big(field.rules.points.outcome.draw)
        } else {
            quantity(field, &total.of, rounds, at)
        };
        value = within(value, total.each_at_least, total.each_at_most);
        if let Some(decay) = total.decay {
            let later = rounds[at + 1..].iter().filter(|r| r.kind != RoundKind::Unfinished);
            for _ in later {
                value *= big(decay);
            }
        }
        sum += value;
    }
    sum
}

/// What one round adds to a total.
pub fn of_round(field: &Field<'_>, total: &Total, rounds: &[OwnRound], at: usize) -> BigRational {
    match counts(total, &rounds[at]) && !(total.byes == Byes::Skip && rounds[at].kind.is_bye()) {
        true => quantity(field, &total.of, rounds, at),
        false => BigRational::zero(),
    }
}

/// Whether a round is of the kinds and outcomes that a total looks at.
fn counts(total: &Total, round: &OwnRound) -> bool {
    total.kinds.contains(round.kind) && total.outcomes.contains(round.outcome)
}

/// The player's mean over the rounds that they played.
fn average(field: &Field<'_>, total: &Total, rounds: &[OwnRound]) -> BigRational {
    let mut sum = BigRational::zero();
    let mut rounds_played = 0;
    for (at, round) in rounds.iter().enumerate() {
        let played = matches!(round.kind, RoundKind::Played | RoundKind::DoubleLoss);
        if played && counts(total, round) {
            sum += quantity(field, &total.of, rounds, at);
            rounds_played += 1;
        }
    }
    let mean = if rounds_played == 0 { BigRational::zero() } else { sum / whole(rounds_played) };
    rounded(mean, total.average_rounding)
}

/// A half or zero bye that nothing follows but rounds which they chose not to play.
fn requested_at_the_end(rounds: &[OwnRound], at: usize) -> bool {
    let requested = |r: &OwnRound| matches!(r.kind, RoundKind::HalfBye | RoundKind::ZeroBye);
    let by_choice = |r: &OwnRound| requested(r) || r.kind == RoundKind::ForfeitLoss;
    requested(&rounds[at]) && rounds[at..].iter().all(by_choice)
}

fn quantity(field: &Field<'_>, of: &Quantity, rounds: &[OwnRound], at: usize) -> BigRational {
    let round = &rounds[at];
    let number = i64::from(round.number);
    match of {
        Quantity::Points => round.points.clone(),
        Quantity::PossiblePoints => big(field.rules.points.possible),
        Quantity::Rounds => whole(1),
        Quantity::RoundNumber => whole(number),
        Quantity::RoundNumberSquared => whole(number * number),
        Quantity::RoundWeight => round.weight.clone(),
        Quantity::SecondSeat => whole(i64::from(round.second_of_two)),
        Quantity::RunningPoints => rounds[..=at].iter().map(|earlier| &earlier.points).sum(),
        Quantity::GamePoints => {
            let [own, against, drawn] = games(field, round);
            let games = field.rules.games.as_ref().expect("a measure of games has [games]");
            let worth = &games.outcome;
            own * big(worth.win) + against * big(worth.loss) + drawn * big(worth.draw)
        }
        Quantity::PossibleGamePoints => {
            let [own, against, drawn] = games(field, round);
            let games = field.rules.games.as_ref().expect("a measure of games has [games]");
            (own + against + drawn) * big(games.outcome.win)
        }
        Quantity::Line(line) => whole(round.own(line)),
        Quantity::Against(line) => whole(round.against(line)),
        Quantity::Margin(line) => whole(round.own(line) - round.against(line)),
    }
}

/// Games won, lost and drawn.
fn games(field: &Field<'_>, round: &OwnRound) -> [BigRational; 3] {
    let games = field.rules.games.as_ref().expect("a measure of games has [games]");
    // What `[scores]` says of a line that no slip has counts nothing.
    let drawn = if has_line(field, &games.drawn) { round.own(&games.drawn) } else { 0 };
    [round.own(&games.line), round.against(&games.line), drawn].map(whole)
}

/// What one opponent, or a stand-in for them, adds.
struct Contribution {
    /// Their value.
    value: BigRational,
    /// Their value times the weight.
    adds: BigRational,
    weight: BigRational,
    /// Whether the player did not play that round by their own choice.
    voluntary: bool,
}

fn over_opponents(
    field: &Field<'_>,
    values: &Values,
    measure: &Measure,
    spec: &Opponents,
    player: PlayerNumber,
) -> BigRational {
    let mut list = contributions(field, values, spec, player);
    for _ in 0..spec.lowest_dropped {
        drop_lowest(spec, &mut list);
    }
    for _ in 0..spec.highest_dropped {
        if let Some(at) = (0..list.len()).max_by_key(|at| &list[*at].adds) {
            list.remove(at);
        }
    }
    let sum: BigRational = list.iter().map(|one| &one.adds).sum();
    if spec.combine == Combine::Sum {
        return sum;
    }
    let rounds = &field.rounds[&player];
    let finished = rounds.iter().filter(|round| round.kind != RoundKind::Unfinished);
    let divisor = match spec.weight {
        OpponentWeight::RoundWeight => list.iter().map(|one| &one.weight).sum(),
        _ if spec.divide_by_rounds => whole(finished.count()),
        _ => whole(list.len()),
    };
    if divisor.is_zero() { big(measure.when_empty) } else { sum / divisor }
}

fn contributions(
    field: &Field<'_>,
    values: &Values,
    spec: &Opponents,
    player: PlayerNumber,
) -> Vec<Contribution> {
    let id = &field.rules.measures[spec.of].id;
    let rounds = &field.rounds[&player];
    let mut list = Vec::new();
    let mut met = Vec::new();
    for (at, round) in rounds.iter().enumerate() {
        let weighted = |value| weighted(field, spec, (rounds, at), value);
        if let Some(dummy) = dummy(field, values, spec, player, round) {
            list.push(weighted(dummy));
            continue;
        }
        for opponent in opponents_counted(spec, round) {
            if spec.repeats == Repeats::Once && met.contains(opponent) {
                continue;
            }
            met.push(*opponent);
            list.push(weighted(values[opponent][id].clone()));
        }
        if let Some((opponents, value)) = spec.bye_as
            && spec.bye_kinds.contains(round.kind)
        {
            for _ in 0..opponents {
                list.push(weighted(big(value)));
            }
        }
    }
    list
}

fn opponents_counted<'a>(spec: &Opponents, round: &'a OwnRound) -> &'a [PlayerNumber] {
    use RoundKind::*;
    match round.kind {
        Played | DoubleLoss => &round.opponents,
        ForfeitWin | ForfeitLoss if spec.unplayed == Unplayed::Skip => &round.opponents,
        _ => &[],
    }
}

fn weighted(
    field: &Field<'_>,
    spec: &Opponents,
    (rounds, at): (&[OwnRound], usize),
    value: BigRational,
) -> Contribution {
    let round = &rounds[at];
    let value = within(value, spec.each_at_least, spec.each_at_most);
    let weight = match spec.weight {
        OpponentWeight::None => whole(1),
        OpponentWeight::Points => round.points.clone(),
        OpponentWeight::RoundWeight => round.weight.clone(),
        OpponentWeight::Total(by) => match &field.rules.measures[by].formula {
            Formula::Total(total) => of_round(field, total, rounds, at),
            _ => unreachable!("a weight is a total"),
        },
    };
    use RoundKind::*;
    Contribution {
        adds: &value * &weight,
        value,
        weight,
        voluntary: matches!(round.kind, HalfBye | ZeroBye | ForfeitLoss),
    }
}

/// The value of the dummy opponent of a round without play, where there is one.
fn dummy(
    field: &Field<'_>,
    values: &Values,
    spec: &Opponents,
    player: PlayerNumber,
    round: &OwnRound,
) -> Option<BigRational> {
    use RoundKind::*;
    if matches!(spec.unplayed, Unplayed::Skip | Unplayed::SkipForfeits)
        || matches!(round.kind, Played | DoubleLoss | Unfinished)
    {
        return None;
    }
    let own: BigRational = field.rounds[&player].iter().map(|round| &round.points).sum();
    if spec.unplayed == Unplayed::Dummy {
        return Some(own);
    }
    let most = match round.opponents.first() {
        Some(scheduled) => values[scheduled][&field.rules.measures[spec.of].id].clone(),
        None => {
            let rounds = counted(field.facts, field.rules, field.through).count();
            whole(rounds) * big(field.rules.points.possible) / whole(2)
        }
    };
    Some(own.min(most))
}

/// One of the lowest is left out; with dummies by article 16.5.
fn drop_lowest(spec: &Opponents, list: &mut Vec<Contribution>) {
    let all = 0..list.len();
    let dummies = matches!(spec.unplayed, Unplayed::Dummy | Unplayed::DummyCapped);
    let candidate = if dummies {
        let lowest_opponent = all.clone().min_by_key(|at| (&list[*at].value, &list[*at].adds));
        let voluntary = all.filter(|at| list[*at].voluntary).min_by_key(|at| &list[*at].adds);
        let adds = |at: Option<usize>| at.map(|at| &list[at].adds);
        if adds(voluntary) > adds(lowest_opponent) { voluntary } else { lowest_opponent }
    } else {
        all.min_by_key(|at| &list[*at].adds)
    };
    if let Some(at) = candidate {
        list.remove(at);
    }
}

/// A fact; none where the player has no such number.
fn fact_of(field: &Field<'_>, fact: Fact, player: PlayerNumber) -> Option<i64> {
    let facts: &Facts = field.facts;
    let entrant = facts.players.iter().find(|other| other.number == player);
    let entrant = entrant.expect("a player with rounds is enrolled");
    Some(match fact {
        Fact::SignUp => i64::from(entrant.sign_up.unwrap_or(0)),
        Fact::SeedIfKnown if field.facts.unknown.contains(&UnknownFact::Seeds) => 0,
        Fact::Seed | Fact::SeedIfKnown => {
            let entrants = field.known.phase.map_or(&[][..], |phase| &phase.entrants);
            entrants.iter().position(|other| *other == player).map_or(0, |at| at as i64 + 1)
        }
        Fact::Late => i64::from(entrant.from_round > 1),
        Fact::Rating => i64::from(entrant.rating?),
        Fact::FurthestRound => {
            field.rounds[&player].last().map_or(0, |round| i64::from(round.number))
        }
        Fact::WonFinal => i64::from(winner_of_the_final(field) == Some(player)),
        Fact::KnockedOut => i64::from(knocked_out(field, entrant)),
    })
}

/// The final is the last knock-out round that anybody entered, if it is a single table that leaves
/// nobody waiting.
fn winner_of_the_final(field: &Field<'_>) -> Option<PlayerNumber> {
    let everybodys =
        || field.rounds.iter().flat_map(|(player, own)| own.iter().map(move |r| (player, r)));
    let last = everybodys().map(|(_, own)| own.number).max()?;
    let in_last: Vec<(&PlayerNumber, &OwnRound)> =
        everybodys().filter(|(_, own)| own.number == last).collect();
    let round = field.facts.rounds.iter().find(|round| round.number == last)?;
    let knock_out = matches!(round.kind, PhaseKind::Elimination | PhaseKind::DoubleElimination);
    let single_table =
        in_last.len() == 2 && in_last.iter().all(|(_, own)| own.opponents.len() == 1);
    if !knock_out || !single_table {
        return None;
    }
    let won = in_last.iter().find(|(_, own)| own.outcome == Outcome::Win);
    let advanced = round.tables.iter().find_map(|table| table.advanced);
    advanced.or_else(|| won.map(|(player, _)| **player))
}
