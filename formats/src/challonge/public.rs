//! The bracket that Challonge's pages show, as `challonge.com/<url>.json` has it: the tournament with its matches by
//! round and its groups. There is no list of participants: who plays stands in the matches.

use std::collections::BTreeMap;

use super::fields::Entry;
use crate::ImportError;
use crate::json::Node;

/// That bracket.
#[derive(Default)]
pub struct Bracket<'a> {
    /// The matches, first those of the groups.
    pub matches: Vec<Entry<'a>>,
    /// Who plays in them, by their seeds where these are of the whole tournament.
    pub people: Vec<Person<'a>>,
    /// Whether they are: the seeds of a group are its own.
    pub is_seeded: bool,
    by_id: BTreeMap<&'a str, usize>,
    by_name: BTreeMap<&'a str, usize>,
}

/// Somebody who plays.
pub struct Person<'a> {
    /// How the first of their matches has them.
    pub entry: Entry<'a>,
    /// By which ids matches know them.
    pub ids: Vec<&'a str>,
    /// The group in which they were met; none: not in one.
    group: Option<String>,
    seed: Option<i64>,
}

/// The bracket of a file; none where it is an answer of another kind.
pub fn bracket<'a>(root: &Node<'a>) -> Result<Option<Bracket<'a>>, ImportError> {
    if root.get("matches_by_round").is_none() {
        return Ok(None);
    }
    let (mut matches, mut bracket) = (Vec::new(), Bracket::default());
    let groups = groups(root)?;
    for (number, group) in (1..).zip(&groups) {
        stage(group, Some(format!("group {number}")), &mut matches)?;
    }
    stage(root, None, &mut matches)?;
    for entry in &matches {
        for key in ["player1", "player2"] {
            if let Some(player) = entry.fields.get(key).filter(Node::is_object) {
                bracket.meet(player, entry.group.clone())?;
            }
        }
    }
    bracket.is_seeded = matches.iter().all(|entry| entry.group.is_none());
    if bracket.is_seeded {
        bracket.people.sort_by_key(|person| person.seed.unwrap_or(i64::MAX));
    }
    bracket.matches = matches;
    Ok(Some(bracket))
}

/// The groups that were played before the bracket.
pub fn groups<'a>(root: &Node<'a>) -> Result<Vec<Node<'a>>, ImportError> {
    let list = root.get("groups").filter(Node::is_list);
    list.map_or(Ok(Vec::new()), |list| list.items())
}

/// The matches of a group, or of the bracket, and those that are played beside it.
fn stage<'a>(
    node: &Node<'a>,
    group: Option<String>,
    matches: &mut Vec<Entry<'a>>,
) -> Result<(), ImportError> {
    let mut places: BTreeMap<&'a str, usize> = BTreeMap::new();
    let rounds = node.get("matches_by_round");
    for (_, round) in rounds.iter().flat_map(Node::entries) {
        for one in round.items()? {
            let mut entry = Entry::of(one, "match")?;
            entry.group.clone_from(&group);
            places.extend(entry.id.map(|id| (id, matches.len())));
            matches.push(entry);
        }
    }
    let mut beside: Vec<Node<'a>> = Vec::new();
    beside.extend(node.get("third_place_match").filter(Node::is_object));
    if let Some(others) = node.get("consolation_matches").filter(Node::is_list) {
        beside.extend(others.items()?.into_iter().filter(Node::is_object));
    }
    for one in beside {
        let mut entry = Entry::of(one, "match")?;
        // It may stand in its round, too.
        if let Some(at) = entry.id.and_then(|id| places.get(id).copied()) {
            matches[at].is_beside = true;
            continue;
        }
        entry.group.clone_from(&group);
        entry.is_beside = true;
        places.extend(entry.id.map(|id| (id, matches.len())));
        matches.push(entry);
    }
    Ok(())
}

impl<'a> Bracket<'a> {
    /// Somebody who plays in a match of a group, or of the bracket.
    fn meet(&mut self, player: Node<'a>, group: Option<String>) -> Result<(), ImportError> {
        let ids = [player.word_at("participant_id")?, player.word_at("id")?];
        let Some(first) = ids.into_iter().flatten().next() else { return Ok(()) };
        let name = player.text_at("display_name")?;
        let known = ids.into_iter().flatten().find_map(|id| self.by_id.get(id).copied());
        // A group has ids of its own, and no two participants of a tournament have one name.
        let alike = name.and_then(|name| self.by_name.get(name).copied());
        let alike = alike.filter(|at| self.people[*at].group != group);
        let at = match known.or(alike) {
            Some(at) => at,
            None => {
                let seed = player.whole_at("seed")?;
                let mut entry = Entry::of(player, "participant")?;
                entry.id = Some(first);
                self.people.push(Person { entry, ids: Vec::new(), group, seed });
                self.people.len() - 1
            }
        };
        for id in ids.into_iter().flatten() {
            if self.by_id.insert(id, at).is_none() {
                self.people[at].ids.push(id);
            }
        }
        if let Some(name) = name {
            self.by_name.entry(name).or_insert(at);
        }
        Ok(())
    }
}
