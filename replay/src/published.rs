//! Published standings beside computed ones, value by value.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use scrutineer_engine::event::{ByeKind, PlayerNumber, RoundNumber, UnknownFact};
use scrutineer_engine::tournament::Tournament;
use scrutineer_formats::{PublishedMeasure, PublishedRow, Source, SourcePlace};
use scrutineer_projections::crosstable::{FoldError, Scope};
use scrutineer_projections::ratio::decimal;
use scrutineer_projections::ruleset::{RoundKind, Ruleset};
use scrutineer_projections::standings::{Detail, Row, Standings};
use std::sync::Arc;

/// Digits to which numbers agree whose source prints as many as it has.
const FULL_PRECISION_DIGITS: u32 = 9;

/// How one published row compares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every value is equal to the printed precision.
    Matched,
    /// Every value is that of an earlier round, and the player had left by then in the middle of a
    /// phase: the platform did not refresh the row. Who played a phase to its end and is not in
    /// the next one did not leave; their row is never stale.
    Stale {
        /// The round whose values they are.
        through: RoundNumber,
    },
    /// A value differs.
    Mismatched(Vec<Difference>),
}

/// A value that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Which.
    pub measure: &'static str,
    /// As published.
    pub published: String,
    /// As computed, with enough digits to see the difference.
    pub computed: String,
}

/// A published row and how it compares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedRow {
    /// The player's number.
    pub player: PlayerNumber,
    /// The published rank.
    pub rank: u32,
    /// The rank computed; none where they take no place. Platforms publish the ranks of the round
    /// whose values they give or the final ones: that with which more rows agree.
    pub computed_rank: Option<u32>,
    /// How it compares.
    pub verdict: Verdict,
}

/// A published final place and how it compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckedPlace {
    /// The player's number.
    pub player: PlayerNumber,
    /// The published place.
    pub place: u32,
    /// The place computed; none where they take no place.
    pub computed: Option<u32>,
}

/// Published standings beside computed ones.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Check {
    /// The rows, in the published order; none where the rounds behind them are missing.
    pub rows: Vec<CheckedRow>,
    /// Whether rows were published of rounds that are missing, and none of them is compared.
    pub rounds_missing: bool,
    /// Final places that were published beside the rows.
    pub places: Vec<CheckedPlace>,
    /// What was compared in the rows: the values that are published and that the ruleset has.
    pub compared: Vec<&'static str>,
    /// Whether the file prints a player's own GW% otherwise than its ruleset: with the floor that the
    /// ruleset leaves out there, or without.
    pub other_gw: bool,
}

impl Check {
    /// How many rows match in every value.
    pub fn matched(&self) -> usize {
        self.rows.iter().filter(|row| row.verdict == Verdict::Matched).count()
    }

    /// How many are stale.
    pub fn stale(&self) -> usize {
        let stale = |row: &&CheckedRow| matches!(row.verdict, Verdict::Stale { .. });
        self.rows.iter().filter(stale).count()
    }

    /// How many differ.
    pub fn mismatched(&self) -> usize {
        self.rows.len() - self.matched() - self.stale()
    }

    /// How many final places are the published ones.
    pub fn same_places(&self) -> usize {
        self.places.iter().filter(|one| one.computed == Some(one.place)).count()
    }

    /// How many have the published rank.
    pub fn same_rank(&self) -> usize {
        self.rows.iter().filter(|row| row.computed_rank == Some(row.rank)).count()
    }
}

/// Why published standings cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the words of the message")]
pub enum CheckError {
    /// There are none.
    #[error("{file} holds no standings")]
    NoStandings { file: String },
    /// The rounds behind them are missing.
    #[error("{file} holds standings of rounds that it does not hold")]
    RoundsMissing { file: String },
    /// They cannot be computed.
    #[error("{0}")]
    Fold(#[from] FoldError),
}

/// Compares the standings found in a file with those computed under `rules`.
///
/// # Errors
/// Where there is nothing to compare, or the ruleset cannot be used.
pub fn check(
    source: &Source,
    state: &Tournament,
    rules: &Arc<Ruleset>,
) -> Result<Check, CheckError> {
    let file = || source.file.clone();
    if source.published.is_empty() && source.places.is_empty() {
        return Err(CheckError::NoStandings { file: file() });
    }
    let fold = |through: Option<RoundNumber>| {
        let scope = Scope { through, final_order: Some(true) };
        Standings::of(state, rules, scope, Detail::All)
    };
    let over = fold(None)?;
    let by_division = source.places_by_division();
    let rank_among = |player: usize| {
        let number = |player: usize| player as PlayerNumber + 1;
        let rank = over.row(number(player)).map(|row| row.rank)?;
        let Some(own) = source.players.get(player).filter(|_| by_division) else {
            return Some(rank);
        };
        let others = (0..).zip(&source.players).filter(|(_, other)| other.division == own.division);
        let ranks = others.filter_map(|(at, _)| over.row(number(at)).map(|row| row.rank));
        u32::try_from(ranks.filter(|other| *other < rank).count() + 1).ok()
    };
    let place = |given: &SourcePlace| {
        let (player, place) = (given.player as PlayerNumber + 1, given.place);
        CheckedPlace { player, place, computed: rank_among(given.player) }
    };
    let places: Vec<CheckedPlace> = source.places.iter().map(place).collect();
    let earlier_rounds = source.unknown.contains(&UnknownFact::EarlierRounds);
    if earlier_rounds || source.published_after == Some(0) {
        return match places.is_empty() {
            true => Err(CheckError::RoundsMissing { file: file() }),
            false => {
                let rounds_missing = !source.published.is_empty();
                Ok(Check { places, rounds_missing, ..Check::default() })
            }
        };
    }
    let last = fold(source.published_after)?;
    let (own_gw, other_gw) = own_gw(source, &last);
    let mut earlier: Vec<Standings> = Vec::new();
    let mut rows = Vec::new();
    for published in &source.published {
        let player = published.player as PlayerNumber + 1;
        let row = last.row(player);
        let mut verdict = compare(source, &last, published, row, own_gw);
        if let (Verdict::Mismatched(_), Some(row)) = (&verdict, row) {
            let left = last_round(&last, row);
            let end = end_of_phase(state, left).min(last.through);
            if left < end {
                if earlier.is_empty() {
                    earlier = (1..last.through).map(|r| fold(Some(r))).collect::<Result<_, _>>()?;
                }
                let since = |then: &&Standings| (left..end).contains(&then.through);
                let stale = earlier.iter().filter(since).find(|then| {
                    let row = then.row(player);
                    compare(source, then, published, row, own_gw) == Verdict::Matched
                });
                if let Some(then) = stale {
                    verdict = Verdict::Stale { through: then.through };
                }
            }
        }
        rows.push(CheckedRow { player, rank: published.rank, computed_rank: None, verdict });
    }
    let same_rank = |standings: &Standings| {
        let same = |row: &&CheckedRow| rank_in(standings, row.player) == Some(row.rank);
        rows.iter().filter(same).count()
    };
    let ranked = if same_rank(&over) > same_rank(&last) { &over } else { &last };
    for row in &mut rows {
        row.computed_rank = rank_in(ranked, row.player);
    }
    let compared = compared(source, &last, own_gw);
    Ok(Check { rows, rounds_missing: false, places, compared, other_gw })
}

/// The values of the rows that are compared.
fn compared(source: &Source, standings: &Standings, own_gw: &'static str) -> Vec<&'static str> {
    let mut all: Vec<&'static str> =
        standings.column("points").map(|_| "points").into_iter().collect();
    for given in source.published.iter().flat_map(|row| &row.values) {
        let word = given.measure.word();
        if !all.contains(&word) && standings.column(measure_of(given.measure, own_gw)).is_some() {
            all.push(word);
        }
    }
    all
}

fn rank_in(standings: &Standings, player: PlayerNumber) -> Option<u32> {
    standings.row(player).map(|row| row.rank)
}

/// The last round of which a player was part.
fn last_round(standings: &Standings, row: &Row) -> RoundNumber {
    let mut rounds = standings.table().rounds_of(row.index);
    rounds.next_back().map_or(0, |(_, entry)| entry.round)
}

/// The last round of the phase that a round belongs to.
fn end_of_phase(state: &Tournament, round: RoundNumber) -> RoundNumber {
    let rounds = || state.rounds().iter().filter(|one| !one.withdrawn);
    let phase = rounds().find(|one| one.number == round).map(|one| one.phase);
    let last = rounds().filter(|one| Some(one.phase) == phase).map(|one| one.number).max();
    last.unwrap_or(round)
}

fn compare(
    source: &Source,
    standings: &Standings,
    published: &PublishedRow,
    row: Option<&Row>,
    own_gw: &'static str,
) -> Verdict {
    let Some(row) = row else {
        let (published, computed) = (format!("rank {}", published.rank), "no place".into());
        return Verdict::Mismatched(vec![Difference { measure: "place", published, computed }]);
    };
    let mut differences = Vec::new();
    let points = BigRational::new(BigInt::from(published.points_tenths), BigInt::from(10));
    let is_other = |value: &BigRational| {
        *value != points && value + worth_to_come(source, standings, published.player) != points
    };
    if let Some(value) = standings.value(row, "points").filter(is_other) {
        differences.push(Difference {
            measure: "points",
            published: in_points(&points),
            computed: in_points(&value),
        });
    }
    for given in &published.values {
        let Some(computed) = standings.value(row, measure_of(given.measure, own_gw)) else {
            continue;
        };
        let read = parse_decimal(&given.text);
        let equal = read
            .is_some_and(|read| (&computed - &read).abs() <= tolerance(source.published_digits));
        if !equal {
            differences.push(Difference {
                measure: given.measure.word(),
                published: given.text.clone(),
                computed: decimal(&computed, FULL_PRECISION_DIGITS, false),
            });
        }
    }
    if differences.is_empty() { Verdict::Matched } else { Verdict::Mismatched(differences) }
}

/// Points as people write them: halves as `1½`.
fn in_points(points: &BigRational) -> String {
    let whole = points.trunc();
    match points.denom() == &BigInt::from(2) && !points.is_negative() {
        true if whole.is_zero() => "½".into(),
        true => format!("{}½", whole.numer()),
        false => points.to_string(),
    }
}

/// What the byes are worth that a player asked for in rounds to come: some programs count them already.
fn worth_to_come(source: &Source, standings: &Standings, player: usize) -> BigRational {
    let kinds = &standings.rules.points.kinds;
    let asked = source.report.asked.iter().filter(|bye| bye.player == player);
    let worth = asked.filter_map(|bye| {
        let worth = kinds.get(&match bye.kind {
            ByeKind::Awarded => RoundKind::AwardedBye,
            ByeKind::Half => RoundKind::HalfBye,
            _ => RoundKind::ZeroBye,
        })?;
        Some(BigRational::new(worth.num().into(), worth.den().into()))
    });
    worth.sum()
}

/// The measure whose value a published number should be, where the ruleset has it.
fn measure_of(measure: PublishedMeasure, own_gw: &'static str) -> &'static str {
    match measure {
        PublishedMeasure::Omw => "omw",
        PublishedMeasure::Gw => own_gw,
        PublishedMeasure::Ogw => "ogw",
        PublishedMeasure::Sos => "sos",
        PublishedMeasure::Esos => "esos",
        PublishedMeasure::Mov => "mov",
        PublishedMeasure::Buchholz => "buchholz",
        PublishedMeasure::SonnebornBerger => "sonneborn_berger",
    }
}

/// Which GW% of a player's own a file prints: what its ruleset says, unless more of the rows in
/// which they differ hold the one without floor, or the one with it. One of them holds for the
/// whole file.
fn own_gw(source: &Source, standings: &Standings) -> (&'static str, bool) {
    let has = |id: &&str| standings.column(id).is_some();
    let own = ["gw_printed", "gw"].into_iter().find(has).unwrap_or("gw");
    let tolerance = tolerance(source.published_digits);
    let tells = |other: &&str| {
        let (mut with, mut against) = (0, 0);
        for published in &source.published {
            let given = published.values.iter().find(|one| one.measure == PublishedMeasure::Gw);
            let row = standings.row(published.player as PlayerNumber + 1);
            let (Some(given), Some(row)) = (given.and_then(|one| parse_decimal(&one.text)), row)
            else {
                continue;
            };
            let holds = |id: &str| {
                standings.value(row, id).is_some_and(|v| (v - &given).abs() <= tolerance)
            };
            match (holds(own), holds(other)) {
                (true, false) => against += 1,
                (false, true) => with += 1,
                _ => {}
            }
        }
        with > against
    };
    let other = ["gw_raw", "gw_floored"].into_iter().filter(has).find(tells);
    (other.unwrap_or(own), other.is_some())
}

/// One unit of the last printed digit: platforms print through binary fractions.
fn tolerance(digits: Option<u8>) -> BigRational {
    let digits = digits.map_or(FULL_PRECISION_DIGITS, |digits| u32::from(digits).max(3));
    BigRational::new(BigInt::from(1), BigInt::from(10).pow(digits))
}

/// A decimal number as printed, exactly.
pub(crate) fn parse_decimal(text: &str) -> Option<BigRational> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{part}");
    if all.is_empty() || all.len() > 200 {
        return None;
    }
    let number: BigInt = all.parse().ok()?;
    let shift = i32::try_from(part.len()).ok()?;
    let ten = BigRational::from(BigInt::from(10));
    let value = BigRational::from(number * sign) * ten.pow(-shift);
    debug_assert!(!value.denom().is_zero());
    Some(value)
}
