//! What a round is worth: `[outcome]`, `[points]`, `[games]`, `[scores]`, `[missing]`.

use super::fault::did_you_mean;
use super::section::{Section, Word, is_name, name_hint};
use super::tree::{Map, Node, Value};
use crate::ratio::Fraction;
use crate::ruleset::{
    Bonus, BonusTest, Games, MarginTable, Missing, Outcome, OutcomePoints, OutcomeRule, Outcomes,
    Points, RoundKind, RoundScore,
};
use std::collections::BTreeMap;

/// Outcomes with their words.
pub(super) const OUTCOMES: [Word<Outcome>; 4] = [
    ("win", Outcome::Win),
    ("draw", Outcome::Draw),
    ("loss", Outcome::Loss),
    ("none", Outcome::None),
];

/// The kinds whose points and scores can be given, with the key whose value they take if not.
const UNPLAYED: [(RoundKind, &str); 9] = [
    (RoundKind::Bye, "win"),
    (RoundKind::AwardedBye, "bye"),
    (RoundKind::HalfBye, "draw"),
    (RoundKind::ZeroBye, ""),
    (RoundKind::AwardedLoss, "loss"),
    (RoundKind::Vacant, "bye"),
    (RoundKind::ForfeitWin, "win"),
    (RoundKind::ForfeitLoss, "loss"),
    (RoundKind::DoubleLoss, "loss"),
];

/// `[outcome]`; absent: the line `games` decides.
pub(super) fn outcome(root: &Section) -> OutcomeRule {
    let Some(section) = root.section("outcome") else {
        return OutcomeRule::Line("games".to_owned());
    };
    section.only(&["line", "ruling_only"]);
    let line = section.line("line");
    match (line, section.flag("ruling_only").unwrap_or(false)) {
        (Some(_), true) => {
            let message = "either a line decides or only a ruling does".to_owned();
            section.fault("ruling_only", message, Some("leave one of the two out".to_owned()));
            OutcomeRule::RulingOnly
        }
        (_, true) => OutcomeRule::RulingOnly,
        (Some(line), false) => OutcomeRule::Line(line),
        (None, false) => {
            section.require("line");
            OutcomeRule::RulingOnly
        }
    }
}

/// `[points]`.
pub(super) fn points(root: &Section) -> Points {
    root.require("points");
    let empty = Map::new();
    let section = root.section("points");
    let none = Section::root(root.place, &empty, root.faults);
    let section = match section {
        Some(section) => section,
        None => return empty_points(&none),
    };
    section.only(&[
        "win",
        "draw",
        "loss",
        "bye",
        "awarded_bye",
        "half_bye",
        "zero_bye",
        "awarded_loss",
        "vacant",
        "forfeit_win",
        "forfeit_loss",
        "double_loss",
        "possible",
        "places",
        "line",
        "grade",
        "by_score",
        "by_margin",
        "bonus",
    ]);
    let outcome = outcome_points(&section);
    let (by_score, by_score_otherwise) = by_score(&section);
    Points {
        kinds: kinds(&section, &outcome),
        places: places(&section),
        grades: grades(&section),
        by_score,
        by_score_otherwise,
        by_margin: section.section("by_margin").map(|margin| by_margin(&margin)),
        line: section.line("line"),
        possible: section.exact("possible").unwrap_or(outcome.win),
        bonuses: bonuses(&section),
        outcome,
    }
}

fn empty_points(section: &Section) -> Points {
    let zero = || OutcomePoints { win: Fraction::ZERO, draw: Fraction::ZERO, loss: Fraction::ZERO };
    Points {
        outcome: zero(),
        places: Vec::new(),
        kinds: kinds(section, &zero()),
        grades: BTreeMap::new(),
        by_score: BTreeMap::new(),
        by_score_otherwise: None,
        by_margin: None,
        line: None,
        possible: Fraction::ZERO,
        bonuses: Vec::new(),
    }
}

fn outcome_points(section: &Section) -> OutcomePoints {
    OutcomePoints {
        win: section.required_exact("win"),
        draw: section.required_exact("draw"),
        loss: section.required_exact("loss"),
    }
}

fn kinds(section: &Section, outcome: &OutcomePoints) -> BTreeMap<RoundKind, Fraction> {
    let mut kinds = BTreeMap::new();
    for (kind, or_as) in UNPLAYED {
        let default = match or_as {
            "win" => outcome.win,
            "draw" => outcome.draw,
            "loss" => outcome.loss,
            "bye" => kinds.get(&RoundKind::Bye).copied().unwrap_or(outcome.win),
            _ => Fraction::ZERO,
        };
        kinds.insert(kind, section.exact(kind.word()).unwrap_or(default));
    }
    kinds
}

fn places(section: &Section) -> Vec<Fraction> {
    let items = section.list("places", "a list of points, first place first").unwrap_or_default();
    items.iter().filter_map(|node| section.exact_node("places", node)).collect()
}

fn grades(section: &Section) -> BTreeMap<String, OutcomePoints> {
    let Some(grades) = section.section("grade") else {
        return BTreeMap::new();
    };
    let mut read = BTreeMap::new();
    for (name, entry) in grades.map {
        if !is_name(name) {
            grades.fault(name, "this is no name of a grade".to_owned(), Some(name_hint()));
        }
        if let Some(grade) = grades.table(name, &entry.node) {
            grade.only(&["win", "draw", "loss"]);
            read.insert(name.clone(), outcome_points(&grade));
        }
    }
    read
}

type ByScore = BTreeMap<(i32, i32, i32), Fraction>;

fn by_score(section: &Section) -> (ByScore, Option<Fraction>) {
    let Some(scores) = section.section("by_score") else {
        return (ByScore::new(), None);
    };
    let mut read = ByScore::new();
    for key in scores.map.keys().filter(|key| *key != "otherwise") {
        let points = scores.exact(key).unwrap_or(Fraction::ZERO);
        match games(key) {
            Some(games) => {
                read.insert(games, points);
            }
            None => {
                let message = "expected own, opponent's and drawn games".to_owned();
                let hint = "such as \"2-1-0\", or `otherwise`".to_owned();
                scores.fault(key, message, Some(hint));
            }
        }
    }
    (read, scores.exact("otherwise"))
}

fn games(key: &str) -> Option<(i32, i32, i32)> {
    let mut parts = key.split('-').map(|part| {
        let fits = (1..=3).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
        fits.then(|| part.parse::<i32>().ok()).flatten()
    });
    let games = (parts.next()??, parts.next()??, parts.next()??);
    parts.next().is_none().then_some(games)
}

fn by_margin(section: &Section) -> MarginTable {
    section.only(&["line", "table"]);
    section.require("line");
    section.require("table");
    let expected = "rows of [smallest difference, higher side, lower side]";
    let items = section.list("table", expected).unwrap_or_default();
    let rows: Vec<_> = items.iter().filter_map(|node| margin_row(section, node)).collect();
    if rows.first().is_some_and(|row| row.0 != 0) || !rows.is_sorted_by(|a, b| a.0 < b.0) {
        let message = "the rows start with a difference of 0 and rise".to_owned();
        section.fault("table", message, None);
    }
    MarginTable { line: section.line("line").unwrap_or_default(), rows }
}

fn margin_row(section: &Section, node: &Node) -> Option<(i32, Fraction, Fraction)> {
    let Value::List(cells) = &node.value else {
        section.wrong("table", node, "a row [smallest difference, higher side, lower side]");
        return None;
    };
    let [least, higher, lower] = cells.as_slice() else {
        section.wrong("table", node, "a row of three: smallest difference, higher, lower side");
        return None;
    };
    let least = section.whole_node("table", least, 0, 1_000_000)?;
    let points = |node| section.exact_node("table", node);
    Some((least as i32, points(higher)?, points(lower)?))
}

fn bonuses(section: &Section) -> Vec<Bonus> {
    let items = section.list("bonus", "tables [[points.bonus]]").unwrap_or_default();
    items.iter().filter_map(|node| Some(bonus(&section.table("bonus", node)?))).collect()
}

fn bonus(section: &Section) -> Bonus {
    section.only(&["name", "points", "line", "at_least", "margin", "outcomes"]);
    section.require("line");
    let bound = 1_000_000;
    let at_least = section.whole("at_least", -bound, bound);
    let margin = section.whole("margin", -bound, bound);
    if section.has("at_least") == section.has("margin") {
        let message = "exactly one of `at_least` and `margin` says when it is earned".to_owned();
        section.fault("margin", message, None);
    }
    let test = match margin {
        Some(margin) => BonusTest::Margin(margin as i32),
        None => BonusTest::AtLeast(at_least.unwrap_or_default() as i32),
    };
    Bonus {
        name: section.required_text("name"),
        points: section.required_exact("points"),
        line: section.line("line").unwrap_or_default(),
        test,
        outcomes: section
            .words("outcomes", &OUTCOMES)
            .map_or(Outcomes::ALL, |outcomes| Outcomes::of(&outcomes)),
    }
}

/// `[games]`, where games count.
pub(super) fn games_section(root: &Section) -> Option<Games> {
    let section = root.section("games")?;
    section.only(&["win", "draw", "loss", "line", "drawn"]);
    Some(Games {
        outcome: outcome_points(&section),
        line: section.line("line").unwrap_or_else(|| "games".to_owned()),
        drawn: section.line("drawn").unwrap_or_else(|| "drawn".to_owned()),
    })
}

/// `[scores]`: what score lines count as where nobody played.
pub(super) fn scores(root: &Section) -> BTreeMap<RoundKind, RoundScore> {
    let mut scores = BTreeMap::new();
    let Some(section) = root.section("scores") else {
        return scores;
    };
    let kinds = UNPLAYED.iter().map(|(kind, _)| *kind).filter(|k| *k != RoundKind::DoubleLoss);
    let words: Vec<&str> = kinds.clone().map(RoundKind::word).collect();
    section.only(&words);
    for kind in kinds {
        if let Some(score) = score(&section, kind.word()) {
            scores.insert(kind, score);
        }
    }
    for like_bye in [RoundKind::AwardedBye, RoundKind::Vacant] {
        if let (false, Some(bye)) = (section.has(like_bye.word()), scores.get(&RoundKind::Bye)) {
            scores.insert(like_bye, bye.clone());
        }
    }
    scores
}

fn score(section: &Section, key: &str) -> Option<RoundScore> {
    let node = section.get(key)?;
    let words = [("clean_win", RoundScore::CleanWin), ("as_reported", RoundScore::AsReported)];
    match &node.value {
        Value::Table(_) => {
            let lines = section.table(key, node)?;
            let against = lines.section("against");
            let against = against.map(|section| line_values(&section, "")).unwrap_or_default();
            Some(RoundScore::Lines { own: line_values(&lines, "against"), against })
        }
        Value::Text(text) => {
            if let Some((_, score)) = words.iter().find(|(word, _)| word == text) {
                return Some(score.clone());
            }
            let hint = did_you_mean(text, words.iter().map(|(word, _)| *word));
            let expected = "expected lines such as { games = 2 }, clean_win or as_reported";
            section.fault(key, format!("{expected}; found `{text}`"), hint);
            None
        }
        _ => {
            section.wrong(key, node, "lines such as { games = 2 }, or a word");
            None
        }
    }
}

fn line_values(section: &Section, except: &str) -> BTreeMap<String, i32> {
    let mut values = BTreeMap::new();
    for key in section.map.keys().filter(|key| *key != except) {
        if !is_name(key) {
            section.fault(key, "this is no name of a score line".to_owned(), Some(name_hint()));
        }
        if let Some(value) = section.whole(key, -1_000_000, 1_000_000) {
            values.insert(key.clone(), value as i32);
        }
    }
    values
}

/// `[missing]`: what a round is for a player who is not in it.
pub(super) fn missing(root: &Section) -> Missing {
    let words = [
        ("none", None),
        ("awarded_loss", Some(RoundKind::AwardedLoss)),
        ("zero_bye", Some(RoundKind::ZeroBye)),
    ];
    let Some(section) = root.section("missing") else {
        return Missing { late: None, unpaired: None, dropped: None, no_free_rounds: false };
    };
    section.only(&["late", "unpaired", "dropped", "free_round"]);
    let word = |key| section.word(key, &words).flatten();
    let free_round = section.word("free_round", &[("bye", false), ("none", true)]);
    Missing {
        late: word("late"),
        unpaired: word("unpaired"),
        dropped: word("dropped"),
        no_free_rounds: free_round.unwrap_or(false),
    }
}
