//! A tournament's standings under its own rules and under others.

use super::frame::{Frame, Tab};
use super::moves::Moves;
use super::{Looked, render, rules_of};
use crate::reading::up_to;
use askama::Template;
use scrutineer_desk::compared::{Compared, compared};
use scrutineer_desk::horizon::last_out;
use scrutineer_desk::orders::scope;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::RoundNumber;
use scrutineer_projections::ruleset::{Library, called};
use scrutineer_replay::loaded::LoadedTournament;

#[derive(Template)]
#[template(path = "compare.html")]
struct ComparePage {
    frame: Frame,
    own: String,
    typed: String,
    rulesets: Vec<String>,
    refused: Option<(String, String)>,
    found: Option<Found>,
}

struct Found {
    other: String,
    differences: Vec<(String, String, String)>,
    moves: Moves,
    cut: Option<u32>,
}

fn found(
    event: &LoadedTournament,
    other: &str,
    out: Option<RoundNumber>,
) -> Result<Found, VerbError> {
    let rules = |name: Option<&str>| rules_of(event, name);
    let (names, scope) = ([None, Some(other)], up_to(scope(&event.state, None)?, out));
    let Compared { first, second, found } = compared(event, &rules, names, scope, None)?;
    let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".into());
    let differs = found.differences.iter();
    Ok(Found {
        other: called(&rules(Some(other))?.files),
        differences: differs
            .map(|one| (one.key.clone(), value(&one.first), value(&one.second)))
            .collect(),
        moves: Moves::of(event, [&first, &second], &found, ["Here", "There"]),
        cut: found.cut,
    })
}

/// Who would stand elsewhere under other rules.
///
/// # Errors
/// Where the tournament cannot be read; what cannot be folded stands on the page.
pub fn page(at: &Looked<'_>, rules: Option<&str>) -> Result<String, VerbError> {
    let event = at.load()?;
    let own = rules_of(&event, None)?;
    let typed = rules.map(str::trim).unwrap_or_default().to_string();
    let out = last_out(&event.state).filter(|_| !at.sees_drafts());
    let compared = (!typed.is_empty()).then(|| found(&event, &typed, out));
    let (found, refused) = match compared {
        None => (None, None),
        Some(Ok(found)) => (Some(found), None),
        Some(Err(error)) => {
            let hint = error.hint.map_or(String::new(), |hint| hint.to_string());
            (None, Some((error.message, hint)))
        }
    };
    render(&ComparePage {
        frame: Frame::of(at, &event, Tab::Standings, "compare"),
        own: called(&own.files),
        typed,
        rulesets: Library::shipped().ids(),
        refused,
        found,
    })
}

#[cfg(test)]
mod tests {
    use super::super::kit::hall;
    use super::*;

    #[test]
    fn another_floor_is_told_and_unknown_rules_are_refused_on_the_page() {
        let hall = hall();
        hall.play_on();
        let html = page(&hall.looked(), Some("mtr+settings.percentage_floor=1/2")).expect("a page");
        assert!(html.contains("percentage_floor"), "{html}");
        let html = page(&hall.looked(), Some("no-such-rules")).expect("a page");
        assert!(html.contains("role=\"alert\""));
    }
}
