//! What every reader collects: players by name, and oddities.

use std::collections::{BTreeMap, BTreeSet};

use super::error::shortened;
use super::source::{Oddity, SourcePlayer};
use super::{Fault, ImportError, limits};
use scrutineer_engine::book::Field;
use scrutineer_engine::event::Day;
use scrutineer_engine::names::folded;

/// The players met so far. The map is only asked, never walked, so its order is of no account.
#[derive(Default)]
pub(super) struct Players {
    pub list: Vec<SourcePlayer>,
    by_key: BTreeMap<String, usize>,
    by_folded: BTreeMap<String, usize>,
    /// Whether somebody typed the names; the accounts of a platform, and ids, are what they are.
    is_typed: bool,
    /// Other spellings of a name that was met before, with their places.
    alike: Vec<(String, String)>,
    /// Who stands in a list of players, where the file has one beside its rounds.
    listed: BTreeSet<usize>,
}

impl Players {
    /// Players whose names somebody typed: they are compared as people compare them.
    pub fn typed() -> Players {
        Players { is_typed: true, ..Players::default() }
    }

    /// The player known by `key`, if there is one.
    pub fn known(&self, key: &str) -> Option<usize> {
        let key = key.trim();
        let alike = || self.by_folded.get(&folded(key)).filter(|_| self.is_typed);
        self.by_key.get(key).or_else(alike).copied()
    }

    /// The player of this name, who is new if it was not met before.
    pub fn named(&mut self, name: &str, place: &str) -> Result<usize, ImportError> {
        match self.known(name) {
            Some(player) => {
                let is_new = !self.by_key.contains_key(name.trim());
                if is_new && self.alike.len() <= limits::ODDITIES {
                    let sentence = format!(
                        "{:?} is taken to be {:?}: the two names are spelled alike.",
                        shortened(name.trim()),
                        self.name(player)
                    );
                    self.alike.push((place.to_owned(), sentence));
                    self.by_key.insert(name.trim().to_owned(), player);
                }
                Ok(player)
            }
            None => self.add(name, name, place),
        }
    }

    /// Tells of names that were taken for others.
    pub(crate) fn tell_alike(&mut self, oddities: &mut Oddities) {
        for (place, sentence) in self.alike.drain(..) {
            oddities.add(&place, sentence);
        }
    }

    /// A new player, known by `key`.
    pub fn add(&mut self, key: &str, name: &str, place: &str) -> Result<usize, ImportError> {
        if self.list.len() >= limits::PLAYERS {
            return Err(Fault::TooMany { what: "players", limit: limits::PLAYERS }.at(place));
        }
        let name = clean_name("the name", name).map_err(|fault| fault.at(place))?;
        self.list.push(SourcePlayer { name, ..SourcePlayer::default() });
        let (key, player) = (key.trim().to_owned(), self.list.len() - 1);
        if self.is_typed {
            self.by_folded.insert(folded(&key), player);
        }
        self.by_key.insert(key, player);
        Ok(self.list.len() - 1)
    }

    /// A new player who is known by a number, by which they are called where the file has no name for them.
    pub fn add_named(
        &mut self,
        number: impl std::fmt::Display,
        name: &str,
        place: &str,
        oddities: &mut Oddities,
    ) -> Result<usize, ImportError> {
        let number = number.to_string();
        if !name.trim().is_empty() {
            return self.add(&number, name, place);
        }
        let name = format!("Player {number}");
        oddities.add(place, format!("{name} has no name."));
        self.add(&number, &name, place)
    }

    /// The player known by one of these keys, or a new one; afterwards they are known by all of them.
    pub fn by_keys(
        &mut self,
        keys: &[String],
        name: &str,
        place: &str,
    ) -> Result<usize, ImportError> {
        let player = match keys.iter().find_map(|key| self.known(key)) {
            Some(player) => player,
            None => self.add(keys.first().map_or(name, String::as_str), name, place)?,
        };
        for key in keys {
            self.by_key.entry(key.trim().to_owned()).or_insert(player);
        }
        Ok(player)
    }

    /// A player stands in the file's list of players.
    pub fn list_as_player(&mut self, player: usize) {
        self.listed.insert(player);
    }

    /// Who stands in the file's list of players.
    pub fn listed(&self) -> &BTreeSet<usize> {
        &self.listed
    }

    /// The player's name, for messages.
    pub fn name(&self, player: usize) -> String {
        self.list[player].name.clone()
    }
}

/// The place of what is told of a whole file.
pub(crate) const WHOLE: &str = "the file";

/// The oddities met so far. A hostile file must not make a million sentences.
#[derive(Default)]
pub(super) struct Oddities {
    list: Vec<Oddity>,
    left_out: usize,
}

impl Oddities {
    /// What stands at no place is of the whole file.
    pub fn add(&mut self, place: &str, sentence: impl Into<String>) {
        let place = if place.is_empty() { WHOLE } else { place };
        if self.list.len() < limits::ODDITIES {
            self.list.push(Oddity { place: place.to_owned(), sentence: sentence.into() });
        } else {
            self.left_out += 1;
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn finish(mut self) -> Vec<Oddity> {
        if self.left_out > 0 {
            let sentence = format!("{} more oddities are not listed.", self.left_out);
            self.list.push(Oddity { place: WHOLE.to_owned(), sentence });
        }
        self.list
    }
}

/// A name as it is recorded: trimmed, of sensible length, without control characters.
pub(super) fn clean_name(what: &str, raw: &str) -> Result<String, Fault> {
    let name = raw.trim();
    match Field::Name.objection(name) {
        None => Ok(name.to_owned()),
        Some(why) => Err(Fault::BadName { what: what.to_owned(), found: shortened(name), why }),
    }
}

/// The file's name without folder and ending.
pub(super) fn stem(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    if stem.trim().is_empty() { name.trim().to_owned() } else { stem.trim().to_owned() }
}

/// A number with at most one digit behind the point, in tenths.
pub(super) fn tenths(text: &str) -> Option<i64> {
    let (whole, tenth) = text.split_once(['.', ',']).unwrap_or((text, "0"));
    let tenth: i64 = tenth.parse().ok().filter(|tenth| (0..10).contains(tenth))?;
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    let value = digits.parse::<i64>().ok()?.checked_mul(10)?.checked_add(tenth)?;
    Some(if whole.starts_with('-') { -value } else { value })
}

/// The months in English, German, French, Spanish, Italian, Portuguese and Dutch, without accents, also shortened.
pub(crate) const MONTHS: [&str; 12] = [
    "january jan januar janner jaenner janvier janv enero ene gennaio gen janeiro januari",
    "february feb februar feber fevrier fev fevr febrero febbraio fevereiro februari",
    "march mar marz maerz mrz mars marzo marco maart",
    "april apr avril avr abril abr aprile",
    "may mai mayo maggio mag maio mei",
    "june jun juni juno juin junio giugno giu junho",
    "july jul juli julei juillet juil julio luglio lug julho",
    "august aug aout agosto ago augustus",
    "september sep sept septembre septiembre setiembre settembre set setembro",
    "october oct oktober okt octobre octubre ottobre ott outubro out",
    "november nov novembre noviembre novembro",
    "december dec dezember dez decembre diciembre dic dicembre dezembro",
];

/// The day at the start of a date such as `2026-05-31` or `2026-05-31T17:00:00`.
pub(super) fn day(text: &str) -> Option<Day> {
    let date = text.trim().split(['T', ' ']).next()?;
    let mut parts = date.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let lengths = (year.len(), month.len(), day.len()) == (4, 2, 2);
    if parts.next().is_some() || !lengths || ![year, month, day].into_iter().all(plain) {
        return None;
    }
    let found =
        Day { year: year.parse().ok()?, month: month.parse().ok()?, day: day.parse().ok()? };
    (found.year >= 1900 && (1..=days_in(&found)).contains(&found.day)).then_some(found)
}

/// The day of a moment, in seconds since 1970.
pub(super) fn day_of_unix(seconds: i64) -> Option<Day> {
    let mut days = u32::try_from(seconds.div_euclid(86_400)).ok()?;
    let mut year = 1970;
    loop {
        let of_year = |month| u32::from(days_in(&Day { year, month, day: 1 }));
        let length: u32 = (1..=12).map(of_year).sum();
        if days >= length {
            days -= length;
            year = year.checked_add(1).filter(|year| *year < 10_000)?;
            continue;
        }
        let mut month = 1;
        while days >= of_year(month) {
            days -= of_year(month);
            month += 1;
        }
        let day = u8::try_from(days + 1).ok()?;
        return Some(Day { year, month, day });
    }
}

/// How many days the month has; none where there is no such month.
fn days_in(day: &Day) -> u8 {
    let every = |years: u16| day.year.is_multiple_of(years);
    let leap = every(4) && (!every(100) || every(400));
    match day.month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    }
}
