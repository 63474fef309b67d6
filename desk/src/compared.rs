//! A tournament's standings under one ruleset beside those under another, and which of the differences
//! between the two move somebody.

use crate::orders::cut_of;
use crate::verb_error::VerbError;
use scrutineer_projections::compare::{Comparison, KeyDifference, compare, differences};
use scrutineer_projections::crosstable::{Scope, check_rulings};
use scrutineer_projections::cut::Cut;
use scrutineer_projections::ruleset::Ruleset;
use scrutineer_projections::standings::{Detail, Standings};
use scrutineer_replay::loaded::LoadedTournament;
use std::sync::Arc;

/// How many single differences are tried to find which one moves a player.
const MAX_TRIED: usize = 64;

/// Where rulesets come from, by their ids; none: the tournament's own.
pub type RulesOf<'a> = dyn Fn(Option<&str>) -> Result<Arc<Ruleset>, VerbError> + 'a;

/// Standings under two rulesets.
pub struct Compared {
    /// Under the first.
    pub first: Standings,
    /// Under the second.
    pub second: Standings,
    /// Who moves, and because of what.
    pub found: Comparison,
}

/// Compares a tournament's standings under two rulesets. Without a `cut` the plan's holds.
///
/// # Errors
/// Where there is no such ruleset, or one of them cannot rank what was recorded.
pub fn compared(
    event: &LoadedTournament,
    rules: &RulesOf<'_>,
    names: [Option<&str>; 2],
    scope: Scope,
    cut: Option<u32>,
) -> Result<Compared, VerbError> {
    let fold = |rules: &Arc<Ruleset>| -> Result<Standings, VerbError> {
        check_rulings(&event.state, rules)?;
        Ok(Standings::of(&event.state, rules, scope, Detail::Order)?)
    };
    let first_rules = rules(names[0])?;
    let first = fold(&first_rules)?;
    cut_of(cut, first.rows.len())?;
    let second_rules = rules(names[1])?;
    let second = fold(&second_rules)?;
    let different = differences(&first_rules, &second_rules);
    let variants = variants(rules, event, names[0], &different, scope);
    let reported = shortened(rules, event, names[0], &second_rules, different);
    let cuts = Cut::of(&event.state, &first, cut).and_then(|cut| {
        let second = Cut::of(&event.state, &second, Some(cut.size))?;
        Some([cut, second])
    });
    let found = compare(&first, &second, reported, &variants, cuts);
    Ok(Compared { first, second, found })
}

/// The first ruleset with one key set as in the second.
fn with_key(
    rules: &RulesOf<'_>,
    event: &LoadedTournament,
    first: Option<&str>,
    changes: &[&KeyDifference],
) -> Option<Arc<Ruleset>> {
    let own = || Some(event.state.ruleset()?.first()?.name.clone());
    let mut expression = first.map(str::to_string).or_else(own)?;
    for change in changes {
        expression.push_str(&format!("+{}={}", change.key, change.second.as_ref()?));
    }
    rules(Some(&expression)).ok()
}

/// Standings under the first ruleset with each single difference taken over.
fn variants(
    rules: &RulesOf<'_>,
    event: &LoadedTournament,
    first: Option<&str>,
    differences: &[KeyDifference],
    scope: Scope,
) -> Vec<(String, Standings)> {
    let one = |difference: &KeyDifference| {
        let rules = with_key(rules, event, first, &[difference])?;
        let standings = Standings::of(&event.state, &rules, scope, Detail::Order).ok()?;
        Some((difference.key.clone(), standings))
    };
    let settings_first = {
        let mut list: Vec<&KeyDifference> = differences.iter().collect();
        list.sort_by_key(|difference| !difference.key.starts_with("settings."));
        list
    };
    settings_first.into_iter().take(MAX_TRIED).filter_map(one).collect()
}

/// Only the settings that differ, and what does not follow from them, are worth telling: of the
/// settings, first the one from which most of the rest follows.
fn shortened(
    rules: &RulesOf<'_>,
    event: &LoadedTournament,
    first: Option<&str>,
    second: &Ruleset,
    all: Vec<KeyDifference>,
) -> Vec<KeyDifference> {
    let mut told: Vec<&KeyDifference> = Vec::new();
    let mut left = all.clone();
    loop {
        let with = |one: &'_ KeyDifference| {
            let one = all.iter().find(|known| known.key == one.key)?;
            let changes: Vec<&KeyDifference> = told.iter().copied().chain([one]).collect();
            let rules = with_key(rules, event, first, &changes)?;
            Some((one, differences(&rules, second)))
        };
        let settings = left.iter().filter(|one| one.key.starts_with("settings.")).take(MAX_TRIED);
        let best = settings.filter_map(with).min_by_key(|(_, rest)| rest.len());
        match best.filter(|(_, rest)| rest.len() < left.len()) {
            Some((one, rest)) => {
                told.push(one);
                left = rest;
            }
            None => break,
        }
    }
    let is_told = |one: &KeyDifference| {
        told.iter().any(|known| known.key == one.key) || left.iter().any(|l| l.key == one.key)
    };
    all.iter().filter(|one| is_told(one)).cloned().collect()
}
