//! Keys that make a repeat harmless, and what is known by them.

use crate::problem::bad_request;
use axum::http::HeaderMap;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::record::{CommandId, StreamId, to_hex};

/// How long a key is at most.
pub const MOST_KEY: usize = 64;
/// The context of a command's id.
const CONTEXT: &str = "scrutineer 2026 order v1";

/// Returns the id of the command that a principal asks for under a key.
pub fn command_id(principal: &str, stream: StreamId, key: &str) -> CommandId {
    CommandId(u128::from_le_bytes(derived(principal, &stream.0, key)))
}

/// Returns what a change of the floor is known by that a principal asks for under a key.
pub fn floor_key(principal: &str, stream: StreamId, key: &str) -> String {
    format!("{:032x}", command_id(principal, stream, &format!("floor {key}")).0)
}

/// Returns the id of the tournament that a principal opens under a key.
pub fn stream_id(principal: &str, key: &str) -> StreamId {
    StreamId(derived(principal, b"", key))
}

/// Returns what a request to make something is known by.
pub fn once_id(principal: &str, what: &str, key: &str) -> String {
    to_hex(&derived(principal, what.as_bytes(), key))
}

fn derived(principal: &str, stream: &[u8], key: &str) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new_derive_key(CONTEXT);
    for part in [principal.as_bytes(), stream, key.as_bytes()] {
        hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
    }
    let mut id = [0; 16];
    id.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    id
}

/// Reads a key; none where there is none.
///
/// # Errors
/// Where it is no key.
pub fn key_of(typed: Option<&str>) -> Result<Option<String>, VerbError> {
    let Some(key) = typed else { return Ok(None) };
    let printable = key.bytes().all(|byte| (0x20..0x7f).contains(&byte));
    if key.is_empty() || key.len() > MOST_KEY || !printable {
        return Err(bad_request("an Idempotency-Key has 1 to 64 printable characters"));
    }
    Ok(Some(key.to_string()))
}

/// Returns a header that decides what is done: sent once, as a text.
///
/// # Errors
/// Where it stands twice, or is no text: nobody can tell what is meant.
pub fn one_header<'a>(headers: &'a HeaderMap, name: &str) -> Result<Option<&'a str>, VerbError> {
    let mut all = headers.get_all(name).iter();
    match (all.next(), all.next()) {
        (None, _) => Ok(None),
        (Some(one), None) => {
            let text = one.to_str();
            text.map(Some).map_err(|_| bad_request(format!("the header {name} is no plain text")))
        }
        (Some(_), Some(_)) => Err(bad_request(format!("the header {name} stands twice"))),
    }
}

/// Returns a header that is a text.
pub fn header_of<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}
