//! What comes over HTTP: orders, forms, headers.

use scrutineer_desk::asker::Asker;
use scrutineer_desk::desk::Asked;
use scrutineer_desk::looking::tried;
use scrutineer_desk::orders::{self, Enroll, New, Order, Pair, Person, Publish};
use scrutineer_desk::store::Store;
use scrutineer_engine::record::StreamId;
use scrutineer_server::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, header};
use scrutineer_server::{fields, kept, live_api, once, orders_api, request_log, rooms, seen, who};
use std::sync::LazyLock;

/// A tournament of four in round 1.
static HALL: LazyLock<(Store, StreamId, Asker)> = LazyLock::new(|| {
    let (store, asker) = (Store::in_memory(), Asker::default());
    let new = New { title: "Friday".into(), rules: "mtr".into(), ..New::default() };
    let (stream, _) = orders::open(&asker, &store, &new).expect("opened");
    let people =
        ["Ann", "Bob", "Cid", "Dee"].map(|name| Person { name: name.into(), ..Person::default() });
    let enroll = Enroll { people: people.into(), ..Enroll::default() };
    for order in [enroll.into(), Pair::default().into(), Publish {}.into()] {
        orders::record(&asker, &store, stream, Asked::default(), &order).0.expect("recorded");
    }
    (store, stream, asker)
});

/// An order is written as it was read, and whatever it would do is tried and not recorded.
fn attempted(order: Order) {
    let written = serde_json::to_value(&order).expect("written");
    let again: Order = serde_json::from_value(written).expect("it was written by us");
    assert_eq!(again, order);
    let (store, stream, asker) = &*HALL;
    let before = store.log().head(*stream).expect("read").seq;
    let _ = tried(asker, store, *stream, None, &[order]);
    assert_eq!(store.log().head(*stream).expect("read").seq, before, "something was recorded");
}

/// The orders of a body: one, an array, or one a line.
pub fn order(bytes: &[u8]) {
    for kind in ["application/json", "application/x-ndjson"] {
        let headers =
            HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static(kind))]);
        let Ok((values, _)) = orders_api::orders_of(&headers, bytes) else { continue };
        assert!(values.len() <= orders_api::MOST_ORDERS);
        // A long list is the same many times.
        values
            .into_iter()
            .take(8)
            .filter_map(|value| orders_api::order_of(value).ok())
            .for_each(attempted);
    }
}

/// The order of a form, and the tournament that one opens.
pub fn form(bytes: &[u8]) {
    let Ok(fields) = serde_urlencoded::from_bytes::<Vec<(String, String)>>(bytes) else { return };
    let _ = fields::new(&fields);
    if let Ok(order) = fields::order(&fields) {
        attempted(order);
    }
}

/// A line for each header that is read, and one for the path.
pub fn headers(bytes: &[u8]) {
    let _ = rooms::room_of(bytes);
    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let text = |at: usize| lines.get(at).and_then(|line| std::str::from_utf8(line).ok());
    if let Ok(Some(after)) = live_api::after_of(lines.first().copied(), text(1)) {
        let said = lines.first().filter(|line| !line.is_empty()).copied();
        let said = said.or(lines.get(1).copied()).expect("one of them");
        let zeros = said.iter().take_while(|byte| **byte == b'0').count();
        assert_eq!(after.to_string().as_bytes(), if after == 0 { b"0" } else { &said[zeros..] });
    }
    if let Ok(Some(key)) = once::key_of(text(4)) {
        assert!((1..=64).contains(&key.len()));
    }
    let names =
        [header::AUTHORIZATION, header::COOKIE, header::IF_NONE_MATCH, header::ACCEPT_ENCODING];
    let names =
        names.into_iter().chain([header::ACCEPT_LANGUAGE, HeaderName::from_static("if-match")]);
    let values = names.zip(lines.iter().skip(2));
    let read = values.filter_map(|(name, line)| Some((name, HeaderValue::from_bytes(line).ok()?)));
    let headers: HeaderMap = read.collect();
    let _ = who::sessions_in(&headers).count();
    let _ = kept::has_tag(&headers, b"\"a\"");
    if let Some(seen) = text(5) {
        let _ = seen::tag_seq(seen);
    }
    if let Some(uri) = lines.first().and_then(|line| Uri::try_from(*line).ok()) {
        let alone = HeaderMap::new();
        if let Some(key) = kept::key_of(&Method::GET, &uri, &alone) {
            assert!(key.len() <= 600);
        }
        let _ = kept::name_in(uri.path()).map(kept::decoded);
        let _ = request_log::tournament_in(uri.path());
    }
}
