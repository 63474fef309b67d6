//! Sets and standings, however deep they stand in answers, with what is around and beside them, and whether all
//! pages are here.

use std::collections::{BTreeMap, BTreeSet};

use super::of::Of;
use crate::build::{day, day_of_unix};
use crate::json::Node;
use crate::pages::Lists;
use crate::{Fault, ImportError, limits};
use scrutineer_engine::event::Day;

/// What is found in an answer, wherever it stands.
#[derive(Default)]
pub struct Found<'a> {
    /// The sets.
    pub sets: Vec<Node<'a>>,
    /// The rows of standings.
    pub standings: Vec<Node<'a>>,
    /// The tournament.
    pub tournament: Option<Node<'a>>,
    /// The event.
    pub event: Option<Node<'a>>,
    /// The day of the event, and that of the tournament.
    days: [Option<Day>; 2],
    /// The lists of sets that come in pages: one of an event, or one of each group.
    lists: BTreeMap<ListOf, Paged<'a>>,
    /// In which phase and group each set stands, by its id.
    around: BTreeMap<&'a str, Of<'a>>,
    /// In which event each set stands, by its id.
    events: BTreeMap<&'a str, &'a str>,
    /// What stands beside the sets: phases by their ids.
    phases: BTreeMap<&'a str, Of<'a>>,
    /// The id of each phase by its name; none where two are called so.
    names: BTreeMap<&'a str, Option<&'a str>>,
    /// Groups by their ids.
    groups: BTreeMap<&'a str, Of<'a>>,
}

/// Which list a page is of, since each group may list its own sets: that of an owner with an id, such as an event,
/// or that of the same place in every answer.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum ListOf {
    Id(String),
    Place(String),
}

/// What is here of a list that comes in pages.
#[derive(Clone, Default)]
struct Paged<'a> {
    /// The ids of its sets.
    sets: BTreeSet<&'a str>,
    /// Its pages, each by its number, or else by its place.
    pages: BTreeSet<String>,
    /// How many sets there are in all, where that is said.
    total: Option<i64>,
    /// How many pages there are in all, where that is said.
    total_pages: Option<i64>,
    place: String,
}

impl Paged<'_> {
    /// Whether all of it is here. How many sets there are says more than how many pages.
    fn is_whole(&self) -> bool {
        let (all, here) = match (self.total, self.total_pages) {
            (Some(total), _) => (total, self.sets.len()),
            (None, Some(pages)) => (pages, self.pages.len()),
            (None, None) => return true,
        };
        usize::try_from(all).is_ok_and(|all| all <= here)
    }
}

/// Where something stands in an answer.
#[derive(Clone, Copy)]
struct Within<'w, 'a> {
    /// The object around it.
    owner: &'w Node<'a>,
    /// The key under which it stands there; the rows of a page stand under that of the page.
    key: &'a str,
    /// In which phase and group.
    of: Of<'a>,
    /// In which event, where its id is said.
    event: Option<&'a str>,
}

impl<'a> Found<'a> {
    /// Collects what is in an answer, or in a list of them.
    pub fn walk(&mut self, root: &Node<'a>) -> Result<(), ImportError> {
        self.node(root, Within { owner: root, key: "", of: Of::default(), event: None })
    }

    /// The day on which the event was played, as the event says it, or else the tournament.
    pub fn held_on(&self) -> Option<Day> {
        self.days[0].or(self.days[1])
    }

    /// Of which phase and group a set is: as it says it itself, as what is around it, and as what is beside it.
    pub fn of_set(&self, set: &Node<'a>) -> Result<Of<'a>, ImportError> {
        let group = set.get("phaseGroup");
        let own = group.map_or(Ok(Of::default()), |group| Of::group(&group))?;
        let own = own.or(Of { group: set.word_at("phaseGroupId")?, ..Of::default() });
        let around = set.word_at("id")?.and_then(|id| self.around.get(id));
        let of = own.or(around.copied().unwrap_or_default());
        let group = of.group.and_then(|id| self.groups.get(id));
        let of = of.or(group.copied().unwrap_or_default());
        let named = || self.names.get(of.name?).copied().flatten();
        let phase = of.phase.or_else(named).and_then(|id| self.phases.get(id));
        Ok(of.or(phase.copied().unwrap_or_default()))
    }

    /// Of which event a set is, as it says it itself, or as what is around it. What has a name of the query's own, and is
    /// taken for an event, may be the set's phase or group.
    pub fn event_of(&self, set: &Node<'a>, of: &Of<'a>) -> Result<Option<&'a str>, ImportError> {
        if let Some(own) = set.word_at("eventId")? {
            return Ok(Some(own));
        }
        let around = set.word_at("id")?.and_then(|id| self.events.get(id)).copied();
        Ok(around.filter(|event| ![of.phase, of.group].contains(&Some(*event))))
    }

    /// Collects what stands in a node. The depth is that of the JSON, which is bounded.
    fn node(&mut self, node: &Node<'a>, within: Within<'_, 'a>) -> Result<(), ImportError> {
        if node.is_list() {
            return node.nested().try_for_each(|item| self.node(&item, within));
        }
        if node.get("slots").is_some_and(|slots| slots.is_list()) {
            if let Some(id) = node.word_at("id")? {
                let around = self.around.entry(id).or_default();
                *around = around.or(within.of);
                if let Some(event) = within.event {
                    self.events.entry(id).or_insert(event);
                }
            }
            if self.sets.len() >= limits::TABLES {
                let fault = Fault::TooMany { what: "sets", limit: limits::TABLES };
                return Err(fault.at(node.place.as_str()));
            }
            self.sets.push(node.clone());
            return Ok(());
        }
        if node.get("placement").is_some() && node.get("entrant").is_some() {
            self.standings.push(node.clone());
            return Ok(());
        }
        if let Some(nodes) = node.get("nodes").filter(Node::is_list) {
            self.page(within.owner, &nodes, node.get("pageInfo"))?;
        }
        let (of, event) = (self.of(node, &within)?, event(node, &within)?);
        for (key, value) in node.entries() {
            match key {
                "tournament" if value.is_object() => {
                    self.days[1] = self.days[1].or_else(|| day_of(&value));
                    self.tournament = Some(value.clone());
                }
                "event" if value.is_object() => {
                    self.days[0] = self.days[0].or_else(|| day_of(&value));
                    self.event = Some(value.clone());
                }
                _ => {}
            }
            if value.is_object() || value.is_list() {
                let key = if key == "nodes" { within.key } else { key };
                self.node(&value, Within { owner: node, key, of, event })?;
            }
        }
        Ok(())
    }

    /// In which phase and group stands what an object has. A phase or a group is kept, since sets may stand beside it.
    fn of(&mut self, node: &Node<'a>, within: &Within<'_, 'a>) -> Result<Of<'a>, ImportError> {
        if EVENTS.contains(&within.key) || TOURNAMENTS.contains(&within.key) {
            return Ok(Of::default());
        }
        if is_group(node, within.key) {
            let of = Of::group(node)?.or(within.of);
            if let Some(id) = of.group {
                let known = self.groups.entry(id).or_default();
                *known = known.or(of);
            }
            return Ok(of);
        }
        if is_phase(node, within.key) {
            let of = Of::phase(node)?.or(within.of.of_phase());
            self.keep_phase(of);
            return Ok(of);
        }
        Ok(within.of)
    }

    fn keep_phase(&mut self, of: Of<'a>) {
        let Some(id) = of.phase else { return };
        let known = self.phases.entry(id).or_default();
        *known = known.or(of);
        if let Some(name) = of.name {
            let named = self.names.entry(name).or_insert(Some(id));
            *named = named.filter(|other| *other == id);
        }
    }

    /// Adds a page to the list that it is of, where it is one of sets.
    fn page(
        &mut self,
        owner: &Node<'a>,
        nodes: &Node<'a>,
        info: Option<Node<'a>>,
    ) -> Result<(), ImportError> {
        let mut items = nodes.nested().peekable();
        let is_of_sets = match items.peek() {
            Some(first) => first.get("slots").is_some(),
            None => nodes.place.ends_with("sets.nodes"),
        };
        if !is_of_sets {
            return Ok(());
        }
        let paged = self.lists.entry(list_of(owner, nodes)?).or_default();
        for item in items {
            paged.sets.extend(item.word_at("id")?);
        }
        let info = |key: &str| info.as_ref().and_then(|info| info.get(key));
        let number = info("page").map(|page| page.word()).transpose()?;
        paged.pages.insert(number.map_or_else(|| nodes.place.clone(), str::to_owned));
        let total = info("total").map(|total| total.whole()).transpose()?;
        let total_pages = info("totalPages").map(|total| total.whole()).transpose()?;
        paged.total = paged.total.max(total);
        paged.total_pages = paged.total_pages.max(total_pages);
        if paged.place.is_empty() {
            paged.place = nodes.place.clone();
        }
        Ok(())
    }

    /// Refuses some pages of more. Pages under several names (aliases) in one answer are of one list, which shows where
    /// their owner has an id; without it, lists of as many sets that are short are judged together.
    pub fn refuse_some(&self) -> Result<(), ImportError> {
        let mut alike: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (list, paged) in self.lists.iter().filter(|(_, paged)| !paged.is_whole()) {
            let pages = paged.total_pages.filter(|_| paged.total.is_none());
            alike.entry((paged.total, pages)).or_default().push((list, paged.clone()));
        }
        let mut short = Lists::default();
        for mut lists in alike.into_values() {
            if lists.iter().any(|(list, _)| matches!(list, ListOf::Place(_))) {
                let others = lists.split_off(1);
                if let Some((_, first)) = lists.first_mut() {
                    first.sets.extend(others.iter().flat_map(|(_, other)| &other.sets).copied());
                    first.pages.extend(others.iter().flat_map(|(_, other)| &other.pages).cloned());
                }
            }
            for (_, paged) in lists.iter().filter(|(_, paged)| !paged.is_whole()) {
                let (key, is_last) = (paged.place.clone(), paged.total.is_some());
                short.add(key, paged.sets.len(), paged.total, is_last, &paged.place);
            }
        }
        short.refuse_some("the sets")
    }
}

/// Under which keys events stand, and tournaments.
const EVENTS: [&str; 2] = ["event", "events"];
const TOURNAMENTS: [&str; 2] = ["tournament", "tournaments"];

fn is_group(node: &Node<'_>, key: &str) -> bool {
    let has = |key: &str| node.get(key).is_some();
    key.contains("haseGroup") || has("displayIdentifier") || (has("sets") && has("phase"))
}

fn is_phase(node: &Node<'_>, key: &str) -> bool {
    let has = |key: &str| node.get(key).is_some();
    ["phase", "phases"].contains(&key) || (has("id") && (has("bracketType") || has("phaseOrder")))
}

/// In which event stands what an object has. One of a name that the query gives it has an id and sets, as a phase, a
/// group or a player may.
fn event<'a>(node: &Node<'a>, within: &Within<'_, 'a>) -> Result<Option<&'a str>, ImportError> {
    let key = within.key;
    if EVENTS.contains(&key) {
        return node.word_at("id");
    }
    if TOURNAMENTS.contains(&key) {
        return Ok(None);
    }
    let is_other = within.event.is_some()
        || key == "player"
        || is_group(node, key)
        || is_phase(node, key)
        || node.get("sets").is_none();
    if is_other { Ok(within.event) } else { node.word_at("id") }
}

fn list_of(owner: &Node<'_>, nodes: &Node<'_>) -> Result<ListOf, ImportError> {
    if let Some(id) = owner.word_at("id")? {
        return Ok(ListOf::Id(id.to_owned()));
    }
    let in_answer = nodes.place.rsplit_once("data.").map(|(_, in_answer)| in_answer);
    Ok(ListOf::Place(in_answer.unwrap_or_default().to_owned()))
}

/// The day on which an event or a tournament begins: in seconds since 1970, or as a text.
fn day_of(node: &Node<'_>) -> Option<Day> {
    let at = node.get("startAt")?;
    match at.whole() {
        Ok(seconds) => day_of_unix(seconds).filter(|_| seconds > 0),
        Err(_) => at.text().ok().and_then(day),
    }
}
