//! Checking a bundle with nothing but the file, and what somebody holds against it.
//!
//! Nothing that the file says of itself is believed: every record is hashed and chained here, and
//! goes through the same walk as those of a store, which makes everything again that follows.

use super::read::{Fault, Piece, Place, Read, read};
use super::write::{brings_into_force, proof, roster};
use super::{Header, MAX_COMMAND, MAX_RULESETS, MAX_SECRETS};
use crate::announced::AnnouncedTable;
use crate::trust::attested::{Attested, attested};
use crate::trust::check::{check_kept, compare_with_known};
use crate::trust::checkpoint::Signed;
use crate::trust::history::History;
use crate::trust::note::PublicKey;
use crate::trust::note::fingerprint;
use crate::verify::{Against, Beside, Finding, Severity, Walk};
use scrutineer_engine::book::{Commitment, PrivateEntry, commit};
use scrutineer_engine::event::{Event, RulesetFile};
use scrutineer_engine::record::{Chain, ChainError, Record, RecordHash, StreamId, to_hex};
use scrutineer_engine::seed;
use scrutineer_projections::counted;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead};
use std::ops::ControlFlow;

/// How many findings are kept; of more only the number.
pub const MAX_FINDINGS: usize = 1_000;

/// What the walk finds too, and is said here with its line.
const SAID: [&str; 4] = ["chain", "cut-off", "unreadable", "not-judged"];

/// Something that was found, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The line, from 1; 0: the whole file.
    pub line: u64,
    /// What was found.
    pub finding: Finding,
}

/// What was looked at and found.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The first line, where it can be read.
    pub header: Option<Header>,
    /// The tournament that its records are of.
    pub stream: Option<StreamId>,
    /// How many records follow each other from the first.
    pub records: u64,
    /// The hash of the last one.
    pub head: RecordHash,
    /// How many announced tables there are.
    pub tables: u64,
    /// How many checkpoints.
    pub checkpoints: u64,
    /// How many private words.
    pub entries: u64,
    /// How far the given key stands for the records; none where no key was given.
    pub attested: Option<Attested>,
    /// The key that was given.
    pub key: Option<PublicKey>,
    /// What was found, at most [`MAX_FINDINGS`].
    pub findings: Vec<Found>,
    /// How many findings there are beyond those.
    pub more: u64,
    /// How many of those are errors.
    pub more_errors: u64,
    /// How many of them could not be checked.
    pub more_unchecked: u64,
    /// The log as checkpoints see it, and the checkpoints.
    log: Option<(History, Vec<Signed>)>,
}

impl Checked {
    /// Whether nothing is wrong.
    pub fn holds(&self) -> bool {
        let wrong = |found: &Found| found.finding.severity >= Severity::Error;
        self.more_errors == 0 && !self.findings.iter().any(wrong)
    }

    /// How many things could not be checked.
    pub fn unchecked(&self) -> u64 {
        let unchecked = |found: &&Found| found.finding.severity == Severity::Unchecked;
        self.findings.iter().filter(unchecked).count() as u64 + self.more_unchecked
    }

    /// How far a key, or who stands for it, signed the records.
    pub fn attested_by(&self, key: &PublicKey) -> Attested {
        let log = self.log.as_ref();
        log.map_or(Attested::default(), |(history, signed)| attested(history, signed, key))
    }

    /// Whether the given key stands for every record; where none was given, nobody asked.
    pub fn is_attested(&self) -> bool {
        self.attested.as_ref().is_none_or(|found| found.size == Some(self.records))
    }

    /// The log as checkpoints see it, and the checkpoints; none: it is not in order.
    pub fn log(&self) -> Option<(&History, &[Signed])> {
        self.log.as_ref().map(|(history, signed)| (history, &signed[..]))
    }

    /// The tournament's keys that signed a checkpoint.
    pub fn signed_by(&self, signed: &Signed) -> Vec<PublicKey> {
        self.log.as_ref().map_or(Vec::new(), |(history, _)| history.signed_by(signed))
    }

    /// The key that signs after so many records.
    pub fn signer(&self, size: u64) -> Option<PublicKey> {
        self.log.as_ref()?.0.signer(size)
    }

    /// Whether the file is no bundle at all, one of a later version, or one whose line ends were
    /// changed: nothing else can be said.
    pub fn is_foreign(&self) -> Option<&Finding> {
        let foreign = |found: &&Found| {
            matches!(found.finding.code, "not-a-bundle" | "newer-bundle" | "line-ends")
                && found.line <= 1
        };
        self.findings.iter().find(foreign).map(|found| &found.finding)
    }
}

/// Checks a bundle to its end. Whatever is wrong is a finding.
///
/// # Errors
/// Where the input cannot be read.
pub fn check(input: &mut dyn BufRead, against: &Against) -> io::Result<Checked> {
    let mut checker = Checker::new();
    read(input, &mut |place, read| {
        match read {
            Read::Fault(Fault { code, sentence }) => checker.error(place, code, sentence),
            Read::Piece(piece) => checker.take(place, piece),
        }
        ControlFlow::Continue(())
    })?;
    Ok(checker.finish(against))
}

/// The line of a record.
fn line_of(seq: u64) -> u64 {
    if seq == 0 { 0 } else { seq + 1 }
}

struct Checker {
    checked: Checked,
    chain: Option<Chain>,
    /// The hash that stands beside the last record: the next one may have been written after it.
    kept: Option<RecordHash>,
    history: Option<History>,
    walk: Option<Walk<'static>>,
    /// Whether an event is missing: what comes after it, nobody can judge.
    is_gap: bool,
    rulesets: Vec<Vec<RulesetFile>>,
    committed: BTreeSet<(u32, u8, [u8; 32])>,
    /// The name of each actor.
    staff: BTreeMap<u32, Commitment>,
    /// The numbers of the private words in it.
    entries: BTreeSet<u32>,
    commands: BTreeSet<u128>,
    command_bytes: u64,
    seeds: BTreeSet<[u8; 32]>,
    announced: BTreeMap<u64, [u8; 32]>,
    /// Those of which the table is in it.
    tabled: BTreeSet<u64>,
    secrets: usize,
    signed: Vec<Signed>,
}

impl Checker {
    fn new() -> Checker {
        let checked = Checked {
            header: None,
            stream: None,
            records: 0,
            head: RecordHash::ZERO,
            tables: 0,
            checkpoints: 0,
            entries: 0,
            attested: None,
            key: None,
            findings: Vec::new(),
            more: 0,
            more_errors: 0,
            more_unchecked: 0,
            log: None,
        };
        Checker {
            checked,
            chain: None,
            kept: None,
            history: None,
            walk: None,
            is_gap: false,
            rulesets: Vec::new(),
            committed: BTreeSet::new(),
            staff: BTreeMap::new(),
            entries: BTreeSet::new(),
            commands: BTreeSet::new(),
            command_bytes: 0,
            seeds: BTreeSet::new(),
            announced: BTreeMap::new(),
            tabled: BTreeSet::new(),
            secrets: 0,
            signed: Vec::new(),
        }
    }

    fn find(&mut self, line: u64, finding: Finding) {
        match self.checked.findings.len() < MAX_FINDINGS {
            true => self.checked.findings.push(Found { line, finding }),
            false => {
                self.checked.more += 1;
                self.checked.more_errors += u64::from(finding.severity >= Severity::Error);
                self.checked.more_unchecked += u64::from(finding.severity == Severity::Unchecked);
            }
        }
    }

    fn error(&mut self, place: Place, code: &'static str, sentence: impl Into<String>) {
        let (sentence, severity) = (sentence.into(), Severity::Error);
        self.find(place.line, Finding { code, seq: place.seq, sentence, severity });
    }

    fn take(&mut self, place: Place, piece: Piece) {
        match piece {
            Piece::Header(header) => {
                self.checked.stream = Some(header.stream);
                self.checked.header = Some(header);
            }
            Piece::Record { record, event, kept } => self.record(place, &record, event, kept),
            Piece::Table(table) => self.table(place, &table),
            Piece::Checkpoint { note, extends } => self.checkpoint(place, &note, &extends),
            Piece::Entry(entry) => self.entry(place, &entry),
            Piece::Secret(secret) => self.secret(place, &secret),
        }
    }

    fn record(
        &mut self,
        place: Place,
        record: &Record,
        event: Option<Event>,
        kept: Option<RecordHash>,
    ) {
        let header = record.header();
        let stream = *self.checked.stream.get_or_insert(header.stream);
        let chain = self.chain.get_or_insert_with(|| Chain::new(stream));
        let kept_before = std::mem::replace(&mut self.kept, kept);
        match chain.follows(record) {
            Ok(()) => {}
            // The one before was changed, which is said there.
            Err(ChainError::Unlinked { found, .. }) if Some(found) == kept_before => {
                self.chain = Some(Chain::after_record(record));
            }
            Err(fault) => {
                let missing =
                    matches!(fault, ChainError::Gap { expected, found } if found > expected);
                // The line that should have been that record is damaged, which is said there.
                let is_told = missing && place.seq == header.seq;
                let is_stray = matches!(
                    fault,
                    ChainError::OtherStream { .. } | ChainError::Gap { .. } if !missing
                );
                if !is_stray {
                    self.chain = Some(Chain::after_record(record));
                }
                if missing {
                    self.unknown(place);
                }
                if !is_told {
                    self.error(place, "chain", fault.to_string());
                }
                if is_stray {
                    self.kept = kept_before;
                    return;
                }
            }
        }
        self.command(place, record);
        (self.checked.records, self.checked.head) = (header.seq, record.hash());
        if let Some(history) = self.history(stream) {
            history.add(record);
        }
        match event {
            Some(event) => self.event(place, &event),
            None => self.unknown(place),
        }
        if !self.is_gap {
            self.walk.get_or_insert_with(|| Walk::new(stream, Beside::default())).take(record);
        }
    }

    /// The log as checkpoints see it, as long as no record is missing.
    fn history(&mut self, stream: StreamId) -> Option<&mut History> {
        let next = self.checked.records;
        let history = self.history.get_or_insert_with(|| History::new(stream));
        (history.size() + 1 == next).then_some(history)
    }

    /// A command stands once, and fits into a store.
    fn command(&mut self, place: Place, record: &Record) {
        let header = record.header();
        if header.part == 1 {
            self.command_bytes = 0;
            if !self.commands.insert(header.command.0) {
                let sentence = format!("command {} was carried out before", header.command);
                self.error(place, "command-twice", sentence);
            }
        }
        let before = self.command_bytes;
        self.command_bytes += record.bytes().len() as u64 + 32;
        if before <= MAX_COMMAND && self.command_bytes > MAX_COMMAND {
            let sentence = format!("its command has more than {MAX_COMMAND} bytes");
            self.error(place, "command-too-large", sentence);
        }
    }

    /// What comes after cannot be judged, which is said once.
    fn unknown(&mut self, place: Place) {
        if !std::mem::replace(&mut self.is_gap, true) {
            let sentence = "an event cannot be read or is missing, so what comes after it was \
                            chained, but not judged";
            let (code, severity) = ("not-judged", Severity::Information);
            let finding = Finding { code, seq: place.seq, sentence: sentence.into(), severity };
            self.find(place.line, finding);
        }
    }

    fn event(&mut self, place: Place, event: &Event) {
        // One more than may be is enough to see that the header cannot name them all.
        if let Some(files) = brings_into_force(event)
            && self.rulesets.len() <= MAX_RULESETS
            && !self.rulesets.contains(files)
        {
            self.rulesets.push(files.clone());
        }
        for (field, commitment) in event.commitments() {
            self.committed.insert((commitment.number, field.code(), commitment.digest));
        }
        match event {
            Event::StaffNamed(e) => _ = self.staff.insert(e.actor, e.name),
            Event::TournamentOpened(e) => self.seeds.extend(e.seed_commitment),
            Event::SeedRecommitted(e) => self.seeds.extend([e.seed_commitment]),
            Event::StandingsAnnounced(e) => _ = self.announced.insert(place.seq, e.table),
            _ => {}
        }
    }

    fn table(&mut self, place: Place, table: &AnnouncedTable) {
        self.checked.tables += 1;
        self.tabled.insert(table.announced);
        let place = Place { seq: table.announced, ..place };
        match self.announced.get(&table.announced) {
            Some(hash) if table.hash().as_ref() == Ok(hash) => {
                // The hash covers ranks and values; the words beside them follow from the ruleset.
                let made = self.walk.as_ref().and_then(|walk| walk.table_made(table.announced));
                if made.is_some_and(|made| *made != blake3::hash(table.to_line().as_bytes())) {
                    let sentence = "the table has other words than come out again";
                    self.error(place, "table-altered", sentence);
                }
            }
            Some(_) => {
                self.error(place, "table-altered", "the table is not the one that was announced")
            }
            // What was missing may have announced it.
            None if self.is_gap => {}
            None => self.error(place, "table-altered", "no standings were announced there"),
        }
    }

    fn checkpoint(&mut self, place: Place, note: &str, extends: &[[u8; 32]]) {
        self.checked.checkpoints += 1;
        let signed = match Signed::read(note.as_bytes()) {
            Ok(signed) => signed,
            Err(error) => {
                return self.error(place, "checkpoint-damaged", error.to_string());
            }
        };
        let before = self.signed.last().map(|before| before.checkpoint);
        let expected = match (&self.history, before) {
            (Some(history), before) => proof(history, before.as_ref(), &signed.checkpoint),
            _ => Vec::new(),
        };
        if expected != extends {
            let sentence = "the proof beside the checkpoint does not show that it extends the one \
                            before";
            let place = Place { seq: signed.checkpoint.size, ..place };
            self.error(place, "checkpoint-proof", sentence);
        }
        self.signed.push(signed);
    }

    fn entry(&mut self, place: Place, entry: &PrivateEntry) {
        self.checked.entries += 1;
        self.entries.insert(entry.number);
        let Some(stream) = self.checked.stream else { return };
        if let Some(why) = entry.field.objection(&entry.text) {
            let (number, what) = (entry.number, entry.field.word());
            let sentence = format!("nobody can have entered entry {number}: the {what} {why}");
            self.error(place, "entry-not-legal", sentence);
        }
        let digest = commit(stream, entry).digest;
        if !self.is_gap && !self.committed.contains(&(entry.number, entry.field.code(), digest)) {
            let number = entry.number;
            let sentence =
                format!("no event refers to entry {number} with this text: it was changed");
            self.error(place, "entry-altered", sentence);
        }
    }

    fn secret(&mut self, place: Place, secret: &[u8; 32]) {
        self.secrets += 1;
        if self.secrets > MAX_SECRETS {
            if self.secrets == MAX_SECRETS + 1 {
                self.error(place, "file-too-large", "there are too many secrets");
            }
            return;
        }
        if !self.is_gap && !self.seeds.contains(&seed::commitment(secret)) {
            self.error(place, "secret-altered", "the tournament never committed to this secret");
        }
    }

    fn finish(mut self, against: &Against) -> Checked {
        if self.checked.is_foreign().is_some() {
            return self.checked;
        }
        self.against_header();
        if self.chain.as_ref().is_some_and(|chain| !chain.is_complete()) {
            let place = Place { line: line_of(self.checked.records), seq: self.checked.records };
            self.error(
                place,
                "command-cut-off",
                "the last command is not there in full: it counts as absent",
            );
        }
        if self.checked.records == 0 {
            self.error(Place::default(), "no-records", "there is no record in it");
        }
        if let Some(walk) = self.walk.take() {
            self.texts(&walk);
            let made_again = walk.finish().0.findings.into_iter();
            for finding in made_again.filter(|finding| !SAID.contains(&finding.code)) {
                self.find(line_of(finding.seq), finding);
            }
        }
        self.tables_missing();
        self.outside(against);
        self.checked.findings.sort_by_key(|found| (found.line == 0, found.line));
        self.checked
    }

    /// Which of the words that it means to give are not in it: those that were forgotten, and others.
    fn texts(&mut self, walk: &Walk<'static>) {
        if self.is_gap {
            return;
        }
        let told = walk.forgotten(&|number| self.entries.contains(&number));
        let is_private = self.checked.header.as_ref().is_some_and(|header| header.private);
        let roster: BTreeSet<u32> = match walk.state() {
            Some(state) => roster(state, &self.staff).map(|words| words.number).collect(),
            None => BTreeSet::new(),
        };
        let meant: BTreeSet<u32> = if is_private || !self.entries.is_subset(&roster) {
            self.committed.iter().map(|(number, ..)| *number).collect()
        } else if !self.entries.is_empty() {
            roster
        } else {
            BTreeSet::new()
        };
        let is_missing =
            |number: &&u32| !self.entries.contains(number) && !walk.traces().is_forgotten(**number);
        let missing = meant.iter().filter(is_missing).count();
        let missing = (missing > 0).then(|| {
            let texts = counted(missing, "text");
            let sentence =
                format!("it does not give {texts}, and no event says that they were forgotten");
            ("words-missing", 0, sentence)
        });
        let severity = Severity::Information;
        for (code, seq, sentence) in told.into_iter().chain(missing) {
            self.find(line_of(seq), Finding { code, seq, sentence, severity });
        }
    }

    /// How many announced tables are not in it: whoever takes the last ones out makes an earlier one
    /// look like the last.
    fn tables_missing(&mut self) {
        let is_missing = |seq: &&u64| !self.tabled.contains(seq);
        let missing: Vec<u64> = self.announced.keys().filter(is_missing).copied().collect();
        let Some(seq) = missing.last().filter(|_| !self.is_gap) else { return };
        let tables = counted(missing.len(), "announced table");
        let sentence =
            format!("{tables} not in this file; the last that is missing is of event {seq}");
        let (code, severity) = ("tables-missing", Severity::Information);
        self.find(0, Finding { code, seq: 0, sentence, severity });
    }

    fn against_header(&mut self) {
        let Some(header) = self.checked.header.clone() else { return };
        let place = Place { line: 1, seq: 0 };
        let (records, head) = (self.checked.records, self.checked.head);
        if (header.records, header.head) != (records, head) {
            let sentence = format!(
                "the header names {} records that end with {}, and there are {records} that end \
                 with {}",
                header.records,
                header.head.short(),
                head.short()
            );
            self.error(place, "header", sentence);
        }
        if header.rulesets != self.rulesets && !self.is_gap {
            let sentence = "the rulesets of the header are not those that the records bring into \
                            force";
            self.error(place, "header", sentence);
        }
    }

    /// What signed checkpoints say, those in the file and those from outside.
    fn outside(&mut self, against: &Against) {
        let Some(history) = self.history.take() else { return };
        if history.size() < self.checked.records {
            let sentence =
                "records are missing or cannot be read, so the checkpoints were not looked at";
            let (code, seq, severity) = ("not-judged", 0, Severity::Information);
            self.find(0, Finding { code, seq, sentence: sentence.into(), severity });
        } else {
            let known = compare_with_known(&history, &self.signed, against);
            for mut finding in check_kept(&history, &self.signed).into_iter().chain(known) {
                // What is known of more records than there are is said at the last one.
                finding.seq = finding.seq.min(history.size());
                self.find(line_of(finding.seq), finding);
            }
        }
        self.checked.log = Some((history, std::mem::take(&mut self.signed)));
        if let Some(key) = &against.key {
            self.checked.key = Some(*key);
            self.attested(key);
        }
    }

    /// How far the key that somebody was given stands for the records.
    fn attested(&mut self, key: &PublicKey) {
        let found = self.checked.attested_by(key);
        if let Some((seq, last)) = found.retired {
            let sentence = format!(
                "the log retired the key {} as stolen: what it signed over more than {} does not \
                 count",
                fingerprint(key),
                counted(last, "record")
            );
            let (code, severity) = ("known-key-retired", Severity::Information);
            self.find(line_of(seq), Finding { code, seq, sentence, severity });
        }
        if found.size.is_none() {
            let sentence = format!(
                "no checkpoint in this file that fits its records and counts is signed by the key \
                 {}",
                to_hex(key)
            );
            self.error(Place::default(), "key-not-signed", sentence);
        }
        self.checked.attested = Some(found);
    }
}
