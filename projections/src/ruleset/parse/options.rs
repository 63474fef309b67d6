//! The options of measures: those of `total` and `opponents`, and how any is rounded.

use super::fault::did_you_mean;
use super::points::OUTCOMES;
use super::section::{Section, Word, is_name, name_hint};
use crate::ruleset::{
    Byes, Combine, OpponentWeight, Opponents, Outcomes, Quantity, Repeats, RoundKind, RoundKinds,
    Rounding, RoundingMode, Total, Unplayed,
};

const BYES: [Word<Byes>; 3] =
    [("count", Byes::Count), ("skip", Byes::Skip), ("average", Byes::Average)];
const WEIGHTS: [Word<OpponentWeight>; 3] = [
    ("none", OpponentWeight::None),
    ("points", OpponentWeight::Points),
    ("round_weight", OpponentWeight::RoundWeight),
];
const UNPLAYED: [Word<Unplayed>; 4] = [
    ("skip", Unplayed::Skip),
    ("skip_forfeits", Unplayed::SkipForfeits),
    ("dummy", Unplayed::Dummy),
    ("dummy_capped", Unplayed::DummyCapped),
];
const REPEATS: [Word<Repeats>; 2] = [("every_match", Repeats::EveryMatch), ("once", Repeats::Once)];
const QUANTITIES: [&str; 13] = [
    "points",
    "possible_points",
    "rounds",
    "round_number",
    "round_number_squared",
    "round_weight",
    "second_seat",
    "running_points",
    "game_points",
    "possible_game_points",
    "line:<name>",
    "against:<name>",
    "margin:<name>",
];

/// The options of a `total`.
pub(super) fn total(section: &Section) -> Total {
    let of = quantity(section);
    let of_a_line = matches!(of, Quantity::Line(_) | Quantity::Against(_) | Quantity::Margin(_));
    let every = RoundKinds::of(&RoundKind::WORDS.map(|(_, kind)| kind));
    let default = if of_a_line { every } else { RoundKinds::FINISHED };
    let kinds = section.words("kinds", &RoundKind::WORDS);
    let except = section.words("except", &RoundKind::WORDS).unwrap_or_default();
    let requested = section.flag("last_requested_byes_draw").unwrap_or(false);
    if requested && of != Quantity::Points {
        let message = "only a total of points can count a bye as a draw".to_owned();
        section.fault("last_requested_byes_draw", message, Some("total = \"points\"".to_owned()));
    }
    Total {
        of,
        outcomes: section
            .words("outcomes", &OUTCOMES)
            .map_or(Outcomes::ALL, |outcomes| Outcomes::of(&outcomes)),
        kinds: kinds
            .map_or(default, |kinds| RoundKinds::of(&kinds))
            .without(RoundKinds::of(&except)),
        byes: section.word("byes", &BYES).unwrap_or(Byes::Count),
        average_rounding: rounding(section, "average_round"),
        each_at_least: section.exact("each_at_least"),
        each_at_most: section.exact("each_at_most"),
        decay: section.exact("decay"),
        last_requested_byes_draw: requested,
    }
}

fn quantity(section: &Section) -> Quantity {
    let Some(text) = section.text("total") else {
        return Quantity::Points;
    };
    let (word, line) = text.split_once(':').map_or((text.as_str(), None), |(w, l)| (w, Some(l)));
    let found = match (word, line) {
        ("points", None) => Quantity::Points,
        ("possible_points", None) => Quantity::PossiblePoints,
        ("rounds", None) => Quantity::Rounds,
        ("round_number", None) => Quantity::RoundNumber,
        ("round_number_squared", None) => Quantity::RoundNumberSquared,
        ("round_weight", None) => Quantity::RoundWeight,
        ("second_seat", None) => Quantity::SecondSeat,
        ("running_points", None) => Quantity::RunningPoints,
        ("game_points", None) => Quantity::GamePoints,
        ("possible_game_points", None) => Quantity::PossibleGamePoints,
        ("line", Some(line)) => Quantity::Line(line_name(section, line)),
        ("against", Some(line)) => Quantity::Against(line_name(section, line)),
        ("margin", Some(line)) => Quantity::Margin(line_name(section, line)),
        _ => {
            let known = QUANTITIES.join(", ");
            let hint = did_you_mean(&text, QUANTITIES);
            section.fault("total", format!("expected one of {known}; found `{text}`"), hint);
            Quantity::Points
        }
    };
    let games = matches!(found, Quantity::GamePoints | Quantity::PossibleGamePoints);
    if games && !section.games {
        let hint = "add [games] with win, draw and loss".to_owned();
        section.fault("total", format!("`{text}` needs a [games] section"), Some(hint));
    }
    found
}

fn line_name(section: &Section, name: &str) -> String {
    if !is_name(name) {
        let message = format!("`{name}` is no name of a score line");
        section.fault("total", message, Some(name_hint()));
    }
    name.to_owned()
}

/// Whether a weight is a word of its own, and no id of a total.
pub(super) fn is_weight(word: &str) -> bool {
    WEIGHTS.iter().any(|(known, _)| *known == word)
}

/// What an opponent's value is multiplied with: a word, or the id of a total.
fn weight(section: &Section, totals: &dyn Fn(&str) -> Option<usize>) -> OpponentWeight {
    let named = section.text("weight").filter(|id| !is_weight(id));
    match named.as_deref().and_then(totals) {
        Some(total) => OpponentWeight::Total(total),
        None => section.word("weight", &WEIGHTS).unwrap_or(OpponentWeight::None),
    }
}

/// The options of an `opponents` measure.
pub(super) fn opponents(
    section: &Section,
    of: usize,
    totals: &dyn Fn(&str) -> Option<usize>,
) -> Opponents {
    let combine = [("mean", Combine::Mean), ("sum", Combine::Sum)];
    let divide = [("opponents", false), ("rounds", true)];
    let dropped = |key| section.whole(key, 0, 100).unwrap_or(0) as u32;
    let weight = weight(section, totals);
    let divide_by_rounds = section.word("divide_by", &divide).unwrap_or(false);
    if divide_by_rounds && weight == OpponentWeight::RoundWeight {
        let message = "a mean by round weights divides by their sum".to_owned();
        section.fault("divide_by", message, Some("leave divide_by out".to_owned()));
    }
    Opponents {
        of,
        combine: section.word("combine", &combine).unwrap_or(Combine::Mean),
        each_at_least: section.exact("each_at_least"),
        each_at_most: section.exact("each_at_most"),
        weight,
        lowest_dropped: dropped("lowest_dropped"),
        highest_dropped: dropped("highest_dropped"),
        repeats: section.word("repeats", &REPEATS).unwrap_or(Repeats::EveryMatch),
        bye_as: bye_as(section),
        bye_kinds: bye_kinds(section),
        divide_by_rounds,
        unplayed: section.word("unplayed", &UNPLAYED).unwrap_or(Unplayed::Skip),
    }
}

fn bye_as(section: &Section) -> Option<(u32, crate::ratio::Fraction)> {
    let section = section.section("bye_as")?;
    section.only(&["opponents", "value", "kinds"]);
    section.require("opponents");
    let opponents = section.whole("opponents", 1, 100);
    let value = section.required_exact("value");
    Some((opponents? as u32, value))
}

fn bye_kinds(section: &Section) -> RoundKinds {
    let byes: Vec<Word<RoundKind>> =
        RoundKind::WORDS.into_iter().filter(|(_, kind)| kind.is_bye()).collect();
    let named = section.section("bye_as").and_then(|section| section.words("kinds", &byes));
    RoundKinds::of(&named.unwrap_or_else(|| byes.iter().map(|(_, kind)| *kind).collect()))
}

/// `{ digits = 3, mode = "half_up" }`.
pub(super) fn rounding(section: &Section, key: &str) -> Option<Rounding> {
    let section = section.section(key)?;
    section.only(&["digits", "mode"]);
    section.require("digits");
    section.require("mode");
    let modes = [
        ("down", RoundingMode::Down),
        ("half_up", RoundingMode::HalfUp),
        ("half_even", RoundingMode::HalfEven),
        ("up", RoundingMode::Up),
    ];
    let digits = section.whole("digits", 0, 9)?;
    Some(Rounding { digits: digits as u32, mode: section.word("mode", &modes)? })
}
