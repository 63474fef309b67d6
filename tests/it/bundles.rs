//! Bundles of simulated and of real events: in order, and the same bytes out of another store.

use scrutineer_desk::bundle::{Signatures, import};
use scrutineer_desk::simulate::{Simulation, store_of};
use scrutineer_desk::store::{Store, prepare};
use scrutineer_engine::record::{Actor, StreamId, Time};
use scrutineer_projections::ruleset::Library;
use scrutineer_replay::bundle::{Against, Checked, Give, Held, check, write};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

fn exported(store: &Store, stream: StreamId, give: Give) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(store, stream, give, &mut bytes).expect("it is written");
    bytes
}

fn checked(bytes: &[u8]) -> Checked {
    check(&mut &bytes[..], &Against::default()).expect("it is read")
}

/// Out of one store, into another, and out again.
fn goes_round(store: &Store, stream: StreamId, give: Give, name: &str) {
    let bytes = exported(store, stream, give);
    let other = Store::in_memory();
    let mut held = Held::check(&bytes[..], &Against::default()).expect("it is read");
    let imported = import(&other, &mut held, Signatures::Wanted);
    if let Err(error) = imported {
        panic!("{name}: {error}: {:?}", checked(&bytes).findings);
    }
    assert!(exported(&other, stream, give) == bytes, "{name}: other bytes came out");
}

#[test]
fn simulated_events_come_out_of_another_store_as_they_were() {
    let library = Library::shipped();
    let rules = ["mtr", "hgbts", "netrunner"];
    let rules = rules.map(|id| Arc::new(library.ruleset(id).expect("it is shipped")));
    for (at, mut simulation) in store_of(12, &rules, 7).into_iter().enumerate() {
        simulation.players = simulation.players.min(60);
        let store = Store::in_memory();
        let stream = simulation.play(&store).expect("it is played").stream;
        let give = [Give::Nothing, Give::Roster, Give::Audit, Give::Handover][at % 4];
        goes_round(&store, stream, give, &format!("simulation {at}"));
    }
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
}

/// Every file of a corpus that can be imported. Runs where `SCRUTINEER_CORPUS` names its folder.
#[test]
fn real_events_come_out_of_another_store_as_they_were() {
    let Some(folder) = std::env::var_os("SCRUTINEER_CORPUS").map(PathBuf::from) else {
        let may_skip = std::env::var_os("SCRUTINEER_NO_SKIPS").is_none();
        assert!(may_skip, "SCRUTINEER_CORPUS is not set, and nothing may be skipped here");
        eprintln!("skipped: SCRUTINEER_CORPUS is not set");
        return;
    };
    let (mut paths, library) = (Vec::new(), Library::shipped());
    files(&folder, &mut paths);
    paths.sort();
    let (mut count, mut passed) = (0, BTreeMap::<&str, u32>::new());
    for path in paths {
        let bytes = std::fs::read(&path).expect("readable");
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let store = Store::in_memory();
        let prepared = match prepare(&name, &bytes, None, &library) {
            Ok(prepared) => prepared,
            Err(error) => {
                *passed.entry(error.code().word).or_default() += 1;
                continue;
            }
        };
        let stream = prepared.stream;
        let added = store.add(prepared, &mut Vec::new(), Actor(0), Time { unix_micros: 0 });
        added.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        goes_round(&store, stream, Give::Roster, &path.display().to_string());
        count += 1;
    }
    println!("{count} events went round; not imported: {passed:?}");
    assert!(count > 0, "nothing was imported");
}

/// `SCRUTINEER_TOURNAMENTS=1` plays 10,000 players through 15 rounds, and says how long a bundle of
/// them takes.
#[test]
fn a_large_event_is_checked_in_seconds() {
    let large = std::env::var_os("SCRUTINEER_TOURNAMENTS").is_some();
    let (players, rounds) = if large { (10_000, 15) } else { (256, 4) };
    let rules = Arc::new(Library::shipped().ruleset("mtr").expect("it is shipped"));
    let mut simulation = Simulation::new(players, rules, 1);
    simulation.rounds = Some(rounds);
    let store = Store::in_memory();
    let stream = simulation.play(&store).expect("it is played").stream;
    let begun = Instant::now();
    let bytes = exported(&store, stream, Give::Nothing);
    let exporting = begun.elapsed();
    let begun = Instant::now();
    let found = checked(&bytes);
    let (records, size) = (found.records, bytes.len() / 1_000_000);
    println!(
        "{records} records, {size} MB: {exporting:.1?} to export, {:.1?} to check",
        begun.elapsed()
    );
    assert!(found.holds(), "{:?}", found.findings);
}
