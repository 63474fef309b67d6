//! Where signed checkpoints stand: a file for each tournament beside the log, one note after the
//! other with an empty line behind each. One is on the disk before it is given to anybody.

use super::Beside;
use scrutineer_engine::files::{Room, SideFile};
use scrutineer_engine::record::StreamId;
use scrutineer_replay::kept::KeptError;
use scrutineer_replay::trust::checkpoint::{MAX_KEPT, MAX_KEPT_BYTES, Signed};
use scrutineer_replay::trust::note::MAX_NOTE;
use std::collections::BTreeMap;

/// The checkpoints of a store.
pub struct Checkpoints(pub Beside);

impl Checkpoints {
    /// The notes of a tournament, that of most records last.
    pub fn get(&self, stream: StreamId) -> Result<Vec<String>, KeptError> {
        Ok(notes(&self.0.get(SideFile::of(Room::Checkpoints, stream), MAX_FILE)?).0)
    }

    /// Keeps notes beside those that are there, in the order of what they attest: they are on the
    /// disk when this returns. All of them are kept or none.
    pub fn keep(&self, stream: StreamId, added: &[String]) -> Result<(), KeptError> {
        let file = SideFile::of(Room::Checkpoints, stream);
        let there = self.0.get(file, MAX_FILE)?;
        let (kept, whole) = notes(&there);
        let all = together(&kept, added);
        self.fits(file, &all)?;
        let text =
            |notes: &[String]| -> String { notes.iter().flat_map(|note| [note, "\n"]).collect() };
        let done = match all.strip_prefix(&kept[..]) {
            Some([]) => Ok(()),
            Some(new) => self.0.files.append(file, there.len() as u64, whole, text(new).as_bytes()),
            None => self.0.files.replace(file, Some(&there), text(&all).as_bytes()),
        };
        done.map_err(self.0.failed("keep", file))
    }

    /// Keeps a note beside those that are there, in the place of the one of so many records.
    pub fn keep_instead(
        &self,
        stream: StreamId,
        of: Option<u64>,
        note: &str,
    ) -> Result<(), KeptError> {
        let file = SideFile::of(Room::Checkpoints, stream);
        let there = self.0.files.get(file, MAX_FILE).map_err(self.0.failed("read", file))?;
        let mut kept = notes(there.as_deref().unwrap_or_default()).0;
        let size = |note: &String| Signed::read(note.as_bytes()).map(|it| it.checkpoint.size).ok();
        kept.retain(|note| of.is_none() || size(note) != of);
        let all = together(&kept, &[note.to_string()]);
        self.fits(file, &all)?;
        let text: String = all.iter().flat_map(|note| [note.as_str(), "\n"]).collect();
        let done = self.0.files.replace(file, there.as_deref(), text.as_bytes());
        done.map_err(self.0.failed("keep", file))
    }

    /// Whether notes can be kept beside those that are there.
    pub(crate) fn have_room(&self, stream: StreamId, added: &[String]) -> Result<(), KeptError> {
        let file = SideFile::of(Room::Checkpoints, stream);
        self.fits(file, &together(&self.get(stream)?, added))
    }

    /// Whether all of them are within what is kept of an event.
    fn fits(&self, file: SideFile, all: &[String]) -> Result<(), KeptError> {
        let bytes: usize = all.iter().map(|note| note.len() + 1).sum();
        if all.len() <= MAX_KEPT && bytes <= MAX_KEPT_BYTES {
            return Ok(());
        }
        let reason = format!(
            "a tournament keeps at most {MAX_KEPT} checkpoints of {MAX_KEPT_BYTES} bytes together"
        );
        Err(KeptError::Beside { action: "keep", file: self.0.files.called(file), reason })
    }
}

/// All notes, each once, in the order of what they attest. Of a checkpoint that is there with other
/// signatures there is one note, with all of them. Behind one that cannot be read, notes stand as
/// they come.
fn together(kept: &[String], added: &[String]) -> Vec<String> {
    let mut all: Vec<(Option<u64>, String)> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut is_readable = true;
    for note in kept.iter().chain(added) {
        let signed = Signed::read(note.as_bytes()).ok();
        is_readable &= signed.is_some();
        let what = signed.as_ref().map_or(note.clone(), |signed| signed.checkpoint.text());
        if let Some(place) = places.get(&what) {
            let there = Signed::read(all[*place].1.as_bytes());
            if let (Ok(there), Some(signed)) = (there, signed) {
                all[*place].1 = there.with(&signed).to_string();
            }
            continue;
        }
        places.insert(what, all.len());
        all.push((signed.map(|signed| signed.checkpoint.size), note.clone()));
    }
    if is_readable {
        all.sort_by_key(|(size, _)| *size);
    }
    all.into_iter().map(|(_, note)| note).collect()
}

/// What is kept, and a part of a note that a power cut left behind it.
const MAX_FILE: u64 = (MAX_KEPT_BYTES + MAX_NOTE) as u64;

/// The notes of a file, and where the last whole one ends: a power cut may have left a part of one
/// behind it, which nobody was given.
fn notes(bytes: &[u8]) -> (Vec<String>, u64) {
    let (mut found, mut at) = (Vec::new(), 0);
    let end = |from: usize| {
        let place = bytes[from..].windows(2).position(|pair| pair == b"\n\n");
        place.map(|place| from + place)
    };
    while let Some(end) = end(at).and_then(|middle| end(middle + 2)) {
        // What is no text is no checkpoint either: whoever reads it is told so.
        found.push(String::from_utf8_lossy(&bytes[at..=end]).into_owned());
        at = end + 2;
    }
    (found, at as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_is_kept_is_there_and_a_part_of_one_is_not() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let kept = Checkpoints(Beside::in_store(folder.path()));
        let stream = StreamId([7; 16]);
        assert_eq!(kept.get(stream).expect("readable"), Vec::<String>::new());
        let (one, two) = ("a\nb\n\n\u{2014} x y\n", "c\n\n\u{2014} x y\n\u{2014} z y\n");
        kept.keep(stream, &[one.into()]).expect("kept");
        let file = folder.path().join("checkpoints").join(stream.to_string());
        let first = fs::read(&file).expect("there");
        kept.keep(stream, &[two.into()]).expect("kept");
        assert_eq!(kept.get(stream).expect("readable"), [one, two]);
        let both = fs::read(&file).expect("there");
        for cut in first.len()..both.len() {
            fs::write(&file, &both[..cut]).expect("written");
            assert_eq!(kept.get(stream).expect("readable"), [one], "cut at {cut}");
            kept.keep(stream, &[two.into()]).expect("kept");
            assert_eq!(fs::read(&file).expect("there"), both, "cut at {cut}");
        }
        assert_eq!(kept.get(StreamId([8; 16])).expect("readable"), Vec::<String>::new());
    }

    #[test]
    fn many_are_kept_at_once_each_once_and_not_more_than_may_be() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let (kept, stream) = (Checkpoints(Beside::in_store(folder.path())), StreamId([7; 16]));
        let note = |number: usize| format!("{number}\n\n\u{2014} x y\n");
        let all: Vec<String> = (0..MAX_KEPT).map(note).collect();
        kept.keep(stream, &[&all[..9], &all[3..20]].concat()).expect("kept");
        assert_eq!(kept.get(stream).expect("readable"), all[..20]);
        kept.keep(stream, &all).expect("kept");
        assert_eq!(kept.get(stream).expect("readable"), all);
        // What is there already takes no room; one more does.
        kept.have_room(stream, &all).expect("nothing is new");
        let more = [note(MAX_KEPT)];
        kept.have_room(stream, &more).expect_err("there is no room");
        kept.keep(stream, &more).expect_err("there is no room");
        assert_eq!(kept.get(stream).expect("readable").len(), MAX_KEPT);
        // So many bytes can be read again, and not one more is written.
        let long = |byte: usize| format!("{byte}{}\n\n\u{2014} x y\n", "x".repeat(16_000));
        let (mut bytes, mut long_ones) = (0, Vec::new());
        while bytes + long(0).len() + 8 < MAX_KEPT_BYTES {
            long_ones.push(long(long_ones.len()));
            bytes += long_ones[long_ones.len() - 1].len() + 1;
        }
        let other = StreamId([8; 16]);
        kept.keep(other, &long_ones).expect("kept");
        assert_eq!(kept.get(other).expect("readable").len(), long_ones.len());
        kept.keep(other, &[long(99_999), long(99_998)]).expect_err("too many bytes");
        assert_eq!(kept.get(other).expect("readable").len(), long_ones.len());
    }

    #[test]
    fn one_that_comes_late_stands_where_it_belongs_and_its_signatures_with_the_others() {
        use crate::keys::Key;
        use crate::kit::{FIRST, SECOND};
        use scrutineer_engine::record::{RecordHash, Time};
        use scrutineer_replay::trust::checkpoint::Checkpoint;
        let folder = tempfile::TempDir::new().expect("a folder");
        let stream = StreamId([7; 16]);
        let of = |size: u64, secrets: &[[u8; 32]]| {
            let (root, head) = ([size as u8; 32], RecordHash([size as u8; 32]));
            let time = Time { unix_micros: 0 };
            let keys: Vec<Key> = secrets.iter().map(Key::from_secret).collect();
            let signed = Checkpoint { stream, size, root, time, head };
            signed.sign(keys.iter().map(Key::signing)).to_string()
        };
        for kept in [Checkpoints(Beside::in_store(folder.path())), Checkpoints(Beside::in_memory())]
        {
            kept.keep(stream, &[of(10, &[FIRST]), of(30, &[FIRST])]).expect("kept");
            kept.keep(stream, &[of(20, &[FIRST])]).expect("kept");
            kept.keep(stream, &[of(20, &[SECOND]), of(20, &[FIRST])]).expect("kept");
            let expected = [of(10, &[FIRST]), of(20, &[FIRST, SECOND]), of(30, &[FIRST])];
            assert_eq!(kept.get(stream).expect("readable"), expected);
        }
    }
}
