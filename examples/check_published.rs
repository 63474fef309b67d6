//! A tournament that was played elsewhere: its published standings beside those computed here.

use scrutineer::{Library, check_published, prepare};
use std::error::Error;

const FILE: &[u8] = include_bytes!("../formats/fuzz-seeds/melee.json");

fn main() -> Result<(), Box<dyn Error>> {
    let prepared = prepare("melee.json", FILE, None, &Library::shipped())?;
    let found = check_published(&prepared.source, &prepared.state, &prepared.rules)?;
    println!(
        "{}: {} of {} rows match in every value under {}",
        prepared.source.title,
        found.matched(),
        found.rows.len(),
        prepared.rules.id,
    );
    Ok(())
}
