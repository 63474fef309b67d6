//! The log: what happened, in sentences, the newest first.

use super::frame::{Frame, Tab};
use super::{Looked, day_and_clock, render, told};
use askama::Template;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::Event;
use scrutineer_engine::record::Header;
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::staff::Staff;
use std::collections::BTreeMap;

/// How many commands stand on a page.
const ON_A_PAGE: usize = 100;

#[derive(Template)]
#[template(path = "log.html")]
struct LogPage {
    frame: Frame,
    commands: Vec<Command>,
    older: Option<u64>,
    newer: bool,
    search: String,
    found: usize,
}

/// What was recorded together.
struct Command {
    first: u64,
    last: u64,
    time: String,
    by: String,
    sentences: Vec<Sentence>,
    /// What stays out of sight until somebody asks.
    more: Vec<Sentence>,
    can_undo: bool,
}

struct Sentence {
    seq: u64,
    text: String,
    undone_in: Option<u64>,
}

/// How many sentences of a command are shown at once.
const SHOWN: usize = 3;

/// The event that took each event back.
fn taken_back(event: &LoadedTournament) -> BTreeMap<u64, u64> {
    let taken = event.log.iter().filter_map(|(header, logged)| match logged {
        Event::Withdrawn(e) => Some((e.seq, header.seq)),
        _ => None,
    });
    taken.collect()
}

fn command(
    event: &LoadedTournament,
    staff: &Staff<'_>,
    undone: &BTreeMap<u64, u64>,
    rows: &[(Header, Event)],
) -> Option<Command> {
    let (first, _) = rows.first()?;
    let (last, _) = rows.last()?;
    let tell = |(header, logged): &(Header, Event)| Sentence {
        seq: header.seq,
        text: told(event, header.seq, logged),
        undone_in: undone.get(&header.seq).copied(),
    };
    let mut sentences: Vec<Sentence> = rows.iter().map(tell).collect();
    let stands = sentences.iter().any(|one| one.undone_in.is_none());
    let more = match sentences.len() > SHOWN + 1 {
        true => sentences.split_off(SHOWN),
        false => Vec::new(),
    };
    Some(Command {
        first: first.seq,
        last: last.seq,
        time: day_and_clock(first.time),
        by: staff.who(first),
        sentences,
        more,
        // The opening stays; what was undone cannot be undone again.
        can_undo: first.seq > 1 && stands && !event.state.is_closed(),
    })
}

/// What happened before an event, or last; with a search only what speaks of it.
///
/// # Errors
/// Where the store cannot be read.
pub fn page(
    at: &Looked<'_>,
    before: Option<u64>,
    search: Option<&str>,
) -> Result<String, VerbError> {
    let event = at.load_whole()?;
    let staff = Staff::of(&event);
    let undone = taken_back(&event);
    let search = search.map(str::trim).unwrap_or_default();
    let wanted = search.to_lowercase();
    let mut parts: Vec<&[(Header, Event)]> = Vec::new();
    let mut from = 0;
    for (end, (header, _)) in event.log.iter().enumerate() {
        if header.part == header.parts {
            parts.push(&event.log[from..=end]);
            from = end + 1;
        }
    }
    let is_before = |part: &&&[(Header, Event)]| {
        before.is_none_or(|seq| part.first().is_some_and(|(header, _)| header.seq < seq))
    };
    let all = parts.iter().rev().filter(is_before);
    let all = all.filter_map(|rows| command(&event, &staff, &undone, rows));
    let speaks = |one: &Command| {
        let mut all = one.sentences.iter().chain(&one.more);
        wanted.is_empty()
            || one.by.to_lowercase().contains(&wanted)
            || all.any(|sentence| sentence.text.to_lowercase().contains(&wanted))
    };
    let mut commands: Vec<Command> = all.filter(speaks).take(ON_A_PAGE + 1).collect();
    let is_more = commands.len() > ON_A_PAGE;
    commands.truncate(ON_A_PAGE);
    render(&LogPage {
        frame: Frame::of(at, &event, Tab::Log, "log"),
        older: commands.last().filter(|_| is_more).map(|last| last.first),
        newer: before.is_some(),
        found: commands.len(),
        commands,
        search: search.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::kit::{HTML, hall};
    use super::*;
    use scrutineer_desk::orders::Undo;

    #[test]
    fn each_sentence_has_its_person_and_an_undo() {
        let html = page(&hall().looked(), None, None).expect("a page");
        assert!(html.contains("Bo Park"));
        assert!(html.contains("value=\"undo\""));
        assert!(!html.contains(HTML));
    }

    #[test]
    fn what_was_undone_stays_crossed_out_and_names_what_undid_it() {
        let hall = hall();
        hall.order(Undo::default());
        let html = page(&hall.looked(), None, None).expect("a page");
        assert!(html.contains("class=\"undone\""), "{html}");
        assert!(html.contains("undone by event"));
    }

    #[test]
    fn a_search_leaves_out_what_does_not_speak_of_it() {
        let hall = hall();
        let html = page(&hall.looked(), None, Some("takes part")).expect("a page");
        assert!(html.contains("Ann Lee takes part"));
        assert!(!html.contains("pairings of round 1 are out"));
    }
}
