//! Who is who: links, sessions and tokens, in a file of their own beside the journal and never in a
//! tournament's log. Secrets are kept as hashes.

mod file;
mod sent;

pub use file::copy_at_rest;

use crate::gate::Role;
use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::record::{StreamId, to_hex};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

const LINKS: TableDefinition<'_, &str, &str> = TableDefinition::new("links");
const SESSIONS: TableDefinition<'_, &str, &str> = TableDefinition::new("sessions");
const TOKENS: TableDefinition<'_, &str, &str> = TableDefinition::new("tokens");

/// How long a session lasts.
pub const SESSION_SECONDS: u64 = 12 * 60 * 60;
/// How many wrong codes an address may try in a minute.
const WRONG_CODES: u32 = 10;
/// How many addresses are remembered for that.
const MOST_ADDRESSES: usize = 10_000;

/// Somebody whom a link, a session or a token stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

#[derive(Default)]
struct Known {
    links: HashMap<String, Grant>,
    sessions: HashMap<String, Grant>,
    tokens: HashMap<String, Grant>,
    /// Wrong codes of this minute, by address.
    wrong: HashMap<String, (u64, u32)>,
}

/// The house of a store.
pub struct House {
    kept: Database,
    file: Arc<file::HouseFile>,
    known: Mutex<Known>,
    sent: sent::Sent,
}

fn not_kept(error: impl std::fmt::Display) -> VerbError {
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

/// Returns what is kept of a secret.
fn hashed(secret: &str) -> String {
    blake3::derive_key("scrutineer 2026 house secret v1", secret.as_bytes())
        .iter()
        .fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// Returns 256 random bits in hexadecimal digits.
///
/// # Errors
/// Where the system has none.
pub fn secret() -> Result<String, VerbError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(not_kept)?;
    Ok(to_hex(&bytes))
}

/// Returns a code to type: eight letters and digits that nobody takes for others, 40 bits.
fn code() -> Result<String, VerbError> {
    const LETTERS: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(not_kept)?;
    let letters: Vec<char> =
        bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect();
    let (left, right) = letters.split_at(4);
    Ok(format!("{}-{}", left.iter().collect::<String>(), right.iter().collect::<String>()))
}

/// Returns a code as it is kept, however it was typed.
fn as_typed(code: &str) -> String {
    match code.len() {
        ..=12 => code.trim().to_uppercase(),
        _ => code.trim().to_string(),
    }
}

impl House {
    /// Opens the house in a store's folder; none: it is in memory and ends with the program.
    ///
    /// # Errors
    /// Where the file cannot be read or written.
    pub fn open(folder: Option<&Path>) -> Result<House, VerbError> {
        let (kept, file) = file::open(folder)?;
        let known = Known {
            links: all(&kept, LINKS)?,
            sessions: all(&kept, SESSIONS)?,
            tokens: all(&kept, TOKENS)?,
            wrong: HashMap::new(),
        };
        let sent = sent::Sent::read(&kept)?;
        Ok(House { kept, file, known: Mutex::new(known), sent })
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(
        &self,
        table: TableDefinition<'_, &str, &str>,
        key: &str,
        grant: Option<&Grant>,
    ) -> Result<(), VerbError> {
        let write = self.kept.begin_write().map_err(not_kept)?;
        {
            let mut table = write.open_table(table).map_err(not_kept)?;
            match grant {
                Some(grant) => {
                    let text = serde_json::to_string(grant).map_err(not_kept)?;
                    table.insert(key, text.as_str()).map_err(not_kept)?;
                }
                None => drop(table.remove(key).map_err(not_kept)?),
            }
        }
        write.commit().map_err(not_kept)
    }

    /// Makes the link that makes one browser the owner's, and gives its secret.
    ///
    /// # Errors
    /// Where it cannot be kept.
    pub fn owner_link(&self) -> Result<String, VerbError> {
        let secret = secret()?;
        let grant =
            Grant { role: Role::Owner, name: None, tournament: None, until: None, once: true };
        // The last one was perhaps never used: it ends with a new one.
        let old: Vec<String> = {
            let known = self.known();
            let of_owner = known.links.iter().filter(|(_, grant)| grant.role == Role::Owner);
            of_owner.map(|(key, _)| key.clone()).collect()
        };
        for key in old {
            self.keep(LINKS, &key, None)?;
            self.known().links.remove(&key);
        }
        let key = hashed(&secret);
        self.keep(LINKS, &key, Some(&grant))?;
        self.known().links.insert(key, grant);
        Ok(secret)
    }

    /// Makes a link for staff, and gives its code.
    ///
    /// # Errors
    /// Where it cannot be kept.
    pub fn link(&self, grant: Grant) -> Result<String, VerbError> {
        let code = code()?;
        let key = hashed(&code);
        self.keep(LINKS, &key, Some(&grant))?;
        self.known().links.insert(key, grant);
        Ok(code)
    }

    /// Returns what a link is for, without using it.
    ///
    /// # Errors
    /// Where there is none, it is used up or over, or the address has tried too many.
    pub fn linked(&self, typed: &str, address: &str) -> Result<Grant, VerbError> {
        let (now, mut known) = (now(), self.known());
        let minute = now / 60;
        let tried = known.wrong.get(address).filter(|(since, _)| *since == minute);
        if tried.is_some_and(|(_, times)| *times >= WRONG_CODES) {
            let hint = "wait a minute, and look at the code again";
            return Err(VerbError::new(Code::slow_down("slow-down"), "too many wrong codes", hint));
        }
        let found = known.links.get(&hashed(&as_typed(typed))).cloned();
        match found.filter(|grant| !grant.is_over(now)) {
            Some(grant) => Ok(grant),
            None => {
                if known.wrong.len() >= MOST_ADDRESSES {
                    known.wrong.retain(|_, (since, _)| *since == minute);
                }
                let wrong = known.wrong.entry(address.to_string()).or_insert((minute, 0));
                *wrong = if wrong.0 == minute { (minute, wrong.1 + 1) } else { (minute, 1) };
                let hint = "ask whoever gave it for a new one";
                let what = "this link is used up, over, or was never given";
                Err(VerbError::new(Code::not_found("no-such-link"), what, hint))
            }
        }
    }

    /// Makes a link a session of a device, and gives its secret.
    ///
    /// # Errors
    /// As [`House::linked`].
    pub fn join(
        &self,
        typed: &str,
        name: Option<String>,
        address: &str,
    ) -> Result<(String, Grant), VerbError> {
        let grant = self.linked(typed, address)?;
        if grant.once {
            let key = hashed(&as_typed(typed));
            // Two who use it at once: one of them finds it gone.
            if self.known().links.remove(&key).is_none() {
                return self.linked(typed, address).map(|grant| (String::new(), grant));
            }
            self.keep(LINKS, &key, None)?;
        }
        let until = now() + SESSION_SECONDS;
        let until = grant.until.map_or(until, |end| end.min(until));
        let session = Grant { name: name.or(grant.name), until: Some(until), once: false, ..grant };
        let secret = secret()?;
        let key = hashed(&secret);
        self.keep(SESSIONS, &key, Some(&session))?;
        self.known().sessions.insert(key, session.clone());
        Ok((secret, session))
    }

    /// Returns whom a session stands for.
    pub fn session(&self, secret: &str) -> Option<Grant> {
        self.known().sessions.get(&hashed(secret)).filter(|grant| !grant.is_over(now())).cloned()
    }

    /// Makes a token for a program, and gives it.
    ///
    /// # Errors
    /// Where it cannot be kept.
    pub fn token(&self, grant: Grant) -> Result<String, VerbError> {
        let token = format!("scr_{}", secret()?);
        let key = hashed(&token);
        self.keep(TOKENS, &key, Some(&grant))?;
        self.known().tokens.insert(key, grant);
        Ok(token)
    }

    /// Returns whom a token stands for, and the name under which its keys are its own.
    pub fn token_of(&self, token: &str) -> Option<(Grant, String)> {
        let key = hashed(token);
        let grant = self.known().tokens.get(&key).filter(|grant| !grant.is_over(now())).cloned()?;
        Some((grant, format!("token {key}")))
    }
}

/// Returns the principal under which a session's keys are its own.
pub fn session_principal(secret: &str) -> String {
    format!("session {}", hashed(secret))
}

fn all<T: DeserializeOwned>(
    kept: &Database,
    table: TableDefinition<'_, &str, &str>,
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

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn judge() -> Grant {
        Grant { role: Role::Judge, name: None, tournament: None, until: None, once: false }
    }

    #[test]
    fn an_owners_link_makes_one_browser_the_owners_and_no_second_one() {
        let house = House::open(None).expect("opened");
        let secret = house.owner_link().expect("made");
        let (session, grant) = house.join(&secret, None, "a").expect("joined");
        assert_eq!(grant.role, Role::Owner);
        assert_eq!(house.session(&session).map(|grant| grant.role), Some(Role::Owner));
        assert_eq!(house.join(&secret, None, "a").expect_err("used").code, "no-such-link");
    }

    #[test]
    fn what_is_kept_is_there_after_a_restart_and_holds_no_secret() {
        let folder = tempfile::tempdir().expect("a folder");
        let (code, session, token) = {
            let house = House::open(Some(folder.path())).expect("opened");
            let code = house.link(judge()).expect("made");
            let (session, _) = house.join(&code, Some("Ann".into()), "a").expect("joined");
            (code.clone(), session, house.token(judge()).expect("made"))
        };
        let house = House::open(Some(folder.path())).expect("opened again");
        assert_eq!(house.session(&session).and_then(|grant| grant.name), Some("Ann".into()));
        assert!(house.token_of(&token).is_some() && house.token_of("scr_0").is_none());
        // However it is typed.
        assert!(house.linked(&format!(" {} ", code.to_lowercase()), "a").is_ok());
        let bytes = std::fs::read(folder.path().join("house.redb")).expect("read");
        for secret in [&code, &session, &token] {
            let found = bytes.windows(secret.len()).any(|part| part == secret.as_bytes());
            assert!(!found, "a secret stands in the file");
        }
    }

    #[test]
    fn an_address_that_guesses_is_told_to_wait_and_others_are_not() {
        let house = House::open(None).expect("opened");
        let code = house.link(judge()).expect("made");
        // A minute may end in between: then it begins anew.
        let guess =
            || (0..=WRONG_CODES).map(|_| house.linked("AAAA-AAAA", "a").unwrap_err()).last();
        let told = [guess(), guess()].into_iter().flatten().any(|error| error.code == "slow-down");
        assert!(told);
        assert!(house.linked(&code, "b").is_ok());
    }

    #[test]
    fn a_grant_that_is_over_or_of_another_tournament_does_not_hold() {
        let house = House::open(None).expect("opened");
        let token = house.token(Grant { until: Some(1), ..judge() }).expect("made");
        assert!(house.token_of(&token).is_none());
        let one = StreamId([1; 16]);
        let grant = Grant { tournament: Some(one.to_string()), ..judge() };
        assert!(grant.holds_in(one) && !grant.holds_in(StreamId([2; 16])));
    }
}
