//! Numbers of tables, against the plainest way to say what must hold of them.

use crate::random_tournaments::generate::{World, tournament};
use scrutineer_engine::event::{Event, PlayerNumber, TableKept, TableRange, TablesSet};
use scrutineer_engine::tournament::Tournament;
use scrutineer_pairing::{PairedTable, events_of, next_round, running_phase};
use scrutineer_projections::ruleset::Library;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Who keeps a table sits there or opposite somebody who keeps a lower one, nobody else does, no table is taken
/// twice, and all others fill the hall from its first table on without a gap.
#[test]
fn who_keeps_a_table_sits_there_and_the_others_fill_the_hall() {
    let rules = Arc::new(Library::shipped().ruleset("mtr").expect("it is shipped"));
    let (mut rounds, mut at_own, mut met) = (0, 0, 0);
    for seed in 0..160_u32 {
        let plain =
            tournament(World::ALL[seed as usize % World::ALL.len()], 7_700 + u64::from(seed));
        for (at, event) in plain.events.iter().enumerate() {
            let Event::RoundOpened(opened) = event else { continue };
            let mut state = Tournament::of(&plain.events[..at]);
            if running_phase(&state).is_none() {
                continue;
            }
            let ranges = match seed % 3 {
                0 => Vec::new(),
                _ => vec![TableRange { first: 2, last: 4 }, TableRange { first: 7, last: 8 }],
            };
            let hall: Vec<u32> = match seed % 3 {
                0 => (1..1_000).collect(),
                _ => [2, 3, 4, 7].into_iter().chain(8..1_000).collect(),
            };
            state.evolve(&TablesSet { ranges }.into());
            let many = state.players().len() as u32;
            for player in (1..=many).filter(|player| (player + seed) % 4 == 0) {
                state.evolve(
                    &TableKept { player, table: Some(1 + (player * 5 + seed) % 12) }.into(),
                );
            }
            let Ok(drawn) = next_round(&state, &rules, &[seed as u8; 32], b"") else { continue };
            let numbers: Vec<u32> = events_of(&state, &drawn, opened.round)
                .iter()
                .filter_map(|event| match event {
                    Event::PairingMade(made) => made.table,
                    _ => None,
                })
                .collect();
            assert_eq!(numbers.len(), drawn.tables.len());
            let once: BTreeSet<u32> = numbers.iter().copied().collect();
            assert_eq!(once.len(), numbers.len(), "{seed}: a table is taken twice");
            let here = |player: PlayerNumber| {
                state.player(player).is_some_and(|p| p.takes_part_in(opened.round))
            };
            let kept: BTreeMap<PlayerNumber, u32> = state.kept_tables().collect();
            let reserved: BTreeSet<u32> =
                kept.iter().filter(|(player, _)| here(**player)).map(|(_, table)| *table).collect();
            let own = |table: &PairedTable| -> Vec<u32> {
                table.seats.iter().filter_map(|seat| kept.get(&seat.player).copied()).collect()
            };
            let mut free = hall.iter().filter(|table| !reserved.contains(table));
            for (at, (number, table)) in numbers.iter().zip(&drawn.tables).enumerate() {
                let mut own = own(table);
                own.retain(|table| !numbers[..at].contains(table));
                if let Some(lowest) = own.iter().min() {
                    assert_eq!(number, lowest, "{seed}");
                    at_own += 1;
                    met += usize::from(own.len() > 1);
                    continue;
                }
                let next = free.find(|table| !numbers[..at].contains(table));
                assert_eq!(Some(number), next, "{seed}: {numbers:?}");
            }
            rounds += 1;
        }
    }
    assert!(rounds > 200 && at_own > 200 && met > 20, "{rounds} {at_own} {met}");
}
