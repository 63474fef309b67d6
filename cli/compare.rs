//! `compare`: one event under several rulesets.

use crate::Report;
use crate::args;
use crate::error::VerbError;
use crate::session::{Session, dated, scope};
use scrutineer_desk::answers::{CompareAnswer, Dated, line};
use scrutineer_desk::movement::{because, moved};
use scrutineer_desk::orders::cut_of;
use scrutineer_desk::table::{Align, Aligned};
use scrutineer_projections::compare::{Comparison, KeyDifference, compare, differences};
use scrutineer_projections::crosstable::{Scope, check_rulings};
use scrutineer_projections::cut::Cut;
use scrutineer_projections::ruleset::{Ruleset, called};
use scrutineer_projections::standings::{Detail, Standings};
use scrutineer_replay::loaded::LoadedTournament;
use std::sync::Arc;

/// How many single differences are tried to find which one moves a player.
const MAX_TRIED: usize = 64;

/// Compares an event's standings under several rulesets, each with the first.
pub fn run(session: &Session, options: &args::Compare) -> Result<Report, VerbError> {
    let event = session.event(&options.which, &options.when.known, false)?;
    let scope = scope(&event.state, options.when.through)?;
    let mut names: Vec<Option<&str>> = options.rulesets.iter().map(|n| Some(&n[..])).collect();
    if names.len() == 1 {
        names.insert(0, None);
    }
    let text = compare_all(session, &event, &names, scope, options.cut)?;
    Ok(Report::yes(if session.json { text } else { dated(&event, text) }))
}

/// The comparisons of the first ruleset with each other one, in words or JSON. Without a `cut` the
/// plan's holds.
pub fn compare_all(
    session: &Session,
    event: &LoadedTournament,
    names: &[Option<&str>],
    scope: Scope,
    cut: Option<u32>,
) -> Result<String, VerbError> {
    let fold = |rules: &Arc<Ruleset>| Standings::of(&event.state, rules, scope, Detail::Order);
    let first_rules = session.rules(event, names[0])?;
    check_rulings(&event.state, &first_rules)?;
    let first = fold(&first_rules)?;
    cut_of(cut, first.rows.len())?;
    let cut = Cut::of(&event.state, &first, cut);
    let mut text = String::new();
    for name in &names[1..] {
        let rules = session.rules(event, *name)?;
        check_rulings(&event.state, &rules)?;
        let second = fold(&rules)?;
        let different = differences(&first_rules, &rules);
        let variants = variants(session, event, names[0], &different, scope);
        let reported = shortened(session, event, names[0], &rules, different);
        let cuts = cut.clone().and_then(|cut| {
            let second = Cut::of(&event.state, &second, Some(cut.size))?;
            Some([cut, second])
        });
        let found = compare(&first, &second, reported, &variants, cuts);
        if !text.is_empty() && !session.json {
            text.push('\n');
        }
        text.push_str(&match session.json {
            true => line(&Dated::of(event, CompareAnswer::of(event, [&first, &second], &found))),
            false => describe(event, &first, &second, &found),
        });
    }
    Ok(text)
}

/// The first ruleset with one key set as in the second.
fn with_key(
    session: &Session,
    event: &LoadedTournament,
    first: Option<&str>,
    changes: &[&KeyDifference],
) -> Option<Arc<Ruleset>> {
    let own = || Some(event.state.ruleset()?.first()?.name.clone());
    let mut expression = first.map(str::to_string).or_else(own)?;
    for change in changes {
        expression.push_str(&format!("+{}={}", change.key, change.second.as_ref()?));
    }
    session.rules(event, Some(&expression)).ok()
}

/// Standings under the first ruleset with each single difference taken over.
fn variants(
    session: &Session,
    event: &LoadedTournament,
    first: Option<&str>,
    differences: &[KeyDifference],
    scope: Scope,
) -> Vec<(String, Standings)> {
    let one = |difference: &KeyDifference| {
        let rules = with_key(session, event, first, &[difference])?;
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
    session: &Session,
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
            let rules = with_key(session, event, first, &changes)?;
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

fn describe(
    event: &LoadedTournament,
    first: &Standings,
    second: &Standings,
    found: &Comparison,
) -> String {
    let (a, b) = (called(&first.rules.files), called(&second.rules.files));
    let mut text = format!("{} under {a} and under {b}\n", event.title());
    for difference in &found.differences {
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".into());
        let (from, to) = (value(&difference.first), value(&difference.second));
        text.push_str(&format!("  {}: {from} -> {to}\n", difference.key));
    }
    text.push('\n');
    if found.moves.is_empty() {
        text.push_str(&format!("Nobody moves: all {} places are the same.\n", found.unchanged));
        return text;
    }
    let [a, b] = heads(&a, &b);
    let mut table = Aligned::new([
        ("player", Align::Left),
        (a, Align::Right),
        (b, Align::Right),
        ("", Align::Left),
        ("because", Align::Left),
    ]);
    for one in &found.moves {
        let moved = moved(one, found.cut);
        table.row([
            event.name(one.player),
            one.first.to_string(),
            one.second.to_string(),
            moved,
            because(event, one),
        ]);
    }
    text.push_str(&table.text());
    text.push_str(&match found.unchanged {
        0 => "\nEverybody moves.\n".to_string(),
        1 => "\nOne player is unchanged.\n".to_string(),
        count => format!("\n{count} players are unchanged.\n"),
    });
    if let Some(cut) = found.cut {
        let crossing = found.moves.iter().filter(|one| one.at_cut.is_some()).count();
        text.push_str(&match crossing {
            0 => format!("The top {cut} is the same.\n"),
            _ => format!("The top {cut} changes.\n"),
        });
    }
    text
}

/// What stands above the two columns of places: the ids, where they are short.
fn heads<'a>(first: &'a str, second: &'a str) -> [&'a str; 2] {
    let is_short = |id: &str| id.chars().count() <= 20 && !id.contains(" with ");
    match (is_short(first), is_short(second)) {
        (true, true) => [first, second],
        (true, false) if second.starts_with(first) => [first, "changed"],
        (false, true) if first.starts_with(second) => ["changed", second],
        _ => ["first", "second"],
    }
}
