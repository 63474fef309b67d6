//! The desk: where the tournament stands, what usually comes next, and what waits for a person.

use super::alerts::{Alert, alerts};
use super::called::{draft_within, next_within, round_short, round_within};
use super::clock::{ClockShown, announcements};
use super::code::{Svg, code};
use super::frame::{Frame, Stretch, Tab, capital, course};
use super::missing::{cut_without, postponed, voids_in_words};
use super::{
    Looked, MissingTable, clock, in_a_row, is_chess, missing_tables, render, rules_of, set_apart,
    set_slip, typed_table,
};
use crate::gate::{Need, Role, may_give};
use crate::language::Language;
use crate::other_program::FileLine;
use askama::Template;
use scrutineer_desk::desk::{open_round, suggested, write_slip};
use scrutineer_desk::horizon::was_out;
use scrutineer_desk::orders::{
    CutsOfDivisions, cuts_of_divisions, is_for_engine, is_planned, next_there,
    played_out_divisions, program_of, scope, step,
};
use scrutineer_desk::store::built_on;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::{DropReason, Event, MatchResult, PhaseKind};
use scrutineer_engine::record::Header;
use scrutineer_engine::tournament::Tournament;
use scrutineer_pairing::{can_be_apart, running_phase};
use scrutineer_projections::cut::Cut;
use scrutineer_projections::divisions::divisions;
use scrutineer_projections::ruleset::Ruleset;
use scrutineer_projections::standings::{Detail, Standings};
use scrutineer_projections::timeline::plays_postponed;
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::staff::{Staff, at_a_desk};
use std::sync::Arc;

/// How many of them are shown.
const LAST_SHOWN: usize = 8;
/// How many missing tables are shown.
const MISSING_SHOWN: usize = 18;

#[derive(Template)]
#[template(path = "desk.html")]
struct DeskPage {
    frame: Frame,
    /// What whoever looks is not over their connection; empty where they are all that they came by.
    lowered: String,
    course: Vec<Stretch>,
    next: Next,
    divided: Option<Divided>,
    alerts: Vec<Alert>,
    missing: Vec<MissingTable>,
    missing_in_all: usize,
    /// How many matches of any round are postponed.
    postponed: usize,
    last: Vec<LastEntered>,
    round: u16,
    /// The same within a sentence.
    called: String,
    /// What the last round is called where it is a draft still; empty: it is none.
    draft: String,
    log: u64,
    clock: Option<ClockShown>,
    /// What is announced, with its number; whoever may take it away sees it.
    announced: Vec<(u32, String)>,
    awaited: Option<Awaited>,
    publisher: Option<crate::pushing::Line>,
    other_program: Option<FileLine>,
    /// The engine that pairs the next round where nobody says otherwise.
    engine: Option<EngineNamed>,
    /// Whether it came in from a file, and can be taken out again.
    can_be_removed: bool,
}

/// A pairing engine that the server was started with.
pub struct EngineNamed {
    /// By what it is named in an order.
    pub name: String,
    /// The same with its version.
    pub called: String,
}

impl EngineNamed {
    /// The engine that can pair the next round; none: there is none, or it cannot.
    pub fn of(at: &Looked<'_>, state: &Tournament) -> Option<EngineNamed> {
        let engine = at.asker.engine.as_ref().filter(|_| is_for_engine(state))?;
        Some(EngineNamed { name: engine.name.clone(), called: engine.called() })
    }
}

/// What another device is to open.
pub struct Awaited {
    /// The address.
    pub address: String,
    /// The same as a code.
    pub code: Option<Svg>,
}

impl Awaited {
    /// What is at an address.
    pub fn at(address: String) -> Awaited {
        Awaited { code: code(&address), address }
    }
}

/// What usually comes next.
pub struct Next {
    /// What the button says; empty where there is none.
    pub label: String,
    /// The verb that it posts; empty where it leads to a page.
    pub order: &'static str,
    /// The page that it leads to.
    pub href: String,
    /// What there is to say about it.
    pub about: String,
    /// More about it.
    pub more: String,
    /// What may be done instead: its verb, what its button says, and how many go on in a cut.
    pub instead: Option<Instead>,
    /// The divisions that wait for a cut of their own.
    pub cuts: Vec<CutOf>,
}

/// A cut of one division, as it can be made.
pub struct CutOf {
    /// The division.
    pub division: String,
    /// How many usually go on.
    pub top: u32,
    /// Who that would be by now.
    pub about: String,
}

/// What may be done instead of what usually comes next.
pub struct Instead {
    /// The verb that its button posts.
    pub order: &'static str,
    /// What its button says.
    pub label: String,
    /// How many go on, where it is a cut that nobody has planned.
    pub top: Option<u32>,
    /// Who that would be by now.
    pub about: String,
}

/// A result or a drop as it was entered.
pub struct LastEntered {
    /// The event that recorded it.
    pub seq: u64,
    /// When.
    pub time: String,
    /// In which round.
    pub round: u16,
    /// The same in short.
    pub round_short: String,
    /// At which table, as it is typed; empty: a player drops.
    pub table: String,
    /// What.
    pub score: String,
    /// What stands now, where that is something else.
    pub stands: Option<String>,
    /// Of whom.
    pub players: String,
    /// Who entered it.
    pub by: String,
    /// That it replaces another, or is of a match that was postponed; empty: neither.
    pub corrected: &'static str,
}

/// How divisions were paired last, as it can be chosen anew where the next round is paired.
pub struct Divided {
    /// Whether each was paired by itself.
    pub is_apart: bool,
    /// Those that were paired as one.
    pub merged: Vec<String>,
    /// How many rounds each plays that has a number of its own.
    pub rounds: String,
}

impl Divided {
    /// How they were paired; none where nothing can be chosen: players have fewer than two divisions, or it
    /// is settled who meets whom.
    fn of(state: &Tournament) -> Option<Divided> {
        let kind = match running_phase(state) {
            Some(phase) => phase.kind,
            None => state.opened()?.plan.first().map_or(PhaseKind::Swiss, |phase| phase.kind),
        };
        let paired = state.divisions_paired();
        (can_be_apart(kind) && divisions(state).len() > 1).then(|| Divided {
            is_apart: paired.apart,
            merged: paired.merged.iter().map(|group| group.join(", ")).collect(),
            rounds: state
                .division_rounds()
                .map(|(name, rounds)| format!("{name}={rounds}"))
                .collect::<Vec<_>>()
                .join(", "),
        })
    }
}

/// What pairing does, and who has a bye in the next round because they asked for it.
fn with_byes(event: &LoadedTournament, more: &str) -> String {
    let round = event.state.next_round_number();
    let asked = event.state.byes_to_come().filter(|(_, bye)| bye.round == round);
    let asked = asked.map(|(_, bye)| format!("{} ({})", event.name(bye.player), bye.kind));
    let asked: Vec<String> = asked.collect();
    let byes = match asked.is_empty() {
        true => String::new(),
        false => format!(" Byes that were asked for: {}.", in_a_row(&asked)),
    };
    format!("{more}{byes}{}", played_out(&event.state))
}

/// The divisions that are not paired any more in the phase that runs.
fn played_out(state: &Tournament) -> String {
    let Some(phase) = running_phase(state).map(|phase| phase.number) else { return String::new() };
    let next = state.next_of_phase(phase);
    let done = played_out_divisions(state, phase, next).into_iter().map(|(name, _)| name);
    let done: Vec<&str> = done.collect();
    match done.is_empty() {
        true => String::new(),
        false => format!(" Played all of their rounds: {}.", done.join(", ")),
    }
}

/// What usually comes next, as a button for those who may.
pub fn next_step(
    at: &Looked<'_>,
    typed: &str,
    event: &LoadedTournament,
    rules: &Arc<Ruleset>,
) -> Next {
    let next = usual_step(typed, event, rules, at.other_program.as_ref());
    let verb = match &next.href[..] {
        _ if !next.cuts.is_empty() => "cut",
        _ if !next.order.is_empty() => next.order,
        "players" => "enroll",
        "entry" => "result",
        // It is looked over, or decided, on the page of the round.
        "round" => typed.split_whitespace().nth(1).unwrap_or_default(),
        href if href.starts_with("entry?") => "correct",
        _ => "",
    };
    match may_give(at.role, verb) {
        Err(refused) if !verb.is_empty() => {
            let label = if next.label.is_empty() { "Make the cut" } else { &next.label[..] };
            let who = refused.hint.map_or(String::new(), |hint| hint.to_string());
            let more = format!("{label}: {who}.");
            let (label, order) = (String::new(), "");
            Next { label, order, instead: None, cuts: Vec::new(), more, ..next }
        }
        _ => Next {
            instead: next.instead.filter(|one| may_give(at.role, one.order).is_ok()),
            ..next
        },
    }
}

/// What usually comes next.
///
/// `file`: that of the other program in which it is played, where it is followed.
fn usual_step(
    typed: &str,
    event: &LoadedTournament,
    rules: &Arc<Ruleset>,
    file: Option<&FileLine>,
) -> Next {
    let is_followed = file.is_some();
    let verb = match typed.split_whitespace().nth(1).unwrap_or_default() {
        // The file says when it is over: who closed it here would keep its cut out.
        "close" if is_followed => "import",
        verb => verb,
    };
    let missing = open_round(&event.state).map_or(0, |open| open.open_matches);
    let language = Language::English;
    let round = event.state.last_round().map_or(0, |round| round.number);
    let named = round_within(&event.state, round);
    let all_in = match postponed(&event.state).any(|found| found.round().number == round) {
        true => format!("Every result of {named} is in but those of postponed matches."),
        false => format!("Every result of {named} is in."),
    };
    let after = next_within(&event.state, language);
    let without = cut_without(&event.state);
    let with_cut = |text: String| format!("{text} {without}").trim().to_string();
    let next = |label: &str, order, href: &str, about: &str, more: &str| Next {
        label: label.into(),
        order,
        href: href.into(),
        about: about.into(),
        more: more.into(),
        instead: None,
        cuts: Vec::new(),
    };
    let to_come = matches!(verb, "cut" | "close").then(|| cuts_of_divisions(&event.state, rules));
    let is_named = |to_come: &CutsOfDivisions<'_>| {
        !to_come.waiting.is_empty() && (to_come.is_sure || verb == "close")
    };
    if let Some(to_come) = to_come.filter(is_named) {
        let names: Vec<&str> = to_come.waiting.iter().map(|one| one.name).collect();
        let about = match (has_had_cut(&event.state), to_come.is_sure) {
            (true, true) => format!("No cut yet: {}.", names.join(", ")),
            (true, false) => {
                format!("Everything is played. No cut of its own: {}.", names.join(", "))
            }
            (false, _) => {
                "The phase is over. Divisions were paired apart: each has a cut of its own.".into()
            }
        };
        let more = with_cut("Brackets of divisions are played one after the other.".into());
        let cuts = to_come.waiting.iter().map(|one| CutOf {
            division: one.name.into(),
            top: one.top,
            about: going_on(event, rules, Some(one.top), Some(one.name)).unwrap_or_default(),
        });
        let label = match to_come.is_sure {
            true => "Close without these cuts",
            false => "Close the tournament",
        };
        let close =
            || Instead { order: "close", label: label.into(), top: None, about: String::new() };
        let instead = typed.contains("close").then(close);
        return Next { instead, cuts: cuts.collect(), ..next("", "", "", &about, &more) };
    }
    match verb {
        "result" => {
            let are = if missing == 1 { "table is" } else { "tables are" };
            let more = "When all are in, what comes next stands here.";
            next("Enter results", "", "entry", &format!("{missing} {are} missing."), more)
        }
        "publish" => next(
            &format!("Look over {named}"),
            "",
            "round",
            &format!("{} is a draft.", capital(&named)),
            match was_seen(event) {
                false => "Nobody sees it before it is published.",
                true => "It was out and was taken back: who saw it has seen it.",
            },
        ),
        "pair" if round == 0 => {
            let players = event.state.players().iter().filter(|player| !player.withdrawn).count();
            let (label, order, href) = match players {
                0 | 1 => ("Enroll players", "", "players"),
                _ => ("Pair round 1", "pair", "round"),
            };
            let players = scrutineer_projections::counted(players, "player");
            let more = with_byes(event, "Pairing makes a draft.");
            next(label, order, href, &format!("{players} enrolled."), &more)
        }
        "pair" => next(
            &format!("Pair {after}"),
            "pair",
            "round",
            &all_in,
            &with_byes(event, "Pairing makes a draft; nobody sees it before it is published."),
        ),
        "cut" => {
            let close = || ("close", "Close without a cut".to_string(), None);
            let instead = (!is_planned(&event.state)).then(close);
            let goes_on = going_on(event, rules, None, None);
            let more = goes_on.unwrap_or("Those who go on play the next phase.".into());
            let more = with_cut(more);
            let over = format!("The phase is over.{}", voids_in_words(event));
            let step = next("Make the cut", "cut", "round", &over, &more);
            let about = String::new();
            let instead = instead.map(|(order, label, top)| Instead { order, label, top, about });
            Next { instead, ..step }
        }
        // No round is paired here: the page says where it is, and offers no button.
        "import" => {
            let program = event.state.imported().map_or("the other program", program_of);
            let so_far = match round {
                0 => "No round has been paired.".to_string(),
                _ => all_in,
            };
            let comes = match is_followed {
                true => "it appears here",
                false => "then bring its file in again on the page of all tournaments",
            };
            let there = capital(&next_there(&event.state, rules));
            let more = format!("{there} in {program} and save; {comes}.");
            let more = match file.and_then(|file| file.first.as_ref()) {
                Some(first) => format!("{first}. Then: {more}"),
                None => more,
            };
            next("", "", "", &so_far, &more)
        }
        "close" => {
            let top = typed
                .split_once("cut --top ")
                .and_then(|(_, rest)| rest.split([' ', ')', ',']).next()?.parse::<u32>().ok());
            let more = match postponed(&event.state).next() {
                None => "Closing makes the standings final.",
                Some(_) => {
                    "Closing makes the standings final, as long as no postponed match is played."
                }
            };
            let about = format!("Everything is played.{}", voids_in_words(event));
            let step = next("Close the tournament", "close", "standings", &about, more);
            let cut = |top| Instead {
                order: "cut",
                label: format!("Cut to the top {top}"),
                top: Some(top),
                about: with_cut(going_on(event, rules, Some(top), None).unwrap_or_default()),
            };
            Next { instead: top.map(cut), ..step }
        }
        "advance" => next(
            "Decide who goes on",
            "",
            "round",
            "A table of the bracket has no winner.",
            "A judge says who goes on.",
        ),
        "correct" => {
            let table = typed.split_whitespace().nth(2).unwrap_or_default();
            let about = format!("Table {table} of {named} is postponed.");
            let more = "Once it is played, its result is entered as a correction.";
            next("Enter results", "", &format!("entry?correct={table}"), &about, more)
        }
        _ => next("Standings", "", "standings", "The tournament is closed.", ""),
    }
}

/// Whether the last round is a draft that was out before.
fn was_seen(event: &LoadedTournament) -> bool {
    event.state.last_round().is_some_and(|last| was_out(&event.log, last.number))
}

/// Returns whether a tournament came in from a file and nobody built on it since.
pub fn can_be_removed(event: &LoadedTournament) -> bool {
    let state = &event.state;
    state.imported().is_some() && !state.is_removed() && built_on(event).next().is_none()
}

/// Whether a cut was made.
fn has_had_cut(state: &Tournament) -> bool {
    state.phases().iter().any(|phase| !phase.withdrawn && phase.number > 1)
}

/// Who would go on by the standings, of a division or of all, in words; none where no cut is planned or suggested.
pub fn going_on(
    event: &LoadedTournament,
    rules: &Arc<Ruleset>,
    top: Option<u32>,
    division: Option<&str>,
) -> Option<String> {
    let scope = scope(&event.state, None).ok()?;
    let standings = Standings::of(&event.state, rules, scope, Detail::Order).ok()?;
    let standings = match division {
        Some(division) => standings.of_division(&event.state, division),
        None => standings,
    };
    let usual = || suggested(rules, &event.state).map(|row| row.cut);
    let cut = Cut::of(&event.state, &standings, top);
    let cut = cut.or_else(|| Cut::of(&event.state, &standings, usual()))?;
    let names: Vec<String> = cut.players.iter().map(|one| set_apart(event.name(*one))).collect();
    let next =
        cut.next.map_or(String::new(), |one| format!(" Next: {}.", set_apart(event.name(one))));
    Some(format!("The top {} by now: {}.{next}", cut.size, in_a_row(&names)))
}

/// The results that were entered last and the drops that were recorded by themselves, the newest first.
pub fn last_entered(
    event: &LoadedTournament,
    shown_at_most: usize,
    is_meant: impl Fn(&Header) -> bool,
) -> Vec<LastEntered> {
    let staff = Staff::of(event);
    let is_chess = is_chess(event);
    let set = |result: &MatchResult| set_slip(&write_slip(result), is_chess);
    let undone = event.taken_back();
    let standing = event.log.iter().rev().filter(|(header, _)| !undone.contains_key(&header.seq));
    let line = |header: &Header, round: u16, score: String, players: String| LastEntered {
        seq: header.seq,
        time: clock(header.time),
        round,
        round_short: round_short(&event.state, round),
        table: String::new(),
        score,
        stands: None,
        players,
        by: staff.who(header),
        corrected: "",
    };
    let rows = standing.filter(|(header, _)| is_meant(header));
    let shown = rows.filter_map(|(header, logged)| {
        let (pairing, result, corrected) = match logged {
            Event::ResultRecorded(e) => (e.pairing, &e.result, ""),
            Event::ResultCorrected(e) => {
                let is_played = plays_postponed(&event.state, e);
                (e.pairing, &e.result, if is_played { "played" } else { "corrected" })
            }
            // One that is part of something else, such as a disqualification, is no entry of its own.
            Event::PlayerDropped(e) if header.parts == 1 && at_a_desk(header) => {
                let mut rounds = event.state.rounds().iter().rev();
                let round = rounds.find(|one| !one.withdrawn && one.opened < header.seq)?.number;
                let how = if e.why == DropReason::NoShow { "no-show" } else { "drops" };
                return Some(line(header, round, how.into(), set_apart(event.name(e.player))));
            }
            _ => return None,
        };
        // A table that was taken back has no result any more.
        let found = event.state.match_at(pairing)?;
        let players: Vec<String> =
            found.seats().iter().map(|seat| set_apart(event.name(seat.player))).collect();
        Some(LastEntered {
            table: typed_table(found),
            // As it is written: a ruling without a score stands with as many empty ones as there are seats.
            stands: found.to_result().map(|now| set(&now)).filter(|now| *now != set(result)),
            corrected,
            ..line(header, found.round().number, set(result), players.join(" – "))
        })
    });
    shown.take(shown_at_most).collect()
}

/// The desk of a tournament.
///
/// # Errors
/// Where the store cannot be read.
pub fn page(at: &Looked<'_>) -> Result<String, VerbError> {
    let event = at.load_whole()?;
    let rules = rules_of(&event, None)?;
    let next = at.at_desk(|desk| step(desk, &event.state)).0?;
    let mut missing = missing_tables(&event);
    let missing_in_all = missing.len();
    missing.truncate(MISSING_SHOWN);
    render(&DeskPage {
        frame: Frame::of(at, &event, Tab::Desk, "desk").script("clock.js"),
        lowered: at
            .lowered_from
            .map_or(String::new(), |from| super::staff::lowered(from, at.role, Language::English)),
        course: course(&event.state, &rules, was_seen(&event)),
        next: next_step(at, &next, &event, &rules),
        divided: Divided::of(&event.state),
        alerts: alerts(at, &event)?,
        missing,
        missing_in_all,
        postponed: postponed(&event.state).count(),
        last: last_entered(&event, LAST_SHOWN, |_| true),
        round: at.last_round(&event.state),
        called: round_within(&event.state, at.last_round(&event.state)),
        draft: draft_within(&event.state).map_or(String::new(), |draft| capital(&draft)),
        log: event.state.head(),
        clock: ClockShown::now(at, &event.state),
        announced: match Need::Drafts.admits(at.role) {
            true => announcements(&event, &at.floor, at.language),
            false => Vec::new(),
        },
        publisher: at.publisher.clone(),
        other_program: at.other_program.clone(),
        engine: EngineNamed::of(at, &event.state),
        can_be_removed: at.role >= Role::HeadJudge && can_be_removed(&event),
        // Whoever played a round without phones wants none.
        awaited: at
            .awaited
            .clone()
            .filter(|_| Need::Owner.admits(at.role) && at.last_round(&event.state) == 0)
            .map(Awaited::at),
    })
}

#[cfg(test)]
mod tests {
    use super::super::Said;
    use super::super::kit::{Hall, enrolled, hall, planned, with_people};
    use super::*;
    use scrutineer_desk::orders::{
        self, Cut, Drop, Enroll, HowDivided, New, Pair, Person, Publish,
    };

    /// Enters every result that is missing, every first seat winning.
    fn play(hall: &Hall) {
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let open = state.matches().filter(|m| m.result().is_none()).filter_map(|m| m.table());
        open.for_each(|table| hall.slip(&format!("{table} 2-0")));
    }

    /// Four players of each of two divisions, and the pairings of their first round.
    fn two_divisions(divisions: HowDivided) -> Hall {
        let hall = planned(&["swiss:1", "single-elimination:2"]);
        let person = |(at, division): (usize, &str)| Person {
            name: format!("Nr {at}"),
            division: Some(division.into()),
            ..Person::default()
        };
        let people = ["junior"; 4].into_iter().chain(["senior"; 4]).enumerate().map(person);
        hall.order(Enroll { people: people.collect(), ..Enroll::default() });
        hall.order(Pair { divisions: Some(divisions), ..Pair::default() });
        hall.order(Publish {});
        hall
    }

    /// What comes next, as the desk shows it.
    fn shown(hall: &Hall) -> String {
        let html = page(&hall.looked()).expect("a page");
        let next = html.split("class=\"next\"").nth(1).expect("what comes next");
        next.split("<section").next().unwrap_or_default().to_string()
    }

    fn cut_of(division: &str) -> String {
        format!("name=\"division\" value=\"{division}\"")
    }

    /// The best two of a division play their final.
    fn final_of(hall: &Hall, division: &str) {
        let division = Some(division.into());
        hall.order(Cut { division, top: Some(2), ..Cut::default() });
        hall.order(Pair::default());
        hall.order(Publish {});
        play(hall);
    }

    fn of_23(phases: &[&str]) -> Hall {
        let person = |at| Person { name: format!("Nr {at}"), ..Person::default() };
        with_people(phases, (1..=23).map(person).collect())
    }

    #[test]
    fn where_nobody_planned_phases_the_cut_that_the_rules_suggest_is_the_button_after_the_last_round()
     {
        let hall = of_23(&[]);
        hall.order(Pair::default());
        hall.order(Publish {});
        (1..5).for_each(|_| hall.play_on());
        play(&hall);
        let html = shown(&hall);
        assert!(html.contains(">Make the cut<") && html.contains("Close without a cut"), "{html}");
        assert!(page(&hall.looked()).expect("a page").contains("Top 8"));
        let entry = super::super::entry::page(&hall.looked(), Default::default());
        assert!(entry.expect("a page").contains("Close without a cut"));
    }

    /// "The owner or a head judge does it", said the desk, and the scorekeeper beside it had the button.
    #[test]
    fn who_may_not_do_what_comes_next_is_told_everybody_who_may() {
        let told = |hall: &Hall, role: Role| {
            let html = page(&Looked { role, ..hall.looked() }).expect("a page");
            let next = html.split("class=\"next\"").nth(1).expect("what comes next");
            next.split("</div>").next().unwrap_or_default().to_string()
        };
        let hall = enrolled();
        for role in [Role::Judge, Role::Helper] {
            let next = told(&hall, role);
            assert!(next.contains("Pair round 1: the owner, head judges and scorekeepers may."));
            assert!(!next.contains("<button") && !next.contains("<a "), "{next}");
        }
        assert!(told(&hall, Role::Scorekeeper).contains("Pair round 1</button>"));
        hall.order(Pair::default());
        hall.order(Publish {});
        assert!(told(&hall, Role::Judge).contains(">Enter results</a>"));
        let next = told(&hall, Role::Helper);
        let who = "Enter results: the owner, head judges, scorekeepers and judges may.";
        assert!(next.contains(who) && !next.contains("<a "), "{next}");
    }

    #[test]
    fn the_cut_that_may_be_made_is_offered_whatever_else_the_store_holds() {
        let hall = of_23(&["swiss:1"]);
        hall.order(Pair::default());
        hall.order(Publish {});
        play(&hall);
        assert!(shown(&hall).contains("Cut to the top 8"));
        let another = New { title: "Second".into(), rules: "mtr".into(), ..New::default() };
        orders::open(&hall.asker, &hall.store, &another).expect("it opens");
        let html = shown(&hall);
        assert!(
            html.contains("Close the tournament") && html.contains("Cut to the top 8"),
            "{html}"
        );
        // A scorekeeper may not close, and is told who does.
        let looked = Looked { role: Role::Scorekeeper, ..hall.looked() };
        let html = page(&looked).expect("a page");
        assert!(!html.contains("value=\"close\""), "{html}");
        assert!(html.contains("Close the tournament: the owner and head judges may."), "{html}");
        let unplanned = of_23(&[]);
        unplanned.order(Pair::default());
        unplanned.order(Publish {});
        (1..5).for_each(|_| unplanned.play_on());
        play(&unplanned);
        let looked = Looked { role: Role::Scorekeeper, ..unplanned.looked() };
        let html = page(&looked).expect("a page");
        assert!(html.contains(">Make the cut<") && !html.contains("Close without"), "{html}");
    }

    #[test]
    fn what_is_sent_again_from_a_page_of_before_an_undo_is_not_said_to_be_recorded() {
        let hall = enrolled();
        hall.order(Drop { player: "Cid".into(), ..Drop::default() });
        let head = || hall.store.load(hall.stream, false).expect("loaded").state.head();
        let done = head();
        let said = || {
            let said = Said { done: Some(done), ..Said::default() };
            page(&Looked { said, ..hall.looked() }).expect("a page")
        };
        assert!(said().contains("<strong>Recorded:</strong>"));
        hall.order(orders::Undo::default());
        let html = said();
        assert!(!html.contains("<strong>Recorded:</strong>"), "{html}");
        assert!(html.contains("was taken back since") && html.contains("Cid drops"), "{html}");
    }

    #[test]
    fn where_divisions_were_paired_apart_the_cut_of_each_is_offered_before_anything_is_closed() {
        let hall = two_divisions(HowDivided::Apart);
        play(&hall);
        let shown = || shown(&hall);
        let html = shown();
        assert!(html.contains(&cut_of("junior")) && html.contains(&cut_of("senior")), "{html}");
        assert!(!html.contains(">Make the cut<") && !html.contains("Close"), "{html}");
        let round = super::super::round::page(&hall.looked(), None).expect("a page");
        assert!(round.contains(&cut_of("senior")), "{round}");
        final_of(&hall, "senior");
        let html = shown();
        assert!(html.contains("No cut yet: junior.") && html.contains(&cut_of("junior")), "{html}");
        assert!(!html.contains(&cut_of("senior")) && html.contains("Close without"), "{html}");
        final_of(&hall, "junior");
        assert!(shown().contains("Close the tournament"));
    }

    /// Plays the first round so that whoever is of this division stands above all others who met them, and
    /// whoever is of another is drawn with their own.
    fn favoured(hall: &Hall, division: &str) {
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        for found in state.matches() {
            let is_it = |at: usize| {
                let player = state.player(found.seats()[at].player).expect("a player");
                player.division.as_deref() == Some(division)
            };
            let score = match (is_it(0), is_it(1)) {
                (true, _) => "2-0",
                (false, true) => "0-2",
                (false, false) => "1-1",
            };
            hall.slip(&format!("{} {score}", found.table().expect("a table")));
        }
    }

    #[test]
    fn where_all_were_paired_together_the_cut_of_one_division_leaves_the_others_theirs() {
        let hall = two_divisions(HowDivided::Together);
        favoured(&hall, "junior");
        let html = shown(&hall);
        assert!(html.contains(">Make the cut<") && !html.contains("name=\"division\""), "{html}");
        // Juniors stand above these two: it was no cut of everybody.
        final_of(&hall, "senior");
        let html = shown(&hall);
        assert!(html.contains("No cut yet: junior.") && html.contains(&cut_of("junior")), "{html}");
        assert!(!html.contains(&cut_of("senior")) && html.contains("Close without"), "{html}");
        let typed = hall.looked().at_desk(|desk| step(desk, &*desk.state()?)).0.expect("a step");
        assert_eq!(typed, "scrutineer cut --division junior --top 2   (or scrutineer close)");
        final_of(&hall, "junior");
        assert!(shown(&hall).contains("Close the tournament"));
    }

    #[test]
    fn a_cut_to_the_best_of_all_who_are_of_one_division_leaves_open_whether_others_have_one() {
        let hall = two_divisions(HowDivided::Together);
        favoured(&hall, "senior");
        hall.order(Cut { top: Some(2), ..Cut::default() });
        hall.order(Pair::default());
        hall.order(Publish {});
        play(&hall);
        let html = shown(&hall);
        assert!(html.contains("No cut of its own: junior.") && html.contains(&cut_of("junior")));
        assert!(html.contains("Close the tournament") && !html.contains("Close without"), "{html}");
        let typed = hall.looked().at_desk(|desk| step(desk, &*desk.state()?)).0.expect("a step");
        assert_eq!(typed, "scrutineer close   (or scrutineer cut --division junior --top 2)");
    }

    #[test]
    fn a_postponed_match_of_a_bracket_is_played_next_and_nothing_is_closed_before() {
        let hall = planned(&["swiss:1", "single-elimination:2"]);
        let go_on = || {
            hall.order(Pair::default());
            hall.order(Publish {});
        };
        go_on();
        play(&hall);
        hall.order(Cut::default());
        go_on();
        hall.slip("1 postponed");
        let html = shown(&hall);
        assert!(html.contains("Table 1 of the final is postponed."), "{html}");
        assert!(html.contains(">Enter results<") && !html.contains("Close"), "{html}");
        let typed = hall.looked().at_desk(|desk| step(desk, &*desk.state()?)).0.expect("a step");
        assert_eq!(typed, "scrutineer correct 1 <score> --reason <why>   (it is postponed)");
        let bracket = super::super::bracket::page(&hall.looked()).expect("a page");
        assert!(bracket.contains("Table 1 · postponed"), "{bracket}");
        hall.correct("1 2-0");
        assert!(shown(&hall).contains("Close the tournament"));
    }

    /// After an undo it said that nobody sees the round, while strangers had it on their phones.
    #[test]
    fn that_nobody_sees_a_draft_is_said_only_where_nobody_has() {
        let said = |hall: &Hall| {
            let pages = [page(&hall.looked()), super::super::round::page(&hall.looked(), None)];
            pages.map(|html| {
                let html = html.expect("a page").to_lowercase();
                ["nobody sees it", "who saw it has seen it"].map(|words| html.contains(words))
            })
        };
        // A result puts a round out too.
        let outs: [fn(&Hall); 2] = [|hall| hall.order(Publish {}), |hall| hall.slip("1 2-0")];
        for out in outs {
            let hall = enrolled();
            hall.order(Pair::default());
            assert_eq!(said(&hall), [[true, false]; 2]);
            out(&hall);
            assert_eq!(said(&hall), [[false, false]; 2]);
            hall.order(orders::Undo::default());
            assert_eq!(said(&hall), [[false, true]; 2]);
            // The same tables may have come out again.
            hall.order(Pair { again: true, ..Pair::default() });
            assert_eq!(said(&hall), [[false, true]; 2]);
        }
    }

    /// Beside "Round 1 is a draft" the desk of a judge said that no round has been paired.
    #[test]
    fn where_the_last_round_is_a_draft_the_desk_says_so_beside_missing_whoever_looks() {
        let hall = enrolled();
        hall.order(Pair::default());
        for role in [Role::Helper, Role::Judge, Role::Scorekeeper, Role::Owner] {
            let html = page(&Looked { role, ..hall.looked() }).expect("a page");
            let beside = html.split("<h2>Missing</h2>").nth(1).expect("what is missing");
            assert!(beside.starts_with("<p class=\"soft\">Round 1 is a draft.</p>"), "{beside}");
            assert!(!html.contains("No round has been paired"), "{html}");
        }
    }

    #[test]
    fn the_desk_names_what_is_postponed_until_it_is_played() {
        let hall = hall();
        let html = || page(&hall.looked()).expect("a page");
        let line = "/missing\">1 match is postponed</a>";
        assert!(!html().contains(line));
        assert!(html().contains("1 of 3 tables in"));
        hall.slip("1 postponed");
        let said = html();
        assert!(said.contains("1 of 3 tables in") && !said.contains("2 of 3"), "{said}");
        hall.all_in();
        let said = html();
        assert!(said.contains(line) && !said.contains("Every result of round 1 is in."), "{said}");
        hall.play_on();
        assert!(html().contains(line), "a round later: {}", html());
    }

    /// That no phone had come stood on the desk of a club that wants none, the whole day.
    #[test]
    fn no_phone_is_told_to_the_owner_until_a_round_is_paired_and_can_be_put_away() {
        let hall = enrolled();
        let shown = |role| {
            let mut looked = hall.looked();
            (looked.awaited, looked.role) = (Some("http://192.0.2.7:7780/".into()), role);
            page(&looked).expect("a page").contains("<details class=\"band warn gap\" data-stays")
        };
        assert!(shown(Role::Owner) && !shown(Role::Scorekeeper));
        hall.order(Pair::default());
        assert!(!shown(Role::Owner));
    }

    #[test]
    fn a_name_from_right_to_left_turns_nobody_round_and_what_is_not_shown_is_said() {
        let hall = enrolled();
        let person = |at| Person { name: format!("محمد {at}"), ..Person::default() };
        hall.order(Enroll { people: (0..40).map(person).collect(), ..Enroll::default() });
        hall.order(Pair::default());
        hall.order(Publish {});
        let html = page(&hall.looked()).expect("a page");
        assert!(html.contains("Missing <span class=\"soft\">23, the first 18</span>"), "{html}");
        for table in 1..=5 {
            hall.slip(&format!("{table} 2-1"));
        }
        let html = page(&hall.looked()).expect("a page");
        // Each name is set apart; what holds both goes from left to right.
        assert!(html.contains("\u{2069} – ") || html.contains(" – \u{2068}"), "{html}");
        let rows = html.split("2–1</td><td>").skip(1);
        assert!(
            rows.map(|row| !row.starts_with("<bdi>")).collect::<Vec<_>>() == [true; 5],
            "{html}"
        );
    }
}
