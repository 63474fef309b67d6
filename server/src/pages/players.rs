//! The players: who takes part, enrolling them, and what becomes of each.

use super::frame::{Frame, Tab};
use super::{Looked, Person, render};
use askama::Template;
use scrutineer_desk::orders::{When, players};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::PlayerNumber;
use scrutineer_projections::counted;
use scrutineer_replay::loaded::text_or;
use serde_json::Value;

#[derive(Template)]
#[template(path = "players.html")]
struct PlayersPage {
    frame: Frame,
    groups: Vec<Group>,
    about: String,
    round: u16,
    open: bool,
    chosen: Option<Chosen>,
    with_ratings: bool,
}

struct Group {
    title: String,
    rows: Vec<Row>,
}

struct Row {
    player: Person,
    rating: String,
    record: String,
    notes: Vec<String>,
    is_out: bool,
    without_table: bool,
    is_chosen: bool,
}

struct Chosen {
    player: Person,
    bare: String,
    state: String,
    namesakes: Vec<Person>,
    is_out: bool,
    is_disqualified: bool,
}

fn row(value: &Value, chosen: Option<PlayerNumber>) -> Option<Row> {
    let player = Person::read(value)?;
    let number = |key: &str| value[key].as_u64().unwrap_or(0);
    let mut notes = Vec::new();
    if let Some(why) = value["dropped"].as_str() {
        let after = number("after_round");
        notes.push(match after {
            0 => why.to_string(),
            after => format!("{why} after round {after}"),
        });
    }
    if number("from_round") > 1 {
        notes.push(format!("from round {}", number("from_round")));
    }
    if number("byes") > 0 {
        notes.push(counted(number("byes") as usize, "bye"));
    }
    notes.extend(value["division"].as_str().map(str::to_string));
    let record = &value["record"];
    let part = |key: &str| record[key].as_u64().unwrap_or(0);
    let record = match record.is_null() {
        true => String::new(),
        false => format!("{}–{}–{}", part("wins"), part("losses"), part("draws")),
    };
    Some(Row {
        is_chosen: chosen == Some(player.number),
        player,
        rating: value["rating"].as_i64().map_or(String::new(), |rating| rating.to_string()),
        record,
        notes,
        is_out: !value["dropped"].is_null(),
        without_table: value["without_table"].as_bool() == Some(true),
    })
}

/// The first word of a name, by which somebody is called across a room.
fn called(name: &str) -> String {
    name.split_whitespace().next().unwrap_or_default().to_lowercase()
}

/// The players of a tournament, and one of them with what can be done.
///
/// # Errors
/// Where the store cannot be read.
pub fn page(at: &Looked<'_>, player: Option<PlayerNumber>) -> Result<String, VerbError> {
    let event = at.load()?;
    let answer = at.answer(|desk| players(desk, &When::default()))?;
    let rows = answer["players"].as_array().into_iter().flatten();
    let mut rows: Vec<Row> = rows.filter_map(|value| row(value, player)).collect();
    rows.sort_by_cached_key(|row| row.player.name.to_lowercase());
    let chosen = rows.iter().find(|row| row.is_chosen).map(|row| {
        let own = event.state.player(row.player.number);
        let bare = own.map_or(String::new(), |own| text_or(&event.book, &own.name, ""));
        let same = |other: &&Row| !other.is_chosen && called(&other.player.name) == called(&bare);
        Chosen {
            player: row.player.clone(),
            state: match (row.is_out, row.without_table) {
                (true, _) => row.notes.join(", "),
                (false, true) => "here, without a table".into(),
                (false, false) => "takes part".into(),
            },
            namesakes: rows.iter().filter(same).map(|row| row.player.clone()).collect(),
            is_out: row.is_out,
            is_disqualified: row.notes.iter().any(|note| note.starts_with("disqualified")),
            bare,
        }
    });
    let with_ratings = rows.iter().any(|row| !row.rating.is_empty());
    let all = rows.len();
    let (out, here): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(|row| row.is_out);
    let (without, here): (Vec<Row>, Vec<Row>) = here.into_iter().partition(|r| r.without_table);
    let about = match out.len() {
        0 => format!("{all} enrolled"),
        gone => format!("{} of {all} take part, {gone} left", all - gone),
    };
    let groups = [("Without a table", without), ("Taking part", here), ("Left", out)];
    let groups = groups.into_iter().filter(|(_, rows)| !rows.is_empty());
    render(&PlayersPage {
        frame: Frame::of(at, &event, Tab::Players, "players"),
        groups: groups.map(|(title, rows)| Group { title: title.into(), rows }).collect(),
        about,
        round: event.state.last_round().map_or(0, |round| round.number),
        open: !event.state.is_closed() && event.state.imported().is_none(),
        chosen,
        with_ratings,
    })
}

#[cfg(test)]
mod tests {
    use super::super::kit::{HTML, enrolled, hall};
    use super::*;

    #[test]
    fn a_name_that_is_html_is_only_shown() {
        let html = page(&enrolled().looked(), Some(4)).expect("a page");
        assert!(!html.contains(HTML));
        assert!(html.contains("&#60;script&#62;alert(1)&#60;/script&#62; &#38; Co"), "{html}");
        assert!(!html.contains("Friday <b>"));
    }

    #[test]
    fn the_button_that_drops_says_who() {
        let html = page(&hall().looked(), Some(1)).expect("a page");
        assert!(html.contains("Drop Ann Lee (1)?"));
        assert!(html.contains("<button class=\"sm\">Drop Ann Lee (1)</button>"), "{html}");
    }

    #[test]
    fn who_is_without_a_table_stands_in_a_group_of_their_own() {
        let hall = hall();
        hall.late("Kim Late");
        let html = page(&hall.looked(), None).expect("a page");
        let group = html.find("Without a table").expect("the group");
        let kim = html.find("Kim Late").expect("named");
        let taking_part = html.find("Taking part").expect("the others");
        assert!(group < kim && kim < taking_part);
    }
}
