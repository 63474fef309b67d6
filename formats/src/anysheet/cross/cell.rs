//! A cell of a cross table.

use crate::anysheet::matches::by_outcome;
use crate::anysheet::names;
use crate::anysheet::result::Outcome;
use scrutineer_engine::event::{ByeKind, How, MatchResult};
use scrutineer_engine::names::plain;
use std::collections::BTreeSet;

/// What stands in a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    /// Nobody.
    Away,
    Bye(ByeKind),
    Met {
        opponent: u32,
        is_white: Option<bool>,
        end: End,
    },
    /// Nothing that is known.
    Bad,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Open,
    Known {
        outcome: Outcome,
        forfeit: bool,
    },
    /// A letter, whose meaning the whole table tells.
    Letter(char),
}

/// Which letters are colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colors {
    /// `w` is white, and `b`, `s` or `n` black.
    White,
    /// `b` is white, and `n` or `p` black, as in French, Spanish, Italian and Portuguese.
    Blanc,
    /// There is `b` and no other letter, which is read as black.
    OnlyBlack,
}

impl Colors {
    /// Whether a letter is white's, in chess; none where it is no color's.
    pub fn of(self, letter: char) -> Option<bool> {
        match (self, letter) {
            (Colors::Blanc, 'b') => Some(true),
            (Colors::Blanc, 'n' | 'p') => Some(false),
            (Colors::Blanc, _) => None,
            (_, 'w') => Some(true),
            (_, 'b' | 's' | 'n') => Some(false),
            _ => None,
        }
    }
}

/// What the cells of a table tell together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Marks {
    /// Whether a sign before a number says how it ended, as in `+7`; otherwise `-1` is a bye.
    is_signed: bool,
    /// Whether `+` and `-` behind a color say how a match ended: they stand in several cells, and nowhere `1` or `0`.
    is_played: bool,
    /// Whether all cells with an opponent are their number and points beside it: `3 ½`.
    is_beside: bool,
    pub colors: Colors,
}

/// The number of an opponent and the points beside it: `2 1`, `3 ½`.
fn beside(cell: &str) -> Option<(u32, Outcome)> {
    let signs = plain(cell).replace("1\u{2044}2", "½").replace("1/2", "½").replace(',', ".");
    let (number, points) = signs.trim().split_once(' ')?;
    let outcome = match points.trim() {
        "1" | "1.0" => Outcome::First,
        "0" | "0.0" => Outcome::Second,
        "½" | ".5" | "0.5" => Outcome::Draw,
        _ => return None,
    };
    Some((number.parse().ok().filter(|number| *number > 0)?, outcome))
}

/// Reads what the cells of a table tell together.
pub(super) fn marks<'c>(cells: impl Iterator<Item = &'c str>) -> Marks {
    let (mut is_signed, mut signs, mut has_points) = (false, 0u32, false);
    // Letters that are colors because something else says how it ended, and letters alone, which may be results.
    let (mut colors, mut alone) = (BTreeSet::new(), BTreeSet::new());
    let (mut are_beside, mut others) = (0u32, 0u32);
    for cell in cells {
        are_beside += u32::from(beside(cell).is_some());
        let folded = without_blanks(cell);
        let (before, rest) = split(&folded);
        others += u32::from(beside(cell).is_none() && rest.chars().nth(1).is_some());
        // The color stands before the number: `W4+`, `+W4`.
        if let Some((letter, ..)) = led(before, rest) {
            colors.insert(letter);
            continue;
        }
        let behind = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        // Neither `0 bye` nor a word is a match.
        if rest.is_empty() || before.chars().nth(1).is_some() || behind.chars().nth(2).is_some() {
            continue;
        }
        signs += u32::from(behind.ends_with(['=', '+', '-']) && behind.chars().nth(1).is_some());
        has_points |= behind.ends_with(['1', '0']);
        is_signed |= matches!(before, "+" | "=" | ">" | "<");
        let mut letters = behind.chars();
        let Some(letter) = letters.next().filter(|c| c.is_alphabetic()) else { continue };
        match before.is_empty() && letters.next().is_none() {
            true => alone.insert(letter),
            false => colors.insert(letter),
        };
    }
    let all = BTreeSet::from(['w', 'b', 's', 'n', 'p']);
    if alone.is_subset(&all) {
        colors.append(&mut alone);
    }
    let has = |letters: &[char]| letters.iter().any(|letter| colors.contains(letter));
    let colors = match () {
        () if has(&['w', 's']) => Colors::White,
        () if has(&['n', 'p']) => Colors::Blanc,
        () if has(&['b']) => Colors::OnlyBlack,
        () => Colors::White,
    };
    let is_beside = are_beside > 1 && others == 0;
    Marks { is_signed, is_played: signs > 3 && !has_points, is_beside, colors }
}

/// A cell in small letters without blanks, half a point as one sign, and one sign for each dash.
fn without_blanks(text: &str) -> String {
    plain(text)
        .replace(['\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2014}', '\u{2212}'], "-")
        .replace("1\u{2044}2", "½")
        .replace("1/2", "½")
        .replace("0,5", "½")
        .replace("0.5", "½")
        .replace([' ', '/', ':', '.', '(', ')'], "")
}

/// What stands before the first digit, and the rest.
fn split(folded: &str) -> (&str, &str) {
    folded.split_at(folded.find(|c: char| c.is_ascii_digit()).unwrap_or(folded.len()))
}

/// The letter, the number and the sign of a cell in which the color stands before the number: `W4+`, `+W4`.
fn led<'c>(before: &str, rest: &'c str) -> Option<(char, &'c str, char)> {
    let is_sign = |c: &char| matches!(c, '+' | '-' | '=' | '½');
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (number, behind) = rest.split_at(end);
    let mut signs = before.chars().chain(behind.chars());
    let (one, other) = (signs.next()?, signs.next()?);
    if signs.next().is_some() || number.is_empty() {
        return None;
    }
    match before.chars().count() {
        1 if one.is_alphabetic() && is_sign(&other) => Some((one, number, other)),
        2 if is_sign(&one) && other.is_alphabetic() => Some((other, number, one)),
        _ => None,
    }
}

/// How a match ended by a sign.
fn by_sign(sign: char) -> End {
    let outcome = match sign {
        '+' => Outcome::First,
        '-' => Outcome::Second,
        _ => Outcome::Draw,
    };
    End::Known { outcome, forfeit: false }
}

/// Reads a cell.
pub(super) fn read_cell(text: &str, marks: Marks) -> Cell {
    if let Some((opponent, outcome)) = beside(text).filter(|_| marks.is_beside) {
        return Cell::Met { opponent, is_white: None, end: End::Known { outcome, forfeit: false } };
    }
    let folded = without_blanks(text);
    let color = |letter: char| marks.colors.of(letter);
    match folded.as_str() {
        "" | "-" | "--" | "---" | "0---" | "u---" | "*" | "x" => return Cell::Away,
        "½" | "=" | "h" | "h---" | "-½" | "½bye" | "---½" => return Cell::Bye(ByeKind::Half),
        _ if names::is_half_bye(text) => return Cell::Bye(ByeKind::Half),
        _ if names::is_zero_bye(text) || names::is_unpaired(text) => {
            return Cell::Bye(ByeKind::Zero);
        }
        "-1" if marks.is_signed => {}
        "0" | "-0" | "z---" | "---0" => return Cell::Bye(ByeKind::Zero),
        "+" | "1" | "-1" | "b---" | "---1" | "---+" | "-+" | "+---" => {
            return Cell::Bye(ByeKind::Assigned);
        }
        word if names::is_nobody(word) || names::is_nobody(text) => {
            return Cell::Bye(ByeKind::Assigned);
        }
        _ => {}
    }
    let (before, rest) = split(&folded);
    if let Some((letter, number, sign)) = led(before, rest)
        && let Some(is_white) = color(letter)
        && let Some(opponent) = number.parse::<u32>().ok().filter(|number| *number > 0)
    {
        return Cell::Met { opponent, is_white: Some(is_white), end: by_sign(sign) };
    }
    let known = |outcome, forfeit| End::Known { outcome, forfeit };
    let mut before = before.chars();
    let first = match (before.next(), before.next()) {
        (None, _) => None,
        (Some(sign), None) => Some(match sign {
            '+' => known(Outcome::First, false),
            '-' => known(Outcome::Second, false),
            '=' => known(Outcome::Draw, false),
            // As federations print it: won and lost without play.
            'x' | '>' => known(Outcome::First, true),
            'f' | '<' => known(Outcome::Second, true),
            letter if letter.is_alphabetic() => End::Letter(letter),
            _ => return Cell::Bad,
        }),
        _ => return Cell::Bad,
    };
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (number, behind) = rest.split_at(end);
    let Some(opponent) = number.parse::<u32>().ok().filter(|number| *number > 0) else {
        return Cell::Bad;
    };
    let mut signs: Vec<char> = behind.chars().collect();
    let mut is_white = None;
    if let [letter, _, ..] = signs[..]
        && let Some(white) = color(letter)
    {
        is_white = Some(white);
        signs.remove(0);
    }
    let end = match (first, &signs[..]) {
        (Some(end), []) => end,
        (Some(end), [letter]) if color(*letter).is_some() => {
            is_white = color(*letter);
            end
        }
        (None, ['+']) => known(Outcome::First, is_white.is_some() && !marks.is_played),
        (None, ['-']) => known(Outcome::Second, is_white.is_some() && !marks.is_played),
        (None, ['=']) => known(Outcome::Draw, false),
        (None, ['½']) => known(Outcome::Draw, false),
        (None, ['1']) if is_white.is_some() => known(Outcome::First, false),
        (None, ['0']) if is_white.is_some() => known(Outcome::Second, false),
        (None, ['k']) if is_white.is_some() => End::Open,
        (None, [letter]) if letter.is_alphabetic() => End::Letter(*letter),
        _ => return Cell::Bad,
    };
    Cell::Met { opponent, is_white, end }
}

/// The result of a match by what both rows say; none where they deny each other. In chess, where cells have colors, an
/// arbiter may have given half a point to one alone.
pub(super) fn both(one: End, other: End, is_chess: bool) -> Option<MatchResult> {
    use Outcome::{Draw, HalfFirst, HalfSecond, Second};
    let (outcome, forfeit) = match (one, other) {
        (End::Known { outcome, forfeit }, End::Known { outcome: back, forfeit: also }) => {
            match back.turned() == outcome {
                true => (outcome, forfeit || also),
                // Both lost without play.
                false
                    if outcome == Outcome::Second && back == Outcome::Second && forfeit && also =>
                {
                    (Outcome::BothLost, true)
                }
                false if is_chess && !forfeit && !also => match (outcome, back) {
                    (Draw, Second) => (HalfFirst, false),
                    (Second, Draw) => (HalfSecond, false),
                    _ => return None,
                },
                false => return None,
            }
        }
        (End::Known { outcome, forfeit }, _) => (outcome, forfeit),
        (_, End::Known { outcome, forfeit }) => (outcome.turned(), forfeit),
        _ => return Some(MatchResult::played(Default::default())),
    };
    let how = if forfeit { How::Forfeit } else { How::Played };
    Some(MatchResult { how, ..by_outcome(outcome, forfeit) })
}
