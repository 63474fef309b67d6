//! The tournaments of the store, and a new one.

use super::render;
use crate::gate::Need;
use crate::horizon::Horizons;
use crate::language::Language;
use crate::posted::{Fields, field};
use crate::reader::Reader;
use crate::second::Line;
use crate::who::Who;
use askama::Template;
use chrono::Datelike;
use scrutineer_desk::glance::{Glance, TournamentState};
use scrutineer_desk::orders::{self, New, RulesetText};
use scrutineer_desk::store::{Listed, Store, StoreError, TournamentSummary, apart};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::Day;
use scrutineer_engine::record::StreamId;
use scrutineer_projections::ruleset::Library;
use scrutineer_replay::loaded::short_id;
use std::cmp::Ordering;

#[derive(Template)]
#[template(path = "tournaments.html")]
struct Tournaments {
    language: Language,
    /// The query of the language, where it was chosen.
    lang: String,
    is_staff: bool,
    may_import: bool,
    /// Whether whoever looks may open one, and sees the pages of the whole store.
    is_owner: bool,
    rows: Vec<Row>,
    /// Whether others push tournaments here.
    is_publisher: bool,
    /// What cannot be shown of the store, for its staff: the tournament, and why.
    unread: Vec<(String, String)>,
    /// What is wrong with the other laptop, or that nothing is recorded here, for its staff.
    second: Option<Line>,
}

struct Row {
    id: String,
    title: String,
    /// What tells it apart from others of its title.
    apart: String,
    held_on: String,
    has_day: bool,
    players: String,
    round: String,
    state: String,
    class: &'static str,
    rules: String,
    head: u64,
    /// Which store pushes it here, for the staff; empty: it is run here.
    from: String,
    /// Whether its log was rewritten where it is run, for the staff.
    is_rewritten: bool,
}

fn row(
    one: TournamentSummary,
    known: Option<(Glance, u64)>,
    apart: Option<&String>,
    language: Language,
) -> Row {
    let (glance, head) = known.map_or((None, 0), |(glance, head)| (Some(glance), head));
    let glance = glance.as_ref();
    let count = |count: u32| if count == 0 { "–".to_string() } else { count.to_string() };
    Row {
        id: short_id(one.stream),
        title: one.title,
        apart: apart.cloned().unwrap_or_default(),
        held_on: one.held_on.map_or("–".into(), |day| day.to_string()),
        has_day: one.held_on.is_some(),
        players: glance.map_or("–".into(), |glance| count(glance.players)),
        round: glance.map_or("–".into(), |glance| count(glance.round.into())),
        state: language.word("tournament", glance.map_or("not read", |glance| glance.state.word())),
        class: match glance.map(|glance| glance.state) {
            Some(TournamentState::Running | TournamentState::Enrolling) => "out",
            _ => "",
        },
        rules: glance.map_or(one.ruleset, |glance| glance.rules.clone()),
        head,
        from: String::new(),
        is_rewritten: false,
    }
}

/// The newest first: by the day on which they are held; those without one last, by when they were opened.
pub fn newest_first(mut listed: Vec<TournamentSummary>) -> Vec<TournamentSummary> {
    listed.sort_by(|one, other| {
        let by_day = other.held_on.cmp(&one.held_on);
        let by_opening = || match one.held_on {
            Some(_) => Ordering::Equal,
            None => other.opened_at.cmp(&one.opened_at),
        };
        by_day.then_with(by_opening).then_with(|| one.title.cmp(&other.title))
    });
    listed
}

/// The list of all tournaments, each with the way to its desk, or to its standings for those who are
/// not of the staff.
///
/// # Errors
/// Where the store cannot be read.
pub fn page(
    store: &Store,
    horizons: &Horizons,
    reader: &Reader,
    who: &Who,
    second: Option<Line>,
) -> Result<String, VerbError> {
    let role = who.role;
    let language = reader.language(role);
    let Listed { events, unread, .. } = store.listed()?;
    let mut events = newest_first(events);
    for one in &mut events {
        one.title = horizons.title(one.stream, std::mem::take(&mut one.title));
    }
    let apart = apart(&events);
    let is_staff = Need::Staff.admits(role);
    let rows = events.into_iter().map(|one| {
        let known = match Need::Staff.admits(who.role_in(one.stream)) {
            true => store.glance(one.stream, None).ok().map(|glance| (glance, one.head)),
            false => horizons.glance(store, one.stream).ok(),
        };
        let (stream, apart) = (one.stream, apart.get(&one.stream));
        let mut row = row(one, known, apart, language);
        // What cannot be read is told on its own pages.
        if let Some(followed) = store.followed(stream).ok().flatten().filter(|_| is_staff) {
            row.from = followed.whose().to_string();
        }
        row.is_rewritten = store.rewritten(stream).is_ok_and(|fork| fork.is_some());
        row
    });
    let mut rows: Vec<Row> = rows.collect();
    // One without a day that is going on is of today.
    rows.sort_by_key(|row| row.has_day || row.class != "out");
    let is_publisher = rows.iter().any(|row| !row.from.is_empty());
    let lang = reader.asked().map_or(String::new(), |chosen| format!("?lang={}", chosen.tag()));
    let may_import = who.check_of_store(Need::HeadJudge).is_ok();
    let is_owner = who.check(Need::Owner).is_ok();
    let told = |(stream, error): (StreamId, StoreError)| (short_id(stream), error.to_string());
    let unread = unread.into_iter().filter(|_| is_staff).map(told).collect();
    render(&Tournaments {
        language,
        lang,
        is_staff,
        may_import,
        is_owner,
        rows,
        is_publisher,
        unread,
        second: second.filter(|line| is_staff && line.is_alarm),
    })
}

#[derive(Template)]
#[template(path = "new.html")]
struct NewPage {
    /// The tournament that the form is filled in like: its id and its title.
    like: Option<(String, String)>,
    /// The others, the newest first.
    earlier: Vec<(String, String)>,
    regulars: usize,
    refused: Option<String>,
    hint: String,
    key: String,
    held_on: String,
    then_regulars: bool,
    rulesets: Vec<String>,
    new: New,
    best_of: u8,
    /// What was on the slip of the tournament that the form is filled in like, in words.
    slip: Option<String>,
}

/// How many earlier tournaments can be chosen.
const EARLIER: usize = 200;

/// The texts of rulesets that a tournament like this one needs.
///
/// # Errors
/// Where there is no such tournament.
pub fn files_like(store: &Store, like: &str) -> Result<Vec<RulesetText>, VerbError> {
    let event = store.load(store.find(Some(like))?, false)?;
    Ok(orders::like(&event).map(|new| new.files).unwrap_or_default())
}

/// Today, by the clock of the venue.
fn today_here() -> Day {
    let now = chrono::Local::now();
    let small = |number: u32| u8::try_from(number).unwrap_or(1);
    Day {
        year: u16::try_from(now.year()).unwrap_or_default(),
        month: small(now.month()),
        day: small(now.day()),
    }
}

/// The form for a new tournament, filled in like another: the one that is named, or the last one; or with
/// what was `typed` and refused.
///
/// # Errors
/// Where the store cannot be read, or there is no such tournament.
pub fn new_page(
    store: &Store,
    key: &str,
    like: Option<&str>,
    said: &super::Said,
    typed: Option<&Fields>,
) -> Result<String, VerbError> {
    let listed = newest_first(store.events()?);
    let apart = apart(&listed);
    let chosen = match like.filter(|like| !like.is_empty()) {
        Some(like) => Some(store.find(Some(like))?),
        None if typed.is_some() => None,
        None => listed.first().map(|last| last.stream),
    };
    let event = chosen.map(|stream| store.load(stream, false)).transpose()?;
    let found = event.as_ref().and_then(orders::like);
    let usual = || New { rules: "mtr".into(), ..New::default() };
    let mut new = match typed {
        Some(fields) => crate::fields::new(fields)?,
        None => found.unwrap_or_else(usual),
    };
    if typed.is_none() && event.is_some() {
        // Two tournaments of one title are taken for each other.
        let taken: Vec<&str> = listed.iter().map(|one| &one.title[..]).collect();
        new.title = orders::next_title(&new.title, today_here(), &taken).unwrap_or_default();
    }
    let best_of = new.best_of.unwrap_or(3);
    // A phase more can be added to those of the last time.
    new.phases.push(String::new());
    new.phases.resize(new.phases.len().max(2), String::new());
    let named = |one: TournamentSummary| {
        let day = apart.get(&one.stream).cloned().or(one.held_on.map(|day| day.to_string()));
        let day = day.map_or(String::new(), |day| format!(", {day}"));
        (short_id(one.stream), format!("{}{day}", one.title))
    };
    let opened = event.as_ref().and_then(|event| event.state.opened());
    let slip = opened.map(|opened| orders::slip_in_words(&opened.scoresheet).replace('`', ""));
    render(&NewPage {
        slip,
        like: event.as_ref().map(|event| (short_id(event.stream), event.title())),
        regulars: event.map_or(0, |event| {
            event.state.players().iter().filter(|player| !player.withdrawn).count()
        }),
        earlier: listed.into_iter().take(EARLIER).map(named).collect(),
        refused: said.why.clone().or_else(|| said.refused.clone()),
        hint: said.hint.clone().unwrap_or_default(),
        key: key.to_string(),
        held_on: match typed {
            Some(_) => new.held_on.clone().unwrap_or_default(),
            None => today_here().to_string(),
        },
        then_regulars: typed.is_none_or(|fields| field(fields, "regulars").is_some()),
        rulesets: Library::shipped().ids(),
        best_of,
        new,
    })
}

#[cfg(test)]
mod tests {
    use super::super::kit::hall;
    use super::*;

    #[test]
    fn a_new_tournament_is_like_the_one_that_is_chosen_with_its_regulars() {
        let hall = hall();
        let new = New {
            title: "League".into(),
            rules: "mtr+settings.percentage_floor=1/2".into(),
            phases: vec!["swiss:3".into(), "single-elimination:4:bo5".into()],
            ..New::default()
        };
        let (stream, _) = orders::open(&hall.asker, &hall.store, &new).expect("open");
        let said = super::super::Said::default();
        let html =
            new_page(&hall.store, "k", Some(&stream.to_string()), &said, None).expect("a page");
        for value in ["League", "mtr+settings.percentage_floor=1/2", "single-elimination:4:bo5"] {
            let value = value.replace('+', "&#43;");
            assert!(html.contains(&value) || html.contains(&value.replace("&#43;", "+")), "{html}");
        }
        let friday = new_page(&hall.store, "k", Some(&hall.stream.to_string()), &said, None)
            .expect("a page");
        assert!(friday.contains("6 players of it"), "{friday}");
        // What is on the slip is said in words, and the field is left to the rules.
        let words = "games, drawn of the table, best of 3: 2-1 or 2-1-1";
        assert!(friday.contains(words) && !friday.contains("..99"), "{friday}");
        assert!(friday.contains("name=\"slip\" value=\"\""), "{friday}");
        assert!(new_page(&hall.store, "k", Some("no such one"), &said, None).is_err());
        // The title is another one, or is left to be filled in.
        let title =
            |html: &str| html.split("name=\"title\"").nth(1).map(|rest| rest[..60].to_string());
        assert!(title(&html).is_some_and(|title| title.contains("value=\"\"")), "{html}");
        let night = New { title: "League Night 1".into(), rules: "mtr".into(), ..New::default() };
        orders::open(&hall.asker, &hall.store, &night).expect("open");
        let like = Some("League Night 1");
        let html = new_page(&hall.store, "k", like, &said, None).expect("a page");
        assert!(html.contains("value=\"League Night 2\""), "{html}");
    }

    /// A pairing that was taken back left its tournament running in the list, with its sign-up open.
    #[test]
    fn a_tournament_whose_only_pairing_was_taken_back_is_enrolling() {
        use scrutineer_desk::glance::Glance;
        let hall = super::super::kit::enrolled();
        let stands = || {
            let state = hall.store.load(hall.stream, false).expect("loaded").state;
            Glance::of(&state).state.word()
        };
        assert_eq!(stands(), "enrolling");
        hall.order(orders::Pair::default());
        assert_eq!(stands(), "running");
        hall.order(orders::Undo::default());
        assert_eq!(stands(), "enrolling");
    }

    #[test]
    fn a_refused_new_tournament_keeps_every_field_that_was_typed() {
        let hall = hall();
        let typed = [
            ("title", "Winter \"Cup\""),
            ("held_on", "2027-01-09"),
            ("rules", "mtr2"),
            ("best_of", "5"),
            ("phases", "swiss:4"),
            ("phases", "single-elimination:8:bo5"),
            ("phases", "pods:2"),
            ("slip", "games,points"),
            ("like", &hall.stream.to_string()),
        ];
        let typed: Fields = typed.map(|(name, value)| (name.into(), value.into())).into();
        let said =
            super::super::Said { why: Some("there is no mtr2".into()), ..Default::default() };
        let html = new_page(&hall.store, "k", None, &said, Some(&typed)).expect("a page");
        assert!(html.contains("there is no mtr2"), "{html}");
        for value in
            ["Winter &#34;Cup&#34;", "2027-01-09", "mtr2", "swiss:4", "pods:2", "games,points"]
        {
            assert!(html.contains(&format!("value=\"{value}\"")), "{value}: {html}");
        }
        assert!(html.contains("value=\"single-elimination:8:bo5\""));
        assert!(html.contains("<option selected>5</option>"), "{html}");
        assert!(!html.contains("name=\"regulars\" value=\"true\" checked"), "it was not ticked");
    }
}
