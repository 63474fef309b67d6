//! `diff`: where two histories of an event part.

use super::{count, history};
use crate::args;
use crate::error::CliError;
use crate::session::Session;
use crate::{Answer, Report};
use scrutineer_replay::bundle::{Beyond, Differ, Relation, Told};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Compares two bundles, or a bundle and the store.
pub fn run(session: &Session, options: &args::Diff) -> Result<Report, CliError> {
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
        let (relation, after) = match differ.relation {
            Relation::Same => ("same", None),
            Relation::FirstLonger(_) => ("first-longer", Some(second.log.len() as u64)),
            Relation::SecondLonger(_) => ("second-longer", Some(first.log.len() as u64)),
            Relation::Parted(after) => ("parted", Some(after)),
            Relation::OtherEvent => ("other-tournament", None),
        };
        let value = json!({
            "relation": relation, "after": after, "sentence": sentence,
            "first": to_json(&differ.first), "second": to_json(&differ.second),
        });
        return Ok(Report { text: format!("{value}\n"), answer });
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

fn to_json(beyond: &Beyond) -> Value {
    let told = |told: &Told| json!({ "seq": told.seq, "sentence": told.sentence, "envelope": told.envelope });
    json!({ "events": beyond.told.iter().map(told).collect::<Vec<_>>(), "more": beyond.more })
}
