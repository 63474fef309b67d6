//! Tournaments in JSON.

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
