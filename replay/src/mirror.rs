//! The readable form of a record, as bundles carry it beside the bytes.
//!
//! It follows from the bytes and from nothing else (docs/FORMAT.md, "Mirror"), so that a reader
//! makes it again and compares: nobody can show other words than the record holds.

use chrono::{DateTime, Datelike, SecondsFormat, Utc};
use scrutineer_engine::event::Event;
use scrutineer_engine::record::{Header, Time};
use serde::Serialize;

#[derive(Serialize)]
struct Mirror<'a> {
    seq: u64,
    time: String,
    actor: u32,
    command: String,
    part: u32,
    parts: u32,
    kind: &'static str,
    event: &'a Event,
}

/// The readable form of a record, one line of JSON without its end.
pub fn mirror(header: &Header, event: &Event) -> String {
    let mirror = Mirror {
        seq: header.seq,
        time: in_words(header.time),
        actor: header.actor.0,
        command: header.command.to_string(),
        part: header.part,
        parts: header.parts,
        kind: event.name(),
        event,
    };
    // Structs of numbers and strings: there is nothing in them that JSON cannot spell.
    serde_json::to_string(&mirror).unwrap_or_default()
}

/// A time to the microsecond, in UTC.
pub fn in_words(time: Time) -> String {
    let known = DateTime::<Utc>::from_timestamp_micros(time.unix_micros);
    match known.filter(|time| (0..=9999).contains(&time.year())) {
        Some(time) => time.to_rfc3339_opts(SecondsFormat::Micros, true),
        None => time.unix_micros.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scrutineer_engine::record::Record;

    fn block(heading: &str, language: &str) -> String {
        let document = include_str!("../../docs/FORMAT.md");
        let (_, below) = document.split_once(heading).expect("the heading");
        let (_, from) = below.split_once(&format!("```{language}\n")).expect("a block");
        from.split_once("```").expect("its end").0.to_string()
    }

    #[test]
    fn the_example_of_the_format_is_what_its_record_says() {
        let text = block("\n## A worked example\n", "text");
        let digits: String = text.lines().filter_map(|line| line.split("  ").next()).collect();
        let digits = digits.replace(' ', "");
        let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).expect("digits");
        let bytes: Vec<u8> = (0..digits.len()).step_by(2).map(byte).collect();
        let record = Record::read(&bytes).expect("a record");
        let header = record.header();
        let event = Event::decode_strict(header.kind, header.schema, record.payload());
        let said = mirror(&header, &event.expect("an event"));
        assert_eq!(said, block("\n## Mirror\n", "json").trim_end());
    }

    #[test]
    fn a_time_beyond_the_calendar_is_a_number() {
        let time = |unix_micros| in_words(Time { unix_micros });
        assert_eq!(time(0), "1970-01-01T00:00:00.000000Z");
        assert_eq!(time(-1), "1969-12-31T23:59:59.999999Z");
        assert_eq!(time(i64::MAX), i64::MAX.to_string());
        assert_eq!(time(253_402_300_799_999_999), "9999-12-31T23:59:59.999999Z");
        assert_eq!(time(253_402_300_800_000_000), "253402300800000000");
        assert_eq!(time(-62_167_219_200_000_000), "0000-01-01T00:00:00.000000Z");
        assert_eq!(time(-62_167_219_200_000_001), "-62167219200000001");
    }
}
