//! Webhooks: an address that is told what happens, by signed deliveries (Standard Webhooks). It is told what
//! everybody may know, each event once or again under the same id, in the order of its tournament.

mod api;
mod attend;
mod delivery;
mod forms;

use crate::state::State;

pub use crate::connected::{LONGEST_ADDRESS, check};
pub use api::{
    Paused, Tried, WantedWebhook, WebhookMade, Webhooks, change, end, list, new, try_now,
};
pub use attend::run;
pub use delivery::{PATIENCE, signature};
pub use forms::{act, new_form, page};

/// Where deliveries may go beside public addresses.
fn named(state: &State) -> &[String] {
    state.setup.webhooks_to.as_deref().unwrap_or_default()
}
