//! `compare`: one tournament under several rulesets.

use crate::Report;
use crate::args;
use crate::error::VerbError;
use crate::session::{Session, dated, scope};
use scrutineer_desk::answers::{CompareAnswer, Dated, line};
use scrutineer_desk::compared::{Compared, compared};
use scrutineer_desk::movement::{because, moved};
use scrutineer_desk::table::{Align, Aligned};
use scrutineer_projections::compare::Comparison;
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::ruleset::called;
use scrutineer_projections::standings::Standings;
use scrutineer_replay::loaded::LoadedTournament;

/// Compares a tournament's standings under several rulesets, each with the first.
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
    let rules = |name: Option<&str>| session.rules(event, name);
    let mut text = String::new();
    for name in &names[1..] {
        let pair = [&rules(names[0])?, &rules(*name)?];
        let Compared { first, second, found } = compared(event, pair, scope, cut)?;
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
