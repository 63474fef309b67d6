//! The first day of a tournament, as programs and people write it into 042.

use crate::build::{MONTHS, day};
use crate::report::ChessReport;
use scrutineer_engine::event::Day;
use scrutineer_engine::names::plain;

/// Words within a date, and words between two, in the same languages.
const OF: &str = "of the de di del do den van";
const TO: &str = "to until and bis und au et al y e a ate ao tot en";

/// What stands behind the number of a day, in the same languages.
const ORDINALS: [&str; 12] =
    ["", "st", "nd", "rd", "th", "er", "e", "de", "ste", "o", "\u{ba}", "\u{aa}"];

/// How one day stands in words, or the first and the last of several: its date (`d`), month and year.
const SHAPES: [&str; 18] = [
    "dmy", "mdy", "ymd", "ydm", "ddmy", "mddy", "ymdd", "yddm", "dmdmy", "mdmdy", "mddmy", "dmydm",
    "mdymd", "dmydmy", "mdymdy", "ymdmd", "ymdymd", "ydmdm",
];

/// Whether a text says anything, be it a day or not: programs write `0000/00/00` where nobody said one.
pub fn says_any(text: &str) -> bool {
    text.chars().any(|c| c.is_alphanumeric() && c != '0')
}

/// The first of the days that a text says, where it or the report's other records settle which.
pub fn first_day(text: &str, report: &ChessReport) -> Option<Day> {
    let text = text.trim();
    of_numbers(text)
        .or_else(|| of_several(text))
        .or_else(|| in_words(text))
        .or_else(|| of_short_year(text, report))
}

/// The day of a date in one of the notations that files have, where it says for sure which.
pub(crate) fn held_on(text: &str) -> Option<Day> {
    let parts: Vec<&str> =
        text.split(['/', '.', '-', ' ']).filter(|part| !part.is_empty()).collect();
    let [one, two, three] = parts[..] else { return None };
    let is_number = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
    if ![one, two, three].iter().all(is_number) {
        return None;
    }
    // Points stand behind days; between strokes the first may be a month.
    let is_day_first = text.contains('.') || one.parse::<u8>().is_ok_and(|day| day > 12);
    let (year, month, date) = match (one.len(), three.len()) {
        (4, _) => (one, two, three),
        (1..=2, 4) if is_day_first => (three, two, one),
        _ => return None,
    };
    day(&format!("{year}-{month:0>2}-{date:0>2}"))
}

/// A day in numbers: also `20260501`, and between strokes where one number can be no month.
fn of_numbers(text: &str) -> Option<Day> {
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if text.len() == 8 && is_number(text) {
        return day(&format!("{}-{}-{}", &text[..4], &text[4..6], &text[6..]));
    }
    let month_first = || {
        let parts: Vec<&str> = text.split(['/', '.', '-']).collect();
        let [month, date, year] = parts[..] else { return None };
        let is_sure = month == date || date.parse::<u8>().is_ok_and(|date| date > 12);
        let is_whole = year.len() == 4 && [month, date].iter().all(|part| part.len() <= 2);
        day(&format!("{year}-{month:0>2}-{date:0>2}")).filter(|_| is_sure && is_whole)
    };
    held_on(text).or_else(month_first)
}

/// The first of several days, such as `2026/05/01 - 2026/05/03` or `1.-3.5.2026`; or the day before an hour.
fn of_several(text: &str) -> Option<Day> {
    let word = text.split_whitespace().next()?;
    if let Some(first) = of_numbers(word.trim_end_matches([',', ';'])) {
        return Some(first);
    }
    let (first, last) = text.split_once(['-', '\u{2013}'])?;
    let (first, last) = (first.trim(), of_numbers(last.trim()));
    if !first.is_empty() && first.len() <= 3 {
        let (date, last) = (first.trim_end_matches('.').parse::<u8>().ok()?, last?);
        let Day { year, month, day: end } = last;
        return day(&format!("{year}-{month:02}-{date:02}")).filter(|_| date < end);
    }
    of_numbers(first)
}

/// A day with its month in words: `May 31, 2026`, `31. Mai 2026`, `1st-3rd May 2026`. A number is a date only where it
/// stands beside a month, or before or behind another date; with any other number no day is sure. Words that name no
/// month may name a day of the week.
fn in_words(text: &str) -> Option<Day> {
    let (mut dates, mut months, mut years) = (Vec::new(), Vec::new(), Vec::new());
    let (mut shape, mut rest) = (String::new(), text);
    // What stands behind the last of them: something that says "to", and a word that says nothing.
    let (mut is_range, mut is_apart) = (false, false);
    while let Some(from) = rest.find(char::is_alphanumeric) {
        let (gap, behind) = rest.split_at(from);
        let to = behind.find(|c: char| !c.is_alphanumeric()).unwrap_or(behind.len());
        let (word, behind) = behind.split_at(to);
        rest = behind;
        is_range |= gap.contains(['-', '\u{2013}', '\u{2014}', '/', '&', '+']);
        let letters = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = word.strip_suffix(letters)?;
        let piece = if digits.is_empty() {
            let word = plain(word);
            let is_in = |words: &str| words.split(' ').any(|one| one == word);
            match (1u8..).zip(MONTHS).find(|(_, names)| is_in(names)) {
                Some((month, _)) => {
                    months.push(month);
                    'm'
                }
                None if is_in(OF) => continue,
                None if is_in(TO) => {
                    is_range = true;
                    continue;
                }
                // `7 rounds`.
                None if shape.ends_with('d') && gap.trim().is_empty() => return None,
                None => {
                    is_apart = true;
                    continue;
                }
            }
        } else {
            match (digits.len(), digits.parse::<u16>().ok()?) {
                (4, year) if letters.is_empty() => {
                    years.push(year);
                    'y'
                }
                (1 | 2, date @ 1..=31) if ORDINALS.contains(&letters) => {
                    dates.push(date);
                    'd'
                }
                _ => return None,
            }
        };
        let is_beside = match (shape.chars().next_back(), piece) {
            (Some('d'), 'd') => is_range,
            // `31. May` and `31-May`, and not `Round 7 - May 2026`.
            (Some('d'), 'm') if !shape.contains('m') => {
                let between = gap.trim_matches(|c: char| c == '.' || c.is_whitespace());
                !is_apart && (between.is_empty() || ["-", "/"].contains(&gap))
            }
            (Some('d'), 'm') | (Some('m'), 'd') => is_range || !is_apart,
            _ => true,
        };
        if !is_beside {
            return None;
        }
        shape.push(piece);
        (is_range, is_apart) = (false, false);
    }
    let (date, month, mut year) = (*dates.first()?, *months.first()?, *years.first()?);
    // The days of one month follow each other.
    if !SHAPES.contains(&shape.as_str()) || (months.len() == 1 && !dates.is_sorted()) {
        return None;
    }
    // `29 December - 2 January 2027` begins in the year before; `27 December 2026 - 3 January` does not.
    if years.len() == 1 && shape.ends_with('y') && months.last().is_some_and(|last| *last < month) {
        year = year.checked_sub(1)?;
    }
    day(&format!("{year:04}-{month:02}-{date:02}"))
}

/// The first day of a round, where 132 says days and nothing else, in their order and within a year: of others it is
/// not sure which number is the year.
pub fn of_rounds(report: &ChessReport) -> Option<Day> {
    let of_round = |text: &str| held_on(text).or_else(|| of_two_digits(text));
    let days = report.of("132").flat_map(str::split_whitespace).map(of_round);
    let days = days.collect::<Option<Vec<Day>>>()?;
    let (first, last) = (*days.first()?, *days.last()?);
    let date = |day: Day| (day.month, day.day);
    let is_within = first.year == last.year
        || first.year.checked_add(1) == Some(last.year) && date(last) < date(first);
    Some(first).filter(|_| days.is_sorted() && is_within)
}

/// A day whose year has two digits, as 132 has them: where the same stands there, or it is no later than the last
/// day (052) and of its year or the one before.
fn of_short_year(text: &str, report: &ChessReport) -> Option<Day> {
    let first = of_two_digits(text)?;
    let is_of_round = report.of("132").flat_map(str::split_whitespace).any(|one| one == text);
    let last = report.of("052").find_map(|one| of_numbers(one.trim()).or_else(|| in_words(one)));
    let is_before = last.is_some_and(|last| first <= last && last.year - first.year <= 1);
    Some(first).filter(|_| is_of_round || is_before)
}

/// The same where nothing else says that it is one: the year, of this century, stands first.
fn of_two_digits(text: &str) -> Option<Day> {
    let parts: Vec<&str> = text.split(['/', '.', '-']).collect();
    let [year, month, date] = parts[..] else { return None };
    let is_short = |part: &&str| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
    if ![year, month, date].iter().all(is_short) {
        return None;
    }
    day(&format!("20{year}-{month}-{date}"))
}
