//! Who is who: accounts, links, sessions and tokens, in a file of their own beside the journal and never
//! in a tournament's log. Secrets are kept as hashes. Who changed any of it is kept too.

mod accounts;
mod file;
mod grants;
mod inbox;
mod notices;
mod owners;
mod players;
mod policies;
mod screens;
mod sent;
mod stores;
#[cfg(test)]
mod tests;
mod webhooks;

pub use accounts::{Account, AccountListed, FREE_TRIES, LENGTH, MOST_ACCOUNTS, at_once};
pub use file::copy_at_rest;
pub use grants::{Kind, Listed, Made, Once, WRONG_CODES};
pub use inbox::{MOST_WAITING, Waiting, Whereabouts};
pub use notices::PhoneAddress;
pub use players::{LinksMade, MOST_A_MINUTE, PlayerLink, PlayerLinks, device_hash};
pub(crate) use policies::KeptPolicy;
pub use policies::KeptShown;
pub use webhooks::{MOST_WEBHOOKS, PAUSES, Reached, SECRET, Webhook, WebhookListed};

use crate::gate::Role;
use accounts::Tries;
use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::record::{StreamId, Time, to_hex};
use scrutineer_replay::loaded::short_id;
use scrutineer_replay::mirror::in_words;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};
use utoipa::ToSchema;

/// A table of the file: texts by texts.
type Table = TableDefinition<'static, &'static str, &'static str>;

const ACCOUNTS: Table = TableDefinition::new("accounts");
const CHANGES: TableDefinition<'_, u64, &str> = TableDefinition::new("changes");

/// How long a session lasts.
pub const SESSION_SECONDS: u64 = 12 * 60 * 60;
/// How long it lasts on somebody's own laptop.
pub const LAPTOP_SECONDS: u64 = 14 * 24 * 60 * 60;
/// How many changes are told at once.
const MOST_CHANGES: usize = 500;

/// Somebody whom a link, a session or a token stands for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// In which role.
    pub role: Role,
    /// Under which name the log has what they do; none: nobody said.
    pub name: Option<String>,
    /// In which tournament; none: in all of the store.
    pub tournament: Option<String>,
    /// Until when, in seconds since 1970; none: until it is taken back.
    pub until: Option<u64>,
    /// Whether it is used up by being used, as a link is that makes one browser the owner's.
    #[serde(default)]
    pub once: bool,
    /// By what it is called where it is taken back.
    #[serde(default)]
    pub id: String,
    /// When it was made, in microseconds since 1970: the newest stands first in lists.
    #[serde(default)]
    pub made: u64,
    /// Whose session it is, where somebody signed in by name.
    #[serde(default)]
    pub account: Option<String>,
    /// The request that made it: sent again, it makes no second one.
    #[serde(default)]
    pub asked: Option<String>,
}

impl Grant {
    /// Returns whether it holds in a tournament.
    pub fn holds_in(&self, stream: StreamId) -> bool {
        self.tournament.as_ref().is_none_or(|only| *only == stream.to_string())
    }

    fn is_over(&self, now: u64) -> bool {
        self.until.is_some_and(|until| until <= now)
    }
}

/// A change of who may do what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Change {
    /// Its number, from 1 on.
    #[serde(default)]
    pub seq: u64,
    /// When, in UTC.
    pub time: String,
    /// Who did it.
    pub by: String,
    /// What was done.
    pub what: String,
}

#[derive(Default)]
struct Known {
    grants: HashMap<Kind, HashMap<String, Grant>>,
    accounts: BTreeMap<String, Account>,
    /// When each session and token was used last, since the program was started.
    used: HashMap<String, u64>,
    /// Wrong codes of this minute, by address.
    wrong: HashMap<String, (u64, u32)>,
    /// Wrong passwords, by account and address.
    tries: HashMap<(String, String), Tries>,
    /// What was answered to requests that made something, by their keys.
    answered: HashMap<String, ([u8; 32], Made)>,
}

impl Known {
    fn of(&mut self, kind: Kind) -> &mut HashMap<String, Grant> {
        self.grants.entry(kind).or_default()
    }
}

/// The house of a store.
pub struct House {
    kept: Database,
    file: Arc<file::HouseFile>,
    known: Mutex<Known>,
    sent: sent::Sent,
    players: players::Players,
    screens: screens::Screens,
    inbox: inbox::Inbox,
    webhooks: webhooks::Webhooks,
    notices: notices::Notices,
    /// Held by whoever changes something: one at a time.
    changing: Mutex<()>,
}

/// Returns the refusal of what the file of the house cannot keep.
pub(crate) fn not_kept(error: impl std::fmt::Display) -> VerbError {
    let hint = "look at the disk; a damaged `house.redb` in the store's folder can be moved away: \
                then `house.copy` is taken, or everybody comes in anew";
    VerbError::new(
        Code::io("house-not-kept"),
        format!("who may do what cannot be kept: {error}"),
        hint,
    )
}

/// Returns the time in seconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// Returns the time in microseconds since 1970.
fn now_in_micros() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_micros()).unwrap_or(u64::MAX)
}

/// Returns a time in seconds since 1970 as it is told.
pub fn told_time(seconds: u64) -> String {
    let micros = seconds.saturating_mul(1_000_000);
    in_words(Time { unix_micros: i64::try_from(micros).unwrap_or(i64::MAX) })
}

/// Returns what is kept of a secret.
fn hashed(secret: &str) -> String {
    to_hex(&blake3::derive_key("scrutineer 2026 house secret v1", secret.as_bytes()))
}

fn random<const N: usize>() -> Result<[u8; N], VerbError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(not_kept)?;
    Ok(bytes)
}

/// Returns 256 random bits in hexadecimal digits.
///
/// # Errors
/// Where the system has none.
pub fn secret() -> Result<String, VerbError> {
    Ok(to_hex(&random::<32>()?))
}

fn text_of(value: &impl Serialize) -> Result<Option<String>, VerbError> {
    serde_json::to_string(value).map(Some).map_err(not_kept)
}

impl House {
    /// Opens the house in a store's folder; none: it is in memory and ends with the program.
    ///
    /// # Errors
    /// Where the file cannot be read or written.
    pub fn open(folder: Option<&Path>) -> Result<House, VerbError> {
        let (kept, file) = file::open(folder)?;
        let write = kept.begin_write().map_err(not_kept)?;
        // A table that was never written is made, so that it can be read.
        write.open_table(CHANGES).map_err(not_kept)?;
        write.commit().map_err(not_kept)?;
        let mut known =
            Known { accounts: all(&kept, ACCOUNTS)?.into_iter().collect(), ..Known::default() };
        for kind in Kind::ALL {
            known.grants.insert(kind, all(&kept, kind.table())?);
        }
        let (sent, players) = (sent::Sent::read(&kept)?, players::Players::read(&kept)?);
        let (inbox, screens) = (inbox::Inbox::read(&kept)?, screens::Screens::read(&kept)?);
        let webhooks = webhooks::Webhooks::read(&kept)?;
        let notices = notices::Notices::read(&kept)?;
        let (known, changing) = (Mutex::new(known), Mutex::default());
        let house =
            House { kept, file, known, sent, players, screens, inbox, webhooks, notices, changing };
        house.tidy()?;
        Ok(house)
    }

    /// Returns the file, in which others keep tables of their own.
    pub(crate) fn kept(&self) -> &Database {
        &self.kept
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn changing(&self) -> MutexGuard<'_, ()> {
        self.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes and removes rows, and says in the list of changes who did what; all of it or nothing.
    fn keep(
        &self,
        change: Option<(&str, String)>,
        rows: &[(Table, &str, Option<String>)],
    ) -> Result<(), VerbError> {
        let write = self.kept.begin_write().map_err(not_kept)?;
        for (table, key, text) in rows {
            let mut table = write.open_table(*table).map_err(not_kept)?;
            match text {
                Some(text) => drop(table.insert(*key, text.as_str()).map_err(not_kept)?),
                None => drop(table.remove(*key).map_err(not_kept)?),
            }
        }
        if let Some((by, what)) = change {
            let mut table = write.open_table(CHANGES).map_err(not_kept)?;
            let last = table.last().map_err(not_kept)?.map_or(0, |(seq, _)| seq.value());
            let change = Change { seq: last + 1, time: told_time(now()), by: by.into(), what };
            let text = serde_json::to_string(&change).map_err(not_kept)?;
            table.insert(last + 1, text.as_str()).map_err(not_kept)?;
        }
        write.commit().map_err(not_kept)
    }

    /// Writes something into the list of changes.
    ///
    /// # Errors
    /// Where it cannot be kept.
    pub fn note(&self, by: &str, what: impl Into<String>) -> Result<(), VerbError> {
        self.keep(Some((by, what.into())), &[])
    }

    /// Returns what was changed behind a number, 500 at a time.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn changed_after(&self, after: u64) -> Result<Vec<Change>, VerbError> {
        let read = self.kept.begin_read().map_err(not_kept)?;
        let table = read.open_table(CHANGES).map_err(not_kept)?;
        let rows = table.range(after.saturating_add(1)..).map_err(not_kept)?;
        let rows = rows.take(MOST_CHANGES).map(|row| {
            let (_, text) = row.map_err(not_kept)?;
            serde_json::from_str(text.value()).map_err(not_kept)
        });
        rows.collect()
    }

    /// Returns the last changes, the newest first.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub fn last_changes(&self, most: usize) -> Result<Vec<Change>, VerbError> {
        let read = self.kept.begin_read().map_err(not_kept)?;
        let table = read.open_table(CHANGES).map_err(not_kept)?;
        let last = table.last().map_err(not_kept)?.map_or(0, |(seq, _)| seq.value());
        drop((table, read));
        let mut found = self.changed_after(last.saturating_sub(most as u64))?;
        found.reverse();
        Ok(found)
    }
}

/// Returns the principal under which a session's keys are its own.
pub fn session_principal(secret: &str) -> String {
    format!("session {}", hashed(secret))
}

/// Returns whether two texts are the same, in a time that says nothing about where they differ.
pub fn same(one: &str, other: &str) -> bool {
    blake3::hash(one.as_bytes()) == blake3::hash(other.as_bytes())
}

fn all<T: DeserializeOwned>(
    kept: &Database,
    table: Table,
) -> Result<HashMap<String, T>, VerbError> {
    // A table that was never written is made, so that it can be read.
    let write = kept.begin_write().map_err(not_kept)?;
    drop(write.open_table(table).map_err(not_kept)?);
    write.commit().map_err(not_kept)?;
    let read = kept.begin_read().map_err(not_kept)?;
    let table = read.open_table(table).map_err(not_kept)?;
    let mut found = HashMap::new();
    for row in table.iter().map_err(not_kept)? {
        let (key, text) = row.map_err(not_kept)?;
        let value = serde_json::from_str(text.value()).map_err(not_kept)?;
        found.insert(key.value().to_string(), value);
    }
    Ok(found)
}

/// Leaves a file to its owner alone, where the platform knows that.
///
/// # Errors
/// Where its permissions cannot be set.
pub fn only_for_owner(file: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o600))?;
    }
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}
