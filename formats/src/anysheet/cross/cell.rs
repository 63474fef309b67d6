//! A cell of a cross table.

use crate::anysheet::matches::by_outcome;
use crate::anysheet::names;
use crate::anysheet::result::Outcome;
use scrutineer_engine::event::{ByeKind, How, MatchResult};
use scrutineer_engine::names::plain;

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

/// Whether a sign before a number says how it ended, as in `+7`; otherwise `-1` is a bye.
pub(super) fn is_signed<'c>(mut cells: impl Iterator<Item = &'c str>) -> bool {
    cells.any(|cell| {
        let number = cell.strip_prefix(['+', '=']).map(str::trim);
        number.is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()))
    })
}

/// Reads a cell.
pub(super) fn read_cell(text: &str, signed: bool) -> Cell {
    let folded = plain(text)
        .replace(['\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2014}', '\u{2212}'], "-")
        .replace("1\u{2044}2", "½")
        .replace("1/2", "½")
        .replace("0,5", "½")
        .replace("0.5", "½")
        .replace([' ', '/', ':', '.', '(', ')'], "");
    match folded.as_str() {
        "" | "-" | "--" | "---" | "0---" | "u---" | "*" | "x" => return Cell::Away,
        "½" | "=" | "h" | "h---" | "-½" | "½bye" | "---½" => return Cell::Bye(ByeKind::Half),
        "-1" if signed => {}
        "0" | "-0" | "z---" | "---0" => return Cell::Bye(ByeKind::Zero),
        "+" | "1" | "-1" | "b---" | "---1" | "---+" | "-+" | "+---" => {
            return Cell::Bye(ByeKind::Assigned);
        }
        word if names::is_nobody(word) => return Cell::Bye(ByeKind::Assigned),
        _ => {}
    }
    let start = folded.find(|c: char| c.is_ascii_digit()).unwrap_or(folded.len());
    let (before, rest) = folded.split_at(start);
    let known = |outcome, forfeit| End::Known { outcome, forfeit };
    let mut before = before.chars();
    let led = match (before.next(), before.next()) {
        (None, _) => None,
        (Some(sign), None) => Some(match sign {
            '+' => known(Outcome::First, false),
            '-' => known(Outcome::Second, false),
            '=' => known(Outcome::Draw, false),
            // As federations print it: won and lost without play.
            'x' => known(Outcome::First, true),
            'f' => known(Outcome::Second, true),
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
    let end = match (led, &signs[..]) {
        (Some(end), []) => end,
        (Some(end), [letter]) if color(*letter).is_some() => {
            is_white = color(*letter);
            end
        }
        (None, ['+']) => known(Outcome::First, is_white.is_some()),
        (None, ['-']) => known(Outcome::Second, is_white.is_some()),
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

/// Whether a letter is white's, in chess; none where it is no color's.
pub(super) fn color(letter: char) -> Option<bool> {
    match letter {
        'w' => Some(true),
        'b' | 's' | 'n' => Some(false),
        _ => None,
    }
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
