//! Dates in the lines above a table, as people write them in the six languages of its columns.

use super::names;
use crate::build::{MONTHS, day};
use crate::trf::held_on;
use scrutineer_engine::event::Day;
use scrutineer_engine::names::plain;
use std::ops::Range;

/// A line that has a date in it.
pub(super) struct Dated {
    /// The day; none where the date does not say for sure which.
    pub day: Option<Day>,
    /// What is to be told of a date that does not.
    pub unclear: Option<String>,
    /// The line without it.
    pub rest: String,
}

impl Dated {
    /// Whether the rest of the line says something of its own, beside weekdays, hours and the word for a date.
    pub fn has_words(&self) -> bool {
        self.rest
            .split(|c: char| !c.is_alphabetic())
            .any(|word| word.chars().count() > 1 && !has(BESIDE, &plain(word)))
    }
}

/// What stands between a day, its month and its year.
const BETWEEN: &str = "st nd rd th er o a of de del di do d the";

/// What stands between the first and the last day of several.
const UNTIL: &str = "and und et y e to bis au al a";

const BESIDE: &str = "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri \
    sat sun montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so lundi \
    mardi mercredi jeudi vendredi samedi dimanche lun mer jeu ven sam dim lunes martes miercoles jueves viernes \
    sabado domingo mie jue vie sab dom lunedi martedi mercoledi giovedi venerdi sabato domenica mar gio segunda \
    terca quarta quinta sexta feira seg ter qua qui sex date datum fecha data jour tag day dia giorno uhr um am \
    pm on the le el il den vom von from bis to au al du de del da of em no at ab and und et";

fn has(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|one| one == word)
}

/// The date in a line, if it has one.
pub(super) fn dated(line: &str) -> Option<Dated> {
    let (found, at) = in_numbers(line).or_else(|| in_words(line))?;
    let rest = format!("{} {}", &line[..at.start], &line[at.end..]);
    let rest = rest.split_whitespace().collect::<Vec<_>>().join(" ");
    let (day, unclear) = match found {
        Ok(day) => (Some(day), None),
        Err(unclear) => (None, Some(unclear)),
    };
    Some(Dated { day, unclear, rest })
}

type Found = (Result<Day, String>, Range<usize>);

/// A date of numbers alone, such as `3.11.2026`, `2026-11-03`, `7./8.11.2026`.
fn in_numbers(line: &str) -> Option<Found> {
    let is_sign = |c: char| matches!(c, ',' | ';' | ':' | '(' | ')' | '[' | ']' | '.');
    let mut unclear = None;
    for word in line.split(char::is_whitespace) {
        let word = word.trim_matches(is_sign);
        let start = word.as_ptr() as usize - line.as_ptr() as usize;
        let at = start..start + word.len();
        if let Some(day) = of_numbers(word) {
            return Some((Ok(day), at));
        }
        unclear = unclear.or_else(|| Some((Err(either(word)?), at)));
    }
    unclear
}

fn of_numbers(word: &str) -> Option<Day> {
    let parts: Vec<&str> =
        word.split(['/', '.', '-', '\u{2013}']).filter(|part| !part.is_empty()).collect();
    let written =
        |year: &str, month: &str, date: &str| day(&format!("{year}-{month:0>2}-{date:0>2}"));
    let of_points = word.contains('.');
    match parts[..] {
        [one, two, year] if year.len() == 4 && !of_points => {
            // Twelve months: the greater number is the day, wherever it stands.
            let (first, second) = (one.parse::<u8>().ok()?, two.parse::<u8>().ok()?);
            match first == second || second > 12 {
                true => written(year, one, two),
                false => held_on(word),
            }
        }
        [first, last, month, year] if of_points && year.len() == 4 => {
            let (first, last) = (first.parse::<u8>().ok()?, last.parse::<u8>().ok()?);
            written(year, month, &first.to_string()).filter(|_| first < last)
        }
        [date, month, _, last_month, year] if of_points && year.len() == 4 => {
            // `29.12.-02.01.2027` begins in the year before.
            let [first, last] = [month, last_month].map(|month| month.parse::<u8>());
            let before = u16::from(first.ok()? > last.ok()?);
            written(&(year.parse::<u16>().ok()?.checked_sub(before)?).to_string(), month, date)
        }
        [date, month, year, _, _, _] if of_points && year.len() == 4 => written(year, month, date),
        _ => held_on(word).or_else(|| day(word)),
    }
}

/// The first of the days in a column of dates. `13/10/2026` says of every date of the column which number is the day;
/// none where one of them may be another day all the same, since that one may be the first.
pub(super) fn first(cells: &[&str]) -> Option<Day> {
    let all = || cells.iter().copied();
    let greater = |at: usize| all().filter_map(between_strokes).any(|date| date[at] > 12);
    let is_day_first = match (greater(0), greater(1)) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    };
    let written = |[year, month, date]: [u16; 3]| day(&format!("{year}-{month:02}-{date:02}"));
    let of = |cell: &str| match (between_strokes(cell), is_day_first) {
        (Some([date, month, year]), Some(true)) => Some(written([year, month, date])),
        (Some([month, date, year]), Some(false)) => Some(written([year, month, date])),
        _ => dated(cell).map(|dated| dated.day),
    };
    all().filter_map(of).collect::<Option<Vec<Day>>>()?.into_iter().min()
}

/// The numbers of a date whose year stands last, behind a stroke: `05/10/2026`, `5-10-2026`.
fn between_strokes(cell: &str) -> Option<[u16; 3]> {
    let date = cell.split_whitespace().find(|word| word.contains(['/', '-']))?;
    let parts: Vec<&str> = date.split(['/', '-']).collect();
    let [one, two, year] = parts[..] else { return None };
    let number = |part: &str| part.parse::<u16>().ok();
    let (one, two, year) = (number(one)?, number(two)?, number(year)?);
    let is_date = |number| (1..=31).contains(&number);
    (is_date(one) && is_date(two) && (1900..2200).contains(&year)).then_some([one, two, year])
}

/// What is to be told of a date of numbers that may be one day or another.
fn either(word: &str) -> Option<String> {
    let parts: Vec<&str> = word.split(['/', '.', '-']).collect();
    let [one, two, three] = parts[..] else { return None };
    let number = |part: &str| part.parse::<u8>().ok().filter(|_| part.len() <= 2);
    let (first, second) = (number(one)?, number(two)?);
    let is_date = (1..=31).contains(&first) && (1..=31).contains(&second);
    let by_point = word.contains('.');
    match three.len() {
        4 if is_date && !by_point => {
            let year = three.parse::<u16>().ok().filter(|year| (1900..2200).contains(year))?;
            Some(format!(
                "The date {word:?} is not read: of {first} and {second} it does not say which is the day. Type \
                 {year}-{second:02}-{first:02} or {year}-{first:02}-{second:02} instead."
            ))
        }
        2 if is_date && !word.contains('-') && number(three).is_some() => Some(not_whole(word)),
        _ => None,
    }
}

fn not_whole(date: &str) -> String {
    format!("The date {date:?} is not read: type it with its whole year, such as 2026-05-31.")
}

/// A piece of a line: a number, or a word in small letters without accents.
enum Piece<'l> {
    Number(&'l str),
    Word(String),
}

/// The numbers and words of a line, with where they stand.
fn pieces(line: &str) -> Vec<(Piece<'_>, Range<usize>)> {
    let kind = |c: char| match c {
        _ if c.is_ascii_digit() => 1,
        '\u{300}'..='\u{36f}' => 2,
        _ if c.is_alphabetic() => 2,
        _ => 0,
    };
    let mut ranges: Vec<(u8, Range<usize>)> = Vec::new();
    for (at, c) in line.char_indices() {
        let end = at + c.len_utf8();
        match ranges.last_mut().filter(|(own, range)| *own == kind(c) && range.end == at) {
            Some((_, range)) => range.end = end,
            None => ranges.push((kind(c), at..end)),
        }
    }
    let piece = |(kind, at): (u8, Range<usize>)| match kind {
        0 => None,
        1 => Some((Piece::Number(&line[at.clone()]), at)),
        _ => Some((Piece::Word(plain(&line[at.clone()])), at)),
    };
    ranges.into_iter().filter_map(piece).collect()
}

/// A date with the name of its month, such as `3. November 2026`, `Nov 3, 2026`, `7 y 8 de noviembre de 2026`.
fn in_words(line: &str) -> Option<Found> {
    let pieces = pieces(line);
    let word = |at: usize| match &pieces.get(at)?.0 {
        Piece::Word(word) => Some(word.as_str()),
        Piece::Number(_) => None,
    };
    let number = |at: usize, digits: Range<usize>| match &pieces.get(at)?.0 {
        Piece::Number(number) if digits.contains(&number.len()) => number.parse::<u16>().ok(),
        _ => None,
    };
    let date = |at: usize| number(at, 1..3).filter(|date| (1..=31).contains(date));
    let year = |at: usize| number(at, 4..5).filter(|year| (1900..2200).contains(year));
    let is = |at: usize, list: &str| word(at).is_some_and(|word| has(list, word));
    let after = |mut at: usize| {
        while is(at, BETWEEN) {
            at += 1;
        }
        at
    };
    let before = |mut at: usize| {
        while at > 0 && is(at - 1, BETWEEN) {
            at -= 1;
        }
        at.checked_sub(1)
    };
    // Of several days the first one; what counts the round is none.
    let first_of = |at: usize| {
        let until = if at > 0 && is(at - 1, UNTIL) { at - 1 } else { at };
        let earlier = |first: &usize| {
            let gap = &line[pieces[*first].1.end..pieces[at].1.start];
            let counts = |of: usize| {
                word(of).is_some_and(|word| names::round(&format!("{word} 1"), false).is_some())
            };
            date(*first).is_some_and(|first| Some(first) < date(at))
                && (until < at || gap.contains(['-', '\u{2013}', '/', '&', '+']))
                && !first.checked_sub(1).is_some_and(counts)
        };
        before(until).filter(earlier).unwrap_or(at)
    };
    let (mut begins, mut unclear) = (None, None);
    for at in 0..pieces.len() {
        let Some(name) = word(at) else { continue };
        let Some(month) = (1u8..).zip(MONTHS).find(|(_, names)| has(names, name)) else { continue };
        let month = month.0;
        let behind = after(at + 1);
        // In `Week 9 - Nov 27 2026` the number ahead is of the week.
        let is_whole = date(behind).is_some() && year(after(behind + 1)).is_some();
        let ahead = before(at).filter(|ahead| date(*ahead).is_some() && !is_whole);
        let span = match ahead {
            Some(ahead) => (first_of(ahead), year(behind).map(|year| (year, behind))),
            None if date(behind).is_some() => {
                // `Nov 7-8, 2026`
                let next = after(behind + 1);
                let next = if date(next).is_some() { after(next + 1) } else { next };
                (behind, year(next).map(|year| (year, next)))
            }
            None => continue,
        };
        let (at_date, found) = span;
        let own = date(at_date).and_then(|date| u8::try_from(date).ok())?;
        let start = pieces[at_date.min(at)].1.start;
        let Some((year, last)) = found else {
            // `31 October - 1 November 2026`
            begins = begins.or(Some((month, own, start, at_date)));
            let end = pieces[at.max(at_date)].1.end;
            if name.len() > 3 && unclear.is_none() {
                unclear = Some((Err(not_whole(&line[start..end])), start..end));
            }
            continue;
        };
        // In `mar 3 novembre 2026` a weekday is written as a month is.
        let (year, month, own, start) = match begins.filter(|begins| begins.3 != at_date) {
            Some((first, date, start, _)) => (year - u16::from(first > month), first, date, start),
            None => (year, month, own, start),
        };
        let end = pieces[last].1.end;
        return day(&format!("{year}-{month:02}-{own:02}")).map(|day| (Ok(day), start..end));
    }
    unclear
}
