//! What comes over HTTP.

use super::{Here, Limit, There, Try, outcome};
use scrutineer_server::gate::Role;
use scrutineer_server::http::HeaderMap;
use scrutineer_server::{
    asides, connection, elsewhere, guard, house, https, laptops, live, notices, once, orders_api,
    other_program, rooms, routes, second, staff_api, state, uploads, webhooks,
};

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
            "seconds for the greeting of https, with the first bytes of a request",
            connection::HEADERS_IN.as_secs(),
            "cut off",
            "tests/it/serve/https.rs",
            "for mut socket in stalled",
        ),
        there(
            "bytes of a certificate's file, and of its key's",
            https::LARGEST,
            "https-file",
            "server/src/https.rs",
            "LARGEST as usize + 1",
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
            connection::ANSWER_IN.as_secs(),
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
        there(
            "bytes of an upload",
            uploads::MOST_BYTES as u64,
            "too-large",
            "tests/it/serve/imports.rs",
            "MOST_BYTES + (1 << 20)",
        ),
        there(
            "bytes that are read and thrown away of a body that is refused",
            connection::READ_ON as u64,
            "cut off",
            HOSTILE,
            "READ_ON >> 20",
        ),
        there(
            "files of an upload",
            uploads::MOST_FILES as u64,
            "too-many",
            "tests/it/serve/imports.rs",
            "MOST_FILES + 1",
        ),
        there(
            "bytes of all uploads that are held",
            uploads::MOST_HELD as u64,
            "no-such-upload",
            "server/src/uploads.rs",
            "room for {MOST_HELD} bytes",
        ),
        there(
            "minutes that an upload is held",
            uploads::HELD_FOR.as_secs() / 60,
            "no-such-upload",
            "server/src/uploads.rs",
            "since.elapsed() < HELD_FOR",
        ),
        there(
            "refusals whose words are held for their page",
            asides::MOST.get() as u64,
            "left out",
            "server/src/asides.rs",
            "(0..MOST.get())",
        ),
        there(
            "bytes of the words of a refusal, as they stand in an address",
            asides::MOST_BYTES as u64,
            "left out",
            "server/src/asides.rs",
            "MOST_BYTES + 1",
        ),
        there(
            "minutes that the words of a refusal are held",
            asides::HOLDS.as_secs() / 60,
            "left out",
            "server/src/asides.rs",
            "since.elapsed() < HOLDS",
        ),
        there(
            "bytes of a request of somebody who is not of the staff",
            guard::BODY_OF_NOBODY as u64,
            "too-large",
            "tests/it/serve/gate.rs",
            "BODY_OF_NOBODY + 1",
        ),
        of("orders in a request", orders_api::MOST_ORDERS, "too-large", orders),
        of("characters of a key", once::MOST_KEY, "bad-request", key),
        of(
            "hours that a link or a token holds",
            staff_api::MOST_HOURS as usize,
            "bad-request",
            hours,
        ),
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
        there(
            "accounts of a store",
            house::MOST_ACCOUNTS as u64,
            "too-many",
            "server/src/house/tests.rs",
            "one_account_too_many",
        ),
        of("characters of a password", *house::LENGTH.end(), "bad-password", password),
        there(
            "wrong passwords for a name, from an address",
            house::FREE_TRIES.into(),
            "slow-down",
            "server/src/house/tests.rs",
            "0..FREE_TRIES",
        ),
        there(
            "wrong codes of links in a minute, from an address",
            house::WRONG_CODES.into(),
            "slow-down",
            "server/src/house/tests.rs",
            "0..=WRONG_CODES",
        ),
        there(
            "what a player sends in a minute: reports, calls, wishes",
            house::MOST_A_MINUTE.into(),
            "slow-down",
            "server/src/house/players.rs",
            "0..=MOST_A_MINUTE",
        ),
        there(
            "requests of a token at once",
            house::REQUESTS_AT_ONCE,
            "slow-down",
            "server/src/house/quotas.rs",
            "1..=REQUESTS_AT_ONCE",
        ),
        there(
            "requests of a token in a second, from then on",
            house::REQUESTS_A_SECOND,
            "slow-down",
            "server/src/house/quotas.rs",
            "assert_eq!(answered, REQUESTS_A_SECOND)",
        ),
        there(
            "minutes that the code for a second laptop holds",
            laptops::CODE_LASTS.as_secs() / 60,
            "second-not-known",
            "server/src/laptops/given.rs",
            "made + CODE_LASTS",
        ),
        there(
            "bytes of a message between two laptops",
            second::LARGEST as u64,
            "second-not-read",
            "server/src/second/words.rs",
            "LARGEST - 16",
        ),
        there(
            "reports and wishes of a tournament that wait at a public server",
            house::MOST_WAITING as u64,
            "too-busy",
            "server/src/house/inbox.rs",
            "0..MOST_WAITING",
        ),
        there(
            "webhooks of a store",
            house::MOST_WEBHOOKS as u64,
            "too-many",
            "server/src/house/webhooks.rs",
            "1..MOST_WEBHOOKS",
        ),
        of("bytes of the address of a webhook", webhooks::LONGEST_ADDRESS, "bad-address", address),
        there(
            "tries of a delivery",
            house::PAUSES.len() as u64 + 1,
            "paused",
            "server/src/house/webhooks.rs",
            "(8, Some(now))",
        ),
        there(
            "seconds for the answer to a delivery",
            webhooks::PATIENCE.as_secs(),
            "retried",
            "tests/it/serve/webhooks.rs",
            "did not answer within 10 seconds",
        ),
        there(
            "bytes of a phone's address for notices",
            notices::LONGEST_ADDRESS as u64,
            "bad-phone-address",
            "server/src/notices.rs",
            "repeat(LONGEST_ADDRESS)",
        ),
        there(
            "files of another program that are followed",
            other_program::MOST_FILES as u64,
            "left alone",
            "server/src/other_program.rs",
            "found.len(), MOST_FILES",
        ),
        there(
            "bytes of an answer of another server",
            elsewhere::LARGEST as u64,
            "elsewhere-not-heard",
            "server/src/elsewhere.rs",
            "LARGEST + 1",
        ),
        there(
            "milliseconds that an order waits for the second laptop",
            second::WAITED_FOR.as_millis() as u64,
            "answered",
            "tests/it/serve/second.rs",
            "costs_an_order_a_moment_once",
        ),
    ]
}

fn orders(count: usize) -> String {
    let body = format!("[{}]", vec!["{}"; count].join(","));
    outcome(orders_api::orders_of(&HeaderMap::new(), body.as_bytes()), |error| error.code)
}

fn hours(hours: usize) -> String {
    outcome(staff_api::end_of(hours as u64), |error| error.code)
}

fn address(bytes: usize) -> String {
    let begins = "http://hooks.example.org/";
    let address = format!("{begins}{}", "x".repeat(bytes - begins.len()));
    outcome(webhooks::check(&address, &[]), |error| error.code)
}

fn key(characters: usize) -> String {
    outcome(once::key_of(Some(&"k".repeat(characters))), |error| error.code)
}

fn password(characters: usize) -> String {
    let house = house::House::open(None).expect("opened");
    let password = "p".repeat(characters);
    let put = house.put_account("Eva", Some(&password), Role::Judge, None, "Olga");
    outcome(put, |error| error.code)
}
