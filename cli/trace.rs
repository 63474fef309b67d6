//! `trace`: everything that moved a player, and through which measure.

use crate::Report;
use crate::args;
use crate::error::VerbError;
use crate::replay::{Showing, place_text, summary};
use crate::session::{Session, dated};
use scrutineer_desk::answers::{Dated, TraceStep, line};
use scrutineer_desk::names::find_player;
use scrutineer_desk::table::{Align, Aligned};
use scrutineer_engine::event::PlayerNumber;
use scrutineer_projections::compare::Passing;
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::replay::{How, Passed, Step};

/// How many players are named in one breath.
const NAMED: usize = 3;

/// Lists what moved a player.
pub fn run(session: &Session, options: &args::Trace) -> Result<Report, VerbError> {
    let showing = Showing::of(session, &options.view)?;
    let event = &showing.event;
    let player = find_player(event, &options.player)?;
    let mut rows: Vec<[String; 5]> = Vec::new();
    let mut lines = String::new();
    let mut label = String::new();
    showing.play(options.by.into(), &mut |step| {
        let Some(moved) = step.moved(player) else { return };
        let passed = step.passed(player);
        if session.json {
            let step = TraceStep::of(event, step, moved, &passed);
            lines.push_str(&line(&Dated::of(event, step)));
            return;
        }
        label = step.points_label();
        rows.push([
            step.last().to_string(),
            place_text(moved.from, moved.to),
            step.points(player).map_or(String::new(), |shown| shown.text),
            match options.by {
                args::Pace::Round => summary::name(step),
                args::Pace::Event => happened(&showing, step, player),
            },
            because(event, &passed),
        ]);
    })?;
    if session.json {
        return Ok(Report::yes(lines));
    }
    let name = event.name(player);
    if rows.is_empty() {
        return Ok(Report::yes(dated(event, format!("{name} takes no place.\n"))));
    }
    let mut table = Aligned::new([
        ("seq", Align::Right),
        ("place", Align::Right),
        (&label[..], Align::Right),
        ("what happened", Align::Left),
        ("because", Align::Left),
    ]);
    let moves = rows.len();
    rows.into_iter().for_each(|row| table.row(row));
    let times = match moves {
        1 => "once".to_string(),
        2 => "twice".into(),
        moves => format!("{moves} times"),
    };
    let text =
        format!("{}: the place of {name} changes {times}\n\n{}", event.title(), table.text());
    Ok(Report::yes(dated(event, text)))
}

/// The sentence that speaks of the player, or the first one, and how many there are beside it.
fn happened(showing: &Showing, step: &Step<'_>, player: PlayerNumber) -> String {
    let sentences = step.sentences(&showing.event);
    let name = showing.event.name(player);
    let own = sentences.iter().find(|sentence| speaks_of(sentence, &name));
    let told = own.or(sentences.first()).cloned().unwrap_or_default();
    match sentences.len() - 1 {
        0 => told,
        1 => format!("{told} (and one event more)"),
        more => format!("{told} (and {more} events more)"),
    }
}

/// Whether a sentence has a name as a whole: Al is not Alice.
fn speaks_of(sentence: &str, name: &str) -> bool {
    let is_end = |at: Option<char>| at.is_none_or(|letter| !letter.is_alphanumeric());
    sentence.match_indices(name).any(|(at, _)| {
        let (before, after) = (&sentence[..at], &sentence[at + name.len()..]);
        is_end(before.chars().next_back()) && is_end(after.chars().next())
    })
}

/// Who passed whom, and what decides between them: those who are alike in one breath.
fn because(event: &LoadedTournament, passed: &[Passed]) -> String {
    let mut groups: Vec<(How, &str, Vec<PlayerNumber>)> = Vec::new();
    for one in passed {
        // Who is level now was told apart before.
        let step = match one.how {
            How::Stands(Passing::NowLevel) => &one.before,
            _ => &one.after,
        };
        let step = step.as_deref().unwrap_or("");
        match groups.iter_mut().find(|(how, by, _)| (*how, *by) == (one.how, step)) {
            Some((.., others)) => others.push(one.other),
            None => groups.push((one.how, step, vec![one.other])),
        }
    }
    groups.sort_by_key(|(how, ..)| *how);
    let told = groups.into_iter().map(|(how, step, others)| {
        let names = names(event, &others);
        let many = others.len() > 1;
        match how {
            How::Stands(Passing::Passes) => format!("passes {names} ({step})"),
            How::Stands(Passing::PassedBy) => format!("passed by {names} ({step})"),
            How::Stands(Passing::NowLevel) => format!("now level with {names} (was {step})"),
            How::Stands(Passing::NoLongerLevel) => {
                format!("no longer level with {names} ({step})")
            }
            How::CameIn => format!("{names} {} in before them ({step})", verb(many, "come")),
            How::Gone => format!("{names} {} no place any more", verb(many, "take")),
        }
    });
    told.collect::<Vec<_>>().join("; ")
}

fn verb(many: bool, word: &str) -> String {
    format!("{word}{}", if many { "" } else { "s" })
}

fn names(event: &LoadedTournament, others: &[PlayerNumber]) -> String {
    let named: Vec<String> = others.iter().take(NAMED).map(|other| event.name(*other)).collect();
    match others.len() - named.len() {
        0 => named.join(", "),
        1 => format!("{} and one other", named.join(", ")),
        more => format!("{} and {more} others", named.join(", ")),
    }
}
