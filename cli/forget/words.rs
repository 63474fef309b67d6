//! What is told of the texts that are emptied, and of those that stay.

use scrutineer_desk::forget::{Plan, Text};
use scrutineer_desk::forgetting::{what, why};
use scrutineer_desk::table::{Align, Aligned};

/// The texts that stay since only people can say whether they are meant, under a heading; nothing where
/// there are none.
pub fn staying(plan: &Plan, heading: &str, which: &str) -> String {
    if plan.staying.is_empty() {
        return String::new();
    }
    let mut table = Aligned::new([
        ("entry", Align::Right),
        ("what", Align::Left),
        ("event", Align::Right),
        ("why", Align::Left),
        ("text", Align::Left),
    ]);
    for text in &plan.staying {
        let seq = text.seq.map_or("-".into(), |seq| seq.to_string());
        let why = why(text.because).to_string();
        table.row([text.entry.to_string(), what(text).into(), seq, why, text.text.clone()]);
    }
    let table = table.text();
    format!("{heading}; read them:\n{table}  to empty one of them too: --also <entry>{which}\n",)
}

pub fn listed(texts: &[Text]) -> String {
    let mut table = Aligned::new([
        ("entry", Align::Right),
        ("what", Align::Left),
        ("event", Align::Right),
        ("text", Align::Left),
    ]);
    for text in texts {
        let seq = text.seq.map_or("-".into(), |seq| seq.to_string());
        table.row([text.entry.to_string(), what(text).into(), seq, text.text.clone()]);
    }
    table.text()
}

/// A path, as seen from here.
pub fn shown(path: &str) -> String {
    let here = std::env::current_dir().ok();
    let rest = here.and_then(|here| {
        let rest = std::path::Path::new(path).strip_prefix(here).ok()?;
        Some(rest.display().to_string())
    });
    rest.unwrap_or_else(|| path.to_string())
}
