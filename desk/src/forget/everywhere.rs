//! The same person in another tournament of the store.

use super::{Known, Owners, Person, Plan, planned};
use scrutineer_engine::book::Book;
use scrutineer_engine::event::{Event, PlayerNumber, Seq};

/// What another tournament holds of somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Elsewhere {
    /// Nothing.
    Nothing,
    /// This.
    Found(Plan),
    /// Players of their name who may be others: they have another id, or there are several.
    Unclear(Vec<PlayerNumber>),
}

/// What another tournament holds of somebody who is known by these words: they are the player with their id,
/// or else the only one of their name, unless both have ids and they differ.
pub fn elsewhere<'a>(
    log: impl IntoIterator<Item = (Seq, &'a Event)>,
    book: &Book,
    known: &Known,
) -> Elsewhere {
    let owners = Owners::of(log);
    let all = owners.players().into_iter();
    let all = all.map(|player| (player, owners.known(book, Person::Player(player))));
    let all: Vec<(PlayerNumber, Known)> = all.collect();
    let by_id = all.iter().filter(|(_, other)| known.same_id(other) == Some(true));
    let by_id: Vec<&(PlayerNumber, Known)> = by_id.collect();
    let named: Vec<&(PlayerNumber, Known)> =
        all.iter().filter(|(_, other)| known.same_name(other)).collect();
    let him = match (&by_id[..], &named[..]) {
        ([one], _) => Some(*one),
        ([], []) => None,
        ([], [one]) if known.same_id(&one.1).is_none() => Some(*one),
        (several @ [_, ..], _) | (_, several) => {
            return Elsewhere::Unclear(several.iter().map(|(player, _)| *player).collect());
        }
    };
    let mut words = known.clone();
    let person = him.map(|(player, other)| {
        words.extend(other.clone());
        Person::Player(*player)
    });
    let plan = planned(&owners, book, person, words, &[]);
    if plan.emptied.is_empty() { Elsewhere::Nothing } else { Elsewhere::Found(plan) }
}
