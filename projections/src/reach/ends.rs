//! How a match can end: the results that its slip takes, with no ruling over what was played.

use super::End;
use crate::crosstable::{Index, outcomes};
use crate::ruleset::{Formula, Outcome, OutcomeRule, Quantity, RoundKind, Ruleset};
use scrutineer_engine::event::{How, MatchResult, Per, Ruling, Score, ScoreLine, Scoresheet};
use scrutineer_engine::tournament::{MatchView, Tournament};
use smallvec::{SmallVec, smallvec};

/// A result, how it comes out for each of the two seats, and whether it is the draw that is agreed on.
pub struct MatchEnd {
    pub result: MatchResult,
    pub outcomes: [Outcome; 2],
    pub agreed: bool,
}

impl MatchEnd {
    /// A result that comes out so for the first seat, and the other way round for the second.
    fn of(result: MatchResult, first: Outcome, agreed: bool) -> MatchEnd {
        let second = match first {
            Outcome::Win => Outcome::Loss,
            Outcome::Loss => Outcome::Win,
            other => other,
        };
        MatchEnd { result, outcomes: [first, second], agreed }
    }

    /// Whether it says the same of the match; penalties that were served and single games change no place.
    fn is_same(&self, other: &MatchResult) -> bool {
        let one = &self.result;
        (&one.score, &one.rulings, one.how, &one.grade)
            == (&other.score, &other.rulings, other.how, &other.grade)
    }
}

/// Whether a match that ended so has this end; a draw that is agreed on is a draw too.
pub fn is(end: End, (outcome, agreed): (Outcome, bool)) -> bool {
    match end {
        End::Win => outcome == Outcome::Win,
        End::Draw => outcome == Outcome::Draw,
        End::AgreedDraw => outcome == Outcome::Draw && agreed,
        End::Loss => outcome == Outcome::Loss,
    }
}

/// The results of a match.
pub struct Ends {
    /// Each that makes a difference, or one for each outcome; empty at a table of more than two.
    pub list: Vec<MatchEnd>,
    /// Whether each that makes a difference is there.
    pub is_complete: bool,
}

impl Ends {
    /// Of a match whose results cannot be listed.
    pub fn none() -> Ends {
        Ends { list: Vec::new(), is_complete: false }
    }

    /// The results that a match of two can have: those that its slip takes and the one that stands, where it is
    /// postponed or disputed, and may stay so.
    pub fn of(state: &Tournament, rules: &Ruleset, found: MatchView<'_>) -> Ends {
        let mut ends = Ends::of_slip(state, rules, found);
        let is_other = |result: &MatchResult| !ends.list.iter().any(|end| end.is_same(result));
        let stands = found.to_result().filter(|result| !ends.list.is_empty() && is_other(result));
        if let (Some(result), &[first, second]) = (stands, &outcomes(state, rules, found)[..]) {
            let agreed = result.how == How::AgreedDraw;
            ends.list.push(MatchEnd { result, outcomes: [first, second], agreed });
        }
        ends
    }

    fn of_slip(state: &Tournament, rules: &Ruleset, found: MatchView<'_>) -> Ends {
        static EMPTY: Scoresheet = Scoresheet { lines: Vec::new(), best_of: None };
        let sheet = state.scoresheet(found.round()).unwrap_or(&EMPTY);
        let order = rules.needed_for_order(false);
        let is_plain = !looks_at_scores(rules, &order);
        let OutcomeRule::Line(line) = &rules.outcome else {
            return Ends { list: ruled(), is_complete: is_plain };
        };
        match sheet.best_of.filter(|_| !is_plain && line == "games" && is_of_games(sheet)) {
            Some(best_of) => {
                let is_complete = rules.points.grades.is_empty();
                Ends { list: by_games(sheet, i32::from(best_of)), is_complete }
            }
            None => Ends { list: by_outcome(sheet, line), is_complete: is_plain },
        }
    }
}

/// Whether some of these measures, or what a round is worth, depend on more than who won.
pub fn looks_at_scores(rules: &Ruleset, measures: &[bool]) -> bool {
    use Quantity::*;
    let points = &rules.points;
    let special = points.line.is_some()
        || !points.grades.is_empty()
        || !points.by_score.is_empty()
        || points.by_score_otherwise.is_some()
        || points.by_margin.is_some()
        || !points.bonuses.is_empty();
    let looks = |quantity: &Quantity| {
        matches!(quantity, GamePoints | PossibleGamePoints | Line(_) | Against(_) | Margin(_))
    };
    let mut taken = rules.measures.iter().zip(measures).filter(|(_, taken)| **taken);
    special || taken.any(|(one, _)| matches!(&one.formula, Formula::Total(t) if looks(&t.of)))
}

/// An agreed draw. An intentional draw is three drawn games, see the sources of the usual rulesets;
/// where no games are counted it is a draw by ruling.
pub fn agreed_draw(sheet: &Scoresheet, seats: usize) -> MatchResult {
    let mut result = MatchResult::played(Score::default());
    result.how = How::AgreedDraw;
    match sheet.table_line("drawn").filter(|_| is_of_games(sheet)) {
        Some(drawn) => {
            let mut table: SmallVec<[i32; 2]> = smallvec![0; sheet.table_lines()];
            table[drawn] = i32::from(sheet.best_of.unwrap_or(3));
            result.score = Score { seats: smallvec![smallvec![0]; seats], table };
        }
        None => result.rulings = smallvec![Some(Ruling::Draw); seats],
    }
    result
}

/// A match of two that this seat wins because the other one did not appear: by as many games as win it where the order
/// looks at games, by ruling elsewhere.
pub fn won_by_no_show(rules: &Ruleset, sheet: &Scoresheet, winner: usize) -> MatchResult {
    let mut result = MatchResult::played(Score::default());
    result.how = How::NoShow;
    let goes_by_games = matches!(&rules.outcome, OutcomeRule::Line(line) if line == "games")
        && is_of_games(sheet)
        && looks_at_scores(rules, &rules.needed_for_order(false))
        && !rules.scores.contains_key(&RoundKind::ForfeitWin);
    match sheet.best_of.filter(|_| goes_by_games) {
        Some(best_of) => {
            let games = i32::from(best_of / 2 + 1);
            result.score = Score {
                seats: (0..2).map(|seat| smallvec![games * i32::from(seat == winner)]).collect(),
                table: smallvec![0; sheet.table_lines()],
            };
        }
        None => {
            let ruling = |seat| Some(if seat == winner { Ruling::Win } else { Ruling::Loss });
            result.rulings = (0..2).map(ruling).collect();
        }
    }
    result
}

/// Whether games won are all that a slip holds of each seat.
fn is_of_games(sheet: &Scoresheet) -> bool {
    sheet.seat_lines() == 1 && sheet.seat_line("games").is_some()
}

fn ruled() -> Vec<MatchEnd> {
    let pairs = [
        (Outcome::Win, [Ruling::Win, Ruling::Loss]),
        (Outcome::Draw, [Ruling::Draw; 2]),
        (Outcome::Loss, [Ruling::Loss, Ruling::Win]),
    ];
    let end = |(first, rulings): (Outcome, [Ruling; 2])| {
        let mut result = MatchResult::played(Score::default());
        result.rulings = rulings.into_iter().map(Some).collect();
        MatchEnd::of(result, first, first == Outcome::Draw)
    };
    pairs.into_iter().map(end).collect()
}

/// A score with these values of one line of the seats and one of the table; the rest as low as
/// its bounds allow, from 0.
fn score(sheet: &Scoresheet, line: &str, seats: [i32; 2], drawn: i32) -> Score {
    let of = |per: Per, value: i32, name: &str| {
        let lines = sheet.lines.iter().filter(move |line| line.per == per);
        lines.map(|one| if one.name == name { value } else { lowest(one) }).collect()
    };
    Score {
        seats: seats.into_iter().map(|value| of(Per::Seat, value, line)).collect(),
        table: of(Per::Table, drawn, "drawn"),
    }
}

fn lowest(line: &ScoreLine) -> i32 {
    0.clamp(line.min, line.max)
}

/// One result for each outcome, where nothing but the outcome counts.
fn by_outcome(sheet: &Scoresheet, line: &str) -> Vec<MatchEnd> {
    let found = sheet.lines.iter().find(|one| one.per == Per::Seat && one.name == line);
    let Some(found) = found else { return Vec::new() };
    let low = lowest(found).min(found.max.saturating_sub(1)).max(found.min);
    let (high, none) = (low.saturating_add(1), sheet.lines.iter().find(|one| one.name == "drawn"));
    let all =
        [(Outcome::Win, [high, low]), (Outcome::Draw, [low; 2]), (Outcome::Loss, [low, high])];
    let all = all.into_iter().filter(|(_, values)| values.iter().all(|v| *v <= found.max));
    let end = |(first, values)| {
        let result = MatchResult::played(score(sheet, line, values, none.map_or(0, lowest)));
        MatchEnd::of(result, first, first == Outcome::Draw)
    };
    all.map(end).collect()
}

/// Every score of as many games as are played at the most.
fn by_games(sheet: &Scoresheet, best_of: i32) -> Vec<MatchEnd> {
    let within = |name: &str, value: i32| {
        let line = sheet.lines.iter().find(|line| line.name == name);
        line.is_some_and(|line| (line.min..=line.max).contains(&value))
    };
    let counts_draws = sheet.table_line("drawn").is_some();
    let mut list = Vec::new();
    for first in 0..=best_of {
        for second in 0..=best_of - first {
            for drawn in 0..=best_of - first - second {
                let taken = sheet.can_end(first, second)
                    && within("games", first)
                    && within("games", second)
                    && (drawn == 0 || counts_draws)
                    && (!counts_draws || within("drawn", drawn));
                if !taken {
                    continue;
                }
                let outcome = match first.cmp(&second) {
                    std::cmp::Ordering::Greater => Outcome::Win,
                    std::cmp::Ordering::Equal => Outcome::Draw,
                    std::cmp::Ordering::Less => Outcome::Loss,
                };
                let score = score(sheet, "games", [first, second], drawn);
                let agreed = score == agreed_draw(sheet, 2).score;
                list.push(MatchEnd::of(MatchResult::played(score), outcome, agreed));
            }
        }
    }
    list
}

/// Which seat of a match a player has.
pub fn seat_of(seats: &[Index], player: Index) -> Option<usize> {
    seats.iter().position(|seat| *seat == player)
}
