//! Notices to players' phones while their page is closed (web push): that a round is out and where they sit, and
//! that a dispute of theirs is decided. Each is encrypted for its phone.

mod attend;
mod sealed;

use crate::connected::check_any_length;
use crate::gate::Role;
use crate::holder::{Holder, device_in};
use crate::house::{PhoneAddress, device_hash};
use crate::orders_api::find;
use crate::posted::{Posted, field, fields_of};
use crate::problem::{Refusal, bad_request};
use crate::reader::Reader;
use crate::state::State;
use axum::Json;
use axum::extract::{Path, State as Shared};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use scrutineer_desk::store::StoreError;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use std::sync::Arc;

pub use attend::run;
pub use sealed::{LONGEST, sealed};

/// The longest address at a service, in bytes.
pub const LONGEST_ADDRESS: usize = 1_000;

fn bad_address(why: &str) -> VerbError {
    let hint = "the page sends what the browser gave it";
    let message = format!("this is no address of a phone: {why}");
    VerbError::new(Code::invalid("bad-phone-address"), message, hint)
}

/// Reads an address that a phone gives.
fn read(field: impl Fn(&str) -> String, named: &[String]) -> Result<PhoneAddress, VerbError> {
    let (endpoint, key, secret) = (field("endpoint"), field("p256dh"), field("auth"));
    if endpoint.len() > LONGEST_ADDRESS {
        return Err(bad_address(&format!("it is longer than {LONGEST_ADDRESS} bytes")));
    }
    if !endpoint.starts_with("https://") {
        return Err(bad_address("it does not begin with https://"));
    }
    check_any_length(&endpoint, named)?;
    for (text, length, what) in [(&key, sealed::KEY, "p256dh"), (&secret, sealed::SECRET, "auth")] {
        let bytes = URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).unwrap_or_default();
        if bytes.len() != length {
            return Err(bad_address(&format!("`{what}` has {length} bytes in base64url")));
        }
    }
    Ok(PhoneAddress { endpoint, key, secret, ..PhoneAddress::default() })
}

/// Begins or ends to tell a player's phone.
///
/// # Errors
/// Where it is not theirs, or what it gives is no address.
pub async fn post(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    reader: Reader,
    headers: HeaderMap,
    posted: Posted,
) -> Result<Response, Refusal> {
    let stream = state.read(move |store| find(store, &id)).await?;
    let known = device_in(&headers).map(device_hash);
    let fields = match known.is_some() {
        true => fields_of(posted)?,
        false => Vec::new(),
    };
    let player = field(&fields, "player").map(|number| number.parse());
    let player = player.transpose().map_err(|_| bad_request("`player` is a number"))?;
    let holder = Holder::of(&state, stream, &headers, player)?;
    let word = field(&fields, "do").unwrap_or_default();
    let is = match word {
        "tell" => {
            state.house.count_of_player(stream, holder.player)?;
            let text = |name: &str| field(&fields, name).unwrap_or_default().to_string();
            let named = state.setup.webhooks_to.as_deref().unwrap_or_default();
            let address = PhoneAddress {
                language: reader.language(Role::Public).tag().to_string(),
                origin: reader.origin.clone(),
                device: known.unwrap_or_default(),
                ..read(text, named)?
            };
            let shared = Arc::clone(&state);
            let kept = state.read(move |store| {
                let head = store.log().head(stream).map_err(StoreError::from)?.seq;
                shared.house.tell_phone(stream, holder.player, address, head)
            });
            kept.await?;
            "told"
        }
        "end" => {
            let player = holder.player;
            state.beside(move |state| state.house.end_telling(stream, player)).await?;
            "not-told"
        }
        _ => return Err(bad_request("`do` is tell or end").into()),
    };
    Ok(Json(serde_json::json!({ "is": is })).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_phone_gives_is_an_address_of_https_that_is_public_with_a_key_and_a_secret() {
        let code = |endpoint: &str, key: usize, secret: usize| {
            let field = |name: &str| match name {
                "endpoint" => endpoint.to_string(),
                "p256dh" => URL_SAFE_NO_PAD.encode(vec![4; key]),
                _ => URL_SAFE_NO_PAD.encode(vec![4; secret]),
            };
            read(field, &[]).map_or_else(|error| error.code.word, |_| "ok")
        };
        let good = "https://push.example.org/send/1";
        assert_eq!(code(good, 65, 16), "ok");
        let long = format!("{good}{}", "x".repeat(LONGEST_ADDRESS));
        for (endpoint, key, secret) in [
            ("http://push.example.org/send/1", 65, 16),
            (&long[..], 65, 16),
            (good, 64, 16),
            (good, 65, 0),
            ("", 65, 16),
        ] {
            assert_eq!(code(endpoint, key, secret), "bad-phone-address", "{endpoint}");
        }
        for near in ["https://127.0.0.1/", "https://localhost/", "https://10.0.0.8:8443/x"] {
            assert_eq!(code(near, 65, 16), "address-not-public", "{near}");
        }
    }
}
