//! The sets of start.gg's GraphQL answers, however deep they stand in them.

use std::collections::{BTreeMap, BTreeSet};

use super::bracket::{self, Game, Side};
use super::build::{Oddities, Players, clean_name};
use super::json::{Json, Node};
use super::outcome::{self, Won};
use super::pages::{self, Lists};
use super::sheet::{self, Games};
use super::source::*;
use super::{Fault, ImportError, check, limits, numbered, phases};
use scrutineer_engine::event::{How, MatchResult, PhaseKind, UnknownFact};

/// Those answers.
pub(super) struct StartGg;

impl super::Format for StartGg {
    fn name(&self) -> &'static str {
        "start.gg json"
    }

    fn detect(&self, file: &super::File) -> bool {
        let text = file.text.map(str::trim_start).filter(|text| text.starts_with(['{', '[']));
        let has = |word: &str| text.is_some_and(|text| text.contains(word));
        has("\"slots\"") && has("\"entrant\"") && (has("\"fullRoundText\"") || has("\"winnerId\""))
    }

    fn part(&self, file: &super::File) -> Option<super::Part> {
        let has = |word: &str| file.text.is_some_and(|text| text.contains(word));
        (has("\"pageInfo\"") && self.detect(file)).then(|| super::Part::many(""))
    }

    fn read(&self, file: &super::File) -> Result<Source, ImportError> {
        read(file.name, file.text()?)
    }
}

fn read(file: &str, text: &str) -> Result<Source, ImportError> {
    let json = Json::read(text)?;
    let root = json.root();
    let mut found = Found::default();
    found.walk(&root, &root)?;
    let mut reader = Reader::default();
    let mut event: Option<String> = None;
    found.sets.iter().try_for_each(|set| set.need("id").map(|_| ()))?;
    for set in pages::once(&found.sets, "id", known, winner, &mut reader.oddities)? {
        if let Some(own) = set.word_at("eventId")? {
            let first = event.get_or_insert_with(|| own.to_owned());
            if first != own {
                let expected = format!("{first}, as the sets before: one event in a file");
                return Err(set.need("eventId")?.bad(&expected));
            }
        }
        reader.set(set)?;
    }
    found.refuse_some()?;
    reader.standings(&found.standings)?;
    let name = |node: &Option<Node<'_>>| -> Result<Option<String>, ImportError> {
        node.as_ref()
            .map_or(Ok(None), |node| node.text_at("name"))
            .map(|name| name.map(str::to_owned))
    };
    let names = [name(&found.tournament)?, name(&found.event)?];
    let title = names.into_iter().flatten().collect::<Vec<_>>().join(": ");
    let title = if title.is_empty() { super::build::stem(file) } else { title };
    let title = clean_name("the title", &title).map_err(|fault| fault.at("name"))?;
    let own = found.event.as_ref().map_or(Ok(None), |event| event.word_at("id"))?;
    let identity = match own.map(str::to_owned).or(event) {
        Some(id) => format!("start.gg event {id}"),
        None => format!("start.gg {title}"),
    };
    let mut phases = reader.phases()?;
    let rounds: Vec<SourceRound> = phases.iter().flat_map(|phase| phase.rounds.clone()).collect();
    check::rounds(&reader.players, &rounds)?;
    let is_open = outcome::settle(&mut phases, &mut reader.oddities);
    let best_of = reader.best_of().or_else(|| sheet::best_of(outcome::games(&phases)));
    sheet::report(best_of, &rounds, &mut reader.oddities);
    let mut unknown = vec![UnknownFact::SignUpOrder, UnknownFact::Times, UnknownFact::Tables];
    unknown.extend([UnknownFact::KindOfBye, UnknownFact::Drops]);
    if !reader.has_games {
        unknown.push(UnknownFact::Games);
    }
    unknown.push(UnknownFact::HowItEnded);
    Ok(Source {
        platform: "start.gg".to_owned(),
        format: "start.gg json".to_owned(),
        identity,
        title,
        finished: !is_open && !reader.is_waiting,
        scoresheet: sheet::games_sheet(best_of, outcome::games(&phases)),
        players: reader.players.list,
        phases,
        places: reader.places,
        unknown,
        oddities: reader.oddities.finish(),
        ..Source::default()
    })
}

/// What is found in an answer, wherever it stands.
#[derive(Default)]
struct Found<'a> {
    sets: Vec<Node<'a>>,
    standings: Vec<Node<'a>>,
    /// The lists of sets that come in pages: one of an event, or one of each group.
    lists: BTreeMap<ListOf, Paged<'a>>,
    tournament: Option<Node<'a>>,
    event: Option<Node<'a>>,
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

impl<'a> Found<'a> {
    /// Collects sets and standings of what stands in an owner. The depth is that of the JSON, which is bounded.
    fn walk(&mut self, node: &Node<'a>, owner: &Node<'a>) -> Result<(), ImportError> {
        if node.is_list() {
            return node.items()?.iter().try_for_each(|item| self.walk(item, owner));
        }
        if node.get("slots").is_some_and(|slots| slots.is_list()) {
            self.sets.push(node.clone());
            return Ok(());
        }
        if node.get("placement").is_some() && node.get("entrant").is_some() {
            self.standings.push(node.clone());
            return Ok(());
        }
        if let Some(nodes) = node.get("nodes").filter(Node::is_list) {
            self.page(owner, &nodes, node.get("pageInfo"))?;
        }
        for (key, value) in node.entries() {
            match key {
                "tournament" if value.is_object() => self.tournament = Some(value.clone()),
                "event" if value.is_object() => self.event = Some(value.clone()),
                _ => {}
            }
            if value.is_object() || value.is_list() {
                self.walk(&value, node)?;
            }
        }
        Ok(())
    }

    /// Adds a page to the list that it is of, where it is one of sets.
    fn page(
        &mut self,
        owner: &Node<'a>,
        nodes: &Node<'a>,
        info: Option<Node<'a>>,
    ) -> Result<(), ImportError> {
        let items = nodes.items()?;
        let is_of_sets = match items.first() {
            Some(first) => first.get("slots").is_some(),
            None => nodes.place.ends_with("sets.nodes"),
        };
        if !is_of_sets {
            return Ok(());
        }
        let paged = self.lists.entry(list_of(owner, nodes)?).or_default();
        for item in &items {
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
    fn refuse_some(&self) -> Result<(), ImportError> {
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

fn list_of(owner: &Node<'_>, nodes: &Node<'_>) -> Result<ListOf, ImportError> {
    if let Some(id) = owner.word_at("id")? {
        return Ok(ListOf::Id(id.to_owned()));
    }
    let in_answer = nodes.place.rsplit_once("data.").map(|(_, in_answer)| in_answer);
    Ok(ListOf::Place(in_answer.unwrap_or_default().to_owned()))
}

/// How much is known of a set: whether it was won, and how many of its entrants.
fn known(set: &Node<'_>) -> Result<(bool, usize), ImportError> {
    let slots = set.list("slots")?;
    let entrants = slots.iter().filter(|slot| slot.get("entrant").is_some()).count();
    Ok((is_done(set)? && set.get("winnerId").is_some(), entrants))
}

/// Who won a set.
fn winner<'a>(set: &Node<'a>) -> Result<Option<&'a str>, ImportError> {
    set.word_at("winnerId")
}

/// Whether a set is over.
fn is_done(set: &Node<'_>) -> Result<bool, ImportError> {
    match set.get("state") {
        Some(state) => Ok(matches!(state.word()?, "3" | "COMPLETED")),
        None => Ok(set.get("winnerId").is_some()),
    }
}

/// A phase, or a group where no phase is named: how it is played where that is said, and its matches.
#[derive(Default)]
struct Phase {
    kind: Option<PhaseKind>,
    games: Vec<Game>,
    /// Who plays in it.
    players: BTreeSet<usize>,
    /// How many groups it is put together of; 0 where its sets name their phase.
    groups: usize,
}

#[derive(Default)]
struct Reader {
    players: Players,
    oddities: Oddities,
    /// By the phase's order and id. Ids are numbers: as texts 1000000 would stand before 999999.
    phases: BTreeMap<(i64, u64, String), Phase>,
    lengths: BTreeSet<i64>,
    has_games: bool,
    is_waiting: bool,
    places: Vec<SourcePlace>,
}

impl Reader {
    fn best_of(&self) -> Option<u8> {
        match self.lengths.iter().collect::<Vec<_>>()[..] {
            [length] => u8::try_from(*length).ok().filter(|length| length % 2 == 1 && *length < 64),
            _ => None,
        }
    }

    /// An entrant by their id; a name may stand twice.
    fn entrant(&mut self, node: &Node<'_>) -> Result<usize, ImportError> {
        let id = node.need("id")?.word()?;
        match self.players.known(id) {
            Some(player) => Ok(player),
            None => self.players.add(id, node.text_at("name")?.unwrap_or(id), &node.place),
        }
    }

    fn set(&mut self, set: &Node<'_>) -> Result<(), ImportError> {
        let group = set.get("phaseGroup");
        let phase = group.as_ref().and_then(|group| group.get("phase"));
        let (id, groups) = match (&phase, &group) {
            (Some(phase), _) => (phase.word_at("id")?, 0),
            (None, Some(group)) => (group.word_at("id")?, 1),
            (None, None) => (set.word_at("phaseGroupId")?, 1),
        };
        let id = id.unwrap_or_default();
        let order = phase.as_ref().map_or(Ok(None), |phase| phase.whole_at("phaseOrder"))?;
        let word = phase.as_ref().map_or(Ok(None), |phase| phase.text_at("bracketType"))?;
        let key = (order.unwrap_or(0), id.parse().unwrap_or(u64::MAX), id.to_owned());
        let kind = match word {
            Some("SWISS") => Some(PhaseKind::Swiss),
            Some("ROUND_ROBIN") => Some(PhaseKind::RoundRobin),
            Some("SINGLE_ELIMINATION") => Some(PhaseKind::Elimination),
            Some("DOUBLE_ELIMINATION") => Some(PhaseKind::DoubleElimination),
            _ => None,
        };
        let game = self.game(set)?;
        let phase = self.phases.entry(key).or_default();
        phase.kind = phase.kind.or(kind);
        phase.groups = groups;
        phase.players.extend(game.iter().flat_map(|game| &game.players));
        phase.games.extend(game);
        let count: usize = self.phases.values().map(|phase| phase.games.len()).sum();
        if count > limits::TABLES {
            return Err(
                Fault::TooMany { what: "sets", limit: limits::TABLES }.at(set.place.as_str())
            );
        }
        Ok(())
    }

    fn game(&mut self, set: &Node<'_>) -> Result<Option<Game>, ImportError> {
        let place = set.place.clone();
        let (mut players, mut ids, mut scores) = (Vec::new(), Vec::new(), Vec::new());
        for slot in set.list("slots")? {
            let Some(entrant) = slot.get("entrant") else { continue };
            players.push(self.entrant(&entrant)?);
            ids.push(entrant.need("id")?.word()?);
            let score = slot.get("standing").and_then(|one| one.get("stats"));
            let score = score.and_then(|stats| stats.get("score"));
            scores.push(score.map_or(Ok(None), |score| score.score_at("value"))?);
        }
        let is_done = is_done(set)?;
        let [first, second] = players[..] else {
            self.is_waiting |= !is_done;
            if players.len() > 2 {
                return Err(set.need("slots")?.bad("two slots"));
            }
            return Ok(None);
        };
        let text = set.text_at("fullRoundText")?.unwrap_or_default().to_lowercase();
        let round = set.need("round")?.whole()?;
        // The reset of a final has the final's number.
        let step = round.unsigned_abs().min(1 << 32);
        let step = i64::try_from(step).unwrap_or(0) * 2 + i64::from(text.contains("reset"));
        let side = if round < 0 { Side::Losers } else { Side::Winners };
        let winner = match set.get("winnerId") {
            Some(node) => {
                let id = node.word()?;
                let seat = ids.iter().position(|own| *own == id);
                Some(seat.ok_or_else(|| node.bad("the id of one of the two entrants"))?)
            }
            None => None,
        };
        let result = match (is_done, winner) {
            (true, Some(seat)) => self.result(set, &ids, &scores, seat)?,
            _ => outcome::open(),
        };
        if let Some(length) = set.whole_at("totalGames")?.filter(|length| *length > 0) {
            self.lengths.insert(length);
        }
        Ok(Some(Game::new((side, step), vec![first, second], result, place)))
    }

    fn result(
        &mut self,
        set: &Node<'_>,
        ids: &[&str],
        scores: &[Option<i32>],
        seat: usize,
    ) -> Result<MatchResult, ImportError> {
        let gone = scores.iter().any(|score| score.is_some_and(|score| score < 0));
        let is_dq = gone || set.text_at("displayScore")?.is_some_and(|text| text.trim() == "DQ");
        let games: Option<Games> = match scores {
            _ if is_dq => None,
            [Some(first), Some(second)] => Some([*first, *second, 0]),
            _ => by_games(set, ids)?,
        };
        self.has_games |= games.is_some();
        let how = if is_dq { How::Forfeit } else { How::Unknown };
        Ok(outcome::result(games, Some(Won::Seat(seat)), how))
    }

    fn standings(&mut self, rows: &[Node<'_>]) -> Result<(), ImportError> {
        let mut seen = BTreeSet::new();
        for row in rows {
            let player = self.entrant(&row.need("entrant")?)?;
            let place = row.count_at("placement")?.filter(|place| *place > 0);
            if let Some(place) = place.filter(|_| seen.insert(player)) {
                self.places.push(SourcePlace { player, place });
            }
        }
        Ok(())
    }

    fn phases(&mut self) -> Result<Vec<SourcePhase>, ImportError> {
        let mut all: Vec<Phase> = Vec::new();
        for phase in std::mem::take(&mut self.phases).into_values() {
            if phase.games.is_empty() {
                continue;
            }
            match all.last_mut().filter(|before| is_beside(before, &phase)) {
                Some(before) => {
                    before.groups += phase.groups;
                    before.games.extend(phase.games);
                    before.players.extend(phase.players);
                }
                None => all.push(phase),
            }
        }
        for phase in all.iter().filter(|phase| phase.groups > 1) {
            let place = phase.games.first().map_or("", |game| game.place.as_str());
            let sentence = format!(
                "{} groups in which nobody is twice were played beside each other: they are read as one phase.",
                phase.groups
            );
            self.oddities.add(place, sentence);
        }
        self.leave_out_what_was_not_needed(&mut all);
        let mut read = Vec::new();
        for phase in all {
            let has_losers = phase.games.iter().any(|game| game.side == Side::Losers);
            let kind = phase.kind.unwrap_or(match has_losers {
                true => PhaseKind::DoubleElimination,
                false => PhaseKind::Elimination,
            });
            let rounds = match kind.is_bracket() {
                true => bracket::rounds(phase.games, &mut self.oddities)?,
                false => numbered::rounds(phase.games)?,
            };
            read.push(phases::phase(kind, rounds));
        }
        Ok(read)
    }

    /// Leaves out the open sets of whoever plays in a later phase, such as the final of a pool of which both go on.
    /// Any other open set may still be played.
    fn leave_out_what_was_not_needed(&mut self, phases: &mut [Phase]) {
        let mut later: BTreeSet<usize> = BTreeSet::new();
        for phase in phases.iter_mut().rev() {
            phase.games.retain(|game| {
                let is_left_out = game.result == outcome::open()
                    && game.players.iter().any(|player| later.contains(player));
                if is_left_out {
                    let sentence = "The set was not played; a later phase has begun.";
                    self.oddities.add(&game.place, sentence);
                }
                !is_left_out
            });
            later.extend(&phase.players);
        }
    }
}

/// Whether two groups were played beside each other, as pools are: alike, and nobody is in both.
fn is_beside(before: &Phase, phase: &Phase) -> bool {
    before.groups > 0
        && phase.groups > 0
        && before.kind == phase.kind
        && before.players.is_disjoint(&phase.players)
}

/// The games that each won, where games are listed.
fn by_games(set: &Node<'_>, ids: &[&str]) -> Result<Option<Games>, ImportError> {
    let mut games: Games = [0; 3];
    for game in set.list("games")? {
        let Some(winner) = game.word_at("winnerId")? else { continue };
        if let Some(won) =
            ids.iter().position(|id| *id == winner).and_then(|seat| games.get_mut(seat))
        {
            *won += 1;
        }
    }
    Ok(Some(games).filter(|games| *games != [0; 3]))
}
