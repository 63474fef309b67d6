//! One line a request: what was asked for, what came of it, how long it took; and one for each tournament of
//! which a fork is seen. Nothing of it says who somebody is or what they sent: no name, no body, no token, no link.

use scrutineer_engine::log::Ends;
use scrutineer_engine::record::{StreamId, to_hex};
use serde::Serialize;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::{SystemTime, UNIX_EPOCH};

/// How many lines wait to be written; where nobody takes them, the next ones are left out.
const WAITING: usize = 4_096;

/// A line.
#[derive(Clone, Debug, Serialize)]
pub struct Line<'a> {
    /// When it was answered, in milliseconds since 1970.
    pub time: u64,
    /// Its number since the server started.
    pub id: u64,
    /// The method.
    pub method: &'a str,
    /// The path as the table of routes has it.
    pub route: &'a str,
    /// What came of it.
    pub status: u16,
    /// How long it took, in milliseconds.
    pub ms: f64,
    /// Who asked: `nobody`, `session`, `token` or `local`; `unknown` with a token that does not hold.
    pub who: &'a str,
    /// In which role.
    pub role: &'a str,
    /// The tournament's id, where the path has it.
    pub tournament: Option<&'a str>,
}

/// A line of a tournament whose database is not the one that was seen.
#[derive(Clone, Debug, Serialize)]
struct ForkLine {
    /// When it was found, in milliseconds since 1970.
    time: u64,
    /// The code of it.
    event: &'static str,
    /// The tournament's id.
    tournament: String,
    /// The last event that this server had seen, and its hash.
    seen: u64,
    seen_hash: String,
    /// The one that the database has there or ends with, and its hash; 0: none.
    found: u64,
    found_hash: String,
}

/// Where the lines go.
pub struct RequestLog {
    lines: SyncSender<String>,
    next: AtomicU64,
}

impl RequestLog {
    /// A log whose lines a thread of its own writes.
    pub fn to(mut out: impl Write + Send + 'static) -> RequestLog {
        let (lines, come) = sync_channel::<String>(WAITING);
        std::thread::spawn(move || {
            for line in come {
                // Nobody reads them: then there are none.
                let _ = out.write_all(line.as_bytes());
            }
        });
        RequestLog { lines, next: AtomicU64::new(1) }
    }

    /// The number of the next request.
    pub fn number(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    /// Writes the line of a request.
    pub fn write(&self, line: &Line<'_>) {
        self.write_line(line);
    }

    /// Writes that a tournament's database is not the one that was seen.
    pub(crate) fn write_fork(&self, stream: StreamId, Ends { seen, found }: Ends) {
        self.write_line(&ForkLine {
            time: now(),
            event: "database-forked",
            tournament: stream.to_string(),
            seen: seen.seq,
            seen_hash: to_hex(&seen.hash.0),
            found: found.seq,
            found_hash: to_hex(&found.hash.0),
        });
    }

    /// Writes a line; nobody waits for that.
    fn write_line(&self, line: &impl Serialize) {
        let text = serde_json::to_string(line).unwrap_or_default();
        // Full: the disk or the reader is slower than the requests are.
        let _ = self.lines.try_send(text + "\n");
    }
}

/// The time of a line, in milliseconds since 1970.
pub fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}

/// The tournament that a path names by its id, or by the first digits of it; a title is none.
pub fn tournament_in(path: &str) -> Option<&str> {
    let id = crate::kept::name_in(path)?;
    let is_id = (8..=32).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_id.then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_an_id_and_no_title() {
        assert_eq!(tournament_in("/t/7b9adae3/standings"), Some("7b9adae3"));
        assert_eq!(tournament_in("/t/Ann%20Lee/standings"), None);
        assert_eq!(tournament_in("/join/7b9adae3"), None);
    }
}
