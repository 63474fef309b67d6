//! Which number of rounds finds the best player more often.

use scrutineer::*;
use std::error::Error;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    let rules = Arc::new(Library::shipped().ruleset("mtr")?);
    for rounds in [4, 5, 6] {
        let mut best_won = 0;
        for seed in 0..40 {
            let simulation = Simulation {
                rounds: Some(rounds),
                ..Simulation::new(32, Arc::clone(&rules), seed)
            };
            let played = simulation.play(&Store::in_memory())?;
            best_won += u32::from(played.champion == played.by_strength().first().copied());
        }
        println!("{rounds} rounds: the strongest of 32 wins {best_won} of 40");
    }
    Ok(())
}
