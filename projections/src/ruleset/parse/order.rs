//! The order, phases, ties, attendance and the draw.

use super::fault::did_you_mean;
use super::section::{Section, Word};
use super::tree::{Map, Node, Value};
use crate::ruleset::{
    Attendance, DrawRule, Formula, HeadToHead, Measure, QualifierByes, Step, SwissMethod, Ties,
};
use scrutineer_engine::event::PhaseKind;

/// Phases with their words.
const PHASES: [Word<PhaseKind>; 5] = [
    ("swiss", PhaseKind::Swiss),
    ("round_robin", PhaseKind::RoundRobin),
    ("pods", PhaseKind::Pods),
    ("single_elimination", PhaseKind::Elimination),
    ("double_elimination", PhaseKind::DoubleElimination),
];
const HEAD_TO_HEAD: [Word<HeadToHead>; 4] = [
    ("all_met", HeadToHead::AllMet),
    ("beat_all", HeadToHead::BeatAll),
    ("certain", HeadToHead::Certain),
    ("certain_anew", HeadToHead::CertainAnew),
];

/// `phases`.
pub(super) fn phases(root: &Section) -> Vec<PhaseKind> {
    let default = || vec![PhaseKind::Swiss, PhaseKind::RoundRobin, PhaseKind::Pods];
    let phases = root.words("phases", &PHASES).unwrap_or_else(default);
    if root.has("phases") && phases.is_empty() {
        root.fault("phases", "at least one phase is expected".to_owned(), None);
    }
    phases
}

/// `cut`.
pub(super) fn cut_for_places_only(root: &Section) -> bool {
    root.word("cut", &[("as_phases", false), ("places_only", true)]).unwrap_or_default()
}

/// `ties`.
pub(super) fn ties(root: &Section) -> Ties {
    root.word("ties", &[("lots", Ties::Lots), ("shared", Ties::Shared)]).unwrap_or(Ties::Lots)
}

/// `order`, `running_order` or `bracket_order`.
pub(super) fn order(root: &Section, key: &str, measures: &[Measure]) -> Option<Vec<Step>> {
    let items = root.list(key, "a list of steps")?;
    if items.is_empty() {
        root.fault(key, "at least one step is expected".to_owned(), None);
    }
    let named = root.section("measures").map(|section| section.map);
    let known = Known { measures, named };
    // A measure that comes again separates nobody whom it did not separate before. The matches among the tied do,
    // where a step between told some of them apart (FIDE C.07, 4.3).
    for (at, node) in items.iter().enumerate() {
        let text = node.value.text();
        let of_matches =
            matches!(&node.value, Value::Table(step) if step.contains_key("head_to_head"));
        let from = if of_matches { at.saturating_sub(1) } else { 0 };
        if items[from..at].iter().any(|before| before.value.text() == text) {
            let hint = Some("name each step once".to_owned());
            root.value_fault(key, node, format!("`{text}` stands here twice"), hint);
        }
    }
    Some(items.iter().filter_map(|node| step(root, key, node, &known)).collect())
}

/// The measures as read, and all that the file names: one of those may have faults of its own.
struct Known<'k> {
    measures: &'k [Measure],
    named: Option<&'k Map>,
}

impl Known<'_> {
    fn position(&self, section: &Section, key: &str, id: &str, node: &Node) -> Option<usize> {
        let found = self.measures.iter().position(|measure| measure.id == id);
        if found.is_none() && self.named.is_none_or(|named| !named.contains_key(id)) {
            let ids = self.named.into_iter().flat_map(|named| named.keys().map(String::as_str));
            let message = format!("there is no measure `{id}`");
            section.value_fault(key, node, message, did_you_mean(id, ids));
        }
        found
    }
}

fn step(root: &Section, key: &str, node: &Node, known: &Known) -> Option<Step> {
    let section = match &node.value {
        Value::Text(id) => {
            let measure = known.position(root, key, id, node)?;
            return Some(Step::Measure { measure, lowest_first: false });
        }
        Value::Table(_) => root.table(key, node)?,
        _ => {
            let expected = "a measure, { lowest = \"...\" } or { head_to_head = \"...\" }";
            root.wrong(key, node, expected);
            return None;
        }
    };
    if section.has("lowest") {
        section.only(&["lowest"]);
        let (id, node) = (section.text("lowest")?, section.get("lowest")?);
        let measure = known.position(&section, "lowest", &id, node)?;
        return Some(Step::Measure { measure, lowest_first: true });
    }
    section.only(&["head_to_head", "only_pairs", "forfeits_in", "by", "lowest"]);
    section.require("head_to_head");
    let mode = section.word("head_to_head", &HEAD_TO_HEAD)?;
    let forfeits_in = section.words("forfeits_in", &PHASES).unwrap_or_default();
    let only_pairs = section.flag("only_pairs").unwrap_or(false);
    let by = match (section.text("by"), section.get("by")) {
        (Some(id), Some(node)) => {
            let total = known.position(&section, "by", &id, node)?;
            let formula = &known.measures[total].formula;
            if !matches!(formula, Formula::Total(total) if total.is_of_rounds()) {
                let message = format!("`{id}` is no total of rounds that count by themselves");
                let hint = Some("name a `total` such as game points".to_owned());
                section.value_fault("by", node, message, hint);
            }
            Some(total)
        }
        _ => None,
    };
    Some(Step::HeadToHead { mode, only_pairs, forfeits_in, by })
}

/// `[[attendance]]`: rows that rise; only the last may be open.
pub(super) fn attendance(root: &Section) -> Vec<Attendance> {
    let items = root.list("attendance", "tables [[attendance]]").unwrap_or_default();
    let rows: Vec<Attendance> = items
        .iter()
        .filter_map(|node| Some(attendance_row(&root.table("attendance", node)?)))
        .collect();
    let rises = rows.is_sorted_by(|a, b| match (a.up_to, b.up_to) {
        (Some(low), Some(high)) => low < high,
        (Some(_), None) => true,
        (None, _) => false,
    });
    if !rises {
        let message = "rows rise by `up_to`, and only the last may leave it out".to_owned();
        root.fault("attendance", message, None);
    }
    rows
}

fn attendance_row(section: &Section) -> Attendance {
    section.only(&["up_to", "rounds", "cut"]);
    section.require("rounds");
    Attendance {
        up_to: section.whole("up_to", 1, 1_000_000).map(|up_to| up_to as u32),
        rounds: section.whole("rounds", 0, 1000).unwrap_or_default() as u16,
        cut: section.whole("cut", 0, 1_000_000).unwrap_or_default() as u32,
    }
}

/// `[draw]`.
pub(super) fn draw(root: &Section) -> DrawRule {
    let Some(section) = root.section("draw") else {
        return DrawRule::default();
    };
    section.only(&["method", "rematch", "bracket", "qualifier_byes"]);
    let methods = [
        ("score-group-random", SwissMethod::ScoreGroupRandom),
        ("ranked-adjacent", SwissMethod::RankedAdjacent),
    ];
    let byes = [
        ("seeds", QualifierByes::Seeds),
        ("random", QualifierByes::Random),
        ("sign-up", QualifierByes::SignUp),
    ];
    let rematch = section.word("rematch", &[("avoid", false), ("allow", true)]);
    let reseed = section.word("bracket", &[("fixed", false), ("reseed", true)]);
    DrawRule {
        method: section.word("method", &methods).unwrap_or_default(),
        rematches_allowed: rematch.unwrap_or_default(),
        reseed: reseed.unwrap_or_default(),
        qualifier_byes: section.word("qualifier_byes", &byes).unwrap_or_default(),
    }
}
