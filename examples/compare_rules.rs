//! One tournament under two rulesets: who moves.

use scrutineer::*;
use std::error::Error;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    let library = Library::shipped();
    let mtr = Arc::new(library.ruleset("mtr")?);
    let other = Arc::new(library.ruleset("mtr+settings.percentage_floor=1/2")?);
    let store = Store::in_memory();
    let played = Simulation::new(32, Arc::clone(&mtr), 7).play(&store)?;
    let tournament = store.load(played.stream, false)?;
    let under = |rules| Standings::of(&tournament.state, rules, Scope::default(), Detail::Order);
    let compared = compare(&under(&mtr)?, &under(&other)?, Vec::new(), &[], None);
    println!("{} move, {} stay", compared.moves.len(), compared.unchanged);
    for moved in &compared.moves {
        println!("  {}: {} -> {}", tournament.name(moved.player), moved.first, moved.second);
    }
    Ok(())
}
