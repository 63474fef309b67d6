//! What a file for others lacks, and who would refuse it.

use super::count;
use crate::session::Session;
use crate::session::say;
use scrutineer_replay::bundle::{Against, check};
use scrutineer_replay::verify::Severity;
use std::io::BufRead;

/// What is said of announced tables that are not given; nothing where all are.
pub fn left_out_in_words(tables: u64) -> String {
    match tables {
        0 => String::new(),
        _ => format!(
            "left out: {}, not kept here as announced: `scrutineer restore --from <mirror or \
             backup>`\n",
            count(tables, "announced table")
        ),
    }
}

/// Tells for what a bundle that was just written will be refused by whoever checks it; nothing where
/// it holds. The answer is none to rely on then.
pub fn tell_refused(session: &Session, bundle: &mut dyn BufRead) {
    // What was written could be read, and whoever checks it says so where it can't.
    let Ok(checked) = check(bundle, &Against::default()) else { return };
    let mut errors = checked.findings.iter().map(|found| &found.finding);
    if let Some(first) = errors.find(|finding| finding.severity == Severity::Error) {
        session.in_doubt.set(true);
        let place = if first.seq > 0 { format!("event {}: ", first.seq) } else { String::new() };
        say(&format!(
            "whoever checks this file will refuse it: {place}{}   [{}]; see `scrutineer verify`, then \
             `scrutineer restore --from <mirror or backup>`",
            first.sentence, first.code
        ));
    }
}
