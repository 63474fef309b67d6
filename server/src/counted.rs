//! What the server counts of itself, as Prometheus reads it.

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::{ConstCounter, Counter};
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A request by its route and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    route: String,
    status: u16,
}

/// An order by its verb, and the code where it was refused.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Given {
    verb: &'static str,
    code: &'static str,
}

/// By verb alone.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByVerb {
    verb: &'static str,
}

/// A delivery by what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Sent {
    outcome: &'static str,
}

/// A stream by how it began or how it ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct How {
    how: &'static str,
}

type Times = Family<ByVerb, Histogram, fn() -> Histogram>;

/// A number with its name and what it is.
pub type Named<T> = (&'static str, &'static str, T);

/// What is counted while it happens.
pub struct Counted {
    is_visited: AtomicBool,
    requests: Family<Answered, Counter>,
    orders: Family<Given, Counter>,
    times: Times,
    answers: Histogram,
    deliveries: Family<Sent, Counter>,
    streams_begun: Family<How, Counter>,
    streams_ended: Family<How, Counter>,
}

/// From half a millisecond to 16 seconds.
fn times() -> Histogram {
    Histogram::new(exponential_buckets(0.000_5, 2.0, 16))
}

impl Default for Counted {
    fn default() -> Counted {
        Counted {
            is_visited: AtomicBool::new(false),
            requests: Family::default(),
            orders: Family::default(),
            times: Times::new_with_constructor(times),
            answers: times(),
            deliveries: Family::default(),
            streams_begun: Family::default(),
            streams_ended: Family::default(),
        }
    }
}

impl Counted {
    /// Counts a request.
    pub fn request(&self, route: &str, status: u16, took: Duration) {
        self.requests.get_or_create(&Answered { route: route.to_string(), status }).inc();
        self.answers.observe(took.as_secs_f64());
        self.is_visited.store(true, Ordering::Relaxed);
    }

    /// Whether anybody has asked for anything yet.
    pub fn is_visited(&self) -> bool {
        self.is_visited.load(Ordering::Relaxed)
    }

    /// Counts an order, with the code of its refusal or none.
    pub fn order(&self, verb: &'static str, code: Option<&'static str>, took: Duration) {
        self.orders.get_or_create(&Given { verb, code: code.unwrap_or("") }).inc();
        self.times.get_or_create(&ByVerb { verb }).observe(took.as_secs_f64());
    }

    /// Counts a delivery of a webhook.
    pub fn delivery(&self, arrived: bool) {
        let outcome = if arrived { "arrived" } else { "failed" };
        self.deliveries.get_or_create(&Sent { outcome }).inc();
    }

    /// Counts a stream that begins: `new`, or `resumed` where another one broke off.
    pub fn stream_begins(&self, how: &'static str) {
        self.streams_begun.get_or_create(&How { how }).inc();
    }

    /// Counts a stream that ends: `bye`, as the server said so; `behind`, as more was missed than is told; `dropped`,
    /// as whoever watched left or took nothing.
    pub fn stream_ends(&self, how: &'static str) {
        self.streams_ended.get_or_create(&How { how }).inc();
    }

    /// Returns everything as Prometheus reads it, with what stands now and what was counted elsewhere: each
    /// with its name and what it is.
    pub fn written(&self, now: &[Named<usize>], counted: &[Named<u64>]) -> String {
        let mut all = Registry::with_prefix("scrutineer");
        let Counted { requests, orders, times, answers, deliveries, .. } = self;
        let Counted { streams_begun, streams_ended, .. } = self;
        all.register("requests", "answered requests by route and status", requests.clone());
        all.register("request_seconds", "from a request to its answer", answers.clone());
        all.register("orders", "orders by verb, and the code of their refusal", orders.clone());
        all.register("deliveries", "deliveries of webhooks by outcome", deliveries.clone());
        all.register("streams_begun", "streams that began, new or resumed", streams_begun.clone());
        all.register("streams_ended", "streams that ended, by how", streams_ended.clone());
        all.register("order_seconds", "from an order's turn to its answer", times.clone());
        for (name, help, value) in now {
            all.register(*name, *help, ConstGauge::new(i64::try_from(*value).unwrap_or(i64::MAX)));
        }
        for (name, help, value) in counted {
            all.register(*name, *help, ConstCounter::new(*value));
        }
        let mut text = String::new();
        // A text takes whatever is written into it.
        let _ = encode(&mut text, &all);
        text
    }
}
