//! Of which division a player is: by the final standings, by their pod, or by their year of birth and the season.

use scrutineer_engine::event::Day;

/// The age divisions of Play! Pokémon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Division {
    Junior,
    Senior,
    Master,
}

/// How many years before the season's the youngest senior and the youngest master were born: in the season 2027
/// juniors are born in 2015 or later, seniors from 2011 to 2014.
const SENIOR: u16 = 13;
const MASTER: u16 = 17;

impl Division {
    /// All of them, young first.
    pub const ALL: [Division; 3] = [Division::Junior, Division::Senior, Division::Master];

    /// Its word in the roster.
    pub fn word(self) -> &'static str {
        match self {
            Division::Junior => "junior",
            Division::Senior => "senior",
            Division::Master => "master",
        }
    }

    /// That of a category which is one division.
    pub fn of_code(code: u8) -> Option<Division> {
        match code {
            0 => Some(Division::Junior),
            1 => Some(Division::Senior),
            2 => Some(Division::Master),
            _ => None,
        }
    }

    fn by_birth(season: u16, year: u16) -> Division {
        match season.saturating_sub(year) {
            age if age >= MASTER => Division::Master,
            age if age >= SENIOR => Division::Senior,
            _ => Division::Junior,
        }
    }
}

/// The seasons that a day may be of. A season is called by the year in which it ends, and begins in the summer
/// before, not in every year on the same day.
fn seasons(held_on: Option<Day>) -> Vec<u16> {
    match held_on {
        None => Vec::new(),
        Some(day) if day.month < 7 => vec![day.year],
        Some(day) if day.month < 9 => vec![day.year, day.year.saturating_add(1)],
        Some(day) => vec![day.year.saturating_add(1)],
    }
}

/// The division of somebody who was born in a year, of those that their pod may have, where it is certain: that of
/// the pod if it is one, otherwise by birth.
pub(super) fn division(
    year_of_birth: Option<u16>,
    allowed: &[Division],
    held_on: Option<Day>,
) -> Option<Division> {
    if let [one] = allowed {
        return Some(*one);
    }
    let year = year_of_birth?;
    let mut found: Vec<Division> =
        seasons(held_on).into_iter().map(|season| Division::by_birth(season, year)).collect();
    found.retain(|division| allowed.contains(division));
    found.dedup();
    match found[..] {
        [one] => Some(one),
        _ => None,
    }
}
