//! Accounts: a name, a password and a role. Passwords are kept as argon2id makes them; whoever guesses
//! more than a few times a minute is made slower and slower.

use super::grants::{Ending, MOST_REMEMBERED};
use super::rows::NotDecided;
use super::*;
use argon2::{Algorithm, Argon2, Params, Version};
use scrutineer_desk::hint::Hint;
use scrutineer_engine::book::Field;
use scrutineer_engine::names::looks;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::{Duration, timeout};

/// How much memory a password takes to be checked, in KiB, and how often it is gone through.
const COST: (u32, u32) = (19 * 1_024, 2);
/// How many passwords are checked at a time.
static AT_ONCE: Semaphore = Semaphore::const_new(2);
/// How long a check waits for its turn.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long a password is, in characters.
pub const LENGTH: std::ops::RangeInclusive<usize> = 8..=200;
/// How many wrong passwords an account takes from an address before it is made slower.
pub const FREE_TRIES: u32 = 5;
/// How many accounts there are at most.
pub const MOST_ACCOUNTS: usize = 1_000;

/// Somebody who signs in by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// What they are called, here and in the log.
    pub name: String,
    /// In which role.
    pub role: Role,
    /// In which tournament; none: in all of the store.
    pub tournament: Option<String>,
    password: Password,
    made: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Password {
    memory: u32,
    passes: u32,
    salt: String,
    hash: String,
}

/// An account, without its password.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct AccountListed {
    /// What they are called, here and in the log.
    pub name: String,
    /// Their role.
    pub role: String,
    /// The id of the only tournament in which they have it; null: in all of them.
    pub tournament: Option<String>,
    /// When the account was made, in UTC.
    pub made: String,
    /// How many of their browsers are signed in.
    pub sessions: usize,
}

/// Wrong passwords of somebody, one after another.
pub(super) struct Tries {
    pub(super) count: u32,
    pub(super) last: u64,
}

impl Tries {
    /// When the next one is looked at.
    fn next_at(&self) -> u64 {
        match self.count.checked_sub(FREE_TRIES) {
            None => self.last,
            // A minute, two, four, up to an hour.
            Some(more) => self.last + (60 << more.min(6)).min(3_600),
        }
    }
}

/// Waits for a turn to check or make a password: each takes memory and a core.
///
/// # Errors
/// `too-busy` where it takes too long.
pub async fn at_once() -> Result<SemaphorePermit<'static>, VerbError> {
    let turn = timeout(PATIENCE, AT_ONCE.acquire()).await;
    turn.map_err(|_| crate::problem::too_busy())?.map_err(|_| crate::problem::too_busy())
}

fn bad_password(message: &str) -> VerbError {
    VerbError::new(Code::invalid("bad-password"), message, "a sentence is a good one")
}

fn key_of(name: &str) -> String {
    looks(name.trim()).to_lowercase()
}

impl Password {
    fn made(password: &str) -> Result<Password, VerbError> {
        let salt = to_hex(&random::<16>()?);
        let (memory, passes) = COST;
        let empty = Password { memory, passes, salt, hash: String::new() };
        let hash = empty.hash_of(password)?;
        Ok(Password { hash, ..empty })
    }

    fn hash_of(&self, password: &str) -> Result<String, VerbError> {
        let params = Params::new(self.memory, self.passes, 1, None).map_err(not_kept)?;
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let mut out = [0; 32];
        argon2
            .hash_password_into(password.as_bytes(), self.salt.as_bytes(), &mut out)
            .map_err(not_kept)?;
        Ok(to_hex(&out))
    }

    fn is(&self, password: &str) -> Result<bool, VerbError> {
        Ok(same(&self.hash_of(password)?, &self.hash))
    }
}

impl House {
    /// Makes an account, or changes one: its role, and its password where one is given. Its sessions
    /// end. Returns whether it is a new one.
    ///
    /// # Errors
    /// Where the name cannot stand in a log, or the password is none.
    pub fn put_account(
        &self,
        name: &str,
        password: Option<&str>,
        role: Role,
        tournament: Option<String>,
        by: &str,
    ) -> Result<bool, VerbError> {
        let name = name.trim().to_string();
        if let Some(why) = Field::Staff.objection(&name) {
            let message = format!("the name {why}");
            return Err(VerbError::new(Code::invalid("bad-name"), message, "type it otherwise"));
        }
        if password.is_some_and(|password| !LENGTH.contains(&password.chars().count())) {
            let (least, most) = (LENGTH.start(), LENGTH.end());
            return Err(bad_password(&format!("a password has {least} to {most} characters")));
        }
        let made = password.map(Password::made).transpose()?;
        self.deciding(|| self.account_put(&name, made.clone(), role, tournament.clone(), by))
    }

    fn account_put(
        &self,
        name: &str,
        made: Option<Password>,
        role: Role,
        tournament: Option<String>,
        by: &str,
    ) -> Result<bool, NotDecided> {
        let key = key_of(name);
        let (before, count) = {
            let known = self.known();
            (known.accounts.get(&key).cloned(), known.accounts.len())
        };
        if before.is_none() && count >= MOST_ACCOUNTS {
            let message = format!("there are {MOST_ACCOUNTS} accounts");
            return Err(
                VerbError::new(Code::too_large("too-many"), message, "remove one first").into()
            );
        }
        let is_new = before.is_none();
        let account = match (before, made) {
            (None, None) => return Err(bad_password("a new account needs a password").into()),
            (before, made) => {
                let since = before.as_ref().map_or_else(now, |before| before.made);
                let password = made.or(before.map(|before| before.password));
                let password =
                    password.ok_or_else(|| bad_password("a new account needs a password"))?;
                Account { name: name.to_string(), role, tournament, password, made: since }
            }
        };
        let what = match is_new {
            true => format!("made the account {} as {}", account.name, role.word()),
            false => format!("changed the account {}: {} now", account.name, role.word()),
        };
        self.keep_account(&key, text_of(&account)?, (by, what))?;
        Ok(is_new)
    }

    /// Removes an account; its sessions end.
    ///
    /// # Errors
    /// Where there is none of this name.
    pub fn remove_account(&self, name: &str, by: &str) -> Result<(), VerbError> {
        let key = key_of(name);
        self.deciding(|| {
            if !self.known().accounts.contains_key(&key) {
                let message = format!("there is no account {name}");
                let code = Code::not_found("no-such-account");
                return Err(VerbError::new(code, message, "look at the list of accounts").into());
            }
            self.keep_account(&key, None, (by, format!("removed the account {name}")))
        })
    }

    /// Keeps or removes an account; its sessions end with it.
    fn keep_account(
        &self,
        key: &str,
        text: Option<String>,
        told: (&str, String),
    ) -> Result<(), NotDecided> {
        let sessions = self.keys(Kind::Session, |grant| grant.account.as_deref() == Some(key));
        let ended = sessions.iter().map(|one| (Kind::Session.table(), one.as_str(), None));
        let rows: Vec<_> = std::iter::once((ACCOUNTS, key, text)).chain(ended).collect();
        self.keep([told], &rows)
    }

    /// Returns the accounts, by name.
    pub fn accounts(&self) -> Vec<AccountListed> {
        let mut known = self.known();
        let sessions: Vec<String> =
            known.of(Kind::Session).values().filter_map(|one| one.account.clone()).collect();
        let listed = known.accounts.iter().map(|(key, account)| AccountListed {
            name: account.name.clone(),
            role: account.role.word().to_string(),
            tournament: account.tournament.clone(),
            made: told_time(account.made),
            sessions: sessions.iter().filter(|of| *of == key).count(),
        });
        listed.collect()
    }

    /// Makes a browser the session of an account, and gives its secret.
    ///
    /// # Errors
    /// Where name and password do not fit, or too many were tried.
    pub fn sign_in(
        &self,
        name: &str,
        password: &str,
        address: &str,
        seconds: u64,
    ) -> Result<(String, Grant), VerbError> {
        // A name that no account can have is remembered under none.
        let name = if Field::Staff.objection(name).is_some() { "" } else { name };
        let (key, now) = (key_of(name), now());
        let whose = (key.clone(), address.to_string());
        let _ = self.found_anew(|| self.known().accounts.contains_key(&key).then_some(()));
        let account = {
            let mut known = self.known();
            if known.tries.len() >= MOST_REMEMBERED {
                known.tries.retain(|_, tries| now < tries.last + 3_600);
            }
            // Each of them has cost the check of a password, so forgetting all of them helps nobody guess.
            if known.tries.len() >= MOST_REMEMBERED {
                known.tries.clear();
            }
            let tries = known.tries.entry(whose.clone()).or_insert(Tries { count: 0, last: now });
            let minute_is_over = tries.count < FREE_TRIES && now >= tries.last + 60;
            if minute_is_over || now >= tries.last + 2 * 3_600 {
                tries.count = 0;
            }
            if tries.count >= FREE_TRIES && now < tries.next_at() {
                let message = "too many wrong passwords for this name";
                let hint = Hint::to_wait(tries.next_at() - now, "");
                return Err(VerbError::new(SLOW_DOWN, message, hint));
            }
            // Counted before it is looked at: those who guess at once are counted each.
            (tries.count, tries.last) = (tries.count + 1, now);
            known.accounts.get(&key).cloned()
        };
        // A name that nobody has takes as long.
        let (fits, account) = match account {
            Some(account) => (account.password.is(password)?, Some(account)),
            None => (Password::made(password).map(|_| false)?, None),
        };
        let Some(account) = account.filter(|_| fits) else {
            let message = "no account has this name and this password";
            let code = Code::sign_in("wrong-password");
            return Err(VerbError::new(code, message, "the owner sets a new password"));
        };
        self.deciding(|| {
            {
                let mut known = self.known();
                // It was changed meanwhile: then its sessions have just ended.
                if known.accounts.get(&key) != Some(&account) {
                    return Err(crate::problem::too_busy().into());
                }
                known.tries.remove(&whose);
            }
            let Account { name, role, tournament, .. } = account.clone();
            let (name, until, account) = (Some(name), Some(now + seconds), Some(key.clone()));
            let session = Grant { role, name, tournament, until, account, ..Grant::default() };
            let secret = secret()?;
            let session = self.begin(Kind::Session, &secret, session, None, Ending::default())?;
            Ok((secret, session))
        })
    }
}
