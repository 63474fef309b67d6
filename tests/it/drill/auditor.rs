//! The auditor: they read the log behind everybody's back and holds it against what was asked and
//! what was answered, with a reader of records of their own and a picture of their own.

use super::legal::judge;
use super::model::Model;
use super::picture::{difference, of_model, of_state};
use scrutineer_engine::book::PrivateTexts;
use scrutineer_engine::event::Event;
use scrutineer_engine::handler::{Answer, CommandError, Request};
use scrutineer_engine::log::{Head, Log};
use scrutineer_engine::record::{CommandId, Record, RecordHash, StreamId};
use scrutineer_engine::tournament::Tournament;
use std::collections::BTreeMap;

/// Something that must not be.
#[derive(Debug)]
pub struct Finding {
    pub name: &'static str,
    pub sentence: String,
}

pub type Audited = Result<(), Finding>;

fn found<T>(name: &'static str, sentence: impl Into<String>) -> Result<T, Finding> {
    Err(Finding { name, sentence: sentence.into() })
}

fn must(holds: bool, name: &'static str, sentence: impl FnOnce() -> String) -> Audited {
    if holds { Ok(()) } else { found(name, sentence()) }
}

/// What somebody was told; nothing where the power failed.
pub type Said = Option<Result<Answer, CommandError>>;

/// A record as the auditor read it, by the offsets of FORMAT.md.
struct Line {
    bytes: Vec<u8>,
    hash: [u8; 32],
    command: CommandId,
    part: u32,
    parts: u32,
    time: i64,
    actor: u32,
    event: Event,
}

pub struct Auditor {
    stream: StreamId,
    pub model: Model,
    lines: Vec<Line>,
    asked: BTreeMap<CommandId, Vec<Request>>,
    /// Where each command stands, and which of the requests under its id it was.
    recorded: BTreeMap<CommandId, (u64, u64, usize)>,
    /// What was answered for the first time, in the order of the answers.
    answered: Vec<(CommandId, u64, u64)>,
}

fn number<const N: usize>(bytes: &[u8], offset: usize) -> [u8; N] {
    bytes[offset..offset + N].try_into().expect("so many bytes")
}

impl Auditor {
    pub fn new(stream: StreamId) -> Auditor {
        Auditor {
            stream,
            model: Model::default(),
            lines: Vec::new(),
            asked: BTreeMap::new(),
            recorded: BTreeMap::new(),
            answered: Vec::new(),
        }
    }

    /// A request is on its way.
    pub fn asked(&mut self, request: &Request) {
        self.asked.entry(request.id).or_default().push(request.clone());
    }

    /// The head of the log when it had so many events; none where the log never ended there.
    pub fn head_at(&self, seq: u64) -> Option<Head> {
        let line = self.lines.get((seq as usize).checked_sub(1)?)?;
        (line.part == line.parts).then_some(Head { seq, hash: RecordHash(line.hash) })
    }

    /// The times of the records, in their order.
    pub fn times(&self) -> impl Iterator<Item = i64> {
        self.lines.iter().map(|line| line.time)
    }

    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.lines.iter().map(|line| &line.event)
    }

    /// Reads the whole log. What was read before must be there still; what is new must be what
    /// somebody asked for, whole, once, and what the rules allow.
    pub fn read(&mut self, log: &dyn Log) -> Audited {
        let read: Result<Vec<Record>, _> = log.read(self.stream, 0).collect();
        let records = match read {
            Ok(records) => records,
            Err(error) => return found("unreadable", error.to_string()),
        };
        for (at, line) in self.lines.iter().enumerate() {
            let same = records.get(at).is_some_and(|record| record.bytes() == line.bytes);
            let command = &line.command;
            must(same, "rewritten", || format!("event {} of command {command} is gone", at + 1))?;
        }
        let from = self.lines.len();
        for record in &records[from..] {
            self.read_record(record)?;
        }
        if let Some(last) = self.lines.last() {
            let whole = last.part == last.parts;
            must(whole, "half a command", || format!("{} ends with {}", last.parts, last.part))?;
        }
        let mut at = from;
        while at < self.lines.len() {
            let parts = self.lines[at].parts as usize;
            self.judge_command(at, at + parts)?;
            at += parts;
        }
        let log_says = log.head(self.stream).map(|head| (head.seq, head.hash.0));
        let last = self.lines.last().map_or([0; 32], |line| line.hash);
        let read_says = (self.lines.len() as u64, last);
        must(log_says == Ok(read_says), "head", || format!("the log says that it is {log_says:?}"))
    }

    fn read_record(&mut self, record: &Record) -> Audited {
        let bytes = record.bytes();
        let seq = self.lines.len() as u64 + 1;
        must(bytes.len() >= 103 && bytes[..3] == [1, 1, 1], "envelope", || format!("event {seq}"))?;
        let stream = number::<16>(bytes, 3) == self.stream.0;
        must(stream, "other stream", || format!("event {seq}"))?;
        let stands_at = u64::from_le_bytes(number(bytes, 19));
        must(stands_at == seq, "gap", || format!("event {stands_at} where {seq} should be"))?;
        let before = self.lines.last().map_or([0; 32], |line| line.hash);
        let chained = number::<32>(bytes, 67) == before;
        must(chained, "chain", || format!("event {seq} was written after another one"))?;
        let hash = blake3::derive_key("scrutineer 2026 record v1", bytes);
        must(hash == record.hash().0, "hash", || format!("event {seq} is kept with another hash"))?;
        let payload = u32::from_le_bytes(number(bytes, 99)) as usize;
        must(bytes.len() == 103 + payload, "length", || format!("event {seq}"))?;
        let kind = u16::from_le_bytes(number(bytes, 63));
        let schema = u16::from_le_bytes(number(bytes, 65));
        let event = match Event::decode_strict(kind, schema, &bytes[103..]) {
            Ok(event) => event,
            Err(error) => return found("unreadable", format!("event {seq}: {error}")),
        };
        let line = Line {
            bytes: bytes.to_vec(),
            hash,
            command: CommandId(u128::from_le_bytes(number(bytes, 39))),
            part: u32::from_le_bytes(number(bytes, 55)),
            parts: u32::from_le_bytes(number(bytes, 59)),
            time: i64::from_le_bytes(number(bytes, 27)),
            actor: u32::from_le_bytes(number(bytes, 35)),
            event,
        };
        let expected = match self.lines.last() {
            Some(last) if last.part < last.parts => (last.command, last.part + 1, last.parts),
            _ => (line.command, 1, line.parts.max(1)),
        };
        let in_place = (line.command, line.part, line.parts) == expected;
        must(in_place, "command's parts", || {
            format!("event {seq} is part {} of {} of {}", line.part, line.parts, line.command)
        })?;
        self.lines.push(line);
        Ok(())
    }

    fn judge_command(&mut self, from: usize, to: usize) -> Audited {
        let lines = &self.lines[from..to];
        let (id, first) = (lines[0].command, from as u64 + 1);
        let earlier = self.recorded.get(&id);
        must(earlier.is_none(), "recorded twice", || format!("command {id}, again as {first}"))?;
        let Some(asked) = self.asked.get(&id) else {
            return found("nobody asked", format!("event {first}, command {id}"));
        };
        let events: Vec<&Event> = lines.iter().map(|line| &line.event).collect();
        let (time, actor) = (lines[0].time, lines[0].actor);
        let alike = lines.iter().all(|line| (line.time, line.actor) == (time, actor));
        must(alike, "time", || format!("the parts of command {id} differ in time or actor"))?;
        let at_that_time =
            |request: &&Request| (request.time.unix_micros, request.actor.0) == (time, actor);
        let asked: Vec<(usize, &Request)> =
            (0..).zip(asked).filter(|(_, r)| at_that_time(r)).collect();
        must(!asked.is_empty(), "time", || format!("event {first}: nobody asked at that time"))?;
        let mut why = Vec::new();
        for (which, request) in asked {
            match judge(&self.model, &request.command) {
                Err(reasons) => why.push(("not legal", format!("event {first}: {reasons:?}"))),
                Ok(facts) if facts.iter().eq(events.iter().copied()) => {
                    self.recorded.insert(id, (first, to as u64, which));
                    events.into_iter().for_each(|event| self.model.take(event));
                    return Ok(());
                }
                Ok(_) => why.push(("other facts", format!("event {first} is not what was asked"))),
            }
        }
        let (name, sentence) = why.swap_remove(0);
        found(name, sentence)
    }

    /// What was told to whoever asked, held against the log as it was just read.
    pub fn said(&mut self, request: &Request, said: &Said, excused: bool) -> Audited {
        match said {
            None => must(excused, "silence", || "no answer, and no power failed".to_owned()),
            Some(Ok(answer)) => self.was_answered(request, answer),
            Some(Err(refusal)) => self.was_refused(request, refusal, excused),
        }
    }

    fn was_answered(&mut self, request: &Request, answer: &Answer) -> Audited {
        let id = request.id;
        let Answer { first_seq: first, last_seq: last, repeated } = *answer;
        let Some(&(from, to, which)) = self.recorded.get(&id) else {
            return found("lost", format!("command {id} was acknowledged as {first} to {last}"));
        };
        must((from, to) == (first, last), "another answer", || {
            format!("command {id} stands at {from} to {to}, and was answered as {first} to {last}")
        })?;
        let same = is_same(request, &self.asked[&id][which]);
        must(same, "another command's answer", || format!("command {id} was something else"))?;
        if repeated {
            return Ok(());
        }
        let twice = self.answered.iter().any(|(other, ..)| *other == id);
        must(!twice, "answered twice", || format!("command {id} is said to be new again"))?;
        let before = self.answered.last().map_or(0, |(_, _, last)| *last);
        must(first > before, "order of answers", || format!("{first} after {before}"))?;
        self.answered.push((id, first, last));
        Ok(())
    }

    fn was_refused(&mut self, request: &Request, refusal: &CommandError, excused: bool) -> Audited {
        let (code, head) = (refusal.code(), self.model.head());
        let there = self.recorded.get(&request.id);
        let allowed = match refusal {
            CommandError::Rejected(rejection) => match judge(&self.model, &request.command) {
                Ok(_) => return found("refused wrongly", format!("{code}: {rejection}")),
                Err(reasons) if !reasons.contains(code.word) => {
                    return found("another reason", format!("{code}, and it is {reasons:?}"));
                }
                Err(_) => code == "too-large" || there.is_none(),
            },
            CommandError::IdReused(_) => {
                there.is_some_and(|&(.., which)| !is_same(request, &self.asked[&request.id][which]))
            }
            CommandError::Moved { expected, head: said } => {
                there.is_none() && *said == head && *expected != head
            }
            _ => excused,
        };
        must(allowed, "refused wrongly", || format!("{code}: {refusal}, at {head}"))
    }

    /// A private word stands in the book if its command stands in the log, and is gone from it
    /// once the command was refused.
    pub fn words(&self, books: &dyn PrivateTexts, request: &Request, refused: bool) -> Audited {
        let Ok(book) = books.book(self.stream) else {
            return found("words", "the book cannot be read");
        };
        let there = self.recorded.get(&request.id);
        for entry in &request.private {
            let stands = book.entry(entry.number) == Some(entry);
            match there {
                Some((first, _, which))
                    if self.asked[&request.id][*which].private == request.private =>
                {
                    must(stands, "words lost", || format!("entry {} of {first}", entry.number))?;
                }
                None if refused => {
                    must(!stands, "words left over", || format!("entry {}", entry.number))?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Everything that was recorded has its words.
    pub fn all_words(&self, books: &dyn PrivateTexts) -> Audited {
        let kept = self.recorded.iter().map(|(id, (.., which))| &self.asked[id][*which]);
        kept.into_iter().try_for_each(|request| self.words(books, request, false))
    }

    /// The state that the program loaded, and the one folded from the first event on, are the
    /// auditor's.
    pub fn compare(&self, loaded: &Tournament) -> Audited {
        let folded = Tournament::of(self.events());
        must(folded == *loaded, "state", || {
            let (one, other) = (of_state(&folded), of_state(loaded));
            format!("folded anew it is another one: {:?}", difference(&one, &other))
        })?;
        match difference(&of_model(&self.model), &of_state(loaded)) {
            None => Ok(()),
            Some(sentence) => found("picture", sentence),
        }
    }
}

/// Whether two requests under one id ask for the same.
fn is_same(one: &Request, other: &Request) -> bool {
    (one.actor, &one.command) == (other.actor, &other.command)
}
