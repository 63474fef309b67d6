//! Every tournament of a store carried over into another one, whatever the two are kept in. What is
//! there already is compared and not carried again, so a try that was cut off goes on.

#[cfg(feature = "postgres")]
use super::Place;
use super::{PlaceError, Store, StoreError, again};
use crate::in_order::in_order;
use scrutineer_engine::book::{Book, BookError, Field, Kept, PrivateEntry};
use scrutineer_engine::files::{FileError, FileKind, Room, SideFile};
use scrutineer_engine::log::{AppendError, Batch, CommandTrace, Head, LogError};
use scrutineer_engine::record::{CommandId, Record, StreamId};
use scrutineer_projections::counted;
use scrutineer_replay::kept::KeptError;
use scrutineer_replay::loaded::short_id;
use std::collections::HashMap;

/// How many tournaments are on their way at once: each waits for a disk or another machine.
const AT_ONCE: usize = 16;
/// How many are done before the first of them is told.
const AHEAD: usize = 64;
/// So many bytes of records go together to a database.
const TOGETHER: usize = 1 << 20;
/// The longest side file that is carried.
const LONGEST_FILE: u64 = 1 << 30;
/// How many tournaments a refusal names.
const NAMED: usize = 8;

scrutineer_engine::errors! {
    /// Why a store is not carried over.
    pub enum CarryError -> Option<&'static str> {
        /// One of the two can't be read or written.
        Store(#[from] StoreError) => (error) error.code(), "{0}", error.hint();
        /// There is no such place.
        Place(#[from] PlaceError) => (error) error.code(), "{0}", Some(error.hint());
        /// The two are one.
        Same { shown: String } = invalid "copy-into-itself", "{shown} is the store that is copied",
            Some("name another folder or database");
        /// What is recorded there went another way.
        OtherEvents { found: Vec<(StreamId, u64)> } = conflict "stores-parted",
            ["the other store has other events of {}: {}; nothing was copied",
             counted(.found.len(), "tournament"), named(.found)],
            Some("copy into an empty store, or the other way round: which of the two goes on is for \
                  you to say");
        /// A command is not taken.
        Append(#[from] AppendError) = conflict "command-not-copied", "the other store did not take a command: {0}",
            Some("ask for the same copy again: it goes on where it stopped");
        /// What was read back is something else.
        NotSame { what: String } = damaged "copy-not-same",
            "what was written is not what is read back: {what}",
            Some("look at the disk or the database; ask for the same copy again");
    }
}

fn named(found: &[(StreamId, u64)]) -> String {
    let mut told: Vec<String> = found
        .iter()
        .take(NAMED)
        .map(|(stream, seq)| format!("{} from event {seq} on", short_id(*stream)))
        .collect();
    if found.len() > NAMED {
        told.push("…".into());
    }
    told.join(", ")
}

impl From<LogError> for CarryError {
    fn from(error: LogError) -> CarryError {
        StoreError::from(error).into()
    }
}

impl From<BookError> for CarryError {
    fn from(error: BookError) -> CarryError {
        StoreError::from(error).into()
    }
}

impl From<KeptError> for CarryError {
    fn from(error: KeptError) -> CarryError {
        StoreError::from(error).into()
    }
}

/// What was carried over, and how much of it was there already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Carried {
    /// Tournaments of the store that is copied.
    pub tournaments: usize,
    /// Their commands.
    pub commands: u64,
    /// Their records, each compared byte by byte in the end.
    pub records: u64,
    /// The bytes of these.
    pub bytes: u64,
    /// Their private texts, each compared.
    pub texts: usize,
    /// Files beside their logs, each compared.
    pub files: usize,
    /// Of the records, how many were there before.
    pub there: u64,
    /// Texts that stay empty in the other store: somebody was forgotten there, or in a copy that stays out.
    pub stay_empty: usize,
    /// Side files, texts and records that were written.
    pub written: u64,
}

impl Carried {
    fn add(&mut self, one: &Carried) {
        self.tournaments += one.tournaments;
        self.commands += one.commands;
        self.records += one.records;
        self.bytes += one.bytes;
        self.texts += one.texts;
        self.files += one.files;
        self.there += one.there;
        self.stay_empty += one.stay_empty;
        self.written += one.written;
    }
}

/// Carries every tournament over, apart from those that stay out: they are left as they are on both sides.
/// `tell` hears how many there are and what was done so far, now and then.
///
/// # Errors
/// [`CarryError::OtherEvents`] before anything is written; otherwise what was carried stays, and the
/// same call goes on.
pub fn carry(
    from: &Store,
    to: &Store,
    without: &[StreamId],
    tell: &mut dyn FnMut(usize, &Carried),
) -> Result<Carried, CarryError> {
    carry_rooms((from, without), to, is_carried, tell)
}

/// As [`carry`], without the pairing secrets: nobody needs the key of a database for it.
///
/// # Errors
/// As [`carry`].
pub(super) fn carry_without_secrets(
    from: &Store,
    to: &Store,
    tell: &mut dyn FnMut(usize, &Carried),
) -> Result<Carried, CarryError> {
    let is_meant = |room: Room| is_carried(room) && room.kind() != FileKind::Secret;
    carry_rooms((from, &[]), to, is_meant, tell)
}

/// Whether the files of a room go along with their tournament. A snapshot follows from the log, and this machine
/// knows its own only.
fn is_carried(room: Room) -> bool {
    room.kind() != FileKind::Derived && !room.is_of_all()
}

fn carry_rooms(
    (from, without): (&Store, &[StreamId]),
    to: &Store,
    is_meant: fn(Room) -> bool,
    tell: &mut dyn FnMut(usize, &Carried),
) -> Result<Carried, CarryError> {
    let mut streams = from.log().streams()?;
    streams.retain(|stream| !without.contains(stream));
    let compared = |(): &mut (), at: usize| parted(from, to, streams[at]);
    let mut other = Vec::new();
    for parted in in_order(streams.len(), AT_ONCE, AHEAD, || (), compared) {
        other.extend(parted?);
    }
    if !other.is_empty() {
        return Err(CarryError::OtherEvents { found: other });
    }
    let mut all = Carried::default();
    tell(streams.len(), &all);
    let one = |(): &mut (), at: usize| carry_one(from, to, is_meant, streams[at]);
    for done in in_order(streams.len(), AT_ONCE, AHEAD, || (), one) {
        all.add(&done?);
        tell(streams.len(), &all);
    }
    carry_list(from, to, &mut all)?;
    tell(streams.len(), &all);
    Ok(all)
}

/// The first event of a tournament that is another one in the other store; none: what is there is how
/// this one begins.
fn parted(
    from: &Store,
    to: &Store,
    stream: StreamId,
) -> Result<Option<(StreamId, u64)>, CarryError> {
    let (own, there) = (from.log().head(stream)?, to.log().head(stream)?);
    if there.seq == 0 || there == own {
        return Ok(None);
    }
    let has = |store: &Store, head: Head| -> Result<bool, CarryError> {
        let record = store.log().read(stream, head.seq - 1).next().transpose()?;
        Ok(record.is_some_and(|record| record.hash() == head.hash))
    };
    if there.seq < own.seq && has(from, there)? {
        return Ok(None);
    }
    let pairs = from.log().read(stream, 0).zip(to.log().read(stream, 0));
    for (seq, (own, there)) in (1..).zip(pairs) {
        if own?.hash() != there?.hash() {
            return Ok(Some((stream, seq)));
        }
    }
    // All that both have is the same, so the other store has more.
    Ok(Some((stream, own.seq + 1)))
}

fn carry_one(
    from: &Store,
    to: &Store,
    is_meant: fn(Room) -> bool,
    stream: StreamId,
) -> Result<Carried, CarryError> {
    let mut done = Carried { tournaments: 1, ..Carried::default() };
    let book = from.books().book(stream)?;
    carry_texts(to, stream, &book, &mut done)?;
    carry_records(from, to, stream, &mut done)?;
    let rooms: Vec<Room> = Room::ALL.iter().copied().filter(|room| is_meant(*room)).collect();
    for &room in &rooms {
        carry_files(from, to, room, stream, &mut done)?;
    }
    compare(from, to, (stream, &rooms), &book, &mut done)?;
    Ok(done)
}

/// A text that only keeps a number, until it is emptied or taken out.
fn filler(number: u32, field: Field) -> PrivateEntry {
    PrivateEntry { number, field, salt: [0; 32], text: String::new() }
}

/// Puts the texts of a book into the other store. What was emptied there stays empty.
fn carry_texts(
    to: &Store,
    stream: StreamId,
    book: &Book,
    done: &mut Carried,
) -> Result<(), CarryError> {
    let there = to.books().book(stream)?;
    let next = to.books().next_number(stream)?;
    let (mut new, mut empty, mut out, mut mend) = (vec![], vec![], vec![], vec![]);
    for (&number, kept) in book.kept() {
        let known = there.kept().get(&number);
        if known == Some(kept) {
            continue;
        }
        let is_new = number >= next;
        match kept {
            Kept::Entry(entry) if is_new => new.push(entry.clone()),
            Kept::Entry(_) if matches!(known, Some(Kept::Erased(_))) => done.stay_empty += 1,
            Kept::Entry(entry) => mend.push(entry.clone()),
            Kept::Erased(field) => {
                if is_new {
                    new.push(filler(number, *field));
                }
                empty.push(number);
            }
            Kept::Taken => {
                let left = Kept::Entry(filler(number, Field::Other));
                if is_new {
                    new.push(filler(number, Field::Other));
                }
                if is_new || known == Some(&left) {
                    out.push(number);
                }
            }
        }
    }
    done.written += (new.len() + empty.len() + out.len() + mend.len()) as u64;
    if !new.is_empty() {
        to.books().append(stream, &new)?;
    }
    if !empty.is_empty() {
        to.books().forget(stream, &empty)?;
    }
    if !out.is_empty() || !mend.is_empty() {
        to.books().mend(stream, &out, &mend)?;
    }
    Ok(())
}

/// Appends the commands that the other store lacks, each as it was recorded.
fn carry_records(
    from: &Store,
    to: &Store,
    stream: StreamId,
    done: &mut Carried,
) -> Result<(), CarryError> {
    let mut head = to.log().head(stream)?;
    done.there = head.seq;
    let known = from.commands_of(stream)?;
    let (mut batches, mut size) = (Vec::new(), 0);
    let mut records: Vec<Record> = Vec::new();
    for record in from.log().read(stream, head.seq) {
        let record = record?;
        let ends = record.ends_command();
        let command = record.header().command;
        records.push(record);
        if ends {
            let command_digest = known.digest(from, stream, command)?.ok_or_else(|| {
                let what = format!("a command of tournament {} is not known", short_id(stream));
                CarryError::NotSame { what }
            })?;
            done.written += records.len() as u64;
            size += records.iter().map(|record| record.bytes().len()).sum::<usize>();
            let records = std::mem::take(&mut records);
            batches.push(Batch { records, command_digest, texts: Vec::new() });
        }
        if size >= TOGETHER {
            head = to.append_all(head, std::mem::take(&mut batches))?;
            size = 0;
        }
    }
    to.append_all(head, batches)?;
    Ok(())
}

/// Where the commands of a stream stand, as far as one answer tells of all of them.
struct Known(Option<HashMap<CommandId, CommandTrace>>);

impl Known {
    /// The digest that a command was recorded with.
    fn digest(
        &self,
        store: &Store,
        stream: StreamId,
        command: CommandId,
    ) -> Result<Option<[u8; 32]>, CarryError> {
        Ok(self.trace(store, stream, command)?.map(|trace| trace.digest))
    }

    fn trace(
        &self,
        store: &Store,
        stream: StreamId,
        command: CommandId,
    ) -> Result<Option<CommandTrace>, CarryError> {
        match &self.0 {
            Some(all) => Ok(all.get(&command).copied()),
            None => Ok(store.log().command(stream, command)?),
        }
    }
}

impl Store {
    /// The commands of a stream: of a database at once, elsewhere one by one.
    fn commands_of(&self, _stream: StreamId) -> Result<Known, CarryError> {
        match &self.log {
            #[cfg(feature = "postgres")]
            Place::Database(log) => Ok(Known(Some(log.commands(_stream)?.into_iter().collect()))),
            _ => Ok(Known(None)),
        }
    }

    /// Appends commands that follow each other: to a database together, elsewhere one by one.
    fn append_all(&self, head: Head, batches: Vec<Batch>) -> Result<Head, CarryError> {
        match &self.log {
            #[cfg(feature = "postgres")]
            Place::Database(log) => Ok(log.append_all(head, &batches)?),
            _ => {
                let one = |head, batch| self.log().append(head, batch);
                Ok(batches.into_iter().try_fold(head, one)?)
            }
        }
    }
}

/// Carries the files of a tournament in a room.
fn carry_files(
    from: &Store,
    to: &Store,
    room: Room,
    stream: StreamId,
    done: &mut Carried,
) -> Result<(), CarryError> {
    let own = &from.checkpoints.0;
    let listed = own.files.list(room, Some(stream));
    for (file, _) in listed.map_err(own.failed("list", SideFile::of(room, stream)))? {
        let bytes = own.get(file, LONGEST_FILE)?;
        carry_file(to, file, &bytes, done)?;
        done.files += 1;
    }
    Ok(())
}

fn carry_file(
    to: &Store,
    file: SideFile,
    bytes: &[u8],
    done: &mut Carried,
) -> Result<(), CarryError> {
    let beside = &to.checkpoints.0;
    let is_written = again(|| {
        let there = beside.files.get(file, LONGEST_FILE)?;
        match there.as_deref() == Some(bytes) {
            true => Ok(false),
            false => beside.files.replace(file, there.as_deref(), bytes).map(|()| true),
        }
    });
    done.written += u64::from(is_written.map_err(beside.failed("keep", file))?);
    Ok(())
}

/// Carries the list of what left the store: what stands in either one stands in the other one then.
fn carry_list(from: &Store, to: &Store, done: &mut Carried) -> Result<(), CarryError> {
    let file = SideFile::of_all(Room::Exports);
    let own = from.checkpoints.0.get(file, LONGEST_FILE)?;
    if own.is_empty() {
        return Ok(());
    }
    let mut all = to.checkpoints.0.get(file, LONGEST_FILE)?;
    let known: std::collections::BTreeSet<Vec<u8>> = lines(&all).map(<[u8]>::to_vec).collect();
    lines(&own).filter(|line| !known.contains(*line)).for_each(|line| all.extend(line));
    carry_file(to, file, &all, done)?;
    done.files += 1;
    Ok(())
}

/// The whole lines of a list, each with its end.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n"))
}

/// Reads a tournament back, and holds it against what was copied.
fn compare(
    from: &Store,
    to: &Store,
    (stream, rooms): (StreamId, &[Room]),
    book: &Book,
    done: &mut Carried,
) -> Result<(), CarryError> {
    let differs = |what: String| CarryError::NotSame {
        what: format!("{what} of tournament {}", short_id(stream)),
    };
    let (own_commands, commands) = (from.commands_of(stream)?, to.commands_of(stream)?);
    let mut there = to.log().read(stream, 0);
    // As far as the other store was when it was looked at: the own one may go on meanwhile.
    let until = to.log().head(stream)?.seq;
    for own in from.log().read(stream, 0).take(usize::try_from(until).unwrap_or(usize::MAX)) {
        let own = own?;
        let seq = own.header().seq;
        let same = there.next().transpose()?.is_some_and(|there| there.bytes() == own.bytes());
        if !same {
            return Err(differs(format!("record {seq}")));
        }
        if own.ends_command() {
            let command = own.header().command;
            if own_commands.trace(from, stream, command)? != commands.trace(to, stream, command)? {
                return Err(differs(format!("the command that ends with record {seq}")));
            }
            done.commands += 1;
        }
        done.records += 1;
        done.bytes += own.bytes().len() as u64;
    }
    let copied = to.books().book(stream)?;
    for (number, kept) in book.kept() {
        let there = copied.kept().get(number);
        let stays_empty = matches!(there, Some(Kept::Erased(_)));
        let has_more = *kept == Kept::Taken && there.is_some();
        if there != Some(kept) && !stays_empty && !has_more {
            return Err(differs(format!("private text {number}")));
        }
        done.texts += usize::from(matches!(kept, Kept::Entry(_)));
    }
    for &room in rooms {
        let own = &from.checkpoints.0;
        let listed = own.files.list(room, Some(stream));
        let failed = |error: FileError| own.failed("list", SideFile::of(room, stream))(error);
        for (file, _) in listed.map_err(failed)? {
            let same = to.checkpoints.0.get(file, LONGEST_FILE)? == own.get(file, LONGEST_FILE)?;
            if !same {
                return Err(differs(format!("the file in {}", room.word())));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asker::Asker;
    use crate::simulate::{play_into, store_of};

    #[test]
    fn what_is_carried_over_is_the_same_and_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let from = Store::open(&folder.path().join("from")).expect("a store");
        let rules = scrutineer_projections::ruleset::Library::shipped().ruleset("mtr").expect("it");
        let simulations = store_of(3, &[std::sync::Arc::new(rules)], 1);
        play_into(&from, &simulations, 8).expect("played");
        let streams = from.log().streams().expect("streams");
        // Somebody is forgotten, and one number is only taken.
        from.books().forget(streams[0], &[2]).expect("forgotten");
        from.books().mend(streams[0], &[3], &[]).expect("taken out");
        from.keep_secret(streams[1], &[7; 32]).expect("kept");
        let to = Store::open(&folder.path().join("to")).expect("a store");
        let mut told = 0;
        let first = carry(&from, &to, &[], &mut |_, _| told += 1).expect("carried");
        assert_eq!((first.tournaments, first.there, first.stay_empty), (3, 0, 0));
        assert!(told > 3 && first.written > first.records, "{first:?}");
        for stream in &streams {
            assert_eq!(from.books().book(*stream), to.books().book(*stream));
        }
        let secrets = to.secrets(streams[1]).expect("kept");
        assert_eq!(secrets, from.secrets(streams[1]).expect("kept"));
        assert_eq!(secrets.last(), Some(&[7; 32]));
        // One that stays out is nowhere in the other store.
        let third = Store::open(&folder.path().join("third")).expect("a store");
        let fewer = carry(&from, &third, &streams[..1], &mut |_, _| {}).expect("carried");
        assert_eq!((fewer.tournaments, third.log().head(streams[0]).expect("read").seq), (2, 0));
        assert!(third.books().book(streams[0]).expect("read").kept().is_empty());
        let again = carry(&from, &to, &[], &mut |_, _| {}).expect("carried");
        assert_eq!((again.there, again.written), (first.records, 0));
        // Who is forgotten in the copy does not come back.
        to.books().forget(streams[0], &[1]).expect("forgotten");
        let after = carry(&from, &to, &[], &mut |_, _| {}).expect("carried");
        assert_eq!((after.stay_empty, after.written), (1, 0));
        // The copy goes on by itself.
        let open = crate::orders::open;
        let new = crate::orders::New {
            title: "Other".into(),
            rules: "mtr".into(),
            ..crate::orders::New::default()
        };
        let own = open(&Asker::default(), &to, &new).expect("opened").0;
        let back = carry(&to, &from, &[], &mut |_, _| {}).expect("carried");
        assert_eq!(back.tournaments, 4);
        let note = crate::orders::Note { text: "here".into(), about: None };
        for store in [&from, &to] {
            let orders = [note.clone().into()];
            let (answers, _) = crate::orders::record_all(&Asker::default(), store, own, &orders);
            answers.expect("recorded");
        }
        let refused = carry(&from, &to, &[], &mut |_, _| {}).expect_err("they parted");
        let CarryError::OtherEvents { found } = &refused else { panic!("{refused}") };
        assert_eq!(found.iter().map(|(stream, _)| *stream).collect::<Vec<_>>(), [own]);
    }
}
