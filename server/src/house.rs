//! Who is who: accounts, links, sessions and tokens, in a file of their own beside the journal, or as rows of
//! a database that servers share, and never in a tournament's log. Secrets are kept as hashes. Who changed any of it is kept too.

mod accounts;
mod file;
mod grants;
#[cfg(feature = "postgres")]
mod in_database;
mod in_file;
mod inbox;
mod moved;
mod notices;
mod owners;
mod players;
mod policies;
mod quotas;
mod rows;
mod screens;
mod sent;
mod shared;
mod signed;
mod stores;
mod taken;
#[cfg(test)]
mod tests;
mod webhooks;

pub use accounts::{Account, AccountListed, FREE_TRIES, LENGTH, MOST_ACCOUNTS, at_once};
pub use file::copy_at_rest;
pub use grants::{Kind, Listed, Made, Once, WRONG_CODES};
#[cfg(feature = "postgres")]
pub(crate) use in_database::floor_in_database;
pub(crate) use in_file::floor_in;
pub use inbox::{MOST_WAITING, Waiting, Whereabouts, coded};
pub use moved::{bring_copy, carry_house, copy_of};
pub use notices::PhoneAddress;
pub use players::{LinksMade, MOST_A_MINUTE, PlayerLink, PlayerLinks, device_hash};
pub use policies::KeptShown;
pub(crate) use policies::{KeptPolicy, Policies};
#[cfg(feature = "postgres")]
pub(crate) use policies::{POLICIES, SHOWN};
pub use quotas::{Left, REQUESTS_A_SECOND, REQUESTS_AT_ONCE};
pub(crate) use rows::{NotDecided, deciding};
pub(crate) use signed::Signer;
pub use webhooks::{MOST_WEBHOOKS, PAUSES, Reached, SECRET, Webhook, WebhookListed};

use crate::gate::Role;
use accounts::Tries;
use rows::{Keeping, Rows, Table};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::record::{StreamId, Time, to_hex};
use scrutineer_replay::loaded::short_id;
use scrutineer_replay::mirror::in_words;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};
use taken::put_into;
use utoipa::ToSchema;

const ACCOUNTS: Table = "accounts";
/// Where a house says that it came from another place.
const MOVED: Table = "moved";

/// Said to whoever does something too often; the hint has the seconds.
const SLOW_DOWN: Code = Code::slow_down("slow-down");

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
    /// The digest of what that request asked for, by which something else under its key is told from its repeat.
    #[serde(default)]
    pub asked_for: Option<String>,
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

impl Change {
    fn now(seq: u64, by: &str, what: &str) -> Change {
        Change { seq, time: told_time(now()), by: by.into(), what: what.into() }
    }

    fn text(&self) -> Result<String, VerbError> {
        serde_json::to_string(self).map_err(not_kept)
    }
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
    rows: Arc<dyn Rows>,
    /// Its file, where it is in one.
    file: Option<file::HouseFile>,
    /// The version of the rows that are in memory.
    version: AtomicU64,
    known: Mutex<Known>,
    sent: sent::Sent,
    players: players::Players,
    screens: screens::Screens,
    inbox: inbox::Inbox,
    webhooks: webhooks::Webhooks,
    notices: notices::Notices,
    policies: Arc<Policies>,
    quotas: quotas::Quotas,
    /// Which rows other servers have changed since somebody asked.
    news: Mutex<Vec<(String, String)>>,
    /// When somebody last asked what others have changed.
    looked: Mutex<Option<Instant>>,
    /// Whether the database is away that it is in.
    is_away: AtomicBool,
    /// Whether texts were taken out whose bytes still stand in the file.
    leaves_bytes: AtomicBool,
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
        let file = file::open(folder)?;
        House::of(Arc::clone(&file.rows) as Arc<dyn Rows>, Some(file))
    }

    /// The house of these rows.
    fn of(rows: Arc<dyn Rows>, file: Option<file::HouseFile>) -> Result<House, VerbError> {
        let house = House {
            rows,
            file,
            version: AtomicU64::new(0),
            known: Mutex::default(),
            sent: sent::Sent::default(),
            players: players::Players::default(),
            screens: screens::Screens::default(),
            inbox: inbox::Inbox::default(),
            webhooks: webhooks::Webhooks::default(),
            notices: notices::Notices::default(),
            policies: Arc::default(),
            quotas: quotas::Quotas::default(),
            news: Mutex::default(),
            looked: Mutex::default(),
            is_away: AtomicBool::new(false),
            leaves_bytes: AtomicBool::new(false),
            changing: Mutex::default(),
        };
        let all = house.rows.all()?;
        house.take(all)?;
        house.tidy()?;
        Ok(house)
    }

    /// Returns the rows, in which the floors are too.
    pub(crate) fn rows(&self) -> &dyn Rows {
        &*self.rows
    }

    /// Returns what was chosen to be shown of the tournaments.
    pub(crate) fn policies(&self) -> Arc<Policies> {
        Arc::clone(&self.policies)
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn changing(&self) -> MutexGuard<'_, ()> {
        self.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Decides something on what is known and keeps it, one after another; anew where another server was
    /// first. Until something is kept, nothing may be done that cannot be done twice.
    pub(crate) fn deciding<T>(
        &self,
        decide: impl FnMut() -> Result<T, NotDecided>,
    ) -> Result<T, VerbError> {
        self.check_there()?;
        let _changing = self.changing();
        if self.is_shared() {
            // A refusal is decided on what stands too.
            self.read_on()?;
        }
        deciding(decide, || self.read_on())
    }

    /// Takes in what other servers have changed. Whoever calls it holds the turn to change something.
    fn read_on(&self) -> Result<(), VerbError> {
        let read = self.rows.behind(self.version.load(Ordering::Acquire))?;
        let news: Vec<_> =
            read.rows.iter().map(|row| (row.table.clone(), row.key.clone())).collect();
        self.take(read)?;
        self.news.lock().unwrap_or_else(PoisonError::into_inner).extend(news);
        Ok(())
    }

    /// Writes and removes rows, and says in the list of changes who did what; all of it or nothing. What
    /// is kept is in memory too.
    fn keep<'a>(
        &self,
        told: impl IntoIterator<Item = (&'a str, String)>,
        rows: &[(Table, &str, Option<String>)],
    ) -> Result<(), NotDecided> {
        let told: Vec<_> = told.into_iter().collect();
        let seen = Some(self.version.load(Ordering::Acquire));
        let kept = self.rows.keep(&Keeping { seen, rows, told: &told })?;
        let version = kept.ok_or(NotDecided::Overtaken)?;
        for (table, key, text) in rows {
            self.take_row(table, key, text.as_deref())?;
        }
        self.version.fetch_max(version, Ordering::AcqRel);
        Ok(())
    }

    /// Writes something into the list of changes.
    ///
    /// # Errors
    /// Where it cannot be kept.
    pub fn note(&self, by: &str, what: impl Into<String>) -> Result<(), VerbError> {
        let what = what.into();
        self.deciding(|| self.keep([(by, what.clone())], &[]))
    }

    /// Returns what was changed behind a number, 500 at a time.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn changed_after(&self, after: u64) -> Result<Vec<Change>, VerbError> {
        self.rows.changed_after(after, MOST_CHANGES)
    }

    /// Returns the last changes, the newest first.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub fn last_changes(&self, most: usize) -> Result<Vec<Change>, VerbError> {
        let last = self.rows.last_change()?;
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
