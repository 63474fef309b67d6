//! Reading a bundle line by line: bounded, strict, and past whatever is wrong.
//!
//! What is said here needs one line only; what the lines say together is looked at in `check`.

use super::line::{self, Kind};
use super::{Header, MAX_BYTES, MAX_LINE, MAX_LONG_LINE, MAX_RECORDS, MAX_RULESETS};
use crate::announced::AnnouncedTable;
use crate::trust::checkpoint::{MAX_KEPT, MAX_KEPT_BYTES};
use scrutineer_engine::book::{MAX_TEXT, PrivateEntry};
use scrutineer_engine::event::Event;
use scrutineer_engine::record::{Record, RecordHash};
use std::io::{self, BufRead};
use std::ops::ControlFlow;

/// What one line gives.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "one line is read at a time, and most are records")]
pub enum Piece {
    /// The first line.
    Header(Header),
    /// A record, whose bytes are one; whether it belongs there nobody has looked at.
    Record {
        /// The record.
        record: Record,
        /// Its event, where this version can read it.
        event: Option<Event>,
        /// The hash that stands beside it.
        kept: Option<RecordHash>,
    },
    /// An announced table.
    Table(AnnouncedTable),
    /// A signed note, and the proof that it extends the one before.
    Checkpoint {
        /// The note.
        note: String,
        /// The hashes of the proof.
        extends: Vec<[u8; 32]>,
    },
    /// A text of the private book.
    Entry(PrivateEntry),
    /// A secret of the seeds.
    Secret([u8; 32]),
}

/// Something that is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// A stable code.
    pub code: &'static str,
    /// What is wrong.
    pub sentence: String,
}

/// What a line gives, or what is wrong with it.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "one line is read at a time, and most are records")]
pub enum Read {
    /// It gives this.
    Piece(Piece),
    /// This is wrong with it. A line can have several faults, and a piece all the same.
    Fault(Fault),
}

/// Where something stands: the line, from 1, and the record that belongs there, 0 for other lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Place {
    /// The line, from 1.
    pub line: u64,
    /// The record.
    pub seq: u64,
}

/// Takes what lines give, and says whether to go on.
pub(crate) type Visit<'a> = dyn FnMut(Place, Read) -> ControlFlow<()> + 'a;

/// Reads a bundle to its end. What is no bundle at all is one fault.
///
/// # Errors
/// Where the input cannot be read.
pub fn read(input: &mut dyn BufRead, visit: &mut Visit<'_>) -> io::Result<()> {
    let mut reader = Reader {
        lines: Lines { input, buffer: Vec::new(), hasher: blake3::Hasher::new(), bytes: 0 },
        place: Place::default(),
        records: 0,
        last: None,
        private: false,
        tables: 0,
        entries: 0,
        checkpoints: (0, 0),
        visit,
    };
    // Whoever had enough has had it.
    let (ControlFlow::Continue(()) | ControlFlow::Break(())) = reader.all()?;
    Ok(())
}

/// What the first line of a bundle says; none where it is no bundle.
///
/// # Errors
/// Where the input cannot be read.
pub fn header(input: &mut dyn BufRead) -> io::Result<Option<Header>> {
    let mut found = None;
    read(input, &mut |_, piece| {
        if let Read::Piece(Piece::Header(header)) = piece {
            found = Some(header);
        }
        ControlFlow::Break(())
    })?;
    Ok(found)
}

struct Lines<'a> {
    input: &'a mut dyn BufRead,
    buffer: Vec<u8>,
    hasher: blake3::Hasher,
    bytes: u64,
}

/// How a line ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// There is none.
    Nothing,
    /// As it should.
    Whole,
    /// Without its end: the file is over.
    CutOff,
    /// Beyond what is read of a line.
    TooLong,
}

impl Lines<'_> {
    /// Reads the next line into the buffer, with its end.
    fn next(&mut self, is_first: bool) -> io::Result<Ending> {
        self.hasher.update(&self.buffer);
        self.buffer.clear();
        self.more(MAX_LINE)?;
        let is_long = is_first || Kind::of(&self.buffer) == Some(Kind::Table);
        if self.buffer.len() as u64 == MAX_LINE && !self.is_whole() && is_long {
            self.more(MAX_LONG_LINE - MAX_LINE)?;
        }
        let limit = if is_long { MAX_LONG_LINE } else { MAX_LINE };
        Ok(match self.buffer.len() as u64 {
            0 => Ending::Nothing,
            _ if self.is_whole() => Ending::Whole,
            len if len < limit => Ending::CutOff,
            _ => match self.skip()? {
                true => Ending::TooLong,
                false => Ending::CutOff,
            },
        })
    }

    fn more(&mut self, limit: u64) -> io::Result<()> {
        let more = io::Read::take(&mut *self.input, limit).read_until(b'\n', &mut self.buffer)?;
        self.bytes += more as u64;
        Ok(())
    }

    fn is_whole(&self) -> bool {
        self.buffer.last() == Some(&b'\n')
    }

    /// Reads on to the end of a line that is too long, without keeping it; says whether there was
    /// one.
    fn skip(&mut self) -> io::Result<bool> {
        self.hasher.update(&self.buffer);
        self.buffer.clear();
        loop {
            let bytes = self.input.fill_buf()?;
            if bytes.is_empty() || self.bytes > MAX_BYTES {
                return Ok(false);
            }
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let used = end.map_or(bytes.len(), |end| end + 1);
            self.hasher.update(&bytes[..used]);
            self.input.consume(used);
            self.bytes += used as u64;
            if end.is_some() {
                return Ok(true);
            }
        }
    }
}

struct Reader<'a, 'v> {
    lines: Lines<'a>,
    place: Place,
    records: u64,
    last: Option<Kind>,
    private: bool,
    /// The event of the last table.
    tables: u64,
    /// The number of the last entry.
    entries: u32,
    /// How many checkpoints there were, and their bytes.
    checkpoints: (usize, usize),
    visit: &'a mut Visit<'v>,
}

type Going = io::Result<ControlFlow<()>>;

impl Reader<'_, '_> {
    fn fault(&mut self, code: &'static str, sentence: impl Into<String>) -> ControlFlow<()> {
        let sentence = sentence.into();
        (self.visit)(self.place, Read::Fault(Fault { code, sentence }))
    }

    fn piece(&mut self, piece: Piece) -> ControlFlow<()> {
        (self.visit)(self.place, Read::Piece(piece))
    }

    fn all(&mut self) -> Going {
        loop {
            let ending = self.lines.next(self.place.line == 0)?;
            if ending != Ending::Nothing {
                self.place = Place { line: self.place.line + 1, seq: 0 };
            }
            if self.place.line <= 1 && Kind::of(&self.lines.buffer) != Some(Kind::Header) {
                return Ok(self.fault("not-a-bundle", "its first line is not that of a bundle"));
            }
            if self.place.line == 1 && self.lines.buffer.ends_with(b"\r\n") {
                let sentence = "its lines end in CR LF: a mail program, an editor or a version \
                                control changed the copy; copy it again as it is";
                return Ok(self.fault("line-ends", sentence));
            }
            if self.last == Some(Kind::End) {
                return Ok(match ending {
                    Ending::Nothing => ControlFlow::Continue(()),
                    _ => self.fault("after-end", "something follows the last line"),
                });
            }
            if self.lines.bytes > MAX_BYTES || self.records > MAX_RECORDS {
                let sentence = format!(
                    "a bundle has at most {MAX_BYTES} bytes and {MAX_RECORDS} records, and this \
                     file has more: the rest was not read"
                );
                return Ok(self.fault("file-too-large", sentence));
            }
            let told = match ending {
                Ending::Whole => self.line(),
                Ending::Nothing => {
                    let sentence = "the file ends without its last line: it was cut off";
                    return Ok(self.fault("cut-off", sentence));
                }
                Ending::CutOff => {
                    let sentence = "the file ends in the middle of a line: it was cut off";
                    return Ok(self.fault("cut-off", sentence));
                }
                Ending::TooLong => {
                    self.stands_for_a_record(None);
                    self.fault("line-too-long", "the line is longer than any that is read")
                }
            };
            if told.is_break() {
                return Ok(told);
            }
        }
    }

    /// Counts a line among the records: by what it says it is, or where nothing can be made of it
    /// by where it stands.
    fn stands_for_a_record(&mut self, kind: Option<Kind>) {
        let among = matches!(self.last, Some(Kind::Header | Kind::Record));
        if kind == Some(Kind::Record) || (kind.is_none() && among) {
            self.records += 1;
            self.place.seq = self.records;
        }
    }

    fn line(&mut self) -> ControlFlow<()> {
        let mut buffer = std::mem::take(&mut self.lines.buffer);
        let told = self.told(&buffer);
        std::mem::swap(&mut self.lines.buffer, &mut buffer);
        told
    }

    fn told(&mut self, line: &[u8]) -> ControlFlow<()> {
        if line == b"\n" {
            // Nothing stood there, so no record is missing.
            return self.fault("line-spelling", "this line is empty");
        }
        let kind = Kind::of(line);
        self.stands_for_a_record(kind);
        let text = line.strip_suffix(b"\n").and_then(|line| std::str::from_utf8(line).ok());
        let (Some(kind), Some(text)) = (kind, text) else {
            return self.fault("line-spelling", "this line is none that the format knows");
        };
        let once = matches!(kind, Kind::Header | Kind::End);
        if self.last.is_some_and(|last| kind < last || (once && kind == last)) {
            let sentence = format!("a {} does not belong here", kind.word());
            self.fault("line-order", sentence)?;
        } else {
            self.last = Some(kind);
        }
        match kind {
            Kind::Header => self.header(text),
            Kind::Record => {
                let read = line::read_record(text);
                for (code, sentence) in read.faults {
                    self.fault(code, sentence)?;
                }
                match read.record {
                    Some(record) => {
                        self.piece(Piece::Record { record, event: read.event, kept: read.kept })
                    }
                    None => ControlFlow::Continue(()),
                }
            }
            Kind::Table => self.table(text),
            Kind::Checkpoint => {
                let read = line::read_checkpoint(text);
                let (count, bytes) = &mut self.checkpoints;
                *count += 1;
                *bytes += read.as_ref().map_or(0, |(note, _)| note.len() + 1);
                if *count > MAX_KEPT || *bytes > MAX_KEPT_BYTES {
                    let sentence = format!(
                        "there are more than {MAX_KEPT} checkpoints, or more than {MAX_KEPT_BYTES} \
                         bytes of them"
                    );
                    return self.fault("file-too-large", sentence);
                }
                self.read(read, |(note, extends)| Piece::Checkpoint { note, extends })
            }
            Kind::Entry => self.entry(text),
            Kind::Secret => {
                if !self.private {
                    self.fault("not-private", "a secret stands in a bundle that is not private")?;
                }
                self.read(line::read_secret(text), Piece::Secret)
            }
            Kind::End => self.end(text),
        }
    }

    fn read<T>(
        &mut self,
        read: Result<T, line::Fault>,
        piece: impl FnOnce(T) -> Piece,
    ) -> ControlFlow<()> {
        match read {
            Ok(read) => self.piece(piece(read)),
            Err((code, sentence)) => self.fault(code, sentence),
        }
    }

    fn header(&mut self, text: &str) -> ControlFlow<()> {
        let read = line::read_header(text);
        if let Ok(header) = &read {
            self.private = header.private;
            if header.rulesets.len() > MAX_RULESETS {
                return self.fault("file-too-large", "there are too many rulesets");
            }
        }
        self.read(read, Piece::Header)
    }

    fn table(&mut self, text: &str) -> ControlFlow<()> {
        let read = line::read_table(text);
        if let Ok(table) = &read {
            if table.announced <= self.tables {
                let sentence =
                    format!("the table of event {} does not belong here", table.announced);
                return self.fault("line-order", sentence);
            }
            self.tables = table.announced;
        }
        self.read(read, Piece::Table)
    }

    fn entry(&mut self, text: &str) -> ControlFlow<()> {
        let read = line::read_entry(text);
        if let Ok(entry) = &read {
            if entry.number <= self.entries {
                let sentence = format!("entry {} does not belong here", entry.number);
                return self.fault("line-order", sentence);
            }
            self.entries = entry.number;
            if entry.text.len() > MAX_TEXT {
                let sentence = format!("entry {} has more than {MAX_TEXT} bytes", entry.number);
                return self.fault("line-too-long", sentence);
            }
        }
        self.read(read, Piece::Entry)
    }

    fn end(&mut self, text: &str) -> ControlFlow<()> {
        match text == line::end(self.place.line - 1, &self.lines.hasher.finalize()) {
            true => ControlFlow::Continue(()),
            false => self.fault(
                "end",
                "the lines before are not those that the last line stands for: the file was \
                 changed or damaged",
            ),
        }
    }
}
