//! Compound files, in which older programs keep streams as a disk keeps files.

/// How a compound file begins.
pub(super) const MAGIC: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
/// Sectors whose number is no sector.
const NO_SECTOR: u32 = 0xffff_fffa;
/// Bytes of a directory's entry.
const ENTRY: usize = 128;
/// Bytes of a small sector.
const SMALL: usize = 64;
/// Streams shorter than this lie in small sectors.
const SMALL_BELOW: usize = 4_096;
/// Where the header lists the first sectors of the table, and how many.
const LISTED: (usize, usize) = (76, 109);

/// A compound file, of which every chain of sectors is as long as the file at most.
pub(super) struct Compound<'b> {
    bytes: &'b [u8],
    /// How large a sector is, as a power of two.
    shift: u32,
    /// The next sector of each.
    next: Vec<u32>,
}

pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

fn numbers(bytes: &[u8]) -> impl Iterator<Item = u32> {
    let (fours, _) = bytes.as_chunks::<4>();
    fours.iter().map(|four| u32::from_le_bytes(*four))
}

impl<'b> Compound<'b> {
    /// Opens a file; none where it is broken.
    pub fn open(bytes: &'b [u8]) -> Option<Compound<'b>> {
        let shift = u32::from(u16_at(bytes, 30)?);
        if !bytes.starts_with(MAGIC) || !matches!(shift, 9 | 12) {
            return None;
        }
        let mut file = Compound { bytes, shift, next: Vec::new() };
        let count = bytes.len() >> shift;
        let (from, listed) = LISTED;
        let mut tables: Vec<u32> = numbers(bytes.get(from..from + 4 * listed)?).collect();
        let mut more = u32_at(bytes, 68)?;
        let mut passed = 0;
        while more < NO_SECTOR {
            passed += 1;
            let sector = file.sector(more).filter(|_| passed <= count)?;
            let (own, last) = sector.split_at_checked(sector.len().checked_sub(4)?)?;
            tables.extend(numbers(own));
            more = u32_at(last, 0)?;
        }
        tables.retain(|sector| *sector < NO_SECTOR);
        if tables.len() > count {
            return None;
        }
        let mut next = Vec::new();
        for sector in tables {
            next.extend(numbers(file.sector(sector)?));
        }
        file.next = next;
        Some(file)
    }

    /// A sector; the last one of a file may be cut short.
    fn sector(&self, number: u32) -> Option<&'b [u8]> {
        let size = 1_usize << self.shift;
        let start = (number as usize).checked_add(1)?.checked_mul(size)?;
        let end = start.checked_add(size)?.min(self.bytes.len());
        self.bytes.get(start..end).filter(|sector| !sector.is_empty())
    }

    /// A chain of sectors, to its end or up to so many bytes.
    fn chain(&self, first: u32, most: usize) -> Option<Vec<u8>> {
        let mut found = Vec::new();
        let (mut at, mut passed) = (first, 0);
        while at < NO_SECTOR && found.len() < most {
            passed += 1;
            if passed > self.next.len() {
                return None;
            }
            found.extend_from_slice(self.sector(at)?);
            at = *self.next.get(at as usize)?;
        }
        found.truncate(most);
        Some(found)
    }

    /// The stream of this name; none where there is none, or it is broken.
    pub fn stream(&self, name: &str) -> Option<Vec<u8>> {
        let entries = self.chain(u32_at(self.bytes, 48)?, self.bytes.len())?;
        let (entries, _) = entries.as_chunks::<ENTRY>();
        let start = |entry: &[u8; ENTRY]| u32_at(entry, 116);
        let size = |entry: &[u8; ENTRY]| Some(u32_at(entry, 120)? as usize);
        let found = entries.iter().find(|entry| entry[66] == 2 && is_called(&entry[..], name))?;
        let size_of = size(found)?;
        if size_of > self.bytes.len() {
            return None;
        }
        if size_of >= SMALL_BELOW {
            return self.chain(start(found)?, size_of);
        }
        let root = entries.iter().find(|entry| entry[66] == 5)?;
        let small = self.chain(start(root)?, size(root)?.min(self.bytes.len()))?;
        let next = self.chain(u32_at(self.bytes, 60)?, self.bytes.len())?;
        let next: Vec<u32> = numbers(&next).collect();
        let (mut stream, mut at, mut passed) = (Vec::new(), start(found)?, 0);
        while at < NO_SECTOR && stream.len() < size_of {
            passed += 1;
            let from = (at as usize).checked_mul(SMALL)?;
            let to = from.checked_add(SMALL)?.min(small.len());
            stream.extend_from_slice(small.get(from..to).filter(|_| passed <= next.len())?);
            at = *next.get(at as usize)?;
        }
        stream.truncate(size_of);
        Some(stream)
    }
}

/// Whether a directory's entry has this name.
fn is_called(entry: &[u8], name: &str) -> bool {
    let units: Vec<u16> =
        (0..32).map_while(|at| u16_at(entry, 2 * at)).take_while(|unit| *unit != 0).collect();
    String::from_utf16(&units).is_ok_and(|own| own.eq_ignore_ascii_case(name))
}
