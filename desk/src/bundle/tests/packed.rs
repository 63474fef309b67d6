//! A bundle as a page embeds it.

use scrutineer_engine::event::{Event, PlayerCheckedIn};
use scrutineer_engine::record::{self, Actor, CommandId, Record, RecordHash, StreamId, Time};
use scrutineer_replay::bundle::{Header, line, packed};

fn checked_in(part: u32, previous: RecordHash) -> (Record, Event) {
    let event = Event::PlayerCheckedIn(PlayerCheckedIn { player: 1 });
    let header = record::Header {
        stream: StreamId(*b"sixteen bytes id"),
        seq: part.into(),
        time: Time { unix_micros: 1_795_255_200_000_000 },
        actor: Actor(7),
        command: CommandId(0x0102_0304_0506_0708_090a_0b0c_0d0e_0f10),
        part,
        parts: 2,
        kind: event.kind(),
        schema: 1,
        previous,
    };
    (Record::seal(header, &event.encode().expect("small")).expect("a record"), event)
}

#[test]
fn the_example_of_the_format_is_what_is_packed() {
    let document = include_str!("../../../../docs/FORMAT.md");
    let (_, below) = document.split_once("\n## Packed bundle\n").expect("the heading");
    let (_, from) = below.split_once("```text\n").expect("a block");
    let example = from.split_once("```").expect("its end").0;
    let (first, event) = checked_in(1, RecordHash::default());
    let (second, _) = checked_in(2, first.hash());
    let header = line::header(&Header {
        program: "0.1.0".into(),
        stream: first.header().stream,
        records: 2,
        head: second.hash(),
        rulesets: Vec::new(),
        private: false,
    });
    let lines = [header.clone(), line::record(&first, &event), line::record(&second, &event)];
    assert_eq!(packed(&(lines.join("\n") + "\n")), format!("{header}\n{example}"));
    // What does not follow stands as it is: a record before its time, other words beside one, no end.
    for text in [
        format!("{}\n{}\n", lines[0], lines[2]),
        format!("{}\n{}\n", lines[0], lines[1].replace("\"actor\":7", "\"actor\":8")),
        format!("{}\n{}", lines[0], lines[1]),
        format!("{}\n", lines[1]),
        "no bundle".into(),
        String::new(),
    ] {
        assert_eq!(packed(&text), text);
    }
}
