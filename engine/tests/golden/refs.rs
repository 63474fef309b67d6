//! What each kind of event refers to, found field by field in what it says.

use scrutineer_engine::event::{Event, Ref, ResultClaimed, ResultRecorded};

use crate::samples;

/// The highest number of a commitment that the text of an event shows.
fn highest_shown(event: &Event) -> u32 {
    let text = format!("{event:?}");
    let numbers = text.split("Commitment { number: ").skip(1).map(|rest| {
        let digits = rest.split(',').next().unwrap_or_default();
        digits.parse::<u32>().expect("a number")
    });
    numbers.max().unwrap_or(0)
}

/// The next private text gets the number behind it, so none may be overlooked.
#[test]
fn the_last_private_text_of_an_event_is_known() {
    for sample in samples::all() {
        assert_eq!(sample.event.last_entry(), highest_shown(&sample.event), "{}", sample.name);
    }
}

/// An event that is brought into another log refers to its places there.
#[test]
fn a_result_refers_to_its_table_and_to_the_penalties_served_at_it() {
    let mut seen = 0;
    for sample in samples::all() {
        let expected: Vec<u64> = match &sample.event {
            Event::ResultRecorded(ResultRecorded { pairing, result })
            | Event::ResultClaimed(ResultClaimed { pairing, result, .. }) => {
                [&[*pairing], &result.penalties_served[..]].concat()
            }
            _ => continue,
        };
        let mut found = Vec::new();
        sample.event.clone().each_ref(&mut |reference| {
            if let Ref::Event(seq) = reference {
                found.push(*seq);
            }
        });
        assert_eq!(found, expected, "{}", sample.name);
        seen += usize::from(expected.len() > 1);
    }
    assert!(seen > 0, "no sample has a penalty that was served");
}
