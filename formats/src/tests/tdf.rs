//! TOM's files.

use super::*;
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::ruleset::Library;
use scrutineer_projections::standings::{Detail, Standings};
use std::sync::Arc;

/// The examples, by name; none where nothing says where they are.
#[allow(clippy::disallowed_methods, reason = "a test reads files")]
fn examples() -> Vec<(String, Vec<u8>)> {
    let Some(folder) = std::env::var_os("SCRUTINEER_FORMATS") else {
        let may_skip = std::env::var_os("SCRUTINEER_NO_SKIPS").is_none();
        assert!(may_skip, "SCRUTINEER_FORMATS is not set, and nothing may be skipped here");
        eprintln!("skipped: SCRUTINEER_FORMATS is not set");
        return Vec::new();
    };
    let files = std::fs::read_dir(std::path::Path::new(&folder).join("tdf")).expect("a folder");
    let files = files.map(|file| file.expect("a file").path()).map(|path| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name, std::fs::read(&path).expect("readable"))
    });
    let mut files: Vec<(String, Vec<u8>)> = files.collect();
    files.sort();
    assert!(files.len() > 30, "{} files", files.len());
    files
}

#[test]
fn every_example_of_a_tom_file_is_read() {
    for (name, bytes) in examples() {
        let source = read(&name, &bytes).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(source.format, "tdf", "{name}");
        legal_events(&source).unwrap_or_else(|error| panic!("{name}: {error}"));
        eprintln!(
            "{name} {:?} {:?} cut {:?} finished {} drops {:?}",
            source
                .phases
                .iter()
                .map(|p| (p.kind, p.seeded, p.entrants.len(), p.rounds.len()))
                .collect::<Vec<_>>(),
            source.held_on,
            source.cut,
            source.finished,
            source.drops.iter().map(|d| (d.player, d.after_round)).collect::<Vec<_>>()
        );
        for division in ["junior", "senior", "master"] {
            eprint!(
                "{division} {} ",
                source.players.iter().filter(|p| p.division.as_deref() == Some(division)).count()
            );
        }
        eprintln!("none {}", source.players.iter().filter(|p| p.division.is_none()).count());
        for odd in &source.oddities {
            eprintln!("   {}: {}", odd.place, odd.sentence);
        }
        if !source.places.is_empty() {
            let mut state = Tournament::default();
            legal_events(&source).expect("legal").iter().for_each(|event| state.evolve(event));
            let rules = Arc::new(Library::shipped().ruleset("pokemon").expect("it is shipped"));
            let scope = Scope { through: None, final_order: Some(true) };
            let over = Standings::of(&state, &rules, scope, Detail::All).expect("standings");
            for place in &source.places {
                let row = over.row(place.player as u32 + 1);
                let has_left = source.drops.iter().any(|d| d.player == place.player);
                eprintln!("   {} {:?} {has_left}", place.place, row.map(|row| row.rank));
            }
        }
    }
}
