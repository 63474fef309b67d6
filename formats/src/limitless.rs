//! The JSON of Limitless' answers: standings, pairings, and the details of a tournament.

use std::collections::BTreeMap;

use super::build::{Oddities, Players, clean_name, day};
use super::json::{Json, Node};
use super::outcome::{self, Won};
use super::source::*;
use super::{Fault, ImportError, check, limits, numbered, phases, sheet};
use scrutineer_engine::event::{ByeKind, DropReason, How, PhaseKind, RoundWeight, UnknownFact};

/// That JSON.
pub(super) struct Limitless;

impl super::Format for Limitless {
    fn name(&self) -> &'static str {
        "limitless json"
    }

    fn detect(&self, file: &super::File) -> bool {
        let has = |word: &str| file.text.is_some_and(|text| text.contains(word));
        file.lists(&["player", "placing", "record"])
            || file.lists(&["round", "phase", "player1", "winner"])
            || (file.has(&["standings"]) && has("\"placing\"") && has("\"record\""))
            || (file.has(&["pairings"]) && has("\"player1\"") && !file.has(&["active"]))
            || is_page(file)
            || is_list(file)
            || is_details(file)
    }

    fn part(&self, file: &super::File) -> Option<super::Part> {
        if file.lists(&["player", "placing"]) || file.lists(&["player", "record"]) {
            Some(super::Part::one("standings"))
        } else if file.lists(&["round", "player1", "winner"]) {
            Some(super::Part::one("pairings"))
        } else if is_details(file) {
            Some(super::Part::one("details"))
        } else {
            None
        }
    }

    fn read(&self, file: &super::File) -> Result<Source, ImportError> {
        if is_page(file) {
            let found = "a page of Limitless, which holds places and no pairings".to_owned();
            let (what, expected) = ("the file".to_owned(), TOGETHER.to_owned());
            return Err(Fault::BadValue { what, found, expected }.at("line 1"));
        }
        if is_list(file) {
            let found = "a list of tournaments of Limitless, which holds no pairings".to_owned();
            let what = "the file".to_owned();
            let expected = format!(
                "{TOGETHER} of one of them, which Limitless gives for its id: /tournaments/<id>/details, \
                 /tournaments/<id>/pairings and /tournaments/<id>/standings"
            );
            return Err(Fault::BadValue { what, found, expected }.at("line 1"));
        }
        read(file.name, file.text()?)
    }
}

/// Whether a file is a page of the site, saved from a browser.
fn is_page(file: &super::File) -> bool {
    let text = file.text.map(str::trim_start).filter(|text| text.starts_with('<'));
    text.is_some_and(|text| {
        let rows = text.contains("data-rank=") || text.contains("data-winner=");
        rows && text.contains("data-name=") && text.contains("data-country=")
    })
}

/// Whether a file is the list of tournaments, each without its pairings.
fn is_list(file: &super::File) -> bool {
    file.lists(&["id", "game", "name", "date", "players"])
}

/// Whether a file holds the details of a tournament, without its pairings.
fn is_details(file: &super::File) -> bool {
    let has = |word: &str| file.text.is_some_and(|text| text.contains(word));
    let is_played = has("\"SWISS\"") || has("_BRACKET\"");
    is_played && has("\"mode\"") && file.has(&["id", "name", "phases"])
}

/// How the answers are put together.
const TOGETHER: &str = "the answers {\"details\": {..}, \"pairings\": [..], \"standings\": [..]}";

fn read(file: &str, text: &str) -> Result<Source, ImportError> {
    let json = Json::read(text)?;
    let root = json.root();
    let (mut pairings, mut standings) = (Vec::new(), Vec::new());
    if root.is_list() {
        let items = root.items()?;
        let is_rows = items
            .first()
            .is_some_and(|item| item.get("placing").is_some() || item.get("record").is_some());
        if is_rows { standings = items } else { pairings = items }
    } else {
        (pairings, standings) = (root.list("pairings")?, root.list("standings")?);
    }
    let details = root.any(&["details", "tournament"]).unwrap_or_else(|| root.clone());
    let title = match details.text_at("name")? {
        Some(name) => {
            clean_name("the title", name).map_err(|fault| fault.at(details.place_of("name")))?
        }
        None => super::build::stem(file),
    };
    let mut reader = Reader::default();
    for row in &standings {
        reader.row(row)?;
    }
    if pairings.is_empty() && standings.is_empty() {
        return Err(Fault::Missing { what: TOGETHER.into() }.into());
    }
    if pairings.len() > limits::TABLES {
        return Err(Fault::TooMany { what: "pairings", limit: limits::TABLES }.at("pairings"));
    }
    let mut phases = reader.phases(&pairings, &details)?;
    let rounds: Vec<SourceRound> = phases.iter().flat_map(|phase| phase.rounds.clone()).collect();
    if !rounds.is_empty() {
        check::rounds(&reader.players, &rounds)?;
    }
    // The round of a drop may be the one in which they were missing already.
    let mut last: BTreeMap<usize, u16> = BTreeMap::new();
    for (number, round) in (1u16..).zip(&rounds) {
        last.extend(check::appearances(round).map(|(player, _)| (player, number)));
    }
    for drop in &mut reader.drops {
        drop.after_round = last.get(&drop.player).copied().unwrap_or(0);
    }
    let is_open = outcome::settle(&mut phases, &mut reader.oddities);
    // Whether a double elimination has a second final is said by nothing but the places.
    let is_double = phases.last().is_some_and(|one| one.kind == PhaseKind::DoubleElimination);
    let has_first = is_double && reader.places.iter().any(|one| one.place == 1);
    let is_won = has_first || phases::is_decided(&phases, &reader.drops);
    let is_over = !is_open && !reader.is_running && is_won;
    let date = details.any(&["date", "start"]).map(|date| date.text()).transpose()?;
    let held_on = date.and_then(day);
    let date = held_on.map_or_else(String::new, |day| format!(" {day}"));
    let first = reader.players.list.iter().take(2).map(|one| format!(" {}", one.name));
    let identity = match details.word_at("id")?.filter(|_| details.get("name").is_some()) {
        Some(id) => format!("limitless {id}"),
        None => format!("limitless {title}{date}{}", first.collect::<String>()),
    };
    let mut unknown = vec![UnknownFact::SignUpOrder, UnknownFact::Times, UnknownFact::KindOfBye];
    unknown.push(UnknownFact::Games);
    unknown.push(UnknownFact::HowItEnded);
    if rounds.is_empty() {
        unknown.push(UnknownFact::EarlierRounds);
        reader.oddities.add("standings", "The pairings are missing: only places are known.");
    }
    Ok(Source {
        platform: "limitless".to_owned(),
        format: "limitless json".to_owned(),
        identity,
        title,
        held_on,
        planned_rounds: reader.planned,
        finished: is_over && !standings.is_empty(),
        scoresheet: sheet::games_sheet(Some(1), std::iter::empty()),
        players: reader.players.list,
        phases,
        drops: reader.drops,
        places: reader.places,
        unknown,
        oddities: reader.oddities.finish(),
        ..Source::default()
    })
}

#[derive(Default)]
struct Reader {
    players: Players,
    oddities: Oddities,
    places: Vec<SourcePlace>,
    drops: Vec<SourceDrop>,
    /// How many Swiss rounds the details say that the first phase has.
    planned: Option<u16>,
    /// Whether the details list rounds or phases that are still to come.
    is_running: bool,
}

impl Reader {
    fn row(&mut self, row: &Node<'_>) -> Result<(), ImportError> {
        let handle = row.any(&["player", "name"]);
        let handle = handle
            .ok_or_else(|| Fault::Missing { what: "player".into() }.at(row.place.as_str()))?
            .word()?;
        if self.players.known(handle).is_some() {
            let (player, round) = (super::error::shortened(handle), "the standings".to_owned());
            return Err(
                Fault::TwiceInRound { player, round, other: "above".into() }.at(row.place.as_str())
            );
        }
        let player =
            self.players.add(handle, row.text_at("name")?.unwrap_or(handle), &row.place)?;
        if let Some(place) = row.count_at("placing")?.filter(|place| *place > 0) {
            self.places.push(SourcePlace { player, place });
        }
        if row.whole_at("drop")?.is_some_and(|round| round > 0) {
            let (why, place) = (DropReason::Left, row.place_of("drop"));
            self.drops.push(SourceDrop { player, why, after_round: 0, place });
        }
        Ok(())
    }

    fn phases(
        &mut self,
        pairings: &[Node<'_>],
        details: &Node<'_>,
    ) -> Result<Vec<SourcePhase>, ImportError> {
        let mut kinds: BTreeMap<i64, PhaseKind> = BTreeMap::new();
        let mut planned: BTreeMap<i64, u16> = BTreeMap::new();
        for phase in details.list("phases")? {
            let Some(number) = phase.whole_at("phase")? else { continue };
            let kind = match phase.text_at("type")? {
                Some("SWISS") => PhaseKind::Swiss,
                Some("SINGLE_BRACKET") => PhaseKind::Elimination,
                Some("DOUBLE_BRACKET") => PhaseKind::DoubleElimination,
                Some("ROUND_ROBIN" | "GROUPS") => PhaseKind::RoundRobin,
                Some(_) => {
                    let expected = "SWISS, SINGLE_BRACKET, DOUBLE_BRACKET or ROUND_ROBIN";
                    return Err(phase.need("type")?.bad(expected));
                }
                None => continue,
            };
            kinds.insert(number, kind);
            // A bracket that runs says that it has one round.
            if kind == PhaseKind::Swiss {
                let most = limits::ROUNDS as i64;
                let rounds = phase.whole_at("rounds")?.filter(|rounds| (1..=most).contains(rounds));
                let rounds = rounds.and_then(|rounds| u16::try_from(rounds).ok());
                planned.extend(rounds.map(|rounds| (number, rounds)));
            }
        }
        let mut rounds: BTreeMap<(i64, i64), SourceRound> = BTreeMap::new();
        for pairing in pairings {
            let (phase, number) =
                (pairing.whole_at("phase")?.unwrap_or(1), pairing.need("round")?.whole()?);
            let (tables, byes) = (Vec::new(), Vec::new());
            let name = format!("Round {number}");
            let empty = SourceRound { name, weight: RoundWeight::ONE, tables, byes };
            self.pairing(pairing, rounds.entry((phase, number)).or_insert(empty))?;
        }
        if rounds.len() > limits::ROUNDS {
            return Err(Fault::TooMany { what: "rounds", limit: limits::ROUNDS }.at("pairings"));
        }
        numbered::refuse_gaps(rounds.keys().copied(), "pairings", "")?;
        let mut by_phase: Vec<(i64, Vec<SourceRound>)> = Vec::new();
        for ((phase, _), round) in rounds {
            match by_phase.last_mut().filter(|(last, _)| *last == phase) {
                Some((_, rounds)) => rounds.push(round),
                None => by_phase.push((phase, vec![round])),
            }
        }
        if let (Some((first, _)), Some((last, rounds))) = (by_phase.first(), by_phase.last()) {
            let is_here = |number: &i64| by_phase.iter().any(|(phase, _)| phase == number);
            let planned = |number: &i64| planned.get(number).copied();
            self.planned = planned(first);
            self.is_running = !kinds.keys().all(is_here)
                || planned(last).is_some_and(|planned| rounds.len() < usize::from(planned));
        }
        let mut phases = Vec::new();
        for (number, rounds) in by_phase {
            match kinds.get(&number) {
                Some(kind) => phases.push(phases::phase(*kind, rounds)),
                // Nothing says how they were played: a cut is known by who goes on.
                None => phases.extend(phases::split(rounds, &[])),
            }
        }
        if phases.is_empty() {
            let entrants = (0..self.players.list.len()).collect();
            phases.push(SourcePhase {
                kind: PhaseKind::Swiss,
                entrants,
                seeded: false,
                rounds: Vec::new(),
            });
        }
        Ok(phases)
    }

    fn pairing(&mut self, pairing: &Node<'_>, round: &mut SourceRound) -> Result<(), ImportError> {
        let place = pairing.place.clone();
        let mut players = Vec::new();
        for key in ["player1", "player2"] {
            if let Some(handle) = pairing.word_at(key)? {
                players.push(self.players.named(handle, &pairing.place_of(key))?);
            }
        }
        let winner = pairing.word_at("winner")?;
        match players[..] {
            [] => self.oddities.add(&place, "A pairing without players was left out."),
            [player] => {
                let won = winner.and_then(|winner| self.players.known(winner)) == Some(player);
                let kind = if won { ByeKind::Assigned } else { ByeKind::AwardedLoss };
                round.byes.push(SourceBye { player, kind, reported: None, place });
            }
            _ => {
                let seat = |handle: &str| {
                    let own = self.players.known(handle);
                    players.iter().position(|player| Some(*player) == own)
                };
                let won = match winner {
                    None => None,
                    Some("0") => Some(Won::Draw),
                    Some("-1") => Some(Won::BothLost),
                    Some(handle) => match seat(handle) {
                        Some(seat) => Some(Won::Seat(seat)),
                        None => {
                            let expected = "one of the two players, 0 (a tie) or -1 (both lost)";
                            return Err(pairing.need("winner")?.bad(expected));
                        }
                    },
                };
                let result = won.map_or_else(outcome::open, |won| {
                    outcome::result(None, Some(won), How::Unknown)
                });
                let table = pairing.count_at("table")?.filter(|table| *table > 0);
                let seats = players.iter().map(|player| SourceSeat { player: *player, role: 0 });
                let taken = table
                    .is_some_and(|table| round.tables.iter().any(|one| one.table == Some(table)));
                let table = table.filter(|_| !taken);
                round.tables.push(SourceTable { table, seats: seats.collect(), result, place });
            }
        }
        Ok(())
    }
}
