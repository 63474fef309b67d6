//! Where two histories of a tournament part, in words.

use super::read::{Piece, Read, read};
use crate::loaded::LoadedTournament;
use crate::mirror::in_words;
use crate::staff::Staff;
use scrutineer_engine::book::Book;
use scrutineer_engine::event::Event;
use scrutineer_engine::record::{Header, RecordHash, StreamId, to_hex};
use scrutineer_projections::counted;
use scrutineer_projections::timeline::sentence;
use std::io::{self, BufRead};
use std::ops::ControlFlow;

/// How many events of each side are told beyond what both have.
pub const MAX_TOLD: usize = 20;

/// How two histories are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Event for event the same.
    Same,
    /// The first one has so many events more.
    FirstLonger(u64),
    /// The second one has so many events more.
    SecondLonger(u64),
    /// They part after so many events that both have; 0: they have nothing in common.
    Parted(u64),
    /// They are of two events.
    OtherEvent,
}

/// An event that one side has, told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// Its seq.
    pub seq: u64,
    /// Its sentence.
    pub sentence: String,
    /// Its envelope in words: when and by whom.
    pub envelope: String,
}

/// What one side has beyond what both have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beyond {
    /// The first events of it, at most [`MAX_TOLD`].
    pub told: Vec<Told>,
    /// How many more there are.
    pub more: u64,
}

/// Two histories beside each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differ {
    /// The ids of the two.
    pub streams: (StreamId, StreamId),
    /// How they are related.
    pub relation: Relation,
    /// What the first has beyond.
    pub first: Beyond,
    /// What the second has beyond.
    pub second: Beyond,
}

impl Differ {
    /// Compares two histories event by event, each with its envelope.
    pub fn of(first: &LoadedTournament, second: &LoadedTournament) -> Differ {
        let same = shared(first, second);
        let beyond = (first.log.len() - same, second.log.len() - same);
        let relation = match beyond {
            _ if first.stream != second.stream => Relation::OtherEvent,
            (0, 0) => Relation::Same,
            (more, 0) => Relation::FirstLonger(more as u64),
            (0, more) => Relation::SecondLonger(more as u64),
            _ => Relation::Parted(same as u64),
        };
        let streams = (first.stream, second.stream);
        Differ { streams, relation, first: tell(first, same), second: tell(second, same) }
    }

    /// The first difference, in a sentence, with words for the two sides.
    pub fn sentence(&self, first: &str, second: &str) -> String {
        let events = |count: u64| counted(count, "event");
        match self.relation {
            Relation::Same => format!("{first} and {second} are the same, event for event"),
            Relation::FirstLonger(more) => {
                format!("{first} is {second} and {} more", events(more))
            }
            Relation::SecondLonger(more) => {
                format!("{second} is {first} and {} more", events(more))
            }
            Relation::OtherEvent => {
                let (a, b) = self.streams;
                format!("{first} is event {a}, {second} is event {b}")
            }
            Relation::Parted(same) => {
                let mut text = match same {
                    0 => "they part at the first event".to_string(),
                    _ => format!("they part after event {same}"),
                };
                if let (Some(a), Some(b)) = (self.first.told.first(), self.second.told.first()) {
                    let seq = a.seq;
                    text.push_str(&match a.sentence == b.sentence {
                        false => format!(
                            ": in {first} event {seq} is \"{}\", in {second} \"{}\"",
                            a.sentence, b.sentence
                        ),
                        true => format!(
                            ": event {seq} is \"{}\" in both, but in {first} {}, in {second} {}",
                            a.sentence, a.envelope, b.envelope
                        ),
                    });
                }
                text
            }
        }
    }
}

/// How many events both have, from the first; up to the end of a command.
pub fn shared(first: &LoadedTournament, second: &LoadedTournament) -> usize {
    let unlinked = |header: &Header| Header { previous: RecordHash::ZERO, ..*header };
    let same = |(a, b): &(&(Header, Event), &(Header, Event))| {
        unlinked(&a.0) == unlinked(&b.0) && a.1 == b.1
    };
    let mut count = first.log.iter().zip(&second.log).take_while(same).count();
    while count > 0 && first.log[count - 1].0.part != first.log[count - 1].0.parts {
        count -= 1;
    }
    count
}

fn tell(event: &LoadedTournament, after: usize) -> Beyond {
    let (beyond, staff) = (&event.log[after..], Staff::of(event));
    let told = beyond.iter().take(MAX_TOLD).map(|(header, logged)| Told {
        seq: header.seq,
        sentence: match logged {
            // "standings after round 4 are announced" says the same of two tables.
            Event::StandingsAnnounced(one) => {
                let told = sentence(&event.state, header.seq, logged, event);
                format!("{told}: table {}", to_hex(&one.table[..4]))
            }
            _ => sentence(&event.state, header.seq, logged, event),
        },
        envelope: format!(
            "recorded at {} by {} (command {})",
            in_words(header.time),
            staff.who(header),
            header.command
        ),
    });
    Beyond { told: told.collect(), more: beyond.len().saturating_sub(MAX_TOLD) as u64 }
}

/// Reads a bundle's events as far as they can be read one after the other, without judging them;
/// none where there is not one.
///
/// # Errors
/// Where the input cannot be read.
pub fn open(input: &mut dyn BufRead) -> io::Result<Option<LoadedTournament>> {
    let (mut log, mut book, mut head) = (Vec::new(), None::<Book>, RecordHash::ZERO);
    let mut over = false;
    read(input, &mut |_, piece| {
        match piece {
            Read::Piece(Piece::Record { record, event: Some(event), .. }) if !over => {
                let header = record.header();
                let book = book.get_or_insert_with(|| Book::new(header.stream));
                match header.stream == book.stream() && header.seq == log.len() as u64 + 1 {
                    true => {
                        head = record.hash();
                        log.push((header, event));
                    }
                    false => over = true,
                }
            }
            Read::Piece(Piece::Record { .. }) => over = true,
            Read::Piece(Piece::Entry(entry)) => {
                // One out of its order is passed over: its words are not shown.
                let _ = book.as_mut().map(|book| book.add(entry));
            }
            _ => {}
        }
        ControlFlow::Continue(())
    })?;
    Ok(book.map(|book| LoadedTournament::of(book.stream(), head, log, book)))
}
