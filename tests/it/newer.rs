//! A store in which a newer version wrote: what it began is named, and everything else is read.

use crate::cli::desk::Desk;
use scrutineer_desk::store::Store;
use scrutineer_engine::log::{Batch, Head};
use scrutineer_engine::record::{Actor, CommandId, Header, Record, RecordHash, StreamId, Time};

/// The kind with which a season will begin.
const SEASON: u16 = 500;

/// A store with two tournaments and a season.
fn desk() -> Desk {
    let desk = Desk::new();
    for title in ["Autumn Open", "Spring Open"] {
        for words in [
            &["new", title, "--rules", "mtr", "--phase", "swiss:1"][..],
            &["enroll", "--tournament", title, "Ann", "Bob"],
        ] {
            let said = desk.run(words);
            assert_eq!(said.code, 0, "{words:?}: {}", said.all());
        }
    }
    let header = Header {
        stream: StreamId([0x5e; 16]),
        seq: 1,
        time: Time { unix_micros: 1_795_255_200_000_000 },
        actor: Actor(1),
        command: CommandId(7),
        part: 1,
        parts: 1,
        kind: SEASON,
        schema: 1,
        previous: RecordHash::ZERO,
    };
    let record = Record::seal(header, b"what only a newer version knows").expect("a record");
    let store = Store::open(&desk.path("store")).expect("a store");
    let batch = Batch { records: vec![record], command_digest: [0; 32], texts: Vec::new() };
    store.log().append(Head::EMPTY, batch).expect("appended");
    desk
}

#[test]
fn a_stream_of_an_unknown_sort_is_refused_and_the_others_are_read() {
    let desk = desk();
    let why = "event 1: kind 500 (of the range 500 to 599: a season) in schema version 1 is unknown \
               to this version; a newer one wrote it";
    let whole_id = "5e".repeat(16);
    for (words, code, expected) in [
        (&["tournaments"][..], 0, "note: 5e5e5e5e is not read: "),
        (&[], 0, "note: 5e5e5e5e is not read: "),
        (&["standings", "--tournament", "5e5e5e5e"], 2, "[log-not-read]"),
        (&["standings", "--tournament", &whole_id], 2, "[log-not-read]"),
        (&["pair", "--tournament", "5e5e5e5e"], 2, "[log-not-read]"),
        (&["log", "--tournament", "5e5e5e5e"], 2, "[log-not-read]"),
        (&["export", "--tournament", "5e5e5e5e", "--output", "a.bundle"], 2, "[log-not-read]"),
        (&["verify"], 1, "[unreadable]"),
        (&["rebuild", "--rules", "mtr"], 1, "2 of 3 tournaments under mtr"),
        (
            &["forget", "Ann", "--tournament", "Spring", "--everywhere", "--dry-run"],
            0,
            "to be emptied in Autumn Open",
        ),
    ] {
        let said = desk.run(words);
        assert_eq!(said.code, code, "{words:?}: {}", said.all());
        let all = said.all();
        assert!(all.contains(expected) && all.contains(why), "{words:?}: {all}");
    }
    for (words, expected) in [
        (&["tournaments"][..], "Autumn Open"),
        (&["standings", "--tournament", "Spring"], "Spring Open · 2 players"),
        (&["pair", "--tournament", "Spring"], "round 1: 1 table"),
        (&["keys", "show"], "signs   Autumn Open"),
        (&["backup", "copy"], "copied to copy: 3 tournaments"),
        (&["verify", "--tournament", "Autumn"], "Autumn Open: 3 records"),
    ] {
        let said = desk.run(words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
        assert!(said.all().contains(expected), "{words:?}: {}", said.all());
    }
    // The copy has the stream too, and this version says that it can't bring it back.
    let said = desk.run(&["restore", "--from", "copy", "--store", "new"]);
    assert!(said.code == 2 && said.all().contains(why), "{}", said.all());
}
