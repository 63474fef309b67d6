//! The owner's page of the webhooks, and what is posted there.

use super::api::{WantedWebhook, make, pause, remove, try_one};
use super::named;
use crate::gate::Need;
use crate::house::WebhookListed;
use crate::once::key_of;
use crate::pages::webhooks;
use crate::posted::{Posted, field, fields_of, see};
use crate::problem::{Refusal, bad_request};
use crate::staff_pages::shown;
use crate::state::State;
use crate::who::Who;
use axum::extract::State as Shared;
use axum::response::{Html, IntoResponse, Response};
use std::sync::Arc;

async fn shown_page(state: &Arc<State>, said: Option<(bool, String)>) -> Result<Response, Refusal> {
    let rows = state.house.webhooks().into_iter().map(WebhookListed::from).collect();
    let named = named(state).to_vec();
    let page = state.read(move |store| webhooks::page(store, rows, &named, said)).await?;
    Ok(Html(page).into_response())
}

/// The webhooks, with the forms that change them.
pub async fn page(Shared(state): Shared<Arc<State>>, who: Who) -> Response {
    let made = async {
        who.check(Need::Owner)?;
        shown_page(&state, None).await
    };
    shown(made.await)
}

/// Makes a webhook, and shows its secret this once.
pub async fn new_form(Shared(state): Shared<Arc<State>>, who: Who, posted: Posted) -> Response {
    let made = async {
        who.check(Need::Owner)?;
        let fields = fields_of(posted)?;
        let text = |name: &str| field(&fields, name).map(str::to_string);
        let wanted =
            WantedWebhook { url: text("url").unwrap_or_default(), tournament: text("tournament") };
        let made = make(&state, &who, wanted, key_of(field(&fields, "key"))?).await?;
        Ok(Html(webhooks::made_page(&made)?).into_response())
    };
    shown(made.await)
}

/// Tries a webhook, pauses it, lets it go on, or removes it.
pub async fn act(Shared(state): Shared<Arc<State>>, who: Who, posted: Posted) -> Response {
    let done = async {
        who.check(Need::Owner)?;
        let fields = fields_of(posted)?;
        let id = field(&fields, "id").unwrap_or_default().to_string();
        match field(&fields, "do").unwrap_or_default() {
            "try" => {
                let tried = try_one(&state, &who, &id).await?;
                let said = tried.trouble.unwrap_or_default();
                return shown_page(&state, Some((tried.delivered, said))).await;
            }
            "pause" => drop(pause(&state, &who, id, true).await?),
            "go-on" => drop(pause(&state, &who, id, false).await?),
            "remove" => remove(&state, &who, id).await?,
            _ => return Err(bad_request("it is `try`, `pause`, `go-on` or `remove`").into()),
        }
        Ok(see("/webhooks".to_string()))
    };
    shown(done.await)
}
