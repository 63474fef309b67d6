//! What was sent under which key: a second order under the key of a first is told from its repeat,
//! also after a restart. Written behind, and without a word of what was sent.

use super::rows::{Keeping, Table, sent_id, sent_key, sent_of, sent_text};
use super::{House, Once, now};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::record::CommandId;
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub(super) const SENT: Table = "sent";

/// How long it is kept what was sent under a key, in seconds.
const KEPT_FOR: u64 = 48 * 60 * 60;
/// How many keys are kept.
const MOST_KEYS: usize = 100_000;

#[derive(Default)]
struct Known {
    /// When something was sent under the key of a command, and its digest.
    sent: HashMap<u128, (u64, [u8; 16])>,
    /// What the file does not have yet.
    unkept: Vec<u128>,
}

/// What was sent.
#[derive(Default)]
pub(super) struct Sent(Mutex<Known>);

impl Sent {
    /// Takes a row. What is not kept yet stays.
    pub(super) fn take(&self, key: &str, text: Option<&str>) -> Result<(), VerbError> {
        let (id, mut known) = (sent_id(key)?, self.lock());
        match text {
            Some(text) => drop(known.sent.insert(id, sent_of(text)?)),
            None => drop(known.sent.remove(&id)),
        }
        Ok(())
    }

    pub(super) fn clear(&self) {
        let mut known = self.lock();
        let Known { sent, unkept } = &mut *known;
        sent.retain(|id, _| unkept.contains(id));
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The key takes part: whoever has the file cannot try names without it.
fn digest(key: &str, body: &[u8]) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new_derive_key("scrutineer 2026 sent under a key v1");
    hasher.update(&(key.len() as u64).to_le_bytes()).update(key.as_bytes()).update(body);
    let mut digest = [0; 16];
    digest.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    digest
}

/// What is kept of a request that made something: its place, and the digest of what it asked for.
fn kept_of(once: &Once) -> (u128, [u8; 16]) {
    let mut asked = [0; 16];
    asked.copy_from_slice(&once.body[..16]);
    (u128::from_be_bytes(digest(&once.id, b"")), asked)
}

/// Returns the row that says what made something: its key and its text.
pub(super) fn row_of(once: &Once) -> (String, String) {
    let (id, asked) = kept_of(once);
    (sent_key(id), sent_text((now(), asked)))
}

impl House {
    /// Returns whether it was this very request that made something under its key in the last 48 hours; none:
    /// nothing was made.
    pub(super) fn was_made_by(&self, once: &Once) -> Option<bool> {
        let (id, asked) = kept_of(once);
        self.sent.lock().sent.get(&id).map(|(_, before)| *before == asked)
    }

    /// Returns whether something else was sent under a key in the last 48 hours.
    pub fn sent_otherwise(&self, id: CommandId, key: &str, body: &[u8]) -> bool {
        self.sent.lock().sent.get(&id.0).is_some_and(|(_, before)| *before != digest(key, body))
    }

    /// Remembers what was recorded under a key; [`House::keep_sent`] keeps it.
    pub fn remember_sent(&self, id: CommandId, key: &str, body: &[u8]) {
        let mut known = self.sent.lock();
        let one = (now(), digest(key, body));
        if known.sent.insert(id.0, one).is_none_or(|(_, before)| before != one.1) {
            known.unkept.push(id.0);
        }
    }

    /// Keeps what was sent since the last time, and lets go of what is older than 48 hours.
    ///
    /// # Errors
    /// Where it cannot be written: then it is tried again the next time.
    pub fn keep_sent(&self) -> Result<(), VerbError> {
        let (rows, gone) = {
            let mut known = self.sent.lock();
            let unkept = std::mem::take(&mut known.unkept);
            let since = now().saturating_sub(KEPT_FOR);
            let mut gone: HashSet<u128> =
                known.sent.iter().filter(|(_, (at, _))| *at < since).map(|(id, _)| *id).collect();
            if known.sent.len() > MOST_KEYS {
                // The older half is the less likely to be sent again.
                let mut ages: Vec<(u64, u128)> =
                    known.sent.iter().map(|(id, (at, _))| (*at, *id)).collect();
                ages.sort_unstable();
                gone.extend(ages.iter().take(MOST_KEYS / 2).map(|(_, id)| *id));
            }
            known.sent.retain(|id, _| !gone.contains(id));
            let row = |id: u128| Some((id, *known.sent.get(&id)?));
            (unkept.into_iter().filter_map(row).collect::<Vec<_>>(), gone)
        };
        if rows.is_empty() && gone.is_empty() {
            return Ok(());
        }
        let kept = self.keep_rows(&rows, &gone);
        if kept.is_err() {
            self.sent.lock().unkept.extend(rows.iter().map(|(id, _)| *id));
        }
        kept
    }

    fn keep_rows(
        &self,
        rows: &[(u128, (u64, [u8; 16]))],
        gone: &HashSet<u128>,
    ) -> Result<(), VerbError> {
        let kept = rows.iter().map(|(id, row)| (sent_key(*id), Some(sent_text(*row))));
        let all: Vec<_> = kept.chain(gone.iter().map(|id| (sent_key(*id), None))).collect();
        let rows: Vec<_> =
            all.iter().map(|(key, text)| (SENT, key.as_str(), text.clone())).collect();
        // Each row stands for itself, whatever others have changed.
        self.rows.keep(&Keeping { seen: None, rows: &rows, told: &[] }).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::house::Kind;
    use redb::{ReadableDatabase, TableDefinition};
    use std::sync::Arc;

    #[test]
    fn what_was_sent_is_known_after_a_restart_and_no_word_of_it_stands_in_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let (id, body) = (CommandId(7), b"{\"order\":\"late\",\"name\":\"Kowalski, Jan\"}");
        {
            let house = House::open(Some(folder.path())).expect("opened");
            house.remember_sent(id, "k", body);
            house.keep_sent().expect("kept");
        }
        let house = House::open(Some(folder.path())).expect("opened again");
        assert!(!house.sent_otherwise(id, "k", body));
        assert!(house.sent_otherwise(id, "k", b"something else"));
        assert!(!house.sent_otherwise(CommandId(8), "k", b"something else"));
        let bytes = house.image().expect("read");
        assert!(!bytes.windows(8).any(|part| part == b"Kowalski"));
    }

    #[test]
    fn what_is_older_than_two_days_is_let_go() {
        let house = House::open(None).expect("opened");
        house.remember_sent(CommandId(7), "k", b"a");
        house.keep_sent().expect("kept");
        house.sent.lock().sent.get_mut(&7).expect("there").0 = now() - KEPT_FOR - 1;
        house.keep_sent().expect("kept");
        assert!(!house.sent_otherwise(CommandId(7), "k", b"b"));
        let left = house.rows.all().expect("read").rows;
        assert!(!left.iter().any(|row| row.table == SENT));
    }

    #[test]
    fn a_copy_of_a_house_in_use_is_whole_and_holds_every_table() {
        let folder = tempfile::tempdir().expect("a folder");
        let house = House::open(Some(folder.path())).expect("opened");
        const OTHER: TableDefinition<'_, &str, u64> = TableDefinition::new("of another room");
        let changes = house.changes();
        let kept = |house: &House| Arc::clone(&house.file.as_ref().expect("its file").rows);
        let write = kept(&house).kept.begin_write().expect("begun");
        write.open_table(OTHER).expect("opened").insert("one", 1).expect("put in");
        write.commit().expect("kept");
        assert!(changes.has_changed().expect("open"));
        let token = crate::house::tests::made(&house, Kind::Token);
        let elsewhere = tempfile::tempdir().expect("a folder");
        house.write_copy(elsewhere.path()).expect("copied");
        // The original goes on, and the copy is as it was.
        let later = crate::house::tests::made(&house, Kind::Token);
        let copy = House::open(Some(elsewhere.path())).expect("opened");
        assert!(copy.token_of(&token).is_some() && copy.token_of(&later).is_none());
        let read = kept(&copy).kept.begin_read().expect("begun");
        let one = read.open_table(OTHER).expect("opened").get("one").expect("read");
        assert_eq!(one.map(|one| one.value()), Some(1));
    }
}
