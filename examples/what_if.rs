//! What a correction would do, tried on a copy in memory: nothing of it reaches the log.

use scrutineer::*;
use std::error::Error;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    let rules = Arc::new(Library::shipped().ruleset("mtr")?);
    let store = Store::in_memory();
    let played = Simulation::new(16, rules, 3).play(&store)?;
    let copy = store.fork(played.stream)?;
    let desk = Desk::at(&copy, played.stream, Means::of_machine(Actor(1)));
    desk.correct(Some(1), Slip { table: 1, score: "0-2" }, "the slip was misread", None)?;
    let before = store.load(played.stream, false)?;
    let after = copy.load(played.stream, false)?;
    let told = WhatIf::of(&before, &after, None)?;
    match told.nobody_moves() {
        true => println!("nobody moves"),
        false => println!("{} would move", told.compared.moves.len()),
    }
    assert_eq!(before.head, store.log().head(played.stream)?.hash, "the log is as it was");
    Ok(())
}
