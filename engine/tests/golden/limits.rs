//! Numbers that logs and other programs rely on.

use scrutineer_engine::book::MAX_TEXT;
use scrutineer_engine::codec::PAYLOAD_LIMIT_BYTES;
use scrutineer_engine::event::PhaseKind;
use scrutineer_engine::limits;
use scrutineer_engine::record::{MAX_PAYLOAD, MAX_RECORD};
use scrutineer_engine::seed::DRAWS;

/// A limit may grow. One that shrinks makes logs unreadable that were written under it.
#[test]
fn limits_are_no_lower_than_they_were() {
    let players = [u64::from(limits::PLAYERS), u64::from(limits::ROUNDS), limits::EVENTS];
    assert_eq!(players, [100_000, 2_047, 16_777_216]);
    assert_eq!([MAX_TEXT, PAYLOAD_LIMIT_BYTES, MAX_PAYLOAD], [8_192, 61_440, 61_440]);
    assert_eq!(MAX_RECORD, 61_543);
    assert!(2 * u32::from(limits::ROUNDS) + 1 < DRAWS, "each round has a seed for its lots too");
}

#[test]
fn losers_go_out_of_a_bracket() {
    let kinds = (0..=u8::MAX).filter_map(PhaseKind::from_code);
    let brackets: Vec<PhaseKind> = kinds.filter(|kind| kind.is_bracket()).collect();
    assert_eq!(brackets, [PhaseKind::Elimination, PhaseKind::DoubleElimination]);
}
