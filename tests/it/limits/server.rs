//! What comes over HTTP.

use super::{Here, Limit, There, Try, outcome};
use scrutineer_server::http::HeaderMap;
use scrutineer_server::{connection, live, orders_api, rooms, routes, serve, state};

/// Where each of them is tried with a server that runs.
const HOSTILE: &str = "tests/it/serve/hostile.rs";

pub fn limits() -> Vec<Limit> {
    let of = |what, limit: usize, code, tried: Try| Limit(what, limit as u64, code, Here(tried));
    let there = |what, limit: u64, code, file, words| Limit(what, limit, code, There(file, words));
    let rooms = "server/src/rooms.rs";
    vec![
        there(
            "connections at the desk",
            rooms::AT_THE_DESK as u64,
            "too-busy",
            rooms,
            "(FROM_ONE, FROM_ONE)",
        ),
        there(
            "connections in the gallery",
            rooms::IN_THE_GALLERY as u64,
            "too-busy",
            rooms,
            "all_places_are_taken",
        ),
        there(
            "connections of one address",
            rooms::FROM_ONE as u64,
            "too-busy",
            rooms,
            "places.take(one).is_none()",
        ),
        there(
            "bytes of a request's head",
            connection::BUFFER as u64,
            "431",
            HOSTILE,
            "large headers",
        ),
        there(
            "seconds for a request's head",
            connection::HEADERS_IN.as_secs(),
            "cut off",
            HOSTILE,
            "letter by letter",
        ),
        there(
            "seconds for a request",
            serve::ANSWER_IN.as_secs(),
            "outcome-unknown",
            HOSTILE,
            "HTTP/1.1 504",
        ),
        there(
            "seconds without taking any of an answer",
            connection::TAKEN_IN.as_secs(),
            "cut off",
            "server/src/connection.rs",
            "who_takes_nothing_is_cut_off",
        ),
        there("bytes of a body", routes::BODY as u64, "too-large", HOSTILE, "two gigabytes"),
        there(
            "bytes of a body with a list",
            routes::LIST_BODY as u64,
            "too-large",
            "tests/it/serve/gate.rs",
            "20 << 20",
        ),
        of("orders in a request", orders_api::MOST_ORDERS, "too-large", orders),
        of("characters of a key", orders_api::MOST_KEY, "bad-request", key),
        there(
            "orders of a tournament that wait",
            state::QUEUE as u64,
            "too-busy",
            "server/src/state_tests.rs",
            "QUEUE + 1",
        ),
        there(
            "seconds that an order waits",
            state::PATIENCE.as_secs(),
            "too-busy",
            "server/src/state_tests.rs",
            "PATIENCE * 2",
        ),
        there(
            "events back at which a stream goes on",
            live::RING,
            "behind",
            "server/src/live_tests.rs",
            "RING + 1",
        ),
    ]
}

fn orders(count: usize) -> String {
    let body = format!("[{}]", vec!["{}"; count].join(","));
    outcome(orders_api::orders_of(&HeaderMap::new(), body.as_bytes()), |error| error.code)
}

fn key(characters: usize) -> String {
    outcome(orders_api::key_of(Some(&"k".repeat(characters))), |error| error.code)
}
