//! A match in one line or one cell, as people type it: `Ann Lee 2 - 1 Bob Smith`, `Ann - Bob 2:1`, `Ann v Bob`,
//! `Bob postponed Cy`, `Cid Ray BYE`; and lists of such lines.

use super::grid::{Grid, Row};
use super::names::{self, Role, is_nobody};
use super::result::{self, Cell, Outcome};
use super::{above, days};
use crate::build::Oddities;
use crate::error::shortened;
use crate::{Fault, ImportError};
use scrutineer_engine::names::folded;
use std::collections::{BTreeMap, BTreeSet};

/// Two players, and how it ended as it is written; empty where it is to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Played {
    pub first: String,
    pub second: String,
    pub result: String,
}

/// Words between two players that say who won: how it ended for the first one, in the order in which they are looked
/// for.
const SAID: [(&str, Outcome); 24] = [
    (" lost to ", Outcome::Second),
    (" lost against ", Outcome::Second),
    (" loses to ", Outcome::Second),
    (" verliert gegen ", Outcome::Second),
    (" verlor gegen ", Outcome::Second),
    (" unterliegt ", Outcome::Second),
    (" unterlag ", Outcome::Second),
    (" drew with ", Outcome::Draw),
    (" drew against ", Outcome::Draw),
    (" drew ", Outcome::Draw),
    (" draws with ", Outcome::Draw),
    (" gewinnt gegen ", Outcome::First),
    (" gewann gegen ", Outcome::First),
    (" beat ", Outcome::First),
    (" beats ", Outcome::First),
    (" defeats ", Outcome::First),
    (" defeated ", Outcome::First),
    (" def. ", Outcome::First),
    (" def ", Outcome::First),
    (" schl\u{e4}gt ", Outcome::First),
    (" schlug ", Outcome::First),
    (" besiegt ", Outcome::First),
    (" over ", Outcome::First),
    (" d. ", Outcome::First),
];

/// What is asked for in the place of what is no match.
pub(super) const A_MATCH: &str = "a match such as Ann Lee 2 - 1 Bob Smith, Ann Lee beat Bob Smith 2-1, Ann Lee - Bob \
                                  Smith where it is to be played, Cid Ray BYE, or the name of a round";

/// The most of a line: nobody types more for a match.
const LONGEST: usize = 300;

fn is_name(text: &str) -> bool {
    text.contains(char::is_alphabetic)
}

/// Words without the spaces around signs; none where that would make one number of two.
fn joined(words: &[&str]) -> Option<String> {
    let is_part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let is_two =
        |two: &[&str]| is_part(two[0].chars().next_back()) && is_part(two[1].chars().next());
    (!words.windows(2).any(is_two)).then(|| words.concat())
}

/// Whether words are a result that no name can be: of two sides, or a draw.
fn is_result(text: &str) -> bool {
    let text = text.trim_matches(['(', ')', '[', ']', ',']);
    let is_number = |part: &str| part.len() < 4 && (part.len() == 1 || !part.starts_with('0'));
    let numbers = || text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    let has_sides = text.chars().count() > 1;
    if text.contains(char::is_alphabetic) || !numbers().all(is_number) {
        return false;
    }
    match result::read(text) {
        Cell::Games { .. } => true,
        Cell::Outcome {
            outcome: Outcome::Draw | Outcome::HalfFirst | Outcome::HalfSecond, ..
        } => true,
        Cell::Outcome { forfeit, .. } => forfeit && has_sides,
        Cell::Dashes => text.contains(':') && has_sides,
        _ => false,
    }
}

/// Whether a last word says how a match ended, and is no name: a draw, that nobody came, that it is not played yet.
/// Names begin with a capital letter; a noun does in German too.
fn is_word(text: &str) -> bool {
    const NOUNS: [&str; 6] = ["Remis", "Unentschieden", "Draw", "Drawn", "Postponed", "Offen"];
    let word = text.trim_matches(['(', ')', '[', ']', ',', '.']);
    let is_small = !word.contains(char::is_uppercase) && word.contains(char::is_alphabetic);
    let says = match result::read(word) {
        Cell::Outcome { outcome, .. } => outcome == Outcome::Draw,
        Cell::Open => true,
        _ => false,
    };
    says && (is_small || NOUNS.contains(&word)) || result::says_later(word)
}

/// Both players of a cell, and the result between or behind them, or none.
fn played(text: &str) -> Option<Played> {
    if text.len() > LONGEST {
        return None;
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let apart = |from: usize, to: usize, result: String| {
        let (first, second) = (words[..from].join(" "), words[to..].join(" "));
        let is_one = |text: &str| {
            is_name(text) && !text.starts_with(['-', ':', '\u{2013}']) && !has_score(text)
        };
        (is_one(&first) && is_one(&second)).then_some(Played { first, second, result })
    };
    // `2 - 1` is longer than `2-1`, and of `1/2 - 1/2` the half is not all.
    for size in (1..=3).rev() {
        for from in 1..words.len().saturating_sub(size) {
            if let Some(said) = joined(&words[from..from + size])
                && is_result(&said)
                && let Some(found) = apart(from, from + size, said)
            {
                return Some(found);
            }
        }
    }
    let is_later =
        |at: &usize| result::says_later(words[*at]) && words[*at].starts_with(char::is_lowercase);
    if names::pair(text).is_none()
        && let Some(at) = (1..words.len().saturating_sub(1)).find(is_later)
        && let Some(found) = apart(at, at + 1, words[at].to_owned())
    {
        return Some(found);
    }
    // Of `verliert gegen` the last word alone stands between two players too.
    let is_said = SAID.iter().any(|(by, _)| by.ends_with(" gegen ") && text.contains(by));
    let Some((first, rest)) = names::pair(text).filter(|_| !is_said) else { return said(text) };
    let rest_words: Vec<&str> = rest.split_whitespace().collect();
    for size in (1..=3.min(rest_words.len().saturating_sub(1))).rev() {
        let (name, said) = rest_words.split_at(rest_words.len() - size);
        let (name, text) = (name.join(" "), said.join(" "));
        let is_open = result::read(&text) == Cell::Open;
        let is_small = !text.contains(char::is_uppercase) && text.contains(char::is_alphabetic);
        let is_said = joined(said).is_some_and(|said| is_result(&said))
            || size == 1 && is_word(said[0])
            || size > 1 && result::says_later(said[0]) && is_open
            || is_open && is_small;
        if is_said && is_name(&name) {
            let second =
                name.trim_end_matches([',', ':', ' ', '-', '\u{2013}', '\u{2014}']).to_owned();
            let result = text.trim_matches(['(', ')', '[', ']', ',']).to_owned();
            return Some(Played { first: first.to_owned(), second, result });
        }
    }
    Some(Played { first: first.to_owned(), second: rest.to_owned(), result: String::new() })
}

/// `Ann beat Bob 2-1`, `Bob lost to Ann`: who won stands in words, with the games behind or without.
fn said(text: &str) -> Option<Played> {
    let (by, outcome) = SAID.iter().find(|(by, _)| text.contains(by))?;
    let (first, rest) = text.split_once(by)?;
    let words: Vec<&str> = rest.split_whitespace().collect();
    let behind = |size: &usize| {
        let (name, score) = words.split_at_checked(words.len().checked_sub(*size)?)?;
        Some((name.join(" "), joined(score).filter(|score| is_result(score))?))
    };
    let (second, score) = match [3, 2, 1].iter().find_map(behind) {
        Some((second, score)) => (second, score),
        // Short words stand between other things too.
        None if [" over ", " d. "].contains(by) => return None,
        None => (rest.to_owned(), String::new()),
    };
    let second = second.trim_end_matches([',', ':', ' ', '-', '\u{2013}']).to_owned();
    let is_one = |name: &str| is_name(name) && !has_score(name);
    let result = match (result::read(score.trim_matches(['(', ')', '[', ']', ','])), outcome) {
        (Cell::Open, Outcome::First) => "win".to_owned(),
        (Cell::Open, Outcome::Second) => "loss".to_owned(),
        (Cell::Open, _) => "draw".to_owned(),
        (Cell::Games { games: [one, other, drawn], forfeit: false }, outcome) => {
            // Who lost is told with the games of the winner first as well.
            let is_turned = *outcome == Outcome::Second && one > other;
            let games = if is_turned { [other, one, drawn] } else { [one, other, drawn] };
            if result::winner(games) != *outcome {
                return None;
            }
            let behind = if drawn > 0 { format!("-{drawn}") } else { String::new() };
            format!("{}-{}{behind}", games[0], games[1])
        }
        (Cell::Outcome { outcome: read, forfeit: false }, outcome) if read == *outcome => score,
        _ => return None,
    };
    (is_one(first) && is_one(&second)).then(|| Played {
        first: first.trim().to_owned(),
        second,
        result,
    })
}

/// `Cid Ray BYE`, `Cid Ray - spielfrei`, `Bye: Cid Ray`: who has no opponent, and the word for it.
fn with_bye(cell: &str) -> Option<(String, String)> {
    let is_bye = |word: &str| word.contains(char::is_alphabetic) && is_nobody(word);
    let apart =
        |text: &str| text.trim_matches([' ', '-', '\u{2013}', '\u{2014}', ':', ',']).to_owned();
    let (before, last) = cell.rsplit_once([' ', '(']).unwrap_or(("", cell));
    let (first, behind) = cell.split_once([' ', ':']).unwrap_or((cell, ""));
    let (player, nobody) = match (is_bye(last), is_bye(first)) {
        (true, _) => (apart(before.trim_end_matches('(')), apart(last.trim_matches([' ', ')']))),
        (_, true) => (apart(behind), apart(first)),
        _ => return None,
    };
    let ends = names::BETWEEN.map(str::trim_end);
    let player = ends.iter().find_map(|by| player.strip_suffix(by)).unwrap_or(&player).to_owned();
    (player.is_empty() || is_name(&player)).then_some((player, nobody))
}

/// A match or a bye: then nobody is the second player.
pub(super) fn met(text: &str) -> Option<Played> {
    let found = played(text);
    let has_result = found.as_ref().is_some_and(|found| !found.result.is_empty());
    let bye = with_bye(text).filter(|_| !has_result);
    bye.map(|(first, second)| Played { first, second, result: String::new() }).or(found)
}

/// A line without what stands beside the match in it, and that: `1.`, `-`, `Table 3:`, `20:00`, `14.03.`, `(1450)`.
fn beside(line: &str, is_numbered: bool) -> (String, Vec<&str>) {
    let mut left_out = Vec::new();
    let mut words: Vec<&str> = line.split_whitespace().collect();
    loop {
        let is_table = |word: &str| names::role(word) == Some(Role::Table);
        let is_mark = |word: &str| matches!(word, "-" | "*" | "\u{2022}" | "\u{2013}" | "\u{b7}");
        let count = match words[..] {
            [first, ..] if is_mark(first) => 1,
            [first, ..] if is_numbered && ordinal(first).is_some() => 1,
            [first, second, _, ..]
                if is_table(first)
                    && second.trim_end_matches([':', '.', ')']).parse::<u16>().is_ok() =>
            {
                2
            }
            _ => break,
        };
        left_out.extend(words.drain(..count).filter(|word| !is_mark(word)));
    }
    words.retain(|word| {
        let is_out = is_hour(word) || is_day(word) || is_rating(word);
        if is_out {
            left_out.push(word);
        }
        !is_out
    });
    // Of `20 Uhr` and of `at 20:00` the word.
    let is_hour_word =
        |word: &&str| matches!(word.to_lowercase().as_str(), "uhr" | "o'clock" | "um" | "at");
    if !left_out.is_empty() {
        while words.first().is_some_and(is_hour_word) {
            left_out.push(words.remove(0));
        }
        while words.last().is_some_and(is_hour_word) {
            left_out.extend(words.pop());
        }
    }
    let is_sign = |word: &&str| matches!(*word, "," | "-" | ":" | "|" | "\u{2013}");
    while words.first().is_some_and(is_sign) && !left_out.is_empty() {
        words.remove(0);
    }
    (words.join(" "), left_out)
}

/// The number that counts a line: `1.`, `2)`, `#3`.
fn ordinal(word: &str) -> Option<u16> {
    let number = word.strip_prefix('#').or_else(|| word.strip_suffix(['.', ')', ':']))?;
    number.parse().ok().filter(|number| (1..1000).contains(number))
}

/// `20:00`, with a sign behind: no score ends in two digits of full or five minutes after so many.
fn is_hour(word: &str) -> bool {
    let word = word.trim_matches([',', '(', ')', 'h']);
    let Some((hour, minute)) = word.split_once(':') else { return false };
    let number = |text: &str| text.parse::<u8>().ok().filter(|_| text.len() == 2);
    let is_minute = number(minute).is_some_and(|minute| minute < 60 && minute % 5 == 0);
    is_minute && hour.parse::<u8>().is_ok_and(|hour| (7..24).contains(&hour))
}

/// A day in numbers: `14.03.`, `14.3.2026`, `14/03/2026`, `2026-03-14`.
fn is_day(word: &str) -> bool {
    let word = word.trim_matches([',', ':', '(', ')']);
    let parts: Vec<&str> = word.split(['.', '/', '-']).collect();
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    match parts[..] {
        [day, month, ""] => word.ends_with('.') && is_number(&day) && is_number(&month),
        [one, two, three] => {
            [one, two, three].iter().all(is_number)
                && (one.len() == 4 || three.len() == 4 || word.contains(['.', '/']))
        }
        _ => false,
    }
}

/// A number behind a name: `(1450)`, `(3,5)`.
fn is_rating(word: &str) -> bool {
    let inner =
        word.strip_prefix('(').and_then(|word| word.trim_end_matches(',').strip_suffix(')'));
    inner.is_some_and(|inner| {
        inner.contains(|c: char| c.is_ascii_digit())
            && inner.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '\u{bd}'))
    })
}

/// What a line of a list is.
enum Line {
    Match(Played),
    Bye(Played),
    /// The name of a round.
    Round,
    /// What a list has above it, such as the name of its column.
    Head,
    /// Two words with a dash between them that are rather a title or a note than a match to be played, which is told.
    Doubtful,
    Other,
}

fn line(text: &str) -> Line {
    match met(text) {
        _ if above::heading(text).is_some() => Line::Round,
        Some(found) if is_nobody(&found.second) => Line::Bye(found),
        _ if heads(text) => Line::Head,
        Some(found) => Line::Match(found),
        None => Line::Other,
    }
}

/// Whether a cell is what a list of matches has above it.
pub(super) fn heads(cell: &str) -> bool {
    const ABOVE: [&str; 10] = [
        "spiel", "spiele", "match", "matches", "matchs", "partie", "partien", "parties", "partita",
        "partido",
    ];
    names::is_known(cell) || ABOVE.contains(&scrutineer_engine::names::plain(cell).as_str())
}

/// Whether a line is neither the name of a round nor of a column.
fn is_plain(text: &str) -> bool {
    above::heading(text).is_none() && !heads(text)
}

/// A line as what it is, and what stands beside the match in it.
fn apart_from_beside(text: &str, is_numbered: bool) -> (Line, Vec<&str>) {
    let (rest, left_out) = beside(text, is_numbered);
    match line(&rest) {
        found @ (Line::Match(_) | Line::Bye(..)) if is_plain(text) => (found, left_out),
        _ => (line(text), Vec::new()),
    }
}

/// Who plays in the lines of lists, by name as people compare it, and in which of the lines.
pub(super) struct Named(BTreeMap<String, BTreeSet<String>>);

impl Named {
    fn of<'l>(texts: impl Iterator<Item = &'l str>) -> Named {
        let mut named: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for text in texts {
            let names = match apart_from_beside(text, true).0 {
                Line::Match(found) => vec![found.first, found.second],
                Line::Bye(found) => vec![found.first],
                _ => continue,
            };
            for name in names {
                named.entry(folded(&name)).or_default().insert(text.to_owned());
            }
        }
        Named(named)
    }

    /// Who plays in the lists among sheets, and who is known from other files.
    pub fn among(grids: &[Grid], known: &BTreeSet<String>) -> Named {
        let rows = grids.iter().flat_map(|grid| &grid.rows).filter(|row| row.cells.len() == 1);
        let mut named = Named::of(rows.map(|row| row.get(0)));
        // No line is empty, so that these stand in another one.
        for name in known {
            named.0.entry(name.clone()).or_default().insert(String::new());
        }
        named
    }

    /// Whether a name stands in another line as well.
    fn is_elsewhere(&self, name: &str, text: &str) -> bool {
        self.0.get(&folded(name)).is_some_and(|lines| lines.iter().any(|line| line != text))
    }
}

/// Which lines have a dash or the like between two words, and are no match all the same: they have no result, and
/// nobody of these names plays elsewhere. A title stands above the first round, or at the beginning with a day; any
/// other line is alone among matches of a round of which most are over. So is a note, which speaks in small words or
/// has a day where a player would stand, among whatever. Where several lines of a round are open, or all of a list,
/// they are matches to be played.
fn no_matches(texts: &[&str], lines: &[(Line, Vec<&str>)], named: &Named) -> BTreeMap<usize, Line> {
    let met = |at: usize| match &lines[at].0 {
        Line::Match(found) => Some(found),
        _ => None,
    };
    let has_result =
        |at: &usize| met(*at).is_some_and(|found| result::read(&found.result) != Cell::Open);
    let is_open = |at: &usize| met(*at).is_some_and(|found| found.result.is_empty());
    let is_known = |found: &Played, at: usize| {
        [&found.first, &found.second].iter().any(|name| named.is_elsewhere(name, texts[at]))
    };
    let is_unknown =
        |at: &usize| is_open(at) && met(*at).is_some_and(|found| !is_known(found, *at));
    let is_bye = |at: &usize| matches!(lines[*at].0, Line::Bye(_));
    let is_heading = |at: &usize| matches!(lines[*at].0, Line::Round | Line::Head);
    let all = || 0..lines.len();
    let results = all().filter(has_result).count();
    let matches = all().filter(|at| met(*at).is_some()).count();
    let mut found = BTreeMap::new();
    let begins = |at: &usize| is_heading(at) || is_bye(at) || met(*at).is_some() && !is_unknown(at);
    let first = all().find(begins).unwrap_or(lines.len());
    let leading: Vec<usize> = (0..first).filter(is_unknown).collect();
    if first < lines.len() && is_heading(&first) {
        // Of a cut the match for third place may stand above the final.
        let is_of_cut = above::heading(texts[first]).is_some_and(|round| round > 9_000);
        let is_title = match results {
            0 => leading.len() == 1 && matches > 1 && !is_of_cut,
            _ => true,
        };
        let title = || if is_of_cut { Line::Doubtful } else { Line::Other };
        found.extend(leading.into_iter().filter(|_| is_title).map(|at| (at, title())));
    }
    let is_day = |name: &str| {
        days::dated(name).is_some_and(|dated| dated.day.is_some() && !dated.has_words())
    };
    let has_day = |at: &usize| days::dated(texts[*at]).is_some();
    let is_first = |at: &usize| texts[*at].split(' ').next().and_then(ordinal) == Some(1);
    if let Some(at) = all().find(|at| !matches!(lines[*at].0, Line::Other))
        && is_unknown(&at)
        && has_day(&at)
        && !is_first(&at)
        && matches > 1
        && !all().any(|other| other != at && met(other).is_some() && has_day(&other))
    {
        let is_clear = met(at).is_some_and(|found| is_day(&found.first) || is_day(&found.second));
        found.entry(at).or_insert(if is_clear { Line::Other } else { Line::Doubtful });
    }
    if results == 0 {
        return found;
    }
    let is_capital = |name: &str| name.contains(char::is_uppercase);
    let are_capital = all()
        .filter(has_result)
        .filter_map(met)
        .all(|found| is_capital(&found.first) && is_capital(&found.second));
    let says = |name: &str| is_day(name) || are_capital && name.contains(' ') && !is_capital(name);
    for at in all().filter(is_open).filter(|at| lines[*at].1.is_empty()) {
        let is_said = |name: &str| says(name) && !named.is_elsewhere(name, texts[at]);
        if met(at).is_some_and(|found| is_said(&found.first) || is_said(&found.second)) {
            found.entry(at).or_insert(Line::Doubtful);
        }
    }
    let mut from = 0;
    for to in all().filter(|at| matches!(lines[*at].0, Line::Round)).chain([lines.len()]) {
        let over = (from..to).filter(has_result).count();
        let open: Vec<usize> =
            (from..to).filter(|at| is_open(at) && !found.contains_key(at)).collect();
        let mut unknown = open.iter().copied().filter(is_unknown);
        // What has a number, a table or an hour beside it is a match as the others are.
        if let (Some(at), None) = (unknown.next(), unknown.next())
            && lines[at].1.is_empty()
            && results > 1
            && over >= open.len()
        {
            found.insert(at, Line::Doubtful);
        }
        from = to;
    }
    found
}

/// Whether lines are counted through: each begins with a number, which goes on from the one before or begins anew.
fn are_numbered<'l>(lines: impl Iterator<Item = &'l str>) -> bool {
    let mut last = 0;
    let mut count = 0;
    for line in lines {
        let number = line.split_whitespace().next().and_then(ordinal);
        match number {
            Some(number) if number == last + 1 || number == 1 && last > 1 => last = number,
            _ => return false,
        }
        count += 1;
    }
    count > 0
}

/// The lines of a list as what they are, with what stands beside the matches; none where they are no list of matches.
fn list<'l>(texts: &[&'l str], named: &Named) -> Option<Vec<(Line, Vec<&'l str>)>> {
    let read = |is_numbered: bool| -> Vec<(Line, Vec<&'l str>)> {
        texts.iter().map(|text| apart_from_beside(text, is_numbered)).collect()
    };
    let numbered = read(true);
    let no_matches = no_matches(texts, &numbered, named);
    let is_match = |text: &str| {
        is_plain(text) && !matches!(line(&beside(text, true).0), Line::Other | Line::Head)
    };
    let counted = texts
        .iter()
        .enumerate()
        .filter(|(at, text)| is_match(text) && !no_matches.contains_key(at));
    let is_numbered = are_numbered(counted.map(|(_, text)| *text));
    let mut lines = if is_numbered { numbered } else { read(false) };
    let count = |is: fn(&Line) -> bool| lines.iter().filter(|(line, _)| is(line)).count();
    let matches = count(|line| matches!(line, Line::Match(_)));
    let others = count(|line| matches!(line, Line::Bye(..) | Line::Round | Line::Head));
    let is_sure = |(line, text): (&(Line, Vec<&str>), &&str)| match &line.0 {
        Line::Match(found) => {
            !found.result.is_empty() || !text.contains([':', '-', '\u{2013}', '\u{2014}'])
        }
        _ => false,
    };
    let sure = lines.iter().zip(texts).any(is_sure);
    let is_list = match sure {
        true => (matches + others) * 2 > lines.len(),
        // A dash alone stands between many things.
        false => matches > 1 && matches + others == lines.len(),
    };
    for (at, line) in no_matches {
        lines[at] = (line, Vec::new());
    }
    is_list.then_some(lines)
}

/// Whether a text is a list of matches, a line each: then nothing in it separates cells.
pub(super) fn is_list(text: &str) -> bool {
    let texts: Vec<&str> =
        text.lines().map(str::trim).filter(|line| !line.is_empty()).take(200).collect();
    let separates = |line: &&&str| {
        let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let commas = line.match_indices(',').any(|(at, _)| {
            !is_digit(line[..at].chars().next_back()) || !is_digit(line[at + 1..].chars().next())
        });
        line.contains([';', '\t', '|', '"']) || commas
    };
    let apart = texts.iter().filter(separates).count();
    apart * 2 < texts.len() && {
        let plain: Vec<&str> = texts.iter().filter(|line| !separates(line)).copied().collect();
        list(&plain, &Named::of(plain.iter().copied())).is_some()
            && plain.iter().any(|line| played(line).is_some_and(|one| !one.result.is_empty()))
    }
}

/// A sheet of one column in which most cells are a match: the same with a column for each player and one for the
/// result. What stands beside the matches is told, and what is no match though it looks like one; a line that has a
/// score in it and is no match is refused. Somebody may be named in another sheet or file alone.
pub(super) fn apart(
    grid: Grid,
    named: &Named,
    oddities: &mut Oddities,
) -> Result<Grid, ImportError> {
    let texts: Vec<&str> = grid
        .rows
        .iter()
        .map(|row| match &row.cells[..] {
            [cell] => cell.as_str(),
            _ => "",
        })
        .collect();
    if texts.iter().filter(|text| !text.is_empty()).count() * 2 <= texts.len() {
        return Ok(grid);
    }
    let Some(lines) = list(&texts, named) else { return Ok(grid) };
    let mut rows: Vec<Row> = Vec::with_capacity(grid.rows.len() + 1);
    let mut has_head = false;
    let mut left_out: Vec<&str> = Vec::new();
    let mut first_left = None;
    for ((line, beside), row) in lines.into_iter().zip(&grid.rows) {
        let is_match = matches!(line, Line::Match(_) | Line::Bye(..));
        let cells = match line {
            Line::Match(found) | Line::Bye(found) => vec![found.first, found.result, found.second],
            Line::Head if row.cells.len() == 1 => continue,
            Line::Other if has_head && row.cells.len() == 1 && has_score(row.get(0)) => {
                let (what, found) = ("the line".to_owned(), shortened(row.get(0)));
                let expected = A_MATCH.to_owned();
                return Err(Fault::BadValue { what, found, expected }.at(grid.place(row)));
            }
            Line::Other if has_head && row.cells.len() == 1 => {
                tell_no_match(&grid, row, oddities);
                continue;
            }
            Line::Doubtful => {
                tell_no_match(&grid, row, oddities);
                if has_head {
                    continue;
                }
                // Above the matches it may be the title.
                row.cells.clone()
            }
            _ => row.cells.clone(),
        };
        if is_match && !std::mem::replace(&mut has_head, true) {
            let cells = ["Player A", "Result", "Player B"].map(str::to_owned).to_vec();
            rows.push(Row { line: row.line, cells });
        }
        let number = cells[0].split(' ').next().filter(|word| is_match && ordinal(word).is_some());
        if let Some(number) = number {
            let sentence =
                format!("{number:?} is read as part of the name {:?}.", shortened(&cells[0]));
            oddities.add(&grid.place(row), sentence);
        }
        if !beside.is_empty() {
            first_left.get_or_insert_with(|| grid.place(row));
        }
        left_out.extend(beside);
        rows.push(Row { line: row.line, cells });
    }
    if let Some(place) = first_left {
        let shown: Vec<String> =
            left_out.iter().take(4).map(|word| format!("{:?}", shortened(word))).collect();
        let more = if left_out.len() > shown.len() { ", …" } else { "" };
        let sentence = format!("Left out beside the matches: {}{more}.", shown.join(", "));
        oddities.add(&place, sentence);
    }
    Ok(Grid { rows, ..grid })
}

fn tell_no_match(grid: &Grid, row: &Row, oddities: &mut Oddities) {
    let sentence = format!("{:?} is read as no match.", shortened(row.get(0)));
    oddities.add(&grid.place(row), sentence);
}

/// Whether something in a line looks like a score.
pub(super) fn has_score(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().take(40).collect();
    (1..=3).any(|size| {
        words.windows(size).filter_map(joined).any(|said| {
            is_result(&said) && said.contains(|c: char| c.is_ascii_digit() || c == '\u{bd}')
        })
    })
}
