//! Writers that are faster than sled.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use scrutineer_store::{EmbeddedLog, Options};

use crate::kit::{Folder, append, codes, everything, open, options, read, stream};

const WRITERS: u8 = 4;

/// Bytes of a command here, with room.
const COMMAND: u64 = 300_000;

/// However fast commands come, sled is never further behind than it may be and what was written at
/// once.
#[test]
fn writers_wait_for_a_sled_that_is_behind() {
    let folder = Folder::new();
    let most_behind_bytes = 2 * COMMAND;
    let sealed_never = Options::default().journal_segment_bytes;
    let tight = Options { most_behind_bytes, journal_segment_bytes: sealed_never, ..options() };
    let log = EmbeddedLog::open(&folder.0, tight).unwrap();
    let done = AtomicBool::new(false);
    let furthest = std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let mut furthest = 0;
            while !done.load(Ordering::Relaxed) {
                furthest = furthest.max(log.stats().bytes_behind);
                std::thread::sleep(Duration::from_micros(200));
            }
            furthest
        });
        let log = &log;
        let writer = |number| {
            move || {
                for id in 0..20 {
                    append(log, stream(number), id, 1_000, 100);
                }
            }
        };
        let writers: Vec<_> = (1..=WRITERS).map(|number| scope.spawn(writer(number))).collect();
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        done.store(true, Ordering::Relaxed);
        watcher.join().unwrap()
    });
    let together = u64::from(WRITERS) * COMMAND;
    assert!(furthest > COMMAND, "sled was never behind: {furthest}");
    assert!(furthest <= most_behind_bytes + together, "{furthest} bytes behind");
    assert_eq!(codes(&log), [""; 0]);
    log.close().unwrap();
    let log = open(&folder);
    for number in 1..=WRITERS {
        assert_eq!(read(&log, stream(number), 0).len(), 20_000);
    }
}

/// A sled that counts as stuck is given up, and whoever waits for it goes on.
#[test]
fn writers_do_not_wait_for_a_sled_that_is_stuck() {
    let folder = Folder::new();
    let harsh = Options { most_behind_bytes: 0, step_deadline: Duration::ZERO, ..options() };
    let log = EmbeddedLog::open(&folder.0, harsh).unwrap();
    let given_up = || {
        let told = codes(&log);
        told.contains(&"sled-rebuilt") || told.contains(&"sled-unavailable")
    };
    // Where a sled has caught up before anybody looks, it is not seen to be stuck: a busy machine does that.
    let mut commands = 0;
    while commands < 40 || !given_up() {
        assert!(commands < 4_000, "sled was never given up: {:?}", codes(&log));
        append(&log, stream(1), commands, 20, 100);
        commands += 1;
    }
    let all = everything(&log);
    assert_eq!(all[0].1.len(), commands as usize * 20);
    let _ = log.close();
    assert_eq!(everything(&open(&folder)), all);
}
