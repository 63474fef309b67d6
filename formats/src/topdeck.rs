//! The JSON of TopDeck's own answers, version 2: a tournament with its rounds, tables and standings.

use std::collections::BTreeMap;

use super::build::{Oddities, Players, clean_name, day};
use super::json::{Json, Node};
use super::outcome::{self, Won};
use super::source::*;
use super::{Fault, ImportError, check, limits, phases, sheet};
use scrutineer_engine::event::{
    ByeKind, Day, How, MatchResult, PhaseKind, RoundWeight, Ruling, UnknownFact,
};

/// That JSON.
pub(super) struct TopDeck;

impl super::Format for TopDeck {
    fn name(&self) -> &'static str {
        "topdeck json"
    }

    fn detect(&self, file: &super::File) -> bool {
        let has = |word: &str| file.text.is_some_and(|text| text.contains(word));
        let whole = file.has(&["rounds"]) && has("\"tables\"");
        (whole && has("\"players\"")) || is_answer(file) || self.part(file).is_some()
    }

    fn part(&self, file: &super::File) -> Option<super::Part> {
        if file.lists(&["round", "tables"]) {
            Some(super::Part::one("rounds"))
        } else if file.lists(&["standing", "name"]) {
            Some(super::Part::one("standings"))
        } else if file.has(&["name", "game", "format", "startDate"]) && !file.has(&["rounds"]) {
            Some(super::Part::one("data"))
        } else {
            None
        }
    }

    fn read(&self, file: &super::File) -> Result<Source, ImportError> {
        read(file.name, file.text()?)
    }
}

/// Whether a file is an answer with tournaments, in a list or one alone.
fn is_answer(file: &super::File) -> bool {
    file.lists(&["TID", "tournamentName"]) || file.has(&["TID", "tournamentName"])
}

/// How the answers are put together.
const TOGETHER: &str = "the rounds (as {\"data\": {..}, \"rounds\": [..], \"standings\": [..]}; ask for them with \
                        \"rounds\": true, or give the files of the three answers together)";

fn read(file: &str, text: &str) -> Result<Source, ImportError> {
    let json = Json::read(text)?;
    let mut root = json.root();
    if root.is_list() {
        let items = root.items()?;
        root = match &items[..] {
            [one] if one.get("tables").is_none() && one.get("standing").is_none() => one.clone(),
            [one, ..] if one.get("TID").is_some() => {
                let (what, found) = ("the list".to_owned(), format!("{} tournaments", items.len()));
                let expected = "one: ask for each tournament alone, by its TID".to_owned();
                return Err(Fault::BadValue { what, found, expected }.into());
            }
            _ if items.first().is_some_and(|one| one.get("tables").is_some()) => root,
            _ => return Err(Fault::Missing { what: TOGETHER.into() }.into()),
        };
    }
    let listed = if root.is_list() { root.items()? } else { root.list("rounds")? };
    if listed.is_empty() && root.get("rounds").is_none() {
        return Err(Fault::Missing { what: TOGETHER.into() }.at(root.place.as_str()));
    }
    let data = root.get("data").unwrap_or_else(|| root.clone());
    let said = data.any(&["tournamentName", "name"]).map(|name| name.text()).transpose()?;
    let title = clean_name("the title", said.unwrap_or(&super::build::stem(file)))
        .map_err(|fault| fault.at(data.place_of("name")))?;
    let held_on = held_on(&data)?;
    let mut reader = Reader::default();
    let standings = root.list("standings")?;
    reader.names(&standings)?;
    let mut rounds = reader.rounds(listed)?;
    let (published, places) = reader.standings(&standings)?;
    let id = data.any(&["TID", "id"]).map(|id| id.word()).transpose()?;
    let identity = match id {
        Some(id) => format!("topdeck topdeck.gg/event/{id}"),
        None => {
            let date = held_on.map_or_else(String::new, |day| format!(" {day}"));
            format!("topdeck {title}{date}")
        }
    };
    if !rounds.is_empty() {
        check::numbers_once(&mut rounds);
        check::rounds(&reader.players, &rounds)?;
    }
    let mut phases = split(rounds, reader.players.list.len());
    let is_open = outcome::settle(&mut phases, &mut reader.oddities);
    let count: usize = phases.iter().map(|phase| phase.rounds.len()).sum();
    let swiss = data.whole_at("swissNum")?.and_then(|number| u16::try_from(number).ok());
    let swiss = swiss.filter(|number| (1..=limits::ROUNDS).contains(&usize::from(*number)));
    let cut = data.count_at("topCut")?.filter(|cut| *cut > 1);
    let waits = swiss.is_some_and(|swiss| usize::from(swiss) > count)
        || (cut.is_some() && phases.len() == 1)
        || !phases::is_decided(&phases, &[]);
    let points: Vec<(usize, i64)> =
        published.iter().map(|row| (row.player, row.points_tenths / 10)).collect();
    let mut unknown = vec![UnknownFact::SignUpOrder, UnknownFact::Times];
    unknown.extend([UnknownFact::KindOfBye, UnknownFact::Drops, UnknownFact::Games]);
    unknown.push(UnknownFact::HowItEnded);
    Ok(Source {
        platform: "topdeck".to_owned(),
        format: "topdeck json".to_owned(),
        identity,
        title,
        held_on,
        cut,
        planned_rounds: swiss,
        finished: count > 0 && !is_open && !waits,
        scoresheet: sheet::games_sheet(Some(1), std::iter::empty()),
        players: reader.players.list,
        published_after: phases::published_after(&phases, &points),
        phases,
        published,
        places,
        unknown,
        oddities: reader.oddities.finish(),
        ..Source::default()
    })
}

/// The day in seconds since 1970, or as a text.
fn held_on(data: &Node<'_>) -> Result<Option<Day>, ImportError> {
    let Some(node) = data.any(&["startDate", "date"]) else { return Ok(None) };
    Ok(match node.whole() {
        Ok(seconds) => super::build::day_of_unix(seconds),
        Err(_) => day(node.text()?),
    })
}

/// The phases: rounds with a number, and those that are named `Top 8`.
fn split(rounds: Vec<SourceRound>, players: usize) -> Vec<SourcePhase> {
    let is_pods = |round: &SourceRound| round.tables.iter().any(|table| table.seats.len() > 2);
    let (swiss, cut): (Vec<_>, Vec<_>) =
        rounds.into_iter().partition(|round| !phases::is_cut_name(&round.name));
    let kind = match swiss.iter().any(is_pods) {
        true => PhaseKind::Pods,
        false => PhaseKind::Swiss,
    };
    let mut phases = match kind {
        // Rounds that are numbered on may be a cut, as its structure tells.
        PhaseKind::Swiss if cut.is_empty() && !swiss.is_empty() => phases::split(swiss, &[]),
        _ if swiss.is_empty() && !cut.is_empty() => Vec::new(),
        _ => vec![phases::phase(kind, swiss)],
    };
    if !cut.is_empty() {
        // Who is in a pod of a cut and does not win is out, as in a bracket.
        phases.push(phases::phase(PhaseKind::Elimination, cut));
    }
    if let [phase] = &mut phases[..]
        && phase.rounds.is_empty()
    {
        phase.entrants = (0..players).collect();
    }
    phases
}

#[derive(Default)]
struct Reader {
    players: Players,
    oddities: Oddities,
    /// What the standings call everybody, by their id: tables may have ids alone.
    names: BTreeMap<String, String>,
    /// How often somebody without a name or id was met.
    nameless: usize,
}

impl Reader {
    /// Takes the names of the standings, in which those of the tables may be missing.
    fn names(&mut self, rows: &[Node<'_>]) -> Result<(), ImportError> {
        for row in rows {
            if let (Some(id), Some(name)) = (row.word_at("id")?, row.text_at("name")?) {
                self.names.entry(id.to_owned()).or_insert_with(|| name.to_owned());
            }
        }
        Ok(())
    }

    /// The rounds in their order: numbers first, then the cut by its size.
    fn rounds(&mut self, listed: Vec<Node<'_>>) -> Result<Vec<SourceRound>, ImportError> {
        if listed.len() > limits::ROUNDS {
            return Err(Fault::TooMany { what: "rounds", limit: limits::ROUNDS }.at("rounds"));
        }
        let mut rounds: BTreeMap<(bool, i64, usize), SourceRound> = BTreeMap::new();
        for (at, node) in listed.iter().enumerate() {
            let word = node.need("round")?.word()?;
            let number: Option<i64> = word.parse().ok();
            let size = word.rsplit(' ').next().and_then(|size| size.parse::<i64>().ok());
            let (key, name) = match number {
                Some(number) => ((false, number, 0), format!("Round {number}")),
                None => ((true, size.map_or(0, |size| -size), at), word.to_owned()),
            };
            let name = clean_name("the round's name", &name)
                .map_err(|fault| fault.at(node.place_of("round")))?;
            if number.is_some() && rounds.contains_key(&key) {
                return Err(node.need("round")?.bad("each round once"));
            }
            rounds.insert(key, self.round(name, node)?);
        }
        let numbers = rounds.keys().filter(|(is_cut, ..)| !is_cut);
        for (expected, (_, number, _)) in (1..).zip(numbers) {
            if *number != expected {
                return Err(Fault::Missing { what: format!("round {expected}") }.at("rounds"));
            }
        }
        Ok(rounds.into_values().collect())
    }

    fn round(&mut self, name: String, node: &Node<'_>) -> Result<SourceRound, ImportError> {
        let listed = node.list("tables")?;
        if listed.len() > limits::TABLES {
            let fault = Fault::TooMany { what: "tables", limit: limits::TABLES };
            return Err(fault.at(node.place.as_str()));
        }
        let (tables, byes) = (Vec::new(), Vec::new());
        let mut round = SourceRound { name, weight: RoundWeight::ONE, tables, byes };
        for node in listed {
            self.table(&node, &mut round)?;
        }
        Ok(round)
    }

    fn table(&mut self, node: &Node<'_>, round: &mut SourceRound) -> Result<(), ImportError> {
        let mut players = Vec::new();
        for one in node.list("players")? {
            players.push(self.player(&one)?);
        }
        let word = node.word_at("table")?.unwrap_or_default();
        let place = node.place.clone();
        if players.is_empty() {
            self.oddities.add(&place, "A table without players was left out.");
            return Ok(());
        }
        if players.len() == 1 || word.eq_ignore_ascii_case("byes") {
            let bye = |player| SourceBye {
                player,
                kind: ByeKind::Assigned,
                reported: None,
                place: place.clone(),
            };
            round.byes.extend(players.into_iter().map(bye));
            return Ok(());
        }
        let result = self.result(node, &players)?;
        let table = word.parse().ok().filter(|table| *table > 0);
        let seats = players.into_iter().map(|player| SourceSeat { player, role: 0 }).collect();
        round.tables.push(SourceTable { table, seats, result, place });
        Ok(())
    }

    /// A player by their id; two may have one name. Without both they are somebody else each time.
    fn player(&mut self, node: &Node<'_>) -> Result<usize, ImportError> {
        let name = node.text_at("name")?;
        if let Some(id) = node.word_at("id")? {
            let name = name.or(self.names.get(id).map(String::as_str)).unwrap_or(id);
            return self.players.by_keys(&[format!("id {id}")], name, &node.place);
        }
        match name {
            Some(name) if name != "Deleted" => {
                self.players.by_keys(&[format!("name {name}")], name, &node.place)
            }
            _ => {
                self.nameless += 1;
                let sentence = "A player has no name; they are taken to be another one each time.";
                self.oddities.add(&node.place, sentence);
                let name = format!("(unnamed {})", self.nameless);
                self.players.add(&name, &name, &node.place)
            }
        }
    }

    fn result(&self, node: &Node<'_>, players: &[usize]) -> Result<MatchResult, ImportError> {
        let id = node.word_at("winner_id")?;
        let Some(winner) = id.or(node.word_at("winner")?) else { return Ok(outcome::open()) };
        let status = node.text_at("status")?.unwrap_or("Completed");
        if !status.to_lowercase().starts_with("complete") {
            return Ok(outcome::open());
        }
        let is_draw = winner.eq_ignore_ascii_case("draw");
        let won = if is_draw { None } else { Some(self.winner(node, players, winner)?) };
        if players.len() == 2 {
            let won = won.map_or(Won::Draw, Won::Seat);
            return Ok(outcome::result(None, Some(won), How::Unknown));
        }
        let ruling = |seat: usize| match won {
            None => Ruling::Draw,
            Some(won) if won == seat => Ruling::Win,
            Some(_) => Ruling::Loss,
        };
        let rulings = (0..players.len()).map(|seat| Some(ruling(seat))).collect();
        Ok(MatchResult { how: How::Unknown, rulings, ..outcome::open() })
    }

    /// Which seat won, by the winner's id or name.
    fn winner(
        &self,
        node: &Node<'_>,
        players: &[usize],
        winner: &str,
    ) -> Result<usize, ImportError> {
        let key = if node.word_at("winner_id")?.is_some() { "winner_id" } else { "winner" };
        let by_id = self.players.known(&format!("id {winner}"));
        let seat = players.iter().position(|player| Some(*player) == by_id);
        // Answers that were asked for without ids name the winner all the same.
        let name = node.text_at("winner")?.unwrap_or(winner);
        let named = |seat: &usize| self.players.list[players[*seat]].name == name.trim();
        let mut by_name = (0..players.len()).filter(named);
        match (seat, by_name.next(), by_name.next()) {
            (Some(seat), ..) | (None, Some(seat), None) => Ok(seat),
            (None, Some(_), Some(_)) => Err(node
                .need(key)?
                .bad("a winner_id, since two players of the table have this name")),
            (None, None, _) => Err(node.need(key)?.bad("one of the table's players, or Draw")),
        }
    }

    /// The standings where they have points, otherwise the places of a list in their order.
    fn standings(
        &mut self,
        rows: &[Node<'_>],
    ) -> Result<(Vec<PublishedRow>, Vec<SourcePlace>), ImportError> {
        let (mut published, mut places) = (Vec::new(), Vec::new());
        let mut listed = std::collections::BTreeSet::new();
        for row in rows {
            let player = self.player(row)?;
            if !listed.insert(player) {
                self.oddities.add(&row.place, "The player stands in the standings already.");
                continue;
            }
            let Some(rank) = row.count_at("standing")? else { continue };
            let of = |key: &str| row.count_at(key);
            let record = match (of("wins")?, of("losses")?, of("draws")?) {
                (Some(won), Some(lost), Some(drawn)) => Some([won, lost, drawn]),
                _ => None,
            };
            let named = [
                ("opponentWinRate", PublishedMeasure::Omw),
                ("gameWinRate", PublishedMeasure::Gw),
                ("opponentGameWinRate", PublishedMeasure::Ogw),
            ];
            let values = row.published(&named)?;
            match row.tenths_at("points")? {
                Some(points_tenths) => {
                    published.push(PublishedRow { rank, player, points_tenths, record, values });
                }
                None => places.push(SourcePlace { player, place: rank }),
            }
        }
        Ok((published, places))
    }
}
