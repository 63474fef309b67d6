//! Writing a bundle: the same store gives the same bytes.

use super::{Header, MAX_BYTES, MAX_LINE, MAX_LONG_LINE, MAX_RECORDS, MAX_RULESETS, line};
use crate::announced::AnnouncedTable;
use crate::kept::{Kept, KeptError};
use crate::trust::checkpoint::{Checkpoint, Signed};
use crate::trust::history::History;
use crate::trust::tree::Hash;
use crate::verify::altered_tables;
use scrutineer_engine::book::{Book, Commitment, PrivateEntry, commit};
use scrutineer_engine::event::{Event, RulesetFile, Traces};
use scrutineer_engine::handler::read_events;
use scrutineer_engine::record::StreamId;
use scrutineer_engine::seed;
use scrutineer_engine::tournament::Tournament;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// Which private words a bundle gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Give {
    /// None.
    Nothing,
    /// The title, the names of players and staff, and the players' ids with the publisher.
    Roster,
    /// Every private text, reasons and notes too, and no secret: an auditor sees why something was
    /// done, and nobody foresees a pairing.
    Audit,
    /// Everything, with the secrets of the seeds: another desk carries the tournament on.
    Handover,
}

impl Give {
    /// Whether every private text is given.
    #[must_use]
    pub fn all_texts(self) -> bool {
        matches!(self, Give::Audit | Give::Handover)
    }
}

scrutineer_engine::errors! {
    /// Why a bundle is not written.
    pub enum WriteError -> Option<&'static str> {
        /// The store cannot be read.
        Kept(#[from] KeptError) => (error) error.code(), "{0}", error.hint();
        /// The file cannot be written.
        Io(#[from] io::Error) = io "file-not-written", "cannot write the bundle: {0}",
            Some("check the disk and the folder's permissions");
        /// There is such a file.
        Exists { file: String } = conflict "file-exists", "{file} is there already",
            Some("name another one, or replace it with --force");
        /// It is more than a bundle holds.
        TooLarge { what: String } = too_large "bundle-too-large",
            "the tournament is too large for a bundle: {what}", None;
    }
}

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The first line.
    pub header: Header,
    /// How many announced tables.
    pub tables: u64,
    /// How many checkpoints.
    pub checkpoints: u64,
    /// How many private words.
    pub entries: u64,
    /// How many words that were to be given are not here: erased, or never brought in.
    pub missing: u64,
    /// Whether it hands the tournament over without the secret of its seeds, which is not here.
    pub lacks_secret: bool,
    /// How many announced tables are not given: they are not kept here, or not as they were announced.
    pub left_out: u64,
    /// How many texts are erased here though no event says that they were forgotten.
    pub erased: u64,
}

/// Writes an event of the archive as a bundle.
///
/// # Errors
/// Where the store cannot be read, the output cannot be written, or the tournament is too large.
pub fn write(
    kept: &dyn Kept,
    stream: StreamId,
    give: Give,
    out: &mut dyn Write,
) -> Result<Written, WriteError> {
    let contents = contents(kept, stream, give)?;
    let header = contents.header;
    if header.records > MAX_RECORDS {
        let what = format!("{} records; {MAX_RECORDS} is the most", header.records);
        return Err(WriteError::TooLarge { what });
    }
    if header.rulesets.len() > MAX_RULESETS {
        let what = format!("{} rulesets; {MAX_RULESETS} is the most", header.rulesets.len());
        return Err(WriteError::TooLarge { what });
    }
    let mut to = Lines { out, hasher: blake3::Hasher::new(), lines: 0, bytes: 0 };
    to.line(&line::header(&header), MAX_LONG_LINE)?;
    let count = usize::try_from(header.records).unwrap_or(usize::MAX);
    for read in read_events(kept.log(), stream, 0).take(count) {
        let (record, event) = read.map_err(KeptError::from)?;
        to.line(&line::record(&record, &event), MAX_LINE)?;
    }
    let tables = contents.tables.len() as u64;
    for table in &contents.tables {
        to.line(&line::table(table), MAX_LONG_LINE)?;
    }
    let checkpoints = contents.checkpoints.len() as u64;
    for (note, extends) in &contents.checkpoints {
        to.line(&line::checkpoint(note, extends), MAX_LINE)?;
    }
    for entry in &contents.entries {
        to.line(&line::entry(entry), MAX_LINE)?;
    }
    for secret in &contents.secrets {
        to.line(&line::secret(secret), MAX_LINE)?;
    }
    let end = line::end(to.lines, &to.hasher.finalize());
    to.line(&end, MAX_LINE)?;
    to.out.flush()?;
    let entries = contents.entries.len() as u64;
    let (missing, lacks_secret) = (contents.wanted - entries, contents.lacks_secret);
    let (left_out, erased) = (contents.left_out, contents.erased);
    Ok(Written { header, tables, checkpoints, entries, missing, lacks_secret, left_out, erased })
}

/// What has to be known before the first record is written.
struct Contents {
    header: Header,
    tables: Vec<AnnouncedTable>,
    checkpoints: Vec<(String, Vec<Hash>)>,
    entries: Vec<PrivateEntry>,
    /// How many words were to be given.
    wanted: u64,
    secrets: Vec<[u8; 32]>,
    lacks_secret: bool,
    left_out: u64,
    erased: u64,
}

fn contents(kept: &dyn Kept, stream: StreamId, give: Give) -> Result<Contents, WriteError> {
    let mut rulesets: Vec<Vec<RulesetFile>> = Vec::new();
    let mut given: BTreeSet<Commitment> = BTreeSet::new();
    let (mut records, mut head) = (0, Default::default());
    let (mut committed, mut last_committed) = (BTreeSet::new(), None);
    let mut staff: BTreeMap<u32, Commitment> = BTreeMap::new();
    let mut state = Tournament::default();
    let (mut history, mut traces) = (History::new(stream), Traces::default());
    for read in read_events(kept.log(), stream, 0) {
        let (record, event) = read.map_err(KeptError::from)?;
        (records, head) = (record.header().seq, record.hash());
        history.add(&record);
        traces.take(&event);
        state.evolve(&event);
        match &event {
            Event::TournamentOpened(e) => last_committed = e.seed_commitment,
            Event::SeedRecommitted(e) => last_committed = Some(e.seed_commitment),
            Event::StaffNamed(e) => _ = staff.insert(e.actor, e.name),
            _ => {}
        }
        if let Some(commitment) = last_committed {
            committed.insert(commitment);
        }
        if let Some(files) = brings_into_force(&event)
            && !rulesets.contains(files)
        {
            rulesets.push(files.clone());
        }
        if give.all_texts() {
            given.extend(event.commitments().into_iter().map(|(_, commitment)| commitment));
        }
    }
    if give == Give::Roster {
        given.extend(roster(&state, &staff));
    }
    // Where `forget` was cut off, or another desk forgot somebody, the text still stands here.
    given.retain(|words| !traces.is_forgotten(words.number));
    let book = kept.books().book(stream).map_err(KeptError::from)?;
    let erased = book.erased().filter(|number| !traces.may_be_empty(*number)).count() as u64;
    let entries = entries(stream, &book, &given);
    let private = give == Give::Handover;
    let mut secrets = if private { kept.secrets(stream)? } else { Vec::new() };
    secrets.retain(|secret| committed.contains(&seed::commitment(secret)));
    let has = |wanted| secrets.iter().any(|secret| seed::commitment(secret) == wanted);
    let lacks_secret = private && last_committed.is_some_and(|wanted| !has(wanted));
    let wanted = given.len() as u64;
    let checkpoints = proven(&history, kept.checkpoints(stream)?);
    let program = env!("CARGO_PKG_VERSION").to_string();
    let header = Header { program, stream, records, head, rulesets, private };
    let mut tables = kept.announced(stream)?;
    let altered = altered_tables(kept.log(), stream, &tables)?;
    tables.retain(|t| is_announced(&state, t) && !altered.contains(&t.announced));
    let left_out = (state.announcements().len() - tables.len()) as u64;
    Ok(Contents {
        header,
        tables,
        checkpoints,
        entries,
        wanted,
        secrets,
        lacks_secret,
        left_out,
        erased,
    })
}

/// What a roster gives: the title, the names and ids of whoever is enrolled, and those of the staff.
pub(super) fn roster(
    state: &Tournament,
    staff: &BTreeMap<u32, Commitment>,
) -> impl Iterator<Item = Commitment> {
    let enrolled = state.players().iter().filter(|player| !player.withdrawn);
    let named = enrolled.flat_map(|player| [Some(player.name), player.publisher_id]);
    [state.opened().map(|opened| opened.title)]
        .into_iter()
        .chain(named)
        .flatten()
        .chain(staff.values().copied())
}

/// The checkpoints with their proofs. One that cannot be read is left out: nobody could use it.
fn proven(history: &History, notes: Vec<String>) -> Vec<(String, Vec<Hash>)> {
    let mut before: Option<Checkpoint> = None;
    let mut proven = Vec::new();
    for note in notes {
        let Ok(signed) = Signed::read(note.as_bytes()) else { continue };
        let extends = proof(history, before.as_ref(), &signed.checkpoint);
        before = Some(signed.checkpoint);
        proven.push((note, extends));
    }
    proven
}

/// Shows that a checkpoint extends the one before; empty for the first, for one of the same size,
/// and where the log does not begin with both.
pub fn proof(history: &History, before: Option<&Checkpoint>, this: &Checkpoint) -> Vec<Hash> {
    let before = before.filter(|before| {
        before.size < this.size && history.begins_with(before) && history.begins_with(this)
    });
    let proof = before.and_then(|before| history.tree().consistency(before.size, this.size));
    proof.unwrap_or_default()
}

/// Whether a kept table is the one that was announced. Another one follows from the log again.
pub(super) fn is_announced(state: &Tournament, table: &AnnouncedTable) -> bool {
    let announced = state.announcements();
    let at = announced.binary_search_by_key(&table.announced, |(seq, _)| *seq).ok();
    let hash = at.and_then(|at| announced.get(at)).map(|(_, e)| e.table);
    hash.is_some() && table.hash().ok() == hash
}

/// The ruleset that an event brings into force; one without files is none.
pub(super) fn brings_into_force(event: &Event) -> Option<&Vec<RulesetFile>> {
    let files = match event {
        Event::TournamentOpened(e) => &e.ruleset,
        Event::RulesetAmended(e) => &e.ruleset,
        _ => return None,
    };
    (!files.is_empty()).then_some(files)
}

/// The entries that open one of these commitments, by number, without those that no reader takes.
fn entries(stream: StreamId, book: &Book, given: &BTreeSet<Commitment>) -> Vec<PrivateEntry> {
    let opens = |entry: &&PrivateEntry| {
        entry.field.objection(&entry.text).is_none() && given.contains(&commit(stream, entry))
    };
    book.entries().filter(opens).cloned().collect()
}

struct Lines<'a> {
    out: &'a mut dyn Write,
    hasher: blake3::Hasher,
    lines: u64,
    bytes: u64,
}

impl Lines<'_> {
    fn line(&mut self, line: &str, most: u64) -> Result<(), WriteError> {
        let len = line.len() as u64 + 1;
        self.bytes += len;
        if len > most || self.bytes > MAX_BYTES {
            let what = match len > most {
                true => format!("a line of {len} bytes; {most} is the most"),
                false => format!("more than {MAX_BYTES} bytes"),
            };
            return Err(WriteError::TooLarge { what });
        }
        for bytes in [line.as_bytes(), b"\n"] {
            self.hasher.update(bytes);
            self.out.write_all(bytes)?;
        }
        self.lines += 1;
        Ok(())
    }
}
