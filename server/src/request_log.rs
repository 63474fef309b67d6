//! One line a request: what was asked for, what came of it, how long it took. Nothing of it says who
//! somebody is or what they sent: no name, no body, no token, no link.

use serde::Serialize;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};

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

    /// Writes a line; nobody waits for that.
    pub fn write(&self, line: &Line<'_>) {
        let text = serde_json::to_string(line).unwrap_or_default();
        // Full: the disk or the reader is slower than the requests are.
        let _ = self.lines.try_send(text + "\n");
    }
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
