//! The JSON of Best Coast Pairings' answers: pairings of each round, and players, in pages.

use std::collections::BTreeMap;

use super::build::{Oddities, Players, clean_name, day};
use super::json::{Json, Node};
use super::outcome::{self, Won};
use super::pages::{self, Lists};
use super::source::*;
use super::{Fault, ImportError, check, limits, numbered, phases, sheet};
use scrutineer_engine::event::{
    ByeKind, How, MatchResult, Per, PhaseKind, RoundWeight, Scoresheet, UnknownFact,
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

/// Full pages have a multiple of one of these rows, and as many as any other page; one that is not full is the last.
const FULL: [usize; 2] = [10, 25];

/// The keys of the two players of a pairing: who they are, how they played, and the points beside it.
const SIDES: [[&str; 3]; 2] =
    [["player1", "player1Game", "player1Score"], ["player2", "player2Game", "player2Score"]];

fn read(file: &str, text: &str) -> Result<Source, ImportError> {
    let json = Json::read(text)?;
    let root = json.root();
    let mut reader = Reader::default();
    let has_lists = root.get("pairings").is_some();
    let pairings = match has_lists {
        true => rows(&root.need("pairings")?, "the pairings", &mut reader.oddities)?,
        false => rows(&root, "the pairings", &mut reader.oddities)?,
    };
    if pairings.iter().all(|one| one.get("round").is_none()) {
        return Err(Fault::Missing { what: TOGETHER.into() }.into());
    }
    pages::refuse_two(&pairings, "eventId")?;
    let listed = root.get("players").filter(|_| has_lists);
    if let Some(list) = listed {
        for one in rows(&list, "the players", &mut reader.oddities)? {
            reader.listed(&one)?;
        }
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

/// What is here of a list that comes in pages.
#[derive(Default)]
struct Paged {
    rows: usize,
    /// Whether a page is the last one, and whether one says so.
    has_last: bool,
    says_last: bool,
    place: String,
}

/// The rows of a list, of a page, or of a list of pages. A page names the key of the next one even where it
/// is the last: one that is full has another behind it, and of one that is not, or that is shorter than another
/// page, it is told.
fn rows<'a>(
    node: &Node<'a>,
    what: &str,
    oddities: &mut Oddities,
) -> Result<Vec<Node<'a>>, ImportError> {
    let (mut rows, mut found, mut ends) = (Vec::new(), Vec::new(), 0);
    for page in pages::listed(node)? {
        let Some(list) = page.any(&["data", "active"]) else {
            rows.push(page);
            continue;
        };
        let items = list.items()?;
        match items.first() {
            Some(first) => {
                let round = first.word_at("round")?.unwrap_or_default();
                let says_last = page.word_at("nextKey")?.is_none();
                found.push((round, items.len(), says_last, list.place));
            }
            // A page without rows is the end of a list.
            None => ends += 1,
        }
        rows.extend(items);
    }
    let largest = found.iter().map(|(_, count, _, _)| *count).max().unwrap_or(0);
    let mut lists: BTreeMap<&str, Paged> = BTreeMap::new();
    for (round, count, says_last, place) in found {
        let is_full = count == largest && FULL.iter().any(|full| count.is_multiple_of(*full));
        let list = lists.entry(round).or_insert_with(|| Paged { place, ..Paged::default() });
        list.rows += count;
        list.has_last |= says_last || !is_full;
        list.says_last |= says_last;
    }
    // Pages stand in any order: each end is that of a list that has none, and of one that needs it first.
    let mut open: Vec<&mut Paged> = lists.values_mut().filter(|list| !list.says_last).collect();
    open.sort_by_key(|list| list.has_last);
    for list in open.into_iter().take(ends) {
        (list.has_last, list.says_last) = (true, true);
    }
    let mut whole = Lists::default();
    for (round, list) in &lists {
        whole.add((*round).to_owned(), list.rows, None, list.has_last, &list.place);
    }
    whole.refuse_some(what)?;
    for list in lists.values().filter(|list| !list.says_last) {
        let sentence = "The page names another one behind it (nextKey), as the last one may do too: look whether all \
                        rows are there.";
        oddities.add(&list.place, sentence);
    }
    Ok(rows)
}

/// What a pairing says of one of its players: the result, and the points.
fn side(pairing: &Node<'_>, game: &str, score: &str) -> Result<Side, ImportError> {
    let game = pairing.get(game).filter(Node::is_object);
    let result = game.as_ref().and_then(|game| game.any(&["result", "gameResult"]));
    let result = result.map(|one| one.whole()).transpose()?;
    let own = match &game {
        Some(game) => game.score_at("points")?.or(game.score_at("gamePoints")?),
        None => None,
    };
    Ok((result, own.or(pairing.score_at(score)?)))
}

/// Whether a pairing says that it is still being played.
fn is_running(pairing: &Node<'_>) -> Result<bool, ImportError> {
    Ok(pairing.get("isDone").is_some() && !pairing.is("isDone")?)
}

/// Whether somebody stands for the opponent of a bye.
fn is_nobody(player: &Node<'_>) -> Result<bool, ImportError> {
    let is_bye = |word: Option<&str>| word.is_some_and(|word| word.eq_ignore_ascii_case("bye"));
    let user = player.get("user").filter(Node::is_object);
    Ok(user.is_none() && (is_bye(player.text_at("name")?) || is_bye(player.text_at("firstName")?)))
}

/// How much is known of a pairing: whether it was played, and to its end, and how many are in it.
fn known(pairing: &Node<'_>) -> Result<(bool, bool, usize), ImportError> {
    let (mut is_played, mut players) = (false, 0);
    for [player, game, score] in SIDES {
        let (result, points) = side(pairing, game, score)?;
        is_played |= result.is_some_and(|result| result != 0);
        is_played |= points.is_some_and(|points| points != 0);
        players += usize::from(pairing.get(player).is_some_and(|player| player.is_object()));
    }
    Ok((is_played, !is_running(pairing)?, players))
}

/// A result and points, as one side of a pairing has them.
type Side = (Option<i64>, Option<i32>);

/// What a pairing that was played says of each of its players.
fn said(pairing: &Node<'_>) -> Result<Vec<Side>, ImportError> {
    let (is_played, ..) = known(pairing)?;
    let mut sides = Vec::new();
    for [_, game, score] in SIDES.into_iter().filter(|_| is_played) {
        sides.push(side(pairing, game, score)?);
    }
    Ok(sides)
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
        let mut listed: Vec<(i64, &Node<'_>)> = Vec::new();
        for pairing in pages::once(pairings, "id", known, said, &mut self.oddities)? {
            let most = limits::ROUNDS as i64;
            let number = pairing.within("round", 1, most)?;
            let missing = || Fault::Missing { what: "round".into() }.at(pairing.place.as_str());
            listed.push((number.ok_or_else(missing)?, pairing));
        }
        let last = listed.iter().map(|(number, _)| *number).max();
        let mut rounds: BTreeMap<i64, SourceRound> = BTreeMap::new();
        for (number, pairing) in listed {
            let (tables, byes) = (Vec::new(), Vec::new());
            let name = format!("Round {number}");
            let empty = SourceRound { name, weight: RoundWeight::ONE, tables, byes };
            let is_last = Some(number) == last;
            self.pairing(pairing, rounds.entry(number).or_insert(empty), is_last)?;
        }
        numbered::refuse_gaps(rounds.keys().map(|number| (0, *number)), "", TOGETHER)?;
        Ok(rounds.into_values().collect())
    }

    fn pairing(
        &mut self,
        node: &Node<'_>,
        round: &mut SourceRound,
        is_last: bool,
    ) -> Result<(), ImportError> {
        let (is_bye, mut sides) = (node.is("isBye")?, Vec::new());
        for [key, game, score] in SIDES {
            let Some(one) = node.get(key).filter(Node::is_object) else { continue };
            if is_bye && is_nobody(&one)? {
                continue;
            }
            let Some(player) = self.player(&one)? else { continue };
            sides.push((player, side(node, game, score)?));
        }
        let place = node.place.clone();
        match sides[..] {
            [] => self.oddities.add(&place, "A pairing without players was left out."),
            [(player, _)] => round.byes.push(SourceBye {
                player,
                kind: ByeKind::Assigned,
                reported: None,
                place,
            }),
            [(first, one), (second, other), ..] => {
                // Where later rounds were played, what stands there is what it came to.
                let result = match is_last && is_running(node)? {
                    true => outcome::open(),
                    false => self.result([one, other], &place),
                };
                let table = node.count_at("table")?.filter(|table| *table > 0);
                let seats = [first, second].map(|player| SourceSeat { player, role: 0 }).to_vec();
                round.tables.push(SourceTable { table, seats, result, place });
            }
        }
        Ok(())
    }

    /// How a pairing came out, by the results and the points of both sides.
    fn result(&mut self, [one, other]: [Side; 2], place: &str) -> MatchResult {
        let points = [one.1, other.1];
        let nothing = points.iter().flatten().all(|points| *points == 0);
        let won = match [one.0, other.0] {
            [Some(2), Some(0)] => Some(Won::Seat(0)),
            [Some(0), Some(2)] => Some(Won::Seat(1)),
            [Some(1), Some(1)] => Some(Won::Draw),
            [Some(0), Some(0)] if !nothing => Some(Won::BothLost),
            _ => None,
        };
        let by_points = match points {
            [Some(first), Some(second)] => Some(Won::by([first, second, 0])),
            _ => None,
        };
        let mut result = match (won, by_points) {
            (None, None) => outcome::open(),
            (None, Some(_)) if nothing => outcome::open(),
            (None, Some(_)) => outcome::result(None, None, How::Unknown),
            (Some(won), by_points) => {
                let is_other = by_points != Some(won);
                if is_other && by_points.is_some() {
                    let sentence = "The points say otherwise who won than the result does; the result is taken.";
                    self.oddities.add(place, sentence);
                }
                outcome::result(None, Some(won).filter(|_| is_other), How::Unknown)
            }
        };
        if let ([Some(first), Some(second)], true) = (points, won.is_some() || !nothing) {
            result.score = sheet::score(&[vec![first], vec![second]], &[]);
        }
        result
    }
}
