//! Who may do what, what was just made, and the page to sign in.

use super::code::{Svg, code};
use super::render;
use super::tournaments::newest_first;
use crate::gate::Role;
use crate::house::{AccountListed, Change, House, Kind, Listed, Made, secret};
use crate::language::Language;
use askama::Template;
use scrutineer_desk::store::{Store, titled};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::ErrorKind;

/// How many changes are shown.
const CHANGES: usize = 50;

#[derive(Template)]
#[template(path = "staff.html")]
struct StaffPage {
    key: String,
    /// The newest first.
    tournaments: Vec<(String, String)>,
    /// The newest that is open: a link is mostly for that.
    open: String,
    /// What somebody may be.
    roles: Vec<(String, &'static str)>,
    /// What a program may be: the server of a venue too, which has a token.
    of_programs: Vec<(String, &'static str)>,
    lists: Vec<List>,
    accounts: Vec<AccountListed>,
    changes: Vec<Change>,
    /// How many webhooks are paused.
    paused: usize,
}

struct List {
    word: &'static str,
    title: &'static str,
    about: &'static str,
    rows: Vec<Listed>,
}

impl StaffPage {
    fn title<'a>(&'a self, id: &'a str) -> &'a str {
        self.tournaments.iter().find(|(known, _)| known == id).map_or(id, |(_, title)| title)
    }

    /// A time as it is shown.
    fn when(&self, text: &str) -> String {
        super::clock_of(text)
    }
}

/// Who may do what, with the forms that change it.
///
/// # Errors
/// Where the store or the house cannot be read.
pub fn page(store: &Store, house: &House) -> Result<String, VerbError> {
    let listed = newest_first(store.events()?);
    let open = listed.iter().map(|one| one.stream).find(|stream| store.is_open(*stream));
    let tournaments = titled(listed);
    let given = Role::ALL.into_iter().rev().filter(|role| *role != Role::Public);
    let named = |role: Role| (role.word().replace(' ', "-"), role.word());
    let list = |kind: Kind, title, about| {
        let rows = house.listed(kind);
        List { word: kind.word(), title, about, rows }
    };
    render(&StaffPage {
        key: secret()?.chars().take(32).collect(),
        open: open.map_or(String::new(), |stream| stream.to_string()),
        tournaments: tournaments.into_iter().map(|(id, title)| (id.to_string(), title)).collect(),
        roles: given.clone().filter(|role| *role != Role::Venue).map(named).collect(),
        of_programs: given.map(named).collect(),
        lists: vec![
            list(Kind::Session, "Signed in", "Browsers in which somebody works."),
            list(Kind::Link, "Links", "Codes that are good still."),
            list(Kind::Token, "Tokens", "What programs show."),
        ],
        accounts: house.accounts(),
        changes: house.last_changes(CHANGES)?,
        paused: house.paused_webhooks(),
    })
}

#[derive(Template)]
#[template(path = "staff_made.html")]
struct MadePage {
    is_link: bool,
    /// Whether the link leads nowhere from another machine.
    is_near: bool,
    /// Whether whoever opens the link on another machine is less than its role there.
    is_lowered: bool,
    secret: String,
    id: String,
    role: String,
    link: String,
    picture: Option<Svg>,
}

/// What was just made, shown this once.
///
/// # Errors
/// Where the page cannot be made.
pub fn made_page(
    made: &Made,
    role: &str,
    link: Option<String>,
    allows_plain_staff: bool,
) -> Result<String, VerbError> {
    let is_near = link.as_deref().is_some_and(leads_nowhere_else);
    let is_plain = link.as_deref().is_some_and(|link| link.starts_with("http://"));
    let is_more = Role::of_word(role).is_some_and(|role| role > Role::Scorekeeper);
    render(&MadePage {
        is_link: link.is_some(),
        is_near,
        is_lowered: is_plain && is_more && !is_near && !allows_plain_staff,
        secret: made.secret.clone(),
        id: made.id.clone(),
        role: role.to_string(),
        picture: link.as_deref().and_then(code),
        link: link.unwrap_or_default(),
    })
}

/// Whether a link names this machine by an address that every machine has for itself.
fn leads_nowhere_else(link: &str) -> bool {
    let host = link.split_once("://").map_or(link, |(_, rest)| rest);
    host.starts_with("127.") || host.starts_with("localhost") || host.starts_with("[::1]")
}

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignInPage<'a> {
    w: Language,
    back: &'a str,
    as_whom: Option<String>,
    /// The key of what is said, and what more there is to know in English.
    refused: Option<(&'static str, String)>,
}

/// The page that asks for name and password.
///
/// # Errors
/// Where the page cannot be made.
pub fn sign_in_page(
    back: &str,
    as_whom: Option<String>,
    refused: Option<&VerbError>,
    language: Language,
) -> Result<String, VerbError> {
    let key = |error: &VerbError| match error.code.kind {
        ErrorKind::SignIn => "sign-in-wrong",
        ErrorKind::SlowDown => "sign-in-later",
        _ => "sign-in-not-now",
    };
    let hint = |error: &VerbError| error.hint.as_ref().map_or(String::new(), ToString::to_string);
    let refused = refused.map(|error| (key(error), hint(error)));
    render(&SignInPage { w: language, back, as_whom, refused })
}

#[derive(Template)]
#[template(path = "join.html")]
struct JoinPage<'a> {
    w: Language,
    role: String,
    /// For whom the link was made; none: they say who they are.
    name: Option<&'a str>,
    /// What they are not over this connection, and what to do; empty where they are all of it.
    lowered: String,
    back: &'a str,
}

/// What somebody is told whom their connection makes less than they came by; empty: nobody is.
pub fn lowered(from: Role, most: Role, language: Language) -> String {
    let called = |role: Role| language.word("role", role.word());
    match from > most {
        true => language.b("come-in-lowered", "role", called(most), "more", called(from)),
        false => String::new(),
    }
}

/// The page that asks who comes by a link, unless it says so itself, over a connection on which nobody is more than
/// `most`.
///
/// # Errors
/// Where the page cannot be made.
pub fn join_page(
    (role, name): (Role, Option<&str>),
    most: Role,
    back: &str,
    language: Language,
) -> Result<String, VerbError> {
    let called = language.word("role", role.min(most).word());
    let lowered = lowered(role, most, language);
    let role = language.a("come-in-as", "role", called);
    render(&JoinPage { w: language, role, name, lowered, back })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::house::Grant;

    #[test]
    fn the_owner_sees_who_may_do_what_and_no_secret() {
        let (store, house) = (Store::in_memory(), House::open(None).expect("opened"));
        let grant = Grant { role: Role::Judge, name: Some("<b>Eva".into()), ..Grant::default() };
        let made = house.make(Kind::Token, grant, "Olga", None).expect("made");
        let password = "the hall closes at six";
        house.put_account("Pia", Some(password), Role::Helper, None, "Olga").expect("made");
        let html = page(&store, &house).expect("made");
        assert!(html.contains(&made.id) && html.contains("Pia") && html.contains("Olga"));
        assert!(
            !html.contains(&made.secret) && !html.contains(password) && !html.contains("<b>Eva")
        );
        // A venue's server has a token; nobody comes in as one, by a link or by name.
        let venue = "<option value=\"venue\"";
        let (before, tokens) = html.split_once("id=\"token-role\"").expect("a form");
        assert!(!before.contains(venue) && tokens.contains(venue), "{html}");
        let shown = made_page(&made, "judge", None, false).expect("made");
        assert!(shown.contains(&made.secret));
    }

    /// The helper's link was made for a tournament that was closed weeks ago: it was the first of the list.
    #[test]
    fn a_link_is_for_the_newest_tournament_that_is_open_unless_somebody_chooses() {
        use crate::pages::kit::hall;
        use scrutineer_desk::desk::Asked;
        use scrutineer_desk::orders::{self, Close, New};
        let (hall, house) = (hall(), House::open(None).expect("opened"));
        let opened = |title: &str, held_on: &str| {
            let held_on = Some(held_on.to_string());
            let new = New { title: title.into(), rules: "mtr".into(), held_on, ..New::default() };
            orders::open(&hall.asker, &hall.store, &new).expect("it opens").0
        };
        let chosen = || {
            let html = page(&hall.store, &house).expect("made");
            let form = html.split("id=\"link-for\"").nth(1).expect("a form").to_string();
            let (before, _) = form.split_once("\" selected>").expect("one is chosen");
            before.rsplit('"').next().map(str::to_string)
        };
        assert_eq!(chosen(), Some(hall.stream.to_string()), "there is no other one");
        let (autumn, winter) = (opened("Autumn", "2026-10-17"), opened("Winter", "2027-01-16"));
        assert_eq!(chosen(), Some(winter.to_string()));
        let close = Close::default().into();
        let told = orders::record(&hall.asker, &hall.store, winter, Asked::default(), &close).0;
        told.expect("closed");
        assert_eq!(chosen(), Some(autumn.to_string()));
    }

    /// A head judge opened their link on a phone, was a scorekeeper and never learned why they could not rule.
    #[test]
    fn a_link_that_makes_less_over_plain_http_says_so_where_it_is_made_and_where_it_is_opened() {
        let house = House::open(None).expect("opened");
        let grant = Grant { role: Role::HeadJudge, ..Grant::default() };
        let made = house.make(Kind::Link, grant, "Olga", None).expect("made");
        let told = |role: &str, link: &str, allows| {
            let page = made_page(&made, role, Some(link.into()), allows).expect("made");
            page.contains("makes a scorekeeper")
        };
        assert!(told("head judge", "http://192.0.2.7:7780/join/X", false));
        assert!(!told("head judge", "https://desk.example/join/X", false));
        assert!(!told("head judge", "http://192.0.2.7:7780/join/X", true));
        assert!(!told("judge", "http://192.0.2.7:7780/join/X", false));
        let door = |role, most| join_page((role, None), most, "", Language::English).expect("made");
        let html = door(Role::HeadJudge, Role::Scorekeeper);
        assert!(html.contains("comes in as: scorekeeper") && html.contains("not as head judge"));
        let html = door(Role::HeadJudge, Role::Owner);
        assert!(html.contains("comes in as: head judge") && !html.contains("not as"), "{html}");
    }
}
