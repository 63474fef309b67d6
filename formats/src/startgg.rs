//! The sets of start.gg's GraphQL answers, however deep they stand in them.

use std::collections::{BTreeMap, BTreeSet};

use super::bracket::{self, Game, Side};
use super::build::{Oddities, Players, clean_name};
use super::json::{Json, Node};
use super::outcome::{self, Won};
use super::pages::Lists;
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
    found.walk(&root)?;
    let mut reader = Reader::default();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut event: Option<String> = None;
    for set in &found.sets {
        let id = set.need("id")?.word()?;
        // Pages overlap, since sets move between them while an event runs.
        if !seen.insert(id.to_owned()) {
            continue;
        }
        if let Some(own) = set.word_at("eventId")? {
            let first = event.get_or_insert_with(|| own.to_owned());
            if first != own {
                let expected = format!("{first}, as the sets before: one event in a file");
                return Err(set.need("eventId")?.bad(&expected));
            }
        }
        reader.set(set)?;
    }
    let mut lists = Lists::default();
    lists.add(String::new(), seen.len(), found.totals[0], true, "sets.nodes");
    lists.refuse_some("the sets")?;
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
    /// How many nodes each paged list says that it has: of sets, and of others.
    totals: [Option<i64>; 2],
    tournament: Option<Node<'a>>,
    event: Option<Node<'a>>,
}

impl<'a> Found<'a> {
    /// Collects sets and standings. The depth is that of the JSON, which is bounded.
    fn walk(&mut self, node: &Node<'a>) -> Result<(), ImportError> {
        if node.is_list() {
            return node.items()?.iter().try_for_each(|item| self.walk(item));
        }
        if node.get("slots").is_some_and(|slots| slots.is_list()) {
            self.sets.push(node.clone());
            return Ok(());
        }
        if node.get("placement").is_some() && node.get("entrant").is_some() {
            self.standings.push(node.clone());
            return Ok(());
        }
        if let (Some(nodes), Some(info)) = (node.get("nodes"), node.get("pageInfo"))
            && let Some(first) = nodes.items()?.first()
        {
            let total = &mut self.totals[usize::from(first.get("slots").is_none())];
            *total = (*total).max(info.whole_at("total")?);
        }
        for (key, value) in node.entries() {
            match key {
                "tournament" if value.is_object() => self.tournament = Some(value.clone()),
                "event" if value.is_object() => self.event = Some(value.clone()),
                _ => {}
            }
            if value.is_object() || value.is_list() {
                self.walk(&value)?;
            }
        }
        Ok(())
    }
}

/// A phase: its order, how it is played where that is said, and its matches.
#[derive(Default)]
struct Phase {
    kind: Option<PhaseKind>,
    games: Vec<Game>,
}

#[derive(Default)]
struct Reader {
    players: Players,
    oddities: Oddities,
    /// By the phase's order and id.
    phases: BTreeMap<(i64, String), Phase>,
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
        let id = match (&phase, &group) {
            (Some(phase), _) => phase.word_at("id")?,
            (None, Some(group)) => group.word_at("id")?,
            (None, None) => set.word_at("phaseGroupId")?,
        };
        let order = phase.as_ref().map_or(Ok(None), |phase| phase.whole_at("phaseOrder"))?;
        let word = phase.as_ref().map_or(Ok(None), |phase| phase.text_at("bracketType"))?;
        let key = (order.unwrap_or(0), id.unwrap_or_default().to_owned());
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
        let state = match set.get("state") {
            Some(node) => node.word()?.to_owned(),
            None => if set.get("winnerId").is_some() { "3" } else { "1" }.to_owned(),
        };
        let is_done = matches!(state.as_str(), "3" | "COMPLETED");
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
        let mut read = Vec::new();
        let all: Vec<Phase> = std::mem::take(&mut self.phases).into_values().collect();
        let all: Vec<Phase> = all.into_iter().filter(|phase| !phase.games.is_empty()).collect();
        let count = all.len();
        for (at, phase) in all.into_iter().enumerate() {
            let mut games = phase.games;
            let has_losers = games.iter().any(|game| game.side == Side::Losers);
            let kind = phase.kind.unwrap_or(match has_losers {
                true => PhaseKind::DoubleElimination,
                false => PhaseKind::Elimination,
            });
            if at + 1 < count {
                let oddities = &mut self.oddities;
                games.retain(|game| {
                    let is_open = game.result == outcome::open();
                    if is_open {
                        oddities
                            .add(&game.place, "The set was not played; a later phase has begun.");
                    }
                    !is_open
                });
            }
            let rounds = match kind.is_bracket() {
                true => bracket::rounds(games, &mut self.oddities)?,
                false => numbered::rounds(games)?,
            };
            read.push(phases::phase(kind, rounds));
        }
        Ok(read)
    }
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
