//! The stores that are enrolled at this server, a link for one more, and what such a link leads to.

use super::{clock_of, render};
use crate::enrolled::{StoreLinkMade, Stores};
use crate::gate::Role;
use crate::house::secret;
use crate::query::encoded;
use askama::Template;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;

#[derive(Template)]
#[template(path = "stores.html")]
struct StoresPage {
    all: Stores,
    key: String,
}

impl StoresPage {
    fn when(&self, text: &str) -> String {
        clock_of(text)
    }

    /// Whether a tournament of a store was rewritten.
    fn is_rewritten(&self) -> bool {
        self.all.stores.iter().any(|one| one.forked > 0)
    }

    /// The digits by which a tournament is named.
    fn short<'t>(&self, id: &'t str) -> &'t str {
        id.get(..8).unwrap_or(id)
    }
}

/// The stores that are enrolled here.
///
/// # Errors
/// Where the page cannot be made.
pub fn page(all: Stores) -> Result<String, VerbError> {
    render(&StoresPage { all, key: secret()?.chars().take(32).collect() })
}

#[derive(Template)]
#[template(path = "store_link.html")]
struct MadePage<'a> {
    link: &'a str,
    id: &'a str,
    name: &'a str,
}

/// A link that was just made, shown this once.
///
/// # Errors
/// Where the page cannot be made.
pub fn made_page(made: &StoreLinkMade, name: &str) -> Result<String, VerbError> {
    render(&MadePage { link: &made.link, id: &made.id, name })
}

#[derive(Template)]
#[template(path = "enroll.html")]
struct LandingPage<'a> {
    link: &'a str,
    name: &'a str,
    /// The page of the desk on the machine of whoever opened the link.
    here: String,
}

/// What a link leads to in a browser.
///
/// # Errors
/// Where it is a link for somebody else.
pub fn landing_page(link: &str, name: &str, role: Role) -> Result<String, VerbError> {
    if role != Role::Venue {
        let hint = "open it under /join/ in place of /enroll/";
        let message = "this link enrolls no store";
        return Err(VerbError::new(Code::refused("link-of-another-kind"), message, hint));
    }
    let here = format!("http://127.0.0.1:7780/publisher?link={}", encoded(link));
    render(&LandingPage { link, name, here })
}
