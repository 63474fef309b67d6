//! What stands in a path or in the query of an address.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::de::{Deserialize, Deserializer, Error};

const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Returns a text as it stands in a path or a query.
pub fn encoded(text: &str) -> String {
    utf8_percent_encode(text, PLAIN).to_string()
}

/// Reads whether something is asked for: a parameter that stands alone, as `?dry-run` does, says yes.
///
/// # Errors
/// Where what it says is neither yes nor no.
pub fn flag<'de, D: Deserializer<'de>>(from: D) -> Result<bool, D::Error> {
    match &String::deserialize(from)?[..] {
        "" | "true" => Ok(true),
        "false" => Ok(false),
        other => Err(D::Error::custom(format!("{other:?} is neither `true` nor `false`"))),
    }
}
