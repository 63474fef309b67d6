//! What every implementation of the traits of storage has to do, as tests that any crate can call:
//! give each function a log, private texts or side files that are empty. A broken promise panics.

use crate::book::{BookError, Field, Kept, MAX_TEXT, PrivateEntry, PrivateTexts};
use crate::files::{FileError, Room, SideFile, SideFiles};
use crate::log::{AppendError, Batch, BatchError, CommandTrace, Head, Log};
use crate::record::{Actor, CommandId, Header, Record, StreamId, Time};
use std::sync::Barrier;

/// A stream for tests.
pub const fn stream(number: u8) -> StreamId {
    StreamId([number; 16])
}

/// A command of so many records after a head. Its payloads mean nothing.
///
/// # Panics
/// Where a payload of so many bytes is too long.
pub fn batch(stream: StreamId, head: Head, command: u128, parts: u32, bytes: usize) -> Batch {
    let mut previous = head.hash;
    let mut records = Vec::new();
    for part in 1..=parts {
        let header = Header {
            stream,
            seq: head.seq + u64::from(part),
            time: Time { unix_micros: 1_795_255_200_000_000 },
            actor: Actor(1),
            command: CommandId(command),
            part,
            parts,
            kind: 1,
            schema: 1,
            previous,
        };
        let record = Record::seal(header, &vec![command as u8; bytes]).expect("it fits");
        previous = record.hash();
        records.push(record);
    }
    Batch { records, command_digest: [command as u8; 32], texts: Vec::new() }
}

/// An entry whose salt follows from its number.
pub fn entry(number: u32, text: &str) -> PrivateEntry {
    PrivateEntry { number, field: Field::Name, salt: [number as u8; 32], text: text.into() }
}

fn append(log: &dyn Log, stream: StreamId, command: u128, parts: u32) -> Head {
    let head = log.head(stream).expect("a head");
    log.append(head, batch(stream, head, command, parts, 30)).expect("appended")
}

fn read(log: &dyn Log, stream: StreamId, after: u64) -> Vec<Record> {
    log.read(stream, after).map(|record| record.expect("readable")).collect()
}

/// A log that is empty appends, refuses, reads, scans and keeps texts as [`Log`] says.
///
/// # Panics
/// Where it does not.
pub fn log(log: &dyn Log) {
    let (one, two) = (stream(1), stream(2));
    assert_eq!(log.streams(), Ok(vec![]));
    assert_eq!(log.head(one), Ok(Head::EMPTY));
    assert_eq!(log.command(one, CommandId(1)), Ok(None));
    assert_eq!((read(log, one, 0), log.scan().count()), (vec![], 0));

    refusals_of_what_is_no_command(log, one);
    let first = append(log, one, 1, 3);
    assert_eq!(first.seq, 3);
    append(log, two, 1, 1);
    let second = append(log, one, 2, 1);
    assert_eq!((log.head(one), log.streams()), (Ok(second), Ok(vec![one, two])));

    // Read from any place, and in the order of storage.
    let all = read(log, one, 0);
    assert_eq!(all.iter().map(|record| record.header().seq).collect::<Vec<_>>(), [1, 2, 3, 4]);
    for after in 0..=5 {
        assert_eq!(read(log, one, after), all[all.len().min(after as usize)..]);
    }
    assert_eq!(read(log, one, u64::MAX), []);
    assert_eq!(log.read(one, 0).take(2).count(), 2);
    let scanned: Vec<Record> = log.scan().map(|record| record.expect("readable")).collect();
    let of = |stream| scanned.iter().filter(move |record| record.header().stream == stream);
    assert!(of(one).eq(&all) && of(two).eq(&read(log, two, 0)));

    // A repeated command is known, to whomever it is sent with whatever head.
    let trace = CommandTrace { first_seq: 1, last_seq: 3, digest: [1; 32] };
    assert_eq!(log.command(one, CommandId(1)), Ok(Some(trace)));
    assert_eq!(log.command(one, CommandId(9)), Ok(None));
    for head in [Head::EMPTY, first, second] {
        let again = log.append(head, batch(one, head, 1, 2, 10));
        assert_eq!(again, Err(AppendError::CommandKnown(trace)));
    }
    // Another head is a conflict, and nothing is appended.
    for head in [Head::EMPTY, first] {
        let late = log.append(head, batch(one, head, 7, 1, 10));
        assert_eq!(late, Err(AppendError::Conflict { expected: head, actual: second }));
    }
    assert_eq!((log.head(one), log.command(one, CommandId(7))), (Ok(second), Ok(None)));

    // What is appended while somebody reads does not disturb them.
    let mut seen = 0;
    for record in log.read(one, 0) {
        assert!(record.is_ok());
        append(log, two, 100 + seen, 1);
        seen += 1;
    }
    assert_eq!((seen, read(log, two, 0).len()), (4, 5));
    one_of_many_writers_wins(log, stream(3));
    texts_of_commands(log, stream(4));
}

fn refusals_of_what_is_no_command(log: &dyn Log, stream: StreamId) {
    let whole = batch(stream, Head::EMPTY, 1, 3, 10);
    let records = |records: &[Record]| Batch { records: records.to_vec(), ..whole.clone() };
    let refused = log.append(Head::EMPTY, records(&[]));
    assert_eq!(refused, Err(AppendError::Batch(BatchError::Empty)));
    let refused = log.append(Head::EMPTY, records(&whole.records[..2]));
    let fault = BatchError::NotOneCommand { parts: 3, found: 2 };
    assert_eq!(refused, Err(AppendError::Batch(fault)));
    let mut swapped = whole.clone();
    swapped.records.swap(0, 1);
    let refused = log.append(Head::EMPTY, swapped);
    assert!(matches!(refused, Err(AppendError::Batch(BatchError::Chain(_)))), "{refused:?}");
    assert_eq!(log.streams(), Ok(vec![]));
}

fn one_of_many_writers_wins(log: &dyn Log, stream: StreamId) {
    const WRITERS: u32 = 4;
    for round in 0..5 {
        let head = log.head(stream).expect("a head");
        let barrier = Barrier::new(WRITERS as usize);
        let write = |writer: u32| {
            let order = batch(stream, head, u128::from(round * WRITERS + writer), 2, 10);
            barrier.wait();
            log.append(head, order)
        };
        let answers: Vec<_> = std::thread::scope(|scope| {
            let write = &write;
            let all: Vec<_> =
                (0..WRITERS).map(|writer| scope.spawn(move || write(writer))).collect();
            all.into_iter().map(|writer| writer.join().expect("it ends")).collect()
        });
        let won: Vec<Head> = answers.iter().filter_map(|answer| answer.clone().ok()).collect();
        assert_eq!(won.len(), 1, "round {round}: {answers:?}");
        let lost = AppendError::Conflict { expected: head, actual: won[0] };
        assert!(answers.iter().filter_map(|answer| answer.as_ref().err()).all(|why| *why == lost));
    }
    assert_eq!(read(log, stream, 0).len(), 10);
}

/// The texts of a command stand there when it is appended; a retry finds them, and they may be
/// those of a try that was cut off.
fn texts_of_commands(log: &dyn Log, stream: StreamId) {
    let text = |number| log.texts().book(stream).expect("readable").entry(number).cloned();
    let with = |head, command, texts: &[PrivateEntry]| Batch {
        texts: texts.to_vec(),
        ..batch(stream, head, command, 1, 10)
    };
    // An earlier beginning left texts to which nothing refers.
    log.texts().append(stream, &[entry(1, "left over")]).expect("kept");
    let head = log
        .append(Head::EMPTY, with(Head::EMPTY, 1, &[entry(1, "Open"), entry(2, "Ada")]))
        .expect("appended");
    assert_eq!((text(1), text(2)), (Some(entry(1, "Open")), Some(entry(2, "Ada"))));
    // A retry whose texts were kept, all or some of them.
    log.texts().append(stream, &[entry(3, "Bob")]).expect("kept");
    let next = log.append(head, with(head, 2, &[entry(3, "Bob"), entry(4, "Cid")]));
    let next = next.expect("appended");
    assert_eq!((text(3), text(4)), (Some(entry(3, "Bob")), Some(entry(4, "Cid"))));
    // Texts under numbers that others have are refused, with their records.
    let taken = log.append(next, with(next, 3, &[entry(4, "Dan")]));
    assert!(matches!(taken, Err(AppendError::Texts(BookError::NumberTaken { .. }))), "{taken:?}");
    assert_eq!((log.head(stream), text(4)), (Ok(next), Some(entry(4, "Cid"))));
    // Where the stream has moved on, no text takes the place of another.
    let late = log.append(head, with(head, 4, &[entry(4, "Eve")]));
    assert!(matches!(late, Err(AppendError::Conflict { .. })), "{late:?}");
    let again = log.append(head, with(head, 2, &[entry(3, "Bob")]));
    assert!(matches!(again, Err(AppendError::CommandKnown(_))), "{again:?}");
    assert_eq!(text(4), Some(entry(4, "Cid")));
}

/// Private texts that are empty are kept, emptied and mended as [`PrivateTexts`] says.
///
/// # Panics
/// Where they are not.
pub fn texts(texts: &dyn PrivateTexts) {
    let (one, two) = (stream(1), stream(2));
    let kept = |stream| texts.book(stream).expect("readable");
    let all = |stream| kept(stream).entries().cloned().collect::<Vec<_>>();
    assert_eq!((all(one), texts.next_number(one)), (vec![], Ok(1)));
    texts.append(one, &[]).expect("nothing is kept");
    texts.append(one, &[entry(1, "Ada"), entry(3, "Zoë\n\"O'Neil\"\0")]).expect("kept");
    texts.append(two, &[entry(2, "")]).expect("kept");
    assert_eq!(all(one), [entry(1, "Ada"), entry(3, "Zoë\n\"O'Neil\"\0")]);
    assert_eq!((texts.next_number(one), texts.next_number(two)), (Ok(4), Ok(3)));
    assert_eq!(texts.beginning(one, 1).expect("readable").entries().count(), 1);

    // Numbers only grow, and nothing of what is refused is kept.
    let long = entry(5, &"x".repeat(MAX_TEXT + 1));
    for refused in [&[entry(3, "Bob")][..], &[entry(4, "Bob"), entry(4, "Cid")]] {
        let refused = texts.append(one, refused);
        assert!(matches!(refused, Err(BookError::NumberTaken { .. })), "{refused:?}");
    }
    let refused = texts.append(one, &[entry(4, "Bob"), long.clone()]);
    assert_eq!(refused, Err(BookError::TooLong { bytes: MAX_TEXT + 1 }));
    assert_eq!(all(one).len(), 2);

    // Emptied for good: the number stays taken, and its field is known.
    assert_eq!(texts.forget(one, &[3, 8]), Ok(1));
    assert_eq!(texts.forget(one, &[3]), Ok(0));
    assert_eq!(kept(one).kept().get(&3), Some(&Kept::Erased(Field::Name)));
    assert_eq!((all(one), texts.next_number(one)), (vec![entry(1, "Ada")], Ok(4)));

    // Mended: texts to which no event refers go, others come; what was emptied stays so.
    texts.append(one, &[entry(6, "left over")]).expect("kept");
    let mended = texts.mend(one, &[6], &[entry(2, "Bob"), entry(3, "back"), entry(1, "Eda")]);
    assert_eq!(mended, Ok(2));
    assert_eq!(all(one), [entry(1, "Eda"), entry(2, "Bob")]);
    assert_eq!((kept(one).kept().get(&6), texts.next_number(one)), (Some(&Kept::Taken), Ok(7)));
    let refused = texts.mend(one, &[1], &[entry(7, "Cid")]);
    assert!(matches!(refused, Err(BookError::NumberTaken { .. })), "{refused:?}");
    assert_eq!(all(one).len(), 2);

    texts.discard(one).expect("gone");
    texts.discard(stream(9)).expect("nothing was there");
    assert_eq!((all(one), texts.next_number(one)), (vec![], Ok(1)));
    assert_eq!(all(two), [entry(2, "")]);
}

/// Side files that are empty are kept, compared, listed and removed as [`SideFiles`] says.
///
/// # Panics
/// Where they are not.
pub fn files(files: &dyn SideFiles) {
    let (one, two) = (stream(1), stream(2));
    let get = |file| files.get(file, 100).expect("readable");
    let is_changed = |done: Result<(), FileError>| matches!(done, Err(FileError::Changed { .. }));
    for &room in Room::ALL {
        assert_eq!(files.list(room, None), Ok(vec![]));
        let file = match room {
            Room::Exports => SideFile::of_all(room),
            Room::Snapshots => SideFile::of(room, one).numbered(2_000),
            _ => SideFile::of(room, one),
        };
        assert_eq!((get(file), files.remove(file)), (None, Ok(false)));

        // A new file is none's that is there, and a change is compared with what was seen.
        assert!(is_changed(files.replace(file, Some(b"one"), b"two")));
        assert!(is_changed(files.append(file, 3, 3, b"two")));
        assert_eq!(get(file), None);
        files.replace(file, None, b"one\n").expect("written");
        assert!(is_changed(files.replace(file, None, b"two")));
        assert!(is_changed(files.replace(file, Some(b"two\n"), b"x")));
        assert!(is_changed(files.replace(file, Some(b"one"), b"x")));
        assert_eq!(get(file).as_deref(), Some(&b"one\n"[..]));
        files.replace(file, Some(b"one\n"), b"two\n").expect("written");

        // Appended behind what is kept; a rest that was torn goes.
        files.append(file, 4, 4, b"thr").expect("appended");
        assert!(is_changed(files.append(file, 4, 4, b"late")));
        assert!(is_changed(files.append(file, 0, 0, b"late")));
        assert!(is_changed(files.append(file, 7, 8, b"hole")));
        files.append(file, 7, 4, b"three\n").expect("appended");
        assert_eq!(get(file).as_deref(), Some(&b"two\nthree\n"[..]));
        assert_eq!(files.list(room, None), Ok(vec![(file, 10)]));
        assert!(files.get(file, 9).is_err(), "no more is read than may be");
        assert!(files.get(file, 10).is_ok());

        assert_eq!((files.remove(file), get(file)), (Ok(true), None));
        files.append(file, 0, 0, b"again").expect("a new file");
        assert_eq!(get(file).as_deref(), Some(&b"again"[..]));
    }
    let old = SideFile::of(Room::Snapshots, two).numbered(9);
    let new = old.numbered(10);
    files.replace(new, None, b"ten").expect("written");
    files.replace(old, None, b"nine").expect("written");
    assert_eq!(files.list(Room::Snapshots, Some(two)), Ok(vec![(old, 4), (new, 3)]));
    assert_eq!(files.list(Room::Snapshots, None).expect("listed").len(), 3);
    assert_eq!(files.list(Room::Secrets, Some(two)), Ok(vec![]));
    one_of_many_who_replace_wins(files, SideFile::of(Room::Checkpoints, two));
}

fn one_of_many_who_replace_wins(files: &dyn SideFiles, file: SideFile) {
    files.replace(file, None, b"").expect("written");
    let barrier = Barrier::new(4);
    std::thread::scope(|scope| {
        for writer in 0..4_u8 {
            let barrier = &barrier;
            scope.spawn(move || {
                barrier.wait();
                for _ in 0..10 {
                    loop {
                        let there = files.get(file, 100).expect("readable").expect("it is there");
                        let more = [&there[..], &[writer]].concat();
                        match files.replace(file, Some(&there), &more) {
                            Ok(()) => break,
                            Err(FileError::Changed { .. }) => {}
                            Err(other) => panic!("{other}"),
                        }
                    }
                }
            });
        }
    });
    assert_eq!(files.get(file, 100).expect("readable").expect("it is there").len(), 40);
}
