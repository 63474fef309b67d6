//! Who reads a page: in which language, and by which address others find it.

use crate::addresses::{bare, host_of};
use crate::gate::{Need, Role};
use crate::holder::device_in;
use crate::language::Language;
use crate::state::State;
use axum::extract::FromRequestParts;
use axum::http::header::ACCEPT_LANGUAGE;
use axum::http::request::Parts;
use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;

/// Who reads a page.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    /// The language that stands in the query.
    asked: Option<Language>,
    /// The language of a page that is for everybody.
    language: Language,
    /// Where others find this server, such as `http://192.0.2.7:7780`.
    pub origin: String,
    /// The secret of a player's device, where it is one.
    device: Option<String>,
}

impl Reader {
    /// Returns the language of a page that is for everybody; whatever keeps pages keeps one for each.
    pub fn of(query: Option<&str>, accepted: Option<&str>, origin: String) -> Reader {
        let fields = query.unwrap_or_default().split('&');
        let asked = fields.filter_map(|field| field.strip_prefix("lang=")).next_back();
        let asked = asked.and_then(Language::of_tag);
        let language = asked.unwrap_or_else(|| Language::accepted(accepted.unwrap_or_default()));
        Reader { asked, language, origin, device: None }
    }

    /// Returns the language of a page for a role. Pages of the staff are English, so theirs are as long
    /// as they ask for nothing else.
    pub fn language(&self, role: Role) -> Language {
        match self.asked {
            None if Need::Staff.admits(role) => Language::English,
            _ => self.language,
        }
    }

    /// Returns the secret of a player's device; none: it is no player's.
    pub fn device(&self) -> Option<&str> {
        self.device.as_deref()
    }

    /// Returns the language that stands in the query, which links take along.
    pub fn asked(&self) -> Option<Language> {
        self.asked
    }
}

/// The address at which others find this server. Whoever sits at it came by one that leads nowhere
/// from elsewhere.
fn origin(parts: &Parts, state: &State) -> String {
    let host = host_of(&parts.headers, &parts.uri).unwrap_or_default();
    let name = bare(host);
    let is_here = name == "localhost" || name.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
    match state.origin().filter(|_| is_here) {
        Some(origin) => origin,
        None => {
            let secure = parts.headers.get("x-forwarded-proto").is_some_and(|p| p == "https");
            format!("http{}://{host}", if secure { "s" } else { "" })
        }
    }
}

impl FromRequestParts<Arc<State>> for Reader {
    type Rejection = Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &Arc<State>,
    ) -> Result<Reader, Infallible> {
        let accepted = parts.headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        let device = device_in(&parts.headers).map(str::to_string);
        Ok(Reader { device, ..Reader::of(parts.uri.query(), accepted, origin(parts, state)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(query: &str, accepted: &str) -> Reader {
        Reader::of(Some(query), Some(accepted), String::new())
    }

    #[test]
    fn the_query_goes_before_what_the_browser_likes_and_staff_reads_english() {
        let german = reader("", "fr, de-AT;q=0.8, en;q=0.5");
        assert_eq!(german.language(Role::Public), Language::German);
        assert_eq!(german.language(Role::Owner), Language::English);
        assert_eq!(reader("a=1&lang=en", "de").language(Role::Public), Language::English);
        assert_eq!(reader("lang=de", "en").language(Role::Owner), Language::German);
        assert_eq!(reader("lang=tlh", "de").language(Role::Public), Language::German);
        assert_eq!(reader("", "*").language(Role::Public), Language::English);
        assert_eq!(reader("", "de;q=0, en;q=0.1").language(Role::Public), Language::English);
    }
}
