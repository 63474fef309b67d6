//! The JSON of Best Coast Pairings' answers: pairings of each round, and players, in pages.

use std::collections::BTreeMap;

use super::build::{Oddities, Players, clean_name, day};
use super::json::{Json, Node};
use super::outcome::{self, Won};
use super::pages::{self, Lists};
use super::source::*;
use super::{Fault, ImportError, check, limits, numbered, phases, sheet};
use scrutineer_engine::event::{
    ByeKind, How, Per, PhaseKind, RoundWeight, Scoresheet, UnknownFact,
};

/// That JSON.
pub(super) struct Bcp;

impl super::Format for Bcp {
    fn name(&self) -> &'static str {
        "bcp json"
    }

    fn detect(&self, file: &super::File) -> bool {
        let has = |word: &str| file.text.is_some_and(|text| text.contains(word));
        (file.has(&["pairings"]) && has("\"player1Game\"")) || self.part(file).is_some()
    }

    fn part(&self, file: &super::File) -> Option<super::Part> {
        let has = |word: &str| file.text.is_some_and(|text| text.contains(word));
        let is_page = file.has(&["data", "nextKey"])
            || file.has(&["active", "deleted"])
            || file.lists(&["id", "player1Game"]);
        if file.has(&["eventDate", "numberOfRounds"]) {
            return Some(super::Part::one("event"));
        }
        match (is_page, has("\"player1Game\""), has("\"placing\"") || has("\"userId\"")) {
            (true, true, _) => Some(super::Part::many("pairings")),
            (true, false, true) => Some(super::Part::many("players")),
            _ => None,
        }
    }

    fn read(&self, file: &super::File) -> Result<Source, ImportError> {
        read(file.name, file.text()?)
    }
}

/// How the answers are put together.
const TOGETHER: &str = "the pairings of every round (as {\"event\": {..}, \"pairings\": [..], \"players\": [..]}, \
                        of each list all pages, or their files together)";

/// A page that has no more rows than this may be asked for; one that is not full is the last.
const FULL: usize = 10;

fn read(file: &str, text: &str) -> Result<Source, ImportError> {
    let json = Json::read(text)?;
    let root = json.root();
    let mut reader = Reader::default();
    let has_lists = root.get("pairings").is_some();
    let pairings = match has_lists {
        true => rows(&root.need("pairings")?, "the pairings")?,
        false => rows(&root, "the pairings")?,
    };
    if pairings.iter().all(|one| one.get("round").is_none()) {
        return Err(Fault::Missing { what: TOGETHER.into() }.into());
    }
    pages::refuse_two(&pairings, "eventId")?;
    let listed = root.get("players").filter(|_| has_lists);
    for one in listed.map_or(Ok(Vec::new()), |list| rows(&list, "the players"))? {
        reader.listed(&one)?;
    }
    let mut rounds = reader.rounds(&pairings)?;
    check::numbers_once(&mut rounds);
    check::rounds(&reader.players, &rounds)?;
    let event = root.get("event");
    let of = |key: &str| event.as_ref().map_or(Ok(None), |event| event.text_at(key));
    let title = of("name")?.map_or_else(|| super::build::stem(file), str::to_owned);
    let title = clean_name("the title", &title).map_err(|fault| fault.at("event.name"))?;
    let held_on = of("eventDate")?.and_then(day);
    let id = match &event {
        Some(event) => event.word_at("id")?,
        None => pairings[0].word_at("eventId")?,
    };
    let planned = match &event {
        Some(event) => event.whole_at("numberOfRounds")?.and_then(|all| u16::try_from(all).ok()),
        None => None,
    };
    let planned = planned.filter(|all| (1..=limits::ROUNDS).contains(&usize::from(*all)));
    let mut bounds = (0, 100);
    let scores = rounds.iter().flat_map(|round| &round.tables).map(|table| &table.result.score);
    for value in scores.flat_map(|score| score.seats.iter().flatten()) {
        bounds = (bounds.0.min(*value), bounds.1.max(*value));
    }
    let line = sheet::line("points", Per::Seat, bounds.0, bounds.1, "points");
    let drops = numbered::drops(&reader.gone, &rounds, "dropped");
    let count = rounds.len();
    let entrants = (0..reader.players.list.len()).collect();
    let mut phases = vec![SourcePhase { entrants, ..phases::phase(PhaseKind::Swiss, rounds) }];
    let is_open = outcome::settle(&mut phases, &mut reader.oddities);
    let mut unknown = vec![UnknownFact::SignUpOrder, UnknownFact::Times];
    unknown.extend([UnknownFact::KindOfBye, UnknownFact::HowItEnded]);
    Ok(Source {
        platform: "bcp".to_owned(),
        format: "bcp json".to_owned(),
        identity: match id {
            Some(id) => format!("bcp {id}"),
            None => format!("bcp {title}"),
        },
        title,
        held_on,
        planned_rounds: planned,
        finished: !is_open && planned.is_none_or(|planned| usize::from(planned) <= count),
        scoresheet: Scoresheet { lines: vec![line], best_of: None },
        players: reader.players.list,
        phases,
        drops,
        places: reader.places,
        unknown,
        oddities: reader.oddities.finish(),
        ..Source::default()
    })
}

/// The rows of a list, of a page, or of a list of pages. A page names the key of the next one even where it
/// is the last: only one that is full has another behind it.
fn rows<'a>(node: &Node<'a>, what: &str) -> Result<Vec<Node<'a>>, ImportError> {
    let (mut rows, mut lists) = (Vec::new(), Lists::default());
    for page in pages::listed(node)? {
        let Some(list) = page.any(&["data", "active"]) else {
            rows.push(page);
            continue;
        };
        let items = list.items()?;
        let round = items.first().map_or(Ok(None), |row| row.word_at("round"))?;
        let is_full = !items.is_empty() && items.len().is_multiple_of(FULL);
        let is_last = page.word_at("nextKey")?.is_none() || !is_full;
        lists.add(round.unwrap_or_default().to_owned(), items.len(), None, is_last, &list.place);
        rows.extend(items);
    }
    lists.refuse_some(what)?;
    Ok(rows)
}

#[derive(Default)]
struct Reader {
    players: Players,
    oddities: Oddities,
    places: Vec<SourcePlace>,
    gone: Vec<usize>,
}

impl Reader {
    /// A player by the ids that an answer gives them. None where nobody stands there.
    fn player(&mut self, node: &Node<'_>) -> Result<Option<usize>, ImportError> {
        let user = node.get("user").filter(Node::is_object);
        let user_id = match &user {
            Some(user) => user.word_at("id")?,
            None => None,
        };
        let mut keys = Vec::new();
        keys.extend(node.word_at("id")?.map(|id| format!("id {id}")));
        let user_id = node.word_at("userId")?.or(user_id);
        keys.extend(user_id.map(|id| format!("user {id}")));
        let named = user.as_ref().unwrap_or(node);
        let parts = [named.text_at("firstName")?, named.text_at("lastName")?];
        let name = parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
        let Some(first) = keys.first() else { return Ok(None) };
        let name = match (name.is_empty(), node.text_at("name")?) {
            (false, _) => name,
            (true, Some(name)) => name.to_owned(),
            (true, None) => first.clone(),
        };
        self.players.by_keys(&keys, &name, &node.place).map(Some)
    }

    /// A row of the list of players, with their place.
    fn listed(&mut self, node: &Node<'_>) -> Result<(), ImportError> {
        let Some(player) = self.player(node)? else { return Ok(()) };
        if let Some(place) = node.count_at("placing")?.filter(|place| *place > 0) {
            self.places.push(SourcePlace { player, place });
        }
        if node.is("dropped")? && !self.gone.contains(&player) {
            self.gone.push(player);
        }
        Ok(())
    }

    fn rounds(&mut self, pairings: &[Node<'_>]) -> Result<Vec<SourceRound>, ImportError> {
        if pairings.len() > limits::TABLES {
            return Err(Fault::TooMany { what: "pairings", limit: limits::TABLES }.at("pairings"));
        }
        let mut rounds: BTreeMap<i64, SourceRound> = BTreeMap::new();
        let mut seen = std::collections::BTreeSet::new();
        for pairing in pairings {
            if let Some(id) = pairing.word_at("id")?
                && !seen.insert(id)
            {
                continue;
            }
            let most = limits::ROUNDS as i64;
            let number = pairing.within("round", 1, most)?;
            let missing = || Fault::Missing { what: "round".into() }.at(pairing.place.as_str());
            let number = number.ok_or_else(missing)?;
            let (tables, byes) = (Vec::new(), Vec::new());
            let name = format!("Round {number}");
            let empty = SourceRound { name, weight: RoundWeight::ONE, tables, byes };
            self.pairing(pairing, rounds.entry(number).or_insert(empty))?;
        }
        for (expected, number) in (1..).zip(rounds.keys()) {
            if *number != expected {
                return Err(Fault::Missing { what: format!("round {expected}: {TOGETHER}") }.into());
            }
        }
        Ok(rounds.into_values().collect())
    }

    fn pairing(&mut self, node: &Node<'_>, round: &mut SourceRound) -> Result<(), ImportError> {
        let (mut seats, mut results, mut points) = (Vec::new(), Vec::new(), Vec::new());
        for (key, game, score) in
            [("player1", "player1Game", "player1Score"), ("player2", "player2Game", "player2Score")]
        {
            let Some(one) = node.get(key).filter(Node::is_object) else { continue };
            let Some(player) = self.player(&one)? else { continue };
            seats.push(player);
            let game = node.get(game).filter(Node::is_object);
            let of = |keys: &[&str]| game.as_ref().and_then(|game| game.any(keys));
            results.push(of(&["result", "gameResult"]).map(|one| one.whole()).transpose()?);
            let own = match &game {
                Some(game) => game.score_at("points")?.or(game.score_at("gamePoints")?),
                None => None,
            };
            points.push(own.or(node.score_at(score)?));
        }
        let place = node.place.clone();
        match seats[..] {
            [] => self.oddities.add(&place, "A pairing without players was left out."),
            [player] => round.byes.push(SourceBye {
                player,
                kind: ByeKind::Assigned,
                reported: None,
                place,
            }),
            _ => {
                let won = match results[..] {
                    [Some(2), Some(0)] => Some(Won::Seat(0)),
                    [Some(0), Some(2)] => Some(Won::Seat(1)),
                    [Some(1), Some(1)] => Some(Won::Draw),
                    [Some(0), Some(0)] if points.iter().flatten().any(|points| *points != 0) => {
                        Some(Won::BothLost)
                    }
                    _ => None,
                };
                let by_points = match points[..] {
                    [Some(first), Some(second)] => Some(match first.cmp(&second) {
                        std::cmp::Ordering::Greater => Won::Seat(0),
                        std::cmp::Ordering::Less => Won::Seat(1),
                        std::cmp::Ordering::Equal => Won::Draw,
                    }),
                    _ => None,
                };
                let nothing = points.iter().flatten().all(|points| *points == 0);
                let result = match (won, by_points) {
                    (None, None) => outcome::open(),
                    (None, Some(_)) if nothing => outcome::open(),
                    (None, Some(_)) => outcome::result(None, None, How::Unknown),
                    (Some(won), by_points) => {
                        let is_other = by_points != Some(won);
                        if is_other && by_points.is_some() {
                            let sentence = "The points say otherwise who won than the result does; the result \
                                            is taken.";
                            self.oddities.add(&place, sentence);
                        }
                        outcome::result(None, Some(won).filter(|_| is_other), How::Unknown)
                    }
                };
                let mut result = result;
                if let ([Some(first), Some(second)], true) =
                    (&points[..], won.is_some() || !nothing)
                {
                    result.score = sheet::score(&[vec![*first], vec![*second]], &[]);
                }
                let table = node.count_at("table")?.filter(|table| *table > 0);
                let seats = seats.iter().map(|player| SourceSeat { player: *player, role: 0 });
                let seats = seats.collect();
                round.tables.push(SourceTable { table, seats, result, place });
            }
        }
        Ok(())
    }
}
