//! What if: a result or a drop that is only tried, on a copy. Nothing of it is saved.

use super::frame::{Frame, Tab};
use super::moves::Change;
use super::{Looked, render, set_score};
use askama::Template;
use scrutineer_desk::desk::{DeskError, Means, write_slip};
use scrutineer_desk::looking::NO_REASON;
use scrutineer_desk::orders::{AtDesk, Correct, Drop, Enter, Order, UNNAMED};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_desk::what_if::WhatIf;
use scrutineer_engine::event::RoundNumber;
use scrutineer_engine::tournament::Tournament;
use serde::Deserialize;

/// What is tried.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Trial {
    /// In which round; otherwise in the last one.
    pub round: Option<RoundNumber>,
    /// Table or player, then the score.
    pub slip: Option<String>,
    /// Who would leave.
    pub drop: Option<String>,
}

#[derive(Template)]
#[template(path = "what_if.html")]
struct WhatIfPage {
    frame: Frame,
    trial: Trial,
    /// The rounds, and which of them is meant.
    rounds: Vec<(RoundNumber, bool)>,
    slip: String,
    dropped: String,
    refused: Option<(String, String)>,
    found: Option<Found>,
    is_correction: bool,
}

struct Found {
    tried: String,
    change: Change,
}

/// The order that is tried; none: nothing was typed. A result that stands would be corrected.
fn order(state: &Tournament, trial: &Trial) -> Option<Order> {
    let typed = |text: &Option<String>| {
        let text = text.as_deref().map(str::trim).filter(|text| !text.is_empty());
        text.map(str::to_string)
    };
    if let Some(player) = typed(&trial.drop) {
        return Some(Drop { player, no_show: false }.into());
    }
    let slip = typed(&trial.slip)?;
    let last = state.last_round().map_or(0, |round| round.number);
    let round = trial.round.unwrap_or(last);
    let table = slip.split_whitespace().next().and_then(|word| word.parse().ok());
    let is_entered =
        table.and_then(|table| state.at_table(round, table)).is_some_and(|m| m.result().is_some());
    Some(match is_entered || round < last {
        true => {
            let reason = NO_REASON.to_string();
            Correct { slip, reason, round: Some(round), ..Correct::default() }.into()
        }
        false => Enter { slip, ..Enter::default() }.into(),
    })
}

/// What an order would be told, in a line, and what it would change: it is carried out on a copy.
///
/// # Errors
/// Where it would be refused.
pub fn tried(at: &Looked<'_>, order: &Order) -> Result<(String, Change), VerbError> {
    let event = at.load_whole()?;
    let means = Means::of_machine(UNNAMED);
    let fork = at.store.fork(at.stream)?;
    let told = AtDesk::trial(at.asker, &fork, at.stream, means).carry_out(order)?;
    let after = fork.load(at.stream, true)?;
    let what_if = WhatIf::of(&event, &after, None).map_err(DeskError::from)?;
    let told = told.text.lines().next().unwrap_or_default().split("   ").next();
    let told = told.unwrap_or_default().to_string();
    Ok((told, Change::of(&after, &what_if, ["Now", "Then"])))
}

fn try_it(at: &Looked<'_>, order: &Order, trial: &Trial) -> Result<Found, VerbError> {
    let (told, change) = tried(at, order)?;
    let old = old_result(&at.load()?.state, trial);
    let tried = match old {
        Some(old) if !told.contains("it was") => format!("{told}, recorded {old}"),
        _ => told,
    };
    Ok(Found { tried, change })
}

/// The result that stands where another is tried.
fn old_result(state: &Tournament, trial: &Trial) -> Option<String> {
    let table = trial.slip.as_deref()?.split_whitespace().next()?.parse().ok()?;
    let round = trial.round.or(state.last_round().map(|round| round.number))?;
    Some(set_score(&write_slip(&state.at_table(round, table)?.to_result()?)))
}

/// What would be if this were recorded.
///
/// # Errors
/// Where the store cannot be read; what is refused on the copy stands on the page.
pub fn page(at: &Looked<'_>, trial: &Trial) -> Result<String, VerbError> {
    let event = at.load()?;
    let order = order(&event.state, trial);
    let (found, refused) = match order.as_ref().map(|order| try_it(at, order, trial)) {
        None => (None, None),
        Some(Ok(found)) => (Some(found), None),
        Some(Err(error)) => {
            let hint = error.hint.map_or(String::new(), |hint| hint.to_string());
            (None, Some((error.message, hint)))
        }
    };
    let meant = trial.round.or(event.state.last_round().map(|round| round.number)).unwrap_or(0);
    let rounds = event.state.rounds().iter().filter(|round| !round.withdrawn);
    render(&WhatIfPage {
        frame: Frame::of(at, &event, Tab::WhatIf, "what-if"),
        rounds: rounds.map(|round| (round.number, round.number == meant)).collect(),
        slip: trial.slip.clone().unwrap_or_default(),
        dropped: trial.drop.clone().unwrap_or_default(),
        is_correction: matches!(order, Some(Order::Correct(_))),
        trial: trial.clone(),
        refused,
        found,
    })
}

#[cfg(test)]
mod tests {
    use super::super::kit::hall;
    use super::*;
    use scrutineer_desk::orders::{Cut, Pair, Publish};

    #[test]
    fn what_is_tried_changes_nothing_and_says_so() {
        let hall = hall();
        let before = hall.store.load(hall.stream, false).expect("loaded").head;
        let trial = Trial { slip: Some("2 0-2".into()), ..Trial::default() };
        let html = page(&hall.looked(), &trial).expect("a page");
        assert!(html.contains("nothing is saved"));
        assert!(html.contains(" move"), "{html}");
        assert_eq!(hall.store.load(hall.stream, false).expect("loaded").head, before);
    }

    /// The command said so, and no page did.
    #[test]
    fn who_plays_on_and_by_a_late_result_is_out_is_for_the_head_judge_on_every_page() {
        let hall = hall();
        hall.all_in();
        hall.order(Cut { top: Some(4), ..Cut::default() });
        for _ in ["semi-final", "final"] {
            hall.all_in();
            hall.order(Pair::default());
            hall.order(Publish {});
        }
        let look = "LOOK: round 3 is being played by ";
        let rest = "the head judge has to say what becomes of it";
        let slip = "1 0-2".to_string();
        let trial = Trial { slip: Some(slip.clone()), round: Some(2), ..Trial::default() };
        let html = page(&hall.looked(), &trial).expect("a page");
        assert!(html.contains(look) && html.contains(rest), "{html}");
        let reason = "read upside down".to_string();
        hall.order(Correct { slip, reason, round: Some(2), ..Correct::default() });
        let html = super::super::moved::page(&hall.looked(), None).expect("a page");
        assert!(html.contains(look) && html.contains(rest), "{html}");
    }

    #[test]
    fn what_cannot_be_is_told_with_its_hint() {
        let hall = hall();
        let trial = Trial { slip: Some("2 9-9".into()), ..Trial::default() };
        let html = page(&hall.looked(), &trial).expect("a page");
        assert!(html.contains("That cannot be"));
        assert!(html.contains("value=\"2 9-9\""), "what was typed stays");
    }
}
