//! The words that a CSV may use, and what they mean.

use crate::Fault;
use crate::error::shortened;
use scrutineer_engine::event::{ByeKind, DropReason, How, PhaseKind, Ruling};
use scrutineer_engine::names::folded;

/// What a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A match that ended so, with the ruling that the word implies.
    Match(How, Option<[Ruling; 2]>),
    /// A player without an opponent.
    Bye(ByeKind),
    /// A player leaves after the round.
    Drop(DropReason),
    /// A line of the roster.
    Roster,
}

const WIN_B: Option<[Ruling; 2]> = Some([Ruling::Loss, Ruling::Win]);
const WIN_A: Option<[Ruling; 2]> = Some([Ruling::Win, Ruling::Loss]);

pub(super) const KINDS: [(&str, Kind); 19] = [
    ("", Kind::Match(How::Played, None)),
    ("played", Kind::Match(How::Played, None)),
    ("bye", Kind::Bye(ByeKind::Assigned)),
    ("awarded bye", Kind::Bye(ByeKind::Awarded)),
    ("half bye", Kind::Bye(ByeKind::Half)),
    ("zero bye", Kind::Bye(ByeKind::Zero)),
    ("awarded loss", Kind::Bye(ByeKind::AwardedLoss)),
    ("vacant", Kind::Bye(ByeKind::Vacant)),
    ("drop", Kind::Drop(DropReason::Left)),
    ("no show", Kind::Drop(DropReason::NoShow)),
    ("disqualified", Kind::Drop(DropReason::Disqualified)),
    ("forfeit a", Kind::Match(How::Forfeit, WIN_B)),
    ("forfeit b", Kind::Match(How::Forfeit, WIN_A)),
    ("no show a", Kind::Match(How::NoShow, WIN_B)),
    ("no show b", Kind::Match(How::NoShow, WIN_A)),
    ("conceded a", Kind::Match(How::Conceded, WIN_B)),
    ("conceded b", Kind::Match(How::Conceded, WIN_A)),
    ("agreed draw", Kind::Match(How::AgreedDraw, None)),
    ("player", Kind::Roster),
];

pub(super) const RULINGS: [(&str, [Ruling; 2]); 7] = [
    ("a", [Ruling::Win, Ruling::Loss]),
    ("b", [Ruling::Loss, Ruling::Win]),
    ("draw", [Ruling::Draw; 2]),
    ("draw loss", [Ruling::Draw, Ruling::Loss]),
    ("loss draw", [Ruling::Loss, Ruling::Draw]),
    ("double loss", [Ruling::Loss; 2]),
    ("no result", [Ruling::NoResult; 2]),
];

/// A word as it is compared: `No-Show_A` is `no show a`.
pub fn plain(word: &str) -> String {
    let word = word.trim().to_lowercase().replace(['_', '-'], " ");
    word.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a name is what files write where there is no opponent: `BYE`, `*** BYE ***`.
pub fn is_bye(name: &str) -> bool {
    name.trim_matches(|c: char| !c.is_alphanumeric()).eq_ignore_ascii_case("bye")
}

/// Whether a cell has nothing to read in it, such as `-`: some write that where there is nobody.
pub(crate) fn is_blank(name: &str) -> bool {
    let mark = |c: char| c.is_ascii_punctuation() || ('\u{2010}'..='\u{2015}').contains(&c);
    folded(name).chars().all(mark)
}

/// The kind of a row.
pub fn kind(word: &str) -> Result<Kind, Fault> {
    let plain = plain(word);
    // Both lost: a kind of its own for those who look for it here, and a ruling like any other.
    if plain == "double loss" {
        return Ok(Kind::Match(How::Unknown, Some([Ruling::Loss; 2])));
    }
    let found = KINDS.iter().find(|(known, _)| *known == plain);
    found.map(|(_, kind)| *kind).ok_or_else(|| {
        let known: Vec<&str> = KINDS.iter().skip(2).map(|(known, _)| *known).collect();
        let expected = format!("nothing, or one of {}, double loss", known.join(", "));
        Fault::BadValue { what: "the kind".into(), found: shortened(word), expected }
    })
}

/// The ruling of a row; none where nobody ruled.
pub fn ruling(word: &str) -> Result<Option<[Ruling; 2]>, Fault> {
    let plain = plain(word);
    if plain.is_empty() {
        return Ok(None);
    }
    let found = RULINGS.iter().find(|(known, _)| *known == plain);
    found.map(|(_, rulings)| Some(*rulings)).ok_or_else(|| {
        let expected = RULINGS.map(|(known, _)| known).join(", ");
        Fault::BadValue { what: "the ruling".into(), found: shortened(word), expected }
    })
}

/// The kind of a phase.
pub fn phase_kind(word: &str) -> Option<PhaseKind> {
    match plain(word).as_str() {
        "swiss" => Some(PhaseKind::Swiss),
        "elimination" | "single elimination" | "single-elimination" => Some(PhaseKind::Elimination),
        "double elimination" | "double-elimination" => Some(PhaseKind::DoubleElimination),
        "round robin" | "round-robin" => Some(PhaseKind::RoundRobin),
        _ => None,
    }
}
