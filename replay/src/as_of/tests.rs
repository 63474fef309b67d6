//! Moments, on hand-made timelines.

use super::{AsOf, AsOfError, Moment, Timeline, parse, utc};
use crate::mirror::in_words;
use chrono::{DateTime, FixedOffset};
use scrutineer_engine::record::{Actor, CommandId, Header, RecordHash, StreamId, Time};

fn at(text: &str) -> Time {
    let time = DateTime::parse_from_rfc3339(text).expect("a time");
    Time { unix_micros: time.timestamp_micros() }
}

/// A timeline of commands, each with its number of events and its time.
fn timeline(commands: &[(u32, &str)]) -> Timeline {
    let mut timeline = Timeline::default();
    let mut seq = 0;
    for (command, (parts, time)) in (0..).zip(commands) {
        for part in 1..=*parts {
            seq += 1;
            let header = Header {
                stream: StreamId([1; 16]),
                seq,
                time: at(time),
                actor: Actor(1),
                command: CommandId(command),
                part,
                parts: *parts,
                kind: 8,
                schema: 1,
                previous: RecordHash::ZERO,
            };
            timeline.add(&header, RecordHash([seq as u8; 32]));
        }
    }
    timeline
}

/// Opened at ten; at noon the clock of the desk is put back by an hour.
fn evening() -> Timeline {
    timeline(&[
        (2, "2026-11-21T10:00:00Z"),
        (1, "2026-11-21T12:00:00Z"),
        (3, "2026-11-21T11:05:00.5Z"),
        (1, "2026-11-21T12:30:00Z"),
    ])
}

fn seq_at(timeline: &Timeline, moment: Moment) -> u64 {
    timeline.as_of(moment).expect("something was there").head.seq
}

#[test]
fn a_seq_is_cut_before_an_unfinished_command() {
    let found: Vec<Option<u64>> = (1..=7)
        .map(|seq| evening().as_of(Moment::Seq(seq)).ok().map(|as_of| as_of.head.seq))
        .collect();
    let expected = [None, Some(2), Some(3), Some(3), Some(3), Some(6), Some(7)];
    assert_eq!(found, expected);
    let AsOf { within, head, last, .. } = evening().as_of(Moment::Seq(5)).expect("three events");
    assert_eq!((within, head.hash, last), (Some((5, 4, 6)), RecordHash([3; 32]), 7));
    assert_eq!(evening().as_of(Moment::Seq(6)).expect("six events").within, None);
}

#[test]
fn what_is_not_there_is_said() {
    let code = |moment| evening().as_of(moment).expect_err("nothing").code();
    assert_eq!(code(Moment::Seq(0)), "no-such-event");
    assert_eq!(code(Moment::Seq(8)), "no-such-event");
    assert_eq!(code(Moment::Seq(1)), "before-opening");
    assert_eq!(code(Moment::Time(at("2026-11-21T09:59:59Z"))), "before-opening");
    assert_eq!(code(Moment::Time(Time { unix_micros: i64::MIN })), "before-opening");
    assert_eq!(Timeline::default().as_of(Moment::Seq(1)).expect_err("nothing").code(), {
        "no-such-event"
    });
}

#[test]
fn a_clock_that_steps_back_takes_nothing_away() {
    let known = |time| seq_at(&evening(), Moment::Time(at(time)));
    assert_eq!(known("2026-11-21T10:00:00Z"), 2);
    // Event 4 says 11:05, but was recorded after one that says 12:00.
    assert_eq!(known("2026-11-21T11:30:00Z"), 2);
    assert_eq!(known("2026-11-21T12:00:00Z"), 6);
    assert_eq!(known("2026-11-21T12:29:59Z"), 6);
    assert_eq!(known("2026-11-21T12:30:00Z"), 7);
    assert_eq!(seq_at(&evening(), Moment::Time(Time { unix_micros: i64::MAX })), 7);
    // What is shown is the event's own time.
    let as_of = evening().as_of(Moment::Seq(6)).expect("six events");
    assert_eq!(utc(as_of.recorded), "2026-11-21 11:05:00 UTC");
}

#[test]
fn moments_are_read_as_people_write_them() {
    let here = FixedOffset::east_opt(2 * 3600).expect("a zone");
    let read = |text| parse(text, &here, &evening());
    let time = |text| Ok(Moment::Time(at(text)));
    assert_eq!(read("57"), Ok(Moment::Seq(57)));
    assert_eq!(read(" 3 "), Ok(Moment::Seq(3)));
    assert_eq!(read("2026-11-21T14:05:00.25Z"), time("2026-11-21T14:05:00.25Z"));
    // The whole second.
    assert_eq!(read("2026-11-21T14:05:00Z"), time("2026-11-21T14:05:00.999999Z"));
    assert_eq!(read("2026-11-21T14:05:00+01:00"), time("2026-11-21T13:05:00.999999Z"));
    assert_eq!(read("2026-11-21 14:05"), time("2026-11-21T12:05:00.999999Z"));
    assert_eq!(read("2026-11-21T14:05"), time("2026-11-21T12:05:00.999999Z"));
    assert_eq!(read("2026-11-21 14:05:07"), time("2026-11-21T12:05:07.999999Z"));
    // 13:30 in the hall is 11:30 by the log, on the day of the last record.
    assert_eq!(read("13:30"), time("2026-11-21T11:30:00.999999Z"));
    assert_eq!(read("13:30:09"), time("2026-11-21T11:30:09.999999Z"));
}

#[test]
fn a_time_may_have_its_zone_behind_it() {
    let here = FixedOffset::east_opt(2 * 3600).expect("a zone");
    let read = |text| parse(text, &here, &evening());
    let time = |text| Ok(Moment::Time(at(text)));
    for text in ["2026-11-21 11:30 UTC", "11:30 UTC", "11:30Z", "10:30 -01:00", "13:00+01:30"] {
        assert_eq!(read(text), time("2026-11-21T11:30:00.999999Z"), "{text}");
    }
}

/// Wherever the machine stands that it is typed into.
#[test]
fn a_time_that_is_printed_can_be_typed_back() {
    let (first, behind) = (-62_167_219_200_000_000i64, 253_402_300_800_000_000);
    let mut times = vec![first, -1, 0, 1, behind - 1];
    let mut dice = 1u64;
    times.resize_with(20_000, || {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        first + (dice >> 1) as i64 % (behind - first)
    });
    for (unix_micros, hours) in times.into_iter().zip((-12..=14).cycle()) {
        let here = FixedOffset::east_opt(hours * 3600).expect("a zone");
        let time = Time { unix_micros };
        let read = |text: &str| parse(text, &here, &evening());
        let unix_micros = unix_micros.div_euclid(1_000_000) * 1_000_000 + 999_999;
        assert_eq!(read(&utc(time)), Ok(Moment::Time(Time { unix_micros })));
        assert_eq!(read(&in_words(time)), Ok(Moment::Time(time)));
    }
}

#[test]
fn a_time_without_a_day_is_the_last_one_of_the_event() {
    let utc = FixedOffset::east_opt(0).expect("a zone");
    let read = |text, timeline: &Timeline| parse(text, &utc, timeline);
    let time = |text| Ok(Moment::Time(at(text)));
    let past_midnight = timeline(&[(1, "2026-11-20T18:00:00Z"), (1, "2026-11-21T00:20:00Z")]);
    assert_eq!(read("23:10", &past_midnight), time("2026-11-20T23:10:00.999999Z"));
    assert_eq!(read("00:10", &past_midnight), time("2026-11-21T00:10:00.999999Z"));
    // Nobody means yesterday, when it was not open yet.
    assert_eq!(read("17:00", &past_midnight), time("2026-11-21T17:00:00.999999Z"));
    assert_eq!(read("23:00", &evening()), time("2026-11-21T23:00:00.999999Z"));
}

#[test]
fn what_is_no_moment_is_refused() {
    let utc = FixedOffset::east_opt(0).expect("a zone");
    let digits = "9".repeat(40);
    let long = "1".repeat(10_000);
    for text in [
        "",
        " ",
        "noon",
        "-1",
        "1.5",
        "14",
        "25:00",
        "14:60",
        "2026-11-21",
        "21.11.2026 14:05",
        "2026-02-30 14:05",
        "2026-11-21T14:05:00",
        "14:05 CET",
        "UTC",
        "14:05+01",
        "+01:00",
        "2026-02-30 14:05 UTC",
        "round 3",
        "１４:０５",
        &digits,
        &long,
    ] {
        let found = parse(text, &utc, &evening());
        let is_number = text == "14";
        let is_local = text == "2026-11-21T14:05:00";
        match found {
            Ok(_) => assert!(is_number || is_local, "{text:?} is a moment"),
            Err(error) => {
                assert!(!is_number && !is_local, "{text:?}");
                assert_eq!(error.code(), "bad-moment", "{text:?}");
                assert!(matches!(&error, AsOfError::NotAMoment { text } if text.len() <= 64));
            }
        }
    }
}
