//! The bytes of the file: its sections, and numbers and texts in them.

use crate::error::Fault;
use crate::{ImportError, limits};
use std::ops::Range;

/// The marker of a section.
pub const fn marker(kind: u8) -> [u8; 4] {
    [kind, 0xff, 0x89, 0x44]
}

/// Whether a section begins with these bytes.
pub fn is_marker(bytes: &[u8]) -> bool {
    matches!(bytes, [_, 0xff, 0x89, 0x44, ..])
}

const SETTINGS: [u8; 4] = marker(0x95);
const PLAYERS: [u8; 4] = marker(0xa5);
const PAIRINGS: [u8; 4] = marker(0xb3);
const INDEX: [u8; 4] = marker(0xd3);

/// Where the sections lie, without their markers.
pub struct Sections {
    /// The texts about the tournament.
    pub texts: Range<usize>,
    /// The settings.
    pub settings: Range<usize>,
    /// The players; the pairings follow where the last of them ends.
    pub players: Range<usize>,
}

impl Sections {
    /// Finds the sections: the texts begin at `texts_at`.
    pub fn find(bytes: &[u8], texts_at: usize) -> Result<Sections, ImportError> {
        let missing = |what: &str| Fault::EndsEarly { what: what.to_owned(), end: bytes.len() };
        let mut reader = Reader::of(bytes, texts_at.min(bytes.len())..bytes.len());
        while !reader.rest().starts_with(&SETTINGS) {
            if reader.rest().len() < 4 {
                return Err(missing("the section of settings (95 FF 89 44)").at(reader.place()));
            }
            reader.text("a text about the tournament")?;
        }
        let settings = reader.at;
        let (players, end) = match index(bytes) {
            Some(found) => found,
            // An older or cut file without its list of sections.
            None => {
                let behind = bytes[settings..].windows(4).position(|four| four == PLAYERS);
                let players = behind.map(|at| settings + at).ok_or_else(|| {
                    missing("the section of players (A5 FF 89 44)").at(reader.place())
                })?;
                (players, bytes.len())
            }
        };
        if players < settings {
            return Err(
                missing("the section of settings before that of players").at(reader.place())
            );
        }
        Ok(Sections {
            texts: texts_at..settings,
            settings: settings + 4..players,
            players: players + 4..end,
        })
    }
}

/// Where the list of sections at the file's end says that the players begin, and where it stands itself.
fn index(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut end = bytes.len();
    while let Some(at) = bytes[..end].windows(4).rposition(|four| four == INDEX) {
        let number = |nth: usize| {
            let four = bytes.get(at + 4 * nth..at + 4 * nth + 4)?;
            usize::try_from(u32::from_le_bytes(four.try_into().ok()?)).ok()
        };
        let begins = |start: usize, kind: [u8; 4]| {
            bytes.get(start..).is_some_and(|rest| rest.starts_with(&kind))
        };
        if let (Some(players), Some(pairings), Some(own)) = (number(2), number(3), number(4))
            && own == at
            && players < pairings
            && pairings < at
            && begins(players, PLAYERS)
            && begins(pairings, PAIRINGS)
        {
            return Some((players, at));
        }
        // The last byte before this place: a marker may not overlap another.
        end = at + 3;
    }
    None
}

/// Reads numbers and texts up to the end of a section.
#[derive(Clone)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
}

impl<'a> Reader<'a> {
    pub fn of(bytes: &'a [u8], section: Range<usize>) -> Reader<'a> {
        let end = section.end.min(bytes.len());
        Reader { bytes, at: section.start.min(end), end }
    }

    /// A reader of the same section from another place of it on.
    pub fn at(&self, at: usize, what: &str) -> Result<Reader<'a>, ImportError> {
        if at > self.end {
            return Err(self.ends_early(what));
        }
        Ok(Reader { at, ..self.clone() })
    }

    pub fn is_done(&self) -> bool {
        self.at >= self.end
    }

    /// What is left of the section.
    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..self.end]
    }

    /// Where it stands in the file, for messages.
    pub fn place(&self) -> String {
        format!("byte {}", self.at)
    }

    fn ends_early(&self, what: &str) -> ImportError {
        Fault::EndsEarly { what: what.to_owned(), end: self.end }.at(self.place())
    }

    pub fn bytes(&mut self, count: usize, what: &str) -> Result<&'a [u8], ImportError> {
        let found = self.rest().get(..count).ok_or_else(|| self.ends_early(what))?;
        self.at += count;
        Ok(found)
    }

    pub fn u8(&mut self) -> Result<u8, ImportError> {
        Ok(self.bytes(1, "a number")?[0])
    }

    pub fn u16(&mut self) -> Result<u16, ImportError> {
        let found = self.bytes(2, "a number")?;
        Ok(u16::from_le_bytes([found[0], found[1]]))
    }

    pub fn u32(&mut self) -> Result<u32, ImportError> {
        let found = self.bytes(4, "a number")?;
        Ok(u32::from_le_bytes([found[0], found[1], found[2], found[3]]))
    }

    /// A text: the number of its 16-bit units, and these.
    pub fn text(&mut self, what: &str) -> Result<String, ImportError> {
        let units = usize::from(self.clone().u16().map_err(|_| self.ends_early(what))?);
        let all = self.bytes(2 + 2 * units, what)?;
        // What stands behind a zero is left over from a longer text.
        let units = all[2..].chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]]));
        let units = units.take_while(|unit| *unit != 0);
        let text: String = char::decode_utf16(units).map(|c| c.unwrap_or('\u{fffd}')).collect();
        Ok(text.trim().chars().take(4 * limits::NAME_CHARS).collect())
    }

    /// The records behind a marker, each of this many bytes with its place, up to the next marker.
    pub fn records(&self, size: usize) -> Result<Vec<(usize, &'a [u8])>, ImportError> {
        let mut reader = self.clone();
        if reader.bytes(4, "the section of pairings (B3 FF 89 44)")? != PAIRINGS {
            let what = "what follows the last player".to_owned();
            let found = self.rest().iter().take(4).map(|byte| format!("{byte:02X} "));
            let (found, expected) = (found.collect::<String>(), "B3 FF 89 44".to_owned());
            let found = found.trim_end().to_owned();
            return Err(Fault::BadValue { what, found, expected }.at(self.place()));
        }
        let mut records = Vec::new();
        while !reader.is_done() && !is_marker(reader.rest()) {
            let at = reader.at;
            records.push((at, reader.bytes(size, "a whole pairing")?));
        }
        Ok(records)
    }
}
