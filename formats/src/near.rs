//! Names that may be one player's, spelled in two ways: told, never changed.

use std::collections::{BTreeMap, BTreeSet};

use super::build::{Oddities, Players};
use super::error::shortened;
use super::source::SourceRound;
use scrutineer_engine::names::folded;

/// The shortest name of which another letter tells little.
const SHORTEST: usize = 4;
/// The longest name that is compared letter by letter.
const LONGEST: usize = 64;
/// Names that are alike in more than this many ways are no slips, such as `Guest A`, `Guest B`, `Guest C`.
const CROWD: usize = 8;

/// A player as the rounds have them.
#[derive(Default)]
struct Seen<'a> {
    rounds: BTreeSet<usize>,
    /// In how many places they stand.
    count: usize,
    /// Where they stand first.
    place: &'a str,
}

/// Tells of each player who may be another one, misspelt: their names are alike, they never play in one round,
/// and nobody else's name is as near. Where the file lists its players, that one is listed and this one is not.
pub(super) fn tell(players: &Players, rounds: &[SourceRound], oddities: &mut Oddities) {
    let mut seen: Vec<Seen> = players.list.iter().map(|_| Seen::default()).collect();
    for (at, round) in rounds.iter().enumerate() {
        let seats = round
            .tables
            .iter()
            .flat_map(|table| table.seats.iter().map(|seat| (seat.player, table.place.as_str())));
        let byes = round.byes.iter().map(|bye| (bye.player, bye.place.as_str()));
        for (player, place) in seats.chain(byes) {
            let seen = &mut seen[player];
            if seen.rounds.is_empty() {
                seen.place = place;
            }
            seen.rounds.insert(at);
            seen.count += 1;
        }
    }
    let names: Vec<String> = players.list.iter().map(|player| folded(&player.name)).collect();
    let listed = players.listed();
    let is_listed = |player: usize| listed.contains(&player);
    // Who may be the slip, and of whom.
    let may_be = |slip: usize, other: usize| {
        let ranks = |player: usize| (seen[player].rounds.len(), std::cmp::Reverse(player));
        let is_lesser = match listed.is_empty() {
            true => ranks(slip) < ranks(other),
            false => !is_listed(slip) && is_listed(other),
        };
        is_lesser
            && !seen[slip].rounds.is_empty()
            && seen[slip].rounds.is_disjoint(&seen[other].rounds)
    };
    let mut near: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (one, other) in alike(&names) {
        for (slip, other) in [(one, other), (other, one)] {
            if may_be(slip, other) {
                near.entry(slip).or_default().insert(other);
            }
        }
    }
    for (slip, others) in &near {
        let mut others = others.iter();
        if let (Some(other), None) = (others.next(), others.next()) {
            let (name, other) = (players.name(*slip), players.name(*other));
            let (name, other) = (shortened(&name), shortened(&other));
            let sentence = format!(
                "{name:?} is a player of their own here. {other:?} is spelled almost the same and plays in \
                 none of the same rounds: where they are one, give them one name in the file."
            );
            oddities.add(seen[*slip].place, sentence);
        }
    }
    // A mark beside a name, as chats have it, makes another name of it: what stands there once is told.
    let marked: Vec<usize> = (0..names.len())
        .filter(|player| {
            !near.contains_key(player) && listed.is_empty() && is_marked(&names[*player])
        })
        .collect();
    for player in
        marked.iter().copied().filter(|player| seen[*player].count == 1 && marked.len() <= CROWD)
    {
        let name = shortened(&players.name(player));
        let sentence = format!(
            "{name:?} is read as a name, with the sign at its end: leave that out if it is no part of it."
        );
        oddities.add(seen[player].place, sentence);
    }
    let plays = |player: &usize| !is_listed(*player) && !seen[*player].rounds.is_empty();
    if !listed.is_empty() {
        for player in (0..names.len()).filter(plays).filter(|player| !near.contains_key(player)) {
            let name = players.name(player);
            let sentence = format!("{:?} does not stand in the list of players.", shortened(&name));
            oddities.add(seen[player].place, sentence);
        }
    }
}

/// Pairs of names that are alike: the same words, one of them within the other, or one letter off.
fn alike(names: &[String]) -> BTreeSet<(usize, usize)> {
    let mut same_words: BTreeMap<Vec<&str>, Vec<usize>> = BTreeMap::new();
    let mut by_word: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut by_letters: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (at, name) in names.iter().enumerate() {
        let mut words = words(name);
        words.iter().for_each(|word| by_word.entry(word).or_default().push(at));
        words.sort_unstable();
        same_words.entry(words).or_default().push(at);
        for key in without_a_letter(name) {
            by_letters.entry(key).or_default().push(at);
        }
    }
    let few = |group: &&Vec<usize>| (2..=CROWD).contains(&group.len());
    let mut found = BTreeSet::new();
    let mut add = |one: usize, other: usize| {
        found.insert((one.min(other), one.max(other)));
    };
    for group in same_words.values().filter(few) {
        pairs(group, &mut add);
    }
    for group in by_letters.values().filter(few) {
        pairs(group, |one, other| {
            if one_letter_off(&names[one], &names[other]) {
                add(one, other);
            }
        });
    }
    for group in by_word.values().filter(few) {
        pairs(group, |one, other| {
            let (one_has, other_has) = (words(&names[one]), words(&names[other]));
            let within = |all: &[&str], part: &[&str]| part.iter().all(|word| all.contains(word));
            let is_part = one_has.len() != other_has.len()
                && (within(&one_has, &other_has) || within(&other_has, &one_has));
            if is_part && same_digits(&names[one], &names[other]) {
                add(one, other);
            }
        });
    }
    found
}

fn pairs(group: &[usize], mut take: impl FnMut(usize, usize)) {
    for (at, one) in group.iter().enumerate() {
        group[at + 1..].iter().filter(|other| *other != one).for_each(|other| take(*one, *other));
    }
}

/// Whether a sign stands at an end of a name, and no point or apostrophe.
fn is_marked(name: &str) -> bool {
    let is_sign = |c: char| !c.is_alphanumeric() && !matches!(c, '.' | '\'' | '\u{2019}' | '"');
    name.starts_with(is_sign) || name.ends_with(is_sign)
}

fn words(name: &str) -> Vec<&str> {
    name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
}

/// A number tells players apart: `Table 1` and `Table 2`.
fn same_digits(one: &str, other: &str) -> bool {
    let digits = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
    digits(one) == digits(other)
}

fn one_letter_off(one: &str, other: &str) -> bool {
    let shorter = one.chars().count().min(other.chars().count());
    shorter >= SHORTEST && same_digits(one, other) && strsim::osa_distance(one, other) == 1
}

/// A name and what is left of it without each of its letters, as hashes: two names that are one letter off
/// have one of these in common.
fn without_a_letter(name: &str) -> BTreeSet<u64> {
    let letters: Vec<char> = name.chars().collect();
    if !(SHORTEST..=LONGEST).contains(&letters.len()) {
        return BTreeSet::new();
    }
    let hash = |left_out: usize| {
        let kept = letters.iter().enumerate().filter(|(at, _)| *at != left_out);
        // FNV-1a; two others that fall together are compared letter by letter.
        kept.fold(0xcbf2_9ce4_8422_2325_u64, |hash, (_, letter)| {
            (hash ^ u64::from(*letter)).wrapping_mul(0x0100_0000_01b3)
        })
    };
    (0..=letters.len()).map(hash).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where most names are alike nobody is guessed, and it takes no longer.
    #[test]
    fn many_names_that_are_alike_are_compared_in_a_moment() {
        let letter = |at: u32| char::from_u32(0x4e00 + at % 20_000).unwrap_or('x');
        let names: Vec<String> = (0..20_000)
            .flat_map(|at| [format!("guest {}a", letter(at)), format!("{} {at}", letter(at / 7))])
            .chain(["ann lee".into(), "ann lea".into()])
            .collect();
        assert_eq!(alike(&names), BTreeSet::from([(40_000, 40_001)]));
    }
}
