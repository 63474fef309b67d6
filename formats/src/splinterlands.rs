//! The JSON of Splinterlands' answers: a tournament with its players, and the matchups of each round.

use std::collections::{BTreeMap, BTreeSet};

use super::build::{Oddities, Players, clean_name, day};
use super::json::{Json, Node};
use super::outcome::{self, Won};
use super::sheet::{self, Games};
use super::source::*;
use super::{Fault, ImportError, check, limits, numbered, phases};
use scrutineer_engine::event::{
    ByeKind, How, MatchResult, PhaseKind, RoundWeight, Ruling, UnknownFact,
};

/// That JSON.
pub(super) struct Splinterlands;

impl super::Format for Splinterlands {
    fn name(&self) -> &'static str {
        "splinterlands json"
    }

    fn detect(&self, file: &super::File) -> bool {
        let has = |word: &str| file.text.is_some_and(|text| text.contains(word));
        file.has(&["tournament", "battles"])
            || (file.has(&["tournament"]) && has("\"total_rounds\""))
            || (file.has(&["id", "current_round", "players"]) && has("\"total_rounds\""))
            || file.lists(&["tournament_id", "round", "player_1_wins"])
    }

    fn part(&self, file: &super::File) -> Option<super::Part> {
        if file.lists(&["tournament_id", "round", "player_1_wins"]) {
            Some(super::Part::many("battles"))
        } else if file.has(&["id", "current_round", "players"]) && !file.has(&["battles"]) {
            Some(super::Part::one("tournament"))
        } else {
            None
        }
    }

    fn read(&self, file: &super::File) -> Result<Source, ImportError> {
        read(file.text()?)
    }
}

/// How the answers are put together.
const TOGETHER: &str = "the tournament with the matchups of its rounds (as {\"tournament\": .., \
                        \"battles\": [[..], [..]]}, a list for each round)";

fn read(text: &str) -> Result<Source, ImportError> {
    let json = Json::read(text)?;
    let root = json.root();
    if root.is_list() {
        return Err(Fault::Missing { what: TOGETHER.into() }.into());
    }
    let tournament = root.get("tournament").unwrap_or_else(|| root.clone());
    let name = tournament.need("name")?;
    let title = clean_name("the title", name.text()?).map_err(|fault| fault.at(name.place))?;
    let id = tournament.word_at("id")?.unwrap_or(&title).to_owned();
    let mut matchups = Vec::new();
    for key in ["battles", "rounds"] {
        for node in root.list(key)?.into_iter().chain(tournament.list(key)?) {
            collect(&node, &mut matchups)?;
        }
    }
    super::pages::refuse_two(&matchups, "tournament_id")?;
    let mut reader = Reader::default();
    for player in tournament.list("players")? {
        reader.player(&player)?;
    }
    let current = tournament.whole_at("current_round")?.unwrap_or(0);
    if matchups.is_empty() && current > 0 {
        return Err(Fault::Missing { what: TOGETHER.into() }.into());
    }
    if matchups.len() > limits::TABLES {
        return Err(Fault::TooMany { what: "matchups", limit: limits::TABLES }.at("battles"));
    }
    let kind = match tournament.text_at("format")? {
        Some("swiss") => PhaseKind::Swiss,
        Some("round_robin") => PhaseKind::RoundRobin,
        Some("single_elimination") | None => PhaseKind::Elimination,
        Some(_) => {
            let expected = "single_elimination, swiss or round_robin";
            return Err(tournament.need("format")?.bad(expected));
        }
    };
    let mut rounds: BTreeMap<i64, SourceRound> = BTreeMap::new();
    for matchup in &matchups {
        reader.matchup(matchup, &mut rounds)?;
    }
    numbered::refuse_gaps(rounds.keys().map(|number| (0, *number)), "battles", TOGETHER)?;
    let mut rounds: Vec<SourceRound> = rounds.into_values().collect();
    match kind {
        PhaseKind::Elimination => add_byes_of_bracket(&mut rounds),
        PhaseKind::Swiss => {
            let players = reader.players.list.len();
            numbered::add_byes_of_swiss(&mut rounds, players, true, &mut reader.oddities);
        }
        _ => {}
    }
    if !rounds.is_empty() {
        check::rounds(&reader.players, &rounds)?;
    }
    let entrants = (0..reader.players.list.len()).collect();
    let mut phases = vec![SourcePhase { entrants, ..phases::phase(kind, rounds) }];
    let is_open = outcome::settle(&mut phases, &mut reader.oddities);
    let best_of = reader.lengths.iter().copied().max().and_then(|length| u8::try_from(length).ok());
    let best_of = best_of.filter(|length| length % 2 == 1 && *length < 64);
    let best_of = best_of.or_else(|| sheet::best_of(outcome::games(&phases)));
    let planned =
        tournament.count_at("total_rounds")?.and_then(|rounds| u16::try_from(rounds).ok());
    Ok(Source {
        platform: "splinterlands".to_owned(),
        rules: (kind == PhaseKind::Elimination).then(|| "splinterlands".to_owned()),
        format: "splinterlands json".to_owned(),
        identity: format!("splinterlands {id}"),
        title,
        held_on: tournament.text_at("start_date")?.and_then(day),
        planned_rounds: planned
            .filter(|rounds| (1..=limits::ROUNDS).contains(&usize::from(*rounds))),
        finished: tournament.whole_at("status")? == Some(2) && !is_open && !matchups.is_empty(),
        scoresheet: sheet::games_sheet(best_of, outcome::games(&phases)),
        players: reader.players.list,
        phases,
        places: reader.places,
        unknown: {
            use UnknownFact::*;
            vec![Times, Tables, KindOfBye, Drops, HowItEnded]
        },
        oddities: reader.oddities.finish(),
        ..Source::default()
    })
}

/// Collects matchups: of a list for each round, of one list, or one alone.
fn collect<'a>(node: &Node<'a>, matchups: &mut Vec<Node<'a>>) -> Result<(), ImportError> {
    if node.is_list() {
        return node.items()?.iter().try_for_each(|item| collect(item, matchups));
    }
    // The list of a tournament's rounds has their numbers alone. A matchup may have nobody (null) in it.
    let sides = ["player_1", "player_2"];
    let has_sides = || node.entries().any(|(key, _)| sides.contains(&key));
    if node.any(&sides).is_some() || (node.get("round").is_some() && has_sides()) {
        matchups.push(node.clone());
        return Ok(());
    }
    node.get("battles").map_or(Ok(()), |inner| collect(&inner, matchups))
}

/// Nobody leaves a single elimination and comes back: who plays in a later round had a bye in every earlier one in
/// which they are in no matchup.
fn add_byes_of_bracket(rounds: &mut [SourceRound]) {
    // The largest bracket that there can be has fewer.
    if rounds.len() > 32 {
        return;
    }
    let mut later: BTreeMap<usize, String> = BTreeMap::new();
    for round in rounds.iter_mut().rev() {
        let here: BTreeMap<usize, String> =
            check::appearances(round).map(|(player, place)| (player, place.to_owned())).collect();
        let missing = later.iter().filter(|(player, _)| !here.contains_key(*player));
        round.byes.extend(missing.map(|(player, place)| SourceBye {
            player: *player,
            kind: ByeKind::Assigned,
            reported: None,
            place: place.clone(),
        }));
        later.extend(here);
    }
}

#[derive(Default)]
struct Reader {
    players: Players,
    oddities: Oddities,
    places: Vec<SourcePlace>,
    lengths: BTreeSet<i64>,
}

impl Reader {
    fn player(&mut self, node: &Node<'_>) -> Result<(), ImportError> {
        let handle = node.need("player")?.text()?;
        if self.players.known(handle).is_some() {
            let (player, round) =
                (super::error::shortened(handle), "the list of players".to_owned());
            return Err(Fault::TwiceInRound { player, round, other: "above".into() }
                .at(node.place.as_str()));
        }
        let player = self.players.add(handle, handle, &node.place)?;
        let number = u32::try_from(player).ok().and_then(|player| player.checked_add(1));
        if let Some(one) = self.players.list.get_mut(player) {
            one.sign_up = number;
        }
        if let Some(place) = node.count_at("finish")?.filter(|place| *place > 0) {
            self.places.push(SourcePlace { player, place });
        }
        Ok(())
    }

    fn matchup(
        &mut self,
        node: &Node<'_>,
        rounds: &mut BTreeMap<i64, SourceRound>,
    ) -> Result<(), ImportError> {
        let number = node.need("round")?.whole()?;
        if rounds.len() >= limits::ROUNDS && !rounds.contains_key(&number) {
            return Err(
                Fault::TooMany { what: "rounds", limit: limits::ROUNDS }.at(node.place.as_str())
            );
        }
        let place = node.place.clone();
        let mut players = Vec::new();
        for key in ["player_1", "player_2"] {
            if let Some(handle) = node.text_at(key)? {
                players.push(self.players.named(handle, &node.place_of(key))?);
            }
        }
        if players.is_empty() {
            self.oddities.add(&place, "A matchup without players was left out.");
            return Ok(());
        }
        let name = format!("Round {number}");
        let (tables, byes) = (Vec::new(), Vec::new());
        let empty = SourceRound { name, weight: RoundWeight::ONE, tables, byes };
        let round = rounds.entry(number).or_insert(empty);
        let [first, second] = players[..] else {
            round.byes.extend(players.into_iter().map(|player| SourceBye {
                player,
                kind: ByeKind::Assigned,
                reported: None,
                place: place.clone(),
            }));
            return Ok(());
        };
        self.lengths.extend(node.whole_at("best_of")?.filter(|length| *length > 0));
        let games: Option<Games> =
            match (node.score_at("player_1_wins")?, node.score_at("player_2_wins")?) {
                (Some(first), Some(second)) if first >= 0 && second >= 0 => {
                    Some([first, second, 0])
                }
                _ => None,
            };
        let result = match node.get("winner") {
            None => outcome::open(),
            Some(winner) => self.result(&winner, [first, second], games)?,
        };
        let seats = [first, second].map(|player| SourceSeat { player, role: 0 }).to_vec();
        round.tables.push(SourceTable { table: None, seats, result, place });
        Ok(())
    }

    /// How a matchup came out: its winner, alone or with how they won, or that nobody did.
    fn result(
        &self,
        winner: &Node<'_>,
        players: [usize; 2],
        games: Option<Games>,
    ) -> Result<MatchResult, ImportError> {
        let text = winner.text()?.trim();
        let seat_of = |handle: &str| {
            let own = self.players.known(handle);
            players.iter().position(|player| Some(*player) == own)
        };
        if let Some(seat) = seat_of(text) {
            return Ok(outcome::result(games, Some(Won::Seat(seat)), How::Unknown));
        }
        if text.eq_ignore_ascii_case("no contest") {
            return Ok(sheet::ruled(How::Unknown, [Ruling::NoResult; 2]));
        }
        let given = text.rsplit_once(',').filter(|(_, how)| how.trim() == "by surrender");
        let seat = given.and_then(|(handle, _)| seat_of(handle));
        let seat = seat.ok_or_else(|| winner.bad("one of the two players, or no contest"))?;
        Ok(outcome::result(games, Some(Won::Seat(seat)), How::Conceded))
    }
}
