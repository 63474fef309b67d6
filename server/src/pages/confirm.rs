//! Before an order is carried out that something speaks against: what that is, and whether it is meant.

use super::alerts::{Alert, of_displaced, of_old_cut, of_old_points, to_decide};
use super::desk::{can_be_removed, going_on};
use super::disputes::{Plausible, read_file};
use super::frame::{Frame, Tab, capital};
use super::missing::cut_without;
use super::moves::Change;
use super::what_if::tried;
use super::{Looked, render, round_called, rules_of, seats_of, set_apart, won_in_words};
use crate::gate::may;
use crate::language::Language;
use crate::posted::Fields;
use askama::Template;
use scrutineer_desk::desk::{dispute_of, suggested};
use scrutineer_desk::orders::{Cut, Order, Pair, Rule, cuts_of_divisions, not_here};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_pairing::running_phase;
use scrutineer_projections::divisions::find_division;
use scrutineer_replay::loaded::LoadedTournament;

#[derive(Template)]
#[template(path = "confirm.html")]
struct ConfirmPage {
    frame: Frame,
    title: String,
    why: String,
    open: Vec<Alert>,
    change: Option<Change>,
    fields: Vec<(String, String)>,
    button: String,
    /// The result that stands though its dispute is upheld, and the scores that may be the right one.
    stands: String,
    scores: Vec<Plausible>,
    back: String,
}

/// The result that would stand where a dispute is upheld and no other result is named; none: that is not so.
fn upholds_alone(event: &LoadedTournament, rule: &Rule) -> Option<String> {
    let is_alone = rule.upheld == Some(true) && rule.score.is_none();
    let dispute = dispute_of(&event.state, rule.dispute).ok().filter(|_| is_alone)?;
    let found = event.state.match_at(dispute.pairing).filter(|_| dispute.ruled.is_none())?;
    Some(won_in_words(event, &seats_of(found), &found.to_result()?))
}

/// What it means to remove a tournament.
const REMOVES: &str = "It goes out of every list, season and search. Its log stays and says who removed it and why, \
                       and its file can be imported again.";

/// Returns whether an order is one that is asked about where something speaks against it.
pub fn is_asked_about(order: &Order) -> bool {
    match order {
        Order::Pair(Pair { again, .. }) => !again,
        Order::Publish(_)
        | Order::Cut(_)
        | Order::Close(_)
        | Order::Correct(_)
        | Order::Rule(_)
        | Order::Remove(_) => true,
        _ => false,
    }
}

/// Who would go on by a cut of another size than the usual one: that is shown before it is made.
fn of_another_size(event: &LoadedTournament, cut: &Cut) -> Option<String> {
    let rules = rules_of(event, None).ok()?;
    let own = cut.division.as_deref().and_then(|typed| find_division(&event.state, typed.trim()));
    let usual = match own {
        Some(own) => {
            let waiting = cuts_of_divisions(&event.state, &rules).waiting;
            waiting.iter().find(|one| one.name == own).map(|one| one.top)
        }
        None => {
            let phase = running_phase(&event.state).map_or(1, |phase| phase.number);
            let plan = event.state.opened().and_then(|it| it.plan.get(usize::from(phase)));
            let suggested = || suggested(&rules, &event.state).map(|row| row.cut);
            plan.and_then(|plan| plan.players).or_else(suggested)
        }
    };
    let top = cut.top.filter(|top| Some(*top) != usual)?;
    going_on(event, &rules, Some(top), own)
}

/// What is open still before a round is paired, a cut made or a tournament closed.
fn open(at: &Looked<'_>, event: &LoadedTournament, order: &Order) -> Result<Vec<Alert>, VerbError> {
    let mut open = to_decide(at, event)?;
    // Who wishes to drop has nothing more to be paired for.
    open.retain(|one| one.verb != "Drop" || !matches!(order, Order::Close(_)));
    if matches!(order, Order::Close(_)) && at.hidden.is_some() {
        let text = "Results that are hidden become public, and stay so where the closing is undone";
        open.push(Alert::leading("soon", "Show", text.into(), "standings".into(), "Standings"));
    }
    let without = cut_without(&event.state);
    if matches!(order, Order::Cut(_)) && !without.is_empty() {
        let text = without.trim_end_matches('.').to_string();
        open.push(Alert::leading("soon", "Look", text, "missing".into(), "Missing"));
    }
    // What is paired or closed now would be made of it.
    if !matches!(order, Order::Cut(_)) {
        open.extend(of_displaced(at, event)?);
    }
    if matches!(order, Order::Pair(_)) {
        open.extend(of_old_cut(at, event));
    }
    let next = event.state.next_round_number();
    // Later it is known who is here: the draft names who has not checked in.
    if matches!(order, Order::Pair(_)) && next == 1 {
        let absent = not_here(&event.state, next);
        let names: Vec<String> = absent.iter().map(|one| set_apart(event.name(*one))).collect();
        if !names.is_empty() {
            let text = format!("Not checked in: {}", names.join(", "));
            open.push(Alert::leading("soon", "Look", text, "players".into(), "Players"));
        }
    }
    Ok(open)
}

/// What the order is called on its button.
fn called(order: &Order, event: &LoadedTournament) -> String {
    let language = Language::English;
    match order {
        Order::Pair(_) => {
            format!("Pair {}", super::called::next_within(&event.state, language))
        }
        Order::Cut(Cut { top: Some(top), .. }) => format!("Make the cut to the top {top}"),
        Order::Cut(_) => "Make the cut".into(),
        Order::Publish(_) => {
            let round = event.state.last_round().map_or(0, |last| last.number);
            format!("Publish {}", super::called::round_within(&event.state, round))
        }
        Order::Close(_) => "Close the tournament".into(),
        Order::Rule(rule) => format!("Rule dispute {}", rule.dispute),
        Order::Remove(_) => format!("Remove {}", set_apart(event.title())),
        Order::Correct(correct) => match correct.round {
            Some(round) => {
                let round = round_called(&event.state, round, language);
                format!("Correct {} in {}", correct.slip, super::called::within_text(&round))
            }
            None => format!("Correct {}", correct.slip),
        },
        _ => "Do it".into(),
    }
}

/// The page that asks before an order is carried out; none where nothing speaks against it, or where it is
/// refused anyway.
///
/// # Errors
/// Where the store cannot be read.
pub fn page(
    at: &Looked<'_>,
    order: &Order,
    fields: &Fields,
    back: &str,
) -> Result<Option<String>, VerbError> {
    if may(at.role, order).is_err() {
        return Ok(None);
    }
    let event = at.load_whole()?;
    let is_closed = event.state.is_closed();
    let (why, open, change) = match order {
        Order::Rule(rule) if upholds_alone(&event, rule).is_some() => (
            "The dispute is upheld, and the result that was disputed would stand:".to_string(),
            Vec::new(),
            None,
        ),
        Order::Correct(_) | Order::Rule(_) if is_closed => {
            // What cannot be is told when it is refused.
            let Ok((told, change)) = tried(at, order) else { return Ok(None) };
            let what = match change.moves.rows.is_empty() {
                true => "This would change the record, and no place:",
                false => "Its standings are final, and this would change them:",
            };
            let why = format!("The tournament is closed. {}. {what}", capital(&told));
            (why, Vec::new(), Some(change))
        }
        Order::Correct(_) | Order::Rule(_) => return Ok(None),
        Order::Remove(_) if can_be_removed(&event) => (REMOVES.to_string(), Vec::new(), None),
        Order::Remove(_) => return Ok(None),
        _ if is_closed => return Ok(None),
        Order::Publish(_) => {
            let rules = rules_of(&event, None)?;
            let mut old: Vec<Alert> = of_old_points(at, &event, &rules).into_iter().collect();
            old.extend(of_old_cut(at, &event));
            old.extend(of_displaced(at, &event)?);
            ("This speaks against it:".to_string(), old, None)
        }
        _ => ("This is still open:".to_string(), open(at, &event, order)?, None),
    };
    let named = match order {
        Order::Cut(cut) => of_another_size(&event, cut),
        _ => None,
    };
    let why = match (&named, open.is_empty()) {
        (Some(named), true) => named.clone(),
        (Some(named), false) => format!("{named} This is still open:"),
        _ => why,
    };
    let upheld = match order {
        Order::Rule(rule) => upholds_alone(&event, rule),
        _ => None,
    };
    let scores = match (order, &upheld) {
        (Order::Rule(rule), Some(_)) => read_file(at, rule.dispute)?.plausible,
        _ => Vec::new(),
    };
    let is_removal = matches!(order, Order::Remove(_));
    let is_asked_for = is_removal || named.is_some();
    if open.is_empty() && change.is_none() && upheld.is_none() && !is_asked_for {
        return Ok(None);
    }
    let called = called(order, &event);
    let mut frame = Frame::of(at, &event, Tab::Desk, "desk");
    frame.back = back.to_string();
    let is_asked = upheld.is_some();
    let around = |name: &str| matches!(name, "seen" | "sure") || is_asked && name == "score";
    let mut fields: Vec<(String, String)> =
        fields.iter().filter(|(name, _)| !around(name)).cloned().collect();
    fields.push(("seen".into(), frame.seen.clone()));
    // Beside a score that is typed here it is asked anew what that would change.
    fields.push(("sure".into(), if is_asked { "stands" } else { "true" }.into()));
    render(&ConfirmPage {
        title: format!("{called}?"),
        button: match (is_removal || named.is_some() && open.is_empty(), &upheld) {
            (true, _) => called,
            // A score that is typed beside it counts.
            (_, Some(_)) => called,
            _ => format!("{called} all the same"),
        },
        stands: upheld.unwrap_or_default(),
        scores: scores.into_iter().filter(|one| !one.stands && one.error.is_empty()).collect(),
        why,
        open,
        change,
        fields,
        back: back.to_string(),
        frame,
    })
    .map(Some)
}

#[cfg(test)]
mod tests {
    use super::super::kit::{Hall, enrolled, hall, planned};
    use super::*;
    use scrutineer_desk::orders::{CheckIn, Claim, Close, Correct, Publish};

    fn asked(hall: &Hall, order: impl Into<Order>) -> Option<String> {
        let order = order.into();
        assert!(is_asked_about(&order));
        let fields = vec![
            ("order".to_string(), order.verb().to_string()),
            ("key".into(), "k7".into()),
            ("seen".into(), "1-old".into()),
        ];
        page(&hall.looked(), &order, &fields, "/t/x/desk").expect("a page")
    }

    #[test]
    fn a_cut_asks_and_the_desk_says_where_a_postponed_match_is_left_out_of_it() {
        let hall = planned(&["swiss:1", "single-elimination:2"]);
        hall.order(Pair::default());
        hall.order(Publish {});
        hall.slip("1 postponed");
        hall.all_in();
        let words = "1 match is postponed: the cut is made without that";
        let html = asked(&hall, Cut::default()).expect("it is asked");
        assert!(html.contains(words) && html.contains("Make the cut all the same"), "{html}");
        let view = super::super::entry::View::default();
        let entry = super::super::entry::page(&hall.looked(), view).expect("a page");
        let desk = super::super::desk::page(&hall.looked()).expect("a page");
        assert!(entry.contains(words) && desk.contains(words), "{entry}{desk}");
        hall.correct("1 2-0");
        assert_eq!(asked(&hall, Cut::default()), None);
    }

    /// A draft from an old result went out without a word.
    #[test]
    fn publishing_a_draft_that_was_paired_before_an_earlier_result_changed_is_asked_about() {
        let hall = hall();
        hall.all_in();
        hall.order(Pair::default());
        assert_eq!(asked(&hall, Publish {}), None, "nothing changed");
        let (slip, reason) = ("2 0-2".to_string(), "turned round".to_string());
        hall.order(Correct { slip, reason, round: Some(1), ..Correct::default() });
        let html = asked(&hall, Publish {}).expect("it is asked");
        let told = "Round 2 was paired before an earlier result changed: ";
        assert!(html.contains(told) && html.contains("Pair it anew"), "{html}");
        assert!(html.contains("Publish round 2 all the same"), "{html}");
        hall.order(Pair { again: true, ..Pair::default() });
        assert_eq!(asked(&hall, Publish {}), None, "it is paired anew");
    }

    /// Closing asked nothing where the wrong player had won the final.
    #[test]
    fn closing_asks_where_somebody_played_the_final_who_lost_before_it_by_a_correction() {
        let hall = hall();
        hall.all_in();
        hall.order(Cut { top: Some(4), ..Cut::default() });
        hall.play_on();
        hall.play_on();
        let (slip, reason) = ("1 0-2".to_string(), "turned round".to_string());
        hall.order(Correct { slip, reason, round: Some(2), ..Correct::default() });
        hall.slip("1 2-0");
        let html = asked(&hall, Close::default()).expect("it is asked");
        assert!(html.contains(" played at table 1 of the final, and "), "{html}");
        assert!(html.contains("Close the tournament all the same"), "{html}");
        assert!(!html.contains("value=\"set-pairing\""), "it was played: {html}");
    }

    /// The semi-final was paired behind a cut that would have been another, and only publishing it asked.
    #[test]
    fn pairing_behind_a_cut_that_would_be_another_by_now_is_asked_about() {
        let hall = hall();
        hall.all_in();
        hall.order(Cut { top: Some(4), ..Cut::default() });
        assert_eq!(asked(&hall, Pair::default()), None, "it is as it was made");
        let (slip, reason) = ("1 0-2".to_string(), "turned round".to_string());
        hall.order(Correct { slip, reason, round: Some(1), ..Correct::default() });
        let html = asked(&hall, Pair::default()).expect("it is asked");
        assert!(html.contains("The cut was made before an earlier result changed: "), "{html}");
        assert!(html.contains("Pair the semi-final all the same"), "{html}");
    }

    #[test]
    fn closing_asks_where_it_shows_what_is_hidden() {
        let hall = hall();
        hall.all_in();
        assert_eq!(asked(&hall, Close::default()), None);
        let mut looked = hall.looked();
        looked.hidden = Some(3);
        let asked = page(&looked, &Close::default().into(), &Vec::new(), "/t/x/desk");
        let asked = asked.expect("a page").expect("it is asked");
        assert!(asked.contains("become public"), "{asked}");
    }

    #[test]
    fn pairing_cutting_and_closing_name_what_is_open_to_decide_and_go_on_all_the_same() {
        let hall = hall();
        hall.all_in();
        for order in [Order::from(Pair::default()), Cut::default().into(), Close::default().into()]
        {
            assert_eq!(asked(&hall, order), None, "nothing is open");
        }
        hall.dispute(2);
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let player = state.at_table(1, 1).expect("a table").seats()[0].player;
        hall.order(Claim { slip: format!("#{player} 0-2") });
        for (order, called) in [
            (Order::from(Pair::default()), "Pair round 2"),
            (Cut::default().into(), "Make the cut"),
            (Close::default().into(), "Close the tournament"),
        ] {
            let html = asked(&hall, order).expect("something is open");
            assert!(html.contains("Dispute 1, round 1 table 2: it was a draw"), "{html}");
            assert!(html.contains("Round 1, table 1:") && html.contains("recorded is"), "{html}");
            assert!(
                html.contains(&format!("<button class=\"main\">{called} all the same")),
                "{html}"
            );
            assert!(html.contains("name=\"sure\"") && html.contains("value=\"k7\""), "{html}");
            assert!(!html.contains("1-old"), "what is seen now counts");
        }
    }

    /// A cut to another size than the planned one was made at once, and named nobody.
    #[test]
    fn a_cut_of_another_size_names_who_would_go_on_before_it_is_made() {
        let hall = hall();
        hall.all_in();
        let html = asked(&hall, Cut { top: Some(4), ..Cut::default() }).expect("it is asked");
        assert!(html.contains(">Make the cut to the top 4?</h1>"), "{html}");
        let why = html.split("<h2 id=\"why\">").nth(1).and_then(|rest| rest.split("</h2>").next());
        let why = why.expect("a sentence");
        assert!(why.starts_with("The top 4 by now: ") && why.contains(". Next: "), "{why}");
        assert!(why.contains("Cid") || why.contains("Ann Lee"), "{why}");
        assert!(html.contains("name=\"top\"") || !html.contains("all the same"), "{html}");
        hall.order(Cut { top: Some(4), ..Cut::default() });
        let mut looked = hall.looked();
        looked.said.done = hall.store.load(hall.stream, true).ok().and_then(|event| {
            let last = event.log.last()?.0;
            Some(last.seq + 1 - u64::from(last.parts))
        });
        let html = super::super::desk::page(&looked).expect("a page");
        let strip = html.split("data-said").nth(1).expect("a strip");
        let named = why.split(": ").nth(1).and_then(|rest| rest.split(';').next());
        let strip = strip.split("</div>").next().expect("a strip");
        assert!(strip.contains(&format!("4 players go on: {}", named.expect("names"))), "{strip}");
    }

    #[test]
    fn pairing_the_first_round_names_who_is_not_checked_in_where_others_are() {
        let hall = enrolled();
        assert_eq!(asked(&hall, Pair::default()), None, "nobody checks in here");
        hall.order(CheckIn { player: "Ann Lee".into() });
        let html = asked(&hall, Pair::default()).expect("others are not here");
        assert!(
            html.contains("Not checked in: Cid, Dee, ") && !html.contains("Ann Lee,"),
            "{html}"
        );
    }

    #[test]
    fn a_dispute_that_is_upheld_without_a_result_is_asked_for_one_before_the_wrong_one_stands() {
        let hall = hall();
        hall.dispute(2);
        let rule = |upheld, score: Option<&str>| Rule {
            dispute: 1,
            upheld: Some(upheld),
            score: score.map(str::to_string),
            reason: "r".into(),
        };
        let html = asked(&hall, rule(true, None)).expect("it names no result");
        assert!(html.contains("won 2–1</bdi> is the result that stands"), "{html}");
        assert!(html.contains("name=\"score\" value=\"1-2\""), "the scores are offered: {html}");
        assert!(html.contains("stands for now"), "{html}");
        // The big button meant the wrong result, and the right ones were pale.
        assert!(
            html.contains("<button class=\"main\" name=\"score\" value=\"1-2\"><span><bdi>"),
            "{html}"
        );
        assert!(html.contains("<button>Rule dispute 1</button>"), "{html}");
        assert_eq!(asked(&hall, rule(true, Some("1-2"))), None, "one is named");
        assert_eq!(asked(&hall, rule(false, None)), None, "it stands, and is meant to");
    }

    #[test]
    fn a_ruling_behind_the_closing_says_that_it_is_closed_and_what_would_change() {
        let hall = hall();
        hall.all_in();
        hall.dispute(2);
        let correct = || Correct { slip: "2 0-2".into(), reason: "r".into(), ..Correct::default() };
        let rule = |score: Option<&str>| Rule {
            dispute: 1,
            upheld: Some(score.is_some()),
            score: score.map(str::to_string),
            reason: "r".into(),
        };
        assert_eq!(asked(&hall, correct()), None, "it is played still");
        hall.order(Close::default());
        for order in [Order::from(correct()), rule(Some("0-2")).into()] {
            let html = asked(&hall, order).expect("it is closed");
            assert!(html.contains("The tournament is closed"), "{html}");
            assert!(html.contains(" players move"), "{html}");
        }
        let html = asked(&hall, rule(None)).expect("it is closed");
        assert!(html.contains("Nobody moves"), "{html}");
        let wrong = Correct { slip: "2 9-9".into(), ..correct() };
        assert_eq!(asked(&hall, wrong), None, "it is refused, and nobody is asked");
        let seq = hall.store.load(hall.stream, false).expect("loaded").state.head();
        let html = asked(&hall, correct()).expect("it is closed");
        assert!(html.contains(&format!("data-head=\"{seq}\"")), "nothing was recorded");
    }
}
