//! Bringing a bundle into a store: all of it is checked before the first byte is kept, and nothing
//! but what was checked.

use crate::store::{Fork, Store, StoreError};
use scrutineer_engine::book::{Book, BookError, Commitment, Field, PrivateEntry, commit};
use scrutineer_engine::error::Code;
use scrutineer_engine::event::Traces;
use scrutineer_engine::handler::{CommandError, CommandHandler, read_events};
use scrutineer_engine::log::{AppendError, Head, Log};
use scrutineer_engine::record::{Record, RecordHash, StreamId};
use scrutineer_engine::rejection::Rejection;
use scrutineer_replay::bundle::{Checked, Differ, Held, Piece, Read, read};
use scrutineer_replay::kept::KeptError;
use scrutineer_replay::loaded::{last_entry, traces};
use scrutineer_replay::trust::checkpoint::Signed;
use scrutineer_replay::trust::note::PublicKey;
use scrutineer_replay::trust::note::fingerprint;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead};
use std::ops::ControlFlow;

/// What became of a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Imported {
    /// The tournament is in the store now.
    New {
        /// How many records it has.
        records: u64,
    },
    /// The store had the beginning of it.
    Extended {
        /// How many records the store had.
        had: u64,
        /// How many it has now.
        records: u64,
    },
    /// The store had all of it.
    Known {
        /// How many records the store has beyond the bundle's.
        beyond: u64,
        /// How many private words are new here.
        words: u64,
        /// How many secrets of the seeds are.
        secrets: u64,
    },
}

scrutineer_engine::errors! {
    /// Why a bundle is not brought in.
    pub enum ImportError -> Option<&'static str> {
        /// The file cannot be read.
        Io(#[from] io::Error) = io "file-not-read", "cannot read the bundle: {0}",
            Some("check the name and the permissions");
        /// Something is wrong with it.
        NotInOrder = refused "bundle-not-in-order", "the bundle is not in order, so nothing of it was kept",
            Some("`scrutineer bundle verify <file>` says what it is");
        /// Some of it was written by a version that nobody knows.
        NotChecked = refused "bundle-not-checked",
            "some of the bundle could not be checked, so nothing of it was kept",
            Some("`scrutineer bundle verify <file>` says what it is; a newer Scrutineer may know \
             it; or take it all the same with --unsigned");
        /// The store holds another history of this tournament.
        Parted { differ: Box<Differ> } = refused "other-history",
            ["the store holds another history of this tournament: {}", .differ.sentence("the store", "the bundle")],
            Some("`scrutineer diff <file>` shows both; `scrutineer adopt <file>` brings another \
             desk's commands in");
        /// Keys of the tournament signed the store's history and the bundle's too, which is kept.
        Rewritten { fork: Box<Fork>, differ: Box<Differ> } => { fork, .. } fork.code(),
            ["{fork}; {}", .differ.sentence("the store", "the bundle")],
            Some("keep this store and the bundle, which prove it. Show both to the publisher, and not only to \
             whoever runs the tournament; `scrutineer diff <file>` shows what differs");
        /// Nobody whom the tournament knows, or not the key that was named, signed all that is new.
        NotSigned { by: Wanted, size: u64, records: u64 } => { by, .. } Code::refused("not-signed"),
            ["{}", not_signed(*.by, *.size, *.records)],
            Some(to_sign(by));
        /// The store cannot be read or written.
        Store(#[from] StoreError) => (error) error.code(), "{0}", error.hint();
        /// The log cannot be written.
        Append(#[from] AppendError) = io "log-not-written", "{0}", None;
        /// A command cannot be appended.
        Rejected(#[from] Rejection) => (error) error.code(), "{0}", None;
    }
}

impl From<KeptError> for ImportError {
    fn from(error: KeptError) -> ImportError {
        ImportError::Store(error.into())
    }
}

/// What to do where it is not signed by whom it should be.
fn to_sign(by: &Wanted) -> &'static str {
    match by {
        Wanted::Named(_) => {
            "whoever wrote it types `scrutineer --store <its store> checkpoint` and exports it anew"
        }
        Wanted::Event(_) => {
            "whoever wrote it types `scrutineer --store <its store> checkpoint` and exports it anew; or \
             take it all the same with --unsigned"
        }
        Wanted::Replaced(_) => {
            "let the organizer tell you the key that signs now, and name it: --key <key>; \
             or take it all the same with --unsigned"
        }
        Wanted::Nobody => "ask the organizer whether it is theirs; --unsigned takes it in",
    }
}

impl From<CommandError> for ImportError {
    fn from(error: CommandError) -> ImportError {
        match error {
            CommandError::Rejected(error) => ImportError::Rejected(error),
            CommandError::Append(error) => ImportError::Append(error),
            CommandError::Load(error) => ImportError::Store(error.into()),
            CommandError::Book(error) => ImportError::Store(error.into()),
            other => ImportError::Store(other.into()),
        }
    }
}

impl From<BookError> for ImportError {
    fn from(error: BookError) -> ImportError {
        ImportError::Store(error.into())
    }
}

/// What a tournament asks of what is brought in behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signatures {
    /// Where the tournament has a key, that key or who stands for it signed everything that is new.
    Wanted,
    /// Somebody takes it as it is.
    NotAsked,
}

/// Who should have signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The key that somebody named.
    Named(PublicKey),
    /// The key that the tournament has here.
    Event(PublicKey),
    /// The key that the tournament has here, whose place another one took without its signature.
    Replaced(PublicKey),
    /// Nobody: the tournament has no key.
    Nobody,
}

/// That nobody stands for everything.
fn not_signed(by: Wanted, size: u64, records: u64) -> String {
    let key = match by {
        Wanted::Named(key) => format!("the key {} that you named", fingerprint(&key)),
        Wanted::Event(key) | Wanted::Replaced(key) => {
            format!("the tournament's key {}", fingerprint(&key))
        }
        Wanted::Nobody => {
            return "the tournament has no key here, so anybody could have written what the bundle adds"
                .into();
        }
    };
    match size {
        0 => format!("nothing in the bundle is signed by {key}"),
        _ => format!(
            "{key} stands for the events up to {size} of {records}, and for none after that"
        ),
    }
}

/// Brings a bundle into a store, beside other tournaments or behind the beginning that the store has.
/// Where a key was named when it was checked, it is that one which has to stand for the records.
///
/// # Errors
/// Where something is wrong with it, the store holds another history, signatures are wanted and
/// missing, or writing fails. Nothing is kept then, but for a failing disk: what it kept is the
/// beginning of the tournament, and importing again adds the rest.
pub fn import(
    store: &Store,
    bundle: &mut Held,
    signatures: Signatures,
) -> Result<Imported, ImportError> {
    let checked = bundle.checked();
    let Some(header) = checked.header.as_ref().filter(|_| checked.holds()) else {
        return Err(ImportError::NotInOrder);
    };
    if signatures == Signatures::Wanted && checked.unchecked() > 0 {
        return Err(ImportError::NotChecked);
    }
    let (stream, records) = (header.stream, header.records);
    let had = store.log().head(stream).map_err(StoreError::from)?;
    if is_other_history(store, stream, bundle)? {
        let here = store.load(stream, true)?;
        let there = bundle.open()?.ok_or(ImportError::NotInOrder)?;
        return Err(ImportError::Parted { differ: Box::new(Differ::of(&here, &there)) });
    }
    let checked = bundle.checked();
    let is_longer = had.seq > 0 && records > had.seq;
    if signatures == Signatures::Wanted && (checked.key.is_some() || is_longer) {
        is_signed(checked, checked.signer(had.seq))?;
    }
    let notes = own_notes(bundle)?;
    store.has_room_for_checkpoints(stream, &notes)?;
    let secrets = secrets(store, stream, bundle)?;
    let words = words(store, stream, had, bundle)?;
    // Where no record is new, what stands beside them may be.
    keep(store, stream, had, bundle)?;
    store.keep_checkpoints(stream, &notes)?;
    // The records that are new may say that somebody was forgotten whose name is here.
    store.finish_forgetting(stream)?;
    Ok(match had.seq {
        had if had >= records => Imported::Known { beyond: had - records, words, secrets },
        0 => Imported::New { records },
        had => Imported::Extended { had, records },
    })
}

/// Whether a store has a tournament, and neither goes on from what a bundle has of it nor the other way round.
///
/// # Errors
/// Where one of the two cannot be read.
pub fn is_other_history(
    store: &Store,
    stream: StreamId,
    bundle: &mut Held,
) -> Result<bool, ImportError> {
    let had = store.log().head(stream).map_err(StoreError::from)?;
    let shared = had.seq.min(bundle.checked().records);
    Ok(shared > 0
        && hash_at(store, stream, shared)? != bundle.read(|input| hash_in(input, shared))?)
}

/// Whether the key that was named when a bundle was checked, or else the tournament's own, stands for all
/// of it. A stranger can write records of their own behind those of others, and sign them with a key of
/// their own.
///
/// # Errors
/// [`ImportError::NotSigned`].
pub fn is_signed(checked: &Checked, own: Option<PublicKey>) -> Result<(), ImportError> {
    let records = checked.records;
    let (by, size) = match (checked.key, own) {
        (Some(key), _) => {
            let found = checked.attested.as_ref().and_then(|found| found.size);
            (Wanted::Named(key), found.unwrap_or(0))
        }
        (None, Some(key)) => {
            let found = checked.attested_by(&key);
            let last = checked.signer(records);
            let is_known =
                |known| known == key || found.successors.iter().any(|(_, k)| *k == known);
            let by = match last.is_some_and(is_known) {
                true => Wanted::Event(key),
                false => Wanted::Replaced(key),
            };
            (by, found.size.unwrap_or(0))
        }
        (None, None) => (Wanted::Nobody, 0),
    };
    match size == records {
        true => Ok(()),
        false => Err(ImportError::NotSigned { by, size, records }),
    }
}

/// The hash of a record of the store.
fn hash_at(store: &Store, stream: StreamId, seq: u64) -> Result<RecordHash, StoreError> {
    let found = store.log().read(stream, seq - 1).next().transpose()?;
    Ok(found.map_or(RecordHash::ZERO, |record| record.hash()))
}

/// The hash of a record of the bundle.
fn hash_in(input: &mut dyn BufRead, seq: u64) -> io::Result<RecordHash> {
    let mut found = RecordHash::ZERO;
    read(input, &mut |_, piece| match piece {
        Read::Piece(Piece::Record { record, .. }) if record.header().seq == seq => {
            found = record.hash();
            ControlFlow::Break(())
        }
        _ => ControlFlow::Continue(()),
    })?;
    Ok(found)
}

/// The checkpoints of the bundle, each with the signatures of the tournament's own keys: what others
/// wrote under it nobody here can check.
fn own_notes(bundle: &mut Held) -> Result<Vec<String>, ImportError> {
    let mut notes = Vec::new();
    bundle.read(|input| {
        read(input, &mut |_, piece| {
            if let Read::Piece(Piece::Checkpoint { note, .. }) = piece {
                notes.push(note);
            }
            ControlFlow::Continue(())
        })
    })?;
    for note in &mut notes {
        let Ok(signed) = Signed::read(note.as_bytes()) else { continue };
        let signers = bundle.checked().signed_by(&signed);
        if signers.len() < signed.signatures() {
            *note = signed.only(&signers).to_string();
        }
    }
    Ok(notes)
}

/// Keeps the secrets of the seeds that the bundle gives, and says how many are new.
fn secrets(store: &Store, stream: StreamId, bundle: &mut Held) -> Result<u64, ImportError> {
    let mut kept = store.secrets(stream)?;
    let mut new = Vec::new();
    bundle.read(|input| {
        read(input, &mut |_, piece| {
            if let Read::Piece(Piece::Secret(secret)) = piece
                && !kept.contains(&secret)
            {
                kept.push(secret);
                new.push(secret);
            }
            ControlFlow::Continue(())
        })
    })?;
    for secret in &new {
        store.keep_secret(stream, secret)?;
    }
    Ok(new.len() as u64)
}

/// Whether a book holds words that records of the bundle commit to, as where the log was lost and
/// the book was not.
fn belongs(book: &Book, bundle: &mut Held) -> io::Result<bool> {
    let opened: BTreeSet<Commitment> =
        book.entries().map(|entry| commit(book.stream(), entry)).collect();
    let mut found = opened.is_empty();
    bundle.read(|input| {
        read(input, &mut |_, piece| {
            if let Read::Piece(Piece::Record { event: Some(event), .. }) = piece {
                found |= event.commitments().iter().any(|(_, words)| opened.contains(words));
            }
            if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    })?;
    Ok(found)
}

/// Puts the private words into the store, before the events that refer to them; words too that an
/// earlier bundle did not give. Where a bundle gives fewer words than its events refer to, their
/// numbers are taken all the same, so that nothing else is ever written under them. Gives how many
/// words are new.
fn words(
    store: &Store,
    stream: StreamId,
    had: Head,
    bundle: &mut Held,
) -> Result<u64, ImportError> {
    if had == Head::EMPTY && !belongs(&store.books().book(stream)?, bundle)? {
        // Words of an earlier try, to which no event refers.
        store.books().discard(stream)?;
    }
    let next = store.books().next_number(stream)?;
    // Whom the log here or the bundle's says to have been forgotten, nothing brings back.
    let (here, mut there) = (traces(store.log(), stream)?, Traces::default());
    // What is here may go further than the bundle.
    let (mut entries, mut last) = (Vec::new(), last_entry(store.log(), stream)?);
    // What the new records commit to under numbers that are taken here.
    let mut committed: BTreeMap<u32, Commitment> = BTreeMap::new();
    bundle.read(|input| {
        read(input, &mut |_, piece| {
            match piece {
                Read::Piece(Piece::Record { record, event: Some(event), .. }) => {
                    there.take(&event);
                    let is_new = record.header().seq > had.seq;
                    for (_, words) in event.commitments() {
                        last = words.number.max(last);
                        if is_new && words.number < next {
                            committed.insert(words.number, words);
                        }
                    }
                }
                Read::Piece(Piece::Entry(entry)) => entries.push(entry),
                _ => {}
            }
            ControlFlow::Continue(())
        })
    })?;
    let book = store.books().book(stream)?;
    let stands = standing(store, stream, &book)?;
    let is_left_over = |(number, words): &(&u32, &Commitment)| {
        let entry = book.entry(**number).filter(|_| !stands.contains(*number));
        entry.is_some_and(|entry| commit(stream, entry) != **words)
    };
    let is_forgotten = |number| here.is_forgotten(number) || there.is_forgotten(number);
    entries.retain(|entry| !stands.contains(&entry.number) && !is_forgotten(entry.number));
    // Words of an import that failed, where other records came in later.
    let left_over: Vec<u32> =
        committed.iter().filter(is_left_over).map(|(number, _)| *number).collect();
    let above = entries.split_off(entries.partition_point(|entry| entry.number < next));
    let put_in = store.books().mend(stream, &left_over, &entries)? + above.len();
    append_up_to(store, stream, above, last)?;
    Ok(put_in as u64)
}

/// Appends texts; the numbers up to the last one to which an event refers are taken, though their texts are
/// not given.
pub(crate) fn append_up_to(
    store: &Store,
    stream: StreamId,
    mut texts: Vec<PrivateEntry>,
    last: u32,
) -> Result<(), StoreError> {
    let next = store.books().next_number(stream)?;
    let given = texts.last().map_or(next - 1, |entry| entry.number);
    if last > given && last < u32::MAX {
        let (field, salt, text) = (Field::Other, [0; 32], String::new());
        texts.push(PrivateEntry { number: last, field, salt, text });
    }
    if !texts.is_empty() {
        store.books().append(stream, &texts)?;
    }
    if last > given {
        store.books().mend(stream, &[last], &[])?;
    }
    Ok(())
}

/// The numbers under which the book has the very words that a record of the store commits to: no
/// record that comes later takes them away.
fn standing(store: &Store, stream: StreamId, book: &Book) -> Result<BTreeSet<u32>, ImportError> {
    let opened: BTreeSet<Commitment> = book.entries().map(|entry| commit(stream, entry)).collect();
    let mut found = BTreeSet::new();
    for read in read_events(store.log(), stream, 0) {
        let (_, event) = read.map_err(StoreError::from)?;
        let words = event.commitments().into_iter().map(|(_, words)| words);
        found.extend(words.filter(|words| opened.contains(words)).map(|words| words.number));
    }
    Ok(found)
}

/// Appends the records that the store does not have, and keeps what stands beside them.
fn keep(store: &Store, stream: StreamId, had: Head, bundle: &mut Held) -> Result<(), ImportError> {
    let announced = store.announced(stream)?;
    let tables: BTreeSet<u64> = announced.into_iter().map(|table| table.announced).collect();
    let mut appending = Appending::after(store.log(), had);
    let mut failed = None;
    bundle.read(|input| {
        read(input, &mut |_, piece| {
            let done = match piece {
                Read::Fault(_) => Err(ImportError::NotInOrder),
                Read::Piece(Piece::Record { record, event: Some(_), .. }) => {
                    match record.header().seq > had.seq {
                        true => appending.record(record),
                        false => Ok(()),
                    }
                }
                Read::Piece(Piece::Table(table)) if !tables.contains(&table.announced) => {
                    store.keep_announced(stream, &[table]).map_err(ImportError::from)
                }
                Read::Piece(_) => Ok(()),
            };
            match done {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            }
        })
    })?;
    failed.map_or(Ok(()), Err)
}

/// Appends records in whole commands, as they come.
pub(crate) struct Appending<'a> {
    handler: CommandHandler<'a>,
    head: Head,
    records: Vec<Record>,
}

impl<'a> Appending<'a> {
    pub(crate) fn after(log: &'a dyn Log, head: Head) -> Appending<'a> {
        Appending { handler: CommandHandler::new(log), head, records: Vec::new() }
    }

    /// Takes the next record; with the last one of a command all of them are appended.
    pub(crate) fn record(&mut self, record: Record) -> Result<(), ImportError> {
        let ends = record.ends_command();
        self.records.push(record);
        if ends {
            let records = std::mem::take(&mut self.records);
            self.head = self.handler.take_over(self.head, records, None)?;
        }
        Ok(())
    }
}
