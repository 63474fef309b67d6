//! `[measures.*]`: each with exactly one formula, brought into an order in which each only needs
//! earlier ones.

use super::chain::FORMULAS;
use super::fault::{did_you_mean, nearest};
use super::options::{is_weight, opponents, rounding, total};
use super::section::{Section, is_name, name_hint};
use super::tree::{Map, Node, Value};
use crate::ratio::Fraction;
use crate::ruleset::limits::MEASURES;
use crate::ruleset::{
    Combine, Fact, Formula, Measure, Opponents, Performance, PerformanceBy, Show,
};
use std::collections::{BTreeMap, BTreeSet};

/// Keys that every measure may have.
const COMMON: [&str; 9] = [
    "label",
    "floor",
    "cap",
    "cap_if_dropped",
    "cap_if_dropped_early",
    "when_empty",
    "round",
    "show",
    "decimals",
];
const TOTAL: [&str; 9] = [
    "outcomes",
    "kinds",
    "except",
    "byes",
    "average_round",
    "each_at_least",
    "each_at_most",
    "decay",
    "last_requested_byes_draw",
];
const OPPONENTS: [&str; 10] = [
    "combine",
    "each_at_least",
    "each_at_most",
    "weight",
    "lowest_dropped",
    "highest_dropped",
    "repeats",
    "bye_as",
    "divide_by",
    "unplayed",
];
const PERFORMANCE: [&str; 1] = ["by"];
const PERFORMANCES: [(&str, PerformanceBy); 3] = [
    ("mean", PerformanceBy::Mean),
    ("score", PerformanceBy::Score),
    ("perfect", PerformanceBy::Perfect),
];
const FACTS: [(&str, Fact); 8] = [
    ("sign_up", Fact::SignUp),
    ("seed", Fact::Seed),
    ("seed_if_known", Fact::SeedIfKnown),
    ("late", Fact::Late),
    ("rating", Fact::Rating),
    ("furthest_round", Fact::FurthestRound),
    ("won_final", Fact::WonFinal),
    ("knocked_out", Fact::KnockedOut),
];

/// The position of each measure by its id.
pub(super) type Positions<'m> = BTreeMap<&'m str, usize>;

/// All measures, each after those it needs.
pub(super) fn measures(root: &Section) -> Vec<Measure> {
    let Some(all) = root.section("measures") else {
        return Vec::new();
    };
    if all.map.len() > MEASURES {
        let message = format!("{} measures, at most {MEASURES} are read", all.map.len());
        root.fault("measures", message, None);
        return Vec::new();
    }
    let sections: BTreeMap<&str, (Section, &'static str)> = all
        .map
        .iter()
        .filter_map(|(id, entry)| {
            let section = all.table(id, &entry.node)?;
            let formula = formula_key(&section, id, all.map)?;
            Some((id.as_str(), (section, formula)))
        })
        .collect();
    let needs = sections.iter().map(|(id, (section, key))| (*id, needs(section, key, all.map)));
    let Some(sorted) = sort(&all, needs.collect()) else {
        return Vec::new();
    };
    let positions: Positions = sorted.iter().enumerate().map(|(at, id)| (*id, at)).collect();
    let mut measures: Vec<Measure> = Vec::new();
    for id in &sorted {
        if let Some((section, key)) = sections.get(id) {
            let measure = measure(id, section, key, &positions, &measures);
            measures.push(measure);
        }
    }
    measures
}

/// The one formula key that a measure has.
fn formula_key(section: &Section, id: &str, all: &Map) -> Option<&'static str> {
    if !is_name(id) {
        let message = format!("`{id}` is no id of a measure");
        section.faults.add(section.place, &section.path, message, Some(name_hint()));
    }
    let mut found = FORMULAS.into_iter().filter(|key| section.has(key));
    let one_of = FORMULAS.join(", ");
    match (found.next(), found.next()) {
        (Some(key), None) => Some(key),
        (Some(first), Some(second)) => {
            let message = format!("has both `{first}` and `{second}`; it needs exactly one");
            section.fault(second, message, None);
            None
        }
        _ => {
            let typed = section.map.keys().find_map(|key| Some((key, nearest(key, FORMULAS)?)));
            let others = all.keys().map(String::as_str).filter(|other| *other != id);
            let hint = match typed {
                Some((key, formula)) => Some(format!("`{key}`: did you mean `{formula}`?")),
                None => did_you_mean(id, others),
            };
            let message = format!("has none of {one_of}; it needs exactly one");
            section.faults.add(section.place, &section.path, message, hint);
            None
        }
    }
}

/// The measures that a formula names, where they exist.
fn needs<'m>(section: &Section<'m>, formula: &str, all: &'m Map) -> Vec<&'m str> {
    let named: Vec<(String, &Node)> = match (formula, section.get(formula)) {
        ("ratio", Some(node)) => {
            if ratio(node).is_none() {
                let expected = "two measures, such as [\"points\", \"possible_points\"]";
                section.wrong("ratio", node, expected);
            }
            ratio(node).into_iter().flatten().collect()
        }
        ("sum_of", Some(_)) => section
            .section(formula)
            .map(|terms| terms.map.iter().map(|(id, entry)| (id.clone(), &entry.node)).collect())
            .unwrap_or_default(),
        ("opponents" | "as_left" | "as_drawn" | "performance", Some(node)) => {
            section.text(formula).map(|id| vec![(id, node)]).unwrap_or_default()
        }
        _ => Vec::new(),
    };
    let named = named.into_iter();
    let mut needed: Vec<&str> =
        named.filter_map(|(id, node)| known(section, formula, &id, node, all)).collect();
    // A total may be what opponents are weighed by; what is none of these words is told there.
    if let ("opponents", Some(Value::Text(weight))) =
        (formula, section.get("weight").map(|node| &node.value))
        && !is_weight(weight)
    {
        needed.extend(all.get_key_value(weight.as_str()).map(|(id, _)| id.as_str()));
    }
    needed
}

/// The two measures of a ratio, each with its place.
fn ratio(node: &Node) -> Option<[(String, &Node); 2]> {
    let Value::List(items) = &node.value else {
        return None;
    };
    let [num, den] = items.as_slice() else {
        return None;
    };
    match (&num.value, &den.value) {
        (Value::Text(above), Value::Text(below)) => {
            Some([(above.clone(), num), (below.clone(), den)])
        }
        _ => None,
    }
}

fn known<'m>(section: &Section, key: &str, id: &str, node: &Node, all: &'m Map) -> Option<&'m str> {
    if let Some((known, _)) = all.get_key_value(id) {
        return Some(known);
    }
    let hint = did_you_mean(id, all.keys().map(String::as_str));
    let message = format!("there is no measure `{id}`");
    section.value_fault(key, node, message, hint);
    None
}

/// Each after those it needs; of those that could come next, the first by name.
fn sort<'m>(all: &Section, mut needs: BTreeMap<&'m str, Vec<&'m str>>) -> Option<Vec<&'m str>> {
    let read: BTreeSet<&str> = needs.keys().copied().collect();
    needs.values_mut().for_each(|needed| needed.retain(|id| read.contains(id)));
    let mut sorted: Vec<&str> = Vec::new();
    let mut left = needs.clone();
    while !left.is_empty() {
        let ready = |needed: &Vec<&str>| needed.iter().all(|id| !left.contains_key(id));
        let next = left.iter().find(|(_, needed)| ready(needed)).map(|(id, _)| *id);
        let Some(next) = next else {
            report_circle(all, &left);
            return None;
        };
        left.remove(next);
        sorted.push(next);
    }
    Some(sorted)
}

/// Follows needs until a measure comes again, and names the circle.
fn report_circle(all: &Section, left: &BTreeMap<&str, Vec<&str>>) {
    let mut way: Vec<&str> = left.keys().take(1).copied().collect();
    while let Some(last) = way.last() {
        let Some(next) = left[last].iter().find(|id| left.contains_key(*id)).copied() else {
            return;
        };
        if let Some(start) = way.iter().position(|id| *id == next) {
            let circle = way[start..].iter().chain([&next]).copied().collect::<Vec<_>>();
            let message = format!("measures need each other in a circle: {}", circle.join(" -> "));
            all.fault(next, message, None);
            return;
        }
        way.push(next);
    }
}

fn measure(
    id: &str,
    section: &Section,
    key: &str,
    positions: &Positions,
    earlier: &[Measure],
) -> Measure {
    let extra: &[&str] = match key {
        "total" => &TOTAL,
        "opponents" => &OPPONENTS,
        "performance" => &PERFORMANCE,
        _ => &[],
    };
    check_keys(section, key, extra);
    let formula = formula(section, key, positions, earlier);
    if let Formula::AsLeft(of) | Formula::AsDrawn(of) = formula
        && let Some(taken) = taken_otherwise(of, earlier)
    {
        let message = format!("builds on a measure that is itself taken as {taken}");
        section.fault(key, message, Some("name the measure behind that one".to_owned()));
    }
    let floor = section.exact("floor");
    let cap = section.exact("cap");
    if let (Some(floor), Some(cap)) = (floor, cap)
        && floor > cap
    {
        section.fault("cap", format!("the cap {cap} is below the floor {floor}"), None);
    }
    Measure {
        id: id.to_owned(),
        label: section.text("label").unwrap_or_else(|| id.to_owned()),
        when_empty: section.exact("when_empty").unwrap_or(Fraction::ZERO),
        floor,
        cap,
        cap_if_dropped: section.exact("cap_if_dropped"),
        cap_if_dropped_early: section.exact("cap_if_dropped_early"),
        round: rounding(section, "round"),
        show: show(section, &formula, earlier),
        formula,
    }
}

/// Whether a measure, or one that it builds on, is taken as it stood when a player left, or as if the
/// last round had been drawn.
fn taken_otherwise(of: usize, measures: &[Measure]) -> Option<&'static str> {
    // Each measure is asked once, however many ways lead to it.
    let (mut met, mut left) = (BTreeSet::from([of]), vec![of]);
    while let Some(measure) = left.pop().and_then(|at| measures.get(at)) {
        match measure.formula {
            Formula::AsLeft(_) => return Some("it stood"),
            Formula::AsDrawn(_) => return Some("if a round had been drawn"),
            _ => {}
        }
        left.extend(measure.formula.inputs().into_iter().filter(|input| met.insert(*input)));
    }
    None
}

/// An option of another formula is told as such.
fn check_keys(section: &Section, formula: &str, extra: &[&str]) {
    let allowed: Vec<&str> = [&[formula], extra, &COMMON].concat();
    for (key, entry) in section.map.iter().filter(|(key, _)| !allowed.contains(&key.as_str())) {
        let owner = [
            ("total", &TOTAL[..]),
            ("opponents", &OPPONENTS[..]),
            ("performance", &PERFORMANCE[..]),
        ];
        let owner = owner.into_iter().find(|(_, keys)| keys.contains(&key.as_str()));
        let (message, hint) = match owner {
            Some((owner, _)) => {
                (format!("belongs to `{owner}` measures, and this is a `{formula}`"), None)
            }
            None => {
                let hint = did_you_mean(key, allowed.iter().copied())
                    .or_else(|| Some(format!("known here: {}", allowed.join(", "))));
                ("there is no such key".to_owned(), hint)
            }
        };
        section.faults.add(entry.place, &section.key(key), message, hint);
    }
}

fn formula(section: &Section, key: &str, positions: &Positions, earlier: &[Measure]) -> Formula {
    let at = |id: &str| positions.get(id).copied().unwrap_or_default();
    let named = || at(&section.get(key).map(|node| node.value.text()).unwrap_or_default());
    match key {
        "total" => Formula::Total(total(section)),
        "ratio" => {
            let ids = section.get(key).and_then(ratio).map(|pair| pair.map(|(id, _)| at(&id)));
            let [num, den] = ids.unwrap_or_default();
            Formula::Ratio { num, den }
        }
        "sum_of" => Formula::SumOf(sum_of(section, positions)),
        "as_left" => Formula::AsLeft(named()),
        "as_drawn" => Formula::AsDrawn(named()),
        "opponents" => {
            // A measure that is no total, or none of rounds by themselves, is no word for a weight.
            let totals = |id: &str| {
                let at = *positions.get(id)?;
                let Formula::Total(total) = &earlier.get(at)?.formula else { return None };
                total.is_of_rounds().then_some(at)
            };
            Formula::Opponents(opponents(section, named(), &totals))
        }
        "performance" => {
            let of = named();
            let by = section.word("by", &PERFORMANCES).unwrap_or(PerformanceBy::Score);
            Formula::Performance(Performance { of, by })
        }
        _ => Formula::Fact(section.word("fact", &FACTS).unwrap_or(Fact::Seed)),
    }
}

fn sum_of(section: &Section, positions: &Positions) -> Vec<(usize, Fraction)> {
    let Some(terms) = section.section("sum_of") else {
        return Vec::new();
    };
    if terms.map.is_empty() {
        section.fault("sum_of", "at least one measure is expected".to_owned(), None);
    }
    let term = |id: &String| Some((positions.get(id.as_str()).copied()?, terms.exact(id)?));
    terms.map.keys().filter_map(term).collect()
}

fn show(section: &Section, formula: &Formula, earlier: &[Measure]) -> Show {
    let percent = match formula {
        Formula::Ratio { .. } => true,
        Formula::AsLeft(of) | Formula::AsDrawn(of) => {
            earlier.get(*of).is_some_and(|measure| measure.show.percent)
        }
        Formula::Opponents(Opponents { of, combine: Combine::Mean, .. }) => {
            earlier.get(*of).is_some_and(|measure| measure.show.percent)
        }
        _ => false,
    };
    let percent = section.word("show", &[("percent", true), ("number", false)]).unwrap_or(percent);
    let decimals = section.whole("decimals", 0, 12).unwrap_or(4);
    Show { percent, decimals: decimals as u32 }
}
