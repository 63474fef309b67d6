//! Answers that a platform gives in pages: some pages of more are no tournament.

use std::collections::BTreeMap;

use super::build::Oddities;
use super::json::Node;
use super::{Fault, ImportError};

/// The pages of several lists that were asked for, such as the matches of each round.
#[derive(Default)]
pub(crate) struct Lists(BTreeMap<String, List>);

/// How much of a list is here.
#[derive(Default)]
struct List {
    rows: usize,
    count: Option<i64>,
    has_last: bool,
    place: String,
}

impl Lists {
    /// Adds a page of a list: how many rows it has, how many the platform says that there are in all, and
    /// whether no page comes after it.
    pub fn add(
        &mut self,
        list: String,
        rows: usize,
        count: Option<i64>,
        is_last: bool,
        place: &str,
    ) {
        let list = self.0.entry(list).or_default();
        list.rows += rows;
        list.count = list.count.max(count);
        list.has_last |= is_last;
        if list.place.is_empty() {
            list.place = place.to_owned();
        }
    }

    /// Refuses fewer rows than the platform says there are, or pages of which none is the last.
    pub fn refuse_some(&self, what: &str) -> Result<(), ImportError> {
        let is_whole = |list: &&List| {
            let enough = |count: i64| usize::try_from(count).is_ok_and(|count| count <= list.rows);
            list.has_last && list.count.is_none_or(enough)
        };
        let Some(list) = self.0.values().find(|list| !is_whole(list)) else { return Ok(()) };
        let of = list.count.map_or_else(String::new, |count| format!(" of {count}"));
        let what = format!(
            "the next page of {what} (here are {}{of} rows; put all pages into one list, or give their files \
             together)",
            list.rows
        );
        Err(Fault::Missing { what }.at(list.place.as_str()))
    }
}

/// Refuses rows of two tournaments, as pages of two in one folder have them.
pub(crate) fn refuse_two(rows: &[Node<'_>], key: &str) -> Result<(), ImportError> {
    let mut first: Option<&str> = None;
    for row in rows {
        let Some(own) = row.word_at(key)? else { continue };
        let first = *first.get_or_insert(own);
        if own != first {
            return Err(row
                .need(key)?
                .bad(&format!("{first}, as the rows before: one tournament")));
        }
    }
    Ok(())
}

/// Each row once, by its id where it has one. Rows move between pages while an event runs, so that one may stand in
/// two of them: the later is that of which more is known. Of two of which as much is known and that say something
/// else, the first is taken, and that is told.
pub(crate) fn once<'a, 'b, K: Ord, S: PartialEq>(
    rows: &'b [Node<'a>],
    key: &str,
    known: impl Fn(&Node<'a>) -> Result<K, ImportError>,
    said: impl Fn(&Node<'a>) -> Result<S, ImportError>,
    oddities: &mut Oddities,
) -> Result<Vec<&'b Node<'a>>, ImportError> {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut kept: Vec<&'b Node<'a>> = Vec::new();
    for row in rows {
        let id = row.word_at(key)?;
        let Some(at) = id.and_then(|id| places.get(id).copied()) else {
            places.extend(id.map(|id| (id, kept.len())));
            kept.push(row);
            continue;
        };
        let (before, now) = (known(kept[at])?, known(row)?);
        if now > before {
            kept[at] = row;
        } else if now == before && said(row)? != said(kept[at])? {
            let sentence = "It stands on two pages with two results: the first one is taken.";
            oddities.add(&row.place, sentence);
        }
    }
    Ok(kept)
}

/// The pages that stand here: one alone, or a list of them.
pub(crate) fn listed<'a>(node: &Node<'a>) -> Result<Vec<Node<'a>>, ImportError> {
    if node.is_list() { node.items() } else { Ok(vec![node.clone()]) }
}
