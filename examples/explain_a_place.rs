//! Why a player stands where they stand.

use scrutineer::*;
use std::error::Error;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    let rules = Arc::new(Library::shipped().ruleset("mtr")?);
    let store = Store::in_memory();
    let played = Simulation::new(16, Arc::clone(&rules), 1).play(&store)?;
    let tournament = store.load(played.stream, false)?;
    let standings = Standings::of(&tournament.state, &rules, Scope::default(), Detail::All)?;
    let ninth = standings.rows[8].player;
    let why = explain(&tournament.state, &standings, ninth, None).expect("they are ranked");
    let above = why.against.expect("somebody stands above the ninth");
    println!("{} beside {}:", tournament.name(ninth), tournament.name(above.player));
    for step in &why.steps {
        println!("  {}", step.label);
    }
    for measure in &why.measures {
        println!("  {} = {}", rules.measures[measure.measure].label, measure.value.text);
    }
    Ok(())
}
