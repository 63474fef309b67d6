//! Which player of another program's file each player of a tournament is.

use super::build::WHOLE;
use super::source::{Oddity, Source, SourcePlayer};
use scrutineer_engine::names::folded;
use std::collections::BTreeMap;

/// A player of the file.
pub(crate) struct Found {
    /// Their place in its list.
    pub at: usize,
    /// Whether by name or id, and not only by their place.
    pub is_sure: bool,
}

/// By what a player is known.
type Key = fn(&SourcePlayer) -> Option<(u32, String)>;

/// By id and name, by number and name, by id, by name.
const KEYS: [Key; 4] = [
    |player| Some((0, format!("{} {}", player.publisher_id.as_ref()?, folded(&player.name)))),
    |player| Some((player.sign_up?, folded(&player.name))),
    |player| Some((0, player.publisher_id.clone()?)),
    |player| Some((0, folded(&player.name))),
];

/// For each player which of the file's they are: by id and name, by number and name, by an id or a name that only one of those who are
/// left has, or, where as many are there, by their place.
pub(crate) fn matched(source: &Source, file: &Source) -> Vec<Option<Found>> {
    let (ours, theirs) = (&source.players[..], &file.players[..]);
    let mut found: Vec<Option<Found>> = ours.iter().map(|_| None).collect();
    let mut is_free = vec![true; theirs.len()];
    for key in KEYS {
        let of = only(theirs, key, |at| is_free[at]);
        for (key, own) in only(ours, key, |at| found[at].is_none()) {
            let at = of.get(&key).copied().flatten();
            if let (Some(own), Some(at)) = (own, at) {
                is_free[at] = false;
                found[own] = Some(Found { at, is_sure: true });
            }
        }
    }
    if ours.len() == theirs.len() {
        for (at, own) in found.iter_mut().enumerate().filter(|(at, _)| is_free[*at]) {
            own.get_or_insert(Found { at, is_sure: false });
        }
    }
    found
}

/// Who of those that are left has each key; none: several have it.
fn only(
    players: &[SourcePlayer],
    key: Key,
    is_left: impl Fn(usize) -> bool,
) -> BTreeMap<(u32, String), Option<usize>> {
    let mut only = BTreeMap::new();
    for (at, player) in players.iter().enumerate().filter(|(at, _)| is_left(*at)) {
        if let Some(key) = key(player) {
            only.entry(key).and_modify(|found| *found = None).or_insert(Some(at));
        }
    }
    only
}

/// How many ids that several have are told.
const TOLD: usize = 20;

/// What is told of players of whom several have one id: it is another's.
pub(crate) fn shared_ids(source: &Source) -> Vec<Oddity> {
    let mut by_id: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (number, player) in (1..).zip(&source.players) {
        if let Some(id) = &player.publisher_id {
            by_id.entry(id).or_default().push(player.sign_up.unwrap_or(number).to_string());
        }
    }
    let shared = by_id.into_values().filter(|numbers| numbers.len() > 1);
    let told = shared.take(TOLD).map(|numbers| Oddity {
        place: WHOLE.into(),
        sentence: format!(
            "Players {} have the same id with the publisher: it can be one player's only.",
            numbers.join(" and ")
        ),
    });
    told.collect()
}
