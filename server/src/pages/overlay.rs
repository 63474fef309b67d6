//! What lies over a stream: featured tables, the first places, the clock, on a ground that is not there.
//! The desk tells it what to show, as it tells the screens; its address can hold it to one of them. It is
//! made of what everybody may see.

use super::clock::ClockShown;
use super::screen::{PlaceLine, notes, place, size};
use super::standings::{Table, View, is_over};
use super::{Looked, assets, render, round_called, said_slip};
use crate::language::Language;
use crate::live::is_out;
use askama::Template;
use scrutineer_desk::desk::{open_round, write_slip};
use scrutineer_desk::floor::Overlaying;
use scrutineer_desk::horizon::published;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::RoundNumber;
use scrutineer_replay::loaded::LoadedTournament;

/// How many places are shown, and how many featured tables.
const PLACES: usize = 8;
const TABLES: usize = 3;

#[derive(Template)]
#[template(path = "overlay.html")]
struct OverlayPage {
    language: Language,
    title: String,
    head: String,
    /// That the log was rewritten.
    rewritten: Option<String>,
    clock: Option<ClockShown>,
    tables: Vec<Featured>,
    places: Vec<PlaceLine>,
    /// What is said of them: how far they go, that results are hidden or matches postponed or disputed, that another cut was made.
    notes: Vec<String>,
    /// What the last column of the places is called.
    value: String,
    base: String,
    styles: Vec<String>,
    scripts: Vec<String>,
}

/// A table that is to be watched.
struct Featured {
    table: u32,
    /// Who sits there: the name, how large it is set, and what they have won so far.
    players: Vec<(String, &'static str, String)>,
    score: Option<String>,
}

/// The featured tables of a round.
fn featured(
    at: &Looked<'_>,
    event: &LoadedTournament,
    round: RoundNumber,
    records: Option<&Table>,
) -> Vec<Featured> {
    let record = |player| {
        let row =
            records.and_then(|table| table.rows.iter().find(|row| row.player.number == player));
        row.map_or(String::new(), |row| row.record.clone())
    };
    let is_chess = super::is_chess(event);
    let shown = |table| {
        let found = event.state.at_table(round, table)?;
        let player = |player| {
            let name = event.name(player);
            let size = size(&name);
            (name, size, record(player))
        };
        let score =
            found.to_result().map(|one| said_slip(&write_slip(&one), is_chess, at.language));
        let players = found.seats().iter().map(|seat| player(seat.player)).collect();
        Some(Featured { table, players, score })
    };
    at.floor.featured(round).filter_map(shown).take(TABLES).collect()
}

/// The overlay; `show`: what its address holds it to.
///
/// # Errors
/// Where the store cannot be read or the standings not be folded.
pub fn page(at: &Looked<'_>, show: Option<&str>) -> Result<String, VerbError> {
    let event = at.load()?;
    // Where results are hidden, the pairings that are out stand by themselves.
    let seated = at.pairings.as_ref().unwrap_or(&event);
    let (round, counted) = (published(&seated.state), published(&event.state));
    let is_played = open_round(&seated.state)
        .is_some_and(|open| is_out(&seated.state, open) && open.open_matches > 0);
    let asked = show.and_then(Overlaying::of_word);
    let told =
        asked.filter(|asked| *asked != Overlaying::Auto).unwrap_or_else(|| at.floor.overlays());
    let is_auto = told == Overlaying::Auto;
    let asked = match (told, counted) {
        (Overlaying::Clock | Overlaying::Nothing, _) | (_, None) => None,
        (_, through) => {
            let view =
                View { through: through.filter(|_| !is_over(&event.state)), ..View::default() };
            Some(view.asked_for_table(at)?)
        }
    };
    let table = asked.as_ref().map(|asked| Table::of(asked, at.language));
    let mut page = OverlayPage {
        language: at.language,
        title: event.title(),
        head: round.map_or(String::new(), |round| round_called(&seated.state, round, at.language)),
        rewritten: super::frame::rewritten(at),
        clock: None,
        tables: Vec::new(),
        places: Vec::new(),
        notes: Vec::new(),
        value: String::new(),
        base: at.base.to_string(),
        styles: ["tokens.css", "overlay.css"].map(assets::path).into(),
        scripts: ["clock.js", "overlay.js"].map(assets::path).into(),
    };
    if let Some(round) = round {
        if told == Overlaying::Clock || is_auto && is_played {
            page.clock = ClockShown::of(&at.floor, round, crate::floor::now());
        }
        if told == Overlaying::Featured || is_auto && is_played {
            // What they had won when they sat down; where rounds before are hidden it is not told.
            let through = asked.as_ref().map_or(0, |asked| asked.standings.through);
            let records = table.as_ref().filter(|_| through + 1 >= round);
            page.tables = featured(at, seated, round, records);
        }
    }
    let is_shown = told == Overlaying::Standings || is_auto && !is_played;
    if let Some((asked, table)) = asked.zip(table).filter(|_| is_shown) {
        page.head = at.language.t(table.head_word());
        page.places = table.rows.iter().take(PLACES).map(|row| place(row, table.main)).collect();
        page.value = table.labels.get(table.main).cloned().unwrap_or_default();
        page.notes = notes(at, &asked, table);
    }
    render(&page)
}

#[cfg(test)]
mod tests {
    use super::super::kit::{HTML, enrolled, hall};
    use super::*;
    use scrutineer_desk::floor::{Change, Entry, Floor};
    use scrutineer_desk::orders::{Pair, Publish};
    use std::sync::Arc;

    fn floor(changes: Vec<Change>) -> Arc<Floor> {
        let at = crate::floor::now();
        Arc::new(Floor::of(changes.into_iter().map(|change| Entry {
            at,
            by: None,
            key: None,
            change,
        })))
    }

    #[test]
    fn it_shows_what_the_desk_tells_it_and_its_address_holds_it_to_one_thing() {
        let hall = hall();
        let mut looked = hall.looked();
        let feature = Change::Feature { table: 1, on: true, round: Some(1) };
        let start = Change::StartClock { minutes: 50, round: Some(1) };
        looked.floor = floor(vec![feature.clone(), start.clone()]);
        let html = page(&looked, None).expect("a page");
        assert!(html.contains("data-counts") && html.contains("Table 1"), "{html}");
        assert!(!html.contains("<table"), "{html}");
        for (what, has, has_not) in [
            (Overlaying::Clock, "data-counts", "Table 1"),
            (Overlaying::Featured, "Table 1", "data-counts"),
            (Overlaying::Standings, "<table", "data-counts"),
            (Overlaying::Nothing, "<main", "class=\"panel"),
        ] {
            looked.floor = floor(vec![feature.clone(), start.clone(), Change::Overlay { what }]);
            let html = page(&looked, None).expect("a page");
            assert!(html.contains(has) && !html.contains(has_not), "{what:?}: {html}");
        }
        let html = page(&looked, Some("clock")).expect("a page");
        assert!(html.contains("data-counts") && !html.contains(HTML), "the address's own word");
    }

    #[test]
    fn before_a_round_is_out_and_between_rounds_it_shows_no_draft() {
        let hall = enrolled();
        hall.order(Pair::default());
        for (_, word, _) in Overlaying::ALL {
            let html = page(&hall.looked(), Some(word)).expect(word);
            assert!(!html.contains("Ann Lee") && !html.contains("Round 1"), "{word}: {html}");
        }
        hall.order(Publish {});
        hall.play_on();
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let open = state.matches().filter(|m| m.result().is_none()).filter_map(|m| m.table());
        open.for_each(|table| hall.slip(&format!("{table} 2-0")));
        let html = page(&hall.looked(), None).expect("a page");
        assert!(html.contains("Standings") && html.contains("<table"), "{html}");
    }

    #[test]
    fn places_over_a_stream_say_that_a_match_is_postponed() {
        let hall = hall();
        let html = || page(&hall.looked(), Some("standings")).expect("a page");
        assert!(!html().contains("postponed"), "{}", html());
        hall.slip("1 postponed");
        assert!(html().contains("<span>1 match is postponed and counts"), "{}", html());
    }
}
