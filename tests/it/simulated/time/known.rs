//! `--as-of`: what had been recorded by a moment.

use super::{events, small};
use crate::random_tournaments::Dice;
use crate::simulated::Played;
use scrutineer_engine::event::{Event, SCHEMA};
use scrutineer_engine::log::{Batch, Head, Log, MemoryLog};
use scrutineer_engine::record::{Header, Record, Time};
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::standings::{Detail, Standings};
use scrutineer_replay::as_of::{AsOfError, Moment, Past, Timeline};
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::verify::{Beside, verify};

/// Where a log may be cut: the last event of each command.
fn ends(log: &[(Header, Event)]) -> Vec<u64> {
    let last = log.iter().filter(|(header, _)| header.part == header.parts);
    last.map(|(header, _)| header.seq).collect()
}

#[test]
fn as_of_an_event_is_the_fold_of_the_log_up_to_it() {
    let mut cuts = 0;
    for played in small(14) {
        let stream = played.simulated.stream;
        let timeline = Timeline::read(played.store.log(), stream).expect("readable");
        let (events, ends) = (events(&played), ends(&played.event.log));
        let every = ends.len().div_ceil(40);
        for &seq in ends.iter().step_by(every).chain(ends.last()) {
            let as_of = timeline.as_of(Moment::Seq(seq)).expect("a cut");
            let event = played.store.load_as_of(stream, as_of, true).expect("loaded");
            let (name, first) = (played.name(), &events[..seq as usize]);
            let state = Tournament::of(first);
            assert!(*event.state == state, "{name}: as of {seq}");
            assert_eq!(event.log, played.event.log[..seq as usize], "{name}: as of {seq}");
            let fold = |state| Standings::of(state, played.rules(), Scope::default(), Detail::All);
            let (here, there) = (fold(&event.state).expect("folds"), fold(&state).expect("folds"));
            assert_eq!(here.hash(), there.hash(), "{name}: as of {seq}");
            cuts += 1;
        }
        let head = timeline.as_of(Moment::Seq(events.len() as u64)).expect("the head");
        assert_eq!(head.head.hash, played.event.head, "{}", played.name());
    }
    assert!(cuts > 200, "{cuts} cuts");
}

#[test]
fn no_command_is_ever_cut_in_two() {
    for played in small(10) {
        let stream = played.simulated.stream;
        let timeline = Timeline::read(played.store.log(), stream).expect("readable");
        let ends = ends(&played.event.log);
        for seq in 1..=played.event.log.len() as u64 {
            let whole = ends.iter().rev().find(|end| **end <= seq);
            match (timeline.as_of(Moment::Seq(seq)), whole) {
                (Ok(as_of), Some(&end)) => {
                    assert_eq!(as_of.head.seq, end);
                    let next = ends.iter().find(|next| **next > end);
                    let expected = (seq > end).then(|| (seq, end + 1, *next.expect("a command")));
                    assert_eq!(as_of.within, expected);
                }
                (Err(AsOfError::BeforeOpening { through, .. }), None) => {
                    assert_eq!(through, ends[0]);
                }
                (found, whole) => panic!("as of {seq}: {found:?}, and {whole:?} is whole"),
            }
        }
        let past = |seq| {
            let as_of = timeline.as_of(Moment::Seq(seq)).expect("a cut");
            Past::new(played.store.log(), stream, as_of.head)
        };
        let middle = ends[ends.len() / 2];
        let (found, _) = verify(&past(middle), stream, Beside::default());
        assert!(found.holds(), "{}: {:?}", played.name(), found.findings);
        assert_eq!(found.records, middle);
    }
}

/// The same events, recorded by desks whose clocks jump; all parts of a command have one time.
fn recorded_by_bad_clocks(played: &Played, dice: &mut Dice) -> (MemoryLog, Vec<Time>) {
    let log = MemoryLog::new();
    let mut head = Head::EMPTY;
    let mut records = Vec::new();
    let mut times = Vec::new();
    let mut time = 0i64;
    for (header, event) in &played.event.log {
        if header.part == 1 {
            time += match dice.below(10) {
                0 => -(dice.below(5_000) as i64),
                1 => 0,
                _ => dice.below(1_000) as i64,
            };
        }
        let time = Time { unix_micros: time };
        let previous = records.last().map_or(head.hash, Record::hash);
        let header = Header { time, previous, schema: SCHEMA, ..*header };
        let payload = event.encode().expect("small enough");
        records.push(Record::seal(header, &payload).expect("small enough"));
        times.push(time);
        if header.part == header.parts {
            let batch = Batch {
                records: std::mem::take(&mut records),
                command_digest: [0; 32],
                texts: Vec::new(),
            };
            head = log.append(head, batch).expect("appended");
        }
    }
    (log, times)
}

#[test]
fn as_of_a_time_goes_by_the_latest_time_so_far() {
    let mut dice = Dice(0xC10C);
    let mut back = 0;
    for played in small(20) {
        let (log, times) = recorded_by_bad_clocks(&played, &mut dice);
        back += times.windows(2).filter(|pair| pair[1] < pair[0]).count();
        let timeline = Timeline::read(&log, played.simulated.stream).expect("readable");
        let edges = times.iter().flat_map(|time| [-1, 0, 1].map(|by| time.unix_micros + by));
        for unix_micros in edges {
            let time = Time { unix_micros };
            // Whoever stood at the desk then had everything up to the first event that a clock
            // had not reached by then.
            let naive = times.iter().take_while(|recorded| **recorded <= time).count() as u64;
            match timeline.as_of(Moment::Time(time)) {
                Ok(as_of) => {
                    assert_eq!(as_of.head.seq, naive, "{}: at {time:?}", played.name());
                    assert_eq!(as_of.recorded, times[naive as usize - 1]);
                    assert_eq!(as_of.within, None);
                }
                Err(AsOfError::BeforeOpening { .. }) => assert_eq!(naive, 0),
                Err(error) => panic!("{error}"),
            }
        }
    }
    assert!(back > 50, "clocks stepped back {back} times");
}

/// What hung on the wall, asked for by the number of the announcement and by the time at which it
/// was recorded. The draw of the next round was recorded in the same moment, and changes nothing.
#[test]
fn as_of_an_announcement_stands_what_was_announced() {
    let (mut announced, mut by_time, mut corrected) = (0, 0, 0);
    for played in small(60) {
        let (name, stream) = (played.name(), played.simulated.stream);
        let timeline = Timeline::read(played.store.log(), stream).expect("readable");
        let known = |moment| {
            let as_of = timeline.as_of(moment).expect("a cut");
            played.store.load_as_of(stream, as_of, false).expect("loaded")
        };
        for (seq, announcement) in played.event.state.announcements() {
            let through = Some(announcement.through_round);
            let fold = |event: &LoadedTournament| {
                let scope = Scope { through, final_order: None };
                let folded = Standings::of(&event.state, played.rules(), scope, Detail::Order);
                folded.expect("folds").hash()
            };
            let then = known(Moment::Seq(*seq));
            assert_eq!(fold(&then), announcement.table, "{name}: event {seq}");
            announced += 1;
            let at_that_time = known(Moment::Time(played.event.log[*seq as usize - 1].0.time));
            // The end of the event is announced twice: after its last round, and once it is over.
            if at_that_time.state.is_closed() == then.state.is_closed() {
                assert_eq!(fold(&at_that_time), announcement.table, "{name}: at event {seq}");
                by_time += 1;
            }
            corrected += u32::from(fold(&played.event) != announcement.table);
        }
    }
    assert!(announced > 150 && by_time > 100, "{announced} announcements, {by_time} by time");
    assert!(corrected > 20, "only {corrected} tables look otherwise today");
}
