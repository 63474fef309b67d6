//! The lines of a bundle. What is read is spelled again and compared, so every line has one
//! spelling.

use super::Header;
use crate::announced::AnnouncedTable;
use crate::mirror::mirror;
use crate::trust::receipt::leading_number;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use scrutineer_engine::book::{Field, PrivateEntry};
use scrutineer_engine::event::{Event, RulesetFile};
use scrutineer_engine::record::{Record, RecordHash, StreamId, to_hex};
use scrutineer_projections::ruleset;
use serde::{Deserialize, Serialize};

/// The version of the format.
const BUNDLE: u64 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeaderLine {
    bundle: u64,
    program: String,
    stream: StreamId,
    records: u64,
    head: RecordHash,
    rulesets: Vec<RulesetListed>,
    private: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RulesetListed {
    id: String,
    hash: String,
    files: Vec<RulesetFile>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckpointLine {
    checkpoint: String,
    extends: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryLine {
    entry: EntryListed,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryListed {
    number: u32,
    field: String,
    salt: String,
    text: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SecretLine {
    secret: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EndLine {
    end: u64,
    blake3: String,
}

/// Which line it is, by its first key; in the order in which they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Header,
    Record,
    Table,
    Checkpoint,
    Entry,
    Secret,
    End,
}

impl Kind {
    /// What a line says it is.
    pub(super) fn of(line: &[u8]) -> Option<Kind> {
        use Kind::{Checkpoint, End, Entry, Header, Record, Secret, Table};
        [Header, Record, Table, Checkpoint, Entry, Secret, End]
            .into_iter()
            .find(|kind| line.starts_with(format!("{{\"{}\":", kind.key()).as_bytes()))
    }

    fn key(self) -> &'static str {
        match self {
            Kind::Header => "bundle",
            Kind::Record => "record",
            Kind::Table => "table",
            Kind::Checkpoint => "checkpoint",
            Kind::Entry => "entry",
            Kind::Secret => "secret",
            Kind::End => "end",
        }
    }

    /// The word for people.
    pub(super) fn word(self) -> &'static str {
        match self {
            Kind::Header => "header",
            Kind::Table => "announced table",
            Kind::Entry => "private entry",
            Kind::End => "last line",
            kind => kind.key(),
        }
    }
}

/// A line that is not as it should be: a code and a sentence.
pub(super) type Fault = (&'static str, String);

fn misspelt(kind: Kind) -> Fault {
    ("line-spelling", format!("this {} is not spelled as the format has it", kind.word()))
}

/// Spells a line; structs of numbers and strings have nothing that JSON cannot spell.
fn spell(line: &impl Serialize) -> String {
    serde_json::to_string(line).unwrap_or_default()
}

/// Reads a line and spells it again.
fn strictly<'a, L: Serialize + Deserialize<'a>>(kind: Kind, text: &'a str) -> Result<L, Fault> {
    match serde_json::from_str::<L>(text) {
        Ok(line) if spell(&line) == text => Ok(line),
        _ => Err(misspelt(kind)),
    }
}

/// 32 bytes of lower-case digits.
fn from_hex(kind: Kind, text: &str) -> Result<[u8; 32], Fault> {
    let bytes = scrutineer_engine::record::from_hex(text);
    bytes.filter(|bytes| to_hex(bytes) == text).ok_or_else(|| misspelt(kind))
}

/// A bundle's first line.
pub fn header(header: &Header) -> String {
    let listed = |files: &Vec<RulesetFile>| RulesetListed {
        id: files.first().map_or(String::new(), |file| file.name.clone()),
        hash: to_hex(&ruleset::hash(files)),
        files: files.clone(),
    };
    spell(&HeaderLine {
        bundle: BUNDLE,
        program: header.program.clone(),
        stream: header.stream,
        records: header.records,
        head: header.head,
        rulesets: header.rulesets.iter().map(listed).collect(),
        private: header.private,
    })
}

pub(super) fn read_header(text: &str) -> Result<Header, Fault> {
    // A later version may have other keys behind its number.
    if let Some(version) = leading_number(text, "{\"bundle\":").filter(|found| *found > BUNDLE) {
        let sentence =
            format!("this is version {version} of the format, and this program knows {BUNDLE}");
        return Err(("newer-bundle", sentence));
    }
    let line: HeaderLine = strictly(Kind::Header, text)?;
    let read = Header {
        program: line.program,
        stream: line.stream,
        records: line.records,
        head: line.head,
        rulesets: line.rulesets.into_iter().map(|listed| listed.files).collect(),
        private: line.private,
    };
    // A ruleset's id and hash follow from its files.
    match header(&read) == text {
        true => Ok(read),
        false => Err((
            "header",
            "the header is not as the format has it, or a ruleset is not the one whose hash \
             stands beside it"
                .into(),
        )),
    }
}

/// The line of a record: its bytes, and beside them what they say.
pub fn record(record: &Record, event: &Event) -> String {
    let bytes = STANDARD.encode(record.bytes());
    let (hash, mirror) = (record.hash(), mirror(&record.header(), event));
    format!("{{\"record\":\"{bytes}\",\"hash\":\"{hash}\",\"mirror\":{mirror}}}")
}

/// A record as its line gives it.
pub(super) struct RecordRead {
    /// The record, where its bytes are one.
    pub record: Option<Record>,
    /// Its event, where it can be read.
    pub event: Option<Event>,
    /// The hash that stands beside it, where one does.
    pub kept: Option<RecordHash>,
    /// What is wrong.
    pub faults: Vec<Fault>,
}

/// Reads a record. Hash and mirror follow from its bytes, so each is looked at by itself.
pub(super) fn read_record(text: &str) -> RecordRead {
    let mut read = RecordRead { record: None, event: None, kept: None, faults: Vec::new() };
    let parts = text.strip_prefix("{\"record\":\"").and_then(|rest| {
        let (bytes, rest) = rest.split_once("\",\"hash\":\"")?;
        let (hash, rest) = rest.split_once("\",\"mirror\":")?;
        Some((bytes, hash, rest.strip_suffix('}')?))
    });
    let Some((encoded, hash, shown)) = parts else {
        read.faults.push(misspelt(Kind::Record));
        return read;
    };
    let decoded = STANDARD.decode(encoded).ok();
    let Some(bytes) = decoded.filter(|bytes| STANDARD.encode(bytes) == encoded) else {
        read.faults.push(misspelt(Kind::Record));
        return read;
    };
    let record = match Record::read(&bytes) {
        Ok(record) => record,
        Err(error) => {
            read.faults.push(("unreadable", error.to_string()));
            return read;
        }
    };
    match from_hex(Kind::Record, hash) {
        Ok(kept) => {
            read.kept = Some(RecordHash(kept));
            if record.hash().0 != kept {
                let sentence = "the record is not the one whose hash stands beside it";
                read.faults.push(("hash", sentence.into()));
            }
        }
        Err(fault) => read.faults.push(fault),
    }
    let header = record.header();
    match Event::decode_strict(header.kind, header.schema, record.payload()) {
        Ok(event) => {
            if mirror(&header, &event) != shown {
                let sentence = "the readable mirror shows something else than the record holds";
                read.faults.push(("mirror", sentence.into()));
            }
            read.event = Some(event);
        }
        Err(error) => read.faults.push(("unreadable", error.to_string())),
    }
    read.record = Some(record);
    read
}

/// A table, around the line of the announced table.
pub fn table(announced: &AnnouncedTable) -> String {
    format!("{{\"table\":{}}}", announced.to_line())
}

pub(super) fn read_table(text: &str) -> Result<AnnouncedTable, Fault> {
    let inner = text.strip_prefix("{\"table\":").and_then(|rest| rest.strip_suffix('}'));
    let inner = inner.ok_or_else(|| misspelt(Kind::Table))?;
    AnnouncedTable::from_line(inner).map_err(|error| ("line-spelling", error.to_string()))
}

/// The line of a checkpoint, with the hashes that show that it extends the one before.
pub fn checkpoint(note: &str, extends: &[[u8; 32]]) -> String {
    let extends = extends.iter().map(|hash| to_hex(hash)).collect();
    spell(&CheckpointLine { checkpoint: note.into(), extends })
}

pub(super) fn read_checkpoint(text: &str) -> Result<(String, Vec<[u8; 32]>), Fault> {
    let line: CheckpointLine = strictly(Kind::Checkpoint, text)?;
    let hashes = line.extends.iter().map(|hash| from_hex(Kind::Checkpoint, hash));
    Ok((line.checkpoint, hashes.collect::<Result<_, _>>()?))
}

/// The line of a private text.
pub fn entry(entry: &PrivateEntry) -> String {
    let (number, field) = (entry.number, entry.field.word().to_string());
    let (salt, text) = (to_hex(&entry.salt), entry.text.clone());
    spell(&EntryLine { entry: EntryListed { number, field, salt, text } })
}

pub(super) fn read_entry(text: &str) -> Result<PrivateEntry, Fault> {
    let EntryLine { entry } = strictly(Kind::Entry, text)?;
    let field = Field::from_word(&entry.field).ok_or_else(|| misspelt(Kind::Entry))?;
    let salt = from_hex(Kind::Entry, &entry.salt)?;
    Ok(PrivateEntry { number: entry.number, field, salt, text: entry.text })
}

/// The line of a secret of the tournament's seeds.
pub fn secret(secret: &[u8; 32]) -> String {
    spell(&SecretLine { secret: to_hex(secret) })
}

pub(super) fn read_secret(text: &str) -> Result<[u8; 32], Fault> {
    let line: SecretLine = strictly(Kind::Secret, text)?;
    from_hex(Kind::Secret, &line.secret)
}

/// The last line: how many lines stand before it, and their hash.
pub fn end(lines: u64, hash: &blake3::Hash) -> String {
    spell(&EndLine { end: lines, blake3: hash.to_hex().to_string() })
}
