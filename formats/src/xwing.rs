//! The JSON of X-Wing tournaments: as Cryodex and the list juggler keep them, and as ListFortress answers.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

use super::build::{Oddities, Players, clean_name, day};
use super::json::{Json, Node};
use super::outcome::{self, Won};
use super::source::*;
use super::{Fault, ImportError, check, limits, numbered, phases, sheet, standings};
use scrutineer_engine::event::{
    ByeKind, How, MatchResult, Per, PhaseKind, RoundWeight, Scoresheet, UnknownFact,
};

/// That JSON.
pub(super) struct XWing;

impl super::Format for XWing {
    fn name(&self) -> &'static str {
        "x-wing json"
    }

    fn detect(&self, file: &super::File) -> bool {
        let has = |word: &str| file.text.is_some_and(|text| text.contains(word));
        (file.has(&["players", "rounds"]) && has("\"round-type\""))
            || (file.has(&["participants", "rounds"])
                && (has("\"roundtype_id\"") || has("\"swiss_rank\"")))
    }

    fn read(&self, file: &super::File) -> Result<Source, ImportError> {
        read(file.name, file.text()?)
    }
}

/// The keys of one of the two notations.
struct Keys {
    players: &'static str,
    number: &'static str,
    players_of: [&'static str; 2],
    points_of: [&'static str; 2],
    dropped: &'static str,
}

const CRYODEX: Keys = Keys {
    players: "players",
    number: "round-number",
    players_of: ["player1", "player2"],
    points_of: ["player1points", "player2points"],
    dropped: "dropped",
};

const LIST_FORTRESS: Keys = Keys {
    players: "participants",
    number: "round_number",
    players_of: ["player1_id", "player2_id"],
    points_of: ["player1_points", "player2_points"],
    dropped: "dropped",
};

fn read(file: &str, text: &str) -> Result<Source, ImportError> {
    let json = Json::read(text)?;
    let root = json.root();
    let keys = if root.get("participants").is_some() { &LIST_FORTRESS } else { &CRYODEX };
    let title = match root.text_at("name")? {
        Some(name) => clean_name("the title", name).map_err(|fault| fault.at("name"))?,
        None => super::build::stem(file),
    };
    let mut reader = Reader { keys, ..Reader::default() };
    for player in root.list(keys.players)? {
        reader.player(&player)?;
    }
    let mut phases = reader.phases(&root)?;
    let rounds: Vec<SourceRound> = phases.iter().flat_map(|phase| phase.rounds.clone()).collect();
    if !rounds.is_empty() {
        check::rounds(&reader.players, &rounds)?;
    }
    let is_open = outcome::settle(&mut phases, &mut reader.oddities);
    // ListFortress takes tournaments of which only the ranks were entered.
    let is_alone = rounds.is_empty() && !reader.published.is_empty();
    let scoresheet = match is_alone {
        true => reader.alone(),
        false => scoresheet(&rounds),
    };
    keep_places(&mut reader.places);
    let drops = numbered::drops(&reader.gone, &rounds, keys.players);
    // A final that was not played has a winner all the same where the file has the first place.
    let is_won =
        phases::is_decided(&phases, &drops) || reader.places.iter().any(|one| one.place == 1);
    let held_on =
        root.any(&["date", "start_date"]).map(|date| date.text()).transpose()?.and_then(day);
    let date = held_on.map_or_else(String::new, |day| format!(" {day}"));
    // Players stand there by rank, which changes from round to round.
    let first_match = rounds.first().and_then(|round| round.tables.first());
    let mut of_identity: Vec<&str> = match first_match {
        Some(table) => {
            let seats = table.seats.iter();
            seats.map(|seat| reader.players.list[seat.player].name.as_str()).collect()
        }
        None => reader.players.list.iter().map(|one| one.name.as_str()).collect(),
    };
    of_identity.sort_unstable();
    let of_identity: String = of_identity.iter().take(2).map(|name| format!(" {name}")).collect();
    let swiss = phases.first().filter(|phase| !phase.kind.is_bracket());
    let after = swiss.map_or(0, |phase| phase.rounds.len());
    let cut = phases.iter().find(|phase| phase.kind.is_bracket());
    Ok(Source {
        platform: "x-wing".to_owned(),
        format: "x-wing json".to_owned(),
        identity: format!("x-wing {title}{date}{of_identity}"),
        title,
        held_on,
        cut: cut.and_then(|phase| u32::try_from(phase.entrants.len()).ok()),
        finished: is_alone || !rounds.is_empty() && !is_open && is_won,
        scoresheet,
        players: reader.players.list,
        phases,
        drops,
        published_after: u16::try_from(after)
            .ok()
            .filter(|_| !reader.published.is_empty() && !is_alone),
        published: reader.published,
        places: reader.places,
        unknown: {
            use UnknownFact::*;
            match is_alone {
                true => vec![SignUpOrder, Times, Drops, Games, EarlierRounds],
                false => vec![SignUpOrder, Times, Tables, KindOfBye, HowItEnded],
            }
        },
        oddities: reader.oddities.finish(),
        ..Source::default()
    })
}

/// The points of matches.
fn scoresheet(rounds: &[SourceRound]) -> Scoresheet {
    let mut bounds = (0, 100);
    let scores = rounds.iter().flat_map(|round| &round.tables).map(|table| &table.result.score);
    for value in scores.flat_map(|score| score.seats.iter().flatten()) {
        bounds = (bounds.0.min(*value), bounds.1.max(*value));
    }
    let line = sheet::line("points", Per::Seat, bounds.0, bounds.1, "points");
    Scoresheet { lines: vec![line], best_of: None }
}

/// Leaves what is no final place out. Mostly everybody has the size of the last round that they reached, as 4 and 4:
/// places are only those of the final then, once it was played. Where there is a third, they are counted through.
fn keep_places(places: &mut Vec<SourcePlace>) {
    let has = |place: u32| places.iter().any(|one| one.place == place);
    let (is_over, are_counted) = (has(1), has(3));
    places.retain(|one| are_counted || is_over && one.place <= 2);
}

struct Reader {
    keys: &'static Keys,
    players: Players,
    oddities: Oddities,
    published: Vec<PublishedRow>,
    places: Vec<SourcePlace>,
    gone: Vec<usize>,
    seeds: BTreeMap<usize, u32>,
}

impl Default for Reader {
    fn default() -> Reader {
        Reader {
            keys: &CRYODEX,
            players: Players::default(),
            oddities: Oddities::default(),
            published: Vec::new(),
            places: Vec::new(),
            gone: Vec::new(),
            seeds: BTreeMap::new(),
        }
    }
}

impl Reader {
    fn player(&mut self, node: &Node<'_>) -> Result<(), ImportError> {
        let name = node.need("name")?.text()?;
        let key = match self.keys.players {
            "participants" => node.need("id")?.word()?,
            _ => name,
        };
        if self.players.known(key).is_some() {
            let (player, round) = (super::error::shortened(key), "the list of players".to_owned());
            let other = "above".to_owned();
            return Err(Fault::TwiceInRound { player, round, other }.at(node.place.as_str()));
        }
        let player = self.players.add(key, name, &node.place)?;
        let ranks = node.get("rank").filter(Node::is_object);
        let (swiss, cut) = match &ranks {
            Some(ranks) => (ranks.count_at("swiss")?, ranks.count_at("elimination")?),
            None => (
                node.any(&["swiss_rank", "rank"])
                    .map_or(Ok(None), |_| node.count_at("swiss_rank"))?,
                node.count_at("top_cut_rank")?,
            ),
        };
        self.places
            .extend(cut.filter(|place| *place > 0).map(|place| SourcePlace { player, place }));
        // The rank of who dropped is 0.
        if let (Some(rank), Some(points_tenths)) =
            (swiss.filter(|rank| *rank > 0), node.tenths_at("score")?)
        {
            self.seeds.insert(player, rank);
            let named = [("mov", PublishedMeasure::Mov), ("sos", PublishedMeasure::Sos)];
            let values = node.published(&named)?;
            self.published.push(PublishedRow { rank, player, points_tenths, record: None, values });
        }
        // The round in which they were gone, or that they are.
        if let Some(dropped) = node.get(self.keys.dropped) {
            let is_number = dropped.whole().is_ok_and(|round| round > 0);
            if is_number || (dropped.whole().is_err() && node.is(self.keys.dropped)?) {
                self.gone.push(player);
            }
        }
        Ok(())
    }

    /// Makes standings alone of what the players have: who was in the cut stands first. Nothing is computed, so
    /// that nobody left either.
    fn alone(&mut self) -> Scoresheet {
        let cut: BTreeMap<usize, u32> =
            self.places.drain(..).map(|one| (one.player, one.place)).collect();
        let key =
            |row: &PublishedRow| (cut.get(&row.player).copied().unwrap_or(u32::MAX), row.rank);
        self.published.sort_by_key(key);
        let keys: Vec<(u32, u32)> = self.published.iter().map(key).collect();
        for (row, own) in self.published.iter_mut().zip(&keys) {
            let ahead = keys.partition_point(|other| other < own);
            row.rank = u32::try_from(ahead + 1).unwrap_or(u32::MAX);
            row.values.clear();
        }
        self.gone.clear();
        let sentence = "There are standings and no rounds: places and points are those of the file, those of the \
                        cut first, and nothing is computed.";
        self.oddities.add("rounds", sentence);
        standings::scoresheet(true)
    }

    fn phases(&mut self, root: &Node<'_>) -> Result<Vec<SourcePhase>, ImportError> {
        let listed = root.list("rounds")?;
        if listed.len() > limits::ROUNDS {
            return Err(Fault::TooMany { what: "rounds", limit: limits::ROUNDS }.at("rounds"));
        }
        let (mut swiss, mut cut) = (Vec::new(), Vec::new());
        for node in listed {
            let number = node.need(self.keys.number)?.whole()?;
            if is_cut(&node)? { cut.push((number, node)) } else { swiss.push((number, node)) }
        }
        swiss.sort_by_key(|(number, _)| *number);
        numbered::refuse_gaps(swiss.iter().map(|(number, _)| (0, *number)), "rounds", "")?;
        let matches = |node: &Node<'_>| node.list("matches").map_or(0, |matches| matches.len());
        match self.keys.players {
            // Numbers of the cut run on, begin anew or count who is in it (6, 4, 2): the last round has fewest matches,
            // and where both ends have as many, numbers that leave some out count who is in it.
            "participants" => {
                cut.sort_by_key(|(number, _)| *number);
                let counts_down = match &cut[..] {
                    [(lowest, low), .., (highest, high)] => {
                        match matches(low).cmp(&matches(high)) {
                            Ordering::Less => true,
                            Ordering::Equal => {
                                *lowest > 1 && highest.abs_diff(*lowest) >= cut.len() as u64
                            }
                            Ordering::Greater => false,
                        }
                    }
                    _ => false,
                };
                if counts_down {
                    cut.reverse();
                }
            }
            // A cut counts how many are in it: 8, 4, 2.
            _ => cut.sort_by_key(|(number, _)| Reverse(*number)),
        }
        if swiss.is_empty() && cut.is_empty() {
            let entrants = (0..self.players.list.len()).collect();
            let empty = phases::phase(PhaseKind::Swiss, Vec::new());
            return Ok(vec![SourcePhase { entrants, ..empty }]);
        }
        let mut phases = Vec::new();
        for (kind, listed) in [(PhaseKind::Swiss, swiss), (PhaseKind::Elimination, cut)] {
            let mut rounds = Vec::new();
            for (number, node) in listed {
                let name = match kind.is_bracket() && self.keys.players == "players" {
                    true => format!("Top {number}"),
                    false => format!("Round {number}"),
                };
                rounds.push(self.round(name, &node)?);
            }
            if rounds.is_empty() && (kind.is_bracket() || !phases.is_empty()) {
                continue;
            }
            let mut phase = phases::phase(kind, rounds);
            phase.seeded = kind.is_bracket()
                && phase.entrants.iter().all(|player| self.seeds.contains_key(player));
            if phase.seeded {
                phase.entrants.sort_by_key(|player| self.seeds.get(player).copied());
            }
            phases.push(phase);
        }
        Ok(phases)
    }

    fn round(&mut self, name: String, node: &Node<'_>) -> Result<SourceRound, ImportError> {
        let games = node.list("matches")?;
        if games.len() > limits::TABLES {
            return Err(
                Fault::TooMany { what: "matches", limit: limits::TABLES }.at(node.place.as_str())
            );
        }
        let (tables, byes) = (Vec::new(), Vec::new());
        let mut round = SourceRound { name, weight: RoundWeight::ONE, tables, byes };
        for game in games {
            let [first, second] = self.keys.players_of.map(|key| game.word_at(key));
            let place = game.place.clone();
            let known = |key: Option<&str>| match key.map(|key| (key, self.players.known(key))) {
                None => Ok(None),
                Some((_, Some(player))) => Ok(Some(player)),
                // Nobody is called so.
                Some((key, None)) if key.trim().eq_ignore_ascii_case("bye") => Ok(None),
                Some((key, None)) => {
                    let name = super::error::shortened(key);
                    Err(Fault::UnknownPlayer { name }.at(place.as_str()))
                }
            };
            match (known(first?)?, known(second?)?) {
                (None, None) => self.oddities.add(&place, "A match without players was left out."),
                (Some(player), None) | (None, Some(player)) => {
                    round.byes.push(SourceBye {
                        player,
                        kind: ByeKind::Assigned,
                        reported: None,
                        place,
                    });
                }
                (Some(first), Some(second)) => {
                    let result = self.result(&game, [first, second])?;
                    let seats =
                        [first, second].map(|player| SourceSeat { player, role: 0 }).to_vec();
                    round.tables.push(SourceTable { table: None, seats, result, place });
                }
            }
        }
        Ok(round)
    }

    /// Who has more points won; that somebody did has no direction of its own.
    fn result(&mut self, game: &Node<'_>, players: [usize; 2]) -> Result<MatchResult, ImportError> {
        let [first, second] = self.keys.points_of.map(|key| game.score_at(key));
        let word = game.text_at("result")?.unwrap_or_default();
        let winner = game.word_at("winner_id")?.and_then(|id| self.players.known(id));
        let winner = winner.and_then(|winner| players.iter().position(|one| *one == winner));
        let (Some(one), Some(other)) = (first?, second?) else {
            return Ok(winner.map_or_else(outcome::open, |seat| {
                outcome::result(None, Some(Won::Seat(seat)), How::Unknown)
            }));
        };
        let by_points = match one.cmp(&other) {
            Ordering::Greater => Some(Won::Seat(0)),
            Ordering::Less => Some(Won::Seat(1)),
            Ordering::Equal => None,
        };
        let won = match (winner, word) {
            (Some(seat), _) => Some(Won::Seat(seat)),
            (None, "draw") => Some(Won::Draw),
            (None, "win") => by_points,
            (None, "") if one == 0 && other == 0 => return Ok(outcome::open()),
            (None, _) => by_points.or(Some(Won::Draw)),
        };
        let Some(won) = won else {
            self.oddities.add(
                &game.place,
                "The match was won, but both have the same points: who won is unknown.",
            );
            return Ok(outcome::open());
        };
        let own = by_points.unwrap_or(Won::Draw);
        let mut result = outcome::result(None, Some(won).filter(|won| *won != own), How::Unknown);
        result.score = sheet::score(&[vec![one], vec![other]], &[]);
        Ok(result)
    }
}

/// Whether a round is of the cut.
fn is_cut(round: &Node<'_>) -> Result<bool, ImportError> {
    if let Some(node) = round.get("round-type") {
        return match node.text()?.to_lowercase().as_str() {
            "swiss" => Ok(false),
            "elimination" => Ok(true),
            _ => Err(node.bad("swiss or elimination")),
        };
    }
    match round.whole_at("roundtype_id")? {
        Some(1) => Ok(false),
        Some(2) => Ok(true),
        Some(_) => Err(round.need("roundtype_id")?.bad("1 (Swiss) or 2 (elimination)")),
        None => {
            Err(Fault::Missing { what: "round-type, or roundtype_id,".into() }
                .at(round.place.as_str()))
        }
    }
}
