//! A season under other rules: in how many tournaments another player would have won.

use scrutineer::*;
use std::error::Error;
use std::ops::ControlFlow;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    let library = Library::shipped();
    let mtr = Arc::new(library.ruleset("mtr")?);
    let after = Arc::new(library.ruleset("mtr+settings.percentage_floor=1/2")?);
    let store = Store::in_memory();
    for seed in 0..20 {
        Simulation::new(24, Arc::clone(&mtr), seed).play(&store)?;
    }
    let asked = RebuildAsked { after, cut: None, name_movers: false, unsigned: false };
    let (mut tournaments, mut winners, mut moved) = (0, 0, 0);
    rebuild_store(&store, &asked, 2, &mut |_| {}, &mut |one| {
        let found = one.found.expect("it can be folded");
        tournaments += 1;
        winners += u32::from(found.winner_changes());
        moved += found.comparison.moves.len();
        ControlFlow::Continue(())
    })?;
    println!("{tournaments} tournaments: {winners} other winners, {moved} players move");
    Ok(())
}
