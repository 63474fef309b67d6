//! A whole archive folded under another ruleset says of each tournament what a comparison of that tournament
//! says, however it is kept and on however many threads it is read.

use scrutineer_desk::rebuild::{Asked, TournamentFound, rebuild_store};
use scrutineer_desk::simulate::{Rates, Simulation, play_into, store_of};
use scrutineer_desk::store::Store;
use scrutineer_engine::event::{Event, PlayerNumber};
use scrutineer_projections::compare::compare;
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::ruleset::{Library, Ruleset, parse};
use scrutineer_projections::standings::{Detail, Standings};
use scrutineer_replay::loaded::short_id;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

fn ruleset(id: &str) -> Arc<Ruleset> {
    Arc::new(Library::shipped().ruleset(id).expect("a ruleset"))
}

/// Small events with cuts and mishaps, under rulesets of which one has quite other score lines.
fn season() -> Vec<Simulation> {
    let rules = ["mtr", "carde", "hgbts", "battlefy"].map(ruleset);
    let mut season = store_of(24, &rules, 7);
    for (at, simulation) in season.iter_mut().enumerate() {
        simulation.players = simulation.players.min(60);
        simulation.cut = (simulation.players > 10).then_some([8, 4][at % 2]);
        simulation.rates = Rates { declines: 400, drops: 60, wrong: 80, ..Rates::default() };
    }
    season
}

fn rebuilt(store: &Store, asked: &Asked, threads: usize) -> Vec<TournamentFound> {
    let mut all = Vec::new();
    let mut events = 0;
    let done = rebuild_store(store, asked, threads, &mut |count| events = count, &mut |event| {
        all.push(event);
        ControlFlow::Continue(())
    });
    done.expect("the archive is good");
    assert_eq!(events, all.len());
    all
}

fn asked() -> Asked {
    let after = ruleset("mtr+settings.percentage_floor=1/3+points.draw=0");
    Asked { after, cut: None, name_movers: true, unsigned: false }
}

#[test]
fn each_event_is_compared_as_by_itself() {
    let store = Store::in_memory();
    play_into(&store, &season(), 2).expect("played");
    let asked = asked();
    let (mut moved, mut refused, mut cuts, mut declined) = (0, 0, 0, 0);
    for event in rebuilt(&store, &asked, 2) {
        let whole = store.load(event.stream, true).expect("it is there");
        let before = Arc::new(parse(whole.state.ruleset().expect("its own")).expect("good"));
        assert_eq!((event.title.as_str(), event.closed), (&*whole.title(), true));
        let fold =
            |rules: &Arc<Ruleset>, scope| Standings::of(&whole.state, rules, scope, Detail::Order);
        let second = fold(&asked.after, Scope::default());
        let found = match (&event.found, &second) {
            (Ok(found), Ok(_)) => found,
            (Err(cause), Err(error)) => {
                assert_eq!(cause.code(), error.code());
                refused += 1;
                continue;
            }
            (found, _) => panic!("{}: {found:?}", event.title),
        };
        let first = fold(&before, Scope::default()).expect("its own ruleset");
        let second = second.expect("folded");
        let alone = compare(&first, &second, Vec::new(), &[], None);
        assert_eq!(found.comparison, alone, "{}", event.title);
        moved += alone.moves.len();
        for one in &alone.moves {
            assert_eq!(event.name(one.player), whole.name(one.player));
        }
        // Who goes on, told from the log: the first so many of those who had not left or declined.
        let cut = whole.log.iter().find_map(|(_, fact)| match fact {
            Event::PhaseStarted(started) if started.phase == 2 => Some(started.clone()),
            _ => None,
        });
        let Some(cut) = cut else { continue };
        let rounds = whole.state.rounds().iter().filter(|r| !r.withdrawn && r.phase == 1);
        let last = rounds.map(|round| round.number).max().expect("a round");
        let scope = Scope { through: Some(last), final_order: Some(true) };
        let out: Vec<PlayerNumber> = cut.passed_over.iter().map(|one| one.player).collect();
        declined += out.len();
        let goes_on = |rules: &Arc<Ruleset>| -> BTreeSet<PlayerNumber> {
            let standings = fold(rules, scope).expect("folded");
            let here = |player: &PlayerNumber| {
                let player = whole.state.player(*player).expect("enrolled");
                player.takes_part_in(last + 1) || cut.entrants.contains(&player.number)
            };
            let rows = standings.rows.iter().map(|row| row.player);
            let able = rows.filter(|player| here(player) && !out.contains(player));
            able.take(cut.entrants.len()).collect()
        };
        let (then, now) = (goes_on(&before), goes_on(&asked.after));
        let entrants: BTreeSet<PlayerNumber> = cut.entrants.iter().copied().collect();
        assert_eq!(
            then, entrants,
            "{}: the ruleset of the day gives those who went on",
            event.title
        );
        let Some(told) = &found.cut else {
            // Nobody who could have gone on stayed behind.
            let here = first.rows.iter().filter(|row| {
                whole.state.player(row.player).is_some_and(|p| p.takes_part_in(last + 1))
            });
            assert!(here.count() <= cut.entrants.len() + out.len(), "{}", event.title);
            continue;
        };
        assert_eq!((told.after_round, told.size), (last, cut.entrants.len() as u32));
        let enters: Vec<PlayerNumber> = now.difference(&then).copied().collect();
        let leaves: Vec<PlayerNumber> = then.difference(&now).copied().collect();
        assert_eq!((&told.enters, &told.leaves), (&enters, &leaves), "{}", event.title);
        cuts += usize::from(!enters.is_empty());
    }
    println!("{moved} moved, {refused} refused, {cuts} cuts changed, {declined} declined");
    assert!(moved > 20 && refused >= 6 && cuts > 0 && declined > 0);
}

#[test]
fn threads_and_the_way_it_is_kept_make_no_difference() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let (kept, memory) = (Store::open(folder.path()).expect("a store"), Store::in_memory());
    // On eight threads the journal holds the events mixed with each other.
    play_into(&kept, &season(), 8).expect("played");
    play_into(&memory, &season(), 1).expect("played");
    let told = |store: &Store, threads| format!("{:#?}", rebuilt(store, &asked(), threads));
    let one = told(&memory, 1);
    assert!(one.len() > 10_000);
    for threads in [1, 2, 7] {
        assert!(told(&kept, threads) == one, "{threads} threads, from the journal");
    }
    assert!(told(&memory, 3) == one, "from memory");
}

#[test]
fn a_tournament_without_a_title_goes_by_its_id() {
    let store = Store::in_memory();
    play_into(&store, &season()[..2], 1).expect("played");
    let listed = store.events().expect("readable");
    let (without, with) = (&listed[0], &listed[1]);
    let event = store.load(without.stream, false).expect("loaded");
    let title = event.state.opened().expect("it is open").title;
    store.books().forget(without.stream, &[title.number]).expect("forgotten");
    let found = rebuilt(&store, &asked(), 1);
    let called = |stream| {
        let found = found.iter().find(|one| one.stream == stream).expect("it is there");
        found.title.clone()
    };
    assert_eq!(called(without.stream), short_id(without.stream));
    assert_eq!(called(with.stream), with.title);
}

#[test]
fn whoever_has_seen_enough_stops_it() {
    let store = Store::in_memory();
    play_into(&store, &season()[..10], 2).expect("played");
    for threads in [1, 3] {
        let mut seen = 0;
        let stop = &mut |_: TournamentFound| {
            seen += 1;
            if seen == 4 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        rebuild_store(&store, &asked(), threads, &mut |_| {}, stop).expect("good");
        assert_eq!(seen, 4);
    }
}

/// A list that is long enough for several threads has each tournament once, by title, as it is listed
/// alone.
#[test]
fn a_long_list_of_events_has_each_once() {
    let store = Store::in_memory();
    let rules = ruleset("mtr");
    let small =
        |seed| Simulation { rounds: Some(1), ..Simulation::new(4, Arc::clone(&rules), seed) };
    let events: Vec<Simulation> = (1..=150).map(small).collect();
    play_into(&store, &events, 2).expect("played");
    let listed = store.events().expect("readable");
    assert_eq!(listed.len(), 150);
    assert!(listed.is_sorted_by_key(|event| (event.title.clone(), event.stream)));
    let streams: BTreeSet<_> = listed.iter().map(|event| event.stream).collect();
    assert_eq!(streams.len(), 150);
    for event in &listed {
        assert_eq!(*event, store.summary(event.stream).expect("readable"));
    }
}
