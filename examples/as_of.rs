//! The standings as they were at a moment.

use scrutineer::*;
use std::error::Error;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    let rules = Arc::new(Library::shipped().ruleset("mtr")?);
    let store = Store::in_memory();
    let played = Simulation::new(8, Arc::clone(&rules), 5).play(&store)?;
    let timeline = Timeline::read(store.log(), played.stream)?;
    let last = store.log().head(played.stream)?.seq;
    for seq in [last / 2, last] {
        let as_of = timeline.as_of(Moment::Seq(seq))?;
        let then = store.load_as_of(played.stream, as_of, false)?;
        let standings = Standings::of(&then.state, &rules, Scope::default(), Detail::Order)?;
        println!("{}", as_of.line());
        println!("  first: {}", then.name(standings.rows[0].player));
    }
    Ok(())
}
