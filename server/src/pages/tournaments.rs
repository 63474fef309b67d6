//! The tournaments of the store, and a new one.

use super::render;
use askama::Template;
use scrutineer_desk::glance::TournamentState;
use scrutineer_desk::store::{Store, TournamentSummary};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::PlannedPhase;
use scrutineer_projections::ruleset::Library;
use scrutineer_replay::loaded::short_id;

#[derive(Template)]
#[template(path = "tournaments.html")]
struct Tournaments {
    rows: Vec<Row>,
}

struct Row {
    id: String,
    title: String,
    held_on: String,
    players: String,
    round: String,
    state: &'static str,
    class: &'static str,
    rules: String,
    head: u64,
}

fn row(store: &Store, one: TournamentSummary) -> Row {
    let glance = store.glance(one.stream, None).ok();
    let count = |count: u32| if count == 0 { "–".to_string() } else { count.to_string() };
    Row {
        id: short_id(one.stream),
        title: one.title,
        held_on: one.held_on.map_or("–".into(), |day| day.to_string()),
        players: glance.map_or("–".into(), |glance| count(glance.players)),
        round: glance.map_or("–".into(), |glance| count(glance.round.into())),
        state: glance.map_or("not read", |glance| glance.state.word()),
        class: match glance.map(|glance| glance.state) {
            Some(TournamentState::Running | TournamentState::Enrolling) => "out",
            _ => "",
        },
        rules: one.ruleset,
        head: one.head,
    }
}

/// The newest first: by the day on which they are held, those without one last.
fn newest_first(mut listed: Vec<TournamentSummary>) -> Vec<TournamentSummary> {
    listed.sort_by(|one, other| {
        other.held_on.cmp(&one.held_on).then_with(|| one.title.cmp(&other.title))
    });
    listed
}

/// The list of all tournaments, each with the way to its desk.
///
/// # Errors
/// Where the store cannot be read.
pub fn page(store: &Store) -> Result<String, VerbError> {
    let listed = newest_first(store.events()?);
    render(&Tournaments { rows: listed.into_iter().map(|one| row(store, one)).collect() })
}

#[derive(Template)]
#[template(path = "new.html")]
struct NewPage {
    like: Option<String>,
    refused: Option<String>,
    hint: String,
    key: String,
    title: String,
    today: String,
    rules: String,
    rulesets: Vec<String>,
    best_of: u8,
    phase1: String,
    phase2: String,
}

/// A phase as it is typed.
fn typed(phase: &PlannedPhase) -> String {
    let kind = phase.kind.spelled().replace(' ', "-");
    let count = phase.players.or(phase.rounds.map(u32::from));
    let count = count.map_or(String::new(), |count| format!(":{count}"));
    let games = phase.scoresheet.as_ref().and_then(|sheet| sheet.best_of);
    // Best of how many games stands behind the number of players.
    let games = games.filter(|_| !count.is_empty());
    format!("{kind}{count}{}", games.map_or(String::new(), |games| format!(":bo{games}")))
}

/// The form for a new tournament, filled in like the last one.
///
/// # Errors
/// Where the store cannot be read.
pub fn new_page(store: &Store, key: &str, said: &super::Said) -> Result<String, VerbError> {
    let last = newest_first(store.events()?).into_iter().next();
    let mut page = NewPage {
        like: None,
        refused: said.why.clone().or_else(|| said.refused.clone()),
        hint: said.hint.clone().unwrap_or_default(),
        key: key.to_string(),
        title: String::new(),
        today: chrono::Local::now().format("%Y-%m-%d").to_string(),
        rules: "mtr".into(),
        rulesets: Library::shipped().ids(),
        best_of: 3,
        phase1: String::new(),
        phase2: String::new(),
    };
    if let Some(last) = last
        && let Ok(event) = store.load(last.stream, false)
        && let Some(opened) = event.state.opened()
    {
        page.title = last.title.clone();
        page.like = Some(last.title);
        page.rules = opened.ruleset.first().map_or(page.rules, |file| file.name.clone());
        page.best_of = opened.scoresheet.best_of.unwrap_or(page.best_of);
        let mut phases = opened.plan.iter().map(typed);
        page.phase1 = phases.next().unwrap_or_default();
        page.phase2 = phases.next().unwrap_or_default();
    }
    render(&page)
}
