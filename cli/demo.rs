//! `demo`: the main job on an invented tournament, in half a minute. Nothing is stored.

use crate::Report;
use crate::error::VerbError;
use crate::session::{PROGRAM, Session};
use crate::{compare, explain, standings};
use scrutineer_desk::answers::{StandingsAnswer, line};
use scrutineer_desk::names;
use scrutineer_desk::rehearsal::now;
use scrutineer_desk::store::{Store, prepare};
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::standings::{Detail, Standings};
use scrutineer_replay::verify::{Beside, verify};

/// The Autumn Open: 16 invented players, five rounds of Swiss, a cut to eight.
const EVENT: &str = include_str!("data/autumn-open.csv");

/// Walks through standings, an explanation and a comparison.
pub fn run(session: &Session) -> Result<Report, VerbError> {
    let store = Store::in_memory();
    let library = session.rulesets.borrow();
    let prepared = prepare("autumn-open.csv", EVENT.as_bytes(), None, &library)?;
    drop(library);
    let stream = prepared.stream;
    store.add(prepared, &mut Vec::new(), PROGRAM, now())?;
    let event = store.load(stream, false)?;
    let rules = session.rules(&event, None)?;
    let table = Standings::of(&event.state, &rules, Scope::default(), Detail::All)?;
    let player = names::find_player(&event, "Kowalski")?;
    let why = scrutineer_projections::explain::explain(&event.state, &table, player, None);
    let third = "mtr+settings.percentage_floor=1/3";
    let names = [None, Some(third)];
    let compared = compare::compare_all(session, &event, &names, Scope::default(), None)?;
    if session.json {
        return Ok(Report::yes(line(&StandingsAnswer::of(&event, &table)) + &compared));
    }
    let checked = verify(store.log(), stream, Beside::default()).0;
    let mut text = String::new();
    let mut step = |command: &str, answer: &str| {
        text.push_str(&format!("$ scrutineer {command}\n{answer}\n"));
    };
    step("standings", &standings::text(&event, &table));
    if let Some(why) = &why {
        step("explain Kowalski", &explain::text(&event, &table, why));
    }
    step(&format!("compare {third}"), &compared);
    text.push_str(&format!(
        "Every place above comes from {} recorded events (head {}). Your own tournament:\n  \
         scrutineer import my-tournament.csv\n",
        checked.records,
        checked.head.short(),
    ));
    Ok(Report::yes(text))
}
