//! Where the two versions keep the same things.

use crate::build::{Oddities, day};
use crate::json::Node;
use crate::pages::Lists;
use crate::{ImportError, limits};
use scrutineer_engine::event::Day;

/// A tournament, a participant or a match, of either version.
pub struct Entry<'a> {
    /// Its id.
    pub id: Option<&'a str>,
    /// What it has: the object itself, or its attributes.
    pub fields: Node<'a>,
    /// The group of a match, where that stands around it.
    pub group: Option<String>,
    /// Whether a match stands apart from the rounds, as that for the third place does.
    pub is_beside: bool,
    /// What it belongs to, in version 2.1.
    relations: Vec<Node<'a>>,
}

impl<'a> Entry<'a> {
    /// An object, wrapped in its name or not.
    pub fn of(node: Node<'a>, name: &str) -> Result<Entry<'a>, ImportError> {
        let mut own = node.get(name).filter(Node::is_object).unwrap_or(node);
        // Version 2.1 may wrap a single one in `data`.
        own = own.get("data").filter(Node::is_object).unwrap_or(own);
        let fields = own.get("attributes").unwrap_or_else(|| own.clone());
        let relations = [own.get("relationships"), fields.get("relationships")];
        let relations = relations.into_iter().flatten().collect();
        Ok(Entry { id: own.word_at("id")?, fields, group: None, is_beside: false, relations })
    }

    /// The first of these texts that is there.
    pub fn text(&self, keys: &[&str]) -> Result<Option<&'a str>, ImportError> {
        for key in keys {
            if let Some(text) = self.fields.text_at(key)? {
                return Ok(Some(text));
            }
        }
        Ok(None)
    }

    /// The group of a match; none: it is of the last stage.
    pub fn group(&self) -> Result<Option<&str>, ImportError> {
        if let Some(group) = self.group.as_deref() {
            return Ok(Some(group));
        }
        self.fields.get("group_id").map(|group| group.word()).transpose()
    }

    /// The id of a player of a match.
    pub fn player(&self, key: &str) -> Result<Option<&'a str>, ImportError> {
        if let Some(id) = self.fields.word_at(&format!("{key}_id"))? {
            return Ok(Some(id));
        }
        // The bracket of a page has the players themselves.
        if let Some(player) = self.fields.get(key).filter(Node::is_object) {
            return match player.word_at("id")? {
                Some(id) => Ok(Some(id)),
                None => player.word_at("participant_id"),
            };
        }
        if let Some(id) = self.related(key)? {
            return Ok(Some(id));
        }
        // The answers of the newest version list points by participant.
        let by = self.fields.list("points_by_participant")?;
        let at = if key == "player1" { 0 } else { 1 };
        by.get(at).map_or(Ok(None), |node| node.word_at("participant_id"))
    }

    /// The id of the winner.
    pub fn winner(&self) -> Result<Option<&'a str>, ImportError> {
        match self.fields.word_at("winner_id")? {
            Some(id) => Ok(Some(id)),
            None => self.related("winner"),
        }
    }

    /// The id of what it is related to by a key, in version 2.1.
    fn related(&self, key: &str) -> Result<Option<&'a str>, ImportError> {
        let mut data = self.relations.iter().filter_map(|all| all.get(key)?.get("data"));
        data.next().map_or(Ok(None), |data| data.word_at("id"))
    }
}

/// The day of a tournament: of its start, otherwise of when it is to start, or of when it was created. Version 2.1
/// keeps these in `timestamps`, too.
pub fn held_on(tournament: &Entry<'_>) -> Result<Option<Day>, ImportError> {
    let times = tournament.fields.get("timestamps").filter(Node::is_object);
    for keys in [&["started_at"][..], &["start_at", "starts_at"], &["created_at"]] {
        for node in [Some(&tournament.fields), times.as_ref()].into_iter().flatten() {
            for key in keys {
                if let Some(found) = node.text_at(key)?.and_then(day) {
                    return Ok(Some(found));
                }
            }
        }
    }
    Ok(None)
}

/// The participants or matches, which stand in the tournament or beside it; none where neither is there. Some pages
/// of more are refused; of a page that may be the last it is told.
pub fn entries<'a>(
    root: &Node<'a>,
    tournament: &Entry<'a>,
    key: &str,
    name: &str,
    oddities: &mut Oddities,
) -> Result<Option<Vec<Entry<'a>>>, ImportError> {
    let list = tournament.fields.get(key).or_else(|| root.get(key));
    if let Some(list) = list {
        // Answers of version 2.1 that were asked for apart are lists in `data` each.
        let nodes = match list.get("data") {
            Some(data) => data.items().map(|_| vec![list])?,
            None => list.items()?,
        };
        let (mut found, mut pages) = (Vec::new(), Lists::default());
        let (mut has_last, mut unsure) = (false, None::<String>);
        for node in nodes {
            let Some(data) = node.get("data").filter(Node::is_list) else {
                found.push(Entry::of(node, name)?);
                continue;
            };
            let rows = data.items()?;
            let count = node.get("meta").and_then(|meta| meta.get("count"));
            let count = count.and_then(|count| count.whole().ok());
            let is_last = is_last(&node, rows.len());
            // How many there are settles it where the size of a page is not known.
            has_last |= is_last == Some(true) || count.is_some();
            if is_last.is_none() && unsure.is_none() {
                unsure = Some(data.place.clone());
            }
            pages.add(key.to_owned(), rows.len(), count, is_last.unwrap_or(true), &data.place);
            for row in rows {
                found.push(Entry::of(row, name)?);
            }
        }
        pages.refuse_some(&format!("the {key}"))?;
        if let Some(place) = unsure.filter(|_| !has_last) {
            let sentence = "The page names another one behind it (links.next) and does not say how long a page is: \
                            look whether all rows are there.";
            oddities.add(&place, sentence);
        }
        return Ok(Some(found));
    }
    let Some(included) = root.get("included") else { return Ok(None) };
    if included.items()?.is_empty() {
        return Ok(None);
    }
    let mut found = Vec::new();
    for node in included.items()? {
        if node.text_at("type")?.is_some_and(|kind| kind == name || kind == key) {
            found.push(Entry::of(node, name)?);
        }
    }
    Ok(Some(found))
}

/// Whether no page of version 2.1 comes after this one: it links to none, or is not full. None where it links to one
/// and does not say how many rows a full page has.
fn is_last(page: &Node<'_>, rows: usize) -> Option<bool> {
    let Some(next) = page.get("links").and_then(|links| links.get("next")) else {
        return Some(true);
    };
    let next = next.word().unwrap_or("?").to_lowercase();
    if next.is_empty() {
        return Some(true);
    }
    let next = next.replace("%5b", "[").replace("%5d", "]");
    let size = |part: &str| {
        let size = part.strip_prefix("per_page=").or(part.strip_prefix("page[size]="))?;
        size.parse::<usize>().ok()
    };
    next.split(['?', '&']).find_map(size).map(|size| rows < size)
}

/// The sets of a match, as `3-1,2-3` or `2 - 0`, or in lists, the first player's score first.
pub fn scores(entry: &Entry<'_>) -> Result<Vec<[i32; 2]>, ImportError> {
    if let Some(sets) = entry.fields.get("score_in_sets") {
        return sets.items()?.iter().map(of_two).collect();
    }
    // The bracket of a page lists the sets as games, and beside them what they come to.
    if let Some(games) = entry.fields.get("games").filter(Node::is_list) {
        let games = games.items()?;
        if !games.is_empty() {
            return games.iter().map(of_two).collect();
        }
    }
    let Some(node) = entry.fields.any(&["scores_csv", "scores"]) else { return Ok(Vec::new()) };
    if node.is_list() {
        return match node.items()?.is_empty() {
            true => Ok(Vec::new()),
            false => Ok(vec![of_two(&node)?]),
        };
    }
    let text = node.text()?.replace(' ', "");
    let sets = text.split(',').filter(|set| !set.is_empty());
    sets.map(|set| of_set(set).ok_or_else(|| node.bad("scores such as 3-1,2-3"))).collect()
}

/// A set as a list of two numbers.
fn of_two(set: &Node<'_>) -> Result<[i32; 2], ImportError> {
    let [first, second] = &set.items()?[..] else { return Err(set.bad("a score of two")) };
    let score = |node: &Node<'_>| {
        let number = node.whole()?;
        crate::sheet::in_limits(number).ok_or_else(|| node.bad("a score within a million"))
    };
    Ok([score(first)?, score(second)?])
}

/// A set such as `3-1`; each number may be below zero.
fn of_set(set: &str) -> Option<[i32; 2]> {
    let hyphen = set.char_indices().skip(1).find(|(_, c)| *c == '-')?.0;
    let (first, second) = (set.get(..hyphen)?, set.get(hyphen + 1..)?);
    let number = |text: &str| {
        let score = text.parse::<i32>().ok()?;
        (score.unsigned_abs() <= limits::SCORE.unsigned_abs()).then_some(score)
    };
    Some([number(first)?, number(second)?])
}
