//! A tournament in one file, checked with nothing but the file.

use scrutineer::*;
use std::error::Error;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    let rules = Arc::new(Library::shipped().ruleset("mtr")?);
    let store = Store::in_memory();
    let played = Simulation::new(8, rules, 11).play(&store)?;
    let mut bundle = Vec::new();
    write_bundle(&store, played.stream, Give::Roster, &mut bundle)?;
    let found = check_bundle(&mut &bundle[..], &Against::default())?;
    println!("{} records, {} findings", found.records, found.findings.len());
    assert!(found.holds());

    // One digit of one record, and it does not hold any more.
    let at = bundle.len() / 2;
    bundle[at] = if bundle[at] == b'1' { b'2' } else { b'1' };
    assert!(!check_bundle(&mut &bundle[..], &Against::default())?.holds());
    Ok(())
}
