//! A player's rounds: what each was, how it came out and what it is worth.

use super::facts::{Facts, Player, Round, Table};
use super::{big, whole};
use num_rational::BigRational;
use num_traits::Zero;
use scrutineer_engine::event::*;
use scrutineer_projections::ruleset::*;
use std::collections::BTreeMap;

/// One round of one player.
#[derive(Clone)]
pub struct OwnRound {
    pub number: RoundNumber,
    pub kind: RoundKind,
    pub outcome: Outcome,
    pub points: BigRational,
    pub weight: BigRational,
    pub opponents: Vec<PlayerNumber>,
    /// Whether they sat second at a table of two.
    pub second_of_two: bool,
    /// The player's value of each score line; for a table line the table's.
    pub own: BTreeMap<String, i64>,
    /// The opponents' value of each score line, of several opponents their sum.
    pub against: BTreeMap<String, i64>,
}

impl OwnRound {
    pub fn own(&self, line: &str) -> i64 {
        self.own.get(line).copied().unwrap_or(0)
    }

    pub fn against(&self, line: &str) -> i64 {
        self.against.get(line).copied().unwrap_or(0)
    }
}

/// The rounds that count: those of the ruleset's phases, up to and with `through`.
pub fn counted<'a>(
    facts: &'a Facts,
    rules: &'a Ruleset,
    through: RoundNumber,
) -> impl Iterator<Item = &'a Round> {
    facts
        .rounds
        .iter()
        .filter(move |round| rules.phases.contains(&round.kind) && round.number <= through)
        .filter(move |round| {
            let bracket =
                matches!(round.kind, PhaseKind::Elimination | PhaseKind::DoubleElimination);
            !(rules.cut_for_places_only && bracket && round.phase > 1)
        })
}

pub fn of_every_player(
    facts: &Facts,
    rules: &Ruleset,
    through: RoundNumber,
    until: RoundNumber,
) -> BTreeMap<PlayerNumber, Vec<OwnRound>> {
    let mut all = BTreeMap::new();
    for player in facts.players.iter().filter(|player| player.is_entrant(facts, until)) {
        let mut own = Vec::new();
        for round in counted(facts, rules, through) {
            own.extend(own_round(rules, player, round));
        }
        own.sort_by_key(|round| round.number);
        all.insert(player.number, own);
    }
    all
}

/// What a round was for a player; none where it was no round of theirs at all.
fn own_round(rules: &Ruleset, player: &Player, round: &Round) -> Option<OwnRound> {
    let seated = round.tables.iter().find(|table| table.seats.contains(&player.number));
    if let Some(table) = seated {
        return at_table(rules, player.number, round, table);
    }
    if let Some(bye) = round.byes.iter().find(|bye| bye.player == player.number) {
        let by_schedule = bye.origin.kind == OriginKind::AsGiven
            || bye.origin.because == Some(PairingReason::Schedule);
        let is_free = matches!(bye.kind, ByeKind::Assigned | ByeKind::Zero)
            && by_schedule
            && round.kind == PhaseKind::RoundRobin;
        if is_free && rules.missing.no_free_rounds {
            return None;
        }
        return Some(without_table(rules, round, kind_of_bye(bye.kind), bye.reported.as_ref()));
    }
    if round.entrants.as_ref().is_some_and(|entrants| !entrants.contains(&player.number)) {
        return None;
    }
    let missing = if round.number < player.from_round {
        rules.missing.late
    } else if player.gone(round.number) {
        rules.missing.dropped
    } else {
        rules.missing.unpaired
    };
    missing.map(|kind| without_table(rules, round, kind, None))
}

fn kind_of_bye(kind: ByeKind) -> RoundKind {
    match kind {
        ByeKind::Assigned => RoundKind::Bye,
        ByeKind::Awarded => RoundKind::AwardedBye,
        ByeKind::Half => RoundKind::HalfBye,
        ByeKind::Zero => RoundKind::ZeroBye,
        ByeKind::AwardedLoss => RoundKind::AwardedLoss,
        ByeKind::Vacant => RoundKind::Vacant,
    }
}

fn outcome_without_play(kind: RoundKind) -> Outcome {
    use RoundKind::*;
    match kind {
        Bye | AwardedBye | Vacant | ForfeitWin => Outcome::Win,
        HalfBye => Outcome::Draw,
        AwardedLoss | ForfeitLoss | DoubleLoss => Outcome::Loss,
        ZeroBye | Unfinished => Outcome::None,
        Played => unreachable!("a played round goes by its result"),
    }
}

fn weight(round: &Round) -> BigRational {
    BigRational::new(round.weight.num.into(), round.weight.den.into())
}

/// A round without a table: the lines are what `[scores]` says.
fn without_table(
    rules: &Ruleset,
    round: &Round,
    kind: RoundKind,
    reported: Option<&Score>,
) -> OwnRound {
    let lines = given_lines(rules, round, kind, reported);
    let mut own_round = OwnRound {
        number: round.number,
        kind,
        outcome: outcome_without_play(kind),
        points: points_of_kind(rules, kind),
        weight: weight(round),
        opponents: Vec::new(),
        second_of_two: false,
        own: BTreeMap::new(),
        against: BTreeMap::new(),
    };
    if let Some((own, against)) = lines {
        if let Some(line) = &rules.points.line {
            own_round.points = whole(own.get(line).copied().unwrap_or(0));
        }
        (own_round.own, own_round.against) = (own, against);
    }
    own_round
}

fn points_of_kind(rules: &Ruleset, kind: RoundKind) -> BigRational {
    match kind {
        RoundKind::Unfinished => BigRational::zero(),
        _ => big(*rules.points.kinds.get(&kind).expect("every kind has its points")),
    }
}

type Lines = BTreeMap<String, i64>;

/// Own and opponent's lines that `[scores]` gives to a round without play, if it names its kind.
fn given_lines(
    rules: &Ruleset,
    round: &Round,
    kind: RoundKind,
    reported: Option<&Score>,
) -> Option<(Lines, Lines)> {
    let as_bye = matches!(kind, RoundKind::AwardedBye | RoundKind::Vacant);
    let named = rules.scores.get(&kind);
    let score = named.or_else(|| rules.scores.get(&RoundKind::Bye).filter(|_| as_bye))?;
    match score {
        RoundScore::Lines { own, against } => {
            let lines = |given: &BTreeMap<String, i32>| -> Lines {
                given.iter().map(|(line, value)| (line.clone(), i64::from(*value))).collect()
            };
            Some((lines(own), lines(against)))
        }
        RoundScore::CleanWin => {
            let games = round.sheet.best_of.map_or(2, |games| i64::from(games) / 2 + 1);
            let line = rules.games.as_ref().map_or("games", |games| &games.line);
            Some((Lines::from([(line.to_owned(), games)]), Lines::new()))
        }
        RoundScore::AsReported => {
            let reported = reported?;
            Some((slip(round, reported, 0), slip_against(round, reported, 0, 2)))
        }
    }
}

/// A seat's lines on a slip, with those of the table.
fn slip(round: &Round, score: &Score, seat: usize) -> Lines {
    let mut lines = Lines::new();
    let (mut seat_line, mut table_line) = (0, 0);
    for line in &round.sheet.lines {
        let value = match line.per {
            Per::Seat => {
                seat_line += 1;
                score.seats.get(seat).and_then(|values| values.get(seat_line - 1))
            }
            Per::Table => {
                table_line += 1;
                score.table.get(table_line - 1)
            }
        };
        lines.insert(line.name.clone(), value.copied().unwrap_or(0).into());
    }
    lines
}

/// The lines of everybody else at the table: of seat lines the sum, of table lines the table's.
fn slip_against(round: &Round, score: &Score, seat: usize, seats: usize) -> Lines {
    let mut sum = Lines::new();
    for other in (0..seats).filter(|other| *other != seat) {
        for (line, value) in slip(round, score, other) {
            let shared = round.sheet.table_line(&line).is_some();
            let so_far = sum.entry(line).or_insert(0);
            *so_far = if shared { value } else { *so_far + value };
        }
    }
    sum
}

fn at_table(
    rules: &Ruleset,
    player: PlayerNumber,
    round: &Round,
    table: &Table,
) -> Option<OwnRound> {
    let seat = table.seats.iter().position(|other| *other == player).expect("he sits there");
    let nothing = Score::default();
    let score = match &table.result {
        Some(result) => &result.score,
        None => table.noted.as_ref().unwrap_or(&nothing),
    };
    let mut own = OwnRound {
        number: round.number,
        kind: RoundKind::Unfinished,
        outcome: Outcome::None,
        points: BigRational::zero(),
        weight: weight(round),
        opponents: table.seats.iter().copied().filter(|other| *other != player).collect(),
        second_of_two: seat == 1 && table.seats.len() == 2,
        own: slip(round, score, seat),
        against: slip_against(round, score, seat, table.seats.len()),
    };
    let Some(result) = &table.result else { return Some(own) };
    if result.rulings.get(seat) == Some(&Some(Ruling::NoResult)) {
        return None;
    }
    let outcomes: Vec<Outcome> =
        (0..table.seats.len()).map(|seat| outcome(rules, round, table, result, seat)).collect();
    own.outcome = outcomes[seat];
    own.kind = kind_at_table(&outcomes, result.how, seat);
    own.points = match own.kind {
        RoundKind::Played => points_of_play(rules, round, result, seat, &own),
        kind => points_of_kind(rules, kind),
    };
    if matches!(own.kind, RoundKind::ForfeitWin | RoundKind::ForfeitLoss) {
        forfeited_lines(rules, round, &mut own);
    }
    Some(own)
}

/// "A forfeited table that `[scores]` does not name counts the score on its slip", which is also
/// what is reported for it.
fn forfeited_lines(rules: &Ruleset, round: &Round, own: &mut OwnRound) {
    let Some(score) = rules.scores.get(&own.kind) else { return };
    if *score != RoundScore::AsReported {
        let given = given_lines(rules, round, own.kind, None);
        (own.own, own.against) = given.expect("`[scores]` names this kind");
    }
    if let Some(line) = &rules.points.line {
        own.points = whole(own.own(line));
    }
}

fn kind_at_table(outcomes: &[Outcome], how: How, seat: usize) -> RoundKind {
    let forfeited = matches!(how, How::Forfeit | How::NoShow);
    match outcomes[seat] {
        Outcome::Win if forfeited => RoundKind::ForfeitWin,
        Outcome::Loss if forfeited => RoundKind::ForfeitLoss,
        _ if outcomes.iter().all(|outcome| *outcome == Outcome::Loss) => RoundKind::DoubleLoss,
        _ => RoundKind::Played,
    }
}

/// "A played round goes by a ruling where somebody made one, else by `[outcome]`."
pub fn outcome(
    rules: &Ruleset,
    round: &Round,
    table: &Table,
    result: &MatchResult,
    seat: usize,
) -> Outcome {
    match result.rulings.get(seat).copied().flatten() {
        Some(Ruling::Win) => return Outcome::Win,
        Some(Ruling::Loss) => return Outcome::Loss,
        Some(Ruling::Draw) => return Outcome::Draw,
        Some(Ruling::NoResult) => return Outcome::None,
        Some(Ruling::Place(1)) => return Outcome::Win,
        Some(Ruling::Place(_)) => return Outcome::Loss,
        None => {}
    }
    let OutcomeRule::Line(line) = &rules.outcome else { return Outcome::None };
    if !round.sheet.lines.iter().any(|held| held.name == *line) {
        return Outcome::None;
    }
    let value = |seat| slip(round, &result.score, seat).get(line).copied().unwrap_or(0);
    let others = || (0..table.seats.len()).filter(|other| *other != seat).map(value);
    let best_other = others().max().expect("a table has two seats or more");
    match value(seat).cmp(&best_other) {
        std::cmp::Ordering::Greater => Outcome::Win,
        std::cmp::Ordering::Equal => Outcome::Draw,
        std::cmp::Ordering::Less => Outcome::Loss,
    }
}

fn points_of_play(
    rules: &Ruleset,
    round: &Round,
    result: &MatchResult,
    seat: usize,
    own: &OwnRound,
) -> BigRational {
    let mut points = points_before_bonuses(rules, round, result, seat, own);
    for bonus in &rules.points.bonuses {
        let holds = match bonus.test {
            BonusTest::AtLeast(least) => own.own(&bonus.line) >= i64::from(least),
            BonusTest::Margin(margin) => {
                own.own(&bonus.line) - own.against(&bonus.line) == i64::from(margin)
            }
        };
        if holds && bonus.outcomes.contains(own.outcome) {
            points += big(bonus.points);
        }
    }
    points
}

/// The first way to value a played round that is there.
fn points_before_bonuses(
    rules: &Ruleset,
    round: &Round,
    result: &MatchResult,
    seat: usize,
    own: &OwnRound,
) -> BigRational {
    let points = &rules.points;
    if let Some(line) = &points.line {
        return whole(own.own(line));
    }
    if let Some(Some(Ruling::Place(place))) = result.rulings.get(seat)
        && !points.places.is_empty()
    {
        let at = usize::from(*place) - 1;
        return points.places.get(at).copied().map_or_else(BigRational::zero, big);
    }
    if let Some(grade) = result.grade.as_ref().and_then(|grade| points.grades.get(grade)) {
        return by_outcome(grade, own.outcome);
    }
    if !points.by_score.is_empty() {
        if let Some(value) = points.by_score.get(&games_of(rules, round, own)) {
            return big(*value);
        }
        if let Some(otherwise) = points.by_score_otherwise {
            return big(otherwise);
        }
    }
    if let Some(margin) = &points.by_margin {
        return by_margin(margin, own);
    }
    by_outcome(&points.outcome, own.outcome)
}

fn by_outcome(points: &OutcomePoints, outcome: Outcome) -> BigRational {
    match outcome {
        Outcome::Win => big(points.win),
        Outcome::Draw => big(points.draw),
        Outcome::Loss => big(points.loss),
        Outcome::None => BigRational::zero(),
    }
}

/// Own, opponent's and drawn games.
fn games_of(rules: &Ruleset, _round: &Round, own: &OwnRound) -> (i32, i32, i32) {
    let (line, drawn) = match &rules.games {
        Some(games) => (games.line.as_str(), games.drawn.as_str()),
        None => ("games", "drawn"),
    };
    (own.own(line) as i32, own.against(line) as i32, own.own(drawn) as i32)
}

/// The row of the largest difference that was reached.
fn by_margin(table: &MarginTable, own: &OwnRound) -> BigRational {
    let difference = own.own(&table.line) - own.against(&table.line);
    let reached = table.rows.iter().filter(|row| i64::from(row.0) <= difference.abs());
    match reached.max_by_key(|row| row.0) {
        Some((_, _, lower)) if difference < 0 => big(*lower),
        Some((_, higher, _)) => big(*higher),
        None => BigRational::zero(),
    }
}
