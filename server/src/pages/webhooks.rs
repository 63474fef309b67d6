//! Webhooks: where deliveries go, how they go, and what was just made.

use super::render;
use crate::house::{Webhook, WebhookListed, secret};
use askama::Template;
use scrutineer_desk::store::{Store, titled};
use scrutineer_desk::verb_error::VerbError;

#[derive(Template)]
#[template(path = "webhooks.html")]
struct WebhooksPage<'a> {
    key: String,
    tournaments: Vec<(String, String)>,
    rows: Vec<WebhookListed>,
    /// Where deliveries may go beside public addresses.
    named: &'a [String],
    /// Whether what was just tried arrived, and else why not.
    tried: Option<(bool, String)>,
}

impl WebhooksPage<'_> {
    fn title<'a>(&'a self, id: &'a str) -> &'a str {
        self.tournaments.iter().find(|(known, _)| known == id).map_or(id, |(_, title)| title)
    }

    /// A time as it is shown.
    fn when(&self, text: &str) -> String {
        super::clock_of(text)
    }
}

/// The webhooks, with the forms that change them, and whether what was just tried arrived.
///
/// # Errors
/// Where the store cannot be read.
pub fn page(
    store: &Store,
    rows: Vec<WebhookListed>,
    named: &[String],
    tried: Option<(bool, String)>,
) -> Result<String, VerbError> {
    let tournaments = titled(store.events()?);
    render(&WebhooksPage {
        key: secret()?.chars().take(32).collect(),
        tournaments: tournaments.into_iter().map(|(id, title)| (id.to_string(), title)).collect(),
        rows,
        named,
        tried,
    })
}

#[derive(Template)]
#[template(path = "webhook_made.html")]
struct MadePage<'a> {
    made: &'a Webhook,
}

/// What was just made, with its secret, shown this once.
///
/// # Errors
/// Where the page cannot be made.
pub fn made_page(made: &Webhook) -> Result<String, VerbError> {
    render(&MadePage { made })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::house::House;

    #[test]
    fn the_owner_sees_what_does_not_arrive_and_why_and_no_secret() {
        let (store, house) = (Store::in_memory(), House::open(None).expect("opened"));
        let make = |url: &str| house.make_webhook(url, None, &[], "Olga", None).expect("made");
        let (dead, slow) = (make("http://dead.example/<b>"), make("http://slow.example/"));
        house.webhook_failed(&dead.id, "it answered 410".into(), true).expect("kept");
        house.webhook_failed(&slow.id, "it answered <500>".into(), false).expect("kept");
        let rows = || house.webhooks().into_iter().map(WebhookListed::from).collect();
        let html = page(&store, rows(), &[], None).expect("made");
        assert!(html.contains("paused</span> since") && html.contains("it answered 410"), "{html}");
        assert!(html.contains("tried again") && html.contains("&#60;500&#62;"), "{html}");
        assert!(!html.contains("<b>") && !html.contains(&dead.secret), "{html}");
        let tried = Some((false, "nobody answers there".to_string()));
        let html = page(&store, rows(), &["10.0.0.7".into()], tried).expect("made");
        assert!(html.contains("nobody answers there") && html.contains("10.0.0.7"), "{html}");
        assert!(made_page(&dead).expect("made").contains(&dead.secret));
    }
}
