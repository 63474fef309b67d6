//! What a command changed: the standings before it and after it, with who moves.

use super::alerts::{Alert, of_displaced};
use super::frame::{Frame, Tab};
use super::moves::Change;
use super::{Looked, day_and_clock, render, told};
use askama::Template;
use scrutineer_desk::desk::DeskError;
use scrutineer_desk::told::Told;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_desk::what_if::WhatIf;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::Event;
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::staff::Staff;
use std::collections::BTreeSet;

#[derive(Template)]
#[template(path = "moved.html")]
struct MovedPage {
    frame: Frame,
    first: u64,
    last: u64,
    /// What was recorded, and what stood there before.
    sentences: Vec<(String, Option<String>)>,
    by: String,
    time: String,
    undone_in: Option<u64>,
    change: Change,
    /// Who sits in the next round though a correction says otherwise.
    alerts: Vec<Alert>,
}

/// The last event that put something right.
fn last_correction(event: &LoadedTournament) -> Option<u64> {
    let corrects =
        |logged: &Event| matches!(logged, Event::ResultCorrected(_) | Event::Withdrawn(_));
    let mut log = event.log.iter().rev();
    log.find(|(_, logged)| corrects(logged)).map(|(header, _)| header.seq)
}

/// What the command of an event changed; without one, that of the last correction.
///
/// # Errors
/// Where there is no such event, nothing stood before it, or the standings cannot be folded.
pub fn page(at: &Looked<'_>, seq: Option<u64>) -> Result<String, VerbError> {
    let event = at.load_whole()?;
    let found = seq.or_else(|| last_correction(&event));
    let found = found.and_then(|seq| event.log.iter().find(|(header, _)| header.seq == seq));
    let Some((header, _)) = found.filter(|(header, _)| header.seq > 1) else {
        let message = match seq {
            Some(seq) => {
                format!("event {seq} moves nobody: there is no such one behind the opening")
            }
            None => "nothing has been corrected yet".to_string(),
        };
        let code = Code::not_found("no-such-event");
        return Err(VerbError::new(code, message, "the log names every event"));
    };
    let first = header.seq - u64::from(header.part.saturating_sub(1));
    let last = first + u64::from(header.parts.max(1)) - 1;
    let (before, after) = (at.load_as_of(first - 1)?, at.load_as_of(last)?);
    let what_if = WhatIf::of(&before, &after, None).map_err(DeskError::from)?;
    let log = Told::of(&event, BTreeSet::new());
    let rows = event.log.iter().filter(|(header, _)| (first..=last).contains(&header.seq));
    render(&MovedPage {
        frame: Frame::of(at, &event, Tab::Log, &format!("moved/{first}")),
        sentences: rows
            .map(|(header, logged)| (told(&event, header.seq, logged), log.stood_before(logged)))
            .collect(),
        by: Staff::of(&event).who(header),
        time: day_and_clock(header.time),
        alerts: of_displaced(at, &event)?,
        undone_in: event.taken_back().get(&first).copied(),
        change: Change::of(&after, &what_if, ["Before", "After"]),
        first,
        last,
    })
}

#[cfg(test)]
mod tests {
    use super::super::kit::hall;
    use super::*;

    #[test]
    fn a_correction_shows_who_moves_with_an_arrow_and_what_is_undone_says_so() {
        let hall = hall();
        hall.correct("2 1-2");
        let html = page(&hall.looked(), None).expect("a page");
        assert!(html.contains("class=\"chart moves\""), "{html}");
        assert!(html.contains("<g class=\"up") && html.contains("<g class=\"down"));
        assert!(!html.contains("was undone"));
        // What stood there before stands there too.
        assert!(html.contains("It was: R1 T2 Eva 2-1"), "{html}");
        let seq = hall.store.load(hall.stream, false).expect("loaded").state.head();
        hall.order(scrutineer_desk::orders::Undo { seq: Some(seq), reason: None });
        let html = page(&hall.looked(), Some(seq)).expect("a page");
        assert!(html.contains(&format!("/moved/{}\">{}</a>", seq + 1, seq + 1)), "{html}");
    }

    /// It led to pairing the draft again, which gave the same tables.
    #[test]
    fn a_correction_behind_the_cut_leads_to_the_cut_and_not_to_pairing_the_draft_again() {
        use scrutineer_desk::orders::{Correct, Cut, Pair, Publish, Undo};
        for was_out in [false, true] {
            let hall = hall();
            hall.all_in();
            hall.order(Cut { top: Some(4), ..Cut::default() });
            hall.order(Pair::default());
            if was_out {
                hall.order(Publish {});
                hall.order(Undo { seq: None, reason: None });
            }
            let (slip, reason) = ("1 0-2".to_string(), "turned round".to_string());
            hall.order(Correct { slip, reason, round: Some(1), ..Correct::default() });
            let html = page(&hall.looked(), None).expect("a page");
            assert!(html.contains("undoing its pairings and the cut lets that be"), "{html}");
            assert!(!html.contains("pair --again"), "{html}");
            let seen = ["nobody has seen it", "it was out before, and was taken back"];
            assert!(html.contains(seen[usize::from(was_out)]), "{html}");
            assert!(!html.contains(seen[usize::from(!was_out)]), "{html}");
        }
    }

    #[test]
    fn an_event_that_is_not_there_is_refused_and_so_is_the_opening() {
        let hall = hall();
        for seq in [None, Some(0), Some(1), Some(1_000)] {
            let error = page(&hall.looked(), seq).expect_err("nothing to compare");
            assert_eq!(error.code.word, "no-such-event");
        }
    }
}
