//! Bounds that hold for every result and every pairing, by the first measure of the order: it tells
//! most players apart, and a player's own results alone decide it.

use super::ends::{MatchEnd, looks_at_scores, seat_of};
use super::scenarios::results_with;
use super::{Chance, Effort, End, Field, Outlook};
use crate::crosstable::{FoldError, Index, worth_of_a_round};
use crate::ruleset::{
    Byes, Fact, Formula, Measure, Outcome, Outcomes, Quantity, RoundKinds, Ruleset, Step,
};
use crate::standings::Standings;
use num_bigint::BigInt;
use num_rational::BigRational;
use scrutineer_engine::event::{How, MatchResult, Ruling, Score, Seq};
use std::collections::BTreeSet;

/// The lowest and the highest value that a player can come to; later as places among all values.
type Span<T> = (T, T);

/// A table without a result, or several that share players: a match that is postponed beside those that they are in
/// now. The values of everybody who sits there, a row for each combination of results that makes another one.
struct Table<T> {
    seats: Vec<Index>,
    matches: Vec<Match>,
    rows: Vec<Vec<Span<T>>>,
}

/// A match of a table.
#[derive(Clone)]
struct Match {
    /// Which of the open ones it is.
    open: usize,
    /// By result: of which kind it is. Those of one kind make the same values.
    kind_of: Vec<usize>,
    /// How many kinds there are.
    kinds: usize,
}

/// Everybody's values: of those at a table that can be listed, and of all others.
struct Values<T> {
    tables: Vec<Table<T>>,
    alone: Vec<(Index, Span<T>)>,
    /// By player: where they stand among the tables, or among the others.
    places: Vec<Place>,
}

/// Where a player's values stand.
#[derive(Clone, Copy)]
enum Place {
    Table { at: usize, seat: usize },
    Alone(usize),
}

/// Who is counted: everybody with a place, or who can make the cut.
#[derive(Clone, Copy)]
enum Among {
    Ranked,
    Cut,
}

/// How many can come to a value, and how many surely come past it.
struct Counts {
    /// By value: at the most so many come to it or past it.
    most: Vec<u32>,
    /// By value: at the least so many come past it.
    least: Vec<u32>,
}

/// The bounds; none where the first measure gives none.
pub struct Bounds(Option<Known>);

struct Known {
    values: Values<usize>,
    ranked: Counts,
    cut: Counts,
}

impl Bounds {
    /// No bounds: only that there are so many places.
    pub fn none() -> Bounds {
        Bounds(None)
    }

    /// The bounds of everybody.
    pub fn of(field: &Field<'_>, now: &Standings) -> Result<Bounds, FoldError> {
        let Some(values) = values(field, now)? else { return Ok(Bounds(None)) };
        let values = as_places(values);
        let count = |among| Counts::of(&values, among, field);
        let (ranked, cut) = (count(Among::Ranked), count(Among::Cut));
        Ok(Bounds(Some(Known { values, ranked, cut })))
    }

    /// What these bounds leave to a player, all in all or with an end of their match; none where
    /// they are in no match that can end so.
    pub fn outlook(&self, field: &Field<'_>, player: Index, end: Option<End>) -> Option<Outlook> {
        let can_end = || {
            end.is_none()
                || field.open.iter().any(|open| {
                    let list = &open.ends.list;
                    let seat = seat_of(&open.seats, player);
                    seat.is_some_and(|seat| results_with(list, seat, end).next().is_some())
                })
        };
        let Some(known) = &self.0 else {
            return can_end().then(|| Outlook::unknown(field.cut, field.ranked));
        };
        let (at, seat) = match known.values.places[player as usize] {
            Place::Table { at, seat } => (at, seat),
            Place::Alone(_) if !can_end() => return None,
            Place::Alone(at) => {
                let (_, span) = known.values.alone[at];
                let own = |among: Among| u32::from(among.has(field, player));
                return Some(known.outlook(field, (player, None), span, own, |_, _| 0));
            }
        };
        let table = &known.values.tables[at];
        let (own, kinds) = table.last_of(field, player, end)?;
        let rows = (0..table.size()).filter(|row| kinds.contains(&table.kind(*row, own)));
        let of = |row: usize| {
            let values = &table.rows[row];
            let span = values[seat];
            let most = |among: Among| table.most(among, field, span.0);
            known.outlook(field, (player, Some(table)), span, most, |among, past| {
                let counts = |(other, theirs): &(&Index, &Span<usize>)| {
                    let reaches = if past { theirs.0 > span.1 } else { theirs.1 >= span.0 };
                    **other != player && among.has(field, **other) && reaches
                };
                table.seats.iter().zip(values).filter(counts).count() as u32
            })
        };
        rows.map(of).reduce(Outlook::or)
    }
}

impl Known {
    /// The outlook of a player with these values. `own` is what their own table adds to the most
    /// that come to a value, `other` what the others at it really add.
    fn outlook(
        &self,
        field: &Field<'_>,
        (player, table): (Index, Option<&Table<usize>>),
        span: Span<usize>,
        own: impl Fn(Among) -> u32,
        other: impl Fn(Among, bool) -> u32,
    ) -> Outlook {
        let around = |counts: &Counts, among: Among| {
            let least = table.map_or(0, |table| table.least(among, field, span.1));
            (
                counts.least[span.1] - least + other(among, true),
                counts.most[span.0] - own(among) + other(among, false),
            )
        };
        let (above, beside) = around(&self.ranked, Among::Ranked);
        let chance = field.cut.map(|cut| {
            let (above, beside) = around(&self.cut, Among::Cut);
            match Among::Cut.has(field, player) {
                true if beside < cut => Chance::Clinched,
                true if above < cut => Chance::Open,
                _ => Chance::Out,
            }
        });
        Outlook { chance, best: above + 1, worst: beside + 1, seen: None }
    }
}

impl Outlook {
    /// Either of two.
    fn or(self, other: Outlook) -> Outlook {
        let same = self.chance == other.chance;
        Outlook {
            chance: if same { self.chance } else { self.chance.map(|_| Chance::Open) },
            best: self.best.min(other.best),
            worst: self.worst.max(other.worst),
            seen: None,
        }
    }
}

impl Among {
    fn has(self, field: &Field<'_>, player: Index) -> bool {
        match self {
            Among::Ranked => field.takes_place[player as usize],
            Among::Cut => field.can_go_on[player as usize],
        }
    }
}

impl<T> Table<T> {
    /// The open matches of a group, without rows yet; none where their results cannot be listed, or are too many
    /// together.
    fn of(field: &Field<'_>, group: &[usize], looks: bool) -> Option<Table<T>> {
        let matches = group.iter().map(|at| Match::of(field, *at, looks));
        let matches = matches.collect::<Option<Vec<Match>>>()?;
        let seats = group.iter().flat_map(|at| &field.open[*at].seats);
        let mut seats: Vec<Index> = seats.copied().collect();
        seats.sort_unstable();
        seats.dedup();
        let table = Table { seats, matches, rows: Vec::new() };
        let most = Effort::USUAL.counted / u64::from(field.ranked.max(1));
        (group.len() == 1 || table.size() as u64 <= most).then_some(table)
    }

    /// How many rows it has in the end.
    fn size(&self) -> usize {
        self.matches.iter().fold(1usize, |size, one| size.saturating_mul(one.kinds))
    }

    /// Of which kind the result of a match is in a row: rows are counted like numbers, the first match fastest.
    fn kind(&self, row: usize, at: usize) -> usize {
        let before: usize = self.matches[..at].iter().map(|one| one.kinds).product();
        row / before % self.matches[at].kinds
    }

    /// The last match that a player is in, and the kinds of its results that are such an end for them.
    fn last_of(
        &self,
        field: &Field<'_>,
        player: Index,
        end: Option<End>,
    ) -> Option<(usize, Vec<usize>)> {
        self.matches.iter().enumerate().rev().find_map(|(at, one)| {
            let open = &field.open[one.open];
            let seat = seat_of(&open.seats, player)?;
            let results = results_with(&open.ends.list, seat, end);
            Some((at, results.map(|result| one.kind_of[result]).collect()))
        })
    }
}

impl Match {
    /// An open match; none where its results cannot be listed.
    fn of(field: &Field<'_>, open: usize, looks: bool) -> Option<Match> {
        let ends = &field.open[open].ends;
        let kind_of = kinds_of(&ends.list, looks);
        let kinds = kind_of.iter().max()? + 1;
        (ends.is_complete || !looks).then_some(Match { open, kind_of, kinds })
    }
}

impl Table<usize> {
    /// The most of its seats that come to a value or past it together.
    fn most(&self, among: Among, field: &Field<'_>, value: usize) -> u32 {
        self.counts(among, field, |span| span.1 >= value).max().unwrap_or(0)
    }

    /// The least of its seats that come past a value together.
    fn least(&self, among: Among, field: &Field<'_>, value: usize) -> u32 {
        self.counts(among, field, |span| span.0 > value).min().unwrap_or(0)
    }

    fn counts(
        &self,
        among: Among,
        field: &Field<'_>,
        is: impl Fn(&Span<usize>) -> bool,
    ) -> impl Iterator<Item = u32> {
        let counted: Vec<bool> = self.seats.iter().map(|seat| among.has(field, *seat)).collect();
        self.rows.iter().map(move |values| {
            let found = values.iter().zip(&counted).filter(|(span, counted)| **counted && is(span));
            found.count() as u32
        })
    }
}

impl Counts {
    fn of(values: &Values<usize>, among: Among, field: &Field<'_>) -> Counts {
        let tables = values.tables.iter().flat_map(|table| table.rows.iter().flatten());
        let spans = tables.chain(values.alone.iter().map(|(_, span)| span));
        let last = spans.map(|span| span.1).max().unwrap_or(0);
        let alone: Vec<&Span<usize>> = values
            .alone
            .iter()
            .filter(|(player, _)| among.has(field, *player))
            .map(|(_, span)| span)
            .collect();
        let most = |value: usize| {
            let tables = values.tables.iter().map(|table| table.most(among, field, value));
            tables.sum::<u32>() + alone.iter().filter(|span| span.1 >= value).count() as u32
        };
        let least = |value: usize| {
            let tables = values.tables.iter().map(|table| table.least(among, field, value));
            tables.sum::<u32>() + alone.iter().filter(|span| span.0 > value).count() as u32
        };
        Counts { most: (0..=last).map(most).collect(), least: (0..=last).map(least).collect() }
    }
}

/// The measure that the order begins with, where a player's own results alone decide it.
fn first(rules: &Ruleset, steps: &[Step]) -> Option<(usize, bool)> {
    let Step::Measure { measure, lowest_first } = *steps.first()? else { return None };
    let taken = taken_by(rules, measure);
    let mut taken = rules.measures.iter().zip(&taken).filter(|(_, taken)| **taken);
    let is_own = |one: &Measure| match &one.formula {
        Formula::Total(_) | Formula::Ratio { .. } | Formula::SumOf(_) => true,
        Formula::Fact(fact) => {
            matches!(
                fact,
                Fact::SignUp | Fact::Seed | Fact::SeedIfKnown | Fact::Late | Fact::Rating
            )
        }
        Formula::Opponents(_)
        | Formula::AsLeft(_)
        | Formula::AsDrawn(_)
        | Formula::Performance(_) => false,
    };
    taken.all(|(one, _)| is_own(one)).then_some((measure, lowest_first))
}

fn taken_by(rules: &Ruleset, measure: usize) -> Vec<bool> {
    let mut needed = vec![false; rules.measures.len()];
    needed[measure] = true;
    rules.with_inputs(needed)
}

/// The lowest and the highest that a round adds to a measure, where it adds up points and nothing else.
fn added_by_a_round(rules: &Ruleset, measure: &Measure) -> Option<Span<BigRational>> {
    let Formula::Total(total) = &measure.formula else { return None };
    let is_plain = total.of == Quantity::Points
        && total.outcomes == Outcomes::ALL
        && total.kinds.contains_all(RoundKinds::FINISHED)
        && total.byes == Byes::Count
        && (total.each_at_least, total.each_at_most, total.decay) == (None, None, None)
        && !total.last_requested_byes_draw
        && (measure.floor, measure.cap, measure.round) == (None, None, None)
        && (measure.cap_if_dropped, measure.cap_if_dropped_early) == (None, None);
    let (low, high) = worth_of_a_round(rules).filter(|_| is_plain)?;
    let exact = |value: crate::ratio::Fraction| {
        BigRational::new(BigInt::from(value.num()), BigInt::from(value.den()))
    };
    Some((exact(low), exact(high)))
}

/// What everybody can come to; none where it cannot be bounded.
fn values(field: &Field<'_>, now: &Standings) -> Result<Option<Values<BigRational>>, FoldError> {
    let Some((measure, lowest_first)) = first(field.rules, now.steps()) else { return Ok(None) };
    let added = added_by_a_round(field.rules, &field.rules.measures[measure]);
    let added = added.filter(|_| !lowest_first);
    let looks = looks_at_scores(field.rules, &taken_by(field.rules, measure));
    let mut playing = vec![0u16; now.table().len()];
    field.open.iter().flat_map(|open| &open.seats).for_each(|seat| playing[*seat as usize] += 1);
    let Some(rounds) = field.rounds_left else { return Ok(None) };
    let groups = groups(field, playing.len());
    let tables = groups.iter().filter_map(|group| Table::of(field, group, looks));
    let mut tables: Vec<Table<BigRational>> = tables.collect();
    if added.is_none() && (rounds > 0 || tables.len() < groups.len()) {
        return Ok(None);
    }
    let span = |value: BigRational, rounds: u16| match &added {
        Some((low, high)) if rounds > 0 => {
            let rounds = BigRational::from_integer(rounds.into());
            (&value + low * &rounds, value + high * rounds)
        }
        _ => (value.clone(), value),
    };
    let signed = |standings: &Standings, player: Index| {
        let column = standings.last_layer().measured.column(measure)?;
        let value = column.value(player);
        Some(if lowest_first { -value } else { value })
    };
    let mut places = vec![None; playing.len()];
    for (at, table) in tables.iter().enumerate() {
        for (seat, player) in table.seats.iter().enumerate() {
            places[*player as usize] = Some(Place::Table { at, seat });
        }
    }
    for row in 0..tables.iter().map(Table::size).max().unwrap_or(0) {
        let results = tables.iter().flat_map(|table| {
            // Where a table has fewer, one that it had already.
            let row = row % table.size();
            table.matches.iter().enumerate().map(move |(at, one)| {
                let (open, kind) = (&field.open[one.open], table.kind(row, at));
                let result = one.kind_of.iter().position(|of| *of == kind).unwrap_or(0);
                (open.pairing, &open.ends.list[result].result)
            })
        });
        let standings = field.with(results)?;
        for table in tables.iter_mut().filter(|table| row < table.size()) {
            let seats = table.seats.iter().map(|seat| signed(&standings, *seat));
            let Some(seats) = seats.collect::<Option<Vec<_>>>() else { return Ok(None) };
            table.rows.push(seats.into_iter().map(|value| span(value, rounds)).collect());
        }
    }
    let without = without_unsettled(field)?;
    let mut alone = Vec::new();
    for (player, place) in (0..).zip(&mut places) {
        if place.is_none() {
            let Some(value) = signed(without.as_ref().unwrap_or(now), player) else {
                return Ok(None);
            };
            *place = Some(Place::Alone(alone.len()));
            let rounds = rounds.saturating_add(playing[player as usize]);
            alone.push((player, span(value, rounds)));
        }
    }
    Ok(Some(Values { tables, alone, places: places.into_iter().flatten().collect() }))
}

/// The standings in which no result counts that is not settled; none: those of now.
fn without_unsettled(field: &Field<'_>) -> Result<Option<Standings>, FoldError> {
    let of = |open: &super::OpenMatch| {
        let found = field.state.match_at(open.pairing)?;
        found.result()?;
        let rulings = found.seats().iter().map(|_| Some(Ruling::NoResult)).collect();
        Some((open.pairing, MatchResult { rulings, ..MatchResult::played(Score::default()) }))
    };
    let none: Vec<(Seq, MatchResult)> = field.open.iter().filter_map(of).collect();
    let results = none.iter().map(|(pairing, result)| (*pairing, result));
    (!none.is_empty()).then(|| field.with(results)).transpose()
}

/// The open matches in groups of which no two share a player: by their places among all of them, in their order.
fn groups(field: &Field<'_>, players: usize) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut group_of: Vec<Option<usize>> = vec![None; players];
    for (at, open) in field.open.iter().enumerate() {
        let mut group = vec![at];
        for known in open.seats.iter().filter_map(|seat| group_of[*seat as usize]) {
            group.append(&mut groups[known]);
        }
        for seat in group.iter().flat_map(|at| &field.open[*at].seats) {
            group_of[*seat as usize] = Some(groups.len());
        }
        group.sort_unstable();
        groups.push(group);
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// Of which kind each result is: each of its own where scores are looked at, else one for each way in which it comes
/// out, as rules may tell what was forfeited from what was played.
fn kinds_of(list: &[MatchEnd], looks: bool) -> Vec<usize> {
    let mut kinds: Vec<([Outcome; 2], How)> = Vec::new();
    let kind = |(at, end): (usize, &MatchEnd)| {
        if looks {
            return at;
        }
        let own = (end.outcomes, end.result.how);
        kinds.iter().position(|known| *known == own).unwrap_or_else(|| {
            kinds.push(own);
            kinds.len() - 1
        })
    };
    list.iter().enumerate().map(kind).collect()
}

/// The same values as places among all of them, from 0.
fn as_places(values: Values<BigRational>) -> Values<usize> {
    let spans = values.tables.iter().flat_map(|table| table.rows.iter().flatten());
    let spans = spans.chain(values.alone.iter().map(|(_, span)| span));
    // Few differ, and are found faster among themselves than sorted all together.
    let all: BTreeSet<&BigRational> = spans.flat_map(|(low, high)| [low, high]).collect();
    let all: Vec<&BigRational> = all.into_iter().collect();
    let place = |value: &BigRational| all.binary_search(&value).unwrap_or_else(|place| place);
    let places = |(low, high): &Span<BigRational>| (place(low), place(high));
    let table = |table: &Table<BigRational>| Table {
        seats: table.seats.clone(),
        matches: table.matches.clone(),
        rows: table.rows.iter().map(|seats| seats.iter().map(places).collect()).collect(),
    };
    Values {
        tables: values.tables.iter().map(table).collect(),
        alone: values.alone.iter().map(|(player, span)| (*player, places(span))).collect(),
        places: values.places.clone(),
    }
}
