//! `diff`: where two histories of a tournament part.

use super::{count, history};
use crate::args;
use crate::error::VerbError;
use crate::session::Session;
use crate::{Answer, Report};
use scrutineer_desk::answers::{DiffAnswer, line};
use scrutineer_replay::bundle::{Beyond, Differ, Relation, Told};
use std::collections::BTreeSet;

/// Compares two bundles, or a bundle and the store.
pub fn run(session: &Session, options: &args::Diff) -> Result<Report, VerbError> {
    let first = history(&options.first)?;
    let first_name = options.first.display().to_string();
    let (second, second_name) = match &options.second {
        Some(path) => (history(path)?, path.display().to_string()),
        None => {
            let store = session.store_to_read()?;
            let stream = store.find(Some(&first.stream.to_string()))?;
            (store.load(stream, true)?, "the store".to_string())
        }
    };
    let differ = Differ::of(&first, &second);
    let answer = if differ.relation == Relation::Same { Answer::Yes } else { Answer::No };
    let sentence = differ.sentence(&first_name, &second_name);
    if session.json {
        let lengths = (first.log.len(), second.log.len());
        return Ok(Report { text: line(&DiffAnswer::of(&differ, lengths, sentence)), answer });
    }
    let mut text = format!("{sentence}\n");
    if differ.relation != Relation::OtherEvent {
        let (first, second) = (&differ.first, &differ.second);
        let mut is_marked = false;
        for (name, own, other) in [(&first_name, first, second), (&second_name, second, first)] {
            let said: BTreeSet<&str> = other.told.iter().map(|told| &told.sentence[..]).collect();
            is_marked |= own.told.iter().any(|told| said.contains(&told.sentence[..]));
            text.push_str(&listed(name, own, &said));
        }
        if is_marked {
            text.push_str("\n= the other side says the same, in a record of its own\n");
        }
    }
    Ok(Report { text, answer })
}

/// What one side has beyond the other; what the other says too is marked.
fn listed(name: &str, beyond: &Beyond, other: &BTreeSet<&str>) -> String {
    if beyond.told.is_empty() {
        return String::new();
    }
    let mut text = format!("\nonly in {name}:\n");
    for Told { seq, sentence, .. } in &beyond.told {
        let mark = if other.contains(&sentence[..]) { '=' } else { ' ' };
        text.push_str(&format!("{mark} {seq:>5}  {sentence}\n"));
    }
    if beyond.more > 0 {
        text.push_str(&format!("  and {}\n", count(beyond.more, "more event")));
    }
    text
}
