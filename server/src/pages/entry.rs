//! Results are entered: with the keys of the pad, or as a whole line.

use super::desk::{LastEntered, last_entered};
use super::frame::{Frame, Tab};
use super::{Looked, render};
use askama::Template;
use scrutineer_desk::desk::open_round;
use scrutineer_desk::orders::Sheet;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::Scoresheet;

use super::rules_of;

/// How many of one's own entries are shown.
const OWN_SHOWN: usize = 16;

#[derive(Template)]
#[template(path = "entry.html")]
struct EntryPage {
    frame: Frame,
    tables: Vec<TableShown>,
    missing: usize,
    pad: Vec<PadKey>,
    best_of: Option<u8>,
    last: Vec<LastEntered>,
    typed: String,
    round: u16,
    is_draft: bool,
}

struct TableShown {
    table: u32,
    seats: Vec<SeatShown>,
    result: Option<String>,
}

struct SeatShown {
    name: String,
    points: String,
}

/// A key of the pad: the left column is a win of the first player, the middle one a draw.
pub struct PadKey {
    /// The digit.
    pub digit: u8,
    /// The slip that it stands for.
    pub slip: &'static str,
    /// What the key says.
    pub label: &'static str,
}

/// The pad of a slip; empty where the slip has lines that a digit cannot say.
pub fn pad(sheet: &Scoresheet, draws: bool) -> Vec<PadKey> {
    let only_games = sheet.seat_lines() == 1 && sheet.seat_line("games") == Some(0);
    let nothing = sheet.seat_lines() == 0 && sheet.table_lines() == 0;
    let keys: &[(u8, &str, &str)] = match (only_games, sheet.best_of) {
        (true, Some(1)) => &[(7, "1-0", "1–0"), (8, "id", "draw"), (9, "0-1", "0–1")],
        (true, Some(3)) => &[
            (7, "1-0", "1–0"),
            (8, "1-1", "1–1"),
            (9, "0-1", "0–1"),
            (4, "2-0", "2–0"),
            (5, "0-0", "0–0"),
            (6, "0-2", "0–2"),
            (1, "2-1", "2–1"),
            (2, "id", "agreed"),
            (3, "1-2", "1–2"),
        ],
        (true, Some(5)) => &[
            (7, "3-0", "3–0"),
            (8, "1-1", "1–1"),
            (9, "0-3", "0–3"),
            (4, "3-1", "3–1"),
            (5, "2-2", "2–2"),
            (6, "1-3", "1–3"),
            (1, "3-2", "3–2"),
            (2, "id", "agreed"),
            (3, "2-3", "2–3"),
        ],
        _ if nothing => &[(7, "w-l", "wins"), (8, "d-d", "draw"), (9, "l-w", "wins")],
        _ => &[],
    };
    let is_draw = |digit: u8| digit % 3 == 2;
    let keys = keys.iter().filter(|(digit, ..)| draws || !is_draw(*digit));
    keys.map(|&(digit, slip, label)| PadKey { digit, slip, label }).collect()
}

/// The page on which results are entered.
///
/// # Errors
/// Where the store cannot be read.
pub fn page(at: &Looked<'_>, table: Option<u32>) -> Result<String, VerbError> {
    let event = at.load_whole()?;
    let state = &event.state;
    let open = open_round(state);
    let rules = rules_of(&event, None)?;
    let names = scrutineer_desk::names::Names::of(state, &event.book);
    let tables = open.map_or(Vec::new(), |open| {
        let (tables, _) = Sheet::of(state, &rules, open.number).answered(&names);
        let seat = |seated: scrutineer_desk::answers::Seated| SeatShown {
            name: seated.player.name,
            points: seated.points,
        };
        let shown = |row: scrutineer_desk::answers::RoundTable| TableShown {
            table: row.table,
            seats: row.players.into_iter().map(seat).collect(),
            result: row.result,
        };
        tables.into_iter().map(shown).collect()
    });
    let sheet = open.and_then(|open| state.scoresheet(open));
    let in_bracket =
        open.and_then(|open| state.phase_of(open)).is_some_and(|phase| phase.kind.is_bracket());
    let two = tables.iter().all(|row| row.seats.len() == 2);
    let keys = sheet.filter(|_| two).map_or(Vec::new(), |sheet| pad(sheet, !in_bracket));
    let mut own = last_entered(&event, OWN_SHOWN, at.asker.person.as_deref());
    own.retain(|one| open.is_some_and(|open| one.round == open.number));
    let typed = at.said.typed.clone().or_else(|| table.map(|table| format!("{table} ")));
    render(&EntryPage {
        frame: Frame::of(at, &event, Tab::Entry, "entry").script("entry.js"),
        missing: tables.iter().filter(|row| row.result.is_none()).count(),
        tables,
        pad: keys,
        best_of: sheet.and_then(|sheet| sheet.best_of),
        last: own,
        typed: typed.unwrap_or_default(),
        round: open.map_or(0, |open| open.number),
        is_draft: open.is_some_and(|open| open.published.is_none()),
    })
}

#[cfg(test)]
mod tests {
    use super::super::kit::{field, hall};
    use super::*;
    use scrutineer_desk::desk::{Opening, parse_slip};
    use scrutineer_projections::ruleset::Library;

    #[test]
    fn every_key_of_the_pad_is_a_slip_that_the_desk_reads() {
        let rules = Library::shipped().ruleset("mtr").expect("shipped");
        for games in [1, 3, 5] {
            let sheet = Opening::scoresheet_for(&rules, games);
            let keys = pad(&sheet, true);
            assert!(!keys.is_empty(), "best of {games}");
            for key in keys {
                parse_slip(&sheet, 2, key.slip).expect(key.slip);
            }
            assert!(
                pad(&sheet, false).iter().all(|key| key.digit % 3 != 2),
                "no draw in a bracket"
            );
        }
        let keys = pad(&Scoresheet::default(), true);
        assert!(keys.iter().all(|key| parse_slip(&Scoresheet::default(), 2, key.slip).is_ok()));
    }

    #[test]
    fn a_table_that_is_missing_stands_in_the_list_and_one_that_is_in_with_its_result() {
        let hall = hall();
        let html = page(&hall.looked(), None).expect("a page");
        assert!(html.contains("data-table=\"1\""), "{html}");
        assert_eq!(field(&html, "data-missing"), "2");
        assert!(html.contains("data-result=\"2-1\""));
    }

    #[test]
    fn what_was_refused_stays_in_the_field() {
        let hall = hall();
        let mut looked = hall.looked();
        looked.said.why = Some("best of 3 cannot end 3-0".into());
        looked.said.typed = Some("1 3-0".into());
        let html = page(&looked, None).expect("a page");
        assert!(html.contains("value=\"1 3-0\""));
        assert!(html.contains("best of 3 cannot end 3-0"));
        looked.said.hint = Some("`scrutineer pairings` names them".into());
        let html = page(&looked, None).expect("a page");
        assert!(!html.contains("scrutineer pairings"), "there is no such thing on a page");
    }
}
