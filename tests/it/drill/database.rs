//! The same halls with everything in a PostgreSQL database, whose line to the node is cut in the middle
//! of requests and of answers.

use super::flaky::Flaky;
use super::line::Database;
use super::{Counts, play, rules, seeds, tell};
use crate::cli::on_postgres::server::Server;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How long tournaments are begun at one server: it ends by itself after five minutes.
const OF_ONE_SERVER: Duration = Duration::from_secs(120);

/// So many seeds are worth a worker of their own, who mostly waits for answers.
const OF_ONE_WORKER: u64 = 8;
const MOST_WORKERS: u64 = 8;

#[test]
fn every_desk_is_answered_truly_where_the_line_to_the_database_is_cut() {
    let seeds = seeds(16);
    let next = AtomicU64::new(seeds.start);
    let workers = ((seeds.end - seeds.start) / OF_ONE_WORKER).clamp(1, MOST_WORKERS);
    let drilled: Vec<Option<Counts>> = std::thread::scope(|scope| {
        let work = || work(&next, seeds.end);
        let at_work: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let ended = at_work.into_iter().map(|worker| worker.join());
        ended.map(|ended| ended.unwrap_or_else(|found| resume_unwind(found))).collect()
    });
    let mut counts = Counts::new();
    for drilled in drilled {
        let Some(drilled) = drilled else { return };
        drilled.into_iter().for_each(|(what, count)| *counts.entry(what).or_default() += count);
    }
    tell(&counts, &seeds, &EXPECTED);
}

/// Plays one seed after the other; none where there is no PostgreSQL.
fn work(next: &AtomicU64, end: u64) -> Option<Counts> {
    let (rules, mut counts) = (rules(), Counts::new());
    loop {
        let server = Server::start()?;
        server.database("drill");
        let since = Instant::now();
        while since.elapsed() < OF_ONE_SERVER {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= end {
                return Some(counts);
            }
            let store = Flaky::in_database(Database::on(&server, "drill"));
            play(seed, &store, &rules, &mut counts);
        }
    }
}

/// What a drill on a database would be worth little without.
const EXPECTED: [&str; 5] = [
    "line cut in a request, asked again; line cut in an answer, asked again",
    "line cut in a request, given up; line cut in an answer, given up",
    "refused: outcome-unknown; refused: waiting-for-database; somebody else in between",
    "duplicate; sent again without an answer; sent twice at once; crash between append and answer",
    "answered: new; answered: repeated; tournaments closed; match points compared",
];
