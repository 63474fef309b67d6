//! Tournaments and exact values in JSON.

use num_rational::BigRational;
use scrutineer_engine::record::StreamId;
use scrutineer_replay::loaded::LoadedTournament;
use serde_json::{Value, json};

/// Which tournament an answer is about, in every answer: its id and its title.
pub fn tournament(stream: StreamId, title: &str) -> Value {
    json!({ "id": stream.to_string(), "title": title })
}

/// As [`tournament`], of one that was loaded.
pub fn loaded(event: &LoadedTournament) -> Value {
    tournament(event.stream, &event.title())
}

/// As [`tournament`], where only the id is known.
pub fn untitled(stream: StreamId) -> Value {
    json!({ "id": stream.to_string(), "title": null })
}

/// A value as `{"num","den","text"}`; whole numbers that JSON cannot hold exactly are texts.
pub fn exact(value: &BigRational, text: &str) -> Value {
    // A single dash says that there is no value: a champion was knocked out in no round.
    if text == "-" {
        return json!({ "num": null, "den": null, "text": text });
    }
    json!({ "num": whole(value.numer()), "den": whole(value.denom()), "text": text })
}

/// Integers up to 2^53 are numbers in every reader; larger ones are texts.
fn whole(value: &num_bigint::BigInt) -> Value {
    const EXACT: i64 = 1 << 53;
    match i64::try_from(value) {
        Ok(small) if small.abs() <= EXACT => json!(small),
        _ => json!(value.to_string()),
    }
}
