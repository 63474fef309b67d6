//! Links, sessions and tokens: made once under a key, used, listed, taken back.

use super::rows::NotDecided;
use super::sent::{SENT, row_of};
use super::*;
use scrutineer_desk::hint::Hint;
use scrutineer_engine::record::from_hex;

/// What stands for somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A code that makes a browser somebody's.
    Link,
    /// A browser.
    Session,
    /// What a program shows.
    Token,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 3] = [Kind::Link, Kind::Session, Kind::Token];

    pub(super) const fn table(self) -> Table {
        match self {
            Kind::Link => "links",
            Kind::Session => "sessions",
            Kind::Token => "tokens",
        }
    }

    /// Returns what it is called.
    pub const fn word(self) -> &'static str {
        match self {
            Kind::Link => "link",
            Kind::Session => "session",
            Kind::Token => "token",
        }
    }
}

/// A request that makes something once: sent again, it is given the same.
#[derive(Clone, Debug)]
pub struct Once {
    /// What it is known by, of whoever sends it and its key.
    pub id: String,
    /// The digest of what it asks for.
    pub body: [u8; 32],
}

/// Something that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The code or token. It is told once; what is kept is its hash.
    pub secret: String,
    /// By what it is called where it is taken back.
    pub id: String,
}

/// A link, a session or a token, without its secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Listed {
    /// By what it is called where it is taken back.
    pub id: String,
    /// The role that it gives.
    pub role: String,
    /// The name that the log has for who uses it.
    pub name: Option<String>,
    /// The id of the only tournament in which it holds; null: in all of them.
    pub tournament: Option<String>,
    /// When it was made, in UTC.
    pub made: String,
    /// When it ends, in UTC; null: when it is taken back.
    pub until: Option<String>,
    /// When it was used last, in UTC; null: not since the server was started.
    pub used: Option<String>,
    /// Whether it is good for one browser alone.
    pub once: bool,
}

/// What ends with something that begins.
#[derive(Clone, Default)]
pub(super) struct Ending {
    pub(super) of: Option<Kind>,
    pub(super) keys: Vec<String>,
}

/// How many wrong codes an address may try in a minute.
pub const WRONG_CODES: u32 = 10;
/// How many addresses are remembered for that, and how many requests.
pub(super) const MOST_REMEMBERED: usize = 10_000;

/// Letters and digits that nobody takes for others.
pub(super) const LETTERS: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/// Returns a code to type: eight of these letters, 40 bits.
fn code() -> Result<String, VerbError> {
    let letters: Vec<char> =
        random::<8>()?.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect();
    let (left, right) = letters.split_at(4);
    Ok(format!("{}-{}", left.iter().collect::<String>(), right.iter().collect::<String>()))
}

/// Returns a code as it is kept, however it was typed: in small letters, without its hyphen, with blanks.
/// A link that is longer is followed, and not typed.
pub(super) fn as_typed(typed: &str) -> String {
    let letters: Vec<char> =
        typed.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_uppercase()).collect();
    match letters.split_at_checked(4) {
        Some((left, right)) if right.len() == 4 => {
            format!("{}-{}", left.iter().collect::<String>(), right.iter().collect::<String>())
        }
        _ => typed.trim().to_string(),
    }
}

/// The refusal of what was made under this key, where nobody knows its secret any more: another one in its place
/// would end one that somebody uses.
pub(super) fn made_already(what: &str) -> VerbError {
    let message = format!("{what} under this key already, and a secret is told once");
    let hint = "use what was told then; where nobody has it, take it back and ask under a new key";
    VerbError::new(Code::conflict("made-already"), message, hint)
}

/// The refusal of what was made under this key and holds no longer: sent again late, its request would make again
/// what somebody took back.
fn made_and_ended(kind: Kind) -> VerbError {
    let message = format!("the {} that was made under this key has ended", kind.word());
    VerbError::new(Code::conflict("made-already"), message, "ask for another one under a new key")
}

/// The refusal of something else under a key that made something.
pub(super) fn made_otherwise() -> VerbError {
    let message = "something else was made under this key";
    VerbError::new(Code::conflict("command-id-reused"), message, "take a new key")
}

fn in_words_of(kind: Kind, grant: &Grant) -> String {
    let of = grant.name.as_deref().map_or(String::new(), |name| format!(" for {name}"));
    let only = grant.tournament.as_deref().map_or("", |_| ", for one tournament");
    format!("{} {} as {}{of}{only}", kind.word(), grant.id, grant.role.word())
}

impl House {
    /// Ends what is over.
    pub(super) fn tidy(&self) -> Result<(), VerbError> {
        let now = now();
        self.deciding(|| {
            for kind in Kind::ALL {
                let over = self.keys(kind, |grant| grant.is_over(now));
                self.end(kind, &over, None)?;
            }
            Ok(())
        })
    }

    pub(super) fn keys(&self, kind: Kind, is_meant: impl Fn(&Grant) -> bool) -> Vec<String> {
        let mut known = self.known();
        let found = known.of(kind).iter().filter(|(_, grant)| is_meant(grant));
        found.map(|(key, _)| key.clone()).collect()
    }

    fn end(
        &self,
        kind: Kind,
        keys: &[String],
        change: Option<(&str, String)>,
    ) -> Result<(), NotDecided> {
        if keys.is_empty() {
            return Ok(());
        }
        let rows: Vec<_> = keys.iter().map(|key| (kind.table(), key.as_str(), None)).collect();
        self.keep(change, &rows)
    }

    pub(super) fn begin(
        &self,
        kind: Kind,
        secret: &str,
        grant: Grant,
        by: Option<&str>,
        ending: Ending,
    ) -> Result<Grant, NotDecided> {
        let id = to_hex(&random::<4>()?);
        let grant = Grant { id, made: now_in_micros(), ..grant };
        let (key, what) = (hashed(secret), in_words_of(kind, &grant));
        let table = ending.of.unwrap_or(kind).table();
        let ended = ending.keys.iter().map(|key| (table, key.as_str(), None));
        // That it was asked for is known longer than it holds.
        let body = grant.asked_for.as_deref().and_then(from_hex);
        let once = grant.asked.clone().zip(body).map(|(id, body)| Once { id, body });
        let sent = once.as_ref().map(row_of);
        let sent = sent.iter().map(|(key, text)| (SENT, key.as_str(), Some(text.clone())));
        let begun = (kind.table(), &key[..], text_of(&grant)?);
        let rows: Vec<_> = ended.chain(sent).chain([begun]).collect();
        self.keep(by.map(|by| (by, format!("made {what}"))), &rows)?;
        Ok(grant)
    }

    /// Makes the link that makes one browser the owner's, and gives its secret.
    ///
    /// # Errors
    /// Where it cannot be kept.
    pub fn owner_link(&self) -> Result<String, VerbError> {
        let secret = secret()?;
        self.deciding(|| {
            // The last one was perhaps never used: it ends with a new one.
            let keys = self.keys(Kind::Link, |grant| grant.role == Role::Owner && grant.once);
            let ending = Ending { keys, ..Ending::default() };
            let grant = Grant { role: Role::Owner, once: true, ..Grant::default() };
            self.begin(Kind::Link, &secret, grant, Some("the server"), ending)
        })?;
        Ok(secret)
    }

    /// Makes a link for staff or a token for a program. The same request again is given what it was
    /// given, as long as the program runs.
    ///
    /// # Errors
    /// Where it cannot be kept, or something was made under the key: something else, or by a server that
    /// ran before.
    pub fn make(
        &self,
        kind: Kind,
        grant: Grant,
        by: &str,
        once: Option<&Once>,
    ) -> Result<Made, VerbError> {
        self.deciding(|| self.made(kind, grant.clone(), by, once))
    }

    fn made(
        &self,
        kind: Kind,
        grant: Grant,
        by: &str,
        once: Option<&Once>,
    ) -> Result<Made, NotDecided> {
        if let Some(once) = once {
            let (now, mut known) = (now(), self.known());
            let before = known.answered.get(&once.id).cloned();
            let is_it =
                |grant: &&Grant| grant.asked.as_ref() == Some(&once.id) && !grant.is_over(now);
            let there = known.of(kind).values().find(is_it);
            match (before, there) {
                (Some((body, _)), _) if body != once.body => return Err(made_otherwise().into()),
                (Some((_, made)), Some(_)) => return Ok(made),
                (None, Some(grant)) => {
                    let asked_for = grant.asked_for.as_ref();
                    if asked_for.is_some_and(|before| *before != to_hex(&once.body)) {
                        return Err(made_otherwise().into());
                    }
                    let what = format!("the {} {} was made", kind.word(), grant.id);
                    return Err(made_already(&what).into());
                }
                (_, None) => {}
            }
            match self.was_made_by(once) {
                Some(true) => return Err(made_and_ended(kind).into()),
                Some(false) => return Err(made_otherwise().into()),
                None => {}
            }
        }
        let secret = match kind {
            // A link that enrolls a store is followed and never typed, on a server that everybody reaches.
            Kind::Link if grant.role == Role::Venue => secret()?.chars().take(32).collect(),
            Kind::Link => code()?,
            Kind::Session => secret()?,
            Kind::Token => format!("scr_{}", secret()?),
        };
        let asked = once.map(|once| once.id.clone());
        let asked_for = once.map(|once| to_hex(&once.body));
        let grant = Grant { asked, asked_for, ..grant };
        let grant = self.begin(kind, &secret, grant, Some(by), Ending::default())?;
        let made = Made { secret, id: grant.id };
        if let Some(once) = once {
            let mut known = self.known();
            if known.answered.len() >= MOST_REMEMBERED {
                known.answered.clear();
            }
            known.answered.insert(once.id.clone(), (once.body, made.clone()));
        }
        Ok(made)
    }

    /// Returns what is there, the newest first; what is over is not.
    pub fn listed(&self, kind: Kind) -> Vec<Listed> {
        let (now, mut known) = (now(), self.known());
        let used = known.used.clone();
        let there = known.of(kind).iter().filter(|(_, grant)| !grant.is_over(now));
        let mut there: Vec<_> = there.collect();
        there.sort_by_key(|(_, grant)| (std::cmp::Reverse(grant.made), grant.id.clone()));
        let listed = there.into_iter().map(|(key, grant)| Listed {
            id: grant.id.clone(),
            role: grant.role.word().to_string(),
            name: grant.name.clone(),
            tournament: grant.tournament.clone(),
            made: told_time(grant.made / 1_000_000),
            until: grant.until.map(told_time),
            used: used.get(key).copied().map(told_time),
            once: grant.once,
        });
        listed.collect()
    }

    /// Takes something back: it holds no longer from now on.
    ///
    /// # Errors
    /// Where there is none with this id.
    pub fn take_back(&self, kind: Kind, id: &str, by: &str) -> Result<(), VerbError> {
        self.deciding(|| self.taken_back(kind, id, by))
    }

    fn taken_back(&self, kind: Kind, id: &str, by: &str) -> Result<(), NotDecided> {
        let found = self.keys(kind, |grant| grant.id == id && !id.is_empty());
        let Some(key) = found.first() else {
            let code = match kind {
                Kind::Link => Code::not_found("no-such-link"),
                Kind::Session => Code::not_found("no-such-session"),
                Kind::Token => Code::not_found("no-such-token"),
            };
            let message = format!("there is no {} {id}", kind.word());
            return Err(VerbError::new(
                code,
                message,
                "it may have been taken back or ended already",
            )
            .into());
        };
        let grant = self.known().of(kind).get(key).cloned().unwrap_or_default();
        self.end(kind, &found, Some((by, format!("took back {}", in_words_of(kind, &grant)))))
    }

    /// Ends the session of whoever signs out.
    ///
    /// # Errors
    /// Where that cannot be kept.
    pub fn sign_out(&self, secret: &str) -> Result<(), VerbError> {
        let key = hashed(secret);
        self.deciding(|| {
            let is_there = self.known().of(Kind::Session).contains_key(&key);
            match is_there {
                true => self.end(Kind::Session, std::slice::from_ref(&key), None),
                false => Ok(()),
            }
        })
    }

    /// Returns what a link is for, without using it.
    ///
    /// # Errors
    /// Where there is none, it is used up or over, or the address has tried too many.
    pub fn linked(&self, typed: &str, address: &str) -> Result<Grant, VerbError> {
        let key = hashed(&as_typed(typed));
        let is_there = || self.known().of(Kind::Link).contains_key(&key).then_some(());
        // It is looked at in any case: who guesses is counted.
        let _ = self.found_anew(is_there);
        self.linked_here(typed, address)
    }

    pub(super) fn linked_here(&self, typed: &str, address: &str) -> Result<Grant, VerbError> {
        let (now, mut known) = (now(), self.known());
        let minute = now / 60;
        let tried = known.wrong.get(address).filter(|(since, _)| *since == minute);
        if tried.is_some_and(|(_, times)| *times >= WRONG_CODES) {
            let hint = Hint::to_wait(60 - now % 60, "look at the code again");
            return Err(VerbError::new(SLOW_DOWN, "too many wrong codes", hint));
        }
        let found = known.of(Kind::Link).get(&hashed(&as_typed(typed))).cloned();
        match found.filter(|grant| !grant.is_over(now)) {
            Some(grant) => Ok(grant),
            None => {
                if known.wrong.len() >= MOST_REMEMBERED {
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

    /// Makes a link a session of a device, and gives its secret. Of two who use a link at once that is
    /// good once, one finds it gone.
    ///
    /// # Errors
    /// As [`House::linked`].
    pub fn join(
        &self,
        typed: &str,
        name: Option<String>,
        address: &str,
        seconds: u64,
    ) -> Result<(String, Grant), VerbError> {
        self.deciding(|| self.joined(typed, name.clone(), address, seconds))
    }

    fn joined(
        &self,
        typed: &str,
        name: Option<String>,
        address: &str,
        seconds: u64,
    ) -> Result<(String, Grant), NotDecided> {
        let link = self.linked_here(typed, address)?;
        if link.role == Role::Venue {
            let hint = "at the venue: `scrutineer enroll-store <link>`";
            let message = "this link enrolls a store, and signs nobody in";
            return Err(VerbError::new(Code::refused("link-of-another-kind"), message, hint).into());
        }
        let key = hashed(&as_typed(typed));
        let keys = if link.once { vec![key.clone()] } else { Vec::new() };
        let ending = Ending { of: Some(Kind::Link), keys };
        if !link.once {
            self.known().used.insert(key, now());
        }
        let until = now() + seconds;
        let until = Some(link.until.map_or(until, |end| end.min(until)));
        let by = format!("whoever used link {}", link.id);
        let Grant { role, tournament, .. } = link;
        // A link that was made for somebody is theirs.
        let name = link.name.or(name);
        let session = Grant { role, name, tournament, until, ..Grant::default() };
        let secret = secret()?;
        let session = self.begin(Kind::Session, &secret, session, Some(&by), ending)?;
        Ok((secret, session))
    }

    fn found(&self, kind: Kind, key: String) -> Option<Grant> {
        let (now, mut known) = (now(), self.known());
        let grant = known.of(kind).get(&key).filter(|grant| !grant.is_over(now)).cloned()?;
        known.used.insert(key, now);
        Some(grant)
    }

    /// Returns whom a session stands for.
    pub fn session(&self, secret: &str) -> Option<Grant> {
        let key = hashed(secret);
        self.found_anew(|| self.found(Kind::Session, key.clone()))
    }

    /// Returns whom a token stands for, and the name under which its keys are its own.
    pub fn token_of(&self, token: &str) -> Option<(Grant, String)> {
        let key = hashed(token);
        let grant = self.found_anew(|| self.found(Kind::Token, key.clone()))?;
        Some((grant, format!("token {key}")))
    }
}
