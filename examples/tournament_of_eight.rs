//! A tournament of eight players: opened, paired, played, closed, ranked.

use scrutineer::*;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let library = Library::shipped();
    let rules = std::sync::Arc::new(library.ruleset("mtr")?);
    let store = Store::in_memory();
    let opening = Opening {
        title: "Friday".into(),
        held_on: None,
        ruleset: library.chain("mtr")?,
        scoresheet: Opening::scoresheet_for(&rules, 3),
        plan: Vec::new(),
        signer: None,
    };
    let desk = Desk::open(&store, Means::of_machine(Actor(1)), &opening)?;
    let names = ["Ada", "Barbara", "Edsger", "Frances", "Grace", "John", "Kurt", "Niklaus"];
    let people = names.map(|name| Enrolment { name: name.into(), ..Enrolment::default() });
    desk.enroll(&people, Latecomer::AsRuled)?;
    for _ in 0..3 {
        let paired = desk.pair(None, false)?;
        desk.publish()?;
        for (table, score) in [(1, "2-0"), (2, "2-1"), (3, "1-2"), (4, "1-1-1")] {
            desk.enter(Slip { table, score })?;
        }
        println!("round {}: {} tables", paired.round, paired.drawn.tables.len());
    }
    desk.close()?;
    let played = store.load(desk.stream(), false)?;
    let standings = Standings::of(&played.state, &rules, Scope::default(), Detail::All)?;
    for row in &standings.rows {
        let points = standings.value(row, "points").expect("mtr has points");
        println!("{:>2}  {:8} {points:>2} points", row.rank, played.name(row.player));
    }
    Ok(())
}
