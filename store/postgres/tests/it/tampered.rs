//! Whoever may do anything in the database changes what was recorded: it is named at the event.

use crate::server::Server;
use scrutineer_engine::conformance::{batch, stream};
use scrutineer_engine::log::{Head, Log, LogError};
use scrutineer_engine::record::ChainError;

#[test]
fn a_dump_that_was_tampered_with_is_named_at_the_event() {
    let Some(server) = Server::start() else { return };
    let log = server.log("open");
    for number in 1..=7 {
        let mut head = Head::EMPTY;
        for command in 1..=4 {
            let order = batch(stream(number), head, command, 100, 30);
            head = log.append(head, order).expect("appended");
        }
    }
    let mut superuser = server.connect("open");
    let mut change = |number: u8, statement: &str| {
        let of = format!("stream = decode(repeat('{number:02x}', 16), 'hex')");
        let statement = statement.replace("$of", &of);
        let statement = format!("SET session_replication_role = replica; {statement}");
        superuser.batch_execute(&statement).expect(&statement);
    };
    // A byte; a byte with its hash; a record in the middle; the last one; two that are swapped; one of
    // another tournament in its place; a record with another one's bytes.
    change(
        1,
        "UPDATE scrutineer.records SET bytes = set_byte(bytes, 120, 77) WHERE $of AND seq = 300",
    );
    change(
        2,
        "UPDATE scrutineer.records SET hash = set_byte(hash, 0, get_byte(hash, 0) # 1) \
               WHERE $of AND seq = 257",
    );
    change(3, "DELETE FROM scrutineer.records WHERE $of AND seq = 200");
    change(4, "DELETE FROM scrutineer.records WHERE $of AND seq = 400");
    for (from, to) in [(10, 5000), (11, 10), (5000, 11)] {
        let swap = format!("UPDATE scrutineer.records SET seq = {to} WHERE $of AND seq = {from}");
        change(5, &swap);
    }
    change(
        6,
        "UPDATE scrutineer.records r SET hash = o.hash, bytes = o.bytes FROM scrutineer.records o \
               WHERE r.$of AND r.seq = 5 AND o.seq = 5 AND o.stream = decode(repeat('07', 16), 'hex')",
    );

    let fault = |number: u8| {
        let mut read = log.read(stream(number), 0);
        let whole = read.by_ref().take_while(Result::is_ok).count() as u64;
        assert!(read.next().is_none(), "nothing follows an error");
        let fault = log.read(stream(number), 0).find_map(Result::err).expect("a fault");
        assert!(fault.is_damage(), "{fault}");
        (whole, fault)
    };
    let unreadable = |(_, fault)| match fault {
        LogError::Unreadable { seq, .. } => seq,
        other => panic!("{other}"),
    };
    assert_eq!(unreadable(fault(1)), 300);
    assert_eq!(unreadable(fault(2)), 257);
    let gap = |(whole, fault)| match fault {
        LogError::Broken { fault: ChainError::Gap { expected, .. }, .. } => (whole, expected),
        other => panic!("{other}"),
    };
    assert_eq!(gap(fault(3)), (199, 200));
    assert_eq!(gap(fault(4)), (399, 400));
    assert_eq!(gap(fault(5)), (9, 10));
    let (whole, other) = fault(6);
    assert!(whole == 4 && other.to_string().contains('5'), "{other}");
    assert!(log.read(stream(7), 0).all(|record| record.is_ok()));
    // A whole reading ends at the first of them.
    assert!(log.scan().find_map(Result::err).is_some_and(|fault| fault.is_damage()));
}
