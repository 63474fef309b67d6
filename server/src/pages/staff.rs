//! Who may do what, what was just made, and the page to sign in.

use super::code::{Svg, code};
use super::render;
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
    tournaments: Vec<(String, String)>,
    roles: Vec<(String, &'static str)>,
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
    let tournaments = titled(store.events()?);
    let given = Role::ALL.into_iter().rev().filter(|role| *role != Role::Public);
    let list = |kind: Kind, title, about| {
        let rows = house.listed(kind);
        List { word: kind.word(), title, about, rows }
    };
    render(&StaffPage {
        key: secret()?.chars().take(32).collect(),
        tournaments: tournaments.into_iter().map(|(id, title)| (id.to_string(), title)).collect(),
        roles: given.map(|role| (role.word().replace(' ', "-"), role.word())).collect(),
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
pub fn made_page(made: &Made, role: &str, link: Option<String>) -> Result<String, VerbError> {
    render(&MadePage {
        is_link: link.is_some(),
        is_near: link.as_deref().is_some_and(leads_nowhere_else),
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
    back: &'a str,
}

/// The page that asks who comes by a link.
///
/// # Errors
/// Where the page cannot be made.
pub fn join_page(role: Role, back: &str, language: Language) -> Result<String, VerbError> {
    let role = language.a("come-in-as", "role", language.word("role", role.word()));
    render(&JoinPage { w: language, role, back })
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
        let shown = made_page(&made, "judge", None).expect("made");
        assert!(shown.contains(&made.secret));
    }
}
