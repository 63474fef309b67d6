//! Several desks of one tournament on one store, each in a thread of its own.

use scrutineer::*;
use std::error::Error;
use std::thread;

fn main() -> Result<(), Box<dyn Error>> {
    let library = Library::shipped();
    let rules = library.ruleset("mtr")?;
    let store = Store::in_memory();
    let opening = Opening {
        title: "Two queues".into(),
        held_on: None,
        ruleset: library.chain("mtr")?,
        scoresheet: Opening::scoresheet_for(&rules, 3),
        plan: Vec::new(),
        signer: None,
    };
    let stream = Desk::open(&store, Means::of_machine(Actor(1)), &opening)?.stream();
    thread::scope(|scope| {
        for queue in 1..=4 {
            let store = &store;
            scope.spawn(move || {
                let desk = Desk::at(store, stream, Means::of_machine(Actor(queue)));
                for at in 1..=8 {
                    let name = format!("Player {queue}.{at}");
                    let player = Enrolment { name, ..Enrolment::default() };
                    desk.enroll(&[player], Latecomer::AsRuled).expect("they enroll");
                }
            });
        }
    });
    let tournament = store.load(stream, false)?;
    println!("{} players enrolled", tournament.state.players().len());
    assert_eq!(tournament.state.players().len(), 32);
    Ok(())
}
